/* `inlay select`: which processors of unlike clusters an SPMD program should use, and how much data each. */
#include "select.h"
#include "commands.h"
#include "output.h"
#include "report.h"
#include "select_study.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <string.h>

enum { NEXT = 5, MOST_NEXT = 1000, MOST_POINTS = 400 };

#define FIELD(name) offsetof(select_values, name)

static const cli_option question[] = {
    {"define", 'D', OPTION_TEXTS, "NAME=NUMBER", "set a parameter of the program; once for each parameter", NULL,
     FIELD(set)},
    {"phases", 0, OPTION_CHOICE, "dominant|all", "count the dominant phase of each kind, or all phases", NULL,
     FIELD(phases)},
    {"map", 0, OPTION_CHOICE, "integer|ceil|real",
     "what processors get: whole units that sum to all, units rounded up, or fractions of units", NULL, FIELD(map)},
    {"router", 0, OPTION_CHOICE, "sum|chain",
     "routers are paid once for each link that joins the used clusters, or in each cluster for its neighbours", NULL,
     FIELD(router)},
};
static const cli_group question_group = {"Question", question, sizeof question / sizeof *question};

static const cli_option search[] = {
    {"method", 0, OPTION_CHOICE, "exact|h1|h2|h3|exhaustive",
     "the shortest cycle, a heuristic, or all configurations one by one", NULL, FIELD(method)},
    {"limit", 0, OPTION_COUNT, "N", "look at no more than N boxes (exact) or configurations (exhaustive)",
     "200000 or 10000000", FIELD(limit)},
    {"best", 0, OPTION_NUMBER, "N", "list the N next-best configurations, 0 to 1000", "5", FIELD(best)},
    {"processors", 'p', OPTION_STRING, "LIST",
     "cost a configuration of your own beside the best: 5,0,5 by cluster, or sparc2=4,ipc=2", NULL, FIELD(processors)},
};
static const cli_group search_group = {"Search", search, sizeof search / sizeof *search};

static const cli_option outputs[] = {
    {"placement", 0, OPTION_FLAG, NULL, "list the processor of every task", NULL, FIELD(placement)},
    {"output", 'o', OPTION_STRING, "FILE", "write the result as JSON to FILE (.gz packs it)", NULL, FIELD(output)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the best cycle of each number of processors as CSV to FILE", NULL,
     FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw it as bars of computation and communication", NULL, FIELD(svg)},
    {"points", 0, OPTION_COUNT, "N", "of no more than N numbers of processors, 2 to 400", "100", FIELD(points)},
};
static const cli_group output_group = {"Output", outputs, sizeof outputs / sizeof *outputs};

static const cli_option study[] = {
    {"study", 0, OPTION_FLAG, NULL,
     "compute tables 2 and 3 and figure 13 of the paper anew, beside what it prints; without PROGRAM and METASYSTEM",
     NULL, FIELD(study)},
    {"metasystems", 0, OPTION_COUNT, "N", "random metasystems for each cell of the tables", "2000", FIELD(metasystems)},
    {"instances", 0, OPTION_COUNT, "N", "random programs on each", "36", FIELD(instances)},
};
static const cli_group study_group = {"Study", study, sizeof study / sizeof *study};

/* ---- Usage ---- */

/* The first option that was given and is not in the list, which ends with NULL; NULL where there is none. */
static const char *other_option(const invocation *call, const char *const *allowed)
{
    const cli_option *option;
    for (size_t i = 0; (option = command_option(call->command, i)) != NULL; i++) {
        size_t a = 0;
        while (allowed[a] != NULL && strcmp(allowed[a], option->name) != 0) {
            a++;
        }
        if (call->given[i] != NULL && allowed[a] == NULL) {
            return option->name;
        }
    }
    return NULL;
}

static int check_study(const invocation *call)
{
    static const char *const allowed[] = {"metasystems", "instances", "map", "csv", "seed", "threads", NULL};
    const select_values *values = call->values;
    const char *other = values->placement ? "placement" : other_option(call, allowed);
    if (call->operand_count > 0) {
        return report_usage(call->command, "'%s' is one operand too many: --study makes metasystems of its own",
                            call->operands[0]);
    }
    if (other != NULL) {
        return report_usage(call->command, "--%s goes without --study", other);
    }
    return call->common->json && output_is_standard(values->csv)
               ? report_usage(call->command, "only one of --json and --csv can go to standard output")
               : EXIT_DONE;
}

static int check_outputs(const invocation *call)
{
    const select_values *values = call->values;
    const char *files[] = {values->output, values->csv, values->svg};
    const char *collision = output_collision(call, files, sizeof files / sizeof *files);
    if (collision != NULL) {
        return report_usage(call->command,
                            "'%s' would be overwritten; expected outputs that differ from the inputs and from each "
                            "other",
                            collision);
    }
    if (call->common->json + output_is_standard(values->output) + output_is_standard(values->csv) +
            output_is_standard(values->svg) >
        1) {
        return report_usage(call->command, "only one of --json, -o, --csv and --svg can go to standard output");
    }
    return EXIT_DONE;
}

static int check_usage(const invocation *call)
{
    const select_values *values = call->values;
    if (call->operand_count < 2) {
        return report_usage(call->command, "%s is missing", call->command->operands[call->operand_count].name);
    }
    if (output_is_standard(call->operands[0]) && output_is_standard(call->operands[1])) {
        return report_usage(call->command, "only one of PROGRAM and METASYSTEM can be standard input");
    }
    if (values->metasystems > 0 || values->instances > 0) {
        return report_usage(call->command, "--%s goes with --study",
                            values->metasystems > 0 ? "metasystems" : "instances");
    }
    if (values->best > MOST_NEXT) {
        return report_usage(call->command, "--best %" PRIu64 ": expected a whole number from 0 to %d", values->best,
                            MOST_NEXT);
    }
    if (values->points == 1 || values->points > MOST_POINTS) {
        return report_usage(call->command, "--points %" PRId32 ": expected a whole number from 2 to %d", values->points,
                            MOST_POINTS);
    }
    if (values->points > 0 && values->csv == NULL && values->svg == NULL) {
        return report_usage(call->command, "--points goes with --csv or --svg");
    }
    return check_outputs(call);
}

/* ---- Giving out ---- */

typedef struct told {
    const selected *of;
    const inlay_diag *diag;
} told;

static void put_json(FILE *to, const void *of)
{
    const told *source = of;
    select_print_json(source->of, source->diag, to);
}

/* "chosen: 12 processors, 3334.2 us" */
static int draw(const selected *of, const char *path, inlay_diag *diag)
{
    enum { ROOM = 200 };
    char title[ROOM], label[ROOM], number[FIGURE];
    const char *unit = unit_word(of->metasystem->time_unit);
    (void)snprintf(title, sizeof title, "%s on %s: the shortest cycle by number of processors", select_program_name(of),
                   select_metasystem_name(of));
    (void)snprintf(label, sizeof label, "chosen: %" PRId32 " processor%s, %s %s", of->chosen->total,
                   of->chosen->total == 1 ? "" : "s", select_figure(of->chosen->t_cycle, number), unit);
    const inlay_selection_picture picture = {.title = title, .unit = unit, .chosen = of->chosen, .label = label};
    return output_told(inlay_selection_draw_svg(of->curve, &picture, path, diag), diag);
}

static int deliver(const selected *of, inlay_diag *diag)
{
    const select_values *values = of->call->values;
    bool writes = values->output != NULL || values->csv != NULL || values->svg != NULL;
    bool taken =
        output_is_standard(values->output) || output_is_standard(values->csv) || output_is_standard(values->svg);
    output_print(values->output, put_json, &(told){of, diag});
    output_print(values->csv, select_put_csv, of);
    int status = values->svg != NULL ? draw(of, values->svg, diag) : INLAY_OK;
    if (status == INLAY_OK && values->common.json) {
        select_print_json(of, diag, stdout);
    } else if (status == INLAY_OK && !taken && !(values->common.quiet && writes)) {
        status = select_print(of, stdout);
    }
    return report_end(of->call, status, diag);
}

/* ---- The command ---- */

static int run_study(const invocation *call)
{
    const select_values *values = call->values;
    const select_study_values of = {.metasystems = values->metasystems,
                                    .instances = values->instances,
                                    .map = (inlay_select_map)values->map,
                                    .csv = values->csv};
    int end = check_study(call);
    return end == EXIT_DONE ? select_study_command(call, &of) : end;
}

static int run(const invocation *call)
{
    select_values *values = call->values;
    if (values->study) {
        return run_study(call);
    }
    int best = command_find_option(call->command, "--best");
    values->best = call->given[best] != NULL ? values->best : NEXT;
    int end = check_usage(call);
    if (end != EXIT_DONE) {
        return end;
    }
    inlay_diag *diag = output_diag();
    if (diag == NULL) {
        return report_no_memory();
    }
    selected found = {0};
    end = select_find(call, &found, diag);
    if (end == EXIT_DONE) {
        end = deliver(&found, diag);
    }
    select_clear(&found);
    inlay_diag_free(diag);
    return end;
}

const cli_command select_command = {
    .name = "select",
    .summary = "processors and data shares for an SPMD program on unlike clusters",
    .description =
        "Reads a program that works on its data in cycles of computation and communication, and a metasystem: clusters "
        "of unlike processors, joined by routers. Tells which processors of which clusters the program should use so "
        "that its cycle is shortest, how many units of its data each of them gets, how long a cycle and the whole run "
        "take, and where each task runs.\n"
        "More processors share the work and lengthen the communication; the best number lies between. The exact method "
        "finds it, or tells how far from it the answer can be. H1 and H2 are the heuristics of Weissman and Grimshaw; "
        "their distance from the shortest cycle is told too.\n"
        "With --study, computes the tables of their paper anew.",
    .example = "inlay select graphs/sten2.dot architectures/suns-metasystem.dot -D N=300\n"
               "inlay select graphs/figure13.dot architectures/figure13-metasystem.dot --map real\n"
               "inlay select graphs/figure13.dot architectures/figure13-metasystem.dot -p C0=5,C3=5",
    .operands = {{"PROGRAM", "the program: a DOT file of its phases, or - for standard input", true, false},
                 {"METASYSTEM", "the clusters: a DOT file, or - for standard input", true, false}},
    .groups = {&question_group, &search_group, &output_group, &study_group, &common_options},
    .values_size = sizeof(select_values),
    .run = run,
};

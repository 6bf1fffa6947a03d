/* `inlay select`: which processors of unlike clusters an SPMD program should use, and how much data each. */
#include "select.h"
#include "answer.h"
#include "commands.h"
#include "output.h"
#include "raster.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>

enum { MOST_NEXT = 1000, MOST_POINTS = 400 };

#define FIELD(name) offsetof(select_values, name)

static const cli_option question[] = {
    {"define", 'D', OPTION_TEXTS, "NAME=NUMBER", "set a parameter of the program; once for each parameter", NULL,
     FIELD(set)},
    {"phases", 0, OPTION_CHOICE, "dominant|all", "count the dominant phase of each kind, or all phases", NULL,
     FIELD(phases)},
    {"map", 0, OPTION_CHOICE, "integer|ceil|real|remainder",
     "what processors get: whole units that sum to all, units rounded up, or fractions of units", NULL, FIELD(map)},
    {"curves", 0, OPTION_STRING, "FILE",
     "seconds of a cycle's computation by PDUs, for each cluster or type of processor, in place of what PROGRAM says",
     NULL, FIELD(curves)},
    {"router", 0, OPTION_CHOICE, "sum|chain",
     "routers are paid once for each link that joins the used clusters, or in each cluster for its neighbours", NULL,
     FIELD(router)},
    WISH_OPTIONS(FIELD(wish)),
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
    {"csv", 0, OPTION_STRING, "FILE",
     "write the best cycle of each number of processors, or the front of an --objective, as CSV to FILE", NULL,
     FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw the cycles as bars of computation and communication, or the front", NULL,
     FIELD(svg)},
    {"points", 0, OPTION_COUNT, "N", "of no more than N numbers of processors, 2 to 400", "100", FIELD(points)},
};
static const cli_group output_group = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Usage ---- */

static int check_usage(const invocation *call)
{
    const select_values *values = call->values;
    if (output_is_standard(call->operands[0]) && output_is_standard(call->operands[1])) {
        return report_usage(call->command, "only one of PROGRAM and MACHINE can be standard input");
    }
    if (values->curves != NULL && (values->csv != NULL || values->svg != NULL)) {
        return report_usage(call->command, "--%s is not for --curves, with which some processors may hold too little",
                            values->csv != NULL ? "csv" : "svg");
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
    return EXIT_DONE;
}

/* ---- Giving out ---- */

/* "chosen: 12 processors, 3334.2 us" */
static int draw(const cli_answer *a, const char *path)
{
    const inlay_select_result *of = a->of;
    if (of->front != NULL) {
        return inlay_selection_draw_front(of, path, a->diag);
    }
    enum { ROOM = 200 };
    char title[ROOM], label[ROOM], number[FIGURE];
    const char *unit = inlay_unit_word(of->asked.metasystem->time_unit);
    (void)snprintf(title, sizeof title, "%s on %s: the shortest cycle by number of processors", of->asked.program_name,
                   of->asked.metasystem_name);
    (void)snprintf(label, sizeof label, "chosen: %" PRId32 " processor%s, %s %s", of->chosen->total,
                   of->chosen->total == 1 ? "" : "s", figure_text(of->chosen->t_cycle, 7, number), unit);
    const inlay_selection_picture picture = {.title = title, .unit = unit, .chosen = of->chosen, .label = label};
    return inlay_selection_draw_svg(of->curve, &picture, path, a->diag);
}

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_select_result_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    const inlay_select_result *of = a->of;
    return inlay_selection_write_csv(of->front != NULL ? of->front : of->curve, of->asked.metasystem, path, a->diag);
}

static const cli_output select_files[] = {
    {"--json", .write = write_json},
    {"-o", FIELD(output), .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = draw},
    {0},
};

/* ---- The command ---- */

static int answer_select(const invocation *call, inlay_diag *diag)
{
    inlay_select_question asked = {0};
    inlay_select_result *found = NULL;
    int status = select_read_question(call, &asked, diag);
    if (status == INLAY_OK) {
        status = inlay_select_ask(&asked, &found, diag);
        status = status == INLAY_OK ? give_out(call, found, diag) : status;
        if (status == INLAY_BAD_ARGUMENT) { /* another method may take it */
            status = report_end(call, status, diag);
            report_remedies(call, diag);
        }
    }
    inlay_select_result_free(found);
    select_question_clear(&asked);
    return status;
}

const cli_command select_command = {
    .name = "select",
    .summary = "processors and data shares for an SPMD program on unlike clusters",
    .description =
        "Reads a program that works on its data in cycles of computation and communication, and a metasystem: clusters "
        "of unlike processors, joined by routers. Of another machine the groups of like hosts are the clusters, and "
        "latency and capacity say what communication takes. Tells which processors of which clusters the program "
        "should use so "
        "that its cycle is shortest, how many units of its data each of them gets, how long a cycle and the whole run "
        "take, and where each task runs.\n"
        "More processors share the work and lengthen the communication; the best number lies between. The exact method "
        "finds it, or tells how far from it the answer can be. H1 and H2 are the heuristics of Weissman and Grimshaw; "
        "their distance from the shortest cycle is told too.",
    .example = "inlay select graphs/sten2.dot architectures/suns-metasystem.dot -D N=300\n"
               "inlay select graphs/figure13.dot architectures/figure13-metasystem.dot --map real\n"
               "inlay select graphs/figure13.dot architectures/figure13-metasystem.dot -p C0=5,C3=5",
    .operands = {{.name = "PROGRAM", .help = "the program: a DOT file of its phases, or - for standard input"},
                 {.name = "MACHINE", .help = "clusters: a metasystem, or any other machine; - is standard input"}},
    .groups = {&question_group, &search_group, &output_group, &picture_options, &common_options},
    .values_size = sizeof(select_values),
    .outputs = select_files,
    .print = select_print,
    .check = check_usage,
    .answer = answer_select,
};

/* `inlay sweep`: what every time frame makes of an application on a machine. */
#include "sweep.h"
#include "allowed.h"
#include "answer.h"
#include "commands.h"
#include "raster.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>

typedef struct sweep_values {
    mapping_values mapping;
    duration_value from, to;
    inlay_id points;
    bool all;
    const char *csv, *svg;
} sweep_values;

#define FIELD(name) offsetof(sweep_values, name)

static const cli_option frames[] = {
    {"from", 0, OPTION_DURATION, "TIME", "look at no shorter time frame", "the least with a clustering", FIELD(from)},
    {"to", 0, OPTION_DURATION, "TIME", "look at no longer time frame", "none is too long", FIELD(to)},
    {"points", 0, OPTION_COUNT, "N", "a sample of N time frames in equal ratios, where there are very many clusterings",
     NULL, FIELD(points)},
    {"all", 0, OPTION_FLAG, NULL, "all time frames, however many there are", "a sample takes the place of too many",
     FIELD(all)},
    {"time-frame", 'T', OPTION_DURATION, "TIME", "tell also what TIME makes of it, and how many processors it takes",
     NULL, FIELD(mapping.time_frame)},
};
static const cli_group sweep_frames = {"Time frames", frames, sizeof frames / sizeof *frames};

static const cli_option method[] = {
    {"processors", 'p', OPTION_COUNT, "P", "tell which time frames are long enough for P processors",
     "as many as the machine has", FIELD(mapping.processors)},
    {"parallel", 0, OPTION_CHOICE, "level|overlap",
     "modules are parallel on one level, or where their times in the unlimited schedule overlap", NULL,
     FIELD(mapping.parallel)},
    {"unrelated", 0, OPTION_CHOICE, "yes|no", "also cluster modules that exchange nothing", NULL,
     FIELD(mapping.unrelated)},
};
static const cli_group sweep_method = {"Method", method, sizeof method / sizeof *method};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(mapping.common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the clusterings as CSV to FILE (- for standard output)", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw clusters, elapsed times and delay over T as SVG", NULL, FIELD(svg)},
};
static const cli_group sweep_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Points ---- */

const sweep_point_name sweep_point_names[SWEEP_POINTS] = {
    {"T_MIN", "the least that does not saturate the network"},
    {"T_FIT", "the least at which all fits, messages included"},
    {"T_PAR", "the least at which moreover all clusters can be active at once"},
    {"T for P", "the least for the processors allowed"},
    {"best", "the shortest elapsed time on the processors allowed"},
    {"given", "-T"},
};

const inlay_sweep_point *sweep_point(const inlay_sweep_result *sweep, size_t i)
{
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    const inlay_sweep_point *points[SWEEP_POINTS] = {&s->t_min,        &s->t_fit, &s->t_par,
                                                     &s->t_processors, &s->best,  &s->given};
    return points[i];
}

/* ---- Giving out ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_sweep_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return inlay_sweep_write_csv(a->of, path, a->diag);
}

static int draw(const cli_answer *a, const char *path)
{
    return inlay_sweep_draw_svg(a->of, path, a->diag);
}

static const cli_output sweep_files[] = {
    {"JSON", .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = draw},
    {0},
};

enum { WORD = 32 };

/* What map takes of the options of a sweep. -T is none of them: map chooses one that P processors can keep. */
static const char *const of_map[] = {"parallel", "unrelated", "blocking", "start", "tick", "format"};

enum { OF_MAP = sizeof of_map / sizeof *of_map, MAP_WORDS = 6 + 2 * OF_MAP };

/* The words of a map on so many processors; how many they are. */
static int map_words(const invocation *call, char *processors, char names[OF_MAP][WORD], char **words)
{
    static char map[] = "map", option[] = "--processors";
    int count = 0;
    words[count++] = call->argv[0];
    words[count++] = map;
    words[count++] = call->operands[0];
    words[count++] = call->operands[1];
    words[count++] = option;
    words[count++] = processors;
    for (size_t i = 0; i < OF_MAP; i++) {
        (void)snprintf(names[i], WORD, "--%s", of_map[i]);
        const char *given = call->given[command_find_option(call->command, names[i])];
        if (given != NULL) {
            words[count++] = names[i];
            words[count++] = (char *)given;
        }
    }
    return count;
}

/* Only map, which reduces, leaves so few clusters: where it does. */
static void propose_map(const invocation *call, const inlay_sweep_result *sweep, inlay_id processors)
{
    char number[WORD], names[OF_MAP][WORD], *words[MAP_WORDS];
    (void)snprintf(number, sizeof number, "%" PRId32, processors);
    int count = map_words(call, number, names, words);
    invocation map = {0};
    inlay_diag *diag = new_diag();
    inlay_mapping *mapping = NULL;
    bool dashed = call->operands[0][0] == '-' && call->operands[0][1] != '\0'; /* would be taken for an option */
    if (diag != NULL && !dashed && invocation_read(&map_command, count, words, 1, &map) == EXIT_DONE) {
        const inlay_options options = mapping_options(map.values);
        int status = inlay_map(inlay_sweep_app(sweep), inlay_sweep_machine(sweep), &options, &mapping, diag);
        if (status == INLAY_OK) {
            report_remedy(&map, "--processors", number);
        } else {
            report_remedies(&map, diag);
        }
        inlay_mapping_free(mapping);
    }
    invocation_clear(&map);
    inlay_diag_free(diag);
}

/* P processors were asked about, and no time frame leaves so few clusters: the rows have said the rest. */
static int refuse_processors(const invocation *call, const inlay_sweep_result *sweep)
{
    const inlay_sweep_summary *s = inlay_sweep_summary_of(sweep);
    (void)fflush(stdout); /* the rows come before the last line, also where both go to one file */
    say(stderr, "inlay: no time frame%s leaves at most %" PRId32 " clusters; the fewest are %" PRId32 "\n",
        s->complete ? "" : " that was looked at", s->processors, s->fewest_clusters);
    if (s->fewest_clusters <= inlay_machine_processors(inlay_sweep_machine(sweep))) {
        char number[16];
        (void)snprintf(number, sizeof number, "%" PRId32, s->fewest_clusters);
        report_remedy(call, "--processors", number);
    } else {
        propose_map(call, sweep, s->processors);
    }
    return EXIT_NO;
}

/* ---- The command ---- */

static int answer_sweep(const invocation *call, const inlay_app *app, const inlay_machine *machine, inlay_diag *diag)
{
    const sweep_values *values = call->values;
    const inlay_sweep_options options = {.mapping = mapping_options(&values->mapping),
                                         .has_from = values->from.given,
                                         .has_to = values->to.given,
                                         .from = values->from.value,
                                         .to = values->to.value,
                                         .points = values->points,
                                         .all = values->all,
                                         .threads = values->mapping.common.threads};
    inlay_sweep_result *sweep = NULL;
    int status = inlay_sweep(app, machine, &options, &sweep, diag);
    status = status == INLAY_OK ? give_out(call, sweep, diag) : status;
    if (status == INLAY_OK && values->mapping.processors > 0 && !inlay_sweep_summary_of(sweep)->t_processors.exists) {
        (void)report_end(call, status, diag);
        status = refuse_processors(call, sweep);
    }
    inlay_sweep_free(sweep);
    return status;
}

static int read_and_sweep(const invocation *call, inlay_diag *diag)
{
    const sweep_values *values = call->values;
    return answer_app_and_machine(call, values->mapping.format, values->mapping.reference_speed, answer_sweep, diag);
}

const cli_command sweep_command = {
    .name = "sweep",
    .summary = "every time frame at which the clustering changes",
    .description =
        "The clusters that map makes are a step function of the time frame T. Lists all steps, each with the least T "
        "at "
        "which it appears: clusters, traffic, delay, how busy the processors are, and the elapsed time. "
        "A clustering is never reduced to the processors there are.\n"
        "Tells T_MIN, the least T that does not saturate the network; T_FIT, the least at which work and messages of "
        "every processor fit into T; T_PAR, the least at which moreover all clusters can be active at once; and all "
        "intervals of T in which everything fits. What holds for a T of your own, -T tells; which T is long enough for "
        "P processors, --processors.\n"
        "Where very many time frames make another clustering (above 3,000 on a chain of 3,000 modules, above 20 on "
        "one of 100,000), a sample takes the place of those that are left, unless --all asks for every one; "
        "--points asks for a sample of all, --from and --to for a part. The answer then says so.",
    .example = "inlay sweep graphs/cholesky4.dot architectures/paper-bus17.dot --svg sweep.svg\n"
               "inlay sweep graphs/cholesky4.dot bus:17 --processors 6 -T 200\n"
               "inlay sweep graphs/workflow.json architectures/cluster17.dot --csv sweep.csv",
    .operands = {{.name = "APP", .help = "the application graph: a file, or - for standard input"},
                 {.name = "MACHINE", .help = "the machine: a string such as bus:17,memory=common, or a DOT file"}},
    .groups = {&sweep_frames, &sweep_method, &mapping_rules, &sweep_outputs, &picture_options, &common_options},
    .values_size = sizeof(sweep_values),
    .outputs = sweep_files,
    .print = sweep_print_table,
    .answer = read_and_sweep,
};

/* `inlay pareto`: elapsed time against processors. */
#include "pareto.h"
#include "commands.h"
#include "mapping.h"
#include "output.h"
#include "report.h"
#include "simulated.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pareto_values {
    mapping_values mapping;
    const char *processors;
    int rank;
    inlay_id candidates, points, at;
    const char *csv, *svg, *mapping_path;
} pareto_values;

#define FIELD(name) offsetof(pareto_values, name)

static const cli_option search[] = {
    {"processors", 'p', OPTION_STRING, "A..B", "numbers of processors; B alone is 1..B",
     "1.. as many as the machine has", FIELD(processors)},
    {"rank", 0, OPTION_CHOICE, "estimate|fixed-point",
     "what makes a mapping shorter: its estimate at the time frame T in force, or the one with T equal to it", NULL,
     FIELD(rank)},
    {"candidates", 0, OPTION_COUNT, "N", "look at no more than N reduced mappings", "by the size of the graph",
     FIELD(candidates)},
    {"points", 0, OPTION_COUNT, "N", "take the clusterings of a sample of N time frames, as sweep does",
     "all, or a sample by the size of the graph", FIELD(points)},
};
static const cli_group pareto_search = {"Search", search, sizeof search / sizeof *search};

static const cli_option method[] = {
    {"parallel", 0, OPTION_CHOICE, "level|overlap",
     "modules are parallel on one level, or where their times in the unlimited schedule overlap", NULL,
     FIELD(mapping.parallel)},
    {"unrelated", 0, OPTION_CHOICE, "yes|no", "also cluster modules that exchange nothing", NULL,
     FIELD(mapping.unrelated)},
};
static const cli_group pareto_method = {"Method", method, sizeof method / sizeof *method};

static const cli_option outputs[] = {
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(mapping.common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the points as CSV to FILE (- for standard output)", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw the front with its knee and the lower bound as SVG", NULL, FIELD(svg)},
    {"mapping", 0, OPTION_STRING, "FILE", "write the mapping of one point as JSON, as map does", NULL,
     FIELD(mapping_path)},
    {"at", 0, OPTION_COUNT, "P", "the point of --mapping: the best mapping found on at most P processors", "the knee",
     FIELD(at)},
};
static const cli_group pareto_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Giving out ---- */

/* The last point of at most P processors; false where there is none. */
static bool find_point(const inlay_pareto_result *result, inlay_id processors, size_t *point)
{
    size_t count = inlay_pareto_points(result);
    while (count > 0 && inlay_pareto_point_at(result, count - 1)->processors > processors) {
        count--;
    }
    *point = count - 1;
    return count > 0;
}

/* Exit status; where no point has so few processors, the last line is a command that has one. */
static int choose_point(const invocation *call, const inlay_pareto_result *result, size_t *point)
{
    const pareto_values *values = call->values;
    *point = inlay_pareto_summary_of(result)->knee;
    if (values->at == 0 || find_point(result, values->at, point)) {
        return EXIT_DONE;
    }
    char number[16];
    inlay_id first = inlay_pareto_point_at(result, 0)->processors;
    (void)snprintf(number, sizeof number, "%" PRId32, first);
    say(stderr, "inlay: no point of at most %" PRId32 " processors; the first has %" PRId32 "\n", values->at, first);
    report_remedy(call, "--at", number);
    return EXIT_NO;
}

static int write_mapping(const invocation *call, const inlay_pareto_result *result, inlay_diag *diag)
{
    const pareto_values *values = call->values;
    size_t point;
    inlay_mapping *mapping = NULL;
    inlay_simulation *simulation = NULL;
    int end = choose_point(call, result, &point);
    if (end != EXIT_DONE) {
        return end;
    }
    int status = inlay_pareto_mapping(result, point, &mapping, diag);
    if (status == INLAY_OK) {
        status = simulated_run(&values->mapping, mapping, &simulation, diag);
    }
    if (status == INLAY_OK) {
        const inlay_origin origin = {.command = call->command->name,
                                     .app_path = call->operands[0],
                                     .app_format = values->mapping.format,
                                     .seed = values->mapping.common.seed,
                                     .simulation = simulation};
        status = output_told(inlay_mapping_write(mapping, &origin, values->mapping_path, diag), diag);
    }
    inlay_simulation_free(simulation);
    inlay_mapping_free(mapping);
    return status == INLAY_OK ? EXIT_DONE : report_end(call, status, diag);
}

static int on_standard_output(const pareto_values *values)
{
    return output_is_standard(values->csv) + output_is_standard(values->svg) + output_is_standard(values->mapping_path);
}

static int deliver(const invocation *call, const inlay_pareto_result *result, inlay_diag *diag)
{
    const pareto_values *values = call->values;
    bool writes = values->csv != NULL || values->svg != NULL || values->mapping_path != NULL;
    bool silent = on_standard_output(values) > 0 || (call->common->quiet && writes);
    int end = values->mapping_path != NULL ? write_mapping(call, result, diag) : EXIT_DONE;
    if (end != EXIT_DONE) {
        return end;
    }
    output_print(values->csv, pareto_put_csv, result);
    int status = values->svg != NULL ? output_told(inlay_pareto_draw_svg(result, values->svg, diag), diag) : INLAY_OK;
    if (status == INLAY_OK && call->common->json) {
        pareto_print_json(call, result, diag);
    } else if (status == INLAY_OK && !silent) {
        status = pareto_print_table(result, call->common->verbose);
    }
    return report_end(call, status, diag);
}

/* ---- The command ---- */

/* A whole number from 1; what follows it is at *end. */
static bool read_count(const char *text, const char **end, inlay_id *number)
{
    char *stop;
    if (*text < '0' || *text > '9') {
        return false;
    }
    unsigned long long value = strtoull(text, &stop, 10);
    *number = value <= INT32_MAX ? (inlay_id)value : 0;
    *end = stop;
    return *number > 0;
}

/* "A..B" or "B"; NULL stands for all there are. */
static bool read_range(const char *text, inlay_id *from, inlay_id *to)
{
    const char *end;
    if (text == NULL) {
        return true;
    }
    if (!read_count(text, &end, to)) {
        return false;
    }
    if (strncmp(end, "..", 2) == 0) {
        *from = *to;
        return read_count(end + 2, &end, to) && *end == '\0' && *from <= *to;
    }
    *from = 1;
    return *end == '\0';
}

static int check_usage(const invocation *call, inlay_id *from, inlay_id *to)
{
    const pareto_values *values = call->values;
    const char *files[] = {values->csv, values->svg, values->mapping_path};
    if (!read_range(values->processors, from, to)) {
        return report_usage(call->command, "--processors '%s' is no range; expected A..B, or B for 1..B",
                            values->processors);
    }
    if (values->at > 0 && values->mapping_path == NULL) {
        return report_usage(call->command, "--at tells which mapping to write; expected --mapping FILE with it");
    }
    if (call->common->json + on_standard_output(values) > 1) {
        return report_usage(call->command, "only one of JSON, --csv, --svg and --mapping can go to standard output");
    }
    const char *collision = output_collision(call, files, sizeof files / sizeof *files);
    if (collision != NULL) {
        return report_usage(call->command,
                            "'%s' would be overwritten; expected outputs that differ from the inputs and "
                            "from each other",
                            collision);
    }
    return EXIT_DONE;
}

static int search_front(const invocation *call, const inlay_app *app, const inlay_machine *machine,
                        inlay_pareto_options *options, inlay_diag *diag)
{
    const pareto_values *values = call->values;
    inlay_pareto_result *result = NULL;
    options->simulate = simulated_most(&values->mapping, app);
    options->seed = values->mapping.common.seed;
    int status = inlay_pareto(app, machine, options, &result, diag);
    int end = status == INLAY_OK ? deliver(call, result, diag) : report_end(call, status, diag);
    inlay_pareto_free(result);
    return end;
}

static int read_and_search(const invocation *call, inlay_pareto_options *options, inlay_diag *diag)
{
    const pareto_values *values = call->values;
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    int status = inlay_app_read(call->operands[0], values->mapping.format, &app, diag);
    if (status == INLAY_OK) {
        status = inlay_machine_read(call->operands[1], &machine, diag);
    }
    int end = status == INLAY_OK ? search_front(call, app, machine, options, diag) : report_end(call, status, diag);
    inlay_machine_free(machine);
    inlay_app_free(app);
    return end;
}

static int run(const invocation *call)
{
    const pareto_values *values = call->values;
    inlay_pareto_options options = {.mapping = mapping_options(&values->mapping),
                                    .rank = values->rank == 1 ? INLAY_PARETO_FIXED_POINT : INLAY_PARETO_ESTIMATE,
                                    .candidates = values->candidates,
                                    .points = values->points,
                                    .threads = values->mapping.common.threads};
    int end = check_usage(call, &options.from, &options.to);
    if (end != EXIT_DONE) {
        return end;
    }
    inlay_diag *diag = output_diag();
    end = diag != NULL ? read_and_search(call, &options, diag) : report_no_memory();
    inlay_diag_free(diag);
    return end;
}

const cli_command pareto_command = {
    .name = "pareto",
    .summary = "elapsed time against processors",
    .description =
        "For every number of processors P, the shortest mapping found on at most P of them: with its elapsed time, "
        "the lower bound and the gap between them, speedup, efficiency, traffic, and how it came about. Looks at the "
        "clusterings of sweep as they are, and reduced to P by H1, by H2 and by H2 by traffic, before and after "
        "clustering; at the modules reduced without clusters; and at what map does by default.\n"
        "Points on the front are shorter than all of fewer processors. The knee is the point with the largest ratio of "
        "efficiency to elapsed time: up to there a processor more gains more than it costs.\n"
        "The answer says what was looked at. Large graphs are sampled; --candidates allows more, or less.",
    .example = "inlay pareto graphs/cholesky4.dot architectures/paper-bus17.dot --svg pareto.svg\n"
               "inlay pareto graphs/cholesky4.dot bus:17 --processors 2..6 --mapping knee.json\n"
               "inlay pareto graphs/workflow.json architectures/cluster17.dot --csv pareto.csv",
    .operands = {{"APP", "the application graph: a file, or - for standard input", false, false},
                 {"MACHINE", "the machine: a string such as bus:17,memory=common, or a DOT file", false, false}},
    .groups = {&pareto_search, &pareto_method, &mapping_rules, &pareto_outputs, &common_options},
    .values_size = sizeof(pareto_values),
    .run = run,
};

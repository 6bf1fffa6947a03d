/* `inlay pareto`: elapsed time against processors. */
#include "pareto.h"
#include "answer.h"
#include "commands.h"
#include "mapping.h"
#include "range.h"
#include "raster.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pareto_values {
    mapping_values mapping;
    const char *processors;
    inlay_id at;
    const char *csv, *svg, *mapping_path;
} pareto_values;

#define FIELD(name) offsetof(pareto_values, name)

static const cli_option search[] = {
    {"processors", 'p', OPTION_STRING, "A..B", "numbers of processors; B alone is 1..B",
     "1.. as many as the machine has", FIELD(processors)},
    {"method", 0, OPTION_METHOD, NULL, "how to find mappings; docs/clustering.md has the methods", "best",
     FIELD(mapping.method)},
};
static const cli_group pareto_search = {"Search", search, sizeof search / sizeof *search};

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

/* The point of --mapping: the last one of at most --at processors, or the knee; false where there is none. */
static bool find_point(const cli_answer *a, size_t *point)
{
    const pareto_values *values = a->call->values;
    size_t count = inlay_pareto_points(a->of);
    while (count > 0 && values->at > 0 && inlay_pareto_point_at(a->of, count - 1)->processors > values->at) {
        count--;
    }
    *point = values->at > 0 ? count - 1 : inlay_pareto_summary_of(a->of)->knee;
    return count > 0;
}

/* Where no point has so few processors, the last line is a command that has one. Exit status. */
static int check_point(const cli_answer *a)
{
    const pareto_values *values = a->call->values;
    size_t point;
    if (values->mapping_path == NULL || find_point(a, &point)) {
        return EXIT_DONE;
    }
    char number[16];
    inlay_id first = inlay_pareto_point_at(a->of, 0)->processors;
    (void)snprintf(number, sizeof number, "%" PRId32, first);
    say(stderr, "inlay: no point of at most %" PRId32 " processors; the first has %" PRId32 "\n", values->at, first);
    report_remedy(a->call, "--at", number);
    return EXIT_NO;
}

static int write_mapping(const cli_answer *a, const char *path)
{
    const pareto_values *values = a->call->values;
    size_t point;
    inlay_mapping *mapping = NULL;
    (void)find_point(a, &point);
    int status = inlay_pareto_mapping(a->of, point, &mapping, a->diag);
    if (status == INLAY_OK) {
        const inlay_origin origin = {.command = a->call->command->name,
                                     .app_path = a->call->operands[0],
                                     .app_format = values->mapping.format,
                                     .seed = values->mapping.common.seed};
        status = inlay_mapping_write(mapping, &origin, path, a->diag);
    }
    inlay_mapping_free(mapping);
    return status;
}

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_pareto_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return inlay_pareto_write_csv(a->of, path, a->diag);
}

static int draw(const cli_answer *a, const char *path)
{
    return inlay_pareto_draw_svg(a->of, path, a->diag);
}

static const cli_output pareto_files[] = {
    {"JSON", .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = draw},
    {"--mapping", FIELD(mapping_path), .write = write_mapping},
    {0},
};

/* ---- The command ---- */

static int check_usage(const invocation *call)
{
    const pareto_values *values = call->values;
    inlay_id from, to;
    if (!read_range(values->processors, &from, &to)) {
        return report_usage(call->command, "--processors '%s' is no range; expected A..B, or B for 1..B",
                            values->processors);
    }
    if (values->at > 0 && values->mapping_path == NULL) {
        return report_usage(call->command, "--at tells which mapping to write; expected --mapping FILE with it");
    }
    return EXIT_DONE;
}

static int search_front(const invocation *call, const inlay_app *app, const inlay_machine *machine, inlay_diag *diag)
{
    const pareto_values *values = call->values;
    inlay_pareto_options options = {.mapping = mapping_options(&values->mapping)};
    inlay_pareto_result *front = NULL;
    (void)read_range(values->processors, &options.from, &options.to);
    int status = inlay_pareto(app, machine, &options, &front, diag);
    if (status == INLAY_OK) {
        status = check_point(&(cli_answer){call, front, diag});
    }
    status = status == INLAY_OK ? give_out(call, front, diag) : status;
    inlay_pareto_free(front);
    return status;
}

static int read_and_search(const invocation *call, inlay_diag *diag)
{
    const pareto_values *values = call->values;
    return answer_app_and_machine(call, values->mapping.format, values->mapping.reference_speed, search_front, diag);
}

const cli_command pareto_command = {
    .name = "pareto",
    .summary = "elapsed time against processors",
    .description =
        "For numbers of processors P, the shortest mapping that method best finds on at most P of them: with its "
        "elapsed time, the lower bound and the gap between them, speedup, efficiency, traffic, and the method. Every P "
        "is tried up to 32, then 48, 64, 96 and so on.\n"
        "Points on the front are shorter than all of fewer processors; the table leaves out the others, unless "
        "--verbose asks for them. The knee is the point with the largest ratio of efficiency to elapsed time: up to "
        "there a processor more gains more than it costs.",
    .example = "inlay pareto graphs/cholesky4.dot architectures/paper-bus17.dot --svg pareto.svg\n"
               "inlay pareto graphs/cholesky4.dot bus:17 --processors 2..6 --mapping knee.json\n"
               "inlay pareto graphs/workflow.json architectures/cluster17.dot --csv pareto.csv",
    .operands = {{.name = "APP", .help = "the application graph: a file, or - for standard input"},
                 {.name = "MACHINE", .help = "the machine: a string such as bus:17,memory=common, or a DOT file"}},
    .groups = {&pareto_search, &mapping_best, &mapping_rules, &pareto_outputs, &picture_options, &common_options},
    .values_size = sizeof(pareto_values),
    .outputs = pareto_files,
    .print = pareto_print_table,
    .check = check_usage,
    .answer = read_and_search,
};

/* `inlay map`: the main job. */
#include "commands.h"
#include "mapping.h"
#include "raster.h"
#include <inlay/inlay.h>
#include <math.h>

#define FIELD(name) offsetof(mapping_values, name)

static const cli_option method[] = {
    {"processors", 'p', OPTION_COUNT, "P", "use at most P processors", "as many as the machine has", FIELD(processors)},
    {"method", 0, OPTION_METHOD, NULL, "how to find the clusters; docs/clustering.md has the methods",
     "best, or houstis where -T is given, or what concerns its clusters", FIELD(method)},
    {"objective", 0, OPTION_CHOICE, "makespan|period",
     "what method best makes short: the elapsed time of one run, or the least period of runs that overlap, and then "
     "that "
     "time",
     NULL, FIELD(objective)},
    {"reduce", 0, OPTION_CHOICE, "h2|h1|none",
     "where there are more clusters than processors: heuristic H2 or H1 merges them, none gives up", NULL,
     FIELD(reduce)},
    {"reduce-when", 0, OPTION_CHOICE, "after|before", "reduce the clusters, or the modules before they are clustered",
     NULL, FIELD(reduce_when)},
    {"reduce-by", 0, OPTION_CHOICE, "work|traffic", "H2 first merges the pair of least work, or of most traffic", NULL,
     FIELD(reduce_by)},
    {"parallel", 0, OPTION_CHOICE, "level|overlap",
     "modules are parallel on one level, or where their times in the unlimited schedule overlap", NULL,
     FIELD(parallel)},
    {"layout", 0, OPTION_CHOICE, "nearest|order|scotch",
     "where processors differ in distance: by nearest placement and exchanges, by number, or by Scotch", NULL,
     FIELD(layout)},
    {"unrelated", 0, OPTION_CHOICE, "yes|no", "also cluster modules that exchange nothing", NULL, FIELD(unrelated)},
};
static const cli_group map_method = {"Method", method, sizeof method / sizeof *method};

static int lay_out(const invocation *call, const inlay_app *app, const inlay_machine *machine, inlay_diag *diag)
{
    const inlay_options options = mapping_options(call->values);
    inlay_mapping *mapping = NULL;
    int status = inlay_map(app, machine, &options, &mapping, diag);
    return mapping_deliver(call, status, mapping, NAN, diag);
}

static int answer_map(const invocation *call, inlay_diag *diag)
{
    return mapping_answer(call, lay_out, diag);
}

const cli_command map_command = {
    .name = "map",
    .summary = "lay an application into a machine and predict the elapsed time",
    .description =
        "Clusters the modules of the application so that modules with much traffic share a processor, parallel modules "
        "do "
        "not, and the work of each processor fits into the time frame T. Reduces the clusters to the processors there "
        "are, "
        "lays them out, and estimates the elapsed time with the delay of messages at this traffic.\n"
        "Where no mapping satisfies the constraints, the exit status is 1, and the last line says what would work.",
    .example =
        "inlay map graphs/cholesky4.dot bus:17 -T 464\n"
        "inlay map graphs/cholesky4.dot architectures/paper-bus17.dot -T 464 -o cholesky4.json --svg cholesky4.svg",
    .operands = {{.name = "APP", .help = "the application graph: a file, or - for standard input"},
                 {.name = "MACHINE", .help = "the machine: a string such as bus:17,memory=common, a file, or host"}},
    .groups = {&mapping_frame, &map_method, &mapping_best, &mapping_rules, &mapping_outputs, &picture_options,
               &common_options},
    .values_size = sizeof(mapping_values),
    .outputs = mapping_files,
    .print = mapping_print_answer,
    .answer = answer_map,
};

/* Options of `map` and `evaluate`, and where their mapping goes. */
#include "mapping.h"
#include "meter.h"
#include "answer.h"
#include "simulated.h"
#include <inlay/inlay.h>

#define FIELD(name) offsetof(mapping_values, name)

static const cli_option frame[] = {
    {"time-frame", 'T', OPTION_DURATION, "TIME", "time frame T: what each processor's work has to fit in",
     "the larger of the largest work and total work / processors, raised where the network would be saturated",
     FIELD(time_frame)},
};
const cli_group mapping_frame = {"Constraints", frame, sizeof frame / sizeof *frame};

static const cli_option best[] = {
    {"effort", 0, OPTION_EFFORT, "N|TIME",
     "improve schedules by local search, for N evaluations on each count of processors, or for a time such as 2s, "
     "after "
     "which the result need not repeat",
     "by the size of the graph", FIELD(effort)},
    {"risk", 0, OPTION_CHOICE, "none|mean|q90",
     "which of the best schedules is taken: the shortest with exact times, or the one with the least mean, or 0.9 "
     "quantile, "
     "of the elapsed time where times are spread by 10 and by 30 %",
     NULL, FIELD(risk)},
};
const cli_group mapping_best = {"Method best", best, sizeof best / sizeof *best};

static const cli_option rules[] = {
    {"blocking", 0, OPTION_CHOICE, "auto|yes|no",
     "count blocking time as work: auto where the file gives it, yes always, derived where it does not", NULL,
     FIELD(blocking)},
    {"start", 0, OPTION_CHOICE, "auto|stream|finish",
     "when a module may start: stream while its producers still run, finish once they have ended; auto streams where "
     "the "
     "file gives blocking times",
     NULL, FIELD(start)},
    {"max-events", 0, OPTION_NUMBER, "N",
     "the elapsed time is simulated where that takes at most N events; else it is a screen: one pass over the links",
     "50000000; of each clustering of sweep 1000000", FIELD(max_events)},
    {"order", 0, OPTION_CHOICE, "given|paper|bottom-level",
     "in which order a processor runs its modules: as the method or the placement says, else by the paper's rule (the "
     "least "
     "blocking time, then the longest way to an exit); always by that; or by the longest way alone",
     NULL, FIELD(order)},
    {"copies", 0, OPTION_CHOICE, "once|each",
     "what consumers of one datum (links of a producer with one data=NAME) on one processor get: the datum once, or "
     "each "
     "a message of its own",
     NULL, FIELD(copies)},
    {"ignore-cores", 0, OPTION_FLAG, NULL, "let every module hold one processor, whatever `cores` it asks for", NULL,
     FIELD(ignore_cores)},
    {"tick", 0, OPTION_SECONDS, "TIME",
     "length of a tick, for an application in ticks on a machine in seconds or the reverse", NULL, FIELD(tick)},
    {"reference-speed", 0, OPTION_FLOPS, "SPEED",
     "operations a second of the processor on which the times of APP hold, for machines with such speeds",
     "what APP says, then MACHINE, else its fastest processor", FIELD(reference_speed)},
    {"format", 0, OPTION_STRING, "FORMAT", "format of APP; `inlay --version` lists them",
     "told by content and extension", FIELD(format)},
};
const cli_group mapping_rules = {"Rules and input", rules, sizeof rules / sizeof *rules};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the mapping as JSON to FILE (- for standard output, .gz packs it)",
     NULL, FIELD(output)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table; with -o, print nothing", NULL, FIELD(common.json)},
    {"summary", 0, OPTION_FLAG, NULL,
     "print the table all the same (to standard error where standard output has the result)", NULL, FIELD(summary)},
    {"placement", 0, OPTION_STRING, "FILE",
     "write the processor of every module: CSV, or Scotch's .map, METIS's .part, Open MPI's .rankfile, Slurm's .slurm",
     NULL, FIELD(placement)},
    {"placement-format", 0, OPTION_STRING, "FORMAT", "format of that FILE; `inlay --version` lists them",
     "told by its extension, else csv", FIELD(placement_format)},
    {"dot", 0, OPTION_STRING, "FILE", "draw the mapping as a DOT graph", NULL, FIELD(dot)},
    {"svg", 0, OPTION_STRING, "FILE", "draw the mapping as SVG", NULL, FIELD(svg)},
    {"svg-machine", 0, OPTION_STRING, "FILE",
     "draw the machine as SVG: clusters in place, links coloured by their utilisation", NULL, FIELD(svg_machine)},
    {"max-modules", 0, OPTION_COUNT, "N", "pictures of more modules show clusters alone", "60", FIELD(max_modules)},
    {"max-clusters", 0, OPTION_COUNT, "N", "pictures of more clusters are refused", "300", FIELD(max_clusters)},
};
const cli_group mapping_outputs = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* The words of the choices in their order; the library numbers some of them otherwise. */
inlay_options mapping_options(const mapping_values *values)
{
    static const inlay_reduce reduce[] = {INLAY_REDUCE_H2, INLAY_REDUCE_H1, INLAY_REDUCE_NONE};
    static const inlay_reduce_when reduce_when[] = {INLAY_REDUCE_AFTER, INLAY_REDUCE_BEFORE};
    static const inlay_parallel parallel[] = {INLAY_PARALLEL_LEVEL, INLAY_PARALLEL_OVERLAP};
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    static const inlay_layout layout[] = {INLAY_LAYOUT_NEAREST, INLAY_LAYOUT_ORDER, INLAY_LAYOUT_SCOTCH};
    static const inlay_start start[] = {INLAY_START_AUTO, INLAY_START_STREAM, INLAY_START_FINISH};
    static const inlay_order order[] = {INLAY_ORDER_GIVEN, INLAY_ORDER_PAPER, INLAY_ORDER_BOTTOM_LEVEL};
    return (inlay_options){
        .method = values->method,
        .has_time_frame = values->time_frame.given,
        .time_frame = values->time_frame.value,
        .processors = values->processors,
        .reduce = reduce[values->reduce],
        .reduce_when = reduce_when[values->reduce_when],
        .reduce_by_traffic = values->reduce_by == 1,
        .parallel = parallel[values->parallel],
        .keep_unrelated = values->unrelated == 1,
        .blocking = blocking[values->blocking],
        .start = start[values->start],
        .layout = layout[values->layout],
        .order = order[values->order],
        .copies = (inlay_copies)values->copies,
        .ignore_cores = values->ignore_cores,
        .tick_seconds = values->tick,
        .seed = values->common.seed,
        .max_events = (int64_t)values->max_events,
        .effort = values->effort,
        .risk = (inlay_risk)values->risk,
        .objective = (inlay_objective)values->objective,
        .threads = values->common.threads,
        .progress = meter_progress(),
    };
}

/* ---- Giving out ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const mapping_values *values = a->call->values;
    const mapping_outcome *of = a->of;
    const inlay_origin origin = {a->call->command->name, a->call->operands[0], values->format, values->common.seed,
                                 of->in_order};
    return inlay_mapping_write(of->mapping, &origin, path, a->diag);
}

static inlay_picture picture_of(const cli_answer *a)
{
    const mapping_values *values = a->call->values;
    return (inlay_picture){values->max_modules, values->max_clusters};
}

static int write_dot(const cli_answer *a, const char *path)
{
    const inlay_picture picture = picture_of(a);
    return inlay_mapping_draw_dot(((const mapping_outcome *)a->of)->mapping, &picture, path, a->diag);
}

static int write_svg(const cli_answer *a, const char *path)
{
    const inlay_picture picture = picture_of(a);
    return inlay_mapping_draw_svg(((const mapping_outcome *)a->of)->mapping, &picture, path, a->diag);
}

static int write_machine(const cli_answer *a, const char *path)
{
    return inlay_mapping_draw_machine_svg(((const mapping_outcome *)a->of)->mapping, path, a->diag);
}

static int write_placement(const cli_answer *a, const char *path)
{
    const mapping_values *values = a->call->values;
    return inlay_placement_write(((const mapping_outcome *)a->of)->mapping, path, values->placement_format, a->diag);
}

const cli_output mapping_files[] = {
    {"JSON", FIELD(output), .is_json = true, .write = write_json},
    {"--placement", FIELD(placement), .write = write_placement},
    {"--dot", FIELD(dot), .write = write_dot},
    {"--svg", FIELD(svg), .write = write_svg},
    {"--svg-machine", FIELD(svg_machine), .write = write_machine},
    {0},
};

int mapping_print_answer(const cli_answer *a)
{
    return mapping_print(a->of, a->call->common->verbose, stdout);
}

/* --summary prints the table all the same. */
static int deliver(const invocation *call, const mapping_outcome *of, inlay_diag *diag)
{
    const mapping_values *values = call->values;
    int status = give_out(call, of, diag);
    return status == INLAY_OK && values->summary && hides_table(call)
               ? mapping_print(of, values->common.verbose, takes_standard_output(call) ? stderr : stdout)
               : status;
}

/* What the layout began with, on machines with links. Where it cannot be had, there is nothing to compare with. */
static int look_back(const inlay_mapping *mapping, inlay_mapping **in_order)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    bool links = inlay_machine_has_links(inlay_mapping_machine(mapping));
    if (!links || sum->weighted_in_order < 0 || sum->options.layout == INLAY_LAYOUT_ORDER) {
        return INLAY_OK;
    }
    return inlay_mapping_in_order(mapping, in_order, NULL) == INLAY_NO_MEMORY ? INLAY_NO_MEMORY : INLAY_OK;
}

int mapping_deliver(const invocation *call, int status, inlay_mapping *mapping, double unimproved, inlay_diag *diag)
{
    inlay_mapping *in_order = NULL;
    status = status == INLAY_OK ? look_back(mapping, &in_order) : status;
    if (status == INLAY_OK) {
        const mapping_outcome of = {mapping, in_order, unimproved};
        status = deliver(call, &of, diag);
    }
    inlay_mapping_free(in_order);
    inlay_mapping_free(mapping);
    return status;
}

int mapping_answer(const invocation *call, app_answer *answer, inlay_diag *diag)
{
    const mapping_values *values = call->values;
    return answer_app_and_machine(call, values->format, values->reference_speed, answer, diag);
}

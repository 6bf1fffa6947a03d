/* What a mapping's elapsed time consists of, and what shortens it. */
#include "search/explain.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

/* ---- Words ---- */

const char *inlay_part_name(inlay_part_kind kind)
{
    static const char *const names[] = {"application", "work", "imbalance", "order", "speed", "transfers", "queues"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "";
}

const char *inlay_change_name(inlay_change_kind kind)
{
    static const char *const names[] = {"all processors", "processor", "module",  "capacity",
                                        "latency",        "messages",  "overlap", "time frame",
                                        "processors",     "reduction", "method",  "order"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "";
}

const char *inlay_frame_name(inlay_frame_kind kind)
{
    static const char *const names[] = {"", "T_MIN", "T_FIT", "T_PAR", "best estimate", "next shorter", "next longer"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "";
}

/* ---- Questions ---- */

void inlay_explanation_free(inlay_explanation *explanation)
{
    if (explanation != NULL) {
        for (size_t i = 0; i < explanation->machine_texts; i++) {
            free(explanation->machine_text[i]);
        }
        free(explanation->change);
        free(explanation);
    }
}

const inlay_part *inlay_explanation_parts(const inlay_explanation *explanation)
{
    return explanation->part;
}

const inlay_explanation_figures *inlay_explanation_figures_of(const inlay_explanation *explanation)
{
    return &explanation->figures;
}

const inlay_change *inlay_explanation_changes(const inlay_explanation *explanation, size_t *count)
{
    *count = explanation->changes;
    return explanation->change;
}

/* ---- Changes ---- */

inlay_change explain_change(const explainer *x, inlay_change_kind kind)
{
    return (inlay_change){.kind = kind,
                          .processor = -1,
                          .module = -1,
                          .overlap = !x->run.no_overlap,
                          .processors = inlay_mapping_summary(x->mapping)->clusters};
}

/* The largest gain first; a later one goes behind its equals. */
static int add_change(explainer *x, const inlay_change *change)
{
    inlay_explanation *to = x->result;
    if (!memory_grow((void **)&to->change, &to->capacity, to->changes + 1, sizeof *to->change)) {
        return diag_no_memory(x->diag);
    }
    size_t at = to->changes++;
    while (at > 0 && (to->change[at - 1].gain < change->gain ||
                      (to->change[at - 1].gain == change->gain && to->change[at - 1].kind > change->kind))) {
        to->change[at] = to->change[at - 1];
        at--;
    }
    to->change[at] = *change;
    return INLAY_OK;
}

int explain_try(explainer *x, const inlay_mapping *mapping, const inlay_simulation_options *run, inlay_change change)
{
    inlay_simulation *simulation = NULL;
    int status = inlay_simulate(mapping, run, &simulation, NULL);
    if (status != INLAY_OK) {
        return explain_fails(status) ? diag_fail(x->diag, status, "%s", inlay_status_text(status)) : INLAY_OK;
    }
    double before = x->result->figures.makespan;
    change.makespan = inlay_simulation_result(simulation)->makespan;
    change.gain = before > 0 ? (before - change.makespan) / before : 0;
    inlay_simulation_free(simulation);
    return add_change(x, &change);
}

/* ---- The run's critical path ---- */

/* How long each cluster and the longest module compute on it. */
static int read_path(explainer *x, const inlay_simulation *simulation)
{
    size_t count;
    const inlay_step *step = inlay_simulation_path(simulation, &count);
    inlay_explanation_figures *f = &x->result->figures;
    double *module_time = memory_zeroed((size_t)inlay_app_modules(inlay_mapping_app(x->mapping)), sizeof *module_time);
    if (module_time == NULL) {
        return diag_no_memory(x->diag);
    }
    for (size_t i = 0; i < count; i++) {
        inlay_id module = step[i].module;
        if (step[i].kind != INLAY_STEP_COMPUTE) {
            continue;
        }
        double length = step[i].to - step[i].from;
        x->path_time[inlay_mapping_cluster_of(x->mapping, module)] += length;
        module_time[module] += length;
        if (module_time[module] > f->path_module_time) {
            f->path_module = module;
            f->path_module_time = module_time[module];
        }
    }
    free(module_time);
    for (inlay_id c = 0; c < f->processors; c++) {
        if (x->path_time[c] > f->path_processor_time) {
            f->path_processor = inlay_mapping_cluster(x->mapping, c).processor;
            f->path_processor_time = x->path_time[c];
        }
    }
    return INLAY_OK;
}

/* ---- Accounting ---- */

static void read_processors(inlay_explanation_figures *f, const inlay_simulation *simulation)
{
    double busy = 0, blocked = 0;
    for (inlay_id c = 0; c < f->processors; c++) {
        inlay_simulated_processor p = inlay_simulation_processor(simulation, c);
        busy += p.busy;
        blocked += p.blocked;
        if (c == 0 || p.busy > f->busy) {
            f->busiest = p.processor;
            f->busy = p.busy;
        }
    }
    f->mean_busy = fmin(busy / f->processors, f->busy); /* the sum may be rounded upwards */
    f->blocked = f->makespan > 0 ? blocked / f->processors / f->makespan : 0;
}

static void read_resources(inlay_explanation_figures *f, const inlay_simulation *simulation)
{
    for (size_t i = 0; i < inlay_simulation_resources(simulation); i++) {
        inlay_resource r = inlay_simulation_resource(simulation, i);
        bool shared = r.kind != INLAY_RESOURCE_SENDER;
        f->sender_queue += shared ? 0 : r.mean_queue;
        if (shared && (!f->has_resource || r.utilisation > f->resource.utilisation)) {
            f->has_resource = true;
            f->resource = r;
        }
    }
}

static int read_run(explainer *x, const inlay_simulation *simulation)
{
    const inlay_simulation_summary *s = inlay_simulation_result(simulation);
    inlay_explanation_figures *f = &x->result->figures;
    *f = (inlay_explanation_figures){.makespan = s->makespan,
                                     .processors = inlay_mapping_summary(x->mapping)->clusters,
                                     .messages = s->messages,
                                     .compute = s->compute,
                                     .wait = s->wait,
                                     .network = s->network,
                                     .path_processor = -1,
                                     .path_module = -1};
    x->path_time = memory_zeroed((size_t)f->processors, sizeof *x->path_time);
    if (x->path_time == NULL) {
        return diag_no_memory(x->diag);
    }
    read_processors(f, simulation);
    read_resources(f, simulation);
    return read_path(x, simulation);
}

/* ---- What limits ---- */

static int simulate_with(explainer *x, inlay_contention contention, double *makespan)
{
    inlay_simulation *simulation = NULL;
    inlay_simulation_options run = x->run;
    run.contention = contention > run.contention ? contention : run.contention;
    int status = inlay_simulate(x->mapping, &run, &simulation, x->diag);
    if (status == INLAY_OK) {
        *makespan = inlay_simulation_result(simulation)->makespan;
        inlay_simulation_free(simulation);
    }
    return status;
}

/* The factors with which all processors are as fast as the fastest; NULL where they are. */
static int find_scales(const explainer *x, double **scales)
{
    const inlay_machine *machine = inlay_mapping_machine(x->mapping);
    inlay_id processors = inlay_machine_processors(machine);
    double fastest = 0, slowest = INFINITY;
    *scales = NULL;
    for (inlay_id q = 0; q < processors; q++) {
        fastest = fmax(fastest, inlay_machine_processor(machine, q).speed);
        slowest = fmin(slowest, inlay_machine_processor(machine, q).speed);
    }
    if (slowest >= fastest || inlay_app_types(inlay_mapping_app(x->mapping)) > 0) {
        return INLAY_OK;
    }
    *scales = memory_array((size_t)processors, sizeof **scales);
    for (inlay_id q = 0; *scales != NULL && q < processors; q++) {
        double own = x->run.processor_scale != NULL ? x->run.processor_scale[q] : 1;
        (*scales)[q] = own * inlay_machine_processor(machine, q).speed / fastest;
    }
    return *scales == NULL ? diag_no_memory(x->diag) : INLAY_OK;
}

/* The same placement and order with free messages, where all processors are as fast as the fastest. */
static int simulate_fast(explainer *x)
{
    inlay_explanation_figures *f = &x->result->figures, fast = {.processors = f->processors};
    inlay_simulation *simulation = NULL;
    inlay_simulation_options run = x->run;
    double *scales;
    int status = find_scales(x, &scales);
    f->fast_makespan = f->free_makespan;
    f->fast_busy = f->busy;
    f->fast_mean = f->mean_busy;
    f->fast_busiest = f->busiest;
    if (status != INLAY_OK || scales == NULL) {
        return status;
    }
    run.contention = INLAY_CONTENTION_FREE;
    run.processor_scale = scales;
    status = inlay_simulate(x->mapping, &run, &simulation, x->diag);
    if (status == INLAY_OK) {
        f->fast_makespan = inlay_simulation_result(simulation)->makespan;
        read_processors(&fast, simulation);
        f->fast_busy = fast.busy;
        f->fast_mean = fast.mean_busy;
        f->fast_busiest = fast.busiest;
        inlay_simulation_free(simulation);
    }
    free(scales);
    return status;
}

/* The longest first. */
static void sort_parts(inlay_part *part)
{
    for (size_t i = 1; i < INLAY_PARTS; i++) {
        inlay_part moved = part[i];
        size_t at = i;
        for (; at > 0 && part[at - 1].time < moved.time; at--) {
            part[at] = part[at - 1];
        }
        part[at] = moved;
    }
}

/* A difference of times that differ in their last digits alone is none. */
static double more(double longer, double shorter)
{
    static const double digits = 1e-12;
    double difference = longer - shorter;
    return fabs(difference) <= digits * fabs(longer) ? 0 : difference;
}

/* Below which no run comes: of what the options make faster nothing is claimed. */
static void read_bounds(explainer *x)
{
    const inlay_simulation_options *run = &x->run;
    inlay_explanation_figures *f = &x->result->figures;
    bool as_mapped = run->contention == INLAY_CONTENTION_QUEUES && run->module_time.kind == INLAY_SPREAD_CONSTANT &&
                     run->transfer_time.kind == INLAY_SPREAD_CONSTANT && run->processor_scale == NULL &&
                     !(run->compute_scale > 0) && !(run->network_scale > 0);
    f->bound = f->placement_bound = (inlay_bound){.value = NAN, .at = -1};
    if (as_mapped) {
        f->bound = inlay_mapping_largest_bound(x->mapping, false);
        f->placement_bound = inlay_mapping_largest_bound(x->mapping, true);
    }
}

static void take_apart(explainer *x)
{
    const inlay_explanation_figures *f = &x->result->figures;
    double scale = x->run.compute_scale > 0 ? x->run.compute_scale : 1;
    /* a processor that the options make faster may be below the bound */
    double path = fmin(inlay_mapping_summary(x->mapping)->bound_critical_path * scale, f->fast_makespan);
    double spread = fmax(path, f->fast_mean), fullest = fmax(path, f->fast_busy);
    const double time[INLAY_PARTS] = {
        [INLAY_PART_APPLICATION] = path,
        [INLAY_PART_WORK] = more(spread, path),
        [INLAY_PART_IMBALANCE] = more(fullest, spread),
        [INLAY_PART_ORDER] = more(f->fast_makespan, fullest),
        [INLAY_PART_SPEED] = more(f->free_makespan, f->fast_makespan),
        [INLAY_PART_TRANSFERS] = more(f->alone_makespan, f->free_makespan),
        [INLAY_PART_QUEUES] = more(f->makespan, f->alone_makespan),
    };
    for (int i = 0; i < INLAY_PARTS; i++) {
        double share = f->makespan > 0 ? time[i] / f->makespan : 0;
        x->result->part[i] = (inlay_part){(inlay_part_kind)i, time[i], share};
    }
    sort_parts(x->result->part);
}

static int find_limits(explainer *x)
{
    inlay_simulation *simulation = NULL;
    inlay_simulation_options recorded = x->run;
    recorded.record = true;
    int status = inlay_simulate(x->mapping, &recorded, &simulation, x->diag);
    status = status == INLAY_OK ? read_run(x, simulation) : status;
    inlay_simulation_free(simulation);
    status = status == INLAY_OK ? simulate_with(x, INLAY_CONTENTION_FREE, &x->result->figures.free_makespan) : status;
    status = status == INLAY_OK ? simulate_with(x, INLAY_CONTENTION_NONE, &x->result->figures.alone_makespan) : status;
    status = status == INLAY_OK ? simulate_fast(x) : status;
    if (status == INLAY_OK) {
        read_bounds(x);
        take_apart(x);
    }
    return status;
}

/* ---- The whole ---- */

int inlay_explain(const inlay_mapping *mapping, const inlay_simulation_options *options,
                  inlay_explanation **explanation, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (mapping == NULL || explanation == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "an explanation is that of a mapping");
    }
    explainer x = {.mapping = mapping, .diag = diag, .result = memory_zeroed(1, sizeof *x.result)};
    if (x.result == NULL) {
        return diag_no_memory(diag);
    }
    if (options != NULL) {
        x.run = *options;
    }
    x.run.record = false;
    int status = find_limits(&x);
    status = status == INLAY_OK ? explain_keep_placement(&x) : status;
    status = status == INLAY_OK ? explain_map_anew(&x) : status;
    free(x.path_time);
    if (status != INLAY_OK) {
        inlay_explanation_free(x.result);
        return status;
    }
    *explanation = x.result;
    return INLAY_OK;
}

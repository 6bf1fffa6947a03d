/* The deterministic graph G(A) of a stochastic graph. */
#include "graph/stochastic_reduce.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>

/* Times: significant digits that are kept, and how many a time may lose before a warning tells; the decimals that an
   application has at most; names in the name of a folded loop. */
enum { DIGITS = 9, MOST_DECIMALS = 12, NAMES = 3 };
static const double tolerated_loss = 5e-7;

/* Below these, numbers are whole ones of 64 bits, and sums of times stay inside an application's 2^62. */
static const double count_limit = 9.2e18, time_limit = 0x1p61;

/* One module of G(A). */
typedef struct merged {
    double time, arithmetic, functions; /* of all executions */
    int64_t memory;
    inlay_id first[NAMES]; /* its first modules */
    inlay_id count;
} merged;

typedef struct reduction {
    const inlay_stochastic *graph;
    double executions;
    sg_numbers numbers;
    merged *module;
    double *block_time;
    bool *back; /* NULL where loops are folded */
    sg_flows links, uses;
    int decimals; /* that times have room for */
    const char *first_lossy;
    inlay_app_builder *builder;
    inlay_diag *diag;
} reduction;

/* ---- Sums ---- */

static int merge_modules(reduction *r)
{
    const inlay_stochastic *graph = r->graph;
    for (size_t i = 0; i < graph->modules; i++) {
        const sg_module *from = &graph->module[i];
        merged *to = &r->module[sg_number(&r->numbers, (inlay_id)i)];
        double visits = r->executions * graph->visits[i];
        to->time += visits * graph->own[i];
        to->arithmetic += visits * from->arithmetic;
        to->functions += visits * from->functions;
        if (to->count < NAMES) {
            to->first[to->count] = (inlay_id)i;
        }
        to->count++;
        if (__builtin_add_overflow(to->memory, from->memory, &to->memory)) {
            return diag_fail(r->diag, INLAY_OVERFLOW,
                             "%s: the modules of a loop need more than 2^63 bytes of memory; expected less",
                             graph->label);
        }
    }
    for (size_t u = 0; u < graph->uses; u++) {
        const sg_use *use = &graph->use[u];
        r->block_time[use->block] += r->executions * graph->visits[use->module] * graph->block[use->block].time;
    }
    return INLAY_OK;
}

static int collect_flows(reduction *r)
{
    if (!sg_collect_flows(r->graph, &r->numbers, r->executions, r->back, &r->links, &r->uses)) {
        return diag_no_memory(r->diag);
    }
    const sg_flows *all[] = {&r->links, &r->uses};
    sg_join_flows(&r->links);
    sg_join_flows(&r->uses);
    for (size_t a = 0; a < sizeof all / sizeof *all; a++) {
        for (size_t i = 0; i < all[a]->count; i++) {
            const sg_flow *flow = &all[a]->flow[i];
            if (!(flow->messages < count_limit) || !(flow->bytes < count_limit)) {
                return diag_fail(r->diag, INLAY_OVERFLOW,
                                 "%s: a link or use has %g messages of %g bytes; expected fewer than 2^63",
                                 r->graph->label, flow->messages, flow->bytes);
            }
        }
    }
    return INLAY_OK;
}

/* ---- Times ---- */

static int find_decimals(reduction *r)
{
    double sum = 0;
    for (inlay_id i = 0; i < r->numbers.count; i++) {
        sum += r->module[i].time;
    }
    for (size_t b = 0; b < r->graph->blocks; b++) {
        sum += r->block_time[b];
    }
    if (!(sum < time_limit)) {
        return diag_fail(r->diag, INLAY_OVERFLOW, "%s: the times add up to more than 2^61 %s; expected a larger unit",
                         r->graph->label, inlay_unit_name(r->graph->unit));
    }
    r->decimals = MOST_DECIMALS;
    while (r->decimals > 0 && sum * pow(10, r->decimals) >= time_limit) {
        r->decimals--;
    }
    return INLAY_OK;
}

/* A time below the limit as a decimal of as many significant digits as there is room for. */
static inlay_duration duration_of(reduction *r, double time, const char *name)
{
    int decimals = time > 0 ? DIGITS - 1 - (int)floor(log10(time)) : 0;
    decimals = decimals < 0 ? 0 : decimals < r->decimals ? decimals : r->decimals;
    double scale = pow(10, decimals), digits = round(time * scale);
    if (fabs(digits / scale - time) > tolerated_loss * time && r->first_lossy == NULL) {
        r->first_lossy = name;
    }
    return (inlay_duration){decimal_normal((inlay_decimal){(int64_t)digits, decimals}), INLAY_UNIT_NONE};
}

/* A count of operations with the digits that mean something: no 75.00000000000001. */
static double rounded_count(double count)
{
    enum { COUNT_DIGITS = 12 };
    char text[32];
    (void)plain_print(text, sizeof text, "%.*e", COUNT_DIGITS - 1, count);
    return plain_number(text, NULL);
}

/* ---- Adding to the application ---- */

/* "a+b+c+2 more", with further signs behind it where something else has that name already. */
static char *folded_name(const inlay_stochastic *graph, const merged *module)
{
    text_buffer name = {0};
    for (inlay_id t = 0; t < module->count && t < NAMES; t++) {
        text_addf(&name, "%s%s", t > 0 ? "+" : "", graph->module[module->first[t]].name);
    }
    if (module->count > NAMES) {
        text_addf(&name, "+%d more", (int)module->count - NAMES);
    }
    while (!name.failed && module->count > 1 && name_map_get(&graph->by_name, name.data) != -1) {
        text_add(&name, "+");
    }
    if (name.failed) {
        text_clear(&name);
        return NULL;
    }
    return name.data;
}

static int add_module(reduction *r, const merged *from)
{
    char *name = folded_name(r->graph, from);
    if (name == NULL) {
        return diag_no_memory(r->diag);
    }
    const inlay_module module = {.name = name,
                                 .time = duration_of(r, from->time, r->graph->module[from->first[0]].name),
                                 .memory = from->memory,
                                 .arithmetic = rounded_count(from->arithmetic),
                                 .functions = rounded_count(from->functions)};
    int status = inlay_app_add_module(r->builder, &module, r->diag);
    free(name);
    return status;
}

static int add_nodes(reduction *r)
{
    int status = inlay_app_builder_reserve(r->builder, r->numbers.count, (int64_t)r->links.count, r->diag);
    for (inlay_id i = 0; i < r->numbers.count && status == INLAY_OK; i++) {
        status = add_module(r, &r->module[i]);
    }
    for (size_t b = 0; b < r->graph->blocks && status == INLAY_OK; b++) {
        const sg_block *block = &r->graph->block[b];
        status = inlay_app_add_block(r->builder, block->name, block->size,
                                     duration_of(r, r->block_time[b], block->name), r->diag);
    }
    if (status == INLAY_OK && r->first_lossy != NULL) {
        diag_warn(r->diag,
                  "%s: times are kept to %d decimals of a %s: '%s', and perhaps others, to fewer than 6 digits",
                  r->graph->label, r->decimals, inlay_unit_name(r->graph->unit), r->first_lossy);
    }
    return status;
}

static int add_flows(reduction *r)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < r->links.count && status == INLAY_OK; i++) {
        const sg_flow *flow = &r->links.flow[i];
        status = inlay_app_add_link(r->builder, flow->from, flow->to, (int64_t)flow->messages, (int64_t)flow->bytes,
                                    flow->flags, r->diag);
    }
    for (size_t i = 0; i < r->uses.count && status == INLAY_OK; i++) {
        const sg_flow *flow = &r->uses.flow[i];
        status =
            inlay_app_add_use(r->builder, flow->from, flow->to, (int64_t)flow->messages, (int64_t)flow->bytes, r->diag);
    }
    return status;
}

/* ---- The whole ---- */

static int make_room(reduction *r, inlay_cycles cycles)
{
    const inlay_stochastic *graph = r->graph;
    bool fold = cycles == INLAY_CYCLES_FOLD;
    r->numbers = (sg_numbers){fold ? graph->part : NULL, fold ? graph->summary.parts : graph->summary.modules};
    r->module = memory_zeroed((size_t)r->numbers.count, sizeof *r->module);
    r->block_time = memory_zeroed(graph->blocks, sizeof *r->block_time);
    r->back = fold ? NULL : sg_find_back_links(graph);
    r->builder = inlay_app_builder_new(graph->label, graph->unit);
    bool good = r->module != NULL && r->block_time != NULL && (fold || r->back != NULL) && r->builder != NULL;
    return good ? INLAY_OK : diag_no_memory(r->diag);
}

static int reduce(reduction *r, inlay_cycles cycles, inlay_app **app)
{
    int (*const steps[])(reduction *) = {merge_modules, collect_flows, find_decimals, add_nodes, add_flows};
    int status = make_room(r, cycles);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == INLAY_OK; i++) {
        status = steps[i](r);
    }
    return status == INLAY_OK ? inlay_app_build(r->builder, app, r->diag) : status;
}

int inlay_stochastic_reduce(const inlay_stochastic *graph, const inlay_stochastic_options *options, inlay_app **app,
                            inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (options->executions < 0 || (unsigned)options->cycles > INLAY_CYCLES_TRAFFIC) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a graph is reduced for 1 or more executions, by folding or traffic");
    }
    reduction r = {
        .graph = graph, .executions = options->executions == 0 ? 1 : (double)options->executions, .diag = diag};
    int status = reduce(&r, options->cycles, app);
    free(r.module);
    free(r.block_time);
    free(r.back);
    free(r.links.flow);
    free(r.uses.flow);
    inlay_app_builder_free(r.builder);
    return status;
}

const char *inlay_stochastic_place(const inlay_stochastic *graph, const inlay_stochastic_options *options,
                                   const inlay_app *app, inlay_id module)
{
    bool fold = options->cycles == INLAY_CYCLES_FOLD;
    return inlay_app_module_name(app, fold ? inlay_stochastic_part(graph, module) : module);
}

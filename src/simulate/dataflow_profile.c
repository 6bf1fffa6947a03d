/*
 * Profiling: messages take no time, and every module has a processor of its own. Since no clock depends on the order in
 * which modules are run, a module runs until it really has to wait, however far its clock is ahead of the others.
 */
#include "simulate/dataflow_profile.h"
#include "simulate/dataflow_data.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct inlay_profile {
    inlay_app *app;
    double elapsed;       /* in units */
    double *count;        /* module by module, of every operation */
    dataflow_costs costs; /* of every operation */
    int operations;
    int64_t values, left, feedback, switches;
    char check[CHECK_TEXT];
};

void inlay_profile_free(inlay_profile *profile)
{
    if (profile != NULL) {
        inlay_app_free(profile->app);
        free(profile->count);
        dataflow_costs_clear(&profile->costs);
        free(profile);
    }
}

/* ---- The run ---- */

/* Modules that can go on, in a ring: each is in it once at most. */
typedef struct ready_ring {
    inlay_id *module;
    size_t size, first, count;
} ready_ring;

typedef struct profiling {
    ready_ring ready;
    bool named;   /* data are to have names: values are kept */
    data_log log; /* of all channels */
} profiling;

/* What two modules say to each other; signals are no data. */
static void keep_value(engine *e, int32_t channel, size_t number)
{
    profiling *own = e->context;
    const program_channel *c = &e->program->channel[channel];
    const data_value value = {.from = c->from, .to = c->to, .size = c->size, .channel = channel};
    const void *bytes = timed_at(&e->channel[channel].value, number) + 1;
    if (c->size > 0 && c->from != c->to && !data_log_add(&own->log, value, bytes)) {
        (void)engine_fail(e, INLAY_NO_MEMORY, "out of memory");
    }
}

static void value_sent(engine *e, int32_t channel, size_t number)
{
    if (((const profiling *)e->context)->named) {
        keep_value(e, channel, number);
    }
    engine_arrived(e, channel, number, e->port[2 * (size_t)channel].actor->clock);
}

static void make_ready(engine *e, inlay_actor *actor, double time)
{
    ready_ring *ready = &((profiling *)e->context)->ready;
    (void)time;            /* the clock moves on by itself */
    actor->awaited = NULL; /* what it waited for stays there: it need not be told again */
    ready->module[(ready->first + ready->count++) % ready->size] = actor->module;
}

static inlay_id take_ready(ready_ring *ready, profile_order order)
{
    ready->count--;
    if (order == PROFILE_LAST_FIRST) {
        return ready->module[(ready->first + ready->count) % ready->size];
    }
    inlay_id module = ready->module[ready->first];
    ready->first = (ready->first + 1) % ready->size;
    return module;
}

/* Modules that can go on do so before another begins, so that few of them have a stack at once; or the other way round. */
static void run_all(engine *e, ready_ring *ready, profile_order order)
{
    inlay_id modules = (inlay_id)e->program->modules, begun = 0;
    while (e->status == INLAY_OK && (begun < modules || ready->count > 0)) {
        bool begins = begun < modules && (order == PROFILE_FIRST_FIRST || ready->count == 0);
        inlay_id module = !begins                       ? take_ready(ready, order)
                          : order == PROFILE_LAST_FIRST ? begun
                                                        : modules - 1 - begun;
        begun += begins;
        (void)engine_go_on(e, &e->actor[module]);
    }
}

static int run_program(engine *e, profiling *own, profile_order order)
{
    ready_ring *ready = &own->ready;
    ready->size = e->program->modules;
    ready->module = memory_array(ready->size, sizeof *ready->module);
    if (ready->module == NULL) {
        return diag_no_memory(e->diag);
    }
    e->moves_clocks = true;
    e->sent = value_sent;
    e->wake = make_ready;
    e->context = own;
    run_all(e, ready, order);
    free(ready->module);
    return engine_finish(e);
}

/* ---- G(A) ---- */

static int add_modules(const engine *e, inlay_app_builder *builder)
{
    for (size_t i = 0; i < e->program->modules; i++) {
        const inlay_actor *a = &e->actor[i];
        const double *count = e->count + i * (size_t)e->operations;
        inlay_decimal work = {(int64_t)a->work, e->costs.decimals};
        inlay_decimal waited = {(int64_t)(a->clock - a->work), e->costs.decimals};
        inlay_module module = {.name = e->program->module[i].name,
                               .time = {decimal_normal(work), e->costs.unit},
                               .has_blocking = true,
                               .blocking = {decimal_normal(waited), e->costs.unit},
                               .arithmetic = count[INLAY_ADD] + count[INLAY_MULTIPLY] + count[INLAY_DIVIDE] +
                                             count[INLAY_COMPARE],
                               .functions = count[INLAY_SQRT] + count[INLAY_FUNCTION]};
        int status = inlay_app_add_module(builder, &module, e->diag);
        if (status != INLAY_OK) {
            return status;
        }
    }
    return INLAY_OK;
}

/* Whether a link inside a circle goes to a module that waits no longer than its own, and so precedes nothing. */
static bool feeds_back(const engine *e, const inlay_id *part, const program_channel *c)
{
    const inlay_actor *from = &e->actor[c->from], *to = &e->actor[c->to];
    double waited_from = from->clock - from->work, waited_to = to->clock - to->work;
    return part[c->from] == part[c->to] && (waited_to < waited_from || (waited_to == waited_from && c->to < c->from));
}

/* Data of precedence alone; what they leave of the channels. */
static int add_data(const engine *e, data_log *log, const inlay_id *part, inlay_app_builder *builder, int64_t *left)
{
    size_t kept = 0;
    for (size_t k = 0; k < log->count; k++) {
        if (!feeds_back(e, part, &e->program->channel[log->value[k].channel])) {
            log->value[kept++] = log->value[k];
        }
    }
    log->count = kept;
    return data_log_write(log, builder, left, e->diag);
}

/* Channels that carried something between two modules; those of one pair add. `left` is what is in no datum. */
static int add_links(const engine *e, const inlay_id *part, const int64_t *left, inlay_app_builder *builder,
                     int64_t *feedback)
{
    for (size_t k = 0; k < e->program->channels; k++) {
        const program_channel *c = &e->program->channel[k];
        int64_t values = left[k], bytes;
        if (values == 0 || c->from == c->to) {
            continue;
        }
        bool back = feeds_back(e, part, c);
        int status = __builtin_mul_overflow(values, (int64_t)c->size, &bytes)
                         ? diag_fail(e->diag, INLAY_OVERFLOW, "%s: the bytes from '%s' to '%s' pass 2^63",
                                     e->program->name, e->program->module[c->from].name, e->program->module[c->to].name)
                         : inlay_app_add_link(builder, c->from, c->to, values, bytes,
                                              back ? INLAY_LINK_TRAFFIC_ONLY : 0, e->diag);
        if (status != INLAY_OK) {
            return status;
        }
        *feedback += back;
    }
    return INLAY_OK;
}

static int build_app(const engine *e, inlay_app **app, int64_t *feedback)
{
    inlay_app_builder *builder = inlay_app_builder_new(e->program->name, e->costs.unit);
    inlay_id *part = memory_array(e->program->modules, sizeof *part);
    int64_t *left = memory_array(e->program->channels, sizeof *left);
    int status = builder != NULL && part != NULL && left != NULL
                     ? inlay_app_builder_source(builder, e->program->name, NULL, NULL)
                     : INLAY_NO_MEMORY;
    if (status == INLAY_OK) {
        status = dataflow_parts(e, part);
    }
    if (status != INLAY_OK) {
        diag_fail(e->diag, status, "%s", inlay_status_text(status));
    } else {
        status = add_modules(e, builder);
    }
    for (size_t k = 0; status == INLAY_OK && k < e->program->channels; k++) {
        left[k] = dataflow_values(e, k);
    }
    if (status == INLAY_OK) {
        status = add_data(e, &((profiling *)e->context)->log, part, builder, left);
    }
    if (status == INLAY_OK) {
        status = add_links(e, part, left, builder, feedback);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(builder, app, e->diag);
    }
    inlay_app_builder_free(builder);
    free(part);
    free(left);
    return status;
}

/* ---- The profile ---- */

static double last_end(const engine *e)
{
    double last = 0;
    for (size_t i = 0; i < e->program->modules; i++) {
        last = e->actor[i].clock > last ? e->actor[i].clock : last;
    }
    return last;
}

static int fill_profile(engine *e, inlay_profile *p)
{
    int status = program_checked(e->program, p->check, e->diag);
    if (status == INLAY_OK) {
        status = build_app(e, &p->app, &p->feedback);
    }
    p->elapsed = last_end(e) / pow(10, e->costs.decimals);
    p->count = e->count;
    e->count = NULL;
    p->costs = e->costs;
    e->costs.grains = NULL;
    p->operations = e->operations;
    p->values = e->values;
    p->left = e->values - e->got;
    p->switches = e->switches;
    return status;
}

int dataflow_profile(inlay_program *program, const inlay_program_options *options, profile_order order,
                     inlay_profile **profile, inlay_diag *diag)
{
    engine e;
    profiling own = {.named = options != NULL && options->data};
    int status = engine_make(&e, program, options, INLAY_UNIT_NONE, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_profile *p = memory_zeroed(1, sizeof *p);
    status = p == NULL ? diag_no_memory(diag) : run_program(&e, &own, order);
    if (status == INLAY_OK) {
        status = fill_profile(&e, p);
    }
    engine_clear(&e);
    data_log_clear(&own.log);
    if (status != INLAY_OK) {
        inlay_profile_free(p);
        return status;
    }
    *profile = p;
    return INLAY_OK;
}

int inlay_program_profile(inlay_program *program, const inlay_program_options *options, inlay_profile **profile,
                          inlay_diag *diag)
{
    DIAG_CALL(diag);
    return dataflow_profile(program, options, PROFILE_LAST_FIRST, profile, diag);
}

const inlay_app *inlay_profile_app(const inlay_profile *profile)
{
    return profile->app;
}

double inlay_profile_elapsed(const inlay_profile *profile)
{
    return profile->elapsed;
}

double inlay_profile_count(const inlay_profile *profile, inlay_id module, int operation)
{
    return profile->count[(size_t)module * (size_t)profile->operations + (size_t)operation];
}

double inlay_profile_total(const inlay_profile *profile, int operation)
{
    double total = 0;
    for (inlay_id i = 0; i < inlay_app_modules(profile->app); i++) {
        total += inlay_profile_count(profile, i, operation);
    }
    return total;
}

double inlay_profile_work(const inlay_profile *profile)
{
    double work = 0;
    for (inlay_id i = 0; i < inlay_app_modules(profile->app); i++) {
        work += inlay_app_in_units(profile->app, inlay_app_time(profile->app, i));
    }
    return work;
}

double inlay_profile_cost(const inlay_profile *profile, int operation)
{
    const dataflow_costs *costs = &profile->costs;
    return costs->measured ? NAN : costs->grains[operation] / pow(10, costs->decimals);
}

bool inlay_profile_measured(const inlay_profile *profile)
{
    return profile->costs.measured;
}

inlay_id inlay_profile_changed(const inlay_profile *profile, const inlay_mapping *mapping)
{
    const double rounding = 1e-9;
    const inlay_app *here = profile->app, *there = inlay_mapping_app(mapping);
    inlay_id changed = 0;
    for (inlay_id i = 0; i < inlay_app_modules(here); i++) {
        inlay_id same = inlay_app_find_module(there, inlay_app_module_name(here, i));
        double now = inlay_app_in_units(here, inlay_app_time(here, i));
        double before = same >= 0 ? inlay_app_in_units(there, inlay_app_time(there, same)) : NAN;
        changed += !(fabs(now - before) <= rounding * (now + before));
    }
    return changed;
}

int64_t inlay_profile_values(const inlay_profile *profile)
{
    return profile->values;
}

int64_t inlay_profile_left(const inlay_profile *profile)
{
    return profile->left;
}

int64_t inlay_profile_feedback(const inlay_profile *profile)
{
    return profile->feedback;
}

int64_t inlay_profile_switches(const inlay_profile *profile)
{
    return profile->switches;
}

const char *inlay_profile_check(const inlay_profile *profile)
{
    return profile->check;
}

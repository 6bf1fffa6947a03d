/* Random applications: few distinct times and message counts, so that ties are common. */
#include "random_app.h"

#include <check.h>
#include <stdio.h>

uint64_t random_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int64_t random_below(uint64_t *state, int64_t below)
{
    return (int64_t)(random_next(state) % (uint64_t)below);
}

bool random_once_in(uint64_t *state, int64_t times)
{
    return random_below(state, times) == 0;
}

/** What is being made. */
typedef struct maker {
    uint64_t *state;
    inlay_app_builder *builder;
    inlay_unit unit;
    inlay_id modules;
    unsigned features;
    random_times *times;
    inlay_id at[RANDOM_MODULES]; /**< modules in an order that every link follows */
    int layer[RANDOM_MODULES];   /**< of the module at that place */
    bool layered;
} maker;

/** value x 10^-decimals of the unit, written in one of the ways that mean the same. */
static inlay_duration write_time(const maker *make, int64_t value)
{
    int decimals = make->times->decimals;
    inlay_duration plain = {{value, decimals}, INLAY_UNIT_NONE};
    int64_t way = random_below(make->state, 4);
    if (way == 0) return (inlay_duration){{value * 10, decimals + 1}, make->unit};
    if (way == 1 && make->unit == INLAY_UNIT_MS) return (inlay_duration){{value, decimals + 3}, INLAY_UNIT_S};
    if (way == 1 && make->unit == INLAY_UNIT_S) return (inlay_duration){{value * 1000, decimals}, INLAY_UNIT_MS};
    if (way == 1 && make->unit == INLAY_UNIT_US) return (inlay_duration){{value * 1000, decimals}, INLAY_UNIT_NS};
    return plain;
}

static int64_t random_time(uint64_t *state, int64_t style)
{
    if (random_once_in(state, 8)) return 0;
    return style == 0 ? 3 : style == 1 ? random_below(state, 5) : random_below(state, 300);
}

/** A random order, cut into layers of random size. */
static void random_order(maker *make)
{
    for (inlay_id i = 0; i < make->modules; i++) {
        inlay_id j = (inlay_id)random_below(make->state, i + 1);
        make->at[i] = make->at[j];
        make->at[j] = i;
    }
    make->layer[0] = 0;
    for (inlay_id i = 1; i < make->modules; i++)
        make->layer[i] = make->layer[i - 1] + random_once_in(make->state, 3);
    make->layered = random_once_in(make->state, 2);
}

/** Waits that grow along the order, by no more than a module lasts, or at times anything at all. */
static void random_blocking(maker *make, int64_t style)
{
    int64_t wait = 0;
    for (inlay_id i = 0; i < make->modules; i++) {
        inlay_id module = make->at[i];
        make->times->blocking[module] = random_once_in(make->state, 6) ? random_time(make->state, style) : wait;
        if (i + 1 < make->modules && make->layer[i + 1] > make->layer[i])
            wait += random_below(make->state, make->times->time[module] + 1);
    }
}

static void add_modules(maker *make)
{
    for (inlay_id i = 0; i < make->modules; i++) {
        char name[32];
        snprintf(name, sizeof name, "m%d_%d", (int)i + 1, (int)i % 3); /* with coordinates */
        inlay_module module = {.name = name, .time = write_time(make, make->times->time[i])};
        if (make->features & RANDOM_BLOCKING) {
            module.has_blocking = true;
            module.blocking = write_time(make, make->times->blocking[i]);
        }
        if ((make->features & RANDOM_DEADLINES) && random_once_in(make->state, 2))
            module.deadline = write_time(make, random_below(make->state, 1000));
        if (make->features & RANDOM_MEMORY) module.memory = random_below(make->state, 5) * 1024;
        if (make->features & RANDOM_TRAFFIC_MEMORY) module.traffic_memory = random_below(make->state, 5) * 1000;
        if ((make->features & RANDOM_PINS) && random_once_in(make->state, 4)) {
            module.pinned = true;
            module.pin = (inlay_id)random_below(make->state, 3);
        }
        ck_assert_int_eq(inlay_app_add_module(make->builder, &module, NULL), INLAY_OK);
    }
}

static void add_link(maker *make, inlay_id from, inlay_id to, unsigned flags)
{
    int64_t messages = random_below(make->state, 5), bytes = random_below(make->state, 4) * 1000;
    ck_assert_int_eq(inlay_app_add_link(make->builder, from, to, messages, bytes, flags, NULL), INLAY_OK);
}

/* A link with data: one or two of three, of which each has its size, though a link may state less. */
static void add_data_link(maker *make, inlay_id from, inlay_id to)
{
    static const char *const names[] = {"x", "y", "z"};
    if (random_once_in(make->state, 3)) add_link(make, from, to, 0);
    for (int64_t count = random_below(make->state, 2); count >= 0; count--) {
        int64_t name = random_below(make->state, 3), size = (from + name) % 4;
        if (random_once_in(make->state, 6)) size = random_below(make->state, size + 1);
        ck_assert_int_eq(inlay_app_add_data_link(make->builder, from, to, names[name], size, 1000 * size / 2, NULL),
                         INLAY_OK);
    }
}

static void add_links(maker *make)
{
    int64_t sparseness = 1 + random_below(make->state, 6);
    for (inlay_id i = 0; i < make->modules; i++)
        for (inlay_id j = i + 1; j < make->modules; j++) {
            if (make->layered && make->layer[j] != make->layer[i] + 1) continue;
            if (!random_once_in(make->state, sparseness)) continue;
            if ((make->features & RANDOM_DATA) && !random_once_in(make->state, 4))
                add_data_link(make, make->at[i], make->at[j]);
            else
                add_link(make, make->at[i], make->at[j], 0);
        }
    for (inlay_id i = 0; (make->features & RANDOM_TRAFFIC_ONLY) && i < make->modules; i++) {
        inlay_id to = (inlay_id)random_below(make->state, make->modules);
        if (to != i) add_link(make, i, to, INLAY_LINK_TRAFFIC_ONLY);
    }
}

static void add_blocks(maker *make)
{
    int64_t blocks = random_below(make->state, 4);
    for (inlay_id d = 0; d < blocks; d++) {
        char name[16];
        snprintf(name, sizeof name, "d%d", (int)d + 1);
        int64_t size = random_below(make->state, 3) * 512;
        inlay_duration time = write_time(make, random_below(make->state, 4));
        ck_assert_int_eq(inlay_app_add_block(make->builder, name, size, time, NULL), INLAY_OK);
        inlay_id first = (inlay_id)random_below(make->state, make->modules);
        for (inlay_id i = 0; i < make->modules; i++) {
            if (i != first && !random_once_in(make->state, 4)) continue;
            int64_t messages = 1 + random_below(make->state, 2), bytes = random_below(make->state, 2) * 700;
            ck_assert_int_eq(inlay_app_add_use(make->builder, d, i, messages, bytes, NULL), INLAY_OK);
        }
    }
}

inlay_app *random_app(uint64_t *state, inlay_id modules, unsigned features, random_times *times)
{
    static const inlay_unit units[] = {INLAY_UNIT_TICK, INLAY_UNIT_S, INLAY_UNIT_MS, INLAY_UNIT_US};
    ck_assert(modules >= 1 && modules <= RANDOM_MODULES);
    maker make = {.state = state, .modules = modules, .features = features, .times = times};
    make.unit = units[random_below(state, 4)];
    make.builder = inlay_app_builder_new("random", make.unit);
    ck_assert_ptr_nonnull(make.builder);

    times->decimals = features & RANDOM_DECIMALS ? (int)random_below(state, 4) : 0;
    int64_t style = random_below(state, 3);
    for (inlay_id i = 0; i < modules; i++)
        times->time[i] = random_time(state, style);
    random_order(&make);
    random_blocking(&make, style);
    add_modules(&make);
    add_links(&make);
    if (features & RANDOM_BLOCKS) add_blocks(&make);

    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_build(make.builder, &app, NULL), INLAY_OK);
    inlay_app_builder_free(make.builder);
    return app;
}

void random_topological(uint64_t *state, const inlay_app *app, inlay_id *order)
{
    inlay_id modules = inlay_app_modules(app), left[RANDOM_MODULES], ready[RANDOM_MODULES], count = 0;
    for (inlay_id i = 0; i < modules; i++) {
        int64_t before;
        inlay_app_predecessors(app, i, &before);
        left[i] = (inlay_id)before;
        if (before == 0) ready[count++] = i;
    }
    for (inlay_id k = 0; k < modules; k++) {
        inlay_id at = (inlay_id)random_below(state, count);
        order[k] = ready[at];
        ready[at] = ready[--count];
        inlay_links out = inlay_app_out(app, order[k]);
        for (int64_t l = 0; l < out.count; l++)
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) && --left[out.module[l]] == 0) ready[count++] = out.module[l];
    }
}

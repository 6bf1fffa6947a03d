/* Programs of steps: drawn, interpreted, and wired for the library. */
#include "slow_dataflow.h"

#include "random_app.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- What modules compute: numbers in which every value and its order shows ---- */

static uint64_t mix(uint64_t x, uint64_t y)
{
    x = (x ^ y) * 0x9E3779B97F4A7C15u;
    return x ^ (x >> 29);
}

/* ---- Drawing ---- */

static void add_step(slow_program *p, int module, slow_step step)
{
    if (p->steps[module] < STEP_MOST) p->step[module][p->steps[module]++] = step;
}

static bool has_room(const slow_program *p, int module)
{
    return p->steps[module] + 2 < STEP_MOST;
}

static void maybe_compute(uint64_t *state, slow_program *p, int module)
{
    if (random_once_in(state, 2) && has_room(p, module))
        add_step(p, module,
                 (slow_step){SLOW_COMPUTE, (int)random_below(state, INLAY_GET), (int)random_below(state, 6), 0});
}

static void draw_channels(uint64_t *state, unsigned features, slow_program *p)
{
    int outs[STEP_MODULES] = {0}, ins[STEP_MODULES] = {0};
    p->channels = p->modules > 1 ? 1 + (int)random_below(state, 3 * p->modules) : 0;
    for (int c = 0; c < p->channels; c++) {
        int from = (int)random_below(state, p->modules), to = (int)random_below(state, p->modules);
        if (from == to && !(features & SLOW_CYCLES)) to = (from + 1) % p->modules;
        if (from > to && !(features & SLOW_CYCLES)) {
            int other = from;
            from = to;
            to = other;
        }
        int capacity = (features & SLOW_CAPACITY) && random_once_in(state, 2) ? 1 + (int)random_below(state, 3) : 0;
        p->channel[c] = (slow_channel){
            from,    to, outs[from]++, ins[to]++, random_once_in(state, 8) ? 0 : 1 + (int)random_below(state, 20),
            capacity};
    }
}

/*
 * Values are put and got one after the other, in one order of the whole program: so it can run in that order, with any
 * capacity, and therefore in every other.
 */
static void draw_values(uint64_t *state, slow_program *p)
{
    int waiting[STEP_CHANNELS] = {0};
    for (int round = 0; p->channels > 0 && round < 12 * p->channels; round++) {
        int c = (int)random_below(state, p->channels);
        const slow_channel *k = &p->channel[c];
        bool put = waiting[c] == 0 || ((k->capacity == 0 || waiting[c] < k->capacity) && random_once_in(state, 2));
        int module = put ? k->from : k->to;
        /* room must be left for the gets of all that is put */
        if (!has_room(p, module) || (put && p->steps[k->to] + 20 > STEP_MOST)) continue;
        maybe_compute(state, p, module);
        add_step(p, module, (slow_step){put ? SLOW_PUT : SLOW_GET, 0, 0, c});
        waiting[c] += put ? 1 : -1;
    }
}

static void spoil(uint64_t *state, slow_program *p)
{
    int module = (int)random_below(state, p->modules), steps = p->steps[module];
    if (steps == 0) return;
    int at = (int)random_below(state, steps);
    if (random_once_in(state, 2)) {
        memmove(&p->step[module][at], &p->step[module][at + 1], (size_t)(steps - at - 1) * sizeof **p->step);
        p->steps[module]--;
    } else if (steps < STEP_MOST) {
        memmove(&p->step[module][at + 1], &p->step[module][at], (size_t)(steps - at) * sizeof **p->step);
        p->steps[module]++;
    }
}

void slow_program_draw(uint64_t *state, unsigned features, slow_program *program)
{
    memset(program, 0, sizeof *program);
    program->modules = 1 + (int)random_below(state, STEP_MODULES);
    draw_channels(state, features, program);
    draw_values(state, program);
    for (int i = 0; i < program->modules; i++)
        maybe_compute(state, program, i);
    for (int o = 0; o < INLAY_OPERATIONS; o++) {
        bool free = o < INLAY_GET || (features & SLOW_FREE_PORTS);
        program->cost[o] = free ? random_below(state, 10) : 1 + random_below(state, 9);
    }
    if (features & SLOW_MISMATCH) spoil(state, program);
}

/* ---- Interpreting it with free messages ---- */

typedef struct kahn {
    int64_t put_at[STEP_CHANNELS][STEP_VALUES], got_at[STEP_CHANNELS][STEP_VALUES];
    uint64_t value[STEP_CHANNELS][STEP_VALUES];
    int at[STEP_MODULES];
} kahn;

static uint64_t clipped(uint64_t value, int size)
{
    return size >= 8 ? value : size == 0 ? 0 : value & ((UINT64_C(1) << (8 * size)) - 1);
}

/* One step of a module, where it can be done. */
static bool advance(const slow_program *p, kahn *k, slow_profile *r, int module)
{
    const slow_step *s = &p->step[module][k->at[module]];
    const slow_channel *c = &p->channel[s->channel];
    int64_t *clock = &r->end[module], cost;
    if (s->kind == SLOW_COMPUTE) {
        cost = p->cost[s->operation] * s->times;
        r->result[module] = mix(r->result[module], (uint64_t)s->times);
    } else if (s->kind == SLOW_GET) {
        int number = r->got[s->channel];
        if (r->put[s->channel] <= number) return false;
        if (k->put_at[s->channel][number] > *clock) *clock = k->put_at[s->channel][number];
        cost = p->cost[INLAY_GET];
        k->got_at[s->channel][number] = *clock + cost;
        r->result[module] = mix(r->result[module], k->value[s->channel][number]);
        r->got[s->channel]++;
    } else {
        int number = r->put[s->channel];
        if (c->capacity > 0 && number - r->got[s->channel] >= c->capacity) return false;
        if (c->capacity > 0 && number >= c->capacity && k->got_at[s->channel][number - c->capacity] > *clock)
            *clock = k->got_at[s->channel][number - c->capacity];
        cost = p->cost[INLAY_PUT];
        k->put_at[s->channel][number] = *clock + cost;
        k->value[s->channel][number] = clipped(r->result[module], c->size);
        r->put[s->channel]++;
    }
    *clock += cost;
    r->work[module] += cost;
    k->at[module]++;
    return true;
}

void slow_profile_run(const slow_program *program, slow_profile *profile)
{
    static kahn k; /* as large as it is; every test has a process of its own */
    memset(&k, 0, sizeof k);
    memset(profile, 0, sizeof *profile);
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < program->modules; i++)
            if (k.at[i] < program->steps[i]) moved |= advance(program, &k, profile, i);
    }
    for (int i = 0; i < program->modules; i++) {
        profile->ended[i] = k.at[i] == program->steps[i];
        profile->waits_at[i] = k.at[i];
        profile->deadlock |= !profile->ended[i];
    }
}

/* ---- The same for the library ---- */

typedef struct module_state {
    const slow_program *program;
    int module;
    uint64_t *result;
} module_state;

static void body(inlay_actor *self, void *state)
{
    const module_state *m = state;
    const slow_program *p = m->program;
    uint64_t x = 0;
    for (int i = 0; i < p->steps[m->module]; i++) {
        const slow_step *s = &p->step[m->module][i];
        const slow_channel *c = &p->channel[s->channel];
        unsigned char value[32] = {0};
        uint64_t read = 0;
        if (s->kind == SLOW_COMPUTE) {
            inlay_count(self, s->operation, s->times);
            x = mix(x, (uint64_t)s->times);
        } else if (s->kind == SLOW_GET) {
            inlay_get(inlay_input(self, c->in), value);
            memcpy(&read, value, sizeof read); /* little-endian, as clipped() takes it */
            x = mix(x, read);
        } else {
            memcpy(value, &x, sizeof x);
            inlay_put(inlay_output(self, c->out), value);
        }
    }
    m->result[m->module] = x;
}

inlay_program *slow_program_wire(const slow_program *program, uint64_t *result)
{
    inlay_program *wired = inlay_program_new("steps");
    for (int i = 0; i < program->modules; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        module_state state = {program, i, result};
        ck_assert_int_eq(inlay_program_module(wired, name, body, &state, sizeof state, NULL), i);
    }
    for (int c = 0; c < program->channels; c++) {
        const slow_channel *k = &program->channel[c];
        ck_assert_int_eq(inlay_program_wire(wired, k->from, k->out, k->to, k->in, (size_t)k->size, k->capacity, NULL),
                         INLAY_OK);
    }
    return wired;
}

void slow_program_costs(const slow_program *program, inlay_cost *cost)
{
    static const char *const name[] = {"add", "multiply", "divide", "sqrt", "function", "compare", "get", "put"};
    for (int o = 0; o < INLAY_OPERATIONS; o++)
        cost[o] = (inlay_cost){name[o], {{program->cost[o], 0}, INLAY_UNIT_TICK}};
}

/*
 * The mapped run once more: every operation is an event of its own, and at every event everything is looked at. No module
 * is ever ahead of the time.
 */
#include "slow_dataflow.h"

#include <check.h>
#include <string.h>

enum { NEVER = -1, MESSAGES = STEP_MODULES * STEP_MOST };

typedef struct message {
    int channel, number;
} message;

typedef struct world {
    const slow_program *p;
    const slow_mapping *on;
    slow_mapped *r;
    int64_t now;
    int at[STEP_MODULES]; /* the step that a module does, or will do */
    bool begun[STEP_MODULES];
    int running[STEP_MODULES];      /* of every processor: its module, NEVER none */
    int64_t step_end[STEP_MODULES]; /* of every processor: end of the step that is being done, NEVER none */
    int put[STEP_CHANNELS], got[STEP_CHANNELS];
    int64_t there_at[STEP_CHANNELS][STEP_VALUES]; /* NEVER: not known */
    uint64_t value[STEP_CHANNELS][STEP_VALUES];
    message waits[STEP_MODULES][MESSAGES]; /* of every processor: a queue that is never emptied */
    int queued[STEP_MODULES], sent[STEP_MODULES];
    bool sending[STEP_MODULES];
    int bus[MESSAGES]; /* processors that asked for it, in order */
    int asked, served;
    int64_t bus_end; /* of the transfer that it does, NEVER none */
} world;

static uint64_t mix(uint64_t x, uint64_t y)
{
    x = (x ^ y) * 0x9E3779B97F4A7C15u;
    return x ^ (x >> 29);
}

static int64_t cost_of(const world *w, const slow_step *s)
{
    return s->kind == SLOW_COMPUTE ? w->p->cost[s->operation] * s->times
                                   : w->p->cost[s->kind == SLOW_GET ? INLAY_GET : INLAY_PUT];
}

/* Whether a module can do its next step now. */
static bool can_go_on(const world *w, int module)
{
    if (w->at[module] == w->p->steps[module]) return !w->begun[module];
    const slow_step *s = &w->p->step[module][w->at[module]];
    int capacity = w->p->channel[s->channel].capacity, c = s->channel;
    if (!w->begun[module] || s->kind == SLOW_COMPUTE) return true;
    if (s->kind == SLOW_PUT) return capacity == 0 || w->put[c] - w->got[c] < capacity;
    return w->got[c] < w->put[c] && w->there_at[c][w->got[c]] != NEVER && w->there_at[c][w->got[c]] <= w->now;
}

/* A value sets out: with a bus it waits its turn, else it is there after the delay. */
static void send(world *w, int c, int number)
{
    int from = w->on->processor_of[w->p->channel[c].from], to = w->on->processor_of[w->p->channel[c].to];
    if (from == to) {
        w->there_at[c][number] = w->now;
        return;
    }
    w->r->messages++;
    if (w->on->bus) {
        w->waits[from][w->queued[from]++] = (message){c, number};
    } else {
        w->there_at[c][number] = w->now + w->on->delay + w->on->latency;
    }
}

/* What a step does when it ends. */
static void end_step(world *w, int processor)
{
    int module = w->running[processor];
    const slow_step *s = &w->p->step[module][w->at[module]++];
    int c = s->channel;
    w->step_end[processor] = NEVER;
    w->r->busy[processor] += cost_of(w, s);
    uint64_t *x = &w->r->result[module];
    if (s->kind == SLOW_COMPUTE) {
        *x = mix(*x, (uint64_t)s->times);
    } else if (s->kind == SLOW_GET) {
        *x = mix(*x, w->value[c][w->got[c]++]);
    } else {
        int size = w->p->channel[c].size;
        w->value[c][w->put[c]] = size >= 8 ? *x : size == 0 ? 0 : *x & ((UINT64_C(1) << (8 * size)) - 1);
        w->there_at[c][w->put[c]] = NEVER;
        send(w, c, w->put[c]++);
    }
}

/* A processor does steps until one takes time, or it is free. */
static void work(world *w, int processor)
{
    while (w->step_end[processor] == NEVER) {
        int *module = &w->running[processor];
        if (*module != NEVER && w->begun[*module] && w->at[*module] == w->p->steps[*module]) {
            w->r->end[*module] = w->now;
            *module = NEVER;
        }
        if (*module == NEVER || !can_go_on(w, *module)) {
            *module = NEVER;
            for (int i = 0; i < w->p->modules; i++)
                if (w->on->processor_of[i] == processor && can_go_on(w, i) &&
                    (*module == NEVER || w->on->rank[i] < w->on->rank[*module]))
                    *module = i;
        }
        if (*module == NEVER) return;
        if (!w->begun[*module]) {
            w->begun[*module] = true;
            w->r->start[*module] = w->now;
            continue;
        }
        int64_t cost = cost_of(w, &w->p->step[*module][w->at[*module]]);
        w->step_end[processor] = w->now + cost;
        if (cost == 0) end_step(w, processor);
    }
}

/* ---- The bus ---- */

static void ask(world *w, int processor)
{
    w->sending[processor] = true;
    w->bus[w->asked++] = processor;
}

static void start_bus(world *w)
{
    if (w->bus_end == NEVER && w->served < w->asked) w->bus_end = w->now + w->on->delay;
}

static void end_bus(world *w)
{
    int processor = w->bus[w->served++];
    message m = w->waits[processor][w->sent[processor]++];
    w->there_at[m.channel][m.number] = w->now + w->on->latency;
    w->sending[processor] = false;
    w->bus_end = NEVER;
    if (w->sent[processor] < w->queued[processor]) ask(w, processor);
}

/* ---- The whole ---- */

static void earlier(int64_t *next, int64_t time, int64_t now)
{
    if (time != NEVER && time >= now && (*next == NEVER || time < *next)) *next = time;
}

/* The next time at which anything happens: behind `now`, for at `now` everything has. */
static int64_t next_time(const world *w)
{
    int64_t next = NEVER;
    for (int k = 0; k < w->on->processors; k++)
        earlier(&next, w->step_end[k], w->now);
    earlier(&next, w->bus_end, w->now);
    for (int c = 0; c < w->p->channels; c++)
        for (int n = w->got[c]; n < w->put[c]; n++)
            earlier(&next, w->there_at[c][n], w->now + 1);
    return next;
}

static void do_everything(world *w)
{
    for (int k = 0; k < w->on->processors; k++)
        if (w->step_end[k] == w->now) end_step(w, k);
    for (int k = 0; k < w->on->processors; k++)
        if (!w->sending[k] && w->sent[k] < w->queued[k]) ask(w, k);
    if (w->bus_end == w->now) end_bus(w);
    start_bus(w);
    for (int k = 0; k < w->on->processors; k++)
        work(w, k);
}

void slow_mapped_run(const slow_program *program, const slow_mapping *mapping, slow_mapped *run)
{
    static world w; /* as large as it is; every test has a process of its own */
    memset(&w, 0, sizeof w);
    memset(run, 0, sizeof *run);
    w.p = program;
    w.on = mapping;
    w.r = run;
    w.bus_end = NEVER;
    for (int k = 0; k < mapping->processors; k++) {
        w.running[k] = NEVER;
        w.step_end[k] = NEVER;
    }
    for (int64_t next = 0; next != NEVER; next = next_time(&w)) {
        w.now = next;
        do_everything(&w);
    }
    for (int i = 0; i < program->modules; i++) {
        ck_assert_int_eq(w.at[i], program->steps[i]);
        if (run->end[i] > run->last_module) run->last_module = run->end[i];
    }
    run->elapsed = run->last_module;
    for (int c = 0; c < program->channels; c++)
        for (int n = 0; n < w.put[c]; n++)
            if (w.there_at[c][n] > run->elapsed) run->elapsed = w.there_at[c][n];
}

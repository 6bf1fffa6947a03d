/* Dataflow graphs executed token by token. */
#include "slow_sdf.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_CHANNELS = 256, MOST_RUNNING = 8192 };

/* ---- Rates and tokens ---- */

static int64_t put_by(const inlay_sdf *sdf, const inlay_sdf_channel *c, int64_t firing)
{
    return c->produced[firing % inlay_sdf_phases(sdf, c->from)];
}

static int64_t taken_by(const inlay_sdf *sdf, const inlay_sdf_channel *c, int64_t firing)
{
    return c->consumed[firing % inlay_sdf_phases(sdf, c->to)];
}

static bool can_fire(const inlay_sdf *sdf, const int64_t *tokens, const bool *counts, inlay_id actor, int64_t firing)
{
    for (int64_t c = 0; c < inlay_sdf_channels(sdf); c++) {
        inlay_sdf_channel channel = inlay_sdf_channel_at(sdf, c);
        if (channel.to == actor && (counts == NULL || counts[c]) && tokens[c] < taken_by(sdf, &channel, firing)) {
            return false;
        }
    }
    return true;
}

static void take(const inlay_sdf *sdf, int64_t *tokens, inlay_id actor, int64_t firing)
{
    for (int64_t c = 0; c < inlay_sdf_channels(sdf); c++) {
        inlay_sdf_channel channel = inlay_sdf_channel_at(sdf, c);
        tokens[c] -= channel.to == actor ? taken_by(sdf, &channel, firing) : 0;
    }
}

static void put(const inlay_sdf *sdf, int64_t *tokens, inlay_id actor, int64_t firing)
{
    for (int64_t c = 0; c < inlay_sdf_channels(sdf); c++) {
        inlay_sdf_channel channel = inlay_sdf_channel_at(sdf, c);
        tokens[c] += channel.from == actor ? put_by(sdf, &channel, firing) : 0;
    }
}

bool slow_sdf_is_live(const inlay_sdf *sdf)
{
    int64_t tokens[MOST_CHANNELS], fired[MOST] = {0};
    for (int64_t c = 0; c < inlay_sdf_channels(sdf); c++) {
        tokens[c] = inlay_sdf_channel_at(sdf, c).tokens;
    }
    bool any = true;
    while (any) {
        any = false;
        for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
            if (fired[a] < inlay_sdf_repetitions(sdf, a) && can_fire(sdf, tokens, NULL, a, fired[a])) {
                take(sdf, tokens, a, fired[a]);
                put(sdf, tokens, a, fired[a]++);
                any = true;
            }
        }
    }
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
        if (fired[a] < inlay_sdf_repetitions(sdf, a)) {
            return false;
        }
    }
    return true;
}

int64_t slow_sdf_tokens(const inlay_sdf *sdf, int64_t channel, int64_t from, int64_t to)
{
    inlay_sdf_channel c = inlay_sdf_channel_at(sdf, channel);
    int64_t put_begin = c.tokens, take_begin = 0, both = 0;
    for (int64_t f = 0; f < from; f++) {
        put_begin += put_by(sdf, &c, f);
    }
    for (int64_t f = 0; f < to; f++) {
        take_begin += taken_by(sdf, &c, f);
    }
    for (int64_t t = take_begin; t < take_begin + taken_by(sdf, &c, to); t++) {
        both += t >= put_begin && t < put_begin + put_by(sdf, &c, from);
    }
    return both;
}

/* ---- Balance ---- */

static void join(const inlay_sdf *sdf, int *part, bool (*joins)(const inlay_sdf_channel *))
{
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
        part[a] = a;
    }
    for (inlay_id round = 0; round < inlay_sdf_actors(sdf); round++) {
        for (int64_t c = 0; c < inlay_sdf_channels(sdf); c++) {
            inlay_sdf_channel channel = inlay_sdf_channel_at(sdf, c);
            if (joins(&channel)) {
                int least = part[channel.from] < part[channel.to] ? part[channel.from] : part[channel.to];
                part[channel.from] = part[channel.to] = least;
            }
        }
    }
}

static bool joins_always(const inlay_sdf_channel *c)
{
    (void)c;
    return true;
}

static int64_t divisor_of(int64_t a, int64_t b)
{
    return b == 0 ? a : divisor_of(b, a % b);
}

bool slow_sdf_balances(const inlay_sdf *sdf)
{
    int part[MOST];
    int64_t divisor[MOST] = {0};
    for (int64_t c = 0; c < inlay_sdf_channels(sdf); c++) {
        inlay_sdf_channel channel = inlay_sdf_channel_at(sdf, c);
        int64_t sum = 0;
        for (int64_t f = 0; f < inlay_sdf_repetitions(sdf, channel.from); f++) {
            sum += put_by(sdf, &channel, f);
        }
        for (int64_t f = 0; f < inlay_sdf_repetitions(sdf, channel.to); f++) {
            sum -= taken_by(sdf, &channel, f);
        }
        if (sum != 0) {
            return false;
        }
    }
    join(sdf, part, joins_always);
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
        if (inlay_sdf_repetitions(sdf, a) < 1 || inlay_sdf_repetitions(sdf, a) % inlay_sdf_phases(sdf, a) != 0) {
            return false;
        }
        divisor[part[a]] = divisor_of(divisor[part[a]], inlay_sdf_repetitions(sdf, a) / inlay_sdf_phases(sdf, a));
    }
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
        if (divisor[part[a]] != 1) {
            return false;
        }
    }
    return true;
}

/* ---- Time ---- */

/* What tells one moment from another: tokens, phases, and when the firings that run will end. */
typedef struct state {
    int64_t time, fired; /* so far; `fired` of the first actor of the set */
    size_t size;
    int64_t *numbers;
} state;

typedef struct running {
    inlay_id actor;
    int64_t firing, end;
} running;

typedef struct execution {
    const inlay_sdf *sdf;
    bool member[MOST], inside[MOST_CHANNELS];
    inlay_id first;
    int64_t tokens[MOST_CHANNELS], fired[MOST], time;
    running running[MOST_RUNNING];
    int count;
    state *seen;
    size_t states;
} execution;

static int64_t whole_time(const inlay_sdf *sdf, inlay_id actor, int64_t firing)
{
    inlay_decimal time = inlay_sdf_time(sdf, actor, (int32_t)(firing % inlay_sdf_phases(sdf, actor)));
    for (; time.scale > 0; time.scale--) {
        time.digits /= 10;
    }
    return time.digits;
}

static void start_all(execution *e)
{
    bool any = true;
    while (any) {
        any = false;
        for (inlay_id a = 0; a < inlay_sdf_actors(e->sdf); a++) {
            if (e->member[a] && e->count < MOST_RUNNING && can_fire(e->sdf, e->tokens, e->inside, a, e->fired[a])) {
                take(e->sdf, e->tokens, a, e->fired[a]);
                e->running[e->count++] = (running){a, e->fired[a], e->time + whole_time(e->sdf, a, e->fired[a])};
                e->fired[a]++;
                any = true;
            }
        }
    }
}

/* All firings that end next. */
static void end_next(execution *e)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < e->count; i++) {
        next = e->running[i].end < next ? e->running[i].end : next;
    }
    int left = 0;
    for (int i = 0; i < e->count; i++) {
        if (e->running[i].end == next) {
            put(e->sdf, e->tokens, e->running[i].actor, e->running[i].firing);
        } else {
            e->running[left++] = e->running[i];
        }
    }
    e->count = left;
    e->time = next;
}

static state look(const execution *e)
{
    size_t actors = (size_t)inlay_sdf_actors(e->sdf), channels = (size_t)inlay_sdf_channels(e->sdf);
    state s = {e->time, e->fired[e->first], 0, NULL};
    s.numbers = malloc((actors + channels + 2 * (size_t)e->count + 1) * sizeof *s.numbers);
    for (size_t a = 0; a < actors; a++) {
        s.numbers[s.size++] = e->fired[a] % inlay_sdf_phases(e->sdf, (inlay_id)a);
    }
    for (size_t c = 0; c < channels; c++) {
        s.numbers[s.size++] = e->inside[c] ? e->tokens[c] : 0;
    }
    for (int i = 0; i < e->count; i++) { /* in the order of their starts, which is the same in the same state */
        s.numbers[s.size++] = e->running[i].actor;
        s.numbers[s.size++] = e->running[i].end - e->time;
    }
    return s;
}

static const state *find(const execution *e, const state *s)
{
    for (size_t i = 0; i < e->states; i++) {
        if (e->seen[i].size == s->size && memcmp(e->seen[i].numbers, s->numbers, s->size * sizeof *s->numbers) == 0) {
            return &e->seen[i];
        }
    }
    return NULL;
}

/* The period of one set of actors, as whole firings of its first actor in some time. */
static void run_set(execution *e, int64_t *numerator, int64_t *denominator)
{
    for (int64_t c = 0; c < inlay_sdf_channels(e->sdf); c++) {
        inlay_sdf_channel channel = inlay_sdf_channel_at(e->sdf, c);
        e->inside[c] = e->member[channel.from] && e->member[channel.to];
        e->tokens[c] = channel.tokens;
    }
    for (;;) {
        start_all(e);
        state now = look(e);
        const state *before = find(e, &now);
        if (before != NULL) {
            *numerator = (now.time - before->time) * inlay_sdf_repetitions(e->sdf, e->first);
            *denominator = now.fired - before->fired;
            free(now.numbers);
            return;
        }
        e->seen = realloc(e->seen, (e->states + 1) * sizeof *e->seen);
        e->seen[e->states++] = now;
        end_next(e);
    }
}

/* reach[a][b]: whether a path of channels leads from a to b. */
static void find_reach(const inlay_sdf *sdf, bool reach[MOST][MOST])
{
    inlay_id actors = inlay_sdf_actors(sdf);
    memset(reach, 0, sizeof(bool) * MOST * MOST);
    for (int64_t c = 0; c < inlay_sdf_channels(sdf); c++) {
        inlay_sdf_channel channel = inlay_sdf_channel_at(sdf, c);
        int64_t any = 0;
        for (int32_t p = 0; p < inlay_sdf_phases(sdf, channel.from); p++) {
            any += channel.produced[p];
        }
        reach[channel.from][channel.to] = reach[channel.from][channel.to] || any > 0;
    }
    for (inlay_id via = 0; via < actors; via++) {
        for (inlay_id a = 0; a < actors; a++) {
            for (inlay_id b = 0; b < actors; b++) {
                reach[a][b] = reach[a][b] || (reach[a][via] && reach[via][b]);
            }
        }
    }
}

bool slow_sdf_period(const inlay_sdf *sdf, int64_t *numerator, int64_t *denominator)
{
    bool reach[MOST][MOST], found = false;
    find_reach(sdf, reach);
    for (inlay_id a = 0; a < inlay_sdf_actors(sdf); a++) {
        execution *e = calloc(1, sizeof *e);
        e->sdf = sdf;
        e->first = a;
        bool least = reach[a][a];
        for (inlay_id b = 0; b < inlay_sdf_actors(sdf); b++) {
            e->member[b] = reach[a][b] && reach[b][a];
            least = least && (b >= a || !e->member[b]);
        }
        int64_t above = 0, below = 1;
        if (least) {
            run_set(e, &above, &below);
            if (!found || above * *denominator > *numerator * below) {
                *numerator = above / divisor_of(above, below);
                *denominator = below / divisor_of(above, below);
            }
            found = true;
        }
        for (size_t i = 0; i < e->states; i++) {
            free(e->seen[i].numbers);
        }
        free(e->seen);
        free(e);
    }
    return found;
}

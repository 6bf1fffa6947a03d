/*
 * Synthetic code beside the slow reference, on random mappings: every step of every rank, the lanes, and what the summary
 * says. The ranks are then run one against the other in random turns: nobody waits forever, every message is received by
 * the step that it was sent for, and the elapsed time is that of the event engine.
 */
#include "random_app.h"
#include "map_by_houstis.h"
#include "slow_synth.h"
#include "synth_subject.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 45 };

/** What was met in all rounds of a machine, lest little be tested. */
typedef struct met {
    int64_t messages, accepted, counted, timed, cut;
    int lanes, depth;
} met;

/* ---- The walk beside the reference ---- */

static void near(double found, double expected, const char *what)
{
    ck_assert_msg(fabs(found - expected) <= 1e-12 * fabs(expected) + 1e-18, "%s: %.17g, not %.17g", what, found,
                  expected);
}

static const char *const kinds[] = {"work", "send", "receive", "accept"};

static void expect_step(const inlay_synth_step *found, const inlay_synth_step *expected, const char *what)
{
    ck_assert_msg(found->kind == expected->kind && found->peer == expected->peer && found->bytes == expected->bytes,
                  "%s: %s %d %lld, not %s %d %lld", what, kinds[found->kind], (int)found->peer, (long long)found->bytes,
                  kinds[expected->kind], (int)expected->peer, (long long)expected->bytes);
    if (found->kind != INLAY_SYNTH_DO) {
        ck_assert_msg(found->lane == expected->lane, "%s: lane %d, not %d", what, (int)found->lane,
                      (int)expected->lane);
        return;
    }
    ck_assert_msg(found->counted == expected->counted, "%s: counts or time", what);
    ck_assert_msg(found->arithmetic == expected->arithmetic && found->functions == expected->functions,
                  "%s: %lld and %lld operations, not %lld and %lld", what, (long long)found->arithmetic,
                  (long long)found->functions, (long long)expected->arithmetic, (long long)expected->functions);
    near(found->seconds, expected->seconds, what);
}

/* The next step of the reference that does something. */
static size_t skip(const slow_synth_rank *slow, size_t at)
{
    while (at < slow->steps && slow_synth_nothing(&slow->step[at].step))
        at++;
    return at;
}

/* Walks one rank; the reference's steps then are those of the walk, with what they are for. */
static void compare_rank(const inlay_synth *synth, inlay_id rank, slow_synth_rank *slow, const char *what)
{
    inlay_synth_walk walk = {0};
    inlay_synth_step step;
    size_t at = 0;
    while (inlay_synth_next(synth, rank, &walk, &step)) {
        char where[80];
        if (slow_synth_nothing(&step)) continue;
        at = skip(slow, at);
        snprintf(where, sizeof where, "%s, rank %d, step %zu", what, (int)rank, at);
        ck_assert_msg(at < slow->steps, "%s: a %s too many", where, kinds[step.kind]);
        expect_step(&step, &slow->step[at].step, where);
        slow->step[at++].step = step;
    }
    at = skip(slow, at);
    ck_assert_msg(at == slow->steps, "%s, rank %d: %zu steps, not %zu", what, (int)rank, at, slow->steps);
    ck_assert(!inlay_synth_next(synth, rank, &walk, &step)); /* the end stays the end */
}

static inlay_synth *compare(const synth_subject *subject, slow_synth *slow, const char *what)
{
    inlay_synth *synth = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_synthesise(subject->mapping, &subject->options, &synth, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", what, inlay_diag_message(diag));
    inlay_diag_free(diag);
    slow_synthesise(subject->mapping, &subject->options, slow);
    ck_assert_int_eq(inlay_synth_result(synth)->ranks, slow->ranks);
    for (inlay_id r = 0; r < slow->ranks; r++) {
        ck_assert_int_eq(inlay_synth_cluster(synth, r), slow->rank[r].cluster);
        ck_assert_int_eq(inlay_synth_processor(synth, r), slow->rank[r].processor);
        compare_rank(synth, r, &slow->rank[r], what);
    }
    return synth;
}

/* ---- The summary is what the walk adds up to ---- */

/** Steps as they are told apart: all of it, or of work the work alone. */
typedef struct key {
    int64_t kind, distance, lane, bytes, arithmetic, functions, counted;
    double seconds;
} key;

static key key_of(const inlay_synth_step *step, inlay_id rank, bool with_place)
{
    key k = {.kind = step->kind, .bytes = step->bytes};
    if (step->kind == INLAY_SYNTH_DO) {
        k.arithmetic = step->arithmetic;
        k.functions = step->functions;
        k.counted = step->counted;
        k.seconds = step->seconds;
    } else if (with_place) {
        k.distance = step->peer - rank;
        k.lane = step->lane;
    }
    return k;
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(key));
}

static int64_t distinct(key *keys, size_t count)
{
    int64_t different = 0;
    qsort(keys, count, sizeof *keys, by_bytes);
    for (size_t i = 0; i < count; i++)
        different += i == 0 || memcmp(&keys[i - 1], &keys[i], sizeof *keys) != 0;
    return different;
}

static bool like_before(const inlay_synth *synth, inlay_id a, inlay_id b)
{
    inlay_synth_walk x = {0}, y = {0};
    inlay_synth_step s, t;
    for (;;) {
        bool more = inlay_synth_next(synth, a, &x, &s);
        if (inlay_synth_next(synth, b, &y, &t) != more) return false;
        if (!more) return true;
        key one = key_of(&s, a, true), other = key_of(&t, b, true);
        if (memcmp(&one, &other, sizeof one) != 0) return false;
    }
}

static int64_t count_sequences(const inlay_synth *synth)
{
    int64_t different = 0;
    for (inlay_id r = 0; r < inlay_synth_result(synth)->ranks; r++) {
        bool new = true;
        for (inlay_id before = 0; new &&before < r; before++)
            new = !like_before(synth, before, r);
        different += new;
    }
    return different;
}

/** What a walk through all ranks adds up to. */
typedef struct sums {
    inlay_synth_summary is;
    key *step, *work;
    size_t steps, works;
} sums;

static void add_step(sums *sum, const inlay_synth_step *step, inlay_id rank)
{
    sum->step = slow_synth_room(sum->step, sum->steps, sizeof *sum->step);
    sum->work = slow_synth_room(sum->work, sum->works, sizeof *sum->work);
    sum->step[sum->steps++] = key_of(step, rank, true);
    if (step->kind == INLAY_SYNTH_DO) {
        sum->work[sum->works++] = key_of(step, rank, false);
        sum->is.counted |= step->counted;
        sum->is.timed |= !step->counted;
    } else if (step->kind == INLAY_SYNTH_SEND) {
        sum->is.messages++;
        sum->is.bytes += step->bytes;
        if (step->bytes > sum->is.largest) sum->is.largest = step->bytes;
    }
}

static sums add_up(const inlay_synth *synth)
{
    sums sum = {0};
    for (inlay_id r = 0; r < inlay_synth_result(synth)->ranks; r++) {
        inlay_synth_walk walk = {0};
        inlay_synth_step step;
        int64_t memory = 0;
        while (inlay_synth_next(synth, r, &walk, &step)) {
            add_step(&sum, &step, r);
            memory += step.kind == INLAY_SYNTH_DO ? step.bytes : 0;
        }
        if (memory > sum.is.memory) sum.is.memory = memory;
    }
    sum.is.steps = (int64_t)sum.steps;
    sum.is.kinds = distinct(sum.step, sum.steps);
    sum.is.works = distinct(sum.work, sum.works);
    sum.is.sequences = count_sequences(synth);
    free(sum.step);
    free(sum.work);
    return sum;
}

static void check_summary(const synth_subject *subject, const inlay_synth *synth, const slow_synth *slow)
{
    const inlay_synth_summary *said = inlay_synth_result(synth);
    sums sum = add_up(synth);
    ck_assert_ptr_eq(inlay_synth_mapping(synth), subject->mapping);
    ck_assert_int_eq(said->modules, inlay_app_modules(subject->app));
    ck_assert_int_eq(said->steps, sum.is.steps);
    ck_assert_int_eq(said->kinds, sum.is.kinds);
    ck_assert_int_eq(said->works, sum.is.works);
    ck_assert_int_eq(said->sequences, sum.is.sequences);
    ck_assert_int_eq(said->messages, sum.is.messages);
    ck_assert_int_eq(said->bytes, sum.is.bytes);
    ck_assert_int_eq(said->largest, sum.is.largest);
    ck_assert_int_eq(said->memory, sum.is.memory);
    ck_assert_int_eq(said->counted, sum.is.counted);
    ck_assert_int_eq(said->timed, sum.is.timed);
    ck_assert_int_eq(said->lanes, slow->lanes);
    ck_assert_int_le(said->entries, said->steps); /* folding makes nothing longer */
    ck_assert_int_le(said->depth, (int)(sizeof(inlay_synth_walk){0}.loop / sizeof *(inlay_synth_walk){0}.loop));
    ck_assert_double_eq(said->tick_seconds, slow->tick_seconds);
}

/* ---- The ranks run ---- */

/** Messages of one lane between two ranks: those sent and the steps that take them, in order. */
typedef struct channel {
    const slow_synth_step **sent, **taken;
    double *time; /**< at which each was sent */
    size_t sends, takes;
} channel;

typedef struct execution {
    const slow_synth *program;
    channel *channel; /**< [from][to][lane] */
    size_t at[SLOW_SYNTH_RANKS];
    double clock[SLOW_SYNTH_RANKS]; /**< messages take no time */
    bool ended[SLOW_SYNTH_RANKS];
    bool waiting[SLOW_SYNTH_RANKS]; /**< its receive is posted */
    size_t posted[SLOW_SYNTH_RANKS];
} execution;

static channel *channel_of(const execution *e, inlay_id from, inlay_id to, int32_t lane)
{
    ck_assert(to >= 0 && to < e->program->ranks && to != from && lane >= 0 && lane < e->program->lanes);
    return &e->channel[((size_t)from * (size_t)e->program->ranks + (size_t)to) * (size_t)e->program->lanes +
                       (size_t)lane];
}

/* In a lane the n-th message goes to the n-th step that takes one: that must be the step of the same link. */
static void match(const channel *c, size_t n)
{
    if (n >= c->sends || n >= c->takes) return;
    ck_assert_int_eq(c->sent[n]->link, c->taken[n]->link);
    ck_assert_int_eq(c->sent[n]->message, c->taken[n]->message);
    ck_assert_int_eq(c->sent[n]->step.bytes, c->taken[n]->step.bytes);
}

static void send(execution *e, inlay_id rank, const slow_synth_step *step)
{
    channel *c = channel_of(e, rank, step->step.peer, step->step.lane);
    c->sent = slow_synth_room(c->sent, c->sends, sizeof *c->sent);
    c->time = slow_synth_room(c->time, c->sends, sizeof *c->time);
    c->time[c->sends] = e->clock[rank];
    c->sent[c->sends++] = step;
    match(c, c->sends - 1);
}

/* Its number in the lane. */
static size_t take(channel *c, const slow_synth_step *step)
{
    c->taken = slow_synth_room(c->taken, c->takes, sizeof *c->taken);
    c->taken[c->takes++] = step;
    match(c, c->takes - 1);
    return c->takes - 1;
}

/* False while the message is not there. */
static bool receive(execution *e, inlay_id rank, const slow_synth_step *step)
{
    channel *c = channel_of(e, step->step.peer, rank, step->step.lane);
    if (!e->waiting[rank]) e->posted[rank] = take(c, step);
    e->waiting[rank] = e->posted[rank] >= c->sends;
    if (!e->waiting[rank]) e->clock[rank] = fmax(e->clock[rank], c->time[e->posted[rank]]);
    return !e->waiting[rank];
}

/* Whether all that a rank has sent is taken and all that it accepts was sent: its messages are through. */
static bool all_through(const execution *e, inlay_id rank)
{
    for (inlay_id other = 0; other < e->program->ranks; other++)
        for (int32_t lane = 0; other != rank && lane < e->program->lanes; lane++) {
            const channel *out = channel_of(e, rank, other, lane), *in = channel_of(e, other, rank, lane);
            if (out->sends > out->takes || in->takes > in->sends) return false;
        }
    return true;
}

/* One step of a rank; false where it can do none now. */
static bool advance(execution *e, inlay_id rank)
{
    const slow_synth_rank *r = &e->program->rank[rank];
    if (e->ended[rank]) return false;
    if (e->at[rank] == r->steps) return e->ended[rank] = all_through(e, rank);
    const slow_synth_step *step = &r->step[e->at[rank]];
    if (step->step.kind == INLAY_SYNTH_RECEIVE && !receive(e, rank, step)) return false;
    if (step->step.kind == INLAY_SYNTH_SEND) send(e, rank, step);
    if (step->step.kind == INLAY_SYNTH_ACCEPT) take(channel_of(e, step->step.peer, rank, step->step.lane), step);
    if (step->step.kind == INLAY_SYNTH_DO) e->clock[rank] += step->step.seconds;
    e->at[rank]++;
    return true;
}

static void check_ended(execution *e, const char *what)
{
    const slow_synth *p = e->program;
    for (inlay_id r = 0; r < p->ranks; r++)
        ck_assert_msg(e->ended[r], "%s: rank %d waits forever in step %zu", what, (int)r, e->at[r]);
    for (size_t c = 0; c < (size_t)p->ranks * (size_t)p->ranks * (size_t)p->lanes; c++) {
        ck_assert_uint_eq(e->channel[c].sends, e->channel[c].takes);
        free(e->channel[c].sent);
        free(e->channel[c].taken);
        free(e->channel[c].time);
    }
    free(e->channel);
}

/* Ranks take random turns of random length until nobody can go on; the time at which the last one ends. */
static double run(const slow_synth *program, uint64_t *state, const char *what)
{
    execution e = {.program = program};
    double elapsed = 0;
    size_t channels = (size_t)program->ranks * (size_t)program->ranks * (size_t)program->lanes;
    e.channel = calloc(channels + 1, sizeof *e.channel);
    for (bool moved = true; moved;) {
        inlay_id first = (inlay_id)random_below(state, program->ranks);
        moved = false;
        for (inlay_id k = 0; k < program->ranks; k++) {
            inlay_id rank = (first + k) % program->ranks;
            for (int64_t turn = 1 + random_below(state, 5); turn > 0 && advance(&e, rank); turn--)
                moved = true;
        }
    }
    for (inlay_id r = 0; r < program->ranks; r++)
        elapsed = fmax(elapsed, e.clock[r]);
    check_ended(&e, what);
    return elapsed;
}

/* What the event engine says where messages take no time, in seconds. */
static double engine(const synth_subject *subject, const slow_synth *program)
{
    const inlay_simulation_options options = {.contention = INLAY_CONTENTION_FREE};
    inlay_simulation *simulation = NULL;
    inlay_unit unit = inlay_app_unit(subject->app);
    ck_assert_int_eq(inlay_simulate(subject->mapping, &options, &simulation, NULL), INLAY_OK);
    double makespan = inlay_simulation_result(simulation)->makespan;
    inlay_simulation_free(simulation);
    return makespan * (unit == INLAY_UNIT_TICK ? program->tick_seconds : inlay_unit_seconds(unit));
}

/* ---- All of it ---- */

static void count(met *all, const slow_synth *slow, const inlay_synth *synth)
{
    const inlay_synth_summary *s = inlay_synth_result(synth);
    all->messages += s->messages;
    all->lanes = s->lanes > all->lanes ? s->lanes : all->lanes;
    all->depth = s->depth > all->depth ? s->depth : all->depth;
    for (inlay_id r = 0; r < slow->ranks; r++)
        for (size_t i = 0; i < slow->rank[r].steps; i++) {
            const slow_synth_step *step = &slow->rank[r].step[i];
            bool work = step->step.kind == INLAY_SYNTH_DO;
            all->accepted += step->step.kind == INLAY_SYNTH_ACCEPT;
            all->counted += work && step->step.counted;
            all->timed += work && !step->step.counted;
            all->cut += work && i >= 2 && slow->rank[r].step[i - 2].module == step->module;
        }
}

START_TEST(test_like_the_slow_one)
{
    uint64_t state = (uint64_t)_i + 1;
    slow_synth *slow = malloc(sizeof *slow);
    met all = {0};
    for (int round = 0; round < ROUNDS; round++) {
        char what[40];
        snprintf(what, sizeof what, "machine %d, round %d", _i, round);
        synth_subject subject = synth_draw(&state, _i);
        inlay_synth *synth = compare(&subject, slow, what);
        check_summary(&subject, synth, slow);
        double elapsed = run(slow, &state, what);
        ck_assert_double_eq_tol(elapsed, engine(&subject, slow), 1e-9 * elapsed + 1e-18);
        count(&all, slow, synth);
        inlay_synth_free(synth);
        slow_synth_clear(slow);
        synth_clear(&subject);
    }
    free(slow);
    /* or little was compared */
    ck_assert_int_gt(all.messages, 20 * ROUNDS);
    ck_assert_int_gt(all.accepted, ROUNDS);
    ck_assert_int_gt(all.counted, ROUNDS);
    ck_assert_int_gt(all.timed, ROUNDS);
    ck_assert_int_gt(all.cut, ROUNDS / 5);
    ck_assert_int_gt(all.lanes, 2);
    ck_assert_int_gt(all.depth, 0);
}
END_TEST

/* Regular programs, whose steps repeat: each kind that Inlay generates, mapped by it, and dealt out in turn. */
static synth_subject generated(size_t kind, bool dealt)
{
    synth_subject subject = {.options = {.tick_seconds = 1e-6}};
    inlay_generator generator = inlay_generator_at(kind);
    inlay_generator_options options = {.kind = generator.name};
    inlay_options mapping = {.processors = 6};
    for (int i = 0; i < INLAY_SIZES; i++)
        options.sizes[i] = generator.sizes[i].initial;
    ck_assert_int_eq(inlay_generate(&options, &subject.app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse("bus:8", &subject.machine, NULL), INLAY_OK);
    inlay_id modules = inlay_app_modules(subject.app), *processor = malloc((size_t)modules * sizeof *processor);
    for (inlay_id i = 0; i < modules; i++)
        processor[i] = i % 5;
    int status = dealt ? inlay_evaluate(subject.app, subject.machine, processor, NULL, &subject.mapping, NULL)
                       : map_by_houstis(subject.app, subject.machine, &mapping, &subject.mapping, NULL);
    ck_assert_int_eq(status, INLAY_OK);
    free(processor);
    return subject;
}

START_TEST(test_regular_ones)
{
    uint64_t state = (uint64_t)_i;
    slow_synth *slow = malloc(sizeof *slow);
    for (int dealt = 0; dealt < 2; dealt++) {
        const char *name = inlay_generator_at((size_t)_i).name;
        synth_subject subject = generated((size_t)_i, dealt);
        inlay_synth *synth = compare(&subject, slow, name);
        check_summary(&subject, synth, slow);
        double elapsed = run(slow, &state, name);
        ck_assert_double_eq_tol(elapsed, engine(&subject, slow), 1e-9 * elapsed);
        inlay_synth_free(synth);
        slow_synth_clear(slow);
        synth_clear(&subject);
    }
    free(slow);
}
END_TEST

Suite *suite_synth(void)
{
    Suite *suite = suite_create("synth");
    TCase *tests = tcase_create("synth");
    tcase_add_loop_test(tests, test_like_the_slow_one, 0, SYNTH_MACHINES);
    tcase_add_loop_test(tests, test_regular_ones, 0, (int)inlay_generators());
    suite_add_tcase(suite, tests);
    return suite;
}

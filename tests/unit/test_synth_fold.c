/*
 * Folding of the synthetic program's steps: what comes out is unrolled again, slowly, and compared; repetitions are found
 * by comparing everything with everything; and what cannot be made is refused.
 */
#include "drawn.h"
#include "mapping/mapping.h"
#include "random_app.h"
#include "simulate_subject.h"
#include "synth/fold.h"
#include "synth/synth.h"
#include "unit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sequences ---- */

typedef struct sequence {
    int32_t *symbol;
    size_t symbols, room;
} sequence;

static void append(sequence *s, int32_t symbol)
{
    if (s->symbols == s->room) {
        s->room = 2 * s->room + 16;
        s->symbol = realloc(s->symbol, s->room * sizeof *s->symbol);
        ck_assert_ptr_nonnull(s->symbol);
    }
    s->symbol[s->symbols++] = symbol;
}

static void append_all(sequence *s, const sequence *more, int64_t times)
{
    for (; times > 0; times--) {
        for (size_t k = 0; k < more->symbols; k++) {
            append(s, more->symbol[k]);
        }
    }
}

static sequence copy_of(const sequence *s)
{
    sequence copy = {0};
    append_all(&copy, s, 1);
    return copy;
}

static void append_random(sequence *s, uint64_t *state, int64_t symbols, int64_t alphabet)
{
    for (; symbols > 0; symbols--) {
        append(s, (int32_t)random_below(state, alphabet));
    }
}

/* A symbol unrolled, and what it takes in the table. NOLINTNEXTLINE(misc-no-recursion): as deep as SYNTH_DEPTH */
static int64_t unroll(const folder *f, int32_t symbol, int depth, sequence *result)
{
    int64_t times, entries = 1;
    size_t symbols;
    if (symbol >= 0) {
        append(result, symbol);
        return 1;
    }
    ck_assert_int_lt(depth, SYNTH_DEPTH);
    const int32_t *body = folder_body(f, ~symbol, &symbols, &times);
    ck_assert_int_ge(times, 2);
    ck_assert_uint_ge(symbols, 1);
    sequence once = {0};
    for (size_t k = 0; k < symbols; k++) {
        entries += unroll(f, body[k], depth + 1, &once);
    }
    append_all(result, &once, times);
    free(once.symbol);
    ck_assert_int_eq(entries, folder_size(f, symbol));
    return entries;
}

static void expect_same(const sequence *a, const sequence *b)
{
    ck_assert_uint_eq(a->symbols, b->symbols);
    size_t same = 0;
    while (same < a->symbols && a->symbol[same] == b->symbol[same]) {
        same++;
    }
    ck_assert_msg(same == a->symbols, "symbol %zu of %zu differs", same, a->symbols);
}

/* Folds it, checks that it is what it was and that no loop is in vain, and tells its entries. */
static int64_t fold_checked(folder *f, const sequence *s)
{
    sequence folded = copy_of(s), again = {0};
    int64_t entries = 0;
    ck_assert_int_eq(folder_fold(f, folded.symbol, &folded.symbols), INLAY_OK);
    for (size_t k = 0; k < folded.symbols; k++) {
        entries += unroll(f, folded.symbol[k], 0, &again);
    }
    expect_same(s, &again);
    ck_assert_int_le(entries, (int64_t)s->symbols);
    free(folded.symbol);
    free(again.symbol);
    return entries;
}

static int64_t fold_alone(const sequence *s)
{
    folder f = {0};
    int64_t entries = fold_checked(&f, s);
    folder_clear(&f);
    return entries;
}

/* ---- Repetitions ---- */

static bool repeats_at(const sequence *s, int64_t begin, int64_t end, int64_t period)
{
    for (int64_t k = begin; k < end - period; k++) {
        if (s->symbol[k] != s->symbol[k + period]) {
            return false;
        }
    }
    return true;
}

/* Whether a shorter period does as well. */
static bool has_shorter(const sequence *s, int64_t begin, int64_t end, int64_t period)
{
    bool shorter = false;
    for (int64_t p = 1; p < period; p++) {
        shorter |= repeats_at(s, begin, end, p);
    }
    return shorter;
}

static bool is_found(const repeat_finder *f, int64_t begin, int64_t end, int64_t period)
{
    for (size_t k = 0; k < f->repeats; k++) {
        const repeat *r = &f->found[k];
        if (r->begin == begin && r->end == end && r->period == period) {
            return true;
        }
    }
    return false;
}

/* All that cannot be made longer, by their definition; how many there are. */
static int64_t expect_found(const repeat_finder *f, const sequence *s)
{
    int64_t n = (int64_t)s->symbols, count = 0;
    for (int64_t begin = 0; begin < n; begin++) {
        for (int64_t period = 1; begin + 2 * period <= n; period++) {
            int64_t end = begin + 2 * period;
            if (!repeats_at(s, begin, end, period) ||
                (begin > 0 && s->symbol[begin - 1] == s->symbol[begin - 1 + period])) {
                continue;
            }
            while (end < n && s->symbol[end] == s->symbol[end - period]) {
                end++;
            }
            if (!has_shorter(s, begin, end, period)) {
                count++;
                ck_assert_msg(is_found(f, begin, end, period), "%lld to %lld by %lld is not found", (long long)begin,
                              (long long)end, (long long)period);
            }
        }
    }
    return count;
}

START_TEST(test_repeats)
{
    uint64_t state = (uint64_t)_i + 1;
    repeat_finder f = {0};
    int64_t all = 0;
    for (int round = 0; round < DRAWN_SYNTH_REPEATS; round++) {
        sequence s = {0};
        append_random(&s, &state, random_below(&state, 48), 1 + _i);
        if (s.symbols > 0 && random_once_in(&state, 2)) {
            sequence twice = {0};
            append_all(&twice, &s, 2 + random_below(&state, 2));
            free(s.symbol);
            s = twice;
        }
        ck_assert_int_eq(repeat_finder_run(&f, s.symbol, (int32_t)s.symbols), 0);
        for (size_t k = 0; k < f.repeats; k++) {
            const repeat *r = &f.found[k];
            ck_assert(r->begin >= 0 && r->end <= (int32_t)s.symbols && r->end - r->begin >= 2 * r->period);
            ck_assert(repeats_at(&s, r->begin, r->end, r->period));
        }
        all += expect_found(&f, &s);
        free(s.symbol);
    }
    ck_assert_int_gt(all, DRAWN_SYNTH_REPEATS / 2);
    repeat_finder_clear(&f);
}
END_TEST

/* Words of two letters with as many repetitions as there can be, and without any cube. */
START_TEST(test_repeats_of_words)
{
    sequence fibonacci = {0}, before = {0}, thue = {0};
    repeat_finder f = {0};
    append(&before, 0);
    append(&fibonacci, 0);
    append(&fibonacci, 1);
    while (fibonacci.symbols < 250) {
        sequence longer = copy_of(&fibonacci);
        append_all(&longer, &before, 1);
        free(before.symbol);
        before = fibonacci;
        fibonacci = longer;
    }
    for (int32_t k = 0; k < 256; k++) {
        append(&thue, __builtin_popcount((unsigned)k) % 2);
    }
    ck_assert_int_eq(repeat_finder_run(&f, fibonacci.symbol, (int32_t)fibonacci.symbols), 0);
    ck_assert_int_gt(expect_found(&f, &fibonacci), 150);
    ck_assert_int_eq(repeat_finder_run(&f, thue.symbol, (int32_t)thue.symbols), 0);
    ck_assert_int_gt(expect_found(&f, &thue), 100);
    (void)fold_alone(&fibonacci);
    (void)fold_alone(&thue);
    repeat_finder_clear(&f);
    free(fibonacci.symbol);
    free(before.symbol);
    free(thue.symbol);
}
END_TEST

/* ---- Folding ---- */

START_TEST(test_random)
{
    uint64_t state = 7 + (uint64_t)_i;
    folder f = {0}; /* one for all: loops of one sequence are met in the next */
    for (int round = 0; round < DRAWN_SYNTH_FOLD; round++) {
        sequence s = {0};
        append_random(&s, &state, random_below(&state, 300), 1 + _i);
        (void)fold_checked(&f, &s);
        free(s.symbol);
    }
    folder_clear(&f);
}
END_TEST

/* Something before, `iterations` times the same, something after. */
static sequence iterate(uint64_t seed, int64_t period, int64_t alphabet, int64_t iterations)
{
    sequence s = {0}, body = {0};
    uint64_t state = seed;
    append_random(&s, &state, random_below(&state, 20), alphabet);
    append_random(&body, &state, period, alphabet);
    append_all(&s, &body, iterations);
    append_random(&s, &state, random_below(&state, 20), alphabet);
    free(body.symbol);
    return s;
}

/* A thousand equal iterations take as many entries as ten, whatever an iteration is. */
START_TEST(test_iterations)
{
    for (int64_t period = 1; period <= 40; period++) {
        for (uint64_t seed = 0; seed < 8; seed++) {
            sequence few = iterate(seed * 1000 + (uint64_t)period, period, 1 + _i, 10),
                     many = iterate(seed * 1000 + (uint64_t)period, period, 1 + _i, 1000);
            int64_t entries = fold_alone(&few);
            ck_assert_int_eq(fold_alone(&many), entries);
            ck_assert_int_le(entries, 40 + 1 + 3 * period);
            free(few.symbol);
            free(many.symbol);
        }
    }
}
END_TEST

START_TEST(test_long_period)
{
    sequence s = iterate(3, 10000, 1000000, 100);
    ck_assert_int_le(fold_alone(&s), 10000 + 1 + 40);
    free(s.symbol);
}
END_TEST

/* Loops in loops of random bodies: the program that made the sequence, and its entries. */
static int64_t append_program(sequence *s, uint64_t *state, int depth) // NOLINT(misc-no-recursion): at most 5 deep
{
    int64_t entries = 0;
    for (int64_t parts = 1 + random_below(state, 3); parts > 0; parts--) {
        if (depth == 0 || random_once_in(state, 3)) {
            append(s, (int32_t)random_below(state, 1000));
            entries++;
            continue;
        }
        sequence body = {0};
        entries += 1 + append_program(&body, state, depth - 1);
        append_all(s, &body, 3 + random_below(state, 3));
        free(body.symbol);
    }
    return entries;
}

/* With symbols that hardly stand twice by chance, about as few entries come out as the program had. */
START_TEST(test_nested)
{
    uint64_t state = 99;
    int64_t made = 0, folded = 0;
    for (int round = 0; round < DRAWN_SYNTH_REPEATS; round++) {
        sequence s = {0};
        made += append_program(&s, &state, 4);
        folded += fold_alone(&s);
        free(s.symbol);
    }
    ck_assert_int_gt(made, 10 * DRAWN_SYNTH_REPEATS);
    ck_assert_msg(10 * folded <= 11 * made, "%lld entries for %lld", (long long)folded, (long long)made);
}
END_TEST

/* s(d + 1) = s(d) s(d) d: as many loops in each other as are allowed, and no more. */
START_TEST(test_depth)
{
    sequence s = {0};
    folder f = {0};
    append(&s, 100);
    append(&s, 101);
    for (int32_t d = 0; d < 18; d++) {
        sequence twice = {0};
        append_all(&twice, &s, 2);
        append(&twice, d);
        free(s.symbol);
        s = twice;
    }
    ck_assert_int_lt(fold_checked(&f, &s), 1000);
    int32_t deepest = 0, loop = 0;
    for (int32_t k = 0; k < f.loop.count; k++) {
        deepest = folder_depth(&f, ~k) > deepest ? folder_depth(&f, ~k) : deepest;
    }
    ck_assert_int_eq(deepest, SYNTH_DEPTH);
    for (int32_t k = 0; k < f.loop.count && loop == 0; k++) {
        loop = folder_depth(&f, ~k) == SYNTH_DEPTH ? ~k : 0;
    }
    ck_assert_int_eq(folder_loop(&f, (const int32_t[]){1, loop}, 2, 2, &loop), INLAY_NO_ANSWER);
    folder_clear(&f);
    free(s.symbol);
}
END_TEST

/* A loop alone in a loop is one, and equal loops have one number. */
START_TEST(test_loops)
{
    folder f = {0};
    int32_t inner, outer, flat, other;
    int64_t times;
    size_t symbols;
    ck_assert_int_eq(folder_loop(&f, (const int32_t[]){5, 6}, 2, 3, &inner), INLAY_OK);
    ck_assert_int_eq(folder_loop(&f, &inner, 1, 4, &outer), INLAY_OK);
    ck_assert_int_eq(folder_loop(&f, (const int32_t[]){5, 6}, 2, 12, &flat), INLAY_OK);
    ck_assert_int_eq(folder_loop(&f, (const int32_t[]){5, 6}, 2, 13, &other), INLAY_OK);
    ck_assert_int_eq(outer, flat);
    ck_assert_int_ne(outer, other);
    ck_assert_int_eq(folder_size(&f, outer), 3);
    ck_assert_int_eq(folder_depth(&f, outer), 1);
    ck_assert_int_eq(folder_body(&f, ~outer, &symbols, &times)[1], 6);
    ck_assert_int_eq(times, 12);
    folder_clear(&f);
}
END_TEST

/* ---- The whole ---- */

/* Iterations of a grid: the table does not grow with them, and the walk goes through all of them. */
static inlay_synth_summary stencil(int64_t steps)
{
    inlay_generator_options options = {.kind = "stencil", .rate = 1e9};
    options.sizes[INLAY_SIZE_SIZE] = 12;
    options.sizes[INLAY_SIZE_DIMENSIONS] = 1;
    options.sizes[INLAY_SIZE_STEPS] = steps;
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_synth *synth = NULL;
    ck_assert_int_eq(inlay_generate(&options, &app, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_parse("bus:4,capacity=1GB/s", &machine, NULL), INLAY_OK);
    inlay_id *processor = calloc((size_t)inlay_app_modules(app), sizeof *processor);
    ck_assert_ptr_nonnull(processor);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        processor[i] = i % 12 / 3;
    }
    ck_assert_int_eq(inlay_evaluate(app, machine, processor, NULL, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_synthesise(mapping, NULL, &synth, NULL), INLAY_OK);
    inlay_synth_summary sum = *inlay_synth_result(synth);
    int64_t walked = 0;
    for (inlay_id rank = 0; rank < sum.ranks; rank++) {
        inlay_synth_walk walk = {0};
        for (inlay_synth_step step; inlay_synth_next(synth, rank, &walk, &step);) {
            walked++;
        }
        ck_assert_int_eq(walk.depth, 0);
    }
    ck_assert_int_eq(walked, sum.steps);
    ck_assert_int_eq(inlay_app_modules(app), 12 * steps);
    inlay_synth_free(synth);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    free(processor);
    return sum;
}

START_TEST(test_stencil)
{
    inlay_synth_summary few = stencil(10), many = stencil(1000);
    ck_assert_int_eq(many.entries, few.entries);
    ck_assert_int_eq(many.kinds, few.kinds);
    ck_assert_int_eq(many.sequences, few.sequences);
    ck_assert_int_gt(many.steps, 99 * few.steps);
}
END_TEST

/* ---- Refusals ---- */

static const small_app pair = {2, 1, {3, 4}, {{0, 1, 1}}, false, {0}};

static void expect_refused(const inlay_mapping *mapping, const inlay_synth_options *options, int status,
                           const char *message)
{
    inlay_synth *synth = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_synthesise(mapping, options, &synth, diag), status);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_ptr_null(synth);
    inlay_diag_free(diag);
}

START_TEST(test_options)
{
    static const int apart[] = {0, 1};
    small_case at = small_place(&pair, apart, "bus:4");
    inlay_synth *synth = NULL;
    expect_refused(NULL, NULL, INLAY_BAD_ARGUMENT, "a synthetic program is that of a mapping");
    ck_assert_int_eq(inlay_synthesise(at.mapping, NULL, NULL, NULL), INLAY_BAD_ARGUMENT);
    expect_refused(at.mapping, &(inlay_synth_options){.work = (inlay_synth_work)3}, INLAY_BAD_ARGUMENT,
                   "work is 3; expected 0 to 2");
    expect_refused(at.mapping, &(inlay_synth_options){.tick_seconds = -1}, INLAY_BAD_ARGUMENT,
                   "a tick is -1 s; expected a time, or 0");
    expect_refused(at.mapping, &(inlay_synth_options){.tick_seconds = NAN}, INLAY_BAD_ARGUMENT,
                   "a tick is nan s; expected a time, or 0");
    expect_refused(at.mapping, &(inlay_synth_options){.message_size = -8}, INLAY_BAD_ARGUMENT,
                   "a message has -8 bytes; expected 0 to 2^53");
    ck_assert_int_eq(inlay_synthesise(at.mapping, &(inlay_synth_options){.tick_seconds = 1e-3}, &synth, NULL),
                     INLAY_OK);
    inlay_synth_free(synth);
    small_clear(&at);
}
END_TEST

START_TEST(test_ticks)
{
    static const int apart[] = {0, 1};
    small_case at = small_place(&pair, apart, "bus:4");
    inlay_synth *synth = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_synthesise(at.mapping, NULL, &synth, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag),
                     "times of small are in ticks, whose length is not known; expected the length of a tick");
    ck_assert_str_eq(inlay_diag_remedy_option(diag), "--tick");
    ck_assert_str_eq(inlay_diag_remedy_value(diag), "1ms");
    inlay_diag_free(diag);
    /* no time is needed where modules do their counts alone, and what it is nobody knows */
    inlay_synth_step step;
    inlay_synth_walk walk = {0};
    ck_assert_int_eq(inlay_synthesise(at.mapping, &(inlay_synth_options){.work = INLAY_SYNTH_COUNTS}, &synth, NULL),
                     INLAY_OK);
    ck_assert(inlay_synth_next(synth, 0, &walk, &step));
    ck_assert(step.kind == INLAY_SYNTH_DO && step.counted);
    ck_assert_double_eq(step.seconds, 0);
    inlay_synth_free(synth);
    small_clear(&at);
}
END_TEST

START_TEST(test_stuck)
{
    static const char message[] = "module 'b' waits for one that comes after it in the order of its processor, or of "
                                  "another that waits too";
    static const small_app crossed = {4, 2, {1, 1, 1, 1}, {{0, 3, 1}, {2, 1, 1}}, false, {0}};
    static const int together[] = {0, 0}, two[] = {0, 0, 1, 1};
    const inlay_synth_options options = {.tick_seconds = 1};
    small_case at = small_place(&pair, together, "bus:4");
    at.mapping->lists.module[0] = 1;
    at.mapping->lists.module[1] = 0;
    expect_refused(at.mapping, &options, INLAY_NO_ANSWER, message);
    small_clear(&at);
    /* a sends to d and c to b: b before a and d before c wait for each other */
    at = small_place(&crossed, two, "bus:4");
    inlay_synth *synth = NULL;
    ck_assert_int_eq(inlay_synthesise(at.mapping, &options, &synth, NULL), INLAY_OK);
    inlay_synth_free(synth);
    memcpy(at.mapping->lists.module, (const inlay_id[]){1, 0, 3, 2}, 4 * sizeof(inlay_id));
    expect_refused(at.mapping, &options, INLAY_NO_ANSWER, message);
    small_clear(&at);
}
END_TEST

START_TEST(test_overflow)
{
    static const char message[] =
        "operations, bytes or steps of the synthetic program pass 2^53; expected smaller counts, or fewer messages";
    static const int apart[] = {0, 1};
    static const small_app many = {2, 1, {3, 4}, {{0, 1, 2147483647}}, false, {0}};
    small_case at = small_place(&many, apart, "bus:4");
    expect_refused(at.mapping, &(inlay_synth_options){.tick_seconds = 1, .message_size = INT64_C(1) << 40},
                   INLAY_OVERFLOW, message);
    /* as many messages, but of fewer bytes, are one loop */
    inlay_synth *synth = NULL;
    ck_assert_int_eq(inlay_synthesise(at.mapping, &(inlay_synth_options){.tick_seconds = 1}, &synth, NULL), INLAY_OK);
    const inlay_synth_summary *sum = inlay_synth_result(synth);
    ck_assert_int_eq(sum->messages, 2147483647);
    ck_assert_int_eq(sum->bytes, 8 * INT64_C(2147483647));
    ck_assert_int_eq(sum->entries, 2 * (1 + 2));
    inlay_synth_free(synth);
    small_clear(&at);
}
END_TEST

Suite *suite_synth_fold(void)
{
    Suite *suite = suite_create("synth_fold");
    TCase *tests = tcase_create("synth_fold");
    tcase_add_loop_test(tests, test_repeats, 0, 4);
    tcase_add_test(tests, test_repeats_of_words);
    tcase_add_loop_test(tests, test_random, 0, 4);
    tcase_add_loop_test(tests, test_iterations, 0, 6);
    tcase_add_test(tests, test_long_period);
    tcase_add_test(tests, test_nested);
    tcase_add_test(tests, test_depth);
    tcase_add_test(tests, test_loops);
    tcase_add_test(tests, test_stencil);
    tcase_add_test(tests, test_options);
    tcase_add_test(tests, test_ticks);
    tcase_add_test(tests, test_stuck);
    tcase_add_test(tests, test_overflow);
    suite_add_tcase(suite, tests);
    return suite;
}

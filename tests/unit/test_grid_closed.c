/*
 * Closed forms of the thesis, 6.8 to 6.34, against the general count: each is written down as it stands and must give
 * what formula 6.11 gives for the messages that are counted. Those for like processors and for strips and blocks of one
 * size are in test_grid_costs.c, 6.19 is in test_grid_quads.c.
 */
#include "grid_subject.h"
#include "slow_grid.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static const double lambda = 0.0025, tau = 1.5e-6, frame = 58, payload = 1460, item = 8;

/* F ceil(D / M) */
static double frames(double bytes)
{
    return frame * ceil(bytes / payload);
}

static void expect_near(double seconds, double expected)
{
    ck_assert_double_eq_tol(seconds, expected, 1e-10 * (1 + expected));
}

/* 6.8: cells_i = m n s_i / sum s, where these are whole; the time of computing W is that of each of them. */
START_TEST(ideal_shares)
{
    grid_subject s;
    grid_subject_square(60, (double[]){5, 4, 3, 2, 1, 0}, &s);
    inlay_grid_phase phase = {.work = 7};
    for (int method = INLAY_GRID_ROW; method <= INLAY_GRID_POINT; method++) {
        inlay_decomposition *d = grid_decomposed(&s.problem, (inlay_grid_method)method, NULL);
        inlay_grid_cost cost;
        for (int i = 0; i < 5; i++)
            ck_assert_int_eq(inlay_decomposition_cells(d, i), 3600 * (5 - i) / 15);
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
        expect_near(cost.seconds, 3600.0 / 15 * 7);
        ck_assert_double_eq_tol(cost.imbalance, 1, 1e-12);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* 6.9: one message, lambda + tau (D + F ceil(D / M)) + W: a strip sends its edge south on a bounded grid. */
START_TEST(one_message)
{
    for (int64_t n = 1; n <= 1200; n += 37) {
        grid_subject s;
        grid_subject_alike(10, n, 2, &s);
        s.problem.bounded = true;
        const inlay_grid_offset south = {.down = 1};
        inlay_grid_phase phase = {.pattern = {.communication = INLAY_GRID_OFFSETS, .offsets = 1, .offset = &south},
                                  .work = 3};
        inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
        inlay_grid_cost cost;
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
        double bytes = item * (double)n;
        expect_near(cost.seconds, lambda + tau * (bytes + frames(bytes)) + 3 * 5 * (double)n);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* 6.10: lambda max_i C_i + tau sum_ij (D_ij + F ceil(D_ij / M)) + W, and without W 6.14 and 6.15, for any D_ij. */
START_TEST(given_bytes)
{
    uint64_t state = 610;
    for (int n = 0; n < 300; n++) {
        int p = (int)grid_subject_between(&state, 1, 12);
        int64_t bytes[144];
        double most = 0, sum = 0;
        for (int i = 0; i < p; i++) {
            double messages = 0;
            for (int j = 0; j < p; j++) {
                int64_t b = grid_subject_between(&state, 0, 1) * grid_subject_between(&state, 1, 5000);
                bytes[i * p + j] = b;
                messages += i != j && b > 0;
                sum += i != j ? (double)b + frames((double)b) : 0;
            }
            most = fmax(most, messages);
        }
        grid_subject s;
        grid_subject_alike(2 * p, 5, p, &s);
        inlay_grid_phase phase = {.pattern = {.communication = INLAY_GRID_RANDOM, .bytes = bytes}, .work = n % 3};
        inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
        inlay_grid_cost cost;
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
        expect_near(cost.seconds, lambda * most + tau * sum + 10 * (n % 3));
        inlay_decomposition_free(d);
    }
}
END_TEST

/* ---- Scattered cells: 6.24 and 6.32 ---- */

/* What the formulas need of a table of owners, counted cell by cell in the directions given. */
typedef struct counted {
    double most;       /* sum over k of max_i C_ik */
    double frames;     /* sum of F ceil(D_ijk / M) */
    double all, moved; /* items; those whose neighbour is another's */
} counted;

static counted count_scattered(const inlay_grid_problem *problem, const inlay_decomposition *d,
                               const inlay_grid_offset *offset, size_t directions)
{
    static int32_t owner[SLOW_CELLS];
    static slow_grid_messages messages;
    counted c = {.all = (double)directions * (double)problem->rows * (double)problem->columns};
    slow_grid_owners(d, owner);
    memset(&messages, 0, sizeof messages);
    slow_grid_count(problem, owner, offset, directions, &messages);
    for (size_t k = 0; k < directions; k++) {
        double most = 0;
        for (int i = 0; i < problem->processors; i++) {
            double sends = 0;
            for (int j = 0; j < problem->processors; j++) {
                double cells = i == j ? 0 : (double)messages.cells[k][i][j];
                sends += cells > 0;
                c.moved += cells;
                c.frames += frames(item * cells);
            }
            most = fmax(most, sends);
        }
        c.most += most;
    }
    return c;
}

/*
 * lambda sum_k max C_ik + tau (d x items + F sum ceil(D_ijk / M)) with all m n items of a direction: exact where no
 * neighbour is one's own, and else above by d tau for each item that stays.
 */
static void expect_scattered(const grid_subject *s, inlay_grid_method method, const inlay_grid_options *options,
                             inlay_grid_communication communication, bool none_stays)
{
    inlay_grid_offset offset[SLOW_DIRECTIONS];
    size_t directions = slow_grid_directions(communication, offset);
    inlay_decomposition *d = grid_decomposed(&s->problem, method, options);
    counted c = count_scattered(&s->problem, d, offset, directions);
    double formula = lambda * c.most + tau * (item * c.all + c.frames);
    expect_near(grid_cost_of(d, &grid_ethernet, communication).seconds, formula - tau * item * (c.all - c.moved));
    if (none_stays)
        ck_assert_double_eq(c.moved, c.all);
    else
        ck_assert_double_lt(c.moved, c.all);
    inlay_decomposition_free(d);
}

START_TEST(interleaved_unlike)
{
    static const double equal_turns[][9] = {{2, 2, 1, 1, 0}, {3, 3, 2, 2, 1, 1, 0}};
    for (size_t i = 0; i < 2; i++) {
        grid_subject s;
        grid_subject_square(i == 0 ? 54 : 60, equal_turns[i], &s);
        expect_scattered(&s, INLAY_GRID_INTERLEAVED, NULL, INLAY_GRID_WAVEFRONT, false);
        expect_scattered(&s, INLAY_GRID_INTERLEAVED, NULL, INLAY_GRID_STENCIL3, true); /* 6.32: 2 m n items */
        expect_scattered(&s, INLAY_GRID_INTERLEAVED, NULL, INLAY_GRID_STENCIL5, false);
    }
    grid_subject s;
    grid_subject_square(54, (double[]){4, 2, 2, 1, 0}, &s); /* 0 1 2 3 0 1 2 0 0: rows of one rank side by side */
    expect_scattered(&s, INLAY_GRID_INTERLEAVED, NULL, INLAY_GRID_STENCIL3, false);
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_INTERLEAVED, NULL);
    ck_assert_double_eq(grid_cost_of(d, &grid_ethernet, INLAY_GRID_STENCIL3).bytes, 8 * 2 * 54 * 54 * 7 / 9.0);
    inlay_decomposition_free(d);
}
END_TEST

/* 6.24 of rows south, m n items. */
START_TEST(interleaved_south)
{
    static const inlay_grid_offset south[] = {{.down = 1}};
    for (int p = 2; p <= 9; p++) {
        double speed[SUBJECT_PROCESSORS] = {0};
        for (int i = 0; i < p; i++)
            speed[i] = 1 + i / 2;    /* pairs of like speed: the fastest two take turns */
        speed[p - 1] = speed[p - 2]; /* the fastest are two */
        grid_subject s;
        grid_subject_square(60, speed, &s);
        inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_INTERLEAVED, NULL);
        counted c = count_scattered(&s.problem, d, south, 1);
        inlay_grid_phase phase = {.pattern = {.communication = INLAY_GRID_OFFSETS, .offsets = 1, .offset = south}};
        inlay_grid_cost cost;
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
        double formula = lambda * c.most + tau * (item * 60 * 60 + c.frames);
        expect_near(cost.seconds, formula - tau * item * (c.all - c.moved));
        ck_assert_double_le(cost.seconds, formula);
        inlay_decomposition_free(d);
    }
}
END_TEST

START_TEST(scattered_points)
{
    for (int p = 2; p <= 8; p++) {
        grid_subject s;
        grid_subject_alike(48, 60, p, &s);
        inlay_grid_options options = {.seed = (uint64_t)p};
        expect_scattered(&s, INLAY_GRID_SCATTER, &options, INLAY_GRID_WAVEFRONT, false);
        expect_scattered(&s, INLAY_GRID_SCATTER, &options, INLAY_GRID_STENCIL5, false);
    }
}
END_TEST

/* 6.29 and its 6 p - 4 messages hold where every run is a row long at least; shorter ones reach more others. */
START_TEST(short_runs)
{
    double speed[SUBJECT_PROCESSORS] = {0};
    for (int i = 0; i < 16; i++)
        speed[i] = 16 - i;
    grid_subject s;
    grid_subject_square(97, speed, &s);
    s.problem.columns = 101;
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_POINT, NULL);
    ck_assert_int_lt(inlay_decomposition_cells(d, 15), 101);
    ck_assert_double_eq(grid_cost_of(d, &grid_ethernet, INLAY_GRID_STENCIL5).messages, 94);
    inlay_decomposition_free(d);
}
END_TEST

/* ---- Rectangles of any kind: 6.20, 6.26 to 6.28 and 6.34 are 6.11 over the directions of the pattern ---- */

/* Cells of a row of `length` from [a, b), one place on, that lie in [c, d): around the edge too. */
static double overlap(int64_t a, int64_t b, int64_t c, int64_t d, int64_t shift, int64_t length)
{
    double cells = 0;
    for (int64_t x = a; x < b; x++) {
        int64_t at = ((x + shift) % length + length) % length;
        cells += at >= c && at < d;
    }
    return cells;
}

/* 6.11 from the sides of the rectangles: D_ijk = d x overlap of rows x overlap of columns. */
static double by_sides(const inlay_grid_problem *problem, const inlay_decomposition *d, const inlay_grid_offset *offset,
                       size_t directions)
{
    double units = 0, carried = 0;
    for (size_t k = 0; k < directions; k++) {
        double most = 0;
        for (int i = 0; i < problem->processors; i++) {
            inlay_grid_block a, b;
            double sends = 0;
            inlay_decomposition_block(d, i, &a);
            for (int j = 0; j < problem->processors; j++) {
                inlay_decomposition_block(d, j, &b);
                double cells = overlap(a.top, a.bottom, b.top, b.bottom, offset[k].down, problem->rows) *
                               overlap(a.left, a.right, b.left, b.right, offset[k].across, problem->columns);
                double bytes = i == j ? 0 : item * cells;
                sends += bytes > 0;
                carried += bytes + frames(bytes);
            }
            most = fmax(most, sends);
        }
        units += most;
    }
    return lambda * units + tau * carried;
}

START_TEST(rectangles_by_their_sides)
{
    static const inlay_grid_method methods[] = {INLAY_GRID_BLOCK, INLAY_GRID_BRBD, INLAY_GRID_FBRD,
                                                INLAY_GRID_FBRD_ALTERNATE, INLAY_GRID_PHD};
    static const inlay_grid_communication patterns[] = {INLAY_GRID_SYSTOLIC, INLAY_GRID_WAVEFRONT, INLAY_GRID_STENCIL5,
                                                        INLAY_GRID_STENCIL9};
    uint64_t state = 620;
    for (int n = 0; n < 60; n++) {
        double speed[SUBJECT_PROCESSORS] = {0};
        int p = (int)grid_subject_between(&state, 2, 9);
        for (int i = 0; i < p; i++)
            speed[i] = (double)grid_subject_between(&state, 1, 8);
        grid_subject s;
        grid_subject_square(grid_subject_between(&state, 20, 400), speed, &s);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            inlay_decomposition *d = grid_decomposed(&s.problem, methods[m], NULL);
            for (size_t c = 0; c < sizeof patterns / sizeof *patterns; c++) {
                inlay_grid_offset offset[SLOW_DIRECTIONS];
                size_t directions = slow_grid_directions(patterns[c], offset);
                expect_near(grid_cost_of(d, &grid_ethernet, patterns[c]).seconds,
                            by_sides(&s.problem, d, offset, directions));
            }
            inlay_decomposition_free(d);
        }
    }
}
END_TEST

/* 6.12 and 6.13 with items of any size. */
START_TEST(items_of_any_size)
{
    for (int64_t bytes = 1; bytes < 6000; bytes += 333) {
        for (int p = 2; p <= 9; p++) {
            grid_subject s;
            grid_subject_alike(30, 30, p, &s);
            s.problem.item = bytes;
            inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
            double one = (double)bytes + frames((double)bytes);
            expect_near(grid_cost_of(d, &grid_ethernet, INLAY_GRID_BROADCAST).seconds,
                        lambda * (p - 1) + tau * (p - 1) * one); /* 6.12 */
            expect_near(grid_cost_of(d, &grid_ethernet, INLAY_GRID_REDUCTION).seconds,
                        lambda + tau * (p - 1) * one); /* 6.13 */
            inlay_decomposition_free(d);
        }
    }
}
END_TEST

Suite *suite_grid_closed(void)
{
    Suite *suite = suite_create("grid_closed");
    TCase *test = tcase_create("grid_closed");
    tcase_add_test(test, ideal_shares);
    tcase_add_test(test, one_message);
    tcase_add_test(test, given_bytes);
    tcase_add_test(test, interleaved_unlike);
    tcase_add_test(test, interleaved_south);
    tcase_add_test(test, scattered_points);
    tcase_add_test(test, short_runs);
    tcase_add_test(test, rectangles_by_their_sides);
    tcase_add_test(test, items_of_any_size);
    suite_add_tcase(suite, test);
    return suite;
}

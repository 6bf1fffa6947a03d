/* Costs of decompositions: figures 36 to 38, the closed forms 6.12 to 6.35, networks of chapter 3. */
#include "grid_subject.h"
#include "unit.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

static double number(const json_t *row, size_t i)
{
    ck_assert(json_is_number(json_array_get(row, i)));
    return json_number_value(json_array_get(row, i));
}

/* ---- Closed forms: units x lambda + tau x messages x (bytes with their frames) ---- */

static double framed(double bytes)
{
    return bytes + 58 * ceil(bytes / 1460);
}

static double closed(double units, double messages, double bytes)
{
    return 0.0025 * units + 1.5e-6 * messages * framed(bytes);
}

static void expect_near(double seconds, double expected)
{
    ck_assert_double_eq_tol(seconds, expected, 1e-10 * (1 + expected));
}

/* A decomposition of m x n cells for p like processors costs what a formula says. */
static void expect_closed(int64_t m, int64_t n, int p, inlay_grid_method method, inlay_grid_communication communication,
                          double expected)
{
    grid_subject s;
    grid_subject_alike(m, n, p, &s);
    inlay_decomposition *d = grid_decomposed(&s.problem, method, NULL);
    expect_near(grid_cost_of(d, &grid_ethernet, communication).seconds, expected);
    inlay_decomposition_free(d);
}

START_TEST(patterns_without_directions)
{
    for (int p = 2; p <= 16; p++) {
        expect_closed(32, 32, p, INLAY_GRID_ROW, INLAY_GRID_BROADCAST, closed(p - 1, p - 1, 8)); /* 6.12 */
        expect_closed(32, 32, p, INLAY_GRID_PHD, INLAY_GRID_BROADCAST, closed(p - 1, p - 1, 8));
        expect_closed(32, 32, p, INLAY_GRID_ROW, INLAY_GRID_REDUCTION, closed(1, p - 1, 8));        /* 6.13 */
        expect_closed(32, 32, p, INLAY_GRID_ROW, INLAY_GRID_RANDOM, closed(p - 1, p * (p - 1), 8)); /* 6.14 */
    }
}
END_TEST

START_TEST(contiguous_points)
{
    for (int p = 3; p <= 16; p++) {
        double n = 251;
        int64_t m = 15 * p + 1; /* so that all runs end within a row */
        double run = ceil((double)m * n / p) + 1;
        ck_assert_double_ge(run, n);
        expect_closed(m, 251, p, INLAY_GRID_POINT, INLAY_GRID_SYSTOLIC, closed(2, 2 * (p - 1), 8)); /* 6.16 */
        expect_closed(m, 251, p, INLAY_GRID_POINT, INLAY_GRID_WAVEFRONT,                            /* 6.21 */
                      closed(3, p, 8 * n) + closed(0, 2 * (p - 1), 8));
        expect_closed(m, 251, p, INLAY_GRID_POINT, INLAY_GRID_STENCIL5, /* 6.29 */
                      closed(6, 2 * p, 8 * n) + closed(0, 4 * (p - 1), 8));
    }
}
END_TEST

START_TEST(rows)
{
    for (int p = 2; p <= 16; p++) {
        double n = 300;
        int64_t m = 4 * p;
        double items = (double)m * n / p;
        expect_closed(m, 300, p, INLAY_GRID_ROW, INLAY_GRID_SYSTOLIC, 0);
        expect_closed(m, 300, p, INLAY_GRID_ROW, INLAY_GRID_WAVEFRONT, closed(1, p, 8 * n));                /* 6.22 */
        expect_closed(m, 300, p, INLAY_GRID_ROW, INLAY_GRID_STENCIL5, closed(2, 2 * p, 8 * n));             /* 6.30 */
        expect_closed(m, 300, p, INLAY_GRID_INTERLEAVED, INLAY_GRID_WAVEFRONT, closed(1, p, 8 * items));    /* 6.23 */
        expect_closed(m, 300, p, INLAY_GRID_INTERLEAVED, INLAY_GRID_STENCIL5, closed(2, 2 * p, 8 * items)); /* 6.31 */
        expect_closed(300, m, p, INLAY_GRID_COLUMN, INLAY_GRID_STENCIL5, closed(2, 2 * p, 8 * n));
    }
}
END_TEST

START_TEST(blocks)
{
    for (int q = 2; q <= 5; q++) {
        int p = q * q;
        int64_t n = 60 * q;
        double side = 8 * (double)n / q;
        expect_closed(n, n, p, INLAY_GRID_BLOCK, INLAY_GRID_SYSTOLIC, closed(1, p, side));      /* 6.17 */
        expect_closed(n, n, p, INLAY_GRID_BLOCK, INLAY_GRID_WAVEFRONT, closed(2, 2 * p, side)); /* 6.25 */
        expect_closed(n, n, p, INLAY_GRID_BLOCK, INLAY_GRID_STENCIL5, closed(4, 4 * p, side));  /* 6.33 */
    }
}
END_TEST

/* 6.18 bounds the messages of BRBD, which the best of many draws reaches. */
START_TEST(systolic_brbd)
{
    uint64_t state = 618;
    for (int p = 4; p <= 19; p++) {
        double most = 0;
        double bound = 6;
        for (int i = 4; i < p; i++)
            bound += (int)floor(log2(i)) % 2 == 1 ? 2 : 1;
        for (int n = 0; n < 400; n++) {
            double speed[SUBJECT_PROCESSORS] = {0};
            grid_subject s;
            for (int i = 0; i < p; i++)
                speed[i] = (double)grid_subject_between(&state, 20, 60);
            grid_subject_square(grid_subject_between(&state, 190, 400), speed, &s);
            inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_BRBD, NULL);
            double messages = grid_cost_of(d, &grid_ethernet, INLAY_GRID_SYSTOLIC).messages;
            ck_assert_double_le(messages, bound);
            most = fmax(most, messages);
            inlay_decomposition_free(d);
        }
        ck_assert_double_eq(most, bound);
    }
}
END_TEST

/* ---- Figures 36 to 38 ---- */

START_TEST(figure_36)
{
    json_t *file = unit_golden("grid-costs");
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(file, "fig36"), i, row)
    {
        double n = number(row, 0);
        grid_subject s;
        grid_subject_alike((int64_t)n, (int64_t)n, 8, &s);
        ck_assert_double_eq_tol(closed(28, 224, 8 * n * n / 56), number(row, 1),
                                1e-8); /* scatter at worst, on average */
        ck_assert_double_eq_tol(closed(28, 224, 8 * n * n / 64), number(row, 2), 1e-8);
        double seconds = grid_stencil5(&s.problem, INLAY_GRID_INTERLEAVED, NULL).seconds;
        ck_assert_double_eq_tol(seconds, number(row, 3), 1e-8);
        ck_assert_double_eq_tol(closed(6, 16, 8 * n) + closed(0, 28, 8), number(row, 4), 1e-8); /* 6.29 */
        seconds = grid_stencil5(&s.problem, INLAY_GRID_ROW, NULL).seconds;
        ck_assert_double_eq_tol(seconds, number(row, 5), 1e-8);
        ck_assert_double_eq_tol(closed(4, 32, 8 * n / sqrt(8)), number(row, 6), 1e-6); /* 6.33 */
        seconds = grid_stencil5(&s.problem, INLAY_GRID_BLOCK, NULL).seconds;
        ck_assert_double_eq_tol(seconds, number(row, 7), 1e-8);
        if (n > 600) continue;
        seconds = grid_stencil5(&s.problem, INLAY_GRID_SCATTER, NULL).seconds;
        ck_assert_double_eq_tol(seconds, number(row, 2), 0.02 * number(row, 2));
        ck_assert_double_le(seconds, number(row, 1));
    }
    ck_assert_uint_eq(i, 7);
    json_decref(file);
}
END_TEST

START_TEST(figure_36_crossing)
{
    int first = 0;
    for (int n = 133; n >= 64; n--) {
        grid_subject s;
        grid_subject_alike(n, n, 8, &s);
        double block = grid_stencil5(&s.problem, INLAY_GRID_BLOCK, NULL).seconds;
        if (block < grid_stencil5(&s.problem, INLAY_GRID_ROW, NULL).seconds) first = n;
    }
    ck_assert_int_eq(first, 0); /* 2 x 4 blocks beat rows from n = 134 on */
    grid_subject s;
    grid_subject_alike(134, 134, 8, &s);
    ck_assert_double_lt(grid_stencil5(&s.problem, INLAY_GRID_BLOCK, NULL).seconds,
                        grid_stencil5(&s.problem, INLAY_GRID_ROW, NULL).seconds);
}
END_TEST

/*
 * Theorem 3 (6.35): the first n from which blocks beat rows, without frames; costs of squares agree with it. `slack` is
 * relative: the golden numbers for 9 and 25 processors and 0.1 us are where both sides are equal but for rounding.
 */
static int first_by_theorem(int p, double tau, double slack)
{
    for (int n = 1; n <= 4000; n++)
        if (0.0015 < p * 8.0 * n * tau * (1 - 2 / sqrt(p)) * (1 + slack)) return n;
    return 0;
}

static bool block_beats_rows(int64_t n, int p, double tau)
{
    const inlay_grid_network network = {.latency = 0.0015, .per_byte = tau};
    grid_subject s;
    grid_subject_alike(n, n, p < SUBJECT_PROCESSORS ? p : SUBJECT_PROCESSORS, &s);
    double many[64];
    for (int i = 0; i < p; i++)
        many[i] = 1;
    s.problem.processors = p;
    s.problem.speed = many;
    inlay_decomposition *block = grid_decomposed(&s.problem, INLAY_GRID_BLOCK, NULL);
    inlay_decomposition *row = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    double gain = grid_cost_of(row, &network, INLAY_GRID_STENCIL5).seconds -
                  grid_cost_of(block, &network, INLAY_GRID_STENCIL5).seconds;
    inlay_decomposition_free(block);
    inlay_decomposition_free(row);
    return gain > 0;
}

START_TEST(figure_37)
{
    static const double taus[] = {1e-6, 1e-7};
    json_t *file = unit_golden("grid-costs");
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(file, "fig37"), i, row)
    {
        int p = (int)number(row, 0);
        int q = (int)sqrt(p);
        for (size_t t = 0; t < 2; t++) {
            int first = first_by_theorem(p, taus[t], -1e-12);
            int expected = (int)json_integer_value(json_array_get(row, t + 1)); /* 0 of null: never */
            ck_assert_int_le(expected, first);
            ck_assert_int_ge(expected, first_by_theorem(p, taus[t], 1e-12));
            if (q * q != p || p == 4) continue;
            int64_t n = (first + p - 1) / p * p; /* multiples of p: nothing is rounded */
            ck_assert(block_beats_rows(n, p, taus[t]));
            if (n - p >= p) ck_assert_int_eq(block_beats_rows(n - p, p, taus[t]), n - p >= first);
        }
    }
    ck_assert(!block_beats_rows(4096, 4, 1e-6));
    json_decref(file);
}
END_TEST

typedef struct curve {
    inlay_grid_method method;
    int first, last; /* n from which it beats rows; last n where rows are as good again */
} curve;

static double seconds_38(int64_t n, inlay_grid_method method)
{
    grid_subject s;
    grid_subject_square(n, (double[]){6, 4, 4, 3, 3, 3, 2, 1, 0}, &s);
    return grid_stencil5(&s.problem, method, &(inlay_grid_options){.shares = INLAY_GRID_HAMILTON}).seconds;
}

START_TEST(figure_38)
{
    static const inlay_grid_method methods[] = {
        INLAY_GRID_POINT, INLAY_GRID_ROW, INLAY_GRID_BRBD, INLAY_GRID_FBRD, INLAY_GRID_FBRD_ALTERNATE, INLAY_GRID_PHD};
    json_t *file = unit_golden("grid-costs");
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(file, "fig38"), i, row)
    {
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            ck_assert_double_eq_tol(seconds_38((int64_t)number(row, 0), methods[m]), number(row, m + 1), 1e-8);
    }
    ck_assert_uint_eq(i, 7);
    json_decref(file);
}
END_TEST

START_TEST(figure_38_crossings)
{
    static const curve curves[] = {{INLAY_GRID_BRBD, 349, 0},
                                   {INLAY_GRID_FBRD, 194, 0},
                                   {INLAY_GRID_FBRD_ALTERNATE, 301, 0},
                                   {INLAY_GRID_PHD, 293, 0}};
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        int n = 8;
        while (seconds_38(n, curves[i].method) >= seconds_38(n, INLAY_GRID_ROW))
            n++;
        ck_assert_int_eq(n, curves[i].first);
    }
    int n = 2800;
    while (seconds_38(n, INLAY_GRID_PHD) >= seconds_38(n, INLAY_GRID_FBRD))
        n++;
    ck_assert_int_eq(n, 3288);
}
END_TEST

/* Unlike speeds: blocks may pay with fewer than five processors. */
START_TEST(blocks_for_few_processors)
{
    static const struct {
        double speed[5];
        int first;
    } cases[] = {{{8, 1, 1, 0}, 671}, {{8, 1, 1, 1, 0}, 511}, {{5, 3, 1, 0}, 3619}};
    for (size_t i = 0; i < 3; i++) {
        int n = cases[i].first - 50;
        for (;; n++) {
            grid_subject s;
            grid_subject_square(n, cases[i].speed, &s);
            if (grid_stencil5(&s.problem, INLAY_GRID_FBRD, NULL).seconds <
                grid_stencil5(&s.problem, INLAY_GRID_ROW, NULL).seconds)
                break;
        }
        ck_assert_int_eq(n, cases[i].first);
    }
}
END_TEST

/* ---- Networks ---- */

static inlay_grid_cost on(inlay_grid_wiring wiring, int p, inlay_grid_communication communication)
{
    inlay_grid_network network = grid_ethernet;
    network.wiring = wiring;
    network.networks = 3;
    grid_subject s;
    grid_subject_alike(64, 64, p, &s);
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    inlay_grid_cost cost = grid_cost_of(d, &network, communication);
    inlay_decomposition_free(d);
    return cost;
}

START_TEST(wirings)
{
    double item = 1.5e-6 * framed(8);
    double strip = 1.5e-6 * framed(8 * 64);
    expect_near(on(INLAY_GRID_CUBE, 8, INLAY_GRID_BROADCAST).seconds, 3 * (0.0025 + item)); /* 3.1 */
    expect_near(on(INLAY_GRID_CUBE, 8, INLAY_GRID_REDUCTION).seconds, 3 * (0.0025 + item));
    expect_near(on(INLAY_GRID_CUBE, 5, INLAY_GRID_BROADCAST).seconds, 3 * (0.0025 + item));
    expect_near(on(INLAY_GRID_MESH, 16, INLAY_GRID_BROADCAST).seconds, 6 * (0.0025 + item)); /* 3.3 */
    expect_near(on(INLAY_GRID_COMPLETE, 16, INLAY_GRID_BROADCAST).seconds, 4 * (0.0025 + item));
    expect_near(on(INLAY_GRID_SWITCH, 16, INLAY_GRID_BROADCAST).seconds, 15 * (0.0025 + item));
    expect_near(on(INLAY_GRID_SWITCH, 16, INLAY_GRID_RANDOM).seconds, 15 * (0.0025 + item));
    expect_near(on(INLAY_GRID_SEVERAL, 16, INLAY_GRID_BROADCAST).seconds, 15 * 0.0025 + 5 * item);
    /* north and south: 16 messages each, of which networks carry several at a time */
    expect_near(on(INLAY_GRID_SINGLE, 16, INLAY_GRID_STENCIL5).seconds, 2 * 0.0025 + 32 * strip);
    expect_near(on(INLAY_GRID_SEVERAL, 16, INLAY_GRID_STENCIL5).seconds, 2 * 0.0025 + 32 * strip / 3);
    expect_near(on(INLAY_GRID_SWITCH, 16, INLAY_GRID_STENCIL5).seconds, 2 * 0.0025 + 2 * strip);
    expect_near(on(INLAY_GRID_COMPLETE, 16, INLAY_GRID_STENCIL5).seconds, 2 * 0.0025 + 2 * strip);
    expect_near(on(INLAY_GRID_CUBE, 8, INLAY_GRID_STENCIL5).seconds, 2 * 0.0025 + 16 * strip / 6);
    expect_near(on(INLAY_GRID_MESH, 16, INLAY_GRID_STENCIL5).seconds, 2 * 0.0025 + 32 * strip / 8);
    for (int wiring = INLAY_GRID_SINGLE; wiring <= INLAY_GRID_COMPLETE; wiring++) {
        ck_assert_double_eq(on((inlay_grid_wiring)wiring, 1, INLAY_GRID_BROADCAST).seconds, 0);
        ck_assert_double_eq(on((inlay_grid_wiring)wiring, 1, INLAY_GRID_REDUCTION).seconds, 0);
        ck_assert_double_eq(on((inlay_grid_wiring)wiring, 1, INLAY_GRID_RANDOM).seconds, 0);
    }
}
END_TEST

START_TEST(multicast_and_given_bytes)
{
    grid_subject s;
    grid_subject_square(8, (double[]){1, 3, 2, 0}, &s);
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    const int64_t bytes[9] = {99, 3000, 0, 0, 99, 20, 10, 0, 99};
    inlay_grid_phase phase = {
        .pattern = {.communication = INLAY_GRID_MULTICAST, .root = 2, .receivers = 2}, .weight = 3, .item = 100};
    inlay_grid_cost cost;
    ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
    expect_near(cost.seconds, 3 * closed(2, 2, 100)); /* r (lambda + tau (d + F ceil(d / M))) */
    ck_assert_double_eq(cost.messages, 6);
    phase = (inlay_grid_phase){.pattern = {.communication = INLAY_GRID_RANDOM, .bytes = bytes}};
    ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
    expect_near(cost.seconds, closed(1, 1, 3000) + closed(0, 1, 20) + closed(0, 1, 10));
    ck_assert_double_eq(cost.bytes, 3030);
    ck_assert_double_eq(cost.messages, 3);
    inlay_decomposition_free(d);
}
END_TEST

/* ---- Messages of patterns without directions ---- */

enum { MOST_LISTED = 9 };

typedef struct listed {
    inlay_grid_message message[MOST_LISTED];
    int count;
} listed;

static void list(void *context, const inlay_grid_message *message)
{
    listed *l = context;
    ck_assert_int_lt(l->count, MOST_LISTED);
    l->message[l->count++] = *message;
}

static void expect_messages(const inlay_grid_pattern *pattern, const inlay_grid_message *expected, int count)
{
    grid_subject s;
    grid_subject_square(8, (double[]){1, 3, 2, 0}, &s);
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    listed l = {0};
    ck_assert_int_eq(inlay_decomposition_messages(d, pattern, list, &l, NULL), INLAY_OK);
    ck_assert_int_eq(l.count, count);
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(l.message[i].from, expected[i].from);
        ck_assert_int_eq(l.message[i].to, expected[i].to);
        ck_assert_int_eq(l.message[i].bytes, expected[i].bytes);
        ck_assert_int_eq(l.message[i].direction, 0);
    }
    inlay_decomposition_free(d);
}

START_TEST(messages_of_roots)
{
    static const int64_t bytes[9] = {99, 3000, 0, 0, 99, 20, 10, 0, 99};
    expect_messages(&(inlay_grid_pattern){.communication = INLAY_GRID_NONE}, NULL, 0);
    expect_messages(&(inlay_grid_pattern){.communication = INLAY_GRID_BROADCAST, .root = 1},
                    (inlay_grid_message[]){{1, 2, 0, 8}, {1, 0, 0, 8}}, 2);
    expect_messages(&(inlay_grid_pattern){.communication = INLAY_GRID_REDUCTION, .root = 2},
                    (inlay_grid_message[]){{0, 2, 0, 8}, {1, 2, 0, 8}}, 2);
    expect_messages(&(inlay_grid_pattern){.communication = INLAY_GRID_MULTICAST, .root = 2, .receivers = 1},
                    (inlay_grid_message[]){{2, 0, 0, 8}}, 1);
    /* by falling speed: 1, 2, 0 */
    expect_messages(&(inlay_grid_pattern){.communication = INLAY_GRID_RANDOM, .bytes = bytes},
                    (inlay_grid_message[]){{1, 2, 0, 20}, {2, 0, 0, 10}, {0, 1, 0, 3000}}, 3);
    expect_messages(
        &(inlay_grid_pattern){.communication = INLAY_GRID_RANDOM},
        (inlay_grid_message[]){{1, 2, 0, 8}, {1, 0, 0, 8}, {2, 1, 0, 8}, {2, 0, 0, 8}, {0, 1, 0, 8}, {0, 2, 0, 8}}, 6);
}
END_TEST

/* Two phases: weights, work, their own items; computation is that of the slowest. */
START_TEST(phases_add_up)
{
    grid_subject s;
    grid_subject_square(10, (double[]){2, 1, 1, 0}, &s); /* 5, 3, 2 rows */
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    inlay_grid_phase phase[] = {
        {.pattern.communication = INLAY_GRID_STENCIL5, .work = 7, .weight = 4},
        {.pattern.communication = INLAY_GRID_WAVEFRONT, .work = 2, .weight = 0.5, .item = 2000},
    };
    inlay_grid_cost cost;
    ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, phase, 2, &cost, NULL), INLAY_OK);
    expect_near(cost.computation, 30 * (4 * 7 + 0.5 * 2));
    expect_near(cost.latency + cost.transmission, 4 * closed(2, 6, 80) + 0.5 * closed(1, 3, 20000));
    expect_near(cost.seconds, cost.computation + cost.latency + cost.transmission);
    ck_assert_double_eq(cost.messages, 4 * 6 + 0.5 * 3);
    ck_assert_double_eq(cost.bytes, 4 * 6 * 80 + 0.5 * 3 * 20000);
    expect_near(cost.imbalance, 30.0 / 25);
    inlay_decomposition_free(d);
}
END_TEST

/* ---- The perimeter bound ---- */

START_TEST(perimeter_bound)
{
    static const inlay_grid_method methods[] = {INLAY_GRID_ROW,  INLAY_GRID_COLUMN, INLAY_GRID_BLOCK,
                                                INLAY_GRID_BRBD, INLAY_GRID_FBRD,   INLAY_GRID_PHD};
    uint64_t state = 99;
    for (int n = 0; n < 3000; n++) {
        grid_subject s;
        grid_subject_random(&state, 30, 9, &s);
        inlay_decomposition *d = grid_decomposed(&s.problem, methods[n % 6], NULL);
        for (int c = INLAY_GRID_SYSTOLIC; c <= INLAY_GRID_STENCIL9; c++) {
            inlay_grid_cost cost = grid_cost_of(d, &grid_ethernet, (inlay_grid_communication)c);
            ck_assert_double_le(cost.least_bytes, cost.bytes * (1 + 1e-12) + 1e-9);
        }
        inlay_decomposition_free(d);
    }
}
END_TEST

/* Squares on a torus and on a bounded grid, and strips where nothing is shorter, reach it. */
START_TEST(perimeter_bound_is_tight)
{
    grid_subject s;
    for (int q = 3; q <= 5; q++) {
        for (int bounded = 0; bounded < 2; bounded++) {
            grid_subject_alike(12 * q, 12 * q, q * q, &s);
            s.problem.bounded = bounded == 1;
            inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_BLOCK, NULL);
            for (int c = INLAY_GRID_STENCIL5; c <= INLAY_GRID_STENCIL9; c++) {
                inlay_grid_cost cost = grid_cost_of(d, &grid_ethernet, (inlay_grid_communication)c);
                ck_assert_double_eq_tol(cost.least_bytes, cost.bytes, 1e-9);
                ck_assert_double_gt(cost.bytes, 0);
            }
            inlay_decomposition_free(d);
        }
    }
    grid_subject_alike(60, 10, 3, &s);
    inlay_grid_cost cost = grid_stencil5(&s.problem, INLAY_GRID_ROW, NULL);
    ck_assert_double_eq_tol(cost.least_bytes, cost.bytes, 1e-9);
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    const inlay_grid_offset far = {.across = 2};
    inlay_grid_phase phase = {.pattern = {.communication = INLAY_GRID_OFFSETS, .offsets = 1, .offset = &far}};
    ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
    ck_assert(isnan(cost.least_bytes));
    inlay_decomposition_free(d);
}
END_TEST

Suite *suite_grid_costs(void)
{
    Suite *suite = suite_create("grid_costs");
    TCase *test = tcase_create("grid_costs");
    tcase_add_test(test, patterns_without_directions);
    tcase_add_test(test, contiguous_points);
    tcase_add_test(test, rows);
    tcase_add_test(test, blocks);
    tcase_add_test(test, systolic_brbd);
    tcase_add_test(test, figure_36);
    tcase_add_test(test, figure_36_crossing);
    tcase_add_test(test, figure_37);
    tcase_add_test(test, figure_38);
    tcase_add_test(test, figure_38_crossings);
    tcase_add_test(test, blocks_for_few_processors);
    tcase_add_test(test, wirings);
    tcase_add_test(test, multicast_and_given_bytes);
    tcase_add_test(test, messages_of_roots);
    tcase_add_test(test, phases_add_up);
    tcase_add_test(test, perimeter_bound);
    tcase_add_test(test, perimeter_bound_is_tight);
    suite_add_tcase(suite, test);
    return suite;
}

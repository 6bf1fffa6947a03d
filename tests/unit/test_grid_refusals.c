/* What grid decomposition refuses, warns of or falls back on, and that outputs stay untouched. */
#include "grid_subject.h"
#include "starve.h"
#include "unit.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const inlay_grid_phase five_points = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 1};

static inlay_decomposition *const untouched = (inlay_decomposition *)(uintptr_t)1;

static void expect_message(int got, int status, const inlay_diag *diag, const char *says)
{
    ck_assert_msg(got == status && strcmp(inlay_diag_message(diag), says) == 0, "status %d: '%s'; expected %d: '%s'",
                  got, inlay_diag_message(diag), status, says);
}

static void refuse_method(const inlay_grid_problem *problem, inlay_grid_method method,
                          const inlay_grid_options *options, int status, const char *says)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_decomposition *d = untouched;
    expect_message(inlay_decompose(problem, method, options, &d, diag), status, diag, says);
    ck_assert_ptr_eq(d, untouched);
    inlay_diag_free(diag);
}

/* All calls that take a problem refuse it. */
static void refuse(const inlay_grid_problem *problem, const char *says)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_decomposition *d = untouched;
    refuse_method(problem, INLAY_GRID_FBRD, NULL, INLAY_BAD_ARGUMENT, says);
    int got = inlay_decompose_best(problem, &grid_ethernet, &five_points, 1, NULL, 0, &d, diag);
    expect_message(got, INLAY_BAD_ARGUMENT, diag, says);
    ck_assert_ptr_eq(d, untouched);
    inlay_diag_free(diag);
}

START_TEST(problems)
{
    grid_subject s;
    grid_subject_alike(5, 4, 3, &s);
    s.problem.rows = 0;
    refuse(&s.problem, "the grid is 0 x 4; expected 1 or more of each, and at most 2^53 cells");
    s.problem.rows = INT64_MAX;
    refuse(&s.problem, "the grid is 9223372036854775807 x 4; expected 1 or more of each, and at most 2^53 cells");
    s.problem.rows = 5;
    s.problem.item = 0;
    refuse(&s.problem, "an item has 0 bytes; expected 1 to 2^40");
    s.problem.item = 8;
    s.problem.processors = 0;
    refuse(&s.problem, "there are 0 processors with speeds; expected 1 to 1048576 with speeds");
    s.problem.processors = INT32_MAX;
    refuse(&s.problem, "there are 2147483647 processors with speeds; expected 1 to 1048576 with speeds");
    s.problem.processors = 3;
    s.problem.speed = NULL;
    refuse(&s.problem, "there are 3 processors without speeds; expected 1 to 1048576 with speeds");
}
END_TEST

START_TEST(speeds)
{
    grid_subject s;
    grid_subject_alike(5, 4, 3, &s);
    s.speed[1] = 0;
    refuse(&s.problem, "processor 1 has the speed 0; expected a finite number above 0");
    s.speed[1] = -2;
    refuse(&s.problem, "processor 1 has the speed -2; expected a finite number above 0");
    s.speed[1] = INFINITY;
    refuse(&s.problem, "processor 1 has the speed inf; expected a finite number above 0");
    s.speed[1] = NAN;
    s.speed[1] = copysign(s.speed[1], 1);
    refuse(&s.problem, "processor 1 has the speed nan; expected a finite number above 0");
    s.speed[1] = 1e13;
    refuse(&s.problem, "processor 1 has 1e+13 times the speed of processor 0; expected at most 10^12");
}
END_TEST

START_TEST(more_processors_than_cells)
{
    grid_subject s;
    grid_subject_alike(2, 4, 9, &s);
    s.speed[8] = 2;
    refuse(&s.problem, "there are 9 processors for 8 cells; expected at most 8");
    /* the ranking takes as many as there are cells, the fastest */
    inlay_diag *diag = inlay_diag_new();
    inlay_grid_ranking *ranking = NULL;
    inlay_grid_rank_options options = {.all = true, .methods = 1U << INLAY_GRID_POINT | 1U << INLAY_GRID_BEST};
    int status = inlay_grid_rank(&s.problem, &grid_ethernet, &five_points, 1, &options, &ranking, diag);
    ck_assert_int_eq(status, INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), "there are 9 processors for 8 cells: the fastest 8 are looked at");
    for (size_t i = 0; i < 2; i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(ranking, i);
        ck_assert_int_eq(row->processors, 8);
        ck_assert(isinf(row->seconds_all));
        ck_assert_int_eq(inlay_decomposition_cells(row->decomposition, 7), 0);
        ck_assert_int_ge(inlay_decomposition_cells(row->decomposition, 8), 1);
    }
    inlay_grid_ranking_free(ranking);
    inlay_diag_free(diag);
}
END_TEST

/* As many processors as cells: every method still gives every cell an owner, with empty pieces where it must. */
START_TEST(as_many_processors_as_cells)
{
    for (int64_t rows = 1; rows <= 6; rows++)
        for (int64_t columns = 1; columns <= 5; columns++)
            for (int m = 0; m <= INLAY_GRID_SCATTER; m++) {
                grid_subject s;
                grid_subject_alike(rows, columns, (int32_t)(rows * columns), &s);
                s.speed[0] = 7;
                inlay_decomposition *d = grid_decomposed(&s.problem, (inlay_grid_method)m, NULL);
                int64_t cells = 0;
                for (int32_t i = 0; i < s.problem.processors; i++)
                    cells += inlay_decomposition_cells(d, i);
                ck_assert_int_eq(cells, rows * columns);
                inlay_decomposition_free(d);
            }
}
END_TEST

START_TEST(unknown_options)
{
    grid_subject s;
    grid_subject_alike(5, 4, 3, &s);
    refuse_method(&s.problem, INLAY_GRID_BEST, NULL, INLAY_BAD_ARGUMENT,
                  "method 12 makes no decomposition by itself; expected 0 to 11");
    refuse_method(&s.problem, (inlay_grid_method)77, NULL, INLAY_BAD_ARGUMENT,
                  "method 77 makes no decomposition by itself; expected 0 to 11");
    refuse_method(&s.problem, INLAY_GRID_ROW, &(inlay_grid_options){.shares = (inlay_grid_shares)3}, INLAY_BAD_ARGUMENT,
                  "shares 3 are unknown; expected 0 to 2");
    refuse_method(&s.problem, INLAY_GRID_SCATTER, &(inlay_grid_options){.unit = (inlay_grid_unit)5}, INLAY_BAD_ARGUMENT,
                  "unit 5 is unknown; expected 0 to 4");
    refuse_method(&s.problem, INLAY_GRID_SCATTER, &(inlay_grid_options){.unit = INLAY_GRID_UNIT_BLOCK, .unit_rows = 2},
                  INLAY_BAD_ARGUMENT, "units are blocks of 2 x 0 cells; expected 1 or more of each");
    s.problem.rows = 1 << 20;
    s.problem.columns = 1 << 20;
    refuse_method(&s.problem, INLAY_GRID_SCATTER, NULL, INLAY_NO_ANSWER,
                  "scatter needs a table of 1099511627776 units; expected at most 268435456");
    s.speed[0] = 1e9;
    refuse_method(
        &s.problem, INLAY_GRID_INTERLEAVED, &(inlay_grid_options){.unit = INLAY_GRID_UNIT_POINT}, INLAY_NO_ANSWER,
        "the turns of these speeds begin anew after 1000000002 units; expected at most 16777216 to interleave");
    ck_assert_ptr_null(inlay_grid_method_name((inlay_grid_method)INLAY_GRID_METHODS));
    ck_assert_ptr_null(inlay_grid_communication_name((inlay_grid_communication)99));
    ck_assert_ptr_null(inlay_grid_wiring_name((inlay_grid_wiring)99));
}
END_TEST

START_TEST(maps)
{
    grid_subject s;
    grid_subject_alike(2, 2, 3, &s);
    const int32_t owners[][4] = {{0, 1, 3, 2}, {0, 1, 2, -1}};
    const char *const says[] = {"cell (1, 0) belongs to processor 3; expected 0 to 2",
                                "cell (1, 1) belongs to processor -1; expected 0 to 2"};
    for (size_t i = 0; i < 2; i++) {
        inlay_diag *diag = inlay_diag_new();
        inlay_decomposition *d = untouched;
        expect_message(inlay_decompose_map(&s.problem, owners[i], &d, diag), INLAY_BAD_ARGUMENT, diag, says[i]);
        ck_assert_ptr_eq(d, untouched);
        inlay_diag_free(diag);
    }
}
END_TEST

/* ---- Costs ---- */

static void refuse_cost(const inlay_grid_network *network, const inlay_grid_phase *phase, size_t phases, int status,
                        const char *says)
{
    grid_subject s;
    grid_subject_alike(1 << 20, 1 << 20, 4, &s);
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    inlay_diag *diag = inlay_diag_new();
    inlay_grid_cost cost = {.seconds = -7};
    expect_message(inlay_decomposition_cost(d, network, phase, phases, &cost, diag), status, diag, says);
    ck_assert_double_eq(cost.seconds, -7);
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    inlay_grid_ranking *ranking = (inlay_grid_ranking *)(uintptr_t)1;
    expect_message(inlay_grid_rank(&s.problem, network, phase, phases, NULL, &ranking, diag), status, diag, says);
    ck_assert_ptr_eq(ranking, (inlay_grid_ranking *)(uintptr_t)1);
    inlay_diag_free(diag);
    inlay_decomposition_free(d);
}

START_TEST(networks)
{
    static const struct {
        inlay_grid_network network;
        const char *says;
    } cases[] = {
        {{.latency = -1}, "the network takes -1 a message and 0 a byte; expected finite times, 0 or more"},
        {{.per_byte = INFINITY}, "the network takes 0 a message and inf a byte; expected finite times, 0 or more"},
        {{.payload = 0, .frame = 58},
         "a frame carries 0 bytes besides 58 of its own; expected 1 or more besides 0 to 2^40"},
        {{.payload = -40}, "a frame carries -40 bytes besides 0 of its own; expected 1 or more besides 0 to 2^40"},
        {{.payload = 9, .frame = -1},
         "a frame carries 9 bytes besides -1 of its own; expected 1 or more besides 0 to 2^40"},
        {{.wiring = (inlay_grid_wiring)7}, "wiring 7 is unknown; expected 0 to 6"},
        {{.wiring = INLAY_GRID_SEVERAL}, "there are 0 networks; expected 1 or more"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_cost(&cases[i].network, &five_points, 1, INLAY_BAD_ARGUMENT, cases[i].says);
}
END_TEST

START_TEST(phases)
{
    static const int64_t bytes[16] = {0, 1, 0, 0, 0, 0, -3};
    static const int64_t many[16] = {0, INT64_MAX, 0, 0, 0, 0, 1};
    static const struct {
        inlay_grid_phase phase;
        int status;
        const char *says;
    } cases[] = {{{.work = -1},
                  INLAY_BAD_ARGUMENT,
                  "phase 0 has -1 operations a cell and the weight 0; expected finite numbers, 0 or more"},
                 {{.name = "sweep", .weight = INFINITY},
                  INLAY_BAD_ARGUMENT,
                  "sweep has 0 operations a cell and the weight inf; expected finite numbers, 0 or more"},
                 {{.item = -8}, INLAY_BAD_ARGUMENT, "phase 0 has items of -8 bytes; expected 1 to 2^40, or 0"},
                 {{.pattern.communication = (inlay_grid_communication)50},
                  INLAY_BAD_ARGUMENT,
                  "pattern 50 is unknown; expected 0 to 14"},
                 {{.pattern = {.communication = INLAY_GRID_BROADCAST, .root = 4}},
                  INLAY_BAD_ARGUMENT,
                  "the root is processor 4; expected 0 to 3"},
                 {{.pattern = {.communication = INLAY_GRID_MULTICAST, .receivers = 4}},
                  INLAY_BAD_ARGUMENT,
                  "a multicast goes to 4 processors; expected 0 to 3"},
                 {{.pattern = {.communication = INLAY_GRID_OFFSETS, .offsets = 300}},
                  INLAY_BAD_ARGUMENT,
                  "a stencil has 300 offsets; expected at most 256"},
                 {{.pattern = {.communication = INLAY_GRID_OFFSETS, .offsets = 1}},
                  INLAY_BAD_ARGUMENT,
                  "a stencil has 1 offsets; expected at most 256"},
                 {{.pattern = {.communication = INLAY_GRID_RANDOM, .bytes = bytes}},
                  INLAY_BAD_ARGUMENT,
                  "processor 1 sends -3 bytes to processor 2; expected 0 or more"},
                 {{.pattern = {.communication = INLAY_GRID_RANDOM, .bytes = many}},
                  INLAY_OVERFLOW,
                  "the bytes between processors leave 64 bits"},
                 {{.pattern.communication = INLAY_GRID_STENCIL5, .item = INT64_C(1) << 40},
                  INLAY_OVERFLOW,
                  "the bytes of a step of phase 0 may leave 2^62"},
                 {{.work = 1e300}, INLAY_OVERFLOW, "a cycle takes longer than numbers go"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_cost(&grid_ethernet, &cases[i].phase, 1, cases[i].status, cases[i].says);
    refuse_cost(&grid_ethernet, NULL, 1, INLAY_BAD_ARGUMENT, "there are 1 phases; expected 1 to 64");
    refuse_cost(&grid_ethernet, &five_points, 0, INLAY_BAD_ARGUMENT, "there are 0 phases; expected 1 to 64");
    refuse_cost(&grid_ethernet, &five_points, 65, INLAY_BAD_ARGUMENT, "there are 65 phases; expected 1 to 64");
}
END_TEST

/* An item that is longer than a frame carries is cut, with a warning. */
START_TEST(items_above_a_frame)
{
    grid_subject s;
    grid_subject_alike(8, 8, 4, &s);
    s.problem.item = 2000;
    inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    inlay_diag *diag = inlay_diag_new();
    inlay_grid_cost cost;
    ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &five_points, 1, &cost, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0),
                     "an item of 2000 bytes is longer than the 1460 bytes that a frame carries: items are cut");
    ck_assert_double_eq(cost.framed, 8 * (16000 + 58 * 11));
    inlay_diag_free(diag);
    inlay_decomposition_free(d);
}
END_TEST

START_TEST(redistributions)
{
    grid_subject s;
    grid_subject_alike(8, 8, 4, &s);
    inlay_decomposition *from = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    s.problem.columns = 9;
    inlay_decomposition *to = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    inlay_diag *diag = inlay_diag_new();
    inlay_grid_cost cost;
    int status = inlay_decomposition_redistribute(from, to, &grid_ethernet, 0, &cost, diag);
    expect_message(status, INLAY_BAD_ARGUMENT, diag,
                   "a grid of 8 x 8 for 4 processors cannot become one of 8 x 9 for 4; expected the same");
    inlay_diag_free(diag);
    inlay_decomposition_free(from);
    inlay_decomposition_free(to);
    s.problem.rows = 1 << 23;
    s.problem.columns = 4;
    from = grid_decomposed(&s.problem, INLAY_GRID_INTERLEAVED, NULL);
    to = grid_decomposed(&s.problem, INLAY_GRID_ROW, NULL);
    diag = inlay_diag_new();
    status = inlay_decomposition_redistribute(from, to, &grid_ethernet, 0, &cost, diag);
    expect_message(status, INLAY_NO_ANSWER, diag,
                   "the cells that interleaved and row share cannot be counted: there are too many units");
    inlay_diag_free(diag);
    inlay_decomposition_free(from);
    inlay_decomposition_free(to);
}
END_TEST

START_TEST(rankings)
{
    grid_subject s;
    grid_subject_alike(1 << 20, 1 << 20, 4, &s);
    inlay_diag *diag = inlay_diag_new();
    inlay_grid_ranking *ranking = NULL;
    inlay_grid_rank_options options = {.methods = 1U << INLAY_GRID_MAP};
    int status = inlay_grid_rank(&s.problem, &grid_ethernet, &five_points, 1, &options, &ranking, diag);
    expect_message(status, INLAY_BAD_ARGUMENT, diag, "a map is to be ranked, and there is none; expected owners");
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    options.methods = 1U << INLAY_GRID_METHODS;
    status = inlay_grid_rank(&s.problem, &grid_ethernet, &five_points, 1, &options, &ranking, diag);
    expect_message(status, INLAY_BAD_ARGUMENT, diag, "methods 0x4000 are to be ranked; expected bits 0 to 13");
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    options = (inlay_grid_rank_options){.owner = (const int32_t[]){4}};
    grid_subject_alike(1, 1, 4, &s);
    status = inlay_grid_rank(&s.problem, &grid_ethernet, &five_points, 1, &options, &ranking, diag);
    expect_message(status, INLAY_BAD_ARGUMENT, diag, "cell (0, 0) belongs to processor 4; expected 0 to 3");
    grid_subject_alike(1 << 20, 1 << 20, 4, &s);
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    options = (inlay_grid_rank_options){.tries = -1};
    status = inlay_grid_rank(&s.problem, &grid_ethernet, &five_points, 1, &options, &ranking, diag);
    expect_message(status, INLAY_BAD_ARGUMENT, diag, "the search may try -1 decompositions; expected 1 or more, or 0");
    inlay_diag_free(diag);
    diag = inlay_diag_new();
    options = (inlay_grid_rank_options){.methods = 1U << INLAY_GRID_SCATTER};
    status = inlay_grid_rank(&s.problem, &grid_ethernet, &five_points, 1, &options, &ranking, diag);
    expect_message(status, INLAY_NO_ANSWER, diag, "no method that is asked for has a decomposition of this grid");
    ck_assert_str_eq(inlay_diag_warning(diag, 0), "scatter is left out: scatter needs a table of 1099511627776 units; "
                                                  "expected at most 268435456");
    ck_assert_ptr_null(ranking);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Memory ---- */

typedef struct starving {
    grid_subject s;
    int32_t owner[144];
} starving;

static int try_ranking(const void *subject)
{
    const starving *t = subject;
    inlay_grid_problem problem = t->s.problem;
    problem.speed = t->s.speed;
    const inlay_grid_phase phase[] = {five_points, {.pattern.communication = INLAY_GRID_SYSTOLIC}};
    inlay_grid_rank_options options = {
        .all = true, .redistribute = true, .methods = (1U << INLAY_GRID_METHODS) - 1, .tries = 8, .owner = t->owner};
    inlay_grid_ranking *ranking = NULL;
    int status = inlay_grid_rank(&problem, &grid_ethernet, phase, 2, &options, &ranking, NULL);
    bool sound = (status == INLAY_OK) == (ranking != NULL);
    inlay_grid_ranking_free(ranking);
    return sound ? status : INLAY_SYSTEM;
}

static int try_map(const void *subject)
{
    const starving *t = subject;
    inlay_grid_problem problem = t->s.problem;
    problem.speed = t->s.speed;
    inlay_decomposition *d = NULL;
    inlay_grid_cost cost;
    int status = inlay_decompose_map(&problem, t->owner, &d, NULL);
    if (status == INLAY_OK) status = inlay_decomposition_cost(d, &grid_ethernet, &five_points, 1, &cost, NULL);
    inlay_decomposition_free(d);
    return status;
}

START_TEST(memory)
{
    starving t = {.owner = {0, 1, 2, 3, 4}};
    grid_subject_square(12, (double[]){5, 4, 3, 3, 1, 0}, &t.s);
    starve(try_ranking, &t, 300);
    starve(try_map, &t, 10);
}
END_TEST

Suite *suite_grid_refusals(void)
{
    Suite *suite = suite_create("grid_refusals");
    TCase *test = tcase_create("grid_refusals");
    tcase_add_test(test, problems);
    tcase_add_test(test, speeds);
    tcase_add_test(test, more_processors_than_cells);
    tcase_add_test(test, as_many_processors_as_cells);
    tcase_add_test(test, unknown_options);
    tcase_add_test(test, maps);
    tcase_add_test(test, networks);
    tcase_add_test(test, phases);
    tcase_add_test(test, items_above_a_frame);
    tcase_add_test(test, redistributions);
    tcase_add_test(test, rankings);
    tcase_add_test(test, memory);
    suite_add_tcase(suite, test);
    return suite;
}

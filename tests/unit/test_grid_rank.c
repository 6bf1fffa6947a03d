/* Ranking grid decompositions: the advisor's figures, fewer processors, phases, the ways between them, the search. */
#include "grid_subject.h"
#include "slow_grid.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static inlay_grid_ranking *ranked(const grid_subject *s, const inlay_grid_network *network,
                                  const inlay_grid_phase *phase, size_t phases, const inlay_grid_rank_options *options)
{
    inlay_grid_ranking *ranking = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_grid_rank(&s->problem, network, phase, phases, options, &ranking, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return ranking;
}

static const inlay_grid_row *row_of(const inlay_grid_ranking *ranking, inlay_grid_method method)
{
    for (size_t i = 0; i < inlay_grid_ranking_rows(ranking); i++)
        if (inlay_grid_ranking_row(ranking, i)->method == method) return inlay_grid_ranking_row(ranking, i);
    ck_abort_msg("no row for %s", inlay_grid_method_name(method));
    return NULL;
}

/* ---- The advisor ---- */

START_TEST(advice)
{
    static const struct {
        inlay_grid_method method;
        double ratio;
    } expected[] = {{INLAY_GRID_FBRD, 1},      {INLAY_GRID_ROW, 1.0454},   {INLAY_GRID_PHD, 1.0667},
                    {INLAY_GRID_BRBD, 1.0936}, {INLAY_GRID_POINT, 1.2023}, {INLAY_GRID_INTERLEAVED, 19.71}};
    grid_subject s;
    grid_subject_square(256, (double[]){6e6, 4e6, 4e6, 3e6, 3e6, 3e6, 2e6, 1e6, 0}, &s);
    inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 10};
    inlay_grid_rank_options options = {.all = true};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        options.methods |= 1U << expected[i].method;
    inlay_grid_ranking *ranking = ranked(&s, &grid_ethernet, &phase, 1, &options);
    ck_assert_uint_eq(inlay_grid_ranking_rows(ranking), 6);
    for (size_t i = 0; i < 6; i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(ranking, i);
        ck_assert_int_eq(row->method, expected[i].method);
        ck_assert_double_eq_tol(row->ratio, expected[i].ratio, i < 5 ? 1e-4 : 1e-2);
        ck_assert_double_eq(row->seconds_all, row->cost.seconds);
    }
    ck_assert_ptr_null(inlay_grid_ranking_row(ranking, 6));
    ck_assert_ptr_null(inlay_grid_ranking_redistribution(ranking));
    inlay_grid_ranking_free(ranking);
}
END_TEST

START_TEST(figure_42)
{
    grid_subject s;
    grid_subject_square(64, (double[]){3.7e6, 3.7e6, 3.7e6, 3.7e6, 0}, &s);
    inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 10};
    inlay_grid_rank_options options = {.all = true, .methods = 1U << INLAY_GRID_BLOCK | 1U << INLAY_GRID_ROW};
    inlay_grid_ranking *ranking = ranked(&s, &grid_ethernet, &phase, 1, &options);
    ck_assert_int_eq(inlay_grid_ranking_row(ranking, 0)->method, INLAY_GRID_ROW);
    ck_assert_double_eq(inlay_grid_ranking_row(ranking, 0)->ratio, 1);
    ck_assert_double_eq_tol(inlay_grid_ranking_row(ranking, 1)->ratio, 1.39, 0.005);
    inlay_grid_ranking_free(ranking);
}
END_TEST

/* ---- Fewer processors ---- */

/* The speeds with a place, by falling speed. */
static int fastest_left(const grid_subject *s, const bool *taken)
{
    int best = -1;
    for (int i = 0; i < s->problem.processors; i++)
        if (!taken[i] && (best < 0 || s->speed[i] > s->speed[best])) best = i;
    return best;
}

/* The shortest cycle of a method on the 1, 2, ... fastest processors, and that on all. */
static double least_seconds(const grid_subject *s, inlay_grid_method method, const inlay_grid_network *network,
                            const inlay_grid_phase *phase, int *used, double *all)
{
    bool taken[SUBJECT_PROCESSORS] = {0};
    grid_subject part = {.problem = s->problem};
    double least = INFINITY;
    part.problem.speed = part.speed;
    for (int p = 1; p <= s->problem.processors; p++) {
        int next = fastest_left(s, taken);
        taken[next] = true;
        part.speed[p - 1] = s->speed[next];
        part.problem.processors = p;
        inlay_decomposition *d = grid_decomposed(&part.problem, method, NULL);
        inlay_grid_cost cost;
        ck_assert_int_eq(inlay_decomposition_cost(d, network, phase, 1, &cost, NULL), INLAY_OK);
        if (cost.seconds < least) *used = p;
        least = fmin(least, cost.seconds);
        *all = cost.seconds;
        inlay_decomposition_free(d);
    }
    return least;
}

/* A ranked decomposition covers the grid with the fastest processors, by the caller's numbers. */
static void check_row(const grid_subject *s, const inlay_grid_row *row)
{
    const inlay_decomposition_summary *summary = inlay_decomposition_summary_of(row->decomposition);
    double slowest_used = INFINITY, fastest_unused = 0;
    int64_t cells = 0;
    int used = 0;
    for (int i = 0; i < s->problem.processors; i++) {
        int64_t has = inlay_decomposition_cells(row->decomposition, i);
        cells += has;
        used += has > 0;
        if (has > 0)
            slowest_used = fmin(slowest_used, s->speed[i]);
        else
            fastest_unused = fmax(fastest_unused, s->speed[i]);
    }
    ck_assert_int_eq(cells, s->problem.rows * s->problem.columns);
    ck_assert_int_le(used, row->processors);
    ck_assert_int_eq(summary->empty, s->problem.processors - used);
    ck_assert_int_eq(summary->processors, s->problem.processors);
    if (used == row->processors) ck_assert_double_ge(slowest_used, fastest_unused);
}

START_TEST(fewer_processors)
{
    uint64_t state = 4;
    int fewer = 0;
    for (int n = 0; n < 150; n++) {
        grid_subject s;
        grid_subject_random(&state, 40, 9, &s);
        inlay_grid_network network = grid_ethernet;
        network.latency = 1e-3 * (double)grid_subject_between(&state, 0, 30);
        inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5,
                                  .work = 1e-3 * (double)grid_subject_between(&state, 1, 500)};
        inlay_grid_ranking *ranking = ranked(&s, &network, &phase, 1, NULL);
        ck_assert_uint_eq(inlay_grid_ranking_rows(ranking), INLAY_GRID_SCATTER + 1);
        double before = 0;
        for (size_t i = 0; i < inlay_grid_ranking_rows(ranking); i++) {
            const inlay_grid_row *row = inlay_grid_ranking_row(ranking, i);
            int used = 0;
            double all = 0;
            double least = least_seconds(&s, row->method, &network, &phase, &used, &all);
            ck_assert_double_eq_tol(row->cost.seconds, least, 1e-12 * least);
            ck_assert_double_eq_tol(row->seconds_all, all, 1e-12 * all);
            ck_assert_int_eq(row->processors, used);
            ck_assert_double_ge(row->cost.seconds, before);
            ck_assert_double_eq_tol(row->ratio, least / inlay_grid_ranking_row(ranking, 0)->cost.seconds, 1e-9);
            check_row(&s, row);
            before = row->cost.seconds;
            fewer += used < s.problem.processors;
        }
        inlay_grid_ranking_free(ranking);
    }
    ck_assert_int_gt(fewer, 300);
}
END_TEST

/* Beyond 128 processors numbers are sampled: runs, whose cycle has one valley in the number, are still best. */
START_TEST(many_processors)
{
    enum { MANY = 700 };
    static double speed[MANY];
    for (int i = 0; i < MANY; i++)
        speed[i] = 1;
    grid_subject s = {.problem = {.rows = 99991, .columns = 1009, .item = 8, .processors = MANY, .speed = speed}};
    inlay_grid_network network = {.latency = 1e-5, .per_byte = 1e-9};
    inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 2.5e-8};
    inlay_grid_rank_options options = {.methods = 1U << INLAY_GRID_POINT};
    inlay_grid_ranking *ranking = ranked(&s, &network, &phase, 1, &options);
    double least = INFINITY;
    int at = 0;
    for (int p = 1; p <= MANY; p++) {
        inlay_grid_cost cost;
        s.problem.processors = p;
        inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_POINT, NULL);
        ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_OK);
        at = cost.seconds < least ? p : at;
        least = fmin(least, cost.seconds);
        inlay_decomposition_free(d);
    }
    const inlay_grid_row *row = inlay_grid_ranking_row(ranking, 0);
    ck_assert_int_gt(at, 150);
    ck_assert_int_lt(at, MANY);
    ck_assert_int_eq(row->processors, at);
    ck_assert_double_eq_tol(row->cost.seconds, least, 1e-12);
    inlay_grid_ranking_free(ranking);
}
END_TEST

/* A processor that would get no cells is not used: of equal cycles the one with the fewest processors is taken. */
START_TEST(equal_cycles)
{
    grid_subject s;
    grid_subject_square(10, (double[]){60, 0.001, 0}, &s);
    inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 10};
    inlay_grid_rank_options options = {.methods = (1U << INLAY_GRID_ROW) | (1U << INLAY_GRID_BEST)};
    inlay_grid_ranking *ranking = ranked(&s, &grid_ethernet, &phase, 1, &options);
    for (size_t i = 0; i < 2; i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(ranking, i);
        ck_assert_int_eq(row->processors, 1);
        ck_assert_double_eq_tol(row->cost.seconds, 100 * 10 / 60.0, 1e-12);
        ck_assert_int_eq(inlay_decomposition_cells(row->decomposition, 0), 100);
    }
    ck_assert_double_eq(row_of(ranking, INLAY_GRID_ROW)->seconds_all, 100 * 10 / 60.0);
    inlay_grid_ranking_free(ranking);
}
END_TEST

/* The caller's own owners stand in the ranking with what they cost, on all processors, the idle ones too. */
START_TEST(own_map)
{
    static int32_t owner[64];
    grid_subject s;
    grid_subject_square(8, (double[]){1, 4, 2, 0}, &s);
    for (int i = 0; i < 64; i++)
        owner[i] = i / 8 < 5 ? 1 : 2;
    inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 10};
    inlay_grid_rank_options options = {.owner = owner};
    inlay_grid_ranking *ranking = ranked(&s, &grid_ethernet, &phase, 1, &options);
    ck_assert_uint_eq(inlay_grid_ranking_rows(ranking), INLAY_GRID_SCATTER + 2);
    const inlay_grid_row *row = row_of(ranking, INLAY_GRID_MAP);
    /* 24 cells / 2; north and south to each other: 2 messages of a row each, twice */
    ck_assert_double_eq_tol(row->cost.seconds, 24 / 2.0 * 10 + 2 * 0.0025 + 1.5e-6 * 4 * (64 + 58), 1e-12);
    ck_assert_double_eq(row->seconds_all, row->cost.seconds);
    ck_assert_int_eq(row->processors, 3);
    ck_assert_int_eq(inlay_decomposition_summary_of(row->decomposition)->empty, 1);
    ck_assert_int_eq(inlay_decomposition_owner(row->decomposition, 5, 0), 2);
    inlay_grid_block block;
    ck_assert(inlay_decomposition_block(row->decomposition, 2, &block)); /* its pieces are rectangles */
    ck_assert(block.top == 5 && block.left == 0 && block.bottom == 8 && block.right == 8);
    ck_assert(inlay_decomposition_block(row->decomposition, 0, &block) && block.bottom == 0);
    inlay_grid_ranking_free(ranking);
    options.methods = 1U << INLAY_GRID_MAP;
    ranking = ranked(&s, &grid_ethernet, &phase, 1, &options);
    ck_assert_uint_eq(inlay_grid_ranking_rows(ranking), 1);
    ck_assert_double_eq(inlay_grid_ranking_row(ranking, 0)->ratio, 1);
    inlay_grid_ranking_free(ranking);
}
END_TEST

/* Nothing is computed, or bytes between given processors: all are used. */
START_TEST(all_processors)
{
    grid_subject s;
    grid_subject_square(20, (double[]){2, 1, 3, 0}, &s);
    const int64_t bytes[9] = {0, 1, 2, 3, 0, 4, 5, 6, 0};
    inlay_grid_phase phase[] = {{.pattern.communication = INLAY_GRID_STENCIL5},
                                {.pattern = {.communication = INLAY_GRID_RANDOM, .bytes = bytes}, .work = 1e-9}};
    for (int i = 0; i < 2; i++) {
        inlay_grid_ranking *ranking = ranked(&s, &grid_ethernet, &phase[i], 1, NULL);
        for (size_t n = 0; n < inlay_grid_ranking_rows(ranking); n++)
            ck_assert_int_eq(inlay_grid_ranking_row(ranking, n)->processors, 3);
        inlay_grid_ranking_free(ranking);
    }
}
END_TEST

/* ---- Redistribution ---- */

START_TEST(cells_on_their_way)
{
    static int32_t before[SLOW_CELLS], after[SLOW_CELLS];
    uint64_t state = 31;
    for (int n = 0; n < 1500; n++) {
        grid_subject s;
        grid_subject_random(&state, 24, 10, &s);
        inlay_grid_options a = grid_subject_options(&state, &s.problem);
        inlay_grid_options b = grid_subject_options(&state, &s.problem);
        inlay_decomposition *from = grid_decomposed(&s.problem, (inlay_grid_method)(n % 10), &a);
        inlay_decomposition *to = grid_decomposed(&s.problem, (inlay_grid_method)(n / 10 % 10), &b);
        slow_grid_owners(from, before);
        slow_grid_owners(to, after);
        static slow_grid_messages moved;
        memset(&moved, 0, sizeof moved);
        for (int64_t i = 0; i < s.problem.rows * s.problem.columns; i++)
            moved.cells[0][before[i]][after[i]] += before[i] != after[i];
        slow_grid_cost slow = slow_grid_cost_of(&s.problem, &grid_ethernet, &moved, 1);
        inlay_grid_cost cost;
        int status = inlay_decomposition_redistribute(from, to, &grid_ethernet, s.problem.item, &cost, NULL);
        ck_assert_int_eq(status, INLAY_OK);
        ck_assert_double_eq(cost.messages, slow.messages);
        ck_assert_double_eq(cost.bytes, slow.bytes);
        ck_assert_double_eq(cost.framed, slow.framed);
        ck_assert_double_eq(cost.latency_units, slow.latency_units);
        ck_assert_double_eq_tol(cost.seconds, 0.0025 * slow.latency_units + 1.5e-6 * slow.framed, 1e-12);
        inlay_decomposition_free(from);
        inlay_decomposition_free(to);
    }
}
END_TEST

/* What all choices of a row for each phase cost; the least of them. */
static double least_cycle(const inlay_grid_ranking *ranking, const inlay_grid_phase *phase, size_t phases)
{
    size_t rows = inlay_grid_ranking_rows(ranking);
    double step[3][INLAY_GRID_METHODS], way[INLAY_GRID_METHODS][INLAY_GRID_METHODS];
    for (size_t r = 0; r < rows; r++) {
        const inlay_decomposition *d = inlay_grid_ranking_row(ranking, r)->decomposition;
        inlay_grid_cost cost;
        for (size_t i = 0; i < phases; i++) {
            ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase[i], 1, &cost, NULL), INLAY_OK);
            step[i][r] = cost.seconds;
        }
        for (size_t t = 0; t < rows; t++) {
            const inlay_decomposition *to = inlay_grid_ranking_row(ranking, t)->decomposition;
            ck_assert_int_eq(inlay_decomposition_redistribute(d, to, &grid_ethernet, 0, &cost, NULL), INLAY_OK);
            way[r][t] = cost.seconds;
            if (r == t) ck_assert_double_eq(cost.seconds, 0);
        }
    }
    double least = INFINITY;
    size_t choices = rows * rows * (phases == 3 ? rows : 1);
    for (size_t n = 0; n < choices; n++) {
        size_t at[3] = {n % rows, n / rows % rows, n / rows / rows};
        double seconds = 0;
        for (size_t i = 0; i < phases; i++)
            seconds += step[i][at[i]] + way[at[i]][at[(i + 1) % phases]];
        least = fmin(least, seconds);
    }
    return least;
}

START_TEST(phases_with_ways)
{
    uint64_t state = 8;
    int pays = 0;
    for (int n = 0; n < 60; n++) {
        grid_subject s;
        do
            grid_subject_random(&state, 40, 8, &s);
        while (s.problem.rows < 10 || s.problem.columns < 10 || s.problem.processors < 3);
        inlay_grid_phase phase[3] = {
            {.pattern.communication = INLAY_GRID_STENCIL3,
             .work = 1e-6,
             .weight = (double)grid_subject_between(&state, 1, 12)},
            {.pattern.communication = INLAY_GRID_STENCIL3_ACROSS, .work = 1e-6, .weight = 9},
            {.pattern.communication = INLAY_GRID_WAVEFRONT, .weight = (double)grid_subject_between(&state, 1, 9)}};
        size_t phases = n % 2 == 0 ? 2 : 3;
        inlay_grid_rank_options options = {.redistribute = true, .all = true};
        inlay_grid_ranking *ranking = ranked(&s, &grid_ethernet, phase, phases, &options);
        const inlay_grid_redistribution *r = inlay_grid_ranking_redistribution(ranking);
        double least = least_cycle(ranking, phase, phases);
        ck_assert_double_eq_tol(r->seconds, least, 1e-9 * least);
        ck_assert_double_eq(r->seconds_without, inlay_grid_ranking_row(ranking, 0)->cost.seconds);
        ck_assert_int_eq(r->pays, r->seconds < r->seconds_without);
        double steps = 0;
        bool moves = false;
        for (size_t i = 0; i < phases; i++) {
            const inlay_decomposition *d = inlay_grid_ranking_row(ranking, r->row[i])->decomposition;
            inlay_grid_cost cost;
            ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase[i], 1, &cost, NULL), INLAY_OK);
            steps += cost.seconds;
            moves = moves || r->row[i] != r->row[0];
        }
        ck_assert_double_eq_tol(steps + r->ways, r->seconds, 1e-9 * r->seconds);
        ck_assert_int_eq(moves, r->pays);
        pays += r->pays;
        inlay_grid_ranking_free(ranking);
    }
    ck_assert_int_gt(pays, 10);
    ck_assert_int_lt(pays, 60);
}
END_TEST

/* ---- The search ---- */

START_TEST(best_is_never_worse)
{
    enum { PLATFORMS = 1000 };
    uint64_t state = 1000;
    double sum = 0;
    int better = 0;
    for (int n = 0; n < PLATFORMS; n++) {
        grid_subject s;
        do
            grid_subject_random(&state, 100, 8, &s);
        while (s.problem.rows < 24 || s.problem.columns < 24 || s.problem.processors < 2);
        inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5,
                                  .work = 1e-5 * (double)grid_subject_between(&state, 1, 30)};
        inlay_grid_network network = {.latency = 1e-4 * (double)grid_subject_between(&state, 0, 25), .per_byte = 1e-6};
        double named = INFINITY;
        for (int m = 0; m <= INLAY_GRID_SCATTER; m++) {
            inlay_decomposition *d = grid_decomposed(&s.problem, (inlay_grid_method)m, NULL);
            inlay_grid_cost cost;
            ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_OK);
            named = fmin(named, cost.seconds);
            inlay_decomposition_free(d);
        }
        inlay_decomposition *best = NULL;
        inlay_grid_cost cost;
        ck_assert_int_eq(inlay_decompose_best(&s.problem, &network, &phase, 1, NULL, 400, &best, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_decomposition_cost(best, &network, &phase, 1, &cost, NULL), INLAY_OK);
        ck_assert_double_le(cost.seconds, named);
        if (inlay_decomposition_summary_of(best)->rectangles)
            ck_assert_double_le(cost.least_bytes, cost.bytes * (1 + 1e-12));
        sum += cost.seconds / named;
        better += cost.seconds < named;
        if (n % 50 == 0) {
            static int32_t owner[100 * 100];
            for (int64_t i = 0; i < s.problem.rows * s.problem.columns; i++)
                owner[i] = inlay_decomposition_owner(best, i / s.problem.columns, i % s.problem.columns);
            inlay_decomposition *map = NULL;
            inlay_grid_cost by_map;
            ck_assert_int_eq(inlay_decompose_map(&s.problem, owner, &map, NULL), INLAY_OK);
            ck_assert_int_eq(inlay_decomposition_cost(map, &network, &phase, 1, &by_map, NULL), INLAY_OK);
            ck_assert_double_eq_tol(by_map.seconds, cost.seconds, 1e-12);
            inlay_decomposition_free(map);
        }
        inlay_decomposition_free(best);
    }
    ck_assert_double_lt(sum / PLATFORMS, 0.97);
    ck_assert_int_gt(better, PLATFORMS / 3);
}
END_TEST

/* ---- The search beside all guillotine cuts for three processors ---- */

typedef struct three {
    const grid_subject *s;
    const inlay_grid_phase *phase;
    int32_t owner[SLOW_CELLS];
    double least;
} three;

static void give(three *t, inlay_grid_block b, int32_t processor)
{
    for (int64_t r = b.top; r < b.bottom; r++)
        for (int64_t c = b.left; c < b.right; c++)
            t->owner[r * t->s->problem.columns + c] = processor;
}

static void cost_of_owners(three *t)
{
    inlay_decomposition *d = NULL;
    inlay_grid_cost cost;
    ck_assert_int_eq(inlay_decompose_map(&t->s->problem, t->owner, &d, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, t->phase, 1, &cost, NULL), INLAY_OK);
    t->least = fmin(t->least, cost.seconds);
    inlay_decomposition_free(d);
}

/* All ways to cut a region for a list of one or two processors; with two, all of the rest is there already. */
static void cut_for_two(three *t, inlay_grid_block region, int32_t a, int32_t b)
{
    for (int64_t at = region.top + 1; at < region.bottom; at++) {
        give(t, (inlay_grid_block){region.top, region.left, at, region.right, 0, 1}, a);
        give(t, (inlay_grid_block){at, region.left, region.bottom, region.right, 0, 1}, b);
        cost_of_owners(t);
    }
    for (int64_t at = region.left + 1; at < region.right; at++) {
        give(t, (inlay_grid_block){region.top, region.left, region.bottom, at, 0, 1}, a);
        give(t, (inlay_grid_block){region.top, at, region.bottom, region.right, 0, 1}, b);
        cost_of_owners(t);
    }
}

/* One processor on one side, the two others on the other, at every line. A torus looks the same from both sides. */
static void cut_for_three(three *t)
{
    int64_t m = t->s->problem.rows, n = t->s->problem.columns;
    for (int32_t one = 0; one < 3; one++)
        for (int order = 0; order < 2; order++) {
            int32_t a = (one + 1 + order) % 3, b = (one + 2 - order) % 3;
            for (int64_t at = 1; at < m; at++) {
                give(t, (inlay_grid_block){0, 0, at, n, 0, 1}, one);
                cut_for_two(t, (inlay_grid_block){at, 0, m, n, 0, 1}, a, b);
            }
            for (int64_t at = 1; at < n; at++) {
                give(t, (inlay_grid_block){0, 0, m, at, 0, 1}, one);
                cut_for_two(t, (inlay_grid_block){0, at, m, n, 0, 1}, a, b);
            }
        }
}

START_TEST(best_of_all_cuts)
{
    enum { CASES = 60 };
    uint64_t state = 3;
    int found = 0;
    for (int n = 0; n < CASES; n++) {
        grid_subject s;
        double speed[] = {(double)grid_subject_between(&state, 1, 6), (double)grid_subject_between(&state, 1, 6),
                          (double)grid_subject_between(&state, 1, 6), 0};
        grid_subject_square(7, speed, &s);
        s.problem.columns = grid_subject_between(&state, 6, 11);
        s.problem.item = grid_subject_between(&state, 1, 300);
        inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5,
                                  .work = 1e-4 * (double)grid_subject_between(&state, 1, 100)};
        three t = {.s = &s, .phase = &phase, .least = INFINITY};
        cut_for_three(&t);
        inlay_decomposition *best = NULL;
        inlay_grid_cost cost;
        int status = inlay_decompose_best(&s.problem, &grid_ethernet, &phase, 1, NULL, 2000, &best, NULL);
        ck_assert_int_eq(status, INLAY_OK);
        ck_assert_int_eq(inlay_decomposition_cost(best, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
        const inlay_decomposition_summary *summary = inlay_decomposition_summary_of(best);
        if (summary->rectangles && summary->empty == 0) ck_assert_double_ge(cost.seconds, t.least * (1 - 1e-12));
        found += cost.seconds <= t.least * (1 + 1e-12);
        ck_assert_double_le(cost.seconds, t.least * 1.05);
        inlay_decomposition_free(best);
    }
    ck_assert_int_ge(found, CASES * 9 / 10);
}
END_TEST

/* The same seed finds the same; the ranking has the search as a row that is no worse than the others. */
START_TEST(best_in_a_ranking)
{
    grid_subject s;
    grid_subject_square(90, (double[]){1, 5, 3, 3, 2, 7, 0}, &s);
    inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL9, .work = 1e-4};
    inlay_grid_rank_options options = {.methods = (1U << (INLAY_GRID_BEST + 1)) - 1, .tries = 1000};
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        inlay_grid_ranking *ranking = ranked(&s, &grid_ethernet, &phase, 1, &options);
        ck_assert_uint_eq(inlay_grid_ranking_rows(ranking), INLAY_GRID_BEST + 1);
        const inlay_grid_row *row = row_of(ranking, INLAY_GRID_BEST);
        ck_assert_double_eq(row->ratio, 1);
        ck_assert_double_le(row->cost.seconds, row->seconds_all);
        check_row(&s, row);
        seconds[i] = row->cost.seconds;
        inlay_grid_ranking_free(ranking);
    }
    ck_assert_double_eq(seconds[0], seconds[1]);
}
END_TEST

/* Beyond 4096 processors there are few tries, which a warning says, and still none of the others is better. */
START_TEST(best_of_a_crowd)
{
    enum { CROWD = 5000 };
    static double speed[CROWD];
    uint64_t state = 5;
    for (int i = 0; i < CROWD; i++)
        speed[i] = (double)grid_subject_between(&state, 1, 9);
    const inlay_grid_problem problem = {
        .rows = 90000, .columns = 70000, .item = 8, .processors = CROWD, .speed = speed};
    const inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 1e-3};
    inlay_grid_cost best, fbrd;
    for (int64_t tries = 0; tries <= 40; tries += 40) {
        inlay_diag *diag = inlay_diag_new();
        inlay_decomposition *d = NULL, *named = grid_decomposed(&problem, INLAY_GRID_FBRD, NULL);
        ck_assert_int_eq(inlay_decompose_best(&problem, &grid_ethernet, &phase, 1, NULL, tries, &d, diag), INLAY_OK);
        ck_assert_uint_eq(inlay_diag_warnings(diag), tries == 0);
        if (tries == 0)
            ck_assert_str_eq(inlay_diag_warning(diag, 0), "best looks at 163 decompositions alone for 5000 processors; "
                                                          "more tries may find better ones");
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &best, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_decomposition_cost(named, &grid_ethernet, &phase, 1, &fbrd, NULL), INLAY_OK);
        ck_assert_double_lt(best.seconds, fbrd.seconds);
        ck_assert_int_eq(inlay_decomposition_summary_of(d)->method, INLAY_GRID_COLUMN_BASED);
        inlay_decomposition_free(named);
        inlay_decomposition_free(d);
        inlay_diag_free(diag);
    }
}
END_TEST

Suite *suite_grid_rank(void)
{
    Suite *suite = suite_create("grid_rank");
    TCase *test = tcase_create("grid_rank");
    tcase_add_test(test, advice);
    tcase_add_test(test, figure_42);
    tcase_add_test(test, fewer_processors);
    tcase_add_test(test, many_processors);
    tcase_add_test(test, equal_cycles);
    tcase_add_test(test, own_map);
    tcase_add_test(test, all_processors);
    tcase_add_test(test, cells_on_their_way);
    tcase_add_test(test, phases_with_ways);
    tcase_add_test(test, best_is_never_worse);
    tcase_add_test(test, best_of_all_cuts);
    tcase_add_test(test, best_in_a_ranking);
    tcase_add_test(test, best_of_a_crowd);
    suite_add_tcase(suite, test);
    return suite;
}

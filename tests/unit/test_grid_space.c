/*
 * Grids of three dimensions, cells with weights and hosts with little memory, held against loops over all cells; columns of
 * blocks against all ways to group processors; the counts of a scatter that are expected against one that is drawn.
 */
#include "grid_subject.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 9, CELLS = SIDE * SIDE * SIDE, MOST = 12, DIRECTIONS = 26, CASES = 3000 };

static const inlay_grid_method boxes[] = {INLAY_GRID_ROW,  INLAY_GRID_COLUMN,       INLAY_GRID_BLOCK,
                                          INLAY_GRID_BRBD, INLAY_GRID_FBRD,         INLAY_GRID_FBRD_ALTERNATE,
                                          INLAY_GRID_PHD,  INLAY_GRID_COLUMN_BASED, INLAY_GRID_JAGGED};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* ---- Subjects ---- */

/* A small grid of three dimensions; its processors are no more than its cells. */
static void draw_space(uint64_t *state, grid_subject *s)
{
    grid_subject_random(state, SIDE, MOST, s);
    s->problem.planes = grid_subject_between(state, 2, SIDE);
    int64_t cells = s->problem.rows * s->problem.columns * s->problem.planes;
    s->problem.processors = (int32_t)grid_subject_between(state, 1, cells < MOST ? cells : MOST);
    for (int i = 0; i < s->problem.processors; i++)
        s->speed[i] = (double)grid_subject_between(state, 1, 20);
}

static int64_t cells_of(const inlay_grid_problem *p)
{
    return p->rows * p->columns * (p->planes > 1 ? p->planes : 1);
}

/* By place in reading order, plane by plane. */
static void ask_owners(const inlay_grid_problem *p, const inlay_decomposition *d, int32_t owner[CELLS])
{
    for (int64_t i = 0; i < cells_of(p); i++)
        owner[i] =
            inlay_decomposition_owner_in(d, i / (p->rows * p->columns), i / p->columns % p->rows, i % p->columns);
}

/* ---- Three dimensions ---- */

static void check_boxes(const inlay_grid_problem *p, const inlay_decomposition *d, const int32_t *owner)
{
    int64_t cells[MOST] = {0}, outside = 0;
    for (int64_t i = 0; i < cells_of(p); i++) {
        inlay_grid_block b;
        ck_assert(owner[i] >= 0 && owner[i] < p->processors && inlay_decomposition_block(d, owner[i], &b));
        int64_t t = i / (p->rows * p->columns), r = i / p->columns % p->rows, c = i % p->columns;
        cells[owner[i]]++;
        outside += t < b.front || t >= b.back || r < b.top || r >= b.bottom || c < b.left || c >= b.right;
    }
    ck_assert_int_eq(outside, 0);
    for (int i = 0; i < p->processors; i++) {
        inlay_grid_block b;
        ck_assert_int_eq(inlay_decomposition_cells(d, i), cells[i]);
        ck_assert(inlay_decomposition_block(d, i, &b));
        ck_assert_int_eq((b.back - b.front) * (b.bottom - b.top) * (b.right - b.left), cells[i]);
    }
}

/* All steps of at most one cell along each axis, with 1, 2 or 3 axes. */
static int steps_of(int axes, inlay_grid_offset step[DIRECTIONS])
{
    int count = 0;
    for (int n = 0; n < 27; n++) {
        inlay_grid_offset o = {n / 3 % 3 - 1, n % 3 - 1, n / 9 - 1};
        int moved = (o.down != 0) + (o.across != 0) + (o.through != 0);
        if (moved > 0 && moved <= axes) step[count++] = o;
    }
    return count;
}

/* -1 over the edge of a bounded grid. */
static int64_t beside(int64_t at, int64_t step, int64_t length, bool bounded)
{
    int64_t there = at + step;
    return !bounded ? (there % length + length) % length : there < 0 || there >= length ? -1 : there;
}

/* Messages and bytes, cell by cell and neighbour by neighbour. */
static void count_slowly(const inlay_grid_problem *p, const int32_t *owner, const inlay_grid_offset *step, int steps,
                         double *messages, double *bytes)
{
    *messages = *bytes = 0;
    for (int k = 0; k < steps; k++) {
        bool seen[MOST][MOST] = {{false}};
        for (int64_t i = 0; i < cells_of(p); i++) {
            int64_t t = beside(i / (p->rows * p->columns), step[k].through, p->planes, p->bounded);
            int64_t r = beside(i / p->columns % p->rows, step[k].down, p->rows, p->bounded);
            int64_t c = beside(i % p->columns, step[k].across, p->columns, p->bounded);
            if (t < 0 || r < 0 || c < 0) continue;
            int32_t to = owner[(t * p->rows + r) * p->columns + c];
            if (to == owner[i]) continue;
            *bytes += (double)p->item;
            *messages += !seen[owner[i]][to];
            seen[owner[i]][to] = true;
        }
    }
}

START_TEST(boxes_are_counted)
{
    static int32_t owner[CELLS];
    uint64_t state = 99;
    for (int n = 0; n < CASES; n++) {
        grid_subject s;
        inlay_grid_offset step[DIRECTIONS];
        inlay_grid_cost cost;
        double messages, bytes;
        draw_space(&state, &s);
        const inlay_grid_options options = {.shares = (inlay_grid_shares)grid_subject_between(&state, 0, 2)};
        inlay_decomposition *d = grid_decomposed(&s.problem, boxes[n % BOXES], &options);
        int axes = 1 + n / BOXES % 3, steps = steps_of(axes, step);
        inlay_grid_phase phase = {.pattern.communication = (inlay_grid_communication)(INLAY_GRID_STENCIL7 + axes - 1)};
        ask_owners(&s.problem, d, owner);
        check_boxes(&s.problem, d, owner);
        count_slowly(&s.problem, owner, step, steps, &messages, &bytes);
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
        ck_assert_double_eq(cost.messages, messages);
        ck_assert_double_eq(cost.bytes, bytes);
        if (axes == 1) ck_assert_double_le(cost.least_bytes, bytes + 1e-6);
        /* any steps, also farther than the grid */
        inlay_grid_offset far = {grid_subject_between(&state, -12, 12), grid_subject_between(&state, -12, 12),
                                 grid_subject_between(&state, -12, 12)};
        phase.pattern = (inlay_grid_pattern){.communication = INLAY_GRID_OFFSETS, .offsets = 1, .offset = &far};
        count_slowly(&s.problem, owner, &far, 1, &messages, &bytes);
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
        ck_assert_double_eq(cost.messages, messages);
        ck_assert_double_eq(cost.bytes, bytes);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* The cells that change hands between two ways to cut one grid. */
START_TEST(boxes_move)
{
    static int32_t from[CELLS], to[CELLS];
    uint64_t state = 5;
    for (int n = 0; n < 200; n++) {
        grid_subject s;
        inlay_grid_cost cost;
        draw_space(&state, &s);
        inlay_decomposition *a = grid_decomposed(&s.problem, boxes[n % BOXES], NULL);
        inlay_decomposition *b = grid_decomposed(&s.problem, boxes[n / 3 % BOXES], NULL);
        double bytes = 0;
        ask_owners(&s.problem, a, from);
        ask_owners(&s.problem, b, to);
        for (int64_t i = 0; i < cells_of(&s.problem); i++)
            bytes += from[i] != to[i] ? 4 : 0;
        ck_assert_int_eq(inlay_decomposition_redistribute(a, b, &grid_ethernet, 4, &cost, NULL), INLAY_OK);
        ck_assert_double_eq(cost.bytes, bytes);
        inlay_decomposition_free(a);
        inlay_decomposition_free(b);
    }
}
END_TEST

/* One plane is a grid of two dimensions, and the search keeps to what it promises in three. */
START_TEST(best_in_space)
{
    uint64_t state = 31;
    for (int n = 0; n < 60; n++) {
        grid_subject s;
        draw_space(&state, &s);
        const inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL7, .work = 1e-2};
        const inlay_grid_network network = {.latency = 1e-3, .per_byte = 1e-6};
        static int32_t owner[CELLS];
        inlay_decomposition *best = NULL;
        inlay_grid_cost cost, other;
        ck_assert_int_eq(inlay_decompose_best(&s.problem, &network, &phase, 1, NULL, 300, &best, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_decomposition_cost(best, &network, &phase, 1, &cost, NULL), INLAY_OK);
        ask_owners(&s.problem, best, owner);
        check_boxes(&s.problem, best, owner);
        for (size_t m = 0; m < BOXES; m++) {
            inlay_decomposition *d = grid_decomposed(&s.problem, boxes[m], NULL);
            ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &other, NULL), INLAY_OK);
            ck_assert_double_le(cost.seconds, other.seconds);
            inlay_decomposition_free(d);
        }
        inlay_decomposition_free(best);
    }
}
END_TEST

/* ---- Columns ---- */

/* The least sum of heights and widths over all ways to put the processors from `at` on into columns, in any order. */
static double all_columns(const double *share, int p, int at, int columns, double *width, int *count)
{
    if (at == p) {
        double sum = 0;
        for (int c = 0; c < columns; c++)
            sum += 1 + count[c] * width[c];
        return sum;
    }
    double least = INFINITY;
    for (int c = 0; c <= columns; c++) {
        width[c] += share[at];
        count[c]++;
        least = fmin(least, all_columns(share, p, at + 1, c == columns ? columns + 1 : columns, width, count));
        width[c] -= share[at];
        count[c]--;
    }
    return least;
}

/* Beaumont and others: columns of neighbours by speed are as good as any. */
START_TEST(columns_are_the_best)
{
    enum { FEW = 7 };
    uint64_t state = 2001;
    for (int n = 0; n < 150; n++) {
        grid_subject s = {.problem = {.rows = 1000000, .columns = 1000000, .item = 1}};
        double share[FEW], sum = 0, width[FEW + 1] = {0}, edges = 0;
        int count[FEW + 1] = {0};
        s.problem.processors = (int32_t)grid_subject_between(&state, 1, FEW);
        s.problem.speed = s.speed;
        for (int i = 0; i < s.problem.processors; i++)
            sum += s.speed[i] = (double)grid_subject_between(&state, 1, 30);
        for (int i = 0; i < s.problem.processors; i++)
            share[i] = s.speed[i] / sum;
        inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_COLUMN_BASED, NULL);
        for (int i = 0; i < s.problem.processors; i++) {
            inlay_grid_block b;
            ck_assert(inlay_decomposition_block(d, i, &b));
            edges += 1e-6 * (double)(b.bottom - b.top + b.right - b.left);
        }
        double least = all_columns(share, s.problem.processors, 0, 0, width, count);
        ck_assert_double_eq_tol(edges, least, 1e-4);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* From 64 processors on it is nearer to the perimeter bound than halves are, and the search begins no worse. */
START_TEST(columns_of_many)
{
    enum { MANY = 256, DRAWS = 12 };
    static double speed[MANY];
    const inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 1};
    const inlay_grid_network network = {.latency = 5e-5, .per_byte = 1e-8};
    uint64_t state = 64;
    double columns = 0, halves = 0;
    for (int n = 0; n < DRAWS; n++) {
        inlay_grid_problem p = {.rows = 20000, .columns = 20000, .item = 8, .speed = speed};
        p.processors = n % 2 == 0 ? 64 : MANY;
        for (int i = 0; i < p.processors; i++)
            speed[i] = 1e8 * (double)grid_subject_between(&state, 1, 40);
        double named = INFINITY;
        for (int m = 0; m < INLAY_GRID_SCATTER; m++) {
            inlay_decomposition *d = grid_decomposed(&p, (inlay_grid_method)m, NULL);
            inlay_grid_cost cost;
            ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_OK);
            named = fmin(named, cost.seconds);
            columns += m == INLAY_GRID_COLUMN_BASED ? cost.bytes / cost.least_bytes / DRAWS : 0;
            halves += m == INLAY_GRID_FBRD ? cost.bytes / cost.least_bytes / DRAWS : 0;
            inlay_decomposition_free(d);
        }
        inlay_decomposition *best = NULL;
        inlay_grid_cost cost;
        ck_assert_int_eq(inlay_decompose_best(&p, &network, &phase, 1, NULL, 60, &best, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_decomposition_cost(best, &network, &phase, 1, &cost, NULL), INLAY_OK);
        ck_assert_double_le(cost.seconds, named);
        inlay_decomposition_free(best);
    }
    ck_assert_double_lt(columns, 1.02);
    ck_assert_double_gt(halves, columns + 0.01);
}
END_TEST

/* ---- Scatter ---- */

/* A grid of so many cells is costed by what is expected; the same one that is drawn is near to that. */
START_TEST(scatter_is_expected)
{
    for (int bounded = 0; bounded < 2; bounded++) {
        grid_subject s = {.problem = {.rows = 400, .columns = 300, .item = 8, .processors = 4, .bounded = bounded == 1},
                          .speed = {4, 3, 2, 1}};
        s.problem.speed = s.speed;
        const inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL9, .work = 1};
        const inlay_grid_rank_options both = {.methods = 1U << INLAY_GRID_SCATTER | 1U << INLAY_GRID_ROW, .all = true};
        inlay_grid_ranking *ranking = NULL;
        inlay_grid_cost drawn;
        ck_assert_int_eq(inlay_grid_rank(&s.problem, &grid_ethernet, &phase, 1, &both, &ranking, NULL), INLAY_OK);
        const inlay_grid_row *row = inlay_grid_ranking_row(ranking, 1);
        inlay_decomposition *d = grid_decomposed(&s.problem, INLAY_GRID_SCATTER, NULL);
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &drawn, NULL), INLAY_OK);
        ck_assert_int_eq(row->method, INLAY_GRID_SCATTER);
        ck_assert_int_eq(inlay_decomposition_owner(row->decomposition, 0, 0), -1);
        ck_assert_double_eq(row->cost.messages, 8 * 4 * 3);
        ck_assert_double_eq(drawn.messages, 8 * 4 * 3);
        ck_assert_double_eq(row->cost.computation, drawn.computation);
        ck_assert_double_eq_tol(row->cost.bytes / drawn.bytes, 1, 2e-3);
        ck_assert_double_eq_tol(row->cost.seconds / drawn.seconds, 1, 2e-3);
        /* two different cells of one processor: c (c - 1) of N (N - 1) pairs */
        double n = 400 * 300, alike = 0, pairs = 0;
        for (int k = 0; k < 9; k++)
            pairs += k == 4 ? 0 : bounded == 1 ? (k / 3 == 1 ? 400.0 : 399.0) * (k % 3 == 1 ? 300.0 : 299.0) : n;
        for (int i = 0; i < 4; i++)
            alike += s.speed[i] / 10 * n * (s.speed[i] / 10 * n - 1) / n / (n - 1);
        ck_assert_double_eq_tol(row->cost.bytes, 8 * pairs * (1 - alike), 8 * 8 * 12);
        inlay_grid_ranking_free(ranking);
        /* alone it is the first row, whose owners are there */
        const inlay_grid_rank_options alone = {.methods = 1U << INLAY_GRID_SCATTER, .all = true};
        ck_assert_int_eq(inlay_grid_rank(&s.problem, &grid_ethernet, &phase, 1, &alone, &ranking, NULL), INLAY_OK);
        for (int i = 0; i < 300; i++)
            ck_assert_int_eq(inlay_decomposition_owner(inlay_grid_ranking_row(ranking, 0)->decomposition, i, i),
                             inlay_decomposition_owner(d, i, i));
        inlay_grid_ranking_free(ranking);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* ---- Weights ---- */

/* What every processor computes, by the owners of all cells; lines and tables of the same weights give the same. */
START_TEST(cells_have_weights)
{
    static const inlay_grid_method all[] = {INLAY_GRID_POINT, INLAY_GRID_INTERLEAVED, INLAY_GRID_SCATTER};
    static int32_t owner[CELLS];
    static double cell[CELLS];
    uint64_t state = 8;
    for (int n = 0; n < 1500; n++) {
        grid_subject s;
        draw_space(&state, &s);
        double line[3][SIDE], load[MOST] = {0}, sum = 0, speeds = 0, longest = 0;
        bool flat = n % 2 == 0 && s.problem.processors <= s.problem.rows * s.problem.columns;
        if (flat) s.problem.planes = n % 4 == 0;
        for (int i = 0; i < 3 * SIDE; i++)
            line[i / SIDE][i % SIDE] = (double)grid_subject_between(&state, i == 0, 5);
        line[0][0] = line[1][0] = line[2][0] = flat ? 1 : 2;
        for (int64_t i = 0; i < cells_of(&s.problem); i++)
            cell[i] = line[0][i / (s.problem.rows * s.problem.columns)] *
                      line[1][i / s.problem.columns % s.problem.rows] * line[2][i % s.problem.columns];
        const inlay_grid_weights lines = {.plane = line[0], .row = line[1], .column = line[2]}, cells = {.cell = cell};
        const inlay_grid_phase phase = {.work = 1};
        inlay_grid_method method = flat && n % 3 == 0 ? all[n / 6 % 3] : boxes[n % BOXES];
        inlay_grid_options options = {.down = n % 5 == 0, .seed = 7};
        inlay_grid_cost cost[2];
        for (int k = 0; k < 2; k++) {
            s.problem.weights = k == 0 ? &lines : &cells;
            inlay_decomposition *d = grid_decomposed(&s.problem, method, &options);
            ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost[k], NULL), INLAY_OK);
            ask_owners(&s.problem, d, owner);
            inlay_decomposition_free(d);
        }
        for (int64_t i = 0; i < cells_of(&s.problem); i++) {
            load[owner[i]] += cell[i];
            sum += cell[i];
        }
        for (int i = 0; i < s.problem.processors; i++) {
            longest = fmax(longest, load[i] / s.speed[i]);
            speeds += s.speed[i];
        }
        ck_assert_double_eq_tol(cost[0].computation, longest, 1e-9);
        ck_assert_double_eq_tol(cost[1].computation, longest, 1e-9);
        ck_assert_double_eq_tol(cost[0].imbalance, longest * speeds / sum, 1e-9);
    }
}
END_TEST

/* Cuts follow the weights: on a fine grid nobody computes much longer than all together would. */
START_TEST(weights_are_balanced)
{
    static const inlay_grid_method cuts[] = {INLAY_GRID_ROW,   INLAY_GRID_COLUMN, INLAY_GRID_POINT,
                                             INLAY_GRID_BRBD,  INLAY_GRID_FBRD,   INLAY_GRID_COLUMN_BASED,
                                             INLAY_GRID_JAGGED};
    enum { FINE = 400 };
    static double cell[FINE * FINE];
    grid_subject s;
    grid_subject_square(FINE, (const double[]){6, 4, 4, 3, 3, 3, 2, 1, 0}, &s);
    for (int i = 0; i < FINE * FINE; i++)
        cell[i] = 1 + 9 * exp(-1e-4 * (pow(i / FINE - 100, 2) + pow(i % FINE - 250, 2)));
    const inlay_grid_weights weights = {.cell = cell};
    const inlay_grid_phase phase = {.work = 1};
    s.problem.weights = &weights;
    for (size_t m = 0; m < sizeof cuts / sizeof *cuts; m++) {
        inlay_grid_cost cost;
        inlay_decomposition *d = grid_decomposed(&s.problem, cuts[m], NULL);
        ck_assert_int_eq(inlay_decomposition_cost(d, &grid_ethernet, &phase, 1, &cost, NULL), INLAY_OK);
        ck_assert_double_lt(cost.imbalance, 1.08);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* ---- Memory ---- */

/* Where a method has an answer no host holds more than it can; where all have room enough, nothing changes. */
START_TEST(hosts_have_room)
{
    uint64_t state = 61;
    int answers = 0, clipped = 0;
    for (int n = 0; n < 1500; n++) {
        grid_subject s;
        grid_subject_random(&state, 60, MOST, &s);
        int32_t host[MOST];
        int64_t room[MOST], held[MOST] = {0}, all = cells_of(&s.problem), in_all = 0;
        for (int i = 0; i < s.problem.processors; i++) {
            host[i] = i > 0 && grid_subject_between(&state, 0, 2) == 0 ? host[i - 1] : i;
            room[i] = i > 0 && host[i] == host[i - 1] ? room[i - 1] : grid_subject_between(&state, 0, all);
            in_all += host[i] == i ? room[i] : 0;
        }
        inlay_decomposition *d = NULL,
                            *free_of = grid_decomposed(&s.problem, (inlay_grid_method)(n % INLAY_GRID_BEST), NULL);
        s.problem.host = host;
        s.problem.room = room;
        int status = inlay_decompose(&s.problem, (inlay_grid_method)(n % INLAY_GRID_BEST), NULL, &d, NULL);
        ck_assert(status == INLAY_OK || status == INLAY_NO_ANSWER);
        if (in_all < all) ck_assert_int_eq(status, INLAY_NO_ANSWER);
        bool fits = true, same = true;
        for (int i = 0; i < s.problem.processors; i++)
            held[host[i]] += inlay_decomposition_cells(free_of, i);
        for (int i = 0; i < s.problem.processors; i++)
            fits = fits && held[host[i]] <= room[i];
        memset(held, 0, sizeof held);
        for (int i = 0; status == INLAY_OK && i < s.problem.processors; i++) {
            held[host[i]] += inlay_decomposition_cells(d, i);
            same = same && inlay_decomposition_cells(d, i) == inlay_decomposition_cells(free_of, i);
        }
        for (int i = 0; i < s.problem.processors; i++)
            ck_assert_int_le(held[host[i]], room[i]);
        answers += status == INLAY_OK;
        clipped += status == INLAY_OK && !fits;
        if (status == INLAY_OK && !fits) ck_assert(!same);
        inlay_decomposition_free(d);
        inlay_decomposition_free(free_of);
    }
    ck_assert_int_gt(answers, 300);
    ck_assert_int_gt(clipped, 100);
}
END_TEST

/* ---- What is refused ---- */

START_TEST(refused)
{
    static const double bad[] = {1, NAN}, negative[] = {1, -1}, none[] = {0, 0}, huge[] = {1e308, 1e308};
    grid_subject s;
    inlay_decomposition *d = NULL;
    grid_subject_alike(2, 2, 2, &s);
    for (int i = 0; i < 4; i++) {
        const inlay_grid_weights weights = {.row = i == 0 ? bad : i == 1 ? negative : i == 2 ? none : huge};
        s.problem.weights = &weights;
        ck_assert_int_eq(inlay_decompose(&s.problem, INLAY_GRID_ROW, NULL, &d, NULL), INLAY_BAD_ARGUMENT);
    }
    s.problem.weights = NULL;
    s.problem.planes = -1;
    ck_assert_int_eq(inlay_decompose(&s.problem, INLAY_GRID_ROW, NULL, &d, NULL), INLAY_BAD_ARGUMENT);
    s.problem.planes = INT64_C(1) << 52;
    ck_assert_int_eq(inlay_decompose(&s.problem, INLAY_GRID_ROW, NULL, &d, NULL), INLAY_BAD_ARGUMENT);
    s.problem.planes = 3;
    ck_assert_int_eq(inlay_decompose(&s.problem, INLAY_GRID_POINT, NULL, &d, NULL), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_decompose(&s.problem, INLAY_GRID_SCATTER, NULL, &d, NULL), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_decompose(&s.problem, INLAY_GRID_INTERLEAVED, NULL, &d, NULL), INLAY_NO_ANSWER);
    s.problem.planes = 1;
    const inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL27};
    inlay_grid_ranking *ranking = NULL;
    ck_assert_int_eq(inlay_grid_rank(&s.problem, &grid_ethernet, &phase, 1, NULL, &ranking, NULL), INLAY_BAD_ARGUMENT);
    const int32_t hosts[] = {0, 2};
    s.problem.host = hosts;
    ck_assert_int_eq(inlay_decompose(&s.problem, INLAY_GRID_ROW, NULL, &d, NULL), INLAY_BAD_ARGUMENT);
}
END_TEST

Suite *suite_grid_space(void)
{
    Suite *suite = suite_create("grid_space");
    TCase *test = tcase_create("grid_space");
    tcase_add_test(test, boxes_are_counted);
    tcase_add_test(test, boxes_move);
    tcase_add_test(test, best_in_space);
    tcase_add_test(test, columns_are_the_best);
    tcase_add_test(test, columns_of_many);
    tcase_add_test(test, scatter_is_expected);
    tcase_add_test(test, cells_have_weights);
    tcase_add_test(test, weights_are_balanced);
    tcase_add_test(test, hosts_have_room);
    tcase_add_test(test, refused);
    suite_add_tcase(suite, test);
    return suite;
}

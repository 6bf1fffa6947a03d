/* Grid decomposition on random grids: every cell has one owner, counts are those of the cells, Euler's identity. */
#include "grid_subject.h"
#include "slow_grid.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 24, CASES = 10000 };

static const inlay_grid_method methods[] = {
    INLAY_GRID_ROW,          INLAY_GRID_COLUMN,         INLAY_GRID_POINT,       INLAY_GRID_BLOCK,
    INLAY_GRID_BRBD,         INLAY_GRID_FBRD,           INLAY_GRID_PHD,         INLAY_GRID_JAGGED,
    INLAY_GRID_COLUMN_BASED, INLAY_GRID_FBRD_ALTERNATE, INLAY_GRID_INTERLEAVED, INLAY_GRID_SCATTER};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- Owners ---- */

/* Cells and blocks tell the same as the owner of each cell; gives the owners. */
static void check_owners(const inlay_decomposition *d, int32_t owner[SLOW_CELLS])
{
    const inlay_decomposition_summary *s = inlay_decomposition_summary_of(d);
    int64_t cells[SUBJECT_PROCESSORS] = {0};
    int empty = 0, outside = 0;
    slow_grid_owners(d, owner);
    for (int64_t r = 0; r < s->rows; r++)
        for (int64_t c = 0; c < s->columns; c++) {
            int32_t i = owner[r * s->columns + c];
            inlay_grid_block b;
            cells[i]++;
            if (inlay_decomposition_block(d, i, &b))
                outside += r < b.top || r >= b.bottom || c < b.left || c >= b.right;
        }
    ck_assert_int_eq(outside, 0);
    for (int32_t i = 0; i < s->processors; i++) {
        inlay_grid_block b;
        ck_assert_int_eq(inlay_decomposition_cells(d, i), cells[i]);
        empty += cells[i] == 0;
        bool is_block = inlay_decomposition_block(d, i, &b);
        ck_assert_int_eq(is_block, s->rectangles);
        if (is_block) ck_assert_int_eq((b.bottom - b.top) * (b.right - b.left), cells[i]);
    }
    ck_assert_int_eq(s->empty, empty);
    ck_assert_int_eq(inlay_decomposition_owner(d, -1, 0), -1);
    ck_assert_int_eq(inlay_decomposition_owner(d, 0, s->columns), -1);
}

/* All methods as the specification has them; many of the grids have hardly more cells than processors. */
START_TEST(owners_are_those_of_the_method)
{
    static int32_t owner[SLOW_CELLS], expected[SLOW_CELLS];
    uint64_t state = 2024;
    for (int n = 0; n < CASES; n++) {
        grid_subject s;
        grid_subject_random(&state, n % 2 == 0 ? 7 : SIDE, n % 3 == 0 ? SUBJECT_PROCESSORS : 9, &s);
        inlay_grid_options options = grid_subject_options(&state, &s.problem);
        inlay_decomposition *d = grid_decomposed(&s.problem, methods[n % METHODS], &options);
        check_owners(d, owner);
        slow_grid_decompose(&s.problem, methods[n % METHODS], &options, expected);
        size_t cells = (size_t)(s.problem.rows * s.problem.columns);
        ck_assert_msg(memcmp(owner, expected, cells * sizeof *owner) == 0, "case %d: %s", n,
                      inlay_grid_method_name(methods[n % METHODS]));
        inlay_decomposition_free(d);
    }
}
END_TEST

/* ---- Counts ---- */

typedef struct collected {
    slow_grid_messages messages;
    int64_t item;
    int32_t direction;
    int wrong; /* bytes that are no items, directions out of order, (i, j, k) twice */
} collected;

static void collect(void *context, const inlay_grid_message *m)
{
    collected *c = context;
    int64_t *cells = &c->messages.cells[m->direction][m->from][m->to];
    c->wrong += m->bytes <= 0 || m->bytes % c->item != 0 || m->direction < c->direction || *cells != 0;
    c->direction = m->direction;
    *cells = m->bytes / c->item;
}

/* A pattern of any kind, or up to five offsets that may go farther than the grid. */
static size_t draw_pattern(uint64_t *state, const inlay_grid_problem *problem, inlay_grid_offset *offset,
                           inlay_grid_pattern *pattern)
{
    *pattern = (inlay_grid_pattern){.communication = (inlay_grid_communication)grid_subject_between(
                                        state, INLAY_GRID_SYSTOLIC, INLAY_GRID_OFFSETS)};
    if (pattern->communication >= INLAY_GRID_STENCIL7 && pattern->communication <= INLAY_GRID_STENCIL27)
        pattern->communication = INLAY_GRID_STENCIL9; /* test_grid_space has them */
    if (pattern->communication != INLAY_GRID_OFFSETS) return slow_grid_directions(pattern->communication, offset);
    pattern->offsets = (size_t)grid_subject_between(state, 0, 5);
    pattern->offset = offset;
    for (size_t k = 0; k < pattern->offsets; k++) {
        offset[k].through = 0;
        offset[k].down = grid_subject_between(state, -problem->rows - 2, problem->rows + 2);
        offset[k].across = grid_subject_between(state, -problem->columns - 2, problem->columns + 2);
    }
    return pattern->offsets;
}

static void check_counts(const inlay_grid_problem *problem, const inlay_decomposition *d, const int32_t *owner,
                         uint64_t *state)
{
    static slow_grid_messages expected;
    static collected got;
    inlay_grid_offset offset[SLOW_DIRECTIONS];
    inlay_grid_pattern pattern;
    size_t directions = draw_pattern(state, problem, offset, &pattern);
    slow_grid_count(problem, owner, offset, directions, &expected);
    memset(&got, 0, sizeof got);
    got.item = problem->item;
    ck_assert_int_eq(inlay_decomposition_messages(d, &pattern, collect, &got, NULL), INLAY_OK);
    ck_assert_int_eq(got.wrong, 0);
    ck_assert_mem_eq(&got.messages, &expected, sizeof expected);

    inlay_grid_network network = grid_ethernet;
    network.payload = grid_subject_between(state, 100, 1460);
    network.wiring = grid_subject_between(state, 0, 1) == 0 ? INLAY_GRID_SINGLE : INLAY_GRID_SWITCH;
    inlay_grid_phase phase = {.pattern = pattern};
    inlay_grid_cost cost;
    slow_grid_cost slow = slow_grid_cost_of(problem, &network, &expected, directions);
    ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_OK);
    ck_assert_double_eq(cost.messages, slow.messages);
    ck_assert_double_eq(cost.bytes, slow.bytes);
    ck_assert_double_eq(cost.framed, slow.framed);
    ck_assert_double_eq(cost.latency_units, slow.latency_units);
    ck_assert_double_eq_tol(cost.transmission, network.per_byte * slow.carried, 1e-12 * (1 + slow.carried));
    ck_assert_double_eq_tol(cost.seconds, cost.transmission + network.latency * slow.latency_units, 1e-12);
}

START_TEST(counts_are_those_of_the_cells)
{
    uint64_t state = 1201;
    static int32_t owner[SLOW_CELLS];
    for (int n = 0; n < CASES; n++) {
        grid_subject s;
        grid_subject_random(&state, SIDE, 12, &s);
        inlay_grid_options options = grid_subject_options(&state, &s.problem);
        inlay_decomposition *d = grid_decomposed(&s.problem, methods[n % METHODS], &options);
        check_owners(d, owner);
        check_counts(&s.problem, d, owner, &state);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* Any owners: each cell anybody's, or in stripes so that some messages are long. */
START_TEST(maps_are_counted)
{
    uint64_t state = 77;
    static int32_t owner[SLOW_CELLS];
    for (int n = 0; n < 500; n++) {
        grid_subject s;
        grid_subject_random(&state, SIDE, SUBJECT_PROCESSORS, &s);
        int64_t cells = s.problem.rows * s.problem.columns;
        for (int64_t i = 0; i < cells; i++)
            owner[i] = i > 0 && n % 2 == 0 && grid_subject_between(&state, 0, 4) > 0
                           ? owner[i - 1]
                           : (int32_t)grid_subject_between(&state, 0, s.problem.processors - 1);
        inlay_decomposition *d = NULL;
        static int32_t seen[SLOW_CELLS];
        ck_assert_int_eq(inlay_decompose_map(&s.problem, owner, &d, NULL), INLAY_OK);
        check_owners(d, seen);
        ck_assert_mem_eq(seen, owner, (size_t)cells * sizeof *owner);
        check_counts(&s.problem, d, owner, &state);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* The owners of rectangles are known as such, and no longer once a cell goes to somebody else who has one apart. */
START_TEST(rectangles_in_maps)
{
    static int32_t owner[SLOW_CELLS];
    uint64_t state = 78;
    int spoilt = 0;
    for (int n = 0; n < 400; n++) {
        grid_subject s;
        grid_subject_random(&state, SIDE, 9, &s);
        inlay_decomposition *d =
            grid_decomposed(&s.problem, (inlay_grid_method)(n % 2 == 0 ? INLAY_GRID_FBRD : INLAY_GRID_BRBD), NULL);
        inlay_decomposition *map = NULL;
        slow_grid_owners(d, owner);
        ck_assert_int_eq(inlay_decompose_map(&s.problem, owner, &map, NULL), INLAY_OK);
        ck_assert(inlay_decomposition_summary_of(map)->rectangles);
        for (int i = 0; i < s.problem.processors; i++) {
            inlay_grid_block expected, block;
            ck_assert(inlay_decomposition_block(d, i, &expected) && inlay_decomposition_block(map, i, &block));
            ck_assert_mem_eq(&block, &expected, sizeof block);
        }
        inlay_decomposition_free(map);
        int64_t last = s.problem.rows * s.problem.columns - 1;
        if (last > 0 && s.problem.processors > 1 && owner[0] != owner[last]) {
            /* the first cell goes to the owner of the last one: where his box is not all his, he has no rectangle */
            int32_t other = owner[last];
            owner[0] = other;
            bool his = true;
            for (int64_t i = 0; i <= last; i++)
                his = his && owner[i] == other;
            ck_assert_int_eq(inlay_decompose_map(&s.problem, owner, &map, NULL), INLAY_OK);
            ck_assert_int_eq(inlay_decomposition_summary_of(map)->rectangles, his);
            inlay_grid_block block = {1, 1, 1, 1, 0, 0};
            ck_assert_int_eq(inlay_decomposition_block(map, other, &block), his);
            if (!his) ck_assert(block.top == 0 && block.left == 0 && block.bottom == 0 && block.right == 0);
            spoilt += !his;
            inlay_decomposition_free(map);
        }
        inlay_decomposition_free(d);
    }
    ck_assert_int_gt(spoilt, 200);
}
END_TEST

/* ---- More processors than a table of pairs has room for ---- */

enum { CROWD = 1300, CROWD_ROWS = 40, CROWD_COLUMNS = 45, CROWD_CELLS = CROWD_ROWS * CROWD_COLUMNS };

static int by_key(const void *a, const void *b)
{
    const int64_t *x = a;
    const int64_t *y = b;
    return (*x > *y) - (*x < *y);
}

/* Keys from x CROWD + to, one a cell that goes to somebody else: messages and the most that anybody sends. */
static void count_keys(int64_t *key, size_t keys, double *messages, double *most)
{
    int64_t sender = -1;
    double sent = 0;
    qsort(key, keys, sizeof *key, by_key);
    *messages = *most = 0;
    for (size_t i = 0; i < keys; i++) {
        if (i > 0 && key[i] == key[i - 1]) continue;
        sent = key[i] / CROWD == sender ? sent + 1 : 1;
        sender = key[i] / CROWD;
        *messages += 1;
        *most = fmax(*most, sent);
    }
}

static inlay_decomposition *crowd(inlay_grid_method method, inlay_grid_unit unit, int32_t *owner)
{
    static double speed[CROWD];
    for (int i = 0; i < CROWD; i++)
        speed[i] = 1 + i % 3;
    inlay_grid_problem problem = {
        .rows = CROWD_ROWS, .columns = CROWD_COLUMNS, .item = 1, .processors = CROWD, .speed = speed};
    inlay_decomposition *d = grid_decomposed(&problem, method, &(inlay_grid_options){.unit = unit, .seed = 3});
    for (int64_t i = 0; i < CROWD_CELLS; i++)
        owner[i] = inlay_decomposition_owner(d, i / CROWD_COLUMNS, i % CROWD_COLUMNS);
    return d;
}

static void check_crowd(const inlay_decomposition *d, const int32_t *owner)
{
    static const int64_t down[] = {-1, 1, 0, 0}, across[] = {0, 0, 1, -1};
    static int64_t key[CROWD_CELLS];
    double messages = 0, units = 0, cells = 0;
    for (int k = 0; k < 4; k++) {
        size_t keys = 0;
        for (int64_t r = 0; r < CROWD_ROWS; r++)
            for (int64_t c = 0; c < CROWD_COLUMNS; c++) {
                int64_t row = (r + down[k] + CROWD_ROWS) % CROWD_ROWS;
                int64_t column = (c + across[k] + CROWD_COLUMNS) % CROWD_COLUMNS;
                int64_t from = owner[r * CROWD_COLUMNS + c];
                int64_t to = owner[row * CROWD_COLUMNS + column];
                if (from != to) key[keys++] = from * CROWD + to;
            }
        double count, most;
        count_keys(key, keys, &count, &most);
        messages += count;
        units += most;
        cells += (double)keys;
    }
    inlay_grid_cost cost = grid_cost_of(d, &grid_ethernet, INLAY_GRID_STENCIL5);
    ck_assert_double_eq(cost.messages, messages);
    ck_assert_double_eq(cost.latency_units, units);
    ck_assert_double_eq(cost.bytes, cells);
}

START_TEST(crowds)
{
    static int32_t owner[METHODS][CROWD_CELLS];
    inlay_decomposition *d[METHODS];
    for (size_t m = 0; m < METHODS; m++) {
        d[m] = crowd(methods[m], INLAY_GRID_UNIT_POINT, owner[m]);
        check_crowd(d[m], owner[m]);
    }
    for (size_t m = 0; m < METHODS; m++) {
        size_t to = (m * 7 + 3) % METHODS;
        static int64_t key[CROWD_CELLS];
        size_t keys = 0;
        for (size_t i = 0; i < CROWD_CELLS; i++)
            if (owner[m][i] != owner[to][i]) key[keys++] = (int64_t)owner[m][i] * CROWD + owner[to][i];
        double messages, most;
        count_keys(key, keys, &messages, &most);
        inlay_grid_cost cost;
        ck_assert_int_eq(inlay_decomposition_redistribute(d[m], d[to], &grid_ethernet, 0, &cost, NULL), INLAY_OK);
        ck_assert_double_eq(cost.messages, messages);
        ck_assert_double_eq(cost.latency_units, most);
        ck_assert_double_eq(cost.bytes, (double)keys);
    }
    for (size_t m = 0; m < METHODS; m++)
        inlay_decomposition_free(d[m]);
}
END_TEST

/* ---- Euler's identity ---- */

/*
 * On a torus 5-point messages are 6 p - 2 v4 - 2 s, with v4 points where four blocks meet and s sides on which a block
 * meets itself.
 */
static int owner_at(const inlay_grid_problem *p, const int32_t *owner, int64_t r, int64_t c)
{
    return owner[(r + p->rows) % p->rows * p->columns + (c + p->columns) % p->columns];
}

static int points_of_four(const inlay_grid_problem *p, const int32_t *owner)
{
    int points = 0;
    for (int64_t r = 0; r < p->rows; r++)
        for (int64_t c = 0; c < p->columns; c++) {
            /* lines cross where all four sides at the point are borders: also of a block with itself over the edge */
            bool up = c == 0 || owner_at(p, owner, r - 1, c - 1) != owner_at(p, owner, r - 1, c);
            bool down = c == 0 || owner_at(p, owner, r, c - 1) != owner_at(p, owner, r, c);
            bool left = r == 0 || owner_at(p, owner, r - 1, c - 1) != owner_at(p, owner, r, c - 1);
            bool right = r == 0 || owner_at(p, owner, r - 1, c) != owner_at(p, owner, r, c);
            points += up && down && left && right;
        }
    return points;
}

/* Stretches of a border between two blocks: along the frame a block may meet itself. */
static int stretches(const inlay_grid_problem *p, const int32_t *owner, int *with_itself)
{
    int count = 0;
    *with_itself = 0;
    for (int down = 0; down < 2; down++) {
        int64_t lines = down == 1 ? p->columns : p->rows;
        int64_t along = down == 1 ? p->rows : p->columns;
        for (int64_t line = 0; line < lines; line++) {
            int before_a = -1, before_b = -1;
            for (int64_t x = 0; x < along; x++) {
                int a = down == 1 ? owner_at(p, owner, x, line - 1) : owner_at(p, owner, line - 1, x);
                int b = down == 1 ? owner_at(p, owner, x, line) : owner_at(p, owner, line, x);
                bool border = a != b || line == 0;
                bool begins = border && (a != before_a || b != before_b);
                count += begins && a != b;
                *with_itself += begins && a == b;
                before_a = border ? a : -1;
                before_b = border ? b : -1;
            }
        }
    }
    return count;
}

START_TEST(euler)
{
    static const inlay_grid_method cuts[] = {INLAY_GRID_BRBD, INLAY_GRID_FBRD, INLAY_GRID_FBRD_ALTERNATE,
                                             INLAY_GRID_PHD};
    static int32_t owner[SLOW_CELLS];
    uint64_t state = 4242;
    int looked_at = 0;
    for (int n = 0; n < 4000; n++) {
        grid_subject s;
        do
            grid_subject_random(&state, 60, 12, &s);
        while (s.problem.rows < 30 || s.problem.columns < 30);
        s.problem.bounded = false;
        inlay_decomposition *d = grid_decomposed(&s.problem, cuts[n % 4], NULL);
        if (inlay_decomposition_summary_of(d)->empty == 0) {
            int with_itself = 0;
            slow_grid_owners(d, owner);
            int p = s.problem.processors;
            int v4 = points_of_four(&s.problem, owner);
            int borders = stretches(&s.problem, owner, &with_itself);
            ck_assert_int_eq(2 * borders, 6 * p - 2 * v4 - 2 * with_itself);
            double messages = grid_cost_of(d, &grid_ethernet, INLAY_GRID_STENCIL5).messages;
            ck_assert_double_eq(messages, 2 * borders);
            ck_assert_int_ge(v4, p == 1 ? 1 : 2);
            looked_at++;
        }
        inlay_decomposition_free(d);
    }
    ck_assert_int_gt(looked_at, 3000);
}
END_TEST

Suite *suite_grid_random(void)
{
    Suite *suite = suite_create("grid_random");
    TCase *test = tcase_create("grid_random");
    tcase_add_test(test, owners_are_those_of_the_method);
    tcase_add_test(test, counts_are_those_of_the_cells);
    tcase_add_test(test, maps_are_counted);
    tcase_add_test(test, rectangles_in_maps);
    tcase_add_test(test, crowds);
    tcase_add_test(test, euler);
    suite_add_tcase(suite, test);
    return suite;
}

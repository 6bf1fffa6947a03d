/* Theorem 1: what meshes of general quadrilaterals, given as owner maps, send for a 5-point stencil. */
#include "grid_subject.h"
#include "unit.h"

enum { N = 160, MOST_SIDE = 4, MESHES = 60 };

typedef struct point {
    double down, across;
} point;

/* A mesh of q x q quadrilaterals: corners are moved by up to a quarter of a side, those on the frame along it. */
static void draw_mesh(uint64_t *state, int q, point corner[MOST_SIDE + 1][MOST_SIDE + 1])
{
    double side = (double)N / q;
    for (int i = 0; i <= q; i++)
        for (int j = 0; j <= q; j++) {
            double down = (double)grid_subject_between(state, -2500, 2500) / 10000;
            double across = (double)grid_subject_between(state, -2500, 2500) / 10000;
            corner[i][j].down = side * (i == 0 || i == q ? i : i + down);
            corner[i][j].across = side * (j == 0 || j == q ? j : j + across);
        }
}

/* Where a line of corners passes a row (or column): b at a on the way through (a, b). */
static double passes(const double a[], const double b[], int q, double at)
{
    int i = 0;
    while (i < q - 1 && at >= a[i + 1])
        i++;
    return b[i] + (b[i + 1] - b[i]) * (at - a[i]) / (a[i + 1] - a[i]);
}

/* The quadrilateral that has a place: how many lines of corners are above it and left of it. */
static int quadrilateral_of(int q, point corner[MOST_SIDE + 1][MOST_SIDE + 1], double down, double across)
{
    int above = 0, left = 0;
    for (int line = 1; line < q; line++) {
        double d[MOST_SIDE + 1], a[MOST_SIDE + 1];
        for (int i = 0; i <= q; i++) {
            d[i] = corner[i][line].down;
            a[i] = corner[i][line].across;
        }
        left += across >= passes(d, a, q, down);
        for (int j = 0; j <= q; j++) {
            d[j] = corner[line][j].down;
            a[j] = corner[line][j].across;
        }
        above += down >= passes(a, d, q, across);
    }
    return above * q + left;
}

typedef struct counted {
    int all, long_ones, east;
} counted;

/* Contacts of one or two cells are those across an inner corner. */
static void count_message(void *context, const inlay_grid_message *message)
{
    counted *c = context;
    c->all++;
    c->long_ones += message->bytes > 2;
    c->east += message->bytes > 2 && message->direction == 2;
}

static counted count(uint64_t *state, int q)
{
    static int32_t owner[N * N];
    point corner[MOST_SIDE + 1][MOST_SIDE + 1];
    grid_subject s;
    draw_mesh(state, q, corner);
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++)
            owner[r * N + c] = quadrilateral_of(q, corner, r + 0.5, c + 0.5);
    grid_subject_alike(N, N, q * q, &s);
    s.problem.item = 1;
    inlay_decomposition *d = NULL;
    counted sum = {0};
    const inlay_grid_pattern pattern = {.communication = INLAY_GRID_STENCIL5};
    ck_assert_int_eq(inlay_decompose_map(&s.problem, owner, &d, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_decomposition_messages(d, &pattern, count_message, &sum, NULL), INLAY_OK);
    inlay_decomposition_free(d);
    return sum;
}

/*
 * At most 8 p - 4 messages (5.5), of which 2 p - 1 go east (6.19), both reached, where contacts across an inner corner
 * are left out. With them it is no bound for quadrilaterals of whole cells.
 */
START_TEST(theorem_1)
{
    uint64_t state = 14;
    for (int q = 2; q <= MOST_SIDE; q++) {
        int p = q * q;
        counted most = {0};
        for (int n = 0; n < MESHES; n++) {
            counted c = count(&state, q);
            ck_assert_int_eq(c.all % 2, 0); /* i sends east to j where j sends west to i */
            most.all = c.all > most.all ? c.all : most.all;
            most.long_ones = c.long_ones > most.long_ones ? c.long_ones : most.long_ones;
            most.east = c.east > most.east ? c.east : most.east;
        }
        ck_assert_int_le(most.long_ones, 8 * p - 4);
        ck_assert_int_eq(most.east, 2 * p - 1);
        if (q == MOST_SIDE) break; /* so few meshes do not reach the rest */
        ck_assert_int_eq(most.long_ones, 8 * p - 4);
        ck_assert_int_gt(most.all, 8 * p - 4);
    }
}
END_TEST

Suite *suite_grid_quads(void)
{
    Suite *suite = suite_create("grid_quads");
    TCase *test = tcase_create("grid_quads");
    tcase_add_test(test, theorem_1);
    suite_add_tcase(suite, test);
    return suite;
}

/* Dense linear algebra on process grids: against a walk over every block of the matrix, with owners dealt one by one. */
#include "random_app.h"
#include "unit.h"

#include <inlay/dense.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 7, BLOCKS = 3, ORDER = 60, CASES = 300 };

typedef struct subject {
    double speed[MOST];
    inlay_dense_block block[BLOCKS];
    inlay_dense_question asked;
} subject;

static void draw(uint64_t *seed, bool unlike, subject *s)
{
    memset(s, 0, sizeof *s);
    s->asked = (inlay_dense_question){.kernel = (inlay_dense_kernel)random_below(seed, 3),
                                      .order = 1 + random_below(seed, ORDER),
                                      .processors = (int32_t)(1 + random_below(seed, MOST)),
                                      .speed = s->speed,
                                      .latency = (double)random_below(seed, 4),
                                      .per_byte = (double)random_below(seed, 3) / 16,
                                      .single = random_once_in(seed, 2),
                                      .block = s->block,
                                      .blocks = BLOCKS};
    for (int i = 0; i < s->asked.processors; i++)
        s->speed[i] = unlike ? (double)(1 + random_below(seed, 5)) : 2;
    for (int64_t i = 0, size = 1; i < BLOCKS; i++, size += 1 + random_below(seed, 20))
        s->block[i] =
            (inlay_dense_block){size + random_below(seed, 1 + (int64_t)i), (double)(1 + random_below(seed, 4)) / 4,
                                (double)(1 + random_below(seed, 4)) / 8};
    for (int i = 1; i < BLOCKS; i++)
        if (s->block[i].size <= s->block[i - 1].size) s->block[i].size = s->block[i - 1].size + 1;
}

/* ---- The slow one ---- */

typedef struct slow {
    const inlay_dense_question *asked;
    const inlay_dense_row *row;
    double speed[MOST]; /* by falling speed */
    int owner[2][ORDER];
    double w, u, f;
    int64_t blocks;
} slow;

static double width(const slow *s, int64_t b)
{
    double w = (double)s->row->block, n = (double)s->asked->order;
    return fmin(w, n - (double)b * w);
}

static double speed_of(const slow *s, int i, int j)
{
    return s->speed[i * s->row->shape[1] + j];
}

static void sort_down(double *x, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (x[j] > x[i]) {
                double keep = x[i];
                x[i] = x[j];
                x[j] = keep;
            }
}

/* Each block, from the last on, to the one for which it and those before take least. */
static void deal(slow *s, int axis, const double *weight)
{
    int had[MOST] = {0};
    for (int64_t b = s->blocks - 1; b >= 0; b--) {
        int best = 0;
        for (int i = 1; i < s->row->shape[axis]; i++)
            if ((had[i] + 1) / weight[i] < (had[best] + 1) / weight[best]) best = i;
        s->owner[axis][b] = best;
        had[best]++;
    }
}

static void deal_by_weight(slow *s)
{
    double r[MOST] = {0}, c[MOST];
    int p = s->row->shape[0], q = s->row->shape[1];
    for (int i = 0; i < p; i++)
        for (int j = 0; j < q; j++)
            r[i] += speed_of(s, i, j) / q;
    for (int j = 0; j < q; j++) {
        c[j] = INFINITY;
        for (int i = 0; i < p; i++)
            c[j] = fmin(c[j], speed_of(s, i, j) / r[i]);
    }
    for (int i = 0; i < p; i++) {
        r[i] = INFINITY;
        for (int j = 0; j < q; j++)
            r[i] = fmin(r[i], speed_of(s, i, j) / c[j]);
    }
    deal(s, 0, r);
    deal(s, 1, c);
}

static double spread(const slow *s, int among, int beside, double bytes)
{
    double rounds = ceil(log2(among));
    if (s->asked->single) return rounds * s->asked->latency + (among - 1) * beside * s->asked->per_byte * bytes;
    return rounds * (s->asked->latency + s->asked->per_byte * bytes);
}

/* Rows (axis 0) or columns of a process from block `from` on. */
static double extent(const slow *s, int axis, int process, int64_t from)
{
    double sum = 0;
    for (int64_t b = from; b < s->blocks; b++)
        sum += s->owner[axis][b] == process ? width(s, b) : 0;
    return sum;
}

static double most_extent(const slow *s, int axis, int64_t from)
{
    double most = 0;
    for (int i = 0; i < s->row->shape[axis]; i++)
        most = fmax(most, extent(s, axis, i, from));
    return most;
}

/* Work of each process, block by block; the slowest one's time. */
static double work(const slow *s, int64_t k, double *panel)
{
    double update = 0, own[MOST] = {0}, solve = 0, w = width(s, k), first = 0;
    int pr = s->owner[0][k], pc = s->owner[1][k];
    bool lu = s->asked->kernel == INLAY_DENSE_LU, product = s->asked->kernel == INLAY_DENSE_MATMUL;
    int64_t from = product ? 0 : k + 1;
    for (int i = 0; i < s->row->shape[0]; i++)
        for (int j = 0; j < s->row->shape[1]; j++) {
            double sum = 0, rows = extent(s, 0, i, from), columns = extent(s, 1, j, from);
            for (int64_t a = from; a < s->blocks; a++)
                for (int64_t b = from; b < s->blocks; b++)
                    if (s->owner[0][a] == i && s->owner[1][b] == j) sum += 2 * w * width(s, a) * width(s, b);
            if (!lu && !product) sum = sum / 2 + w * width(s, 0) * fmin(rows, columns);
            update = fmax(update, sum / (speed_of(s, i, j) * s->u));
        }
    *panel = 0;
    if (product) return update;
    for (int64_t a = from; a < s->blocks; a++)
        own[s->owner[0][a]] += w * w * width(s, a);
    /* column after column of the corner: LU divides and updates what is below, Cholesky's has a root too */
    for (double c = 1; c <= w; c++)
        first += lu ? (w - c) + 2 * (w - c) * (w - c) : (w - c + 1) * (w - c + 1);
    if (lu) own[pr] += first;
    for (int i = 0; i < s->row->shape[0]; i++) {
        double time = own[i] / speed_of(s, i, pc);
        *panel = lu ? fmax(*panel, time / s->f) : *panel;
        solve = lu ? solve : fmax(solve, time / s->u);
    }
    if (!lu) *panel = first / (speed_of(s, pr, pc) * s->f);
    for (int j = 0; j < s->row->shape[1] && lu; j++)
        solve = fmax(solve, w * (w - 1) * extent(s, 1, j, from) / (speed_of(s, pr, j) * s->u));
    *panel += solve;
    return update;
}

static double messages(const slow *s, int64_t k, double *exchange)
{
    double w = width(s, k), rows = 0, time = 0;
    int p = s->row->shape[0], q = s->row->shape[1];
    bool lu = s->asked->kernel == INLAY_DENSE_LU, product = s->asked->kernel == INLAY_DENSE_MATMUL;
    int64_t from = product ? 0 : k + 1;
    for (int i = 0; i < p; i++)
        rows = fmax(rows, extent(s, 0, i, from) + (lu && i == s->owner[0][k] ? w : 0));
    time = spread(s, q, p, 8 * w * rows) + spread(s, p, q, 8 * w * most_extent(s, 1, from));
    if (s->asked->kernel == INLAY_DENSE_CHOLESKY) time += spread(s, p, q, 8 * w * w);
    *exchange = 0;
    for (double c = 0; c < w && lu && p > 1; c++)
        *exchange += 2 * spread(s, p, 1, 16) + spread(s, p, 1, 4 * w) + s->asked->latency +
                     8 * s->asked->per_byte * most_extent(s, 1, 0) * (s->asked->single ? q : 1);
    return time;
}

static void expect_near(double found, double expected, const char *what, int number)
{
    ck_assert_msg(fabs(found - expected) <= 1e-11 * (1e-6 + fabs(expected)), "case %d: %s is %a, not %a", number, what,
                  found, expected);
}

static double expect_row(const subject *of, const inlay_dense_row *row, int number)
{
    slow s = {.asked = &of->asked, .row = row};
    double sum[4] = {0};
    memcpy(s.speed, of->speed, sizeof s.speed);
    sort_down(s.speed, of->asked.processors);
    for (int i = 0; i < BLOCKS; i++)
        if (of->block[i].size == row->block) {
            s.u = of->block[i].update;
            s.f = of->block[i].panel;
        }
    s.blocks = (of->asked.order + row->block - 1) / row->block;
    for (int64_t b = 0; b < s.blocks; b++)
        for (int d = 0; d < 2; d++)
            s.owner[d][b] = (int)(b % row->shape[d]);
    if (row->weighted) deal_by_weight(&s);
    for (int64_t k = 0; k < s.blocks; k++) {
        double panel, exchange;
        sum[0] += work(&s, k, &panel);
        sum[2] += messages(&s, k, &exchange);
        sum[1] += panel;
        sum[3] += exchange;
    }
    expect_near(row->update, sum[0], "update", number);
    expect_near(row->panel, sum[1], "panel", number);
    expect_near(row->broadcast, sum[2], "broadcast", number);
    expect_near(row->exchange, sum[3], "exchange", number);
    ck_assert(row->exact);
    return sum[0] + sum[1] + sum[2] + sum[3];
}

/* ---- Tests ---- */

/* Every grid with every size of blocks is there once, and the best comes first. */
static size_t grids_of(const subject *s, bool unlike)
{
    size_t count = 0;
    for (int p = 1; p <= s->asked.processors; p++)
        for (int q = 1; p * q <= s->asked.processors; q++)
            for (int i = 0; i < BLOCKS; i++) {
                int64_t blocks = (s->asked.order + s->block[i].size - 1) / s->block[i].size;
                if (p <= blocks && q <= blocks) count += unlike && p * q > 1 ? 2 : 1;
            }
    return count;
}

static void expect_case(int number, uint64_t seed, bool unlike)
{
    subject s;
    inlay_dense_result *result = NULL;
    draw(&seed, unlike, &s);
    bool differ = false;
    for (int i = 0; i < s.asked.processors; i++)
        differ = differ || s.speed[i] != s.speed[0];
    ck_assert_int_eq(inlay_dense_ask(&s.asked, &result, NULL), INLAY_OK);
    ck_assert_uint_eq(result->rows, grids_of(&s, differ));
    for (size_t i = 0; i < result->rows; i++) {
        double time = expect_row(&s, &result->row[i], number);
        expect_near(result->row[i].time, time, "time", number);
        ck_assert(i == 0 || result->row[i].time >= result->row[i - 1].time);
        for (size_t k = 0; k < i; k++)
            ck_assert(result->row[i].weighted != result->row[k].weighted ||
                      result->row[i].block != result->row[k].block ||
                      memcmp(result->row[i].shape, result->row[k].shape, sizeof result->row->shape) != 0);
    }
    inlay_dense_result_free(result);
}

START_TEST(against_every_block)
{
    for (int i = 0; i < CASES; i++)
        expect_case(i, (uint64_t)i, i % 2 == 1);
}
END_TEST

/* r_i c_j <= s_ij, and each weight meets one of them; shares sum to all blocks, by weight as nearly as whole ones can. */
START_TEST(weights)
{
    double speed[] = {8, 7, 4, 4, 2, 1};
    inlay_dense_block block = {.size = 1};
    inlay_dense_question asked = {INLAY_DENSE_LU, 900, 6, speed, .block = &block, .blocks = 1, .shape = {2, 3}};
    inlay_dense_result *result;
    ck_assert_int_eq(inlay_dense_ask(&asked, &result, NULL), INLAY_OK);
    ck_assert_uint_eq(result->rows, 2);
    ck_assert(result->row[0].weighted && !result->row[1].weighted);
    ck_assert(result->row[0].time < result->row[1].time / 1.5);
    const double *w = result->weight;
    for (int i = 0; i < 5; i++) {
        double near = INFINITY;
        for (int j = 0; j < 6; j++)
            if (i < 2 ? j / 3 == i : j % 3 == i - 2) near = fmin(near, speed[j] - w[j / 3] * w[2 + j % 3]);
        ck_assert_double_eq_tol(near, 0, 1e-12);
    }
    int64_t rows[2], columns[3];
    ck_assert_int_eq(inlay_dense_shares(result, 0, 0, rows), INLAY_OK);
    ck_assert_int_eq(inlay_dense_shares(result, 0, 1, columns), INLAY_OK);
    ck_assert_int_eq(rows[0] + rows[1], 900);
    ck_assert_int_eq(columns[0] + columns[1] + columns[2], 900);
    ck_assert_double_eq_tol((double)rows[0] / (double)rows[1], w[0] / w[1], 0.02 * w[0] / w[1]);
    ck_assert_int_eq(inlay_dense_shares(result, 1, 1, columns), INLAY_OK);
    ck_assert(columns[0] == 300 && columns[1] == 300 && columns[2] == 300);
    inlay_dense_result_free(result);
}
END_TEST

/* Steps that stand for their neighbours: on one process the sum is closed. */
START_TEST(many_steps)
{
    const double speed[] = {1, 1}, n = 3e6;
    inlay_dense_block block = {.size = 1};
    inlay_dense_question asked = {INLAY_DENSE_LU, 3000000, 1, speed, .block = &block, .blocks = 1};
    inlay_dense_result *result;
    ck_assert_int_eq(inlay_dense_ask(&asked, &result, NULL), INLAY_OK);
    ck_assert(!result->row->exact);
    ck_assert_double_eq_tol(result->row->update / (n * (n - 1) * (2 * n - 1) / 3), 1, 1e-6);
    ck_assert_double_eq_tol(result->row->panel / (n * (n - 1) / 2), 1, 1e-6);
    inlay_dense_result_free(result);
}
END_TEST

/* A million processors: the grids of that many, of half of them, ...; the order of a matrix that no one could store. */
START_TEST(large)
{
    enum { MANY = 500009 };
    double *speed = calloc(MANY, sizeof *speed);
    inlay_dense_block block[] = {{.size = 64}, {.size = 1 << 20}};
    ck_assert_ptr_nonnull(speed);
    for (int i = 0; i < MANY; i++)
        speed[i] = 1e9;
    inlay_dense_question asked = {INLAY_DENSE_CHOLESKY, 10000000, MANY, speed, 1e-6, 1e-9, .block = block, .blocks = 2};
    inlay_dense_result *result;
    ck_assert_int_eq(inlay_dense_ask(&asked, &result, NULL), INLAY_OK);
    ck_assert(result->row->time > 1e21 / 3 / 1e9 / MANY);
    ck_assert(result->row->shape[0] * result->row->shape[1] <= MANY);
    ck_assert(result->row->efficiency > 0.01 && result->row->efficiency < 1);
    inlay_dense_result_free(result);
    asked.order = (int64_t)1 << 40;
    ck_assert_int_eq(inlay_dense_ask(&asked, &result, NULL), INLAY_OK);
    inlay_dense_result_free(result);
    free(speed);
}
END_TEST

/* One row: nothing to do, and a block beyond the matrix is one of all of it. */
START_TEST(one_row)
{
    double speed[] = {1, 1, 1, 1, 1, 1, 1};
    inlay_dense_block block[] = {{.size = 1}, {.size = 64}};
    inlay_dense_question asked = {INLAY_DENSE_LU, 1, 7, speed, .block = block, .blocks = 2};
    inlay_dense_result *result;
    ck_assert_int_eq(inlay_dense_ask(&asked, &result, NULL), INLAY_OK);
    ck_assert_uint_eq(result->rows, 2);
    ck_assert(result->row->time == 0 && result->row->rate == 0 && result->row->block == 64);
    inlay_dense_result_free(result);
}
END_TEST

static void expect_refused(inlay_dense_question asked, int status, const char *words)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_dense_result *result = NULL;
    ck_assert_int_eq(inlay_dense_ask(&asked, &result, diag), status);
    ck_assert_ptr_null(result);
    ck_assert_msg(strstr(inlay_diag_message(diag), words) != NULL, "'%s' is not in '%s'", words,
                  inlay_diag_message(diag));
    inlay_diag_free(diag);
}

START_TEST(refusals)
{
    double speed[] = {1, 2, 3}, none[] = {1, NAN}, small[] = {1e-300};
    inlay_dense_block block = {.size = 4}, twice[] = {{4, 0, 0}, {4, 0, 0}}, empty = {0}, odd = {4, NAN, 1};
    const inlay_dense_question good = {INLAY_DENSE_LU, 9, 3, speed, .block = &block, .blocks = 1};
    inlay_dense_question q = good;
#define REFUSED(member, value, status, words) q = good, q.member = value, expect_refused(q, status, words)
    REFUSED(kernel, (inlay_dense_kernel)7, INLAY_BAD_ARGUMENT, "kernel 7");
    REFUSED(order, 0, INLAY_BAD_ARGUMENT, "of 0 rows");
    REFUSED(order, INT64_MAX, INLAY_BAD_ARGUMENT, "2^40");
    REFUSED(processors, 0, INLAY_BAD_ARGUMENT, "0 processors");
    REFUSED(latency, NAN, INLAY_BAD_ARGUMENT, "a message takes");
    REFUSED(per_byte, -1, INLAY_BAD_ARGUMENT, "s a byte;");
    REFUSED(blocks, 0, INLAY_BAD_ARGUMENT, "0 sizes of blocks");
    REFUSED(block, &empty, INLAY_BAD_ARGUMENT, "blocks of 0 rows");
    REFUSED(block, &odd, INLAY_BAD_ARGUMENT, "shares above 0");
    REFUSED(shape[0], 2, INLAY_BAD_ARGUMENT, "a grid of 2 x 0");
    REFUSED(from, 4, INLAY_BAD_ARGUMENT, "4 to 3 processes");
    q = good, q.speed = none, q.processors = 2, expect_refused(q, INLAY_BAD_ARGUMENT, "processor 1 has the speed");
    q = good, q.block = twice, q.blocks = 2, expect_refused(q, INLAY_BAD_ARGUMENT, "twice");
    q = good, q.shape[0] = q.shape[1] = 2, expect_refused(q, INLAY_BAD_ARGUMENT, "at most the 3 processors");
    q = good, q.order = 4, q.from = 2, expect_refused(q, INLAY_NO_ANSWER, "no grid of 2 to 3");
    q = good, q.order = (int64_t)1 << 40, q.speed = small, q.processors = 1;
    expect_refused(q, INLAY_OVERFLOW, "range of numbers");
    ck_assert_ptr_null(inlay_dense_kernel_name((inlay_dense_kernel)7));
}
END_TEST

Suite *suite_dense(void)
{
    Suite *suite = suite_create("dense");
    TCase *tests = tcase_create("dense");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, against_every_block);
    tcase_add_test(tests, weights);
    tcase_add_test(tests, many_steps);
    tcase_add_test(tests, large);
    tcase_add_test(tests, one_row);
    tcase_add_test(tests, refusals);
    suite_add_tcase(suite, tests);
    return suite;
}

/* All process grids and block sizes for a dense kernel, ranked. */
#include "base/diag.h"
#include "processes/dense.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const int64_t MOST_ORDER = INT64_C(1) << 40;

/* What was found, and all that it points to. */
typedef struct found {
    inlay_dense_result told;
    inlay_dense_row *row;
    size_t rows, room;
    int32_t *processor;
    double *speed, *weight;
    dense_problem problem;
} found;

const char *inlay_dense_kernel_name(inlay_dense_kernel kernel)
{
    static const char *const names[] = {"lu", "cholesky", "matmul"};
    return (unsigned)kernel < sizeof names / sizeof *names ? names[kernel] : NULL;
}

/* ---- The question ---- */

static bool is_share(double value)
{
    return value >= 0 && isfinite(value);
}

static int check_blocks(const inlay_dense_question *asked, inlay_diag *diag)
{
    if (asked->blocks < 1 || asked->blocks > INLAY_DENSE_BLOCKS) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%zu sizes of blocks; expected 1 to %d", asked->blocks,
                         INLAY_DENSE_BLOCKS);
    }
    for (size_t i = 0; i < asked->blocks; i++) {
        const inlay_dense_block *b = &asked->block[i];
        if (b->size < 1 || b->size > MOST_ORDER) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "blocks of %" PRId64 " rows; expected 1 to 2^40", b->size);
        }
        if (!is_share(b->update) || !is_share(b->panel)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "blocks of %" PRId64 " rows reach %g and %g of the speed; expected shares above 0",
                             b->size, b->update, b->panel);
        }
        for (size_t k = 0; k < i; k++) {
            if (asked->block[k].size == b->size) {
                return diag_fail(diag, INLAY_BAD_ARGUMENT, "blocks of %" PRId64 " rows twice; expected each size once",
                                 b->size);
            }
        }
    }
    return INLAY_OK;
}

static int check_processors(const inlay_dense_question *asked, bool *unlike, inlay_diag *diag)
{
    if (asked->processors < 1 || asked->processors > INLAY_DENSE_PROCESSORS) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%" PRId32 " processors; expected 1 to %d", asked->processors,
                         INLAY_DENSE_PROCESSORS);
    }
    for (int32_t i = 0; i < asked->processors; i++) {
        if (!(asked->speed[i] > 0) || !isfinite(asked->speed[i])) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "processor %" PRId32 " has the speed %g; expected one above 0",
                             i, asked->speed[i]);
        }
        *unlike = *unlike || asked->speed[i] != asked->speed[0];
    }
    return *unlike && asked->processors > INLAY_DENSE_UNLIKE
               ? diag_fail(diag, INLAY_BAD_ARGUMENT, "%" PRId32 " processors whose speeds differ; expected at most %d",
                           asked->processors, INLAY_DENSE_UNLIKE)
               : INLAY_OK;
}

static int check(inlay_dense_question *asked, bool *unlike, inlay_diag *diag)
{
    if (inlay_dense_kernel_name(asked->kernel) == NULL || asked->order < 1 || asked->order > MOST_ORDER) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "kernel %d of %" PRId64 " rows; expected one of its names, and 1 to 2^40", (int)asked->kernel,
                         asked->order);
    }
    if (!is_share(asked->latency) || !is_share(asked->per_byte)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a message takes %g s and %g s a byte; expected 0 or more",
                         asked->latency, asked->per_byte);
    }
    int status = check_processors(asked, unlike, diag);
    status = status == INLAY_OK ? check_blocks(asked, diag) : status;
    int64_t cells = (int64_t)asked->shape[0] * asked->shape[1];
    if (status == INLAY_OK && (asked->shape[0] < 0 || asked->shape[1] < 0 || cells > asked->processors ||
                               (cells == 0 && asked->shape[0] != asked->shape[1]))) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a grid of %" PRId32 " x %" PRId32 " processes; expected at most the %" PRId32 " processors",
                         asked->shape[0], asked->shape[1], asked->processors);
    }
    asked->from = asked->from == 0 ? 1 : asked->from;
    asked->to = asked->to == 0 || asked->to > asked->processors ? asked->processors : asked->to;
    if (status == INLAY_OK && (asked->from < 1 || asked->to < asked->from)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%" PRId32 " to %" PRId32 " processes; expected from 1 on, at most the %" PRId32 " processors",
                         asked->from, asked->to, asked->processors);
    }
    return status;
}

/* ---- Processors by falling speed ---- */

typedef struct ranked {
    double speed;
    int32_t processor;
} ranked;

static int by_speed(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->speed != y->speed ? (x->speed < y->speed) - (x->speed > y->speed)
                                : (x->processor > y->processor) - (x->processor < y->processor);
}

static bool sort_processors(found *of)
{
    size_t count = (size_t)of->told.asked.processors;
    ranked *all = memory_array(count, sizeof *all);
    of->processor = memory_array(count, sizeof *of->processor);
    of->speed = memory_array(count, sizeof *of->speed);
    bool made = all != NULL && of->processor != NULL && of->speed != NULL;
    for (size_t i = 0; i < count && made; i++) {
        all[i] = (ranked){of->told.asked.speed[i], (int32_t)i};
    }
    if (made && of->problem.unlike) {
        qsort(all, count, sizeof *all, by_speed);
    }
    for (size_t i = 0; i < count && made; i++) {
        of->processor[i] = all[i].processor;
        of->speed[i] = all[i].speed;
    }
    free(all);
    of->problem.asked = &of->told.asked;
    of->problem.speed = of->speed;
    return made;
}

/* ---- Grids ---- */

static const inlay_dense_block *block_of(const found *of, const inlay_dense_row *row)
{
    const inlay_dense_block *b = of->told.asked.block;
    while (b->size != row->block) {
        b++;
    }
    return b;
}

/* At least `least` steps, and fewer than `most` where each looks at every process. */
static int64_t samples_of(const found *of, const inlay_dense_row *row, int64_t most, int64_t least)
{
    int64_t looks = of->problem.unlike ? most * 256 / ((int64_t)row->shape[0] * row->shape[1]) : most;
    return looks > most ? most : looks < least ? least : looks;
}

static int add_row(found *of, inlay_dense_row row)
{
    enum { MOST = 256, LEAST = 16 };
    if (!memory_grow((void **)&of->row, &of->room, of->rows + 1, sizeof *of->row)) {
        return INLAY_NO_MEMORY;
    }
    int status = dense_time(&of->problem, block_of(of, &row), samples_of(of, &row, MOST, LEAST), &row);
    of->row[of->rows++] = row;
    return status;
}

/* A grid with each size of blocks, as long as all its processes have one. */
static int add_grid(found *of, int32_t p, int32_t q)
{
    const inlay_dense_question *asked = &of->told.asked;
    int status = INLAY_OK;
    for (size_t i = 0; i < asked->blocks && status == INLAY_OK; i++) {
        int64_t blocks = (asked->order - 1) / asked->block[i].size + 1;
        if (p > blocks || q > blocks) {
            continue;
        }
        inlay_dense_row row = {.shape = {p, q}, .block = asked->block[i].size};
        status = add_row(of, row);
        row.weighted = true;
        status = status == INLAY_OK && of->problem.unlike && p * q > 1 ? add_row(of, row) : status;
    }
    return status;
}

/* All grids of `from` to `to` processes. */
static int add_all(found *of, int32_t from, int32_t to)
{
    int status = INLAY_OK;
    for (int32_t p = 1; p <= to; p++) {
        for (int32_t q = (from - 1) / p + 1; q <= to / p && status == INLAY_OK; q++) {
            status = add_grid(of, p, q);
        }
    }
    return status;
}

/* For each p the longest q with at most `to` processes, and the longest p for that. */
static int add_full(found *of, int32_t from, int32_t to)
{
    int status = INLAY_OK;
    for (int32_t p = 1, q; p <= to && status == INLAY_OK; p++) {
        q = to / p;
        p = to / q;
        status = p * q >= from ? add_grid(of, p, q) : INLAY_OK;
    }
    return status;
}

static int add_grids(found *of)
{
    enum { ALL = 256, ALL_UNLIKE = 64 };
    const inlay_dense_question *asked = &of->told.asked;
    int32_t all = of->problem.unlike ? ALL_UNLIKE : ALL;
    if (asked->shape[0] > 0) {
        return add_grid(of, asked->shape[0], asked->shape[1]);
    }
    int32_t to = asked->to;
    int status = INLAY_OK;
    for (; to > all && to >= asked->from && status == INLAY_OK; to /= 2) {
        status = add_full(of, asked->from, to);
    }
    return status == INLAY_OK ? add_all(of, asked->from, to) : status;
}

/* ---- Ranking ---- */

static int compare(const void *a, const void *b)
{
    const inlay_dense_row *x = a, *y = b;
    int32_t cells = x->shape[0] * x->shape[1], others = y->shape[0] * y->shape[1];
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    if (cells != others) {
        return cells < others ? -1 : 1;
    }
    if (x->shape[0] != y->shape[0]) {
        return x->shape[0] < y->shape[0] ? -1 : 1;
    }
    return x->block != y->block ? (x->block > y->block ? -1 : 1) : x->weighted - y->weighted;
}

/* The rows that came first are looked at more closely. */
static int rank(found *of)
{
    enum { CLOSELY = 64, MOST = 1 << 16, LEAST = 64 };
    int status = INLAY_OK;
    qsort(of->row, of->rows, sizeof *of->row, compare);
    for (size_t i = 0; i < of->rows && i < CLOSELY && status == INLAY_OK; i++) {
        inlay_dense_row *row = &of->row[i];
        status =
            row->exact ? INLAY_OK : dense_time(&of->problem, block_of(of, row), samples_of(of, row, MOST, LEAST), row);
    }
    qsort(of->row, of->rows, sizeof *of->row, compare);
    return status;
}

static int weigh_best(found *of)
{
    const inlay_dense_row *best = of->row;
    if (best->weighted) {
        of->weight = memory_array((size_t)best->shape[0] + (size_t)best->shape[1], sizeof *of->weight);
        if (of->weight == NULL) {
            return INLAY_NO_MEMORY;
        }
        dense_weigh(of->speed, best->shape, of->weight);
    }
    return INLAY_OK;
}

static int find(found *of, inlay_diag *diag)
{
    const inlay_dense_question *asked = &of->told.asked;
    int status = add_grids(of);
    if (status == INLAY_OK && of->rows == 0) {
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "no grid of %" PRId32 " to %" PRId32
                         " processes has a block of the matrix for each of its rows and columns",
                         asked->from, asked->to);
    }
    status = status == INLAY_OK ? rank(of) : status;
    if (status == INLAY_OK && !isfinite(of->row->time)) {
        return diag_fail(diag, INLAY_OVERFLOW, "the time is beyond the range of numbers");
    }
    status = status == INLAY_OK ? weigh_best(of) : status;
    const double n = (double)asked->order, share[] = {2.0 / 3, 1.0 / 3, 2};
    of->told.operations = share[asked->kernel] * n * n * n;
    of->told.rows = of->rows;
    of->told.row = of->row;
    of->told.processor = of->processor;
    of->told.weight = of->weight;
    return status;
}

int inlay_dense_ask(const inlay_dense_question *question, inlay_dense_result **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    found *of = memory_zeroed(1, sizeof *of);
    if (of == NULL) {
        return diag_no_memory(diag);
    }
    of->told.asked = *question;
    int status = check(&of->told.asked, &of->problem.unlike, diag);
    if (status == INLAY_OK) {
        status = sort_processors(of) ? find(of, diag) : INLAY_NO_MEMORY;
    }
    if (status == INLAY_OK) {
        *result = &of->told;
    } else {
        inlay_dense_result_free(&of->told);
    }
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

void inlay_dense_result_free(inlay_dense_result *result)
{
    found *of = (found *)result; /* its first member */
    if (of != NULL) {
        free(of->row);
        free(of->processor);
        free(of->speed);
        free(of->weight);
        free(of);
    }
}

int inlay_dense_shares(const inlay_dense_result *result, size_t row, int axis, int64_t *count)
{
    const found *of = (const found *)result;
    const inlay_dense_row *at = &of->row[row];
    memory_pool pool = {0};
    dense_axis dealt;
    int32_t p = at->shape[0], size = at->shape[axis];
    int64_t blocks = (of->told.asked.order - 1) / at->block + 1;
    double *weight = at->weighted ? pool_array(&pool, (size_t)p + (size_t)at->shape[1], sizeof *weight) : NULL;
    if (weight != NULL) {
        dense_weigh(of->speed, at->shape, weight);
    }
    const double *own = weight == NULL ? NULL : axis == 0 ? weight : weight + p;
    bool made = (weight != NULL || !at->weighted) && dense_axis_make(&dealt, &pool, size, own, blocks);
    if (made) {
        dense_axis_count(&dealt, blocks, 1, 1);
    }
    for (int32_t i = 0; i < size && made; i++) {
        count[i] = dealt.extent[i];
    }
    pool_clear(&pool);
    return made ? INLAY_OK : INLAY_NO_MEMORY;
}

/* The time of a dense kernel on one process grid: step after step, the slowest process of each phase. */
#include "processes/dense.h"
#include <inlay/status.h>
#include <math.h>

enum { ITEM = 8, PIVOT = 16 /* bytes of an element; of an element and where it stands */ };

/* A grid with a block size, and where the walk from the last step to the first is. */
typedef struct walk {
    const dense_problem *problem;
    const inlay_dense_row *row;
    double update, panel; /* shares of the speed */
    int64_t blocks, block, last;
    dense_axis axis[2]; /* of unlike processors */
} walk;

/* What a step needs to know of M_i and N_j. */
typedef struct step {
    double width;
    double rows, columns;        /* most of a process */
    double first_rows;           /* of the process row that has the step's blocks */
    double all_columns;          /* most of a process, of all steps */
    double panel, solve, update; /* seconds */
} step;

/* ---- Communication ---- */

/* B(n, b) beside others: the one place that knows how a broadcast is done. */
static double broadcast(const inlay_dense_question *asked, int32_t among, double bytes, int32_t beside)
{
    int rounds = 0;
    while (((int64_t)1 << rounds) < among) {
        rounds++;
    }
    double messages = asked->single ? (double)(among - 1) * beside : rounds;
    return rounds * asked->latency + messages * asked->per_byte * bytes;
}

static double along_rows(const walk *w, double items)
{
    return broadcast(w->problem->asked, w->row->shape[1], ITEM * items, w->row->shape[0]);
}

static double along_columns(const walk *w, double items)
{
    return broadcast(w->problem->asked, w->row->shape[0], ITEM * items, w->row->shape[1]);
}

/* Each column of a panel: its pivot is found, told, and two rows change places. */
static double exchange(const walk *w, const step *s)
{
    const inlay_dense_question *asked = w->problem->asked;
    int32_t p = w->row->shape[0], beside = asked->single ? w->row->shape[1] : 1;
    if (p == 1) {
        return 0;
    }
    return s->width * (2 * broadcast(asked, p, PIVOT, 1) + broadcast(asked, p, ITEM * s->width / 2, 1) +
                       asked->latency + ITEM * asked->per_byte * s->all_columns * beside);
}

/* ---- Work ---- */

static double corner(inlay_dense_kernel kernel, double w)
{
    return kernel == INLAY_DENSE_LU ? w * (w - 1) * (4 * w + 1) / 6 : w * (w + 1) * (2 * w + 1) / 6;
}

static double update_of(const walk *w, double width, double rows, double columns)
{
    return w->problem->asked->kernel == INLAY_DENSE_CHOLESKY
               ? width * (rows * columns + (double)w->block * fmin(rows, columns))
               : 2 * width * rows * columns;
}

/* ---- Like processors ---- */

/* The most rows that a process row has of the last n blocks, which are dealt in turn. */
static int64_t most_of(const walk *w, int64_t n, int32_t size)
{
    int64_t each = n / size, more = n % size;
    if (n == 0) {
        return 0;
    }
    if (more > 1) {
        return (each + 1) * w->block;
    }
    return more == 1 ? each * w->block + w->last : size > 1 ? each * w->block : (each - 1) * w->block + w->last;
}

/* Those of the process row that has the block before them. */
static int64_t first_of(const walk *w, int64_t n, int32_t size)
{
    return n > 0 && n % size == 0 ? (n / size - 1) * w->block + w->last : n / size * w->block;
}

static void look_alike(const walk *w, int64_t behind, step *s)
{
    const inlay_dense_question *asked = w->problem->asked;
    double speed = *w->problem->speed, area = s->width * s->width;
    s->rows = (double)most_of(w, behind, w->row->shape[0]);
    s->columns = (double)most_of(w, behind, w->row->shape[1]);
    s->first_rows = (double)first_of(w, behind, w->row->shape[0]);
    s->all_columns = (double)most_of(w, w->blocks, w->row->shape[1]);
    s->update = update_of(w, s->width, s->rows, s->columns) / (speed * w->update);
    if (asked->kernel == INLAY_DENSE_LU) {
        s->panel = fmax(area * s->rows, area * s->first_rows + corner(asked->kernel, s->width)) / (speed * w->panel);
        s->solve = s->width * (s->width - 1) * s->columns / (speed * w->update);
    } else if (asked->kernel == INLAY_DENSE_CHOLESKY) {
        s->panel = corner(asked->kernel, s->width) / (speed * w->panel);
        s->solve = area * s->rows / (speed * w->update);
    }
}

/* ---- Unlike processors ---- */

static double most_extent(const dense_axis *axis)
{
    int64_t most = 0;
    for (int32_t i = 0; i < axis->size; i++) {
        most = axis->extent[i] > most ? axis->extent[i] : most;
    }
    return (double)most;
}

static void look_each(const walk *w, const int32_t at[2], step *s)
{
    const inlay_dense_question *asked = w->problem->asked;
    int32_t p = w->row->shape[0], q = w->row->shape[1];
    double area = s->width * s->width;
    for (int32_t i = 0; i < p; i++) {
        const double *speed = w->problem->speed + (size_t)i * (size_t)q;
        double rows = (double)w->axis[0].extent[i], own = speed[at[1]];
        double most = 0;
        for (int32_t j = 0; j < q; j++) {
            most = fmax(most, update_of(w, s->width, rows, (double)w->axis[1].extent[j]) / speed[j]);
        }
        s->update = fmax(s->update, most / w->update);
        if (asked->kernel == INLAY_DENSE_CHOLESKY) {
            s->solve = fmax(s->solve, area * rows / (own * w->update));
            s->panel = i == at[0] ? corner(asked->kernel, s->width) / (own * w->panel) : s->panel;
        } else if (asked->kernel == INLAY_DENSE_LU) {
            double work = area * rows + (i == at[0] ? corner(asked->kernel, s->width) : 0);
            s->panel = fmax(s->panel, work / (own * w->panel));
        }
        for (int32_t j = 0; j < q && i == at[0] && asked->kernel == INLAY_DENSE_LU; j++) {
            double columns = (double)w->axis[1].extent[j];
            s->solve = fmax(s->solve, s->width * (s->width - 1) * columns / (speed[j] * w->update));
        }
    }
}

static void look_unlike(walk *w, int64_t behind, double all_columns, step *s)
{
    int32_t at[2];
    for (int d = 0; d < 2; d++) {
        dense_axis *axis = &w->axis[d];
        dense_axis_count(axis, behind, w->block, w->last);
        at[d] = axis->sequence[(behind < w->blocks ? behind : 0) % axis->period];
    }
    s->rows = most_extent(&w->axis[0]);
    s->columns = most_extent(&w->axis[1]);
    s->first_rows = (double)w->axis[0].extent[at[0]];
    s->all_columns = all_columns;
    look_each(w, at, s);
}

/* ---- Steps ---- */

/* A step, which stands for `times` of them. */
static void add(const walk *w, const step *s, double times, inlay_dense_row *row)
{
    double width = s->width;
    row->panel += times * (s->panel + s->solve);
    row->update += times * s->update;
    if (w->problem->asked->kernel == INLAY_DENSE_LU) {
        row->broadcast += times * (along_rows(w, width * fmax(s->rows, s->first_rows + width)) +
                                   along_columns(w, width * s->columns));
        row->exchange += times * exchange(w, s);
    } else {
        bool triangle = w->problem->asked->kernel == INLAY_DENSE_CHOLESKY;
        row->broadcast += times * ((triangle ? along_columns(w, width * width) : 0) + along_rows(w, width * s->rows) +
                                   along_columns(w, width * s->columns));
    }
}

/* Step R - r, with r blocks from it to the end. */
static void look(walk *w, int64_t r, double times, double all_columns, inlay_dense_row *row)
{
    bool whole = w->problem->asked->kernel == INLAY_DENSE_MATMUL;
    step s = {.width = (double)(r == 1 ? w->last : w->block)};
    int64_t behind = whole ? w->blocks : r - 1;
    if (w->problem->unlike) {
        look_unlike(w, behind, all_columns, &s);
    } else {
        look_alike(w, behind, &s);
    }
    add(w, &s, times, row);
}

/* From the last step back; where there are more than `samples`, the middle one of each run stands for it. */
static void look_all(walk *w, int64_t samples, double all_columns, inlay_dense_row *row)
{
    int64_t parts = w->blocks < samples ? w->blocks : samples;
    if (w->problem->asked->kernel == INLAY_DENSE_MATMUL) {
        look(w, 1, 1, all_columns, row);
        if (w->blocks > 1) {
            look(w, 2, (double)(w->blocks - 1), all_columns, row);
        }
        row->exact = true;
        return;
    }
    row->exact = parts == w->blocks;
    for (int64_t i = 0, from = 0; i < parts; i++) {
        int64_t to = from + w->blocks / parts + (i < w->blocks % parts);
        look(w, from + (to - from + 1) / 2, (double)(to - from), all_columns, row);
        from = to;
    }
}

/* Unlike processors: the axes, and the most columns of a process. */
static bool make_axes(walk *w, memory_pool *pool, double *all_columns)
{
    int32_t p = w->row->shape[0], q = w->row->shape[1];
    double *weight = w->row->weighted ? pool_array(pool, (size_t)p + (size_t)q, sizeof *weight) : NULL;
    dense_axis all;
    if (w->row->weighted && weight == NULL) {
        return false;
    }
    if (weight != NULL) {
        dense_weigh(w->problem->speed, w->row->shape, weight);
    }
    if (!dense_axis_make(&w->axis[0], pool, p, weight, w->blocks) ||
        !dense_axis_make(&w->axis[1], pool, q, weight != NULL ? weight + p : NULL, w->blocks) ||
        !dense_axis_make(&all, pool, q, weight != NULL ? weight + p : NULL, w->blocks)) {
        return false;
    }
    dense_axis_count(&all, w->blocks, w->block, w->last);
    *all_columns = most_extent(&all);
    return true;
}

static double speed_of(const dense_problem *problem, size_t processes)
{
    double sum = problem->unlike ? 0 : *problem->speed * (double)processes;
    for (size_t i = 0; i < processes && problem->unlike; i++) {
        sum += problem->speed[i];
    }
    return sum;
}

int dense_time(const dense_problem *problem, const inlay_dense_block *block, int64_t samples, inlay_dense_row *row)
{
    const inlay_dense_question *asked = problem->asked;
    memory_pool pool = {0};
    double all_columns = 0, n = (double)asked->order;
    walk w = {.problem = problem,
              .row = row,
              .update = block->update > 0 ? block->update : 1,
              .panel = block->panel > 0 ? block->panel : 1,
              .block = block->size < asked->order ? block->size : asked->order};
    w.blocks = (asked->order - 1) / w.block + 1;
    w.last = asked->order - (w.blocks - 1) * w.block;
    row->panel = row->update = row->broadcast = row->exchange = 0;
    if (problem->unlike && !make_axes(&w, &pool, &all_columns)) {
        pool_clear(&pool);
        return INLAY_NO_MEMORY;
    }
    look_all(&w, samples, all_columns, row);
    pool_clear(&pool);
    row->time = row->panel + row->update + row->broadcast + row->exchange;
    double share = asked->kernel == INLAY_DENSE_MATMUL ? 2 : asked->kernel == INLAY_DENSE_LU ? 2.0 / 3 : 1.0 / 3;
    row->rate = row->time > 0 ? share * n * n * n / row->time : 0;
    row->efficiency = row->rate / speed_of(problem, (size_t)row->shape[0] * (size_t)row->shape[1]);
    return INLAY_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conjugate gradients on a mesh of triangles: points of a square, each joined to up to six others; its matrix in rows of
 * columns and numbers. The points are cut into parts of rows; an iteration is a product with the matrix, which needs the
 * edges of the neighbours' directions, and two sums over all parts.
 */
#include "real.h"
#include <stdlib.h>
#include <string.h>

enum { X, R, D, Q }; /* of a part: solution, residual, direction, product */

/* The rows of the matrix of one part; columns count from the row of points above the part. */
struct matrix {
    int *begin, *column;
    double *number;
};

static struct matrix *matrices; /* of all parts, made at the beginning */

static int first_row(const struct program *p, int part)
{
    return (int)((long)p->size[0] * part / p->size[2]);
}

static int rows_of(const struct program *p, int part)
{
    return first_row(p, part + 1) - first_row(p, part);
}

static size_t points_of(const struct program *p, int part)
{
    return (size_t)rows_of(p, part) * (size_t)p->size[0];
}

static void make_matrix(const struct program *p, int part, struct matrix *m)
{
    static const int to[6][2] = {{-1, -1}, {-1, 0}, {0, -1}, {0, 1}, {1, 0}, {1, 1}};
    int n = p->size[0], first = first_row(p, part), rows = rows_of(p, part), count = 0;
    m->begin = malloc((points_of(p, part) + 1) * sizeof *m->begin);
    m->column = malloc(7 * points_of(p, part) * sizeof *m->column);
    m->number = malloc(7 * points_of(p, part) * sizeof *m->number);
    if (m->begin == NULL || m->column == NULL || m->number == NULL) {
        exit(3);
    }
    for (int i = 0; i < rows * n; i++) {
        int row = first + i / n, column = i % n;
        m->begin[i] = count;
        m->column[count] = i + n;
        m->number[count++] = 6.01;
        for (int k = 0; k < 6; k++) {
            int r = row + to[k][0], c = column + to[k][1];
            if (r >= 0 && r < n && c >= 0 && c < n) {
                m->column[count] = (r - first + 1) * n + c;
                m->number[count++] = -1;
            }
        }
    }
    m->begin[rows * n] = count;
}

/* A part's vectors lie one behind the other; the direction has room for a row of either neighbour. */
static double *vector(const struct program *p, int part, double *block, int which)
{
    size_t n = (size_t)p->size[0], points = points_of(p, part);
    return which == D ? block + 3 * points + n : block + (size_t)(which == Q ? 2 : which) * points;
}

static size_t block_bytes(const struct program *p, int part)
{
    return (4 * points_of(p, part) + 2 * (size_t)p->size[0]) * sizeof(double);
}

static void fill_part(const struct program *p, const struct task *t, double *out)
{
    int part = t->at[1];
    size_t first = (size_t)first_row(p, part) * (size_t)p->size[0];
    memset(out, 0, block_bytes(p, part));
    for (size_t i = 0; i < points_of(p, part); i++) {
        vector(p, part, out, R)[i] = vector(p, part, out, D)[i] = number_at(first + i);
    }
}

static void give_edges(const struct program *p, int part, double *const *out)
{
    size_t n = (size_t)p->size[0];
    const double *d = vector(p, part, out[0], D);
    memcpy(out[1], d, n * sizeof *d);
    memcpy(out[2], d + points_of(p, part) - n, n * sizeof *d);
}

static void begin(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    (void)in;
    give_edges(p, t->at[1], out);
}

/* q = A d, and the part's share of d.q and of r.r */
static void multiply(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    int part = t->at[1];
    size_t n = (size_t)p->size[0], points = points_of(p, part);
    const struct matrix *m = &matrices[part];
    double *d = vector(p, part, out[0], D) - n, *q = vector(p, part, out[0], Q), *r = vector(p, part, out[0], R);
    int at = 1;
    if (part > 0) {
        memcpy(d, in[at++], n * sizeof *d);
    }
    if (part + 1 < p->size[2]) {
        memcpy(d + n + points, in[at], n * sizeof *d);
    }
    double dq = 0, rr = 0;
    for (size_t i = 0; i < points; i++) {
        double sum = 0;
        for (int k = m->begin[i]; k < m->begin[i + 1]; k++) {
            sum += m->number[k] * d[m->column[k]];
        }
        q[i] = sum;
        dq += sum * d[n + i];
        rr += r[i] * r[i];
    }
    out[1][0] = dq;
    out[1][1] = rr;
}

static void add_up(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    (void)p;
    out[0][0] = out[0][1] = 0;
    for (int k = 0; k < t->inputs; k++) {
        out[0][0] += in[k][0];
        out[0][1] += in[k][1];
    }
}

static void step(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    int part = t->at[1];
    double *x = vector(p, part, out[0], X), *r = vector(p, part, out[0], R), *d = vector(p, part, out[0], D);
    double *q = vector(p, part, out[0], Q), alpha = in[1][1] / in[1][0], rr = 0;
    for (size_t i = 0; i < points_of(p, part); i++) {
        x[i] += alpha * d[i];
        r[i] -= alpha * q[i];
        rr += r[i] * r[i];
    }
    out[1][0] = rr;
    out[1][1] = in[1][1] / p->size[2]; /* the old one, which is added up again */
}

static void turn(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    int part = t->at[1];
    double *r = vector(p, part, out[0], R), *d = vector(p, part, out[0], D), beta = in[1][0] / in[1][1];
    for (size_t i = 0; i < points_of(p, part); i++) {
        d[i] = r[i] + beta * d[i];
    }
    give_edges(p, part, out);
}

static void add_parts(struct program *p, int kind, int iteration, const int *state, int common, int *next)
{
    for (int part = 0; part < p->size[2]; part++) {
        next[part] = add_task(p, kind, iteration, part, 0);
        add_update(p, next[part], state[part], 0);
        if (common >= 0) {
            add_input(p, next[part], common, 0);
        }
        add_output(p, next[part], block_bytes(p, part));
    }
}

static int add_sum(struct program *p, int kind, int iteration, const int *from)
{
    int task = add_task(p, kind, iteration, 0, 0);
    for (int part = 0; part < p->size[2]; part++) {
        add_input(p, task, from[part], 1);
    }
    add_output(p, task, 2 * sizeof(double));
    return task;
}

void make_gradient(struct program *p)
{
    static const struct kind kinds[] = {{"begin", begin}, {"multiply", multiply}, {"alpha", add_up},
                                        {"step", step},   {"beta", add_up},       {"turn", turn}};
    int parts = p->size[2], state[INPUTS], next[INPUTS];
    if (parts > INPUTS) {
        exit(2);
    }
    p->kinds = kinds;
    p->kind_count = 6;
    p->fill = fill_part;
    matrices = calloc((size_t)parts, sizeof *matrices);
    size_t edge = (size_t)p->size[0] * sizeof(double);
    for (int part = 0; part < parts; part++) {
        make_matrix(p, part, &matrices[part]);
        state[part] = add_task(p, 0, 0, part, 0);
        p->task[state[part]].begins = true;
        add_output(p, state[part], block_bytes(p, part));
        add_output(p, state[part], edge);
        add_output(p, state[part], edge);
    }
    for (int i = 1; i <= p->size[1]; i++) {
        add_parts(p, 1, i, state, -1, next);
        for (int part = 0; part < parts; part++) {
            if (part > 0) {
                add_input(p, next[part], state[part - 1], 2);
            }
            if (part + 1 < parts) {
                add_input(p, next[part], state[part + 1], 1);
            }
            add_output(p, next[part], 2 * sizeof(double));
        }
        int alpha = add_sum(p, 2, i, next);
        add_parts(p, 3, i, next, alpha, state);
        for (int part = 0; part < parts; part++) {
            add_output(p, state[part], 2 * sizeof(double));
        }
        int beta = add_sum(p, 4, i, state);
        add_parts(p, 5, i, state, beta, next);
        for (int part = 0; part < parts; part++) {
            add_output(p, next[part], edge);
            add_output(p, next[part], edge);
        }
        memcpy(state, next, sizeof state);
    }
}

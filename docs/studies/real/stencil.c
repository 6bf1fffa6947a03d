/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jacobi's relaxation on a square grid, cut into strips of rows: every step of a strip needs the strip and a row of each
 * neighbour, and leaves the strip and its first and last row.
 */
#include "real.h"
#include <string.h>

static int first_row(const struct program *p, int strip)
{
    return (int)((long)p->size[0] * strip / p->size[2]);
}

static int rows_of(const struct program *p, int strip)
{
    return first_row(p, strip + 1) - first_row(p, strip);
}

static void keep_edges(const struct program *p, int strip, const double *grid, double *const *out)
{
    size_t n = (size_t)p->size[0];
    memcpy(out[1], grid, n * sizeof *grid);
    memcpy(out[2], grid + (size_t)(rows_of(p, strip) - 1) * n, n * sizeof *grid);
}

static void fill_strip(const struct program *p, const struct task *t, double *out)
{
    size_t n = (size_t)p->size[0], first = (size_t)first_row(p, t->at[1]);
    for (size_t i = 0; i < (size_t)rows_of(p, t->at[1]) * n; i++) {
        out[i] = number_at(first * n + i);
    }
}

static void begin(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    (void)in;
    keep_edges(p, t->at[1], out[0], out);
}

static void relax_row(size_t n, const double *above, const double *row, const double *below, double *to)
{
    to[0] = row[0];
    for (size_t c = 1; c + 1 < n; c++) {
        to[c] = 0.2 * (row[c - 1] + row[c] + row[c + 1] + above[c] + below[c]);
    }
    to[n - 1] = row[n - 1];
}

static void relax(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    int strip = t->at[1], rows = rows_of(p, strip);
    size_t n = (size_t)p->size[0];
    const double *above = strip > 0 ? in[1] : in[0];
    const double *below = strip + 1 < p->size[2] ? in[t->inputs - 1] : in[0] + (size_t)(rows - 1) * n;
    for (int r = 0; r < rows; r++) {
        const double *row = in[0] + (size_t)r * n;
        relax_row(n, r > 0 ? row - n : above, row, r + 1 < rows ? row + n : below, out[0] + (size_t)r * n);
    }
    keep_edges(p, strip, out[0], out);
}

void make_stencil(struct program *p)
{
    static const struct kind kinds[] = {{"begin", begin}, {"relax", relax}};
    p->kinds = kinds;
    p->kind_count = 2;
    p->fill = fill_strip;
    int strips = p->size[2];
    for (int step = 0; step <= p->size[1]; step++) {
        for (int s = 0; s < strips; s++) {
            int task = add_task(p, step > 0, step, s, 0), before = task - strips;
            p->task[task].begins = step == 0;
            if (step > 0) {
                add_input(p, task, before, 0);
                if (s > 0) {
                    add_input(p, task, before - 1, 2);
                }
                if (s + 1 < strips) {
                    add_input(p, task, before + 1, 1);
                }
            }
            add_output(p, task, (size_t)rows_of(p, s) * (size_t)p->size[0] * sizeof(double));
            add_output(p, task, (size_t)p->size[0] * sizeof(double));
            add_output(p, task, (size_t)p->size[0] * sizeof(double));
        }
    }
}

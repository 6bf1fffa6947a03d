/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pipeline of four stages over items of numbers: they are drawn, smoothed, sorted, and summed up into what the last stage
 * has so far. A stage takes the items in their order.
 */
#include "real.h"
#include <stdlib.h>
#include <string.h>

enum { DRAW, SMOOTH, SORT, SUM, STAGES };

static void draw(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    (void)in;
    for (int i = 0; i < p->size[1]; i++) {
        out[0][i] = number_at((uint64_t)t->at[0] * (uint64_t)p->size[1] + (uint64_t)i);
    }
}

static void smooth(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    (void)t;
    (void)in;
    for (int pass = 0; pass < 20; pass++) {
        double before = out[0][0];
        for (int i = 1; i + 1 < p->size[1]; i++) {
            double here = out[0][i];
            out[0][i] = 0.25 * before + 0.5 * here + 0.25 * out[0][i + 1];
            before = here;
        }
    }
}

static int in_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    (void)t;
    (void)in;
    qsort(out[0], (size_t)p->size[1], sizeof(double), in_order);
}

static void sum(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    double all = t->inputs > 1 ? in[1][0] : 0;
    for (int i = 0; i < p->size[1]; i++) {
        all += in[0][i] * in[0][i];
    }
    out[0][0] = all;
}

void make_pipeline(struct program *p)
{
    static const struct kind kinds[] = {{"draw", draw}, {"smooth", smooth}, {"sort", sort}, {"sum", sum}};
    p->kinds = kinds;
    p->kind_count = STAGES;
    size_t bytes = (size_t)p->size[1] * sizeof(double);
    for (int item = 0; item < p->size[0]; item++) {
        for (int stage = 0; stage < STAGES; stage++) {
            int task = add_task(p, stage, item, 0, 0);
            if (stage == SUM) {
                add_input(p, task, task - 1, 0);
                if (item > 0) {
                    add_input(p, task, task - STAGES, 0);
                }
            } else if (stage != DRAW) {
                add_update(p, task, task - 1, 0);
            }
            add_output(p, task, stage == SUM ? sizeof(double) : bytes);
        }
    }
}

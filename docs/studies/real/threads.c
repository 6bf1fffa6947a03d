/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same program by OpenMP tasks: each depends on the tasks that make its inputs, and OpenMP's scheduler places them.
 */
#include "real.h"
#include <stdlib.h>
#include <string.h>

struct value {
    double *at;
    int users;
    bool used;
};

static void run_task(const struct program *p, struct value *values, int i)
{
    const struct task *t = &p->task[i];
    double *in[INPUTS] = {NULL}, *out[OUTPUTS] = {NULL};
    for (int k = 0; k < t->inputs; k++) {
        in[k] = values[t->input[k]].at;
    }
    bool taken = false;
    for (int k = t->begins; k < t->outputs; k++) {
        struct value *mine = &values[i * OUTPUTS + k];
        if (k == 0 && t->update >= 0 && __atomic_load_n(&values[t->input[t->update]].users, __ATOMIC_ACQUIRE) == 1) {
            mine->at = in[t->update];
            taken = true;
        } else {
            mine->at = block_take(t->bytes[k]);
            if (k == 0 && t->update >= 0) {
                memcpy(mine->at, in[t->update], t->bytes[0]);
            }
        }
    }
    for (int k = 0; k < t->outputs; k++) {
        out[k] = values[i * OUTPUTS + k].at;
    }
    p->kinds[t->kind].run(p, t, in, out);
    for (int k = 0; k < t->inputs; k++) {
        struct value *v = &values[t->input[k]];
        if (__atomic_sub_fetch(&v->users, 1, __ATOMIC_ACQ_REL) == 0) {
            if (!(taken && k == t->update)) {
                block_give(v->at, p->task[t->input[k] / OUTPUTS].bytes[t->input[k] % OUTPUTS]);
            }
            v->at = NULL;
        }
    }
}

double run_threads(const struct program *p, uint64_t *sum)
{
    struct value *values = calloc((size_t)p->count * OUTPUTS, sizeof *values);
    char *done = calloc((size_t)p->count, 1);
    if (values == NULL || done == NULL) {
        exit(3);
    }
    for (int i = 0; i < p->count; i++) {
        const struct task *t = &p->task[i];
        for (int k = 0; k < t->inputs; k++) {
            values[t->input[k]].users++;
            values[t->input[k]].used = true;
        }
        if (t->begins) {
            values[i * OUTPUTS].at = block_take(t->bytes[0]);
            p->fill(p, t, values[i * OUTPUTS].at);
        }
    }
    double begin = now();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < p->count; i++) {
        const struct task *t = &p->task[i];
#pragma omp task depend(iterator(k = 0                                                                                 \
                                 : t->inputs),                                                                         \
                        in                                                                                             \
                        : done[t->input[k] / OUTPUTS]) depend(out                                                      \
                                                              : done[i]) firstprivate(i)
        run_task(p, values, i);
    }
    double elapsed = now() - begin;
    *sum = 0;
    for (int v = 0; v < p->count * OUTPUTS; v++) {
        if (values[v].at != NULL) {
            size_t bytes = p->task[v / OUTPUTS].bytes[v % OUTPUTS];
            *sum += values[v].used ? 0 : value_sum(v, values[v].at, bytes);
            block_give(values[v].at, bytes);
        }
    }
    free(values);
    free(done);
    return elapsed;
}

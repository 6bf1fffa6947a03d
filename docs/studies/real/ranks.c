/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A placement is run by MPI: receives are posted before the clock starts, a value goes once to each rank that uses it, right
 * after the task that made it, and a rank waits for what its next task needs.
 */
#include "real.h"
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct value {
    double *at;
    int users;        /* tasks of this rank that still need it */
    bool needed;      /* by a task of this rank */
    bool used;        /* by any task at all */
    int leaves, left; /* its sendings: so many from this one on */
    MPI_Request come; /* where another rank makes it */
};

struct rank {
    const struct program *p;
    const int *place;
    int self, ranks;
    struct value *value;
    MPI_Request *sending;
    int sendings;
    bool *told; /* of each value and rank: it uses the value */
};

static size_t value_bytes(const struct program *p, int value)
{
    return p->task[value / OUTPUTS].bytes[value % OUTPUTS];
}

static void find_users(struct rank *r)
{
    for (int i = 0; i < r->p->count; i++) {
        const struct task *t = &r->p->task[i];
        for (int k = 0; k < t->inputs; k++) {
            struct value *v = &r->value[t->input[k]];
            v->used = true;
            r->told[(size_t)t->input[k] * (size_t)r->ranks + (size_t)r->place[i]] = true;
            v->users += r->place[i] == r->self;
        }
    }
}

/* Memory that must be there before the clock starts: what comes from others, and what tasks begin with. */
static void make_ready(struct rank *r)
{
    for (int v = 0; v < r->p->count * OUTPUTS; v++) {
        struct value *value = &r->value[v];
        value->come = MPI_REQUEST_NULL;
        const struct task *t = &r->p->task[v / OUTPUTS];
        int from = r->place[v / OUTPUTS];
        if (from != r->self && value->users > 0) {
            value->at = block_take(value_bytes(r->p, v));
            MPI_Irecv(value->at, (int)(value_bytes(r->p, v) / sizeof(double)), MPI_DOUBLE, from, v, MPI_COMM_WORLD,
                      &value->come);
        } else if (from == r->self && t->begins && v % OUTPUTS == 0) {
            value->at = block_take(t->bytes[0]);
            r->p->fill(r->p, t, value->at);
        }
    }
}

/* Some sending of the value has not ended. */
static bool is_leaving(struct rank *r, int value)
{
    int done = true;
    if (r->value[value].leaves > 0) {
        MPI_Testall(r->value[value].leaves, r->sending + r->value[value].left, &done, MPI_STATUSES_IGNORE);
    }
    return !done;
}

static void release(struct rank *r, int value)
{
    struct value *v = &r->value[value];
    if (--v->users == 0 && v->at != NULL && !is_leaving(r, value)) {
        block_give(v->at, value_bytes(r->p, value));
        v->at = NULL;
    }
}

static double run_task(struct rank *r, int i)
{
    const struct task *t = &r->p->task[i];
    double *in[INPUTS] = {NULL}, *out[OUTPUTS] = {NULL};
    for (int k = 0; k < t->inputs; k++) {
        MPI_Wait(&r->value[t->input[k]].come, MPI_STATUS_IGNORE);
        in[k] = r->value[t->input[k]].at;
    }
    double begin = now();
    for (int k = t->begins; k < t->outputs; k++) {
        struct value *mine = &r->value[i * OUTPUTS + k];
        if (k == 0 && t->update >= 0 && r->value[t->input[t->update]].users == 1 &&
            !is_leaving(r, t->input[t->update])) {
            mine->at = in[t->update];
            r->value[t->input[t->update]].at = NULL;
        } else {
            mine->at = block_take(t->bytes[k]);
            if (k == 0 && t->update >= 0) {
                memcpy(mine->at, in[t->update], t->bytes[0]);
            }
        }
    }
    for (int k = 0; k < t->outputs; k++) {
        out[k] = r->value[i * OUTPUTS + k].at;
    }
    r->p->kinds[t->kind].run(r->p, t, in, out);
    double took = now() - begin;
    for (int k = 0; k < t->outputs; k++) {
        int v = i * OUTPUTS + k;
        r->value[v].left = r->sendings;
        for (int to = 0; to < r->ranks; to++) {
            if (to != r->self && r->told[(size_t)v * (size_t)r->ranks + (size_t)to]) {
                MPI_Isend(out[k], (int)(t->bytes[k] / sizeof(double)), MPI_DOUBLE, to, v, MPI_COMM_WORLD,
                          &r->sending[r->sendings++]);
                r->value[v].leaves++;
            }
        }
    }
    for (int k = 0; k < t->inputs; k++) {
        release(r, t->input[k]);
    }
    return took;
}

/* Results are what no task uses; the rest goes back. */
static uint64_t collect(struct rank *r)
{
    uint64_t mine = 0, all = 0;
    for (int v = 0; v < r->p->count * OUTPUTS; v++) {
        if (r->value[v].at != NULL) {
            size_t bytes = value_bytes(r->p, v);
            mine += r->value[v].used ? 0 : value_sum(v, r->value[v].at, bytes);
            block_give(r->value[v].at, bytes);
        }
    }
    MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

double run_ranks(const struct program *p, const int *place, const int *order, double *seconds, uint64_t *sum)
{
    struct rank r = {.p = p, .place = place};
    MPI_Comm_rank(MPI_COMM_WORLD, &r.self);
    MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
    size_t values = (size_t)p->count * OUTPUTS;
    r.value = calloc(values, sizeof *r.value);
    r.told = calloc(values * (size_t)r.ranks, sizeof *r.told);
    r.sending = calloc(values * (size_t)r.ranks, sizeof *r.sending);
    if (r.value == NULL || r.told == NULL || r.sending == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    find_users(&r);
    make_ready(&r);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = now(), mine, all;
    for (int i = 0; i < p->count; i++) {
        if (place[order[i]] == r.self) {
            double took = run_task(&r, order[i]);
            if (seconds != NULL) {
                seconds[order[i]] = took;
            }
        }
    }
    for (int i = 0; i < r.sendings; i++) {
        MPI_Wait(&r.sending[i], MPI_STATUS_IGNORE);
    }
    mine = now() - begin;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    *sum = collect(&r);
    free(r.value);
    free(r.told);
    free(r.sending);
    return all;
}

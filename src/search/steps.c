/* The clustering under one time frame after the other. */
#include "search/steps.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/greedy.h"
#include <stdlib.h>

/* What runs share may take so many bytes. */
static const double most_bytes = 512.0 * 1024 * 1024;

static bool can_share(const problem *p)
{
    return p->conflict == NULL && p->kinds.count == 1 && clusters_bytes(p) + untied_bytes(p) <= most_bytes;
}

int steps_make(const problem *p, bool shared, steps *result, inlay_diag *diag)
{
    steps s = {.p = p, .shared = shared && can_share(p)};
    s.cluster_of = memory_array((size_t)p->modules, sizeof *s.cluster_of);
    *result = s;
    return s.cluster_of == NULL ? diag_no_memory(diag) : INLAY_OK;
}

void steps_clear(steps *s)
{
    if (s->begun) {
        untied_clear(&s->untied);
        replay_clear(&s->replay);
    }
    ascent_clear(&s->ascent);
    free(s->cluster_of);
    *s = (steps){0};
}

/* ---- A run of its own ---- */

static int run_alone(steps *s, inlay_time limit, inlay_diag *diag)
{
    partition part;
    inlay_time next = INT64_MAX;
    greedy_rule rule = {.limit = limit, .unrelated = !s->p->options.keep_unrelated, .stop_at = 1, .want_next = true};
    int status = ascent_to(&s->ascent, s->p, limit, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = greedy_merge(&part, &rule, &next, diag);
    if (status == INLAY_OK) {
        partition_label(&part, s->cluster_of);
        s->clusters = part.count;
        s->next = next;
        s->queue_operations += part.queue_operations;
    }
    partition_clear(&part);
    return status;
}

/* ---- Runs that share work ---- */

static int begin(steps *s, inlay_diag *diag)
{
    int status = replay_make(s->p, &s->replay, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = untied_make(&s->replay.clusters, &s->untied, diag);
    if (status != INLAY_OK) {
        replay_clear(&s->replay);
        return status;
    }
    s->begun = true;
    return INLAY_OK;
}

static int run_shared(steps *s, inlay_time limit, inlay_diag *diag)
{
    bool first = !s->begun;
    int status = first ? begin(s, diag) : INLAY_OK;
    if (status != INLAY_OK) {
        return status;
    }
    inlay_time next = INT64_MAX;
    bool fine = true;
    if (first || replay_next(&s->replay) <= limit) {
        fine = replay_run(&s->replay, limit) && untied_begin(&s->untied);
    }
    if (fine && !s->p->options.keep_unrelated) {
        fine = untied_run(&s->untied, limit, &next);
    }
    if (!fine) {
        return diag_no_memory(diag);
    }
    s->clusters = untied_label(&s->untied, s->cluster_of);
    s->next = next < replay_next(&s->replay) ? next : replay_next(&s->replay);
    return INLAY_OK;
}

int steps_to(steps *s, inlay_time limit, inlay_diag *diag)
{
    return s->shared ? run_shared(s, limit, diag) : run_alone(s, limit, diag);
}

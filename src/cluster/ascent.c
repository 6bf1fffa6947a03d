/* Runs of the greedy rule under rising time frames. */
#include "cluster/ascent.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/greedy.h"
#include "cluster/unrelated.h"
#include <stdlib.h>

void ascent_clear(ascent *a)
{
    if (a->begun) {
        partition_clear(&a->shared);
    }
    free(a->label);
    *a = (ascent){0};
}

static int begin(ascent *a, const problem *p, inlay_diag *diag)
{
    a->label = memory_array((size_t)p->modules, sizeof *a->label);
    int status = a->label == NULL ? diag_no_memory(diag) : partition_make(p, &a->shared, diag);
    a->begun = status == INLAY_OK;
    return status;
}

static int go_on(ascent *a, inlay_time limit, inlay_diag *diag)
{
    const greedy_rule rule = {.limit = limit, .stop_at = 1, .want_next = true, .until_rejected = true};
    a->rejected = INT64_MAX;
    int status = greedy_communicating(&a->shared, &rule, false, &a->rejected);
    if (status == INLAY_OK && a->rejected == INT64_MAX && !a->shared.p->options.keep_unrelated) {
        status = merge_unrelated(&a->shared, &rule, &a->rejected);
    }
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

int ascent_to(ascent *a, const problem *p, inlay_time limit, partition *result, inlay_diag *diag)
{
    if (p->kinds.count > 1) {
        return partition_make(p, result, diag); /* where processors differ a pair may be forbidden under one T alone */
    }
    int status = a->begun ? INLAY_OK : begin(a, p, diag);
    if (status == INLAY_OK && a->rejected <= limit) {
        status = go_on(a, limit, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    partition_label(&a->shared, a->label);
    return partition_from(p, a->label, a->shared.count, result, diag);
}

/* Layout on machines with distance: several starts, exchanges, a search, and the best of all. */
#include "mapping/layout_far.h"
#include "base/diag.h"
#include "base/memory.h"
#include "mapping/layout_steps.h"
#include <stdlib.h>
#include <string.h>

/* The best layout so far. */
typedef struct best {
    inlay_id *at;
    int64_t sum;
} best;

static void keep_better(const layout_state *s, best *b)
{
    if (s->sum < b->sum) {
        b->sum = s->sum;
        memcpy(b->at, s->at, (size_t)s->f->clusters * sizeof *b->at);
    }
}

typedef int (*placing)(layout_state *s, inlay_diag *diag);

/* One start and the exchanges behind it. `placed`: the sum between the two. */
static int start(layout_state *s, placing place, int64_t *placed, best *b, inlay_diag *diag)
{
    layout_clear_places(s);
    layout_place_pinned(s);
    int status = place(s, diag);
    if (status == INLAY_OK) {
        *placed = s->sum;
        layout_wake_all(s);
        layout_descend(s);
        keep_better(s, b);
    }
    return status;
}

static int lay_out(layout_state *s, best *b, far_figures *figures, inlay_diag *diag)
{
    int64_t placed;
    int status = start(s, layout_place_nearest, &figures->nearest, b, diag);
    figures->exchanged = s->sum;
    if (status == INLAY_OK) {
        status = start(s, layout_place_in_order, &placed, b, diag);
    }
    if (status == INLAY_OK && layout_few(s->f)) {
        layout_clear_places(s);
        layout_look_at_all(s, b->at, &b->sum);
        figures->optimal = true;
    }
    figures->sum = b->sum;
    return status;
}

int far_layout(const far_problem *problem, inlay_id *processor, far_figures *figures, inlay_diag *diag)
{
    layout_state s;
    far_figures found = {0};
    best b = {.sum = INT64_MAX};
    int status = layout_state_make(problem, &s, diag);
    if (status == INLAY_OK) {
        b.at = memory_array((size_t)problem->clusters, sizeof *b.at);
        status = b.at == NULL ? diag_no_memory(diag) : lay_out(&s, &b, &found, diag);
    }
    if (status == INLAY_OK) {
        memcpy(processor, b.at, (size_t)problem->clusters * sizeof *processor);
        if (figures != NULL) {
            *figures = found;
        }
    }
    free(b.at);
    layout_state_clear(&s);
    return status;
}

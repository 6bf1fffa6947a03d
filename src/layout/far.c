/* Layout on machines with distance: several starts, exchanges, a search, and the best of all. */
#include "layout/far.h"
#include "base/diag.h"
#include "base/memory.h"
#include "layout/steps.h"
#include <stdlib.h>
#include <string.h>

/* The best layout so far. */
typedef struct best {
    inlay_id *at;
    int64_t sum;
} best;

static void keep(const layout_state *s, best *b)
{
    b->sum = s->sum;
    memcpy(b->at, s->at, (size_t)s->f->clusters * sizeof *b->at);
}

typedef int (*placing)(layout_state *s, inlay_diag *diag);

/* One start, with the exchanges behind it where they cost little. */
static int start(layout_state *s, placing place, best *b, int64_t *placed, inlay_diag *diag)
{
    layout_clear_places(s);
    layout_place_pinned(s);
    int status = place(s, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (placed != NULL) {
        *placed = s->sum;
    }
    if (s->quick) {
        layout_wake_all(s);
        layout_descend(s);
    }
    if (s->sum < b->sum) {
        keep(s, b);
    }
    return INLAY_OK;
}

/* Whether nothing can be less: all traffic goes the least distance that there is, as anywhere on a star. */
static bool is_least(layout_state *s, int64_t sum)
{
    int64_t traffic = 0, least = LAYOUT_LARGEST_DISTANCE;
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        traffic += s->total[c];
    }
    for (inlay_id b = 1; b < s->f->processors && least * (traffic / 2) >= sum; b++) {
        layout_fill_row(s, b);
        for (inlay_id a = 0; a < b; a++) {
            int64_t distance = layout_distance(s, b, a);
            least = distance < least ? distance : least;
        }
    }
    return sum <= traffic / 2 * least;
}

/* From the best start to the result. */
static int finish(layout_state *s, best *b, bool *optimal, inlay_diag *diag)
{
    *optimal = layout_few(s->f);
    if (*optimal) {
        layout_clear_places(s);
        layout_look_at_all(s, b->at, &b->sum);
        return INLAY_OK;
    }
    if (is_least(s, b->sum)) {
        return INLAY_OK;
    }
    layout_restore(s, b->at);
    int status = layout_search(s, diag);
    keep(s, b);
    return status;
}

static int lay_out(layout_state *s, best *b, far_figures *figures, inlay_diag *diag)
{
    int status = start(s, layout_place_nearest, b, &figures->nearest, diag);
    if (status == INLAY_OK) {
        status = start(s, layout_place_in_order, b, NULL, diag);
    }
    if (status == INLAY_OK) {
        status = start(s, layout_place_bisected, b, NULL, diag);
    }
    if (status == INLAY_OK) {
        status = finish(s, b, &figures->optimal, diag);
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

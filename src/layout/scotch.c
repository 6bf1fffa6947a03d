/* Layout by Scotch (version 7.0, its user's guide, sections 8.5, 8.8 and 8.12); compiled with -DINLAY_SCOTCH where it is. */
#include "layout/scotch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"

#ifdef INLAY_SCOTCH

#include "cluster/scotch_session.h"
#include "layout/steps.h"
#include <stdlib.h>
#include <string.h>

/* All pairs, with their distances: 2 d or, for cores of one host, 1, because a load must be above 0. */
static bool machine_arcs(const far_problem *f, scotch_arcs *a)
{
    size_t p = (size_t)f->processors;
    if (!scotch_arcs_make(a, p, p * (p - 1))) {
        return false;
    }
    SCOTCH_Num entries = 0;
    for (inlay_id i = 0; i < f->processors; i++) {
        a->begin[i] = entries;
        for (inlay_id j = 0; j < f->processors; j++) {
            if (i != j) {
                int d = far_distance(f, i, j);
                a->neighbour[entries] = j;
                a->load[entries++] = d > 0 ? 2 * d : 1;
            }
        }
    }
    a->begin[f->processors] = entries;
    return true;
}

static SCOTCH_Num load_between(const scotch_arcs *complete, inlay_id a, inlay_id b)
{
    return complete->load[complete->begin[a] + (b < a ? b : b - 1)];
}

/* Whether a pair is as near by way of one of the processors that are nearest to the first. */
static bool has_way(const scotch_arcs *complete, inlay_id a, inlay_id b, SCOTCH_Num nearest)
{
    SCOTCH_Num direct = load_between(complete, a, b);
    for (SCOTCH_Num e = complete->begin[a]; direct > nearest && e < complete->begin[a + 1]; e++) {
        inlay_id c = complete->neighbour[e];
        if (c != b && complete->load[e] == nearest && nearest + load_between(complete, c, b) == direct) {
            return true;
        }
    }
    return false;
}

/* Leaves out the pairs that are as near by way of others: distances stay, and Scotch splits few arcs better than many. */
static bool thin_out(scotch_arcs *complete)
{
    inlay_id processors = complete->vertices;
    SCOTCH_Num all = complete->begin[processors], kept = 0;
    SCOTCH_Num *nearest = memory_array((size_t)processors, sizeof *nearest);
    bool *keep = memory_array((size_t)all, sizeof *keep);
    for (inlay_id a = 0; nearest != NULL && a < processors; a++) {
        nearest[a] = complete->load[complete->begin[a]];
        for (SCOTCH_Num e = complete->begin[a]; e < complete->begin[a + 1]; e++) {
            nearest[a] = complete->load[e] < nearest[a] ? complete->load[e] : nearest[a];
        }
    }
    bool fine = nearest != NULL && keep != NULL;
    for (inlay_id a = 0; fine && a < processors; a++) {
        for (SCOTCH_Num e = complete->begin[a]; e < complete->begin[a + 1]; e++) {
            inlay_id b = complete->neighbour[e];
            keep[e] = !has_way(complete, a, b, nearest[a]) && !has_way(complete, b, a, nearest[b]);
        }
    }
    for (inlay_id a = 0, e = 0; fine && a < processors; a++) {
        SCOTCH_Num end = complete->begin[a + 1];
        complete->begin[a] = kept;
        for (; e < end; e++) {
            complete->neighbour[kept] = complete->neighbour[e];
            complete->load[kept] = complete->load[e];
            kept += keep[e];
        }
    }
    complete->begin[processors] = fine ? kept : all;
    free(nearest);
    free(keep);
    return fine;
}

/* Traffic, scaled so that all of it over the largest distance stays below 2^30. */
static bool cluster_arcs(const far_problem *f, const scotch_arcs *machine, scotch_arcs *a)
{
    double total = 1, farthest = 1;
    size_t entries = (size_t)f->begin[f->clusters];
    if (!scotch_arcs_make(a, (size_t)f->clusters, entries)) {
        return false;
    }
    for (SCOTCH_Num e = 0; e < machine->begin[machine->vertices]; e++) {
        farthest = machine->load[e] > farthest ? machine->load[e] : farthest;
    }
    for (size_t e = 0; e < entries; e++) {
        total += (double)f->traffic[e];
    }
    double scale = 0x1p30 / farthest / total;
    for (size_t e = 0; e < entries; e++) {
        double load = scale < 1 ? (double)f->traffic[e] * scale : (double)f->traffic[e];
        a->neighbour[e] = f->neighbour[e];
        a->load[e] = load < 1 ? 1 : (SCOTCH_Num)load;
    }
    for (inlay_id c = 0; c <= f->clusters; c++) {
        a->begin[c] = (SCOTCH_Num)f->begin[c];
    }
    return true;
}

/* part: the processor of every cluster; given where it is pinned, else -1. */
static bool map(scotch_session *s, const scotch_arcs *machine, const scotch_arcs *clusters, SCOTCH_Num *part)
{
    SCOTCH_Strat build, map;
    SCOTCH_Arch target;
    (void)SCOTCH_stratInit(&build);
    (void)SCOTCH_stratInit(&map);
    (void)SCOTCH_archInit(&target);
    bool fine = scotch_bind(s, machine) && SCOTCH_archBuild(&target, &s->bound, machine->vertices, NULL, &build) == 0;
    scotch_unbind(s);
    if (fine) {
        fine = SCOTCH_stratGraphMapBuild(&map, SCOTCH_STRATDEFAULT, machine->vertices, 0) == 0 &&
               scotch_bind(s, clusters) && SCOTCH_graphMapFixed(&s->bound, &target, &map, part) == 0;
        scotch_unbind(s);
    }
    SCOTCH_archExit(&target);
    SCOTCH_stratExit(&map);
    SCOTCH_stratExit(&build);
    return fine;
}

static int ask_scotch(const far_problem *f, SCOTCH_Num *part, inlay_diag *diag)
{
    scotch_arcs machine = {0}, clusters = {0};
    scotch_session s;
    int status = INLAY_OK;
    if (!machine_arcs(f, &machine) || !cluster_arcs(f, &machine, &clusters) || !thin_out(&machine)) {
        status = diag_no_memory(diag);
    } else if (!scotch_open(&s)) {
        status = diag_fail(diag, INLAY_SYSTEM, "Scotch could not be started");
    } else {
        plain_scope scope = plain_enter(); /* Scotch prints numbers into its strategies and reads them */
        bool mapped = map(&s, &machine, &clusters, part);
        plain_leave(scope);
        if (!mapped) {
            status = diag_fail(diag, INLAY_SYSTEM,
                               "Scotch failed to map the clusters; expected it to be the version "
                               "that Inlay was built with, and enough memory");
        }
        scotch_close(&s);
    }
    scotch_arcs_clear(&machine);
    scotch_arcs_clear(&clusters);
    return status;
}

/* As Scotch says, one cluster a processor; the others by nearest placement. */
static int take_over(layout_state *s, const SCOTCH_Num *part, inlay_diag *diag)
{
    layout_place_pinned(s);
    for (inlay_id c = 0; c < s->f->clusters; c++) {
        inlay_id q = part[c];
        if (s->at[c] < 0 && q >= 0 && q < s->f->processors && s->who[q] < 0 && layout_allowed(s, c, q)) {
            layout_put(s, c, q);
        }
    }
    return layout_place_nearest(s, diag);
}

static int check_size(const far_problem *f, inlay_diag *diag)
{
    if (f->processors > SCOTCH_LAYOUT_PROCESSORS || f->begin[f->clusters] > INT32_MAX) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "Scotch is given machines of at most %d processors here; the machine has %d",
                         SCOTCH_LAYOUT_PROCESSORS, f->processors);
    }
    return INLAY_OK;
}

int scotch_layout(const far_problem *problem, inlay_id *processor, far_figures *figures, inlay_diag *diag)
{
    layout_state s = {0};
    SCOTCH_Num *part = NULL;
    int status = check_size(problem, diag);
    if (status == INLAY_OK) {
        part = memory_array((size_t)problem->clusters, sizeof *part);
        status = part == NULL ? diag_no_memory(diag) : layout_state_make(problem, &s, diag);
    }
    for (inlay_id c = 0; status == INLAY_OK && c < problem->clusters; c++) {
        part[c] = problem->pin != NULL ? problem->pin[c] : -1;
    }
    if (status == INLAY_OK && problem->processors > 1 && problem->clusters > 1) {
        status = ask_scotch(problem, part, diag);
    }
    if (status == INLAY_OK) {
        status = take_over(&s, part, diag);
    }
    if (status == INLAY_OK) {
        memcpy(processor, s.at, (size_t)problem->clusters * sizeof *processor);
        if (figures != NULL) {
            *figures = (far_figures){.nearest = -1, .sum = s.sum};
        }
    }
    free(part);
    layout_state_clear(&s);
    return status;
}

#else

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written where there is Scotch */
int scotch_layout(const far_problem *problem, inlay_id *processor, far_figures *figures, inlay_diag *diag)
{
    (void)problem;
    (void)processor;
    (void)figures;
    return diag_fail(
        diag, INLAY_BAD_ARGUMENT,
        "Inlay was built without Scotch; expected its library (Debian: libscotch-dev) when Inlay is built");
}

#endif

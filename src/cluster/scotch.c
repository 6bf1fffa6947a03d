/*
 * Scotch (F. Pellegrini and J. Roman, "Scotch: a software package for static mapping by dual recursive bipartitioning of
 * process and architecture graphs", HPCN Europe 1996) divides the graph: its static mapping onto a complete graph of
 * processors, as unequal as they are. Compiled with -DINLAY_SCOTCH where it is.
 */
#include "base/diag.h"
#include "cluster/method.h"
#include "cluster/parts.h"

#ifdef INLAY_SCOTCH

#include "base/memory.h"
#include "base/plain.h"
#include "cluster/scotch_session.h"
#include <stdlib.h>

static void convert(const int32_t *from, int32_t count, SCOTCH_Num *to)
{
    for (int32_t k = 0; k < count; k++) {
        to[k] = from[k];
    }
}

static bool map(scotch_session *s, const scotch_arcs *a, const SCOTCH_Num *share, SCOTCH_Num parts, SCOTCH_Num *found)
{
    SCOTCH_Strat strategy;
    SCOTCH_Arch machine;
    (void)SCOTCH_stratInit(&strategy);
    (void)SCOTCH_archInit(&machine);
    bool fine = SCOTCH_archCmpltw(&machine, parts, share) == 0 &&
                SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATDEFAULT, parts, 0.01) == 0;
    if (fine) {
        fine = scotch_bind(s, a) && SCOTCH_graphMap(&s->bound, &machine, &strategy, found) == 0;
        scotch_unbind(s);
    }
    SCOTCH_archExit(&machine);
    SCOTCH_stratExit(&strategy);
    return fine;
}

static int divide(const parts_graph *g, int32_t *part, inlay_diag *diag)
{
    scotch_arcs a;
    scotch_session s;
    size_t n = (size_t)g->vertices, parts = (size_t)g->parts;
    bool made = scotch_arcs_make(&a, n, (size_t)g->begin[n]);
    SCOTCH_Num *found = memory_array(n, sizeof *found), *share = memory_array(parts, sizeof *share);
    a.weight = memory_array(n, sizeof *a.weight);
    int status = made && found != NULL && share != NULL && a.weight != NULL ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        convert(g->begin, g->vertices + 1, a.begin);
        convert(g->neighbour, g->begin[n], a.neighbour);
        convert(g->load, g->begin[n], a.load);
        convert(g->weight, g->vertices, a.weight);
        convert(g->share, g->parts, share);
        plain_scope scope = plain_enter(); /* Scotch prints numbers into its strategies and reads them */
        bool opened = scotch_open(&s), mapped = opened && map(&s, &a, share, g->parts, found);
        if (opened) {
            scotch_close(&s);
        }
        plain_leave(scope);
        status = mapped ? INLAY_OK
                        : diag_fail(diag, INLAY_SYSTEM,
                                    "Scotch failed to divide the graph; expected it to be the version that Inlay was "
                                    "built with, and enough memory");
    }
    for (size_t i = 0; status == INLAY_OK && i < n; i++) {
        part[i] = (int32_t)found[i];
    }
    free(share);
    free(found);
    scotch_arcs_clear(&a);
    return status;
}

#else

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written where there is Scotch */
static int divide(const parts_graph *g, int32_t *part, inlay_diag *diag)
{
    (void)g;
    (void)part;
    return diag_fail(
        diag, INLAY_BAD_ARGUMENT,
        "Inlay was built without Scotch; expected its library (Debian: libscotch-dev) when Inlay is built");
}

#endif

static int merge(partition *part, inlay_diag *diag)
{
    return parts_merge(part, divide, diag);
}

const cluster_method scotch_method = {
    .is = {.name = "scotch",
           .description = "the undirected graph in P parts by Scotch, where its library is",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true,
           .by_name = true},
    .merge = merge,
};

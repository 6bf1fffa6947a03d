/* Scotch, version 7.0: its user's guide, sections 8.5 and 8.8. */
#ifdef INLAY_SCOTCH

#include "cluster/scotch_session.h"
#include "base/memory.h"
#include <stdlib.h>

bool scotch_arcs_make(scotch_arcs *a, size_t vertices, size_t entries)
{
    *a = (scotch_arcs){.vertices = (SCOTCH_Num)vertices};
    a->begin = memory_array(vertices + 1, sizeof *a->begin);
    a->neighbour = memory_array(entries, sizeof *a->neighbour);
    a->load = memory_array(entries, sizeof *a->load);
    return a->begin != NULL && a->neighbour != NULL && a->load != NULL;
}

void scotch_arcs_clear(scotch_arcs *a)
{
    free(a->begin);
    free(a->neighbour);
    free(a->load);
    free(a->weight);
}

bool scotch_open(scotch_session *s)
{
    if (SCOTCH_contextInit(&s->context) != 0) {
        return false;
    }
    SCOTCH_contextRandomSeed(&s->context, 1);
    SCOTCH_contextRandomReset(&s->context);
    if (SCOTCH_contextThreadSpawn(&s->context, 1, NULL) != 0) {
        SCOTCH_contextExit(&s->context);
        return false;
    }
    return true;
}

void scotch_close(scotch_session *s)
{
    SCOTCH_contextExit(&s->context);
}

bool scotch_bind(scotch_session *s, const scotch_arcs *a)
{
    (void)SCOTCH_graphInit(&s->graph);
    (void)SCOTCH_graphInit(&s->bound);
    bool fine = SCOTCH_graphBuild(&s->graph, 0, a->vertices, a->begin, NULL, a->weight, NULL, a->begin[a->vertices],
                                  a->neighbour, a->load) == 0;
    return fine && SCOTCH_contextBindGraph(&s->context, &s->graph, &s->bound) == 0;
}

void scotch_unbind(scotch_session *s)
{
    SCOTCH_graphExit(&s->bound);
    SCOTCH_graphExit(&s->graph);
}

#else

/* A file has something in it. */
typedef int scotch_is_not_here;

#endif

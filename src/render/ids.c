/*
 * Identifiers in the order of creation.
 *
 * cgraph makes the identifier of a name from the address where it keeps it, and walks over the subgraphs of a graph in
 * the order of identifiers: the same picture would have its boxes in another order each time. This discipline counts.
 */
#include "base/hash.h"
#include "base/memory.h"
#include "render/render.h"
#include <stdlib.h>

/** Names get 1, 2, ...; what has none (edges, and what Graphviz adds) counts on from here. */
#define UNNAMED ((IDTYPE)1 << 32)

typedef struct ids {
    Agraph_t *graph;
    name_map numbers; /**< of names: the place in `names`, from 0 */
    char **names;     /**< kept by the graph */
    size_t count, capacity;
    IDTYPE unnamed;
} ids;

static void *open_ids(Agraph_t *graph, Agdisc_t *discipline)
{
    (void)discipline;
    ids *of = memory_zeroed(1, sizeof *of);
    if (of != NULL) {
        of->graph = graph;
    }
    return of;
}

/** The new name's number, or -1 when out of memory. */
static int32_t add_name(ids *of, char *name)
{
    bool room =
        of->count < INT32_MAX && memory_grow((void **)&of->names, &of->capacity, of->count + 1, sizeof *of->names);
    char *kept = room ? agstrdup(of->graph, name) : NULL;
    if (kept == NULL || !name_map_put(&of->numbers, kept, (int32_t)of->count)) {
        return -1;
    }
    of->names[of->count] = kept;
    return (int32_t)of->count++;
}

static long find_id(void *state, int kind, char *name, IDTYPE *id, int create)
{
    (void)kind;
    ids *of = state;
    if (of == NULL) { /* open_ids() found no memory, which cgraph does not ask */
        return 0;
    }
    if (name == NULL) {
        *id = UNNAMED + of->unnamed++;
        return 1;
    }
    int32_t number = name_map_get(&of->numbers, name);
    if (number < 0 && create) {
        number = add_name(of, name);
    }
    if (number < 0) {
        return 0;
    }
    *id = (IDTYPE)number + 1;
    return 1;
}

static long take_id(void *state, int kind, IDTYPE id)
{
    (void)state, (void)kind, (void)id;
    return 0;
}

static void free_id(void *state, int kind, IDTYPE id)
{
    (void)state, (void)kind, (void)id;
}

static char *name_of_id(void *state, int kind, IDTYPE id)
{
    (void)kind;
    const ids *of = state;
    return of != NULL && id > 0 && id <= of->count ? of->names[id - 1] : NULL;
}

static void close_ids(void *state)
{
    ids *of = state;
    if (of == NULL) {
        return;
    }
    name_map_clear(&of->numbers);
    free(of->names);
    free(of);
}

static void register_id(void *state, int kind, void *object)
{
    (void)state, (void)kind, (void)object;
}

const Agiddisc_t ids_by_creation = {open_ids, find_id, take_id, free_id, name_of_id, close_ids, register_id};

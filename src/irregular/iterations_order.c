/* The order in which a rank goes through its iterations: those first that need nothing of others. */
#include "irregular/iterations.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

/* An iteration, and where it belongs. */
typedef struct placed {
    bool outer;     /* touches an element of another rank */
    int32_t lowest; /* offset of its own elements; INT32_MAX: it has none */
    int64_t number;
    int32_t at; /* in the former order */
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->outer != y->outer) {
        return x->outer ? 1 : -1;
    }
    if (x->lowest != y->lowest) {
        return x->lowest < y->lowest ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static void place(const inlay_iterations *of, int rank, const int32_t *owner, const int32_t *offset, placed *list)
{
    for (int32_t i = 0; i < of->count; i++) {
        placed p = {.lowest = INT32_MAX, .number = of->iteration[i], .at = i};
        for (int64_t k = of->start[i]; k < of->start[i + 1]; k++) {
            bool own = owner[k] == rank;
            p.outer = p.outer || !own;
            p.lowest = own && offset[k] < p.lowest ? offset[k] : p.lowest;
        }
        list[i] = p;
    }
}

/* The arrays of `of`, in the order of the list. */
static void rearrange(const placed *list, inlay_iterations *of, inlay_iterations *to)
{
    int64_t end = 0;
    for (int32_t i = 0; i < of->count; i++) {
        int32_t from = list[i].at;
        to->iteration[i] = of->iteration[from];
        to->start[i] = end;
        for (int64_t k = of->start[from]; k < of->start[from + 1]; k++) {
            to->element[end++] = of->element[k];
        }
    }
    to->start[of->count] = end;
    int64_t *const before[] = {of->iteration, of->start, of->element};
    of->iteration = to->iteration;
    of->start = to->start;
    of->element = to->element;
    to->iteration = before[0];
    to->start = before[1];
    to->element = before[2];
}

int inlay_iterations_order(const inlay_table *table, inlay_iterations *iterations, int32_t *inner, inlay_diag *diag)
{
    DIAG_CALL(diag);
    MPI_Comm comm = inlay_table_comm(table);
    size_t count = (size_t)iterations->count, elements = (size_t)iterations->start[count];
    int32_t *owner = memory_array(elements, sizeof *owner), *offset = memory_array(elements, sizeof *offset);
    placed *list = memory_array(count, sizeof *list);
    inlay_iterations to = {.iteration = memory_array(count, sizeof *to.iteration),
                           .start = memory_array(count + 1, sizeof *to.start),
                           .element = memory_array(elements, sizeof *to.element)};
    bool room = owner != NULL && offset != NULL && list != NULL && to.iteration != NULL && to.start != NULL &&
                to.element != NULL;
    int status = collective_agree(comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        status = inlay_table_dereference(table, iterations->element, (int64_t)elements, owner, offset, diag);
    }
    if (status == INLAY_OK) {
        int32_t first = 0;
        place(iterations, collective_rank(comm), owner, offset, list);
        qsort(list, count, sizeof *list, by_place);
        while (first < iterations->count && !list[first].outer) {
            first++;
        }
        rearrange(list, iterations, &to);
        *inner = first;
    }
    free(owner);
    free(offset);
    free(list);
    free(to.iteration);
    free(to.start);
    free(to.element);
    return status;
}

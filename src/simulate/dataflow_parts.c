/* Which modules of a program wait for each other: its strongly connected parts. */
#include "base/memory.h"
#include "base/strong_parts.h"
#include "simulate/dataflow_profile.h"

/* Where modules put something, row by row. */
static void fill_rows(const engine *e, size_t *begin, inlay_id *to)
{
    const inlay_program *p = e->program;
    for (size_t c = 0; c < p->channels; c++) {
        begin[p->channel[c].from] += dataflow_values(e, c) > 0;
    }
    size_t sum = 0;
    for (size_t i = 0; i <= p->modules; i++) {
        sum += begin[i];
        begin[i] = sum;
    }
    for (size_t c = p->channels; c-- > 0;) {
        if (dataflow_values(e, c) > 0) {
            to[--begin[p->channel[c].from]] = p->channel[c].to;
        }
    }
}

int dataflow_parts(const engine *e, inlay_id *part)
{
    const inlay_program *p = e->program;
    memory_pool arrays = {0};
    size_t *begin = pool_zeroed(&arrays, p->modules + 1, sizeof *begin);
    inlay_id *to = pool_array(&arrays, p->channels, sizeof *to);
    int status = INLAY_NO_MEMORY;
    if (!arrays.failed) {
        const strong_rows rows = {(inlay_id)p->modules, begin, to, sizeof *to};
        fill_rows(e, begin, to);
        status = strong_parts_find(&rows, part) < 0 ? INLAY_NO_MEMORY : INLAY_OK;
    }
    pool_clear(&arrays);
    return status;
}

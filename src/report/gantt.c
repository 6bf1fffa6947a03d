/* A recorded run as blocks: a module each, or those of one processor that lie close together. */
#include "base/diag.h"
#include "base/memory.h"
#include "report/report.h"
#include <inttypes.h>
#include <stdlib.h>

/* Why a module did not start earlier. */
enum { AT_ONCE, PROCESSOR_BUSY, MESSAGE_AWAITED, UNKNOWN };

typedef struct block {
    inlay_id row, module; /* the first of them */
    int64_t count;
    double from, to, busy;
    int why;
    int64_t other; /* the module before, or a message */
} block;

typedef struct drawn {
    const inlay_mapping *mapping;
    const inlay_simulation *run;
    int64_t *last; /* message that came last to each module; -1 */
    double width;  /* what ends within so much of a block's begin joins it */
} drawn;

static void find_last(drawn *of)
{
    size_t count;
    const inlay_simulated_message *message = inlay_simulation_messages(of->run, &count);
    inlay_id modules = inlay_app_modules(inlay_mapping_app(of->mapping));
    for (inlay_id i = 0; i < modules; i++) {
        of->last[i] = -1;
    }
    for (size_t m = 0; m < count; m++) {
        if (message[m].awaited && message[m].to >= 0) {
            int64_t *last = &of->last[message[m].to];
            *last = *last < 0 || message[m].arrival > message[*last].arrival ? (int64_t)m : *last;
        }
    }
}

/* `before`: that the processor ran, or -1. */
static block block_of(const drawn *of, inlay_id row, inlay_id module, inlay_id before)
{
    size_t count;
    const inlay_simulated_message *message = inlay_simulation_messages(of->run, &count);
    double from = inlay_simulation_start(of->run, module), to = inlay_simulation_end(of->run, module);
    double free = before < 0 ? 0 : inlay_simulation_end(of->run, before);
    int64_t last = of->last[module];
    block b = {row, module, 1, from, to, to - from, UNKNOWN, -1};
    if (from <= free) {
        b.why = before < 0 ? AT_ONCE : PROCESSOR_BUSY;
        b.other = before;
    } else if (last >= 0 && message[last].arrival > free) {
        b.why = MESSAGE_AWAITED;
        b.other = last;
    }
    return b;
}

static void put_block(inlay_json *out, const drawn *of, const block *b)
{
    size_t count;
    const inlay_simulated_message *message = inlay_simulation_messages(of->run, &count);
    inlay_json_put(out, "%d %g %g %g %" PRId64 " %d %d", (int)b->row, b->from, b->to, b->busy, b->count, (int)b->module,
                   b->count > 1 ? UNKNOWN : b->why);
    if (b->count == 1 && b->why == MESSAGE_AWAITED) {
        const inlay_simulated_message *m = &message[b->other];
        inlay_json_put(out, "[ %d %g %g %g %g ]", (int)m->from, m->due, m->begin, m->sent, m->arrival);
    } else {
        inlay_json_put(out, "%" PRId64, b->count == 1 ? b->other : -1);
    }
}

static void put_row(inlay_json *out, const drawn *of, inlay_id row)
{
    inlay_cluster_info cluster = inlay_mapping_cluster(of->mapping, row);
    block at = {0};
    for (inlay_id i = 0; i < cluster.modules; i++) {
        block next = block_of(of, row, cluster.module[i], i > 0 ? cluster.module[i - 1] : -1);
        if (at.count > 0 && next.to - at.from <= of->width) {
            at.to = next.to;
            at.busy += next.busy;
            at.count++;
            continue;
        }
        if (at.count > 0) {
            put_block(out, of, &at);
        }
        at = next;
    }
    if (at.count > 0) {
        put_block(out, of, &at);
    }
}

int report_put_gantt(inlay_json *out, const inlay_mapping *mapping, const inlay_simulation *run, int64_t most,
                     inlay_diag *diag)
{
    if (run == NULL) {
        inlay_json_null(out, "gantt");
        return INLAY_OK;
    }
    inlay_id modules = inlay_app_modules(inlay_mapping_app(mapping));
    inlay_id clusters = inlay_mapping_summary(mapping)->clusters;
    inlay_id rows = clusters < REPORT_ROWS ? clusters : REPORT_ROWS;
    drawn of = {.mapping = mapping, .run = run, .last = memory_array((size_t)modules, sizeof *of.last)};
    if (of.last == NULL) {
        return diag_no_memory(diag);
    }
    double end = inlay_simulation_recorded_makespan(run);
    of.width = modules > most ? 2 * end * rows / (double)most : -1; /* two neighbours together are wider */
    find_last(&of);
    inlay_json_put(out, "gantt { end %g processors [", end);
    for (inlay_id row = 0; row < rows; row++) {
        inlay_json_integer(out, NULL, inlay_mapping_cluster(mapping, row).processor);
    }
    inlay_json_array_end(out);
    inlay_json_flat_array(out, "blocks");
    for (inlay_id row = 0; row < rows; row++) {
        put_row(out, &of, row);
    }
    inlay_json_put(out, "] }");
    free(of.last);
    return INLAY_OK;
}

/* The elapsed time of a row: its clusters become a mapping, as in inlay_map(). */
#include "search/row_time.h"
#include "layout/memories.h"
#include "search/elapsed.h"

static int make_mapping(const problem *p, placement *place, inlay_mapping **mapping)
{
    /* where processors differ in distance the sweep has laid them out already */
    int status = inlay_machine_has_distance(p->machine) ? INLAY_OK : placement_lay_out(p, place, NULL);
    status = status == INLAY_OK ? memories_fill(p, place, NULL, NULL) : status;
    return status == INLAY_OK ? mapping_without_cost(p, place, mapping, NULL) : status;
}

int row_time(const problem *p, placement *place, inlay_sweep_row *row)
{
    inlay_mapping *mapping = NULL;
    int status = make_mapping(p, place, &mapping);
    if (status == INLAY_OK) {
        int64_t most = p->options.max_events;
        mapping->summary.options.max_events = most != 0 ? most : INLAY_SWEEP_MAX_EVENTS;
        status = mapping_time(mapping, NULL);
    }
    if (status == INLAY_OK) {
        row->elapsed = mapping->summary.elapsed;
        row->elapsed_is = mapping->summary.elapsed_is;
    }
    inlay_mapping_free(mapping);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

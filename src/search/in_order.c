/* A mapping's clusters with processors in order: what its layout is compared with. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "mapping/mapping.h"
#include "search/elapsed.h"
#include <stdlib.h>

/* The mapping's clusters and blocks, placed in order. */
static int place_in_order(const problem *p, const inlay_mapping *mapping, placement *place, inlay_diag *diag)
{
    int status = placement_make(p, "in order", mapping->cluster_of, mapping->summary.clusters, place, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        place->home[d] = mapping->home[d];
        place->memory[d] = mapping->memory[d];
    }
    place->reduced_from = mapping->summary.reduced_from;
    status = order_lists_copy(&mapping->lists, &place->lists) == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        status = placement_in_order(p, place, diag);
    }
    if (status != INLAY_OK) {
        placement_clear(place);
    }
    return status;
}

static int same_frame(const problem *p, const inlay_mapping *mapping, frame *result, inlay_diag *diag)
{
    inlay_decimal exact;
    if (inlay_decimal_parse(mapping->summary.time_frame_text, &exact) != INLAY_OK) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the mapping has no time frame");
    }
    *result = frame_of(p, exact, mapping->summary.time_frame_given);
    return INLAY_OK;
}

int inlay_mapping_in_order(const inlay_mapping *mapping, inlay_mapping **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    problem p;
    placement place;
    frame at;
    if (mapping == NULL || result == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a layout needs a mapping and a place for the result");
    }
    if (mapping->guest_begin != NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "clusters with modules of several cores have no layout in order");
    }
    /* what making the problem warns of was told with the mapping */
    int status = problem_make(mapping->app, mapping->machine, &mapping->summary.options, &p, NULL);
    if (status != INLAY_OK) {
        return diag_fail(diag, status, "%s", inlay_status_text(status));
    }
    status = place_in_order(&p, mapping, &place, diag);
    if (status == INLAY_OK) {
        status = same_frame(&p, mapping, &at, diag);
        if (status == INLAY_OK) {
            status = mapping_cost(&p, &place, &at, result, NULL);
        }
        if (status == INLAY_OK && (status = mapping_time(*result, NULL)) != INLAY_OK) {
            inlay_mapping_free(*result);
            *result = NULL;
        }
        if (status == INLAY_NO_ANSWER) {
            diag_fail(diag, status, "with processors in order the network is saturated within the time frame");
        }
        placement_clear(&place);
    }
    problem_clear(&p);
    return status;
}

/* One clustering reduced to one number of processors after the other, falling. */
#include "base/memory.h"
#include "cluster/narrow.h"
#include "cluster/reduce.h"
#include "search/pareto.h"
#include <stdlib.h>

void chain_clear(chain *c)
{
    partition_clear(&c->thin);
    if (c->has_rest) {
        partition_clear(&c->rest);
    }
    free(c->label);
    *c = (chain){0};
}

int chain_make(const problem *p, const reduction_rule *rule, const inlay_id *cluster_of, inlay_id clusters,
               chain *result)
{
    chain c = {.p = p, .rule = rule};
    int status =
        cluster_of != NULL ? partition_from(p, cluster_of, clusters, &c.thin, NULL) : partition_make(p, &c.thin, NULL);
    if (status != INLAY_OK) {
        return status;
    }
    c.start = c.thin.count;
    c.most = narrow_most(&c.thin);
    c.label = memory_array((size_t)p->modules, sizeof *c.label);
    if (c.most < 0 || c.label == NULL) {
        chain_clear(&c);
        return INLAY_NO_MEMORY;
    }
    *result = c;
    return INLAY_OK;
}

/* The first part of H1 and H2. */
static int thin_out(chain *c, inlay_id processors)
{
    bool h2 = c->rule->heuristic == INLAY_REDUCE_H2;
    narrow_rule crowded = {
        .most = processors, .fullest_only = h2, .by_traffic = h2 && c->rule->by_traffic, .limit = INT64_MAX};
    int status = narrow_thin(&c->thin, &crowded, NULL, NULL);
    c->most = status == INLAY_OK ? narrow_most(&c->thin) : -1;
    if (c->has_rest) {
        partition_clear(&c->rest);
        c->has_rest = false;
    }
    return c->most < 0 ? INLAY_NO_MEMORY : INLAY_OK;
}

static int copy_thin(chain *c)
{
    partition_label(&c->thin, c->label);
    int status = partition_from(c->p, c->label, c->thin.count, &c->rest, NULL);
    c->has_rest = status == INLAY_OK;
    return status;
}

/* Where processors differ a reduction to fewer of them does not go on from one to more. */
static int reduce_anew(chain *c, inlay_id processors)
{
    if (c->has_rest) {
        partition_clear(&c->rest);
        c->has_rest = false;
    }
    int status = copy_thin(c);
    return status == INLAY_OK && c->rest.count > processors
               ? reduce_parallelism(&c->rest, processors, c->rule->heuristic, c->rule->by_traffic, INT64_MAX, NULL,
                                    NULL)
               : status;
}

int chain_to(chain *c, inlay_id processors)
{
    if (c->p->kinds.count > 1) {
        return reduce_anew(c, processors);
    }
    int status = c->most > processors ? thin_out(c, processors) : INLAY_OK;
    if (status == INLAY_OK && !c->has_rest) {
        status = copy_thin(c);
    }
    if (status == INLAY_OK && c->rest.count > processors) {
        status =
            reduce_parallelism(&c->rest, processors, c->rule->heuristic, c->rule->by_traffic, INT64_MAX, NULL, NULL);
    }
    return status;
}

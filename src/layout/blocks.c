/* Data blocks: the cluster where each lives. */
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/method.h"
#include "graph/app.h"
#include "layout/placement.h"
#include <stdlib.h>

/* What every cluster holds, kept up while blocks move. */
typedef struct loads {
    inlay_time *work;
    int64_t *memory; /* by the cluster, or where its processor is known by that one's host */
    bool placed;
} loads;

static int64_t *memory_at(const problem *p, const placement *place, const loads *l, inlay_id of)
{
    return &l->memory[l->placed ? inlay_machine_host(p->machine, place->processor[of]) : of];
}

static bool has_room(const problem *p, const placement *place, const loads *l, inlay_id of, int64_t size)
{
    int64_t limit = l->placed ? kinds_of(&p->kinds, place->processor[of])->memory : p->memory_limit;
    return limit < 0 || *memory_at(p, place, l, of) <= limit - size;
}

static int sum_loads(const problem *p, const placement *place, loads *l)
{
    l->placed = method_of(&p->options)->is.places;
    inlay_id memories = l->placed ? inlay_machine_hosts(p->machine) : place->clusters;
    l->work = memory_zeroed((size_t)place->clusters, sizeof *l->work);
    l->memory = memory_zeroed((size_t)memories, sizeof *l->memory);
    if (l->work == NULL || l->memory == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < p->modules; i++) {
        l->work[place->cluster_of[i]] += p->work[i];
        *memory_at(p, place, l, place->cluster_of[i]) += p->memory == NULL ? 0 : p->memory[i];
    }
    return INLAY_OK;
}

/*
 * The cluster whose modules use the block most, in the unit of capacity: elsewhere the block would make more traffic.
 * Ties to the present home, then to the smaller number.
 */
static inlay_id busiest_user(const problem *p, const placement *place, inlay_id block, int64_t *sums)
{
    const inlay_app *app = p->app;
    int64_t from = app->use_begin[block], to = app->use_begin[block + 1];
    for (int64_t u = from; u < to; u++) {
        sums[place->cluster_of[app->use_module[u]]] +=
            interconnect_traffic(&p->network, app->use_messages[u], app->use_bytes[u]);
    }
    inlay_id best = place->home[block];
    for (int64_t u = from; u < to; u++) {
        inlay_id c = place->cluster_of[app->use_module[u]];
        bool smaller = c < best && best != place->home[block];
        if (sums[c] > sums[best] || (smaller && sums[c] == sums[best])) {
            best = c;
        }
    }
    for (int64_t u = from; u < to; u++) {
        sums[place->cluster_of[app->use_module[u]]] = 0;
    }
    return best;
}

static void move_block(const problem *p, placement *place, inlay_id block, inlay_id to, inlay_time limit,
                       inlay_time *next, loads *l)
{
    inlay_id from = place->home[block];
    inlay_time time = p->app->block_time[block];
    bool in_processor = inlay_machine_memory_kind(p->machine) == INLAY_MEMORY_DISTRIBUTED;
    int64_t size = in_processor ? p->app->block_size[block] : 0;
    if (to == from || !has_room(p, place, l, to, size)) {
        return;
    }
    if (l->work[to] > limit - time) {
        *next = l->work[to] + time < *next ? l->work[to] + time : *next;
        return;
    }
    l->work[from] -= time;
    l->work[to] += time;
    *memory_at(p, place, l, from) -= size;
    *memory_at(p, place, l, to) += size;
    place->home[block] = to;
}

int placement_move_blocks(const problem *p, placement *place, inlay_time limit, inlay_time *next, inlay_diag *diag)
{
    inlay_time rejected = INT64_MAX;
    if (p->app->blocks == 0) {
        return INLAY_OK;
    }
    loads l = {0};
    int64_t *sums = memory_zeroed((size_t)place->clusters, sizeof *sums);
    int status = sum_loads(p, place, &l);
    if (sums == NULL || status != INLAY_OK) {
        status = diag_no_memory(diag);
        goto done;
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        move_block(p, place, d, busiest_user(p, place, d, sums), limit, &rejected, &l);
    }
    if (next != NULL && rejected < *next) {
        *next = rejected;
    }
done:
    free(sums);
    free(l.work);
    free(l.memory);
    return status;
}

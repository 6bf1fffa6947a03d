/* The slow reference for layouts on machines with distance. */
#include "slow_far.h"
#include "random_app.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- Cases ---- */

static int between(inlay_id a, inlay_id b, inlay_id around)
{
    int d = abs(a - b);
    return around > 0 && around - d < d ? around - d : d;
}

static int on_machine(const char *machine, inlay_id processors, inlay_id a, inlay_id b)
{
    inlay_id width = processors % 4 == 0 ? 4 : processors % 3 == 0 ? 3 : 2;
    inlay_id height = processors / width;
    if (a == b) return 0;
    if (strcmp(machine, "mesh") == 0) return between(a % width, b % width, 0) + between(a / width, b / width, 0);
    if (strcmp(machine, "torus") == 0)
        return between(a % width, b % width, width) + between(a / width, b / width, height);
    if (strcmp(machine, "ring") == 0) return between(a, b, processors);
    if (strcmp(machine, "star") == 0) return a == 0 || b == 0 ? 1 : 2;
    if (strcmp(machine, "cores") == 0) return a / 4 == b / 4 ? 0 : 2;
    if (strcmp(machine, "tree") == 0) return a / 2 == b / 2 ? 2 : a / 8 == b / 8 ? 4 : 6;
    int ones = 0;
    for (inlay_id bits = a ^ b; bits != 0; bits /= 2)
        ones += bits % 2;
    return ones;
}

void far_case_distances(far_case *c, const char *machine, inlay_id processors, uint64_t *state)
{
    c->processors = processors;
    for (inlay_id a = 0; a < processors; a++)
        for (inlay_id b = 0; b <= a; b++) {
            int d = on_machine(machine, processors, a, b);
            if (strcmp(machine, "random") == 0) d = a == b ? 0 : a * 7 % 9 + b * 7 % 9 + (int)random_below(state, 4);
            c->distance[a][b] = c->distance[b][a] = d;
        }
}

void far_case_traffic(far_case *c, inlay_id clusters, int sparseness, int most, uint64_t *state)
{
    c->clusters = clusters;
    memset(c->barred, 0, sizeof c->barred);
    for (inlay_id a = 0; a < clusters; a++) {
        c->pin[a] = -1;
        c->traffic[a][a] = 0;
        for (inlay_id b = 0; b < a; b++)
            c->traffic[a][b] = c->traffic[b][a] = random_once_in(state, sparseness) ? 1 + random_below(state, most) : 0;
    }
}

/* A layout drawn at random is left: it gives the pins, and nothing of it is barred. */
void far_case_restrict(far_case *c, uint64_t *state)
{
    inlay_id drawn[FAR_MOST];
    for (inlay_id q = 0; q < c->processors; q++)
        drawn[q] = q;
    for (inlay_id q = c->processors - 1; q > 0; q--) {
        inlay_id other = (inlay_id)random_below(state, q + 1), kept = drawn[q];
        drawn[q] = drawn[other];
        drawn[other] = kept;
    }
    for (inlay_id a = 0; a < c->clusters; a++) {
        c->pin[a] = random_once_in(state, 5) ? drawn[a] : -1;
        for (inlay_id q = 0; q < c->processors; q++)
            c->barred[a][q] = q != drawn[a] && random_once_in(state, 3);
    }
}

/* Asked too often for ck_assert, which tells the parent process every time. */
static int distance_of(const void *context, inlay_id a, inlay_id b)
{
    const far_case *c = context;
    if (a < 0 || a >= b || b >= c->processors) ck_abort_msg("distance of %d and %d", (int)a, (int)b);
    return c->distance[a][b];
}

static bool allowed_in(const void *context, inlay_id cluster, inlay_id processor)
{
    const far_case *c = context;
    if (cluster < 0 || cluster >= c->clusters || processor < 0 || processor >= c->processors)
        ck_abort_msg("cluster %d on %d", (int)cluster, (int)processor);
    return !c->barred[cluster][processor];
}

far_problem far_case_problem(far_case *c)
{
    int64_t entries = 0;
    for (inlay_id a = 0; a < c->clusters; a++) {
        c->begin[a] = entries;
        for (inlay_id b = 0; b < c->clusters; b++)
            if (c->traffic[a][b] > 0) {
                c->neighbour[entries] = b;
                c->weight[entries++] = c->traffic[a][b];
            }
    }
    c->begin[c->clusters] = entries;
    return (far_problem){.clusters = c->clusters,
                         .processors = c->processors,
                         .begin = c->begin,
                         .neighbour = c->neighbour,
                         .traffic = c->weight,
                         .pin = c->pin,
                         .distance = distance_of,
                         .allowed = allowed_in,
                         .context = c,
                         .seed = 1};
}

/* ---- The reference ---- */

int64_t slow_far_sum(const far_case *c, const inlay_id *processor)
{
    int64_t sum = 0;
    for (inlay_id a = 0; a < c->clusters; a++)
        for (inlay_id b = 0; b < a; b++)
            sum += c->traffic[a][b] * c->distance[processor[a]][processor[b]];
    return sum;
}

static bool may_stand(const far_case *c, inlay_id cluster, inlay_id processor)
{
    return c->pin[cluster] >= 0 ? c->pin[cluster] == processor : !c->barred[cluster][processor];
}

void slow_far_check(const far_case *c, const inlay_id *processor, const char *what)
{
    for (inlay_id a = 0; a < c->clusters; a++) {
        ck_assert_msg(processor[a] >= 0 && processor[a] < c->processors, "%s: cluster %d stands on %d", what, (int)a,
                      (int)processor[a]);
        ck_assert_msg(may_stand(c, a, processor[a]), "%s: cluster %d may not stand on %d", what, (int)a,
                      (int)processor[a]);
        for (inlay_id b = 0; b < a; b++)
            ck_assert_msg(processor[a] != processor[b], "%s: two clusters on processor %d", what, (int)processor[a]);
    }
}

/* Cluster after cluster on every processor that is left. Sums only grow, so a sum that is too large is given up. */
static void place_rest(const far_case *c, inlay_id cluster, inlay_id *processor, bool *taken, int64_t sum,
                       int64_t *least)
{
    if (sum >= *least) return;
    if (cluster == c->clusters) {
        *least = sum;
        return;
    }
    for (inlay_id q = 0; q < c->processors; q++) {
        if (taken[q] || !may_stand(c, cluster, q)) continue;
        int64_t more = 0;
        for (inlay_id b = 0; b < cluster; b++)
            more += c->traffic[cluster][b] * c->distance[q][processor[b]];
        taken[q] = true;
        processor[cluster] = q;
        place_rest(c, cluster + 1, processor, taken, sum + more, least);
        taken[q] = false;
    }
}

int64_t slow_far_optimum(const far_case *c)
{
    inlay_id processor[FAR_MOST];
    bool taken[FAR_MOST] = {false};
    int64_t least = INT64_MAX;
    place_rest(c, 0, processor, taken, 0, &least);
    return least;
}

int64_t slow_far_after_exchange(const far_case *c, const inlay_id *processor)
{
    inlay_id changed[FAR_MOST];
    int64_t least = slow_far_sum(c, processor);
    memcpy(changed, processor, (size_t)c->clusters * sizeof *changed);
    for (inlay_id a = 0; a < c->clusters; a++)
        for (inlay_id q = 0; q < c->processors; q++) {
            inlay_id other = 0;
            while (other < c->clusters && processor[other] != q)
                other++;
            if (other == a || !may_stand(c, a, q)) continue;
            if (other < c->clusters) {
                if (!may_stand(c, other, processor[a])) continue;
                changed[other] = processor[a];
            }
            changed[a] = q;
            int64_t sum = slow_far_sum(c, changed);
            least = sum < least ? sum : least;
            changed[a] = processor[a];
            if (other < c->clusters) changed[other] = q;
        }
    return least;
}

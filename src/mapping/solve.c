/* One mapping at one time frame, and the search for a time frame that has one. */
#include "mapping/solve.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cluster/ascent.h"
#include "cluster/reduce.h"
#include "layout/cores.h"
#include "layout/kind_match.h"
#include "mapping/mapping.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The search for the least T runs the clustering at every breakpoint, as long as that costs less than this many steps; of
 * large graphs fewer, for their steps take longer.
 */
enum { STEPS = 4000000, LARGE = 100000, FEWEST_RUNS = 2 };

void attempt_clear(attempt *a)
{
    free(a->cluster_of);
    free(a->processor);
    free(a->order);
    free(a->unreduced_of);
    *a = (attempt){0};
}

/* What the clusters take: more than there are processors where their widths find no room on the hosts. */
static int count_seats(const problem *p, const partition *part, attempt *a, inlay_diag *diag)
{
    a->seats = part->count;
    if (p->cores == NULL) {
        return INLAY_OK;
    }
    inlay_id *width = memory_array((size_t)part->count, sizeof *width);
    bool fit = false;
    int status = width == NULL ? diag_no_memory(diag) : INLAY_OK;
    if (status == INLAY_OK) {
        partition_label(part, a->cluster_of);
        int64_t sum = cores_widths(p, a->cluster_of, part->count, width);
        a->seats = sum > INT32_MAX ? INT32_MAX : (inlay_id)sum;
    }
    if (status == INLAY_OK && a->seats <= p->processors) {
        status = cores_fit(p, a->cluster_of, part->count, &fit, diag);
        a->seats = fit ? a->seats : p->processors + 1;
    }
    free(width);
    return status;
}

/* To how many clusters reduction may go at once: each merger frees at most as many seats as the widest module has cores. */
static inlay_id fewer_clusters(const problem *p, const partition *part, const attempt *a)
{
    inlay_id widest = 1, surplus = a->seats - p->processors;
    for (inlay_id i = 0; p->cores != NULL && i < p->modules; i++) {
        widest = p->cores[i] > widest ? p->cores[i] : widest;
    }
    return part->count - (surplus + widest - 1) / widest;
}

static int reduce(const problem *p, partition *part, inlay_time limit, attempt *a, inlay_time *next, inlay_diag *diag)
{
    bool stuck;
    int status = count_seats(p, part, a, diag);
    if (status != INLAY_OK || a->seats <= p->processors || p->options.reduce == INLAY_REDUCE_NONE) {
        return status;
    }
    a->reduced_from = part->count;
    if (p->options.reduce_when == INLAY_REDUCE_AFTER) {
        a->unreduced_of = memory_array((size_t)p->modules, sizeof *a->unreduced_of);
        if (a->unreduced_of == NULL) {
            return diag_no_memory(diag);
        }
        partition_label(part, a->unreduced_of);
    }
    if (part->forgetful && partition_remember(part) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    do {
        inlay_id before = part->count, most = fewer_clusters(p, part, a);
        status = reduce_parallelism(part, most, p->options.reduce, p->options.reduce_by_traffic, limit, next, diag);
        status = status == INLAY_OK && part->count < before ? count_seats(p, part, a, diag) : status;
        stuck = part->count > most;
    } while (status == INLAY_OK && !stuck && a->seats > p->processors);
    return status;
}

/* Time of the longest cluster on the kind of processor that it gets. */
static int measure_longest(const problem *p, const placement *place, double *longest, inlay_diag *diag)
{
    kind_match match;
    if (p->kinds.count < 2) {
        return INLAY_OK;
    }
    int status = kind_match_make(p, place, false, &match, diag);
    if (status == INLAY_OK) {
        *longest = match.longest;
        kind_match_clear(&match);
    }
    return status;
}

/* Whether no cluster's work may pass T. */
static bool binds(const problem *p, const frame *time_frame, bool reduced)
{
    return method_of(&p->options)->is.time_frame && (time_frame->given || !reduced);
}

bool attempt_fits(const problem *p, const attempt *a, const frame *time_frame)
{
    return a->seats <= p->processors && !(binds(p, time_frame, true) && a->longest > time_frame->value * (1 + 1e-12));
}

int attempt_place(const problem *p, const frame *time_frame, attempt *a, placement *place, inlay_diag *diag)
{
    const cluster_method *method = method_of(&p->options);
    int status = placement_make(p, method->is.name, a->cluster_of, a->clusters, place, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_time limit = binds(p, time_frame, a->reduced_from >= 0) ? time_frame->limit : INT64_MAX;
    place->reduced_from = a->reduced_from;
    if (a->processor != NULL) {
        memcpy(place->processor, a->processor, (size_t)a->clusters * sizeof *a->processor);
        status = p->cores == NULL ? INLAY_OK : cores_widen(p, place, diag);
        status = status == INLAY_OK ? placement_set_order(p, place, a->order, diag) : status;
    }
    if (status == INLAY_OK) {
        status = placement_move_blocks(p, place, limit, &a->next, diag);
    }
    if (status == INLAY_OK && a->processor == NULL && a->seats <= p->processors) {
        status = placement_lay_out(p, place, diag);
    }
    if (status != INLAY_OK) {
        placement_clear(place);
    }
    return status;
}

/* What the network is asked for where mapping would leave the clusters and their blocks. */
int attempt_measure(const problem *p, const frame *time_frame, attempt *a, inlay_diag *diag)
{
    placement place;
    int status = attempt_place(p, time_frame, a, &place, diag);
    if (status != INLAY_OK) {
        return status;
    }
    bool placed = a->seats <= (p->cores == NULL ? inlay_machine_processors(p->machine)
                                                : p->processors); /* else it answers nothing, whatever the load */
    if (placed || !inlay_machine_has_links(p->machine)) {
        status = placement_demand(p, &place, &a->demand, diag);
    }
    if (status == INLAY_OK && placed && a->processor == NULL) {
        status = measure_longest(p, &place, &a->longest, diag);
    }
    placement_clear(&place);
    return status;
}

/* ---- The two ways to run a method ---- */

/* Of rising time frames, with what their runs have in common in `shared`, unless that is NULL. */
static int merge_modules(const problem *p, const frame *time_frame, bool want_next, ascent *shared, attempt *a,
                         inlay_diag *diag)
{
    const cluster_method *method = method_of(&p->options);
    bool after = p->options.reduce_when == INLAY_REDUCE_AFTER;
    partition part;
    a->cluster_of = memory_array((size_t)p->modules, sizeof *a->cluster_of);
    if (a->cluster_of == NULL) {
        return diag_no_memory(diag);
    }
    int status = shared != NULL && after && method->begin != NULL
                     ? method->begin(shared, p, time_frame->limit, &part, diag)
                     : partition_make(p, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_time *next = want_next ? &a->next : NULL;
    inlay_time limit = binds(p, time_frame, true) ? time_frame->limit : INT64_MAX;
    if (!after) {
        status = reduce(p, &part, limit, a, next, diag);
    }
    if (status == INLAY_OK) {
        status = method->merge != NULL ? method->merge(&part, diag)
                                       : method->merge_under(&part, time_frame->limit, want_next, next, diag);
    }
    if (status == INLAY_OK && after) {
        status = reduce(p, &part, limit, a, next, diag);
    }
    a->clusters = part.count;
    if (status == INLAY_OK) {
        status = count_seats(p, &part, a, diag);
    }
    if (status == INLAY_OK) {
        partition_label(&part, a->cluster_of);
    }
    partition_clear(&part);
    return status;
}

int attempt_of_places(const problem *p, const inlay_id *processor_of, const inlay_id *order, attempt *result,
                      inlay_diag *diag)
{
    size_t n = (size_t)p->modules;
    attempt a = {.reduced_from = -1, .next = INT64_MAX};
    size_t processors = (size_t)inlay_machine_processors(p->machine);
    inlay_id *number = memory_zeroed(processors, sizeof *number); /* 1 + the cluster */
    a.cluster_of = memory_array(n, sizeof *a.cluster_of);
    a.processor = memory_array(processors, sizeof *a.processor);
    a.order = memory_array(n, sizeof *a.order);
    if (number == NULL || a.cluster_of == NULL || a.processor == NULL || a.order == NULL) {
        attempt_clear(&a);
        free(number);
        return diag_no_memory(diag);
    }
    memcpy(a.order, order, n * sizeof *order);
    for (inlay_id i = 0; i < p->modules; i++) {
        inlay_id at = processor_of[i];
        if (number[at] == 0) {
            a.processor[a.clusters++] = at;
            number[at] = a.clusters;
        }
        a.cluster_of[i] = number[at] - 1;
    }
    a.seats = a.clusters;
    free(number);
    *result = a;
    return INLAY_OK;
}

static int place_modules(const problem *p, attempt *result, inlay_diag *diag)
{
    const cluster_method *method = method_of(&p->options);
    inlay_winner winner = {0};
    inlay_id *processor_of = memory_array((size_t)p->modules, sizeof *processor_of);
    inlay_id *order = memory_array((size_t)p->modules, sizeof *order);
    int status = processor_of == NULL || order == NULL ? diag_no_memory(diag)
                 : method->choose != NULL              ? method->choose(p, processor_of, order, &winner, diag)
                                                       : method->place(p, processor_of, order, diag);
    if (status == INLAY_OK) {
        status = attempt_of_places(p, processor_of, order, result, diag);
        result->winner = winner;
    }
    free(processor_of);
    free(order);
    return status;
}

static int attempt_from(const problem *p, const frame *time_frame, bool want_next, ascent *shared, attempt *result,
                        inlay_diag *diag)
{
    attempt a = {.reduced_from = -1, .next = INT64_MAX};
    int status = method_of(&p->options)->is.places ? place_modules(p, &a, diag)
                                                   : merge_modules(p, time_frame, want_next, shared, &a, diag);
    if (status == INLAY_OK) {
        status = attempt_measure(p, time_frame, &a, diag);
    }
    if (status != INLAY_OK) {
        attempt_clear(&a);
        return status;
    }
    *result = a;
    return INLAY_OK;
}

int attempt_at(const problem *p, const frame *time_frame, bool want_next, attempt *result, inlay_diag *diag)
{
    return attempt_from(p, time_frame, want_next, NULL, result, diag);
}

int largest_start(const problem *p, inlay_time *work, inlay_id *module, inlay_diag *diag)
{
    partition part;
    int status = partition_make(p, &part, diag);
    if (status != INLAY_OK) {
        return status;
    }
    *work = -1;
    for (inlay_id i = 0; i < p->modules; i++) {
        const cluster *c = &part.clusters[partition_root(&part, i)];
        if (c->work > *work) {
            *work = c->work;
            *module = i;
        }
    }
    partition_clear(&part);
    return INLAY_OK;
}

/* What to try after an attempt that does not answer the question. */
typedef struct next_frames {
    frame least;      /* surely nothing in between does */
    frame sufficient; /* very likely does: at it the same traffic would not saturate the network, and more merges */
} next_frames;

static frame quarter_further(const problem *p, const frame *at)
{
    return frame_of_grains(p, at->limit > INT64_MAX / 8 * 5 ? INT64_MAX : at->limit + at->limit / 4 + 1);
}

/* Where another clustering comes, or the same one fits its processors. */
static inlay_time next_grains(const problem *p, const attempt *a)
{
    double grains = ceil(a->longest * p->kinds.speed * pow(10, inlay_app_decimals(p->app)) * (1 - 1e-12));
    bool fits_then = a->seats <= p->processors && grains < (double)a->next;
    return fits_then ? (inlay_time)grains : a->next;
}

static int judge(const problem *p, const attempt *a, const frame *at, bool *answers, next_frames *next,
                 inlay_diag *diag)
{
    bool enough = attempt_fits(p, a, at);
    bool saturated = !(interconnect_utilisation(&p->network, a->demand, at->value) < p->network.u_limit);
    *answers = enough && !saturated;
    if (*answers) {
        return INLAY_OK;
    }
    if (!enough) {
        inlay_time grains = next_grains(p, a);
        next->least = frame_of_grains(p, grains);
        next->sufficient = quarter_further(p, at);
        return grains == INT64_MAX ? INLAY_NO_ANSWER : INLAY_OK;
    }
    int status = frame_above_saturation(p, a->demand, &next->sufficient, diag);
    bool same_clusters = next->sufficient.limit < a->next;
    next->least = same_clusters ? next->sufficient : frame_of_grains(p, a->next);
    return status;
}

/*
 * Where T is given no cluster passes it, so that those of a shorter T than the work of all divided by P are more than P.
 * Searches do not look there.
 */
static frame shortest_worth_a_look(const problem *p, const frame *from)
{
    inlay_time share = p->total_work / p->processors + (p->total_work % p->processors > 0);
    frame at = binds(p, from, true) && share > from->limit ? frame_of_grains(p, share) : *from;
    at.given = from->given;
    return at;
}

static int search(const problem *p, const frame *from, ascent *shared, frame *result, bool *least, inlay_diag *diag)
{
    int64_t steps = p->modules + p->begin[p->modules];
    int64_t runs = STEPS / (steps + 1) * LARGE / (steps > LARGE ? steps : LARGE) + FEWEST_RUNS;
    frame at = shortest_worth_a_look(p, from);
    *least = true;
    for (int64_t run = 0;; run++) {
        attempt a;
        int status = attempt_from(p, &at, true, shared, &a, diag);
        if (status != INLAY_OK) {
            return status;
        }
        bool answers;
        next_frames next = {at, at};
        status = judge(p, &a, &at, &answers, &next, diag);
        attempt_clear(&a);
        if (answers) {
            *result = at;
            return INLAY_OK;
        }
        if (status != INLAY_OK) {
            return status;
        }
        bool further = run >= runs && next.sufficient.limit > next.least.limit;
        *least = *least && !further;
        at = further ? next.sufficient : next.least;
        at.given = from->given;
    }
}

int least_frame(const problem *p, const frame *from, frame *result, bool *least, inlay_diag *diag)
{
    ascent shared = {0};
    int status = search(p, from, &shared, result, least, diag);
    ascent_clear(&shared);
    return status;
}

int attempt_frame(const problem *p, const attempt *a, const frame *from, frame *result, bool *least, inlay_diag *diag)
{
    if (!method_of(&p->options)->is.places) {
        return least_frame(p, from, result, least, diag);
    }
    *least = true;
    int status = frame_above_saturation(p, a->demand, result, diag);
    result->given = from->given;
    return status;
}

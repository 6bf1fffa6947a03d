/* What a cycle costs with a decomposition (formula 6.11), and its messages one by one. */
#include "grid/cost.h"
#include "base/diag.h"
#include <math.h>
#include <stdio.h>

/* ---- Checks ---- */

#define MOST_BYTES 0x1p62
#define MOST_ITEM  (INT64_C(1) << 40)

static bool is_time(double value)
{
    return value >= 0 && isfinite(value);
}

static int check_ways(const inlay_grid_ways *w, int32_t processors, inlay_diag *diag)
{
    bool good = w->hosts >= 1 && w->hosts <= INLAY_GRID_HOSTS && w->links >= 0 && w->first[0] == 0;
    for (int32_t i = 0; i < processors && good; i++) {
        good = w->host[i] >= 0 && w->host[i] < w->hosts;
    }
    for (int32_t l = 0; l < w->links && good; l++) {
        good = is_time(w->link_per_byte[l]);
    }
    size_t pairs = (size_t)w->hosts * (size_t)w->hosts;
    for (size_t q = 0; q < pairs && good; q++) {
        good = is_time(w->latency[q]) && is_time(w->per_byte[q]) && w->first[q] <= w->first[q + 1];
        for (int64_t i = w->first[q]; i < w->first[q + 1] && good; i++) {
            good = w->link[i] >= 0 && w->link[i] < w->links;
        }
    }
    return good ? INLAY_OK
                : diag_fail(
                      diag, INLAY_BAD_ARGUMENT,
                      "the ways name a host or a link that is none, or a time that is none; expected 1 to %d hosts "
                      "and finite times, 0 or more",
                      INLAY_GRID_HOSTS);
}

int grid_check_network(const inlay_grid_network *n, int32_t processors, inlay_diag *diag)
{
    if (!(n->latency >= 0) || !isfinite(n->latency) || !(n->per_byte >= 0) || !isfinite(n->per_byte)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the network takes %g a message and %g a byte; expected finite times, 0 or more", n->latency,
                         n->per_byte);
    }
    if (n->payload < 0 || n->frame < 0 || n->frame > MOST_ITEM || (n->payload == 0 && n->frame > 0)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a frame carries %lld bytes besides %lld of its own; expected 1 or more besides 0 to 2^40",
                         (long long)n->payload, (long long)n->frame);
    }
    if (inlay_grid_wiring_name(n->wiring) == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "wiring %d is unknown; expected 0 to %d", (int)n->wiring,
                         INLAY_GRID_ROUTES);
    }
    if ((n->wiring == INLAY_GRID_ROUTES) != (n->ways != NULL)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the wiring '%s' with%s ways; expected ways with 'routes' alone",
                         inlay_grid_wiring_name(n->wiring), n->ways != NULL ? "" : "out");
    }
    if (n->ways != NULL && check_ways(n->ways, processors, diag) != INLAY_OK) {
        return INLAY_BAD_ARGUMENT;
    }
    if (n->wiring == INLAY_GRID_SEVERAL && n->networks < 1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "there are %d networks; expected 1 or more", (int)n->networks);
    }
    return INLAY_OK;
}

enum { NAME_ROOM = 32 };

static const char *phase_name(const inlay_grid_phase *phase, size_t i, char room[NAME_ROOM])
{
    (void)snprintf(room, NAME_ROOM, "phase %zu", i);
    return phase->name != NULL ? phase->name : room;
}

static int64_t item_of(const inlay_grid_phase *phase, int64_t usual)
{
    return phase->item > 0 ? phase->item : usual;
}

static double weight_of(const inlay_grid_phase *phase)
{
    return phase->weight > 0 ? phase->weight : 1;
}

/* The most bytes with frames that a step can send stay below 2^62. */
static bool is_countable(const inlay_grid_network *n, const inlay_grid_phase *phase, double cells, double processors,
                         double item)
{
    size_t directions = 0;
    grid_directions(&phase->pattern, &directions);
    double pairs = processors * processors;
    double bytes = directions > 0 ? (double)directions * cells * item : pairs * item;
    double messages = directions > 0 ? (double)directions * fmin(pairs, cells) : pairs;
    double frames = n->payload > 0 ? bytes / (double)n->payload + messages : 0;
    return bytes + frames * (double)n->frame <= MOST_BYTES;
}

static int check_phase(const inlay_grid_network *network, const inlay_grid_phase *phase, const char *name,
                       int64_t cells, int32_t processors, int64_t item, inlay_diag *diag)
{
    if (!(phase->work >= 0) || !isfinite(phase->work) || !(phase->weight >= 0) || !isfinite(phase->weight)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s has %g operations a cell and the weight %g; expected finite numbers, 0 or more", name,
                         phase->work, phase->weight);
    }
    if (phase->item < 0 || phase->item > MOST_ITEM) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s has items of %lld bytes; expected 1 to 2^40, or 0", name,
                         (long long)phase->item);
    }
    int status = grid_check_pattern(&phase->pattern, processors, diag);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t bytes = item_of(phase, item);
    if (!is_countable(network, phase, (double)cells, processors, (double)bytes)) {
        return diag_fail(diag, INLAY_OVERFLOW, "the bytes of a step of %s may leave 2^62", name);
    }
    if (network->payload > 0 && bytes > network->payload && phase->pattern.communication != INLAY_GRID_NONE) {
        diag_warn(diag, "an item of %lld bytes is longer than the %lld bytes that a frame carries: items are cut",
                  (long long)bytes, (long long)network->payload);
    }
    return INLAY_OK;
}

int grid_check_costs(const inlay_grid_network *network, const inlay_grid_phase *phase, size_t phases, int64_t cells,
                     int32_t processors, int64_t item, inlay_diag *diag)
{
    int status = grid_check_network(network, processors, diag);
    if (status == INLAY_OK && (phases < 1 || phases > INLAY_GRID_PHASES || phase == NULL)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "there are %zu phases; expected 1 to %d", phases, INLAY_GRID_PHASES);
    }
    for (size_t i = 0; i < phases && status == INLAY_OK; i++) {
        char room[NAME_ROOM];
        status = check_phase(network, &phase[i], phase_name(&phase[i], i, room), cells, processors, item, diag);
    }
    return status;
}

/* ---- Patterns without directions ---- */

static int32_t receivers_of(const inlay_decomposition *d, const inlay_grid_pattern *pattern)
{
    int32_t others = d->processors - 1;
    return pattern->communication == INLAY_GRID_MULTICAST && pattern->receivers < others ? pattern->receivers : others;
}

typedef struct listing {
    const inlay_decomposition *d;
    void (*visit)(void *context, const inlay_grid_message *message);
    void *context;
    grid_meter *meter; /* of meter_one() */
} listing;

static void list_message(const listing *l, int32_t from, int32_t to, int32_t direction, int64_t bytes)
{
    l->visit(l->context, &(inlay_grid_message){l->d->order[from], l->d->order[to], direction, bytes});
}

/* Between the root and the others, from its next number on. A root that is not used gives way to the fastest. */
static void list_rooted(const listing *l, const inlay_grid_pattern *pattern)
{
    const inlay_decomposition *d = l->d;
    int32_t root = d->rank[pattern->root] < d->processors ? pattern->root : d->order[0];
    int32_t left = receivers_of(d, pattern);
    for (int32_t n = 1; n < d->summary.processors && left > 0; n++) {
        int32_t other = (int32_t)(((int64_t)root + n) % d->summary.processors);
        if (d->rank[other] < d->processors) {
            bool in = pattern->communication == INLAY_GRID_REDUCTION;
            list_message(l, d->rank[in ? other : root], d->rank[in ? root : other], 0, d->item);
            left--;
        }
    }
}

/* With ways each message goes its own. */
static void meter_one(void *context, const inlay_grid_message *message)
{
    const listing *l = context;
    grid_meter_message(l->meter, l->d->rank[message->from], l->d->rank[message->to], 0, 1);
}

static void meter_rooted(const inlay_decomposition *d, const inlay_grid_pattern *pattern, grid_meter *meter,
                         double weight, inlay_grid_cost *cost)
{
    listing l = {.d = d, .visit = meter_one, .meter = meter};
    l.context = &l;
    list_rooted(&l, pattern);
    grid_meter_turn(meter);
    grid_meter_add(meter, weight, cost);
}

/* Broadcast (6.12), multicast and reduction (6.13); in rounds where the wiring has them (3.1, 3.3). */
static void add_rooted(const inlay_decomposition *d, const inlay_grid_pattern *pattern, grid_meter *meter,
                       double weight, inlay_grid_cost *cost)
{
    const inlay_grid_network *n = meter->network;
    if (n->ways != NULL) {
        meter_rooted(d, pattern, meter, weight, cost);
        return;
    }
    double others = receivers_of(d, pattern);
    double framed = (double)grid_framed(n, meter->item);
    bool multicast = pattern->communication == INLAY_GRID_MULTICAST;
    int32_t rounds = multicast ? 0 : grid_rounds(n->wiring, d->processors);
    double units = rounds > 0 ? rounds : pattern->communication == INLAY_GRID_REDUCTION ? fmin(others, 1) : others;
    double carried = rounds > 0 ? rounds * framed : others * framed / grid_networks(n, d->processors);
    cost->messages += weight * others;
    cost->bytes += weight * others * (double)meter->item;
    cost->framed += weight * others * framed;
    cost->latency_units += weight * units;
    cost->latency += weight * n->latency * units;
    cost->transmission += weight * n->per_byte * carried;
}

/* Bytes between two ranks, by the caller's numbers. */
static int64_t random_bytes(const inlay_decomposition *d, const inlay_grid_pattern *pattern, int64_t item, int32_t from,
                            int32_t to)
{
    size_t row = (size_t)d->order[from];
    return pattern->bytes == NULL ? item : pattern->bytes[row * (size_t)d->summary.processors + (size_t)d->order[to]];
}

static void add_worst_random(const inlay_decomposition *d, const grid_meter *meter, double weight,
                             inlay_grid_cost *cost)
{
    const inlay_grid_network *n = meter->network;
    double others = d->processors - 1;
    double all = others * d->processors;
    double framed = (double)grid_framed(n, meter->item);
    double carried = n->wiring == INLAY_GRID_SWITCH ? others * framed : all * framed / grid_networks(n, d->processors);
    cost->messages += weight * all;
    cost->bytes += weight * all * (double)meter->item;
    cost->framed += weight * all * framed;
    cost->latency_units += weight * others;
    cost->latency += weight * n->latency * others;
    cost->transmission += weight * n->per_byte * carried;
}

static void add_random(const inlay_decomposition *d, const inlay_grid_pattern *pattern, grid_meter *meter,
                       double weight, inlay_grid_cost *cost)
{
    if (pattern->bytes == NULL && meter->network->ways == NULL) {
        add_worst_random(d, meter, weight, cost);
        return;
    }
    int64_t item = meter->item;
    grid_meter_begin(meter, 1);
    for (int32_t i = 0; i < d->processors; i++) {
        for (int32_t j = 0; j < d->processors; j++) {
            int64_t bytes = i == j ? 0 : random_bytes(d, pattern, item, i, j);
            if (bytes > 0) {
                grid_meter_message(meter, i, j, 0, bytes);
            }
        }
    }
    grid_meter_turn(meter);
    grid_meter_add(meter, weight, cost);
}

/* ---- A cycle ---- */

int grid_coster_make(const inlay_decomposition *d, const inlay_grid_network *network, const inlay_grid_phase *phase,
                     size_t phases, grid_coster *coster, inlay_diag *diag)
{
    *coster = (grid_coster){.network = network, .phase = phase, .phases = phases};
    int status = grid_meter_make(network, d->processors, d->order, &coster->meter, diag);
    return status == INLAY_OK ? grid_counter_make(d, grid_meter_message, &coster->meter, &coster->counter, diag)
                              : status;
}

void grid_coster_clear(grid_coster *coster)
{
    grid_meter_clear(&coster->meter);
    grid_counter_clear(&coster->counter);
}

static int add_directions(grid_coster *coster, const inlay_grid_phase *phase, double weight, inlay_grid_cost *cost,
                          inlay_diag *diag)
{
    size_t directions = 0;
    const inlay_grid_offset *offset = grid_directions(&phase->pattern, &directions);
    int status = INLAY_OK;
    for (size_t k = 0; k < directions && status == INLAY_OK; k++) {
        status = grid_count(&coster->counter, (int32_t)k, &offset[k], diag);
        grid_meter_turn(&coster->meter);
    }
    if (status == INLAY_OK) {
        grid_meter_add(&coster->meter, weight, cost);
    }
    return status;
}

static int add_communication(grid_coster *coster, const inlay_decomposition *d, const inlay_grid_phase *phase,
                             inlay_grid_cost *cost, inlay_diag *diag)
{
    double weight = weight_of(phase);
    int64_t item = item_of(phase, d->item);
    grid_meter_begin(&coster->meter, item);
    switch (phase->pattern.communication) {
    case INLAY_GRID_NONE: return INLAY_OK;
    case INLAY_GRID_BROADCAST:
    case INLAY_GRID_MULTICAST:
    case INLAY_GRID_REDUCTION: add_rooted(d, &phase->pattern, &coster->meter, weight, cost); return INLAY_OK;
    case INLAY_GRID_RANDOM: add_random(d, &phase->pattern, &coster->meter, weight, cost); return INLAY_OK;
    default: return add_directions(coster, phase, weight, cost, diag);
    }
}

/*
 * The most cells / speed, and how far that is above ideal shares, the weight of all cells / sum of speeds (6.8). By curves:
 * the longest time; infinite where a piece does not fit.
 */
static double longest_share(const inlay_decomposition *d, double *imbalance)
{
    double longest = 0;
    double speeds = 0;
    for (int32_t i = 0; i < d->processors; i++) {
        longest = fmax(longest,
                       d->curve != NULL ? inlay_curve_time(&d->curve[i], d->cells[i]) : grid_load(d, i) / d->speed[i]);
        speeds += d->speed[i];
    }
    *imbalance = longest * speeds / d->total;
    return longest;
}

/* Operations on a cell in a cycle. */
static double work_of(const grid_coster *coster)
{
    double work = 0;
    for (size_t i = 0; i < coster->phases; i++) {
        work += weight_of(&coster->phase[i]) * coster->phase[i].work;
    }
    return work;
}

int grid_coster_run(grid_coster *coster, const inlay_decomposition *d, inlay_grid_cost *cost, inlay_diag *diag)
{
    inlay_grid_cost sum = {0};
    coster->counter.d = d;
    double longest = longest_share(d, &sum.imbalance);
    int status = INLAY_OK;
    if (!isfinite(longest)) {
        return diag_fail(diag, INLAY_NO_ANSWER, "a piece is larger than what fits its processor");
    }
    if (d->curve != NULL) {
        double work = work_of(coster);
        longest = work > 0 ? longest / work : 0;
    }
    for (size_t i = 0; i < coster->phases && status == INLAY_OK; i++) {
        const inlay_grid_phase *phase = &coster->phase[i];
        size_t directions = 0;
        double before = sum.bytes;
        grid_directions(&phase->pattern, &directions);
        sum.computation += weight_of(phase) * phase->work * longest;
        status = add_communication(coster, d, phase, &sum, diag);
        sum.least_bytes +=
            directions == 0 ? sum.bytes - before
                            : weight_of(phase) * (double)item_of(phase, d->item) * grid_least_cells(d, &phase->pattern);
    }
    sum.seconds = sum.computation + sum.latency + sum.transmission;
    if (status == INLAY_OK && !isfinite(sum.seconds)) {
        return diag_fail(diag, INLAY_OVERFLOW, "a cycle takes longer than numbers go");
    }
    if (status == INLAY_OK) {
        *cost = sum;
    }
    return status;
}

int inlay_decomposition_cost(const inlay_decomposition *d, const inlay_grid_network *network,
                             const inlay_grid_phase *phase, size_t phases, inlay_grid_cost *cost, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int64_t cells = d->summary.rows * d->summary.columns * d->summary.planes;
    int status = grid_check_costs(network, phase, phases, cells, d->summary.processors, d->item, diag);
    if (status != INLAY_OK) {
        return status;
    }
    grid_coster coster = {0};
    status = grid_coster_make(d, network, phase, phases, &coster, diag);
    status = status == INLAY_OK ? grid_coster_run(&coster, d, cost, diag) : status;
    grid_coster_clear(&coster);
    return status;
}

/* ---- Messages one by one ---- */

static void list_cells(void *context, int32_t from, int32_t to, int32_t direction, int64_t cells)
{
    const listing *l = context;
    list_message(l, from, to, direction, cells * l->d->item);
}

static int list_directions(const listing *l, const inlay_grid_offset *offset, size_t directions, inlay_diag *diag)
{
    grid_counter counter = {0};
    listing copy = *l;
    int status = grid_counter_make(l->d, list_cells, &copy, &counter, diag);
    for (size_t k = 0; k < directions && status == INLAY_OK; k++) {
        status = grid_count(&counter, (int32_t)k, &offset[k], diag);
    }
    grid_counter_clear(&counter);
    return status;
}

static void list_random(const listing *l, const inlay_grid_pattern *pattern)
{
    const inlay_decomposition *d = l->d;
    for (int32_t i = 0; i < d->processors; i++) {
        for (int32_t j = 0; j < d->processors; j++) {
            int64_t bytes = i == j ? 0 : random_bytes(d, pattern, d->item, i, j);
            if (bytes > 0) {
                list_message(l, i, j, 0, bytes);
            }
        }
    }
}

int inlay_decomposition_messages(const inlay_decomposition *d, const inlay_grid_pattern *pattern,
                                 void (*visit)(void *context, const inlay_grid_message *message), void *context,
                                 inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_grid_network free_of_charge = {0};
    const inlay_grid_phase phase = {.pattern = *pattern};
    const listing l = {.d = d, .visit = visit, .context = context};
    int status = grid_check_costs(&free_of_charge, &phase, 1, d->summary.rows * d->summary.columns * d->summary.planes,
                                  d->summary.processors, d->item, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t directions = 0;
    const inlay_grid_offset *offset = grid_directions(pattern, &directions);
    switch (pattern->communication) {
    case INLAY_GRID_NONE: return INLAY_OK;
    case INLAY_GRID_RANDOM: list_random(&l, pattern); return INLAY_OK;
    case INLAY_GRID_BROADCAST:
    case INLAY_GRID_MULTICAST:
    case INLAY_GRID_REDUCTION: list_rooted(&l, pattern); return INLAY_OK;
    default: return list_directions(&l, offset, directions, diag);
    }
}

/* Messages become times on a network. */
#include "grid/cost.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *inlay_grid_wiring_name(inlay_grid_wiring wiring)
{
    static const char *const names[] = {"single", "several", "switch", "cube", "mesh", "complete", "routes"};
    return (unsigned)wiring < sizeof names / sizeof *names ? names[wiring] : NULL;
}

/* ---- Networks ---- */

/* The least k with 2^k >= p. */
static int32_t dimensions_of(int32_t processors)
{
    int32_t k = 0;
    while ((int64_t)1 << k < processors) {
        k++;
    }
    return k;
}

/* The least k with k^2 >= p. */
static int32_t side_of(int32_t processors)
{
    int32_t k = 1;
    while ((int64_t)k * k < processors) {
        k++;
    }
    return k;
}

double grid_networks(const inlay_grid_network *network, int32_t processors)
{
    int32_t k = 0;
    switch (network->wiring) {
    case INLAY_GRID_SEVERAL: return network->networks;
    case INLAY_GRID_CUBE: k = dimensions_of(processors); return k < 2 ? 1 : k * (double)((int64_t)1 << (k - 2));
    case INLAY_GRID_MESH: return 2.0 * side_of(processors);
    case INLAY_GRID_COMPLETE: return processors;
    default: return 1;
    }
}

int32_t grid_rounds(inlay_grid_wiring wiring, int32_t processors)
{
    switch (wiring) {
    case INLAY_GRID_CUBE:
    case INLAY_GRID_COMPLETE: return dimensions_of(processors);
    case INLAY_GRID_MESH: return 2 * (side_of(processors) - 1);
    default: return 0;
    }
}

/* ---- The meter ---- */

int grid_meter_make(const inlay_grid_network *network, int32_t processors, const int32_t *order, grid_meter *meter,
                    inlay_diag *diag)
{
    size_t p = (size_t)processors;
    *meter = (grid_meter){.network = network, .processors = processors, .order = order};
    meter->messages = memory_zeroed(p, sizeof *meter->messages);
    meter->sent = memory_zeroed(p, sizeof *meter->sent);
    meter->received = memory_zeroed(p, sizeof *meter->received);
    bool made = meter->messages != NULL && meter->sent != NULL && meter->received != NULL;
    if (network->ways != NULL) {
        meter->wait = memory_zeroed(p, sizeof *meter->wait);
        meter->load = memory_zeroed((size_t)network->ways->links, sizeof *meter->load);
        made = made && meter->wait != NULL && meter->load != NULL;
    }
    return made ? INLAY_OK : diag_no_memory(diag);
}

void grid_meter_clear(grid_meter *meter)
{
    free(meter->messages);
    free(meter->sent);
    free(meter->received);
    free(meter->wait);
    free(meter->load);
    *meter = (grid_meter){0};
}

void grid_meter_begin(grid_meter *meter, int64_t item)
{
    meter->item = item;
    meter->all_messages = 0;
    meter->bytes = 0;
    meter->framed = 0;
    meter->latency_units = 0;
    meter->busiest = 0;
    meter->waits = meter->carried = 0;
}

/* A message on the way of its pair of hosts. */
static void pass(grid_meter *meter, int32_t from, int32_t to, double framed)
{
    const inlay_grid_ways *w = meter->network->ways;
    int32_t a = w->host[meter->order != NULL ? meter->order[from] : from];
    int32_t b = w->host[meter->order != NULL ? meter->order[to] : to];
    if (a == b) {
        return;
    }
    size_t pair = (size_t)a * (size_t)w->hosts + (size_t)b;
    meter->wait[from] += w->latency[pair];
    meter->longest = fmax(meter->longest, framed * w->per_byte[pair]);
    for (int64_t i = w->first[pair]; i < w->first[pair + 1]; i++) {
        int32_t link = w->link[i];
        double takes = framed * w->link_per_byte[link];
        meter->load[link] = w->parallel[link] ? fmax(meter->load[link], takes) : meter->load[link] + takes;
    }
}

static double take_most(double *value, size_t count, double most)
{
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, value[i]);
        value[i] = 0;
    }
    return most;
}

void grid_meter_message(void *context, int32_t from, int32_t to, int32_t direction, int64_t cells)
{
    (void)direction;
    grid_meter *meter = context;
    int64_t bytes = cells * meter->item;
    int64_t framed = grid_framed(meter->network, bytes);
    meter->all_messages++;
    meter->bytes += bytes;
    meter->framed += framed;
    meter->messages[from]++;
    meter->sent[from] += framed;
    meter->received[to] += framed;
    if (meter->network->ways != NULL) {
        pass(meter, from, to, (double)framed);
    }
}

void grid_meter_turn(grid_meter *meter)
{
    size_t p = (size_t)meter->processors;
    int64_t most = 0;
    int64_t busiest = 0;
    for (size_t i = 0; i < p; i++) {
        most = meter->messages[i] > most ? meter->messages[i] : most;
        busiest = meter->sent[i] > busiest ? meter->sent[i] : busiest;
        busiest = meter->received[i] > busiest ? meter->received[i] : busiest;
    }
    meter->latency_units += most;
    meter->busiest += busiest;
    memset(meter->messages, 0, p * sizeof *meter->messages);
    memset(meter->sent, 0, p * sizeof *meter->sent);
    memset(meter->received, 0, p * sizeof *meter->received);
    if (meter->network->ways != NULL) {
        meter->waits += take_most(meter->wait, p, 0);
        meter->carried += take_most(meter->load, (size_t)meter->network->ways->links, meter->longest);
        meter->longest = 0;
    }
}

void grid_meter_add(const grid_meter *meter, double weight, inlay_grid_cost *cost)
{
    const inlay_grid_network *n = meter->network;
    double carried = n->wiring == INLAY_GRID_SWITCH ? (double)meter->busiest
                                                    : (double)meter->framed / grid_networks(n, meter->processors);
    cost->messages += weight * (double)meter->all_messages;
    cost->bytes += weight * (double)meter->bytes;
    cost->framed += weight * (double)meter->framed;
    cost->latency_units += weight * (double)meter->latency_units;
    bool ways = n->ways != NULL;
    cost->latency += weight * (ways ? meter->waits : n->latency * (double)meter->latency_units);
    cost->transmission += weight * (ways ? meter->carried : n->per_byte * carried);
}

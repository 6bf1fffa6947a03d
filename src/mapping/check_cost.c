/* Traffic between the clusters, what the network makes of it, and the estimate. */
#include "mapping/check.h"

#include <math.h>
#include <stdlib.h>

/* ---- Units ---- */

/* Seconds of a unit; 0 for ticks of unknown length. */
static double seconds(const check *k, inlay_unit unit)
{
    return unit == INLAY_UNIT_TICK ? k->tick_seconds : inlay_unit_seconds(unit);
}

/* How many units of the application one `unit` is; 0 where that is unknown. A bare number is in the application's. */
static double units_of_app(const check *k, inlay_unit unit)
{
    inlay_unit own = inlay_app_unit(k->app);
    if (unit == own || unit == INLAY_UNIT_NONE) return 1;
    return seconds(k, own) > 0 ? seconds(k, unit) / seconds(k, own) : 0;
}

bool check_network_units(check *k)
{
    bool ticks = inlay_app_unit(k->app) == INLAY_UNIT_TICK;
    inlay_duration latency = inlay_machine_latency(k->machine);
    inlay_rate rate;

    double length = units_of_app(k, latency.unit);
    k->latency = inlay_decimal_double(latency.value) * length;
    if (length <= 0 && latency.value.digits != 0) {
        check_find(k, "the machine's latency and the application's times mix ticks and seconds without tick_seconds");
        return false;
    }
    k->free_network = !inlay_machine_capacity(k->machine, &rate) && !ticks;
    if (k->free_network) return true;
    if (!inlay_machine_capacity(k->machine, &rate)) rate = (inlay_rate){1, INLAY_RATE_MESSAGES, INLAY_UNIT_TICK};
    double per = rate.per == INLAY_UNIT_NONE ? (ticks ? 1 : 0) : units_of_app(k, rate.per);
    if (per <= 0) {
        check_find(k, "the machine's capacity cannot be expressed in the application's unit of time");
        return false;
    }
    k->in_bytes = rate.kind == INLAY_RATE_BYTES;
    k->capacity = rate.value / per;
    return true;
}

/* ---- Traffic ---- */

/* Messages of a link: where the machine has a message size and counts messages, as many as its bytes need. */
static int64_t messages_of(const check *k, int64_t messages, int64_t bytes)
{
    int64_t size = inlay_machine_message_size(k->machine);
    if (k->in_bytes || size <= 0 || bytes <= 0) return messages;
    return bytes / size + (bytes % size != 0);
}

static int64_t traffic_of(const check *k, int64_t messages, int64_t bytes)
{
    return k->in_bytes ? bytes : messages_of(k, messages, bytes);
}

/* One link or use, from cluster to cluster. */
static void send(check *k, inlay_id from, inlay_id to, int64_t messages, int64_t bytes)
{
    if (from == to) return;
    int64_t sent = messages_of(k, messages, bytes), traffic = traffic_of(k, messages, bytes);
    k->cluster[from].messages_out = check_add(k->cluster[from].messages_out, sent);
    k->cluster[from].traffic_out = check_add(k->cluster[from].traffic_out, traffic);
    k->messages = check_add(k->messages, sent);
    k->traffic = check_add(k->traffic, traffic);
}

static void send_all(check *k)
{
    for (inlay_id i = 0; i < k->modules; i++) {
        inlay_links out = inlay_app_out(k->app, i);
        for (int64_t l = 0; l < out.count; l++)
            send(k, k->cluster_of[i], k->cluster_of[out.module[l]], out.messages[l], out.bytes[l]);
    }
    for (inlay_id d = 0; d < k->blocks; d++) {
        inlay_links uses = inlay_app_uses(k->app, d);
        for (int64_t l = 0; l < uses.count && k->home[d] >= 0; l++)
            send(k, k->home[d], k->cluster_of[uses.module[l]], uses.messages[l], uses.bytes[l]);
    }
}

/* Work, busy time and memory of every cluster. */
static void add_up(check *k)
{
    bool distributed = inlay_machine_memory_kind(k->machine) == INLAY_MEMORY_DISTRIBUTED;
    for (inlay_id i = 0; i < k->modules; i++) {
        check_cluster *cluster = &k->cluster[k->cluster_of[i]];
        cluster->work = check_add(cluster->work, check_add(k->time[i], k->work_ready[i]));
        cluster->busy = check_add(cluster->busy, k->time[i]);
        cluster->memory = check_add(cluster->memory, inlay_app_memory(k->app, i));
    }
    for (inlay_id d = 0; d < k->blocks; d++) {
        if (k->home[d] < 0) continue;
        check_cluster *cluster = &k->cluster[k->home[d]];
        cluster->work = check_add(cluster->work, inlay_app_block_time(k->app, d));
        if (distributed) cluster->memory = check_add(cluster->memory, inlay_app_block_size(k->app, d));
    }
}

double check_units(const check *k, inlay_time grains)
{
    return (double)grains / (double)k->grains_per_unit;
}

double check_utilisation(const check *k, inlay_id cluster)
{
    double sent = (double)k->cluster[cluster].traffic_out;
    return (check_units(k, k->cluster[cluster].work) + k->tau * sent) / k->time_frame;
}

/* ---- The network under this traffic ---- */

/* Transfers that the traffic needs, over the capacity: the least T is just above it. */
static double transfer_time(const check *k)
{
    return k->free_network ? 0 : inlay_machine_transfers(k->machine) * (double)k->traffic / k->capacity;
}

static double tau_of(const check *k, double delay)
{
    return k->free_network ? 0 : inlay_machine_transfers(k->machine) * delay / k->capacity;
}

/*
 * u, then rho, D and tau at it. Close to saturation the last bit of u moves rho and D a lot, and decides whether u is
 * below 1 at all, so the file's own u is taken where it is right to the last digits.
 */
static void settle_network(check *k)
{
    const json_t *said = json_object_get(json_object_get(k->root, "network"), "u");
    int64_t processors = inlay_machine_processors(k->machine);
    k->u = k->traffic > 0 ? transfer_time(k) / k->time_frame : 0;
    if (json_is_number(said) && fabs(json_number_value(said) - k->u) <= 1e-14 * k->u) k->u = json_number_value(said);
    k->delay = 1;
    if (k->u < 1) {
        long double rho = check_bus_rate(processors, k->u);
        k->rho = (double)rho;
        k->delay = (double)check_bus(processors, rho).delay;
    }
    k->tau = tau_of(k, k->delay);
}

/* ---- The estimate ---- */

/* Time from the start of module i until its link `l` is satisfied, the message's journey counted. */
static double satisfied_after(const check *k, inlay_id i, const inlay_links *out, int64_t l, double tau)
{
    inlay_id j = out->module[l];
    double wait = check_units(k, check_lag(k, i, j));
    if (k->cluster_of[i] == k->cluster_of[j]) return wait;
    double traffic = (double)traffic_of(k, out->messages[l], out->bytes[l]);
    double messages = (double)messages_of(k, out->messages[l], out->bytes[l]);
    return wait + traffic * tau + k->latency * messages;
}

int check_estimate(const check *k, double tau, double *estimate)
{
    double *satisfied = calloc((size_t)k->modules + 1, sizeof *satisfied);
    double *idle_from = calloc((size_t)k->clusters + 1, sizeof *idle_from);
    double last = 0;

    if (!satisfied || !idle_from) {
        free(satisfied);
        free(idle_from);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id at = 0; at < k->modules; at++) {
        inlay_id i = k->order[at];
        double *processor = &idle_from[k->cluster_of[i]];
        double start = fmax(satisfied[i], *processor);
        *processor = start + check_units(k, k->time[i]);
        last = fmax(last, *processor);
        inlay_links out = inlay_app_out(k->app, i);
        for (int64_t l = 0; l < out.count; l++) {
            double *there = &satisfied[out.module[l]];
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY))
                *there = fmax(*there, start + satisfied_after(k, i, &out, l, tau));
        }
    }
    free(satisfied);
    free(idle_from);
    *estimate = last;
    return INLAY_OK;
}

int check_cost(check *k)
{
    send_all(k);
    add_up(k);
    settle_network(k);
    return check_estimate(k, k->tau, &k->estimate);
}

/* ---- The fixed point ---- */

/* The rate at which T = (transfer time)/u is below E(tau): the right end of a bisection. */
static int rate_past_root(const check *k, double needed, long double *rate)
{
    int64_t processors = inlay_machine_processors(k->machine);
    double estimate = 0;
    for (; *rate < 1e300L; *rate *= 2) {
        check_bus_point at = check_bus(processors, *rate);
        int status = check_estimate(k, tau_of(k, (double)at.delay), &estimate);
        if (status != INLAY_OK || (long double)needed / at.u < (long double)estimate) return status;
    }
    return INLAY_OK;
}

/*
 * With A the time of all transfers, T = A/u. As the rate rises, u rises from 0 towards 1 and D from 1 towards k, so T
 * falls and E(tau) rises: they meet once where E at D = k is above A, and otherwise never. Bisection over the rate.
 */
int check_fixed_point(const check *k, double *fixed_point, bool *doubtful)
{
    int64_t processors = inlay_machine_processors(k->machine);
    double needed = transfer_time(k), saturated = 0, estimate = 0;
    *doubtful = false;
    *fixed_point = k->estimate;
    if (!(needed > 0)) return INLAY_OK;

    int status = check_estimate(k, tau_of(k, (double)processors), &saturated);
    *doubtful = fabs(saturated - needed) <= 1e-9 * needed;
    *fixed_point = NAN;
    if (status != INLAY_OK || saturated <= needed) return status;

    /* u <= k rho: here T is at least `saturated`, above every E. */
    long double low = (long double)needed / saturated / (long double)processors, high = low;
    status = rate_past_root(k, needed, &high);
    for (int i = 0; i < 120 && status == INLAY_OK && high - low > 1e-18L * high; i++) {
        long double middle = low + (high - low) / 2;
        check_bus_point at = check_bus(processors, middle);
        status = check_estimate(k, tau_of(k, (double)at.delay), &estimate);
        if ((long double)needed / at.u < (long double)estimate)
            high = middle;
        else
            low = middle;
    }
    if (status != INLAY_OK) return status;
    *fixed_point = (double)((long double)needed / check_bus(processors, low).u);
    *doubtful = *doubtful || *fixed_point - needed <= 1e-9 * needed;
    return INLAY_OK;
}

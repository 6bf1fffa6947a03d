/* Subjects whose callbacks read their own arrays. */
#include "general_subject.h"
#include "random_app.h"
#include "slow_general.h"

#include <check.h>
#include <math.h>
#include <string.h>

static const char *const cluster_names[GENERAL_CLUSTERS] = {"a", "b", "c", "d", "e", "f", "g", "h"};

/* ---- Callbacks ---- */

static double scale(const general_subject *s, int32_t phase, int32_t processors)
{
    return s->domain.by_processors ? pow(processors, s->power[phase]) : 1;
}

static int tell_units(void *context, int32_t computation, int64_t *units, inlay_diag *diag)
{
    const general_subject *s = context;
    (void)diag;
    *units = s->units[computation];
    return INLAY_OK;
}

static int tell_work(void *context, int32_t processors, int32_t computation, inlay_complexity *work, inlay_diag *diag)
{
    const general_subject *s = context;
    (void)diag;
    *work = s->work[computation];
    work->per_unit *= scale(s, computation, processors);
    work->fixed *= scale(s, computation + 1, processors);
    return INLAY_OK;
}

static int tell_arch_cost(void *context, int32_t computation, const inlay_metasystem_cluster *cluster, double *time,
                          inlay_diag *diag)
{
    const general_subject *s = context;
    (void)diag;
    *time = s->arch_cost[computation][cluster - s->cluster];
    return INLAY_OK;
}

static int tell_pattern(void *context, int32_t communication, inlay_pattern *pattern, inlay_diag *diag)
{
    const general_subject *s = context;
    (void)diag;
    *pattern = s->pattern[communication];
    return INLAY_OK;
}

static int tell_bytes(void *context, int32_t processors, int32_t communication, inlay_complexity *bytes,
                      inlay_diag *diag)
{
    const general_subject *s = context;
    (void)diag;
    bytes->fixed = s->bytes[communication].fixed * scale(s, communication, processors);
    bytes->per_unit = s->bytes[communication].per_unit;
    return INLAY_OK;
}

static int tell_messages(void *context, int32_t processors, int32_t communication, double *messages, inlay_diag *diag)
{
    const general_subject *s = context;
    (void)diag;
    *messages = s->messages[communication] * scale(s, communication, processors);
    return INLAY_OK;
}

static int32_t tell_overlap(void *context, int32_t communication)
{
    const general_subject *s = context;
    return s->overlap[communication];
}

static int tell_cycles(void *context, int32_t processors, double *cycles, double *startup, inlay_diag *diag)
{
    const general_subject *s = context;
    (void)diag;
    *cycles = s->cycles;
    *startup = s->startup * scale(s, 0, processors);
    return INLAY_OK;
}

void general_callbacks(general_subject *s, int computations, int communications)
{
    s->domain = (inlay_domain){.context = s,
                               .computations = computations,
                               .communications = communications,
                               .units = tell_units,
                               .work = tell_work,
                               .arch_cost = tell_arch_cost,
                               .pattern = tell_pattern,
                               .bytes = tell_bytes,
                               .messages = tell_messages,
                               .overlap = tell_overlap,
                               .cycles = tell_cycles};
}

/* ---- Plain ones ---- */

void general_of_plain(const select_subject *plain, general_subject *s)
{
    const inlay_select_problem *p = &plain->problem;
    *s = (general_subject){0};
    for (size_t i = 0; i < p->clusters; i++) {
        const inlay_select_cluster *c = &p->cluster[i];
        s->cluster[i] = (inlay_metasystem_cluster){
            .name = cluster_names[i], .total = c->processors, .available = c->processors, .rate = c->rate};
        s->cluster[i].communication[p->topology] = (inlay_communication){true, c->c1, c->c2, c->c3, c->c4, c->growth};
    }
    s->metasystem = (inlay_metasystem){.clusters = p->clusters,
                                       .cluster = s->cluster,
                                       .router_latency = p->router_latency,
                                       .router_per_byte = p->router_per_byte + p->coercion};
    s->units[0] = p->units;
    s->work[0] = (inlay_complexity){p->unit_work, p->fixed_work};
    s->bytes[0].fixed = p->bytes;
    s->pattern[0] = p->topology;
    s->overlap[0] = p->overlap ? 0 : -1;
    s->messages[0] = p->crossings > 0 ? p->crossings : 1;
    s->cycles = 1;
    s->terms = (inlay_select_terms){.map = p->map, .router = p->router};
    general_callbacks(s, 1, 1);
}

static int tell_odd_messages(void *context, int32_t processors, int32_t communication, double *messages,
                             inlay_diag *diag)
{
    int status = tell_messages(context, processors, communication, messages, diag);
    *messages *= processors == 1 ? 2 : 1;
    return status;
}

void general_make_odd(general_subject *s)
{
    s->domain.by_processors = true;
    s->domain.messages = tell_odd_messages;
}

/* ---- Random ones ---- */

static double between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(random_next(state) >> 11) * 0x1p-53;
}

static void draw_communication(uint64_t *state, bool coarse, inlay_communication *c)
{
    *c = (inlay_communication){.given = true, .growth = (inlay_growth)random_below(state, 3)};
    if (coarse) {
        c->c1 = (double)random_below(state, 3);
        c->c2 = (double)random_below(state, 4);
        c->c4 = (double)random_below(state, 2);
        return;
    }
    double u = between(state, 0.01, 1);
    c->c1 = random_once_in(state, 2) ? 0 : 500 * u;
    c->c2 = 1000 * u;
    c->c3 = 6.4 * u;
    c->c4 = 11.9 * u;
}

static void draw_clusters(uint64_t *state, int clusters, int processors, bool coarse, general_subject *s)
{
    static const char *const formats[] = {NULL, "big", "little"};
    for (int i = 0; i < clusters; i++) {
        inlay_metasystem_cluster *c = &s->cluster[i];
        *c = (inlay_metasystem_cluster){.name = cluster_names[i],
                                        .rate = 1 + (double)random_below(state, coarse ? 4 : 100)};
        c->available = (int32_t)random_below(state, processors / clusters + 1);
        c->total = c->available + (int32_t)random_below(state, 3);
        c->format = formats[random_below(state, 3)];
        for (int p = 0; p < INLAY_PATTERNS; p++)
            draw_communication(state, coarse, &c->communication[p]);
        if (random_once_in(state, 12)) c->communication[random_below(state, INLAY_PATTERNS)].given = false;
    }
    inlay_metasystem_cluster *sure = &s->cluster[random_below(state, clusters)];
    if (sure->available == 0) sure->available = 1;
    sure->total += sure->available;
    for (int p = 0; p < INLAY_PATTERNS; p++)
        sure->communication[p].given = true;
}

/* Each network in an earlier one or in none. */
static void draw_networks(uint64_t *state, int clusters, double step, general_subject *s)
{
    static const char *const names[] = {"n0", "n1", "n2", "n3"};
    int networks = 1 + (int)random_below(state, GENERAL_NETWORKS);
    s->metasystem.networks = (size_t)networks;
    s->metasystem.network = s->network;
    for (int n = 0; n < networks; n++) {
        s->network[n] = (inlay_metasystem_network){.name = names[n],
                                                   .parent = (int32_t)random_below(state, n + 1) - 1,
                                                   .router_latency = step * (double)random_below(state, 4),
                                                   .router_per_byte = step / 500 * (double)random_below(state, 3)};
    }
    for (int i = 0; i < clusters; i++)
        s->cluster[i].network = (int32_t)random_below(state, networks);
}

static void draw_routes(uint64_t *state, int clusters, double step, general_subject *s)
{
    s->metasystem.route = s->route;
    for (int from = 0; from < clusters; from++) {
        for (int to = 0; to < from; to++) {
            if (s->metasystem.routes < GENERAL_ROUTES && random_once_in(state, 3))
                s->route[s->metasystem.routes++] =
                    (inlay_metasystem_route){from, to, step * between(state, 0, 4), step / 300 * between(state, 0, 2),
                                             step / 500 * (double)random_below(state, 2)};
        }
    }
}

static void draw_metasystem(uint64_t *state, int clusters, int processors, bool coarse, general_subject *s)
{
    double step = coarse ? 1 : 500;
    s->metasystem = (inlay_metasystem){.clusters = (size_t)clusters, .cluster = s->cluster};
    draw_clusters(state, clusters, processors, coarse, s);
    s->metasystem.router_latency = step * (double)random_below(state, 3);
    s->metasystem.router_per_byte = step / 400 * (double)random_below(state, 3);
    s->metasystem.coercion = step / 400 * (double)random_below(state, 2);
    if (random_once_in(state, 2)) draw_networks(state, clusters, step, s);
    if (random_once_in(state, 3)) draw_routes(state, clusters, step, s);
}

static void draw_computation(uint64_t *state, bool coarse, int n, general_subject *s)
{
    s->units[n] = 1 + random_below(state, coarse || random_once_in(state, 4) ? 30 : 2000);
    s->work[n].per_unit = 1 + (double)random_below(state, coarse ? 6 : 10000);
    s->work[n].fixed = random_once_in(state, 3) ? (double)random_below(state, coarse ? 9 : 200000) : 0;
    if (s->work[n].fixed > 0 && random_once_in(state, 6)) s->work[n].per_unit = 0;
    for (int i = 0; i < GENERAL_CLUSTERS; i++)
        s->arch_cost[n][i] = random_once_in(state, 4) ? 1 / (1 + (double)random_below(state, coarse ? 4 : 60)) : 0;
}

static void draw_domain(uint64_t *state, bool coarse, general_subject *s)
{
    int computations = 1 + (int)random_below(state, 3);
    int communications = (int)random_below(state, 4);
    for (int n = 0; n < computations; n++)
        draw_computation(state, coarse, n, s);
    for (int n = 0; n < communications; n++) {
        s->pattern[n] = (inlay_pattern)random_below(state, 3);
        s->bytes[n].fixed = (double)random_below(state, coarse ? 4 : 2000);
        s->bytes[n].per_unit = random_once_in(state, 2) ? (double)random_below(state, coarse ? 3 : 20) : 0;
        s->messages[n] = 1 + (double)random_below(state, 3);
        s->overlap[n] = random_once_in(state, 2) ? (int32_t)random_below(state, computations) : -1;
    }
    for (int n = 0; n < GENERAL_PHASES; n++)
        s->power[n] = between(state, -1, 1);
    s->cycles = 1 + (double)random_below(state, 100);
    s->startup = between(state, 0, 1000);
    general_callbacks(s, computations, communications);
    s->domain.by_processors = random_once_in(state, 2);
}

static void draw_units(uint64_t *state, general_subject *s)
{
    static const inlay_unit units[] = {INLAY_UNIT_NONE, INLAY_UNIT_MS, INLAY_UNIT_S};
    if (random_once_in(state, 4)) {
        s->domain.time_unit = units[random_below(state, 3)];
        s->metasystem.time_unit = units[random_below(state, 3)];
    }
}

void general_random(uint64_t *state, int clusters, int processors, general_subject *s)
{
    bool coarse = random_once_in(state, 2);
    *s = (general_subject){0};
    draw_metasystem(state, 1 + (int)random_below(state, clusters), processors, coarse, s);
    draw_domain(state, coarse, s);
    draw_units(state, s);
    s->terms.all_phases = random_once_in(state, 2);
    s->terms.map = (inlay_select_map)random_below(state, 4);
    s->terms.router = (inlay_select_router)(random_once_in(state, 3));
}

void general_configuration(uint64_t *state, const general_subject *s, int32_t *processors)
{
    int64_t total = 0;
    while (total == 0) {
        for (size_t i = 0; i < s->metasystem.clusters; i++) {
            bool usable = slow_general_usable(&s->domain, &s->metasystem, &s->terms, (int)i);
            processors[i] = usable ? (int32_t)random_below(state, s->cluster[i].available + 1) : 0;
            total += processors[i];
        }
    }
}

inlay_selection *general_select(const general_subject *s, const inlay_select_options *options)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_selection *selection = NULL;
    int status = inlay_select(&s->domain, &s->metasystem, &s->terms, options, &selection, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return selection;
}

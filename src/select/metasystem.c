/* Metasystems: their words, what cannot be in one, and what a message between two clusters pays on its way. */
#include "base/diag.h"
#include "network/collectives.h"
#include "base/hash.h"
#include "base/memory.h"
#include <inlay/metasystem.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words ---- */

const char *inlay_pattern_name(inlay_pattern pattern)
{
    static const char *const names[] = {"1-D", "ring", "tree", "all-to-all", "allreduce", "broadcast", "2-D", "3-D"};
    return (unsigned)pattern < sizeof names / sizeof *names ? names[pattern] : NULL;
}

const char *inlay_pattern_algorithm(inlay_pattern pattern, size_t i)
{
    const collective *row;
    for (size_t n = 0; (row = collective_at(n)) != NULL; n++) {
        if (row->pattern == pattern && i-- == 0) {
            return row->name;
        }
    }
    return NULL;
}

const char *inlay_growth_name(inlay_growth growth)
{
    static const char *const names[] = {"linear", "log", "constant"};
    return (unsigned)growth < sizeof names / sizeof *names ? names[growth] : NULL;
}

const char *inlay_interconnect_name(inlay_interconnect interconnect)
{
    static const char *const names[] = {"bus", "switch", "ring", "mesh", "hypercube"};
    return (unsigned)interconnect < sizeof names / sizeof *names ? names[interconnect] : NULL;
}

/* ---- What cannot be ---- */

/* Also refuses NaN. */
static bool is_amount(double x)
{
    return x >= 0 && isfinite(x);
}

static int check_processors(const inlay_metasystem_cluster *c, inlay_diag *diag)
{
    if (c->total < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "cluster '%s' has %d processors; expected 0 or more", c->name,
                         (int)c->total);
    }
    if (c->available < 0 || c->available > c->total) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "cluster '%s' has %d available processors; expected 0 to %d",
                         c->name, (int)c->available, (int)c->total);
    }
    int32_t usable = 0;
    for (int32_t i = 0; c->usable != NULL && i < c->total; i++) {
        usable += c->usable[i];
    }
    if (c->usable != NULL && usable != c->available) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "cluster '%s' has %d processors marked as usable; expected %d, as many as are available",
                         c->name, (int)usable, (int)c->available);
    }
    return INLAY_OK;
}

static int check_interconnect(const inlay_metasystem_cluster *c, inlay_diag *diag)
{
    if (inlay_interconnect_name(c->interconnect) == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "cluster '%s' has interconnect %d; expected 0 to %d", c->name,
                         (int)c->interconnect, INLAY_INTERCONNECT_HYPERCUBE);
    }
    if (c->interconnect == INLAY_INTERCONNECT_MESH &&
        (c->rows < 0 || c->columns < 0 || (int64_t)c->rows * c->columns != c->total)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "cluster '%s' is a mesh of %d x %d for %d processors; expected %d",
                         c->name, (int)c->rows, (int)c->columns, (int)c->total, (int)c->total);
    }
    if (c->interconnect == INLAY_INTERCONNECT_HYPERCUBE && (c->total & (c->total - 1)) != 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "cluster '%s' is a hypercube of %d processors; expected a power of 2", c->name, (int)c->total);
    }
    return INLAY_OK;
}

/* Coefficients below 0 come out of fits; what they lead to is checked where a program is known. */
static int check_communication(const inlay_metasystem_cluster *c, inlay_pattern pattern, inlay_diag *diag)
{
    const inlay_communication *t = &c->communication[pattern];
    if (!t->given) {
        return INLAY_OK;
    }
    if (!isfinite(t->c1) || !isfinite(t->c2) || !isfinite(t->c3) || !isfinite(t->c4)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "cluster '%s' has c1 to c4 of %g, %g, %g, %g for the pattern %s; expected finite numbers",
                         c->name, t->c1, t->c2, t->c3, t->c4, inlay_pattern_name(pattern));
    }
    if (inlay_growth_name(t->growth) == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "cluster '%s' has growth %d for the pattern %s; expected 0 to %d",
                         c->name, (int)t->growth, inlay_pattern_name(pattern), INLAY_GROWTH_CONSTANT);
    }
    return INLAY_OK;
}

static int check_cluster(const inlay_metasystem *metasystem, const inlay_metasystem_cluster *c, inlay_diag *diag)
{
    int status = check_processors(c, diag);
    status = status == INLAY_OK ? check_interconnect(c, diag) : status;
    for (int p = 0; p < INLAY_PATTERNS && status == INLAY_OK; p++) {
        status = check_communication(c, (inlay_pattern)p, diag);
    }
    if (status == INLAY_OK && !is_amount(c->rate)) {
        status = diag_fail(diag, INLAY_BAD_ARGUMENT, "cluster '%s' has rate %g; expected a number that is not below 0",
                           c->name, c->rate);
    }
    if (status == INLAY_OK && !(is_amount(c->price) && is_amount(c->power))) {
        status = diag_fail(diag, INLAY_BAD_ARGUMENT,
                           "cluster '%s' has price %g and power %g; expected numbers that are not below 0", c->name,
                           c->price, c->power);
    }
    if (status == INLAY_OK && metasystem->networks > 0 &&
        (c->network < 0 || (size_t)c->network >= metasystem->networks)) {
        status = diag_fail(diag, INLAY_BAD_ARGUMENT, "cluster '%s' is in network %d; expected 0 to %zu", c->name,
                           (int)c->network, metasystem->networks - 1);
    }
    return status;
}

/* Puts a name into the map, where it must be the only one of its kind. */
static int take_name(name_map *names, const char *what, size_t number, const char *name, inlay_diag *diag)
{
    if (name == NULL || *name == '\0') {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s %zu has no name; expected one", what, number);
    }
    if (name_map_get(names, name) != -1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%ss %d and %zu are both called '%s'; expected different names",
                         what, (int)name_map_get(names, name), number, name);
    }
    return name_map_put(names, name, (int32_t)number) ? INLAY_OK : diag_no_memory(diag);
}

static int check_clusters(const inlay_metasystem *metasystem, inlay_diag *diag)
{
    name_map names = {0};
    int status = INLAY_OK;
    for (size_t i = 0; i < metasystem->clusters && status == INLAY_OK; i++) {
        status = take_name(&names, "cluster", i, metasystem->cluster[i].name, diag);
        status = status == INLAY_OK ? check_cluster(metasystem, &metasystem->cluster[i], diag) : status;
    }
    name_map_clear(&names);
    return status;
}

/* r1, r2, e1 of whatever `what` and `name` call. */
static int check_costs(const char *what, const char *name, double latency, double per_byte, double coercion,
                       inlay_diag *diag)
{
    if (is_amount(latency) && is_amount(per_byte) && is_amount(coercion)) {
        return INLAY_OK;
    }
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "%s%s%s has a latency of %g, %g per byte and a coercion of %g; expected numbers that are not "
                     "below 0",
                     what, *name == '\0' ? "" : " ", name, latency, per_byte, coercion);
}

static int check_networks(const inlay_metasystem *metasystem, inlay_diag *diag)
{
    name_map names = {0};
    int status = INLAY_OK;
    for (size_t i = 0; i < metasystem->networks && status == INLAY_OK; i++) {
        const inlay_metasystem_network *n = &metasystem->network[i];
        status = take_name(&names, "network", i, n->name, diag);
        if (status == INLAY_OK && (n->parent < -1 || (n->parent >= 0 && (size_t)n->parent >= i))) {
            status = diag_fail(diag, INLAY_BAD_ARGUMENT,
                               "network '%s' lies in network %d; expected a number below its own, %zu, or -1", n->name,
                               (int)n->parent, i);
        }
        if (status == INLAY_OK) {
            status = check_costs("the router of network", n->name, n->router_latency, n->router_per_byte, 0, diag);
        }
    }
    name_map_clear(&names);
    return status;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Both clusters of a route as one number, the smaller one in front. */
static uint64_t pair_of(const inlay_metasystem_route *route)
{
    int32_t low = route->from < route->to ? route->from : route->to;
    int32_t high = route->from < route->to ? route->to : route->from;
    return (uint64_t)low << 32 | (uint64_t)high;
}

static int check_pairs(const inlay_metasystem *metasystem, inlay_diag *diag)
{
    uint64_t *pair = memory_array(metasystem->routes, sizeof *pair);
    if (pair == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < metasystem->routes; i++) {
        pair[i] = pair_of(&metasystem->route[i]);
    }
    qsort(pair, metasystem->routes, sizeof *pair, compare_pairs);
    int status = INLAY_OK;
    for (size_t i = 1; i < metasystem->routes && status == INLAY_OK; i++) {
        if (pair[i] == pair[i - 1]) {
            status = diag_fail(diag, INLAY_BAD_ARGUMENT, "two routes join the clusters '%s' and '%s'; expected one",
                               metasystem->cluster[pair[i] >> 32].name, metasystem->cluster[pair[i] & UINT32_MAX].name);
        }
    }
    free(pair);
    return status;
}

static int check_routes(const inlay_metasystem *metasystem, inlay_diag *diag)
{
    for (size_t i = 0; i < metasystem->routes; i++) {
        const inlay_metasystem_route *r = &metasystem->route[i];
        bool known = r->from >= 0 && r->to >= 0 && (size_t)r->from < metasystem->clusters &&
                     (size_t)r->to < metasystem->clusters;
        if (!known || r->from == r->to) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "route %zu is from cluster %d to %d; expected two different clusters from 0 to %zu", i,
                             (int)r->from, (int)r->to, metasystem->clusters - 1);
        }
        int status =
            check_costs("the route to", metasystem->cluster[r->to].name, r->latency, r->per_byte, r->coercion, diag);
        if (status != INLAY_OK) {
            return status;
        }
    }
    return check_pairs(metasystem, diag);
}

int inlay_metasystem_check(const inlay_metasystem *metasystem, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (metasystem->clusters < 1 || metasystem->clusters > INT32_MAX || metasystem->cluster == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the metasystem has no clusters; expected 1 or more");
    }
    if ((unsigned)metasystem->time_unit > INLAY_UNIT_TICK) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the metasystem has time unit %d; expected 0 to %d",
                         (int)metasystem->time_unit, INLAY_UNIT_TICK);
    }
    if (metasystem->networks > INT32_MAX || (metasystem->networks > 0 && metasystem->network == NULL) ||
        (metasystem->routes > 0 && metasystem->route == NULL)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%zu networks and %zu routes, but nothing that they are; expected "
                         "an array of each",
                         metasystem->networks, metasystem->routes);
    }
    int status = check_costs("the router between networks", "", metasystem->router_latency, metasystem->router_per_byte,
                             metasystem->coercion, diag);
    status = status == INLAY_OK ? check_networks(metasystem, diag) : status;
    status = status == INLAY_OK ? check_clusters(metasystem, diag) : status;
    return status == INLAY_OK ? check_routes(metasystem, diag) : status;
}

/* ---- Ways ---- */

static const inlay_metasystem_route *find_route(const inlay_metasystem *metasystem, int32_t low, int32_t high)
{
    uint64_t wanted = (uint64_t)low << 32 | (uint64_t)high;
    for (size_t i = 0; i < metasystem->routes; i++) {
        if (pair_of(&metasystem->route[i]) == wanted) {
            return &metasystem->route[i];
        }
    }
    return NULL;
}

/* @param network  -1: the metasystem itself, between networks that lie in none */
static void pay(const inlay_metasystem *metasystem, int32_t network, inlay_metasystem_route *way)
{
    way->latency += network < 0 ? metasystem->router_latency : metasystem->network[network].router_latency;
    way->per_byte += network < 0 ? metasystem->router_per_byte : metasystem->network[network].router_per_byte;
}

/* The smallest network that holds two of them; one of the two where it holds the other, -1 the metasystem itself. */
static int32_t common(const inlay_metasystem *metasystem, int32_t a, int32_t b)
{
    while (a != b) { /* what is around a network has a smaller number */
        int32_t *deeper = a > b ? &a : &b;
        *deeper = metasystem->network[*deeper].parent;
    }
    return a;
}

/* The routers of what lies around `network`, below `end`. */
static void pay_below(const inlay_metasystem *metasystem, int32_t network, int32_t end, inlay_metasystem_route *way)
{
    while (network != end && metasystem->network[network].parent != end) {
        network = metasystem->network[network].parent;
        pay(metasystem, network, way);
    }
}

static void pay_routers(const inlay_metasystem *metasystem, int32_t low, int32_t high, inlay_metasystem_route *way)
{
    if (metasystem->networks == 0) {
        pay(metasystem, -1, way);
        return;
    }
    int32_t a = metasystem->cluster[low].network, b = metasystem->cluster[high].network;
    if (a != b) {
        int32_t end = common(metasystem, a, b);
        pay_below(metasystem, a, end, way);
        pay_below(metasystem, b, end, way);
        pay(metasystem, end, way);
    }
}

static bool formats_differ(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a != b : strcmp(a, b) != 0;
}

inlay_metasystem_route inlay_metasystem_way(const inlay_metasystem *metasystem, int32_t from, int32_t to)
{
    inlay_metasystem_route way = {.from = from, .to = to};
    /* sums are made in one order whatever the direction: both are the same to the last digit */
    int32_t low = from < to ? from : to, high = from < to ? to : from;
    if (low == high) {
        return way;
    }
    const inlay_metasystem_route *route = find_route(metasystem, low, high);
    if (route != NULL) {
        way.latency = route->latency;
        way.per_byte = route->per_byte;
        way.coercion = route->coercion;
        return way;
    }
    pay_routers(metasystem, low, high, &way);
    bool coerced = formats_differ(metasystem->cluster[low].format, metasystem->cluster[high].format);
    way.coercion = coerced ? metasystem->coercion : 0;
    return way;
}

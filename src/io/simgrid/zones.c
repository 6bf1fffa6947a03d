/* Zones of platform files, and the hosts and routers in them. */
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/simgrid/reader.h"
#include <math.h>
#include <string.h>

/* ---- Names ---- */

static int check_point(const simgrid_reader *in, const char *what, const char *name, long line)
{
    if (*name == '\0') {
        return simgrid_fail(in, line, "%s with an empty name; expected one", what);
    }
    if (name_map_get(&in->points, name) >= 0) {
        return simgrid_fail(in, line,
                            "%s '%s' is not the first of that name; expected hosts, routers and zones to "
                            "have names of their own",
                            what, name);
    }
    return INLAY_OK;
}

static int name_point(simgrid_reader *in, int32_t point)
{
    return name_map_put(&in->points, in->tree->point_name[point], point) ? INLAY_OK : diag_no_memory(in->diag);
}

static int add_point(simgrid_reader *in, const char *what, point_kind kind, const char *name, long line, int32_t *point)
{
    int status = check_point(in, what, name, line);
    if (status == INLAY_OK && in->tree->zone[in->zone].nests) {
        status = simgrid_fail(in, line, "%s '%s' in a zone that holds zones; expected either hosts or zones in a zone",
                              what, name);
    }
    if (status != INLAY_OK) {
        return status;
    }
    *point = zone_add_point(in->tree, in->zone, kind, name);
    return *point < 0 ? diag_no_memory(in->diag) : name_point(in, *point);
}

int simgrid_add_host(simgrid_reader *in, const char *name, machine_host host, long line, int32_t *point)
{
    if (in->hosts == ZONE_MAX_HOSTS) {
        return simgrid_fail(in, line, "more than %d hosts; expected fewer", ZONE_MAX_HOSTS);
    }
    if (!memory_grow((void **)&in->host, &in->host_capacity, in->hosts + 1, sizeof *in->host)) {
        return diag_no_memory(in->diag);
    }
    int status = add_point(in, "host", POINT_HOST, name, line, point);
    if (status == INLAY_OK) {
        in->host[in->hosts++] = host;
    }
    return status;
}

int simgrid_add_router(simgrid_reader *in, const char *name, long line, int32_t *point)
{
    return add_point(in, "router", POINT_ROUTER, name, line, point);
}

/* ---- Zones ---- */

static int check_place(const simgrid_reader *in, const char *name, long line)
{
    if (in->zone < 0) {
        return !in->rooted ? INLAY_OK
                           : simgrid_fail(in, line, "zone '%s' beside another one; expected one zone around all", name);
    }
    const zone *around = &in->tree->zone[in->zone];
    if (around->points > 0 && !around->nests) {
        return simgrid_fail(in, line, "zone '%s' in a zone that holds hosts; expected either hosts or zones in a zone",
                            name);
    }
    if (around->kind == ZONE_STAR) {
        return simgrid_fail(in, line, "zone '%s' in a zone with routing Cluster; expected hosts there", name);
    }
    if (around->depth + 1 >= ZONE_MAX_DEPTH) {
        return simgrid_fail(in, line, "zone '%s' is %d deep in others; expected at most %d zones in each other", name,
                            around->depth + 1, ZONE_MAX_DEPTH);
    }
    return INLAY_OK;
}

int simgrid_add_zone(simgrid_reader *in, const char *name, zone_kind kind, long line)
{
    int status = check_place(in, name, line);
    status = status == INLAY_OK ? check_point(in, "zone", name, line) : status;
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&in->zone_line, &in->zone_capacity, in->tree->zones + 1, sizeof *in->zone_line)) {
        return diag_no_memory(in->diag);
    }
    int32_t number = zone_add(in->tree, in->zone, kind, name);
    if (number < 0) {
        return diag_no_memory(in->diag);
    }
    in->zone_line[number] = line;
    in->zone = number;
    in->rooted = true;
    return name_point(in, in->tree->zone[number].self);
}

static const struct {
    const char *name;
    zone_kind kind;
} routings[] = {
    {"Full", ZONE_FULL},
    {"Floyd", ZONE_FLOYD},
    {"Dijkstra", ZONE_DIJKSTRA},
    {"Cluster", ZONE_STAR},
    {"DijkstraCache", ZONE_DIJKSTRA},
    {"Vivaldi", ZONE_VIVALDI},
    {"None", ZONE_NONE},
};

int simgrid_open_zone(simgrid_reader *in, const simgrid_tag *tag)
{
    const char *name = simgrid_value(tag, "id");
    const char *routing = simgrid_value(tag, "routing");
    if (plain_same(routing, "Wifi")) {
        return simgrid_fail(in, tag->line,
                            "zone '%s' with routing %s; expected another routing: no medium is shared by "
                            "radio here",
                            name, routing);
    }
    for (size_t i = 0; i < sizeof routings / sizeof *routings; i++) {
        if (plain_same(routing, routings[i].name)) {
            return simgrid_add_zone(in, name, routings[i].kind, tag->line);
        }
    }
    return simgrid_fail(in, tag->line,
                        "zone '%s' with routing '%s'; expected Full, Floyd, Dijkstra, DijkstraCache, "
                        "Cluster, Vivaldi or None",
                        name, routing);
}

/*
 * A zone in a Vivaldi zone is where its gateway is: the host or router in it, at any depth, that is called like the zone
 * behind "router_".
 */
static int place_zone(simgrid_reader *in, int32_t point, int32_t *gateway)
{
    const char *name = in->tree->point_name[point];
    long line = in->zone_line[in->tree->point[point].refers];
    text_buffer wanted = {0};
    text_addf(&wanted, "router_%s", name);
    *gateway = wanted.failed ? -1 : name_map_get(&in->points, wanted.data);
    bool failed = wanted.failed;
    text_clear(&wanted);
    if (failed) {
        return diag_no_memory(in->diag);
    }
    bool fits = *gateway >= 0 && in->tree->point[*gateway].kind != POINT_ZONE &&
                zone_holds(in->tree, in->tree->point[point].refers, *gateway) && zone_is_placed(in->tree, *gateway);
    if (!fits) {
        return simgrid_fail(in, line,
                            "zone '%s' in a Vivaldi zone; expected a router 'router_%s' with coordinates in it, "
                            "through which its messages go",
                            name, name);
    }
    double *place = zone_place_of(in->tree, point);
    if (place == NULL) {
        return diag_no_memory(in->diag);
    }
    const zone_point *at = &in->tree->point[*gateway];
    memcpy(place, in->tree->zone[at->zone].place[at->rank], sizeof *in->tree->zone[at->zone].place);
    return INLAY_OK;
}

static int place_zones(simgrid_reader *in, zone *z)
{
    int status = INLAY_OK;
    z->gateway = memory_array((size_t)z->points, sizeof *z->gateway);
    if (z->gateway == NULL) {
        return diag_no_memory(in->diag);
    }
    for (size_t i = (size_t)z->self + 1; i < in->tree->points && status == INLAY_OK; i++) { /* all are within it */
        if (in->tree->point[i].zone == in->zone) {
            status = place_zone(in, (int32_t)i, &z->gateway[in->tree->point[i].rank]);
        }
    }
    return status;
}

/* Every point of a Vivaldi zone has a place; the number of pairs is bounded. */
static int check_places(simgrid_reader *in, zone *z)
{
    long line = in->zone_line[in->zone];
    if (z->points > ZONE_MAX_VIVALDI) {
        return simgrid_fail(in, line, "%d %s in a Vivaldi zone; expected at most %d", z->points,
                            z->nests ? "zones" : "hosts and routers", ZONE_MAX_VIVALDI);
    }
    if (z->nests) {
        return place_zones(in, z);
    }
    for (int32_t rank = 0; rank < z->points; rank++) {
        if (!zone_is_placed(in->tree, z->self + 1 + rank)) {
            /* the points of a zone without zones follow it without a gap */
            return simgrid_fail(in, line, "'%s' has no coordinates; expected some of all in a Vivaldi zone",
                                in->tree->point_name[z->self + 1 + rank]);
        }
    }
    return INLAY_OK;
}

int simgrid_close_zone(simgrid_reader *in)
{
    zone *z = &in->tree->zone[in->zone];
    int status = INLAY_OK;
    if (z->kind == ZONE_VIVALDI) {
        status = check_places(in, z);
    } else if (z->kind == ZONE_STAR) {
        status = simgrid_join_spokes(in);
    }
    in->zone = in->tree->zone[in->zone].parent;
    return status;
}

/* ---- Hosts and routers ---- */

/* "x y z": x and y in the plane, z the height, all in milliseconds. */
static int take_coordinates(simgrid_reader *in, const simgrid_tag *tag, int32_t point)
{
    const char *text = simgrid_value(tag, "coordinates");
    if (*text == '\0') {
        return INLAY_OK;
    }
    double *place = zone_place_of(in->tree, point);
    if (place == NULL) {
        return diag_no_memory(in->diag);
    }
    const char *at = text;
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        char *end;
        place[i] = plain_number(at, &end);
        good = end != at && isfinite(place[i]);
        at = end;
    }
    if (!good || at[strspn(at, " \t\r\n")] != '\0') {
        return simgrid_fail(in, tag->line, "coordinates '%s'; expected three numbers", text);
    }
    return INLAY_OK;
}

static void look_for_profiles(simgrid_reader *in, const simgrid_tag *tag)
{
    if (*simgrid_value(tag, "speed_file") != '\0' || *simgrid_value(tag, "availability_file") != '\0' ||
        *simgrid_value(tag, "state_file") != '\0') {
        simgrid_leave_profile(in, tag);
    }
}

int simgrid_open_host(simgrid_reader *in, const simgrid_tag *tag)
{
    enum { MOST_CORES = 1000000, MOST_STATES = 1000 };
    machine_host host = {.memory = -1};
    int32_t state = 0;
    int32_t cores = 1;
    int32_t point;
    int status = simgrid_count_of(in, tag, "core", 1, MOST_CORES, &cores);
    status = status == INLAY_OK ? simgrid_count_of(in, tag, "pstate", 0, MOST_STATES, &state) : status;
    status = status == INLAY_OK ? simgrid_state_speed(in, tag, state, &host.flops) : status;
    if (status == INLAY_OK) {
        host.cores = cores;
        status = simgrid_add_host(in, simgrid_value(tag, "id"), host, tag->line, &point);
    }
    if (status == INLAY_OK) {
        look_for_profiles(in, tag);
        status = take_coordinates(in, tag, point);
    }
    return status;
}

int simgrid_open_router(simgrid_reader *in, const simgrid_tag *tag)
{
    int32_t point;
    int status = simgrid_add_router(in, simgrid_value(tag, "id"), tag->line, &point);
    return status == INLAY_OK ? take_coordinates(in, tag, point) : status;
}

/* A link of a peer to the rest, with its one end. */
static int peer_link(simgrid_reader *in, const simgrid_tag *tag, int32_t point, bool up, inlay_id *link)
{
    text_buffer name = {0};
    simgrid_cable cable = {.one_way = true, .from = up ? point : -1, .to = up ? -1 : point};
    text_addf(&name, "link_%s_%s", simgrid_value(tag, "id"), up ? "UP" : "DOWN");
    int status = name.failed ? diag_no_memory(in->diag)
                             : simgrid_bandwidth_of(in, tag, up ? "bw_out" : "bw_in", &cable.capacity);
    status = status == INLAY_OK ? simgrid_add_cable(in, name.data, &cable, tag->line, link) : status;
    text_clear(&name);
    return status;
}

static int add_peer_links(simgrid_reader *in, const simgrid_tag *tag, int32_t point)
{
    inlay_id up;
    inlay_id down;
    int status = peer_link(in, tag, point, true, &up);
    status = status == INLAY_OK ? peer_link(in, tag, point, false, &down) : status;
    if (status != INLAY_OK) {
        return status;
    }
    zone_spoke *spoke = zone_spoke_of(in->tree, point);
    return spoke != NULL && zone_add_way(in->tree, &up, 1, &spoke->up) && zone_add_way(in->tree, &down, 1, &spoke->down)
               ? INLAY_OK
               : diag_no_memory(in->diag);
}

int simgrid_open_peer(simgrid_reader *in, const simgrid_tag *tag)
{
    machine_host host = {.cores = 1, .memory = -1};
    int32_t point;
    if (in->tree->zone[in->zone].kind != ZONE_VIVALDI) {
        return simgrid_fail(in, tag->line, "peer '%s' in a zone with another routing; expected Vivaldi",
                            simgrid_value(tag, "id"));
    }
    int status = simgrid_speed_of(in, tag, "speed", simgrid_value(tag, "speed"), &host.flops);
    status = status == INLAY_OK ? simgrid_add_host(in, simgrid_value(tag, "id"), host, tag->line, &point) : status;
    if (status == INLAY_OK) {
        look_for_profiles(in, tag);
        status = take_coordinates(in, tag, point);
    }
    return status == INLAY_OK ? add_peer_links(in, tag, point) : status;
}

/*
 * Properties are remarks to SimGrid. Some are Inlay's own: type and memory of a host; of a zone, the speed of a host on
 * which the times of modules hold.
 */
int simgrid_open_prop(simgrid_reader *in, const simgrid_tag *tag)
{
    const char *name = simgrid_value(tag, "id");
    const char *value = simgrid_value(tag, "value");
    simgrid_element around = in->stack[in->depth - 2];
    if ((around == SIMGRID_ZONE || around == SIMGRID_AS) && strcmp(name, "inlay_speed") == 0) {
        return simgrid_speed_of(in, tag, "inlay_speed", value, &in->flops);
    }
    if (around != SIMGRID_HOST) {
        return INLAY_OK;
    }
    machine_host *host = &in->host[in->hosts - 1];
    if (strcmp(name, "inlay_memory") == 0) {
        if (inlay_bytes_parse(value, &host->memory) != INLAY_OK) {
            return simgrid_fail(in, tag->line, "inlay_memory '%s'; expected a whole number of bytes", value);
        }
    } else if (strcmp(name, "inlay_type") == 0 && host->type == NULL) {
        host->type = memory_string(value);
        return host->type == NULL ? diag_no_memory(in->diag) : INLAY_OK;
    }
    return INLAY_OK;
}

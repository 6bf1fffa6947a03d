/* Routes of platform files: within zones, between them, and bypasses. */
#include "base/memory.h"
#include "base/plain.h"
#include "io/simgrid/reader.h"
#include <string.h>

static bool is_bypass(const simgrid_rule *rule)
{
    return strncmp(rule->name, "bypass", strlen("bypass")) == 0;
}

static bool has_gateways(const simgrid_rule *rule)
{
    return rule != simgrid_rule_of(SIMGRID_ROUTE) && rule != simgrid_rule_of(SIMGRID_BYPASS_ROUTE);
}

/* The point that an end names: of this zone, but for bypasses between zones at any depth. */
static int find_end(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, int32_t *point)
{
    bool zones = has_gateways(tag->rule);
    const char *name = simgrid_value(tag, attribute);
    const char *wanted = zones ? "a zone" : "a host or router";
    *point = name_map_get(&in->points, name);
    if (*point < 0) {
        return simgrid_fail(in, tag->line, "%s %s='%s' names nothing; expected %s that stands before it",
                            tag->rule->name, attribute, name, wanted);
    }
    const zone_point *p = &in->tree->point[*point];
    bool here = p->zone == in->zone || (zones && is_bypass(tag->rule) && zone_holds(in->tree, in->zone, *point));
    if ((p->kind == POINT_ZONE) != zones || !here) {
        return simgrid_fail(in, tag->line, "%s %s='%s'; expected %s of zone '%s'", tag->rule->name, attribute, name,
                            wanted, in->tree->point_name[in->tree->zone[in->zone].self]);
    }
    return INLAY_OK;
}

/* The gateway of an end that is a zone: a host or router in it. */
static int find_gateway(const simgrid_reader *in, const simgrid_tag *tag, const char *attribute, int32_t end,
                        int32_t *point)
{
    const char *name = simgrid_value(tag, attribute);
    *point = name_map_get(&in->points, name);
    bool fits = *point >= 0 && in->tree->point[*point].kind != POINT_ZONE &&
                zone_holds(in->tree, in->tree->point[end].refers, *point);
    return fits ? INLAY_OK
                : simgrid_fail(in, tag->line, "%s %s='%s'; expected a host or router in zone '%s'", tag->rule->name,
                               attribute, name, in->tree->point_name[end]);
}

static int take_symmetry(simgrid_reader *in, const simgrid_tag *tag)
{
    if (is_bypass(tag->rule)) {
        return INLAY_OK;
    }
    const char *value = simgrid_value(tag, "symmetrical");
    in->way.symmetrical = plain_same(value, "yes");
    return in->way.symmetrical || plain_same(value, "no")
               ? INLAY_OK
               : simgrid_fail(in, tag->line, "%s symmetrical='%s'; expected YES or NO", tag->rule->name, value);
}

static int take_gateways(simgrid_reader *in, const simgrid_tag *tag)
{
    simgrid_way *way = &in->way;
    if (!has_gateways(tag->rule)) {
        return INLAY_OK;
    }
    if (way->from == way->to) {
        return simgrid_fail(in, tag->line, "%s from zone '%s' to itself; expected two zones", tag->rule->name,
                            in->tree->point_name[way->from]);
    }
    int status = find_gateway(in, tag, "gw_src", way->from, &way->gw_from);
    return status == INLAY_OK ? find_gateway(in, tag, "gw_dst", way->to, &way->gw_to) : status;
}

/* Zones whose routing follows from something else take no routes, but from a host of a cluster to itself. */
static int check_routing(const simgrid_reader *in, const simgrid_tag *tag)
{
    const zone *z = &in->tree->zone[in->zone];
    bool itself = !has_gateways(tag->rule) && in->way.from == in->way.to;
    bool routed = z->kind == ZONE_FULL || z->kind == ZONE_FLOYD || z->kind == ZONE_DIJKSTRA;
    if (routed || is_bypass(tag->rule) || (itself && z->kind != ZONE_NONE)) {
        return INLAY_OK;
    }
    const char *routing = z->kind == ZONE_NONE ? "None" : z->kind == ZONE_STAR ? "Cluster" : "Vivaldi";
    return simgrid_fail(in, tag->line, "%s in a zone with routing %s; expected none there", tag->rule->name, routing);
}

int simgrid_open_route(simgrid_reader *in, const simgrid_tag *tag)
{
    simgrid_way *way = &in->way;
    way->rule = tag->rule;
    way->line = tag->line;
    way->gw_from = way->gw_to = -1;
    way->symmetrical = false;
    way->count = 0;
    int status = find_end(in, tag, "src", &way->from);
    status = status == INLAY_OK ? find_end(in, tag, "dst", &way->to) : status;
    status = status == INLAY_OK ? check_routing(in, tag) : status;
    status = status == INLAY_OK ? take_symmetry(in, tag) : status;
    return status == INLAY_OK ? take_gateways(in, tag) : status;
}

/* The link, and that of the way back: the other half of a split one, else the same. */
static int find_link(const simgrid_reader *in, const simgrid_tag *tag, inlay_id *link, inlay_id *back)
{
    const char *name = simgrid_value(tag, "id");
    const char *direction = simgrid_value(tag, "direction");
    inlay_id plain = name_map_get(&in->links, name);
    inlay_id split = name_map_get(&in->cables, name);
    bool up = strcmp(direction, "UP") == 0;
    if (!up && strcmp(direction, "DOWN") != 0 && strcmp(direction, "NONE") != 0) {
        return simgrid_fail(in, tag->line, "link_ctn direction='%s'; expected UP, DOWN or NONE", direction);
    }
    if (plain < 0 && split < 0) {
        return simgrid_fail(in, tag->line, "link_ctn id='%s' names no link; expected one that stands before it", name);
    }
    if (strcmp(direction, "NONE") == 0) {
        *link = *back = plain;
        return plain >= 0 ? INLAY_OK
                          : simgrid_fail(in, tag->line,
                                         "link_ctn of the split link '%s'; expected direction UP or DOWN", name);
    }
    if (split < 0) {
        return simgrid_fail(in, tag->line, "link_ctn direction=%s of '%s', which is not split; expected no direction",
                            direction, name);
    }
    *link = up ? split : split + 1;
    *back = up ? split + 1 : split;
    return INLAY_OK;
}

int simgrid_open_link_ctn(simgrid_reader *in, const simgrid_tag *tag)
{
    simgrid_way *way = &in->way;
    inlay_id link = -1;
    inlay_id back = -1;
    int status = find_link(in, tag, &link, &back);
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&way->link, &way->capacity, way->count + 1, sizeof *way->link) ||
        !memory_grow((void **)&way->back, &way->back_capacity, way->count + 1, sizeof *way->back)) {
        return diag_no_memory(in->diag);
    }
    way->link[way->count] = link;
    way->back[way->count++] = back;
    return INLAY_OK;
}

static int store_bypass(simgrid_reader *in)
{
    const simgrid_way *way = &in->way;
    zone_bypass bypass = {way->from, way->to, way->gw_from, way->gw_to, {0, 0}, way->line};
    int status = simgrid_set_way(in, way->link, way->count, &bypass.way);
    if (status == INLAY_OK && !zone_add_bypass(in->tree, in->zone, &bypass)) {
        status = diag_no_memory(in->diag);
    }
    return status;
}

static int store_route(simgrid_reader *in, zone_route route, const inlay_id *links)
{
    int status = simgrid_set_way(in, links, in->way.count, &route.way);
    if (status == INLAY_OK && !zone_add_route(in->tree, in->zone, &route)) {
        status = diag_no_memory(in->diag);
    }
    return status;
}

static void turn_round(inlay_id *links, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        inlay_id kept = links[i];
        links[i] = links[count - 1 - i];
        links[count - 1 - i] = kept;
    }
}

int simgrid_close_route(simgrid_reader *in)
{
    simgrid_way *way = &in->way;
    if (way->count == 0) {
        return simgrid_fail(in, way->line, "%s without links; expected link_ctn in it", way->rule->name);
    }
    if (is_bypass(way->rule)) {
        return store_bypass(in);
    }
    if (way->from == way->to) {
        return INLAY_OK; /* within a host, messages take no time here */
    }
    int32_t from = in->tree->point[way->from].rank;
    int32_t to = in->tree->point[way->to].rank;
    int status = store_route(in, (zone_route){from, to, way->gw_from, way->gw_to, {0, 0}, 0, way->line}, way->link);
    if (status == INLAY_OK && way->symmetrical) {
        turn_round(way->back, way->count);
        status = store_route(in, (zone_route){to, from, way->gw_to, way->gw_from, {0, 0}, 0, way->line}, way->back);
    }
    return status;
}

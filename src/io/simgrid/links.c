/* Links of platform files, and those of the hosts of a cluster zone. */
#include "base/memory.h"
#include "base/text.h"
#include "io/simgrid/reader.h"
#include "io/simgrid/simgrid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

static int add_link(simgrid_reader *in, const char *name, const simgrid_cable *cable, long line, inlay_id *link)
{
    if (name_map_get(&in->links, name) >= 0) {
        return simgrid_fail(in, line,
                            "link '%s' is not the first of that name; expected links to have names of their "
                            "own",
                            name);
    }
    if (in->tree->links == ZONE_MAX_LINKS) {
        return simgrid_fail(in, line, "more than %d links; expected fewer", ZONE_MAX_LINKS);
    }
    double capacity = cable->capacity >= SIMGRID_BOUNDLESS ? (double)INFINITY : cable->capacity;
    *link = zone_add_link(in->tree, name, capacity, cable->latency);
    if (*link < 0 || !name_map_put(&in->links, in->tree->link_name[*link], *link)) {
        return diag_no_memory(in->diag);
    }
    topology_link *made = &in->tree->link[*link];
    made->parallel = cable->parallel;
    made->shared = !cable->split && !cable->one_way;
    made->from = cable->from;
    made->to = cable->to;
    return INLAY_OK;
}

static int name_cable(simgrid_reader *in, const char *name, long line, inlay_id link)
{
    if (name_map_get(&in->cables, name) >= 0) {
        return simgrid_fail(in, line,
                            "link '%s' is not the first of that name; expected links to have names of their "
                            "own",
                            name);
    }
    if (!memory_grow((void **)&in->cable_name, &in->cable_capacity, in->cables_named + 1, sizeof *in->cable_name)) {
        return diag_no_memory(in->diag);
    }
    char *copy = memory_string(name);
    if (copy == NULL) {
        return diag_no_memory(in->diag);
    }
    in->cable_name[in->cables_named++] = copy;
    return name_map_put(&in->cables, copy, link) ? INLAY_OK : diag_no_memory(in->diag);
}

int simgrid_add_cable(simgrid_reader *in, const char *name, const simgrid_cable *cable, long line, inlay_id *link)
{
    if (*name == '\0') {
        return simgrid_fail(in, line, "link with an empty name; expected one");
    }
    if (!cable->split) {
        return add_link(in, name, cable, line, link);
    }
    text_buffer half = {0};
    simgrid_cable back = *cable;
    back.from = cable->to;
    back.to = cable->from;
    inlay_id down;
    text_addf(&half, "%s_UP", name);
    int status = half.failed ? diag_no_memory(in->diag) : add_link(in, half.data, cable, line, link);
    if (status == INLAY_OK) {
        half.size = 0;
        text_addf(&half, "%s_DOWN", name);
        status = half.failed ? diag_no_memory(in->diag) : add_link(in, half.data, &back, line, &down);
    }
    text_clear(&half);
    return status == INLAY_OK ? name_cable(in, name, line, *link) : status;
}

int simgrid_set_way(const simgrid_reader *in, const inlay_id *links, size_t count, zone_way *way)
{
    return zone_add_way(in->tree, links, count, way) ? INLAY_OK : diag_no_memory(in->diag);
}

/* ---- Links ---- */

static int take_policy(const simgrid_reader *in, const simgrid_tag *tag, simgrid_cable *cable)
{
    const char *policy = simgrid_value(tag, "sharing_policy");
    cable->split = strcmp(policy, "SPLITDUPLEX") == 0 || strcmp(policy, "FULLDUPLEX") == 0;
    cable->parallel = strcmp(policy, "FATPIPE") == 0;
    if (cable->split || cable->parallel || strcmp(policy, "SHARED") == 0) {
        return INLAY_OK;
    }
    return simgrid_fail(in, tag->line, "link '%s' with sharing_policy %s; expected SHARED, SPLITDUPLEX or FATPIPE%s",
                        simgrid_value(tag, "id"), policy,
                        strcmp(policy, "WIFI") == 0 ? ": no medium is shared by radio here" : "");
}

int simgrid_open_link(simgrid_reader *in, const simgrid_tag *tag)
{
    simgrid_cable cable = {.from = -1, .to = -1};
    inlay_id link;
    int status = take_policy(in, tag, &cable);
    status = status == INLAY_OK ? simgrid_bandwidth_of(in, tag, "bandwidth", &cable.capacity) : status;
    status = status == INLAY_OK ? simgrid_time_of(in, tag, "latency", &cable.latency) : status;
    status = status == INLAY_OK ? simgrid_add_cable(in, simgrid_value(tag, "id"), &cable, tag->line, &link) : status;
    if (*simgrid_value(tag, "bandwidth_file") != '\0' || *simgrid_value(tag, "latency_file") != '\0' ||
        *simgrid_value(tag, "state_file") != '\0') {
        simgrid_leave_profile(in, tag);
    }
    return status;
}

static int check_cluster_zone(const simgrid_reader *in, const simgrid_tag *tag)
{
    return in->tree->zone[in->zone].kind == ZONE_STAR
               ? INLAY_OK
               : simgrid_fail(in, tag->line, "%s '%s' in a zone with another routing; expected Cluster",
                              tag->rule->name, simgrid_value(tag, "id"));
}

int simgrid_open_backbone(simgrid_reader *in, const simgrid_tag *tag)
{
    simgrid_cable cable = {.from = -1, .to = -1};
    int status = check_cluster_zone(in, tag);
    if (status == INLAY_OK && in->backbone >= 0) {
        status =
            simgrid_fail(in, tag->line, "a second backbone, '%s'; expected one in a zone", simgrid_value(tag, "id"));
    }
    status = status == INLAY_OK ? simgrid_bandwidth_of(in, tag, "bandwidth", &cable.capacity) : status;
    status = status == INLAY_OK ? simgrid_time_of(in, tag, "latency", &cable.latency) : status;
    return status == INLAY_OK ? simgrid_add_cable(in, simgrid_value(tag, "id"), &cable, tag->line, &in->backbone)
                              : status;
}

/* ---- The links of a cluster zone's hosts: those may stand behind them, so that they are joined at its end ---- */

int simgrid_open_host_link(simgrid_reader *in, const simgrid_tag *tag)
{
    const char *name = simgrid_value(tag, "id");
    int status = check_cluster_zone(in, tag);
    if (status != INLAY_OK) {
        return status;
    }
    int32_t point = name_map_get(&in->points, name);
    if (point < 0 || in->tree->point[point].zone != in->zone) {
        return simgrid_fail(in, tag->line, "host_link of '%s'; expected a host of this zone that stands before it",
                            name);
    }
    if (!memory_grow((void **)&in->spoke, &in->spoke_capacity, in->spokes + 1, sizeof *in->spoke)) {
        return diag_no_memory(in->diag);
    }
    simgrid_spoke *spoke = &in->spoke[in->spokes++];
    *spoke = (simgrid_spoke){.point = point, .line = tag->line};
    spoke->up = memory_string(simgrid_value(tag, "up"));
    spoke->down = memory_string(simgrid_value(tag, "down"));
    return spoke->up != NULL && spoke->down != NULL ? INLAY_OK : diag_no_memory(in->diag);
}

static int find_half(const simgrid_reader *in, const simgrid_spoke *spoke, const char *which, const char *name,
                     inlay_id *link)
{
    if (name == NULL) {
        return INLAY_OK;
    }
    *link = name_map_get(&in->links, name);
    return *link >= 0 ? INLAY_OK
                      : simgrid_fail(in, spoke->line,
                                     "host_link %s='%s' names no link; expected one of the file (NAME_UP or "
                                     "NAME_DOWN of a split one)",
                                     which, name);
}

static int join_spoke(simgrid_reader *in, simgrid_spoke *spoke)
{
    int status = find_half(in, spoke, "up", spoke->up, &spoke->up_link);
    status = status == INLAY_OK ? find_half(in, spoke, "down", spoke->down, &spoke->down_link) : status;
    if (status != INLAY_OK) {
        return status;
    }
    inlay_id up[] = {spoke->up_link, in->backbone};
    inlay_id down[] = {in->backbone, spoke->down_link};
    size_t skip = in->backbone < 0;
    zone_spoke *joined = zone_spoke_of(in->tree, spoke->point);
    return joined != NULL && zone_add_way(in->tree, up, 2 - skip, &joined->up) &&
                   zone_add_way(in->tree, down + skip, 2 - skip, &joined->down)
               ? INLAY_OK
               : diag_no_memory(in->diag);
}

int simgrid_join_spokes(simgrid_reader *in)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < in->spokes; i++) {
        status = status == INLAY_OK ? join_spoke(in, &in->spoke[i]) : status;
        free(in->spoke[i].up);
        free(in->spoke[i].down);
    }
    in->spokes = 0;
    in->backbone = -1;
    return status;
}

/* Clusters of platform files: many like hosts by a list of numbers, each with links to the rest. */
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/simgrid/reader.h"
#include <stdlib.h>
#include <string.h>

/* ---- Radicals: "0-3,7,9-12" ---- */

static bool read_number(const char **at, int32_t *number)
{
    int64_t value = 0;
    if (!plain_digit(**at)) {
        return false;
    }
    for (; plain_digit(**at); (*at)++) {
        value = value * 10 + (**at - '0');
        if (value > INT32_MAX) {
            return false;
        }
    }
    *number = (int32_t)value;
    return true;
}

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

/* "7" or "9-12", up to a comma or the end. */
static bool read_range(const char **at, simgrid_range *range)
{
    skip_blanks(at);
    if (!read_number(at, &range->first)) {
        return false;
    }
    range->last = range->first;
    skip_blanks(at);
    if (**at == '-') {
        ++*at;
        skip_blanks(at);
        if (!read_number(at, &range->last)) {
            return false;
        }
        skip_blanks(at);
    }
    return range->last >= range->first && (**at == ',' || **at == '\0');
}

int simgrid_radical_of(const simgrid_reader *in, const simgrid_tag *tag, simgrid_range **ranges, size_t *count,
                       int64_t *numbers)
{
    const char *text = simgrid_value(tag, "radical");
    const char *at = text;
    size_t capacity = 0;
    int status = INLAY_OK;
    *ranges = NULL;
    *count = 0;
    *numbers = 0;
    for (bool more = true; more && status == INLAY_OK; at += more) {
        simgrid_range range;
        if (!read_range(&at, &range)) {
            status = simgrid_fail(in, tag->line, "%s '%s' with radical '%s'; expected numbers and ranges such as 0-3,7",
                                  tag->rule->name, simgrid_value(tag, "id"), text);
        } else if (!memory_grow((void **)ranges, &capacity, *count + 1, sizeof **ranges)) {
            status = diag_no_memory(in->diag);
        } else {
            (*ranges)[(*count)++] = range;
            *numbers += (int64_t)range.last - range.first + 1;
            more = *at == ',';
        }
    }
    if (status == INLAY_OK && *numbers + (int64_t)in->hosts > ZONE_MAX_HOSTS) {
        status = simgrid_fail(in, tag->line, "%s '%s' with radical '%s' brings more than %d hosts; expected fewer",
                              tag->rule->name, simgrid_value(tag, "id"), text, ZONE_MAX_HOSTS);
    }
    if (status != INLAY_OK) {
        free(*ranges);
        *ranges = NULL;
    }
    return status;
}

/* ---- Flat clusters ---- */

/* What the hosts of a flat cluster have in common. */
typedef struct flat_cluster {
    const simgrid_tag *tag;
    machine_host host;
    simgrid_cable link, backbone, loopback, limiter;
    bool has_backbone, has_loopback, has_limiter;
    inlay_id backbone_link;
    int32_t router;
    text_buffer name;
} flat_cluster;

int simgrid_extra_link(const simgrid_reader *in, const simgrid_tag *tag, const char *bandwidth, const char *latency,
                       simgrid_cable *cable, bool *given)
{
    *cable = (simgrid_cable){.from = -1, .to = -1};
    *given = *simgrid_value(tag, bandwidth) != '\0';
    int status = latency != NULL && *simgrid_value(tag, latency) != '\0'
                     ? simgrid_time_of(in, tag, latency, &cable->latency)
                     : INLAY_OK;
    if (status == INLAY_OK && *given) {
        status = simgrid_bandwidth_of(in, tag, bandwidth, &cable->capacity);
    }
    if (status == INLAY_OK && !*given && cable->latency > 0) {
        status = simgrid_fail(in, tag->line, "cluster '%s' with %s but without %s; expected both",
                              simgrid_value(tag, "id"), latency, bandwidth);
    }
    return status;
}

int simgrid_cluster_sharing(simgrid_reader *in, const simgrid_tag *tag, bool *split)
{
    const char *policy = simgrid_value(tag, "sharing_policy");
    bool fat = strcmp(policy, "FATPIPE") == 0;
    *split = strcmp(policy, "SPLITDUPLEX") == 0 || strcmp(policy, "FULLDUPLEX") == 0;
    if (!*split && !fat && strcmp(policy, "SHARED") != 0) {
        return simgrid_fail(in, tag->line,
                            "cluster '%s' with sharing_policy %s; expected SHARED, SPLITDUPLEX or "
                            "FATPIPE",
                            simgrid_value(tag, "id"), policy);
    }
    if (fat && !in->told_fatpipe) {
        diag_warn(in->diag, "%s:%ld: sharing_policy FATPIPE of a cluster counts as SHARED, as it does in SimGrid 3.32",
                  in->source, tag->line);
        in->told_fatpipe = true;
    }
    return INLAY_OK;
}

static int take_backbone(const simgrid_reader *in, const simgrid_tag *tag, flat_cluster *c)
{
    const char *policy = simgrid_value(tag, "bb_sharing_policy");
    int status = simgrid_extra_link(in, tag, "bb_bw", "bb_lat", &c->backbone, &c->has_backbone);
    if (status != INLAY_OK) {
        return status;
    }
    c->backbone.parallel = strcmp(policy, "FATPIPE") == 0;
    return c->backbone.parallel || strcmp(policy, "SHARED") == 0
               ? INLAY_OK
               : simgrid_fail(in, tag->line, "cluster '%s' with bb_sharing_policy %s; expected SHARED or FATPIPE",
                              simgrid_value(tag, "id"), policy);
}

int simgrid_cluster_host(const simgrid_reader *in, const simgrid_tag *tag, machine_host *host)
{
    enum { MOST_CORES = 1000000 };
    int32_t cores = 1;
    *host = (machine_host){.memory = -1};
    int status = simgrid_count_of(in, tag, "core", 1, MOST_CORES, &cores);
    host->cores = cores;
    return status == INLAY_OK ? simgrid_state_speed(in, tag, 0, &host->flops) : status;
}

static int take_flat(simgrid_reader *in, flat_cluster *c)
{
    const simgrid_tag *tag = c->tag;
    c->link = (simgrid_cable){.from = -1, .to = -1};
    int status = simgrid_cluster_host(in, tag, &c->host);
    status = status == INLAY_OK ? simgrid_bandwidth_of(in, tag, "bw", &c->link.capacity) : status;
    status = status == INLAY_OK ? simgrid_time_of(in, tag, "lat", &c->link.latency) : status;
    status = status == INLAY_OK ? simgrid_cluster_sharing(in, tag, &c->link.split) : status;
    status = status == INLAY_OK ? take_backbone(in, tag, c) : status;
    if (status == INLAY_OK) {
        status = simgrid_extra_link(in, tag, "loopback_bw", "loopback_lat", &c->loopback, &c->has_loopback);
        c->loopback.parallel = true;
    }
    return status == INLAY_OK ? simgrid_extra_link(in, tag, "limiter_link", NULL, &c->limiter, &c->has_limiter)
                              : status;
}

/* A link of host number `number`: "CLUSTER_link_NUMBER" and a suffix. */
static int add_numbered(simgrid_reader *in, flat_cluster *c, const simgrid_cable *cable, int32_t number,
                        const char *suffix, inlay_id *link)
{
    c->name.size = 0;
    text_addf(&c->name, "%s_link_%d%s", simgrid_value(c->tag, "id"), number, suffix);
    return c->name.failed ? diag_no_memory(in->diag) : simgrid_add_cable(in, c->name.data, cable, c->tag->line, link);
}

/* Up over the limiter, the link and the backbone; down the other way round. */
static int join_host(simgrid_reader *in, const flat_cluster *c, int32_t point, inlay_id link, inlay_id limiter)
{
    inlay_id up[3];
    inlay_id down[3];
    size_t count = 0;
    if (c->has_limiter) {
        up[count++] = limiter;
    }
    up[count++] = link;
    if (c->has_backbone) {
        up[count++] = c->backbone_link;
    }
    for (size_t i = 0; i < count; i++) {
        inlay_id way = up[count - 1 - i];
        down[i] = way == link && c->link.split ? link + 1 : way;
    }
    zone_spoke *spoke = zone_spoke_of(in->tree, point);
    return spoke != NULL && zone_add_way(in->tree, up, count, &spoke->up) &&
                   zone_add_way(in->tree, down, count, &spoke->down)
               ? INLAY_OK
               : diag_no_memory(in->diag);
}

static int add_flat_host(simgrid_reader *in, flat_cluster *c, int32_t number)
{
    const simgrid_tag *tag = c->tag;
    int32_t point = -1;
    inlay_id link = -1;
    inlay_id limiter = -1;
    inlay_id loopback;
    c->name.size = 0;
    text_addf(&c->name, "%s%d%s", simgrid_value(tag, "prefix"), number, simgrid_value(tag, "suffix"));
    int status =
        c->name.failed ? diag_no_memory(in->diag) : simgrid_add_host(in, c->name.data, c->host, tag->line, &point);
    if (status == INLAY_OK && c->has_loopback) {
        c->loopback.from = c->loopback.to = point;
        status = add_numbered(in, c, &c->loopback, number, "_loopback", &loopback);
    }
    if (status == INLAY_OK && c->has_limiter) {
        c->limiter.from = point;
        c->limiter.to = c->router;
        status = add_numbered(in, c, &c->limiter, number, "_limiter", &limiter);
    }
    if (status == INLAY_OK) {
        c->link.from = point;
        c->link.to = c->router;
        status = add_numbered(in, c, &c->link, number, "", &link);
    }
    return status == INLAY_OK ? join_host(in, c, point, link, limiter) : status;
}

static int add_router(simgrid_reader *in, flat_cluster *c)
{
    const char *name = simgrid_value(c->tag, "router_id");
    c->name.size = 0;
    if (*name != '\0') {
        text_add(&c->name, name);
    } else {
        text_addf(&c->name, "%s%s_router%s", simgrid_value(c->tag, "prefix"), simgrid_value(c->tag, "id"),
                  simgrid_value(c->tag, "suffix"));
    }
    return c->name.failed ? diag_no_memory(in->diag) : simgrid_add_router(in, c->name.data, c->tag->line, &c->router);
}

static int add_backbone(simgrid_reader *in, flat_cluster *c)
{
    c->name.size = 0;
    text_addf(&c->name, "%s_backbone", simgrid_value(c->tag, "id"));
    return c->name.failed ? diag_no_memory(in->diag)
                          : simgrid_add_cable(in, c->name.data, &c->backbone, c->tag->line, &c->backbone_link);
}

static int fill_flat(simgrid_reader *in, flat_cluster *c, const simgrid_range *ranges, size_t count)
{
    int status = add_router(in, c);
    if (status == INLAY_OK && c->has_backbone) {
        status = add_backbone(in, c);
    }
    for (size_t i = 0; i < count; i++) {
        for (int64_t number = ranges[i].first; number <= ranges[i].last && status == INLAY_OK; number++) {
            status = add_flat_host(in, c, (int32_t)number);
        }
    }
    return status;
}

static int open_flat(simgrid_reader *in, const simgrid_tag *tag)
{
    flat_cluster c = {.tag = tag};
    simgrid_range *ranges = NULL;
    size_t count = 0;
    int64_t numbers;
    int32_t around = in->zone;
    int status = take_flat(in, &c);
    status = status == INLAY_OK ? simgrid_radical_of(in, tag, &ranges, &count, &numbers) : status;
    status = status == INLAY_OK ? simgrid_add_zone(in, simgrid_value(tag, "id"), ZONE_STAR, tag->line) : status;
    status = status == INLAY_OK ? fill_flat(in, &c, ranges, count) : status;
    in->zone = around;
    text_clear(&c.name);
    free(ranges);
    return status;
}

int simgrid_open_cluster(simgrid_reader *in, const simgrid_tag *tag)
{
    const char *shape = simgrid_value(tag, "topology");
    if (strcmp(shape, "FLAT") == 0) {
        return open_flat(in, tag);
    }
    if (strcmp(shape, "TORUS") == 0) {
        return simgrid_shaped_cluster(in, tag, ZONE_TORUS);
    }
    if (strcmp(shape, "FAT_TREE") == 0) {
        return simgrid_shaped_cluster(in, tag, ZONE_FAT_TREE);
    }
    if (strcmp(shape, "DRAGONFLY") == 0) {
        return simgrid_shaped_cluster(in, tag, ZONE_DRAGONFLY);
    }
    return simgrid_fail(in, tag->line, "cluster '%s' with topology '%s'; expected FLAT, TORUS, FAT_TREE or DRAGONFLY",
                        simgrid_value(tag, "id"), shape);
}

/* ---- Cabinets: hosts of a cluster zone, each with a link up and one down ---- */

static int cabinet_link(simgrid_reader *in, const simgrid_tag *tag, simgrid_cable cable, const char *host, bool up,
                        inlay_id *link)
{
    text_buffer name = {0};
    text_addf(&name, "link_%s_%s", host, up ? "UP" : "DOWN");
    int status = name.failed ? diag_no_memory(in->diag) : simgrid_add_cable(in, name.data, &cable, tag->line, link);
    text_clear(&name);
    return status;
}

static int add_cabinet_host(simgrid_reader *in, const simgrid_tag *tag, machine_host host, simgrid_cable cable,
                            const char *name)
{
    simgrid_spoke spoke = {.line = tag->line};
    if (!memory_grow((void **)&in->spoke, &in->spoke_capacity, in->spokes + 1, sizeof *in->spoke)) {
        return diag_no_memory(in->diag);
    }
    int status = simgrid_add_host(in, name, host, tag->line, &spoke.point);
    if (status == INLAY_OK) {
        cable.from = spoke.point;
        status = cabinet_link(in, tag, cable, name, true, &spoke.up_link);
    }
    if (status == INLAY_OK) {
        cable.from = -1;
        cable.to = spoke.point;
        status = cabinet_link(in, tag, cable, name, false, &spoke.down_link);
    }
    if (status == INLAY_OK) {
        in->spoke[in->spokes++] = spoke;
    }
    return status;
}

static int fill_cabinet(simgrid_reader *in, const simgrid_tag *tag, machine_host host, simgrid_cable cable)
{
    simgrid_range *ranges = NULL;
    size_t count = 0;
    int64_t numbers;
    text_buffer name = {0};
    int status = simgrid_radical_of(in, tag, &ranges, &count, &numbers);
    for (size_t i = 0; i < count && status == INLAY_OK; i++) {
        for (int64_t number = ranges[i].first; number <= ranges[i].last && status == INLAY_OK; number++) {
            name.size = 0;
            text_addf(&name, "%s%d%s", simgrid_value(tag, "prefix"), (int)number, simgrid_value(tag, "suffix"));
            status = name.failed ? diag_no_memory(in->diag) : add_cabinet_host(in, tag, host, cable, name.data);
        }
    }
    text_clear(&name);
    free(ranges);
    return status;
}

int simgrid_open_cabinet(simgrid_reader *in, const simgrid_tag *tag)
{
    machine_host host = {.cores = 1, .memory = -1};
    simgrid_cable cable = {.one_way = true, .from = -1, .to = -1};
    if (in->tree->zone[in->zone].kind != ZONE_STAR) {
        return simgrid_fail(in, tag->line, "cabinet '%s' in a zone with another routing; expected Cluster",
                            simgrid_value(tag, "id"));
    }
    int status = simgrid_speed_of(in, tag, "speed", simgrid_value(tag, "speed"), &host.flops);
    status = status == INLAY_OK ? simgrid_bandwidth_of(in, tag, "bw", &cable.capacity) : status;
    status = status == INLAY_OK ? simgrid_time_of(in, tag, "lat", &cable.latency) : status;
    return status == INLAY_OK ? fill_cabinet(in, tag, host, cable) : status;
}

/* Clusters of platform files that are a torus, a fat tree or a dragonfly: their links, numbered as SimGrid does. */
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/simgrid/reader.h"
#include <stdlib.h>
#include <string.h>

typedef struct shaped {
    const simgrid_tag *tag;
    zone_kind kind;
    zone_shape shape;
    zone_size size;
    machine_host host;
    simgrid_cable cable, loopback, limiter;
    bool has_loopback;
    int32_t first_point; /* of its hosts, which follow each other */
    int64_t number;      /* of the next cable, in SimGrid's names */
    bool laid;           /* a cable is there */
    text_buffer name;
} shaped;

/* ---- Parameters ---- */

enum { PARTS = 4 };

typedef struct parameters {
    int parts;
    int count[PARTS];
    int32_t value[PARTS][ZONE_MAX_DIMENSIONS];
} parameters;

/* "2;4,4;1,2;1,2": numbers above 0, in parts. */
static bool read_parameters(const char *text, parameters *p)
{
    const char *at = text;
    *p = (parameters){.parts = 1};
    for (;;) {
        int *count = &p->count[p->parts - 1];
        char *end;
        long value = plain_digit(*at) ? strtol(at, &end, 10) : 0;
        if (value < 1 || value > ZONE_MAX_HOSTS || *count == ZONE_MAX_DIMENSIONS) {
            return false;
        }
        p->value[p->parts - 1][(*count)++] = (int32_t)value;
        at = end;
        if (*at == '\0') {
            return true;
        }
        if (*at != ',' && (*at != ';' || p->parts == PARTS)) {
            return false;
        }
        p->parts += *at == ';';
        at++;
    }
}

static bool take_torus(const parameters *p, zone_shape *shape)
{
    shape->dimensions = p->count[0];
    memcpy(shape->size, p->value[0], sizeof shape->size);
    return p->parts == 1;
}

static bool take_fat_tree(const parameters *p, zone_shape *shape)
{
    shape->dimensions = p->value[0][0];
    memcpy(shape->size, p->value[1], sizeof shape->size);
    memcpy(shape->up, p->value[2], sizeof shape->up);
    memcpy(shape->cables, p->value[3], sizeof shape->cables);
    return p->parts == PARTS && p->count[0] == 1 && p->count[1] == shape->dimensions &&
           p->count[2] == shape->dimensions && p->count[3] == shape->dimensions;
}

/* The blue cable to group g ends at blade g of the first chassis: there has to be one. */
static bool take_dragonfly(const parameters *p, zone_shape *shape)
{
    shape->dimensions = PARTS;
    for (int i = 0; i < PARTS; i++) {
        shape->size[i] = p->value[i][0];
        shape->cables[i] = p->value[i][1];
    }
    return p->parts == PARTS && p->count[0] == 2 && p->count[1] == 2 && p->count[2] == 2 && p->count[3] == 1 &&
           shape->size[0] <= shape->size[2];
}

static int take_shape(const simgrid_reader *in, shaped *s)
{
    static const char *const expected[] = {
        [ZONE_TORUS] = "the dimensions, such as 4,4,2",
        [ZONE_FAT_TREE] = "levels;children;parents;cables, each a level's, such as 2;4,4;1,2;1,2",
        [ZONE_DRAGONFLY] =
            "groups,cables;chassis,cables;blades,cables;nodes, at most as many groups as blades: 3,4;4,3;5,1;2",
    };
    const char *text = simgrid_value(s->tag, "topo_parameters");
    parameters p;
    bool good = read_parameters(text, &p);
    good = good && (s->kind == ZONE_TORUS      ? take_torus(&p, &s->shape)
                    : s->kind == ZONE_FAT_TREE ? take_fat_tree(&p, &s->shape)
                                               : take_dragonfly(&p, &s->shape));
    return good ? INLAY_OK
                : simgrid_fail(in, s->tag->line, "cluster '%s' with topo_parameters '%s'; expected %s",
                               simgrid_value(s->tag, "id"), text, expected[s->kind]);
}

/* ---- What the hosts and cables have ---- */

static int take_common(simgrid_reader *in, shaped *s)
{
    s->cable = (simgrid_cable){.from = -1, .to = -1};
    int status = simgrid_cluster_host(in, s->tag, &s->host);
    status = status == INLAY_OK ? simgrid_bandwidth_of(in, s->tag, "bw", &s->cable.capacity) : status;
    status = status == INLAY_OK ? simgrid_time_of(in, s->tag, "lat", &s->cable.latency) : status;
    if (status == INLAY_OK) {
        status = simgrid_cluster_sharing(in, s->tag, &s->cable.split);
        s->shape.split = s->cable.split;
    }
    if (status == INLAY_OK) {
        status = simgrid_extra_link(in, s->tag, "loopback_bw", "loopback_lat", &s->loopback, &s->has_loopback);
        s->loopback.parallel = true;
    }
    return status == INLAY_OK ? simgrid_extra_link(in, s->tag, "limiter_link", NULL, &s->limiter, &s->shape.limited)
                              : status;
}

static int check_size(const simgrid_reader *in, const shaped *s, int64_t numbers)
{
    const char *name = simgrid_value(s->tag, "id");
    int64_t links = s->size.cables * (s->shape.split ? 2 : 1) + 2 * s->size.hosts + s->size.switches;
    if (s->size.hosts + (int64_t)in->hosts > ZONE_MAX_HOSTS || links + (int64_t)in->tree->links > ZONE_MAX_LINKS) {
        return simgrid_fail(in, s->tag->line, "cluster '%s' brings more than %d hosts or %d links; expected fewer",
                            name, ZONE_MAX_HOSTS, ZONE_MAX_LINKS);
    }
    if (numbers < s->size.hosts) {
        return simgrid_fail(in, s->tag->line,
                            "cluster '%s' with %d numbers in radical; expected %d, one for every host", name,
                            (int)numbers, (int)s->size.hosts);
    }
    if (numbers > s->size.hosts) {
        diag_warn(in->diag, "%s:%ld: cluster '%s' has %d hosts; the other %d numbers of its radical are left out",
                  in->source, s->tag->line, name, (int)s->size.hosts, (int)(numbers - s->size.hosts));
    }
    return INLAY_OK;
}

/* ---- Hosts ---- */

/* Number `rank` of a list of ranges. */
static int32_t nth_number(const simgrid_range *ranges, int64_t rank, size_t *at, int64_t *before)
{
    while (rank - *before > (int64_t)ranges[*at].last - ranges[*at].first) {
        *before += (int64_t)ranges[*at].last - ranges[*at].first + 1;
        ++*at;
    }
    return (int32_t)(ranges[*at].first + (rank - *before));
}

static int add_host(simgrid_reader *in, shaped *s, int32_t number)
{
    inlay_id loopback;
    int32_t point;
    s->name.size = 0;
    text_addf(&s->name, "%s%d%s", simgrid_value(s->tag, "prefix"), number, simgrid_value(s->tag, "suffix"));
    int status =
        s->name.failed ? diag_no_memory(in->diag) : simgrid_add_host(in, s->name.data, s->host, s->tag->line, &point);
    if (status != INLAY_OK || !s->has_loopback) {
        return status;
    }
    s->loopback.from = s->loopback.to = point;
    s->name.size = 0;
    text_addf(&s->name, "%s_link_%d_loopback", simgrid_value(s->tag, "id"), number);
    return s->name.failed ? diag_no_memory(in->diag)
                          : simgrid_add_cable(in, s->name.data, &s->loopback, s->tag->line, &loopback);
}

static int add_hosts(simgrid_reader *in, shaped *s, const simgrid_range *ranges)
{
    size_t at = 0;
    int64_t before = 0;
    int status = INLAY_OK;
    s->first_point = (int32_t)in->tree->points;
    for (int64_t rank = 0; rank < s->size.hosts && status == INLAY_OK; rank++) {
        status = add_host(in, s, nth_number(ranges, rank, &at, &before));
    }
    return status;
}

/* SimGrid numbers switches downwards from twice the number of hosts. */
static int64_t switch_name(const shaped *s, int64_t number)
{
    return 2 * s->size.hosts - 1 - number;
}

/* Limiters of the hosts, then of the switches. */
static int add_limiters(simgrid_reader *in, shaped *s)
{
    int status = INLAY_OK;
    s->shape.limiter = (inlay_id)in->tree->links;
    for (int64_t i = 0; s->shape.limited && i < s->size.hosts + s->size.switches && status == INLAY_OK; i++) {
        inlay_id link;
        int64_t name = i < s->size.hosts ? i : switch_name(s, i - s->size.hosts);
        s->name.size = 0;
        text_addf(&s->name, "%s_link_%d_limiter", simgrid_value(s->tag, "id"), (int)name);
        status = s->name.failed ? diag_no_memory(in->diag)
                                : simgrid_add_cable(in, s->name.data, &s->limiter, s->tag->line, &link);
    }
    return status;
}

/* ---- Cables ---- */

/* The cable whose name stands in s->name, as thick as so many. */
static int lay(simgrid_reader *in, shaped *s, int32_t from, int32_t to, int32_t thick)
{
    inlay_id link;
    simgrid_cable cable = s->cable;
    cable.capacity *= thick;
    cable.from = from;
    cable.to = to;
    int status =
        s->name.failed ? diag_no_memory(in->diag) : simgrid_add_cable(in, s->name.data, &cable, s->tag->line, &link);
    if (status == INLAY_OK && !s->laid) {
        s->shape.link = link;
        s->laid = true;
    }
    s->name.size = 0;
    s->number++;
    return status;
}

/* From every node to the next one in every dimension, the last one's being the first. */
static int lay_torus(simgrid_reader *in, shaped *s)
{
    const zone_shape *shape = &s->shape;
    int status = INLAY_OK;
    for (int32_t node = 0; node < s->size.hosts; node++) {
        int32_t stride = 1;
        for (int d = 0; d < shape->dimensions && status == INLAY_OK; d++) {
            bool last = node / stride % shape->size[d] == shape->size[d] - 1;
            int32_t next = last ? node - (shape->size[d] - 1) * stride : node + stride;
            text_addf(&s->name, "%s_link_from_%d_to_%d", simgrid_value(s->tag, "id"), node, next);
            status = lay(in, s, s->first_point + node, s->first_point + next, 1);
            stride *= shape->size[d];
        }
    }
    return status;
}

/* Number of the parent of a level's node, by the digit that tells its parents apart. */
static int64_t parent_of(const zone_shape *shape, int level, int64_t node, int64_t digit)
{
    int64_t below = 1; /* nodes that differ in lower digits alone */
    for (int i = 0; i < level; i++) {
        below *= shape->up[i];
    }
    int64_t low = node % below;
    int64_t high = node / below / shape->size[level];
    return (high * shape->up[level] + digit) * below + low;
}

static int lay_node(simgrid_reader *in, shaped *s, int level, int64_t node, int64_t first, int64_t above)
{
    const zone_shape *shape = &s->shape;
    int status = INLAY_OK;
    int64_t child = level == 0 ? node : switch_name(s, first + node);
    for (int64_t up = 0; up < shape->up[level] && status == INLAY_OK; up++) {
        int64_t parent = switch_name(s, above + parent_of(shape, level, node, up));
        for (int32_t cable = 0; cable < shape->cables[level] && status == INLAY_OK; cable++) {
            text_addf(&s->name, "link_from_%d_%d_%d", (int)child, (int)parent, (int)s->number);
            status = lay(in, s, level == 0 ? s->first_point + (int32_t)node : -1, -1, 1);
        }
    }
    return status;
}

static int lay_fat_tree(simgrid_reader *in, shaped *s)
{
    int status = INLAY_OK;
    int64_t first = 0; /* switches below the level */
    for (int level = 0; level < s->shape.dimensions; level++) {
        int64_t nodes = zone_fat_tree_nodes(&s->shape, level);
        int64_t above = level == 0 ? 0 : first + nodes;
        for (int64_t node = 0; node < nodes && status == INLAY_OK; node++) {
            status = lay_node(in, s, level, node, first, above);
        }
        first = above;
    }
    return status;
}

static int lay_locals(simgrid_reader *in, shaped *s)
{
    int status = INLAY_OK;
    for (int32_t host = 0; host < s->size.hosts && status == INLAY_OK; host++) {
        text_addf(&s->name, "local_link_from_router_%d_to_node_%d_%d", host / s->shape.size[3], host % s->shape.size[3],
                  (int)s->number);
        status = lay(in, s, s->first_point + host, -1, 1);
    }
    return status;
}

static int lay_green(simgrid_reader *in, shaped *s)
{
    const int32_t *size = s->shape.size;
    int status = INLAY_OK;
    for (int32_t chassis = 0; chassis < size[0] * size[1]; chassis++) {
        for (int32_t a = 0; a < size[2]; a++) {
            for (int32_t b = a + 1; b < size[2] && status == INLAY_OK; b++) {
                text_addf(&s->name, "green_link_in_chassis_%d_between_routers_%d_and_%d_%d", chassis % size[1], a, b,
                          (int)s->number);
                status = lay(in, s, -1, -1, s->shape.cables[2]);
            }
        }
    }
    return status;
}

static int lay_black(simgrid_reader *in, shaped *s, int32_t group)
{
    const int32_t *size = s->shape.size;
    int status = INLAY_OK;
    for (int32_t a = 0; a < size[1]; a++) {
        for (int32_t b = a + 1; b < size[1]; b++) {
            for (int32_t blade = 0; blade < size[2] && status == INLAY_OK; blade++) {
                text_addf(&s->name, "black_link_in_group_%d_between_chassis_%d_and_%d_blade_%d_%d", group, a, b, blade,
                          (int)s->number);
                status = lay(in, s, -1, -1, s->shape.cables[1]);
            }
        }
    }
    return status;
}

static int lay_blue(simgrid_reader *in, shaped *s)
{
    const int32_t *size = s->shape.size;
    int status = INLAY_OK;
    for (int32_t a = 0; a < size[0]; a++) {
        for (int32_t b = a + 1; b < size[0] && status == INLAY_OK; b++) {
            text_addf(&s->name, "blue_link_between_group_%d_and_%d_routers_%d_and_%d_%d", a, b,
                      a * size[1] * size[2] + b, b * size[1] * size[2] + a, (int)s->number);
            status = lay(in, s, -1, -1, s->shape.cables[0]);
        }
    }
    return status;
}

static int lay_dragonfly(simgrid_reader *in, shaped *s)
{
    int status = lay_locals(in, s);
    status = status == INLAY_OK ? lay_green(in, s) : status;
    for (int32_t group = 0; group < s->shape.size[0] && status == INLAY_OK; group++) {
        status = lay_black(in, s, group);
    }
    return status == INLAY_OK ? lay_blue(in, s) : status;
}

/* SimGrid goes on counting from one fat tree of a file to the next, and from one dragonfly to the next. */
static int lay_all(simgrid_reader *in, shaped *s)
{
    int status;
    s->name.size = 0;
    switch (s->kind) {
    case ZONE_TORUS: return lay_torus(in, s);
    case ZONE_FAT_TREE:
        s->number = in->tree_cables;
        s->shape.position = in->tree_position;
        status = lay_fat_tree(in, s);
        in->tree_cables = s->number;
        in->tree_position += (int32_t)s->size.hosts;
        return status;
    default:
        s->number = in->fly_cables;
        status = lay_dragonfly(in, s);
        in->fly_cables = s->number;
        return status;
    }
}

static int fill(simgrid_reader *in, shaped *s, const simgrid_range *ranges)
{
    int status = simgrid_add_zone(in, simgrid_value(s->tag, "id"), s->kind, s->tag->line);
    status = status == INLAY_OK ? add_hosts(in, s, ranges) : status;
    status = status == INLAY_OK ? add_limiters(in, s) : status;
    status = status == INLAY_OK ? lay_all(in, s) : status;
    if (status == INLAY_OK) {
        in->tree->zone[in->zone].shape = s->shape;
    }
    return status;
}

int simgrid_shaped_cluster(simgrid_reader *in, const simgrid_tag *tag, zone_kind kind)
{
    shaped s = {.tag = tag, .kind = kind};
    simgrid_range *ranges = NULL;
    size_t count;
    int64_t numbers = 0;
    int32_t around = in->zone;
    int status = take_common(in, &s);
    status = status == INLAY_OK ? take_shape(in, &s) : status;
    status = status == INLAY_OK ? simgrid_radical_of(in, tag, &ranges, &count, &numbers) : status;
    if (status == INLAY_OK) {
        s.size = zone_measure(kind, &s.shape);
        status = check_size(in, &s, numbers);
    }
    status = status == INLAY_OK ? fill(in, &s, ranges) : status;
    in->zone = around;
    text_clear(&s.name);
    free(ranges);
    return status;
}

/* The table of families, and what they share. */
#include "base/memory.h"
#include "machine/machine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Machines that a file gives link by link are no family; they have a row for the attributes of such files. */
static const machine_family graph_row = {
    .name = "links",
    .takes = TAKEN_BY_ALL | ATTRIBUTE_BIT(MODEL) | ATTRIBUTE_BIT(SWITCHING),
    .tgt = family_no_word,
};

static const machine_family *const rows[] = {
    [INLAY_BUS] = &bus_family,
    [INLAY_MULTIBUS] = &multibus_family,
    [INLAY_OMEGA] = &omega_family,
    [INLAY_OMEGA_PE] = &omega_pe_family,
    [INLAY_CROSSBAR] = &crossbar_family,
    [INLAY_STAR] = &star_family,
    [INLAY_RING] = &ring_family,
    [INLAY_MESH] = &mesh_family,
    [INLAY_TORUS] = &torus_family,
    [INLAY_HYPERCUBE] = &hypercube_family,
    [INLAY_TREE] = &tree_family,
    [INLAY_FAT_TREE] = &fat_tree_family,
    [INLAY_DRAGONFLY] = &dragonfly_family,
    [INLAY_RING_OF_RINGS] = &ring_of_rings_family,
    [INLAY_GRAPH] = &graph_row,
};

const machine_family *family_row(inlay_family family)
{
    return rows[family];
}

size_t inlay_families(void)
{
    return INLAY_GRAPH;
}

const char *inlay_family_name(inlay_family family)
{
    return rows[family]->name;
}

const char *inlay_family_operand(inlay_family family)
{
    return rows[family]->operand;
}

const char *inlay_family_summary(inlay_family family)
{
    return rows[family]->summary;
}

bool family_find(const char *name, inlay_family *family)
{
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i]->name, name) == 0) {
            *family = (inlay_family)i;
            return true;
        }
    }
    return false;
}

void family_names(text_buffer *to)
{
    for (size_t i = 0; i < inlay_families(); i++) {
        text_addf(to, "%s%s", i == 0 ? "" : i + 1 < inlay_families() ? ", " : " or ", rows[i]->name);
    }
}

void family_nearest(const char *name, text_buffer *to)
{
    const char *known[sizeof rows / sizeof *rows];
    char nearest[128];
    for (size_t i = 0; i < inlay_families(); i++) {
        known[i] = rows[i]->name;
        if (rows[i]->others != NULL && text_lists(rows[i]->others, name)) {
            text_addf(to, ", perhaps '%s'", known[i]);
            return;
        }
    }
    inlay_nearest(name, known, inlay_families(), "", nearest, sizeof nearest);
    text_add(to, nearest);
}

/* ---- Making a topology ---- */

static bool route(const topology *t, inlay_id from, inlay_id to, route_list *list)
{
    const family_way *way = t->own;
    if (way->family->inputs) {
        return route_add(list, to);
    }
    for (inlay_id at = from; at != to;) {
        inlay_id nth, next = way->family->next(way, at, to, &nth);
        if (!route_add(list, cables_link(&way->cables, at, next, nth))) {
            return false;
        }
        at = next;
    }
    return true;
}

static int walk(const topology *t, inlay_id from, inlay_id to)
{
    const family_way *way = t->own;
    int length = 0;
    for (inlay_id at = from, nth; at != to; length++) {
        at = way->family->next(way, at, to, &nth);
    }
    return length;
}

static void free_way(void *own)
{
    family_way *way = own;
    if (way != NULL) {
        cables_clear(&way->cables);
        free(way);
    }
}

topology *family_make(const machine_family *family, const family_shape *shape, const cable_kind *cable)
{
    family_size size = family->measure(shape);
    topology *t = memory_zeroed(1, sizeof *t);
    family_way *way = memory_zeroed(1, sizeof *way);
    topology_link *links = memory_array(2 * (size_t)size.cables, sizeof *links);
    if (t == NULL || way == NULL || links == NULL) {
        free(t);
        free(way);
        free(links);
        return NULL;
    }
    *way = (family_way){.family = family,
                        .shape = *shape,
                        .hosts = (inlay_id)size.hosts,
                        .nodes = (inlay_id)(size.hosts + size.switches)};
    *t = (topology){.hosts = way->hosts,
                    .nodes = way->nodes,
                    .link = links,
                    .route = route,
                    .distance = family->distance != NULL ? family->distance : walk,
                    .own = way,
                    .free_own = free_way};
    family->cable(t, way, cable);
    if (!family->inputs && !cables_sort(t, &way->cables)) {
        topology_free(t);
        return NULL;
    }
    return t;
}

/* ---- What families share ---- */

int64_t family_hosts(const family_shape *shape)
{
    int64_t hosts = 1;
    for (int d = 0; d < shape->dimensions && hosts <= INT32_MAX; d++) {
        hosts *= shape->size[d];
    }
    return hosts;
}

int64_t family_half(const family_shape *shape)
{
    int64_t hosts = family_hosts(shape);
    return hosts % 2 == 0 ? hosts / 2 : -1;
}

int64_t family_unknown(const family_shape *shape)
{
    (void)shape;
    return -1;
}

/* ---- Places ---- */

static const double full_turn = 6.283185307179586;

family_place family_around(double radius, double part)
{
    double x = radius * sin(full_turn * part), y = -radius * cos(full_turn * part);
    return (family_place){x, y};
}

family_place family_around_groups(double wide, inlay_id group, inlay_id groups)
{
    double radius = groups == 1 ? 0 : wide / 2 / sin(full_turn / 2 / groups);
    return family_around(radius, (groups == 2 ? group - 0.5 : group) / groups); /* two stand side by side */
}

double family_radius(inlay_id hosts)
{
    const double apart = 1.15;
    return hosts < 3 ? 1 : fmax(1.2, apart * hosts / full_turn);
}

family_place family_circle(const family_way *way, inlay_id node)
{
    return node < way->hosts ? family_around(family_radius(way->hosts), (double)node / way->hosts)
                             : (family_place){0, 0};
}

/* ---- Scotch's words ---- */

bool family_complete_graph(const inlay_machine *machine, text_buffer *to)
{
    text_addf(to, "cmplt %d\n", inlay_machine_hosts(machine));
    return true;
}

bool family_no_word(const inlay_machine *machine, text_buffer *to)
{
    (void)machine;
    (void)to;
    return false;
}

void family_add_sizes(const family_shape *shape, text_buffer *to)
{
    for (int d = 0; d < shape->dimensions; d++) {
        text_addf(to, " %d", shape->size[d]);
    }
    text_add(to, "\n");
}

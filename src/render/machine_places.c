/* Where the hosts and switches of the families stand in a picture. */
#include "base/diag.h"
#include "base/memory.h"
#include "render/machine.h"
#include <math.h>
#include <stdlib.h>

static const double full_turn = 6.283185307179586;

/* On a circle, so many parts of a turn clockwise from the top. */
static chart_place_xy around(double radius, double part)
{
    double x = radius * sin(full_turn * part), y = -radius * cos(full_turn * part);
    return (chart_place_xy){x, y};
}

void machine_places_clear(machine_places *places)
{
    free(places->at);
    free(places->joint);
    free(places->lines);
    *places = (machine_places){0};
}

/* ---- Grids ---- */

/* Layers of a third dimension stand side by side. */
static void place_grid(const family_shape *shape, machine_places *places)
{
    const double between_layers = 0.8;
    inlay_id a = shape->size[0], b = shape->dimensions > 1 ? shape->size[1] : 1;
    for (inlay_id host = 0; host < places->count; host++) {
        inlay_id layer = host / a / b;
        places->at[host] = (chart_place_xy){host % a + layer * (a + between_layers), host / a % b};
    }
    places->bows = true;
}

/* The place of a number in the Gray code, in which neighbours differ in one bit. */
static inlay_id gray_place(inlay_id number)
{
    inlay_id place = 0;
    for (; number > 0; number >>= 1) {
        place ^= number;
    }
    return place;
}

/* The lower half of the bits says the column, the upper half the row, both in the order of the Gray code. */
static void place_hypercube(machine_places *places)
{
    int bits = 0;
    while ((inlay_id)1 << bits < places->count) {
        bits++;
    }
    inlay_id columns = (inlay_id)1 << (bits + 1) / 2;
    for (inlay_id host = 0; host < places->count; host++) {
        places->at[host] = (chart_place_xy){gray_place(host % columns), gray_place(host / columns)};
    }
    places->bows = true;
}

/* ---- Circles ---- */

/* Hosts round a circle from the top on, so wide that neighbours do not touch; `centre`, if not -1, in its middle. */
static void place_circle(machine_places *places, inlay_id hosts, inlay_id centre)
{
    const double apart = 1.15;
    double radius = hosts < 3 ? 1 : fmax(1.2, apart * hosts / full_turn);
    for (inlay_id host = 0; host < hosts; host++) {
        places->at[host] = around(radius, (double)host / hosts);
    }
    if (centre >= 0) {
        places->at[centre] = (chart_place_xy){0, 0};
    }
}

/* ---- Trees ---- */

enum { MOST_LEAVES = 40 }; /* side by side; of more the hosts of a switch stand in several rows */

/* Columns that the hosts of one switch take, so that they make a block about as high as wide. */
static inlay_id block_columns(inlay_id hosts_of_switch, inlay_id hosts)
{
    return hosts <= MOST_LEAVES ? hosts_of_switch : (inlay_id)ceil(sqrt(hosts_of_switch));
}

/* Hosts below, each level above them spread over the whole width. */
static void place_tree(const family_way *way, machine_places *places)
{
    const double level_height = 1.5, between_blocks = 0.35;
    const family_shape *shape = &way->shape;
    inlay_id each = shape->size[0], columns = block_columns(each, way->hosts), rows = (each + columns - 1) / columns;
    inlay_id blocks = (way->hosts + each - 1) / each;
    double width = blocks * (columns + between_blocks) - between_blocks - 1;
    for (inlay_id host = 0; host < way->hosts; host++) {
        inlay_id block = host / each, row = host % each / columns;
        places->at[host] = (chart_place_xy){block * (columns + between_blocks) + host % each % columns, row};
    }
    for (int level = 1; level <= shape->dimensions; level++) {
        inlay_id end = level < shape->dimensions ? way->first[level + 1] : places->count;
        inlay_id nodes = end - way->first[level];
        for (inlay_id n = 0; n < nodes; n++) {
            double x = (n + 0.5) / nodes * (width + 1) - 0.5;
            places->at[way->first[level] + n] = (chart_place_xy){x, -level_height * level + (rows > 1 ? 0.3 : 0)};
        }
    }
}

/* ---- Dragonflies ---- */

/* A router and its hosts below it, in a block; a group: its chassis below each other. */
typedef struct group_frame {
    inlay_id chassis, routers, hosts; /* of a group, a chassis, a router */
    inlay_id columns;                 /* of a router's hosts */
    double router_x, router_y;        /* from router to router */
} group_frame;

static group_frame frame_group(const family_shape *shape)
{
    group_frame f = {shape->size[1], shape->size[2], shape->size[3], 0, 0, 0};
    f.columns = (inlay_id)ceil(sqrt(f.hosts));
    f.router_x = f.columns + 0.3;
    inlay_id rows = (f.hosts + f.columns - 1) / f.columns;
    f.router_y = rows + 1.2;
    return f;
}

static void place_group(const group_frame *f, machine_places *places, inlay_id group, inlay_id hosts)
{
    inlay_id routers = f->chassis * f->routers;
    chart_place_xy middle = places->at[hosts + group * routers];
    double left = middle.x - (f->routers - 1) * f->router_x / 2;
    double top = middle.y - f->chassis * f->router_y / 2;
    for (inlay_id r = 0; r < routers; r++) {
        inlay_id router = group * routers + r, chassis = r / f->routers;
        chart_place_xy at = {left + r % f->routers * f->router_x, top + chassis * f->router_y};
        places->at[hosts + router] = at;
        for (inlay_id h = 0; h < f->hosts; h++) {
            inlay_id row = h / f->columns;
            double x = at.x - (f->columns - 1) / 2.0 + h % f->columns;
            places->at[router * f->hosts + h] = (chart_place_xy){x, at.y + 0.9 + row};
        }
    }
}

/* Groups round a circle on which their corners do not touch. */
static void place_dragonfly(const family_way *way, machine_places *places)
{
    const double between_groups = 1.2;
    group_frame f = frame_group(&way->shape);
    inlay_id groups = way->shape.size[0], routers = f.chassis * f.routers;
    double diagonal = hypot(f.routers * f.router_x, f.chassis * f.router_y) + between_groups;
    double radius = groups == 1 ? 0 : diagonal / 2 / sin(full_turn / 2 / groups);
    for (inlay_id g = 0; g < groups; g++) {
        double part = (groups == 2 ? g - 0.5 : g) / groups; /* two stand side by side */
        places->at[way->hosts + g * routers] = around(radius, part);
        place_group(&f, places, g, way->hosts);
    }
    places->bows = true;
}

/* ---- All families ---- */

int machine_places_find(const inlay_mapping *mapping, machine_places *places, inlay_diag *diag)
{
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    inlay_id nodes = inlay_machine_nodes(machine), hosts = inlay_machine_hosts(machine);
    bool crossbar = inlay_machine_family(machine) == INLAY_CROSSBAR;
    if (inlay_machine_family(machine) == INLAY_GRAPH) {
        return machine_graph_find(mapping, places, diag);
    }
    machine_places found = {.count = nodes + crossbar, .hub = crossbar ? nodes : -1};
    found.at = memory_zeroed((size_t)found.count, sizeof *found.at);
    if (found.at == NULL) {
        return diag_no_memory(diag);
    }
    switch (inlay_machine_family(machine)) {
    case INLAY_MESH:
    case INLAY_TORUS: place_grid(&machine->shape, &found); break;
    case INLAY_HYPERCUBE: place_hypercube(&found); break;
    case INLAY_TREE:
    case INLAY_FAT_TREE: place_tree(machine->topology->own, &found); break;
    case INLAY_DRAGONFLY: place_dragonfly(machine->topology->own, &found); break;
    case INLAY_RING: place_circle(&found, hosts, -1); break;
    default: place_circle(&found, hosts, hosts); break; /* star: its switch; crossbar: the hub */
    }
    *places = found;
    return INLAY_OK;
}

/*
 * Where the hosts and switches of a machine stand that a file gives link by link: Graphviz finds the places.
 *
 * A platform file may name a link without saying where it lies; only routes tell what it joins. Such a link stands as a
 * joint of its own, with lines to whatever comes before and behind it on routes.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "render/machine.h"
#include <gvc.h>
#include <stdlib.h>

/* ---- Joints ---- */

enum { ALL_PAIRS_HOSTS = 16 }; /* of more hosts not all routes are looked at */

/* Places and lines while routes are walked. */
typedef struct joining {
    const topology *t;
    machine_places *places;
    size_t line_capacity;
    route_list route;
} joining;

static bool join(joining *j, inlay_id from, inlay_id to)
{
    machine_places *p = j->places;
    if (from == to) {
        return true;
    }
    if (!memory_grow((void **)&p->lines, &j->line_capacity, p->line_count + 1, sizeof *p->lines)) {
        return false;
    }
    p->lines[p->line_count++] = from < to ? (machine_line){from, to} : (machine_line){to, from};
    return true;
}

/* The step over one link: to its other end, or to the joint that stands for it. */
static bool step(joining *j, inlay_id link, inlay_id *at)
{
    const topology_link *of = &j->t->link[link];
    if (of->from >= 0 && of->to >= 0) {
        bool back = of->to == *at;
        bool fine = back || join(j, *at, of->from);
        *at = back ? of->from : of->to;
        return fine;
    }
    if (j->places->joint[link] < 0) {
        j->places->joint[link] = j->places->count++;
    }
    bool fine = join(j, *at, j->places->joint[link]);
    *at = j->places->joint[link];
    return fine;
}

static bool walk(joining *j, inlay_id from, inlay_id to)
{
    if (from == to) {
        return true;
    }
    j->route.count = 0;
    bool fine = j->t->route(j->t, from, to, &j->route);
    inlay_id at = from;
    for (size_t k = 0; k < j->route.count && fine; k++) {
        fine = step(j, j->route.link[k], &at);
    }
    return fine && join(j, at, to);
}

/* All routes of a few hosts; of more those to and from the first host. */
static bool walk_hosts(joining *j)
{
    inlay_id hosts = j->t->hosts, ends = hosts <= ALL_PAIRS_HOSTS ? hosts : 1;
    bool fine = true;
    for (inlay_id a = 0; a < ends && fine; a++) {
        for (inlay_id b = 0; b < hosts && fine; b++) {
            fine = walk(j, a, b) && walk(j, b, a);
        }
    }
    return fine;
}

/* The routes that messages take. */
static int walk_flows(joining *j, const inlay_mapping *mapping, inlay_diag *diag)
{
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    inlay_flow *flows = NULL;
    size_t count = 0;
    int status = inlay_mapping_flows(mapping, &flows, &count, diag);
    for (size_t f = 0; f < count && status == INLAY_OK; f++) {
        inlay_id from = inlay_mapping_cluster(mapping, flows[f].from).processor;
        inlay_id to = inlay_mapping_cluster(mapping, flows[f].to).processor;
        if (!walk(j, inlay_machine_host(machine, from), inlay_machine_host(machine, to))) {
            status = diag_no_memory(diag);
        }
    }
    free(flows);
    return status;
}

static int compare_lines(const void *a, const void *b)
{
    const machine_line *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

static void drop_repeated(machine_places *p)
{
    size_t kept = 0;
    if (p->line_count > 1) {
        qsort(p->lines, p->line_count, sizeof *p->lines, compare_lines);
    }
    for (size_t i = 0; i < p->line_count; i++) {
        if (kept == 0 || compare_lines(&p->lines[kept - 1], &p->lines[i]) != 0) {
            p->lines[kept++] = p->lines[i];
        }
    }
    p->line_count = kept;
}

/* Joints of links without ends, if there are any, and their lines. */
static int find_joints(const inlay_mapping *mapping, machine_places *places, inlay_diag *diag)
{
    const topology *t = inlay_mapping_machine(mapping)->topology;
    bool all_known = true;
    for (inlay_id link = 0; link < t->links && all_known; link++) {
        all_known = t->link[link].from >= 0 && t->link[link].to >= 0;
    }
    if (all_known) {
        return INLAY_OK;
    }
    joining j = {.t = t, .places = places};
    places->joint = memory_array((size_t)t->links, sizeof *places->joint);
    if (places->joint == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id link = 0; link < t->links; link++) {
        places->joint[link] = -1;
    }
    int status = walk_hosts(&j) ? walk_flows(&j, mapping, diag) : diag_no_memory(diag);
    route_clear(&j.route);
    drop_repeated(places);
    return status;
}

/* ---- Places ---- */

/** Takes Graphviz's messages, which would otherwise go to standard error. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is Graphviz's */
static int hear_nothing(char *message)
{
    (void)message;
    return 0;
}

static void fill_graph(canvas *on, const inlay_machine *machine, const machine_places *places, Agnode_t **node)
{
    text_buffer id = {0};
    canvas_default(on, AGNODE, "label", "");
    canvas_default(on, AGNODE, "shape", "box");
    canvas_default(on, AGNODE, "fixedsize", "true");
    for (inlay_id n = 0; n < places->count; n++) {
        bool host = n < inlay_machine_hosts(machine);
        text_clear(&id);
        text_addf(&id, "%d", (int)n);
        on->failed |= id.failed;
        node[n] = canvas_node(on, on->graph, id.data);
        canvas_set(on, node[n], "width", host ? "1.0" : "0.5");
        canvas_set(on, node[n], "height", host ? "0.75" : "0.4");
    }
    text_clear(&id);
    for (inlay_id l = 0; l < inlay_machine_links(machine); l++) {
        inlay_machine_link link = inlay_machine_link_at(machine, l);
        if (link.from >= 0 && link.to >= 0 && link.from != link.to) {
            canvas_edge(on, node[link.from], node[link.to]);
        }
    }
    for (size_t i = 0; i < places->line_count; i++) {
        canvas_edge(on, node[places->lines[i].from], node[places->lines[i].to]);
    }
}

/* A cell for each 1.3 x 1.05 inches, which boxes with lines between them need. */
static void read_places(Agnode_t *const *node, machine_places *places)
{
    const double cell_x = 1.3 * 72, cell_y = 1.05 * 72;
    for (inlay_id n = 0; n < places->count; n++) {
        places->at[n] = (chart_place_xy){ND_coord(node[n]).x / cell_x, -ND_coord(node[n]).y / cell_y};
    }
}

/*
 * No text is measured, so that this context shares no font with the one of other pictures and can be freed.
 */
static int lay_out(canvas *on, Agnode_t *const *node, machine_places *places, inlay_diag *diag)
{
    enum { STRESS_NODES = 1000 }; /* of more nodes the springs of sfdp are fast enough, and stress is not */
    GVC_t *context = gvContext();
    if (context == NULL) {
        return diag_no_memory(diag);
    }
    bool placed = gvLayout(context, on->graph, places->count <= STRESS_NODES ? "neato" : "sfdp") == 0;
    if (placed) {
        read_places(node, places);
        gvFreeLayout(context, on->graph);
    }
    gvFreeContext(context);
    return placed ? INLAY_OK
                  : diag_fail(diag, INLAY_SYSTEM,
                              "Graphviz could not find places for the machine; expected its plugin for neato "
                              "(package graphviz)");
}

static int find_places(const inlay_machine *machine, machine_places *places, inlay_diag *diag)
{
    canvas on;
    Agnode_t **node = memory_zeroed((size_t)places->count, sizeof(Agnode_t *));
    places->at = memory_zeroed((size_t)places->count, sizeof *places->at);
    canvas_open(&on, "machine");
    on.failed |= node == NULL || places->at == NULL;
    if (!on.failed) {
        canvas_set(&on, on.graph, "overlap", "prism");
        canvas_set(&on, on.graph, "sep", "+8");
        fill_graph(&on, machine, places, node);
    }
    int status = on.failed ? diag_no_memory(diag) : lay_out(&on, node, places, diag);
    if (on.graph != NULL) {
        agclose(on.graph);
    }
    free(node);
    return status;
}

int machine_graph_find(const inlay_mapping *mapping, machine_places *places, inlay_diag *diag)
{
    const inlay_machine *machine = inlay_mapping_machine(mapping);
    machine_places found = {.count = inlay_machine_nodes(machine), .hub = -1};
    int status = found.count > MACHINE_GRAPH_NODES ? INLAY_OK : find_joints(mapping, &found, diag);
    if (status == INLAY_OK &&
        (found.count > MACHINE_GRAPH_NODES || inlay_machine_hosts(machine) > MACHINE_GRAPH_HOSTS)) {
        status = diag_fail(diag, INLAY_NO_ANSWER,
                           "%d hosts and %d switches are too many to draw; expected at most %d and %d together",
                           inlay_machine_hosts(machine), found.count - inlay_machine_hosts(machine),
                           MACHINE_GRAPH_HOSTS, MACHINE_GRAPH_NODES);
    }
    if (status == INLAY_OK) {
        agusererrf before = agseterrf(hear_nothing);
        status = find_places(machine, &found, diag);
        agseterrf(before);
    }
    if (status != INLAY_OK) {
        machine_places_clear(&found);
        return status;
    }
    *places = found;
    return INLAY_OK;
}

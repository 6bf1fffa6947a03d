/*
 * Routes in platform files, told so that SimGrid finds the same ones: by each host's links where hosts hang on links of
 * their own, by neighbours where only one way leads from a node to another, else pair by pair.
 */
#include "base/memory.h"
#include "io/simgrid/writer.h"
#include "io/xml.h"
#include <stdlib.h>

/** Links in all routes together, up to which they are told pair by pair: a file of some 150 MB. */
enum { MOST_HOPS = 4000000, MOST_VERIFIED = 1024 };

static bool route_of(const simgrid_picture *p, inlay_id from, inlay_id to, route_list *route)
{
    route->count = 0;
    return p->topology->route(p->topology, from, to, route);
}

/* ---- Stars ---- */

/* Whether the route is the link up of the one and the link down of the other; these are learnt from a first route. */
static bool fits_star(const route_list *route, inlay_id *up, inlay_id *down)
{
    if (route->count != 2) {
        return false;
    }
    *up = *up < 0 ? route->link[0] : *up;
    *down = *down < 0 ? route->link[1] : *down;
    return route->link[0] == *up && route->link[1] == *down && *up != *down;
}

/* The links up (first half) and down of all hosts; *fits where all routes are made of them. */
static int find_star(const simgrid_picture *p, inlay_id *spokes, bool *fits)
{
    route_list route = {0};
    size_t n = (size_t)p->hosts;
    bool done = true;
    /* a family of stars is one; what it is not has to be looked at as a whole */
    bool spokes_alone = family_row(p->machine->family)->spokes;
    inlay_id step = spokes_alone && p->hosts > MOST_VERIFIED ? p->hosts - 1 : 1;
    *fits = p->hosts > 1 && (p->hosts <= MOST_VERIFIED || spokes_alone);
    for (size_t i = 0; i < 2 * n; i++) {
        spokes[i] = -1;
    }
    for (inlay_id from = 0; done && *fits && from < p->hosts; from++) {
        for (inlay_id k = 1; done && *fits && k < p->hosts; k += step) {
            inlay_id to = (from + k) % p->hosts;
            done = route_of(p, from, to, &route);
            *fits = done && fits_star(&route, &spokes[from], &spokes[n + (size_t)to]);
        }
    }
    route_clear(&route);
    return done ? INLAY_OK : diag_no_memory(p->diag);
}

static int write_star(const simgrid_picture *p, const inlay_id *spokes)
{
    for (inlay_id host = 0; host < p->hosts; host++) {
        text_add(p->to, "    <host_link id=\"");
        xml_add_text(p->to, p->node_name[host]);
        text_add(p->to, "\" up=\"");
        xml_add_text(p->to, p->link_name[spokes[host]]);
        text_add(p->to, "\" down=\"");
        xml_add_text(p->to, p->link_name[spokes[p->hosts + host]]);
        text_add(p->to, "\"/>\n");
    }
    return INLAY_OK;
}

/* ---- Trees ---- */

static inlay_id root_of(inlay_id *parent, inlay_id node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static int by_pair(const void *left, const void *right)
{
    const inlay_id *a = left;
    const inlay_id *b = right;
    if (a[0] != b[0]) {
        return a[0] < b[0] ? -1 : 1;
    }
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

/* Directed joints of nodes, each once: one for a link of one direction, two for a shared one. */
static bool list_joints(const simgrid_picture *p, inlay_id (*joint)[2], size_t *count)
{
    const topology *t = p->topology;
    *count = 0;
    for (inlay_id i = 0; i < p->links; i++) {
        inlay_id from = t->link[i].from;
        inlay_id to = t->link[i].to;
        if (from < 0 || to < 0 || from == to) {
            return false;
        }
        joint[*count][0] = from;
        joint[(*count)++][1] = to;
        if (t->link[i].shared) {
            joint[*count][0] = to;
            joint[(*count)++][1] = from;
        }
    }
    qsort(joint, *count, sizeof *joint, by_pair);
    for (size_t i = 1; i < *count; i++) {
        if (by_pair(joint[i - 1], joint[i]) == 0) {
            return false;
        }
    }
    return true;
}

/* A tree has a joint each way between as many pairs of nodes as it has nodes but one, and none closes a circle. */
static bool joints_make_tree(const simgrid_picture *p, inlay_id (*joint)[2], size_t count, inlay_id *parent)
{
    inlay_id joined = 0;
    for (inlay_id i = 0; i < p->nodes; i++) {
        parent[i] = i;
    }
    for (size_t i = 0; i < count; i++) {
        inlay_id back[2] = {joint[i][1], joint[i][0]};
        if (bsearch(back, joint, count, sizeof *joint, by_pair) == NULL) {
            return false;
        }
        inlay_id a = root_of(parent, joint[i][0]);
        inlay_id b = root_of(parent, joint[i][1]);
        if (joint[i][0] < joint[i][1] && a == b) {
            return false;
        }
        if (joint[i][0] < joint[i][1]) {
            parent[a] = b;
            joined++;
        }
    }
    return joined == p->nodes - 1;
}

static int find_tree(const simgrid_picture *p, bool *fits)
{
    size_t count = 0;
    inlay_id(*joint)[2] = memory_array(2 * (size_t)p->links, sizeof *joint);
    inlay_id *parent = memory_array((size_t)p->nodes, sizeof *parent);
    int status = INLAY_OK;
    if (joint == NULL || parent == NULL) {
        status = diag_no_memory(p->diag);
    } else {
        *fits = list_joints(p, joint, &count) && joints_make_tree(p, joint, count, parent);
    }
    free(joint);
    free(parent);
    return status;
}

static void open_route(const simgrid_picture *p, inlay_id from, inlay_id to, bool symmetrical)
{
    text_add(p->to, "    <route src=\"");
    xml_add_text(p->to, p->node_name[from]);
    text_add(p->to, "\" dst=\"");
    xml_add_text(p->to, p->node_name[to]);
    text_addf(p->to, "\" symmetrical=\"%s\">", symmetrical ? "YES" : "NO");
}

static void add_link(const simgrid_picture *p, inlay_id link)
{
    text_add(p->to, "<link_ctn id=\"");
    xml_add_text(p->to, p->link_name[link]);
    text_add(p->to, "\"/>");
}

static int write_tree(const simgrid_picture *p)
{
    for (inlay_id i = 0; i < p->links; i++) {
        const topology_link *link = &p->topology->link[i];
        open_route(p, link->from, link->to, link->shared);
        add_link(p, i);
        text_add(p->to, "</route>\n");
    }
    return INLAY_OK;
}

/* ---- Every pair ---- */

/* Stops where there are too many. */
static int count_hops(const simgrid_picture *p, int64_t *hops)
{
    route_list route = {0};
    bool done = true;
    *hops = 0;
    for (inlay_id from = 0; done && from < p->hosts && *hops <= MOST_HOPS; from++) {
        for (inlay_id to = 0; done && to < p->hosts && *hops <= MOST_HOPS; to++) {
            done = from == to || route_of(p, from, to, &route);
            *hops += from == to ? 0 : (int64_t)route.count + (p->message_latency > 0);
        }
    }
    route_clear(&route);
    return done ? INLAY_OK : diag_no_memory(p->diag);
}

static int write_full(const simgrid_picture *p)
{
    route_list route = {0};
    bool done = true;
    for (inlay_id from = 0; done && from < p->hosts; from++) {
        for (inlay_id to = 0; done && to < p->hosts; to++) {
            done = from == to || route_of(p, from, to, &route);
            if (from == to || !done || route.count == 0) {
                continue;
            }
            open_route(p, from, to, false);
            for (size_t i = 0; i < route.count; i++) {
                add_link(p, route.link[i]);
            }
            if (p->message_latency > 0) {
                add_link(p, p->links);
            }
            text_add(p->to, "</route>\n");
        }
    }
    route_clear(&route);
    return done ? INLAY_OK : diag_no_memory(p->diag);
}

/* ---- Which of them ---- */

int simgrid_choose_way(const simgrid_picture *p, simgrid_way_kind *kind)
{
    bool fits = false;
    int64_t hops = 0;
    inlay_id *spokes = memory_array(2 * (size_t)p->hosts, sizeof *spokes);
    int status = spokes == NULL ? diag_no_memory(p->diag) : find_star(p, spokes, &fits);
    free(spokes);
    *kind = SIMGRID_STAR_ZONE;
    /* SimGrid looks for the shortest ways in a graph that is not there where nothing is linked */
    if (status == INLAY_OK && !fits && p->message_latency <= 0 && p->links > 0) {
        status = find_tree(p, &fits);
        *kind = SIMGRID_TREE_ZONE;
    }
    if (status == INLAY_OK && !fits) {
        status = count_hops(p, &hops);
        *kind = SIMGRID_FULL_ZONE;
    }
    if (status == INLAY_OK && hops > MOST_HOPS) {
        status = diag_fail(p->diag, INLAY_BAD_ARGUMENT,
                           "the routes of %d hosts have more than %d links in all; expected a platform file of fewer",
                           p->hosts, MOST_HOPS);
    }
    return status;
}

int simgrid_write_routes(const simgrid_picture *p, simgrid_way_kind kind)
{
    if (kind == SIMGRID_TREE_ZONE) {
        return write_tree(p);
    }
    if (kind == SIMGRID_FULL_ZONE) {
        return write_full(p);
    }
    bool fits = false;
    inlay_id *spokes = memory_array(2 * (size_t)p->hosts, sizeof *spokes);
    int status = spokes == NULL ? diag_no_memory(p->diag) : find_star(p, spokes, &fits);
    status = status == INLAY_OK ? write_star(p, spokes) : status;
    free(spokes);
    return status;
}

/* Writing a machine's hosts, switches and cables as a DOT graph. */
#include "base/decimal.h"
#include "base/diag.h"
#include "io/dot/dot.h"
#include "io/dot/machine.h"
#include "machine/graph_routes.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Routes are compared with the shortest ones on machines of up to so many hosts. */
enum { COMPARED_HOSTS = 1024 };

/* ---- Cables out of links ---- */

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* The name of the cable whose two links are `there` and the next one; NULL where its links have none. */
static bool pair_name(const inlay_machine *machine, inlay_id there, char name[INLAY_MACHINE_NAME])
{
    const topology *t = machine->topology;
    const char *forth = t->link_name == NULL ? NULL : t->link_name[there];
    const char *back = t->link_name == NULL ? NULL : t->link_name[there + 1];
    *name = '\0';
    if (forth == NULL || back == NULL) {
        return forth == back;
    }
    char from[INLAY_MACHINE_NAME], to[INLAY_MACHINE_NAME];
    inlay_machine_node_name(machine, t->link[there].from, from);
    inlay_machine_node_name(machine, t->link[there].to, to);
    size_t ends = strlen(from) + strlen(to) + 2; /* " FROM-TO" */
    size_t length = strlen(forth);
    if (length <= ends || length - ends >= INLAY_MACHINE_NAME) {
        return false;
    }
    memcpy(name, forth, length - ends);
    name[length - ends] = '\0';
    char *first = dot_link_name(name, from, to), *second = dot_link_name(name, to, from);
    bool both = first != NULL && second != NULL && strcmp(first, forth) == 0 && strcmp(second, back) == 0;
    free(first);
    free(second);
    return both;
}

/* Whether a link and the next one are the two ways of a cable. A platform's link may lie nowhere: its ends are -1. */
static bool is_cable(const inlay_machine *machine, inlay_id link, char name[INLAY_MACHINE_NAME])
{
    const topology *t = machine->topology;
    if (link + 1 >= t->links) {
        return false;
    }
    const topology_link *a = &t->link[link], *b = &t->link[link + 1];
    return a->from >= 0 && a->to >= 0 && !a->shared && !b->shared && a->from == b->to && a->to == b->from &&
           same(a->capacity, b->capacity) && same(a->latency, b->latency) && a->parallel == b->parallel &&
           same(graph_routes_weight(t, link), graph_routes_weight(t, link + 1)) && pair_name(machine, link, name);
}

bool dot_explicit_is_graph(const inlay_machine *machine)
{
    char name[INLAY_MACHINE_NAME];
    const topology *t = machine->topology;
    inlay_id link = 0;
    while (link < t->links && (t->link[link].shared || is_cable(machine, link, name))) {
        link += t->link[link].shared ? 1 : 2;
    }
    return link == t->links;
}

/* ---- Nodes ---- */

/* "[" before the first attribute of an object, ", " before the others. */
static void add_name(text_buffer *to, bool *any, const char *name)
{
    text_addf(to, "%s%s=", *any ? ", " : " [", name);
    *any = true;
}

static void add_number(text_buffer *to, bool *any, const char *name, double number)
{
    char text[DOUBLE_TEXT];
    add_name(to, any, name);
    to->failed |= !dot_add_id(to, double_text(number, text));
}

static void add_memory(int64_t bytes, text_buffer *to, bool *any)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB"};
    size_t unit = 0;
    while (unit + 1 < sizeof units / sizeof *units && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    add_name(to, any, "memory");
    text_addf(to, unit == 0 ? "%" PRId64 : "\"%" PRId64 "%s\"", bytes, units[unit]);
}

static bool add_host(const machine_host *host, text_buffer *to, bool *any)
{
    bool good = true;
    if (host->type != NULL) {
        add_name(to, any, "type");
        good = dot_add_id(to, host->type);
    }
    if (host->flops > 0) {
        char text[DOUBLE_TEXT];
        add_name(to, any, "speed");
        text_addf(to, "\"%sf\"", double_text(host->flops, text));
    } else if (host->speed < 1 || host->speed > 1) {
        add_number(to, any, "speed", host->speed);
    }
    if (host->memory >= 0) {
        add_memory(host->memory, to, any);
    }
    if (host->cores > 1) {
        add_name(to, any, "cores");
        text_addf(to, "%" PRId32, host->cores);
    }
    if (host->main) {
        add_name(to, any, "main");
        text_add(to, "true");
    }
    return good;
}

static bool add_nodes(const inlay_machine *machine, text_buffer *to)
{
    bool good = true;
    char name[INLAY_MACHINE_NAME];
    for (inlay_id node = 0; node < machine->topology->nodes && good; node++) {
        bool any = false;
        text_add(to, "  ");
        good = dot_add_id(to, inlay_machine_node_name(machine, node, name));
        if (node < machine->topology->hosts) {
            good = add_host(&machine->unlike.host[node], to, &any) && good;
        } else {
            add_name(to, &any, "kind");
            text_add(to, "switch");
        }
        text_add(to, any ? "];\n" : ";\n");
    }
    return good;
}

/* ---- Edges ---- */

static bool add_ends(const inlay_machine *machine, inlay_id link, bool graph, text_buffer *to)
{
    char from[INLAY_MACHINE_NAME], there[INLAY_MACHINE_NAME];
    const topology_link *l = &machine->topology->link[link];
    text_add(to, "  ");
    bool good = dot_add_id(to, inlay_machine_node_name(machine, l->from, from));
    text_add(to, graph ? " -- " : " -> ");
    return dot_add_id(to, inlay_machine_node_name(machine, l->to, there)) && good;
}

/* A rate in the largest unit in which it reads back to the last bit. */
static void add_rate(double rate, bool bytes, inlay_unit per, text_buffer *to)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}};
    char number[DOUBLE_TEXT], text[2 * DOUBLE_TEXT];
    for (size_t i = 0; i < sizeof units / sizeof *units && bytes; i++) {
        inlay_rate read;
        (void)snprintf(text, sizeof text, "%s%s", double_text(rate / units[i].bytes, number), units[i].name);
        if (rate >= units[i].bytes && inlay_rate_parse(text, &read) == INLAY_OK && same(read.value, rate)) {
            text_addf(to, "\"%s/%s\"", text, inlay_unit_name(per));
            return;
        }
    }
    text_addf(to, "\"%s%s/%s\"", double_text(rate, number), bytes ? "B" : "msg", inlay_unit_name(per));
}

/* The digits of a number without its point, and the power of ten behind them. */
static int64_t digits_of(double number, int *power)
{
    char text[DOUBLE_TEXT];
    int64_t digits = 0;
    *power = 0;
    const char *c = double_text(number, text);
    for (bool behind = false; *c != '\0' && *c != 'e'; c++) {
        if (*c == '.') {
            behind = true;
        } else {
            digits = 10 * digits + (*c - '0');
            *power -= behind;
        }
    }
    *power += *c == 'e' ? (int)strtol(c + 1, NULL, 10) : 0;
    return digits;
}

/* A time above 0: digit for digit in a unit in which no places are lost, for a reader keeps 18. */
static void add_time(double time, inlay_unit unit, text_buffer *to)
{
    if (unit == INLAY_UNIT_TICK || time >= 1) {
        char number[DOUBLE_TEXT];
        text_addf(to, "\"%s%s\"", double_text(time, number), inlay_unit_name(unit));
        return;
    }
    inlay_unit shown = time >= 1e-3 ? INLAY_UNIT_MS : time >= 1e-6 ? INLAY_UNIT_US : INLAY_UNIT_NS;
    int power;
    char text[DECIMAL_TEXT];
    int64_t digits = digits_of(time, &power);
    inlay_decimal value = {digits, 0};
    for (power += unit_power(INLAY_UNIT_S, shown); power > 0; power--) {
        value.digits *= 10; /* at most 1000 */
    }
    for (; power < -18; power++) {
        value.digits /= 10; /* far below a picosecond */
    }
    value.scale = -power;
    text_addf(to, "\"%s%s\"", decimal_text(value, text), inlay_unit_name(shown));
}

static bool add_properties(const inlay_machine *machine, inlay_id link, const char *name, text_buffer *to)
{
    bool any = false, good = true;
    const topology *t = machine->topology;
    const topology_link *l = &t->link[link];
    if (t->has_capacity) {
        add_name(to, &any, "capacity");
        add_rate(l->capacity, t->in_bytes, t->unit, to);
    }
    if (l->latency > 0) {
        add_name(to, &any, "latency");
        add_time(l->latency, t->unit, to);
    }
    if (l->shared) {
        add_name(to, &any, "duplex");
        text_add(to, "half");
    }
    if (l->parallel) {
        add_name(to, &any, "parallel");
        text_add(to, "true");
    }
    if (!same(graph_routes_weight(t, link), 1)) {
        add_number(to, &any, "weight", graph_routes_weight(t, link));
    }
    if (name != NULL && *name != '\0') {
        add_name(to, &any, "name");
        good = dot_add_id(to, name);
    }
    text_add(to, any ? "];\n" : ";\n");
    return good;
}

static bool add_edges(const inlay_machine *machine, text_buffer *to)
{
    const topology *t = machine->topology;
    bool graph = dot_explicit_is_graph(machine), good = true;
    for (inlay_id link = 0; link < t->links && good; link++) {
        char name[INLAY_MACHINE_NAME];
        const char *own = t->link_name == NULL ? NULL : t->link_name[link];
        bool pair = graph && !t->link[link].shared && is_cable(machine, link, name);
        good = add_ends(machine, link, graph, to) && add_properties(machine, link, pair ? name : own, to);
        link += pair;
    }
    return good;
}

/* ---- What DOT cannot say ---- */

static int check_ends(const inlay_machine *machine, inlay_diag *diag)
{
    char name[INLAY_MACHINE_NAME];
    const topology *t = machine->topology;
    for (inlay_id link = 0; link < t->links; link++) {
        const topology_link *l = &t->link[link];
        if (l->from < 0 || l->to < 0 || l->from == l->to) {
            return diag_fail(diag, INLAY_BAD_INPUT,
                             "the link '%s' of %s has no two ends, so that DOT cannot say where it lies; expected "
                             "--format simgrid, which writes routes",
                             inlay_machine_link_name(machine, link, name), inlay_machine_name(machine));
        }
        if (t->has_capacity && isinf(l->capacity)) {
            return diag_fail(diag, INLAY_BAD_INPUT,
                             "the link '%s' of %s has no capacity and others have one; expected one on every link, or "
                             "on none",
                             inlay_machine_link_name(machine, link, name), inlay_machine_name(machine));
        }
    }
    return INLAY_OK;
}

static bool same_route(const topology *a, const topology *b, inlay_id from, inlay_id to, route_list *first,
                       route_list *second, bool *failed)
{
    first->count = second->count = 0;
    *failed |= !a->route(a, from, to, first) || !b->route(b, from, to, second);
    return !*failed && first->count == second->count &&
           memcmp(first->link, second->link, first->count * sizeof *first->link) == 0;
}

/* Pairs of hosts whose route is not the one that a reader of the graph finds; -1 when out of memory. */
static int64_t other_routes(const topology *t, const topology *shortest)
{
    route_list first = {0}, second = {0};
    int64_t others = 0;
    bool failed = false;
    for (inlay_id from = 0; from < t->hosts && !failed; from++) {
        for (inlay_id to = 0; to < t->hosts && !failed; to++) {
            others += from != to && !same_route(t, shortest, from, to, &first, &second, &failed);
        }
    }
    route_clear(&first);
    route_clear(&second);
    return failed ? -1 : others;
}

/* Routes of other formats need not be the shortest, which is what a reader of the graph takes. */
static int compare_routes(const inlay_machine *machine, inlay_diag *diag)
{
    const topology *t = machine->topology;
    if (graph_routes_are(t) || t->hosts > COMPARED_HOSTS) {
        if (!graph_routes_are(t)) {
            diag_warn(diag, "the routes of %s are not in the graph: its readers take the shortest ones",
                      inlay_machine_name(machine));
        }
        return INLAY_OK;
    }
    topology shortest = *t;
    shortest.free_own = NULL;
    int status = graph_routes_make(&shortest, NULL, inlay_machine_name(machine), diag);
    if (status != INLAY_OK) {
        return status;
    }
    int64_t others = other_routes(t, &shortest);
    shortest.free_own(shortest.own);
    if (others > 0) {
        diag_warn(diag,
                  "the routes of %s are not in the graph: its readers take the shortest ones, which are other ones for "
                  "%" PRId64 " of %" PRId64 " pairs of hosts",
                  inlay_machine_name(machine), others, (int64_t)t->hosts * (t->hosts - 1));
    }
    return others < 0 ? diag_no_memory(diag) : INLAY_OK;
}

int dot_explicit_to(const inlay_machine *machine, text_buffer *to, bool *good, inlay_diag *diag)
{
    int status = check_ends(machine, diag);
    if (status == INLAY_OK) {
        status = compare_routes(machine, diag);
    }
    if (status == INLAY_OK) {
        *good = add_nodes(machine, to) && add_edges(machine, to);
    }
    return status;
}

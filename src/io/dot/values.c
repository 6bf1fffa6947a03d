/* Values of attributes that the readers of DOT share. */
#include "io/dot/values.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char dot_bytes_expected[] = "a whole number of bytes, 0 or more, alone or with one of kB, KiB, MB, MiB, GB, GiB";

static const char time_expected[] = "a number, 0 or more, alone or with one of s, ms, us, ns, tick";

/* ---- Numbers ---- */

/* A whole number of any digits; a decimal keeps 18 of them. */
static bool read_digits(const char *value, int64_t *number)
{
    errno = 0;
    char *end;
    long long read = strtoll(value, &end, 10);
    if (value[strspn(value, "0123456789")] != '\0' || end == value || errno != 0) {
        return false;
    }
    *number = read;
    return true;
}

bool dot_read_whole(const char *value, int64_t low, int64_t high, int64_t *number)
{
    inlay_decimal read;
    int64_t whole;
    bool good = read_digits(value, &whole) || (inlay_decimal_parse(value, &read) == INLAY_OK &&
                                               decimal_normal(read).scale == 0 && decimal_grains(read, 0, &whole));
    if (!good || whole < low || whole > high) {
        return false;
    }
    *number = whole;
    return true;
}

bool dot_read_bytes(const char *value, int64_t *bytes)
{
    int64_t read;
    if ((!read_digits(value, &read) && inlay_bytes_parse(value, &read) != INLAY_OK) || read < 0) {
        return false;
    }
    *bytes = read;
    return true;
}

bool dot_read_count(const char *value, double *count)
{
    char *end;
    bool decimal = *value != '\0' && strspn(value, "0123456789.eE+-") == strlen(value);
    double read = plain_number(value, &end);
    if (!decimal || *end != '\0' || !isfinite(read) || read < 0) {
        return false;
    }
    *count = read;
    return true;
}

bool dot_read_time(const char *value, inlay_unit unit, inlay_duration *time, const char **wrong, const char **expected)
{
    inlay_duration read;
    *expected = time_expected;
    if (inlay_duration_parse(value, &read) != INLAY_OK) {
        *wrong = "is not a time";
        return false;
    }
    if (read.value.digits < 0) {
        *wrong = "is negative";
        return false;
    }
    if (read.unit != INLAY_UNIT_NONE && (read.unit == INLAY_UNIT_TICK) != (unit == INLAY_UNIT_TICK)) {
        bool ticks = unit == INLAY_UNIT_TICK;
        *wrong = ticks ? "is in seconds" : "is in ticks";
        *expected = ticks ? "ticks, the graph's time_unit" : "seconds, or graph [time_unit=tick]";
        return false;
    }
    *time = read;
    return true;
}

/* ---- Complaints ---- */

int dot_refuse_node(const dot_graph *graph, const dot_node *node, const char *attribute, const char *value,
                    const char *what, const char *wrong, const char *expected, inlay_diag *diag)
{
    long line = dot_line(&node->is, dot_find_symbol(graph, DOT_NODES, attribute));
    return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, line, "%s '%.80s' of %s '%.80s' %s; expected %s",
                        attribute, value, what, node->name, wrong, expected);
}

int dot_refuse_edge(const dot_graph *graph, const dot_edge *edge, const char *attribute, const char *value,
                    const char *wrong, const char *expected, inlay_diag *diag)
{
    long line = dot_line(&edge->is, dot_find_symbol(graph, DOT_EDGES, attribute));
    return diag_fail_at(diag, INLAY_BAD_INPUT, graph->edge_source, line,
                        "%s '%.80s' of the link '%.80s' -> '%.80s' %s; expected %s", attribute, value,
                        dot_tail(graph, edge)->name, dot_head(graph, edge)->name, wrong, expected);
}

/* ---- The graph ---- */

int dot_read_unit(const dot_graph *graph, inlay_unit *unit, inlay_diag *diag)
{
    const char *name = dot_graph_value(graph, "time_unit");
    if (name == NULL) {
        *unit = INLAY_UNIT_S;
        return INLAY_OK;
    }
    for (inlay_unit known = INLAY_UNIT_S; known <= INLAY_UNIT_TICK; known++) {
        if (strcmp(name, inlay_unit_name(known)) == 0) {
            *unit = known;
            return INLAY_OK;
        }
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, dot_line_of_attribute(graph, DOT_GRAPHS, "time_unit"),
                        "unknown time_unit '%s'; expected s, ms, us, ns or tick", name);
}

char *dot_given_name(const dot_graph *graph)
{
    const char *given = dot_graph_value(graph, "name");
    return given == NULL ? dot_graph_name(graph) : memory_string(given);
}

void dot_find_symbols(const dot_graph *graph, dot_kind kind, const char *const *names, const dot_symbol **found)
{
    for (; *names != NULL; names++) {
        *found++ = dot_find_symbol(graph, kind, *names);
    }
}

int dot_check_all_attributes(const dot_graph *graph, const char *const *const own[DOT_KINDS], inlay_diag *diag)
{
    static const dot_kind kinds[DOT_KINDS] = {DOT_GRAPHS, DOT_NODES, DOT_EDGES};
    int status = INLAY_OK;
    for (int i = 0; i < DOT_KINDS && status == INLAY_OK; i++) {
        status = dot_check_attributes(graph, kinds[i], own[kinds[i]], diag);
    }
    return status;
}

int dot_check_is_spmd(const dot_graph *graph, const char *own, const char *other, inlay_diag *diag)
{
    const char *kind = dot_graph_value(graph, "kind"), *network = dot_graph_value(graph, "network");
    long line = dot_line_of_attribute(graph, DOT_GRAPHS, "kind");
    if (kind != NULL && strcmp(kind, own) == 0) {
        return INLAY_OK;
    }
    if (kind != NULL && strcmp(kind, other) == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, line,
                            "this is a %s (kind=%s); expected a %s, as in 'inlay select PROGRAM MACHINE'", other, other,
                            own);
    }
    if (kind != NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, line, "kind '%s' is unknown; expected %s", kind, own);
    }
    if (network != NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, dot_line_of_attribute(graph, DOT_GRAPHS, "network"),
                            "this is a machine (network=%s); expected a %s, graph [kind=%s]", network, own, own);
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, graph->is.line,
                        "the graph has no attribute kind; expected a %s, graph [kind=%s], such as %s", own, own,
                        strcmp(own, "program") == 0 ? "graphs/sten2.dot" : "architectures/suns-metasystem.dot");
}

int dot_check_is_not_spmd(const dot_graph *graph, const char *expected, inlay_diag *diag)
{
    const char *kind = dot_graph_value(graph, "kind");
    const char *path = strcmp(graph->source, "standard input") == 0 ? "-" : graph->source;
    bool metasystem = kind != NULL && strcmp(kind, "metasystem") == 0;
    if (!metasystem && (kind == NULL || strcmp(kind, "program") != 0)) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, dot_line_of_attribute(graph, DOT_GRAPHS, "kind"),
                        "this is %s (kind=%s), which 'inlay select %s %s' takes; expected %s",
                        metasystem ? "a metasystem" : "a program that describes its phases", kind,
                        metasystem ? "PROGRAM" : path, metasystem ? path : "MACHINE", expected);
}

int dot_check_is_application(const dot_graph *graph, inlay_diag *diag)
{
    int status = dot_check_is_not_spmd(graph, "an application", diag);
    if (status != INLAY_OK) {
        return status;
    }
    const char *network = dot_graph_value(graph, "network");
    if (network != NULL) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, dot_line_of_attribute(graph, DOT_GRAPHS, "network"),
                            "this is a machine (network=%s); expected an application", network);
    }
    if (!graph->directed) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, graph->is.line,
                            "the graph is undirected; expected digraph with '->' for an application");
    }
    return INLAY_OK;
}

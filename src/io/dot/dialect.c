/* Dialects of DOT: told by the attributes of nodes that a file has. */
#include "io/dot/dialect.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "io/dot/values.h"
#include <math.h>

static const double giga = 1e9;
enum { GIGA_DIGITS = 9 };

/* In upper or lower case; NULL: in neither. */
static const dot_symbol *weight_of(const dot_graph *graph, dot_kind kind)
{
    const dot_symbol *found = dot_find_symbol(graph, kind, "Weight");
    return found != NULL ? found : dot_find_symbol(graph, kind, "weight");
}

/* A graph whose nodes have anything of ours is ours, and its reader says what is missing. */
dot_dialect dot_dialect_of(const dot_graph *graph)
{
    static const char *const own[] = {"time", "kind", "blocking", "memory", "cores", "pin", "arithmetic", "functions"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (dot_find_symbol(graph, DOT_NODES, own[i]) != NULL) {
            return DOT_OWN;
        }
    }
    return weight_of(graph, DOT_NODES) != NULL                 ? DOT_WEIGHTS
           : dot_find_symbol(graph, DOT_NODES, "size") != NULL ? DOT_SIZES
                                                               : DOT_BARE;
}

inlay_unit dot_dialect_unit(dot_dialect dialect)
{
    return dialect == DOT_SIZES ? INLAY_UNIT_S : INLAY_UNIT_TICK;
}

double dot_dialect_reference(dot_dialect dialect)
{
    return dialect == DOT_SIZES ? giga : 0;
}

/* Dummies of SimGrid's files, root and end, may lack a size. */
int dot_dialect_time(const dot_graph *graph, dot_dialect dialect, const dot_node *node, inlay_duration *time,
                     inlay_diag *diag)
{
    static const char unread[] = "cannot be read", module[] = "module";
    const dot_symbol *symbol =
        dialect == DOT_SIZES ? dot_find_symbol(graph, DOT_NODES, "size") : weight_of(graph, DOT_NODES);
    const char *value = dot_value(&node->is, symbol);
    *time = (inlay_duration){{dialect == DOT_BARE, 0}, dot_dialect_unit(dialect)};
    if (value == NULL) {
        return dialect != DOT_WEIGHTS
                   ? INLAY_OK
                   : diag_fail_at(diag, INLAY_BAD_INPUT, graph->source, node->is.line,
                                  "module '%s' has no %s; expected %s=TIME", node->name, symbol->name, symbol->name);
    }
    bool good = inlay_decimal_parse(value, &time->value) == INLAY_OK && time->value.digits >= 0;
    if (!good || (dialect == DOT_SIZES && !decimal_shift(time->value, -GIGA_DIGITS, &time->value))) {
        return dot_refuse_node(graph, node, symbol->name, value, module, unread,
                               dialect == DOT_SIZES ? "flops, 0 or more" : "ticks, 0 or more", diag);
    }
    return INLAY_OK;
}

/* The bytes of a size: less than one is none, and below 0 nothing is sent at all. */
static bool read_size(const char *value, int64_t *messages, int64_t *bytes)
{
    inlay_decimal size;
    if (inlay_decimal_parse(value, &size) != INLAY_OK) {
        return false;
    }
    double number = inlay_decimal_double(size);
    *messages = number >= 0;
    *bytes = number < 1 ? 0 : size.scale == 0 ? size.digits : number < 0x1p62 ? (int64_t)ceil(number) : -1;
    return *bytes >= 0;
}

int dot_dialect_link(const dot_graph *graph, dot_dialect dialect, const dot_edge *edge, int64_t *messages,
                     int64_t *bytes, inlay_diag *diag)
{
    const dot_symbol *symbol = dialect == DOT_SIZES     ? dot_find_symbol(graph, DOT_EDGES, "size")
                               : dialect == DOT_WEIGHTS ? weight_of(graph, DOT_EDGES)
                                                        : NULL;
    const char *value = dot_value(&edge->is, symbol);
    *messages = 1;
    *bytes = 0;
    if (symbol == NULL || value == NULL) {
        return INLAY_OK;
    }
    bool good =
        dialect == DOT_SIZES ? read_size(value, messages, bytes) : dot_read_whole(value, 0, INT64_MAX, messages);
    return good ? INLAY_OK
                : dot_refuse_edge(graph, edge, symbol->name, value, "cannot be read",
                                  dialect == DOT_SIZES ? "bytes, below 0 for none" : "a whole number, 0 or more", diag);
}

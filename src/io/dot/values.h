/* Values of attributes that the readers of DOT share, and what they say of those that cannot be read. */
#ifndef IO_DOT_VALUES_H
#define IO_DOT_VALUES_H

#include "io/dot/graph.h"
#include <inlay/units.h>

extern const char dot_bytes_expected[];

/* Each is false, and leaves its output alone, where the text is no such number. */
bool dot_read_whole(const char *value, int64_t low, int64_t high, int64_t *number); /**< in low .. high */
bool dot_read_bytes(const char *value, int64_t *bytes);
bool dot_read_count(const char *value, double *count); /**< a finite decimal of any size, 0 or more */

/** A time in the graph's unit or one that converts to it. What is wrong with another goes to *wrong and *expected. */
bool dot_read_time(const char *value, inlay_unit unit, inlay_duration *time, const char **wrong, const char **expected);

/** A value of a node, which is a `what` ("module"): "ATTRIBUTE 'VALUE' of WHAT 'NAME' WRONG; expected EXPECTED". */
int dot_refuse_node(const dot_graph *graph, const dot_node *node, const char *attribute, const char *value,
                    const char *what, const char *wrong, const char *expected, inlay_diag *diag);

/** A value of an edge: "ATTRIBUTE 'VALUE' of the link 'A' -> 'B' WRONG; expected EXPECTED". */
int dot_refuse_edge(const dot_graph *graph, const dot_edge *edge, const char *attribute, const char *value,
                    const char *wrong, const char *expected, inlay_diag *diag);

/** The graph's time_unit, seconds where it has none. */
int dot_read_unit(const dot_graph *graph, inlay_unit *unit, inlay_diag *diag);

/**
 * That it is no description for `inlay select`: a metasystem or an SPMD program.
 * @param expected  what it should be: "an application"
 */
int dot_check_is_not_spmd(const dot_graph *graph, const char *expected, inlay_diag *diag);

/** That it is a digraph, no machine and no description for `inlay select`. */
int dot_check_is_application(const dot_graph *graph, inlay_diag *diag);

/** The name that the graph gives itself by its attribute, else dot_graph_name(). The caller frees; NULL: no memory. */
char *dot_given_name(const dot_graph *graph);

/** dot_find_symbol() for each of some names, which end with NULL. */
void dot_find_symbols(const dot_graph *graph, dot_kind kind, const char *const *names, const dot_symbol **found);

/** dot_check_attributes() for the graph, its nodes and its edges. */
int dot_check_all_attributes(const dot_graph *graph, const char *const *const own[DOT_KINDS], inlay_diag *diag);

/** Refuse what is not of kind `own`, of the two kinds that 'inlay select' reads. */
int dot_check_is_spmd(const dot_graph *graph, const char *own, const char *other, inlay_diag *diag);

#endif

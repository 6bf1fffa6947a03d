/* Text of numbers, line by line, as METIS, Scotch and Matrix Market have it; and the graphs that they describe. */
#ifndef IO_NUMBERS_H
#define IO_NUMBERS_H

#include <inlay/app.h>

/** Where a reader stands. Begin with {at, end, 1, source, diag}. */
typedef struct number_text {
    const char *at, *end;
    long line; /**< of `at` */
    const char *source;
    inlay_diag *diag;
} number_text;

/** Length of the word that comes next on this line, where `at` is put; 0: the line, or the text, has no more. */
size_t number_word(number_text *t);

/** To the begin of the next line; false where there is none. */
bool number_next_line(number_text *t);

/** Over lines that begin with '%', and blank ones too where these mean nothing; false at the end of the text. */
bool number_skip(number_text *t, bool blank);

/** The next number of this line; INLAY_BAD_INPUT where there is none within the limits. @param what  "a neighbour" */
int number_take(number_text *t, const char *what, int64_t least, int64_t most, int64_t *number);

/** The same, wherever it stands. */
int number_take_free(number_text *t, const char *what, int64_t least, int64_t most, int64_t *number);

/** That the line, or the text, has no more words. */
int number_end_line(number_text *t);
int number_end(number_text *t);

/* ---- Graphs without direction ---- */

/**
 * An application in ticks whose modules are called by numbers. Its edges are links without precedence from the lower to
 * the higher module.
 */
typedef struct number_graph {
    inlay_app_builder *builder;
    int64_t edges, arcs; /**< given so far, from the lower end and from both */
    uint64_t up, down;   /**< what tells whether both ends say the same */
    bool bytes;          /**< weights of edges are bytes, else messages */
    number_text *text;
} number_graph;

int number_graph_begin(number_graph *g, number_text *text, bool bytes, int64_t vertices, int64_t edges);

/** @param label  the name */
int number_graph_vertex(number_graph *g, int64_t label, int64_t time);

/** One end of an edge: `to` as a neighbour of `from`, which is told once from each end. */
int number_graph_arc(number_graph *g, int64_t from, int64_t to, int64_t weight);

/** That both ends of every edge were told alike; then the application. Frees the graph, also where it fails. */
int number_graph_end(number_graph *g, int status, const char *format, inlay_app **app);

#endif

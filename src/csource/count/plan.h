/*
 * Where a program counts while it runs: places, each of which counts how often the code behind it is come to. What that
 * code does each time is counted by the walk that counts without a run (count.h), with the place as its row; loops,
 * choices, labels and what stands behind a jump or a call get places of their own. So nothing is estimated: what a row
 * does is the sum over its places of what each counts times what stands there.
 *
 * The text is that of a preprocessed file, so that nothing stands in a macro.
 */
#ifndef CSOURCE_PLAN_H
#define CSOURCE_PLAN_H

#include "base/text.h"
#include "csource/count/count.h"

/** A text that is inserted. */
typedef struct insertion {
    unsigned at;
    int order; /**< of those at one byte */
    const char *text;
} insertion;

/** What must be known about the run before the counts can be trusted, if the place counts anything. */
typedef struct happening {
    enum {
        HAPPENS_CALL,    /**< of a function that this file does not define: `name` */
        HAPPENS_STRANGE, /**< what cannot be counted: `name` tells it */
        HAPPENS_POINTER  /**< a call through a pointer of a function that no file defines */
    } kind;
    int place;
    unsigned line;
    const char *file; /**< NULL: the program's */
    const char *name;
    bool system; /**< of a call: as in node */
} happening;

typedef struct plan {
    program *program;
    const char *text; /**< of the program's file, where lines of the preprocessor are blank */
    size_t size;
    int first;  /**< number of the first place, over all files */
    int *owner; /**< of each place: the row of the program to which it belongs */
    int *times; /**< of each row: the place that counts how often it is gone through; 0: none */
    int places; /**< the first one counts nothing: no code comes there */
    insertion *insertion;
    int insertions;
    happening *happening;
    int happenings;
    size_t owner_room, cost_room, insertion_room, happening_room;
    int row;      /**< of the program, in force */
    int function; /**< in force */
    bool no_memory;
} plan;

/** Places for all functions; the counter's tally tells then what is done at each. A status. */
int plan_functions(counter *c, plan *p);
void plan_forget(plan *p);

/** A text at the beginning of a function's body, before its place counts. */
void plan_insert_into(plan *p, const node *body, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** The file's text with all that was inserted. A status. */
int plan_write(plan *p, text_buffer *to);

/* ---- What the walk asks for ---- */

bool plan_takes(const node *n);
int plan_node(counter *c, node *n);

/** A call of a function that this file does not define, or through a pointer. */
int plan_unknown_call(counter *c, const node *call);

#endif

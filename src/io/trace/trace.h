/* What the writers of a recorded simulation share: its events in the order of time, and numbers and names on their way. */
#ifndef IO_TRACE_TRACE_H
#define IO_TRACE_TRACE_H

#include "base/text.h"
#include "io/line_writer.h"
#include <inlay/simulate.h>

/* ---- Events ---- */

/** What happens. At one time, in this order: what ends comes before what begins. */
typedef enum trace_kind {
    TRACE_END,     /**< a module ends */
    TRACE_ARRIVAL, /**< a message is there */
    TRACE_BEGIN,   /**< the first service of a message begins */
    TRACE_REQUEST, /**< a message asks the network */
    TRACE_START    /**< a module starts */
} trace_kind;

typedef struct trace_event {
    double time;
    trace_kind kind;
    int64_t index; /**< of the module or the message */
} trace_event;

/** The events of a recorded run one by one; it holds no more than one a processor and one a message under way. */
typedef struct trace_walk {
    const inlay_simulation *simulation;
    const inlay_mapping *mapping;
    const inlay_simulated_message *messages;
    size_t message_count, next_message;
    inlay_id *taken;   /**< modules of each cluster whose start is over or in the heap; owned */
    trace_event *heap; /**< the earliest on top; owned */
    size_t count, capacity;
    bool failed; /**< out of memory: the walk is not whole */
} trace_walk;

void trace_walk_open(trace_walk *walk, const inlay_simulation *simulation);

/** Gives the next event; false behind the last, and when the walk failed. */
bool trace_walk_next(trace_walk *walk, trace_event *event);
void trace_walk_close(trace_walk *walk);

/* ---- Words ---- */

/** digits / 10^places (0 to 18), at least 0, and the character behind it. */
void trace_fixed(line_writer *w, int64_t digits, int places, char behind);

/** A number that reads back as the same double, and the character behind it. */
void trace_number(line_writer *w, double x, char behind);

/** A text as JSON has it, with its quotes. `scratch` is reused. */
void trace_quoted(line_writer *w, text_buffer *scratch, const char *text);

/** What a message is called, "a -> b" or "block -> b", in place of what `to` holds. */
void trace_message_name(text_buffer *to, const inlay_app *app, const inlay_simulated_message *message);

/** The processor of a cluster. */
inlay_id trace_processor(const inlay_simulation *simulation, inlay_id cluster);

/* ---- Files ---- */

/** Writes the lines; false when out of memory. */
typedef bool trace_body(const inlay_simulation *simulation, line_writer *w);

/** Write a file whole, or not at all. INLAY_BAD_ARGUMENT where nothing was recorded. */
int trace_write(const inlay_simulation *simulation, trace_body *body, const char *path, inlay_diag *diag);

#endif

/* Small applications to explain the mappings of. */
#ifndef UNIT_EXPLAIN_SUBJECT_H
#define UNIT_EXPLAIN_SUBJECT_H

#include <inlay/inlay.h>

enum { SKETCH_MODULES = 24 };

/** An application that is built again and again, each time with something else in it. */
typedef struct sketch {
    inlay_unit unit;
    int modules, links;
    int time[SKETCH_MODULES];
    struct {
        int from, to, messages, bytes;
    } link[3 * SKETCH_MODULES];
} sketch;

/** What is different: the time of one module in tenths of the sketch's, and one message a link at most. */
typedef struct difference {
    int module, tenths;
    bool one_message;
} difference;

/** A mapping to explain, and what it was made from. */
typedef struct subject {
    sketch sketch;
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
    inlay_id processor[SKETCH_MODULES];
    inlay_simulation_options run;
} subject;

inlay_app *sketch_build(const sketch *s, difference d);
void sketch_add_link(sketch *s, int from, int to, int messages, int bytes);

/** Mapped by inlay_map(), or placed as told; everything is freed by subject_clear(). */
subject mapped_subject(sketch of, const char *machine, inlay_options options);
subject placed_subject(sketch of, const char *machine, const inlay_id *processor);
void subject_clear(subject *s);

/** inlay_explain(), which must succeed. */
inlay_explanation *explained(const subject *s);

/** The change of that kind with the largest gain; NULL where there is none. */
const inlay_change *find_change(const inlay_explanation *explanation, inlay_change_kind kind);

#endif

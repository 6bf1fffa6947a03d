/* What the tests of the event engine share: small applications in code. */
#ifndef UNIT_SIMULATE_SUBJECT_H
#define UNIT_SIMULATE_SUBJECT_H

#include <inlay/inlay.h>

enum { SMALL_MODULES = 8 };

/** A small application in ticks: modules a, b, ... with times, links with messages. */
typedef struct small_app {
    int modules, links;
    int time[SMALL_MODULES];
    struct {
        int from, to, messages;
    } link[12];
    bool streamed; /**< blocking times are given */
    int blocking[SMALL_MODULES];
} small_app;

/** Application, machine and mapping, which are freed together. */
typedef struct small_case {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
} small_case;

small_case small_place(const small_app *graph, const int *processor, const char *machine);
void small_clear(small_case *placed);

#endif

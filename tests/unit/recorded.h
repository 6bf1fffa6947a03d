/* Recorded simulations for tests of what is made of them: files and pictures. */
#ifndef UNIT_RECORDED_H
#define UNIT_RECORDED_H

#include <inlay/inlay.h>

typedef struct recorded {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
    inlay_simulation *simulation;
} recorded;

/** An application (DOT) mapped on a machine as its pins say, and simulated with these options, recorded. */
recorded record(const char *app, const char *machine, const inlay_simulation_options *options);

/** The same without options; module i on processor[i], in order of first appearance. */
recorded record_placed(const char *app, const char *machine, const inlay_id *processor);

/** A random application, its modules anywhere on one of several machines, with random options; all from the seed. */
recorded record_random(uint64_t seed);

void recorded_clear(recorded *of);

/** Processor of a module. */
inlay_id recorded_processor(const recorded *of, inlay_id module);

/** A path of this process's own; the file there, if any, is the test's to take away with recorded_take(). */
const char *recorded_path(void);

/** The text of that file, which is removed; the caller's to free. */
char *recorded_take(void);

/** A writer of a file; the test fails where it does. Gives the text. */
char *recorded_write(const recorded *of, int (*write)(const inlay_simulation *, const char *, inlay_diag *));

#endif

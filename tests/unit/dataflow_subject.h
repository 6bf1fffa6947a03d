/* What the tests of dataflow programs share: a program by hand, and functions of simple modules. */
#ifndef UNIT_DATAFLOW_SUBJECT_H
#define UNIT_DATAFLOW_SUBJECT_H

#include <inlay/dataflow.h>

/** A program named "hand", and its profile once it was run. */
typedef struct hand_program {
    inlay_program *program;
    inlay_diag *diag;
    inlay_profile *profile;
} hand_program;

hand_program hand_begin(void);
void hand_end(hand_program *h);
int hand_run(hand_program *h, const inlay_program_options *options);

/** It must be refused in these words; ends it. */
void hand_refused(hand_program *h, const inlay_program_options *options, int status, const char *message);

/** Modules a and b, each with an int for its state. */
hand_program hand_of(inlay_body *first, inlay_body *second);

void nothing(inlay_actor *self, void *state);
void put_one(inlay_actor *self, void *state); /**< its state, to output 0 */
void put_three(inlay_actor *self, void *state);
void get_one(inlay_actor *self, void *state); /**< its state, from input 0 */
void add_one(inlay_actor *self, void *state); /**< gets an int where it can, adds one, puts it where it can */

/** Modules m0, m1, ... from the first to the last (step 1) or the other way round (step -1), each feeding the next. */
void wire_chain(inlay_program *program, int modules, int step, inlay_body *body);

#endif

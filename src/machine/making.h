/* What the families complete when a machine is made of its attributes. */
#ifndef MACHINE_MAKING_H
#define MACHINE_MAKING_H

#include "machine/machine.h"

/** What is being made and where messages say it stands. */
typedef struct machine_making {
    inlay_machine *machine;
    const char *source;
    const inlay_attribute *attributes;
    size_t count;
    long line[ATTRIBUTES]; /**< where each attribute that was given stands */
    inlay_diag *diag;
} machine_making;

/** INLAY_BAD_INPUT where the attribute is not given. */
int making_need(const machine_making *make, attribute_id id);

/** The value of an attribute that is not given. */
int making_default(const machine_making *make, attribute_id id, const char *value);

/** The canonical string of a family, from its attributes. INLAY_NO_MEMORY without a message */
int making_text(inlay_machine *machine);

/** Whether an attribute is called reference_speed.TYPE; takes it: the machine's hosts are there. */
bool making_is_reference(const char *name);
int making_take_reference(const machine_making *make, const inlay_attribute *given);

/**
 * Speeds of 1 where operations a second are given: those of the attribute, of the file (`reference`, 0 where it does not
 * say), or of the fastest; of types, their own. INLAY_BAD_INPUT where some have a unit and others do not.
 */
int machine_relate_speeds(const machine_making *make, double reference);

#endif

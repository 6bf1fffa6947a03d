/*
 * What an argument MACHINE is: one look at it, whichever command asks.
 *
 *   6,4,4 or 8x3.5       a list of speeds
 *   bus:8,capacity=...   a machine string
 *   node:12,gpus=3,...   a node with accelerators
 *   host                 this computer
 *   FILE or -            a file of one of the formats, told by its content
 *
 * Attributes of the whole machine may stand behind a file's name and behind `host`. What exists as a file is that file.
 */
#ifndef IO_MACHINE_ARGUMENT_H
#define IO_MACHINE_ARGUMENT_H

#include "base/input.h"
#include "io/machine_formats.h"

typedef struct machine_argument {
    const char *text;             /**< as given */
    const char *source;           /**< as messages name it */
    const machine_format *format; /**< of a list or a file; NULL: a machine string, or this computer */
    const char *foreign;          /**< what it is else, where that is known */
    input *in;                    /**< what it says, of which nothing is taken yet; NULL where format is */
    inlay_attribute *attributes;  /**< behind its name */
    size_t count;
    bool is_list, is_host, is_node;
    char *place; /* the text up to its attributes, which point into it too; NULL: it names no file */
} machine_argument;

/**
 * Finds out what a text is. A file that looks like nothing is taken for one of the kind that the caller `wants`, whose
 * reader then says what is wrong with it. Closed by machine_argument_close(), also after a failure.
 */
int machine_argument_open(const char *text, machine_kind wants, machine_argument *argument, inlay_diag *diag);
void machine_argument_close(machine_argument *argument);

/** The same for one that may be an application: `format` is NULL and `in` is there where it is no machine's file. */
int machine_argument_look(const char *text, machine_argument *argument, inlay_diag *diag);

/** Whether it is a machine of some kind. */
bool machine_argument_is(const machine_argument *argument);

/** The machine that it is, whatever its kind. */
int machine_argument_read(machine_argument *argument, inlay_machine **machine, inlay_diag *diag);

/** INLAY_BAD_INPUT where attributes stand behind what is read for itself, not as a machine. */
int machine_argument_refuse_attributes(const machine_argument *argument, inlay_diag *diag);

#endif

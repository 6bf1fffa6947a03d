/* The operands APP... MACHINE... of a command, told apart by content. */
#ifndef TOOLS_OPERANDS_H
#define TOOLS_OPERANDS_H

#include "options.h"
#include <inlay/compare.h>

/** What was read. Zero-initialise; all of it is ours. */
typedef struct operands {
    size_t count, apps;
    inlay_app **app; /* an application or a machine, the other one is NULL */
    inlay_machine **machine;
    inlay_compare_input *input;
    inlay_diag **diag; /* of reading each, then of relating their speeds */
} operands;

/**
 * Read all operands, and relate speeds in operations a second to `reference`. INLAY_OK, INLAY_NO_MEMORY, or the exit status where it has said what is
 * wrong: also where there is no APP, or no MACHINE. Clear in every case.
 */
int operands_read(const invocation *call, const char *format, double reference, operands *all);
void operands_clear(operands *all);

/** Adds the warnings of reading. */
void operands_warn(const operands *all, inlay_diag *diag);

#endif

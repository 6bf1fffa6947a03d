/* Programs of our own that an MPI launcher starts as ranks: inlay-measure, inlay-partition. */
#ifndef TOOLS_RANKS_H
#define TOOLS_RANKS_H

#include "launcher.h"

typedef struct ranks_program {
    const char *name;     /**< "measure" */
    const char *packages; /**< that it is built with, as "packages a and b are" */
    const char *launcher;
    const char *hostfile; /**< the launcher's; NULL: this computer */
    inlay_id ranks;       /**< 0: the launcher tells */
} ranks_program;

/** More ranks than cores only wait for each other: whether there are not too many. An exit status. */
int ranks_check(const invocation *call, inlay_id ranks, inlay_id cores);

/** Become the program without a launcher; returns only where there is none. EXIT_SYSTEM, and has said so. */
int ranks_become(const invocation *call, const ranks_program *p);

/**
 * Start the program with words of its own, then those of the call, and run it to its end. Returns an exit status, and
 * has said what is wrong; `o` is the caller's to clear.
 * @param settings  of Open MPI; further ones are added
 */
int ranks_start(const invocation *call, const ranks_program *p, const folder *where, const words *own, words *settings,
                outcome *o);

/** The lines of the ranks' own: not the launcher's, between rules or behind [HOST:PROCESS] or [warn], and each once where several
 *  ranks say the same. False where there are none. */
bool ranks_copy_own(FILE *said, FILE *to);

/**
 * What the program printed goes where it would have gone; of a failure the line that tells most, without --verbose. An
 * exit status.
 */
int ranks_pass_on(const invocation *call, const ranks_program *p, const outcome *o);

#endif

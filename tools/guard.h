/*
 * A process that outlives this one where it is killed, and tidies up behind it: what it started ends, and its private
 * folder goes. Who ends in another way has done so before.
 */
#ifndef TOOLS_GUARD_H
#define TOOLS_GUARD_H

#include <limits.h>
#include <sys/types.h>

/** What both see. */
typedef struct guarded {
    _Atomic pid_t group;   /**< of the program that runs; 0: none */
    _Atomic int error;     /**< errno of the last program, where it could not be started */
    char folder[PATH_MAX]; /**< with files, no folders, in it; "": none */
} guarded;

/** Zero-initialised there is none. */
typedef struct guard {
    guarded *shared;
    pid_t process;
    int alive; /**< whose other end tells that this process is no more */
} guard;

/** -1 where there can be none; errno tells why. */
int guard_begin(guard *g);

/** Nothing is left to tidy up. */
void guard_end(guard *g);

/** Remove a folder with all files in it. */
void guard_remove_folder(const char *path);

#endif

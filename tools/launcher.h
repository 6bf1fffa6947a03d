/* Compilers and launchers of MPI: starting one, and telling what went wrong. */
#ifndef TOOLS_LAUNCHER_H
#define TOOLS_LAUNCHER_H

#include "endings.h"
#include "folder.h"
#include "options.h"
#include "process.h"

enum { LAUNCHER_LINE = 200 /**< of what a program printed; longer lines are cut */ };

/** What a program is for, and how one gets another. */
typedef struct program_kind {
    const char *what, *option, *packages;
} program_kind;

extern const program_kind mpi_launcher;

/** A program that was started, and what it printed. Zero-initialise. */
typedef struct outcome {
    FILE *output, *errors;
    process_end end;
} outcome;

void outcome_clear(outcome *o);
void outcome_copy(FILE *said, FILE *to);

/** All that it printed, on standard error, with --verbose. */
void outcome_show(const invocation *call, const outcome *o);

/** The first line with a word, or where `word` is NULL with any; false, and "", where there is none. */
bool outcome_line(FILE *said, const char *word, char line[LAUNCHER_LINE]);

/** `inlay COMMAND: text`. Returns EXIT_SYSTEM. */
int launcher_fail(const invocation *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * `work` with a private folder that is gone at the end, whatever ends this program: the signals that do are held back.
 * Returns its exit status, or has said why there is no folder.
 * @param before  for endings_release() while something is waited for
 */
typedef int folder_work(const invocation *call, const folder *where, const sigset_t *before, void *of);
int launcher_in_folder(const invocation *call, folder_work *work, void *of);

/** Says why there is no private folder: errno. Returns EXIT_SYSTEM. */
int launcher_no_folder(const invocation *call);

/** Run a program to its end. Returns an exit status, and has said what is wrong; `o` is the caller's to clear. */
int launcher_start(const invocation *call, const program_kind *kind, const folder *where, const words *command,
                   const words *settings, outcome *o);

/** How a program ended: EXIT_DONE where it ended well, else EXIT_SYSTEM, and its most telling line is said. */
int launcher_check_end(const invocation *call, const program_kind *kind, const char *command, const outcome *o);

/**
 * The path of a file that programs read as often as they like: what comes once is copied into the folder, under a name.
 * A signal may end the wait for it. Returns an exit status, and has said what is wrong.
 */
int launcher_file(const folder *where, const char *path, const char *name, char plain[PATH_MAX]);

/** What the launcher says it is; "" where it does not tell. Returns an exit status. */
int launcher_version(const invocation *call, const program_kind *kind, const char *launcher, const folder *where,
                     char version[LAUNCHER_LINE]);

/** Open MPI starts nothing for root, and no more ranks than cores, unless told to. A file of hosts tells the cores. */
void launcher_open_mpi(bool hostfile, words *settings);

/** The same where the launcher says that it is Open MPI, which hangs where it may not open a few files for each rank, or has
 *  too little memory to begin: EXIT_SYSTEM, and has said so. */
int launcher_prepare(const invocation *call, const char *version, bool hostfile, inlay_id ranks, words *settings);

#endif

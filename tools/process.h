/* Programs of the user's that a command starts: one at a time, and none outlives it. */
#ifndef TOOLS_PROCESS_H
#define TOOLS_PROCESS_H

#include "guard.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The words of a command line. Zero-initialise. */
typedef struct words {
    char **word; /**< the last one NULL; ours, as the words are */
    size_t count;
    bool failed; /**< out of memory: words are missing */
} words;

void words_add(words *list, const char *word);

/** Add what a text is made of, split at blanks. */
void words_split(words *list, const char *text);
void words_clear(words *list);

/** How a program ended. */
typedef struct process_end {
    int error;      /**< errno of one that could not be started, else 0 */
    int status;     /**< its exit status; 128 + the signal that ended it, as shells count */
    double seconds; /**< from its start to its end */
    bool stopped;   /**< by a signal that was meant for this program */
    bool late;      /**< it was ended because it took too long */
} process_end;

/** Called in the child before it becomes the program: it returns in the process that is to do so, and in no other. */
typedef struct process_follower {
    void (*begin)(void *of);
    void *of;
} process_follower;

/**
 * Start a program and wait for its end. It reads `input` (NULL: nothing), and writes to the two other files. SIGINT, SIGTERM and SIGHUP, which
 * the caller holds back, go to it and all that it started; the caller ends by them as soon as it lets them through. Where
 * the caller is killed, the guard ends them.
 * @param settings  further words of its environment ("NAME=VALUE"), which give way to those that are there
 * @param by        NULL: nothing stands between
 */
process_end process_run(const guard *over, const words *command, const words *settings, FILE *input, FILE *output,
                        FILE *errors, const process_follower *by);

/** The same of a program that is ended where it takes longer than so many seconds; 0: it may take as long as it wants. */
process_end process_run_within(double seconds, const guard *over, const words *command, const words *settings,
                               FILE *input, FILE *output, FILE *errors, const process_follower *by);

#endif

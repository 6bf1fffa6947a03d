/*
 * Signals that end a program. Who has something to tidy up first holds them back: they end the program when they are let
 * through again. Those that are ignored stay so.
 */
#ifndef TOOLS_ENDINGS_H
#define TOOLS_ENDINGS_H

#include <signal.h>

/** SIGINT, SIGTERM and SIGHUP, but those that are ignored. */
void endings_set(sigset_t *endings);

/** Hold them back; `before` takes what was held back until now. */
void endings_hold(sigset_t *before);

/** Let them through: where one has come, the program ends here. */
void endings_release(const sigset_t *before);

#endif

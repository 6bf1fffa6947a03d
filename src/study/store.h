/*
 * Applications and machines of a study, read once and shared by its workers: an application stays until there is no room
 * for all of them.
 */
#ifndef STUDY_STORE_H
#define STUDY_STORE_H

#include "base/text.h"
#include "study/study.h"

typedef struct store store;

store *store_new(const inlay_study *study); /**< NULL when out of memory */
void store_free(store *s);

/** An application or a machine that was read, or why it cannot be. */
typedef struct stored {
    const inlay_app *app;
    const inlay_machine *machine;
    const char *error; /**< NULL: there is none */
    double reference;  /**< of the machine's speeds */
} stored;

/** Wait until it is read; it stays until store_give_app(). INLAY_NO_MEMORY where it may be read another time. */
int store_take_app(store *s, size_t application, stored *of);
void store_give_app(store *s, size_t application);

/** The same of a machine, with speeds seen from a processor of so many flop/s (0: as the machine says). It stays. */
int store_take_machine(store *s, size_t machine, double reference, stored *of);

/** Read a machine that is not kept. On failure too there may be one to free. */
int store_read_machine(const char *text, double reference, inlay_machine **machine, inlay_diag *diag);

/** Modules and links of an application that was read before; 0 of one that cannot be. */
double store_size(const store *s, size_t application);

/** SHA-256 of what it is: of its file, or of what it is computed from. Once it was read. */
const char *store_app_digest(const store *s, size_t application);

/** What was warned about while reading: to the diag, each text once, with how often where that is more. */
void store_warnings(store *s, inlay_diag *diag);

#endif

/* Kinds of modules, and their colours in every picture. */
#ifndef RENDER_KINDS_H
#define RENDER_KINDS_H

#include <inlay/app.h>

/** Kinds that have a colour of their own, and characters of one in a legend. */
enum { KINDS = 6, KIND_MOST = 16 };

/** By their first appearance; a module beyond KINDS, or without one, is one of the others. */
typedef struct module_kinds {
    const char *name[KINDS];
    size_t count;
    bool others;
    uint8_t *of; /**< of each module, up to KINDS: of the others; owned; NULL: no module has a kind */
} module_kinds;

/** False when out of memory. */
bool module_kinds_find(module_kinds *kinds, const inlay_app *app);

/**
 * Colour of the k-th kind; of KINDS that of the others. Dark enough for white names, told apart by colour-blind eyes, and
 * none of them that of the critical path. The light form has black words on it.
 */
const char *kind_colour(size_t kind);
const char *kind_light_colour(size_t kind);

#endif

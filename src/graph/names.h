/* A store of names: they stay where they are until the store is freed. */
#ifndef GRAPH_NAMES_H
#define GRAPH_NAMES_H

#include <stddef.h>

typedef struct name_store name_store;

/** Copy a name into the store (made on first use); NULL when out of memory. */
const char *name_store_keep(name_store **store, const char *name);
const char *name_store_keep_sized(name_store **store, const char *name, size_t length); /**< without its NUL */
void name_store_free(name_store *store);

#endif

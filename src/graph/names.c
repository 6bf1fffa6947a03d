/* A store of names, in blocks. */
#include "graph/names.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

struct name_store {
    name_store *next;
    size_t used, size;
    char data[];
};

const char *name_store_keep(name_store **store, const char *name)
{
    return name_store_keep_sized(store, name, strlen(name));
}

const char *name_store_keep_sized(name_store **store, const char *name, size_t length)
{
    size_t size = length + 1;
    if (*store == NULL || (*store)->size - (*store)->used < size) {
        size_t room = size > BLOCK ? size : BLOCK;
        name_store *block = malloc(sizeof *block + room);
        if (block == NULL) {
            return NULL;
        }
        *block = (name_store){.next = *store, .size = room};
        *store = block;
    }
    char *kept = (*store)->data + (*store)->used;
    memcpy(kept, name, length);
    kept[length] = '\0';
    (*store)->used += size;
    return kept;
}

void name_store_free(name_store *store)
{
    while (store != NULL) {
        name_store *next = store->next;
        free(store);
        store = next;
    }
}

/* A store of names, in blocks. */
#include "graph/names.h"
#include "graph/columns.h"
#include <stdlib.h>
#include <string.h>

/* Bytes: each block is twice as large as the one before, for the larger the cheaper, but only so far. */
enum { FIRST_BLOCK = 1 << 16, LARGEST_BLOCK = 1 << 23 };

struct name_store {
    name_store *next;
    size_t used, size;
    char data[];
};

const char *name_store_keep(name_store **store, const char *name)
{
    return name_store_keep_sized(store, name, strlen(name));
}

/* A new block in front of the others, with room for `size` bytes at least. */
static bool open_block(name_store **store, size_t size)
{
    size_t wanted = *store == NULL ? FIRST_BLOCK : 2 * (*store)->size;
    wanted = wanted > LARGEST_BLOCK ? LARGEST_BLOCK : wanted;
    wanted = wanted < size ? size : wanted;
    name_store *block = column_new(sizeof *block + wanted, 1);
    if (block == NULL) {
        return false;
    }
    *block = (name_store){.next = *store, .size = wanted};
    *store = block;
    return true;
}

const char *name_store_keep_sized(name_store **store, const char *name, size_t length)
{
    size_t size = length + 1;
    if ((*store == NULL || (*store)->size - (*store)->used < size) && !open_block(store, size)) {
        return NULL;
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

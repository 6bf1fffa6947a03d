/* The memory of a program that was read, and walks through its trees. */
#include "tree.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 1 << 16 };

struct block {
    struct block *next;
    size_t used, size;
    max_align_t data[];
};

static struct block *add_block(program *p, size_t size)
{
    size = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    struct block *block = calloc(1, sizeof *block + size);
    if (block != NULL) {
        *block = (struct block){.next = p->memory, .size = size};
        p->memory = block;
    }
    return block;
}

void *program_allocate(program *p, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct block *block = p->memory;
    if (block == NULL || block->size - block->used < size) {
        block = add_block(p, size);
    }
    if (block == NULL) {
        return NULL;
    }
    void *data = (char *)block->data + block->used;
    block->used += size;
    return data;
}

const char *program_copy(program *p, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = program_allocate(p, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

void program_clear(program *p)
{
    while (p->memory != NULL) {
        struct block *next = p->memory->next;
        free(p->memory);
        p->memory = next;
    }
    free(p->variable);
    free(p->function);
    free(p->row);
    free(p->name);
    *p = (program){0};
}

bool grow(void *list_of_pointers, int count, int *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    int wanted = *room == 0 ? 16 : 2 * *room;
    void *old;
    memcpy(&old, list_of_pointers, sizeof old);
    void *bigger = *room > INT32_MAX / 4 ? NULL : realloc(old, (size_t)wanted * size);
    if (bigger == NULL) {
        return false;
    }
    memcpy(list_of_pointers, &bigger, sizeof bigger);
    *room = wanted;
    return true;
}

node *node_find(node *n, bool (*is)(const node *n, const void *with), const void *with) /* NOLINT(misc-no-recursion) */
{
    if (n == NULL || is(n, with)) {
        return n;
    }
    node *found = NULL;
    for (int i = 0; found == NULL && i < n->children; i++) {
        found = node_find(n->child[i], is, with);
    }
    return found;
}

bool node_is_loop(const node *n)
{
    return n->kind == NODE_FOR || n->kind == NODE_WHILE || n->kind == NODE_DO;
}

bool type_is_number(value_type type)
{
    return type.kind == TYPE_INTEGER || type.kind == TYPE_REAL;
}

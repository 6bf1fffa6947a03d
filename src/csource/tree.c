/* The memory of a program that was read, and walks through its trees. */
#include "csource/tree.h"
#include <stdlib.h>
#include <string.h>

const char *program_text(program *p, const char *text, size_t length)
{
    char *copy = pool_zeroed(&p->memory, length + 1, 1);
    return copy != NULL ? memcpy(copy, text, length) : NULL;
}

const char *program_copy(program *p, const char *text)
{
    return program_text(p, text, strlen(text));
}

void program_clear(program *p)
{
    pool_clear(&p->memory);
    free(p->variable);
    free(p->function);
    free(p->row);
    free(p->name);
    *p = (program){0};
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

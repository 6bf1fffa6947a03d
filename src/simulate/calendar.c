/* The calendar. */
#include "simulate/calendar.h"
#include "base/memory.h"
#include <stdlib.h>

void calendar_empty(calendar *c)
{
    for (int32_t n = 0; n < 2 * c->leaves; n++) {
        int32_t slot = n;
        while (slot > 0 && slot < c->leaves) {
            slot *= 2; /* the leftmost slot below */
        }
        c->node[n] = (calendar_node){INFINITY, slot - c->leaves};
    }
}

bool calendar_make(calendar *c, int32_t slots)
{
    c->leaves = 1;
    while (c->leaves < slots) {
        c->leaves *= 2;
    }
    c->node = memory_array(2 * (size_t)c->leaves, sizeof *c->node);
    if (c->node == NULL) {
        return false;
    }
    calendar_empty(c);
    return true;
}

void calendar_clear(calendar *c)
{
    free(c->node);
    *c = (calendar){0};
}

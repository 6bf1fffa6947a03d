/* A heap of modules by a key. */
#include "cluster/keyed.h"
#include "base/heap.h"
#include "base/memory.h"

static bool comes_first(const void *context, const void *a, const void *b)
{
    const keyed_module *x = a, *y = b;
    (void)context;
    return x->key > y->key || (!(x->key < y->key) && x->module < y->module);
}

static heap of(const keyed_heap *h)
{
    return (heap){h->item, sizeof *h->item, comes_first, NULL};
}

bool keyed_push(keyed_heap *h, double key, inlay_id module)
{
    if (!memory_grow((void **)&h->item, &h->room, h->count + 1, sizeof *h->item)) {
        return false;
    }
    h->item[h->count] = (keyed_module){key, module};
    heap_put(of(h), h->count++);
    return true;
}

keyed_module keyed_take(keyed_heap *h)
{
    keyed_module first = h->item[0];
    heap_drop(of(h), --h->count);
    return first;
}

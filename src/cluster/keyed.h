/* A heap of modules by a key: the greatest comes first, of equal ones the smallest module. */
#ifndef CLUSTER_KEYED_H
#define CLUSTER_KEYED_H

#include <inlay/app.h>
#include <stdbool.h>

typedef struct keyed_module {
    double key;
    inlay_id module;
} keyed_module;

/** Zero-initialised, it is empty; `item[0]` comes first. The array is freed by the caller. */
typedef struct keyed_heap {
    keyed_module *item;
    size_t count, room;
} keyed_heap;

bool keyed_push(keyed_heap *h, double key, inlay_id module); /**< false when out of memory */
keyed_module keyed_take(keyed_heap *h);                      /**< the first, which is there no more */

#endif

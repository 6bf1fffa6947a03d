/*
 * Clusters in classes of those that are compatible with the same others: they occupy the same slots, have the same pin,
 * and where memory is limited need as much of it. Two of one class share their slots and never merge (a cluster without slots, and with overlap any, is a class by itself). A class is
 * represented by its lightest cluster, so that a search for a partner looks at classes, of which a graph of many small
 * pieces has few.
 */
#ifndef CLUSTER_CLASSES_H
#define CLUSTER_CLASSES_H

#include "cluster/partition.h"

/* A place in the order of clusters: by work, then by smallest module. */
typedef struct rank {
    inlay_time work;
    inlay_id least;
} rank;

typedef struct cluster_class {
    inlay_id lightest; /**< root of its first cluster by rank; -1: no class */
    rank at;           /**< its rank */
    uint64_t crowded;  /**< which of the most crowded slots its clusters occupy: two with a common bit never merge */
    inlay_id next;     /**< the next one in its bucket */
    uint64_t slots;    /**< hash of the slots that its clusters occupy */
    uint64_t key;      /**< hash of all that makes the class */
    bool alone;        /**< may be compatible with its like, so it has one cluster only */
} cluster_class;

typedef struct classes {
    const partition *part;
    cluster_class *items;      /**< `capacity` of them */
    inlay_id *of;              /**< class of every root */
    inlay_id *order;           /**< classes by rank of their lightest clusters, from `begin` to before `end` */
    inlay_id *bucket;          /**< first class of a key, or -1 */
    inlay_id *child, *sibling; /**< of roots: a pairing heap in every class */
    inlay_id capacity, begin, end;
    inlay_id vacant;     /**< first of the unused items, chained by `next` */
    size_t mask;         /**< number of buckets less one */
    int8_t *crowded_bit; /**< of every slot: its bit in `crowded`, or -1; with overlap NULL */
} classes;

/** All clusters of a partition, in their classes. */
int classes_make(const partition *part, classes *result);
void classes_clear(classes *c);

/** Take the lightest cluster out of its class, which ceases to be when it was the last. */
void classes_take(classes *c, inlay_id number);

/** Put in a cluster that was merged of two whose classes had slots of these hashes; the number of its class. */
inlay_id classes_put(classes *c, inlay_id root, uint64_t slots);

/** Where a rank stands, or would stand, in the order. */
inlay_id classes_place(const classes *c, rank at);

static inline rank classes_rank(const classes *c, inlay_id root)
{
    return (rank){c->part->clusters[root].work, c->part->clusters[root].least};
}

#endif

/* Translation tables from within (see inlay/irregular_table.h). */
#ifndef IRREGULAR_EXCHANGE_TABLE_H
#define IRREGULAR_EXCHANGE_TABLE_H

#include <inlay/irregular_table.h>

/** A page of a table: the entries of the elements that its rank has in the block distribution. */
struct inlay_table {
    MPI_Comm comm;
    int ranks, rank;
    int64_t n;
    int32_t local;       /**< elements that this rank owns */
    int64_t *global;     /**< [local] their numbers by offset; NULL for a block distribution, which has no entries */
    int32_t *owner;      /**< [page] of element first[rank] + i; NULL for a block distribution */
    int32_t *offset;     /**< [page] */
    int64_t *first;      /**< [ranks + 1] the block distribution: where pages begin */
    double pages_a_unit; /**< ranks / n: a first guess of the page */
};

/** The rank with the page of element g, 0 <= g < n, and so its owner in a block distribution. */
static inline int table_page(const inlay_table *table, int64_t g)
{
    int rank = (int)((double)g * table->pages_a_unit);
    rank = rank < table->ranks ? rank : table->ranks - 1;
    while (g < table->first[rank]) {
        rank--;
    }
    while (g >= table->first[rank + 1]) {
        rank++;
    }
    return rank;
}

/** How many entries the page of this rank has. */
static inline int32_t table_page_size(const inlay_table *table)
{
    return (int32_t)(table->first[table->rank + 1] - table->first[table->rank]);
}

#endif

/* Links in rows: sorted by their two ends, those of one pair and flag merged. */
#ifndef GRAPH_ROWS_H
#define GRAPH_ROWS_H

#include "graph/builder.h"

typedef struct link_rows {
    int64_t count;
    int64_t *begin; /**< sources + 1 */
    inlay_id *to;
    int64_t *messages, *bytes;
    uint8_t *flags;
} link_rows;

/**
 * The rows of `sources` modules or blocks. Where the links come in their order already, the columns of the rows are
 * those of `links`: to whom they belong in the end is the caller's affair. Else they are new, and the messages and bytes
 * of `links` are freed on the way. false when out of memory, with `rows` and `links` still to be freed.
 */
bool link_rows_make(built_links *links, size_t sources, link_rows *rows);

#endif

/* Links in rows: one counting pass by source, then each row by itself. */
#include "graph/rows.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { SHORT_ROW = 24 };

/* A link of one row while that is sorted. */
typedef struct entry {
    int64_t order; /* link_order(), whose `from` is the same in the whole row */
    int64_t messages, bytes;
} entry;

/* How many links leave each source becomes where its row begins. */
static void begin_rows(const built_links *links, size_t sources, int64_t *begin)
{
    for (size_t i = 0; i < links->count; i++) {
        begin[links->from[i] + 1]++;
    }
    for (size_t i = 0; i < sources; i++) {
        begin[i + 1] += begin[i];
    }
}

/* Every link to its row, in the order of the input. */
static void scatter(const built_links *links, size_t sources, const link_rows *rows)
{
    int64_t *begin = rows->begin;
    for (size_t i = 0; i < links->count; i++) {
        int64_t at = begin[links->from[i]]++;
        rows->to[at] = links->to[i];
        rows->messages[at] = links->messages[i];
        rows->bytes[at] = links->bytes[i];
        rows->flags[at] = links->flags[i];
    }
    /* each row's begin has moved to its end, which is where the next one begins */
    memmove(begin + 1, begin, sources * sizeof *begin);
    begin[0] = 0;
}

static int compare_entries(const void *left, const void *right)
{
    int64_t a = ((const entry *)left)->order, b = ((const entry *)right)->order;
    return (a > b) - (a < b);
}

static void sort_entries(entry *entries, size_t count)
{
    if (count > SHORT_ROW) {
        qsort(entries, count, sizeof *entries, compare_entries);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        entry moved = entries[i];
        size_t at = i;
        for (; at > 0 && entries[at - 1].order > moved.order; at--) {
            entries[at] = entries[at - 1];
        }
        entries[at] = moved;
    }
}

static bool row_is_sorted(const link_rows *rows, int64_t begin, int64_t end)
{
    for (int64_t l = begin + 1; l < end; l++) {
        if (link_order(0, rows->to[l - 1], rows->flags[l - 1]) > link_order(0, rows->to[l], rows->flags[l])) {
            return false;
        }
    }
    return true;
}

static void sort_row(const link_rows *rows, int64_t begin, int64_t end, entry *entries)
{
    for (int64_t l = begin; l < end; l++) {
        entries[l - begin] = (entry){link_order(0, rows->to[l], rows->flags[l]), rows->messages[l], rows->bytes[l]};
    }
    sort_entries(entries, (size_t)(end - begin));
    for (int64_t l = begin; l < end; l++) {
        const entry *e = &entries[l - begin];
        rows->to[l] = (inlay_id)(e->order >> 1);
        rows->flags[l] = (uint8_t)(e->order & 1);
        rows->messages[l] = e->messages;
        rows->bytes[l] = e->bytes;
    }
}

static bool sort_rows(const link_rows *rows, size_t sources)
{
    int64_t longest = 0;
    for (size_t i = 0; i < sources; i++) {
        int64_t length = rows->begin[i + 1] - rows->begin[i];
        longest = length > longest ? length : longest;
    }
    entry *entries = memory_array((size_t)longest, sizeof *entries);
    for (size_t i = 0; entries != NULL && i < sources; i++) {
        if (!row_is_sorted(rows, rows->begin[i], rows->begin[i + 1])) {
            sort_row(rows, rows->begin[i], rows->begin[i + 1], entries);
        }
    }
    free(entries);
    return entries != NULL;
}

/* Links of one pair and flag become one. The sums fit: the builder has added all messages and bytes before. */
static void merge(link_rows *rows, size_t sources)
{
    int64_t kept = 0, at = 0;
    for (size_t i = 0; i < sources; i++) {
        int64_t first = kept;
        for (; at < rows->begin[i + 1]; at++) {
            if (kept > first && rows->to[kept - 1] == rows->to[at] && rows->flags[kept - 1] == rows->flags[at]) {
                rows->messages[kept - 1] += rows->messages[at];
                rows->bytes[kept - 1] += rows->bytes[at];
                continue;
            }
            rows->to[kept] = rows->to[at];
            rows->flags[kept] = rows->flags[at];
            rows->messages[kept] = rows->messages[at];
            rows->bytes[kept] = rows->bytes[at];
            kept++;
        }
        rows->begin[i + 1] = kept;
    }
    rows->count = kept;
}

static bool sort_links(built_links *links, size_t sources, link_rows *rows)
{
    rows->to = column_new(links->count, sizeof *rows->to);
    rows->messages = column_new(links->count, sizeof *rows->messages);
    rows->bytes = column_new(links->count, sizeof *rows->bytes);
    rows->flags = column_new(links->count, sizeof *rows->flags);
    if (rows->to == NULL || rows->messages == NULL || rows->bytes == NULL || rows->flags == NULL) {
        return false;
    }
    scatter(links, sources, rows);
    free(links->messages);
    free(links->bytes);
    links->messages = links->bytes = NULL;
    if (!sort_rows(rows, sources)) {
        return false;
    }
    merge(rows, sources);
    return true;
}

bool link_rows_make(built_links *links, size_t sources, link_rows *rows)
{
    *rows = (link_rows){.count = (int64_t)links->count};
    rows->begin = column_zeroed(sources + 1, sizeof *rows->begin);
    if (rows->begin == NULL) {
        return false;
    }
    begin_rows(links, sources, rows->begin);
    if (links->unsorted) {
        return sort_links(links, sources, rows);
    }
    rows->to = links->to;
    rows->messages = links->messages;
    rows->bytes = links->bytes;
    rows->flags = links->flags;
    return true;
}

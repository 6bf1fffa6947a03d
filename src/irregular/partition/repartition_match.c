/*
 * Names for the parts of a fresh partition: the assignment of the greatest weight (H. Kuhn, "The Hungarian method for the
 * assignment problem", 1955, by shortest ways); of many parts the heaviest pairs first.
 */
#include "irregular/partition/repartition.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

typedef __int128 wide; /* sums of weights below 2^62 */

typedef struct matching {
    memory_pool arrays; /**< owns them */
    const partition_job *job;
    const int64_t *load, *common;
    int32_t parts;
    wide *row, *column, *least; /* prices, and the shortest ways known; [parts + 1], as the rest */
    int32_t *taken, *before;    /* part that has a name (0: none has), and the name before it on the way; from 1 */
    bool *seen;
} matching;

static bool allowed(const matching *m, int32_t part, int32_t name)
{
    bool all = true;
    for (int32_t w = 0; w < m->job->weights; w++) {
        all =
            all && m->load[(ptrdiff_t)part * m->job->weights + w] <= partition_limit(partition_weight(m->job, w), name);
    }
    return all;
}

/* What it costs that part i has name j, both from 1. A pair that must not be costs more than all others together. */
static wide cost(const matching *m, int32_t i, int32_t j)
{
    wide common = m->common[(size_t)(i - 1) * (size_t)m->parts + (size_t)(j - 1)];
    return allowed(m, i - 1, j - 1) ? -common : (wide)1 << 80;
}

/* Part i gets a name, for which others may change theirs: the shortest way to one that is free. */
static void add_part(matching *m, int32_t i)
{
    int32_t at = 0;
    m->taken[0] = i;
    for (int32_t j = 0; j <= m->parts; j++) {
        m->least[j] = (wide)1 << 100;
        m->seen[j] = false;
    }
    do {
        int32_t part = m->taken[at], next = 0;
        wide step = (wide)1 << 100;
        m->seen[at] = true;
        for (int32_t j = 1; j <= m->parts; j++) {
            if (!m->seen[j]) {
                wide way = cost(m, part, j) - m->row[part] - m->column[j];
                if (way < m->least[j]) {
                    m->least[j] = way;
                    m->before[j] = at;
                }
                if (m->least[j] < step) {
                    step = m->least[j];
                    next = j;
                }
            }
        }
        for (int32_t j = 0; j <= m->parts; j++) {
            if (m->seen[j]) {
                m->row[m->taken[j]] += step;
                m->column[j] -= step;
            } else {
                m->least[j] -= step;
            }
        }
        at = next;
    } while (m->taken[at] != 0);
    for (; at != 0; at = m->before[at]) {
        m->taken[at] = m->taken[m->before[at]];
    }
}

static int match_exactly(matching *m, int32_t *name, inlay_diag *diag)
{
    size_t room = (size_t)m->parts + 1;
    m->row = pool_zeroed(&m->arrays, room, sizeof *m->row);
    m->column = pool_zeroed(&m->arrays, room, sizeof *m->column);
    m->least = pool_array(&m->arrays, room, sizeof *m->least);
    m->taken = pool_zeroed(&m->arrays, room, sizeof *m->taken);
    m->before = pool_zeroed(&m->arrays, room, sizeof *m->before);
    m->seen = pool_array(&m->arrays, room, sizeof *m->seen);
    if (m->arrays.failed) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 1; i <= m->parts; i++) {
        add_part(m, i);
    }
    for (int32_t j = 1; j <= m->parts; j++) {
        name[m->taken[j] - 1] = j - 1;
    }
    return INLAY_OK;
}

/* ---- Of many parts ---- */

typedef struct pair {
    int64_t common;
    int32_t part, name;
} pair;

static int heaviest_first(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->common != y->common) {
        return x->common < y->common ? 1 : -1;
    }
    return x->part != y->part ? (x->part > y->part) - (x->part < y->part) : (x->name > y->name) - (x->name < y->name);
}

/* Parts without a name take those that are left, in order; where one may not, all keep their own. */
static void fill(const matching *m, int32_t *name, const bool *taken)
{
    bool fits = true;
    for (int32_t p = 0, q = 0; p < m->parts; p++) {
        if (name[p] < 0) {
            while (taken[q]) {
                q++;
            }
            fits = fits && allowed(m, p, q);
            name[p] = q++;
        }
    }
    for (int32_t p = 0; p < m->parts && !fits; p++) {
        name[p] = p;
    }
}

static int match_pairs(matching *m, int32_t *name, inlay_diag *diag)
{
    size_t parts = (size_t)m->parts, count = 0;
    for (size_t i = 0; i < parts * parts; i++) {
        count += m->common[i] > 0;
    }
    pair *pairs = pool_array(&m->arrays, count, sizeof *pairs);
    bool *taken = pool_zeroed(&m->arrays, parts, sizeof *taken);
    if (m->arrays.failed) {
        return diag_no_memory(diag);
    }
    count = 0;
    for (int32_t p = 0; p < m->parts; p++) {
        name[p] = -1;
        for (int32_t q = 0; q < m->parts; q++) {
            int64_t common = m->common[(size_t)p * parts + (size_t)q];
            if (common > 0 && allowed(m, p, q)) {
                pairs[count++] = (pair){common, p, q};
            }
        }
    }
    qsort(pairs, count, sizeof *pairs, heaviest_first);
    for (size_t i = 0; i < count; i++) {
        if (name[pairs[i].part] < 0 && !taken[pairs[i].name]) {
            name[pairs[i].part] = pairs[i].name;
            taken[pairs[i].name] = true;
        }
    }
    fill(m, name, taken);
    return INLAY_OK;
}

int repartition_match(const partition_job *job, const int64_t *load, const int64_t *common, int32_t *name,
                      inlay_diag *diag)
{
    matching m = {.job = job, .load = load, .common = common, .parts = job->parts};
    int status = job->parts <= REPARTITION_EXACT ? match_exactly(&m, name, diag) : match_pairs(&m, name, diag);
    pool_clear(&m.arrays);
    return status;
}

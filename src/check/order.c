/* What follows from the application's graph alone: times, lags, levels, blocking times, the order of execution. */
#include "check/check.h"

#include <stdlib.h>

int64_t check_add(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

inlay_time check_lag(const check *k, inlay_id from, inlay_id to, inlay_time time)
{
    if (!k->streamed) return time;
    inlay_time wait = k->ready[to] > k->ready[from] ? k->ready[to] - k->ready[from] : 0;
    return wait < time ? wait : time;
}

/* How many links with precedence lead to every module. */
static void count_predecessors(const check *k, int64_t *left)
{
    for (inlay_id i = 0; i < k->modules; i++)
        inlay_app_predecessors(k->app, i, &left[i]);
}

/* Any order in which every module stands behind its predecessors (Kahn). */
static void sort_topologically(const check *k, int64_t *left, inlay_id *sorted)
{
    inlay_id taken = 0, found = 0;
    count_predecessors(k, left);
    for (inlay_id i = 0; i < k->modules; i++)
        if (left[i] == 0) sorted[found++] = i;
    while (taken < found) {
        inlay_links out = inlay_app_out(k->app, sorted[taken++]);
        for (int64_t l = 0; l < out.count; l++)
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) && --left[out.module[l]] == 0)
                sorted[found++] = out.module[l];
    }
}

/* Level, and the earliest end of all predecessors: what a module waits for when messages take no time. */
static void levels_and_blocking(const check *k, const inlay_id *sorted, inlay_time *derived)
{
    for (inlay_id at = 0; at < k->modules; at++) {
        inlay_id i = sorted[at];
        inlay_links out = inlay_app_out(k->app, i);
        for (int64_t l = 0; l < out.count; l++) {
            inlay_id j = out.module[l];
            if (out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) continue;
            if (k->level[j] <= k->level[i]) k->level[j] = k->level[i] + 1;
            inlay_time end = check_add(derived[i], k->time[i]);
            if (derived[j] < end) derived[j] = end;
        }
    }
}

/* Which b is used where: the file's or the derived one. */
static void choose_blocking(check *k, const inlay_time *derived)
{
    bool given = inlay_app_has_blocking(k->app);
    for (inlay_id i = 0; i < k->modules; i++) {
        inlay_time file = inlay_app_blocking(k->app, i);
        k->ready[i] = k->streamed ? file : derived[i];
        k->work_ready[i] = !k->work_has_blocking ? 0 : given ? file : derived[i];
    }
}

/* Earliest starts and the critical path by the lags, forwards; bottom levels, backwards. */
static void longest_paths(check *k, const inlay_id *sorted)
{
    for (inlay_id at = 0; at < k->modules; at++) {
        inlay_id i = sorted[at];
        inlay_links out = inlay_app_out(k->app, i);
        for (int64_t l = 0; l < out.count; l++) {
            inlay_time satisfied = check_add(k->earliest[i], check_lag(k, i, out.module[l], k->time[i]));
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) && k->earliest[out.module[l]] < satisfied)
                k->earliest[out.module[l]] = satisfied;
        }
        inlay_time end = check_add(k->earliest[i], k->time[i]);
        if (end > k->critical_path) k->critical_path = end;
    }
    for (inlay_id at = k->modules; at-- > 0;) {
        inlay_id i = sorted[at];
        inlay_links out = inlay_app_out(k->app, i);
        inlay_time longest = -1;
        for (int64_t l = 0; l < out.count; l++) {
            inlay_time path = check_add(check_lag(k, i, out.module[l], k->time[i]), k->bottom[out.module[l]]);
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) && path > longest) longest = path;
        }
        k->bottom[i] = longest < 0 ? k->time[i] : longest;
    }
}

/* ---- The order of execution ---- */

/* Whether module a runs before b when both could: the least (b, -bottom level, number), or without b. */
static bool runs_first(const check *k, inlay_id a, inlay_id b)
{
    if (k->order != CHECK_ORDER_BOTTOM_LEVEL && k->ready[a] != k->ready[b]) return k->ready[a] < k->ready[b];
    if (k->bottom[a] != k->bottom[b]) return k->bottom[a] > k->bottom[b];
    return a < b;
}

/* A binary heap of modules whose predecessors are all taken. */
static void push(const check *k, inlay_id *heap, size_t *size, inlay_id module)
{
    size_t at = (*size)++;
    for (; at > 0 && runs_first(k, module, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = module;
}

static inlay_id pop(const check *k, inlay_id *heap, size_t *size)
{
    inlay_id first = heap[0], last = heap[--*size];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < *size; at = child) {
        if (child + 1 < *size && runs_first(k, heap[child + 1], heap[child])) child++;
        if (!runs_first(k, heap[child], last)) break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

/* Where the lists of the file are the order, each module waits for the one before it, too. */
static void count_listed(const check *k, int64_t *left)
{
    for (inlay_id c = 0; k->order_given && c < k->clusters; c++)
        for (inlay_id at = k->cluster[c].first + 1; at < k->cluster[c].end; at++)
            left[k->listed[at]]++;
}

/* Where a module has run, the next of each of its lists waits for one less. `next`: of every cluster, in check.listed. */
static void free_seats(const check *k, inlay_id module, inlay_id *next, int64_t *left, inlay_id *heap, size_t *size)
{
    inlay_id seats = k->order_given ? k->seats[module] : 0;
    for (inlay_id c = seats > 1 ? 0 : k->cluster_of[module]; seats > 0 && c < k->clusters; c++) {
        if (next[c] == k->cluster[c].end || k->listed[next[c]] != module) continue;
        seats--;
        if (++next[c] < k->cluster[c].end && --left[k->listed[next[c]]] == 0) push(k, heap, size, k->listed[next[c]]);
    }
}

/* `next`: scratch, an entry a cluster. */
static void order_of_execution(check *k, int64_t *left, inlay_id *heap, inlay_id *next)
{
    size_t size = 0;
    inlay_id taken = 0;
    count_predecessors(k, left);
    count_listed(k, left);
    for (inlay_id c = 0; c < k->clusters; c++)
        next[c] = k->cluster[c].first;
    for (inlay_id i = 0; i < k->modules; i++)
        if (left[i] == 0) push(k, heap, &size, i);
    while (size > 0) {
        inlay_id i = pop(k, heap, &size);
        k->sequence[taken] = i;
        k->rank[i] = taken++;
        inlay_links out = inlay_app_out(k->app, i);
        for (int64_t l = 0; l < out.count; l++)
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY) && --left[out.module[l]] == 0)
                push(k, heap, &size, out.module[l]);
        free_seats(k, i, next, left, heap, &size);
    }
    k->runs = taken == k->modules;
    if (!k->runs)
        check_find(k, "clusters: in the order of their modules %ld can never run", (long)(k->modules - taken));
}

/* ---- All of it ---- */

static bool allocate(check *k)
{
    size_t n = (size_t)k->modules + 1;
    k->time = calloc(n, sizeof *k->time);
    k->ready = calloc(n, sizeof *k->ready);
    k->work_ready = calloc(n, sizeof *k->work_ready);
    k->earliest = calloc(n, sizeof *k->earliest);
    k->bottom = calloc(n, sizeof *k->bottom);
    k->level = calloc(n, sizeof *k->level);
    k->sequence = calloc(n, sizeof *k->sequence);
    k->rank = calloc(n, sizeof *k->rank);
    k->stretch = calloc(n, sizeof *k->stretch);
    return k->time && k->ready && k->work_ready && k->earliest && k->bottom && k->level && k->sequence && k->rank &&
           k->stretch;
}

int check_graph(check *k)
{
    size_t n = (size_t)k->modules + 1;
    int64_t *left = calloc(n, sizeof *left);
    inlay_id *sorted = calloc(n, sizeof *sorted);
    inlay_id *next = calloc((size_t)k->clusters + 1, sizeof *next);
    inlay_time *derived = calloc(n, sizeof *derived);
    int status = INLAY_NO_MEMORY;

    if (allocate(k) && left && sorted && next && derived) status = check_kinds(k);
    if (status == INLAY_OK) {
        sort_topologically(k, left, sorted);
        levels_and_blocking(k, sorted, derived);
        choose_blocking(k, derived);
        longest_paths(k, sorted);
        order_of_execution(k, left, sorted, next);
    }
    free(left);
    free(sorted);
    free(next);
    free(derived);
    return status;
}

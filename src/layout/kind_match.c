/* Clusters matched with kinds of processors. */
#include "layout/kind_match.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void kind_match_clear(kind_match *match)
{
    free(match->work);
    free(match->memory);
    free(match->pin);
    *match = (kind_match){0};
}

/* ---- What clusters need ---- */

static void fill_work(kind_match *match, const placement *place)
{
    const problem *p = match->p;
    for (inlay_id i = 0; i < p->modules; i++) {
        double *row = match->work + (size_t)place->cluster_of[i] * (size_t)p->kinds.count;
        for (int k = 0; k < p->kinds.count; k++) {
            row[k] += problem_work_on_kind(p, i, &p->kinds.kind[k]);
        }
    }
}

static void fill_pins(kind_match *match, const placement *place)
{
    memset(match->pin, 0xFF, (size_t)place->clusters * sizeof *match->pin); /* -1: none */
    for (inlay_id i = 0; i < match->p->modules; i++) {
        inlay_id pin = inlay_app_pin(match->p->app, i);
        match->pin[place->cluster_of[i]] = pin >= 0 ? pin : match->pin[place->cluster_of[i]];
    }
}

static void fill_memory(kind_match *match, const placement *place)
{
    const problem *p = match->p;
    for (inlay_id i = 0; i < p->modules; i++) {
        match->memory[place->cluster_of[i]] += inlay_app_memory(p->app, i);
    }
    for (inlay_id d = 0; d < p->app->blocks; d++) {
        match->memory[place->home[d]] += p->app->block_size[d];
    }
}

/* ---- Matching ---- */

/* Memory of one processor: its host's, or its share of that. */
static int64_t room_on(const kind_match *match, int kind)
{
    const processor_kind *k = &match->p->kinds.kind[kind];
    return match->share_memory && k->memory > 0 ? k->memory / k->cores : k->memory;
}

static bool fits(const kind_match *match, inlay_id cluster, int kind, double longest)
{
    const kinds *k = &match->p->kinds;
    if (match->pin[cluster] >= 0) { /* it has no choice, whatever that comes to */
        return kinds_of(k, match->pin[cluster]) == &k->kind[kind];
    }
    int64_t room = match->memory == NULL ? -1 : room_on(match, kind);
    return match->work[(size_t)cluster * (size_t)match->p->kinds.count + (size_t)kind] <= longest &&
           (room < 0 || match->memory[cluster] <= room);
}

/* Clusters on kinds, while they are matched. */
typedef struct matching {
    const kind_match *match;
    double longest;
    inlay_id clusters;
    int *kind_of;              /* of every cluster, -1 none */
    inlay_id used[KINDS_MOST]; /* processors of every kind */
    bool visited[KINDS_MOST];
} matching;

/* Finds room for a cluster, moving others to other kinds where that helps: an augmenting path over kinds. */
// NOLINTNEXTLINE(misc-no-recursion): every kind is visited once, so it is at most KINDS_MOST deep
static bool find_room(matching *m, inlay_id cluster)
{
    const kinds *k = &m->match->p->kinds;
    for (int kind = 0; kind < k->count; kind++) {
        if (m->visited[kind] || !fits(m->match, cluster, kind, m->longest)) {
            continue;
        }
        m->visited[kind] = true;
        if (m->used[kind] < k->kind[kind].count) {
            m->used[kind]++;
            m->kind_of[cluster] = kind;
            return true;
        }
        for (inlay_id other = 0; other < m->clusters; other++) {
            if (m->kind_of[other] == kind && find_room(m, other)) { /* it left: its place is free */
                m->kind_of[cluster] = kind;
                return true;
            }
        }
    }
    return false;
}

static bool can_match(const kind_match *match, inlay_id clusters, double longest, int *kind_of)
{
    matching m = {.match = match, .longest = longest, .clusters = clusters, .kind_of = kind_of};
    memset(kind_of, 0xFF, (size_t)clusters * sizeof *kind_of); /* -1: none */
    for (inlay_id c = 0; c < clusters; c++) {
        memset(m.visited, 0, sizeof m.visited);
        if (!find_room(&m, c)) {
            return false;
        }
    }
    return true;
}

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The least of the times that clusters take with which all have a processor. */
static int find_longest(kind_match *match, inlay_id clusters, inlay_diag *diag)
{
    size_t count = (size_t)clusters * (size_t)match->p->kinds.count, low = 0, high = count - 1;
    double *time = memory_array(count, sizeof *time);
    int *kind_of = memory_array((size_t)clusters, sizeof *kind_of);
    int status = time == NULL || kind_of == NULL ? diag_no_memory(diag) : INLAY_OK;
    if (status == INLAY_OK) {
        memcpy(time, match->work, count * sizeof *time);
        qsort(time, count, sizeof *time, compare_doubles);
        status = can_match(match, clusters, time[high], kind_of) ? INLAY_OK : INLAY_NO_ANSWER;
    }
    while (status == INLAY_OK && low < high) {
        size_t middle = low + (high - low) / 2;
        if (can_match(match, clusters, time[middle], kind_of)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (status == INLAY_OK) {
        match->longest = time[high];
    }
    free(time);
    free(kind_of);
    return status;
}

int kind_match_make(const problem *p, const placement *place, bool share_memory, kind_match *result, inlay_diag *diag)
{
    kind_match match = {.p = p, .share_memory = share_memory};
    size_t clusters = (size_t)place->clusters;
    match.work = memory_zeroed(clusters * (size_t)p->kinds.count, sizeof *match.work);
    match.memory = p->memory == NULL ? NULL : memory_zeroed(clusters, sizeof *match.memory);
    match.pin = memory_array(clusters, sizeof *match.pin);
    if (match.work == NULL || match.pin == NULL || (p->memory != NULL && match.memory == NULL)) {
        kind_match_clear(&match);
        return diag_no_memory(diag);
    }
    fill_work(&match, place);
    fill_pins(&match, place);
    if (match.memory != NULL) {
        fill_memory(&match, place);
    }
    int status = find_longest(&match, place->clusters, diag);
    if (status != INLAY_OK) {
        kind_match_clear(&match);
        return status;
    }
    *result = match;
    return INLAY_OK;
}

bool kind_match_allows(const kind_match *match, inlay_id cluster, inlay_id processor)
{
    const kinds *k = &match->p->kinds;
    return fits(match, cluster, k->of == NULL ? 0 : k->of[processor], match->longest);
}

/*
 * Near processors: hosts are joined by the shortest steps first (single linkage), and the order in which they come together
 * is that in which like processors are taken.
 */
#include "grid/teams.h"
#include "base/diag.h"
#include "base/memory.h"
#include "grid/cost.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A step between two hosts, there and back. */
typedef struct step {
    double length;
    int32_t a, b;
} step;

typedef struct linkage {
    const inlay_grid_ways *ways;
    int32_t group[INLAY_GRID_HOSTS]; /* of each host: the lowest of its group */
    int32_t next[INLAY_GRID_HOSTS], last[INLAY_GRID_HOSTS],
        first[INLAY_GRID_HOSTS];    /* lists of a group, by the lowest */
    double speed[INLAY_GRID_HOSTS]; /* of a group, by the lowest */
    int32_t groups;
    int32_t place[INLAY_GRID_HOSTS]; /* of each host in its group's list, once that is looked at */
} linkage;

static int by_length(const void *a, const void *b)
{
    const step *x = a, *y = b;
    if (x->length < y->length || x->length > y->length) {
        return x->length < y->length ? -1 : 1;
    }
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

/* What the cells of one edge of a square piece take. */
static double length_of(const inlay_grid_problem *p, const inlay_grid_ways *w, int32_t a, int32_t b)
{
    double bytes = sqrt((double)grid_problem_cells(p) / p->processors) * (double)p->item;
    size_t hosts = (size_t)w->hosts, there = (size_t)a * hosts + (size_t)b, back = (size_t)b * hosts + (size_t)a;
    return w->latency[there] + w->latency[back] + bytes * (w->per_byte[there] + w->per_byte[back]);
}

static void begin(linkage *l, const inlay_grid_ways *ways, const grid_machines *all)
{
    memset(l, 0, sizeof *l);
    l->ways = ways;
    l->groups = ways->hosts;
    for (int32_t h = 0; h < ways->hosts; h++) {
        l->group[h] = l->first[h] = l->last[h] = h;
        l->next[h] = -1;
    }
    for (int32_t r = 0; r < all->processors; r++) {
        l->speed[ways->host[all->order[r]]] += all->speed[r];
    }
}

/* The faster group goes before the other. */
static void join(linkage *l, int32_t a, int32_t b)
{
    int32_t x = l->group[a], y = l->group[b];
    if (x == y) {
        return;
    }
    int32_t low = x < y ? x : y, high = x < y ? y : x;
    int32_t before = l->speed[high] > l->speed[low] ? high : low, behind = before == low ? high : low;
    for (int32_t h = l->first[high]; h >= 0; h = l->next[h]) {
        l->group[h] = low;
    }
    l->next[l->last[before]] = l->first[behind];
    l->first[low] = l->first[before];
    l->last[low] = l->last[behind];
    l->speed[low] += l->speed[high];
    l->groups--;
}

/* The lowest host of the fastest group. */
static int32_t fastest(const linkage *l)
{
    int32_t best = 0;
    for (int32_t h = 1; h < l->ways->hosts; h++) {
        best = l->group[h] == h && l->speed[h] > l->speed[best] ? h : best;
    }
    return best;
}

static void number_places(linkage *l, int32_t group)
{
    int32_t place = 0;
    for (int32_t h = l->first[group]; h >= 0; h = l->next[h]) {
        l->place[h] = place++;
    }
}

/* ---- Orders ---- */

typedef struct ranked {
    double speed;
    int32_t place, rank; /* of its host; in the order of all */
    bool in;             /* of the group */
} ranked;

static int by_speed_and_place(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->in != y->in) {
        return x->in ? -1 : 1;
    }
    if (x->speed < y->speed || x->speed > y->speed) {
        return x->speed > y->speed ? -1 : 1;
    }
    if (x->place != y->place) {
        return x->place < y->place ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int add_team(linkage *l, int32_t group, const grid_machines *all, grid_teams *teams, inlay_diag *diag)
{
    size_t p = (size_t)all->processors;
    ranked *list = memory_array(p, sizeof *list);
    grid_machines *m = &teams->machines[teams->count];
    *m = (grid_machines){.processors = all->processors, .weights = all->weights};
    m->order = memory_array(p, sizeof *m->order);
    m->speed = memory_array(p, sizeof *m->speed);
    m->whole = memory_array(p, sizeof *m->whole);
    int32_t size = teams->size[teams->count++] = 0;
    if (list == NULL || m->order == NULL || m->speed == NULL || m->whole == NULL) {
        free(list);
        return diag_no_memory(diag);
    }
    number_places(l, group);
    for (size_t r = 0; r < p; r++) {
        int32_t host = l->ways->host[all->order[r]];
        bool in = l->group[host] == group;
        list[r] = (ranked){all->speed[r], in ? l->place[host] : 0, (int32_t)r, in};
        size += in;
    }
    qsort(list, p, sizeof *list, by_speed_and_place);
    for (size_t i = 0; i < p; i++) {
        int32_t r = list[i].rank;
        m->order[i] = all->order[r];
        m->speed[i] = all->speed[r];
        m->whole[i] = all->whole[r];
    }
    teams->size[teams->count - 1] = size;
    free(list);
    return INLAY_OK;
}

static step *steps_of(const inlay_grid_problem *p, const inlay_grid_ways *w, size_t *count)
{
    size_t hosts = (size_t)w->hosts;
    step *list = memory_array(hosts * (hosts - 1) / 2 + 1, sizeof *list);
    *count = 0;
    for (int32_t a = 0; list != NULL && a < w->hosts; a++) {
        for (int32_t b = a + 1; b < w->hosts; b++) {
            list[(*count)++] = (step){length_of(p, w, a, b), a, b};
        }
    }
    if (list != NULL) {
        qsort(list, *count, sizeof *list, by_length);
    }
    return list;
}

static int join_all(linkage *l, const step *list, size_t steps, const grid_machines *all, grid_teams *teams,
                    inlay_diag *diag)
{
    double first = l->speed[fastest(l)], total = 0, last = 0; /* speeds: of the last team */
    for (int32_t h = 0; h < l->ways->hosts; h++) {
        total += l->speed[h];
    }
    /* every group, or where those may be many as many as there is room for, each that much faster than the one before */
    double more = l->ways->hosts < GRID_TEAMS ? 1 + 1e-9 : pow(total / first, 1.0 / (GRID_TEAMS - 1));
    int status = INLAY_OK;
    for (size_t i = 0; i < steps && l->groups > 1 && status == INLAY_OK; i++) {
        bool longer = i == 0 || list[i].length > list[i - 1].length * (1 + 1e-12);
        int32_t group = longer ? fastest(l) : 0;
        if (longer && l->speed[group] >= more * last && teams->count < GRID_TEAMS) {
            last = l->speed[group];
            status = add_team(l, group, all, teams, diag);
        }
        join(l, list[i].a, list[i].b);
    }
    return status;
}

int grid_teams_make(const inlay_grid_problem *problem, const inlay_grid_network *network, const grid_machines *all,
                    grid_teams *teams, inlay_diag *diag)
{
    const inlay_grid_ways *ways = network->ways;
    *teams = (grid_teams){0};
    if (ways == NULL || problem->curve != NULL) {
        return INLAY_OK;
    }
    if (grid_check_network(network, problem->processors, diag) != INLAY_OK) {
        return INLAY_BAD_ARGUMENT;
    }
    linkage *l = memory_array(1, sizeof *l);
    size_t steps = 0;
    step *list = steps_of(problem, ways, &steps);
    int status = l != NULL && list != NULL ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) { /* team 0 is that of the last group, which all have joined */
        begin(l, ways, all);
        for (size_t i = 0; i < steps; i++) {
            join(l, list[i].a, list[i].b);
        }
        status = add_team(l, 0, all, teams, diag);
    }
    if (status == INLAY_OK) {
        begin(l, ways, all);
        status = join_all(l, list, steps, all, teams, diag);
    }
    free(list);
    free(l);
    return status;
}

void grid_teams_clear(grid_teams *teams)
{
    for (int i = 0; i < teams->count; i++) {
        teams->machines[i].weights = NULL; /* those of all */
        grid_machines_clear(&teams->machines[i]);
    }
    teams->count = 0;
}

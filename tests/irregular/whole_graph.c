/* Small graphs that every rank knows whole. */
#include "whole_graph.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void join(whole *w, int32_t a, int32_t b, int64_t weight)
{
    if (a != b) {
        w->weight[a][b] = w->weight[b][a] = weight;
    }
}

/* ---- Kinds of graphs; every rank draws the same ---- */

whole *whole_empty(int32_t n)
{
    whole *w = room(1, sizeof *w);
    w->n = n;
    w->unit = true;
    w->dimensions = 2;
    for (int32_t i = 0; i < n; i++) {
        w->load[i] = w->size[i] = 1;
    }
    return w;
}

/* About `degree` neighbours each; few make many components. Loads 1 to `most_load`, or from 0 on where `zeros`. */
whole *whole_random(uint64_t *state, int32_t n, int degree, int64_t most_load, bool zeros)
{
    whole *w = whole_empty(n);
    w->unit = most_load == 1;
    w->dimensions = (int)harness_draw(state, 3) + 1;
    for (int64_t e = 0; e < (int64_t)n * degree / 2; e++) {
        int32_t a = (int32_t)harness_draw(state, (uint64_t)n), b = (int32_t)harness_draw(state, (uint64_t)n);
        join(w, a, b, w->unit ? 1 : (int64_t)harness_draw(state, 9) + 1);
    }
    for (int32_t i = 0; i < n; i++) {
        w->load[i] = w->unit ? 1 : (int64_t)harness_draw(state, (uint64_t)most_load + zeros) + !zeros;
        w->size[i] = w->unit ? 1 : (7 * i + 3) % 5;
        for (int d = 0; d < w->dimensions; d++) {
            w->coordinate[w->dimensions * i + d] = (double)harness_draw(state, 20) - 10; /* some are equal */
        }
    }
    return w;
}

/* nx x ny points, stretched and turned by an angle. */
whole *whole_grid(int32_t nx, int32_t ny, double stretch, double angle)
{
    whole *w = whole_empty(nx * ny);
    for (int32_t i = 0; i < w->n; i++) {
        int32_t row = i / nx;
        double x = i % nx * stretch, y = row;
        if (i % nx > 0) {
            join(w, i, i - 1, 1);
        }
        if (i >= nx) {
            join(w, i, i - nx, 1);
        }
        w->coordinate[(size_t)2 * (size_t)i] = x * cos(angle) - y * sin(angle);
        w->coordinate[(size_t)2 * (size_t)i + 1] = x * sin(angle) + y * cos(angle);
    }
    return w;
}

/* ---- Shares ---- */

/* Row i of this rank is vertex share.global[i]; without `global`, first + i. */
static int64_t vertex(const whole *w, int32_t i)
{
    return w->share.global == NULL ? w->share.first + i : w->share.global[i];
}

static void fill_share(whole *w)
{
    inlay_graph *g = &w->share;
    int64_t arcs = 0, most = (int64_t)g->rows * w->n;
    g->start = room((size_t)g->rows + 1, sizeof *g->start);
    g->column = room((size_t)most, sizeof *g->column);
    g->weight = w->unit ? NULL : room((size_t)most, sizeof *g->weight);
    g->load = w->unit ? NULL : room((size_t)g->rows, sizeof *g->load);
    g->size = w->unit ? NULL : room((size_t)g->rows, sizeof *g->size);
    w->share_coordinate = room((size_t)g->rows * 3, sizeof(double));
    w->share_part = room((size_t)g->rows, sizeof *w->share_part);
    for (int32_t i = 0; i < g->rows; i++) {
        int64_t v = vertex(w, i);
        for (int32_t u = 0; u < w->n; u++) {
            if (w->weight[v][u] > 0) {
                g->column[arcs] = u;
                if (g->weight != NULL) {
                    g->weight[arcs] = w->weight[v][u];
                }
                arcs++;
            }
        }
        g->start[i + 1] = arcs;
        if (g->load != NULL) {
            g->load[i] = w->load[v];
            g->size[i] = w->size[v];
        }
        memcpy(w->share_coordinate + (size_t)i * (size_t)w->dimensions, w->coordinate + v * w->dimensions,
               (size_t)w->dimensions * sizeof(double));
    }
    for (int32_t a = 0; a < w->n; a++) {
        for (int32_t b = 0; b < w->n; b++) {
            g->arcs += w->weight[a][b] > 0;
        }
    }
}

/* In blocks. */
void whole_share_blocks(const harness *h, whole *w)
{
    w->share = (inlay_graph){.comm = h->comm, .vertices = w->n, .first = inlay_block_first(w->n, h->ranks, h->rank)};
    w->share.rows = (int32_t)(inlay_block_first(w->n, h->ranks, h->rank + 1) - w->share.first);
    for (int32_t i = 0; i < w->n; i++) {
        w->owner[i] = inlay_block_owner(w->n, h->ranks, i);
    }
    fill_share(w);
}

/* At random, rows in any order; on some ranks none. */
void whole_share_at_random(const harness *h, whole *w, uint64_t *state)
{
    int32_t order[WHOLE_MOST];
    uint64_t some = harness_draw(state, (uint64_t)h->ranks) + 1;
    for (int32_t i = 0; i < w->n; i++) {
        int32_t j = (int32_t)harness_draw(state, (uint64_t)i + 1);
        w->owner[i] = h->ranks - 1 - (int)harness_draw(state, some);
        order[i] = order[j];
        order[j] = i;
    }
    w->share = (inlay_graph){.comm = h->comm, .vertices = w->n, .global = room((size_t)w->n, sizeof(int64_t))};
    for (int32_t i = 0; i < w->n; i++) {
        if (w->owner[order[i]] == h->rank) {
            w->share.global[w->share.rows++] = order[i];
        }
    }
    fill_share(w);
}

void whole_free(whole *w)
{
    free(w->share.global);
    free(w->share.start);
    free(w->share.column);
    free(w->share.weight);
    free(w->share.load);
    free(w->share.size);
    free(w->share_coordinate);
    free(w->share_part);
    free(w);
}

/* From part[] of the whole to the share. */
void whole_spread_parts(whole *w)
{
    for (int32_t i = 0; i < w->share.rows; i++) {
        w->share_part[i] = w->part[vertex(w, i)];
    }
}

/* And back, on all ranks. */
void whole_collect_parts(whole *w)
{
    int32_t mine[WHOLE_MOST];
    for (int32_t i = 0; i < w->n; i++) {
        mine[i] = INT32_MIN;
    }
    for (int32_t i = 0; i < w->share.rows; i++) {
        mine[vertex(w, i)] = w->share_part[i];
    }
    MPI_Allreduce(mine, w->part, w->n, MPI_INT32_T, MPI_MAX, w->share.comm);
}

/* ---- What a partition is and costs, by brute force ---- */

int64_t whole_part_load(const whole *w, int32_t part)
{
    int64_t load = 0;
    for (int32_t i = 0; i < w->n; i++) {
        load += w->part[i] == part ? w->load[i] : 0;
    }
    return load;
}

bool whole_part_present(const whole *w, int32_t part)
{
    bool present = false;
    for (int32_t i = 0; i < w->n; i++) {
        present |= w->part[i] == part;
    }
    return present;
}

int64_t whole_load(const whole *w)
{
    int64_t total = 0;
    for (int32_t i = 0; i < w->n; i++) {
        total += w->load[i];
    }
    return total;
}

int64_t whole_heaviest(const whole *w)
{
    int64_t most = 0;
    for (int32_t i = 0; i < w->n; i++) {
        most = w->load[i] > most ? w->load[i] : most;
    }
    return most;
}

/* Vertices of part p with a neighbour in part q, their size, and the weight between the two. */
int64_t whole_ghosts(const whole *w, int32_t p, int32_t q, int64_t *size, int64_t *weight)
{
    int64_t ghosts = 0;
    *size = *weight = 0;
    for (int32_t a = 0; a < w->n; a++) {
        bool counts = false;
        for (int32_t b = 0; b < w->n && w->part[a] == p; b++) {
            if (w->part[b] == q && w->weight[a][b] > 0) {
                counts = true;
                *weight += w->weight[a][b];
            }
        }
        ghosts += counts;
        *size += counts ? w->size[a] : 0;
    }
    return ghosts;
}

int64_t whole_cut(const whole *w)
{
    int64_t cut = 0;
    for (int32_t a = 0; a < w->n; a++) {
        for (int32_t b = 0; b < a; b++) {
            cut += w->part[a] != w->part[b] ? w->weight[a][b] : 0;
        }
    }
    return cut;
}

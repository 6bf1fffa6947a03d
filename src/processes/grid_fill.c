/* Where the processes of each processor stand in a grid: in runs along the axes, or by bisection, then improved. */
#include "processes/grid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ways to go through a grid: axes from slowest to fastest. */
enum { WAYS = 6, BITS = 20, MOST_DEPTH = 64 };
static const double most_sorted = 1e5; /* cells of all pieces: some hundredths of a second for each shape */
static const int ways[WAYS][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* What is sent between parts in one exchange, in mean faces, one way. */
static double process_grid_cut(const grid *g, const int32_t *part)
{
    double cut = 0;
    int32_t neighbour[6];
    int axis[6];
    for (int32_t cell = 0; cell < g->cells; cell++) {
        int count = grid_neighbours(g, cell, neighbour, axis);
        for (int n = 0; n < count; n++) {
            cut += neighbour[n] > cell && part[neighbour[n]] != part[cell] ? g->face[axis[n]] : 0;
        }
    }
    return cut;
}

/* ---- Runs ---- */

/* The cell at a place of a way through the grid; a snake turns round at each end, so that steps are to neighbours. */
static int32_t cell_of_way(const grid *g, const int *way, int32_t step, bool snake)
{
    int32_t place[3];
    const int32_t length[3] = {g->shape[way[0]], g->shape[way[1]], g->shape[way[2]]};
    int32_t line = step / length[2]; /* counts the lines along the fastest axis, then the planes */
    int32_t plane = line / length[1];
    int32_t along = step % length[2];
    int32_t across = line % length[1];
    place[way[0]] = plane;
    place[way[1]] = snake && plane % 2 == 1 ? length[1] - 1 - across : across;
    place[way[2]] = snake && line % 2 == 1 ? length[2] - 1 - along : along;
    return (place[0] * g->shape[1] + place[1]) * g->shape[2] + place[2];
}

static void deal_run(const grid *g, const grid_parts *parts, const int *way, bool snake, int32_t *part)
{
    int32_t step = 0;
    for (int32_t p = 0; p < parts->count; p++) {
        for (int32_t n = 0; n < parts->size[p]; n++) {
            part[cell_of_way(g, way, step++, snake)] = p;
        }
    }
}

/* The best of all ways; `trial` is scratch room. */
static double fill_by_runs(const grid *g, const grid_parts *parts, int32_t *trial, int32_t *part)
{
    double best = INFINITY;
    for (int way = 0; way < 2 * WAYS; way++) {
        deal_run(g, parts, ways[way / 2], way % 2 == 1, trial);
        double cut = process_grid_cut(g, trial);
        if (cut < best) {
            best = cut;
            memcpy(part, trial, (size_t)g->cells * sizeof *part);
        }
    }
    return best;
}

/* ---- Bisection ---- */

/* Cells from `begin` to `end` of the order belong to parts `first` to `last`. */
typedef struct piece {
    int32_t begin, end;
    int32_t first, last;
} piece;

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the cells of a piece by a way through the grid. */
static void sort_piece(const grid *g, const int *way, const piece *p, const grid_room *room)
{
    static const uint64_t mask = (UINT64_C(1) << BITS) - 1;
    int32_t place[3];
    for (int32_t i = p->begin; i < p->end; i++) {
        grid_place(g, room->order[i], place);
        room->key[i] = (uint64_t)place[way[0]] << 2 * BITS | (uint64_t)place[way[1]] << BITS | (uint64_t)place[way[2]];
    }
    qsort(room->key + p->begin, (size_t)(p->end - p->begin), sizeof *room->key, by_number);
    for (int32_t i = p->begin; i < p->end; i++) {
        place[way[0]] = (int32_t)(room->key[i] >> 2 * BITS);
        place[way[1]] = (int32_t)(room->key[i] >> BITS & mask);
        place[way[2]] = (int32_t)(room->key[i] & mask);
        room->order[i] = (place[0] * g->shape[1] + place[1]) * g->shape[2] + place[2];
    }
}

/* What is sent between the first `taken` cells of a piece and its others. */
static double cut_of_piece(const grid *g, const piece *p, int32_t taken, const grid_room *room)
{
    double cut = 0;
    int32_t neighbour[6];
    int axis[6];
    for (int32_t i = p->begin; i < p->end; i++) {
        room->position[room->order[i]] = i;
    }
    for (int32_t i = p->begin; i < p->begin + taken; i++) {
        int count = grid_neighbours(g, room->order[i], neighbour, axis);
        for (int n = 0; n < count; n++) {
            int32_t at = room->position[neighbour[n]];
            bool other = at >= p->begin + taken && at < p->end && room->order[at] == neighbour[n];
            cut += other ? g->face[axis[n]] : 0;
        }
    }
    return cut;
}

/* The part before which about half of the cells are. */
static int32_t middle_of(const grid_parts *parts, const piece *p, int32_t *taken)
{
    int32_t half = (p->end - p->begin) / 2;
    int32_t middle = p->first + 1;
    int32_t sum = parts->size[p->first];
    while (middle < p->last && abs(sum + parts->size[middle] - half) < abs(sum - half)) {
        sum += parts->size[middle++];
    }
    *taken = sum;
    return middle;
}

static void split(const grid *g, const grid_parts *parts, const grid_room *room, const piece *p, piece half[2])
{
    int32_t taken = 0;
    int32_t middle = middle_of(parts, p, &taken);
    double best = INFINITY;
    int chosen = 0;
    for (int way = 0; way < WAYS; way++) {
        sort_piece(g, ways[way], p, room);
        double cut = cut_of_piece(g, p, taken, room);
        if (cut < best) {
            best = cut;
            chosen = way;
        }
    }
    sort_piece(g, ways[chosen], p, room);
    half[0] = (piece){p->begin, p->begin + taken, p->first, middle};
    half[1] = (piece){p->begin + taken, p->end, middle, p->last};
}

/* The smaller half is put off, so that no more than log2 of the parts wait. */
static void fill_by_halves(const grid *g, const grid_parts *parts, const grid_room *room, int32_t *part)
{
    piece waiting[MOST_DEPTH];
    int count = 1;
    waiting[0] = (piece){0, g->cells, 0, parts->count};
    for (int32_t i = 0; i < g->cells; i++) {
        room->order[i] = i;
        room->position[i] = i;
    }
    while (count > 0) {
        piece p = waiting[--count];
        if (p.last - p.first == 1) {
            for (int32_t i = p.begin; i < p.end; i++) {
                part[room->order[i]] = p.first;
            }
            continue;
        }
        piece half[2];
        split(g, parts, room, &p, half);
        bool first_larger = half[0].last - half[0].first > half[1].last - half[1].first;
        waiting[count++] = half[first_larger ? 0 : 1];
        waiting[count++] = half[first_larger ? 1 : 0];
    }
}

/* ---- Both ---- */

void process_grid_fill(const grid *g, const grid_parts *parts, const grid_room *room, int32_t *part)
{
    (void)fill_by_runs(g, parts, part, room->run);
    memcpy(part, room->run, (size_t)g->cells * sizeof *part);
    process_grid_improve(g, parts, room, part);
    if ((double)g->cells * log2(parts->count) > most_sorted) {
        return;
    }
    fill_by_halves(g, parts, room, room->halved);
    process_grid_improve(g, parts, room, room->halved);
    if (process_grid_cut(g, room->halved) < process_grid_cut(g, part)) {
        memcpy(part, room->halved, (size_t)g->cells * sizeof *part);
    }
}

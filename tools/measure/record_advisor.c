/* What --hosts measures: the advisor's first and third phase. All ranks compute at once, and all send at once. */
#include "kernels.h"
#include "record.h"
#include <stdlib.h>

/* ---- Computing ---- */

static int record_computing(const cluster *all, json_t *to)
{
    int n = all->repeats;
    size_t room = all->rank == 0 ? (size_t)all->ranks * (size_t)n : 1;
    double *own = calloc((size_t)n, sizeof *own), *seconds = calloc(room, sizeof *seconds);
    int status = cluster_agree(own == NULL || seconds == NULL ? INLAY_NO_MEMORY : INLAY_OK);
    if (status == INLAY_OK) {
        kernels_together(all, own);
        MPI_Gather(own, n, MPI_DOUBLE, seconds, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (status == INLAY_OK && all->rank == 0) {
        json_t *list = json_array();
        for (int r = 0; r < all->ranks; r++) {
            (void)json_array_append_new(
                list, json_pack("{s:i, s:o}", "rank", r, "seconds", record_numbers(seconds + (ptrdiff_t)r * n, n)));
        }
        (void)json_object_set_new(to, "operations", json_integer(TOGETHER_OPERATIONS));
        (void)json_object_set_new(to, "compute", list);
    }
    free(own);
    free(seconds);
    return status;
}

/* ---- Messages ---- */

/*
 * The ring: the first rank of every host, then the second of every host that has one, and so on, so that messages go to
 * another host wherever they can. `place` has room for a number of each rank, as `ring` has.
 */
static void order_ring(const cluster *all, int *place, int *ring)
{
    int count = 0;
    for (int r = 0; r < all->ranks; r++) {
        place[r] = 0;
        for (int before = all->first[all->host_of[r]]; before < r; before++) {
            place[r] += all->host_of[before] == all->host_of[r];
        }
    }
    for (int core = 0; count < all->ranks; core++) {
        for (int r = 0; r < all->ranks; r++) {
            if (place[r] == core) {
                ring[count++] = r;
            }
        }
    }
}

/* Some neighbours of the ring alone, far from each other. */
static void record_neighbours(const cluster *all, const messages *m, const int *ring, json_t *to)
{
    enum { MOST = 3 };
    int count = all->ranks == 2 ? 1 : all->ranks < MOST ? all->ranks : MOST;
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        int at = (int)((int64_t)i * all->ranks / count);
        int one = ring[at], other = ring[(at + 1) % all->ranks];
        rank_pair pair = {one < other ? one : other, one < other ? other : one};
        pair_measure(all, m, pair);
        if (all->rank == 0) {
            (void)json_array_append_new(list, json_pack("{s:i, s:i, s:o}", "from", pair.from, "to", pair.to, "seconds",
                                                        record_by_size(all, m, m->seconds)));
        }
    }
    (void)json_object_set_new(to, "pairs", list);
}

static void record_ring(const cluster *all, const messages *m, const int *ring, json_t *to)
{
    int place = 0;
    while (ring[place] != all->rank) {
        place++;
    }
    ring_measure(all, m, place);
    if (all->rank == 0) {
        json_t *ranks = json_array();
        for (int i = 0; i < all->ranks; i++) {
            (void)json_array_append_new(ranks, json_integer(ring[i]));
        }
        (void)json_object_set_new(
            to, "ring", json_pack("{s:o, s:o}", "ranks", ranks, "seconds", record_by_size(all, m, m->seconds)));
    }
}

static int record_messages(const cluster *all, const measure_values *values, json_t *to)
{
    int64_t size[MEASURE_SIZES];
    messages m = {0};
    int sizes = measure_sizes(values, size);
    int status = messages_make(all, size, sizes, &m);
    int *room = calloc(2 * (size_t)all->ranks, sizeof *room);
    status = cluster_agree(status == INLAY_OK && room == NULL ? INLAY_NO_MEMORY : status);
    if (status == INLAY_OK && room != NULL) {
        record_sizes(&m, to);
        if (all->ranks > 1) {
            order_ring(all, room, room + all->ranks);
            record_neighbours(all, &m, room + all->ranks, to);
            record_ring(all, &m, room + all->ranks, to);
        }
    }
    free(room);
    messages_clear(&m);
    return status;
}

int record_advisor(const cluster *all, const measure_values *values, json_t *to)
{
    int status = record_computing(all, to);
    return status == INLAY_OK ? record_messages(all, values, to) : status;
}

/* What --topology measures: clusters of hosts whose processors are alike, and cycles of each pattern in them. */
#include "record.h"
#include "turns.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS = 8 /* numbers of processors of a cluster, at most */ };

/* ---- Clusters ---- */

/* The figure of a rank's operations, out of what was recorded; `values` has room for the repeats. */
static inlay_figure time_of_rank(const cluster *all, const json_t *recorded, int rank, double *values)
{
    const json_t *compute = json_array_get(json_object_get(recorded, "compute"), (size_t)rank);
    const json_t *alone = json_object_get(json_object_get(compute, "arithmetic"), "alone");
    for (int i = 0; i < all->repeats; i++) {
        values[i] = json_number_value(json_array_get(alone, (size_t)i));
    }
    return inlay_figure_of(&(inlay_repeats){values, all->repeats});
}

/* Whether the times of ranks differ by more than the spread of the repeats; the median time of each host's ranks. */
static int host_times(const cluster *all, const json_t *recorded, double *time, bool *unlike)
{
    size_t ranks = (size_t)all->ranks;
    double *own = malloc((2 * ranks + (size_t)all->repeats) * sizeof *own);
    double fastest = INFINITY, slowest = 0, spread = 0;
    if (own == NULL) {
        return INLAY_NO_MEMORY;
    }
    double *room = own + ranks;
    for (int r = 0; r < all->ranks; r++) {
        inlay_figure of = time_of_rank(all, recorded, r, room + ranks);
        own[r] = of.median;
        fastest = fmin(fastest, of.median);
        slowest = fmax(slowest, of.median);
        spread = fmax(spread, of.spread);
    }
    for (int h = 0; h < all->hosts; h++) {
        int count = 0;
        for (int r = 0; r < all->ranks; r++) {
            if (all->host_of[r] == h) {
                room[count++] = own[r];
            }
        }
        time[h] = inlay_figure_of(&(inlay_repeats){room, count}).median;
    }
    free(own);
    *unlike = (slowest - fastest) / fastest > spread;
    return INLAY_OK;
}

/* The same on all ranks. `cluster_of` has a place for each host. */
static int find_clusters(const cluster *all, const json_t *recorded, int *cluster_of, int *clusters)
{
    double *time = calloc((size_t)all->hosts, sizeof *time);
    bool unlike = false;
    int status = time != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    if (status == INLAY_OK && all->rank == 0) {
        status = host_times(all, recorded, time, &unlike);
    }
    status = cluster_agree(status);
    if (status == INLAY_OK && all->rank == 0) {
        *clusters = 1;
        memset(cluster_of, 0, (size_t)all->hosts * sizeof *cluster_of);
        if (unlike) {
            *clusters = inlay_raw_like_hosts(time, all->hosts, cluster_of);
        }
    }
    MPI_Bcast(cluster_of, all->hosts, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(clusters, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(time);
    return status;
}

/* ---- Ranks of a cluster ---- */

static int ranks_of(const cluster *all, const int *cluster_of, int number)
{
    int count = 0;
    for (int h = 0; h < all->hosts; h++) {
        count += cluster_of[h] == number ? all->count[h] : 0;
    }
    return count;
}

/* How many ranks are before this one in its cluster, host after host. */
static int own_place(const cluster *all, const int *cluster_of)
{
    int own = all->host_of[all->rank], count = 0;
    for (int h = 0; h < own; h++) {
        count += cluster_of[h] == cluster_of[own] ? all->count[h] : 0;
    }
    for (int r = 0; r < all->rank; r++) {
        count += all->host_of[r] == own;
    }
    return count;
}

/* How many processors take part: all numbers from 2 on, or up to 8 of them, each so many times the one before. */
static int choose_counts(int ranks, int count[COUNTS])
{
    int counts = ranks - 1 < COUNTS ? ranks - 1 : COUNTS;
    for (int i = 0; i < counts; i++) {
        double even = 2 * pow(ranks / 2.0, (double)i / (counts > 1 ? counts - 1 : 1));
        int least = i > 0 ? count[i - 1] + 1 : 2;
        count[i] = ranks - 1 <= COUNTS || (int)lround(even) < least ? least : (int)lround(even);
    }
    return counts;
}

/* ---- The whole ---- */

/* What a rank knows of the clusters, besides `all`. */
typedef struct groups {
    int *cluster_of; /* of each host */
    int clusters;
} groups;

static void record_cycles(const cluster *all, const messages *m, const groups *g, inlay_pattern pattern, json_t *cycles)
{
    int own = g->cluster_of[all->host_of[all->rank]], place = own_place(all, g->cluster_of);
    for (int c = 0; c < g->clusters; c++) {
        int count[COUNTS], counts = choose_counts(ranks_of(all, g->cluster_of, c), count);
        for (int i = 0; i < counts; i++) {
            turns_measure(all, m, cycle_step(pattern), own == c && place < count[i] ? place : -1);
            if (all->rank == 0) {
                (void)json_array_append_new(cycles, json_pack("{s:s, s:i, s:i, s:o}", "pattern",
                                                              inlay_pattern_name(pattern), "cluster", c, "processors",
                                                              count[i], "seconds", record_by_size(all, m, m->seconds)));
            }
        }
    }
}

static json_t *hosts_by_cluster(const cluster *all, const groups *g)
{
    json_t *list = json_array();
    for (int c = 0; c < g->clusters; c++) {
        json_t *hosts = json_array();
        for (int h = 0; h < all->hosts; h++) {
            if (g->cluster_of[h] == c) {
                (void)json_array_append_new(hosts, json_integer(h));
            }
        }
        (void)json_array_append_new(list, hosts);
    }
    return list;
}

static void record_patterns(const cluster *all, const messages *m, const groups *g, const bool wanted[INLAY_PATTERNS],
                            json_t *to)
{
    json_t *names = json_array(), *cycles = json_array();
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        if (wanted[p]) {
            (void)json_array_append_new(names, json_string(inlay_pattern_name((inlay_pattern)p)));
            record_cycles(all, m, g, (inlay_pattern)p, cycles);
        }
    }
    (void)json_object_set_new(to, "topology", names);
    (void)json_object_set_new(to, "clusters", hosts_by_cluster(all, g));
    (void)json_object_set_new(to, "cycles", cycles);
}

int record_topology(const cluster *all, const measure_values *values, const messages *m, json_t *to)
{
    bool wanted[INLAY_PATTERNS];
    if (!measure_patterns(values, wanted)) {
        return INLAY_OK;
    }
    groups g = {calloc((size_t)all->hosts, sizeof *g.cluster_of), 0};
    int status = cluster_agree(g.cluster_of != NULL ? INLAY_OK : INLAY_NO_MEMORY);
    bool good = status == INLAY_OK && g.cluster_of != NULL; /* the second, since the first agrees on it */
    status = good ? find_clusters(all, to, g.cluster_of, &g.clusters) : status;
    if (good && status == INLAY_OK) {
        record_patterns(all, m, &g, wanted, to);
    }
    free(g.cluster_of);
    return status;
}

/*
 * What collective communication takes on Open MPI, for docs/studies/collectives.sh. Prints `link LAMBDA TAU` in us and us
 * a byte, fitted to stages in which each rank sends to the next, then `PATTERN BYTES TIME` rows in us: medians of runs of all ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20, RUNS = 31 };

typedef struct room {
    char *from, *to;
    int rank, ranks;
} room;

/* A stage: all send to the next rank at once. */
static void shift(const room *r, int bytes)
{
    MPI_Sendrecv(r->from, bytes, MPI_BYTE, (r->rank + 1) % r->ranks, 0, r->to, bytes, MPI_BYTE,
                 (r->rank + r->ranks - 1) % r->ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void all_to_all(const room *r, int bytes)
{
    MPI_Alltoall(r->from, bytes, MPI_BYTE, r->to, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void allreduce(const room *r, int bytes)
{
    MPI_Allreduce(r->from, r->to, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
}

static void broadcast(const room *r, int bytes)
{
    MPI_Bcast(r->from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the time from when the first rank begins until the last one ends: all are on one computer. */
static double median(const room *r, void (*of)(const room *, int), int bytes)
{
    double time[RUNS];
    for (int n = -3; n < RUNS; n++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double began = MPI_Wtime();
        of(r, bytes);
        double own[2] = {MPI_Wtime(), -began}, all[2] = {0, 0};
        MPI_Allreduce(own, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (n >= 0) time[n] = (all[0] + all[1]) * 1e6;
    }
    qsort(time, RUNS, sizeof *time, compare);
    return time[RUNS / 2];
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const room *, int);
    } pattern[] = {{"all-to-all", all_to_all}, {"allreduce", allreduce}, {"broadcast", broadcast}};
    room r = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
    r.from = calloc((size_t)r.ranks, MOST);
    r.to = calloc((size_t)r.ranks, MOST);
    if (r.from == NULL || r.to == NULL || r.ranks < 2) MPI_Abort(MPI_COMM_WORLD, 3);
    memset(r.to, 1, (size_t)r.ranks * MOST);
    double least = median(&r, shift, 1), most = median(&r, shift, MOST);
    if (r.rank == 0) printf("link %.9g %.9g\n", least, most > least ? (most - least) / MOST : 0);
    for (int p = 0; p < 3; p++) {
        for (int bytes = 16; bytes <= MOST; bytes *= 16) {
            double time = median(&r, pattern[p].run, bytes);
            if (r.rank == 0) printf("%s %d %.9g\n", pattern[p].name, bytes, time);
        }
    }
    free(r.from);
    free(r.to);
    MPI_Finalize();
    return 0;
}

/* Messages that all send at once: each to the next of a ring. */
#include "messages.h"

/* A step of a ring. */
static void step(const messages *m, int64_t size, MPI_Comm ring)
{
    int rank = 0, ranks = 1, bytes = (int)size;
    MPI_Request request[2];
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &ranks);
    MPI_Irecv(m->received, bytes, MPI_BYTE, (rank + ranks - 1) % ranks, 0, ring, &request[0]);
    MPI_Isend(m->sent, bytes, MPI_BYTE, (rank + 1) % ranks, 0, ring, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

/*
 * Seconds of a step of `times`, on the rank that took longest. They follow each other without a barrier, which some
 * ranks leave later than others by more than a latency.
 */
static double turn(const messages *m, int64_t size, int times, MPI_Comm ring)
{
    double longest = 0;
    MPI_Barrier(ring);
    double begun = MPI_Wtime();
    for (int i = 0; i < times; i++) {
        step(m, size, ring);
    }
    double own = (MPI_Wtime() - begun) / times;
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, ring);
    return longest;
}

static void time_sizes(const cluster *all, const messages *m, MPI_Comm ring)
{
    enum { WARM_UP = 2 };
    for (int s = 0; s < m->sizes; s++) {
        double one = turn(m, m->size[s], 1, ring); /* the same on all */
        one = times_enough(one) > 1 ? turn(m, m->size[s], WARM_UP, ring) : one;
        int times = times_enough(one);
        for (int i = 0; i < all->repeats; i++) {
            m->seconds[s * all->repeats + i] = turn(m, m->size[s], times, ring);
        }
    }
}

/* Rank 0 is the first of every ring but that of a host that it is not on. */
static void bring_home(const cluster *all, const messages *m, int first)
{
    enum { RESULTS = 3 /* tag */ };
    int values = m->sizes * all->repeats;
    if (first != 0 && all->rank == first) {
        MPI_Send(m->seconds, values, MPI_DOUBLE, 0, RESULTS, MPI_COMM_WORLD);
    } else if (first != 0 && all->rank == 0) {
        MPI_Recv(m->seconds, values, MPI_DOUBLE, first, RESULTS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void ring_measure(const cluster *all, const messages *m, bool member)
{
    MPI_Comm ring;
    int own = member ? all->rank : all->ranks, first = 0;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, all->rank, &ring);
    cluster_rest();
    if (member) {
        time_sizes(all, m, ring);
        MPI_Comm_free(&ring);
    }
    cluster_rest();
    bring_home(all, m, first);
}

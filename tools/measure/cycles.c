/*
 * Cycles of communication as programs have them: J. B. Weissman, A. S. Grimshaw, "A framework for partitioning parallel
 * computations in heterogeneous environments", section 2.2.
 */
#include "turns.h"

static void send(const messages *m, int64_t size, int to, MPI_Comm group)
{
    MPI_Send(m->sent, (int)size, MPI_BYTE, to, 0, group);
}

static void receive(const messages *m, int64_t size, int from, MPI_Comm group)
{
    MPI_Recv(m->received, (int)size, MPI_BYTE, from, 0, group, MPI_STATUS_IGNORE);
}

/* All send to both neighbours, and then receive from both; beyond the ends is nobody, to whom nothing is sent. */
static void line(const messages *m, int64_t size, MPI_Comm group)
{
    int rank = 0, ranks = 1, bytes = (int)size;
    MPI_Request request[2];
    MPI_Comm_rank(group, &rank);
    MPI_Comm_size(group, &ranks);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    MPI_Isend(m->sent, bytes, MPI_BYTE, left, 0, group, &request[0]);
    MPI_Isend(m->sent, bytes, MPI_BYTE, right, 0, group, &request[1]);
    receive(m, size, left, group);
    receive(m, size, right, group);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

/* One message goes around: each receives from the left, then sends to the right. */
static void ring(const messages *m, int64_t size, MPI_Comm group)
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(group, &rank);
    MPI_Comm_size(group, &ranks);
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    if (rank == 0) {
        send(m, size, right, group);
    }
    receive(m, size, left, group);
    if (rank != 0) {
        send(m, size, right, group);
    }
}

/* The distance of a rank to its parent in a binomial tree: its lowest bit. For the root, that to which no rank is. */
static int up(int rank, int ranks)
{
    int distance = 1;
    while (distance < ranks && (rank & distance) == 0) {
        distance *= 2;
    }
    return distance;
}

/* Fan-in: parents receive from all of their children before they send to their own. Fan-out: the same backwards. */
static void tree(const messages *m, int64_t size, MPI_Comm group)
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(group, &rank);
    MPI_Comm_size(group, &ranks);
    int above = up(rank, ranks);
    for (int child = 1; child < above; child *= 2) {
        if (rank + child < ranks) {
            receive(m, size, rank + child, group);
        }
    }
    if (rank != 0) {
        send(m, size, rank - above, group);
        receive(m, size, rank - above, group);
    }
    for (int child = above / 2; child > 0; child /= 2) {
        if (rank + child < ranks) {
            send(m, size, rank + child, group);
        }
    }
}

turn_step *cycle_step(inlay_pattern pattern)
{
    switch (pattern) {
    case INLAY_PATTERN_LINE: return line;
    case INLAY_PATTERN_RING: return ring;
    default: return tree;
    }
}

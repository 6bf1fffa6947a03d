/* Messages that all send at once: each to the next of a ring. */
#include "turns.h"

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

void ring_measure(const cluster *all, const messages *m, int place)
{
    turns_measure(all, m, step, place);
}

/* Ways of MPI to send and receive, one a run; what is sent is known by hand. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static double a[65536], b[65536];

static void *call(void *unused)
{
    (void)unused;
    MPI_Sendrecv(a, 1, MPI_INT, rank, 5, b, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

/* Three times round with requests that stand. */
static void persistent(void)
{
    MPI_Request all[2];
    MPI_Send_init(a, 5, MPI_CHAR, (rank + 1) % ranks, 1, MPI_COMM_WORLD, &all[0]);
    MPI_Recv_init(b, 5, MPI_CHAR, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, &all[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, all);
        MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&all[0]);
    MPI_Request_free(&all[1]);
}

/* From the first to the last rank of those with even and of those with odd numbers, counted backwards. */
static void part(void)
{
    MPI_Comm some;
    int mine, count;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &some);
    MPI_Comm_rank(some, &mine);
    MPI_Comm_size(some, &count);
    if (mine == 0) {
        MPI_Send(a, 100, MPI_INT, count - 1, 3, some);
    }
    if (mine == count - 1) {
        MPI_Recv(b, 200, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, some, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&some);
}

/* From 0 to the last, which first finds it. */
static void found(void)
{
    if (rank == 0) {
        MPI_Send(a, 3, MPI_INT, ranks - 1, 9, MPI_COMM_WORLD);
    }
    if (rank == ranks - 1) {
        MPI_Message message;
        MPI_Status status;
        int there = 0;
        while (!there) {
            MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &there, &status);
        }
        MPI_Mprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(b, 3, MPI_INT, &message, &status);
    }
}

/* All to 0, which takes them as they come and asks until one has; half of them by waiting for some. */
static void any(void)
{
    MPI_Request open[64];
    if (rank > 0) {
        MPI_Ssend(a, rank, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < ranks; i++) {
        MPI_Irecv(b + 1000 * i, 1000, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &open[i]);
    }
    for (int left = ranks - 1, done, index; left > 0; left -= done) {
        MPI_Testany(ranks - 1, open + 1, &index, &done, MPI_STATUS_IGNORE);
        if (!done && left < ranks / 2) {
            MPI_Waitany(ranks - 1, open + 1, &index, MPI_STATUS_IGNORE);
            done = 1;
        }
    }
}

static void cancelled(void)
{
    MPI_Request request;
    MPI_Irecv(b, 3, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collective(const char *how)
{
    MPI_Request request;
    if (strcmp(how, "bcast") == 0) {
        MPI_Bcast(a, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    } else if (strcmp(how, "alltoall") == 0) {
        MPI_Alltoall(a, 8, MPI_DOUBLE, b, 8, MPI_DOUBLE, MPI_COMM_WORLD);
    } else if (strcmp(how, "ibcast") == 0) {
        MPI_Ibcast(a, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "allreduce") == 0) {
        MPI_Allreduce(a, b, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(how, "persistent") == 0) {
        persistent();
    } else if (strcmp(how, "part") == 0) {
        part();
    } else if (strcmp(how, "found") == 0) {
        found();
    } else if (strcmp(how, "any") == 0) {
        any();
    } else if (strcmp(how, "cancelled") == 0) {
        cancelled();
    } else if (strcmp(how, "self") == 0) {
        call(NULL);
    } else if (strcmp(how, "thread") == 0) {
        pthread_t other;
        pthread_create(&other, NULL, call, NULL);
        pthread_join(other, NULL);
    } else if (strcmp(how, "killed") == 0) {
        MPI_Sendrecv(a, 1, MPI_INT, 1 - rank, 5, b, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) {
            raise(SIGKILL);
        }
        MPI_Recv(b, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "exit") == 0) {
        exit(3);
    } else {
        collective(how);
    }
    MPI_Finalize();
    return 0;
}

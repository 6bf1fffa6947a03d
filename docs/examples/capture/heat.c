/*
 * Heat in a rod that lies over the ranks: each step every rank gives its ends to its neighbours and calculates meanwhile what needs
 * none of theirs; every tenth step all ask how much has changed.
 *
 * Usage: mpirun -n RANKS heat [CELLS of each rank] [STEPS]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double step(const double *old, double *now, int from, int to)
{
    double change = 0;
    for (int i = from; i < to; i++) {
        now[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1];
        change += fabs(now[i] - old[i]);
    }
    return change;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int cells = argc > 1 ? atoi(argv[1]) : 100000, steps = argc > 2 ? atoi(argv[2]) : 100;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    double *old = calloc((size_t)cells + 2, sizeof *old), *now = calloc((size_t)cells + 2, sizeof *now), all = 0;
    if (old == NULL || now == NULL) {
        return 1;
    }
    old[1] = rank == 0 ? 1 : 0;
    for (int i = 1; i <= steps; i++) {
        MPI_Request request[4];
        MPI_Irecv(&old[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&old[cells + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(&old[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &request[2]);
        MPI_Isend(&old[cells], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &request[3]);
        double change = step(old, now, 2, cells);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        change += step(old, now, 1, 2) + step(old, now, cells, cells + 1);
        if (i % 10 == 0) {
            MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
        double *swap = old;
        old = now;
        now = swap;
    }
    if (rank == 0) {
        printf("changed by %g in the last step\n", all);
    }
    free(old);
    free(now);
    MPI_Finalize();
    return 0;
}

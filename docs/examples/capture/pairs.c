// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * An example for `inlay capture --mpi` and `inlay apply`: of n ranks, rank r and rank r + n/2 send each other messages again and
 * again, and calculate between. Their numbers set them apart: mpirun fills one computer after the other in the order of ranks.
 *
 *     mpicc -O2 pairs.c -o pairs
 *     mpirun -n 4 ./pairs STEPS BYTES
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double calculate(double x, int terms)
{
    for (int i = 0; i < terms; i++) {
        x += 1 / (1 + x * x);
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, ranks, steps = argc > 1 ? atoi(argv[1]) : 20, bytes = argc > 2 ? atoi(argv[2]) : 20000;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *sent = calloc((size_t)bytes, 1), *got = calloc((size_t)bytes, 1);
    if (sent == NULL || got == NULL || ranks % 2 != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int other = (rank + ranks / 2) % ranks;
    for (int step = 0; step < steps; step++) {
        x = calculate(x, 200000);
        MPI_Sendrecv(sent, bytes, MPI_BYTE, other, 0, got, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    double sum = 0;
    MPI_Reduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%g\n", sum);
    }
    free(sent);
    free(got);
    MPI_Finalize();
    return 0;
}

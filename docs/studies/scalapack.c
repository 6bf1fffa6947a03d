/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Usage: mpirun -n P scalapack lu|cholesky|matmul N NB ROWS COLUMNS REPEATS
 *        scalapack rates NB... and mpirun -n 2 scalapack network
 *
 * ScaLAPACK on a grid of ROWS x COLUMNS processes: prints the least time of the repeats, of each the processor time of the
 * process that takes most. `rates`: seconds of a 1000 x 1000 update and of a panel of 1000 rows by the size of blocks, for
 * `inlay processes --rates`. `network`: seconds of a message and of a byte of one.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern void Cblacs_get(int context, int what, int *value);
extern void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
extern void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
extern int numroc_(const int *n, const int *nb, const int *process, const int *source, const int *processes);
extern void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *row,
                      const int *column, const int *context, const int *lld, int *info);
extern void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desc, int *pivots,
                     int *info);
extern void pdpotrf_(const char *half, const int *n, double *a, const int *ia, const int *ja, const int *desc,
                     int *info);
extern void pdgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha,
                    const double *a, const int *ia, const int *ja, const int *da, const double *b, const int *ib,
                    const int *jb, const int *db, const double *beta, double *c, const int *ic, const int *jc,
                    const int *dc);
extern void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha,
                   const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c,
                   const int *ldc);
extern void dgetf2_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);

static const double one = 1, minus = -1;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double *room(size_t count)
{
    double *a = malloc((count + 1) * sizeof *a);
    if (a == NULL) {
        perror("scalapack");
        exit(3);
    }
    return a;
}

/* Numbers from -1/2 to 1/2 that do not repeat. */
static void fill(double *a, size_t count, unsigned seed)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525U + 1013904223U;
        a[i] = (double)(seed >> 8) / 16777216 - 0.5;
    }
}

/* ---- Rates ---- */

static double least(bool update, int nb)
{
    int rows = 1000, info;
    double *a = room((size_t)(rows * nb)), *b = room((size_t)(rows * nb)), *c = room((size_t)(rows * rows));
    int *pivots = malloc((size_t)nb * sizeof *pivots);
    double best = 1e300;
    fill(c, (size_t)(rows * rows), 3);
    for (int i = 0; i < 5 && pivots != NULL; i++) {
        fill(a, (size_t)(rows * nb), 1);
        fill(b, (size_t)(rows * nb), 2);
        double start = seconds();
        if (update) {
            dgemm_("N", "N", &rows, &rows, &nb, &minus, a, &rows, b, &nb, &one, c, &rows);
        } else {
            dgetf2_(&rows, &nb, a, &rows, pivots, &info);
        }
        double time = seconds() - start;
        best = time < best ? time : best;
    }
    free(a);
    free(b);
    free(c);
    free(pivots);
    return best;
}

static void rates(int count, char **sizes)
{
    puts("device,size,seconds");
    for (int i = 0; i < count; i++) {
        int nb = atoi(sizes[i]);
        printf("update,%d,%.9g\npanel,%d,%.9g\n", nb, least(true, nb), nb, least(false, nb));
    }
}

static double message(int rank, int bytes)
{
    enum { TIMES = 200, ROUNDS = 20 };
    char *buffer = calloc((size_t)bytes, 1);
    double best = 1e300;
    for (int round = 0; round < ROUNDS && buffer != NULL; round++) {
        double start = MPI_Wtime();
        for (int i = 0; i < TIMES; i++) {
            if (rank == 0) {
                MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
                MPI_Recv(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
            }
        }
        double time = (MPI_Wtime() - start) / TIMES / 2;
        best = time < best ? time : best;
    }
    free(buffer);
    return best;
}

/* ---- ScaLAPACK ---- */

typedef struct run {
    const char *kernel;
    int n, nb, grid[2], at[2], local[2], desc[9];
    double *a, *b, *c;
    int *pivots;
} run;

static void start(run *r)
{
    int context, zero = 0, info;
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", r->grid[0], r->grid[1]);
    Cblacs_gridinfo(context, &r->grid[0], &r->grid[1], &r->at[0], &r->at[1]);
    for (int d = 0; d < 2; d++) {
        r->local[d] = numroc_(&r->n, &r->nb, &r->at[d], &zero, &r->grid[d]);
    }
    int lld = r->local[0] > 1 ? r->local[0] : 1;
    descinit_(r->desc, &r->n, &r->n, &r->nb, &r->nb, &zero, &zero, &context, &lld, &info);
    size_t items = (size_t)lld * (size_t)(r->local[1] > 1 ? r->local[1] : 1);
    r->a = room(items);
    r->b = room(items);
    r->c = room(items);
    r->pivots = malloc((size_t)(r->local[0] + r->nb) * sizeof *r->pivots);
}

/* A large diagonal where the matrix has to be positive definite. */
static void set(run *r)
{
    size_t items = (size_t)r->local[0] * (size_t)r->local[1];
    fill(r->a, items, 1 + (unsigned)(r->at[0] * r->grid[1] + r->at[1]));
    fill(r->b, items, 7);
    fill(r->c, items, 9);
    for (int j = 0; j < r->local[1] && r->kernel[0] == 'c'; j++) {
        int column = (j / r->nb * r->grid[1] + r->at[1]) * r->nb + j % r->nb;
        for (int i = 0; i < r->local[0]; i++) {
            int row = (i / r->nb * r->grid[0] + r->at[0]) * r->nb + i % r->nb;
            r->a[(size_t)j * (size_t)r->local[0] + (size_t)i] += row == column ? r->n : 0;
        }
    }
}

static int work(run *r)
{
    int first = 1, info = 0;
    if (r->kernel[0] == 'l') {
        pdgetrf_(&r->n, &r->n, r->a, &first, &first, r->desc, r->pivots, &info);
    } else if (r->kernel[0] == 'c') {
        pdpotrf_("L", &r->n, r->a, &first, &first, r->desc, &info);
    } else {
        pdgemm_("N", "N", &r->n, &r->n, &r->n, &one, r->a, &first, &first, r->desc, r->b, &first, &first, r->desc, &one,
                r->c, &first, &first, r->desc);
    }
    return info;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 2 && strcmp(argv[1], "rates") == 0) {
        rates(argc - 2, argv + 2);
    } else if (argc == 2 && strcmp(argv[1], "network") == 0) {
        enum { LONG = 1 << 18 };
        double none = message(rank, 8), all = message(rank, LONG);
        if (rank == 0) {
            printf("%.4g %.4g\n", none, (all - none) / LONG);
        }
    } else if (argc == 7) {
        run r = {.kernel = argv[1], .n = atoi(argv[2]), .nb = atoi(argv[3]), .grid = {atoi(argv[4]), atoi(argv[5])}};
        double best = 1e300;
        start(&r);
        for (int i = 0; i < atoi(argv[6]); i++) {
            set(&r);
            MPI_Barrier(MPI_COMM_WORLD);
            double begin = seconds();
            int info = work(&r);
            double time = seconds() - begin, most;
            MPI_Allreduce(&time, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            best = most < best ? most : best;
            if (info != 0) {
                fprintf(stderr, "scalapack: info %d\n", info);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
        }
        if (rank == 0) {
            printf("%.6g\n", best);
        }
    } else if (rank == 0) {
        fprintf(stderr, "usage: scalapack KERNEL N NB ROWS COLUMNS REPEATS | rates NB... | network\n");
    }
    MPI_Finalize();
    return 0;
}

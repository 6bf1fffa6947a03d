/*
 * A tiled Cholesky factorisation on MPI, to count messages: who owns a tile computes all that is written to it, and sends it
 * once to each rank that needs it. Sends are counted where MPI's profiling interface sees them.
 *
 *     mpirun -n P*Q ./cholesky TILES BLOCK P Q PLACEMENT
 *
 * Tiles are dealt out in blocks of BLOCK x BLOCK to P x Q ranks, over and over. Rank 0 writes the rank of every task as a
 * placement. It prints `SENDER RECEIVER MESSAGES` for each pair of ranks that talk, and how far the factor is off.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { B = 4, TILE = B * B, RANKS = 64 };

static int sent[RANKS]; /* by this rank to each */

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm all, MPI_Request *request)
{
    sent[to]++;
    return PMPI_Isend(data, count, type, to, tag, all, request);
}

static int tiles, block, rows, columns, me, requests;
static double *matrix; /* all tiles, of which a rank fills in its own and what it receives */
static MPI_Request *request;

static int owner(int i, int j)
{
    return i / block % rows * columns + j / block % columns;
}

static double *tile(int i, int j)
{
    return matrix + (size_t)(i * tiles + j) * TILE;
}

/* The factor that is known, and what it is the factor of. */
static double factor(int r, int c)
{
    return r == c ? 2 : r > c ? 1.0 / (1 + r - c) : 0;
}

static void fill(int i, int j)
{
    for (int r = 0; r < B; r++)
        for (int c = 0; c < B; c++)
            for (int k = 0; k <= j * B + c; k++)
                tile(i, j)[r * B + c] += factor(i * B + r, k) * factor(j * B + c, k);
}

static void potrf(double *a)
{
    for (int c = 0; c < B; c++)
        for (int r = 0; r < B; r++) {
            for (int k = 0; r >= c && k < c; k++)
                a[r * B + c] -= a[r * B + k] * a[c * B + k];
            a[r * B + c] = r < c ? 0 : r == c ? sqrt(a[r * B + c]) : a[r * B + c] / a[c * B + c];
        }
}

static void trsm(double *a, const double *diagonal)
{
    for (int r = 0; r < B; r++)
        for (int c = 0; c < B; c++) {
            for (int k = 0; k < c; k++)
                a[r * B + c] -= a[r * B + k] * diagonal[c * B + k];
            a[r * B + c] /= diagonal[c * B + c];
        }
}

static void update(double *a, const double *left, const double *right)
{
    for (int r = 0; r < B; r++)
        for (int c = 0; c < B; c++)
            for (int k = 0; k < B; k++)
                a[r * B + c] -= left[r * B + k] * right[c * B + k];
}

/* A tile of column k is final: it goes to all owners of tiles that are made with it. */
static void pass_on(int i, int k)
{
    int needs[RANKS] = {0}, from = owner(i, k);
    for (int j = k + 1; j < tiles; j++)
        needs[i == k ? owner(j, k) : j <= i ? owner(i, j) : owner(j, i)] = 1;
    for (int to = 0; to < rows * columns; to++) {
        if (to == from || !needs[to]) continue;
        if (me == from) MPI_Isend(tile(i, k), TILE, MPI_DOUBLE, to, i * tiles + k, MPI_COMM_WORLD, &request[requests++]);
        if (me == to) MPI_Recv(tile(i, k), TILE, MPI_DOUBLE, from, i * tiles + k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void factorise(void)
{
    for (int k = 0; k < tiles; k++) {
        if (owner(k, k) == me) potrf(tile(k, k));
        pass_on(k, k);
        for (int i = k + 1; i < tiles; i++) {
            if (owner(i, k) == me) trsm(tile(i, k), tile(k, k));
            pass_on(i, k);
        }
        for (int i = k + 1; i < tiles; i++)
            for (int j = k + 1; j <= i; j++)
                if (owner(i, j) == me) update(tile(i, j), tile(i, k), tile(j, k));
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
}

static void write_placement(const char *path)
{
    FILE *file = fopen(path, "w");
    for (int k = 0; file != NULL && k < tiles; k++) {
        fprintf(file, "POTRF_%d,%d\n", k, owner(k, k));
        for (int i = k + 1; i < tiles; i++) {
            fprintf(file, "TRSM_%d_%d,%d\nSYRK_%d_%d,%d\n", i, k, owner(i, k), i, k, owner(i, i));
            for (int j = k + 1; j < i; j++)
                fprintf(file, "GEMM_%d_%d_%d,%d\n", i, j, k, owner(i, j));
        }
    }
    if (file == NULL || fclose(file) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int all[RANKS * RANKS];
    double off = 0, most;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (argc < 6) MPI_Abort(MPI_COMM_WORLD, 2);
    tiles = atoi(argv[1]), block = atoi(argv[2]), rows = atoi(argv[3]), columns = atoi(argv[4]);
    matrix = calloc((size_t)(tiles * tiles) * TILE, sizeof *matrix);
    request = calloc((size_t)(tiles * tiles * rows * columns), sizeof *request);
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j <= i; j++)
            if (owner(i, j) == me) fill(i, j);
    factorise();
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j <= i; j++)
            for (int e = 0; owner(i, j) == me && e < TILE; e++)
                off = fmax(off, fabs(tile(i, j)[e] - factor(i * B + e / B, j * B + e % B)));
    MPI_Reduce(&off, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Gather(sent, rows * columns, MPI_INT, all, rows * columns, MPI_INT, 0, MPI_COMM_WORLD);
    for (int pair = 0; me == 0 && pair < rows * columns * rows * columns; pair++)
        if (all[pair] > 0) printf("%d %d %d\n", pair / (rows * columns), pair % (rows * columns), all[pair]);
    if (me == 0) write_placement(argv[5]);
    if (me == 0) fprintf(stderr, most < 1e-9 ? "right\n" : "off by %g\n", most);
    return MPI_Finalize();
}

/*
 * A program that deals its data evenly: a seven-point Jacobi stencil on N x N x N points, in blocks on a Cartesian grid
 * of processes, with MPI. It knows nothing of Inlay, which measures it, and tells how many of its processes unlike
 * processors should run.
 *
 *     mpicc -std=c17 -O2 stencil3d.c -o stencil3d
 *     mpirun -n 4 ./stencil3d --grid 4x1x1 96
 *
 * The last line that it prints is the time of its loop, in seconds. The sum is that of all bits of the result: it is the
 * same for all numbers of processes, grids and processors.
 */
#include <getopt.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, MOST = 1 << 10 /* points along an axis, and processes */ };

/* The command line: the same on all ranks, but for `work`. */
typedef struct job {
    int points, steps;
    int grid[AXES];  /* processes along each axis; 0: as MPI likes it */
    int layer[MOST]; /* layers along the first axis of each process; 0: even */
    double work;     /* how often this process computes each point: above 1 it imitates a slower processor */
} job;

/* One process's part, with a layer of its neighbours' around it. */
typedef struct block {
    MPI_Comm grid;
    int size[AXES], room[AXES], first[AXES]; /* of it; with those layers; where it begins among all points */
    double *now, *next;                      /* of room[0] x room[1] x room[2] points */
    MPI_Datatype send[2 * AXES], receive[2 * AXES];
} block;

/* ---- Options ---- */

static const char usage[] = "usage: mpirun -n PROCESSES stencil3d [options] POINTS\n"
                            "  --grid AxBxC      the grid of processes (as MPI_Dims_create has it)\n"
                            "  --steps N         (100)\n"
                            "  --layers A,B,...  layers of each process, on a grid of Ax1x1 (even)\n"
                            "  --work FACTOR     this process computes each point so often (1)\n";

/* A whole number up to `most`, with one of the characters `ends` or nothing behind it, which is skipped. */
static bool number(const char **text, const char *ends, int most, int *value)
{
    char *end;
    long n = strtol(*text, &end, 10);
    bool right = end != *text && n >= 1 && n <= most && (*end == '\0' || strchr(ends, *end) != NULL);
    *value = (int)n;
    *text = *end == '\0' ? end : end + 1;
    return right;
}

static bool numbers(const char *text, const char *ends, int count, int *value)
{
    bool right = true;
    for (int i = 0; i < count && right && (i == 0 || *text != '\0'); i++) {
        right = number(&text, ends, MOST, &value[i]);
    }
    return right && *text == '\0';
}

static bool read_options(int argc, char **argv, job *j)
{
    static const struct option options[] = {{"grid", required_argument, NULL, 'g'},
                                            {"steps", required_argument, NULL, 's'},
                                            {"layers", required_argument, NULL, 'l'},
                                            {"work", required_argument, NULL, 'w'},
                                            {0}};
    bool right = true;
    *j = (job){.steps = 100, .work = 1};
    for (int option; right && (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        const char *text = optarg;
        switch (option) {
        case 'g': right = numbers(text, "x", AXES, j->grid); break;
        case 's': right = number(&text, "", 1000000, &j->steps); break;
        case 'l': right = numbers(text, ",", MOST, j->layer); break;
        case 'w': right = (j->work = strtod(text, NULL)) >= 1 && j->work <= 1000; break;
        default: right = false;
        }
    }
    const char *points = argv[optind] != NULL ? argv[optind] : "";
    return right && argc - optind == 1 && number(&points, "", MOST, &j->points);
}

/* ---- Blocks ---- */

/* Which points of an axis are the c-th process's: even blocks, the larger ones first, as `inlay processes` has them. */
static void extent(const job *j, int axis, int processes, int c, int *first, int *size)
{
    *size = j->points / processes + (c < j->points % processes);
    *first = c * (j->points / processes) + (c < j->points % processes ? c : j->points % processes);
    if (axis == 0 && j->layer[0] > 0) {
        *size = j->layer[c];
        *first = 0;
        for (int i = 0; i < c; i++) {
            *first += j->layer[i];
        }
    }
}

/* The faces that go to and come from the two neighbours on each axis, in the order of a Cartesian communicator. */
static void make_faces(block *b)
{
    for (int n = 0; n < 2 * AXES; n++) {
        int axis = n / 2, face[AXES], start[AXES] = {1, 1, 1};
        memcpy(face, b->size, sizeof face);
        face[axis] = 1;
        start[axis] = n % 2 == 0 ? 1 : b->size[axis];
        MPI_Type_create_subarray(AXES, b->room, face, start, MPI_ORDER_C, MPI_DOUBLE, &b->send[n]);
        start[axis] = n % 2 == 0 ? 0 : b->size[axis] + 1;
        MPI_Type_create_subarray(AXES, b->room, face, start, MPI_ORDER_C, MPI_DOUBLE, &b->receive[n]);
        MPI_Type_commit(&b->send[n]);
        MPI_Type_commit(&b->receive[n]);
    }
}

/* Where a point stands; -1 is the layer before the first. */
static size_t place(const block *b, int i, int k, int m)
{
    return ((size_t)(i + 1) * (size_t)b->room[1] + (size_t)(k + 1)) * (size_t)b->room[2] + (size_t)(m + 1);
}

static void fill(const job *j, block *b)
{
    for (int i = 0; i < b->size[0]; i++) {
        for (int k = 0; k < b->size[1]; k++) {
            for (int m = 0; m < b->size[2]; m++) {
                int64_t at = ((int64_t)(b->first[0] + i) * j->points + b->first[1] + k) * j->points + b->first[2] + m;
                b->now[place(b, i, k, m)] = (double)(at * 2654435761 % 1000) / 1000;
            }
        }
    }
}

static void make_block(const job *j, block *b)
{
    int processes, rank, dims[AXES], where[AXES];
    const int around[AXES] = {0};
    size_t points = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    memcpy(dims, j->grid, sizeof dims);
    MPI_Dims_create(processes, AXES, dims);
    MPI_Cart_create(MPI_COMM_WORLD, AXES, dims, around, 0, &b->grid);
    MPI_Comm_rank(b->grid, &rank);
    MPI_Cart_coords(b->grid, rank, AXES, where);
    for (int axis = 0; axis < AXES; axis++) {
        extent(j, axis, dims[axis], where[axis], &b->first[axis], &b->size[axis]);
        b->room[axis] = b->size[axis] + 2;
        points *= (size_t)b->room[axis];
    }
    b->now = calloc(points, sizeof *b->now);
    b->next = calloc(points, sizeof *b->next);
    if (b->now == NULL || b->next == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    make_faces(b);
    fill(j, b);
}

static void free_block(block *b)
{
    for (int n = 0; n < 2 * AXES; n++) {
        MPI_Type_free(&b->send[n]);
        MPI_Type_free(&b->receive[n]);
    }
    MPI_Comm_free(&b->grid);
    free(b->now);
    free(b->next);
}

/* ---- The loop ---- */

static void exchange(block *b)
{
    static const int one[2 * AXES] = {1, 1, 1, 1, 1, 1};
    static const MPI_Aint whole[2 * AXES] = {0};
    MPI_Neighbor_alltoallw(b->now, one, whole, b->send, b->now, one, whole, b->receive, b->grid);
}

static void sweep(block *b, int layers)
{
    size_t row = (size_t)b->room[2], layer = (size_t)b->room[1] * row;
    for (int i = 0; i < layers; i++) {
        for (int k = 0; k < b->size[1]; k++) {
            size_t at = place(b, i, k, 0);
            for (int m = 0; m < b->size[2]; m++, at++) {
                const double *u = &b->now[at];
                b->next[at] = (u[0] + u[-1] + u[1] + u[-(ptrdiff_t)row] + u[row] + u[-(ptrdiff_t)layer] + u[layer]) / 7;
            }
        }
    }
}

/* All of it `work` times over; a fraction is so much of the layers. */
static void step(block *b, double work)
{
    for (; work >= 1; work--) {
        sweep(b, b->size[0]);
    }
    sweep(b, (int)(work * b->size[0] + 0.5));
    double *done = b->next;
    b->next = b->now;
    b->now = done;
}

/* Of the bits of all points, each times an odd number of its own: it does not depend on the order. */
static uint64_t sum(const job *j, const block *b)
{
    uint64_t own = 0, all = 0, bits;
    for (int i = 0; i < b->size[0]; i++) {
        for (int k = 0; k < b->size[1]; k++) {
            for (int m = 0; m < b->size[2]; m++) {
                int64_t at = ((int64_t)(b->first[0] + i) * j->points + b->first[1] + k) * j->points + b->first[2] + m;
                memcpy(&bits, &b->now[place(b, i, k, m)], sizeof bits);
                own += bits * (2 * (uint64_t)at + 1);
            }
        }
    }
    MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, b->grid);
    return all;
}

/* From the time that all are ready to the end of the last. */
static double loop(const job *j, block *b)
{
    exchange(b);
    MPI_Barrier(b->grid);
    double begin = MPI_Wtime();
    for (int n = 0; n < j->steps; n++) {
        exchange(b);
        step(b, j->work);
    }
    MPI_Barrier(b->grid);
    return MPI_Wtime() - begin;
}

/* ---- All of it ---- */

/* What the ranks must agree on, and what fits: NULL, or what was expected. */
static const char *refuse(const job *j, int processes)
{
    int grid = j->grid[0] * j->grid[1] * j->grid[2], layers = 0, entries = 0, longest = 0;
    for (int axis = 0; axis < AXES; axis++) {
        longest = j->grid[axis] > longest ? j->grid[axis] : longest;
    }
    for (; entries < MOST && j->layer[entries] > 0; entries++) {
        layers += j->layer[entries];
    }
    bool slabs = j->grid[0] == processes && grid == processes && entries == processes && layers == j->points;
    return j->grid[0] > 0 && grid != processes        ? "a grid of as many processes as there are"
           : longest > j->points                      ? "as many points along each axis as processes at least"
           : j->grid[0] == 0 && processes > j->points ? "at most as many processes as points along an axis"
           : entries > 0 && !slabs ? "--grid Ax1x1, and of each process layers that are together POINTS"
                                   : NULL;
}

static void run(const job *j)
{
    block b;
    int rank, dims[AXES], around[AXES], where[AXES];
    make_block(j, &b);
    double seconds = loop(j, &b);
    uint64_t bits = sum(j, &b);
    MPI_Comm_rank(b.grid, &rank);
    MPI_Cart_get(b.grid, AXES, dims, around, where);
    if (rank == 0) {
        printf("%d x %d x %d processes, %d^3 points, %d steps\n", dims[0], dims[1], dims[2], j->points, j->steps);
        printf("sum %016llx\nloop time %.6f s\n", (unsigned long long)bits, seconds);
    }
    free_block(&b);
}

int main(int argc, char **argv)
{
    static job j;
    int rank, processes, right, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    right = read_options(argc, argv, &j);
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    const char *expected = all ? refuse(&j, processes) : NULL;
    if (all && expected == NULL) {
        run(&j);
    } else if (rank == 0) {
        fprintf(stderr, all ? "stencil3d: expected %s\n" : usage, expected);
    }
    MPI_Finalize();
    return all && expected == NULL ? 0 : 2;
}

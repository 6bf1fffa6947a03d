/*
 * The fine-grained Cholesky factorisation of Houstis, Houstis and Rice, CSD-TR-86-576: a module for every element of an
 * n x n matrix, Figure 1's program in every module, Figure 2's graph.
 *
 * The paper gives the times of n = 4 (Figure 2) and m + b of n = 5 (Figure 6), which its simulator measured, not how
 * long a statement takes. The durations below are fitted: with them a run of Figure 1's program with free messages takes,
 * rounded to ticks, exactly the 32 times of Figure 2 and 22 of the 25 sums of Figure 6. The other three are damaged in
 * print: 53 and 70 stand where n = 4 has 58 and 79 for the same modules, which do not know of n; 195 does not rise along
 * its row and column, where the run takes 115.
 */
#include "graph/generate.h"
#include <stdlib.h>

/*
 * Durations of the parts of Figure 1's program, in twentieths of a tick. A module that is done with its row or column
 * (K = i or K = j) sends on what it got; that takes time only where there is a neighbour.
 */
enum {
    TICK = 20,
    START = 81,

    INNER_TEST = 55,  /* K < i and K < j: before the first GET */
    INNER_SOUTH = 41, /* GET (IN_SOUTH, Y) */
    INNER_EAST = 45,  /* GET (IN_EAST, Z), X - Y Z, and both PUT */
    INNER = INNER_TEST + INNER_SOUTH + INNER_EAST,

    ROOT = 397, /* K = i = j */

    COLUMN_TEST = 95, /* K = j */
    COLUMN_GET = 244, /* GET (IN_SOUTH, Y), X / Y, PUT (OUT_EAST, X) */
    COLUMN_PUT = 119, /* PUT (OUT_SOUTH, Y) */

    ROW_TEST = 315, /* K = i */
    ROW_GET = 105,  /* GET (IN_EAST, Y) */
    ROW_PUT = 98    /* PUT (OUT_EAST, Y), PUT (OUT_SOUTH, X) */
};

static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* When a module sends, in its last iteration but one [0] and in its last [1]. */
typedef struct sent {
    int64_t east[2], south[2];
} sent;

typedef struct place {
    int64_t n, i, j; /* row i, column j, from 1 */
} place;

static int64_t iterations(place at)
{
    return at.i < at.j ? at.i : at.j;
}

/* Time that a module computes, waiting left out. */
static int64_t processing(place at)
{
    int64_t last = ROOT;
    if (at.i < at.j) {
        last = ROW_TEST + ROW_GET + (at.j < at.n ? ROW_PUT : 0);
    } else if (at.i > at.j) {
        last = COLUMN_TEST + COLUMN_GET + (at.i < at.n ? COLUMN_PUT : 0);
    }
    return START + (iterations(at) - 1) * INNER + last;
}

/*
 * Runs a module's last two iterations; when it ends. Those before them hold nothing up: inputs come later than a module
 * asks for them, because the wave of iteration k crosses the diagonal 807 after that of k - 1, and an iteration takes 141.
 */
static int64_t run_module(place at, const sent *north, const sent *west, sent *out)
{
    int64_t count = iterations(at);
    int64_t time = START;
    *out = (sent){{0}, {0}};
    if (count > 1) {
        /* the neighbours' iteration of the same number: their last, where they stand on the side of the diagonal */
        time += (count - 2) * INNER;
        time = later(time + INNER_TEST, north->south[at.i > at.j ? 0 : 1]) + INNER_SOUTH;
        time = later(time, west->east[at.j > at.i ? 0 : 1]) + INNER_EAST;
        out->east[0] = out->south[0] = time;
    }
    if (at.i == at.j) {
        time += ROOT;
        out->east[1] = time;
    } else if (at.i > at.j) {
        time = later(time + COLUMN_TEST, north->south[1]) + COLUMN_GET;
        out->east[1] = time;
        time += at.i < at.n ? COLUMN_PUT : 0;
    } else {
        time = later(time + ROW_TEST, west->east[1]) + ROW_GET + (at.j < at.n ? ROW_PUT : 0);
        out->east[1] = time;
    }
    out->south[1] = time;
    return time;
}

/* The paper's times are whole ticks. */
static double ticks(int64_t time)
{
    int64_t whole = (time + TICK / 2) / TICK;
    return (double)whole;
}

static void draw_cholesky(sketch *s, const inlay_generator_options *o)
{
    int64_t n = o->sizes[INLAY_SIZE_SIZE];
    sent *row =
        calloc((size_t)n + 1, sizeof *row); /* by column, from 1; a module takes the place of its northern one */
    if (row == NULL) {
        s->failed = true;
        return;
    }
    for (int64_t i = 1; i <= n && !s->failed; i++) {
        for (int64_t j = 1; j <= n; j++) {
            place at = {n, i, j};
            sent out;
            int64_t end = run_module(at, &row[j], &row[j - 1], &out);
            row[j] = out;
            inlay_id module = sketch_module(s, 0, ticks(processing(at)), (task_index){1, {(i - 1) * n + j}});
            sketch_blocking(s, ticks(end - processing(at)));
            if (i > 1) {
                sketch_messages(s, module - (inlay_id)n, i - 1 < j ? i - 1 : j);
            }
            if (j > 1) {
                sketch_messages(s, module - 1, i < j - 1 ? i : j - 1);
            }
        }
    }
    free(row);
}

static graph_counts count_cholesky(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_SIZE];
    return (graph_counts){n * n, 2 * n * (n - 1)};
}

static const task_type types[] = {{"m", NULL}};

const generator cholesky_generator = {
    .offer = {.name = "cholesky",
              .summary = "Cholesky factorisation, one module an element: Figure 2 of Houstis, Houstis and Rice",
              .modules = "size^2",
              .links = "2 size (size - 1)",
              .sizes = {[INLAY_SIZE_SIZE] = {1, 4, INT32_MAX}},
              .density = -1},
    .types = types,
    .type_count = 1,
    .streams = true,
    .count = count_cholesky,
    .draw = draw_cholesky,
};

/*
 * A stencil in two dimensions: Jacobi's iteration for the potential in a square, of which the upper side is at 1 and the
 * others are at 0.
 *
 *     inlay profile graphs/stencil.c -D blocks=4 -D points=8 -D steps=5 --cost add=1,multiply=1,get=10,put=10
 *
 * The square is cut into blocks x blocks blocks of points x points points. A step replaces each point by the mean of its
 * four neighbours, and blocks send each other the points along their sides.
 *
 * There is a module for each step of each block, which hands the block to the module of its next step. One module for all
 * steps would be shorter to write, but neighbours would then send to each other, and a graph G(A) has no circles: half of
 * these links would lose their precedence and be traffic alone.
 */
#include <inlay/dataflow.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 64, MOST_POINTS = 32, MOST_STEPS = 1000, MOST_MODULES = 100000 };

/* Ports: an input is where values come from, an output where they go. */
enum { OWN, NORTH, SOUTH, WEST, EAST, PORTS };
static const int opposite[PORTS] = {OWN, SOUTH, NORTH, EAST, WEST};
static const int down[PORTS] = {0, -1, 1, 0, 0}, right[PORTS] = {0, 0, 0, -1, 1}; /* where the neighbour is */

typedef struct problem {
    int blocks, points, steps;
    double *result; /* the square after all steps, row by row */
} problem;

typedef struct place {
    const problem *of;
    int step, row, column; /* from 0 */
} place;

/* A block, and a rim around it for the points of its neighbours. */
typedef double field[MOST_POINTS + 2][MOST_POINTS + 2];

/* The i-th point along a side: of the block itself, or of the rim beside it. */
static double *along(field f, int side, int i, int points, int rim)
{
    const int first = rim ? 0 : 1, last = rim ? points + 1 : points;
    switch (side) {
    case NORTH: return &f[first][i + 1];
    case SOUTH: return &f[last][i + 1];
    case WEST: return &f[i + 1][first];
    default: return &f[i + 1][last];
    }
}

/* What nobody sends is 0, as all points are before the first step; and 1 beyond the upper side of the square. */
static void receive(inlay_actor *self, const place *p, field f)
{
    double border[MOST_POINTS];
    if (inlay_input(self, OWN) != NULL) {
        inlay_get(inlay_input(self, OWN), f);
    }
    for (int side = NORTH; side < PORTS; side++) {
        for (int i = 0; i < p->of->points; i++) {
            border[i] = side == NORTH && p->row == 0 ? 1 : 0;
        }
        if (inlay_input(self, side) != NULL) {
            inlay_get(inlay_input(self, side), border);
        }
        for (int i = 0; i < p->of->points; i++) {
            *along(f, side, i, p->of->points, 1) = border[i];
        }
    }
}

static void compute(inlay_actor *self, int points, field old, field new)
{
    for (int i = 1; i <= points; i++) {
        for (int j = 1; j <= points; j++) {
            new[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
        }
    }
    inlay_count(self, INLAY_ADD, 3 * points * points);
    inlay_count(self, INLAY_MULTIPLY, points * points);
}

/* Neighbours first: they wait for it. After the last step the block goes to the result. */
static void send(inlay_actor *self, const place *p, field f)
{
    const int points = p->of->points, width = points * p->of->blocks;
    double border[MOST_POINTS];
    for (int side = NORTH; side < PORTS; side++) {
        for (int i = 0; i < points; i++) {
            border[i] = *along(f, side, i, points, 0);
        }
        if (inlay_output(self, side) != NULL) {
            inlay_put(inlay_output(self, side), border);
        }
    }
    if (inlay_output(self, OWN) != NULL) {
        inlay_put(inlay_output(self, OWN), f);
        return;
    }
    for (int i = 0; i < points; i++) {
        memcpy(&p->of->result[(p->row * points + i) * width + p->column * points], &f[i + 1][1],
               (size_t)points * sizeof(double));
    }
}

static void one_step(inlay_actor *self, void *state)
{
    const place *p = state;
    field old = {{0}}, new = {{0}};
    receive(self, p, old);
    compute(self, p->of->points, old, new);
    send(self, p, new);
}

/* The same iteration without blocks: not a single bit may differ. */
static const char *check(void *context, char *text, size_t size)
{
    const problem *of = context;
    const int width = of->blocks * of->points, row = width + 2;
    double *old = calloc((size_t)(row * row), sizeof *old), *new = calloc((size_t)(row * row), sizeof *new);
    int differ = old == NULL || new == NULL;
    for (int j = 1; j <= width && !differ; j++) {
        old[j] = new[j] = 1;
    }
    for (int step = 0; step < of->steps && !differ; step++) {
        for (int i = 1; i <= width; i++) {
            for (int j = 1; j <= width; j++) {
                const double *p = old + i * row + j;
                new[i * row + j] = 0.25 * (p[-row] + p[row] + p[-1] + p[1]);
            }
        }
        double *swapped = old;
        old = new;
        new = swapped;
    }
    for (int i = 0; i < width && !differ; i++) {
        differ = memcmp(of->result + i * width, old + (i + 1) * row + 1, (size_t)width * sizeof *old) != 0;
    }
    free(old);
    free(new);
    (void)snprintf(text, size, "%d points as computed without blocks, bit for bit", width * width);
    return differ ? "the points are not those computed without blocks" : NULL;
}

static int number_of(const problem *of, int step, int row, int column)
{
    return (step * of->blocks + row) * of->blocks + column;
}

static void add_module(inlay_program *program, const place *p, inlay_diag *diag)
{
    char name[48];
    (void)snprintf(name, sizeof name, "step%d.%d.%d", p->step + 1, p->row + 1, p->column + 1);
    (void)inlay_program_module(program, name, one_step, p, sizeof *p, diag);
}

/* What a block's step before sends, to itself and to its neighbours. */
static void wire(inlay_program *program, const place *p, inlay_diag *diag)
{
    const problem *of = p->of;
    for (int port = OWN; port < PORTS; port++) {
        int row = p->row + down[port], column = p->column + right[port];
        if (row >= 0 && row < of->blocks && column >= 0 && column < of->blocks) {
            size_t size = port == OWN ? sizeof(field) : (size_t)of->points * sizeof(double);
            (void)inlay_program_wire(program, number_of(of, p->step - 1, p->row, p->column), port,
                                     number_of(of, p->step, row, column), opposite[port], size, 0, diag);
        }
    }
}

static void build(inlay_program *program, const problem *of, inlay_diag *diag)
{
    for (int step = 0; step < of->steps; step++) {
        for (int m = 0; m < of->blocks * of->blocks; m++) {
            const place p = {of, step, m / of->blocks, m % of->blocks};
            add_module(program, &p, diag);
        }
        for (int m = 0; m < of->blocks * of->blocks && step > 0; m++) {
            const place p = {of, step, m / of->blocks, m % of->blocks};
            wire(program, &p, diag);
        }
    }
}

/* A parameter that is a whole number from 1 to `most`; false where it is not, which has been said. */
static int whole(inlay_program *program, const char *name, int usual, int most, int *number, inlay_diag *diag)
{
    double value = inlay_parameter(program, name, usual);
    if (!(value >= 1 && value <= most) || value != floor(value)) {
        (void)inlay_program_refuse(diag, "%s is %g; expected a whole number from 1 to %d", name, value, most);
        return 0;
    }
    *number = (int)value;
    return 1;
}

int inlay_program_main(inlay_program *program, inlay_diag *diag)
{
    problem *of = inlay_program_memory(program, sizeof *of);
    if (of == NULL) {
        return INLAY_NO_MEMORY;
    }
    if (!whole(program, "blocks", 3, MOST_BLOCKS, &of->blocks, diag) ||
        !whole(program, "points", 8, MOST_POINTS, &of->points, diag) ||
        !whole(program, "steps", 4, MOST_STEPS, &of->steps, diag)) {
        return INLAY_BAD_ARGUMENT;
    }
    if (of->steps * of->blocks * of->blocks > MOST_MODULES) {
        return inlay_program_refuse(diag, "steps x blocks x blocks is %d; expected at most %d",
                                    of->steps * of->blocks * of->blocks, MOST_MODULES);
    }
    size_t width = (size_t)(of->blocks * of->points);
    of->result = inlay_program_memory(program, width * width * sizeof *of->result);
    if (of->result == NULL) {
        return INLAY_NO_MEMORY;
    }
    build(program, of, diag);
    inlay_program_check(program, check, of);
    return INLAY_OK;
}

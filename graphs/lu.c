/*
 * The factorisation A = L U without pivoting, a module for each element of the matrix.
 *
 *     inlay profile graphs/lu.c -D n=8 --cost divide=8,multiply=2,add=2,get=1,put=1
 *
 * Module (i, j) holds a_ij and computes u_ij where i <= j, else l_ij. Elements of U stream to the south, those of L to the
 * east. Unlike in Cholesky's factorisation (cholesky.c) a diagonal module has nothing new for the east, since l_ii = 1. So
 * the first row needs nobody: all its modules begin at once.
 *
 * With rows and columns counted from 1, min(i, j) messages go from (i, j) to the south and min(i - 1, j) to the east.
 */
#include <float.h>
#include <inlay/dataflow.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 256 };            /* rows of the largest matrix */
enum { FROM_WEST, FROM_NORTH }; /* inputs: elements of L, and of U */
enum { TO_EAST, TO_SOUTH };     /* outputs likewise */

typedef struct problem {
    int n;         /* rows */
    double *a, *f; /* the matrix; its factors: U with its diagonal, and L below it */
} problem;

typedef struct place {
    const problem *of;
    int i, j; /* from 0 */
} place;

/* A module at the border has no neighbour there. */
static void pass(inlay_port *to, const double *value)
{
    if (to != NULL) {
        inlay_put(to, value);
    }
}

static void element(inlay_actor *self, void *state)
{
    const place *at = state;
    inlay_port *west = inlay_input(self, FROM_WEST), *north = inlay_input(self, FROM_NORTH);
    inlay_port *east = inlay_output(self, TO_EAST), *south = inlay_output(self, TO_SOUTH);
    double x = at->of->a[at->i * at->of->n + at->j], l, u;
    for (int k = 0; k < at->i && k < at->j; k++) {
        inlay_get(west, &l);
        pass(east, &l);
        inlay_get(north, &u);
        pass(south, &u);
        x -= l * u;
        inlay_count(self, INLAY_MULTIPLY, 1);
        inlay_count(self, INLAY_ADD, 1);
    }
    if (at->i <= at->j) { /* x is an element of U */
        pass(south, &x);
    } else { /* the diagonal element of its column makes x one of L */
        inlay_get(north, &u);
        pass(south, &u);
        x /= u;
        inlay_count(self, INLAY_DIVIDE, 1);
        pass(east, &x);
    }
    at->of->f[at->i * at->of->n + at->j] = x;
}

/* An element of L U. */
static double product(const problem *of, int i, int j)
{
    double sum = i <= j ? of->f[i * of->n + j] : 0; /* l_ii = 1 */
    for (int k = 0; k < i && k <= j; k++) {
        sum += of->f[i * of->n + k] * of->f[k * of->n + j];
    }
    return sum;
}

static const char *check(void *context, char *text, size_t size)
{
    const problem *of = context;
    double error = 0, largest = 0;
    for (int i = 0; i < of->n; i++) {
        for (int j = 0; j < of->n; j++) {
            error = fmax(error, fabs(product(of, i, j) - of->a[i * of->n + j]));
            largest = fmax(largest, fabs(of->a[i * of->n + j]));
        }
    }
    (void)snprintf(text, size, "L U = A to %.1e of the largest element", error / largest);
    return error <= 4 * of->n * DBL_EPSILON * largest ? NULL : "L U is not A";
}

static void add_modules(inlay_program *program, const problem *of, inlay_diag *diag)
{
    for (int m = 0; m < of->n * of->n; m++) {
        const place at = {of, m / of->n, m % of->n};
        char name[32];
        (void)snprintf(name, sizeof name, "%s%d.%d", at.i <= at.j ? "u" : "l", at.i + 1, at.j + 1);
        (void)inlay_program_module(program, name, element, &at, sizeof at, diag);
    }
}

static void add_channels(inlay_program *program, int n, inlay_diag *diag)
{
    for (int m = 0; m < n * n; m++) {
        if ((m + 1) % n != 0 && m >= n) { /* no element of L passes through the first row */
            (void)inlay_program_wire(program, m, TO_EAST, m + 1, FROM_WEST, sizeof(double), 0, diag);
        }
        if (m + n < n * n) {
            (void)inlay_program_wire(program, m, TO_SOUTH, m + n, FROM_NORTH, sizeof(double), 0, diag);
        }
    }
}

int inlay_program_main(inlay_program *program, inlay_diag *diag)
{
    double n = inlay_parameter(program, "n", 4);
    if (!(n >= 1 && n <= MOST) || n != floor(n)) {
        return inlay_program_refuse(diag, "n is %g; expected a whole number from 1 to %d", n, MOST);
    }
    problem *of = inlay_program_memory(program, sizeof *of);
    size_t elements = (size_t)(n * n);
    double *room = inlay_program_memory(program, 2 * elements * sizeof *room);
    if (of == NULL || room == NULL) {
        return INLAY_NO_MEMORY;
    }
    *of = (problem){.n = (int)n, .a = room, .f = room + elements};
    for (int i = 0; i < of->n; i++) { /* each diagonal element outweighs its row: no pivoting is needed */
        for (int j = 0; j < of->n; j++) {
            of->a[i * of->n + j] = i == j ? n : (i * 7 + j * 3) % 10 / 10.0;
        }
    }
    add_modules(program, of, diag);
    add_channels(program, of->n, diag);
    inlay_program_check(program, check, of);
    return INLAY_OK;
}

/*
 * Cholesky's factorisation A = L L^T with a module for each element of the matrix: Figure 1 of C. E. Houstis, E. N. Houstis
 * and J. R. Rice, "Performance Evaluation Modeling for Distributed Computing", 1986, in C.
 *
 *     inlay profile graphs/cholesky.c -D n=4 --cost simon -o cholesky4.dot
 *
 * Module (i, j) holds a_ij and computes l_ij where i >= j, and l_ji above the diagonal. Values stream through the grid: a
 * module passes on to the east what comes from the west, to the south what comes from the north, and its own value at
 * last. That is min(i, j) messages over each of its links.
 *
 * The paper's figure lacks a division: where K = i, l_ji = x / l_ii has to come before the PUT to the south. Here it comes
 * behind the PUT to the east, so that a row does not wait for its divisions. The published blocking times say so too: they
 * grow by 10 from module to module along the first row, and by 18 down the first column, where divisions are waited for.
 */
#include <float.h>
#include <inlay/dataflow.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 256 };          /* rows of the largest matrix */
enum { IN_EAST, IN_SOUTH };   /* inputs: of what flows to the east, and to the south */
enum { OUT_EAST, OUT_SOUTH }; /* outputs likewise */

typedef struct problem {
    int n;           /* rows */
    double *a, *l;   /* the matrix and what the modules compute, row by row */
    int begin, step; /* operations of this program's own: what begins a module, and a round of its loop */
} problem;

/* What a module knows when it begins. Rows and columns count from 1, as in the paper. */
typedef struct place {
    const problem *of;
    int i, j;
} place;

/* A test that takes time, as all that is counted. */
static int test(inlay_actor *self, int truth)
{
    inlay_count(self, INLAY_COMPARE, 1);
    return truth;
}

static void element(inlay_actor *self, void *state)
{
    const place *at = state;
    const int i = at->i, j = at->j, n = at->of->n;
    inlay_port *in_east = inlay_input(self, IN_EAST), *in_south = inlay_input(self, IN_SOUTH);
    inlay_port *out_east = inlay_output(self, OUT_EAST), *out_south = inlay_output(self, OUT_SOUTH);
    double x = at->of->a[(i - 1) * n + j - 1], y, z;
    inlay_count(self, at->of->begin, 1);
    for (int k = 1;; k++) {
        inlay_count(self, at->of->step, 1);
        if (test(self, k == i) && test(self, k == j)) {
            x = sqrt(x);
            inlay_count(self, INLAY_SQRT, 1);
            if (test(self, j != n)) inlay_put(out_east, &x);
            if (test(self, i != n)) inlay_put(out_south, &x);
            break;
        } else if (test(self, k == j)) {
            inlay_get(in_south, &y);
            x = x / y;
            inlay_count(self, INLAY_DIVIDE, 1);
            if (test(self, j != n)) inlay_put(out_east, &x);
            if (test(self, i != n)) inlay_put(out_south, &y);
            break;
        } else if (test(self, k == i)) {
            inlay_get(in_east, &y);
            if (test(self, j != n)) inlay_put(out_east, &y);
            x = x / y; /* what the figure lacks */
            inlay_count(self, INLAY_DIVIDE, 1);
            if (test(self, i != n)) inlay_put(out_south, &x);
            break;
        } else {
            inlay_get(in_south, &y);
            inlay_get(in_east, &z);
            x = x - y * z;
            inlay_count(self, INLAY_MULTIPLY, 1);
            inlay_count(self, INLAY_ADD, 1);
            if (test(self, i != n)) inlay_put(out_south, &y);
            if (test(self, j != n)) inlay_put(out_east, &z);
        }
    }
    at->of->l[(i - 1) * n + j - 1] = x;
}

/* L L^T = A to rounding, and above the diagonal stands L^T. */
static const char *check(void *context, char *text, size_t size)
{
    const problem *of = context;
    const int n = of->n;
    double error = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k <= j; k++) {
                sum += of->l[i * n + k] * of->l[j * n + k];
            }
            error = fmax(error, fabs(sum - of->a[i * n + j]));
            error = fmax(error, fabs(of->l[i * n + j] - of->l[j * n + i]));
            largest = fmax(largest, fabs(of->a[i * n + j]));
        }
    }
    (void)snprintf(text, size, "L L^T = A to %.1e of the largest element", error / largest);
    return error <= 4 * n * DBL_EPSILON * largest ? NULL : "L L^T is not A";
}

static void add_modules(inlay_program *program, const problem *of, inlay_diag *diag)
{
    for (int i = 1; i <= of->n; i++) {
        for (int j = 1; j <= of->n; j++) {
            const place at = {of, i, j};
            char name[32];
            (void)snprintf(name, sizeof name, "m%d", (i - 1) * of->n + j); /* numbered as in the paper's Figure 2 */
            (void)inlay_program_module(program, name, element, &at, sizeof at, diag);
        }
    }
}

static void add_channels(inlay_program *program, int n, inlay_diag *diag)
{
    for (int m = 0; m < n * n; m++) {
        if ((m + 1) % n != 0) {
            (void)inlay_program_wire(program, m, OUT_EAST, m + 1, IN_EAST, sizeof(double), 0, diag);
        }
        if (m + n < n * n) {
            (void)inlay_program_wire(program, m, OUT_SOUTH, m + n, IN_SOUTH, sizeof(double), 0, diag);
        }
    }
}

/* A run refuses a program whose modules or channels could not be added: nobody needs to ask here. */
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
    *of = (problem){.n = (int)n, .a = room, .l = room + elements};
    of->begin = inlay_program_operation(program, "begin");
    of->step = inlay_program_operation(program, "step");
    for (int i = 0; i < of->n; i++) { /* Hilbert's matrix, and 1 more on the diagonal: symmetric, positive definite */
        for (int j = 0; j < of->n; j++) {
            of->a[i * of->n + j] = 1.0 / (i + j + 1) + (i == j);
        }
    }
    add_modules(program, of, diag);
    add_channels(program, of->n, diag);
    inlay_program_check(program, check, of);
    return INLAY_OK;
}

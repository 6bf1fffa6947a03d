/*
 * Gauss's elimination for A x = b as a pipeline of rows, with pivoting between neighbours.
 *
 *     inlay profile graphs/gauss.c -D n=8 --cost divide=4,multiply=1,add=1,compare=1,get=1,put=1
 *
 * `rows` sends the rows of A with their right sides. Module `eliminate k` keeps one row, the one with the largest number in
 * column k of those that have come; it takes the column out of the others, which go on to the next module. So n - k rows go
 * from module k to the next, and the first of them are far down the pipeline while the last are still to come. In the end
 * each module has a row of the triangular system, from which `solve k` computes x_k once `solve k + 1` has sent what comes
 * behind it.
 *
 * Messages are large and few here: each is a whole row, or all of x.
 */
#include <float.h>
#include <inlay/dataflow.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 128 }; /* rows */

/* Ports; inputs and outputs are numbered apart. */
enum { ROWS };                               /* input and output of `rows` and `eliminate`: rows to eliminate from */
enum { KEPT = 1 };                           /* output of `eliminate`: the row that it keeps */
enum { EQUATION, KNOWN_FROM, KNOWN_TO = 0 }; /* inputs and output of `solve` */

typedef struct problem {
    int n;
    double *a; /* rows of n + 1 numbers: the last one is the right side */
    double *x;
} problem;

typedef struct stage {
    const problem *of;
    int k; /* from 0 */
} stage;

static void rows(inlay_actor *self, void *state)
{
    const problem *of = ((const stage *)state)->of;
    for (int i = 0; i < of->n; i++) {
        inlay_put(inlay_output(self, ROWS), of->a + i * (of->n + 1));
    }
}

static void swap(double *a, double *b, int count)
{
    for (int j = 0; j < count; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

/* Takes column k out of `row`. */
static void take_out(inlay_actor *self, const stage *s, const double *pivot, double *row)
{
    const int n = s->of->n;
    double factor = row[s->k] / pivot[s->k];
    inlay_count(self, INLAY_DIVIDE, 1);
    for (int j = s->k; j <= n; j++) {
        row[j] -= factor * pivot[j];
    }
    inlay_count(self, INLAY_MULTIPLY, n - s->k);
    inlay_count(self, INLAY_ADD, n - s->k);
}

static void eliminate(inlay_actor *self, void *state)
{
    const stage *s = state;
    double pivot[MOST + 1], row[MOST + 1];
    inlay_get(inlay_input(self, ROWS), pivot);
    for (int i = s->k + 1; i < s->of->n; i++) {
        inlay_get(inlay_input(self, ROWS), row);
        inlay_count(self, INLAY_COMPARE, 1);
        if (fabs(row[s->k]) > fabs(pivot[s->k])) {
            swap(row, pivot, s->of->n + 1);
        }
        take_out(self, s, pivot, row);
        inlay_put(inlay_output(self, ROWS), row);
    }
    inlay_put(inlay_output(self, KEPT), pivot);
}

static void solve(inlay_actor *self, void *state)
{
    const stage *s = state;
    const int n = s->of->n;
    double row[MOST + 1], x[MOST] = {0};
    inlay_get(inlay_input(self, EQUATION), row);
    if (s->k + 1 < n) {
        inlay_get(inlay_input(self, KNOWN_FROM), x);
    }
    double sum = row[n];
    for (int j = s->k + 1; j < n; j++) {
        sum -= row[j] * x[j];
    }
    x[s->k] = sum / row[s->k];
    inlay_count(self, INLAY_MULTIPLY, n - s->k - 1);
    inlay_count(self, INLAY_ADD, n - s->k - 1);
    inlay_count(self, INLAY_DIVIDE, 1);
    s->of->x[s->k] = x[s->k];
    if (s->k > 0) {
        inlay_put(inlay_output(self, KNOWN_TO), x);
    }
}

/* The residual, beside the largest that rounding in the data could make. */
static const char *check(void *context, char *text, size_t size)
{
    const double enough = 1e-9; /* pivoting between neighbours lets numbers grow more than partial pivoting does */
    const problem *of = context;
    double worst = 0;
    for (int i = 0; i < of->n; i++) {
        const double *row = of->a + i * (of->n + 1);
        double residual = -row[of->n], scale = fabs(row[of->n]);
        for (int j = 0; j < of->n; j++) {
            residual += row[j] * of->x[j];
            scale += fabs(row[j] * of->x[j]);
        }
        worst = fmax(worst, fabs(residual) / scale);
    }
    (void)snprintf(text, size, "A x = b to %.1e of its terms", worst);
    return worst <= enough ? NULL : "x does not solve the system";
}

static void add_stage(inlay_program *program, const problem *of, inlay_body *body, const char *word, int k,
                      inlay_diag *diag)
{
    const stage s = {of, k};
    char name[32];
    (void)snprintf(name, sizeof name, "%s%d", word, k + 1);
    (void)inlay_program_module(program, name, body, &s, sizeof s, diag);
}

/* Modules: rows, then those that eliminate, then those that solve. */
static void build(inlay_program *program, const problem *of, inlay_diag *diag)
{
    const stage first = {of, 0};
    const size_t row = (size_t)(of->n + 1) * sizeof(double), x = (size_t)of->n * sizeof(double);
    const inlay_id n = of->n;
    (void)inlay_program_module(program, "rows", rows, &first, sizeof first, diag);
    for (int k = 0; k < n; k++) {
        add_stage(program, of, eliminate, "eliminate", k, diag);
        (void)inlay_program_wire(program, k, ROWS, 1 + k, ROWS, row, 0, diag);
    }
    for (int k = 0; k < n; k++) {
        add_stage(program, of, solve, "solve", k, diag);
        (void)inlay_program_wire(program, 1 + k, KEPT, 1 + n + k, EQUATION, row, 0, diag);
    }
    for (int k = n - 1; k > 0; k--) {
        (void)inlay_program_wire(program, 1 + n + k, KNOWN_TO, n + k, KNOWN_FROM, x, 0, diag);
    }
}

/* Numbers between -1 and 1 that look random, and are the same everywhere. */
static void fill(const problem *of)
{
    uint32_t draw = 1;
    for (int i = 0; i < of->n * (of->n + 1); i++) {
        draw = draw * 1664525u + 1013904223u;
        of->a[i] = draw / 2147483648.0 - 1;
    }
}

int inlay_program_main(inlay_program *program, inlay_diag *diag)
{
    double n = inlay_parameter(program, "n", 8);
    if (!(n >= 1 && n <= MOST) || n != floor(n)) {
        return inlay_program_refuse(diag, "n is %g; expected a whole number from 1 to %d", n, MOST);
    }
    problem *of = inlay_program_memory(program, sizeof *of);
    size_t numbers = (size_t)(n * (n + 1));
    double *room = inlay_program_memory(program, (numbers + (size_t)n) * sizeof *room);
    if (of == NULL || room == NULL) {
        return INLAY_NO_MEMORY;
    }
    *of = (problem){(int)n, room, room + numbers};
    fill(of);
    build(program, of, diag);
    inlay_program_check(program, check, of);
    return INLAY_OK;
}

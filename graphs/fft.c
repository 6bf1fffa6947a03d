/*
 * The fast Fourier transform of n points, n a power of 2, a module for each butterfly.
 *
 *     inlay profile graphs/fft.c -D n=16 --cost add=1,multiply=1,function=10,get=1,put=1
 *
 * A butterfly of stage s has two points that are h = n / 2^(s+1) apart. It puts x + y in the place of x, and (x - y) w in
 * that of y, with a root w of 1 (decimation in frequency). log2(n) stages of n / 2 modules each; over every link goes one
 * complex number. No module streams: each needs both its values before it can compute. The transform comes out with its
 * points in the order of their numbers' reversed bits.
 */
#include <complex.h>
#include <float.h>
#include <inlay/dataflow.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 16384 };         /* points */
enum { UPPER, LOWER, POINTS }; /* ports: of point at, and of point at + half */

typedef struct problem {
    int n;
    double complex *in, *out;
} problem;

typedef struct butterfly {
    const problem *of;
    int at, half; /* points at and at + half */
} butterfly;

static double whole_turn(void)
{
    return 2 * acos(-1);
}

static void butterfly_body(inlay_actor *self, void *state)
{
    const butterfly *b = state;
    double angle = -whole_turn() * (b->at % b->half) / (2 * b->half);
    double complex w = cos(angle) + I * sin(angle), value[POINTS];
    inlay_count(self, INLAY_FUNCTION, 2);
    for (int p = UPPER; p < POINTS; p++) {
        value[p] = b->of->in[b->at + p * b->half]; /* in the first stage, which has no inputs */
        if (inlay_input(self, p) != NULL) {
            inlay_get(inlay_input(self, p), &value[p]);
        }
    }
    double complex difference = value[UPPER] - value[LOWER];
    value[UPPER] += value[LOWER];
    value[LOWER] = difference * w;
    inlay_count(self, INLAY_ADD, 6); /* a complex sum has 2, a product 2 and 4 multiplications */
    inlay_count(self, INLAY_MULTIPLY, 4);
    for (int p = UPPER; p < POINTS; p++) {
        if (inlay_output(self, p) != NULL) {
            inlay_put(inlay_output(self, p), &value[p]);
        } else { /* in the last stage */
            b->of->out[b->at + p * b->half] = value[p];
        }
    }
}

static int reverse_bits(int number, int n)
{
    int reversed = 0;
    for (int bit = 1; bit < n; bit *= 2) {
        reversed = 2 * reversed + ((number & bit) != 0);
    }
    return reversed;
}

/* Against the sum that defines the transform: all points of a small one, some of a large one. */
static const char *check(void *context, char *text, size_t size)
{
    enum { CHECKED = 64 };
    const problem *of = context;
    double error = 0, norm = 0;
    for (int k = 0; k<of->n; k += of->n> CHECKED ? of->n / CHECKED : 1) {
        double complex sum = 0;
        for (int j = 0; j < of->n; j++) {
            double angle = -whole_turn() * (int)((int64_t)j * k % of->n) / of->n;
            sum += of->in[j] * (cos(angle) + I * sin(angle));
        }
        error = fmax(error, cabs(sum - of->out[reverse_bits(k, of->n)]));
    }
    for (int j = 0; j < of->n; j++) {
        norm += cabs(of->in[j]);
    }
    (void)snprintf(text, size, "the direct sum to %.1e of the sum of all points", error / norm);
    return error <= 64 * DBL_EPSILON * norm ? NULL : "is not the Fourier transform";
}

/* Number of the module of a stage that has point p: points at and at + half are one module. */
static int module_of(int n, int stage, int p)
{
    int half = n >> (stage + 1);
    return stage * (n / 2) + p / (2 * half) * half + p % half;
}

static void add_stage(inlay_program *program, const problem *of, int stage, inlay_diag *diag)
{
    const int n = of->n, half = n >> (stage + 1);
    for (int m = 0; m < n / 2; m++) {
        const butterfly b = {of, m / half * 2 * half + m % half, half};
        char name[32];
        (void)snprintf(name, sizeof name, "stage%d.%d", stage + 1, m + 1);
        (void)inlay_program_module(program, name, butterfly_body, &b, sizeof b, diag);
    }
    for (int p = 0; p < n && stage > 0; p++) {
        int from = p / (2 * half) % 2 == 0 ? UPPER : LOWER; /* the stage before has points twice as far apart */
        int to = p / half % 2 == 0 ? UPPER : LOWER;
        (void)inlay_program_wire(program, module_of(n, stage - 1, p), from, module_of(n, stage, p), to,
                                 sizeof(double complex), 0, diag);
    }
}

int inlay_program_main(inlay_program *program, inlay_diag *diag)
{
    double n = inlay_parameter(program, "n", 8);
    if (!(n >= 2 && n <= MOST) || n != floor(n) || ((int)n & ((int)n - 1)) != 0) {
        return inlay_program_refuse(diag, "n is %g; expected a power of 2 from 2 to %d", n, MOST);
    }
    problem *of = inlay_program_memory(program, sizeof *of);
    double complex *room = inlay_program_memory(program, 2 * (size_t)n * sizeof *room);
    if (of == NULL || room == NULL) {
        return INLAY_NO_MEMORY;
    }
    *of = (problem){(int)n, room, room + (size_t)n};
    for (int j = 0; j < of->n; j++) {
        of->in[j] = 1.0 / (1 + j) + I * (double)(j % 3 - 1);
    }
    for (int stage = 0; of->n >> (stage + 1) > 0; stage++) {
        add_stage(program, of, stage, diag);
    }
    inlay_program_check(program, check, of);
    return INLAY_OK;
}

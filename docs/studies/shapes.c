/*
 * Programs of OpenMP tasks in shapes that schedulers find easy or hard, for docs/studies/apply.sh. Each task works for so many
 * thousand steps.
 *
 * Usage: shapes wavefront|tree|pipeline|unbalanced|butterfly|strands SIZE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

static char cell[MOST][MOST];
static volatile double sink;

static void work(int thousands)
{
    double x = 1;
    for (int i = 0; i < thousands * 1000; i++) {
        x = x * 1.0000001 + 1e-9;
    }
    sink = x;
}

/* A task behind those that wrote *a and *b, which writes *c. */
static void task(char *a, char *b, char *c, int thousands)
{
    (void)a, (void)b, (void)c;
#pragma omp task depend(in : a[0], b[0]) depend(out : c[0]) firstprivate(thousands)
    work(thousands);
}

/* Each cell behind those above it and to its left. */
static void wavefront(int size)
{
    for (int i = 1; i < size; i++) {
        for (int k = 1; k < size; k++) {
            task(&cell[i - 1][k], &cell[i][k - 1], &cell[i][k], 200);
        }
    }
}

/* Pairs are joined, and what is joined takes longer. */
static void tree(int size)
{
    for (int i = 0; i < size; i++) {
        task(&cell[1][i], &cell[1][i], &cell[0][i], 300);
    }
    for (int step = 1; step < size; step *= 2) {
        for (int i = 0; i + step < size; i += 2 * step) {
            task(&cell[0][i], &cell[0][i + step], &cell[0][i], 200 * step);
        }
    }
}

/* Items through stages of unlike lengths, one after the other in each. */
static void pipeline(int size)
{
    static const int stage[] = {100, 700, 200, 400};
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < 4; k++) {
            task(&cell[i][k], &cell[MOST - 1][k], &cell[i][k + 1], stage[k]);
            task(&cell[i][k + 1], &cell[i][k + 1], &cell[MOST - 1][k], 1);
        }
    }
}

/* Nothing depends on anything; the longest come last. */
static void unbalanced(int size)
{
    for (int i = 0; i < size; i++) {
        task(&cell[1][0], &cell[1][0], &cell[0][i], 20 + (i < size - 3 ? i % 7 * 40 : 20 * size));
    }
}

/* As a transform: each behind two of the stage before. */
static void butterfly(int size)
{
    int stage = 0;
    for (int step = 1; step < size; step *= 2, stage++) {
        for (int i = 0; i < size; i++) {
            task(&cell[stage][i], &cell[stage][i ^ step], &cell[stage + 1][i], 150);
        }
    }
}

/* Chains of unlike lengths, created one after the other, the longest last. */
static void strands(int size)
{
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < (i < size - 1 ? 4 : 3 * size); k++) {
            task(&cell[0][i], &cell[0][i], &cell[0][i], 250);
        }
    }
}

static const struct {
    const char *name;
    void (*create)(int size);
} shapes[] = {{"wavefront", wavefront},   {"tree", tree},           {"pipeline", pipeline},
              {"unbalanced", unbalanced}, {"butterfly", butterfly}, {"strands", strands}};

int main(int argc, char **argv)
{
    int size = argc > 2 ? atoi(argv[2]) : 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (argc > 2 && strcmp(argv[1], shapes[i].name) == 0 && size > 0 && size < MOST) {
#pragma omp parallel
#pragma omp single
            shapes[i].create(size);
            return 0;
        }
    }
    fprintf(stderr, "shapes: expected a shape and a size below %d\n", MOST);
    return 2;
}

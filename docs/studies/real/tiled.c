/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Factorisations of a matrix in square tiles, column by column: Cholesky (lower), and LU of a matrix whose diagonal is so
 * large that no rows change places. The kernels are those of BLAS and LAPACK.
 */
#include "real.h"
#include <stdlib.h>

void dpotrf_(const char *, const int *, double *, const int *, int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *, const double *,
            const double *, const int *, double *, const int *);
void dsyrk_(const char *, const char *, const int *, const int *, const double *, const double *, const int *,
            const double *, double *, const int *);
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *);

static const double one = 1, minus = -1;

/* Tile (i, j) of a symmetric matrix that is larger in the diagonal than in all the rest of a row. */
static void fill_tile(const struct program *p, const struct task *t, double *out)
{
    int b = p->size[1], i = t->at[1], j = t->at[2];
    uint64_t n = (uint64_t)p->size[0] * (uint64_t)b;
    for (int c = 0; c < b; c++) {
        for (int r = 0; r < b; r++) {
            uint64_t row = (uint64_t)(i * b + r), column = (uint64_t)(j * b + c);
            uint64_t low = row < column ? row : column, high = row < column ? column : row;
            out[c * b + r] = row == column ? 2 * (double)n : number_at(high * n + low);
        }
    }
}

static void potrf(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    int info;
    (void)t;
    (void)in;
    dpotrf_("L", &p->size[1], out[0], &p->size[1], &info);
}

static void trsm_right(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    const int *b = &p->size[1];
    (void)t;
    dtrsm_("R", "L", "T", "N", b, b, &one, in[0], b, out[0], b);
}

static void syrk(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    const int *b = &p->size[1];
    (void)t;
    dsyrk_("L", "N", b, b, &minus, in[0], b, &one, out[0], b);
}

static void gemm_symmetric(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    const int *b = &p->size[1];
    (void)t;
    dgemm_("N", "T", b, b, b, &minus, in[0], b, in[1], b, &one, out[0], b);
}

/* The task's own tile: what the last one to write it left, or what is there from the beginning. */
static void take_tile(struct program *p, int task, int *last)
{
    if (*last < 0) {
        p->task[task].begins = true;
    } else {
        add_update(p, task, *last, 0);
    }
    add_output(p, task, (size_t)p->size[1] * (size_t)p->size[1] * sizeof(double));
    *last = task;
}

static int *no_tiles(int n)
{
    int *last = malloc((size_t)(n * n) * sizeof *last);
    for (int i = 0; last != NULL && i < n * n; i++) {
        last[i] = -1;
    }
    return last;
}

void make_cholesky(struct program *p)
{
    static const struct kind kinds[] = {
        {"potrf", potrf}, {"trsm", trsm_right}, {"syrk", syrk}, {"gemm", gemm_symmetric}};
    p->kinds = kinds;
    p->kind_count = 4;
    p->fill = fill_tile;
    int n = p->size[0], *last = no_tiles(n);
    if (last == NULL) {
        exit(3);
    }
    for (int k = 0; k < n; k++) {
        take_tile(p, add_task(p, 0, k, k, k), &last[k * n + k]);
        for (int i = k + 1; i < n; i++) {
            int task = add_task(p, 1, k, i, k);
            add_input(p, task, last[k * n + k], 0);
            take_tile(p, task, &last[i * n + k]);
        }
        for (int j = k + 1; j < n; j++) {
            int task = add_task(p, 2, k, j, j);
            add_input(p, task, last[j * n + k], 0);
            take_tile(p, task, &last[j * n + j]);
            for (int i = j + 1; i < n; i++) {
                task = add_task(p, 3, k, i, j);
                add_input(p, task, last[i * n + k], 0);
                add_input(p, task, last[j * n + k], 0);
                take_tile(p, task, &last[i * n + j]);
            }
        }
    }
    free(last);
}

static void getrf(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    const int *b = &p->size[1];
    int info, pivots[1024];
    (void)t;
    (void)in;
    dgetrf_(b, b, out[0], b, pivots, &info);
}

static void trsm_row(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    const int *b = &p->size[1];
    (void)t;
    dtrsm_("L", "L", "N", "U", b, b, &one, in[0], b, out[0], b);
}

static void trsm_column(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    const int *b = &p->size[1];
    (void)t;
    dtrsm_("R", "U", "N", "N", b, b, &one, in[0], b, out[0], b);
}

static void gemm(const struct program *p, const struct task *t, double *const *in, double *const *out)
{
    const int *b = &p->size[1];
    (void)t;
    dgemm_("N", "N", b, b, b, &minus, in[0], b, in[1], b, &one, out[0], b);
}

void make_lu(struct program *p)
{
    static const struct kind kinds[] = {{"getrf", getrf}, {"row", trsm_row}, {"column", trsm_column}, {"gemm", gemm}};
    p->kinds = kinds;
    p->kind_count = 4;
    p->fill = fill_tile;
    int n = p->size[0], *last = no_tiles(n);
    if (last == NULL || p->size[1] > 1024) {
        exit(3);
    }
    for (int k = 0; k < n; k++) {
        take_tile(p, add_task(p, 0, k, k, k), &last[k * n + k]);
        for (int i = k + 1; i < n; i++) {
            for (int side = 1; side <= 2; side++) {
                int *tile = side == 1 ? &last[k * n + i] : &last[i * n + k];
                int task = side == 1 ? add_task(p, 1, k, k, i) : add_task(p, 2, k, i, k);
                add_input(p, task, last[k * n + k], 0);
                take_tile(p, task, tile);
            }
        }
        for (int j = k + 1; j < n; j++) {
            for (int i = k + 1; i < n; i++) {
                int task = add_task(p, 3, k, i, j);
                add_input(p, task, last[i * n + k], 0);
                add_input(p, task, last[k * n + j], 0);
                take_tile(p, task, &last[i * n + j]);
            }
        }
    }
    free(last);
}

/*
 * Conjugate gradients with the diagonal as preconditioner, around the sparse matrix-vector product of the paper's Figure 1,
 * as a serial program. Row j holds the columns beyond j of a symmetric matrix: -1 for an edge of the mesh.
 *
 *     cc -std=c17 -O2 cg.c -lm -o cg && ./cg triangles 60
 *     inlay maploop cg.c -o cg-mpi.c
 *     mpicc -std=c17 -O2 cg-mpi.c $(pkg-config --cflags --libs inlay-irregular) -lm -o cg-mpi
 *     mpirun -n 4 ./cg-mpi triangles 60
 */
#include "mesh.h"
#include <math.h>

int main(int words, char **word)
{
    mesh made;
    if (!mesh_open(words, word, &made) || !mesh_rows(&made)) {
        fprintf(stderr, "usage: cg triangles SIDE [STEPS] | random VERTICES [STEPS] | file PATH [STEPS]\n");
        return 2;
    }
    const int steps = words > 3 ? atoi(word[3]) : 20;
    const int64_t nrows = made.vertices;

    /* The matrix. */
    int64_t *ptr = malloc((size_t)(nrows + 1) * sizeof *ptr);
    ptr[0] = 0;
    for (int64_t j = 0; j < nrows; j++) {
        ptr[j + 1] = ptr[j] + (made.start[j + 1] - made.start[j]);
    }
    const int64_t entries = ptr[nrows];
    int64_t *cols = malloc((size_t)entries * sizeof *cols);
    double *vals = malloc((size_t)entries * sizeof *vals), *diags = malloc((size_t)nrows * sizeof *diags);
    for (int64_t j = 0; j < nrows; j++) {
        diags[j] = (double)made.degree[j] + 0.1 + 0.1 * cos((double)j);
        for (int64_t k = ptr[j]; k < ptr[j + 1]; k++) {
            cols[k] = made.column[made.start[j] + (k - ptr[j])];
            vals[k] = -1;
        }
    }

    /* x = 0, and the right side is what makes d the solution. */
    double *x = calloc((size_t)nrows, sizeof *x), *r = calloc((size_t)nrows, sizeof *r);
    double *z = calloc((size_t)nrows, sizeof *z), *p = calloc((size_t)nrows, sizeof *p);
    double *kp = calloc((size_t)nrows, sizeof *kp);
    double rz = 0;
    for (int64_t j = 0; j < nrows; j++) {
        r[j] = sin((double)j);
        z[j] = r[j] / diags[j];
        p[j] = z[j];
        rz += r[j] * z[j];
    }
    for (int step = 0; step < steps && rz > 0; step++) {
        double pkp = 0, next = 0;
        for (int64_t j = 0; j < nrows; j++) {
            kp[j] = 0;
        }
        /* Figure 1 */
#pragma inlay maploop(kp, p)
#pragma inlay compute on maxowner(kp[j])
        for (int64_t j = 0; j < nrows; j++) {
            kp[j] = kp[j] + diags[j] * p[j];
            for (int64_t k = ptr[j]; k < ptr[j + 1]; k++) {
                kp[j] = kp[j] + p[cols[k]] * vals[k];
                kp[cols[k]] = kp[cols[k]] + p[j] * vals[k];
            }
        }
        for (int64_t j = 0; j < nrows; j++) {
            pkp += p[j] * kp[j];
        }
        const double alpha = rz / pkp;
        for (int64_t j = 0; j < nrows; j++) {
            x[j] += alpha * p[j];
            r[j] -= alpha * kp[j];
            z[j] = r[j] / diags[j];
            next += r[j] * z[j];
        }
        const double beta = next / rz;
        for (int64_t j = 0; j < nrows; j++) {
            p[j] = z[j] + beta * p[j];
        }
        rz = next;
    }
    double residual = 0, weighted = 0;
    for (int64_t j = 0; j < nrows; j++) {
        residual += r[j] * r[j];
        weighted += x[j] * cos((double)j);
    }
    printf("%lld rows, %lld entries, %d steps: residual %.8e, weighted %.8e\n", (long long)nrows, (long long)entries,
           steps, sqrt(residual), weighted);
    free(ptr);
    free(cols);
    free(vals);
    free(diags);
    free(x);
    free(r);
    free(z);
    free(p);
    free(kp);
    mesh_close(&made);
    return 0;
}

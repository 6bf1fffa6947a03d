/* Knyazev's method for the Fiedler vector. */
#include "irregular/partition/spectral_fiedler.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Three vectors span the space that each step searches: x, its preconditioned residual w, and the last step p. */
enum { X, W, P, VECTORS };

typedef struct lobpcg {
    const spectral_level *level;
    double *v[VECTORS];  /* x and w with ghosts */
    double *lv[VECTORS]; /* [rows]: their images under L */
    double all;          /* mass of all ranks */
} lobpcg;

void spectral_fiedler_draw(const spectral_level *level, uint64_t seed, double *x)
{
    for (int32_t i = 0; i < level->rows; i++) {
        x[i] = (double)(spectral_mix(seed ^ spectral_mix((uint64_t)level->number[i])) >> 11) * 0x1p-53 - 0.5;
    }
}

static void multiply(const spectral_level *g, const double *x, double *lx)
{
    for (int32_t i = 0; i < g->rows; i++) {
        double sum = g->degree[i] * x[i];
        for (int64_t a = g->start[i]; a < g->start[i + 1]; a++) {
            sum -= (double)g->weight[a] * x[g->column[a]];
        }
        lx[i] = sum;
    }
}

static void sum_up(const spectral_level *g, double *value, int count)
{
    if (g->ranks > 1) {
        MPI_Allreduce(MPI_IN_PLACE, value, count, MPI_DOUBLE, MPI_SUM, g->comm);
    }
}

/* Makes x orthogonal to the constant vector and of norm 1; false where nothing is left of it. */
static bool normalise(const lobpcg *s, double *x)
{
    const spectral_level *g = s->level;
    double mean = 0, norm = 0;
    for (int32_t i = 0; i < g->rows; i++) {
        mean += (double)g->mass[i] * x[i];
    }
    sum_up(g, &mean, 1);
    mean /= s->all;
    for (int32_t i = 0; i < g->rows; i++) {
        x[i] -= mean;
        norm += (double)g->mass[i] * x[i] * x[i];
    }
    sum_up(g, &norm, 1);
    if (!(norm > 0)) {
        return false;
    }
    norm = 1 / sqrt(norm);
    for (int32_t i = 0; i < g->rows; i++) {
        x[i] *= norm;
    }
    return true;
}

/* w = T (L x - lambda M x), T = 1 / degree; the norm of the residual, in terms of T, comes back. */
static double residual(const lobpcg *s, double lambda)
{
    const spectral_level *g = s->level;
    double sum[2] = {0, 0}; /* r T r, and the mean of w */
    for (int32_t i = 0; i < g->rows; i++) {
        double r = s->lv[X][i] - lambda * (double)g->mass[i] * s->v[X][i];
        double w = r / (g->degree[i] > 0 ? g->degree[i] : (double)g->mass[i]);
        sum[0] += r * w;
        sum[1] += (double)g->mass[i] * w;
        s->v[W][i] = w;
    }
    sum_up(g, sum, 2);
    sum[1] /= s->all;
    for (int32_t i = 0; i < g->rows; i++) {
        s->v[W][i] -= sum[1];
    }
    return sqrt(sum[0]);
}

/* gram[a][b] = v_a M v_b and form[a][b] = v_a L v_b. */
static void products(const lobpcg *s, double gram[VECTORS][VECTORS], double form[VECTORS][VECTORS])
{
    const spectral_level *g = s->level;
    double sum[2 * VECTORS * VECTORS] = {0};
    for (int32_t i = 0; i < g->rows; i++) {
        double m = (double)g->mass[i];
        for (int a = 0, k = 0; a < VECTORS; a++) {
            double va = s->v[a][i];
            for (int b = 0; b <= a; b++, k += 2) {
                sum[k] += m * va * s->v[b][i];
                sum[k + 1] += va * s->lv[b][i];
            }
        }
    }
    sum_up(g, sum, VECTORS * (VECTORS + 1));
    for (int a = 0, k = 0; a < VECTORS; a++) {
        for (int b = 0; b <= a; b++, k += 2) {
            gram[a][b] = gram[b][a] = sum[k];
            form[a][b] = form[b][a] = sum[k + 1];
        }
    }
}

/* Columns of basis[][] are the vectors, in terms of v, orthonormal by the Gram matrix; those that depend on the ones
   before them are left out. How many there are. */
static int orthonormal(double gram[VECTORS][VECTORS], double basis[VECTORS][VECTORS])
{
    int n = 0;
    for (int a = 0; a < VECTORS; a++) {
        double c[VECTORS] = {0};
        c[a] = 1;
        for (int twice = 0; twice < 2; twice++) {
            for (int k = 0; k < n; k++) {
                double dot = 0;
                for (int i = 0; i < VECTORS; i++) {
                    for (int j = 0; j < VECTORS; j++) {
                        dot += basis[i][k] * gram[i][j] * c[j];
                    }
                }
                for (int i = 0; i < VECTORS; i++) {
                    c[i] -= dot * basis[i][k];
                }
            }
        }
        double norm = 0;
        for (int i = 0; i < VECTORS; i++) {
            for (int j = 0; j < VECTORS; j++) {
                norm += c[i] * gram[i][j] * c[j];
            }
        }
        if (norm > 1e-10 * gram[a][a]) {
            for (int i = 0; i < VECTORS; i++) {
                basis[i][n] = c[i] / sqrt(norm);
            }
            n++;
        }
    }
    return n;
}

/* Jacobi's rotations: the eigenvector of the least eigenvalue of a symmetric matrix of n <= VECTORS rows. */
static double least_eigenvector(double a[VECTORS][VECTORS], int n, double vector[VECTORS])
{
    double v[VECTORS][VECTORS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int round = 0; round < 12; round++) {
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                double angle = 0.5 * atan2(2 * a[p][q], a[q][q] - a[p][p]), c = cos(angle), s = sin(angle);
                for (int k = 0; k < n; k++) {
                    double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < n; k++) {
                    double pk = a[p][k], qk = a[q][k], kp = v[k][p], kq = v[k][q];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                    v[k][p] = c * kp - s * kq;
                    v[k][q] = s * kp + c * kq;
                }
            }
        }
    }
    int least = 0;
    for (int k = 1; k < n; k++) {
        least = a[k][k] < a[least][least] ? k : least;
    }
    for (int k = 0; k < n; k++) {
        vector[k] = v[k][least];
    }
    return a[least][least];
}

/* The combination of x, w and p with the least Rayleigh quotient, which comes back. */
static double combination(const lobpcg *s, double factor[VECTORS])
{
    double gram[VECTORS][VECTORS], form[VECTORS][VECTORS], basis[VECTORS][VECTORS] = {{0}};
    double reduced[VECTORS][VECTORS] = {{0}}, vector[VECTORS];
    products(s, gram, form);
    int n = orthonormal(gram, basis);
    for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) {
            for (int i = 0; i < VECTORS; i++) {
                for (int j = 0; j < VECTORS; j++) {
                    reduced[k][l] += basis[i][k] * form[i][j] * basis[j][l];
                }
            }
        }
    }
    double lambda = least_eigenvector(reduced, n, vector);
    for (int i = 0; i < VECTORS; i++) {
        factor[i] = 0;
        for (int k = 0; k < n; k++) {
            factor[i] += basis[i][k] * vector[k];
        }
    }
    return lambda;
}

static void step(const lobpcg *s, const double factor[VECTORS])
{
    for (int32_t i = 0; i < s->level->rows; i++) {
        for (int image = 0; image < 2; image++) {
            double *const *v = image ? s->lv : s->v;
            v[P][i] = factor[W] * v[W][i] + factor[P] * v[P][i];
            v[X][i] = factor[X] * v[X][i] + v[P][i];
        }
    }
}

/* L x, and the Rayleigh quotient. */
static double quotient(const lobpcg *s)
{
    const spectral_level *g = s->level;
    double sum = 0;
    spectral_share(g, s->v[X], sizeof(double));
    multiply(g, s->v[X], s->lv[X]);
    for (int32_t i = 0; i < g->rows; i++) {
        sum += s->v[X][i] * s->lv[X][i];
    }
    sum_up(g, &sum, 1);
    return sum;
}

/* lambda of the last step. */
static double iterate(const lobpcg *s, int steps, double tolerance)
{
    const spectral_level *g = s->level;
    size_t rows = (size_t)g->rows;
    memset(s->v[P], 0, rows * sizeof(double));
    memset(s->lv[P], 0, rows * sizeof(double));
    double lambda = quotient(s);
    for (int i = 0; i < steps && lambda > 0; i++) {
        /* with T = 1 / degree the residual is about lambda for a wrong eigenvector, and sqrt(lambda) at worst */
        if (residual(s, lambda) <= tolerance * lambda) {
            break;
        }
        double factor[VECTORS];
        spectral_share(g, s->v[W], sizeof(double));
        multiply(g, s->v[W], s->lv[W]);
        lambda = combination(s, factor);
        if (g->ranks > 1) { /* where processors round in unlike ways, one decides */
            double decided[VECTORS + 1] = {factor[X], factor[W], factor[P], lambda};
            MPI_Bcast(decided, VECTORS + 1, MPI_DOUBLE, 0, g->comm);
            memcpy(factor, decided, sizeof factor);
            lambda = decided[VECTORS];
        }
        step(s, factor);
    }
    return lambda;
}

int spectral_fiedler_refine(const spectral_level *level, int steps, double tolerance, double *x, double *lambda,
                            inlay_diag *diag)
{
    size_t rows = (size_t)level->rows;
    lobpcg s = {.level = level, .all = 0};
    s.v[X] = x;
    s.v[W] = memory_array(rows + (size_t)level->ghosts, sizeof(double));
    s.v[P] = memory_array(rows, sizeof(double));
    bool room = s.v[W] != NULL && s.v[P] != NULL;
    for (int k = 0; k < VECTORS; k++) {
        s.lv[k] = memory_array(rows, sizeof(double));
        room = room && s.lv[k] != NULL;
    }
    int status = collective_agree(level->comm, room ? INLAY_OK : diag_no_memory(diag), diag);
    if (status == INLAY_OK) {
        for (int32_t i = 0; i < level->rows; i++) {
            s.all += (double)level->mass[i];
        }
        sum_up(level, &s.all, 1);
        double found = normalise(&s, x) ? iterate(&s, steps, tolerance) : 0;
        spectral_share(level, x, sizeof *x);
        if (lambda != NULL) {
            *lambda = found;
        }
    }
    free(s.v[W]);
    free(s.v[P]);
    for (int k = 0; k < VECTORS; k++) {
        free(s.lv[k]);
    }
    return status;
}

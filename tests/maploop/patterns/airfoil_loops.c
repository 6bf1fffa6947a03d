/* The four loops of an airfoil code: save, time steps of cells, residuals of edges and boundary edges, update with rms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double gam = 1.4, gm1 = 0.4, cfl = 0.9, eps = 0.05, qinf[4];

static void adt_calc(const double *x1, const double *x2, const double *x3, const double *x4, const double *q, double *adt)
{
    const double ri = 1.0 / q[0], u = ri * q[1], v = ri * q[2];
    const double c = sqrt(gam * gm1 * (ri * q[3] - 0.5 * (u * u + v * v)));
    double dx = x2[0] - x1[0], dy = x2[1] - x1[1];
    *adt = fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
    dx = x3[0] - x2[0]; dy = x3[1] - x2[1];
    *adt += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
    dx = x4[0] - x3[0]; dy = x4[1] - x3[1];
    *adt += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
    dx = x1[0] - x4[0]; dy = x1[1] - x4[1];
    *adt += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
    *adt = (*adt) / cfl;
}

static void res_calc(const double *x1, const double *x2, const double *q1, const double *q2, const double *adt1,
                     const double *adt2, double *res1, double *res2)
{
    const double dx = x1[0] - x2[0], dy = x1[1] - x2[1], mu = 0.5 * ((*adt1) + (*adt2)) * eps;
    double ri = 1.0 / q1[0], f;
    const double p1 = gm1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2])), vol1 = ri * (q1[1] * dy - q1[2] * dx);
    ri = 1.0 / q2[0];
    const double p2 = gm1 * (q2[3] - 0.5 * ri * (q2[1] * q2[1] + q2[2] * q2[2])), vol2 = ri * (q2[1] * dy - q2[2] * dx);
    f = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
    res1[0] += f; res2[0] -= f;
    f = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
    res1[1] += f; res2[1] -= f;
    f = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
    res1[2] += f; res2[2] -= f;
    f = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
    res1[3] += f; res2[3] -= f;
}

static void bres_calc(const double *x1, const double *x2, const double *q1, const double *adt1, double *res1, const int *bound)
{
    const double dx = x1[0] - x2[0], dy = x1[1] - x2[1], ri = 1.0 / q1[0];
    const double p1 = gm1 * (q1[3] - 0.5 * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
    if (*bound == 1) {
        res1[1] += +p1 * dy;
        res1[2] += -p1 * dx;
    } else {
        const double vol1 = ri * (q1[1] * dy - q1[2] * dx), mu = (*adt1) * eps;
        for (int k = 0; k < 4; k++) res1[k] += 0.5 * vol1 * (q1[k] + qinf[k]) + mu * (q1[k] - qinf[k]);
    }
}

int main(void)
{
    const int nx = 18, ny = 12, nnode = (nx + 1) * (ny + 1), ncell = nx * ny;
    int nedge = 0, nbedge = 0;
    int *cell = malloc(4 * ncell * sizeof(int)), *edge = malloc(4 * ncell * sizeof(int)), *ecell = malloc(4 * ncell * sizeof(int));
    int *bedge = malloc(4 * (nx + ny) * sizeof(int)), *becell = malloc(2 * (nx + ny) * sizeof(int)), *bound = malloc(2 * (nx + ny) * sizeof(int));
    double *x = malloc(2 * nnode * sizeof(double)), *q = malloc(4 * ncell * sizeof(double)), *qold = malloc(4 * ncell * sizeof(double));
    double *res = calloc(4 * ncell, sizeof(double)), *adt = malloc(ncell * sizeof(double));
#define NODE(i, j) ((i) * (ny + 1) + (j))
#define CELL(i, j) ((i) * ny + (j))
    for (int i = 0; i <= nx; i++)
        for (int j = 0; j <= ny; j++) {
            x[2 * NODE(i, j)] = i + 0.1 * sin(j);
            x[2 * NODE(i, j) + 1] = j + 0.1 * cos(2 * i);
        }
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) {
            int *c = cell + 4 * CELL(i, j);
            c[0] = NODE(i, j); c[1] = NODE(i + 1, j); c[2] = NODE(i + 1, j + 1); c[3] = NODE(i, j + 1);
            if (i + 1 < nx) {
                edge[2 * nedge] = NODE(i + 1, j + 1); edge[2 * nedge + 1] = NODE(i + 1, j);
                ecell[2 * nedge] = CELL(i, j); ecell[2 * nedge + 1] = CELL(i + 1, j); nedge++;
            }
            if (j + 1 < ny) {
                edge[2 * nedge] = NODE(i, j + 1); edge[2 * nedge + 1] = NODE(i + 1, j + 1);
                ecell[2 * nedge] = CELL(i, j); ecell[2 * nedge + 1] = CELL(i, j + 1); nedge++;
            }
            if (i == 0 || j == 0) {
                bedge[2 * nbedge] = j == 0 ? NODE(i + 1, 0) : NODE(0, j); bedge[2 * nbedge + 1] = j == 0 ? NODE(i, 0) : NODE(0, j + 1);
                becell[nbedge] = CELL(i, j);
                bound[nbedge++] = j == 0 ? 1 : 2;
            }
        }
    qinf[0] = 1.0; qinf[1] = 0.4; qinf[2] = 0.02; qinf[3] = 2.6;
    for (int c = 0; c < ncell; c++)
        for (int k = 0; k < 4; k++) q[4 * c + k] = qinf[k] * (1 + 0.01 * (c % 5 == k));
    double rms = 0;
    for (int iter = 1; iter <= 8; iter++) {
#pragma inlay maploop
        for (int c = 0; c < ncell; c++)
            for (int k = 0; k < 4; k++) qold[4 * c + k] = q[4 * c + k];
        for (int k = 0; k < 2; k++) {
#pragma inlay maploop
            for (int c = 0; c < ncell; c++)
                adt_calc(&x[2 * cell[4 * c]], &x[2 * cell[4 * c + 1]], &x[2 * cell[4 * c + 2]], &x[2 * cell[4 * c + 3]], &q[4 * c], &adt[c]);
#pragma inlay maploop
            for (int e = 0; e < nedge; e++)
                res_calc(&x[2 * edge[2 * e]], &x[2 * edge[2 * e + 1]], &q[4 * ecell[2 * e]], &q[4 * ecell[2 * e + 1]],
                         &adt[ecell[2 * e]], &adt[ecell[2 * e + 1]], &res[4 * ecell[2 * e]], &res[4 * ecell[2 * e + 1]]);
#pragma inlay maploop
            for (int e = 0; e < nbedge; e++)
                bres_calc(&x[2 * bedge[2 * e]], &x[2 * bedge[2 * e + 1]], &q[4 * becell[e]], &adt[becell[e]], &res[4 * becell[e]], &bound[e]);
            rms = 0;
#pragma inlay maploop
            for (int c = 0; c < ncell; c++) {
                const double adti = 0.01 / adt[c];
                for (int n = 0; n < 4; n++) {
                    const double del = adti * res[4 * c + n];
                    q[4 * c + n] = qold[4 * c + n] - del;
                    res[4 * c + n] = 0.0;
                    rms += del * del;
                }
            }
        }
        if (iter % 4 == 0) printf(" %d  %.10e\n", iter, sqrt(rms / ncell));
    }
    double sum = 0;
    for (int c = 0; c < ncell; c++) sum += q[4 * c] + q[4 * c + 3];
    printf("%.10e\n", sum);
    free(cell); free(edge); free(ecell); free(bedge); free(becell); free(bound);
    free(x); free(q); free(qold); free(res); free(adt);
    return 0;
}

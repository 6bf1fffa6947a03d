/* Lennard-Jones atoms with half neighbour lists that are rebuilt every ten steps; Newton's third law. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAXNEIGHS 100
static int natoms, *numneigh, *neighbors;
static double (*x)[3], (*v)[3], (*f)[3], cutoff = 2.5, skin = 0.3;

static void build_lists(void)
{
    const double cut = (cutoff + skin) * (cutoff + skin);
#pragma inlay maploop
    for (int i = 0; i < natoms; i++) {
        int n = 0;
        for (int j = i + 1; j < natoms; j++) {
            const double dx = x[i][0] - x[j][0], dy = x[i][1] - x[j][1], dz = x[i][2] - x[j][2];
            if (dx * dx + dy * dy + dz * dz <= cut) neighbors[i * MAXNEIGHS + n++] = j;
        }
        numneigh[i] = n;
    }
}

static double compute(void)
{
    const double cut = cutoff * cutoff;
    double eng = 0;
    for (int i = 0; i < natoms; i++) f[i][0] = f[i][1] = f[i][2] = 0.0;
#pragma inlay maploop
    for (int i = 0; i < natoms; i++) {
        const int *neighs = &neighbors[i * MAXNEIGHS];
        const double xtmp = x[i][0], ytmp = x[i][1], ztmp = x[i][2];
        for (int k = 0; k < numneigh[i]; k++) {
            const int j = neighs[k];
            const double delx = xtmp - x[j][0], dely = ytmp - x[j][1], delz = ztmp - x[j][2];
            const double rsq = delx * delx + dely * dely + delz * delz;
            if (rsq < cut) {
                const double sr2 = 1.0 / rsq, sr6 = sr2 * sr2 * sr2, force = 48.0 * sr6 * (sr6 - 0.5) * sr2;
                f[i][0] += delx * force;
                f[i][1] += dely * force;
                f[i][2] += delz * force;
                f[j][0] -= delx * force;
                f[j][1] -= dely * force;
                f[j][2] -= delz * force;
                eng += 4.0 * sr6 * (sr6 - 1.0);
            }
        }
    }
    return eng;
}

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 5;
    natoms = side * side * side;
    x = malloc(natoms * sizeof *x);
    v = calloc(natoms, sizeof *v);
    f = malloc(natoms * sizeof *f);
    numneigh = malloc(natoms * sizeof *numneigh);
    neighbors = malloc(natoms * MAXNEIGHS * sizeof *neighbors);
    for (int i = 0; i < natoms; i++) {
        x[i][0] = 1.2 * (i / side / side) + 0.01 * sin(i);
        x[i][1] = 1.2 * (i / side % side) + 0.01 * sin(3 * i);
        x[i][2] = 1.2 * (i % side) + 0.01 * cos(i);
    }
    double energy = 0;
    for (int step = 0; step < 20; step++) {
        if (step % 10 == 0) build_lists();
        energy = compute();
#pragma inlay maploop
        for (int i = 0; i < natoms; i++)
            for (int d = 0; d < 3; d++) {
                v[i][d] += 0.002 * f[i][d];
                x[i][d] += 0.002 * v[i][d];
            }
    }
    double kinetic = 0;
    for (int i = 0; i < natoms; i++) kinetic += 0.5 * (v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
    printf("%d atoms: potential %.8e kinetic %.8e\n", natoms, energy, kinetic);
    free(x); free(v); free(f); free(numneigh); free(neighbors);
    return 0;
}

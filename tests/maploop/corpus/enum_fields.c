/* Conserved quantities by names of an enum, q[cell][NVAR]. */
#include <math.h>
#include <stdio.h>

enum { RHO, RHOU, RHOV, ENERGY, NVAR };
enum { NCELL = 256, NFACE = 512 };

static double q[NCELL][NVAR], res[NCELL][NVAR];
static int left[NFACE], right[NFACE];

static void init(void)
{
    for (int c = 0; c < NCELL; c++) {
        q[c][RHO] = 1.0 + 0.2 * sin(c);
        q[c][RHOU] = 0.3 * cos(c);
        q[c][RHOV] = 0.1 * sin(2 * c);
        q[c][ENERGY] = 2.5;
    }
    for (int f = 0; f < NFACE; f++) {
        left[f] = f % NCELL;
        right[f] = f < NCELL ? (f + 1) % NCELL : (f + 16) % NCELL;
    }
}

static void residual(double speed)
{
#pragma inlay maploop
    for (int f = 0; f < NFACE; f++) {
        int l = left[f], r = right[f];
        double ul = q[l][RHOU] / q[l][RHO], ur = q[r][RHOU] / q[r][RHO];
        double un = 0.5 * (ul + ur);
        for (int v = RHO; v < NVAR; v++) {
            double flux = 0.5 * un * (q[l][v] + q[r][v]) - 0.5 * speed * (q[r][v] - q[l][v]);
            res[l][v] -= flux;
            res[r][v] += flux;
        }
    }
}

int main(void)
{
    init();
    for (int it = 0; it < 4; it++) {
        residual(0.5);
        for (int c = 0; c < NCELL; c++)
            for (int v = 0; v < NVAR; v++) {
                q[c][v] += 0.05 * res[c][v];
                res[c][v] = 0;
            }
    }
    double mass = 0, energy = 0, square = 0;
    for (int c = 0; c < NCELL; c++) {
        mass += q[c][RHO];
        energy += q[c][ENERGY];
        square += q[c][RHOU] * q[c][RHOU];
    }
    printf("mass %.10e\nenergy %.10e\nsquare %.10e\n", mass, energy, square);
    return 0;
}

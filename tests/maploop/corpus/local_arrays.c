/* Local arrays: an element's matrix is made and scattered in an iteration. */
#include <stdio.h>
#include <string.h>

#define NE 200
#define NN (NE + 2)

static int conn[NE][3];
static double u[NN], f[NN];

int main(void)
{
    for (int e = 0; e < NE; e++) {
        conn[e][0] = e;
        conn[e][1] = e + 1;
        conn[e][2] = (e * 3) % NN;
    }
    for (int i = 0; i < NN; i++) u[i] = 0.1 * (i % 9);

#pragma inlay maploop
    for (int e = 0; e < NE; e++) {
        double k[3][3], ue[3], fe[3];
        memset(fe, 0, sizeof fe);
        for (int a = 0; a < 3; a++) {
            ue[a] = u[conn[e][a]];
            for (int b = 0; b < 3; b++) k[a][b] = a == b ? 2.0 : -1.0 / (1 + a + b);
        }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) fe[a] += k[a][b] * ue[b];
        for (int a = 0; a < 3; a++) f[conn[e][a]] += fe[a];
    }
    double s = 0;
    for (int i = 0; i < NN; i++) s += f[i] * f[i];
    printf("%.10e %.10e\n", s, f[4]);
    return 0;
}

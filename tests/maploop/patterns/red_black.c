/* Red-black Gauss-Seidel: one marked loop for each colour. */
#include <stdio.h>
#include <stdlib.h>

#define AT(i, j) ((i) * (ny + 2) + (j))

static double half_sweep(double *u, const double *f, int nx, int ny, int colour)
{
    double change = 0;
#pragma inlay maploop
    for (int i = 1; i <= nx; i++) {
        for (int j = 1 + (i + colour) % 2; j <= ny; j += 2) {
            const double new = 0.25 * (u[AT(i - 1, j)] + u[AT(i + 1, j)] + u[AT(i, j - 1)] + u[AT(i, j + 1)] + f[AT(i, j)]);
            const double d = new - u[AT(i, j)];
            change += d * d;
            u[AT(i, j)] = new;
        }
    }
    return change;
}

int main(void)
{
    const int nx = 30, ny = 22;
    double *u = calloc((nx + 2) * (ny + 2), sizeof *u), *f = calloc((nx + 2) * (ny + 2), sizeof *f);
    for (int i = 1; i <= nx; i++)
        for (int j = 1; j <= ny; j++) f[AT(i, j)] = (i * j) % 5 - 1.5;
    double change = 0;
    for (int sweep = 0; sweep < 25; sweep++) {
        change = half_sweep(u, f, nx, ny, 0);
        change += half_sweep(u, f, nx, ny, 1);
    }
    double sum = 0;
    for (int i = 1; i <= nx; i++)
        for (int j = 1; j <= ny; j++) sum += u[AT(i, j)];
    printf("change %.10e sum %.10e middle %.10e\n", change, sum, u[AT(nx / 2, ny / 2)]);
    free(u);
    free(f);
    return 0;
}

/* Atoms in cells: sorted into them by counting, forces from the 9 cells around. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NC 8
#define NA 300
#define L ((double)NC)

struct atom { double r[2], v[2], f[2], pe; };
static struct atom atom[NA];
static int cell_start[NC * NC + 1], cell_atom[NA], cell_of[NA];

static int wrap(int i) { return (i + NC) % NC; }

static void bin_atoms(void)
{
    int fill[NC * NC];
    memset(cell_start, 0, sizeof cell_start);
#pragma inlay maploop
    for (int i = 0; i < NA; i++) {
        cell_of[i] = (int)atom[i].r[0] * NC + (int)atom[i].r[1];
        cell_start[cell_of[i] + 1]++;
    }
    for (int c = 0; c < NC * NC; c++) cell_start[c + 1] += cell_start[c];
    memcpy(fill, cell_start, sizeof fill);
    for (int i = 0; i < NA; i++) cell_atom[fill[cell_of[i]]++] = i;
}

static void forces(void)
{
#pragma inlay maploop
    for (int c = 0; c < NC * NC; c++) {
        for (int a = cell_start[c]; a < cell_start[c + 1]; a++) {
            struct atom *p = &atom[cell_atom[a]];
            p->f[0] = p->f[1] = p->pe = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++) {
                    const int d = wrap(c / NC + di) * NC + wrap(c % NC + dj);
                    for (int b = cell_start[d]; b < cell_start[d + 1]; b++) {
                        const struct atom *q = &atom[cell_atom[b]];
                        if (q == p) continue;
                        double dx = p->r[0] - q->r[0], dy = p->r[1] - q->r[1];
                        if (dx > L / 2) dx -= L; else if (dx < -L / 2) dx += L;
                        if (dy > L / 2) dy -= L; else if (dy < -L / 2) dy += L;
                        const double r2 = dx * dx + dy * dy;
                        if (r2 >= 1) continue;
                        const double w = 1 - sqrt(r2 + 1e-3);
                        p->f[0] += w * dx;
                        p->f[1] += w * dy;
                        p->pe += 0.5 * w * w;
                    }
                }
        }
    }
}

static void move(double dt)
{
#pragma inlay maploop
    for (int i = 0; i < NA; i++)
        for (int d = 0; d < 2; d++) {
            atom[i].v[d] += dt * atom[i].f[d];
            atom[i].r[d] = fmod(atom[i].r[d] + dt * atom[i].v[d] + L, L);
        }
}

int main(void)
{
    for (int i = 0; i < NA; i++) {
        atom[i].r[0] = fmod(i * 0.618033988749895 * L, L);
        atom[i].r[1] = fmod((i * 0.754877666246693 + 0.1) * L, L);
    }
    for (int step = 0; step < 12; step++) {
        bin_atoms();
        forces();
        move(0.02);
    }
    double ke = 0, pe = 0;
    for (int i = 0; i < NA; i++) {
        ke += 0.5 * (atom[i].v[0] * atom[i].v[0] + atom[i].v[1] * atom[i].v[1]);
        pe += atom[i].pe;
    }
    printf("kinetic %.8e potential %.8e\n", ke, pe);
    return 0;
}

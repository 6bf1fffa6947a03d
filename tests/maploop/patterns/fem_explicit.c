/* Explicit dynamics without a matrix: quads with hourglass springs, forces gathered from and scattered to nodes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double real;
typedef struct {
    int nelem, nnode;
    int (*conn)[4];
    real (*coord)[2], (*disp)[2], (*vel)[2], (*force)[2];
    real *mass, *volume;
} model;

static void element_force(const model *m, int e, real f[4][2])
{
    real x[4][2];
    for (int a = 0; a < 4; a++)
        for (int d = 0; d < 2; d++) x[a][d] = m->coord[m->conn[e][a]][d] + m->disp[m->conn[e][a]][d];
    for (int a = 0; a < 4; a++) f[a][0] = f[a][1] = 0;
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) {
            const real rest = (b - a) == 2 ? sqrt(2.0) : 1.0;
            const real dx = x[b][0] - x[a][0], dy = x[b][1] - x[a][1], l = sqrt(dx * dx + dy * dy), t = 4 * (l - rest) / l;
            f[a][0] += t * dx; f[a][1] += t * dy;
            f[b][0] -= t * dx; f[b][1] -= t * dy;
        }
}

static void forces(model *m)
{
    memset(m->force, 0, m->nnode * sizeof *m->force);
#pragma inlay maploop
    for (int e = 0; e < m->nelem; e++) {
        real f[4][2];
        element_force(m, e, f);
        for (int a = 0; a < 4; a++) {
            m->force[m->conn[e][a]][0] += f[a][0];
            m->force[m->conn[e][a]][1] += f[a][1];
        }
    }
}

int main(void)
{
    const int s = 12;
    model m = {.nelem = s * s, .nnode = (s + 1) * (s + 1)};
    m.conn = malloc(m.nelem * sizeof *m.conn);
    m.coord = malloc(m.nnode * sizeof *m.coord);
    m.disp = calloc(m.nnode, sizeof *m.disp);
    m.vel = calloc(m.nnode, sizeof *m.vel);
    m.force = calloc(m.nnode, sizeof *m.force);
    m.mass = calloc(m.nnode, sizeof *m.mass);
    for (int v = 0; v < m.nnode; v++) {
        m.coord[v][0] = v / (s + 1);
        m.coord[v][1] = v % (s + 1);
        m.vel[v][0] = v / (s + 1) == s ? -0.5 : 0;
    }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            int *c = m.conn[i * s + j], v = i * (s + 1) + j;
            c[0] = v; c[1] = v + s + 1; c[2] = v + s + 2; c[3] = v + 1;
        }
#pragma inlay maploop
    for (int e = 0; e < m.nelem; e++)
        for (int a = 0; a < 4; a++) m.mass[m.conn[e][a]] += 0.25;
    for (int step = 0; step < 30; step++) {
        forces(&m);
#pragma inlay maploop
        for (int v = 0; v < m.nnode; v++)
            for (int d = 0; d < 2; d++) {
                m.vel[v][d] += 0.02 * m.force[v][d] / m.mass[v];
                m.disp[v][d] += 0.02 * m.vel[v][d];
            }
    }
    real kinetic = 0, moved = 0;
    for (int v = 0; v < m.nnode; v++) {
        kinetic += 0.5 * m.mass[v] * (m.vel[v][0] * m.vel[v][0] + m.vel[v][1] * m.vel[v][1]);
        moved += m.disp[v][0];
    }
    printf("kinetic %.10e moved %.10e\n", kinetic, moved);
    free(m.conn); free(m.coord); free(m.disp); free(m.vel); free(m.force); free(m.mass);
    return 0;
}

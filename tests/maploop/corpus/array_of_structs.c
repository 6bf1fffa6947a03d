/* Particles as an array of structs, springs between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x, y, vx, vy, fx, fy, mass;
    int fixed;
} particle;

typedef struct {
    int a, b;
    double rest, k;
} spring;

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 16;
    const int n = side * side, m = 2 * side * (side - 1);
    particle *p = calloc(n, sizeof(particle));
    spring *s = calloc(m, sizeof(spring));
    int k = 0;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            const int v = i * side + j;
            p[v].x = i + 0.05 * sin(v);
            p[v].y = j;
            p[v].mass = 1 + v % 3;
            p[v].fixed = i == 0;
            if (i + 1 < side) s[k++] = (spring){v, v + side, 1.0, 2.0};
            if (j + 1 < side) s[k++] = (spring){v, v + 1, 1.0, 3.0};
        }
    for (int step = 0; step < 10; step++) {
        for (int i = 0; i < n; i++) p[i].fx = 0, p[i].fy = -0.1 * p[i].mass;
#pragma inlay maploop
        for (int j = 0; j < m; j++) {
            const spring *sp = &s[j];
            const double dx = p[sp->b].x - p[sp->a].x, dy = p[sp->b].y - p[sp->a].y;
            const double len = sqrt(dx * dx + dy * dy), f = sp->k * (len - sp->rest) / len;
            p[sp->a].fx += f * dx;
            p[sp->a].fy += f * dy;
            p[sp->b].fx -= f * dx;
            p[sp->b].fy -= f * dy;
        }
#pragma inlay maploop
        for (int i = 0; i < n; i++) {
            if (p[i].fixed) continue;
            p[i].vx += 0.01 * p[i].fx / p[i].mass;
            p[i].vy += 0.01 * p[i].fy / p[i].mass;
            p[i].x += 0.01 * p[i].vx;
            p[i].y += 0.01 * p[i].vy;
        }
    }
    double e = 0, cx = 0;
    for (int i = 0; i < n; i++) {
        e += 0.5 * p[i].mass * (p[i].vx * p[i].vx + p[i].vy * p[i].vy);
        cx += p[i].x * p[i].mass;
    }
    printf("kinetic %.10e centre %.10e\n", e, cx);
    free(p);
    free(s);
    return 0;
}

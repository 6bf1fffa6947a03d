/* Bodies with lists of those within a cutoff, in CSR made by two marked passes: count, then fill. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double x, y, z; } vec3;

static double dist2(vec3 a, vec3 b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z); }

int main(void)
{
    const int n = 250;
    const double cut = 0.3;
    vec3 *pos = malloc(n * sizeof *pos), *acc = malloc(n * sizeof *acc);
    double *mass = malloc(n * sizeof *mass), potential = 0;
    int *start = calloc(n + 1, sizeof *start);
    for (int i = 0; i < n; i++) {
        pos[i] = (vec3){fmod(i * 0.8191725, 1), fmod(i * 0.6710436, 1), fmod(i * 0.5497005, 1)};
        mass[i] = 1.0 / (1 + i % 4);
    }
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        int c = 0;
        for (int j = 0; j < n; j++) c += i != j && dist2(pos[i], pos[j]) < cut * cut;
        start[i + 1] = c;
    }
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    int *list = malloc((start[n] + 1) * sizeof *list);
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        int at = start[i];
        for (int j = 0; j < n; j++)
            if (i != j && dist2(pos[i], pos[j]) < cut * cut) list[at++] = j;
    }
#pragma inlay maploop
    for (int i = 0; i < n; i++) {
        vec3 a = {0, 0, 0};
        for (int k = start[i]; k < start[i + 1]; k++) {
            const int j = list[k];
            const double r2 = dist2(pos[i], pos[j]) + 1e-4, inv = mass[j] / (r2 * sqrt(r2));
            a.x += inv * (pos[j].x - pos[i].x);
            a.y += inv * (pos[j].y - pos[i].y);
            a.z += inv * (pos[j].z - pos[i].z);
            potential -= 0.5 * mass[i] * mass[j] / sqrt(r2);
        }
        acc[i] = a;
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += acc[i].x * acc[i].x + acc[i].y * acc[i].y + acc[i].z * acc[i].z;
    printf("%d pairs, potential %.10e, acceleration %.10e\n", start[n] / 2, potential, sqrt(s));
    free(pos); free(acc); free(mass); free(start); free(list);
    return 0;
}

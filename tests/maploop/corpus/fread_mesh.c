/* Writes a binary mesh, closes it, reads it again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int save(const char *path, int64_t n, int64_t m)
{
    FILE *f = fopen(path, "wb");
    if (!f) return -1;
    fwrite(&n, sizeof n, 1, f);
    fwrite(&m, sizeof m, 1, f);
    for (int64_t e = 0; e < m; e++) {
        int64_t ends[2] = {e % n, (e * 29 + 3) % n};
        fwrite(ends, sizeof ends[0], 2, f);
    }
    return fclose(f);
}

int main(void)
{
    int64_t n, m, *ends;
    if (save("mesh.bin", 222, 888)) return 1;
    FILE *f = fopen("mesh.bin", "rb");
    if (!f || fread(&n, sizeof n, 1, f) != 1 || fread(&m, sizeof m, 1, f) != 1) return 1;
    ends = malloc(2 * m * sizeof *ends);
    if (fread(ends, 2 * sizeof *ends, m, f) != (size_t)m) return 1;
    fclose(f);
    remove("mesh.bin");

    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y), s = 0;
    for (int64_t i = 0; i < n; i++) x[i] = 0.5 * (i % 7);
#pragma inlay maploop
    for (int64_t e = 0; e < m; e++) {
        y[ends[2 * e]] += x[ends[2 * e + 1]];
        y[ends[2 * e + 1]] -= 2 * x[ends[2 * e]];
    }
    for (int64_t i = 0; i < n; i++) s += y[i] * y[i];
    printf("%lld %lld %.10e\n", (long long)n, (long long)m, s);
    free(ends);
    free(x);
    free(y);
    return 0;
}

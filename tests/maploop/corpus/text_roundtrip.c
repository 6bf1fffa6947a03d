/* Writes a mesh as text and reads it with fgets and sscanf; appends a result and shows the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[128];
    int n = 60, m = 0, a, b;
    static int from[200], to[200];
    static double deg[60];
    FILE *f = fopen("graph.txt", "w");
    if (!f) return 1;
    fprintf(f, "# from to\n");
    for (int e = 0; e < 180; e++) fprintf(f, "%d %d\n", e % n, (e * e + 1) % n);
    fclose(f);

    f = fopen("graph.txt", "r");
    if (!f) return 1;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        if (sscanf(line, "%d%d", &a, &b) == 2) {
            from[m] = a;
            to[m++] = b;
        }
    }
    fclose(f);
#pragma inlay maploop
    for (int e = 0; e < m; e++) {
        deg[from[e]] += 1;
        deg[to[e]] += 0.5;
    }
    f = fopen("graph.txt", "a");
    if (!f) return 1;
    for (int i = 0; i < n; i++) fprintf(f, "deg %d %g\n", i, deg[i]);
    fclose(f);
    f = fopen("graph.txt", "r");
    if (!f) return 1;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "deg", 3) == 0) fputs(line, stdout);
    fclose(f);
    remove("graph.txt");
    return 0;
}

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>
#include "notes.h"

static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fflush(stdout);
}

static FILE *append(const char *name)
{
    FILE *file = fopen(name, "a");
    if (file == NULL) {
        perror(name);
        exit(3);
    }
    return file;
}

int main(int words, char **word)
{
    int64_t n = words > 1 ? atoi(word[1]) : 40, nedges = 3 * n;
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y), sum = 0;
    int64_t(*end)[2] = malloc((size_t)nedges * sizeof *end);
    if (!x || !y || !end) return 3;
    for (int64_t i = 0; i < n; i++) {
        x[i] = sin((double)i);
        y[i] = 0;
    }
    for (int64_t e = 0; e < nedges; e++) {
        end[e][0] = e % n;
        end[e][1] = (e * e + 7) % n;
    }
#pragma inlay maploop(x, y)
        for (int64_t e = 0; e < nedges; e++) {
            y[end[e][0]] += x[end[e][1]];
            y[end[e][1]] -= 0.5 * x[end[e][0]];
        }
    for (int64_t i = 0; i < n; i++) sum += y[i] > 0;
    FILE *log = append("log"), *const out = stdout, *err = stderr;
    /* HERE */
    fwrite("raw\n", 1, 4, stdout);
    say("%s %d\n", "said", (int)sum);
    if (write(1, "written\n", 8) != 8) return 3;
    if (printf("tested\n") != 7) return 4;
    printf("one, "), printf("two, "), puts("three");
    words > 9 ? puts("many") : puts("few");
    fputs("out\n", out), fputc('x', out), putc('\n', out);
    fprintf(err, "err\n");
    fprintf(log, "line %d\n", rand() % 100);
    printf("%d\n", rand() % 100);
    if (fclose(log) != 0 || fflush(stdout) != 0) return 5;
    log = fopen("log", "r");
    char line[100];
    while (log != NULL && fgets(line, sizeof line, log)) fputs(line, stdout);
    if (log == NULL || ferror(log)) return 6;
    fclose(log);
    log = fopen("no/such/folder", "w");
    if (log == NULL) printf("%s\n", strerror(errno));
    free(x), free(y), free(end);
    return 0;
}

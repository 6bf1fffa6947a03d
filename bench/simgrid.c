/*
 * Inlay's event engine beside SimGrid: modules a second on the same graphs, mappings and machines, as inlay-simgrid tells
 * them. Both are given the best of three runs.
 */
#include "bench.h"
#include "program.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A machine on whose links messages do not meet, and one on whose links they do. */
static const char wide[] = "wide.dot", star[] = "star:16,capacity=125MB/s,link_latency=50us,switching=cut-through";

enum { HOSTS = 16, RUNS = 3, WORDS = 16 };

typedef struct subject {
    const char *name;
    const char *words[WORDS]; /* of `inlay generate` */
    bool large;
} subject;

static const subject subjects[] = {
    {"Cholesky, 38 tiles", {"cholesky", "--tiles", "38", "--rate", "1e9"}, false},
    {"layers, 100 x 100",
     {"layered", "--levels", "100", "--width", "100", "--degree", "3", "--rate", "1e6", "--heterogeneity", "1"},
     false},
    {"stencil, 100 steps",
     {"stencil", "--size", "10", "--dimensions", "2", "--steps", "100", "--rate", "1e9", "--heterogeneity", "1"},
     false},
    {"layers, 1000 x 100",
     {"layered", "--levels", "1000", "--width", "100", "--degree", "3", "--rate", "1e6", "--heterogeneity", "1"},
     false},
    {"Cholesky, 84 tiles", {"cholesky", "--tiles", "84", "--rate", "1e9"}, true},
};

/* The programs, and the files of one subject. */
typedef struct workshop {
    char inlay[BENCH_PATH], simgrid[BENCH_PATH];
    char folder[BENCH_PATH], app[BENCH_PATH], machine[BENCH_PATH], mapping[BENCH_PATH];
} workshop;

typedef struct speeds {
    double modules, messages, simgrid, inlay, difference;
} speeds;

static int write_wide(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return -1;
    }
    fprintf(file, "graph wide { graph [network=links, switching=\"cut-through\"]; s [kind=switch];\n"
                  "edge [capacity=\"125MB/s\", latency=\"50us\", parallel=true];\n");
    for (int i = 0; i < HOSTS; i++) {
        fprintf(file, "p%d -- s;\n", i);
    }
    fprintf(file, "}\n");
    return fclose(file);
}

static int open_workshop(workshop *w)
{
    const char *named = getenv("INLAY");
    named = named != NULL ? named : "build/inlay";
    int length = snprintf(w->inlay, sizeof w->inlay, "%s", named);
    int longer = snprintf(w->simgrid, sizeof w->simgrid, "%s-simgrid", named);
    if (length < 0 || longer < 0 || (size_t)longer >= sizeof w->simgrid || bench_folder_make(w->folder) != 0) {
        return -1;
    }
    bench_folder_path(w->folder, "app.tg", w->app);
    bench_folder_path(w->folder, wide, w->machine);
    bench_folder_path(w->folder, "mapping.json", w->mapping);
    return write_wide(w->machine);
}

/* ---- Measuring ---- */

static int generate(const workshop *w, const subject *s)
{
    const char *argument[WORDS + 6] = {w->inlay, "generate", "--quiet", "-o", w->app};
    size_t count = 5;
    for (size_t i = 0; i < WORDS && s->words[i] != NULL; i++) {
        argument[count++] = s->words[i];
    }
    bench_run run;
    return bench_program_run(argument, &run);
}

static int map(const workshop *w, const char *machine)
{
    const char *argument[] = {w->inlay, "map", "--quiet", "-o", w->mapping, w->app, machine, NULL};
    bench_run run;
    return bench_program_run(argument, &run);
}

/* One run of both engines; the faster speeds stay. */
static int simulate(const workshop *w, speeds *best)
{
    const char *argument[] = {w->simgrid, "--json", "--quiet", w->mapping, NULL};
    bench_run run;
    if (bench_program_run(argument, &run) != 0) {
        return -1;
    }
    const char *speed = strstr(run.output, "\"speed\"");
    if (speed == NULL) {
        return -1;
    }
    best->modules = bench_number_after(run.output, "\"modules\": ");
    best->messages = bench_number_after(run.output, "\"messages\": ");
    best->difference = bench_number_after(run.output, "\"difference\": ");
    best->simgrid = fmax(best->simgrid, bench_number_after(speed, "\"simgrid\": "));
    best->inlay = fmax(best->inlay, bench_number_after(speed, "\"inlay\": "));
    return 0;
}

static int measure(const workshop *w, const subject *s, const char *machine, bench_table *table)
{
    speeds best = {0};
    int status = map(w, machine);
    for (int i = 0; status == 0 && i < RUNS; i++) {
        status = simulate(w, &best);
    }
    if (status != 0) {
        return status;
    }
    bench_cell(table, "%s", s->name);
    bench_cell(table, "%s", machine == star ? "star" : "wide");
    bench_cell_number(table, best.modules, 0);
    bench_cell_number(table, best.messages, 0);
    bench_cell_number(table, best.simgrid / 1000, 0);
    bench_cell_number(table, best.inlay / 1000, 0);
    bench_cell_number(table, best.inlay / best.simgrid, 0);
    bench_cell_number(table, 100 * best.difference, 2);
    return 0;
}

static int measure_all(const workshop *w, bool full)
{
    static const bench_column columns[] = {{"graph", -18}, {"machine", -7}, {"modules", 7}, {"messages", 8},
                                           {"SimGrid", 9}, {"Inlay", 9},    {"ratio", 5},   {"elapsed %", 9}};
    bench_table table = bench_table_begin("Inlay and SimGrid, 1000 modules a second; elapsed time against SimGrid's",
                                          columns, sizeof columns / sizeof *columns);
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof subjects / sizeof *subjects; i++) {
        if (subjects[i].large && !full) {
            continue;
        }
        status = generate(w, &subjects[i]);
        status = status == 0 ? measure(w, &subjects[i], w->machine, &table) : status;
        status = status == 0 ? measure(w, &subjects[i], star, &table) : status;
    }
    return status;
}

int main(int count, char **argument)
{
    bool full;
    workshop w = {0};
    if (!bench_arguments(count, argument, &full)) {
        return 2;
    }
    if (open_workshop(&w) != 0) {
        fprintf(stderr, "simgrid: no folder for files\n");
        return 1;
    }
    if (access(w.simgrid, X_OK) != 0) {
        printf("Inlay and SimGrid: not measured, for there is no inlay-simgrid; make builds it with libsimgrid-dev\n");
        bench_folder_remove(w.folder);
        return 0;
    }
    int status = measure_all(&w, full);
    bench_folder_remove(w.folder);
    if (status != 0) {
        fprintf(stderr, "simgrid: a program failed\n");
    }
    return status == 0 ? 0 : 1;
}

/*
 * Studies: how well two cores share a thousand points of some ten milliseconds, by threads and by ranks of MPI; how many
 * points a second can be handed out, worked out by nobody, kept and sorted; and what many small points take.
 */
#include "bench.h"
#include "program.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A study with so many seeds. */
typedef struct subject {
    const char *what, *study;
    int seeds, full_seeds;
} subject;

static const subject even = {
    "10 ms",
    "{\"applications\": {\"generate\": \"erdos-renyi\", \"modules\": 1500, \"density\": 0.022}, "
    "\"machines\": \"bus:16\", \"methods\": \"heft\", \"seeds\": \"1..%d\"}",
    1000, 1000};
static const subject empty = {"none",
                              "{\"applications\": {\"generate\": \"gauss\", \"size\": 4}, \"machines\": \"bus:4\", "
                              "\"methods\": \"heft\", \"seeds\": \"1..%d\", \"work\": \"none\"}",
                              100000, 1000000};
static const subject small = {
    "small",
    "{\"applications\": {\"generate\": \"erdos-renyi\", \"modules\": [8, 10, 12, 14, 16], \"seed\": "
    "\"1..20\"}, \"machines\": \"bus:{2..21}\", \"processors\": [1, 2], \"methods\": "
    "\"heft,etf,dls,houstis,cpop\", \"seeds\": \"1..%d\"}",
    5, 50};
enum { SMALL_EACH = 20000 /* points a seed */ };

/* ---- Running ---- */

/* A program of ours: the benchmarks stand in a folder beside it. */
static int find_program(const char *name, char path[PATH_MAX])
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) {
        return -1;
    }
    own[length] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(own, '/');
        if (slash == NULL) {
            return -1;
        }
        *slash = '\0';
    }
    return snprintf(path, PATH_MAX, "%s/%s", own, name) < PATH_MAX && access(path, X_OK) == 0 ? 0 : -1;
}

typedef struct way {
    const char *how;
    const char *threads; /* of the program; NULL: two ranks of one */
    int cores;
} way;

static const way one = {"1 thread", "1", 1}, two = {"2 threads", "2", 2}, ranks = {"2 ranks", NULL, 2};

static int run_study(const char *folder, const subject *s, int seeds, const way *w, bench_run *run)
{
    char program[PATH_MAX], study[BENCH_PATH], rows[BENCH_PATH];
    bench_folder_path(folder, "study.json", study);
    bench_folder_path(folder, "rows.jsonl", rows);
    FILE *file = fopen(study, "w");
    if (file == NULL || find_program(w->threads != NULL ? "inlay" : "inlay-study", program) != 0) {
        return -1;
    }
    // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): the subjects are above
    int status = fprintf(file, s->study, seeds) < 0;
    status |= fclose(file);
    const char *threaded[] = {program, "study", study, "-q", "--restart", "-o", rows, "--threads", w->threads, NULL};
    const char *ranked[] = {"mpirun", "-n", "2", program, study, "-q", "--restart", "-o", rows, NULL};
    return status == 0 ? bench_program_run(w->threads != NULL ? threaded : ranked, run) : -1;
}

/* ---- The table ---- */

static void print_row(bench_table *table, const subject *s, double points, const way *w, const bench_run *run,
                      double alone)
{
    bench_cell(table, "%s", s->what);
    bench_cell(table, "%.0f", points);
    bench_cell(table, "%s", w->how);
    bench_cell_time(table, run->seconds);
    bench_cell_number(table, points / run->seconds, 0);
    bench_cell_number(table, alone > 0 ? 100 * alone / (w->cores * run->seconds) : NAN, 1);
    bench_cell_number(table, run->bytes / 1e6, 1);
}

/* One subject in several ways, the first of which the others are beside. */
static int measure(const char *folder, bench_table *table, const subject *s, bool full, int each,
                   const way *const *ways, size_t count)
{
    double alone = 0;
    int seeds = full ? s->full_seeds : s->seeds, status = 0;
    for (size_t i = 0; status == 0 && i < count; i++) {
        bench_run run;
        status = run_study(folder, s, seeds, ways[i], &run);
        if (status == 0) {
            print_row(table, s, (double)each * seeds, ways[i], &run, alone);
            alone = i == 0 ? run.seconds : alone;
        }
    }
    return status;
}

static int run(const char *folder, bool full)
{
    static const bench_column columns[] = {{"work", -6},    {"points", 8},        {"on", -9}, {"time", 8},
                                           {"a second", 9}, {"of 2 cores %", 12}, {"MB", 7}};
    static const way *const all[] = {&one, &two, &ranks};
    char program[PATH_MAX];
    bool mpi = find_program("inlay-study", program) == 0 && bench_program_found("mpirun");
    bench_table table =
        bench_table_begin("Studies: two cores at least 90 %; 10,000 points without work a second on two ranks", columns,
                          sizeof columns / sizeof *columns);
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    (void)setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    int status = measure(folder, &table, &even, full, 1, all, mpi ? 3 : 2);
    status = status == 0 ? measure(folder, &table, &empty, full, 1, all, mpi ? 3 : 2) : status;
    return status == 0 ? measure(folder, &table, &small, full, SMALL_EACH, all + 1, 1) : status;
}

int main(int count, char **argument)
{
    return bench_with_folder(count, argument, run);
}

/* What the study of processor selection costs: tables 2 and 3, 864,000 runs, 24,000 of them by exhaustive search too. */
#include "bench.h"
#include <inlay/select_study.h>
#include <inlay/status.h>
#include <stdio.h>

typedef struct job {
    inlay_study_options options;
    inlay_study_cell cell[INLAY_STUDY_CELLS];
} job;

static int run(void *context)
{
    job *j = context;
    return inlay_select_study(&j->options, j->cell, NULL);
}

static int bench_study(int metasystems, int threads, bench_table *table)
{
    job j = {.options = {.metasystems = metasystems, .threads = threads}};
    bench_time time = {0};
    int status = bench_measure(run, &j, &time);
    int64_t runs = 0, checked = 0;
    for (int n = 0; n < INLAY_STUDY_CELLS; n++) {
        runs += j.cell[n].runs;
        checked += j.cell[n].checked;
    }
    bench_cell(table, "%d", metasystems);
    bench_cell(table, threads > 0 ? "%d" : "all", threads);
    bench_cell(table, "%lld", (long long)runs);
    bench_cell(table, "%lld", (long long)checked);
    bench_cell_time(table, time.seconds);
    bench_cell_number(table, inlay_study_distance(j.cell), 2);
    bench_cell_number(table, 100 * time.noise, 0);
    return status;
}

int main(int argc, char **argv)
{
    static const bench_column columns[] = {{"metasystems", 11}, {"threads", 7},  {"runs", 7},   {"checked", 7},
                                           {"time", 8},         {"distance", 8}, {"noise %", 7}};
    bool full = false;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    bench_table table = bench_table_begin("The study of processor selection (distance to the paper in points)", columns,
                                          sizeof columns / sizeof *columns);
    int status = bench_study(2000, 0, &table);
    if (status == INLAY_OK && full) {
        status = bench_study(2000, 1, &table);
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

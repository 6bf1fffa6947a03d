/* What the study of processor selection costs: tables 2 and 3, 864,000 runs, 24,000 of them by exhaustive search too. */
#include "bench.h"
#include "study.h"
#include <inlay/status.h>
#include <stdio.h>

typedef struct job {
    study_options options;
    study_row cell[STUDY_CELLS];
} job;

static int run(void *context)
{
    job *j = context;
    return study_run(&j->options, j->cell);
}

static int bench_study(int metasystems, int threads, bench_table *table)
{
    job j = {.options = {.metasystems = metasystems, .threads = threads}};
    bench_time time = {0};
    int status = bench_measure(run, &j, &time);
    int64_t runs = 0, checked = 0;
    for (int n = 0; n < STUDY_CELLS; n++) {
        runs += j.cell[n].runs;
        checked += j.cell[n].checked;
    }
    bench_cell(table, "%d", metasystems);
    bench_cell(table, threads > 0 ? "%d" : "all", threads);
    bench_cell(table, "%lld", (long long)runs);
    bench_cell(table, "%lld", (long long)checked);
    bench_cell_time(table, time.seconds);
    bench_cell_number(table, study_distance(j.cell), 2);
    bench_cell_number(table, 100 * time.noise, 0);
    return status;
}

/* The tables anew, at full size: runs in per cent that are within 5 % and 10 % of the optimum. */
static int print_tables(void)
{
    static const bench_column columns[] = {{"table", -5},     {"pattern", -7}, {"H2", 12}, {"paper", 12},
                                           {"unordered", 12}, {"paper", 12},   {"H3", 12}, {"exact", 12}};
    study_row cell[STUDY_CELLS];
    int status = study_run(NULL, cell);
    bench_table table = bench_table_begin("Tables 2 and 3: runs within 5 % and 10 % of the optimum, in per cent",
                                          columns, sizeof columns / sizeof *columns);
    for (int n = 0; n < STUDY_CELLS && status == INLAY_OK; n++) {
        const double *pairs[] = {cell[n].h2[0],    cell[n].paper[0], cell[n].h2[1],
                                 cell[n].paper[1], cell[n].h3,       cell[n].exact};
        bench_cell(&table, "%d%c", cell[n].mixed ? 3 : 2, cell[n].routers ? 'b' : 'a');
        bench_cell(&table, "%s", inlay_pattern_name(cell[n].pattern));
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            bench_cell(&table, "%.1f, %.1f", pairs[i][0], pairs[i][1]);
        }
    }
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
    if (status == INLAY_OK) {
        status = print_tables();
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

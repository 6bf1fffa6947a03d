/* Runs beside their predictions as a table, and the errors of all. */
#include "measured.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* Columns of a summary before those of the levels. */
enum { SUMMARY_COLUMNS = 5 };

/* ---- Cells ---- */

/* A share in percent: "2.41 %"; "-" of NaN. */
static void add_percent(table *rows, double share)
{
    double hundredths = round(1e4 * share);
    if (isnan(share)) {
        table_cell(rows, "-");
    } else {
        table_cell(rows, fabs(hundredths) < 1e8 ? "%.2f %%" : "%.3g %%", hundredths / 100);
    }
}

/* An error keeps its sign: "+2.41 %". */
static void add_error(table *rows, double error)
{
    double hundredths = round(1e4 * error);
    if (hundredths == 0) {
        table_cell(rows, "0.00 %%");
    } else {
        table_cell(rows, fabs(hundredths) < 1e8 ? "%+.2f %%" : "%+.3g %%", hundredths / 100);
    }
}

static void add_time(table *rows, double time, inlay_unit unit)
{
    table_cell(rows, isfinite(time) ? "%.6g %s" : "-", time, inlay_unit_word(unit));
}

/* Fewer cores than ranks are told. */
static void add_ranks(table *rows, const inlay_run_row *row)
{
    if (row->ranks == 0) {
        table_cell(rows, "-");
    } else if (row->cores > 0 && row->cores < row->ranks) {
        table_cell(rows, "%" PRId64 " on %" PRId64 " core%s", row->ranks, row->cores, row->cores == 1 ? "" : "s");
    } else {
        table_cell(rows, "%" PRId64, row->ranks);
    }
}

/* ---- Tables ---- */

static int print_rows(const inlay_runs *all)
{
    table rows = {.left = {true, true, true}};
    table_headings(&rows, "application|machine|work^4|T^5|ranks^2|runs^6|estimate^3|simulated^3|measured|spread^7|"
                          "estimate error^1|simulated error");
    for (size_t i = 0; i < all->count; i++) {
        const inlay_run_row *row = &all->rows[i];
        table_cell(&rows, "%s", row->application);
        table_cell(&rows, "%s", inlay_runs_label(all, row->number));
        table_cell(&rows, "%s", inlay_run_work_name(row->work));
        add_time(&rows, row->time_frame, row->unit);
        add_ranks(&rows, row);
        table_cell(&rows, "%zu", row->run_count);
        add_time(&rows, row->predicted[INLAY_BY_ESTIMATE], row->unit);
        add_time(&rows, row->predicted[INLAY_BY_SIMULATION], row->unit);
        add_time(&rows, row->median, row->unit);
        add_percent(&rows, inlay_run_spread(row));
        add_error(&rows, inlay_run_error(row, INLAY_BY_ESTIMATE));
        add_error(&rows, inlay_run_error(row, INLAY_BY_SIMULATION));
    }
    return table_print(&rows, stdout);
}

static void add_summary(const inlay_runs *all, size_t number, table *rows)
{
    const inlay_run_errors *errors = &all->errors[number];
    for (int p = 0; p < INLAY_PREDICTIONS; p++) {
        table_cell(rows, "%s", number == all->machines ? "all" : inlay_runs_label(all, number));
        table_cell(rows, "%s", inlay_prediction_name(p));
        table_cell(rows, "%zu", errors->rows);
        add_percent(rows, errors->median[p]);
        add_percent(rows, errors->worst[p]);
        for (size_t l = 0; l < INLAY_ERROR_LEVELS; l++) {
            table_cell(rows, "%zu", errors->within[p][l]);
        }
    }
}

/* Each machine, where there are several, and all. */
static int print_errors(const inlay_runs *all)
{
    static const char *const names[SUMMARY_COLUMNS] = {"errors on", "prediction", "rows", "median", "worst"};
    table rows = {.columns = SUMMARY_COLUMNS + INLAY_ERROR_LEVELS, .left = {true, true}};
    for (size_t i = 0; i < SUMMARY_COLUMNS; i++) {
        table_cell(&rows, "%s", names[i]);
    }
    for (size_t l = 0; l < INLAY_ERROR_LEVELS; l++) {
        table_cell(&rows, "within %g %%", 100 * inlay_run_level(l));
    }
    for (size_t m = 0; m < all->machines && all->machines > 1; m++) {
        add_summary(all, m, &rows);
    }
    add_summary(all, all->machines, &rows);
    say(stdout, "\n");
    return table_print(&rows, stdout);
}

/* What errors are of, for each kind of work that there is. */
static void print_meaning(const inlay_runs *all)
{
    static const char *const of[INLAY_RUN_WORKS] = {
        "not told by the file; errors of a synthetic program tell nothing of real kernels",
        "modules do nothing but take their time: errors of messages and queues, not of how long kernels take",
        "modules calculate what they count: errors of messages, queues and counts, not of real kernels",
        "some modules take their time, some calculate: errors of messages, queues and counts, not of real kernels",
        "a program with its own kernels: errors of all that it does"};
    for (int w = 0; w < INLAY_RUN_WORKS; w++) {
        size_t rows = 0;
        for (size_t i = 0; i < all->count; i++) {
            rows += all->rows[i].work == (inlay_run_work)w;
        }
        if (rows > 0) {
            say(stdout, "\nwork %s, %zu row%s: %s\n", inlay_run_work_name((inlay_run_work)w), rows,
                rows == 1 ? "" : "s", of[w]);
        }
    }
}

int measured_print_table(const cli_answer *a)
{
    const inlay_runs *all = a->of;
    int status = print_rows(all);
    status = status == INLAY_OK ? print_errors(all) : status;
    if (status == INLAY_OK) {
        print_meaning(all);
    }
    return status;
}

/* What `inlay processes --kernel` gives out: a table, JSON, CSV. */
#include "answer.h"
#include "output.h"
#include "processes.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>

enum { LABEL = 10, MOST_SHARES = 24, MOST_NAMES = 64 };

static double giga(double rate)
{
    const double unit = 1e9;
    return rate / unit;
}

static const char *deal_word(const inlay_dense_row *row)
{
    return row->weighted ? "weighted" : "cyclic";
}

/* How many of the rows are told: the best one and as many as --best says. */
static size_t told_rows(const cli_answer *a)
{
    enum { USUAL = 5 };
    const processes_values *values = a->call->values;
    const inlay_dense_result *of = ((const dense_found *)a->of)->result;
    bool given = a->call->given[command_find_option(a->call->command, "--best")] != NULL;
    size_t most = 1 + (given ? (size_t)values->best : USUAL);
    return of->rows < most ? of->rows : most;
}

/* ---- For people ---- */

static void print_head(const dense_found *found, const char *name)
{
    static const char *const words[] = {"LU factorisation", "Cholesky factorisation", "product"};
    const inlay_dense_result *of = found->result;
    const inlay_dense_row *best = of->row;
    char figure[FIGURE];
    const double *speed = of->asked.speed;
    double least = speed[of->processor[of->asked.processors - 1]], most = speed[of->processor[0]];
    say(stdout, "%-s: %s of matrices of %" PRId64 " x %" PRId64 " on %" PRId32 " processor%s of %s", name,
        words[of->asked.kernel], of->asked.order, of->asked.order, of->asked.processors,
        of->asked.processors == 1 ? "" : "s", figure_text(giga(least), 4, figure));
    if (least < most) {
        say(stdout, " to %s", figure_text(giga(most), 4, figure));
    }
    say(stdout, " Gflop/s%s\n", found->machines->speed_assumed ? " (assumed: --mflops)" : "");
    say(stdout, "run a grid of %" PRId32 " x %" PRId32 " processes with blocks of %" PRId64 " x %" PRId64 ", %s\n\n",
        best->shape[0], best->shape[1], best->block, best->block,
        best->weighted ? "dealt by the speeds of the processors" : "dealt cyclically");
}

static void say_part(double part, double all, const char *name)
{
    if (part > 0) {
        char text[FIGURE];
        say(stdout, ", %s %s", name, percent_figure(part / all, false, text));
    }
}

static void print_times(const dense_found *found)
{
    const inlay_dense_result *of = found->result;
    const inlay_dense_row *best = of->row;
    char text[FIGURE], other[FIGURE];
    say_label(stdout, LABEL, "time");
    say(stdout, "%s s", figure_text(best->time, 4, text));
    say_part(best->update, best->time, "updates");
    say_part(best->panel, best->time, "panels");
    say_part(best->broadcast, best->time, "broadcasts");
    say_part(best->exchange, best->time, "exchanges of rows");
    say(stdout, "\n");
    say_label(stdout, LABEL, "speed");
    say(stdout, "%s Gflop/s, %s of its processors' speed\n", figure_text(giga(best->rate), 4, text),
        percent_figure(best->efficiency, false, other));
    say_label(stdout, LABEL, "network");
    if (of->asked.latency == 0 && of->asked.per_byte == 0) {
        say(stdout, "messages take no time: the machine says nothing of them; --latency and --per-byte do\n");
    } else {
        say(stdout, "%s s a message, %s s a byte%s\n", figure_text(of->asked.latency, 4, text),
            figure_text(of->asked.per_byte, 4, other), of->asked.single ? ", one message at a time" : "");
    }
    say_label(stdout, LABEL, "looked at");
    say(stdout, "%zu grids and sizes of blocks, %" PRId32 " to %" PRId32 " processes%s\n", of->rows, of->asked.from,
        of->asked.to, best->exact ? "" : "; of the many steps some stand for their neighbours");
}

static int print_rows(const cli_answer *a)
{
    const inlay_dense_result *of = ((const dense_found *)a->of)->result;
    table rows = {.left = {true, [3] = true}};
    table_headings(&rows,
                   "grid|processes|block|dealt|time|longer|Gflop/s|efficiency|updates|panels|broadcasts|exchanges");
    for (size_t i = 0; i < told_rows(a); i++) {
        const inlay_dense_row *row = &of->row[i];
        table_cells(&rows, "%" PRId32 " x %" PRId32 "|%" PRId32 "|%" PRId64 "|%s|%#.4g s", row->shape[0], row->shape[1],
                    row->shape[0] * row->shape[1], row->block, deal_word(row), row->time);
        if (i == 0 || of->row->time == 0) {
            table_cell(&rows, "%s", "");
        } else {
            double longer = row->time / of->row->time - 1;
            char text[FIGURE];
            table_cell(&rows, "%s", longer < 5e-6 ? "same" : percent_figure(longer, true, text));
        }
        table_cells(&rows, "%#.4g|%.1f %%|%#.4g|%#.4g|%#.4g|%#.4g", giga(row->rate), 100 * row->efficiency, row->update,
                    row->panel, row->broadcast, row->exchange);
    }
    say(stdout, "\n");
    return table_print(&rows, stdout);
}

/* "block rows 12, 8" */
static int print_shares(const dense_found *found, int axis)
{
    const inlay_dense_result *of = found->result;
    int32_t size = of->row->shape[axis];
    int64_t *count = calloc((size_t)size, sizeof *count);
    int status = count == NULL ? INLAY_NO_MEMORY : inlay_dense_shares(of, 0, axis, count);
    for (int32_t i = 0; i < size && i < MOST_SHARES && status == INLAY_OK; i++) {
        if (i == 0) {
            say_label(stdout, LABEL, axis == 0 ? "rows" : "columns");
        }
        say(stdout, "%s%" PRId64, i > 0 ? ", " : "", count[i]);
    }
    if (status == INLAY_OK) {
        say(stdout, "%s blocks of the process %s\n", size > MOST_SHARES ? ", ..." : "", axis == 0 ? "rows" : "columns");
    }
    free(count);
    return status;
}

/* Which processor is where in the grid, where that matters and there is room. */
static int print_places(const dense_found *found)
{
    const inlay_dense_result *of = found->result;
    const inlay_dense_row *best = of->row;
    table rows = {.left = {true}};
    if (of->asked.speed[of->processor[0]] == of->asked.speed[of->processor[of->asked.processors - 1]]) {
        return INLAY_OK;
    }
    say(stdout, "\n");
    int status = print_shares(found, 0);
    status = status == INLAY_OK ? print_shares(found, 1) : status;
    if (status != INLAY_OK || best->shape[0] * best->shape[1] > MOST_NAMES || best->shape[1] >= TABLE_COLUMNS) {
        return status;
    }
    say(stdout, "\n");
    table_headings(&rows, "process row");
    for (int32_t j = 0; j < best->shape[1]; j++) {
        char heading[FIGURE];
        (void)snprintf(heading, sizeof heading, "column %" PRId32, j);
        table_headings(&rows, heading);
    }
    for (int32_t i = 0; i < best->shape[0]; i++) {
        table_cell(&rows, "%" PRId32, i);
        for (int32_t j = 0; j < best->shape[1]; j++) {
            char room[INLAY_GRID_NAME];
            table_cell(&rows, "%s",
                       inlay_grid_processor_name(found->machines, of->processor[i * best->shape[1] + j], room));
        }
    }
    return table_print(&rows, stdout);
}

int dense_print(const cli_answer *a)
{
    const dense_found *found = a->of;
    print_head(found, processes_name(a->call));
    print_times(found);
    int status = print_rows(a);
    return status == INLAY_OK ? print_places(found) : status;
}

/* ---- JSON ---- */

static void put_row(inlay_json *json, const char *key, const inlay_dense_row *row)
{
    inlay_json_object(json, key);
    inlay_json_put(json,
                   "shape [ %" PRId64 " %" PRId64 " ] block %" PRId64
                   " dealt %s time %g exact %hhd update %g panel %g broadcast %g exchange %g rate %g efficiency %g }",
                   (int64_t)row->shape[0], (int64_t)row->shape[1], row->block, deal_word(row), row->time, row->exact,
                   row->update, row->panel, row->broadcast, row->exchange, row->rate, row->efficiency);
}

static int put_shares(inlay_json *json, const inlay_dense_result *of, int axis)
{
    int32_t size = of->row->shape[axis];
    int64_t *count = calloc((size_t)size, sizeof *count);
    int status = count == NULL ? INLAY_NO_MEMORY : inlay_dense_shares(of, 0, axis, count);
    inlay_json_array(json, axis == 0 ? "block_rows" : "block_columns");
    for (int32_t i = 0; i < size && status == INLAY_OK; i++) {
        inlay_json_integer(json, NULL, count[i]);
    }
    inlay_json_array_end(json);
    free(count);
    return status;
}

static int put_members(inlay_json *json, const void *answer)
{
    const cli_answer *a = answer;
    const inlay_dense_result *of = ((const dense_found *)a->of)->result;
    inlay_json_put(json,
                   "file %s kernel %s order %" PRId64 " operations %g processors %" PRId64 " from %" PRId64
                   " to %" PRId64 " latency %g per_byte %g single %hhd looked_at %zu",
                   processes_name(a->call), inlay_dense_kernel_name(of->asked.kernel), of->asked.order, of->operations,
                   (int64_t)of->asked.processors, (int64_t)of->asked.from, (int64_t)of->asked.to, of->asked.latency,
                   of->asked.per_byte, of->asked.single, of->rows);
    put_row(json, "best", of->row);
    int status = put_shares(json, of, 0);
    status = status == INLAY_OK ? put_shares(json, of, 1) : status;
    inlay_json_array(json, "ranks");
    for (int32_t i = 0; i < of->row->shape[0] * of->row->shape[1]; i++) {
        inlay_json_integer(json, NULL, of->processor[i]);
    }
    inlay_json_array_end(json);
    inlay_json_array(json, "next");
    for (size_t i = 1; i < told_rows(a); i++) {
        put_row(json, NULL, &of->row[i]);
    }
    inlay_json_array_end(json);
    return status;
}

int dense_write_json(const cli_answer *a, const char *path)
{
    return result_write(a->call, put_members, a, path, a->diag);
}

/* ---- CSV ---- */

static void put_csv(FILE *to, const void *found)
{
    const inlay_dense_result *of = ((const dense_found *)found)->result;
    say(to, "rows,columns,block,dealt,time,update,panel,broadcast,exchange,rate,efficiency\n");
    for (size_t i = 0; i < of->rows; i++) {
        const inlay_dense_row *row = &of->row[i];
        const double value[] = {row->time,     row->update, row->panel,     row->broadcast,
                                row->exchange, row->rate,   row->efficiency};
        say(to, "%" PRId32 ",%" PRId32 ",%" PRId64 ",%s", row->shape[0], row->shape[1], row->block, deal_word(row));
        for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
            char text[INLAY_NUMBER_TEXT];
            say(to, ",%s", inlay_number_text(value[k], text));
        }
        say(to, "\n");
    }
}

int dense_write_csv(const cli_answer *a, const char *path)
{
    output_print(path, put_csv, a->of);
    return INLAY_OK;
}

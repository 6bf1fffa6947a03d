/* The parallelism profile of an application as text. */
#include "info.h"
#include "report.h"
#include "table.h"
#include <inttypes.h>
#include <stdlib.h>

enum { ROWS = 16, BAR = 50 };

/* Mean and most modules at once from one time to another, in grains. */
typedef struct stretch {
    double mean;
    inlay_id most;
} stretch;

/* @param at  the step that begins last before `from`; moves on */
static stretch over(const inlay_parallelism_step *steps, size_t count, size_t *at, double from, double to)
{
    stretch s = {0, 0};
    for (size_t i = *at; i < count && (double)steps[i].from < to; i++) {
        double begin = (double)steps[i].from > from ? (double)steps[i].from : from;
        double end = i + 1 < count && (double)steps[i + 1].from < to ? (double)steps[i + 1].from : to;
        s.mean += end > begin ? steps[i].modules * (end - begin) / (to - from) : 0;
        s.most = end > begin && steps[i].modules > s.most ? steps[i].modules : s.most;
        *at = i;
    }
    return s;
}

static int print_rows(const inlay_app *app, const inlay_parallelism_step *steps, size_t count)
{
    static const char bar[BAR + 1] = "##################################################";
    table rows = {.left = {false, false, false, true}};
    double end = (double)steps[count - 1].from, most = 1;
    for (size_t i = 0; i < count; i++) {
        most = steps[i].modules > most ? steps[i].modules : most;
    }
    table_headings(&rows, "from|mean|most|modules at once");
    for (size_t row = 0, at = 0; end > 0 && row < ROWS; row++) {
        double from = end * (double)row / ROWS;
        stretch s = over(steps, count, &at, from, end * (double)(row + 1) / ROWS);
        table_cell(&rows, "%.6g", from * inlay_app_in_units(app, 1));
        table_cells(&rows, "%.4g|%" PRId32, s.mean, s.most);
        table_cell(&rows, "%.*s", (int)(BAR * s.mean / most + 0.5), bar);
    }
    return table_print(&rows, stdout);
}

int parallelism_print(const inlay_app *app, inlay_diag *diag)
{
    inlay_parallelism_step *steps;
    size_t count;
    int status = inlay_app_parallelism(app, &steps, &count, diag);
    if (status == INLAY_OK) {
        say(stdout, "\n%s, on unlimited processors with free messages\n\n", inlay_app_name(app));
        status = print_rows(app, steps, count);
        free(steps);
    }
    return status;
}

/* `inlay processes`: the question, from the operand and options. */
#include "processes.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

/* "1%" or "0.01": a share above 0, at most 1; 0 stands for what is none. */
static double read_share(const char *text)
{
    char *end;
    bool plain = text[strspn(text, "0123456789.eE+-%")] == '\0';
    double value = plain ? strtod(text, &end) : 0;
    if (!plain || end == text) {
        return 0;
    }
    if (strcmp(end, "%") == 0) {
        value /= 100;
        end++;
    }
    return *end == '\0' && value > 0 && value <= 1 ? value : 0;
}

/* "60x60x60": the extent along up to three axes. False where that is not what stands there. */
static bool read_grid(const char *text, inlay_process_grid_options *grid, int32_t *axes)
{
    const double most = 0x1p53; /* points of all axes together */
    double product = 1;
    for (*axes = 0; *axes < 3; text++) {
        char *end;
        if (*text < '0' || *text > '9') {
            return false;
        }
        unsigned long long value = strtoull(text, &end, 10);
        product *= (double)value;
        if (value < 1 || !(product <= most)) {
            return false;
        }
        grid->data[(*axes)++] = (int64_t)value;
        text = end;
        if (*text != 'x') {
            return *text == '\0';
        }
    }
    return false;
}

static int read_options(const invocation *call, inlay_process_question *to)
{
    enum { USUAL_POINTS = 1000, USUAL_NEXT = 5 };
    const processes_values *values = call->values;
    bool best = call->given[command_find_option(call->command, "--best")] != NULL;
    bool curve = values->csv != NULL || values->svg != NULL;
    int32_t axes = 0;
    to->options = (inlay_process_options){.beyond_hoho = values->beyond_hoho,
                                          .whole_units = values->whole_units,
                                          .from = values->min,
                                          .to = values->max,
                                          .best = (best ? (int32_t)values->best : USUAL_NEXT) + 1};
    to->points = !curve ? 0 : values->points > 0 ? (size_t)values->points : USUAL_POINTS;
    if (values->within != NULL) {
        to->options.within = read_share(values->within);
        if (to->options.within == 0) {
            return report_usage(call->command, "--within %s: expected a share above 0, such as 1%% or 0.01",
                                values->within);
        }
    }
    if (values->grid != NULL && !read_grid(values->grid, &to->grid, &axes)) {
        return report_usage(call->command,
                            "--grid %s: expected the points along 1 to 3 axes, such as 100x100x100, at most 2^53 in "
                            "all",
                            values->grid);
    }
    to->grid.halo = values->halo;
    to->grid.dimensions = values->dimensions > 0 ? values->dimensions : axes;
    return EXIT_DONE;
}

/* ---- The file ---- */

const char *processes_name(const invocation *call)
{
    return strcmp(call->operands[0], "-") == 0 ? "standard input" : call->operands[0];
}

static bool has_measurements(const inlay_process_problem *problem)
{
    for (size_t q = 0; q < problem->rows; q++) {
        if (inlay_performance_range_of(problem->row[q].performance).known) {
            return true;
        }
    }
    return false;
}

/* W: what the user says, else the file, else the points of the grid. */
static int settle_data(const invocation *call, inlay_process_question *to)
{
    const processes_values *values = call->values;
    int64_t points = 1;
    for (size_t i = 0; i < 3; i++) {
        points *= to->grid.data[i] > 0 ? to->grid.data[i] : 1;
    }
    bool given = call->given[command_find_option(call->command, "--data")] != NULL, grid = values->grid != NULL;
    if (given && grid && (int64_t)values->data != points) {
        return report_usage(
            call->command, "--grid %s: its %" PRId64 " points are not the %" PRIu64 " data of --data; expected as many",
            values->grid, points, values->data);
    }
    if (given) {
        to->problem.data = (int64_t)values->data;
    } else if (to->problem.data == 0 && grid) {
        to->problem.data = points;
    } else if (to->problem.data == 0) {
        say(stderr, "%s: it does not say how much data there are; expected 'data' there (JSON), or -W DATA\n",
            processes_name(call));
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* Times of a table that fall, by noise mostly, are no matter for a formula that is fitted to them. */
static void suggest_fit(const invocation *call)
{
    const char *path = call->operands[0];
    inlay_process_platform *fitted = NULL;
    if (strcmp(path, "-") != 0 &&
        inlay_process_platform_read(path, INLAY_PERFORMANCE_OFFSET, &fitted, NULL) == INLAY_OK) {
        report_remedy(call, "--fit", inlay_performance_form_name(INLAY_PERFORMANCE_OFFSET));
    }
    inlay_process_platform_free(fitted);
}

static int read_file(const invocation *call, inlay_process_platform **platform, inlay_process_question *to,
                     inlay_diag *diag)
{
    const processes_values *values = call->values;
    static const inlay_performance_form forms[] = {INLAY_PERFORMANCE_AS_GIVEN, INLAY_PERFORMANCE_TABLE,
                                                   INLAY_PERFORMANCE_CONSTANT, INLAY_PERFORMANCE_PAPER,
                                                   INLAY_PERFORMANCE_OFFSET};
    int status = inlay_process_platform_read(call->operands[0], forms[values->fit], platform, diag);
    if (status != INLAY_OK) {
        int end = report_end(call, status, diag);
        if (status == INLAY_BAD_INPUT) {
            suggest_fit(call);
        }
        return end;
    }
    to->problem = (*platform)->problem;
    to->data_unit = (*platform)->data_unit;
    to->time_unit = (*platform)->time_unit;
    if (values->fit != 0 && !has_measurements(&to->problem)) {
        say(stderr, "%s: it has no measurements; expected some for --fit %s\n", processes_name(call),
            inlay_performance_form_name(forms[values->fit]));
        return EXIT_USAGE;
    }
    return settle_data(call, to);
}

int processes_read_question(const invocation *call, inlay_process_platform **platform, inlay_process_question *to,
                            inlay_diag *diag)
{
    int end = read_options(call, to);
    return end == EXIT_DONE ? read_file(call, platform, to, diag) : end;
}

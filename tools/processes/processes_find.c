/* `inlay processes`: the operand is read, and the library is asked. */
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

static int read_options(processes_found *of)
{
    const processes_values *values = of->call->values;
    int32_t axes = 0;
    of->options = (inlay_process_options){.beyond_hoho = values->beyond_hoho,
                                          .whole_units = values->whole_units,
                                          .from = values->min,
                                          .to = values->max,
                                          .best = (int32_t)values->best + 1};
    if (values->within != NULL) {
        of->options.within = read_share(values->within);
        if (of->options.within == 0) {
            return report_usage(of->call->command, "--within %s: expected a share above 0, such as 1%% or 0.01",
                                values->within);
        }
    }
    of->has_grid = values->grid != NULL;
    if (of->has_grid && !read_grid(values->grid, &of->grid, &axes)) {
        return report_usage(of->call->command,
                            "--grid %s: expected the points along 1 to 3 axes, such as 100x100x100, at most 2^53 in "
                            "all",
                            values->grid);
    }
    of->grid.halo = values->halo;
    of->grid.dimensions = values->dimensions > 0 ? values->dimensions : axes;
    return EXIT_DONE;
}

/* ---- The file ---- */

const char *processes_name(const processes_found *of)
{
    return strcmp(of->call->operands[0], "-") == 0 ? "standard input" : of->call->operands[0];
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
static int settle_data(processes_found *of)
{
    const processes_values *values = of->call->values;
    int64_t points = 1;
    for (size_t i = 0; i < 3; i++) {
        points *= of->grid.data[i] > 0 ? of->grid.data[i] : 1;
    }
    bool given = of->call->given[command_find_option(of->call->command, "--data")] != NULL;
    if (given && of->has_grid && (int64_t)values->data != points) {
        return report_usage(of->call->command,
                            "--grid %s: its %" PRId64 " points are not the %" PRIu64
                            " data of --data; expected as many",
                            values->grid, points, values->data);
    }
    if (given) {
        of->problem.data = (int64_t)values->data;
    } else if (of->problem.data == 0 && of->has_grid) {
        of->problem.data = points;
    } else if (of->problem.data == 0) {
        say(stderr, "%s: it does not say how much data there are; expected 'data' there (JSON), or -W DATA\n",
            processes_name(of));
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* Times of a table that fall, by noise mostly, are no matter for a formula that is fitted to them. */
static void suggest_fit(const processes_found *of)
{
    const char *path = of->call->operands[0];
    inlay_process_platform *fitted = NULL;
    if (strcmp(path, "-") != 0 &&
        inlay_process_platform_read(path, INLAY_PERFORMANCE_OFFSET, &fitted, NULL) == INLAY_OK) {
        report_remedy(of->call, "--fit", inlay_performance_form_name(INLAY_PERFORMANCE_OFFSET));
    }
    inlay_process_platform_free(fitted);
}

static int read_file(processes_found *of, inlay_diag *diag)
{
    const processes_values *values = of->call->values;
    static const inlay_performance_form forms[] = {INLAY_PERFORMANCE_AS_GIVEN, INLAY_PERFORMANCE_TABLE,
                                                   INLAY_PERFORMANCE_CONSTANT, INLAY_PERFORMANCE_PAPER,
                                                   INLAY_PERFORMANCE_OFFSET};
    int status = inlay_process_platform_read(of->call->operands[0], forms[values->fit], &of->platform, diag);
    if (status != INLAY_OK) {
        int end = report_end(of->call, status, diag);
        if (status == INLAY_BAD_INPUT) {
            suggest_fit(of);
        }
        return end;
    }
    of->problem = of->platform->problem;
    for (size_t q = 0; q < of->problem.rows; q++) {
        of->processors += of->problem.row[q].count;
    }
    if (values->fit != 0 && !has_measurements(&of->problem)) {
        say(stderr, "%s: it has no measurements; expected some for --fit %s\n", processes_name(of),
            inlay_performance_form_name(forms[values->fit]));
        return EXIT_USAGE;
    }
    return settle_data(of);
}

/* ---- The best numbers ---- */

double processes_longer(const processes_found *of, const inlay_process_answer *answer)
{
    return answer->time / of->best->time - 1;
}

/* One process on each processor takes no longer than HoHo: where that many may be looked at, there is an answer. */
static void suggest_total(const processes_found *of)
{
    int64_t total = of->processors < of->problem.data ? of->processors : of->problem.data;
    bool raise = of->options.to > 0 && of->options.to < total;
    inlay_process_options options = of->options;
    inlay_process_plan *plan = NULL;
    options.to = raise ? total : options.to;
    options.from = options.from > total ? total : options.from;
    if (inlay_processes(&of->problem, &options, &plan, NULL) == INLAY_OK) {
        char number[24];
        (void)snprintf(number, sizeof number, "%" PRId64, total);
        report_remedy(of->call, raise ? "--max" : "--min", number);
    }
    inlay_process_plan_free(plan);
}

static int find_plan(processes_found *of, inlay_diag *diag)
{
    int status = inlay_processes(&of->problem, &of->options, &of->plan, diag);
    if (status != INLAY_OK) {
        int end = report_end(of->call, status, diag);
        if (status == INLAY_NO_ANSWER) {
            suggest_total(of);
        }
        return end;
    }
    of->best = inlay_process_plan_at(of->plan, 0);
    of->fewest = inlay_process_plan_fewest(of->plan);
    return EXIT_DONE;
}

/* ---- Process grids ---- */

const inlay_process_grid *processes_shape(const inlay_process_grids *grids)
{
    return grids != NULL ? inlay_process_grids_at(grids, 0) : NULL;
}

/* The shapes of another answer, for comparison alone: none where none fits. */
static int find_others(const processes_found *of, const inlay_process_answer *answer, inlay_process_grids **grids)
{
    int status = inlay_process_grids_make(&of->problem, answer, &of->grid, grids, NULL);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

/* Of fewer processes the best ones that form a grid: --max says how many that are. */
static void suggest_grid(const processes_found *of)
{
    enum { TRIES = 100 };
    inlay_process_options options = of->options;
    options.best = 1;
    options.to = of->best->total;
    for (int i = 0; i < TRIES && options.to > 1 && options.to > options.from; i++) {
        inlay_process_plan *plan = NULL;
        inlay_process_grids *grids = NULL;
        options.to--;
        bool found = inlay_processes(&of->problem, &options, &plan, NULL) == INLAY_OK;
        if (found) {
            options.to = inlay_process_plan_at(plan, 0)->total;
            found = find_others(of, inlay_process_plan_at(plan, 0), &grids) == INLAY_OK && grids != NULL;
        }
        inlay_process_grids_free(grids);
        inlay_process_plan_free(plan);
        if (found) {
            char number[24];
            (void)snprintf(number, sizeof number, "%" PRId64, options.to);
            report_remedy(of->call, "--max", number);
            return;
        }
    }
}

static int find_grids(processes_found *of, inlay_diag *diag)
{
    size_t count = inlay_process_plan_count(of->plan);
    if (!of->has_grid) {
        return INLAY_OK;
    }
    int status = inlay_process_grids_make(&of->problem, of->best, &of->grid, &of->grids, diag);
    if (status != INLAY_OK) {
        return status;
    }
    of->next_grids = calloc(count, sizeof *of->next_grids);
    status = of->next_grids != NULL ? find_others(of, of->fewest, &of->fewest_grids) : INLAY_NO_MEMORY;
    for (size_t i = 1; i < count && status == INLAY_OK; i++) {
        status = find_others(of, inlay_process_plan_at(of->plan, i), &of->next_grids[i]);
    }
    return status;
}

/* ---- Time over l ---- */

static int find_curve(processes_found *of, inlay_diag *diag)
{
    enum { USUAL = 1000 };
    const processes_values *values = of->call->values;
    if (values->csv == NULL && values->svg == NULL) {
        return INLAY_OK;
    }
    size_t most = values->points > 0 ? (size_t)values->points : USUAL;
    of->point = calloc(most, sizeof *of->point);
    return of->point != NULL ? inlay_processes_curve(&of->problem, &of->options, most, of->point, &of->points, diag)
                             : INLAY_NO_MEMORY;
}

/* ---- All of it ---- */

int processes_find(const invocation *call, processes_found *found, inlay_diag *diag)
{
    found->call = call;
    int status = read_options(found);
    status = status == INLAY_OK ? read_file(found, diag) : status;
    status = status == INLAY_OK ? find_plan(found, diag) : status;
    if (status == INLAY_OK) {
        status = find_grids(found, diag);
        if (status == INLAY_NO_ANSWER) {
            status = report_end(call, status, diag);
            suggest_grid(found);
        }
    }
    return status == INLAY_OK ? find_curve(found, diag) : status;
}

void processes_clear(processes_found *found)
{
    size_t count = found->next_grids != NULL ? inlay_process_plan_count(found->plan) : 0;
    for (size_t i = 0; i < count; i++) {
        inlay_process_grids_free(found->next_grids[i]);
    }
    free(found->next_grids);
    inlay_process_grids_free(found->fewest_grids);
    inlay_process_grids_free(found->grids);
    free(found->point);
    inlay_process_plan_free(found->plan);
    inlay_process_platform_free(found->platform);
    *found = (processes_found){0};
}

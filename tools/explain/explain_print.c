/* The lines of `inlay explain`: what limits, then what helps. */
#include "explain.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 8 };

/* Below that a part or a gain is not worth a line. */
static const double least_share = 0.01;

/* All rows; frees them. */
static int print_rows(table *rows)
{
    int status = rows->failed ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < table_rows(rows); i++) {
        say(stdout, "  ");
        table_print_row(rows, i, false, stdout);
        say(stdout, "\n");
    }
    table_end(rows, stdout);
    return status;
}

/* ---- What limits ---- */

static void add_part(table *rows, const inlay_explained *of, const inlay_part *part)
{
    char *words = inlay_part_words(of, part->kind);
    table_cells(rows, "%.*g|%.1f %%", inlay_explain_digits(part->time), part->time, 100 * part->share);
    table_cell(rows, "%s", words != NULL ? words : "");
    rows->failed = rows->failed || words == NULL;
    free(words);
}

static int print_parts(const inlay_explained *of, const char *unit)
{
    const inlay_part *part = inlay_explanation_parts(of->explanation);
    const inlay_explanation_figures *f = inlay_explanation_figures_of(of->explanation);
    table rows = {.columns = 3, .margin = 2, .left = {false, false, true}, .rank = {[2] = '~'}};
    say(stdout, "the elapsed time of %.*g %s on %" PRId32 " processor%s consists of\n",
        inlay_explain_digits(f->makespan), f->makespan, unit, f->processors, f->processors == 1 ? "" : "s");
    for (size_t i = 0; i < INLAY_PARTS; i++) {
        if (i == 0 || fabs(part[i].share) >= least_share) {
            add_part(&rows, of, &part[i]);
        }
    }
    return print_rows(&rows);
}

/* Below which time no mapping comes, and not this placement. */
static void print_bounds(const inlay_explained *of, const char *unit)
{
    const inlay_explanation_figures *f = inlay_explanation_figures_of(of->explanation);
    say(stdout, "lower bound: %#.6g %s (%s)", f->bound.value, unit, f->bound.words);
    if (f->placement_bound.value > f->bound.value) {
        say(stdout, ", of this placement %#.6g %s (%s)", f->placement_bound.value, unit, f->placement_bound.words);
    }
    say(stdout, "\n");
}

static void print_path(const inlay_explained *of)
{
    const inlay_explanation_figures *f = inlay_explanation_figures_of(of->explanation);
    if (!(f->makespan > 0)) {
        return;
    }
    say(stdout, "critical path of the run: compute %.1f %%, wait %.1f %%, network %.1f %%", 100 * f->compute,
        100 * f->wait, 100 * f->network);
    if (f->path_module >= 0) {
        say(stdout, "; processor %" PRId32 " computes %.*g of it, module %-s %.*g", f->path_processor,
            inlay_explain_digits(f->path_processor_time), f->path_processor_time,
            inlay_app_module_name(inlay_mapping_app(of->mapping), f->path_module),
            inlay_explain_digits(f->path_module_time), f->path_module_time);
    }
    say(stdout, "\n");
}

/* ---- What helps ---- */

static void add_change(table *rows, const inlay_explained *of, const inlay_change *change, const char *unit)
{
    double before = inlay_explanation_figures_of(of->explanation)->makespan;
    char *words = inlay_change_words(of, change), *command = inlay_change_command(of, change);
    bool made = words != NULL && command != NULL;
    table_cell(rows, "gain %.1f %% (%.*g -> %.*g %s)", 100 * change->gain, inlay_explain_digits(before), before,
               inlay_explain_digits(change->makespan), change->makespan, unit);
    table_cell(rows, "%s%s%s", made ? words : "", made && command[0] != '\0' ? ": " : "", made ? command : "");
    rows->failed = rows->failed || !made;
    free(words);
    free(command);
}

/* One processor is a method, too, but of interest by itself. */
static bool is_method(const inlay_change *change)
{
    return change->kind == INLAY_CHANGE_METHOD && strcmp(change->mapping.method->name, "one") != 0;
}

/* The best method has a line, the others where all gains are asked for. @param top  so many lines; 0: as usual */
static int print_gains(const inlay_explained *of, const inlay_change *change, size_t count, const char *unit,
                       size_t top)
{
    size_t most = top > 0 ? top : TOP, shown = 0, methods = 0;
    table rows = {.columns = 2, .left = {true, true}, .fitted = true}; /* commands to be pasted stay whole */
    say(stdout, "\nof the changes that were tried, one at a time, %s\n",
        count > 0 ? "these help most" : "none gains 1 % or more");
    for (size_t i = 0; i < count && shown < most; i++) {
        methods += is_method(&change[i]);
        if (top >= count || !is_method(&change[i]) || methods == 1) {
            add_change(&rows, of, &change[i], unit);
            shown++;
        }
    }
    int status = print_rows(&rows);
    if (status == INLAY_OK && shown < count) {
        say(stdout, "  ... (%zu more that gain 1 %% or more; --top %zu lists all)\n", count - shown, count);
    }
    return status;
}

/* A change in one line of many: with `loss`, how much longer it takes. */
static int print_other(const inlay_explained *of, const char *before, const inlay_change *change, bool loss)
{
    char *words = inlay_change_words(of, change);
    if (words == NULL) {
        return INLAY_NO_MEMORY;
    }
    say(stdout, "%s%s", before, words);
    if (loss) {
        say(stdout, " (+%.1f %%)", -100 * change->gain);
    }
    free(words);
    return INLAY_OK;
}

/* One line of changes that are not worth one each. Methods, and processors that matter little, are counted. */
static int print_others(const inlay_explained *of, const char *title, const inlay_change *change, size_t count,
                        bool loss)
{
    int status = INLAY_OK, processors = 0, methods = 0;
    const char *before = title;
    for (size_t i = 0; i < count && status == INLAY_OK; i++) {
        if (change[i].kind == INLAY_CHANGE_PROCESSOR && !loss) {
            processors++;
        } else if (is_method(&change[i])) {
            methods++;
        } else {
            status = print_other(of, before, &change[i], loss);
            before = "; ";
        }
    }
    if (processors > 0) {
        say(stdout, "%s%d other processor%s twice as fast%s", before, processors, processors == 1 ? "" : "s",
            processors == 1 ? "" : ", one by one");
        before = "; ";
    }
    if (methods > 0) {
        say(stdout, "%s%d other method%s", before, methods, methods == 1 ? "" : "s");
    }
    say(stdout, count > 0 ? "\n" : "");
    return status;
}

static int print_changes(const inlay_explained *of, const char *unit, size_t most)
{
    size_t count, gains = 0, small;
    const inlay_change *change = inlay_explanation_changes(of->explanation, &count);
    while (gains < count && change[gains].gain >= least_share) {
        gains++;
    }
    for (small = gains; small < count && change[small].gain > -least_share;) {
        small++;
    }
    int status = print_gains(of, change, gains, unit, most);
    if (status == INLAY_OK) {
        status = print_others(of, "less than 1 % each way: ", &change[gains], small - gains, false);
    }
    return status == INLAY_OK ? print_others(of, "longer: ", &change[small], count - small, true) : status;
}

int explain_print_lines(const cli_answer *a)
{
    const inlay_explained *of = a->of;
    const explain_values *values = a->call->values;
    const inlay_app *app = inlay_mapping_app(of->mapping);
    const char *unit = inlay_unit_word(inlay_app_unit(app));
    say(stdout, "%-s on %-s, simulated; times in %s\n\n", inlay_app_name(app),
        inlay_machine_text(inlay_mapping_machine(of->mapping)), unit);
    int status = print_parts(of, unit);
    if (status == INLAY_OK) {
        print_path(of);
        print_bounds(of, unit);
        status = print_changes(of, unit, (size_t)values->top);
    }
    return status;
}

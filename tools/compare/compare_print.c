/* The rows of `inlay compare` as a table. */
#include "compare.h"
#include "report.h"
#include "simulated.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const inlay_summary *summary_of(const inlay_compare_row *row)
{
    return inlay_mapping_summary(row->mapping);
}

static inlay_unit unit_of(const inlay_compare_row *row)
{
    return inlay_app_unit(row->app->app);
}

/* ---- Words ---- */

const char *compare_currency(const inlay_compare_input *machine)
{
    const char *currency = inlay_machine_currency(machine->machine);
    return currency != NULL ? currency : "";
}

/* "network: 60.42 ticks (26 %), load 0.0273". Returns `text`. */
enum { BOTTLENECK_TEXT = 128 };
static char *bottleneck_text(const inlay_compare_row *row, char text[BOTTLENECK_TEXT])
{
    const inlay_bottleneck *parts = &row->bottleneck;
    const double times[] = {parts->critical_path, parts->compute, parts->network};
    double elapsed = row->figures.elapsed, time = times[parts->limit];
    double percent = elapsed > 0 ? 100 * time / elapsed : 100;
    char figure[BOTTLENECK_TEXT / 2] = "";
    if (parts->limit == INLAY_LIMIT_COMPUTE) {
        (void)snprintf(figure, sizeof figure, ", processor %" PRId32 " busy %.0f %%", parts->processor,
                       100 * parts->busy / elapsed);
    } else if (parts->limit == INLAY_LIMIT_NETWORK) {
        (void)snprintf(figure, sizeof figure, ", load %.3g", summary_of(row)->load);
    }
    (void)snprintf(text, BOTTLENECK_TEXT, "%s: %.4g %s (%.0f %%)%s", inlay_limit_name(parts->limit), time,
                   inlay_unit_word(unit_of(row)), percent, figure);
    return text;
}

/* A unit of energy. */
typedef struct energy_unit {
    const char *name;
    double joules;
} energy_unit;

/* Which columns there are besides, and in what they are. */
typedef struct table_form {
    bool price, energy;
    energy_unit unit;
} table_form;

/* Columns for what some row has; the largest energy chooses the unit. */
static table_form find_form(const inlay_comparison *all)
{
    static const energy_unit units[] = {{"kWh", 3.6e6}, {"Wh", 3600}, {"J", 1}};
    double most = 0;
    table_form form = {0};
    for (size_t i = 0; i < inlay_comparison_rows(all); i++) {
        const inlay_compare_figures *figures = &inlay_comparison_row(all, i)->figures;
        if (inlay_comparison_row(all, i)->mapping != NULL) {
            form.price |= isfinite(figures->price);
            form.energy |= isfinite(figures->energy);
            most = isfinite(figures->energy) ? fmax(most, figures->energy) : most;
        }
    }
    for (size_t i = 0; i < sizeof units / sizeof *units && form.unit.name == NULL; i++) {
        if (most >= units[i].joules || units[i].joules == 1) {
            form.unit = units[i];
        }
    }
    return form;
}

/* ---- Cells ---- */

static void add_number(table *rows, double value)
{
    table_cell(rows, isfinite(value) ? "%.4g" : "-", value);
}

/* Price and energy, as far as the table has such columns. */
static void add_run(table *rows, const table_form *form, const inlay_compare_figures *figures,
                    const inlay_compare_input *machine)
{
    const char *currency = compare_currency(machine);
    if (form->price) {
        table_cell(rows, isfinite(figures->price) ? "%.4g%s%s" : "-", figures->price, *currency != '\0' ? " " : "",
                   currency);
    }
    if (form->energy) {
        table_cell(rows, isfinite(figures->energy) ? "%.4g %s" : "-", figures->energy / form->unit.joules,
                   form->unit.name);
    }
}

/* Those that all tables have, then those of this form. */
static void add_headings(table *rows, const table_form *form, const char *names)
{
    table_headings(rows, names);
    if (form->price) {
        table_headings(rows, "price^2");
    }
    if (form->energy) {
        table_headings(rows, "energy^2");
    }
}

static void add_rank(table *rows, int rank)
{
    table_cell(rows, rank > 0 ? "%d" : "-", rank);
}

/* ---- The rows of one application ---- */

enum { FIGURES = 6 }; /* from processors to load */

static void add_figures(table *rows, const inlay_compare_row *row)
{
    const inlay_summary *sum = summary_of(row);
    char elapsed[ELAPSED_TEXT];
    table_cell(rows, "%" PRId32 " of %" PRId32, sum->clusters, inlay_machine_processors(row->machine->machine));
    char interval[INTERVAL_TEXT];
    table_cell(rows, "%s%s",
               simulated_elapsed_text(sum->elapsed, sum->elapsed_is, inlay_unit_word(unit_of(row)),
                                      row->machine->machine, sum->load, elapsed),
               simulated_interval_text(row->low, row->high, interval));
    add_number(rows, sum->speedup);
    add_number(rows, sum->efficiency);
    table_cell(rows, "%" PRId64 " %s", sum->traffic, sum->traffic_in_bytes ? "B" : "msg");
    if (sum->free_network) {
        table_cells(rows, "free");
    } else {
        table_cell(rows, "%.4g", sum->load);
    }
}

static void add_row(table *rows, const table_form *form, const inlay_compare_row *row)
{
    static const inlay_compare_figures none = {.price = NAN, .energy = NAN};
    const inlay_machine *machine = row->machine->machine;
    bool answered = row->mapping != NULL;
    add_rank(rows, row->rank);
    table_cell(rows, "%s", row->machine->name);
    table_cell(rows, "%d %s", inlay_machine_model(machine), inlay_family_name(inlay_machine_family(machine)));
    if (answered) {
        add_figures(rows, row);
    }
    for (size_t i = 0; !answered && i < FIGURES; i++) {
        table_cell(rows, "-");
    }
    add_run(rows, form, answered ? &row->figures : &none, row->machine);
    if (answered) {
        char text[BOTTLENECK_TEXT];
        table_cell(rows, "%s", bottleneck_text(row, text));
    } else {
        table_cell(rows, "no answer: %s", row->reason);
    }
    table_mark_row(rows, !answered ? MARK_BAD : row->rank == 1 ? MARK_BEST : MARK_NONE);
}

/* Columns are as wide for one application as for the others; each has a line with its name and the headings. */
static int print_rows(const inlay_comparison *all, const table_form *form)
{
    table rows = {.left = {false, true, true}};
    add_headings(&rows, form, "rank|machine|model^7|processors^1|elapsed|speedup^3|efficiency^4|traffic^6|load^5");
    table_headings(&rows, "bottleneck~");
    for (size_t i = 0; i < inlay_comparison_rows(all); i++) {
        add_row(&rows, form, inlay_comparison_row(all, i));
    }
    int status = rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
    size_t first = 0; /* row of the application at hand */
    for (size_t i = 0; status == INLAY_OK && i < inlay_comparison_rows(all); i++) {
        if (i == 0 || inlay_comparison_row(all, i)->app != inlay_comparison_row(all, i - 1)->app) {
            say(stdout, "%s%-s\n", i > 0 ? "\n" : "", inlay_comparison_row(all, i)->app->name);
            first = i;
            table_print_row(&rows, 0, false, stdout);
            say(stdout, "\n");
        }
        table_print_row(&rows, i + 1, false, stdout);
        say(stdout, "\n");
        bool last = i + 1 == inlay_comparison_rows(all) ||
                    inlay_comparison_row(all, i + 1)->app != inlay_comparison_row(all, i)->app;
        for (size_t k = first; last && k < i; k++) {
            const inlay_compare_row *row = inlay_comparison_row(all, k);
            if (row->tied) {
                say(stdout, "%d and %d cannot be told apart: their intervals overlap by more than half\n", row->rank,
                    row->rank + 1);
            }
        }
    }
    table_end(&rows, stdout);
    return status;
}

/* ---- All applications on each machine ---- */

static void add_total(table *rows, const table_form *form, const inlay_comparison *all,
                      const inlay_compare_total *total)
{
    const inlay_compare_figures *figures = &total->figures;
    add_rank(rows, total->rank);
    table_cell(rows, "%s", total->machine->name);
    table_cell(rows, "%zu of %zu", total->answers, inlay_comparison_apps(all));
    if (total->rank == 0) {
        for (size_t i = 3; i < rows->columns; i++) {
            table_cell(rows, "-");
        }
        return;
    }
    table_cells(rows, "%" PRId32 "|%#.6g %s", figures->processors, figures->elapsed,
                inlay_unit_word(inlay_comparison_total_unit(all)));
    add_number(rows, figures->speedup);
    add_number(rows, figures->efficiency);
    add_run(rows, form, figures, total->machine);
}

static int print_totals(const inlay_comparison *all, const table_form *form)
{
    table rows = {.left = {false, true}};
    add_headings(&rows, form, "rank|machine|answers|processors^4|elapsed|speedup^5|efficiency^6");
    for (size_t i = 0; i < inlay_comparison_totals(all); i++) {
        add_total(&rows, form, all, inlay_comparison_total(all, i));
    }
    int status = rows.failed ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        say(stdout, "\nall %zu applications, one after another\n", inlay_comparison_apps(all));
    }
    for (size_t i = 0; status == INLAY_OK && i < table_rows(&rows); i++) {
        table_print_row(&rows, i, false, stdout);
        say(stdout, "\n");
    }
    table_end(&rows, stdout);
    return status;
}

/* ---- The whole ---- */

int compare_print_table(const cli_answer *a)
{
    const inlay_comparison *all = a->of;
    table_form form = find_form(all);
    int status = print_rows(all, &form);
    if (status == INLAY_OK && inlay_comparison_totals(all) > 0) {
        status = print_totals(all, &form);
    }
    if (status == INLAY_OK && inlay_comparison_unsummed(all) != NULL) {
        say(stdout, "\n%s\n", inlay_comparison_unsummed(all));
    }
    if (status == INLAY_OK && inlay_comparison_note(all) != NULL) {
        say(stdout, "\nnote: ");
        say_wrapped(stdout, inlay_comparison_note(all), strlen("note: "), 0, output_width(stdout));
    }
    return status;
}

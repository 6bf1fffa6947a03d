/* The rows of `inlay compare`: every application on every machine, ranked; and the sums over all applications. */
#include "compare.h"
#include "allowed.h"
#include "simulated.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows ---- */

/*
 * The processors that are asked for are a limit: a smaller machine has what it has. A combination that has no answer,
 * for whatever reason of its own, is a row all the same.
 */
static int fill_row(compare_row *row, const mapping_values *with)
{
    const inlay_machine *machine = row->machine->machine;
    inlay_options options = mapping_options(with);
    inlay_simulation *simulation = NULL;
    row->diag = new_diag();
    if (row->diag == NULL) {
        return INLAY_NO_MEMORY;
    }
    if (options.processors > inlay_machine_processors(machine)) {
        options.processors = inlay_machine_processors(machine);
    }
    row->status = inlay_map(row->app->app, machine, &options, &row->mapping, row->diag);
    if (row->status != INLAY_OK) {
        return row->status == INLAY_NO_MEMORY || row->status == INLAY_SYSTEM ? row->status : INLAY_OK;
    }
    const inlay_summary *sum = inlay_mapping_summary(row->mapping);
    int status = simulated_run(with, row->mapping, &simulation, row->diag);
    row->figures = (compare_figures){.estimate = sum->estimate,
                                     .speedup = sum->speedup,
                                     .efficiency = sum->efficiency,
                                     .processors = sum->clusters,
                                     .price = sum->price,
                                     .energy = sum->energy,
                                     .simulated = simulated_time(simulation)};
    inlay_simulation_free(simulation);
    return status == INLAY_OK ? inlay_mapping_bottleneck(row->mapping, &row->bottleneck, row->diag) : status;
}

const char *compare_reason(const compare_row *row)
{
    const char *message = inlay_diag_message(row->diag), *machine = inlay_machine_text(row->machine->machine);
    size_t length = strlen(machine);
    bool placed = strncmp(message, machine, length) == 0 && strncmp(message + length, ": ", 2) == 0;
    if (message[0] == '\0') {
        return inlay_status_text(row->status);
    }
    return placed ? message + length + 2 : message; /* the row names its machine */
}

/* The rows of one application, ranked. */
static int add_rows_of(comparison *all, const compare_input *app, const mapping_values *with)
{
    compare_row *first = all->rows + all->row_count;
    size_t count = 0;
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].machine == NULL) {
            continue;
        }
        compare_row *row = &first[count++];
        *row = (compare_row){.app = app, .machine = &all->inputs[i]};
        all->row_count++;
        int status = fill_row(row, with);
        if (status != INLAY_OK) {
            return status;
        }
        row->place = compare_place_of(all, row->mapping != NULL ? &row->figures : NULL, row->machine);
    }
    qsort(first, count, sizeof *first, compare_places);
    for (size_t i = 0; i < count && first[i].mapping != NULL; i++) {
        first[i].rank = (int)i + 1;
    }
    return INLAY_OK;
}

int compare_add_rows(comparison *all, const mapping_values *with)
{
    all->rows = calloc(all->input_count * all->input_count, sizeof *all->rows);
    int status = all->rows == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < all->input_count; i++) {
        if (all->inputs[i].app != NULL) {
            status = add_rows_of(all, &all->inputs[i], with);
        }
    }
    return status;
}

void compare_clear_rows(comparison *all)
{
    for (size_t i = 0; i < all->row_count; i++) {
        inlay_mapping_free(all->rows[i].mapping);
        inlay_diag_free(all->rows[i].diag);
    }
    free(all->rows);
    all->rows = NULL;
    all->row_count = 0;
}

/* ---- Totals ---- */

size_t compare_apps(const comparison *all)
{
    size_t apps = 0;
    for (size_t i = 0; i < all->input_count; i++) {
        apps += all->inputs[i].app != NULL;
    }
    return apps;
}

/* How many of `to` one `unit` is; 0 where ticks have no length. */
static double unit_ratio(inlay_unit unit, inlay_unit to, double tick_seconds)
{
    if (unit == to) {
        return 1;
    }
    double length = unit == INLAY_UNIT_TICK ? tick_seconds : inlay_unit_seconds(unit);
    double other = to == INLAY_UNIT_TICK ? tick_seconds : inlay_unit_seconds(to);
    return other > 0 ? length / other : 0;
}

/* The unit that all applications share, else seconds; INLAY_UNIT_NONE where their times do not add. */
static inlay_unit find_unit(const comparison *all, double tick_seconds)
{
    inlay_unit unit = INLAY_UNIT_NONE;
    bool convert = true, shared = true;
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].app == NULL) {
            continue;
        }
        inlay_unit own = inlay_app_unit(all->inputs[i].app);
        shared &= unit == INLAY_UNIT_NONE || own == unit;
        convert &= unit_ratio(own, INLAY_UNIT_S, tick_seconds) > 0;
        unit = own;
    }
    return shared ? unit : convert ? INLAY_UNIT_S : INLAY_UNIT_NONE;
}

/* Sum of m, in the application's unit. */
static double work_of(const compare_row *row)
{
    double work = 0;
    for (inlay_id c = 0; c < row->figures.processors; c++) {
        work += inlay_mapping_cluster(row->mapping, c).busy;
    }
    return work;
}

/* Sums over the rows of a machine; speedup and efficiency are those of the sums. */
static compare_total sum_up(const comparison *all, const compare_input *machine, double tick_seconds)
{
    compare_total total = {.machine = machine};
    compare_figures *sum = &total.figures;
    double work = 0, occupied = 0; /* sums of m, and of processors times estimate */
    for (size_t i = 0; i < all->row_count; i++) {
        const compare_row *row = &all->rows[i];
        if (row->machine != machine || row->mapping == NULL) {
            continue;
        }
        double ratio = unit_ratio(inlay_app_unit(row->app->app), all->total_unit, tick_seconds);
        double estimate = row->figures.estimate * ratio;
        total.answers++;
        sum->estimate += estimate;
        sum->simulated += row->figures.simulated * ratio;
        sum->price += row->figures.price;
        sum->energy += row->figures.energy;
        sum->processors = sum->processors > row->figures.processors ? sum->processors : row->figures.processors;
        occupied += row->figures.processors * estimate;
        work += work_of(row) * ratio;
    }
    sum->speedup = sum->estimate > 0 ? work / sum->estimate : NAN;
    sum->efficiency = occupied > 0 ? work / occupied : NAN;
    return total;
}

int compare_add_totals(comparison *all, const inlay_options *with)
{
    size_t apps = compare_apps(all);
    all->total_unit = find_unit(all, with->tick_seconds);
    if (apps < 2 || all->total_unit == INLAY_UNIT_NONE) {
        return INLAY_OK;
    }
    all->totals = calloc(all->input_count, sizeof *all->totals);
    if (all->totals == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].machine == NULL) {
            continue;
        }
        compare_total *total = &all->totals[all->total_count++];
        *total = sum_up(all, &all->inputs[i], with->tick_seconds);
        total->place = compare_place_of(all, total->answers == apps ? &total->figures : NULL, total->machine);
    }
    qsort(all->totals, all->total_count, sizeof *all->totals, compare_places);
    for (size_t i = 0; i < all->total_count && all->totals[i].answers == apps; i++) {
        all->totals[i].rank = (int)i + 1;
    }
    return INLAY_OK;
}

void compare_clear_totals(comparison *all)
{
    free(all->totals);
    all->totals = NULL;
    all->total_count = 0;
}

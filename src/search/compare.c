/* The rows of a comparison: every application on every machine, ranked; and the sums over all applications. */
#include "search/compare.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/tell.h"
#include <inlay/units.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows ---- */

const char *compare_reason(const inlay_diag *diag, const inlay_machine *machine, int status)
{
    const char *message = inlay_diag_message(diag), *text = machine != NULL ? inlay_machine_text(machine) : "";
    size_t length = strlen(text);
    bool placed = strncmp(message, text, length) == 0 && strncmp(message + length, ": ", 2) == 0;
    if (message[0] == '\0') {
        return inlay_status_text(status);
    }
    return placed ? message + length + 2 : message;
}

static int take_apart(compare_row *row)
{
    const inlay_summary *sum = inlay_mapping_summary(row->mapping);
    row->of.mapping = row->mapping;
    row->of.figures = (inlay_compare_figures){
        .elapsed = sum->elapsed,
        .speedup = sum->speedup,
        .efficiency = sum->efficiency,
        .processors = sum->clusters,
        .price = sum->price,
        .energy = sum->energy,
    };
    inlay_mapping_interval(row->mapping, &row->of.low, &row->of.high);
    return inlay_mapping_bottleneck(row->mapping, &row->of.bottleneck, row->diag);
}

/* By way of the front, which has the same mapping at its end; where there is none, mapping says why. */
static int map_row(compare_row *row, const inlay_options *with, bool front)
{
    const inlay_app *app = row->of.app->app;
    const inlay_machine *machine = row->of.machine->machine;
    const inlay_pareto_options range = {.mapping = *with, .to = with->processors};
    int status = front ? inlay_pareto(app, machine, &range, &row->front, row->diag) : INLAY_NO_ANSWER;
    if (status == INLAY_OK) {
        size_t last = inlay_pareto_points(row->front) - 1;
        status = inlay_pareto_mapping(row->front, last, &row->mapping, row->diag);
        row->of.front = row->front;
    }
    return status == INLAY_OK || status == INLAY_NO_MEMORY ? status
                                                           : inlay_map(app, machine, with, &row->mapping, row->diag);
}

/*
 * The processors that are asked for are a limit: a smaller machine has what it has. A combination that has no answer,
 * for whatever reason of its own, is a row all the same.
 */
static int fill_row(compare_row *row, const inlay_compare_options *options)
{
    const inlay_machine *machine = row->of.machine->machine;
    inlay_options with = options->mapping;
    with.progress = NULL; /* rows are told */
    row->diag = inlay_diag_new();
    row->of.said = row->diag;
    if (row->diag == NULL) {
        return INLAY_NO_MEMORY;
    }
    inlay_diag_keep_warnings(row->diag, true);
    if (with.processors > inlay_machine_processors(machine)) {
        with.processors = inlay_machine_processors(machine);
    }
    row->of.status = map_row(row, &with, options->fronts);
    if (row->of.status == INLAY_OK) {
        return take_apart(row);
    }
    row->of.reason = compare_reason(row->diag, machine, row->of.status);
    return row->of.status == INLAY_NO_MEMORY || row->of.status == INLAY_SYSTEM ? row->of.status : INLAY_OK;
}

/* Never where one of them has no interval. */
static bool are_tied(const inlay_compare_row *a, const inlay_compare_row *b)
{
    double overlap = fmin(a->high, b->high) - fmax(a->low, b->low);
    return isfinite(a->low) && isfinite(b->low) && overlap > fmin(a->high - a->low, b->high - b->low) / 2;
}

/* The rows of one application, ranked. */
static int add_rows_of(inlay_comparison *all, const inlay_compare_input *app, const inlay_compare_options *options,
                       inlay_diag *diag)
{
    compare_row *first = all->rows + all->row_count;
    size_t count = 0;
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].machine == NULL) {
            continue;
        }
        compare_row *row = &first[count++];
        *row = (compare_row){.of = {.app = app, .machine = &all->inputs[i], .low = NAN, .high = NAN}};
        all->row_count++;
        size_t rows = all->apps * (all->input_count - all->apps);
        tell_share(options->mapping.progress, (double)(all->row_count - 1) / (double)rows);
        int status = fill_row(row, options);
        if (status != INLAY_OK) {
            return diag_fail(diag, status, "%s", inlay_diag_message(row->diag));
        }
        row->place = compare_place_of(all, row->mapping != NULL ? &row->of.figures : NULL, row->of.machine);
    }
    qsort(first, count, sizeof *first, compare_places);
    for (size_t i = 0; i < count && first[i].mapping != NULL; i++) {
        first[i].of.rank = (int)i + 1;
        first[i].of.tied = i + 1 < count && are_tied(&first[i].of, &first[i + 1].of);
    }
    return INLAY_OK;
}

/* ---- Totals ---- */

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
static inlay_unit find_unit(const inlay_comparison *all, double tick_seconds)
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
static double work_of(const inlay_compare_row *row)
{
    double work = 0;
    for (inlay_id c = 0; c < row->figures.processors; c++) {
        work += inlay_mapping_cluster(row->mapping, c).busy;
    }
    return work;
}

/* Sums over the rows of a machine; speedup and efficiency are those of the sums. */
static inlay_compare_total sum_up(const inlay_comparison *all, const inlay_compare_input *machine, double tick_seconds)
{
    inlay_compare_total total = {.machine = machine};
    inlay_compare_figures *sum = &total.figures;
    double work = 0, occupied = 0; /* sums of m, and of processors times elapsed time */
    for (size_t i = 0; i < all->row_count; i++) {
        const inlay_compare_row *row = &all->rows[i].of;
        if (row->machine != machine || row->mapping == NULL) {
            continue;
        }
        double ratio = unit_ratio(inlay_app_unit(row->app->app), all->total_unit, tick_seconds);
        double elapsed = row->figures.elapsed * ratio;
        total.answers++;
        sum->elapsed += elapsed;
        sum->price += row->figures.price;
        sum->energy += row->figures.energy;
        sum->processors = sum->processors > row->figures.processors ? sum->processors : row->figures.processors;
        occupied += row->figures.processors * elapsed;
        work += work_of(row) * ratio;
    }
    sum->speedup = sum->elapsed > 0 ? work / sum->elapsed : NAN;
    sum->efficiency = occupied > 0 ? work / occupied : NAN;
    return total;
}

static void add_totals(inlay_comparison *all, double tick_seconds)
{
    all->total_unit = find_unit(all, tick_seconds);
    if (all->apps < 2 || all->total_unit == INLAY_UNIT_NONE) {
        return;
    }
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].machine == NULL) {
            continue;
        }
        compare_total *total = &all->totals[all->total_count++];
        total->of = sum_up(all, &all->inputs[i], tick_seconds);
        bool whole = total->of.answers == all->apps;
        total->place = compare_place_of(all, whole ? &total->of.figures : NULL, total->of.machine);
    }
    qsort(all->totals, all->total_count, sizeof *all->totals, compare_places);
    for (size_t i = 0; i < all->total_count && all->totals[i].of.answers == all->apps; i++) {
        all->totals[i].of.rank = (int)i + 1;
    }
}

/* ---- The whole ---- */

static int take_inputs(inlay_comparison *all, const inlay_compare_input *inputs, size_t count, inlay_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        all->apps += inputs[i].app != NULL;
    }
    size_t machines = count - all->apps;
    if (all->apps == 0 || machines == 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a comparison needs an application and a machine");
    }
    all->inputs = memory_array(count, sizeof *all->inputs);
    all->rows = machines > SIZE_MAX / all->apps ? NULL : memory_zeroed(all->apps * machines, sizeof *all->rows);
    all->totals = memory_zeroed(machines, sizeof *all->totals);
    if (all->inputs == NULL || all->rows == NULL || all->totals == NULL) {
        return diag_no_memory(diag);
    }
    memcpy(all->inputs, inputs, count * sizeof *inputs);
    all->input_count = count;
    return INLAY_OK;
}

static int compare(inlay_comparison *all, const inlay_compare_options *options, inlay_diag *diag)
{
    compare_look_at_machines(all, diag);
    int status = compare_check_sort(all, diag);
    for (size_t i = 0; status == INLAY_OK && i < all->input_count; i++) {
        if (all->inputs[i].app != NULL) {
            status = add_rows_of(all, &all->inputs[i], options, diag);
        }
    }
    if (status == INLAY_OK) {
        add_totals(all, options->mapping.tick_seconds);
    }
    return status;
}

int inlay_compare(const inlay_compare_input *inputs, size_t count, const inlay_compare_options *options,
                  inlay_comparison **comparison, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_compare_options usual = {0};
    options = options != NULL ? options : &usual;
    if (inputs == NULL || comparison == NULL || (unsigned)options->sort > INLAY_SORT_EFFICIENCY) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a comparison needs applications and machines, an order that there is, and a place for the "
                         "result");
    }
    inlay_comparison *all = memory_zeroed(1, sizeof *all);
    if (all == NULL) {
        return diag_no_memory(diag);
    }
    all->sort = options->sort;
    int status = take_inputs(all, inputs, count, diag);
    status = status == INLAY_OK ? compare(all, options, diag) : status;
    if (status != INLAY_OK) {
        inlay_comparison_free(all);
        return status;
    }
    *comparison = all;
    return INLAY_OK;
}

void inlay_comparison_free(inlay_comparison *comparison)
{
    for (size_t i = 0; comparison != NULL && i < comparison->row_count; i++) {
        inlay_mapping_free(comparison->rows[i].mapping);
        inlay_pareto_free(comparison->rows[i].front);
        inlay_diag_free(comparison->rows[i].diag);
    }
    if (comparison != NULL) {
        free(comparison->inputs);
        free(comparison->rows);
        free(comparison->totals);
        free(comparison);
    }
}

/* ---- What it says ---- */

inlay_compare_sort inlay_comparison_sort(const inlay_comparison *comparison)
{
    return comparison->sort;
}

size_t inlay_comparison_apps(const inlay_comparison *comparison)
{
    return comparison->apps;
}

size_t inlay_comparison_rows(const inlay_comparison *comparison)
{
    return comparison->row_count;
}

const inlay_compare_row *inlay_comparison_row(const inlay_comparison *comparison, size_t i)
{
    return &comparison->rows[i].of;
}

size_t inlay_comparison_totals(const inlay_comparison *comparison)
{
    return comparison->total_count;
}

const inlay_compare_total *inlay_comparison_total(const inlay_comparison *comparison, size_t i)
{
    return &comparison->totals[i].of;
}

inlay_unit inlay_comparison_total_unit(const inlay_comparison *comparison)
{
    return comparison->total_unit;
}

const char *inlay_comparison_unsummed(const inlay_comparison *comparison)
{
    return comparison->apps > 1 && comparison->total_count == 0
               ? "no sums over the applications: ticks and seconds do not add without --tick, the length of a tick"
               : NULL;
}

const char *inlay_comparison_note(const inlay_comparison *comparison)
{
    return comparison->note[0] != '\0' ? comparison->note : NULL;
}

/* ---- Speeds ---- */

static bool differ(double a, double b)
{
    return a > 0 && b > 0 && (a < b || a > b);
}

/* What the applications say; 0: none does. */
static int reference_of(inlay_app *const *apps, size_t count, double *reference, inlay_diag *diag)
{
    const inlay_app *first = NULL;
    for (size_t i = 0; i < count; i++) {
        double own = apps[i] == NULL ? 0 : inlay_app_reference_speed(apps[i]);
        if (differ(own, *reference)) {
            diag_remedy(diag, "--reference-speed", "%g Gf", *reference / 1e9);
            return diag_fail(diag, INLAY_BAD_INPUT,
                             "applications '%s' and '%s' have their times on processors of %g and %g Gflop/s; "
                             "expected one reference speed",
                             inlay_app_name(first), inlay_app_name(apps[i]), *reference / 1e9, own / 1e9);
        }
        first = own > 0 && first == NULL ? apps[i] : first;
        *reference = own > 0 ? own : *reference;
    }
    return INLAY_OK;
}

int inlay_compare_speeds(inlay_app *const *apps, inlay_machine *const *machines, size_t count, double reference,
                         inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = reference > 0 ? INLAY_OK : reference_of(apps, count, &reference, diag);
    char first[INLAY_MACHINE_NAME] = "";
    size_t absolute = 0;
    for (size_t i = 0; i < count; i++) {
        absolute += machines[i] != NULL && inlay_machine_flops(machines[i], NULL);
    }
    if (status == INLAY_OK && absolute < 2 && !(reference > 0)) {
        return INLAY_OK; /* its own is as good */
    }
    bool matters = false;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        double flops = 0;
        if (machines[i] == NULL || !inlay_machine_flops(machines[i], &flops)) {
            continue;
        }
        if (!(reference > 0)) {
            const char *text = inlay_machine_text(machines[i]);
            plain_print(first, sizeof first, "%.120s",
                        strlen(text) < sizeof first ? text : inlay_machine_name(machines[i]));
        }
        reference = reference > 0 ? reference : flops;
        matters = matters || differ(flops, reference) || inlay_machine_unlike(machines[i]);
        status = inlay_machine_refer(machines[i], reference, diag);
    }
    if (status == INLAY_OK && *first != '\0' && matters) {
        diag_warn(diag, "times of modules hold on a processor of %g Gflop/s, as on %s; --reference-speed names another",
                  reference / 1e9, first);
    }
    return status;
}

/* The rows of `inlay compare`: every application on every machine, ranked, and what each estimate is made of. */
#include "compare.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What an estimate is made of ---- */

const char *compare_limit_name(compare_limit limit)
{
    static const char *const names[] = {"critical path", "processor", "waiting", "network"};
    return names[limit];
}

double compare_limit_time(const compare_parts *parts)
{
    const double times[] = {parts->critical_path, parts->excess, parts->waiting, parts->messages};
    return times[parts->limit];
}

/* The same processors on a bus so fast that no message takes a time that counts. */
static int make_free(const inlay_mapping *mapping, inlay_machine **machine)
{
    const inlay_machine *from = inlay_mapping_machine(mapping);
    const char *type = inlay_machine_processor_type(from);
    char processors[16], capacity[32];
    (void)snprintf(processors, sizeof processors, "%" PRId32, inlay_machine_processors(from));
    (void)snprintf(capacity, sizeof capacity, "1e18msg/%s",
                   inlay_unit_name(inlay_app_unit(inlay_mapping_app(mapping))));
    const inlay_attribute attributes[] = {{"network", inlay_family_name(INLAY_BUS), 0},
                                          {"processors", processors, 0},
                                          {"capacity", capacity, 0},
                                          {"type", type, 0}};
    return inlay_machine_make(NULL, "free messages", attributes, type != NULL ? 4 : 3, machine, NULL);
}

/* The estimate of the same placement with free messages. */
static int estimate_free(const inlay_mapping *mapping, double *estimate)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    inlay_machine *machine = NULL;
    inlay_mapping *costed = NULL;
    inlay_id *processor_of = calloc((size_t)inlay_app_modules(app), sizeof *processor_of);
    int status = processor_of == NULL ? INLAY_NO_MEMORY : make_free(mapping, &machine);
    for (inlay_id i = 0; status == INLAY_OK && i < inlay_app_modules(app); i++) {
        processor_of[i] = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
    }
    if (status == INLAY_OK) {
        const inlay_options *options = &inlay_mapping_summary(mapping)->options;
        status = inlay_evaluate(app, machine, processor_of, options, &costed, NULL);
    }
    if (status == INLAY_OK) {
        *estimate = inlay_mapping_summary(costed)->estimate;
    }
    inlay_mapping_free(costed);
    inlay_machine_free(machine);
    free(processor_of);
    return status;
}

/* The critical path where the rest hardly matters, else the largest of the times that come on top. */
static compare_limit find_limit(const compare_parts *parts, double estimate)
{
    static const double hardly = 1.05;
    if (estimate <= hardly * parts->critical_path) {
        return LIMIT_CRITICAL_PATH;
    }
    if (parts->excess >= fmax(parts->waiting, parts->messages)) {
        return LIMIT_PROCESSOR;
    }
    return parts->messages >= parts->waiting ? LIMIT_NETWORK : LIMIT_WAITING;
}

/* Processing time of the busiest processor, and its number. */
static double find_busiest(const inlay_mapping *mapping, inlay_id *processor)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    double busiest = -1;
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, c);
        double busy = inlay_app_in_units(app, cluster.busy);
        if (busy > busiest) {
            busiest = busy;
            *processor = cluster.processor;
        }
    }
    return busiest;
}

static int take_apart(const inlay_mapping *mapping, compare_parts *result)
{
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    compare_parts parts = {.critical_path = sum->bound_critical_path};
    double with_free;
    int status = estimate_free(mapping, &with_free);
    if (status != INLAY_OK) {
        return status;
    }
    double least = fmax(parts.critical_path, find_busiest(mapping, &parts.processor));
    parts.excess = least - parts.critical_path;
    parts.waiting = fmax(0, with_free - least);          /* below 0 in the last digit alone */
    parts.messages = fmax(0, sum->estimate - with_free); /* the same */
    parts.limit = find_limit(&parts, sum->estimate);
    *result = parts;
    return INLAY_OK;
}

/* ---- Rows ---- */

/*
 * The processors that are asked for are a limit: a smaller machine has what it has. A combination that has no answer,
 * for whatever reason of its own, is a row all the same.
 */
static int fill_row(compare_row *row, const inlay_options *with)
{
    const inlay_machine *machine = row->machine->machine;
    inlay_options options = *with;
    row->diag = inlay_diag_new();
    if (row->diag == NULL) {
        return INLAY_NO_MEMORY;
    }
    if (options.processors > inlay_machine_processors(machine)) {
        options.processors = inlay_machine_processors(machine);
    }
    row->status = inlay_map(row->app->app, machine, &options, &row->mapping, row->diag);
    if (row->status == INLAY_OK) {
        return take_apart(row->mapping, &row->parts);
    }
    return row->status == INLAY_NO_MEMORY || row->status == INLAY_SYSTEM ? row->status : INLAY_OK;
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

static double estimate_of(const compare_row *row)
{
    return row->mapping != NULL ? inlay_mapping_summary(row->mapping)->estimate : INFINITY;
}

/* By estimate, ties in the order of the command line. */
static int compare_rows(const void *left, const void *right)
{
    const compare_row *a = left, *b = right;
    double of_a = estimate_of(a), of_b = estimate_of(b);
    return of_a != of_b ? (of_a > of_b) - (of_a < of_b) : (a->machine > b->machine) - (a->machine < b->machine);
}

/* The rows of one application, ranked. */
static int add_rows_of(comparison *all, const compare_input *app, const inlay_options *with)
{
    compare_row *first = all->rows + all->row_count;
    size_t count = 0;
    for (size_t i = 0; i < all->input_count; i++) {
        if (all->inputs[i].machine == NULL) {
            continue;
        }
        first[count] = (compare_row){.app = app, .machine = &all->inputs[i]};
        all->row_count++;
        int status = fill_row(&first[count++], with);
        if (status != INLAY_OK) {
            return status;
        }
    }
    qsort(first, count, sizeof *first, compare_rows);
    for (size_t i = 0; i < count && first[i].mapping != NULL; i++) {
        first[i].rank = (int)i + 1;
    }
    return INLAY_OK;
}

int compare_add_rows(comparison *all, const inlay_options *with)
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

/* Files of processor speeds: told apart by content, then made into processors with performance functions. */
#include "io/perf/perf.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include <stdlib.h>
#include <string.h>

/* What a platform owns. The platform comes first, so that it leads to the rest. */
typedef struct box {
    inlay_process_platform platform;
    inlay_processors *row;
    inlay_performance **performance; /* of each row; NULL where it is another one's */
    char **name;
    char ***host;
    char *data_unit;
} box;

/* ---- Collecting ---- */

static void free_hosts(char **host, int64_t count)
{
    for (int64_t i = 0; host != NULL && i < count; i++) {
        free(host[i]);
    }
    free(host);
}

void perf_clear(perf_file *file)
{
    for (size_t i = 0; i < file->types; i++) {
        perf_type *t = &file->type[i];
        free(t->name);
        free_hosts(t->host, t->count);
        free(t->measurement);
    }
    free(file->type);
    free(file->data_unit);
    name_map_clear(&file->numbers);
}

static char *copy_of(const char *text, size_t size)
{
    char *copy = memory_array(size + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

int perf_find_type(const perf_file *file, const char *name, size_t size, perf_type **found)
{
    perf_type *last = file->types > 0 ? &file->type[file->types - 1] : NULL;
    if (last != NULL && strlen(last->name) == size && memcmp(last->name, name, size) == 0) {
        *found = last; /* the usual case */
        return INLAY_OK;
    }
    char *copy = copy_of(name, size);
    if (copy == NULL) {
        return diag_no_memory(file->diag);
    }
    int32_t number = name_map_get(&file->numbers, copy);
    free(copy);
    *found = number < 0 ? NULL : &file->type[number];
    return INLAY_OK;
}

int perf_add_type(perf_file *file, const char *name, size_t size, long line, perf_type **added)
{
    perf_type *there = NULL;
    if (size == 0) {
        return diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, line, "a type without a name; expected one");
    }
    int status = perf_find_type(file, name, size, &there);
    if (status == INLAY_OK && there != NULL) {
        return diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, line,
                            "the type '%.80s' comes twice; expected every type once", there->name);
    }
    char *copy = status == INLAY_OK ? copy_of(name, size) : NULL;
    if (copy == NULL || !memory_grow((void **)&file->type, &file->room, file->types + 1, sizeof *file->type) ||
        !name_map_put(&file->numbers, copy, (int32_t)file->types)) {
        free(copy);
        return diag_no_memory(file->diag);
    }
    *added = &file->type[file->types++];
    **added = (perf_type){.name = copy, .line = line};
    return INLAY_OK;
}

int perf_add_measurement(const perf_file *file, perf_type *type, int64_t processes, double data, double speed)
{
    if (!memory_grow((void **)&type->measurement, &type->room, type->measurements + 1, sizeof *type->measurement)) {
        return diag_no_memory(file->diag);
    }
    type->measurement[type->measurements++] = (inlay_measurement){processes, data, speed};
    return INLAY_OK;
}

/* ---- Functions ---- */

static int make_function(const perf_type *t, inlay_performance_form form, inlay_performance **made, inlay_diag *diag)
{
    if (t->measurements == 0 && t->numbers.c > 0) {
        return inlay_performance_formula(t->form, &t->numbers, made, diag);
    }
    if (t->measurements == 0) {
        return inlay_performance_constant(t->speed, made, diag);
    }
    form = form == INLAY_PERFORMANCE_AS_GIVEN ? t->form : form;
    return form == INLAY_PERFORMANCE_AS_GIVEN || form == INLAY_PERFORMANCE_TABLE
               ? inlay_performance_table(t->measurement, t->measurements, made, diag)
               : inlay_performance_fit(form, t->measurement, t->measurements, made, diag);
}

/* Errors and warnings of a function say whose it is. */
static int make_for_type(const perf_file *file, const perf_type *t, inlay_performance_form form,
                         inlay_performance **made)
{
    inlay_diag *own = inlay_diag_new();
    if (own == NULL) {
        return diag_no_memory(file->diag);
    }
    int status = make_function(t, form, made, own);
    for (size_t i = 0; i < inlay_diag_warnings(own); i++) {
        diag_warn(file->diag, "%s:%ld: type '%.80s': %s", file->source, t->line, t->name, inlay_diag_warning(own, i));
    }
    if (status == INLAY_NO_MEMORY) {
        (void)diag_no_memory(file->diag);
    } else if (status != INLAY_OK) {
        status = diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, t->line, "type '%.80s': %s", t->name,
                              inlay_diag_message(own));
    }
    inlay_diag_free(own);
    return status;
}

/* ---- The platform ---- */

/* The box alone, without what its rows own. */
static void free_box(box *b)
{
    free(b->row);
    free((void *)b->performance);
    free((void *)b->name);
    free((void *)b->host);
    free(b->data_unit);
    free(b);
}

void inlay_process_platform_free(inlay_process_platform *platform)
{
    box *b = (box *)platform;
    for (size_t q = 0; b != NULL && q < platform->problem.rows; q++) {
        inlay_performance_free(b->performance[q]);
        free(b->name[q]);
        free_hosts(b->host[q], b->row[q].count);
    }
    if (b != NULL) {
        free_box(b);
    }
}

static box *make_box(size_t rows)
{
    box *b = memory_zeroed(1, sizeof *b);
    if (b != NULL) {
        b->row = memory_zeroed(rows, sizeof *b->row);
        b->performance = memory_zeroed(rows, sizeof *b->performance);
        b->name = memory_zeroed(rows, sizeof *b->name);
        b->host = memory_zeroed(rows, sizeof *b->host);
        if (b->row == NULL || b->performance == NULL || b->name == NULL || b->host == NULL) {
            free_box(b);
            return NULL;
        }
        b->platform.problem.rows = rows;
        b->platform.problem.row = b->row;
        b->platform.data_unit = "";
    }
    return b;
}

/* Takes over what a type owns. */
static void fill_row(box *b, size_t q, perf_type *t)
{
    bool constant = t->like == 0 && t->measurements == 0 && !(t->numbers.c > 0);
    b->name[q] = t->name;
    b->host[q] = t->host;
    b->row[q] = (inlay_processors){
        .name = t->name,
        .count = t->count > 0 ? t->count : 1,
        .performance = t->like > 0 ? b->row[t->like - 1].performance : b->performance[q],
        .speed = constant ? 0 : t->speed,
        .host = (const char *const *)t->host,
    };
    /* a row like one that has a factor itself gets both */
    if (t->like > 0) {
        double of_other = b->row[t->like - 1].speed;
        b->row[q].speed = (t->speed > 0 ? t->speed : 1) * (of_other > 0 ? of_other : 1);
    }
    t->name = NULL;
    t->host = NULL;
}

/* Formulas and tables go on for ever; that of several processes is not known. */
static void warn_of_limits(const perf_file *file)
{
    size_t limits = 0;
    for (size_t q = 0; q < file->types; q++) {
        limits += file->type[q].unfit > 0;
    }
    if (limits > 0) {
        diag_warn(file->diag, "%s: what fits %zu type%s is not looked at: numbers of processes know no limits",
                  file->source, limits, limits == 1 ? "" : "s");
    }
}

int perf_finish(perf_file *file, inlay_performance_form form, inlay_process_platform **platform)
{
    int status = INLAY_OK;
    int64_t processors = 0;
    warn_of_limits(file);
    if (file->types == 0) {
        return diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, 0, "no processors; expected at least one type");
    }
    for (size_t q = 0; q < file->types; q++) {
        processors += file->type[q].count > 0 ? file->type[q].count : 1;
        if (processors > PERF_COUNT) {
            return diag_fail_at(file->diag, INLAY_BAD_INPUT, file->source, file->type[q].line,
                                "more than %d processors; expected at most so many", PERF_COUNT);
        }
    }
    box *b = make_box(file->types);
    if (b == NULL) {
        return diag_no_memory(file->diag);
    }
    for (size_t q = 0; q < file->types && status == INLAY_OK; q++) {
        if (file->type[q].like == 0) {
            status = make_for_type(file, &file->type[q], form, &b->performance[q]);
        }
        if (status == INLAY_OK) {
            fill_row(b, q, &file->type[q]);
        }
    }
    if (status != INLAY_OK) {
        inlay_process_platform_free(&b->platform);
        return status;
    }
    b->platform.problem.data = file->data;
    b->platform.time_unit = file->time_unit == INLAY_UNIT_NONE ? INLAY_UNIT_S : file->time_unit;
    if (file->data_unit != NULL) {
        b->platform.data_unit = b->data_unit = file->data_unit;
        file->data_unit = NULL;
    }
    *platform = &b->platform;
    return INLAY_OK;
}

/* ---- Reading ---- */

static bool is_json(const char *data, size_t size)
{
    size_t at = 0;
    while (at < size && plain_space(data[at])) {
        at++;
    }
    return at < size && (data[at] == '{' || data[at] == '[');
}

int perf_read(perf_file *file, const char *data, size_t size)
{
    return is_json(data, size) ? perf_read_json(file, data, size) : perf_read_csv(file, data, size);
}

int perf_platform_from(const char *data, size_t size, const char *source, inlay_performance_form form,
                       inlay_process_platform **platform, inlay_diag *diag)
{
    perf_file file = {.source = source, .diag = diag};
    int status = perf_read(&file, data, size);
    status = status == INLAY_OK ? perf_finish(&file, form, platform) : status;
    perf_clear(&file);
    return status;
}

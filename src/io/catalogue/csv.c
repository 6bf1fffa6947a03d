/* Catalogues as CSV: a line of column names, then a type a line. Lines that begin with # are comments. */
#include "base/csv.h"
#include "base/diag.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/catalogue/catalogue.h"
#include <stdlib.h>
#include <string.h>

/* What each column of the file is; -1: not known. */
typedef struct csv_columns {
    int *number;
    size_t count;
} csv_columns;

static void skip_comments(csv_lines *t)
{
    while (csv_skip_blank_lines(t) && *t->at == '#') {
        const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
        t->at = end == NULL ? t->end : end + 1;
        t->next_line++;
    }
}

bool catalogue_looks_like_csv(const char *data, size_t size)
{
    csv_lines t = {0};
    bool type = false, cores = false;
    csv_begin(&t, data, size, "");
    t.at += plain_mark(data, size);
    skip_comments(&t);
    const char *newline = memchr(t.at, '\n', (size_t)(t.end - t.at));
    t.end = newline != NULL ? newline : t.end;
    t.separator = csv_separator(t.at, t.end);
    if (memchr(t.at, '\0', (size_t)(t.end - t.at)) == NULL && csv_take_line(&t, NULL) == INLAY_OK) {
        for (size_t i = 0; i < t.fields; i++) {
            type = type || strcmp(csv_field(&t, i), "type") == 0;
            cores = cores || strcmp(csv_field(&t, i), "cores") == 0;
        }
    }
    csv_end(&t);
    return type && cores;
}

static int take_columns(csv_lines *t, csv_columns *columns, inlay_diag *diag)
{
    text_buffer unknown = {0};
    int status = csv_take_line(t, diag);
    columns->number = status == INLAY_OK ? memory_array(t->fields, sizeof *columns->number) : NULL;
    if (columns->number == NULL) {
        return status == INLAY_OK ? diag_no_memory(diag) : status;
    }
    columns->count = t->fields;
    for (size_t i = 0; i < t->fields && status == INLAY_OK; i++) {
        columns->number[i] = catalogue_column(csv_field(t, i));
        for (size_t j = 0; j < i && columns->number[i] >= 0; j++) {
            if (columns->number[j] == columns->number[i]) {
                status = diag_fail_at(diag, INLAY_BAD_INPUT, t->source, t->line, "column %s stands twice; expected one",
                                      csv_field(t, i));
            }
        }
        if (columns->number[i] < 0 && *csv_field(t, i) != '\0') {
            text_addf(&unknown, "%s%s", unknown.size > 0 ? ", " : "", csv_field(t, i));
        }
    }
    if (status == INLAY_OK && unknown.size > 0 && !unknown.failed) {
        char known[512];
        catalogue_columns(known, sizeof known);
        diag_warn(diag, "%s: columns that are not known are left out: %.200s; known are %s", t->source, unknown.data,
                  known);
    }
    text_clear(&unknown);
    return status;
}

static int take_row(csv_lines *t, const csv_columns *columns, const catalogue_values *values, inlay_catalogue *all,
                    inlay_diag *diag)
{
    catalogue_row row;
    int status = INLAY_OK;
    if (t->fields != columns->count) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, t->source, t->line,
                            "%zu fields; expected %zu, as the first line has", t->fields, columns->count);
    }
    catalogue_begin(&row, t->source, t->line);
    for (size_t i = 0; i < t->fields && status == INLAY_OK; i++) {
        status = columns->number[i] >= 0 ? catalogue_set(all, &row, columns->number[i], csv_field(t, i), diag) : status;
    }
    return status == INLAY_OK ? catalogue_end(all, &row, values, diag) : status;
}

int catalogue_from_csv(const char *data, size_t size, const char *source, const catalogue_values *values,
                       inlay_catalogue *all, inlay_diag *diag)
{
    csv_lines t = {0};
    csv_columns columns = {0};
    int status = csv_check_bytes(data, size, source, diag);
    csv_begin(&t, data, size, source);
    t.at += plain_mark(data, size);
    skip_comments(&t);
    t.separator = csv_separator(t.at, t.end);
    status = status == INLAY_OK ? take_columns(&t, &columns, diag) : status;
    for (skip_comments(&t); status == INLAY_OK && t.at < t.end; skip_comments(&t)) {
        status = csv_take_line(&t, diag);
        status = status == INLAY_OK && t.fields > 0 ? take_row(&t, &columns, values, all, diag) : status;
    }
    csv_end(&t);
    free(columns.number);
    return status;
}

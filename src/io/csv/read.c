/*
 * Tables of modules and links in: what they say under the names of DOT's attributes makes an application, by the reader of
 * DOT. Fields are separated by commas, or by semicolons or tabs where the first line has these; RFC 4180's quotes.
 */
#include "base/csv.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "io/csv/csv.h"
#include "io/dot/dot.h"
#include "io/dot/graph.h"
#include "io/formats.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 1000 };

/* A table's columns. */
typedef struct csv_table {
    text_buffer names;
    size_t *column; /* where they begin in it */
    size_t columns;
    int name, from, to; /* of these columns; -1: there is none */
} csv_table;

typedef struct csv_reader {
    const dot_source *source;
    dot_handler *handler;
    void *context;
    inlay_diag *diag;
    bool ended; /* the handler wants no more */
} csv_reader;

/* ---- Tables ---- */

static const char *name_at(const csv_table *table, size_t column)
{
    return table->names.data + table->column[column];
}

/* The column of one of some names, separated by blanks; -1: none. */
static int find_column(const csv_table *table, const char *names)
{
    size_t length;
    for (const char *word = names; *word != '\0'; word += length + (word[length] == ' ')) {
        length = strcspn(word, " ");
        for (size_t i = 0; i < table->columns; i++) {
            if (strlen(name_at(table, i)) == length && plain_begins(name_at(table, i), word, length)) {
                return (int)i;
            }
        }
    }
    return -1;
}

static int take_columns(csv_lines *t, csv_table *table, inlay_diag *diag)
{
    t->separator = csv_separator(t->at, t->end);
    int status = csv_take_line(t, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (t->fields > MOST_COLUMNS) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, t->source, t->line, "%zu columns; expected at most %d", t->fields,
                            MOST_COLUMNS);
    }
    *table = (csv_table){.column = memory_array(t->fields, sizeof *table->column), .columns = t->fields};
    text_append(&table->names, text_content(&t->text), t->text.size);
    if (table->column == NULL || table->names.failed) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; t->field != NULL && i < table->columns; i++) {
        table->column[i] = t->field[i];
        if (*name_at(table, i) == '\0') {
            return diag_fail_at(diag, INLAY_BAD_INPUT, t->source, t->line, "column %zu has no name; expected one",
                                i + 1);
        }
    }
    table->name = find_column(table, "name module id");
    table->from = find_column(table, "from source");
    table->to = find_column(table, "to target");
    return INLAY_OK;
}

static void table_clear(csv_table *table)
{
    text_clear(&table->names);
    free(table->column);
}

/* ---- Telling ---- */

static void tell(csv_reader *r, dot_event event)
{
    event.depth = 1;
    event.directed = true;
    r->ended = r->ended || !r->handler(r->context, &event);
}

/* What is of the whole stands in a column of modules, the same in all its lines. */
static bool is_of_graph(const char *name)
{
    return strcmp(name, "time_unit") == 0 || strcmp(name, "reference_speed") == 0 || strcmp(name, "period") == 0;
}

static void tell_fields(csv_reader *r, const csv_lines *t, const csv_table *table, bool links)
{
    for (size_t i = 0; i < table->columns; i++) {
        bool end = links ? (int)i == table->from || (int)i == table->to : (int)i == table->name;
        const char *name = name_at(table, i), *value = t->text.data + t->field[i];
        dot_owner owner = links ? DOT_OF_EDGE : is_of_graph(name) ? DOT_OF_GRAPH : DOT_OF_NODE;
        if (!end && *value != '\0') {
            tell(r, (dot_event){.kind = DOT_ATTRIBUTE, .owner = owner, .line = t->line, .name = name, .value = value});
        }
    }
}

static int tell_line(csv_reader *r, const csv_lines *t, const csv_table *table, bool links)
{
    int ends[] = {links ? table->from : table->name, links ? table->to : table->name};
    if (t->fields != table->columns) {
        return diag_fail_at(r->diag, INLAY_BAD_INPUT, t->source, t->line,
                            "%zu fields; expected %zu, as the first line has", t->fields, table->columns);
    }
    tell(r, (dot_event){.kind = DOT_STATEMENT, .line = t->line});
    for (int i = 0; i < (links ? 2 : 1); i++) {
        const char *name = t->text.data + t->field[ends[i]];
        if (*name == '\0') {
            return diag_fail_at(r->diag, INLAY_BAD_INPUT, t->source, t->line, "no %s; expected a module",
                                name_at(table, (size_t)ends[i]));
        }
        if (i > 0) {
            tell(r, (dot_event){.kind = DOT_ARROW, .line = t->line});
        }
        tell(r, (dot_event){.kind = DOT_NODE, .line = t->line, .name = name, .known = links});
    }
    tell_fields(r, t, table, links);
    tell(r, (dot_event){.kind = DOT_STATEMENT_END, .line = t->line});
    return INLAY_OK;
}

/* A table, up to a blank line. */
static int tell_table(csv_reader *r, csv_lines *t, bool links)
{
    csv_table table = {0};
    int status = take_columns(t, &table, r->diag);
    if (status == INLAY_OK && (links ? table.from < 0 || table.to < 0 : table.name < 0)) {
        status = diag_fail_at(r->diag, INLAY_BAD_INPUT, t->source, t->line,
                              "no column %s; expected the first line to name %s", links ? "from or to" : "name",
                              links ? "from, to and what links have" : "name, time and what else modules have");
    }
    bool more = true;
    while (status == INLAY_OK && more && !r->ended) {
        status = csv_take_line(t, r->diag);
        more = t->fields > 0;
        status = status == INLAY_OK && more ? tell_line(r, t, &table, links) : status;
    }
    table_clear(&table);
    return status;
}

/* ---- Both tables ---- */

char *csv_links_path(const char *path)
{
    size_t size = strlen(path), unpacked = format_unpacked(path), point = unpacked;
    while (point > 0 && path[point - 1] != '.' && path[point - 1] != '/') {
        point--;
    }
    point = point > 0 && path[point - 1] == '.' ? point - 1 : unpacked;
    static const char links[] = ".links";
    char *found = memory_array(size + sizeof links, 1);
    if (found != NULL) {
        memcpy(found, path, point);
        memcpy(found + point, links, sizeof links - 1);
        memcpy(found + point + sizeof links - 1, path + point, size - point + 1);
    }
    return found;
}

static int tell_links_beside(csv_reader *r)
{
    if (!file_exists(r->source->edges)) {
        diag_warn(r->diag, "%s: there is no %s, so that the application has no links", r->source->name,
                  r->source->edges);
        return INLAY_OK;
    }
    file_content content;
    csv_lines t = {0};
    int status = file_read(r->source->edges, &content, r->diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t skip = plain_mark(content.data, content.size);
    status = csv_check_bytes(content.data, content.size, r->source->edges, r->diag);
    csv_begin(&t, content.data + skip, content.size - skip, r->source->edges);
    if (status == INLAY_OK && csv_skip_blank_lines(&t)) {
        status = tell_table(r, &t, true);
    }
    csv_end(&t);
    file_content_clear(&content);
    return status;
}

/* Whether something stands behind a blank line, outside quotes. */
static bool has_second_table(const dot_source *source)
{
    bool quoted = false, text = false;
    int newlines = 0; /* since the last character that is no blank */
    for (const char *c = source->data; c < source->data + source->size; c++) {
        quoted = quoted != (*c == '"');
        if (quoted || !plain_space(*c)) {
            if (text && newlines > 1) {
                return true;
            }
            text = true;
            newlines = 0;
        } else {
            newlines += *c == '\n';
        }
    }
    return false;
}

static int walk(const dot_source *source, dot_handler *handler, void *context, inlay_diag *diag)
{
    csv_reader r = {.source = source, .handler = handler, .context = context, .diag = diag};
    csv_lines t = {0};
    char *name = format_graph_name(source->name);
    int status = name == NULL ? diag_no_memory(diag) : csv_check_bytes(source->data, source->size, source->name, diag);
    csv_begin(&t, source->data, source->size, source->name);
    tell(&r, (dot_event){.kind = DOT_GRAPH, .line = 1, .name = name});
    (void)csv_skip_blank_lines(&t);
    status = status == INLAY_OK ? tell_table(&r, &t, false) : status;
    if (status == INLAY_OK && !r.ended) {
        status = source->edges != NULL      ? tell_links_beside(&r)
                 : csv_skip_blank_lines(&t) ? tell_table(&r, &t, true)
                                            : INLAY_OK;
    }
    csv_end(&t);
    free(name);
    return r.ended ? INLAY_OK : status; /* whoever ended it has said why */
}

bool csv_looks_like(const char *data, size_t size)
{
    csv_lines t = {0};
    csv_table table = {0};
    const char *newline = memchr(data, '\n', size);
    csv_begin(&t, data, newline == NULL ? size : (size_t)(newline - data), "");
    bool good = memchr(data, '\0', (size_t)(t.end - data)) == NULL && take_columns(&t, &table, NULL) == INLAY_OK &&
                table.name >= 0 && find_column(&table, "time") >= 0;
    table_clear(&table);
    csv_end(&t);
    return good;
}

int csv_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
             inlay_diag *diag)
{
    dot_source both = {.data = data, .size = size, .name = source, .walk = walk};
    bool one = strcmp(source, "standard input") == 0 || has_second_table(&both);
    char *links = one ? NULL : csv_links_path(source);
    if (!one && links == NULL) {
        return diag_no_memory(diag);
    }
    both.edges = links;
    int status = dot_app_from_source(&both, how, app, diag);
    free(links);
    return status;
}

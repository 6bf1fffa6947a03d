/* Tables of modules and links out: a column for each attribute that one of them has. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/app_words.h"
#include "io/csv/csv.h"
#include "io/formats.h"
#include "io/line_writer.h"
#include <stdlib.h>
#include <string.h>

typedef struct csv_column {
    char *name;
    text_buffer value; /* of the line under way */
} csv_column;

typedef struct csv_writer {
    const inlay_app *app;
    inlay_diag *diag;
    csv_column *column;
    size_t columns, room;
    bool gathers; /* columns are gathered, nothing is written */
    line_writer w;
} csv_writer;

/* ---- Columns ---- */

static int say(void *context, const char *name, const char *value)
{
    csv_writer *c = context;
    size_t i = 0;
    while (i < c->columns && strcmp(c->column[i].name, name) != 0) {
        i++;
    }
    if (i == c->columns) {
        const csv_column added = {.name = memory_string(name)};
        if (added.name == NULL || !memory_grow((void **)&c->column, &c->room, i + 1, sizeof added)) {
            free(added.name);
            return diag_no_memory(c->diag);
        }
        c->column[c->columns++] = added;
    }
    c->column[i].value.size = 0;
    text_append(&c->column[i].value, value, strlen(value) + 1);
    return c->column[i].value.failed ? diag_no_memory(c->diag) : INLAY_OK;
}

/* Seconds are what is taken where nothing is said. */
static int say_of_graph(void *context, const char *name, const char *value)
{
    return strcmp(name, "time_unit") == 0 && strcmp(value, "s") == 0 ? INLAY_OK : say(context, name, value);
}

static void columns_clear(csv_writer *c)
{
    for (size_t i = 0; i < c->columns; i++) {
        free(c->column[i].name);
        text_clear(&c->column[i].value);
    }
    free(c->column);
    c->column = NULL;
    c->columns = c->room = 0;
}

static void put_names(csv_writer *c)
{
    for (size_t i = 0; i < c->columns; i++) {
        line_csv(&c->w, c->column[i].name, i + 1 < c->columns ? ',' : '\n');
    }
}

/* What was said of a line, which is forgotten then. */
static void end_line(csv_writer *c)
{
    for (size_t i = 0; i < c->columns; i++) {
        text_buffer *value = &c->column[i].value;
        if (!c->gathers) {
            line_csv(&c->w, value->size > 0 ? value->data : "", i + 1 < c->columns ? ',' : '\n');
        }
        value->size = 0;
    }
}

/* ---- Tables ---- */

static int put_modules(csv_writer *c)
{
    inlay_id modules = inlay_app_modules(c->app);
    int status = INLAY_OK;
    for (inlay_id i = 0; status == INLAY_OK && i < modules + inlay_app_blocks(c->app); i++) {
        bool module = i < modules;
        status = say(c, "name", module ? inlay_app_module_name(c->app, i) : inlay_app_block_name(c->app, i - modules));
        if (status == INLAY_OK) {
            status = module ? app_say_module(c->app, i, say, c, c->diag) : app_say_block(c->app, i - modules, say, c);
        }
        status = status == INLAY_OK ? app_say_graph(c->app, say_of_graph, c) : status;
        end_line(c);
    }
    return status;
}

static int say_ends(csv_writer *c, const char *from, inlay_id to)
{
    int status = say(c, "from", from);
    return status == INLAY_OK ? say(c, "to", inlay_app_module_name(c->app, to)) : status;
}

static int put_links(csv_writer *c)
{
    const inlay_app *app = c->app;
    int status = INLAY_OK;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        apart_links links = {.app = app, .from = i};
        apart_link link;
        while (status == INLAY_OK && apart_next(&links, &link)) {
            status = say_ends(c, inlay_app_module_name(app, i), link.to);
            status = status == INLAY_OK ? app_say_link(app, &link, say, c) : status;
            end_line(c);
        }
    }
    for (inlay_id b = 0; b < inlay_app_blocks(app); b++) {
        inlay_links uses = inlay_app_uses(app, b);
        for (int64_t u = 0; status == INLAY_OK && u < uses.count; u++) {
            status = say_ends(c, inlay_app_block_name(app, b), uses.module[u]);
            status = status == INLAY_OK ? app_say_use(app, b, &uses, u, say, c) : status;
            end_line(c);
        }
    }
    return status;
}

/* Once for the columns, once for the lines. @param first  the columns that stand there in every case */
static int put_table(csv_writer *c, int (*put)(csv_writer *c), const char *const first[2])
{
    c->gathers = true;
    int status = say(c, first[0], "");
    status = status == INLAY_OK ? say(c, first[1], "") : status;
    status = status == INLAY_OK ? put(c) : status;
    c->gathers = false;
    if (status == INLAY_OK) {
        put_names(c);
        status = put(c);
    }
    columns_clear(c);
    return status;
}

/* One of the tables, or behind a blank line both. */
static int put_tables(const inlay_app *app, const char *path, bool modules, bool links, inlay_diag *diag)
{
    static const char *const of_modules[] = {"name", "time"}, *const of_links[] = {"from", "to"};
    csv_writer c = {.app = app, .diag = diag};
    int status = inlay_file_open(path, &c.w.to, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = modules ? put_table(&c, put_modules, of_modules) : INLAY_OK;
    line_text(&c.w, modules && links ? "\n" : "");
    status = status == INLAY_OK && links ? put_table(&c, put_links, of_links) : status;
    if (status != INLAY_OK) {
        inlay_file_abandon(c.w.to);
        return status;
    }
    line_flush(&c.w);
    return inlay_file_close(c.w.to, diag);
}

int csv_to_path(const inlay_app *app, const char *path, inlay_diag *diag)
{
    if (strcmp(path, "-") == 0) {
        return put_tables(app, path, true, true, diag);
    }
    char *beside = csv_links_path(path);
    int status = beside == NULL ? diag_no_memory(diag) : put_tables(app, path, true, false, diag);
    status = status == INLAY_OK ? put_tables(app, beside, false, true, diag) : status;
    free(beside);
    return status;
}

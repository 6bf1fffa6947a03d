/* Writing an application as a DOT graph that reads back as the same application. */
#include "base/decimal.h"
#include "base/diag.h"
#include "graph/data.h"
#include "io/dot/dot.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct app_writer {
    const inlay_app *app;
    text_buffer *to;
    inlay_diag *diag;
    bool open; /* inside the brackets of a statement's attributes */
} app_writer;

/* ---- Parts of a statement ---- */

static int add_id(app_writer *w, const char *id)
{
    if (dot_add_id(w->to, id)) {
        return INLAY_OK;
    }
    return diag_fail(
        w->diag, INLAY_BAD_INPUT,
        "'%s' cannot be written in DOT; expected no backslash in front of a quote, a line's end or its end", id);
}

static void separate(app_writer *w)
{
    text_add(w->to, w->open ? ", " : " [");
    w->open = true;
}

/* The name is one of Inlay's own, which need no quotes. */
static void begin_attribute(app_writer *w, const char *name)
{
    separate(w);
    text_addf(w->to, "%s=", name);
}

static void add_decimal(app_writer *w, inlay_time time)
{
    char digits[DECIMAL_TEXT];
    text_add(w->to, decimal_text((inlay_decimal){time, inlay_app_decimals(w->app)}, digits));
}

static void add_whole(app_writer *w, const char *name, int64_t value)
{
    begin_attribute(w, name);
    text_addf(w->to, "%" PRId64, value);
}

static void add_time(app_writer *w, const char *name, inlay_time time)
{
    begin_attribute(w, name);
    add_decimal(w, time);
}

static int add_double(app_writer *w, const char *name, double value)
{
    char digits[DOUBLE_TEXT];
    begin_attribute(w, name);
    return add_id(w, double_text(value, digits));
}

static void end_statement(app_writer *w)
{
    text_add(w->to, w->open ? "];\n" : ";\n");
    w->open = false;
}

/* ---- Statements ---- */

static int add_kind(app_writer *w, inlay_id module)
{
    const char *kind = inlay_app_module_kind(w->app, module);
    if (kind == NULL || *kind == '\0') {
        return INLAY_OK;
    }
    bool is_data = strcmp(kind, "data") == 0;
    if (is_data || strcmp(kind, "eor") == 0 || strcmp(kind, "and") == 0) {
        return diag_fail(w->diag, INLAY_BAD_INPUT,
                         "module '%s' has the kind '%s', which means a %s in DOT; expected another kind",
                         inlay_app_module_name(w->app, module), kind, is_data ? "data block" : "stochastic graph");
    }
    begin_attribute(w, "kind");
    return add_id(w, kind);
}

/* "time.TYPE"=... */
static int add_type_time(app_writer *w, const char *type, inlay_time time)
{
    text_buffer name = {0};
    text_addf(&name, "time.%s", type);
    separate(w);
    int status = name.failed ? diag_no_memory(w->diag) : add_id(w, name.data);
    text_add(w->to, "=");
    add_decimal(w, time);
    text_clear(&name);
    return status;
}

static int add_type_times(app_writer *w, inlay_id module)
{
    int status = INLAY_OK;
    for (int type = 0; type < inlay_app_types(w->app) && status == INLAY_OK; type++) {
        inlay_time time = inlay_app_type_time(w->app, type, module);
        if (time >= 0) {
            status = add_type_time(w, inlay_app_type_name(w->app, type), time);
        }
    }
    return status;
}

static int add_counts(app_writer *w, inlay_id module)
{
    double arithmetic = inlay_app_arithmetic(w->app, module), functions = inlay_app_functions(w->app, module);
    int status = arithmetic > 0 ? add_double(w, "arithmetic", arithmetic) : INLAY_OK;
    if (status == INLAY_OK && functions > 0) {
        status = add_double(w, "functions", functions);
    }
    return status;
}

static int add_module(app_writer *w, inlay_id module)
{
    const inlay_app *app = w->app;
    text_add(w->to, "  ");
    int status = add_id(w, inlay_app_module_name(app, module));
    add_time(w, "time", inlay_app_time(app, module));
    if (inlay_app_has_blocking(app)) {
        add_time(w, "blocking", inlay_app_blocking(app, module));
    }
    if (inlay_app_deadline(app, module) > 0) {
        add_time(w, "deadline", inlay_app_deadline(app, module));
    }
    if (inlay_app_memory(app, module) != 0) {
        add_whole(w, "memory", inlay_app_memory(app, module));
    }
    if (inlay_app_cores(app, module) != 1) {
        add_whole(w, "cores", inlay_app_cores(app, module));
    }
    if (inlay_app_pin(app, module) >= 0) {
        add_whole(w, "pin", inlay_app_pin(app, module));
    }
    if (status == INLAY_OK) {
        status = add_kind(w, module);
    }
    if (status == INLAY_OK) {
        status = add_counts(w, module);
    }
    if (status == INLAY_OK) {
        status = add_type_times(w, module);
    }
    end_statement(w);
    return status;
}

static int add_block(app_writer *w, inlay_id block)
{
    text_add(w->to, "  ");
    int status = add_id(w, inlay_app_block_name(w->app, block));
    begin_attribute(w, "kind");
    text_add(w->to, "data");
    add_whole(w, "size", inlay_app_block_size(w->app, block));
    if (inlay_app_block_time(w->app, block) != 0) {
        add_time(w, "time", inlay_app_block_time(w->app, block));
    }
    end_statement(w);
    return status;
}

/* A link or a use; `bytes` is what a reader takes where none are written. */
static int add_link(app_writer *w, const char *from, const apart_link *link, int64_t bytes)
{
    text_add(w->to, "  ");
    int status = add_id(w, from);
    text_add(w->to, " -> ");
    if (status == INLAY_OK) {
        status = add_id(w, inlay_app_module_name(w->app, link->to));
    }
    if (link->messages != 1) {
        add_whole(w, "messages", link->messages);
    }
    if (link->bytes != bytes) {
        add_whole(w, "bytes", link->bytes);
    }
    if (link->flags & INLAY_LINK_TRAFFIC_ONLY) {
        begin_attribute(w, "kind");
        text_add(w->to, "traffic");
    }
    if (status == INLAY_OK && link->data != NULL) {
        begin_attribute(w, "data");
        status = add_id(w, link->data);
    }
    end_statement(w);
    return status;
}

static int add_links(app_writer *w, inlay_id module)
{
    apart_links links = {.app = w->app, .from = module};
    apart_link link;
    int status = INLAY_OK;
    while (status == INLAY_OK && apart_next(&links, &link)) {
        status = add_link(w, inlay_app_module_name(w->app, module), &link, 0);
    }
    return status;
}

static int add_uses(app_writer *w, inlay_id block)
{
    inlay_links uses = inlay_app_uses(w->app, block);
    int status = INLAY_OK;
    for (int64_t i = 0; i < uses.count && status == INLAY_OK; i++) {
        const apart_link use = {.to = uses.module[i], .messages = uses.messages[i], .bytes = uses.bytes[i]};
        status = add_link(w, inlay_app_block_name(w->app, block), &use, inlay_app_block_size(w->app, block));
    }
    return status;
}

static int add_header(app_writer *w)
{
    text_add(w->to, "digraph ");
    int status = add_id(w, inlay_app_name(w->app));
    text_addf(w->to, " {\n  graph [time_unit=%s", inlay_unit_name(inlay_app_unit(w->app)));
    if (inlay_app_reference_speed(w->app) > 0) {
        char text[DOUBLE_TEXT];
        text_addf(w->to, ", reference_speed=\"%sf\"", double_text(inlay_app_reference_speed(w->app), text));
    }
    if (inlay_app_period(w->app) > 0) {
        char text[DOUBLE_TEXT];
        text_addf(w->to, ", period=\"%s\"", double_text(inlay_app_period(w->app), text));
    }
    text_add(w->to, "];\n");
    return status;
}

static int add_app(app_writer *w)
{
    const inlay_app *app = w->app;
    inlay_id modules = inlay_app_modules(app), blocks = inlay_app_blocks(app);
    int status = add_header(w);
    for (inlay_id i = 0; i < modules && status == INLAY_OK; i++) {
        status = add_module(w, i);
    }
    for (inlay_id i = 0; i < blocks && status == INLAY_OK; i++) {
        status = add_block(w, i);
    }
    for (inlay_id i = 0; i < modules && status == INLAY_OK; i++) {
        status = add_links(w, i);
    }
    for (inlay_id i = 0; i < blocks && status == INLAY_OK; i++) {
        status = add_uses(w, i);
    }
    text_add(w->to, "}\n");
    return status;
}

int dot_app_to(const inlay_app *app, text_buffer *to, inlay_diag *diag)
{
    text_buffer written = {0};
    app_writer w = {.app = app, .to = &written, .diag = diag};
    int status = add_app(&w);
    if (status == INLAY_OK && written.failed) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        text_append(to, written.data, written.size);
    }
    text_clear(&written);
    return status;
}

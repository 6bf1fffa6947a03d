/* Writing an application as a DOT graph that reads back as the same application. */
#include "base/decimal.h"
#include "base/diag.h"
#include "io/app_words.h"
#include "io/dot/dot.h"

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

/* An attribute of the statement under way. */
static int say(void *context, const char *name, const char *value)
{
    app_writer *w = context;
    text_add(w->to, w->open ? ", " : " [");
    w->open = true;
    int status = add_id(w, name);
    text_add(w->to, "=");
    return status == INLAY_OK ? add_id(w, value) : status;
}

static void end_statement(app_writer *w)
{
    text_add(w->to, w->open ? "];\n" : ";\n");
    w->open = false;
}

/* ---- Statements ---- */

static int add_module(app_writer *w, inlay_id module)
{
    text_add(w->to, "  ");
    int status = add_id(w, inlay_app_module_name(w->app, module));
    status = status == INLAY_OK ? app_say_module(w->app, module, say, w, w->diag) : status;
    end_statement(w);
    return status;
}

static int add_block(app_writer *w, inlay_id block)
{
    text_add(w->to, "  ");
    int status = add_id(w, inlay_app_block_name(w->app, block));
    status = status == INLAY_OK ? app_say_block(w->app, block, say, w) : status;
    end_statement(w);
    return status;
}

static int add_arrow(app_writer *w, const char *from, inlay_id to)
{
    text_add(w->to, "  ");
    int status = add_id(w, from);
    text_add(w->to, " -> ");
    return status == INLAY_OK ? add_id(w, inlay_app_module_name(w->app, to)) : status;
}

static int add_links(app_writer *w, inlay_id module)
{
    apart_links links = {.app = w->app, .from = module};
    apart_link link;
    int status = INLAY_OK;
    while (status == INLAY_OK && apart_next(&links, &link)) {
        status = add_arrow(w, inlay_app_module_name(w->app, module), link.to);
        status = status == INLAY_OK ? app_say_link(w->app, &link, say, w) : status;
        end_statement(w);
    }
    return status;
}

static int add_uses(app_writer *w, inlay_id block)
{
    inlay_links uses = inlay_app_uses(w->app, block);
    int status = INLAY_OK;
    for (int64_t i = 0; i < uses.count && status == INLAY_OK; i++) {
        status = add_arrow(w, inlay_app_block_name(w->app, block), uses.module[i]);
        status = status == INLAY_OK ? app_say_use(w->app, block, &uses, i, say, w) : status;
        end_statement(w);
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

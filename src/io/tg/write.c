/* .tg out: header, modules, links, and a section for everything else that the application has (see tg_sections.c). */
#include "base/decimal.h"
#include "graph/data.h"
#include "io/formats.h"
#include "io/line_writer.h"
#include <stdio.h>
#include <string.h>

/* ---- Fields ---- */

static void put_time(line_writer *w, const inlay_app *app, inlay_time time, char behind)
{
    if (inlay_app_decimals(app) == 0) {
        line_number(w, time, behind);
        return;
    }
    char digits[DECIMAL_TEXT];
    line_text(w, decimal_text((inlay_decimal){time, inlay_app_decimals(app)}, digits));
    line_bytes(w, &behind, 1);
}

/* Whether a character of a text must be escaped: blanks at either end would be lost. */
static bool is_special(const char *text, const char *c)
{
    return (unsigned char)*c < ' ' || *c == '"' || *c == '\\' || (*c == ' ' && (c == text || c[1] == '\0'));
}

static void put_escape(line_writer *w, char c)
{
    char escape[8];
    if (c == '"' || c == '\\') {
        snprintf(escape, sizeof escape, "\\%c", c);
    } else {
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)c);
    }
    line_text(w, escape);
}

/* The last field of a line. */
static void put_text(line_writer *w, const char *text)
{
    const char *plain = text, *c = text;
    for (; *c != '\0'; c++) {
        if (is_special(text, c)) {
            line_bytes(w, plain, (size_t)(c - plain));
            put_escape(w, *c);
            plain = c + 1;
        }
    }
    line_bytes(w, plain, (size_t)(c - plain));
    line_bytes(w, "\n", 1);
}

static void put_double(line_writer *w, double value)
{
    char text[DOUBLE_TEXT];
    line_text(w, double_text(value, text));
    line_bytes(w, "\n", 1);
}

/* ---- Modules and links ---- */

static void put_modules(line_writer *w, const inlay_app *app)
{
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        put_time(w, app, inlay_app_time(app, i), ' ');
        if (inlay_app_has_blocking(app)) {
            put_time(w, app, inlay_app_blocking(app, i), ' ');
        } else {
            line_bytes(w, "- ", 2);
        }
        line_number(w, inlay_app_memory(app, i), ' ');
        put_text(w, inlay_app_module_name(app, i));
    }
}

static void put_links(line_writer *w, const inlay_app *app)
{
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        apart_links links = {.app = app, .from = i};
        apart_link l;
        while (apart_next(&links, &l)) {
            line_number(w, i, ' ');
            line_number(w, l.to, ' ');
            line_number(w, l.messages, ' ');
            line_number(w, l.bytes, ' ');
            if (l.data == NULL) {
                line_bytes(w, l.flags & INLAY_LINK_TRAFFIC_ONLY ? "t\n" : "-\n", 2);
            } else {
                line_bytes(w, "- ", 2);
                put_text(w, l.data);
            }
        }
    }
}

/* ---- Sections ---- */

/* What a section says of a module; `put` writes what stands behind the module's number, up to the newline. */
typedef struct detail {
    const char *word;
    bool (*has)(const inlay_app *app, inlay_id module);
    void (*put)(line_writer *w, const inlay_app *app, inlay_id module);
} detail;

static bool has_cores(const inlay_app *app, inlay_id module)
{
    return inlay_app_cores(app, module) != 1;
}

static void put_cores(line_writer *w, const inlay_app *app, inlay_id module)
{
    line_number(w, inlay_app_cores(app, module), '\n');
}

static bool has_pin(const inlay_app *app, inlay_id module)
{
    return inlay_app_pin(app, module) >= 0;
}

static void put_pin(line_writer *w, const inlay_app *app, inlay_id module)
{
    line_number(w, inlay_app_pin(app, module), '\n');
}

static bool has_kind(const inlay_app *app, inlay_id module)
{
    return inlay_app_module_kind(app, module) != NULL;
}

static void put_kind(line_writer *w, const inlay_app *app, inlay_id module)
{
    put_text(w, inlay_app_module_kind(app, module));
}

static bool has_arithmetic(const inlay_app *app, inlay_id module)
{
    return inlay_app_arithmetic(app, module) > 0;
}

static void put_arithmetic(line_writer *w, const inlay_app *app, inlay_id module)
{
    put_double(w, inlay_app_arithmetic(app, module));
}

static bool has_functions(const inlay_app *app, inlay_id module)
{
    return inlay_app_functions(app, module) > 0;
}

static void put_functions(line_writer *w, const inlay_app *app, inlay_id module)
{
    put_double(w, inlay_app_functions(app, module));
}

static bool has_deadline(const inlay_app *app, inlay_id module)
{
    return inlay_app_deadline(app, module) > 0;
}

static void put_deadline(line_writer *w, const inlay_app *app, inlay_id module)
{
    put_time(w, app, inlay_app_deadline(app, module), '\n');
}

static bool has_traffic_memory(const inlay_app *app, inlay_id module)
{
    return inlay_app_traffic_memory(app, module) > 0;
}

static void put_traffic_memory(line_writer *w, const inlay_app *app, inlay_id module)
{
    line_number(w, inlay_app_traffic_memory(app, module), '\n');
}

static const detail details[] = {
    {"cores ", has_cores, put_cores},
    {"pins ", has_pin, put_pin},
    {"kinds ", has_kind, put_kind},
    {"arithmetic ", has_arithmetic, put_arithmetic},
    {"functions ", has_functions, put_functions},
    {"deadlines ", has_deadline, put_deadline},
    {"traffic_memory ", has_traffic_memory, put_traffic_memory},
};

static void put_details(line_writer *w, const inlay_app *app, const detail *d)
{
    inlay_id count = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        count += d->has(app, i);
    }
    if (count == 0) {
        return;
    }
    line_text(w, d->word);
    line_number(w, count, '\n');
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        if (d->has(app, i)) {
            line_number(w, i, ' ');
            d->put(w, app, i);
        }
    }
}

static void put_type_times(line_writer *w, const inlay_app *app, int type)
{
    inlay_id count = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        count += inlay_app_type_time(app, type, i) != -1;
    }
    line_text(w, "times ");
    line_number(w, count, ' ');
    put_text(w, inlay_app_type_name(app, type));
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_time time = inlay_app_type_time(app, type, i);
        if (time == INLAY_NEVER) {
            line_number(w, i, ' ');
            line_text(w, "-\n");
        } else if (time >= 0) {
            line_number(w, i, ' ');
            put_time(w, app, time, '\n');
        }
    }
}

static void put_uses(line_writer *w, const inlay_app *app)
{
    int64_t count = 0;
    for (inlay_id b = 0; b < inlay_app_blocks(app); b++) {
        count += inlay_app_uses(app, b).count;
    }
    line_text(w, "uses ");
    line_number(w, count, '\n');
    for (inlay_id b = 0; b < inlay_app_blocks(app); b++) {
        inlay_links uses = inlay_app_uses(app, b);
        for (int64_t u = 0; u < uses.count; u++) {
            line_number(w, b, ' ');
            line_number(w, uses.module[u], ' ');
            line_number(w, uses.messages[u], ' ');
            line_number(w, uses.bytes[u], '\n');
        }
    }
}

static void put_blocks(line_writer *w, const inlay_app *app)
{
    line_text(w, "blocks ");
    line_number(w, inlay_app_blocks(app), '\n');
    for (inlay_id b = 0; b < inlay_app_blocks(app); b++) {
        line_number(w, inlay_app_block_size(app, b), ' ');
        put_time(w, app, inlay_app_block_time(app, b), ' ');
        put_text(w, inlay_app_block_name(app, b));
    }
    put_uses(w, app);
}

int tg_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag)
{
    (void)diag; /* there is nothing that the format cannot say */
    line_writer w = {.to = to};
    line_text(&w, inlay_app_data(app) == 0 ? "tg 1 " : "tg 2 ");
    line_number(&w, inlay_app_modules(app), ' ');
    line_number(&w, apart_count(app), ' ');
    line_text(&w, inlay_unit_name(inlay_app_unit(app)));
    line_bytes(&w, "\n", 1);
    put_modules(&w, app);
    put_links(&w, app);
    if (inlay_app_reference_speed(app) > 0) {
        line_text(&w, "reference 1\n");
        put_double(&w, inlay_app_reference_speed(app));
    }
    if (inlay_app_period(app) > 0) {
        line_text(&w, "period 1\n");
        put_double(&w, inlay_app_period(app));
    }
    for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
        put_details(&w, app, &details[i]);
    }
    for (int t = 0; t < inlay_app_types(app); t++) {
        put_type_times(&w, app, t);
    }
    if (inlay_app_blocks(app) > 0) {
        put_blocks(&w, app);
    }
    line_flush(&w);
    return INLAY_OK;
}

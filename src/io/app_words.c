/* What an application says of its parts. */
#include "io/app_words.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* To whom it is said, and what came of it. */
typedef struct speaker {
    const inlay_app *app;
    app_say *say;
    void *context;
    int status;
} speaker;

static void say_text(speaker *s, const char *name, const char *value)
{
    s->status = s->status == INLAY_OK ? s->say(s->context, name, value) : s->status;
}

static void say_time(speaker *s, const char *name, inlay_time time)
{
    char digits[DECIMAL_TEXT];
    say_text(s, name, decimal_text((inlay_decimal){time, inlay_app_decimals(s->app)}, digits));
}

/* Where it is not what a reader takes where nothing is said. */
static void say_whole(speaker *s, const char *name, int64_t value, int64_t usual)
{
    if (value != usual) {
        char digits[24];
        (void)snprintf(digits, sizeof digits, "%" PRId64, value);
        say_text(s, name, digits);
    }
}

static void say_double(speaker *s, const char *name, double value, const char *unit)
{
    if (value > 0) {
        char text[DOUBLE_TEXT], whole[DOUBLE_TEXT + 4];
        (void)plain_print(whole, sizeof whole, "%s%s", double_text(value, text), unit);
        say_text(s, name, whole);
    }
}

int app_say_graph(const inlay_app *app, app_say *say, void *context)
{
    speaker s = {app, say, context, INLAY_OK};
    say_text(&s, "time_unit", inlay_unit_name(inlay_app_unit(app)));
    say_double(&s, "reference_speed", inlay_app_reference_speed(app), "f");
    say_double(&s, "period", inlay_app_period(app), "");
    return s.status;
}

/* ---- Modules and blocks ---- */

static int check_kind(const inlay_app *app, inlay_id module, inlay_diag *diag)
{
    const char *kind = inlay_app_module_kind(app, module);
    bool is_data = kind != NULL && strcmp(kind, "data") == 0;
    return kind != NULL && (is_data || strcmp(kind, "eor") == 0 || strcmp(kind, "and") == 0)
               ? diag_fail(
                     diag, INLAY_BAD_INPUT,
                     "module '%s' has the kind '%s', which means a %s in DOT, GraphML and CSV; expected another kind",
                     inlay_app_module_name(app, module), kind, is_data ? "data block" : "stochastic graph")
               : INLAY_OK;
}

/* time.TYPE */
static void say_type_times(speaker *s, inlay_id module)
{
    for (int type = 0; s->status == INLAY_OK && type < inlay_app_types(s->app); type++) {
        inlay_time time = inlay_app_type_time(s->app, type, module);
        size_t size = strlen(inlay_app_type_name(s->app, type)) + sizeof "time.";
        bool never = time == INLAY_NEVER, given = never || time >= 0;
        char *name = given ? memory_array(size, 1) : NULL;
        if (name != NULL) {
            (void)snprintf(name, size, "time.%s", inlay_app_type_name(s->app, type));
        }
        if (name != NULL && never) {
            say_text(s, name, "none");
        } else if (name != NULL) {
            say_time(s, name, time);
        }
        s->status = given && name == NULL ? INLAY_NO_MEMORY : s->status;
        free(name);
    }
}

int app_say_module(const inlay_app *app, inlay_id module, app_say *say, void *context, inlay_diag *diag)
{
    speaker s = {app, say, context, check_kind(app, module, diag)};
    const char *kind = inlay_app_module_kind(app, module);
    say_time(&s, "time", inlay_app_time(app, module));
    if (inlay_app_has_blocking(app)) {
        say_time(&s, "blocking", inlay_app_blocking(app, module));
    }
    if (inlay_app_deadline(app, module) > 0) {
        say_time(&s, "deadline", inlay_app_deadline(app, module));
    }
    say_whole(&s, "memory", inlay_app_memory(app, module), 0);
    say_whole(&s, "traffic_memory", inlay_app_traffic_memory(app, module), 0);
    say_whole(&s, "cores", inlay_app_cores(app, module), 1);
    say_whole(&s, "pin", inlay_app_pin(app, module), -1);
    if (kind != NULL && *kind != '\0') {
        say_text(&s, "kind", kind);
    }
    say_double(&s, "arithmetic", inlay_app_arithmetic(app, module), "");
    say_double(&s, "functions", inlay_app_functions(app, module), "");
    say_type_times(&s, module);
    return s.status == INLAY_NO_MEMORY ? diag_no_memory(diag) : s.status;
}

int app_say_block(const inlay_app *app, inlay_id block, app_say *say, void *context)
{
    speaker s = {app, say, context, INLAY_OK};
    say_text(&s, "kind", "data");
    say_whole(&s, "size", inlay_app_block_size(app, block), -1);
    if (inlay_app_block_time(app, block) != 0) {
        say_time(&s, "time", inlay_app_block_time(app, block));
    }
    return s.status;
}

/* ---- Links and uses ---- */

int app_say_link(const inlay_app *app, const apart_link *link, app_say *say, void *context)
{
    speaker s = {app, say, context, INLAY_OK};
    say_whole(&s, "messages", link->messages, 1);
    say_whole(&s, "bytes", link->bytes, 0);
    if (link->flags & INLAY_LINK_TRAFFIC_ONLY) {
        say_text(&s, "kind", "traffic");
    }
    if (link->data != NULL) {
        say_text(&s, "data", link->data);
    }
    return s.status;
}

int app_say_use(const inlay_app *app, inlay_id block, const inlay_links *uses, int64_t use, app_say *say, void *context)
{
    speaker s = {app, say, context, INLAY_OK};
    say_whole(&s, "messages", uses->messages[use], 1);
    say_whole(&s, "bytes", uses->bytes[use], inlay_app_block_size(app, block));
    return s.status;
}

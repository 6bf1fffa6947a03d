/* Inlay's own JSON out: all that an application holds, so that reading it back gives the same. */
#include "base/decimal.h"
#include "base/json_out.h"
#include "graph/data.h"
#include "io/formats.h"
#include <inttypes.h>

/*
 * A time as a number, or as a text where a reader that takes numbers for doubles would change it; the reader here takes
 * both.
 */
static void write_time(const inlay_app *app, const char *key, inlay_time time, inlay_json *json)
{
    char digits[DECIMAL_TEXT];
    inlay_decimal exact = decimal_normal((inlay_decimal){time, inlay_app_decimals(app)}), back = {0};
    decimal_text(exact, digits);
    int status = inlay_decimal_from_double(inlay_decimal_double(exact), &back);
    bool survives = status == INLAY_OK && back.digits == exact.digits && back.scale == exact.scale;
    if (exact.scale == 0 || survives) {
        inlay_json_literal(json, key, digits);
    } else {
        inlay_json_string(json, key, digits);
    }
}

static void write_type_times(const inlay_app *app, inlay_id module, inlay_json *json)
{
    bool open = false;
    for (int t = 0; t < inlay_app_types(app); t++) {
        inlay_time time = inlay_app_type_time(app, t, module);
        if (time < 0 && time != INLAY_NEVER) {
            continue;
        }
        if (!open) {
            inlay_json_flat_object(json, "times");
            open = true;
        }
        if (time == INLAY_NEVER) {
            inlay_json_null(json, inlay_app_type_name(app, t));
        } else {
            write_time(app, inlay_app_type_name(app, t), time, json);
        }
    }
    if (open) {
        inlay_json_object_end(json);
    }
}

static void write_module(const inlay_app *app, inlay_id module, inlay_json *json)
{
    inlay_json_flat_object(json, NULL);
    inlay_json_string(json, "name", inlay_app_module_name(app, module));
    write_time(app, "time", inlay_app_time(app, module), json);
    if (inlay_app_has_blocking(app)) {
        write_time(app, "blocking", inlay_app_blocking(app, module), json);
    }
    if (inlay_app_memory(app, module) > 0) {
        inlay_json_integer(json, "memory", inlay_app_memory(app, module));
    }
    if (inlay_app_traffic_memory(app, module) > 0) {
        inlay_json_integer(json, "traffic_memory", inlay_app_traffic_memory(app, module));
    }
    if (inlay_app_cores(app, module) != 1) {
        inlay_json_integer(json, "cores", inlay_app_cores(app, module));
    }
    if (inlay_app_pin(app, module) >= 0) {
        inlay_json_integer(json, "pin", inlay_app_pin(app, module));
    }
    if (inlay_app_module_kind(app, module) != NULL) {
        inlay_json_string(json, "kind", inlay_app_module_kind(app, module));
    }
    if (inlay_app_arithmetic(app, module) > 0) {
        inlay_json_number(json, "arithmetic", inlay_app_arithmetic(app, module));
    }
    if (inlay_app_functions(app, module) > 0) {
        inlay_json_number(json, "functions", inlay_app_functions(app, module));
    }
    if (inlay_app_deadline(app, module) > 0) {
        write_time(app, "deadline", inlay_app_deadline(app, module), json);
    }
    write_type_times(app, module, json);
    inlay_json_object_end(json);
}

static void write_links(const inlay_app *app, inlay_json *json)
{
    inlay_json_array(json, "links");
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        apart_links links = {.app = app, .from = i};
        apart_link l;
        while (apart_next(&links, &l)) {
            inlay_json_flat_object(json, NULL);
            inlay_json_put(json, "from %s to %s messages %" PRId64 " bytes %" PRId64, inlay_app_module_name(app, i),
                           inlay_app_module_name(app, l.to), l.messages, l.bytes);
            if (l.flags & INLAY_LINK_TRAFFIC_ONLY) {
                inlay_json_string(json, "kind", "traffic");
            }
            if (l.data != NULL) {
                inlay_json_string(json, "data", l.data);
            }
            inlay_json_object_end(json);
        }
    }
    inlay_json_array_end(json);
}

static void write_blocks(const inlay_app *app, inlay_json *json)
{
    inlay_json_array(json, "blocks");
    for (inlay_id b = 0; b < inlay_app_blocks(app); b++) {
        inlay_links uses = inlay_app_uses(app, b);
        inlay_json_put(json, "{ name %s size %" PRId64, inlay_app_block_name(app, b), inlay_app_block_size(app, b));
        write_time(app, "time", inlay_app_block_time(app, b), json);
        inlay_json_array(json, "uses");
        for (int64_t u = 0; u < uses.count; u++) {
            inlay_json_flat_object(json, NULL);
            inlay_json_put(json, "module %s messages %" PRId64 " bytes %" PRId64 " }",
                           inlay_app_module_name(app, uses.module[u]), uses.messages[u], uses.bytes[u]);
        }
        inlay_json_put(json, "] }");
    }
    inlay_json_array_end(json);
}

int app_json_to(const inlay_app *app, text_buffer *to, inlay_diag *diag)
{
    (void)diag; /* nothing can fail but memory, which `to` tells */
    inlay_json json = json_out_begin(to);
    inlay_json_put(&json, "{ inlay_application %d name %s time_unit %s", 1, inlay_app_name(app),
                   inlay_unit_name(inlay_app_unit(app)));
    if (inlay_app_reference_speed(app) > 0) {
        inlay_json_number(&json, "reference_speed", inlay_app_reference_speed(app));
    }
    if (inlay_app_period(app) > 0) {
        inlay_json_number(&json, "period", inlay_app_period(app));
    }
    inlay_json_array(&json, "modules");
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        write_module(app, i, &json);
    }
    inlay_json_array_end(&json);
    write_links(app, &json);
    if (inlay_app_blocks(app) > 0) {
        write_blocks(app, &json);
    }
    inlay_json_object_end(&json);
    json_out_end(&json);
    return INLAY_OK;
}

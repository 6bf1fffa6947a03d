/*
 * WfFormat 1.5 out. It knows runtimes, memory, cores, precedence and files; one file is made up for every link that
 * carries bytes. What it has no place for is named in a warning.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/json_out.h"
#include "base/memory.h"
#include "io/formats.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FILE_NAME = 32 };

/* An incoming link: its producer and its number among all links, which names its file. */
typedef struct arrival {
    inlay_id from;
    int64_t link;
} arrival;

/* Links by consumer, each row ordered by producer, so that a task's parents and inputs can be listed. */
typedef struct arrivals {
    int64_t *begin; /**< modules + 1 */
    arrival *at;
    int64_t *first_link; /**< of the links that leave a module */
} arrivals;

static void arrivals_clear(arrivals *in)
{
    free(in->begin);
    free(in->at);
    free(in->first_link);
}

static bool is_precedence(const inlay_links *links, int64_t l)
{
    return !(links->flags[l] & INLAY_LINK_TRAFFIC_ONLY);
}

static int make_arrivals(const inlay_app *app, arrivals *in, inlay_diag *diag)
{
    inlay_id n = inlay_app_modules(app);
    in->begin = memory_zeroed((size_t)n + 2, sizeof *in->begin);
    in->at = memory_array((size_t)inlay_app_links(app), sizeof *in->at);
    in->first_link = memory_array((size_t)n, sizeof *in->first_link);
    if (in->begin == NULL || in->at == NULL || in->first_link == NULL) {
        return diag_no_memory(diag);
    }
    for (inlay_id i = 0; i < n; i++) {
        int64_t count;
        inlay_app_predecessors(app, i, &count);
        in->begin[i + 2] = in->begin[i + 1] + count; /* one behind: filling moves each to its place */
    }
    int64_t number = 0;
    for (inlay_id i = 0; i < n; i++) {
        inlay_links out = inlay_app_out(app, i);
        in->first_link[i] = number;
        for (int64_t l = 0; l < out.count; l++, number++) {
            if (is_precedence(&out, l)) {
                in->at[in->begin[out.module[l] + 1]++] = (arrival){i, number};
            }
        }
    }
    return INLAY_OK;
}

static int64_t bytes_of(const inlay_app *app, const arrivals *in, arrival link)
{
    return inlay_app_out(app, link.from).bytes[link.link - in->first_link[link.from]];
}

static const char *file_name(int64_t link, char name[FILE_NAME])
{
    snprintf(name, FILE_NAME, "link_%" PRId64, link);
    return name;
}

/* ---- What has no place ---- */

static bool has_traffic_links(const inlay_app *app)
{
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            if (!is_precedence(&out, l)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_message_counts(const inlay_app *app)
{
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            if (out.messages[l] != 1) {
                return true;
            }
        }
    }
    return false;
}

static bool has_module_details(const inlay_app *app)
{
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        if (inlay_app_pin(app, i) >= 0 || inlay_app_module_kind(app, i) != NULL || inlay_app_arithmetic(app, i) > 0 ||
            inlay_app_functions(app, i) > 0) {
            return true;
        }
    }
    return false;
}

static void warn_of_losses(const inlay_app *app, inlay_diag *diag)
{
    const struct {
        bool lost;
        const char *what;
    } losses[] = {
        {inlay_app_has_blocking(app), "blocking times"},
        {has_message_counts(app), "numbers of messages"},
        {has_traffic_links(app), "links without precedence"},
        {has_module_details(app), "pins, kinds and operation counts"},
        {inlay_app_types(app) > 0, "times by processor type"},
        {inlay_app_blocks(app) > 0, "data blocks"},
    };
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        if (losses[i].lost) {
            diag_warn(diag, "WfFormat has no place for %s: left out", losses[i].what);
        }
    }
}

/* ---- Writing ---- */

static void write_parents(const inlay_app *app, const arrivals *in, inlay_id module, inlay_json *json)
{
    inlay_json_flat_array(json, "parents");
    for (int64_t a = in->begin[module]; a < in->begin[module + 1]; a++) {
        inlay_json_string(json, NULL, inlay_app_module_name(app, in->at[a].from));
    }
    inlay_json_array_end(json);
}

static void write_children(const inlay_app *app, inlay_id module, inlay_json *json)
{
    inlay_links out = inlay_app_out(app, module);
    inlay_json_flat_array(json, "children");
    for (int64_t l = 0; l < out.count; l++) {
        if (is_precedence(&out, l)) {
            inlay_json_string(json, NULL, inlay_app_module_name(app, out.module[l]));
        }
    }
    inlay_json_array_end(json);
}

static void write_files_of(const inlay_app *app, const arrivals *in, inlay_id module, inlay_json *json)
{
    char name[FILE_NAME];
    inlay_json_flat_array(json, "inputFiles");
    for (int64_t a = in->begin[module]; a < in->begin[module + 1]; a++) {
        if (bytes_of(app, in, in->at[a]) > 0) {
            inlay_json_string(json, NULL, file_name(in->at[a].link, name));
        }
    }
    inlay_json_array_end(json);
    inlay_links out = inlay_app_out(app, module);
    inlay_json_flat_array(json, "outputFiles");
    for (int64_t l = 0; l < out.count; l++) {
        if (is_precedence(&out, l) && out.bytes[l] > 0) {
            inlay_json_string(json, NULL, file_name(in->first_link[module] + l, name));
        }
    }
    inlay_json_array_end(json);
}

static void write_specification(const inlay_app *app, const arrivals *in, inlay_json *json)
{
    char name[FILE_NAME];
    inlay_json_put(json, "specification { tasks [");
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_json_put(json, "{ name %s id %s", inlay_app_module_name(app, i), inlay_app_module_name(app, i));
        write_parents(app, in, i, json);
        write_children(app, i, json);
        write_files_of(app, in, i, json);
        inlay_json_object_end(json);
    }
    inlay_json_put(json, "] files [");
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            if (is_precedence(&out, l) && out.bytes[l] > 0) {
                inlay_json_flat_object(json, NULL);
                inlay_json_put(json, "id %s sizeInBytes %" PRId64 " }", file_name(in->first_link[i] + l, name),
                               out.bytes[l]);
            }
        }
    }
    inlay_json_put(json, "] }");
}

/* Times in seconds, exactly; false where one leaves 18 digits. */
static bool write_runtime(const inlay_app *app, inlay_id module, inlay_json *json)
{
    char digits[DECIMAL_TEXT];
    inlay_decimal time = {inlay_app_time(app, module), inlay_app_decimals(app)};
    if (!decimal_shift(time, unit_power(inlay_app_unit(app), INLAY_UNIT_S), &time)) {
        return false;
    }
    inlay_json_literal(json, "runtimeInSeconds", decimal_text(time, digits));
    return true;
}

/* The schema asks for a makespan and a date of the run. There was none: 0 and the epoch say so, always the same. */
static int write_execution(const inlay_app *app, inlay_json *json, inlay_diag *diag)
{
    inlay_json_put(json, "execution { makespanInSeconds %d executedAt %s tasks [", 0, "1970-01-01T00:00:00Z");
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_json_flat_object(json, NULL);
        inlay_json_string(json, "id", inlay_app_module_name(app, i));
        if (!write_runtime(app, i, json)) {
            return diag_fail(diag, INLAY_OVERFLOW,
                             "the time of module '%s' needs more than 18 decimals in seconds; expected a larger unit",
                             inlay_app_module_name(app, i));
        }
        if (inlay_app_cores(app, i) > 1) {
            inlay_json_integer(json, "coreCount", inlay_app_cores(app, i));
        }
        if (inlay_app_memory(app, i) > 0) {
            inlay_json_integer(json, "memoryInBytes", inlay_app_memory(app, i));
        }
        inlay_json_object_end(json);
    }
    inlay_json_put(json, "] }");
    return INLAY_OK;
}

int wfformat_to(const inlay_app *app, text_buffer *to, inlay_diag *diag)
{
    if (inlay_app_unit(app) == INLAY_UNIT_TICK) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "an application in ticks cannot be written as WfFormat, whose times are seconds; expected an "
                         "application in s, ms, us or ns");
    }
    arrivals in = {0};
    int status = make_arrivals(app, &in, diag);
    if (status == INLAY_OK) {
        const char *name = inlay_app_name(app);
        inlay_json json = json_out_begin(to);
        inlay_json_put(&json, "{ name %s description %s createdAt %s schemaVersion %s workflow {",
                       *name == '\0' ? "application" : name, "Written by inlay", "1970-01-01T00:00:00Z", "1.5");
        write_specification(app, &in, &json);
        status = write_execution(app, &json, diag);
        inlay_json_object_end(&json);
        inlay_json_flat_object(&json, "runtimeSystem");
        inlay_json_put(&json, "name %s version %s } }", "inlay", INLAY_VERSION);
        json_out_end(&json);
    }
    if (status == INLAY_OK) {
        warn_of_losses(app, diag);
    }
    arrivals_clear(&in);
    return status;
}

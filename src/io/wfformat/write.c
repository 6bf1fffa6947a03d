/*
 * WfFormat 1.5 out. It knows runtimes, memory, cores, precedence and files: a datum is one, and one is made up for all bytes
 * that a link carries beside. What it has no place for is named in a warning.
 */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/json_out.h"
#include "base/memory.h"
#include "io/formats.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A file: a datum, or what a link carries by itself, which is named by its number among all links. */
typedef struct file {
    inlay_id datum, to; /* one of them -1 */
    int64_t link, bytes;
} file;

/* Files by producer and, by their numbers, by consumer; parents by module. */
typedef struct files {
    file *file;
    size_t count, capacity;
    size_t *begin;    /* modules + 1: of each producer */
    size_t *in_begin; /* modules + 2: of each consumer */
    size_t *in;
    char **name;    /* of data that have another name as a file; NULL where they keep theirs */
    name_map names; /* of all data, as files */
} files;

static void files_clear(const inlay_app *app, files *all)
{
    for (inlay_id d = 0; all->name != NULL && d < inlay_app_data(app); d++) {
        free(all->name[d]);
    }
    free(all->file);
    free(all->begin);
    free(all->in_begin);
    free(all->in);
    free((void *)all->name);
    name_map_clear(&all->names);
}

static bool is_precedence(const inlay_links *links, int64_t l)
{
    return !(links->flags[l] & INLAY_LINK_TRAFFIC_ONLY);
}

/* Names of files count for the whole workflow: data that share one take their producer's name in front. */
static bool name_datum(const inlay_app *app, files *all, inlay_id d)
{
    inlay_datum datum = inlay_app_datum(app, d);
    const char *name = datum.name;
    if (name_map_get(&all->names, name) >= 0) {
        text_buffer longer = {0};
        text_addf(&longer, "%s.%s", inlay_app_module_name(app, datum.producer), datum.name);
        while (!longer.failed && name_map_get(&all->names, longer.data) >= 0) {
            text_add(&longer, "_");
        }
        if (longer.failed) {
            text_clear(&longer);
            return false;
        }
        name = all->name[d] = longer.data;
    }
    return name_map_put(&all->names, name, d);
}

static bool add_file(files *all, file added)
{
    if (!memory_grow((void **)&all->file, &all->capacity, all->count + 1, sizeof *all->file)) {
        return false;
    }
    all->file[all->count++] = added;
    return true;
}

static bool list_files(const inlay_app *app, files *all)
{
    int64_t number = 0;
    inlay_id d = 0, modules = inlay_app_modules(app);
    for (inlay_id i = 0; i < modules; i++) {
        inlay_links out = inlay_app_out(app, i);
        all->begin[i] = all->count;
        for (int64_t l = 0; l < out.count; l++, number++) {
            int64_t bytes = out.own_bytes == NULL ? out.bytes[l] : out.own_bytes[l];
            if (is_precedence(&out, l) && bytes > 0 && !add_file(all, (file){-1, out.module[l], number, bytes})) {
                return false;
            }
        }
        for (; d < inlay_app_data(app) && inlay_app_datum(app, d).producer == i; d++) {
            if (!name_datum(app, all, d) || !add_file(all, (file){d, -1, -1, inlay_app_datum(app, d).bytes})) {
                return false;
            }
        }
    }
    all->begin[modules] = all->count;
    return true;
}

/* Every consumer of a file, one after the other: false behind the last. */
static bool next_consumer(const inlay_app *app, const file *of, int64_t *at, inlay_id *consumer)
{
    inlay_datum datum =
        of->datum < 0 ? (inlay_datum){.consumers = 1, .consumer = &of->to} : inlay_app_datum(app, of->datum);
    if (*at == datum.consumers) {
        return false;
    }
    *consumer = datum.consumer[(*at)++];
    return true;
}

/* Which files each module reads, by counting and then filling in. */
static bool list_inputs(const inlay_app *app, files *all)
{
    inlay_id consumer = 0, modules = inlay_app_modules(app);
    for (size_t f = 0; f < all->count; f++) {
        for (int64_t at = 0; next_consumer(app, &all->file[f], &at, &consumer);) {
            all->in_begin[consumer + 2]++; /* one behind: filling moves each to its place */
        }
    }
    for (inlay_id i = 0; i < modules; i++) {
        all->in_begin[i + 2] += all->in_begin[i + 1];
    }
    all->in = memory_array(all->in_begin[modules + 1], sizeof *all->in);
    for (size_t f = 0; all->in != NULL && f < all->count; f++) {
        for (int64_t at = 0; next_consumer(app, &all->file[f], &at, &consumer);) {
            all->in[all->in_begin[consumer + 1]++] = f;
        }
    }
    return all->in != NULL;
}

static int make_files(const inlay_app *app, files *all, inlay_diag *diag)
{
    size_t modules = (size_t)inlay_app_modules(app);
    all->begin = memory_zeroed(modules + 1, sizeof *all->begin);
    all->in_begin = memory_zeroed(modules + 2, sizeof *all->in_begin);
    all->name = memory_zeroed((size_t)inlay_app_data(app), sizeof *all->name);
    bool made = all->begin != NULL && all->in_begin != NULL && all->name != NULL;
    return made && list_files(app, all) && list_inputs(app, all) ? INLAY_OK : diag_no_memory(diag);
}

/* As text in `own`, where the file is not a datum. */
static const char *file_name(const inlay_app *app, const files *all, const file *of, text_buffer *own)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): only files that were listed have names */
    if (of->datum >= 0) {
        return all->name[of->datum] != NULL ? all->name[of->datum] : inlay_app_datum(app, of->datum).name;
    }
    own->size = 0;
    text_addf(own, "link_%" PRId64, of->link);
    while (!own->failed && name_map_get(&all->names, own->data) >= 0) {
        text_add(own, "_");
    }
    return text_content(own);
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
    for (inlay_id d = 0; d < inlay_app_data(app); d++) {
        if (inlay_app_datum(app, d).messages != 1) {
            return true;
        }
    }
    return false;
}

static int compare_consumers(const void *left, const void *right)
{
    const inlay_datum *a = left, *b = right;
    if (a->producer != b->producer || a->consumers != b->consumers) {
        int64_t less = a->producer != b->producer ? a->producer - b->producer : a->consumers - b->consumers;
        return less < 0 ? -1 : 1;
    }
    return memcmp(a->consumer, b->consumer, (size_t)a->consumers * sizeof *a->consumer);
}

/* Whether data of one producer have the same consumers: files that do are one datum. */
static int find_like_data(const inlay_app *app, bool *found, inlay_diag *diag)
{
    size_t count = (size_t)inlay_app_data(app);
    inlay_datum *datum = memory_array(count, sizeof *datum);
    if (datum == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t d = 0; d < count; d++) {
        datum[d] = inlay_app_datum(app, (inlay_id)d);
    }
    qsort(datum, count, sizeof *datum, compare_consumers);
    *found = false;
    for (size_t d = 1; d < count; d++) {
        *found = *found || compare_consumers(&datum[d - 1], &datum[d]) == 0;
    }
    free(datum);
    return INLAY_OK;
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

static int warn_of_losses(const inlay_app *app, inlay_diag *diag)
{
    bool like_data;
    int status = find_like_data(app, &like_data, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const struct {
        bool lost;
        const char *what;
    } losses[] = {
        {inlay_app_has_blocking(app), "blocking times"},
        {inlay_app_has_deadlines(app), "deadlines"},
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
    if (like_data) {
        diag_warn(diag, "WfFormat has one datum for all that goes from one module to the same others: joined");
    }
    return INLAY_OK;
}

/* ---- Writing ---- */

static void write_parents(const inlay_app *app, inlay_id module, inlay_json *json)
{
    int64_t count;
    const inlay_id *parent = inlay_app_predecessors(app, module, &count);
    inlay_json_flat_array(json, "parents");
    for (int64_t k = 0; k < count; k++) {
        inlay_json_string(json, NULL, inlay_app_module_name(app, parent[k]));
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

static void write_files_of(const inlay_app *app, const files *all, inlay_id module, text_buffer *name, inlay_json *json)
{
    inlay_json_flat_array(json, "inputFiles");
    for (size_t k = all->in_begin[module]; k < all->in_begin[module + 1]; k++) {
        inlay_json_string(json, NULL, file_name(app, all, &all->file[all->in[k]], name));
    }
    inlay_json_array_end(json);
    inlay_json_flat_array(json, "outputFiles");
    for (size_t f = all->begin[module]; f < all->begin[module + 1]; f++) {
        inlay_json_string(json, NULL, file_name(app, all, &all->file[f], name));
    }
    inlay_json_array_end(json);
}

static void write_specification(const inlay_app *app, const files *all, text_buffer *name, inlay_json *json)
{
    inlay_json_put(json, "specification { tasks [");
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_json_put(json, "{ name %s id %s", inlay_app_module_name(app, i), inlay_app_module_name(app, i));
        write_parents(app, i, json);
        write_children(app, i, json);
        write_files_of(app, all, i, name, json);
        inlay_json_object_end(json);
    }
    inlay_json_put(json, "] files [");
    for (size_t f = 0; f < all->count; f++) {
        inlay_json_flat_object(json, NULL);
        inlay_json_put(json, "id %s sizeInBytes %" PRId64 " }", file_name(app, all, &all->file[f], name),
                       all->file[f].bytes);
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
    files all = {0};
    text_buffer own = {0};
    int status = make_files(app, &all, diag);
    if (status == INLAY_OK) {
        const char *name = inlay_app_name(app);
        inlay_json json = json_out_begin(to);
        inlay_json_put(&json, "{ name %s description %s createdAt %s schemaVersion %s workflow {",
                       *name == '\0' ? "application" : name, "Written by inlay", "1970-01-01T00:00:00Z", "1.5");
        write_specification(app, &all, &own, &json);
        status = write_execution(app, &json, diag);
        inlay_json_object_end(&json);
        inlay_json_flat_object(&json, "runtimeSystem");
        inlay_json_put(&json, "name %s version %s } }", "inlay", INLAY_VERSION);
        json_out_end(&json);
    }
    if (status == INLAY_OK) {
        status = warn_of_losses(app, diag);
    }
    text_settle(&own, to);
    files_clear(app, &all);
    return status;
}

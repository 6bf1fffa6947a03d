/* Gathering an application graph, piece by piece, each checked as it comes. */
#include "graph/builder.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

inlay_app_builder *inlay_app_builder_new(const char *name, inlay_unit unit)
{
    inlay_app_builder *builder = memory_zeroed(1, sizeof *builder);
    if (builder == NULL) {
        return NULL;
    }
    builder->unit = unit == INLAY_UNIT_NONE ? INLAY_UNIT_S : unit;
    builder->label = memory_string(name == NULL ? "" : name);
    builder->file = memory_string("application");
    if (builder->label == NULL || builder->file == NULL) {
        inlay_app_builder_free(builder);
        return NULL;
    }
    return builder;
}

static void word_list_clear(word_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->words[i]);
    }
    free(list->words);
}

void inlay_app_builder_free(inlay_app_builder *builder)
{
    if (builder == NULL) {
        return;
    }
    word_list_clear(&builder->kinds);
    word_list_clear(&builder->types);
    name_store_free(builder->names);
    name_map_clear(&builder->by_name);
    free(builder->label);
    free(builder->file);
    free(builder->modules);
    free(builder->links);
    free(builder->blocks);
    free(builder->uses);
    free(builder->type_times);
    free(builder);
}

int inlay_app_builder_source(inlay_app_builder *builder, const char *file,
                             long (*line_of)(void *context, inlay_id from, inlay_id to), void *context)
{
    char *copy = memory_string(file);
    if (copy == NULL) {
        return INLAY_NO_MEMORY;
    }
    free(builder->file);
    builder->file = copy;
    builder->line_of = line_of;
    builder->context = context;
    return INLAY_OK;
}

const char *builder_file(const inlay_app_builder *builder)
{
    return builder->file;
}

long builder_line(const inlay_app_builder *builder, inlay_id from, inlay_id to)
{
    return builder->line_of == NULL ? 0 : builder->line_of(builder->context, from, to);
}

/* The number of a word, added where it is new; -1 when out of memory. */
static int32_t word_number(word_list *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->words[i], word) == 0) {
            return (int32_t)i;
        }
    }
    char *copy = memory_string(word);
    if (copy == NULL || !memory_grow((void **)&list->words, &list->capacity, list->count + 1, sizeof *list->words)) {
        free(copy);
        return -1;
    }
    list->words[list->count] = copy;
    return (int32_t)list->count++;
}

static int refuse(const inlay_app_builder *builder, inlay_id module, inlay_diag *diag, const char *name,
                  const char *what, const char *expected)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                        "%s of '%s' is out of range; expected %s", what, name, expected);
}

/* A duration in the application's unit. */
static int convert(const inlay_app_builder *builder, inlay_id module, const char *name, const char *what,
                   inlay_duration given, inlay_decimal *value, inlay_diag *diag)
{
    if (given.value.digits < 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                            "%s of '%s' is negative; expected 0 or more", what, name);
    }
    inlay_unit unit = given.unit == INLAY_UNIT_NONE ? builder->unit : given.unit;
    if ((unit == INLAY_UNIT_TICK) != (builder->unit == INLAY_UNIT_TICK)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                            "%s of '%s' is in %s; expected the application's unit, %s", what, name,
                            inlay_unit_name(unit), inlay_unit_name(builder->unit));
    }
    if (!decimal_shift(given.value, unit_power(unit, builder->unit), value)) {
        return refuse(builder, module, diag, name, what, "at most 18 digits before and behind the point");
    }
    return INLAY_OK;
}

/* A new name for module or block `id` (as name_map has it). */
static int keep_name(inlay_app_builder *builder, const char *name, int32_t id, const char *what, const char **kept,
                     inlay_diag *diag)
{
    inlay_id module = id >= 0 ? id : -1;
    if (name == NULL || *name == '\0') {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                            "a %s has no name; expected one", what);
    }
    if (name_map_get(&builder->by_name, name) != -1) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                            "duplicate %s '%s'; expected every name once", what, name);
    }
    *kept = name_store_keep(&builder->names, name);
    if (*kept == NULL || !name_map_put(&builder->by_name, *kept, id)) {
        return diag_no_memory(diag);
    }
    return INLAY_OK;
}

int inlay_app_add_module(inlay_app_builder *builder, const inlay_module *module, inlay_diag *diag)
{
    if (builder->module_count >= INT32_MAX - 1) {
        return diag_fail(diag, INLAY_OVERFLOW, "too many modules; expected at most %d", INT32_MAX - 1);
    }
    inlay_id id = (inlay_id)builder->module_count;
    const char *name = module->name == NULL ? "" : module->name;
    built_module row = {.has_blocking = module->has_blocking,
                        .memory = module->memory,
                        .cores = module->cores == 0 ? 1 : module->cores,
                        .pin = module->pinned ? module->pin : -1,
                        .arithmetic = module->arithmetic,
                        .functions = module->functions,
                        .kind = -1};
    int status = convert(builder, id, name, "time", module->time, &row.time, diag);
    if (status == INLAY_OK && module->has_blocking) {
        status = convert(builder, id, name, "blocking", module->blocking, &row.blocking, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    if (module->memory < 0 || module->cores < 0 || (module->pinned && module->pin < 0)) {
        const char *what = module->memory < 0 ? "memory" : module->cores < 0 ? "cores" : "pin";
        return refuse(builder, id, diag, name, what, "0 or more");
    }
    if (!(module->arithmetic >= 0) || !isfinite(module->arithmetic) || !(module->functions >= 0) ||
        !isfinite(module->functions)) {
        return refuse(builder, id, diag, name, "a count of operations", "a finite number, 0 or more");
    }
    if (!memory_grow((void **)&builder->modules, &builder->module_capacity, builder->module_count + 1,
                     sizeof *builder->modules)) {
        return diag_no_memory(diag);
    }
    if (module->kind != NULL && *module->kind != '\0') {
        row.kind = word_number(&builder->kinds, module->kind);
        if (row.kind < 0) {
            return diag_no_memory(diag);
        }
    }
    status = keep_name(builder, module->name, id, "module", &row.name, diag);
    if (status == INLAY_OK) {
        builder->modules[builder->module_count++] = row;
    }
    return status;
}

int inlay_app_add_type_time(inlay_app_builder *builder, inlay_id module, const char *type, inlay_duration time,
                            inlay_diag *diag)
{
    if (module < 0 || (size_t)module >= builder->module_count || type == NULL || *type == '\0') {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a time for a type needs a module and the type's name");
    }
    built_type_time row = {.module = module};
    int status = convert(builder, module, builder->modules[module].name, "time", time, &row.time, diag);
    if (status != INLAY_OK) {
        return status;
    }
    row.type = word_number(&builder->types, type);
    if (row.type < 0 || !memory_grow((void **)&builder->type_times, &builder->type_time_capacity,
                                     builder->type_time_count + 1, sizeof *builder->type_times)) {
        return diag_no_memory(diag);
    }
    builder->type_times[builder->type_time_count++] = row;
    return INLAY_OK;
}

static int check_counts(const inlay_app_builder *builder, inlay_id from, inlay_id to, int64_t messages, int64_t bytes,
                        inlay_diag *diag)
{
    if (messages < 0 || bytes < 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, from, to),
                            "%s of a link is negative; expected 0 or more", messages < 0 ? "messages" : "bytes");
    }
    return INLAY_OK;
}

int inlay_app_add_link(inlay_app_builder *builder, inlay_id from, inlay_id to, int64_t messages, int64_t bytes,
                       unsigned flags, inlay_diag *diag)
{
    if (from < 0 || to < 0 || (size_t)from >= builder->module_count || (size_t)to >= builder->module_count ||
        flags > INLAY_LINK_TRAFFIC_ONLY) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a link needs two modules that were added before");
    }
    if (from == to) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, from, to),
                            "self link of module '%s'; expected a link between two modules",
                            builder->modules[from].name);
    }
    int status = check_counts(builder, from, to, messages, bytes, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&builder->links, &builder->link_capacity, builder->link_count + 1,
                     sizeof *builder->links)) {
        return diag_no_memory(diag);
    }
    builder->links[builder->link_count++] = (built_link){from, to, messages, bytes, (uint8_t)flags};
    return INLAY_OK;
}

int inlay_app_add_block(inlay_app_builder *builder, const char *name, int64_t size, inlay_duration time,
                        inlay_diag *diag)
{
    built_block row = {.size = size};
    int32_t id = -2 - (int32_t)builder->block_count;
    int status = convert(builder, -1, name == NULL ? "" : name, "time", time, &row.time, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (size < 0) {
        return refuse(builder, -1, diag, name == NULL ? "" : name, "size", "0 or more");
    }
    if (!memory_grow((void **)&builder->blocks, &builder->block_capacity, builder->block_count + 1,
                     sizeof *builder->blocks)) {
        return diag_no_memory(diag);
    }
    status = keep_name(builder, name, id, "data block", &row.name, diag);
    if (status == INLAY_OK) {
        builder->blocks[builder->block_count++] = row;
    }
    return status;
}

int inlay_app_add_use(inlay_app_builder *builder, inlay_id block, inlay_id module, int64_t messages, int64_t bytes,
                      inlay_diag *diag)
{
    if (block < 0 || module < 0 || (size_t)block >= builder->block_count || (size_t)module >= builder->module_count) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a use needs a block and a module that were added before");
    }
    int status = check_counts(builder, module, -1, messages, bytes, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&builder->uses, &builder->use_capacity, builder->use_count + 1, sizeof *builder->uses)) {
        return diag_no_memory(diag);
    }
    builder->uses[builder->use_count++] = (built_link){block, module, messages, bytes, 0};
    return INLAY_OK;
}

inlay_id inlay_app_builder_find(const inlay_app_builder *builder, const char *name)
{
    inlay_id id = name_map_get(&builder->by_name, name);
    return id >= 0 ? id : -1;
}

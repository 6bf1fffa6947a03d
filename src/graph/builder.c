/* Gathering an application graph, piece by piece, each checked as it comes. */
#include "graph/builder.h"
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_MODULES = INT32_MAX - 1,
    LOOK_AHEAD = 16 /* names whose places in the table are on their way from memory */
};

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

int inlay_app_builder_reference(inlay_app_builder *builder, double flops, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (!(flops > 0) || isinf(flops)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a reference speed of %g flop/s; expected a number above 0", flops);
    }
    builder->reference_speed = flops;
    return INLAY_OK;
}

int inlay_app_builder_period(inlay_app_builder *builder, inlay_duration period, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_unit unit = period.unit == INLAY_UNIT_NONE ? builder->unit : period.unit;
    if (period.value.digits <= 0 || (unit == INLAY_UNIT_TICK) != (builder->unit == INLAY_UNIT_TICK)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, 0,
                            "a period of %g %s; expected one above 0 in the application's unit, %s",
                            inlay_decimal_double(period.value), inlay_unit_name(unit), inlay_unit_name(builder->unit));
    }
    double in_units = duration_in((inlay_duration){period.value, unit}, builder->unit);
    inlay_decimal written;
    if (inlay_decimal_from_double(in_units, &written) != INLAY_OK || written.digits <= 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, 0,
                            "a period of %g %s; expected one of 18 digits before and behind the point", in_units,
                            inlay_unit_name(builder->unit));
    }
    builder->period = in_units;
    return INLAY_OK;
}

static void word_list_clear(word_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->words[i]);
    }
    free(list->words);
    name_map_clear(&list->numbers);
    *list = (word_list){0};
}

void builder_clear(inlay_app_builder *builder)
{
    word_list_clear(&builder->kinds);
    word_list_clear(&builder->types);
    name_store_free(builder->names);
    builder->names = NULL;
    name_map_clear(&builder->by_name);
    built_modules_clear(&builder->modules);
    built_links_clear(&builder->links);
    built_links_clear(&builder->uses);
    free((void *)builder->data.name);
    name_map_clear(&builder->data.numbers);
    builder->data = (data_names){0};
    free(builder->blocks);
    builder->blocks = NULL;
    free(builder->type_times);
    builder->type_times = NULL;
    builder->block_count = builder->block_capacity = 0;
    builder->type_time_count = builder->type_time_capacity = 0;
}

void inlay_app_builder_free(inlay_app_builder *builder)
{
    if (builder == NULL) {
        return;
    }
    builder_clear(builder);
    free(builder->label);
    free(builder->file);
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

long builder_line(const inlay_app_builder *builder, inlay_id from, inlay_id to)
{
    return builder->line_of == NULL ? 0 : builder->line_of(builder->context, from, to);
}

/* The number of a word, added where it is new; -1 when out of memory. */
static int32_t word_number(word_list *list, const char *word)
{
    name_spot spot;
    name_map_announce(&list->numbers, word, &spot);
    if (!name_map_seek(&list->numbers, word, &spot)) {
        return -1;
    }
    if (spot.id >= 0) {
        return spot.id;
    }
    char *copy = memory_string(word);
    if (copy == NULL || !memory_grow((void **)&list->words, &list->capacity, list->count + 1, sizeof *list->words)) {
        free(copy);
        return -1;
    }
    name_map_fill(&list->numbers, &spot, copy, (int32_t)list->count);
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
                   const inlay_duration *given, inlay_decimal *value, inlay_diag *diag)
{
    if (given->value.digits < 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                            "%s of '%s' is negative; expected 0 or more", what, name);
    }
    if (given->unit == INLAY_UNIT_NONE && given->value.scale == 0) {
        value->digits = given->value.digits;
        value->scale = 0;
        return INLAY_OK;
    }
    inlay_unit unit = given->unit == INLAY_UNIT_NONE ? builder->unit : given->unit;
    if ((unit == INLAY_UNIT_TICK) != (builder->unit == INLAY_UNIT_TICK)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                            "%s of '%s' is in %s; expected the application's unit, %s", what, name,
                            inlay_unit_name(unit), inlay_unit_name(builder->unit));
    }
    if (!decimal_shift(given->value, unit_power(unit, builder->unit), value)) {
        return refuse(builder, module, diag, name, what, "at most 18 digits before and behind the point");
    }
    return INLAY_OK;
}

/* A name that will be kept soon; NULL is none. */
static void announce(const inlay_app_builder *builder, const char *name, name_spot *spot)
{
    name_map_announce(&builder->by_name, name == NULL ? "" : name, spot);
}

/* A new name, which was announced, for module or block `id` (as name_map has it). */
static int keep_name(inlay_app_builder *builder, const char *name, name_spot *spot, int32_t id, const char *what,
                     const char **kept, inlay_diag *diag)
{
    inlay_id module = id >= 0 ? id : -1;
    if (spot->size == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                            "a %s has no name; expected one", what);
    }
    if (!name_map_seek(&builder->by_name, name, spot)) {
        return diag_no_memory(diag);
    }
    if (spot->id != -1) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, module, -1),
                            "duplicate %s '%s'; expected every name once", what, name);
    }
    *kept = name_store_keep_sized(&builder->names, name, spot->size);
    if (*kept == NULL) {
        return diag_no_memory(diag);
    }
    name_map_fill(&builder->by_name, spot, *kept, id);
    return INLAY_OK;
}

/* ---- Modules ---- */

/* Whether the details can be; the number of the kind, -1 where none is given; and the deadline. */
static int check_details(inlay_app_builder *builder, inlay_id id, const char *name, const inlay_module *given,
                         int32_t *kind, inlay_decimal *deadline, inlay_diag *diag)
{
    if (given->memory < 0 || given->traffic_memory < 0 || given->cores < 0 || (given->pinned && given->pin < 0)) {
        const char *what = given->memory < 0           ? "memory"
                           : given->traffic_memory < 0 ? "traffic_memory"
                           : given->cores < 0          ? "cores"
                                                       : "pin";
        return refuse(builder, id, diag, name, what, "0 or more");
    }
    if (!(given->arithmetic >= 0) || !isfinite(given->arithmetic) || !(given->functions >= 0) ||
        !isfinite(given->functions)) {
        return refuse(builder, id, diag, name, "a count of operations", "a finite number, 0 or more");
    }
    *kind = -1;
    if (given->kind != NULL && *given->kind != '\0') {
        *kind = word_number(&builder->kinds, given->kind);
        if (*kind < 0) {
            return diag_no_memory(diag);
        }
    }
    return given->deadline.value.digits == 0 ? INLAY_OK
                                             : convert(builder, id, name, "deadline", &given->deadline, deadline, diag);
}

/* The bytes that a module moves, of its operations and how many of them it does with each byte: rounded up. */
static int find_traffic(inlay_app_builder *builder, inlay_id id, const char *name, inlay_module *given,
                        inlay_diag *diag)
{
    double bytes = ceil(given->arithmetic / given->intensity);
    if (!(given->intensity > 0) || !isfinite(given->intensity)) {
        return refuse(builder, id, diag, name, "intensity", "operations a byte, above 0");
    }
    if (given->traffic_memory > 0 || !(given->arithmetic > 0)) {
        return refuse(builder, id, diag, name, "intensity",
                      given->traffic_memory > 0 ? "none beside traffic_memory" : "none without arithmetic");
    }
    if (!(bytes < 0x1p63)) {
        return refuse(builder, id, diag, name, "arithmetic / intensity", "fewer than 2^63 bytes");
    }
    given->traffic_memory = (int64_t)bytes;
    return INLAY_OK;
}

/* @param spot  of its name, which was announced */
static int add_module(inlay_app_builder *builder, const inlay_module *module, name_spot *spot, inlay_diag *diag)
{
    built_modules *m = &builder->modules;
    if (m->count >= MOST_MODULES) {
        return diag_fail(diag, INLAY_OVERFLOW, "too many modules; expected at most %d", MOST_MODULES);
    }
    inlay_id id = (inlay_id)m->count;
    const char *name = module->name == NULL ? "" : module->name;
    inlay_decimal time = {0}, blocking = {0}, deadline = {0};
    int32_t kind = -1;
    inlay_module resolved;
    int status = convert(builder, id, name, "time", &module->time, &time, diag);
    if (status == INLAY_OK && module->has_blocking) {
        status = convert(builder, id, name, "blocking", &module->blocking, &blocking, diag);
    }
    if (status == INLAY_OK) {
        status = check_details(builder, id, name, module, &kind, &deadline, diag);
    }
    if (status == INLAY_OK && (module->intensity < 0 || module->intensity > 0 || isnan(module->intensity))) {
        resolved = *module;
        module = &resolved;
        status = find_traffic(builder, id, name, &resolved, diag);
    }
    if (status == INLAY_OK && (!built_modules_reserve(m, m->count + 1) || !built_modules_open(m, module))) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        status = keep_name(builder, module->name, spot, id, "module", &m->name[id], diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    m->time[id] = time.digits;
    m->time_scale[id] = (uint8_t)time.scale;
    built_modules_begin(m, id);
    if (module->has_blocking) {
        m->blocking[id] = blocking.digits;
        m->blocking_scale[id] = (uint8_t)blocking.scale;
    }
    built_modules_set(m, id, module, kind, deadline);
    m->count++;
    return INLAY_OK;
}

int inlay_app_add_module(inlay_app_builder *builder, const inlay_module *module, inlay_diag *diag)
{
    DIAG_CALL(diag);
    name_spot spot;
    announce(builder, module->name, &spot);
    return add_module(builder, module, &spot, diag);
}

int inlay_app_add_modules(inlay_app_builder *builder, const inlay_module *modules, size_t count, inlay_diag *diag)
{
    DIAG_CALL(diag);
    name_spot spots[LOOK_AHEAD]; /* a ring: that of module i at i % LOOK_AHEAD */
    for (size_t i = 0; i < count && i < LOOK_AHEAD; i++) {
        announce(builder, modules[i].name, &spots[i]);
    }
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        name_spot *spot = &spots[i % LOOK_AHEAD];
        status = add_module(builder, &modules[i], spot, diag);
        if (i + LOOK_AHEAD < count) {
            announce(builder, modules[i + LOOK_AHEAD].name, spot);
        }
    }
    return status;
}

int builder_add_details(inlay_app_builder *builder, inlay_id module, const inlay_module *details, inlay_diag *diag)
{
    int32_t kind = -1;
    inlay_decimal deadline = {0};
    int status = check_details(builder, module, builder->modules.name[module], details, &kind, &deadline, diag);
    if (status == INLAY_OK && !built_modules_open(&builder->modules, details)) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        built_modules_set(&builder->modules, module, details, kind, deadline);
    }
    return status;
}

/* `time` is NULL where the module may not run there. */
static int add_type(inlay_app_builder *builder, inlay_id module, const char *type, const inlay_duration *time,
                    inlay_diag *diag)
{
    if (module < 0 || (size_t)module >= builder->modules.count || type == NULL || *type == '\0') {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a time for a type needs a module and the type's name");
    }
    built_type_time row = {.module = module, .never = time == NULL};
    int status = time == NULL ? INLAY_OK
                              : convert(builder, module, builder->modules.name[module], "time", time, &row.time, diag);
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

int inlay_app_add_type_time(inlay_app_builder *builder, inlay_id module, const char *type, inlay_duration time,
                            inlay_diag *diag)
{
    DIAG_CALL(diag);
    return add_type(builder, module, type, &time, diag);
}

int inlay_app_forbid_type(inlay_app_builder *builder, inlay_id module, const char *type, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return add_type(builder, module, type, NULL, diag);
}

/* ---- Links, data blocks and their uses ---- */

static int check_counts(const inlay_app_builder *builder, inlay_id from, inlay_id to, int64_t messages, int64_t bytes,
                        inlay_diag *diag)
{
    if (messages < 0 || bytes < 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, from, to),
                            "%s of a link is negative; expected 0 or more", messages < 0 ? "messages" : "bytes");
    }
    return INLAY_OK;
}

int inlay_app_builder_reserve(inlay_app_builder *builder, int64_t modules, int64_t links, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (modules < 0 || links < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "room for modules and links is reserved by numbers of 0 or more");
    }
    bool reserved = modules <= MOST_MODULES && (uint64_t)links <= SIZE_MAX &&
                    built_modules_reserve(&builder->modules, (size_t)modules) &&
                    built_links_reserve(&builder->links, (size_t)links) &&
                    name_map_reserve(&builder->by_name, (size_t)modules);
    return reserved ? INLAY_OK : diag_no_memory(diag);
}

int inlay_app_add_link(inlay_app_builder *builder, inlay_id from, inlay_id to, int64_t messages, int64_t bytes,
                       unsigned flags, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (from < 0 || to < 0 || (size_t)from >= builder->modules.count || (size_t)to >= builder->modules.count ||
        flags > INLAY_LINK_TRAFFIC_ONLY) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a link needs two modules that were added before");
    }
    if (from == to) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, from, to),
                            "self link of module '%s'; expected a link between two modules",
                            builder->modules.name[from]);
    }
    int status = check_counts(builder, from, to, messages, bytes, diag);
    if (status == INLAY_OK && !built_links_add(&builder->links, from, to, messages, bytes, (uint8_t)flags)) {
        status = diag_no_memory(diag);
    }
    return status;
}

/* The number of a datum's name, kept where it is new; -1 when out of memory. */
static int32_t data_number(inlay_app_builder *builder, const char *name)
{
    data_names *data = &builder->data;
    name_spot spot;
    name_map_announce(&data->numbers, name, &spot);
    if (!name_map_seek(&data->numbers, name, &spot)) {
        return -1;
    }
    if (spot.id >= 0) {
        return spot.id;
    }
    if (data->count >= MOST_MODULES ||
        !memory_grow((void **)&data->name, &data->capacity, data->count + 1, sizeof *data->name)) {
        return -1;
    }
    const char *kept = name_store_keep_sized(&builder->names, name, spot.size);
    if (kept == NULL) {
        return -1;
    }
    name_map_fill(&data->numbers, &spot, kept, (int32_t)data->count);
    data->name[data->count] = kept;
    return (int32_t)data->count++;
}

int inlay_app_add_data_link(inlay_app_builder *builder, inlay_id from, inlay_id to, const char *data, int64_t messages,
                            int64_t bytes, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = inlay_app_add_link(builder, from, to, messages, bytes, 0, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (data == NULL || *data == '\0') {
        return diag_fail_at(diag, INLAY_BAD_INPUT, builder->file, builder_line(builder, from, to),
                            "the datum of link '%s' -> '%s' has no name; expected one", builder->modules.name[from],
                            builder->modules.name[to]);
    }
    int32_t number = data_number(builder, data);
    if (number < 0 || !built_links_open_data(&builder->links)) {
        return diag_no_memory(diag);
    }
    builder->links.data[builder->links.count - 1] = number;
    return INLAY_OK;
}

int64_t builder_find_link(const inlay_app_builder *builder, inlay_id from, inlay_id to)
{
    const built_links *links = &builder->links;
    for (size_t i = 0; i < links->count; i++) {
        if (links->from[i] == from && links->to[i] == to && !(links->flags[i] & INLAY_LINK_TRAFFIC_ONLY)) {
            return (int64_t)i;
        }
    }
    return -1;
}

int inlay_app_add_block(inlay_app_builder *builder, const char *name, int64_t size, inlay_duration time,
                        inlay_diag *diag)
{
    DIAG_CALL(diag);
    built_block row = {.size = size};
    int32_t id = -2 - (int32_t)builder->block_count;
    int status = convert(builder, -1, name == NULL ? "" : name, "time", &time, &row.time, diag);
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
    name_spot spot;
    announce(builder, name, &spot);
    status = keep_name(builder, name, &spot, id, "data block", &row.name, diag);
    if (status == INLAY_OK) {
        builder->blocks[builder->block_count++] = row;
    }
    return status;
}

int inlay_app_add_use(inlay_app_builder *builder, inlay_id block, inlay_id module, int64_t messages, int64_t bytes,
                      inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (block < 0 || module < 0 || (size_t)block >= builder->block_count || (size_t)module >= builder->modules.count) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a use needs a block and a module that were added before");
    }
    int status = check_counts(builder, module, -1, messages, bytes, diag);
    if (status == INLAY_OK && !built_links_add(&builder->uses, block, module, messages, bytes, 0)) {
        status = diag_no_memory(diag);
    }
    return status;
}

inlay_id inlay_app_builder_find(const inlay_app_builder *builder, const char *name)
{
    inlay_id id = name_map_get(&builder->by_name, name);
    return id >= 0 ? id : -1;
}

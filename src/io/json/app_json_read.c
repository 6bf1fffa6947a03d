/* Inlay's own JSON in. docs/formats.md has the description of the members. */
#include "base/diag.h"
#include "graph/data.h"
#include "io/formats.h"
#include "io/json/read.h"
#include <string.h>

enum { VERSION = 1 };

typedef struct reading {
    json_file file;
    json_place root, modules, links, blocks;
    size_t block; /* the data block at hand */
    inlay_app_builder *builder;
} reading;

bool app_json_looks_like(const char *data, size_t size)
{
    json_step root = {0};
    json_step mark = {&root, "inlay_application", 0};
    return json_has(data, size, &mark);
}

/* A number that may be left out. */
static int optional_integer(const reading *r, const json_place *place, const char *member, int64_t most, int64_t *value)
{
    json_place found = json_at_member(place, member);
    return found.value == NULL ? INLAY_OK : json_read_integer(&r->file, &found, most, value);
}

static int optional_bytes(const reading *r, const json_place *place, const char *member, int64_t *value)
{
    json_place found = json_at_member(place, member);
    return found.value == NULL ? INLAY_OK : json_read_bytes(&r->file, &found, value);
}

static int optional_real(const reading *r, const json_place *place, const char *member, double *value)
{
    json_place found = json_at_member(place, member);
    return found.value == NULL ? INLAY_OK : json_read_real(&r->file, &found, value);
}

/* ---- Modules ---- */

/* What a module may leave out. */
static int read_details(const reading *r, const json_place *place, inlay_module *module)
{
    json_place blocking = json_at_member(place, "blocking"), kind = json_at_member(place, "kind");
    json_place deadline = json_at_member(place, "deadline");
    int64_t cores = 0, pin = -1;
    int status = INLAY_OK;
    module->has_blocking = blocking.value != NULL;
    if (module->has_blocking) {
        status = json_read_duration(&r->file, &blocking, &module->blocking);
    }
    if (status == INLAY_OK && deadline.value != NULL) {
        status = json_read_duration(&r->file, &deadline, &module->deadline);
    }
    if (status == INLAY_OK && kind.value != NULL) {
        status = json_read_text(&r->file, &kind, &module->kind);
    }
    if (status == INLAY_OK) {
        status = optional_bytes(r, place, "memory", &module->memory);
    }
    if (status == INLAY_OK) {
        status = optional_bytes(r, place, "traffic_memory", &module->traffic_memory);
    }
    if (status == INLAY_OK) {
        status = optional_integer(r, place, "cores", INT32_MAX, &cores);
    }
    if (status == INLAY_OK) {
        status = optional_integer(r, place, "pin", INT32_MAX, &pin);
    }
    if (status == INLAY_OK) {
        status = optional_real(r, place, "arithmetic", &module->arithmetic);
    }
    if (status == INLAY_OK) {
        status = optional_real(r, place, "functions", &module->functions);
    }
    module->cores = (int32_t)cores;
    module->pinned = pin >= 0;
    module->pin = (inlay_id)pin;
    return status;
}

static int read_type_times(const reading *r, const json_place *place, inlay_id module)
{
    json_place times = json_at_member(place, "times");
    int status = times.value == NULL ? INLAY_OK : json_need_object(&r->file, &times);
    if (status != INLAY_OK || times.value == NULL) {
        return status;
    }
    for (void *at = json_object_iter((json_t *)times.value); status == INLAY_OK && at != NULL;
         at = json_object_iter_next((json_t *)times.value, at)) {
        const char *type = json_object_iter_key(at);
        json_place member = json_at_member(&times, type);
        inlay_duration time = {0};
        bool never = member.value == NULL; /* null */
        status = never ? INLAY_OK : json_read_duration(&r->file, &member, &time);
        if (status == INLAY_OK && *type == '\0') {
            status = json_complain(&r->file, &member, "a processor type has no name; expected one");
        }
        if (status == INLAY_OK) {
            status = never ? inlay_app_forbid_type(r->builder, module, type, r->file.diag)
                           : inlay_app_add_type_time(r->builder, module, type, time, r->file.diag);
        }
    }
    return status;
}

static int read_module(const reading *r, size_t i)
{
    json_place place = json_at_element(&r->modules, i);
    json_place name = json_at_member(&place, "name"), time = json_at_member(&place, "time");
    inlay_module module = {0};
    int status = json_need_object(&r->file, &place);
    if (status == INLAY_OK) {
        status =
            json_only(&r->file, &place,
                      "name time blocking memory traffic_memory cores pin kind arithmetic functions times deadline");
    }
    if (status == INLAY_OK) {
        status = json_read_text(&r->file, &name, &module.name);
    }
    if (status == INLAY_OK) {
        status = json_read_duration(&r->file, &time, &module.time);
    }
    if (status == INLAY_OK) {
        status = read_details(r, &place, &module);
    }
    if (status == INLAY_OK) {
        status = inlay_app_add_module(r->builder, &module, r->file.diag);
    }
    return status == INLAY_OK ? read_type_times(r, &place, (inlay_id)i) : status;
}

static int read_modules(reading *r)
{
    int status = json_need_array(&r->file, &r->modules);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&r->modules); i++) {
        status = read_module(r, i);
    }
    return status;
}

/* ---- Links ---- */

static int read_module_name(const reading *r, const json_place *place, const char *member, inlay_id *module)
{
    json_place found = json_at_member(place, member);
    const char *name = NULL;
    int status = json_read_text(&r->file, &found, &name);
    if (status == INLAY_OK) {
        *module = inlay_app_builder_find(r->builder, name);
        status = *module >= 0 ? INLAY_OK
                              : json_complain(&r->file, &found, "unknown module '%s'; expected the name of one", name);
    }
    return status;
}

static int read_traffic(const reading *r, const json_place *place, int64_t *messages, int64_t *bytes)
{
    int status = optional_integer(r, place, "messages", INT64_MAX, messages);
    return status == INLAY_OK ? optional_bytes(r, place, "bytes", bytes) : status;
}

static int read_link(const reading *r, const json_place *place)
{
    json_place kind = json_at_member(place, "kind");
    json_place data = json_at_member(place, "data");
    inlay_id from = -1;
    apart_link link = {.to = -1, .messages = 1};
    int status = json_need_object(&r->file, place);
    if (status == INLAY_OK) {
        status = json_only(&r->file, place, "from to messages bytes kind data");
    }
    if (status == INLAY_OK) {
        status = read_module_name(r, place, "from", &from);
    }
    if (status == INLAY_OK) {
        status = read_module_name(r, place, "to", &link.to);
    }
    if (status == INLAY_OK) {
        status = read_traffic(r, place, &link.messages, &link.bytes);
    }
    if (status == INLAY_OK && kind.value != NULL) {
        bool traffic = json_is_string(kind.value) && strcmp(json_string_value(kind.value), "traffic") == 0;
        link.flags = INLAY_LINK_TRAFFIC_ONLY;
        status = traffic ? INLAY_OK : json_refuse(&r->file, &kind, "'traffic', or no kind for precedence");
    }
    if (status == INLAY_OK && data.value != NULL) {
        status = json_read_text(&r->file, &data, &link.data);
        if (status == INLAY_OK && (*link.data == '\0' || link.flags != 0)) {
            status = json_refuse(&r->file, &data,
                                 link.flags == 0 ? "the name of a datum" : "no datum of a link without precedence");
        }
    }
    return status == INLAY_OK ? apart_add(r->builder, from, &link, r->file.diag) : status;
}

static int read_links(reading *r)
{
    int status = r->links.value == NULL ? INLAY_OK : json_need_array(&r->file, &r->links);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&r->links); i++) {
        json_place place = json_at_element(&r->links, i);
        status = read_link(r, &place);
    }
    return status;
}

/* ---- Data blocks ---- */

static int read_uses(const reading *r, const json_place *place)
{
    json_place uses = json_at_member(place, "uses");
    int status = uses.value == NULL ? INLAY_OK : json_need_array(&r->file, &uses);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&uses); i++) {
        json_place use = json_at_element(&uses, i);
        inlay_id module = -1;
        int64_t messages = 1, bytes = 0;
        status = json_need_object(&r->file, &use);
        if (status == INLAY_OK) {
            status = json_only(&r->file, &use, "module messages bytes");
        }
        if (status == INLAY_OK) {
            status = read_module_name(r, &use, "module", &module);
        }
        if (status == INLAY_OK) {
            status = read_traffic(r, &use, &messages, &bytes);
        }
        if (status == INLAY_OK) {
            status = inlay_app_add_use(r->builder, (inlay_id)r->block, module, messages, bytes, r->file.diag);
        }
    }
    return status;
}

static int read_block(const reading *r, const json_place *place)
{
    json_place name_place = json_at_member(place, "name"), time_place = json_at_member(place, "time");
    const char *name = NULL;
    int64_t size = 0;
    inlay_duration time = {0};
    int status = json_need_object(&r->file, place);
    if (status == INLAY_OK) {
        status = json_only(&r->file, place, "name size time uses");
    }
    if (status == INLAY_OK) {
        status = json_read_text(&r->file, &name_place, &name);
    }
    if (status == INLAY_OK) {
        status = optional_bytes(r, place, "size", &size);
    }
    if (status == INLAY_OK && time_place.value != NULL) {
        status = json_read_duration(&r->file, &time_place, &time);
    }
    if (status == INLAY_OK) {
        status = inlay_app_add_block(r->builder, name, size, time, r->file.diag);
    }
    return status == INLAY_OK ? read_uses(r, place) : status;
}

static int read_blocks(reading *r)
{
    int status = r->blocks.value == NULL ? INLAY_OK : json_need_array(&r->file, &r->blocks);
    for (r->block = 0; status == INLAY_OK && r->block < json_elements(&r->blocks); r->block++) {
        json_place place = json_at_element(&r->blocks, r->block);
        status = read_block(r, &place);
    }
    return status;
}

/* ---- The whole ---- */

static const char *name_in(const json_place *place, const char *member)
{
    const char *name = json_string_value(json_object_get(place->value, member));
    return name == NULL ? "" : name;
}

/* Modules stand in their order; a link is looked for by the names of its ends; from < 0 is the data block at hand. */
static long line_of(void *context, inlay_id from, inlay_id to)
{
    const reading *r = context;
    json_place place = json_at_element(from < 0 ? &r->blocks : &r->modules, from < 0 ? r->block : (size_t)from);
    if (to < 0) {
        return json_line_of(&r->file, &place);
    }
    json_place target = json_at_element(&r->modules, (size_t)to);
    for (size_t i = 0; i < json_elements(&r->links); i++) {
        json_place link = json_at_element(&r->links, i);
        if (strcmp(name_in(&link, "from"), name_in(&place, "name")) == 0 &&
            strcmp(name_in(&link, "to"), name_in(&target, "name")) == 0) {
            return json_line_of(&r->file, &link);
        }
    }
    return 0;
}

static int read_unit(const reading *r, inlay_unit *unit)
{
    json_place place = json_at_member(&r->root, "time_unit");
    *unit = INLAY_UNIT_S;
    if (place.value == NULL) {
        return INLAY_OK;
    }
    for (inlay_unit u = INLAY_UNIT_S; u <= INLAY_UNIT_TICK; u++) {
        if (json_is_string(place.value) && strcmp(inlay_unit_name(u), json_string_value(place.value)) == 0) {
            *unit = u;
            return INLAY_OK;
        }
    }
    return json_refuse(&r->file, &place, "one of s, ms, us, ns, tick");
}

static int read_reference(reading *r)
{
    json_place place = json_at_member(&r->root, "reference_speed");
    double flops = json_number_value(place.value);
    if (place.value != NULL && !(json_is_number(place.value) && flops >= 1)) {
        return json_refuse(&r->file, &place, "operations a second, a number from 1 on");
    }
    return place.value == NULL ? INLAY_OK : inlay_app_builder_reference(r->builder, flops, r->file.diag);
}

static int read_period(reading *r)
{
    json_place place = json_at_member(&r->root, "period");
    inlay_duration period = {0};
    int status = place.value != NULL ? json_read_duration(&r->file, &place, &period) : INLAY_OK;
    if (status == INLAY_OK && place.value != NULL && period.value.digits == 0) {
        return json_refuse(&r->file, &place, "a time above 0");
    }
    return status == INLAY_OK && place.value != NULL ? inlay_app_builder_period(r->builder, period, r->file.diag)
                                                     : status;
}

static int read_head(reading *r)
{
    json_place version = json_at_member(&r->root, "inlay_application"), name = json_at_member(&r->root, "name");
    const char *label = "";
    inlay_unit unit = INLAY_UNIT_S;
    int status = json_need_object(&r->file, &r->root);
    if (status == INLAY_OK && !(json_is_integer(version.value) && json_integer_value(version.value) == VERSION)) {
        status = json_refuse(&r->file, &version, "1, the version of the format");
    }
    if (status == INLAY_OK) {
        status = json_only(&r->file, &r->root,
                           "inlay_application name time_unit reference_speed period modules links blocks");
    }
    if (status == INLAY_OK && name.value != NULL) {
        status = json_read_text(&r->file, &name, &label);
    }
    if (status == INLAY_OK) {
        status = read_unit(r, &unit);
    }
    if (status == INLAY_OK) {
        r->builder = inlay_app_builder_new(label, unit);
        bool made = r->builder != NULL && inlay_app_builder_source(r->builder, r->file.source, line_of, r) == INLAY_OK;
        status = made ? read_reference(r) : diag_no_memory(r->file.diag);
        status = status == INLAY_OK ? read_period(r) : status;
    }
    return status;
}

int app_json_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    reading r = {0};
    int status = json_file_open(&r.file, data, size, source, diag);
    if (status != INLAY_OK) {
        return status;
    }
    r.root = json_at_root(&r.file);
    r.modules = json_at_member(&r.root, "modules");
    r.links = json_at_member(&r.root, "links");
    r.blocks = json_at_member(&r.root, "blocks");
    int (*const steps[])(reading *) = {read_head, read_modules, read_links, read_blocks};
    for (size_t i = 0; status == INLAY_OK && i < sizeof steps / sizeof *steps; i++) {
        status = steps[i](&r);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(r.builder, app, diag);
    }
    inlay_app_builder_free(r.builder);
    json_file_close(&r.file);
    return status;
}

/* .scenario in: which algorithm on which architecture, with timings, constraints, sizes of types and values of parameters. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "io/preesm/preesm.h"
#include "io/xml.h"
#include <stdlib.h>
#include <string.h>

static int need(const scenario *s, const xml_tag *tag, const char *name, const char **value)
{
    const char *given = xml_value(tag, name);
    if (given == NULL || *given == '\0') {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line, "%s without %s; expected %s=\"...\"",
                            tag->name, name, name);
    }
    *value = name_store_keep(s->names, given);
    return *value == NULL ? diag_no_memory(s->diag) : INLAY_OK;
}

static int open_timing(scenario *s, const xml_tag *tag)
{
    timing made = {.line = tag->line};
    const char *of = NULL;
    int status = need(s, tag, "vertexname", &of);
    status = status == INLAY_OK ? need(s, tag, "opname", &made.type) : status;
    status = status == INLAY_OK ? need(s, tag, "time", &made.time) : status;
    if (status != INLAY_OK) {
        return status;
    }
    made.next = name_map_get(&s->timing_of, of);
    if (!memory_grow((void **)&s->timing, &s->timing_room, s->timings + 1, sizeof *s->timing) ||
        !name_map_put(&s->timing_of, of, (int32_t)s->timings)) {
        return diag_no_memory(s->diag);
    }
    s->timing[s->timings++] = made;
    return INLAY_OK;
}

static int open_operator(scenario *s, const xml_tag *tag)
{
    const char *name = NULL;
    int status = need(s, tag, "name", &name);
    if (status != INLAY_OK) {
        return status;
    }
    s->group = name_map_get(&s->operator_of, name);
    if (s->group >= 0) {
        return INLAY_OK;
    }
    if (!memory_grow((void **)&s->operator_name, &s->operator_room, s->operators + 1, sizeof *s->operator_name) ||
        !name_map_put(&s->operator_of, name, (int32_t)s->operators)) {
        return diag_no_memory(s->diag);
    }
    s->group = (int32_t)s->operators;
    s->operator_name[s->operators++] = name;
    return INLAY_OK;
}

static int open_task(scenario *s, const xml_tag *tag)
{
    const char *name = NULL;
    int status = need(s, tag, "name", &name);
    if (status == INLAY_OK && s->group < 0) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line,
                            "task '%.60s' in front of an operator; expected the group's operator first", name);
    }
    if (status != INLAY_OK) {
        return status;
    }
    const permission made = {s->group, name_map_get(&s->permission_of, name)};
    if (!memory_grow((void **)&s->permission, &s->permission_room, s->permissions + 1, sizeof *s->permission) ||
        !name_map_put(&s->permission_of, name, (int32_t)s->permissions)) {
        return diag_no_memory(s->diag);
    }
    s->permission[s->permissions++] = made;
    return INLAY_OK;
}

static int open_type(scenario *s, const xml_tag *tag)
{
    const char *name = NULL, *text = NULL;
    int64_t size;
    int status = need(s, tag, "name", &name);
    status = status == INLAY_OK ? need(s, tag, "size", &text) : status;
    if (status == INLAY_OK && (inlay_bytes_parse(text, &size) != INLAY_OK || size > INT64_C(1) << 40)) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, tag->line,
                            "size '%.40s' of type '%.60s'; expected a whole number up to 2^40", text, name);
    }
    if (status != INLAY_OK) {
        return status;
    }
    if (!memory_grow((void **)&s->type_size, &s->type_room, s->types + 1, sizeof *s->type_size) ||
        !name_map_put(&s->type_of, name, (int32_t)s->types)) {
        return diag_no_memory(s->diag);
    }
    s->type_size[s->types++] = size;
    return INLAY_OK;
}

static int open_parameter(scenario *s, const xml_tag *tag)
{
    preset made = {0};
    int status = need(s, tag, "name", &made.name);
    status = status == INLAY_OK ? need(s, tag, "parent", &made.parent) : status;
    status = status == INLAY_OK ? need(s, tag, "value", &made.value) : status;
    if (status == INLAY_OK && !memory_grow((void **)&s->preset, &s->preset_room, s->presets + 1, sizeof *s->preset)) {
        status = diag_no_memory(s->diag);
    }
    if (status == INLAY_OK) {
        s->preset[s->presets++] = made;
    }
    return status;
}

static int open_group(scenario *s, const xml_tag *tag)
{
    (void)tag;
    s->group = -1;
    s->groups++;
    return INLAY_OK;
}

static int open_bits(scenario *s, const xml_tag *tag)
{
    (void)tag;
    s->in_bits = true;
    return INLAY_OK;
}

static int open_algorithm(scenario *s, const xml_tag *tag)
{
    return need(s, tag, "url", &s->algorithm);
}

static int open_architecture(scenario *s, const xml_tag *tag)
{
    return need(s, tag, "url", &s->architecture);
}

static int open_element(void *context, const xml_tag *tag)
{
    static const struct {
        const char *name;
        int (*open)(scenario *s, const xml_tag *tag);
    } elements[] = {{"timing", open_timing},      {"constraintGroup", open_group}, {"operator", open_operator},
                    {"task", open_task},          {"dataType", open_type},         {"parameter", open_parameter},
                    {"sizesAreInBit", open_bits}, {"algorithm", open_algorithm},   {"architecture", open_architecture}};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        if (strcmp(tag->name, elements[i].name) == 0) {
            return elements[i].open(context, tag);
        }
    }
    return INLAY_OK;
}

int scenario_read(const char *data, size_t size, scenario *s)
{
    const xml_reader reader = {"a PREESM scenario", .open = open_element};
    s->group = -1;
    int status = xml_parse(data, size, s->source, &reader, s, s->diag);
    if (status == INLAY_OK && s->algorithm == NULL) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0,
                            "no algorithm; expected files with algorithm url=\"...\"");
    }
    return status;
}

void scenario_clear(scenario *s)
{
    free(s->timing);
    free(s->permission);
    free(s->preset);
    free(s->type_size);
    free((void *)s->operator_name);
    name_map *maps[] = {&s->timing_of, &s->permission_of, &s->type_of, &s->operator_of};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        name_map_clear(maps[i]);
    }
}

/* ---- Files that files name ---- */

/* Joins the first `folder` characters of `from` and a path, where that is a file. */
static int try_path(const char *from, size_t folder, const char *path, char **found, inlay_diag *diag)
{
    size_t size = folder + strlen(path) + 1;
    char *tried = memory_array(size, 1);
    if (tried == NULL) {
        return diag_no_memory(diag);
    }
    memcpy(tried, from, folder);
    memcpy(tried + folder, path, size - folder);
    if (file_exists(tried)) {
        *found = tried;
    } else {
        free(tried);
    }
    return INLAY_OK;
}

int preesm_find(const char *from, const char *path, const char *extension, char **found, inlay_diag *diag)
{
    size_t size = strlen(path), end = strlen(extension);
    *found = NULL;
    if (size <= end || strcmp(path + size - end, extension) != 0 || strstr(path, "..") != NULL) {
        return INLAY_OK;
    }
    path += strspn(path, "/");
    const char *inner = strchr(path, '/');
    const char *slash = strrchr(from, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - from) + 1;
    for (;;) {
        int status = try_path(from, folder, path, found, diag);
        if (status == INLAY_OK && *found == NULL && inner != NULL) {
            status = try_path(from, folder, inner + 1, found, diag);
        }
        if (status != INLAY_OK || *found != NULL || folder == 0) {
            return status;
        }
        for (folder--; folder > 0 && from[folder - 1] != '/'; folder--) {
        }
    }
}

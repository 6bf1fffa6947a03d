/* Reading what is checked: the mapping's JSON (gzip or plain), its application, its machine. */
#include "check/check.h"
#include "base/diag.h"
#include "base/file.h"
#include "io/json/read.h"

#include <inlay/io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ---- The file's text ---- */

enum { CHUNK = 1 << 16 };

static gzFile open_input(const char *path)
{
    if (strcmp(path, "-") != 0) return gzopen(path, "rb");
    int copy = dup(STDIN_FILENO);
    gzFile input = copy < 0 ? NULL : gzdopen(copy, "rb");
    if (!input && copy >= 0) close(copy);
    return input;
}

/* Make room for CHUNK more bytes; false when out of memory (then *buffer is freed and NULL). */
static bool make_room(char **buffer, size_t *capacity, size_t used)
{
    if (*buffer && *capacity - used >= CHUNK) return true;
    size_t wanted = *capacity < CHUNK ? CHUNK : 2 * *capacity;
    char *larger = wanted < *capacity ? NULL : realloc(*buffer, wanted);
    if (!larger) free(*buffer);
    *buffer = larger;
    *capacity = wanted;
    return larger != NULL;
}

/* Everything that comes from `input`; the status, and *data and *size where it is INLAY_OK. */
static int read_all(gzFile input, const char *path, char **data, size_t *size, inlay_diag *diag)
{
    char *buffer = NULL;
    size_t capacity = 0, used = 0;
    int got = 1;

    while (got > 0) {
        if (!make_room(&buffer, &capacity, used)) return diag_no_memory(diag);
        got = gzread(input, buffer + used, CHUNK);
        if (got > 0) used += (size_t)got;
        if (!gzdirect(input) && (int64_t)used > diag_most_unpacked(diag)) {
            free(buffer);
            return diag_too_large(diag, path);
        }
    }
    if (got < 0) {
        free(buffer);
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0,
                            "the file cannot be read to its end; expected a mapping.json");
    }
    *data = buffer;
    *size = used;
    return INLAY_OK;
}

static int read_json(check *k, inlay_diag *diag)
{
    gzFile input = open_input(k->path);
    char *data = NULL;
    size_t size = 0;
    json_error_t error;

    if (!input)
        return diag_fail_at(diag, INLAY_BAD_INPUT, k->path, 0, "the file cannot be opened; expected a mapping.json");
    int status = read_all(input, k->path, &data, &size, diag);
    gzclose_r(input);
    if (status != INLAY_OK) return status;
    k->root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    bool memory = !k->root && json_memory_is_out(&error, data, size);
    free(data);
    if (k->root) return INLAY_OK;
    if (memory) return diag_no_memory(diag);
    return diag_fail_at(diag, INLAY_BAD_INPUT, k->path, error.line > 0 ? error.line : 0, "%s; expected a mapping.json",
                        error.text);
}

/* ---- What it names ---- */

/* The text `name` in the object `of`, without which nothing can be checked. */
static const char *needed_text(const check *k, const char *of, const char *name, inlay_diag *diag)
{
    const char *value = json_string_value(json_object_get(json_object_get(k->root, of), name));
    if (!value)
        diag_fail_at(diag, INLAY_BAD_INPUT, k->path, 0,
                     "there is no text '%s' in the object '%s'; expected a mapping.json", name, of);
    return value;
}

/* SHA-256 of the application's file against what the mapping remembers. */
static void compare_digest(check *k, const char *path)
{
    const json_t *application = json_object_get(k->root, "application");
    char digest[65];
    if (check_sha256(path, digest))
        check_text(k, "application", application, "sha256", digest);
    else
        check_find(k, "application: '%.200s' cannot be read again for its SHA-256", path);
}

/* The path as written, or beside the mapping's own file where only that exists. Freed by the caller. */
static char *resolve(const char *mapping_path, const char *path)
{
    const char *slash = strrchr(mapping_path, '/');
    bool here = file_comes_once(path) || path[0] == '/' || access(path, F_OK) == 0;
    size_t folder = slash && !here ? (size_t)(slash - mapping_path) + 1 : 0;
    size_t length = strlen(path);
    char *found = malloc(folder + length + 1);
    if (!found) return NULL;
    memcpy(found, mapping_path, folder);
    memcpy(found + folder, path, length + 1);
    return found;
}

/* The format that the file names; NULL, to be told by content, where it names none that there is. */
static const char *named_format(check *k, const json_t *application)
{
    bool null;
    const json_t *value = check_field_or_null(k, "application", application, "format", CHECK_STRING, &null);
    const char *format = json_string_value(value);
    if (!format) return NULL;
    for (size_t i = 0; i < inlay_formats(); i++)
        if (strcmp(inlay_format_at(i).name, format) == 0) return format;
    check_find(k, "application: format is '%.100s', which is no format", format);
    return NULL;
}

/* The application that the file names, which must have the bytes that it had. */
static int read_named_app(check *k, const json_t *application, inlay_diag *diag)
{
    const char *path = needed_text(k, "application", "path", diag);
    if (!path) return INLAY_BAD_INPUT;
    char *found = resolve(k->path, path);
    if (!found) return diag_no_memory(diag);
    int status =
        file_comes_once(found) ? diag_fail_at(diag, INLAY_BAD_INPUT, k->path, 0,
                                              "the application came through a pipe; expected --app FILE to name it")
        : access(found, F_OK) != 0
            ? diag_fail_at(diag, INLAY_BAD_INPUT, k->path, 0,
                           "application '%s' is neither here nor beside this file; expected --app FILE to name it",
                           path)
            : inlay_app_read(found, named_format(k, application), &k->app, diag);
    if (status == INLAY_OK) compare_digest(k, found);
    free(found);
    return status;
}

/* An application that the caller names stands for the one that was mapped: name and bytes may differ, the graph not. */
static int read_app(check *k, const char *app_path, inlay_diag *diag)
{
    const json_t *application = json_object_get(k->root, "application");
    int status = app_path ? inlay_app_read(app_path, NULL, &k->app, diag) : read_named_app(k, application, diag);
    if (status != INLAY_OK) return status;
    k->modules = inlay_app_modules(k->app);
    k->blocks = inlay_app_blocks(k->app);
    k->grains_per_unit = 1;
    for (int i = 0; i < inlay_app_decimals(k->app); i++)
        k->grains_per_unit *= 10;
    if (!app_path) check_text(k, "application", application, "name", inlay_app_name(k->app));
    check_count(k, "application", application, "modules", k->modules);
    check_count(k, "application", application, "links", inlay_app_links(k->app));
    return INLAY_OK;
}

/* ---- The machine ---- */

/* What tells of the machine's own file; the other members of the object are attributes. */
static bool is_of_file(const check *k, const char *name)
{
    bool has = json_object_get(json_object_get(k->root, "machine"), "document") != NULL;
    return has && (strcmp(name, "document") == 0 || strcmp(name, "format") == 0);
}

/* Every attribute of the machine stands in the file, and no other. */
static void compare_attributes(check *k)
{
    json_t *machine = json_object_get(k->root, "machine");
    const char *name;
    json_t *value;

    for (size_t i = 0; i < inlay_machine_attributes(k->machine); i++) {
        inlay_attribute attribute = inlay_machine_attribute(k->machine, i);
        check_text(k, "machine", machine, attribute.name, attribute.value);
    }
    json_object_foreach(machine, name, value)
    {
        bool known = strcmp(name, "text") == 0 || is_of_file(k, name);
        for (size_t i = 0; !known && i < inlay_machine_attributes(k->machine); i++)
            known = strcmp(name, inlay_machine_attribute(k->machine, i).name) == 0;
        if (!known) check_find(k, "machine: its text does not have the attribute '%.100s'", name);
    }
}

/* The attributes that hold for all of a machine that a file gives; false where one is no text. */
static bool list_attributes(const check *k, inlay_attribute *attribute, size_t *count, inlay_diag *diag)
{
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(k->root, "machine"), name, value)
    {
        if (is_of_file(k, name) || strcmp(name, "text") == 0 || strcmp(name, "network") == 0) continue;
        if (!json_is_string(value)) {
            diag_fail_at(diag, INLAY_BAD_INPUT, k->path, 0, "the machine's '%.100s' is no text; expected one", name);
            return false;
        }
        attribute[(*count)++] = (inlay_attribute){name, json_string_value(value), 0};
    }
    return true;
}

/* A machine that a file gave stands in the mapping with the file's whole text. */
static int read_document(check *k, const char *source, inlay_diag *diag)
{
    const char *document = needed_text(k, "machine", "document", diag);
    const char *format = needed_text(k, "machine", "format", diag);
    if (!document || !format) return INLAY_BAD_INPUT;
    size_t room = json_object_size(json_object_get(k->root, "machine")), count = 0;
    inlay_attribute *attribute = malloc(room * sizeof *attribute);
    if (!attribute) return diag_no_memory(diag);
    int status =
        list_attributes(k, attribute, &count, diag)
            ? inlay_machine_read_with(document, strlen(document), source, format, attribute, count, &k->machine, diag)
            : INLAY_BAD_INPUT;
    free(attribute);
    if (status != INLAY_BAD_ARGUMENT) return status;
    return diag_fail_at(diag, INLAY_BAD_INPUT, k->path, 0,
                        "the machine's format is '%.100s', which is none; expected one of the formats of machines",
                        format);
}

static int read_machine(check *k, inlay_diag *diag)
{
    const char *text = needed_text(k, "machine", "text", diag);
    if (!text) return INLAY_BAD_INPUT;
    bool file = json_object_get(json_object_get(k->root, "machine"), "document") != NULL;
    int status = file ? read_document(k, text, diag) : inlay_machine_parse(text, &k->machine, diag);
    if (status != INLAY_OK) return status;
    compare_attributes(k);
    return INLAY_OK;
}

int check_read(check *k, const char *app_path, inlay_diag *diag)
{
    int status = read_json(k, diag);
    if (status == INLAY_OK) status = read_app(k, app_path, diag);
    if (status == INLAY_OK) status = read_machine(k, diag);
    return status;
}

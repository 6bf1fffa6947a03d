/* Reading a study's file, with settings in place of what it says. */
#include "study/plan.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/store.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char members[] = "applications machines processors methods seeds options work output csv";

/* ---- Values ---- */

void plan_find_in(const json_file *file, const char *inside, const char *key, plan_value *value)
{
    value->file = file;
    value->root = json_at_root(file);
    value->parent = inside != NULL ? json_at_member(&value->root, inside) : (json_place){{0}, NULL};
    value->at = json_at_member(inside != NULL ? &value->parent : &value->root, key);
}

bool plan_find(const plan *p, const char *inside, const char *key, plan_value *value)
{
    for (size_t i = p->documents; i-- > 0;) {
        plan_find_in(&p->document[i], inside, key, value);
        if (value->at.value != NULL) {
            return true;
        }
    }
    return false; /* and stands where the file would have it */
}

void plan_hash(plan *p, const char *key, const char *value)
{
    sha256_add(&p->hash, key, strlen(key) + 1);
    sha256_add(&p->hash, value, strlen(value) + 1);
}

study_application *plan_new_application(inlay_study *study)
{
    if (!memory_grow((void **)&study->application, &study->application_room, study->applications + 1,
                     sizeof *study->application)) {
        return NULL;
    }
    study->application[study->applications] = (study_application){0};
    return &study->application[study->applications++];
}

/* ---- Names ---- */

static int told(names_status status, const json_file *file, const json_place *at)
{
    switch (status) {
    case NAMES_OK: return INLAY_OK;
    case NAMES_NO_MEMORY: return diag_no_memory(file->diag);
    case NAMES_MANY:
        return json_complain(file, at, "'%s' stands for more than %d; expected fewer", json_string_value(at->value),
                             NAMES_MOST);
    default:
        return json_refuse(file, at, "braces that close around a list or a range, as in bus:{4,8} or bus:{4..64*2}");
    }
}

static char *joined(const char *folder, const char *path)
{
    text_buffer whole = {0};
    text_add(&whole, *path == '/' ? "" : folder);
    text_add(&whole, path);
    if (whole.failed) {
        text_clear(&whole);
    }
    return whole.data;
}

static bool is_there(const inlay_study *study, const char *path)
{
    char *whole = joined(study->folder, path);
    bool there = whole != NULL && file_exists(whole);
    free(whole);
    return there;
}

/* Each text is one to be expanded, and then a pattern where it looks like one and some file matches. */
static int expand(const inlay_study *study, const json_file *file, const json_place *at, names *found)
{
    const char *text = NULL;
    names expanded = {0};
    int status = json_read_text(file, at, &text);
    if (status == INLAY_OK) {
        bool plain = is_there(study, text);
        status = told(plain ? names_add(&expanded, text) : names_expand(&expanded, text), file, at);
    }
    for (size_t i = 0; status == INLAY_OK && i < expanded.count; i++) {
        const char *name = expanded.name[i];
        size_t before = found->count;
        if (names_is_pattern(name) && !is_there(study, name)) {
            status = told(names_match(found, study->folder, name), file, at);
        }
        if (status == INLAY_OK && found->count == before) {
            status = told(names_add(found, name), file, at);
        }
    }
    names_clear(&expanded);
    return status;
}

/* Calls `add` with each element of a list, or with what stands in place of one. */
static int each(plan *p, const json_file *file, const json_place *at,
                int (*add)(plan *p, const json_file *file, const json_place *at))
{
    if (!json_is_array(at->value)) {
        return add(p, file, at);
    }
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < json_elements(at); i++) {
        json_place one = json_at_element(at, i);
        status = add(p, file, &one);
    }
    return status;
}

/* ---- Applications ---- */

static int add_path(plan *p, const json_file *file, const json_place *at, const char *name)
{
    if (!is_there(p->study, name)) {
        return names_is_pattern(name) ? json_complain(file, at, "no file is like '%s'; expected applications", name)
                                      : json_complain(file, at, "there is no file '%s'; expected an application", name);
    }
    study_application *next = plan_new_application(p->study);
    if (next != NULL) {
        next->name = memory_string(name);
        next->path = joined(p->study->folder, name);
    }
    return next == NULL || next->name == NULL || next->path == NULL ? diag_no_memory(p->diag) : INLAY_OK;
}

static int add_paths(plan *p, const json_file *file, const json_place *at)
{
    names found = {0};
    if (!json_is_string(at->value)) {
        return json_refuse(file, at, "a path, or an object with 'generate' or 'files'");
    }
    int status = expand(p->study, file, at, &found);
    for (size_t i = 0; status == INLAY_OK && i < found.count; i++) {
        status = add_path(p, file, at, found.name[i]);
    }
    names_clear(&found);
    return status;
}

/* An object: what it stands for may be of a group. */
static int add_object(plan *p, const json_file *file, const json_place *at)
{
    size_t before = p->study->applications;
    const char *group = NULL;
    json_place files = json_at_member(at, "files"), said = json_at_member(at, "group");
    int status = INLAY_OK;
    if (files.value == NULL) {
        status = plan_generate(p, file, at);
    } else {
        status = json_only(file, at, "files group");
        status = status == INLAY_OK ? each(p, file, &files, add_paths) : status;
    }
    status = status == INLAY_OK && said.value != NULL ? json_read_text(file, &said, &group) : status;
    for (size_t i = before; status == INLAY_OK && group != NULL && i < p->study->applications; i++) {
        p->study->application[i].group = memory_string(group);
        status = p->study->application[i].group == NULL ? diag_no_memory(p->diag) : INLAY_OK;
    }
    return status;
}

static int add_applications(plan *p, const json_file *file, const json_place *at)
{
    return json_is_object(at->value) ? add_object(p, file, at) : add_paths(p, file, at);
}

/* ---- Machines ---- */

/* A file with what may stand behind a comma is one of the study's folder, where there is one. */
static char *machine_text(const inlay_study *study, const char *name)
{
    char *path = memory_string(name);
    bool there = false;
    if (path != NULL) {
        there = is_there(study, path);
        if (!there) {
            path[strcspn(path, ",")] = '\0';
            there = *path != '\0' && is_there(study, path);
        }
    }
    free(path);
    return there ? joined(study->folder, name) : memory_string(name);
}

static int add_machines(plan *p, const json_file *file, const json_place *at)
{
    inlay_study *study = p->study;
    names found = {0};
    if (!json_is_string(at->value)) {
        return json_refuse(file, at, "a machine's string such as 'bus:4', or a path");
    }
    int status = expand(study, file, at, &found);
    for (size_t i = 0; status == INLAY_OK && i < found.count; i++) {
        if (!memory_grow((void **)&study->machine, &study->machine_room, study->machines + 1, sizeof *study->machine)) {
            status = diag_no_memory(p->diag);
            break;
        }
        study_machine *next = &study->machine[study->machines++];
        *next = (study_machine){memory_string(found.name[i]), machine_text(study, found.name[i]), {.busy = 0}};
        status = next->name == NULL || next->text == NULL ? diag_no_memory(p->diag) : status;
        const char *wrong = status == INLAY_OK ? relative_take(next->text, &next->relative) : NULL;
        status = wrong != NULL ? json_refuse(file, at, wrong) : status;
    }
    names_clear(&found);
    return status;
}

/* ---- Methods ---- */

const char *study_method_name(const inlay_method *method)
{
    return method != NULL ? method->name : "default";
}

static int refuse_method(const json_file *file, const json_place *at, const char *word)
{
    text_buffer all = {0};
    for (size_t i = 0; i < inlay_methods(); i++) {
        text_addf(&all, "%s, ", inlay_method_at(i)->name);
    }
    int status = all.failed ? diag_no_memory(file->diag)
                            : json_complain(file, at, "unknown method '%s'; expected one of %sdefault", word, all.data);
    text_clear(&all);
    return status;
}

static int add_method(plan *p, const json_file *file, const json_place *at, const char *word)
{
    inlay_study *study = p->study;
    const inlay_method *method = inlay_method_named(word);
    if (method == NULL && strcmp(word, "default") != 0) {
        return refuse_method(file, at, word);
    }
    if (!memory_grow((void **)&study->method, &study->method_room, study->methods + 1, sizeof *study->method)) {
        return diag_no_memory(p->diag);
    }
    study->method[study->methods++] = method;
    return INLAY_OK;
}

/* One, or several with commas between. */
static int add_methods(plan *p, const json_file *file, const json_place *at)
{
    const char *text = NULL;
    int status = json_read_text(file, at, &text);
    char *words = status == INLAY_OK ? memory_string(text) : NULL;
    if (status == INLAY_OK && words == NULL) {
        return diag_no_memory(p->diag);
    }
    for (char *word = words; status == INLAY_OK && word != NULL;) {
        char *comma = strchr(word, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        status = add_method(p, file, at, word);
        word = comma;
    }
    free(words);
    return status;
}

/* ---- The members ---- */

typedef int member_reader(plan *p, const json_file *file, const json_place *at);

static int read_list(plan *p, const char *key, member_reader *add, const size_t *count, const char *expected)
{
    plan_value value;
    if (!plan_find(p, NULL, key, &value)) {
        return json_refuse(value.file, &value.at, expected);
    }
    int status = each(p, value.file, &value.at, add);
    return status == INLAY_OK && *count == 0
               ? json_complain(value.file, &value.at, "the list of %s is empty; expected %s", key, expected)
               : status;
}

static int read_series(plan *p, const char *key, int64_t most, series *numbers)
{
    plan_value value;
    if (plan_find(p, NULL, key, &value)) {
        int64_t least = 1, largest;
        int status = plan_series(value.file, &value.at, most, numbers);
        series_range(numbers, &least, &largest);
        return status == INLAY_OK && least < 1 && most == INT32_MAX
                   ? json_refuse(value.file, &value.at, "numbers of processors from 1 on")
                   : status;
    }
    return series_add(numbers, 0, 0, 1, 0) == SERIES_OK ? INLAY_OK : diag_no_memory(p->diag);
}

static int read_methods(plan *p)
{
    plan_value value;
    if (!plan_find(p, NULL, "methods", &value)) {
        return add_method(p, value.file, &value.at, "default");
    }
    int status = each(p, value.file, &value.at, add_methods);
    return status == INLAY_OK && p->study->methods == 0 ? json_refuse(value.file, &value.at, "names of methods")
                                                        : status;
}

static int read_work(plan *p)
{
    plan_value value;
    const char *word = "map";
    int status = plan_find(p, NULL, "work", &value) ? json_read_text(value.file, &value.at, &word) : INLAY_OK;
    p->study->idle = strcmp(word, "none") == 0;
    return status == INLAY_OK && !p->study->idle && strcmp(word, "map") != 0
               ? json_refuse(value.file, &value.at, "'map', or 'none' for rows without results")
               : status;
}

/* The settings' files are those of who sets them; the study's stand in its folder. */
static int read_output(plan *p, const char *key, char **path)
{
    plan_value value;
    const char *text = NULL;
    if (!plan_find(p, NULL, key, &value)) {
        return INLAY_OK;
    }
    int status = json_read_text(value.file, &value.at, &text);
    if (status == INLAY_OK && (*text == '\0' || strcmp(text, "-") == 0)) {
        return json_refuse(value.file, &value.at, "the name of a file");
    }
    if (status == INLAY_OK) {
        *path = joined(value.file == p->document ? p->study->folder : "", text);
        status = *path == NULL ? diag_no_memory(p->diag) : status;
    }
    return status;
}

static int count_points(const plan *p)
{
    const inlay_study *study = p->study;
    int64_t points = 1;
    const int64_t count[] = {(int64_t)study->applications, (int64_t)study->machines, study->processors.count,
                             (int64_t)study->methods,      (int64_t)study->variants, study->seeds.count};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        if (__builtin_mul_overflow(points, count[i], &points) || points > INT32_MAX) {
            return diag_fail(p->diag, INLAY_OVERFLOW,
                             "%s: there are more than %d points; expected fewer of what is crossed",
                             p->document->source, INT32_MAX);
        }
    }
    return INLAY_OK;
}

/* ---- The digest ---- */

static void hash_number(plan *p, const char *key, int64_t number)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRId64, number);
    plan_hash(p, key, digits);
}

static void hash_series(plan *p, const char *key, const series *numbers)
{
    for (size_t i = 0; i < numbers->pieces; i++) {
        hash_number(p, key, numbers->piece[i].first);
        hash_number(p, "step", numbers->piece[i].step);
        hash_number(p, "count", numbers->piece[i].count);
    }
}

static void hash_all(plan *p)
{
    inlay_study *study = p->study;
    plan_hash(p, "inlay", inlay_version());
    for (size_t i = 0; i < study->applications; i++) {
        plan_hash(p, study->application[i].path != NULL ? "path" : "generate", study->application[i].name);
        if (study->application[i].group != NULL) {
            plan_hash(p, "group", study->application[i].group);
        }
    }
    for (size_t i = 0; i < study->machines; i++) {
        plan_hash(p, "machine", study->machine[i].name);
    }
    hash_series(p, "processors", &study->processors);
    for (size_t i = 0; i < study->methods; i++) {
        plan_hash(p, "method", study_method_name(study->method[i]));
    }
    hash_series(p, "seeds", &study->seeds);
    plan_hash(p, "work", study->idle ? "none" : "map");
    sha256_end(&p->hash, study->digest);
}

/* ---- The whole ---- */

static int read_members(plan *p)
{
    inlay_study *study = p->study;
    int status = read_list(p, "applications", add_applications, &study->applications,
                           "paths of applications, or objects with 'generate' or 'files'");
    status = status == INLAY_OK
                 ? read_list(p, "machines", add_machines, &study->machines, "machines such as 'bus:4', or paths")
                 : status;
    status = status == INLAY_OK ? read_series(p, "processors", INT32_MAX, &study->processors) : status;
    status = status == INLAY_OK ? read_methods(p) : status;
    status = status == INLAY_OK ? read_series(p, "seeds", INT64_MAX, &study->seeds) : status;
    status = status == INLAY_OK ? plan_options(p) : status;
    status = status == INLAY_OK ? read_work(p) : status;
    status = status == INLAY_OK ? read_output(p, "output", &study->output) : status;
    status = status == INLAY_OK ? read_output(p, "csv", &study->csv) : status;
    status = status == INLAY_OK ? count_points(p) : status;
    if (status == INLAY_OK) {
        hash_all(p);
        study->store = store_new(study);
        status = study->store == NULL ? diag_no_memory(p->diag) : status;
    }
    return status;
}

static int open_document(plan *p, const char *text, size_t size, const char *source)
{
    json_file *document = &p->document[p->documents];
    int status = json_file_open(document, text, size, source, p->diag);
    if (status != INLAY_OK) {
        return status;
    }
    p->documents++;
    json_place root = json_at_root(document);
    status = json_need_object(document, &root);
    return status == INLAY_OK ? json_only(document, &root, members) : status;
}

/* `KEY=VALUE` as a document of its own: the value is JSON where it looks like it, else a text. */
static int setting_document(const char *setting, json_t **document, inlay_diag *diag)
{
    const char *equals = strchr(setting, '='), *dot = strchr(setting, '.');
    if (equals == NULL || equals == setting) {
        return diag_fail(diag, INLAY_BAD_INPUT, "the setting '%s'; expected KEY=VALUE, as in methods=heft,etf",
                         setting);
    }
    json_t *value = json_loads(equals + 1, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    value = value != NULL ? value : json_string(equals + 1);
    char *key = memory_string(setting);
    if (key != NULL) {
        key[equals - setting] = '\0';
    }
    bool nested = dot != NULL && dot < equals;
    char *inner = key != NULL && nested ? key + (dot - setting) + 1 : NULL;
    if (inner != NULL) {
        inner[-1] = '\0';
        value = json_pack("{s:o}", inner, value);
    }
    *document = key != NULL && value != NULL ? json_pack("{s:o}", key, value) : NULL;
    free(key);
    return *document == NULL
               ? diag_fail(diag, INLAY_BAD_INPUT, "the setting '%s' cannot be read; expected text in UTF-8", setting)
               : INLAY_OK;
}

static int open_setting(plan *p, const char *setting, char **text, char **source)
{
    json_t *document = NULL;
    int status = setting_document(setting, &document, p->diag);
    if (status != INLAY_OK) {
        return status;
    }
    *text = json_dumps(document, JSON_COMPACT);
    text_buffer named = {0};
    text_addf(&named, "--set %s", setting);
    *source = named.failed ? NULL : named.data;
    json_decref(document);
    return *text == NULL || *source == NULL ? diag_no_memory(p->diag) : open_document(p, *text, strlen(*text), *source);
}

/* `text` has room for what documents point to: two texts a setting. */
static int read_plan(plan *p, const char *path, const file_content *content, const char *const *settings, size_t count,
                     char **text)
{
    int status = open_document(p, content->data, content->size, path);
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        status = open_setting(p, settings[i], &text[2 * i], &text[2 * i + 1]);
    }
    status = status == INLAY_OK ? read_members(p) : status;
    for (size_t i = 0; i < p->documents; i++) {
        json_file_close(&p->document[i]);
    }
    return status;
}

static char *folder_of(const char *path)
{
    char *folder = memory_string(path);
    if (folder != NULL) {
        char *slash = strrchr(folder, '/');
        *(slash != NULL ? slash + 1 : folder) = '\0';
    }
    return folder;
}

static int read_file(const char *path, const char *const *settings, size_t count, inlay_study *study, inlay_diag *diag)
{
    file_content content = {0};
    plan p = {study, memory_zeroed(count + 1, sizeof *p.document), 0, sha256_begin(), diag};
    char **text = memory_zeroed(2 * count + 1, sizeof *text);
    study->folder = folder_of(path);
    int status = p.document == NULL || text == NULL || study->folder == NULL ? diag_no_memory(diag)
                                                                             : file_read(path, &content, diag);
    if (status == INLAY_OK) {
        status = read_plan(&p, path, &content, settings, count, text);
        file_content_clear(&content);
    }
    for (size_t i = 0; text != NULL && i < 2 * count; i++) {
        free(text[i]);
    }
    free(text);
    free(p.document);
    return status;
}

int inlay_study_read(const char *path, const char *const *settings, size_t count, inlay_study **study, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (path == NULL || study == NULL || (settings == NULL && count > 0)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a study is read from a path, with settings where there are some");
    }
    inlay_study *made = memory_zeroed(1, sizeof *made);
    int status = made == NULL ? diag_no_memory(diag) : read_file(path, settings, count, made, diag);
    if (status != INLAY_OK) {
        inlay_study_free(made);
        return status;
    }
    *study = made;
    return INLAY_OK;
}

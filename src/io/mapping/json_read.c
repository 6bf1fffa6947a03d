/* Reading mapping.json back, with the application and the machine that it names. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "graph/app.h"
#include "io/formats.h"
#include "io/json/read.h"
#include "io/mapping/words.h"
#include "mapping/evaluate.h"
#include <inlay/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void inlay_loaded_clear(inlay_loaded *loaded)
{
    inlay_mapping_free(loaded->mapping);
    inlay_machine_free(loaded->machine);
    inlay_app_free(loaded->app);
    *loaded = (inlay_loaded){0};
}

/* ---- The application ---- */

/* The path as written, or beside the mapping's own file where that is where it is. Freed by the caller. */
static char *resolve(const char *mapping_path, const char *app_path)
{
    const char *slash = strrchr(mapping_path, '/');
    if (file_comes_once(app_path) || file_exists(app_path) || app_path[0] == '/' || slash == NULL) {
        return memory_string(app_path);
    }
    size_t folder = (size_t)(slash - mapping_path) + 1;
    char *beside = memory_array(folder + strlen(app_path) + 1, 1);
    if (beside != NULL) {
        memcpy(beside, mapping_path, folder);
        strcpy(beside + folder, app_path);
    }
    return beside;
}

/* The bytes that were read against those that the mapping was made from. */
static int check_hash(const json_file *file, const json_place *place, const char *path, const inlay_app *app)
{
    const char *expected;
    int status = json_read_text(file, place, &expected);
    if (status != INLAY_OK || strcmp(app->sha256, expected) == 0) {
        return status;
    }
    return json_complain(file, place,
                         "application '%s' has changed since this mapping was made (SHA-256 %.12s..., here %.12s...); "
                         "expected the same bytes, or --app FILE to take it all the same",
                         path, app->sha256, expected);
}

static int load_app(const json_file *file, const char *mapping_path, const char *app_path, inlay_app **app)
{
    json_place root = json_at_root(file), application = json_at_member(&root, "application");
    json_place path_at = json_at_member(&application, "path"), hash_at = json_at_member(&application, "sha256");
    json_place format_at = json_at_member(&application, "format");
    const char *path = app_path, *format = NULL;
    int status = INLAY_OK;
    if (app_path != NULL) {
        return inlay_app_read(app_path, NULL, app, file->diag);
    }
    status = json_read_text(file, &path_at, &path);
    if (status == INLAY_OK && format_at.value != NULL) {
        status = json_read_text(file, &format_at, &format);
    }
    if (status != INLAY_OK) {
        return status;
    }
    char *found = resolve(mapping_path, path);
    if (found == NULL) {
        return diag_no_memory(file->diag);
    }
    if (file_comes_once(found)) {
        free(found);
        return json_complain(file, &path_at, "the application came through a pipe; expected --app FILE to name it");
    }
    if (!file_exists(found)) {
        free(found);
        return json_complain(file, &path_at,
                             "application '%s' is neither here nor beside this file; expected --app FILE to name it",
                             path);
    }
    status = inlay_app_read(found, format, app, file->diag);
    status = status == INLAY_OK ? check_hash(file, &hash_at, found, *app) : status;
    free(found);
    return status;
}

/* A machine whose file is kept whole; its other members are attributes, as they hold for the whole machine. */
static int load_document(const json_file *file, const json_place *at, const char *source, inlay_machine **machine)
{
    static const char *const own[] = {"text", "network", "format", "document"};
    json_place document_at = json_at_member(at, "document"), format_at = json_at_member(at, "format");
    const char *document, *format, *name;
    json_t *value;
    int status = json_read_text(file, &document_at, &document);
    status = status == INLAY_OK ? json_read_text(file, &format_at, &format) : status;
    inlay_attribute *attributes = memory_array(json_object_size(at->value), sizeof *attributes);
    size_t count = 0;
    if (status == INLAY_OK && attributes == NULL) {
        status = diag_no_memory(file->diag);
    }
    json_object_foreach((json_t *)at->value, name, value)
    {
        bool is_own = false;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
            is_own = is_own || strcmp(name, own[i]) == 0;
        }
        if (status == INLAY_OK && !is_own) {
            json_place place = json_at_member(at, name);
            attributes[count].name = name;
            attributes[count].line = 0;
            status = json_read_text(file, &place, &attributes[count++].value);
        }
    }
    if (status == INLAY_OK) {
        status =
            inlay_machine_read_with(document, strlen(document), source, format, attributes, count, machine, file->diag);
    }
    free(attributes);
    return status;
}

static int load_machine(const json_file *file, inlay_machine **machine)
{
    json_place root = json_at_root(file), at = json_at_member(&root, "machine"), text_at = json_at_member(&at, "text");
    json_place document_at = json_at_member(&at, "document");
    const char *string;
    int status = json_read_text(file, &text_at, &string);
    if (status == INLAY_OK && document_at.value != NULL) {
        return load_document(file, &at, string, machine);
    }
    return status == INLAY_OK ? inlay_machine_parse(string, machine, file->diag) : status;
}

/* ---- Options ---- */

static int read_word(const json_file *file, const json_place *in, const char *key, const char *const *words, int *value)
{
    json_place at = json_at_member(in, key);
    const char *word;
    int status = json_read_text(file, &at, &word);
    for (int i = 0; status == INLAY_OK && words[i] != NULL; i++) {
        if (strcmp(word, words[i]) == 0) {
            *value = i;
            return INLAY_OK;
        }
    }
    return status == INLAY_OK
               ? json_complain(file, &at, "unknown %s '%s'; expected %s or another of its words", key, word, words[0])
               : status;
}

static int read_flag(const json_file *file, const json_place *in, const char *key, bool *value)
{
    json_place at = json_at_member(in, key);
    if (!json_is_boolean(at.value)) {
        return json_refuse(file, &at, "true or false");
    }
    *value = json_is_true(at.value);
    return INLAY_OK;
}

static int read_options(const json_file *file, inlay_options *options)
{
    json_place root = json_at_root(file), at = json_at_member(&root, "options");
    json_place frame_at = json_at_member(&root, "time_frame"), processors_at = json_at_member(&root, "processors");
    json_place tick_at = json_at_member(&at, "tick_seconds");
    json_place layout_at = json_at_member(&at, "layout"), order_at = json_at_member(&at, "order");
    int order = 0, reduce = 0, when = 0, parallel = 0, blocking = 0, start = 0, layout = 0;
    bool unrelated = true;
    int64_t processors = 0;
    uint64_t seed = (uint64_t)json_integer_value(json_at_member(&root, "seed").value);
    inlay_options o = {.has_time_frame = true, .seed = seed};
    int status = read_word(file, &at, "reduce", reduce_words, &reduce);
    status = status == INLAY_OK ? read_word(file, &at, "reduce_when", reduce_when_words, &when) : status;
    status = status == INLAY_OK ? read_word(file, &at, "parallel", parallel_words, &parallel) : status;
    status = status == INLAY_OK ? read_word(file, &at, "blocking", blocking_words, &blocking) : status;
    status = status == INLAY_OK ? read_word(file, &at, "start", start_words, &start) : status;
    status = status == INLAY_OK ? read_flag(file, &at, "reduce_by_traffic", &o.reduce_by_traffic) : status;
    status = status == INLAY_OK ? read_flag(file, &at, "unrelated", &unrelated) : status;
    status = status == INLAY_OK ? json_read_decimal(file, &frame_at, &o.time_frame.value) : status;
    status = status == INLAY_OK ? json_read_integer(file, &processors_at, INT32_MAX, &processors) : status;
    if (status == INLAY_OK && layout_at.value != NULL) {
        status = read_word(file, &at, "layout", layout_words, &layout);
    }
    if (status == INLAY_OK && order_at.value != NULL) {
        status = read_word(file, &at, "order", order_words, &order);
    }
    const char *copies = json_string_value(json_at_member(&at, "copies").value);
    o.copies = copies != NULL && strcmp(copies, "each") == 0 ? INLAY_COPIES_EACH : INLAY_COPIES_ONCE;
    o.ignore_cores = json_is_true(json_at_member(&at, "ignore_cores").value);
    if (status == INLAY_OK && tick_at.value != NULL) {
        status = json_read_real(file, &tick_at, &o.tick_seconds);
    }
    if (status != INLAY_OK) {
        return status;
    }
    o.reduce = (inlay_reduce)reduce;
    o.reduce_when = (inlay_reduce_when)when;
    o.parallel = (inlay_parallel)parallel;
    o.blocking = (inlay_blocking)blocking;
    o.start = (inlay_start)start;
    o.layout = (inlay_layout)layout;
    o.order = (inlay_order)order;
    o.keep_unrelated = !unrelated;
    o.processors = (inlay_id)processors;
    *options = o;
    return INLAY_OK;
}

/* ---- Clusters ---- */

typedef struct clusters_read {
    const inlay_app *app;
    inlay_task_schedule schedule;
    size_t room;    /* for its entries */
    inlay_id *held; /* processors of every module so far */
    inlay_id *home; /* processor of every block, -1 until it is met */
} clusters_read;

static int read_modules(const json_file *file, const json_place *cluster, inlay_id processor, clusters_read *r)
{
    json_place list = json_at_member(cluster, "modules");
    int status = json_need_array(file, &list);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&list); i++) {
        json_place at = json_at_element(&list, i);
        const char *name;
        status = json_read_text(file, &at, &name);
        inlay_id module = status == INLAY_OK ? inlay_app_find_module(r->app, name) : -1;
        if (status == INLAY_OK && module < 0) {
            status = json_complain(file, &at, "unknown module '%s'; expected one of the application's", name);
        } else if (status == INLAY_OK && r->held[module] == inlay_app_cores(r->app, module)) {
            status = json_complain(file, &at, "duplicate module '%s'; expected every module once", name);
        } else if (status == INLAY_OK) {
            r->held[module]++;
            status = schedule_add(&r->schedule, &r->room, module, processor) ? INLAY_OK : diag_no_memory(file->diag);
        }
    }
    return status == INLAY_OK && json_elements(&list) == 0 ? json_refuse(file, &list, "at least one module") : status;
}

static inlay_id find_block(const inlay_app *app, const char *name)
{
    int32_t id = name_map_get(&app->by_name, name);
    return id <= -2 ? -2 - id : -1;
}

static int read_blocks(const json_file *file, const json_place *cluster, inlay_id processor, clusters_read *r)
{
    json_place list = json_at_member(cluster, "blocks");
    int status = json_need_array(file, &list);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&list); i++) {
        json_place at = json_at_element(&list, i);
        const char *name;
        status = json_read_text(file, &at, &name);
        inlay_id block = status == INLAY_OK ? find_block(r->app, name) : -1;
        if (status == INLAY_OK && (block < 0 || r->home[block] >= 0)) {
            status = json_complain(file, &at, "%s data block '%s'; expected every block of the application once",
                                   block < 0 ? "unknown" : "duplicate", name);
        } else if (status == INLAY_OK) {
            r->home[block] = processor;
        }
    }
    return status;
}

static int check_complete(const json_file *file, const json_place *clusters, const clusters_read *r)
{
    for (inlay_id i = 0; i < inlay_app_modules(r->app); i++) {
        if (r->held[i] == 0) {
            return json_complain(file, clusters, "module '%s' is in no cluster; expected every module once",
                                 inlay_app_module_name(r->app, i));
        }
    }
    for (inlay_id d = 0; d < inlay_app_blocks(r->app); d++) {
        if (r->home[d] < 0) {
            return json_complain(file, clusters, "data block '%s' is in no cluster; expected every block once",
                                 inlay_app_block_name(r->app, d));
        }
    }
    return INLAY_OK;
}

static int read_clusters(const json_file *file, clusters_read *r)
{
    json_place root = json_at_root(file), clusters = json_at_member(&root, "clusters");
    int status = json_need_array(file, &clusters);
    for (size_t c = 0; status == INLAY_OK && c < json_elements(&clusters); c++) {
        json_place at = json_at_element(&clusters, c), processor_at = json_at_member(&at, "processor");
        int64_t processor = 0;
        status = json_read_integer(file, &processor_at, INT32_MAX, &processor);
        status = status == INLAY_OK ? read_modules(file, &at, (inlay_id)processor, r) : status;
        status = status == INLAY_OK ? read_blocks(file, &at, (inlay_id)processor, r) : status;
    }
    return status == INLAY_OK ? check_complete(file, &clusters, r) : status;
}

/* ---- The mapping: its figures are worked out anew from the placement ---- */

/* @param found  NULL for a placement of the user's own */
static int read_facts(const json_file *file, placement_input *facts, const inlay_method **found)
{
    json_place root = json_at_root(file), method_at = json_at_member(&root, "method");
    json_place from_at = json_at_member(&root, "reduced_from");
    json_place makespan = json_at_member(&root, "makespan");
    json_place unreduced_at = json_at_member(&makespan, "estimate_unreduced");
    const char *method;
    bool given = false;
    int64_t from = -1;
    int status = json_read_text(file, &method_at, &method);
    status = status == INLAY_OK ? read_flag(file, &root, "time_frame_given", &given) : status;
    if (status == INLAY_OK && from_at.value != NULL) {
        status = json_read_integer(file, &from_at, INT32_MAX, &from);
    }
    double unreduced = NAN;
    if (status == INLAY_OK && unreduced_at.value != NULL) {
        status = json_read_real(file, &unreduced_at, &unreduced);
    }
    if (status != INLAY_OK) {
        return status;
    }
    bool placed = strcmp(method, "placement") == 0;
    *found = inlay_method_named(method);
    if (!placed && *found == NULL) {
        return json_complain(file, &method_at, "unknown method '%s'; expected houstis or placement", method);
    }
    facts->method = placed ? "placement" : (*found)->name;
    facts->reduced_from = (inlay_id)from;
    facts->estimate_unreduced = unreduced;
    facts->frame_was_chosen = !given;
    return INLAY_OK;
}

/* Starts as they were planned, where the file has any; an array of the caller's. */
static int read_plan(const json_file *file, inlay_id modules, double **start)
{
    json_place root = json_at_root(file), list = json_at_member(&root, "planned_starts");
    if (list.value == NULL) {
        return INLAY_OK;
    }
    int status = json_need_array(file, &list);
    if (status == INLAY_OK && json_elements(&list) != (size_t)modules) {
        return json_refuse(file, &list, "a start of every module");
    }
    *start = status == INLAY_OK ? memory_array((size_t)modules, sizeof **start) : NULL;
    if (status == INLAY_OK && *start == NULL) {
        return diag_no_memory(file->diag);
    }
    for (inlay_id i = 0; status == INLAY_OK && i < modules; i++) {
        json_place element = json_at_element(&list, (size_t)i);
        status = json_read_real(file, &element, &(*start)[i]);
    }
    return status;
}

/* What the mapping was judged by; it is of this application alone. */
static int read_elapsed(const json_file *file, bool same_app, inlay_mapping *mapping)
{
    json_place root = json_at_root(file), elapsed_at = json_at_member(&root, "elapsed");
    json_place is_at = json_at_member(&root, "elapsed_is");
    double elapsed = NAN;
    const char *is = "simulated";
    int status = INLAY_OK;
    if (same_app && elapsed_at.value != NULL) {
        status = json_read_real(file, &elapsed_at, &elapsed);
        status = status == INLAY_OK ? json_read_text(file, &is_at, &is) : status;
    }
    if (status == INLAY_OK) {
        bool screen = strcmp(is, inlay_elapsed_is_name(INLAY_ELAPSED_SCREEN)) == 0;
        mapping_set_elapsed(mapping, elapsed, screen ? INLAY_ELAPSED_SCREEN : INLAY_ELAPSED_SIMULATED);
    }
    return status;
}

static int load_mapping(const json_file *file, bool same_app, inlay_loaded *loaded)
{
    clusters_read r = {.app = loaded->app, .schedule.ordered = true};
    inlay_options options;
    placement_input facts = {0};
    size_t modules = (size_t)inlay_app_modules(r.app), blocks = (size_t)inlay_app_blocks(r.app);
    r.held = memory_zeroed(modules, sizeof *r.held);
    r.home = memory_array(blocks, sizeof *r.home);
    int status = r.held == NULL || r.home == NULL ? diag_no_memory(file->diag) : INLAY_OK;
    if (status == INLAY_OK) {
        memset(r.home, 0xFF, blocks * sizeof *r.home);
        status = read_options(file, &options);
    }
    status = status == INLAY_OK ? read_facts(file, &facts, &options.method) : status;
    status = status == INLAY_OK ? read_clusters(file, &r) : status;
    status = status == INLAY_OK ? read_plan(file, inlay_app_modules(r.app), &r.schedule.start) : status;
    if (status == INLAY_OK) {
        facts.schedule = &r.schedule;
        facts.home = r.home;
        status = evaluate_placement(loaded->app, loaded->machine, &facts, &options, &loaded->mapping, file->diag);
    }
    if (status == INLAY_OK) {
        json_place root = json_at_root(file), rules = json_at_member(&root, "rules");
        loaded->mapping->summary.order_given = json_at_member(&rules, "order").value != NULL;
        status = read_elapsed(file, same_app, loaded->mapping);
    }
    free(r.held);
    free(r.home);
    inlay_task_schedule_clear(&r.schedule);
    return status;
}

int inlay_mapping_read(const char *path, const char *app_path, inlay_loaded *loaded, inlay_diag *diag)
{
    DIAG_CALL(diag);
    file_content content;
    json_file file;
    inlay_loaded read = {0};
    int status = file_read(path, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (format_is_application(content.data, content.size)) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, path, 0,
                              "this is an application; expected its mapping, which 'inlay map APP MACHINE -o FILE' "
                              "writes");
    } else if ((status = json_file_open(&file, content.data, content.size, path, diag)) == INLAY_OK) {
        status = load_app(&file, path, app_path, &read.app);
        status = status == INLAY_OK ? load_machine(&file, &read.machine) : status;
        status = status == INLAY_OK ? load_mapping(&file, app_path == NULL, &read) : status;
        json_file_close(&file);
    }
    file_content_clear(&content);
    if (status != INLAY_OK) {
        inlay_loaded_clear(&read);
        return status;
    }
    *loaded = read;
    return INLAY_OK;
}

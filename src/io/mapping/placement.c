/*
 * Placements: the processor of every module, as other tools and people write it down.
 *
 *   JSON      a mapping.json, whose `clusters` name a processor and its modules, or {"module": processor, ...}
 *   CSV       module,processor
 *   part file one processor a line, in the order of the modules (METIS and its kin)
 *   rankfile  rank N=host slot=S (Open MPI): rank N is module N, every other (host, slot) another processor
 *
 * How many processors there are is the machine's business: here they are integers from 0.
 */
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/json/read.h"
#include <inlay/io.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60, NOWHERE = -1 };

typedef struct placement {
    const inlay_app *app;
    const char *source;
    inlay_diag *diag;
    inlay_id *processor; /* by module; NOWHERE before it is known */
} placement;

static int assign(const placement *p, long line, inlay_id module, inlay_id processor)
{
    if (p->processor[module] != NOWHERE) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "duplicate module '%s'; expected every module once", inlay_app_module_name(p->app, module));
    }
    p->processor[module] = processor;
    return INLAY_OK;
}

static int assign_by_name(const placement *p, long line, const char *name, inlay_id processor)
{
    inlay_id module = inlay_app_find_module(p->app, name);
    if (module < 0) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "unknown module '%s'; expected a module of the application", name);
    }
    return assign(p, line, module, processor);
}

/* @param line  where a module that is missing should have stood */
static int check_complete(const placement *p, long line)
{
    for (inlay_id i = 0; i < inlay_app_modules(p->app); i++) {
        if (p->processor[i] == NOWHERE) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                                "module '%s' has no processor; expected every module once",
                                inlay_app_module_name(p->app, i));
        }
    }
    return INLAY_OK;
}

/* ---- JSON ---- */

static int read_cluster(const placement *p, const json_file *file, const json_place *cluster)
{
    json_place processor_place = json_at_member(cluster, "processor"), modules = json_at_member(cluster, "modules");
    int64_t processor = 0;
    int status = json_need_object(file, cluster);
    if (status == INLAY_OK) {
        status = json_read_integer(file, &processor_place, INT32_MAX, &processor);
    }
    if (status == INLAY_OK) {
        status = json_need_array(file, &modules);
    }
    for (size_t i = 0; status == INLAY_OK && i < json_elements(&modules); i++) {
        json_place element = json_at_element(&modules, i);
        const char *name = NULL;
        status = json_read_text(file, &element, &name);
        /* Lines are looked up when needed only: a large mapping has many modules. */
        bool fits = status == INLAY_OK && inlay_app_find_module(p->app, name) >= 0 &&
                    p->processor[inlay_app_find_module(p->app, name)] == NOWHERE;
        if (status == INLAY_OK) {
            status = assign_by_name(p, fits ? 0 : json_line_of(file, &element), name, (inlay_id)processor);
        }
    }
    return status;
}

static int read_clusters(const placement *p, const json_file *file, const json_place *clusters)
{
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < json_elements(clusters); i++) {
        json_place cluster = json_at_element(clusters, i);
        status = read_cluster(p, file, &cluster);
    }
    return status == INLAY_OK ? check_complete(p, json_line_of(file, clusters)) : status;
}

/* {"module": processor, ...} */
static int read_members(const placement *p, const json_file *file, const json_place *root)
{
    int status = INLAY_OK;
    for (void *at = json_object_iter(file->root); status == INLAY_OK && at != NULL;
         at = json_object_iter_next(file->root, at)) {
        const char *name = json_object_iter_key(at);
        json_place member = json_at_member(root, name);
        int64_t processor = 0;
        status = json_read_integer(file, &member, INT32_MAX, &processor);
        bool known = inlay_app_find_module(p->app, name) >= 0;
        if (status == INLAY_OK) {
            status = assign_by_name(p, known ? 0 : json_line_of(file, &member), name, (inlay_id)processor);
        }
    }
    return status == INLAY_OK ? check_complete(p, json_line_of(file, root)) : status;
}

static int read_json(const placement *p, const char *data, size_t size)
{
    json_file file;
    int status = json_file_open(&file, data, size, p->source, p->diag);
    if (status != INLAY_OK) {
        return status;
    }
    json_place root = json_at_root(&file);
    json_place clusters = json_at_member(&root, "clusters");
    status = json_need_object(&file, &root);
    if (status == INLAY_OK) {
        status = json_is_array(clusters.value) ? read_clusters(p, &file, &clusters) : read_members(p, &file, &root);
    }
    json_file_close(&file);
    return status;
}

/* ---- Lines ---- */

/* A piece of text that does not end in a NUL. */
typedef struct span {
    const char *at, *end;
} span;

typedef struct lines {
    const char *at, *end; /* what is left */
    long line;            /* of the last one given */
} lines;

static int shown(span s)
{
    return (int)(s.end - s.at < SHOWN ? s.end - s.at : SHOWN);
}

static span trimmed(span s)
{
    while (s.at < s.end && plain_space(*s.at)) {
        s.at++;
    }
    while (s.end > s.at && plain_space(s.end[-1])) {
        s.end--;
    }
    return s;
}

/* The next line that holds something, without blanks around it; '#' and '%' begin comment lines. */
static bool next_line(lines *l, span *found)
{
    while (l->at < l->end) {
        const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
        span line = trimmed((span){l->at, newline == NULL ? l->end : newline});
        l->at = newline == NULL ? l->end : newline + 1;
        l->line++;
        if (line.at < line.end && *line.at != '#' && *line.at != '%') {
            *found = line;
            return true;
        }
    }
    return false;
}

/* Digits alone, within an id; false for all else. */
static bool parse_id(span s, inlay_id *id)
{
    int64_t value = 0;
    for (const char *c = s.at; c < s.end; c++) {
        if (!plain_digit(*c) || value > INT32_MAX) {
            return false;
        }
        value = value * 10 + (*c - '0');
    }
    if (s.at == s.end || value > INT32_MAX) {
        return false;
    }
    *id = (inlay_id)value;
    return true;
}

static int refuse_processor(const placement *p, long line, span found)
{
    return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line, "processor '%.*s'; expected an integer, 0 or more",
                        shown(found), found.at);
}

/* ---- CSV ---- */

/* A field as a string of its own, without quotes (RFC 4180: "" inside quotes is one); NULL when out of memory. */
static char *unquoted(span field)
{
    char *copy = memory_array((size_t)(field.end - field.at) + 1, 1);
    if (copy == NULL) {
        return NULL;
    }
    bool quoted = field.end - field.at >= 2 && *field.at == '"' && field.end[-1] == '"';
    char *to = copy;
    const char *end = field.end - quoted;
    for (const char *c = field.at + quoted; c < end; c++) {
        c += quoted && *c == '"' && c + 1 < end && c[1] == '"';
        *to++ = *c;
    }
    *to = '\0';
    return copy;
}

static bool equals(span s, const char *word)
{
    size_t size = strlen(word);
    return (size_t)(s.end - s.at) == size && plain_begins(s.at, word, size);
}

/* The processor stands behind the last comma, so that a name may hold commas, quoted or not. */
static int read_csv_line(const placement *p, long line, span text, bool may_be_header)
{
    const char *comma = text.end;
    while (comma > text.at && *comma != ',') {
        comma--;
    }
    if (comma == text.at) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line, "'%.*s' is no pair; expected 'module,processor'",
                            shown(text), text.at);
    }
    span field = trimmed((span){text.at, comma}), number = trimmed((span){comma + 1, text.end});
    if (may_be_header && equals(field, "module") && equals(number, "processor")) {
        return INLAY_OK;
    }
    inlay_id processor;
    if (!parse_id(number, &processor)) {
        return refuse_processor(p, line, number);
    }
    char *name = unquoted(field);
    if (name == NULL) {
        return diag_no_memory(p->diag);
    }
    int status = assign_by_name(p, line, name, processor);
    free(name);
    return status;
}

static int read_csv(const placement *p, lines l)
{
    span line;
    int status = INLAY_OK;
    bool first = true;
    for (; status == INLAY_OK && next_line(&l, &line); first = false) {
        status = read_csv_line(p, l.line, line, first);
    }
    return status == INLAY_OK ? check_complete(p, l.line) : status;
}

/* ---- Part file ---- */

static int read_part(const placement *p, lines l)
{
    inlay_id count = 0, processor;
    for (span line; next_line(&l, &line); count++) {
        if (!parse_id(line, &processor)) {
            return refuse_processor(p, l.line, line);
        }
        if (count == inlay_app_modules(p->app)) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, l.line,
                                "more processors than modules; expected %d lines, one a module", count);
        }
        p->processor[count] = processor;
    }
    if (count < inlay_app_modules(p->app)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, l.line,
                            "the file ends after %d processors; expected %d, one a module", count,
                            inlay_app_modules(p->app));
    }
    return INLAY_OK;
}

/* ---- Rankfile ---- */

/* The (host, slot) pairs met so far; a pair's number is its processor. */
typedef struct slots {
    name_map numbers;
    char **keys;
    size_t count, capacity;
} slots;

static void slots_clear(slots *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->keys[i]);
    }
    free(s->keys);
    name_map_clear(&s->numbers);
}

/* The number of a pair, given where it is new; -1 when out of memory. */
static inlay_id slot_number(slots *s, span host, span slot)
{
    size_t host_size = (size_t)(host.end - host.at), slot_size = (size_t)(slot.end - slot.at);
    char *key = memory_array(host_size + slot_size + 2, 1);
    if (key == NULL) {
        return -1;
    }
    memcpy(key, host.at, host_size);
    key[host_size] = ' '; /* no host has one */
    memcpy(key + host_size + 1, slot.at, slot_size);
    key[host_size + 1 + slot_size] = '\0';
    inlay_id number = name_map_get(&s->numbers, key);
    if (number >= 0) {
        free(key);
        return number;
    }
    if (!memory_grow((void **)&s->keys, &s->capacity, s->count + 1, sizeof *s->keys) ||
        !name_map_put(&s->numbers, key, (int32_t)s->count)) {
        free(key);
        return -1;
    }
    s->keys[s->count] = key;
    return (inlay_id)s->count++;
}

static void skip_blanks(span *s)
{
    while (s->at < s->end && plain_space(*s->at)) {
        s->at++;
    }
}

/* Step over `word`, with blanks allowed before it; false where something else stands there. */
static bool skip_word(span *s, const char *word)
{
    size_t size = strlen(word);
    skip_blanks(s);
    if ((size_t)(s->end - s->at) < size || !plain_begins(s->at, word, size)) {
        return false;
    }
    s->at += size;
    return true;
}

/* Characters up to a blank or '='; empty where there is none. */
static span take_word(span *s)
{
    skip_blanks(s);
    span word = {s->at, s->at};
    while (s->at < s->end && *s->at != '=' && !plain_space(*s->at)) {
        s->at++;
    }
    word.end = s->at;
    return word;
}

static bool split_rank(span line, span *rank, span *host, span *slot)
{
    bool valid = skip_word(&line, "rank");
    *rank = take_word(&line);
    valid = valid && skip_word(&line, "=");
    *host = take_word(&line);
    valid = valid && skip_word(&line, "slot") && skip_word(&line, "=");
    *slot = take_word(&line);
    skip_blanks(&line);
    return valid && host->at < host->end && slot->at < slot->end && line.at == line.end;
}

static int read_rank(const placement *p, long line, span text, slots *known)
{
    span rank, host, slot;
    inlay_id module;
    if (!split_rank(text, &rank, &host, &slot)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "'%.*s' is no rank; expected 'rank N=host slot=S'", shown(text), text.at);
    }
    if (!parse_id(rank, &module) || module >= inlay_app_modules(p->app)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "unknown module: rank '%.*s'; expected 0 to %d, one rank a module", shown(rank), rank.at,
                            inlay_app_modules(p->app) - 1);
    }
    inlay_id processor = slot_number(known, host, slot);
    return processor < 0 ? diag_no_memory(p->diag) : assign(p, line, module, processor);
}

static int read_rankfile(const placement *p, lines l)
{
    slots known = {0};
    span line;
    int status = INLAY_OK;
    while (status == INLAY_OK && next_line(&l, &line)) {
        status = read_rank(p, l.line, line, &known);
    }
    slots_clear(&known);
    return status == INLAY_OK ? check_complete(p, l.line) : status;
}

/* ---- Telling them apart ---- */

static bool is_number(span s)
{
    for (const char *c = s.at; c < s.end; c++) {
        if (!plain_digit(*c) && strchr("+-.eE", *c) == NULL) {
            return false;
        }
    }
    return true;
}

static int read_content(const placement *p, const char *data, size_t size)
{
    static const char kinds[] = "JSON, CSV 'module,processor', a part file or a rankfile";
    lines all = {data, data + size, 0}, look = all;
    span first;
    if (!next_line(&look, &first)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, 0, "no placement in the file; expected %s", kinds);
    }
    if (*first.at == '{' || *first.at == '[') {
        return read_json(p, data, size);
    }
    span rank = first, ignored[3];
    if (split_rank(rank, &ignored[0], &ignored[1], &ignored[2])) {
        return read_rankfile(p, all);
    }
    if (memchr(first.at, ',', (size_t)(first.end - first.at)) != NULL) {
        return read_csv(p, all);
    }
    if (is_number(first)) {
        return read_part(p, all);
    }
    return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, look.line, "'%.*s' is no placement; expected %s",
                        shown(first), first.at, kinds);
}

int inlay_placement_read(const char *path, const inlay_app *app, inlay_id *processor_of, inlay_diag *diag)
{
    DIAG_CALL(diag);
    file_content content;
    int status = file_read(path, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t modules = (size_t)inlay_app_modules(app);
    const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
    placement p = {app, source, diag, memory_array(modules, sizeof *p.processor)};
    if (p.processor == NULL) {
        status = diag_no_memory(diag);
    } else {
        for (size_t i = 0; i < modules; i++) {
            p.processor[i] = NOWHERE;
        }
        status = read_content(&p, content.data, content.size);
    }
    if (status == INLAY_OK) {
        memcpy(processor_of, p.processor, modules * sizeof *processor_of);
    }
    free(p.processor);
    file_content_clear(&content);
    return status;
}

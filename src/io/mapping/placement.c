/*
 * Placements: the processor of every module, as other tools and people write it down.
 *
 *   JSON      a mapping.json, whose `clusters` name a processor and its modules in their order; a list a processor, of its
 *             modules in their order; or {"module": processor, ...}
 *   CSV       module,processor, and where the first line has it a third column, order or start: numbers by which a processor
 *             orders its modules
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
#include "graph/app.h"
#include "io/json/read.h"
#include "mapping/evaluate.h"
#include <inlay/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60 };

typedef struct placement_file {
    const inlay_app *app;
    const char *source;
    inlay_diag *diag;
    inlay_task_schedule schedule;
    size_t room, keys_room; /* for its entries, and for their keys */
    inlay_id *held;         /* processors of every module so far */
    int columns;            /* of a CSV whose first line names them, else 0 */
    double *key;            /* by entry: what orders it; NULL: nothing of the kind */
    bool timed;             /* the keys are planned starts */
} placement_file;

static int assign(placement_file *p, long line, inlay_id module, inlay_id processor)
{
    if (p->held[module] == inlay_app_cores(p->app, module)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "duplicate module '%s'; expected every module once", inlay_app_module_name(p->app, module));
    }
    p->held[module]++;
    return schedule_add(&p->schedule, &p->room, module, processor) ? INLAY_OK : diag_no_memory(p->diag);
}

static int assign_by_name(placement_file *p, long line, const char *name, inlay_id processor)
{
    inlay_id module = inlay_app_find_module(p->app, name);
    if (module < 0) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                            "unknown module '%s'; expected a module of the application", name);
    }
    return assign(p, line, module, processor);
}

/* @param line  where a module that is missing should have stood */
static int check_complete(placement_file *p, long line)
{
    for (inlay_id i = 0; i < inlay_app_modules(p->app); i++) {
        if (p->held[i] == 0) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                                "module '%s' has no processor; expected every module once",
                                inlay_app_module_name(p->app, i));
        }
    }
    return INLAY_OK;
}

/* ---- JSON ---- */

static int read_modules(placement_file *p, const json_file *file, const json_place *modules, inlay_id processor)
{
    int status = json_need_array(file, modules);
    for (size_t i = 0; status == INLAY_OK && i < json_elements(modules); i++) {
        json_place element = json_at_element(modules, i);
        const char *name = NULL;
        status = json_read_text(file, &element, &name);
        /* Lines are looked up when needed only: a large mapping has many modules. */
        bool fits = status == INLAY_OK && inlay_app_find_module(p->app, name) >= 0 &&
                    p->held[inlay_app_find_module(p->app, name)] == 0;
        if (status == INLAY_OK) {
            status = assign_by_name(p, fits ? 0 : json_line_of(file, &element), name, processor);
        }
    }
    return status;
}

static int read_cluster(placement_file *p, const json_file *file, const json_place *cluster)
{
    json_place processor_place = json_at_member(cluster, "processor"), modules = json_at_member(cluster, "modules");
    int64_t processor = 0;
    int status = json_need_object(file, cluster);
    status = status == INLAY_OK ? json_read_integer(file, &processor_place, INT32_MAX, &processor) : status;
    return status == INLAY_OK ? read_modules(p, file, &modules, (inlay_id)processor) : status;
}

/* Clusters, each with its processor; or lists of modules alone, processor by processor. */
static int read_lists(placement_file *p, const json_file *file, const json_place *lists, bool clusters)
{
    int status = INLAY_OK;
    p->schedule.ordered = true;
    for (size_t i = 0; status == INLAY_OK && i < json_elements(lists); i++) {
        json_place list = json_at_element(lists, i);
        status = clusters ? read_cluster(p, file, &list) : read_modules(p, file, &list, (inlay_id)i);
    }
    return status == INLAY_OK ? check_complete(p, json_line_of(file, lists)) : status;
}

/* {"module": processor, ...} */
static int read_members(placement_file *p, const json_file *file, const json_place *root)
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

static int read_json(placement_file *p, const char *data, size_t size)
{
    json_file file;
    int status = json_file_open(&file, data, size, p->source, p->diag);
    if (status != INLAY_OK) {
        return status;
    }
    json_place root = json_at_root(&file);
    if (json_is_array(root.value)) {
        status = read_lists(p, &file, &root, false);
    } else {
        json_place clusters = json_at_member(&root, "clusters");
        status = json_need_object(&file, &root);
        if (status == INLAY_OK && json_is_array(clusters.value)) {
            status = read_lists(p, &file, &clusters, true);
        } else if (status == INLAY_OK) {
            status = read_members(p, &file, &root);
        }
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

static int refuse_processor(placement_file *p, long line, span found)
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

/* Takes the field behind the last comma off a line; false where there is none. */
static bool take_last_field(span *text, span *field)
{
    const char *begin = text->end;
    while (begin > text->at && begin[-1] != ',') {
        begin--;
    }
    if (begin - text->at < 2) {
        return false; /* none, or nothing before it */
    }
    *field = trimmed((span){begin, text->end});
    *text = trimmed((span){text->at, begin - 1});
    return true;
}

/* Takes the field before the first comma off a line, or all of it. */
static span take_field(span *text)
{
    const char *comma = memchr(text->at, ',', (size_t)(text->end - text->at));
    span field = trimmed((span){text->at, comma == NULL ? text->end : comma});
    text->at = comma == NULL ? text->end : comma + 1;
    return field;
}

/*
 * How many columns the first line names: module, processor, and it may be order or start and more behind it, which say
 * nothing here. 0 where it is no such line.
 */
static int read_header(placement_file *p, long line, span text)
{
    bool begins = equals(take_field(&text), "module") && equals(take_field(&text), "processor");
    p->columns = begins ? 2 : 0;
    if (!begins || text.at == text.end) {
        return INLAY_OK;
    }
    span third = take_field(&text);
    for (p->columns = 3; text.at < text.end; p->columns++) {
        (void)take_field(&text);
    }
    p->timed = equals(third, "start");
    return equals(third, "order") || p->timed
               ? INLAY_OK
               : diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                              "unknown third column '%.*s'; expected order or start", shown(third), third.at);
}

static int read_key(placement_file *p, long line, span *text, double *key)
{
    span field;
    for (int column = p->columns; column > 3 && take_last_field(text, &field); column--) {
    }
    char copy[SHOWN] = "", *end = copy;
    if (take_last_field(text, &field) && field.end - field.at < SHOWN) {
        memcpy(copy, field.at, (size_t)(field.end - field.at));
        *key = plain_number(copy, &end);
    }
    return end > copy && *end == '\0' && isfinite(*key)
               ? INLAY_OK
               : diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line,
                              "'%.*s' has no number in its third column; expected one that orders "
                              "the module",
                              shown(*text), text->at);
}

/* The processor stands behind the last comma, so that a name may hold commas, quoted or not. */
static int read_csv_line(placement_file *p, long line, span text)
{
    span number;
    double key = 0;
    inlay_id processor;
    int status = p->columns > 2 ? read_key(p, line, &text, &key) : INLAY_OK;
    if (status != INLAY_OK) {
        return status;
    }
    if (!take_last_field(&text, &number)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, line, "'%.*s' is no pair; expected 'module,processor'",
                            shown(text), text.at);
    }
    if (!parse_id(number, &processor)) {
        return refuse_processor(p, line, number);
    }
    char *name = unquoted(text);
    if (name == NULL) {
        return diag_no_memory(p->diag);
    }
    status = assign_by_name(p, line, name, processor);
    free(name);
    if (status == INLAY_OK && p->columns > 2) {
        size_t entry = (size_t)p->schedule.entries - 1;
        if (!memory_grow((void **)&p->key, &p->keys_room, entry + 1, sizeof *p->key)) {
            return diag_no_memory(p->diag);
        }
        p->key[entry] = key;
        p->timed = p->timed && key >= 0; /* times before 0 order modules, and no more */
    }
    return status;
}

typedef struct keyed {
    double key;
    inlay_id rank; /* in topological order, which decides where keys are equal */
    inlay_id module, processor;
} keyed;

static int compare_keys(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return x->key != y->key     ? (x->key > y->key) - (x->key < y->key)
           : x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                                : (x->processor > y->processor) - (x->processor < y->processor);
}

static int order_by_key(placement_file *p)
{
    inlay_task_schedule *s = &p->schedule;
    keyed *all = memory_array((size_t)s->entries, sizeof *all);
    inlay_id *rank = p->held; /* which nobody asks any more */
    if (all == NULL) {
        return diag_no_memory(p->diag);
    }
    for (inlay_id k = 0; k < inlay_app_modules(p->app); k++) {
        rank[p->app->topological[k]] = k;
    }
    for (int64_t e = 0; e < s->entries; e++) {
        all[e] = (keyed){p->key[e], rank[s->module[e]], s->module[e], s->processor[e]};
    }
    qsort(all, (size_t)s->entries, sizeof *all, compare_keys);
    for (int64_t e = 0; e < s->entries; e++) {
        p->key[e] = all[e].key;
        s->module[e] = all[e].module;
        s->processor[e] = all[e].processor;
    }
    s->ordered = true;
    free(all);
    return INLAY_OK;
}

/* Keys are of entries, starts of modules: all entries of one have to agree. */
static int keep_starts(placement_file *p)
{
    const inlay_task_schedule *s = &p->schedule;
    p->schedule.start = memory_array((size_t)inlay_app_modules(p->app), sizeof *s->start);
    if (s->start == NULL) {
        return diag_no_memory(p->diag);
    }
    for (inlay_id i = 0; i < inlay_app_modules(p->app); i++) {
        s->start[i] = NAN;
    }
    for (int64_t e = 0; e < s->entries; e++) {
        double *start = &s->start[s->module[e]];
        if (!isnan(*start) && *start != p->key[e]) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, 0,
                                "module '%s' starts at %g and at %g; expected one start on all its processors",
                                inlay_app_module_name(p->app, s->module[e]), *start, p->key[e]);
        }
        *start = p->key[e];
    }
    return INLAY_OK;
}

static int read_csv(placement_file *p, lines l)
{
    span line;
    lines rest = l;
    int status = next_line(&rest, &line) ? read_header(p, rest.line, line) : INLAY_OK;
    if (status != INLAY_OK) {
        return status;
    }
    l = p->columns > 0 ? rest : l;
    while (status == INLAY_OK && next_line(&l, &line)) {
        status = read_csv_line(p, l.line, line);
    }
    status = status == INLAY_OK ? check_complete(p, l.line) : status;
    status = status == INLAY_OK && p->key != NULL ? order_by_key(p) : status;
    return status == INLAY_OK && p->key != NULL && p->timed ? keep_starts(p) : status;
}

/* ---- Part file ---- */

static int read_part(placement_file *p, lines l)
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
        if (assign(p, l.line, count, processor) != INLAY_OK) {
            return INLAY_NO_MEMORY;
        }
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

static int read_rank(placement_file *p, long line, span text, slots *known)
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

static int read_rankfile(placement_file *p, lines l)
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

static int read_content(placement_file *p, const char *data, size_t size)
{
    static const char formats[] = "JSON, CSV 'module,processor', a part file or a rankfile";
    lines all = {data, data + size, 0}, look = all;
    span first;
    if (!next_line(&look, &first)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, 0, "no placement in the file; expected %s", formats);
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
                        shown(first), first.at, formats);
}

int inlay_task_schedule_read(const char *path, const inlay_app *app, inlay_task_schedule *schedule, inlay_diag *diag)
{
    DIAG_CALL(diag);
    file_content content;
    int status = file_read(path, &content, diag);
    if (status != INLAY_OK) {
        return status;
    }
    placement_file p = {.app = app, .source = strcmp(path, "-") == 0 ? "standard input" : path, .diag = diag};
    p.held = memory_zeroed((size_t)inlay_app_modules(app), sizeof *p.held);
    status = p.held == NULL ? diag_no_memory(diag) : read_content(&p, content.data, content.size);
    file_content_clear(&content);
    free(p.held);
    free(p.key);
    if (status != INLAY_OK) {
        inlay_task_schedule_clear(&p.schedule);
        return status;
    }
    *schedule = p.schedule;
    return INLAY_OK;
}

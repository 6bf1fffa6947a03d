/*
 * Placements in CSV: module,processor, and where the first line has it a third column, order or start: numbers by which a
 * processor orders its modules.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "graph/app.h"
#include "io/placement/placement.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool placement_csv_looks(span first, span second)
{
    (void)second;
    return memchr(first.at, ',', (size_t)(first.end - first.at)) != NULL;
}

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
    *field = span_trimmed((span){begin, text->end});
    *text = span_trimmed((span){text->at, begin - 1});
    return true;
}

/* Takes the field before the first comma off a line, or all of it. */
static span take_field(span *text)
{
    const char *comma = memchr(text->at, ',', (size_t)(text->end - text->at));
    span field = span_trimmed((span){text->at, comma == NULL ? text->end : comma});
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
                              "unknown third column '%.*s'; expected order or start", span_shown(third), third.at);
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
                              span_shown(*text), text->at);
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
                            span_shown(text), text.at);
    }
    if (!span_id(number, &processor)) {
        return placement_refuse_processor(p, line, number);
    }
    char *name = unquoted(text);
    if (name == NULL) {
        return diag_no_memory(p->diag);
    }
    status = placement_assign_by_name(p, line, name, processor);
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

int placement_csv_read(placement_file *p, const char *data, size_t size)
{
    lines l = {data, data + size, PLACEMENT_COMMENTS, 0};
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
    status = status == INLAY_OK ? placement_check_complete(p, l.line) : status;
    status = status == INLAY_OK && p->key != NULL ? order_by_key(p) : status;
    return status == INLAY_OK && p->key != NULL && p->timed ? keep_starts(p) : status;
}

/* ---- Writing ---- */

/* The order is that of the mapping: a module's place in the list of its processor, from 0. */
int placement_csv_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag)
{
    (void)diag;
    const inlay_app *app = inlay_mapping_app(mapping);
    line_text(w, "module,processor,order\n");
    for (inlay_id c = 0; c < inlay_mapping_summary(mapping)->clusters; c++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, c);
        for (inlay_id i = 0; i < cluster.modules; i++) {
            line_csv(w, inlay_app_module_name(app, cluster.module[i]), ',');
            line_number(w, cluster.processor, ',');
            line_number(w, i, '\n');
        }
    }
    return INLAY_OK;
}

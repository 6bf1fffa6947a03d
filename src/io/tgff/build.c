/* From the types of tasks and arcs in a TGFF file to times and sizes, by its tables. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/tgff/tgff.h"
#include <inttypes.h>
#include <stdlib.h>

/* Tables whose times are tasks', in turn of the file: those of arcs only where there are no others. */
static bool is_of_tasks(const tgff *s, const tgff_table *t)
{
    bool others = false;
    for (size_t i = 0; i < s->tables; i++) {
        others = others || (s->table[i].times && !s->table[i].carries);
    }
    return t->times && (!others || !t->carries);
}

/* The first table that says what arcs carry, preferably in bits; -1: none. */
static int32_t table_of_arcs(const tgff *s)
{
    int32_t found = -1;
    for (size_t i = s->tables; i-- > 0;) {
        if (s->table[i].carries && (s->table[i].bits || found < 0 || !s->table[found].bits)) {
            found = (int32_t)i;
        }
    }
    return found;
}

/* By table and type the first row that holds. */
static int compare_entries(const void *a, const void *b)
{
    const tgff_entry *x = a, *y = b;
    return x->table != y->table   ? (x->table > y->table) - (x->table < y->table)
           : x->type != y->type   ? (x->type > y->type) - (x->type < y->type)
           : x->valid != y->valid ? y->valid - x->valid
                                  : (x->value.digits > y->value.digits) - (x->value.digits < y->value.digits);
}

static const tgff_entry *find_entry(const tgff *s, int32_t in, int32_t type)
{
    size_t low = 0, high = s->entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const tgff_entry *e = &s->entry[middle];
        if (e->table < in || (e->table == in && e->type < type)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < s->entries && s->entry[low].table == in && s->entry[low].type == type ? &s->entry[low] : NULL;
}

typedef struct building {
    const tgff *s;
    inlay_app_builder *builder;
    int32_t *tables; /* of tasks */
    size_t count;
} building;

static int add_module(building *b, const tgff_task *t)
{
    inlay_unit unit = b->s->quanta ? INLAY_UNIT_S : INLAY_UNIT_TICK;
    const tgff_entry *general = NULL;
    for (size_t i = b->count; i-- > 0;) {
        const tgff_entry *found = find_entry(b->s, b->tables[i], t->type);
        general = found != NULL && found->valid ? found : general;
    }
    if (general == NULL && b->count > 0) {
        return diag_fail_at(b->s->diag, INLAY_BAD_INPUT, b->s->source, t->line,
                            "task '%s' of type %d, for which no table has a time; expected a row that begins with %d",
                            t->name, t->type, t->type);
    }
    inlay_module module = {.name = t->name, .pinned = t->host >= 0, .pin = t->host};
    module.time = (inlay_duration){general != NULL ? general->value : (inlay_decimal){0, 0}, unit};
    module.deadline = (inlay_duration){t->deadline, unit};
    int status = inlay_app_add_module(b->builder, &module, b->s->diag);
    inlay_id number = (inlay_id)(t - b->s->task);
    for (size_t i = 0; status == INLAY_OK && b->count > 1 && i < b->count; i++) {
        const tgff_entry *found = find_entry(b->s, b->tables[i], t->type);
        const char *name = b->s->table[b->tables[i]].name;
        if (found != NULL && found->valid) {
            status =
                inlay_app_add_type_time(b->builder, number, name, (inlay_duration){found->value, unit}, b->s->diag);
        } else {
            status = inlay_app_forbid_type(b->builder, number, name, b->s->diag);
        }
    }
    return status;
}

/* Bits are put into bytes; a number without a unit counts as bytes. */
static int bytes_of(const tgff *s, const tgff_arc *a, int32_t in, int64_t *bytes)
{
    const tgff_entry *found = find_entry(s, in, a->type);
    if (found == NULL) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, a->line,
                            "an arc of type %d, for which table %s has no row; expected one that begins with %d",
                            a->type, s->table[in].name, a->type);
    }
    int64_t whole;
    if (!decimal_grains(found->value, 0, &whole)) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, a->line,
                            "an arc of more than 2^63 bytes in table %s; "
                            "expected fewer",
                            s->table[in].name);
    }
    *bytes = found->is_time ? whole : whole / 8 + (whole % 8 > 0);
    return INLAY_OK;
}

static int add_links(const building *b)
{
    int32_t in = table_of_arcs(b->s);
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < b->s->arcs; i++) {
        const tgff_arc *a = &b->s->arc[i];
        int64_t bytes = 0;
        status = in >= 0 ? bytes_of(b->s, a, in, &bytes) : INLAY_OK;
        status = status == INLAY_OK ? inlay_app_add_link(b->builder, a->from, a->to, 1, bytes, 0, b->s->diag) : status;
    }
    if (status == INLAY_OK && in >= 0 && !b->s->table[in].bits && b->s->arcs > 0) {
        diag_warn(b->s->diag, "%s: table %s has no unit: what it says of arcs counts as bytes", b->s->source,
                  b->s->table[in].name);
    }
    return status;
}

static long line_of(void *context, inlay_id from, inlay_id to)
{
    const tgff *s = context;
    for (size_t i = 0; to >= 0 && i < s->arcs; i++) {
        if (s->arc[i].from == from && s->arc[i].to == to) {
            return s->arc[i].line;
        }
    }
    return to < 0 ? s->task[from].line : 0;
}

static int fill(building *b)
{
    const tgff *s = b->s;
    int status = INLAY_OK;
    for (size_t i = 0; i < s->tables; i++) {
        if (is_of_tasks(s, &s->table[i])) {
            b->tables[b->count++] = (int32_t)i;
        }
    }
    for (size_t i = 0; status == INLAY_OK && i < s->tasks; i++) {
        status = add_module(b, &s->task[i]);
    }
    status = status == INLAY_OK ? add_links(b) : status;
    if (status == INLAY_OK && s->has_period) {
        status = inlay_app_builder_period(b->builder, (inlay_duration){s->period, INLAY_UNIT_NONE}, s->diag);
    }
    if (status == INLAY_OK && b->count == 0) {
        diag_warn(s->diag, "%s: no table with times: tasks take none", s->source);
    }
    return status;
}

int tgff_build(tgff *s, inlay_app **app)
{
    if (s->entries > 0) {
        qsort(s->entry, s->entries, sizeof *s->entry, compare_entries);
    }
    char *file = format_graph_name(s->source);
    text_buffer name = {0};
    text_addf(&name, s->graphs > 1 ? "%s.%s" : "%s", file != NULL ? file : "", s->graph);
    building b = {.s = s, .tables = memory_array(s->tables, sizeof *b.tables)};
    b.builder = file == NULL || name.failed
                    ? NULL
                    : inlay_app_builder_new(name.data, s->quanta ? INLAY_UNIT_S : INLAY_UNIT_TICK);
    free(file);
    text_clear(&name);
    int status =
        b.builder == NULL || b.tables == NULL || inlay_app_builder_source(b.builder, s->source, line_of, s) != INLAY_OK
            ? diag_no_memory(s->diag)
            : fill(&b);
    status = status == INLAY_OK ? inlay_app_build(b.builder, app, s->diag) : status;
    inlay_app_builder_free(b.builder);
    free(b.tables);
    return status;
}

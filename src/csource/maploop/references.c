/*
 * References of a loop to elements of distributed arrays: through which subscript, and which elements the marked loop links.
 *
 * NOLINTBEGIN(misc-no-recursion): an index is the value of another reference.
 */
#include "csource/maploop/loops.h"
#include <string.h>

const node *bare(const node *n)
{
    while (n != NULL && n->kind == NODE_CAST && n->children > 0) {
        n = n->child[n->children - 1];
    }
    return n;
}

const char *variable_name(const maploop *m, int variable)
{
    return m->program.variable[variable].name;
}

/* ---- References ---- */

/* Whether n is an element of a distributed array: its array and subscripts. */
bool reference_find(const maploop *m, const node *n, reference *r)
{
    n = bare(n);
    if (n == NULL || n->kind != NODE_INDEX) {
        return false;
    }
    const node *base = bare(n->child[0]);
    *r = (reference){.whole = n, .array = array_find(m, node_variable(base))};
    r->subscript = bare(n->child[1]);
    if (base->kind == NODE_INDEX && array_find(m, node_variable(base->child[0])) >= 0) {
        r->array = array_find(m, node_variable(base->child[0]));
        r->component = n->child[1];
        r->subscript = bare(base->child[1]);
    }
    return r->array >= 0;
}

bool reference_is_index(const loop *l, int variable)
{
    return variable >= 0 && l->index[variable] != NULL;
}

/* The value of an element of another array, perhaps through a variable. */
static bool resolve_indirect(loop *l, reference *r)
{
    reference through;
    int variable = node_variable(r->subscript);
    const node *n = reference_is_index(l, variable) ? l->index[variable] : r->subscript;
    if (!reference_find(l->m, n, &through)) {
        return refuse(l->m, r->whole->line,
                      "the subscript of '%s' is '%.*s'; expected %s, or an element of an array of "
                      "indices",
                      l->m->array[r->array].name, TEXT(l->m, r->subscript), variable_name(l->m, l->variable));
    }
    if (!reference_resolve(l, &through)) {
        return false;
    }
    array *from = &l->m->array[through.array], *a = &l->m->array[r->array];
    if (through.kind == SUBSCRIPT_INDIRECT || strcmp(from->element, "int64_t") != 0 || from->one_more) {
        return refuse(l->m, r->whole->line,
                      "'%s' is referred to through '%s'; expected indices of type int64_t, which "
                      "the iteration itself has",
                      a->name, from->name);
    }
    if (a->space != SPACE_DATA || strcmp(a->element, "double") != 0) {
        return refuse(l->m, r->whole->line,
                      "'%s' is referred to through '%s'; expected an array of double of the size "
                      "%s there",
                      a->name, from->name, variable_name(l->m, l->m->bound[SPACE_DATA]));
    }
    if (l->n == l->m->loop && through.component != NULL && !bare(through.component)->known) {
        return refuse(l->m, r->whole->line,
                      "the marked loop refers to '%s' through '%.*s'; expected a constant number in its "
                      "second brackets",
                      a->name, TEXT(l->m, through.whole));
    }
    from->indexes = true;
    r->kind = SUBSCRIPT_INDIRECT;
    r->through = through.whole;
    r->in_row = through.kind == SUBSCRIPT_ENTRY;
    return true;
}

static bool is_next(const loop *l, const node *n)
{
    return n->kind == NODE_BINARY && n->operation == OP_ADD && node_variable(n->child[0]) == l->variable &&
           bare(n->child[1])->known && bare(n->child[1])->value == 1;
}

bool reference_resolve(loop *l, reference *r)
{
    const array *a = &l->m->array[r->array];
    int variable = node_variable(r->subscript);
    if (r->whole->to - r->whole->from < strlen(a->name) ||
        strncmp(l->m->text + r->whole->from, a->name, strlen(a->name)) != 0) {
        return refuse(l->m, r->whole->line, "'%s' stands in a macro; expected it in the text of the loop", a->name);
    }
    if ((a->width > 0) != (r->component != NULL)) {
        return refuse(l->m, r->whole->line, "a whole row of '%s' is used; expected one element of it", a->name);
    }
    if (variable == l->entry && variable >= 0) {
        r->kind = SUBSCRIPT_ENTRY;
        return a->space == SPACE_ENTRIES || refuse(l->m, r->whole->line,
                                                   "'%s' is no array of entries; expected %s "
                                                   "elements",
                                                   a->name, variable_name(l->m, l->m->bound[SPACE_ENTRIES]));
    }
    bool next = a->one_more && is_next(l, r->subscript);
    if (variable != l->variable && !next) {
        return resolve_indirect(l, r);
    }
    r->kind = next ? SUBSCRIPT_NEXT : SUBSCRIPT_OWN;
    return a->space == l->space ||
           refuse(l->m, r->whole->line, "'%s' has %s elements and the loop goes over %s; expected arrays that conform",
                  a->name, variable_name(l->m, a->size), variable_name(l->m, l->m->bound[l->space]));
}

/* ---- What the marked loop links ---- */

bool reference_same(const maploop *m, const node *a, const node *b)
{
    return a == b || (a != NULL && b != NULL && a->to - a->from == b->to - b->from &&
                      strncmp(m->text + a->from, m->text + b->from, a->to - a->from) == 0);
}

static bool is_listed(const maploop *m, int number)
{
    const char *name = m->array[number].name;
    for (int i = 0; i < m->marks.arrays; i++) {
        word w = m->marks.array[i];
        if (strlen(name) == w.to - w.from && strncmp(name, m->text + w.from, w.to - w.from) == 0) return true;
    }
    return false;
}

/* An edge of the runtime data graph, unless it is there. */
static bool add_link(loop *l, const reference *one, const reference *other)
{
    maploop *m = l->m;
    const node *a = one->through, *b = other->through;
    if (l->n != m->loop || reference_same(m, a, b) || !is_listed(m, one->array) || !is_listed(m, other->array)) {
        return true;
    }
    for (int i = 0; i < m->links; i++) {
        const link *k = &m->link[i];
        if ((reference_same(m, k->one, a) && reference_same(m, k->other, b)) ||
            (reference_same(m, k->one, b) && reference_same(m, k->other, a))) {
            return true;
        }
    }
    if (m->links == MOST_LINKS) {
        return refuse(m, l->n->line, "the loop refers to more than %d pairs of elements; expected fewer", MOST_LINKS);
    }
    bool swap = b == NULL;
    m->link[m->links++] = (link){swap ? b : a, swap ? a : b, one->in_row || other->in_row};
    return true;
}

/* An edge of the runtime iteration graph, unless it is there. */
static bool add_touched(loop *l, const reference *r)
{
    maploop *m = l->m;
    if (l->n != m->loop || m->array[r->array].space != SPACE_DATA) {
        return true;
    }
    for (int i = 0; i < m->touches; i++) {
        if (reference_same(m, m->touched[i], r->through)) return true;
    }
    if (m->touches == MOST_TOUCHED) {
        return refuse(m, l->n->line, "an iteration touches more than %d elements; expected fewer", MOST_TOUCHED);
    }
    m->touched[m->touches++] = r->through;
    return true;
}

bool reference_read(loop *l, const reference *r)
{
    for (int i = 0; i < l->reads; i++) {
        if (l->read[i].array == r->array && reference_same(l->m, l->read[i].through, r->through)) return true;
    }
    if (l->reads == MOST_READS) {
        return refuse(l->m, r->whole->line, "a statement reads more than %d elements; expected fewer", MOST_READS);
    }
    l->read[l->reads++] = *r;
    return add_touched(l, r);
}

bool reference_written(loop *l, const reference *written)
{
    for (int i = 0; i < l->reads; i++) {
        if (!add_link(l, written, &l->read[i])) return false;
    }
    return add_touched(l, written);
}

/* NOLINTEND(misc-no-recursion) */

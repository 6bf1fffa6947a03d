/* What lvalues lie in, and which names lead to the same memory. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/whole.h"
#include <string.h>

static bool is_content(const node *n)
{
    return n->kind == NODE_UNARY && n->operation == OP_CONTENT;
}

bool is_lvalue(const node *n)
{
    return n->kind == NODE_INDEX || n->kind == NODE_MEMBER || is_content(n);
}

/* The part that an lvalue is an element or a member of, where that is no pointer. */
static const node *container(const node *n)
{
    bool inner = n->children > 0 && n->child[0] != NULL &&
                 ((n->kind == NODE_INDEX && n->child[0]->array) || (n->kind == NODE_MEMBER && n->child[0]->record));
    return inner ? n->child[0] : NULL;
}

int lvalue_variable(const node *n)
{
    while (n != NULL && is_lvalue(n)) {
        n = container(n);
    }
    return n != NULL && n->kind == NODE_VARIABLE ? n->variable : -1;
}

const node *lvalue_pointer(const node *n)
{
    while (n != NULL && is_lvalue(n)) {
        const node *inner = container(n);
        if (inner == NULL) {
            return n->children > 0 ? n->child[0] : NULL;
        }
        n = inner;
    }
    return NULL;
}

/* What a pointer, an address or an array hangs on, and the member through which, if any. */
static int follow(const node *n, const char **member)
{
    for (;;) {
        n = whole_bare(n);
        if (n == NULL) {
            return -1;
        }
        if (n->kind == NODE_VARIABLE) {
            return n->variable;
        }
        if (n->kind == NODE_MEMBER && member != NULL && **member == '\0') {
            *member = n->name != NULL ? n->name : "";
        }
        if (is_lvalue(n) || (n->kind == NODE_UNARY && n->operation == OP_ADDRESS)) {
            n = n->children > 0 ? n->child[0] : NULL;
        } else if (n->kind == NODE_BINARY && n->children == 2) {
            n = n->operation == OP_COMMA || (n->child[1] != NULL && n->child[1]->type.kind == TYPE_POINTER)
                    ? n->child[1]
                    : n->child[0];
        } else if (n->kind == NODE_CHOICE && n->children == 3) {
            n = n->child[1];
        } else if ((n->kind == NODE_ASSIGN || n->kind == NODE_STEP) && n->children > 0) {
            n = n->child[0];
        } else {
            return -1;
        }
    }
}

int pointer_variable(const node *n)
{
    return follow(n, NULL);
}

static int find_same(const whole *w, int variable)
{
    while (variable >= 0 && w->same[variable] != variable) {
        variable = w->same[variable];
    }
    return variable;
}

root lvalue_root(const whole *w, const node *n)
{
    root r = {-1, "", n->type};
    r.variable = find_same(w, follow(n, &r.member));
    return r;
}

static bool is_any(value_type t)
{
    return t.kind == TYPE_OTHER || (t.kind == TYPE_INTEGER && t.size <= 1);
}

bool roots_meet(root a, root b)
{
    return a.variable >= 0 && a.variable == b.variable &&
           (is_any(a.type) || is_any(b.type) || (a.type.kind == b.type.kind && a.type.size == b.type.size)) &&
           (*a.member == '\0' || *b.member == '\0' || strcmp(a.member, b.member) == 0);
}

bool is_written(const root *list, int count, root r)
{
    for (int i = 0; i < count; i++) {
        if (roots_meet(list[i], r)) return true;
    }
    return false;
}

/* ---- Aliases ---- */

/* Pointers through members keep their own names. */
static void unite(whole *w, int variable, const node *value)
{
    const char *member = "";
    int other = value != NULL ? find_same(w, follow(value, &member)) : -1;
    if (variable >= 0 && other >= 0 && *member == '\0' && w->p->variable[variable].type.kind == TYPE_POINTER) {
        w->same[find_same(w, variable)] = other;
    }
}

static void unite_all(whole *w, const node *n)
{
    if (n == NULL) {
        return;
    }
    if (n->kind == NODE_DECLARATION && n->children > 0) {
        unite(w, n->variable, n->child[0]);
    } else if (n->kind == NODE_ASSIGN && n->operation == OP_NONE) {
        unite(w, node_variable(n->child[0]), n->child[1]);
    } else if (n->kind == NODE_CALL && n->function >= 0) {
        const c_function *f = &w->p->function[n->function];
        for (int i = 0; i < f->parameters && i < n->children; i++) {
            unite(w, f->parameter[i], n->child[i]);
        }
    }
    for (int i = 0; i < n->children; i++) {
        unite_all(w, n->child[i]);
    }
}

/* Whether a parameter is only looked through, so that its address is nowhere when the call has ended. */
static bool parameter_stays_inside(const whole *w, const node *n, int variable, bool through, int depth)
{
    if (n == NULL || depth > 8) {
        return n == NULL;
    }
    if (n->kind == NODE_VARIABLE && n->variable == variable) {
        return through;
    }
    for (int i = 0; i < n->children; i++) {
        const node *child = n->child[i];
        bool inner = (is_lvalue(n) && i == 0) || (n->kind == NODE_BINARY && n->operation >= OP_LESS) ||
                     n->kind == NODE_IF || n->kind == NODE_CAST || (n->kind == NODE_UNARY && n->operation == OP_NOT) ||
                     (n->kind == NODE_CALL && n->function < 0 && n->system);
        inner = inner || (n->kind == NODE_CAST && through);
        if (n->kind == NODE_CALL && n->function >= 0 && node_variable(child) == variable) {
            const c_function *f = &w->p->function[n->function];
            if (i >= f->parameters || !parameter_stays_inside(w, f->body, f->parameter[i], false, depth + 1)) {
                return false;
            }
            continue;
        }
        if (!parameter_stays_inside(w, child, variable, inner, depth)) {
            return false;
        }
    }
    return true;
}

static void note_leaks(whole *w, const node *n, const node *parent, int place)
{
    if (n == NULL) {
        return;
    }
    const node *inner =
        n->kind == NODE_UNARY && n->operation == OP_ADDRESS && n->children == 1 ? whole_bare(n->child[0]) : NULL;
    int variable = inner == NULL ? -1 : inner->kind == NODE_VARIABLE ? inner->variable : lvalue_variable(inner);
    if (n->array && parent != NULL && !(is_lvalue(parent) && place == 0)) { /* becomes a pointer */
        variable = n->kind == NODE_VARIABLE ? n->variable : lvalue_variable(n);
    }
    if (variable >= 0) {
        bool kept = parent != NULL && parent->kind == NODE_CALL &&
                    (parent->function < 0
                         ? parent->system
                         : !w->has_marks[parent->function] && place < w->p->function[parent->function].parameters &&
                               parameter_stays_inside(w, w->p->function[parent->function].body,
                                                      w->p->function[parent->function].parameter[place], false, 0));
        w->leaks[variable] = w->leaks[variable] || !kept;
    }
    for (int i = 0; i < n->children; i++) {
        note_leaks(w, n->child[i], n->kind == NODE_CAST ? parent : n, n->kind == NODE_CAST ? place : i);
    }
}

/* ---- What marked loops write ---- */

static bool add_root(whole *w, unit *u, root r)
{
    for (int i = 0; i < u->writes; i++) {
        const root *known = &u->written[i];
        if (known->variable == r.variable && strcmp(known->member, r.member) == 0 && known->type.kind == r.type.kind &&
            known->type.size == r.type.size) {
            return true;
        }
    }
    if (!GROW(u->written, u->writes, u->write_room)) {
        return out_of_memory(w->m);
    }
    u->written[u->writes++] = r;
    if (!GROW(w->written, w->writes, w->write_room)) {
        return out_of_memory(w->m);
    }
    w->written[w->writes++] = r;
    return true;
}

static bool note_write(whole *w, unit *u, const node *n)
{
    n = whole_bare(n);
    if (n == NULL) {
        return true;
    }
    int variable = n->kind == NODE_VARIABLE ? n->variable : lvalue_variable(n);
    if (variable >= 0) {
        w->marks_memory[variable] = true;
    }
    const node *pointer = is_lvalue(n) ? lvalue_pointer(n) : NULL;
    int through = pointer != NULL ? node_variable(pointer) : -1;
    return (n->kind == NODE_VARIABLE && w->p->variable[variable].type.kind != TYPE_OTHER) ||
           (variable >= 0 && u->inside[variable]) || (through >= 0 && w->own[through]) ||
           add_root(w, u, lvalue_root(w, n));
}

/* Which parameters of a call lead to local variables. */
static void note_own(whole *w, const unit *u, const node *call)
{
    const c_function *f = &w->p->function[call->function];
    for (int i = 0; i < f->parameters && i < call->children; i++) {
        const node *a = whole_bare(call->child[i]);
        bool address = a != NULL && a->kind == NODE_UNARY && a->operation == OP_ADDRESS;
        const node *inner = address ? whole_bare(a->child[0]) : a;
        int local = inner == NULL ? -1 : inner->kind == NODE_VARIABLE ? inner->variable : lvalue_variable(inner);
        bool leads = local >= 0 && (address || inner->array) && u->inside[local];
        if (local >= 0 && (address || inner->array) && !u->inside[local]) {
            w->marks_memory[local] = true; /* reached through the parameter */
        }
        w->own[f->parameter[i]] = leads || (local >= 0 && !address && w->own[local]);
    }
}

static bool written_by(whole *w, unit *u, const node *n)
{
    bool good = true;
    if (n == NULL) {
        return true;
    }
    if ((n->kind == NODE_ASSIGN || n->kind == NODE_STEP) && n->children > 0) {
        good = note_write(w, u, n->child[0]);
    } else if (n->kind == NODE_DECLARATION && n->variable >= 0) {
        u->inside[n->variable] = true;
    } else if (n->kind == NODE_CALL && n->function >= 0) {
        unit *f = &w->function[n->function];
        f->used = true;
        note_own(w, u, n);
        c_function *called = &w->p->function[n->function];
        if (!called->active) { /* a call within itself writes nothing else */
            called->active = true;
            good = written_by(w, u, called->body);
            called->active = false;
        }
    } else if (n->kind == NODE_CALL && n->children > 0 && (call_of(w, n) == CALL_COPY || call_of(w, n) == CALL_SET)) {
        root r = {.variable = -1, .member = ""};
        r.variable = find_same(w, follow(n->child[0], &r.member));
        int own = pointer_variable(n->child[0]);
        good = (own >= 0 && u->inside[own] && w->p->variable[own].array) || add_root(w, u, r);
    }
    for (int i = 0; good && i < n->children; i++) {
        good = written_by(w, u, n->child[i]);
    }
    return good;
}

/* What is stated counts by the name with which it begins. */
static bool note_stated(whole *w)
{
    for (int i = 0; i < w->contracts; i++) {
        for (int k = 0; k < w->contract[i].accesses; k++) {
            const stated *s = &w->contract[i].access[k];
            for (int v = 0; s->kind != ACCESS_READ && v < w->p->variables; v++) {
                size_t length = strlen(w->p->variable[v].name);
                if (s->lvalue.to - s->lvalue.from > length &&
                    strncmp(w->m->text + s->lvalue.from, w->p->variable[v].name, length) == 0 &&
                    strchr("[-.", w->m->text[s->lvalue.from + length]) != NULL) {
                    w->marks_memory[v] = true;
                    for (int u = 0; u < w->loops; u++) {
                        if (node_contains(w->loop[u].body, w->contract[i].statement) &&
                            !add_root(w, &w->loop[u], (root){.variable = find_same(w, v), .member = ""})) {
                            return false;
                        }
                    }
                }
            }
        }
    }
    return true;
}

static void copy_written(whole *w, unit *from, const node *n)
{
    if (n == NULL) {
        return;
    }
    if (n->kind == NODE_CALL && n->function >= 0 && w->function[n->function].copied_from != from) {
        unit *to = &w->function[n->function];
        to->copied_from = from;
        for (int i = 0; i < from->writes; i++) {
            if (GROW(to->written, to->writes, to->write_room)) {
                to->written[to->writes++] = from->written[i];
            }
        }
        copy_written(w, from, w->p->function[n->function].body);
    }
    for (int i = 0; i < n->children; i++) {
        copy_written(w, from, n->child[i]);
    }
}

/* Variables that are declared in a function that a marked loop calls are its own. */
static void note_inside(const whole *w, unit *u, const node *n)
{
    if (n == NULL) {
        return;
    }
    if (n->kind == NODE_DECLARATION && n->variable >= 0) {
        u->inside[n->variable] = true;
    }
    for (int i = 0; i < n->children; i++) {
        note_inside(w, u, n->child[i]);
    }
}

bool aliases_find(whole *w)
{
    for (int f = 0; f < w->p->functions; f++) {
        unite_all(w, w->p->function[f].body);
        note_leaks(w, w->p->function[f].body, NULL, 0);
        note_inside(w, &w->function[f], w->p->function[f].body);
        for (int i = 0; i < w->p->function[f].parameters; i++) {
            w->function[f].inside[w->p->function[f].parameter[i]] = true;
        }
    }
    for (int v = 0; v < w->p->variables; v++) {
        unite(w, v, w->p->variable[v].initial);
        note_leaks(w, w->p->variable[v].initial, NULL, 0);
    }
    bool good = true;
    for (int i = 0; good && i < w->loops; i++) {
        w->loop[i].inside[w->loop[i].variable] = true;
        note_inside(w, &w->loop[i], w->loop[i].body);
        good = written_by(w, &w->loop[i], w->loop[i].body);
    }
    good = good && note_stated(w);
    for (int i = 0; good && i < w->loops; i++) {
        copy_written(w, &w->loop[i], w->loop[i].body);
    }
    return good;
}

/* ---- Memory ---- */

bool variable_is_memory(const whole *w, const unit *u, int variable)
{
    const c_variable *v = &w->p->variable[variable];
    if ((u->inside[variable] && (u->loop == NULL || !v->outside)) || (u->scratch != NULL && u->scratch[variable])) {
        return false;
    }
    return v->array || v->record ? true : w->leaks[variable];
}

/* isalpha() and its like look at a table of the C library. */
static bool is_letters(const node *n)
{
    if (n == NULL) {
        return false;
    }
    return (n->kind == NODE_CALL && n->name != NULL && strncmp(n->name, "__ctype_", 8) == 0) ||
           ((is_lvalue(n) || n->kind == NODE_CAST || n->kind == NODE_UNARY) && n->children > 0 &&
            is_letters(n->child[n->kind == NODE_CAST ? n->children - 1 : 0]));
}

bool lvalue_is_private(const whole *w, const unit *u, const node *n)
{
    if (is_letters(n)) {
        return true;
    }
    int variable = n->kind == NODE_VARIABLE ? n->variable : lvalue_variable(n);
    return variable >= 0 && !variable_is_memory(w, u, variable);
}

/* NOLINTEND(misc-no-recursion) */

/* What inspectors tell of accesses. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/inspect.h"
#include <string.h>

/* The part of a subscript that tells which element it is, beside the number of a component. */
static const node *index_atom(const node *n)
{
    n = whole_bare(n);
    if (n == NULL || n->kind == NODE_INDEX || n->kind == NODE_VARIABLE || n->kind == NODE_MEMBER) {
        return n;
    }
    for (int i = 0; i < n->children; i++) {
        const node *found = index_atom(n->child[i]);
        if (found != NULL && found->kind != NODE_CONSTANT) return found;
    }
    return NULL;
}

static const node *atom_of(const node *lvalue)
{
    const node *atom = NULL;
    for (const node *n = lvalue; n != NULL && is_lvalue(n); n = n->children > 0 ? n->child[0] : NULL) {
        if (n->kind == NODE_INDEX) {
            const node *found = index_atom(n->child[1]);
            atom = found != NULL ? found : atom;
        }
        if (atom != NULL && n->kind == NODE_INDEX && !n->child[0]->array) {
            break;
        }
    }
    return atom != NULL ? atom : lvalue_pointer(lvalue);
}

int pen_key(whole *w, const char *text)
{
    for (int i = 0; i < w->keys; i++) {
        if (strcmp(w->key[i], text) == 0) return i;
    }
    const char *copy = program_copy(w->p, text);
    if (copy == NULL || !GROW(w->key, w->keys, w->key_room)) {
        out_of_memory(w->m);
        return 0;
    }
    w->key[w->keys] = copy;
    return w->keys++;
}

static int key_of(whole *w, unit *u, const node *lvalue)
{
    text_buffer text = {0};
    const node *atom = atom_of(lvalue);
    if (atom != NULL && atom->kind == NODE_VARIABLE) {
        text_addf(&text, "%d", atom->variable);
    } else if (atom != NULL && atom->copied) {
        text_addf(&text, "%d %.*s", u->function, TEXT(w->m, atom));
    } else {
        text_addf(&text, "%d line %u", u->function, lvalue->line);
    }
    int key = pen_key(w, text_content(&text));
    text_clear(&text);
    return key;
}

int pen_site(pen *p, unsigned line, const char *text, access_kind kind, int key)
{
    unit *u = p->u;
    const char *copy = program_copy(p->w->p, text);
    for (int i = 0; copy != NULL && i < u->sites; i++) {
        const site *s = &u->site[i];
        if (s->line == line && s->kind == kind && s->key == key && strcmp(s->text, text) == 0) return i;
    }
    if (copy == NULL || !GROW(u->site, u->sites, u->site_room)) {
        out_of_memory(p->w->m);
        return 0;
    }
    u->site[u->sites] = (site){line, copy, kind, key};
    return u->sites++;
}

void pen_call(pen *p, const char *what, int number)
{
    pen_margin(p);
    if (p->u->loop != NULL) {
        text_addf(p->to, "%s(inlay_loop_%d", what, p->u->number);
    } else {
        text_addf(p->to, "%s(inlay_here", what);
    }
    if (number >= 0) {
        text_addf(p->to, p->u->loop != NULL ? ", %d" : ", inlay_site + %d", number);
    }
    text_add(p->to, ", ");
}

static bool same_or_refused(pen *p, const node *n)
{
    const node *pointer = lvalue_pointer(n);
    bool good = can_evaluate(p->w, p->u, pointer);
    for (const node *part = n; good && part != NULL && is_lvalue(part);
         part = part->children > 0 ? part->child[0] : NULL) {
        good = part->kind != NODE_INDEX || can_evaluate(p->w, p->u, part->child[1]);
    }
    if (good) {
        return true;
    }
    text_buffer text = {0};
    bool printed = n->copied;
    text_addf(&text, "%.*s", printed ? (int)(n->to - n->from) : 0, p->w->m->text + n->from);
    (void)refuse(p->w->m, n->line,
                 "which element '%s' is hangs on what the marked loop itself changes; expected indices "
                 "that are known before the loop",
                 printed ? text_content(&text) : "it");
    text_clear(&text);
    return false;
}

bool pen_tell(pen *p, const node *n, access_kind kind, bool source)
{
    text_buffer text = {0};
    if (n->kind == NODE_MEMBER && n->bits) {
        return refuse(p->w->m, n->line,
                      "'%s' is a bit-field, which has no address; expected another member in a marked loop", n->name);
    }
    if (n->addresses && (kind != ACCESS_READ || n->record)) {
        return refuse(
            p->w->m, n->line,
            "what is written or copied here has an address in it, which other ranks cannot use; expected an index in "
            "its place, or members without it");
    }
    if (!same_or_refused(p, n) || !print_node(p->w, p->u, n, false, &text)) {
        text_clear(&text);
        return false;
    }
    root r = lvalue_root(p->w, n);
    bool changes = is_written(p->w->written, p->w->writes, r) || n->kind == NODE_VARIABLE;
    if (!source || changes) {
        int number = pen_site(p, n->line, text_content(&text), kind, key_of(p->w, p->u, n));
        pen_call(p, "INLAY_TOUCH", number);
        text_addf(p->to, "%s);", text_content(&text));
    }
    if (source) {
        bool own = changes && is_written(p->u->written, p->u->writes, r);
        pen_call(p, !own ? "INLAY_SOURCE" : p->u->replays ? "INLAY_OWN_TRIED" : "INLAY_OWN", -1);
        text_addf(p->to, "%s);", text_content(&text));
    }
    text_clear(&text);
    return !p->w->m->no_memory;
}

/* Whether a pointer such as m->x is the same for all iterations, and no marked loop writes it. */
static bool is_member_input(const pen *p, const node *n)
{
    const node *base = n->kind == NODE_MEMBER && n->children == 1 ? whole_bare(n->child[0]) : NULL;
    return base != NULL && base->kind == NODE_VARIABLE && p->u->loop != NULL && n->copied &&
           !p->u->inside[base->variable] && p->u->scalar[base->variable] != SCALAR_PRIVATE &&
           p->u->scalar[base->variable] != SCALAR_LAST &&
           !is_written(p->w->written, p->w->writes, lvalue_root(p->w, n));
}

static bool add_member_input(pen *p, const node *n)
{
    unit *u = p->u;
    text_buffer text = {0};
    text_addf(&text, "%.*s", TEXT(p->w->m, n));
    const char *copy = program_copy(p->w->p, text_content(&text));
    text_clear(&text);
    u->input[whole_bare(n->child[0])->variable] = true;
    for (int i = 0; copy != NULL && i < u->member_inputs; i++) {
        if (strcmp(u->member_input[i], copy) == 0) return true;
    }
    if (copy == NULL || !GROW(u->member_input, u->member_inputs, u->member_room)) {
        return out_of_memory(p->w->m);
    }
    u->member_input[u->member_inputs++] = copy;
    return true;
}

bool pen_visit_access(pen *p, const node *n, bool source)
{
    if (is_member_input(p, n) && source) {
        return add_member_input(p, n);
    }
    return pen_tell(p, n, ACCESS_READ, source);
}

/* What leads to an lvalue: subscripts, and pointers. */
bool pen_visit_address(pen *p, const node *n)
{
    const node *part = n;
    for (; part != NULL && is_lvalue(part); part = part->children > 0 ? part->child[0] : NULL) {
        if (part->kind == NODE_INDEX && !pen_visit(p, part->child[1], true)) {
            return false;
        }
        if (lvalue_pointer(part) == part->child[0]) {
            return pen_visit(p, part->child[0], true);
        }
    }
    return true;
}

bool pen_note(pen *p, const char *what, const node *lvalue)
{
    text_buffer text = {0};
    bool good = print_node(p->w, p->u, lvalue, false, &text);
    pen_call(p, what, -1);
    text_addf(p->to, "%s);", text_content(&text));
    text_clear(&text);
    return good;
}

bool pen_is_checked(const pen *p, const node *n)
{
    int variable = is_lvalue(n) && !n->array ? lvalue_variable(n) : -1;
    return variable >= 0 && p->u->checked[variable];
}

bool pen_is_memory(const pen *p, const node *n)
{
    return n->kind == NODE_VARIABLE ? n->variable >= 0 && !n->array && variable_is_memory(p->w, p->u, n->variable)
                                    : is_lvalue(n) && !lvalue_is_private(p->w, p->u, n);
}

/* NOLINTEND(misc-no-recursion) */

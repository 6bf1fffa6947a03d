/*
 * Inspectors: a loop's body, or that of a function which it calls, reduced to telling what it touches.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as trees are.
 */
#include "csource/whole/whole.h"
#include <string.h>

typedef struct pen {
    whole *w;
    unit *u;
    text_buffer *to;
    int indent;
    int keep;           /**< > 0: under a condition that was left out; jumps are left out too */
    bool in_switch;     /**< that was left out */
    const node *top;    /**< the expression that is a statement */
    text_buffer *later; /**< steps in an expression, behind what it touches */
} pen;

static bool visit(pen *p, const node *n, bool source);
static bool state(pen *p, const node *n);

static void margin(pen *p)
{
    text_addf(p->to, "\n%*s", p->indent * 4, "");
}

static void margin_back(pen *p)
{
    p->indent--;
    margin(p);
}

static void take_back(pen *p, size_t size)
{
    p->later->size = size;
    if (p->later->data != NULL) {
        p->later->data[size] = '\0';
    }
}

static void flush(pen *p)
{
    text_add(p->to, text_content(p->later));
    take_back(p, 0);
}

/* ---- Accesses ---- */

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

static int find_key(whole *w, const char *text)
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
    int key = find_key(w, text_content(&text));
    text_clear(&text);
    return key;
}

static int add_site(pen *p, unsigned line, const char *text, access_kind kind, int key)
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

static void call_head(pen *p, const char *what, int number)
{
    margin(p);
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

static bool tell(pen *p, const node *n, access_kind kind, bool source)
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
    bool changes = is_written(p->w->written, p->w->writes, lvalue_root(p->w, n)) || n->kind == NODE_VARIABLE;
    if (source) {
        call_head(p, "INLAY_SOURCE", -1);
        text_addf(p->to, "%s);", text_content(&text));
    }
    if (!source || changes) {
        int number = add_site(p, n->line, text_content(&text), kind, key_of(p->w, p->u, n));
        call_head(p, "INLAY_TOUCH", number);
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

static bool visit_access(pen *p, const node *n, bool source)
{
    if (is_member_input(p, n) && source) {
        return add_member_input(p, n);
    }
    return tell(p, n, ACCESS_READ, source);
}

/* What leads to an lvalue: subscripts, and pointers. */
static bool visit_address(pen *p, const node *n)
{
    const node *part = n;
    for (; part != NULL && is_lvalue(part); part = part->children > 0 ? part->child[0] : NULL) {
        if (part->kind == NODE_INDEX && !visit(p, part->child[1], true)) {
            return false;
        }
        if (lvalue_pointer(part) == part->child[0]) {
            return visit(p, part->child[0], true);
        }
    }
    return true;
}

static bool is_memory(const pen *p, const node *n)
{
    return n->kind == NODE_VARIABLE ? n->variable >= 0 && !n->array && variable_is_memory(p->w, p->u, n->variable)
                                    : is_lvalue(n) && !lvalue_is_private(p->w, p->u, n);
}

/* ---- Assignments ---- */

static bool is_needed(const pen *p, const node *target)
{
    int variable = target->kind == NODE_VARIABLE ? target->variable : lvalue_variable(target);
    return variable >= 0 && p->u->need[variable];
}

static bool update(pen *p, const node *n)
{
    margin(p);
    bool good = print_node(p->w, p->u, n, true, p->to);
    text_add(p->to, ";");
    return good;
}

static bool visit_assignment(pen *p, const node *n)
{
    accumulation a;
    const node *target = whole_bare(n->child[0]);
    bool memory = is_memory(p, target);
    if (filled_pointer(p->u, n) >= 0) { /* private memory of the caller */
        return (n->kind != NODE_ASSIGN || visit(p, n->child[1], true)) && visit_address(p, target) && update(p, n);
    }
    if (memory && accumulation_find(n, &a) && is_memory(p, a.target)) {
        for (int i = 0; i < a.values; i++) {
            if (!visit(p, a.value[i], false)) return false;
        }
        return visit_address(p, a.target) && tell(p, a.target, a.kind, false);
    }
    bool needed = !memory && is_needed(p, target);
    size_t before = p->later->size;
    if (n->kind == NODE_ASSIGN && !visit(p, n->child[1], needed)) {
        return false;
    }
    if (!visit_address(p, target)) {
        return false;
    }
    if (!memory && needed && n->kind == NODE_STEP && n != p->top) {
        pen after = *p;
        after.to = p->later;
        return update(&after, n);
    }
    if (!memory && needed) {
        take_back(p, before); /* they stand in its text */
    }
    if (!memory) {
        return !needed || update(p, n);
    }
    bool reads = n->kind == NODE_STEP || n->operation != OP_NONE;
    return (!reads || tell(p, target, ACCESS_READ, false)) && tell(p, target, ACCESS_WRITE, false);
}

/* ---- Conditions in expressions ---- */

static bool visit_into(const pen *p, const node *n, bool source, text_buffer *part)
{
    pen inner = *p;
    text_buffer later = {0};
    inner.to = part;
    inner.later = &later;
    inner.indent++;
    bool good = visit(&inner, n, source);
    flush(&inner);
    text_settle(&later, part);
    text_clear(&later);
    return good;
}

static bool print_condition(pen *p, const node *condition, bool opposite, bool stores)
{
    margin(p);
    text_add(p->to, opposite ? "if (!(" : "if (");
    bool good = print_node(p->w, p->u, condition, stores, p->to);
    text_add(p->to, opposite ? ")) {" : ") {");
    return good;
}

static bool visit_choice(pen *p, const node *n, bool source)
{
    bool stays = condition_stays(p->w, p->u, n), two = n->kind == NODE_CHOICE && n->children == 3;
    text_buffer first = {0}, second = {0};
    bool good = visit_into(p, n->child[1], source, &first) && (!two || visit_into(p, n->child[2], source, &second));
    bool some = first.size + second.size > 0;
    good = good && visit(p, n->child[0], source || (stays && some));
    if (good && some && stays) {
        bool opposite = n->operation == OP_OR;
        good = print_condition(p, n->child[0], opposite, false);
        text_add(p->to, text_content(&first));
        margin(p);
        text_add(p->to, "}");
        if (second.size > 0) {
            text_addf(p->to, " else {%s", text_content(&second));
            margin(p);
            text_add(p->to, "}");
        }
    } else if (good) {
        text_add(p->to, text_content(&first));
        text_add(p->to, text_content(&second));
    }
    text_clear(&first);
    text_clear(&second);
    return good;
}

/* ---- Calls ---- */

static bool tell_block(pen *p, const node *call, int argument, access_kind kind)
{
    const node *at = call->child[argument], *size = call->child[call->children > 2 ? 2 : call->children - 1];
    int variable = pointer_variable(at);
    const node *pointer = whole_bare(at);
    if (variable >= 0 && p->u->inside[variable] &&
        (p->w->p->variable[variable].array || p->w->p->variable[variable].record) && pointer->kind != NODE_MEMBER) {
        return true;
    }
    text_buffer text = {0};
    bool good = can_evaluate(p->w, p->u, at) && can_evaluate(p->w, p->u, size);
    if (!good) {
        (void)refuse(p->w->m, call->line,
                     "which memory '%s' touches hangs on what the marked loop itself changes; expected "
                     "it known before the loop",
                     call->name);
    }
    good = good && print_node(p->w, p->u, at, false, &text);
    if (good) {
        int number = add_site(p, call->line, text_content(&text), kind, find_key(p->w, text_content(&text)));
        call_head(p, "inlay_loop_touch", number);
        text_addf(p->to, "INLAY_NUMBER_BYTES, %s, ", text_content(&text));
        good = print_node(p->w, p->u, size, false, p->to);
        text_add(p->to, ");");
    }
    text_clear(&text);
    return good;
}

static bool visit_call(pen *p, const node *n, bool source)
{
    call_kind kind = call_of(p->w, n);
    for (int i = 0; i < n->children; i++) {
        bool handed = kind == CALL_PROGRAM && i < p->w->p->function[n->function].parameters &&
                      parameter_stays(p->w, n->function, i);
        if (!visit(p, n->child[i], source || handed || ((kind == CALL_COPY || kind == CALL_SET) && i != 1))) {
            return false;
        }
        if (handed && !can_evaluate(p->w, p->u, n->child[i])) {
            return refuse(p->w->m, n->line,
                          "an argument of '%s', on which addresses hang, hangs on what the marked loop "
                          "itself changes; expected it known before the loop",
                          n->name);
        }
    }
    if (kind == CALL_COPY) {
        return tell_block(p, n, 1, ACCESS_READ) && tell_block(p, n, 0, ACCESS_WRITE);
    }
    if (kind == CALL_SET) {
        return tell_block(p, n, 0, ACCESS_WRITE);
    }
    if (kind != CALL_PROGRAM || source) {
        return true;
    }
    margin(p);
    text_add(p->to, p->w->function[n->function].wants_value ? "(void)" : "");
    bool good = print_node(p->w, p->u, n, false, p->to);
    text_add(p->to, ";");
    return good;
}

static bool visit(pen *p, const node *n, bool source)
{
    if (n == NULL || n->kind == NODE_CONSTANT) {
        return true;
    }
    if (n->kind == NODE_CALL) {
        return visit_call(p, n, source);
    }
    if (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) {
        return visit_assignment(p, n);
    }
    if (n->kind == NODE_CHOICE || (n->kind == NODE_BINARY && (n->operation == OP_AND || n->operation == OP_OR))) {
        return visit_choice(p, n, source);
    }
    if (n->kind == NODE_UNARY && n->operation == OP_ADDRESS) {
        const node *inner = whole_bare(n->child[0]);
        return !is_lvalue(inner) || visit_address(p, inner);
    }
    if (is_lvalue(n) || n->kind == NODE_VARIABLE) {
        return (n->kind == NODE_VARIABLE || visit_address(p, n)) &&
               (n->array || !is_memory(p, n) || visit_access(p, n, source));
    }
    for (int i = 0; i < n->children; i++) {
        bool statement = n->child[i] != NULL && n->child[i]->kind >= NODE_BLOCK;
        if (!(statement ? state(p, n->child[i]) : visit(p, n->child[i], source))) return false;
    }
    return true;
}

/* ---- Statements ---- */

static bool state_children(pen *p, const node *n)
{
    for (int i = 0; i < n->children; i++) {
        if (!state(p, n->child[i])) return false;
    }
    return true;
}

/* The line of a declaration is a block, too, and of no scope. */
static bool is_declarations(const node *n)
{
    return n != NULL && n->kind == NODE_BLOCK && n->children > 0 && n->child[0] != NULL &&
           n->child[0]->kind == NODE_DECLARATION;
}

static bool state_block(pen *p, const node *n)
{
    bool scope = false;
    for (int i = 0; i < n->children && !is_declarations(n); i++) {
        scope = scope || is_declarations(n->child[i]);
    }
    if (!scope) {
        return state_children(p, n);
    }
    margin(p);
    text_add(p->to, "{");
    p->indent++;
    bool good = state_children(p, n);
    margin_back(p);
    text_add(p->to, "}");
    return good;
}

/* A statement within brackets that stand already. */
static bool state_body(pen *p, const node *n)
{
    return n != NULL && n->kind == NODE_BLOCK ? state_children(p, n) : state(p, n);
}

/* In brackets of its own. */
static bool state_inner(pen *p, const node *n)
{
    p->indent++;
    bool good = state_body(p, n);
    margin_back(p);
    text_add(p->to, "}");
    return good;
}

static bool declare(pen *p, const node *n)
{
    const c_variable *v = &p->w->p->variable[n->variable];
    bool need = p->u->need[n->variable], place = p->u->place[n->variable];
    const node *value = n->children > 0 ? n->child[0] : NULL;
    if (!visit(p, value, need)) {
        return false;
    }
    if (!need) {
        flush(p);
    }
    if (!need && !place) {
        return true;
    }
    take_back(p, 0);
    margin(p);
    print_type(p->w, n->variable, p->to);
    text_add(p->to, v->name);
    bool good = true;
    if (need && value != NULL && (v->array || can_evaluate(p->w, p->u, value))) {
        text_add(p->to, " = ");
        good = print_node(p->w, p->u, value, true, p->to);
    } else if (!type_is_variable(v->type_name)) {
        text_add(p->to, v->array || v->record ? " = {0}" : " = 0");
    }
    text_add(p->to, ";");
    if (place) {
        call_head(p, "INLAY_PRIVATE", -1);
        text_addf(p->to, "%s);", v->name);
    }
    return good;
}

static bool state_if(pen *p, const node *n)
{
    accumulation a;
    if (accumulation_find(n, &a) && is_memory(p, a.target)) {
        for (int i = 0; i < a.values; i++) {
            if (!visit(p, a.value[i], false)) return false;
        }
        return visit_address(p, a.target) && tell(p, a.target, a.kind, false);
    }
    bool some = node_matters(p->w, p->u, n->child[1]) || (n->children == 3 && node_matters(p->w, p->u, n->child[2]));
    bool stays = condition_stays(p->w, p->u, n);
    if (!visit(p, n->child[0], stays && some) || !some) {
        flush(p);
        return !p->w->m->refused && !p->w->m->no_memory;
    }
    if (stays) {
        take_back(p, 0); /* they stand in its text */
    } else {
        flush(p);
        p->keep++;
        bool good = state(p, n->child[1]) && (n->children < 3 || state(p, n->child[2]));
        p->keep--;
        return good;
    }
    bool good = print_condition(p, n->child[0], false, true) && state_inner(p, n->child[1]);
    if (good && n->children == 3 && node_matters(p->w, p->u, n->child[2])) {
        text_add(p->to, " else {");
        good = state_inner(p, n->child[2]);
    }
    return good;
}

static const node *needed_step(const unit *u, const node *n)
{
    if (n == NULL) {
        return NULL;
    }
    const node *left = n->children > 0 ? whole_bare(n->child[0]) : NULL;
    bool assigns = n->kind == NODE_ASSIGN || n->kind == NODE_STEP;
    if (assigns && left != NULL && left->kind == NODE_VARIABLE && left->variable >= 0 && u->need[left->variable]) {
        return n;
    }
    for (int i = 0; i < n->children; i++) {
        const node *found = needed_step(u, n->child[i]);
        if (found != NULL) return found;
    }
    return NULL;
}

static bool declares_needed(const unit *u, const node *start)
{
    bool needed = false;
    for (int i = 0; start != NULL && start->kind == NODE_BLOCK && i < start->children; i++) {
        const node *d = start->child[i];
        needed = needed || (d != NULL && d->kind == NODE_DECLARATION && u->need[d->variable]);
    }
    return needed;
}

static bool print_start(pen *p, const node *start)
{
    if (start == NULL) {
        return true;
    }
    if (start->kind != NODE_BLOCK) {
        return print_node(p->w, p->u, start, true, p->to);
    }
    if (start->children != 1 || start->child[0]->kind != NODE_DECLARATION || start->child[0]->children == 0) {
        if (!start->copied) {
            return refuse(p->w->m, start->line, "a loop declares several variables in a macro; expected one");
        }
        text_addf(p->to, "%.*s", (int)(start->to - start->from) - 1, p->w->m->text + start->from);
        return true;
    }
    const node *d = start->child[0];
    print_type(p->w, d->variable, p->to);
    text_addf(p->to, "%s = ", p->w->p->variable[d->variable].name);
    return print_node(p->w, p->u, d->child[0], false, p->to);
}

static bool visit_start(pen *p, const node *n)
{
    if (n == NULL || n->kind != NODE_BLOCK) {
        return n == NULL || n->kind != NODE_ASSIGN ? n == NULL || visit(p, n, true) : visit(p, n->child[1], true);
    }
    for (int i = 0; i < n->children; i++) {
        const node *d = n->child[i];
        if (d->kind == NODE_DECLARATION && d->children > 0 && !visit(p, d->child[0], true)) return false;
    }
    return true;
}

/* for (START; ; STEP) { accesses of the condition; if (!(CONDITION)) { break; } body } */
static bool state_loop(pen *p, const node *n)
{
    const node *start = n->kind == NODE_FOR ? n->child[0] : NULL, *step = n->kind == NODE_FOR ? n->child[2] : NULL;
    const node *body = n->kind == NODE_FOR ? n->child[3] : n->child[0], *condition = n->child[1];
    int keep = p->keep;
    if (!node_matters(p->w, p->u, body) && !node_matters(p->w, p->u, condition)) {
        return true;
    }
    if (!can_evaluate(p->w, p->u, condition) ||
        (step != NULL && !can_evaluate(p->w, p->u, step) && needed_step(p->u, step) == NULL)) {
        if (needed_step(p->u, n) != NULL || declares_needed(p->u, start)) {
            return refuse(p->w->m, n->line,
                          "how often this loop runs hangs on what the marked loop itself changes; "
                          "expected that to be known before");
        }
        p->keep++;
        bool good = visit_start(p, start) && visit(p, condition, false) && state(p, body);
        p->keep--;
        return good;
    }
    if (!visit_start(p, start)) {
        return false;
    }
    take_back(p, 0);
    p->keep = 0;
    margin(p);
    text_add(p->to, n->kind == NODE_DO ? "do {" : "for (");
    bool good = n->kind == NODE_DO || print_start(p, start);
    if (n->kind != NODE_DO) {
        text_add(p->to, ";;");
        text_add(p->to, step != NULL ? " " : "");
        good = good && (step == NULL || print_node(p->w, p->u, step, true, p->to));
        text_add(p->to, ") {");
        p->indent++;
        good = good && visit(p, condition, true);
        take_back(p, 0);
        if (good && condition != NULL) {
            good = print_condition(p, condition, true, true);
            text_add(p->to, " break; }");
        }
        p->indent--;
    }
    p->indent++;
    good = good && (step == NULL || step->kind != NODE_ASSIGN || visit(p, step->child[1], true));
    good = good && state_body(p, body);
    good = good && (n->kind != NODE_DO || visit(p, condition, true));
    margin_back(p);
    text_add(p->to, "}");
    if (n->kind == NODE_DO) {
        text_add(p->to, " while (");
        take_back(p, 0);
        good = good && print_node(p->w, p->u, condition, true, p->to);
        text_add(p->to, ");");
    }
    p->keep = keep;
    return good;
}

static bool state_switch(pen *p, const node *n)
{
    bool stays = condition_stays(p->w, p->u, n), before = p->in_switch;
    if (!node_matters(p->w, p->u, n->child[1]) || !visit(p, n->child[0], stays)) {
        return visit(p, n->child[0], false) && !p->w->m->refused;
    }
    if (!stays) {
        p->keep++;
        p->in_switch = true;
        bool good = state(p, n->child[1]);
        p->in_switch = before;
        p->keep--;
        return good;
    }
    margin(p);
    text_add(p->to, "switch (");
    bool good = print_node(p->w, p->u, n->child[0], false, p->to);
    text_add(p->to, ") {");
    p->in_switch = false;
    good = good && state_inner(p, n->child[1]);
    p->in_switch = before;
    return good;
}

/* Compilers ask whether it is meant that a case goes on into the next. */
static void goes_on(pen *p)
{
    size_t end = p->to->size;
    const char *text = text_content(p->to);
    while (end > 0 && strchr(" \n", text[end - 1]) != NULL) {
        end--;
    }
    bool begins = end == 0 || text[end - 1] == '{' || (end > 1 && strncmp(text + end - 2, ":;", 2) == 0);
    bool leaves = end >= 6 && (strncmp(text + end - 6, "break;", 6) == 0 || strncmp(text + end - 6, "tinue;", 6) == 0);
    if (!begins && !leaves) {
        margin(p);
        text_add(p->to, "__attribute__((fallthrough));");
    }
}

static bool state_case(pen *p, const node *n)
{
    if (!p->in_switch && p->keep == 0) {
        goes_on(p);
        margin(p);
        if (n->known) {
            text_add(p->to, "default:;");
        } else if (n->valued && n->value == n->last) {
            text_addf(p->to, "case %lld:;", (long long)n->value);
        } else {
            return refuse(p->w->m, n->line, "a range of cases stands in a marked loop; expected single values");
        }
    }
    return state(p, n->children > 0 ? n->child[0] : NULL);
}

static bool state_return(pen *p, const node *n)
{
    const node *value = n->children > 0 ? n->child[0] : NULL;
    bool wanted = p->u->wants_value;
    if (!visit(p, value, wanted)) {
        return false;
    }
    if (p->keep > 0 || (wanted && !can_evaluate(p->w, p->u, value))) {
        return true;
    }
    margin(p);
    text_add(p->to, wanted ? "return " : "return;");
    take_back(p, 0);
    bool good = !wanted || print_node(p->w, p->u, value, true, p->to);
    text_add(p->to, wanted ? ";" : "");
    return good;
}

static bool state_contract(pen *p, const contract *k)
{
    for (int i = 0; i < k->accesses; i++) {
        const stated *s = &k->access[i];
        text_buffer text = {0};
        text_addf(&text, "%.*s", (int)(s->lvalue.to - s->lvalue.from), p->w->m->text + s->lvalue.from);
        int number = add_site(p, k->line, text_content(&text), s->kind, find_key(p->w, text_content(&text)));
        call_head(p, "inlay_loop_touch", number);
        text_addf(p->to, "INLAY_NUMBER_OF(%s), &%s, sizeof(%s)", text_content(&text), text_content(&text),
                  text_content(&text));
        if (s->count.to > s->count.from) {
            text_addf(p->to, " * (size_t)(%.*s)", (int)(s->count.to - s->count.from), p->w->m->text + s->count.from);
        }
        text_add(p->to, ");");
        text_clear(&text);
    }
    return true;
}

static bool state(pen *p, const node *n)
{
    if (n == NULL) {
        return true;
    }
    const contract *k = contract_of(p->w, n);
    if (k != NULL) {
        return state_contract(p, k);
    }
    switch (n->kind) {
    case NODE_BLOCK: return state_block(p, n);
    case NODE_DECLARATION: return declare(p, n);
    case NODE_IF: return state_if(p, n);
    case NODE_FOR:
    case NODE_WHILE:
    case NODE_DO: return state_loop(p, n);
    case NODE_SWITCH: return state_switch(p, n);
    case NODE_CASE: return state_case(p, n);
    case NODE_RETURN: return state_return(p, n);
    case NODE_BREAK:
    case NODE_CONTINUE:
        if (p->keep == 0) {
            margin(p);
            text_add(p->to, n->kind == NODE_BREAK ? "break;" : "continue;");
        }
        return true;
    default: break;
    }
    p->top = n;
    bool good = visit(p, n, false);
    p->top = NULL;
    flush(p);
    return good;
}

/* Scalars and arrays from outside that each iteration sets anew: the inspector has its own. */
static void declare_outer(pen *p)
{
    for (int v = 0; v < p->w->p->variables; v++) {
        const c_variable *c = &p->w->p->variable[v];
        scalar_kind kind = p->u->scalar[v];
        bool own = kind == SCALAR_PRIVATE || kind == SCALAR_LAST || p->u->scratch[v];
        if (!own || (!p->u->need[v] && !p->u->place[v])) {
            continue;
        }
        margin(p);
        print_type(p->w, v, p->to);
        text_addf(p->to, "%s%s;", c->name,
                  type_is_variable(c->type_name) ? ""
                  : c->array || c->record        ? " = {0}"
                                                 : " = 0");
        if (p->u->place[v]) {
            call_head(p, "INLAY_PRIVATE", -1);
            text_addf(p->to, "%s);", c->name);
        }
    }
}

bool inspector_write(whole *w, unit *u)
{
    text_buffer later = {0};
    pen p = {.w = w, .u = u, .to = &u->inspector, .indent = u->loop != NULL ? 3 : 1, .later = &later};
    if (u->loop == NULL) {
        bool written = state_body(&p, u->body);
        text_clear(&later);
        return written;
    }
    pen header = {.w = w, .u = u, .to = &u->header, .indent = 2, .later = &later};
    if (!can_evaluate(w, u, u->loop->child[1])) {
        return refuse(w->m, u->line,
                      "how often the marked loop runs hangs on what it changes itself; expected that to be "
                      "known before");
    }
    bool good = visit_start(&header, u->loop->child[0]) && visit(&header, u->loop->child[1], true) &&
                (u->loop->child[2]->kind != NODE_ASSIGN || visit(&header, u->loop->child[2]->child[1], true));
    for (int i = 0; i < 3; i++) {
        text_buffer unused = {0};
        const node *part = u->loop->child[i];
        if (part != NULL && part->kind != NODE_BLOCK) {
            good = good && print_node(w, u, part, true, &unused);
        } else if (part != NULL) {
            good =
                good && (part->child[0]->children == 0 || print_node(w, u, part->child[0]->child[0], false, &unused));
        }
        text_clear(&unused);
    }
    take_back(&p, 0);
    declare_outer(&p);
    good = good && state_body(&p, u->body) && !w->m->no_memory;
    text_clear(&later);
    return good;
}

/* NOLINTEND(misc-no-recursion) */

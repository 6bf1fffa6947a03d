/*
 * Inspectors: a loop's body, or that of a function which it calls, reduced to telling what it touches.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as trees are.
 */
#include "csource/whole/inspect.h"
#include <string.h>

void pen_margin(pen *p)
{
    text_addf(p->to, "\n%*s", p->indent * 4, "");
}

static void margin_back(pen *p)
{
    p->indent--;
    pen_margin(p);
}

void pen_take_back(pen *p, size_t size)
{
    p->later->size = size;
    if (p->later->data != NULL) {
        p->later->data[size] = '\0';
    }
}

void pen_flush(pen *p)
{
    text_add(p->to, text_content(p->later));
    pen_take_back(p, 0);
}

/* ---- Statements ---- */

static bool state_children(pen *p, const node *n)
{
    for (int i = 0; i < n->children; i++) {
        if (!pen_state(p, n->child[i])) return false;
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
    pen_margin(p);
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
    return n != NULL && n->kind == NODE_BLOCK ? state_children(p, n) : pen_state(p, n);
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
    if (!pen_visit(p, value, need)) {
        return false;
    }
    if (!need) {
        pen_flush(p);
    }
    if (!need && !place) {
        return true;
    }
    pen_take_back(p, 0);
    pen_margin(p);
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
        pen_call(p, "INLAY_PRIVATE", -1);
        text_addf(p->to, "%s);", v->name);
    }
    return good;
}

static bool is_assignment(const node *n, const void *with)
{
    (void)with;
    return n->kind == NODE_ASSIGN;
}

static bool state_if(pen *p, const node *n)
{
    accumulation a;
    bool accumulates = accumulation_in_memory(n, &a) && pen_is_memory(p, a.target);
    if (accumulates) {
        for (int i = 0; i < a.values; i++) {
            if (!pen_visit(p, a.value[i], p->u->replays)) return false;
        }
        if (!pen_visit_address(p, a.target) || !pen_tell(p, a.target, a.kind, false) || !p->u->replays) {
            return !p->w->m->refused && !p->w->m->no_memory;
        }
        pen_take_back(p, 0);
        bool good = pen_condition(p, n->child[0], false, true);
        p->indent++;
        good = good && pen_note(p, "INLAY_TRY", a.target) && pen_update(p, node_find(n->child[1], is_assignment, NULL));
        margin_back(p);
        text_add(p->to, "}");
        return good;
    }
    bool some = node_matters(p->w, p->u, n->child[1]) || (n->children == 3 && node_matters(p->w, p->u, n->child[2]));
    bool stays = condition_stays(p->w, p->u, n);
    if (!pen_visit(p, n->child[0], stays && some) || !some) {
        pen_flush(p);
        return !p->w->m->refused && !p->w->m->no_memory;
    }
    if (stays) {
        pen_take_back(p, 0); /* they stand in its text */
    } else {
        pen_flush(p);
        p->keep++;
        bool good = pen_state(p, n->child[1]) && (n->children < 3 || pen_state(p, n->child[2]));
        p->keep--;
        return good;
    }
    bool good = pen_condition(p, n->child[0], false, true) && state_inner(p, n->child[1]);
    if (good && n->children == 3 && node_matters(p->w, p->u, n->child[2])) {
        text_add(p->to, " else {");
        good = state_inner(p, n->child[2]);
    }
    return good;
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
        return n == NULL || n->kind != NODE_ASSIGN ? n == NULL || pen_visit(p, n, true)
                                                   : pen_visit(p, n->child[1], true);
    }
    for (int i = 0; i < n->children; i++) {
        const node *d = n->child[i];
        if (d->kind == NODE_DECLARATION && d->children > 0 && !pen_visit(p, d->child[0], true)) return false;
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
    if (!loop_stays(p->w, p->u, n)) {
        p->keep++;
        bool good = visit_start(p, start) && pen_visit(p, condition, false) && pen_state(p, body);
        p->keep--;
        return good;
    }
    if (!can_evaluate(p->w, p->u, condition) || (step != NULL && !can_evaluate(p->w, p->u, step))) {
        return refuse(p->w->m, n->line,
                      "how often this loop runs hangs on what the marked loop itself changes; "
                      "expected that to be known before");
    }
    if (!visit_start(p, start)) {
        return false;
    }
    pen_take_back(p, 0);
    p->keep = 0;
    pen_margin(p);
    text_add(p->to, n->kind == NODE_DO ? "do {" : "for (");
    bool good = n->kind == NODE_DO || print_start(p, start);
    if (n->kind != NODE_DO) {
        text_add(p->to, ";;");
        text_add(p->to, step != NULL ? " " : "");
        good = good && (step == NULL || print_node(p->w, p->u, step, true, p->to));
        text_add(p->to, ") {");
        p->indent++;
        good = good && pen_visit(p, condition, true);
        pen_take_back(p, 0);
        if (good && condition != NULL) {
            good = pen_condition(p, condition, true, true);
            text_add(p->to, " break; }");
        }
        p->indent--;
    }
    p->indent++;
    good = good && pen_visit(p, step, true);
    pen_take_back(p, 0);
    good = good && state_body(p, body);
    good = good && (n->kind != NODE_DO || pen_visit(p, condition, true));
    margin_back(p);
    text_add(p->to, "}");
    if (n->kind == NODE_DO) {
        text_add(p->to, " while (");
        pen_take_back(p, 0);
        good = good && print_node(p->w, p->u, condition, true, p->to);
        text_add(p->to, ");");
    }
    p->keep = keep;
    return good;
}

static bool state_switch(pen *p, const node *n)
{
    bool stays = condition_stays(p->w, p->u, n), before = p->in_switch;
    if (!node_matters(p->w, p->u, n->child[1]) || !pen_visit(p, n->child[0], stays)) {
        return pen_visit(p, n->child[0], false) && !p->w->m->refused;
    }
    if (!stays) {
        p->keep++;
        p->in_switch = true;
        bool good = pen_state(p, n->child[1]);
        p->in_switch = before;
        p->keep--;
        return good;
    }
    pen_margin(p);
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
        pen_margin(p);
        text_add(p->to, "__attribute__((fallthrough));");
    }
}

static bool state_case(pen *p, const node *n)
{
    if (!p->in_switch && p->keep == 0) {
        goes_on(p);
        pen_margin(p);
        if (n->known) {
            text_add(p->to, "default:;");
        } else if (n->valued && n->value == n->last) {
            text_addf(p->to, "case %lld:;", (long long)n->value);
        } else {
            return refuse(p->w->m, n->line, "a range of cases stands in a marked loop; expected single values");
        }
    }
    return pen_state(p, n->children > 0 ? n->child[0] : NULL);
}

static bool state_return(pen *p, const node *n)
{
    const node *value = n->children > 0 ? n->child[0] : NULL;
    bool wanted = p->u->wants_value;
    if (!pen_visit(p, value, wanted)) {
        return false;
    }
    if (p->keep > 0 || (wanted && !can_evaluate(p->w, p->u, value))) {
        return true;
    }
    pen_margin(p);
    text_add(p->to, wanted ? "return " : "return;");
    pen_take_back(p, 0);
    bool good = !wanted || print_node(p->w, p->u, value, true, p->to);
    text_add(p->to, wanted ? ";" : "");
    return good;
}

static bool state_contract(pen *p, const contract *k)
{
    if (p->u->replays) {
        return refuse(p->w->m, k->line,
                      "indices of this loop hang on what it writes, and what is written here is not known; expected "
                      "them in another loop");
    }
    for (int i = 0; i < k->accesses; i++) {
        const stated *s = &k->access[i];
        text_buffer text = {0};
        text_addf(&text, "%.*s", (int)(s->lvalue.to - s->lvalue.from), p->w->m->text + s->lvalue.from);
        int number = pen_site(p, k->line, text_content(&text), s->kind, pen_key(p->w, text_content(&text)));
        pen_call(p, "inlay_loop_touch", number);
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

bool pen_state(pen *p, const node *n)
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
            pen_margin(p);
            text_add(p->to, n->kind == NODE_BREAK ? "break;" : "continue;");
        }
        return true;
    default: break;
    }
    p->top = n;
    bool good = pen_visit(p, n, false);
    p->top = NULL;
    pen_flush(p);
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
        pen_margin(p);
        print_type(p->w, v, p->to);
        text_addf(p->to, "%s%s;", c->name,
                  type_is_variable(c->type_name) ? ""
                  : c->array || c->record        ? " = {0}"
                                                 : " = 0");
        if (p->u->place[v]) {
            pen_call(p, p->u->checked[v] ? "INLAY_SCRATCH" : "INLAY_PRIVATE", -1);
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
    if (!is_known_before(w, u, u->loop->child[1]) || !is_known_before(w, u, u->loop->child[2])) {
        return refuse(w->m, u->line,
                      "how often the marked loop runs hangs on what it changes itself; expected that to be "
                      "known before");
    }
    bool good = visit_start(&header, u->loop->child[0]) && pen_visit(&header, u->loop->child[1], true) &&
                (u->loop->child[2]->kind != NODE_ASSIGN || pen_visit(&header, u->loop->child[2]->child[1], true));
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
    pen_take_back(&p, 0);
    declare_outer(&p);
    good = good && state_body(&p, u->body) && !w->m->no_memory;
    text_clear(&later);
    return good;
}

/* NOLINTEND(misc-no-recursion) */

/*
 * Places for counters, in the order of the text.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows.
 */
#include "csource/count/plan.h"
#include "base/plain.h"
#include <inlay/status.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts ---- */

static void add_insertion(plan *p, unsigned at, const char *format, va_list values)
{
    text_buffer text = {0};
    text_vaddf(&text, format, values);
    const char *copy = text.failed ? NULL : program_copy(p->program, text_content(&text));
    text_clear(&text);
    if (copy == NULL || !GROW(p->insertion, p->insertions, p->insertion_room)) {
        p->no_memory = true;
        return;
    }
    p->insertion[p->insertions] = (insertion){at, p->insertions, copy};
    p->insertions++;
}

static void insert(plan *p, unsigned at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void insert(plan *p, unsigned at, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_insertion(p, at, format, values);
    va_end(values);
}

void plan_insert_into(plan *p, const node *body, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_insertion(p, body->from + 1, format, values);
    va_end(values);
    if (!p->no_memory) {
        p->insertion[p->insertions - 1].order = -1;
    }
}

static int by_place(const void *one, const void *other)
{
    const insertion *a = one, *b = other;
    return a->at != b->at ? (a->at > b->at) - (a->at < b->at) : (a->order > b->order) - (a->order < b->order);
}

int plan_write(plan *p, text_buffer *to)
{
    unsigned at = 0;
    if (p->insertions > 0) {
        qsort(p->insertion, (size_t)p->insertions, sizeof *p->insertion, by_place);
    }
    for (int i = 0; i < p->insertions; i++) {
        text_append(to, p->text + at, p->insertion[i].at - at);
        text_add(to, p->insertion[i].text);
        at = p->insertion[i].at;
    }
    text_append(to, p->text + at, p->size - at);
    return to->failed ? INLAY_NO_MEMORY : INLAY_OK;
}

void plan_forget(plan *p)
{
    free(p->owner);
    free(p->times);
    free(p->insertion);
    free(p->happening);
    *p = (plan){0};
}

/* ---- Places ---- */

/* The first one where there is no memory. */
static int new_place(counter *c)
{
    plan *p = c->plan;
    if (!GROW(c->tally, p->places, p->cost_room) || !GROW(p->owner, p->places, p->owner_room)) {
        p->no_memory = true;
        return 0;
    }
    c->tally[p->places] = (tally){0};
    p->owner[p->places] = p->row;
    return p->places++;
}

static void note(counter *c, happening h)
{
    plan *p = c->plan;
    h.file = p->program->function[p->function].header;
    if (!GROW(p->happening, p->happenings, p->happening_room)) {
        p->no_memory = true;
        return;
    }
    p->happening[p->happenings++] = h;
}

static void cannot_place(counter *c, const node *n)
{
    note(c, (happening){HAPPENS_STRANGE, c->row, n->line, NULL, "code whose place in the text is not known", false});
}

static int number(const counter *c, int place)
{
    return c->plan->first + place;
}

/* ---- What needs a place ---- */

/* In the control of a loop only calls count. */
static bool is_work(const node *n, const void *with)
{
    bool control = *(const bool *)with;
    switch (n->kind) {
    case NODE_CALL:
    case NODE_STRANGE: return true;
    case NODE_BINARY: return !control && n->operation >= OP_ADD && n->operation <= OP_REMAINDER;
    case NODE_ASSIGN: return !control && n->operation != OP_NONE;
    case NODE_UNARY: return !control && (n->operation == OP_MINUS || n->operation == OP_CONTENT);
    case NODE_STEP:
    case NODE_INDEX:
    case NODE_MEMBER: return !control;
    default: return false;
    }
}

static bool works(const counter *c, node *n)
{
    bool control = c->control > 0;
    return node_find(n, is_work, &control) != NULL;
}

/* Behind it the program may have come another way, or not at all. */
static bool is_turn(const node *n, const void *with)
{
    (void)with;
    math_counts counts;
    return (n->kind >= NODE_CASE && n->kind <= NODE_GOTO) || n->kind == NODE_STRANGE ||
           (n->kind == NODE_BLOCK && n->known) ||
           (n->kind == NODE_CALL && !(n->system && n->name != NULL && math_find(n->name, &counts)));
}

static bool is_label(const node *n)
{
    return n->kind == NODE_CASE || (n->kind == NODE_BLOCK && n->known);
}

static bool is_compound(const plan *p, const node *n)
{
    return n->kind == NODE_BLOCK && n->from < n->to && p->text[n->from] == '{';
}

/* ---- Where statements begin and end ---- */

/* Brackets around an expression are not in its extent. */
static unsigned begin_of(const plan *p, const node *n)
{
    unsigned at = n->from;
    for (unsigned i = at; i > 0 && (plain_space((unsigned char)p->text[i - 1]) || p->text[i - 1] == '('); i--) {
        at = p->text[i - 1] == '(' ? i - 1 : at;
    }
    return at;
}

/* 0: not known. */
static unsigned end_of(const plan *p, const node *n)
{
    for (;;) {
        const node *last = n->kind == NODE_FOR                            ? n->child[3]
                           : n->kind == NODE_WHILE                        ? n->child[0]
                           : n->kind == NODE_IF || n->kind == NODE_SWITCH ? n->child[n->children - 1]
                           : is_label(n) && n->children > 0               ? n->child[0]
                                                                          : NULL;
        if (last == NULL) {
            break;
        }
        n = last;
    }
    if (n->to > n->from && (p->text[n->to - 1] == ';' || is_compound(p, n))) {
        return n->to;
    }
    unsigned at = n->to;
    while (at < p->size && (plain_space((unsigned char)p->text[at]) || p->text[at] == ')')) {
        at++;
    }
    return at < p->size && p->text[at] == ';' ? at + 1 : 0;
}

/* A statement in whose place one only may stand, at a place of its own. */
static int plan_statement(counter *c, node *n, int place)
{
    plan *p = c->plan;
    int outer = c->row;
    if (n == NULL) {
        return INLAY_OK;
    }
    c->row = place;
    unsigned end = 0;
    if (is_compound(p, n)) {
        insert(p, n->from + 1, " inlay_count_[%d]++;", number(c, place));
    } else if (n->from == n->to || (end = end_of(p, n)) == 0) {
        cannot_place(c, n);
    } else {
        insert(p, begin_of(p, n), "{ inlay_count_[%d]++; ", number(c, place));
    }
    int status = count_node(c, n);
    if (end > 0) {
        insert(p, end, " }");
    }
    c->row = outer;
    return status;
}

/* Behind a label; the place stays in force. */
static int plan_label(counter *c, const node *n)
{
    while (n->children > 0 && n->child[0] != NULL && is_label(n->child[0])) {
        n = n->child[0];
    }
    int place = new_place(c);
    c->row = place;
    return n->children > 0 ? plan_statement(c, n->child[0], place) : INLAY_OK;
}

static int plan_child(counter *c, node *n, bool *turned)
{
    plan *p = c->plan;
    if (is_label(n)) {
        const node *inner = n;
        while (is_label(inner) && inner->children > 0 && inner->child[0] != NULL) {
            inner = inner->child[0];
        }
        int status = plan_label(c, n);
        *turned = is_label(inner) || node_find((node *)inner, is_turn, NULL) != NULL;
        return status;
    }
    if (*turned && works(c, n)) {
        c->row = new_place(c);
        *turned = false;
        if (n->from == n->to) {
            cannot_place(c, n);
        }
        insert(p, begin_of(p, n), "inlay_count_[%d]++; ", number(c, c->row));
    }
    int status = count_node(c, n);
    *turned = *turned || node_find(n, is_turn, NULL) != NULL;
    return status;
}

static int plan_block(counter *c, node *n)
{
    int outer = c->row, status = INLAY_OK;
    bool turned = false;
    if (!is_compound(c->plan, n)) {
        return count_children(c, n);
    }
    for (int i = 0; i < n->children && status == INLAY_OK; i++) {
        status = n->child[i] != NULL ? plan_child(c, n->child[i], &turned) : INLAY_OK;
    }
    c->row = outer;
    return status;
}

/* ---- Expressions ---- */

/* At a place of its own: (count, n). */
static int plan_expression(counter *c, node *n, int place)
{
    int outer = c->row;
    if (n == NULL) {
        return INLAY_OK;
    }
    if (n->from == n->to) {
        cannot_place(c, n);
    }
    c->row = place;
    insert(c->plan, n->from, "(inlay_count_[%d]++, ", number(c, place));
    int status = count_node(c, n);
    insert(c->plan, n->to, ")");
    c->row = outer;
    return status;
}

static int plan_logic(counter *c, node *n)
{
    int status = count_node(c, n->child[0]);
    if (status != INLAY_OK || n->child[1] == NULL) {
        return status;
    }
    return works(c, n->child[1]) ? plan_expression(c, n->child[1], new_place(c)) : count_node(c, n->child[1]);
}

/* The condition counts how often each way is gone; a place of -1 is not wanted. */
static int plan_condition(counter *c, node *n, const int place[2])
{
    if (n == NULL) {
        return INLAY_OK;
    }
    if (n->from == n->to) {
        cannot_place(c, n);
    }
    insert(c->plan, n->from, "((");
    int status = count_node(c, n);
    insert(c->plan, n->to, ") ?");
    for (int i = 0; i < 2; i++) {
        if (place[i] >= 0) {
            insert(c->plan, n->to, " (inlay_count_[%d]++, %d)", number(c, place[i]), 1 - i);
        } else {
            insert(c->plan, n->to, " %d", 1 - i);
        }
        insert(c->plan, n->to, i == 0 ? " :" : ")");
    }
    return status;
}

/* `a ?: b`, whose second part is read as the whole. */
static bool lacks_middle(const node *n)
{
    return n->kind == NODE_CHOICE && n->child[1] != NULL && n->child[1]->kind == NODE_OTHER &&
           n->child[1]->children == 0 && n->child[1]->from == n->from && n->child[1]->to == n->to;
}

/* What is declared in a condition is none of C. */
static int plan_ways(counter *c, node *n)
{
    node *way[2] = {n->child[1], n->children > 2 ? n->child[2] : NULL};
    int place[2] = {-1, -1}, outer = c->row, status;
    if (lacks_middle(n) || n->child[0] == NULL) {
        status = count_node(c, n->child[0]);
        return status == INLAY_OK && works(c, way[1]) ? plan_expression(c, way[1], new_place(c)) : status;
    }
    for (int i = 0; i < 2; i++) {
        place[i] = works(c, way[i]) ? new_place(c) : -1;
    }
    bool wanted = place[0] >= 0 || place[1] >= 0;
    status = wanted ? plan_condition(c, n->child[0], place) : count_node(c, n->child[0]);
    for (int i = 0; i < 2 && status == INLAY_OK; i++) {
        c->row = place[i] >= 0 ? place[i] : outer;
        status = count_node(c, way[i]);
    }
    c->row = outer;
    return status;
}

/* ---- Loops and switches ---- */

/* Condition or step: of both only calls count. */
static int plan_control(counter *c, node *n)
{
    int status = INLAY_OK;
    c->control++;
    if (n != NULL && works(c, n)) {
        status = plan_expression(c, n, new_place(c));
    } else if (n != NULL) {
        status = count_node(c, n);
    }
    c->control--;
    return status;
}

static int plan_loop(counter *c, node *loop)
{
    plan *p = c->plan;
    int row = p->row, status = INLAY_OK;
    bool counts = loop->kind == NODE_FOR;
    c->control++;
    status = counts ? count_node(c, loop->child[0]) : INLAY_OK;
    c->control--;
    p->row = loop->row >= 0 ? loop->row : row;
    int place = new_place(c);
    p->times[p->row] = place;
    if (status == INLAY_OK && loop->kind != NODE_DO) {
        status = plan_control(c, loop->child[1]);
    }
    status = status == INLAY_OK && counts ? plan_control(c, loop->child[2]) : status;
    status = status == INLAY_OK ? plan_statement(c, loop->child[counts ? 3 : 0], place) : status;
    if (status == INLAY_OK && loop->kind == NODE_DO) {
        status = plan_control(c, loop->child[1]);
    }
    p->row = row;
    return status;
}

/* Nobody comes to what stands before its first label. */
static int plan_switch(counter *c, node *n)
{
    int outer = c->row;
    int status = count_node(c, n->child[0]);
    c->row = 0;
    status = status == INLAY_OK && n->children > 1 ? count_node(c, n->child[1]) : status;
    c->row = outer;
    return status;
}

/* ---- Calls ---- */

static int plan_call(counter *c, node *call)
{
    int control = c->control;
    c->control = 0;
    int status = count_call(c, call);
    c->control = control;
    return status;
}

int plan_unknown_call(counter *c, const node *call)
{
    plan *p = c->plan;
    if (call->name != NULL) {
        note(c, (happening){HAPPENS_CALL, c->row, call->line, NULL, call->name, call->system});
    } else if (call->callee_from == call->callee_to) {
        cannot_place(c, call);
    } else {
        int place = new_place(c);
        insert(p, call->callee_from, "(__extension__({ __auto_type inlay_called_ = (");
        insert(p, call->callee_to, "); inlay_pointer_((void (*)(void))inlay_called_, %d); inlay_called_; }))",
               number(c, place));
        note(c, (happening){HAPPENS_POINTER, place, call->line, NULL, NULL, false});
    }
    return INLAY_OK;
}

/* ---- All kinds ---- */

bool plan_takes(const node *n)
{
    return (n->kind >= NODE_BLOCK && n->kind != NODE_DECLARATION) || n->kind == NODE_CHOICE || n->kind == NODE_CALL ||
           n->kind == NODE_STRANGE || (n->kind == NODE_BINARY && (n->operation == OP_AND || n->operation == OP_OR));
}

int plan_node(counter *c, node *n)
{
    switch (n->kind) {
    case NODE_BLOCK: return n->known ? plan_label(c, n) : plan_block(c, n);
    case NODE_CASE: return plan_label(c, n);
    case NODE_IF:
    case NODE_CHOICE: return plan_ways(c, n);
    case NODE_BINARY: return plan_logic(c, n);
    case NODE_FOR:
    case NODE_WHILE:
    case NODE_DO: return plan_loop(c, n);
    case NODE_SWITCH: return plan_switch(c, n);
    case NODE_CALL: return plan_call(c, n);
    case NODE_STRANGE: note(c, (happening){HAPPENS_STRANGE, c->row, n->line, NULL, n->name, false}); return INLAY_OK;
    default: return count_children(c, n);
    }
}

static int plan_function(counter *c, int number_of)
{
    plan *p = c->plan;
    const c_function *f = &p->program->function[number_of];
    p->row = f->row;
    p->function = number_of;
    c->row = new_place(c);
    p->times[f->row] = c->row;
    if (f->body == NULL || !is_compound(p, f->body)) {
        note(c, (happening){HAPPENS_STRANGE, c->row, f->line, NULL, "a function of this form", false});
        return INLAY_OK;
    }
    insert(p, f->body->from + 1, " inlay_count_[%d]++;", number(c, c->row));
    return count_node(c, f->body);
}

int plan_functions(counter *c, plan *p)
{
    p->times = calloc((size_t)p->program->rows + 1, sizeof *p->times);
    c->plan = p;
    c->weight = 1;
    int status = p->times == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    (void)new_place(c);
    for (int i = 0; i < p->program->functions && status == INLAY_OK; i++) {
        status = plan_function(c, i);
    }
    return status == INLAY_OK && p->no_memory ? INLAY_NO_MEMORY : status;
}

/* NOLINTEND(misc-no-recursion) */

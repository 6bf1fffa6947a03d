/* In which order a variable is assigned and used. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/whole.h"
#include <string.h>

static bool is_member_of(const flow *f, const node *n)
{
    const node *base = n->kind == NODE_MEMBER && n->children > 0 ? whole_bare(n->child[0]) : NULL;
    return base != NULL && base->kind == NODE_VARIABLE && base->variable == f->variable && n->name != NULL;
}

/* Whether it is the variable or its member, or the first thing that the pointer points to. */
static bool is_target(const flow *f, const node *n)
{
    n = whole_bare(n);
    if (n == NULL) {
        return false;
    }
    if (f->member != NULL && is_member_of(f, n)) {
        return strcmp(n->name, f->member) == 0;
    }
    if (!f->behind) {
        return n->kind == NODE_VARIABLE && n->variable == f->variable;
    }
    bool content = n->kind == NODE_UNARY && n->operation == OP_CONTENT;
    return (content || n->kind == NODE_INDEX) && node_variable(n->child[0]) == f->variable;
}

/* Whether an argument hands the target's address on. */
static bool hands_on(const flow *f, const node *n)
{
    n = whole_bare(n);
    if (n == NULL) {
        return false;
    }
    if (f->behind || f->w->p->variable[f->variable].array) {
        return n->kind == NODE_VARIABLE && n->variable == f->variable;
    }
    return n->kind == NODE_UNARY && n->operation == OP_ADDRESS && node_variable(n->child[0]) == f->variable;
}

static void through_call(flow *f, const node *n)
{
    for (int i = 0; i < n->children; i++) {
        if (!hands_on(f, n->child[i])) {
            flow_through(f, n->child[i]);
        }
    }
    call_kind kind = call_of(f->w, n);
    for (int i = 0; i < n->children; i++) {
        if (!hands_on(f, n->child[i])) {
            continue;
        }
        if (n->function >= 0 && f->nest < 16) {
            const c_function *g = &f->w->p->function[n->function];
            flow inner = {
                .w = f->w, .variable = i < g->parameters ? g->parameter[i] : -1, .behind = true, .nest = f->nest + 4};
            flow_through(&inner, inner.variable >= 0 ? g->body : NULL);
            f->used = f->used || (inner.used && !f->assigned);
            f->assigned = f->assigned || inner.assigned;
        } else if (((kind == CALL_COPY || kind == CALL_SET) && i == 0) || kind == CALL_RESULTS) {
            f->assigned = true;
        } else {
            f->used = f->used || !f->assigned;
        }
    }
}

/* A branch that may not be gone through. */
static void through_branch(flow *f, const node *n)
{
    bool before = f->assigned;
    flow_through(f, n);
    f->assigned = before;
}

static bool ends(const node *n)
{
    if (n == NULL) {
        return false;
    }
    if (n->kind == NODE_BLOCK && n->children > 0) {
        return ends(n->child[n->children - 1]);
    }
    return n->kind == NODE_CONTINUE || n->kind == NODE_RETURN || n->kind == NODE_BREAK || n->kind == NODE_GOTO;
}

static void through_if(flow *f, const node *n)
{
    flow_through(f, n->child[0]);
    bool before = f->assigned;
    flow_through(f, n->child[1]);
    bool then = f->assigned || ends(n->child[1]);
    f->assigned = before;
    flow_through(f, n->children == 3 ? n->child[2] : NULL);
    bool other = f->assigned || (n->children == 3 && ends(n->child[2]));
    f->assigned = then && other;
}

bool loop_range(const node *n, int variable, int64_t range[2])
{
    const node *start = n->kind == NODE_FOR ? n->child[0] : NULL;
    const node *test = n->kind == NODE_FOR ? whole_bare(n->child[1]) : NULL;
    while (start != NULL && start->kind == NODE_BLOCK && start->children == 1) {
        start = start->child[0];
    }
    const node *value = start == NULL                     ? NULL
                        : start->kind == NODE_DECLARATION ? (start->children > 0 ? start->child[0] : NULL)
                        : start->kind == NODE_ASSIGN      ? start->child[1]
                                                          : NULL;
    int over = value == NULL ? -1 : start->kind == NODE_DECLARATION ? start->variable : node_variable(start->child[0]);
    value = whole_bare(value);
    const node *end = test != NULL && test->kind == NODE_BINARY ? whole_bare(test->child[1]) : NULL;
    const node *step = n->kind == NODE_FOR ? whole_bare(n->child[2]) : NULL;
    if (value == NULL || end == NULL || value->kind != NODE_CONSTANT || end->kind != NODE_CONSTANT || !value->known ||
        !end->known || over < 0 || (variable >= 0 && over != variable) || node_variable(test->child[0]) != over ||
        (test->operation != OP_LESS && test->operation != OP_LESS_EQUAL && test->operation != OP_UNEQUAL) ||
        step == NULL || step->kind != NODE_STEP || step->operation != OP_ADD || node_variable(step->child[0]) != over) {
        return false;
    }
    range[0] = value->value;
    range[1] = end->value - (test->operation != OP_LESS_EQUAL);
    return range[0] <= range[1];
}

static bool runs(const node *n)
{
    int64_t range[2];
    return loop_range(n, -1, range);
}

static void through_loop(flow *f, const node *n)
{
    f->nest++;
    if (n->kind == NODE_FOR) {
        flow_through(f, n->child[0]);
        flow_through(f, n->child[1]);
        bool before = f->assigned;
        flow_through(f, n->child[3]);
        flow_through(f, n->child[2]);
        f->assigned = before || (f->assigned && runs(n));
    } else if (n->kind == NODE_WHILE) {
        flow_through(f, n->child[1]);
        through_branch(f, n->child[0]);
    } else {
        flow_through(f, n->child[0]);
        flow_through(f, n->child[1]);
    }
    f->nest--;
}

static void through_assignment(flow *f, const node *n)
{
    bool target = is_target(f, n->child[0]);
    const node *left = whole_bare(n->child[0]);
    bool element = !f->behind && !target && left != NULL && is_lvalue(left) && lvalue_variable(left) == f->variable;
    if (n->kind == NODE_ASSIGN) {
        flow_through(f, n->child[1]);
    }
    bool reads = n->kind == NODE_STEP || n->operation != OP_NONE, inside = element || (f->behind && target);
    if (reads || (!inside && !target)) {
        flow_through(f, n->child[0]);
    } else if (inside) {
        for (int i = 1; left != NULL && i < left->children; i++) {
            flow_through(f, left->child[i]);
        }
    }
    f->assigned = f->assigned || target || (element && !f->entire);
}

void flow_through(flow *f, const node *n)
{
    if (n == NULL || n == f->skip) {
        return;
    }
    switch (n->kind) {
    case NODE_VARIABLE: f->used = f->used || (n->variable == f->variable && !f->behind && !f->assigned); return;
    case NODE_ASSIGN:
    case NODE_STEP: through_assignment(f, n); return;
    case NODE_IF: through_if(f, n); return;
    case NODE_FOR:
    case NODE_WHILE:
    case NODE_DO: through_loop(f, n); return;
    case NODE_CALL: through_call(f, n); return;
    case NODE_CONTINUE: f->open_end = f->open_end || (f->nest == 0 && !f->assigned); return;
    case NODE_RETURN: flow_through(f, n->children > 0 ? n->child[0] : NULL); return;
    case NODE_SWITCH:
        flow_through(f, n->child[0]);
        through_branch(f, n->child[n->children - 1]);
        return;
    case NODE_CASE: through_branch(f, n->children > 0 ? n->child[0] : NULL); return;
    case NODE_CHOICE:
        flow_through(f, n->child[0]);
        for (int i = 1; i < n->children; i++) {
            through_branch(f, n->child[i]);
        }
        return;
    case NODE_BINARY:
        flow_through(f, n->child[0]);
        if (n->operation == OP_AND || n->operation == OP_OR) {
            through_branch(f, n->child[1]);
        } else {
            flow_through(f, n->child[1]);
        }
        return;
    case NODE_DECLARATION:
        flow_through(f, n->children > 0 ? n->child[0] : NULL);
        f->assigned = f->assigned || (n->variable == f->variable && n->children > 0);
        return;
    case NODE_MEMBER:
        if (f->member != NULL && is_member_of(f, n)) {
            f->used = f->used || (!f->assigned && strcmp(n->name, f->member) == 0);
            return;
        }
        break;
    default: break;
    }
    if (f->behind && is_lvalue(n) && is_target(f, n)) {
        f->used = f->used || !f->assigned;
    }
    for (int i = 0; i < n->children; i++) {
        flow_through(f, n->child[i]);
    }
}

/* What comes behind the loop in a statement that holds it; true where it was met. */
static bool follow(flow *f, const node *n, const node *loop)
{
    if (n == NULL || n == loop || !node_contains(n, loop)) {
        return n == loop;
    }
    for (int i = 0; i < n->children; i++) {
        if (!node_contains(n->child[i], loop)) {
            continue;
        }
        (void)follow(f, n->child[i], loop);
        if (n->kind == NODE_BLOCK || n->kind == NODE_SWITCH) {
            for (int k = i + 1; k < n->children; k++) {
                flow_through(f, n->child[k]);
            }
        } else if (node_is_loop(n)) {
            f->skip = loop;
            bool before = f->assigned;
            flow_through(f, n->kind == NODE_FOR ? n->child[2] : NULL);
            flow_through(f, n->child[1]);
            flow_through(f, n->kind == NODE_FOR ? n->child[3] : n->child[0]);
            f->skip = NULL;
            f->assigned = before;
        }
        break;
    }
    return true;
}

bool is_live_behind(const whole *w, const unit *u, int variable)
{
    const c_variable *v = &w->p->variable[variable];
    if (v->outside || w->leaks[variable]) {
        return true;
    }
    flow f = {.w = w, .variable = variable};
    (void)follow(&f, w->p->function[u->function].body, u->loop);
    return f.used;
}

/* NOLINTEND(misc-no-recursion) */

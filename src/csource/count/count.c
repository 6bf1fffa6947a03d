/*
 * The walk through a function's statements and expressions.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows; functions that call themselves are refused.
 */
#include "csource/count/count.h"
#include "csource/count/plan.h"
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>

/* ---- Variables ---- */

static void set_variable(counter *c, int variable, value v)
{
    if (variable < 0) {
        return;
    }
    const c_variable *of = c->program->variable;
    bool counts = v.base == 0 || (!of[variable].outside && of[variable].pointee == of[v.base - 1].pointee);
    c->state[variable] = counts ? convert(v, of[variable].type) : (value){0};
}

void forget_outside(counter *c)
{
    for (int i = 0; i < c->program->variables; i++) {
        if (c->program->variable[i].outside) {
            c->state[i] = (value){0};
        }
    }
}

static bool is_function(const node *n, const void *with)
{
    (void)with;
    return n->kind == NODE_OTHER && n->children == 0;
}

bool call_may_assign(const node *call)
{
    bool functions = !call->system || call->name == NULL;
    for (int i = 0; i < call->children && !functions; i++) {
        functions = node_find(call->child[i], is_function, NULL) != NULL;
    }
    return functions;
}

void forget_assigned(counter *c, const node *n)
{
    if (n == NULL) {
        return;
    }
    int variable = -1;
    if (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) {
        variable = node_variable(n->child[0]);
    } else if (n->kind == NODE_DECLARATION) {
        variable = n->variable;
    } else if (n->kind == NODE_CALL && call_may_assign(n)) {
        forget_outside(c);
    }
    if (variable >= 0) {
        c->state[variable] = (value){0};
    }
    for (int i = 0; i < n->children; i++) {
        forget_assigned(c, n->child[i]);
    }
}

/* ---- Expressions ---- */

int count_children(counter *c, node *n)
{
    int status = INLAY_OK;
    for (int i = 0; i < n->children && status == INLAY_OK && c->jump == JUMP_NONE; i++) {
        status = count_node(c, n->child[i]);
    }
    return status;
}

static bool is_arithmetic(c_operator operation)
{
    return operation >= OP_ADD && operation <= OP_REMAINDER;
}

/* An operation that counts, unless it computes an index or the compiler does it. */
static int count_operation(counter *c, const node *n)
{
    bool counts = type_is_number(n->type) && c->index == 0 && !n->constant;
    return counts ? add_operations(c, n, 1, 0) : INLAY_OK;
}

/* An element of an array, what a pointer points to, or a member of one of them. */
static bool is_far(const node *n)
{
    while (n->kind == NODE_MEMBER && n->children > 0 && n->child[0]->type.kind != TYPE_POINTER) {
        n = n->child[0];
    }
    return n->kind == NODE_INDEX || (n->kind == NODE_MEMBER && n->children > 0) ||
           (n->kind == NODE_UNARY && n->operation == OP_CONTENT);
}

static bool is_element(const node *n)
{
    return type_is_number(n->type) && is_far(n);
}

/* What is changed in its place is loaded and stored: it counts once more than what is there. */
static int count_again(counter *c, const node *n)
{
    return is_element(n) ? add_bytes(c, n, n->type.size) : INLAY_OK;
}

static int count_binary(counter *c, node *n)
{
    bool address =
        is_arithmetic(n->operation) && (n->type.kind == TYPE_POINTER || n->child[0]->type.kind == TYPE_POINTER);
    if (n->operation == OP_AND || n->operation == OP_OR) {
        int status = count_node(c, n->child[0]);
        value left = evaluate(c, n->child[0]);
        if (left.kind == VALUE_KNOWN) {
            left.number = (left.number != 0) == (n->operation == OP_AND);
        }
        return status != INLAY_OK
                   ? status
                   : count_larger(c, n, n->child[1], NULL, left, "the second condition counts as always asked for");
    }
    c->index += address;
    int status = count_children(c, n);
    c->index -= address;
    if (status == INLAY_OK && is_arithmetic(n->operation) && !address) {
        status = count_operation(c, n);
    }
    return status;
}

static int count_assignment(counter *c, node *n)
{
    bool address = n->type.kind == TYPE_POINTER && n->operation != OP_NONE;
    int variable = node_variable(n->child[0]);
    c->index += address;
    int status = count_children(c, n);
    c->index -= address;
    if (status == INLAY_OK && is_arithmetic(n->operation)) {
        status = count_operation(c, n);
    }
    if (status == INLAY_OK && n->operation != OP_NONE) {
        status = count_again(c, n->child[0]);
    }
    if (status == INLAY_OK && variable >= 0) {
        value right = evaluate_address(c, n->child[1]);
        set_variable(c, variable,
                     n->operation == OP_NONE ? right
                                             : operate(n->operation, n->type, evaluate_address(c, n->child[0]), right));
    }
    return status;
}

/* ++ and --: of whole numbers they count things, and are not counted. */
static int count_step(counter *c, node *n)
{
    int status = count_children(c, n);
    int variable = node_variable(n->child[0]);
    if (status == INLAY_OK && n->type.kind == TYPE_REAL) {
        status = count_operation(c, n);
    }
    status = status == INLAY_OK ? count_again(c, n->child[0]) : status;
    if (status == INLAY_OK && variable >= 0) {
        set_variable(c, variable, operate(n->operation, n->type, evaluate_address(c, n->child[0]), known_value(1)));
    }
    return status;
}

static int count_index(counter *c, node *n)
{
    int pointer = n->child[0]->type.kind == TYPE_POINTER ? 0 : 1;
    int status = count_node(c, n->child[pointer]);
    c->index++;
    status = status == INLAY_OK ? count_node(c, n->child[1 - pointer]) : status;
    c->index--;
    return status == INLAY_OK && is_element(n) ? add_bytes(c, n, n->type.size) : status;
}

static int count_member(counter *c, node *n)
{
    int status = count_children(c, n);
    return status == INLAY_OK && is_element(n) ? add_bytes(c, n, n->type.size) : status;
}

static int count_unary(counter *c, node *n)
{
    int status = count_children(c, n);
    if (status == INLAY_OK && is_element(n)) {
        status = add_bytes(c, n, n->type.size);
    }
    if (status == INLAY_OK && n->operation == OP_ADDRESS && is_element(n->child[0])) {
        status = add_bytes(c, n, -(int64_t)n->child[0]->type.size); /* where it is, and not what */
    }
    return status == INLAY_OK && n->operation == OP_MINUS ? count_operation(c, n) : status;
}

/* ---- Two ways ---- */

/* Everything that counting changes and that one way must not leave to the other. */
typedef struct standing {
    tally *tally;
    value *state;
} standing;

static void standing_clear(standing *s)
{
    free(s->tally);
    free(s->state);
}

static int standing_take(const counter *c, standing *s)
{
    size_t tallies = (size_t)c->program->rows * sizeof *s->tally;
    size_t states = ((size_t)c->program->variables + 1) * sizeof *s->state;
    *s = (standing){malloc(tallies), malloc(states)};
    if (s->tally == NULL || s->state == NULL) {
        standing_clear(s);
        return INLAY_NO_MEMORY;
    }
    memcpy(s->tally, c->tally, tallies);
    memcpy(s->state, c->state, states);
    return INLAY_OK;
}

static void standing_swap(counter *c, standing *s)
{
    standing other = {c->tally, c->state};
    c->tally = s->tally;
    c->state = s->state;
    *s = other;
}

/* What decides which way is the larger. */
static double operations_of(const counter *c, const tally *t)
{
    const double weight = 10; /* of a function, in arithmetic operations */
    double sum = 0;
    for (int i = 0; i < c->program->rows; i++) {
        sum += (double)t[i].arithmetic + weight * (double)t[i].functions;
    }
    return sum;
}

static bool same_operations(const counter *c, const tally *a, const tally *b)
{
    bool same = true;
    for (int i = 0; same && i < c->program->rows; i++) {
        same = a[i].arithmetic == b[i].arithmetic && a[i].functions == b[i].functions;
    }
    return same;
}

/* What both ways leave alike is known behind them. */
static void join_states(counter *c, const value *other)
{
    for (int i = 0; i < c->program->variables; i++) {
        value *v = &c->state[i];
        if (v->kind != other[i].kind || v->number != other[i].number || v->level != other[i].level ||
            v->base != other[i].base) {
            *v = (value){0};
        }
    }
}

/* The counter stands behind the other way, `one` behind the first: the larger stays. */
static int settle(counter *c, node *at, standing *one, value which, const char *text)
{
    int status = INLAY_OK;
    join_states(c, one->state);
    if (!same_operations(c, c->tally, one->tally)) {
        status = which.kind == VALUE_SYMBOL ? which.level : note_limit(c, at, text);
        if (operations_of(c, one->tally) >= operations_of(c, c->tally)) {
            tally *kept = one->tally;
            one->tally = c->tally;
            c->tally = kept;
        }
    }
    return status;
}

static bool is_work(const node *n, const void *with)
{
    (void)with;
    return node_is_loop(n) || n->kind == NODE_CALL || (n->kind >= NODE_BREAK && n->kind <= NODE_GOTO);
}

/* Of what may be passed over no jump is taken: by -1 it is over. */
static void doubt_jumps(counter *c, int by)
{
    for (jump j = JUMP_BREAK; j < JUMPS; j++) {
        c->doubt[j] += by;
    }
}

int count_larger(counter *c, node *at, node *one, node *other, value which, const char *text)
{
    standing first;
    if (which.kind == VALUE_KNOWN) {
        return count_node(c, which.number != 0 ? one : other);
    }
    /* A way that is never taken must not be asked how long its loops are, and where its jumps lead. */
    if (which.kind == VALUE_SYMBOL &&
        (node_find(one, is_work, NULL) != NULL || node_find(other, is_work, NULL) != NULL)) {
        return which.level;
    }
    if (standing_take(c, &first) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    doubt_jumps(c, 1);
    int status = count_node(c, one);
    standing_swap(c, &first); /* back to the start; `first` is behind the first way */
    status = status == INLAY_OK ? count_node(c, other) : status;
    doubt_jumps(c, -1);
    status = status == INLAY_OK ? settle(c, at, &first, which, text) : status;
    standing_clear(&first);
    return status;
}

static int count_choice(counter *c, node *n)
{
    int status = count_node(c, n->child[0]);
    node *other = n->children > 2 ? n->child[2] : NULL;
    if (status != INLAY_OK) {
        return status;
    }
    return count_larger(c, n, n->child[1], other, evaluate(c, n->child[0]),
                        n->kind == NODE_IF ? "the larger branch is counted" : "the larger value of ?: is counted");
}

/* ---- Switch ---- */

static bool ends_case(const node *n)
{
    if (n == NULL || n->children == 0) {
        return n != NULL && n->kind >= NODE_BREAK;
    }
    return n->kind == NODE_RETURN ||
           ((n->kind == NODE_BLOCK || n->kind == NODE_CASE) && ends_case(n->child[n->children - 1]));
}

static bool has_inner_case(const node *n)
{
    bool has = n != NULL && n->kind == NODE_CASE;
    for (int i = 0; n != NULL && !has && n->kind != NODE_SWITCH && i < n->children; i++) {
        has = has_inner_case(n->child[i]);
    }
    return has;
}

/* From one label to the end of its case. */
static int count_case(counter *c, const node *body, int from)
{
    int status = INLAY_OK;
    for (int i = from; i < body->children && status == INLAY_OK && c->jump == JUMP_NONE; i++) {
        status = count_node(c, body->child[i]);
        if (ends_case(body->child[i])) {
            break;
        }
    }
    jump_ends(c, JUMP_BREAK);
    return status;
}

static bool has_default(const node *n)
{
    while (n != NULL && n->kind == NODE_CASE && !n->known) {
        n = n->children > 0 ? n->child[0] : NULL;
    }
    return n != NULL && n->kind == NODE_CASE;
}

static void standing_copy(const counter *c, const standing *from, const standing *to)
{
    memcpy(to->tally, from->tally, (size_t)c->program->rows * sizeof *to->tally);
    memcpy(to->state, from->state, (size_t)c->program->variables * sizeof *to->state);
}

/*
 * All cases, each from the same start; the largest stays.
 * @param best  as at the start
 */
static int count_cases(counter *c, node *at, const node *body, const standing *start, standing *best)
{
    bool any = true; /* the best so far is a way that the switch can go: past it, where it has no default */
    for (int i = 0; i < body->children; i++) {
        any = any && !has_default(body->child[i]);
    }
    for (int i = 0; i < body->children; i++) {
        if (body->child[i] == NULL || body->child[i]->kind != NODE_CASE) {
            continue;
        }
        const standing now = {c->tally, c->state};
        standing_copy(c, start, &now);
        int status = count_case(c, body, i);
        if (status == INLAY_OK && any) {
            status = settle(c, at, best, (value){0}, "the largest case is counted");
        }
        if (status != INLAY_OK) {
            return status;
        }
        const standing larger = {c->tally, c->state};
        standing_copy(c, &larger, best);
        any = true;
    }
    return INLAY_OK;
}

static int count_body_of_switch(counter *c, node *n, const node *body)
{
    standing start, best;
    if (standing_take(c, &start) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    int status = standing_take(c, &best);
    if (status == INLAY_OK) {
        status = count_cases(c, n, body, &start, &best);
        standing_clear(&best);
    }
    standing_clear(&start);
    return status;
}

/* Where a switch of this value goes: a child of its body, or behind the last; -1: a label's value is not known. */
static int find_case(const node *body, int64_t number)
{
    int otherwise = body->children, found = -1;
    for (int i = 0; i < body->children; i++) {
        for (const node *n = body->child[i]; n != NULL && n->kind == NODE_CASE;
             n = n->children > 0 ? n->child[0] : NULL) {
            if (!n->known && !n->valued) {
                return -1;
            }
            bool here = n->valued && n->value <= number && number <= n->last;
            found = here && found < 0 ? i : found;
            otherwise = n->known ? i : otherwise;
        }
    }
    return found >= 0 ? found : otherwise;
}

/* From the label on, through what follows, up to a jump. */
static int count_from(counter *c, const node *body, int from)
{
    int status = INLAY_OK;
    for (int i = from; i < body->children && status == INLAY_OK && c->jump == JUMP_NONE; i++) {
        status = count_node(c, body->child[i]);
    }
    jump_ends(c, JUMP_BREAK);
    return status;
}

/* Breaks are those of the switch. */
static int count_ways(counter *c, node *n, const node *body)
{
    value which = evaluate(c, n->child[0]);
    int from = which.kind == VALUE_KNOWN ? find_case(body, which.number) : -1;
    int doubt[JUMPS];
    if (which.kind == VALUE_SYMBOL) {
        return which.level;
    }
    memcpy(doubt, c->doubt, sizeof doubt);
    doubt_jumps(c, from < 0);
    c->doubt[JUMP_BREAK] = 0;
    int status = from < 0 ? count_body_of_switch(c, n, body) : count_from(c, body, from);
    memcpy(c->doubt, doubt, sizeof doubt);
    return status;
}

int count_switch(counter *c, node *n)
{
    node *body = n->children == 2 ? n->child[1] : NULL;
    bool plain = body != NULL && body->kind == NODE_BLOCK;
    for (int i = 0; plain && i < body->children; i++) {
        const node *part = body->child[i];
        while (part != NULL && part->kind == NODE_CASE) {
            part = part->children > 0 ? part->child[0] : NULL;
        }
        plain = !has_inner_case(part);
    }
    if (!plain) {
        return note_problem(c, n,
                            "where the cases of this switch begin is not known; expected them in its outer block");
    }
    int status = count_node(c, n->child[0]);
    status = status == INLAY_OK ? count_ways(c, n, body) : status;
    forget_assigned(c, body);
    return status;
}

/* ---- Statements ---- */

static int count_declaration(counter *c, node *n)
{
    int status = count_children(c, n);
    if (status == INLAY_OK && n->variable >= 0) {
        value v = n->children > 0 ? evaluate_address(c, n->child[0]) : (value){0};
        set_variable(c, n->variable, v);
    }
    return status;
}

void jump_ends(counter *c, jump j)
{
    c->jump = c->jump == j ? JUMP_NONE : c->jump;
}

/* A jump is taken where it is known that it is come to. */
static int count_jump(counter *c, node *n)
{
    static const struct {
        node_kind kind;
        jump jump;
        const char *doubtful;
    } jumps[] = {
        {NODE_BREAK, JUMP_BREAK, "the break is not taken: the loop counts in full"},
        {NODE_CONTINUE, JUMP_CONTINUE, "the continue is not taken: what follows is counted"},
        {NODE_RETURN, JUMP_RETURN, "the return is not taken: what follows is counted"},
    };
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        if (jumps[i].kind == n->kind && c->doubt[jumps[i].jump] == 0) {
            c->jump = jumps[i].jump;
            return INLAY_OK;
        }
        if (jumps[i].kind == n->kind) {
            bool of_switch = n->kind == NODE_BREAK && n->known;
            c->left_open = c->left_open || !of_switch;
            return n->kind == NODE_RETURN && n->known
                       ? INLAY_OK
                       : note_limit(c, n,
                                    of_switch ? "the break is not taken: the case counts in full" : jumps[i].doubtful);
        }
    }
    c->left_open = true;
    return n->known ? note_problem(c, n, "how often this goto is taken is not known; expected a loop in its place")
                    : note_limit(c, n, "the goto is not taken: what follows is counted");
}

int count_node(counter *c, node *n)
{
    if (n == NULL) {
        return INLAY_OK;
    }
    if (c->plan != NULL && plan_takes(n)) {
        return plan_node(c, n);
    }
    int status = INLAY_OK;
    switch (n->kind) {
    case NODE_CONSTANT:
    case NODE_VARIABLE: return INLAY_OK;
    case NODE_BINARY: return count_binary(c, n);
    case NODE_UNARY: return count_unary(c, n);
    case NODE_STEP: return count_step(c, n);
    case NODE_ASSIGN: return count_assignment(c, n);
    case NODE_INDEX: return count_index(c, n);
    case NODE_CALL: return count_call(c, n);
    case NODE_MEMBER: return count_member(c, n);
    case NODE_CHOICE:
    case NODE_IF: return count_choice(c, n);
    case NODE_STRANGE: return note_problem(c, n, "%s is not counted; expected plain C in its place", n->name);
    case NODE_FOR:
    case NODE_WHILE:
    case NODE_DO: return count_loop(c, n);
    case NODE_SWITCH: return count_switch(c, n);
    case NODE_DECLARATION: return count_declaration(c, n);
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_RETURN:
    case NODE_GOTO: status = count_children(c, n); return status == INLAY_OK ? count_jump(c, n) : status;
    default: return count_children(c, n);
    }
}

/* NOLINTEND(misc-no-recursion) */

/*
 * Conditions that make sure of an index. Those on data are left out of inspectors, and both branches told; but what an
 * index is where its condition does not hold is nobody's promise. NOLINTBEGIN(misc-no-recursion): as deep as trees are.
 */
#include "csource/whole/whole.h"

typedef struct search {
    const unit *u;
    const node *part;  /* what is looked for: a variable, or an element */
    const node *apart; /* whose branches it is not looked for in */
    bool firm;         /* what may be left out of a condition does not count */
} search;

/* Whether an index that hangs on the part stands elsewhere in a tree. */
static bool indexes(const search *s, const node *n, bool inside)
{
    search firm = *s;
    firm.firm = true;
    if (n == NULL || (n == s->apart && n->kind != NODE_IF)) {
        return false;
    }
    if (n == s->apart || (n->kind == NODE_IF && node_contains(n->child[0], s->apart))) {
        return indexes(&firm, n->child[0], inside);
    }
    if (inside && (s->part->kind == NODE_VARIABLE ? n->kind == NODE_VARIABLE && n->variable == s->part->variable
                                                  : nodes_same(n, s->part))) {
        return true;
    }
    bool two = n->kind == NODE_CHOICE || n->operation == OP_AND || n->operation == OP_OR;
    for (int i = 0; i < (two && s->firm ? 1 : n->children); i++) {
        if (indexes(s, n->child[i], inside || (n->kind == NODE_INDEX && i == 1))) return true;
    }
    return false;
}

static bool reads_memory(const search *s, const node *n, int depth);

/* Whether a variable is given what was read from memory. */
static bool is_read(const search *s, const node *n, int variable, int depth)
{
    if (n == NULL || depth > 4) {
        return n != NULL;
    }
    bool sets = (n->kind == NODE_ASSIGN && node_variable(n->child[0]) == variable) ||
                (n->kind == NODE_DECLARATION && n->variable == variable && n->children > 0);
    if (sets && reads_memory(s, n->child[n->children - 1], depth)) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (is_read(s, n->child[i], variable, depth)) return true;
    }
    return false;
}

static bool reads_memory(const search *s, const node *n, int depth)
{
    if (n == NULL || (n->kind == NODE_UNARY && n->operation == OP_ADDRESS)) {
        return false;
    }
    if (n->kind == NODE_CALL || (is_lvalue(n) && !n->array)) {
        return true;
    }
    if (n->kind == NODE_VARIABLE && n->variable >= 0 && s->u->inside[n->variable]) {
        return is_read(s, s->u->body, n->variable, depth + 1);
    }
    for (int i = 0; i < n->children; i++) {
        if (reads_memory(s, n->child[i], depth)) return true;
    }
    return false;
}

/* Whether an index is all that is known of where something lies, and the condition alone says that it is one. */
static bool risks(const search *s, const node *other, const node *n, bool inside)
{
    if (n == NULL) {
        return false;
    }
    if (inside && (n->kind == NODE_VARIABLE || (is_lvalue(n) && !n->array)) && reads_memory(s, n, 0)) {
        search here = *s;
        here.part = n;
        if (!indexes(&here, s->u->body, false) && !indexes(&here, other, false)) {
            return true;
        }
    }
    for (int i = 0; i < n->children; i++) {
        if (risks(s, other, n->child[i], inside || (n->kind == NODE_INDEX && i == 1))) return true;
    }
    return false;
}

bool guards_index(const unit *u, const node *n)
{
    search s = {.u = u, .apart = n};
    const node *first = n->children > 1 ? n->child[1] : NULL, *second = n->children > 2 ? n->child[2] : NULL;
    return !node_is_loop(n) && (risks(&s, second, first, false) || risks(&s, first, second, false));
}

/* NOLINTEND(misc-no-recursion) */

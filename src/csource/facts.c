/*
 * What trees tell about variables, calls and jumps, each looked up once.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows.
 */
#include "csource/tree.h"

int node_variable(const node *n)
{
    while (n != NULL && n->kind == NODE_CAST && n->children > 0) {
        n = n->child[n->children - 1];
    }
    return n != NULL && n->kind == NODE_VARIABLE ? n->variable : -1;
}

static void note_variable(program *p, const node *n)
{
    int variable = n->children > 0 ? node_variable(n->child[0]) : -1;
    if (variable < 0) {
        return;
    }
    if (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) {
        p->variable[variable].assigned = true;
    } else if (n->kind == NODE_UNARY && n->operation == OP_ADDRESS) {
        p->variable[variable].escapes = true;
    }
}

static bool may_be_constant(const node *n)
{
    return n->kind == NODE_BINARY || n->kind == NODE_UNARY || n->kind == NODE_CAST || n->kind == NODE_CHOICE;
}

/* `in_switch`: a break leaves a switch. */
static void note_node(program *p, node *n, int function, bool in_switch)
{
    if (n == NULL) {
        return;
    }
    n->known = n->kind == NODE_BREAK ? in_switch : n->known;
    if (n->kind == NODE_SWITCH || node_is_loop(n)) {
        in_switch = n->kind == NODE_SWITCH;
    }
    bool constant = may_be_constant(n);
    for (int i = 0; i < n->children; i++) {
        note_node(p, n->child[i], function, in_switch);
        constant = constant && n->child[i] != NULL && n->child[i]->constant;
    }
    n->constant = n->kind == NODE_CONSTANT || constant;
    note_variable(p, n);
    if (n->kind == NODE_CALL && n->function >= 0 && n->function != function) {
        p->function[n->function].called = true;
    }
}

/* Marks the returns behind which nothing of the function comes. */
static void note_end(node *n)
{
    if (n == NULL) {
        return;
    }
    if (n->kind == NODE_RETURN) {
        n->known = true;
    } else if ((n->kind == NODE_BLOCK || n->kind == NODE_CASE) && n->children > 0) {
        note_end(n->child[n->children - 1]);
    } else if (n->kind == NODE_IF && n->children == 3) {
        note_end(n->child[1]);
        note_end(n->child[2]);
    } else if (n->kind == NODE_IF) {
        note_end(n->child[1]);
    }
}

void program_note_facts(program *p)
{
    for (int i = 0; i < p->functions; i++) {
        note_node(p, p->function[i].body, i, false);
        note_end(p->function[i].body);
    }
}

/* NOLINTEND(misc-no-recursion) */

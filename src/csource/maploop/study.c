/*
 * The statements of main(): loops over distributed numbers are shared out, everything else is executed by all ranks alike.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows.
 */
#include "base/plain.h"
#include "csource/count/count.h"
#include "csource/maploop/loops.h"
#include <string.h>

/* ---- Calls without effects ---- */

static bool is_impure(const node *n, const void *with)
{
    const maploop *m = with;
    if (n->kind == NODE_CALL) {
        return !call_is_pure(m, n);
    }
    if (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) {
        int variable = node_variable(n->child[0]);
        return variable < 0 || m->program.variable[variable].outside;
    }
    bool reads_changing = n->kind == NODE_VARIABLE && n->variable >= 0 && m->program.variable[n->variable].outside &&
                          m->program.variable[n->variable].assigned;
    return reads_changing || n->kind == NODE_STRANGE || n->kind == NODE_GOTO;
}

bool call_is_pure(const maploop *m, const node *call)
{
    math_counts counts;
    if (call->name == NULL) {
        return false;
    }
    if (call->function < 0) {
        return call->system && math_find(call->name, &counts);
    }
    /* A function that calls itself is asked once. */
    c_function *f = &m->program.function[call->function];
    if (f->active) {
        return true;
    }
    f->active = true;
    bool pure = f->body != NULL && node_find(f->body, is_impure, m) == NULL;
    f->active = false;
    return pure;
}

/* ---- Row starts outside of loops ---- */

static bool study_starts(maploop *m, const node *n)
{
    const node *subscript = bare(n->child[1]);
    if (subscript->kind == NODE_CONSTANT && subscript->known && subscript->value == 0) {
        return true; /* 0 on all ranks: rows are numbered anew on each */
    }
    if (subscript->variable != m->bound[SPACE_DATA]) {
        return refuse(m, n->line,
                      "'%s' is used outside of a loop over its rows; expected %s[0], or %s[%s] where it is read",
                      m->array[m->starts].name, m->array[m->starts].name, m->array[m->starts].name,
                      m->program.variable[m->bound[SPACE_DATA]].name);
    }
    const char *name = m->array[m->starts].name;
    if (n->to <= n->from || strncmp(m->text + n->from, name, strlen(name)) != 0) {
        return refuse(m, n->line, "'%s' stands in a macro; expected it in the text of the program", name);
    }
    edit_replace(m, n->from, n->to, "sum_of_ranks(%s[of_%s.own])", name,
                 m->program.variable[m->bound[SPACE_DATA]].name);
    m->sums = true;
    return true;
}

static bool is_zero_start(const maploop *m, const node *n)
{
    const node *to = bare(n->child[0]), *start = bare(n->child[1]);
    return n->operation == OP_NONE && to->kind == NODE_INDEX &&
           node_variable(to->child[0]) == m->array[m->starts].variable && bare(to->child[1])->known &&
           bare(to->child[1])->value == 0 && start->kind == NODE_CONSTANT && start->known && start->value == 0;
}

/* ---- Allocations ---- */

static bool allocate(maploop *m, const array *a)
{
    const char *size = m->program.variable[a->size].name;
    unsigned from = a->allocation->from, to = a->allocation->to;
    if (a->space == SPACE_ENTRIES) {
        if (from < m->starts_ready) {
            return refuse(m, a->allocation->line,
                          "'%s' has entries of rows, of which '%s' tells each rank how many it has; expected the "
                          "allocation behind the loop that writes it",
                          a->name, m->array[m->starts].name);
        }
        edit_replace(m, from, to, "room(%s[of_%s.own], sizeof *%s)", m->array[m->starts].name,
                     m->program.variable[m->bound[SPACE_DATA]].name, a->name);
        return true;
    }
    edit_replace(m, from, to, "room(of_%s.own%s, sizeof *%s)", size, a->one_more ? " + 1" : "", a->name);
    for (int i = 0; i < m->arrays; i++) {
        if (m->array[i].size == a->size && m->array[i].allocation->from < from) return true; /* not the first */
    }
    char indent[LONGEST_INDENT];
    indent_of(m, a->statement->from, indent);
    edit_insert(m, a->statement->from, "share_blocks(&of_%s, %s); /* the initial distribution */\n%s", size, size,
                indent);
    return true;
}

static int allocated(const maploop *m, const node *call)
{
    for (int i = 0; i < m->arrays; i++) {
        if (m->array[i].allocation == bare(call)) return i;
    }
    return -1;
}

/* ---- Expressions and statements that all ranks execute ---- */

static bool walk(maploop *m, node *n, bool in_block);

static bool is_pointer_test(const maploop *m, const node *n)
{
    bool tests = (n->kind == NODE_UNARY && n->operation == OP_NOT) ||
                 (n->kind == NODE_BINARY && (n->operation == OP_EQUAL || n->operation == OP_UNEQUAL));
    return tests && array_find(m, node_variable(n->child[0])) >= 0 && (n->children == 1 || bare(n->child[1])->constant);
}

static bool walk_variable(maploop *m, const node *n)
{
    int a = array_find(m, n->variable);
    return a < 0 || refuse(m, n->line,
                           "'%s' is distributed and used outside of a loop for (i = 0; i < %s; i++); expected no "
                           "other pointer to it, and a loop",
                           m->array[a].name, m->program.variable[m->array[a].size].name);
}

/* What is not known to be a value: it is written, or its address is taken. */
static bool changes_starts(maploop *m, const node *n)
{
    bool changes =
        n->kind == NODE_ASSIGN || n->kind == NODE_STEP || (n->kind == NODE_UNARY && n->operation == OP_ADDRESS);
    const node *to = changes && m->starts >= 0 ? bare(n->child[0]) : NULL;
    return to != NULL && to->kind == NODE_INDEX && node_variable(to->child[0]) == m->array[m->starts].variable &&
           !(n->kind == NODE_ASSIGN && is_zero_start(m, n)) &&
           !refuse(m, n->line, "'%s' is written outside of a loop over its rows; expected %s[0] = 0 alone",
                   m->array[m->starts].name, m->array[m->starts].name);
}

static bool walk_index(maploop *m, node *n)
{
    int a = array_find(m, node_variable(n->child[0]));
    if (a >= 0 && a == m->starts) {
        return study_starts(m, n);
    }
    return walk(m, n->child[0], true) && walk(m, n->child[1], true);
}

static bool changes_size(maploop *m, const node *n)
{
    int variable = n->children > 0 ? node_variable(n->child[0]) : -1;
    bool writes =
        n->kind == NODE_ASSIGN || n->kind == NODE_STEP || (n->kind == NODE_UNARY && n->operation == OP_ADDRESS);
    for (int i = 0; writes && variable >= 0 && i < m->arrays; i++) {
        if (m->array[i].size == variable && n->from > m->array[i].allocation->from) {
            return !refuse(m, n->line, "'%s' changes behind the allocation of '%s'; expected sizes that stay",
                           m->program.variable[variable].name, m->array[i].name);
        }
    }
    return false;
}

static bool walk_parts(maploop *m, node *n)
{
    bool block = n->kind == NODE_BLOCK && m->text[n->from] == '{';
    bool label = n->kind == NODE_CASE || (n->kind == NODE_BLOCK && !block);
    bool within = block || (label && m->in_block);
    for (int i = 0; i < n->children; i++) {
        if (n->child[i] != NULL && !walk(m, n->child[i], within)) return false;
    }
    return true;
}

static bool walk_loop(maploop *m, node *n, bool in_block)
{
    int variable;
    space_kind space = loop_space(m, n, &variable);
    m->mapped = m->mapped || n == m->outermost;
    if (space != SPACE_NONE && touches_arrays(m, n)) {
        m->in_block = in_block;
        return loop_study(m, n, space, variable);
    }
    /* what ends where it ends comes first */
    return walk_parts(m, n) && (n != m->outermost || n == m->loop || insert_mapping(m, in_block));
}

/* What is free before the arrays are mapped has no entries to move. */
static bool frees_array(maploop *m, const node *call)
{
    int a = call->name != NULL && strcmp(call->name, "free") == 0 ? array_find(m, node_variable(call->child[0])) : -1;
    bool written = a >= 0 && strncmp(m->text + call->from, "free", strlen("free")) == 0;
    if (written && !m->mapped) {
        edit_insert(m, call->from, "(");
        edit_insert(m, call->to, ", (void)(%s = NULL))", m->array[a].name);
    }
    return a >= 0 && (m->mapped || written);
}

static bool walk(maploop *m, node *n, bool in_block)
{
    if (changes_size(m, n) || changes_starts(m, n)) {
        return false;
    }
    m->in_block = in_block;
    switch (n->kind) {
    case NODE_FOR:
    case NODE_WHILE:
    case NODE_DO: return walk_loop(m, n, in_block);
    case NODE_VARIABLE: return walk_variable(m, n);
    case NODE_INDEX: return walk_index(m, n);
    case NODE_DECLARATION:
    case NODE_ASSIGN:
        if (n->children > 0 && allocated(m, n->child[n->children - 1]) >= 0) {
            return allocate(m, &m->array[allocated(m, n->child[n->children - 1])]);
        }
        return (n->kind == NODE_ASSIGN && m->starts >= 0 && is_zero_start(m, n)) || walk_parts(m, n);
    case NODE_CALL: return frees_array(m, n) || walk_parts(m, n);
    default: return is_pointer_test(m, n) || walk_parts(m, n);
    }
}

/* All ranks must find the same: the condition may not depend on elements of one of them. */
static bool check_condition(maploop *m)
{
    const char *end = m->text + m->marks.remap.to;
    for (int i = 0; m->marks.remap_line > 0 && i < m->arrays; i++) {
        size_t length = strlen(m->array[i].name);
        for (const char *at = m->text + m->marks.remap.from; at + length < end; at++) {
            bool begins = !plain_alnum((unsigned char)at[-1]) && at[-1] != '_';
            if (begins && strncmp(at, m->array[i].name, length) == 0 && at[length] == '[') {
                return refuse(m, m->marks.remap_line,
                              "the condition depends on elements of '%s', which are distributed; "
                              "expected variables that all ranks have",
                              m->array[i].name);
            }
        }
    }
    return true;
}

static bool check_rule(maploop *m)
{
    const marks *k = &m->marks;
    if (m->bound[SPACE_ITERATIONS] >= 0) {
        return true;
    }
    if (k->rule == RULE_BALANCED) {
        return refuse(m, k->rule_line, "the loop goes over the elements, whose owners compute; expected no 'balanced'");
    }
    const char *name = m->program.variable[m->loop_variable].name;
    for (int i = 0; i < k->touched_count; i++) {
        word w = k->touched[i];
        size_t length = strlen(name);
        bool own = w.to - w.from >= length + 2 && m->text[w.to - 1] == ']' && m->text[w.to - 2 - length] == '[' &&
                   strncmp(m->text + w.to - 1 - length, name, length) == 0;
        if (!own) {
            return refuse(m, k->rule_line,
                          "the loop goes over the elements, whose owners compute; expected a reference with "
                          "the subscript %s alone",
                          name);
        }
    }
    return true;
}

static bool check_indices(maploop *m)
{
    const array *first = NULL;
    space_kind space = m->starts >= 0 ? SPACE_ENTRIES : SPACE_ITERATIONS;
    for (int i = 0; i < m->arrays; i++) {
        const array *a = &m->array[i];
        if (a->indexes && (first != NULL || a->space != space)) {
            return refuse(m, m->marks.line,
                          "elements are referred to through '%s', besides '%s'; expected one array of "
                          "indices, of the size of the marked loop's",
                          a->name, first != NULL ? first->name : "the arrays of the marked loop");
        }
        first = a->indexes ? a : first;
        if (a->indexes && a->written_behind > 0 && m->marks.remap_line == 0) {
            return refuse(m, a->written_behind,
                          "'%s' changes behind the place where the loop is mapped by it; expected "
                          "#pragma inlay remap when(CONDITION) before the marked loop",
                          a->name);
        }
    }
    return true;
}

bool program_study(maploop *m)
{
    edit_insert(m, m->main->body->from + 1, "\n    mapping_begin();");
    return effects_check(m) && check_rule(m) && check_condition(m) && walk(m, m->main->body, false) && check_indices(m);
}

/* NOLINTEND(misc-no-recursion) */

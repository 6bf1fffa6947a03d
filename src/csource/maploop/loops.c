/*
 * A loop over distributed numbers: what it reads and writes, whether its iterations may be computed in any order and on
 * different ranks (paper, section 2.1), and its text for one rank.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows.
 */
#include "csource/maploop/loops.h"
#include <stdlib.h>
#include <string.h>

/* ---- Expressions ---- */

static bool study(loop *l, const node *n);

/* Edits of a reference: indices become local numbers. */
static bool study_subscripts(loop *l, const reference *r)
{
    if (r->kind == SUBSCRIPT_INDIRECT && !reference_is_index(l, node_variable(r->subscript))) {
        reference through;
        if (reference_find(l->m, r->subscript, &through)) {
            loop_localise(l, &through);
            if (through.component != NULL && !study(l, through.component)) return false;
        }
    }
    return r->component == NULL || study(l, r->component);
}

static bool study_read(loop *l, reference *r)
{
    if (!reference_resolve(l, r)) {
        return false;
    }
    if (r->array == l->m->starts) {
        const char *name = l->m->array[r->array].name, *row = variable_name(l->m, l->variable);
        return refuse(
            l->m, r->whole->line,
            "'%s' is used as a value, and every rank numbers its own rows' entries; expected %s[%s + 1] - %s[%s], "
            "or the bounds of a loop",
            name, name, row, name, row);
    }
    l->use[r->array] |= r->kind == SUBSCRIPT_INDIRECT ? READ_OTHER : READ_OWN;
    if (r->kind == SUBSCRIPT_INDIRECT) {
        l->m->array[r->array].gathered = true;
    }
    return reference_read(l, r) && study_subscripts(l, r);
}

static bool study_variable(loop *l, const node *n)
{
    maploop *m = l->m;
    if (n->variable == l->variable) {
        return loop_number(l, n);
    }
    if (is_own(m, n)) {
        return refuse(m, n->line, "'%s' differs from rank to rank, as clocks do; expected what all ranks have",
                      variable_name(m, n->variable));
    }
    if (array_find(m, n->variable) >= 0) {
        return refuse(m, n->line, "'%s' is used without a subscript; expected one element of it",
                      variable_name(m, n->variable));
    }
    if (n->variable == l->entry) {
        return refuse(m, n->line,
                      "the number of an entry, '%s', is used as a value; expected it as a subscript, or "
                      "%s - %s[%s]",
                      variable_name(m, n->variable), variable_name(m, n->variable), m->array[m->starts].name,
                      variable_name(m, l->variable));
    }
    if (reference_is_index(l, n->variable)) {
        return refuse(m, n->line, "'%s' is a subscript and a value too; expected a variable for each",
                      variable_name(m, n->variable));
    }
    l->asked[n->variable] = true;
    return true;
}

static bool study_call(loop *l, const node *n)
{
    if (call_is_output(n)) {
        return refuse(l->m, n->line,
                      "%s() prints elements, which are on different ranks; expected a sum or an extreme, printed "
                      "behind the loop",
                      n->name);
    }
    if (!call_is_pure(l->m, n)) {
        return refuse(l->m, n->line,
                      "%s() may have side effects, and iterations have no order; expected a mathematical "
                      "function, or one of this file that changes nothing of others",
                      n->name != NULL ? n->name : "a call through a pointer");
    }
    for (int i = 0; i < n->children; i++) {
        if (!study(l, n->child[i])) return false;
    }
    return true;
}

/* Behind conversions that change no number of an entry. */
static const node *exact(const node *n)
{
    while (n->kind == NODE_CAST && n->children > 0 && n->type.kind == TYPE_INTEGER && n->type.bits > 32 &&
           !n->type.is_unsigned) {
        n = n->child[n->children - 1];
    }
    return n;
}

/* ptr[j], or with `next` ptr[j + 1]. */
static bool is_start(loop *l, const node *n, subscript_kind kind)
{
    reference r;
    n = exact(n);
    return n->kind == NODE_INDEX && l->m->starts >= 0 && reference_find(l->m, n, &r) && r.array == l->m->starts &&
           l->space == SPACE_DATA && reference_resolve(l, &r) && r.kind == kind;
}

/* k - ptr[j]: the place of an entry in its row; ptr[j + 1] - ptr[j]: how many it has. */
static bool is_place_in_row(loop *l, const node *n)
{
    if (n->kind != NODE_BINARY || n->operation != OP_SUBTRACT || !is_start(l, n->child[1], SUBSCRIPT_OWN)) {
        return false;
    }
    const node *from = exact(n->child[0]);
    bool entry = l->entry >= 0 && from->kind == NODE_VARIABLE && from->variable == l->entry;
    return entry || is_start(l, from, SUBSCRIPT_NEXT);
}

/* ---- Writing ---- */

static bool same_element(loop *l, const node *n, const reference *r)
{
    reference other;
    if (!reference_find(l->m, n, &other) || other.array != r->array || !reference_resolve(l, &other)) {
        return false;
    }
    bool same =
        other.kind == r->kind && (r->kind != SUBSCRIPT_INDIRECT || reference_same(l->m, other.through, r->through));
    return same && (r->component == NULL || reference_same(l->m, other.component, r->component));
}

/* The element itself among the terms of a sum, with a positive sign and once; the other terms are read. */
static bool study_terms(loop *l, const node *n, bool positive, const reference *self, int *found)
{
    n = bare(n);
    if (n->kind == NODE_BINARY && (n->operation == OP_ADD || n->operation == OP_SUBTRACT)) {
        return study_terms(l, n->child[0], positive, self, found) &&
               study_terms(l, n->child[1], positive == (n->operation == OP_ADD), self, found);
    }
    reference r;
    if (positive && *found == 0 && same_element(l, n, self) && reference_find(l->m, n, &r) &&
        reference_resolve(l, &r)) {
        (*found)++;
        return study_subscripts(l, &r);
    }
    return !l->m->refused && study(l, n);
}

static bool has_self_term(loop *l, const node *n, bool positive, const reference *self)
{
    n = bare(n);
    if (n->kind == NODE_BINARY && (n->operation == OP_ADD || n->operation == OP_SUBTRACT)) {
        return has_self_term(l, n->child[0], positive, self) ||
               has_self_term(l, n->child[1], positive == (n->operation == OP_ADD), self);
    }
    return positive && same_element(l, n, self);
}

static bool write_starts(loop *l, const node *n, const reference *to)
{
    if (l->m->mapped) {
        return refuse(l->m, n->line, "'%s' changes behind the place where the rows are mapped; expected rows that stay",
                      l->m->array[to->array].name);
    }
    l->m->starts_ready = l->n->to > l->m->starts_ready ? l->n->to : l->m->starts_ready;
    bool good = to->kind == SUBSCRIPT_NEXT && n->kind == NODE_ASSIGN && n->operation == OP_NONE;
    const node *value = good ? bare(n->child[1]) : NULL;
    reference before;
    good = good && value->kind == NODE_BINARY && value->operation == OP_ADD &&
           reference_find(l->m, value->child[0], &before) && before.array == to->array &&
           reference_resolve(l, &before) && before.kind == SUBSCRIPT_OWN;
    return good ? study(l, value->child[1])
                : refuse(l->m, n->line, "'%s' tells where rows start; expected %s[%s + 1] = %s[%s] + LENGTH",
                         l->m->array[to->array].name, l->m->array[to->array].name, variable_name(l->m, l->variable),
                         l->m->array[to->array].name, variable_name(l->m, l->variable));
}

static bool write_element(loop *l, const node *n, reference *to)
{
    const array *a = &l->m->array[to->array];
    bool sets = n->kind == NODE_ASSIGN && n->operation == OP_NONE;
    bool adds = n->operation == OP_ADD || n->operation == OP_SUBTRACT;
    int found = 0;
    if (!reference_resolve(l, to)) {
        return false;
    }
    if (a->one_more) {
        return write_starts(l, n, to);
    }
    l->m->array[to->array].written_behind = l->m->mapped ? n->line : a->written_behind;
    bool sums = sets && has_self_term(l, n->child[1], true, to);
    if (l->m->refused) {
        return false;
    }
    if (to->kind == SUBSCRIPT_INDIRECT && !adds && !sums) {
        return refuse(l->m, n->line,
                      "'%s' is written through '%.*s' by more than one iteration, perhaps; expected an "
                      "accumulation, such as += or %s[...] = %s[...] + ...",
                      a->name, TEXT(l->m, to->through), a->name, a->name);
    }
    int before = l->reads; /* into variables of the iteration: any statement may use them */
    bool other = to->kind == SUBSCRIPT_INDIRECT;
    l->use[to->array] |= adds || sums ? (other ? ADD_OTHER : ADD_OWN) : SET_OWN;
    bool good = n->kind == NODE_STEP || (sums ? study_terms(l, n->child[1], true, to, &found) : study(l, n->child[1]));
    good = good && study_subscripts(l, to) && reference_written(l, to);
    l->reads = before;
    return good;
}

/* A scalar that all iterations add to, or take the largest or smallest of. */
static bool write_scalar(loop *l, const node *n, int variable)
{
    maploop *m = l->m;
    const node *value = n->kind == NODE_STEP ? NULL : bare(n->child[1]);
    const char *operation = n->operation == OP_ADD || n->operation == OP_SUBTRACT ? "SUM" : NULL;
    const node *read = value;
    if (n->kind == NODE_ASSIGN && n->operation == OP_NONE && value->kind == NODE_CALL && value->name != NULL &&
        value->children == 2 && node_variable(value->child[0]) == variable) {
        operation = strcmp(value->name, "fmax") == 0 ? "MAX" : strcmp(value->name, "fmin") == 0 ? "MIN" : NULL;
        read = value->child[1];
    } else if (n->kind == NODE_ASSIGN && n->operation == OP_NONE && value->kind == NODE_BINARY &&
               value->operation == OP_ADD && node_variable(value->child[0]) == variable) {
        operation = "SUM";
        read = value->child[1];
    }
    if (operation == NULL) {
        return refuse(m, n->line,
                      "'%s' outlives the iteration and takes a value in it; expected a sum (+=), or %s = "
                      "fmax(%s, ...)",
                      variable_name(m, variable), variable_name(m, variable), variable_name(m, variable));
    }
    return loop_reduce(l, variable, operation, n->line) && (read == NULL || study(l, read));
}

static bool study_write(loop *l, const node *n)
{
    reference to;
    int variable = node_variable(n->child[0]);
    if (reference_find(l->m, n->child[0], &to)) {
        return write_element(l, n, &to);
    }
    if (variable == l->variable || (variable >= 0 && variable == l->entry)) {
        return refuse(l->m, n->line, "the loop's variable '%s' changes inside; expected it to count up alone",
                      variable_name(l->m, variable));
    }
    if (variable < 0) {
        return refuse(l->m, n->line,
                      "'%.*s' is written, which is no distributed array; expected an element of one, or a "
                      "sum",
                      TEXT(l->m, n->child[0]));
    }
    return !l->local[variable] ? write_scalar(l, n, variable) : n->kind == NODE_STEP || study(l, n->child[1]);
}

/* ---- Statements ---- */

static bool study_row(loop *l, const node *n, int entry)
{
    bool good = l->entry < 0 || refuse(l->m, n->line,
                                       "a loop over the entries of a row stands in another one; expected one "
                                       "at a time");
    l->entry = entry;
    good = good && study(l, n->child[3]);
    l->entry = -1;
    return good;
}

static bool study_loop(loop *l, const node *n)
{
    int entry = row_loop_variable(l->m, n, l->variable);
    if (entry >= 0) {
        return study_row(l, n, entry);
    }
    bool good = true;
    l->inner++;
    for (int i = 0; i < n->children && good; i++) {
        good = n->child[i] == NULL || study(l, n->child[i]);
    }
    l->inner--;
    return good;
}

static bool study_jump(loop *l, const node *n)
{
    static const struct {
        node_kind kind;
        const char *name;
    } jumps[] = {{NODE_BREAK, "break"}, {NODE_CONTINUE, "continue"}, {NODE_GOTO, "goto"}, {NODE_RETURN, "return"}};
    const char *name = "jump";
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        name = jumps[i].kind == n->kind ? jumps[i].name : name;
    }
    bool inside = n->kind == NODE_BREAK || n->kind == NODE_CONTINUE ? l->inner > 0 && l->entry < 0 : false;
    return inside || refuse(l->m, n->line,
                            "a %s leaves the iteration; expected all iterations to be computed to their end", name);
}

static bool study_declaration(loop *l, const node *n)
{
    l->local[n->variable] = true;
    if (n->children == 0) {
        return true;
    }
    if (reference_is_index(l, n->variable)) {
        reference r;
        bool good = reference_find(l->m, n->child[0], &r) && reference_resolve(l, &r);
        if (good) {
            loop_localise(l, &r);
            good = r.component == NULL || study(l, r.component);
        }
        return good;
    }
    return study(l, n->child[0]);
}

static bool study_parts(loop *l, const node *n)
{
    for (int i = 0; i < n->children; i++) {
        if (n->child[i] != NULL && !study(l, n->child[i])) return false;
    }
    return true;
}

static bool study(loop *l, const node *n)
{
    reference r;
    switch (n->kind) {
    case NODE_INDEX: return reference_find(l->m, n, &r) ? study_read(l, &r) : study_parts(l, n);
    case NODE_VARIABLE: return study_variable(l, n);
    case NODE_CALL: return study_call(l, n);
    case NODE_ASSIGN:
    case NODE_STEP: return study_write(l, n);
    case NODE_DECLARATION: return study_declaration(l, n);
    case NODE_FOR:
    case NODE_WHILE:
    case NODE_DO: return study_loop(l, n);
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_GOTO:
    case NODE_RETURN: return study_jump(l, n);
    case NODE_BINARY: return is_place_in_row(l, n) || study_parts(l, n);
    case NODE_UNARY:
        if (n->operation == OP_ADDRESS) {
            return refuse(l->m, n->line, "an address is taken in a distributed loop; expected values alone");
        }
        return study_parts(l, n);
    case NODE_STRANGE: return refuse(l->m, n->line, "%s; expected plain C in a distributed loop", n->name);
    default: return study_parts(l, n);
    }
}

/* ---- The whole loop ---- */

/* Variables of the loop that take an index once and are subscripts of other arrays. */
static bool find_index_variables(loop *l, const node *n, const node *const *first)
{
    if (n == NULL) {
        return true;
    }
    if (n->kind == NODE_INDEX && array_find(l->m, node_variable(n->child[0])) >= 0) {
        int variable = node_variable(n->child[1]);
        if (variable >= 0 && variable != l->variable && first[variable] != NULL) {
            const c_variable *v = &l->m->program.variable[variable];
            if (v->assigned || v->escapes) {
                return refuse(l->m, n->line,
                              "the subscript '%s' changes in the loop; expected it to keep the index that it "
                              "begins with",
                              v->name);
            }
            l->index[variable] = first[variable];
        }
    }
    for (int i = 0; i < n->children; i++) {
        if (!find_index_variables(l, n->child[i], first)) return false;
    }
    return true;
}

static void find_beginnings(const maploop *m, const node *n, const node **first)
{
    reference r;
    if (n != NULL && n->kind == NODE_DECLARATION && n->children > 0 && reference_find(m, n->child[0], &r) &&
        !m->array[r.array].one_more) {
        first[n->variable] = bare(n->child[0]);
    }
    for (int i = 0; n != NULL && i < n->children; i++) {
        find_beginnings(m, n->child[i], first);
    }
}

static bool check_uses(const loop *l)
{
    maploop *m = l->m;
    for (int i = 0; i < m->arrays; i++) {
        const char *name = m->array[i].name;
        int use = l->use[i];
        if ((use & READ_OTHER) != 0 && (use & (SET_OWN | ADD_OWN | ADD_OTHER)) != 0) {
            return refuse(m, l->n->line,
                          "'%s' is written and read through other indices in one loop, so that the order of "
                          "iterations matters; expected an array for each",
                          name);
        }
        if ((use & ADD_OTHER) != 0 && (use & (READ_OWN | SET_OWN)) != 0) {
            return refuse(m, l->n->line,
                          "'%s' is accumulated through other indices and %s in one loop, so that the order "
                          "of iterations matters; expected accumulations alone",
                          name, (use & SET_OWN) != 0 ? "set" : "read");
        }
        if (l->localised[i] && (use & (SET_OWN | ADD_OWN)) != 0) {
            return refuse(m, l->n->line,
                          "'%s' is written in the loop that finds its elements through it; expected it to "
                          "stay",
                          name);
        }
    }
    return true;
}

/* What is summed up over ranks is known behind the loop alone. */
static bool check_sums(const loop *l)
{
    for (int i = 0; i < l->reductions; i++) {
        int variable = l->reduction[i].variable;
        if (l->asked[variable]) {
            return refuse(l->m, l->n->line,
                          "'%s' is summed up and read in one loop, so that the order of iterations matters; "
                          "expected it to be read behind the loop",
                          variable_name(l->m, variable));
        }
    }
    return true;
}

static bool study_all(loop *l, const node **first)
{
    find_beginnings(l->m, l->n->child[3], first);
    return find_index_variables(l, l->n->child[3], first) && study(l, l->n->child[3]) && check_uses(l) &&
           check_sums(l) && (l->n != l->m->loop || loop_rule(l)) && loop_edit(l);
}

bool loop_study(maploop *m, node *n, space_kind space, int variable)
{
    size_t variables = (size_t)m->program.variables + 1, arrays = (size_t)m->arrays + 1;
    loop l = {.m = m, .n = n, .space = space, .variable = variable, .entry = -1};
    l.local = calloc(variables, sizeof *l.local);
    l.asked = calloc(variables, sizeof *l.asked);
    l.index = calloc(variables, sizeof *l.index);
    l.use = calloc(arrays, sizeof *l.use);
    l.localised = calloc(arrays, sizeof *l.localised);
    const node **first = calloc(variables, sizeof *first);
    bool good =
        l.local != NULL && l.asked != NULL && l.index != NULL && l.use != NULL && l.localised != NULL && first != NULL;
    good = good ? study_all(&l, first) : out_of_memory(m);
    void *lists[] = {l.local, l.asked, l.index, l.use, l.localised, first};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        free(lists[i]);
    }
    return good;
}

/* NOLINTEND(misc-no-recursion) */

/* What a statement does to the element or scalar that it assigns. NOLINTBEGIN(misc-no-recursion): as deep as trees are. */
#include "csource/whole/whole.h"
#include <string.h>

const char *access_name(access_kind kind)
{
    static const char *const name[] = {"READ", "WRITE", "ADD", "MULTIPLY",    "MIN",       "MAX",
                                       "AND",  "OR",    "XOR", "LOGICAL_AND", "LOGICAL_OR"};
    return name[kind];
}

const node *whole_bare(const node *n)
{
    while (n != NULL && n->kind == NODE_CAST && n->children > 0) {
        n = n->child[n->children - 1];
    }
    return n;
}

bool nodes_same(const node *a, const node *b)
{
    a = whole_bare(a);
    b = whole_bare(b);
    if (a == NULL || b == NULL) {
        return a == b;
    }
    bool same = a->kind == b->kind && a->operation == b->operation && a->variable == b->variable &&
                a->function == b->function && a->children == b->children && a->value == b->value &&
                a->known == b->known && (a->name == NULL) == (b->name == NULL) &&
                (a->name == NULL || strcmp(a->name, b->name) == 0);
    same = same && a->kind != NODE_STEP && a->kind != NODE_ASSIGN && a->kind != NODE_STRANGE;
    for (int i = 0; same && i < a->children; i++) {
        same = nodes_same(a->child[i], b->child[i]);
    }
    return same;
}

bool node_holds(const node *n, int variable)
{
    if (n == NULL || (n->kind == NODE_VARIABLE && n->variable == variable)) {
        return n != NULL;
    }
    for (int i = 0; i < n->children; i++) {
        if (node_holds(n->child[i], variable)) return true;
    }
    return false;
}

bool node_contains(const node *n, const node *part)
{
    if (n == NULL || n == part) {
        return n != NULL;
    }
    for (int i = 0; i < n->children; i++) {
        if (node_contains(n->child[i], part)) return true;
    }
    return false;
}

/* Whether `target` stands in it, under any conversions. */
static bool holds(const node *n, const node *target)
{
    if (n == NULL) {
        return false;
    }
    if (n->kind != NODE_CAST && nodes_same(n, target)) {
        return true;
    }
    for (int i = 0; i < n->children; i++) {
        if (holds(n->child[i], target)) return true;
    }
    return false;
}

static bool note_value(accumulation *a, const node *value)
{
    if (a->values == 4 || holds(value, a->target)) {
        return false;
    }
    a->value[a->values++] = value;
    return true;
}

/* a + x + y, in which `a` stands once and is not taken off. */
static bool find_sum(accumulation *a, const node *n, bool *found)
{
    n = n->kind == NODE_CAST ? whole_bare(n) : n;
    if (!*found && nodes_same(n, a->target)) {
        *found = true;
        return true;
    }
    if (n->kind == NODE_BINARY && (n->operation == OP_ADD || n->operation == OP_SUBTRACT)) {
        bool right = n->operation == OP_ADD;
        if (holds(n->child[0], a->target)) {
            return find_sum(a, n->child[0], found) && note_value(a, n->child[1]);
        }
        return right && find_sum(a, n->child[1], found) && note_value(a, n->child[0]);
    }
    return false;
}

static bool one_of(const char *name, const char *const *list)
{
    for (size_t i = 0; list[i] != NULL; i++) {
        size_t length = strlen(list[i]);
        if (strncmp(name, list[i], length) == 0 &&
            (name[length] == '\0' || (strchr("fl", name[length]) != NULL && name[length + 1] == '\0'))) {
            return true;
        }
    }
    return false;
}

/* fmax(a, e), fmin(e, a). */
static bool find_extreme_call(accumulation *a, const node *n)
{
    static const char *const most[] = {"fmax", "__builtin_fmax", NULL}, *const least[] = {"fmin", "__builtin_fmin",
                                                                                          NULL};
    if (n->kind != NODE_CALL || n->name == NULL || n->function >= 0 || n->children != 2) {
        return false;
    }
    bool max = one_of(n->name, most), min = one_of(n->name, least);
    bool first = nodes_same(n->child[0], a->target), second = nodes_same(n->child[1], a->target);
    a->kind = max ? ACCESS_MAX : ACCESS_MIN;
    return (max || min) && first != second && note_value(a, n->child[first]);
}

/* What takes the greater or the lesser value where the condition holds and `a` takes `value`. */
static bool find_extreme(accumulation *a, const node *condition, const node *value)
{
    condition = whole_bare(condition);
    if (condition == NULL || condition->kind != NODE_BINARY || condition->children != 2) {
        return false;
    }
    bool less = condition->operation == OP_LESS || condition->operation == OP_LESS_EQUAL;
    bool greater = condition->operation == OP_GREATER || condition->operation == OP_GREATER_EQUAL;
    bool first = nodes_same(condition->child[0], a->target) && nodes_same(condition->child[1], value);
    bool second = nodes_same(condition->child[1], a->target) && nodes_same(condition->child[0], value);
    a->kind = less == first ? ACCESS_MAX : ACCESS_MIN; /* a < value */
    return (less || greater) && first != second && note_value(a, value);
}

/* a < e ? e : a, and the other ways to write it. */
static bool find_choice(accumulation *a, const node *n)
{
    if (n->kind != NODE_CHOICE || n->children != 3) {
        return false;
    }
    if (nodes_same(n->child[2], a->target)) {
        return find_extreme(a, n->child[0], n->child[1]);
    }
    if (!nodes_same(n->child[1], a->target) || !find_extreme(a, n->child[0], n->child[2])) {
        return false;
    }
    a->kind = a->kind == ACCESS_MAX ? ACCESS_MIN : ACCESS_MAX; /* it keeps what it has where the condition holds */
    return true;
}

static bool kind_of_operator(c_operator operation, value_type type, access_kind *kind)
{
    bool whole_number = type.kind == TYPE_INTEGER, number = type_is_number(type);
    switch (operation) {
    case OP_ADD:
    case OP_SUBTRACT: *kind = ACCESS_ADD; return number;
    case OP_MULTIPLY: *kind = ACCESS_MULTIPLY; return number;
    case OP_DIVIDE: *kind = ACCESS_MULTIPLY; return type.kind == TYPE_REAL;
    case OP_BIT_AND: *kind = ACCESS_AND; return whole_number;
    case OP_BIT_OR: *kind = ACCESS_OR; return whole_number;
    case OP_BIT_XOR: *kind = ACCESS_XOR; return whole_number;
    case OP_AND: *kind = ACCESS_LOGICAL_AND; return whole_number;
    case OP_OR: *kind = ACCESS_LOGICAL_OR; return whole_number;
    default: return false;
    }
}

static bool find_operation(accumulation *a, const node *n)
{
    if (n->kind != NODE_BINARY || n->children != 2 || !kind_of_operator(n->operation, a->target->type, &a->kind)) {
        return false;
    }
    if (n->operation == OP_ADD || n->operation == OP_SUBTRACT) {
        bool found = false;
        return find_sum(a, n, &found) && found;
    }
    bool first = nodes_same(n->child[0], a->target), second = nodes_same(n->child[1], a->target);
    return first != second && (first || n->operation != OP_DIVIDE) && note_value(a, n->child[first]);
}

/* The one statement of a branch. */
static const node *only(const node *n)
{
    while (n != NULL && n->kind == NODE_BLOCK && n->children == 1) {
        n = n->child[0];
    }
    return n;
}

/* A compound assignment is done in the wider type of both: an integer that takes a real one is rounded each time. */
static bool rounds(const node *target, const node *value)
{
    return target->type.kind == TYPE_INTEGER && value->type.kind == TYPE_REAL;
}

bool accumulation_find(const node *n, accumulation *a)
{
    *a = (accumulation){0};
    if (n->kind == NODE_STEP && n->children == 1) {
        a->target = n->child[0];
        a->kind = ACCESS_ADD;
        return type_is_number(a->target->type);
    }
    if (n->kind == NODE_IF && n->children == 2) {
        const node *then = only(n->child[1]);
        if (then == NULL || then->kind != NODE_ASSIGN || then->operation != OP_NONE) {
            return false;
        }
        a->target = whole_bare(then->child[0]);
        return type_is_number(a->target->type) && find_extreme(a, n->child[0], then->child[1]);
    }
    if (n->kind != NODE_ASSIGN || n->children != 2 || n->child[1] == NULL) {
        return false;
    }
    a->target = whole_bare(n->child[0]);
    const node *value = n->child[1];
    if (n->operation != OP_NONE) {
        return kind_of_operator(n->operation, a->target->type, &a->kind) && !rounds(a->target, value) &&
               note_value(a, value);
    }
    const node *right = whole_bare(value);
    if (right == NULL || !type_is_number(a->target->type) || rounds(a->target, right)) {
        return false;
    }
    return find_extreme_call(a, right) || (a->values = 0, find_choice(a, right)) ||
           (a->values = 0, find_operation(a, right));
}

bool is_logical(access_kind kind)
{
    return kind == ACCESS_LOGICAL_AND || kind == ACCESS_LOGICAL_OR;
}

bool accumulation_in_memory(const node *n, accumulation *a)
{
    return accumulation_find(n, a) && !(is_logical(a->kind) && a->target->type.bits != 1);
}

/* NOLINTEND(misc-no-recursion) */

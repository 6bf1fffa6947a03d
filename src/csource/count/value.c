/*
 * Values of expressions as far as they are known: whole numbers, as the types of C compute with them.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows.
 */
#include "csource/count/count.h"

static const value unknown = {.kind = VALUE_UNKNOWN};

value known_value(int64_t number)
{
    return (value){.kind = VALUE_KNOWN, .number = number};
}

/* ---- Types ---- */

/* Unsigned types wrap; signed ones must not overflow. Unsigned values beyond 63 bits are not known here. */
static value fit_integer(int64_t number, value_type type)
{
    if (type.bits == 1) {
        return known_value(number != 0);
    }
    if (type.bits > 32) {
        return type.is_unsigned && number < 0 ? unknown : known_value(number);
    }
    int64_t range = (int64_t)1 << type.bits;
    if (type.is_unsigned) {
        return known_value((number % range + range) % range);
    }
    return number >= -(range / 2) && number < range / 2 ? known_value(number) : unknown;
}

value convert(value v, value_type type)
{
    const int64_t exact = (int64_t)1 << 53;
    if (v.kind != VALUE_KNOWN || v.base > 0) {
        return v.kind != VALUE_KNOWN || type.kind == TYPE_POINTER ? v : unknown;
    }
    switch (type.kind) {
    case TYPE_INTEGER: return fit_integer(v.number, type);
    case TYPE_REAL: return v.number >= -exact && v.number <= exact ? v : unknown;
    default: return unknown;
    }
}

/* ---- Operators ---- */

static bool divide(c_operator operation, value_type type, int64_t a, int64_t b, int64_t *result)
{
    if (b == 0 || (b == -1 && a == INT64_MIN)) {
        return false;
    }
    *result = operation == OP_DIVIDE ? a / b : a % b;
    return type.kind != TYPE_REAL || (operation == OP_DIVIDE && a % b == 0);
}

static bool shift(c_operator operation, value_type type, int64_t a, int64_t b, int64_t *result)
{
    if (a < 0 || b < 0 || b >= (int64_t)type.bits || b > 62) {
        return false;
    }
    *result = operation == OP_SHIFT_LEFT ? a << b : a >> b;
    return operation == OP_SHIFT_RIGHT || *result >> b == a;
}

static bool compute(c_operator operation, value_type type, int64_t a, int64_t b, int64_t *result)
{
    switch (operation) {
    case OP_ADD: return !__builtin_add_overflow(a, b, result);
    case OP_SUBTRACT: return !__builtin_sub_overflow(a, b, result);
    case OP_MULTIPLY: return !__builtin_mul_overflow(a, b, result);
    case OP_DIVIDE:
    case OP_REMAINDER: return divide(operation, type, a, b, result);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT: return shift(operation, type, a, b, result);
    case OP_BIT_AND: *result = a & b; return true;
    case OP_BIT_OR: *result = a | b; return true;
    case OP_BIT_XOR: *result = a ^ b; return true;
    case OP_LESS: *result = a < b; return true;
    case OP_LESS_EQUAL: *result = a <= b; return true;
    case OP_GREATER: *result = a > b; return true;
    case OP_GREATER_EQUAL: *result = a >= b; return true;
    case OP_EQUAL: *result = a == b; return true;
    case OP_UNEQUAL: *result = a != b; return true;
    case OP_COMMA: *result = b; return true;
    default: return false;
    }
}

static int outermost(value a, value b)
{
    if (a.kind != VALUE_SYMBOL || b.kind != VALUE_SYMBOL) {
        return a.kind == VALUE_SYMBOL ? a.level : b.level;
    }
    return a.level < b.level ? a.level : b.level;
}

/* Of one base: how far an address is from another, or a new one. */
static value operate_address(c_operator operation, value left, value right)
{
    bool same = left.base == right.base, relation = operation >= OP_LESS && operation <= OP_UNEQUAL;
    bool moves = operation == OP_ADD ? left.base == 0 || right.base == 0 : operation == OP_SUBTRACT && right.base == 0;
    const value_type whole = {.kind = TYPE_INTEGER, .bits = 64};
    int64_t result;
    if (!(same && (relation || operation == OP_SUBTRACT)) && !moves) {
        return unknown;
    }
    if (!compute(operation, whole, left.number, right.number, &result)) {
        return unknown;
    }
    return (value){.kind = VALUE_KNOWN, .number = result, .base = same ? 0 : left.base + right.base};
}

value operate(c_operator operation, value_type type, value left, value right)
{
    int64_t result;
    if (left.kind == VALUE_UNKNOWN || right.kind == VALUE_UNKNOWN) {
        return unknown;
    }
    if (left.kind == VALUE_SYMBOL || right.kind == VALUE_SYMBOL) {
        return (value){.kind = VALUE_SYMBOL, .level = outermost(left, right)};
    }
    if (left.base > 0 || right.base > 0) {
        return operate_address(operation, left, right);
    }
    return compute(operation, type, left.number, right.number, &result) ? convert(known_value(result), type) : unknown;
}

static value evaluate_unary(c_operator operation, value_type type, value v)
{
    if (v.kind != VALUE_KNOWN) {
        return operation == OP_ADDRESS || operation == OP_CONTENT ? unknown : v;
    }
    switch (operation) {
    case OP_PLUS: return convert(v, type);
    case OP_MINUS: return operate(OP_SUBTRACT, type, known_value(0), v);
    case OP_NOT: return known_value(v.number == 0);
    case OP_COMPLEMENT: return convert(known_value(~v.number), type);
    default: return unknown;
    }
}

/* && and ||, where one side may settle it. */
static value evaluate_logic(counter *c, const node *n)
{
    bool settles = n->operation == OP_OR;
    value left = evaluate(c, n->child[0]);
    if (left.kind == VALUE_KNOWN && (left.number != 0) == settles) {
        return known_value(settles);
    }
    value right = evaluate(c, n->child[1]);
    if (right.kind == VALUE_KNOWN && (right.number != 0) == settles) {
        return known_value(settles);
    }
    return operate(n->operation == OP_OR ? OP_BIT_OR : OP_BIT_AND, n->type,
                   left.kind == VALUE_KNOWN ? known_value(left.number != 0) : left,
                   right.kind == VALUE_KNOWN ? known_value(right.number != 0) : right);
}

/* ---- Variables ---- */

static value evaluate_variable(counter *c, int number)
{
    enum { DEEPEST = 100 }; /* constants that are told by others */
    const c_variable *v = number < 0 ? NULL : &c->program->variable[number];
    const given_entry *told = v == NULL ? NULL : given_find(&c->given->definitions, v->name);
    bool argued = v != NULL && v->parameter && c->state[number].kind != VALUE_UNKNOWN;
    if (told != NULL && told->is_number && !argued) {
        return convert(known_value(told->value), v->type);
    }
    if (v == NULL || v->escapes) {
        return unknown;
    }
    if (v->type.kind == TYPE_POINTER && c->state[number].kind == VALUE_UNKNOWN) {
        bool stays = v->array || (v->parameter && !v->assigned);
        return stays && v->pointee > 0 ? (value){.kind = VALUE_KNOWN, .base = number + 1} : unknown;
    }
    if (!v->outside || !v->constant || v->assigned) {
        return c->state[number]; /* of one outside of functions as far as it was assigned on the way here */
    }
    if (v->initial == NULL || c->depth == DEEPEST) {
        return unknown;
    }
    c->depth++;
    value initial = convert(evaluate(c, v->initial), v->type);
    c->depth--;
    return initial;
}

/* ---- Expressions ---- */

static value evaluate_choice(counter *c, const node *n)
{
    value which = evaluate(c, n->child[0]);
    if (which.kind != VALUE_KNOWN) {
        return which;
    }
    return evaluate_address(c, n->child[which.number != 0 ? 1 : 2]);
}

/* &a[i], as a + i. */
static value evaluate_place(counter *c, const node *n)
{
    const node *of = n->child[0];
    return of != NULL && of->kind == NODE_INDEX && of->child[0]->type.kind == TYPE_POINTER
               ? operate(OP_ADD, n->type, evaluate_address(c, of->child[0]), evaluate(c, of->child[1]))
               : unknown;
}

value evaluate(counter *c, const node *n)
{
    value v = evaluate_address(c, n);
    return v.base > 0 ? unknown : v;
}

value evaluate_address(counter *c, const node *n)
{
    if (n == NULL) {
        return unknown;
    }
    if (n->kind == NODE_UNARY && n->operation == OP_ADDRESS) {
        return evaluate_place(c, n);
    }
    switch (n->kind) {
    case NODE_CONSTANT: return n->known ? known_value(n->value) : unknown;
    case NODE_VARIABLE: return evaluate_variable(c, n->variable);
    case NODE_CAST: return n->children > 0 ? convert(evaluate(c, n->child[n->children - 1]), n->type) : unknown;
    case NODE_UNARY: return evaluate_unary(n->operation, n->type, evaluate(c, n->child[0]));
    case NODE_CHOICE: return evaluate_choice(c, n);
    case NODE_BINARY:
        if (n->operation == OP_AND || n->operation == OP_OR) {
            return evaluate_logic(c, n);
        }
        return operate(n->operation, n->type, evaluate_address(c, n->child[0]), evaluate_address(c, n->child[1]));
    default: return unknown;
    }
}

/* NOLINTEND(misc-no-recursion) */

/* How often a loop goes through its body. */
#include "csource/count/count.h"
#include <inlay/status.h>

/* ---- Its variable ---- */

static bool is_variable(const node *n, const void *with)
{
    return n->kind == NODE_VARIABLE && n->variable == *(const int *)with;
}

static bool assigns_variable(const node *n, const void *with)
{
    return (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) && node_variable(n->child[0]) == *(const int *)with;
}

static bool assigns_whole_number(const node *n, const void *with)
{
    node *condition = *(node *const *)with;
    int variable = n->kind == NODE_ASSIGN || n->kind == NODE_STEP ? node_variable(n->child[0]) : -1;
    return variable >= 0 && n->type.kind == TYPE_INTEGER && node_find(condition, is_variable, &variable) != NULL;
}

/* `i = i + n` and `i = n + i`, as i += n. */
static bool read_assignment(const node *step, int variable, c_operator *operation, const node **amount)
{
    const node *sum = step->child[1];
    while (sum->kind == NODE_CAST && sum->children > 0) {
        sum = sum->child[0];
    }
    if (sum->kind != NODE_BINARY) {
        return false;
    }
    bool first = node_variable(sum->child[0]) == variable;
    bool second = node_variable(sum->child[1]) == variable;
    *operation = sum->operation;
    *amount = sum->child[first ? 1 : 0];
    return first || (second && (sum->operation == OP_ADD || sum->operation == OP_MULTIPLY));
}

/* What a step does with the variable: OP_ADD 1, OP_MULTIPLY 2, ... */
static int read_step(counter *c, const node *step, trip_plan *plan)
{
    const node *amount = NULL;
    plan->step = step->operation;
    if (step->kind == NODE_STEP) {
        plan->amount = known_value(1);
        return INLAY_OK;
    }
    if (step->operation != OP_NONE) {
        amount = step->child[1];
    } else if (!read_assignment(step, plan->variable, &plan->step, &amount)) {
        plan->missing = "how the loop's variable changes";
        return INLAY_OK;
    }
    plan->amount = evaluate(c, amount);
    if (plan->amount.kind == VALUE_UNKNOWN) {
        plan->missing = "by how much the loop's variable changes";
    }
    return plan->amount.kind == VALUE_SYMBOL ? plan->amount.level : INLAY_OK;
}

/* Finds the variable, its start and its step. */
static int read_variable(counter *c, const node *loop, trip_plan *plan)
{
    node *condition = loop->child[1];
    const node *step = node_find(loop->child[2], assigns_whole_number, &condition);
    if (step == NULL) {
        plan->missing = "which variable its condition and its step have in common";
        return INLAY_OK;
    }
    int variable = node_variable(step->child[0]);
    plan->variable = variable;
    if (c->program->variable[variable].escapes || c->program->variable[variable].outside ||
        node_find(loop->child[3], assigns_variable, &variable) != NULL ||
        node_find(condition, assigns_variable, &variable) != NULL) {
        plan->missing = "where else the loop's variable changes";
        return INLAY_OK;
    }
    plan->start = c->state[variable];
    if (plan->start.kind == VALUE_UNKNOWN) {
        plan->missing = "where the loop's variable starts";
    }
    int status = read_step(c, step, plan);
    return status == INLAY_OK && plan->start.kind == VALUE_SYMBOL ? plan->start.level : status;
}

value plan_next(const counter *c, const trip_plan *plan, value v)
{
    return operate(plan->step, c->program->variable[plan->variable].type, v, plan->amount);
}

/* ---- A condition that compares the variable with a bound ---- */

static c_operator mirrored(c_operator relation)
{
    switch (relation) {
    case OP_LESS: return OP_GREATER;
    case OP_LESS_EQUAL: return OP_GREATER_EQUAL;
    case OP_GREATER: return OP_LESS;
    case OP_GREATER_EQUAL: return OP_LESS_EQUAL;
    default: return relation;
    }
}

/* Trips from a distance to the bound, both counted in the direction of the step; -1: it never ends. */
static __int128 trips_to(c_operator relation, __int128 distance, __int128 step, bool rising)
{
    bool towards = relation == OP_LESS || relation == OP_LESS_EQUAL ? rising : !rising;
    bool included = relation == OP_LESS_EQUAL || relation == OP_GREATER_EQUAL;
    if (relation == OP_UNEQUAL) {
        return distance >= 0 && distance % step == 0 ? distance / step : -1;
    }
    if (!towards) {
        bool holds = included ? distance <= 0 : distance < 0;
        return holds ? -1 : 0;
    }
    distance += included;
    return distance <= 0 ? 0 : (distance + step - 1) / step;
}

/* By addition or subtraction, up to a bound; false where the variable would leave its type. */
static bool count_steps(const counter *c, trip_plan *plan, c_operator relation, int64_t bound)
{
    __int128 step = plan->step == OP_ADD ? plan->amount.number : -(__int128)plan->amount.number;
    bool rising = step > 0;
    __int128 distance = rising ? (__int128)bound - plan->start.number : (__int128)plan->start.number - bound;
    __int128 trips = step == 0 ? -1 : trips_to(relation, distance, rising ? step : -step, rising);
    __int128 end = plan->start.number + trips * step;
    if (trips < 0 || trips > INT64_MAX || end < INT64_MIN || end > INT64_MAX) {
        return false;
    }
    plan->end = convert(known_value((int64_t)end), c->program->variable[plan->variable].type);
    plan->count = (int64_t)trips;
    return plan->end.kind == VALUE_KNOWN && plan->end.number == (int64_t)end;
}

static bool is_relation(const node *n)
{
    return n->kind == NODE_BINARY &&
           (n->operation == OP_UNEQUAL || (n->operation >= OP_LESS && n->operation <= OP_GREATER_EQUAL));
}

/* The variable keeps its value where it is compared as another type. */
static bool keeps_value(const node *compared, value v)
{
    value as = convert(v, compared->type);
    return as.kind == VALUE_KNOWN && as.number == v.number;
}

/* Whether a condition has the form that count_steps() knows; fills in relation and bound then. */
static bool find_bound(counter *c, const node *condition, const trip_plan *plan, c_operator *relation, value *bound)
{
    bool adds = plan->step == OP_ADD || plan->step == OP_SUBTRACT;
    if (!adds || !is_relation(condition)) {
        return false;
    }
    bool left = node_variable(condition->child[0]) == plan->variable;
    bool right = node_variable(condition->child[1]) == plan->variable;
    node *other = condition->child[left ? 1 : 0];
    if (left == right || node_find(other, is_variable, &plan->variable) != NULL ||
        !keeps_value(condition->child[left ? 0 : 1], plan->start)) {
        return false;
    }
    *relation = left ? condition->operation : mirrored(condition->operation);
    *bound = evaluate(c, other);
    return bound->kind != VALUE_UNKNOWN;
}

/* Any other condition is tried trip by trip. */
static int try_each(counter *c, const node *condition, trip_plan *plan)
{
    value v = plan->start;
    for (plan->count = 0; c->budget > 0; plan->count++, c->budget--) {
        c->state[plan->variable] = v;
        value holds = evaluate(c, condition);
        if (holds.kind == VALUE_SYMBOL) {
            return holds.level;
        }
        if (v.kind != VALUE_KNOWN || holds.kind != VALUE_KNOWN) {
            plan->missing = "how often the loop goes";
            return INLAY_OK;
        }
        if (holds.number == 0) {
            plan->bounded = true;
            plan->end = v;
            return INLAY_OK;
        }
        v = plan_next(c, plan, v);
    }
    plan->missing = "how often the loop goes, which takes too long to try,";
    return INLAY_OK;
}

static int read_condition(counter *c, const node *condition, trip_plan *plan) /* NOLINT(misc-no-recursion): a && b */
{
    c_operator relation;
    value bound;
    if (find_bound(c, condition, plan, &relation, &bound)) {
        if (bound.kind == VALUE_SYMBOL) {
            return bound.level;
        }
        plan->bounded = count_steps(c, plan, relation, bound.number);
        plan->missing = plan->bounded ? NULL : "whether the loop ends at all";
        return INLAY_OK;
    }
    int status = try_each(c, condition, plan);
    bool both = condition->kind == NODE_BINARY && condition->operation == OP_AND;
    for (int side = 0; status == INLAY_OK && both && !plan->bounded && side < 2; side++) {
        status = read_condition(c, condition->child[side], plan);
        plan->may_end_before = plan->bounded;
    }
    return status;
}

/* ---- What would settle it ---- */

typedef struct unknown_search {
    counter *counter;
    node *loop;
} unknown_search;

static bool is_unknown(const node *n, const void *with)
{
    const unknown_search *search = with;
    return n->kind == NODE_VARIABLE && n->variable >= 0 && n->type.kind == TYPE_INTEGER &&
           evaluate(search->counter, n).kind == VALUE_UNKNOWN &&
           node_find(search->loop, assigns_variable, &n->variable) == NULL;
}

/* A variable without a known value in the loop's control, which -D could tell. */
static void find_unknown(counter *c, node *loop, trip_plan *plan)
{
    const unknown_search search = {c, loop};
    const node *found = NULL;
    for (int part = 0; part < 3 && found == NULL; part++) {
        found = node_find(loop->child[part], is_unknown, &search);
    }
    plan->unknown = found != NULL ? c->program->variable[found->variable].name : NULL;
}

/* ---- All loops ---- */

static int plan_for(counter *c, node *loop, trip_plan *plan)
{
    if (loop->child[1] == NULL || loop->child[2] == NULL) {
        plan->missing = "how often a loop without a condition or a step goes";
        return INLAY_OK;
    }
    int status = read_variable(c, loop, plan);
    if (status == INLAY_OK && plan->missing == NULL) {
        forget_assigned(c, loop->child[1]);
        forget_assigned(c, loop->child[2]);
        forget_assigned(c, loop->child[3]);
        status = read_condition(c, loop->child[1], plan);
    }
    if (status == INLAY_OK && !plan->bounded) {
        find_unknown(c, loop, plan);
    }
    return status;
}

int plan_trips(counter *c, node *loop, trip_plan *plan)
{
    const given_entry *told = given_trips(c->given, loop->line);
    *plan = (trip_plan){.variable = -1};
    if (told != NULL) {
        plan->bounded = true;
        plan->count = told->value;
        return INLAY_OK;
    }
    bool at_end = loop->kind == NODE_DO;
    if (at_end) {
        forget_assigned(c, loop);
    }
    value first = evaluate(c, loop->child[1]);
    if (first.kind == VALUE_KNOWN && first.number == 0) {
        plan->bounded = true;
        plan->count = at_end;
        return INLAY_OK;
    }
    if (loop->kind == NODE_FOR) {
        return plan_for(c, loop, plan);
    }
    plan->missing = "how often a while loop goes";
    return INLAY_OK;
}

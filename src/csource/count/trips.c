/* How often a loop goes through its body. */
#include "csource/count/count.h"
#include <inlay/status.h>

/* ---- Its variable ---- */

static bool is_variable(const node *n, const void *with)
{
    return n->kind == NODE_VARIABLE && n->variable == *(const int *)with;
}

static bool is_kind(const node *n, const void *with)
{
    return n->kind == ((const node *)with)->kind;
}

static bool assigns_variable(const node *n, const void *with)
{
    return (n->kind == NODE_ASSIGN || n->kind == NODE_STEP) && node_variable(n->child[0]) == *(const int *)with;
}

static bool assigns_counter(const node *n, const void *with)
{
    node *condition = *(node *const *)with;
    int variable = n->kind == NODE_ASSIGN || n->kind == NODE_STEP ? node_variable(n->child[0]) : -1;
    return variable >= 0 && (n->type.kind == TYPE_INTEGER || n->type.kind == TYPE_POINTER) &&
           node_find(condition, is_variable, &variable) != NULL;
}

static int count_assignments(const node *n, int variable) /* NOLINT(misc-no-recursion): as deep as the reader allows */
{
    int count = n != NULL && assigns_variable(n, &variable);
    for (int i = 0; n != NULL && i < n->children; i++) {
        count += count_assignments(n->child[i], variable);
    }
    return count;
}

/* Of what is done each time that a statement is come to, the first that assigns what the condition has. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as the reader allows
static const node *find_always(const node *n, node *condition)
{
    const node *found = NULL;
    if (n == NULL || (n->kind == NODE_BLOCK && n->known) || (n->kind > NODE_DECLARATION && n->kind <= NODE_GOTO)) {
        return NULL;
    }
    if (assigns_counter(n, &condition)) {
        return n;
    }
    bool first =
        n->kind == NODE_CHOICE || (n->kind == NODE_BINARY && (n->operation == OP_AND || n->operation == OP_OR));
    for (int i = 0; i < (first ? 1 : n->children) && found == NULL; i++) {
        found = find_always(n->child[i], condition);
    }
    return found;
}

/* What goes on with the next trip before the end of the body, or goes elsewhere. */
static bool skips(const node *n) /* NOLINT(misc-no-recursion): as deep as the reader allows */
{
    bool found = n != NULL && (n->kind == NODE_CONTINUE || n->kind == NODE_GOTO || n->kind == NODE_STRANGE ||
                               (n->kind == NODE_BLOCK && n->known));
    for (int i = 0; n != NULL && i < n->children && !found; i++) {
        bool inner = n->child[i] != NULL && node_is_loop(n->child[i]);
        const node goes_to = {.kind = NODE_GOTO};
        found = inner ? node_find(n->child[i], is_kind, &goes_to) != NULL : skips(n->child[i]);
    }
    return found;
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

/* What a step does with the variable: OP_ADD 1, OP_MULTIPLY 2, ... `i += i` is i *= 2. */
static value read_amount(counter *c, const node *step, int variable, c_operator *operation)
{
    const node *amount = NULL;
    *operation = step->operation;
    if (step->kind == NODE_STEP) {
        return known_value(1);
    }
    if (step->operation != OP_NONE) {
        amount = step->child[1];
    } else if (!read_assignment(step, variable, operation, &amount)) {
        return (value){0};
    }
    if (*operation == OP_ADD && node_variable(amount) == variable) {
        *operation = OP_MULTIPLY;
        return known_value(2);
    }
    return evaluate(c, amount);
}

/* Where a loop's variable changes. */
typedef enum step_place { STEP_ALONE, STEP_BODY, STEP_CONDITION } step_place;

static node *body_of(const node *loop)
{
    return loop->child[loop->kind == NODE_FOR ? 3 : 0];
}

static node *step_of(const node *loop)
{
    return loop->kind == NODE_FOR ? loop->child[2] : NULL;
}

static const node *find_step(const node *loop, step_place *place)
{
    node *condition = loop->child[1];
    const node *step = find_always(step_of(loop), condition);
    *place = STEP_ALONE;
    if (step == NULL) {
        *place = STEP_CONDITION;
        step = find_always(condition, condition);
    }
    if (step == NULL && !skips(body_of(loop))) {
        *place = STEP_BODY;
        step = find_always(body_of(loop), condition);
    }
    return step;
}

/* In the loop it changes there alone. */
static bool changes_once(const counter *c, const node *loop, int variable)
{
    const c_variable *v = &c->program->variable[variable];
    return !v->escapes && !v->outside &&
           count_assignments(loop->child[1], variable) + count_assignments(step_of(loop), variable) +
                   count_assignments(body_of(loop), variable) ==
               1;
}

/* `i++`: what is compared is what it was. */
static bool is_behind(const node *step)
{
    return step->kind == NODE_STEP && step->from < step->to && step->child[0]->from == step->from;
}

/* Another variable that is compared with this one, and changes beside it: i < j, where j falls. */
static const node *find_partner(const counter *c, const node *loop, const trip_plan *plan, step_place place)
{
    const node *condition = loop->child[1];
    for (int side = 0; side < 2 && condition->kind == NODE_BINARY && place != STEP_CONDITION; side++) {
        int other = node_variable(condition->child[1 - side]);
        node *alone = condition->child[1 - side];
        if (node_variable(condition->child[side]) == plan->variable && other >= 0 && changes_once(c, loop, other)) {
            return find_always(place == STEP_ALONE ? step_of(loop) : body_of(loop), alone);
        }
    }
    return NULL;
}

/* Its first values, which the loop changes: what it compares, and what its body sees. */
static void read_start(counter *c, const node *loop, step_place place, const node *step, trip_plan *plan)
{
    plan->start = c->state[plan->variable];
    plan->behind = place == STEP_CONDITION && is_behind(step);
    const node *partner = find_partner(c, loop, plan, place);
    plan->partner = partner != NULL ? node_variable(partner->child[0]) : -1;
    if (plan->partner >= 0) {
        plan->partner_start = c->state[plan->partner];
    }
    forget_assigned(c, loop->child[1]);
    forget_assigned(c, step_of(loop));
    forget_assigned(c, body_of(loop));
    plan->amount = read_amount(c, step, plan->variable, &plan->step);
    if (plan->partner >= 0) {
        plan->partner_amount = read_amount(c, partner, plan->partner, &plan->partner_step);
    }
    bool at_end = loop->kind == NODE_DO;
    value second = plan_next(c, plan, plan->start);
    plan->tested = (at_end || place == STEP_CONDITION) && !plan->behind ? second : plan->start;
    plan->start = !at_end && place == STEP_CONDITION ? second : plan->start;
}

/* Finds the variable, its start and its step. What the loop assigns is not known any more. */
static int read_variable(counter *c, const node *loop, trip_plan *plan)
{
    step_place place;
    const node *step = find_step(loop, &place);
    int variable = step != NULL ? node_variable(step->child[0]) : -1;
    bool in_macro = place == STEP_CONDITION && step != NULL && step->kind == NODE_STEP && step->from == step->to;
    if (step == NULL || in_macro) {
        plan->missing = loop->kind != NODE_FOR ? "how often a while loop goes"
                                               : "which variable its condition and its step have in common";
        return INLAY_OK;
    }
    if (!changes_once(c, loop, variable)) {
        plan->missing =
            loop->kind != NODE_FOR ? "how often a while loop goes" : "where else the loop's variable changes";
        return INLAY_OK;
    }
    plan->variable = variable;
    value before = c->state[variable];
    read_start(c, loop, place, step, plan);
    if (plan->amount.kind == VALUE_UNKNOWN) {
        plan->missing = "by how much the loop's variable changes";
    }
    if (plan->start.kind == VALUE_UNKNOWN || plan->tested.kind == VALUE_UNKNOWN) {
        plan->missing = plan->missing != NULL ? plan->missing : "where the loop's variable starts";
    }
    if (before.kind == VALUE_SYMBOL || plan->amount.kind == VALUE_SYMBOL) {
        return before.kind == VALUE_SYMBOL ? before.level : plan->amount.level;
    }
    return INLAY_OK;
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

static __int128 signed_amount(c_operator operation, value amount)
{
    return operation == OP_ADD ? amount.number : -(__int128)amount.number;
}

/* The value after so many steps; unknown where it would leave its type. */
static value value_after(const counter *c, int variable, value start, __int128 step, __int128 trips)
{
    __int128 end = start.number + trips * step;
    if (end < INT64_MIN || end > INT64_MAX) {
        return (value){0};
    }
    value v = start;
    v.number = (int64_t)end;
    v = convert(v, c->program->variable[variable].type);
    return v.kind == VALUE_KNOWN && v.number == (int64_t)end ? v : (value){0};
}

static __int128 trips_between(c_operator relation, __int128 start, __int128 step, __int128 bound)
{
    bool rising = step > 0;
    __int128 distance = rising ? bound - start : start - bound;
    __int128 trips = step == 0 ? -1 : trips_to(relation, distance, rising ? step : -step, rising);
    return trips <= INT64_MAX ? trips : -1;
}

/* By addition or subtraction, up to a bound; false where the variable would leave its type. */
static bool count_steps(const counter *c, trip_plan *plan, c_operator relation, int64_t bound)
{
    __int128 step = signed_amount(plan->step, plan->amount);
    __int128 trips = trips_between(relation, plan->tested.number, step, bound);
    if (trips < 0) {
        return false;
    }
    plan->end = value_after(c, plan->variable, plan->tested, step, trips);
    plan->count = (int64_t)trips;
    return plan->end.kind == VALUE_KNOWN;
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

/* The variable that is compared, also where it changes there. */
static int compared_variable(const node *n)
{
    while (n->kind == NODE_CAST && n->children > 0) {
        n = n->child[n->children - 1];
    }
    return node_variable(n->kind == NODE_STEP || n->kind == NODE_ASSIGN ? n->child[0] : n);
}

/* Whether a condition has the form that count_steps() knows; fills in relation and bound then. */
static bool find_bound(counter *c, const node *condition, const trip_plan *plan, c_operator *relation, value *bound)
{
    bool adds = plan->step == OP_ADD || plan->step == OP_SUBTRACT;
    if (!adds || !is_relation(condition)) {
        return false;
    }
    bool left = compared_variable(condition->child[0]) == plan->variable;
    bool right = compared_variable(condition->child[1]) == plan->variable;
    node *other = condition->child[left ? 1 : 0];
    if (left == right || node_find(other, is_variable, &plan->variable) != NULL ||
        !keeps_value(condition->child[left ? 0 : 1], plan->tested)) {
        return false;
    }
    *relation = left ? condition->operation : mirrored(condition->operation);
    *bound = evaluate_address(c, other);
    return bound->kind == VALUE_SYMBOL || (bound->kind == VALUE_KNOWN && bound->base == plan->tested.base);
}

/* i < j, of which each takes its steps: the difference does. */
static bool count_towards(const counter *c, const node *condition, trip_plan *plan)
{
    bool known = plan->partner >= 0 && is_relation(condition) && plan->tested.kind == VALUE_KNOWN &&
                 plan->partner_start.kind == VALUE_KNOWN && plan->partner_amount.kind == VALUE_KNOWN &&
                 plan->tested.base == plan->partner_start.base && (plan->step == OP_ADD || plan->step == OP_SUBTRACT) &&
                 (plan->partner_step == OP_ADD || plan->partner_step == OP_SUBTRACT);
    if (!known) {
        return false;
    }
    int side = node_variable(condition->child[0]) == plan->variable ? 0 : 1;
    c_operator relation = side == 0 ? condition->operation : mirrored(condition->operation);
    __int128 step = signed_amount(plan->step, plan->amount);
    __int128 other = signed_amount(plan->partner_step, plan->partner_amount);
    __int128 from = plan->at_end ? plan->partner_start.number + other : plan->partner_start.number;
    __int128 trips = trips_between(relation, plan->tested.number - from, step - other, 0);
    value met = value_after(c, plan->partner, plan->partner_start, other, trips + plan->at_end);
    plan->end = value_after(c, plan->variable, plan->tested, step, trips);
    plan->count = (int64_t)trips;
    return trips >= 0 && met.kind == VALUE_KNOWN && plan->end.kind == VALUE_KNOWN &&
           keeps_value(condition->child[side], plan->tested) && keeps_value(condition->child[side], plan->end) &&
           keeps_value(condition->child[1 - side], plan->partner_start) && keeps_value(condition->child[1 - side], met);
}

/* Any other condition is tried trip by trip. */
static int try_each(counter *c, const node *condition, trip_plan *plan)
{
    value v = plan->tested;
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
    if (compared_variable(condition) == plan->variable && (plan->step == OP_ADD || plan->step == OP_SUBTRACT) &&
        plan->tested.base == 0) { /* while (n--) */
        plan->bounded = count_steps(c, plan, OP_UNEQUAL, 0);
        plan->missing = plan->bounded ? NULL : "whether the loop ends at all";
        return INLAY_OK;
    }
    if (count_towards(c, condition, plan)) {
        plan->bounded = true;
        return INLAY_OK;
    }
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
    for (int part = loop->kind == NODE_FOR ? 0 : 1; part < (loop->kind == NODE_FOR ? 3 : 2) && found == NULL; part++) {
        found = node_find(loop->child[part], is_unknown, &search);
    }
    plan->unknown = found != NULL ? c->program->variable[found->variable].name : NULL;
}

/* ---- All loops ---- */

typedef struct assigned_search {
    node *loop;
} assigned_search;

static bool is_assigned(const node *n, const void *with)
{
    const assigned_search *search = with;
    return n->kind == NODE_CALL || n->kind == NODE_STEP || n->kind == NODE_ASSIGN ||
           (n->kind == NODE_VARIABLE && n->variable >= 0 &&
            node_find(search->loop, assigns_variable, &n->variable) != NULL);
}

/* Whether the loop may change what a condition has. */
static bool is_assigned_in(node *loop, node *condition)
{
    const assigned_search search = {loop};
    return node_find(condition, is_assigned, &search) != NULL;
}

/* The trips that the comparisons tell are behind the first of a do-loop; what `i++` adds behind the last comparison. */
static void end_plan(const counter *c, trip_plan *plan)
{
    plan->count += plan->at_end;
    if (plan->behind) {
        plan->end = plan_next(c, plan, plan->end);
    }
}

static int plan_loop(counter *c, node *loop, trip_plan *plan)
{
    int status = read_variable(c, loop, plan);
    if (status == INLAY_OK && plan->missing == NULL) {
        status = read_condition(c, loop->child[1], plan);
    }
    if (status == INLAY_OK && plan->bounded) {
        end_plan(c, plan);
    }
    if (status == INLAY_OK && !plan->bounded) {
        find_unknown(c, loop, plan);
    }
    return status;
}

int plan_trips(counter *c, node *loop, trip_plan *plan)
{
    const given_entry *told = given_trips(c->given, loop->line);
    *plan = (trip_plan){.variable = -1, .partner = -1, .at_end = loop->kind == NODE_DO};
    if (told != NULL) {
        plan->bounded = true;
        plan->count = told->value;
        return INLAY_OK;
    }
    if (loop->kind == NODE_FOR && (loop->child[1] == NULL || (loop->child[2] == NULL && skips(loop->child[3])))) {
        plan->missing = "how often a loop without a condition or a step goes";
        return INLAY_OK;
    }
    if (!plan->at_end || !is_assigned_in(loop, loop->child[1])) {
        value first = evaluate(c, loop->child[1]);
        if (first.kind == VALUE_KNOWN && first.number == 0) {
            plan->bounded = true;
            plan->count = plan->at_end;
            return INLAY_OK;
        }
    }
    return plan_loop(c, loop, plan);
}

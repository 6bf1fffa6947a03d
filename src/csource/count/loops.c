/*
 * Loops: their bodies once for all trips, or once for each.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows.
 */
#include "csource/count/count.h"
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>

static node *body_of(const node *loop)
{
    return loop->child[loop->kind == NODE_FOR ? 3 : 0];
}

static node *condition_of(const node *loop)
{
    return loop->child[1];
}

static bool is_call(const node *n, const void *with)
{
    (void)with;
    return n->kind == NODE_CALL;
}

/* Start, condition and step have their effects, and do not count. */
static int pass_control(counter *c, node *part)
{
    node *call = node_find(part, is_call, NULL);
    c->control++;
    int status = call == NULL ? count_node(c, part) : INLAY_OK;
    c->control--;
    if (call != NULL) {
        forget_assigned(c, part);
        status = note_limit(c, call, "this call in the control of a loop is not counted");
    }
    return status;
}

/* The body, as often as the weight in force tells, up to a jump. */
static int go_once(counter *c, const node *loop)
{
    int status = add_times(c, loop, loop->row, c->weight);
    status = status == INLAY_OK ? count_node(c, body_of(loop)) : status;
    jump_ends(c, JUMP_CONTINUE);
    return status;
}

/*
 * Once for all trips. The level of the loop itself: its body wants to know the variable; or leaves the loop, whose trips
 * are 1 then.
 */
static int try_at_once(counter *c, const node *loop, const trip_plan *plan, int64_t *trips)
{
    size_t size = (size_t)c->program->rows * sizeof *c->tally;
    tally *before = malloc(size);
    if (before == NULL) {
        return INLAY_NO_MEMORY;
    }
    memcpy(before, c->tally, size);
    c->level++;
    c->state[plan->variable] = (value){.kind = VALUE_SYMBOL, .level = c->level};
    int status = go_once(c, loop);
    if (status == INLAY_OK && c->jump != JUMP_NONE) {
        status = c->level;
        *trips = 1;
    }
    if (status == c->level) {
        memcpy(c->tally, before, size);
        c->jump = JUMP_NONE;
    }
    c->level--;
    free(before);
    return status;
}

/* Trip by trip; the variable's end is where a break leaves it. */
static int go_each(counter *c, const node *loop, trip_plan *plan, int64_t trips)
{
    value v = plan->start;
    int64_t left = trips;
    int status = INLAY_OK;
    c->budget -= trips;
    for (; left > 0 && status == INLAY_OK && c->jump == JUMP_NONE; left--) {
        forget_assigned(c, body_of(loop));
        c->state[plan->variable] = v;
        status = go_once(c, loop);
        plan->end = c->jump == JUMP_BREAK ? c->state[plan->variable] : plan->end;
        v = plan_next(c, plan, v);
    }
    c->budget += left;
    return status;
}

/* One trip, or all of them with the weight that is in force, with what is not known of the variable. */
static int go_blind(counter *c, const node *loop, bool too_many)
{
    c->too_many += too_many;
    c->doubt[JUMP_BREAK] += too_many;
    c->doubt[JUMP_RETURN] += too_many;
    int status = go_once(c, loop);
    c->doubt[JUMP_RETURN] -= too_many;
    c->too_many -= too_many;
    return status;
}

/* The body of a loop whose variable has known values. */
static int go_with_variable(counter *c, node *loop, trip_plan *plan, int64_t weight)
{
    int64_t trips = plan->count;
    if (plan->count > 1 && !loop->each) {
        c->weight = weight;
        int own = c->level + 1;
        int status = try_at_once(c, loop, plan, &trips);
        if (status != own) {
            return status;
        }
        loop->each = trips > 1;
        forget_assigned(c, loop);
    }
    if (trips > c->budget) {
        c->weight = weight;
        return go_blind(c, loop, true);
    }
    c->weight = weight / plan->count;
    return go_each(c, loop, plan, trips);
}

/*
 * What a loop with a plan does; `weight` is how often its body is gone through in all. Jumps are its own, and a return is
 * not come to where it may have no trips.
 */
static int go_through(counter *c, node *loop, trip_plan *plan, int64_t weight, bool may_have_none)
{
    int64_t outer = c->weight;
    int row = c->row;
    int doubt[JUMPS];
    int status = add_times(c, loop, loop->row, 0);
    if (status != INLAY_OK || weight == 0) {
        return status;
    }
    memcpy(doubt, c->doubt, sizeof doubt);
    c->doubt[JUMP_BREAK] = c->doubt[JUMP_CONTINUE] = 0;
    c->doubt[JUMP_RETURN] += may_have_none;
    c->row = loop->row;
    if (plan->variable >= 0) {
        status = go_with_variable(c, loop, plan, weight);
    } else {
        c->weight = weight;
        status = go_blind(c, loop, false);
    }
    jump_ends(c, JUMP_BREAK);
    memcpy(c->doubt, doubt, sizeof doubt);
    c->row = row;
    c->weight = outer;
    return status;
}

/* Counted as one trip, so that what is known can be told; the sums are not. */
static int go_unbounded(counter *c, node *loop, const trip_plan *plan)
{
    trip_plan once = {.variable = -1};
    bool outer = c->unbounded;
    const char *missing =
        c->too_many > 0 ? "how often the loop goes, which depends on a loop of too many trips to try," : plan->missing;
    const char *name = c->too_many > 0 ? NULL : plan->unknown;
    int status =
        note_problem(c, loop, "%s is not known; %s%s%s--trip %u=N tells it", missing, name != NULL ? "-D " : "",
                     name != NULL ? name : "", name != NULL ? "=N or " : "", loop->line);
    c->unbounded = true;
    status = status == INLAY_OK ? go_through(c, loop, &once, c->weight, true) : status;
    c->unbounded = outer;
    return status;
}

static int go_bounded(counter *c, node *loop, trip_plan *plan)
{
    int64_t weight;
    if (__builtin_mul_overflow(c->weight, plan->count, &weight)) {
        c->overflow = loop->line;
        return INLAY_OVERFLOW;
    }
    int status = plan->may_end_before ? note_limit(c, loop, "the loop counts as if only one of its conditions ended it")
                                      : INLAY_OK;
    return status == INLAY_OK ? go_through(c, loop, plan, weight, plan->may_end_before) : status;
}

int count_loop(counter *c, node *loop)
{
    trip_plan plan;
    int status = loop->kind == NODE_FOR ? pass_control(c, loop->child[0]) : INLAY_OK;
    status = status == INLAY_OK ? plan_trips(c, loop, &plan) : status;
    if (status != INLAY_OK) {
        return status;
    }
    bool goes = !plan.bounded || plan.count > 0, left_open = c->left_open;
    c->left_open = plan.may_end_before;
    if (goes) {
        forget_assigned(c, condition_of(loop));
        forget_assigned(c, loop->kind == NODE_FOR ? loop->child[2] : NULL);
        forget_assigned(c, body_of(loop));
        status = pass_control(c, condition_of(loop));
    }
    if (status == INLAY_OK) {
        status = plan.bounded ? go_bounded(c, loop, &plan) : go_unbounded(c, loop, &plan);
    }
    if (goes) {
        forget_assigned(c, condition_of(loop));
        forget_assigned(c, loop->kind == NODE_FOR ? loop->child[2] : NULL);
        forget_assigned(c, body_of(loop));
    }
    if (status == INLAY_OK && plan.bounded && plan.variable >= 0 && !c->left_open) {
        c->state[plan.variable] = plan.end;
    }
    c->left_open = left_open;
    return status;
}

/* NOLINTEND(misc-no-recursion) */

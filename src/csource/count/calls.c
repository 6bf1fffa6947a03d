/*
 * Calls, and whole functions.
 *
 * NOLINTBEGIN(misc-no-recursion): as deep as the reader allows; functions that call themselves are refused.
 */
#include "csource/count/count.h"
#include "csource/count/plan.h"
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POWER = 8 }; /* up to which a power is a few multiplications */

/* ---- Functions of this file ---- */

/* The parameters' values are set. */
static int go_into(counter *c, int number)
{
    c_function *f = &c->program->function[number];
    int row = c->row, index = c->index;
    bool left_open = c->left_open;
    int doubt[JUMPS];
    int status = add_times(c, f->body, f->row, c->weight);
    memcpy(doubt, c->doubt, sizeof doubt);
    memset(c->doubt, 0, sizeof doubt);
    f->active = true;
    c->row = f->row;
    c->index = 0;
    status = status == INLAY_OK ? count_node(c, f->body) : status;
    c->jump = JUMP_NONE;
    memcpy(c->doubt, doubt, sizeof doubt);
    c->left_open = left_open;
    c->index = index;
    c->row = row;
    f->active = false;
    return status;
}

static int call_function(counter *c, node *call)
{
    const c_function *f = &c->program->function[call->function];
    if (f->active) {
        return note_problem(c, call,
                            "how often %s() calls itself is not known; --call %s=ARITHMETIC:FUNCTIONS tells it",
                            f->name, f->name);
    }
    if (--c->budget < 0) {
        return note_problem(c, call, "what %s() does takes too long to count; --call %s=ARITHMETIC:FUNCTIONS tells it",
                            f->name, f->name);
    }
    for (int i = 0; i < f->parameters; i++) {
        value_type type = c->program->variable[f->parameter[i]].type;
        c->state[f->parameter[i]] = i < call->children ? convert(evaluate(c, call->child[i]), type) : (value){0};
    }
    return go_into(c, call->function);
}

/* ---- All calls ---- */

/* pow(x, 2), pow(x, -3.0): a whole power that is small. */
static bool is_small_power(counter *c, const node *call, const math_counts *counts)
{
    if (!counts->is_power || call->children != 2 || !call->child[1]->constant) {
        return false;
    }
    value power = evaluate(c, call->child[1]);
    return power.kind == VALUE_KNOWN && power.number >= -MOST_POWER && power.number <= MOST_POWER;
}

int count_arguments(counter *c, node *call)
{
    int index = c->index;
    int status = INLAY_OK;
    c->index = 0;
    for (int i = 0; i < call->children && status == INLAY_OK; i++) {
        status = count_node(c, call->child[i]);
    }
    c->index = index;
    return status;
}

int count_call(counter *c, node *call)
{
    math_counts counts;
    int status = count_arguments(c, call);
    if (status != INLAY_OK) {
        return status;
    }
    if (call->name == NULL && c->plan != NULL) {
        return plan_unknown_call(c, call);
    }
    if (call->name == NULL) {
        forget_outside(c);
        return note_problem(c, call, "what is called here is not known; expected the name of a function");
    }
    if (c->plan != NULL && call->function >= 0) {
        return INLAY_OK; /* it counts itself */
    }
    if (call->function < 0 && call_may_assign(call)) {
        forget_outside(c);
    }
    const given_entry *told = given_find(&c->given->calls, call->name);
    if (told != NULL) {
        return add_operations(c, call, told->value, told->second);
    }
    if (call->function >= 0) {
        return call_function(c, call);
    }
    if (call->system && math_find(call->name, &counts)) {
        return is_small_power(c, call, &counts) ? add_operations(c, call, 1, 0)
                                                : add_operations(c, call, counts.arithmetic, counts.functions);
    }
    if (c->plan != NULL) {
        return plan_unknown_call(c, call);
    }
    return note_problem(c, call, "what %s() does is not known; --call %s=ARITHMETIC:FUNCTIONS tells it", call->name,
                        call->name);
}

/* ---- The counter ---- */

int counter_open(counter *c, program *p, const given *g)
{
    *c = (counter){.program = p, .given = g, .bounded = true};
    c->state = calloc((size_t)p->variables + 1, sizeof *c->state);
    c->tally = calloc((size_t)p->rows + 1, sizeof *c->tally);
    return c->state != NULL && c->tally != NULL ? INLAY_OK : INLAY_NO_MEMORY;
}

void counter_close(counter *c)
{
    free(c->limits.at);
    free(c->problems.at);
    free(c->state);
    free(c->tally);
    *c = (counter){0};
}

static bool add_up(const counter *c, counted *out)
{
    bool fits = true;
    for (int i = 0; i < c->program->rows && fits; i++) {
        fits = !__builtin_add_overflow(out->arithmetic, c->tally[i].arithmetic, &out->arithmetic) &&
               !__builtin_add_overflow(out->functions, c->tally[i].functions, &out->functions) &&
               !__builtin_add_overflow(out->bytes, c->tally[i].bytes, &out->bytes);
    }
    return fits;
}

int count_function(counter *c, int number, counted *out)
{
    size_t rows = (size_t)c->program->rows * sizeof *c->tally;
    memset(c->tally, 0, rows);
    memset(c->state, 0, (size_t)c->program->variables * sizeof *c->state);
    c->row = c->program->function[number].row;
    c->weight = 1;
    c->bounded = true;
    c->budget = MOST_EVALUATIONS;
    counted sums = {.function = number};
    int status = go_into(c, number);
    if (status == INLAY_OK && !add_up(c, &sums)) {
        c->overflow = c->program->function[number].line;
        status = INLAY_OVERFLOW;
    }
    sums.row = status == INLAY_OK ? pool_array(&c->program->memory, rows, 1) : NULL;
    if (status != INLAY_OK || sums.row == NULL) {
        return status != INLAY_OK ? status : INLAY_NO_MEMORY;
    }
    memcpy(sums.row, c->tally, rows);
    sums.bounded = c->bounded;
    *out = sums;
    return INLAY_OK;
}

/* NOLINTEND(misc-no-recursion) */

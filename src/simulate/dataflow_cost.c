/* What operations take, in grains. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "simulate/dataflow.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 12 };

void dataflow_costs_clear(dataflow_costs *costs)
{
    free(costs->grains);
    *costs = (dataflow_costs){0};
}

static int find_operation(const inlay_program *program, const char *name)
{
    int operation = inlay_program_operations(program) - 1;
    while (operation >= 0 && strcmp(inlay_program_operation_name(program, operation), name) != 0) {
        operation--;
    }
    return operation;
}

/* A cost in the unit of the run. */
static int convert(const inlay_program *program, const inlay_cost *cost, inlay_unit unit, inlay_decimal *value,
                   inlay_diag *diag)
{
    inlay_unit given = cost->time.unit == INLAY_UNIT_NONE ? unit : cost->time.unit;
    if (find_operation(program, cost->operation) < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s: a cost is given for '%s'; expected an operation of the program: add, multiply, divide, "
                         "sqrt, function, compare, get, put, or one of its own",
                         program->name, cost->operation);
    }
    if (cost->time.value.digits < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: the cost of '%s' is negative; expected 0 or more",
                         program->name, cost->operation);
    }
    if ((given == INLAY_UNIT_TICK) != (unit == INLAY_UNIT_TICK)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: the cost of '%s' is in %s; expected the unit of the run, %s",
                         program->name, cost->operation, inlay_unit_word(given), inlay_unit_word(unit));
    }
    int power = unit == INLAY_UNIT_TICK ? 0 : unit_power(given, unit);
    if (!decimal_shift(cost->time.value, power, value)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s: the cost of '%s' is out of range; expected at most 18 digits before and behind the point",
                         program->name, cost->operation);
    }
    *value = decimal_normal(*value);
    return INLAY_OK;
}

/* The most decimals of any cost. */
static int find_decimals(const inlay_program *program, const inlay_program_options *options, dataflow_costs *costs,
                         inlay_diag *diag)
{
    for (size_t i = 0; i < options->costs; i++) {
        inlay_decimal value = {0, 0};
        int status = convert(program, &options->cost[i], costs->unit, &value, diag);
        if (status != INLAY_OK) {
            return status;
        }
        costs->decimals = value.scale > costs->decimals ? value.scale : costs->decimals;
    }
    costs->decimals = costs->decimals < MOST_DECIMALS ? costs->decimals : MOST_DECIMALS;
    return INLAY_OK;
}

static int fill(const inlay_program *program, const inlay_program_options *options, dataflow_costs *costs,
                inlay_diag *diag)
{
    int operations = inlay_program_operations(program);
    costs->grains = memory_array((size_t)operations, sizeof *costs->grains);
    if (costs->grains == NULL) {
        return diag_no_memory(diag);
    }
    double otherwise = costs->measured ? 0 : costs->unit == INLAY_UNIT_TICK ? pow(10, costs->decimals) : NAN;
    for (int i = 0; i < operations; i++) {
        costs->grains[i] = otherwise;
    }
    for (size_t i = 0; i < options->costs; i++) {
        inlay_decimal value = {0, 0};
        int64_t grains = 0;
        int status = convert(program, &options->cost[i], costs->unit, &value, diag);
        if (status == INLAY_OK && !decimal_grains(value, costs->decimals, &grains)) {
            status = diag_fail(diag, INLAY_OVERFLOW,
                               "%s: the cost of '%s' has too many digits beside the others; expected 18 in all",
                               program->name, options->cost[i].operation);
        }
        if (status != INLAY_OK) {
            return status;
        }
        costs->grains[find_operation(program, options->cost[i].operation)] = (double)grains;
    }
    return INLAY_OK;
}

static int check_unit(const inlay_program *program, const inlay_program_options *options, inlay_unit expected,
                      inlay_unit unit, inlay_diag *diag)
{
    if (expected != INLAY_UNIT_NONE && unit != expected) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%s: the run is in %s; expected the unit of the mapping, %s",
                         program->name, inlay_unit_word(unit), inlay_unit_word(expected));
    }
    if (options->measured && (unit == INLAY_UNIT_TICK || options->costs > 0)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%s: times are measured, and %s; expected a unit of seconds, and no costs", program->name,
                         unit == INLAY_UNIT_TICK ? "told in ticks" : "costs are given");
    }
    return INLAY_OK;
}

int dataflow_costs_make(const inlay_program *program, const inlay_program_options *options, inlay_unit unit,
                        dataflow_costs *costs, inlay_diag *diag)
{
    inlay_unit otherwise = options->measured ? INLAY_UNIT_S : INLAY_UNIT_TICK;
    otherwise = unit != INLAY_UNIT_NONE ? unit : otherwise;
    dataflow_costs c = {.unit = options->unit == INLAY_UNIT_NONE ? otherwise : options->unit,
                        .measured = options->measured};
    int status = check_unit(program, options, unit, c.unit, diag);
    if (status == INLAY_OK && c.measured) {
        c.decimals = -unit_power(INLAY_UNIT_NS, c.unit); /* a grain is 1 ns */
    } else if (status == INLAY_OK) {
        status = find_decimals(program, options, &c, diag);
    }
    if (status == INLAY_OK) {
        status = fill(program, options, &c, diag);
    }
    if (status != INLAY_OK) {
        dataflow_costs_clear(&c);
        return status;
    }
    *costs = c;
    return INLAY_OK;
}

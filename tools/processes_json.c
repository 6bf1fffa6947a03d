/* The JSON of `inlay processes`. */
#include "processes.h"
#include "result.h"
#include <inlay/inlay.h>
#include <stdlib.h>

static void put_null(result *out, const char *key)
{
    result_exact(out, key, "null");
}

/* ---- The question ---- */

static void put_question(result *out, const processes_found *of)
{
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(of->plan);
    result_string(out, "file", processes_name(of));
    result_integer(out, "data", of->problem.data);
    result_string(out, "data_unit", of->platform->data_unit);
    result_string(out, "time_unit", inlay_unit_name(of->platform->time_unit));
    result_integer(out, "processors", of->processors);
    result_bool(out, "beyond_hoho", of->options.beyond_hoho);
    result_bool(out, "whole_units", of->options.whole_units);
    result_integer(out, "from", rivals->from);
    result_integer(out, "to", rivals->to);
}

/* ---- Answers ---- */

/* An element for each processor. */
static void put_processes(result *out, const processes_found *of, const inlay_process_answer *answer)
{
    result_open(out, "processes", '[');
    for (size_t q = 0; q < of->problem.rows; q++) {
        for (int64_t i = 0; i < of->problem.row[q].count; i++) {
            result_integer(out, NULL, answer->share[q].each + (i < answer->share[q].extra));
        }
    }
    result_close(out, ']');
}

static void put_shape(result *out, const inlay_process_grid *shape)
{
    result_open(out, "shape", '[');
    for (size_t i = 0; i < 3; i++) {
        result_integer(out, NULL, shape->shape[i]);
    }
    result_close(out, ']');
    result_integer(out, "links", shape->links);
    result_integer(out, "internal", shape->internal);
    result_number(out, "volume", shape->volume);
    result_number(out, "external", shape->external);
    result_number(out, "busiest", shape->busiest);
}

static void put_answer(result *out, const processes_found *of, const inlay_process_answer *answer)
{
    char room[INLAY_PROCESSOR_NAME];
    put_processes(out, of, answer);
    result_integer(out, "total", answer->total);
    result_number(out, "time", answer->time);
    result_integer(out, "used", answer->used);
    result_string(out, "last", processes_type(of, answer->last, room));
    result_bool(out, "measured", answer->measured);
}

/* Another answer beside the best one. */
static void put_other(result *out, const char *key, const processes_found *of, const inlay_process_answer *answer,
                      const inlay_process_grids *grids)
{
    const inlay_process_grid *shape = processes_shape(grids);
    result_open(out, key, '{');
    put_answer(out, of, answer);
    result_number(out, "longer", processes_longer(of, answer));
    if (shape != NULL) {
        result_open(out, "grid", '{');
        put_shape(out, shape);
        result_close(out, '}');
    } else {
        put_null(out, "grid");
    }
    result_close(out, '}');
}

static void put_others(result *out, const processes_found *of)
{
    put_other(out, "fewest", of, of->fewest, of->fewest_grids);
    result_open(out, "next", '[');
    for (size_t i = 1; i < inlay_process_plan_count(of->plan); i++) {
        put_other(out, NULL, of, inlay_process_plan_at(of->plan, i), of->next_grids != NULL ? of->next_grids[i] : NULL);
    }
    result_close(out, ']');
}

/* ---- Types of processors ---- */

static void put_share(result *out, const char *key, const inlay_process_share *share)
{
    result_open(out, key, '{');
    result_integer(out, "each", share->each);
    result_integer(out, "extra", share->extra);
    result_close(out, '}');
}

static void put_number_above_0(result *out, const char *key, double number)
{
    if (number > 0) {
        result_number(out, key, number);
    } else {
        put_null(out, key);
    }
}

static void put_fit(result *out, const inlay_performance_errors *errors)
{
    if (errors == NULL) {
        put_null(out, "fit");
        return;
    }
    result_open(out, "fit", '{');
    result_integer(out, "measurements", (int64_t)errors->measurements);
    result_number(out, "rms", errors->rms);
    result_number(out, "worst", errors->worst);
    result_integer(out, "worst_processes", errors->missed.processes);
    result_number(out, "worst_data", errors->missed.data);
    result_open(out, "errors", '[');
    for (size_t i = 0; i < errors->measurements; i++) {
        result_open(out, NULL, '{');
        result_integer(out, "processes", errors->measurement[i].processes);
        result_number(out, "data", errors->measurement[i].data);
        result_number(out, "speed", errors->measurement[i].speed);
        result_number(out, "error", errors->error[i]);
        result_close(out, '}');
    }
    result_close(out, ']');
    result_close(out, '}');
}

static void put_range(result *out, const inlay_performance *performance)
{
    inlay_performance_range range = inlay_performance_range_of(performance);
    if (!range.known) {
        put_null(out, "measured");
        return;
    }
    result_open(out, "measured", '{');
    result_integer(out, "processes_from", range.processes[0]);
    result_integer(out, "processes_to", range.processes[1]);
    result_number(out, "data_from", range.data[0]);
    result_number(out, "data_to", range.data[1]);
    result_close(out, '}');
}

static void put_type(result *out, const processes_found *of, size_t q)
{
    const inlay_processors *row = &of->problem.row[q];
    const inlay_process_share *share = &of->best->share[q];
    inlay_performance_numbers numbers = inlay_performance_numbers_of(row->performance);
    int64_t most = share->each + (share->extra > 0);
    double data = (double)most * of->best->unit;
    char room[INLAY_PROCESSOR_NAME];
    result_open(out, NULL, '{');
    result_string(out, "name", processes_type(of, q, room));
    result_integer(out, "count", row->count);
    put_share(out, "processes", share);
    result_number(out, "data", data);
    result_number(out, "time", most > 0 ? inlay_processors_time(row, (double)most, data) : 0);
    put_share(out, "hohe_data", &inlay_process_plan_rivals(of->plan)->data[q]);
    result_open(out, "speed", '{');
    result_string(out, "form", inlay_performance_form_name(inlay_performance_form_of(row->performance)));
    put_number_above_0(out, "c", numbers.c);
    put_number_above_0(out, "a", numbers.a);
    put_number_above_0(out, "b", numbers.b);
    result_number(out, "factor", row->speed > 0 ? row->speed : 1);
    put_range(out, row->performance);
    put_fit(out, inlay_performance_errors_of(row->performance));
    result_close(out, '}');
    result_close(out, '}');
}

/* ---- Process grids ---- */

static void put_ranks(result *out, const processes_found *of, const inlay_process_grid *shape)
{
    result_open(out, "ranks", '[');
    for (int64_t rank = 0; rank < of->best->total; rank++) {
        result_integer(out, NULL, shape->processor[rank]);
    }
    result_close(out, ']');
}

static void put_grids(result *out, const processes_found *of)
{
    if (of->grids == NULL) {
        put_null(out, "grid");
        return;
    }
    result_open(out, "grid", '{');
    result_open(out, "points", '[');
    for (size_t i = 0; i < 3; i++) {
        result_integer(out, NULL, of->grid.data[i] > 0 ? of->grid.data[i] : 1);
    }
    result_close(out, ']');
    result_integer(out, "halo", of->grid.halo > 0 ? of->grid.halo : 1);
    result_open(out, "shapes", '[');
    for (size_t i = 0; i < inlay_process_grids_count(of->grids); i++) {
        result_open(out, NULL, '{');
        put_shape(out, inlay_process_grids_at(of->grids, i));
        result_close(out, '}');
    }
    result_close(out, ']');
    put_ranks(out, of, processes_shape(of->grids));
    result_close(out, '}');
}

/* ---- The object ---- */

int processes_put_members(result *out, const cli_answer *a)
{
    const processes_found *of = a->of;
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(of->plan);
    put_question(out, of);
    put_answer(out, of, of->best);
    result_number(out, "hoho", rivals->hoho);
    result_number(out, "hohe", rivals->hohe);
    result_number(out, "speedup", rivals->hoho / of->best->time);
    result_number(out, "uneven", processes_uneven(of));
    result_open(out, "types", '[');
    for (size_t q = 0; q < of->problem.rows; q++) {
        put_type(out, of, q);
    }
    result_close(out, ']');
    put_others(out, of);
    put_grids(out, of);
    return INLAY_OK;
}

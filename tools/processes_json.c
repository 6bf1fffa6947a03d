/* The JSON of `inlay processes`. */
#include "processes.h"
#include <inlay/inlay.h>
#include <stdlib.h>

static void put_null(inlay_json *out, const char *key)
{
    inlay_json_null(out, key);
}

/* ---- The question ---- */

static void put_question(inlay_json *out, const processes_found *of)
{
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(of->plan);
    inlay_json_string(out, "file", processes_name(of));
    inlay_json_integer(out, "data", of->problem.data);
    inlay_json_string(out, "data_unit", of->platform->data_unit);
    inlay_json_string(out, "time_unit", inlay_unit_name(of->platform->time_unit));
    inlay_json_integer(out, "processors", of->processors);
    inlay_json_bool(out, "beyond_hoho", of->options.beyond_hoho);
    inlay_json_bool(out, "whole_units", of->options.whole_units);
    inlay_json_integer(out, "from", rivals->from);
    inlay_json_integer(out, "to", rivals->to);
}

/* ---- Answers ---- */

/* An element for each processor. */
static void put_processes(inlay_json *out, const processes_found *of, const inlay_process_answer *answer)
{
    inlay_json_array(out, "processes");
    for (size_t q = 0; q < of->problem.rows; q++) {
        for (int64_t i = 0; i < of->problem.row[q].count; i++) {
            inlay_json_integer(out, NULL, answer->share[q].each + (i < answer->share[q].extra));
        }
    }
    inlay_json_array_end(out);
}

static void put_shape(inlay_json *out, const inlay_process_grid *shape)
{
    inlay_json_array(out, "shape");
    for (size_t i = 0; i < 3; i++) {
        inlay_json_integer(out, NULL, shape->shape[i]);
    }
    inlay_json_array_end(out);
    inlay_json_integer(out, "links", shape->links);
    inlay_json_integer(out, "internal", shape->internal);
    inlay_json_number(out, "volume", shape->volume);
    inlay_json_number(out, "external", shape->external);
    inlay_json_number(out, "busiest", shape->busiest);
}

static void put_answer(inlay_json *out, const processes_found *of, const inlay_process_answer *answer)
{
    char room[INLAY_PROCESSOR_NAME];
    put_processes(out, of, answer);
    inlay_json_integer(out, "total", answer->total);
    inlay_json_number(out, "time", answer->time);
    inlay_json_integer(out, "used", answer->used);
    inlay_json_string(out, "last", processes_type(of, answer->last, room));
    inlay_json_bool(out, "measured", answer->measured);
}

/* Another answer beside the best one. */
static void put_other(inlay_json *out, const char *key, const processes_found *of, const inlay_process_answer *answer,
                      const inlay_process_grids *grids)
{
    const inlay_process_grid *shape = processes_shape(grids);
    inlay_json_object(out, key);
    put_answer(out, of, answer);
    inlay_json_number(out, "longer", processes_longer(of, answer));
    if (shape != NULL) {
        inlay_json_object(out, "grid");
        put_shape(out, shape);
        inlay_json_object_end(out);
    } else {
        put_null(out, "grid");
    }
    inlay_json_object_end(out);
}

static void put_others(inlay_json *out, const processes_found *of)
{
    put_other(out, "fewest", of, of->fewest, of->fewest_grids);
    inlay_json_array(out, "next");
    for (size_t i = 1; i < inlay_process_plan_count(of->plan); i++) {
        put_other(out, NULL, of, inlay_process_plan_at(of->plan, i), of->next_grids != NULL ? of->next_grids[i] : NULL);
    }
    inlay_json_array_end(out);
}

/* ---- Types of processors ---- */

static void put_share(inlay_json *out, const char *key, const inlay_process_share *share)
{
    inlay_json_object(out, key);
    inlay_json_integer(out, "each", share->each);
    inlay_json_integer(out, "extra", share->extra);
    inlay_json_object_end(out);
}

static void put_number_above_0(inlay_json *out, const char *key, double number)
{
    if (number > 0) {
        inlay_json_number(out, key, number);
    } else {
        put_null(out, key);
    }
}

static void put_fit(inlay_json *out, const inlay_performance_errors *errors)
{
    if (errors == NULL) {
        put_null(out, "fit");
        return;
    }
    inlay_json_object(out, "fit");
    inlay_json_integer(out, "measurements", (int64_t)errors->measurements);
    inlay_json_number(out, "rms", errors->rms);
    inlay_json_number(out, "worst", errors->worst);
    inlay_json_integer(out, "worst_processes", errors->missed.processes);
    inlay_json_number(out, "worst_data", errors->missed.data);
    inlay_json_array(out, "errors");
    for (size_t i = 0; i < errors->measurements; i++) {
        inlay_json_object(out, NULL);
        inlay_json_integer(out, "processes", errors->measurement[i].processes);
        inlay_json_number(out, "data", errors->measurement[i].data);
        inlay_json_number(out, "speed", errors->measurement[i].speed);
        inlay_json_number(out, "error", errors->error[i]);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static void put_range(inlay_json *out, const inlay_performance *performance)
{
    inlay_performance_range range = inlay_performance_range_of(performance);
    if (!range.known) {
        put_null(out, "measured");
        return;
    }
    inlay_json_object(out, "measured");
    inlay_json_integer(out, "processes_from", range.processes[0]);
    inlay_json_integer(out, "processes_to", range.processes[1]);
    inlay_json_number(out, "data_from", range.data[0]);
    inlay_json_number(out, "data_to", range.data[1]);
    inlay_json_object_end(out);
}

static void put_type(inlay_json *out, const processes_found *of, size_t q)
{
    const inlay_processors *row = &of->problem.row[q];
    const inlay_process_share *share = &of->best->share[q];
    inlay_performance_numbers numbers = inlay_performance_numbers_of(row->performance);
    int64_t most = share->each + (share->extra > 0);
    double data = (double)most * of->best->unit;
    char room[INLAY_PROCESSOR_NAME];
    inlay_json_object(out, NULL);
    inlay_json_string(out, "name", processes_type(of, q, room));
    inlay_json_integer(out, "count", row->count);
    put_share(out, "processes", share);
    inlay_json_number(out, "data", data);
    inlay_json_number(out, "time", most > 0 ? inlay_processors_time(row, (double)most, data) : 0);
    put_share(out, "hohe_data", &inlay_process_plan_rivals(of->plan)->data[q]);
    inlay_json_object(out, "speed");
    inlay_json_string(out, "form", inlay_performance_form_name(inlay_performance_form_of(row->performance)));
    put_number_above_0(out, "c", numbers.c);
    put_number_above_0(out, "a", numbers.a);
    put_number_above_0(out, "b", numbers.b);
    inlay_json_number(out, "factor", row->speed > 0 ? row->speed : 1);
    put_range(out, row->performance);
    put_fit(out, inlay_performance_errors_of(row->performance));
    inlay_json_object_end(out);
    inlay_json_object_end(out);
}

/* ---- Process grids ---- */

static void put_ranks(inlay_json *out, const processes_found *of, const inlay_process_grid *shape)
{
    inlay_json_array(out, "ranks");
    for (int64_t rank = 0; rank < of->best->total; rank++) {
        inlay_json_integer(out, NULL, shape->processor[rank]);
    }
    inlay_json_array_end(out);
}

static void put_grids(inlay_json *out, const processes_found *of)
{
    if (of->grids == NULL) {
        put_null(out, "grid");
        return;
    }
    inlay_json_object(out, "grid");
    inlay_json_array(out, "points");
    for (size_t i = 0; i < 3; i++) {
        inlay_json_integer(out, NULL, of->grid.data[i] > 0 ? of->grid.data[i] : 1);
    }
    inlay_json_array_end(out);
    inlay_json_integer(out, "halo", of->grid.halo > 0 ? of->grid.halo : 1);
    inlay_json_array(out, "shapes");
    for (size_t i = 0; i < inlay_process_grids_count(of->grids); i++) {
        inlay_json_object(out, NULL);
        put_shape(out, inlay_process_grids_at(of->grids, i));
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    put_ranks(out, of, processes_shape(of->grids));
    inlay_json_object_end(out);
}

/* ---- The object ---- */

int processes_put_members(inlay_json *out, const cli_answer *a)
{
    const processes_found *of = a->of;
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(of->plan);
    put_question(out, of);
    put_answer(out, of, of->best);
    inlay_json_number(out, "hoho", rivals->hoho);
    inlay_json_number(out, "hohe", rivals->hohe);
    inlay_json_number(out, "speedup", rivals->hoho / of->best->time);
    inlay_json_number(out, "uneven", processes_uneven(of));
    inlay_json_array(out, "types");
    for (size_t q = 0; q < of->problem.rows; q++) {
        put_type(out, of, q);
    }
    inlay_json_array_end(out);
    put_others(out, of);
    put_grids(out, of);
    return INLAY_OK;
}

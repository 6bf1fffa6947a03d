/* What `inlay processes` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A plan, and the name of its question's file. */
typedef struct told {
    const inlay_process_result *of;
    const char *file;
} told;

/* clang-format off */
static const field csv[] = {
    FIELD(inlay_process_point, "processes", total), FIELD(inlay_process_point, "time", time), FIELD_LAST};
/* clang-format on */

/* ---- Answers ---- */

/* An element for each processor. */
static void put_processes(inlay_json *out, const inlay_process_problem *problem, const inlay_process_answer *answer)
{
    inlay_json_array(out, "processes");
    for (size_t q = 0; q < problem->rows; q++) {
        for (int64_t i = 0; i < problem->row[q].count; i++) {
            inlay_json_integer(out, NULL, answer->share[q].each + (i < answer->share[q].extra));
        }
    }
    inlay_json_array_end(out);
}

static void put_shape(inlay_json *out, const char *key, const inlay_process_grid *of)
{
    if (of == NULL) {
        inlay_json_null(out, key);
        return;
    }
    inlay_json_object(out, key);
    inlay_json_put(out,
                   "shape [ %" PRId64 " %" PRId64 " %" PRId64 " ] links %" PRId64 " internal %" PRId64
                   " volume %g external %g busiest %g }",
                   of->shape[0], of->shape[1], of->shape[2], of->links, of->internal, of->volume, of->external,
                   of->busiest);
}

static void put_answer(inlay_json *out, const inlay_process_problem *problem, const inlay_process_answer *answer)
{
    char room[INLAY_PROCESSOR_NAME];
    put_processes(out, problem, answer);
    inlay_json_put(out, "total %" PRId64 " time %g used %" PRId64 " last %s measured %hhd", answer->total, answer->time,
                   answer->used, inlay_processors_name(problem, answer->last, room), answer->measured);
}

/* Another answer beside the best one. */
static void put_other(inlay_json *out, const char *key, const inlay_process_result *of,
                      const inlay_process_answer *answer, const inlay_process_grids *grids)
{
    inlay_json_object(out, key);
    put_answer(out, &of->asked.problem, answer);
    inlay_json_number(out, "longer", answer->time / of->best->time - 1);
    put_shape(out, "grid", grids != NULL ? inlay_process_grids_at(grids, 0) : NULL);
    inlay_json_object_end(out);
}

static void put_others(inlay_json *out, const inlay_process_result *of)
{
    put_other(out, "fewest", of, of->fewest, of->fewest_grids);
    inlay_json_array(out, "next");
    for (size_t i = 1; i < inlay_process_plan_count(of->plan); i++) {
        put_other(out, NULL, of, inlay_process_plan_at(of->plan, i), of->next_grids != NULL ? of->next_grids[i] : NULL);
    }
    inlay_json_array_end(out);
}

/* ---- Types of processors ---- */

static void put_fit(inlay_json *out, const inlay_performance_errors *errors)
{
    if (errors == NULL) {
        inlay_json_null(out, "fit");
        return;
    }
    inlay_json_put(out, "fit { measurements %zu rms %g worst %g worst_processes %" PRId64 " worst_data %g errors [",
                   errors->measurements, errors->rms, errors->worst, errors->missed.processes, errors->missed.data);
    for (size_t i = 0; i < errors->measurements; i++) {
        const inlay_measurement *m = &errors->measurement[i];
        inlay_json_put(out, "{ processes %" PRId64 " data %g speed %g error %g }", m->processes, m->data, m->speed,
                       errors->error[i]);
    }
    inlay_json_put(out, "] }");
}

static double above_0(double number)
{
    return number > 0 ? number : NAN;
}

static void put_type(inlay_json *out, const inlay_process_result *of, size_t q)
{
    char room[INLAY_PROCESSOR_NAME];
    const inlay_process_answer *best = of->best;
    const inlay_process_share *share = &best->share[q], *hohe = &inlay_process_plan_rivals(of->plan)->data[q];
    const inlay_processors *row = &of->asked.problem.row[q];
    inlay_performance_numbers numbers = inlay_performance_numbers_of(row->performance);
    inlay_performance_range measured = inlay_performance_range_of(row->performance);
    int64_t most = share->each + (share->extra > 0);
    double data = (double)most * best->unit;
    inlay_json_put(out,
                   "{ name %s count %" PRId64 " processes { each %" PRId64 " extra %" PRId64
                   " } data %g time %g hohe_data { each %" PRId64 " extra %" PRId64 " }",
                   inlay_processors_name(&of->asked.problem, q, room), row->count, share->each, share->extra, data,
                   most > 0 ? inlay_processors_time(row, (double)most, data) : 0, hohe->each, hohe->extra);
    inlay_json_put(out, "speed { form %s c %g a %g b %g factor %g",
                   inlay_performance_form_name(inlay_performance_form_of(row->performance)), above_0(numbers.c),
                   above_0(numbers.a), above_0(numbers.b), row->speed > 0 ? row->speed : 1);
    if (measured.known) {
        inlay_json_put(out, "measured { processes_from %" PRId64 " processes_to %" PRId64 " data_from %g data_to %g }",
                       measured.processes[0], measured.processes[1], measured.data[0], measured.data[1]);
    } else {
        inlay_json_null(out, "measured");
    }
    put_fit(out, inlay_performance_errors_of(row->performance));
    inlay_json_put(out, "} }");
}

/* ---- Process grids ---- */

static void put_grids(inlay_json *out, const inlay_process_result *of)
{
    if (of->grids == NULL) {
        inlay_json_null(out, "grid");
        return;
    }
    inlay_json_put(out, "grid { points [");
    for (size_t i = 0; i < 3; i++) {
        inlay_json_integer(out, NULL, of->asked.grid.data[i] > 0 ? of->asked.grid.data[i] : 1);
    }
    inlay_json_put(out, "] halo %" PRId64 " shapes [", of->asked.grid.halo > 0 ? of->asked.grid.halo : 1);
    for (size_t i = 0; i < inlay_process_grids_count(of->grids); i++) {
        put_shape(out, NULL, inlay_process_grids_at(of->grids, i));
    }
    inlay_json_array_end(out);
    result_put_ids(out, "ranks", inlay_process_grids_at(of->grids, 0)->processor, (size_t)of->best->total);
    inlay_json_object_end(out);
}

/* ---- The whole ---- */

static void put_question(inlay_json *out, const told *t)
{
    const inlay_process_result *of = t->of;
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(of->plan);
    inlay_json_put(out,
                   "file %s data %" PRId64 " data_unit %s time_unit %s processors %" PRId64
                   " beyond_hoho %hhd whole_units %hhd from %" PRId64 " to %" PRId64,
                   t->file != NULL && strcmp(t->file, "-") == 0 ? "standard input" : t->file, of->asked.problem.data,
                   of->asked.data_unit, inlay_unit_name(of->asked.time_unit), of->processors,
                   of->asked.options.beyond_hoho, of->asked.options.whole_units, rivals->from, rivals->to);
}

static int put_members(inlay_json *out, const void *told_of)
{
    const told *t = told_of;
    const inlay_process_result *of = t->of;
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(of->plan);
    const inlay_process_answer *best = of->best;
    put_question(out, t);
    put_answer(out, &of->asked.problem, best);
    inlay_json_put(out, "hoho %g hohe %g speedup %g uneven %g types [", rivals->hoho, rivals->hohe,
                   rivals->hoho / best->time, inlay_process_uneven(&of->asked.problem, &of->asked.options, best));
    for (size_t q = 0; q < of->asked.problem.rows; q++) {
        put_type(out, of, q);
    }
    inlay_json_array_end(out);
    put_others(out, of);
    put_grids(out, of);
    return INLAY_OK;
}

int inlay_process_result_write_json(const inlay_process_result *result, const inlay_result_context *context,
                                    const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, &(told){result, context->file}, path, diag);
}

int inlay_process_points_write_csv(const inlay_process_point *point, size_t count, inlay_unit unit, const char *path,
                                   inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_names(&text, csv);
    csv_text(&text, "time_unit");
    csv_end_line(&text);
    for (size_t i = 0; i < count; i++) {
        csv_fields(&text, csv, &point[i]);
        csv_text(&text, inlay_unit_name(unit));
        csv_end_line(&text);
    }
    return csv_write(&text, path, diag);
}

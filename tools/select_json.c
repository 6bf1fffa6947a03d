/* The JSON of `inlay select`, and the curve as CSV. */
#include "compare.h"
#include "report.h"
#include "select.h"
#include <inlay/inlay.h>
#include <inttypes.h>

/* ---- The question ---- */

static void put_parameters(inlay_json *out, const selected *of)
{
    const inlay_domain_parameter *parameter;
    inlay_json_object(out, "parameters");
    for (size_t i = 0; (parameter = inlay_domain_file_parameter(of->program, i)) != NULL; i++) {
        inlay_json_number(out, parameter->name, parameter->value);
    }
    inlay_json_object_end(out);
}

static void put_null(inlay_json *out, const char *key)
{
    inlay_json_null(out, key);
}

static void put_phases(inlay_json *out, const selected *of)
{
    const inlay_domain *domain = inlay_domain_of(of->program);
    char room[PHASE_NAME];
    int32_t communication = of->phases.communication;
    inlay_json_object(out, "phases");
    inlay_json_string(out, "counted", of->terms.all_phases ? "all" : "dominant");
    inlay_json_integer(out, "computations", domain->computations);
    inlay_json_integer(out, "communications", domain->communications);
    inlay_json_string(out, "computation", select_computation_name(domain, of->phases.computation, room));
    if (communication >= 0) {
        inlay_json_string(out, "communication", select_communication_name(domain, communication, room));
        inlay_json_string(out, "pattern", inlay_pattern_name(of->pattern));
        inlay_json_number(out, "bytes", of->bytes);
    } else {
        put_null(out, "communication");
        put_null(out, "pattern");
        put_null(out, "bytes");
    }
    inlay_json_bool(out, "overlap", of->phases.overlap);
    inlay_json_object_end(out);
}

static void put_question(inlay_json *out, const selected *of)
{
    static const char *const maps[] = {"integer", "ceil", "real"};
    inlay_json_string(out, "program", select_program_name(of));
    put_parameters(out, of);
    inlay_json_string(out, "metasystem", select_metasystem_name(of));
    inlay_json_string(out, "time_unit", inlay_unit_name(of->metasystem->time_unit));
    inlay_json_string(out, "method", inlay_select_method_name(of->options.method));
    inlay_json_string(out, "map", maps[of->terms.map]);
    inlay_json_string(out, "router", of->terms.router == INLAY_SELECT_SUM ? "sum" : "chain");
    put_phases(out, of);
}

/* ---- Configurations ---- */

static void put_processors(inlay_json *out, const selected *of, const inlay_configuration *c)
{
    inlay_json_array(out, "configuration");
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        inlay_json_integer(out, NULL, c->processors[i]);
    }
    inlay_json_array_end(out);
}

static void put_partition(inlay_json *out, const selected *of, const inlay_configuration *c)
{
    inlay_json_array(out, "partition");
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        inlay_json_number(out, NULL, c->share[i].share);
    }
    inlay_json_array_end(out);
    inlay_json_array(out, "extra");
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        inlay_json_integer(out, NULL, c->share[i].extra);
    }
    inlay_json_array_end(out);
}

static void put_times(inlay_json *out, const inlay_configuration *c)
{
    inlay_json_integer(out, "processors", c->total);
    inlay_json_number(out, "t_comp", c->t_comp);
    inlay_json_number(out, "t_comm", c->t_comm);
    inlay_json_number(out, "t_cycle", c->t_cycle);
    inlay_json_number(out, "t_elapsed", c->t_elapsed);
}

/* Another configuration beside the chosen one. */
static void put_other(inlay_json *out, const char *key, const selected *of, const inlay_configuration *c)
{
    inlay_json_object(out, key);
    put_processors(out, of, c);
    put_partition(out, of, c);
    put_times(out, c);
    inlay_json_number(out, "longer", select_longer(of, c));
    inlay_json_object_end(out);
}

static void put_others(inlay_json *out, const selected *of)
{
    const inlay_configuration *next;
    inlay_json_array(out, "next");
    for (size_t i = 0; (next = select_next(of, i)) != NULL; i++) {
        put_other(out, NULL, of, next);
    }
    inlay_json_array_end(out);
    if (of->given != NULL) {
        put_other(out, "given", of, inlay_selection_at(of->given, 0));
    } else {
        put_null(out, "given");
    }
    const inlay_configuration *one = inlay_selection_at(of->single, 0);
    put_other(out, "single", of, one);
    inlay_json_number(out, "speedup", one->t_elapsed / of->chosen->t_elapsed);
}

/* true, the gap that is proven, or null where nothing is known. */
static void put_optimal(inlay_json *out, const selected *of)
{
    if (of->optimal) {
        inlay_json_bool(out, "optimal", true);
    } else if (of->lower_bound > 0) {
        inlay_json_number(out, "optimal", of->chosen->t_cycle / of->lower_bound - 1);
    } else {
        put_null(out, "optimal");
    }
    if (of->lower_bound > 0) {
        inlay_json_number(out, "lower_bound", of->lower_bound);
    } else {
        put_null(out, "lower_bound");
    }
    inlay_json_integer(out, "looked_at", inlay_selection_looked_at(of->best));
}

/* ---- Clusters and tasks ---- */

static void put_cluster(inlay_json *out, const selected *of, int32_t i)
{
    const inlay_metasystem_cluster *cluster = select_cluster(of, i);
    const inlay_select_share *share = &of->chosen->share[i];
    int32_t processors = of->chosen->processors[i];
    inlay_json_object(out, NULL);
    inlay_json_string(out, "name", cluster->name);
    inlay_json_integer(out, "total", cluster->total);
    inlay_json_integer(out, "available", cluster->available);
    inlay_json_integer(out, "used", processors);
    inlay_json_number(out, "share", share->share);
    inlay_json_integer(out, "extra", share->extra);
    inlay_json_number(out, "units", share->share * processors + share->extra);
    if (of->phases.communication >= 0) {
        inlay_json_number(out, "t_comm", of->chosen->time[i]);
    } else {
        put_null(out, "t_comm");
    }
    inlay_json_object_end(out);
}

static void put_piece(inlay_json *out, const selected *of, const inlay_task_piece *piece)
{
    inlay_json_object(out, NULL);
    inlay_json_string(out, "cluster", select_cluster(of, piece->cluster)->name);
    inlay_json_integer(out, "first", piece->first);
    inlay_json_integer(out, "tasks", piece->tasks);
    inlay_json_integer(out, "dilation", piece->dilation);
    inlay_json_number(out, "mean_dilation", piece->mean_dilation);
    inlay_json_integer(out, "depth", piece->depth);
    inlay_json_object_end(out);
}

static void put_tasks(inlay_json *out, const selected *of)
{
    inlay_json_array(out, "tasks");
    for (int32_t i = 0; i < inlay_task_placement_tasks(of->placement); i++) {
        const inlay_task *task = inlay_task_placement_at(of->placement, i);
        inlay_json_object(out, NULL);
        inlay_json_string(out, "cluster", select_cluster(of, task->cluster)->name);
        inlay_json_integer(out, "processor", task->processor);
        inlay_json_count(out, "parent", task->parent);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static void put_placement(inlay_json *out, const selected *of)
{
    const select_values *values = of->call->values;
    if (of->placement == NULL) {
        put_null(out, "placement");
        return;
    }
    inlay_json_object(out, "placement");
    inlay_json_integer(out, "crossings", inlay_task_placement_crossings(of->placement));
    inlay_json_integer(out, "router_crossings", inlay_task_placement_router_crossings(of->placement));
    inlay_json_number(out, "cost", inlay_task_placement_cost(of->placement));
    inlay_json_array(out, "pieces");
    for (int32_t i = 0; i < inlay_task_placement_pieces(of->placement); i++) {
        put_piece(out, of, inlay_task_placement_piece(of->placement, i));
    }
    inlay_json_array_end(out);
    if (values->placement) {
        put_tasks(out, of);
    }
    inlay_json_object_end(out);
}

/* ---- The object ---- */

int select_put_members(inlay_json *out, const cli_answer *a)
{
    const selected *of = a->of;
    double cycles, startup;
    select_cycles(of, of->chosen->total, &cycles, &startup);
    put_question(out, of);
    put_processors(out, of, of->chosen);
    put_partition(out, of, of->chosen);
    put_times(out, of->chosen);
    inlay_json_number(out, "cycles", cycles);
    inlay_json_number(out, "startup", startup);
    inlay_json_integer(out, "units", of->chosen->units);
    put_optimal(out, of);
    inlay_json_array(out, "clusters");
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        put_cluster(out, of, (int32_t)i);
    }
    inlay_json_array_end(out);
    put_others(out, of);
    put_placement(out, of);
    return INLAY_OK;
}

/* ---- CSV ---- */

static void put_line(FILE *to, const selected *of, const inlay_configuration *c)
{
    const double times[] = {c->t_comp, c->t_comm, c->t_cycle, c->t_elapsed};
    say(to, "%" PRId32, c->total);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        say_csv_number(to, times[i]);
    }
    say_csv_text(to, inlay_unit_name(of->metasystem->time_unit), false);
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        say(to, ",%" PRId32, c->processors[i]);
    }
    say(to, "\n");
}

void select_put_csv(FILE *to, const cli_answer *a)
{
    const selected *of = a->of;
    say(to, "processors,t_comp,t_comm,t_cycle,t_elapsed,time_unit");
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        say_csv_text(to, select_cluster(of, (int32_t)i)->name, false);
    }
    say(to, "\n");
    for (size_t i = 0; i < inlay_selection_count(of->curve); i++) {
        put_line(to, of, inlay_selection_at(of->curve, i));
    }
}

/* The JSON of `inlay select`, and the curve as CSV. */
#include "compare.h"
#include "report.h"
#include "result.h"
#include "select.h"
#include <inlay/inlay.h>
#include <inttypes.h>

/* ---- The question ---- */

static void put_parameters(result *out, const selected *of)
{
    const inlay_domain_parameter *parameter;
    result_open(out, "parameters", '{');
    for (size_t i = 0; (parameter = inlay_domain_file_parameter(of->program, i)) != NULL; i++) {
        result_number(out, parameter->name, parameter->value);
    }
    result_close(out, '}');
}

static void put_null(result *out, const char *key)
{
    result_exact(out, key, "null");
}

static void put_phases(result *out, const selected *of)
{
    const inlay_domain *domain = inlay_domain_of(of->program);
    char room[PHASE_NAME];
    int32_t communication = of->phases.communication;
    result_open(out, "phases", '{');
    result_string(out, "counted", of->terms.all_phases ? "all" : "dominant");
    result_integer(out, "computations", domain->computations);
    result_integer(out, "communications", domain->communications);
    result_string(out, "computation", select_computation_name(domain, of->phases.computation, room));
    if (communication >= 0) {
        result_string(out, "communication", select_communication_name(domain, communication, room));
        result_string(out, "pattern", inlay_pattern_name(of->pattern));
        result_number(out, "bytes", of->bytes);
    } else {
        put_null(out, "communication");
        put_null(out, "pattern");
        put_null(out, "bytes");
    }
    result_bool(out, "overlap", of->phases.overlap);
    result_close(out, '}');
}

static void put_question(result *out, const selected *of)
{
    static const char *const maps[] = {"integer", "ceil", "real"};
    result_string(out, "program", select_program_name(of));
    put_parameters(out, of);
    result_string(out, "metasystem", select_metasystem_name(of));
    result_string(out, "time_unit", inlay_unit_name(of->metasystem->time_unit));
    result_string(out, "method", inlay_select_method_name(of->options.method));
    result_string(out, "map", maps[of->terms.map]);
    result_string(out, "router", of->terms.router == INLAY_SELECT_SUM ? "sum" : "chain");
    put_phases(out, of);
}

/* ---- Configurations ---- */

static void put_processors(result *out, const selected *of, const inlay_configuration *c)
{
    result_open(out, "configuration", '[');
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        result_integer(out, NULL, c->processors[i]);
    }
    result_close(out, ']');
}

static void put_partition(result *out, const selected *of, const inlay_configuration *c)
{
    result_open(out, "partition", '[');
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        result_number(out, NULL, c->share[i].share);
    }
    result_close(out, ']');
    result_open(out, "extra", '[');
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        result_integer(out, NULL, c->share[i].extra);
    }
    result_close(out, ']');
}

static void put_times(result *out, const inlay_configuration *c)
{
    result_integer(out, "processors", c->total);
    result_number(out, "t_comp", c->t_comp);
    result_number(out, "t_comm", c->t_comm);
    result_number(out, "t_cycle", c->t_cycle);
    result_number(out, "t_elapsed", c->t_elapsed);
}

/* Another configuration beside the chosen one. */
static void put_other(result *out, const char *key, const selected *of, const inlay_configuration *c)
{
    result_open(out, key, '{');
    put_processors(out, of, c);
    put_partition(out, of, c);
    put_times(out, c);
    result_number(out, "longer", select_longer(of, c));
    result_close(out, '}');
}

static void put_others(result *out, const selected *of)
{
    const inlay_configuration *next;
    result_open(out, "next", '[');
    for (size_t i = 0; (next = select_next(of, i)) != NULL; i++) {
        put_other(out, NULL, of, next);
    }
    result_close(out, ']');
    if (of->given != NULL) {
        put_other(out, "given", of, inlay_selection_at(of->given, 0));
    } else {
        put_null(out, "given");
    }
    const inlay_configuration *one = inlay_selection_at(of->single, 0);
    put_other(out, "single", of, one);
    result_number(out, "speedup", one->t_elapsed / of->chosen->t_elapsed);
}

/* true, the gap that is proven, or null where nothing is known. */
static void put_optimal(result *out, const selected *of)
{
    if (of->optimal) {
        result_bool(out, "optimal", true);
    } else if (of->lower_bound > 0) {
        result_number(out, "optimal", of->chosen->t_cycle / of->lower_bound - 1);
    } else {
        put_null(out, "optimal");
    }
    if (of->lower_bound > 0) {
        result_number(out, "lower_bound", of->lower_bound);
    } else {
        put_null(out, "lower_bound");
    }
    result_integer(out, "looked_at", inlay_selection_looked_at(of->best));
}

/* ---- Clusters and tasks ---- */

static void put_cluster(result *out, const selected *of, int32_t i)
{
    const inlay_metasystem_cluster *cluster = select_cluster(of, i);
    const inlay_select_share *share = &of->chosen->share[i];
    int32_t processors = of->chosen->processors[i];
    result_open(out, NULL, '{');
    result_string(out, "name", cluster->name);
    result_integer(out, "total", cluster->total);
    result_integer(out, "available", cluster->available);
    result_integer(out, "used", processors);
    result_number(out, "share", share->share);
    result_integer(out, "extra", share->extra);
    result_number(out, "units", share->share * processors + share->extra);
    if (of->phases.communication >= 0) {
        result_number(out, "t_comm", of->chosen->time[i]);
    } else {
        put_null(out, "t_comm");
    }
    result_close(out, '}');
}

static void put_piece(result *out, const selected *of, const inlay_task_piece *piece)
{
    result_open(out, NULL, '{');
    result_string(out, "cluster", select_cluster(of, piece->cluster)->name);
    result_integer(out, "first", piece->first);
    result_integer(out, "tasks", piece->tasks);
    result_integer(out, "dilation", piece->dilation);
    result_number(out, "mean_dilation", piece->mean_dilation);
    result_integer(out, "depth", piece->depth);
    result_close(out, '}');
}

static void put_tasks(result *out, const selected *of)
{
    result_open(out, "tasks", '[');
    for (int32_t i = 0; i < inlay_task_placement_tasks(of->placement); i++) {
        const inlay_task *task = inlay_task_placement_at(of->placement, i);
        result_open(out, NULL, '{');
        result_string(out, "cluster", select_cluster(of, task->cluster)->name);
        result_integer(out, "processor", task->processor);
        result_count(out, "parent", task->parent);
        result_close(out, '}');
    }
    result_close(out, ']');
}

static void put_placement(result *out, const selected *of)
{
    const select_values *values = of->call->values;
    if (of->placement == NULL) {
        put_null(out, "placement");
        return;
    }
    result_open(out, "placement", '{');
    result_integer(out, "crossings", inlay_task_placement_crossings(of->placement));
    result_integer(out, "router_crossings", inlay_task_placement_router_crossings(of->placement));
    result_number(out, "cost", inlay_task_placement_cost(of->placement));
    result_open(out, "pieces", '[');
    for (int32_t i = 0; i < inlay_task_placement_pieces(of->placement); i++) {
        put_piece(out, of, inlay_task_placement_piece(of->placement, i));
    }
    result_close(out, ']');
    if (values->placement) {
        put_tasks(out, of);
    }
    result_close(out, '}');
}

/* ---- The object ---- */

int select_put_members(result *out, const cli_answer *a)
{
    const selected *of = a->of;
    double cycles, startup;
    select_cycles(of, of->chosen->total, &cycles, &startup);
    put_question(out, of);
    put_processors(out, of, of->chosen);
    put_partition(out, of, of->chosen);
    put_times(out, of->chosen);
    result_number(out, "cycles", cycles);
    result_number(out, "startup", startup);
    result_integer(out, "units", of->chosen->units);
    put_optimal(out, of);
    result_open(out, "clusters", '[');
    for (size_t i = 0; i < of->metasystem->clusters; i++) {
        put_cluster(out, of, (int32_t)i);
    }
    result_close(out, ']');
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
        csv_number(to, times[i]);
    }
    csv_text(to, inlay_unit_name(of->metasystem->time_unit), false);
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
        csv_text(to, select_cluster(of, (int32_t)i)->name, false);
    }
    say(to, "\n");
    for (size_t i = 0; i < inlay_selection_count(of->curve); i++) {
        put_line(to, of, inlay_selection_at(of->curve, i));
    }
}

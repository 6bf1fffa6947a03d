/* What `inlay select` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* clang-format off */
#define OF_TIMES(name, member) FIELD(inlay_configuration, name, member)
static const field costs[] = {OF_TIMES("price", price), OF_TIMES("energy", energy), FIELD_LAST};
static const field times[] = {
    OF_TIMES("processors", total), OF_TIMES("t_comp", t_comp), OF_TIMES("t_comm", t_comm),
    OF_TIMES("t_cycle", t_cycle), OF_TIMES("t_elapsed", t_elapsed), FIELD_LAST};
/* clang-format on */

/* ---- The question ---- */

static void put_parameters(inlay_json *out, const inlay_select_result *of)
{
    const inlay_domain_parameter *parameter;
    inlay_json_object(out, "parameters");
    for (size_t i = 0; (parameter = inlay_domain_file_parameter(of->asked.program, i)) != NULL; i++) {
        inlay_json_number(out, parameter->name, parameter->value);
    }
    inlay_json_object_end(out);
}

static void put_phases(inlay_json *out, const inlay_select_result *of)
{
    const inlay_domain *domain = inlay_domain_of(of->asked.program);
    char room[INLAY_PHASE_NAME], other[INLAY_PHASE_NAME];
    int32_t last = of->phases.communication;
    bool talks = last >= 0;
    inlay_json_put(out,
                   "phases { counted %s computations %d communications %d computation %s communication %s pattern %s "
                   "algorithm %s bytes %g overlap %hhd }",
                   of->asked.terms.all_phases ? "all" : "dominant", domain->computations, domain->communications,
                   inlay_domain_computation(domain, of->phases.computation, room),
                   talks ? inlay_domain_communication(domain, last, other) : NULL,
                   talks ? inlay_pattern_name(of->pattern) : NULL, of->chosen->algorithm, talks ? of->bytes : NAN,
                   of->phases.overlap);
}

static void put_question(inlay_json *out, const inlay_select_result *of)
{
    static const char *const maps[] = {"integer", "ceil", "real", "remainder"};
    inlay_json_string(out, "program", of->asked.program_name);
    put_parameters(out, of);
    inlay_json_put(out, "metasystem %s time_unit %s method %s map %s router %s", of->asked.metasystem_name,
                   inlay_unit_name(of->asked.metasystem->time_unit), inlay_select_method_name(of->asked.options.method),
                   maps[of->asked.terms.map], of->asked.terms.router == INLAY_SELECT_SUM ? "sum" : "chain");
    put_phases(out, of);
}

/* ---- Configurations ---- */

static void put_configuration(inlay_json *out, const inlay_select_result *of, const inlay_configuration *c)
{
    result_put_ids(out, "configuration", c->processors, of->asked.metasystem->clusters);
    inlay_json_array(out, "partition");
    for (size_t i = 0; i < of->asked.metasystem->clusters; i++) {
        inlay_json_number(out, NULL, c->share[i].share);
    }
    inlay_json_put(out, "] extra [");
    for (size_t i = 0; i < of->asked.metasystem->clusters; i++) {
        inlay_json_integer(out, NULL, c->share[i].extra);
    }
    inlay_json_array_end(out);
    fields_put(out, times, c);
    fields_put(out, costs, c);
}

/* Another configuration beside the chosen one. */
static void put_other(inlay_json *out, const char *key, const inlay_select_result *of, const inlay_configuration *c)
{
    if (c == NULL) {
        inlay_json_null(out, key);
        return;
    }
    inlay_json_object(out, key);
    put_configuration(out, of, c);
    inlay_json_put(out, "longer %g }", c->t_cycle / of->chosen->t_cycle - 1);
}

static void put_others(inlay_json *out, const inlay_select_result *of)
{
    inlay_json_array(out, "next");
    for (size_t i = 0; i < of->next_count; i++) {
        put_other(out, NULL, of, of->next[i]);
    }
    inlay_json_array_end(out);
    put_other(out, "given", of, of->given);
    put_other(out, "single", of, of->single);
    inlay_json_number(out, "speedup", of->single != NULL ? of->single->t_elapsed / of->chosen->t_elapsed : INFINITY);
}

/* What was wished, and what nothing is better than; null where nothing was. */
static void put_front(inlay_json *out, const inlay_select_result *of)
{
    const inlay_wish *wish = &of->asked.wish;
    inlay_json_put(out, "objective %s deadline %g budget %g currency %s",
                   of->front != NULL ? inlay_advise_by_name(inlay_wish_by(wish)) : NULL,
                   wish->has_deadline ? wish->deadline : NAN, wish->has_budget ? wish->budget : NAN,
                   of->asked.metasystem->currency);
    if (of->front == NULL) {
        inlay_json_null(out, "front");
        return;
    }
    inlay_json_array(out, "front");
    for (size_t i = 0; i < inlay_selection_count(of->front); i++) {
        put_other(out, NULL, of, inlay_selection_at(of->front, i));
    }
    inlay_json_array_end(out);
}

/* true, the gap that is proven, or null where nothing is known. */
static void put_optimal(inlay_json *out, const inlay_select_result *of)
{
    bool bounded = of->lower_bound > 0;
    if (of->optimal) {
        inlay_json_bool(out, "optimal", true);
    } else {
        inlay_json_number(out, "optimal", bounded ? of->chosen->t_cycle / of->lower_bound - 1 : NAN);
    }
    inlay_json_put(out, "lower_bound %g looked_at %" PRId64, bounded ? of->lower_bound : NAN, of->looked_at);
}

/* ---- Clusters and tasks ---- */

static void put_clusters(inlay_json *out, const inlay_select_result *of)
{
    inlay_json_array(out, "clusters");
    for (size_t i = 0; i < of->asked.metasystem->clusters; i++) {
        const inlay_select_share *share = &of->chosen->share[i];
        int32_t used = of->chosen->processors[i];
        const inlay_metasystem_cluster *c = &of->asked.metasystem->cluster[i];
        inlay_json_put(out, "{ name %s total %d available %d used %d share %g extra %d units %g t_comm %g }", c->name,
                       c->total, c->available, used, share->share, share->extra, share->share * used + share->extra,
                       of->phases.communication >= 0 ? of->chosen->time[i] : NAN);
    }
    inlay_json_array_end(out);
}

static const char *cluster_name(const inlay_select_result *of, int32_t cluster)
{
    return of->asked.metasystem->cluster[cluster].name;
}

static void put_placement(inlay_json *out, const inlay_select_result *of)
{
    const inlay_task_placement *placement = of->placement;
    if (placement == NULL) {
        inlay_json_null(out, "placement");
        return;
    }
    inlay_json_put(out, "placement { crossings %d router_crossings %d cost %g pieces [",
                   inlay_task_placement_crossings(placement), inlay_task_placement_router_crossings(placement),
                   inlay_task_placement_cost(placement));
    for (int32_t i = 0; i < inlay_task_placement_pieces(placement); i++) {
        const inlay_task_piece *p = inlay_task_placement_piece(placement, i);
        inlay_json_put(out, "{ cluster %s first %d tasks %d dilation %d mean_dilation %g depth %d }",
                       cluster_name(of, p->cluster), p->first, p->tasks, p->dilation, p->mean_dilation, p->depth);
    }
    inlay_json_array_end(out);
    if (of->asked.tells_tasks) {
        inlay_json_array(out, "tasks");
        for (int32_t i = 0; i < inlay_task_placement_tasks(placement); i++) {
            const inlay_task *t = inlay_task_placement_at(placement, i);
            inlay_json_put(out, "{ cluster %s processor %d parent %i }", cluster_name(of, t->cluster), t->processor,
                           t->parent);
        }
        inlay_json_array_end(out);
    }
    inlay_json_object_end(out);
}

/* ---- The whole ---- */

static int put_members(inlay_json *out, const void *told)
{
    const inlay_select_result *of = told;
    put_question(out, of);
    put_configuration(out, of, of->chosen);
    inlay_json_put(out, "cycles %g startup %g units %" PRId64, of->cycles, of->startup, of->chosen->units);
    put_optimal(out, of);
    put_clusters(out, of);
    put_others(out, of);
    put_front(out, of);
    put_placement(out, of);
    return INLAY_OK;
}

int inlay_select_result_write_json(const inlay_select_result *result, const inlay_result_context *context,
                                   const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, result, path, diag);
}

int inlay_selection_write_csv(const inlay_selection *curve, const inlay_metasystem *metasystem, const char *path,
                              inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    bool priced = false;
    for (size_t i = 0; i < metasystem->clusters; i++) {
        priced = priced || metasystem->cluster[i].price > 0 || metasystem->cluster[i].power > 0;
    }
    csv_names(&text, times);
    if (priced) {
        csv_names(&text, costs);
    }
    csv_text(&text, "time_unit");
    for (size_t i = 0; i < metasystem->clusters; i++) {
        csv_text(&text, metasystem->cluster[i].name);
    }
    csv_end_line(&text);
    for (size_t n = 0; n < inlay_selection_count(curve); n++) {
        const inlay_configuration *c = inlay_selection_at(curve, n);
        csv_fields(&text, times, c);
        if (priced) {
            csv_fields(&text, costs, c);
        }
        csv_text(&text, inlay_unit_name(metasystem->time_unit));
        for (size_t i = 0; i < metasystem->clusters; i++) {
            csv_integer(&text, c->processors[i]);
        }
        csv_end_line(&text);
    }
    return csv_write(&text, path, diag);
}

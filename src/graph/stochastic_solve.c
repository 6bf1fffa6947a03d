/*
 * Solving a stochastic graph, part by part: visits from the entries on, then what a visit causes, from the ends back.
 *
 *     v_j = e_j + sum_i v_i P_ij                    expected visits
 *     w_i = m'_i + sum_j P_ij w_j                   expected work that a visit to i causes; m' = m + sum P a
 *     V_i = s_i + sum_j P_ij V_j                    its variance, where visits are independent (a branching process)
 *     s_i = variance of (a_ij + w_j) over the draw  where i is EOR; 0 where i is AND: all links are taken
 */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/stochastic_eliminate.h"
#include <math.h>
#include <stdlib.h>

typedef struct solution {
    const inlay_stochastic_builder *builder;
    inlay_stochastic *graph;
    sg_parts parts;
    sg_matrix matrix;
    double *b, *kept; /* right-hand side; a copy of the part under way, which solving writes over */
    double *entering; /* visits that come to each module from outside of its part */
    inlay_diag *diag;
} solution;

/* ---- What is wrong with a loop ---- */

static int refuse_growth(const solution *s, const char *names, inlay_id culprit, double gain)
{
    const inlay_stochastic_builder *b = s->builder;
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, b->file, sg_line(b, culprit, -1),
                        "the loop of %s multiplies visits without end: each to '%s' brings %s%.6g more to it on the "
                        "average; expected fewer than 1",
                        names, s->graph->module[culprit].name, gain < 1 ? "about " : "at least ", gain);
}

/* @param outcome  none of SG_DONE and SG_NO_MEMORY */
static int refuse_loop(const solution *s, sg_outcome outcome, inlay_id part, inlay_id culprit, double gain)
{
    const inlay_stochastic_builder *b = s->builder;
    const inlay_id *member = s->parts.member + s->parts.begin[part];
    char *names = sg_names(s->graph, member, (size_t)(s->parts.begin[part + 1] - s->parts.begin[part]));
    if (names == NULL) {
        return diag_no_memory(s->diag);
    }
    int status;
    if (outcome == SG_STAYS) {
        status = diag_fail_at(
            s->diag, INLAY_BAD_INPUT, b->file, sg_line(b, member[0], -1),
            "visits never end in the loop of %s; expected an EOR module in it with a link that leads out", names);
    } else if (outcome == SG_GROWS && culprit >= 0) {
        status = refuse_growth(s, names, culprit, gain);
    } else {
        status = diag_fail_at(s->diag, INLAY_BAD_INPUT, b->file, sg_line(b, member[0], -1),
                              "the loop of %s multiplies visits %s; expected that each brings clearly fewer than one "
                              "more on the average",
                              names, outcome == SG_GROWS ? "without end" : "without end, or almost");
    }
    free(names);
    return status;
}

static int settle(const solution *s, sg_outcome outcome, inlay_id part, inlay_id culprit, double gain)
{
    return outcome == SG_DONE        ? INLAY_OK
           : outcome == SG_NO_MEMORY ? diag_no_memory(s->diag)
                                     : refuse_loop(s, outcome, part, culprit, gain);
}

/* ---- The three systems of equations ---- */

static const sg_link *links_of(const inlay_stochastic *graph, inlay_id module, size_t *count)
{
    *count = graph->control.begin[module + 1] - graph->control.begin[module];
    return graph->control.link + graph->control.begin[module];
}

/* Sweeps over a core before its elimination goes on; and where it would take more memory than that, in entries. */
enum { SWEEPS = 256, LAST_SWEEPS = 20000, MOST_ENTRIES = 1 << 26 };

/* Solve a part, with as much elimination as it takes. `through` as for sg_solve_part(). */
static int solve_part(solution *s, inlay_id part, const sg_flow_through *through, double *x)
{
    const inlay_id *member = s->parts.member + s->parts.begin[part];
    inlay_id count = s->parts.begin[part + 1] - s->parts.begin[part], culprit = -1;
    double gain = 0;
    for (inlay_id t = 0; t < count; t++) {
        s->kept[t] = s->b[member[t]];
    }
    for (;;) {
        bool last = s->matrix.used > MOST_ENTRIES;
        sg_outcome outcome = sg_solve_part(&s->matrix, &s->parts, part, last ? LAST_SWEEPS : SWEEPS, through, s->b, x);
        if (outcome == SG_UNSETTLED && !last) {
            for (inlay_id t = 0; t < count; t++) {
                s->b[member[t]] = s->kept[t];
            }
            outcome = sg_eliminate(&s->matrix, &s->parts, part, &culprit, &gain);
            if (outcome == SG_DONE) {
                continue;
            }
        }
        return settle(s, outcome, part, culprit, gain);
    }
}

/* Visits of a part go on to the parts behind it. */
static void pass_on(const solution *s, inlay_id module)
{
    size_t count;
    const sg_link *link = links_of(s->graph, module, &count);
    for (size_t l = 0; l < count; l++) {
        if (s->parts.of[link[l].to] != s->parts.of[module]) {
            s->b[link[l].to] += s->graph->visits[module] * link[l].probability;
        }
    }
}

static void keep_entering(const solution *s, inlay_id part)
{
    for (inlay_id t = s->parts.begin[part]; t < s->parts.begin[part + 1]; t++) {
        s->entering[s->parts.member[t]] = s->b[s->parts.member[t]];
    }
}

static int find_visits(solution *s)
{
    inlay_stochastic *graph = s->graph;
    int status = INLAY_OK;
    for (size_t i = 0; i < graph->modules; i++) {
        s->b[i] = graph->module[i].entries;
    }
    for (inlay_id p = 0; p < s->parts.count && status == INLAY_OK; p++) {
        inlay_id culprit = -1;
        double gain = 0;
        sg_outcome outcome = sg_begin_part(&s->matrix, graph, &s->parts, p);
        if (outcome == SG_DONE) {
            outcome = sg_eliminate(&s->matrix, &s->parts, p, &culprit, &gain);
        }
        keep_entering(s, p);
        status = outcome == SG_DONE ? solve_part(s, p, NULL, graph->visits) : settle(s, outcome, p, culprit, gain);
        for (inlay_id t = s->parts.begin[p]; t < s->parts.begin[p + 1] && status == INLAY_OK; t++) {
            pass_on(s, s->parts.member[t]);
        }
    }
    return status;
}

/* Right-hand side of a module: what it does itself and what comes of the visits that leave its part. */
typedef double share_of_module(const inlay_stochastic *graph, inlay_id module);

static int find_backward(solution *s, share_of_module *share, double *x)
{
    const sg_flow_through through = {s->graph->visits, s->entering};
    int status = INLAY_OK;
    for (inlay_id p = s->parts.count; p-- > 0 && status == INLAY_OK;) {
        for (inlay_id t = s->parts.begin[p]; t < s->parts.begin[p + 1]; t++) {
            inlay_id module = s->parts.member[t];
            size_t count;
            const sg_link *link = links_of(s->graph, module, &count);
            s->b[module] = share(s->graph, module);
            for (size_t l = 0; l < count; l++) {
                s->b[module] += s->parts.of[link[l].to] != p ? link[l].probability * x[link[l].to] : 0;
            }
        }
        status = solve_part(s, p, &through, x);
    }
    return status;
}

/* m' */
static double own_work(const inlay_stochastic *graph, inlay_id module)
{
    size_t count;
    const sg_link *link = links_of(graph, module, &count);
    double work = graph->module[module].time;
    for (size_t l = 0; l < count; l++) {
        work += link[l].probability * link[l].time;
    }
    for (size_t l = graph->traffic.begin[module]; l < graph->traffic.begin[module + 1]; l++) {
        work += graph->traffic.link[l].time;
    }
    return work;
}

/* s_i, from the means that are known by then. */
static double draw_variance(const inlay_stochastic *graph, inlay_id module)
{
    size_t count;
    const sg_link *link = links_of(graph, module, &count);
    double mean = 0, variance = 0;
    if (!graph->module[module].eor) {
        return 0;
    }
    for (size_t l = 0; l < count; l++) {
        mean += link[l].probability * (link[l].time + graph->mean[link[l].to]);
    }
    for (size_t l = 0; l < count; l++) {
        double off = link[l].time + graph->mean[link[l].to] - mean;
        variance += link[l].probability * off * off;
    }
    return variance;
}

/* ---- The whole ---- */

/* Entries are visits for certain, but for the fraction of one, which comes with that probability. */
static double variance_of_entries(const inlay_stochastic *graph, size_t i)
{
    double entries = graph->module[i].entries, fraction = entries - floor(entries);
    return entries * graph->variance[i] + fraction * (1 - fraction) * graph->mean[i] * graph->mean[i];
}

static void summarise(const solution *s)
{
    const inlay_stochastic *graph = s->graph;
    inlay_stochastic_summary sum = {.modules = (inlay_id)graph->modules,
                                    .blocks = (inlay_id)graph->blocks,
                                    .links = (int64_t)graph->control.count,
                                    .parts = s->parts.count};
    double variance = 0;
    for (size_t i = 0; i < graph->modules; i++) {
        bool first = s->parts.member[s->parts.begin[s->parts.of[i]]] == (inlay_id)i;
        sum.eor_modules += graph->module[i].eor;
        sum.looped += graph->looped[i];
        sum.loops += graph->looped[i] && first;
        sum.visits += graph->visits[i];
        sum.work += graph->visits[i] * graph->own[i];
        variance += variance_of_entries(graph, i);
    }
    for (size_t u = 0; u < graph->uses; u++) {
        sum.block_time += graph->visits[graph->use[u].module] * graph->block[graph->use[u].block].time;
    }
    sum.work_deviation = sqrt(variance > 0 ? variance : 0);
    s->graph->summary = sum;
}

/* Parts in the order of their first modules, and which modules are in a loop. */
static bool number_parts(const solution *s)
{
    inlay_stochastic *graph = s->graph;
    inlay_id *number = memory_array((size_t)s->parts.count, sizeof *number);
    inlay_id count = 0;
    if (number == NULL) {
        return false;
    }
    for (size_t i = 0; i < graph->modules; i++) {
        inlay_id part = s->parts.of[i], begin = s->parts.begin[part];
        if (s->parts.member[begin] == (inlay_id)i) {
            number[part] = count++;
        }
        graph->part[i] = number[part];
        graph->looped[i] = s->parts.begin[part + 1] - begin > 1;
    }
    for (size_t l = 0; l < graph->control.count; l++) {
        const sg_link *link = &graph->control.link[l];
        graph->looped[link->from] |= link->from == link->to;
    }
    free(number);
    return true;
}

static bool make_room(solution *s)
{
    inlay_stochastic *graph = s->graph;
    size_t n = graph->modules;
    graph->part = memory_array(n, sizeof *graph->part);
    graph->looped = memory_array(n, sizeof *graph->looped);
    graph->visits = memory_zeroed(n, sizeof *graph->visits);
    graph->own = memory_array(n, sizeof *graph->own);
    graph->mean = memory_zeroed(n, sizeof *graph->mean);
    graph->variance = memory_zeroed(n, sizeof *graph->variance);
    s->b = memory_array(n, sizeof *s->b);
    s->kept = memory_array(n, sizeof *s->kept);
    s->entering = memory_array(n, sizeof *s->entering);
    return graph->part != NULL && graph->looped != NULL && graph->visits != NULL && graph->own != NULL &&
           graph->mean != NULL && graph->variance != NULL && s->b != NULL && s->kept != NULL && s->entering != NULL &&
           sg_find_parts(graph, &s->parts) && sg_matrix_open(&s->matrix, (inlay_id)n, s->parts.count) &&
           number_parts(s);
}

static int check_range(const solution *s)
{
    const inlay_stochastic_summary *sum = &s->graph->summary;
    if (isfinite(sum->visits) && isfinite(sum->work) && isfinite(sum->work_deviation) && isfinite(sum->block_time)) {
        return INLAY_OK;
    }
    return diag_fail_at(
        s->diag, INLAY_OVERFLOW, s->builder->file, 0,
        "visits and times of the graph are too large for floating-point numbers; expected smaller ones");
}

int sg_solve(const inlay_stochastic_builder *builder, inlay_diag *diag)
{
    solution s = {.builder = builder, .graph = builder->graph, .diag = diag};
    int status = make_room(&s) ? find_visits(&s) : diag_no_memory(diag);
    for (size_t i = 0; i < s.graph->modules && status == INLAY_OK; i++) {
        s.graph->own[i] = own_work(s.graph, (inlay_id)i);
    }
    status = status == INLAY_OK ? find_backward(&s, own_work, s.graph->mean) : status;
    status = status == INLAY_OK ? find_backward(&s, draw_variance, s.graph->variance) : status;
    if (status == INLAY_OK) {
        summarise(&s);
        status = check_range(&s);
    }
    free(s.b);
    free(s.kept);
    free(s.entering);
    sg_parts_clear(&s.parts);
    sg_matrix_clear(&s.matrix);
    return status;
}

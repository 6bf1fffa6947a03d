/* Local search over rectangles: from the best named methods on, what makes a cycle shorter is kept. */
#include "grid/best.h"
#include "base/diag.h"
#include "base/memory.h"
#include "grid/plan.h"
#include "grid/teams.h"
#include <stdlib.h>

enum {
    STARTS = 3,
    TRIES = 20000, /* for up to MANY processors, and in proportion fewer for more */
    MANY = 16,
    LEAST_TRIES = 200, /* for up to CROWD processors, and beyond in proportion fewer */
    CROWD = 4096,
    MOST_SCATTERED = 1 << 20 /* most units of a scatter that is looked at */
};

void grid_answer_clear(grid_answer *answer)
{
    inlay_decomposition_free(answer->decomposition);
    *answer = (grid_answer){0};
}

int grid_ask(const grid_question *q, inlay_grid_method method, int32_t used, grid_answer *answer, inlay_diag *diag)
{
    grid_answer made = {0};
    grid_coster coster = {0};
    int status = grid_decompose(q->problem, q->machines, used, method, q->options, &made.decomposition, diag);
    if (status == INLAY_OK) {
        status = grid_coster_make(made.decomposition, q->network, q->phase, q->phases, &coster, diag);
    }
    status = status == INLAY_OK ? grid_coster_run(&coster, made.decomposition, &made.cost, diag) : status;
    grid_coster_clear(&coster);
    if (status == INLAY_OK) {
        *answer = made;
    } else {
        grid_answer_clear(&made);
    }
    return status;
}

/* ---- Named methods ---- */

typedef struct field {
    grid_answer answer[INLAY_GRID_SCATTER + 1]; /* by method */
    inlay_grid_method first;                    /* with the shortest cycle */
    inlay_grid_method start[STARTS];            /* rectangles all of which have cells, by their cycle */
    int starts;
} field;

static void clear_field(field *f)
{
    for (int m = 0; m <= INLAY_GRID_SCATTER; m++) {
        grid_answer_clear(&f->answer[m]);
    }
}

/* Keeps the best starts in order. */
static void offer_start(field *f, inlay_grid_method method, int32_t used)
{
    const inlay_decomposition *d = f->answer[method].decomposition;
    if (!d->summary.rectangles || d->summary.empty > d->summary.processors - used) {
        return;
    }
    int at = f->starts;
    while (at > 0 && f->answer[f->start[at - 1]].cost.seconds > f->answer[method].cost.seconds) {
        at--;
    }
    if (at == STARTS) {
        return;
    }
    f->starts += f->starts < STARTS;
    for (int i = f->starts - 1; i > at; i--) {
        f->start[i] = f->start[i - 1];
    }
    f->start[at] = method;
}

/* All named methods that have an answer; a method without one is no error here. */
static int ask_field(const grid_question *q, int32_t used, field *f, inlay_diag *diag)
{
    bool any = false;
    for (int m = 0; m <= INLAY_GRID_SCATTER; m++) {
        inlay_grid_method method = (inlay_grid_method)m;
        if (method == INLAY_GRID_SCATTER && grid_problem_cells(q->problem) > MOST_SCATTERED) {
            continue;
        }
        int status = grid_ask(q, method, used, &f->answer[m], diag);
        if (status == INLAY_NO_ANSWER) {
            diag_clear_error(diag);
            continue;
        }
        if (status != INLAY_OK) {
            return status;
        }
        if (!any || f->answer[m].cost.seconds < f->answer[f->first].cost.seconds) {
            f->first = method;
        }
        any = true;
        offer_start(f, method, used);
    }
    return INLAY_OK;
}

/* ---- Search ---- */

typedef struct search {
    const grid_question *question;
    grid_builder builder;
    grid_coster coster;
    grid_plan plan, next;       /* where the search is; a change of it */
    inlay_decomposition *built; /* of `next` */
    grid_plan best;
    int32_t *host; /* by rank; NULL: each message costs the same */
    double plan_seconds, best_seconds;
    uint64_t state;
} search;

static void clear_search(search *s)
{
    grid_builder_clear(&s->builder);
    grid_coster_clear(&s->coster);
    grid_plan_clear(&s->plan);
    grid_plan_clear(&s->next);
    grid_plan_clear(&s->best);
    inlay_decomposition_free(s->built);
    free(s->host);
}

static int make_search(const grid_question *q, int32_t used, search *s, inlay_diag *diag)
{
    *s = (search){.question = q, .state = q->options->seed};
    int status = grid_decomposition_make(q->problem, q->machines, used, INLAY_GRID_BEST, &s->built, diag);
    if (status != INLAY_OK) {
        return status;
    }
    int dimensions = q->problem->planes > 1 ? 3 : 2;
    if (!grid_builder_make(&s->builder, used, q->machines->whole) || !grid_plan_make(&s->plan, used, dimensions) ||
        !grid_plan_make(&s->next, used, dimensions) || !grid_plan_make(&s->best, used, dimensions) ||
        !grid_tree_make(&s->built->tree, used, false)) {
        return diag_no_memory(diag);
    }
    const inlay_grid_ways *ways = q->network->ways;
    if (ways != NULL && (s->host = memory_array((size_t)used, sizeof *s->host)) == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; ways != NULL && i < used; i++) {
        s->host[i] = ways->host[s->built->order[i]];
    }
    return grid_coster_make(s->built, q->network, q->phase, q->phases, &s->coster, diag);
}

static int climb(search *s, int64_t tries, inlay_diag *diag)
{
    const inlay_grid_problem *p = s->question->problem;
    int64_t longest = p->rows > p->columns ? p->rows : p->columns;
    longest = p->planes > longest ? p->planes : longest;
    for (int64_t n = 0; n < tries; n++) {
        inlay_grid_cost cost;
        grid_plan_copy(&s->plan, &s->next);
        if (!grid_plan_vary(&s->next, s->builder.whole, s->host, longest, &s->state) ||
            !grid_plan_build(&s->next, &s->builder, s->built)) {
            continue;
        }
        if (p->room != NULL && grid_room_check(p, s->built, NULL) != INLAY_OK) {
            continue;
        }
        int status = grid_coster_run(&s->coster, s->built, &cost, diag);
        if (status == INLAY_NO_ANSWER) {
            diag_clear_error(diag);
            continue;
        }
        if (status != INLAY_OK) {
            return status;
        }
        if (cost.seconds <= s->plan_seconds) { /* equals too: they lead across plains */
            grid_plan_copy(&s->next, &s->plan);
            s->plan_seconds = cost.seconds;
        }
    }
    return INLAY_OK;
}

/* From each start with a quarter of the tries, then from the best of all with the rest. */
static int search_all(search *s, const field *f, int64_t tries, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (int i = 0; i <= f->starts && status == INLAY_OK; i++) {
        if (i < f->starts) {
            const grid_answer *start = &f->answer[f->start[i]];
            grid_plan_of(start->decomposition, &s->builder, &s->plan);
            s->plan_seconds = start->cost.seconds;
        } else {
            grid_plan_copy(&s->best, &s->plan);
            s->plan_seconds = s->best_seconds;
        }
        status = climb(s, tries / (f->starts + 1), diag);
        if (i == 0 || s->plan_seconds < s->best_seconds) {
            grid_plan_copy(&s->plan, &s->best);
            s->best_seconds = s->plan_seconds;
        }
    }
    return status;
}

/* Where the search found something shorter than the field has, that takes the place of the field's first. */
static int search_field(const grid_question *q, int32_t used, int64_t tries, field *f, inlay_diag *diag)
{
    search s;
    grid_answer *first = &f->answer[f->first];
    int status = make_search(q, used, &s, diag);
    status = status == INLAY_OK ? search_all(&s, f, tries, diag) : status;
    if (status == INLAY_OK && s.best_seconds < first->cost.seconds) {
        grid_plan_build(&s.best, &s.builder, s.built);
        status = grid_coster_run(&s.coster, s.built, &first->cost, diag);
        status = status == INLAY_OK ? grid_decomposition_finish(s.built, diag) : status;
        inlay_decomposition_free(first->decomposition);
        first->decomposition = s.built;
        s.built = NULL;
    }
    clear_search(&s);
    return status;
}

/* So many that the search takes about as long for any number of processors from MANY on. */
static int64_t usual_tries(int32_t used, inlay_diag *diag)
{
    int64_t tries = used <= MANY ? TRIES : (int64_t)TRIES * MANY / used;
    if (used <= CROWD) {
        return tries < LEAST_TRIES ? LEAST_TRIES : tries;
    }
    tries = (int64_t)LEAST_TRIES * CROWD / used;
    tries = tries < 1 ? 1 : tries;
    diag_warn(diag, "best looks at %lld decompositions alone for %d processors; more tries may find better ones",
              (long long)tries, (int)used);
    return tries;
}

int grid_ask_best(const grid_question *q, int32_t used, int64_t tries, grid_answer *answer, inlay_diag *diag)
{
    if (tries <= 0) {
        tries = usual_tries(used, diag);
    }
    field f = {0};
    int status = ask_field(q, used, &f, diag);
    bool any = f.answer[f.first].decomposition != NULL;
    if (status == INLAY_OK && !any) {
        status = diag_fail(diag, INLAY_NO_ANSWER, "no method has a decomposition for the search to begin with");
    }
    if (status == INLAY_OK && used > 1 && f.starts > 0) {
        status = search_field(q, used, tries, &f, diag);
    }
    if (status == INLAY_OK) {
        *answer = f.answer[f.first];
        f.answer[f.first] = (grid_answer){0};
    }
    clear_field(&f);
    return status;
}

int inlay_decompose_best(const inlay_grid_problem *problem, const inlay_grid_network *network,
                         const inlay_grid_phase *phase, size_t phases, const inlay_grid_options *options, int64_t tries,
                         inlay_decomposition **decomposition, inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_grid_options none = {0};
    grid_machines machines = {0};
    int status = grid_machines_make(problem, &machines, diag);
    status = status == INLAY_OK ? grid_check_cells(problem, diag) : status;
    if (status == INLAY_OK) {
        status = grid_check_costs(network, phase, phases, grid_problem_cells(problem), problem->processors,
                                  problem->item, diag);
    }
    grid_teams teams = {0};
    status = status == INLAY_OK ? grid_teams_make(problem, network, &machines, &teams, diag) : status;
    if (status == INLAY_OK) {
        grid_question q = {problem, teams.count > 0 ? &teams.machines[0] : &machines,
                           network, phase,
                           phases,  options == NULL ? &none : options};
        grid_answer answer = {0};
        status = grid_ask_best(&q, problem->processors, tries, &answer, diag);
        if (status == INLAY_OK) {
            *decomposition = answer.decomposition;
        }
    }
    grid_teams_clear(&teams);
    grid_machines_clear(&machines);
    return status;
}

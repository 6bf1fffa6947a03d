/* Methods ranked by the time of a cycle, each with the number of processors that suits it. */
#include "base/diag.h"
#include "base/memory.h"
#include "grid/best.h"
#include "grid/rank.h"
#include "grid/teams.h"
#include <math.h>
#include <stdlib.h>

enum {
    ONE_BY_ONE = 128,          /* numbers of processors that are all tried */
    MOST_SCATTERED = 1 << 26,  /* units in all that scatters of several numbers of processors may have */
    USUAL_SCATTERED = 1 << 24, /* units of a scatter that is not asked for by name */
    NAMED_METHODS = (1 << INLAY_GRID_BEST) - 1,
    ALL_METHODS = (1 << INLAY_GRID_METHODS) - 1,
    FLAT_METHODS = 1 << INLAY_GRID_POINT | 1 << INLAY_GRID_INTERLEAVED | 1 << INLAY_GRID_SCATTER
};

struct inlay_grid_ranking {
    inlay_grid_row row[INLAY_GRID_METHODS];
    inlay_decomposition *decomposition[INLAY_GRID_METHODS]; /* of the rows, in any order */
    int team[INLAY_GRID_METHODS];                           /* of the rows, before they are sorted */
    size_t rows;
    inlay_grid_redistribution redistribution;
    size_t *row_of_phase;
};

void inlay_grid_ranking_free(inlay_grid_ranking *ranking)
{
    if (ranking != NULL) {
        for (size_t i = 0; i < ranking->rows; i++) {
            inlay_decomposition_free(ranking->decomposition[i]);
        }
        free(ranking->row_of_phase);
        free(ranking);
    }
}

size_t inlay_grid_ranking_rows(const inlay_grid_ranking *ranking)
{
    return ranking->rows;
}

const inlay_grid_row *inlay_grid_ranking_row(const inlay_grid_ranking *ranking, size_t i)
{
    return i < ranking->rows ? &ranking->row[i] : NULL;
}

const inlay_grid_redistribution *inlay_grid_ranking_redistribution(const inlay_grid_ranking *ranking)
{
    return ranking->row_of_phase != NULL ? &ranking->redistribution : NULL;
}

/* ---- Numbers of processors ---- */

/* What is being ranked. */
typedef struct contest {
    grid_question question;
    const inlay_grid_rank_options *options;
    const grid_teams *teams; /* the question has the machines of the first */
    int32_t most;            /* processors: all, or as many as there are cells */
    bool only_all;           /* no fewer than that */
} contest;

/* The answer of `used` processors takes the place of the best one where its cycle is shorter. */
static int try_number(const contest *c, inlay_grid_method method, int32_t used, grid_answer *best, int32_t *at,
                      double *seconds_all, inlay_diag *diag)
{
    grid_answer one = {0};
    int status = grid_ask(&c->question, method, used, &one, diag);
    if (status == INLAY_NO_ANSWER && best->decomposition != NULL) { /* too few to hold all cells */
        diag_clear_error(diag);
        return INLAY_OK;
    }
    if (status != INLAY_OK) {
        return status;
    }
    if (used == c->question.problem->processors) {
        *seconds_all = one.cost.seconds;
    }
    double least = best->decomposition != NULL ? best->cost.seconds : INFINITY;
    if (best->decomposition == NULL || one.cost.seconds < least || (one.cost.seconds == least && used < *at)) {
        grid_answer_clear(best);
        *best = one;
        *at = used;
    } else {
        grid_answer_clear(&one);
    }
    return INLAY_OK;
}

/* On from the best number one by one, as long as cycles get shorter. */
static int try_beside(const contest *c, inlay_grid_method method, int32_t way, grid_answer *best, int32_t *at,
                      double *seconds_all, inlay_diag *diag)
{
    int32_t before = 0;
    int status = INLAY_OK;
    while (status == INLAY_OK && before != *at && *at + way >= 1 && *at + way < c->most) {
        before = *at;
        status = try_number(c, method, before + way, best, at, seconds_all, diag);
    }
    return status;
}

/* Units that a scatter has in its table. */
static double scattered(const contest *c)
{
    const inlay_grid_problem *p = c->question.problem;
    const inlay_grid_options *o = c->question.options;
    double rows = (double)p->rows;
    double columns = (double)p->columns;
    switch (o->unit) {
    case INLAY_GRID_UNIT_ROW: return rows;
    case INLAY_GRID_UNIT_COLUMN: return columns;
    case INLAY_GRID_UNIT_BLOCK: return ceil(rows / (double)o->unit_rows) * ceil(columns / (double)o->unit_columns);
    default: return rows * columns;
    }
}

static bool tries_all_alone(const contest *c, inlay_grid_method method)
{
    return c->only_all || (method == INLAY_GRID_SCATTER && scattered(c) * fmin(c->most, ONE_BY_ONE) > MOST_SCATTERED);
}

/* A team that has something to say beside the first; there is none where all processors are to be used. */
static bool take_team(const contest *c, int team, contest *to)
{
    if (team >= c->teams->count || c->only_all) {
        return false;
    }
    *to = *c;
    to->question.machines = &c->teams->machines[team];
    to->most = c->teams->size[team] < c->most ? c->teams->size[team] : c->most;
    return true;
}

/* From all processors down; of equal cycles the one with the fewest is kept. */
static int ask_numbers(const contest *c, inlay_grid_method method, grid_answer *best, int32_t *at, double *seconds_all,
                       inlay_diag *diag)
{
    int status = try_number(c, method, c->most, best, at, seconds_all, diag);
    if (tries_all_alone(c, method)) {
        return status;
    }
    for (int32_t used = c->most - 1; used > 0 && status == INLAY_OK;) {
        status = try_number(c, method, used, best, at, seconds_all, diag);
        used -= used <= ONE_BY_ONE ? 1 : used / 26; /* at most 4 % */
    }
    if (c->most > ONE_BY_ONE) {
        for (int way = -1; way <= 1 && status == INLAY_OK; way += 2) {
            status = try_beside(c, method, way, best, at, seconds_all, diag);
        }
    }
    return status;
}

/* ---- Rows ---- */

static void add_row(inlay_grid_ranking *r, inlay_grid_method method, int team, int32_t used, double seconds_all,
                    const grid_answer *answer)
{
    r->team[r->rows] = team;
    r->decomposition[r->rows] = answer->decomposition;
    r->row[r->rows++] = (inlay_grid_row){.method = method,
                                         .processors = used,
                                         .cost = answer->cost,
                                         .seconds_all = seconds_all,
                                         .decomposition = answer->decomposition};
}

/* The units of a scatter are dealt out where somebody will ask for them, and counted. */
static int settle_scatter(const contest *c, grid_answer *answer, inlay_diag *diag)
{
    grid_coster coster = {0};
    if (answer->decomposition->summary.method != INLAY_GRID_SCATTER) {
        return INLAY_OK;
    }
    const grid_question *q = &c->question;
    int status = grid_scatter_draw(answer->decomposition, diag);
    if (status == INLAY_OK) {
        status = grid_coster_make(answer->decomposition, q->network, q->phase, q->phases, &coster, diag);
    }
    status = status == INLAY_OK ? grid_coster_run(&coster, answer->decomposition, &answer->cost, diag) : status;
    grid_coster_clear(&coster);
    return status;
}

/* A method that has no answer is left out with a warning. */
static int add_named(const contest *c, inlay_grid_method method, inlay_grid_ranking *r, inlay_diag *diag)
{
    grid_answer best = {0};
    int32_t at = 0;
    double seconds_all = INFINITY;
    int status = ask_numbers(c, method, &best, &at, &seconds_all, diag), of = 0;
    contest near;
    for (int team = 1; status == INLAY_OK && take_team(c, team, &near); team++) {
        double least = best.cost.seconds;
        status = ask_numbers(&near, method, &best, &at, &seconds_all, diag);
        of = best.cost.seconds < least ? team : of;
    }
    if (status == INLAY_NO_ANSWER) {
        diag_warn(diag, "%s is left out: %s", inlay_grid_method_name(method), inlay_diag_message(diag));
        diag_clear_error(diag);
        grid_answer_clear(&best);
        return INLAY_OK;
    }
    if (status == INLAY_OK && (c->options->redistribute || c->options->methods == 1U << method)) {
        status = settle_scatter(c, &best, diag);
    }
    if (status != INLAY_OK) {
        grid_answer_clear(&best);
        return status;
    }
    add_row(r, method, of, at, seconds_all, &best);
    return INLAY_OK;
}

/* The caller's own owners, on the processors that they name. */
static int add_map(const contest *c, inlay_grid_ranking *r, inlay_diag *diag)
{
    const grid_question *q = &c->question;
    grid_answer own = {0};
    grid_coster coster = {0};
    int status = inlay_decompose_map(q->problem, c->options->owner, &own.decomposition, diag);
    if (status == INLAY_OK) {
        status = grid_coster_make(own.decomposition, q->network, q->phase, q->phases, &coster, diag);
    }
    status = status == INLAY_OK ? grid_coster_run(&coster, own.decomposition, &own.cost, diag) : status;
    grid_coster_clear(&coster);
    if (status == INLAY_OK) {
        add_row(r, INLAY_GRID_MAP, 0, q->problem->processors, own.cost.seconds, &own);
    } else {
        grid_answer_clear(&own);
    }
    return status;
}

/* The number of processors of the row with the shortest cycle, and their team; all where there is none. */
static int32_t best_number(const contest *c, const inlay_grid_ranking *r, int *team)
{
    int32_t number = c->most;
    *team = 0;
    double least = INFINITY;
    for (size_t i = 0; i < r->rows; i++) {
        if (r->row[i].cost.seconds < least) {
            least = r->row[i].cost.seconds;
            number = r->row[i].processors;
            *team = r->team[i];
        }
    }
    return number;
}

/* On all processors, and on as many as the best named method uses. */
static int add_best(const contest *c, inlay_grid_ranking *r, inlay_diag *diag)
{
    int team;
    int32_t used = best_number(c, r, &team);
    contest near = *c;
    (void)take_team(c, team, &near);
    grid_answer all = {0};
    grid_answer fewer = {0};
    int status = grid_ask_best(&c->question, c->most, c->options->tries, &all, diag);
    if (status == INLAY_NO_ANSWER) {
        diag_warn(diag, "best is left out: %s", inlay_diag_message(diag));
        diag_clear_error(diag);
        return INLAY_OK;
    }
    double seconds_all = status == INLAY_OK && c->most == c->question.problem->processors ? all.cost.seconds : INFINITY;
    if (status == INLAY_OK && used < c->most) {
        status = grid_ask_best(&near.question, used, c->options->tries, &fewer, diag);
    }
    bool takes_fewer = fewer.decomposition != NULL && fewer.cost.seconds <= all.cost.seconds;
    if (status == INLAY_OK) {
        add_row(r, INLAY_GRID_BEST, takes_fewer ? team : 0, takes_fewer ? used : c->most, seconds_all,
                takes_fewer ? &fewer : &all);
        grid_answer_clear(takes_fewer ? &all : &fewer);
    } else {
        grid_answer_clear(&all);
        grid_answer_clear(&fewer);
    }
    return status;
}

/* Rising cycles; equal ones stay as they are. Insertion: there are few rows. */
static void sort_rows(inlay_grid_ranking *r)
{
    for (size_t i = 1; i < r->rows; i++) {
        inlay_grid_row moved = r->row[i];
        size_t at = i;
        for (; at > 0 && r->row[at - 1].cost.seconds > moved.cost.seconds; at--) {
            r->row[at] = r->row[at - 1];
        }
        r->row[at] = moved;
    }
    for (size_t i = 0; i < r->rows; i++) {
        double least = r->row[0].cost.seconds;
        double seconds = r->row[i].cost.seconds;
        r->row[i].ratio = seconds == least ? 1 : least > 0 ? seconds / least : INFINITY;
    }
}

static int add_rows(const contest *c, inlay_grid_ranking *r, inlay_diag *diag)
{
    uint32_t methods = c->options->methods;
    int status = INLAY_OK;
    if (methods == 0) {
        bool scatters = scattered(c) <= USUAL_SCATTERED;
        methods = scatters ? NAMED_METHODS : NAMED_METHODS & ~(1U << INLAY_GRID_SCATTER);
        methods |= c->options->owner != NULL ? 1U << INLAY_GRID_MAP : 0;
    }
    if (c->question.problem->planes > 1 && (methods & ~(uint32_t)FLAT_METHODS) != 0) {
        methods &= ~(uint32_t)FLAT_METHODS; /* boxes alone */
    }
    for (int m = 0; m < INLAY_GRID_BEST && status == INLAY_OK; m++) {
        if ((methods >> m & 1) != 0) {
            status = add_named(c, (inlay_grid_method)m, r, diag);
        }
    }
    if (status == INLAY_OK && (methods >> INLAY_GRID_BEST & 1) != 0) {
        status = add_best(c, r, diag);
    }
    if (status == INLAY_OK && (methods >> INLAY_GRID_MAP & 1) != 0) {
        status = add_map(c, r, diag);
    }
    if (status == INLAY_OK && r->rows == 0) {
        return diag_fail(diag, INLAY_NO_ANSWER, "no method that is asked for has a decomposition of this grid");
    }
    sort_rows(r);
    return status;
}

/* ---- Ranking ---- */

/* Fewer processors are no question where bytes between given ones are, nor where nothing is computed. */
static bool needs_all(const inlay_grid_phase *phase, size_t phases)
{
    bool computes = false;
    for (size_t i = 0; i < phases; i++) {
        if (phase[i].pattern.communication == INLAY_GRID_RANDOM && phase[i].pattern.bytes != NULL) {
            return true;
        }
        computes = computes || phase[i].work > 0;
    }
    return !computes;
}

/* Neighbours in other planes are for grids that have some; the pattern is checked. */
static int check_dimensions(const inlay_grid_problem *problem, const inlay_grid_pattern *pattern, inlay_diag *diag)
{
    bool goes = pattern->communication >= INLAY_GRID_STENCIL7 && pattern->communication <= INLAY_GRID_STENCIL27;
    for (size_t i = 0; pattern->communication == INLAY_GRID_OFFSETS && i < pattern->offsets &&
                       pattern->offset != NULL && i < INLAY_GRID_DIRECTIONS;
         i++) {
        goes = goes || pattern->offset[i].through != 0;
    }
    return problem->planes > 1 || !goes
               ? INLAY_OK
               : diag_fail(
                     diag, INLAY_BAD_ARGUMENT,
                     "%s has neighbours in other planes; expected a grid of three dimensions, such as 100x100x100",
                     inlay_grid_communication_name(pattern->communication));
}

static int check_contest(const contest *c, inlay_diag *diag)
{
    const inlay_grid_problem *p = c->question.problem;
    if ((c->options->methods & ~(uint32_t)ALL_METHODS) != 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "methods 0x%x are to be ranked; expected bits 0 to %d",
                         (unsigned)c->options->methods, INLAY_GRID_MAP);
    }
    if ((c->options->methods >> INLAY_GRID_MAP & 1) != 0 && c->options->owner == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a map is to be ranked, and there is none; expected owners");
    }
    if (c->options->tries < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the search may try %lld decompositions; expected 1 or more, or 0",
                         (long long)c->options->tries);
    }
    int roomy = grid_room_warn(p, c->question.machines, c->most, diag);
    if (roomy != INLAY_OK) {
        return roomy;
    }
    bool map_alone = c->options->methods == 1U << INLAY_GRID_MAP; /* its owners say who is used */
    if (c->most < p->processors && !map_alone) {
        diag_warn(diag, "there are %d processors for %lld cells: the fastest %lld are looked at", (int)p->processors,
                  (long long)c->most, (long long)c->most);
    }
    int status = grid_check_costs(c->question.network, c->question.phase, c->question.phases, grid_problem_cells(p),
                                  p->processors, p->item, diag);
    for (size_t i = 0; i < c->question.phases && status == INLAY_OK; i++) {
        status = check_dimensions(p, &c->question.phase[i].pattern, diag);
    }
    return status;
}

static int rank(contest *c, inlay_grid_ranking **ranking, inlay_diag *diag)
{
    const inlay_grid_problem *p = c->question.problem;
    int64_t cells = grid_problem_cells(p);
    c->most = p->processors < cells ? p->processors : (int32_t)cells;
    int status = check_contest(c, diag);
    if (status != INLAY_OK) {
        return status;
    }
    bool many = p->curve != NULL && p->processors > ONE_BY_ONE; /* shares by curves take their time */
    c->only_all = c->options->all || many || needs_all(c->question.phase, c->question.phases);
    inlay_grid_ranking *r = memory_zeroed(1, sizeof *r);
    if (r == NULL) {
        return diag_no_memory(diag);
    }
    status = add_rows(c, r, diag);
    for (size_t i = 0; i < r->rows && status == INLAY_OK; i++) { /* the owners of the first row are there */
        bool first = r->decomposition[i] == r->row[0].decomposition;
        status = first ? grid_scatter_draw(r->decomposition[i], diag) : INLAY_OK;
    }
    if (status == INLAY_OK && c->options->redistribute) {
        status = grid_redistribute_rows(&c->question, r->row, r->rows, &r->redistribution, &r->row_of_phase, diag);
    }
    if (status == INLAY_OK) {
        *ranking = r;
    } else {
        inlay_grid_ranking_free(r);
    }
    return status;
}

int inlay_grid_rank(const inlay_grid_problem *problem, const inlay_grid_network *network, const inlay_grid_phase *phase,
                    size_t phases, const inlay_grid_rank_options *options, inlay_grid_ranking **ranking,
                    inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_grid_rank_options none = {0};
    options = options == NULL ? &none : options;
    grid_machines machines = {0};
    grid_teams teams = {0};
    int status = grid_machines_make(problem, &machines, diag);
    status = status == INLAY_OK ? grid_teams_make(problem, network, &machines, &teams, diag) : status;
    if (status == INLAY_OK) {
        contest c = {.question = {problem, teams.count > 0 ? &teams.machines[0] : &machines, network, phase, phases,
                                  &options->decomposition},
                     .options = options,
                     .teams = &teams};
        status = rank(&c, ranking, diag);
    }
    grid_teams_clear(&teams);
    grid_machines_clear(&machines);
    return status;
}

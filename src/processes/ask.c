/* All that a question of processes asks for: the best numbers, the shapes of their grids, and time over l. */
#include "base/diag.h"
#include "base/memory.h"
#include <inlay/processes.h>
#include <inttypes.h>
#include <stdlib.h>

/* What was found, and all that it points to. */
typedef struct found {
    inlay_process_result told;
    inlay_process_plan *plan;
    inlay_process_grids *grids, *fewest, **next;
    size_t next_count;
    inlay_process_point *point;
} found;

/* ---- The best numbers ---- */

/* One process on each processor takes no longer than HoHo: where that many may be looked at, there is an answer. */
static void suggest_total(const found *of, inlay_diag *diag)
{
    const inlay_process_question *asked = &of->told.asked;
    int64_t total = of->told.processors < asked->problem.data ? of->told.processors : asked->problem.data;
    inlay_process_options options = asked->options;
    bool raise = options.to > 0 && options.to < total;
    inlay_process_plan *plan = NULL;
    options.to = raise ? total : options.to;
    options.from = options.from > total ? total : options.from;
    if (inlay_processes(&asked->problem, &options, &plan, NULL) == INLAY_OK) {
        diag_remedy(diag, raise ? "--max" : "--min", "%" PRId64, total);
    }
    inlay_process_plan_free(plan);
}

static int find_plan(found *of, inlay_diag *diag)
{
    inlay_process_result *told = &of->told;
    for (size_t q = 0; q < told->asked.problem.rows; q++) {
        told->processors += told->asked.problem.row[q].count;
    }
    int status = inlay_processes(&told->asked.problem, &told->asked.options, &of->plan, diag);
    if (status == INLAY_NO_ANSWER) {
        suggest_total(of, diag);
    }
    if (status == INLAY_OK) {
        told->plan = of->plan;
        told->best = inlay_process_plan_at(of->plan, 0);
        told->fewest = inlay_process_plan_fewest(of->plan);
    }
    return status;
}

/* ---- Process grids ---- */

/* The shapes of another answer, for comparison alone: none where none fits. */
static int find_others(const found *of, const inlay_process_answer *answer, inlay_process_grids **grids)
{
    const inlay_process_question *asked = &of->told.asked;
    int status = inlay_process_grids_make(&asked->problem, answer, &asked->grid, grids, NULL);
    return status == INLAY_NO_MEMORY ? status : INLAY_OK;
}

/* Whether the best answer with at most options->to processes, which that becomes, forms a grid. */
static bool forms_grid(const found *of, inlay_process_options *options)
{
    inlay_process_plan *plan = NULL;
    inlay_process_grids *grids = NULL;
    bool forms = inlay_processes(&of->told.asked.problem, options, &plan, NULL) == INLAY_OK;
    if (forms) {
        options->to = inlay_process_plan_at(plan, 0)->total;
        forms = find_others(of, inlay_process_plan_at(plan, 0), &grids) == INLAY_OK && grids != NULL;
    }
    inlay_process_grids_free(grids);
    inlay_process_plan_free(plan);
    return forms;
}

/* Of fewer processes the best ones that form a grid: --max says how many that are. */
static void suggest_grid(const found *of, inlay_diag *diag)
{
    enum { TRIES = 100 };
    inlay_process_options options = of->told.asked.options;
    options.best = 1;
    options.to = of->told.best->total;
    for (int i = 0; i < TRIES && options.to > 1 && options.to > options.from; i++) {
        options.to--;
        if (forms_grid(of, &options)) {
            diag_remedy(diag, "--max", "%" PRId64, options.to);
            return;
        }
    }
}

static int find_grids(found *of, inlay_diag *diag)
{
    inlay_process_result *told = &of->told;
    if (told->asked.grid.data[0] == 0) {
        return INLAY_OK;
    }
    int status = inlay_process_grids_make(&told->asked.problem, told->best, &told->asked.grid, &of->grids, diag);
    if (status == INLAY_NO_ANSWER) {
        suggest_grid(of, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    of->next_count = inlay_process_plan_count(of->plan);
    of->next = memory_zeroed(of->next_count, sizeof(inlay_process_grids *));
    status = of->next != NULL ? find_others(of, told->fewest, &of->fewest) : INLAY_NO_MEMORY;
    for (size_t i = 1; i < of->next_count && status == INLAY_OK; i++) {
        status = find_others(of, inlay_process_plan_at(of->plan, i), &of->next[i]);
    }
    told->grids = of->grids;
    told->next_grids = (const inlay_process_grids *const *)of->next;
    told->fewest_grids = of->fewest;
    return status;
}

/* ---- All of it ---- */

static int find_curve(found *of, inlay_diag *diag)
{
    inlay_process_result *told = &of->told;
    size_t most = told->asked.points;
    if (most == 0) {
        return INLAY_OK;
    }
    of->point = memory_zeroed(most, sizeof *of->point);
    told->point = of->point;
    return of->point != NULL
               ? inlay_processes_curve(&told->asked.problem, &told->asked.options, most, of->point, &told->points, diag)
               : INLAY_NO_MEMORY;
}

int inlay_processes_ask(const inlay_process_question *question, inlay_process_result **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    found *of = memory_zeroed(1, sizeof *of);
    if (of == NULL) {
        return diag_no_memory(diag);
    }
    of->told.asked = *question;
    int status = find_plan(of, diag);
    status = status == INLAY_OK ? find_grids(of, diag) : status;
    status = status == INLAY_OK ? find_curve(of, diag) : status;
    if (status == INLAY_OK) {
        *result = &of->told;
    } else {
        inlay_process_result_free(&of->told);
    }
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

void inlay_process_result_free(inlay_process_result *result)
{
    found *of = (found *)result; /* its first member */
    if (of == NULL) {
        return;
    }
    for (size_t i = 0; of->next != NULL && i < of->next_count; i++) {
        inlay_process_grids_free(of->next[i]);
    }
    free(of->next);
    inlay_process_grids_free(of->fewest);
    inlay_process_grids_free(of->grids);
    free(of->point);
    inlay_process_plan_free(of->plan);
    free(of);
}

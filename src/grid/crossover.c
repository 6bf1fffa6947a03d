/* Costs of the methods over the size of the grid, and where the best one changes. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include <inlay/decompose.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Between two sizes that are looked at the best method changes at most so often. */
enum { MOST_CHANGES = 16 };

/* The question, and what is found. */
typedef struct search {
    inlay_grid_problem problem;
    const inlay_grid_network *network;
    const inlay_grid_phase *phase;
    size_t phases;
    inlay_grid_rank_options options;
    inlay_grid_crossover *crossover;
} search;

/* ---- Names ---- */

const char *inlay_grid_processor_name(const inlay_grid_machines *machines, int32_t processor,
                                      char room[INLAY_GRID_NAME])
{
    const char *name = machines->name != NULL ? machines->name[processor] : NULL;
    if (name == NULL) {
        (void)plain_print(room, INLAY_GRID_NAME, "%" PRId32, processor);
    }
    return name != NULL ? name : room;
}

const char *inlay_grid_phase_name(const inlay_grid_phase *phase)
{
    return phase->name != NULL ? phase->name : inlay_grid_communication_name(phase->pattern.communication);
}

void inlay_grid_crossover_clear(inlay_grid_crossover *crossover)
{
    for (size_t i = 0; i < INLAY_GRID_METHODS; i++) {
        free(crossover->seconds[i]);
    }
    free(crossover->rows);
    free(crossover->size);
    free(crossover->range);
    *crossover = (inlay_grid_crossover){0};
}

int64_t inlay_grid_columns(const inlay_grid_problem *of, int64_t rows)
{
    double columns = round((double)rows * (double)of->columns / (double)of->rows);
    return columns >= 1 ? (int64_t)columns : 1;
}

/* ---- One size ---- */

static int rank_size(const search *of, int64_t rows, inlay_grid_ranking **ranking, inlay_diag *diag)
{
    inlay_grid_problem problem = of->problem;
    double planes = round((double)rows * (double)problem.planes / (double)problem.rows);
    problem.planes = problem.planes < 2 ? problem.planes : planes < 2 ? 2 : (int64_t)planes;
    problem.rows = rows;
    problem.columns = inlay_grid_columns(&of->problem, rows);
    return inlay_grid_rank(&problem, of->network, of->phase, of->phases, &of->options, ranking, diag);
}

static int best_of_size(const search *of, int64_t rows, inlay_grid_method *method, inlay_diag *diag)
{
    inlay_grid_ranking *ranking = NULL;
    int status = rank_size(of, rows, &ranking, diag);
    if (status == INLAY_OK) {
        *method = inlay_grid_ranking_row(ranking, 0)->method;
        inlay_grid_ranking_free(ranking);
    }
    return status;
}

static int cost_size(search *of, size_t at, inlay_grid_method *best, inlay_diag *diag)
{
    inlay_grid_crossover *to = of->crossover;
    inlay_grid_ranking *ranking = NULL;
    int status = rank_size(of, to->rows[at], &ranking, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (size_t i = 0; i < inlay_grid_ranking_rows(ranking); i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(ranking, i);
        if (to->seconds[row->method] != NULL) {
            to->seconds[row->method][at] = row->cost.seconds;
        }
    }
    *best = inlay_grid_ranking_row(ranking, 0)->method;
    inlay_grid_ranking_free(ranking);
    return INLAY_OK;
}

/* ---- Ranges ---- */

static void add_range(inlay_grid_crossover *to, int64_t from, inlay_grid_method method)
{
    to->range[to->ranges++] = (inlay_grid_range){from, from, method};
}

/* Finds the changes above `from`, for which `method` is the best, up to `end`, for which `last` is. */
static int find_changes(search *of, int64_t from, int64_t end, inlay_grid_method last, inlay_diag *diag)
{
    inlay_grid_crossover *to = of->crossover;
    int status = INLAY_OK;
    for (int changes = 0; status == INLAY_OK && to->range[to->ranges - 1].method != last; changes++) {
        inlay_grid_method before = to->range[to->ranges - 1].method, above = last;
        int64_t high = end;
        while (status == INLAY_OK && changes + 1 < MOST_CHANGES && high - from > 1) {
            inlay_grid_method middle = before;
            status = best_of_size(of, from + (high - from) / 2, &middle, diag);
            above = middle != before ? middle : above;
            *(middle != before ? &high : &from) = from + (high - from) / 2;
        }
        to->range[to->ranges - 1].to = high - 1;
        add_range(to, high, above);
        from = high;
    }
    to->range[to->ranges - 1].to = end;
    return status;
}

static int find_ranges(search *of, const inlay_grid_method *best, inlay_diag *diag)
{
    inlay_grid_crossover *to = of->crossover;
    int status = INLAY_OK;
    add_range(to, to->rows[0], best[0]);
    for (size_t i = 1; i < to->sizes && status == INLAY_OK; i++) {
        status = find_changes(of, to->rows[i - 1], to->rows[i], best[i], diag);
    }
    return status;
}

/* ---- Sizes ---- */

/* Whole numbers from `from` to `to` by equal factors, each once. */
static void fill_sizes(inlay_grid_crossover *to, int64_t from, int64_t end, size_t points)
{
    double factor = log((double)end / (double)from) / (double)(points - 1);
    for (size_t i = 0; i < points; i++) {
        int64_t rows = i + 1 == points ? end : (int64_t)llround((double)from * exp(factor * (double)i));
        if (to->sizes == 0 || rows > to->rows[to->sizes - 1]) {
            to->size[to->sizes] = (double)rows;
            to->rows[to->sizes++] = rows;
        }
    }
}

static bool make_room(search *of, size_t points)
{
    inlay_grid_crossover *to = of->crossover;
    uint32_t methods = of->options.methods;
    bool made = true;
    to->rows = memory_array(points, sizeof *to->rows);
    to->size = memory_array(points, sizeof *to->size);
    to->range = memory_array(points * (MOST_CHANGES + 1), sizeof *to->range);
    for (int m = 0; m < INLAY_GRID_METHODS; m++) {
        if ((methods >> m & 1) != 0) {
            to->seconds[m] = memory_array(points, sizeof *to->seconds[m]);
            made = made && to->seconds[m] != NULL;
        }
        for (size_t i = 0; to->seconds[m] != NULL && i < points; i++) {
            to->seconds[m][i] = NAN;
        }
    }
    return made && to->rows != NULL && to->size != NULL && to->range != NULL;
}

int inlay_grid_crossover_find(const inlay_grid_problem *problem, const inlay_grid_network *network,
                              const inlay_grid_phase *phase, size_t phases, const inlay_grid_rank_options *options,
                              const inlay_grid_sizes *sizes, inlay_grid_crossover *crossover, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_grid_crossover found = {0};
    search of = {*problem, network, phase, phases, *options, &found};
    of.options.redistribute = false;
    if (sizes->from < 1 || sizes->to <= sizes->from || sizes->points < 2) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "sizes of a grid need two points and rising numbers of rows");
    }
    inlay_grid_method *best = memory_zeroed(sizes->points, sizeof *best);
    int status = best != NULL && make_room(&of, sizes->points) ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        fill_sizes(&found, sizes->from, sizes->to, sizes->points);
    }
    for (size_t i = 0; i < found.sizes && status == INLAY_OK; i++) {
        status = cost_size(&of, i, &best[i], diag);
    }
    status = status == INLAY_OK ? find_ranges(&of, best, diag) : status;
    free(best);
    if (status != INLAY_OK) {
        inlay_grid_crossover_clear(&found);
        return status;
    }
    *crossover = found;
    return INLAY_OK;
}

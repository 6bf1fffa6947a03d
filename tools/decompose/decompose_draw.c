/* The pictures of `inlay decompose`. */
#include "decompose.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>

enum { TITLE = 200, MARK = 64 };

static const double mega = 1e6;

/* The phase that sends most bytes: the first one with neighbours. */
static const inlay_grid_pattern *drawn_pattern(const inlay_grid_question *asked)
{
    for (size_t i = 0; i < asked->program->phases; i++) {
        if (asked->program->phase[i].pattern.communication >= INLAY_GRID_SYSTOLIC) {
            return &asked->program->phase[i].pattern;
        }
    }
    return asked->program->phase[0].pattern.communication == INLAY_GRID_NONE ? NULL : &asked->program->phase[0].pattern;
}

int decompose_draw(const cli_answer *a, const char *path)
{
    const inlay_grid_result *of = a->of;
    const inlay_grid_question *asked = &of->asked;
    const inlay_grid_row *best = inlay_grid_ranking_row(of->ranking, 0);
    size_t p = (size_t)asked->problem.processors;
    double *speed = malloc(p * sizeof *speed);
    char title[TITLE];
    if (speed == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (size_t i = 0; i < p; i++) {
        speed[i] = asked->problem.speed[i] / mega;
    }
    char planes[MARK] = "";
    if (asked->problem.planes > 1) {
        (void)snprintf(planes, sizeof planes, "%" PRId64 " x ", asked->problem.planes);
    }
    (void)snprintf(title, sizeof title, "%s%" PRId64 " x %" PRId64 " cells on %" PRId32 " processors: %s, %.6g s a %s",
                   planes, asked->problem.rows, asked->problem.columns, best->processors,
                   inlay_grid_method_name(best->method), best->cost.seconds,
                   asked->program->phases > 1 ? "cycle" : "step");
    const inlay_decomposition_picture picture = {.title = title,
                                                 .name = asked->machines->name,
                                                 .speed = speed,
                                                 .speed_unit = "Mflop/s",
                                                 .pattern = drawn_pattern(asked)};
    int status = inlay_decomposition_draw_svg(best->decomposition, &picture, path, a->diag);
    free(speed);
    return status;
}

/* ---- Sizes ---- */

/* The first range begins where the picture does and is no change. */
static size_t add_marks(const inlay_grid_crossover *crossover, const size_t *curve, inlay_crossover_mark *mark,
                        char (*words)[MARK])
{
    enum { MOST = 12 };
    size_t count = 0;
    for (size_t i = 1; i < crossover->ranges && crossover->ranges <= MOST + 1; i++) {
        const inlay_grid_range *range = &crossover->range[i];
        (void)snprintf(words[count], MARK, "%s from %" PRId64, inlay_grid_method_name(range->method), range->from);
        mark[count] = (inlay_crossover_mark){(double)range->from, curve[range->method], words[count]};
        count++;
    }
    return count;
}

int decompose_draw_crossover(const cli_answer *a, const char *path)
{
    const inlay_grid_result *of = a->of;
    const inlay_grid_crossover *crossover = &of->crossover;
    const inlay_grid_problem *problem = &of->asked.problem;
    inlay_crossover_curve curve[INLAY_GRID_METHODS];
    size_t place[INLAY_GRID_METHODS] = {0}, curves = 0;
    char title[TITLE];
    inlay_crossover_mark *mark = malloc((crossover->ranges + 1) * sizeof *mark);
    char(*words)[MARK] = malloc((crossover->ranges + 1) * sizeof *words);
    if (mark == NULL || words == NULL) {
        free(mark);
        free(words);
        return INLAY_NO_MEMORY;
    }
    for (int m = 0; m < INLAY_GRID_METHODS; m++) {
        if (crossover->seconds[m] != NULL) {
            place[m] = curves;
            curve[curves++] =
                (inlay_crossover_curve){inlay_grid_method_name((inlay_grid_method)m), crossover->seconds[m]};
        }
    }
    (void)snprintf(title, sizeof title, "Methods of decomposition by the size of the grid, on %" PRId32 " processors",
                   problem->processors);
    const inlay_crossover_picture picture = {
        .title = title,
        .size_words = problem->rows == problem->columns ? "n, of a grid of n x n cells" : "rows of the grid",
        .cost_words = of->asked.program->phases > 1 ? "seconds a cycle" : "seconds a step",
        .mark_words = "where another method becomes the best",
        .size = crossover->size,
        .sizes = crossover->sizes,
        .curve = curve,
        .curves = curves,
        .mark = mark,
        .marks = add_marks(crossover, place, mark, words)};
    int status = inlay_crossover_draw_svg(&picture, path, a->diag);
    free(mark);
    free(words);
    return status;
}

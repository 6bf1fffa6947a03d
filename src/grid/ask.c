/* All that a question of decomposition asks for: the ranking, and where the best method changes with the size. */
#include "base/diag.h"
#include "base/memory.h"
#include <inlay/decompose.h>
#include <stdlib.h>

/* Owners are those of one size; scatter is a table for each. */
static uint32_t methods_by_size(uint32_t methods)
{
    const uint32_t map = UINT32_C(1) << INLAY_GRID_MAP, scatter = UINT32_C(1) << INLAY_GRID_SCATTER;
    methods &= ~map;
    return methods == scatter ? methods : methods & ~scatter;
}

/* Each size warns of the same things again: only what is wrong is told. */
static int find_crossover(inlay_grid_result *of, inlay_diag *diag)
{
    const inlay_grid_question *asked = &of->asked;
    inlay_grid_rank_options options = asked->options;
    inlay_diag *apart = inlay_diag_new();
    if (apart == NULL) {
        return INLAY_NO_MEMORY;
    }
    options.methods = methods_by_size(options.methods);
    int status = inlay_grid_crossover_find(&asked->problem, &asked->network, asked->program->phase,
                                           asked->program->phases, &options, &asked->sizes, &of->crossover, apart);
    if (status != INLAY_OK) {
        (void)diag_fail(diag, status, "%s", inlay_diag_message(apart));
    }
    inlay_diag_free(apart);
    return status;
}

int inlay_grid_ask(const inlay_grid_question *question, inlay_grid_result **result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_grid_result *of = memory_zeroed(1, sizeof *of);
    if (of == NULL) {
        return diag_no_memory(diag);
    }
    of->asked = *question;
    int status = inlay_grid_rank(&question->problem, &question->network, question->program->phase,
                                 question->program->phases, &question->options, &of->ranking, diag);
    status = status == INLAY_OK && question->sizes.points > 0 ? find_crossover(of, diag) : status;
    if (status == INLAY_OK) {
        *result = of;
    } else {
        inlay_grid_result_free(of);
    }
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

void inlay_grid_result_free(inlay_grid_result *result)
{
    if (result != NULL) {
        inlay_grid_ranking_free(result->ranking);
        inlay_grid_crossover_clear(&result->crossover);
        free(result);
    }
}

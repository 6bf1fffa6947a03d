/*
 * Block-cyclic by coordinates: the first two numbers in a module's name are its row and column, as in GEMM_4_2_1 or
 * gemm(4,2,1); the only number of a name is both, as of POTRF_3, which is on the diagonal. Processors are a grid of R rows
 * and C columns, R the greatest divisor of P that is no more than its root, as those of block-cyclic matrices
 * (ScaLAPACK), and a module goes to processor (row mod R) C + (column mod C), unless it is pinned: whoever owns a tile
 * computes it. It knows no ties.
 */
#include "base/diag.h"
#include "cluster/method.h"
#include "cluster/rivals.h"

static inlay_id rows_of(inlay_id processors)
{
    inlay_id rows = 1;
    for (inlay_id r = 2; r <= processors / r; r++) {
        rows = processors % r == 0 ? r : rows;
    }
    return rows;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The first number from `at` on, modulo `by`; `at` is moved behind it. -1: there is none. */
static inlay_id next_number(const char **at, inlay_id by)
{
    int64_t number = 0;
    while (**at != '\0' && !is_digit(**at)) {
        (*at)++;
    }
    if (**at == '\0') {
        return -1;
    }
    for (; is_digit(**at); (*at)++) {
        number = (number * 10 + (**at - '0')) % by;
    }
    return (inlay_id)number;
}

static int place(const problem *p, inlay_id *processor_of, inlay_id *order, inlay_diag *diag)
{
    inlay_id rows = rows_of(p->processors), columns = p->processors / rows, pairs = 0;
    for (inlay_id i = 0; i < p->modules; i++) {
        const char *name = inlay_app_module_name(p->app, i), *first = name, *rest = name;
        inlay_id row = next_number(&rest, rows), column = next_number(&rest, columns);
        if (row < 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT,
                             "the name of module '%s' has no number; expected names with row and column, such as "
                             "gemm_4_2, or another method",
                             name);
        }
        pairs += column >= 0;
        column = column >= 0 ? column : next_number(&first, columns);
        processor_of[i] = row * columns + column;
    }
    if (pairs == 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "no module has two numbers in its name; expected names with row and column, such as gemm_4_2, "
                         "or another method");
    }
    return rival_finish(p, processor_of, order, diag);
}

const cluster_method block_cyclic_method = {
    .is = {.name = "block-cyclic",
           .description = "rows and columns in names, block-cyclic on a grid of processors: to hold others against",
           .memory = true,
           .pins = true,
           .unlike = true,
           .distance = true,
           .cores = true,
           .places = true},
    .place = place,
};

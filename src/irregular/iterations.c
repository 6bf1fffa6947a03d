/* Iterations and their RIG at the ranks that compute them (paper, section 3.2: iteration_partitioner). */
#include "irregular/iterations.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/schedule.h"
#include <math.h>
#include <stdlib.h>

void inlay_iterations_free(inlay_iterations *iterations)
{
    if (iterations != NULL) {
        free(iterations->iteration);
        free(iterations->start);
        free(iterations->element);
        free(iterations);
    }
}

/* ---- Checks ---- */

static int check_call(const inlay_rig *rig, const inlay_ripa *ripa, int ranks, inlay_iteration_rule rule,
                      double imbalance, inlay_diag *diag)
{
    int status = rig_check(rig, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (rule != INLAY_ITERATION_OWNER && rule != INLAY_ITERATION_MAX_OWNER && rule != INLAY_ITERATION_BALANCED) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "unknown rule %d for iterations", (int)rule);
    }
    if (rule == INLAY_ITERATION_BALANCED && !(imbalance >= 0 && isfinite(imbalance))) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "an imbalance of %g; expected 0 or more, such as 0.05", imbalance);
    }
    if (ripa->iterations != rig->iterations) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "ranks of %d iterations, elements of %d; expected the same",
                         (int)ripa->iterations, (int)rig->iterations);
    }
    for (int64_t k = 0; k < ripa->start[ripa->iterations]; k++) {
        if (ripa->rank[k] < 0 || ripa->rank[k] >= ranks) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "an iteration touches elements of rank %d; expected 0 to %d",
                             (int)ripa->rank[k], ranks - 1);
        }
    }
    return INLAY_OK;
}

/* Ranks that follow different rules would wait for each other. */
static int agree_on_rule(MPI_Comm comm, inlay_iteration_rule rule, double imbalance, inlay_diag *diag)
{
    double mine[4] = {(double)rule, -(double)rule, imbalance, -imbalance}, most[4];
    if (rule != INLAY_ITERATION_BALANCED) {
        mine[2] = mine[3] = 0;
    }
    MPI_Allreduce(mine, most, 4, MPI_DOUBLE, MPI_MAX, comm);
    if (most[0] != -most[1] || most[2] != -most[3]) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the ranks differ in the rule for iterations or in the imbalance; expected the same on all");
    }
    return INLAY_OK;
}

/* ---- Choosing ---- */

/* The rank with most elements; of t equal ones number (iteration mod t). */
static int32_t max_owner(const inlay_ripa *ripa, int32_t i, int64_t number)
{
    int64_t first = ripa->start[i], tied = 1;
    int32_t most = ripa->count[first];
    for (int64_t k = first + 1; k < ripa->start[i + 1]; k++) {
        tied = ripa->count[k] > most ? 1 : tied + (ripa->count[k] == most);
        most = ripa->count[k] > most ? ripa->count[k] : most;
    }
    int64_t k = first, before = tied == 1 ? 0 : number % tied;
    while (ripa->count[k] != most || before-- > 0) {
        k++;
    }
    return ripa->rank[k];
}

static void choose(const inlay_rig *rig, const inlay_ripa *ripa, int ranks, inlay_iteration_rule rule, int32_t *rank)
{
    for (int32_t i = 0; i < rig->iterations; i++) {
        int64_t number = rig_number(rig, i);
        if (ripa->start[i] == ripa->start[i + 1]) {
            rank[i] = (int32_t)(number % ranks);
        } else {
            rank[i] = rule == INLAY_ITERATION_OWNER ? ripa->writer[i] : max_owner(ripa, i, number);
        }
    }
}

/* Elements on the rank of their iteration, and all: of all ranks. */
static void count_elements(MPI_Comm comm, const inlay_ripa *ripa, const int32_t *rank, inlay_iterations *made)
{
    int64_t mine[2] = {0, 0}, all[2];
    for (int32_t i = 0; i < ripa->iterations; i++) {
        for (int64_t k = ripa->start[i]; k < ripa->start[i + 1]; k++) {
            mine[0] += ripa->rank[k] == rank[i] ? ripa->count[k] : 0;
            mine[1] += ripa->count[k];
        }
    }
    MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, comm);
    made->local = all[0];
    made->elements = all[1];
}

/* ---- Moving ---- */

/* How many elements each iteration touches, where that is one number on all ranks that have any; else -1. */
static int64_t touched_alike(MPI_Comm comm, const inlay_rig *rig)
{
    int64_t touched = rig->start == NULL ? rig->touched : -1;
    bool none = rig->iterations == 0;
    int64_t least = collective_least(comm, none ? INT64_MAX : touched);
    int64_t most = collective_most(comm, none ? -1 : touched);
    return least == most || least == INT64_MAX ? most : -1;
}

/* Elements as parts of one entry for each iteration. */
static int move_alike(const inlay_schedule *schedule, const inlay_rig *rig, int64_t touched, inlay_iterations *made,
                      inlay_diag *diag)
{
    size_t count = (size_t)made->count, bytes = (size_t)touched * sizeof *made->element;
    made->start = memory_array(count + 1, sizeof *made->start);
    made->element = memory_array(count, bytes);
    int status = made->start == NULL || made->element == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = collective_agree(schedule->x->comm, status, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (size_t i = 0; i <= count; i++) {
        made->start[i] = (int64_t)i * touched;
    }
    return inlay_schedule_move(schedule, rig->element, made->element, bytes, diag);
}

/* Elements as entries of their own. */
static int move_rows(const inlay_schedule *schedule, const inlay_rig *rig, inlay_iterations *made, inlay_diag *diag)
{
    MPI_Comm comm = schedule->x->comm;
    int64_t *start = memory_array((size_t)rig->iterations + 1, sizeof *start);
    inlay_schedule *entries = NULL;
    int status = collective_agree(comm, start == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    if (status == INLAY_OK) {
        for (int32_t i = 0; i <= rig->iterations; i++) {
            start[i] = rig_start(rig, i);
        }
        status = schedule_of_entries(schedule, start, rig->iterations, &entries, &made->start, diag);
    }
    free(start);
    if (status == INLAY_OK) {
        made->element = memory_array((size_t)entries->x->receives, sizeof *made->element);
        status = collective_agree(comm, made->element == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    }
    if (status == INLAY_OK) {
        status = inlay_schedule_move(entries, rig->element, made->element, sizeof *made->element, diag);
    }
    inlay_schedule_free(entries);
    return status;
}

/* The global numbers of the iterations of this rank, for the caller to free. */
static int list_numbers(MPI_Comm comm, const inlay_rig *rig, int64_t **number, inlay_diag *diag)
{
    *number = memory_array((size_t)rig->iterations, sizeof **number);
    for (int32_t i = 0; i < rig->iterations && *number != NULL; i++) {
        (*number)[i] = rig_number(rig, i);
    }
    return collective_agree(comm, *number == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
}

static int move(MPI_Comm comm, const inlay_rig *rig, const int32_t *rank, inlay_iterations *made, inlay_diag *diag)
{
    int64_t *number = NULL;
    inlay_schedule *schedule = NULL;
    int status = list_numbers(comm, rig, &number, diag);
    if (status == INLAY_OK) {
        status =
            schedule_of_items(comm, number, rank, rig->iterations, &schedule, &made->iteration, &made->count, diag);
    }
    free(number);
    if (status == INLAY_OK) {
        int64_t touched = touched_alike(comm, rig);
        status = touched >= 0 ? move_alike(schedule, rig, touched, made, diag) : move_rows(schedule, rig, made, diag);
    }
    inlay_schedule_free(schedule);
    return status;
}

/* ---- Making ---- */

int inlay_iterations_make(const inlay_table *table, const inlay_rig *rig, const inlay_ripa *ripa,
                          inlay_iteration_rule rule, double imbalance, inlay_iterations **iterations, inlay_diag *diag)
{
    DIAG_CALL(diag);
    MPI_Comm comm = inlay_table_comm(table);
    int ranks = collective_ranks(comm);
    inlay_iterations *made = memory_zeroed(1, sizeof *made);
    int32_t *rank = memory_array((size_t)(rig->iterations < 0 ? 0 : rig->iterations), sizeof *rank);
    int status = check_call(rig, ripa, ranks, rule, imbalance, diag);
    if (status == INLAY_OK && (made == NULL || rank == NULL)) {
        status = diag_no_memory(diag);
    }
    status = collective_agree(comm, status, diag);
    status = status == INLAY_OK ? agree_on_rule(comm, rule, imbalance, diag) : status;
    if (status == INLAY_OK) {
        choose(rig, ripa, ranks, rule, rank);
        if (rule == INLAY_ITERATION_BALANCED) {
            status = iterations_balance(comm, ripa, imbalance, rank, diag);
        }
    }
    if (status == INLAY_OK) {
        count_elements(comm, ripa, rank, made);
        status = move(comm, rig, rank, made, diag);
    }
    free(rank);
    if (status != INLAY_OK) {
        inlay_iterations_free(made);
        return status;
    }
    *iterations = made;
    return INLAY_OK;
}

/* Grid problems for the tests. */
#include "grid_subject.h"

#include <check.h>

const inlay_grid_network grid_ethernet = {.latency = 0.0025, .per_byte = 1.5e-6, .payload = 1460, .frame = 58};

void grid_subject_square(int64_t n, const double *speed, grid_subject *s)
{
    *s = (grid_subject){.problem = {.rows = n, .columns = n, .item = 8}};
    for (; speed[s->problem.processors] > 0; s->problem.processors++)
        s->speed[s->problem.processors] = speed[s->problem.processors];
    s->problem.speed = s->speed;
}

void grid_subject_alike(int64_t rows, int64_t columns, int32_t processors, grid_subject *s)
{
    ck_assert_int_le(processors, SUBJECT_PROCESSORS);
    *s = (grid_subject){.problem = {.rows = rows, .columns = columns, .item = 8, .processors = processors}};
    for (int i = 0; i < processors; i++)
        s->speed[i] = 1;
    s->problem.speed = s->speed;
}

uint64_t grid_subject_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int64_t grid_subject_between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(grid_subject_next(state) % (uint64_t)(high - low + 1));
}

void grid_subject_random(uint64_t *state, int64_t side, int32_t processors, grid_subject *s)
{
    *s = (grid_subject){.problem = {.rows = grid_subject_between(state, 1, side),
                                    .columns = grid_subject_between(state, 1, side),
                                    .bounded = grid_subject_between(state, 0, 2) == 0,
                                    .item = grid_subject_between(state, 1, 700)}};
    int64_t cells = s->problem.rows * s->problem.columns;
    int64_t most = cells < processors ? cells : processors;
    s->problem.processors = (int32_t)grid_subject_between(state, 1, most);
    int64_t speeds = grid_subject_between(state, 1, 3) == 1 ? 3 : 20;
    for (int i = 0; i < s->problem.processors; i++)
        s->speed[i] = (double)grid_subject_between(state, 1, speeds) / (speeds == 3 ? 1 : 4);
    s->problem.speed = s->speed;
}

inlay_grid_options grid_subject_options(uint64_t *state, const inlay_grid_problem *problem)
{
    return (inlay_grid_options){.shares = (inlay_grid_shares)grid_subject_between(state, 0, INLAY_GRID_CUMULATIVE),
                                .unit = (inlay_grid_unit)grid_subject_between(state, 0, INLAY_GRID_UNIT_BLOCK),
                                .unit_rows = grid_subject_between(state, 1, problem->rows + 1),
                                .unit_columns = grid_subject_between(state, 1, problem->columns + 1),
                                .down = grid_subject_between(state, 0, 1) == 1,
                                .alike = grid_subject_between(state, 0, 3) == 0,
                                .seed = grid_subject_next(state)};
}

inlay_decomposition *grid_decomposed(const inlay_grid_problem *problem, inlay_grid_method method,
                                     const inlay_grid_options *options)
{
    inlay_decomposition *d = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_decompose(problem, method, options, &d, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", inlay_grid_method_name(method), inlay_diag_message(diag));
    inlay_diag_free(diag);
    return d;
}

inlay_grid_cost grid_cost_of(const inlay_decomposition *d, const inlay_grid_network *network,
                             inlay_grid_communication communication)
{
    inlay_grid_phase phase = {.pattern = {.communication = communication}};
    inlay_grid_cost cost;
    ck_assert_int_eq(inlay_decomposition_cost(d, network, &phase, 1, &cost, NULL), INLAY_OK);
    return cost;
}

inlay_grid_cost grid_stencil5(const inlay_grid_problem *problem, inlay_grid_method method,
                              const inlay_grid_options *options)
{
    inlay_decomposition *d = grid_decomposed(problem, method, options);
    inlay_grid_cost cost = grid_cost_of(d, &grid_ethernet, INLAY_GRID_STENCIL5);
    inlay_decomposition_free(d);
    return cost;
}

/* Platforms, known and random. */
#include "processes_subject.h"
#include "random_app.h"

#include <check.h>
#include <math.h>

double processes_between(uint64_t *state, double from, double to)
{
    return from + (to - from) * (double)random_below(state, 1 << 30) / (1 << 30);
}

void processes_paper(const int *processor, size_t count, double a, double b, processes_subject *s)
{
    static const double speed[] = {1, 0.54, 0.54, 0.5, 0.32, 0.3};
    double y = b * PAPER_DATA;
    /* so that the first processor, alone with all data, takes a unit of time */
    inlay_performance_numbers numbers = {PAPER_DATA * (1 + 1 / (a * a) + 1 / (b * b)), a, y};
    *s = (processes_subject){.problem = {.rows = count, .row = s->row, .data = PAPER_DATA}};
    ck_assert_int_eq(inlay_performance_formula(INLAY_PERFORMANCE_OFFSET, &numbers, &s->performance[0], NULL), INLAY_OK);
    for (size_t q = 0; q < count; q++)
        s->row[q] = (inlay_processors){.count = 1, .performance = s->performance[0], .speed = speed[processor[q] - 1]};
}

static inlay_performance *draw_formula(uint64_t *state, bool coarse, double most_data)
{
    inlay_performance *made = NULL;
    inlay_performance_form form = random_once_in(state, 2) ? INLAY_PERFORMANCE_OFFSET : INLAY_PERFORMANCE_PAPER;
    inlay_performance_numbers n = {1 + (double)random_below(state, 3), 1 + (double)random_below(state, 3), 0};
    if (!coarse)
        n = (inlay_performance_numbers){processes_between(state, 0.1, 10), processes_between(state, 0.5, 30),
                                        processes_between(state, 0.05, 5) * most_data};
    if (!coarse && random_once_in(state, 4)) n.b = 0;
    ck_assert_int_eq(inlay_performance_formula(form, &n, &made, NULL), INLAY_OK);
    return made;
}

inlay_performance *processes_random_table(uint64_t *state, bool coarse, double most_data)
{
    inlay_performance *made = NULL;
    while (made == NULL) {
        inlay_measurement m[16];
        size_t count = 0;
        int64_t columns = 1 + random_below(state, 4);
        int64_t knots = 1 + random_below(state, 4);
        double rise = processes_between(state, 0.5, 1.3);
        for (int64_t j = 0; j < columns; j++)
            for (int64_t k = 0; k < knots; k++)
                m[count++] = (inlay_measurement){1 + j * (1 + knots % 2), most_data * (double)(k + 1) / 4,
                                                 coarse ? (double)(1 + random_below(state, 4))
                                                        : processes_between(state, 0.8, 1) *
                                                              pow(1 + (double)j, rise - 0.9) / (1 + 0.2 * (double)k)};
        (void)inlay_performance_table(m, count, &made, NULL);
    }
    return made;
}

void processes_random(uint64_t *state, int rows, int count, int64_t most_data, processes_subject *s)
{
    bool coarse = random_once_in(state, 2);
    *s = (processes_subject){.problem = {.rows = 1 + (size_t)random_below(state, rows), .row = s->row}};
    s->problem.data = 1 + random_below(state, most_data);
    for (size_t q = 0; q < s->problem.rows; q++) {
        int64_t kind = random_below(state, 3);
        double speed = coarse ? 1 + (double)random_below(state, 4) : processes_between(state, 0.05, 1);
        if (kind == 0)
            ck_assert_int_eq(inlay_performance_constant(speed, &s->performance[q], NULL), INLAY_OK);
        else
            s->performance[q] = kind == 1 ? draw_formula(state, coarse, (double)s->problem.data)
                                          : processes_random_table(state, coarse, (double)s->problem.data);
        s->row[q] = (inlay_processors){.count = 1 + random_below(state, count),
                                       .performance = s->performance[q],
                                       .speed = random_once_in(state, 2) ? 0 : speed};
    }
}

void processes_subject_clear(processes_subject *s)
{
    for (size_t q = 0; q < PROCESSES_ROWS; q++)
        inlay_performance_free(s->performance[q]);
}

inlay_process_plan *processes_plan(const processes_subject *s, const inlay_process_options *options)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_process_plan *plan = NULL;
    int status = inlay_processes(&s->problem, options, &plan, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return plan;
}

void processes_unfold(const processes_subject *s, const inlay_process_share *share, int64_t *processes)
{
    for (size_t q = 0; q < s->problem.rows; q++)
        for (int64_t n = 0; n < s->row[q].count; n++)
            *processes++ = share[q].each + (n < share[q].extra);
}

double processes_at(const processes_subject *s, int64_t l, bool beyond_hoho, int64_t *processes)
{
    inlay_process_options options = {.beyond_hoho = beyond_hoho, .from = l, .to = l};
    inlay_process_plan *plan = NULL;
    int status = inlay_processes(&s->problem, &options, &plan, NULL);
    if (status == INLAY_NO_ANSWER) return INFINITY;
    ck_assert_int_eq(status, INLAY_OK);
    const inlay_process_answer *answer = inlay_process_plan_at(plan, 0);
    ck_assert_int_eq(answer->total, l);
    double time = answer->time;
    processes_unfold(s, answer->share, processes);
    inlay_process_plan_free(plan);
    return time;
}

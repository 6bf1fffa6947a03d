/* Random questions about the front, with their answers. */
#include "pareto_subject.h"
#include "random_app.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const machines[] = {
    "bus:16,capacity=1msg/%s",
    "bus:24,memory=common,capacity=0.05msg/%s",
    "bus:5,capacity=0.5msg/%s,processor_memory=64KiB,latency=1%s",
    "multibus:12,memories=8,buses=2,capacity=0.2msg/%s,transfers=1.5",
    "omega:16,switch=2,packets=4,cycle=2%s",
    "omega-pe:16,switch=4,cycle=1%s",
};
enum { MACHINES = sizeof machines / sizeof *machines };

void answer(question *ask)
{
    inlay_diag *diag = inlay_diag_new();
    ask->result = NULL;
    int status = inlay_pareto(ask->app, ask->machine, &ask->options, &ask->result, diag);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "seed %d: %s", ask->seed, inlay_diag_message(diag));
    ck_assert((status == INLAY_OK) == (ask->result != NULL));
    inlay_diag_free(diag);
}

void open_question(question *ask, int seed, unsigned features)
{
    static const char *const units[] = {"", "s", "ms", "us", "ns", "tick"};
    static const inlay_blocking blocking[] = {INLAY_BLOCKING_AUTO, INLAY_BLOCKING_YES, INLAY_BLOCKING_NO};
    uint64_t state = (uint64_t)seed * 104729 + 7;
    random_times times;
    char text[200];
    memset(ask, 0, sizeof *ask);
    ask->seed = seed;
    inlay_id modules = 1 + (inlay_id)random_below(&state, 32);
    ask->app = random_app(&state, modules, (unsigned)random_next(&state) & features, &times);
    ask->options.mapping.parallel = random_once_in(&state, 4) ? INLAY_PARALLEL_OVERLAP : INLAY_PARALLEL_LEVEL;
    ask->options.mapping.keep_unrelated = random_once_in(&state, 4);
    ask->options.mapping.blocking = blocking[random_below(&state, 3)];
    ask->options.rank = random_once_in(&state, 3) ? INLAY_PARETO_FIXED_POINT : INLAY_PARETO_ESTIMATE;
    const char *unit = units[inlay_app_unit(ask->app)];
    snprintf(text, sizeof text, machines[random_below(&state, MACHINES)], unit, unit);
    ck_assert_msg(inlay_machine_parse(text, &ask->machine, NULL) == INLAY_OK, "seed %d: %s", seed, text);
    answer(ask);
}

void close_question(question *ask)
{
    inlay_pareto_free(ask->result);
    inlay_machine_free(ask->machine);
    inlay_app_free(ask->app);
}

size_t points_of(const question *ask)
{
    return ask->result != NULL ? inlay_pareto_points(ask->result) : 0;
}

double shortest_at(const question *ask, inlay_id processors)
{
    double elapsed = INFINITY;
    for (size_t i = 0; i < points_of(ask); i++) {
        const inlay_pareto_point *point = inlay_pareto_point_at(ask->result, i);
        elapsed = point->processors <= processors ? point->elapsed : elapsed;
    }
    return elapsed;
}

bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(b);
}

bool is_on_front(const question *ask, size_t i)
{
    const inlay_pareto_point *point = inlay_pareto_point_at(ask->result, i);
    for (size_t j = 0; j < i; j++) {
        if (inlay_pareto_point_at(ask->result, j)->elapsed <= point->elapsed) {
            return false;
        }
    }
    return true;
}

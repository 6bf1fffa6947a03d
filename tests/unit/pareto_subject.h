/* What the tests of the front share: random questions with their answers. */
#ifndef UNIT_PARETO_SUBJECT_H
#define UNIT_PARETO_SUBJECT_H

#include "unit.h"

#include <inlay/inlay.h>

/** One random question, and its answer. */
typedef struct question {
    int seed;
    inlay_app *app;
    inlay_machine *machine;
    inlay_pareto_options options;
    inlay_pareto_result *result; /**< NULL where there is none */
} question;

/** @param features  random_features that the application may have */
void open_question(question *ask, int seed, unsigned features);
void close_question(question *ask);

/** Asks again, by the options as they are now; the old answer is forgotten and not freed. */
void answer(question *ask);

size_t points_of(const question *ask);

/** The shortest on at most so many processors, INFINITY where there is no point. */
double shortest_at(const question *ask, inlay_id processors);

/** Whether no point before it is as short. */
bool is_on_front(const question *ask, size_t i);

/** Fixed points are found in two ways, which agree but for the last digits. */
bool near(double a, double b);

#endif

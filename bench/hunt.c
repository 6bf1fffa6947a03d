/* Small cases that are searched for to make a method look bad. */
#include "hunt.h"
#include "optimum.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* EVALUATIONS: of all methods together. COLDEST: of a step that is so much worse, one in e^(its loss / it) is taken. */
enum {
    MODULES = 10,
    FEWEST = 3,
    PROCESSORS = 3,
    TIME = 20,
    BYTES = 100,
    SPEED = 4,
    EVALUATIONS = 10000,
    EXHAUSTIVE = 7
};
static const double HOTTEST = 0.1;

/* Speeds are quarters, capacities bytes a tick; bytes of 0 are no link. */
typedef struct instance {
    int modules, time[MODULES], bytes[MODULES][MODULES];
    int speed[PROCESSORS], capacity[PROCESSORS];
} instance;

static instance draw_instance(uint64_t *state)
{
    instance x = {.modules = FEWEST + judged_below(state, MODULES - FEWEST + 1)};
    for (int i = 0; i < MODULES; i++) {
        x.time[i] = 1 + judged_below(state, TIME);
        for (int j = 0; j < i; j++) {
            x.bytes[j][i] = judged_below(state, 3) == 0 ? 1 + judged_below(state, BYTES) : 0;
        }
    }
    for (int q = 0; q < PROCESSORS; q++) {
        x.speed[q] = 1 + judged_below(state, SPEED);
        x.capacity[q] = 1 + judged_below(state, SPEED);
    }
    return x;
}

static void change(instance *x, uint64_t *state)
{
    int i = judged_below(state, x->modules), j = judged_below(state, x->modules), q = judged_below(state, PROCESSORS);
    int from = i < j ? i : j, to = i < j ? j : i;
    switch (judged_below(state, 6)) {
    case 0: x->time[i] = 1 + judged_below(state, TIME); break;
    case 1: x->bytes[from][to] = from == to ? 0 : 1 + judged_below(state, BYTES); break;
    case 2: x->bytes[from][to] = 0; break;
    case 3: x->speed[q] = 1 + judged_below(state, SPEED); break;
    case 4: x->capacity[q] = 1 + judged_below(state, SPEED); break;
    default: x->modules = FEWEST + judged_below(state, MODULES - FEWEST + 1);
    }
}

static int make_app(const judge *q, const instance *x, inlay_app **app)
{
    char *text = q->text;
    size_t size = q->room;
    size_t at = (size_t)snprintf(text, size, "digraph hunted { graph [time_unit=tick];");
    for (int i = 0; i < x->modules; i++) {
        at += (size_t)snprintf(text + at, size - at, " m%d [time=%d];", i, x->time[i]);
    }
    for (int i = 0; i < x->modules; i++) {
        for (int j = 0; j < i; j++) {
            if (x->bytes[j][i] > 0) {
                at += (size_t)snprintf(text + at, size - at, " m%d -> m%d [bytes=%d];", j, i, x->bytes[j][i]);
            }
        }
    }
    at += (size_t)snprintf(text + at, size - at, " }");
    int status = inlay_bytes_write(q->app, text, at, NULL);
    return status == INLAY_OK ? inlay_app_read(q->app, "dot", app, NULL) : status;
}

static int make_machine(const instance *x, inlay_machine **machine)
{
    char text[JUDGED_TEXT];
    size_t at = (size_t)snprintf(text, sizeof text, "graph hunted { graph [network=links];");
    for (int q = 0; q < PROCESSORS; q++) {
        at += (size_t)snprintf(text + at, sizeof text - at, " p%d [speed=%g];", q, x->speed[q] / 4.0);
    }
    for (int q = 0; q < PROCESSORS; q++) {
        at += (size_t)snprintf(text + at, sizeof text - at, " p%d -- p%d [capacity=\"%dB/tick\"];", q,
                               (q + 1) % PROCESSORS, x->capacity[q]);
    }
    (void)snprintf(text + at, sizeof text - at, " }");
    return judged_machine(text, machine);
}

/* What is hunted for: how many times as long as best a method takes; or best as its proven bound, where that is NULL. */
typedef struct quarry {
    const inlay_method *method;
    double ratio, optimum_ratio; /* the second: best over the optimum of all schedules; 0: too many to be looked at */
} quarry;

static int measure(const judge *q, const instance *x, bool exhaustive, quarry *of)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    judged_answer best, other;
    int status = make_app(q, x, &app);
    status = status == INLAY_OK ? make_machine(x, &machine) : status;
    status = status == INLAY_OK ? judged_map(q, app, machine, &(inlay_options){0}, &best) : status;
    if (status == INLAY_OK && of->method != NULL) {
        status = judged_map(q, app, machine, &(inlay_options){.method = of->method}, &other);
        of->ratio = status == INLAY_OK ? other.elapsed / best.elapsed : 0;
        status = status == INLAY_BAD_ARGUMENT ? INLAY_OK : status;
    } else if (status == INLAY_OK) {
        of->ratio = best.elapsed / best.least;
    }
    of->optimum_ratio = 0;
    if (status == INLAY_OK && exhaustive && x->modules <= EXHAUSTIVE) {
        double optimum;
        status = optimum_find(app, machine, false, best.elapsed, &optimum);
        of->optimum_ratio = best.elapsed / optimum;
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

/* Annealing: a step that makes the ratio smaller is taken less often as time goes on. */
static int anneal(const judge *q, uint64_t seed, int steps, quarry *worst)
{
    uint64_t state = seed;
    instance base = draw_instance(&state), worst_of_all = base;
    quarry now = *worst;
    int status = measure(q, &base, false, &now);
    worst->ratio = now.ratio;
    for (int k = 1; status == INLAY_OK && k < steps; k++) {
        double heat = HOTTEST * (1 - (double)k / steps), loss;
        instance trial = base;
        quarry next = *worst;
        change(&trial, &state);
        status = measure(q, &trial, false, &next);
        loss = now.ratio - next.ratio;
        if (status == INLAY_OK && judged_below(&state, 1 << 20) < (1 << 20) * exp(-fmax(loss, 0) / heat)) {
            base = trial;
            now = next;
        }
        if (status == INLAY_OK && next.ratio > worst->ratio) {
            worst_of_all = trial;
            worst->ratio = next.ratio;
        }
    }
    return status == INLAY_OK ? measure(q, &worst_of_all, true, worst) : status;
}

int hunt(const judge *q)
{
    size_t methods = inlay_methods();
    int status = INLAY_OK, steps = EVALUATIONS / (int)methods;
    printf("\nCases of at most %d modules on %d unlike processors, searched for by %d evaluations a method\n%-24s %12s "
           "%22s\n",
           MODULES, PROCESSORS, steps, "", "worst/best", "best/optimum there");
    for (size_t i = 0; status == INLAY_OK && i < methods; i++) {
        const inlay_method *method = inlay_method_at(i);
        bool is_best = strcmp(method->name, "best") == 0;
        quarry of = {.method = is_best ? NULL : method};
        status = anneal(q, i + 1, steps, &of);
        if (status == INLAY_OK) {
            printf("%-24s %12.4f ", is_best ? "best, beside its bound" : method->name, of.ratio);
            if (of.optimum_ratio > 0) {
                printf("%22.6f\n", of.optimum_ratio);
            } else {
                printf("%22s\n", "more modules");
            }
            (void)fflush(stdout);
        }
    }
    return status;
}

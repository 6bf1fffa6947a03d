/*
 * What do the operations of the paper's Figure 1 take? Costs of them, none below 0, that bring the module times m and
 * blocking times b of graphs/cholesky.c nearest to those of Figure 2, by least squares. Prints tables in Markdown.
 *
 *     cc -std=c17 -O2 -o simon docs/studies/simon.c $(pkg-config --cflags --libs inlay) -lm && ./simon
 *
 * m is linear in the costs. b is so in pieces, between which another path of messages is waited for. Gauss and Newton's
 * method takes the piece at hand for the whole, and Levenberg's damping keeps it near. It begins at several places, drawn
 * at random, and tells how many of them end at the best fit.
 */
#include "../../graphs/cholesky.c"
#include <inlay/inlay.h>
#include <stdlib.h>

enum { SIDE = 4, MODULES = SIDE * SIDE, VALUES = 2 * MODULES, COSTS = 9, STARTS = 20 };

/* Figure 2: m and b of the modules, row by row. */
static const double published[VALUES] = {24, 30, 30, 25, 27, 31, 37, 32, 27, 34, 38, 39, 21, 28, 35, 45,
                                         0,  4,  14, 24, 15, 27, 37, 48, 33, 45, 61, 66, 51, 64, 76, 88};

static const char *const names[COSTS] = {"begin", "step", "compare", "sqrt", "divide", "multiply", "add", "get", "put"};

static void stop(const inlay_diag *diag)
{
    (void)fprintf(stderr, "simon: %s\n", inlay_diag_message(diag));
    exit(3);
}

/* ---- m and b of the program with these costs ---- */

static inlay_duration duration(double time)
{
    const int places = 6; /* so many decimals are kept: sums of times stay exact */
    return (inlay_duration){{llround(time * 1e6), places}, INLAY_UNIT_NONE};
}

static void profile(inlay_program *program, const double *cost, double *value)
{
    inlay_cost table[COSTS];
    inlay_profile *result = NULL;
    inlay_diag *diag = inlay_diag_new();
    for (int k = 0; k < COSTS; k++) {
        table[k] = (inlay_cost){names[k], duration(cost[k])};
    }
    const inlay_program_options options = {.cost = table, .costs = COSTS};
    if (inlay_program_profile(program, &options, &result, diag) != INLAY_OK) {
        stop(diag);
    }
    const inlay_app *app = inlay_profile_app(result);
    for (int i = 0; i < MODULES; i++) {
        value[i] = inlay_app_in_units(app, inlay_app_time(app, i));
        value[MODULES + i] = inlay_app_in_units(app, inlay_app_blocking(app, i));
    }
    inlay_profile_free(result);
    inlay_diag_free(diag);
}

static double squares(const double *value, int from, int to)
{
    double sum = 0;
    for (int i = from; i < to; i++) {
        sum += (value[i] - published[i]) * (value[i] - published[i]);
    }
    return sum;
}

/* ---- Least squares ---- */

/* A fit to the first `values` of the published numbers: to m alone, or to m and b. */
typedef struct fit {
    int values;
    double cost[COSTS], value[VALUES], error; /* error: the sum of squares */
} fit;

static void slopes(inlay_program *program, const fit *f, double slope[VALUES][COSTS])
{
    const double step = 1e-3;
    for (int k = 0; k < COSTS; k++) {
        double cost[COSTS], value[VALUES];
        for (int l = 0; l < COSTS; l++) {
            cost[l] = f->cost[l] + (l == k ? step : 0);
        }
        profile(program, cost, value);
        for (int i = 0; i < f->values; i++) {
            slope[i][k] = (value[i] - f->value[i]) / step;
        }
    }
}

/* The step that is best for the piece at hand, damped, and that leaves no cost below 0: one cost after the other. */
static void solve(const fit *f, double slope[VALUES][COSTS], double damping, double *step)
{
    enum { ROUNDS = 300 };
    for (int k = 0; k < COSTS; k++) {
        step[k] = 0;
    }
    for (int turn = 0; turn < ROUNDS * COSTS; turn++) {
        const int k = turn % COSTS;
        double pull = -damping * step[k], weight = damping;
        for (int i = 0; i < f->values; i++) {
            double rest = published[i] - f->value[i];
            for (int l = 0; l < COSTS; l++) {
                rest -= slope[i][l] * step[l];
            }
            pull += slope[i][k] * rest;
            weight += slope[i][k] * slope[i][k];
        }
        step[k] = fmax(step[k] + pull / weight, -f->cost[k]);
    }
}

static bool improve(inlay_program *program, fit *f, double slope[VALUES][COSTS], double damping)
{
    double step[COSTS];
    fit next = {.values = f->values};
    solve(f, slope, damping, step);
    for (int k = 0; k < COSTS; k++) {
        next.cost[k] = f->cost[k] + step[k];
    }
    profile(program, next.cost, next.value);
    next.error = squares(next.value, 0, f->values);
    if (next.error >= f->error - 1e-9) {
        return false;
    }
    *f = next;
    return true;
}

static void descend(inlay_program *program, fit *f)
{
    const double most = 1e6; /* with more damping nothing moves */
    double slope[VALUES][COSTS];
    profile(program, f->cost, f->value);
    f->error = squares(f->value, 0, f->values);
    for (double damping = 1; damping < most;) {
        slopes(program, f, slope);
        bool better = false;
        while (!better && damping < most) {
            better = improve(program, f, slope, damping);
            damping *= better ? 0.3 : 4;
        }
    }
}

/* Numbers from 0 to 12 that look random, and are the same everywhere. */
static double draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return 12 * (*state / 4294967296.0);
}

static fit best_fit(inlay_program *program, int values, int *agree)
{
    fit best = {.values = values}, found[STARTS];
    uint32_t state = 1;
    for (int s = 0; s < STARTS; s++) {
        found[s] = (fit){.values = values};
        for (int k = 0; k < COSTS; k++) {
            found[s].cost[k] = draw(&state);
        }
        descend(program, &found[s]);
        best = s == 0 || found[s].error < best.error ? found[s] : best;
    }
    *agree = 0;
    for (int s = 0; s < STARTS; s++) {
        *agree += found[s].error < best.error + 1e-3;
    }
    return best;
}

/* ---- Tables ---- */

static double mean(const fit *f, int from, int to)
{
    return sqrt(squares(f->value, from, to) / (to - from));
}

static void print_costs(const fit *all, const fit *m, const fit *whole)
{
    printf("| | fit to m and b | fit to m alone | whole numbers |\n| --- | ---: | ---: | ---: |\n");
    for (int k = 0; k < COSTS; k++) {
        printf("| %s | %.2f | %.2f | %.0f |\n", names[k], all->cost[k], m->cost[k], whole->cost[k]);
    }
    printf("| root mean square error of m | %.2f | %.2f | %.2f |\n", mean(all, 0, MODULES), mean(m, 0, MODULES),
           mean(whole, 0, MODULES));
    printf("| of b | %.2f | %.2f | %.2f |\n", mean(all, MODULES, VALUES), mean(m, MODULES, VALUES),
           mean(whole, MODULES, VALUES));
    printf("| of all | %.2f | %.2f | %.2f |\n", mean(all, 0, VALUES), mean(m, 0, VALUES), mean(whole, 0, VALUES));
}

/* m by a rule that has no operations. */
static double rule(int i, int j)
{
    double last = i == j ? 24 : i > j ? 27 - 6 * (i == SIDE) : 30 - 5 * (j == SIDE);
    return last + 7 * ((i < j ? i : j) - 1);
}

static void print_modules(const fit *all, const fit *whole)
{
    printf("\n| module | m | fit | whole | rule | b | fit | whole |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int i = 0; i < MODULES; i++) {
        const int b = MODULES + i;
        printf("| (%d, %d) | %.0f | %.1f | %.0f | %.0f | %.0f | %.1f | %.0f |\n", i / SIDE + 1, i % SIDE + 1,
               published[i], all->value[i], whole->value[i], rule(i / SIDE + 1, i % SIDE + 1), published[b],
               all->value[b], whole->value[b]);
    }
}

int main(void)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_program *program = inlay_program_new("cholesky");
    if (diag == NULL || program == NULL || inlay_program_main(program, diag) != INLAY_OK) {
        stop(diag);
    }
    int agree_all, agree_m;
    fit all = best_fit(program, VALUES, &agree_all), m = best_fit(program, MODULES, &agree_m);
    fit whole = {.values = VALUES};
    for (int k = 0; k < COSTS; k++) {
        whole.cost[k] = round(all.cost[k]);
    }
    profile(program, whole.cost, whole.value);
    profile(program, m.cost, m.value);
    print_costs(&all, &m, &whole);
    print_modules(&all, &whole);
    printf("\nOf %d starts, %d end at the first fit and %d at the second.\n", STARTS, agree_all, agree_m);
    inlay_program_free(program);
    inlay_diag_free(diag);
    return 0;
}

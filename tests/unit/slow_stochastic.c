/* Stochastic graphs, slowly. */
#include "slow_stochastic.h"
#include "random_app.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* ---- Random graphs ---- */

static slow_sg_link *add_link(slow_sg *g, int from, int to)
{
    ck_assert_int_lt(g->links, SLOW_SG_LINKS);
    slow_sg_link *link = &g->link[g->links++];
    *link = (slow_sg_link){.from = from, .to = to, .probability = 1};
    return link;
}

/* Weights of the links of an EOR module become probabilities. */
static void share_out(slow_sg *g, uint64_t *state, int module, int exit)
{
    double sum = 0, rest = exit > 0 && module != g->modules - 1 ? exit / 16.0 : 0;
    for (int l = 0; l < g->links; l++) {
        if (g->link[l].from == module && !g->link[l].traffic)
            sum += g->link[l].probability = 1 + (double)random_below(state, 8);
    }
    for (int l = 0; l < g->links && sum > 0; l++) {
        if (g->link[l].from == module && !g->link[l].traffic) g->link[l].probability *= (1 - rest) / sum;
    }
    if (rest > 0) add_link(g, module, g->modules - 1)->probability = sum > 0 ? rest : 1;
}

void slow_sg_random(uint64_t *state, int modules, int exit, slow_sg *g)
{
    g->modules = modules;
    g->links = 0;
    for (int i = 0; i < modules; i++) {
        g->eor[i] = random_once_in(state, 2) && i != modules - 1;
        g->time[i] = (double)random_below(state, 40) / 4;
        g->entries[i] = i == 0 ? 1 + (double)random_below(state, 3) / 4 : 0;
        if (random_once_in(state, 8)) g->entries[i] += (double)random_below(state, 4) / 4;
        if (i > 0) add_link(g, (int)random_below(state, i), i);
    }
    for (int i = 0; i < modules - 1; i++) {
        int more = (int)random_below(state, g->eor[i] ? 4 : 2);
        for (int m = 0; m < more; m++)
            add_link(g, i, (int)random_below(state, modules));
        if (random_once_in(state, 6)) add_link(g, i, (int)random_below(state, modules))->traffic = true;
    }
    for (int i = 0; i < modules; i++) {
        if (g->eor[i]) share_out(g, state, i, exit);
    }
    for (int l = 0; l < g->links; l++) {
        g->link[l].time = random_once_in(state, 2) ? (double)random_below(state, 16) / 8 : 0;
        g->link[l].messages = (int)random_below(state, 4);
        g->link[l].bytes = (int)random_below(state, 1000);
    }
    /* the last module ends: what led from it goes */
    int kept = 0;
    for (int l = 0; l < g->links; l++) {
        if (g->link[l].from != modules - 1) g->link[kept++] = g->link[l];
    }
    g->links = kept;
}

/* ---- One execution ---- */

static double draw(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* One visit that waits to be made is one entry of a stack. */
typedef struct tokens {
    int *at;
    int count, room;
} tokens;

static void put_token(tokens *t, int module)
{
    if (t->count == t->room) {
        t->room = 2 * t->room + 16;
        t->at = realloc(t->at, (size_t)t->room * sizeof *t->at);
        ck_assert_ptr_nonnull(t->at);
    }
    t->at[t->count++] = module;
}

static double visit(const slow_sg *g, uint64_t *state, int module, tokens *t)
{
    double work = g->time[module], left = g->eor[module] ? draw(state) : 0;
    bool taken = false;
    int last = -1;
    for (int l = 0; l < g->links; l++) {
        const slow_sg_link *link = &g->link[l];
        if (link->from != module) continue;
        if (link->traffic) {
            work += link->time;
        } else if (!g->eor[module]) {
            work += link->time;
            put_token(t, link->to);
        } else if (!taken) {
            last = l;
            left -= link->probability;
            taken = left < 0;
        }
    }
    if (last >= 0) { /* the one at which it stopped; rounding may leave a little of the last one */
        work += g->link[last].time;
        put_token(t, g->link[last].to);
    }
    return work;
}

double slow_sg_execute(const slow_sg *g, uint64_t *state, double *visits)
{
    tokens t = {0};
    double work = 0;
    for (int i = 0; i < g->modules; i++) {
        double entries = g->entries[i];
        for (; entries >= 1; entries--)
            put_token(&t, i);
        if (entries > 0 && draw(state) < entries) put_token(&t, i);
    }
    while (t.count > 0) {
        int module = t.at[--t.count];
        visits[module]++;
        work += visit(g, state, module, &t);
    }
    free(t.at);
    return work;
}

/* ---- The equations ---- */

/* Solves a x = b with the largest pivot of each column; a (n x n, row by row) and b are written over, b by x. */
static bool gauss(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        if (a[pivot * n + k] == 0) return false;
        for (int j = 0; j < n && pivot != k; j++) {
            double kept = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = kept;
        }
        double kept = b[k];
        b[k] = b[pivot];
        b[pivot] = kept;
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            if (factor == 0) continue;
            for (int j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n; k-- > 0;) {
        for (int j = k + 1; j < n; j++)
            b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
    return true;
}

/* (I - P) x = b, or with P^T; `x` holds b at first. */
static bool solve(const slow_sg *g, bool transposed, double *x)
{
    int n = g->modules;
    double *a = calloc((size_t)n * (size_t)n, sizeof *a);
    ck_assert_ptr_nonnull(a);
    for (int i = 0; i < n; i++)
        a[i * n + i] = 1;
    for (int l = 0; l < g->links; l++) {
        int row = transposed ? g->link[l].to : g->link[l].from, column = transposed ? g->link[l].from : g->link[l].to;
        if (!g->link[l].traffic) a[row * n + column] -= g->link[l].probability;
    }
    bool solved = gauss(n, a, x);
    free(a);
    return solved;
}

/* False where rounding shows a loop of gain 1 in one direction alone. */
static bool find_work(const slow_sg *g, slow_sg_solution *s, double *w, double *v)
{
    for (int i = 0; i < g->modules; i++)
        w[i] = g->time[i];
    for (int l = 0; l < g->links; l++)
        w[g->link[l].from] += (g->link[l].traffic ? 1 : g->link[l].probability) * g->link[l].time;
    if (!solve(g, false, w)) return false;
    for (int i = 0; i < g->modules; i++) { /* second moment less the square of the mean, unlike the library */
        double mean = 0, square = 0;
        for (int l = 0; l < g->links && g->eor[i]; l++) {
            const slow_sg_link *link = &g->link[l];
            if (link->from != i || link->traffic) continue;
            mean += link->probability * (link->time + w[link->to]);
            square += link->probability * (link->time + w[link->to]) * (link->time + w[link->to]);
        }
        v[i] = square - mean * mean;
    }
    ck_assert(solve(g, false, v));
    s->work = s->variance = 0;
    for (int i = 0; i < g->modules; i++) {
        double part = g->entries[i] - floor(g->entries[i]);
        s->work += g->entries[i] * w[i];
        s->variance += g->entries[i] * v[i] + part * (1 - part) * w[i] * w[i];
    }
    return true;
}

bool slow_sg_solve(const slow_sg *g, slow_sg_solution *solution)
{
    /* I - P^T is an M-matrix where, and only where, a vector of ones is the image of a positive one */
    bool stable = true;
    double *x = calloc((size_t)g->modules, sizeof *x), *y = calloc((size_t)g->modules, sizeof *y);
    ck_assert(x != NULL && y != NULL);
    for (int i = 0; i < g->modules; i++)
        x[i] = 1;
    stable = solve(g, true, x);
    for (int i = 0; i < g->modules; i++)
        stable = stable && x[i] > 0;
    for (int i = 0; i < g->modules; i++)
        solution->visits[i] = g->entries[i];
    if (stable) {
        ck_assert(solve(g, true, solution->visits));
        stable = find_work(g, solution, x, y);
    }
    free(x);
    free(y);
    return stable;
}

/* The front of time, price and one more measure, and what a box can have of them at best. */
#include "select/front.h"
#include "base/diag.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Measures ---- */

static bool has_prices(const inlay_metasystem *m)
{
    size_t i = 0;
    while (i < m->clusters && !(m->cluster[i].price > 0)) {
        i++;
    }
    return i < m->clusters;
}

static double rate_of(const inlay_metasystem *m, size_t i, inlay_select_beside beside)
{
    return beside == INLAY_SELECT_ENERGY ? m->cluster[i].power : 1;
}

/*
 * Clusters by what a unit of work costs on them: on P a cycle takes W / (sum r P) at least, and so costs W (sum c P) / (sum r P),
 * which is least with the clusters below a ratio as full as can be.
 */
static bool put_in_order(select_front *f, int32_t measure)
{
    const select_model *model = f->model;
    const double *c = f->rate[measure], *r = model->rate;
    if ((measure == 1 && !f->priced) || model->general != NULL || model->curve != NULL) {
        return true;
    }
    int32_t *order = f->by_rate[measure] = pool_array(&f->arrays, (size_t)model->clusters, sizeof *order);
    for (int32_t i = 0; order != NULL && i < model->clusters; i++) {
        int32_t at = i;
        for (; at > 0 && c[order[at - 1]] * r[i] > c[i] * r[order[at - 1]]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order != NULL;
}

static bool add_measure(select_front *f, inlay_select_beside beside)
{
    const inlay_metasystem *m = f->question->metasystem;
    double *rate = f->rate[f->measures] = pool_array(&f->arrays, m->clusters, sizeof *rate);
    bool priced = beside == INLAY_SELECT_NOTHING && f->priced;
    for (size_t i = 0; rate != NULL && i < m->clusters; i++) {
        rate[i] = priced ? m->cluster[i].price : rate_of(m, i, beside);
    }
    return rate != NULL && put_in_order(f, f->measures++);
}

int select_front_make(const general_question *question, const select_model *model, inlay_select_beside beside,
                      select_front *front, inlay_diag *diag)
{
    int32_t rows = question->cycle_rows;
    *front =
        (select_front){.model = model, .question = question, .measures = 1, .priced = has_prices(question->metasystem)};
    bool good = add_measure(front, INLAY_SELECT_NOTHING); /* the price, or the processors */
    good = good && (beside == INLAY_SELECT_NOTHING || add_measure(front, beside));
    front->least_startup = front->least_cycles = INFINITY;
    for (int32_t i = 0; i < rows; i++) {
        front->least_startup = fmin(front->least_startup, question->startup[i]);
        front->least_cycles = fmin(front->least_cycles, question->cycles[i]);
    }
    return good ? INLAY_OK : diag_no_memory(diag);
}

void select_front_clear(select_front *front)
{
    pool_clear(&front->arrays);
    free(front->value);
    free(front->processors);
    *front = (select_front){0};
}

/* ---- The front ---- */

/* Whether a is no worse than b in anything, but for rounding of sums. */
static bool beats(const select_front *f, const double *a, const double *b)
{
    int32_t i = 1;
    while (i < f->measures && a[i] <= b[i] * (1 + 1e-12)) {
        i++;
    }
    return i == f->measures && a[0] <= b[0];
}

static bool is_beaten(const select_front *f, const double *value)
{
    for (size_t n = 0; n < f->count && f->value[n][0] <= value[0]; n++) {
        if (beats(f, f->value[n], value)) {
            return true;
        }
    }
    return false;
}

/* A measure but the time of so many processors, for so long. */
static double measure_of(const select_front *f, int32_t measure, const int32_t *processors, double time)
{
    double sum = 0;
    for (int32_t i = 0; i < f->model->clusters; i++) {
        sum += f->rate[measure][i] * processors[i];
    }
    return measure == 1 && !f->priced ? sum : sum * time;
}

static void insert(select_front *f, const double *value, const int32_t *processors)
{
    size_t m = (size_t)f->model->clusters, kept = 0, at;
    for (size_t n = 0; n < f->count; n++) { /* out with what it beats */
        if (!beats(f, value, f->value[n])) {
            memmove(f->value[kept], f->value[n], sizeof *f->value);
            memmove(f->processors + kept * m, f->processors + n * m, m * sizeof *processors);
            kept++;
        }
    }
    f->count = kept;
    if (!memory_grow((void **)&f->value, &f->room, kept + 1, sizeof *f->value) ||
        !memory_grow((void **)&f->processors, &f->rows_room, (kept + 1) * m, sizeof *f->processors)) {
        f->failed = true;
        return;
    }
    for (at = kept; at > 0 && f->value[at - 1][0] > value[0]; at--) {
    }
    memmove(f->value + at + 1, f->value + at, (kept - at) * sizeof *f->value);
    memmove(f->processors + (at + 1) * m, f->processors + at * m, (kept - at) * m * sizeof *processors);
    memcpy(f->value[at], value, sizeof *f->value);
    memcpy(f->processors + at * m, processors, m * sizeof *processors);
    f->count++;
}

void select_front_offer(select_front *f, const int32_t *processors)
{
    double value[FRONT_MEASURES] = {0};
    int64_t processors_in_all = select_total(f->model, processors);
    double cycle = processors_in_all > 0 ? select_cycle(f->model, processors) : INFINITY;
    if (!(cycle < INLAY_SELECT_UNFIT)) {
        return;
    }
    value[0] = general_elapsed(f->question, processors_in_all, cycle);
    for (int32_t i = 1; i < f->measures; i++) {
        value[i] = measure_of(f, i, processors, value[0]);
    }
    if (!is_beaten(f, value)) {
        insert(f, value, processors);
    }
}

/* ---- Boxes ---- */

/* The least (sum c P) / (sum r P) in the box. */
static double least_price_of_work(const select_front *f, int32_t measure, const select_box *box)
{
    const double *c = f->rate[measure], *r = f->model->rate;
    double cost = 0, speed = 0;
    for (int32_t i = 0; i < f->model->clusters; i++) {
        cost += c[i] * box->least[i];
        speed += r[i] * box->least[i];
    }
    for (int32_t n = 0; n < f->model->clusters; n++) {
        int32_t i = f->by_rate[measure][n];
        if (speed > 0 && !(c[i] * speed < cost * r[i])) {
            break;
        }
        cost += c[i] * (box->most[i] - box->least[i]);
        speed += r[i] * (box->most[i] - box->least[i]);
    }
    return speed > 0 ? cost / speed : 0;
}

bool select_front_may_hold(const select_front *f, const select_box *box)
{
    const double rounding = 1 - 1e-12;
    double value[FRONT_MEASURES] = {(f->least_startup + f->least_cycles * box->bound) * rounding};
    for (int32_t i = 1; i < f->measures; i++) {
        value[i] = measure_of(f, i, box->least, value[0]);
        if (f->by_rate[i] != NULL) {
            value[i] = fmax(value[i], f->least_cycles * f->model->work * least_price_of_work(f, i, box) * rounding);
        }
    }
    return !is_beaten(f, value);
}

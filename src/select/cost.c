/* The cost of a configuration: equations 3 and 9, and what the maps make of equations 5 and 6. */
#include "base/heap.h"
#include "select/general.h"
#include <math.h>

/* ---- Communication ---- */

/* Neighbours of cluster i in the chain of used clusters that goes from `first` to `last`. */
static int neighbours(int32_t i, int32_t first, int32_t last)
{
    return (i != first) + (i != last);
}

int64_t select_total(const select_model *model, const int32_t *processors)
{
    int64_t total = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        total += processors[i];
    }
    return total;
}

double select_communication(const select_model *model, const int32_t *processors)
{
    if (model->general != NULL) {
        return general_evaluate(model, processors).communication;
    }
    if (select_total(model, processors) < 2) {
        return 0; /* a lone processor has nobody to exchange messages with */
    }
    const bool chain = model->router == INLAY_SELECT_CHAIN;
    int32_t first = -1;
    int32_t last = -1;
    int32_t used = 0;
    for (int32_t i = 0; chain && i < model->clusters; i++) {
        if (processors[i] > 0) {
            first = first < 0 ? i : first;
            last = i;
        }
    }
    /* no T_i is below this where there is none */
    double largest = -INFINITY;
    double second = -INFINITY;
    double sum = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] == 0) {
            continue;
        }
        double t = model->time[i][processors[i]];
        if (chain) {
            t += model->router_cost * neighbours(i, first, last);
        }
        used++;
        sum += t;
        if (t > largest) {
            second = largest;
            largest = t;
        } else if (t > second) {
            second = t;
        }
    }
    double routed = chain ? 0 : model->router_cost * (used - 1);
    switch (model->topology) {
    case INLAY_PATTERN_RING: return sum + routed;
    case INLAY_PATTERN_TREE: return largest + (used > 1 ? second : 0) + routed;
    default: return largest + routed;
    }
}

/* ---- Shares ---- */

/* Whole shares and what they cut off, n r_i / S and its remainder, in whole numbers; gives the units left over. */
static int64_t cut_exactly(const select_model *model, const int32_t *processors)
{
    const select_map *s = &model->scratch;
    select_wide sum = 0;
    int64_t fastest = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            sum += (select_wide)model->whole_rate[i] * (select_wide)processors[i];
            fastest = model->whole_rate[i] > fastest ? model->whole_rate[i] : fastest;
        }
    }
    int64_t left = model->units;
    if (sum == 0) {
        return left; /* nobody to give them to */
    }
    /* division in 64 bits where that is enough: it is several times as fast */
    bool narrow = sum <= INT64_MAX && (select_wide)model->units * (select_wide)fastest <= INT64_MAX;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] == 0) {
            continue;
        }
        if (narrow) {
            int64_t product = model->units * model->whole_rate[i];
            s->whole[i] = product / (int64_t)sum;
            s->part[i] = (select_wide)(product % (int64_t)sum);
        } else {
            select_wide product = (select_wide)model->units * (select_wide)model->whole_rate[i];
            s->whole[i] = (int64_t)(product / sum);
            s->part[i] = product % sum;
        }
        left -= s->whole[i] * processors[i];
    }
    return left;
}

/*
 * EQ 5: the time T at which all processors are done but those that are left out because their d1 is above it. T is a
 * mean of the d1 plus what the units add, so that it falls when the largest d1 above it goes.
 */
double select_balance(const select_model *model, const double *fixed_time, const double *unit_time,
                      const int32_t *processors)
{
    double left_out = INFINITY; /* clusters with d1 from here on get no units */
    for (;;) {
        double speed = 0;
        double head_start = 0;
        double largest = 0;
        double least = INFINITY;
        for (int32_t i = 0; i < model->clusters; i++) {
            if (processors[i] > 0 && fixed_time[i] < left_out) {
                speed += processors[i] / unit_time[i];
                head_start += processors[i] * (fixed_time[i] / unit_time[i]);
                largest = fmax(largest, fixed_time[i]);
                least = fmin(least, fixed_time[i]);
            }
        }
        double time = ((double)model->units + head_start) / speed;
        if (time >= largest || least == largest) {
            return fmax(time, largest); /* of like d1, rounding alone can bring T below them */
        }
        left_out = largest;
    }
}

double select_balanced_time(const select_model *model, const int32_t *processors)
{
    return select_balance(model, model->fixed_time, model->unit_time, processors);
}

/* A_i of EQ 5 into `share`, of EQ 6 where there is no d1. */
static void balance(const select_model *model, const int32_t *processors)
{
    const select_map *s = &model->scratch;
    double time = 0;
    double speed = 0;
    if (model->fixed) {
        time = select_balanced_time(model, processors);
    } else {
        for (int32_t i = 0; i < model->clusters; i++) {
            speed += model->rate[i] * processors[i];
        }
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        s->share[i] = 0;
        if (processors[i] > 0) {
            s->share[i] = model->fixed ? fmax(0, (time - model->fixed_time[i]) / model->unit_time[i])
                                       : (double)model->units * model->rate[i] / speed;
        }
    }
}

/* Rounding makes 2.9999999999 of 3: shares so close to a whole number count as that. */
static double settled(double share)
{
    double near = round(share);
    return fabs(share - near) <= fmin(1e-10 * fmax(1, near), 1e-4) ? near : share;
}

/* As cut_exactly() where there is a d1, or rates are not whole. Parts are in 2^-30: coarse enough for rounding not to break their ties. */
static int64_t cut_balanced(const select_model *model, const int32_t *processors)
{
    const select_map *s = &model->scratch;
    int64_t left = model->units;
    int64_t total = 0;
    balance(model, processors);
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            double share = settled(s->share[i]);
            s->whole[i] = (int64_t)share;
            s->part[i] = (select_wide)llround((share - floor(share)) * 0x1p30);
            left -= s->whole[i] * processors[i];
            total += processors[i];
        }
    }
    /* near 2^53 units, shares have no digits for a fraction, and rounding can leave more units than processors */
    if (total == 0 || left < total) {
        return left;
    }
    for (int32_t i = 0; i < model->clusters; i++) {
        s->whole[i] += left / total;
    }
    return left % total;
}

/* ---- What is left over ---- */

static bool comes_before(const void *context, const void *left, const void *right)
{
    const select_map *s = context;
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return s->part[a] != s->part[b] ? s->part[a] > s->part[b] : a < b;
}

/* The clusters in use as a heap, whose order is made only where units are left. */
static heap line_up(const select_model *model, const int32_t *processors, heap_before *before, const void *context,
                    size_t *count)
{
    const select_map *s = &model->scratch;
    *count = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        s->extra[i] = 0;
        if (processors[i] > 0) {
            s->heap[(*count)++] = i;
        }
    }
    return (heap){s->heap, sizeof *s->heap, before, context};
}

/* Units left over go one to a processor, to the clusters with the largest parts first. */
static void hand_out(const select_model *model, const int32_t *processors, int64_t left)
{
    const select_map *s = &model->scratch;
    size_t count = 0;
    const heap next = line_up(model, processors, comes_before, s, &count);
    if (left > 0) {
        heap_order(next, count);
    }
    while (left > 0 && count > 0) {
        int32_t i = s->heap[0];
        s->extra[i] = left < processors[i] ? (int32_t)left : processors[i];
        left -= s->extra[i];
        heap_drop(next, --count);
    }
}

/* ---- The least makespan ---- */

static double done_at(const select_model *model, int32_t i, int64_t units)
{
    return model->fixed_time[i] + (double)units * model->unit_time[i];
}

/* Which cluster is done first with one unit more. Whole rates are compared exactly, so that ties are ties. */
static bool done_before(const void *context, const void *left, const void *right)
{
    const select_model *model = context;
    const select_map *s = &model->scratch;
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    if (model->whole_rates && !model->fixed) {
        select_wide of_a = (select_wide)(s->whole[a] + 1) * (select_wide)model->whole_rate[b];
        select_wide of_b = (select_wide)(s->whole[b] + 1) * (select_wide)model->whole_rate[a];
        return of_a != of_b ? of_a < of_b : a < b;
    }
    double at_a = done_at(model, a, s->whole[a] + 1), at_b = done_at(model, b, s->whole[b] + 1);
    return at_a != at_b ? at_a < at_b : a < b;
}

/* Units that cluster i's processors have done by `time`, no more than that. */
static int64_t done_by(const select_model *model, int32_t i, double time)
{
    return (int64_t)fmax(0, (time - model->fixed_time[i]) / model->unit_time[i] * (1 - 1e-12));
}

/*
 * From the balanced time on, one unit after the other would take long where a fast cluster does many before a slow one
 * does its next: all have done one more by the longest d2. Halves that span until few steps are in it.
 */
static int64_t advance(const select_model *model, const int32_t *processors, int64_t left)
{
    const select_map *s = &model->scratch;
    double low = 0, span = 0, steps = 0, clusters = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            low = fmax(low, s->whole[i] > 0 ? done_at(model, i, s->whole[i]) : 0);
            span = fmax(span, done_at(model, i, 1));
            steps += 1 / model->unit_time[i];
            clusters++;
        }
    }
    for (; steps * span > 8 * clusters + 8 && low + span / 2 > low; span /= 2) {
        int64_t more = 0;
        for (int32_t i = 0; more <= left && i < model->clusters; i++) {
            int64_t units = processors[i] > 0 ? done_by(model, i, low + span / 2) : 0;
            more += units > s->whole[i] ? (units - s->whole[i]) * processors[i] : 0;
        }
        if (more > left) {
            continue;
        }
        low += span / 2;
        left -= more;
        for (int32_t i = 0; i < model->clusters; i++) {
            int64_t units = processors[i] > 0 ? done_by(model, i, low) : 0;
            s->whole[i] = units > s->whole[i] && processors[i] > 0 ? units : s->whole[i];
        }
    }
    return left;
}

/* Each unit goes to the processor that is done with it first, of equals to the cluster with the lower number. */
static void finish_first(const select_model *model, const int32_t *processors, int64_t left)
{
    const select_map *s = &model->scratch;
    size_t count = 0;
    left = advance(model, processors, left);
    const heap next = line_up(model, processors, done_before, model, &count);
    heap_order(next, count);
    while (left > 0 && count > 0) {
        int32_t i = s->heap[0];
        if (left < processors[i]) {
            s->extra[i] = (int32_t)left;
            return;
        }
        s->whole[i]++;
        left -= processors[i];
        heap_sink(next, count, 0);
    }
}

/* Shares rounded down, and never up by rounding errors; gives what is left of the units. */
static int64_t round_down(const select_model *model, const int32_t *processors)
{
    const select_map *s = &model->scratch;
    int64_t left = model->units;
    balance(model, processors);
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            s->whole[i] = (int64_t)(s->share[i] * (1 - 1e-12));
            left -= s->whole[i] * processors[i];
        }
    }
    return left;
}

/* Where rounding of EQ 5 has given out too many units, single ones are taken back from the largest shares. */
static void take_back(const select_model *model, const int32_t *processors, int64_t over)
{
    const select_map *s = &model->scratch;
    while (over > 0) {
        int32_t most = -1;
        for (int32_t i = 0; i < model->clusters; i++) {
            if (processors[i] > 0 && s->extra[i] == 0 && (most < 0 || s->whole[i] > s->whole[most])) {
                most = i;
            }
        }
        int64_t taken = over < processors[most] ? over : processors[most];
        s->whole[most]--;
        s->extra[most] = (int32_t)(processors[most] - taken);
        over -= taken;
    }
}

/* ---- Computation ---- */

static double longest(const select_model *model, const int32_t *processors, bool up)
{
    const select_map *s = &model->scratch;
    double time = 0;
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            int64_t units = s->whole[i] + (up ? s->part[i] > 0 : s->extra[i] > 0);
            time = fmax(time, model->fixed_time[i] + (double)units * model->unit_time[i]);
        }
    }
    return time;
}

static double real_computation(const select_model *model, const int32_t *processors)
{
    if (!model->fixed) {
        double speed = 0;
        for (int32_t i = 0; i < model->clusters; i++) {
            speed += model->rate[i] * processors[i];
        }
        return model->work / speed;
    }
    double time = select_balanced_time(model, processors);
    for (int32_t i = 0; i < model->clusters; i++) {
        if (processors[i] > 0) {
            time = fmax(time, model->fixed_time[i]);
        }
    }
    return time;
}

/* The whole map, cut and handed out; the ceil map with its parts still apart. */
static void hand_all_out(const select_model *model, const int32_t *processors)
{
    bool exact = model->whole_rates && !model->fixed;
    if (model->map == INLAY_SELECT_INTEGER) {
        finish_first(model, processors, exact ? cut_exactly(model, processors) : round_down(model, processors));
        return;
    }
    int64_t left = exact ? cut_exactly(model, processors) : cut_balanced(model, processors);
    if (model->map == INLAY_SELECT_REMAINDER) {
        hand_out(model, processors, left);
        if (left < 0) {
            take_back(model, processors, -left);
        }
    }
}

void select_shares(const select_model *model, const int32_t *processors)
{
    const select_map *s = &model->scratch;
    if (model->curve != NULL) {
        (void)select_curve_time(model, processors);
        return;
    }
    if (model->map == INLAY_SELECT_REAL) {
        balance(model, processors);
        return;
    }
    hand_all_out(model, processors);
    for (int32_t i = 0; model->map == INLAY_SELECT_CEIL && i < model->clusters; i++) {
        if (processors[i] > 0) {
            s->whole[i] += s->part[i] > 0;
            s->extra[i] = 0;
        }
    }
}

static double select_computation(const select_model *model, const int32_t *processors)
{
    if (model->general != NULL) {
        return general_evaluate(model, processors).computation;
    }
    if (model->curve != NULL) {
        return select_curve_time(model, processors);
    }
    if (model->map == INLAY_SELECT_REAL) {
        return real_computation(model, processors);
    }
    hand_all_out(model, processors);
    return longest(model, processors, model->map == INLAY_SELECT_CEIL);
}

double select_partition(const select_model *model, const int32_t *processors)
{
    double time = select_computation(model, processors);
    if (model->general == NULL) {
        select_shares(model, processors);
    }
    return time;
}

double select_cycle(const select_model *model, const int32_t *processors)
{
    if (model->general != NULL) {
        return general_evaluate(model, processors).cycle;
    }
    return select_combined(model, select_computation(model, processors), select_communication(model, processors));
}

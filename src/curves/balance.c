/* Re-partition at run time: the curve of each device as its steps tell of it, and when other shares are worth their way. */
#include <inlay/balance.h>
#include "base/diag.h"
#include "base/memory.h"
#include "curves/curves.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 3 /* steps that a median is of */, NEAR = 64 /* points within 1/64 of a size are the same */ };
static const double usual_horizon = 10, usual_gain = 0.03;
static const double noticed = 1e-3; /* a smaller change of a device's speed is left alone */

typedef struct device {
    inlay_curve_point *point;
    size_t points, room;
    int64_t most;
    double recent[WINDOW]; /* times of the last steps with this share, the newest first */
    int steps;             /* how many of these there are */
} device;

struct inlay_balance {
    size_t devices;
    int64_t units;
    inlay_balance_options options; /* without curves */
    device *device;
    inlay_curve *curve; /* scratch: what is known of the devices */
    int64_t *share;
    int64_t *other; /* scratch: what the shares could be */
};

void inlay_balance_free(inlay_balance *b)
{
    if (b == NULL) {
        return;
    }
    for (size_t i = 0; b->device != NULL && i < b->devices; i++) {
        free(b->device[i].point);
    }
    free(b->device);
    free(b->curve);
    free(b->share);
    free(b->other);
    free(b);
}

const int64_t *inlay_balance_shares(const inlay_balance *balance)
{
    return balance->share;
}

/* ---- What is known of a device ---- */

static inlay_curve curve_of(const device *d)
{
    return (inlay_curve){.points = d->points, .point = d->point, .most = d->most};
}

static double time_of(const device *d, int64_t share)
{
    const inlay_curve curve = curve_of(d);
    return d->points > 0 ? inlay_curve_time(&curve, share) : 0;
}

/* Whether a point has no place beside a newer one. */
static bool gives_way(const inlay_curve_point *old, const inlay_curve_point *now)
{
    int64_t apart = llabs(old->size - now->size);
    bool contradicts = (old->size > now->size) != (old->time > now->time);
    return apart <= now->size / NEAR || contradicts;
}

static bool put_point(device *d, inlay_curve_point now)
{
    size_t kept = 0, at = 0;
    if (!memory_grow((void **)&d->point, &d->room, d->points + 1, sizeof *d->point)) {
        return false;
    }
    for (size_t i = 0; i < d->points; i++) {
        if (!gives_way(&d->point[i], &now)) {
            d->point[kept++] = d->point[i];
        }
    }
    for (at = kept; at > 0 && d->point[at - 1].size > now.size; at--) {
        d->point[at] = d->point[at - 1];
    }
    d->point[at] = now;
    d->points = kept + 1;
    return true;
}

/* Of the last steps: the middle of three, the less of two. */
static double usual(const device *d)
{
    double a = d->recent[0], b = d->recent[1], c = d->recent[2];
    return d->steps == 1 ? a : d->steps == 2 ? fmin(a, b) : fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static bool learn(device *d, int64_t share, double time)
{
    bool known = d->steps == WINDOW;
    memmove(d->recent + 1, d->recent, (WINDOW - 1) * sizeof *d->recent);
    d->recent[0] = time;
    d->steps += !known;
    double now = usual(d), before = time_of(d, share);
    if (!known) {
        return put_point(d, (inlay_curve_point){share, now});
    }
    if (fabs(now - before) > noticed * before) {
        for (size_t i = 0; i < d->points; i++) {
            d->point[i].time *= now / before;
        }
    }
    return true;
}

double inlay_balance_predicted(const inlay_balance *balance)
{
    double time = 0;
    for (size_t i = 0; i < balance->devices; i++) {
        time = fmax(time, time_of(&balance->device[i], balance->share[i]));
    }
    return time;
}

/* ---- Making ---- */

static int check(size_t devices, int64_t units, const inlay_balance_options *o, inlay_diag *diag)
{
    if (devices < 1 || devices > INLAY_CURVE_DEVICES || units < 1 || units > INT64_C(1) << 53) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%lld units are for %zu devices; expected 1 to 2^53 for 1 to %d devices", (long long)units,
                         devices, INLAY_CURVE_DEVICES);
    }
    if (!(o->move >= 0) || !isfinite(o->move) || !(o->horizon >= 0) || !isfinite(o->horizon) || !(o->gain >= 0) ||
        !(o->gain < 1)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a move of %g, a horizon of %g and a gain of %g; expected numbers from 0 on, the gain below 1",
                         o->move, o->horizon, o->gain);
    }
    return INLAY_OK;
}

static bool make_room(inlay_balance *b)
{
    b->device = memory_zeroed(b->devices, sizeof *b->device);
    b->curve = memory_zeroed(b->devices, sizeof *b->curve);
    b->share = memory_array(b->devices, sizeof *b->share);
    b->other = memory_array(b->devices, sizeof *b->other);
    return b->device != NULL && b->curve != NULL && b->share != NULL && b->other != NULL;
}

static bool copy_curve(device *d, const inlay_curve *curve)
{
    d->most = curve->most;
    if (!memory_grow((void **)&d->point, &d->room, curve->points, sizeof *d->point)) {
        return false;
    }
    memcpy(d->point, curve->point, curve->points * sizeof *d->point);
    d->points = curve->points;
    return true;
}

/* As the curves say, or evenly. */
static int start(inlay_balance *b, const inlay_curve *curve, inlay_diag *diag)
{
    inlay_curve_result result;
    for (size_t i = 0; curve == NULL && i < b->devices; i++) {
        b->share[i] = b->units / (int64_t)b->devices + ((int64_t)i < b->units % (int64_t)b->devices);
    }
    int status = curve != NULL ? curve_partition(curve, b->devices, b->units, b->share, &result, diag) : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && curve != NULL && i < b->devices; i++) {
        status = copy_curve(&b->device[i], &curve[i]) ? INLAY_OK : diag_no_memory(diag);
    }
    return status;
}

int inlay_balance_make(size_t devices, int64_t units, const inlay_balance_options *options, inlay_balance **balance,
                       inlay_diag *diag)
{
    DIAG_CALL(diag);
    static const inlay_balance_options none = {0};
    options = options != NULL ? options : &none;
    int status = check(devices, units, options, diag);
    if (status != INLAY_OK) {
        return status;
    }
    inlay_balance *b = memory_zeroed(1, sizeof *b);
    if (b == NULL) {
        return diag_no_memory(diag);
    }
    *b = (inlay_balance){.devices = devices, .units = units, .options = *options};
    b->options.curve = NULL;
    b->options.horizon = options->horizon > 0 ? options->horizon : usual_horizon;
    b->options.gain = options->gain > 0 ? options->gain : usual_gain;
    status = make_room(b) ? start(b, options->curve, diag) : diag_no_memory(diag);
    if (status != INLAY_OK) {
        inlay_balance_free(b);
        return status;
    }
    *balance = b;
    return INLAY_OK;
}

/* ---- A step ---- */

static int check_times(const inlay_balance *b, const double *time, inlay_diag *diag)
{
    for (size_t i = 0; i < b->devices; i++) {
        if (b->share[i] > 0 && (!(time[i] > 0) || !(time[i] < 1e100) || !(time[i] > 1e-100))) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "device %zu took %g for its %lld units; expected a time above 0",
                             i, time[i], (long long)b->share[i]);
        }
    }
    return INLAY_OK;
}

/* A device that nothing is known of, since it never had a unit, is taken for the slowest. */
static void gather_curves(inlay_balance *b)
{
    size_t slowest = 0;
    double longest = 0;
    for (size_t i = 0; i < b->devices; i++) {
        double one = time_of(&b->device[i], 1);
        slowest = one > longest ? i : slowest;
        longest = fmax(longest, one);
    }
    for (size_t i = 0; i < b->devices; i++) {
        b->curve[i] = curve_of(&b->device[b->device[i].points > 0 ? i : slowest]);
    }
}

static double longest_time(const inlay_balance *b, const int64_t *share)
{
    double time = 0;
    for (size_t i = 0; i < b->devices; i++) {
        time = fmax(time, inlay_curve_time(&b->curve[i], share[i]));
    }
    return time;
}

/* A unit for each that has none and is done with one by then, from the one with most. */
static void keep_in_touch(const inlay_balance *b, double time)
{
    for (size_t i = 0; i < b->devices; i++) {
        size_t most = 0;
        if (b->other[i] > 0 || inlay_curve_time(&b->curve[i], 1) > time) {
            continue;
        }
        for (size_t k = 1; k < b->devices; k++) {
            most = b->other[k] > b->other[most] ? k : most;
        }
        if (b->other[most] > 1 && inlay_curve_time(&b->curve[most], b->other[most] - 1) <= time) {
            b->other[most]--;
            b->other[i]++;
        }
    }
}

static bool is_worth_it(const inlay_balance *b)
{
    double moved = 0, now = longest_time(b, b->share), then = longest_time(b, b->other);
    for (size_t i = 0; i < b->devices; i++) {
        moved += b->other[i] > b->share[i] ? (double)(b->other[i] - b->share[i]) : 0;
    }
    return now - then > b->options.gain * now && (now - then) * b->options.horizon > moved * b->options.move;
}

static void take_other(inlay_balance *b)
{
    for (size_t i = 0; i < b->devices; i++) {
        b->device[i].steps = b->other[i] == b->share[i] ? b->device[i].steps : 0;
        b->share[i] = b->other[i];
    }
}

int inlay_balance_step(inlay_balance *balance, const double *time, bool *moves, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_curve_result result;
    int status = check_times(balance, time, diag);
    for (size_t i = 0; status == INLAY_OK && i < balance->devices; i++) {
        int64_t share = balance->share[i];
        status = share == 0 || learn(&balance->device[i], share, time[i]) ? INLAY_OK : diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        gather_curves(balance);
        status = curve_partition(balance->curve, balance->devices, balance->units, balance->other, &result, diag);
    }
    if (status != INLAY_OK) {
        return status;
    }
    keep_in_touch(balance, result.time);
    *moves = is_worth_it(balance);
    if (*moves) {
        take_other(balance);
    }
    return INLAY_OK;
}

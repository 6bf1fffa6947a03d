/*
 * Whole shares with the shortest longest time. A time is long enough where the units are a sum of sizes, one of each
 * device, that it allows; a longer one allows more. So the least is found by halving what lies between two doubles, which
 * takes 63 looks at most.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "curves/curves.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Sums of limits. */
__extension__ typedef unsigned __int128 wide;

enum { MOST_SPANS = 1024 /* of the sums of some devices */ };

/* Spans of each device, one device after the other. */
typedef struct rows {
    curve_span *span;
    size_t used, room;
    size_t *end; /* of each device, behind its last */
} rows;

typedef struct partition {
    const inlay_curve *curve;
    size_t devices;
    int64_t units;
    rows size;        /* of each device: what it does within the time */
    rows sum;         /* what it and all before it do */
    curve_span *pair; /* scratch */
    size_t pairs;
    bool plain;  /* the sizes of every device are one span */
    bool exact;  /* no spans were left out */
    bool failed; /* memory is out */
} partition;

static void clear(partition *p)
{
    free(p->size.span);
    free(p->size.end);
    free(p->sum.span);
    free(p->sum.end);
    free(p->pair);
}

static curve_span *grow(partition *p, rows *r, size_t more)
{
    if (!memory_grow((void **)&r->span, &r->room, r->used + more, sizeof *r->span)) {
        p->failed = true;
        return NULL;
    }
    return r->span + r->used;
}

static size_t begin_of(const rows *r, size_t device)
{
    return device > 0 ? r->end[device - 1] : 0;
}

/* ---- What devices do within a time ---- */

static bool alike(const inlay_curve *a, const inlay_curve *b)
{
    return a->point == b->point && a->points == b->points && a->most == b->most;
}

static void find_sizes(partition *p, double time)
{
    rows *size = &p->size;
    size->used = 0;
    p->plain = true;
    for (size_t i = 0; i < p->devices; i++) {
        const inlay_curve *c = &p->curve[i];
        bool again = i > 0 && alike(c, c - 1);
        size_t before = i > 0 ? begin_of(size, i - 1) : 0;
        size_t most = again ? size->used - before : c->points + 2;
        curve_span *span = grow(p, size, most);
        if (span == NULL) {
            return;
        }
        if (again) {
            memcpy(span, size->span + before, most * sizeof *span);
        }
        size_t count = again ? most : curve_within(c, time, p->units, span);
        p->plain = p->plain && count == 1;
        size->used += count;
        size->end[i] = size->used;
    }
}

/* The largest size of a device. */
static int64_t reach(const partition *p, size_t device)
{
    return p->size.span[p->size.end[device] - 1].high;
}

static wide reach_of_all(const partition *p)
{
    wide all = 0;
    for (size_t i = 0; i < p->devices; i++) {
        all += (wide)(uint64_t)reach(p, i);
    }
    return all;
}

/* ---- Sums ---- */

static int by_low(const void *a, const void *b)
{
    const curve_span *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static int by_length(const void *a, const void *b)
{
    const curve_span *x = a, *y = b;
    int64_t first = x->high - x->low, second = y->high - y->low;
    return first != second ? (first < second) - (first > second) : by_low(a, b);
}

/* Spans that touch become one; how many are left. */
static size_t join(curve_span *span, size_t count)
{
    size_t kept = 0;
    qsort(span, count, sizeof *span, by_low);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && span[i].low <= span[kept - 1].high + 1) {
            span[kept - 1].high = span[i].high > span[kept - 1].high ? span[i].high : span[kept - 1].high;
        } else {
            span[kept++] = span[i];
        }
    }
    return kept;
}

/* The longest of too many, in their order. */
static size_t drop(partition *p, curve_span *span, size_t count)
{
    if (count > MOST_SPANS) {
        qsort(span, count, sizeof *span, by_length);
        qsort(span, MOST_SPANS, sizeof *span, by_low);
        p->exact = false;
        return MOST_SPANS;
    }
    return count;
}

/* All sums of a span before and a size of the device, but those from which the others cannot come to the units. */
static size_t pair_up(partition *p, size_t device, int64_t least)
{
    static const curve_span none = {0, 0};
    size_t from = begin_of(&p->sum, device > 0 ? device - 1 : 0), to = device > 0 ? p->sum.used : 1;
    size_t first = begin_of(&p->size, device), behind = p->size.end[device], count = 0;
    if (!memory_grow((void **)&p->pair, &p->pairs, (to - from) * (behind - first), sizeof *p->pair)) {
        p->failed = true;
        return 0;
    }
    for (size_t s = from; s < to; s++) {
        const curve_span *before = device > 0 ? &p->sum.span[s] : &none;
        for (size_t i = first; i < behind; i++) {
            const curve_span *own = &p->size.span[i];
            int64_t low = before->low + own->low, high = before->high + own->high;
            low = low < least ? least : low;
            high = high > p->units ? p->units : high;
            if (low <= high) {
                p->pair[count++] = (curve_span){low, high};
            }
        }
    }
    return drop(p, p->pair, join(p->pair, count));
}

/* Whether the units are among the sums of all. */
static bool find_sums(partition *p)
{
    wide rest = reach_of_all(p);
    p->sum.used = 0;
    for (size_t i = 0; i < p->devices; i++) {
        rest -= (wide)(uint64_t)reach(p, i);
        int64_t least = rest < (wide)p->units ? p->units - (int64_t)rest : 0;
        size_t count = pair_up(p, i, least);
        curve_span *span = grow(p, &p->sum, count);
        if (p->failed || count == 0) {
            return false;
        }
        memcpy(span, p->pair, count * sizeof *span);
        p->sum.used += count;
        p->sum.end[i] = p->sum.used;
    }
    return true;
}

static bool fits(partition *p, double time)
{
    find_sizes(p, time);
    return !p->failed && reach_of_all(p) >= (wide)p->units && (p->plain || find_sums(p));
}

/* ---- The least time ---- */

static uint64_t bits_of(double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

static double time_of(uint64_t bits)
{
    double time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

/* A time within which every device does all that fits it. */
static double enough(const partition *p)
{
    double time = 0;
    for (size_t i = 0; i < p->devices; i++) {
        const inlay_curve *c = &p->curve[i];
        int64_t most = curve_limit(c, p->units);
        if (i > 0 && alike(c, c - 1)) {
            continue;
        }
        time = fmax(time, inlay_curve_time(c, most));
        for (size_t k = 0; k < c->points && c->point[k].size <= most; k++) {
            time = fmax(time, c->point[k].time);
        }
    }
    return time;
}

/* Doubles above 0 are in the order of their bits. Without memory it ends early. */
static double least_time(partition *p)
{
    uint64_t low = 0, high = bits_of(enough(p)); /* not enough, and enough */
    while (high - low > 1 && !p->failed) {
        uint64_t middle = low + (high - low) / 2;
        if (fits(p, time_of(middle))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return time_of(high);
}

/* ---- Shares ---- */

/* The share of a device nearest to `wanted` that leaves the devices before it a sum of theirs. */
static int64_t nearest(const partition *p, size_t device, int64_t left, int64_t wanted)
{
    static const curve_span none = {0, 0};
    size_t from = device > 1 ? p->sum.end[device - 2] : 0, to = device > 0 ? p->sum.end[device - 1] : 1;
    int64_t best = -1;
    for (size_t i = begin_of(&p->size, device); i < p->size.end[device]; i++) {
        for (size_t s = from; s < to; s++) {
            const curve_span *own = &p->size.span[i], *before = device > 0 ? &p->sum.span[s] : &none;
            int64_t low = own->low > left - before->high ? own->low : left - before->high;
            int64_t high = own->high < left - before->low ? own->high : left - before->low;
            int64_t share = wanted < low ? low : wanted > high ? high : wanted;
            if (low <= high && (best < 0 || llabs(share - wanted) < llabs(best - wanted))) {
                best = share;
            }
        }
    }
    return best;
}

static void deal(const partition *p, int64_t *share)
{
    wide all = reach_of_all(p);
    int64_t left = p->units;
    for (size_t i = p->devices; i-- > 0;) {
        wide own = (wide)(uint64_t)reach(p, i);
        int64_t wanted = all > 0 ? (int64_t)((2 * (wide)left * own + all) / (2 * all)) : 0;
        share[i] = nearest(p, i, left, wanted);
        left -= share[i];
        all -= own;
    }
}

static void sum_up(const partition *p, const int64_t *share, inlay_curve_result *result)
{
    *result = (inlay_curve_result){.least = INFINITY, .exact = p->exact};
    for (size_t i = 0; i < p->devices; i++) {
        const inlay_curve *c = &p->curve[i];
        double time = inlay_curve_time(c, share[i]);
        if (share[i] > 0) {
            result->used++;
            result->outside += share[i] > c->point[c->points - 1].size;
            result->time = fmax(result->time, time);
            result->least = fmin(result->least, time);
        }
    }
}

/* ---- All of it ---- */

static int check(const inlay_curve *curve, size_t devices, int64_t units, inlay_diag *diag)
{
    if (devices < 1 || devices > INLAY_CURVE_DEVICES || units < 1 || units > INT64_C(1) << 53) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "%lld units are for %zu devices; expected 1 to 2^53 for 1 to %d devices", (long long)units,
                         devices, INLAY_CURVE_DEVICES);
    }
    wide fit = 0;
    for (size_t i = 0; i < devices; i++) {
        int status = i > 0 && alike(&curve[i], &curve[i - 1]) ? INLAY_OK : inlay_curve_check(&curve[i], diag);
        if (status != INLAY_OK) {
            return status;
        }
        fit += (wide)(uint64_t)curve_limit(&curve[i], units);
    }
    return fit >= (wide)units
               ? INLAY_OK
               : diag_fail(diag, INLAY_NO_ANSWER, "the devices hold %lld units together; expected room for %lld",
                           (long long)fit, (long long)units);
}

int curve_partition(const inlay_curve *curve, size_t devices, int64_t units, int64_t *share, inlay_curve_result *result,
                    inlay_diag *diag)
{
    int status = check(curve, devices, units, diag);
    if (status != INLAY_OK) {
        return status;
    }
    partition p = {.curve = curve, .devices = devices, .units = units, .exact = true};
    p.size.end = memory_array(devices, sizeof *p.size.end);
    p.sum.end = memory_array(devices, sizeof *p.sum.end);
    p.failed = p.size.end == NULL || p.sum.end == NULL;
    double time = p.failed ? 0 : least_time(&p);
    if (!p.failed) {
        find_sizes(&p, time);
    }
    if (!p.failed && find_sums(&p)) {
        deal(&p, share);
        sum_up(&p, share, result);
    } else {
        status = diag_no_memory(diag); /* the time was found to be enough: nothing else can fail */
    }
    clear(&p);
    return status;
}

int inlay_curves_partition(const inlay_curve *curve, size_t devices, int64_t units, int64_t *share,
                           inlay_curve_result *result, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = curve_partition(curve, devices, units, share, result, diag);
    if (status == INLAY_OK && result->outside > 0) {
        diag_warn(diag, "%lld device%s more units than were measured: the speed of the largest size is taken for them",
                  (long long)result->outside, result->outside == 1 ? " has" : "s have");
    }
    return status;
}

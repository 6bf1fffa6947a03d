/* State: of each rank, for every part of the data, whose contributions to it the rank has. */
#include "slow_collectives.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = SLOW_RANKS * SLOW_RANKS };

typedef struct run {
    int ranks, parts;
    double part; /* bytes of one */
    uint64_t (*has)[PARTS], (*next)[PARTS];
    int sent[SLOW_RANKS], received[SLOW_RANKS];
    double size; /* of the message under way */
    slow_collective *made;
} run;

/* ---- Messages ---- */

static void begin(run *r, int from, int to)
{
    ck_assert(from != to && to >= 0 && to < r->ranks);
    ck_assert_int_eq(r->sent[from]++, 0);
    ck_assert_int_eq(r->received[to]++, 0);
    r->size = 0;
}

static void end(run *r)
{
    double *most = &r->made->most[r->made->stages];
    *most = r->size > *most ? r->size : *most;
}

/* `add`: to what the receiver has; nothing may count twice. Else it takes the place of that. */
static void put(run *r, int from, int to, int part, bool add)
{
    ck_assert(r->has[from][part] != 0);
    if (add) ck_assert((r->has[to][part] & r->has[from][part]) == 0);
    r->next[to][part] = (add ? r->has[to][part] : 0) | r->has[from][part];
    r->size += r->part;
}

static void stage(run *r)
{
    for (int k = 0; k < r->ranks; k++)
        memcpy(r->has[k], r->next[k], (size_t)r->parts * sizeof **r->has);
    memset(r->sent, 0, sizeof r->sent);
    memset(r->received, 0, sizeof r->received);
    ck_assert_int_lt(++r->made->stages, SLOW_STAGES);
}

static void send_parts(run *r, int from, int to, int first, int last, bool add)
{
    begin(r, from, to);
    for (int part = first; part < last; part++)
        put(r, from, to, part, add);
    end(r);
}

static int modulo(int a, int n)
{
    return (a % n + n) % n;
}

static void cut(run *r, double bytes, int parts)
{
    r->parts = parts;
    r->part = bytes / parts;
}

static void all_have(const run *r, uint64_t what)
{
    for (int k = 0; k < r->ranks; k++) {
        for (int part = 0; part < r->parts; part++)
            ck_assert(r->has[k][part] == what);
    }
}

/* ---- All-to-all: part s p + d goes from s to d ---- */

static void start_exchange(run *r, double bytes)
{
    r->parts = r->ranks * r->ranks;
    r->part = bytes;
    for (int s = 0; s < r->ranks; s++) {
        for (int d = 0; d < r->ranks; d++)
            r->has[s][s * r->ranks + d] = r->next[s][s * r->ranks + d] = 1;
    }
}

static void check_exchange(const run *r)
{
    for (int part = 0; part < r->parts; part++)
        ck_assert(r->has[part % r->ranks][part] == 1);
}

static void pairwise(run *r, double bytes)
{
    start_exchange(r, bytes);
    for (int k = 1; k < r->ranks; k++) {
        for (int s = 0; s < r->ranks; s++) {
            int d = (s + k) % r->ranks;
            send_parts(r, s, d, s * r->ranks + d, s * r->ranks + d + 1, true);
        }
        stage(r);
    }
    check_exchange(r);
}

static void bruck(run *r, double bytes)
{
    const int p = r->ranks;
    start_exchange(r, bytes);
    for (int bit = 1; bit < p; bit *= 2) {
        for (int k = 0; k < p; k++) {
            begin(r, k, (k + bit) % p);
            for (int part = 0; part < r->parts; part++) {
                bool its = r->has[k][part] && (modulo(part % p - part / p, p) & bit) != 0;
                if (its && modulo(k - part / p, p) == (modulo(part % p - part / p, p) & (bit - 1))) {
                    put(r, k, (k + bit) % p, part, true);
                    r->next[k][part] = 0;
                }
            }
            end(r);
        }
        stage(r);
    }
    check_exchange(r);
}

/* ---- Allreduce ---- */

static int start_sum(run *r)
{
    int power = 1;
    while (2 * power <= r->ranks)
        power *= 2;
    for (int k = 0; k < r->ranks; k++) {
        for (int part = 0; part < r->parts; part++)
            r->has[k][part] = r->next[k][part] = UINT64_C(1) << k;
    }
    return power;
}

/* What is above the power of two comes in, or gets the result. */
static void fold(run *r, int power, bool in)
{
    for (int k = power; k < r->ranks; k++)
        send_parts(r, in ? k : k - power, in ? k - power : k, 0, r->parts, in);
    if (power < r->ranks) stage(r);
}

static void recursive_doubling(run *r, double bytes)
{
    cut(r, bytes, 1);
    int power = start_sum(r);
    fold(r, power, true);
    for (int apart = 1; apart < power; apart *= 2) {
        for (int k = 0; k < power; k++)
            send_parts(r, k, k ^ apart, 0, 1, true);
        stage(r);
    }
    fold(r, power, false);
}

static void rabenseifner(run *r, double bytes)
{
    int power = 1;
    while (2 * power <= r->ranks)
        power *= 2;
    cut(r, bytes, power);
    (void)start_sum(r);
    fold(r, power, true);
    for (int apart = power / 2; apart > 0; apart /= 2) {
        for (int k = 0; k < power; k++) {
            int other = k ^ apart;
            int first = other / apart * apart; /* the half of the parts where the other one lies */
            send_parts(r, k, other, first, first + apart, true);
        }
        stage(r);
    }
    for (int apart = 1; apart < power; apart *= 2) {
        for (int k = 0; k < power; k++)
            send_parts(r, k, k ^ apart, k / apart * apart, k / apart * apart + apart, false);
        stage(r);
    }
    fold(r, power, false);
}

static void gather_ring(run *r, int ahead)
{
    for (int s = 0; s < r->ranks - 1; s++) {
        for (int k = 0; k < r->ranks; k++) {
            int part = modulo(k + ahead - s, r->ranks);
            send_parts(r, k, (k + 1) % r->ranks, part, part + 1, false);
        }
        stage(r);
    }
}

static void reducing_ring(run *r, double bytes)
{
    cut(r, bytes, r->ranks);
    (void)start_sum(r);
    for (int s = 0; s < r->ranks - 1; s++) {
        for (int k = 0; k < r->ranks; k++) {
            int part = modulo(k - s, r->ranks);
            send_parts(r, k, (k + 1) % r->ranks, part, part + 1, true);
        }
        stage(r);
    }
    gather_ring(r, 1);
}

/* ---- Broadcast from rank 0 ---- */

static void start_root(run *r)
{
    for (int part = 0; part < r->parts; part++)
        r->has[0][part] = r->next[0][part] = 1;
}

static void binomial(run *r, double bytes)
{
    cut(r, bytes, 1);
    start_root(r);
    for (int have = 1; have < r->ranks; have *= 2) {
        for (int k = 0; k < have && k + have < r->ranks; k++)
            send_parts(r, k, k + have, 0, 1, false);
        stage(r);
    }
}

static void scatter_allgather(run *r, double bytes)
{
    int bit = 1;
    cut(r, bytes, r->ranks);
    start_root(r);
    while (bit < r->ranks)
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
        for (int k = 0; k + bit < r->ranks; k += 2 * bit) {
            int last = k + 2 * bit < r->ranks ? k + 2 * bit : r->ranks;
            send_parts(r, k, k + bit, k + bit, last, false);
        }
        stage(r);
    }
    gather_ring(r, 0);
}

static void pipeline(run *r, double bytes, int segments)
{
    cut(r, bytes, segments);
    start_root(r);
    for (int t = 0; t < r->ranks - 2 + segments; t++) {
        for (int k = 0; k < r->ranks - 1; k++) {
            if (t - k >= 0 && t - k < segments) send_parts(r, k, k + 1, t - k, t - k + 1, false);
        }
        stage(r);
    }
}

/* ---- Borders: neighbours along the axes of a grid; part k is what rank k has ---- */

/* Of all n0 >= n1 >= n2 with that product and the longest last axes: as near to a cube as the smallest axis goes. */
static void shape(int ranks, int axes, int n[3])
{
    n[0] = ranks;
    n[1] = n[2] = 1;
    for (int c = 1; axes == 3 && c * c * c <= ranks; c++) {
        if (ranks % c == 0) n[2] = c;
    }
    for (int b = 1; axes > 1 && b * b <= ranks / n[2]; b++) {
        if (ranks / n[2] % b == 0) n[1] = b;
    }
    n[0] = ranks / n[1] / n[2];
}

static void shift(run *r, const int n[3], int axis, int step)
{
    const int stride = axis == 0 ? n[1] * n[2] : axis == 1 ? n[2] : 1;
    for (int k = 0; k < r->ranks; k++) {
        int at = k / stride % n[axis] + step;
        if (at >= 0 && at < n[axis]) send_parts(r, k, k + step * stride, k, k + 1, false);
    }
}

static void borders(run *r, int axes, double bytes)
{
    int n[3];
    shape(r->ranks, axes, n);
    r->parts = r->ranks;
    for (int k = 0; k < r->ranks; k++)
        r->has[k][k] = r->next[k][k] = 1;
    for (int axis = 0; axis < 3; axis++) {
        r->part = bytes * n[axis] / r->ranks;
        if (n[axis] == 1) continue;
        shift(r, n, axis, 1);
        if (n[axis] > 2) stage(r); /* two that face each other exchange at once */
        shift(r, n, axis, -1);
        stage(r);
    }
    for (int k = 0; k < r->ranks; k++) {
        for (int other = 0; other < r->ranks; other++) {
            int apart = abs(k / (n[1] * n[2]) - other / (n[1] * n[2])) + abs(k / n[2] % n[1] - other / n[2] % n[1]) +
                        abs(k % n[2] - other % n[2]);
            ck_assert(r->has[k][other] == (apart <= 1));
        }
    }
}

/* ---- All of them ---- */

static void perform(run *r, inlay_pattern pattern, const char *a, double bytes, int segments)
{
    if (strcmp(a, "pairwise") == 0)
        pairwise(r, bytes);
    else if (strcmp(a, "bruck") == 0)
        bruck(r, bytes);
    else if (strcmp(a, "recursive-doubling") == 0)
        recursive_doubling(r, bytes);
    else if (strcmp(a, "rabenseifner") == 0)
        rabenseifner(r, bytes);
    else if (strcmp(a, "reducing-ring") == 0)
        reducing_ring(r, bytes);
    else if (strcmp(a, "binomial") == 0)
        binomial(r, bytes);
    else if (strcmp(a, "scatter-allgather") == 0)
        scatter_allgather(r, bytes);
    else if (strcmp(a, "pipeline") == 0)
        pipeline(r, bytes, segments);
    else if (strcmp(a, "grid") == 0 || strcmp(a, "columns") == 0)
        borders(r, 2, bytes);
    else if (strcmp(a, "strips") == 0 || strcmp(a, "slabs") == 0)
        borders(r, 1, bytes);
    else if (strcmp(a, "box") == 0)
        borders(r, 3, bytes);
    else
        ck_assert_msg(false, "no algorithm %s", a);
    if (pattern == INLAY_PATTERN_ALLREDUCE) all_have(r, (UINT64_C(1) << r->ranks) - 1);
    if (pattern == INLAY_PATTERN_BROADCAST) all_have(r, 1);
}

void slow_collective_run(inlay_pattern pattern, const char *algorithm, int ranks, double bytes, int segments,
                         slow_collective *made)
{
    run r = {.ranks = ranks, .made = made};
    *made = (slow_collective){0};
    r.has = calloc(SLOW_RANKS, sizeof *r.has);
    r.next = calloc(SLOW_RANKS, sizeof *r.next);
    ck_assert(r.has != NULL && r.next != NULL);
    if (ranks > 1) perform(&r, pattern, algorithm, bytes, segments);
    free(r.has);
    free(r.next);
}

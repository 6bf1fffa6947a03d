/*
 * Chains by dynamic programming over the sets of points (M. Held and R. M. Karp, 1962) where there are few, by nearest
 * neighbours with 2-opt and or-opt exchanges where there are many; trees by R. C. Prim's method.
 */
#include "select/join.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

static double between(int32_t count, const double *cost, int32_t from, int32_t to)
{
    return cost[(size_t)from * (size_t)count + (size_t)to];
}

size_t spmd_join_room(int32_t count)
{
    size_t n = count > 0 ? (size_t)count : 1;
    size_t few = n < SPMD_JOIN_EXACT ? n : SPMD_JOIN_EXACT; /* room for many is room for few of them */
    size_t exact = (few << few) * sizeof(double);
    size_t other = n * (sizeof(double) + sizeof(int32_t));
    return exact > other ? exact : other;
}

static bool all_equal(int32_t count, const double *cost)
{
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (between(count, cost, i, j) != between(count, cost, 1, 0)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Few points ---- */

/* least[set * count + i]: the cheapest chain through the points of a set that begins at i, one of them. */
static void fill(int32_t count, const double *cost, double *least)
{
    for (uint32_t set = 1; set < UINT32_C(1) << count; set++) {
        for (int32_t i = 0; i < count; i++) {
            uint32_t rest = set & ~(UINT32_C(1) << i);
            if (rest == set) {
                continue;
            }
            double best = rest == 0 ? 0 : INFINITY;
            for (int32_t j = 0; j < count; j++) {
                if (rest >> j & 1) {
                    best = fmin(best, between(count, cost, i, j) + least[(size_t)rest * (size_t)count + (size_t)j]);
                }
            }
            least[(size_t)set * (size_t)count + (size_t)i] = best;
        }
    }
}

/* The same sums once more, so that they are equal to the last bit. */
static double exact_chain(int32_t count, const double *cost, double *least, int32_t *order)
{
    fill(count, cost, least);
    uint32_t left = (UINT32_C(1) << count) - 1;
    double whole = 0;
    for (int32_t n = 0; n < count; n++) {
        int32_t next = -1;
        double best = INFINITY;
        for (int32_t j = 0; j < count; j++) {
            if (left >> j & 1) {
                double step = n > 0 ? between(count, cost, order[n - 1], j) : 0;
                double through = step + least[(size_t)left * (size_t)count + (size_t)j];
                if (next < 0 || through < best) {
                    best = through;
                    next = j;
                }
            }
        }
        whole = n == 0 ? best : whole;
        order[n] = next;
        left &= ~(UINT32_C(1) << next);
    }
    return whole;
}

/* ---- Many points ---- */

static double length(int32_t count, const double *cost, const int32_t *order)
{
    double sum = 0;
    for (int32_t n = 1; n < count; n++) {
        sum += between(count, cost, order[n - 1], order[n]);
    }
    return sum;
}

/* From `start` on always to the nearest point that is left. */
static void go_to_nearest(int32_t count, const double *cost, int32_t start, int32_t *order)
{
    for (int32_t n = 0; n < count; n++) {
        order[n] = n;
    }
    order[0] = start;
    order[start] = 0;
    for (int32_t n = 1; n < count; n++) {
        int32_t at = n;
        for (int32_t k = n + 1; k < count; k++) {
            double gain = between(count, cost, order[n - 1], order[at]) - between(count, cost, order[n - 1], order[k]);
            if (gain > 0 || (gain == 0 && order[k] < order[at])) {
                at = k;
            }
        }
        int32_t point = order[at];
        order[at] = order[n];
        order[n] = point;
    }
}

/* Between places in the chain; nothing beyond its ends. */
static double edge(int32_t count, const double *cost, const int32_t *order, int32_t a, int32_t b)
{
    return a < 0 || b >= count ? 0 : between(count, cost, order[a], order[b]);
}

static void reverse(int32_t *order, int32_t from, int32_t to)
{
    for (; from < to; from++, to--) {
        int32_t point = order[from];
        order[from] = order[to];
        order[to] = point;
    }
}

/* 2-opt: turns pieces of the chain around. What gains less than `least` is taken for rounding. */
static bool turn_pieces(int32_t count, const double *cost, double least, int32_t *order)
{
    bool gained = false;
    for (int32_t from = 0; from < count; from++) {
        for (int32_t to = from + 1; to < count; to++) {
            double before = edge(count, cost, order, from - 1, from) + edge(count, cost, order, to, to + 1);
            double after = (from > 0 ? between(count, cost, order[from - 1], order[to]) : 0) +
                           (to + 1 < count ? between(count, cost, order[from], order[to + 1]) : 0);
            if (before - after > least) {
                reverse(order, from, to);
                gained = true;
            }
        }
    }
    return gained;
}

/* Moves the piece from .. to behind the place `behind` of the chain without it (-1: to its begin). */
static void move_piece(int32_t *order, int32_t from, int32_t to, int32_t behind)
{
    int32_t width = to - from + 1;
    if (behind < from) {
        /* [behind + 1 .. from - 1] [from .. to] change places: three reversals */
        reverse(order, behind + 1, from - 1);
        reverse(order, from, to);
        reverse(order, behind + 1, to);
    } else {
        reverse(order, from, to);
        reverse(order, to + 1, behind + width);
        reverse(order, from, behind + width);
    }
}

/* What it gains to put the piece from .. to between two others that are next to each other without it. */
static double move_gain(int32_t count, const double *cost, const int32_t *order, int32_t from, int32_t to,
                        int32_t behind, bool turned)
{
    int32_t width = to - from + 1;
    int32_t left = behind < from ? behind : behind + width;
    int32_t right = behind + 1 < from ? behind + 1 : behind + 1 + width;
    int32_t first = turned ? to : from;
    int32_t last = turned ? from : to;
    double before = edge(count, cost, order, from - 1, from) + edge(count, cost, order, to, to + 1) +
                    edge(count, cost, order, left, right);
    double closed = from > 0 && to + 1 < count ? between(count, cost, order[from - 1], order[to + 1]) : 0;
    double after = closed + (left >= 0 ? between(count, cost, order[left], order[first]) : 0) +
                   (right < count ? between(count, cost, order[last], order[right]) : 0);
    return before - after;
}

/* Or-opt: pieces of up to three points to another place, either way around. */
static bool move_pieces(int32_t count, const double *cost, double least, int32_t *order)
{
    bool gained = false;
    for (int32_t width = 1; width <= 3; width++) {
        for (int32_t from = 0; from + width <= count; from++) {
            int32_t to = from + width - 1;
            for (int32_t behind = -1; behind < count - width; behind++) {
                bool turned = move_gain(count, cost, order, from, to, behind, true) > least;
                if (behind == from - 1 ||
                    (!turned && !(move_gain(count, cost, order, from, to, behind, false) > least))) {
                    continue;
                }
                if (turned) {
                    reverse(order, from, to);
                }
                move_piece(order, from, to, behind);
                gained = true;
                break;
            }
        }
    }
    return gained;
}

/* From as many starts as 2^22 steps allow, spread evenly; the shortest is improved until nothing gains. */
static double searched_chain(int32_t count, const double *cost, int32_t *tried, int32_t *order)
{
    int64_t allowed = (INT64_C(1) << 22) / ((int64_t)count * count);
    int32_t starts = allowed > count ? count : allowed > 1 ? (int32_t)allowed : 1;
    double least = INFINITY;
    for (int32_t s = 0; s < starts; s++) {
        go_to_nearest(count, cost, (int32_t)((int64_t)s * count / starts), tried);
        double sum = length(count, cost, tried);
        if (sum < least) {
            least = sum;
            memcpy(order, tried, (size_t)count * sizeof *order);
        }
    }
    double rounding = 1e-12 * least;
    while (turn_pieces(count, cost, rounding, order) || move_pieces(count, cost, rounding, order)) {
    }
    return length(count, cost, order);
}

double spmd_join_chain(int32_t count, const double *cost, void *room, int32_t *order)
{
    if (count < 3 || all_equal(count, cost)) {
        for (int32_t n = 0; n < count; n++) {
            order[n] = n;
        }
        return count < 2 ? 0 : (count - 1) * between(count, cost, 1, 0);
    }
    return count <= SPMD_JOIN_EXACT ? exact_chain(count, cost, room, order) : searched_chain(count, cost, room, order);
}

/* ---- Tree ---- */

double spmd_join_tree(int32_t count, const double *cost, int32_t root, void *room, int32_t *parent)
{
    double *nearest = room; /* cost of the edge to the parent; below 0 of points in the tree */
    for (int32_t i = 0; i < count; i++) {
        parent[i] = root;
        nearest[i] = i == root ? -1 : between(count, cost, root, i);
    }
    parent[root] = -1;
    double sum = 0;
    for (int32_t n = 1; n < count; n++) {
        int32_t next = -1;
        for (int32_t i = 0; i < count; i++) {
            if (nearest[i] >= 0 && (next < 0 || nearest[i] < nearest[next])) {
                next = i;
            }
        }
        sum += nearest[next];
        nearest[next] = -1;
        for (int32_t i = 0; i < count; i++) {
            double through = between(count, cost, next, i);
            if (nearest[i] >= 0 && (through < nearest[i] || (through == nearest[i] && next < parent[i]))) {
                nearest[i] = through;
                parent[i] = next;
            }
        }
    }
    return sum;
}

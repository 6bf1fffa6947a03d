/*
 * The order of points along Hilbert's curve (J. Skilling, "Programming the Hilbert curve", 2004) through the cube around
 * those of this rank.
 */
#include "irregular/renumber.h"
#include "base/diag.h"
#include <math.h>
#include <stdlib.h>

enum { DIMENSIONS = 3 };

typedef struct point {
    uint64_t key; /* the place along the curve */
    int32_t group, row;
} point;

static int by_place(const void *a, const void *b)
{
    const point *x = a, *y = b;
    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->row > y->row) - (x->row < y->row);
}

/* Turns coordinates of `bits` bits into the place along the curve, whose bits stand across them. */
static void turn(uint32_t *x, int dimensions, int bits)
{
    for (uint32_t q = UINT32_C(1) << (bits - 1); q > 1; q >>= 1) {
        for (int i = 0; i < dimensions; i++) {
            uint32_t swap = (x[0] ^ x[i]) & (q - 1);
            if ((x[i] & q) != 0) {
                x[0] ^= q - 1;
            } else {
                x[0] ^= swap;
                x[i] ^= swap;
            }
        }
    }
    for (int i = 1; i < dimensions; i++) { /* Gray's code, undone */
        x[i] ^= x[i - 1];
    }
    uint32_t odd = 0;
    for (uint32_t q = UINT32_C(1) << (bits - 1); q > 1; q >>= 1) {
        odd ^= (x[dimensions - 1] & q) != 0 ? q - 1 : 0;
    }
    for (int i = 0; i < dimensions; i++) {
        x[i] ^= odd;
    }
}

static uint64_t place_along(uint32_t *x, int dimensions, int bits)
{
    uint64_t key = 0;
    turn(x, dimensions, bits);
    for (int b = bits - 1; b >= 0; b--) {
        for (int i = 0; i < dimensions; i++) {
            key = key << 1 | (x[i] >> b & 1);
        }
    }
    return key;
}

/* The cube around all points: its corner, and half its side. */
static double surround(int32_t rows, const inlay_renumber_options *o, double low[DIMENSIONS])
{
    double side = 0;
    for (int d = 0; d < o->dimensions; d++) {
        double high = -HUGE_VAL;
        low[d] = HUGE_VAL;
        for (int32_t i = 0; i < rows; i++) {
            double x = o->coordinate[(size_t)i * (size_t)o->dimensions + (size_t)d];
            low[d] = fmin(low[d], x);
            high = fmax(high, x);
        }
        side = fmax(side, high / 2 - low[d] / 2);
    }
    return side;
}

int renumber_hilbert(int32_t rows, const inlay_renumber_options *o, int32_t *order, inlay_diag *diag)
{
    static const int most_bits[] = {0, 31, 31, 21};
    int bits = most_bits[o->dimensions];
    double low[DIMENSIONS], half = surround(rows, o, low), cells = ldexp(1, bits);
    point *points = memory_array((size_t)rows, sizeof *points);
    if (points == NULL) {
        return diag_no_memory(diag);
    }
    for (int32_t i = 0; i < rows; i++) {
        uint32_t x[DIMENSIONS];
        for (int d = 0; d < o->dimensions; d++) {
            double at = o->coordinate[(size_t)i * (size_t)o->dimensions + (size_t)d];
            double share = half > 0 ? (at / 2 - low[d] / 2) / half : 0;
            x[d] = (uint32_t)fmin(fmax(share, 0) * cells, cells - 1);
        }
        points[i] = (point){place_along(x, o->dimensions, bits), o->group != NULL ? o->group[i] : 0, i};
    }
    qsort(points, (size_t)rows, sizeof *points, by_place);
    for (int32_t i = 0; i < rows; i++) {
        order[i] = points[i].row;
    }
    free(points);
    return INLAY_OK;
}

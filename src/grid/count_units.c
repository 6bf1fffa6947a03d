/*
 * Counting messages between units. A direction takes most units of a row of them the same number of units on, so that
 * few kinds of steps are enough: ranges of units with one shift and one number of cells. Of an interleaving, only the
 * places of its turns are visited for each kind.
 */
#include "grid/count.h"
#include "base/diag.h"
#include <math.h>
#include <string.h>

/* Units begin .. end - 1 of an axis: `cells` rows (or columns) of each lie, after the step, `shift` units on. */
typedef struct step {
    int64_t begin, end, shift, cells;
} step;

enum { MOST_STEPS = 12 }; /* (first, middle, last units) x (two shifts) x (before and after the edge) */

static int64_t floor_of(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q * b > a ? q - 1 : q;
}

/* Rows low .. high - 1 of each of the units begin .. end - 1, moved by `offset`. */
static int add_steps(int64_t begin, int64_t end, int64_t low, int64_t high, int64_t height, int64_t offset, step *list)
{
    int64_t whole = floor_of(offset, height);
    int64_t edge = height - (offset - whole * height); /* rows from here on go a unit farther */
    int64_t near = (edge < high ? edge : high) - low;
    int64_t far = high - (edge > low ? edge : low);
    int count = 0;
    if (begin < end && near > 0) {
        list[count++] = (step){begin, end, whole, near};
    }
    if (begin < end && far > 0) {
        list[count++] = (step){begin, end, whole + 1, far};
    }
    return count;
}

/* Rows begin .. end - 1 of the grid, all of which are still in it when moved. */
static int add_rows(int64_t begin, int64_t end, int64_t height, int64_t offset, step *list)
{
    if (begin >= end) {
        return 0;
    }
    int64_t first = begin / height;
    int64_t last = (end - 1) / height;
    int64_t low = begin - first * height;
    int64_t high = end - last * height;
    if (first == last) {
        return add_steps(first, first + 1, low, high, height, offset, list);
    }
    int count = add_steps(first, first + 1, low, height, height, offset, list);
    count += add_steps(first + 1, last, 0, height, height, offset, list + count);
    return count + add_steps(last, last + 1, 0, high, height, offset, list + count);
}

/* All steps of an axis of so many rows in units of a height. */
static int steps_of(int64_t rows, int64_t height, int64_t offset, bool bounded, step list[MOST_STEPS])
{
    if (bounded) {
        if (offset >= rows || offset <= -rows) {
            return 0;
        }
        return add_rows(offset < 0 ? -offset : 0, offset < 0 ? rows : rows - offset, height, offset, list);
    }
    offset %= rows;
    offset += offset < 0 ? rows : 0;
    int count = add_rows(0, rows - offset, height, offset, list);
    return count + add_rows(rows - offset, rows, height, offset - rows, list + count);
}

/* ---- Tables ---- */

/* Adds the units of one row of them to the sums of pairs; where `bytes` is a constant, a loop without cases. */
static inline bool count_row(grid_pairs *pairs, const void *table, int bytes, const int64_t range[2], int64_t shift,
                             int64_t cells)
{
    for (int64_t unit = range[0]; unit < range[1]; unit++) {
        int32_t from = grid_table_of(table, bytes, unit);
        int32_t to = grid_table_of(table, bytes, unit + shift);
        if (pairs->table != NULL) {
            /* its diagonal, which nobody asks for, is cleared below: a test of each unit would be guessed wrong often */
            pairs->table[(size_t)from * (size_t)pairs->processors + (size_t)to] += cells;
        } else if (from != to && !grid_pairs_add(pairs, from, to, cells)) {
            return false;
        }
    }
    return true;
}

static bool count_table(grid_counter *counter, const step *down, const step *across)
{
    const grid_units *u = &counter->d->units;
    grid_pairs *pairs = &counter->pairs;
    int64_t shift = down->shift * u->across + across->shift, cells = down->cells * across->cells;
    bool counted = true;
    for (int64_t i = down->begin; i < down->end && counted; i++) {
        const int64_t range[] = {i * u->across + across->begin, i * u->across + across->end};
        switch (u->bytes) {
        case 1: counted = count_row(pairs, u->table, 1, range, shift, cells); break;
        case 2: counted = count_row(pairs, u->table, 2, range, shift, cells); break;
        default: counted = count_row(pairs, u->table, 4, range, shift, cells); break;
        }
    }
    for (int32_t i = 0; pairs->table != NULL && i < pairs->processors; i++) {
        pairs->table[(size_t)i * (size_t)pairs->processors + (size_t)i] = 0;
    }
    return counted;
}

/* ---- Turns ---- */

static bool count_turns(grid_counter *counter, const step *down, const step *across)
{
    const grid_units *u = &counter->d->units;
    inlay_grid_block of = grid_flat(down->begin, across->begin, down->end, across->end);
    int64_t shift = (down->shift * u->across + across->shift) % u->length;
    shift += shift < 0 ? u->length : 0;
    memset(counter->histogram, 0, (size_t)u->length * sizeof *counter->histogram);
    grid_units_histogram(u, &of, down->cells * across->cells, counter->histogram, counter->scratch);
    for (int64_t place = 0; place < u->length; place++) {
        if (counter->histogram[place] > 0) {
            int32_t from = grid_unit_owner(u, place);
            int32_t to = grid_unit_owner(u, place + shift < u->length ? place + shift : place + shift - u->length);
            if (from != to && !grid_pairs_add(&counter->pairs, from, to, counter->histogram[place])) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Numbers alone ---- */

/* Of `cells` cells that have a neighbour in another unit, those of `from` whose neighbour is in one of `to`'s: what is
   to be expected where all ways to deal out the units are equally likely. */
static void hand_out_expected(const grid_counter *counter, int32_t direction, double cells)
{
    const grid_units *u = &counter->d->units;
    double units = (double)u->down * (double)u->across, pairs = units * (units - 1);
    for (int32_t from = 0; from < counter->d->processors; from++) {
        for (int32_t to = 0; to < counter->d->processors; to++) {
            double met = cells * (double)u->share[from] * (double)u->share[to] / pairs;
            if (from != to && met >= 0.5) {
                counter->visit(counter->context, from, to, direction, llround(met));
            }
        }
    }
}

/* ---- All ---- */

typedef struct hand {
    const grid_counter *counter;
    int32_t direction;
} hand;

static void hand_out(void *context, const grid_pair *pair)
{
    const hand *h = context;
    h->counter->visit(h->counter->context, pair->from, pair->to, h->direction, pair->cells);
}

int grid_count_units(grid_counter *counter, int32_t direction, const inlay_grid_offset *offset, inlay_diag *diag)
{
    const inlay_decomposition *d = counter->d;
    step down[MOST_STEPS];
    step across[MOST_STEPS];
    int rows = steps_of(d->summary.rows, d->units.height, offset->down, d->bounded, down);
    double expected = 0;
    int columns = steps_of(d->summary.columns, d->units.width, offset->across, d->bounded, across);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            if (d->units.share != NULL && d->units.table == NULL) {
                bool moves = down[i].shift != 0 || across[j].shift != 0;
                double each = (double)down[i].cells * (double)across[j].cells;
                expected +=
                    moves ? each * (double)(down[i].end - down[i].begin) * (double)(across[j].end - across[j].begin)
                          : 0;
                continue;
            }
            bool counted = d->units.turns > 0 ? count_turns(counter, &down[i], &across[j])
                                              : count_table(counter, &down[i], &across[j]);
            if (!counted) {
                return diag_no_memory(diag);
            }
        }
    }
    if (expected > 0) {
        hand_out_expected(counter, direction, expected);
    }
    grid_pairs_take(&counter->pairs, hand_out, &(hand){counter, direction});
    return INLAY_OK;
}

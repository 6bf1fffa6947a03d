/* Cells that two decompositions of a grid share, and what it costs to go from one to the other. */
#include "grid/cost.h"
#include "base/diag.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_UNITS = 1 << 22, MOST_VISITS = 1 << 26, PIECES = 3 };

/* ---- Pieces: every decomposition as rectangles with a rank ---- */

static int64_t entries_of(const inlay_decomposition *d)
{
    return d->shape == GRID_UNITS ? d->units.down * d->units.across : d->processors;
}

static inlay_grid_block turned(inlay_grid_block b)
{
    return grid_flat(b.left, b.top, b.right, b.bottom);
}

/* A run is the rest of a row, full rows, and the beginning of a row. */
static int pieces_of_run(const grid_runs *runs, int32_t rank, inlay_grid_block piece[PIECES])
{
    int64_t n = runs->columns;
    int64_t begin = runs->start[rank];
    int64_t end = runs->start[rank + 1];
    int count = 0;
    if (begin % n != 0 && begin < end) {
        int64_t stop = (begin / n + 1) * n < end ? (begin / n + 1) * n : end;
        piece[count++] = grid_flat(begin / n, begin % n, begin / n + 1, begin % n + (stop - begin));
        begin = stop;
    }
    if (end - begin >= n) {
        piece[count++] = grid_flat(begin / n, 0, end / n, n);
        begin = end / n * n;
    }
    if (begin < end) {
        piece[count++] = grid_flat(begin / n, 0, begin / n + 1, end - begin);
    }
    for (int i = 0; i < count && runs->down; i++) {
        piece[i] = turned(piece[i]);
    }
    return count;
}

static inlay_grid_block block_of_unit(const inlay_decomposition *d, int64_t unit)
{
    const grid_units *u = &d->units;
    int64_t top = unit / u->across * u->height;
    int64_t left = unit % u->across * u->width;
    return grid_flat(top, left, top + u->height < d->summary.rows ? top + u->height : d->summary.rows,
                     left + u->width < d->summary.columns ? left + u->width : d->summary.columns);
}

/* The pieces of an entry and their rank; gives how many. */
static int pieces_of(const inlay_decomposition *d, int64_t entry, int32_t *rank, inlay_grid_block piece[PIECES])
{
    *rank = (int32_t)entry;
    switch (d->shape) {
    case GRID_RECTANGLES: piece[0] = d->tree.block[entry]; return d->cells[entry] > 0;
    case GRID_RUNS: return pieces_of_run(&d->runs, (int32_t)entry, piece);
    default:
        *rank = grid_unit_owner(&d->units, entry);
        piece[0] = block_of_unit(d, entry);
        return 1;
    }
}

/* ---- Windows: who has how many cells of a rectangle ---- */

/* Units that a window touches. */
static inlay_grid_block units_in(const grid_units *u, const inlay_grid_block *window)
{
    return grid_flat(window->top / u->height, window->left / u->width, (window->bottom - 1) / u->height + 1,
                     (window->right - 1) / u->width + 1);
}

static void add_units(const inlay_decomposition *d, const inlay_grid_block *window, grid_tally *tally)
{
    inlay_grid_block in = units_in(&d->units, window);
    for (int64_t i = in.top; i < in.bottom; i++) {
        for (int64_t j = in.left; j < in.right; j++) {
            int64_t unit = i * d->units.across + j;
            inlay_grid_block b = block_of_unit(d, unit);
            int64_t rows =
                (b.bottom < window->bottom ? b.bottom : window->bottom) - (b.top > window->top ? b.top : window->top);
            int64_t columns =
                (b.right < window->right ? b.right : window->right) - (b.left > window->left ? b.left : window->left);
            grid_tally_add(tally, grid_unit_owner(&d->units, unit), rows * columns);
        }
    }
}

static void add_window(const inlay_decomposition *d, inlay_grid_block window, int32_t *stack, grid_tally *tally)
{
    if (d->shape == GRID_RECTANGLES) {
        grid_tree_overlaps(&d->tree, &window, stack, tally);
    } else if (d->shape == GRID_RUNS) {
        const grid_runs *runs = &d->runs;
        window = runs->down ? turned(window) : window;
        grid_runs_overlaps(runs, d->processors, window.top * runs->columns, window.bottom * runs->columns, 0,
                           window.left, window.right, tally);
    } else {
        add_units(d, &window, tally);
    }
}

/* ---- Pairs ---- */

/* Whether windows on all the pieces visit few enough units. */
static bool is_affordable(const inlay_decomposition *pieces, const inlay_decomposition *windows)
{
    if (windows->shape != GRID_UNITS) {
        return true;
    }
    int64_t entries = entries_of(pieces);
    double visits = 0;
    if (entries_of(windows) > MOST_UNITS || (pieces->shape == GRID_UNITS && entries > MOST_UNITS)) {
        return false;
    }
    for (int64_t entry = 0; entry < entries; entry++) {
        inlay_grid_block piece[PIECES];
        int32_t rank = 0;
        int count = pieces_of(pieces, entry, &rank, piece);
        for (int i = 0; i < count; i++) {
            inlay_grid_block in = units_in(&windows->units, &piece[i]);
            visits += (double)grid_height(&in) * (double)grid_width(&in);
        }
    }
    return visits <= MOST_VISITS;
}

/* What the tally of one piece's entry says; `forward`: its rank sends. */
static bool add_pairs(const inlay_decomposition *pieces, const inlay_decomposition *windows, int32_t rank, bool forward,
                      grid_tally *tally, grid_pairs *pairs)
{
    bool added = true;
    int32_t one = pieces->order[rank];
    for (int32_t i = 0; i < tally->count && added; i++) {
        int32_t other = windows->order[tally->touched[i]];
        added = grid_pairs_add(pairs, forward ? one : other, forward ? other : one, tally->sum[tally->touched[i]]);
    }
    grid_tally_reset(tally);
    return added;
}

/* All pairs of both that share cells, by the caller's numbers; INLAY_NO_ANSWER where there are too many units. */
static int grid_overlap(const inlay_decomposition *from, const inlay_decomposition *to, grid_pairs *pairs,
                        inlay_diag *diag)
{
    bool forward = from->shape != GRID_UNITS || to->shape == GRID_UNITS;
    const inlay_decomposition *pieces = forward ? from : to;
    const inlay_decomposition *windows = forward ? to : from;
    if (!is_affordable(pieces, windows)) {
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "the cells that %s and %s share cannot be counted: there are too many units",
                         inlay_grid_method_name(from->summary.method), inlay_grid_method_name(to->summary.method));
    }
    grid_tally tally = {0};
    int32_t *stack = memory_array(2 * (size_t)windows->processors + 1, sizeof *stack);
    bool made = grid_tally_make(&tally, windows->processors) && stack != NULL;
    int64_t entries = entries_of(pieces);
    for (int64_t entry = 0; entry < entries && made; entry++) {
        inlay_grid_block piece[PIECES];
        int32_t rank = 0;
        int count = pieces_of(pieces, entry, &rank, piece);
        for (int i = 0; i < count; i++) {
            add_window(windows, piece[i], stack, &tally);
        }
        made = add_pairs(pieces, windows, rank, forward, &tally, pairs);
    }
    free(stack);
    grid_tally_clear(&tally);
    return made ? INLAY_OK : diag_no_memory(diag);
}

/* ---- Redistribution ---- */

static int check_grids(const inlay_decomposition *from, const inlay_decomposition *to, inlay_diag *diag)
{
    const inlay_decomposition_summary *a = &from->summary;
    const inlay_decomposition_summary *b = &to->summary;
    if (a->rows != b->rows || a->columns != b->columns || a->planes != b->planes || a->processors != b->processors) {
        return diag_fail(
            diag, INLAY_BAD_ARGUMENT,
            "a grid of %lld x %lld for %d processors cannot become one of %lld x %lld for %d; expected the "
            "same",
            (long long)a->rows, (long long)a->columns, (int)a->processors, (long long)b->rows, (long long)b->columns,
            (int)b->processors);
    }
    return INLAY_OK;
}

static void meter_pair(void *context, const grid_pair *pair)
{
    if (pair->from != pair->to) {
        grid_meter_message(context, pair->from, pair->to, 0, pair->cells);
    }
}

int inlay_decomposition_redistribute(const inlay_decomposition *from, const inlay_decomposition *to,
                                     const inlay_grid_network *network, int64_t item, inlay_grid_cost *cost,
                                     inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_grid_phase move = {.pattern.communication = INLAY_GRID_SYSTOLIC, .item = item};
    int32_t p = from->summary.processors;
    grid_pairs pairs = {0};
    grid_meter meter = {0};
    int status = check_grids(from, to, diag);
    if (status == INLAY_OK) {
        status = grid_check_costs(network, &move, 1, from->summary.rows * from->summary.columns * from->summary.planes,
                                  p, from->item, diag);
    }
    if (status == INLAY_OK) {
        status = grid_pairs_make(&pairs, p) ? grid_meter_make(network, p, NULL, &meter, diag) : diag_no_memory(diag);
    }
    status = status == INLAY_OK ? grid_overlap(from, to, &pairs, diag) : status;
    if (status == INLAY_OK) {
        grid_meter_begin(&meter, item > 0 ? item : from->item);
        grid_pairs_take(&pairs, meter_pair, &meter);
        grid_meter_turn(&meter);
        *cost = (inlay_grid_cost){.imbalance = NAN, .least_bytes = NAN};
        grid_meter_add(&meter, 1, cost);
        cost->seconds = cost->latency + cost->transmission;
    }
    grid_meter_clear(&meter);
    grid_pairs_clear(&pairs);
    return status;
}

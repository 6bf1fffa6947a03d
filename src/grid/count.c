/* Counting messages: patterns, and rectangles and runs. */
#include "grid/count.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>

/* ---- Patterns ---- */

const char *inlay_grid_communication_name(inlay_grid_communication communication)
{
    static const char *const names[] = {"none",     "broadcast", "multicast", "reduction",       "random",
                                        "systolic", "wavefront", "stencil3",  "stencil3-across", "stencil5",
                                        "stencil9", "stencil7",  "stencil19", "stencil27",       "offsets"};
    return (unsigned)communication < sizeof names / sizeof *names ? names[communication] : NULL;
}

const inlay_grid_offset *grid_directions(const inlay_grid_pattern *pattern, size_t *directions)
{
    /* north, south, east, west, then the diagonals; the wavefront goes east and south */
    static const inlay_grid_offset stencil[] = {{-1, 0, 0}, {1, 0, 0},   {0, 1, 0}, {0, -1, 0},
                                                {-1, 1, 0}, {-1, -1, 0}, {1, 1, 0}, {1, -1, 0}};
    static const inlay_grid_offset wavefront[] = {{0, 1, 0}, {1, 0, 0}};
    /* across faces, edges and corners */
    static const inlay_grid_offset cube[] = {
        {-1, 0, 0},  {1, 0, 0},   {0, 1, 0},  {0, -1, 0},  {0, 0, -1},   {0, 0, 1},   {-1, 1, 0},
        {-1, -1, 0}, {1, 1, 0},   {1, -1, 0}, {-1, 0, -1}, {-1, 0, 1},   {1, 0, -1},  {1, 0, 1},
        {0, -1, -1}, {0, -1, 1},  {0, 1, -1}, {0, 1, 1},   {-1, -1, -1}, {-1, -1, 1}, {-1, 1, -1},
        {-1, 1, 1},  {1, -1, -1}, {1, -1, 1}, {1, 1, -1},  {1, 1, 1}};
    switch (pattern->communication) {
    case INLAY_GRID_SYSTOLIC: *directions = 1; return wavefront;
    case INLAY_GRID_WAVEFRONT: *directions = 2; return wavefront;
    case INLAY_GRID_STENCIL3: *directions = 2; return stencil;
    case INLAY_GRID_STENCIL3_ACROSS: *directions = 2; return stencil + 2;
    case INLAY_GRID_STENCIL5: *directions = 4; return stencil;
    case INLAY_GRID_STENCIL9: *directions = 8; return stencil;
    case INLAY_GRID_STENCIL7: *directions = 6; return cube;
    case INLAY_GRID_STENCIL19: *directions = 18; return cube;
    case INLAY_GRID_STENCIL27: *directions = 26; return cube;
    case INLAY_GRID_OFFSETS: *directions = pattern->offsets; return pattern->offset;
    default: *directions = 0; return NULL;
    }
}

static int check_bytes(const int64_t *bytes, int32_t processors, inlay_diag *diag)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < processors; i++) {
        for (int32_t j = 0; j < processors; j++) {
            int64_t one = i == j ? 0 : bytes[(size_t)i * (size_t)processors + (size_t)j];
            if (one < 0) {
                return diag_fail(diag, INLAY_BAD_ARGUMENT,
                                 "processor %d sends %lld bytes to processor %d; expected 0 or more", (int)i,
                                 (long long)one, (int)j);
            }
            if (__builtin_add_overflow(sum, one, &sum)) {
                return diag_fail(diag, INLAY_OVERFLOW, "the bytes between processors leave 64 bits");
            }
        }
    }
    return INLAY_OK;
}

int grid_check_pattern(const inlay_grid_pattern *pattern, int32_t processors, inlay_diag *diag)
{
    if (inlay_grid_communication_name(pattern->communication) == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "pattern %d is unknown; expected 0 to %d",
                         (int)pattern->communication, INLAY_GRID_OFFSETS);
    }
    bool rooted = pattern->communication == INLAY_GRID_BROADCAST || pattern->communication == INLAY_GRID_MULTICAST ||
                  pattern->communication == INLAY_GRID_REDUCTION;
    if (rooted && (pattern->root < 0 || pattern->root >= processors)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the root is processor %d; expected 0 to %d", (int)pattern->root,
                         (int)processors - 1);
    }
    if (pattern->communication == INLAY_GRID_MULTICAST &&
        (pattern->receivers < 0 || pattern->receivers >= processors)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a multicast goes to %d processors; expected 0 to %d",
                         (int)pattern->receivers, (int)processors - 1);
    }
    if (pattern->communication == INLAY_GRID_OFFSETS &&
        (pattern->offsets > INLAY_GRID_DIRECTIONS || (pattern->offsets > 0 && pattern->offset == NULL))) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a stencil has %zu offsets; expected at most %d", pattern->offsets,
                         INLAY_GRID_DIRECTIONS);
    }
    return pattern->communication == INLAY_GRID_RANDOM && pattern->bytes != NULL
               ? check_bytes(pattern->bytes, processors, diag)
               : INLAY_OK;
}

/* ---- Counters ---- */

int grid_counter_make(const inlay_decomposition *d, grid_visit visit, void *context, grid_counter *counter,
                      inlay_diag *diag)
{
    *counter = (grid_counter){.d = d, .visit = visit, .context = context};
    bool made = true;
    if (d->shape == GRID_UNITS) {
        made = grid_pairs_make(&counter->pairs, d->processors);
        if (made && d->units.turns > 0) {
            counter->histogram = memory_array((size_t)d->units.length, sizeof *counter->histogram);
            counter->scratch = memory_array((size_t)d->units.length, sizeof *counter->scratch);
            made = counter->histogram != NULL && counter->scratch != NULL;
        }
    } else {
        made = grid_tally_make(&counter->tally, d->processors);
        counter->stack = memory_array(2 * (size_t)d->processors + 1, sizeof *counter->stack);
        made = made && counter->stack != NULL;
    }
    return made ? INLAY_OK : diag_no_memory(diag);
}

void grid_counter_clear(grid_counter *counter)
{
    grid_tally_clear(&counter->tally);
    grid_pairs_clear(&counter->pairs);
    free(counter->stack);
    free(counter->histogram);
    free(counter->scratch);
    *counter = (grid_counter){0};
}

void grid_count_hand_out(grid_counter *counter, int32_t from, int32_t direction)
{
    grid_tally *t = &counter->tally;
    for (int32_t i = 0; i < t->count; i++) {
        if (t->touched[i] != from) {
            counter->visit(counter->context, from, t->touched[i], direction, t->sum[t->touched[i]]);
        }
    }
    grid_tally_reset(t);
}

int grid_count(grid_counter *counter, int32_t direction, const inlay_grid_offset *offset, inlay_diag *diag)
{
    switch (counter->d->shape) {
    case GRID_RECTANGLES: grid_count_rectangles(counter, direction, offset); return INLAY_OK;
    case GRID_RUNS: grid_count_runs(counter, direction, offset); return INLAY_OK;
    default: return grid_count_units(counter, direction, offset, diag);
    }
}

/* ---- Rectangles ---- */

typedef struct interval {
    int64_t begin, end;
} interval;

static int64_t around(int64_t x, int64_t length)
{
    int64_t rest = x % length;
    return rest < 0 ? rest + length : rest;
}

/* Where rows (or columns) begin .. end - 1 come to lie on an axis: up to two pieces; gives how many. */
static int shifted(int64_t begin, int64_t end, int64_t offset, int64_t length, bool bounded, interval piece[2])
{
    int64_t height = end - begin;
    if (bounded) {
        if (offset >= length || offset <= -length) {
            return 0;
        }
        piece[0].begin = begin + offset > 0 ? begin + offset : 0;
        piece[0].end = end + offset < length ? end + offset : length;
        return piece[0].begin < piece[0].end;
    }
    int64_t at = around(begin + around(offset, length), length);
    piece[0] = (interval){at, at + height < length ? at + height : length};
    piece[1] = (interval){0, at + height - length};
    return piece[1].end > 0 ? 2 : 1;
}

void grid_count_rectangles(grid_counter *counter, int32_t direction, const inlay_grid_offset *offset)
{
    const inlay_decomposition *d = counter->d;
    for (int32_t i = 0; i < d->processors; i++) {
        const inlay_grid_block *b = &d->tree.block[i];
        interval rows[2], columns[2], planes[2];
        if (d->cells[i] == 0) {
            continue;
        }
        int down = shifted(b->top, b->bottom, offset->down, d->summary.rows, d->bounded, rows);
        int across = shifted(b->left, b->right, offset->across, d->summary.columns, d->bounded, columns);
        int through = shifted(b->front, b->back, offset->through, d->summary.planes, d->bounded, planes);
        for (int n = 0; n < down * across * through; n++) {
            const interval *r = &rows[n % down], *c = &columns[n / down % across], *t = &planes[n / down / across];
            inlay_grid_block window = {r->begin, c->begin, r->end, c->end, t->begin, t->end};
            grid_tree_overlaps(&d->tree, &window, counter->stack, &counter->tally);
        }
        grid_count_hand_out(counter, i, direction);
    }
}

/* ---- Runs ---- */

/* The cells of a run in columns [left, right) go `shift` places on; over the edge they come around or are lost. */
static void count_shifted(grid_counter *counter, int32_t i, int64_t shift, int64_t left, int64_t right)
{
    const inlay_decomposition *d = counter->d;
    const grid_runs *runs = &d->runs;
    int64_t cells = runs->rows * runs->columns;
    int64_t begin = runs->start[i];
    int64_t end = runs->start[i + 1];
    if (d->bounded) {
        begin = begin + shift > 0 ? begin : -shift;
        end = end + shift < cells ? end : cells - shift;
        grid_runs_overlaps(runs, d->processors, begin, end, shift, left, right, &counter->tally);
        return;
    }
    shift = around(shift, cells);
    int64_t turn = cells - shift; /* from here on cells come around */
    int64_t middle = turn < begin ? begin : turn < end ? turn : end;
    grid_runs_overlaps(runs, d->processors, begin, middle, shift, left, right, &counter->tally);
    grid_runs_overlaps(runs, d->processors, middle, end, shift - cells, left, right, &counter->tally);
}

void grid_count_runs(grid_counter *counter, int32_t direction, const inlay_grid_offset *offset)
{
    const inlay_decomposition *d = counter->d;
    const grid_runs *runs = &d->runs;
    int64_t n = runs->columns;
    int64_t down = runs->down ? offset->across : offset->down;
    int64_t across = runs->down ? offset->down : offset->across;
    if (d->bounded && (down >= runs->rows || down <= -runs->rows || across >= n || across <= -n)) {
        return;
    }
    if (!d->bounded) {
        down = around(down, runs->rows);
        across = around(across, n);
    }
    for (int32_t i = 0; i < d->processors; i++) {
        /* columns whose neighbour is in the same row of the grid, then those that come around */
        int64_t left = across < 0 ? -across : 0;
        int64_t right = across < 0 ? n : n - across;
        count_shifted(counter, i, down * n + across, left, right);
        if (!d->bounded && across > 0) {
            count_shifted(counter, i, down * n + across - n, right, n);
        }
        grid_count_hand_out(counter, i, direction);
    }
}

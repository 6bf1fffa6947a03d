/* Units that are dealt out, in turn or by a table. */
#include "grid/grid.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/* ---- Units ---- */

static int64_t ceiling(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

static int check_unit(const inlay_grid_options *options, inlay_diag *diag)
{
    if (options->unit == INLAY_GRID_UNIT_BLOCK && (options->unit_rows < 1 || options->unit_columns < 1)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "units are blocks of %lld x %lld cells; expected 1 or more of each",
                         (long long)options->unit_rows, (long long)options->unit_columns);
    }
    return INLAY_OK;
}

/* The units of a method: `usual` where the options leave it open. */
static int cut_into_units(inlay_decomposition *d, const inlay_grid_options *options, inlay_grid_unit usual,
                          inlay_diag *diag)
{
    int status = grid_check_flat(d, diag);
    status = status == INLAY_OK ? check_unit(options, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    grid_units *u = &d->units;
    int64_t m = d->summary.rows;
    int64_t n = d->summary.columns;
    d->shape = GRID_UNITS;
    u->height = 1;
    u->width = 1;
    switch (options->unit == INLAY_GRID_UNIT_USUAL ? usual : options->unit) {
    case INLAY_GRID_UNIT_ROW: u->width = n; break;
    case INLAY_GRID_UNIT_COLUMN: u->height = m; break;
    case INLAY_GRID_UNIT_BLOCK:
        u->height = options->unit_rows < m ? options->unit_rows : m;
        u->width = options->unit_columns < n ? options->unit_columns : n;
        break;
    default: break;
    }
    u->down = ceiling(m, u->height);
    u->across = ceiling(n, u->width);
    return INLAY_OK;
}

int32_t grid_unit_owner(const grid_units *units, int64_t unit)
{
    if (units->turns == 0) {
        return grid_table_get(units, unit);
    }
    int64_t place = unit % units->length;
    int32_t low = 0;
    int32_t high = units->turns;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (units->turn[middle].begin <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (int32_t)((place - units->turn[low].begin) % units->turn[low].width);
}

/* ---- Interleaved ---- */

/* Turns in each pattern: s_i / s_min rounded half up, at least 1. Fast ranks come first, so that they fall. */
static int64_t credit(const int64_t *whole, int32_t processors, int32_t rank, bool alike)
{
    int64_t least = whole[processors - 1];
    return alike ? 1 : (2 * whole[rank] + least) / (2 * least);
}

int grid_make_interleaved(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options,
                          inlay_diag *diag)
{
    int status = cut_into_units(d, options, INLAY_GRID_UNIT_ROW, diag);
    if (status != INLAY_OK) {
        return status;
    }
    grid_units *u = &d->units;
    int32_t p = d->processors;
    u->turn = memory_array((size_t)p, sizeof *u->turn);
    if (u->turn == NULL) {
        return diag_no_memory(diag);
    }
    int64_t round = 0; /* that many are before */
    for (int32_t i = p - 1; i >= 0; i--) {
        int64_t turns = credit(whole, p, i, options->alike);
        if (turns > round) {
            u->turn[u->turns++] = (grid_turns){u->length, i + 1};
            u->length += (turns - round) * (i + 1);
            round = turns;
        }
    }
    int64_t units = u->down * u->across;
    u->length = u->length < units ? u->length : units;
    if (u->length > INLAY_GRID_PATTERN_LENGTH) {
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "the turns of these speeds begin anew after %lld units; expected at most %d to interleave",
                         (long long)u->length, INLAY_GRID_PATTERN_LENGTH);
    }
    return INLAY_OK;
}

/* ---- How often each place of the turns occurs ---- */

/*
 * Rows of units begin at places with a stride, which come around after `period` rows. Each covers `rest` places from
 * there on, as a circle, besides whole turns of all.
 */
static void mark_starts(const grid_units *units, const inlay_grid_block *of, int64_t rest, int64_t *mark)
{
    int64_t length = units->length;
    int64_t rows = grid_height(of);
    int64_t stride = units->across % length;
    int64_t first =
        (int64_t)(((grid_wide)of->top * (grid_wide)units->across + (grid_wide)of->left) % (grid_wide)length);
    int64_t period = 0;
    int64_t place = first;
    do { /* until the places come around, or the rows are over */
        period++;
        place = (place + stride) % length;
    } while (place != first && period < rows);
    place = first;
    for (int64_t row = 0; row < period; row++) {
        int64_t times = rows / period + (row < rows % period);
        mark[place] += times;
        if (place + rest < length) {
            mark[place + rest] -= times;
        } else {
            mark[0] += times;
            mark[place + rest - length] -= times;
        }
        place = (place + stride) % length;
    }
}

void grid_units_histogram(const grid_units *units, const inlay_grid_block *of, int64_t weight, int64_t *histogram,
                          int64_t *scratch)
{
    int64_t length = units->length;
    int64_t full = grid_width(of) / length;
    int64_t rest = grid_width(of) % length;
    memset(scratch, 0, (size_t)length * sizeof *scratch);
    if (rest > 0) {
        mark_starts(units, of, rest, scratch);
    }
    int64_t covered = full * grid_height(of);
    for (int64_t place = 0; place < length; place++) {
        covered += scratch[place];
        histogram[place] += covered * weight;
    }
}

/* ---- Tables ---- */

int32_t grid_table_get(const grid_units *units, int64_t unit)
{
    return grid_table_of(units->table, units->bytes, unit);
}

static inline void put(void *table, int bytes, int64_t unit, int32_t rank)
{
    switch (bytes) {
    case 1: ((uint8_t *)table)[unit] = (uint8_t)rank; break;
    case 2: ((uint16_t *)table)[unit] = (uint16_t)rank; break;
    default: ((int32_t *)table)[unit] = rank; break;
    }
}

static void grid_table_set(const grid_units *units, int64_t unit, int32_t rank)
{
    put(units->table, units->bytes, unit, rank);
}

/* What a table of all units needs. */
static int size_table(inlay_decomposition *d, inlay_diag *diag)
{
    grid_units *u = &d->units;
    int64_t units = u->down * u->across;
    if (units > INLAY_GRID_TABLE) {
        return diag_fail(diag, INLAY_NO_ANSWER, "%s needs a table of %lld units; expected at most %d",
                         inlay_grid_method_name(d->summary.method), (long long)units, INLAY_GRID_TABLE);
    }
    u->bytes = d->processors <= 1 << 8 ? 1 : d->processors <= 1 << 16 ? 2 : 4;
    return INLAY_OK;
}

/* From the end (Fisher and Yates). Where `bytes` is a constant, the loop is one without cases. */
static inline void shuffle_table(void *table, int bytes, int64_t units, uint64_t seed)
{
    for (int64_t last = units - 1; last > 0; last--) {
        int64_t other = (int64_t)grid_random_below(&seed, (uint64_t)last + 1);
        int32_t kept = grid_table_of(table, bytes, last);
        put(table, bytes, last, grid_table_of(table, bytes, other));
        put(table, bytes, other, kept);
    }
}

/* 0 .. 0 1 .. 1 .. in the shares, shuffled. */
static void shuffle(const grid_units *u, int32_t processors)
{
    int64_t unit = 0;
    for (int32_t i = 0; i < processors; i++) {
        for (int64_t n = 0; n < u->share[i]; n++) {
            grid_table_set(u, unit++, i);
        }
    }
    switch (u->bytes) {
    case 1: shuffle_table(u->table, 1, unit, u->seed); break;
    case 2: shuffle_table(u->table, 2, unit, u->seed); break;
    default: shuffle_table(u->table, 4, unit, u->seed); break;
    }
}

/* The units are not dealt out yet: their numbers are enough for most questions. */
int grid_make_scatter(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag)
{
    grid_units *u = &d->units;
    int status = cut_into_units(d, options, INLAY_GRID_UNIT_POINT, diag);
    status = status == INLAY_OK ? size_table(d, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    u->seed = options->seed;
    u->share = memory_array((size_t)d->processors, sizeof *u->share);
    return u->share != NULL ? grid_share(options->shares, u->down * u->across, d->processors, whole, u->share, diag)
                            : diag_no_memory(diag);
}

int grid_scatter_draw(inlay_decomposition *d, inlay_diag *diag)
{
    grid_units *u = &d->units;
    if (u->share == NULL || u->table != NULL) {
        return INLAY_OK;
    }
    u->table = memory_array((size_t)(u->down * u->across), (size_t)u->bytes);
    if (u->table == NULL) {
        return diag_no_memory(diag);
    }
    shuffle(u, d->processors);
    return INLAY_OK;
}

bool grid_scatter_is_plenty(const inlay_decomposition *d)
{
    enum { FEW_UNITS = 1 << 16, MEETINGS = 16 };
    const grid_units *u = &d->units;
    double units = (double)u->down * (double)u->across, least = units;
    for (int32_t i = 0; u->share != NULL && i < d->processors; i++) {
        least = (double)u->share[i] < least ? (double)u->share[i] : least;
    }
    return u->share != NULL && d->weights == NULL && units > FEW_UNITS && least * least >= MEETINGS * units &&
           d->summary.rows % u->height == 0 && d->summary.columns % u->width == 0;
}

int grid_make_map(inlay_decomposition *d, const int32_t *owner, inlay_diag *diag)
{
    int status = cut_into_units(d, &(inlay_grid_options){0}, INLAY_GRID_UNIT_POINT, diag);
    status = status == INLAY_OK ? size_table(d, diag) : status;
    int64_t cells = d->summary.rows * d->summary.columns;
    d->units.table = status == INLAY_OK ? memory_array((size_t)cells, (size_t)d->units.bytes) : NULL;
    status = status == INLAY_OK && d->units.table == NULL ? diag_no_memory(diag) : status;
    for (int64_t i = 0; i < cells && status == INLAY_OK; i++) {
        if (owner[i] < 0 || owner[i] >= d->processors) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "cell (%lld, %lld) belongs to processor %d; expected 0 to %d",
                             (long long)(i / d->summary.columns), (long long)(i % d->summary.columns), (int)owner[i],
                             (int)d->processors - 1);
        }
        grid_table_set(&d->units, i, d->rank[owner[i]]);
    }
    return status;
}

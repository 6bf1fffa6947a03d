/* A decomposition as an object: made by a method, asked for owners and pieces. */
#include "grid/grid.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

const char *inlay_grid_method_name(inlay_grid_method method)
{
    static const char *const names[INLAY_GRID_METHODS] = {
        "row", "column", "point",        "block",       "brbd",    "fbrd", "fbrd-alternate",
        "phd", "jagged", "column-based", "interleaved", "scatter", "best", "map"};
    return (unsigned)method < INLAY_GRID_METHODS ? names[method] : NULL;
}

/* ---- Making ---- */

void inlay_decomposition_free(inlay_decomposition *d)
{
    if (d != NULL) {
        free(d->order);
        free(d->rank);
        free(d->speed);
        free(d->curve);
        free(d->cells);
        free(d->load);
        grid_tree_clear(&d->tree);
        free(d->runs.start);
        free(d->units.turn);
        free(d->units.table);
        free(d->units.share);
        free(d);
    }
}

int grid_decomposition_make(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used,
                            inlay_grid_method method, inlay_decomposition **decomposition, inlay_diag *diag)
{
    size_t all = (size_t)machines->processors;
    inlay_decomposition *d = memory_zeroed(1, sizeof *d);
    if (d == NULL || !(d->order = memory_array(all, sizeof *d->order)) ||
        !(d->rank = memory_array(all, sizeof *d->rank)) || !(d->speed = memory_array((size_t)used, sizeof *d->speed)) ||
        !(d->cells = memory_zeroed((size_t)used, sizeof *d->cells)) ||
        (machines->curve != NULL && !(d->curve = memory_array((size_t)used, sizeof *d->curve)))) {
        inlay_decomposition_free(d);
        return diag_no_memory(diag);
    }
    d->summary = (inlay_decomposition_summary){.method = method,
                                               .rows = problem->rows,
                                               .columns = problem->columns,
                                               .planes = grid_problem_planes(problem),
                                               .processors = machines->processors};
    d->weights = machines->weights;
    d->total = (double)grid_problem_cells(problem);
    if (d->weights != NULL) {
        const inlay_grid_block whole = grid_whole(d);
        d->total = grid_weight(d->weights, &whole);
        d->load = memory_zeroed((size_t)used, sizeof *d->load);
        if (d->load == NULL) {
            inlay_decomposition_free(d);
            return diag_no_memory(diag);
        }
    }
    d->bounded = problem->bounded;
    d->item = problem->item;
    d->processors = used;
    for (size_t i = 0; i < all; i++) {
        d->order[i] = machines->order[i];
        d->rank[machines->order[i]] = (int32_t)i;
    }
    for (int32_t i = 0; i < used; i++) {
        d->speed[i] = machines->speed[i];
    }
    if (d->curve != NULL && machines->curve != NULL) {
        memcpy(d->curve, machines->curve, (size_t)used * sizeof *d->curve);
    }
    *decomposition = d;
    return INLAY_OK;
}

int grid_check_flat(const inlay_decomposition *d, inlay_diag *diag)
{
    return d->summary.planes == 1 ? INLAY_OK
                                  : diag_fail(diag, INLAY_NO_ANSWER, "%s cuts grids of two dimensions alone",
                                              inlay_grid_method_name(d->summary.method));
}

/* ---- Cells of each rank ---- */

static int count_in_turns(inlay_decomposition *d, inlay_diag *diag)
{
    grid_units *u = &d->units;
    size_t length = (size_t)u->length;
    int64_t *histogram = memory_zeroed(length, sizeof *histogram);
    int64_t *scratch = memory_array(length, sizeof *scratch);
    int status = histogram != NULL && scratch != NULL ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        int64_t heights[2] = {u->height, d->summary.rows - (u->down - 1) * u->height};
        int64_t widths[2] = {u->width, d->summary.columns - (u->across - 1) * u->width};
        for (int i = 0; i < 2; i++) { /* the last row and the last column of units may be smaller */
            for (int j = 0; j < 2; j++) {
                inlay_grid_block of = grid_flat(i == 0 ? 0 : u->down - 1, j == 0 ? 0 : u->across - 1,
                                                i == 0 ? u->down - 1 : u->down, j == 0 ? u->across - 1 : u->across);
                grid_units_histogram(u, &of, heights[i] * widths[j], histogram, scratch);
            }
        }
        for (int64_t place = 0; place < u->length; place++) {
            d->cells[grid_unit_owner(u, place)] += histogram[place];
        }
    }
    free(histogram);
    free(scratch);
    return status;
}

static void count_in_table(inlay_decomposition *d)
{
    const grid_units *u = &d->units;
    for (int32_t i = 0; u->table == NULL && i < d->processors; i++) {
        d->cells[i] = u->share[i] * u->height * u->width;
    }
    if (u->table == NULL) {
        return;
    }
    for (int64_t i = 0; i < u->down; i++) {
        int64_t bottom = (i + 1) * u->height < d->summary.rows ? (i + 1) * u->height : d->summary.rows;
        for (int64_t j = 0; j < u->across; j++) {
            int64_t right = (j + 1) * u->width < d->summary.columns ? (j + 1) * u->width : d->summary.columns;
            d->cells[grid_table_get(u, i * u->across + j)] += (bottom - i * u->height) * (right - j * u->width);
        }
    }
}

static int64_t lookup_bytes(const inlay_decomposition *d)
{
    const grid_tree *t = &d->tree;
    if (d->shape == GRID_RUNS) {
        return (int64_t)sizeof *d->runs.start * ((int64_t)d->processors + 1);
    }
    if (d->shape == GRID_UNITS) {
        return d->units.turns > 0 ? (int64_t)sizeof *d->units.turn * d->units.turns
                                  : (int64_t)d->units.bytes * d->units.down * d->units.across;
    }
    return (int64_t)sizeof *t->node * t->nodes +
           (t->bound != NULL ? (int64_t)sizeof *t->bound * ((int64_t)d->processors + 1) : 0);
}

/* What each rank's cells weigh; of units one by one. */
static int weigh(inlay_decomposition *d, inlay_diag *diag)
{
    const grid_units *u = &d->units;
    int64_t units = d->shape == GRID_UNITS ? u->down * u->across : 0;
    if (units > INLAY_GRID_TABLE) {
        return diag_fail(diag, INLAY_NO_ANSWER, "%s has %lld units to weigh; expected at most %d",
                         inlay_grid_method_name(d->summary.method), (long long)units, INLAY_GRID_TABLE);
    }
    for (int64_t i = 0; i < units; i++) {
        int64_t top = i / u->across * u->height, left = i % u->across * u->width;
        int64_t bottom = top + u->height, right = left + u->width;
        inlay_grid_block block = grid_flat(top, left, bottom < d->summary.rows ? bottom : d->summary.rows,
                                           right < d->summary.columns ? right : d->summary.columns);
        d->load[grid_unit_owner(u, i)] += grid_weight(d->weights, &block);
    }
    for (int32_t i = 0; i < d->processors && d->shape != GRID_UNITS; i++) {
        d->load[i] = d->shape == GRID_RECTANGLES ? grid_weight(d->weights, &d->tree.block[i])
                                                 : grid_weight_before(d->weights, d->runs.start[i + 1], d->runs.down) -
                                                       grid_weight_before(d->weights, d->runs.start[i], d->runs.down);
    }
    return INLAY_OK;
}

int grid_decomposition_finish(inlay_decomposition *d, inlay_diag *diag)
{
    int status = INLAY_OK;
    if (d->shape == GRID_UNITS && d->units.turns > 0) {
        status = count_in_turns(d, diag);
    } else if (d->shape == GRID_UNITS) {
        count_in_table(d);
    }
    d->summary.empty = d->summary.processors - d->processors;
    for (int32_t i = 0; i < d->processors && status == INLAY_OK; i++) {
        if (d->shape == GRID_RECTANGLES) {
            d->cells[i] = grid_cells(&d->tree.block[i]);
        } else if (d->shape == GRID_RUNS) {
            d->cells[i] = d->runs.start[i + 1] - d->runs.start[i];
        }
        d->summary.empty += d->cells[i] == 0;
    }
    d->summary.rectangles = d->shape == GRID_RECTANGLES;
    d->summary.lookup_bytes = lookup_bytes(d);
    return status == INLAY_OK && d->load != NULL ? weigh(d, diag) : status;
}

/* ---- Methods ---- */

typedef int (*make)(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);

static const make makers[INLAY_GRID_METHODS] = {[INLAY_GRID_ROW] = grid_make_strips,
                                                [INLAY_GRID_COLUMN] = grid_make_strips,
                                                [INLAY_GRID_POINT] = grid_make_runs,
                                                [INLAY_GRID_BLOCK] = grid_make_block,
                                                [INLAY_GRID_BRBD] = grid_make_brbd,
                                                [INLAY_GRID_FBRD] = grid_make_fbrd,
                                                [INLAY_GRID_FBRD_ALTERNATE] = grid_make_fbrd,
                                                [INLAY_GRID_PHD] = grid_make_phd,
                                                [INLAY_GRID_JAGGED] = grid_make_columns,
                                                [INLAY_GRID_COLUMN_BASED] = grid_make_columns,
                                                [INLAY_GRID_INTERLEAVED] = grid_make_interleaved,
                                                [INLAY_GRID_SCATTER] = grid_make_scatter};

static int check_options(inlay_grid_method method, const inlay_grid_options *options, inlay_diag *diag)
{
    if ((unsigned)method >= INLAY_GRID_METHODS || makers[method] == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "method %d makes no decomposition by itself; expected 0 to %d",
                         (int)method, INLAY_GRID_SCATTER);
    }
    if ((unsigned)options->shares > INLAY_GRID_CUMULATIVE) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "shares %d are unknown; expected 0 to %d", (int)options->shares,
                         INLAY_GRID_CUMULATIVE);
    }
    if ((unsigned)options->unit > INLAY_GRID_UNIT_BLOCK) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "unit %d is unknown; expected 0 to %d", (int)options->unit,
                         INLAY_GRID_UNIT_BLOCK);
    }
    return INLAY_OK;
}

/* With fewer processors each has more, and where speed is a curve another part of it. */
static int make_by_shares(inlay_decomposition *d, const grid_machines *machines, const int64_t *whole,
                          const inlay_grid_options *options, inlay_diag *diag)
{
    if (machines->curve == NULL || d->processors == machines->processors) {
        return makers[d->summary.method](d, whole, options, diag);
    }
    int64_t *shares = memory_array((size_t)d->processors, sizeof *shares);
    if (shares == NULL) {
        return diag_no_memory(diag);
    }
    int status = grid_curve_shares(d->curve, d->processors, (int64_t)d->total, shares, d->speed, diag);
    status = status == INLAY_OK ? makers[d->summary.method](d, shares, options, diag) : status;
    free(shares);
    return status;
}

static int make_one(const inlay_grid_problem *problem, const grid_machines *machines, const int64_t *whole,
                    int32_t used, inlay_grid_method method, const inlay_grid_options *options,
                    inlay_decomposition **decomposition, inlay_diag *diag)
{
    inlay_decomposition *d = NULL;
    int status = grid_decomposition_make(problem, machines, used, method, &d, diag);
    status = status == INLAY_OK ? make_by_shares(d, machines, whole, options, diag) : status;
    if (status == INLAY_OK && !grid_scatter_is_plenty(d)) {
        status = grid_scatter_draw(d, diag);
    }
    status = status == INLAY_OK ? grid_decomposition_finish(d, diag) : status;
    status = status == INLAY_OK ? grid_room_check(problem, d, diag) : status;
    if (status == INLAY_OK) {
        *decomposition = d;
    } else {
        inlay_decomposition_free(d);
    }
    return status;
}

/* Pieces are whole lines and cells: where that is too much for a host, once more with less of its room. */
static int make_within(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used,
                       inlay_grid_method method, const inlay_grid_options *options, inlay_decomposition **decomposition,
                       inlay_diag *diag)
{
    static const double parts[] = {1, 0.995, 0.98, 0.95, 0.9, 0.8};
    int status = INLAY_NO_ANSWER;
    int64_t *whole = memory_array((size_t)used, sizeof *whole);
    if (whole == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == INLAY_NO_ANSWER; i++) {
        diag_clear_error(diag);
        status = grid_room_speeds(problem, machines, used, parts[i], whole, diag);
        if (status != INLAY_OK) {
            break;
        }
        status = make_one(problem, machines, whole, used, method, options, decomposition, diag);
    }
    free(whole);
    return status;
}

int grid_decompose(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used,
                   inlay_grid_method method, const inlay_grid_options *options, inlay_decomposition **decomposition,
                   inlay_diag *diag)
{
    static const inlay_grid_options none = {0};
    options = options == NULL ? &none : options;
    int status = check_options(method, options, diag);
    if (status != INLAY_OK) {
        return status;
    }
    return problem->room != NULL
               ? make_within(problem, machines, used, method, options, decomposition, diag)
               : make_one(problem, machines, machines->whole, used, method, options, decomposition, diag);
}

int inlay_decompose(const inlay_grid_problem *problem, inlay_grid_method method, const inlay_grid_options *options,
                    inlay_decomposition **decomposition, inlay_diag *diag)
{
    DIAG_CALL(diag);
    grid_machines machines = {0};
    inlay_decomposition *d = NULL;
    int status = grid_machines_make(problem, &machines, diag);
    status = status == INLAY_OK ? grid_check_cells(problem, diag) : status;
    if (status == INLAY_OK) {
        status = grid_decompose(problem, &machines, problem->processors, method, options, &d, diag);
    }
    status = status == INLAY_OK ? grid_scatter_draw(d, diag) : status;
    if (status == INLAY_OK) {
        *decomposition = d;
    } else {
        inlay_decomposition_free(d);
    }
    grid_machines_clear(&machines);
    return status;
}

int inlay_decompose_map(const inlay_grid_problem *problem, const int32_t *owner, inlay_decomposition **decomposition,
                        inlay_diag *diag)
{
    DIAG_CALL(diag);
    grid_machines machines = {0};
    inlay_decomposition *d = NULL;
    int status = grid_machines_make(problem, &machines, diag);
    if (status == INLAY_OK) {
        status = grid_decomposition_make(problem, &machines, problem->processors, INLAY_GRID_MAP, &d, diag);
    }
    status = status == INLAY_OK ? grid_check_flat(d, diag) : status;
    status = status == INLAY_OK ? grid_make_map(d, owner, diag) : status;
    status = status == INLAY_OK ? grid_decomposition_finish(d, diag) : status;
    status = status == INLAY_OK ? grid_room_check(problem, d, diag) : status;
    status = status == INLAY_OK ? grid_find_boxes(d, diag) : status;
    if (status == INLAY_OK) {
        *decomposition = d;
    } else {
        inlay_decomposition_free(d);
    }
    grid_machines_clear(&machines);
    return status;
}

/* ---- Asking ---- */

int32_t inlay_decomposition_owner(const inlay_decomposition *d, int64_t row, int64_t column)
{
    return inlay_decomposition_owner_in(d, 0, row, column);
}

int32_t inlay_decomposition_owner_in(const inlay_decomposition *d, int64_t plane, int64_t row, int64_t column)
{
    const int64_t cell[] = {row, column, plane};
    if (row < 0 || row >= d->summary.rows || column < 0 || column >= d->summary.columns || plane < 0 ||
        plane >= d->summary.planes) {
        return -1;
    }
    int32_t rank = 0;
    switch (d->shape) {
    case GRID_RECTANGLES: rank = grid_tree_owner(&d->tree, cell); break;
    case GRID_RUNS: rank = grid_runs_owner(&d->runs, d->processors, row, column); break;
    default:
        if (d->units.turns == 0 && d->units.table == NULL) {
            return -1;
        }
        rank = grid_unit_owner(&d->units, row / d->units.height * d->units.across + column / d->units.width);
        break;
    }
    return d->order[rank];
}

/* Its rank; -1 where there is no such processor, or it is not used. */
static int32_t used_rank(const inlay_decomposition *d, int32_t processor)
{
    bool is_one = processor >= 0 && processor < d->summary.processors && d->rank[processor] < d->processors;
    return is_one ? d->rank[processor] : -1;
}

int64_t inlay_decomposition_cells(const inlay_decomposition *d, int32_t processor)
{
    int32_t rank = used_rank(d, processor);
    return rank < 0 ? 0 : d->cells[rank];
}

bool inlay_decomposition_block(const inlay_decomposition *d, int32_t processor, inlay_grid_block *block)
{
    int32_t rank = used_rank(d, processor);
    *block = d->summary.rectangles && rank >= 0 ? d->tree.block[rank] : (inlay_grid_block){0};
    return d->summary.rectangles;
}

const inlay_decomposition_summary *inlay_decomposition_summary_of(const inlay_decomposition *d)
{
    return &d->summary;
}

const int32_t *inlay_decomposition_order(const inlay_decomposition *d)
{
    return d->order;
}

/* Rectangles as a tree of cuts: building it, and finding the owners of a cell and of a window. */
#include "base/sorted.h"
#include "grid/grid.h"
#include "base/memory.h"
#include "grid/tally.h"
#include <stdlib.h>

bool grid_tree_make(grid_tree *tree, int32_t processors, bool strips)
{
    size_t p = (size_t)processors;
    *tree = (grid_tree){0};
    tree->block = memory_zeroed(p, sizeof *tree->block);
    tree->node = memory_array(strips ? 1 : 2 * p, sizeof *tree->node);
    tree->bound = strips ? memory_array(p + 1, sizeof *tree->bound) : NULL;
    return tree->block != NULL && tree->node != NULL && (tree->bound != NULL || !strips);
}

void grid_tree_clear(grid_tree *tree)
{
    free(tree->block);
    free(tree->node);
    free(tree->bound);
    *tree = (grid_tree){0};
}

/* ---- Building ---- */

int32_t grid_tree_leaf(grid_tree *tree, int32_t rank, inlay_grid_block region)
{
    if (grid_cells(&region) == 0) {
        region = (inlay_grid_block){0};
    }
    tree->block[rank] = region;
    return ~rank;
}

int32_t grid_tree_cut(grid_tree *tree, inlay_grid_block region, int axis, int64_t at)
{
    tree->node[tree->nodes] = (grid_node){.kind = GRID_CUT, .region = region, .axis = axis, .at = at};
    return tree->nodes++;
}

/* Numbers of parts whose product is k, as near to each other as can be, the larger ones along the longer axes. */
static void factor(const inlay_grid_block *region, int32_t k, int32_t parts[GRID_AXES])
{
    int32_t third = 1; /* along the shortest axis of three */
    for (int32_t a = 2; region->back - region->front > 1 && a <= k / a / a; a++) {
        third = k % a == 0 ? a : third;
    }
    int32_t second = grid_smaller_factor(k / third);
    int32_t factors[GRID_AXES] = {third, second, k / third / second};
    inlay_grid_block left = *region;
    if (second < third) {
        factors[0] = second;
        factors[1] = third;
    }
    for (int n = GRID_AXES - 1; n >= 0; n--) { /* the longest axis of those left, and then it is none */
        int axis = grid_longest(&left);
        parts[axis] = factors[n];
        left = grid_part(left, axis, grid_begin(&left, axis) - 1, 0);
    }
}

/* Where part i of n begins along an axis. */
static int64_t even_start(const inlay_grid_block *region, int axis, int32_t i, int32_t n)
{
    return grid_begin(region, axis) + grid_proportion(grid_length(region, axis), i, n - i);
}

int32_t grid_tree_even(grid_tree *tree, inlay_grid_block region, int32_t parts, int32_t first)
{
    grid_node *node = &tree->node[tree->nodes];
    *node = (grid_node){.kind = GRID_EVEN, .region = region, .first = first};
    factor(&region, parts, node->parts);
    for (int32_t n = 0; n < parts; n++) {
        const int32_t *k = node->parts;
        const int32_t at[GRID_AXES] = {n / k[GRID_ACROSS] % k[GRID_DOWN], n % k[GRID_ACROSS],
                                       n / k[GRID_ACROSS] / k[GRID_DOWN]};
        inlay_grid_block part = region;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            part = grid_part(part, axis, even_start(&region, axis, at[axis], k[axis]), 1);
            part = grid_part(part, axis, even_start(&region, axis, at[axis] + 1, k[axis]), 0);
        }
        grid_tree_leaf(tree, first + n, part);
    }
    return tree->nodes++;
}

void grid_tree_strips(grid_tree *tree, inlay_grid_block region, int axis, int32_t processors, const int64_t *share)
{
    int64_t at = 0;
    for (int32_t i = 0; i < processors; i++) {
        tree->bound[i] = at;
        inlay_grid_block strip = grid_part(region, axis, at, 1);
        at += share[i];
        grid_tree_leaf(tree, i, grid_part(strip, axis, at, 0));
    }
    tree->bound[processors] = at;
    tree->node[0] = (grid_node){.kind = GRID_STRIPS, .region = region, .axis = axis, .parts = {1, 1, 1}};
    tree->node[0].parts[axis] = processors;
    tree->nodes = 1;
    tree->root = 0;
}

/* ---- Cuts ---- */

/* Where a line across `length` leaves room for both lists beside `width` cells; false where there is none. */
static bool fit(int64_t length, int64_t width, const grid_sides *sides, int64_t *at)
{
    if (width == 0) {
        return false;
    }
    int64_t low = (sides->processors[0] + width - 1) / width;
    int64_t high = length - (sides->processors[1] + width - 1) / width;
    *at = *at < low ? low : *at > high ? high : *at;
    return low <= high;
}

int64_t grid_cut_at(const grid_weights *weights, const inlay_grid_block *region, const grid_sides *sides, int *axis)
{
    int dimensions = grid_dimensions(region);
    for (int turn = 0, across = *axis; turn < dimensions; turn++, across = (across + 1) % dimensions) {
        int64_t length = grid_length(region, across);
        int64_t at =
            grid_line_at(weights, region, across, sides->speed[0], sides->speed[1]) - grid_begin(region, across);
        if (length > 0 && fit(length, grid_cells(region) / length, sides, &at)) {
            *axis = across;
            return at + grid_begin(region, across);
        }
    }
    return grid_line_at(weights, region, *axis, sides->speed[0], sides->speed[1]);
}

/* ---- Owners ---- */

/* The last of `parts` even parts of `length` that begins at or before x: part i begins at (2 i L + k) div 2 k. */
static int32_t even_part(int64_t length, int32_t parts, int64_t x)
{
    grid_wide k = (grid_wide)parts;
    return (int32_t)((((grid_wide)x << 1) * k + k - 1) / ((grid_wide)length << 1));
}

/* The last strip that begins at or before x. */
static int32_t strip_of(const int64_t *bound, int32_t strips, int64_t x)
{
    return (int32_t)sorted_row(bound, strips, x);
}

int32_t grid_tree_owner(const grid_tree *tree, const int64_t cell[GRID_AXES])
{
    int32_t at = tree->root;
    while (at >= 0) {
        const grid_node *n = &tree->node[at];
        if (n->kind == GRID_CUT) {
            at = n->child[cell[n->axis] >= n->at];
        } else if (n->kind == GRID_STRIPS) {
            at = ~strip_of(tree->bound, n->parts[n->axis], cell[n->axis]);
        } else {
            int32_t part[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++) {
                part[axis] =
                    even_part(grid_length(&n->region, axis), n->parts[axis], cell[axis] - grid_begin(&n->region, axis));
            }
            at = ~(n->first + (part[GRID_THROUGH] * n->parts[GRID_DOWN] + part[GRID_DOWN]) * n->parts[GRID_ACROSS] +
                   part[GRID_ACROSS]);
        }
    }
    return ~at;
}

/* ---- Windows ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What two blocks have in common; some length of it may be 0 or less. */
static inlay_grid_block common(const inlay_grid_block *a, const inlay_grid_block *b)
{
    return (inlay_grid_block){larger(a->top, b->top),      larger(a->left, b->left),   smaller(a->bottom, b->bottom),
                              smaller(a->right, b->right), larger(a->front, b->front), smaller(a->back, b->back)};
}

static bool has_cells(const inlay_grid_block *b)
{
    return b->top < b->bottom && b->left < b->right && b->front < b->back;
}

static void add_leaf(const grid_tree *tree, const inlay_grid_block *window, int32_t rank, grid_tally *tally)
{
    inlay_grid_block in = common(window, &tree->block[rank]);
    if (has_cells(&in)) {
        grid_tally_add(tally, rank, grid_cells(&in));
    }
}

static void add_strips(const grid_tree *tree, const grid_node *n, const inlay_grid_block *window, grid_tally *tally)
{
    int32_t strips = n->parts[n->axis];
    int64_t end = grid_end(window, n->axis);
    int32_t i = strip_of(tree->bound, strips, grid_begin(window, n->axis));
    for (; i < strips && tree->bound[i] < end; i++) {
        add_leaf(tree, window, n->first + i, tally);
    }
}

/* The window has cells in the region, so that none of its lengths is 0. */
static void add_even(const grid_tree *tree, const grid_node *n, const inlay_grid_block *window, grid_tally *tally)
{
    inlay_grid_block in = common(window, &n->region);
    int32_t low[GRID_AXES], high[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int64_t start = grid_begin(&n->region, axis), length = grid_length(&n->region, axis);
        low[axis] = even_part(length, n->parts[axis], grid_begin(&in, axis) - start);
        high[axis] = even_part(length, n->parts[axis], grid_end(&in, axis) - 1 - start);
    }
    for (int32_t k = low[GRID_THROUGH]; k <= high[GRID_THROUGH]; k++) {
        for (int32_t i = low[GRID_DOWN]; i <= high[GRID_DOWN]; i++) {
            int32_t row = n->first + (k * n->parts[GRID_DOWN] + i) * n->parts[GRID_ACROSS];
            for (int32_t j = low[GRID_ACROSS]; j <= high[GRID_ACROSS]; j++) {
                add_leaf(tree, window, row + j, tally);
            }
        }
    }
}

void grid_tree_overlaps(const grid_tree *tree, const inlay_grid_block *window, int32_t *stack, grid_tally *tally)
{
    int32_t waiting = 1;
    stack[0] = tree->root;
    while (waiting > 0) {
        int32_t at = stack[--waiting];
        if (at < 0) {
            add_leaf(tree, window, ~at, tally);
            continue;
        }
        const grid_node *n = &tree->node[at];
        inlay_grid_block in = common(window, &n->region);
        if (!has_cells(&in)) {
            continue;
        }
        if (n->kind == GRID_STRIPS) {
            add_strips(tree, n, window, tally);
        } else if (n->kind == GRID_EVEN) {
            add_even(tree, n, window, tally);
        } else {
            if (grid_begin(window, n->axis) < n->at) {
                stack[waiting++] = n->child[0];
            }
            if (grid_end(window, n->axis) > n->at) {
                stack[waiting++] = n->child[1];
            }
        }
    }
}

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
    if (region.top == region.bottom || region.left == region.right) {
        region = (inlay_grid_block){0};
    }
    tree->block[rank] = region;
    return ~rank;
}

int32_t grid_tree_cut(grid_tree *tree, inlay_grid_block region, bool vertical, int64_t at)
{
    tree->node[tree->nodes] = (grid_node){.kind = GRID_CUT, .region = region, .vertical = vertical, .at = at};
    return tree->nodes++;
}

inlay_grid_block grid_part(inlay_grid_block region, bool vertical, int64_t at, int side)
{
    int64_t *end = vertical ? (side == 0 ? &region.right : &region.left) : (side == 0 ? &region.bottom : &region.top);
    *end = at;
    return region;
}

int32_t grid_tree_even(grid_tree *tree, inlay_grid_block region, int32_t rows, int32_t columns, int32_t first)
{
    for (int32_t i = 0; i < rows; i++) {
        for (int32_t j = 0; j < columns; j++) {
            inlay_grid_block part = {region.top + grid_proportion(grid_height(&region), i, rows - i),
                                     region.left + grid_proportion(grid_width(&region), j, columns - j),
                                     region.top + grid_proportion(grid_height(&region), i + 1, rows - i - 1),
                                     region.left + grid_proportion(grid_width(&region), j + 1, columns - j - 1)};
            grid_tree_leaf(tree, first + i * columns + j, part);
        }
    }
    tree->node[tree->nodes] =
        (grid_node){.kind = GRID_EVEN, .region = region, .first = first, .rows = rows, .columns = columns};
    return tree->nodes++;
}

void grid_tree_strips(grid_tree *tree, inlay_grid_block region, bool vertical, int32_t processors, const int64_t *share)
{
    int64_t at = 0;
    for (int32_t i = 0; i < processors; i++) {
        tree->bound[i] = at;
        inlay_grid_block strip = grid_part(region, vertical, at, 1);
        at += share[i];
        grid_tree_leaf(tree, i, grid_part(strip, vertical, at, 0));
    }
    tree->bound[processors] = at;
    tree->node[0] = (grid_node){.kind = GRID_STRIPS,
                                .region = region,
                                .vertical = vertical,
                                .rows = vertical ? 1 : processors,
                                .columns = vertical ? processors : 1};
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

int64_t grid_cut_at(const inlay_grid_block *region, const grid_sides *sides, bool *vertical)
{
    for (int turn = 0; turn < 2; turn++) {
        bool across = turn == 0 ? *vertical : !*vertical;
        int64_t length = across ? grid_width(region) : grid_height(region);
        int64_t width = across ? grid_height(region) : grid_width(region);
        int64_t at = grid_proportion(length, sides->speed[0], sides->speed[1]);
        if (fit(length, width, sides, &at)) {
            *vertical = across;
            return at + (across ? region->left : region->top);
        }
    }
    return *vertical ? region->left + grid_proportion(grid_width(region), sides->speed[0], sides->speed[1])
                     : region->top + grid_proportion(grid_height(region), sides->speed[0], sides->speed[1]);
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

int32_t grid_tree_owner(const grid_tree *tree, int64_t row, int64_t column)
{
    int32_t at = tree->root;
    while (at >= 0) {
        const grid_node *n = &tree->node[at];
        if (n->kind == GRID_CUT) {
            at = n->child[(n->vertical ? column : row) >= n->at];
        } else if (n->kind == GRID_STRIPS) {
            at = ~strip_of(tree->bound, n->vertical ? n->columns : n->rows, n->vertical ? column : row);
        } else {
            int32_t i = even_part(grid_height(&n->region), n->rows, row - n->region.top);
            int32_t j = even_part(grid_width(&n->region), n->columns, column - n->region.left);
            at = ~(n->first + i * n->columns + j);
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

static void add_leaf(const grid_tree *tree, const inlay_grid_block *window, int32_t rank, grid_tally *tally)
{
    const inlay_grid_block *block = &tree->block[rank];
    int64_t rows = smaller(window->bottom, block->bottom) - larger(window->top, block->top);
    int64_t columns = smaller(window->right, block->right) - larger(window->left, block->left);
    if (rows > 0 && columns > 0) {
        grid_tally_add(tally, rank, rows * columns);
    }
}

static void add_strips(const grid_tree *tree, const grid_node *n, const inlay_grid_block *window, grid_tally *tally)
{
    int32_t strips = n->vertical ? n->columns : n->rows;
    int64_t end = n->vertical ? window->right : window->bottom;
    int32_t i = strip_of(tree->bound, strips, n->vertical ? window->left : window->top);
    for (; i < strips && tree->bound[i] < end; i++) {
        add_leaf(tree, window, n->first + i, tally);
    }
}

/* The window has cells in the region, so that none of its lengths is 0. */
static void add_even(const grid_tree *tree, const grid_node *n, const inlay_grid_block *window, grid_tally *tally)
{
    const inlay_grid_block *r = &n->region;
    int64_t height = grid_height(r);
    int64_t width = grid_width(r);
    int32_t top = even_part(height, n->rows, larger(window->top, r->top) - r->top);
    int32_t bottom = even_part(height, n->rows, smaller(window->bottom, r->bottom) - 1 - r->top);
    int32_t left = even_part(width, n->columns, larger(window->left, r->left) - r->left);
    int32_t right = even_part(width, n->columns, smaller(window->right, r->right) - 1 - r->left);
    for (int32_t i = top; i <= bottom; i++) {
        for (int32_t j = left; j <= right; j++) {
            add_leaf(tree, window, n->first + i * n->columns + j, tally);
        }
    }
}

static bool is_apart(const inlay_grid_block *a, const inlay_grid_block *b)
{
    return larger(a->top, b->top) >= smaller(a->bottom, b->bottom) ||
           larger(a->left, b->left) >= smaller(a->right, b->right);
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
        if (is_apart(&n->region, window)) {
            continue;
        }
        if (n->kind == GRID_STRIPS) {
            add_strips(tree, n, window, tally);
        } else if (n->kind == GRID_EVEN) {
            add_even(tree, n, window, tally);
        } else {
            if ((n->vertical ? window->left : window->top) < n->at) {
                stack[waiting++] = n->child[0];
            }
            if ((n->vertical ? window->right : window->bottom) > n->at) {
                stack[waiting++] = n->child[1];
            }
        }
    }
}

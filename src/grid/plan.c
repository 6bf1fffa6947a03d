/* Plans of rectangles: from trees and to trees. */
#include "grid/plan.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

bool grid_plan_make(grid_plan *plan, int32_t processors, int dimensions)
{
    *plan = (grid_plan){.processors = processors, .dimensions = dimensions};
    plan->cut = memory_array((size_t)processors, sizeof *plan->cut);
    return plan->cut != NULL;
}

void grid_plan_clear(grid_plan *plan)
{
    free(plan->cut);
    *plan = (grid_plan){0};
}

void grid_plan_copy(const grid_plan *from, grid_plan *to)
{
    to->root = from->root;
    to->cuts = from->cuts;
    memcpy(to->cut, from->cut, (size_t)from->cuts * sizeof *to->cut);
}

/* What is still to be taken over: a node or leaf of the tree, of even parts and strips some of the parts. */
typedef struct grid_plan_task {
    int32_t cut, side;      /* whose child it becomes; cut NONE: the root */
    int32_t at;             /* as a child of the tree */
    inlay_grid_block parts; /* of nodes that are no cuts */
} task;

bool grid_builder_make(grid_builder *builder, int32_t processors, const int64_t *whole)
{
    size_t p = (size_t)processors;
    *builder = (grid_builder){.whole = whole};
    builder->order = memory_array(p, sizeof *builder->order);
    builder->sides = memory_array(p, sizeof *builder->sides);
    builder->region = memory_array(p, sizeof *builder->region);
    builder->task = memory_array(p + 1, sizeof *builder->task);
    return builder->order != NULL && builder->sides != NULL && builder->region != NULL && builder->task != NULL;
}

void grid_builder_clear(grid_builder *builder)
{
    free(builder->order);
    free(builder->sides);
    free(builder->region);
    free(builder->task);
    *builder = (grid_builder){0};
}

/* ---- To a tree ---- */

/* Each cut before those in it. */
static void put_in_order(const grid_plan *plan, int32_t *order)
{
    int32_t known = 0;
    if (plan->root >= 0) {
        order[known++] = plan->root;
    }
    for (int32_t i = 0; i < known; i++) {
        for (int side = 0; side < 2; side++) {
            int32_t child = plan->cut[order[i]].child[side];
            if (child >= 0) {
                order[known++] = child;
            }
        }
    }
}

/* Sums of speeds and of processors on both sides of every cut. */
static void sum_sides(const grid_plan *plan, const grid_builder *builder)
{
    for (int32_t i = plan->cuts - 1; i >= 0; i--) {
        int32_t cut = builder->order[i];
        for (int side = 0; side < 2; side++) {
            int32_t child = plan->cut[cut].child[side];
            grid_sides *of = &builder->sides[cut];
            if (child >= 0) {
                const grid_sides *s = &builder->sides[child];
                of->speed[side] = s->speed[0] + s->speed[1];
                of->processors[side] = s->processors[0] + s->processors[1];
            } else {
                of->speed[side] = builder->whole[~child];
                of->processors[side] = 1;
            }
        }
    }
}

/* A line that leaves room for the processors on both sides; false where there is none. */
static bool place_line(const grid_weights *weights, const inlay_grid_block *region, const grid_plan_cut *cut,
                       const grid_sides *sides, int64_t *at)
{
    int64_t length = grid_length(region, cut->axis);
    int64_t width = grid_cells(region) / length;
    int64_t low = (sides->processors[0] + width - 1) / width;
    int64_t high = length - (sides->processors[1] + width - 1) / width;
    int64_t line = grid_line_at(weights, region, cut->axis, sides->speed[0], sides->speed[1]) -
                   grid_begin(region, cut->axis) + cut->offset;
    line = line < low ? low : line > high ? high : line;
    *at = line + grid_begin(region, cut->axis);
    return low <= high;
}

static void add_leaf(inlay_decomposition *d, int32_t rank, inlay_grid_block region)
{
    grid_tree_leaf(&d->tree, rank, region);
    d->cells[rank] = grid_cells(&region);
    if (d->load != NULL) {
        d->load[rank] = grid_weight(d->weights, &region);
    }
}

bool grid_plan_build(const grid_plan *plan, grid_builder *builder, inlay_decomposition *d)
{
    d->tree.nodes = plan->cuts; /* a cut has the same number in both */
    d->tree.root = plan->root;
    if (plan->root < 0) {
        add_leaf(d, ~plan->root, grid_whole(d));
        return true;
    }
    put_in_order(plan, builder->order);
    sum_sides(plan, builder);
    builder->region[plan->root] = grid_whole(d);
    for (int32_t i = 0; i < plan->cuts; i++) {
        int32_t number = builder->order[i];
        const grid_plan_cut *cut = &plan->cut[number];
        inlay_grid_block region = builder->region[number];
        int64_t at = 0;
        if (!place_line(d->weights, &region, cut, &builder->sides[number], &at)) {
            return false;
        }
        d->tree.node[number] = (grid_node){
            .kind = GRID_CUT, .region = region, .axis = cut->axis, .at = at, .child = {cut->child[0], cut->child[1]}};
        for (int side = 0; side < 2; side++) {
            inlay_grid_block part = grid_part(region, cut->axis, at, side);
            if (cut->child[side] >= 0) {
                builder->region[cut->child[side]] = part;
            } else {
                add_leaf(d, ~cut->child[side], part);
            }
        }
    }
    return true;
}

/* ---- From a tree ---- */

/* Cuts are added with where their line is in `offset`; grid_plan_of() puts the offset there in the end. */
static int32_t add_cut(grid_plan *plan, int axis, int64_t at)
{
    plan->cut[plan->cuts] = (grid_plan_cut){.axis = axis, .offset = at};
    return plan->cuts++;
}

enum { NONE = -1 };

static task task_for(const grid_tree *tree, int32_t cut, int32_t side, int32_t at)
{
    task t = {.cut = cut, .side = side, .at = at};
    if (at >= 0) {
        const int32_t *parts = tree->node[at].parts;
        t.parts = (inlay_grid_block){0, 0, parts[GRID_DOWN], parts[GRID_ACROSS], 0, parts[GRID_THROUGH]};
    }
    return t;
}

/* The rank of the first of some parts. */
static int32_t part_at(const grid_node *n, const inlay_grid_block *parts)
{
    return n->first +
           (int32_t)((parts->front * n->parts[GRID_DOWN] + parts->top) * n->parts[GRID_ACROSS] + parts->left);
}

/* Halves parts of even parts, or of strips; gives the cut. */
static int32_t halve(grid_plan *plan, const grid_tree *tree, const task *t, task half[2])
{
    const grid_node *n = &tree->node[t->at];
    const inlay_grid_block *parts = &t->parts;
    int axis = grid_length(parts, GRID_THROUGH) > 1 ? GRID_THROUGH
               : grid_length(parts, GRID_DOWN) > 1  ? GRID_DOWN
                                                    : GRID_ACROSS;
    int64_t middle = (grid_begin(parts, axis) + grid_end(parts, axis)) / 2;
    inlay_grid_block second = grid_part(*parts, axis, middle, 1);
    int32_t cut = add_cut(plan, axis, grid_begin(&tree->block[part_at(n, &second)], axis));
    for (int side = 0; side < 2; side++) {
        half[side] = (task){cut, side, t->at, grid_part(*parts, axis, middle, side)};
    }
    return cut;
}

/* A task becomes a leaf, or a cut with two tasks on the stack, the first one on top. */
static int32_t take_over(grid_plan *plan, const grid_tree *tree, const task *t, task *stack, int32_t *waiting)
{
    task half[2];
    if (t->at < 0) {
        return t->at;
    }
    const grid_node *n = &tree->node[t->at];
    int32_t cut;
    if (n->kind == GRID_CUT) {
        cut = add_cut(plan, n->axis, n->at);
        half[0] = task_for(tree, cut, 0, n->child[0]);
        half[1] = task_for(tree, cut, 1, n->child[1]);
    } else if (grid_cells(&t->parts) == 1) {
        return ~part_at(n, &t->parts);
    } else {
        cut = halve(plan, tree, t, half);
    }
    stack[(*waiting)++] = half[1];
    stack[(*waiting)++] = half[0];
    return cut;
}

/* All of a tree, each cut before those in it. */
static void add_tree(grid_plan *plan, const grid_tree *tree, task *stack)
{
    int32_t waiting = 1;
    stack[0] = task_for(tree, NONE, 0, tree->root);
    while (waiting > 0) {
        task t = stack[--waiting];
        int32_t child = take_over(plan, tree, &t, stack, &waiting);
        *(t.cut == NONE ? &plan->root : &plan->cut[t.cut].child[t.side]) = child;
    }
}

void grid_plan_of(const inlay_decomposition *d, grid_builder *builder, grid_plan *plan)
{
    plan->cuts = 0;
    add_tree(plan, &d->tree, builder->task);
    put_in_order(plan, builder->order);
    sum_sides(plan, builder);
    if (plan->root >= 0) {
        builder->region[plan->root] = grid_whole(d);
    }
    for (int32_t i = 0; i < plan->cuts; i++) {
        int32_t number = builder->order[i];
        grid_plan_cut *cut = &plan->cut[number];
        inlay_grid_block region = builder->region[number];
        const grid_sides *s = &builder->sides[number];
        for (int side = 0; side < 2; side++) {
            if (cut->child[side] >= 0) {
                builder->region[cut->child[side]] = grid_part(region, cut->axis, cut->offset, side);
            }
        }
        cut->offset -= grid_line_at(d->weights, &region, cut->axis, s->speed[0], s->speed[1]);
    }
}

/* Grids of blocks in one to three dimensions: stencils that are swept again and again, wavefronts that cross once. */
#include "graph/generate.h"

/* Blocks are so small that their bytes can be counted: 8 tile^3 <= 2^51. */
#define BLOCK_RANGE                                                                                                    \
    {                                                                                                                  \
        1, 64, INT64_C(1) << 16                                                                                        \
    }

static double power(double base, int64_t exponent)
{
    double product = 1;
    for (; exponent > 0; exponent--) {
        product *= base;
    }
    return product;
}

/* A place in the grid: coordinates, and how far apart neighbours are numbered. The last coordinate runs fastest. */
typedef struct grid {
    int dimensions;
    int64_t side;
    int64_t at[3];
    int64_t stride[3];
} grid;

static grid grid_of(const inlay_generator_options *o)
{
    grid g = {.dimensions = (int)o->sizes[INLAY_SIZE_DIMENSIONS], .side = o->sizes[INLAY_SIZE_SIZE]};
    int64_t stride = 1;
    for (int d = g.dimensions - 1; d >= 0; d--) {
        g.stride[d] = stride;
        stride *= g.side;
    }
    return g;
}

/* On to the next place; false behind the last one, which leads back to the first. */
static bool grid_next(grid *g)
{
    for (int d = g->dimensions - 1; d >= 0; d--) {
        if (++g->at[d] < g->side) {
            return true;
        }
        g->at[d] = 0;
    }
    return false;
}

/* Bytes of a block, and of the face that it shows to a neighbour. */
typedef struct block {
    double points;
    int64_t bytes, face;
} block;

static block block_of(const inlay_generator_options *o)
{
    double side = (double)o->sizes[INLAY_SIZE_TILE];
    int64_t dimensions = o->sizes[INLAY_SIZE_DIMENSIONS];
    double points = power(side, dimensions);
    return (block){points, 8 * (int64_t)points, 8 * (int64_t)power(side, dimensions - 1)};
}

/* ---- Stencil ---- */

static const task_type stencil_types[] = {{"s", NULL}};

static graph_counts count_stencil(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_SIZE];
    double steps = (double)o->sizes[INLAY_SIZE_STEPS];
    int64_t d = o->sizes[INLAY_SIZE_DIMENSIONS];
    double neighbours = 2 * (double)d * power(n, d - 1) * (n - 1);
    return (graph_counts){steps * power(n, d), (steps - 1) * (power(n, d) + neighbours)};
}

/* The block itself and its neighbours one step before, `before` being the block. */
static void link_neighbours(sketch *s, const grid *g, inlay_id before, const block *size)
{
    for (int d = 0; d < g->dimensions; d++) {
        if (g->at[d] > 0) {
            sketch_link(s, before - (inlay_id)g->stride[d], size->face);
        }
    }
    sketch_link(s, before, size->bytes);
    for (int d = g->dimensions - 1; d >= 0; d--) {
        if (g->at[d] + 1 < g->side) {
            sketch_link(s, before + (inlay_id)g->stride[d], size->face);
        }
    }
}

/* Every point is a weighted sum of itself and its neighbours: 2 d + 1 products, 2 d sums. */
static void draw_stencil(sketch *s, const inlay_generator_options *o)
{
    block size = block_of(o);
    grid g = grid_of(o);
    double work = size.points * (4 * g.dimensions + 1);
    inlay_id blocks = (inlay_id)power((double)g.side, g.dimensions);
    for (int64_t step = 0; step < o->sizes[INLAY_SIZE_STEPS] && !s->failed; step++) {
        do {
            task_index index = {g.dimensions + 1, {step, g.at[0], g.at[1], g.at[2]}};
            inlay_id module = sketch_module(s, 0, work, index);
            if (step > 0) {
                link_neighbours(s, &g, module - blocks, &size);
            }
        } while (grid_next(&g));
    }
}

const generator stencil_generator = {
    .offer = {.name = "stencil",
              .summary = "a grid of blocks, each updated from itself and its neighbours in every step",
              .modules = "steps size^dimensions",
              .links = "(steps - 1) (size^dimensions + 2 dimensions size^(dimensions - 1) (size - 1))",
              .sizes = {[INLAY_SIZE_SIZE] = {1, 8, INT32_MAX},
                        [INLAY_SIZE_DIMENSIONS] = {1, 2, 3},
                        [INLAY_SIZE_STEPS] = {1, 10, INT32_MAX},
                        [INLAY_SIZE_TILE] = BLOCK_RANGE},
              .density = -1},
    .types = stencil_types,
    .type_count = 1,
    .counted = true,
    .count = count_stencil,
    .draw = draw_stencil,
};

/* ---- Wavefront ---- */

static const task_type wavefront_types[] = {{"w", NULL}};

static graph_counts count_wavefront(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_SIZE];
    int64_t d = o->sizes[INLAY_SIZE_DIMENSIONS];
    return (graph_counts){power(n, d), (double)d * power(n, d - 1) * (n - 1)};
}

/* Every point takes a product and a sum for each of the d points before it. */
static void draw_wavefront(sketch *s, const inlay_generator_options *o)
{
    block size = block_of(o);
    grid g = grid_of(o);
    double work = size.points * 2 * g.dimensions;
    do {
        inlay_id module = sketch_module(s, 0, work, (task_index){g.dimensions, {g.at[0], g.at[1], g.at[2]}});
        for (int d = 0; d < g.dimensions; d++) {
            if (g.at[d] > 0) {
                sketch_link(s, module - (inlay_id)g.stride[d], size.face);
            }
        }
    } while (grid_next(&g) && !s->failed);
}

const generator wavefront_generator = {
    .offer = {.name = "wavefront",
              .summary = "a grid of blocks, each after its lower neighbour in every dimension",
              .modules = "size^dimensions",
              .links = "dimensions size^(dimensions - 1) (size - 1)",
              .sizes = {[INLAY_SIZE_SIZE] = {1, 8, INT32_MAX},
                        [INLAY_SIZE_DIMENSIONS] = {1, 2, 3},
                        [INLAY_SIZE_TILE] = BLOCK_RANGE},
              .density = -1},
    .types = wavefront_types,
    .type_count = 1,
    .counted = true,
    .count = count_wavefront,
    .draw = draw_wavefront,
};

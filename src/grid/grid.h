/*
 * Grid decompositions inside. Processors have ranks here: their places in the order by falling speed, equal ones in the
 * order given. Ranks become the caller's numbers in grid_decomposition.c and where messages are handed out.
 */
#ifndef GRID_GRID_H
#define GRID_GRID_H

#include <inlay/decompose.h>

/** Products of lengths and sums of speeds. */
__extension__ typedef unsigned __int128 grid_wide;

/* ---- Machines: grid_machines.c ---- */

typedef struct grid_machines {
    int32_t processors; /**< p */
    int32_t *order;     /**< rank to caller's number */
    double *speed;      /**< by rank, falling */
    int64_t *whole;     /**< the same as whole numbers to one scale, at most 2^40; exact where few decimals allow it */
    inlay_curve *curve; /**< by rank, whose shares are the speeds then; NULL: there are none */
} grid_machines;

/** Checks the problem, but for more processors than cells; cleared with grid_machines_clear(), also after a failure. */
int grid_machines_make(const inlay_grid_problem *problem, grid_machines *machines, inlay_diag *diag);
void grid_machines_clear(grid_machines *machines);

/** By curves: how many of so many cells each of the first `used` ranks gets, 1 at least, and how fast it is with them. */
int grid_curve_shares(const inlay_curve *curve, int32_t used, int64_t cells, int64_t *whole, double *speed,
                      inlay_diag *diag);

/** INLAY_BAD_ARGUMENT where there are more processors than cells. */
int grid_check_cells(const inlay_grid_problem *problem, inlay_diag *diag);

/* ---- Shares: grid_shares.c ---- */

/** Shares `count` things out to `processors` of falling speeds. */
int grid_share(inlay_grid_shares rule, int64_t count, int32_t processors, const int64_t *whole, int64_t *share,
               inlay_diag *diag);

/** L S1 / (S1 + S2), rounded half up: where a length is cut for two sums of speeds. */
int64_t grid_proportion(int64_t length, int64_t first, int64_t second);

/* ---- Rectangles: grid_tree.c ---- */

typedef enum grid_node_kind { GRID_CUT, GRID_STRIPS, GRID_EVEN } grid_node_kind;

/** A region that is cut. Children are nodes, or ~rank for a processor. */
typedef struct grid_node {
    grid_node_kind kind;
    inlay_grid_block region;
    bool vertical;         /**< CUT, STRIPS: the lines between the parts are vertical */
    int64_t at;            /**< CUT: first row or column of the second part */
    int32_t child[2];      /**< CUT */
    int32_t first;         /**< STRIPS, EVEN: rank of the first part; the others follow in reading order */
    int32_t rows, columns; /**< EVEN: parts; STRIPS: rows x 1 or 1 x columns */
} grid_node;

typedef struct grid_tree {
    grid_node *node;
    int32_t nodes;
    int32_t root; /**< as a child */
    int64_t
        *bound; /**< STRIPS: where the parts begin, and where the last one ends. At most one node is STRIPS, the root */
    inlay_grid_block *block; /**< by rank */
} grid_tree;

/** Room for p processors; false without memory. Cleared with grid_tree_clear(). */
bool grid_tree_make(grid_tree *tree, int32_t processors, bool strips);
void grid_tree_clear(grid_tree *tree);

/** Gives a region to a rank; returns it as a child. */
int32_t grid_tree_leaf(grid_tree *tree, int32_t rank, inlay_grid_block region);

/** Cuts a region in two, whose parts are told by grid_part(); the children are to be set. Returns it as a child. */
int32_t grid_tree_cut(grid_tree *tree, inlay_grid_block region, bool vertical, int64_t at);

/** rows x columns parts, as even as whole cells allow, for ranks from `first` on. Returns it as a child. */
int32_t grid_tree_even(grid_tree *tree, inlay_grid_block region, int32_t rows, int32_t columns, int32_t first);

/** The first (0) or second (1) part of a cut. */
inlay_grid_block grid_part(inlay_grid_block region, bool vertical, int64_t at, int side);

/** The whole grid in strips of the shares. */
void grid_tree_strips(grid_tree *tree, inlay_grid_block region, bool vertical, int32_t processors,
                      const int64_t *share);

int32_t grid_tree_owner(const grid_tree *tree, int64_t row, int64_t column);

/** Ranks that get cells of `window`, with how many: adds to `tally`. `stack` has room for tree->nodes + 1 entries. */
struct grid_tally;
void grid_tree_overlaps(const grid_tree *tree, const inlay_grid_block *window, int32_t *stack,
                        struct grid_tally *tally);

static inline int64_t grid_height(const inlay_grid_block *block)
{
    return block->bottom - block->top;
}

static inline int64_t grid_width(const inlay_grid_block *block)
{
    return block->right - block->left;
}

static inline bool grid_is_tall(const inlay_grid_block *block)
{
    return grid_height(block) > grid_width(block);
}

/**
 * A cut for two lists of processors: their sums of speeds and their numbers. Where the parts would be too small for
 * them, the cut moves, then turns; where nothing helps it stays, and blocks will be empty.
 */
typedef struct grid_sides {
    int64_t speed[2];
    int64_t processors[2];
} grid_sides;
int64_t grid_cut_at(const inlay_grid_block *region, const grid_sides *sides, bool *vertical);

/* ---- Runs: grid_runs.c ---- */

typedef struct grid_runs {
    int64_t rows, columns; /**< of the grid, turned where runs go down */
    bool down;
    int64_t *start; /**< by rank, and the number of cells */
} grid_runs;

int32_t grid_runs_owner(const grid_runs *runs, int32_t processors, int64_t row, int64_t column);

/**
 * Ranks that have cells x + shift for the cells x from `begin` to before `end` whose column is in [left, right): adds
 * to `tally`. All x + shift must lie in the grid.
 */
void grid_runs_overlaps(const grid_runs *runs, int32_t processors, int64_t begin, int64_t end, int64_t shift,
                        int64_t left, int64_t right, struct grid_tally *tally);

/* ---- Units: grid_units.c ---- */

/** Turns of an interleaving from `begin` on in which the ranks below `width` take part. */
typedef struct grid_turns {
    int64_t begin;
    int32_t width;
} grid_turns;

/** Units of height x width cells in reading order; `across` of them beside each other. */
typedef struct grid_units {
    int64_t height, width, down, across;
    int32_t turns; /**< INTERLEAVED: groups of turns; 0: a table */
    grid_turns *turn;
    int64_t length; /**< INTERLEAVED: units up to where the turns begin anew, or all where those are fewer */
    void *table;    /**< SCATTER, MAP: rank of each unit in `bytes` bytes */
    int32_t bytes;
} grid_units;

int32_t grid_unit_owner(const grid_units *units, int64_t unit);

/** The rank of entry `unit` of a table. */
int32_t grid_table_get(const grid_units *units, int64_t unit);

/** The same of entries of so many bytes: for loops over many of them, where `bytes` is a constant. */
static inline int32_t grid_table_of(const void *table, int bytes, int64_t unit)
{
    switch (bytes) {
    case 1: return ((const uint8_t *)table)[unit];
    case 2: return ((const uint16_t *)table)[unit];
    default: return ((const int32_t *)table)[unit];
    }
}

/** How many units, of `weight` each, of rows [top, bottom) and columns [left, right) of units stand at each place of
    the turns: adds to histogram[length]. `scratch` has room for as many. */
void grid_units_histogram(const grid_units *units, const inlay_grid_block *of, int64_t weight, int64_t *histogram,
                          int64_t *scratch);

/* ---- Decompositions: grid_decomposition.c ---- */

typedef enum grid_shape { GRID_RECTANGLES, GRID_RUNS, GRID_UNITS } grid_shape;

struct inlay_decomposition {
    inlay_decomposition_summary summary;
    bool bounded;
    int64_t item;
    int32_t processors; /**< ranks: those of the caller's that are used */
    int32_t *order;     /**< rank to number, of all */
    int32_t *rank;      /**< number to rank */
    double *speed;      /**< by rank */
    inlay_curve *curve; /**< by rank; NULL: speeds count */
    int64_t *cells;     /**< by rank */
    grid_shape shape;
    grid_tree tree;
    grid_runs runs;
    grid_units units;
};

/** An empty one for the fastest `used` processors: order, rank and speed are there, the shape is to be filled in. */
int grid_decomposition_make(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used,
                            inlay_grid_method method, inlay_decomposition **decomposition, inlay_diag *diag);

/** Fills in cells and summary once the shape is there. */
int grid_decomposition_finish(inlay_decomposition *d, inlay_diag *diag);

/** inlay_decompose() for the fastest `used` processors of checked machines. */
int grid_decompose(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used,
                   inlay_grid_method method, const inlay_grid_options *options, inlay_decomposition **decomposition,
                   inlay_diag *diag);

static inline inlay_grid_block grid_whole(const inlay_decomposition *d)
{
    return (inlay_grid_block){0, 0, d->summary.rows, d->summary.columns};
}

/* ---- Methods, one a file: each fills in the shape for whole speeds by rank ---- */

int grid_make_strips(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_runs(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_block(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_brbd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_fbrd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_phd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_interleaved(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options,
                          inlay_diag *diag);
int grid_make_scatter(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options,
                      inlay_diag *diag);

/** The owners of inlay_decompose_map(). */
int grid_make_map(inlay_decomposition *d, const int32_t *owner, inlay_diag *diag);

/** Fills in the blocks of a table of cells all of whose pieces are rectangles, and says so: grid_boxes.c. */
int grid_find_boxes(inlay_decomposition *d, inlay_diag *diag);

/** The two factors of a number whose product it is and that are nearest to each other, the smaller one. */
int32_t grid_smaller_factor(int32_t number);

/** splitmix64 (Steele, Lea and Flood 2014), and a number below `below` from its high bits. */
static inline uint64_t grid_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t grid_random_below(uint64_t *state, uint64_t below)
{
    return (uint64_t)(((grid_wide)grid_random(state) * (grid_wide)below) >> 64);
}

#endif

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
    struct grid_weights *weights; /**< of the cells; NULL: all are alike */
    inlay_curve *curve;           /**< by rank, whose shares are the speeds then; NULL: there are none */
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

/* ---- Axes: rows follow each other down, columns across, planes through ---- */

enum { GRID_DOWN, GRID_ACROSS, GRID_THROUGH, GRID_AXES };

static inline int64_t grid_begin(const inlay_grid_block *block, int axis)
{
    return axis == GRID_DOWN ? block->top : axis == GRID_ACROSS ? block->left : block->front;
}

static inline int64_t grid_end(const inlay_grid_block *block, int axis)
{
    return axis == GRID_DOWN ? block->bottom : axis == GRID_ACROSS ? block->right : block->back;
}

static inline int64_t grid_length(const inlay_grid_block *block, int axis)
{
    return grid_end(block, axis) - grid_begin(block, axis);
}

static inline int64_t grid_cells(const inlay_grid_block *block)
{
    return (block->bottom - block->top) * (block->right - block->left) * (block->back - block->front);
}

/** The same block with another beginning (side 1) or end (side 0) on an axis. */
static inline inlay_grid_block grid_part(inlay_grid_block block, int axis, int64_t at, int side)
{
    int64_t *const ends[GRID_AXES][2] = {
        {&block.bottom, &block.top}, {&block.right, &block.left}, {&block.back, &block.front}};
    *ends[axis][side] = at;
    return block;
}

/** The axis along which a block is longest; of equal ones across, then down. */
static inline int grid_longest(const inlay_grid_block *block)
{
    int axis = grid_length(block, GRID_DOWN) > grid_length(block, GRID_ACROSS) ? GRID_DOWN : GRID_ACROSS;
    return grid_length(block, GRID_THROUGH) > grid_length(block, axis) ? GRID_THROUGH : axis;
}

/** A rectangle of the first plane. */
static inline inlay_grid_block grid_flat(int64_t top, int64_t left, int64_t bottom, int64_t right)
{
    return (inlay_grid_block){top, left, bottom, right, 0, 1};
}

/* ---- Weights of cells: weights.c ---- */

/** Sums of weights: of lines of an axis, whose product a cell has, or a table of the sums up to each cell. */
typedef struct grid_weights {
    int64_t length[GRID_AXES];
    double *line[GRID_AXES];
    double *table;
} grid_weights;

int grid_weights_make(const inlay_grid_problem *problem, grid_weights **weights, inlay_diag *diag);
void grid_weights_free(grid_weights *weights);

/** Of the cells of a block. */
double grid_weight(const grid_weights *weights, const inlay_grid_block *block);

/** Of the first cells in reading order, of two dimensions; `down`: down the columns. */
double grid_weight_before(const grid_weights *weights, int64_t cells, bool down);

/** Where a region is cut along an axis for two sums of speeds: by lengths, or by weights where there are any. */
int64_t grid_line_at(const grid_weights *weights, const inlay_grid_block *region, int axis, int64_t first,
                     int64_t second);

/** Lines of a region along an axis that parts of some speeds get: by grid_share(), or by weights. */
int grid_share_lines(const grid_weights *weights, const inlay_grid_block *region, int axis, inlay_grid_shares rule,
                     int32_t parts, const int64_t *speed, int64_t *share, inlay_diag *diag);

/* ---- Rectangles: grid_tree.c ---- */

typedef enum grid_node_kind { GRID_CUT, GRID_STRIPS, GRID_EVEN } grid_node_kind;

/** A region that is cut. Children are nodes, or ~rank for a processor. */
typedef struct grid_node {
    grid_node_kind kind;
    inlay_grid_block region;
    int axis;                 /**< CUT, STRIPS: that the parts follow each other along */
    int64_t at;               /**< CUT: where the second part begins on it */
    int32_t child[2];         /**< CUT */
    int32_t first;            /**< STRIPS, EVEN: rank of the first part; the others follow in reading order */
    int32_t parts[GRID_AXES]; /**< EVEN; STRIPS: 1 along the others */
} grid_node;

typedef struct grid_tree {
    grid_node *node;
    int32_t nodes;
    int32_t root; /**< as a child */
    int64_t
        *bound; /**< STRIPS: where the parts begin, and where the last one ends. At most one node is STRIPS, the root */
    inlay_grid_block *block;     /**< by rank */
    const grid_weights *weights; /**< where cuts go while it is made; NULL: all cells are alike */
} grid_tree;

/** Room for p processors; false without memory. Cleared with grid_tree_clear(). */
bool grid_tree_make(grid_tree *tree, int32_t processors, bool strips);
void grid_tree_clear(grid_tree *tree);

/** Gives a region to a rank; returns it as a child. */
int32_t grid_tree_leaf(grid_tree *tree, int32_t rank, inlay_grid_block region);

/** Cuts a region in two, whose parts are told by grid_part(); the children are to be set. Returns it as a child. */
int32_t grid_tree_cut(grid_tree *tree, inlay_grid_block region, int axis, int64_t at);

/** So many parts, of numbers as near to each other as can be, the most along the longest axis; as even as whole cells
    allow, for ranks from `first` on. Returns it as a child. */
int32_t grid_tree_even(grid_tree *tree, inlay_grid_block region, int32_t parts, int32_t first);

/** The whole grid in strips of the shares. */
void grid_tree_strips(grid_tree *tree, inlay_grid_block region, int axis, int32_t processors, const int64_t *share);

int32_t grid_tree_owner(const grid_tree *tree, const int64_t cell[GRID_AXES]);

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

/**
 * A cut for two lists of processors: their sums of speeds and their numbers. Where the parts would be too small for
 * them, the cut moves, then turns; where nothing helps it stays, and blocks will be empty.
 */
typedef struct grid_sides {
    int64_t speed[2];
    int64_t processors[2];
} grid_sides;
int64_t grid_cut_at(const grid_weights *weights, const inlay_grid_block *region, const grid_sides *sides, int *axis);

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
    void *table;    /**< SCATTER, MAP: rank of each unit in `bytes` bytes; NULL: not drawn yet */
    int32_t bytes;
    int64_t *share; /**< SCATTER: units of each rank */
    uint64_t seed;
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
    int32_t processors;          /**< ranks: those of the caller's that are used */
    int32_t *order;              /**< rank to number, of all */
    int32_t *rank;               /**< number to rank */
    double *speed;               /**< by rank */
    inlay_curve *curve;          /**< by rank; NULL: speeds count */
    int64_t *cells;              /**< by rank */
    double *load;                /**< by rank: weights of its cells; NULL: these are alike */
    double total;                /**< weights of all cells, or their number */
    const grid_weights *weights; /**< while it is made */
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
    return (inlay_grid_block){0, 0, d->summary.rows, d->summary.columns, 0, d->summary.planes};
}

/** 2 or 3: planes count where there are several. */
static inline int grid_dimensions(const inlay_grid_block *grid)
{
    return grid->back - grid->front > 1 ? 3 : 2;
}

/** What a rank has to compute. */
static inline double grid_load(const inlay_decomposition *d, int32_t rank)
{
    return d->load != NULL ? d->load[rank] : (double)d->cells[rank];
}

static inline int64_t grid_problem_planes(const inlay_grid_problem *problem)
{
    return problem->planes > 1 ? problem->planes : 1;
}

static inline int64_t grid_problem_cells(const inlay_grid_problem *problem)
{
    return problem->rows * problem->columns * grid_problem_planes(problem);
}

/* ---- Room on the hosts: room.c ---- */

/** Whole speeds by rank for the fastest `used` processors, less where a host would get more cells than `part` of its
    room: what others take over in proportion to their speeds. INLAY_NO_ANSWER where there is not enough room in all. */
int grid_room_speeds(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used, double part,
                     int64_t *whole, inlay_diag *diag);

/** INLAY_NO_ANSWER where a host would hold more cells than it can. */
int grid_room_check(const inlay_grid_problem *problem, const inlay_decomposition *d, inlay_diag *diag);

/** Warns of the hosts that get fewer cells than their speed asks for; INLAY_NO_ANSWER where all have too little room. */
int grid_room_warn(const inlay_grid_problem *problem, const grid_machines *machines, int32_t used, inlay_diag *diag);

/* ---- Methods, one a file: each fills in the shape for whole speeds by rank ---- */

int grid_make_strips(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_runs(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_block(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_brbd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_fbrd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_phd(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options, inlay_diag *diag);
int grid_make_columns(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options,
                      inlay_diag *diag);
int grid_make_interleaved(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options,
                          inlay_diag *diag);
int grid_make_scatter(inlay_decomposition *d, const int64_t *whole, const inlay_grid_options *options,
                      inlay_diag *diag);

/** INLAY_NO_ANSWER where a method that knows no boxes is asked for three dimensions. */
int grid_check_flat(const inlay_decomposition *d, inlay_diag *diag);

/** Draws the table of a scatter, where that is not done. */
int grid_scatter_draw(inlay_decomposition *d, inlay_diag *diag);

/** Whether what is to be expected tells enough of a scatter: it has so many units, all of one size, that any two ranks
    are neighbours many times. */
bool grid_scatter_is_plenty(const inlay_decomposition *d);

/** The owners of inlay_decompose_map(). */
int grid_make_map(inlay_decomposition *d, const int32_t *owner, inlay_diag *diag);

/** Fills in the blocks of a table of cells all of whose pieces are rectangles, and says so: grid_boxes.c. */
int grid_find_boxes(inlay_decomposition *d, inlay_diag *diag);

/** The two factors of a number whose product it is and that are nearest to each other, the smaller one. */
int32_t grid_smaller_factor(int32_t number);

/** A tree for the processors of a decomposition, with its weights. */
static inline bool grid_tree_make_for(inlay_decomposition *d)
{
    bool made = grid_tree_make(&d->tree, d->processors, false);
    d->tree.weights = d->weights;
    return made;
}

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

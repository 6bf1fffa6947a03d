/*
 * Grid decomposition: how to cut a grid of m x n cells into pieces for p unlike processors, what each way of cutting
 * costs, and which way is best. After P. E. Crandall, "Data-Parallel Processing" (a thesis), chapters 3 to 7.
 *
 * A program repeats steps: every processor computes its cells and then all exchange what their neighbours need. Fast
 * processors get more cells, so that all finish together; the shape of the pieces decides about messages and bytes.
 *
 *     double speed[] = {6e6, 4e6, 4e6, 3e6, 3e6, 3e6, 2e6, 1e6};
 *     inlay_grid_problem problem = {.rows = 4096, .columns = 4096, .item = 8, .processors = 8, .speed = speed};
 *     inlay_grid_network network = {.latency = 2.5e-3, .per_byte = 1.5e-6, .payload = 1460, .frame = 58};
 *     inlay_grid_phase step = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 10};
 *     inlay_grid_ranking *ranking = NULL;
 *     int status = inlay_grid_rank(&problem, &network, &step, 1, NULL, &ranking, diag);
 *
 * The model. Cell (r, c) has neighbours in the directions k of the pattern; on a torus, which grids are unless they are
 * `bounded`, all edges wrap. Processor i sends those of its cells whose neighbour in direction k belongs to j as one
 * message of D_ijk bytes (d bytes a cell); C_ik is the number of its messages in direction k. A step takes
 *
 *     max (cells_i work / speed_i)                                         computation
 *     + lambda sum_k max_i C_ik                                            latency: messages are prepared in parallel
 *     + tau sum_k sum_ij (D_ijk + F ceil(D_ijk / M))                       transmission: one at a time     (6.11)
 *
 * with M bytes of payload and F bytes of headers and trailers in a frame. A processor that is the neighbour in two
 * directions gets two messages. Other networks carry several messages at a time; see inlay_grid_network.
 *
 * Processors are numbered as the caller gives them. Methods take them by falling speed, equal ones in the order given.
 * Times are in one unit of the caller's choice; speeds are operations per that unit. All counts are exact, and for
 * pieces that are rectangles or runs they take time by the pieces, whatever the number of cells.
 *
 * Ownership: what is passed in is only read during the call. Free a decomposition with inlay_decomposition_free(), a
 * ranking with inlay_grid_ranking_free(); what they return pointers to lives as long.
 *
 * Errors: INLAY_BAD_ARGUMENT where the arguments say something that cannot be: no cells, more processors than cells, a
 * speed of 0. INLAY_OVERFLOW where bytes or times leave the range of numbers; INLAY_NO_ANSWER where a method would need
 * a table above its limit, has no pieces of three dimensions, or gives a host more cells than that can hold. Outputs are
 * then unchanged.
 */
#ifndef INLAY_DECOMPOSE_H
#define INLAY_DECOMPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlay/curves.h>
#include <inlay/status.h>

/* ---- The grid and the machines ---- */

enum {
    INLAY_GRID_PROCESSORS = 1 << 20,     /**< most processors */
    INLAY_GRID_DIRECTIONS = 256,         /**< most directions of a pattern */
    INLAY_GRID_TABLE = 1 << 28,          /**< most entries of a table of owners */
    INLAY_GRID_PATTERN_LENGTH = 1 << 24, /**< most units of an interleaving, up to where it repeats itself */
    INLAY_GRID_PHASES = 64,              /**< most phases */
    INLAY_GRID_HOSTS = 256,              /**< most hosts, and ... */
    INLAY_GRID_WAYS = 1024               /**< ... most processors that a machine's ways are looked at for */
};

/**
 * How much there is to compute in cells that are not alike: the operations of a phase times this. Numbers from 0 on, some
 * above 0. Either of each cell, or the product of what its row, its column and its plane have.
 */
typedef struct inlay_grid_weights {
    const double *cell;                 /**< in reading order, plane by plane, at most INLAY_GRID_TABLE; or NULL */
    const double *row, *column, *plane; /**< NULL: 1 each */
} inlay_grid_weights;

/** Zero-initialised, every member that is not set has its plain meaning. */
typedef struct inlay_grid_problem {
    int64_t rows, columns;             /**< m, n: at least 1; all cells are at most 2^53 */
    int64_t planes;                    /**< of m x n cells each; 0 or 1: a grid of two dimensions */
    bool bounded;                      /**< edges do not wrap; false: a torus */
    int64_t item;                      /**< d, bytes that a cell sends, at least 1 */
    int32_t processors;                /**< p, at most the number of cells */
    const double *speed;               /**< operations per time, above 0, the fastest at most 10^12 times the slowest */
    const inlay_grid_weights *weights; /**< NULL: all cells are alike */
    const int64_t *room; /**< by processor: most cells that its host can hold, from 0 on; NULL: no limit */
    const int32_t *host; /**< by processor: number of its host, 0 .. p - 1; NULL: each has its own */
    /**
     * In place of the speeds: of each processor what the computation of a cycle takes for so many cells, in the unit of
     * the times; NULL: speeds count. Phases share it by weight x work. Pieces are cut by the shares that end at once
     * (inlay_curves_partition()); those that do not fit their processor are no answer. The points live as long as what
     * is made of the problem.
     */
    const inlay_curve *curve;
} inlay_grid_problem;

/** A piece: rows top .. bottom - 1 of columns left .. right - 1, of planes front .. back - 1 (0 .. 0 where there is one). */
typedef struct inlay_grid_block {
    int64_t top, left, bottom, right;
    int64_t front, back;
} inlay_grid_block;

/* ---- Methods of decomposition ---- */

typedef enum inlay_grid_method {
    INLAY_GRID_ROW,            /**< contiguous rows: strips of full width */
    INLAY_GRID_COLUMN,         /**< contiguous columns */
    INLAY_GRID_POINT,          /**< contiguous points: runs in reading order, the finest balance in one piece */
    INLAY_GRID_BLOCK,          /**< homogeneous blocks, a x b = p as square as can be, whatever the speeds */
    INLAY_GRID_BRBD,           /**< binary recursive blocks: fastest half | slowest half, cuts alternate (figure 20) */
    INLAY_GRID_FBRD,           /**< fair binary recursive blocks: two lists of like speed, cut across the longer edge */
    INLAY_GRID_FBRD_ALTERNATE, /**< the same with cuts that alternate, as the figures show it (figure 22) */
    INLAY_GRID_PHD,            /**< partial homogeneous: regions for groups of like processors (figures 24 to 26) */
    INLAY_GRID_JAGGED,         /**< columns of as many processors each, each cut into its blocks: multi-jagged */
    INLAY_GRID_COLUMN_BASED, /**< columns of like processors, of all such the ones with the least edges (Beaumont, Boudet,
                                Rastello and Robert 2001) */
    INLAY_GRID_INTERLEAVED, /**< units dealt out in turn; the speed over the least, rounded, is the number of turns */
    INLAY_GRID_SCATTER,     /**< units dealt out at random */
    INLAY_GRID_BEST,        /**< rectangles by local search; not for inlay_decompose(), which knows no costs */
    INLAY_GRID_MAP          /**< the caller's own: inlay_decompose_map() */
} inlay_grid_method;

enum { INLAY_GRID_METHODS = INLAY_GRID_MAP + 1 };

/** "row", "column", "point", "block", "brbd", "fbrd", "fbrd-alternate", "phd", "jagged", "column-based", "interleaved",
    "scatter", "best", "map"; NULL for others. */
INLAY_API const char *inlay_grid_method_name(inlay_grid_method method);

/** How whole rows, points or units are shared out. */
typedef enum inlay_grid_shares {
    INLAY_GRID_MAKESPAN,  /**< the largest share / speed is as small as can be */
    INLAY_GRID_HAMILTON,  /**< rounded down, the rest to the largest fractions */
    INLAY_GRID_CUMULATIVE /**< the rounded sums of the shares so far */
} inlay_grid_shares;

/** What INTERLEAVED and SCATTER deal out. */
typedef enum inlay_grid_unit {
    INLAY_GRID_UNIT_USUAL, /**< rows to interleave, points to scatter */
    INLAY_GRID_UNIT_POINT,
    INLAY_GRID_UNIT_ROW,
    INLAY_GRID_UNIT_COLUMN,
    INLAY_GRID_UNIT_BLOCK /**< unit_rows x unit_columns cells, fewer at the ends of the grid */
} inlay_grid_unit;

typedef struct inlay_grid_options {
    inlay_grid_shares shares;
    inlay_grid_unit unit;
    int64_t unit_rows, unit_columns; /**< of a block, at least 1 */
    bool down;                       /**< POINT: runs go down the columns */
    bool alike;                      /**< INTERLEAVED: each its turn, whatever the speeds */
    uint64_t seed;                   /**< of SCATTER and of BEST */
} inlay_grid_options;

/* ---- Decompositions ---- */

typedef struct inlay_decomposition inlay_decomposition;

/** One decomposition. `options` NULL: zeroes. Every cell has exactly one owner. */
INLAY_API int inlay_decompose(const inlay_grid_problem *problem, inlay_grid_method method,
                              const inlay_grid_options *options, inlay_decomposition **decomposition, inlay_diag *diag);

/**
 * A decomposition of any shape, general quadrilaterals for example: `owner` has rows x columns entries in reading
 * order, each 0 .. processors - 1.
 */
INLAY_API int inlay_decompose_map(const inlay_grid_problem *problem, const int32_t *owner,
                                  inlay_decomposition **decomposition, inlay_diag *diag);

INLAY_API void inlay_decomposition_free(inlay_decomposition *decomposition);

/**
 * Who has a cell; -1 outside of the grid. Time, and memory for it:
 *
 *     row, column, point        O(log p), 8 p bytes: the first row, column or cell of each
 *     block                     O(1), no table: one division a direction
 *     brbd, fbrd, phd, best,
 *     jagged, column-based      O(depth of the cuts), O(p)
 *     interleaved               O(log p), O(p); O(1) where all have as many turns
 *     scatter, map              O(1), a table of one byte a unit up to 256 processors, two up to 65536, else four
 *
 * (The thesis has 4 p bytes for the first line: places of more than 32 bits need 8.)
 */
INLAY_API int32_t inlay_decomposition_owner(const inlay_decomposition *decomposition, int64_t row, int64_t column);

/** The same of a cell of any plane. */
INLAY_API int32_t inlay_decomposition_owner_in(const inlay_decomposition *decomposition, int64_t plane, int64_t row,
                                               int64_t column);

INLAY_API int64_t inlay_decomposition_cells(const inlay_decomposition *decomposition, int32_t processor);

/** False where the pieces are no rectangles; then, and for processors without cells, `block` is all zeroes. */
INLAY_API bool inlay_decomposition_block(const inlay_decomposition *decomposition, int32_t processor,
                                         inlay_grid_block *block);

typedef struct inlay_decomposition_summary {
    inlay_grid_method method;
    int64_t rows, columns, planes; /**< one plane where there are two dimensions */
    int32_t processors;
    int32_t empty;        /**< processors without cells: strips that are fewer than processors, grids of few cells */
    bool rectangles;      /**< every piece is one */
    int64_t lookup_bytes; /**< what inlay_decomposition_owner() keeps */
} inlay_decomposition_summary;

INLAY_API const inlay_decomposition_summary *inlay_decomposition_summary_of(const inlay_decomposition *decomposition);

/** The processors in the order in which the methods take them: by falling speed. p entries. */
INLAY_API const int32_t *inlay_decomposition_order(const inlay_decomposition *decomposition);

/* ---- Communication ---- */

typedef enum inlay_grid_communication {
    INLAY_GRID_NONE,
    INLAY_GRID_BROADCAST,       /**< one item from `root` to all */
    INLAY_GRID_MULTICAST,       /**< one item from `root` to `receivers` others, those next by number */
    INLAY_GRID_REDUCTION,       /**< one item from all to `root` */
    INLAY_GRID_RANDOM,          /**< `bytes` between any two */
    INLAY_GRID_SYSTOLIC,        /**< east */
    INLAY_GRID_WAVEFRONT,       /**< east, south */
    INLAY_GRID_STENCIL3,        /**< north, south */
    INLAY_GRID_STENCIL3_ACROSS, /**< east, west */
    INLAY_GRID_STENCIL5,        /**< north, south, east, west */
    INLAY_GRID_STENCIL9,        /**< and the four diagonals */
    INLAY_GRID_STENCIL7,        /**< in three dimensions: the six neighbours across faces */
    INLAY_GRID_STENCIL19,       /**< and the twelve across edges */
    INLAY_GRID_STENCIL27,       /**< and the eight across corners */
    INLAY_GRID_OFFSETS          /**< any directions */
} inlay_grid_communication;

/** "none", "broadcast", "multicast", "reduction", "random", "systolic", "wavefront", "stencil3", "stencil3-across",
    "stencil5", "stencil9", "stencil7", "stencil19", "stencil27", "offsets"; NULL for others. */
INLAY_API const char *inlay_grid_communication_name(inlay_grid_communication communication);

/** A direction: the value of cell (r, c) goes to cell (r + down, c + across), `through` planes on. */
typedef struct inlay_grid_offset {
    int64_t down, across, through;
} inlay_grid_offset;

typedef struct inlay_grid_pattern {
    inlay_grid_communication communication;
    int32_t root;         /**< a processor */
    int32_t receivers;    /**< of MULTICAST, 0 .. p - 1 */
    const int64_t *bytes; /**< of RANDOM: p x p, from row to column, the diagonal not looked at; NULL: an item
                                          from everybody to everybody, the worst case */
    size_t offsets;       /**< of OFFSETS, at most INLAY_GRID_DIRECTIONS */
    const inlay_grid_offset *offset;
} inlay_grid_pattern;

/** One message of a step. */
typedef struct inlay_grid_message {
    int32_t from, to;  /**< processors */
    int32_t direction; /**< number in the pattern, in the order in which its directions stand above; else 0 */
    int64_t bytes;     /**< D_ijk, above 0 */
} inlay_grid_message;

/** Calls `visit` for every message of a step, direction by direction. */
INLAY_API int inlay_decomposition_messages(const inlay_decomposition *decomposition, const inlay_grid_pattern *pattern,
                                           void (*visit)(void *context, const inlay_grid_message *message),
                                           void *context, inlay_diag *diag);

/* ---- Networks and costs ---- */

/** What carries messages at the same time (chapter 3). */
typedef enum inlay_grid_wiring {
    INLAY_GRID_SINGLE,   /**< one network, one message at a time */
    INLAY_GRID_SEVERAL,  /**< `networks` of them, each reaches everybody: transmission / networks */
    INLAY_GRID_SWITCH,   /**< in each direction, what the busiest processor sends or receives */
    INLAY_GRID_CUBE,     /**< hypercube of the least 2^k >= p processors, k 2^(k-2) networks of four */
    INLAY_GRID_MESH,     /**< k x k of the least k^2 >= p, a network for each row and each column */
    INLAY_GRID_COMPLETE, /**< everybody with everybody: as many networks as processors */
    INLAY_GRID_ROUTES    /**< each pair of hosts has a way of its own: see inlay_grid_ways */
} inlay_grid_wiring;

/** "single", "several", "switch", "cube", "mesh", "complete", "routes"; NULL for others. */
INLAY_API const char *inlay_grid_wiring_name(inlay_grid_wiring wiring);

/**
 * The ways of messages between hosts (INLAY_GRID_ROUTES). In each direction of a pattern all messages set out together: it takes
 * the longest sum of latencies that one processor sends off, and then the most of
 *
 *     what a link carries: the framed bytes of all messages whose way it is on, times its time a byte; of a parallel
 *     link, on which messages do not meet, those of the longest alone
 *     framed bytes x per_byte of one message
 *
 * Processors of one host share memory: a message between them takes nothing.
 */
typedef struct inlay_grid_ways {
    int32_t hosts, links;        /**< hosts at most INLAY_GRID_HOSTS */
    const int32_t *host;         /**< by processor, 0 .. hosts - 1 */
    const double *latency;       /**< [from][to], hosts x hosts: of a message */
    const double *per_byte;      /**< the same: of a byte that meets nobody */
    const int64_t *first;        /**< pair q = from x hosts + to goes over link[first[q]] .. link[first[q + 1] - 1] */
    const int32_t *link;         /**< 0 .. links - 1 */
    const double *link_per_byte; /**< by link */
    const bool *parallel;        /**< by link */
} inlay_grid_ways;

/**
 * Broadcasts and reductions go in rounds over cubes and complete networks, ceil(log2 p) (lambda + tau b), and over
 * meshes, 2 (k - 1) (lambda + tau b), b being an item with its frames (3.1, 3.3). All else is shared out over the
 * networks.
 */
typedef struct inlay_grid_network {
    double latency;  /**< lambda, time of a message */
    double per_byte; /**< tau */
    int64_t payload; /**< M, bytes of data in a frame; 0: there are no frames. Ethernet with TCP/IP: 1460 */
    int64_t frame;   /**< F, bytes of headers and trailers of a frame. Ethernet with TCP/IP: 58 */
    inlay_grid_wiring wiring;
    int32_t networks;            /**< of SEVERAL, at least 1 */
    const inlay_grid_ways *ways; /**< of ROUTES, in place of latency and per_byte; the caller's */
} inlay_grid_network;

/** A phase of the program: what it computes and how it communicates, and how often in a cycle. */
typedef struct inlay_grid_phase {
    const char *name; /**< for messages; NULL: its number */
    inlay_grid_pattern pattern;
    double work;   /**< operations a cell, at least 0 */
    double weight; /**< steps of it in a cycle, above 0; 0: 1 */
    int64_t item;  /**< bytes that a cell sends; 0: the problem's */
} inlay_grid_phase;

/** What a cycle costs: the sum over the phases of weight x what a step costs. */
typedef struct inlay_grid_cost {
    double seconds; /**< all of it, in the caller's unit of time */
    double computation, latency, transmission;
    double messages;      /**< number of (i, j, k) with D_ijk > 0 */
    double bytes;         /**< sum of D_ijk */
    double framed;        /**< sum of D_ijk + F ceil(D_ijk / M) */
    double latency_units; /**< sum_k max_i C_ik */
    double imbalance;     /**< longest computation over that of ideal shares (6.8); 1: perfect. Not a sum */
    double least_bytes;   /**< no rectangles with as many cells each send less: the perimeter bound. NAN where a
                                direction goes farther than one cell */
} inlay_grid_cost;

/** What a cycle costs with a decomposition. An item that is longer than `payload` is cut, with a warning. */
INLAY_API int inlay_decomposition_cost(const inlay_decomposition *decomposition, const inlay_grid_network *network,
                                       const inlay_grid_phase *phase, size_t phases, inlay_grid_cost *cost,
                                       inlay_diag *diag);

/**
 * What it costs to go from one decomposition of a grid to another: every processor sends each other one the cells that
 * it had and the other now has, in one message, `item` bytes a cell (6.10). Both must be of the same grid. There are
 * messages, bytes, latency and transmission in `cost`, no computation.
 */
INLAY_API int inlay_decomposition_redistribute(const inlay_decomposition *from, const inlay_decomposition *to,
                                               const inlay_grid_network *network, int64_t item, inlay_grid_cost *cost,
                                               inlay_diag *diag);

/* ---- The best that local search finds ---- */

/**
 * Rectangles by local search: from the best named methods on, cuts are moved, turned and exchanged, and processors
 * change places, as long as `cost.seconds` falls. Never longer than a named method on all processors (SCATTER of more
 * than 2^20 cells is not looked at): where no rectangles are better, it is the best of these that is given, and
 * `summary.method` tells which.
 *
 * @param tries  decompositions to look at; 0: 20000, fewer from 16 processors on, 200 for 4096. Beyond these they are
 *               still fewer, with a warning
 */
INLAY_API int inlay_decompose_best(const inlay_grid_problem *problem, const inlay_grid_network *network,
                                   const inlay_grid_phase *phase, size_t phases, const inlay_grid_options *options,
                                   int64_t tries, inlay_decomposition **decomposition, inlay_diag *diag);

/* ---- Ranking ---- */

typedef struct inlay_grid_ranking inlay_grid_ranking;

typedef struct inlay_grid_rank_options {
    inlay_grid_options decomposition;
    uint32_t methods;     /**< bit 1 << method of those to rank; 0: all but BEST, SCATTER of at most 2^24 units, and MAP
                            where there is one */
    const int32_t *owner; /**< of MAP, as inlay_decompose_map() takes it; NULL: there is none */
    bool all;             /**< use all processors; false: as many of the fastest as make the shortest cycle */
    int64_t tries;        /**< of BEST */
    bool redistribute;    /**< look for a decomposition for each phase, and what the way between them costs */
} inlay_grid_rank_options;

/** A method in the ranking. */
typedef struct inlay_grid_row {
    inlay_grid_method method;
    double ratio;       /**< its cycle over the shortest one: 1.00 is the best */
    int32_t processors; /**< the fastest so many are used */
    inlay_grid_cost cost;
    double seconds_all; /**< cycle on all processors; INFINITY where the method has none for so many */
    const inlay_decomposition *decomposition; /**< for the processors used; its numbers are the caller's. A SCATTER of
                                                   more than 2^16 units, any two of whose processors meet often, is
                                                   costed by the counts to be expected, and owners are drawn only where
                                                   it is the first row; -1 otherwise */
} inlay_grid_row;

/**
 * Ranks the methods by the time of a cycle. Of equals, the one first in inlay_grid_method comes first. Methods that
 * need a table above its limit are left out with a warning. Where there are more processors than cells, as many of the
 * fastest are looked at, with a warning. Of numbers of processors with equal cycles the smallest is taken.
 *
 * Numbers of processors are tried one by one up to 128; beyond that in steps of at most 4 %, and then one by one around
 * the best of these as long as the cycle gets shorter. BEST is tried on all and on as many as the best of the others
 * asked for uses, SCATTER on all alone where its tables would be large, MAP on those that it names. All are used where
 * nothing is computed, and where the bytes between processors are given. A root that is not used gives way to the
 * fastest.
 */
INLAY_API int inlay_grid_rank(const inlay_grid_problem *problem, const inlay_grid_network *network,
                              const inlay_grid_phase *phase, size_t phases, const inlay_grid_rank_options *options,
                              inlay_grid_ranking **ranking, inlay_diag *diag);

INLAY_API void inlay_grid_ranking_free(inlay_grid_ranking *ranking);

/** Best first; at least one. */
INLAY_API size_t inlay_grid_ranking_rows(const inlay_grid_ranking *ranking);
INLAY_API const inlay_grid_row *inlay_grid_ranking_row(const inlay_grid_ranking *ranking, size_t i);

/** A decomposition for each phase. */
typedef struct inlay_grid_redistribution {
    double seconds;         /**< a cycle, with the ways from each phase to the next and from the last to the first */
    double ways;            /**< of it, the time of the ways */
    double seconds_without; /**< the best with one decomposition for all phases */
    bool pays;              /**< seconds < seconds_without */
    const size_t *row;      /**< by phase: number of its row in the ranking */
} inlay_grid_redistribution;

/** NULL where it was not asked for. Ways that cannot be counted (large grids, tables) are not looked at. */
INLAY_API const inlay_grid_redistribution *inlay_grid_ranking_redistribution(const inlay_grid_ranking *ranking);

/* ---- What people write: grids, machines, owners ---- */

/** "4096x4096": two whole numbers from 1 to 2^53. INLAY_BAD_INPUT without a message otherwise. */
INLAY_API int inlay_grid_extent_parse(const char *text, int64_t *rows, int64_t *columns);

/** "100x100x100": planes, rows and columns; or two numbers, of one plane. */
INLAY_API int inlay_grid_extents_parse(const char *text, int64_t *planes, int64_t *rows, int64_t *columns);

/** A grid and the phases of its program. */
typedef struct inlay_grid_program {
    int64_t rows, columns;
    int64_t planes; /**< 1: a grid of two dimensions */
    bool bounded;
    int64_t item;  /**< bytes that a cell sends; 0: nobody says */
    size_t phases; /**< 0: nobody says */
    inlay_grid_phase phase[INLAY_GRID_PHASES];
} inlay_grid_program;

/**
 * From a size, or from a grid file ("-": standard input). Its lines are `rows N`, `columns N`, `planes N`, `edges torus|bounded`,
 * `item BYTES` and `phase ...` as inlay_grid_program_add() takes it; `#` begins a comment.
 *
 * @param work  operations on a cell in phases that do not say theirs
 */
INLAY_API int inlay_grid_program_read(const char *text_or_path, double work, inlay_grid_program **program,
                                      inlay_diag *diag);

/**
 * Adds a phase `PATTERN[,flops=N][,weight=N][,item=BYTES][,name=NAME]`. A pattern is the name of a communication, with
 * `:ROOT` behind broadcast and reduction, `:RECEIVERS` behind multicast and `:DOWN,ACROSS;...`, or `:THROUGH,DOWN,ACROSS;...`, behind offsets.
 * INLAY_BAD_ARGUMENT for other texts.
 */
INLAY_API int inlay_grid_program_add(inlay_grid_program *program, const char *text, double work, inlay_diag *diag);

INLAY_API void inlay_grid_program_free(inlay_grid_program *program);

/**
 * What the messages of each pair of processors take on their own route. `network` has one price for all of them, that of
 * every pair of hosts, where all have the same; else ways (INLAY_GRID_ROUTES) and the mean over the pairs of hosts, which
 * counts in machines of more than INLAY_GRID_HOSTS hosts or INLAY_GRID_WAYS processors.
 */
typedef struct inlay_grid_routes {
    int64_t pairs;                      /**< ordered pairs of processors that were looked at; 0: no links */
    int64_t other;                      /**< of these, pairs that take something else than the one price */
    double least_latency, most_latency; /**< over all pairs that were looked at */
    double least_per_byte, most_per_byte;
} inlay_grid_routes;

/** Processors, and the network between them where it is known. */
typedef struct inlay_grid_machines {
    int32_t processors;         /**< at least 1 */
    const double *speed;        /**< operations per second */
    const char *const *name;    /**< of the processors, NULL for those without; NULL: none has one */
    const int32_t *host;        /**< of the processors; NULL: each has its own */
    const int64_t *memory;      /**< of their hosts, bytes, -1: nobody says; NULL: of none */
    bool networked;             /**< `network` is known */
    inlay_grid_network network; /**< in seconds; measured times have the frames in them, so that there are none */
    inlay_grid_wiring mean;     /**< the wiring where its latency and per_byte are to stand for all pairs */
    bool speed_assumed;         /**< nobody says what a processor of speed 1 does: 1 Mflop/s */
    inlay_grid_routes routes;   /**< of a machine whose messages go over links */
} inlay_grid_machines;

/**
 * From a list of speeds in Mflop/s ("6,4,4" or "8x3.5"), a table of them (lines `NAME,SPEED`, or of speeds alone; "-":
 * standard input), a metasystem's file, or any other machine that inlay_machine_read() takes, by inlay_machine_grid().
 * What exists as a file is that file.
 *
 * @param mflops  million operations per second of a processor of speed 1; 0: what a machine's file says, else 1
 */
INLAY_API int inlay_grid_machines_read(const char *text_or_path, double mflops, inlay_grid_machines **machines,
                                       inlay_diag *diag);

INLAY_API void inlay_grid_machines_free(inlay_grid_machines *machines);

/**
 * An owner map for inlay_decompose_map(). Its file ("-": standard input) has either a line for each row of the grid,
 * with the processor of each cell, between blanks or commas; or a line `PROCESSOR TOP-BOTTOM LEFT-RIGHT` for each
 * rectangle, first and last row and column counted from 0, which together have every cell once. `#` begins a comment.
 * Processors are numbers from 0 on, or names.
 *
 * @param name   of the processors, or NULL, as inlay_grid_machines has them
 * @param owner  rows x columns entries, to be given to free()
 */
INLAY_API int inlay_grid_owners_read(const char *path, const inlay_grid_problem *problem, const char *const *name,
                                     int32_t **owner, inlay_diag *diag);

/** Writes the owners of a decomposition for inlay_grid_owners_read(): rectangles where the pieces are such, of three
    dimensions `PROCESSOR FRONT-BACK TOP-BOTTOM LEFT-RIGHT`; else the processors of all cells, at most INLAY_GRID_TABLE. */
INLAY_API int inlay_grid_owners_write(const inlay_decomposition *decomposition, const inlay_grid_machines *machines,
                                      const char *path, inlay_diag *diag);

/**
 * Weights of cells, freed with inlay_grid_weights_free(). Their file ("-": standard input) has a line for each row of
 * each plane, with the weight of each cell between blanks or commas; or lines `rows FIRST-LAST WEIGHT`, `columns ...`
 * and `planes ...`, counted from 0, of which a cell's weight is the product, and what stands nowhere has the weight 1.
 */
INLAY_API int inlay_grid_weights_read(const char *path, const inlay_grid_problem *problem, inlay_grid_weights **weights,
                                      inlay_diag *diag);
INLAY_API void inlay_grid_weights_free(inlay_grid_weights *weights);

/** The name of a processor, or its number; of a phase, or that of its pattern. */
enum { INLAY_GRID_NAME = 24 };
INLAY_API const char *inlay_grid_processor_name(const inlay_grid_machines *machines, int32_t processor,
                                                char room[INLAY_GRID_NAME]);
INLAY_API const char *inlay_grid_phase_name(const inlay_grid_phase *phase);

/* ---- Which method for which size ---- */

/** Sizes for which one method is the best. */
typedef struct inlay_grid_range {
    int64_t from, to;         /**< rows */
    inlay_grid_method method; /**< of the shortest cycle */
} inlay_grid_range;

/** Columns of a grid of so many rows that has the shape of the problem's; at least 1. */
INLAY_API int64_t inlay_grid_columns(const inlay_grid_problem *problem, int64_t rows);

/** Costs over the size of the grid, whose shape stays. */
typedef struct inlay_grid_crossover {
    int64_t *rows; /**< rising */
    double *size;  /**< the same as numbers */
    size_t sizes;
    double *seconds[INLAY_GRID_METHODS]; /**< by size; NAN: no answer. NULL: the method was not asked for */
    inlay_grid_range *range;             /**< one after the other */
    size_t ranges;
} inlay_grid_crossover;

/** Numbers of rows: `points` of them at most, by equal factors. */
typedef struct inlay_grid_sizes {
    int64_t from, to;
    size_t points;
} inlay_grid_sizes;

/** Rank the methods at each size, and find where the best one changes. Clear it afterwards. */
INLAY_API int inlay_grid_crossover_find(const inlay_grid_problem *problem, const inlay_grid_network *network,
                                        const inlay_grid_phase *phase, size_t phases,
                                        const inlay_grid_rank_options *options, const inlay_grid_sizes *sizes,
                                        inlay_grid_crossover *crossover, inlay_diag *diag);
INLAY_API void inlay_grid_crossover_clear(inlay_grid_crossover *crossover);

/* ---- All that `inlay decompose` tells, by one call ---- */

typedef struct inlay_grid_question {
    inlay_grid_problem problem;  /**< speeds in operations per second */
    inlay_grid_program *program; /**< with at least one phase */
    inlay_grid_machines *machines;
    inlay_grid_network network;             /**< seconds */
    bool latency_assumed, per_byte_assumed; /**< nobody said what it is */
    inlay_grid_routes routes;               /**< of the machines, where `network` rests on them; else no pairs */
    inlay_grid_rank_options options;
    inlay_grid_sizes sizes;      /**< of the crossover; no points: none is wanted */
    inlay_grid_weights *weights; /**< those of the problem; NULL: none */
    int64_t *room;               /**< the same */
} inlay_grid_question;

typedef struct inlay_grid_result {
    inlay_grid_question asked; /**< what it points to is the caller's, and has to live as long */
    inlay_grid_ranking *ranking;
    inlay_grid_crossover
        crossover; /**< of the methods that differ by size alone: without MAP, and SCATTER among others */
} inlay_grid_result;

/** Finds all of it. Free the result with inlay_grid_result_free(). */
INLAY_API int inlay_grid_ask(const inlay_grid_question *question, inlay_grid_result **result, inlay_diag *diag);
INLAY_API void inlay_grid_result_free(inlay_grid_result *result);

#endif

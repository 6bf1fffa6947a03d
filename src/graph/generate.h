/*
 * Inside the generators: a kind of graph is one `generator`, and draws itself into a `sketch`.
 *
 * A kind adds its modules in an order in which every module stands behind its predecessors, and behind each module the
 * links into it, by rising number of their origin. So the sketch has no cycle, its columns are those of the finished
 * application, and its own order is a topological one.
 */
#ifndef GRAPH_GENERATE_H
#define GRAPH_GENERATE_H

#include "graph/names.h"
#include <gsl/gsl_rng.h>
#include <inlay/generate.h>

/* ---- Random numbers: the same on every computer, with nothing but additions and multiplications ---- */

/** A stream of GSL's Mersenne twister; false when out of memory. Closed in every case. */
bool draw_open(gsl_rng *stream, uint64_t seed);
void draw_close(gsl_rng *stream);

double draw_unit(const gsl_rng *stream);                  /**< from [0, 1), in steps of 2^-53 */
int64_t draw_below(const gsl_rng *stream, int64_t below); /**< from 0 .. below-1, below at most 2^40 */

/** Draws how many misses come before the next hit, without drawing each. */
typedef struct miss_powers {
    double power[34]; /**< probability of 2^t misses in a row */
} miss_powers;

miss_powers draw_powers(double hit);
int64_t draw_misses(const gsl_rng *stream, const miss_powers *miss); /**< at most 2^34 - 1, which may stand for more */

/* ---- Sketches ---- */

/** A module is named `prefix` and its indices, joined by '_'. */
typedef struct task_type {
    const char *prefix;
    const char *kind; /**< the module's kind; NULL: none */
} task_type;

typedef struct task_index {
    int count;
    int64_t at[4];
} task_index;

typedef struct sketch {
    const task_type *types;
    const gsl_rng *stream;
    bool failed; /**< out of memory: what is added from then on is lost */

    inlay_id modules, module_room;
    name_store *names;
    const char **name;
    uint8_t *type;
    double *work;
    double *blocking;  /**< NULL: no blocking times */
    int64_t *in_begin; /**< where the links into a module begin; module_room + 1 */

    int64_t links, link_room;
    inlay_id *from;
    int64_t *messages; /**< NULL: 1 each */
    int64_t *bytes;
    int32_t *datum; /**< by link: the name of its datum, -1 none; NULL where the kind has no data */

    int64_t inputs; /**< data blocks, each used by one module; only where they are asked for */
    int32_t *input; /**< names of theirs; NULL where they are not */
    inlay_id *input_module;
    int64_t input_bytes; /**< of each */
} sketch;

inlay_id sketch_module(sketch *s, int type, double work, task_index index); /**< its number */
void sketch_blocking(sketch *s, double blocking);                           /**< of the last module */
void sketch_link(sketch *s, inlay_id from, int64_t bytes);                  /**< into the last module, of one message */
void sketch_datum(sketch *s, inlay_id from, int64_t bytes); /**< the same, carrying the one datum of `from` */
void sketch_tile(sketch *s, inlay_id from, int32_t tile, int64_t bytes); /**< the same of many data, by their names */
void sketch_input(sketch *s, int32_t tile); /**< the last module uses a datum that was there at the start */
void sketch_messages(sketch *s, inlay_id from, int64_t messages); /**< the same, of many messages and no bytes */

/* ---- Generators ---- */

typedef struct graph_counts {
    double modules, links; /**< exact while below 2^53; links on average where they are drawn */
} graph_counts;

typedef struct generator {
    inlay_generator offer; /**< what the kind tells of itself */
    const task_type *types;
    int type_count;
    const char *datum; /**< what the data of its modules are called; NULL: links carry none */
    bool counted;      /**< work is a count of arithmetic operations */
    bool streams;      /**< has blocking times and several messages a link */

    /** What else the sizes must be: NULL, or what was expected. The sizes are in their ranges. May be NULL itself. */
    const char *(*expects)(const inlay_generator_options *o);
    graph_counts (*count)(const inlay_generator_options *o);
    void (*draw)(sketch *s, const inlay_generator_options *o);
} generator;

/** Room for a graph of so many modules and links; false when out of memory. Cleared in every case. */
bool sketch_open(sketch *s, const generator *g, graph_counts counts, int64_t inputs, const gsl_rng *stream);
void sketch_clear(sketch *s);

/** The application of a sketch, which loses its columns to it. `o` has the sizes and the rate in force. */
int sketch_finish(sketch *s, const generator *g, const inlay_generator_options *o, inlay_app **result,
                  inlay_diag *diag);

extern const generator cholesky_generator, cholesky_tiles_generator, lu_generator, qr_generator;
extern const generator fft_generator, gauss_generator, stencil_generator, wavefront_generator;
extern const generator in_tree_generator, out_tree_generator, fork_join_generator;
extern const generator series_parallel_generator, layered_generator, erdos_renyi_generator;
extern const generator montage_generator, epigenomics_generator, cybershake_generator;

#endif

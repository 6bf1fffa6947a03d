/*
 * Factorisations of matrices of N x N tiles of b x b elements: Cholesky, LU without pivoting, QR with a flat tree
 * (Buttari, Langou, Kurzak and Dongarra, Parallel Computing 35, 2009).
 *
 * Step k factors tile (k, k), solves the tiles beside and below it and updates the rest; tiles are numbered from 0. A
 * link is a tile that one kernel wrote last and the other reads, 8 b^2 bytes: one datum of each kernel of Cholesky and LU,
 * which writes one tile; of QR's, which write two, the reflectors are one, and the other tile goes one way. Kernels are counted so that their sum is
 * the count of the factorisation that knows no tiles.
 */
#include "graph/generate.h"
#include <math.h>

/* Tiles are so small that their bytes can be counted: 8 b^2 <= 2^43. */
#define TILE_RANGE                                                                                                     \
    {                                                                                                                  \
        1, 256, INT64_C(1) << 20                                                                                       \
    }

static double side(const inlay_generator_options *o)
{
    return (double)o->sizes[INLAY_SIZE_TILE];
}

static int64_t tile_bytes(const inlay_generator_options *o)
{
    return 8 * o->sizes[INLAY_SIZE_TILE] * o->sizes[INLAY_SIZE_TILE];
}

/* ---- Cholesky ---- */

enum { POTRF, TRSM, SYRK, GEMM };
static const task_type cholesky_types[] = {
    {"POTRF_", "POTRF"}, {"TRSM_", "TRSM"}, {"SYRK_", "SYRK"}, {"GEMM_", "GEMM"}};

static graph_counts count_cholesky(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_TILES];
    return (graph_counts){n * (n + 1) * (n + 2) / 6, (n - 1) * n * (n + 1) / 2};
}

/* The module that writes tile (i, j), i >= j, in step k, where step k begins with module `step` and r tiles are left. */
static inlay_id cholesky_writer(inlay_id step, int64_t r, int64_t i, int64_t j)
{
    return step + (inlay_id)(1 + r + (i - 1) * i / 2 + (j - 1)); /* i, j: behind tile (k, k) */
}

/* Row i of the update; `last` is where the step before begins. Rows and columns are counted from tile (k, k). */
static void update_cholesky(sketch *s, int64_t k, int64_t i, int64_t r, inlay_id step, inlay_id last, double b,
                            int64_t bytes)
{
    for (int64_t j = 1; j <= i; j++) {
        if (j == i) {
            sketch_module(s, SYRK, b * b * (b + 1), (task_index){2, {k + i, k}});
        } else {
            sketch_module(s, GEMM, 2 * b * b * b, (task_index){3, {k + i, k + j, k}});
        }
        if (k > 0) {
            sketch_datum(s, cholesky_writer(last, r + 1, i + 1, j + 1), bytes);
        }
        sketch_datum(s, step + (inlay_id)j, bytes);
        if (j < i) {
            sketch_datum(s, step + (inlay_id)i, bytes);
        }
    }
}

static void draw_cholesky(sketch *s, const inlay_generator_options *o)
{
    int64_t n = o->sizes[INLAY_SIZE_TILES];
    int64_t bytes = tile_bytes(o);
    double b = side(o);
    inlay_id last = 0;
    for (int64_t k = 0; k < n && !s->failed; k++) {
        int64_t r = n - 1 - k;
        inlay_id step = sketch_module(s, POTRF, b * (b + 1) * (2 * b + 1) / 6, (task_index){1, {k}});
        if (k > 0) {
            sketch_datum(s, cholesky_writer(last, r + 1, 1, 1), bytes);
        }
        for (int64_t i = 1; i <= r; i++) {
            sketch_module(s, TRSM, b * b * b, (task_index){2, {k + i, k}});
            if (k > 0) {
                sketch_datum(s, cholesky_writer(last, r + 1, i + 1, 1), bytes);
            }
            sketch_datum(s, step, bytes);
        }
        for (int64_t i = 1; i <= r; i++) {
            update_cholesky(s, k, i, r, step, last, b, bytes);
        }
        last = step;
    }
}

const generator cholesky_tiles_generator = {
    .offer = {.name = "cholesky",
              .summary = "tiled Cholesky factorisation: POTRF, TRSM, SYRK, GEMM",
              .modules = "tiles (tiles + 1) (tiles + 2) / 6",
              .links = "(tiles - 1) tiles (tiles + 1) / 2",
              .sizes = {[INLAY_SIZE_TILES] = {1, 10, INT32_MAX}, [INLAY_SIZE_TILE] = TILE_RANGE},
              .density = -1},
    .types = cholesky_types,
    .type_count = sizeof cholesky_types / sizeof *cholesky_types,
    .datum = "tile",
    .counted = true,
    .count = count_cholesky,
    .draw = draw_cholesky,
};

/* ---- LU and QR: the same counts ---- */

static graph_counts count_square(const inlay_generator_options *o)
{
    double n = (double)o->sizes[INLAY_SIZE_TILES];
    double updates = (n - 1) * n * (2 * n - 1) / 6;
    return (graph_counts){n * (n + 1) * (2 * n + 1) / 6, 3 * updates + n * (n - 1)};
}

/* Where the steps of LU and QR begin, and what they know. r is the number of tiles behind tile (k, k). */
typedef struct step {
    int64_t k, r;
    inlay_id begin, last; /* this step's first module, and that of the step before */
    double b;
    int64_t bytes;
} step;

static void link_tile(sketch *s, const step *now, inlay_id from)
{
    sketch_datum(s, from, now->bytes);
}

/* ---- LU: GETRF, r TRSM on the row, r TRSM on the column, r x r GEMM ---- */

enum { GETRF, ROW_TRSM, COLUMN_TRSM, LU_GEMM };
static const task_type lu_types[] = {
    {"GETRF_", "GETRF"}, {"TRSM_U_", "TRSM_U"}, {"TRSM_L_", "TRSM_L"}, {"GEMM_", "GEMM"}};

/* The GEMM of the step before on tile (i, j), counted from tile (k, k). */
static void link_lu_update(sketch *s, const step *now, int64_t i, int64_t j)
{
    if (now->k > 0) {
        int64_t r = now->r + 1;
        link_tile(s, now, now->last + (inlay_id)(1 + 2 * r + i * r + j));
    }
}

static void draw_lu_step(sketch *s, step *now)
{
    int64_t k = now->k, r = now->r;
    double b = now->b;
    now->begin = sketch_module(s, GETRF, b * (b - 1) / 2 + (b - 1) * b * (2 * b - 1) / 3, (task_index){1, {k}});
    link_lu_update(s, now, 0, 0);
    for (int64_t j = 1; j <= r; j++) {
        sketch_module(s, ROW_TRSM, b * b * (b - 1), (task_index){2, {k, k + j}});
        link_lu_update(s, now, 0, j);
        link_tile(s, now, now->begin);
    }
    for (int64_t i = 1; i <= r; i++) {
        sketch_module(s, COLUMN_TRSM, b * b * b, (task_index){2, {k + i, k}});
        link_lu_update(s, now, i, 0);
        link_tile(s, now, now->begin);
    }
    for (int64_t i = 1; i <= r; i++) {
        for (int64_t j = 1; j <= r; j++) {
            sketch_module(s, LU_GEMM, 2 * b * b * b, (task_index){3, {k + i, k + j, k}});
            link_lu_update(s, now, i, j);
            link_tile(s, now, now->begin + (inlay_id)j);
            link_tile(s, now, now->begin + (inlay_id)(r + i));
        }
    }
}

/* ---- QR: GEQRT, r ORMQR on the row, then for every row below TSQRT and r TSMQR ---- */

enum { GEQRT, ORMQR, TSQRT, TSMQR };
static const task_type qr_types[] = {
    {"GEQRT_", "GEQRT"}, {"ORMQR_", "ORMQR"}, {"TSQRT_", "TSQRT"}, {"TSMQR_", "TSMQR"}};

/* The module of row i and column j, counted from tile (k, k), in a step that begins with `begin` and has r tiles left. */
static inlay_id qr_module(inlay_id begin, int64_t r, int64_t i, int64_t j)
{
    return begin + (inlay_id)(i * (r + 1) + j);
}

static void draw_qr_step(sketch *s, step *now)
{
    static const int types[2][2] = {{GEQRT, ORMQR}, {TSQRT, TSMQR}};
    int64_t k = now->k, r = now->r;
    double cube = now->b * now->b * now->b;
    double work[2][2] = {{rint(4 * cube / 3), 2 * cube}, {2 * cube, 4 * cube}};
    now->begin = s->modules;
    for (int64_t i = 0; i <= r; i++) {
        for (int64_t j = 0; j <= r; j++) {
            task_index index = {i > 0 && j > 0 ? 3 : (i + j > 0 ? 2 : 1), {k + i, k + j, k}};
            sketch_module(s, types[i > 0][j > 0], work[i > 0][j > 0], index);
            if (k > 0) {
                sketch_link(s, qr_module(now->last, r + 1, i + 1, j + 1), now->bytes);
            }
            if (i > 0) {
                sketch_link(s, qr_module(now->begin, r, i - 1, j),
                            now->bytes); /* the row of tile (k, k), as it stands */
            }
            if (j > 0) {
                link_tile(s, now, qr_module(now->begin, r, i, 0)); /* the reflectors */
            }
        }
    }
}

static void draw_steps(sketch *s, const inlay_generator_options *o, void (*draw_step)(sketch *s, step *now))
{
    step now = {.r = o->sizes[INLAY_SIZE_TILES] - 1, .b = side(o), .bytes = tile_bytes(o)};
    for (; now.r >= 0 && !s->failed; now.k++, now.r--) {
        draw_step(s, &now);
        now.last = now.begin;
    }
}

static void draw_lu(sketch *s, const inlay_generator_options *o)
{
    draw_steps(s, o, draw_lu_step);
}

static void draw_qr(sketch *s, const inlay_generator_options *o)
{
    draw_steps(s, o, draw_qr_step);
}

const generator lu_generator = {
    .offer = {.name = "lu",
              .summary = "tiled LU factorisation without pivoting: GETRF, TRSM, GEMM",
              .modules = "tiles (tiles + 1) (2 tiles + 1) / 6",
              .links = "(tiles - 1) tiles (2 tiles - 1) / 2 + tiles (tiles - 1)",
              .sizes = {[INLAY_SIZE_TILES] = {1, 10, INT32_MAX}, [INLAY_SIZE_TILE] = TILE_RANGE},
              .density = -1},
    .types = lu_types,
    .type_count = sizeof lu_types / sizeof *lu_types,
    .datum = "tile",
    .counted = true,
    .count = count_square,
    .draw = draw_lu,
};

const generator qr_generator = {
    .offer = {.name = "qr",
              .summary = "tiled QR factorisation, flat tree: GEQRT, ORMQR, TSQRT, TSMQR",
              .modules = "tiles (tiles + 1) (2 tiles + 1) / 6",
              .links = "(tiles - 1) tiles (2 tiles - 1) / 2 + tiles (tiles - 1)",
              .sizes = {[INLAY_SIZE_TILES] = {1, 10, INT32_MAX}, [INLAY_SIZE_TILE] = TILE_RANGE},
              .density = -1},
    .types = qr_types,
    .type_count = sizeof qr_types / sizeof *qr_types,
    .datum = "reflectors",
    .counted = true,
    .count = count_square,
    .draw = draw_qr,
};

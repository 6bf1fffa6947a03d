/*
 * Factorisations of matrices of N x N tiles of b x b elements: Cholesky, LU without pivoting, QR with a flat tree
 * (Buttari, Langou, Kurzak and Dongarra, Parallel Computing 35, 2009).
 *
 * Step k factors tile (k, k), solves the tiles beside and below it and updates the rest; tiles are numbered from 0. A
 * link is a tile that one kernel wrote last and the other reads, b^2 elements: the datum that is called as the tile is. A kernel
 * changes its tiles in place: what it gets of a name it gives on under the same one. Kernels are counted so that their sum is
 * the count of the factorisation that knows no tiles.
 */
#include "graph/generate.h"
#include <math.h>

/* Tiles are so small that their bytes can be counted: 16 b^2 <= 2^44. */
#define TILE_RANGE                                                                                                     \
    {                                                                                                                  \
        1, 256, INT64_C(1) << 20                                                                                       \
    }
#define ELEMENT_RANGE                                                                                                  \
    {                                                                                                                  \
        4, 8, 16                                                                                                       \
    }

static double side(const inlay_generator_options *o)
{
    return (double)o->sizes[INLAY_SIZE_TILE];
}

static int64_t tile_bytes(const inlay_generator_options *o)
{
    return o->sizes[INLAY_SIZE_ELEMENT] * o->sizes[INLAY_SIZE_TILE] * o->sizes[INLAY_SIZE_TILE];
}

static const char *expects_elements(const inlay_generator_options *o)
{
    int64_t bytes = o->sizes[INLAY_SIZE_ELEMENT];
    return bytes == 4 || bytes == 8 || bytes == 16 ? NULL : "an element of 4, 8 or 16 bytes";
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

/* Where a step begins, and the one before, and what both know. r is the number of tiles behind tile (k, k). */
typedef struct step {
    int64_t k, r, n;
    inlay_id begin, last; /* this step's first module, and that of the step before */
    double b;
    int64_t bytes;
} step;

/* A tile that a module wrote; rows and columns are counted from tile (k, k). */
static void link_tile(sketch *s, const step *now, inlay_id from, int64_t i, int64_t j)
{
    sketch_tile(s, from, (int32_t)((now->k + i) * now->n + now->k + j), now->bytes);
}

/* A tile that no module wrote before. */
static void use_tile(sketch *s, const step *now, int64_t i, int64_t j)
{
    sketch_input(s, (int32_t)((now->k + i) * now->n + now->k + j));
}

/* The tile as the step before left it, else as it is at the start. */
static void link_cholesky(sketch *s, const step *now, int64_t i, int64_t j)
{
    if (now->k > 0) {
        link_tile(s, now, cholesky_writer(now->last, now->r + 1, i + 1, j + 1), i, j);
    } else {
        use_tile(s, now, i, j);
    }
}

/* Row i of the update. */
static void update_cholesky(sketch *s, const step *now, int64_t i)
{
    double b = now->b;
    int64_t k = now->k;
    for (int64_t j = 1; j <= i; j++) {
        if (j == i) {
            sketch_module(s, SYRK, b * b * (b + 1), (task_index){2, {k + i, k}});
        } else {
            sketch_module(s, GEMM, 2 * b * b * b, (task_index){3, {k + i, k + j, k}});
        }
        link_cholesky(s, now, i, j);
        link_tile(s, now, now->begin + (inlay_id)j, j, 0);
        if (j < i) {
            link_tile(s, now, now->begin + (inlay_id)i, i, 0);
        }
    }
}

static void draw_cholesky_step(sketch *s, step *now)
{
    double b = now->b;
    now->begin = sketch_module(s, POTRF, b * (b + 1) * (2 * b + 1) / 6, (task_index){1, {now->k}});
    link_cholesky(s, now, 0, 0);
    for (int64_t i = 1; i <= now->r; i++) {
        sketch_module(s, TRSM, b * b * b, (task_index){2, {now->k + i, now->k}});
        link_cholesky(s, now, i, 0);
        link_tile(s, now, now->begin, 0, 0);
    }
    for (int64_t i = 1; i <= now->r; i++) {
        update_cholesky(s, now, i);
    }
}

static void draw_steps(sketch *s, const inlay_generator_options *o, void (*draw_step)(sketch *s, step *now))
{
    step now = {
        .n = o->sizes[INLAY_SIZE_TILES], .r = o->sizes[INLAY_SIZE_TILES] - 1, .b = side(o), .bytes = tile_bytes(o)};
    for (s->input_bytes = now.bytes; now.r >= 0 && !s->failed; now.k++, now.r--) {
        draw_step(s, &now);
        now.last = now.begin;
    }
}

static void draw_cholesky(sketch *s, const inlay_generator_options *o)
{
    draw_steps(s, o, draw_cholesky_step);
}

const generator cholesky_tiles_generator = {
    .offer = {.name = "cholesky",
              .summary = "tiled Cholesky factorisation: POTRF, TRSM, SYRK, GEMM",
              .modules = "tiles (tiles + 1) (tiles + 2) / 6",
              .links = "(tiles - 1) tiles (tiles + 1) / 2",
              .sizes = {[INLAY_SIZE_TILES] = {1, 10, INT32_MAX},
                        [INLAY_SIZE_TILE] = TILE_RANGE,
                        [INLAY_SIZE_ELEMENT] = ELEMENT_RANGE},
              .density = -1,
              .inputs = true},
    .types = cholesky_types,
    .type_count = sizeof cholesky_types / sizeof *cholesky_types,
    .datum = "A",
    .counted = true,
    .expects = expects_elements,
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

/* ---- LU: GETRF, r TRSM on the row, r TRSM on the column, r x r GEMM ---- */

enum { GETRF, ROW_TRSM, COLUMN_TRSM, LU_GEMM };
static const task_type lu_types[] = {
    {"GETRF_", "GETRF"}, {"TRSM_U_", "TRSM_U"}, {"TRSM_L_", "TRSM_L"}, {"GEMM_", "GEMM"}};

/* The GEMM of the step before on tile (i, j), counted from tile (k, k). */
static void link_lu_update(sketch *s, const step *now, int64_t i, int64_t j)
{
    int64_t r = now->r + 1;
    if (now->k > 0) {
        link_tile(s, now, now->last + (inlay_id)(1 + 2 * r + i * r + j), i, j);
    } else {
        use_tile(s, now, i, j);
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
        link_tile(s, now, now->begin, 0, 0);
    }
    for (int64_t i = 1; i <= r; i++) {
        sketch_module(s, COLUMN_TRSM, b * b * b, (task_index){2, {k + i, k}});
        link_lu_update(s, now, i, 0);
        link_tile(s, now, now->begin, 0, 0);
    }
    for (int64_t i = 1; i <= r; i++) {
        for (int64_t j = 1; j <= r; j++) {
            sketch_module(s, LU_GEMM, 2 * b * b * b, (task_index){3, {k + i, k + j, k}});
            link_lu_update(s, now, i, j);
            link_tile(s, now, now->begin + (inlay_id)j, 0, j);
            link_tile(s, now, now->begin + (inlay_id)(r + i), i, 0);
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
                link_tile(s, now, qr_module(now->last, r + 1, i + 1, j + 1), i, j);
            } else {
                use_tile(s, now, i, j);
            }
            if (i > 0) { /* the row of tile (k, k), as it stands */
                link_tile(s, now, qr_module(now->begin, r, i - 1, j), 0, j);
            }
            if (j > 0) { /* the reflectors */
                link_tile(s, now, qr_module(now->begin, r, i, 0), i, 0);
            }
        }
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
              .sizes = {[INLAY_SIZE_TILES] = {1, 10, INT32_MAX},
                        [INLAY_SIZE_TILE] = TILE_RANGE,
                        [INLAY_SIZE_ELEMENT] = ELEMENT_RANGE},
              .density = -1,
              .inputs = true},
    .types = lu_types,
    .type_count = sizeof lu_types / sizeof *lu_types,
    .datum = "A",
    .counted = true,
    .expects = expects_elements,
    .count = count_square,
    .draw = draw_lu,
};

const generator qr_generator = {
    .offer = {.name = "qr",
              .summary = "tiled QR factorisation, flat tree: GEQRT, ORMQR, TSQRT, TSMQR",
              .modules = "tiles (tiles + 1) (2 tiles + 1) / 6",
              .links = "(tiles - 1) tiles (2 tiles - 1) / 2 + tiles (tiles - 1)",
              .sizes = {[INLAY_SIZE_TILES] = {1, 10, INT32_MAX},
                        [INLAY_SIZE_TILE] = TILE_RANGE,
                        [INLAY_SIZE_ELEMENT] = ELEMENT_RANGE},
              .density = -1,
              .inputs = true},
    .types = qr_types,
    .type_count = sizeof qr_types / sizeof *qr_types,
    .datum = "A",
    .counted = true,
    .expects = expects_elements,
    .count = count_square,
    .draw = draw_qr,
};

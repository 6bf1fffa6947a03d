/* Data of generated graphs, against the algorithms: who writes what, and who reads it. */
#include "unit.h"

#include <inlay/generate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inlay_app *generate(const char *kind, inlay_size size, int64_t value)
{
    inlay_generator_options options = {.kind = kind};
    options.sizes[size] = value;
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_generate(&options, &app, NULL), INLAY_OK);
    return app;
}

/* ---- Tiled factorisations run once on names of writers: each kernel reads tiles, then writes one ---- */

enum { MOST_TILES = 9, MOST_READS = 400 };

typedef struct run {
    const inlay_app *app;
    int64_t tiles;
    inlay_id writer[MOST_TILES][MOST_TILES]; /* of a tile: -1 none yet */
    bool *reads;                             /* writer x reader */
} run;

static inlay_id find(const run *r, const char *name)
{
    inlay_id module = inlay_app_find_module(r->app, name);
    ck_assert_msg(module >= 0, "%s", name);
    return module;
}

static void read_tile(run *r, inlay_id reader, int64_t i, int64_t j)
{
    if (r->writer[i][j] >= 0) {
        r->reads[r->writer[i][j] * inlay_app_modules(r->app) + reader] = true;
    }
}

/* A kernel of that name that reads up to two tiles and the one that it writes. */
static void kernel(run *r, const char *name, int64_t i, int64_t j, int64_t a, int64_t b, int64_t c, int64_t d)
{
    inlay_id module = find(r, name);
    read_tile(r, module, i, j);
    read_tile(r, module, a, b);
    read_tile(r, module, c, d);
    r->writer[i][j] = module;
}

static void run_cholesky(run *r)
{
    char name[64];
    for (int64_t k = 0; k < r->tiles; k++) {
        snprintf(name, sizeof name, "POTRF_%d", (int)k);
        kernel(r, name, k, k, k, k, k, k);
        for (int64_t i = k + 1; i < r->tiles; i++) {
            snprintf(name, sizeof name, "TRSM_%d_%d", (int)i, (int)k);
            kernel(r, name, i, k, k, k, k, k);
        }
        for (int64_t i = k + 1; i < r->tiles; i++) {
            for (int64_t j = k + 1; j < i; j++) {
                snprintf(name, sizeof name, "GEMM_%d_%d_%d", (int)i, (int)j, (int)k);
                kernel(r, name, i, j, i, k, j, k);
            }
            snprintf(name, sizeof name, "SYRK_%d_%d", (int)i, (int)k);
            kernel(r, name, i, i, i, k, i, k);
        }
    }
}

static void run_lu(run *r)
{
    char name[64];
    for (int64_t k = 0; k < r->tiles; k++) {
        snprintf(name, sizeof name, "GETRF_%d", (int)k);
        kernel(r, name, k, k, k, k, k, k);
        for (int64_t i = k + 1; i < r->tiles; i++) {
            snprintf(name, sizeof name, "TRSM_U_%d_%d", (int)k, (int)i);
            kernel(r, name, k, i, k, k, k, k);
            snprintf(name, sizeof name, "TRSM_L_%d_%d", (int)i, (int)k);
            kernel(r, name, i, k, k, k, k, k);
        }
        for (int64_t i = k + 1; i < r->tiles; i++) {
            for (int64_t j = k + 1; j < r->tiles; j++) {
                snprintf(name, sizeof name, "GEMM_%d_%d_%d", (int)i, (int)j, (int)k);
                kernel(r, name, i, j, i, k, k, j);
            }
        }
    }
}

/* Every kernel whose tile is read has one datum, for exactly those that read it. */
static void check_tiles(const char *kind, int64_t tiles, void (*run_kernels)(run *))
{
    inlay_app *app = generate(kind, INLAY_SIZE_TILES, tiles);
    inlay_id n = inlay_app_modules(app), data = 0;
    run r = {.app = app, .tiles = tiles, .reads = calloc((size_t)n * (size_t)n, sizeof(bool))};
    memset(r.writer, -1, sizeof r.writer);
    run_kernels(&r);
    for (inlay_id i = 0; i < n; i++) {
        int64_t readers = 0;
        for (inlay_id j = 0; j < n; j++) {
            readers += r.reads[i * n + j];
        }
        if (readers == 0) {
            continue;
        }
        inlay_datum d = inlay_app_datum(app, data++);
        ck_assert_int_eq(d.producer, i);
        ck_assert(d.bytes == 8 * 256 * 256 && d.messages == 1);
        ck_assert_int_eq(d.consumers, readers);
        for (int64_t c = 0; c < d.consumers; c++) {
            ck_assert(r.reads[i * n + d.consumer[c]]);
        }
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            ck_assert_int_eq(out.own_messages[l], -1);
        }
    }
    ck_assert_int_eq(inlay_app_data(app), data);
    ck_assert_int_eq(data, tiles == 1 ? 0 : n - 1); /* all tiles written, but for the last, which nobody reads */
    free(r.reads);
    inlay_app_free(app);
}

START_TEST(tiles)
{
    check_tiles("cholesky", _i, run_cholesky);
    check_tiles("lu", _i, run_lu);
}
END_TEST

/* ---- The others: how many data, and with how many consumers in all ---- */

static void expect(const char *kind, inlay_size size, int64_t value, int64_t data, int64_t consumers)
{
    inlay_app *app = generate(kind, size, value);
    int64_t found = 0;
    for (inlay_id d = 0; d < inlay_app_data(app); d++) {
        found += inlay_app_datum(app, d).consumers;
    }
    ck_assert_msg(inlay_app_data(app) == data && found == consumers, "%s %d: %d data, %d consumers", kind, (int)value,
                  (int)inlay_app_data(app), (int)found);
    inlay_app_free(app);
}

/* QR by tiles, kernel after kernel: what each reads of a tile since it was last written. */
typedef struct qr_run {
    int64_t data, consumers;
    bool written[8][8], read[8][8];
} qr_run;

static void qr_read(qr_run *r, int i, int j)
{
    r->consumers += r->written[i][j];
    r->data += r->written[i][j] && !r->read[i][j];
    r->read[i][j] = true;
}

static void qr_update(qr_run *r, int i, int j)
{
    qr_read(r, i, j);
    r->written[i][j] = true;
    r->read[i][j] = false;
}

static void run_qr(int n, qr_run *r)
{
    for (int k = 0; k < n; k++) {
        qr_update(r, k, k);               /* geqrt */
        for (int j = k + 1; j < n; j++) { /* unmqr */
            qr_read(r, k, k);
            qr_update(r, k, j);
        }
        for (int i = k + 1; i < n; i++) {
            qr_update(r, k, k); /* tsqrt */
            qr_update(r, i, k);
            for (int j = k + 1; j < n; j++) { /* tsmqr */
                qr_read(r, i, k);
                qr_update(r, k, j);
                qr_update(r, i, j);
            }
        }
    }
}

START_TEST(numbers_of_data)
{
    int64_t n = _i, points = INT64_C(1) << n, overlaps = 2 * n * (n - 1) + 2 * (n - 1) * (n - 1);
    qr_run qr = {.data = 0};
    run_qr((int)n, &qr);
    expect("qr", INLAY_SIZE_TILES, n, qr.data, qr.consumers);
    expect("fft", INLAY_SIZE_SIZE, points, points * n, 2 * points * n);
    expect("gauss", INLAY_SIZE_SIZE, n, n - 1, n * (n - 1) / 2);
    expect("montage", INLAY_SIZE_SIZE, n, 2 * n * n + 1, 2 * overlaps + 4 * n * n);
    expect("cybershake", INLAY_SIZE_SIZE, n, 11 * n, 30 * n);
    expect("cholesky", INLAY_SIZE_SIZE, n, 0, 0);
    expect("stencil", INLAY_SIZE_SIZE, n, 0, 0);
    expect("layered", INLAY_SIZE_LEVELS, n, 0, 0);
}
END_TEST

Suite *suite_data_generate(void)
{
    Suite *suite = suite_create("data_generate");
    TCase *tests = tcase_create("data_generate");
    tcase_add_loop_test(tests, tiles, 1, MOST_TILES);
    tcase_add_loop_test(tests, numbers_of_data, 2, 8);
    suite_add_tcase(suite, tests);
    return suite;
}

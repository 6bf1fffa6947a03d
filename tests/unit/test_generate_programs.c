/*
 * Generated numeric kernels against the programs that they stand for: a slow run of each program, task by task, notes
 * which task wrote a cell last; a task that reads the cell must be linked from there, and there must be no other links.
 */
#include "test_generate.h"

enum { NOBODY = -1, MOST_CELLS = 1 << 16, MOST_INPUTS = 16 };

/* A program while it runs. */
typedef struct run {
    const inlay_app *app;
    inlay_id writer[MOST_CELLS]; /* of a cell */
    inlay_id task;
    inlay_id from[MOST_INPUTS]; /* the links that the task must have */
    int64_t count;
    int64_t tasks, links;
    int n;           /* tiles a side, of a matrix of tiles */
    inlay_id blocks; /* tiles that were used before any task wrote them */
} run;

static run *start(const inlay_generator_options *options)
{
    run *r = malloc(sizeof *r);
    ck_assert_ptr_nonnull(r);
    *r = (run){.app = generated(options), .task = NOBODY};
    for (int c = 0; c < MOST_CELLS; c++) {
        r->writer[c] = NOBODY;
    }
    return r;
}

/* The task that ends has the links that its reads asked for, and no others. */
static void end_task(run *r)
{
    if (r->task == NOBODY) {
        return;
    }
    for (int64_t i = 0; i < r->count; i++) {
        ck_assert_msg(link_place(r->app, r->from[i], r->task) >= 0, "%s -> %s is missing",
                      inlay_app_module_name(r->app, r->from[i]), inlay_app_module_name(r->app, r->task));
    }
    ck_assert_msg(inputs(r->app, r->task) == r->count, "%s has other inputs than it reads",
                  inlay_app_module_name(r->app, r->task));
    r->links += r->count;
    r->tasks++;
}

static void task(run *r, inlay_id module, double operations)
{
    end_task(r);
    ck_assert_int_eq(module, r->tasks); /* modules are numbered in the order of the program */
    ck_assert_double_eq(inlay_app_arithmetic(r->app, module), operations);
    ck_assert_int_eq(inlay_app_time(r->app, module), (int64_t)operations);
    r->task = module;
    r->count = 0;
}

/* Whether the task gets a datum of that name from another. */
static bool gets(const run *r, inlay_id from, const char *name)
{
    bool found = false;
    for (inlay_id d = 0; d < inlay_app_data(r->app); d++) {
        inlay_datum datum = inlay_app_datum(r->app, d);
        for (int64_t c = 0; c < datum.consumers && datum.producer == from; c++)
            found = found || (datum.consumer[c] == r->task && strcmp(datum.name, name) == 0);
    }
    return found;
}

/* Whether the task alone uses a block of that name and size. */
static bool uses(const run *r, const char *name, int64_t bytes)
{
    bool found = false;
    for (inlay_id b = 0; b < inlay_app_blocks(r->app); b++) {
        inlay_links of = inlay_app_uses(r->app, b);
        found = found || (strcmp(inlay_app_block_name(r->app, b), name) == 0 && of.count == 1 &&
                          of.module[0] == r->task && of.bytes[0] == bytes && inlay_app_block_size(r->app, b) == bytes);
    }
    return found;
}

/* A tile comes under its own name, of who wrote it last or as a block. */
static void take_tile(run *r, int64_t cell, int64_t bytes)
{
    char name[32];
    int64_t tile = cell % (r->n * r->n);
    snprintf(name, sizeof name, "A%d.%d", (int)(tile / r->n), (int)(tile % r->n));
    if (r->writer[cell] == NOBODY) {
        r->blocks++;
        ck_assert_msg(inlay_app_blocks(r->app) == 0 || uses(r, name, bytes), "%s is no input", name);
    } else if (r->writer[cell] != r->task) {
        ck_assert_msg(gets(r, r->writer[cell], name), "%s does not come", name);
    }
}

/* The task reads a cell, of so many bytes. */
static void take(run *r, int64_t cell, int64_t bytes)
{
    ck_assert_int_lt(cell, MOST_CELLS);
    inlay_id from = r->writer[cell];
    if (r->n > 0) {
        take_tile(r, cell, bytes);
    }
    if (from == NOBODY || from == r->task) {
        return;
    }
    int64_t place = link_place(r->app, from, r->task);
    ck_assert_int_ge(place, 0);
    ck_assert_int_eq(inlay_app_out(r->app, from).bytes[place], bytes);
    ck_assert_int_eq(inlay_app_out(r->app, from).messages[place], 1);
    r->from[r->count++] = from;
}

static void put(run *r, int64_t cell)
{
    r->writer[cell] = r->task;
}

static void change(run *r, int64_t cell, int64_t bytes)
{
    take(r, cell, bytes);
    put(r, cell);
}

static void finish(run *r, double operations)
{
    end_task(r);
    ck_assert_int_eq(inlay_app_modules(r->app), r->tasks);
    ck_assert_int_eq(inlay_app_links(r->app), r->links);
    ck_assert_int_eq(inlay_app_blocks(r->app), r->n % 2 == 0 ? 0 : r->blocks);
    double sum = 0;
    for (inlay_id i = 0; i < inlay_app_modules(r->app); i++) {
        sum += inlay_app_arithmetic(r->app, i);
    }
    ck_assert_double_eq_tol(sum, operations, 0.01);
    inlay_app_free((inlay_app *)r->app);
    free(r);
}

/* ---- Factorisations of n x n tiles of b x b elements ---- */

enum { TILE = 6 };
static const double b = TILE;
static const int64_t tile_bytes = 8 * TILE * TILE;

/* Operations of the factorisation of a matrix of order n that knows no tiles. */
static double cholesky_operations(double n)
{
    return n * n * n / 3 + n * n / 2 + n / 6;
}

static double lu_operations(double n)
{
    return 2 * n * n * n / 3 - n * n / 2 - n / 6;
}

static double qr_operations(double n)
{
    return 4 * n * n * n / 3;
}

static run *start_tiles(const char *kind, int n)
{
    inlay_generator_options options = {.kind = kind, .inputs = n % 2 == 1};
    options.sizes[INLAY_SIZE_TILES] = n;
    options.sizes[INLAY_SIZE_TILE] = TILE;
    run *r = start(&options);
    r->n = n;
    return r;
}

START_TEST(cholesky_runs)
{
    int n = _i;
    run *r = start_tiles("cholesky", n);
    for (int k = 0; k < n; k++) {
        task(r, module_named(r->app, "POTRF_%d", k), cholesky_operations(b));
        change(r, k * n + k, tile_bytes);
        for (int i = k + 1; i < n; i++) {
            task(r, module_named(r->app, "TRSM_%d_%d", i, k), b * b * b);
            take(r, k * n + k, tile_bytes);
            change(r, i * n + k, tile_bytes);
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j < i; j++) {
                task(r, module_named(r->app, "GEMM_%d_%d_%d", i, j, k), 2 * b * b * b);
                take(r, i * n + k, tile_bytes);
                take(r, j * n + k, tile_bytes);
                change(r, i * n + j, tile_bytes);
            }
            task(r, module_named(r->app, "SYRK_%d_%d", i, k), b * b * b + b * b);
            take(r, i * n + k, tile_bytes);
            change(r, i * n + i, tile_bytes);
        }
    }
    finish(r, cholesky_operations(n * b));
}
END_TEST

START_TEST(lu_runs)
{
    int n = _i;
    run *r = start_tiles("lu", n);
    for (int k = 0; k < n; k++) {
        task(r, module_named(r->app, "GETRF_%d", k), lu_operations(b));
        change(r, k * n + k, tile_bytes);
        for (int j = k + 1; j < n; j++) {
            task(r, module_named(r->app, "TRSM_U_%d_%d", k, j), b * b * b - b * b);
            take(r, k * n + k, tile_bytes);
            change(r, k * n + j, tile_bytes);
        }
        for (int i = k + 1; i < n; i++) {
            task(r, module_named(r->app, "TRSM_L_%d_%d", i, k), b * b * b);
            take(r, k * n + k, tile_bytes);
            change(r, i * n + k, tile_bytes);
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j < n; j++) {
                task(r, module_named(r->app, "GEMM_%d_%d_%d", i, j, k), 2 * b * b * b);
                take(r, i * n + k, tile_bytes);
                take(r, k * n + j, tile_bytes);
                change(r, i * n + j, tile_bytes);
            }
        }
    }
    finish(r, lu_operations(n * b));
}
END_TEST

/* The reflectors of a tile lie in its lower half, which nobody changes after; cell n^2 + the tile's. */
START_TEST(qr_runs)
{
    int n = _i;
    run *r = start_tiles("qr", n);
    for (int k = 0; k < n; k++) {
        task(r, module_named(r->app, "GEQRT_%d", k), qr_operations(b));
        change(r, k * n + k, tile_bytes);
        put(r, n * n + k * n + k);
        for (int j = k + 1; j < n; j++) {
            task(r, module_named(r->app, "ORMQR_%d_%d", k, j), 2 * b * b * b);
            take(r, n * n + k * n + k, tile_bytes);
            change(r, k * n + j, tile_bytes);
        }
        for (int i = k + 1; i < n; i++) {
            task(r, module_named(r->app, "TSQRT_%d_%d", i, k), 2 * b * b * b);
            change(r, k * n + k, tile_bytes);
            change(r, i * n + k, tile_bytes);
            put(r, n * n + i * n + k);
            for (int j = k + 1; j < n; j++) {
                task(r, module_named(r->app, "TSMQR_%d_%d_%d", i, j, k), 4 * b * b * b);
                take(r, n * n + i * n + k, tile_bytes);
                change(r, k * n + j, tile_bytes);
                change(r, i * n + j, tile_bytes);
            }
        }
    }
    finish(r, qr_operations(n * b));
}
END_TEST

/* 4 b^3 / 3 is no whole number for most tiles: then GEQRT is rounded. */
START_TEST(qr_counts_are_whole)
{
    inlay_generator_options options = {.kind = "qr", .sizes = {[INLAY_SIZE_TILES] = 2, [INLAY_SIZE_TILE] = 256}};
    inlay_app *app = generated(&options);
    ck_assert_double_eq(inlay_app_arithmetic(app, module_named(app, "GEQRT_1")), 22369621);
    inlay_app_free(app);
}
END_TEST

/* ---- Gaussian elimination: cells are columns ---- */

START_TEST(gauss_runs)
{
    int n = _i + 1;
    inlay_generator_options options = {.kind = "gauss", .sizes = {[INLAY_SIZE_SIZE] = n}};
    run *r = start(&options);
    for (int k = 0; k + 1 < n; k++) {
        int below = n - 1 - k;
        task(r, module_named(r->app, "pivot_%d", k), below);
        change(r, k, 8 * (below + 1));
        for (int j = k + 1; j < n; j++) {
            task(r, module_named(r->app, "update_%d_%d", k, j), 2 * below);
            take(r, k, 8 * below);
            change(r, j, 8 * (below + 1));
        }
    }
    finish(r, lu_operations(n));
}
END_TEST

/* ---- Fast Fourier transform ---- */

/* A bit for every call of one point on which a module depends. */
static uint64_t leaves(const inlay_app *app, inlay_id module, inlay_id points)
{
    if (module < 2 * points - 1) {
        return module < points - 1 ? 0 : UINT64_C(1) << (module - (points - 1));
    }
    int64_t count;
    const inlay_id *from = inlay_app_predecessors(app, module, &count);
    uint64_t all = 0;
    for (int64_t i = 0; i < count; i++) {
        all |= leaves(app, from[i], points);
    }
    return all;
}

/* Point i of level l is made of the 2^l points that share all but the last l binary digits of i. */
static uint64_t block_of(int i, int level)
{
    uint64_t ones = level == 6 ? UINT64_MAX : (UINT64_C(1) << (1 << level)) - 1;
    return ones << (i >> level << level);
}

START_TEST(fft_runs)
{
    int log = _i, points = 1 << log, cells = 2 * points;
    inlay_generator_options options = {.kind = "fft", .sizes = {[INLAY_SIZE_SIZE] = points}};
    run *r = start(&options);
    for (int level = 0; level <= log; level++) {
        for (int i = 0; i < 1 << level; i++) {
            int share = points >> level;
            task(r, module_named(r->app, "call_%d_%d", level, i), share);
            take(r, cells + (1 << level >> 1) + i / 2, 16 * share);
            put(r, cells + (1 << level) + i);
        }
    }
    for (int level = 1; level <= log; level++) {
        for (int i = 0; i < points; i++) {
            inlay_id module = module_named(r->app, "butterfly_%d_%d", level, i);
            int64_t count, apart = INT64_C(1) << (level - 1);
            inlay_id before = (inlay_id)(points - 1 + (level - 1) * points);
            const inlay_id *from = inlay_app_predecessors(r->app, module, &count);
            task(r, module, 8);
            ck_assert_int_eq(count, 2);
            ck_assert_int_eq((from[0] - before) ^ (from[1] - before), apart);
            ck_assert(leaves(r->app, module, points) == block_of(i, level));
            for (int l = 0; l < 2; l++) {
                r->writer[l] = from[l];
                take(r, l, 16);
            }
        }
    }
    finish(r, points * (log + 1) + 8.0 * points * log);
}
END_TEST

/* ---- Grids: everybody is compared with everybody ---- */

static int64_t apart(const int *a, const int *b_place)
{
    int64_t distance = 0;
    for (int d = 0; d < 3; d++) {
        distance += abs(a[d] - b_place[d]);
    }
    return distance;
}

/* Block `number` of a grid of side^dimensions; coordinates that the grid does not have are 0. */
static void locate(int number, int side, int dimensions, int *at)
{
    at[0] = at[1] = at[2] = 0;
    for (int d = dimensions - 1; d >= 0; d--) {
        at[d] = number % side;
        number /= side;
    }
}

static inlay_id named_at(const inlay_app *app, const char *prefix, int dimensions, const int *at)
{
    char name[64];
    int length = snprintf(name, sizeof name, "%s%d", prefix, at[0]);
    for (int d = 1; d < dimensions; d++) {
        length += snprintf(name + length, sizeof name - (size_t)length, "_%d", at[d]);
    }
    return module_named(app, "%s", name);
}

static int raised(int base, int exponent)
{
    return exponent == 0 ? 1 : base * raised(base, exponent - 1);
}

static void expect_stencil(int side, int dimensions, int steps)
{
    inlay_generator_options options = {.kind = "stencil",
                                       .sizes = {[INLAY_SIZE_SIZE] = side,
                                                 [INLAY_SIZE_DIMENSIONS] = dimensions,
                                                 [INLAY_SIZE_STEPS] = steps,
                                                 [INLAY_SIZE_TILE] = TILE}};
    run *r = start(&options);
    int blocks = raised(side, dimensions);
    int64_t face = 8 * raised(TILE, dimensions - 1);
    double operations = raised(TILE, dimensions) * (4 * dimensions + 1);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < blocks; i++) {
            char prefix[16];
            int here[3], there[3];
            locate(i, side, dimensions, here);
            snprintf(prefix, sizeof prefix, "s%d_", step);
            task(r, named_at(r->app, prefix, dimensions, here), operations);
            for (int j = 0; j < blocks && step > 0; j++) {
                locate(j, side, dimensions, there);
                if (apart(here, there) <= 1) {
                    take(r, (step - 1) % 2 * blocks + j, i == j ? TILE * face : face);
                }
            }
            put(r, step % 2 * blocks + i);
        }
    }
    finish(r, operations * blocks * steps);
}

static void expect_wavefront(int side, int dimensions)
{
    inlay_generator_options options = {
        .kind = "wavefront",
        .sizes = {[INLAY_SIZE_SIZE] = side, [INLAY_SIZE_DIMENSIONS] = dimensions, [INLAY_SIZE_TILE] = TILE}};
    run *r = start(&options);
    int blocks = raised(side, dimensions);
    double operations = raised(TILE, dimensions) * 2 * dimensions;
    for (int i = 0; i < blocks; i++) {
        int here[3], there[3];
        locate(i, side, dimensions, here);
        task(r, named_at(r->app, "w", dimensions, here), operations);
        for (int j = 0; j < i; j++) { /* blocks before this one in every coordinate have smaller numbers */
            locate(j, side, dimensions, there);
            if (apart(here, there) == 1) {
                take(r, j, 8 * raised(TILE, dimensions - 1));
            }
        }
        put(r, i);
    }
    finish(r, operations * blocks);
}

START_TEST(grids_run)
{
    int dimensions = _i;
    for (int side = 1; side <= 5; side++) {
        expect_wavefront(side, dimensions);
        for (int steps = 1; steps <= 3; steps++) {
            expect_stencil(side, dimensions, steps);
        }
    }
}
END_TEST

Suite *suite_generate_programs(void)
{
    Suite *suite = suite_create("generate_programs");
    TCase *tests = tcase_create("generate_programs");
    tcase_add_loop_test(tests, cholesky_runs, 1, 13);
    tcase_add_loop_test(tests, lu_runs, 1, 11);
    tcase_add_loop_test(tests, qr_runs, 1, 11);
    tcase_add_test(tests, qr_counts_are_whole);
    tcase_add_loop_test(tests, gauss_runs, 1, 16);
    tcase_add_loop_test(tests, fft_runs, 0, 7);
    tcase_add_loop_test(tests, grids_run, 1, 4);
    suite_add_tcase(suite, tests);
    return suite;
}

/*
 * Large graphs: reading and writing .tg, from the file to the finished application and back, and building an application
 * from arrays. The graphs are the task graphs of the tiled Cholesky factorisation of N x N tiles.
 */
#include "bench.h"
#include "graphs.h"
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZES = 3, FULL_SIZES = 4 };

static const int sizes[FULL_SIZES] = {20, 50, 100, 200};

/* ---- Files ---- */

/* One file, written in one process and read in another, whose peak memory is that of reading alone. */
typedef struct file {
    int tiles;
    char path[BENCH_PATH];
    const inlay_app *app; /* while it is being written */
    double lines;
} file;

typedef struct answer {
    double lines, bytes; /* of the file */
    double peak;         /* memory in bytes that reading took */
    bench_time time;
} answer;

static int write_once(void *context)
{
    const file *f = context;
    return inlay_app_write(f->app, f->path, "tg", NULL);
}

static int read_once(void *context)
{
    file *f = context;
    inlay_app *app;
    int status = inlay_app_read(f->path, "tg", &app, NULL);
    if (status == INLAY_OK) {
        f->lines = 1 + (double)inlay_app_modules(app) + (double)inlay_app_links(app);
        inlay_app_free(app);
    }
    return status;
}

/*
 * The graph as a file of the plain form says it, without kinds and operation counts, which would stand in sections
 * behind the links.
 */
static int plain_graph(const inlay_app *full, inlay_app **plain)
{
    inlay_app_builder *builder = inlay_app_builder_new(inlay_app_name(full), inlay_app_unit(full));
    int status = builder == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (inlay_id i = 0; status == INLAY_OK && i < inlay_app_modules(full); i++) {
        inlay_module module = {.name = inlay_app_module_name(full, i),
                               .time = {{inlay_app_time(full, i), inlay_app_decimals(full)}, INLAY_UNIT_NONE}};
        status = inlay_app_add_module(builder, &module, NULL);
    }
    for (inlay_id i = 0; status == INLAY_OK && i < inlay_app_modules(full); i++) {
        inlay_links out = inlay_app_out(full, i);
        for (int64_t l = 0; status == INLAY_OK && l < out.count; l++) {
            status = inlay_app_add_link(builder, i, out.module[l], out.messages[l], out.bytes[l], out.flags[l], NULL);
        }
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(builder, plain, NULL);
    }
    inlay_app_builder_free(builder);
    return status;
}

static int make_graph(int tiles, inlay_app **plain)
{
    inlay_app *full;
    int status = bench_cholesky(tiles, &full);
    if (status == INLAY_OK) {
        status = plain_graph(full, plain);
        inlay_app_free(full);
    }
    return status;
}

static int measure_writing(const void *asked, void *result)
{
    file f = *(const file *)asked;
    answer *a = result;
    inlay_app *app;
    int status = make_graph(f.tiles, &app);
    if (status == INLAY_OK) {
        f.app = app;
        status = bench_measure(write_once, &f, &a->time);
        inlay_app_free(app);
    }
    return status;
}

static int measure_reading(const void *asked, void *result)
{
    file f = *(const file *)asked;
    answer *a = result;
    struct stat on_disk;
    double before = bench_peak_memory();
    int status = bench_measure(read_once, &f, &a->time);
    a->peak = bench_peak_memory() - before;
    a->lines = f.lines;
    if (status == INLAY_OK && stat(f.path, &on_disk) != 0) {
        status = INLAY_SYSTEM;
    }
    a->bytes = status == INLAY_OK ? (double)on_disk.st_size : 0;
    return status;
}

static void print_file(bench_table *table, const char *form, const file *f, const answer *written, const answer *read)
{
    bench_cell(table, "%s", form);
    bench_cell(table, "%d", f->tiles);
    bench_cell_number(table, read->lines, 0);
    bench_cell_number(table, read->bytes / read->lines, 1);
    bench_cell_time(table, read->time.seconds);
    bench_cell_number(table, read->lines / read->time.seconds / 1e6, 2);
    bench_cell_number(table, read->peak / 0x100000, 1);
    bench_cell_number(table, read->peak / read->lines, 0);
    bench_cell_time(table, written->time.seconds);
    bench_cell_number(table, read->lines / written->time.seconds / 1e6, 2);
    bench_cell_number(table, 100 * (read->time.noise > written->time.noise ? read->time.noise : written->time.noise),
                      0);
}

static int bench_file(bench_table *table, const char *folder, const char *form, int tiles)
{
    file f = {.tiles = tiles};
    answer written = {0}, read = {0};
    char name[BENCH_PATH];
    (void)snprintf(name, sizeof name, "graph.%s", form);
    bench_folder_path(folder, name, f.path);
    int status = bench_apart(measure_writing, &f, &written, sizeof written);
    if (status == INLAY_OK) {
        status = bench_apart(measure_reading, &f, &read, sizeof read);
    }
    (void)unlink(f.path);
    if (status == INLAY_OK) {
        print_file(table, form, &f, &written, &read);
    }
    return status;
}

static int bench_files(int count)
{
    static const bench_column columns[] = {{"file", -5},   {"N", 3},        {"lines", 7},  {"B/line", 6},
                                           {"read", 7},    {"Mlines/s", 8}, {"MiB", 6},    {"B/line peak", 11},
                                           {"written", 7}, {"Mlines/s", 8}, {"noise %", 7}};
    static const char *const forms[] = {"tg", "tg.gz"};
    char folder[BENCH_PATH];
    if (bench_folder_make(folder) != 0) {
        return INLAY_SYSTEM;
    }
    bench_table table = bench_table_begin("Reading and writing .tg (inlay_app_read, inlay_app_write)", columns,
                                          sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
        for (int i = 0; status == INLAY_OK && i < count; i++) {
            status = bench_file(&table, folder, forms[form], sizes[i]);
        }
    }
    bench_folder_remove(folder);
    return status;
}

/* ---- Building ---- */

/* In which order links come. */
typedef enum order { BY_SOURCE, BY_TARGET, SHUFFLED, ORDERS } order;

static const char *const order_names[ORDERS] = {"source", "target", "none"};

typedef struct arrays {
    inlay_id modules;
    int64_t links;
    inlay_module *module; /* names are the application's */
    inlay_id *from, *to;
} arrays;

static void free_arrays(arrays *a)
{
    free(a->module);
    free(a->from);
    free(a->to);
}

static void fill_by_source(const inlay_app *app, arrays *a)
{
    int64_t at = 0;
    for (inlay_id i = 0; i < a->modules; i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++, at++) {
            a->from[at] = i;
            a->to[at] = out.module[l];
        }
    }
}

static void fill_by_target(const inlay_app *app, arrays *a)
{
    int64_t at = 0;
    for (inlay_id i = 0; i < a->modules; i++) {
        int64_t count;
        const inlay_id *before = inlay_app_predecessors(app, i, &count);
        for (int64_t l = 0; l < count; l++, at++) {
            a->from[at] = before[l];
            a->to[at] = i;
        }
    }
}

/* The same order every time (Knuth's 64-bit linear congruential generator). */
static void shuffle(arrays *a)
{
    uint64_t state = 1;
    for (int64_t i = a->links - 1; i > 0; i--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t j = (int64_t)((state >> 33) % (uint64_t)(i + 1));
        inlay_id from = a->from[i], to = a->to[i];
        a->from[i] = a->from[j];
        a->to[i] = a->to[j];
        a->from[j] = from;
        a->to[j] = to;
    }
}

static int make_arrays(const inlay_app *app, order of, arrays *a)
{
    *a = (arrays){.modules = inlay_app_modules(app), .links = inlay_app_links(app)};
    a->module = calloc((size_t)a->modules, sizeof *a->module);
    a->from = malloc((size_t)a->links * sizeof *a->from);
    a->to = malloc((size_t)a->links * sizeof *a->to);
    if (a->module == NULL || a->from == NULL || a->to == NULL) {
        free_arrays(a);
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < a->modules; i++) {
        a->module[i].name = inlay_app_module_name(app, i);
        a->module[i].time.value.digits = inlay_app_time(app, i);
    }
    if (of == BY_TARGET) {
        fill_by_target(app, a);
    } else {
        fill_by_source(app, a);
    }
    if (of == SHUFFLED) {
        shuffle(a);
    }
    return INLAY_OK;
}

static int build_once(void *context)
{
    const arrays *a = context;
    inlay_app *app = NULL;
    inlay_app_builder *builder = inlay_app_builder_new("built", INLAY_UNIT_TICK);
    int status = builder == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK) {
        status = inlay_app_builder_reserve(builder, a->modules, a->links, NULL);
    }
    if (status == INLAY_OK) {
        status = inlay_app_add_modules(builder, a->module, (size_t)a->modules, NULL);
    }
    for (int64_t l = 0; status == INLAY_OK && l < a->links; l++) {
        status = inlay_app_add_link(builder, a->from[l], a->to[l], 1, 80000, 0, NULL);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(builder, &app, NULL);
    }
    inlay_app_builder_free(builder);
    inlay_app_free(app);
    return status;
}

static int bench_building(bench_table *table, const inlay_app *app, int tiles, order of, double *before)
{
    arrays a;
    bench_time time = {0};
    int status = make_arrays(app, of, &a);
    if (status != INLAY_OK) {
        return status;
    }
    status = bench_measure(build_once, &a, &time);
    free_arrays(&a);
    if (status == INLAY_OK) {
        bench_cell(table, "%s", order_names[of]);
        bench_cell(table, "%d", tiles);
        bench_cell(table, "%d", (int)a.modules);
        bench_cell_number(table, (double)a.links, 0);
        bench_cell_time(table, time.seconds);
        bench_cell_time(table, time.seconds / ((double)a.modules + (double)a.links));
        bench_cell_number(table, *before > 0 ? time.seconds / *before : 1, 2);
        bench_cell_number(table, 100 * time.noise, 0);
        *before = *before > 0 ? *before : time.seconds;
    }
    return status;
}

static int bench_orders(bench_table *table, int tiles)
{
    inlay_app *app;
    double by_source = 0;
    int status = bench_cholesky(tiles, &app);
    if (status != INLAY_OK) {
        return status;
    }
    for (int of = 0; status == INLAY_OK && of < ORDERS; of++) {
        status = bench_building(table, app, tiles, (order)of, &by_source);
    }
    inlay_app_free(app);
    return status;
}

static int bench_builds(int count)
{
    static const bench_column columns[] = {{"links by", -8}, {"N", 3},        {"modules", 7},     {"links", 7},
                                           {"time", 7},      {"time/row", 8}, {"/by source", 10}, {"noise %", 7}};
    bench_table table = bench_table_begin("Building from arrays (inlay_app_builder_reserve, inlay_app_add_modules, "
                                          "inlay_app_add_link, inlay_app_build)",
                                          columns, sizeof columns / sizeof *columns);
    int status = INLAY_OK;
    for (int i = 0; status == INLAY_OK && i < count; i++) {
        status = bench_orders(&table, sizes[i]);
    }
    return status;
}

int main(int argc, char **argv)
{
    bool full;
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    int count = full ? FULL_SIZES : SIZES;
    int status = bench_files(count);
    if (status == INLAY_OK) {
        status = bench_builds(count);
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

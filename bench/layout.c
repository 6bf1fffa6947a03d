/*
 * Layout on machines with distance beside Scotch's static mapping (scotch_gmap): the same clusters, the same distances.
 *
 * An application is clustered and reduced to as many clusters as the machine has processors. The clusters are then an
 * application of their own, of equal modules that stay apart, which is mapped: its sum of c d is what is compared.
 */
#include "bench.h"
#include "program.h"
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages cost next to nothing: the layout alone is in question. */
static const char capacity[] = "capacity=1e15msg/tick";

typedef struct subject {
    const char *machine;
    const char *target; /* of Scotch, with the same distances */
    int processors;
} subject;

static const subject subjects[] = {
    {"mesh:4x4", "mesh2D 4 4", 16},       {"mesh:8x8", "mesh2D 8 8", 64}, {"mesh:16x16", "mesh2D 16 16", 256},
    {"torus:4x4x4", "torus3D 4 4 4", 64}, {"hypercube:64", "hcub 6", 64}, {"fattree:4x4x4", "tleaf 3 4 6 4 4 4 2", 64},
    {"mesh:32x32", "mesh2D 32 32", 1024}, /* from here on with `full` */
    {"mesh:64x64", "mesh2D 64 64", 4096},
};

enum { SUBJECTS = 6, FULL_SUBJECTS = sizeof subjects / sizeof *subjects, SHAPES = 4 };

static const char *const shapes[SHAPES] = {"cholesky", "fft", "stencil", "layered"};

/* Traffic between clusters: a square table would be too large for the largest machines. */
typedef struct crowd {
    inlay_id clusters;
    size_t pairs;
    inlay_flow *pair; /* from < to, each once; owned */
} crowd;

/* What one row of the table says. */
typedef struct row {
    int64_t in_order, nearest, sum; /* Inlay's sums of c d */
    bench_time time;                /* of the mapping on the machine */
    bench_time plain;               /* and on a bus, where there is nothing to lay out */
    bool scotch;                    /* whether Scotch could be run */
    int64_t raw, apart;             /* its sum as it is, and with one cluster a processor */
    int doubled;                    /* clusters that stood where another one was */
    double worked;                  /* processor time of its mapping */
} row;

/* ---- Cluster graphs ---- */

/* Graphs with several modules a processor. */
static inlay_generator_options shape_of(const char *shape, int processors)
{
    inlay_generator_options options = {.kind = shape, .seed = 5};
    int side = (int)lround(sqrt(processors));
    if (strcmp(shape, "cholesky") == 0) {
        options.sizes[INLAY_SIZE_TILES] = 4 + 5 * side / 2;
    } else if (strcmp(shape, "fft") == 0) {
        options.sizes[INLAY_SIZE_SIZE] = 4 * (int64_t)processors;
    } else if (strcmp(shape, "stencil") == 0) {
        options.sizes[INLAY_SIZE_SIZE] = 4 * (int64_t)side;
        options.sizes[INLAY_SIZE_STEPS] = 8;
    } else {
        options.sizes[INLAY_SIZE_WIDTH] = 2 * (int64_t)processors;
        options.sizes[INLAY_SIZE_LEVELS] = 20;
        options.sizes[INLAY_SIZE_DEGREE] = 2;
    }
    return options;
}

static int compare_pairs(const void *a, const void *b)
{
    const inlay_flow *x = a;
    const inlay_flow *y = b;
    int by_from = (x->from > y->from) - (x->from < y->from);
    return by_from != 0 ? by_from : (x->to > y->to) - (x->to < y->to);
}

/* Both directions of a pair become one. */
static void fold(crowd *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->pairs; i++) {
        inlay_flow *f = &c->pair[i];
        if (f->from > f->to) {
            inlay_id from = f->from;
            f->from = f->to;
            f->to = from;
        }
    }
    qsort(c->pair, c->pairs, sizeof *c->pair, compare_pairs);
    for (size_t i = 0; i < c->pairs; i++) {
        if (kept > 0 && compare_pairs(&c->pair[kept - 1], &c->pair[i]) == 0) {
            c->pair[kept - 1].traffic += c->pair[i].traffic;
        } else {
            c->pair[kept++] = c->pair[i];
        }
    }
    c->pairs = kept;
}

static int make_crowd(const char *shape, int processors, crowd *c)
{
    inlay_generator_options options = shape_of(shape, processors);
    inlay_app *app = NULL;
    inlay_machine *bus = NULL;
    inlay_mapping *mapping = NULL;
    char text[64];
    (void)snprintf(text, sizeof text, "bus:%d,%s", processors, capacity);
    int status = inlay_generate(&options, &app, NULL);
    if (status == INLAY_OK) {
        status = inlay_machine_parse(text, &bus, NULL);
    }
    if (status == INLAY_OK) {
        const inlay_options by = {.method = inlay_method_named("houstis")};
        status = inlay_map(app, bus, &by, &mapping, NULL);
    }
    if (status == INLAY_OK) {
        c->clusters = inlay_mapping_summary(mapping)->clusters;
        status = inlay_mapping_flows(mapping, &c->pair, &c->pairs, NULL);
    }
    if (status == INLAY_OK) {
        fold(c);
    }
    inlay_mapping_free(mapping);
    inlay_machine_free(bus);
    inlay_app_free(app);
    return status;
}

/* ---- Inlay ---- */

static const inlay_duration equal_time = {{1000, 0}, INLAY_UNIT_TICK};

/* The clusters as modules of one time, with traffic alone between them. */
static int crowd_app(const crowd *c, inlay_app **app)
{
    inlay_app_builder *builder = inlay_app_builder_new("clusters", INLAY_UNIT_TICK);
    int status = builder == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (inlay_id i = 0; i < c->clusters && status == INLAY_OK; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "c%d", (int)i);
        status = inlay_app_add_module(builder, &(inlay_module){.name = name, .time = equal_time}, NULL);
    }
    for (size_t i = 0; i < c->pairs && status == INLAY_OK; i++) {
        const inlay_flow *f = &c->pair[i];
        status = inlay_app_add_link(builder, f->from, f->to, f->traffic, 0, INLAY_LINK_TRAFFIC_ONLY, NULL);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(builder, app, NULL);
    }
    inlay_app_builder_free(builder);
    return status;
}

typedef struct job {
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_summary summary;
} job;

/* T is the time of one module: no two are put together. */
static int run_map(void *context)
{
    job *j = context;
    const inlay_options options = {.has_time_frame = true, .time_frame = equal_time};
    inlay_mapping *mapping = NULL;
    int status = inlay_map(j->app, j->machine, &options, &mapping, NULL);
    if (status == INLAY_OK) {
        j->summary = *inlay_mapping_summary(mapping);
        inlay_mapping_free(mapping);
    }
    return status;
}

static int measure(const inlay_app *app, const char *text, inlay_summary *summary, bench_time *time)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_parse(text, &machine, NULL);
    if (status == INLAY_OK) {
        job j = {.app = app, .machine = machine};
        status = bench_measure(run_map, &j, time);
        *summary = j.summary;
        inlay_machine_free(machine);
    }
    return status;
}

static int measure_inlay(const crowd *c, const subject *on, row *r)
{
    inlay_app *app = NULL;
    inlay_summary summary;
    char text[64];
    int status = crowd_app(c, &app);
    if (status == INLAY_OK) {
        (void)snprintf(text, sizeof text, "bus:%d,%s", on->processors, capacity);
        status = measure(app, text, &summary, &r->plain);
    }
    if (status == INLAY_OK) {
        (void)snprintf(text, sizeof text, "%s,%s", on->machine, capacity);
        status = measure(app, text, &summary, &r->time);
    }
    if (status == INLAY_OK) {
        r->in_order = summary.weighted_in_order;
        r->nearest = summary.weighted_nearest;
        r->sum = summary.weighted_traffic;
    }
    inlay_app_free(app);
    return status;
}

/* ---- Scotch ---- */

static FILE *open_in(const char *folder, const char *file, const char *mode)
{
    char path[BENCH_PATH];
    bench_folder_path(folder, file, path);
    return fopen(path, mode);
}

static bool write_target(const subject *on, const char *folder)
{
    FILE *to = open_in(folder, "machine.tgt", "w");
    bool fine = to != NULL && fprintf(to, "%s\n", on->target) > 0;
    return to != NULL && fclose(to) == 0 && fine;
}

/* Vertices weigh 1, edges their traffic (Scotch and libScotch 7.0 user's guide, section 5.1). */
static bool write_graph(const crowd *c, const char *folder)
{
    size_t clusters = (size_t)c->clusters;
    size_t *begin = calloc(clusters + 1, sizeof *begin);
    const inlay_flow **arc = malloc((2 * c->pairs + 1) * sizeof *arc);
    FILE *to = open_in(folder, "clusters.grf", "w");
    bool fine = begin != NULL && arc != NULL && to != NULL;
    for (size_t i = 0; fine && i < c->pairs; i++) {
        begin[c->pair[i].from + 1]++;
        begin[c->pair[i].to + 1]++;
    }
    for (size_t i = 0; fine && i < clusters; i++) {
        begin[i + 1] += begin[i];
    }
    for (size_t i = c->pairs; fine && i-- > 0;) { /* rows fill from their ends */
        arc[--begin[c->pair[i].from + 1]] = &c->pair[i];
        arc[--begin[c->pair[i].to + 1]] = &c->pair[i];
    }
    fine = fine && fprintf(to, "0\n%d %zu\n0 010\n", (int)c->clusters, 2 * c->pairs) > 0;
    for (size_t i = 0; fine && i < clusters; i++) { /* begin[i + 1] is now where row i begins */
        size_t end = i + 1 < clusters ? begin[i + 2] : 2 * c->pairs;
        (void)fprintf(to, "%zu", end - begin[i + 1]);
        for (size_t e = begin[i + 1]; e < end; e++) {
            inlay_id other = arc[e]->from == (inlay_id)i ? arc[e]->to : arc[e]->from;
            (void)fprintf(to, " %lld %d", (long long)arc[e]->traffic, (int)other);
        }
        (void)fputc('\n', to);
    }
    free(begin);
    free(arc);
    return to != NULL && fclose(to) == 0 && fine;
}

static bool run_scotch(const char *folder, double *worked)
{
    char graph[BENCH_PATH];
    char target[BENCH_PATH];
    char map[BENCH_PATH];
    bench_folder_path(folder, "clusters.grf", graph);
    bench_folder_path(folder, "machine.tgt", target);
    bench_folder_path(folder, "clusters.map", map);
    /* one thread, and the same random numbers every time */
    (void)setenv("SCOTCH_PTHREAD_NUMBER", "1", 1);
    const char *const command[] = {"scotch_gmap", "-Cdf", "-vt", graph, target, map, NULL};
    bench_run run;
    if (bench_program_run(command, &run) != 0) {
        return false;
    }
    /* it prints elapsed times: their ratio tells the share of the processor's */
    double share = bench_number_after(run.output, "Mapping") / bench_number_after(run.output, "Total");
    *worked = run.worked * share;
    return true;
}

static long next_number(FILE *from)
{
    char text[24];
    return fscanf(from, "%23s", text) == 1 ? strtol(text, NULL, 10) : -1;
}

static bool read_map(const char *folder, inlay_id clusters, int processors, inlay_id *at)
{
    FILE *from = open_in(folder, "clusters.map", "r");
    if (from == NULL) {
        return false;
    }
    bool fine = next_number(from) == clusters;
    for (inlay_id i = 0; fine && i < clusters; i++) {
        long cluster = next_number(from);
        long processor = next_number(from);
        fine = cluster >= 0 && cluster < clusters && processor >= 0 && processor < processors;
        if (fine) {
            at[cluster] = (inlay_id)processor;
        }
    }
    (void)fclose(from);
    return fine;
}

static int64_t sum_of(const crowd *c, const inlay_machine *machine, const inlay_id *at)
{
    int64_t sum = 0;
    for (size_t i = 0; i < c->pairs; i++) {
        const inlay_flow *f = &c->pair[i];
        sum += f->traffic * inlay_machine_distance(machine, at[f->from], at[f->to]);
    }
    return sum;
}

/* The free processor where a cluster adds least. */
static inlay_id best_free(const crowd *c, const inlay_machine *machine, const inlay_id *at, const bool *taken,
                          inlay_id cluster)
{
    inlay_id best = -1;
    int64_t least = 0;
    for (inlay_id q = 0; q < inlay_machine_processors(machine); q++) {
        int64_t sum = 0;
        for (size_t i = 0; !taken[q] && i < c->pairs; i++) {
            const inlay_flow *f = &c->pair[i];
            if (f->from == cluster || f->to == cluster) {
                sum += f->traffic * inlay_machine_distance(machine, q, at[f->from == cluster ? f->to : f->from]);
            }
        }
        if (!taken[q] && (best < 0 || sum < least)) {
            best = q;
            least = sum;
        }
    }
    return best;
}

/* Of several clusters on one processor the first stays; the others go one after the other. */
static int repair(const crowd *c, const inlay_machine *machine, inlay_id *at, bool *taken)
{
    int doubled = 0;
    bool *first = calloc((size_t)c->clusters, sizeof *first);
    for (inlay_id i = 0; first != NULL && i < c->clusters; i++) {
        first[i] = !taken[at[i]];
        taken[at[i]] = true;
    }
    for (inlay_id i = 0; first != NULL && i < c->clusters; i++) {
        if (!first[i]) {
            at[i] = best_free(c, machine, at, taken, i);
            taken[at[i]] = true;
            doubled++;
        }
    }
    free(first);
    return doubled;
}

static int judge_scotch(const crowd *c, const subject *on, const char *folder, row *r)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_parse(on->machine, &machine, NULL);
    inlay_id *at = malloc((size_t)c->clusters * sizeof *at);
    bool *taken = calloc((size_t)on->processors, sizeof *taken);
    if (status == INLAY_OK && (at == NULL || taken == NULL)) {
        status = INLAY_NO_MEMORY;
    }
    if (status == INLAY_OK && read_map(folder, c->clusters, on->processors, at)) {
        r->scotch = true;
        r->raw = sum_of(c, machine, at);
        r->doubled = repair(c, machine, at, taken);
        r->apart = sum_of(c, machine, at);
    }
    free(at);
    free(taken);
    inlay_machine_free(machine);
    return status;
}

static int measure_scotch(const crowd *c, const subject *on, const char *folder, row *r)
{
    if (!bench_program_found("scotch_gmap")) {
        return INLAY_OK;
    }
    if (!write_graph(c, folder) || !write_target(on, folder)) {
        return INLAY_SYSTEM;
    }
    return run_scotch(folder, &r->worked) ? judge_scotch(c, on, folder, r) : INLAY_OK;
}

/* ---- The table ---- */

static void print_row(bench_table *table, const subject *on, const char *shape, inlay_id clusters, const row *r)
{
    double of = r->scotch ? 1 : NAN;
    bench_cell(table, "%s", on->machine);
    bench_cell(table, "%s", shape);
    bench_cell(table, "%d", (int)clusters);
    bench_cell_number(table, (double)r->in_order, 0);
    bench_cell_number(table, (double)r->nearest, 0);
    bench_cell_number(table, (double)r->sum, 0);
    bench_cell_time(table, r->time.seconds - r->plain.seconds);
    bench_cell_number(table, of * (double)r->raw, 0);
    bench_cell_number(table, of * r->doubled, 0);
    bench_cell_number(table, of * (double)r->apart, 0);
    bench_cell_time(table, of * r->worked);
    bench_cell_number(table, of * (double)r->sum / (double)r->raw, 3);
    bench_cell_number(table, of * (double)r->sum / (double)r->apart, 3);
    bench_cell_number(table, 100 * r->time.noise, 0);
}

static int bench_row(bench_table *table, const subject *on, const char *shape, const char *folder, double *worst)
{
    crowd c = {0};
    row r = {0};
    int status = make_crowd(shape, on->processors, &c);
    if (status == INLAY_OK) {
        status = measure_inlay(&c, on, &r);
    }
    if (status == INLAY_OK) {
        status = measure_scotch(&c, on, folder, &r);
    }
    if (status == INLAY_OK) {
        print_row(table, on, shape, c.clusters, &r);
        *worst = fmax(*worst, r.scotch ? (double)r.sum / (double)r.apart : INFINITY);
    }
    free(c.pair);
    return status;
}

static int bench_in(const char *folder, int count)
{
    static const bench_column columns[] = {{"machine", -13}, {"graph", -8},   {"clusters", 8}, {"in order", 9},
                                           {"nearest", 9},   {"sum", 9},      {"time", 7},     {"Scotch", 9},
                                           {"doubled", 7},   {"one each", 9}, {"time", 7},     {"/Scotch", 7},
                                           {"/one each", 9}, {"noise %", 7}};
    static const double goal = 1.10;
    double worst = 0;
    bench_table table = bench_table_begin("Layout: sum of c d beside scotch_gmap, on the same clusters", columns,
                                          sizeof columns / sizeof *columns);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < SHAPES; j++) {
            int status = bench_row(&table, &subjects[i], shapes[j], folder, &worst);
            if (status != INLAY_OK) {
                return status;
            }
        }
    }
    if (isinf(worst)) {
        (void)printf("Scotch: scotch_gmap %s\n", bench_program_found("scotch_gmap")
                                                     ? "failed on a graph"
                                                     : "is not installed; `make bench-setup` does that");
    } else {
        (void)printf("largest /one each: %.3f; goal: at most %.2f, %s\n", worst, goal,
                     worst <= goal ? "met" : "NOT MET");
    }
    return INLAY_OK;
}

int main(int argc, char **argv)
{
    bool full;
    char folder[BENCH_PATH];
    if (!bench_arguments(argc, argv, &full)) {
        return 2;
    }
    int status = bench_folder_make(folder) == 0 ? INLAY_OK : INLAY_SYSTEM;
    if (status == INLAY_OK) {
        status = bench_in(folder, full ? FULL_SUBJECTS : SUBJECTS);
        bench_folder_remove(folder);
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

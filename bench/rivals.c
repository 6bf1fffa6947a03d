/*
 * Method best beside its rivals. A row tells how many times as long as best each of them takes: the geometric mean over the
 * cases of the row, and the least, which is below 1 where best was beaten.
 */
#include "rivals.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const rivals[] = {"one",  "round-robin", "block-cyclic",    "blocks", "random", "houstis",
                                     "heft", "linear",      "heft-contention", "dsc",    "metis",  "scotch"};

enum { RIVALS = sizeof rivals / sizeof *rivals, NAME = 300 };

typedef struct standing {
    int cases, beaten, answers[RIVALS];
    double logs[RIVALS], least[RIVALS]; /* of a rival's time over best's */
    double bound, seconds, slowest;     /* log of best's time over the largest lower bound; of best */
} standing;

/* ---- Tables ---- */

static void print_head(const char *title)
{
    printf("\n%s\nElapsed time over that of best: geometric mean, and the least\n%-34s %6s %6s %6s %6s", title, "",
           "cases", "beaten", "mean s", "most s");
    printf(" %15s", "best/bound");
    for (int r = 0; r < RIVALS; r++) {
        printf(" %15s", rivals[r]);
    }
    printf("\n");
}

static void print_row(const char *name, const standing *s)
{
    printf("%-34s %6d %6d %6.2f %6.2f %15.3f", name, s->cases, s->beaten, s->seconds / s->cases, s->slowest,
           exp(s->bound / s->cases));
    for (int r = 0; r < RIVALS; r++) {
        if (s->answers[r] > 0) {
            printf(" %8.3f %6.3f", exp(s->logs[r] / s->answers[r]), s->least[r]);
        } else {
            printf(" %15s", "-");
        }
    }
    printf("\n");
    (void)fflush(stdout);
}

static void add(standing *all, const standing *s)
{
    all->cases += s->cases;
    all->beaten += s->beaten;
    all->bound += s->bound;
    all->seconds += s->seconds;
    all->slowest = fmax(all->slowest, s->slowest);
    for (int r = 0; r < RIVALS; r++) {
        if (s->answers[r] > 0) {
            all->least[r] = all->answers[r] > 0 ? fmin(all->least[r], s->least[r]) : s->least[r];
        }
        all->answers[r] += s->answers[r];
        all->logs[r] += s->logs[r];
    }
}

/* ---- A case ---- */

/* What has no such method, or refuses the problem, has no answer. */
static int try_rival(const judge *q, const inlay_app *app, const inlay_machine *machine, int r, double best,
                     standing *s)
{
    const inlay_options options = {.method = inlay_method_named(rivals[r]), .ignore_cores = true};
    judged_answer found;
    if (options.method == NULL) {
        return INLAY_OK;
    }
    int status = judged_map(q, app, machine, &options, &found);
    if (status == INLAY_BAD_ARGUMENT) {
        return INLAY_OK;
    }
    if (status == INLAY_OK) {
        double ratio = found.elapsed / best;
        s->least[r] = s->answers[r] > 0 ? fmin(s->least[r], ratio) : ratio;
        s->answers[r]++;
        s->logs[r] += log(ratio);
        s->beaten += ratio < 1 - 1e-9;
    }
    return status;
}

/* Of an application that stands in q->app. */
static int try_all(const judge *q, const inlay_app *app, const char *machine_text, standing *s)
{
    inlay_machine *machine = NULL;
    judged_answer best;
    int status = judged_machine(machine_text, &machine);
    if (status == INLAY_OK) {
        status = judged_map(q, app, machine, &(inlay_options){.ignore_cores = true}, &best);
    }
    if (status == INLAY_OK) {
        s->cases++;
        s->bound += log(best.elapsed / best.least);
        s->seconds += best.seconds;
        s->slowest = fmax(s->slowest, best.seconds);
    }
    for (int r = 0; status == INLAY_OK && r < RIVALS; r++) {
        status = try_rival(q, app, machine, r, best.elapsed, s);
    }
    inlay_machine_free(machine);
    return status;
}

/* ---- Generated graphs ---- */

typedef struct recipe {
    const char *kind;
    int64_t sizes[INLAY_SIZES];
    double rate, ccr,
        bandwidth; /* 0: a thousand million operations a second; as the kind has it; that many bytes a second */
} recipe;

/* The application, in q->app as well. */
static int cook(const judge *q, const recipe *r, inlay_app **app)
{
    inlay_generator_options options = {.kind = r->kind,
                                       .rate = r->rate > 0 ? r->rate : 1e9,
                                       .has_ccr = r->ccr > 0,
                                       .ccr = r->ccr,
                                       .bandwidth = r->ccr <= 0        ? 0
                                                    : r->bandwidth > 0 ? r->bandwidth
                                                                       : 1e9,
                                       .seed = 1};
    inlay_app *made = NULL;
    inlay_diag *diag = inlay_diag_new();
    memcpy(options.sizes, r->sizes, sizeof options.sizes);
    int status = inlay_generate(&options, &made, diag);
    if (status == INLAY_OK) {
        status = inlay_app_write(made, q->app, "tg", diag);
        inlay_app_free(made);
    }
    status = status == INLAY_OK ? inlay_app_read(q->app, "tg", app, diag) : status;
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", r->kind, inlay_diag_message(diag));
    }
    inlay_diag_free(diag);
    return status;
}

static const recipe kinds[] = {
    {.kind = "cholesky", .sizes = {[INLAY_SIZE_TILES] = 8}},
    {.kind = "lu", .sizes = {[INLAY_SIZE_TILES] = 6}},
    {.kind = "fft", .sizes = {[INLAY_SIZE_SIZE] = 16}},
    {.kind = "gauss", .sizes = {[INLAY_SIZE_SIZE] = 14}},
    {.kind = "stencil", .sizes = {[INLAY_SIZE_SIZE] = 5, [INLAY_SIZE_STEPS] = 4}},
    {.kind = "in-tree", .sizes = {[INLAY_SIZE_LEVELS] = 7}},
    {.kind = "fork-join", .sizes = {[INLAY_SIZE_STEPS] = 5, [INLAY_SIZE_WIDTH] = 20}},
    {.kind = "series-parallel", .sizes = {[INLAY_SIZE_MODULES] = 100}},
    {.kind = "layered", .sizes = {[INLAY_SIZE_LEVELS] = 10, [INLAY_SIZE_WIDTH] = 10}},
    {.kind = "erdos-renyi", .sizes = {[INLAY_SIZE_MODULES] = 100}},
    {.kind = "montage", .sizes = {[INLAY_SIZE_SIZE] = 5}},
};
static const double ratios[] = {0.1, 1, 5, 10};

enum { KINDS = sizeof kinds / sizeof *kinds, RATIOS = sizeof ratios / sizeof *ratios, RISING = 32 };

/* On 1 to RISING processors of a bus: how often more are slower. */
static int rise(const judge *q, const inlay_app *app, int *slower)
{
    inlay_machine *machine = NULL;
    double before = INFINITY;
    int status = judged_machine("bus:32,capacity=1GB/s", &machine);
    for (inlay_id p = 1; status == INLAY_OK && p <= RISING; p++) {
        judged_answer found;
        status = judged_map(q, app, machine, &(inlay_options){.processors = p}, &found);
        *slower += status == INLAY_OK && found.elapsed > before * (1 + 1e-9);
        before = status == INLAY_OK ? found.elapsed : before;
    }
    inlay_machine_free(machine);
    return status;
}

int rivals_generated(const judge *q)
{
    static const char *const machines[] = {"bus:16,capacity=1GB/s", "mesh:4x4,capacity=1GB/s",
                                           "star:16,capacity=1GB/s"};
    standing all = {0}, by_ratio[RATIOS] = {{0}};
    int status = INLAY_OK, slower = 0;
    print_head("Generated graphs: messages of 0.1, 1, 5 and 10 times the computation on bus:16, mesh:4x4, star:16");
    for (int k = 0; status == INLAY_OK && k < KINDS; k++) {
        standing of_kind = {0};
        for (int c = 0; status == INLAY_OK && c < RATIOS; c++) {
            recipe r = kinds[k];
            inlay_app *app = NULL;
            standing s = {0};
            r.ccr = ratios[c];
            status = cook(q, &r, &app);
            for (size_t m = 0; status == INLAY_OK && m < sizeof machines / sizeof *machines; m++) {
                status = try_all(q, app, machines[m], &s);
            }
            if (status == INLAY_OK && c == 1) {
                status = rise(q, app, &slower);
            }
            inlay_app_free(app);
            add(&of_kind, &s);
            add(&by_ratio[c], &s);
        }
        if (status == INLAY_OK) {
            print_row(kinds[k].kind, &of_kind);
            add(&all, &of_kind);
        }
    }
    for (int c = 0; status == INLAY_OK && c < RATIOS; c++) {
        char name[NAME];
        (void)snprintf(name, sizeof name, "messages %g times computation", ratios[c]);
        print_row(name, &by_ratio[c]);
    }
    if (status == INLAY_OK) {
        print_row("all", &all);
        printf("from 1 to %d processors of a bus, %d graphs: %d times slower with one more\n", RISING, KINDS, slower);
    }
    return status;
}

/* ---- Factorisations and transforms ---- */

int rivals_tiles(const judge *q)
{
    /* Tiles of 100 x 100 numbers, 80 kB; points that stand for as many. */
    static const struct {
        const char *name;
        recipe is;
    } graphs[] = {
        {"cholesky 20", {.kind = "cholesky", .sizes = {[INLAY_SIZE_TILES] = 20, [INLAY_SIZE_TILE] = 100}}},
        {"cholesky 50", {.kind = "cholesky", .sizes = {[INLAY_SIZE_TILES] = 50, [INLAY_SIZE_TILE] = 100}}},
        {"lu 20", {.kind = "lu", .sizes = {[INLAY_SIZE_TILES] = 20, [INLAY_SIZE_TILE] = 100}}},
        {"lu 50", {.kind = "lu", .sizes = {[INLAY_SIZE_TILES] = 50, [INLAY_SIZE_TILE] = 100}}},
        {"fft 256",
         {.kind = "fft", .sizes = {[INLAY_SIZE_SIZE] = 256}, .rate = 1e5, .ccr = 1.5775, .bandwidth = 1.25e9}},
        {"fft 4096",
         {.kind = "fft", .sizes = {[INLAY_SIZE_SIZE] = 4096}, .rate = 1e5, .ccr = 1.5266, .bandwidth = 1.25e9}},
    };
    static const struct {
        const char *name;
        bool shared; /* one bus, whose bound is printed alone */
    } machines[] = {{"bus:16", true},    {"multibus:16,buses=4,memories=16", false},
                    {"mesh:4x4", false}, {"fattree:4x4,up=1x2", false},
                    {"bus:64", true},    {"multibus:64,buses=4,memories=64", false},
                    {"mesh:8x8", false}, {"fattree:4x4x4,up=1x2x2", false}};
    standing apart = {0}, shared = {0};
    int status = INLAY_OK;
    print_head("Tiles of 80 kB at 1 Gflop/s, over 1.25 GB/s + 5 us");
    for (size_t m = 0; status == INLAY_OK && m < sizeof machines / sizeof *machines; m++) {
        for (size_t g = 0; status == INLAY_OK && g < sizeof graphs / sizeof *graphs; g++) {
            char name[NAME], text[NAME];
            inlay_app *app = NULL;
            standing s = {0};
            (void)snprintf(name, sizeof name, "%s, %.20s", graphs[g].name, machines[m].name);
            (void)snprintf(text, sizeof text, "%s,capacity=1.25GB/s,latency=5us", machines[m].name);
            status = cook(q, &graphs[g].is, &app);
            if (status == INLAY_OK) {
                status = try_all(q, app, text, &s);
            }
            inlay_app_free(app);
            if (status == INLAY_OK) {
                print_row(name, &s);
                add(machines[m].shared ? &shared : &apart, &s);
            }
        }
    }
    if (status == INLAY_OK) {
        print_row("one bus", &shared);
        print_row("four buses, meshes, fat trees", &apart);
    }
    return status;
}

/* ---- Workflows ---- */

static int is_workflow(const struct dirent *entry)
{
    return strstr(entry->d_name, ".json") != NULL;
}

/* In q->app too, for the checker. */
static int read_workflow(const judge *q, const char *data, const char *name, inlay_app **app)
{
    char path[2 * NAME + JUDGED_TEXT];
    inlay_app *read = NULL;
    (void)snprintf(path, sizeof path, "%s/wfformat/%s", data, name);
    int status = inlay_app_read(path, NULL, &read, NULL);
    if (status == INLAY_OK) {
        status = inlay_app_write(read, q->app, "tg", NULL);
        inlay_app_free(read);
    }
    return status == INLAY_OK ? inlay_app_read(q->app, "tg", app, NULL) : status;
}

int rivals_workflows(const judge *q, const char *data)
{
    static const char *const machines[] = {"bus:8,capacity=1GB/s", "bus:64,capacity=1GB/s", "star:8,capacity=1GB/s",
                                           "star:64,capacity=1GB/s"};
    char folder[NAME];
    struct dirent **entries = NULL;
    standing all = {0};
    (void)snprintf(folder, sizeof folder, "%s/wfformat", data);
    int status = INLAY_OK, count = scandir(folder, &entries, is_workflow, alphasort);
    if (count < 0) {
        (void)fprintf(stderr, "%s cannot be read: expected INLAY_DATA to name the folder of the data\n", folder);
        return INLAY_BAD_INPUT;
    }
    print_head("Workflows on bus:8, bus:64, star:8, star:64, 1 GB/s");
    for (int k = 0; k < count; k++) {
        inlay_app *app = NULL;
        standing s = {0};
        if (status == INLAY_OK) {
            status = read_workflow(q, data, entries[k]->d_name, &app);
        }
        for (size_t m = 0; status == INLAY_OK && m < sizeof machines / sizeof *machines; m++) {
            status = try_all(q, app, machines[m], &s);
        }
        if (status == INLAY_OK) {
            char name[NAME];
            (void)snprintf(name, sizeof name, "%.30s", entries[k]->d_name);
            print_row(name, &s);
            add(&all, &s);
        }
        inlay_app_free(app);
        free(entries[k]);
    }
    free(entries);
    if (status == INLAY_OK) {
        print_row("all", &all);
    }
    return status;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Programs of StarPU's: random graphs and models, written as StarPU writes them, against what the test knows of them; what is damaged;
 * out of memory at every allocation.
 */
#include "base/plain.h"
#include "random_app.h"
#include "starve.h"
#include "unit.h"
#include <inlay/inlay.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SEEDS = 120,
    DAMAGED = 1500,
    TEXT = 60000,
    CODELETS = 4,
    TASKS = 30,
    TYPES = 3,
    SIZES = 3,
    DEVICES = 3,
    KERNELS = 2
};

static const char *const types[TYPES] = {"cpu", "cuda", "opencl"};
static char folder[] = "/tmp/inlay-starpu-XXXXXX", path[64];

static void set_up(void)
{
    strcpy(folder, "/tmp/inlay-starpu-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.dot", folder);
}

static void tear_down(void)
{
    DIR *all = opendir(folder);
    for (struct dirent *at; all != NULL && (at = readdir(all)) != NULL;)
        unlinkat(dirfd(all), at->d_name, 0);
    closedir(all);
    rmdir(folder);
}

static void write_text(const char *file, const char *text, size_t size)
{
    FILE *to = fopen(file, "w");
    ck_assert_ptr_nonnull(to);
    ck_assert_uint_eq(fwrite(text, 1, size, to), size);
    ck_assert_int_eq(fclose(to), 0);
}

/* ---- What a codelet takes ---- */

/** Mean and count of a device, an implementation and a size; count 0: not measured. */
typedef struct sample {
    double mean;
    int count;
} sample;

typedef struct codelet {
    bool there; /**< whether it has a model */
    sample of[TYPES][DEVICES][KERNELS][SIZES];
    int size[SIZES]; /**< bytes, all different */
} codelet;

static codelet draw_codelet(uint64_t *state)
{
    codelet c = {.there = !random_once_in(state, 6)};
    for (int s = 0; s < SIZES; s++)
        c.size[s] = 100 * (1 + (int)random_below(state, 1000)) + s;
    for (int t = 0; t < TYPES; t++) {
        bool type = t == 0 || random_once_in(state, 2);
        for (int d = 0; d < DEVICES; d++)
            for (int k = 0; k < KERNELS; k++)
                for (int s = 0; s < SIZES; s++)
                    if (type && random_once_in(state, 2))
                        c.of[t][d][k][s] =
                            (sample){(double)(1 + random_below(state, 100000)) / 16, 1 + (int)random_below(state, 50)};
    }
    return c;
}

/** By the smallest mean of its implementations, NaN: not measured. */
static sample quickest(const codelet *c, int type, int device, int size)
{
    sample best = {NAN, 0};
    for (int k = 0; k < KERNELS; k++)
        if (c->of[type][device][k][size].count > 0 && !(c->of[type][device][k][size].mean >= best.mean))
            best = c->of[type][device][k][size];
    return best;
}

static int count_of(const codelet *c, int size)
{
    int count = 0;
    for (int t = 0; t < TYPES; t++)
        for (int d = 0; d < DEVICES; d++)
            count += quickest(c, t, d, size).count;
    return count;
}

/** Which size it is; -1: no model. Sets of equal counts are avoided by the caller. */
static int size_of(const codelet *c, inlay_starpu_size by)
{
    int best = -1;
    for (int s = 0; s < SIZES && c->there; s++) {
        bool better = best < 0 || (by == INLAY_STARPU_LARGEST    ? c->size[s] > c->size[best]
                                   : by == INLAY_STARPU_SMALLEST ? c->size[s] < c->size[best]
                                                                 : count_of(c, s) > count_of(c, best));
        if (count_of(c, s) > 0 && better) best = s;
    }
    return best;
}

static bool is_ambiguous(const codelet *c)
{
    for (int s = 0; s < SIZES; s++)
        for (int r = 0; r < s; r++)
            if (count_of(c, s) == count_of(c, r) && count_of(c, s) > 0) return true;
    return false;
}

/** In us; NaN: not measured on that type. */
static double time_of(const codelet *c, int type, int size)
{
    double sum = 0, count = 0;
    for (int d = 0; d < DEVICES; d++) {
        sample best = quickest(c, type, d, size);
        sum += best.count > 0 ? best.mean * best.count : 0;
        count += best.count;
    }
    return count > 0 ? sum / count : NAN;
}

/* ---- Files ---- */

static void write_kernel(FILE *to, const codelet *c, int type, int device, int kernel)
{
    int sizes = 0;
    for (int s = 0; s < SIZES; s++)
        sizes += c->of[type][device][kernel][s].count > 0;
    fprintf(
        to,
        "#####\n# Model for x\n# number of entries\n%d\n# sumlnx\n0.000000e+00   \t0.0\t0\t0\tnan  \tnan\t0\t0\t0\n",
        sizes);
    fprintf(to, "# a\t\tb\t\tc\nnan \tnan \tnan \n# not multiple-regression-base\n0\n# hash\t\tsize\n");
    for (int s = 0; s < SIZES; s++) {
        sample at = c->of[type][device][kernel][s];
        if (at.count > 0) {
            char line[200]; /* with points, whatever the locale */
            plain_print(line, sizeof line, "%08x\t%d   \t0.000000e+00   \t%.9e   \t1.0e+00\t%e\t%e\t%d\n",
                        0xabc00000U + (unsigned)s, c->size[s], at.mean, at.mean * at.count,
                        at.mean * at.mean * at.count, at.count);
            fputs(line, to);
        }
    }
    fprintf(to, "\n");
}

static void write_model(const codelet *c, int number)
{
    static const int numbers[TYPES] = {0, 1, 2};
    char file[80];
    snprintf(file, sizeof file, "%s/k%d.here", folder, number);
    FILE *to = fopen(file, "w");
    /* besides, two devices at once, which are left out */
    fprintf(to, "##################\n# Performance Model Version\n45\n\n# number of combinations\n%d\n",
            TYPES * DEVICES + 1);
    for (int t = 0; t < TYPES; t++)
        for (int d = 0; d < DEVICES; d++) {
            fprintf(to, "# COMB\n1\n# device type\n%d\n# device id \n%d\n# number of cores \n1\n##########\n%d\n",
                    numbers[t], d, KERNELS);
            for (int k = 0; k < KERNELS; k++)
                write_kernel(to, c, t, d, k);
        }
    fprintf(to, "2\n0\n0\n1\n1\n0\n1\n1\n");
    write_kernel(to, c, 0, 0, 0);
    ck_assert_int_eq(fclose(to), 0);
}

typedef struct program {
    codelet codelet[CODELETS];
    int tasks, of[TASKS + 1];
    bool follows[TASKS + 1][TASKS + 1];
} program;

/** Tasks are numbered from 1; the last comes first. */
static void write_graph(const program *p)
{
    FILE *to = fopen(path, "w");
    fprintf(to, "strict digraph bounddeps {\n");
    for (int i = p->tasks; i >= 1; i--) {
        fprintf(to, "\"t%d\" [label=\"%d: k%d\"]\n", i, i, p->of[i]);
        for (int j = i - 1; j >= 1; j--)
            if (p->follows[j][i]) fprintf(to, "\"t%d\" -> \"t%d\"\n", j, i);
    }
    fprintf(to, "}\n");
    ck_assert_int_eq(fclose(to), 0);
}

static bool draw_program(uint64_t seed, program *p)
{
    uint64_t state = seed;
    bool any = false;
    *p = (program){.tasks = 1 + (int)random_below(&state, TASKS)};
    for (int c = 0; c < CODELETS; c++) {
        do
            p->codelet[c] = draw_codelet(&state);
        while (is_ambiguous(&p->codelet[c]));
        if (p->codelet[c].there) write_model(&p->codelet[c], c);
    }
    for (int i = 1; i <= p->tasks; i++) {
        p->of[i] = (int)random_below(&state, CODELETS);
        any = any || size_of(&p->codelet[p->of[i]], INLAY_STARPU_MOST_OFTEN) >= 0;
        for (int j = 1; j < i; j++)
            p->follows[j][i] = random_once_in(&state, 4);
    }
    write_graph(p);
    return any;
}

/* ---- What is read ---- */

static int type_named(const inlay_app *app, const char *name)
{
    for (int t = 0; t < inlay_app_types(app); t++)
        if (strcmp(inlay_app_type_name(app, t), name) == 0) return t;
    return -1;
}

static bool any_has(const program *p, int type, inlay_starpu_size by)
{
    for (int i = 1; i <= p->tasks; i++) {
        const codelet *c = &p->codelet[p->of[i]];
        if (size_of(c, by) >= 0 && !isnan(time_of(c, type, size_of(c, by)))) return true;
    }
    return false;
}

static void check_task(const program *p, const inlay_app *app, int i, inlay_starpu_size by)
{
    const codelet *c = &p->codelet[p->of[i]];
    int size = size_of(c, by);
    char name[24];
    snprintf(name, sizeof name, "k%d.%d", p->of[i], i);
    ck_assert_str_eq(inlay_app_module_name(app, i - 1), name);
    snprintf(name, sizeof name, "k%d", p->of[i]);
    ck_assert_str_eq(inlay_app_module_kind(app, i - 1), name);
    if (size < 0) {
        ck_assert_int_eq(inlay_app_time(app, i - 1), 0);
        return;
    }
    for (int t = 0; t < TYPES; t++) {
        int type = type_named(app, types[t]);
        double us = time_of(c, t, size);
        ck_assert_int_eq(type >= 0, any_has(p, t, by));
        if (type < 0) continue;
        inlay_time own = inlay_app_type_time(app, type, i - 1);
        if (isnan(us)) {
            ck_assert_int_lt(own, 0);
        } else {
            ck_assert_double_eq_tol(inlay_app_in_units(app, own), us, 1e-6 + 1e-9 * us);
        }
    }
}

static void check_links(const program *p, const inlay_app *app)
{
    int64_t links = 0;
    for (int i = 1; i <= p->tasks; i++)
        for (int j = 1; j < i; j++) {
            int64_t count;
            const inlay_id *before = inlay_app_predecessors(app, i - 1, &count);
            bool found = false;
            for (int64_t k = 0; k < count; k++)
                found = found || before[k] == j - 1;
            ck_assert_int_eq(found, p->follows[j][i]);
            links += p->follows[j][i];
        }
    ck_assert_int_eq(inlay_app_links(app), links);
}

START_TEST(random_programs)
{
    int read = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        program *p = malloc(sizeof *p);
        bool any = draw_program(seed, p);
        inlay_starpu_size by = (inlay_starpu_size)(seed % 3);
        const inlay_starpu_models models = {folder, seed % 2 == 0 ? "here" : NULL, by, false, NULL};
        inlay_app *app = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_app_read_starpu(path, &models, &app, diag);
        ck_assert_msg(status == (any ? INLAY_OK : INLAY_BAD_INPUT), "seed %d: %s", (int)seed, inlay_diag_message(diag));
        if (any) {
            ck_assert_int_eq(inlay_app_modules(app), p->tasks);
            for (int i = 1; i <= p->tasks; i++)
                check_task(p, app, i, by);
            check_links(p, app);
            read++;
        }
        inlay_diag_free(diag);
        inlay_app_free(app);
        free(p);
        tear_down();
        set_up();
    }
    ck_assert_int_gt(read, SEEDS / 2);
}
END_TEST

/* ---- What is wrong ---- */

static char *read_text(const char *file, size_t *size)
{
    char *text = calloc(1, TEXT);
    FILE *from = fopen(file, "r");
    *size = fread(text, 1, TEXT - 1, from);
    fclose(from);
    return text;
}

/** A file with some bytes changed, cut out or doubled: read, or refused in a line with its name. */
static void damage(const char *file, uint64_t seed, int *refused)
{
    const inlay_starpu_models models = {.folder = folder};
    size_t size;
    uint64_t state = seed;
    char *whole = read_text(file, &size), *text = malloc(2 * TEXT);
    memcpy(text, whole, size);
    size_t left = size;
    for (int64_t changes = 1 + random_below(&state, 3); changes > 0 && left > 1; changes--) {
        size_t at = (size_t)random_below(&state, (int64_t)left), length = (size_t)random_below(&state, 12);
        switch (random_below(&state, 3)) {
        case 0: text[at] = (char)random_below(&state, 128); break;
        case 1:
            length = length < left - at ? length : left - at;
            memmove(text + at, text + at + length, left - at - length);
            left -= length;
            break;
        default: left = at; break;
        }
    }
    write_text(file, text, left);
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_starpu(path, &models, &app, diag);
    ck_assert_msg(status == INLAY_OK || status == INLAY_BAD_INPUT || status == INLAY_BAD_ARGUMENT ||
                      status == INLAY_OVERFLOW,
                  "%d: %s", status, inlay_diag_message(diag));
    ck_assert_int_eq(status == INLAY_OK, app != NULL);
    ck_assert_int_eq(status == INLAY_OK, inlay_diag_message(diag)[0] == '\0');
    *refused += status != INLAY_OK;
    inlay_diag_free(diag);
    inlay_app_free(app);
    write_text(file, whole, size);
    free(text);
    free(whole);
}

static uint64_t good_seed(program *p)
{
    uint64_t seed = 1;
    while (!draw_program(seed, p) || p->tasks < 8 || !p->codelet[p->of[1]].there) {
        seed++;
        tear_down();
        set_up();
    }
    return seed;
}

START_TEST(damaged_files)
{
    program *p = malloc(sizeof *p);
    (void)good_seed(p);
    char model[80];
    snprintf(model, sizeof model, "%s/k%d.here", folder, p->of[1]);
    int refused = 0;
    for (uint64_t seed = 1; seed <= DAMAGED; seed++)
        damage(seed % 2 == 0 ? path : model, seed, &refused);
    ck_assert_int_gt(refused, DAMAGED / 4);
    free(p);
}
END_TEST

/** Mean and deviation of a codelet's tasks are those of its model. */
START_TEST(spread_times)
{
    static const char model[] = "45\n1\n1\n0\n0\n1\n1\n1\n0\n0\n0\nff 8 0 200 30 0 0 7\n";
    enum { MANY = 400 };
    char *text = malloc(TEXT), file[80];
    size_t at = (size_t)snprintf(text, TEXT, "strict digraph bounddeps {\n");
    for (int i = MANY; i >= 1; i--)
        at += (size_t)snprintf(text + at, TEXT - at, "\"t%d\" [label=\"%d: k\"]\n", i, i);
    at += (size_t)snprintf(text + at, TEXT - at, "}\n");
    write_text(path, text, at);
    snprintf(file, sizeof file, "%s/k.here", folder);
    write_text(file, model, strlen(model));
    for (int spread = 0; spread < 2; spread++) {
        const inlay_starpu_models models = {.folder = folder, .spread = spread == 1};
        inlay_app *app = NULL;
        double sum = 0, squares = 0;
        int rising = 0;
        ck_assert_int_eq(inlay_app_read_starpu(path, &models, &app, NULL), INLAY_OK);
        for (inlay_id i = 0; i < MANY; i++) {
            double time = inlay_app_in_units(app, inlay_app_time(app, i));
            sum += time;
            squares += time * time;
            rising += i > 0 && inlay_app_time(app, i) > inlay_app_time(app, i - 1);
        }
        ck_assert_double_eq_tol(sum / MANY, 200, 1e-3);
        ck_assert_double_eq_tol(sqrt(fmax(0, squares / MANY - sum / MANY * sum / MANY)), 30 * spread, 0.2);
        ck_assert(spread == 0 ? rising == 0 : rising > MANY / 3 && rising < 2 * MANY / 3);
        inlay_app_free(app);
    }
    free(text);
}
END_TEST

static int read_again(const void *context)
{
    const inlay_starpu_models models = {.folder = context};
    inlay_app *app = NULL;
    int status = inlay_app_read_starpu(path, &models, &app, NULL);
    inlay_app_free(app);
    return status;
}

START_TEST(out_of_memory)
{
    program *p = malloc(sizeof *p);
    (void)good_seed(p);
    starve(read_again, folder, 30);
    free(p);
}
END_TEST

static const struct {
    const char *graph, *said;
} wrong[] = {
    {"", "the graph breaks off; expected what starpu_bound_print_dot() writes"},
    {"digraph x {}", "no modules; expected at least one"},
    {"strict digraph bounddeps {\n}\n", "the graph has no task"},
    {"strict digraph bounddeps {\n\"t1\" [label=\"1: a\"]\n", "the graph breaks off"},
    {"strict digraph bounddeps {\n\"t1\" [label=\"1: a\"]\n}\n",
     "no codelet of the graph has a measured model here ('a')"},
    {"strict digraph bounddeps {\n\"x1\" [label=\"1: a\"]\n}\n", "run.dot:2: '\"x1\" [label"},
    {"strict digraph bounddeps {\n\"t1\" -> \"t\"\n}\n", "run.dot:2: '\"t1\" -> \"t\"'"},
    {"strict digraph bounddeps {\n\"t1\" [label=\"1: k\"]\n\"t2\" -> \"t1\"\n}\n", "run.dot:3: there is no task t2"},
    {"strict digraph bounddeps {\n\"t1\" [label=\"1: k\"]\n\"t1\" [label=\"1: k\"]\n}\n", "task t1 is there twice"},
    {"strict digraph bounddeps {\n\"t1\" [label=\"1: l\"]\n}\n",
     "the codelet 'l' was measured on several computers, 'a' and 'b'"},
    {"strict digraph bounddeps {\n\"t1\" [label=\"1: bad\"]\n}\n",
     "bad.here:2: this is no model of StarPU's; expected how many combinations"},
};

START_TEST(what_is_wrong)
{
    static const char model[] = "45\n1\n1\n0\n0\n1\n1\n1\n0\n0\n0\nff 8 0 2.5 0 0 0 3\n";
    static const char *const files[] = {"k.here", "l.b", "l.c", "l.a", "bad.here"};
    inlay_diag *diag = inlay_diag_new();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char file[80];
        snprintf(file, sizeof file, "%s/%s", folder, files[k]);
        write_text(file, model, k < 4 ? strlen(model) : 3);
    }
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const inlay_starpu_models models = {.folder = folder};
        inlay_app *app = NULL;
        write_text(path, wrong[k].graph, strlen(wrong[k].graph));
        ck_assert_int_ne(inlay_app_read_starpu(path, &models, &app, diag), INLAY_OK);
        ck_assert_msg(strstr(inlay_diag_message(diag), wrong[k].said) != NULL, "%s, not %s", inlay_diag_message(diag),
                      wrong[k].said);
    }
    static const char good[] =
        "strict digraph bounddeps {\n\"t1\" [label=\"1: k\"]\n\"t2\" [label=\"2: none\"]\n\"tag1\" -> \"tag2\"\n}\n";
    inlay_app *app = NULL;
    inlay_diag_keep_warnings(diag, true);
    write_text(path, good, strlen(good));
    ck_assert_int_eq(inlay_app_read_starpu(path, &(inlay_starpu_models){.folder = folder}, &app, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 2);
    ck_assert_ptr_nonnull(strstr(inlay_diag_warning(diag, 0), "1 tasks take no time"));
    ck_assert_ptr_nonnull(strstr(inlay_diag_warning(diag, 1), "1 lines of tags are left out"));
    inlay_app_free(app);
    ck_assert_int_eq(inlay_app_read_starpu(path, &(inlay_starpu_models){.folder = "/nowhere"}, &app, diag),
                     INLAY_BAD_INPUT);
    inlay_diag_free(diag);
}
END_TEST

/** Models of two computers that StarPU's authors measured: a tiled Cholesky factorisation's. */
START_TEST(real_models)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    static const char graph[] = "strict digraph bounddeps {\n\"t1\" [label=\"1: chol_model_gemm\"]\n}\n";
    char where[300];
    inlay_app *app = NULL;
    snprintf(where, sizeof where, "%s/starpu/sampling", unit_data());
    write_text(path, graph, strlen(graph));
    const inlay_starpu_models models = {where, "mirage", INLAY_STARPU_LARGEST, false, NULL};
    ck_assert_int_eq(inlay_app_read_starpu(path, &models, &app, NULL), INLAY_OK);
    double cpu = inlay_app_in_units(app, inlay_app_type_time(app, type_named(app, "cpu"), 0));
    ck_assert_double_eq_tol(cpu, 87780.2, 1e-3); /* as the file says, of 960 x 960 numbers */
    inlay_app_free(app);
}
END_TEST

Suite *suite_starpu(void)
{
    Suite *suite = suite_create("starpu");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_add_test(all, random_programs);
    tcase_add_test(all, damaged_files);
    tcase_add_test(all, spread_times);
    tcase_add_test(all, out_of_memory);
    tcase_add_test(all, what_is_wrong);
    tcase_add_test(all, real_models);
    suite_add_tcase(suite, all);
    return suite;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * StarPU's sampling folder: each codelet file of the test data against a slow reader of its columns; computers, random ones and
 * those of the test data, whose routes have what the matrices say; nodes as strings.
 */
#include "base/plain.h"
#include "random_app.h"
#include "unit.h"
#include <inlay/inlay.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 4000, ROWS = 4000, TYPES = 8, NODES = 40, SEEDS = 60 };

static const char *const types[TYPES] = {"cpu", "cuda", "opencl", "mic", "max_fpga", "mpi_ms", "tcpip_ms", "hip"};

static void write_text(const char *folder, const char *name, const char *text)
{
    char file[400];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *to = fopen(file, "w");
    ck_assert_ptr_nonnull(to);
    fputs(text, to);
    ck_assert_int_eq(fclose(to), 0);
}

/* ---- Codelets ---- */

/** A line of the table under `# hash size flops mean (us) dev (us) sum sum2 n`, and the combination that it stands in. */
typedef struct row {
    int combination, type;
    char hash[20];
    double size, flops, mean, dev, sum, sum2, n;
} row;

static size_t read_rows(const char *path, row *rows)
{
    FILE *from = fopen(path, "r");
    char line[LINE], before[LINE] = "";
    size_t count = 0;
    int combination = -1, type = -1;
    ck_assert_ptr_nonnull(from);
    while (fgets(line, sizeof line, from) != NULL) {
        combination += strncmp(line, "# COMB_", 7) == 0;
        if (strncmp(before, "# device type", 13) == 0) type = (int)plain_number(line, NULL);
        row r = {.combination = combination, .type = type};
        char text[7][40];
        if (strlen(line) > 20 && line[0] != '#' &&
            sscanf(line, "%19s %39s %39s %39s %39s %39s %39s %39s", r.hash, text[0], text[1], text[2], text[3], text[4],
                   text[5], text[6]) == 8 &&
            strlen(r.hash) == 8 && strpbrk(r.hash, ".+") == NULL) {
            double *const to[] = {&r.size, &r.flops, &r.mean, &r.dev, &r.sum, &r.sum2, &r.n};
            for (int i = 0; i < 7; i++)
                *to[i] = plain_number(text[i], NULL);
            if (r.n > 0 && !isnan(r.mean)) rows[count++] = r;
        }
        strcpy(before, line);
    }
    ck_assert_int_lt((int)count, ROWS);
    fclose(from);
    return count;
}

static bool fits(const row *r)
{
    double squares = r->n * (r->mean * r->mean + r->dev * r->dev);
    return fabs(r->n * r->mean - r->sum) <= 0.01 * r->sum && fabs(squares - r->sum2) <= 0.01 * squares;
}

/** The mean over the devices of a type, each by its quickest implementation; NaN: none. */
static double expected(const row *rows, size_t count, const row *of, int type)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        bool best = r->type == type && strcmp(r->hash, of->hash) == 0 && r->size == of->size;
        for (size_t j = 0; j < count && best; j++)
            best = j == i || rows[j].combination != r->combination || rows[j].size != r->size ||
                   strcmp(rows[j].hash, r->hash) != 0 || rows[j].mean > r->mean || (rows[j].mean == r->mean && j > i);
        sum += best ? r->mean * r->n : 0;
        n += best ? r->n : 0;
    }
    return n > 0 ? sum / n : NAN;
}

/** One module of that kind, which uses so many bytes. */
static inlay_app *one_module(const char *kind, double bytes)
{
    inlay_app_builder *to = inlay_app_builder_new("one", INLAY_UNIT_S);
    const inlay_module made = {.name = "m", .time = {{1, 0}, INLAY_UNIT_S}, .kind = kind};
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_app_add_module(to, &made, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_add_block(to, "data", (int64_t)bytes, (inlay_duration){{0, 0}, INLAY_UNIT_S}, NULL),
                     INLAY_OK);
    ck_assert_int_eq(inlay_app_add_use(to, 0, 0, 1, (int64_t)bytes, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_build(to, &app, NULL), INLAY_OK);
    inlay_app_builder_free(to);
    return app;
}

static void check_times(const inlay_app *app, const row *rows, size_t count, const row *of)
{
    for (int t = 0; t < TYPES; t++) {
        double us = expected(rows, count, of, t), told = NAN;
        for (int own = 0; own < inlay_app_types(app); own++)
            if (strcmp(inlay_app_type_name(app, own), types[t]) == 0)
                told = inlay_app_in_units(app, inlay_app_type_time(app, own, 0));
        ck_assert_int_eq(isnan(us), isnan(told));
        if (!isnan(us)) ck_assert_double_eq_tol(told, us, 1e-6 + 1e-9 * us);
    }
}

/** Every size of a file, and what is said of rows whose sums do not fit; how many rows those are. */
static int check_codelet(const char *folder, const char *file, const row *rows, size_t count)
{
    char kind[200], said[300];
    const char *computer = strrchr(file, '.') + 1;
    int odd = 0;
    snprintf(kind, sizeof kind, "%.*s", (int)(computer - file) - 1, file);
    for (size_t i = 0; i < count; i++)
        odd += !fits(&rows[i]);
    snprintf(said, sizeof said, "%s: sums of %d of its %d measurements do not fit", kind, odd, (int)count);
    for (size_t i = 0; i < count; i++) {
        bool first = true; /* of two hashes of one size the first is taken */
        for (size_t j = 0; j < i; j++)
            first = first && rows[j].size != rows[i].size;
        if (!first) continue;
        const inlay_starpu_models models = {.folder = folder, .computer = computer};
        inlay_app *app = one_module(kind, rows[i].size), *timed = NULL;
        inlay_diag *diag = inlay_diag_new();
        inlay_diag_keep_warnings(diag, true);
        ck_assert_msg(inlay_app_time_starpu(app, &models, &timed, diag) == INLAY_OK, "%s: %s", file,
                      inlay_diag_message(diag));
        check_times(timed, rows, count, &rows[i]);
        ck_assert_uint_eq(inlay_diag_warnings(diag), odd > 0);
        if (odd > 0) ck_assert_ptr_nonnull(strstr(inlay_diag_warning(diag, 0), said));
        inlay_diag_free(diag);
        inlay_app_free(timed);
        inlay_app_free(app);
    }
    return odd;
}

/* Time of a module of that many bytes on a type, in us; NAN: there is none, or all is refused. */
static double told_time(const char *folder, double bytes, const char *type)
{
    const inlay_starpu_models models = {.folder = folder, .computer = "here"};
    inlay_app *app = one_module("k", bytes), *timed = NULL;
    double told = NAN;
    if (inlay_app_time_starpu(app, &models, &timed, NULL) == INLAY_OK)
        for (int own = 0; own < inlay_app_types(timed); own++)
            if (strcmp(inlay_app_type_name(timed, own), type) == 0)
                told = inlay_app_in_units(timed, inlay_app_type_time(timed, own, 0));
    inlay_app_free(timed);
    inlay_app_free(app);
    return told;
}

/* Two cores, one with a second kernel, and a GPU: power laws, and where StarPU fitted it one with a constant behind it. */
START_TEST(regressions)
{
    char folder[] = "/tmp/inlay-laws-XXXXXX", file[60];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_text(folder, "k.here",
               "45\n3\n"
               "1\n0\n0\n1\n2\n"
               "1\n0 0 0 0 0.5 1 20 1000 9000\nnan nan nan\n0\nabc 1000 0 77 0 1540 118580 20\n"
               "0\n0 0 0 0 0.002 2 20 1000 9000\nnan nan nan\n0\n"
               "1\n0\n1\n1\n1\n"
               "0\n0 0 0 0 3 1 20 1000 9000\n0.25 1 100\n0\n"
               "1\n1\n0\n1\n1\n"
               "0\n0 0 0 0 0.01 1 20 1000 9000\nnan nan nan\n0\n");
    for (double bytes = 900; bytes <= 9900; bytes += 300) {
        double first = fmin(0.5 * bytes, 0.002 * bytes * bytes);
        ck_assert_double_eq_tol(told_time(folder, bytes, "cpu"), (first + 0.25 * bytes + 100) / 2, 1e-5);
        ck_assert_double_eq_tol(told_time(folder, bytes, "cuda"), 0.01 * bytes, 1e-5);
    }
    ck_assert_double_eq_tol(told_time(folder, 1000, "cpu"), 77, 1e-5); /* what was measured goes before */
    ck_assert(isnan(told_time(folder, 1000, "cuda")));
    ck_assert_double_eq_tol(told_time(folder, 899, "cpu"), 77, 1e-5); /* too far outside: the size that was measured */
    ck_assert_double_eq_tol(told_time(folder, 9901, "cpu"), 77, 1e-5);
    /* too few samples, too near each other, nothing that is a number: no times at all */
    static const char *const none[] = {"0 0 0 0 0.5 1 9 1000 9000", "0 0 0 0 0.5 1 20 1000 1100",
                                       "0 0 0 0 nan 1 20 1000 9000", "0 0 0 0 -1 1 20 1000 9000", "0"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        char text[200];
        snprintf(text, sizeof text, "45\n1\n1\n0\n0\n1\n1\n0\n%s\nnan nan nan\n0\n", none[i]);
        write_text(folder, "k.here", text);
        ck_assert_msg(isnan(told_time(folder, 1050, "cpu")), "%s", none[i]);
    }
    snprintf(file, sizeof file, "%s/k.here", folder);
    unlink(file);
    rmdir(folder);
}
END_TEST

START_TEST(every_codelet)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    char folder[300], where[400], path[700];
    row *rows = malloc(ROWS * sizeof *rows);
    int files = 0, odd = 0;
    size_t all = 0;
    snprintf(folder, sizeof folder, "%s/starpu/sampling", unit_data());
    snprintf(where, sizeof where, "%s/codelets/45", folder);
    DIR *listed = opendir(where);
    ck_assert_ptr_nonnull(listed);
    for (struct dirent *at; (at = readdir(listed)) != NULL;) {
        if (at->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", where, at->d_name);
        size_t count = read_rows(path, rows);
        odd += check_codelet(folder, at->d_name, rows, count);
        all += count;
        files++;
    }
    closedir(listed);
    free(rows);
    ck_assert_int_eq(files, 95);
    ck_assert_int_gt((int)all, 400);
    ck_assert_int_eq(
        odd, 48); /* those of Cholesky on mirage that are a hundredth or half of others, and a test of overlap */
}
END_TEST

/* ---- Computers ---- */

/** What the files say. Memories: main first, then devices. */
typedef struct told {
    int cpus, numa, devices;
    const char *type;
    int64_t memory[NODES];
    int bridge[NODES];
    double bandwidth[NODES][NODES], latency[NODES][NODES]; /* MB/s, us */
} told;

/** The ways between all memories. */
static void check_machine(const told *t, const inlay_machine *machine)
{
    int cores = t->cpus > t->devices ? t->cpus - t->devices : 1;
    double seconds = inlay_unit_seconds(inlay_machine_link_unit(machine));
    seconds = seconds > 0 ? seconds : 1;
    inlay_id of[NODES], links[8];
    ck_assert_int_eq(inlay_machine_processors(machine), cores + t->devices);
    ck_assert_int_eq(inlay_machine_hosts(machine), 1 + t->devices);
    ck_assert_int_eq(inlay_machine_main(machine), 0);
    for (int m = 0; m <= t->devices; m++) {
        of[m] = m == 0 ? 0 : cores + m - 1;
        inlay_processor p = inlay_machine_processor(machine, of[m]);
        ck_assert_str_eq(p.type, m == 0 ? "cpu" : t->type);
        ck_assert_int_eq(p.memory, m == 0 ? -1 : t->memory[m]);
    }
    for (int a = 0; a <= t->devices; a++)
        for (int b = 0; b <= t->devices; b++) {
            if (a == b) continue;
            inlay_id count = inlay_machine_route(machine, of[a], of[b], links, 8);
            double least = INFINITY, latency = 0;
            ck_assert_int_ge(count, 1);
            for (inlay_id l = 0; l < count; l++) {
                inlay_machine_link link = inlay_machine_link_at(machine, links[l]);
                least = fmin(least, link.capacity / seconds);
                latency += link.latency * seconds;
            }
            ck_assert_double_eq_tol(least, 1e6 * t->bandwidth[a][b], 1e-6 * least);
            ck_assert_double_eq_tol(latency, 1e-6 * t->latency[a][b], 1e-12 + 1e-6 * latency);
        }
    for (int a = 1; a <= t->devices; a++) /* ways from main memory meet behind one bridge alone */
        for (int b = 1; b < a; b++) {
            inlay_id other[8], n = inlay_machine_route(machine, of[0], of[a], links, 8);
            inlay_id m = inlay_machine_route(machine, of[0], of[b], other, 8);
            int common = 0;
            for (inlay_id i = 0; i < n * m; i++)
                common += links[i / m] == other[i % m];
            ck_assert_int_eq(common, t->bridge[a] >= 0 && t->bridge[a] == t->bridge[b]);
        }
}

static void read_matrix(const char *path, double to[NODES][NODES], int nodes)
{
    char line[LINE];
    FILE *from = fopen(path, "r");
    ck_assert_ptr_nonnull(from);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, from));
    for (int a = 0; a < nodes; a++) {
        ck_assert_ptr_nonnull(fgets(line, sizeof line, from));
        char *at = strtok(line, "\t");
        for (int b = 0; b < nodes; b++, at = strtok(NULL, "\t"))
            to[a][b] = plain_number(at, NULL);
    }
    fclose(from);
}

START_TEST(real_computers)
{
    static const struct {
        const char *name;
        int64_t memory;
        int bridge[4]; /* as their platforms say: which PCI bridge is nearest to main memory */
    } of[] = {{"mirage", 5636554752, {0, 0, 10, 10}}, {"attila", 3220897792, {0, 0, 0, 80}}};
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char path[400];
        told *t = calloc(1, sizeof *t);
        *t = (told){.cpus = 12, .devices = 3, .type = "cuda"};
        for (int m = 1; m <= 3; m++) {
            t->memory[m] = of[i].memory;
            t->bridge[m] = of[i].bridge[m];
        }
        snprintf(path, sizeof path, "%s/starpu/sampling/bus/%s.bandwidth", unit_data(), of[i].name);
        read_matrix(path, t->bandwidth, 4);
        snprintf(path, sizeof path, "%s/starpu/sampling/bus/%s.latency", unit_data(), of[i].name);
        read_matrix(path, t->latency, 4);
        snprintf(path, sizeof path, "%s/starpu/sampling/bus/%s.config", unit_data(), of[i].name);
        inlay_machine *machine = NULL;
        ck_assert_int_eq(inlay_machine_read(path, &machine, NULL), INLAY_OK);
        check_machine(t, machine);
        inlay_machine_free(machine);
        free(t);
    }
}
END_TEST

/** Rows and columns of nodes that are not wanted, and beyond all nodes, hold what must not be read. */
static void write_matrix(const char *folder, const char *name, double of[NODES][NODES], const int *place, int all)
{
    char *text = calloc(NODES * NODES, 24);
    size_t at = (size_t)sprintf(text, "# to 0\t\tto 1\n");
    for (int a = 0; a < all + 2; a++)
        for (int b = 0; b < all + 2; b++) {
            bool known = a < all && b < all && place[a] >= 0 && place[b] >= 0;
            char number[40];
            plain_print(number, sizeof number, "%f", known ? of[place[a]][place[b]] : 0.0);
            at += (size_t)sprintf(text + at, "%s%s", known || (a < all && b < all) ? number : "nan",
                                  b < all + 1 ? "\t" : "\n");
        }
    write_text(folder, name, text);
    free(text);
}

static void write_platform(const char *folder, const told *t, const char *prefix)
{
    char *text = calloc(NODES, 600);
    size_t at =
        (size_t)sprintf(text, "<?xml version='1.0'?>\n<platform version=\"4\">\n<AS id=\"AS0\" routing=\"Full\">\n"
                              "<host id=\"RAM\" speed=\"1f\"/>\n");
    for (int m = 1; m <= t->devices; m++)
        at += (size_t)sprintf(
            text + at,
            "<host id=\"%s%d\" speed=\"2f\"><prop id=\"model\" value=\"7\"/><prop id=\"memsize\" "
            "value=\"%lld\"/></host>\n<route src=\"%s%d\" dst=\"RAM\"><link_ctn id=\"PCI:other up\"/></route>\n"
            "<route src=\"RAM\" dst=\"%s%d\"><link_ctn id=\"PCI:%d:0 down\"/><link_ctn id=\"PCI:[%d] "
            "down\"/><link_ctn id=\"Host\"/></route>\n",
            prefix, m - 1, (long long)t->memory[m], prefix, m - 1, prefix, m - 1, m, t->bridge[m]);
    sprintf(text + at, "</AS>\n</platform>\n");
    write_text(folder, "c.platform.v4.xml", text);
    free(text);
}

START_TEST(random_computers)
{
    static const char *const names[] = {"cuda", "hip", "opencl"}, *const prefixes[] = {"CUDA", "HIP", "OpenCL"};
    char folder[] = "/tmp/inlay-bus-XXXXXX", path[60], config[400];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/c.config", folder);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = seed;
        told *t = calloc(1, sizeof *t);
        int counts[3], kind, place[NODES], all = 0;
        t->cpus = 1 + (int)random_below(&state, 20);
        t->numa = 1 + (int)random_below(&state, 3);
        for (int k = 0; k < 3; k++)
            counts[k] = random_once_in(&state, 2) ? 0 : 1 + (int)random_below(&state, 5);
        for (kind = 0; kind < 2 && counts[kind] == 0; kind++) {
        }
        t->devices = counts[kind];
        t->type = names[kind];
        for (int i = 0; i < t->numa; i++)
            place[all++] = i == 0 ? 0 : -1;
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < counts[k]; i++)
                place[all++] = k == kind ? 1 + i : -1;
        for (int a = 0; a <= t->devices; a++) {
            t->memory[a] = 1 + random_below(&state, 1000000000);
            t->bridge[a] = (int)random_below(&state, 3);
            for (int b = 0; b <= t->devices; b++) {
                t->bandwidth[a][b] = (double)(1 + random_below(&state, 100000)) / 8;
                t->latency[a][b] = (double)random_below(&state, 1000) / 16;
            }
        }
        for (int a = 1; a <= t->devices;
             a++) /* a bridge is as fast as the fastest behind it: one that is alone has none */
            t->memory[a] = t->memory[a] < 1 ? 1 : t->memory[a];
        snprintf(config, sizeof config,
                 "# Current configuration\n%d # Number of CPUs\n%d # Number of NUMA nodes\n%d # Number of CUDA "
                 "devices\n%d # "
                 "Number of HIP devices\n%d # Number of OpenCL devices\n0 # Number of MIC devices\n",
                 t->cpus, t->numa, counts[0], counts[1], counts[2]);
        write_text(folder, "c.config", config);
        write_matrix(folder, "c.bandwidth", t->bandwidth, place, all);
        write_matrix(folder, "c.latency", t->latency, place, all);
        write_platform(folder, t, prefixes[kind]);
        inlay_machine *machine = NULL;
        inlay_diag *diag = inlay_diag_new();
        ck_assert_msg(inlay_machine_read(path, &machine, diag) == INLAY_OK, "seed %d: %s", (int)seed,
                      inlay_diag_message(diag));
        check_machine(t, machine);
        inlay_machine_free(machine);
        inlay_diag_free(diag);
        free(t);
    }
    static const char *const files[] = {"c.config", "c.bandwidth", "c.latency", "c.platform.v4.xml"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}
END_TEST

/* ---- Strings ---- */

START_TEST(random_nodes)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = seed;
        int cores = 1 + (int)random_below(&state, 30), gpus = (int)random_below(&state, 6);
        int megabytes = 1 + (int)random_below(&state, 5000), bus = 1 + (int)random_below(&state, 9);
        int us = (int)random_below(&state, 9), peer = 10 + (int)random_below(&state, 9);
        bool shared = random_once_in(&state, 2), linked = random_once_in(&state, 2);
        char text[300], beside[60] = "";
        if (linked) snprintf(beside, sizeof beside, ",peer=%dGB/s,peer_latency=1us", peer);
        snprintf(text, sizeof text, "node:%s%d,gpus=%d,gpu_memory=%dMB,capacity=%dGB/s,link_latency=%dus,shared=%s%s",
                 seed % 2 == 0 ? "cores=" : "", cores, gpus, megabytes, bus, us, shared ? "yes" : "no", beside);
        inlay_machine *machine = NULL;
        inlay_diag *diag = inlay_diag_new();
        ck_assert_msg(inlay_machine_read(text, &machine, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
        double seconds = inlay_unit_seconds(inlay_machine_link_unit(machine));
        ck_assert_int_eq(inlay_machine_processors(machine), cores + gpus);
        ck_assert_int_eq(inlay_machine_main(machine), 0);
        for (int a = 0; a <= gpus; a++)
            for (int b = 0; b <= gpus; b++) {
                inlay_id links[8], from = a == 0 ? 0 : cores + a - 1, to = b == 0 ? 0 : cores + b - 1;
                inlay_id count = inlay_machine_route(machine, from, to, links, 8);
                bool direct = linked && a > 0 && b > 0;
                ck_assert_int_eq(count, a == b ? 0 : direct ? 1 : shared || (a > 0 && b > 0) ? 2 : 1);
                double latency = 0;
                for (inlay_id l = 0; l < count; l++) {
                    inlay_machine_link link = inlay_machine_link_at(machine, links[l]);
                    latency += link.latency * seconds;
                    ck_assert_double_eq_tol(link.capacity / seconds, 1e9 * (direct ? peer : bus), 1e3);
                }
                int ways = a == b ? 0 : a > 0 && b > 0 ? 2 : 1;
                ck_assert_double_eq_tol(latency, direct && a != b ? 1e-6 : 1e-6 * us * ways, 1e-12);
                ck_assert_int_eq(inlay_machine_processor(machine, to).memory, b == 0 ? -1 : 1000000LL * megabytes);
            }
        inlay_machine_free(machine);
        inlay_diag_free(diag);
    }
}
END_TEST

Suite *suite_starpu_sampling(void)
{
    Suite *suite = suite_create("starpu_sampling");
    TCase *all = tcase_create("all");
    tcase_add_test(all, every_codelet);
    tcase_add_test(all, regressions);
    tcase_add_test(all, real_computers);
    tcase_add_test(all, random_computers);
    tcase_add_test(all, random_nodes);
    suite_add_tcase(suite, all);
    return suite;
}

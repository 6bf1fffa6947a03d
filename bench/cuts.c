/*
 * What partitions of C. Walshaw's graphs cost: `inlay partition` on one rank beside gpmetis and KaHIP's kaffpa, at an imbalance of
 * 5 %. Means over the graphs of each cut over that of kaffpa strong (seed 1), and processor time of all over that of kaffpa
 * strong, reading included. Then a lattice of five million edges on two ranks, beside gpmetis on one and PT-Scotch's own dgpart on two.
 *
 * INLAY_DATA: where the graphs are; KAFFPA: the program, where it is not on the PATH.
 */
#include "bench.h"
#include "program.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 512, WORDS = 12 };

static const char *const graphs[] = {"3elt",      "4elt", "add32", "bcsstk33",  "crack",     "cti",
                                     "fe_sphere", "t60k", "uk",    "whitaker3", "wing_nodal"};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

/* A way to divide a graph. In its words %g is the graph, %k the parts, %t the seconds that kaffpa eco took. */
typedef struct rival {
    const char *words[WORDS];
    const char *label; /* of the cut, in what it prints */
} rival;

static const rival rivals[] = {
    {{"kaffpa", "%g", "--k=%k", "--imbalance=5", "--preconfiguration=strong", "--seed=1",
      "--output_filename=/dev/null"},
     "cut \t\t"},
    {{"kaffpa", "%g", "--k=%k", "--imbalance=5", "--preconfiguration=eco", "--seed=1", "--output_filename=/dev/null"},
     "cut \t\t"},
    {{"gpmetis", "-ufactor=50", "%g", "%k"}, "Edgecut: "},
    {{"inlay", "%g", "-k", "%k", "--seed", "1", "-q", "--json", "-m", "ptscotch"}, "\"edge_cut\": "},
    {{"inlay", "%g", "-k", "%k", "--seed", "1", "-q", "--json", "-m", "rsb"}, "\"edge_cut\": "},
    {{"inlay", "%g", "-k", "%k", "--seed", "1", "-q", "--json", "--effort", "%ts"}, "\"edge_cut\": "},
    {{"inlay", "%g", "-k", "%k", "--seed", "1", "-q", "--json"}, "\"edge_cut\": "},
};
enum { RIVALS = sizeof rivals / sizeof *rivals, STRONG = 0, ECO = 1 };

/* A word with what it stands for. */
static void fill_word(const char *word, const char *graph, int parts, double seconds, char to[WORD])
{
    const char *at = strchr(word, '%');
    char value[WORD];
    if (at == NULL) {
        (void)snprintf(to, WORD, "%s", word);
        return;
    }
    if (at[1] == 'g') {
        (void)snprintf(value, sizeof value, "%s", graph);
    } else if (at[1] == 'k') {
        (void)snprintf(value, sizeof value, "%d", parts);
    } else {
        (void)snprintf(value, sizeof value, "%.3f", seconds);
    }
    (void)snprintf(to, WORD, "%.*s%.300s%.50s", (int)(at - word), word, value, at + 2);
}

/* The program that a rival's first word names; NULL where it is not here. */
static const char *program_of(const rival *r)
{
    if (strcmp(r->words[0], "inlay") == 0) {
        static char path[BENCH_PATH];
        const char *inlay = getenv("INLAY");
        (void)snprintf(path, sizeof path, "%s-partition", inlay != NULL ? inlay : "build/inlay");
        return path;
    }
    const char *set = strcmp(r->words[0], "kaffpa") == 0 ? getenv("KAFFPA") : NULL;
    return set != NULL ? set : bench_program_found(r->words[0]) ? r->words[0] : NULL;
}

/* The cut, NaN where the program is missing or fails. Returns whether it ran. */
static bool run_rival(const rival *r, const char *graph, int parts, double eco, double *cut, bench_run *ran)
{
    char words[WORDS][WORD];
    const char *argument[WORDS + 1] = {program_of(r)};
    int count = 1;
    for (; r->words[count] != NULL && argument[0] != NULL; count++) {
        fill_word(r->words[count], graph, parts, eco, words[count]);
        argument[count] = words[count];
    }
    bool done = argument[0] != NULL && bench_program_run(argument, ran) == 0;
    *cut = done ? bench_number_after(ran->output, r->label) : NAN;
    return done;
}

/* The same, with the processor's time. */
static void divide(const rival *r, const char *graph, int parts, double eco, double *cut, double *seconds)
{
    bench_run run;
    *seconds = run_rival(r, graph, parts, eco, cut, &run) ? run.worked : NAN;
}

static int unpack(const char *folder, const char *graph, char path[BENCH_PATH])
{
    const char *data = getenv("INLAY_DATA");
    char file[BENCH_PATH], command[4 * BENCH_PATH];
    bench_run run;
    (void)snprintf(file, sizeof file, "%s.graph", graph);
    bench_folder_path(folder, file, path);
    (void)snprintf(command, sizeof command,
                   "f='%s/mesh/walshaw/%s.graph'; [ -e \"$f\" ] || f=$f.gz; gzip -dcf \"$f\" >'%s'",
                   data != NULL ? data : "../shared/data", graph, path);
    const char *const argument[] = {"sh", "-c", command, NULL};
    return bench_program_run(argument, &run);
}

/* All rivals at one number of parts: means of the ratios, and sums of time. */
static int print_row(const char *folder, int parts, bench_table *table)
{
    double ratio[RIVALS] = {0}, worked[RIVALS] = {0};
    for (int g = 0; g < GRAPHS; g++) {
        char path[BENCH_PATH];
        double cut[RIVALS], seconds[RIVALS] = {0};
        if (unpack(folder, graphs[g], path) != 0) {
            (void)fprintf(stderr, "%s.graph cannot be read: expected INLAY_DATA to name the folder of the data\n",
                          graphs[g]);
            return -1;
        }
        for (int r = 0; r < RIVALS; r++) {
            divide(&rivals[r], path, parts, r > ECO ? fmax(seconds[ECO], 0.01) : 0, &cut[r], &seconds[r]);
            ratio[r] += cut[r] / cut[STRONG] / GRAPHS;
            worked[r] += seconds[r];
        }
    }
    bench_cell(table, "%d", parts);
    for (int r = 1; r < RIVALS; r++) {
        bench_cell_number(table, ratio[r], 3);
        bench_cell_number(table, worked[r] / worked[STRONG], 2);
    }
    return 0;
}

/* ---- A large graph on two ranks ---- */

enum { SIDE = 90, WAYS = 7, LARGE_PARTS = 16 }; /* 729,000 points, 5,039,719 edges */

/* Each point is joined to the next ones along the edges and the diagonals of its cell: three faces and the whole. */
static int64_t neighbours(int64_t point, int64_t to[2 * WAYS])
{
    const int64_t at[3] = {point % SIDE, point / SIDE % SIDE, point / SIDE / SIDE};
    int64_t count = 0;
    for (int way = 1; way <= 2 * WAYS; way++) {
        int64_t bits = way <= WAYS ? way : way - WAYS, sign = way <= WAYS ? 1 : -1, number = 0;
        bool inside = true;
        for (int d = 2; d >= 0; d--) {
            int64_t x = at[d] + ((bits >> d) & 1) * sign;
            inside = inside && x >= 0 && x < SIDE;
            number = number * SIDE + x;
        }
        to[count] = number;
        count += inside;
    }
    return count;
}

/* As METIS and as Scotch have graphs. The number of edges; -1 where they cannot be written. */
static int64_t write_lattice(const char *metis, const char *scotch)
{
    FILE *file[2] = {fopen(metis, "w"), fopen(scotch, "w")};
    const int64_t points = (int64_t)SIDE * SIDE * SIDE;
    int64_t arcs = 0, to[2 * WAYS];
    for (int64_t v = 0; v < points; v++) {
        arcs += neighbours(v, to);
    }
    for (int f = 0; f < 2 && file[f] != NULL; f++) {
        (void)fprintf(file[f], f == 0 ? "%lld %lld\n" : "0\n%lld %lld\n0 000\n", (long long)points,
                      (long long)(f == 0 ? arcs / 2 : arcs));
        for (int64_t v = 0; v < points; v++) {
            int64_t count = neighbours(v, to);
            if (f == 1) {
                (void)fprintf(file[f], "%lld", (long long)count);
            }
            for (int64_t i = 0; i < count; i++) {
                (void)fprintf(file[f], " %lld", (long long)to[i] + 1 - f);
            }
            (void)fputc('\n', file[f]);
        }
    }
    bool written = file[0] != NULL && file[1] != NULL;
    for (int f = 0; f < 2; f++) {
        written = file[f] != NULL && fclose(file[f]) == 0 && written;
    }
    return written ? arcs / 2 : -1;
}

static const struct {
    const char *name;
    rival way;
    bool scotch; /* reads Scotch's file */
} large[] = {
    {"dgpart", {{"mpirun", "-n", "2", "dgpart", "%k", "%g", "/dev/null", "-b0.05", "-vm"}, "CommExpan="}, true},
    {"gpmetis, 1 rank", {{"gpmetis", "-ufactor=50", "%g", "%k"}, "Edgecut: "}, false},
    {"ptscotch", {{"inlay", "%g", "-k", "%k", "-n", "2", "-q", "--json", "-m", "ptscotch"}, "\"edge_cut\": "}, false},
    {"rsb", {{"inlay", "%g", "-k", "%k", "-n", "2", "-q", "--json", "-m", "rsb"}, "\"edge_cut\": "}, false},
    {"best", {{"inlay", "%g", "-k", "%k", "-n", "2", "-q", "--json"}, "\"edge_cut\": "}, false},
};

static int print_large(const char *folder, int parts)
{
    static const bench_column columns[] = {
        {"program", -15}, {"cut", 8}, {"seconds", 8}, {"over dgpart", 11}, {"of them, the partition", 22}};
    char metis[BENCH_PATH], scotch[BENCH_PATH], title[128];
    bench_folder_path(folder, "lattice.graph", metis);
    bench_folder_path(folder, "lattice.grf", scotch);
    int64_t edges = write_lattice(metis, scotch);
    if (edges < 0) {
        return -1;
    }
    (void)snprintf(title, sizeof title,
                   "\n%d parts of a lattice of 5 million edges, 2 ranks: all from its file to the answer", parts);
    bench_table table = bench_table_begin(title, columns, sizeof columns / sizeof *columns);
    double theirs = NAN;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        bench_run run;
        double cut;
        bool ran = run_rival(&large[i].way, large[i].scotch ? scotch : metis, parts, 0, &cut, &run);
        theirs = ran && large[i].scotch ? run.seconds : theirs;
        bench_cell(&table, "%s", large[i].name);
        bench_cell_number(&table, large[i].scotch ? cut * (double)edges : cut, 0); /* which tells the share */
        bench_cell_number(&table, ran ? run.seconds : NAN, 2);
        bench_cell_number(&table, ran ? run.seconds / theirs : NAN, 2);
        bench_cell_number(&table, ran ? bench_number_after(run.output, "\"partition\": ") : NAN, 2);
    }
    return 0;
}

static int run(const char *folder, bool full)
{
    static const bench_column columns[] = {
        {"parts", 5}, {"eco", 6},  {"time", 5},           {"gpmetis", 8}, {"time", 5}, {"ptscotch", 8}, {"time", 5},
        {"rsb", 6},   {"time", 5}, {"in eco's time", 13}, {"time", 5},    {"best", 6}, {"time", 5}};
    static const int parts[] = {2, 4, 8, 16, 64};
    if (program_of(&rivals[STRONG]) == NULL) {
        printf("No kaffpa here: without it there is nothing to measure cuts by; expected KAFFPA to name it\n");
        return print_large(folder, LARGE_PARTS);
    }
    bench_table table = bench_table_begin("Cuts of 11 graphs, and processor time, over those of kaffpa strong", columns,
                                          sizeof columns / sizeof *columns);
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof parts / sizeof *parts - !full; i++) {
        status = print_row(folder, parts[i], &table);
    }
    return status == 0 ? print_large(folder, LARGE_PARTS) : status;
}

int main(int count, char **argument)
{
    return bench_with_folder(count, argument, run);
}

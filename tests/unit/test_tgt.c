// SPDX-License-Identifier: GPL-3.0-or-later
/* Scotch's target architectures: every construct read or refused with its line, and what is written, judged by Scotch. */
#include "base/plain.h"
#include "base/text.h"
#include "io/machine_formats.h"
#include "unit.h"
#include <dirent.h>
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 512 };

static inlay_machine *read_tgt(const char *text, inlay_diag *diag)
{
    inlay_machine *machine = NULL;
    int status = tgt_machine_from(text, strlen(text), "m.tgt", NULL, 0, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", text, inlay_diag_message(diag));
    return machine;
}

/* ---- Reading ---- */

static const struct {
    const char *tgt, *machine;
} families[] = {
    {"cmplt 12\n", "crossbar:12"},
    {"  cmplt\n\n 1", "crossbar:1"},
    {"hcub 1", "hypercube:2"},
    {"hcub 10", "hypercube:1024"},
    {"mesh2D 16 1", "mesh:16x1"},
    {"mesh2D\t64\r\n64\n", "mesh:64x64"},
    {"mesh3D 2 4 8", "mesh:2x4x8"},
    {"meshXD 4 2 3 4 5", "mesh:2x3x4x5"},
    {"torus2D 3 5", "torus:3x5"},
    {"torus3D 4 4 4", "torus:4x4x4"},
    {"torusXD 1 7", "torus:7"},
    {"leaf 4", "tree:2x2x2x2"},
    {"tleaf 1 5 9", "tree:5"},
    {"tleaf 3 2 1 3 1 4 1", "tree:4x3x2"}, /* the file begins at the root, the string at the hosts */
    {"ltleaf 2 2 1 3 1 3 0 1 2", "tree:3x2"},
};

START_TEST(families_are_read)
{
    inlay_machine *machine = read_tgt(families[_i].tgt, NULL), *same = NULL;
    ck_assert_int_eq(inlay_machine_parse(families[_i].machine, &same, NULL), INLAY_OK);
    ck_assert_str_eq(inlay_machine_text(machine), inlay_machine_text(same));
    ck_assert_str_eq(inlay_machine_name(machine), "m");
    ck_assert(tgt_looks_like(families[_i].tgt, strlen(families[_i].tgt)));
    inlay_machine_free(machine);
    inlay_machine_free(same);
}
END_TEST

START_TEST(attributes_are_added)
{
    static const inlay_attribute more[] = {{"capacity", "1GB/s", 0}, {"model", "mm1", 0}};
    inlay_machine *machine = NULL;
    ck_assert_int_eq(tgt_machine_from("hcub 2", 6, "m.tgt", more, 2, &machine, NULL), INLAY_OK);
    ck_assert(inlay_machine_exponential(machine));
    ck_assert_double_eq_tol(inlay_machine_link_at(machine, 0).capacity, 1e9, 1);
    inlay_machine_free(machine);
    ck_assert_int_eq(tgt_machine_from("cmpltw 2 1 3", 12, "m.tgt", more, 2, &machine, NULL), INLAY_OK);
    ck_assert(inlay_machine_exponential(machine));
    ck_assert_int_eq(inlay_machine_links(machine), 4);
    ck_assert_double_eq_tol(inlay_machine_link_at(machine, 3).capacity, 1e9, 1);
    inlay_machine_free(machine);
}
END_TEST

START_TEST(weights_are_speeds)
{
    inlay_machine *machine = read_tgt("cmpltw 3 1 20 300", NULL);
    ck_assert_int_eq(inlay_machine_processors(machine), 3);
    for (int p = 0; p < 3; p++) {
        ck_assert_double_eq(inlay_machine_processor(machine, p).speed, p == 0 ? 1 : p == 1 ? 20 : 300);
        for (int q = 0; q < 3; q++) {
            ck_assert_int_eq(inlay_machine_distance(machine, p, q), p == q ? 0 : 2);
        }
    }
    inlay_machine_free(machine);
}
END_TEST

/* A mesh of 2 x 3 in another order: labels 5, 4, ... 0 of a file stand for the processors 0 .. 5. */
START_TEST(distances_of_a_graph)
{
    text_buffer text = {0};
    text_add(&text, "deco 0\n6 11\n");
    for (int i = 0; i < 6; i++) {
        text_addf(&text, "%d %d %d\n", 5 - i, 10 + i, 6 + i);
    }
    for (int i = 1; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            int a = 5 - i, b = 5 - j;
            text_addf(&text, "%d ", abs(a % 2 - b % 2) + abs(a / 2 - b / 2));
        }
    }
    inlay_machine *machine = read_tgt(text.data, NULL);
    ck_assert_int_eq(inlay_machine_links(machine), 14);
    for (int a = 0; a < 6; a++) {
        ck_assert_double_eq(inlay_machine_processor(machine, a).speed, 15 - a);
        for (int b = 0; b < 6; b++) {
            ck_assert_int_eq(inlay_machine_distance(machine, a, b), abs(a % 2 - b % 2) + abs(a / 2 - b / 2));
        }
    }
    inlay_machine_free(machine);
    text_clear(&text);
}
END_TEST

START_TEST(weights_of_levels_are_told)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_machine_free(read_tgt("tleaf 2 4 2 4 2", diag));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    inlay_machine_free(read_tgt("\ntleaf 2 4 20 4 5", diag));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0),
                     "m.tgt:2: the weights of tleaf's levels, 20 and 5 among them, are not "
                     "kept: distances count links, two for each level");
    inlay_diag_free(diag);
}
END_TEST

#define NUMBER "; expected a whole number from "

static const struct {
    const char *tgt, *message;
} refused[] = {
    {"varcmplt",
     "m.tgt:1: varcmplt is as many processors as anybody asks for; expected a machine of a known size, such "
     "as cmplt 16"},
    {"\n\nvarhcub\n", "m.tgt:3: varhcub is as many processors as anybody asks for; expected a machine of a known size, "
                      "such as cmplt 16"},
    {"sub 2 0 1 cmplt 4",
     "m.tgt:1: sub is a part of another machine; expected a machine of a known size, such as cmplt "
     "16"},
    {"cmplt", "m.tgt:1: the end where the number of processors stands" NUMBER "1 to 2147483647"},
    {"cmplt\n\nx", "m.tgt:3: 'x' where the number of processors stands" NUMBER "1 to 2147483647"},
    {"cmplt 0", "m.tgt:1: '0' where the number of processors stands" NUMBER "1 to 2147483647"},
    {"cmplt 99999999999", "m.tgt:1: '99999999999' where the number of processors stands" NUMBER "1 to 2147483647"},
    {"cmplt -3", "m.tgt:1: '-3' where the number of processors stands" NUMBER "1 to 2147483647"},
    {"cmplt 3\n4", "m.tgt:2: '4' behind the last number of cmplt; expected the end"},
    {"cmpltw 3 1 2", "m.tgt:1: the end where the weight of a processor stands" NUMBER "1 to 2147483647"},
    {"hcub 31", "m.tgt:1: '31' where the number of dimensions stands" NUMBER "1 to 30"},
    {"mesh2D 4", "m.tgt:1: the end where the size of a dimension stands" NUMBER "1 to 2147483647"},
    {"torus3D 4 4 4 4", "m.tgt:1: '4' behind the last number of torus3D; expected the end"},
    {"tleaf 2 4 20 4", "m.tgt:1: the end where the weight of a level stands" NUMBER "1 to 2147483647"},
    {"tleaf 1 1 1", "m.tgt:1: '1' where the number of children on a level stands" NUMBER "2 to 2147483647"},
    {"ltleaf 1 2 1 2 1 0",
     "m.tgt:1: place 1 where the permutation of ltleaf has number 0; expected processors in order, "
     "as in tleaf"},
    {"deco 1\n2 3",
     "m.tgt:1: '1' where the kind of decomposition (0: distances; others are compiled) stands" NUMBER "0 to 0"},
    {"deco 0\n513 1025", "m.tgt:2: '513' where the number of processors stands" NUMBER "1 to 512"},
    {"deco 0\n2 3\n0 1 2\n0 1 3\n1", "m.tgt:4: label 0 given twice; expected one for each processor"},
    {"deco 0\n2 3\n0 1 2\n1 1 4\n1", "m.tgt:4: '4' where the number of a domain stands" NUMBER "1 to 3"},
    {"deco 0\n2 3\n0 1 2\n1 1 3\n0", "m.tgt:5: '0' where a distance stands" NUMBER "1 to 32767"},
    {"\ndeco 0\n2 3\n0 1 2\n1 1 3\n2", "m.tgt:2: processors 0 and 1 are at distance 2, which no way over processors at "
                                       "distance 1 has; expected the distances of a graph of processors"},
    {"cmplet 4", "m.tgt:1: 'cmplet' is no target architecture; expected one of cmplt, cmpltw, hcub, mesh2D, mesh3D, "
                 "meshXD, torus2D, torus3D, torusXD, tleaf, ltleaf, deco"},
    {"\nmesh2D 50000 50000", "m.tgt:2: "}, /* too many: said by the family, with the line */
};

START_TEST(refused_with_the_line)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    const char *tgt = refused[_i].tgt, *expected = refused[_i].message;
    ck_assert_int_eq(tgt_machine_from(tgt, strlen(tgt), "m.tgt", NULL, 0, &machine, diag), INLAY_BAD_INPUT);
    bool begins = expected[strlen(expected) - 1] == ' ';
    const char *message = inlay_diag_message(diag);
    ck_assert_msg(begins ? strncmp(message, expected, strlen(expected)) == 0 : strcmp(message, expected) == 0,
                  "%s\ninstead of\n%s", message, expected);
    ck_assert_ptr_null(machine);
    inlay_diag_free(diag);
}
END_TEST

/* Every file that Scotch comes with; its size follows from the text here, and not from the reader's. */
START_TEST(files_of_scotch)
{
    char path[2 * ROOM], word[32];
    int seen = 0;
    snprintf(path, sizeof path, "%s/platform/scotch-tgt", unit_data() == NULL ? "" : unit_data());
    DIR *folder = unit_data() == NULL ? NULL : opendir(path);
    if (folder == NULL) {
        unit_skip("no test data");
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/platform/scotch-tgt/%s", unit_data(), entry->d_name);
        FILE *file = fopen(path, "r");
        ck_assert_ptr_nonnull(file);
        ck_assert_int_eq(fscanf(file, "%31s", word), 1);
        long size = 1, number;
        while (fscanf(file, "%ld", &number) == 1) {
            size = strcmp(word, "hcub") == 0 || strcmp(word, "leaf") == 0 ? 1L << number : size * number;
        }
        fclose(file);
        inlay_machine *machine = NULL;
        int status = inlay_machine_read(path, &machine, NULL);
        if (strcmp(word, "varcmplt") == 0) {
            ck_assert_int_eq(status, INLAY_BAD_INPUT);
        } else {
            ck_assert_msg(status == INLAY_OK && inlay_machine_processors(machine) == size, "%s", path);
            inlay_machine_free(machine);
        }
        seen++;
    }
    closedir(folder);
    ck_assert_int_ge(seen, 18);
}
END_TEST

/* ---- Writing ---- */

static const struct {
    const char *machine, *tgt; /* NULL: by distances */
} written[] = {
    {"bus:17", "cmplt 17\n"},
    {"multibus:4,memories=2,buses=2", "cmplt 4\n"},
    {"omega:16", "cmplt 16\n"},
    {"omega-pe:16,switch=4", "tleaf 2 4 1 4 1\n"},
    {"omega-pe:4,switch=4", "cmplt 4\n"},
    {"crossbar:9", "cmplt 9\n"},
    {"star:9", "cmplt 9\n"},
    {"ring:9", "torusXD 1 9\n"},
    {"torus:3x4", "torus2D 3 4\n"},
    {"torus:3x4x5", "torus3D 3 4 5\n"},
    {"torus:2x3x2x2", "torusXD 4 2 3 2 2\n"},
    {"mesh:5", "mesh2D 5 1\n"},
    {"mesh:3x4", "mesh2D 3 4\n"},
    {"mesh:3x4x5", "mesh3D 3 4 5\n"},
    {"mesh:2x3x2x2", NULL},
    {"hypercube:1", "cmplt 1\n"},
    {"hypercube:16", "hcub 4\n"},
    {"tree:4x3", "tleaf 2 3 2 4 2\n"},
    {"tree:2x1x3", "tleaf 2 3 4 2 2\n"},
    {"tree:1x1", "cmplt 1\n"},
    {"fattree:4x4,up=1x2,cables=1x2", "tleaf 2 4 2 4 2\n"},
    {"dragonfly:3x2x2x2", NULL},
};

static void write_tgt(const inlay_machine *machine, text_buffer *text)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(tgt_machine_to(machine, 0, text, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
}

START_TEST(families_are_written)
{
    inlay_machine *machine = NULL;
    text_buffer text = {0};
    ck_assert_int_eq(inlay_machine_parse(written[_i].machine, &machine, NULL), INLAY_OK);
    write_tgt(machine, &text);
    if (written[_i].tgt != NULL) {
        ck_assert_str_eq(text.data, written[_i].tgt);
    } else {
        ck_assert_int_eq(strncmp(text.data, "deco\n0\n", 7), 0);
    }
    text_clear(&text);
    inlay_machine_free(machine);
}
END_TEST

/* Hosts of unlike cores and speeds on two switches. */
static const char unlike[] = "graph unlike { graph [network=links]; a [cores=4]; b [speed=1.5, cores=2]; c; d; e;\n"
                             "s [kind=switch]; t [kind=switch]; a -- s; b -- s; c -- s; s -- t; t -- d; t -- e }";

static inlay_machine *unlike_machine(void)
{
    inlay_machine *machine = NULL;
    ck_assert_int_eq(inlay_machine_read_memory(unlike, strlen(unlike), "u.dot", NULL, &machine, NULL), INLAY_OK);
    return machine;
}

/* Every part of the bisection holds as many targets on both sides, or one more, and ends in a target each. */
static int targets_below(const int *domain, int count, int part)
{
    int here = 0;
    for (int i = 0; i < count; i++) {
        here += domain[i] == part;
    }
    if (here > 0) {
        ck_assert_int_eq(here, 1);
        return 1;
    }
    ck_assert_int_lt(part, 4 * count);
    int left = targets_below(domain, count, 2 * part), right = targets_below(domain, count, 2 * part + 1);
    ck_assert_int_le(abs(left - right), 1);
    return left + right;
}

START_TEST(distances_are_written)
{
    static const int weights[] = {4, 3, 1, 1, 1};
    text_buffer text = {0};
    inlay_machine *machine = unlike_machine();
    write_tgt(machine, &text);
    char *at = text.data + strlen("deco\n0\n");
    int domain[5];
    ck_assert_int_eq(strtol(at, &at, 10), 5);
    long most = strtol(at, &at, 10);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(strtol(at, &at, 10), i);
        ck_assert_int_eq(strtol(at, &at, 10), weights[i]);
        domain[i] = (int)strtol(at, &at, 10);
        ck_assert_int_le(domain[i], most);
    }
    ck_assert_int_eq(targets_below(domain, 5, 1), 5);
    for (int i = 1; i < 5; i++) {
        for (int j = 0; j < i; j++) {
            ck_assert_int_eq(strtol(at, &at, 10), (i < 3) == (j < 3) ? 2 : 3);
        }
    }
    ck_assert_str_eq(at, "\n");
    text_clear(&text);
    inlay_machine_free(machine);
}
END_TEST

/* All hosts equally far: a complete graph, weighted where they differ. */
START_TEST(uniform_distances_are_complete)
{
    static const char *const machines[] = {"cmpltw 3 2 4 6", "cmpltw 3 5 5 5"};
    static const char *const expected[] = {"cmpltw 3 1 2 3\n", "cmplt 3\n"};
    for (int i = 0; i < 2; i++) {
        text_buffer text = {0};
        inlay_machine *machine = read_tgt(machines[i], NULL);
        write_tgt(machine, &text);
        ck_assert_str_eq(text.data, expected[i]);
        text_clear(&text);
        inlay_machine_free(machine);
    }
}
END_TEST

START_TEST(what_scotch_cannot_have)
{
    static const char one_way[] = "digraph o { network=links; a -> b -> c -> a }";
    inlay_machine *machine = NULL;
    text_buffer text = {0};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_machine_parse("dragonfly:33x4x4x4", &machine, NULL), INLAY_OK);
    ck_assert_int_eq(tgt_machine_to(machine, 0, &text, diag), INLAY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag),
                                 "has 2112 hosts, and its distances have to be written one by "
                                 "one; expected at most 2048"));
    ck_assert_uint_eq(text.size, 0);
    inlay_machine_free(machine);
    ck_assert_int_eq(inlay_machine_read_memory(one_way, strlen(one_way), "o.dot", NULL, &machine, NULL), INLAY_OK);
    ck_assert_int_eq(tgt_machine_to(machine, 0, &text, diag), INLAY_OK);
    ck_assert_str_eq(text.data, "cmplt 3\n"); /* 1 there and 2 back: 2 for every pair */
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0),
                     "ways there and back of o differ in length: the target has their mean");
    inlay_machine_free(machine);
    text_clear(&text);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Judged by Scotch itself ---- */

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/inlay-tgt-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[ROOM];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static bool has_scotch(void)
{
    return system("command -v atst >/dev/null && command -v scotch_gmap >/dev/null") == 0;
}

/* What a program prints behind the first `mark`, as a number. */
static double number_behind(const char *command, const char *mark)
{
    char line[ROOM];
    double number = -1;
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    while (fgets(line, sizeof line, pipe) != NULL) {
        const char *at = strstr(line, mark);
        number = at != NULL && number < 0 ? plain_number(at + strlen(mark), NULL) : number;
    }
    ck_assert_msg(pclose(pipe) == 0 && number >= 0, "%s", command);
    return number;
}

static void write_to(const inlay_machine *machine, const char *name, char path[ROOM])
{
    snprintf(path, ROOM, "%s/%s", folder, name);
    ck_assert_int_eq(inlay_machine_write_as(machine, path, "tgt", 0, NULL), INLAY_OK);
}

/* The first processor of host number `host`. */
static inlay_id processor_on(const inlay_machine *machine, inlay_id host)
{
    inlay_id p = 0;
    while (inlay_machine_host(machine, p) != host) {
        p++;
    }
    return p;
}

static int host_distance(const inlay_machine *machine, inlay_id a, inlay_id b)
{
    return inlay_machine_distance(machine, processor_on(machine, a), processor_on(machine, b));
}

static double mean_distance(const inlay_machine *machine)
{
    inlay_id hosts = inlay_machine_hosts(machine);
    double sum = 0;
    for (inlay_id a = 0; a < hosts; a++) {
        for (inlay_id b = 0; b < a; b++) {
            sum += host_distance(machine, a, b);
        }
    }
    return sum / (hosts * (hosts - 1.0) / 2);
}

/* As many targets as hosts, with the same largest and mean distance. */
static void check_statistics(const inlay_machine *machine, const char *path)
{
    char command[2 * ROOM];
    inlay_id hosts = inlay_machine_hosts(machine);
    double mean = mean_distance(machine), most = 0;
    for (inlay_id a = 0; a < hosts; a++) {
        for (inlay_id b = 0; b < a; b++) {
            double apart = host_distance(machine, a, b);
            most = apart > most ? apart : most;
        }
    }
    snprintf(command, sizeof command, "atst '%s'", path);
    ck_assert_double_eq(number_behind(command, "Terminals\tnbr="), hosts);
    ck_assert_double_eq(number_behind(command, "max="), most);
    ck_assert_double_eq_tol(number_behind(command, "avg="), mean, 1e-4);
}

/*
 * Scotch maps a ring of vertices, and its sum of distances over the edges is ours. Where distances are given one by one,
 * Scotch 7.0.3 maps well but prints another sum, also for the files of its own amk_m2: there the sum has to be less
 * than half of what vertices anywhere would have.
 */
static void check_mapping(const inlay_machine *machine, const char *path, bool one_by_one)
{
    enum { VERTICES = 60 };
    char graph[ROOM], map[ROOM], command[4 * ROOM];
    snprintf(graph, sizeof graph, "%s/ring.grf", folder);
    snprintf(map, sizeof map, "%s/ring.map", folder);
    FILE *file = fopen(graph, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "0\n%d %d\n0 000\n", VERTICES, 2 * VERTICES);
    for (int v = 0; v < VERTICES; v++) {
        fprintf(file, "2 %d %d\n", (v + 1) % VERTICES, (v + VERTICES - 1) % VERTICES);
    }
    ck_assert_int_eq(fclose(file), 0);
    /* the sum stands in brackets behind its quotient: CommDilat=1.041667 (50) */
    snprintf(command, sizeof command, "scotch_gmap -vm '%s' '%s' '%s' | sed -n 's/.*CommDilat=[0-9.]*[^0-9]*/SUM/p'",
             graph, path, map);
    double dilation = number_behind(command, "SUM");
    file = fopen(map, "r");
    ck_assert_ptr_nonnull(file);
    int count = 0, target[VERTICES];
    ck_assert_int_eq(fscanf(file, "%d", &count), 1);
    ck_assert_int_eq(count, VERTICES);
    for (int v = 0, vertex, on; v < VERTICES; v++) {
        ck_assert_int_eq(fscanf(file, "%d %d", &vertex, &on), 2);
        target[vertex] = on;
    }
    fclose(file);
    double sum = 0;
    for (int v = 0; v < VERTICES; v++) {
        sum += host_distance(machine, target[v], target[(v + 1) % VERTICES]);
    }
    if (one_by_one) {
        ck_assert_double_lt(sum, VERTICES * mean_distance(machine) / 2);
    } else {
        ck_assert_double_eq(dilation, sum);
    }
}

static void judge(const inlay_machine *machine, bool one_by_one)
{
    char path[ROOM];
    write_to(machine, "m.tgt", path);
    check_statistics(machine, path);
    check_mapping(machine, path, one_by_one);
}

START_TEST(scotch_has_our_distances)
{
    inlay_machine *machine = NULL;
    if (!has_scotch()) {
        unit_skip("Scotch is not installed");
        return;
    }
    ck_assert_int_eq(inlay_machine_parse(written[_i].machine, &machine, NULL), INLAY_OK);
    if (inlay_machine_family(machine) != INLAY_STAR && inlay_machine_hosts(machine) > 1) {
        judge(machine, written[_i].tgt == NULL);
    }
    inlay_machine_free(machine);
}
END_TEST

START_TEST(scotch_has_our_explicit_distances)
{
    if (!has_scotch()) {
        unit_skip("Scotch is not installed");
        return;
    }
    inlay_machine *machine = unlike_machine();
    judge(machine, true);
    inlay_machine_free(machine);
}
END_TEST

Suite *suite_tgt(void)
{
    Suite *suite = suite_create("targets of Scotch");
    TCase *reading = tcase_create("reading");
    tcase_add_loop_test(reading, families_are_read, 0, (int)(sizeof families / sizeof *families));
    tcase_add_test(reading, attributes_are_added);
    tcase_add_test(reading, weights_are_speeds);
    tcase_add_test(reading, distances_of_a_graph);
    tcase_add_test(reading, weights_of_levels_are_told);
    tcase_add_loop_test(reading, refused_with_the_line, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(reading, files_of_scotch);
    suite_add_tcase(suite, reading);
    TCase *writing = tcase_create("writing");
    tcase_add_loop_test(writing, families_are_written, 0, (int)(sizeof written / sizeof *written));
    tcase_add_test(writing, distances_are_written);
    tcase_add_test(writing, uniform_distances_are_complete);
    tcase_add_test(writing, what_scotch_cannot_have);
    suite_add_tcase(suite, writing);
    TCase *scotch = tcase_create("by Scotch");
    tcase_add_checked_fixture(scotch, make_folder, remove_folder);
    tcase_add_loop_test(scotch, scotch_has_our_distances, 0, (int)(sizeof written / sizeof *written));
    tcase_add_test(scotch, scotch_has_our_explicit_distances);
    suite_add_tcase(suite, scotch);
    return suite;
}

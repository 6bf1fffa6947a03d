/*
 * How good the schedules of method best are. How far from the optimum, where that is known: small graphs that are searched
 * exhaustively, STG's graphs without communication, Auckland's with. Beside what others answer: generated graphs,
 * workflows, dense factorisations and transforms (rivals.h), and small cases that are searched for to make it look bad
 * (hunt.h). Every mapping goes through the independent checker.
 *
 *     quality [small|stg|gxl|auckland|generated|workflows|tiles|unlike|hunt]...
 *
 * INLAY_DATA: where the data are; INLAY_EFFORT: of --effort; INLAY_EACH: print every case.
 */
#include "hunt.h"
#include "optimum.h"
#include "rivals.h"
#include "unlike.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 400, WORD = 32, PROCESSORS = 16, MACHINE = 1 << 16, GRAPH = 1 << 18 };

static const inlay_options best = {0};

/* ---- Small graphs, exhaustively ---- */

enum { SMALL = 300, SMALL_MOST = 8 };

/* Messages cost nothing, a tenth of the computation, as much, or four times as much. */
static void write_small(char *text, int number)
{
    static const int bytes[] = {0, 1, 10, 40};
    uint64_t state = (uint64_t)number;
    int modules = 3 + judged_below(&state, SMALL_MOST - 2), density = 20 + judged_below(&state, 50),
        most = bytes[number % 4];
    size_t at = (size_t)snprintf(text, GRAPH, "digraph small%d { graph [time_unit=tick];", number);
    for (int i = 0; i < modules; i++) {
        at += (size_t)snprintf(text + at, GRAPH - at, " m%d [time=%d];", i, 1 + judged_below(&state, 20));
    }
    for (int i = 0; i < modules; i++) {
        for (int j = 0; j < i; j++) {
            if (judged_below(&state, 100) < density) {
                at += (size_t)snprintf(text + at, GRAPH - at, " m%d -> m%d [bytes=%d];", j, i,
                                       most == 0 ? 0 : 1 + judged_below(&state, 2 * most));
            }
        }
    }
    (void)snprintf(text + at, GRAPH - at, " }");
}

static int read_small(const judge *q, const char *text, inlay_app **app)
{
    int status = inlay_bytes_write(q->app, text, strlen(text), NULL);
    return status == INLAY_OK ? inlay_app_read(q->app, NULL, app, NULL) : status;
}

static int one_small(const judge *q, int number, const char *machine_text, bool alike, char *text, judged_tally *t)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    judged_answer found = {0};
    double optimum = 0;
    write_small(text, number);
    int status = read_small(q, text, &app);
    if (status == INLAY_OK) {
        status = judged_machine(machine_text, &machine);
    }
    if (status == INLAY_OK) {
        status = judged_map(q, app, machine, &best, &found);
    }
    if (status == INLAY_OK) {
        status = optimum_find(app, machine, alike, found.elapsed, &optimum);
    }
    if (status == INLAY_OK) {
        judged_count(t, &found, optimum);
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

static int small(const judge *q)
{
    char *text = q->text;
    static const struct {
        const char *name, *machine;
        bool alike;
    } machines[] = {
        {"bus:3", "bus:3,capacity=1B/tick", true},
        {"mesh:3x1", "mesh:3x1,capacity=1B/tick", false},
        {"unlike, speeds 1 2 0.5",
         "graph m { graph [network=links]; a; b [speed=2]; c [speed=0.5]; edge [capacity=\"1B/tick\"]; a -- b -- c; }",
         false},
    };
    judged_tally all = {0};
    int status = INLAY_OK;
    judged_head("Small graphs: 3 to 8 modules, 3 processors, against all schedules");
    for (size_t m = 0; status == INLAY_OK && m < sizeof machines / sizeof *machines; m++) {
        judged_tally t = {0};
        for (int number = (int)m; status == INLAY_OK && number < SMALL; number += 3) {
            status = one_small(q, number, machines[m].machine, machines[m].alike, text, &t);
        }
        judged_print(machines[m].name, &t);
        judged_add(&all, &t);
    }
    judged_print("all", &all);
    return status;
}

/* ---- Tables of optima ---- */

static const char *data_folder(void)
{
    const char *folder = getenv("INLAY_DATA");
    return folder == NULL ? "" : folder;
}

typedef int reader(const judge *q, const char *path, char *text, inlay_app **app);
typedef void builder(char *text, int processors);

/* NOLINTNEXTLINE(readability-non-const-parameter): a reader */
static int read_stg(const judge *q, const char *path, char *text, inlay_app **app)
{
    inlay_app *stg = NULL;
    (void)text;
    int status = inlay_app_read(path, "stg", &stg, NULL);
    status = status == INLAY_OK ? inlay_app_write(stg, q->app, "dot", NULL) : status;
    inlay_app_free(stg);
    return status == INLAY_OK ? inlay_app_read(q->app, NULL, app, NULL) : status;
}

/* In bytes, of which the links have none: messages take no time. */
static void build_free(char *text, int processors)
{
    (void)snprintf(text, MACHINE, "bus:%d,capacity=1GB/tick", processors);
}

static size_t write_node(char *text, size_t at, const char *id, double weight)
{
    return at + (size_t)snprintf(text + at, GRAPH - at, " n%s [time=%.0f];", id, weight);
}

static size_t write_edge(char *text, size_t at, const char *from, const char *to, double weight)
{
    return at + (size_t)snprintf(text + at, GRAPH - at, " n%s -> n%s [bytes=%.0f];", from, to, weight);
}

/* The word behind the next `what`; the text goes on there. */
static const char *word_behind(const char **at, const char *what, char word[WORD])
{
    const char *found = strstr(*at, what);
    word[0] = '\0';
    if (found != NULL) {
        *at = found + strlen(what);
        (void)sscanf(*at, " %31[A-Za-z0-9_]", word);
    }
    return word;
}

static size_t copy_gxl(const char *gxl, char *text, size_t to)
{
    char id[WORD], other[WORD], weight[WORD];
    for (const char *at = strstr(gxl, "<node "); at != NULL; at = strstr(at, "<node ")) {
        word_behind(&at, "id=\"", id);
        to = write_node(text, to, id, strtod(word_behind(&at, "<int>", weight), NULL));
    }
    for (const char *at = strstr(gxl, "<edge "); at != NULL; at = strstr(at, "<edge ")) {
        word_behind(&at, "from=\"", id);
        word_behind(&at, "to=\"", other);
        to = write_edge(text, to, id, other, strtod(word_behind(&at, "<int>", weight), NULL));
    }
    return to;
}

/* Lines like `0 -> 3 [Weight=34];`. */
static size_t copy_lines(char *lines, char *text, size_t to)
{
    char *rest = NULL, id[WORD], other[WORD];
    for (char *line = strtok_r(lines, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const char *weight = strstr(line, "eight="), *arrow = line, *begin = line;
        if (weight == NULL) {
            continue;
        }
        double number = strtod(weight + strlen("eight="), NULL);
        word_behind(&begin, "", id);
        word_behind(&arrow, "->", other);
        to = other[0] != '\0' ? write_edge(text, to, id, other, number) : write_node(text, to, id, number);
    }
    return to;
}

/* As DOT of Inlay: nodes have their weight as time, edges theirs as bytes. */
static int read_gxl(const judge *q, const char *path, char *text, inlay_app **app)
{
    static char file_text[GRAPH];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return INLAY_BAD_INPUT;
    }
    size_t size = fread(file_text, 1, sizeof file_text - 1, file);
    size_t to = (size_t)snprintf(text, GRAPH, "digraph gxl { graph [time_unit=tick];");
    (void)fclose(file);
    file_text[size] = '\0';
    to = strstr(file_text, "<gxl") != NULL ? copy_gxl(file_text, text, to) : copy_lines(file_text, text, to);
    (void)snprintf(text + to, GRAPH - to, " }");
    return read_small(q, text, app);
}

/* Between any two a link on which messages do not meet: a byte takes a tick. */
static void build_clique(char *text, int processors)
{
    if (processors == 1) {
        (void)snprintf(text, MACHINE, "bus:1,capacity=1B/tick");
        return;
    }
    size_t at = (size_t)snprintf(text, MACHINE,
                                 "graph clique { graph [network=links]; edge [capacity=\"1B/tick\", parallel=true];");
    for (int i = 0; i < processors; i++) {
        for (int j = 0; j < i; j++) {
            at += (size_t)snprintf(text + at, MACHINE - at, " p%d -- p%d;", j, i);
        }
    }
    (void)snprintf(text + at, MACHINE - at, " }");
}

/* @param optimum  0: not known */
static int one_listed(const judge *q, const char *file, int processors, double optimum, reader *read, builder *build,
                      char *text, judged_tally *t)
{
    char path[3 * TEXT];
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    judged_answer found = {0};
    (void)snprintf(path, sizeof path, "%s/%s", data_folder(), file);
    int status = read(q, path, text, &app);
    if (status == INLAY_OK) {
        build(text, processors);
        status = judged_machine(text, &machine);
    }
    if (status == INLAY_OK) {
        status = judged_map(q, app, machine, &best, &found);
    }
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s on %d: %s\n", path, processors, inlay_status_text(status));
    } else {
        judged_count(t, &found, optimum > 0 ? optimum : found.least);
        if (q->each) {
            printf("%s on %d: %.6f of %.6f, at least %.6f, %.3f s\n", file, processors, found.elapsed, optimum,
                   found.least, found.seconds);
        }
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

/* False in the heading. */
static bool read_row(const char *line, char name[TEXT], double number[4])
{
    size_t length = strcspn(line, ",");
    char *end = NULL;
    (void)snprintf(name, TEXT, "%.*s", (int)length, line);
    for (int k = 0; k < 4 && line[length] == ','; k++, length = (size_t)(end - line)) {
        number[k] = strtod(line + length + 1, &end);
    }
    return number[0] >= 1;
}

/*
 * One graph has 16 for 8 processors and more in the table. Its only messages take 26 each, from modules of 7 and 6 to one
 * of 4: together these take 17, apart more than 26.
 */
static bool is_misprinted(const char *name, double optimum)
{
    return strstr(name, "Random_Nodes_10_Density_0.20_CCR_1.00_WeightType_Random") != NULL && optimum < 17;
}

/* Rows of file, processors, optimum and, where it is not proven, two bounds that differ. */
static int listed(const judge *q, const char *table, const char *prefix, reader *read, builder *build, char *text)
{
    char path[3 * TEXT], line[TEXT];
    judged_tally all = {0}, each[PROCESSORS + 1] = {{0}};
    int status = INLAY_OK;
    (void)snprintf(path, sizeof path, "%s/%s", data_folder(), table);
    FILE *rows = fopen(path, "r");
    if (rows == NULL) {
        (void)fprintf(stderr, "%s cannot be read: expected INLAY_DATA to name the folder of the data\n", path);
        return INLAY_BAD_INPUT;
    }
    judged_head(table);
    while (status == INLAY_OK && fgets(line, sizeof line, rows) != NULL) {
        char file[2 * TEXT], name[TEXT];
        double number[4] = {0}; /* processors, optimum, and the bounds */
        if (!read_row(line, name, number) || number[0] > PROCESSORS || number[2] < number[3] ||
            is_misprinted(name, number[1])) {
            continue;
        }
        int processors = (int)number[0];
        (void)snprintf(file, sizeof file, "%s%s", prefix, name);
        status = one_listed(q, file, processors, number[1], read, build, text, &each[processors]);
    }
    (void)fclose(rows);
    for (int p = 1; p <= PROCESSORS; p++) {
        if (each[p].cases > 0) {
            char name[TEXT];
            (void)snprintf(name, sizeof name, "%d processors", p);
            judged_print(name, &each[p]);
            judged_add(&all, &each[p]);
        }
    }
    judged_print("all", &all);
    return status;
}

static bool asked(int count, char **argument, const char *name)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(argument[i], name) == 0) {
            return true;
        }
    }
    return count == 1;
}

typedef int table(const judge *q);

static int stg(const judge *q)
{
    int status = listed(q, "stg/optimal_rnc50.csv", "stg/", read_stg, build_free, q->text);
    return status == INLAY_OK ? listed(q, "stg/optimal_rnc100.csv", "stg/", read_stg, build_free, q->text) : status;
}

static int gxl(const judge *q)
{
    return listed(q, "gxl/optimal.csv", "", read_gxl, build_clique, q->text);
}

static int is_21(const struct dirent *entry)
{
    return strstr(entry->d_name, "Nodes_21") != NULL;
}

static int is_30(const struct dirent *entry)
{
    return strstr(entry->d_name, "Nodes_30") != NULL;
}

/* Graphs without a known optimum, each beside its lower bound: `optimal` are those that are proven. */
static int proofs(const judge *q, const char *nodes, int (*is_listed)(const struct dirent *))
{
    char folder[2 * TEXT], name[TEXT];
    struct dirent **entries = NULL;
    (void)snprintf(folder, sizeof folder, "%s/gxl", data_folder());
    int status = INLAY_OK, count = scandir(folder, &entries, is_listed, alphasort);
    for (int processors = 2; processors <= 4; processors += 2) {
        judged_tally t = {0};
        for (int k = 0; status == INLAY_OK && k < count; k++) {
            char file[2 * TEXT];
            (void)snprintf(file, sizeof file, "gxl/%s", entries[k]->d_name);
            status = one_listed(q, file, processors, 0, read_gxl, build_clique, q->text, &t);
        }
        (void)snprintf(name, sizeof name, "%s nodes, %d processors", nodes, processors);
        judged_print(name, &t);
    }
    for (int k = 0; k < count; k++) {
        free(entries[k]);
    }
    free(entries);
    return status;
}

static int auckland(const judge *q)
{
    judged_head("gxl: larger graphs, beside their lower bounds");
    int status = proofs(q, "21", is_21);
    return status == INLAY_OK ? proofs(q, "30", is_30) : status;
}

static int workflows(const judge *q)
{
    return rivals_workflows(q, data_folder());
}

static int unlike_hosts(const judge *q)
{
    return unlike(q, data_folder());
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        table *print;
    } tables[] = {{"small", small},
                  {"stg", stg},
                  {"gxl", gxl},
                  {"auckland", auckland},
                  {"generated", rivals_generated},
                  {"workflows", workflows},
                  {"tiles", rivals_tiles},
                  {"unlike", unlike_hosts},
                  {"hunt", hunt}};
    judge q;
    judged_begin(&q);
    q.room = GRAPH;
    q.text = malloc(q.room);
    int status = q.text == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (size_t k = 0; status == INLAY_OK && k < sizeof tables / sizeof *tables; k++) {
        if (asked(argc, argv, tables[k].name)) {
            status = tables[k].print(&q);
        }
    }
    judged_end(&q);
    free(q.text);
    return status == INLAY_OK ? 0 : 1;
}

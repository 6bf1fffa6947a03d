/*
 * Reading every format: MB and modules a second, what memory it takes, and how much longer it takes than what can be had
 * for the bare text of the same file: igraph for GraphML, jansson's parse for WfFormat and JSON, cgraph for DOT.
 *
 * One graph in all of them: layers of modules with one to four links each, in seconds, or in ticks where a format has no
 * other. Formats that Inlay only reads are written here.
 */
#include "bench.h"
#include "program.h"
#include <graphviz/cgraph.h>
#include <igraph.h>
#include <inlay/inlay.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { WIDTH = 100, FEW = 50000, MANY = 200000 };

/* ---- The graph ---- */

/* Links go one layer back, to the same place and up to three beside it: how many, and their bytes, depend on the module. */
static int links_of(int module)
{
    return module < WIDTH ? 0 : 1 + module * 7 % 4;
}

static int source_of(int module, int link)
{
    int place = module % WIDTH, before = module - WIDTH - place;
    return before + (place + link) % WIDTH;
}

static int bytes_of(int module, int link)
{
    return 1000 + module * 13 % 9000 + link;
}

static int time_of(int module)
{
    return 1 + module * 11 % 997;
}

static int add_links(inlay_app_builder *builder, int modules)
{
    int status = INLAY_OK;
    for (int i = 0; status == INLAY_OK && i < modules; i++) {
        for (int l = 0; status == INLAY_OK && l < links_of(i); l++) {
            status = inlay_app_add_link(builder, source_of(i, l), i, 1, bytes_of(i, l), 0, NULL);
        }
    }
    return status;
}

static int make_app(int modules, inlay_unit unit, inlay_app **app)
{
    inlay_app_builder *builder = inlay_app_builder_new("bench", unit);
    int status = builder == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    for (int i = 0; status == INLAY_OK && i < modules; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "task_%07d", i);
        const inlay_module module = {.name = name, .time = {{time_of(i), 0}, INLAY_UNIT_NONE}};
        status = inlay_app_add_module(builder, &module, NULL);
    }
    status = status == INLAY_OK ? add_links(builder, modules) : status;
    status = status == INLAY_OK ? inlay_app_build(builder, app, NULL) : status;
    inlay_app_builder_free(builder);
    return status;
}

/* ---- Formats that are only read ---- */

static void put_dax(FILE *to, int modules)
{
    (void)fputs("<adag name=\"bench\">\n", to);
    for (int i = 0; i < modules; i++) {
        (void)fprintf(to, "<job id=\"task_%07d\" name=\"task\" runtime=\"%d\">\n", i, time_of(i));
        for (int l = 0; l < links_of(i); l++) {
            (void)fprintf(to, "<uses file=\"f%d\" link=\"input\" size=\"%d\"/>\n", source_of(i, l), bytes_of(i, 0));
        }
        (void)fprintf(to, "<uses file=\"f%d\" link=\"output\" size=\"%d\"/>\n</job>\n", i, bytes_of(i, 0));
    }
    for (int i = WIDTH; i < modules; i++) {
        (void)fprintf(to, "<child ref=\"task_%07d\">", i);
        for (int l = 0; l < links_of(i); l++) {
            (void)fprintf(to, "<parent ref=\"task_%07d\"/>", source_of(i, l));
        }
        (void)fputs("</child>\n", to);
    }
    (void)fputs("</adag>\n", to);
}

static void put_gxl(FILE *to, int modules)
{
    static const char weight[] = "<attr name=\"Weight\"><int>%d</int></attr>";
    (void)fputs("<gxl><graph id=\"bench\" edgemode=\"directed\">\n", to);
    for (int i = 0; i < modules; i++) {
        (void)fprintf(to, "<node id=\"task_%07d\">", i);
        (void)fprintf(to, weight, time_of(i));
        (void)fputs("</node>\n", to);
    }
    for (int i = 0; i < modules; i++) {
        for (int l = 0; l < links_of(i); l++) {
            (void)fprintf(to, "<edge from=\"task_%07d\" to=\"task_%07d\">", source_of(i, l), i);
            (void)fprintf(to, weight, bytes_of(i, l));
            (void)fputs("</edge>\n", to);
        }
    }
    (void)fputs("</graph></gxl>\n", to);
}

static void put_dslab(FILE *to, int modules)
{
    (void)fputs("inputs: []\ntasks:\n", to);
    for (int i = 0; i < modules; i++) {
        (void)fprintf(to, "- name: task_%07d\n  flops: %d\n  memory: 0\n  min_cores: 1\n  max_cores: 1\n  inputs:%s\n",
                      i, time_of(i), links_of(i) == 0 ? " []" : "");
        for (int l = 0; l < links_of(i); l++) {
            (void)fprintf(to, "  - f%d\n", source_of(i, l));
        }
        (void)fprintf(to, "  outputs:\n  - name: f%d\n    size: %d\n", i, bytes_of(i, 0));
    }
}

static void put_dagbench(FILE *to, int modules)
{
    (void)fputs("{\"name\": \"bench\", \"task_graph\": {\"tasks\": [\n", to);
    for (int i = 0; i < modules; i++) {
        (void)fprintf(to, "{\"name\": \"task_%07d\", \"cost\": %d}%s\n", i, time_of(i), i + 1 < modules ? "," : "");
    }
    (void)fputs("], \"dependencies\": [\n", to);
    for (int i = WIDTH; i < modules; i++) {
        for (int l = 0; l < links_of(i); l++) {
            (void)fprintf(to, "%s{\"source\": \"task_%07d\", \"target\": \"task_%07d\", \"size\": %d}\n",
                          i == WIDTH && l == 0 ? "" : ",", source_of(i, l), i, bytes_of(i, l));
        }
    }
    (void)fputs("]}, \"network\": {\"nodes\": [{\"name\": \"p\", \"speed\": 1}], \"edges\": []}}\n", to);
}

static void put_mtx(FILE *to, int modules)
{
    int64_t links = 0;
    for (int i = 0; i < modules; i++) {
        links += links_of(i);
    }
    (void)fprintf(to, "%%%%MatrixMarket matrix coordinate real general\n%d %d %" PRId64 "\n", modules, modules,
                  links + modules);
    for (int i = 0; i < modules; i++) {
        (void)fprintf(to, "%d %d %d\n", i + 1, i + 1, time_of(i));
        for (int l = 0; l < links_of(i); l++) {
            (void)fprintf(to, "%d %d %d\n", source_of(i, l) + 1, i + 1, bytes_of(i, l));
        }
    }
}

static void put_tgff(FILE *to, int modules)
{
    (void)fputs("@TASK_GRAPH 0 {\n PERIOD 1000000\n", to);
    for (int i = 0; i < modules; i++) {
        (void)fprintf(to, " TASK task_%07d TYPE %d\n", i, time_of(i));
    }
    for (int i = 0, arc = 0; i < modules; i++) {
        for (int l = 0; l < links_of(i); l++, arc++) {
            (void)fprintf(to, " ARC a0_%d FROM task_%07d TO task_%07d TYPE %d\n", arc, source_of(i, l), i, arc % 50);
        }
    }
    (void)fputs("}\n", to);
}

/* ---- What the bare text takes ---- */

static int parse_json(const char *path)
{
    json_t *root = json_load_file(path, 0, NULL);
    json_decref(root);
    return root != NULL ? 0 : INLAY_BAD_INPUT;
}

static int parse_dot(const char *path)
{
    FILE *from = fopen(path, "r");
    Agraph_t *graph = from == NULL ? NULL : agread(from, NULL);
    if (from != NULL) {
        (void)fclose(from);
    }
    return graph == NULL ? INLAY_BAD_INPUT : agclose(graph);
}

static int parse_graphml(const char *path)
{
    igraph_t graph;
    FILE *from = fopen(path, "r");
    int status = INLAY_BAD_INPUT;
    igraph_set_attribute_table(&igraph_cattribute_table);
    if (from != NULL && igraph_read_graph_graphml(&graph, from, 0) == IGRAPH_SUCCESS) {
        igraph_destroy(&graph);
        status = 0;
    }
    if (from != NULL) {
        (void)fclose(from);
    }
    return status;
}

/* ---- The formats ---- */

typedef struct form {
    const char *name;
    bool ticks;                         /* it has no seconds */
    void (*put)(FILE *to, int modules); /* NULL: Inlay writes it */
    int (*bare)(const char *path);      /* NULL: nothing to compare with */
    const char *bare_name;
} form;

static const form forms[] = {
    {"tg", false, NULL, NULL, ""},
    {"dot", false, NULL, parse_dot, "cgraph"},
    {"graphml", false, NULL, parse_graphml, "igraph"},
    {"csv", false, NULL, NULL, ""},
    {"json", false, NULL, parse_json, "jansson"},
    {"wfformat", false, NULL, parse_json, "jansson"},
    {"dagbench", true, put_dagbench, parse_json, "jansson"},
    {"stg", true, NULL, NULL, ""},
    {"dax", false, put_dax, NULL, ""},
    {"gxl", true, put_gxl, NULL, ""},
    {"dslab", false, put_dslab, NULL, ""},
    {"tgff", true, put_tgff, NULL, ""},
    {"mtx", true, put_mtx, NULL, ""},
    {"metis", true, NULL, NULL, ""},
    {"scotch", true, NULL, NULL, ""},
};

enum { FORMS = sizeof forms / sizeof *forms };

/* ---- A process for each ---- */

typedef struct question {
    const form *form;
    int modules;
    bool bare;
    char path[BENCH_PATH];
} question;

typedef struct answer {
    bench_time time;
    double bytes; /* of the file */
    double peak;  /* memory in bytes that reading took */
} answer;

static int write_file(const void *asked, void *result)
{
    const question *q = asked;
    inlay_app *app = NULL;
    (void)result;
    if (q->form->put == NULL) {
        int status = make_app(q->modules, q->form->ticks ? INLAY_UNIT_TICK : INLAY_UNIT_S, &app);
        status = status == INLAY_OK ? inlay_app_write(app, q->path, q->form->name, NULL) : status;
        inlay_app_free(app);
        return status;
    }
    FILE *to = fopen(q->path, "w");
    if (to == NULL) {
        return INLAY_SYSTEM;
    }
    q->form->put(to, q->modules);
    return fclose(to) == 0 ? INLAY_OK : INLAY_SYSTEM;
}

static int read_once(void *context)
{
    const question *q = context;
    inlay_app *app;
    if (q->bare) {
        return q->form->bare(q->path);
    }
    int status = inlay_app_read(q->path, q->form->name, &app, NULL);
    if (status == INLAY_OK) {
        inlay_app_free(app);
    }
    return status;
}

static double bytes_at(const char *path, const char *behind)
{
    char whole[BENCH_PATH + 8];
    struct stat file;
    (void)snprintf(whole, sizeof whole, "%s%s", path, behind);
    return stat(whole, &file) == 0 ? (double)file.st_size : 0;
}

static int read_file(const void *asked, void *result)
{
    question q = *(const question *)asked;
    answer *a = result;
    int status = bench_measure(read_once, &q, &a->time);
    a->bytes = bytes_at(q.path, "") + (strcmp(q.form->name, "csv") == 0 ? bytes_at(q.path, ".links") : 0);
    a->peak = bench_peak_memory();
    return status;
}

/* ---- The table ---- */

/* @param graph  memory in bytes of the graph alone */
static void print_row(bench_table *table, const question *q, const answer *ours, const answer *bare, double graph)
{
    bool compared = q->form->bare != NULL;
    double over = ours->peak - graph, time = ours->time.worked;
    bench_cell(table, "%s", q->form->name);
    bench_cell_number(table, ours->bytes / 1e6, 1);
    bench_cell_time(table, time);
    bench_cell_number(table, ours->bytes / 1e6 / time, 1);
    bench_cell(table, "%.0f", q->modules / time);
    bench_cell_number(table, ours->peak / 1e6, 0);
    bench_cell_number(table, over > 0 ? over / ours->bytes : 0, 1);
    bench_cell(table, "%s", compared ? q->form->bare_name : "-");
    bench_cell_time(table, compared ? bare->time.worked : NAN);
    bench_cell_number(table, compared ? bare->peak / 1e6 : NAN, 0);
    bench_cell_number(table, compared ? time / bare->time.worked : NAN, 2);
    bench_cell_number(table, 100 * ours->time.noise, 0);
}

static int bench_in(const char *folder, int modules)
{
    static const bench_column columns[] = {{"format", -9},   {"MB", 6},      {"time", 7},     {"MB/s", 6},
                                           {"modules/s", 9}, {"MB peak", 7}, {"per byte", 8}, {"bare", -7},
                                           {"time", 7},      {"MB peak", 7}, {"/bare", 5},    {"noise %", 7}};
    char title[160];
    double peak[FORMS] = {0}; /* the first is the graph's alone: .tg is read piece by piece */
    (void)snprintf(title, sizeof title,
                   "Reading %d modules, time of the processor; 'per byte': peak memory without the graph's, over bytes "
                   "of the file",
                   modules);
    bench_table table = bench_table_begin(title, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < FORMS; i++) {
        question q = {.form = &forms[i], .modules = modules};
        answer ours = {0}, bare = {0};
        bench_folder_path(folder, "graph", q.path);
        int status = bench_apart(write_file, &q, &ours, sizeof ours);
        status = status == INLAY_OK ? bench_apart(read_file, &q, &ours, sizeof ours) : status;
        q.bare = true;
        status = status == INLAY_OK && forms[i].bare != NULL ? bench_apart(read_file, &q, &bare, sizeof bare) : status;
        if (status != INLAY_OK) {
            return status;
        }
        peak[i] = ours.peak;
        print_row(&table, &q, &ours, &bare, peak[0]);
    }
    return INLAY_OK;
}

static int run_in(const char *folder, bool full)
{
    return bench_in(folder, full ? MANY : FEW);
}

int main(int argc, char **argv)
{
    return bench_with_folder(argc, argv, run_in);
}

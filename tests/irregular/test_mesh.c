/* Mesh files read in parallel against the slow reader, and what is refused. */
#include "harness.h"
#include "slow_mesh.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The rows of this rank are those of the slow reader. */
static void compare(harness *h, const inlay_graph *graph, const slow_mesh *slow)
{
    int64_t at = 0, loads = slow->loads > 1 ? slow->loads : 1;
    check(h, graph->vertices == slow->vertices);
    check(h, (graph->weights > 1 ? graph->weights : 1) == loads);
    check(h, graph->arcs == slow->count);
    check(h, graph->global == NULL);
    check(h, graph->first == inlay_block_first(slow->vertices, h->ranks, h->rank));
    check(h, graph->first + graph->rows == inlay_block_first(slow->vertices, h->ranks, h->rank + 1));
    while (at < slow->count && slow->arc[at].from < graph->first) {
        at++;
    }
    for (int32_t i = 0; i < graph->rows; i++) {
        for (int64_t w = 0; w < loads && slow->load != NULL; w++) {
            int64_t load = graph->load != NULL ? graph->load[i * loads + w] : 1;
            check(h, load == slow->load[(graph->first + i) * loads + w]);
        }
        for (int64_t k = graph->start[i]; k < graph->start[i + 1]; k++, at++) {
            if (!check(h, at < slow->count && slow->arc[at].from == graph->first + i &&
                              slow->arc[at].to == graph->column[k] &&
                              slow->arc[at].weight == (graph->weight != NULL ? graph->weight[k] : 1))) {
                return;
            }
        }
    }
    check(h, at == slow->count || slow->arc[at].from >= graph->first + graph->rows);
}

/* One warning tells how many there are, and none where there are none. */
static void check_told(harness *h, const inlay_diag *diag, const char *path, const char *what, int64_t count)
{
    int told = 0;
    char number[64];
    snprintf(number, sizeof number, ": %lld; ", (long long)count);
    for (size_t i = 0; i < inlay_diag_warnings(diag); i++) {
        const char *warning = inlay_diag_warning(diag, i);
        if (strstr(warning, what) != NULL) {
            told++;
            check(h, strncmp(warning, path, strlen(path)) == 0 && strstr(warning, number) != NULL);
        }
    }
    check(h, told == (count > 0));
}

/* What the slow reader found in the file is told, but for elements, which share their edges. */
static void check_warnings(harness *h, const inlay_diag *diag, const char *path, const slow_mesh *slow)
{
    check_told(h, diag, path, "above the diagonal", slow->upper);
    check_told(h, diag, path, "of another one", slow->repeats);
}

/* ---- Real files ---- */

static const char *data_folder(void)
{
    const char *folder = getenv("INLAY_DATA");
    return folder != NULL ? folder : "../shared/data";
}

/* Reads a file and compares; `vertices` and `edges` are -1 where they are not known. */
static void read_file(harness *h, const char *path, int64_t vertices, int64_t edges)
{
    inlay_mesh *mesh = NULL;
    slow_mesh slow = {0};
    if (!check_ok(h, inlay_mesh_read(h->comm, path, NULL, &mesh, h->diag))) {
        return;
    }
    check(h, vertices < 0 || mesh->graph->vertices == vertices);
    check(h, edges < 0 || mesh->graph->arcs == 2 * edges);
    if (check(h, slow_mesh_read(path, mesh->format, &slow))) {
        compare(h, mesh->graph, &slow);
        check_warnings(h, h->diag, path, &slow);
    }
    check_ok(h, inlay_graph_check(mesh->graph, h->diag));
    slow_mesh_clear(&slow);
    inlay_mesh_free(mesh);
}

/* One line that names the file; with `line` also a line of it. */
static void refuse_file(harness *h, const char *path, const char *text)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_mesh *mesh = NULL;
    check_fails(h, inlay_mesh_read(h->comm, path, NULL, &mesh, diag), INLAY_BAD_INPUT, text, diag);
    const char *message = inlay_diag_message(diag);
    check(h, mesh == NULL);
    check(h, strncmp(message, path, strlen(path)) == 0 && message[strlen(path)] == ':');
    check(h, strstr(message, "; expected ") != NULL && strchr(message, '\n') == NULL);
    inlay_diag_free(diag);
}

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

/* Whether it is no mesh: no square sparse matrix. */
static const char *refusal_of(const char *name, const char *notes)
{
    return strstr(name, "mtx-malformed/") != NULL      ? ""
           : strstr(notes, "rectangular") != NULL      ? "expected a square one"
           : strstr(notes, "matrix array") != NULL     ? "is dense"
           : strstr(notes, "NO HEADER; dense") != NULL ? "as of a dense matrix"
                                                       : NULL;
}

static void try_line(harness *h, char *line)
{
    enum { VERTICES = 6, EDGES, NOTES, COLUMNS };
    char *column[COLUMNS], path[4096];
    size_t columns = 0;
    for (char *at = line; columns < COLUMNS && at != NULL; columns++) {
        column[columns] = at;
        at = strchr(at, '\t');
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    if (columns < COLUMNS || strncmp(column[0], "mesh/", 5) != 0 || strstr(column[0], ".xyz") != NULL ||
        ends_in(column[0], ".ptn")) {
        return;
    }
    bool large = strtol(column[VERTICES], NULL, 10) > 3000;
    if (large && h->ranks != 3) { /* once is enough */
        return;
    }
    const char *refusal = refusal_of(column[0], column[NOTES]);
    harness_case(h, "%s", column[0]);
    snprintf(path, sizeof path, "%s/%s", data_folder(), column[0]);
    if (refusal != NULL) {
        refuse_file(h, path, refusal);
    } else { /* of a mesh the list has the elements */
        bool counted = column[EDGES][0] != '\0' && !ends_in(column[0], ".mesh");
        read_file(h, path, counted ? strtol(column[VERTICES], NULL, 10) : -1,
                  counted ? strtol(column[EDGES], NULL, 10) : -1);
    }
}

static void real_files(harness *h)
{
    char path[4096];
    harness_case(h, "list of files");
    if (access(data_folder(), F_OK) != 0) {
        harness_skip(h, "no test data");
        return;
    }
    snprintf(path, sizeof path, "%s/MANIFEST.tsv", data_folder());
    char *list = slow_text(path);
    if (!check(h, list != NULL)) {
        return;
    }
    for (char *line = list, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        try_line(h, line);
    }
    free(list);
}

/* ---- Files made here ---- */

/* Rank 0 writes; all have the path, which no other process has. */
static void write_file(harness *h, const char *ending, const char *text, char path[256])
{
    long process = getpid();
    const char *folder = getenv("TMPDIR");
    MPI_Bcast(&process, 1, MPI_LONG, 0, h->comm);
    snprintf(path, 256, "%.200s/inlay-%ld%s", folder != NULL ? folder : "/tmp", process, ending);
    if (h->rank == 0) {
        FILE *file = fopen(path, "w");
        if (check(h, file != NULL)) {
            check(h, fputs(text, file) >= 0);
            check(h, fclose(file) == 0);
        }
    }
    MPI_Barrier(h->comm);
}

static void remove_file(harness *h, const char *path)
{
    MPI_Barrier(h->comm);
    if (h->rank == 0) {
        check(h, remove(path) == 0);
    }
}

static const struct bad {
    const char *ending, *text, *message;
} bad_files[] = {
    {".graph", "", ": is empty; expected"},
    {".graph", "% only this\n", ": is empty; expected"},
    {".graph", "3\n2\n1 3\n2\n", ":1: the number of edges is missing; expected"},
    {".graph", "3 x\n2\n1 3\n2\n", ":1: the number of edges is 'x'; expected"},
    {".graph", "3 2 7\n2\n1 3\n2\n", ":1: the format is '7'; expected"},
    {".graph", "3 2 0 1\n2\n1 3\n2\n", ":1: there is '1'; expected"},
    {".graph", "99999999999999999999 2\n2\n1 3\n2\n", ":1: the number of vertices is '99999999999999999999'; expected"},
    {".graph", "% here\n3 2\n2\n1 4\n2\n", ":4: a neighbour is '4'; expected a whole number from 1 to 3"},
    {".graph", "3 2\n2\n1 0\n2\n", ":3: a neighbour is '0'; expected a whole number from 1 to 3"},
    {".graph", "3 2\n2\n1 3\n-2\n", ":4: a neighbour is '-2'; expected a whole number from 1 to 3"},
    {".graph", "3 2\n2\n1 3x\n2\n", ":3: a neighbour is '3x'; expected"},
    {".graph", "3 2\n2\n1 3 2\n2\n", ":3: vertex 2 is its own neighbour; expected"},
    {".graph", "3 2\n2\n1 3 1\n2\n", ":3: vertex 2 lists its neighbour 1 twice; expected"},
    {".graph", "4 3\n2\n1 3\n2 4\n\n", ":4: vertex 3 lists 4, which does not list it; expected"},
    {".graph", "4 3\n2\n1 3\n2\n% so\n3\n", ":6: vertex 4 lists 3, which does not list it; expected"},
    {".graph", "4 3\n2 4\n1 3\n2 4\n3\n", ":2: vertex 1 lists 4, which does not list it; expected"},
    {".graph", "3 2 1\n2 5\n1 5 3 7\n2 8\n", ":3: vertex 2 lists 3 with weight 7, which lists it with weight 8"},
    {".graph", "3 2 1\n2 5\n1 5 3\n2 8\n", ":3: the weight of an edge is missing; expected"},
    {".graph", "3 2 1\n2 0\n1 0 3 1\n2 1\n", ":2: the weight of an edge is '0'; expected"},
    {".graph", "3 2 10\n1 2\n\n1 2\n", ":3: a weight of the vertex is missing; expected"},
    {".graph", "3 2 10 2\n1 1 2\n1 1 1 3\n1\n", ":4: a weight of the vertex is missing; expected"},
    {".graph", "3 2 10 2\n1 1 2\n1 -1 1 3\n1 1 2\n", ":3: a weight of the vertex is '-1'; expected"},
    {".graph", "3 2 10 0\n1 2\n1 1 3\n1 2\n", ":1: the number of weights of a vertex is '0'; expected"},
    {".graph", "3 2 10 33\n1 2\n1 1 3\n1 2\n", ":1: the number of weights of a vertex is '33'; expected"},
    {".graph", "3 2 00 2\n2\n1 3\n2\n", ":1: there is '2'; expected"},
    {".graph", "3 2 10 2\n1 9223372036854775807 2\n1 1 1 3\n1 1 2\n",
     ":2: a weight of the vertex is '9223372036854775807'"},
    {".graph", "3 9\n2\n1 3\n2\n", ":1: there are to be 9 edges, but the lines have 4 neighbours; expected 18"},
    {".graph", "4 2\n2\n1 3\n2", ":4: the file ends with vertex 3; expected 4"},
    {".graph", "3 2\n2\n1 3\n2\n\n\n2\n", ":7: is a line too many; expected 3 lines"},
    {".grf", "0\n", ": ends within its header; expected"},
    {".grf", "1\n2 2\n0 000\n1 1\n1 0\n", ":1: the version of the format is '1'; expected"},
    {".grf", "0\n2 2\n0 00\n1 1\n1 0\n", ":3: the flags are '00'; expected"},
    {".grf", "0\n2 2\n0 000\n1 1\n1 2\n", ":5: a neighbour is '2'; expected a whole number from 0 to 1"},
    {".grf", "0\n2 2\n0 000\n2 1\n1 0\n", ":4: the number of neighbours is '2'; expected a whole number from 0 to 1"},
    {".grf", "0\n3 2\n0 000\n2 1\n1 0\n0\n", ":4: a neighbour is missing; expected"},
    {".grf", "0\n2 2\n0 000\n1 1 1\n1 0\n", ":4: there is '1'; expected"},
    {".grf", "0\n2 4\n0 000\n1 1\n1 0\n", ":2: there are to be 4 arcs, but the lines have 2; expected"},
    {".grf", "0\n2 2\n0 000\n1 1\n", ":4: the file ends behind 1 vertices; expected 2"},
    {".grf", "0\n2 0\n0 100\n7 0\n7 0\n", ":5: label 7 stands for two vertices; expected"},
    {".grf", "0\n2 2\n0 100\n7 1 9\n8 1 7\n", ":4: there is no vertex with the label 9; expected"},
    {".grf", "0\n2 2\n0 100\n7 1 7\n8 1 7\n", ":4: vertex 7 is its own neighbour; expected"},
    {".mtx", "%%MatrixMarket matrix coordinate real general\n%\n2 2 1\n1 3 1\n", ":4: the column is '3'; expected"},
    {".mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n",
     ":3: the entry has 0 of 1 values; expected"},
    {".mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1.e\n", ":3: the value is '1.e'; expected"},
    {".mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1\n", ":3: the entry has 1 of 2 values"},
    {".mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 1.5\n", ":3: the value is '1.5'; expected"},
    {".mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n", ":2: there are to be 2 entries"},
    {".mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n", ":3: a skew-symmetric matrix has"},
    {".mtx", "%%MatrixMarket matrix coordinate real general\n", ": ends within its header; expected"},
    {".mtx", "%%MatrixMarket matrix coordinate pattern general\n1073741824 1073741824 1\n1 2\n",
     ": there are 1073741824"},
    {".mesh", "2\n1 2 3\n", ":2: the file ends behind 1 elements; expected 2"},
    {".mesh", "2\n1 2 3\n1 2 2\n", ":3: node 2 stands twice in the element; expected"},
    {".mesh", "1 2\n1 2\n", ":2: the element has no nodes; expected"},
    {".txt", "# nothing\n", ": there is no edge; expected"},
    {".txt", "0 1\n1\n", ":2: the second vertex of the edge is missing; expected"},
    {".txt", "0 1\r\n\r\n1 -2\r\n", ":3: the second vertex of the edge is '-2'; expected"},
    {".txt", "0 1\n1 2 0.5\n", ":2: there is '0.5'; expected two numbers a line"},
    {".txt", "0 1\n1 2000000000\n", ": there are 2000000001 vertices and only 2 pairs"},
};

static void refused_files(harness *h)
{
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        char path[256];
        harness_case(h, "refused: %s", bad_files[i].message);
        write_file(h, bad_files[i].ending, bad_files[i].text, path);
        refuse_file(h, path, bad_files[i].message);
        remove_file(h, path);
    }
    harness_case(h, "refused: no file");
    refuse_file(h, "/nowhere/at/all.graph", "cannot be read");
    refuse_file(h, "/", "is a directory");
    refuse_file(h, "-", "standard input cannot be read in pieces");
}

/* The same number on any number of ranks, by hand. */
static void told_files(harness *h)
{
    static const struct told {
        const char *ending, *text;
        int upper, repeats, edges;
    } files[] = {
        {".mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 1 1\n3 2 1\n", 0, 0, 2},
        {".mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 2 1\n2 3 1\n", 2, 0, 2},
        {".mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 2 1\n2 1 1\n3 3 1\n3 3 1\n", 1, 2, 1},
        {".mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n3 1 1\n1 3 -1\n", 1, 1, 1},
        {".mtx", "%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n3 1 1 2\n1 3 1 -2\n", 1, 1, 1},
        {".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 2\n2 1\n2 3\n2 3\n", 0, 1, 2},
        {".mtx", "2 2 3\n1 1 1\n1 1 1\n1 1 1\n", 0, 2, 0},
        {".txt", "0 1\n1 0\n1 2\n1 2\n1 2\n", 0, 2, 2},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[256];
        inlay_mesh *mesh = NULL;
        harness_case(h, "told: %zu", i);
        write_file(h, files[i].ending, files[i].text, path);
        if (check_ok(h, inlay_mesh_read(h->comm, path, NULL, &mesh, h->diag))) {
            check(h, mesh->graph->arcs == 2 * files[i].edges);
            check_told(h, h->diag, path, "above the diagonal", files[i].upper);
            check_told(h, h->diag, path, "of another one", files[i].repeats);
        }
        inlay_mesh_free(mesh);
        remove_file(h, path);
    }
}

/* ---- Random graphs in all formats ---- */

enum { MOST = 60, TEXT = 1 << 17 };

typedef struct drawn {
    int vertices;
    int weight[MOST][MOST]; /* 0: no edge */
    int load[MOST], label[MOST];
} drawn;

static void draw(uint64_t *state, drawn *d)
{
    d->vertices = 1 + (int)harness_draw(state, MOST - 1);
    int sparse = 1 + (int)harness_draw(state, 12);
    for (int i = 0; i < d->vertices; i++) {
        d->load[i] = (int)harness_draw(state, 5);
        d->label[i] = 1000 * ((i * 7919) % 1009) + i;
        d->weight[i][i] = 0;
        for (int j = 0; j < i; j++) {
            int weight = harness_draw(state, (uint64_t)sparse) == 0 ? 1 + (int)harness_draw(state, 9) : 0;
            d->weight[i][j] = weight;
            d->weight[j][i] = weight;
        }
    }
}

static int edges_of(const drawn *d)
{
    int edges = 0;
    for (int i = 0; i < d->vertices; i++) {
        for (int j = 0; j < i; j++) {
            edges += d->weight[i][j] > 0;
        }
    }
    return edges;
}

/* A growing text with what real files have between their numbers. */
typedef struct writer {
    char *text;
    size_t size;
    uint64_t *state;
    const char *newline, *comment; /* comment NULL: none are allowed */
} writer;

static void put(writer *w, const char *format, int64_t value)
{
    static const char *const gaps[] = {"", " ", "\t", "  "};
    w->size += (size_t)snprintf(w->text + w->size, TEXT - w->size, format, (long long)value);
    w->size += (size_t)snprintf(w->text + w->size, TEXT - w->size, " %s", gaps[harness_draw(w->state, 4)]);
}

static void end_line(writer *w)
{
    w->size += (size_t)snprintf(w->text + w->size, TEXT - w->size, "%s", w->newline);
    if (w->comment != NULL && harness_draw(w->state, 9) == 0) {
        w->size += (size_t)snprintf(w->text + w->size, TEXT - w->size, "%s 1 2 3%s", w->comment, w->newline);
    }
}

/* The neighbours from the last one on, so that they have to be sorted. */
static void write_metis(const drawn *d, writer *w, bool sizes, bool loads, bool weights)
{
    put(w, "%lld", d->vertices);
    put(w, "%lld", edges_of(d));
    put(w, "%03lld", 100 * sizes + 10 * loads + weights);
    end_line(w);
    for (int i = 0; i < d->vertices; i++) {
        if (sizes) {
            put(w, "%lld", d->label[i]);
        }
        if (loads) {
            put(w, "%lld", d->load[i]);
        }
        for (int j = d->vertices; j-- > 0;) {
            if (d->weight[i][j] > 0) {
                put(w, "%lld", j + 1);
            }
            if (d->weight[i][j] > 0 && weights) {
                put(w, "%lld", d->weight[i][j]);
            }
        }
        end_line(w);
    }
}

static void write_scotch(const drawn *d, writer *w, bool loads, bool weights, bool labels)
{
    int base = labels ? 1 : 100000;
    w->comment = NULL;
    put(w, "%lld", 0);
    end_line(w);
    put(w, "%lld", d->vertices);
    put(w, "%lld", 2 * (int64_t)edges_of(d));
    end_line(w);
    put(w, "%lld", base);
    put(w, "%03lld", 100 * labels + 10 * weights + loads);
    end_line(w);
    for (int i = 0; i < d->vertices; i++) {
        int degree = 0;
        for (int j = 0; j < d->vertices; j++) {
            degree += d->weight[i][j] > 0;
        }
        if (labels) {
            put(w, "%lld", d->label[i]);
        }
        if (loads) {
            put(w, "%lld", d->load[i]);
        }
        put(w, "%lld", degree);
        for (int j = d->vertices; j-- > 0;) {
            if (d->weight[i][j] > 0 && weights) {
                put(w, "%lld", d->weight[i][j]);
            }
            if (d->weight[i][j] > 0) {
                put(w, "%lld", labels ? d->label[j] : j + base);
            }
        }
        end_line(w);
    }
}

/* What a matrix says of itself, what stands behind an entry, and whether there may be one on the diagonal. */
static const struct dialect {
    const char *banner, *value;
    bool diagonal;
} dialects[] = {
    {NULL, "-1.5e3", true},
    {"real general", "2", true},
    {"pattern general", "", true},
    {"real symmetric", "-.5", true},
    {"pattern symmetric", "", true},
    {"complex symmetric", "1 nan", true},
    {"integer skew-symmetric", "-7", false},
    {"complex hermitian", "0 -2", true},
};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

static void put_pair(writer *w, int one, int other, const char *value)
{
    put(w, "%lld", one);
    put(w, "%lld", other);
    w->size += (size_t)snprintf(w->text + w->size, TEXT - w->size, "%s", value);
    end_line(w);
}

static void write_header(const drawn *d, writer *w, const struct dialect *as, int entries)
{
    if (as->banner != NULL) {
        w->size += (size_t)snprintf(w->text + w->size, TEXT - w->size, "%%%%MatrixMarket matrix coordinate %s%s",
                                    as->banner, w->newline);
    }
    put(w, "%lld", d->vertices);
    put(w, "%lld", d->vertices);
    put(w, "%lld", entries);
    end_line(w);
}

/* Edges in either direction, some twice or three times; of a matrix with a value behind them. */
static void write_pairs(const drawn *d, writer *w, int base, const struct dialect *as)
{
    int entries = 0;
    for (int pass = base > 0 ? 0 : 1; pass < 2; pass++) {
        if (pass == 1 && base > 0) {
            write_header(d, w, as, entries);
        }
        for (int i = 0; i < d->vertices; i++) {
            for (int j = 0; j < i; j++) {
                for (int k = 0; d->weight[i][j] > 0 && k < 1 + d->weight[i][j] % 3; k++) {
                    bool lower = (k + j) % 2 == 0;
                    entries++;
                    if (pass == 1) {
                        put_pair(w, (lower ? i : j) + base, (lower ? j : i) + base, as->value);
                    }
                }
            }
            for (int k = 0; as->diagonal && k < 1 + (i % 7 == 0); k++) {
                entries++;
                if (pass == 1) {
                    put_pair(w, i + base, i + base, as->value);
                }
            }
        }
    }
}

static void as_slow(const drawn *d, bool loads, bool weights, slow_mesh *slow)
{
    *slow = (slow_mesh){.vertices = d->vertices, .load = malloc((size_t)d->vertices * sizeof *slow->load)};
    for (int i = 0; i < d->vertices; i++) {
        slow->load[i] = loads ? d->load[i] : 1;
        for (int j = 0; j < d->vertices; j++) {
            if (d->weight[i][j] > 0) {
                slow_mesh_add(slow, i, j, weights ? d->weight[i][j] : 1);
            }
        }
    }
}

/* Some letters become others, or the text ends early: it is read as a graph, or refused with one line. */
static void damage(harness *h, uint64_t *state, const char *ending, char *text)
{
    static const char letters[] = "0123456789 \n-x.%\t\r";
    char path[256];
    inlay_mesh *mesh = NULL;
    inlay_diag *diag = inlay_diag_new();
    size_t size = strlen(text);
    for (uint64_t k = harness_draw(state, 4); k < 4 && size > 0; k++) {
        text[harness_draw(state, size)] = letters[harness_draw(state, sizeof letters - 1)];
    }
    if (harness_draw(state, 4) == 0) {
        text[harness_draw(state, size + 1)] = '\0';
    }
    write_file(h, ending, text, path);
    int status = inlay_mesh_read(h->comm, path, NULL, &mesh, diag);
    check(h, (status == INLAY_OK) == (mesh != NULL));
    if (mesh != NULL) {
        check_ok(h, inlay_graph_check(mesh->graph, h->diag));
    } else {
        const char *message = inlay_diag_message(diag);
        check(h, status == INLAY_BAD_INPUT && strncmp(message, path, strlen(path)) == 0);
        check(h, strstr(message, "; expected ") != NULL && strchr(message, '\n') == NULL);
    }
    inlay_mesh_free(mesh);
    inlay_diag_free(diag);
    remove_file(h, path);
}

static void random_file(harness *h, uint64_t *state, char *text, int round)
{
    static const char *const endings[] = {".graph", ".grf", ".mtx", ".edges"};
    drawn d;
    char path[256];
    slow_mesh slow;
    inlay_mesh *mesh = NULL;
    int format = round % 4;
    draw(state, &d);
    bool sizes = format == 0 && round % 8 == 0; /* the labels of METIS */
    bool loads = format < 2 && harness_draw(state, 2) > 0, weights = format < 2 && harness_draw(state, 2) > 0;
    writer w = {text, 0, state, harness_draw(state, 2) > 0 ? "\n" : "\r\n", format == 3 ? "#" : "%"};
    text[0] = '\0';
    if (format == 0) {
        write_metis(&d, &w, sizes, loads, weights);
    } else if (format == 1) {
        write_scotch(&d, &w, loads, weights, harness_draw(state, 2) > 0);
    } else {
        write_pairs(&d, &w, format == 2 ? 1 : 0, &dialects[format == 2 ? round / 4 % DIALECTS : 2]);
    }
    size_t last =
        w.size - strlen(w.newline); /* the end of the last line, which need not be there but where it is all */
    if (harness_draw(state, 3) == 0 && last > 0 && text[last - 1] != '\n') {
        text[last] = '\0';
    }
    write_file(h, endings[format], text, path);
    if (check_ok(h, inlay_mesh_read(h->comm, path, NULL, &mesh, h->diag))) {
        as_slow(&d, loads, weights, &slow);
        compare(h, mesh->graph, &slow);
        slow_mesh_clear(&slow);
        check(h, slow_mesh_read(path, mesh->format, &slow));
        compare(h, mesh->graph, &slow);
        check_warnings(h, h->diag, path, &slow);
        slow_mesh_clear(&slow);
        for (int32_t i = 0; i < mesh->graph->rows; i++) {
            check(h, sizes ? mesh->graph->size[i] == d.label[mesh->graph->first + i] : mesh->graph->size == NULL);
        }
    }
    inlay_mesh_free(mesh);
    remove_file(h, path);
    for (int k = 0; k < 3; k++) {
        damage(h, state, endings[format], text);
    }
}

static void random_files(harness *h)
{
    uint64_t state = 20;
    char *text = malloc(TEXT);
    for (int round = 0; round < 64; round++) {
        harness_case(h, "random file %d", round);
        random_file(h, &state, text, round);
    }
    free(text);
}

void suite_mesh(harness *h);

void suite_mesh(harness *h)
{
    real_files(h);
    refused_files(h);
    told_files(h);
    random_files(h);
}

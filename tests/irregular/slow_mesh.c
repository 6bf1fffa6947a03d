/* The slow reader of mesh files. */
#include "slow_mesh.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

char *slow_text(const char *path)
{
    gzFile file = gzopen(path, "rb");
    size_t size = 0, room = 1 << 16;
    char *text = file != NULL ? malloc(room + 1) : NULL;
    int got = 1;
    while (text != NULL && got > 0) {
        got = gzread(file, text + size, (unsigned)(room - size));
        size += got > 0 ? (size_t)got : 0;
        if (size == room) {
            room *= 2;
            text = realloc(text, room + 1);
        }
    }
    if (text != NULL) {
        text[size] = '\0';
    }
    if (file != NULL) {
        gzclose(file);
    }
    return text;
}

void slow_mesh_clear(slow_mesh *mesh)
{
    free(mesh->arc);
    free(mesh->load);
    *mesh = (slow_mesh){0};
}

void slow_mesh_add(slow_mesh *mesh, int64_t from, int64_t to, int64_t weight)
{
    if ((mesh->count & (mesh->count - 1)) == 0) { /* a power of two: full */
        mesh->arc = realloc(mesh->arc, (size_t)(mesh->count == 0 ? 1 : 2 * mesh->count) * sizeof *mesh->arc);
    }
    mesh->arc[mesh->count++] = (slow_arc){from, to, weight};
}

static int by_ends(const void *a, const void *b)
{
    const slow_arc *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

void slow_mesh_sort(slow_mesh *mesh)
{
    int64_t kept = 0;
    if (mesh->count > 0) {
        qsort(mesh->arc, (size_t)mesh->count, sizeof *mesh->arc, by_ends);
    }
    for (int64_t i = 0; i < mesh->count; i++) {
        if (i == 0 || by_ends(&mesh->arc[i], &mesh->arc[kept - 1]) != 0) {
            mesh->arc[kept++] = mesh->arc[i];
        }
    }
    mesh->count = kept;
}

/* The numbers of a line, which is taken from *text; -1 at the end of the text. Values that are no whole numbers: some. */
static int numbers(char **text, const char *comments, int64_t *value, int most)
{
    while (**text != '\0') {
        char *line = *text, *end = strchr(line, '\n');
        bool comment = *line != '\n' && strchr(comments, *line) != NULL;
        int count = 0;
        *text = end != NULL ? end + 1 : line + strlen(line);
        if (end != NULL) {
            *end = '\0';
        }
        if (comment) {
            continue;
        }
        for (char *word = strtok(line, " \t\r"); word != NULL && count < most; word = strtok(NULL, " \t\r")) {
            value[count++] = strtoll(word, NULL, 10);
        }
        return count;
    }
    return -1;
}

enum { MOST = 100000 /* numbers on a line */ };

static void read_metis(char *text, slow_mesh *mesh, int64_t *value)
{
    int count = numbers(&text, "%", value, MOST);
    int64_t format = count > 2 ? value[2] : 0, loads = format / 10 % 10 == 0 ? 0 : count > 3 ? value[3] : 1;
    int sizes = format / 100 > 0, weights = format % 10 > 0;
    mesh->vertices = value[0];
    mesh->loads = loads > 0 ? (int32_t)loads : 1;
    mesh->load = calloc((size_t)(mesh->vertices * mesh->loads), sizeof *mesh->load);
    for (int64_t v = 0; v < mesh->vertices; v++) {
        count = numbers(&text, "%", value, MOST);
        for (int32_t w = 0; w < mesh->loads; w++) {
            mesh->load[v * mesh->loads + w] = loads > 0 ? value[sizes + w] : 1;
        }
        for (int k = sizes + (int)loads; k < count; k += 1 + weights) {
            slow_mesh_add(mesh, v, value[k] - 1, weights > 0 ? value[k + 1] : 1);
        }
    }
}

static void read_scotch(char *text, slow_mesh *mesh, int64_t *value)
{
    int64_t base, flags;
    numbers(&text, "", value, MOST);
    numbers(&text, "", value, MOST);
    mesh->vertices = value[0];
    numbers(&text, "", value, MOST);
    base = value[0];
    flags = value[1];
    int labels = flags >= 100, weights = flags / 10 % 10 > 0, loads = flags % 10 > 0;
    int64_t *label = calloc((size_t)mesh->vertices, sizeof *label);
    mesh->load = calloc((size_t)mesh->vertices, sizeof *mesh->load);
    for (int64_t v = 0; v < mesh->vertices; v++) {
        int count = numbers(&text, "", value, MOST);
        label[v] = labels ? value[0] : v + base;
        mesh->load[v] = loads ? value[labels] : 1;
        for (int k = labels + loads + 1; k < count; k += 1 + weights) {
            slow_mesh_add(mesh, v, value[k + weights], weights ? value[k] : 1);
        }
    }
    for (int64_t i = 0; i < mesh->count; i++) {
        int64_t v = labels ? 0 : mesh->arc[i].to - base;
        while (label[v] != mesh->arc[i].to) {
            v++;
        }
        mesh->arc[i].to = v;
    }
    free(label);
}

/* Both arcs of a pair that is no loop. */
static void add_pair(slow_mesh *mesh, int64_t one, int64_t other)
{
    if (one != other) {
        slow_mesh_add(mesh, one, other, 1);
        slow_mesh_add(mesh, other, one, 1);
    }
    mesh->vertices = one >= mesh->vertices ? one + 1 : mesh->vertices;
    mesh->vertices = other >= mesh->vertices ? other + 1 : mesh->vertices;
}

/* The lower triangle says all of a matrix that is not general. */
static bool is_symmetric(const char *text)
{
    const char *end = strchr(text, '\n'), *symmetric = strstr(text, "symmetric"),
               *hermitian = strstr(text, "hermitian");
    return strncmp(text, "%%MatrixMarket", 14) == 0 &&
           ((symmetric != NULL && symmetric < end) || (hermitian != NULL && hermitian < end));
}

/* Pairs from 1 behind a line that gives the number of vertices, or from 0 and without it. */
static void read_pairs(char *text, slow_mesh *mesh, int64_t *value, int base)
{
    bool symmetric = is_symmetric(text);
    slow_mesh listed = {0};
    int count = base > 0 ? 0 : 1;
    while (count == 0) {
        count = numbers(&text, "%", value, MOST);
    }
    mesh->vertices = base > 0 ? value[0] : 0;
    while ((count = numbers(&text, "%#", value, MOST)) >= 0) {
        if (count > 0) {
            bool upper = symmetric && value[0] < value[1];
            slow_mesh_add(&listed, value[upper], value[!upper], 1);
            mesh->upper += upper;
            add_pair(mesh, value[0] - base, value[1] - base);
        }
    }
    mesh->repeats = listed.count;
    slow_mesh_sort(&listed);
    mesh->repeats -= listed.count;
    slow_mesh_clear(&listed);
}

static void read_elements(char *text, slow_mesh *mesh, int64_t *value)
{
    int count = numbers(&text, "%", value, MOST), weights = count > 1 ? (int)value[1] : 0;
    while ((count = numbers(&text, "%", value, MOST)) >= 0) {
        for (int i = weights; i < count; i++) {
            for (int j = weights; j <= i; j++) {
                add_pair(mesh, value[i] - 1, value[j] - 1);
            }
        }
    }
}

bool slow_mesh_read(const char *path, const char *format, slow_mesh *mesh)
{
    char *text = slow_text(path);
    int64_t *value = malloc(MOST * sizeof *value);
    *mesh = (slow_mesh){0};
    if (text != NULL && strcmp(format, "metis") == 0) {
        read_metis(text, mesh, value);
    } else if (text != NULL && strcmp(format, "scotch") == 0) {
        read_scotch(text, mesh, value);
    } else if (text != NULL && strcmp(format, "metis-mesh") == 0) {
        read_elements(text, mesh, value);
    } else if (text != NULL) {
        read_pairs(text, mesh, value, strcmp(format, "matrix-market") == 0);
    }
    slow_mesh_sort(mesh);
    free(value);
    free(text);
    return text != NULL;
}

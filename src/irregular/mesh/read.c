/* Mesh files: telling their format, and reading them with what stands beside them. */
#include "irregular/mesh/formats.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "irregular/exchange/collective.h"
#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

typedef struct format {
    const char *ending, *name;
    mesh_reader *read;
} format;

/* The last one is that of files with any other ending. */
static const format formats[] = {
    {".graph", "metis", mesh_read_metis},
    {".mgraph", "metis", mesh_read_metis},
    {".mesh", "metis-mesh", mesh_read_elements},
    {".grf", "scotch", mesh_read_scotch},
    {".mtx", "matrix-market", mesh_read_matrix_market},
    {"", "edge-list", mesh_read_edge_list},
};

/* The length of a path without .gz. */
static size_t plain_length(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0 ? length - 3 : length;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = plain_length(path), size = strlen(ending);
    return length >= size && strncmp(path + length - size, ending, size) == 0;
}

static int refuse_format(const char *name, inlay_diag *diag)
{
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "unknown format of meshes '%s'; expected metis, metis-mesh, scotch, matrix-market or edge-list",
                     name);
}

/* By its own name; NULL where there is none. */
static const format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

/* By the ending of the name; a banner of Matrix Market tells by itself. Collective. */
static const format *tell(const mesh_text *text)
{
    mesh_line line;
    bool matrix = mesh_text_peek(text, &line) && plain_begins(line.text, "%%MatrixMarket", 14);
    const char *name = matrix ? ".mtx" : text->path;
    size_t i = 0;
    while (!ends_in(name, formats[i].ending)) {
        i++;
    }
    return &formats[i];
}

/* ---- Coordinates beside the mesh ---- */

static bool try_sibling(const char *path, const char *ending, char sibling[PATH_MAX])
{
    size_t length = plain_length(path);
    size_t folder = 0;
    for (size_t i = 0; i < length; i++) {
        folder = path[i] == '/' ? i + 1 : folder;
    }
    for (size_t i = length; i-- > folder + 1;) {
        if (path[i] == '.') {
            length = i;
            break;
        }
    }
    int size = snprintf(sibling, PATH_MAX, "%.*s%s", (int)length, path, ending);
    return size > 0 && size < PATH_MAX && file_exists(sibling);
}

/* `sibling` is "" where there is none. Rank 0 looks for all. */
static void find_sibling(MPI_Comm comm, const char *path, char sibling[PATH_MAX])
{
    if (collective_rank(comm) == 0 && !try_sibling(path, ".xyz", sibling) && !try_sibling(path, ".xyz.gz", sibling)) {
        sibling[0] = '\0';
    }
    MPI_Bcast(sibling, PATH_MAX, MPI_CHAR, 0, comm);
}

static int add_coordinates(const char *path, const inlay_mesh_options *options, const mesh_found *found,
                           inlay_mesh *mesh, inlay_diag *diag)
{
    char sibling[PATH_MAX];
    const char *coordinates = options->coordinates;
    if (coordinates == NULL) {
        find_sibling(found->graph->comm, path, sibling);
        coordinates = sibling[0] != '\0' ? sibling : NULL;
    }
    return coordinates == NULL ? INLAY_OK
                               : mesh_read_coordinates(coordinates, options->coordinates_name, found, &mesh->dimensions,
                                                       &mesh->coordinate, diag);
}

/* ---- Meshes ---- */

void inlay_mesh_free(inlay_mesh *mesh)
{
    if (mesh == NULL) {
        return;
    }
    inlay_graph_free(mesh->graph);
    free(mesh->coordinate);
    free(mesh);
}

static int read_graph(MPI_Comm comm, const char *path, const inlay_mesh_options *options, mesh_found *found,
                      const char **name, inlay_diag *diag)
{
    mesh_text text;
    const format *told = options->format != NULL ? find_format(options->format) : NULL;
    if (options->format != NULL && told == NULL) {
        return refuse_format(options->format, diag);
    }
    int status = mesh_text_read(comm, path, options->name, &text, diag);
    if (status != INLAY_OK) {
        return status;
    }
    told = told != NULL ? told : tell(&text);
    *name = told->name;
    status = told->read(&text, found, diag);
    mesh_text_clear(&text);
    return status;
}

int inlay_mesh_read_with(MPI_Comm comm, const char *path, const inlay_mesh_options *options, inlay_mesh **mesh,
                         inlay_diag *diag)
{
    DIAG_CALL(diag);
    mesh_found found = {0};
    inlay_mesh *made = memory_zeroed(1, sizeof *made);
    int status = collective_agree(comm, made == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? read_graph(comm, path, options, &found, &made->format, diag) : status;
    if (status == INLAY_OK) {
        made->graph = found.graph;
        status = add_coordinates(options->name != NULL ? options->name : path, options, &found, made, diag);
    }
    free(found.label);
    if (status != INLAY_OK) {
        inlay_mesh_free(made);
        return status;
    }
    made->graph->checked = true;
    *mesh = made;
    return INLAY_OK;
}

int inlay_mesh_read(MPI_Comm comm, const char *path, const char *coordinates, inlay_mesh **mesh, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const inlay_mesh_options options = {.coordinates = coordinates};
    return inlay_mesh_read_with(comm, path, &options, mesh, diag);
}

/* A slow reader of mesh files: the whole file on one rank, word by word, without a check. */
#ifndef INLAY_TESTS_SLOW_MESH_H
#define INLAY_TESTS_SLOW_MESH_H

#include <inlay/irregular_mesh.h>
#include <stdbool.h>

typedef struct slow_arc {
    int64_t from, to, weight;
} slow_arc;

typedef struct slow_mesh {
    int64_t vertices, count;
    slow_arc *arc;          /* sorted by from, then to */
    int64_t *load;          /* [vertices x loads] */
    int32_t loads;          /* of a vertex; 0: 1 */
    int64_t upper, repeats; /* of pairs: those above the diagonal of a symmetric matrix, those that were there before */
} slow_mesh;

/* `format` as inlay_mesh names it; false where the file cannot be read. */
bool slow_mesh_read(const char *path, const char *format, slow_mesh *mesh);
void slow_mesh_add(slow_mesh *mesh, int64_t from, int64_t to, int64_t weight);
void slow_mesh_sort(slow_mesh *mesh); /* and drops arcs that are there twice */
void slow_mesh_clear(slow_mesh *mesh);

/* The text of a file, plain or gzip; NULL where there is none. The caller frees it. */
char *slow_text(const char *path);

#endif

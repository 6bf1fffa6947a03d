/*
 * Meshes: files read in parallel, and meshes made on the spot (see irregular.h for the rules).
 *
 * Each rank reads its own piece of the file, so that a file larger than the memory of one rank can be read; text
 * formats are cut at line ends. Formats are told by name and content:
 *
 *   METIS .graph, .mgraph   weights of vertices, also several, and of edges; each edge from both ends
 *   METIS .mesh             elements as lists of nodes: the graph of nodes that share an element
 *   Scotch .grf             any base number, labels, loads, weights; each edge from both ends
 *   Matrix Market .mtx      square; the pattern of A + A^T, without its diagonal; symmetric storage or not
 *   edge list               a pair of numbers a line, from 0; `#` and `%` comments; the largest number + 1 vertices
 *
 * Pairs and entries may repeat: they are one edge. An entry above the diagonal of a matrix that is not general is taken for
 * its mirror image. Warnings tell how many of both there are, and what is left out (sizes of vertices, edges from a vertex to
 * itself in a list); where each edge has to come from both ends, a loop, a neighbour that comes twice, and one
 * that does not come from the other end with the same weight, are refused.
 *
 * Compressed files (.gz) cannot be cut: rank 0 reads them in pieces and passes them on. Pipes are refused:
 * who has one copies it to a file first, for inlay_mesh_read_with().
 */
#ifndef INLAY_IRREGULAR_MESH_H
#define INLAY_IRREGULAR_MESH_H

#include <inlay/irregular_graph.h>

typedef struct inlay_mesh {
    inlay_graph *graph; /**< in block distribution */
    int dimensions;     /**< of `coordinate`; 0: none are known */
    double *coordinate; /**< [rows x dimensions] */
    const char *format; /**< "metis", "metis-mesh", "scotch", "matrix-market", "edge-list", "generated" */
} inlay_mesh;

/**
 * @param coordinates  a file of coordinates, Scotch's .xyz (dimension, count, then `label x y z` a line) or plain numbers
 *                     a line a vertex; NULL: that beside the mesh of the same name with the ending .xyz or .xyz.gz,
 *                     if there is one
 * INLAY_BAD_INPUT: `FILE:LINE: what is wrong; what was expected`. Collective.
 */
INLAY_API int inlay_mesh_read(MPI_Comm comm, const char *path, const char *coordinates, inlay_mesh **mesh,
                              inlay_diag *diag);

/** How a mesh is read. Zero-initialise: as inlay_mesh_read() does. */
typedef struct inlay_mesh_options {
    const char *format;           /**< the name of one, as in inlay_mesh; NULL: told by content and ending */
    const char *coordinates;      /**< as for inlay_mesh_read() */
    const char *name;             /**< what the file is called where `path` is but a copy of it: in messages, for its
                                        ending and what stands beside it; NULL: `path` */
    const char *coordinates_name; /**< the same of `coordinates` */
} inlay_mesh_options;

/** INLAY_BAD_ARGUMENT for a format that there is not; else as inlay_mesh_read(). Collective. */
INLAY_API int inlay_mesh_read_with(MPI_Comm comm, const char *path, const inlay_mesh_options *options,
                                   inlay_mesh **mesh, inlay_diag *diag);
INLAY_API void inlay_mesh_free(inlay_mesh *mesh);

/**
 * A whole number for each vertex from a file, a line each in the order of the vertices, `#` and `%` comments (.gz is unpacked): parts, weights.
 *
 * @param name   what messages call the file; NULL: `path`
 * @param what   and the number: "a weight"
 * @param value  of this rank's vertices in block distribution
 * INLAY_BAD_INPUT with file and line; for another number of lines, and numbers that are not from `least` to `most`. Collective.
 */
INLAY_API int inlay_mesh_read_numbers(MPI_Comm comm, const char *path, const char *name, int64_t vertices,
                                      const char *what, int64_t least, int64_t most, int64_t *value, inlay_diag *diag);

/**
 * The loads of a graph in block distribution, in place of those that it has: a line for each vertex as above, of one weight
 * or of several, up to INLAY_MOST_WEIGHTS, as many on each line. INLAY_BAD_INPUT as above; the graph is as before then.
 * Collective.
 */
INLAY_API int inlay_mesh_read_weights(const char *path, const char *name, inlay_graph *graph, inlay_diag *diag);

/** Kinds of meshes that can be made. */
typedef enum inlay_mesh_kind {
    INLAY_MESH_TRIANGLES, /**< nx x ny points of a square, edges right, down and along one diagonal, points displaced a little */
    INLAY_MESH_TETRAHEDRA /**< nx x ny x nz points of a cube, each cell cut into six tetrahedra */
} inlay_mesh_kind;

/**
 * The vertices are numbered at random (seed), as those of real meshes come in no order that could be cut into blocks;
 * seed 0 keeps the natural order. Same seed, same mesh, whatever the number of ranks. Collective.
 */
INLAY_API int inlay_mesh_generate(MPI_Comm comm, inlay_mesh_kind kind, int32_t nx, int32_t ny, int32_t nz,
                                  uint64_t seed, inlay_mesh **mesh, inlay_diag *diag);

/** The edges of a mesh, each once, divided evenly among the ranks in the order (smaller end, larger end): the array nde
 *  of the paper's Figure 2. Of this rank: `*edges` pairs. The caller frees `*ends`. Collective. */
INLAY_API int inlay_mesh_edges(const inlay_mesh *mesh, int64_t **ends, int32_t *edges, int64_t *first,
                               inlay_diag *diag);

#endif

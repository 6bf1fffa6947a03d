/*
 * Meshes for the examples, as lists of edges: a square of triangles, a random graph, or a file.
 */
#ifndef MESH_H
#define MESH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh {
    int64_t vertices, edges;
    int64_t *list;           /* [2 edges]: the two ends of each */
    int64_t *start, *column; /* its edges again, by their smaller ends; after mesh_rows() */
    int64_t *degree;         /* [vertices]: edges around each */
} mesh;

/* A number that looks like a random one. */
static inline uint64_t mesh_hash(uint64_t number)
{
    number += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
    return number ^ (number >> 31);
}

/* Vertices come in no order that could be cut into blocks: 7919 is a prime. */
static inline int64_t mesh_number(int64_t vertex, int64_t vertices)
{
    return vertices % 7919 == 0 ? vertex : vertex * 7919 % vertices;
}

/* Edges to the right, then down, then along one diagonal. */
static inline int64_t mesh_triangle_end(int64_t side, int64_t edge, int end)
{
    const int64_t across = side * (side - 1);
    if (edge < across) {
        return edge / (side - 1) * side + edge % (side - 1) + end;
    }
    if (edge < 2 * across) {
        return edge - across + end * side;
    }
    edge -= 2 * across;
    return edge / (side - 1) * side + edge % (side - 1) + end * (side + 1);
}

/* A ring, so that all belong together, and as many edges from anywhere to anywhere. */
static inline int64_t mesh_random_end(int64_t vertices, int64_t edge, int end)
{
    if (edge < vertices) {
        return (edge + end) % vertices;
    }
    const int64_t from = edge - vertices;
    const int64_t away = 1 + (int64_t)(mesh_hash((uint64_t)edge) % (uint64_t)(vertices - 1));
    return end == 0 ? from : (from + away) % vertices;
}

static inline bool mesh_room(mesh *to)
{
    to->list = malloc(2 * (size_t)to->edges * sizeof *to->list);
    return to->list != NULL;
}

/* `VERTICES EDGES`, then two ends a line, from 0. */
static inline bool mesh_read(const char *path, mesh *to)
{
    long long vertices = 0, edges = 0, one, other;
    FILE *file = fopen(path, "r");
    bool good = file != NULL && fscanf(file, "%lld %lld", &vertices, &edges) == 2 && vertices > 1 && edges > 0;
    *to = (mesh){.vertices = vertices, .edges = edges};
    good = good && mesh_room(to);
    for (int64_t e = 0; good && e < edges; e++) {
        good = fscanf(file, "%lld %lld", &one, &other) == 2 && one >= 0 && one < vertices && other >= 0 &&
               other < vertices;
        if (good) {
            to->list[2 * e] = one;
            to->list[2 * e + 1] = other;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return good;
}

/* `triangles SIDE`, `random VERTICES` or `file PATH`. */
static inline bool mesh_open(int words, char **word, mesh *to)
{
    const int64_t size = words > 2 ? atoll(word[2]) : 0;
    const bool triangles = words > 2 && strcmp(word[1], "triangles") == 0;
    if (words > 2 && strcmp(word[1], "file") == 0) {
        return mesh_read(word[2], to);
    }
    if (size < 3 || (!triangles && strcmp(word[1], "random") != 0)) {
        return false;
    }
    *to = triangles ? (mesh){.vertices = size * size, .edges = 2 * size * (size - 1) + (size - 1) * (size - 1)}
                    : (mesh){.vertices = size, .edges = 2 * size};
    if (!mesh_room(to)) {
        return false;
    }
    for (int64_t i = 0; i < 2 * to->edges; i++) {
        const int end = (int)(i % 2);
        to->list[i] = mesh_number(triangles ? mesh_triangle_end(size, i / 2, end) : mesh_random_end(size, i / 2, end),
                                  to->vertices);
    }
    return true;
}

/* Lists for each vertex the larger ends of its edges. */
static inline bool mesh_rows(mesh *of)
{
    of->start = calloc((size_t)of->vertices + 2, sizeof *of->start);
    of->column = calloc((size_t)of->edges, sizeof *of->column);
    of->degree = calloc((size_t)of->vertices, sizeof *of->degree);
    if (of->start == NULL || of->column == NULL || of->degree == NULL) {
        return false;
    }
    for (int64_t e = 0; e < of->edges; e++) {
        const int64_t one = of->list[2 * e], other = of->list[2 * e + 1];
        of->start[(one < other ? one : other) + 2]++;
        of->degree[one]++;
        of->degree[other]++;
    }
    for (int64_t v = 0; v < of->vertices; v++) {
        of->start[v + 2] += of->start[v + 1];
    }
    for (int64_t e = 0; e < of->edges; e++) {
        const int64_t one = of->list[2 * e], other = of->list[2 * e + 1];
        of->column[of->start[(one < other ? one : other) + 1]++] = one < other ? other : one;
    }
    return true;
}

static inline void mesh_close(mesh *made)
{
    free(made->list);
    free(made->start);
    free(made->column);
    free(made->degree);
}

#endif

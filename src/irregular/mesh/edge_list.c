/* Edge lists: two numbers a line, from 0, in any order; lines with `#` or `%` in front are comments. */
#include "irregular/mesh/formats.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/mesh/pairs.h"

/* The pairs of this rank's lines; `most` becomes the largest number, `loops` counts lines that join a vertex to itself. */
static int read_pairs(const mesh_text *text, mesh_pairs *pairs, int64_t *most, int64_t *loops, inlay_diag *diag)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor;
    int64_t one, other;
    int status = INLAY_OK;
    while (status == INLAY_OK && mesh_walk_next(&walk, &cursor)) {
        status = mesh_take_number(text, &cursor, "the first vertex of the edge", 0, MESH_MOST, &one, diag);
        if (status == INLAY_OK) {
            status = mesh_take_number(text, &cursor, "the second vertex of the edge", 0, MESH_MOST, &other, diag);
        }
        status = status == INLAY_OK ? mesh_take_end(text, &cursor, "two numbers a line", diag) : status;
        if (status == INLAY_OK) {
            int64_t larger = one > other ? one : other;
            *most = larger > *most ? larger : *most;
            *loops += one == other;
            status = mesh_pairs_add(pairs, one, other, diag);
        }
    }
    return status;
}

int mesh_read_edge_list(mesh_text *text, mesh_found *found, inlay_diag *diag)
{
    mesh_pairs pairs = {0};
    inlay_graph *graph = NULL;
    int64_t most = -1, loops = 0, repeats = 0;
    text->comments = "#%";
    int status = collective_agree(text->comm, read_pairs(text, &pairs, &most, &loops, diag), diag);
    if (status == INLAY_OK) {
        most = collective_most(text->comm, most);
        loops = collective_sum(text->comm, loops);
        if (most < 0) {
            status =
                diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0, "there is no edge; expected two numbers a line");
        }
    }
    status = status == INLAY_OK ? mesh_pairs_graph(text, &pairs, most + 1, &repeats, &graph, diag) : status;
    mesh_pairs_clear(&pairs);
    if (status != INLAY_OK) {
        return status;
    }
    if (loops > 0) {
        diag_warn(diag, "%s: %lld edges from a vertex to itself are left out", text->path, (long long)loops);
    }
    if (repeats > 0) {
        diag_warn(diag, "%s: lines with the numbers of another one: %lld; each edge is taken once", text->path,
                  (long long)repeats);
    }
    *found = (mesh_found){.graph = graph};
    return INLAY_OK;
}

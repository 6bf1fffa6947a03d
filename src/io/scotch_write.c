/*
 * Scotch out: the .grf file of its manual (version 7.0, section 5.1). `0`, `VERTICES ARCS` (both ends of every edge),
 * `0 011` (vertices from 0, loads of edges and of vertices), then a line a vertex: its load (the module's time), its
 * degree, and pairs of load (the traffic) and neighbour.
 */
#include "io/formats.h"
#include "io/undirected.h"

static void put_head(line_writer *w, inlay_id vertices, int64_t edges)
{
    line_text(w, "0\n");
    line_number(w, vertices, ' ');
    line_number(w, 2 * edges, '\n');
    line_text(w, "0 011\n");
}

static void put_vertex(line_writer *w, int64_t weight, const neighbour *row, int64_t count)
{
    line_number(w, weight, ' ');
    line_number(w, count, count == 0 ? '\n' : ' ');
    for (int64_t e = 0; e < count; e++) {
        line_number(w, row[e].weight, ' ');
        line_number(w, row[e].module, e + 1 == count ? '\n' : ' ');
    }
}

static const partitioner_form scotch = {"Scotch", put_head, put_vertex};

int scotch_messages_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag)
{
    return undirected_write(app, WEIGHT_MESSAGES, &scotch, to, diag);
}

int scotch_bytes_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag)
{
    return undirected_write(app, WEIGHT_BYTES, &scotch, to, diag);
}

/*
 * METIS out: the graph file of its manual (version 5.1, section 4.1.1). `VERTICES EDGES 011`, then a line a vertex: its
 * weight (the module's time) and pairs of neighbour, from 1, and weight of the edge (the traffic).
 */
#include "io/formats.h"
#include "io/undirected.h"

static void put_head(line_writer *w, inlay_id vertices, int64_t edges)
{
    line_number(w, vertices, ' ');
    line_number(w, edges, ' ');
    line_text(w, "011\n");
}

static void put_vertex(line_writer *w, int64_t weight, const neighbour *row, int64_t count)
{
    line_number(w, weight, count == 0 ? '\n' : ' ');
    for (int64_t e = 0; e < count; e++) {
        line_number(w, (int64_t)row[e].module + 1, ' ');
        line_number(w, row[e].weight, e + 1 == count ? '\n' : ' ');
    }
}

static const partitioner_form metis = {"METIS", put_head, put_vertex};

int metis_messages_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag)
{
    return undirected_write(app, WEIGHT_MESSAGES, &metis, to, diag);
}

int metis_bytes_to_output(const inlay_app *app, inlay_file *to, inlay_diag *diag)
{
    return undirected_write(app, WEIGHT_BYTES, &metis, to, diag);
}

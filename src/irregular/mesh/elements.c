/*
 * METIS .mesh (METIS 5.1 manual, section 4.2): `elements [weights]`, then a line an element: its weights, and its nodes from
 * 1. The graph is that of the nodes: two that share an element are neighbours.
 */
#include "irregular/mesh/formats.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/mesh/pairs.h"

typedef struct header {
    int64_t elements, weights;
} header;

enum { MOST_NODES = 1000 /* of an element: it has a pair for each two of them */ };

static int read_header(mesh_text *text, header *h, inlay_diag *diag)
{
    mesh_line line;
    if (!mesh_text_take_row(text, &line)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0, "is empty; expected the number of elements");
    }
    mesh_cursor cursor = mesh_cursor_of(&line);
    *h = (header){0};
    int status = mesh_take_number(text, &cursor, "the number of elements", 1, MESH_MOST, &h->elements, diag);
    if (status == INLAY_OK && !mesh_cursor_done(&cursor)) {
        status = mesh_take_number(text, &cursor, "the number of weights of an element", 0, 1000, &h->weights, diag);
    }
    return status == INLAY_OK ? mesh_take_end(text, &cursor, "the numbers of elements and of weights", diag) : status;
}

static int read_nodes(const mesh_text *text, mesh_cursor *cursor, int64_t node[MOST_NODES], int *count,
                      inlay_diag *diag)
{
    int status = INLAY_OK;
    *count = 0;
    while (status == INLAY_OK && !mesh_cursor_done(cursor)) {
        if (*count == MOST_NODES) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                                "the element has more than %d nodes; expected those of a mesh", MOST_NODES);
        }
        status = mesh_take_number(text, cursor, "a node", 1, MESH_MOST, &node[*count], diag);
        for (int i = 0; i < *count && status == INLAY_OK; i++) {
            if (node[i] == node[*count]) {
                status = diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                                      "node %lld stands twice in the element; expected each once", (long long)node[i]);
            }
        }
        (*count)++;
    }
    if (status == INLAY_OK && *count == 0) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)cursor->line,
                              "the element has no nodes; expected them behind its weights");
    }
    return status;
}

/* Each two of its nodes; `most` becomes the largest number of a node. */
static int add_element(mesh_pairs *pairs, const int64_t *node, int count, int64_t *most, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (int i = 0; i < count && status == INLAY_OK; i++) {
        *most = node[i] > *most ? node[i] : *most;
        for (int j = 0; j < i && status == INLAY_OK; j++) {
            status = mesh_pairs_add(pairs, node[i] - 1, node[j] - 1, diag);
        }
    }
    return status;
}

static int read_elements(const mesh_text *text, const header *h, mesh_pairs *pairs, int64_t *most, inlay_diag *diag)
{
    mesh_walk walk = mesh_walk_begin(text);
    mesh_cursor cursor;
    int64_t node[MOST_NODES], weight;
    int count = 0, status = INLAY_OK;
    while (status == INLAY_OK && mesh_walk_next(&walk, &cursor)) {
        for (int64_t i = 0; i < h->weights && status == INLAY_OK; i++) {
            status = mesh_take_number(text, &cursor, "a weight of the element", 0, MESH_MOST, &weight, diag);
        }
        status = status == INLAY_OK ? read_nodes(text, &cursor, node, &count, diag) : status;
        status = status == INLAY_OK ? add_element(pairs, node, count, most, diag) : status;
    }
    return status;
}

static int check_elements(const mesh_text *text, const header *h, inlay_diag *diag)
{
    int64_t elements = collective_sum(text->comm, mesh_text_rows(text)), last = mesh_text_last(text);
    if (elements == h->elements) {
        return INLAY_OK;
    }
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)last,
                        "the file ends behind %lld elements; expected %lld, a line for each", (long long)elements,
                        (long long)h->elements);
}

int mesh_read_elements(mesh_text *text, mesh_found *found, inlay_diag *diag)
{
    header h = {0};
    mesh_pairs pairs = {0};
    inlay_graph *graph = NULL;
    int64_t most = 0;
    text->comments = "%";
    int status = read_header(text, &h, diag);
    status = status == INLAY_OK ? check_elements(text, &h, diag) : status;
    if (status == INLAY_OK) {
        status = collective_agree(text->comm, read_elements(text, &h, &pairs, &most, diag), diag);
    }
    if (status == INLAY_OK) {
        status = mesh_pairs_graph(text, &pairs, collective_most(text->comm, most), NULL, &graph, diag);
    }
    mesh_pairs_clear(&pairs);
    if (status == INLAY_OK) {
        *found = (mesh_found){.graph = graph, .base = 1};
    }
    return status;
}

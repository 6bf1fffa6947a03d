/* Pictures as DOT, and as SVG through Graphviz's layout `dot`. */
#include "base/diag.h"
#include "base/file.h"
#include "render/render.h"
#include <gvc.h>

/** Takes Graphviz's messages, which would otherwise go to standard error. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is Graphviz's */
static int hear_nothing(char *message)
{
    (void)message;
    return 0;
}

static int write_dot(Agraph_t *graph, const char *path, inlay_diag *diag)
{
    text out = {0};
    bool written = agwrite(graph, &out) == 0 && !out.failed;
    int status = written ? file_write(path, out.data, out.size, diag) : diag_no_memory(diag);
    text_clear(&out);
    return status;
}

static int write_svg(Agraph_t *graph, const char *path, inlay_diag *diag)
{
    char *svg = NULL;
    unsigned size = 0;
    int status = INLAY_OK;
    GVC_t *graphviz = gvContext();
    if (graphviz == NULL) {
        return diag_no_memory(diag);
    }
    bool placed = gvLayout(graphviz, graph, "dot") == 0;
    if (!placed || gvRenderData(graphviz, graph, "svg", &svg, &size) != 0 || svg == NULL) {
        status = diag_fail(diag, INLAY_SYSTEM,
                           "Graphviz could not make an SVG picture; expected its plugins for dot and svg "
                           "(package graphviz)");
    } else {
        status = file_write(path, svg, size, diag);
    }
    if (svg) {
        gvFreeRenderData(svg);
    }
    if (placed) {
        gvFreeLayout(graphviz, graph);
    }
    gvFreeContext(graphviz);
    return status;
}

static int draw(const inlay_mapping *mapping, const inlay_picture *picture, const char *path, inlay_diag *diag,
                int (*write)(Agraph_t *graph, const char *path, inlay_diag *diag))
{
    Agraph_t *graph = NULL;
    agusererrf before = agseterrf(hear_nothing);
    int status = picture_graph(mapping, picture, &graph, diag);
    if (status == INLAY_OK) {
        status = write(graph, path, diag);
        agclose(graph);
    }
    agseterrf(before);
    return status;
}

int inlay_mapping_draw_dot(const inlay_mapping *mapping, const inlay_picture *picture, const char *path,
                           inlay_diag *diag)
{
    return draw(mapping, picture, path, diag, write_dot);
}

int inlay_mapping_draw_svg(const inlay_mapping *mapping, const inlay_picture *picture, const char *path,
                           inlay_diag *diag)
{
    return draw(mapping, picture, path, diag, write_svg);
}

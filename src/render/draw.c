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
    text_buffer out = {0};
    bool written = agwrite(graph, &out) == 0 && !out.failed;
    int status = written ? file_write(path, out.data, out.size, diag) : diag_no_memory(diag);
    text_clear(&out);
    return status;
}

/**
 * Graphviz's plugins and fonts. Its text layout remembers a font of the last picture and looks at it in the next, so
 * the context that owns the fonts must live as long as the process (Graphviz 2.43, its plugin pango). NULL when it
 * cannot be made.
 */
static GVC_t *graphviz(void)
{
    static GVC_t *context;
    if (context == NULL) {
        context = gvContext();
    }
    return context;
}

static int write_svg(Agraph_t *graph, const char *path, inlay_diag *diag)
{
    char *svg = NULL;
    unsigned size = 0;
    GVC_t *context = graphviz();
    if (context == NULL) {
        return diag_no_memory(diag);
    }
    int status;
    bool placed = gvLayout(context, graph, "dot") == 0;
    if (placed) {
        titles_place(graph);
    }
    if (placed && gvRenderData(context, graph, "svg", &svg, &size) == 0 && svg != NULL) {
        status = titles_write_last(graph, svg, size, path, diag);
    } else {
        status = diag_fail(diag, INLAY_SYSTEM,
                           "Graphviz could not make an SVG picture; expected its plugins for dot and svg "
                           "(package graphviz)");
    }
    if (svg) {
        gvFreeRenderData(svg);
    }
    if (placed) {
        gvFreeLayout(context, graph);
    }
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
    DIAG_CALL(diag);
    return draw(mapping, picture, path, diag, write_dot);
}

int inlay_mapping_draw_svg(const inlay_mapping *mapping, const inlay_picture *picture, const char *path,
                           inlay_diag *diag)
{
    DIAG_CALL(diag);
    return draw(mapping, picture, path, diag, write_svg);
}

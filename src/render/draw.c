/* Pictures as DOT, and as SVG through Graphviz's layout `dot`. */
#include "base/diag.h"
#include "base/file.h"
#include "render/render.h"
#include <gvc.h>
#include <string.h>

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

/*
 * Titles of processors come last, each over a white edge of its own, so that no line goes through them: Graphviz draws
 * them first. It has a line of its own for each element.
 */
static int write_titles_last(const char *svg, size_t size, const char *path, inlay_diag *diag)
{
    static const char end[] = "</g>\n</svg>";
    text_buffer rest = {0}, titles = {0};
    bool inside = false;
    const char *behind = svg + size;
    for (const char *line = svg; line < behind;) {
        const char *found = memchr(line, '\n', (size_t)(behind - line)), *next = found != NULL ? found + 1 : behind;
        int length = (int)(next - line);
        if (strncmp(line, "<g ", 3) == 0) {
            const char *class = strstr(line, "class=\"cluster\"");
            inside = class != NULL && class < next;
        }
        bool title = inside && strncmp(line, "<text ", 6) == 0;
        if (title) {
            text_addf(&titles, "<text style=\"fill:none;stroke:#FFFFFF;stroke-width:4\" aria-hidden=\"true\" %.*s",
                      length - 6, line + 6);
        }
        bool last = strncmp(line, end, (size_t)length) == 0 && strncmp(line, end, sizeof end - 1) == 0;
        text_addf(title ? &titles : &rest, "%s%.*s", last && titles.data != NULL ? titles.data : "", length, line);
        line = next;
    }
    bool failed = rest.failed || titles.failed;
    int status = failed ? diag_no_memory(diag) : file_write(path, rest.data, rest.size, diag);
    text_clear(&rest);
    text_clear(&titles);
    return status;
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
    if (placed && gvRenderData(context, graph, "svg", &svg, &size) == 0 && svg != NULL) {
        status = write_titles_last(svg, size, path, diag);
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

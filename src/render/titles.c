/*
 * Titles of processors, which Graphviz puts where lines pass, and draws before them: they move to where the fewest lines
 * pass, labels of lines move out of them, and what lines are left go behind a plate.
 */
#include "base/diag.h"
#include "base/file.h"
#include "render/render.h"
#include <gvc.h>
#include <math.h>
#include <string.h>

enum { MARGIN = 2, STEPS = 64, PLACES = 64, INSET = 8 };

static boxf box_of(const textlabel_t *label)
{
    pointf half = {label->dimen.x / 2 + MARGIN, label->dimen.y / 2 + MARGIN}, at = label->pos;
    return (boxf){{at.x - half.x, at.y - half.y}, {at.x + half.x, at.y + half.y}};
}

static bool boxes_meet(boxf a, boxf b)
{
    return a.LL.x < b.UR.x && b.LL.x < a.UR.x && a.LL.y < b.UR.y && b.LL.y < a.UR.y;
}

static textlabel_t *title_of(Agraph_t *graph, int number)
{
    return GD_label(GD_clust(graph)[number]);
}

/* ---- Lines ---- */

/* A place on one of a line's curves, which have four corners each. */
static pointf place_on(const bezier *line, int first, double t)
{
    const pointf *p = line->list + first;
    double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return (pointf){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                    a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

typedef void visit(void *context, pointf place);

static void walk_line(Agedge_t *edge, visit *each, void *context)
{
    const splines *all = ED_spl(edge);
    for (size_t i = 0; all != NULL && i < (size_t)all->size; i++) {
        const bezier *line = &all->list[i];
        for (int first = 0; first + 3 < (int)line->size; first += 3) {
            for (int step = 0; step <= STEPS; step++) {
                each(context, place_on(line, first, (double)step / STEPS));
            }
        }
        if (line->eflag) {
            each(context, line->ep);
        }
    }
}

/* ---- A title's place ---- */

/* Places that a title may have, from the left, and which lines pass there. */
typedef struct strip {
    boxf title; /**< at the first place */
    double step;
    int count, edge;
    int lines[PLACES], last[PLACES];
} strip;

static void pass(void *context, pointf at)
{
    strip *of = context;
    if (at.y <= of->title.LL.y || at.y >= of->title.UR.y || at.x <= of->title.LL.x) {
        return;
    }
    double behind = at.x - of->title.UR.x, before = at.x - of->title.LL.x;
    int first = behind < 0 ? 0 : (int)(behind / of->step) + 1;
    for (int i = first; i < of->count && i * of->step < before; i++) {
        of->lines[i] += of->last[i] != of->edge;
        of->last[i] = of->edge;
    }
}

static void place_title(Agraph_t *graph, int number)
{
    textlabel_t *title = title_of(graph, number);
    boxf box = GD_bb(GD_clust(graph)[number]);
    title->pos.x = box.LL.x + INSET + title->dimen.x / 2;
    strip of = {.title = box_of(title)};
    double room = fmax(0, box.UR.x - INSET - (title->pos.x + title->dimen.x / 2));
    of.step = fmax(4, room / (PLACES - 1));
    of.count = (int)(room / of.step) + 1;
    for (Agnode_t *from = agfstnode(graph); from != NULL; from = agnxtnode(graph, from)) {
        for (Agedge_t *edge = agfstout(graph, from); edge != NULL; edge = agnxtout(graph, edge)) {
            of.edge++;
            walk_line(edge, pass, &of);
        }
    }
    int best = 0;
    for (int i = 1; i < of.count; i++) {
        best = of.lines[i] < of.lines[best] ? i : best;
    }
    title->pos.x += best * of.step;
}

/* ---- A label's place ---- */

typedef struct search {
    Agraph_t *graph;
    textlabel_t label; /**< tried */
    pointf asked, found;
    double distance;
} search;

static bool hits_title(Agraph_t *graph, const textlabel_t *label)
{
    for (int c = 1; c <= GD_n_cluster(graph); c++) {
        if (boxes_meet(box_of(label), box_of(title_of(graph, c)))) {
            return true;
        }
    }
    return false;
}

static void try_place(void *context, pointf at)
{
    search *of = context;
    double distance = hypot(at.x - of->asked.x, at.y - of->asked.y);
    of->label.pos = at;
    if (distance < of->distance && !hits_title(of->graph, &of->label)) {
        of->distance = distance;
        of->found = at;
    }
}

static void place_label(Agraph_t *graph, Agedge_t *edge)
{
    textlabel_t *label = ED_label(edge);
    if (label != NULL && hits_title(graph, label)) {
        search of = {graph, *label, label->pos, label->pos, INFINITY};
        walk_line(edge, try_place, &of);
        label->pos = of.found;
    }
}

void titles_place(Agraph_t *graph)
{
    for (int c = 1; c <= GD_n_cluster(graph); c++) {
        place_title(graph, c);
    }
    for (Agnode_t *from = agfstnode(graph); from != NULL; from = agnxtnode(graph, from)) {
        for (Agedge_t *edge = agfstout(graph, from); edge != NULL; edge = agnxtout(graph, edge)) {
            place_label(graph, edge);
        }
    }
}

/* ---- Their plates ---- */

static void add_plate(text_buffer *to, Agraph_t *graph, int number)
{
    boxf box = box_of(title_of(graph, number));
    text_addf(to, "<rect class=\"plate\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
              (int)floor(box.LL.x), (int)floor(-box.UR.y), (int)ceil(box.UR.x - box.LL.x) + 1,
              (int)ceil(box.UR.y - box.LL.y) + 1, agget(GD_clust(graph)[number], (char *)"fillcolor"));
}

/* "<g ... class="cluster">" */
static bool begins_group(const char *line, const char *next, const char *class)
{
    const char *found = strncmp(line, "<g ", 3) == 0 ? strstr(line, class) : NULL;
    return found != NULL && found < next;
}

static const char *const ground = " style=\"paint-order:stroke;stroke:#FFFFFF;stroke-width:3\"";

/* Graphviz has a line of SVG for each element. Labels of lines go behind all lines, too, with white around them. */
int titles_write_last(Agraph_t *graph, const char *svg, size_t size, const char *path, inlay_diag *diag)
{
    static const char end[] = "</g>\n</svg>";
    text_buffer rest = {0}, titles = {0};
    bool title = false, label = false;
    int number = 0;
    const char *behind = svg + size;
    for (const char *line = svg; line < behind;) {
        const char *found = memchr(line, '\n', (size_t)(behind - line)), *next = found != NULL ? found + 1 : behind;
        int length = (int)(next - line);
        if (strncmp(line, "<g ", 3) == 0) {
            title = begins_group(line, next, "class=\"cluster\"");
            label = begins_group(line, next, "class=\"edge\"");
            if (title && ++number <= GD_n_cluster(graph)) {
                add_plate(&titles, graph, number);
            }
        }
        if ((title || label) && strncmp(line, "<text ", 6) == 0) {
            text_addf(&titles, "<text%s%.*s", label ? ground : "", length - 5, line + 5);
        } else {
            bool last = strncmp(line, end, sizeof end - 1) == 0;
            text_addf(&rest, "%s%.*s", last ? text_content(&titles) : "", length, line);
        }
        line = next;
    }
    bool failed = rest.failed || titles.failed;
    int status = failed ? diag_no_memory(diag) : file_write(path, rest.data, rest.size, diag);
    text_clear(&rest);
    text_clear(&titles);
    return status;
}

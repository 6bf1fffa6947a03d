/* Which attributes a DOT file may have: Inlay's own and Graphviz's. */
#include "base/diag.h"
#include "base/text.h"
#include "io/dot/graph.h"
#include <string.h>

/*
 * The attributes that the Graphviz programs of any age read or write, each between blanks. Source: the attribute
 * reference of Graphviz (https://graphviz.org/doc/info/attrs.html) and what its dot, xdot and plain writers add.
 */
static const char of_graphs[] =
    " Damping K TBbalance URL _background _draw_ _ldraw_ area bb beautify bgcolor center charset class"
    " cluster clusterrank color colorscheme comment compound concentrate defaultdist dim dimen"
    " diredgeconstraints dpi epsilon esep fillcolor fontcolor fontname fontnames fontpath fontsize"
    " forcelabels gradientangle href id imagepath inputscale label label_scheme labeljust labelloc landscape"
    " layer layerlistsep layers layerselect layersep layout levels levelsgap lheight linelength lp lwidth"
    " margin maxiter mclimit mindist mode model mosek newrank nodesep nojustify normalize notranslate nslimit"
    " nslimit1 oneblock ordering orientation outputorder overlap overlap_scaling overlap_shrink pack packmode"
    " pad page pagedir pencolor penwidth peripheries quadtree quantum rank rankdir ranksep ratio rects"
    " remincross repulsiveforce resolution root rotate rotation samplepoints scale searchsize sep showboxes"
    " size smoothing sortv splines start style stylesheet target tooltip truecolor viewport voro_margin"
    " xdotversion ";

static const char of_nodes[] =
    " URL _draw_ _ldraw_ area class color colorscheme comment distortion fillcolor fixedsize fontcolor"
    " fontname fontsize gradientangle group height href id image imagepos imagescale label labelloc layer lp"
    " margin nojustify ordering orientation penwidth peripheries pin pos rects regular root samplepoints"
    " shape shapefile showboxes sides skew sortv style target tooltip vertices width xlabel xlp z ";

static const char of_edges[] =
    " URL _draw_ _hdraw_ _hldraw_ _ldraw_ _tdraw_ _tldraw_ arrowhead arrowsize arrowtail class color"
    " colorscheme comment constraint decorate dir edgeURL edgehref edgetarget edgetooltip fillcolor fontcolor"
    " fontname fontsize headURL head_lp headclip headhref headlabel headport headtarget headtooltip href id"
    " key label labelURL labelangle labeldistance labelfloat labelfontcolor labelfontname labelfontsize"
    " labelhref labeltarget labeltooltip layer len lhead lp ltail minlen nojustify penwidth pos radius"
    " samearrowhead samearrowtail samehead sametail showboxes style tailURL tail_lp tailclip tailhref"
    " taillabel tailport tailtarget tailtooltip target tooltip weight xlabel xlp ";

bool dot_is_graphviz(dot_kind kind, const char *name)
{
    const char *known = kind == DOT_GRAPHS ? of_graphs : kind == DOT_NODES ? of_nodes : of_edges;
    return text_lists(known, name);
}

static int refuse(const dot_graph *graph, dot_kind kind, const char *name, const char *const *own, inlay_diag *diag)
{
    char nearest[128];
    text_buffer expected = {0};
    size_t count = 0;
    for (; own[count] != NULL; count++) {
        text_addf(&expected, "%s%s", count == 0 ? "one of " : ", ", own[count]);
    }
    inlay_nearest(name, own, count, "", nearest, sizeof nearest);
    int status = expected.failed
                     ? diag_no_memory(diag)
                     : diag_fail_at(diag, INLAY_BAD_INPUT, kind == DOT_EDGES ? graph->edge_source : graph->source,
                                    dot_line_of_attribute(graph, kind, name), "unknown attribute '%s'%s; expected %s",
                                    name, nearest, count == 0 ? "Graphviz's alone" : expected.data);
    text_clear(&expected);
    return status;
}

/* Whether `name` is one of `own`; an entry that ends in ".TYPE" stands for any ending. */
static bool is_own(const char *name, const char *const *own)
{
    for (; *own != NULL; own++) {
        const char *any = strstr(*own, ".TYPE");
        size_t fixed = any == NULL ? 0 : (size_t)(any - *own) + 1;
        if (any == NULL ? strcmp(name, *own) == 0 : strncmp(name, *own, fixed) == 0 && name[fixed] != '\0') {
            return true;
        }
    }
    return false;
}

int dot_check_attributes(const dot_graph *graph, dot_kind kind, const char *const *own, inlay_diag *diag)
{
    for (size_t i = 0; i < graph->symbols[kind]; i++) {
        const char *name = graph->symbol[kind][i].name;
        if (!is_own(name, own) && !dot_is_graphviz(kind, name)) {
            return refuse(graph, kind, name, own, diag);
        }
    }
    return INLAY_OK;
}

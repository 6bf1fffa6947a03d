/* Pictures of a mapping as cgraph graphs: what the two forms and the two outputs share. */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include "base/text.h"
#include "render/kinds.h"
#include <cgraph.h>
#include <inlay/render.h>

/* ---- Words ---- */

/**
 * A user's name as the identifier of a node or a picture: one name, one identifier, whatever bytes the name holds.
 * Backslashes are doubled and ampersands become entities, since Graphviz reads both; bytes that are no printable UTF-8
 * stand as \xHH.
 */
void words_id(text_buffer *to, const char *name);

/** Most characters of a name in a module's label, and in the title. */
enum { LABEL_NAME = 28, TITLE_NAME = 120 };

/** A user's name for the eye, to be put into a label: the same care, and cut in the middle where it is too long. */
void words_label(text_buffer *to, const char *name, size_t most);

/** A number with at most `digits` significant digits; "-" where it is not finite. */
void words_number(text_buffer *to, double x, int digits);

/** A fraction as per cent with one decimal: "47.0 %". */
void words_percent(text_buffer *to, double fraction);

/** A count with its thousands set apart: 1,234,567. */
void words_count(text_buffer *to, int64_t count);

/** Bytes in the largest decimal unit that they fill: 1.23 MB. */
void words_bytes(text_buffer *to, int64_t bytes);

/** Traffic: bytes, or a count of messages. */
void words_traffic(text_buffer *to, const inlay_summary *summary, int64_t traffic);

/** "1 module", "2 modules". */
void words_plural(text_buffer *to, int64_t count, const char *noun);

/**
 * "elapsed 217 ticks", of a screen "elapsed about 217 ticks (studied -4 % to +1 %)"; of a mapping of which neither is known
 * "estimate 217 ticks (studied -11 % to +4 %)".
 */
void words_elapsed(text_buffer *to, const inlay_summary *summary, const inlay_app *app, const inlay_machine *machine,
                   int digits);

/* ---- The canvas: cgraph, with one failure asked for at the end ---- */

/** cgraph's discipline of identifiers that depend on nothing but the order of creation. */
extern const Agiddisc_t ids_by_creation;

typedef struct canvas {
    Agraph_t *graph; /**< owned */
    bool failed;     /**< out of memory: the graph is not to be used */
} canvas;

/** Open an empty directed graph that agwrite() writes to a text. */
void canvas_open(canvas *on, const char *name);

/** A node in the graph or in one of its boxes; NULL after a failure, which every function here accepts. */
Agnode_t *canvas_node(canvas *on, Agraph_t *in, const char *id);
Agedge_t *canvas_edge(canvas *on, Agnode_t *from, Agnode_t *to);

/** A box around nodes: a subgraph whose name begins with `cluster`. */
Agraph_t *canvas_box(canvas *on, const char *id);

/** Set an attribute of a node, an edge, a box or the graph. */
void canvas_set(canvas *on, void *object, const char *attribute, const char *value);

/** The same from a text, which is emptied. */
void canvas_set_text(canvas *on, void *object, const char *attribute, text_buffer *value);

/** A label of the graph with Graphviz's HTML in it, from a text, which is emptied. */
void canvas_set_html(canvas *on, text_buffer *value);

/** The value of all nodes (AGNODE) or edges (AGEDGE) that have none of their own. */
void canvas_default(canvas *on, int kind, const char *attribute, const char *value);

/* ---- The picture ---- */

/** What is drawn, and onto what. */
typedef struct scene {
    canvas canvas;
    const inlay_mapping *mapping;
    const inlay_app *app;
    const inlay_machine *machine;
    const inlay_summary *summary;
    module_kinds kinds; /**< owned; of the form with one node a processor */
} scene;

/** Draw the picture as a graph without positions; *graph is the caller's, to be closed with agclose(). */
int picture_graph(const inlay_mapping *mapping, const inlay_picture *picture, Agraph_t **graph, inlay_diag *diag);

/** The form that shows every module, in the box of its processor. */
int picture_modules(scene *of, inlay_diag *diag);

/** The form with one node a processor. */
int picture_processors(scene *of, inlay_diag *diag);

/** The title lines; `note` is a further one, or NULL. Where there are kinds, a line of their colours follows. */
void picture_title(scene *of, const char *note);

/** "processor 2: 47.0 %"; with "over" where that is above 100 %. */
void picture_processor_words(text_buffer *to, const inlay_cluster_info *cluster);

/** "work 218, sends 12", of ticks; T is in the title. Short, so that lines pass beside it. */
void picture_work_words(const scene *of, text_buffer *to, const inlay_cluster_info *cluster);

/**
 * Fill and border of a processor, which tell apart neighbours and those whose utilisation is above 100 %. `fill` is a list of
 * colours and their shares; NULL: the processor's own.
 */
void picture_processor_colours(scene *of, void *object, const inlay_cluster_info *cluster, inlay_id number,
                               text_buffer *fill);

/** Above so many lines between processors, labels on all of them would hide each other. */
enum { LABELLED_LINES = 40 };

/**
 * A line between processors: the colour says where it begins, the width what it carries.
 * @param flow  its ends and traffic; `from` is -1 in the common memory
 * @param most  the largest traffic of a line in the picture
 */
void picture_line(scene *of, Agedge_t *line, const inlay_flow *flow, int64_t most, bool labelled);

/* ---- Titles of processors in the layout, which lines must not cross ---- */

/** After the layout: titles move to where the fewest lines pass, and labels of lines out of titles, along their lines. */
void titles_place(Agraph_t *graph);

/** Write the SVG of the layout with the titles behind all else, each on a plate of its processor's colour. */
int titles_write_last(Agraph_t *graph, const char *svg, size_t size, const char *path, inlay_diag *diag);

/** Order of flows for qsort(): larger traffic first, then by the ends. */
int picture_larger_flow(const void *a, const void *b);

#endif

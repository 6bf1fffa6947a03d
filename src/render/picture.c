/* The picture of a mapping: which form, the title, and what both forms say of a processor and of a line. */
#include "base/diag.h"
#include "render/render.h"
#include <math.h>
#include <stdlib.h>

enum { MODULES = 60, BOXES = 300, LINKS_PER_BOX = 4, COLOURS = 8 };

/** Pale tints of the Okabe-Ito colours: told apart by colour-blind eyes, and light enough to be read when printed grey. */
static const char *const tint[COLOURS] = {"#DCEAF6", "#FCE8CC", "#DAF0E6", "#F6E2EE",
                                          "#FBF6CF", "#E0F3FA", "#F8DDCF", "#E9E9E9"};

/** The Okabe-Ito colours themselves, dark enough for lines: one a tint. */
static const char *const ink[COLOURS] = {"#0072B2", "#A66300", "#00785A", "#A6487B",
                                         "#857400", "#2B7DA3", "#B34700", "#555555"};

static const char *const border = "#5B6770", *const over_border = "#C8102E";

static void add_unit(const scene *of, text_buffer *to)
{
    inlay_unit unit = inlay_app_unit(of->app);
    text_addf(to, " %s", inlay_unit_word(unit));
}

/* A label as HTML: there backslashes are themselves. */
static void add_html(text_buffer *to, const char *label)
{
    for (const char *c = label; *c != '\0'; c++) {
        if (*c == '\\' && c[1] != '\0') {
            c++;
            text_addf(to, "%s", *c == 'n' ? "<BR/>" : "\\");
        } else if (*c == '<' || *c == '>') {
            text_add(to, *c == '<' ? "&lt;" : "&gt;");
        } else {
            text_append(to, c, 1);
        }
    }
}

/* A square in each kind's colour, and its name. */
static void set_title_and_legend(scene *of, text_buffer *title)
{
    text_buffer html = {0};
    add_html(&html, text_content(title));
    text_add(&html, "<BR/><FONT POINT-SIZE=\"13\">");
    for (size_t k = 0; k < of->kinds.count + of->kinds.others; k++) {
        bool other = k == of->kinds.count;
        text_buffer name = {0};
        words_label(&name, other ? "other" : of->kinds.name[k], KIND_MOST);
        text_addf(&html, "%s<FONT COLOR=\"%s\">\xE2\x96\xA0</FONT> ", k > 0 ? "   " : "",
                  kind_light_colour(other ? KINDS : k));
        add_html(&html, text_content(&name));
        text_settle(&name, &html);
    }
    text_add(&html, "</FONT>");
    canvas_set_html(&of->canvas, &html);
    text_clear(title);
}

void picture_title(scene *of, const char *note)
{
    text_buffer title = {0};
    words_label(&title, inlay_app_name(of->app), TITLE_NAME);
    text_add(&title, " on ");
    words_label(&title, inlay_machine_text(of->machine), TITLE_NAME);
    text_add(&title, ": ");
    words_plural(&title, of->summary->clusters, "processor");
    text_add(&title, "\\nT = ");
    words_number(&title, of->summary->time_frame, 6);
    add_unit(of, &title);
    if (of->summary->free_network) {
        text_add(&title, " \xC2\xB7 free network");
    } else {
        text_add(&title, " \xC2\xB7 u = ");
        words_number(&title, of->summary->u, 4);
        text_add(&title, " \xC2\xB7 D = ");
        words_number(&title, of->summary->delay, 4);
    }
    text_add(&title, " \xC2\xB7 ");
    words_elapsed(&title, of->summary, of->app, of->machine, 4);
    if (note) {
        text_addf(&title, "\\n%s", note);
    }
    if (of->kinds.of == NULL) {
        canvas_set_text(&of->canvas, of->canvas.graph, "label", &title);
    } else {
        set_title_and_legend(of, &title);
    }
}

void picture_processor_words(text_buffer *to, const inlay_cluster_info *cluster)
{
    text_addf(to, "processor %d: ", (int)cluster->processor);
    words_percent(to, cluster->utilisation);
    if (cluster->utilisation > 1) {
        text_add(to, ", over");
    }
}

void picture_work_words(const scene *of, text_buffer *to, const inlay_cluster_info *cluster)
{
    text_add(to, "work ");
    words_number(to, cluster->work, 4);
    if (inlay_app_unit(of->app) != INLAY_UNIT_TICK) {
        add_unit(of, to);
    }
    if (cluster->traffic_out > 0) {
        text_add(to, ", sends ");
        words_traffic(to, of->summary, cluster->traffic_out);
    }
}

void picture_processor_colours(scene *of, void *object, const inlay_cluster_info *cluster, inlay_id number,
                               text_buffer *fill)
{
    bool over = cluster->utilisation > 1;
    canvas_set(&of->canvas, object, "style", fill != NULL ? "striped" : "rounded,filled");
    if (fill != NULL) {
        canvas_set_text(&of->canvas, object, "fillcolor", fill);
    } else {
        canvas_set(&of->canvas, object, "fillcolor", tint[number % COLOURS]);
    }
    canvas_set(&of->canvas, object, "color", over ? over_border : fill != NULL ? ink[number % COLOURS] : border);
    canvas_set(&of->canvas, object, "penwidth", over ? "3" : fill != NULL ? "2" : "1");
}

void picture_line(scene *of, Agedge_t *line, const inlay_flow *flow, int64_t most, bool labelled)
{
    canvas_set(&of->canvas, line, "color", flow->from < 0 ? border : ink[flow->from % COLOURS]);
    if (flow->traffic == 0) {
        return;
    }
    text_buffer label = {0};
    words_traffic(&label, of->summary, flow->traffic);
    if (labelled) {
        canvas_set_text(&of->canvas, line, "label", &label);
    }
    text_clear(&label);

    /* Widths in tenths of a point, so that the decimal point does not depend on the locale. */
    text_buffer width = {0};
    int tenths = 8 + (int)(22 * sqrt((double)flow->traffic / (double)most));
    text_addf(&width, "%d.%d", tenths / 10, tenths % 10);
    canvas_set_text(&of->canvas, line, "penwidth", &width);
}

int picture_larger_flow(const void *a, const void *b)
{
    const inlay_flow *x = a, *y = b;
    if (x->traffic != y->traffic) {
        return x->traffic < y->traffic ? 1 : -1;
    }
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->to > y->to) - (x->to < y->to);
}

/** Fonts, colours and distances that both forms share. */
static void set_style(scene *of)
{
    static const char *const graph[][2] = {
        {"labelloc", "t"},  {"newrank", "true"},      {"fontname", "Helvetica"},
        {"fontsize", "15"}, {"fontcolor", "#222222"}, {"size", "16.6,12.5"},
        {"nodesep", "0.3"}, {"ranksep", "0.45"},      {"pad", "0.2"},
    };
    static const char *const node[][2] = {
        {"label", ""},     {"fontname", "Helvetica"}, {"fontsize", "11"},     {"fontcolor", "#222222"},
        {"shape", "box"},  {"style", "filled"},       {"fillcolor", "white"}, {"color", "#8A949C"},
        {"penwidth", "1"},
    };
    static const char *const edge[][2] = {
        {"label", ""},        {"fontname", "Helvetica"}, {"fontsize", "10"}, {"fontcolor", "#222222"},
        {"color", "#222222"}, {"penwidth", "1"},         {"style", "solid"}, {"arrowsize", "0.6"},
    };
    for (size_t i = 0; i < sizeof graph / sizeof *graph; i++) {
        canvas_set(&of->canvas, of->canvas.graph, graph[i][0], graph[i][1]);
    }
    for (size_t i = 0; i < sizeof node / sizeof *node; i++) {
        canvas_default(&of->canvas, AGNODE, node[i][0], node[i][1]);
    }
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++) {
        canvas_default(&of->canvas, AGEDGE, edge[i][0], edge[i][1]);
    }
}

static int refuse(inlay_id clusters, inlay_id allowed, inlay_diag *diag)
{
    text_buffer boxes = {0};
    words_count(&boxes, clusters);
    int status = boxes.failed
                     ? diag_no_memory(diag)
                     : diag_fail(diag, INLAY_BAD_ARGUMENT,
                                 "the picture would have %s boxes; expected at most %d; --max-clusters %d draws "
                                 "it all the same",
                                 boxes.data, (int)allowed, (int)clusters);
    text_clear(&boxes);
    return status;
}

int picture_graph(const inlay_mapping *mapping, const inlay_picture *picture, Agraph_t **graph, inlay_diag *diag)
{
    inlay_picture limits = picture ? *picture : (inlay_picture){0};
    if (limits.max_modules < 0 || limits.max_clusters < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a limit of the picture is %d; expected a number of boxes",
                         (int)(limits.max_modules < 0 ? limits.max_modules : limits.max_clusters));
    }
    int64_t modules = limits.max_modules > 0 ? limits.max_modules : MODULES;
    int64_t clusters = limits.max_clusters > 0 ? limits.max_clusters : BOXES;
    scene of = {.mapping = mapping,
                .app = inlay_mapping_app(mapping),
                .machine = inlay_mapping_machine(mapping),
                .summary = inlay_mapping_summary(mapping)};

    int64_t boxes = (int64_t)inlay_app_modules(of.app) + inlay_app_blocks(of.app);
    bool all = boxes <= modules && inlay_app_links(of.app) <= modules * LINKS_PER_BOX;
    if (of.summary->clusters > clusters) {
        return refuse(of.summary->clusters, (inlay_id)clusters, diag);
    }
    canvas_open(&of.canvas, inlay_app_name(of.app));
    set_style(&of);
    int status = all ? picture_modules(&of, diag) : picture_processors(&of, diag);
    if (status == INLAY_OK && of.canvas.failed) {
        status = diag_no_memory(diag);
    }
    if (status == INLAY_OK) {
        *graph = of.canvas.graph;
    } else if (of.canvas.graph) {
        agclose(of.canvas.graph);
    }
    free(of.kinds.of);
    return status;
}

/* The picture with one node a processor, for mappings of many modules. */
#include "base/diag.h"
#include "base/memory.h"
#include "render/render.h"
#include <math.h>
#include <stdlib.h>

/* "#A9D3F0;0.25:#9CDCC4;0.75": kinds of a processor's modules, by their times. */
static void add_kinds(text_buffer *to, const scene *of, const inlay_cluster_info *cluster)
{
    double time[KINDS + 1] = {0}, all = 0;
    for (inlay_id i = 0; i < cluster->modules; i++) {
        double own = (double)inlay_app_time(of->app, cluster->module[i]);
        time[of->kinds.of[cluster->module[i]]] += own;
        all += own;
    }
    double sum = 0;
    for (size_t k = 0, used = 0; k <= KINDS; k++) {
        sum += all > 0 ? time[k] / all : k == of->kinds.of[cluster->module[0]];
        size_t mille = (size_t)(1000 * sum + 0.5) - used;
        if (mille > 0) {
            text_addf(to, "%s%s;%zu.%03zu", used > 0 ? ":" : "", kind_light_colour(k), mille / 1000, mille % 1000);
        }
        used += mille;
    }
}

static Agnode_t *draw_processor(scene *of, inlay_id number, inlay_id most)
{
    inlay_cluster_info cluster = inlay_mapping_cluster(of->mapping, number);
    text_buffer id = {0};
    text_addf(&id, "processor %d", (int)cluster.processor);
    if (id.failed) {
        of->canvas.failed = true;
    }
    Agnode_t *node = canvas_node(&of->canvas, of->canvas.graph, id.data);
    text_clear(&id);

    text_buffer label = {0};
    picture_processor_words(&label, &cluster);
    text_add(&label, "\\n");
    words_plural(&label, cluster.modules, "module");
    if (cluster.blocks > 0) {
        text_add(&label, ", ");
        words_plural(&label, cluster.blocks, "block");
    }
    text_add(&label, "\\n");
    picture_work_words(of, &label, &cluster);
    canvas_set_text(&of->canvas, node, "label", &label);
    if (of->kinds.of != NULL) {
        text_buffer fill = {0};
        add_kinds(&fill, of, &cluster);
        picture_processor_colours(of, node, &cluster, number, &fill);
    } else {
        picture_processor_colours(of, node, &cluster, number, NULL);
    }

    /* The area grows with the modules; tenths of an inch, whatever the locale. */
    text_buffer height = {0};
    int tenths = 7 + (int)(9 * sqrt((double)cluster.modules / (double)most));
    text_addf(&height, "%d.%d", tenths / 10, tenths % 10);
    canvas_set_text(&of->canvas, node, "height", &height);
    return node;
}

/** How many flows are drawn: all of a few, and of many the largest. */
static size_t drawn_flows(inlay_id clusters, size_t count)
{
    size_t most = clusters > LABELLED_LINES / 2 ? 2 * (size_t)clusters : LABELLED_LINES;
    return count < most ? count : most;
}

static void draw_title(scene *of, size_t drawn, size_t count)
{
    text_buffer note = {0};
    words_plural(&note, inlay_app_modules(of->app), "module");
    if (drawn < count) {
        text_add(&note, ", the ");
        words_count(&note, (int64_t)drawn);
        text_add(&note, " largest of ");
        words_plural(&note, (int64_t)count, "flow");
    }
    if (note.failed) {
        of->canvas.failed = true;
    } else {
        picture_title(of, note.data);
    }
    text_clear(&note);
}

static void draw_processors(scene *of, Agnode_t **node)
{
    inlay_id most = 1;
    for (inlay_id i = 0; i < of->summary->clusters; i++) {
        inlay_id modules = inlay_mapping_cluster(of->mapping, i).modules;
        most = modules > most ? modules : most;
    }
    for (inlay_id i = 0; i < of->summary->clusters; i++) {
        node[i] = draw_processor(of, i, most);
    }
}

int picture_processors(scene *of, inlay_diag *diag)
{
    inlay_flow *flow = NULL;
    size_t count = 0;
    Agnode_t **node = memory_zeroed((size_t)of->summary->clusters, sizeof(Agnode_t *));
    if (node == NULL) {
        return diag_no_memory(diag);
    }
    int status = module_kinds_find(&of->kinds, of->app) ? INLAY_OK : diag_no_memory(diag);
    status = status == INLAY_OK ? inlay_mapping_flows(of->mapping, &flow, &count, diag) : status;
    if (status == INLAY_OK) {
        size_t drawn = drawn_flows(of->summary->clusters, count);
        if (count > 1) {
            qsort(flow, count, sizeof *flow, picture_larger_flow);
        }
        draw_title(of, drawn, count);
        canvas_default(&of->canvas, AGNODE, "fontsize", "13");
        canvas_default(&of->canvas, AGEDGE, "fontsize", "12");
        draw_processors(of, node);
        for (size_t i = 0; i < drawn; i++) {
            Agedge_t *line = canvas_edge(&of->canvas, node[flow[i].from], node[flow[i].to]);
            picture_line(of, line, &flow[i], flow[0].traffic, i < LABELLED_LINES);
        }
    }
    free(flow);
    free(node);
    return status;
}

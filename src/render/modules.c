/* The picture that shows every module, in the box of its processor. */
#include "base/diag.h"
#include "base/memory.h"
#include "problem/interconnect.h"
#include "render/render.h"
#include <stdlib.h>

/** Receivers that a processor's label names, where the lines have no labels. */
enum { NAMED_RECEIVERS = 5 };

/** What is known of the picture while it is drawn. */
typedef struct parts {
    Agnode_t **node; /**< of the modules, and behind them of the data blocks */
    inlay_id modules;
    inlay_flow *flow; /**< between processors, the largest first */
    size_t flows;
    int64_t most;  /**< largest traffic of one line between processors */
    bool labelled; /**< whether the lines between processors are few enough for labels */
} parts;

static Agnode_t *draw_node(scene *of, Agraph_t *box, const char *name, text_buffer *label)
{
    text_buffer id = {0};
    words_id(&id, name);
    if (id.failed) {
        of->canvas.failed = true;
    }
    Agnode_t *node = canvas_node(&of->canvas, box, id.data);
    canvas_set_text(&of->canvas, node, "label", label);
    text_clear(&id);
    return node;
}

static Agnode_t *draw_module(scene *of, Agraph_t *box, inlay_id module)
{
    text_buffer label = {0};
    words_label(&label, inlay_app_module_name(of->app, module), LABEL_NAME);
    text_add(&label, "\\n");
    words_number(&label, inlay_app_in_units(of->app, inlay_app_time(of->app, module)), 4);
    if (inlay_app_unit(of->app) != INLAY_UNIT_TICK) {
        text_addf(&label, " %s", inlay_unit_name(inlay_app_unit(of->app)));
    }
    return draw_node(of, box, inlay_app_module_name(of->app, module), &label);
}

static Agnode_t *draw_block(scene *of, Agraph_t *box, inlay_id block)
{
    text_buffer label = {0};
    words_label(&label, inlay_app_block_name(of->app, block), LABEL_NAME);
    text_add(&label, "\\n");
    words_bytes(&label, inlay_app_block_size(of->app, block));
    Agnode_t *node = draw_node(of, box, inlay_app_block_name(of->app, block), &label);
    canvas_set(&of->canvas, node, "shape", "cylinder");
    return node;
}

/** "to 3: 12, 0: 4": the largest flows that leave a cluster. */
static void add_receivers(const scene *of, const parts *drawn, inlay_id number, text_buffer *label)
{
    int named = 0;
    for (size_t i = 0; i < drawn->flows; i++) {
        if (drawn->flow[i].from != number || drawn->flow[i].traffic == 0) {
            continue;
        }
        if (named == NAMED_RECEIVERS) {
            text_add(label, ", \xE2\x80\xA6");
            break;
        }
        inlay_id processor = inlay_mapping_cluster(of->mapping, drawn->flow[i].to).processor;
        text_addf(label, "%s%d: ", named == 0 ? "\\lto " : ", ", (int)processor);
        words_traffic(label, of->summary, drawn->flow[i].traffic);
        named++;
    }
}

/* One core of a module that is drawn with its lowest processor. */
static void draw_guest(scene *of, Agraph_t *box, const inlay_cluster_info *cluster, inlay_id module)
{
    text_buffer id = {0};
    text_addf(&id, "core %d of %s", (int)cluster->processor, inlay_app_module_name(of->app, module));
    Agnode_t *node = canvas_node(&of->canvas, box, id.failed ? "" : id.data);
    of->canvas.failed = of->canvas.failed || id.failed;
    text_clear(&id);
    text_buffer label = {0};
    text_add(&label, inlay_app_module_name(of->app, module));
    canvas_set_text(&of->canvas, node, "label", &label);
    canvas_set(&of->canvas, node, "style", "dashed");
}

static void draw_cluster(scene *of, inlay_id number, parts *drawn)
{
    inlay_cluster_info cluster = inlay_mapping_cluster(of->mapping, number);
    text_buffer name = {0};
    text_addf(&name, "cluster_%d", (int)cluster.processor);
    if (name.failed) {
        of->canvas.failed = true;
    }
    Agraph_t *box = canvas_box(&of->canvas, name.data);
    text_clear(&name);

    text_buffer label = {0};
    picture_processor_words(&label, &cluster);
    text_add(&label, "\\l");
    picture_work_words(of, &label, &cluster);
    if (!drawn->labelled) {
        add_receivers(of, drawn, number, &label);
    }
    text_add(&label, "\\l");
    canvas_set_text(&of->canvas, box, "label", &label);
    canvas_set(&of->canvas, box, "labeljust", "l");
    canvas_set(&of->canvas, box, "fontsize", "12");
    canvas_set(&of->canvas, box, "margin", "12");
    picture_processor_colours(of, box, &cluster, number, NULL);

    for (inlay_id i = 0; i < cluster.modules; i++) {
        if (inlay_mapping_cluster_of(of->mapping, cluster.module[i]) == number) {
            drawn->node[cluster.module[i]] = draw_module(of, box, cluster.module[i]);
        } else {
            draw_guest(of, box, &cluster, cluster.module[i]);
        }
    }
    for (inlay_id i = 0; i < cluster.blocks; i++) {
        drawn->node[drawn->modules + cluster.block[i]] = draw_block(of, box, cluster.block[i]);
    }
}

/** One link, or one use of a data block, as a flow between the clusters of its ends. */
static inlay_flow flow_of(const scene *of, inlay_id cluster, const inlay_links *links, int64_t i)
{
    interconnect network = interconnect_counting(of->machine, of->summary->traffic_in_bytes);
    return (inlay_flow){.from = cluster,
                        .to = inlay_mapping_cluster_of(of->mapping, links->module[i]),
                        .messages = links->messages[i],
                        .bytes = links->bytes[i],
                        .traffic = interconnect_traffic(&network, links->messages[i], links->bytes[i])};
}

/** Look at the links and uses of one module or block: how many lines go between processors, and the largest traffic. */
static void measure_lines(const scene *of, inlay_id cluster, const inlay_links *links, int64_t *lines, int64_t *most)
{
    for (int64_t i = 0; i < links->count; i++) {
        inlay_flow line = flow_of(of, cluster, links, i);
        if (line.from != line.to) {
            *lines += 1;
            *most = line.traffic > *most ? line.traffic : *most;
        }
    }
}

static void draw_lines(scene *of, inlay_id node, inlay_id cluster, const inlay_links *links, const parts *drawn)
{
    for (int64_t i = 0; i < links->count; i++) {
        Agedge_t *edge = canvas_edge(&of->canvas, drawn->node[node], drawn->node[links->module[i]]);
        inlay_flow line = flow_of(of, cluster, links, i);
        if (line.from != line.to) {
            picture_line(of, edge, &line, drawn->most, drawn->labelled);
        }
        if (node >= drawn->modules || links->flags[i] & INLAY_LINK_TRAFFIC_ONLY) {
            canvas_set(&of->canvas, edge, "style", "dashed");
        }
    }
}

/** Count and weigh the lines, and ask for the flows that stand in the labels where there are many. */
static int prepare(const scene *of, parts *drawn, inlay_diag *diag)
{
    int64_t lines = 0;
    for (inlay_id module = 0; module < drawn->modules; module++) {
        inlay_links out = inlay_app_out(of->app, module);
        measure_lines(of, inlay_mapping_cluster_of(of->mapping, module), &out, &lines, &drawn->most);
    }
    for (inlay_id block = 0; block < inlay_app_blocks(of->app); block++) {
        inlay_links uses = inlay_app_uses(of->app, block);
        measure_lines(of, inlay_mapping_home(of->mapping, block), &uses, &lines, &drawn->most);
    }
    drawn->labelled = lines <= LABELLED_LINES;
    int status = inlay_mapping_flows(of->mapping, &drawn->flow, &drawn->flows, diag);
    if (status == INLAY_OK && drawn->flows > 1) {
        qsort(drawn->flow, drawn->flows, sizeof *drawn->flow, picture_larger_flow);
    }
    return status;
}

static void draw_all(scene *of, parts *drawn)
{
    inlay_id blocks = inlay_app_blocks(of->app);
    picture_title(of, NULL);
    canvas_default(&of->canvas, AGEDGE, "color", "#A7AFB5");
    canvas_set(&of->canvas, of->canvas.graph, "rankdir", "LR");
    canvas_set(&of->canvas, of->canvas.graph, "ranksep", drawn->labelled ? "0.45" : "1");
    for (inlay_id cluster = 0; cluster < of->summary->clusters; cluster++) {
        draw_cluster(of, cluster, drawn);
    }
    /* Blocks in the common memory stand in no processor's box. */
    for (inlay_id block = 0; block < blocks; block++) {
        if (drawn->node[drawn->modules + block] == NULL) {
            drawn->node[drawn->modules + block] = draw_block(of, of->canvas.graph, block);
        }
    }
    for (inlay_id module = 0; module < drawn->modules; module++) {
        inlay_links out = inlay_app_out(of->app, module);
        draw_lines(of, module, inlay_mapping_cluster_of(of->mapping, module), &out, drawn);
    }
    for (inlay_id block = 0; block < blocks; block++) {
        inlay_links uses = inlay_app_uses(of->app, block);
        draw_lines(of, drawn->modules + block, inlay_mapping_home(of->mapping, block), &uses, drawn);
    }
}

int picture_modules(scene *of, inlay_diag *diag)
{
    parts drawn = {.modules = inlay_app_modules(of->app)};
    drawn.node = memory_zeroed((size_t)drawn.modules + (size_t)inlay_app_blocks(of->app), sizeof(Agnode_t *));
    if (drawn.node == NULL) {
        return diag_no_memory(diag);
    }
    int status = prepare(of, &drawn, diag);
    if (status == INLAY_OK) {
        draw_all(of, &drawn);
    }
    free(drawn.flow);
    free(drawn.node);
    return status;
}

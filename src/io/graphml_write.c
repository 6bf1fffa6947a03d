/* GraphML out: nodes n0, n1, ... with their names and what else they have as data. Reads back as the same application. */
#include "base/diag.h"
#include "base/hash.h"
#include "graph/names.h"
#include "io/app_words.h"
#include "io/formats.h"
#include "io/xml.h"
#include <inttypes.h>
#include <string.h>

typedef enum graphml_element { GRAPH, NODE, EDGE, ELEMENTS } graphml_element;

static const char *const element_names[ELEMENTS] = {"graph", "node", "edge"};

typedef struct graphml_writer {
    const inlay_app *app;
    text_buffer *to;
    inlay_diag *diag;
    graphml_element element; /* whose attributes are said */
    name_map told[ELEMENTS]; /* the keys that there are */
    name_store *kept;
    bool keys; /* keys are written, not data */
} graphml_writer;

/* ---- Keys and data ---- */

static const char *type_of(const char *name)
{
    static const char *const texts[] = {"name", "kind", "data", "time_unit", "reference_speed"};
    static const char *const wholes[] = {"memory", "traffic_memory", "cores", "pin", "size", "messages", "bytes"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(name, texts[i]) == 0) {
            return "string";
        }
    }
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        if (strcmp(name, wholes[i]) == 0) {
            return "long";
        }
    }
    return "double";
}

static int put_key(graphml_writer *w, const char *name)
{
    const char *element = element_names[w->element];
    name_map *told = &w->told[w->element];
    if (name_map_get(told, name) >= 0) {
        return INLAY_OK;
    }
    const char *kept = name_store_keep(&w->kept, name);
    if (kept == NULL || !name_map_put(told, kept, 0)) {
        return diag_no_memory(w->diag);
    }
    text_addf(w->to, "  <key id=\"%c_", element[0]);
    xml_add_text(w->to, name);
    text_addf(w->to, "\" for=\"%s\" attr.name=\"", element);
    xml_add_text(w->to, name);
    text_addf(w->to, "\" attr.type=\"%s\"/>\n", type_of(name));
    return INLAY_OK;
}

static int say(void *context, const char *name, const char *value)
{
    graphml_writer *w = context;
    if (!xml_holds(name) || !xml_holds(value)) {
        return diag_fail(w->diag, INLAY_BAD_INPUT,
                         "'%s' cannot be written in GraphML; expected UTF-8 without control characters",
                         xml_holds(value) ? name : value);
    }
    if (w->keys) {
        return put_key(w, name);
    }
    text_addf(w->to, "<data key=\"%c_", element_names[w->element][0]);
    xml_add_text(w->to, name);
    text_add(w->to, "\">");
    xml_add_text(w->to, value);
    text_add(w->to, "</data>");
    return INLAY_OK;
}

/* ---- Elements ---- */

static void begin(graphml_writer *w, const char *text, inlay_id number)
{
    if (!w->keys) {
        text_addf(w->to, "%s%" PRId32, text, number);
    }
}

static void finish(graphml_writer *w, const char *text)
{
    text_add(w->to, w->keys ? "" : text);
}

static int put_node(graphml_writer *w, inlay_id number)
{
    inlay_id modules = inlay_app_modules(w->app);
    bool module = number < modules;
    begin(w, "    <node id=\"n", number);
    finish(w, "\">");
    int status =
        say(w, "name", module ? inlay_app_module_name(w->app, number) : inlay_app_block_name(w->app, number - modules));
    if (status == INLAY_OK) {
        status =
            module ? app_say_module(w->app, number, say, w, w->diag) : app_say_block(w->app, number - modules, say, w);
    }
    finish(w, "</node>\n");
    return status;
}

static void begin_edge(graphml_writer *w, inlay_id from, inlay_id to)
{
    begin(w, "    <edge source=\"n", from);
    begin(w, "\" target=\"n", to);
    finish(w, "\">");
}

static int put_links(graphml_writer *w, inlay_id module)
{
    apart_links links = {.app = w->app, .from = module};
    apart_link link;
    int status = INLAY_OK;
    while (status == INLAY_OK && apart_next(&links, &link)) {
        begin_edge(w, module, link.to);
        status = app_say_link(w->app, &link, say, w);
        finish(w, "</edge>\n");
    }
    return status;
}

static int put_uses(graphml_writer *w, inlay_id block)
{
    inlay_links uses = inlay_app_uses(w->app, block);
    int status = INLAY_OK;
    for (int64_t i = 0; status == INLAY_OK && i < uses.count; i++) {
        begin_edge(w, inlay_app_modules(w->app) + block, uses.module[i]);
        status = app_say_use(w->app, block, &uses, i, say, w);
        finish(w, "</edge>\n");
    }
    return status;
}

/* All that there is to say, once for the keys and once for the data. */
static int put_all(graphml_writer *w)
{
    inlay_id modules = inlay_app_modules(w->app), blocks = inlay_app_blocks(w->app);
    w->element = GRAPH;
    int status = app_say_graph(w->app, say, w);
    finish(w, "\n");
    w->element = NODE;
    for (inlay_id i = 0; status == INLAY_OK && i < modules + blocks; i++) {
        status = put_node(w, i);
    }
    w->element = EDGE;
    for (inlay_id i = 0; status == INLAY_OK && i < modules; i++) {
        status = put_links(w, i);
    }
    for (inlay_id i = 0; status == INLAY_OK && i < blocks; i++) {
        status = put_uses(w, i);
    }
    return status;
}

int graphml_to(const inlay_app *app, text_buffer *to, inlay_diag *diag)
{
    graphml_writer w = {.app = app, .to = to, .diag = diag, .keys = true};
    text_add(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    int status = put_all(&w);
    w.keys = false;
    text_add(to, "  <graph id=\"");
    xml_add_text(to, inlay_app_name(app));
    text_add(to, "\" edgedefault=\"directed\">\n    ");
    status = status == INLAY_OK ? put_all(&w) : status;
    text_add(to, "  </graph>\n</graphml>\n");
    for (int i = 0; i < ELEMENTS; i++) {
        name_map_clear(&w.told[i]);
    }
    name_store_free(w.kept);
    return status;
}

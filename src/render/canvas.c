/* The canvas: cgraph as the drawing functions use it. */
#include "render/render.h"
#include <stdio.h>

/* cgraph takes names and values as char * and leaves them alone: the casts below only add that promise. */

static int put_text(void *channel, const char *string)
{
    text_buffer *to = channel;
    text_add(to, string);
    return to->failed ? EOF : 0;
}

static int flush_text(void *channel)
{
    (void)channel;
    return 0;
}

void canvas_open(canvas *on, const char *name)
{
    static const Agiodisc_t to_text = {NULL, put_text, flush_text};
    Agdisc_t discipline = {NULL, (Agiddisc_t *)&ids_by_creation, (Agiodisc_t *)&to_text};
    text_buffer id = {0};
    words_id(&id, name);
    *on = (canvas){0};
    if (!id.failed) {
        on->graph = agopen(id.data ? id.data : (char *)"", Agdirected, &discipline);
    }
    on->failed = on->graph == NULL;
    text_clear(&id);
}

Agnode_t *canvas_node(canvas *on, Agraph_t *in, const char *id)
{
    Agnode_t *node = on->failed ? NULL : agnode(in, (char *)id, 1);
    if (node == NULL) {
        on->failed = true;
    }
    return node;
}

Agedge_t *canvas_edge(canvas *on, Agnode_t *from, Agnode_t *to)
{
    Agedge_t *edge = on->failed ? NULL : agedge(on->graph, from, to, NULL, 1);
    if (edge == NULL) {
        on->failed = true;
    }
    return edge;
}

Agraph_t *canvas_box(canvas *on, const char *id)
{
    Agraph_t *box = on->failed ? NULL : agsubg(on->graph, (char *)id, 1);
    if (box == NULL) {
        on->failed = true;
    }
    return box;
}

void canvas_set(canvas *on, void *object, const char *attribute, const char *value)
{
    if (on->failed) {
        return;
    }
    if (agsafeset(object, (char *)attribute, (char *)value, (char *)"") != 0) {
        on->failed = true;
    }
}

void canvas_set_text(canvas *on, void *object, const char *attribute, text_buffer *value)
{
    if (value->failed) {
        on->failed = true;
    }
    canvas_set(on, object, attribute, text_content(value));
    text_clear(value);
}

void canvas_set_html(canvas *on, text_buffer *value)
{
    char *html = on->failed || value->failed ? NULL : agstrdup_html(on->graph, (char *)text_content(value));
    on->failed = on->failed || html == NULL;
    canvas_set(on, on->graph, "label", html);
    if (html != NULL) {
        agstrfree(on->graph, html);
    }
    text_clear(value);
}

void canvas_default(canvas *on, int kind, const char *attribute, const char *value)
{
    if (on->failed) {
        return;
    }
    if (agattr(on->graph, kind, (char *)attribute, (char *)value) == NULL) {
        on->failed = true;
    }
}

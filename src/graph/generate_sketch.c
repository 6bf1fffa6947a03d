/* Sketches: the columns of a graph while it is drawn. */
#include "base/memory.h"
#include "graph/generate.h"
#include <stdlib.h>
#include <string.h>

bool sketch_open(sketch *s, const generator *g, graph_counts counts, int64_t inputs, const gsl_rng *stream)
{
    size_t modules = (size_t)counts.modules;
    size_t links = (size_t)counts.links;
    *s = (sketch){.types = g->types,
                  .stream = stream,
                  .module_room = (inlay_id)modules,
                  .link_room = (int64_t)links,
                  .name = memory_array(modules + (size_t)inputs, sizeof *s->name),
                  .type = memory_array(modules, sizeof *s->type),
                  .work = memory_array(modules, sizeof *s->work),
                  .blocking = g->streams ? memory_array(modules, sizeof *s->blocking) : NULL,
                  .in_begin = memory_array(modules + 1, sizeof *s->in_begin),
                  .from = memory_array(links, sizeof *s->from),
                  .messages = g->streams ? memory_array(links, sizeof *s->messages) : NULL,
                  .bytes = memory_array(links, sizeof *s->bytes),
                  .datum = g->datum != NULL ? memory_array(links, sizeof *s->datum) : NULL,
                  .input = inputs > 0 ? memory_array((size_t)inputs, sizeof *s->input) : NULL,
                  .input_module = inputs > 0 ? memory_array((size_t)inputs, sizeof *s->input_module) : NULL};
    return s->name && s->type && s->work && s->in_begin && s->from && s->bytes && (g->datum == NULL || s->datum) &&
           (inputs == 0 || (s->input && s->input_module)) && (!g->streams || (s->blocking && s->messages));
}

void sketch_clear(sketch *s)
{
    name_store_free(s->names);
    free((void *)s->name);
    free(s->type);
    free(s->work);
    free(s->blocking);
    free(s->in_begin);
    free(s->from);
    free(s->messages);
    free(s->bytes);
    free(s->datum);
    free(s->input);
    free(s->input_module);
    *s = (sketch){0};
}

/* ---- Modules ---- */

/* The longest prefix, and four numbers of 19 digits and '_' each. */
enum { NAME_TEXT = 128 };

/* Writes a number in front of `end`; where it begins. */
static char *write_number(char *end, int64_t number)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

static const char *keep_name(sketch *s, const char *prefix, const task_index *index)
{
    char text[NAME_TEXT];
    char *begin = text + sizeof text;
    *--begin = '\0';
    for (int i = index->count - 1; i >= 0; i--) {
        begin = write_number(begin, index->at[i]);
        if (i > 0) {
            *--begin = '_';
        }
    }
    size_t length = strlen(prefix);
    begin -= length;
    memcpy(begin, prefix, length);
    return name_store_keep(&s->names, begin);
}

inlay_id sketch_module(sketch *s, int type, double work, task_index index)
{
    inlay_id module = s->modules;
    const char *name = s->failed ? NULL : keep_name(s, s->types[type].prefix, &index);
    if (name == NULL) {
        s->failed = true;
        return module;
    }
    s->name[module] = name;
    s->type[module] = (uint8_t)type;
    s->work[module] = work;
    s->in_begin[module] = s->links;
    s->modules++;
    return module;
}

void sketch_blocking(sketch *s, double blocking)
{
    if (!s->failed) {
        s->blocking[s->modules - 1] = blocking;
    }
}

/* ---- Links ---- */

/* Half as much room again: how many links are drawn is not known beforehand. */
static void grow_links(sketch *s)
{
    size_t room = (size_t)s->link_room + (size_t)s->link_room / 2 + 8;
    size_t from_room = (size_t)s->link_room;
    size_t bytes_room = from_room;
    s->failed = !memory_grow((void **)&s->from, &from_room, room, sizeof *s->from) ||
                !memory_grow((void **)&s->bytes, &bytes_room, room, sizeof *s->bytes);
    s->link_room = s->failed ? s->link_room : (int64_t)room;
}

void sketch_link(sketch *s, inlay_id from, int64_t bytes)
{
    if (s->links == s->link_room && !s->failed) {
        grow_links(s);
    }
    if (!s->failed) {
        s->from[s->links] = from;
        s->bytes[s->links] = bytes;
        if (s->datum != NULL) {
            s->datum[s->links] = -1; /* kinds with data know how many links they have: none is added to their room */
        }
        s->links++;
    }
}

void sketch_tile(sketch *s, inlay_id from, int32_t tile, int64_t bytes)
{
    sketch_link(s, from, bytes);
    if (!s->failed) {
        s->datum[s->links - 1] = tile;
    }
}

void sketch_datum(sketch *s, inlay_id from, int64_t bytes)
{
    sketch_tile(s, from, 0, bytes);
}

void sketch_input(sketch *s, int32_t tile)
{
    if (!s->failed && s->input != NULL) {
        s->input[s->inputs] = tile;
        s->input_module[s->inputs++] = s->modules - 1;
    }
}

void sketch_messages(sketch *s, inlay_id from, int64_t messages)
{
    if (!s->failed) {
        s->messages[s->links] = messages;
        sketch_link(s, from, 0);
    }
}

/* Numbers in lines, and graphs of them. */
#include "io/numbers.h"
#include "base/diag.h"
#include "base/plain.h"
#include "io/formats.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40, NAME_ROOM = 24, MOST_DIGITS = 18 };

/* ---- Words ---- */

size_t number_word(number_text *t)
{
    while (t->at < t->end && *t->at != '\n' && plain_space(*t->at)) {
        t->at++;
    }
    size_t size = 0;
    while (t->at + size < t->end && !plain_space(t->at[size])) {
        size++;
    }
    return size;
}

bool number_next_line(number_text *t)
{
    const char *newline = t->at == t->end ? NULL : memchr(t->at, '\n', (size_t)(t->end - t->at));
    t->at = newline == NULL ? t->end : newline + 1;
    t->line += newline != NULL;
    return t->at < t->end;
}

bool number_skip(number_text *t, bool blank)
{
    while (t->at < t->end && (*t->at == '%' || (blank && number_word(t) == 0))) {
        number_next_line(t);
    }
    return t->at < t->end;
}

int number_take(number_text *t, const char *what, int64_t least, int64_t most, int64_t *number)
{
    size_t size = number_word(t), i = 0;
    int64_t value = 0;
    for (; i < size && i < MOST_DIGITS && plain_digit(t->at[i]); i++) {
        value = value * 10 + (t->at[i] - '0');
    }
    if (size == 0 || i < size || value < least || value > most) {
        return diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                            "%s%.*s%s where %s stands; expected a whole number from %" PRId64 " to %" PRId64,
                            size == 0 ? "the line ends" : "'", (int)(size < SHOWN ? size : SHOWN), t->at,
                            size == 0 ? "" : "'", what, least, most);
    }
    t->at += size;
    *number = value;
    return INLAY_OK;
}

int number_take_free(number_text *t, const char *what, int64_t least, int64_t most, int64_t *number)
{
    while (number_word(t) == 0 && number_next_line(t)) {
    }
    return number_take(t, what, least, most, number);
}

static int refuse_more(number_text *t, size_t size, const char *of)
{
    return diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, t->line,
                        "'%.*s' behind the last number of the %s; expected its end", (int)(size < SHOWN ? size : SHOWN),
                        t->at, of);
}

int number_end_line(number_text *t)
{
    size_t size = number_word(t);
    return size == 0 ? INLAY_OK : refuse_more(t, size, "line");
}

int number_end(number_text *t)
{
    size_t size = number_word(t);
    while (size == 0 && number_next_line(t)) {
        size = *t->at == '%' ? 0 : number_word(t);
    }
    return size == 0 ? INLAY_OK : refuse_more(t, size, "graph");
}

/* ---- Graphs ---- */

static long line_of(void *context, inlay_id from, inlay_id to)
{
    (void)from, (void)to;
    const number_graph *g = context;
    return g->text->line;
}

int number_graph_begin(number_graph *g, number_text *text, bool bytes, int64_t vertices, int64_t edges)
{
    char *name = format_graph_name(text->source);
    *g = (number_graph){.text = text, .bytes = bytes};
    g->builder = name == NULL ? NULL : inlay_app_builder_new(name, INLAY_UNIT_TICK);
    free(name);
    if (g->builder == NULL || inlay_app_builder_source(g->builder, text->source, line_of, g) != INLAY_OK) {
        return diag_no_memory(text->diag);
    }
    /* no more than the text has room for */
    int64_t most = (int64_t)(text->end - text->at) / 2 + 1;
    return inlay_app_builder_reserve(g->builder, vertices < most ? vertices : most, edges < most ? edges : most,
                                     text->diag);
}

int number_graph_vertex(number_graph *g, int64_t label, int64_t time)
{
    char name[NAME_ROOM];
    plain_print(name, sizeof name, "%" PRId64, label);
    const inlay_module module = {.name = name, .time = {{time, 0}, INLAY_UNIT_TICK}};
    return inlay_app_add_module(g->builder, &module, g->text->diag);
}

/* A sum of such numbers does not depend on their order; Steele, Lea and Flood 2014 (splitmix64). */
static uint64_t mixed(uint64_t low, uint64_t high, uint64_t weight)
{
    uint64_t z = low * 0x9E3779B97F4A7C15U + high * 0xD1B54A32D192ED03U + weight * 0x8CB92BA72F3D8DD7U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

int number_graph_arc(number_graph *g, int64_t from, int64_t to, int64_t weight)
{
    bool up = from < to;
    g->arcs++;
    if (from == to) {
        return diag_fail_at(g->text->diag, INLAY_BAD_INPUT, g->text->source, g->text->line,
                            "a vertex that is its own neighbour; expected others");
    }
    *(up ? &g->up : &g->down) += mixed((uint64_t)(up ? from : to), (uint64_t)(up ? to : from), (uint64_t)weight);
    g->edges += !up;
    return up ? INLAY_OK /* the link is made when both are modules */
              : inlay_app_add_link(g->builder, (inlay_id)to, (inlay_id)from, g->bytes ? 1 : weight,
                                   g->bytes ? weight : 0, INLAY_LINK_TRAFFIC_ONLY, g->text->diag);
}

int number_graph_end(number_graph *g, int status, const char *format, inlay_app **app)
{
    const number_text *t = g->text;
    if (status == INLAY_OK && (g->up != g->down || g->arcs != 2 * g->edges)) {
        status = diag_fail_at(t->diag, INLAY_BAD_INPUT, t->source, 0,
                              "neighbours do not name each other alike; expected every edge from both its ends");
    }
    status = status == INLAY_OK ? inlay_app_build(g->builder, app, t->diag) : status;
    if (status == INLAY_OK) {
        diag_warn(t->diag, "%s: %s has no direction: edges are traffic without precedence", t->source, format);
    }
    inlay_app_builder_free(g->builder);
    g->builder = NULL;
    return status;
}

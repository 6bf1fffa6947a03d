/* Writing a metasystem as DOT, which dot_metasystem_from() reads back. */
#include "base/decimal.h"
#include "base/diag.h"
#include "io/dot/dot.h"
#include "io/dot/metasystem.h"
#include <string.h>

typedef struct writer {
    const inlay_metasystem *of;
    text_buffer *to;
    bool good; /* DOT has a way to write all names */
} writer;

static void add_name(writer *w, const char *before, const char *name)
{
    text_add(w->to, before);
    w->good = dot_add_id(w->to, name) && w->good;
}

/* NAME="X" */
static void add_number(writer *w, const char *name, double x)
{
    char number[DOUBLE_TEXT];
    text_addf(w->to, "%s=\"%s\"", name, double_text(x, number));
}

/* ---- Clusters ---- */

static void add_processors(writer *w, const inlay_metasystem_cluster *c)
{
    text_addf(w->to, " [processors=%d", (int)c->total);
    if (c->usable == NULL && c->available < c->total) {
        text_addf(w->to, ", available=%d", (int)c->available);
    }
    for (int32_t i = 0; c->usable != NULL && i < c->total; i++) {
        text_addf(w->to, "%s%d%s", i == 0 ? ", loads=\"" : " ", !c->usable[i], i + 1 == c->total ? "\"" : "");
    }
}

static void add_communication(writer *w, const inlay_metasystem_cluster *c, inlay_pattern pattern)
{
    const inlay_communication *t = &c->communication[pattern];
    if (t->given) {
        char c1[DOUBLE_TEXT], c2[DOUBLE_TEXT], c3[DOUBLE_TEXT], c4[DOUBLE_TEXT];
        text_addf(w->to, ",\n    \"%s\"=\"c1=%s, c2=%s, c3=%s, c4=%s, f=%s\"", inlay_pattern_name(pattern),
                  double_text(t->c1, c1), double_text(t->c2, c2), double_text(t->c3, c3), double_text(t->c4, c4),
                  inlay_growth_name(t->growth));
    }
}

static void add_cluster(writer *w, const inlay_metasystem_cluster *c)
{
    add_name(w, "  ", c->name);
    add_processors(w, c);
    if (c->rate > 0) {
        add_number(w, ", rate", c->rate);
    }
    if (c->price > 0) {
        add_number(w, ", price", c->price);
    }
    if (c->power > 0) {
        add_number(w, ", power", c->power);
    }
    if (c->type != NULL) {
        add_name(w, ", type=", c->type);
    }
    if (c->format != NULL) {
        add_name(w, ", format=", c->format);
    }
    text_addf(w->to, ", interconnect=%s", inlay_interconnect_name(c->interconnect));
    if (c->interconnect == INLAY_INTERCONNECT_MESH) {
        text_addf(w->to, ", extent=\"%dx%d\"", (int)c->rows, (int)c->columns);
    }
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        add_communication(w, c, (inlay_pattern)p);
    }
    text_add(w->to, "];\n");
}

/* ---- Networks, at most as deep in each other as there are ---- */

/* The next network in `parent`, behind the `last` one; -1: none. What is in a network has a larger number. */
static int32_t next_in(const writer *w, int32_t parent, int32_t last)
{
    int32_t n = last + 1;
    while ((size_t)n < w->of->networks && w->of->network[n].parent != parent) {
        n++;
    }
    return (size_t)n < w->of->networks ? n : -1;
}

static void open_network(writer *w, int32_t number)
{
    const inlay_metasystem_network *network = &w->of->network[number];
    text_addf(w->to, "  subgraph cluster_%d {\n", (int)number);
    add_name(w, "  graph [label=", network->name);
    add_number(w, ", router_latency", network->router_latency);
    add_number(w, ", router_per_byte", network->router_per_byte);
    text_add(w->to, "];\n");
    for (size_t i = 0; i < w->of->clusters; i++) {
        if (w->of->cluster[i].network == number) {
            add_name(w, "  ", w->of->cluster[i].name);
            text_add(w->to, ";\n");
        }
    }
}

/* Down to the first network in one, else on to the next beside it, else up. */
static void add_networks(writer *w)
{
    int32_t at = next_in(w, -1, -1);
    while (at >= 0) {
        open_network(w, at);
        int32_t next = next_in(w, at, at);
        while (next < 0 && at >= 0) {
            text_add(w->to, "  }\n");
            next = next_in(w, w->of->network[at].parent, at);
            at = w->of->network[at].parent;
        }
        at = next;
    }
}

/* ---- All of it ---- */

static void add_graph(writer *w)
{
    const inlay_metasystem *m = w->of;
    bool united = m->time_unit != INLAY_UNIT_NONE;
    add_name(w, "graph ", m->name != NULL && *m->name != '\0' ? m->name : "metasystem");
    text_addf(w->to, " {\n  graph [kind=metasystem, time_unit=%s", united ? inlay_unit_name(m->time_unit) : "tick");
    add_number(w, ", router_latency", m->router_latency);
    add_number(w, ", router_per_byte", m->router_per_byte);
    add_number(w, ", coercion", m->coercion);
    if (m->currency != NULL) {
        add_name(w, ", currency=", m->currency);
    }
    text_add(w->to, "];\n");
}

int dot_metasystem_to(const inlay_metasystem *metasystem, text_buffer *to, inlay_diag *diag)
{
    writer w = {.of = metasystem, .to = to, .good = true};
    add_graph(&w);
    for (size_t i = 0; i < metasystem->clusters; i++) {
        add_cluster(&w, &metasystem->cluster[i]);
    }
    add_networks(&w);
    for (size_t i = 0; i < metasystem->routes; i++) {
        const inlay_metasystem_route *r = &metasystem->route[i];
        add_name(&w, "  ", metasystem->cluster[r->from].name);
        add_name(&w, " -- ", metasystem->cluster[r->to].name);
        add_number(&w, " [latency", r->latency);
        add_number(&w, ", per_byte", r->per_byte);
        add_number(&w, ", coercion", r->coercion);
        text_add(to, "];\n");
    }
    text_add(to, "}\n");
    return w.good ? INLAY_OK
                  : diag_fail(diag, INLAY_BAD_INPUT,
                              "the metasystem has a name that cannot be written in DOT; expected no backslash in front "
                              "of a quote, a line's end or a value's end");
}

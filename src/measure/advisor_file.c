/*
 * The machine file of --hosts. A switch has links to all processors; of a bus whose processors are unlike all messages
 * pass one link, since processors of the family bus are alike.
 */
#include "measure/machine_file.h"
#include <math.h>

enum { DIGITS = 9 /* of figures that commands read */, SHORT = 4 /* and people */ };

static const double mega = 1e6;

/* ---- The comment ---- */

static void comment_all(text_buffer *to, const inlay_advisor_fit *a, const inlay_diag *said)
{
    const inlay_raw *r = a->of;
    char text[3][INLAY_VALUE_TEXT];
    machine_comment_origin(to, r);
    comment(to, "; all computed at once, and all sent at once\n");
    for (int i = 0; i < r->ranks; i++) {
        const inlay_figure *seconds = &a->rank[i].seconds;
        comment(to, "// processor %d on %s: %.*g Mflop/s (spread %s)\n", i, r->host[r->host_of[i]].name, SHORT,
                r->advisor.operations / seconds->median / mega, share_text(seconds->spread, text[0]));
    }
    if (r->ranks > 1) {
        comment(to, "// ring of %d: lambda %s a message, tau %s a byte, residual %s; kind %s", r->ranks,
                inlay_seconds_text(a->latency, SHORT, " ", text[0]),
                inlay_seconds_text(a->per_byte, SHORT, " ", text[1]), share_text(a->residual, text[2]),
                inlay_medium_name(a->kind));
        if (a->shared > 0) {
            comment(to, ", a byte takes %.3g times as long as alone", a->shared);
        }
        comment(to, "\n");
    }
    machine_comment_warnings(to, said);
}

/* ---- The graph ---- */

/* Bytes a second. Where no size takes longer, it is more than any that was seen. */
static double capacity(const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->of;
    double most = 0;
    for (int s = 0; s < r->sizes; s++) {
        most = fmax(most, (double)r->size[s] * advisor_share(a) / a->step[s].seconds.median);
    }
    return a->per_byte > 0 ? 1 / a->per_byte : most;
}

static void put_nodes(text_buffer *to, const inlay_advisor_fit *a, const machine_plan *plan)
{
    const inlay_raw *r = a->of;
    for (int i = 0; i < r->ranks; i++) {
        text_addf(to, "  ");
        machine_put_rank(to, r, plan, i);
        if (a->unlike) {
            text_addf(to, " [speed=%.*g]", DIGITS, a->rank[i].rate / a->rank[a->fastest].rate);
        }
        text_addf(to, ";\n");
    }
}

static void put_switch(text_buffer *to, const inlay_advisor_fit *a, const machine_plan *plan)
{
    char text[2][INLAY_VALUE_TEXT];
    text_addf(to, "  \"switch\" [kind=switch];\n  edge [capacity=\"%s\", latency=\"%s\"];\n",
              inlay_rate_text(capacity(a), DIGITS, "", text[0]),
              inlay_seconds_text(a->latency / 2, DIGITS, "", text[1]));
    for (int i = 0; i < a->of->ranks; i++) {
        text_addf(to, "  ");
        machine_put_rank(to, a->of, plan, i);
        text_addf(to, " -- \"switch\";\n");
    }
}

/* The ways to the bus and from it are nobody's but their processors', and take no time of their own. */
static void put_shared(text_buffer *to, const inlay_advisor_fit *a, const machine_plan *plan)
{
    char text[2][INLAY_VALUE_TEXT];
    const inlay_raw *r = a->of;
    text_addf(to, "  \"bus/in\" [kind=switch]; \"bus/out\" [kind=switch];\n  edge [capacity=\"%s\"];\n",
              inlay_rate_text(capacity(a), DIGITS, "", text[0]));
    text_addf(to, "  \"bus/in\" -> \"bus/out\" [latency=\"%s\"];\n  edge [parallel=true];\n",
              inlay_seconds_text(a->latency, DIGITS, "", text[1]));
    for (int i = 0; i < r->ranks; i++) {
        text_addf(to, "  ");
        machine_put_rank(to, r, plan, i);
        text_addf(to, " -> \"bus/in\"; \"bus/out\" -> ");
        machine_put_rank(to, r, plan, i);
        text_addf(to, ";\n");
    }
}

static bool has_shared_link(const inlay_advisor_fit *a)
{
    return a->unlike && a->kind == INLAY_MEDIUM_BUS && a->of->ranks > 1;
}

static void put_graph(text_buffer *to, const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->of;
    machine_plan plan = machine_names(r);
    char text[3][INLAY_VALUE_TEXT];
    const char *each = inlay_seconds_text(1 / a->rank[a->fastest].rate, DIGITS, "", text[0]);
    bool bus = r->ranks > 1 && a->kind == INLAY_MEDIUM_BUS;
    text_addf(to, "%s measured {\n", has_shared_link(a) ? "digraph" : "graph");
    if (bus && !a->unlike) {
        text_addf(to,
                  "  graph [network=bus, processors=%d, capacity=\"%s\", latency=\"%s\", arithmetic_time=\"%s\"];\n}\n",
                  r->ranks, inlay_rate_text(capacity(a), DIGITS, "", text[1]),
                  inlay_seconds_text(a->latency, DIGITS, "", text[2]), each);
        return;
    }
    text_addf(to, "  graph [network=links, switching=\"cut-through\", arithmetic_time=\"%s\"];\n", each);
    put_nodes(to, a, &plan);
    if (bus) {
        put_shared(to, a, &plan);
    } else if (r->ranks > 1) {
        put_switch(to, a, &plan);
    }
    text_addf(to, "}\n");
}

void advisor_put(text_buffer *to, const inlay_advisor_fit *a, const inlay_diag *said)
{
    comment_all(to, a, said);
    put_graph(to, a);
}

/*
 * The machine file of --hosts. A switch has links to all processors; of a bus whose processors are unlike all messages
 * pass one link, since processors of the family bus are alike.
 */
#include "report.h"
#include "write.h"
#include <math.h>

enum { DIGITS = 9 /* of figures that commands read */, SHORT = 4 /* and people */ };

static const double mega = 1e6;

/* ---- The comment ---- */

static void comment(FILE *to, const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->notes.of;
    char text[3][INLAY_VALUE_TEXT];
    machine_comment_origin(to, r);
    say(to, "; all computed at once, and all sent at once\n");
    for (int i = 0; i < r->ranks; i++) {
        const inlay_figure *seconds = &a->rank[i].seconds;
        say(to, "// processor %d on %-s: %.*g Mflop/s (spread %s)\n", i, r->host[r->host_of[i]].name, SHORT,
            r->advisor.operations / seconds->median / mega, share_text(seconds->spread, text[0]));
    }
    if (r->ranks > 1) {
        say(to, "// ring of %d: lambda %s a message, tau %s a byte, residual %s; kind %s", r->ranks,
            inlay_seconds_text(a->latency, SHORT, " ", text[0]), inlay_seconds_text(a->per_byte, SHORT, " ", text[1]),
            share_text(a->residual, text[2]), inlay_medium_name(a->kind));
        if (a->shared > 0) {
            say(to, ", a byte takes %.3g times as long as alone", a->shared);
        }
        say(to, "\n");
    }
    for (int i = 0; i < a->notes.warnings; i++) {
        say(to, "// %-s\n", a->notes.warning[i]);
    }
}

/* ---- The graph ---- */

/* Bytes a second. Where no size takes longer, it is more than any that was seen. */
static double capacity(const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->notes.of;
    double most = 0;
    for (int s = 0; s < r->sizes; s++) {
        most = fmax(most, (double)r->size[s] * advisor_share(a) / a->step[s].seconds.median);
    }
    return a->per_byte > 0 ? 1 / a->per_byte : most;
}

static void put_nodes(FILE *to, const inlay_advisor_fit *a, const machine_plan *plan)
{
    const inlay_raw *r = a->notes.of;
    for (int i = 0; i < r->ranks; i++) {
        say(to, "  ");
        machine_put_rank(to, r, plan, i);
        if (a->unlike) {
            say(to, " [speed=%.*g]", DIGITS, a->rank[i].rate / a->rank[a->fastest].rate);
        }
        say(to, ";\n");
    }
}

static void put_switch(FILE *to, const inlay_advisor_fit *a, const machine_plan *plan)
{
    char text[2][INLAY_VALUE_TEXT];
    say(to, "  \"switch\" [kind=switch];\n  edge [capacity=\"%s\", latency=\"%s\"];\n",
        inlay_rate_text(capacity(a), DIGITS, "", text[0]), inlay_seconds_text(a->latency / 2, DIGITS, "", text[1]));
    for (int i = 0; i < a->notes.of->ranks; i++) {
        say(to, "  ");
        machine_put_rank(to, a->notes.of, plan, i);
        say(to, " -- \"switch\";\n");
    }
}

/* The ways to the bus and from it are nobody's but their processors', and take no time of their own. */
static void put_shared(FILE *to, const inlay_advisor_fit *a, const machine_plan *plan)
{
    char text[2][INLAY_VALUE_TEXT];
    const inlay_raw *r = a->notes.of;
    say(to, "  \"bus/in\" [kind=switch]; \"bus/out\" [kind=switch];\n  edge [capacity=\"%s\"];\n",
        inlay_rate_text(capacity(a), DIGITS, "", text[0]));
    say(to, "  \"bus/in\" -> \"bus/out\" [latency=\"%s\"];\n  edge [parallel=true];\n",
        inlay_seconds_text(a->latency, DIGITS, "", text[1]));
    for (int i = 0; i < r->ranks; i++) {
        say(to, "  ");
        machine_put_rank(to, r, plan, i);
        say(to, " -> \"bus/in\"; \"bus/out\" -> ");
        machine_put_rank(to, r, plan, i);
        say(to, ";\n");
    }
}

static bool has_shared_link(const inlay_advisor_fit *a)
{
    return a->unlike && a->kind == INLAY_MEDIUM_BUS && a->notes.of->ranks > 1;
}

static void put_graph(FILE *to, const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->notes.of;
    machine_plan plan = machine_names(r);
    char text[3][INLAY_VALUE_TEXT];
    const char *each = inlay_seconds_text(1 / a->rank[a->fastest].rate, DIGITS, "", text[0]);
    bool bus = r->ranks > 1 && a->kind == INLAY_MEDIUM_BUS;
    say(to, "%s measured {\n", has_shared_link(a) ? "digraph" : "graph");
    if (bus && !a->unlike) {
        say(to, "  graph [network=bus, processors=%d, capacity=\"%s\", latency=\"%s\", arithmetic_time=\"%s\"];\n}\n",
            r->ranks, inlay_rate_text(capacity(a), DIGITS, "", text[1]),
            inlay_seconds_text(a->latency, DIGITS, "", text[2]), each);
        return;
    }
    say(to, "  graph [network=links, switching=\"cut-through\", arithmetic_time=\"%s\"];\n", each);
    put_nodes(to, a, &plan);
    if (bus) {
        put_shared(to, a, &plan);
    } else if (r->ranks > 1) {
        put_switch(to, a, &plan);
    }
    say(to, "}\n");
}

void advisor_put(FILE *to, const void *of)
{
    const inlay_advisor_fit *a = of;
    comment(to, a);
    put_graph(to, a);
}

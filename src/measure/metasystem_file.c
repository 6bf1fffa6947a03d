/* The metasystem file: a cluster for each kind of processor, with its communication functions. */
#include "measure/machine_file.h"
#include <string.h>

enum { DIGITS = 9 /* of figures that commands read */, SHORT = 4 /* and people */ };

#define MICRO 1e6 /* microseconds, in which the file tells times, of a second */

/* ---- The comment ---- */

static void comment_cluster(text_buffer *to, const inlay_metasystem_fit *t, const inlay_cluster_fit *cluster)
{
    char text[2][INLAY_VALUE_TEXT];
    comment(to, "// cluster %s: %d rank%s on", cluster->name, cluster->of->ranks, cluster->of->ranks == 1 ? "" : "s");
    for (int i = 0; i < cluster->of->hosts; i++) {
        comment(to, " %s", t->of->of->host[cluster->of->host[i]].name);
    }
    comment(to, "; %s an arithmetic operation (spread %s), which is an instruction here\n",
            inlay_seconds_text(cluster->arithmetic.median, SHORT, " ", text[0]),
            share_text(cluster->arithmetic.spread, text[1]));
}

static void comment_pattern(text_buffer *to, const inlay_cluster_fit *cluster, const char *name,
                            const inlay_pattern_fit *pattern)
{
    char text[INLAY_VALUE_TEXT];
    comment(to, "// %s in %s: %s, over %zu points of 2 to %d ranks; residual", name, cluster->name,
            inlay_growth_name(inlay_growth_order[pattern->chosen]), pattern->points,
            pattern->point[pattern->points - 1].processors);
    for (int i = 0; i < INLAY_GROWTHS; i++) {
        if (pattern->fit[i].fitted) {
            comment(to, " %s %s,", inlay_growth_name(inlay_growth_order[i]),
                    share_text(pattern->fit[i].residual, text));
        }
    }
    comment(to, " spread of the runs %s\n", share_text(pattern->spread, text));
}

static void put_comments(text_buffer *to, const inlay_metasystem_fit *t)
{
    for (int c = 0; c < t->clusters; c++) {
        const inlay_cluster_fit *cluster = &t->cluster[c];
        comment_cluster(to, t, cluster);
        for (int p = 0; p < INLAY_PATTERNS; p++) {
            if (cluster->pattern[p].points > 0) {
                comment_pattern(to, cluster, inlay_pattern_name((inlay_pattern)p), &cluster->pattern[p]);
            }
        }
    }
}

/* ---- The graph ---- */

/* A processor that is alone in its cluster has nobody there to wait for. */
static void put_pattern(text_buffer *to, const char *name, const inlay_pattern_fit *pattern)
{
    const inlay_growth_fit *fit = &pattern->fit[pattern->chosen];
    text_addf(to, ",\n    \"%s\"=\"", name);
    for (int k = 0; k < INLAY_COEFFICIENTS; k++) {
        text_addf(to, "c%d=%.*g, ", k + 1, DIGITS, pattern->points > 0 ? MICRO * fit->c[k] : 0);
    }
    text_addf(to, "f=%s\"", inlay_growth_name(inlay_growth_order[pattern->chosen]));
}

/* Numbers where some host's name has characters that DOT or a message could take for something else. */
static bool are_plain(const inlay_metasystem_fit *t)
{
    bool good = true;
    for (int c = 0; c < t->clusters; c++) {
        for (const char *at = t->cluster[c].name; *at != '\0'; at++) {
            good = good && (unsigned char)*at >= ' ' && *at != 127 && strchr("\"\\", *at) == NULL;
        }
    }
    return good;
}

static void put_cluster(text_buffer *to, const inlay_metasystem_fit *t, int number, bool plain)
{
    const inlay_cluster_fit *cluster = &t->cluster[number];
    text_addf(to, "  \"");
    if (plain) {
        text_addf(to, "%s", cluster->name);
    } else {
        text_addf(to, "cluster%d", number);
    }
    text_addf(to, "\" [processors=%d, rate=%.*g, interconnect=%s", cluster->of->ranks, DIGITS, cluster->rate / MICRO,
              inlay_interconnect_name(cluster->interconnect));
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        if (t->wanted[p]) {
            put_pattern(to, inlay_pattern_name((inlay_pattern)p), &cluster->pattern[p]);
        }
    }
    text_addf(to, "];\n");
}

static void put_graph(text_buffer *to, const inlay_metasystem_fit *t)
{
    const inlay_message_fit *way = &t->of->fit[INLAY_PAIR_NETWORK];
    bool plain = are_plain(t);
    text_addf(to, "graph measured {\n  graph [kind=metasystem, time_unit=us");
    if (t->clusters > 1) {
        text_addf(to, ", router_latency=%.*g, router_per_byte=%.*g", DIGITS, MICRO * way->latency, DIGITS,
                  MICRO * way->per_byte);
    }
    text_addf(to, "];\n");
    for (int c = 0; c < t->clusters; c++) {
        put_cluster(to, t, c, plain);
    }
    text_addf(to, "}\n");
}

void metasystem_put(text_buffer *to, const inlay_metasystem_fit *t, const inlay_diag *said)
{
    machine_comment(to, t->of, said);
    put_comments(to, t);
    put_graph(to, t);
}

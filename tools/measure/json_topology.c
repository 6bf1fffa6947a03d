/* The JSON of what --topology comes to. */
#include "result.h"
#include "topology.h"
#include "write.h"
#include <math.h>

static void put_fit(result *out, const growth_fit *fit, inlay_growth growth)
{
    static const char *const names[COEFFICIENTS] = {"c1", "c2", "c3", "c4"};
    result_open(out, NULL, '{');
    result_string(out, "f", inlay_growth_name(growth));
    for (int k = 0; k < COEFFICIENTS; k++) {
        result_number(out, names[k], fit->c[k]);
    }
    result_number(out, "residual", fit->residual);
    result_number(out, "largest_error", fit->largest);
    result_number(out, "criterion", fit->criterion);
    result_close(out, '}');
}

static void put_point(result *out, const pattern_fit *pattern, const growth_point *point)
{
    double fitted =
        growth_seconds(&pattern->fit[pattern->chosen], growth_order[pattern->chosen], point->processors, point->bytes);
    result_open(out, NULL, '{');
    result_integer(out, "processors", point->processors);
    result_number(out, "bytes", point->bytes);
    result_number(out, "median", point->seconds);
    result_number(out, "spread", point->spread);
    result_number(out, "fitted", fitted);
    result_number(out, "error", fitted / point->seconds - 1);
    result_close(out, '}');
}

static void put_pattern(result *out, const char *name, const pattern_fit *pattern)
{
    result_open(out, NULL, '{');
    result_string(out, "pattern", name);
    result_string(out, "f", inlay_growth_name(growth_order[pattern->chosen]));
    result_number(out, "spread", pattern->spread);
    result_open(out, "fits", '[');
    for (int i = 0; i < GROWTHS; i++) {
        if (pattern->fit[i].fitted) {
            put_fit(out, &pattern->fit[i], growth_order[i]);
        }
    }
    result_close(out, ']');
    result_open(out, "cycles", '[');
    for (size_t i = 0; i < pattern->points; i++) {
        put_point(out, pattern, &pattern->point[i]);
    }
    result_close(out, ']');
    result_close(out, '}');
}

static void put_cluster(result *out, const topology *t, const topology_cluster *cluster)
{
    result_open(out, NULL, '{');
    result_string(out, "name", cluster->name);
    result_open(out, "hosts", '[');
    for (int i = 0; i < cluster->of->hosts; i++) {
        result_string(out, NULL, t->of->of->host[cluster->of->host[i]].name);
    }
    result_close(out, ']');
    result_integer(out, "processors", cluster->of->ranks);
    result_number(out, "rate", topology_rate(cluster));
    result_string(out, "interconnect", inlay_interconnect_name(cluster->interconnect));
    result_open(out, "patterns", '[');
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        if (cluster->pattern[p].points > 0) {
            put_pattern(out, inlay_pattern_name((inlay_pattern)p), &cluster->pattern[p]);
        }
    }
    result_close(out, ']');
    result_close(out, '}');
}

void json_topology(result *out, const topology *t)
{
    const class_fit *way = &t->of->fit[CLASS_NETWORK];
    result_open(out, "clusters", '[');
    for (int c = 0; c < t->clusters; c++) {
        put_cluster(out, t, &t->cluster[c]);
    }
    result_close(out, ']');
    if (t->clusters > 1) {
        result_open(out, "router", '{');
        result_number(out, "latency", way->latency);
        result_number(out, "per_byte", way->per_byte);
        result_close(out, '}');
    } else {
        result_exact(out, "router", "null");
    }
}

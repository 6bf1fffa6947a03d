/* The JSON of what --topology comes to. */
#include "topology.h"
#include "write.h"

static void put_fit(inlay_json *out, const growth_fit *fit, inlay_growth growth)
{
    static const char *const names[COEFFICIENTS] = {"c1", "c2", "c3", "c4"};
    inlay_json_object(out, NULL);
    inlay_json_string(out, "f", inlay_growth_name(growth));
    for (int k = 0; k < COEFFICIENTS; k++) {
        inlay_json_number(out, names[k], fit->c[k]);
    }
    inlay_json_number(out, "residual", fit->residual);
    inlay_json_number(out, "largest_error", fit->largest);
    inlay_json_number(out, "criterion", fit->criterion);
    inlay_json_object_end(out);
}

static void put_point(inlay_json *out, const pattern_fit *pattern, const growth_point *point)
{
    double fitted =
        growth_seconds(&pattern->fit[pattern->chosen], growth_order[pattern->chosen], point->processors, point->bytes);
    inlay_json_object(out, NULL);
    inlay_json_integer(out, "processors", point->processors);
    inlay_json_number(out, "bytes", point->bytes);
    inlay_json_number(out, "median", point->seconds);
    inlay_json_number(out, "spread", point->spread);
    inlay_json_number(out, "fitted", fitted);
    inlay_json_number(out, "error", fitted / point->seconds - 1);
    inlay_json_object_end(out);
}

static void put_pattern(inlay_json *out, const char *name, const pattern_fit *pattern)
{
    inlay_json_object(out, NULL);
    inlay_json_string(out, "pattern", name);
    inlay_json_string(out, "f", inlay_growth_name(growth_order[pattern->chosen]));
    inlay_json_number(out, "spread", pattern->spread);
    inlay_json_array(out, "fits");
    for (int i = 0; i < GROWTHS; i++) {
        if (pattern->fit[i].fitted) {
            put_fit(out, &pattern->fit[i], growth_order[i]);
        }
    }
    inlay_json_array_end(out);
    inlay_json_array(out, "cycles");
    for (size_t i = 0; i < pattern->points; i++) {
        put_point(out, pattern, &pattern->point[i]);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static void put_cluster(inlay_json *out, const topology *t, const topology_cluster *cluster)
{
    inlay_json_object(out, NULL);
    inlay_json_string(out, "name", cluster->name);
    inlay_json_array(out, "hosts");
    for (int i = 0; i < cluster->of->hosts; i++) {
        inlay_json_string(out, NULL, t->of->of->host[cluster->of->host[i]].name);
    }
    inlay_json_array_end(out);
    inlay_json_integer(out, "processors", cluster->of->ranks);
    inlay_json_number(out, "rate", topology_rate(cluster));
    inlay_json_string(out, "interconnect", inlay_interconnect_name(cluster->interconnect));
    inlay_json_array(out, "patterns");
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        if (cluster->pattern[p].points > 0) {
            put_pattern(out, inlay_pattern_name((inlay_pattern)p), &cluster->pattern[p]);
        }
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

void json_topology(inlay_json *out, const topology *t)
{
    const class_fit *way = &t->of->fit[CLASS_NETWORK];
    inlay_json_array(out, "clusters");
    for (int c = 0; c < t->clusters; c++) {
        put_cluster(out, t, &t->cluster[c]);
    }
    inlay_json_array_end(out);
    if (t->clusters > 1) {
        inlay_json_object(out, "router");
        inlay_json_number(out, "latency", way->latency);
        inlay_json_number(out, "per_byte", way->per_byte);
        inlay_json_object_end(out);
    } else {
        inlay_json_null(out, "router");
    }
}

/* The JSON of what --topology comes to. */
#include "topology.h"
#include "write.h"

static void put_fit(inlay_json *out, const inlay_growth_fit *fit, inlay_growth growth)
{
    static const char *const names[INLAY_COEFFICIENTS] = {"c1", "c2", "c3", "c4"};
    inlay_json_put(out, "{ f %s", inlay_growth_name(growth));
    for (int k = 0; k < INLAY_COEFFICIENTS; k++) {
        inlay_json_number(out, names[k], fit->c[k]);
    }
    inlay_json_put(out, "residual %g largest_error %g criterion %g }", fit->residual, fit->largest, fit->criterion);
}

static void put_point(inlay_json *out, const inlay_pattern_fit *pattern, const inlay_growth_point *point)
{
    double fitted = inlay_growth_seconds(&pattern->fit[pattern->chosen], inlay_growth_order[pattern->chosen],
                                         point->processors, point->bytes);
    inlay_json_put(out, "{ processors %d bytes %g median %g spread %g fitted %g error %g }", point->processors,
                   point->bytes, point->seconds, point->spread, fitted, fitted / point->seconds - 1);
}

static void put_pattern(inlay_json *out, const char *name, const inlay_pattern_fit *pattern)
{
    inlay_json_put(out, "{ pattern %s f %s spread %g fits [", name,
                   inlay_growth_name(inlay_growth_order[pattern->chosen]), pattern->spread);
    for (int i = 0; i < INLAY_GROWTHS; i++) {
        if (pattern->fit[i].fitted) {
            put_fit(out, &pattern->fit[i], inlay_growth_order[i]);
        }
    }
    inlay_json_put(out, "] cycles [");
    for (size_t i = 0; i < pattern->points; i++) {
        put_point(out, pattern, &pattern->point[i]);
    }
    inlay_json_put(out, "] }");
}

static void put_cluster(inlay_json *out, const inlay_metasystem_fit *t, const inlay_cluster_fit *cluster)
{
    inlay_json_put(out, "{ name %s hosts [", cluster->name);
    for (int i = 0; i < cluster->of->hosts; i++) {
        inlay_json_string(out, NULL, t->of->of->host[cluster->of->host[i]].name);
    }
    inlay_json_put(out, "] processors %d rate %g interconnect %s patterns [", cluster->of->ranks,
                   topology_rate(cluster), inlay_interconnect_name(cluster->interconnect));
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        if (cluster->pattern[p].points > 0) {
            put_pattern(out, inlay_pattern_name((inlay_pattern)p), &cluster->pattern[p]);
        }
    }
    inlay_json_put(out, "] }");
}

void json_topology(inlay_json *out, const inlay_metasystem_fit *t)
{
    const inlay_message_fit *way = &t->of->fit[INLAY_PAIR_NETWORK];
    inlay_json_array(out, "clusters");
    for (int c = 0; c < t->clusters; c++) {
        put_cluster(out, t, &t->cluster[c]);
    }
    inlay_json_array_end(out);
    if (t->clusters > 1) {
        inlay_json_put(out, "router { latency %g per_byte %g }", way->latency, way->per_byte);
    } else {
        inlay_json_null(out, "router");
    }
}

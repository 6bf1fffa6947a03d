/* What `inlay measure` gives out: the JSON of what was measured. */
#include "base/diag.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* ---- A machine ---- */

static void put_kind(inlay_json *out, const char *key, const inlay_figure *alone, const inlay_figure *all)
{
    inlay_json_object(out, key);
    inlay_json_put(out, "alone { median %g spread %g } all { median %g spread %g } }", alone->median, alone->spread,
                   all->median, all->spread);
}

static void put_hosts(inlay_json *out, const inlay_machine_fit *a)
{
    inlay_json_array(out, "hosts");
    for (int h = 0; h < a->of->hosts; h++) {
        const inlay_raw_host *host = &a->of->host[h];
        inlay_json_put(out, "{ name %s ranks [", host->name);
        for (int i = 0; i < host->ranks; i++) {
            inlay_json_integer(out, NULL, host->rank[i]);
        }
        inlay_json_put(out, "] memory %" PRIi64 " numa_nodes %" PRIi64, host->memory, host->numa);
        put_kind(out, "copying", &a->host[h].alone, &a->host[h].all);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static void put_ranks(inlay_json *out, const inlay_machine_fit *a)
{
    inlay_json_array(out, "ranks");
    for (int r = 0; r < a->of->ranks; r++) {
        const inlay_rank_figures *own = &a->rank[r];
        inlay_json_put(out, "{ rank %d host %s", r, a->of->host[a->of->host_of[r]].name);
        put_kind(out, "arithmetic", &own->arithmetic_alone, &own->arithmetic_all);
        put_kind(out, "function", &own->function_alone, &own->function_all);
        inlay_json_put(out, "speed %g }", own->speed);
    }
    inlay_json_array_end(out);
}

static void put_step(inlay_json *out, const inlay_message_fit *fit)
{
    if (fit->step.seconds > 0) {
        inlay_json_put(out, "step { size %g seconds %g latency %g per_byte %g residual %g }", fit->step.size,
                       fit->step.seconds, fit->step.latency, fit->step.per_byte, fit->step.residual);
    } else {
        inlay_json_null(out, "step");
    }
}

static void put_fits(inlay_json *out, const inlay_machine_fit *a)
{
    inlay_json_array(out, "fits");
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        const inlay_message_fit *fit = &a->fit[c];
        if (fit->pairs > 0) {
            inlay_json_put(out, "{ class %s pairs %d latency %g per_byte %g bandwidth %g",
                           inlay_pair_class_name((inlay_pair_class)c), fit->pairs, fit->latency, fit->per_byte,
                           inlay_fit_bandwidth(fit));
            put_step(out, fit);
            inlay_json_put(out, "residual %g largest_error %g spread %g largest_spread %g pair_spread %g }",
                           fit->residual, fit->largest, fit->spread, fit->largest_spread, fit->pair_spread);
        }
    }
    inlay_json_array_end(out);
}

static void put_overheads(inlay_json *out, const inlay_machine_fit *a)
{
    const inlay_overhead_figures *o = &a->overheads;
    if (o->send == NULL) {
        inlay_json_put(out, "overheads null");
        return;
    }
    inlay_json_put(out, "overheads { class %s by_size [", inlay_pair_class_name(a->pair_class));
    for (int s = 0; s < a->of->sizes; s++) {
        const bool waits = s >= o->waits;
        inlay_json_put(out, "{ size %" PRIi64 " send %g receive %g waits %hhd }", a->of->size[s], o->send[s],
                       o->receive[s], waits);
    }
    inlay_json_put(out, "] rest [");
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        if (a->fit[c].pairs > 0) {
            inlay_json_put(out, "{ class %s latency %g per_byte %g residual %g }",
                           inlay_pair_class_name((inlay_pair_class)c), a->rest[c].latency, a->rest[c].per_byte,
                           a->rest[c].residual);
        }
    }
    inlay_json_put(out, "] }");
}

static void put_rings(inlay_json *out, const inlay_machine_fit *a)
{
    inlay_json_array(out, "rings");
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        const inlay_ring_fit *ring = &a->ring[c];
        if (ring->ranks > 0) {
            inlay_json_put(out, "{ class %s ranks %d residuals { switch %g half_duplex %g bus %g } spread %g kind %s }",
                           inlay_pair_class_name((inlay_pair_class)c), ring->ranks, ring->residual[INLAY_MEDIUM_SWITCH],
                           ring->residual[INLAY_MEDIUM_HALF_DUPLEX], ring->residual[INLAY_MEDIUM_BUS], ring->spread,
                           inlay_medium_name(ring->kind));
        }
    }
    inlay_json_array_end(out);
}

static void put_machine(inlay_json *out, const inlay_machine_fit *a)
{
    const inlay_ring_fit *top = &a->ring[a->pair_class];
    put_hosts(out, a);
    put_ranks(out, a);
    inlay_json_array(out, "sizes");
    for (int s = 0; s < a->of->sizes; s++) {
        inlay_json_integer(out, NULL, a->of->size[s]);
    }
    inlay_json_put(out, "] sampled %hhd", a->of->sampled);
    put_fits(out, a);
    put_overheads(out, a);
    put_rings(out, a);
    inlay_json_string(out, "kind", top->ranks > 0 ? inlay_medium_name(top->kind) : NULL);
}

/* ---- Patterns: --topology ---- */

static void put_growth(inlay_json *out, const inlay_growth_fit *fit, inlay_growth growth)
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
            put_growth(out, &pattern->fit[i], inlay_growth_order[i]);
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
    inlay_json_put(out, "] processors %d rate %g interconnect %s patterns [", cluster->of->ranks, cluster->rate,
                   inlay_interconnect_name(cluster->interconnect));
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        if (cluster->pattern[p].points > 0) {
            put_pattern(out, inlay_pattern_name((inlay_pattern)p), &cluster->pattern[p]);
        }
    }
    inlay_json_put(out, "] }");
}

static void put_topology(inlay_json *out, const inlay_metasystem_fit *t)
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

/* ---- Processors and the ring: --hosts ---- */

static void put_processors(inlay_json *out, const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->of;
    inlay_json_array(out, "processors");
    for (int i = 0; i < r->ranks; i++) {
        const inlay_advisor_rank *own = &a->rank[i];
        inlay_json_put(out, "{ processor %d host %s measured %g spread %g rate %g }", i, r->host[r->host_of[i]].name,
                       r->advisor.operations / own->seconds.median, own->seconds.spread, own->rate);
    }
    inlay_json_array_end(out);
}

static void put_steps(inlay_json *out, const inlay_advisor_fit *a)
{
    const inlay_raw *r = a->of;
    inlay_json_array(out, "steps");
    for (int s = 0; s < r->sizes; s++) {
        const inlay_advisor_step *step = &a->step[s];
        inlay_json_put(out, "{ bytes %" PRId64 " median %g spread %g fitted %g }", r->size[s], step->seconds.median,
                       step->seconds.spread, step->fitted);
    }
    inlay_json_array_end(out);
}

static void put_network(inlay_json *out, const inlay_advisor_fit *a)
{
    if (a->step == NULL) {
        inlay_json_null(out, "network");
        return;
    }
    inlay_json_put(out, "network { kind %s latency %g per_byte %g residual %g largest_error %g shared %g",
                   inlay_medium_name(a->kind), a->latency, a->per_byte, a->residual, a->largest, a->shared);
    put_steps(out, a);
    inlay_json_object_end(out);
}

/* ---- The whole ---- */

static int put_members(inlay_json *out, const void *of)
{
    const inlay_fitted *all = of;
    const inlay_raw *r = all->of;
    /* the measurement's own version and date tell more than those of a later fit, so that they have members too */
    inlay_json_put(out, "measured_by %s date %s mpi %s compiler %s launched %s others %g", r->inlay, r->date, r->mpi,
                   r->compiler, r->launched, r->others < 0 ? (double)NAN : r->others);
    if (r->advisor.given) {
        inlay_json_number(out, "operations", r->advisor.operations);
        put_processors(out, &all->advisor);
        put_network(out, &all->advisor);
        return INLAY_OK;
    }
    put_machine(out, &all->machine);
    if (all->metasystem.clusters > 0) {
        put_topology(out, &all->metasystem);
    } else {
        inlay_json_put(out, "clusters null router null");
    }
    return INLAY_OK;
}

int inlay_fitted_write_json(const inlay_fitted *fitted, const inlay_result_context *context, const char *path,
                            inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, fitted, path, diag);
}

/* The JSON of what was measured. */
#include "report.h"
#include "result.h"
#include "write.h"
#include <inlay/inlay.h>

static void put_figure(result *out, const char *key, const figure *of)
{
    result_open(out, key, '{');
    result_number(out, "median", of->median);
    result_number(out, "spread", of->spread);
    result_close(out, '}');
}

static void put_kind(result *out, const char *key, const figure *alone, const figure *all)
{
    result_open(out, key, '{');
    put_figure(out, "alone", alone);
    put_figure(out, "all", all);
    result_close(out, '}');
}

static void put_hosts(result *out, const analysis *a)
{
    result_open(out, "hosts", '[');
    for (int h = 0; h < a->of->hosts; h++) {
        const raw_host *host = &a->of->host[h];
        result_open(out, NULL, '{');
        result_string(out, "name", host->name);
        result_open(out, "ranks", '[');
        for (int i = 0; i < host->ranks; i++) {
            result_integer(out, NULL, host->rank[i]);
        }
        result_close(out, ']');
        result_count(out, "memory", host->memory);
        put_kind(out, "copying", &a->host[h].alone, &a->host[h].all);
        result_close(out, '}');
    }
    result_close(out, ']');
}

static void put_ranks(result *out, const analysis *a)
{
    result_open(out, "ranks", '[');
    for (int r = 0; r < a->of->ranks; r++) {
        const rank_figures *own = &a->rank[r];
        result_open(out, NULL, '{');
        result_integer(out, "rank", r);
        result_string(out, "host", a->of->host[a->of->host_of[r]].name);
        put_kind(out, "arithmetic", &own->arithmetic_alone, &own->arithmetic_all);
        put_kind(out, "function", &own->function_alone, &own->function_all);
        result_number(out, "speed", own->speed);
        result_close(out, '}');
    }
    result_close(out, ']');
}

static void put_step(result *out, const class_fit *fit)
{
    if (fit->step.seconds > 0) {
        result_open(out, "step", '{');
        result_number(out, "size", fit->step.size);
        result_number(out, "seconds", fit->step.seconds);
        result_number(out, "latency", fit->step.latency);
        result_number(out, "per_byte", fit->step.per_byte);
        result_number(out, "residual", fit->step.residual);
        result_close(out, '}');
    } else {
        result_exact(out, "step", "null");
    }
}

static void put_fits(result *out, const analysis *a)
{
    result_open(out, "fits", '[');
    for (int c = 0; c < CLASSES; c++) {
        const class_fit *fit = &a->fit[c];
        if (fit->pairs > 0) {
            result_open(out, NULL, '{');
            result_string(out, "class", class_name((pair_class)c));
            result_integer(out, "pairs", fit->pairs);
            result_number(out, "latency", fit->latency);
            result_number(out, "per_byte", fit->per_byte);
            result_number(out, "bandwidth", fit_bandwidth(fit));
            put_step(out, fit);
            result_number(out, "residual", fit->residual);
            result_number(out, "largest_error", fit->largest);
            result_number(out, "spread", fit->spread);
            result_number(out, "largest_spread", fit->largest_spread);
            result_number(out, "pair_spread", fit->pair_spread);
            result_close(out, '}');
        }
    }
    result_close(out, ']');
}

static void put_rings(result *out, const analysis *a)
{
    result_open(out, "rings", '[');
    for (int c = 0; c < CLASSES; c++) {
        const ring_fit *ring = &a->ring[c];
        if (ring->ranks > 0) {
            result_open(out, NULL, '{');
            result_string(out, "class", class_name((pair_class)c));
            result_integer(out, "ranks", ring->ranks);
            result_open(out, "residuals", '{');
            result_number(out, "switch", ring->residual[MEDIUM_SWITCH]);
            result_number(out, "half_duplex", ring->residual[MEDIUM_HALF_DUPLEX]);
            result_number(out, "bus", ring->residual[MEDIUM_BUS]);
            result_close(out, '}');
            result_number(out, "spread", ring->spread);
            result_string(out, "kind", medium_name(ring->kind));
            result_close(out, '}');
        }
    }
    result_close(out, ']');
}

/* The measurement's own version, date and seed tell more than those of a later fit, so that they have members too. */
void json_head(result *out, const invocation *call, const analysis *a)
{
    result_string(out, "inlay", inlay_version());
    result_string(out, "command", call->command->name);
    result_integer(out, "seed", (int64_t)call->common->seed);
    result_open(out, "warnings", '[');
    for (int i = 0; i < a->warnings; i++) {
        result_string(out, NULL, a->warning[i]);
    }
    result_close(out, ']');
    result_string(out, "measured_by", a->of->inlay);
    result_string(out, "date", a->of->date);
    result_string(out, "mpi", a->of->mpi);
    result_string(out, "compiler", a->of->compiler);
    result_string(out, "launched", a->of->launched);
}

void print_json(const invocation *call, const analysis *a, const topology *t)
{
    result out = {.to = stdout};
    result_open(&out, NULL, '{');
    json_head(&out, call, a);
    put_hosts(&out, a);
    put_ranks(&out, a);
    result_open(&out, "sizes", '[');
    for (int s = 0; s < a->of->sizes; s++) {
        result_integer(&out, NULL, a->of->size[s]);
    }
    result_close(&out, ']');
    result_bool(&out, "sampled", a->of->sampled);
    put_fits(&out, a);
    put_rings(&out, a);
    const char *kind = machine_kind(a);
    if (kind != NULL) {
        result_string(&out, "kind", kind);
    } else {
        result_exact(&out, "kind", "null");
    }
    if (t != NULL) {
        json_topology(&out, t);
    } else {
        result_exact(&out, "clusters", "null");
        result_exact(&out, "router", "null");
    }
    result_close(&out, '}');
}

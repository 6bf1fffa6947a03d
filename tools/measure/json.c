/* The JSON of what was measured. */
#include "allowed.h"
#include "answer.h"
#include "output.h"
#include "report.h"
#include "write.h"
#include <inlay/inlay.h>

static void put_figure(inlay_json *out, const char *key, const figure *of)
{
    inlay_json_object(out, key);
    inlay_json_number(out, "median", of->median);
    inlay_json_number(out, "spread", of->spread);
    inlay_json_object_end(out);
}

static void put_kind(inlay_json *out, const char *key, const figure *alone, const figure *all)
{
    inlay_json_object(out, key);
    put_figure(out, "alone", alone);
    put_figure(out, "all", all);
    inlay_json_object_end(out);
}

static void put_hosts(inlay_json *out, const analysis *a)
{
    inlay_json_array(out, "hosts");
    for (int h = 0; h < a->of->hosts; h++) {
        const raw_host *host = &a->of->host[h];
        inlay_json_object(out, NULL);
        inlay_json_string(out, "name", host->name);
        inlay_json_array(out, "ranks");
        for (int i = 0; i < host->ranks; i++) {
            inlay_json_integer(out, NULL, host->rank[i]);
        }
        inlay_json_array_end(out);
        inlay_json_count(out, "memory", host->memory);
        put_kind(out, "copying", &a->host[h].alone, &a->host[h].all);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static void put_ranks(inlay_json *out, const analysis *a)
{
    inlay_json_array(out, "ranks");
    for (int r = 0; r < a->of->ranks; r++) {
        const rank_figures *own = &a->rank[r];
        inlay_json_object(out, NULL);
        inlay_json_integer(out, "rank", r);
        inlay_json_string(out, "host", a->of->host[a->of->host_of[r]].name);
        put_kind(out, "arithmetic", &own->arithmetic_alone, &own->arithmetic_all);
        put_kind(out, "function", &own->function_alone, &own->function_all);
        inlay_json_number(out, "speed", own->speed);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
}

static void put_step(inlay_json *out, const class_fit *fit)
{
    if (fit->step.seconds > 0) {
        inlay_json_object(out, "step");
        inlay_json_number(out, "size", fit->step.size);
        inlay_json_number(out, "seconds", fit->step.seconds);
        inlay_json_number(out, "latency", fit->step.latency);
        inlay_json_number(out, "per_byte", fit->step.per_byte);
        inlay_json_number(out, "residual", fit->step.residual);
        inlay_json_object_end(out);
    } else {
        inlay_json_null(out, "step");
    }
}

static void put_fits(inlay_json *out, const analysis *a)
{
    inlay_json_array(out, "fits");
    for (int c = 0; c < CLASSES; c++) {
        const class_fit *fit = &a->fit[c];
        if (fit->pairs > 0) {
            inlay_json_object(out, NULL);
            inlay_json_string(out, "class", class_name((pair_class)c));
            inlay_json_integer(out, "pairs", fit->pairs);
            inlay_json_number(out, "latency", fit->latency);
            inlay_json_number(out, "per_byte", fit->per_byte);
            inlay_json_number(out, "bandwidth", fit_bandwidth(fit));
            put_step(out, fit);
            inlay_json_number(out, "residual", fit->residual);
            inlay_json_number(out, "largest_error", fit->largest);
            inlay_json_number(out, "spread", fit->spread);
            inlay_json_number(out, "largest_spread", fit->largest_spread);
            inlay_json_number(out, "pair_spread", fit->pair_spread);
            inlay_json_object_end(out);
        }
    }
    inlay_json_array_end(out);
}

static void put_rings(inlay_json *out, const analysis *a)
{
    inlay_json_array(out, "rings");
    for (int c = 0; c < CLASSES; c++) {
        const ring_fit *ring = &a->ring[c];
        if (ring->ranks > 0) {
            inlay_json_object(out, NULL);
            inlay_json_string(out, "class", class_name((pair_class)c));
            inlay_json_integer(out, "ranks", ring->ranks);
            inlay_json_object(out, "residuals");
            inlay_json_number(out, "switch", ring->residual[MEDIUM_SWITCH]);
            inlay_json_number(out, "half_duplex", ring->residual[MEDIUM_HALF_DUPLEX]);
            inlay_json_number(out, "bus", ring->residual[MEDIUM_BUS]);
            inlay_json_object_end(out);
            inlay_json_number(out, "spread", ring->spread);
            inlay_json_string(out, "kind", medium_name(ring->kind));
            inlay_json_object_end(out);
        }
    }
    inlay_json_array_end(out);
}

/* The measurement's own version, date and seed tell more than those of a later fit, so that they have members too. */
void json_head(inlay_json *out, const analysis *a)
{
    inlay_json_string(out, "measured_by", a->of->inlay);
    inlay_json_string(out, "date", a->of->date);
    inlay_json_string(out, "mpi", a->of->mpi);
    inlay_json_string(out, "compiler", a->of->compiler);
    inlay_json_string(out, "launched", a->of->launched);
}

int print_result(const invocation *call, const analysis *a, inlay_result_members *members, const void *of)
{
    inlay_diag *diag = new_diag();
    for (int i = 0; i < a->warnings; i++) {
        inlay_diag_add_warning(diag, a->warning[i]);
    }
    int status = diag == NULL ? INLAY_NO_MEMORY : result_write(call, members, of, "-", diag);
    (void)output_told(status, diag);
    inlay_diag_free(diag);
    return status;
}

/* What was fitted, with patterns or without. */
typedef struct fitted {
    const analysis *a;
    const topology *t;
} fitted;

static int put_members(inlay_json *out, const void *of)
{
    const analysis *a = ((const fitted *)of)->a;
    const topology *t = ((const fitted *)of)->t;
    json_head(out, a);
    put_hosts(out, a);
    put_ranks(out, a);
    inlay_json_array(out, "sizes");
    for (int s = 0; s < a->of->sizes; s++) {
        inlay_json_integer(out, NULL, a->of->size[s]);
    }
    inlay_json_array_end(out);
    inlay_json_bool(out, "sampled", a->of->sampled);
    put_fits(out, a);
    put_rings(out, a);
    const char *kind = machine_kind(a);
    inlay_json_string(out, "kind", kind);
    if (t != NULL) {
        json_topology(out, t);
    } else {
        inlay_json_null(out, "clusters");
        inlay_json_null(out, "router");
    }
    return INLAY_OK;
}

void print_json(const invocation *call, const analysis *a, const topology *t)
{
    (void)print_result(call, a, put_members, &(fitted){a, t});
}

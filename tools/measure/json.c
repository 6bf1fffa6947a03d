/* The JSON of what was measured. */
#include "allowed.h"
#include "answer.h"
#include "output.h"
#include "report.h"
#include "write.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

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
    inlay_json_put(out, "overheads { class %s by_size [", inlay_pair_class_name(analysis_class(a)));
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

/* The measurement's own version, date and seed tell more than those of a later fit, so that they have members too. */
void json_head(inlay_json *out, const inlay_machine_fit *a)
{
    const inlay_raw *r = a->of;
    inlay_json_put(out, "measured_by %s date %s mpi %s compiler %s launched %s others %g", r->inlay, r->date, r->mpi,
                   r->compiler, r->launched, r->others < 0 ? NAN : r->others);
}

int print_result(const invocation *call, const inlay_machine_fit *a, inlay_result_members *members, const void *of)
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
    const inlay_machine_fit *a;
    const inlay_metasystem_fit *t;
} fitted;

static int put_members(inlay_json *out, const void *of)
{
    const inlay_machine_fit *a = ((const fitted *)of)->a;
    const inlay_metasystem_fit *t = ((const fitted *)of)->t;
    json_head(out, a);
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
    const char *kind = machine_kind(a);
    inlay_json_string(out, "kind", kind);
    if (t != NULL) {
        json_topology(out, t);
    } else {
        inlay_json_put(out, "clusters null router null");
    }
    return INLAY_OK;
}

void print_json(const invocation *call, const inlay_machine_fit *a, const inlay_metasystem_fit *t)
{
    (void)print_result(call, a, put_members, &(fitted){a, t});
}

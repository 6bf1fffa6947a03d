/* The firings of some iterations as an application. */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "graph/sdf.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct unfolding {
    const inlay_sdf *sdf;
    int32_t iterations;
    inlay_app_builder *builder;
    inlay_diag *diag;
} unfolding;

static inlay_duration duration_of(const unfolding *u, inlay_decimal time)
{
    return (inlay_duration){time, u->sdf->unit};
}

/* ---- Modules: of each iteration all firings, by actor ---- */

static int add_firing(const unfolding *u, const sdf_actor *actor, int64_t number)
{
    char stack[256];
    char *name = stack;
    int size = snprintf(stack, sizeof stack, "%s#%" PRId64, actor->name, number);
    if ((size_t)size >= sizeof stack) {
        name = memory_array((size_t)size + 1, 1);
        if (name == NULL) {
            return diag_no_memory(u->diag);
        }
        snprintf(name, (size_t)size + 1, "%s#%" PRId64, actor->name, number);
    }
    bool alone = actor->repetitions == 1 && u->iterations == 1;
    inlay_module module = {.name = alone ? actor->name : name,
                           .time = duration_of(u, u->sdf->time[actor->time + (size_t)(number % actor->phases)]),
                           .pinned = actor->pin >= 0,
                           .pin = actor->pin,
                           .kind = actor->name};
    int status = inlay_app_add_module(u->builder, &module, u->diag);
    if (name != stack) {
        free(name);
    }
    return status;
}

static int add_firings(const unfolding *u)
{
    int status = INLAY_OK;
    for (int32_t i = 0; i < u->iterations; i++) {
        for (size_t a = 0; a < u->sdf->actors; a++) {
            const sdf_actor *actor = &u->sdf->actor[a];
            for (int64_t f = 0; status == INLAY_OK && f < actor->repetitions; f++) {
                status = add_firing(u, actor, i * actor->repetitions + f);
            }
        }
    }
    return status;
}

static int add_type_times(const unfolding *u)
{
    int status = INLAY_OK;
    for (size_t t = 0; t < u->sdf->type_time_count; t++) {
        const sdf_type_times *of = &u->sdf->type_times[t];
        const sdf_actor *actor = &u->sdf->actor[of->actor];
        for (int64_t f = 0; status == INLAY_OK && f < actor->repetitions * u->iterations; f++) {
            int64_t iteration = f / actor->repetitions, within = f % actor->repetitions;
            inlay_decimal time = u->sdf->time[of->time + (size_t)(f % actor->phases)];
            inlay_id module = (inlay_id)(iteration * u->sdf->firings + actor->first_firing + within);
            status = of->never ? inlay_app_forbid_type(u->builder, module, of->type, u->diag)
                               : inlay_app_add_type_time(u->builder, module, of->type, duration_of(u, time), u->diag);
        }
    }
    return status;
}

/* ---- Links ---- */

static int64_t rate_of(const unfolding *u, const sdf_channel *channel, int32_t firing)
{
    const sdf_actor *from = &u->sdf->actor[channel->given.from];
    return u->sdf->rate[channel->produced + (size_t)((firing - from->first_firing) % from->phases)];
}

static int add_link(const unfolding *u, const sdf_link *link)
{
    const sdf_channel *channel = &u->sdf->channel[link->channel];
    int64_t bits, bytes;
    if (__builtin_mul_overflow(link->tokens, channel->given.token_bits, &bits)) {
        return diag_fail(u->diag, INLAY_OVERFLOW, "the tokens of channel '%s' pass 2^63 bits; expected fewer",
                         channel->given.name);
    }
    bytes = bits / 8 + (bits % 8 > 0);
    const char *data = rate_of(u, channel, link->from) == link->tokens ? channel->given.data : NULL;
    int status = INLAY_OK;
    for (int64_t i = link->iterations; status == INLAY_OK && i < u->iterations; i++) {
        inlay_id from = (inlay_id)((i - link->iterations) * u->sdf->firings + link->from);
        inlay_id to = (inlay_id)(i * u->sdf->firings + link->to);
        status = data != NULL ? inlay_app_add_data_link(u->builder, from, to, data, 1, bytes, u->diag)
                              : inlay_app_add_link(u->builder, from, to, 1, bytes, 0, u->diag);
    }
    return status;
}

static int add_links(const unfolding *u)
{
    sdf_link *links = NULL;
    size_t count = 0;
    int status = sdf_links_make(u->sdf, u->sdf->name, &links, &count, u->diag);
    for (size_t l = 0; status == INLAY_OK && l < count; l++) {
        status = add_link(u, &links[l]);
    }
    free(links);
    return status;
}

int inlay_sdf_app(inlay_sdf *sdf, int32_t iterations, inlay_app **app, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (iterations < 1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d iterations; expected one or more", iterations);
    }
    if (sdf->firings > SDF_FIRINGS / iterations) {
        return diag_fail(diag, INLAY_OVERFLOW,
                         "%d iterations of '%s' have %" PRId64 " firings; expected at most %d, which are %d iterations",
                         iterations, sdf->name, (int64_t)iterations * sdf->firings, SDF_FIRINGS,
                         SDF_FIRINGS / sdf->firings);
    }
    unfolding u = {sdf, iterations, inlay_app_builder_new(sdf->name, sdf->unit), diag};
    inlay_app *made = NULL;
    int status = u.builder == NULL ? diag_no_memory(diag) : add_firings(&u);
    status = status == INLAY_OK ? add_type_times(&u) : status;
    status = status == INLAY_OK ? add_links(&u) : status;
    status = status == INLAY_OK ? inlay_app_build(u.builder, &made, diag) : status;
    inlay_app_builder_free(u.builder);
    if (status == INLAY_OK) {
        made->sdf = sdf_keep(sdf);
        made->iterations = iterations;
        *app = made;
    }
    return status;
}

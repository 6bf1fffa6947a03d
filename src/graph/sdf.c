/* Dataflow graphs: what they are made of, and what they answer. */
#include "graph/sdf.h"
#include "base/diag.h"
#include "base/memory.h"
#include "graph/app.h"
#include "graph/names.h"
#include <stdlib.h>
#include <string.h>

static const int64_t most_tokens = INT64_C(1) << 40;

inlay_sdf *inlay_sdf_new(const char *name, inlay_unit unit)
{
    inlay_sdf *sdf = memory_zeroed(1, sizeof *sdf);
    if (sdf == NULL) {
        return NULL;
    }
    sdf->users = 1;
    sdf->unit = unit == INLAY_UNIT_NONE ? INLAY_UNIT_S : unit;
    sdf->name = name_store_keep(&sdf->names, name);
    if (sdf->name == NULL) {
        inlay_sdf_free(sdf);
        return NULL;
    }
    return sdf;
}

inlay_sdf *sdf_keep(inlay_sdf *sdf)
{
    __atomic_fetch_add(&sdf->users, 1, __ATOMIC_RELAXED);
    return sdf;
}

void inlay_sdf_free(inlay_sdf *sdf)
{
    if (sdf == NULL || __atomic_sub_fetch(&sdf->users, 1, __ATOMIC_ACQ_REL) > 0) {
        return;
    }
    name_store_free(sdf->names);
    free(sdf->actor);
    free(sdf->time);
    free(sdf->type_times);
    free(sdf->channel);
    free(sdf->rate);
    free((void *)sdf->period.actor);
    free(sdf);
}

/* ---- Building ---- */

/* So many times, 0 each; false when out of memory. */
static bool add_times(inlay_sdf *sdf, int32_t count, size_t *at)
{
    if (!memory_grow((void **)&sdf->time, &sdf->time_capacity, sdf->times + (size_t)count, sizeof *sdf->time)) {
        return false;
    }
    *at = sdf->times;
    memset(sdf->time + sdf->times, 0, (size_t)count * sizeof *sdf->time);
    sdf->times += (size_t)count;
    return true;
}

int inlay_sdf_add_actor(inlay_sdf *sdf, const char *name, int32_t phases, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (*name == '\0' || phases < 1 || sdf->actors == INT32_MAX) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "actor '%s' with %d phases; expected a name, and one or more", name,
                         phases);
    }
    sdf_actor made = {.name = name_store_keep(&sdf->names, name), .phases = phases, .pin = -1};
    if (made.name == NULL || !add_times(sdf, phases, &made.time) ||
        !memory_grow((void **)&sdf->actor, &sdf->actor_capacity, sdf->actors + 1, sizeof *sdf->actor)) {
        return diag_no_memory(diag);
    }
    sdf->actor[sdf->actors++] = made;
    return INLAY_OK;
}

/* More than firings and their links could be: what many phases and many lists of one number would become. */
static int check_room(size_t used, int32_t more, inlay_diag *diag)
{
    return used + (size_t)more <= SDF_LINKS
               ? INLAY_OK
               : diag_fail(diag, INLAY_OVERFLOW, "more than %d rates or times of phases; expected at most so many",
                           SDF_LINKS);
}

static int set_type_times(inlay_sdf *sdf, inlay_id actor, const char *type, size_t *at, inlay_diag *diag)
{
    int status = check_room(sdf->times, sdf->actor[actor].phases, diag);
    if (status != INLAY_OK) {
        return status;
    }
    sdf_type_times made = {.actor = actor, .type = name_store_keep(&sdf->names, type)};
    if (made.type == NULL || !add_times(sdf, sdf->actor[actor].phases, &made.time) ||
        !memory_grow((void **)&sdf->type_times, &sdf->type_time_capacity, sdf->type_time_count + 1,
                     sizeof *sdf->type_times)) {
        return diag_no_memory(diag);
    }
    *at = made.time;
    sdf->type_times[sdf->type_time_count++] = made;
    return INLAY_OK;
}

int inlay_sdf_set_times(inlay_sdf *sdf, inlay_id actor, const char *type, const inlay_decimal *time, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int32_t phases = sdf->actor[actor].phases;
    for (int32_t i = 0; i < phases; i++) {
        if (time[i].digits < 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "a time below 0 of actor '%s'; expected 0 or more",
                             sdf->actor[actor].name);
        }
    }
    size_t at = sdf->actor[actor].time;
    int status = type != NULL ? set_type_times(sdf, actor, type, &at, diag) : INLAY_OK;
    if (status == INLAY_OK) {
        memcpy(sdf->time + at, time, (size_t)phases * sizeof *time);
    }
    return status;
}

int inlay_sdf_forbid_type(inlay_sdf *sdf, inlay_id actor, const char *type, inlay_diag *diag)
{
    DIAG_CALL(diag);
    size_t unused;
    int status = set_type_times(sdf, actor, type, &unused, diag);
    if (status == INLAY_OK) {
        sdf->type_times[sdf->type_time_count - 1].never = true;
    }
    return status;
}

int inlay_sdf_pin(inlay_sdf *sdf, inlay_id actor, inlay_id processor, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (processor < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "processor %d for actor '%s'; expected one from 0 on", processor,
                         sdf->actor[actor].name);
    }
    sdf->actor[actor].pin = processor;
    return INLAY_OK;
}

/* Adds rates, and their sum to *sum; false when out of memory. */
static bool add_rates(inlay_sdf *sdf, const int64_t *rate, int32_t count, size_t *at)
{
    if (!memory_grow((void **)&sdf->rate, &sdf->rate_capacity, sdf->rates + (size_t)count, sizeof *sdf->rate)) {
        return false;
    }
    *at = sdf->rates;
    memcpy(sdf->rate + sdf->rates, rate, (size_t)count * sizeof *rate);
    sdf->rates += (size_t)count;
    return true;
}

/* The sum of rates; -1 where one is below 0 or too large. */
static int64_t sum_of(const int64_t *rate, int32_t count)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum = sum < 0 || rate[i] < 0 || rate[i] > most_tokens || sum > most_tokens ? -1 : sum + rate[i];
    }
    return sum;
}

static bool is_actor(const inlay_sdf *sdf, inlay_id actor)
{
    return actor >= 0 && (size_t)actor < sdf->actors;
}

int inlay_sdf_add_channel(inlay_sdf *sdf, const inlay_sdf_channel *channel, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (!is_actor(sdf, channel->from) || !is_actor(sdf, channel->to) || sdf->channels == INT32_MAX) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "channel '%s' between actors that are not there; expected 0 to %zu",
                         channel->name, sdf->actors - 1);
    }
    int32_t from_phases = sdf->actor[channel->from].phases, to_phases = sdf->actor[channel->to].phases;
    sdf_channel made = {.given = *channel,
                        .put = sum_of(channel->produced, from_phases),
                        .taken = sum_of(channel->consumed, to_phases)};
    bool small = channel->tokens >= 0 && channel->tokens <= most_tokens && channel->token_bits >= 0;
    if (made.put < 0 || made.taken < 0 || !small) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "channel '%s' with rates, tokens or bits below 0 or above 2^40; expected 0 to 2^40",
                         channel->name);
    }
    int status = check_room(sdf->rates, from_phases + to_phases, diag);
    if (status != INLAY_OK) {
        return status;
    }
    made.given.name = name_store_keep(&sdf->names, channel->name);
    made.given.data = channel->data != NULL ? name_store_keep(&sdf->names, channel->data) : NULL;
    if (made.given.name == NULL || (channel->data != NULL && made.given.data == NULL) ||
        !add_rates(sdf, channel->produced, from_phases, &made.produced) ||
        !add_rates(sdf, channel->consumed, to_phases, &made.consumed) ||
        !memory_grow((void **)&sdf->channel, &sdf->channel_capacity, sdf->channels + 1, sizeof *sdf->channel)) {
        return diag_no_memory(diag);
    }
    sdf->channel[sdf->channels++] = made;
    return INLAY_OK;
}

void inlay_sdf_require(inlay_sdf *sdf, double throughput)
{
    sdf->required = throughput;
}

/* ---- What it answers ---- */

const char *inlay_sdf_name(const inlay_sdf *sdf)
{
    return sdf->name;
}

inlay_unit inlay_sdf_unit(const inlay_sdf *sdf)
{
    return sdf->unit;
}

inlay_id inlay_sdf_actors(const inlay_sdf *sdf)
{
    return (inlay_id)sdf->actors;
}

const char *inlay_sdf_actor_name(const inlay_sdf *sdf, inlay_id actor)
{
    return sdf->actor[actor].name;
}

int32_t inlay_sdf_phases(const inlay_sdf *sdf, inlay_id actor)
{
    return sdf->actor[actor].phases;
}

inlay_decimal inlay_sdf_time(const inlay_sdf *sdf, inlay_id actor, int32_t phase)
{
    return sdf->time[sdf->actor[actor].time + (size_t)phase];
}

int64_t inlay_sdf_repetitions(const inlay_sdf *sdf, inlay_id actor)
{
    return sdf->actor[actor].repetitions;
}

int64_t inlay_sdf_firings(const inlay_sdf *sdf)
{
    return sdf->firings;
}

int64_t inlay_sdf_channels(const inlay_sdf *sdf)
{
    return (int64_t)sdf->channels;
}

inlay_sdf_channel inlay_sdf_channel_at(const inlay_sdf *sdf, int64_t channel)
{
    inlay_sdf_channel at = sdf->channel[channel].given;
    at.produced = sdf->rate + sdf->channel[channel].produced;
    at.consumed = sdf->rate + sdf->channel[channel].consumed;
    return at;
}

double inlay_sdf_required(const inlay_sdf *sdf)
{
    return sdf->required;
}

inlay_sdf_period inlay_sdf_least_period(const inlay_sdf *sdf)
{
    return sdf->period;
}

const inlay_sdf *inlay_app_sdf(const inlay_app *app)
{
    return app->sdf;
}

int32_t inlay_app_iterations(const inlay_app *app)
{
    return app->iterations;
}

/* From a mapping to what its synthetic program is made of. */
#include "synth/job.h"
#include "base/diag.h"
#include "base/memory.h"
#include "synth/places.h"
#include <math.h>
#include <stdlib.h>

void synth_job_clear(synth_job *job)
{
    free(job->cluster);
    free(job->rank_cluster);
    sent_clear(&job->sent);
    synth_places_clear(job);
    *job = (synth_job){0};
}

/* ---- Messages ---- */

static job_messages shared_out(int64_t messages, int64_t bytes)
{
    return (job_messages){messages, bytes % messages, bytes / messages};
}

/* The bytes of so many messages; beyond what a program can have, where there are more than that. */
static int64_t in_a_row(int64_t messages, int64_t size)
{
    int64_t bytes;
    return __builtin_mul_overflow(messages, size, &bytes) || bytes >= INT64_MAX ? INT64_MAX - 1 : bytes;
}

/* A link with precedence sends something always: ranks have no other way to wait for each other. */
static job_messages messages_of(const synth_job *job, int64_t messages, int64_t bytes, bool waits)
{
    bool in_pieces = job->cut > 0 && bytes > 0;
    int64_t count = in_pieces ? (bytes - 1) / job->cut + 1 : messages;
    if (count == 0) {
        bool alone = job->in_bytes && bytes > 0;
        return (job_messages){alone || waits, 0, alone ? bytes : 0};
    }
    if (job->options.model_sizes) {
        return (job_messages){1, 0, job->in_bytes ? bytes : in_a_row(count, job->options.message_size)};
    }
    return bytes == 0 ? (job_messages){count, 0, job->options.message_size} : shared_out(count, bytes);
}

job_messages synth_job_messages(const synth_job *job, int64_t item)
{
    const inlay_app *app = job->app;
    if (item >= job->crew) {
        return (job_messages){1, 0, 0};
    }
    if (item >= job->sent.entries) {
        int64_t use = item - job->sent.entries;
        return messages_of(job, app->use_messages[use], app->use_bytes[use], false);
    }
    sent_entry e = sent_at(&job->sent, item);
    bool waits = (app->out_flags[e.link] & INLAY_LINK_TRAFFIC_ONLY) == 0;
    return messages_of(job, e.messages, e.bytes, waits);
}

/* ---- Options ---- */

static int check_options(const inlay_synth_options *o, inlay_diag *diag)
{
    if ((unsigned)o->work > INLAY_SYNTH_TIMES) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "work is %d; expected 0 to %d", (int)o->work, INLAY_SYNTH_TIMES);
    }
    if (!(o->tick_seconds >= 0) || isinf(o->tick_seconds)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a tick is %g s; expected a time, or 0", o->tick_seconds);
    }
    if (o->message_size < 0 || o->message_size > INT64_C(1) << SYNTH_DIGITS) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a message has %lld bytes; expected 0 to 2^%d",
                         (long long)o->message_size, SYNTH_DIGITS);
    }
    return INLAY_OK;
}

/* Zeros are the defaults. */
static inlay_synth_options complete_options(const inlay_synth_options *options, const inlay_mapping *mapping)
{
    enum { PLAIN_MESSAGE = 8 };
    inlay_synth_options o = *options;
    int64_t size = inlay_machine_message_size(mapping->machine);
    o.message_size = o.message_size > 0 ? o.message_size : size > 0 ? size : PLAIN_MESSAGE;
    bool in_ticks = inlay_app_unit(mapping->app) == INLAY_UNIT_TICK;
    o.tick_seconds = !in_ticks ? 0 : o.tick_seconds > 0 ? o.tick_seconds : mapping->summary.options.tick_seconds;
    return o;
}

/* ---- Ranks ---- */

static void take_clusters(synth_job *job)
{
    int64_t place = 0;
    for (inlay_id c = 0; c < job->clusters; c++) {
        inlay_cluster_info info = inlay_mapping_cluster(job->mapping, c);
        inlay_processor what = inlay_machine_processor(job->mapping->machine, info.processor);
        job->cluster[c] = (job_cluster){.processor = info.processor,
                                        .modules = info.modules,
                                        .module = info.module,
                                        .type_time = app_times_on(job->app, what.type),
                                        .speed = what.speed,
                                        .place = place};
        place += info.modules + 1;
    }
    const int64_t *guest_begin = job->mapping->guest_begin;
    job->places = place;
    job->crew = job->sent.entries + (job->app->blocks > 0 ? job->app->use_begin[job->app->blocks] : 0);
    job->guests = guest_begin == NULL ? 0 : guest_begin[job->app->modules];
}

/* A rank for every processor, numbered as it is. */
static void number_all(synth_job *job)
{
    for (inlay_id k = 0; k < job->ranks; k++) {
        job->rank_cluster[k] = -1;
    }
    for (inlay_id c = 0; c < job->clusters; c++) {
        job->cluster[c].rank = job->cluster[c].processor;
        job->rank_cluster[job->cluster[c].rank] = c;
    }
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A rank for every cluster, in the order of their processors: a machine may have many more of these. */
static int number_used(synth_job *job)
{
    uint64_t *key = memory_array((size_t)job->clusters, sizeof *key);
    if (key == NULL) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id c = 0; c < job->clusters; c++) {
        key[c] = (uint64_t)job->cluster[c].processor << 32 | (uint32_t)c;
    }
    qsort(key, (size_t)job->clusters, sizeof *key, compare_keys);
    for (inlay_id rank = 0; rank < job->ranks; rank++) {
        inlay_id c = (inlay_id)(key[rank] & UINT32_MAX);
        job->cluster[c].rank = rank;
        job->rank_cluster[rank] = c;
    }
    free(key);
    return INLAY_OK;
}

static int number_ranks(synth_job *job, inlay_diag *diag)
{
    bool all = job->options.all_processors;
    int status = INLAY_OK;
    job->ranks = all ? inlay_machine_processors(job->mapping->machine) : job->clusters;
    job->rank_cluster = memory_array((size_t)job->ranks, sizeof *job->rank_cluster);
    if (job->rank_cluster == NULL) {
        return diag_no_memory(diag);
    }
    if (all) {
        number_all(job);
    } else {
        status = number_used(job);
    }
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

/* ---- Orders ---- */

typedef struct order_check {
    int64_t *pending;   /* links and guests that a module still waits for */
    inlay_id *at;       /* how many of a cluster's modules have run */
    inlay_id *runnable; /* clusters that may go on, of which there are `runnables` */
    inlay_id runnables;
} order_check;

static bool order_check_make(const synth_job *job, order_check *w)
{
    const int64_t *in_begin = job->app->in_begin;
    *w = (order_check){.pending = memory_array((size_t)job->app->modules, sizeof *w->pending),
                       .at = memory_zeroed((size_t)job->clusters, sizeof *w->at),
                       .runnable = memory_array((size_t)job->clusters, sizeof *w->runnable)};
    if (w->pending == NULL || w->at == NULL || w->runnable == NULL) {
        return false;
    }
    for (inlay_id i = 0; i < job->app->modules; i++) {
        int64_t guests;
        (void)inlay_mapping_guest_of(job->mapping, i, &guests);
        w->pending[i] = in_begin[i + 1] - in_begin[i] + guests;
    }
    for (inlay_id c = 0; c < job->clusters; c++) {
        const job_cluster *own = &job->cluster[c];
        bool guest = own->modules > 0 && job->mapping->cluster_of[own->module[0]] != c;
        if (guest || (own->modules > 0 && w->pending[own->module[0]] == 0)) {
            w->runnable[w->runnables++] = c;
        }
    }
    return true;
}

/* A module waits for one thing less; its cluster may go on, which is not the one at hand. */
static void wait_less(const synth_job *job, order_check *w, inlay_id module, inlay_id at_hand)
{
    inlay_id c = job->mapping->cluster_of[module];
    if (--w->pending[module] == 0 && c != at_hand && job->cluster[c].module[w->at[c]] == module) {
        w->runnable[w->runnables++] = c;
    }
}

/* A module has run: of those that waited for it, some cluster's next one may wait for nothing more. */
static void satisfy(const synth_job *job, order_check *w, inlay_id module)
{
    const inlay_app *app = job->app;
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1]; l++) {
        if ((app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) == 0) {
            wait_less(job, w, app->out_to[l], job->mapping->cluster_of[module]);
        }
    }
    int64_t guests;
    const inlay_id *guest = inlay_mapping_guest_of(job->mapping, module, &guests);
    for (int64_t g = 0; g < guests; g++) {
        w->at[guest[g]]++;
        w->runnable[w->runnables++] = guest[g];
    }
}

static void run_cluster(const synth_job *job, order_check *w, inlay_id c)
{
    const job_cluster *own = &job->cluster[c];
    while (w->at[c] < own->modules && w->pending[own->module[w->at[c]]] == 0) {
        inlay_id module = own->module[w->at[c]++];
        satisfy(job, w, module);
    }
    if (w->at[c] < own->modules && job->mapping->cluster_of[own->module[w->at[c]]] != c) { /* a guest is free */
        wait_less(job, w, own->module[w->at[c]], c);
    }
}

int synth_job_check_order(const synth_job *job, inlay_diag *diag)
{
    order_check w;
    int status = order_check_make(job, &w) ? INLAY_OK : diag_no_memory(diag);
    while (status == INLAY_OK && w.runnables > 0) {
        run_cluster(job, &w, w.runnable[--w.runnables]);
    }
    for (inlay_id c = 0; c < job->clusters && status == INLAY_OK; c++) {
        const job_cluster *own = &job->cluster[c];
        if (w.at[c] < own->modules) {
            status = diag_fail(diag, INLAY_NO_ANSWER,
                               "module '%s' waits for one that comes after it in the order of its processor, or of "
                               "another that waits too",
                               inlay_app_module_name(job->app, own->module[w.at[c]]));
        }
    }
    free(w.pending);
    free(w.at);
    free(w.runnable);
    return status;
}

/* ---- The whole ---- */

static int make_parts(synth_job *job, inlay_diag *diag)
{
    const inlay_mapping *mapping = job->mapping;
    job->cluster = memory_array((size_t)job->clusters, sizeof *job->cluster);
    if (job->cluster == NULL || sent_make(job->app, mapping->machine, mapping->summary.options.copies,
                                          mapping->cluster_of, job->clusters, NULL, &job->sent) != INLAY_OK) {
        return diag_no_memory(diag);
    }
    take_clusters(job);
    int status = number_ranks(job, diag);
    return status == INLAY_OK ? synth_places_make(job, diag) : status;
}

int synth_job_make(const inlay_mapping *mapping, const inlay_synth_options *options, synth_job *job, inlay_diag *diag)
{
    static const inlay_synth_options defaults = {0};
    options = options == NULL ? &defaults : options;
    int status = check_options(options, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const inlay_summary *summary = inlay_mapping_summary(mapping);
    inlay_unit unit = inlay_app_unit(mapping->app);
    synth_job j = {.mapping = mapping,
                   .app = mapping->app,
                   .options = complete_options(options, mapping),
                   .streamed = summary->streamed,
                   .traffic_only = mapping->app->links > mapping->app->precedence_links,
                   .in_bytes = summary->traffic_in_bytes,
                   .cut = summary->traffic_in_bytes ? 0 : inlay_machine_message_size(mapping->machine),
                   .clusters = summary->clusters};
    j.seconds = unit == INLAY_UNIT_TICK ? j.options.tick_seconds : inlay_unit_seconds(unit);
    status = make_parts(&j, diag);
    if (status != INLAY_OK) {
        synth_job_clear(&j);
        return status;
    }
    *job = j;
    return INLAY_OK;
}

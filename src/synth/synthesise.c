/* From a mapping to the tables of its synthetic program. */
#include "base/diag.h"
#include "base/memory.h"
#include "synth/tables.h"
#include <stdlib.h>

void inlay_synth_free(inlay_synth *synth)
{
    if (synth != NULL) {
        free(synth->work);
        free(synth->kind);
        free(synth->loop);
        free(synth->entry);
        free(synth->sequence_begin);
        free(synth->rank_sequence);
        free(synth->rank_cluster);
        free(synth);
    }
}

/* ---- What it says ---- */

const inlay_mapping *inlay_synth_mapping(const inlay_synth *synth)
{
    return synth->mapping;
}

const inlay_synth_summary *inlay_synth_result(const inlay_synth *synth)
{
    return &synth->summary;
}

inlay_id inlay_synth_cluster(const inlay_synth *synth, inlay_id rank)
{
    return synth->rank_cluster[rank];
}

/* Ranks whose processor is not used are there only where every processor has the rank of its number. */
inlay_id inlay_synth_processor(const inlay_synth *synth, inlay_id rank)
{
    inlay_id cluster = synth->rank_cluster[rank];
    return cluster < 0 ? rank : inlay_mapping_cluster(synth->mapping, cluster).processor;
}

/* ---- Making it ---- */

/* What is needed on the way. */
typedef struct maker {
    synth_job job;
    synth_lanes lanes;
    folder folder;
    numberer numberer;
    intern sequences;
} maker;

static void maker_clear(maker *m)
{
    synth_job_clear(&m->job);
    synth_lanes_clear(&m->lanes);
    folder_clear(&m->folder);
    numberer_clear(&m->numberer);
    intern_clear(&m->sequences);
}

static int fold_rank(maker *m, inlay_synth *synth, inlay_id rank)
{
    inlay_id cluster = m->job.rank_cluster[rank];
    numberer *n = &m->numberer;
    n->symbols = 0;
    int status = cluster < 0 ? INLAY_OK : numberer_rank(n, cluster);
    if (status == INLAY_OK) {
        status = folder_fold(&m->folder, n->symbol, &n->symbols);
    }
    if (status != INLAY_OK) {
        return status;
    }
    synth->rank_cluster[rank] = cluster;
    synth->rank_sequence[rank] = intern_put(&m->sequences, n->symbol, n->symbols);
    return synth->rank_sequence[rank] < 0 ? INLAY_NO_MEMORY : INLAY_OK;
}

static int fold_ranks(maker *m, inlay_synth *synth)
{
    size_t ranks = (size_t)m->job.ranks;
    synth->rank_sequence = memory_array(ranks, sizeof *synth->rank_sequence);
    synth->rank_cluster = memory_array(ranks, sizeof *synth->rank_cluster);
    int status = synth->rank_sequence != NULL && synth->rank_cluster != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    for (inlay_id rank = 0; rank < m->job.ranks && status == INLAY_OK; rank++) {
        status = fold_rank(m, synth, rank);
    }
    return status;
}

/* INLAY_NO_MEMORY and INLAY_OVERFLOW in words. */
static int explain(int status, inlay_diag *diag)
{
    if (status == INLAY_OVERFLOW) {
        diag_fail(diag, status,
                  "operations, bytes or steps of the synthetic program pass 2^%d; expected smaller counts, or fewer "
                  "messages",
                  SYNTH_DIGITS);
    }
    return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
}

static int check_length(const maker *m, inlay_diag *diag)
{
    if (!m->numberer.no_length) {
        return INLAY_OK;
    }
    diag_remedy(diag, "--tick", "1ms");
    return diag_fail(diag, INLAY_BAD_ARGUMENT,
                     "times of %s are in ticks, whose length is not known; expected the length of a tick",
                     inlay_app_name(m->job.app));
}

static int make_tables(maker *m, inlay_synth *synth, inlay_diag *diag)
{
    m->numberer = (numberer){.job = &m->job, .lanes = &m->lanes, .folder = &m->folder};
    int status = fold_ranks(m, synth);
    if (status != INLAY_OK) {
        return explain(status, diag);
    }
    status = check_length(m, diag);
    if (status != INLAY_OK) {
        return status;
    }
    synth->summary = m->numberer.sum;
    synth->summary.ranks = m->job.ranks;
    synth->summary.modules = m->job.app->modules;
    synth->summary.tick_seconds = m->job.options.tick_seconds;
    return explain(synth_lay_out(&m->numberer, &m->sequences, synth), diag);
}

static int make(maker *m, const inlay_synth_options *options, inlay_synth *synth, inlay_diag *diag)
{
    int status = synth_job_make(synth->mapping, options, &m->job, diag);
    if (status == INLAY_OK) {
        status = synth_job_check_order(&m->job, diag);
    }
    if (status == INLAY_OK) {
        status = synth_lanes_find(&m->job, &m->lanes, diag);
    }
    return status == INLAY_OK ? make_tables(m, synth, diag) : status;
}

int inlay_synthesise(const inlay_mapping *mapping, const inlay_synth_options *options, inlay_synth **synth,
                     inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (mapping == NULL || synth == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a synthetic program is that of a mapping");
    }
    bool copies = inlay_app_data(mapping->app) > 0 && mapping->summary.options.copies == INLAY_COPIES_ONCE;
    if (copies && inlay_machine_broadcasts_in_trees(mapping->machine)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "a synthetic program passes no data on; expected a mapping on a machine with broadcast=each");
    }
    inlay_synth *s = memory_zeroed(1, sizeof *s);
    if (s == NULL) {
        return diag_no_memory(diag);
    }
    maker m = {0};
    s->mapping = mapping;
    int status = make(&m, options, s, diag);
    maker_clear(&m);
    if (status != INLAY_OK) {
        inlay_synth_free(s);
        return status;
    }
    *synth = s;
    return INLAY_OK;
}

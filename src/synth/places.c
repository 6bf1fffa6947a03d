/*
 * Traffic-only links are accepted, and data blocks sent, before the first module of a processor that starts late enough by
 * the estimate.
 */
#include "synth/places.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

static void rows_clear(job_rows *rows)
{
    free(rows->begin);
    free(rows->item);
    free(rows->peer);
    *rows = (job_rows){0};
}

void synth_places_clear(synth_job *job)
{
    rows_clear(&job->accepts);
    rows_clear(&job->sends);
    rows_clear(&job->reads);
    free(job->due);
    job->due = NULL;
}

/* ---- Times ---- */

/* Of every place the latest start up to there, in the application's unit: no less than at the place before. */
static double *latest_starts(const synth_job *job)
{
    double *latest = memory_array((size_t)job->app->modules + (size_t)job->clusters, sizeof *latest);
    for (inlay_id c = 0; latest != NULL && c < job->clusters; c++) {
        const job_cluster *own = &job->cluster[c];
        for (inlay_id k = 0; k < own->modules; k++) {
            double start = inlay_mapping_start(job->mapping, own->module[k]), before = latest[own->place + k - (k > 0)];
            latest[own->place + k] = k > 0 && before > start ? before : start;
        }
    }
    return latest;
}

/* The place of the first module of a cluster that starts then or later; else of its end. */
static int64_t place_from(const synth_job *job, const double *latest, inlay_id cluster, double time)
{
    int64_t low = job->cluster[cluster].place, high = low + job->cluster[cluster].modules;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (latest[middle] >= time) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static double end_of(const synth_job *job, inlay_id module)
{
    const job_cluster *own = &job->cluster[job->mapping->cluster_of[module]];
    inlay_time m = synth_job_time(own, job->app, module);
    return inlay_mapping_start(job->mapping, module) + inlay_app_in_units(job->app, m) / own->speed;
}

/* ---- Rows: counted, then put ---- */

typedef struct row_maker {
    const synth_job *job;
    const double *latest;
    job_rows *rows;
} row_maker;

static void put(const row_maker *w, int64_t row, int64_t item, inlay_id peer)
{
    if (w->rows->item == NULL) {
        w->rows->begin[row + 1]++;
    } else {
        int64_t at = w->rows->begin[row]++;
        w->rows->item[at] = item;
        w->rows->peer[at] = peer;
    }
}

static void each_accept(const row_maker *w)
{
    const inlay_app *app = w->job->app;
    const inlay_id *cluster_of = w->job->mapping->cluster_of;
    for (inlay_id i = 0; i < app->modules; i++) {
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            inlay_id there = cluster_of[app->out_to[l]];
            if ((app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) != 0 && there != cluster_of[i] &&
                synth_job_messages(w->job, l).messages > 0) {
                put(w, place_from(w->job, w->latest, there, end_of(w->job, i)), l, cluster_of[i]);
            }
        }
    }
}

/* Uses of blocks that live elsewhere, by who sends them or, with `by_reader`, by who reads them. */
static void each_use(const row_maker *w, bool by_reader)
{
    const inlay_app *app = w->job->app;
    const inlay_mapping *mapping = w->job->mapping;
    for (inlay_id d = 0; d < app->blocks; d++) {
        inlay_id home = mapping->home[d];
        for (int64_t u = app->use_begin[d]; u < app->use_begin[d + 1]; u++) {
            inlay_id reader = app->use_module[u], there = mapping->cluster_of[reader];
            int64_t item = app->links + u;
            if (home == there || synth_job_messages(w->job, item).messages == 0) {
                continue;
            }
            if (by_reader) {
                put(w, reader, item, home);
            } else {
                put(w, place_from(w->job, w->latest, home, inlay_mapping_start(mapping, reader)), item, there);
            }
        }
    }
}

static void each_send(const row_maker *w)
{
    each_use(w, false);
}

static void each_read(const row_maker *w)
{
    each_use(w, true);
}

static int make_rows(const row_maker *w, void (*each)(const row_maker *), size_t count)
{
    job_rows *rows = w->rows;
    rows->begin = memory_zeroed(count + 1, sizeof *rows->begin);
    if (rows->begin == NULL) {
        return INLAY_NO_MEMORY;
    }
    each(w);
    for (size_t k = 0; k < count; k++) {
        rows->begin[k + 1] += rows->begin[k];
    }
    rows->item = memory_array((size_t)rows->begin[count], sizeof *rows->item);
    rows->peer = memory_array((size_t)rows->begin[count], sizeof *rows->peer);
    if (rows->item == NULL || rows->peer == NULL) {
        return INLAY_NO_MEMORY;
    }
    each(w);
    memmove(rows->begin + 1, rows->begin, count * sizeof *rows->begin); /* each stands at the next one's begin */
    rows->begin[0] = 0;
    return INLAY_OK;
}

static int64_t longest_row(const inlay_app *app)
{
    int64_t longest = 0;
    for (inlay_id i = 0; i < app->modules; i++) {
        int64_t count = app->out_begin[i + 1] - app->out_begin[i];
        longest = count > longest ? count : longest;
    }
    return longest;
}

int synth_places_make(synth_job *job, inlay_diag *diag)
{
    size_t modules = (size_t)job->app->modules, places = modules + (size_t)job->clusters;
    double *latest = latest_starts(job);
    job->due = memory_array((size_t)longest_row(job->app), sizeof *job->due);
    int status = latest != NULL && job->due != NULL ? INLAY_OK : INLAY_NO_MEMORY;
    if (status == INLAY_OK) {
        status = make_rows(&(row_maker){job, latest, &job->accepts}, each_accept, places);
    }
    if (status == INLAY_OK) {
        status = make_rows(&(row_maker){job, latest, &job->sends}, each_send, places);
    }
    if (status == INLAY_OK) {
        status = make_rows(&(row_maker){job, latest, &job->reads}, each_read, modules);
    }
    free(latest);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

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
    rows_clear(&job->receives);
    rows_clear(&job->links);
    rows_clear(&job->late);
    rows_clear(&job->accepts);
    rows_clear(&job->sends);
    rows_clear(&job->reads);
    free(job->due);
    job->due = NULL;
}

/* ---- Times ---- */

/* What is known of places while rows are made. */
typedef struct place_facts {
    int64_t *of;    /* of every module */
    double *latest; /* of every place the latest start up to there, in the application's unit */
} place_facts;

static void take_places(const synth_job *job, place_facts *facts)
{
    for (inlay_id c = 0; c < job->clusters; c++) {
        const job_cluster *own = &job->cluster[c];
        for (inlay_id k = 0; k < own->modules; k++) {
            int64_t place = own->place + k;
            double start = inlay_mapping_start(job->mapping, own->module[k]);
            if (job->mapping->cluster_of[own->module[k]] == c) {
                facts->of[own->module[k]] = place;
            }
            facts->latest[place] = k > 0 && facts->latest[place - 1] > start ? facts->latest[place - 1] : start;
        }
    }
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
    const place_facts *facts;
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

/* What an entry is put down as. */
typedef void (*put_link)(const row_maker *w, inlay_id from, int64_t entry);

/* A link that says nothing of its own beside data: their copies are waited for, and where none streams that will do. */
static bool only_data(const synth_job *job, int64_t entry)
{
    bool data = job->sent.before != NULL && !sent_is_copy(&job->sent, entry);
    return data && !job->streamed && job->app->own_messages[sent_link(&job->sent, entry)] < 0;
}

/* What goes between processors, with precedence or without; of the latter what sends something. */
static void each_link(const row_maker *w, bool traffic_only, put_link take)
{
    const inlay_app *app = w->job->app;
    const sendings *sent = &w->job->sent;
    const inlay_id *cluster_of = w->job->mapping->cluster_of;
    for (inlay_id i = 0; i < app->modules; i++) {
        for (int64_t e = sent->begin[i]; e < sent->begin[i + 1]; e++) {
            bool is_asked = ((app->out_flags[sent_link(sent, e)] & INLAY_LINK_TRAFFIC_ONLY) != 0) == traffic_only;
            if (is_asked && cluster_of[sent_to(sent, e)] != cluster_of[i] && !(only_data(w->job, e) && !traffic_only) &&
                (!traffic_only || synth_job_messages(w->job, e).messages > 0)) {
                take(w, i, e);
            }
        }
    }
}

static void put_at_source(const row_maker *w, inlay_id from, int64_t entry)
{
    put(w, w->facts->of[from], entry, w->job->mapping->cluster_of[sent_to(&w->job->sent, entry)]);
}

/* A copy is received before the first module there that awaits it. */
static void put_at_target(const row_maker *w, inlay_id from, int64_t entry)
{
    const sendings *sent = &w->job->sent;
    sent_entry e = sent_at(sent, entry);
    int64_t place = w->facts->of[e.to];
    sent_links links = e.copy != NULL ? sent_awaiting(sent, e.copy) : (sent_links){0};
    for (int64_t k = 0; k < links.count; k++) {
        int64_t other = w->facts->of[sent->app->out_to[links.link[k]]];
        place = other < place ? other : place;
    }
    put(w, place, entry, w->job->mapping->cluster_of[from]);
}

static void put_after_end(const row_maker *w, inlay_id from, int64_t entry)
{
    const inlay_id *cluster_of = w->job->mapping->cluster_of;
    inlay_id there = cluster_of[sent_to(&w->job->sent, entry)];
    put(w, place_from(w->job, w->facts->latest, there, end_of(w->job, from)), entry, cluster_of[from]);
}

static void each_receive(const row_maker *w)
{
    each_link(w, false, put_at_target);
}

static void each_precedence(const row_maker *w)
{
    each_link(w, false, put_at_source);
}

static void each_late(const row_maker *w)
{
    each_link(w, true, put_at_source);
}

static void each_accept(const row_maker *w)
{
    each_link(w, true, put_after_end);
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
            int64_t item = w->job->sent.entries + u;
            if (home == there || synth_job_messages(w->job, item).messages == 0) {
                continue;
            }
            if (by_reader) {
                put(w, w->facts->of[reader], item, home);
            } else {
                put(w, place_from(w->job, w->facts->latest, home, inlay_mapping_start(mapping, reader)), item, there);
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

static int make_rows(const row_maker *w, void (*each)(const row_maker *))
{
    size_t count = (size_t)w->job->places;
    job_rows *rows = w->rows;
    rows->begin = memory_zeroed(count + 1, sizeof *rows->begin);
    if (rows->begin == NULL) {
        return INLAY_NO_MEMORY;
    }
    each(w);
    for (size_t k = 0; k < count; k++) {
        rows->begin[k + 1] += rows->begin[k];
    }
    if (rows->begin[count] == 0) {
        rows_clear(rows);
        return INLAY_OK;
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

static int64_t longest_row(const synth_job *job)
{
    int64_t longest = 0;
    for (inlay_id i = 0; i < job->app->modules; i++) {
        int64_t count = job->sent.begin[i + 1] - job->sent.begin[i];
        longest = count > longest ? count : longest;
    }
    return longest;
}

static int make_all(synth_job *job, const place_facts *facts)
{
    const struct {
        job_rows *rows;
        void (*each)(const row_maker *);
        bool asked;
    } rows[] = {{&job->receives, each_receive, true},           {&job->links, each_precedence, true},
                {&job->late, each_late, job->traffic_only},     {&job->accepts, each_accept, job->traffic_only},
                {&job->sends, each_send, job->app->blocks > 0}, {&job->reads, each_read, job->app->blocks > 0}};
    int status = INLAY_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == INLAY_OK; k++) {
        if (rows[k].asked) {
            status = make_rows(&(row_maker){job, facts, rows[k].rows}, rows[k].each);
        }
    }
    return status;
}

int synth_places_make(synth_job *job, inlay_diag *diag)
{
    size_t modules = (size_t)job->app->modules, places = (size_t)job->places;
    place_facts facts = {memory_array(modules, sizeof *facts.of), memory_array(places, sizeof *facts.latest)};
    job->due = memory_array((size_t)longest_row(job), sizeof *job->due);
    int status = INLAY_NO_MEMORY;
    if (facts.of != NULL && facts.latest != NULL && job->due != NULL) {
        take_places(job, &facts);
        status = make_all(job, &facts);
    }
    free(facts.of);
    free(facts.latest);
    return status == INLAY_OK ? INLAY_OK : diag_no_memory(diag);
}

/* The steps of a rank, module after module. */
#include "synth/steps.h"
#include "synth/places.h"
#include <stdlib.h>

/* Whose steps they are, and who takes them. */
typedef struct walk {
    const synth_job *job;
    inlay_id cluster;
    take_step take;
    void *context;
} walk;

static int message(const walk *w, inlay_synth_kind kind, inlay_id peer, int64_t item)
{
    return w->take(w->context, &(raw_step){.kind = kind, .peer = peer, .item = item});
}

static int work(const walk *w, inlay_id module, inlay_time from, inlay_time to)
{
    const raw_step step = {INLAY_SYNTH_DO, -1, 0, module, from, to};
    return w->take(w->context, &step);
}

static int each_of_row(const walk *w, inlay_synth_kind kind, const job_rows *rows, int64_t row)
{
    int status = INLAY_OK;
    for (int64_t k = rows->begin[row]; k < rows->begin[row + 1] && status == INLAY_OK; k++) {
        status = message(w, kind, rows->peer[k], rows->item[k]);
    }
    return status;
}

/* ---- Before a module ---- */

/* What its place has: sends of data blocks that live here, then messages that are accepted. */
static int at_place(const walk *w, int64_t place)
{
    int status = each_of_row(w, INLAY_SYNTH_SEND, &w->job->sends, place);
    return status == INLAY_OK ? each_of_row(w, INLAY_SYNTH_ACCEPT, &w->job->accepts, place) : status;
}

static int receives(const walk *w, inlay_id module)
{
    const synth_job *j = w->job;
    int status = INLAY_OK;
    for (int64_t k = j->app->in_begin[module]; k < j->app->in_begin[module + 1] && status == INLAY_OK; k++) {
        inlay_id from = j->mapping->cluster_of[j->app->in_from[k]];
        if (from != w->cluster) {
            status = message(w, INLAY_SYNTH_RECEIVE, from, j->in_link[k]);
        }
    }
    return status == INLAY_OK ? each_of_row(w, INLAY_SYNTH_ACCEPT, &j->reads, module) : status;
}

/* ---- Work and sends ---- */

static int send_link(const walk *w, int64_t link)
{
    return message(w, INLAY_SYNTH_SEND, w->job->mapping->cluster_of[w->job->app->out_to[link]], link);
}

static int send_links(const walk *w, inlay_id module, bool traffic_only)
{
    const inlay_app *app = w->job->app;
    int status = INLAY_OK;
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1] && status == INLAY_OK; l++) {
        inlay_id to = w->job->mapping->cluster_of[app->out_to[l]];
        bool asked = ((app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) != 0) == traffic_only;
        if (asked && to != w->cluster && synth_job_messages(w->job, l).messages > 0) {
            status = send_link(w, l);
        }
    }
    return status;
}

static int compare_due(const void *a, const void *b)
{
    const job_due *x = a, *y = b;
    return x->due != y->due ? (x->due > y->due) - (x->due < y->due) : (x->item > y->item) - (x->item < y->item);
}

/* The links of a module with precedence to other ranks, by when they are due; how many there are. */
static size_t collect_due(const walk *w, inlay_id module, inlay_time m)
{
    const inlay_app *app = w->job->app;
    job_due *row = w->job->due;
    size_t count = 0;
    for (int64_t l = app->out_begin[module]; l < app->out_begin[module + 1]; l++) {
        inlay_id to = app->out_to[l];
        if (w->job->mapping->cluster_of[to] != w->cluster && (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY) == 0) {
            inlay_time wait = inlay_app_blocking(app, to) - inlay_app_blocking(app, module);
            wait = wait > 0 ? wait : 0;
            row[count++] = (job_due){wait < m ? wait : m, l};
        }
    }
    if (count > 1) {
        qsort(row, count, sizeof *row, compare_due);
    }
    return count;
}

/* Work is cut where links become due. Those that are due at its end stand behind it, also where it takes no time. */
static int streamed_work(const walk *w, inlay_id module)
{
    const job_due *row = w->job->due;
    inlay_time m = synth_job_time(&w->job->cluster[w->cluster], w->job->app, module), done = 0;
    size_t count = collect_due(w, module, m), k = 0;
    int status = INLAY_OK;
    for (; k < count && row[k].due < m && status == INLAY_OK; k++) {
        if (row[k].due > done) {
            status = work(w, module, done, row[k].due);
            done = row[k].due;
        }
        if (status == INLAY_OK) {
            status = send_link(w, row[k].item);
        }
    }
    if (status == INLAY_OK) {
        status = work(w, module, done, m);
    }
    for (; k < count && status == INLAY_OK; k++) {
        status = send_link(w, row[k].item);
    }
    return status;
}

static int whole_work(const walk *w, inlay_id module)
{
    inlay_time m = synth_job_time(&w->job->cluster[w->cluster], w->job->app, module);
    int status = work(w, module, 0, m);
    return status == INLAY_OK ? send_links(w, module, false) : status;
}

/* ---- The whole ---- */

static int module_steps(const walk *w, inlay_id module)
{
    int status = receives(w, module);
    if (status == INLAY_OK) {
        status = w->job->streamed ? streamed_work(w, module) : whole_work(w, module);
    }
    return status == INLAY_OK ? send_links(w, module, true) : status;
}

int synth_each_step(const synth_job *job, inlay_id cluster, take_step take, void *context)
{
    const walk w = {job, cluster, take, context};
    const job_cluster *own = &job->cluster[cluster];
    int status = INLAY_OK;
    for (inlay_id k = 0; k < own->modules && status == INLAY_OK; k++) {
        status = at_place(&w, own->place + k);
        if (status == INLAY_OK) {
            status = module_steps(&w, own->module[k]);
        }
    }
    return status == INLAY_OK ? at_place(&w, own->place + own->modules) : status;
}

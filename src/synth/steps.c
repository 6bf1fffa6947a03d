/* The steps of a rank, module after module. */
#include "synth/steps.h"
#include "synth/places.h"
#include <stdlib.h>

/* Whose steps they are, and who takes them. */
typedef struct walk {
    const synth_job *job;
    inlay_id cluster;
    step_sides sides;
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
    int64_t end = rows->begin == NULL ? 0 : rows->begin[row + 1];
    for (int64_t k = rows->begin == NULL ? 0 : rows->begin[row]; k < end && status == INLAY_OK; k++) {
        status = message(w, kind, rows->peer[k], rows->item[k]);
    }
    return status;
}

/* ---- Work and sends ---- */

static int compare_due(const void *a, const void *b)
{
    const job_due *x = a, *y = b;
    return x->due != y->due ? (x->due > y->due) - (x->due < y->due) : (x->item > y->item) - (x->item < y->item);
}

/* From the start of a module that takes m until an entry of it is due; a copy is with the first of its links. */
static inlay_time due_of(const synth_job *job, inlay_id module, int64_t entry, inlay_time m)
{
    const sendings *s = &job->sent;
    sent_entry e = sent_at(s, entry);
    sent_links links = e.copy != NULL ? sent_awaiting(s, e.copy) : (sent_links){&e.link, 1};
    inlay_time due = m, b = inlay_app_blocking(job->app, module);
    for (int64_t k = 0; k < links.count; k++) {
        inlay_time wait = inlay_app_blocking(job->app, job->app->out_to[links.link[k]]) - b;
        due = wait < due ? wait : due;
    }
    return due > 0 ? due : 0;
}

/* What a module sends with precedence to other ranks, by when it is due; how much there is. */
static size_t collect_due(const walk *w, int64_t place, inlay_id module, inlay_time m)
{
    const job_rows *links = &w->job->links;
    job_due *row = w->job->due;
    size_t count = 0;
    int64_t end = links->begin == NULL ? 0 : links->begin[place + 1];
    for (int64_t k = links->begin == NULL ? 0 : links->begin[place]; k < end; k++) {
        row[count++] = (job_due){due_of(w->job, module, links->item[k], m), links->item[k], links->peer[k]};
    }
    if (count > 1) {
        qsort(row, count, sizeof *row, compare_due);
    }
    return count;
}

static int send_due(const walk *w, const job_due *due)
{
    return message(w, INLAY_SYNTH_SEND, due->peer, due->item);
}

/* Work is cut where links become due. Those that are due at its end stand behind it, also where it takes no time. */
static int streamed_work(const walk *w, int64_t place, inlay_id module)
{
    const job_due *row = w->job->due;
    inlay_time m = synth_job_time(&w->job->cluster[w->cluster], w->job->app, module), done = 0;
    size_t count = collect_due(w, place, module, m), k = 0;
    int status = INLAY_OK;
    for (; k < count && row[k].due < m && status == INLAY_OK; k++) {
        if (row[k].due > done) {
            status = work(w, module, done, row[k].due);
            done = row[k].due;
        }
        if (status == INLAY_OK) {
            status = send_due(w, &row[k]);
        }
    }
    if (status == INLAY_OK) {
        status = work(w, module, done, m);
    }
    for (; k < count && status == INLAY_OK; k++) {
        status = send_due(w, &row[k]);
    }
    return status;
}

static int whole_work(const walk *w, int64_t place, inlay_id module)
{
    int status = work(w, module, 0, synth_job_time(&w->job->cluster[w->cluster], w->job->app, module));
    return status == INLAY_OK ? each_of_row(w, INLAY_SYNTH_SEND, &w->job->links, place) : status;
}

/* ---- Modules of several cores ---- */

/* Of all guests of a module: that they are free, or that it begins. */
static int crew(const walk *w, inlay_synth_kind kind, inlay_id module, int which)
{
    const int64_t *begin = w->job->mapping->guest_begin;
    int status = INLAY_OK;
    for (int64_t g = begin == NULL ? 0 : begin[module]; begin && g < begin[module + 1] && status == INLAY_OK; g++) {
        status = message(w, kind, w->job->mapping->guest[g], w->job->crew + 2 * g + which);
    }
    return status;
}

enum { FREE, BEGINS };

/* What a guest does. */
static int steps_of_guest(const walk *w, inlay_id module)
{
    const inlay_mapping *mapping = w->job->mapping;
    inlay_id with = mapping->cluster_of[module];
    int64_t g = mapping->guest_begin[module];
    int status = INLAY_OK;
    while (mapping->guest[g] != w->cluster) {
        g++;
    }
    if ((w->sides & STEPS_OUT) != 0) {
        status = message(w, INLAY_SYNTH_SEND, with, w->job->crew + 2 * g + FREE);
    }
    if ((w->sides & STEPS_IN) != 0 && status == INLAY_OK) {
        status = message(w, INLAY_SYNTH_RECEIVE, with, w->job->crew + 2 * g + BEGINS);
    }
    if ((w->sides & STEPS_OUT) != 0 && status == INLAY_OK) {
        status = work(w, module, 0, synth_job_time(&w->job->cluster[w->cluster], w->job->app, module));
    }
    return status;
}

/* ---- The whole ---- */

static int steps_out(const walk *w, int64_t place, inlay_id module)
{
    int status = crew(w, INLAY_SYNTH_SEND, module, BEGINS);
    if (status == INLAY_OK) {
        status = w->job->streamed ? streamed_work(w, place, module) : whole_work(w, place, module);
    }
    return status == INLAY_OK ? each_of_row(w, INLAY_SYNTH_SEND, &w->job->late, place) : status;
}

static int steps_in(const walk *w, int64_t place, inlay_id module)
{
    int status = each_of_row(w, INLAY_SYNTH_RECEIVE, &w->job->receives, place);
    status = status == INLAY_OK ? crew(w, INLAY_SYNTH_RECEIVE, module, FREE) : status;
    return status == INLAY_OK ? each_of_row(w, INLAY_SYNTH_ACCEPT, &w->job->reads, place) : status;
}

/* What stands before a module, or at the end: sends of data blocks that live here, then messages that are accepted. */
static int steps_between(const walk *w, int64_t place)
{
    int status = INLAY_OK;
    if ((w->sides & STEPS_OUT) != 0) {
        status = each_of_row(w, INLAY_SYNTH_SEND, &w->job->sends, place);
    }
    if ((w->sides & STEPS_IN) != 0 && status == INLAY_OK) {
        status = each_of_row(w, INLAY_SYNTH_ACCEPT, &w->job->accepts, place);
    }
    return status;
}

int synth_each_step(const synth_job *job, inlay_id cluster, step_sides sides, take_step take, void *context)
{
    const walk w = {job, cluster, sides, take, context};
    const job_cluster *own = &job->cluster[cluster];
    int status = INLAY_OK;
    for (inlay_id k = 0; k < own->modules && status == INLAY_OK; k++) {
        status = steps_between(&w, own->place + k);
        if (job->mapping->cluster_of[own->module[k]] != cluster) {
            status = status == INLAY_OK ? steps_of_guest(&w, own->module[k]) : status;
            continue;
        }
        if ((sides & STEPS_IN) != 0 && status == INLAY_OK) {
            status = steps_in(&w, own->place + k, own->module[k]);
        }
        if ((sides & STEPS_OUT) != 0 && status == INLAY_OK) {
            status = steps_out(&w, own->place + k, own->module[k]);
        }
    }
    return status == INLAY_OK ? steps_between(&w, own->place + own->modules) : status;
}

/* The logs of an OpenMP program become stretches and links. */
#include "base/diag.h"
#include "base/memory.h"
#include "capture/openmp_log.h"
#include "capture/openmp_tasks.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which process ---- */

/* Of the logs those of the process with the most records; how many others have any. */
static void largest_process(const logs *all, size_t *first, size_t *count, int64_t *others)
{
    size_t most = 0;
    *first = *count = 0;
    *others = -1;
    for (size_t from = 0, to; from < all->count; from = to) {
        size_t records = 0;
        for (to = from; to < all->count && all->log[to].process == all->log[from].process; to++) {
            records += all->log[to].count;
        }
        ++*others;
        if (records > most) {
            most = records;
            *first = from;
            *count = to - from;
        }
    }
}

/* ---- The grain ---- */

/* A tenth of the mean time that a thread was in an explicit task before something was recorded of it, in ns. */
static int64_t usual_grain(const one_log *log, size_t threads, size_t room, bool *is_explicit)
{
    int64_t sum = 0, tasks = 0;
    for (size_t i = 0; i < threads; i++) {
        for (size_t j = 0; j < log[i].count; j++) {
            const log_record *r = &log[i].records[j];
            if (r->kind == OMP_CREATE && r->a < room) {
                is_explicit[r->a] = true;
                tasks++;
            }
        }
    }
    for (size_t i = 0; i < threads; i++) {
        for (size_t j = 0; j + 1 < log[i].count; j++) {
            const log_record *r = &log[i].records[j];
            sum += r->kind == OMP_SCHEDULE && r->a < room && is_explicit[r->a] ? (int64_t)(r[1].time - r->time) : 0;
        }
    }
    enum { WITHOUT_TASKS = 1000 /* ns */ };
    return tasks > 0 ? sum / tasks / 10 : WITHOUT_TASKS;
}

static int choose_grain(unfolding *t, const one_log *log, size_t threads, double grain)
{
    enum { NS = 1000000000 };
    if (grain >= 0) {
        t->grain = grain < (double)INT64_MAX / NS ? (int64_t)(grain * NS) : INT64_MAX;
        return INLAY_OK;
    }
    bool *is_explicit = memory_zeroed(t->task_room, sizeof *is_explicit);
    if (is_explicit == NULL) {
        return diag_no_memory(t->diag);
    }
    t->grain = usual_grain(log, threads, t->task_room, is_explicit);
    free(is_explicit);
    return INLAY_OK;
}

/* ---- All records, by time ---- */

static int replay_all(unfolding *t, const one_log *log, size_t threads, size_t *at, inlay_capture_facts *facts)
{
    int64_t begin = -1, now = 0;
    for (;;) {
        size_t next = threads;
        for (size_t i = 0; i < threads; i++) {
            if (at[i] < log[i].count &&
                (next == threads || log[i].records[at[i]].time < log[next].records[at[next]].time)) {
                next = i;
            }
        }
        if (next == threads) {
            break;
        }
        const log_record *r = &log[next].records[at[next]++];
        int status = INLAY_BAD_INPUT;
        if (r->time <= INT64_MAX && (int64_t)r->time >= now) {
            now = (int64_t)r->time;
            begin = begin < 0 ? now : begin;
            status = unfold_step(t, next, r);
        }
        if (status != INLAY_OK) {
            return status == INLAY_BAD_INPUT
                       ? diag_fail(t->diag, status,
                                   "the log of thread %ld of process %ld is damaged at its record %zu: it does not "
                                   "follow from what was before it",
                                   log[next].thread, log[next].process, at[next])
                       : status;
        }
    }
    facts->elapsed = 1e-9 * (double)(now - (begin < 0 ? 0 : begin));
    return unfold_end(t, now);
}

/* ---- The scheduler's time ---- */

/* Of all tasks: from when each could begin, its thread having nothing else to do, to when it did. In seconds. */
static double scheduling_time(const unfolding *t, const dependences *d)
{
    double sum = 0;
    size_t at = 0;
    for (int32_t i = 1; i < (int32_t)t->task_room; i++) {
        const one_task *task = &t->tasks[i];
        int64_t since = task->created > task->free ? task->created : task->free;
        for (; at < d->count && d->list[at].to <= i; at++) {
            int64_t end = t->tasks[d->list[at].from].ended_at;
            since = d->list[at].to == i && end > since ? end : since;
        }
        if (!task->implicit && task->started > 0) {
            sum += task->started > since ? (double)(task->started - since) : 0;
        }
    }
    return 1e-9 * sum;
}

/* ---- Links ---- */

/* Of each task the first that depends on it; 0: none. */
static int32_t *first_followers(const unfolding *t, const dependences *d)
{
    int32_t *first = memory_zeroed(t->task_room, sizeof *first);
    for (size_t i = 0; first != NULL && i < d->count; i++) {
        int32_t *of = &first[d->list[i].from];
        *of = *of == 0 || d->list[i].to < *of ? d->list[i].to : *of;
    }
    return first;
}

/* Both ends are stretches, and the earlier one ended before the other began, which ids tell. */
static int add_link(unfolding *t, inlay_id from, inlay_id to, int64_t bytes, int64_t datum, int64_t *lost)
{
    if (from < 0 || to < 0 || from >= to) {
        ++*lost;
        return INLAY_OK;
    }
    return trace_link_add(t->to, (trace_link){.from = from, .to = to, .bytes = bytes, .datum = datum}, t->diag);
}

static int add_links(unfolding *t, const dependences *d, const int32_t *follower, int64_t bytes, int64_t *lost)
{
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < t->edge_count; i++) {
        const one_edge *e = &t->edges[i];
        if (e->from >= 0) {
            status = add_link(t, e->from, e->to, -1, -1, lost);
        } else if (follower[~e->from] == 0 || follower[~e->from] >= e->before) {
            status = add_link(t, t->tasks[~e->from].last, e->to, -1, -1, lost);
        }
    }
    for (size_t i = 0; status == INLAY_OK && i < d->count; i++) {
        const dependence *one = &d->list[i];
        bool carries = bytes > 0 && one->datum >= 0;
        status = add_link(t, t->tasks[one->from].last, t->tasks[one->to].first, carries ? bytes : -1,
                          carries ? one->datum : -1, lost);
    }
    return status;
}

/* ---- Tasks alone ---- */

static int by_end(const void *a, const void *b)
{
    const trace_link *x = a, *y = b;
    int order = (x->to > y->to) - (x->to < y->to);
    return order != 0 ? order : (x->from > y->from) - (x->from < y->from);
}

/*
 * Leave out what threads did before the first task that something stands behind, and after the last one: stretches that are
 * no tasks' and have none before them, or none behind them.
 */
static int keep_tasks(unfolding *t)
{
    trace *to = t->to;
    enum { TASK_BEFORE = 1, TASK_BEHIND = 2 };
    uint8_t *has = memory_zeroed(to->count, 1);
    inlay_id *number = memory_array(to->count, sizeof *number);
    if (has == NULL || number == NULL) {
        free(has);
        free(number);
        return diag_no_memory(t->diag);
    }
    for (size_t i = 0; i < to->count; i++) {
        has[i] = to->stretches[i].task ? TASK_BEFORE | TASK_BEHIND : 0;
    }
    /* ids are a topological order */
    if (to->link_count > 0) {
        qsort(to->links, to->link_count, sizeof *to->links, by_end);
    }
    for (size_t i = 0; i < to->link_count; i++) {
        has[to->links[i].to] |= has[to->links[i].from] & TASK_BEFORE;
    }
    for (size_t i = to->link_count; i-- > 0;) {
        has[to->links[i].from] |= has[to->links[i].to] & TASK_BEHIND;
    }
    size_t kept = 0;
    for (size_t i = 0; i < to->count; i++) {
        number[i] = has[i] == (TASK_BEFORE | TASK_BEHIND) ? (inlay_id)kept : -1;
        to->stretches[kept] = to->stretches[i];
        kept += number[i] >= 0;
    }
    to->count = kept;
    kept = 0;
    for (size_t i = 0; i < to->link_count; i++) {
        trace_link l = to->links[i];
        if (number[l.from] >= 0 && number[l.to] >= 0) {
            l.from = number[l.from];
            l.to = number[l.to];
            to->links[kept++] = l;
        }
    }
    to->link_count = kept;
    free(has);
    free(number);
    return INLAY_OK;
}

/* ---- The whole ---- */

/* What a task's records cost the program, in ns: nqueens and fib of BOTS, of 0.1 us a task, took 250 and 460 longer. */
enum { RECORDING = 400 };

/* Where that is more than a twentieth of what tasks and threads did. */
static void warn_of_short_tasks(const unfolding *t, int64_t tasks)
{
    double busy = 0, recording = RECORDING * (double)tasks;
    for (size_t i = 0; i < t->to->count; i++) {
        busy += (double)t->to->stretches[i].time;
    }
    if (recording > 0.05 * busy) {
        diag_warn(t->diag,
                  "the tasks are short: recording %" PRId64
                  " of them took about %.2g s of %.2g s, and the times are so "
                  "much too long; expected tasks of 10 us and more",
                  tasks, 1e-9 * recording, 1e-9 * busy);
    }
}

static void warn(inlay_diag *diag, const dependences *d, int64_t lost, int64_t others)
{
    if (d->ordered > 0) {
        diag_warn(diag,
                  "%" PRId64 " items of depend clauses let tasks go in any order (mutexinoutset, inoutset); here they "
                  "go in that of their creation",
                  d->ordered);
    }
    if (d->ignored > 0) {
        diag_warn(diag, "%" PRId64 " dependences of loop iterations (ordered) are left out", d->ignored);
    }
    if (lost > 0) {
        diag_warn(diag, "%" PRId64 " orders of tasks are left out: the log contradicts them", lost);
    }
    if (others > 0) {
        diag_warn(diag, "%" PRId64 " more processes used OpenMP; expected one: the one with the most tasks is told",
                  others);
    }
}

static int finish(unfolding *t, const inlay_capture_options *options, int64_t others, inlay_capture_facts *facts)
{
    dependences d = {0};
    int64_t lost = 0;
    int status = dependences_find(t->items, t->item_count, &d, t->diag);
    int32_t *follower = status == INLAY_OK ? first_followers(t, &d) : NULL;
    status = status == INLAY_OK && follower == NULL ? diag_no_memory(t->diag) : status;
    status = status == INLAY_OK ? add_links(t, &d, follower, options->data_bytes, &lost) : status;
    status = status == INLAY_OK && options->tasks_only && t->to->count > 0 ? keep_tasks(t) : status;
    for (size_t i = 1; i < t->task_room; i++) {
        facts->tasks += t->tasks[i].known && !t->tasks[i].implicit;
    }
    facts->items = (int64_t)t->item_count;
    facts->dependences = d.pairs;
    facts->task_overhead = t->to->count > 0 ? scheduling_time(t, &d) / (double)t->to->count : 0;
    facts->ended = t->finished;
    if (status == INLAY_OK) {
        warn(t->diag, &d, lost, others);
        if (options->like_count == 0) {
            warn_of_short_tasks(t, facts->tasks);
        }
    }
    free(d.list);
    free(follower);
    return status;
}

static int read_openmp(const logs *all, const char *folder, const inlay_capture_options *options, trace *to,
                       inlay_capture_facts *facts, inlay_diag *diag)
{
    size_t first, count;
    int64_t others;
    largest_process(all, &first, &count, &others);
    const one_log *log = all->log + first;
    unfolding t = {.to = to, .diag = diag};
    t.places = count > 0 ? places_read(folder, OPENMP_LOG, log->process, diag) : NULL;
    if (t.places != NULL) {
        (void)places_program(t.places, to->program);
    }
    size_t *at = memory_zeroed(count, sizeof *at);
    int status = t.places != NULL && at != NULL ? INLAY_OK : diag_no_memory(diag);
    if (status == INLAY_OK) {
        status = unfold_begin(&t, log, count);
        status = status == INLAY_BAD_INPUT ? diag_fail(diag, status, "the logs name more tasks than they have records")
                                           : status;
    }
    status = status == INLAY_OK ? choose_grain(&t, log, count, options->grain) : status;
    status = status == INLAY_OK ? replay_all(&t, log, count, at, facts) : status;
    status = status == INLAY_OK ? finish(&t, options, others, facts) : status;
    facts->places = (int64_t)count;
    unfold_clear(&t);
    places_free(t.places);
    free(at);
    return status;
}

const capture_reader openmp_reader = {.name = "openmp", .recorder = OPENMP_LOG, .read = read_openmp};

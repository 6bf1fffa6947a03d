/* The rules of tasks: what begins behind what (OpenMP 5.0, chapters 2.10 and 2.17). */
#include "capture/openmp_tasks.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/openmp_log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_JOINED = INT32_MIN, NONE = -1 };

/* OMPT's numbers */
enum { FLAG_TASKWAIT = 0x10, FLAG_UNDEFERRED = 0x08000000, FLAG_FINAL = 0x20000000 };
enum { COMPLETE = 1, CANCELLED = 3, DETACHED = 4, WAIT_COMPLETE = 8 };
enum { TASKWAIT = 5, TASKGROUP = 6 };

/* ---- Room ---- */

int unfold_begin(unfolding *t, const one_log *log, size_t threads)
{
    uint64_t tasks = 0, regions = 0;
    size_t records = 0;
    for (size_t i = 0; i < threads; i++) {
        records += log[i].count;
        for (size_t j = 0; j < log[i].count; j++) {
            const log_record *r = &log[i].records[j];
            if ((r->kind == OMP_CREATE || r->kind == OMP_IMPLICIT_BEGIN) && r->a > tasks) {
                tasks = r->a;
            } else if (r->kind == OMP_PARALLEL_BEGIN && r->a > regions) {
                regions = r->a;
            }
        }
    }
    if (tasks > records || regions > records || records >= INT32_MAX) {
        return INLAY_BAD_INPUT;
    }
    t->task_room = (size_t)tasks + 1;
    t->region_room = (size_t)regions + 1;
    t->tasks = memory_zeroed(t->task_room, sizeof *t->tasks);
    t->regions = memory_zeroed(t->region_room, sizeof *t->regions);
    t->current = memory_zeroed(threads, sizeof *t->current);
    t->seen = memory_zeroed(threads, sizeof *t->seen);
    t->barrier_kind = NONE;
    return t->tasks != NULL && t->regions != NULL && t->current != NULL && t->seen != NULL ? INLAY_OK
                                                                                           : diag_no_memory(t->diag);
}

void unfold_clear(unfolding *t)
{
    free(t->tasks);
    free(t->regions);
    free(t->current);
    free(t->seen);
    free(t->nodes);
    free(t->groups);
    free(t->edges);
    free(t->items);
    free(t->kinds);
}

/* ---- Lists ---- */

static int push(unfolding *t, list *to, int32_t what, int32_t before)
{
    if (!memory_grow((void **)&t->nodes, &t->node_capacity, t->node_count + 1, sizeof *t->nodes)) {
        return diag_no_memory(t->diag);
    }
    t->nodes[t->node_count] = (node){.what = what, .before = before, .next = *to};
    *to = (list)t->node_count++;
    return INLAY_OK;
}

/* ---- Kinds ---- */

/* "solver.c:42", of a later stretch "solver.c:42>57" */
static void kind_name(unfolding *t, const one_task *task, char *name, size_t room)
{
    char made[PLACE_NAME];
    const char *what = task->awaits ? "wait@" : task->implicit ? (task->region > 0 ? "parallel@" : "main") : "";
    (void)snprintf(name, room, "%s%s", what, task->code != 0 ? places_name(t->places, task->code, made) : "");
    if (task->since != 0) {
        char since[PLACE_NAME];
        const char *colon = strrchr(places_name(t->places, task->since, since), ':');
        bool same = colon != NULL && task->code != 0 && strncmp(since, made, (size_t)(colon - since) + 1) == 0;
        size_t length = strlen(name);
        (void)snprintf(name + length, room - length, ">%s", same ? colon + 1 : since);
    }
}

/* Its number in the trace; the kind asked for goes to the front. NONE: no memory. */
static int32_t kind_of(unfolding *t, const one_task *task)
{
    for (size_t i = 0; i < t->kind_count; i++) {
        one_kind k = t->kinds[i];
        if (k.code == task->code && k.since == task->since && k.implicit == task->implicit) {
            t->kinds[i] = t->kinds[i / 2];
            t->kinds[i / 2] = k;
            return k.number;
        }
    }
    char name[3 * PLACE_NAME];
    kind_name(t, task, name, sizeof name);
    int32_t number = trace_kind(t->to, name, t->diag);
    if (number >= 0 && !memory_grow((void **)&t->kinds, &t->kind_capacity, t->kind_count + 1, sizeof *t->kinds)) {
        (void)diag_no_memory(t->diag);
        return NONE;
    }
    if (number >= 0) {
        t->kinds[t->kind_count++] = (one_kind){task->code, task->since, task->implicit, number};
    }
    return number;
}

/* ---- Stretches ---- */

static int new_stretch(unfolding *t, stretch s, list needs, int32_t *made)
{
    *made = s.kind >= 0 ? trace_add(t->to, s, t->diag) : NONE;
    if (*made < 0) {
        return INLAY_NO_MEMORY;
    }
    for (; needs >= 0; needs = t->nodes[needs].next) {
        const node *n = &t->nodes[needs];
        if (!memory_grow((void **)&t->edges, &t->edge_capacity, t->edge_count + 1, sizeof *t->edges)) {
            return diag_no_memory(t->diag);
        }
        t->edges[t->edge_count++] = (one_edge){.from = n->what, .before = n->before, .to = *made};
    }
    return INLAY_OK;
}

/* Its open stretch, short, waits for nothing but the one before it. */
static bool is_short(const unfolding *t, const one_task *task)
{
    return task->last >= 0 && task->ran < t->grain && task->needs >= 0 && t->nodes[task->needs].what == task->last &&
           t->nodes[task->needs].next < 0;
}

/* The open stretch ends, whatever it is; the next one begins behind it. */
static int cut(unfolding *t, one_task *task)
{
    const stretch s = {
        .time = task->ran, .kind = kind_of(t, task), .owner = (int32_t)(task - t->tasks), .task = !task->implicit};
    int status = new_stretch(t, s, task->needs, &task->last);
    if (status == INLAY_OK) {
        task->first = task->first < 0 ? task->last : task->first;
        task->ran = 0;
        task->needs = NONE;
        task->moved = true;
        status = push(t, &task->needs, task->last, 0);
    }
    return status;
}

static int cut_unless_short(unfolding *t, one_task *task)
{
    return is_short(t, task) ? INLAY_OK : cut(t, task);
}

/* The last stretch of all, or before a barrier. */
static int close_last(unfolding *t, one_task *task)
{
    if (!is_short(t, task)) {
        return cut(t, task);
    }
    t->to->stretches[task->last].time += task->ran;
    task->ran = 0;
    return INLAY_OK;
}

static void stop(one_task *task, int64_t now)
{
    if (task->running) {
        task->ran += now - task->began;
        task->running = false;
    }
}

static void run(one_task *task, int64_t now)
{
    task->began = now;
    task->running = !task->waiting && !task->ended;
}

/* ---- Waiting for tasks ---- */

/* The open stretch of `task` begins behind all of a list of tasks, which is emptied. */
static int join(unfolding *t, list *needs, list *of)
{
    int status = INLAY_OK;
    for (list i = *of; status == INLAY_OK && i >= 0; i = t->nodes[i].next) {
        one_task *awaited = &t->tasks[t->nodes[i].what];
        if (!awaited->joined) {
            awaited->joined = true;
            status = push(t, needs, ~t->nodes[i].what, t->newest + 1);
        }
    }
    *of = NONE;
    return status;
}

static int arrive(unfolding *t, one_task *task)
{
    one_region *region = &t->regions[task->region];
    int status = close_last(t, task);
    int32_t number = ++task->barriers;
    if (number > region->barrier) {
        region->barrier = number;
        region->arrived[number % 2] = NONE;
        region->join[number % 2] = NOT_JOINED;
    }
    task->moved = false;
    return status == INLAY_OK ? push(t, &region->arrived[number % 2], task->last, 0) : status;
}

/* What begins behind that barrier of a region, as node.what: what all came with, or a stretch without length behind that. */
static int joined(unfolding *t, one_region *region, int32_t number, int32_t *what)
{
    int32_t *known = &region->join[number % 2];
    list *needs = &region->arrived[number % 2];
    int status = INLAY_OK;
    if (*known == NOT_JOINED) {
        status = join(t, needs, &region->open);
        if (status == INLAY_OK && *needs >= 0 && t->nodes[*needs].next < 0) {
            *known = t->nodes[*needs].what;
        } else if (status == INLAY_OK) {
            t->barrier_kind = t->barrier_kind >= 0 ? t->barrier_kind : trace_kind(t->to, "barrier", t->diag);
            status = new_stretch(t, (stretch){.kind = t->barrier_kind}, *needs, known);
        }
    }
    *what = *known;
    return status;
}

static int depart(unfolding *t, one_task *task)
{
    int32_t what;
    int status = joined(t, &t->regions[task->region], task->barriers, &what);
    task->needs = NONE;
    return status == INLAY_OK ? push(t, &task->needs, what, 0) : status;
}

static bool is_barrier(uint32_t kind)
{
    return kind != TASKWAIT && kind != TASKGROUP;
}

static int wait_begins(unfolding *t, one_task *task, const log_record *r)
{
    bool barrier = is_barrier(r->c);
    if (task->waiting || (barrier && (!task->implicit || task->region == 0))) {
        return INLAY_OK;
    }
    int status = barrier ? arrive(t, task) : cut_unless_short(t, task);
    task->waiting = true;
    return status;
}

static int wait_ends(unfolding *t, one_task *task, const log_record *r)
{
    int status = INLAY_OK;
    if (!task->waiting) {
        return INLAY_OK;
    }
    if (r->c == TASKWAIT) {
        status = join(t, &task->needs, &task->children);
    } else if (r->c == TASKGROUP && task->group >= 0) {
        status = join(t, &task->needs, &t->groups[task->group].tasks);
        task->group = t->groups[task->group].outer;
    } else if (is_barrier(r->c)) {
        status = depart(t, task);
    }
    task->waiting = false;
    task->since = r->b;
    return status;
}

/* ---- Tasks ---- */

/* An id that is new, or NULL. */
static one_task *new_task(unfolding *t, uint64_t id)
{
    if (id == 0 || id >= t->task_room || t->tasks[id].known) {
        return NULL;
    }
    one_task *task = &t->tasks[id];
    *task = (one_task){.known = true, .group = NONE, .first = NONE, .last = NONE, .needs = NONE, .children = NONE};
    return task;
}

/* A taskwait with depend clauses stands in the log as a task without a body, which has these. */
static int await(unfolding *t, one_task *creator, one_task *task)
{
    int status = cut(t, creator);
    task->awaits = task->implicit = true;
    creator->waiting = true;
    return status == INLAY_OK ? push(t, &task->needs, creator->last, 0) : status;
}

static int awaited(unfolding *t, one_task *task, int32_t id)
{
    one_task *creator = &t->tasks[task->parent];
    int status = cut(t, task);
    task->ended = true;
    creator->waiting = false;
    creator->since = task->code;
    return status == INLAY_OK ? push(t, &creator->needs, ~id, 0) : status;
}

static int create(unfolding *t, one_task *creator, int32_t parent, const log_record *r)
{
    one_task *task = creator != NULL ? new_task(t, r->a) : NULL;
    if (task == NULL) {
        return INLAY_BAD_INPUT;
    }
    bool alone = creator->region == 0 || t->regions[creator->region].size < 2;
    task->parent = parent;
    task->region = creator->region;
    task->group = creator->group;
    task->code = r->b;
    task->created = (int64_t)r->time;
    task->final = (r->c & FLAG_FINAL) != 0;
    if ((r->c & FLAG_TASKWAIT) != 0) {
        return await(t, creator, task);
    }
    /* where one thread is all there is, the flag stands at every task */
    task->undeferred = creator->final || (!alone && (r->c & FLAG_UNDEFERRED) != 0);
    t->newest = (int32_t)r->a > t->newest ? (int32_t)r->a : t->newest;
    int status = cut_unless_short(t, creator);
    creator->since = is_short(t, creator) && creator->ran > 0 ? creator->since : r->b;
    status = status == INLAY_OK ? push(t, &task->needs, creator->last, 0) : status;
    status = status == INLAY_OK ? push(t, &creator->children, (int32_t)r->a, 0) : status;
    status = status == INLAY_OK ? push(t, &t->regions[task->region].open, (int32_t)r->a, 0) : status;
    return status == INLAY_OK && task->group >= 0 ? push(t, &t->groups[task->group].tasks, (int32_t)r->a, 0) : status;
}

static int depend(unfolding *t, const log_record *r)
{
    if (r->a == 0 || r->a >= t->task_room || !t->tasks[r->a].known) {
        return INLAY_BAD_INPUT;
    }
    if (!memory_grow((void **)&t->items, &t->item_capacity, t->item_count + 1, sizeof *t->items)) {
        return diag_no_memory(t->diag);
    }
    t->items[t->item_count++] =
        (dependence_item){.creator = t->tasks[r->a].parent, .task = (int32_t)r->a, .address = r->b, .type = r->c};
    return INLAY_OK;
}

static int finish(unfolding *t, one_task *task)
{
    int status = task->ended ? INLAY_OK : close_last(t, task);
    task->ended = true;
    return status;
}

static int schedule(unfolding *t, size_t log, const log_record *r, int64_t now)
{
    if (r->a >= t->task_room || r->b >= t->task_room) {
        return INLAY_BAD_INPUT;
    }
    one_task *next = r->a != 0 ? &t->tasks[r->a] : NULL, *before = r->b != 0 ? &t->tasks[r->b] : NULL;
    int status = INLAY_OK;
    if (before != NULL && before->known && before->awaits && !before->ended) {
        status = awaited(t, before, (int32_t)r->b);
        run(&t->tasks[before->parent], now);
    } else if (before != NULL && before->known && !before->ended) {
        stop(before, now);
        if (r->c == COMPLETE || r->c == CANCELLED || r->c == DETACHED) {
            status = finish(t, before);
            before->ended_at = now;
            if (status == INLAY_OK && before->undeferred && next != NULL && before->parent == (int32_t)r->a) {
                before->joined = true;
                status = push(t, &next->needs, ~(int32_t)r->b, 0);
            }
        }
    }
    if (next != NULL && next->known && r->c != WAIT_COMPLETE) {
        t->current[log] = (int32_t)r->a;
        if (next->started == 0) {
            next->started = now;
            next->free = t->seen[log];
        }
        run(next, now);
    }
    return status;
}

/* ---- Regions ---- */

static int region_begins(unfolding *t, one_task *creator, int32_t creator_id, const log_record *r)
{
    if (creator == NULL || r->a == 0 || r->a >= t->region_room) {
        return INLAY_BAD_INPUT;
    }
    int status = cut(t, creator);
    creator->waiting = true;
    t->regions[r->a] = (one_region){.code = r->b,
                                    .creator = creator_id,
                                    .open = NONE,
                                    .members = NONE,
                                    .arrived = {NONE, NONE},
                                    .join = {NOT_JOINED, NOT_JOINED}};
    return status;
}

static int implicit_begins(unfolding *t, size_t log, const log_record *r)
{
    one_task *task = r->b < t->region_room ? new_task(t, r->a) : NULL;
    if (task == NULL) {
        return INLAY_BAD_INPUT;
    }
    one_region *region = &t->regions[r->b];
    task->implicit = true;
    task->region = (int32_t)r->b;
    task->code = region->code;
    t->current[log] = (int32_t)r->a;
    if (r->b == 0) {
        region->open = region->members = NONE; /* no region, of which nothing is awaited */
        return INLAY_OK;
    }
    region->size = (int32_t)(r->c < INT32_MAX ? r->c : INT32_MAX);
    int status = push(t, &task->needs, t->tasks[region->creator].last, 0);
    return status == INLAY_OK ? push(t, &region->members, (int32_t)r->a, 0) : status;
}

/* What follows the last barrier is the way out, where it is short. */
static int implicit_ends(unfolding *t, one_task *task)
{
    bool on_its_way_out = task->region > 0 && task->barriers > 0 && !task->moved && task->ran < t->grain;
    int status = on_its_way_out || task->ended ? INLAY_OK : close_last(t, task);
    task->ended = true;
    return status;
}

static int region_ends(unfolding *t, size_t log, const log_record *r, int64_t now)
{
    if (r->a == 0 || r->a >= t->region_room || t->regions[r->a].creator == 0) {
        return INLAY_BAD_INPUT;
    }
    one_region *region = &t->regions[r->a];
    one_task *creator = &t->tasks[region->creator];
    int status = INLAY_OK;
    if (region->barrier > 0) {
        int32_t what;
        status = joined(t, region, region->barrier, &what);
        status = status == INLAY_OK ? push(t, &creator->needs, what, 0) : status;
    }
    for (list i = region->members; status == INLAY_OK && i >= 0; i = t->nodes[i].next) {
        const one_task *member = &t->tasks[t->nodes[i].what];
        status = member->moved ? push(t, &creator->needs, member->last, 0) : status;
    }
    status = status == INLAY_OK ? join(t, &creator->needs, &region->open) : status;
    creator->waiting = false;
    creator->since = region->code;
    t->current[log] = region->creator;
    run(creator, now);
    return status;
}

/* ---- One record ---- */

static int begin_group(unfolding *t, one_task *task)
{
    if (!memory_grow((void **)&t->groups, &t->group_capacity, t->group_count + 1, sizeof *t->groups)) {
        return diag_no_memory(t->diag);
    }
    t->groups[t->group_count] = (one_group){.outer = task->group, .tasks = NONE};
    task->group = (int32_t)t->group_count++;
    return INLAY_OK;
}

/* What the task that runs there does: its clock stands meanwhile. */
static int step_of(unfolding *t, one_task *task, int32_t id, const log_record *r)
{
    switch (r->kind) {
    case OMP_CREATE: return create(t, task, id, r);
    case OMP_GROUP_BEGIN: return begin_group(t, task);
    case OMP_WAIT_BEGIN: return wait_begins(t, task, r);
    case OMP_WAIT_END: return wait_ends(t, task, r);
    case OMP_PARALLEL_BEGIN: return region_begins(t, task, id, r);
    default: return INLAY_BAD_INPUT;
    }
}

static int step(unfolding *t, size_t log, const log_record *r)
{
    int64_t now = (int64_t)r->time;
    int32_t id = t->current[log];
    one_task *task = id != 0 ? &t->tasks[id] : NULL;
    int status = INLAY_OK;
    switch (r->kind) {
    case OMP_START: return INLAY_OK;
    case OMP_FINISH: t->finished = true; return INLAY_OK;
    case OMP_DEPENDENCE: return depend(t, r);
    case OMP_SCHEDULE: return schedule(t, log, r, now);
    case OMP_PARALLEL_END: return region_ends(t, log, r, now);
    case OMP_IMPLICIT_BEGIN:
        status = implicit_begins(t, log, r);
        if (status == INLAY_OK) {
            run(&t->tasks[r->a], now);
        }
        return status;
    case OMP_IMPLICIT_END:
        if (r->a == 0 || r->a >= t->task_room || !t->tasks[r->a].known) {
            return INLAY_BAD_INPUT;
        }
        stop(&t->tasks[r->a], now);
        t->current[log] = 0;
        return implicit_ends(t, &t->tasks[r->a]);
    default:
        if (task == NULL) {
            return r->kind == OMP_WAIT_BEGIN || r->kind == OMP_WAIT_END ? INLAY_OK : INLAY_BAD_INPUT;
        }
        stop(task, now);
        status = step_of(t, task, id, r);
        run(task, now);
        return status;
    }
}

int unfold_step(unfolding *t, size_t log, const log_record *r)
{
    int status = step(t, log, r);
    t->seen[log] = (int64_t)r->time;
    return status;
}

int unfold_end(unfolding *t, int64_t now)
{
    int status = INLAY_OK;
    for (size_t i = 1; status == INLAY_OK && i < t->task_room; i++) {
        one_task *task = &t->tasks[i];
        if (task->known && !task->ended && (task->running || task->ran > 0 || task->last < 0)) {
            stop(task, now);
            status = close_last(t, task);
        }
    }
    return status;
}

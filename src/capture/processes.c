/*
 * The processes of a command become stretches and links.
 *
 * A stretch ends where its process starts another one, or waits or reads what others did, if it was longer than the grain. The
 * log is gone through twice: which files are read by others, which processes ever had several others at once, and
 * how long programs run on the mean is known the second time from the beginning.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "capture/processes_events.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a stretch begins behind; bytes < 0: nothing comes from there. */
typedef struct need {
    inlay_id from;
    bool known; /* by other needs, or by those of stretches before */
    int64_t bytes, datum;
} need;

typedef struct one_process {
    int32_t parent, kind;
    int64_t cpu, carry; /* at its last event; what of it is in no stretch yet */
    need *needs;        /* of its next stretch; where it has ended, of what begins behind it */
    size_t count, capacity;
    int32_t changes;  /* how often the needs have changed */
    int32_t at_fork;  /* the parent's changes then */
    int32_t part;     /* the next stretch, before it has a number */
    inlay_id last;    /* stretch of this program; -1: none */
    int32_t unwaited; /* children that it has not waited for */
    int32_t running;  /* children that have not ended */
    int32_t joins;    /* children that it has waited for, and that nothing stands behind yet: the last; -1: none */
    int32_t next;     /* of those of its parent */
    bool program;     /* it has become a program of its own */
    bool dirty;       /* what is in no stretch yet wrote a file that others read */
    bool ended, waited;
    bool relieved; /* it has waited for one since it last had none */
    size_t born, finished,
        joined; /* events: its start, its end, and from where its parent goes on behind it, 0: not yet */
} one_process;

typedef struct one_writer {
    int32_t process, part, next;
    size_t event;
    bool given;  /* another process opened the file for it */
    bool passed; /* before it wrote anything another one that it started was given the file */
    bool inner;  /* it was given what another one writes that runs */
} one_writer;

typedef struct one_file {
    int32_t writers;        /* since it began anew: the last; -1: none */
    int32_t reader;         /* the last, since it was last written; -1: none */
    int32_t source, target; /* of a pipe: a process; -1: none */
    int64_t size, datum;    /* as it was read last; -1: never */
} one_file;

typedef struct unfolding {
    const process_events *events;
    one_process *process;
    one_file *file;
    inlay_id *parts;
    size_t part_count, part_capacity;
    one_writer *writers;
    size_t writer_count;
    int64_t data, grain;
    name_map kinds;
    bool *several; /* of each process: it ever had more than one other that it had not waited for */
    bool *refills; /* it ever started one in the place of another, as make does, while a third ran */
    bool *useful;  /* of each event: another process reads what is written there */
    int64_t programs, time;
    int64_t leaves, most_leaves; /* processes that run and have none below them that does */
    int64_t at_once, pipes, sockets, memory, left, pairs;
    const char *read_at_once; /* the first path */
    trace *to;
    inlay_diag *diag;
} unfolding;

/* ---- Stretches ---- */

static int32_t new_part(unfolding *t)
{
    if (!memory_grow((void **)&t->parts, &t->part_capacity, t->part_count + 1, sizeof *t->parts)) {
        (void)diag_no_memory(t->diag);
        return -1;
    }
    t->parts[t->part_count] = -1;
    return (int32_t)t->part_count++;
}

static int add_need(unfolding *t, one_process *p, need n)
{
    if (!memory_grow((void **)&p->needs, &p->capacity, p->count + 1, sizeof *p->needs)) {
        return diag_no_memory(t->diag);
    }
    p->needs[p->count++] = n;
    p->changes++;
    return INLAY_OK;
}

static bool needs_several(const one_process *p)
{
    bool several = false;
    inlay_id one = -1;
    for (size_t i = 0; i < p->count; i++) {
        several = several || (one >= 0 && !p->needs[i].known && p->needs[i].from != one);
        one = p->needs[i].known ? one : p->needs[i].from;
    }
    return several;
}

/* What begins behind a process begins behind its last needs; nothing comes from there. */
static int add_needs_of(unfolding *t, one_process *p, const one_process *of)
{
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < of->count; i++) {
        status = of->needs[i].known ? INLAY_OK : add_need(t, p, (need){of->needs[i].from, false, -1, -1});
    }
    return status;
}

/* By stretch, those from which something comes first. */
static int by_stretch(const void *a, const void *b)
{
    const need *x = a, *y = b;
    int order = (x->from > y->from) - (x->from < y->from);
    return order != 0 ? order : (x->datum < y->datum) - (x->datum > y->datum);
}

static int add_links(unfolding *t, const one_process *p, inlay_id to)
{
    int status = INLAY_OK;
    if (p->count > 0) {
        qsort(p->needs, p->count, sizeof *p->needs, by_stretch);
    }
    for (size_t i = 0; status == INLAY_OK && i < p->count; i++) {
        const need *n = &p->needs[i];
        bool first = i == 0 || n->from != n[-1].from;
        t->pairs += first && n->datum >= 0;
        if (first || (n->datum >= 0 && n->datum != n[-1].datum)) {
            status = trace_link_add(
                t->to, (trace_link){.from = n->from, .to = to, .bytes = n->bytes, .datum = n->datum}, t->diag);
        }
    }
    return status;
}

/* What the process did until now is a stretch, behind which it goes on. */
static int emit(unfolding *t, one_process *p)
{
    inlay_id made =
        trace_add(t->to, (stretch){.time = p->carry, .kind = p->kind, .owner = (int32_t)(p - t->process)}, t->diag);
    int32_t part = made >= 0 ? new_part(t) : -1;
    if (part < 0 || add_links(t, p, made) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    t->parts[p->part] = p->last = made;
    p->part = part;
    p->carry = 0;
    p->dirty = false;
    p->count = 0;
    return add_need(t, p, (need){made, false, -1, -1});
}

static int cut(unfolding *t, one_process *p)
{
    return p->carry >= t->grain ? emit(t, p) : INLAY_OK;
}

/* Behind all children that it has waited for. Where one began behind all that it needs itself, that goes without saying. */
static int join(unfolding *t, one_process *p, size_t now)
{
    int status = INLAY_OK;
    bool covered = false;
    size_t kept = 0;
    for (int32_t c = p->joins; c >= 0; c = t->process[c].next) {
        covered = covered || t->process[c].at_fork == p->changes;
    }
    for (size_t i = 0; i < p->count; i++) {
        need n = p->needs[i];
        n.known = n.known || covered;
        p->needs[kept] = n;
        kept += !n.known || n.datum >= 0;
    }
    p->count = kept;
    for (; status == INLAY_OK && p->joins >= 0; p->joins = t->process[p->joins].next) {
        t->process[p->joins].joined = now;
        status = add_needs_of(t, p, &t->process[p->joins]);
    }
    return status;
}

/* ---- Processes ---- */

static void now_leaf(unfolding *t, int by)
{
    t->leaves += by;
    t->most_leaves = t->leaves > t->most_leaves ? t->leaves : t->most_leaves;
}

static int begin(unfolding *t, int32_t number, int32_t parent, size_t now)
{
    one_process *c = &t->process[number];
    *c = (one_process){.needs = c->needs,
                       .capacity = c->capacity,
                       .parent = parent,
                       .kind = -1,
                       .last = -1,
                       .joins = -1,
                       .next = -1,
                       .part = new_part(t),
                       .born = now};
    if (c->part < 0) {
        return INLAY_NO_MEMORY;
    }
    if (parent < 0) {
        now_leaf(t, 1);
        return INLAY_OK;
    }
    one_process *p = &t->process[parent];
    now_leaf(t, p->running++ == 0 ? 0 : 1);
    t->refills[parent] = t->refills[parent] || (p->relieved && p->unwaited > 0);
    t->several[parent] = ++p->unwaited > 1 || t->several[parent];
    int status = needs_several(p) || p->dirty ? emit(t, p) : cut(t, p);
    c->kind = p->kind;
    c->at_fork = p->changes;
    return status == INLAY_OK ? add_needs_of(t, c, p) : status;
}

static int32_t kind_of(unfolding *t, const char *name)
{
    int32_t kind = name_map_get(&t->kinds, name);
    if (kind < 0) {
        kind = trace_kind(t->to, name, t->diag);
        if (kind >= 0 && !name_map_put(&t->kinds, t->to->kinds[kind], kind)) {
            (void)diag_no_memory(t->diag);
            kind = -1;
        }
    }
    return kind;
}

/* Time too short for a stretch of its own is the parent's, or if that has ended, its last stretch's. */
static void pass_on(unfolding *t, const one_process *p)
{
    int64_t time = p->carry;
    while (p->parent >= 0) {
        p = &t->process[p->parent];
        if (!p->ended) {
            t->process[p - t->process].carry += time;
            return;
        }
        if (p->last >= 0) {
            t->to->stretches[p->last].time += time;
            return;
        }
    }
}

static int end(unfolding *t, one_process *p, size_t now)
{
    bool whole = p->program && p->last < 0;
    int status = join(t, p, now);
    if (status != INLAY_OK) {
        return status;
    }
    if (whole || (p->kind >= 0 && p->carry >= t->grain) || p->dirty || (p->program && needs_several(p))) {
        status = emit(t, p);
    } else if (p->last >= 0) {
        t->to->stretches[p->last].time += p->carry;
        t->parts[p->part] = p->last;
    } else {
        pass_on(t, p);
    }
    p->ended = true;
    p->finished = now;
    now_leaf(t, p->running == 0 ? -1 : 0);
    if (p->parent >= 0) {
        one_process *parent = &t->process[p->parent];
        now_leaf(t, --parent->running == 0 && !parent->ended ? 1 : 0);
    }
    return status;
}

/*
 * Behind a child that was alone what its parent does next is behind it. A process that ever has several at once may start one because
 * another has ended, where that needs nothing of it; but where it does nothing but wait for the only one that is left, it has
 * nothing to start before that. Whether it needs those that ended before, too, is not known of one that refills.
 */
static int wait_for(unfolding *t, int32_t parent, int32_t child, bool idle, size_t now)
{
    one_process *p = &t->process[parent], *c = child >= 0 ? &t->process[child] : NULL;
    if (c == NULL || c->parent != parent || !c->ended || c->waited) {
        return INLAY_OK; /* it was told that it stopped, or not for the first time */
    }
    c->waited = true;
    p->relieved = --p->unwaited > 0;
    int32_t before = p->joins, apart = t->refills[parent] ? before : -1;
    c->next = t->refills[parent] ? -1 : before;
    p->joins = child;
    int status = cut(t, p);
    if (status == INLAY_OK && p->unwaited == 0 && (idle || !t->several[parent])) {
        status = join(t, p, now);
        p->joins = apart;
    } else {
        c->next = before;
    }
    return status;
}

/* ---- Files ---- */

static bool is_above(const unfolding *t, int32_t above, int32_t process)
{
    while (process >= 0 && process != above) {
        process = t->process[process].parent;
    }
    return process >= 0;
}

/* Whether a process stands behind what another one did up to an event anyway. */
static bool stands_behind(const unfolding *t, int32_t process, int32_t other, size_t at)
{
    const one_process *o = &t->process[other];
    while (!is_above(t, other, process)) {
        if (o->joined == 0) {
            return false;
        }
        at = o->joined;
        other = o->parent;
        o = &t->process[other];
    }
    while (process != other && t->process[process].parent != other) {
        process = t->process[process].parent;
    }
    return process == other || t->process[process].born > at;
}

/*
 * What it holds comes from who wrote it last, where that is over: from its end, or from what it had done when it started others. What
 * a program starts and gives its own output to writes for that program.
 */
static int take_content(unfolding *t, one_process *p, const process_event *e)
{
    one_file *f = &t->file[e->file];
    int32_t last = f->writers;
    while (last >= 0 && (t->writers[last].passed || t->writers[last].inner)) {
        last = t->writers[last].next;
    }
    const one_writer *by = &t->writers[last >= 0 ? last : f->writers];
    const one_process *w = &t->process[by->process];
    inlay_id from = w->ended && w->last >= 0 ? w->last : t->parts[by->part];
    if (by->process == e->process || from < 0) {
        return INLAY_OK;
    }
    if (f->size != e->number) {
        f->size = e->number;
        f->datum = t->data++;
    }
    return add_need(t, p, (need){from, true, f->size, f->datum});
}

/* The process goes on behind all who wrote it. */
static int read_file(unfolding *t, int32_t process, const process_event *e)
{
    one_process *p = &t->process[process];
    one_file *f = &t->file[e->file];
    bool cut_before = false;
    int status = INLAY_OK;
    if (f->writers < 0 || f->reader == process) {
        return INLAY_OK;
    }
    for (int32_t i = f->writers; status == INLAY_OK && i >= 0; i = t->writers[i].next) {
        const one_writer *by = &t->writers[i];
        const one_process *w = &t->process[by->process];
        inlay_id from = t->parts[by->part];
        if (by->process == process) {
            continue;
        }
        t->useful[by->event] = t->useful[by->event] || !by->passed;
        if (!w->ended && from < 0) {
            t->at_once += !by->passed;
            t->read_at_once = t->at_once == 1 && !by->passed ? e->text : t->read_at_once;
        } else if (!stands_behind(t, process, by->process, w->ended ? w->finished : by->event)) {
            status = cut_before ? INLAY_OK : cut(t, p);
            cut_before = true;
            if (status == INLAY_OK && w->ended) {
                status = add_needs_of(t, p, w);
            }
            if (status == INLAY_OK && from >= 0) {
                status = add_need(t, p, (need){from, false, -1, -1});
            }
        }
    }
    f->reader = process;
    return status == INLAY_OK ? take_content(t, p, e) : status;
}

static void write_file(unfolding *t, int32_t process, const process_event *e, bool anew)
{
    one_process *p = &t->process[process];
    one_file *f = &t->file[e->file];
    size_t event = (size_t)(e - t->events->event);
    f->writers = anew ? -1 : f->writers;
    t->writers[t->writer_count] = (one_writer){.process = process, .part = p->part, .next = f->writers, .event = event};
    f->writers = (int32_t)t->writer_count++;
    f->reader = -1;
    f->size = -1;
    p->dirty = p->dirty || t->useful[event];
}

/* A shell may open a file before it starts the program that writes it, or in the process that becomes that program. */
static void give_file(unfolding *t, int32_t process, const process_event *e)
{
    one_file *f = &t->file[e->file];
    bool inner = false;
    if (f->writers >= 0 && t->writers[f->writers].process == process) {
        return;
    }
    for (int32_t i = f->writers; i >= 0; i = t->writers[i].next) {
        one_writer *by = &t->writers[i];
        bool above = is_above(t, by->process, process);
        by->passed = by->passed || (above && !by->given && e->number == 0);
        inner = inner || (above && !by->passed);
    }
    write_file(t, process, e, false);
    t->writers[f->writers].given = true;
    t->writers[f->writers].inner = inner;
}

/* A pipe from one program to another: none of both need wait for the end of the other. */
static void join_pipe(unfolding *t, one_file *f, int32_t process, bool into)
{
    int32_t before = into ? f->target : f->source, other = into ? f->source : f->target;
    *(into ? &f->target : &f->source) = process;
    t->pipes += before < 0 && other >= 0 && other != process;
}

static int become(unfolding *t, int32_t process, const process_event *e)
{
    one_process *p = &t->process[process];
    bool whole = p->program && (p->last < 0 || p->carry >= t->grain);
    int status = whole ? emit(t, p) : INLAY_OK; /* else it is how the program began */
    if (status != INLAY_OK) {
        return status;
    }
    t->programs++;
    p->carry = p->kind < 0 ? 0 : p->carry; /* before it is the command it is ours */
    p->kind = kind_of(t, e->text);
    p->program = true;
    p->last = -1;
    return p->kind >= 0 ? read_file(t, process, e) : INLAY_NO_MEMORY;
}

/* ---- All events ---- */

static int step(unfolding *t, const process_event *e)
{
    one_process *p = &t->process[e->process];
    size_t now = (size_t)(e - t->events->event);
    int status = INLAY_OK;
    if (e->is == PROCESS_START) {
        status = begin(t, e->process, -1, now);
    } else if (e->is != PROCESS_END) {
        p->carry += e->cpu - p->cpu;
        t->time += e->cpu - p->cpu;
    }
    p->cpu = e->cpu;
    switch (e->is) {
    case PROCESS_FORK: return begin(t, e->other, e->process, now);
    case PROCESS_EXEC: return become(t, e->process, e);
    case PROCESS_UPDATE: status = e->number > 0 ? read_file(t, e->process, e) : INLAY_OK; /* fall through */
    case PROCESS_WRITE: write_file(t, e->process, e, e->number == 0); return status;
    case PROCESS_GIVEN: give_file(t, e->process, e); return status;
    case PROCESS_READ: return read_file(t, e->process, e);
    case PROCESS_WAIT: return wait_for(t, e->process, e->other, e->number != 0, now);
    case PROCESS_PIPE_IN: join_pipe(t, &t->file[e->file], e->process, true); return status;
    case PROCESS_PIPE_OUT: join_pipe(t, &t->file[e->file], e->process, false); return status;
    case PROCESS_SOCKET: t->sockets++; return status;
    case PROCESS_MEMORY: t->memory++; return status;
    case PROCESS_LEFT: t->left++; /* fall through */
    case PROCESS_EXIT: return end(t, p, now);
    default: return status;
    }
}

static int go_through(unfolding *t)
{
    const process_events *events = t->events;
    trace_clear(t->to);
    name_map_clear(&t->kinds);
    t->part_count = t->writer_count = 0;
    t->data = t->programs = t->time = t->leaves = t->most_leaves = 0;
    t->at_once = t->pipes = t->sockets = t->memory = t->left = t->pairs = 0;
    for (int32_t i = 0; i < events->files; i++) {
        t->file[i] = (one_file){.writers = -1, .reader = -1, .source = -1, .target = -1, .size = -1};
    }
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < events->count; i++) {
        status = step(t, &events->event[i]);
    }
    for (int32_t i = events->processes; status == INLAY_OK && i-- > 0;) {
        status = t->process[i].ended ? INLAY_OK : end(t, &t->process[i], events->count);
    }
    return status;
}

/* ---- The whole ---- */

static void warn(const unfolding *t, size_t commands)
{
    if (commands > 1) {
        diag_warn(t->diag, "there are logs of %zu commands; expected one: the last is told", commands);
    }
    if (!t->events->whole) {
        diag_warn(t->diag, "the log breaks off: it is captured up to there");
    }
    if (t->events->processes == 1) {
        diag_warn(t->diag, "the command started no other process: it is one program; expected make, a script, ...");
    }
    if (t->left > 0) {
        diag_warn(t->diag, "%" PRId64 " of its processes outlive the command: they are captured up to its end",
                  t->left);
    }
    if (t->pipes + t->sockets + t->memory > 0) {
        diag_warn(t->diag,
                  "what goes between processes that run at once orders nothing here: %" PRId64 " pipes, %" PRId64
                  " sockets, %" PRId64 " pieces of shared memory",
                  t->pipes, t->sockets, t->memory);
    }
    if (t->at_once > 0) {
        diag_warn(t->diag,
                  "files were read while a process that wrote them ran, %" PRId64
                  " times, the first %s: that orders nothing here",
                  t->at_once, t->read_at_once);
    }
}

static const one_log *last_command(const logs *all)
{
    const one_log *last = NULL;
    long long begin = -1;
    for (size_t i = 0; i < all->count; i++) {
        long long time = all->log[i].text != NULL ? strtoll(all->log[i].text, NULL, 10) : -1;
        if (time > begin) {
            last = &all->log[i];
            begin = time;
        }
    }
    return last;
}

static int tell(unfolding *t, const inlay_capture_options *options, inlay_capture_facts *facts)
{
    enum { NS = 1000000000 };
    const process_events *events = t->events;
    t->grain = INT64_MAX;
    int status = go_through(t);
    if (options->grain >= 0) {
        t->grain = options->grain < (double)INT64_MAX / NS ? (int64_t)(options->grain * NS) : INT64_MAX;
    } else {
        t->grain = t->programs > 0 ? t->time / t->programs / 10 : 0;
    }
    status = status == INLAY_OK ? go_through(t) : status;
    facts->elapsed = 1e-9 * (double)(events->event[events->count - 1].time - events->event[0].time);
    facts->places = t->most_leaves;
    facts->tasks = events->processes;
    facts->items = t->data;
    facts->dependences = t->pairs;
    for (size_t i = 0; i < events->count; i++) {
        const process_event *e = &events->event[i];
        if (e->is == PROCESS_EXEC && e->process == 0 && t->to->program[0] == '\0') {
            (void)snprintf(t->to->program, sizeof t->to->program, "%s", e->text);
        }
        facts->ended = facts->ended || (e->is == PROCESS_EXIT && e->process == 0 && e->number < 128);
    }
    return status;
}

static int read_processes(const logs *all, const char *folder, const inlay_capture_options *options, trace *to,
                          inlay_capture_facts *facts, inlay_diag *diag)
{
    process_events events = {0};
    const one_log *log = last_command(all);
    int status = log != NULL ? process_events_read(log, folder, &events, diag) : INLAY_OK;
    if (status == INLAY_OK && events.count > 0) {
        unfolding t = {.events = &events, .to = to, .diag = diag};
        t.process = memory_zeroed((size_t)events.processes, sizeof *t.process);
        t.file = memory_array((size_t)events.files, sizeof *t.file);
        t.writers = memory_array(events.count, sizeof *t.writers);
        t.several = memory_zeroed((size_t)events.processes, sizeof *t.several);
        t.refills = memory_zeroed((size_t)events.processes, sizeof *t.refills);
        t.useful = memory_zeroed(events.count, sizeof *t.useful);
        bool room = t.process != NULL && t.file != NULL && t.writers != NULL && t.several != NULL &&
                    t.refills != NULL && t.useful != NULL;
        status = room ? tell(&t, options, facts) : diag_no_memory(diag);
        if (status == INLAY_OK) {
            warn(&t, all->count);
        }
        for (int32_t i = 0; t.process != NULL && i < events.processes; i++) {
            free(t.process[i].needs);
        }
        free(t.process);
        free(t.file);
        free(t.writers);
        free(t.several);
        free(t.refills);
        free(t.useful);
        free(t.parts);
        name_map_clear(&t.kinds);
    }
    process_events_clear(&events);
    return status;
}

const capture_reader processes_reader = {.name = "processes", .recorder = PROCESSES_LOG, .read = read_processes};

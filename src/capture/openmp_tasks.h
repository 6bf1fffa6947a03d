/* Tasks and teams of threads as the log of an OpenMP program tells of them, from one record to the next. */
#ifndef CAPTURE_OPENMP_TASKS_H
#define CAPTURE_OPENMP_TASKS_H

#include "capture/dependences.h"
#include "capture/logs.h"
#include <stdbool.h>

/* A list of what a stretch begins behind, or of tasks; in `nodes`. -1: empty. */
typedef int32_t list;

/* Something that must have ended: a stretch (>= 0), or a task (~number). */
typedef struct node {
    int32_t what;
    int32_t
        before; /* of a task: where one numbered below this depends on it, that one is waited for in its place; 0: never */
    list next;
} node;

typedef struct one_task {
    int64_t began, ran; /* ns: since when it runs; of its open stretch before that */
    int64_t created, ended_at;
    int64_t started, free; /* when it first ran, 0: never; since when that thread had nothing to do */
    uint64_t code;         /* what created it */
    uint64_t since;        /* the open stretch begins behind this code; 0: at the task's beginning */
    int32_t parent, region, group;
    int32_t first, last; /* stretches; -1: none yet */
    int32_t barriers;    /* that it came to */
    list needs;          /* of the open stretch */
    list children;       /* that no taskwait has waited for */
    bool known, implicit, running, waiting, ended, joined;
    bool awaits;     /* it is the wait of its parent for what its depend clauses name (taskwait) */
    bool undeferred; /* its parent waits for it at once */
    bool final;
    bool moved; /* it has had a stretch since its last barrier */
} one_task;

typedef struct one_region {
    uint64_t code;
    int32_t creator; /* task */
    int32_t size;
    list open;       /* explicit tasks that no barrier has waited for */
    list members;    /* implicit tasks */
    int32_t barrier; /* the last one, from 1; 0: none yet */
    list arrived[2]; /* at barriers of even and of odd number */
    int32_t join[2]; /* what begins behind them: as node.what; NOT_JOINED before */
} one_region;

typedef struct one_group {
    int32_t outer;
    list tasks;
} one_group;

/* What a stretch begins behind. */
typedef struct one_edge {
    int32_t from, before; /* as node.what and node.before */
    int32_t to;
} one_edge;

/* One kind of stretches: by what created the task, and where in it the stretch begins. */
typedef struct one_kind {
    uint64_t code, since;
    bool implicit;
    int32_t number; /* in the trace */
} one_kind;

/* Tasks and regions are numbered as in the log. Zero-initialise but for what unfold_begin() sets. */
typedef struct unfolding {
    one_task *tasks;
    one_region *regions;
    size_t task_room, region_room; /* ids are below */
    int32_t *current;              /* of each log; 0: none */
    int64_t *seen;                 /* of each log: the time of its last record */
    node *nodes;
    size_t node_count, node_capacity;
    one_group *groups;
    size_t group_count, group_capacity;
    one_edge *edges;
    size_t edge_count, edge_capacity;
    dependence_item *items;
    size_t item_count, item_capacity;
    one_kind *kinds;
    size_t kind_count, kind_capacity;
    int32_t newest; /* explicit task */
    int32_t barrier_kind;
    int64_t grain;
    bool finished;
    code_places *places;
    trace *to;
    inlay_diag *diag;
} unfolding;

/* Room for what the logs name. */
int unfold_begin(unfolding *t, const one_log *log, size_t threads);
void unfold_clear(unfolding *t);

/* The next record, of that log. INLAY_BAD_INPUT where it cannot be: it names what there is not (nothing said). */
int unfold_step(unfolding *t, size_t log, const log_record *r);

/* The log has ended at that time: whoever runs, runs no more. */
int unfold_end(unfolding *t, int64_t now);

#endif

/* What the two files that read WfFormat share: the tasks, the edges, and the bytes that files put on them. */
#ifndef IO_WFFORMAT_WFFORMAT_H
#define IO_WFFORMAT_WFFORMAT_H

#include "base/hash.h"
#include "io/json/read.h"
#include <inlay/io.h>

typedef struct wf_task {
    const char *name, *id; /* jansson's; NULL where none is given */
    inlay_id run;          /* its record in workflow.execution.tasks, or -1 */
    bool transfer;         /* stands for a transfer of data: no time of its own, its links carry `written` */
    int64_t written;       /* bytes */
} wf_task;

/* Precedence, and where it was read: element `index` of the parents or children of `task`. */
typedef struct wf_edge {
    inlay_id from, to;
    inlay_id task;
    size_t index;
    bool child;
} wf_edge;

/* One file on its way to an application. The places point at each other: it stays where it is. */
typedef struct wf_reading {
    json_file file;
    const inlay_reading *how;
    json_place root, workflow, specification, execution;
    json_place tasks, runs;
    bool split;  /* specification and execution apart, as from 1.5 */
    int version; /* 10 for 1.0 */

    inlay_id count;
    wf_task *task;
    name_map by_id, by_name; /* by_name is empty where names are not unique */
    bool names_unique, ids_complete;

    wf_edge *edges;
    size_t edge_count, edge_capacity;
} wf_reading;

/** Adds a link for every edge, with the data that files are (io/flow.h). */
int wf_add_links(wf_reading *reading, inlay_app_builder *builder);

/** Keeps what the file records of a run with its application (inlay_app_recorded()). */
int wf_add_recorded(const wf_reading *reading, inlay_app *app);

/** What the execution says of a task: its entry there, or its only one. */
json_place wf_record(const wf_reading *reading, inlay_id task);

/** A member by its newer name, else by its older one. */
json_place wf_either(const json_place *place, const char *newer, const char *older);

/** A number of bytes, times `factor`; a fraction of a byte counts as one. */
int wf_read_size(const json_file *file, const json_place *place, int64_t factor, int64_t *bytes);

#endif

/*
 * Files that tasks write and read, of formats that tell data in that way: WfFormat, DAX, DSLab.
 *
 * What a consumer reads and a producer writes goes along the link between them. Files of one producer that go to the same
 * consumers are one datum, named by the first of them: of n files `NAME +N` with N = n - 1. A file may have several
 * producers, and other sizes in other places: then the producer's counts.
 */
#ifndef IO_FLOW_H
#define IO_FLOW_H

#include "base/hash.h"
#include <inlay/io.h>

enum { FLOW_SIZE_UNKNOWN = -1 };

typedef struct use_list {
    struct file_use *use;
    size_t count, capacity;
    size_t *begin;     /**< rows: of tasks for inputs, of files for outputs */
    int32_t *last_use; /**< by file: the last task added, so that a file counts once a task */
    size_t known;      /**< files that last_use has room for */
} use_list;

typedef struct flow_file {
    const char *name; /**< the caller's */
    int64_t size;     /**< the caller's too; FLOW_SIZE_UNKNOWN at first */
} flow_file;

/** Zero-initialised is empty. */
typedef struct file_flow {
    name_map numbers;
    int32_t count;
    flow_file *file; /**< by number */
    size_t capacity;
    use_list inputs, outputs;
} file_flow;

void file_flow_clear(file_flow *flow);

/** The number of a file, given where it is new; -1 when out of memory. */
int32_t file_flow_file(file_flow *flow, const char *name);

/** A task, of which none comes behind a later one, reads or writes a file; false when out of memory. */
bool file_flow_use(file_flow *flow, bool writes, inlay_id task, int32_t file, int64_t size);

/** Precedence between tasks. */
typedef struct flow_edge {
    inlay_id from, to;
    bool has_files; /**< go along it: filled in */
} flow_edge;

typedef struct flow_edges {
    flow_edge *edge;
    size_t count, capacity;
} flow_edges;

/** false when out of memory. */
bool flow_edges_add(flow_edges *edges, inlay_id from, inlay_id to);

/** What becomes of a flow. */
typedef struct flow_question {
    file_flow *flow;
    inlay_id tasks;
    flow_edges *edges;   /**< the caller's to free; those of one pair become one */
    const int64_t *sent; /**< by task: bytes that go along its links in place of its files, -1 none; may be NULL */
    const inlay_reading *how;
    const char *source;
    inlay_diag *diag;
} flow_question;

/**
 * Adds a link for every edge: with the data that its producer's files are, or one message without bytes where there are none.
 * With how->file_links, also for every pair of a producer and a consumer of one file; with how->file_blocks, files that no
 * task writes, or none reads, as data blocks, or with how->file_storage as data from and to a storage.
 */
int flow_add_links(const flow_question *question, inlay_app_builder *builder);

#endif

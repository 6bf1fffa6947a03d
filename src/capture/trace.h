/* What is put together from logs: stretches of time and what orders them, of which an application is made. */
#ifndef CAPTURE_TRACE_H
#define CAPTURE_TRACE_H

#include "base/memory.h"
#include "capture/places.h"
#include <inlay/app.h>
#include <inlay/capture.h>
#include <stdbool.h>

/* One stretch. `kind` counts from 0 in the order of trace_kind(), -1: none. */
typedef struct stretch {
    int64_t time; /* ns */
    int32_t kind;
    int32_t owner; /* a task, in the order of creation, or what else modules stand by in the application */
    bool task;     /* OpenMP: of an explicit task, which a dry run skips */
    bool pinned;   /* to the processor of its owner's number */
} stretch;

/* `to` starts when `from` has ended and `bytes` have come. `datum`: links of one `from` with one number carry the same. */
typedef struct trace_link {
    inlay_id from, to;
    int64_t bytes;
    int64_t datum;     /* -1: what it carries is its own; bytes < 0: it carries nothing */
    int64_t messages;  /* 0: one, if anything */
    bool traffic_only; /* `to` may start before */
} trace_link;

/* Zero-initialise. */
typedef struct trace {
    char program[PLACE_NAME]; /* that was captured; empty: not known */
    stretch *stretches;
    size_t count, capacity;
    trace_link *links;
    size_t link_count, link_capacity;
    char **kinds;
    size_t kind_count, kind_capacity;
    bool from_zero; /* modules of a kind are numbered from 0, not 1 */
} trace;

void trace_clear(trace *t);

/* Its number, or -1 where there can be none (said). */
inlay_id trace_add(trace *t, stretch s, inlay_diag *diag);
int trace_link_add(trace *t, trace_link link, inlay_diag *diag);

/* The kind of that name, a new one where there is none; the name is copied. -1 where there is no memory (said). */
int32_t trace_kind(trace *t, const char *name, inlay_diag *diag);

/*
 * Modules stand in the order of their owners, of one owner in that of the trace, and are named KIND.N, the N-th of their
 * kind.
 */
int trace_app(const trace *t, const char *name, inlay_app **app, inlay_diag *diag);

#endif

/* The logs of an MPI program become stretches and links: each rank is a chain of what it calculates between its messages. */
#include "base/diag.h"
#include "base/memory.h"
#include "capture/coalesce.h"
#include "capture/logs.h"
#include "capture/mpi_log.h"
#include "capture/mpi_messages.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/* A code location, named. */
typedef struct named_code {
    uint64_t code;
    int32_t kind;
} named_code;

/* What ranks become, rank by rank. */
typedef struct unfolding {
    trace *to;
    inlay_diag *diag;
    bool keep;     /* modules stay on the processor of their rank's number */
    int64_t grain; /* ns */
    int32_t rank;
    code_places *places; /* of the rank */
    named_code *names;   /* of the rank, in the order in which they were met */
    size_t name_count, name_capacity;

    /* Where the rank is. */
    inlay_id current; /* its last stretch */
    bool sent;        /* from that */
    int64_t named;    /* of that the longest piece with a code location, in ns */
    bool computing;
    int64_t since; /* then */
    int64_t last;  /* time of the last record that has to be in order */

    message_ends sends, receives;
    int64_t pieces, sum; /* of computing: how many and how long, ns */
    int64_t foreign;     /* calls of other threads */
    int64_t unfinished;  /* ranks that did not come to their end */
} unfolding;

/* ---- Stretches ---- */

static int32_t kind_of(unfolding *u, uint64_t code)
{
    for (size_t i = u->name_count; i-- > 0;) {
        if (u->names[i].code == code) {
            return u->names[i].kind;
        }
    }
    char name[PLACE_NAME];
    int32_t kind = trace_kind(u->to, code != 0 ? places_name(u->places, code, name) : "short", u->diag);
    if (kind >= 0 && !memory_grow((void **)&u->names, &u->name_capacity, u->name_count + 1, sizeof *u->names)) {
        (void)diag_no_memory(u->diag);
        return NONE;
    }
    if (kind >= 0) {
        u->names[u->name_count++] = (named_code){code, kind};
    }
    return kind;
}

/* The next of the rank, behind the one before. */
static int next_stretch(unfolding *u)
{
    int32_t kind = kind_of(u, 0);
    inlay_id before = u->current;
    u->current =
        kind >= 0 ? trace_add(u->to, (stretch){.kind = kind, .owner = u->rank, .pinned = u->keep}, u->diag) : NONE;
    u->sent = false;
    u->named = 0;
    if (u->current < 0) {
        return INLAY_NO_MEMORY;
    }
    return before < 0 ? INLAY_OK
                      : trace_link_add(u->to, (trace_link){.from = before, .to = u->current, .bytes = -1, .datum = -1},
                                       u->diag);
}

/*
 * The rank has calculated so long, until a call at `code`. A piece behind a message is a stretch of its own where it is as long as
 * the grain, else the message leaves so much later.
 */
static int computed(unfolding *u, int64_t time, uint64_t code)
{
    int status = INLAY_OK;
    u->pieces++;
    u->sum += time;
    if (u->sent && time >= u->grain) {
        status = next_stretch(u);
    }
    if (status == INLAY_OK) {
        u->to->stretches[u->current].time += time;
        if (code != 0 && time > u->named) {
            u->named = time;
            int32_t kind = kind_of(u, code);
            u->to->stretches[u->current].kind = kind;
            status = kind >= 0 ? INLAY_OK : INLAY_NO_MEMORY;
        }
    }
    return status;
}

/* What was calculated up to now, where it had not been stopped. */
static int stop(unfolding *u, const log_record *r, uint64_t in_vain, uint64_t code)
{
    if (!u->computing) {
        return INLAY_OK;
    }
    int64_t time = (int64_t)r->time - u->since;
    time = in_vain < (uint64_t)(time > 0 ? time : 0) ? time - (int64_t)in_vain : 0;
    u->since = (int64_t)r->time;
    return computed(u, time, code);
}

/* ---- Records ---- */

static int sent(unfolding *u, const log_record *r)
{
    int status = r->b <= INT64_MAX ? stop(u, r, 0, 0) : INLAY_BAD_INPUT;
    u->sent = true;
    return status == INLAY_OK ? message_add(&u->sends,
                                            (message_end){.from = u->rank,
                                                          .to = MPI_PEER_RANK(r->a),
                                                          .communicator = r->c,
                                                          .tag = MPI_PEER_TAG(r->a),
                                                          .order = (int64_t)u->sends.count,
                                                          .bytes = (int64_t)r->b,
                                                          .stretch = u->current},
                                            u->diag)
                              : status;
}

/* What a stretch shorter than the grain did before, from which nothing was sent, is done behind the message. */
static int received(unfolding *u, const log_record *r)
{
    int status = r->b <= INT64_MAX ? stop(u, r, 0, 0) : INLAY_BAD_INPUT;
    if (status == INLAY_OK && (u->sent || u->to->stretches[u->current].time >= u->grain)) {
        status = next_stretch(u);
    }
    return status == INLAY_OK ? message_add(&u->receives,
                                            (message_end){.from = MPI_PEER_RANK(r->a),
                                                          .to = u->rank,
                                                          .communicator = r->c,
                                                          .tag = MPI_PEER_TAG(r->a),
                                                          .order = (int64_t)r->b,
                                                          .stretch = u->current},
                                            u->diag)
                              : status;
}

static int step(unfolding *u, const log_record *r)
{
    bool in_order = r->time <= INT64_MAX && (int64_t)r->time >= u->last;
    int status = INLAY_BAD_INPUT;
    switch (r->kind) {
    case MPI_IN:
    case MPI_OUT:
    case MPI_END:
        if (r->time > INT64_MAX || (r->kind != MPI_IN && !in_order)) {
            return INLAY_BAD_INPUT;
        }
        u->last = in_order ? (int64_t)r->time : u->last;
        status = r->kind == MPI_OUT ? INLAY_OK : stop(u, r, r->kind == MPI_IN ? r->b : 0, r->kind == MPI_IN ? r->a : 0);
        u->computing = r->kind == MPI_OUT;
        u->since = (int64_t)r->time;
        if (r->kind == MPI_END) {
            u->foreign += r->a < INT32_MAX ? (int64_t)r->a : INT32_MAX;
            u->unfinished--;
        }
        return status;
    case MPI_SENT: return in_order ? sent(u, r) : INLAY_BAD_INPUT;
    case MPI_RECEIVED: return in_order ? received(u, r) : INLAY_BAD_INPUT;
    case MPI_POSTED: return INLAY_OK;
    default: return INLAY_BAD_INPUT;
    }
}

static int unfold(unfolding *u, const one_log *log, const char *folder, int64_t *begin, int64_t *end)
{
    u->rank = (int32_t)log->records[0].a;
    u->current = NONE;
    u->computing = false;
    u->last = log->records[0].time <= INT64_MAX ? (int64_t)log->records[0].time : 0;
    u->name_count = 0;
    u->places = places_read(folder, MPI_LOG, log->process, u->diag);
    u->unfinished++;
    *begin = u->last;
    if (u->places != NULL) {
        (void)places_program(u->places, u->to->program);
    }
    int status = u->places != NULL ? next_stretch(u) : INLAY_NO_MEMORY;
    for (size_t i = 1; status == INLAY_OK && i < log->count; i++) {
        status = step(u, &log->records[i]);
        if (status == INLAY_BAD_INPUT) {
            (void)diag_fail(u->diag, status,
                            "the log of process %ld is damaged at its record %zu: it does not follow from what was "
                            "before it",
                            log->process, i + 1);
        }
    }
    *end = u->last;
    places_free(u->places);
    u->places = NULL;
    return status;
}

/* ---- Which program ---- */

static bool is_rank(const one_log *log)
{
    return log->count > 0 && log->records[0].kind == MPI_BEGIN && log->records[0].b <= INT32_MAX &&
           log->records[0].a < log->records[0].b;
}

static int by_world(const void *a, const void *b)
{
    const log_record *x = (*(const one_log *const *)a)->records, *y = (*(const one_log *const *)b)->records;
    int order = (x->c > y->c) - (x->c < y->c);
    return order != 0 ? order : (x->a > y->a) - (x->a < y->a);
}

/* The ranks of one program, in their order: of several programs those of the one with the most records. */
typedef struct world {
    const one_log **rank;
    size_t count;
    int64_t size, others;
} world;

static int find_world(const logs *all, world *w, inlay_diag *diag)
{
    const one_log **list = memory_array(all->count, sizeof *list);
    size_t count = 0, most = 0;
    if (list == NULL) {
        return diag_no_memory(diag);
    }
    w->rank = list;
    for (size_t i = 0; i < all->count; i++) {
        if (all->log[i].count == 1 && all->log[i].records[0].kind == MPI_OTHER_VERSION) {
            return diag_fail(diag, INLAY_NO_ANSWER,
                             "the program runs with another version of Open MPI than the recorder; expected the one "
                             "that Inlay was built with");
        }
        list[count] = &all->log[i];
        count += is_rank(&all->log[i]);
    }
    if (count == 0) {
        return diag_fail(diag, INLAY_NO_ANSWER, "no rank of an MPI program was recorded");
    }
    qsort(list, count, sizeof *list, by_world);
    w->others = -1;
    for (size_t from = 0, to; from < count; from = to) {
        size_t records = 0;
        for (to = from; to < count && list[to]->records->c == list[from]->records->c; to++) {
            records += list[to]->count;
        }
        w->others++;
        if (records > most) {
            most = records;
            w->rank = list + from;
            w->count = to - from;
        }
    }
    memmove(list, w->rank, w->count * sizeof *list);
    w->rank = list;
    w->size = (int64_t)w->rank[0]->records->b;
    for (size_t i = 0; i < w->count; i++) {
        if ((int64_t)w->rank[i]->records->b != w->size ||
            (i > 0 && w->rank[i]->records->a == w->rank[i - 1]->records->a)) {
            return diag_fail(diag, INLAY_BAD_INPUT, "the log of process %ld contradicts those of other ranks",
                             w->rank[i]->process);
        }
    }
    return INLAY_OK;
}

/* ---- The grain ---- */

/* A tenth of the mean time that ranks calculate between two calls, in ns. */
static int64_t usual_grain(const world *w)
{
    double sum = 0, pieces = 0;
    for (size_t i = 0; i < w->count; i++) {
        const log_record *r = w->rank[i]->records;
        for (size_t k = 1; k < w->rank[i]->count; k++) {
            bool piece = r[k].kind == MPI_IN && r[k - 1].kind == MPI_OUT && r[k].time > r[k - 1].time + r[k].b;
            sum += piece ? (double)(r[k].time - r[k - 1].time - r[k].b) : 0;
            pieces += piece;
        }
    }
    return pieces > 0 ? (int64_t)(0.1 * sum / pieces) : 0;
}

static int64_t grain_of(double seconds)
{
    enum { NS = 1000000000 };
    return seconds < (double)INT64_MAX / NS ? (int64_t)(seconds * NS) : INT64_MAX;
}

/* ---- The whole ---- */

static void warn(const unfolding *u, const world *w, int64_t unmatched)
{
    if (w->others > 0) {
        diag_warn(u->diag, "%" PRId64 " more MPI programs ran; expected one: the one with the most messages is told",
                  w->others);
    }
    if ((int64_t)w->count < w->size) {
        diag_warn(u->diag, "%" PRId64 " of %" PRId64 " ranks left no log", w->size - (int64_t)w->count, w->size);
    }
    if (unmatched > 0) {
        diag_warn(u->diag, "messages of which one end alone was recorded are left out: %" PRId64, unmatched);
    }
    if (u->foreign > 0) {
        diag_warn(u->diag, "%" PRId64 " calls of MPI by other threads than the one that began it are left out",
                  u->foreign);
    }
}

static int finish(unfolding *u, const world *w, inlay_capture_facts *facts)
{
    int64_t unmatched = 0;
    int status = messages_match(&u->sends, &u->receives, u->to, &unmatched, u->diag);
    facts->places = w->size;
    facts->messages = (int64_t)u->sends.count;
    for (size_t i = 0; i < u->sends.count; i++) {
        facts->collective += u->sends.end[i].tag < 0;
        facts->bytes += (double)u->sends.end[i].bytes;
    }
    facts->ended = u->unfinished == 0 && (int64_t)w->count == w->size;
    if (status == INLAY_OK) {
        warn(u, w, unmatched);
    }
    return status;
}

static int read_mpi(const logs *all, const char *folder, const inlay_capture_options *options, trace *to,
                    inlay_capture_facts *facts, inlay_diag *diag)
{
    world w = {0};
    unfolding u = {.to = to, .diag = diag, .keep = options->keep};
    int64_t first = INT64_MAX, last = 0;
    int status = find_world(all, &w, diag);
    u.grain = options->grain >= 0 ? grain_of(options->grain) : status == INLAY_OK ? usual_grain(&w) : 0;
    for (size_t i = 0; status == INLAY_OK && i < w.count; i++) {
        int64_t begin, end;
        status = unfold(&u, w.rank[i], folder, &begin, &end);
        first = begin < first ? begin : first;
        last = end > last ? end : last;
    }
    facts->elapsed = last > first ? 1e-9 * (double)(last - first) : 0;
    status = status == INLAY_OK ? finish(&u, &w, facts) : status;
    if (status == INLAY_OK && options->coalesce != INLAY_COALESCE_NOTHING) {
        status = trace_coalesce(to, options->coalesce == INLAY_COALESCE_RANKS, diag);
    }
    free(u.names);
    free(u.sends.end);
    free(u.receives.end);
    free(w.rank);
    return status;
}

const capture_reader mpi_reader = {.name = "mpi", .recorder = MPI_LOG, .read = read_mpi};

/* Rank 0: hands out points, keeps rows, works, and notices who is lost. */
#include "output.h"
#include "ranks.h"
#include "meter.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>

/* What rank 0 knows of another rank. */
typedef struct peer {
    bool done;
    double heard, told; /* when */
    int64_t point[INLAY_STUDY_BATCH];
    MPI_Request points, there; /* on their way to it */
} peer;

typedef struct leader {
    const ranks *r;
    inlay_study_running *running;
    inlay_diag *diag;
    pool pool;
    peer *peers; /* the first is of no use */
    int done;    /* of them */
    double kept; /* when our own rows were */
    bool idle;   /* nothing came up in this round */
} leader;

/* ---- Failing ---- */

static void give_up(leader *l, int status)
{
    meter_end();
    ranks_abort(report_end(l->r->call, status, l->diag));
}

static void keep(leader *l, const char *rows, size_t size)
{
    int status = size > 0 ? inlay_study_keep(l->running, rows, size, l->diag) : INLAY_OK;
    if (status != INLAY_OK) {
        give_up(l, status);
    }
    const inlay_study_progress progress = inlay_study_progress_of(l->running);
    study_tell_progress(NULL, &progress);
}

/* ---- Others ---- */

static inlay_id workers(const leader *l)
{
    return l->r->ranks * l->r->threads;
}

static void send_points(leader *l, int to)
{
    peer *p = &l->peers[to];
    ranks_settle(&p->points); /* it asks when it has got those before */
    size_t count = inlay_study_next(l->running, workers(l), p->point);
    MPI_Isend(p->point, (int)count, MPI_INT64_T, to, TAG_POINTS, MPI_COMM_WORLD, &p->points);
}

static void take_message(leader *l, const MPI_Status *status)
{
    int size = 0, from = status->MPI_SOURCE;
    MPI_Get_count(status, MPI_CHAR, &size);
    char *rows = malloc((size_t)size + 1);
    if (rows == NULL) {
        ranks_abort(report_no_memory());
    }
    MPI_Recv(rows, size, MPI_CHAR, from, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    rows[size] = '\0';
    l->peers[from].heard = MPI_Wtime();
    if (status->MPI_TAG == TAG_FAILED) {
        meter_end();
        say(stderr, "inlay study: rank %d: %-s\n", from, rows);
        ranks_abort(EXIT_SYSTEM);
    }
    if (status->MPI_TAG == TAG_ASK) { /* first, for it waits */
        send_points(l, from);
    }
    keep(l, rows, (size_t)size);
    if (status->MPI_TAG == TAG_DONE) {
        l->peers[from].done = true;
        l->done++;
    }
    free(rows);
}

static void take_messages(leader *l)
{
    int there = 1;
    while (there) {
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (there) {
            take_message(l, &status);
            l->idle = false;
        }
    }
}

/* Say that we are there, and look who is not. */
static void look_after(leader *l)
{
    double now = MPI_Wtime();
    for (int i = 1; i < l->r->ranks; i++) {
        peer *p = &l->peers[i];
        int sent = 0;
        if (p->done) {
            continue;
        }
        if (now - p->heard > l->r->patience) {
            meter_end();
            ranks_lost(i, now - p->heard);
        }
        MPI_Test(&p->there, &sent, MPI_STATUS_IGNORE);
        if (sent && now - p->told > often) {
            MPI_Isend(NULL, 0, MPI_CHAR, i, TAG_THERE, MPI_COMM_WORLD, &p->there);
            p->told = now;
        }
    }
}

/* ---- Ourselves ---- */

static void keep_own(leader *l)
{
    size_t size;
    char *rows = pool_take(&l->pool, &size);
    if (rows != NULL) {
        keep(l, rows, size);
        free(rows);
    }
    l->kept = MPI_Wtime();
}

/* Returns whether our own work is done. */
static bool serve_own(leader *l)
{
    pool_state state = pool_look(&l->pool);
    if (state == POOL_FAILED) {
        ranks_abort(report_no_memory());
    }
    if (state == POOL_HUNGRY) {
        int64_t point[INLAY_STUDY_BATCH];
        pool_fill(&l->pool, point, inlay_study_next(l->running, workers(l), point));
        l->idle = false;
    }
    if (state == POOL_DONE || MPI_Wtime() - l->kept > between) {
        keep_own(l);
    }
    return state == POOL_DONE;
}

/* ---- The whole ---- */

static void lead(leader *l)
{
    const double least = 50e-6, most = 1e-3;
    double pause = least;
    for (;;) {
        l->idle = true;
        take_messages(l);
        bool own = serve_own(l);
        look_after(l);
        if (own && l->done == l->r->ranks - 1) {
            break;
        }
        pause = !l->idle ? least : pause < most ? 2 * pause : most;
        if (l->idle) {
            pool_wait(&l->pool, pause);
        }
    }
    for (int i = 1; i < l->r->ranks; i++) {
        ranks_settle(&l->peers[i].points);
        ranks_settle(&l->peers[i].there);
    }
}

static int finish(leader *l, const inlay_study_options *options)
{
    inlay_study_result result;
    int status = inlay_study_finish(l->running, &result, l->diag);
    meter_end();
    status = status == INLAY_OK && !l->r->call->common->quiet ? study_print(&result, options) : status;
    int end = report_end(l->r->call, status, l->diag);
    return end == EXIT_DONE && result.failed == result.progress.points && result.failed > 0 ? EXIT_NO : end;
}

/* Whether all begin. */
static bool begin(leader *l, const inlay_study_options *options, int *end)
{
    int status = inlay_study_begin(l->r->study, options, &l->running, l->diag);
    *end = status == INLAY_OK ? EXIT_DONE : report_end(l->r->call, status, l->diag);
    return *end == EXIT_DONE;
}

static void begin_peers(leader *l)
{
    double now = MPI_Wtime();
    for (int i = 0; i < l->r->ranks; i++) {
        l->peers[i] = (peer){.heard = now, .told = now, .points = MPI_REQUEST_NULL, .there = MPI_REQUEST_NULL};
    }
}

int ranks_lead(const ranks *r, inlay_diag *diag)
{
    char path[STUDY_PATH];
    inlay_study_options options;
    leader l = {.r = r, .diag = diag};
    MPI_Request all;
    int end = study_options(r->call, r->study, path, &options);
    bool begun = end == EXIT_DONE && begin(&l, &options, &end);
    MPI_Ibcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD, &all);
    ranks_settle(&all);
    if (!begun) {
        return end;
    }
    l.peers = malloc((size_t)r->ranks * sizeof *l.peers);
    if (l.peers == NULL || !pool_begin(&l.pool, r->study, r->threads)) {
        ranks_abort(report_no_memory());
    }
    begin_peers(&l);
    meter_begin(r->call);
    lead(&l);
    pool_end(&l.pool);
    free(l.peers);
    end = finish(&l, &options);
    inlay_study_end(l.running);
    return end;
}

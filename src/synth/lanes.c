/* First fit, sender by sender: of the lanes to one receiver a lower one was used by a message that is received later. */
#include "synth/lanes.h"
#include "base/diag.h"
#include "base/memory.h"
#include "synth/steps.h"
#include <stdlib.h>

/* What one sender sends, in order. */
typedef struct sent {
    inlay_id to;
    int64_t item;
} sent;

typedef struct lane_finder {
    int64_t *lane;    /* first when an item is received, among all that its receiver receives; then its lane */
    int64_t received; /* by the receiver at hand */
    sent *sent;
    size_t sents, sent_room;
    /* Of a receiver: how many messages the sender at hand sends there, how many lanes they take so far, and where its
       lanes are in `last`, which tells of every lane when its last message is received. */
    int64_t *messages, *lanes, *begin, *last;
    size_t last_room;
} lane_finder;

static int number_receives(void *context, const raw_step *step)
{
    lane_finder *f = context;
    if (step->kind == INLAY_SYNTH_RECEIVE || step->kind == INLAY_SYNTH_ACCEPT) {
        f->lane[step->item] = f->received++;
    }
    return INLAY_OK;
}

static int collect_sent(void *context, const raw_step *step)
{
    lane_finder *f = context;
    if (step->kind != INLAY_SYNTH_SEND) {
        return INLAY_OK;
    }
    if (!memory_grow((void **)&f->sent, &f->sent_room, f->sents + 1, sizeof *f->sent)) {
        return INLAY_NO_MEMORY;
    }
    f->sent[f->sents++] = (sent){step->peer, step->item};
    return INLAY_OK;
}

/* The lanes to one receiver, the later received first: the first whose last message is received before `when`. */
static int64_t fit(const int64_t *last, int64_t lanes, int64_t when)
{
    int64_t low = 0, high = lanes;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (last[middle] < when) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Room for as many lanes as messages to each receiver, which is as many as there can be. */
static int share_room(lane_finder *f)
{
    int64_t begin = 0;
    for (size_t k = 0; k < f->sents; k++) {
        f->messages[f->sent[k].to]++;
    }
    for (size_t k = 0; k < f->sents; k++) {
        inlay_id to = f->sent[k].to;
        if (f->messages[to] > 0) { /* met for the first time */
            f->begin[to] = begin;
            begin += f->messages[to];
            f->messages[to] = f->lanes[to] = 0;
        }
    }
    return memory_grow((void **)&f->last, &f->last_room, f->sents, sizeof *f->last) ? INLAY_OK : INLAY_NO_MEMORY;
}

static int lanes_of_sender(const synth_job *job, lane_finder *f, inlay_id cluster)
{
    f->sents = 0;
    int status = synth_each_step(job, cluster, collect_sent, f);
    if (status == INLAY_OK) {
        status = share_room(f);
    }
    for (size_t k = 0; k < f->sents && status == INLAY_OK; k++) {
        inlay_id to = f->sent[k].to;
        int64_t *last = f->last + f->begin[to], when = f->lane[f->sent[k].item];
        int64_t lane = fit(last, f->lanes[to], when);
        last[lane] = when;
        f->lanes[to] += lane == f->lanes[to];
        f->lane[f->sent[k].item] = lane;
    }
    return status;
}

static int find_all(const synth_job *job, lane_finder *f)
{
    int status = INLAY_OK;
    for (inlay_id c = 0; c < job->clusters && status == INLAY_OK; c++) {
        f->received = 0;
        status = synth_each_step(job, c, number_receives, f);
    }
    for (inlay_id c = 0; c < job->clusters && status == INLAY_OK; c++) {
        status = lanes_of_sender(job, f, c);
    }
    return status;
}

int synth_find_lanes(const synth_job *job, int64_t **lane, inlay_diag *diag)
{
    const inlay_app *app = job->app;
    size_t clusters = (size_t)job->clusters;
    int64_t items = app->links + (app->blocks > 0 ? app->use_begin[app->blocks] : 0);
    lane_finder f = {.lane = memory_zeroed((size_t)items, sizeof *f.lane),
                     .messages = memory_zeroed(clusters, sizeof *f.messages),
                     .lanes = memory_zeroed(clusters, sizeof *f.lanes),
                     .begin = memory_zeroed(clusters, sizeof *f.begin)};
    bool room = f.lane != NULL && f.messages != NULL && f.lanes != NULL && f.begin != NULL;
    int status = room ? find_all(job, &f) : INLAY_NO_MEMORY;
    free(f.sent);
    free(f.messages);
    free(f.lanes);
    free(f.begin);
    free(f.last);
    if (status != INLAY_OK) {
        free(f.lane);
        return diag_no_memory(diag);
    }
    *lane = f.lane;
    return INLAY_OK;
}

/* First fit, sender by sender: of the lanes to one receiver a lower one was used by a message that is received later. */
#include "synth/lanes.h"
#include "base/diag.h"
#include "base/memory.h"
#include "synth/steps.h"
#include <stdlib.h>
#include <string.h>

/* What one sender sends, in order. */
typedef struct sent {
    inlay_id to;
    int64_t item;
} sent;

typedef struct lane_finder {
    const synth_job *job;
    synth_lanes
        *lanes;       /* in the place of a lane first when an item is received, among all that its receiver receives */
    int32_t received; /* by the receiver at hand */
    sent *sent;
    size_t sents, sent_room;
    /* Of a receiver: how many items the sender at hand sends there, how many lanes they take so far, and where its lanes
       are in `last`, which tells of every lane when its last item is received. */
    int32_t *items, *used, *begin, *last;
    size_t last_room;
} lane_finder;

void synth_lanes_clear(synth_lanes *lanes)
{
    free(lanes->item);
    intern_clear(&lanes->sizes);
    *lanes = (synth_lanes){0};
}

/* ---- Sizes ---- */

enum { SIZES_WORDS = 6 }; /* messages, larger ones, size: two each */

static int32_t number_sizes(synth_lanes *lanes, const job_messages *m)
{
    int32_t word[SIZES_WORDS];
    memcpy(word, &m->messages, sizeof m->messages);
    memcpy(word + 2, &m->larger, sizeof m->larger);
    memcpy(word + 4, &m->size, sizeof m->size);
    return intern_put(&lanes->sizes, word, SIZES_WORDS);
}

job_messages synth_lanes_messages(const synth_lanes *lanes, int64_t item)
{
    size_t words;
    const int32_t *word = intern_at(&lanes->sizes, lanes->item[item].sizes, &words);
    job_messages m;
    memcpy(&m.messages, word, sizeof m.messages);
    memcpy(&m.larger, word + 2, sizeof m.larger);
    memcpy(&m.size, word + 4, sizeof m.size);
    return m;
}

/* ---- Lanes ---- */

static int number_receive(void *context, const raw_step *step)
{
    lane_finder *f = context;
    if (f->received == INT32_MAX) {
        return INLAY_OVERFLOW;
    }
    f->lanes->item[step->item].lane = f->received++;
    return INLAY_OK;
}

static int collect_sent(void *context, const raw_step *step)
{
    lane_finder *f = context;
    if (step->kind != INLAY_SYNTH_SEND) {
        return INLAY_OK;
    }
    job_messages m = synth_job_messages(f->job, step->item);
    int32_t sizes = number_sizes(f->lanes, &m);
    if (sizes < 0 || !memory_grow((void **)&f->sent, &f->sent_room, f->sents + 1, sizeof *f->sent)) {
        return INLAY_NO_MEMORY;
    }
    f->lanes->item[step->item].sizes = sizes;
    f->sent[f->sents++] = (sent){step->peer, step->item};
    return f->sents < INT32_MAX ? INLAY_OK : INLAY_OVERFLOW;
}

/* The lanes to one receiver, the later received first: the first whose last item is received before `when`. */
static int32_t fit(const int32_t *last, int32_t lanes, int32_t when)
{
    int32_t low = 0, high = lanes;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (last[middle] < when) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Room for as many lanes as items to each receiver, which is as many as there can be. */
static int share_room(lane_finder *f)
{
    int32_t begin = 0;
    for (size_t k = 0; k < f->sents; k++) {
        f->items[f->sent[k].to]++;
    }
    for (size_t k = 0; k < f->sents; k++) {
        inlay_id to = f->sent[k].to;
        if (f->items[to] > 0) { /* met for the first time */
            f->begin[to] = begin;
            begin += f->items[to];
            f->items[to] = f->used[to] = 0;
        }
    }
    return memory_grow((void **)&f->last, &f->last_room, f->sents, sizeof *f->last) ? INLAY_OK : INLAY_NO_MEMORY;
}

static int lanes_of_sender(lane_finder *f, inlay_id cluster)
{
    f->sents = 0;
    int status = synth_each_step(f->job, cluster, STEPS_OUT, collect_sent, f);
    if (status == INLAY_OK) {
        status = share_room(f);
    }
    for (size_t k = 0; k < f->sents && status == INLAY_OK; k++) {
        inlay_id to = f->sent[k].to;
        int32_t *last = f->last + f->begin[to], *when = &f->lanes->item[f->sent[k].item].lane;
        int32_t lane = fit(last, f->used[to], *when);
        last[lane] = *when;
        f->used[to] += lane == f->used[to];
        *when = lane;
    }
    return status;
}

static int find_all(lane_finder *f)
{
    int status = INLAY_OK;
    for (inlay_id c = 0; c < f->job->clusters && status == INLAY_OK; c++) {
        f->received = 0;
        status = synth_each_step(f->job, c, STEPS_IN, number_receive, f);
    }
    for (inlay_id c = 0; c < f->job->clusters && status == INLAY_OK; c++) {
        status = lanes_of_sender(f, c);
    }
    return status;
}

int synth_lanes_find(const synth_job *job, synth_lanes *lanes, inlay_diag *diag)
{
    size_t clusters = (size_t)job->clusters;
    synth_lanes found = {.item = memory_zeroed((size_t)synth_job_items(job), sizeof *found.item)};
    lane_finder f = {.job = job,
                     .lanes = &found,
                     .items = memory_zeroed(clusters, sizeof *f.items),
                     .used = memory_zeroed(clusters, sizeof *f.used),
                     .begin = memory_zeroed(clusters, sizeof *f.begin)};
    bool room = found.item != NULL && f.items != NULL && f.used != NULL && f.begin != NULL;
    int status = room ? find_all(&f) : INLAY_NO_MEMORY;
    free(f.sent);
    free(f.items);
    free(f.used);
    free(f.begin);
    free(f.last);
    if (status == INLAY_OK) {
        *lanes = found;
        return INLAY_OK;
    }
    synth_lanes_clear(&found);
    return status == INLAY_NO_MEMORY
               ? diag_no_memory(diag)
               : diag_fail(diag, status, "a processor sends or receives more than 2^31 links; expected fewer");
}

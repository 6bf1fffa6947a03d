/* What a step is, packed into words by which equal ones are known. */
#include "synth/number.h"
#include "base/memory.h"
#include "synth/steps.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void numberer_clear(numberer *n)
{
    intern_clear(&n->work);
    intern_clear(&n->kind);
    free(n->symbol);
    *n = (numberer){0};
}

/* ---- Sums ---- */

static int add(int64_t *sum, int64_t more)
{
    static const int64_t most = INT64_C(1) << SYNTH_DIGITS;
    if (more > most - *sum) {
        return INLAY_OVERFLOW;
    }
    *sum += more;
    return INLAY_OK;
}

static int add_times(int64_t *sum, int64_t times, int64_t more)
{
    int64_t product;
    return __builtin_mul_overflow(times, more, &product) ? INLAY_OVERFLOW : add(sum, product);
}

/* ---- Words ---- */

enum {
    KIND_WORDS = 5, /* kind, distance, lane; size in two */
    WORK_WORDS = 9  /* arithmetic, functions, memory and seconds in two each; counted */
};

static int32_t number_kind(numberer *n, const synth_kind *k)
{
    int32_t word[KIND_WORDS] = {(int32_t)k->kind, k->distance, k->lane};
    memcpy(word + 3, &k->size, sizeof k->size);
    return intern_put(&n->kind, word, KIND_WORDS);
}

synth_kind numberer_kind(const numberer *n, int32_t number)
{
    size_t words;
    const int32_t *word = intern_at(&n->kind, number, &words);
    synth_kind k = {(inlay_synth_kind)word[0], word[1], word[2], 0};
    memcpy(&k.size, word + 3, sizeof k.size);
    return k;
}

static int32_t number_work(numberer *n, const synth_work *w)
{
    int32_t word[WORK_WORDS];
    memcpy(word, &w->arithmetic, sizeof w->arithmetic);
    memcpy(word + 2, &w->functions, sizeof w->functions);
    memcpy(word + 4, &w->memory, sizeof w->memory);
    memcpy(word + 6, &w->seconds, sizeof w->seconds);
    word[8] = w->counted;
    return intern_put(&n->work, word, WORK_WORDS);
}

synth_work numberer_work(const numberer *n, int32_t number)
{
    size_t words;
    const int32_t *word = intern_at(&n->work, number, &words);
    synth_work w = {.counted = word[8] != 0};
    memcpy(&w.arithmetic, word, sizeof w.arithmetic);
    memcpy(&w.functions, word + 2, sizeof w.functions);
    memcpy(&w.memory, word + 4, sizeof w.memory);
    memcpy(&w.seconds, word + 6, sizeof w.seconds);
    return w;
}

/* ---- Symbols ---- */

/* A rank on its way to symbols. */
typedef struct rank_walk {
    numberer *n;
    const job_cluster *own;
    int32_t last;   /* kind of the latest steps, of which there were `times` */
    int64_t times;  /* 0: none yet */
    int64_t memory; /* that the rank goes through */
} rank_walk;

static int push(numberer *n, int32_t symbol)
{
    if (!memory_grow((void **)&n->symbol, &n->symbol_room, n->symbols + 1, sizeof *n->symbol)) {
        return INLAY_NO_MEMORY;
    }
    n->symbol[n->symbols++] = symbol;
    return INLAY_OK;
}

/* Equal steps that stand together are a loop from three on: one of two is as long as they are. */
static int flush(rank_walk *w)
{
    int32_t symbol = w->last;
    int status = INLAY_OK;
    if (w->times > 2) {
        status = folder_loop(w->n->folder, &w->last, 1, w->times, &symbol);
        w->times = 1;
    }
    for (; w->times > 0 && status == INLAY_OK; w->times--) {
        status = push(w->n, symbol);
    }
    return status;
}

static int add_steps(rank_walk *w, const synth_kind *k, int64_t times)
{
    int32_t number = number_kind(w->n, k);
    int status = number < 0 ? INLAY_NO_MEMORY : add(&w->n->sum.steps, times);
    if (status == INLAY_OK && w->times > 0 && number != w->last) {
        status = flush(w);
    }
    w->last = number;
    w->times += times;
    return status;
}

/* ---- Work ---- */

/* floor(count * part / whole), all of it where there is no whole: so that parts add up. */
static int64_t share(int64_t count, inlay_time part, inlay_time whole)
{
    return part == whole ? count : (int64_t)((unsigned __int128)(uint64_t)count * (uint64_t)part / (uint64_t)whole);
}

/* Counts rounded to whole ones; the part between two times of the module. */
static int part_of_count(const double *counts, const raw_step *step, inlay_time m, int64_t *part)
{
    double count = counts == NULL ? 0 : round(counts[step->module]);
    if (!(count <= ldexp(1, SYNTH_DIGITS))) {
        return INLAY_OVERFLOW;
    }
    int64_t before = step->from == 0 ? 0 : share((int64_t)count, step->from, m);
    *part = share((int64_t)count, step->to, m) - before;
    return INLAY_OK;
}

static bool is_counted(const synth_job *job, inlay_id module)
{
    const inlay_app *app = job->app;
    bool has_counts = inlay_app_arithmetic(app, module) > 0 || inlay_app_functions(app, module) > 0;
    return job->options.work == INLAY_SYNTH_COUNTS || (job->options.work == INLAY_SYNTH_AUTO && has_counts);
}

static int describe_work(const rank_walk *w, const raw_step *step, synth_work *result)
{
    const synth_job *job = w->n->job;
    const inlay_app *app = job->app;
    inlay_time m = synth_job_time(w->own, app, step->module);
    bool own = job->mapping->cluster_of[step->module] == w->own - job->cluster; /* guests go through none */
    bool memory = own && !job->options.no_memory && step->from == 0;
    synth_work work = {.memory = memory ? inlay_app_memory(app, step->module) : 0,
                       .seconds = inlay_app_in_units(app, step->to - step->from) * job->seconds / w->own->speed,
                       .counted = is_counted(job, step->module)};
    int status = INLAY_OK;
    if (work.counted) {
        status = part_of_count(app->arithmetic, step, m, &work.arithmetic);
    }
    if (work.counted && status == INLAY_OK) {
        status = part_of_count(app->functions, step, m, &work.functions);
    }
    *result = work;
    return status;
}

static int take_work(rank_walk *w, const raw_step *step)
{
    numberer *n = w->n;
    synth_work work;
    int status = describe_work(w, step, &work);
    if (status == INLAY_OK) {
        status = add(&w->memory, work.memory);
    }
    if (status != INLAY_OK) {
        return status;
    }
    n->sum.counted |= work.counted;
    n->sum.timed |= !work.counted;
    n->no_length |= !work.counted && step->to > step->from && !(n->job->seconds > 0);
    int32_t row = number_work(n, &work);
    return row < 0 ? INLAY_NO_MEMORY : add_steps(w, &(synth_kind){INLAY_SYNTH_DO, 0, 0, row}, 1);
}

/* ---- Messages ---- */

static int add_messages(rank_walk *w, const raw_step *step, int64_t messages, int64_t size)
{
    inlay_synth_summary *sum = &w->n->sum;
    int32_t lane = w->n->lanes->item[step->item].lane;
    inlay_id distance = w->n->job->cluster[step->peer].rank - w->own->rank;
    if (messages == 0) {
        return INLAY_OK;
    }
    if (step->kind == INLAY_SYNTH_SEND) {
        int status = add(&sum->messages, messages);
        status = status == INLAY_OK ? add_times(&sum->bytes, messages, size) : status;
        if (status != INLAY_OK) {
            return status;
        }
        sum->lanes = lane + 1 > sum->lanes ? lane + 1 : sum->lanes;
        sum->largest = size > sum->largest ? size : sum->largest;
    }
    return add_steps(w, &(synth_kind){step->kind, distance, lane, size}, messages);
}

static int take_messages(rank_walk *w, const raw_step *step)
{
    job_messages m = synth_lanes_messages(w->n->lanes, step->item);
    int status = add_messages(w, step, m.larger, m.size + 1);
    return status == INLAY_OK ? add_messages(w, step, m.messages - m.larger, m.size) : status;
}

/* ---- The whole ---- */

static int take_any(void *context, const raw_step *step)
{
    return step->kind == INLAY_SYNTH_DO ? take_work(context, step) : take_messages(context, step);
}

int numberer_rank(numberer *n, inlay_id cluster)
{
    rank_walk w = {.n = n, .own = &n->job->cluster[cluster]};
    n->symbols = 0;
    int status = synth_each_step(n->job, cluster, STEPS_ALL, take_any, &w);
    if (status == INLAY_OK) {
        status = flush(&w);
    }
    n->sum.memory = w.memory > n->sum.memory ? w.memory : n->sum.memory;
    return status;
}

/* The slow synthesis: for every module all links and all uses of data blocks are looked at. */
#include "slow_synth.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A link, or a use of a data block, between two ranks. */
typedef struct way {
    int64_t link;
    inlay_id producer, reader; /**< modules; no producer (-1) of a use */
    inlay_id from, to;         /**< ranks */
    bool awaited;
    inlay_time due;    /**< awaited ones: after so much of the producer's time */
    inlay_id accepted; /**< traffic alone: the place of the receiver's module before which it is accepted */
    inlay_id sent;     /**< a use: the place of the home's module before which it is sent */
    inlay_id crew;     /**< a module of several cores, whose ranks tell each other that they are free and begin; -1 */
    bool begins;       /**< the latter */
    int64_t messages, *bytes; /**< of each */
    int32_t lane;
} way;

typedef struct slow {
    const inlay_mapping *mapping;
    const inlay_app *app;
    const inlay_machine *machine;
    inlay_synth_options options;
    slow_synth *result;
    way *ways;
    int count;
} slow;

void *slow_synth_room(void *array, size_t count, size_t size)
{
    bool full = (count & (count - 1)) == 0;
    return full ? realloc(array, (count > 0 ? 2 * count : 1) * size) : array;
}

bool slow_synth_nothing(const inlay_synth_step *step)
{
    return step->kind == INLAY_SYNTH_DO && step->arithmetic == 0 && step->functions == 0 && step->bytes == 0 &&
           (step->counted || step->seconds == 0);
}

/* ---- Times ---- */

static inlay_processor processor_of(const slow *s, inlay_id module)
{
    inlay_cluster_info info = inlay_mapping_cluster(s->mapping, inlay_mapping_cluster_of(s->mapping, module));
    return inlay_machine_processor(s->machine, info.processor);
}

/* That of the processor's type, were its speed 1; grains. */
static inlay_time time_of(const slow *s, inlay_id module)
{
    const char *type = processor_of(s, module).type;
    for (int t = 0; type != NULL && t < inlay_app_types(s->app); t++)
        if (strcmp(type, inlay_app_type_name(s->app, t)) == 0 && inlay_app_type_time(s->app, t, module) >= 0)
            return inlay_app_type_time(s->app, t, module);
    return inlay_app_time(s->app, module);
}

static double seconds_of(const slow *s, inlay_id module, inlay_time time)
{
    inlay_unit unit = inlay_app_unit(s->app);
    double length = unit == INLAY_UNIT_TICK ? s->result->tick_seconds : inlay_unit_seconds(unit);
    return inlay_app_in_units(s->app, time) / processor_of(s, module).speed * length;
}

static inlay_time due_of(const slow *s, inlay_id from, inlay_id to)
{
    inlay_time time = time_of(s, from), wait = inlay_app_blocking(s->app, to) - inlay_app_blocking(s->app, from);
    if (!inlay_mapping_summary(s->mapping)->streamed) return time;
    return wait < 0 ? 0 : wait < time ? wait : time;
}

/* The place of the first module of a cluster that starts at or after that time; the number of its modules where none does. */
static inlay_id place_at(const slow *s, inlay_id cluster, double time)
{
    inlay_cluster_info info = inlay_mapping_cluster(s->mapping, cluster);
    for (inlay_id k = 0; k < info.modules; k++)
        if (inlay_mapping_start(s->mapping, info.module[k]) >= time) return k;
    return info.modules;
}

/* ---- Messages of a link ---- */

static void add_message(way *w, int64_t bytes)
{
    w->bytes = slow_synth_room(w->bytes, (size_t)w->messages, sizeof *w->bytes);
    w->bytes[w->messages++] = bytes;
}

/* The first ones are one byte larger. */
static void share(way *w, int64_t messages, int64_t bytes)
{
    for (int64_t m = 0; m < messages; m++)
        add_message(w, bytes / messages + (m < bytes % messages));
}

/* All of one size. */
static void repeat(way *w, int64_t messages, int64_t bytes)
{
    for (int64_t m = 0; m < messages; m++)
        add_message(w, bytes);
}

static void fill_messages(const slow *s, way *w, int64_t messages, int64_t bytes)
{
    bool in_bytes = inlay_mapping_summary(s->mapping)->traffic_in_bytes;
    int64_t own = inlay_machine_message_size(s->machine), size = s->options.message_size;
    if (size == 0) size = own > 0 ? own : 8;
    bool cut = !in_bytes && own > 0 && bytes > 0;
    int64_t pieces = cut ? (bytes + own - 1) / own : messages;
    if (s->options.model_sizes && (pieces > 0 || (in_bytes && bytes > 0)))
        add_message(w, in_bytes ? bytes : pieces * size); /* one, as long as all */
    else if (cut || (messages > 0 && bytes > 0))
        share(w, pieces, bytes);
    else if (messages > 0)
        repeat(w, messages, size);
    else if (in_bytes && bytes > 0)
        add_message(w, bytes);
    if (w->messages == 0 && w->awaited) add_message(w, 0);
}

/* ---- Links and uses ---- */

static inlay_id rank_of(const slow *s, inlay_id cluster)
{
    for (inlay_id r = 0; r < s->result->ranks; r++)
        if (s->result->rank[r].cluster == cluster) return r;
    ck_abort_msg("cluster %d has no rank", (int)cluster);
    return -1;
}

static void add_way(slow *s, way w, int64_t messages, int64_t bytes)
{
    if (w.from == w.to) return;
    fill_messages(s, &w, messages, bytes);
    if (w.messages == 0) return;
    s->ways = slow_synth_room(s->ways, (size_t)s->count, sizeof *s->ways);
    s->ways[s->count++] = w;
}

static way link_way(const slow *s, inlay_id i, inlay_id j, bool awaited)
{
    inlay_id from = inlay_mapping_cluster_of(s->mapping, i), to = inlay_mapping_cluster_of(s->mapping, j);
    way w = {.producer = i, .reader = j, .from = rank_of(s, from), .to = rank_of(s, to), .awaited = awaited};
    w.crew = -1;
    w.accepted = w.sent = -1;
    if (awaited)
        w.due = due_of(s, i, j);
    else
        w.accepted = place_at(s, to,
                              inlay_mapping_start(s->mapping, i) +
                                  inlay_app_in_units(s->app, time_of(s, i)) / processor_of(s, i).speed);
    return w;
}

static inlay_id place_of(const slow *s, inlay_id module)
{
    inlay_cluster_info info = inlay_mapping_cluster(s->mapping, inlay_mapping_cluster_of(s->mapping, module));
    for (inlay_id k = 0; k < info.modules; k++)
        if (info.module[k] == module) return k;
    ck_abort_msg("module %d has no place", (int)module);
    return -1;
}

/* Data go once to each rank: the copies of which module j is the first consumer there, by number. */
static void list_copies(slow *s, inlay_id i, inlay_id j, int64_t *link)
{
    for (inlay_id d = 0; d < inlay_app_data(s->app); d++) {
        inlay_datum datum = inlay_app_datum(s->app, d);
        way w = link_way(s, i, j, true);
        bool first = false, met = false;
        for (int64_t k = 0; datum.producer == i && k < datum.consumers; k++) {
            inlay_id to = datum.consumer[k];
            if (inlay_mapping_cluster_of(s->mapping, to) != inlay_mapping_cluster_of(s->mapping, j)) continue;
            first = first || (!met && to == j);
            met = true;
            if (place_of(s, to) < place_of(s, w.reader)) w.reader = to;
            if (due_of(s, i, to) < w.due) w.due = due_of(s, i, to);
        }
        w.link = *link;
        *link += first;
        if (first) add_way(s, w, datum.messages, datum.bytes);
    }
}

static void list_ways(slow *s)
{
    int64_t link = 0;
    bool once = inlay_app_data(s->app) > 0 && inlay_mapping_summary(s->mapping)->options.copies == INLAY_COPIES_ONCE;
    for (inlay_id i = 0; i < inlay_app_modules(s->app); i++) {
        inlay_links out = inlay_app_out(s->app, i);
        for (int64_t l = 0; l < out.count; l++) {
            bool awaited = !(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY), apart = once && awaited;
            bool nothing = apart && out.own_messages[l] < 0;
            way w = link_way(s, i, out.module[l], awaited);
            w.link = link++;
            if (!nothing || inlay_mapping_summary(s->mapping)->streamed) /* its copy may come before it is due */
                add_way(s, w,
                        nothing ? 0
                        : apart ? out.own_messages[l]
                                : out.messages[l],
                        nothing ? 0
                        : apart ? out.own_bytes[l]
                                : out.bytes[l]);
            if (apart) list_copies(s, i, out.module[l], &link);
        }
    }
    for (inlay_id d = 0; d < inlay_app_blocks(s->app); d++) {
        inlay_links uses = inlay_app_uses(s->app, d);
        inlay_id home = inlay_mapping_home(s->mapping, d);
        for (int64_t u = 0; u < uses.count; u++) {
            inlay_id reader = uses.module[u];
            way w = {.link = link++, .producer = -1, .reader = reader, .accepted = -1, .crew = -1};
            w.from = rank_of(s, home);
            w.to = rank_of(s, inlay_mapping_cluster_of(s->mapping, reader));
            w.sent = place_at(s, home, inlay_mapping_start(s->mapping, reader));
            add_way(s, w, uses.messages[u], uses.bytes[u]);
        }
    }
    for (inlay_id i = 0; i < inlay_app_modules(s->app); i++) {
        int64_t guests;
        const inlay_id *guest = inlay_mapping_guest_of(s->mapping, i, &guests);
        inlay_id own = rank_of(s, inlay_mapping_cluster_of(s->mapping, i));
        for (int64_t k = 0; k < 2 * guests; k++) {
            way w = {.link = link++, .producer = -2, .reader = -1, .accepted = -1, .sent = -1, .crew = i};
            inlay_id other = rank_of(s, guest[k / 2]);
            w.begins = k % 2 == 1;
            w.from = w.begins ? own : other;
            w.to = w.begins ? other : own;
            add_way(s, w, 1, 0);
            s->ways[s->count - 1].bytes[0] = 0;
        }
    }
}

/* ---- Steps ---- */

static void add_step(slow *s, inlay_id rank, slow_synth_step step)
{
    slow_synth_rank *r = &s->result->rank[rank];
    r->step = slow_synth_room(r->step, r->steps, sizeof *r->step);
    r->step[r->steps++] = step;
}

static void pass(slow *s, inlay_id rank, const way *w, inlay_synth_kind kind)
{
    inlay_id peer = kind == INLAY_SYNTH_SEND ? w->to : w->from;
    for (int64_t m = 0; m < w->messages; m++)
        add_step(s, rank, (slow_synth_step){{.kind = kind, .peer = peer, .bytes = w->bytes[m]}, -1, w->link, m});
}

/* What of a count is done up to there: whole ones, and all at the end. */
static int64_t share_of(int64_t count, inlay_time done, inlay_time whole)
{
    return done == whole ? count : count * done / whole;
}

/* What a module does from one of its grains to another: the memory goes with the first. */
static void work(slow *s, inlay_id rank, inlay_id module, inlay_time from, inlay_time to)
{
    inlay_time whole = time_of(s, module);
    int64_t arithmetic = llround(inlay_app_arithmetic(s->app, module));
    int64_t functions = llround(inlay_app_functions(s->app, module));
    bool has = inlay_app_arithmetic(s->app, module) > 0 || inlay_app_functions(s->app, module) > 0;
    inlay_synth_step step = {.kind = INLAY_SYNTH_DO, .peer = -1};
    step.counted = s->options.work == INLAY_SYNTH_COUNTS || (s->options.work == INLAY_SYNTH_AUTO && has);
    step.seconds = seconds_of(s, module, to) - seconds_of(s, module, from);
    if (step.counted) {
        step.arithmetic = share_of(arithmetic, to, whole) - (from > 0 ? share_of(arithmetic, from, whole) : 0);
        step.functions = share_of(functions, to, whole) - (from > 0 ? share_of(functions, from, whole) : 0);
    }
    if (from == 0 && !s->options.no_memory) step.bytes = inlay_app_memory(s->app, module);
    add_step(s, rank, (slow_synth_step){step, module, -1, 0});
}

/* The next due of a module's links after that one; the module's time where there is none. */
static inlay_time next_due(const slow *s, inlay_id module, inlay_time after)
{
    inlay_time next = time_of(s, module);
    for (int w = 0; w < s->count; w++)
        if (s->ways[w].producer == module && s->ways[w].awaited && s->ways[w].due > after && s->ways[w].due < next)
            next = s->ways[w].due;
    return next;
}

/* Work and sends of the links with precedence, in the order of their dues; of one due by the receiver's number. */
static void work_and_send(slow *s, inlay_id rank, inlay_id module)
{
    inlay_time at = 0, whole = time_of(s, module);
    for (inlay_time due = next_due(s, module, -1); due < whole; due = next_due(s, module, due)) {
        if (due > at) work(s, rank, module, at, due);
        at = due;
        for (int w = 0; w < s->count; w++)
            if (s->ways[w].producer == module && s->ways[w].awaited && s->ways[w].due == due)
                pass(s, rank, &s->ways[w], INLAY_SYNTH_SEND);
    }
    work(s, rank, module, at, whole);
    for (int w = 0; w < s->count; w++)
        if (s->ways[w].producer == module && s->ways[w].awaited && s->ways[w].due == whole)
            pass(s, rank, &s->ways[w], INLAY_SYNTH_SEND);
    for (int w = 0; w < s->count; w++)
        if (s->ways[w].producer == module && !s->ways[w].awaited) pass(s, rank, &s->ways[w], INLAY_SYNTH_SEND);
}

/* What happens between two modules of a rank, whose turn has come. */
static void between(slow *s, inlay_id rank, inlay_id place)
{
    for (int w = 0; w < s->count; w++)
        if (s->ways[w].from == rank && s->ways[w].producer < 0 && s->ways[w].sent == place)
            pass(s, rank, &s->ways[w], INLAY_SYNTH_SEND);
    for (int w = 0; w < s->count; w++)
        if (s->ways[w].to == rank && s->ways[w].accepted == place) pass(s, rank, &s->ways[w], INLAY_SYNTH_ACCEPT);
}

/* Ranks that compute a module together: who sends that it is free, or that the module begins, or receives it. */
static void meet(slow *s, inlay_id rank, inlay_id module, bool begins, inlay_synth_kind kind)
{
    for (int w = 0; w < s->count; w++)
        if (s->ways[w].crew == module && s->ways[w].begins == begins &&
            (kind == INLAY_SYNTH_SEND ? s->ways[w].from : s->ways[w].to) == rank)
            pass(s, rank, &s->ways[w], kind);
}

static void do_rank(slow *s, inlay_id rank)
{
    if (s->result->rank[rank].cluster < 0) return;
    inlay_cluster_info info = inlay_mapping_cluster(s->mapping, s->result->rank[rank].cluster);
    for (inlay_id k = 0; k < info.modules; k++) {
        inlay_id j = info.module[k];
        between(s, rank, k);
        if (inlay_mapping_cluster_of(s->mapping, j) != s->result->rank[rank].cluster) {
            meet(s, rank, j, false, INLAY_SYNTH_SEND);
            meet(s, rank, j, true, INLAY_SYNTH_RECEIVE);
            work(s, rank, j, 0, time_of(s, j));
            s->result->rank[rank].step[s->result->rank[rank].steps - 1].step.bytes = 0; /* the first goes through it */
            continue;
        }
        for (int w = 0; w < s->count; w++)
            if (s->ways[w].reader == j && s->ways[w].awaited) pass(s, rank, &s->ways[w], INLAY_SYNTH_RECEIVE);
        meet(s, rank, j, false, INLAY_SYNTH_RECEIVE);
        for (int w = 0; w < s->count; w++)
            if (s->ways[w].reader == j && s->ways[w].producer < 0) pass(s, rank, &s->ways[w], INLAY_SYNTH_ACCEPT);
        meet(s, rank, j, true, INLAY_SYNTH_SEND);
        work_and_send(s, rank, j);
    }
    between(s, rank, info.modules);
}

/* ---- Lanes ---- */

/* Where the first message of a link stands among the steps of a rank. */
static size_t position(const slow *s, inlay_id rank, int64_t link)
{
    const slow_synth_rank *r = &s->result->rank[rank];
    for (size_t i = 0; i < r->steps; i++)
        if (r->step[i].link == link) return i;
    ck_abort_msg("link %ld is not at rank %d", (long)link, (int)rank);
    return 0;
}

/* Whether some link of that lane, sent before, is received after this one. */
static bool crossed(const slow *s, const way *w, int32_t lane)
{
    for (int o = 0; o < s->count; o++) {
        const way *other = &s->ways[o];
        if (other->from != w->from || other->to != w->to || other->lane != lane) continue;
        if (position(s, w->from, other->link) < position(s, w->from, w->link) &&
            position(s, w->to, other->link) > position(s, w->to, w->link))
            return true;
    }
    return false;
}

/* Lanes are given in the order of the sends. */
static void choose_lanes(slow *s)
{
    for (int w = 0; w < s->count; w++)
        s->ways[w].lane = -1;
    for (inlay_id r = 0; r < s->result->ranks; r++)
        for (size_t i = 0; i < s->result->rank[r].steps; i++) {
            const slow_synth_step *step = &s->result->rank[r].step[i];
            for (int w = 0; w < s->count && step->step.kind == INLAY_SYNTH_SEND && step->message == 0; w++) {
                if (s->ways[w].link != step->link) continue;
                int32_t lane = 0;
                while (crossed(s, &s->ways[w], lane))
                    lane++;
                s->ways[w].lane = lane;
                s->result->lanes = lane + 1 > s->result->lanes ? lane + 1 : s->result->lanes;
            }
        }
    for (inlay_id r = 0; r < s->result->ranks; r++)
        for (size_t i = 0; i < s->result->rank[r].steps; i++)
            for (int w = 0; w < s->count; w++)
                if (s->ways[w].link == s->result->rank[r].step[i].link)
                    s->result->rank[r].step[i].step.lane = s->ways[w].lane;
}

/* ---- Together ---- */

static inlay_id cluster_at(const slow *s, inlay_id processor)
{
    for (inlay_id c = 0; c < inlay_mapping_summary(s->mapping)->clusters; c++)
        if (inlay_mapping_cluster(s->mapping, c).processor == processor) return c;
    return -1;
}

static void list_ranks(slow *s)
{
    for (inlay_id p = 0; p < inlay_machine_processors(s->machine); p++) {
        inlay_id cluster = cluster_at(s, p);
        if (cluster < 0 && !s->options.all_processors) continue;
        ck_assert_int_lt(s->result->ranks, SLOW_SYNTH_RANKS);
        s->result->rank[s->result->ranks++] = (slow_synth_rank){.cluster = cluster, .processor = p};
    }
}

void slow_synthesise(const inlay_mapping *mapping, const inlay_synth_options *options, slow_synth *result)
{
    slow s = {.mapping = mapping, .result = result};
    s.app = inlay_mapping_app(mapping);
    s.machine = inlay_mapping_machine(mapping);
    if (options != NULL) s.options = *options;
    memset(result, 0, sizeof *result);
    double mapped = inlay_mapping_summary(mapping)->options.tick_seconds;
    if (inlay_app_unit(s.app) == INLAY_UNIT_TICK)
        result->tick_seconds = s.options.tick_seconds > 0 ? s.options.tick_seconds : mapped;
    list_ranks(&s);
    list_ways(&s);
    for (inlay_id r = 0; r < result->ranks; r++)
        do_rank(&s, r);
    choose_lanes(&s);
    for (int w = 0; w < s.count; w++)
        free(s.ways[w].bytes);
    free(s.ways);
}

void slow_synth_clear(slow_synth *result)
{
    for (inlay_id r = 0; r < result->ranks; r++)
        free(result->rank[r].step);
    result->ranks = 0;
}

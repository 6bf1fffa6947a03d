/* The loop of the checker's simulator: processors, and the list of what is to come. */
#include "check/simulator_state.h"

#include <math.h>
#include <stdlib.h>

/* ---- What is to come ---- */

static bool comes_first(const sim_event *a, const sim_event *b)
{
    if (a->time < b->time || a->time > b->time) return a->time < b->time;
    return a->kind != b->kind ? a->kind < b->kind : a->who < b->who;
}

bool sim_grow(simulator *s, void **column, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room) return true;
    size_t wanted = needed < 64 ? 64 : 2 * needed;
    void *larger = wanted > SIZE_MAX / size ? NULL : realloc(*column, wanted * size);
    if (!larger) {
        s->status = INLAY_NO_MEMORY;
        return false;
    }
    *column = larger;
    *room = wanted;
    return true;
}

void sim_put(simulator *s, sim_event e)
{
    if (!isfinite(e.time)) s->status = INLAY_OVERFLOW;
    if (!sim_grow(s, (void **)&s->event, &s->events_room, s->events + 1, sizeof *s->event)) return;
    size_t at = s->events++;
    for (; at > 0 && comes_first(&e, &s->event[(at - 1) / 2]); at = (at - 1) / 2)
        s->event[at] = s->event[(at - 1) / 2];
    s->event[at] = e;
}

void sim_at(simulator *s, double time, sim_kind kind, int64_t who)
{
    sim_put(s, (sim_event){time, kind, who, -1});
}

static sim_event take_first(simulator *s)
{
    sim_event first = s->event[0], last = s->event[--s->events];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->events; at = child) {
        if (child + 1 < s->events && comes_first(&s->event[child + 1], &s->event[child])) child++;
        if (!comes_first(&s->event[child], &last)) break;
        s->event[at] = s->event[child];
    }
    s->event[at] = last;
    return first;
}

/* ---- Modules ---- */

static double speed_of(const simulator *s, inlay_id c)
{
    return inlay_machine_processor(s->of->machine, sim_number(s, c)).speed;
}

static double started(const simulator *s, inlay_id module)
{
    return s->ready[module]; /* the latest that it got is its start */
}

double sim_computes(const simulator *s, inlay_id module)
{
    return (double)sim_time(s, module) / speed_of(s, s->of->rank_of[module]);
}

/* Its processor has done with it. */
static double end_of(const simulator *s, inlay_id module)
{
    return started(s, module) + (sim_computes(s, module) + s->sends[module]);
}

double sim_due(const simulator *s, const sim_item *item)
{
    return (double)item->after / speed_of(s, s->of->rank_of[item->module]) + item->sent_after;
}

static double due_at(const simulator *s, const sim_item *item)
{
    return started(s, item->module) + sim_due(s, item);
}

/* The next event of a module that runs. */
static void plan_next(simulator *s, inlay_id module)
{
    inlay_id c = s->of->rank_of[module];
    int64_t due = s->processor[c].due;
    sim_at(s, due < s->item_begin[module + 1] ? due_at(s, &s->item[due]) : end_of(s, module), SIM_PROCESSOR, c);
}

/* A module has got one of the things that it waits for, at that time. */
static void get(simulator *s, inlay_id module, double time)
{
    s->ready[module] = sim_larger(s->ready[module], time);
    if (--s->waits[module] > 0) return;
    s->ready[module] += s->receives[module];
    s->processor[s->of->rank_of[module]].due = s->item_begin[module];
    if (s->bandwidth > 0)
        sim_memory_start(s, module, started(s, module));
    else
        plan_next(s, module);
}

static bool has_more(const simulator *s, inlay_id c)
{
    return s->processor[c].at < s->of->begin[c + 1];
}

static void receive(simulator *s, inlay_id module, double now);

/* A processor takes its next module, if there is one. */
static void take(simulator *s, inlay_id c, double now)
{
    const sim_processor *p = &s->processor[c];
    if (has_more(s, c) && s->of->rank_of[s->of->module[p->at]] == c) receive(s, s->of->module[p->at], now);
    if (has_more(s, c)) get(s, s->of->module[p->at], s->of->no_overlap ? sim_larger(now, p->until) : now);
}

void sim_release(simulator *s, inlay_id c, double now)
{
    bool held = s->processor[c].holds;
    s->processor[c].holds = false;
    if (held) take(s, c, now);
}

/* Those copies get their turn that come from where this one goes: by link, then datum. */
static void pass_on(simulator *s, const sim_item *got, double time)
{
    int64_t data = inlay_app_data(s->of->app);
    for (int64_t i = s->item_begin[got->module]; s->network.trees && i < s->item_begin[got->module + 1]; i++) {
        const sim_item *next = &s->item[i];
        if (next->datum == got->datum && next->by == got->there && sim_is_passed(s, next))
            sim_put(s, (sim_event){time, SIM_PASSED, next->link * data + next->datum, i});
    }
}

void sim_satisfy(simulator *s, const sim_item *item, double time)
{
    if (item->datum < 0) {
        if (item->to >= 0) get(s, item->to, time);
        return;
    }
    inlay_datum d = inlay_app_datum(s->of->app, item->datum);
    for (int64_t k = 0; k < d.consumers; k++)
        if (sim_shares(s, d.consumer[k], item->there)) get(s, d.consumer[k], time);
    pass_on(s, item, time);
}

void sim_arrive(simulator *s, sim_item *item, double sent)
{
    sim_processor *p = &s->processor[item->by];
    item->did.sent = sent;
    item->did.arrival = sent + item->latency;
    p->until = sim_larger(p->until, item->did.arrival);
    s->last = sim_larger(s->last, item->did.arrival);
    if (s->watch.sent) s->watch.sent(s->watch.own, &item->did);
    sim_satisfy(s, item, item->did.arrival);
}

static void set_out(simulator *s, int64_t number, double now)
{
    sim_item *item = &s->item[number];
    sim_processor *p = &s->processor[item->by];
    if (s->network.links) {
        sim_set_out(s, item, now);
    } else if (s->contention == INLAY_CONTENTION_NONE || s->network.free) {
        item->did.number = s->sent++;
        item->did.request = item->did.begin = now;
        sim_arrive(s, item, now + sim_alone(s, item));
    } else {
        *(p->first < 0 ? &p->first : &s->item[p->last].next) = number;
        p->last = number;
    }
}

/* Whether one of the modules that wait for an item has come, or just that one. */
static bool is_for(const simulator *s, const sim_item *item, inlay_id module)
{
    if (item->datum < 0) return module < 0 ? s->come[item->to] : item->to == module;
    inlay_datum d = inlay_app_datum(s->of->app, item->datum);
    bool found = false;
    for (int64_t k = 0; k < d.consumers; k++)
        found |= (module < 0 ? s->come[d.consumer[k]] : d.consumer[k] == module) &&
                 sim_shares(s, d.consumer[k], item->there);
    return found;
}

/* An item is due. */
static void dispatch(simulator *s, int64_t number, double now)
{
    sim_item *item = &s->item[number];
    if (item->messages == 0 || s->contention == INLAY_CONTENTION_FREE) {
        sim_satisfy(s, item, now);
        return;
    }
    item->did.due = now;
    if (!item->late || is_for(s, item, -1))
        set_out(s, number, now);
    else if (sim_grow(s, (void **)&s->hold, &s->hold_room, s->held + 1, sizeof *s->hold))
        s->hold[s->held++] = number;
}

/* Which of the items that are held up is the first, by link, then datum, for a module; -1 none. */
static int64_t first_held(const simulator *s, inlay_id module)
{
    int64_t first = -1;
    for (size_t h = 0; h < s->held; h++) {
        const sim_item *item = &s->item[s->hold[h]], *best = first < 0 ? NULL : &s->item[s->hold[first]];
        bool earlier = !best || item->link < best->link || (item->link == best->link && item->datum < best->datum);
        if (earlier && is_for(s, item, module)) first = (int64_t)h;
    }
    return first;
}

/* When a module had computed, before its processor sent. */
static double computed(const simulator *s, inlay_id module)
{
    return s->bandwidth > 0 ? s->processor[s->of->rank_of[module]].end : started(s, module) + sim_computes(s, module);
}

/* Whether a processor's next module is that one, which is at home elsewhere. */
static bool is_guest(const simulator *s, inlay_id c, inlay_id module)
{
    return c != s->of->rank_of[module] && has_more(s, c) && s->of->module[s->processor[c].at] == module;
}

/* Of the processors that a module held beside its own the one of the lowest number; -1 none is left. */
static inlay_id next_guest(const simulator *s, inlay_id module)
{
    inlay_id next = -1;
    for (inlay_id c = 0; inlay_app_cores(s->of->app, module) > 1 && c < s->of->processors; c++)
        if (is_guest(s, c, module) && (next < 0 || sim_number(s, c) < sim_number(s, next))) next = c;
    return next;
}

/* A module has ended on all its processors, which take their next ones. */
static void end_module(simulator *s, inlay_id module, double now)
{
    inlay_id own = s->of->rank_of[module];
    s->ended++;
    s->last = sim_larger(s->last, now);
    if (s->watch.ran) s->watch.ran(s->watch.own, module, started(s, module), computed(s, module));
    s->processor[own].at++;
    s->processor[own].holds = s->of->no_overlap && s->processor[own].sending >= 0;
    if (!s->processor[own].holds) take(s, own, now);
    for (inlay_id c; (c = next_guest(s, module)) >= 0;) {
        s->processor[c].at++;
        take(s, c, now);
    }
}

static void send_next(simulator *s, inlay_id c, double now)
{
    const sim_processor *p = &s->processor[c];
    if (!s->network.links && p->sending < 0 && p->first >= 0) sim_ask(s, c, now);
}

/* A module's own processor has come to it. */
static void receive(simulator *s, inlay_id module, double now)
{
    s->come[module] = true;
    for (int64_t h; (h = first_held(s, module)) >= 0;) {
        int64_t number = s->hold[h];
        s->hold[h] = s->hold[--s->held];
        set_out(s, number, now);
        send_next(s, s->item[number].by, now);
    }
}

/* Whether so much of the time of the module that runs, with what it sends behind, is over. */
static bool is_over(const simulator *s, inlay_id c, double time, double now)
{
    inlay_id module = s->of->module[s->processor[c].at];
    return s->bandwidth > 0 ? sim_memory_over(s, c, now) >= time : started(s, module) + time <= now;
}

static void processor_event(simulator *s, inlay_id c, double now)
{
    sim_processor *p = &s->processor[c];
    inlay_id module = s->of->module[p->at];
    for (; p->due < s->item_begin[module + 1] && is_over(s, c, sim_due(s, &s->item[p->due]), now); p->due++) {
        if (!sim_is_passed(s, &s->item[p->due])) dispatch(s, p->due, now);
    }
    send_next(s, c, now);
    if (is_over(s, c, sim_computes(s, module) + s->sends[module], now))
        end_module(s, module, now);
    else if (s->bandwidth > 0)
        sim_memory_next(s, c, now);
    else
        plan_next(s, module);
}

/* ---- The whole ---- */

static void clear(simulator *s)
{
    for (size_t i = 0; i < s->items; i++)
        sim_forget(&s->item[i]);
    free(s->event);
    free(s->item);
    free(s->item_begin);
    free(s->waits);
    free(s->ready);
    free(s->receives);
    free(s->sends);
    free(s->come);
    free(s->hold);
    free(s->processor);
    free(s->on_bus);
    free(s->memory_taken);
    free(s->free_at);
    free(s->message);
    sim_flows_clear(s);
}

static bool make(simulator *s)
{
    size_t modules = (size_t)inlay_app_modules(s->of->app) + 1, processors = (size_t)s->of->processors;
    s->item_begin = calloc(modules, sizeof *s->item_begin);
    s->waits = calloc(modules, sizeof *s->waits);
    s->ready = calloc(modules, sizeof *s->ready);
    s->receives = calloc(modules, sizeof *s->receives);
    s->sends = calloc(modules, sizeof *s->sends);
    s->come = calloc(modules, sizeof *s->come);
    s->processor = calloc(processors, sizeof *s->processor);
    if (!s->item_begin || !s->waits || !s->ready || !s->receives || !s->sends || !s->come || !s->processor ||
        !sim_make_network(s))
        return false;
    for (inlay_id c = 0; c < s->of->processors; c++) {
        sim_processor *p = &s->processor[c];
        *p = (sim_processor){.at = s->of->begin[c], .first = -1, .last = -1, .sending = -1, .next = -1};
    }
    return true;
}

static int run(simulator *s)
{
    for (inlay_id c = 0; c < s->of->processors; c++)
        take(s, c, 0);
    while (s->events > 0 && s->status == INLAY_OK) {
        sim_event e = take_first(s);
        if (e.kind == SIM_PROCESSOR && s->bandwidth > 0) {
            if (sim_memory_event(s, &e)) processor_event(s, (inlay_id)e.who, e.time);
        } else if (e.kind == SIM_PROCESSOR) {
            processor_event(s, (inlay_id)e.who, e.time);
        } else if (e.kind == SIM_PASSED) {
            dispatch(s, e.item, e.time);
            send_next(s, s->item[e.item].by, e.time);
        } else if (s->network.sharing && !s->of->screen) {
            sim_flow_event(s, &e);
        } else if (s->network.links) {
            sim_link_event(s, e.who, e.time);
        } else {
            sim_network_event(s, e.who, e.time);
        }
    }
    if (s->status == INLAY_OK && !isfinite(s->last)) return INLAY_OVERFLOW;
    return s->status == INLAY_OK && s->ended < inlay_app_modules(s->of->app) ? INLAY_NO_ANSWER : s->status;
}

int check_simulate(const check_program *program, const check_watch *watch, double *elapsed)
{
    simulator s = {.of = program, .first = -1, .last_waiting = -1};
    s.grains = pow(10, inlay_app_decimals(program->app));
    s.contention = inlay_machine_contention(program->machine);
    if (program->contention > s.contention) s.contention = program->contention;
    if (watch) s.watch = *watch;
    sim_read_network(&s);
    sim_read_memory(&s);
    int status = make(&s) ? INLAY_OK : INLAY_NO_MEMORY;
    if (status == INLAY_OK) {
        sim_list(&s);
        status = s.status == INLAY_OK ? run(&s) : s.status;
    }
    *elapsed = s.last / s.grains;
    clear(&s);
    return status;
}

/* The estimate of the elapsed time, and how busy a cluster is. */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>

double check_units(const check *k, inlay_time grains)
{
    return (double)grains / (double)k->grains_per_unit;
}

/* The time that a cluster's messages take. */
static double sending(const check *k, inlay_id cluster)
{
    if (!inlay_machine_has_links(k->machine)) return k->tau * (double)k->cluster[cluster].weighted_out;
    return (double)k->cluster[cluster].sending;
}

double check_utilisation(const check *k, inlay_id cluster)
{
    return (k->cluster[cluster].own_work + sending(k, cluster)) / k->time_frame;
}

/* Time of a module on the processor of its cluster where nobody shares its memory, in the application's unit. */
static double time_alone(const check *k, inlay_id module)
{
    const check_class *class = check_class_of(k, k->cluster[k->cluster_of[module]].processor);
    return check_units(k, check_time_on(k, module, class)) / class->speed;
}

/* The same as it is shared, and the lag of a link there. */
static double time_there(const check *k, inlay_id module)
{
    return time_alone(k, module) * k->stretch[module];
}

static double lag_there(const check *k, inlay_id i, inlay_id j)
{
    const check_class *class = check_class_of(k, k->cluster[k->cluster_of[i]].processor);
    return check_units(k, check_lag(k, i, j, check_time_on(k, i, class))) / class->speed * k->stretch[i];
}

/* Over links: what the flow takes that the message is part of. */
static double journey(const check *k, const check_crossing *of, int64_t traffic, double messages)
{
    const check_flow *flow = check_flow_of(k, of->from, of->to);
    if (!flow) return 0;
    return (double)((long double)traffic * flow->tau + (long double)messages * (k->network.latency + flow->latency) +
                    check_latency_by_size(k, of->messages, of->bytes));
}

/* A lag from the start of a module, and behind it the journey of so much to another cluster. */
static check_path journey_to(const check *k, double lag, const check_crossing *of, double tau)
{
    const check_cluster *from = &k->cluster[of->from], *to = &k->cluster[of->to];
    check_path way = {lag, 0};
    if (from == to) return way;
    int64_t traffic = check_traffic(k, of->messages, of->bytes);
    double messages = (double)check_messages(k, of->messages, of->bytes);
    if (inlay_machine_has_links(k->machine)) {
        way.length += journey(k, of, traffic, messages);
        return way;
    }
    way.carried = (double)traffic * inlay_machine_distance(k->machine, from->processor, to->processor);
    if (way.carried > 0) way.length += tau * way.carried; /* tau may be infinite */
    way.length += k->network.latency * messages + check_latency_by_size(k, of->messages, of->bytes);
    return way;
}

/* What link `l` of module i carries of its own, and where. */
static check_crossing carried_by(const check *k, inlay_id i, const inlay_links *out, int64_t l)
{
    check_crossing of = {.from = k->cluster_of[i], .to = k->cluster_of[out->module[l]]};
    bool stays = check_keeper(k, NULL, of.from) == check_keeper(k, NULL, of.to);
    check_own(k, out, l, stays, &of.messages, &of.bytes);
    return of;
}

/* The way from the start of module i, `after` behind its lag, until its link `l` is satisfied. */
static check_path way_to(const check *k, inlay_id i, const inlay_links *out, int64_t l, double after, double tau)
{
    check_crossing of = carried_by(k, i, out, l);
    return journey_to(k, lag_there(k, i, out->module[l]) + after, &of, tau);
}

static check_path behind(check_path path, check_path next)
{
    return (check_path){path.length + next.length, path.carried + next.carried};
}

static void keep_longer(check_path *longest, check_path path)
{
    if (path.length > longest->length) *longest = path;
}

/* What comes to a keeper of the datum at hand. */
typedef struct delivery {
    inlay_id datum; /* the datum at hand, or an earlier one */
    double least;   /* the least lag of those that wait there, or to where it is sent on */
    check_path arrival;
} delivery;

/* The place of holder h of the datum at hand. */
static delivery *place_of(const check *k, delivery *to_keeper, inlay_id h)
{
    return &to_keeper[check_keeper(k, NULL, k->holder[h].cluster)];
}

/* The holders of a datum, and the least lag of each. */
static inlay_id find_least(const check *k, inlay_id number, delivery *to_keeper)
{
    inlay_datum datum = inlay_app_datum(k->app, number);
    inlay_id holders = check_holders(k, NULL, number);
    for (int64_t j = 0; j < datum.consumers; j++) {
        delivery *here = &to_keeper[check_keeper(k, NULL, k->cluster_of[datum.consumer[j]])];
        if (here->datum != number) *here = (delivery){number, INFINITY, {-1, 0}};
        here->least = fmin(here->least, lag_there(k, datum.producer, datum.consumer[j]));
    }
    for (inlay_id h = holders, giver; h > 0; h--)
        if ((giver = check_giver(k, h)) > 0) {
            delivery *by = place_of(k, to_keeper, giver);
            by->least = fmin(by->least, place_of(k, to_keeper, h)->least);
        }
    return holders;
}

/* What the passage of messages over processors has come to: all 0 and no charges on a machine that states none. */
typedef struct overheads {
    double *before;       /* of every module: it receives */
    check_charge *charge; /* of the module at hand */
    size_t charges, room;
    double behind;                      /* it: sends */
    const inlay_pieces *send, *receive; /* NULL: none are stated */
} overheads;

static bool add_charge(overheads *o, check_charge charge)
{
    if (o->charges == o->room) {
        size_t room = 2 * o->room + 16;
        check_charge *grown = realloc(o->charge, room * sizeof *grown);
        if (!grown) return false;
        o->charge = grown;
        o->room = room;
    }
    o->charge[o->charges++] = charge;
    return true;
}

static bool charge_links(const check *k, inlay_id i, overheads *o)
{
    inlay_links out = inlay_app_out(k->app, i);
    bool room = true;
    for (int64_t l = 0; room && l < out.count; l++) {
        bool traffic = out.flags[l] & INLAY_LINK_TRAFFIC_ONLY;
        check_crossing of = carried_by(k, i, &out, l);
        inlay_id to = out.module[l];
        if (!traffic) o->before[to] += check_overhead(k, o->receive, &of);
        room = add_charge(o, (check_charge){.to = to,
                                            .datum = traffic ? CHECK_TRAFFIC : CHECK_LINK,
                                            .early = !traffic && lag_there(k, i, to) < time_there(k, i),
                                            .sends = check_overhead(k, o->send, &of)});
    }
    return room;
}

static bool charge_data(const check *k, inlay_id i, delivery *to_keeper, overheads *o)
{
    bool room = true;
    for (inlay_id d = k->datum_from[i]; room && check_copies(k) && d < k->datum_from[i + 1]; d++) {
        inlay_datum datum = inlay_app_datum(k->app, d);
        inlay_id holders = find_least(k, d, to_keeper);
        for (inlay_id h = 1; room && h <= holders; h++) {
            inlay_id giver = check_giver(k, h), first = k->holder[h].first;
            check_crossing of = {k->holder[giver].cluster, k->holder[h].cluster, datum.messages, datum.bytes, false};
            bool early = place_of(k, to_keeper, h)->least < time_there(k, i);
            o->before[first] += check_overhead(k, o->receive, &of);
            room = giver > 0 || add_charge(o, (check_charge){first, d, early, check_overhead(k, o->send, &of), 0});
        }
    }
    return room;
}

/* What module i sends; whoever receives it comes later. */
static int charge(const check *k, inlay_id i, delivery *to_keeper, overheads *o)
{
    o->charges = 0;
    if (!o->send) return INLAY_OK;
    if (!charge_links(k, i, o) || !charge_data(k, i, to_keeper, o)) return INLAY_NO_MEMORY;
    o->behind = check_charge_all(o->charge, o->charges);
    return INLAY_OK;
}

/* ---- What waits for its receiver ---- */

/* An item that is due, and sets out when the first of those that await it has come to the head of its processor. */
typedef struct late_item {
    check_path due, way, arrival;
    bool left;
} late_item;

/* Whoever awaits it: of every module a list. */
typedef struct late_wait {
    int64_t item, next;
} late_wait;

typedef struct lateness {
    int64_t above; /* bytes of a message */
    late_item *item;
    late_wait *wait;
    size_t items, items_room, waits, waits_room;
    int64_t *first; /* of every module, -1 none */
} lateness;

static bool make_room(void **column, size_t *room, size_t count, size_t size)
{
    if (count < *room) return true;
    size_t larger = 2 * *room + 16;
    void *grown = realloc(*column, larger * size);
    if (!grown) return false;
    *column = grown;
    *room = larger;
    return true;
}

static bool is_late(const check *k, const lateness *w, const check_crossing *of)
{
    int64_t messages = check_messages(k, of->messages, of->bytes);
    if (messages == 0 && k->network.in_bytes && of->bytes > 0) messages = 1;
    bool stays = check_keeper(k, NULL, of->from) == check_keeper(k, NULL, of->to);
    return w->above < INT64_MAX && !stays && messages > 0 && (double)of->bytes / (double)messages > (double)w->above;
}

static bool add_late(lateness *w, check_path due, check_path way)
{
    if (!make_room((void **)&w->item, &w->items_room, w->items, sizeof *w->item)) return false;
    w->item[w->items++] = (late_item){.due = due, .way = way};
    return true;
}

/* A module awaits the one that was added last. */
static bool add_wait(lateness *w, inlay_id module)
{
    if (!make_room((void **)&w->wait, &w->waits_room, w->waits, sizeof *w->wait)) return false;
    w->wait[w->waits] = (late_wait){(int64_t)w->items - 1, w->first[module]};
    w->first[module] = (int64_t)w->waits++;
    return true;
}

/* A module comes to the head of its processor, which is idle from then on. */
static void come_to(lateness *w, inlay_id module, check_path head, check_path *start)
{
    if (!w->item || !w->wait) return; /* nothing waits yet */
    for (int64_t n = w->first[module]; n >= 0; n = w->wait[n].next) {
        late_item *item = &w->item[w->wait[n].item];
        check_path sets_out = item->due;
        keep_longer(&sets_out, head);
        if (!item->left) item->arrival = behind(sets_out, item->way);
        item->left = true;
        keep_longer(start, item->arrival);
    }
}

/* A datum comes to every keeper once: from its producer, with the lag of the first that waits for it, or from another. */
static int hand_out(const check *k, inlay_id number, check_path start, double tau, const overheads *o,
                    delivery *to_keeper, check_path *satisfied, lateness *w)
{
    bool trees = inlay_machine_broadcasts_in_trees(k->machine);
    inlay_datum datum = inlay_app_datum(k->app, number);
    check_crossing of = {-1, -1, datum.messages, datum.bytes, false};
    inlay_id home = check_keeper(k, NULL, k->cluster_of[datum.producer]);
    inlay_id holders = find_least(k, number, to_keeper);
    for (inlay_id h = 1; h <= holders; h++) {
        inlay_id giver = check_giver(k, h);
        delivery *here = place_of(k, to_keeper, h);
        of.from = k->holder[giver].cluster;
        of.to = k->holder[h].cluster;
        double after = check_charged(o->charge, o->charges, k->holder[h].first, number);
        here->arrival = giver > 0 ? behind(place_of(k, to_keeper, giver)->arrival, journey_to(k, 0, &of, tau))
                                  : behind(start, journey_to(k, here->least + after, &of, tau));
        if (trees || !is_late(k, w, &of)) continue;
        here->arrival = (check_path){-1, 0};
        bool room = add_late(w, behind(start, (check_path){here->least + after, 0}), journey_to(k, 0, &of, tau));
        for (int64_t j = 0; room && j < datum.consumers; j++)
            if (place_of(k, to_keeper, h) == &to_keeper[check_keeper(k, NULL, k->cluster_of[datum.consumer[j]])])
                room = add_wait(w, datum.consumer[j]);
        if (!room) return INLAY_NO_MEMORY;
    }
    for (int64_t j = 0; j < datum.consumers; j++) {
        inlay_id keeper = check_keeper(k, NULL, k->cluster_of[datum.consumer[j]]);
        if (keeper != home) keep_longer(&satisfied[datum.consumer[j]], to_keeper[keeper].arrival);
    }
    return INLAY_OK;
}

/* Looks up when the processors of a module are idle, the latest; or notes when they are. */
static void each_seat(const check *k, inlay_id module, inlay_id *next, check_path *idle_from, check_path *when,
                      bool note)
{
    bool several = k->seats[module] > 1;
    for (inlay_id c = several ? 0 : k->cluster_of[module]; c < k->clusters; c++) {
        bool here = next[c] < k->cluster[c].end && k->listed[next[c]] == module;
        if (here && note) {
            idle_from[c] = *when;
            next[c]++;
        } else if (here) {
            keep_longer(when, idle_from[c]);
        }
        if (!several) return;
    }
}

/* A link of module i, `after` behind its lag. */
static int satisfy_link(const check *k, inlay_id i, const inlay_links *out, int64_t l, check_path start, double after,
                        double tau, check_path *satisfied, lateness *w)
{
    check_crossing of = carried_by(k, i, out, l);
    if (!is_late(k, w, &of)) {
        keep_longer(&satisfied[out->module[l]], behind(start, way_to(k, i, out, l, after, tau)));
        return INLAY_OK;
    }
    check_path due = behind(start, (check_path){lag_there(k, i, out->module[l]) + after, 0});
    return add_late(w, due, journey_to(k, 0, &of, tau)) && add_wait(w, out->module[l]) ? INLAY_OK : INLAY_NO_MEMORY;
}

/* All modules in their order; `next`: of every cluster, in check.listed. */
static int pass(const check *k, double tau, inlay_id *next, check_path *idle_from, check_path *satisfied,
                delivery *to_keeper, overheads *o, lateness *w, check_path *last)
{
    for (inlay_id at = 0; at < k->modules; at++) {
        inlay_id i = k->sequence[at];
        check_path start = satisfied[i];
        come_to(w, i, idle_from[k->cluster_of[i]], &start);
        if (charge(k, i, to_keeper, o) != INLAY_OK) return INLAY_NO_MEMORY;
        each_seat(k, i, next, idle_from, &start, false);
        start = behind(start, (check_path){o->before[i], 0});
        check_path end = behind(start, (check_path){time_there(k, i) + o->behind, 0});
        each_seat(k, i, next, idle_from, &end, true);
        keep_longer(last, end);
        inlay_links out = inlay_app_out(k->app, i);
        int status = INLAY_OK;
        for (int64_t l = 0; status == INLAY_OK && l < out.count; l++)
            if (!(out.flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
                double after = check_charged(o->charge, o->charges, out.module[l], CHECK_LINK);
                status = satisfy_link(k, i, &out, l, start, after, tau, satisfied, w);
            }
        for (inlay_id d = k->datum_from[i]; status == INLAY_OK && check_copies(k) && d < k->datum_from[i + 1]; d++)
            status = hand_out(k, d, start, tau, o, to_keeper, satisfied, w);
        if (status != INLAY_OK) return status;
    }
    return INLAY_OK;
}

/* Whether two clusters have the same memory before them. */
static bool same_board(const check *k, inlay_id a, inlay_id b)
{
    return inlay_machine_board(k->machine, k->cluster[a].processor) ==
           inlay_machine_board(k->machine, k->cluster[b].processor);
}

/* How many times a module's share of the bandwidth of memory it and the others of its board ask for, on the average. */
static double stretch_of(const check *k, const double *moved, double elapsed, double host, double core, inlay_id i)
{
    double m = time_alone(k, i), own = m > 0 ? (double)inlay_app_traffic_memory(k->app, i) / m : 0, others = 0;
    if (core > 0) own = fmin(own, core * inlay_app_cores(k->app, i));
    for (inlay_id c = 0; c < k->clusters; c++)
        if (c != k->cluster_of[i] && same_board(k, c, k->cluster_of[i])) others += moved[c];
    return own > 0 && elapsed > 0 ? fmax(1, (own + others / elapsed) / host) : 1;
}

static int once(const check *k, double tau, check_path *longest);

int check_estimate(const check *k, double tau, check_path *longest)
{
    inlay_rate host, core;
    for (inlay_id i = 0; i < k->modules; i++)
        k->stretch[i] = 1;
    int status = once(k, tau, longest);
    if (status != INLAY_OK || !inlay_machine_memory_bandwidth(k->machine, &host, &core)) return status;
    double *moved = calloc((size_t)k->clusters + 1, sizeof *moved);
    double by_host = host.value / check_unit_length(k, host.per), elapsed = longest->length;
    double by_core = core.value > 0 ? core.value / check_unit_length(k, core.per) : 0;
    if (!moved) return INLAY_NO_MEMORY;
    for (inlay_id i = 0; i < k->modules; i++)
        moved[k->cluster_of[i]] += (double)inlay_app_traffic_memory(k->app, i);
    for (inlay_id i = 0; i < k->modules; i++)
        k->stretch[i] = stretch_of(k, moved, elapsed, by_host, by_core, i);
    free(moved);
    return once(k, tau, longest);
}

static int once(const check *k, double tau, check_path *longest)
{
    check_path *satisfied = calloc((size_t)k->modules + 1, sizeof *satisfied);
    check_path *idle_from = calloc((size_t)k->clusters + 1, sizeof *idle_from);
    inlay_id *next = calloc((size_t)k->clusters + 1, sizeof *next);
    size_t keepers = check_copies(k) ? (size_t)k->clusters + (size_t)inlay_machine_processors(k->machine) : 0;
    delivery *to_keeper = calloc(keepers + 1, sizeof *to_keeper);
    const inlay_pieces *send = inlay_machine_send_overhead(k->machine);
    const inlay_pieces *receive = inlay_machine_receive_overhead(k->machine);
    overheads o = {.before = calloc((size_t)k->modules + 1, sizeof *o.before)};
    lateness w = {.above = inlay_machine_rendezvous_above(k->machine),
                  .first = malloc(((size_t)k->modules + 1) * sizeof *w.first)};
    check_path last = {0, 0};
    int status = satisfied && idle_from && next && to_keeper && o.before && w.first ? INLAY_OK : INLAY_NO_MEMORY;

    if (send->count + receive->count > 0) {
        o.send = send;
        o.receive = receive;
    }
    for (inlay_id i = 0; status == INLAY_OK && i < k->modules; i++)
        w.first[i] = -1;
    for (inlay_id c = 0; status == INLAY_OK && c < k->clusters; c++)
        next[c] = k->cluster[c].first;
    for (size_t h = 0; status == INLAY_OK && h < keepers; h++)
        to_keeper[h].datum = -1;
    if (status == INLAY_OK) status = pass(k, tau, next, idle_from, satisfied, to_keeper, &o, &w, &last);
    free(to_keeper);
    free(satisfied);
    free(idle_from);
    free(next);
    free(o.before);
    free(o.charge);
    free(w.item);
    free(w.wait);
    free(w.first);
    *longest = last;
    return status;
}

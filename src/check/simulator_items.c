/* What the checker's simulator starts from: the network's constants, and the items of every module. */
#include "check/simulator_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The network ---- */

static double seconds(const simulator *s, inlay_unit unit)
{
    return unit == INLAY_UNIT_TICK ? s->of->tick_seconds : inlay_unit_seconds(unit);
}

/* How many of the application's units one `unit` of the machine is; a power of ten among seconds is exactly that. */
double sim_ratio(const simulator *s, inlay_unit unit)
{
    inlay_unit own = inlay_app_unit(s->of->app);
    if (unit == own || unit == INLAY_UNIT_NONE) return 1;
    double r = seconds(s, own) > 0 ? seconds(s, unit) / seconds(s, own) : 0;
    return unit == INLAY_UNIT_TICK || own == INLAY_UNIT_TICK ? r : pow(10, round(log10(r)));
}

static double in_units(const simulator *s, inlay_duration time)
{
    return inlay_decimal_double(time.value) * sim_ratio(s, time.unit);
}

static void read_buses(simulator *s, double transfers)
{
    sim_network *n = &s->network;
    inlay_rate rate;
    bool known = inlay_machine_capacity(s->of->machine, &rate);
    n->free = !known && inlay_app_unit(s->of->app) != INLAY_UNIT_TICK;
    n->in_bytes = known && rate.kind == INLAY_RATE_BYTES;
    n->capacity = known ? rate.value / sim_ratio(s, rate.per) : 1;
    n->size = s->grains * transfers / (double)n->visits;
    n->buses = inlay_machine_buses(s->of->machine);
}

static void read_omega(simulator *s, double transfers)
{
    sim_network *n = &s->network;
    inlay_duration time;
    double once = s->grains * transfers / (double)n->visits, cycle = 1, packets = inlay_machine_packets(s->of->machine);
    bool known = inlay_machine_cycle(s->of->machine, &time);
    n->free = !known && inlay_app_unit(s->of->app) != INLAY_UNIT_TICK;
    if (known) cycle = in_units(s, time);
    n->transit = (inlay_machine_transit(s->of->machine, &time) ? in_units(s, time) : cycle) * once;
    n->taken = packets * cycle * once;
    n->tail = (packets - 1) * cycle * once;
    n->switch_size = (int)inlay_machine_switch(s->of->machine);
    for (int64_t reach = 1; reach < inlay_machine_processors(s->of->machine); reach *= n->switch_size)
        n->stages++;
}

static void read_links(simulator *s, double transfers)
{
    sim_network *n = &s->network;
    const inlay_machine *machine = s->of->machine;
    bool known = inlay_machine_links_known(machine);
    n->links = true;
    n->visits = 1;
    n->in_bytes = inlay_machine_links_in_bytes(machine);
    n->cut_through = inlay_machine_cut_through(machine);
    n->size = s->grains * transfers;
    n->link_time = sim_ratio(s, inlay_machine_link_unit(machine));
    n->link_rate = known ? 1 / n->link_time : inlay_app_unit(s->of->app) == INLAY_UNIT_TICK ? 1 : INFINITY;
    n->sharing = inlay_machine_sharing(machine);
    if (n->sharing) n->link_rate *= n->sharing->bandwidth_factor;
}

void sim_read_network(simulator *s)
{
    sim_network *n = &s->network;
    const inlay_machine *machine = s->of->machine;
    double t = inlay_machine_transfers(machine);
    inlay_network kind = inlay_machine_network(machine);
    n->visits = t > 1 ? (int64_t)ceil(t) : 1;
    n->latency = in_units(s, inlay_machine_latency(machine)) * s->grains;
    n->memories = inlay_machine_memories(machine);
    n->once = t >= 2 && kind != INLAY_NETWORK_OMEGA_PE && kind != INLAY_NETWORK_LINKS;
    n->trees = inlay_machine_broadcasts_in_trees(machine);
    n->again = n->once ? (t - 1) / (double)(n->visits - 1) * (double)n->visits / t : 1;
    if (kind == INLAY_NETWORK_LINKS)
        read_links(s, t);
    else if (kind == INLAY_NETWORK_BUS || kind == INLAY_NETWORK_MULTIBUS)
        read_buses(s, t);
    else
        read_omega(s, t);
    n->message_size = n->in_bytes ? 0 : inlay_machine_message_size(machine);
}

/* ---- Times ---- */

int64_t sim_time(const simulator *s, inlay_id module)
{
    const inlay_app *app = s->of->app;
    const char *type = inlay_machine_processor(s->of->machine, sim_number(s, s->of->rank_of[module])).type;
    inlay_time own = -1;
    for (int t = 0; type && t < inlay_app_types(app); t++)
        if (strcmp(type, inlay_app_type_name(app, t)) == 0) own = inlay_app_type_time(app, t, module);
    return own < 0 ? inlay_app_time(app, module) : own;
}

static int64_t lag(const simulator *s, inlay_id from, inlay_id to)
{
    int64_t m = sim_time(s, from);
    if (!s->of->streamed) return m;
    int64_t wait = inlay_app_blocking(s->of->app, to) - inlay_app_blocking(s->of->app, from);
    return wait < 0 ? 0 : wait < m ? wait : m;
}

/* ---- Where things are ---- */

/* Over links a datum comes once to a host, else to a processor. */
static inlay_id keeper(const simulator *s, inlay_id c)
{
    return s->network.links ? inlay_machine_host(s->of->machine, sim_number(s, c)) : c;
}

/* The number of such a place. */
static inlay_id place_number(const simulator *s, inlay_id c)
{
    return s->network.links ? keeper(s, c) : sim_number(s, c);
}

bool sim_shares(const simulator *s, inlay_id module, inlay_id there)
{
    return keeper(s, s->of->rank_of[module]) == keeper(s, there);
}

/* Of one message, in the application's unit. */
static double overhead(const simulator *s, const inlay_pieces *pieces, double size)
{
    int at = 0;
    if (pieces->count == 0) return 0;
    while (at + 1 < pieces->count && (double)pieces->piece[at + 1].size <= size)
        at++;
    return in_units(s, pieces->piece[at].time) + size * in_units(s, pieces->piece[at].per_byte);
}

/* ---- Items ---- */

/* Messages of an item as the machine counts them; it sends one where there are bytes alone. */
static int64_t messages_of(const sim_network *n, int64_t stated, int64_t bytes, int64_t *counted)
{
    *counted = n->message_size > 0 && bytes > 0 ? (bytes - 1) / n->message_size + 1 : stated;
    return *counted > 0 ? *counted : n->in_bytes && bytes > 0;
}

/* Items that stay and that nobody waits for are left out. */
static void add_item(simulator *s, sim_item item, int64_t stated, int64_t bytes)
{
    bool read = item.block >= 0, away = item.there != s->of->rank_of[item.module];
    int64_t counted;
    int64_t messages = away ? messages_of(&s->network, stated, bytes, &counted) : 0;
    if (messages == 0 && (read || item.to < 0)) return;
    if (!sim_grow(s, (void **)&s->item, &s->items_room, s->items + 1, sizeof *s->item)) return;
    item.messages = item.left = messages;
    item.bytes = bytes;
    item.visits = s->network.visits;
    item.next = -1;
    item.did = (check_sent){.link = item.link, .datum = item.datum};
    if (messages > 0) {
        item.share = (double)(s->network.in_bytes ? bytes : counted) / (double)messages;
        double own = overhead(s, inlay_machine_latency_by_size(s->of->machine), (double)bytes / (double)messages);
        item.latency = (double)counted * s->network.latency + s->grains * ((double)messages * own);
        if (s->of->no_overlap) item.after = sim_time(s, item.module);
    }
    item.together = 1;
    if (s->of->screen && messages > 0) {
        item.together = messages;
        item.share *= (double)messages;
        item.messages = 1;
    }
    s->item[s->items++] = item;
}

static void add_links(simulator *s, inlay_id i, int64_t *link)
{
    inlay_links out = inlay_app_out(s->of->app, i);
    bool data = out.own_messages != NULL && !s->of->copies_each;
    for (int64_t l = 0; l < out.count; l++, ++*link) {
        bool alone = out.flags[l] & INLAY_LINK_TRAFFIC_ONLY;
        inlay_id to = out.module[l], there = s->of->rank_of[to];
        bool own = data && !alone && !sim_shares(s, i, there);
        sim_item item = {.module = i,
                         .by = s->of->rank_of[i],
                         .to = alone ? -1 : to,
                         .there = there,
                         .datum = -1,
                         .block = -1,
                         .link = *link};
        item.after = alone ? sim_time(s, i) : lag(s, i, to);
        s->waits[to] += !alone;
        add_item(s, item, own ? out.own_messages[l] : out.messages[l], own ? out.own_bytes[l] : out.bytes[l]);
    }
}

/* Number of the link with precedence between two modules. */
static int64_t link_between(const simulator *s, const int64_t *first_link, inlay_id from, inlay_id to)
{
    inlay_links out = inlay_app_out(s->of->app, from);
    int64_t l = 0, high = out.count;
    while (l < high) { /* they stand by module, that with precedence first */
        int64_t middle = l + (high - l) / 2;
        if (out.module[middle] < to)
            l = middle + 1;
        else
            high = middle;
    }
    return first_link[from] + l;
}

/* ---- Trees ---- */

static inlay_id highest_power(inlay_id number)
{
    inlay_id power = 1;
    while (power <= number / 2)
        power *= 2;
    return power;
}

/* The copies of a datum, by the numbers of where they go. */
static void sort_copies(const simulator *s, sim_item *copy, inlay_id copies)
{
    for (inlay_id i = 1; i < copies; i++) {
        sim_item moved = copy[i];
        inlay_id at = i, number = place_number(s, moved.there);
        for (; at > 0 && place_number(s, copy[at - 1].there) > number; at--)
            copy[at] = copy[at - 1];
        copy[at] = moved;
    }
}

/* Holder h, from 1 on, has its copy from holder h less the highest power of two in h; the producer, 0, sends early enough. */
static void plant_tree(const simulator *s, sim_item *copy, inlay_id copies)
{
    sort_copies(s, copy, copies);
    for (inlay_id h = copies; h > 0; h--) {
        inlay_id giver = h - highest_power(h);
        if (giver == 0) continue;
        copy[h - 1].by = copy[giver - 1].there;
        if (copy[h - 1].after < copy[giver - 1].after) copy[giver - 1].after = copy[h - 1].after;
    }
}

/* ---- All items ---- */

/* `at`: of every keeper the copy of this datum that goes there, else an item before. `first_link`: of every module. */
static void add_copies(simulator *s, inlay_id datum, int64_t *at, const int64_t *first_link)
{
    inlay_datum d = inlay_app_datum(s->of->app, datum);
    int64_t before = (int64_t)s->items, counted;
    if (messages_of(&s->network, d.messages, d.bytes, &counted) == 0) return;
    for (int64_t k = 0; k < d.consumers && s->status == INLAY_OK; k++) {
        inlay_id to = d.consumer[k], there = s->of->rank_of[to];
        if (sim_shares(s, d.producer, there)) continue;
        int64_t *copy = &at[keeper(s, there)], due = lag(s, d.producer, to);
        s->waits[to]++;
        if (*copy < before) {
            *copy = (int64_t)s->items;
            add_item(s,
                     (sim_item){.module = d.producer,
                                .by = s->of->rank_of[d.producer],
                                .to = to,
                                .there = there,
                                .datum = datum,
                                .block = -1,
                                .link = link_between(s, first_link, d.producer, to),
                                .after = due},
                     d.messages, d.bytes);
        } else if (due < s->item[*copy].after && !s->of->no_overlap) {
            s->item[*copy].after = due;
        }
    }
    if (s->network.trees) plant_tree(s, s->item + before, (inlay_id)((int64_t)s->items - before));
}

static void add_reads(simulator *s, int64_t link)
{
    for (inlay_id b = 0; b < inlay_app_blocks(s->of->app); b++) {
        inlay_links uses = inlay_app_uses(s->of->app, b);
        for (int64_t u = 0; u < uses.count; u++, link++)
            add_item(s,
                     (sim_item){.module = uses.module[u],
                                .by = s->of->rank_of[uses.module[u]],
                                .to = -1,
                                .there = s->of->home[b],
                                .datum = -1,
                                .block = b,
                                .link = link},
                     uses.messages[u], uses.bytes[u]);
    }
}

static int compare_items(const void *left, const void *right)
{
    const sim_item *a = left, *b = right;
    const int64_t x[] = {a->module, a->after, a->block < 0, a->link, a->datum};
    const int64_t y[] = {b->module, b->after, b->block < 0, b->link, b->datum};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Common memories have a datum from its first copy on. `seen`: of every datum. */
static void write_once(simulator *s, bool *seen)
{
    for (size_t i = 0; i < s->items; i++) {
        sim_item *item = &s->item[i];
        if (item->datum < 0) continue;
        if (seen[item->datum]) {
            item->visits--;
            item->share *= s->network.again;
        }
        seen[item->datum] = true;
    }
}

/* ---- Overheads ---- */

/* Of the messages of an item, which are as many as they were before a screen made one of them. */
static double all_overhead(const simulator *s, const sim_item *item, const inlay_pieces *pieces)
{
    double messages = (double)(item->together * item->messages);
    bool leaves = messages > 0 && place_number(s, item->by) != place_number(s, item->there);
    return leaves ? s->grains * (messages * overhead(s, pieces, (double)item->bytes / messages)) : 0;
}

static void charge_module(simulator *s, inlay_id module, const inlay_pieces *send, const inlay_pieces *receive)
{
    double behind = 0, early = 0;
    for (int64_t n = s->item_begin[module]; n < s->item_begin[module + 1]; n++) {
        sim_item *item = &s->item[n];
        if (item->block >= 0) continue;
        double own = sim_is_passed(s, item) ? 0 : all_overhead(s, item, send);
        if (item->to >= 0) s->receives[item->to] += all_overhead(s, item, receive);
        if (item->after < sim_time(s, module))
            early += own;
        else
            item->sent_after = behind += own;
    }
    s->sends[module] = behind + early;
}

/* What messages take of processors: sent_after of items, receives and sends of modules. */
static void charge(simulator *s)
{
    const inlay_pieces *send = inlay_machine_send_overhead(s->of->machine);
    const inlay_pieces *receive = inlay_machine_receive_overhead(s->of->machine);
    bool any = s->contention != INLAY_CONTENTION_FREE && send->count + receive->count > 0;
    for (inlay_id i = 0; any && i < inlay_app_modules(s->of->app); i++)
        charge_module(s, i, send, receive);
}

/* ---- Rendezvous ---- */

/* Which items are held up until somebody receives them: data in trees are not. */
static void hold(simulator *s)
{
    int64_t above = inlay_machine_rendezvous_above(s->of->machine);
    for (size_t n = 0; n < s->items && above < INT64_MAX; n++) {
        sim_item *item = &s->item[n];
        double messages = (double)(item->together * item->messages);
        bool in_tree = s->network.trees && item->datum >= 0;
        item->late = messages > 0 && item->to >= 0 && !in_tree && (double)item->bytes / messages > (double)above &&
                     place_number(s, item->by) != place_number(s, item->there);
    }
}

/* All transfers of a screen's item are one. */
static void join_transfers(simulator *s)
{
    for (size_t i = 0; i < s->items; i++) {
        s->item[i].share *= (double)s->item[i].visits;
        s->item[i].visits = 1;
    }
}

static void begin_rows(simulator *s)
{
    for (size_t i = 0; i < s->items; i++)
        s->item_begin[s->item[i].module + 1]++;
    for (inlay_id i = 0; i < inlay_app_modules(s->of->app); i++)
        s->item_begin[i + 1] += s->item_begin[i];
}

static void add_data(simulator *s, const int64_t *first_link)
{
    inlay_id data = s->of->copies_each ? 0 : inlay_app_data(s->of->app);
    size_t keepers = (size_t)inlay_machine_processors(s->of->machine) + (size_t)s->of->processors;
    int64_t *at = malloc(keepers * sizeof *at);
    if (!at) s->status = INLAY_NO_MEMORY;
    for (size_t k = 0; at && k < keepers; k++)
        at[k] = -1;
    for (inlay_id d = 0; at && d < data; d++)
        add_copies(s, d, at, first_link);
    free(at);
}

void sim_list(simulator *s)
{
    inlay_id modules = inlay_app_modules(s->of->app);
    int64_t link = 0, *first_link = malloc(((size_t)modules + 1) * sizeof *first_link);
    bool *seen = calloc((size_t)inlay_app_data(s->of->app) + 1, sizeof *seen);
    if (!first_link || !seen) s->status = INLAY_NO_MEMORY;
    for (inlay_id i = 0; s->status == INLAY_OK && i < modules; i++) {
        first_link[i] = link;
        add_links(s, i, &link);
    }
    if (s->status == INLAY_OK) add_data(s, first_link);
    if (s->status == INLAY_OK) add_reads(s, link);
    if (s->status == INLAY_OK) {
        if (s->items > 0) qsort(s->item, s->items, sizeof *s->item, compare_items);
        begin_rows(s);
        if (s->network.once) write_once(s, seen);
        charge(s);
        hold(s);
        if (s->of->screen) join_transfers(s);
        for (inlay_id at = 0; at < s->of->begin[s->of->processors]; at++)
            s->waits[s->of->module[at]]++; /* for each of its processors */
    }
    free(first_link);
    free(seen);
}

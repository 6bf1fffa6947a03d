/* What a placement sends: the copies of each module's data, then all entries in their order, then who passes them on. */
#include "layout/sent.h"
#include "base/memory.h"
#include "graph/app.h"
#include <stdlib.h>
#include <string.h>

void sent_clear(sendings *s)
{
    free(s->before);
    free(s->copy);
    free(s->await);
    free(s->awaited);
    free(s->pass);
    free(s->own_begin);
    *s = (sendings){0};
}

int64_t sent_entry_of(const sendings *s, int64_t link)
{
    int64_t low = link, high = s->before == NULL ? link + 1 : link + s->copies + 1;
    while (high - low > 1) { /* it stands there at most: before its copies, with which it shares the link */
        int64_t middle = low + (high - low) / 2;
        bool behind = sent_link(s, middle) > link || (sent_link(s, middle) == link && sent_is_copy(s, middle));
        low = behind ? low : middle;
        high = behind ? middle : high;
    }
    return low;
}

/* ---- Copies of one module's data ---- */

/* A link that awaits a copy. */
typedef struct waiting {
    int64_t link;
    int64_t next; /* of the same copy, in making.waiting; -1 none */
} waiting;

typedef struct copy {
    int64_t first_waits, last_waits; /* in making.waiting; the first is the link that it stands behind */
    int64_t link;                    /* that one */
    inlay_id datum;
    bool further;
    inlay_id place;      /* in trees: the number of the destination */
    int64_t entry, last; /* in trees: its own, and the last of those that are sent on from there; -1 */
} copy;

typedef struct making {
    const inlay_app *app;
    const inlay_id *cluster_of;
    const inlay_id *host_of;   /* of every cluster */
    const inlay_id *processor; /* of every cluster, in trees; else NULL */
    bool hosts;                /* destinations are */
    int64_t awaits;            /* links that do, so far */

    /* Of the module at hand. */
    copy *copies;
    size_t count, room;
    waiting *waiting;
    size_t waits, waiting_room;
    inlay_id *had_last; /* by host: the last datum that was sent there, -1 none ... */
    size_t *copy_to;    /* ... and that copy */
} making;

static inlay_id host_of(const making *m, inlay_id module)
{
    return m->host_of[m->cluster_of[module]];
}

/* A consumer elsewhere; the first on its host has the datum copied to there. */
static void add_consumer(making *m, inlay_id host, inlay_id datum, int64_t link)
{
    int64_t own = (int64_t)m->waits++;
    m->waiting[own] = (waiting){link, -1};
    if (m->had_last[host] == datum) {
        copy *c = &m->copies[m->copy_to[host]];
        m->waiting[c->last_waits].next = own;
        c->last_waits = own;
        return;
    }
    m->had_last[host] = datum;
    m->copy_to[host] = m->count;
    m->copies[m->count++] = (copy){.first_waits = own,
                                   .last_waits = own,
                                   .link = link,
                                   .datum = datum,
                                   .further = true,
                                   .place = m->processor == NULL || m->hosts ? host : m->processor[host],
                                   .last = -1};
}

/* The copies of one datum, one for each host that has consumers and not the producer. Consumers rise, as their links do. */
static bool copy_datum(making *m, inlay_id producer, inlay_id datum)
{
    const inlay_app *app = m->app;
    int64_t begin = app->consumer_begin[datum], end = app->consumer_begin[datum + 1];
    size_t first = m->count, consumers = (size_t)(end - begin);
    if (!memory_grow((void **)&m->copies, &m->room, first + consumers, sizeof *m->copies) ||
        !memory_grow((void **)&m->waiting, &m->waiting_room, m->waits + consumers, sizeof *m->waiting)) {
        return false;
    }
    for (int64_t k = begin; k < end; k++) {
        inlay_id host = host_of(m, app->consumer[k]);
        if (host != host_of(m, producer)) {
            add_consumer(m, host, datum, app_link_to(app, producer, app->consumer[k]));
        }
    }
    if (first < m->count) {
        m->copies[first].further = false;
    }
    return true;
}

/* By their first links, then data. */
static int compare_copies(const void *a, const void *b)
{
    const copy *x = a, *y = b;
    return x->link != y->link ? (x->link > y->link) - (x->link < y->link)
                              : (x->datum > y->datum) - (x->datum < y->datum);
}

static bool copy_data(making *m, inlay_id module)
{
    const inlay_app *app = m->app;
    bool fine = true;
    m->count = m->waits = 0;
    for (inlay_id d = app->data_begin[module]; d < app->data_begin[module + 1] && fine; d++) {
        fine = copy_datum(m, module, d);
    }
    if (m->count > 1) {
        qsort(m->copies, m->count, sizeof *m->copies, compare_copies);
    }
    return fine;
}

/* ---- Entries ---- */

/* As many as there may be: what is not used is never touched. */
static bool allocate(const making *m, sendings *s)
{
    size_t n = (size_t)m->app->modules, consumers = (size_t)m->app->consumer_begin[m->app->data];
    size_t entries = (size_t)m->app->links + consumers;
    s->own_begin = memory_array(n + 1, sizeof *s->own_begin);
    s->begin = s->own_begin;
    s->before = memory_array(entries + 1, sizeof *s->before);
    s->copy = memory_array(consumers + 1, sizeof *s->copy);
    s->await = memory_array(consumers, sizeof *s->await);
    s->awaited = memory_zeroed(n, sizeof *s->awaited);
    s->pass = m->processor == NULL ? NULL : memory_array(entries, sizeof *s->pass);
    return consumers < UINT32_MAX / 2 && s->own_begin && s->before && s->copy && s->await && s->awaited &&
           (s->pass || !m->processor);
}

static void put_entry(sendings *s, bool own, inlay_id sender)
{
    int64_t at = s->entries++;
    s->before[at] = 2 * (uint32_t)s->copies + own;
    if (s->pass != NULL) {
        s->pass[at] = (sent_pass){sender, -1, -1, -1};
    }
}

/* A link: with all that it states, where it stays on the host or has no data. */
static void put_link(const making *m, sendings *s, inlay_id from, int64_t l)
{
    bool whole = host_of(m, from) == host_of(m, m->app->out_to[l]) || (m->app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
    put_entry(s, !whole, m->cluster_of[from]);
}

static void put_copy(making *m, sendings *s, inlay_id from, copy *c)
{
    c->entry = s->entries;
    put_entry(s, false, m->cluster_of[from]);
    s->copy[s->copies++] = (sent_copy){m->awaits, c->datum, c->further};
    for (int64_t k = c->first_waits; k >= 0; k = m->waiting[k].next) {
        int64_t link = m->waiting[k].link;
        s->await[m->awaits++] = link;
        s->awaited[m->app->out_to[link]]++;
    }
}

static void put_row(making *m, sendings *s, inlay_id module)
{
    size_t next = 0;
    s->own_begin[module] = s->entries;
    for (int64_t l = m->app->out_begin[module]; l < m->app->out_begin[module + 1]; l++) {
        put_link(m, s, module, l);
        for (; next < m->count && m->copies[next].link == l; next++) {
            put_copy(m, s, module, &m->copies[next]);
        }
    }
}

/* ---- Trees ---- */

static int compare_places(const void *a, const void *b)
{
    const copy *x = a, *y = b;
    return x->datum != y->datum ? (x->datum > y->datum) - (x->datum < y->datum)
                                : (x->place > y->place) - (x->place < y->place);
}

static inlay_id highest_bit(inlay_id number)
{
    inlay_id bit = 1;
    while (bit <= number / 2) {
        bit *= 2;
    }
    return bit;
}

/* The copies of one datum by place: holder h is the h-th from 1 on. */
static void plant_tree(const making *m, sendings *s, copy *copies, inlay_id count)
{
    for (inlay_id h = 1; h <= count; h++) {
        inlay_id from = h - highest_bit(h);
        if (from == 0) {
            continue;
        }
        copy *of = &copies[from - 1];
        int64_t own = copies[h - 1].entry;
        s->pass[own] = (sent_pass){m->cluster_of[m->app->out_to[of->link]], of->entry, -1, -1};
        *(of->last < 0 ? &s->pass[of->entry].first : &s->pass[of->last].next) = own;
        of->last = own;
    }
}

/* The trees of all data of the module at hand, whose entries stand. */
static void plant_trees(const making *m, sendings *s)
{
    copy *copies = m->copies;
    if (m->count > 1) {
        qsort(copies, m->count, sizeof *copies, compare_places);
    }
    for (size_t begin = 0, end; begin < m->count; begin = end) {
        for (end = begin; end < m->count && copies[end].datum == copies[begin].datum;) {
            end++;
        }
        plant_tree(m, s, copies + begin, (inlay_id)(end - begin));
    }
}

/* ---- The whole ---- */

static bool fill(making *m, sendings *s)
{
    const inlay_app *app = m->app;
    if (!allocate(m, s)) {
        return false;
    }
    for (inlay_id i = 0; i < app->modules; i++) {
        if (!copy_data(m, i)) {
            return false;
        }
        put_row(m, s, i);
        if (s->pass != NULL) {
            plant_trees(m, s);
        }
    }
    s->own_begin[app->modules] = s->entries;
    s->before[s->entries] = 2 * (uint32_t)s->copies;
    s->copy[s->copies].await_begin = m->awaits;
    return true;
}

/* Where there are more clusters than processors, as in a sweep, each has a host of its own. */
static bool fits(const inlay_machine *machine, inlay_id clusters)
{
    return !inlay_machine_has_links(machine) || clusters <= inlay_machine_processors(machine);
}

static bool has_hosts(const inlay_machine *machine, inlay_id clusters, const inlay_id *processor)
{
    return processor != NULL && inlay_machine_has_links(machine) && fits(machine, clusters);
}

static bool in_trees(const inlay_machine *machine, inlay_id clusters, const inlay_id *processor)
{
    return processor != NULL && inlay_machine_broadcasts_in_trees(machine) && fits(machine, clusters);
}

/* Of every cluster. @param processor  NULL: they are their own hosts */
static void fill_hosts(const inlay_machine *machine, inlay_id clusters, const inlay_id *processor, inlay_id *host)
{
    for (inlay_id c = 0; c < clusters; c++) {
        host[c] = processor != NULL ? inlay_machine_host(machine, processor[c]) : c;
    }
}

int sent_make(const inlay_app *app, const inlay_machine *machine, inlay_copies copies, const inlay_id *cluster_of,
              inlay_id clusters, const inlay_id *processor, sendings *result)
{
    sendings s = {.app = app, .begin = app->out_begin, .entries = app->links};
    if (app->data == 0 || copies == INLAY_COPIES_EACH) {
        *result = s;
        return INLAY_OK;
    }
    s.entries = 0;
    bool hosts = has_hosts(machine, clusters, processor), trees = in_trees(machine, clusters, processor);
    size_t most_hosts = (size_t)(hosts ? inlay_machine_processors(machine) : clusters);
    inlay_id *host = memory_array((size_t)clusters, sizeof *host);
    making m = {
        .app = app, .cluster_of = cluster_of, .host_of = host, .processor = trees ? processor : NULL, .hosts = hosts};
    m.had_last = memory_array(most_hosts, sizeof *m.had_last);
    m.copy_to = memory_array(most_hosts, sizeof *m.copy_to);
    bool fine = host != NULL && m.had_last != NULL && m.copy_to != NULL;
    if (fine) {
        memset(m.had_last, 0xFF, most_hosts * sizeof *m.had_last); /* -1 */
        fill_hosts(machine, clusters, hosts ? processor : NULL, host);
        fine = fill(&m, &s);
    }
    free(host);
    free(m.had_last);
    free(m.copy_to);
    free(m.copies);
    free(m.waiting);
    if (!fine) {
        sent_clear(&s);
        return INLAY_NO_MEMORY;
    }
    *result = s;
    return INLAY_OK;
}

int sent_by(const problem *p, const placement *place, sendings *result)
{
    return sent_make(p->app, p->machine, p->options.copies, place->cluster_of, place->clusters, place->processor,
                     result);
}

/* ---- What goes between clusters, without making it ---- */

typedef struct visitor {
    const problem *p;
    const placement *place;
    void (*visit)(void *context, const sent_message *m);
    void *context;
    inlay_id *host;     /* of every cluster */
    inlay_id *had_last; /* by host: the last datum that was sent there; -1 none */
} visitor;

static void visit_link(const visitor *v, inlay_id from, int64_t l)
{
    const inlay_app *app = v->p->app;
    inlay_id here = v->place->cluster_of[from], there = v->place->cluster_of[app->out_to[l]];
    bool whole = v->host == NULL || v->host[here] == v->host[there] || (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
    if (here == there) {
        return;
    }
    int64_t messages = whole ? app->out_messages[l] : app->own_messages[l] < 0 ? 0 : app->own_messages[l];
    v->visit(v->context, &(sent_message){here, there, messages, whole ? app->out_bytes[l] : app->own_bytes[l], false});
}

/* A copy goes to the consumer whose link comes first, on its host. */
static void visit_datum(const visitor *v, inlay_id from, inlay_id datum)
{
    const inlay_app *app = v->p->app;
    inlay_id here = v->place->cluster_of[from];
    bool further = false;
    for (int64_t k = app->consumer_begin[datum]; k < app->consumer_begin[datum + 1]; k++) {
        inlay_id there = v->place->cluster_of[app->consumer[k]], host = v->host[there];
        if (host != v->host[here] && v->had_last[host] != datum) {
            v->had_last[host] = datum;
            v->visit(v->context,
                     &(sent_message){here, there, app->datum_messages[datum], app->datum_bytes[datum], further});
            further = true;
        }
    }
}

static void visit_all(const visitor *v)
{
    const inlay_app *app = v->p->app;
    for (inlay_id i = 0; i < app->modules; i++) {
        for (int64_t l = app->out_begin[i]; l < app->out_begin[i + 1]; l++) {
            visit_link(v, i, l);
        }
        for (inlay_id d = v->host == NULL ? 0 : app->data_begin[i]; v->host != NULL && d < app->data_begin[i + 1];
             d++) {
            visit_datum(v, i, d);
        }
    }
}

/* What is made, where who sends it stands nowhere else. */
static int visit_made(const visitor *v)
{
    sendings s;
    if (sent_by(v->p, v->place, &s) != INLAY_OK) {
        return INLAY_NO_MEMORY;
    }
    for (inlay_id i = 0; i < v->p->modules; i++) {
        for (int64_t e = s.begin[i]; e < s.begin[i + 1]; e++) {
            sent_entry entry = sent_at(&s, e);
            sent_message m = {.from = sent_sender(&s, e, v->place->cluster_of[i]),
                              .to = v->place->cluster_of[entry.to],
                              .messages = entry.messages,
                              .bytes = entry.bytes,
                              .further = entry.copy != NULL && entry.copy->further};
            if (m.from != m.to) {
                v->visit(v->context, &m);
            }
        }
    }
    sent_clear(&s);
    return INLAY_OK;
}

int sent_each(const problem *p, const placement *place, void (*visit)(void *context, const sent_message *m),
              void *context)
{
    const inlay_machine *machine = p->machine;
    visitor v = {.p = p, .place = place, .visit = visit, .context = context};
    inlay_id clusters = place->clusters;
    if (!problem_copies(p)) {
        visit_all(&v);
        return INLAY_OK;
    }
    bool hosts = has_hosts(machine, clusters, place->processor);
    if (in_trees(machine, clusters, place->processor)) {
        return visit_made(&v);
    }
    size_t most_hosts = (size_t)(hosts ? inlay_machine_processors(machine) : clusters);
    v.host = memory_array((size_t)clusters, sizeof *v.host);
    v.had_last = memory_array(most_hosts, sizeof *v.had_last);
    bool fine = v.host != NULL && v.had_last != NULL;
    if (fine) {
        memset(v.had_last, 0xFF, most_hosts * sizeof *v.had_last); /* -1 */
        fill_hosts(machine, clusters, hosts ? place->processor : NULL, v.host);
        visit_all(&v);
    }
    free(v.host);
    free(v.had_last);
    return fine ? INLAY_OK : INLAY_NO_MEMORY;
}

double sent_spared(const sendings *s, const interconnect *network)
{
    double sum = 0;
    if (!sent_written_once(network)) {
        return 0;
    }
    for (int64_t k = 0; k < s->copies; k++) {
        const sent_copy *c = &s->copy[k];
        sum += c->further ? (double)interconnect_traffic(network, s->app->datum_messages[c->datum],
                                                         s->app->datum_bytes[c->datum])
                          : 0;
    }
    return sum / network->transfers;
}

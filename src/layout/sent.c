/* What a placement sends: the copies of each module's data, then all entries in their order, then who passes them on. */
#include "layout/sent.h"
#include "base/memory.h"
#include "graph/app.h"
#include <stdlib.h>
#include <string.h>

void sent_clear(sendings *s)
{
    for (size_t i = 0; i < sizeof s->own / sizeof *s->own; i++) {
        free(s->own[i]);
    }
    free(s->link);
    free(s->datum);
    free(s->further);
    free(s->await_begin);
    free(s->await);
    free(s->awaited);
    free(s->pass);
    *s = (sendings){0};
}

/* ---- Copies ---- */

typedef struct copy {
    int64_t first; /* its first link */
    inlay_id datum;
    inlay_id to;
    bool further;
    int64_t awaiting;         /* links */
    int64_t await_at, filled; /* of `waiting` in the making */
    inlay_id place;           /* in trees: the number of the destination */
    int64_t entry, last;      /* in trees: its own, and the last of those that are sent on from there; -1 */
} copy;

typedef struct making {
    const inlay_app *app;
    const inlay_id *cluster_of;
    const inlay_id *host_of; /* of every cluster */
    int64_t *link_to;        /* by module: the precedence link of the producer at hand to it */
    int64_t *copy_to;        /* by host: the copy of the datum at hand, or an earlier one */
    copy *copies;
    size_t count, room;
    const inlay_id *processor; /* of every cluster, in trees; else NULL */
    bool hosts;                /* destinations are */
    int64_t *waiting;          /* links of all copies, one copy after another */
    size_t links, links_room;
} making;

static inlay_id host_of(const making *m, inlay_id module)
{
    return m->host_of[m->cluster_of[module]];
}

static void find_links(making *m, inlay_id module)
{
    for (int64_t l = m->app->out_begin[module]; l < m->app->out_begin[module + 1]; l++) {
        if (!(m->app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY)) {
            m->link_to[m->app->out_to[l]] = l;
        }
    }
}

/* The copies of one datum, one for each host that has consumers and not the producer. */
static bool copy_datum(making *m, inlay_id producer, inlay_id datum)
{
    const inlay_app *app = m->app;
    size_t first = m->count, consumers = 0;
    for (int64_t k = app->consumer_begin[datum]; k < app->consumer_begin[datum + 1]; k++) {
        inlay_id to = app->consumer[k], host = host_of(m, to);
        if (host == host_of(m, producer)) {
            continue;
        }
        consumers++;
        if (m->copy_to[host] < (int64_t)first) {
            if (!memory_grow((void **)&m->copies, &m->room, m->count + 1, sizeof *m->copies)) {
                return false;
            }
            m->copy_to[host] = (int64_t)m->count;
            inlay_id place = m->processor == NULL || m->hosts ? host : m->processor[host];
            m->copies[m->count++] =
                (copy){.first = INT64_MAX, .datum = datum, .further = true, .place = place, .last = -1};
        }
        copy *c = &m->copies[m->copy_to[host]];
        c->to = m->link_to[to] < c->first ? to : c->to;
        c->first = m->link_to[to] < c->first ? m->link_to[to] : c->first;
        c->awaiting++;
    }
    if (!memory_grow((void **)&m->waiting, &m->links_room, m->links + consumers, sizeof *m->waiting)) {
        return false;
    }
    for (size_t k = first; k < m->count; k++) {
        m->copies[k].await_at = (int64_t)m->links;
        m->links += (size_t)m->copies[k].awaiting;
    }
    for (int64_t k = app->consumer_begin[datum]; k < app->consumer_begin[datum + 1]; k++) {
        inlay_id to = app->consumer[k], host = host_of(m, to);
        if (host != host_of(m, producer)) {
            copy *c = &m->copies[m->copy_to[host]];
            m->waiting[c->await_at + c->filled++] = m->link_to[to];
        }
    }
    return true;
}

/* By their first links, then data. */
static int compare_copies(const void *a, const void *b)
{
    const copy *x = a, *y = b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
                                : (x->datum > y->datum) - (x->datum < y->datum);
}

/* ---- Entries ---- */

static bool allocate(const making *m, sendings *s)
{
    size_t n = (size_t)m->app->modules, links = (size_t)m->app->links, entries = links + m->count;
    for (size_t i = 0; i < sizeof s->own / sizeof *s->own; i++) {
        s->own[i] = memory_array(i == 0 ? n + 1 : entries, i == 1 ? sizeof *s->to : sizeof *s->begin);
    }
    s->begin = s->own[0];
    s->to = s->own[1];
    s->messages = s->own[2];
    s->bytes = s->own[3];
    s->link = memory_array(entries, sizeof *s->link);
    s->datum = memory_array(entries, sizeof *s->datum);
    s->further = memory_zeroed(entries, sizeof *s->further);
    s->await_begin = memory_array(entries + 1, sizeof *s->await_begin);
    s->await = memory_array(m->links, sizeof *s->await);
    s->awaited = memory_zeroed(n, sizeof *s->awaited);
    s->pass = m->processor == NULL ? NULL : memory_array(entries, sizeof *s->pass);
    return (s->pass || !m->processor) && s->begin && s->to && s->messages && s->bytes && s->link && s->datum &&
           s->further && s->await_begin && s->await && s->awaited;
}

typedef struct entry {
    inlay_id to, datum;
    int64_t messages, bytes, link;
} entry;

static void put_entry(sendings *s, const entry *e, inlay_id sender)
{
    int64_t at = s->entries++;
    if (s->pass != NULL) {
        s->pass[at] = (sent_pass){sender, -1, -1, -1};
    }
    ((inlay_id *)s->own[1])[at] = e->to;
    ((int64_t *)s->own[2])[at] = e->messages;
    ((int64_t *)s->own[3])[at] = e->bytes;
    s->link[at] = e->link;
    s->datum[at] = e->datum;
}

/* A link: with all that it states, where it stays on the host or has no data. */
static void put_link(const making *m, sendings *s, inlay_id from, int64_t l, int64_t awaiting)
{
    const inlay_app *app = m->app;
    inlay_id to = app->out_to[l];
    bool whole = host_of(m, from) == host_of(m, to) || (app->out_flags[l] & INLAY_LINK_TRAFFIC_ONLY);
    int64_t messages = whole ? app->out_messages[l] : app->own_messages[l] < 0 ? 0 : app->own_messages[l];
    s->await_begin[s->entries] = awaiting;
    put_entry(s, &(entry){to, -1, messages, whole ? app->out_bytes[l] : app->own_bytes[l], l}, m->cluster_of[from]);
}

static void put_copy(const making *m, sendings *s, inlay_id from, copy *c, int64_t *awaiting)
{
    const inlay_app *app = m->app;
    s->await_begin[s->entries] = *awaiting;
    s->further[s->entries] = c->further;
    c->entry = s->entries;
    put_entry(s, &(entry){c->to, c->datum, app->datum_messages[c->datum], app->datum_bytes[c->datum], c->first},
              m->cluster_of[from]);
    for (int64_t k = 0; k < c->awaiting; k++) {
        int64_t link = m->waiting[c->await_at + k];
        s->await[(*awaiting)++] = link;
        s->awaited[app->out_to[link]]++;
    }
}

/* The first copy of each datum, in the order of the entries, is the one that is not further. */
static void put_row(const making *m, sendings *s, inlay_id module, copy *copies, size_t count, int64_t *awaiting)
{
    size_t next = 0;
    ((int64_t *)s->own[0])[module] = s->entries;
    for (int64_t l = m->app->out_begin[module]; l < m->app->out_begin[module + 1]; l++) {
        put_link(m, s, module, l, *awaiting);
        for (; next < count && copies[next].first == l; next++) {
            put_copy(m, s, module, &copies[next], awaiting);
        }
    }
    ((int64_t *)s->own[0])[module + 1] = s->entries;
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
        s->pass[own] = (sent_pass){m->cluster_of[of->to], of->entry, -1, -1};
        *(of->last < 0 ? &s->pass[of->entry].first : &s->pass[of->last].next) = own;
        of->last = own;
    }
}

/* The trees of all data of a module, whose entries stand. */
static void plant_trees(const making *m, sendings *s, copy *copies, size_t count)
{
    qsort(copies, count, sizeof *copies, compare_places);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && copies[end].datum == copies[begin].datum;) {
            end++;
        }
        plant_tree(m, s, copies + begin, (inlay_id)(end - begin));
    }
}

/* ---- The whole ---- */

static bool fill(making *m, sendings *s)
{
    const inlay_app *app = m->app;
    for (inlay_id i = 0; i < app->modules; i++) {
        find_links(m, i);
        for (inlay_id d = app->data_begin[i]; d < app->data_begin[i + 1]; d++) {
            size_t before = m->count;
            if (!copy_datum(m, i, d)) {
                return false;
            }
            size_t first = before; /* of them, by link */
            for (size_t k = before; k < m->count; k++) {
                first = m->copies[k].first < m->copies[first].first ? k : first;
            }
            if (before < m->count) {
                m->copies[first].further = false;
            }
        }
    }
    if (!allocate(m, s)) {
        return false;
    }
    int64_t awaiting = 0;
    size_t at = 0;
    for (inlay_id i = 0; i < app->modules; i++) {
        size_t end = at;
        while (end < m->count && m->copies[end].datum < app->data_begin[i + 1]) {
            end++;
        }
        if (end - at > 1) {
            qsort(m->copies + at, end - at, sizeof *m->copies, compare_copies);
        }
        put_row(m, s, i, m->copies == NULL ? NULL : m->copies + at, end - at, &awaiting);
        if (s->pass != NULL && end > at) {
            plant_trees(m, s, m->copies + at, end - at);
        }
        at = end;
    }
    s->await_begin[s->entries] = awaiting;
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
    sendings s = {.app = app,
                  .begin = app->out_begin,
                  .to = app->out_to,
                  .messages = app->out_messages,
                  .bytes = app->out_bytes,
                  .entries = app->links};
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
    m.link_to = memory_array((size_t)app->modules, sizeof *m.link_to);
    m.copy_to = memory_array(most_hosts, sizeof *m.copy_to);
    bool fine = host != NULL && m.link_to != NULL && m.copy_to != NULL;
    if (fine) {
        memset(m.copy_to, 0xFF, most_hosts * sizeof *m.copy_to); /* -1: none yet */
        fill_hosts(machine, clusters, hosts ? processor : NULL, host);
        fine = fill(&m, &s);
    }
    free(host);
    free(m.link_to);
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
            sent_message m = {.from = sent_sender(&s, e, v->place->cluster_of[i]),
                              .to = v->place->cluster_of[s.to[e]],
                              .messages = s.messages[e],
                              .bytes = s.bytes[e],
                              .further = s.further != NULL && s.further[e]};
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
    if (s->further == NULL || !sent_written_once(network)) {
        return 0;
    }
    for (int64_t e = 0; e < s->entries; e++) {
        sum += s->further[e] ? (double)interconnect_traffic(network, s->messages[e], s->bytes[e]) : 0;
    }
    return sum / network->transfers;
}

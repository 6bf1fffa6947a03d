/* Touches of an inspection, and the rules that they must keep. */
#include "base/diag.h"
#include "base/plain.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <stdlib.h>
#include <string.h>

/* ---- Beginning and end ---- */

int whole_inspection_begin(whole_state *w, loop_state *l)
{
    inspection *in = &w->in;
    whole_inspection_end(w);
    in->stamp++; /* of this program: no element has been seen in it */
    in->loop = l;
    in->status = INLAY_OK;
    in->hash = 1;
    in->site = memory_zeroed((size_t)l->about.sites + 1, sizeof *in->site);
    in->key = memory_array((size_t)l->about.keys + 1, sizeof *in->key);
    if (in->site == NULL || in->key == NULL) {
        in->status = INLAY_NO_MEMORY;
        return in->status;
    }
    for (int s = 0; s < l->about.sites; s++) {
        const inlay_site *from = &l->about.site[s];
        in->site[s] = (site_state){.bit = (uint16_t)(1U << from->access),
                                   .access = (uint8_t)from->access,
                                   .key = from->key,
                                   .group = l->first_site + s,
                                   .page_number = UINTPTR_MAX};
    }
    for (int k = 0; k < l->about.keys; k++) {
        in->key[k] = (key_state){.iteration = NO_ITERATION, .cluster = -1};
    }
    return INLAY_OK;
}

void whole_inspection_end(whole_state *w)
{
    inspection *in = &w->in;
    free(in->site);
    free(in->key);
    free(in->value);
    free(in->start);
    free(in->touched);
    free(in->source);
    free(in->private_to);
    free(in->divided);
    free(in->part);
    free(in->rank_of);
    free(in->filled);
    free(in->tried);
    free(in->before);
    *in = (inspection){.stamp = in->stamp};
}

static inline void mix(inspection *in, uint64_t what)
{
    in->hash = (in->hash ^ what) * UINT64_C(0x9E3779B97F4A7C15);
    in->hash ^= in->hash >> 29;
}

void inlay_loop_iteration(inlay_loop *loop, int64_t value)
{
    inspection *in = &loop_of(loop)->whole->in;
    size_t i = (size_t)in->iterations;
    if (in->loop == NULL || in->status != INLAY_OK || in->conflict.found) {
        return;
    }
    if (i >= INT32_MAX ||
        (i >= in->value_room && !memory_grow((void **)&in->value, &in->value_room, i + 1, sizeof *in->value)) ||
        (i + 1 >= in->start_room && !memory_grow((void **)&in->start, &in->start_room, i + 2, sizeof *in->start))) {
        in->status = INLAY_NO_MEMORY;
        return;
    }
    whole_trial_undo(in);
    in->value[i] = value;
    in->start[i] = in->touches;
    mix(in, (uint64_t)value);
    in->privates = in->fixed_privates;
    in->fills = 0;
    in->iterations++;
}

void whole_trial_undo(inspection *in)
{
    while (in->trials > 0) {
        const range *r = &in->tried[--in->trials];
        size_t size = (size_t)(r->end - r->begin);
        in->befores -= size;
        memcpy((void *)(uintptr_t)r->begin, in->before + in->befores, size); // NOLINT(performance-no-int-to-ptr)
    }
}

void inlay_loop_try(inlay_loop *loop, const void *at, size_t size)
{
    inspection *in = &loop_of(loop)->whole->in;
    if (in->loop == NULL || in->iterations == 0 || whole_is_private(in, at, size)) {
        return;
    }
    if (!memory_grow((void **)&in->tried, &in->trial_room, in->trials + 1, sizeof *in->tried) ||
        !memory_grow((void **)&in->before, &in->before_room, in->befores + size, 1)) {
        in->status = INLAY_NO_MEMORY;
        return;
    }
    memcpy(in->before + in->befores, at, size);
    in->befores += size;
    in->tried[in->trials++] = (range){.begin = at, .end = (const char *)at + size};
}

/* ---- Touches ---- */

static const private_range *find_private(const inspection *in, const char *at, size_t size)
{
    for (size_t i = 0; i < in->privates; i++) {
        if (at >= in->private_to[i].begin && at + size <= in->private_to[i].end) {
            return &in->private_to[i];
        }
    }
    return NULL;
}

bool whole_is_private(const inspection *in, const char *at, size_t size)
{
    return find_private(in, at, size) != NULL;
}

bool whole_reads_private(inspection *in, const char *at, size_t size)
{
    const private_range *r = find_private(in, at, size);
    for (size_t k = 0; r != NULL && r->filled >= 0 && k < size; k++) {
        in->unfilled = in->unfilled || !in->filled[r->filled + (at - r->begin) + (ptrdiff_t)k];
    }
    return r != NULL;
}

static void add_private(inspection *in, const char *at, size_t size, bool scratch)
{
    if (in->loop == NULL || in->status != INLAY_OK) {
        return;
    }
    if (!memory_grow((void **)&in->private_to, &in->private_room, in->privates + 1, sizeof *in->private_to) ||
        (scratch && !memory_grow((void **)&in->filled, &in->filled_room, in->fills + size, sizeof *in->filled))) {
        in->status = INLAY_NO_MEMORY;
        return;
    }
    in->private_to[in->privates++] =
        (private_range){.begin = at, .end = at + size, .filled = scratch ? (ptrdiff_t)in->fills : -1};
    if (scratch) {
        memset(in->filled + in->fills, 0, size);
        in->fills += size;
    }
    if (in->iterations == 0) {
        in->fixed_privates = in->privates;
    }
}

void inlay_loop_private(inlay_loop *loop, const void *at, size_t size)
{
    add_private(&loop_of(loop)->whole->in, at, size, false);
}

void inlay_loop_scratch(inlay_loop *loop, const void *at, size_t size)
{
    add_private(&loop_of(loop)->whole->in, at, size, true);
}

void inlay_loop_fills(inlay_loop *loop, const void *at, size_t size)
{
    inspection *in = &loop_of(loop)->whole->in;
    const private_range *r = find_private(in, at, size);
    if (r != NULL && r->filled >= 0) {
        memset(in->filled + r->filled + ((const char *)at - r->begin), true, size);
    }
}

/* Several iterations may do this to one element: they all read it, or all accumulate to it in one way. */
static inline bool shared_well(unsigned kinds)
{
    return kinds == READS || ((kinds & (READS | WRITES)) == 0 && (kinds & (kinds - 1)) == 0);
}

bool whole_is_accumulated(const element *e)
{
    return e->several && (e->kinds & (READS | WRITES)) == 0; /* what one iteration alone adds to, it writes */
}

static void refuse(inspection *in, const element *e, unsigned before, int site, bool types)
{
    if (!in->conflict.found) {
        in->conflict = (conflict){.found = true,
                                  .iteration = {e->first, (int32_t)in->iterations - 1},
                                  .site = {e->site, site},
                                  .kinds = {(uint16_t)before, in->site[site].bit},
                                  .types = types};
        if (e->first == in->conflict.iteration[1]) {
            in->conflict.iteration[0] = NO_ITERATION; /* an earlier one that is not known */
        }
    }
}

/* What an access adds to what is known of an element that was touched before. */
static inline void know(inspection *in, element *e, unsigned bit, uint8_t number, int site)
{
    unsigned before = e->kinds, kinds = before | bit;
    bool types = false;
    if ((bit & (READS | WRITES)) == 0 && e->number != number) {
        types = (before & ~(unsigned)(READS | WRITES)) != 0;
        kinds |= types ? WRITES : 0;
        e->number = number;
    }
    unsigned sums = kinds & ~(unsigned)(READS | WRITES);
    kinds |= (sums & (sums - 1)) != 0 || (sums != 0 && (kinds & READS) != 0) ? WRITES
                                                                             : 0; /* accumulated in two ways, or read */
    if (kinds == before && !e->several) {
        return;
    }
    if (e->several && !shared_well(kinds)) {
        refuse(in, e, before, site, types && (before & WRITES) == 0);
    }
    if (kinds != before) {
        e->kinds = (uint16_t)kinds;
        e->site = bit != READS ? site : e->site;
        mix(in, (uint64_t)kinds << 32);
    }
}

static void append(inspection *in, int32_t id)
{
    size_t t = (size_t)in->touches;
    if (t >= in->touched_room && !memory_grow((void **)&in->touched, &in->touched_room, t + 1, sizeof *in->touched)) {
        in->status = INLAY_NO_MEMORY;
        return;
    }
    in->touched[in->touches++] = id;
    mix(in, (uint64_t)id);
}

static int32_t cluster_new(whole_state *w)
{
    if (w->clusters == INT32_MAX ||
        !memory_grow((void **)&w->cluster, &w->cluster_room, (size_t)w->clusters + 1, sizeof *w->cluster)) {
        w->in.status = INLAY_NO_MEMORY;
        return -1;
    }
    w->cluster[w->clusters] = (cluster){.owner = -1, .mark = NO_ITERATION};
    return (int32_t)w->clusters++;
}

/* The element's group and the site's become one. Both name its first site, so that they are equal next time. */
static void join_groups(whole_state *w, element *e, site_state *s)
{
    if (e->group >= 0) {
        whole_group_join(w, e->group, s->group);
    } else if (!w->in.source_anew) {
        w->in.source_anew = whole_sources_were_at(w, e);
    }
    s->group = whole_group(w, s->group);
    e->group = s->group;
}

static inline void touch_element(whole_state *w, int32_t id, int site, uint8_t number)
{
    inspection *in = &w->in;
    site_state *s = &in->site[site];
    element *e = &w->element[id];
    int32_t i = (int32_t)in->iterations - 1;
    if (e->seen != in->stamp) {
        e->seen = in->stamp;
        e->first = e->last = i;
        e->site = site;
        e->kinds = s->bit;
        e->number = number;
        e->several = false;
        append(in, id);
    } else if (e->last == i) {
        know(in, e, s->bit, number, site);
    } else {
        e->last = i;
        e->several = true;
        append(in, id);
        know(in, e, s->bit, number, site);
    }
    if (e->group != s->group) {
        join_groups(w, e, s);
    }
    /* Elements with one key in an iteration get one owner. */
    key_state *k = &in->key[s->key];
    if (k->cluster < 0) {
        k->cluster = e->cluster >= 0 ? e->cluster : cluster_new(w);
    }
    if (e->cluster < 0) {
        e->cluster = k->cluster;
    }
}

/* The key of a site begins to mean other elements in the next iteration, and where the site that was its first comes again: in
 * a loop within the body. */
static inline void enter_key(inspection *in, int site)
{
    key_state *k = &in->key[in->site[site].key];
    int32_t i = (int32_t)in->iterations - 1;
    if (k->iteration != i || k->site == site) {
        *k = (key_state){.iteration = i, .site = site, .cluster = -1};
    }
}

static page *page_of(whole_state *w, site_state *s, uintptr_t at)
{
    if (s->page_number != at >> PAGE_BITS) {
        page *p = whole_page_made(w, at);
        if (p == NULL) {
            w->in.status = INLAY_NO_MEMORY;
            return NULL;
        }
        s->page = p;
        s->page_number = at >> PAGE_BITS;
    }
    return s->page;
}

void whole_note_part(inspection *in, int32_t head, int32_t part)
{
    if (!memory_grow((void **)&in->part, &in->part_room, in->parts + 1, sizeof *in->part)) {
        in->status = INLAY_NO_MEMORY;
        return;
    }
    in->part[in->parts][0] = head;
    in->part[in->parts++][1] = part;
}

/* Any access: word for word. A number of several elements is known as such. */
static void touch_words(whole_state *w, int site, uint8_t number, uintptr_t at, size_t size)
{
    inspection *in = &w->in;
    int32_t head = -1;
    for (size_t done = 0; done < size && in->status == INLAY_OK;) {
        size_t piece = 8 - (at + done) % 8;
        piece = piece < size - done ? piece : size - done;
        page *p = page_of(w, &in->site[site], at + done);
        int32_t first, count = p == NULL ? 0 : whole_elements_of(w, p, at + done, piece, &first);
        if (count == 0) {
            in->status = INLAY_NO_MEMORY;
            return;
        }
        for (int32_t k = first; k < first + count; k++) {
            head = head < 0 ? k : head;
            touch_element(w, k, site, k == head ? number : number | PART_OF_NUMBER);
            if (k != head && in->site[site].access > INLAY_ACCESS_WRITE &&
                w->element[k].first == (int32_t)in->iterations - 1) {
                whole_note_part(in, head, k);
            }
        }
        done += piece;
    }
}

void inlay_loop_touch(inlay_loop *loop, int site, inlay_number number, const void *at, size_t size)
{
    whole_state *w = loop_of(loop)->whole;
    inspection *in = &w->in;
    if (in->loop == NULL || in->status != INLAY_OK || in->conflict.found || size == 0) {
        return;
    }
    if (in->iterations == 0) {
        inlay_loop_source(loop, at, size);
        return;
    }
    if (in->privates > 0 && whole_is_private(in, at, size)) {
        if (in->site[site].access == INLAY_ACCESS_WRITE) {
            inlay_loop_fills(loop, at, size);
        } else {
            (void)whole_reads_private(in, at, size);
        }
        return;
    }
    site_state *s = &in->site[site];
    uintptr_t a = (uintptr_t)at;
    enter_key(in, site);
    if (s->access <= INLAY_ACCESS_WRITE) {
        number = INLAY_NUMBER_BYTES;
    } else if (s->access == INLAY_ACCESS_ADD && number == INLAY_NUMBER_COMPLEX_DOUBLE) {
        number = INLAY_NUMBER_DOUBLE; /* its parts are added one by one */
    } else if (s->access == INLAY_ACCESS_ADD && number == INLAY_NUMBER_COMPLEX_FLOAT) {
        number = INLAY_NUMBER_FLOAT;
    }
    size_t unit = number == INLAY_NUMBER_BYTES ? size : whole_number_size(number);
    if (unit == size && (size == 8 || size == 4) && a % size == 0) {
        page *p = page_of(w, s, a);
        if (p == NULL) {
            return;
        }
        uint32_t word = p->word[a % PAGE_BYTES / 8];
        if (word != 0 && (word & 3) == (size == 8 ? 3 : 2)) {
            touch_element(w, (int32_t)(word >> 2) - 1 + (int32_t)(size == 4 ? a >> 2 & 1 : 0), site, (uint8_t)number);
            return;
        }
    }
    for (size_t done = 0; done + unit <= size; done += unit) {
        touch_words(w, site, (uint8_t)number, a + done, unit);
    }
}

/* ---- The rules ---- */

static const char *said(unsigned kinds)
{
    static const char *const words[] = {"reads",
                                        "writes",
                                        "adds to",
                                        "multiplies",
                                        "takes the minimum of",
                                        "takes the maximum of",
                                        "takes the bits (&) of",
                                        "sets bits (|) of",
                                        "changes bits (^) of",
                                        "takes && of",
                                        "takes || of"};
    size_t kind = 0; /* what is not a read, where there is more than one */
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if ((kinds >> k & 1) != 0 && (kind == INLAY_ACCESS_READ || k == INLAY_ACCESS_WRITE)) {
            kind = k;
        }
    }
    return words[kind];
}

static int tell(whole_state *w)
{
    const inspection *in = &w->in;
    const conflict *c = &in->conflict;
    const inlay_site *a = &in->loop->about.site[c->site[0]], *b = &in->loop->about.site[c->site[1]];
    char one[48] = "an earlier one";
    if (c->iteration[0] != NO_ITERATION) {
        plain_print(one, sizeof one, "iteration %lld", (long long)in->value[c->iteration[0]]);
    }
    if (c->types) {
        return diag_fail(
            w->whole.diag, INLAY_BAD_INPUT,
            "%s: iterations %lld and %s accumulate to the same memory as numbers of different types (%s, and %s at "
            "%s); expected one type",
            b->where, (long long)in->value[c->iteration[1]], one, b->text, a->text, a->where);
    }
    return diag_fail(
        w->whole.diag, INLAY_BAD_INPUT,
        "%s: iteration %lld %s %s, which %s %s (%s at %s); expected iterations that do not hang on each other: what "
        "one writes no other touches, and what several add to (or min, max, ...) they do that to alone",
        b->where, (long long)in->value[c->iteration[1]], said(c->kinds[1]), b->text, one, said(c->kinds[0]), a->text,
        a->where);
}

/* Numbers of several elements are accumulated as a whole, or not at all, and have one owner. */
static void unite_numbers(whole_state *w)
{
    inspection *in = &w->in;
    for (size_t n = 0; n < in->parts; n++) {
        const element *part = &w->element[in->part[n][1]];
        if (part->at == NULL || !whole_is_accumulated(part) || (part->number & PART_OF_NUMBER) == 0) {
            w->element[in->part[n][0]].kinds |= WRITES;
        }
    }
    for (size_t n = 0; n < in->parts; n++) {
        element *head = &w->element[in->part[n][0]], *part = &w->element[in->part[n][1]];
        if (head->at == NULL || !whole_is_accumulated(head)) {
            part->kinds |= WRITES;
            if (head->several || part->several) {
                refuse(in, part, part->kinds, part->site, true);
            }
        }
        if (part->cluster != head->cluster) {
            part->cluster = head->cluster;
            w->distribution++;
        }
    }
}

/* Were all ranks told the same? */
static int compare_ranks(whole_state *w)
{
    inspection *in = &w->in;
    uint64_t mine[2], most[2];
    mix(in, (uint64_t)in->touches);
    mix(in, (uint64_t)in->iterations);
    mix(in, in->conflict.found);
    mine[0] = in->hash;
    mine[1] = ~in->hash;
    MPI_Allreduce(mine, most, 2, MPI_UINT64_T, MPI_MAX, w->whole.comm);
    if (most[0] == ~most[1]) {
        return INLAY_OK;
    }
    return diag_fail(
        w->whole.diag, INLAY_SYSTEM,
        "%s: ranks disagree about what the loop touches; expected a program that does the same on all of them",
        in->loop->about.where);
}

int whole_inspection_check(whole_state *w)
{
    inspection *in = &w->in;
    whole_trial_undo(in);
    int status = in->status;
    if (status == INLAY_OK && !in->conflict.found) {
        status = in->iterations + 1 > (int64_t)in->start_room &&
                         !memory_grow((void **)&in->start, &in->start_room, 1, sizeof *in->start)
                     ? INLAY_NO_MEMORY
                     : INLAY_OK;
        if (status == INLAY_OK) {
            in->start[in->iterations] = in->touches;
            status = whole_divide_lists(w);
        }
        if (status == INLAY_OK) {
            unite_numbers(w);
        }
    }
    if (status == INLAY_NO_MEMORY) {
        diag_no_memory(w->whole.diag);
    }
    status = collective_agree(w->whole.comm, status, w->whole.diag);
    if (status == INLAY_OK) {
        status = compare_ranks(w);
    }
    if (status == INLAY_OK && in->conflict.found) {
        status = tell(w);
    }
    if (status == INLAY_OK && in->unfilled) {
        status = diag_fail(w->whole.diag, INLAY_BAD_INPUT,
                           "%s: an iteration reads from an array of this function what it did not set before; expected "
                           "that each iteration sets all that it reads there",
                           in->loop->about.where);
    }
    return status;
}

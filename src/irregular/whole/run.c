/* A loop in its steps: begin, inspected, fetch, fetched, end. */
#include "base/clock.h"
#include "base/diag.h"
#include "irregular/exchange/collective.h"
#include "irregular/whole/whole.h"
#include <stdlib.h>
#include <string.h>

enum { TAG_FETCH = 1, TAG_RESULT };

/* ---- Begin ---- */

static int loop_new(whole_state *w, const inlay_loop_about *about, loop_state **made)
{
    loop_state *l = memory_zeroed(1, sizeof *l);
    bool whole = l != NULL;
    int32_t first = w->groups;
    for (int s = 0; s < about->sites && whole; s++) {
        whole = whole_group_new(w) >= 0;
    }
    int status = collective_agree(w->whole.comm, whole ? INLAY_OK : diag_no_memory(w->whole.diag), w->whole.diag);
    if (status != INLAY_OK || l == NULL) {
        free(l);
        return status;
    }
    l->loop.whole = &w->whole;
    l->whole = w;
    l->about = *about;
    l->first_site = first;
    l->frees = w->frees;
    *w->last_loop = l; /* in the order in which they were first run */
    w->last_loop = &l->next;
    *made = l;
    return INLAY_OK;
}

static bool same_key(const plan *p, const inlay_input *input, int inputs)
{
    size_t at = 0;
    for (int i = 0; i < inputs; i++) {
        if (at + input[i].size > p->key_size || memcmp(p->key + at, input[i].at, input[i].size) != 0) {
            return false;
        }
        at += input[i].size;
    }
    return at == p->key_size;
}

static plan *find_plan(loop_state *l, const inlay_input *input, int inputs)
{
    for (int i = 0; i < PLANS; i++) {
        if (l->plan[i].made && same_key(&l->plan[i], input, inputs)) {
            return &l->plan[i];
        }
    }
    return NULL;
}

/* The plan for these inputs where all ranks have it. Values of inputs are addresses too, and a block that was freed may have come
 * back at the same one on some ranks alone: they ask each other then. */
static plan *agreed_plan(whole_state *w, loop_state *l, const inlay_input *input, int inputs)
{
    plan *p = find_plan(l, input, inputs);
    if (p != NULL && p->distribution != w->distribution) {
        whole_plan_clear(p);
        p = NULL;
    }
    if (l->frees == w->frees || w->whole.ranks == 1) {
        return p;
    }
    l->frees = w->frees;
    int mine[2] = {p != NULL, p == NULL}, any[2];
    MPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, w->whole.comm);
    if (any[0] != 0 && any[1] != 0) { /* some have it, some not */
        for (int i = 0; i < PLANS; i++) {
            whole_plan_clear(&l->plan[i]);
        }
        p = NULL;
    }
    return p;
}

/* The place of a plan that is to be made. */
static plan *new_plan(loop_state *l)
{
    plan *oldest = &l->plan[0];
    for (int i = 0; i < PLANS; i++) {
        if (!l->plan[i].made) {
            return &l->plan[i];
        }
        oldest = l->plan[i].used < oldest->used ? &l->plan[i] : oldest;
    }
    whole_plan_clear(oldest);
    return oldest;
}

static void publish(loop_state *l, plan *p)
{
    l->current = p;
    l->loop.count = p->count;
    l->loop.inner = p->inner;
    l->loop.ranges = p->ranges;
    l->loop.range = p->range;
    l->loop.iterations = p->iterations;
    l->ghosts = p->ghosts;
}

static bool key_make(plan *p, const inlay_input *input, int inputs)
{
    p->key_size = 0;
    for (int i = 0; i < inputs; i++) {
        p->key_size += input[i].size;
    }
    p->key = memory_array(p->key_size + 1, 1);
    for (size_t at = 0; p->key != NULL && at < p->key_size; at += (input++)->size) {
        memcpy(p->key + at, input->at, input->size);
    }
    return p->key != NULL;
}

enum { FEW_FORGOTTEN = 1 << 20 };

static int begin_inspection(whole_state *w, loop_state *l, const inlay_input *input, int inputs)
{
    int status = w->whole.stale ? inlay_whole_settle(&w->whole) : INLAY_OK;
    if (status == INLAY_OK && 2 * w->forgotten > w->elements + FEW_FORGOTTEN) {
        whole_elements_clear(w);
    }
    if (status == INLAY_OK) {
        l->current = new_plan(l);
        l->inspecting -= clock_seconds();
        status = whole_inspection_begin(w, l);
        if (!key_make(l->current, input, inputs) || status != INLAY_OK) {
            w->in.status = INLAY_NO_MEMORY; /* told when it has been inspected */
        }
        l->loop.count = l->loop.ranges = l->loop.inner = l->loop.iterations = 0;
        status = INLAY_OK;
    }
    return status;
}

int inlay_loop_begin(inlay_whole *whole, inlay_loop **loop, const inlay_loop_about *about, const inlay_input *input,
                     int inputs, bool *inspect)
{
    whole_state *w = state_of(whole);
    DIAG_CALL(whole->diag);
    if (*loop == NULL) {
        loop_state *made = NULL;
        int status = loop_new(w, about, &made);
        if (status != INLAY_OK || made == NULL) {
            return status;
        }
        *loop = &made->loop;
    }
    loop_state *l = loop_of(*loop);
    plan *p = agreed_plan(w, l, input, inputs);
    if (p != NULL && whole_sources_suspect(w, p)) {
        bool changed = false;
        int status = whole->stale ? inlay_whole_settle(whole) : INLAY_OK;
        if (status == INLAY_OK) {
            status = whole_sources_changed(w, l, p, &changed);
        }
        if (status != INLAY_OK) {
            return status;
        }
        if (changed) {
            whole_plan_clear(p);
            p = NULL;
        }
    }
    if (p != NULL) {
        p->epoch = whole->epoch;
        p->used = ++w->uses;
        publish(l, p);
        *inspect = false;
        return INLAY_OK;
    }
    int status = begin_inspection(w, l, input, inputs);
    *inspect = status == INLAY_OK;
    return status;
}

/* ---- Inspected ---- */

/* Elements were made where other plans have sources: what these hang on is to be looked for again. */
static int look_for_groups(whole_state *w)
{
    for (loop_state *l = w->loops; l != NULL; l = l->next) {
        for (int i = 0; i < PLANS; i++) {
            if (l->plan[i].made && whole_sources_groups(w, &l->plan[i]) != INLAY_OK) {
                return diag_no_memory(w->whole.diag);
            }
        }
    }
    return INLAY_OK;
}

int inlay_loop_inspected(inlay_loop *loop)
{
    loop_state *l = loop_of(loop);
    whole_state *w = l->whole;
    DIAG_CALL(w->whole.diag);
    plan *p = l->current;
    int status = whole_inspection_check(w);
    if (status == INLAY_OK) {
        status = whole_sources_check(w);
    }
    if (status == INLAY_OK) {
        status = whole_owners(w, l);
    }
    if (status == INLAY_OK) {
        status = whole_plan_make(w, p);
        if (status == INLAY_OK && w->in.source_anew) {
            status = look_for_groups(w);
        }
        status = collective_agree(w->whole.comm, status, w->whole.diag);
    }
    whole_inspection_end(w);
    l->inspecting += clock_seconds();
    l->inspections++;
    if (status != INLAY_OK) {
        whole_plan_clear(p);
        return status;
    }
    p->used = ++w->uses;
    publish(l, p);
    return INLAY_OK;
}

/* ---- Packing ---- */

static void pack(char *const *at, int32_t count, size_t bytes, char *to)
{
    if (bytes == 8) {
        for (int32_t k = 0; k < count; k++) {
            memcpy(to + (size_t)k * 8, at[k], 8);
        }
    } else if (bytes == 4) {
        for (int32_t k = 0; k < count; k++) {
            memcpy(to + (size_t)k * 4, at[k], 4);
        }
    } else {
        for (int32_t k = 0; k < count; k++) {
            memcpy(to + (size_t)k * bytes, at[k], bytes);
        }
    }
}

static void unpack(char *const *at, int32_t count, size_t bytes, const char *from)
{
    if (bytes == 8) {
        for (int32_t k = 0; k < count; k++) {
            memcpy(at[k], from + (size_t)k * 8, 8);
        }
    } else if (bytes == 4) {
        for (int32_t k = 0; k < count; k++) {
            memcpy(at[k], from + (size_t)k * 4, 4);
        }
    } else {
        for (int32_t k = 0; k < count; k++) {
            memcpy(at[k], from + (size_t)k * bytes, bytes);
        }
    }
}

/* Bytes of a message: of the groups that are wanted. */
static int wanted_bytes(const plan *p, const peer_list *of)
{
    size_t bytes = 0;
    for (int k = 0; k < of->runs; k++) {
        bytes += p->group[of->run[k].group].wanted ? (size_t)of->run[k].count * of->run[k].bytes : 0;
    }
    return (int)bytes;
}

/* ---- Fetch ---- */

static bool want_groups(whole_state *w, plan *p)
{
    bool any = false;
    for (int32_t k = 0; k < p->groups; k++) {
        const group *g = &w->group[whole_group(w, p->group[k].group)];
        p->group[k].wanted = g->version != g->whole && g->version != p->group[k].fetched;
        any |= p->group[k].wanted;
        p->group[k].fetched = g->version;
    }
    return any;
}

/* What is accumulated for others starts from nothing. */
static void neutral(const traffic *t)
{
    for (int i = 0; i < t->peers; i++) {
        const peer_list *of = &t->peer[i];
        char *const *at = of->at;
        for (int k = 0; k < of->runs; at += of->run[k++].count) {
            const run_of *run = &of->run[k];
            char start[WIDEST_NUMBER];
            if (run->access <= INLAY_ACCESS_WRITE) {
                continue;
            }
            whole_number_neutral((inlay_access)run->access, (inlay_number)run->number, start);
            for (int32_t j = 0; j < run->count; j++) {
                memcpy(at[j], start, run->bytes);
            }
        }
    }
}

static int begin_fetch(whole_state *w, loop_state *l, plan *p)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < p->fetch_in.peers && code == MPI_SUCCESS; i++) {
        peer_list *of = &p->fetch_in.peer[i];
        int bytes = wanted_bytes(p, of);
        if (bytes > 0) {
            code = MPI_Irecv(of->buffer, bytes, MPI_BYTE, of->rank, TAG_FETCH, w->whole.comm, &p->fetch_in.request[i]);
        }
    }
    for (int i = 0; i < p->fetch_out.peers && code == MPI_SUCCESS; i++) {
        peer_list *of = &p->fetch_out.peer[i];
        char *const *at = of->at;
        char *to = of->buffer;
        for (int k = 0; k < of->runs; at += of->run[k++].count) {
            if (p->group[of->run[k].group].wanted) {
                pack(at, of->run[k].count, of->run[k].bytes, to);
                to += (size_t)of->run[k].count * of->run[k].bytes;
            }
        }
        if (to > of->buffer) {
            l->bytes += to - of->buffer;
            code = MPI_Isend(of->buffer, (int)(to - of->buffer), MPI_BYTE, of->rank, TAG_FETCH, w->whole.comm,
                             &p->fetch_out.request[i]);
        }
    }
    l->fetching = true;
    return collective_mpi(code, w->whole.diag);
}

int inlay_loop_fetch(inlay_loop *loop)
{
    loop_state *l = loop_of(loop);
    whole_state *w = l->whole;
    DIAG_CALL(w->whole.diag);
    double from = clock_seconds();
    int status = INLAY_OK;
    l->runs++;
    if (w->whole.ranks > 1 && want_groups(w, l->current)) {
        status = begin_fetch(w, l, l->current);
    }
    neutral(&l->current->result_out);
    l->exchanging += clock_seconds() - from;
    return status;
}

static int end_fetch(whole_state *w, plan *p)
{
    int code = MPI_Waitall(p->fetch_in.peers, p->fetch_in.request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < p->fetch_in.peers && code == MPI_SUCCESS; i++) {
        const peer_list *of = &p->fetch_in.peer[i];
        char *const *at = of->at;
        const char *from = of->buffer;
        for (int k = 0; k < of->runs; at += of->run[k++].count) {
            if (p->group[of->run[k].group].wanted) {
                unpack(at, of->run[k].count, of->run[k].bytes, from);
                from += (size_t)of->run[k].count * of->run[k].bytes;
            }
        }
    }
    return collective_mpi(code, w->whole.diag);
}

int inlay_loop_fetched(inlay_loop *loop)
{
    loop_state *l = loop_of(loop);
    DIAG_CALL(l->whole->whole.diag);
    if (!l->fetching) {
        return INLAY_OK;
    }
    double from = clock_seconds();
    l->fetching = false;
    int status = end_fetch(l->whole, l->current);
    l->exchanging += clock_seconds() - from;
    return status;
}

/* ---- End ---- */

static int send_results(whole_state *w, loop_state *l, plan *p)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < p->result_in.peers && code == MPI_SUCCESS; i++) {
        peer_list *of = &p->result_in.peer[i];
        code = MPI_Irecv(of->buffer, (int)of->bytes, MPI_BYTE, of->rank, TAG_RESULT, w->whole.comm,
                         &p->result_in.request[i]);
    }
    for (int i = 0; i < p->result_out.peers && code == MPI_SUCCESS; i++) {
        peer_list *of = &p->result_out.peer[i];
        char *const *at = of->at;
        char *to = of->buffer;
        for (int k = 0; k < of->runs; at += of->run[k++].count) {
            pack(at, of->run[k].count, of->run[k].bytes, to);
            to += (size_t)of->run[k].count * of->run[k].bytes;
        }
        l->bytes += to - of->buffer;
        code = MPI_Isend(of->buffer, (int)of->bytes, MPI_BYTE, of->rank, TAG_RESULT, w->whole.comm,
                         &p->result_out.request[i]);
    }
    return code;
}

/* In the order of ranks: the same bits in every run. */
static int take_results(plan *p)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < p->result_in.peers && code == MPI_SUCCESS; i++) {
        const peer_list *of = &p->result_in.peer[i];
        char *const *at = of->at;
        const char *from = of->buffer;
        code = MPI_Wait(&p->result_in.request[i], MPI_STATUS_IGNORE);
        for (int k = 0; k < of->runs && code == MPI_SUCCESS; at += of->run[k++].count) {
            const run_of *run = &of->run[k];
            if (run->access <= INLAY_ACCESS_WRITE) {
                unpack(at, run->count, run->bytes, from);
            } else {
                whole_number_combine((inlay_access)run->access, (inlay_number)run->number, at, from, run->count);
            }
            from += (size_t)run->count * run->bytes;
        }
    }
    return code;
}

static void count_versions(whole_state *w, const plan *p)
{
    for (int32_t k = 0; k < p->groups; k++) {
        if (p->group[k].written && p->iterations > 0) {
            group *g = &w->group[whole_group(w, p->group[k].group)];
            g->version = ++w->version;
            if (w->whole.ranks == 1) {
                g->whole = g->version;
            } else {
                w->whole.stale = true;
            }
        }
    }
}

int inlay_loop_end(inlay_loop *loop)
{
    loop_state *l = loop_of(loop);
    whole_state *w = l->whole;
    DIAG_CALL(w->whole.diag);
    plan *p = l->current;
    int status = inlay_loop_fetched(loop);
    if (status != INLAY_OK) {
        return status;
    }
    double from = clock_seconds();
    int code = send_results(w, l, p);
    if (code == MPI_SUCCESS) {
        code = take_results(p);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Waitall(p->fetch_out.peers, p->fetch_out.request, MPI_STATUSES_IGNORE);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Waitall(p->result_out.peers, p->result_out.request, MPI_STATUSES_IGNORE);
    }
    count_versions(w, p);
    l->exchanging += clock_seconds() - from;
    return collective_mpi(code, w->whole.diag);
}

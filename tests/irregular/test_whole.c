/* Random programs whose loops are shared out, beside the same programs run serially. */
#include "harness.h"
#include "whole_program.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What has been seen: none of it must be missing. */
typedef struct seen {
    int run, refused, inspected, reused, moved;
} seen;

/* ---- One loop ---- */

static void tell(const program *p, loop *m, int64_t i)
{
    inlay_loop_iteration(m->handle, i);
    for (int o = 0; o < m->ops; o++) {
        for (int row = 0; row < program_rows(m, o); row++) {
            const op *a = &m->op[o];
            size_t size;
            char *at = program_place(p, m, o, i, row, true, &size);
            if (a->table >= 0) {
                inlay_loop_source(m->handle, p->block[a->table].here + 4 * ((i + 7 * row) % TRIPS), 4);
            }
            inlay_loop_touch(m->handle, o,
                             a->field < 0 ? INLAY_NUMBER_BYTES : p->block[a->block].field[a->field].number, at, size);
        }
    }
}

static int begin(inlay_whole *w, program *p, loop *m, seen *n)
{
    inlay_input input[BLOCKS + 1] = {INLAY_INPUT(m->trips)};
    bool inspect = false;
    for (int b = 0; b < BLOCKS; b++) {
        input[b + 1] = (inlay_input)INLAY_INPUT(p->block[b].here);
    }
    int status = inlay_loop_begin(w, &m->handle, &m->about, input, BLOCKS + 1, &inspect);
    if (status == INLAY_OK && inspect) {
        for (int64_t i = 0; i < m->trips; i++) {
            tell(p, m, i);
        }
        status = inlay_loop_inspected(m->handle);
        n->inspected++;
    } else {
        n->reused++;
    }
    return status;
}

/* Also the scalars: sums, largest, last, and the first least with where it is. */
static void run_shared(harness *h, program *p, int l, scalars *s)
{
    loop *m = &p->loop[l];
    inlay_loop *k = m->handle;
    scalars before;
    int32_t seen_best = s->best, place = 0;
    bool chosen = false;
    inlay_loop_neutral(INLAY_ACCESS_ADD, INLAY_NUMBER_INT64, &s->sum, &before.sum);
    INLAY_NEUTRAL(INLAY_ACCESS_MAX, s->most, before.most);
    INLAY_NEUTRAL(INLAY_ACCESS_ADD, s->total, before.total);
    check_ok(h, inlay_loop_fetch(k));
    for (int64_t q = 0; q < k->ranges; q++) {
        if (q == k->inner) {
            check_ok(h, inlay_loop_fetched(k));
        }
        check(h, m->about.step != 0 || k->range[q].last == k->range[q].first);
        for (int64_t i = k->range[q].first; i <= k->range[q].last; i++) {
            program_body(p, l, i, true, s);
            if (s->best != seen_best) {
                seen_best = s->best;
                place = (int32_t)i;
                chosen = true;
            }
        }
    }
    check_ok(h, inlay_loop_end(k));
    check_ok(h, inlay_loop_reduce(k, INLAY_ACCESS_ADD, INLAY_NUMBER_INT64, &s->sum, &before.sum));
    check_ok(h, inlay_loop_reduce(k, INLAY_ACCESS_MAX, INLAY_NUMBER_OF(s->most), &s->most, &before.most));
    check_ok(h, inlay_loop_reduce(k, INLAY_ACCESS_ADD, INLAY_NUMBER_DOUBLE, &s->total, &before.total));
    check_ok(h, inlay_loop_last(k, &s->last, sizeof s->last));
    const inlay_carried carried[] = {{&s->best, sizeof s->best}, {&s->where, sizeof s->where}};
    if (m->about.ordered) {
        check_ok(
            h, inlay_loop_select(k, INLAY_ACCESS_MIN, INLAY_NUMBER_INT32, &s->best, chosen, place, false, carried, 2));
    }
}

static void run_loop(harness *h, inlay_whole *w, program *p, int l, seen *n)
{
    loop *m = &p->loop[l];
    bool legal = program_is_legal(p, l);
    int status = begin(w, p, m, n);
    if (!check(h, status == (legal ? INLAY_OK : INLAY_BAD_INPUT))) {
        harness_ok(h, status, "begin", __FILE__, __LINE__);
    }
    if (status != INLAY_OK) {
        check(h, strncmp(inlay_diag_message(w->diag), "random.c:1: ", 12) == 0);
        n->refused++;
        return;
    }
    scalars here = {.most = 3, .last = -1, .total = 0.5, .best = 8, .where = -7}, serial = here;
    run_shared(h, p, l, &here);
    for (int64_t i = 0; i < m->trips; i++) {
        program_body(p, l, i, false, &serial);
    }
    check(h, here.sum == serial.sum && here.most == serial.most && here.last == serial.last);
    check(h, !m->about.ordered || (here.best == serial.best && here.where == serial.where));
    check(h, fabs(here.total - serial.total) <= 1e-9 * fabs(serial.total));
    check(h, m->handle->iterations == m->trips);
    n->run++;
}

/* ---- What stands between loops ---- */

static void settle(harness *h, inlay_whole *w, program *p)
{
    check_ok(h, inlay_whole_settle(w));
    for (int b = 0; b < BLOCKS; b++) {
        check(h, program_same(p, b));
    }
}

/* The memory of a block is given back, and comes anew at some other place on each rank. */
static void move(harness *h, inlay_whole *w, program *p, int b)
{
    check_ok(h, inlay_whole_free(w, p->block[b].here)); /* stale or not */
    void *room = malloc(16 + harness_draw(&(uint64_t){(uint64_t)h->rank + 1}, 5000) * (uint64_t)h->rank);
    p->block[b].here = malloc(p->block[b].size);
    free(room);
    inlay_changed(w);
    program_fill(p, b);
}

static void swap(program *p, int b)
{
    block *k = &p->block[b];
    if (b > TABLES && k[-1].stride == k->stride && memcmp(k[-1].field, k->field, sizeof k->field) == 0) {
        char *here = k->here, *serial = k->serial;
        k->here = k[-1].here;
        k->serial = k[-1].serial;
        k[-1].here = here;
        k[-1].serial = serial;
    }
}

static void grow(harness *h, inlay_whole *w, program *p, int b)
{
    void *at = p->block[b].here;
    check_ok(h, inlay_whole_realloc(w, &at, p->block[b].size + 100));
    p->block[b].here = at;
}

static void between(harness *h, inlay_whole *w, program *p, seen *n)
{
    int b = (int)harness_draw(&p->state, BLOCKS);
    switch (harness_draw(&p->state, 12)) {
    case 0: settle(h, w, p); break;
    case 1: /* the program stores to memory */
        inlay_changed(w);
        program_fill(p, b);
        break;
    case 2:
        move(h, w, p, b);
        n->moved++;
        break;
    case 3:
    case 4: swap(p, b); break;
    case 5: grow(h, w, p, b); break;
    case 6: p->loop[0].trips = (int)harness_draw(&p->state, THINGS); break;
    default: break;
    }
}

static void test_programs(harness *h, const inlay_whole_options *options, int programs)
{
    seen n = {0};
    for (int s = 0; s < programs; s++) {
        program p;
        inlay_whole *w = NULL;
        void *room = malloc((size_t)(100 + 1000 * h->rank)); /* addresses differ */
        program_make(&p, (uint64_t)s * 77 + 1);
        if (check_ok(h, inlay_whole_open(h->comm, options, &w, h->diag))) {
            for (int step = 0; step < 25; step++) {
                run_loop(h, w, &p, (int)harness_draw(&p.state, LOOPS), &n);
                between(h, w, &p, &n);
            }
            settle(h, w, &p);
            inlay_whole_close(w);
        }
        program_clear(&p);
        free(room);
        if (h->failed > 0) {
            break;
        }
    }
    check(h, n.run > 5 * programs && n.refused > programs && n.inspected > 5 * programs && n.reused > programs &&
                 n.moved > 10);
}

void suite_whole(harness *h)
{
    const int programs = h->ranks > 3 ? 12 : 50; /* many ranks take long on few processors */
    harness_case(h, "random programs");
    test_programs(h, NULL, programs);
    harness_case(h, "random programs, without overlap, in blocks");
    test_programs(h, &(inlay_whole_options){.method = "block", .no_overlap = true}, programs / 2);
}

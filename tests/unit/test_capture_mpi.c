/*
 * Logs of MPI programs: random programs, run by a machine of ranks that knows what arrives where, against what the language says must
 * come before what. Each piece of work takes a power of two, so that a module's time tells which pieces it is.
 */
#include "capture_logs.h"
#include "starve.h"
#include "unit.h"

#include "base/splitmix.h"
#include "capture/mpi_log.h"
#include <inlay/capture.h>
#include <math.h>
#include <string.h>

enum { MOST_RANKS = 5, PIECES = 40, MOST_RECORDS = 2000, MOST_MESSAGES = 200, EVENTS = 1000, RUNS = 300 };

/* ---- The machine ---- */

/* In flight until `taken`. */
typedef struct message {
    int from, to, tag, event;
    uint32_t communicator;
    bool taken;
} message;

/* Posted until it is awaited. */
typedef struct receive {
    int source, tag; /* -1: any */
    uint32_t communicator;
    int message; /* that arrived; -1: none yet */
    int number;
    bool open;
} receive;

typedef struct rank {
    log_record record[MOST_RECORDS];
    int records;
    uint64_t clock, in_vain;
    receive posted[MOST_MESSAGES];
    int count;
    int last; /* its last event; -1: none */
} rank;

typedef struct machine {
    rank rank[MOST_RANKS];
    int ranks;
    message sent[MOST_MESSAGES];
    int count;
    uint64_t random;
    int pieces, events, matched, collective;
    int event_of[PIECES], owner_of[PIECES];
    bool before[EVENTS][EVENTS]; /* at once */
    double bytes;
} machine;

static void put(rank *r, uint32_t kind, uint32_t c, uint64_t a, uint64_t b)
{
    r->record[r->records++] = (log_record){.time = r->clock, .kind = kind, .a = a, .b = b, .c = c};
}

/* Events of a rank come one behind the other. */
static int event(machine *m, rank *r)
{
    if (r->last >= 0) {
        m->before[r->last][m->events] = true;
    }
    r->last = m->events;
    return m->events++;
}

/* A call begins or ends, at which a rank has nothing calculated or much. */
static void in(rank *r, uint64_t code)
{
    put(r, MPI_IN, 0, code, r->in_vain);
    r->in_vain = 0;
}

static void out(machine *m, rank *r)
{
    r->clock += (uint64_t)splitmix_below(&m->random, 1000);
    put(r, MPI_OUT, 0, 0, 0);
}

/* The program calculates, and asks meanwhile in vain. */
static void work(machine *m, rank *r)
{
    if (m->pieces < PIECES) {
        m->event_of[m->pieces] = event(m, r);
        m->owner_of[m->pieces] = (int)(r - m->rank);
        r->clock += UINT64_C(1) << m->pieces++;
        if (splitmix_below(&m->random, 4) == 0) {
            uint64_t vain = (uint64_t)splitmix_below(&m->random, 5000);
            r->clock += vain;
            r->in_vain += vain;
        }
    }
}

static void send(machine *m, rank *r)
{
    if (m->count == MOST_MESSAGES) {
        return;
    }
    message *s = &m->sent[m->count++];
    int to = splitmix_below(&m->random, m->ranks);
    bool collective = splitmix_below(&m->random, 4) == 0;
    int64_t bytes = splitmix_below(&m->random, 1000000);
    *s = (message){(int)(r - m->rank),
                   to,
                   collective ? -12 : splitmix_below(&m->random, 2),
                   0,
                   (uint32_t)splitmix_below(&m->random, 2),
                   false};
    in(r, 0);
    s->event = event(m, r);
    put(r, MPI_SENT, s->communicator, MPI_PEER(to, s->tag), (uint64_t)bytes);
    out(m, r);
    m->bytes += (double)bytes;
    m->collective += collective;
}

static void post(machine *m, rank *r)
{
    if (r->count == MOST_MESSAGES) {
        return;
    }
    receive *p = &r->posted[r->count++];
    bool any = splitmix_below(&m->random, 3) == 0;
    *p = (receive){any ? -1 : splitmix_below(&m->random, m->ranks),
                   any ? -1 : splitmix_below(&m->random, 3) - 1,
                   (uint32_t)splitmix_below(&m->random, 2),
                   -1,
                   r->count,
                   true};
    p->tag = p->tag < 0 && !any ? -12 : p->tag;
    in(r, 0);
    put(r, MPI_POSTED, 0, 0, (uint64_t)p->number);
    out(m, r);
}

/* Every message to its first receive that takes it, in the order in which they were sent and posted. */
static void deliver(machine *m)
{
    for (int i = 0; i < m->count; i++) {
        message *s = &m->sent[i];
        rank *r = &m->rank[s->to];
        for (int k = 0; k < r->count && !s->taken; k++) {
            receive *p = &r->posted[k];
            if (p->message < 0 && (p->source < 0 || p->source == s->from) && (p->tag == -1 || p->tag == s->tag) &&
                p->communicator == s->communicator) {
                p->message = i;
                s->taken = true;
            }
        }
    }
}

/* Wait for a receive whose message is there. */
static void await(machine *m, rank *r)
{
    deliver(m);
    for (int tries = 0; tries < 10 && r->count > 0; tries++) {
        receive *p = &r->posted[splitmix_below(&m->random, r->count)];
        if (p->open && p->message >= 0) {
            const message *s = &m->sent[p->message];
            bool asked = splitmix_below(&m->random, 2) == 0;
            p->open = false;
            in(r, 0);
            int then = event(m, r);
            m->before[s->event][then] = true;
            put(r, MPI_RECEIVED, s->communicator, MPI_PEER(s->from, s->tag), (uint64_t)p->number);
            m->matched++;
            if (asked) { /* a nonblocking collective operation goes on while the rank waits for something else */
                put(r, MPI_POSTED, 0, 0, (uint64_t)MOST_MESSAGES + 1);
            }
            out(m, r);
            return;
        }
    }
}

static void run(machine *m, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    m->random = seed;
    m->ranks = 1 + splitmix_below(&m->random, MOST_RANKS);
    for (int i = 0; i < m->ranks; i++) {
        rank *r = &m->rank[i];
        r->last = -1;
        r->clock = 1000000 + (uint64_t)splitmix_below(&m->random, 1000);
        put(r, MPI_BEGIN, 7, (uint64_t)i, (uint64_t)m->ranks);
        put(r, MPI_OUT, 0, 0, 0);
    }
    for (int steps = 40 + splitmix_below(&m->random, 200); steps-- > 0;) {
        rank *r = &m->rank[splitmix_below(&m->random, m->ranks)];
        switch (splitmix_below(&m->random, 4)) {
        case 0: work(m, r); break;
        case 1: send(m, r); break;
        case 2: post(m, r); break;
        default: await(m, r); break;
        }
    }
    deliver(m);
    for (int i = 0; i < m->ranks; i++) {
        rank *r = &m->rank[i];
        in(r, 0);
        for (int k = 0; k < r->count; k++) {
            if (r->posted[k].open && r->posted[k].message >= 0) {
                const message *s = &m->sent[r->posted[k].message];
                put(r, MPI_RECEIVED, s->communicator, MPI_PEER(s->from, s->tag), (uint64_t)r->posted[k].number);
                r->posted[k].open = false;
                m->matched++;
            }
        }
        put(r, MPI_END, 0, 0, 0);
    }
    for (int k = 0; k < m->events; k++) { /* Warshall */
        for (int i = 0; i < m->events; i++) {
            for (int j = 0; m->before[i][k] && j < m->events; j++) {
                m->before[i][j] |= m->before[k][j];
            }
        }
    }
}

static void write_logs(const machine *m)
{
    for (int i = 0; i < m->ranks; i++) {
        logs_write(MPI_LOG, 100 - i, 0, m->rank[i].record, m->rank[i].records);
    }
}

/* ---- Comparison ---- */

static void reach(const inlay_app *app, inlay_id from, bool *reached)
{
    inlay_links out_of = inlay_app_out(app, from);
    for (int64_t i = 0; i < out_of.count; i++) {
        if ((out_of.flags[i] & INLAY_LINK_TRAFFIC_ONLY) == 0 && !reached[out_of.module[i]]) {
            reached[out_of.module[i]] = true;
            reach(app, out_of.module[i], reached);
        }
    }
}

static uint64_t ns_of(const inlay_app *app, inlay_id module)
{
    return (uint64_t)llround(1e9 * inlay_app_in_units(app, inlay_app_time(app, module)));
}

/* The module of each piece; every piece is in one. */
static void find_modules(const machine *m, const inlay_app *app, inlay_id module_of[PIECES])
{
    uint64_t all = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        uint64_t pieces = ns_of(app, i);
        ck_assert_uint_eq(all & pieces, 0);
        all |= pieces;
        for (int p = 0; p < m->pieces; p++) {
            module_of[p] = pieces >> p & 1 ? i : module_of[p];
        }
    }
    ck_assert_uint_eq(all, (UINT64_C(1) << m->pieces) - 1);
}

/* `exact`: nothing else is ordered; else more may be. */
static void compare(const machine *m, const inlay_app *app, bool exact)
{
    static bool reached[4 * EVENTS];
    inlay_id module_of[PIECES];
    ck_assert_int_lt(inlay_app_modules(app), 4 * EVENTS);
    find_modules(m, app, module_of);
    for (int p = 0; p < m->pieces; p++) {
        memset(reached, 0, sizeof reached);
        reach(app, module_of[p], reached);
        for (int q = 0; q < m->pieces; q++) {
            bool before = m->before[m->event_of[p]][m->event_of[q]];
            if (module_of[p] == module_of[q]) {
                ck_assert_int_eq(m->owner_of[p], m->owner_of[q]);
            } else {
                ck_assert_msg(reached[module_of[q]] == before || (!exact && !before), "piece %d before %d: %d", p, q,
                              before);
            }
        }
    }
}

static void read_logs(const inlay_capture_options *options, inlay_capture **capture)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(inlay_capture_read(logs_folder, options, capture, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
}

START_TEST(a_random_program)
{
    static machine m;
    inlay_capture *capture = NULL;
    run(&m, (uint64_t)_i + 1);
    write_logs(&m);
    read_logs(&(inlay_capture_options){.grain = 0, .keep = true}, &capture);
    const inlay_app *app = inlay_capture_app(capture);
    compare(&m, app, true);
    inlay_capture_facts facts = inlay_capture_told(capture);
    ck_assert_int_eq(facts.places, m.ranks);
    ck_assert_int_eq(facts.messages, m.count);
    ck_assert_int_eq(facts.collective, m.collective);
    ck_assert_double_eq(facts.bytes, m.bytes);
    ck_assert(facts.ended);
    inlay_id module_of[PIECES];
    find_modules(&m, app, module_of);
    for (int p = 0; p < m.pieces; p++) {
        ck_assert_int_eq(inlay_app_pin(app, module_of[p]), m.owner_of[p]);
    }
    inlay_capture_free(capture);
    read_logs(&(inlay_capture_options){.grain = 1e-9 * (double)(1 << splitmix_below(&m.random, PIECES / 2))}, &capture);
    compare(&m, inlay_capture_app(capture), false);
    inlay_capture_free(capture);
}
END_TEST

/* ---- Coalesced ---- */

/* Messages and bytes of the links between ranks are those of the messages that arrived. */
START_TEST(ranks)
{
    static machine m;
    int64_t messages[MOST_RANKS][MOST_RANKS] = {0}, arrived = 0;
    inlay_capture *capture = NULL;
    run(&m, (uint64_t)_i + 1);
    write_logs(&m);
    for (int i = 0; i < m.ranks; i++) {
        for (int k = 0; k < m.rank[i].count; k++) {
            const receive *p = &m.rank[i].posted[k];
            messages[p->message >= 0 ? m.sent[p->message].from : 0][i] += p->message >= 0 && !p->open;
        }
    }
    read_logs(&(inlay_capture_options){.grain = 0, .coalesce = INLAY_COALESCE_RANKS}, &capture);
    const inlay_app *app = inlay_capture_app(capture);
    ck_assert_int_eq(inlay_app_modules(app), m.ranks);
    for (int i = 0; i < m.ranks; i++) {
        uint64_t pieces = 0;
        char name[32];
        snprintf(name, sizeof name, "rank.%d", i);
        ck_assert_str_eq(inlay_app_module_name(app, i), name);
        for (int p = 0; p < m.pieces; p++) {
            pieces |= m.owner_of[p] == i ? UINT64_C(1) << p : 0;
        }
        ck_assert_uint_eq(ns_of(app, i), pieces);
        inlay_links to = inlay_app_out(app, i);
        for (int64_t k = 0; k < to.count; k++) {
            ck_assert_int_eq(to.flags[k], INLAY_LINK_TRAFFIC_ONLY);
            ck_assert_int_eq(to.messages[k], messages[i][to.module[k]]);
            arrived += to.messages[k];
        }
    }
    for (int i = 0; i < m.ranks; i++) {
        arrived += messages[i][i];
    }
    ck_assert_int_eq(arrived, m.matched);
    inlay_capture_free(capture);
}
END_TEST

/* A ring of two ranks that goes round ten times: two modules a rank, and what goes back is traffic. */
START_TEST(places)
{
    static machine m;
    inlay_capture *capture = NULL;
    memset(&m, 0, sizeof m);
    m.ranks = 2;
    for (int i = 0; i < 2; i++) {
        rank *r = &m.rank[i];
        put(r, MPI_BEGIN, 0, (uint64_t)i, 2);
        put(r, MPI_OUT, 0, 0, 0);
        for (int n = 1; n <= 10; n++) {
            for (int step = 0; step < 2; step++) {
                r->clock += 100;
                in(r, (uint64_t)(0x1000 * (i + 1)));
                if (step == i) {
                    put(r, MPI_SENT, 0, MPI_PEER(1 - i, 3), 50);
                } else {
                    put(r, MPI_POSTED, 0, 0, (uint64_t)n);
                    put(r, MPI_RECEIVED, 0, MPI_PEER(1 - i, 3), (uint64_t)n);
                }
                put(r, MPI_OUT, 0, 0, 0);
            }
        }
        r->clock += 100;
        in(r, (uint64_t)(0x1000 * (i + 1)));
        put(r, MPI_END, 0, 0, 0);
    }
    write_logs(&m);
    read_logs(&(inlay_capture_options){.grain = 0, .coalesce = INLAY_COALESCE_PLACES}, &capture);
    const inlay_app *app = inlay_capture_app(capture);
    int64_t forward = 0, back = 0;
    uint64_t time = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links to = inlay_app_out(app, i);
        time += ns_of(app, i);
        for (int64_t k = 0; k < to.count; k++) {
            *(to.flags[k] & INLAY_LINK_TRAFFIC_ONLY ? &back : &forward) += to.messages[k];
            ck_assert_int_eq(to.flags[k] == 0, i < to.module[k]); /* rank 0 sends first */
        }
    }
    ck_assert_uint_eq(time, 4200);
    ck_assert_int_eq(forward, 10);
    ck_assert_int_eq(back, 10);
    inlay_capture_free(capture);
}
END_TEST

/* ---- What is wrong ---- */

START_TEST(a_damaged_log)
{
    static machine m;
    run(&m, (uint64_t)_i + 1);
    write_logs(&m);
    for (int i = 0; i < 20; i++) {
        int number = splitmix_below(&m.random, m.ranks);
        rank *on = &m.rank[number];
        log_record *record = &on->record[splitmix_below(&m.random, on->records)];
        log_record was = *record;
        switch (splitmix_below(&m.random, 5)) {
        case 0: record->a = splitmix_next(&m.random) >> splitmix_below(&m.random, 64); break;
        case 1: record->b = splitmix_next(&m.random) >> splitmix_below(&m.random, 64); break;
        case 2: record->c = (uint32_t)splitmix_next(&m.random); break;
        case 3: record->kind = (uint32_t)splitmix_below(&m.random, 14); break;
        default: record->time = splitmix_next(&m.random) >> splitmix_below(&m.random, 64); break;
        }
        logs_write(MPI_LOG, 100 - number, 0, on->record, on->records);
        inlay_capture *capture = NULL;
        inlay_diag *diag = inlay_diag_new();
        const inlay_capture_options options = {.grain = -1, .coalesce = (inlay_coalesce)(i % 3)};
        int status = inlay_capture_read(logs_folder, &options, &capture, diag);
        ck_assert_msg(status == INLAY_OK || status == INLAY_BAD_INPUT || status == INLAY_NO_ANSWER ||
                          status == INLAY_OVERFLOW,
                      "%d: %s", status, inlay_diag_message(diag));
        ck_assert(status == INLAY_OK || strlen(inlay_diag_message(diag)) > 0);
        inlay_capture_free(capture);
        inlay_diag_free(diag);
        *record = was;
        logs_write(MPI_LOG, 100 - number, 0, on->record, on->records);
    }
}
END_TEST

/* As where a rank crashes: every beginning of a run is captured, and ranks without a log are counted. */
START_TEST(a_run_that_breaks_off)
{
    static machine m;
    run(&m, (uint64_t)_i + 1);
    for (int i = 0; i < m.ranks; i++) {
        rank *r = &m.rank[i];
        r->records = 1 + splitmix_below(&m.random, r->records - 1);
        if (i == 0 || splitmix_below(&m.random, 4) > 0) {
            logs_write(MPI_LOG, 100 - i, 0, r->record, r->records);
        }
    }
    inlay_capture *capture = NULL;
    read_logs(NULL, &capture);
    ck_assert(!inlay_capture_told(capture).ended);
    ck_assert_int_eq(inlay_capture_told(capture).places, m.ranks);
    inlay_capture_free(capture);
}
END_TEST

START_TEST(another_version)
{
    inlay_capture *capture = NULL;
    inlay_diag *diag = inlay_diag_new();
    logs_write(MPI_LOG, 7, 0, &(log_record){.kind = MPI_OTHER_VERSION}, 1);
    ck_assert_int_eq(inlay_capture_read(logs_folder, NULL, &capture, diag), INLAY_NO_ANSWER);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "another version"));
    inlay_diag_free(diag);
}
END_TEST

/* Two runs one after the other: the one with more is told, and that there was another. */
START_TEST(two_programs)
{
    static machine m;
    inlay_capture *capture = NULL;
    inlay_diag *diag = inlay_diag_new();
    run(&m, 3);
    write_logs(&m);
    const log_record other[] = {{.kind = MPI_BEGIN, .c = 8, .b = 1, .time = 5}, {.kind = MPI_OUT, .time = 6}};
    logs_write(MPI_LOG, 200, 0, other, 2);
    ck_assert_int_eq(inlay_capture_read(logs_folder, NULL, &capture, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1 + (m.matched * 2 < m.count * 2));
    ck_assert_int_eq(inlay_capture_told(capture).places, m.ranks);
    inlay_capture_free(capture);
    inlay_diag_free(diag);
}
END_TEST

static int try_capture(const void *subject)
{
    inlay_capture *capture = NULL;
    inlay_diag *diag = inlay_diag_new();
    if (diag == NULL) {
        return INLAY_NO_MEMORY;
    }
    const inlay_capture_options options = {.grain = -1, .coalesce = *(const inlay_coalesce *)subject};
    int status = inlay_capture_read(logs_folder, &options, &capture, diag);
    inlay_capture_free(capture);
    inlay_diag_free(diag);
    return status;
}

START_TEST(no_memory)
{
    static machine m;
    const inlay_coalesce coalesce = (inlay_coalesce)_i;
    run(&m, 5);
    write_logs(&m);
    starve(try_capture, &coalesce, 20);
}
END_TEST

Suite *suite_capture_mpi(void)
{
    Suite *suite = suite_create("capture_mpi");
    TCase *tests = tcase_create("mpi");
    tcase_add_checked_fixture(tests, logs_set_up, logs_tear_down);
    tcase_add_loop_test(tests, a_random_program, 0, RUNS);
    tcase_add_loop_test(tests, ranks, 0, 100);
    tcase_add_test(tests, places);
    tcase_add_loop_test(tests, a_damaged_log, 0, 100);
    tcase_add_loop_test(tests, a_run_that_breaks_off, 0, 100);
    tcase_add_test(tests, another_version);
    tcase_add_test(tests, two_programs);
    tcase_add_loop_test(tests, no_memory, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

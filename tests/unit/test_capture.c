/*
 * Captured OpenMP programs: random ones, run by a simulator of threads that writes the logs of such a run, against what the
 * language says must come before what; damaged logs; no memory.
 */
#include "capture_logs.h"
#include "starve.h"
#include "unit.h"

#include "base/splitmix.h"
#include "capture/openmp_log.h"
#include <inlay/capture.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, TASKS = 26, WORDS = 24, WORKS = 400, RECORDS = 20000, RUNS = 300 };

/* ---- Random programs: work between all statements that end a piece of it, each of a length of its own ---- */

typedef enum what { WORK, CREATE, UNDEFERRED, AWAIT, WAIT, GROUP_BEGIN, GROUP_END, BARRIER } what;

typedef struct word {
    what is;
    int value; /* number of the work, or task created, or one that only has the depend clauses of a taskwait */
} word;

typedef struct body {
    word words[WORDS];
    int count;
    int addresses, address[3], type[3]; /* of the depend clauses it was created with */
} body;

typedef struct program {
    uint64_t random;
    int threads, tasks, works, awaits;
    body task[TASKS]; /* the first are the threads' */
    bool deferred_only;
    int first_work, last_work; /* of the initial task, before and after the region */
} program;

static void add(program *p, int task, what is, int value)
{
    body *b = &p->task[task];
    ck_assert_int_lt(b->count, WORDS);
    b->words[b->count++] = (word){is, value};
}

static void work(program *p, int task)
{
    add(p, task, WORK, p->works++);
}

static int below(program *p, int count)
{
    return splitmix_below(&p->random, count);
}

static void fill(program *p, int task, int statements, int depth);

static void clauses(program *p, body *b, int most)
{
    b->addresses = below(p, most);
    for (int i = 0; i < b->addresses; i++) {
        b->address[i] = 4096 + 8 * below(p, 3);
        b->type[i] = 1 + below(p, 3);
    }
}

static void create(program *p, int task, int depth)
{
    int child = p->tasks++;
    bool undeferred = !p->deferred_only && below(p, 5) == 0;
    clauses(p, &p->task[child], undeferred ? 1 : 4);
    fill(p, child, below(p, 3), depth + 1);
    add(p, task, undeferred ? UNDEFERRED : CREATE, child);
}

static void fill(program *p, int task, int statements, int depth)
{
    int groups = 0;
    work(p, task);
    for (int i = 0; i < statements; i++) {
        int choice = below(p, 7);
        if (choice == 4 && groups == 0) {
            add(p, task, GROUP_BEGIN, 0); /* which ends no piece of work */
            groups++;
            continue;
        }
        if (choice < 3 && p->tasks < TASKS && depth < 4) {
            create(p, task, depth);
        } else if (choice == 5 && p->tasks < TASKS) {
            p->awaits++;
            clauses(p, &p->task[p->tasks], 4);
            add(p, task, AWAIT, p->tasks++);
        } else if (choice == 3 || groups == 0) {
            add(p, task, WAIT, 0);
        } else {
            add(p, task, GROUP_END, 0);
            groups--;
        }
        work(p, task);
    }
    if (groups > 0) {
        add(p, task, GROUP_END, 0);
        work(p, task);
    }
}

static void make(program *p, uint64_t seed)
{
    *p = (program){.random = seed, .first_work = 0, .works = 1};
    p->threads = p->tasks = 1 + below(p, THREADS);
    p->deferred_only = p->threads == 1; /* where the flag means nothing */
    bool barrier = below(p, 2) == 0;
    for (int t = 0; t < p->threads; t++) {
        fill(p, t, t == 0 ? 6 : below(p, 2), 0);
        if (barrier) {
            add(p, t, BARRIER, 0);
            fill(p, t, t == 0 ? 2 : 0, 0);
        }
        add(p, t, BARRIER, 0);
    }
    p->last_work = p->works++;
}

/* ---- What the language says: pieces of work that must have ended before others begin ---- */

typedef struct order {
    bool before[WORKS][WORKS];
} order;

static int first_of(const program *p, int task)
{
    return p->task[task].words[0].value;
}

static int last_of(const program *p, int task)
{
    const body *b = &p->task[task];
    int i = b->count - 1;
    while (b->words[i].is != WORK) {
        i--;
    }
    return b->words[i].value;
}

static bool creates(const word *w)
{
    return w->is == CREATE || w->is == UNDEFERRED;
}

/* All that a task created from one statement to another, and all that these created, ends before that work begins. */
static void all_before(const program *p, order *o, int task, int from, int to, int then)
{
    for (int i = from; i < to; i++) {
        const word *w = &p->task[task].words[i];
        if (creates(w)) {
            o->before[last_of(p, w->value)][then] = true;
            all_before(p, o, w->value, 0, p->task[w->value].count, then);
        }
    }
}

static bool conflict(const body *a, const body *b)
{
    bool found = false;
    for (int i = 0; i < a->addresses; i++) {
        for (int k = 0; k < b->addresses; k++) {
            found = found || (a->address[i] == b->address[k] && (a->type[i] != 1 || b->type[k] != 1));
        }
    }
    return found;
}

static void order_task(const program *p, order *o, int task)
{
    const body *b = &p->task[task];
    int last = -1, group = -1;
    for (int i = 0; i < b->count; i++) {
        const word *w = &b->words[i];
        int next = i + 1 < b->count ? b->words[i + 1].value : -1;
        if (w->is == WORK) {
            if (last >= 0) {
                o->before[last][w->value] = true;
            }
            last = w->value;
        } else if (creates(w)) {
            o->before[last][first_of(p, w->value)] = true;
            if (w->is == UNDEFERRED) {
                o->before[last_of(p, w->value)][next] = true;
            }
            for (int k = 0; k < i; k++) {
                if (creates(&b->words[k]) && conflict(&p->task[b->words[k].value], &p->task[w->value])) {
                    o->before[last_of(p, b->words[k].value)][first_of(p, w->value)] = true;
                }
            }
            order_task(p, o, w->value);
        } else if (w->is == WAIT || w->is == AWAIT) {
            for (int k = 0; k < i; k++) {
                if (creates(&b->words[k]) &&
                    (w->is == WAIT || conflict(&p->task[b->words[k].value], &p->task[w->value]))) {
                    o->before[last_of(p, b->words[k].value)][next] = true;
                }
            }
        } else if (w->is == GROUP_BEGIN) {
            group = i;
        } else if (w->is == GROUP_END) {
            all_before(p, o, task, group, i, next);
        }
    }
}

/* The statement behind the n-th barrier of a thread; that of the first is 0. */
static int behind_barrier(const program *p, int thread, int n)
{
    int i = 0;
    for (; n > 0; i++) {
        n -= p->task[thread].words[i].is == BARRIER;
    }
    return i;
}

static void order_barriers(const program *p, order *o)
{
    int barriers = 0;
    for (int i = 0; i < p->task[0].count; i++) {
        barriers += p->task[0].words[i].is == BARRIER;
    }
    for (int n = 1; n <= barriers; n++) {
        for (int from = 0; from < p->threads; from++) {
            int end = behind_barrier(p, from, n);
            for (int to = 0; to < p->threads; to++) {
                int then = n < barriers ? p->task[to].words[behind_barrier(p, to, n)].value : p->last_work;
                o->before[p->task[from].words[end - 2].value][then] = true;
                all_before(p, o, from, 0, end, then);
            }
        }
    }
}

static order *order_of(const program *p)
{
    order *o = calloc(1, sizeof *o);
    ck_assert_ptr_nonnull(o);
    for (int t = 0; t < p->threads; t++) {
        o->before[p->first_work][first_of(p, t)] = true;
        order_task(p, o, t);
    }
    order_barriers(p, o);
    for (int k = 0; k < p->works; k++) {
        for (int i = 0; i < p->works; i++) {
            for (int j = 0; o->before[i][k] && j < p->works; j++) {
                o->before[i][j] = o->before[i][j] || o->before[k][j];
            }
        }
    }
    return o;
}

/* ---- A run: threads with clocks of their own, the earliest acts ---- */

enum { STEP = 8 /* clocks of threads differ modulo this */, SHORTEST = 10000, ENDED = INT32_MAX };

typedef struct thread {
    uint64_t clock;
    int stack[TASKS], depth;
    bool over;
    log_record record[RECORDS];
    int records;
} thread;

typedef struct run {
    program *p;
    thread thread[THREADS];
    int at[TASKS]; /* next statement of each task; ENDED */
    bool waiting[TASKS];
    int parent[TASKS];
    uint64_t id[TASKS];
    bool created[TASKS], begun[TASKS];
    int barriers[TASKS]; /* that threads came to */
    uint64_t ids;
} run;

static void put(run *r, int t, uint32_t kind, uint32_t c, uint64_t a, uint64_t b)
{
    thread *on = &r->thread[t];
    ck_assert_int_lt(on->records, RECORDS);
    on->record[on->records++] = (log_record){.time = on->clock, .kind = kind, .c = c, .a = a, .b = b};
}

static uint64_t length_of(int number)
{
    return STEP * (uint64_t)(SHORTEST + number);
}

static bool all_ended(const run *r, int task, int from, int to)
{
    bool all = true;
    for (int i = from; i < to; i++) {
        const word *w = &r->p->task[task].words[i];
        all =
            all && (!creates(w) || (r->at[w->value] == ENDED && all_ended(r, w->value, 0, r->p->task[w->value].count)));
    }
    return all;
}

/* All that a task created so far, or (`on` >= 0) all of them that those depend clauses name. */
static bool children_ended(const run *r, int task, int on)
{
    bool all = true;
    for (int i = 0; i < r->at[task]; i++) {
        const word *w = &r->p->task[task].words[i];
        all = all && (!creates(w) || r->at[w->value] == ENDED ||
                      (on >= 0 && !conflict(&r->p->task[w->value], &r->p->task[on])));
    }
    return all;
}

static bool may_go_on(const run *r, int task)
{
    const body *b = &r->p->task[task];
    int at = r->at[task], group = at;
    switch (b->words[at].is) {
    case WAIT: return children_ended(r, task, -1);
    case AWAIT: return children_ended(r, task, b->words[at].value);
    case GROUP_END:
        while (b->words[group].is != GROUP_BEGIN) {
            group--;
        }
        return all_ended(r, task, group, at);
    default: break;
    }
    bool all = true; /* have come to the barrier, and their tasks have ended */
    for (int t = 0; t < r->p->threads; t++) {
        int own = r->barriers[task], n = r->barriers[t];
        all = all && n >= own && all_ended(r, t, 0, behind_barrier(r->p, t, own));
    }
    return all;
}

/* A task that may begin: created, and all siblings before it that it depends on have ended. */
static int ready_task(run *r)
{
    int found[TASKS], count = 0;
    for (int task = r->p->threads; task < r->p->tasks; task++) {
        bool ready = r->created[task] && !r->begun[task];
        const body *parent = &r->p->task[r->parent[task]];
        for (int i = 0; ready && (!creates(&parent->words[i]) || parent->words[i].value != task); i++) {
            const word *w = &parent->words[i];
            ready = !creates(w) || r->at[w->value] == ENDED || !conflict(&r->p->task[w->value], &r->p->task[task]);
        }
        if (ready) {
            found[count++] = task;
        }
    }
    return count > 0 ? found[below(r->p, count)] : -1;
}

enum { COMPLETE = 1, SWITCH = 7, WAIT_COMPLETE = 8, EXPLICIT_BARRIER = 3, TASKWAIT = 5, TASKGROUP = 6 };

static void begin(run *r, int t, int task)
{
    thread *on = &r->thread[t];
    r->begun[task] = true;
    put(r, t, OMP_SCHEDULE, SWITCH, r->id[task], r->id[on->stack[on->depth - 1]]);
    on->stack[on->depth++] = task;
}

static uint32_t awaited(what is)
{
    return is == WAIT ? TASKWAIT : is == GROUP_END ? TASKGROUP : EXPLICIT_BARRIER;
}

static void end_body(run *r, int t, int task)
{
    thread *on = &r->thread[t];
    r->at[task] = ENDED;
    on->depth--;
    if (on->depth > 0) {
        put(r, t, OMP_SCHEDULE, COMPLETE, r->id[on->stack[on->depth - 1]], r->id[task]);
    } else {
        put(r, t, OMP_IMPLICIT_END, 0, r->id[task], 0);
        on->over = true;
    }
}

static void put_clauses(run *r, int t, int task)
{
    const body *b = &r->p->task[task];
    for (int i = 0; i < b->addresses; i++) {
        put(r, t, OMP_DEPENDENCE, (uint32_t)b->type[i], r->id[task], (uint64_t)b->address[i]);
    }
}

static void create_now(run *r, int t, int task, const word *w)
{
    r->parent[w->value] = task;
    r->id[w->value] = ++r->ids;
    put(r, t, OMP_CREATE, w->is == UNDEFERRED ? 0x08000004 : 4, r->id[w->value], 64 + (uint64_t)w->value);
    put_clauses(r, t, w->value);
    r->at[task]++;
    if (w->is == UNDEFERRED) {
        begin(r, t, w->value);
    } else {
        r->created[w->value] = true;
    }
}

static void act(run *r, int t)
{
    thread *on = &r->thread[t];
    int task = on->stack[on->depth - 1];
    const word *w = &r->p->task[task].words[r->at[task]];
    if (r->at[task] == r->p->task[task].count) {
        end_body(r, t, task);
    } else if (r->waiting[task]) {
        int other = ready_task(r);
        if (may_go_on(r, task)) {
            if (w->is == AWAIT) {
                put(r, t, OMP_SCHEDULE, WAIT_COMPLETE, 0, r->id[w->value]);
            } else {
                put(r, t, OMP_WAIT_END, awaited(w->is), 0, 1);
            }
            r->waiting[task] = false;
            r->at[task]++;
        } else if (other >= 0) {
            begin(r, t, other);
        } else {
            on->clock += STEP;
        }
    } else if (w->is == WORK) {
        on->clock += length_of(w->value);
        r->at[task]++;
    } else if (creates(w)) {
        create_now(r, t, task, w);
    } else if (w->is == AWAIT) {
        r->id[w->value] = ++r->ids;
        put(r, t, OMP_CREATE, 0x48000010, r->id[w->value], 64 + (uint64_t)w->value);
        put_clauses(r, t, w->value);
        r->waiting[task] = true;
    } else if (w->is == GROUP_BEGIN) {
        put(r, t, OMP_GROUP_BEGIN, 0, 0, 0);
        r->at[task]++;
    } else {
        put(r, t, OMP_WAIT_BEGIN, awaited(w->is), 0, 1);
        r->barriers[task] += w->is == BARRIER;
        r->waiting[task] = true;
    }
}

static run *execute(program *p)
{
    run *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(r);
    r->p = p;
    r->ids = 1;
    put(r, 0, OMP_START, 0, 0, 0);
    put(r, 0, OMP_IMPLICIT_BEGIN, 1, 1, 0);
    r->thread[0].clock = length_of(p->first_work);
    put(r, 0, OMP_PARALLEL_BEGIN, 0, 1, 32);
    for (int t = 0; t < p->threads; t++) {
        r->thread[t].clock = r->thread[0].clock + (uint64_t)(t > 0 ? t + STEP * below(p, 100) : 0);
        r->thread[t].stack[r->thread[t].depth++] = t;
        r->id[t] = ++r->ids;
        put(r, t, OMP_IMPLICIT_BEGIN, (uint32_t)p->threads, r->id[t], 1);
    }
    for (;;) {
        int next = -1;
        for (int t = 0; t < p->threads; t++) {
            next = !r->thread[t].over && (next < 0 || r->thread[t].clock < r->thread[next].clock) ? t : next;
        }
        if (next < 0) {
            break;
        }
        act(r, next);
    }
    put(r, 0, OMP_PARALLEL_END, 0, 1, 0);
    r->thread[0].clock += length_of(p->last_work);
    put(r, 0, OMP_IMPLICIT_END, 0, 1, 0);
    put(r, 0, OMP_FINISH, 0, 0, 0);
    return r;
}

/* ---- Logs ---- */

static void write_log(const run *r, int t, int records)
{
    logs_write(OPENMP_LOG, 7, t, r->thread[t].record, records);
}

static void write_logs(const run *r)
{
    for (int t = 0; t < r->p->threads; t++) {
        write_log(r, t, r->thread[t].records);
    }
}

/* ---- Comparison ---- */

/* The work that a module is, by its time; -1: none. */
static int work_of(const program *p, const inlay_app *app, inlay_id module)
{
    long ns = lround(1e9 * inlay_app_in_units(app, inlay_app_time(app, module)));
    long number = ns / STEP - SHORTEST;
    return ns > 0 && ns % STEP == 0 && number >= 0 && number < p->works ? (int)number : -1;
}

static void reach(const inlay_app *app, inlay_id from, bool *reached)
{
    inlay_links out = inlay_app_out(app, from);
    for (int64_t i = 0; i < out.count; i++) {
        if (!reached[out.module[i]]) {
            reached[out.module[i]] = true;
            reach(app, out.module[i], reached);
        }
    }
}

static void compare(const program *p, const order *o, const inlay_app *app)
{
    inlay_id modules = inlay_app_modules(app);
    bool *reached = malloc((size_t)modules * sizeof *reached);
    int found = 0;
    ck_assert_ptr_nonnull(reached);
    for (inlay_id i = 0; i < modules; i++) {
        int from = work_of(p, app, i);
        if (from < 0) {
            ck_assert_int_eq(inlay_app_time(app, i), 0);
            continue;
        }
        found++;
        memset(reached, 0, (size_t)modules * sizeof *reached);
        reach(app, i, reached);
        for (inlay_id j = 0; j < modules; j++) {
            int to = work_of(p, app, j);
            ck_assert_msg(to < 0 || reached[j] == o->before[from][to], "%s of work %d before %d", "order", from, to);
        }
    }
    ck_assert_int_eq(found, p->works);
    free(reached);
}

START_TEST(a_random_program)
{
    static program p;
    make(&p, (uint64_t)_i + 1);
    order *o = order_of(&p);
    run *r = execute(&p);
    write_logs(r);
    inlay_capture *capture = NULL;
    const inlay_capture_options exact = {.grain = 0};
    inlay_diag *diag = inlay_diag_new();
    ck_assert_msg(inlay_capture_read(logs_folder, &exact, &capture, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_uint_eq(inlay_diag_warnings(diag), 0);
    compare(&p, o, inlay_capture_app(capture));
    inlay_capture_facts facts = inlay_capture_told(capture);
    ck_assert_int_eq(facts.tasks, p.tasks - p.threads - p.awaits);
    ck_assert_int_eq(facts.places, p.threads);
    ck_assert(facts.ended);
    inlay_capture_free(capture);

    /* with a grain there are fewer modules, of the same time in all: where a task waits, and two more at most */
    int most = 4 + p.threads;
    for (int task = 0; task < p.tasks; task++) {
        most += 2;
        for (int i = 0; i < p.task[task].count; i++) {
            what is = p.task[task].words[i].is;
            most += is == WAIT || is == GROUP_END || is == BARRIER || is == UNDEFERRED || is == AWAIT;
        }
    }
    const inlay_capture_options coarse = {.grain = 1};
    inlay_app_info fine, rough;
    ck_assert_int_eq(inlay_capture_read(logs_folder, &exact, &capture, diag), INLAY_OK);
    ck_assert_int_eq(inlay_app_describe(inlay_capture_app(capture), &fine, diag), INLAY_OK);
    inlay_id modules = inlay_app_modules(inlay_capture_app(capture));
    double decimals = inlay_app_in_units(inlay_capture_app(capture), 1);
    inlay_capture_free(capture);
    ck_assert_int_eq(inlay_capture_read(logs_folder, &coarse, &capture, diag), INLAY_OK);
    ck_assert_int_eq(inlay_app_describe(inlay_capture_app(capture), &rough, diag), INLAY_OK);
    ck_assert_int_le(inlay_app_modules(inlay_capture_app(capture)), modules < most ? modules : most);
    ck_assert_double_eq_tol((double)rough.work * inlay_app_in_units(inlay_capture_app(capture), 1),
                            (double)fine.work * decimals, 1e-12);
    inlay_capture_free(capture);

    inlay_diag_free(diag);
    free(o);
    free(r);
}
END_TEST

/* ---- What is wrong ---- */

START_TEST(a_damaged_log)
{
    static program p;
    uint64_t random = (uint64_t)_i + 1000;
    make(&p, (uint64_t)_i + 1);
    run *r = execute(&p);
    for (int i = 0; i < 20; i++) {
        thread *on = &r->thread[splitmix_below(&random, p.threads)];
        log_record *record = &on->record[splitmix_below(&random, on->records)];
        log_record was = *record;
        switch (splitmix_below(&random, 5)) {
        case 0: record->a = splitmix_next(&random) >> splitmix_below(&random, 64); break;
        case 1: record->b = splitmix_next(&random) >> splitmix_below(&random, 64); break;
        case 2: record->c = (uint32_t)splitmix_next(&random); break;
        case 3: record->kind = (uint32_t)splitmix_below(&random, 14); break;
        default: record->time = splitmix_next(&random) >> splitmix_below(&random, 64); break;
        }
        write_logs(r);
        inlay_capture *capture = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_capture_read(logs_folder, NULL, &capture, diag);
        ck_assert_msg(status == INLAY_OK || status == INLAY_BAD_INPUT || status == INLAY_NO_ANSWER, "%d: %s", status,
                      inlay_diag_message(diag));
        ck_assert(status == INLAY_OK || strlen(inlay_diag_message(diag)) > 0);
        inlay_capture_free(capture);
        inlay_diag_free(diag);
        *record = was;
    }
    free(r);
}
END_TEST

/* As where a program crashes: every beginning of a run is captured. */
START_TEST(a_run_that_breaks_off)
{
    static program p;
    make(&p, (uint64_t)_i + 1);
    run *r = execute(&p);
    uint64_t end = r->thread[0].clock;
    for (int part = 1; part < 10; part++) {
        int records = 0;
        for (int t = 0; t < p.threads; t++) {
            int before = 0;
            while (before < r->thread[t].records && r->thread[t].record[before].time < end * (uint64_t)part / 10) {
                before++;
            }
            write_log(r, t, before);
            records += before;
        }
        inlay_capture *capture = NULL;
        inlay_diag *diag = inlay_diag_new();
        ck_assert_msg(inlay_capture_read(logs_folder, NULL, &capture, diag) == INLAY_OK, "%s",
                      inlay_diag_message(diag));
        ck_assert(!inlay_capture_told(capture).ended);
        ck_assert_int_le(inlay_app_modules(inlay_capture_app(capture)), 2 * records);
        inlay_capture_free(capture);
        inlay_diag_free(diag);
    }
    free(r);
}
END_TEST

static int try_capture(const void *subject)
{
    inlay_capture *capture = NULL;
    inlay_diag *diag = inlay_diag_new();
    if (diag == NULL) {
        return INLAY_NO_MEMORY;
    }
    int status = inlay_capture_read(subject, NULL, &capture, diag);
    inlay_capture_free(capture);
    inlay_diag_free(diag);
    return status;
}

START_TEST(no_memory)
{
    static program p;
    make(&p, 5);
    run *r = execute(&p);
    write_logs(r);
    starve(try_capture, logs_folder, 20);
    free(r);
}
END_TEST

START_TEST(nothing_recorded)
{
    inlay_capture *capture = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_capture_read(logs_folder, NULL, &capture, diag), INLAY_NO_ANSWER);
    ck_assert_int_eq(inlay_capture_read("/no/such/folder", NULL, &capture, diag), INLAY_BAD_INPUT);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_capture(void)
{
    Suite *suite = suite_create("capture");
    TCase *tests = tcase_create("openmp");
    tcase_add_checked_fixture(tests, logs_set_up, logs_tear_down);
    tcase_add_loop_test(tests, a_random_program, 0, RUNS);
    tcase_add_loop_test(tests, a_damaged_log, 0, 100);
    tcase_add_loop_test(tests, a_run_that_breaks_off, 0, 50);
    tcase_add_test(tests, no_memory);
    tcase_add_test(tests, nothing_recorded);
    suite_add_tcase(suite, tests);
    return suite;
}

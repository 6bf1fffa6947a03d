/*
 * Logs of processes: random trees of them, run by a machine that starts, waits, writes and reads, against what must come before
 * what. Each piece of work takes a power of two, so that a module's time tells which pieces it is.
 */
#include "capture_logs.h"
#include "starve.h"
#include "unit.h"

#include "base/splitmix.h"
#include <inlay/capture.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PROCESSES = 14, PIECES = 44, WORDS = 16, FILES = 5, READS = 100, LOG_SIZE = 60000, RUNS = 400 };

/* ---- Random programs ---- */

typedef enum what { WORK, SPAWN, READ, WRITE, EXEC } what;

/* How children are started: all that a number of slots has room for, the next when one has ended; or left alone. */
typedef struct word {
    what is;
    int value; /* piece of work; file that is written; EXEC: file that the program was given to write, -1: none */
    int child[4], children, slots;
    bool idle, left_alone; /* it does nothing but wait */
    bool anew;             /* what is written begins anew */
} word;

typedef struct body {
    word words[WORDS];
    int count;
    bool several, refills; /* it ever has two children at once; it starts others in the place of one of several */
} body;

typedef struct program {
    uint64_t random;
    body process[PROCESSES];
    int processes, pieces;
} program;

static int below(program *p, int count)
{
    return splitmix_below(&p->random, count);
}

static word *add(program *p, int process, what is, int value)
{
    body *b = &p->process[process];
    ck_assert_int_lt(b->count, WORDS);
    b->words[b->count] = (word){.is = is, .value = value};
    return &b->words[b->count++];
}

static void work(program *p, int process)
{
    ck_assert_int_lt(p->pieces, PIECES);
    add(p, process, WORK, p->pieces++);
}

static void fill(program *p, int process, int depth);

static bool spawn(program *p, int process, int depth)
{
    int most = PROCESSES - p->processes, children = 1 + below(p, 4);
    int file = below(p, 3) == 0 ? below(p, FILES) : -1;
    bool given = file >= 0 && below(p, 2) == 0;
    children = given ? 1 : children;
    if (children > most || p->pieces + 3 * children + 8 > PIECES) {
        return true;
    }
    if (file >= 0) {
        add(p, process, WRITE, file)->anew = below(p, 2) == 0;
    }
    word *w = add(p, process, SPAWN, -1);
    w->slots = 1 + below(p, 3);
    w->idle = below(p, 4) > 0;
    w->left_alone = below(p, 8) == 0;
    p->process[process].several = p->process[process].several || (children > 1 && (w->slots > 1 || w->left_alone));
    w->slots = w->left_alone ? children : w->slots;
    p->process[process].refills = p->process[process].refills || (w->slots > 1 && children > w->slots);
    int first = p->processes;
    p->processes += children;
    for (int i = 0; i < children; i++) {
        w->child[w->children++] = first + i;
        if (given) {
            add(p, first + i, EXEC, file);
            work(p, first + i);
        } else {
            fill(p, first + i, depth + 1);
        }
    }
    return !w->left_alone;
}

static void fill(program *p, int process, int depth)
{
    bool pending = false; /* there are children that only what it does last stands behind */
    if (process == 0 || below(p, 3) > 0) {
        add(p, process, EXEC, -1);
    }
    work(p, process);
    for (int i = below(p, 4); i > 0 && p->pieces + 6 < PIECES; i--) {
        int choice = below(p, 8);
        bool more = true;
        if (choice < 4 && depth < 4) {
            int before = p->process[process].count;
            more = spawn(p, process, depth);
            if (p->process[process].count == before) {
                continue;
            }
            const word *last = &p->process[process].words[p->process[process].count - 1];
            pending = pending || !last->idle || p->process[process].refills;
        } else if (!pending && choice < 7) {
            add(p, process, READ, -1);
        } else if (!pending) {
            add(p, process, EXEC, -1);
        } else {
            continue;
        }
        work(p, process);
        if (!more) {
            return;
        }
    }
    if (below(p, 2) == 0) {
        add(p, process, WRITE, below(p, FILES))->anew = below(p, 2) == 0;
        work(p, process);
    }
}

/* ---- A run ---- */

typedef struct writer {
    int process, last;   /* piece before it wrote */
    bool given, inner;   /* another one opened the file for it; one that writes it, too */
    bool passed, closed; /* to a child before anything was written; it has started a process since */
} writer;

typedef struct file {
    writer writers[READS];
    int count, size, epoch, reader;
} file;

typedef struct carried {
    int from, to, bytes, epoch; /* pieces */
    bool programs;              /* both are programs of their own */
} carried;

typedef struct run {
    program *p;
    char text[LOG_SIZE];
    int length;
    long time;
    int at[PROCESSES], started[PROCESSES], waited[PROCESSES];
    int parent[PROCESSES], pid[PROCESSES], next_pid, free_pid; /* 0: none */
    bool program[PROCESSES], begun[PROCESSES], ended[PROCESSES], known_ended[PROCESSES], joined[PROCESSES];
    long long cpu[PROCESSES];
    bool done[PIECES];
    file files[FILES];
    carried data[READS];
    int data_count, epochs, at_once, left, programs;
    bool before[PIECES][PIECES];
} run;

__attribute__((format(printf, 4, 5))) static void put(run *r, int process, const char *event, const char *format, ...)
{
    va_list values;
    r->time += below(r->p, 100);
    r->length += snprintf(r->text + r->length, LOG_SIZE - (size_t)r->length, "%ld %s %d %lld", r->time, event,
                          r->pid[process], r->cpu[process]);
    va_start(values, format);
    r->length += vsnprintf(r->text + r->length, LOG_SIZE - (size_t)r->length, format, values);
    va_end(values);
    ck_assert_int_lt(r->length + 2, LOG_SIZE);
    r->text[r->length++] = '\n';
    r->text[r->length] = '\0';
}

/* The next piece of work from a word on, or (by -1) the last before it; -1: none. */
static int piece(const body *b, int at, int by)
{
    while (at >= 0 && at < b->count && b->words[at].is != WORK) {
        at += by;
    }
    return at >= 0 && at < b->count ? b->words[at].value : -1;
}

static int last_piece(const program *p, int process)
{
    return piece(&p->process[process], p->process[process].count - 1, -1);
}

static void order(run *r, int from, int to)
{
    if (from >= 0 && to >= 0) {
        r->before[from][to] = true;
    }
}

/* Behind all that those who wrote have done, or up to where they last started something. */
static void read_file(run *r, int process, const char *event, int number, const char *name)
{
    file *f = &r->files[number];
    int to = piece(&r->p->process[process], r->at[process], 1);
    put(r, process, event, " 8:%d %d %s", number, f->size, name);
    if (f->reader == process) {
        return;
    }
    const writer *source = &f->writers[f->count - 1];
    for (int i = 0; i < f->count; i++) {
        const writer *w = &f->writers[i];
        if (w->process != process && (r->ended[w->process] || w->closed)) {
            order(r, r->ended[w->process] ? last_piece(r->p, w->process) : w->last, to);
        } else if (w->process != process) {
            r->at_once += !w->passed;
        }
    }
    for (int i = f->count; i-- > 0;) {
        if (!f->writers[i].passed && !f->writers[i].inner) {
            source = &f->writers[i];
            break;
        }
    }
    bool over = r->ended[source->process];
    if (source->process != process && (over || source->closed)) {
        ck_assert_int_lt(r->data_count, READS);
        r->data[r->data_count++] = (carried){over ? last_piece(r->p, source->process) : source->last, to, f->size,
                                             f->epoch, r->program[process] && r->program[source->process]};
    }
    f->reader = process;
}

static void write_file(run *r, int process, int number, bool anew, bool given)
{
    file *f = &r->files[number];
    const body *b = &r->p->process[process];
    bool inner = false;
    put(r, process, given ? "given" : "write", " 8:%d %d /a file\\012/%d", number, anew ? 0 : f->size, number);
    for (int above = r->parent[process]; given && above >= 0; above = r->parent[above]) {
        for (int i = 0; i < f->count; i++) {
            writer *w = &f->writers[i];
            w->passed = w->passed || (w->process == above && !w->given && anew);
            inner = inner || (w->process == above && !w->passed);
        }
    }
    f->count = anew && !given ? 0 : f->count;
    ck_assert_int_lt(f->count, READS);
    /* one that was given a file has done nothing yet */
    f->writers[f->count++] =
        (writer){.process = process, .last = piece(b, r->at[process], given ? 1 : -1), .given = given, .inner = inner};
    f->size = 1 + below(r->p, 1000);
    f->epoch = r->epochs++;
    f->reader = -1;
}

static void begin(run *r, int parent, int child)
{
    const body *b = &r->p->process[parent];
    bool again = r->free_pid != 0 && below(r->p, 2) == 0;
    r->pid[child] = again ? r->free_pid : r->next_pid++;
    r->free_pid = again ? 0 : r->free_pid;
    r->begun[child] = true;
    put(r, parent, "fork", " %d", r->pid[child]);
    order(r, piece(b, r->at[parent], -1), piece(&r->p->process[child], 0, 1));
    for (int f = 0; f < FILES; f++) {
        for (int i = 0; i < r->files[f].count; i++) {
            r->files[f].writers[i].closed = r->files[f].writers[i].closed || r->files[f].writers[i].process == parent;
        }
    }
}

/* All children that it has waited for, or (`joined`) that are known to come before whatever it does next. */
static void order_behind(run *r, int process, bool joined, int to)
{
    for (int i = 0; i < r->p->processes; i++) {
        if (r->parent[i] == process && r->known_ended[i] && (r->joined[i] || !joined)) {
            order(r, last_piece(r->p, i), to);
        }
    }
}

/* The last of some, for which nothing else was done, or of those that never are several, comes before what follows. */
static void join(run *r, int process, int child, bool idle)
{
    const body *b = &r->p->process[process];
    bool alone = true;
    for (int i = 0; i < r->p->processes; i++) {
        alone = alone && (!r->begun[i] || r->parent[i] != process || r->known_ended[i]);
    }
    for (int i = 0; alone && (idle || !b->several) && i < r->p->processes; i++) {
        r->joined[i] = r->joined[i] ||
                       (r->begun[i] && r->parent[i] == process && r->known_ended[i] && (!b->refills || i == child));
    }
}

static int ended_child(run *r, const word *w)
{
    int found[4], count = 0;
    for (int i = 0; i < w->children; i++) {
        if (r->ended[w->child[i]] && !r->known_ended[w->child[i]]) {
            found[count++] = w->child[i];
        }
    }
    return count > 0 ? found[below(r->p, count)] : -1;
}

/* False where it can but wait. */
static bool step_spawn(run *r, int process, const word *w)
{
    int child;
    if (r->started[process] < w->children && r->started[process] - r->waited[process] < w->slots) {
        child = w->child[r->started[process]++];
        r->parent[child] = process;
        order_behind(r, process, true, piece(&r->p->process[child], 0, 1));
        begin(r, process, child);
        return true;
    }
    if (!w->left_alone && r->waited[process] < w->children) {
        child = ended_child(r, w);
        if (child >= 0) {
            put(r, process, "wait", " %d %d", r->pid[child], w->idle);
            r->known_ended[child] = true;
            r->free_pid = r->pid[child];
            join(r, process, child, w->idle);
            r->waited[process]++;
        } else if (r->started[process] > 0 && below(r->p, 8) == 0 && !r->ended[w->child[0]]) {
            put(r, process, "wait", " %d 0", r->pid[w->child[0]]); /* it has stopped */
        }
        return child >= 0;
    }
    int at = r->at[process]++;
    r->started[process] = r->waited[process] = 0;
    order_behind(r, process, true, piece(&r->p->process[process], at, 1));
    return true;
}

static void leave(run *r, int process, bool at_end)
{
    const body *b = &r->p->process[process];
    int last = r->started[process] == 0 ? r->at[process] - 1 : -1; /* it has done nothing since it started others */
    put(r, process, at_end ? "exit" : "left", at_end ? " 0" : "%s", "");
    r->ended[process] = true;
    for (; last >= 0 && (b->words[last].is == WORK || b->words[last].is == WRITE); last--) {
        /* what it does last is behind all that it waited for */
        order_behind(r, process, false, b->words[last].is == WORK ? b->words[last].value : -1);
    }
}

static bool step(run *r, int process)
{
    const body *b = &r->p->process[process];
    const word *w = &b->words[r->at[process]];
    if (r->at[process] == b->count) {
        leave(r, process, true);
        return true;
    }
    int number = below(r->p, FILES);
    switch (w->is) {
    case SPAWN: return step_spawn(r, process, w);
    case WORK:
        r->cpu[process] += 1LL << w->value;
        r->done[w->value] = true;
        order(r, r->at[process] > 0 ? piece(b, r->at[process] - 1, -1) : -1, w->value);
        break;
    case READ:
        if (r->files[number].count > 0) {
            read_file(r, process, "read", number, "x");
        }
        break;
    case WRITE: write_file(r, process, w->value, w->anew || r->files[w->value].count == 0, false); break;
    default:
        r->programs++;
        r->program[process] = true;
        if (w->value < 0 && r->files[number].count > 0 && below(r->p, 3) == 0) {
            read_file(r, process, "exec", number, "made");
        } else {
            put(r, process, "exec", " 9:%d 77 program %d", below(r->p, 3), below(r->p, 3));
        }
        if (w->value >= 0) {
            const writer *by = &r->files[w->value].writers[r->files[w->value].count - 1];
            bool own = by->process == process; /* never: its parent's, or somebody's who came between */
            ck_assert(!own);
            write_file(r, process, w->value, below(r->p, 2) == 0, true);
        }
        break;
    }
    r->at[process]++;
    return true;
}

static run *execute(program *p)
{
    run *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(r);
    r->p = p;
    r->next_pid = 100;
    r->pid[0] = r->next_pid++;
    r->begun[0] = true;
    r->parent[0] = -1;
    r->time = 1000;
    r->length = snprintf(r->text, LOG_SIZE, "nlaytext\n");
    put(r, 0, "start", "%s", "");
    while (!r->ended[0]) {
        int process = below(p, p->processes);
        if (r->begun[process] && !r->ended[process]) {
            (void)step(r, process);
        }
    }
    for (int i = 1; i < p->processes; i++) {
        if (r->begun[i] && !r->ended[i]) {
            leave(r, i, false);
            r->left++;
        }
    }
    put(r, 0, "end", "%s", "");
    for (int k = 0; k < p->pieces; k++) {
        for (int i = 0; i < p->pieces; i++) {
            for (int j = 0; r->before[i][k] && j < p->pieces; j++) {
                r->before[i][j] = r->before[i][j] || r->before[k][j];
            }
        }
    }
    return r;
}

static void write_log(const char *text, int length)
{
    char path[512];
    snprintf(path, sizeof path, "%s/processes.100.0.log", logs_folder);
    FILE *to = fopen(path, "wb");
    ck_assert_ptr_nonnull(to);
    ck_assert_uint_eq(fwrite(text, 1, (size_t)length, to), (size_t)length);
    fclose(to);
}

/* ---- Comparison ---- */

enum { MODULES = 1000 };

static int64_t pieces_of(const inlay_app *app, inlay_id module)
{
    return llround(1e9 * inlay_app_in_units(app, inlay_app_time(app, module)));
}

/* The module that each piece is in: each is in one. */
static void find_pieces(const run *r, const inlay_app *app, inlay_id in[PIECES])
{
    int64_t all = 0;
    ck_assert_int_lt(inlay_app_modules(app), MODULES);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        int64_t own = pieces_of(app, i);
        ck_assert_int_eq(all & own, 0);
        all |= own;
        for (int k = 0; k < r->p->pieces; k++) {
            if ((own >> k & 1) != 0) {
                in[k] = i;
            }
        }
    }
    for (int k = 0; k < r->p->pieces; k++) {
        ck_assert_int_eq(all >> k & 1, r->done[k]);
    }
    ck_assert_int_eq(all >> r->p->pieces, 0);
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

static void compare_order(const run *r, const inlay_app *app, const inlay_id *in)
{
    for (int i = 0; i < r->p->pieces; i++) {
        bool reached[MODULES] = {0};
        if (r->done[i]) {
            reach(app, in[i], reached);
        }
        for (int k = 0; r->done[i] && k < r->p->pieces; k++) {
            if (r->done[k] && in[i] != in[k]) {
                ck_assert_msg(reached[in[k]] == r->before[i][k], "order of piece %d before %d: %d, expected %d", i, k,
                              reached[in[k]], r->before[i][k]);
            } else if (r->done[k] && i != k) {
                ck_assert(r->before[i][k] || r->before[k][i]);
            }
        }
    }
}

/*
 * All that links carry is what was read behind who wrote it last; but (not `all`) with a grain a process that ran no program of
 * its own may be in no module of its own either, what one did briefly is with what it did before, and one that was left may have
 * done nothing since it read.
 */
static void compare_data(const run *r, const inlay_app *app, const inlay_id *in, bool all)
{
    int64_t expected = 0, found = 0;
    for (int i = 0; i < r->data_count; i++) {
        const carried *d = &r->data[i];
        bool first = d->to >= 0 && r->done[d->to] && (all || (d->programs && in[d->to] != in[d->to - 1]));
        for (int k = 0; first && k < i; k++) {
            const carried *e = &r->data[k];
            first = e->to < 0 || !r->done[e->to] || e->epoch != d->epoch || in[e->to] != in[d->to];
        }
        expected += first ? d->bytes : 0;
        inlay_links out = inlay_app_out(app, in[d->from]);
        bool there = !first;
        for (int64_t k = 0; k < out.count; k++) {
            there = there || (out.module[k] == in[d->to] && out.bytes[k] >= d->bytes);
        }
        ck_assert(there);
    }
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t k = 0; k < out.count; k++) {
            found += out.bytes[k];
        }
    }
    ck_assert(!all || found == expected);
}

static inlay_capture *capture(double grain, inlay_diag *diag)
{
    inlay_capture *made = NULL;
    const inlay_capture_options options = {.grain = grain, .recorder = "processes"};
    ck_assert_msg(inlay_capture_read(logs_folder, &options, &made, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    return made;
}

START_TEST(a_random_tree)
{
    static program p;
    p = (program){.random = (uint64_t)_i + 1, .processes = 1};
    fill(&p, 0, 0);
    run *r = execute(&p);
    write_log(r->text, r->length);
    inlay_diag *diag = inlay_diag_new();
    int begun = 0, warnings = (p.processes == 1) + (r->left > 0) + (r->at_once > 0);
    for (int i = 0; i < p.processes; i++) {
        begun += r->begun[i];
    }
    warnings += begun == 1 && p.processes > 1;
    static const double grains[] = {0, 1e-6, 1, 1e9};
    inlay_id modules = MODULES;
    for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
        inlay_id in[PIECES] = {0};
        inlay_capture *made = capture(grains[g], diag);
        const inlay_app *app = inlay_capture_app(made);
        inlay_capture_facts facts = inlay_capture_told(made);
        ck_assert_uint_eq(inlay_diag_warnings(diag), (size_t)warnings);
        ck_assert_int_eq(facts.tasks, begun);
        ck_assert(facts.ended);
        find_pieces(r, app, in);
        compare_data(r, app, in, grains[g] == 0 && r->left == 0);
        if (grains[g] == 0) {
            compare_order(r, app, in);
        }
        ck_assert_int_le(inlay_app_modules(app), modules);
        ck_assert_int_ge(inlay_app_modules(app), r->programs);
        modules = inlay_app_modules(app);
        inlay_capture_free(made);
    }
    inlay_diag_free(diag);
    free(r);
}
END_TEST

/* A shell that opens a file for a program writes nothing there itself: it is one module, and the program what others read. */
START_TEST(a_file_passed_on)
{
    static const char text[] = "nlaytext\n1 start 7 0\n2 exec 7 0 1:1 9 sh\n3 write 7 10 8:8 0 /f\n4 fork 7 20 8\n"
                               "5 exec 8 0 1:2 9 a\n6 given 8 0 8:8 0 /f\n7 exit 8 50 0\n8 wait 7 20 8 1\n"
                               "9 fork 7 20 9\n10 exec 9 0 1:3 9 b\n11 read 9 1 8:8 400 /f\n12 exit 9 70 0\n"
                               "13 wait 7 20 9 1\n14 exit 7 30 0\n15 end 7 30\n";
    inlay_diag *diag = inlay_diag_new();
    write_log(text, (int)strlen(text));
    inlay_capture *made = capture(1, diag);
    const inlay_app *app = inlay_capture_app(made);
    ck_assert_int_eq(inlay_app_modules(app), 3);
    inlay_links out = inlay_app_out(app, 1);
    ck_assert_int_eq(out.count, 1);
    ck_assert_int_eq(out.module[0], 2);
    ck_assert_int_eq(out.bytes[0], 400);
    inlay_capture_free(made);
    inlay_diag_free(diag);
}
END_TEST

/* ---- What is wrong ---- */

static run *some_run(int seed)
{
    static program p;
    p = (program){.random = (uint64_t)seed, .processes = 1};
    fill(&p, 0, 0);
    return execute(&p);
}

START_TEST(a_damaged_log)
{
    run *r = some_run(_i + 1);
    uint64_t random = (uint64_t)_i + 1000;
    static const char kinds[] = "0123456789 \n\\abcdefghijklmnopqrstuvwxyz-:";
    for (int i = 0; i < 40; i++) {
        char *at = &r->text[9 + splitmix_below(&random, r->length - 9)], was = *at;
        *at = kinds[splitmix_below(&random, (int)sizeof kinds)];
        write_log(r->text, r->length);
        inlay_capture *made = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_capture_read(logs_folder, NULL, &made, diag);
        ck_assert_msg(status == INLAY_OK || status == INLAY_BAD_INPUT || status == INLAY_NO_ANSWER, "%d: %s", status,
                      inlay_diag_message(diag));
        ck_assert(status != INLAY_BAD_INPUT || strstr(inlay_diag_message(diag), "processes.100.0.log:") != NULL);
        inlay_capture_free(made);
        inlay_diag_free(diag);
        *at = was;
    }
    free(r);
}
END_TEST

/* Lines that are well formed but cannot be. */
START_TEST(a_line_that_cannot_be)
{
    static const char *const lines[] = {
        "10 exec 8 50 1:1 5 x", /* no such process */
        "10 exec 7 1 1:1 5 x",  /* it has had more time before */
        "1 exec 7 50 1:1 5 x",  /* earlier than the line before */
        "10 fork 7 50 7",       /* it runs */
        "10 fork 7 50 0",       /* no number of a process */
        "10 fork 7 50",         /* of which child */
        "10 read 7 50 1:1 x y", /* no size */
        "10 wait 7 50 9 1 1",   /* more than there is to say */
        "10 start 7 50",        /* once more */
        "10 walk 7 50",         /* no event */
        "10 exit 7 50 0\n10 exec 7 50 1:1 5 x",
        "10 end 7 0\n10 exit 7 50 0",
        "99999999999999999999 exit 7 50 0",
        "10 fork 7 50 8\n10 end 8 0",
    };
    char text[500];
    inlay_diag *diag = inlay_diag_new();
    inlay_capture *made = NULL;
    int length = snprintf(text, sizeof text, "nlaytext\n5 start 7 10\n5 exec 7 20 1:1 5 sh\n%s\n", lines[_i]);
    write_log(text, length);
    ck_assert_int_eq(inlay_capture_read(logs_folder, NULL, &made, diag), INLAY_BAD_INPUT);
    const char *at = strstr(inlay_diag_message(diag), "processes.100.0.log:");
    ck_assert_ptr_nonnull(at);
    ck_assert_int_eq(at[20] - '0', strchr(lines[_i], '\n') != NULL ? 5 : 4);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(a_run_that_breaks_off)
{
    run *r = some_run(_i + 1);
    for (int part = 1; part < 10; part++) {
        int length = r->length * part / 10;
        char kept = r->text[length];
        write_log(r->text, length);
        inlay_capture *made = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_capture_read(logs_folder, NULL, &made, diag);
        r->text[length] = '\0';
        const char *first = strstr(r->text, " exec ");
        bool any = first != NULL && strchr(first, '\n') != NULL;
        ck_assert_int_eq(status, any ? INLAY_OK : INLAY_NO_ANSWER);
        r->text[length] = kept;
        if (status == INLAY_OK) {
            ck_assert_uint_ge(inlay_diag_warnings(diag), 1);
        }
        inlay_capture_free(made);
        inlay_diag_free(diag);
    }
    free(r);
}
END_TEST

static int try_capture(const void *subject)
{
    inlay_capture *made = NULL;
    inlay_diag *diag = inlay_diag_new();
    if (diag == NULL) {
        return INLAY_NO_MEMORY;
    }
    int status = inlay_capture_read(subject, NULL, &made, diag);
    inlay_capture_free(made);
    inlay_diag_free(diag);
    return status;
}

START_TEST(no_memory)
{
    run *r = some_run(5);
    write_log(r->text, r->length);
    starve(try_capture, logs_folder, 20);
    free(r);
}
END_TEST

Suite *suite_capture_processes(void)
{
    Suite *suite = suite_create("capture_processes");
    TCase *tests = tcase_create("processes");
    tcase_add_checked_fixture(tests, logs_set_up, logs_tear_down);
    tcase_add_loop_test(tests, a_random_tree, 0, RUNS);
    tcase_add_test(tests, a_file_passed_on);
    tcase_add_loop_test(tests, a_damaged_log, 0, 60);
    tcase_add_loop_test(tests, a_line_that_cannot_be, 0, 14);
    tcase_add_loop_test(tests, a_run_that_breaks_off, 0, 40);
    tcase_add_test(tests, no_memory);
    suite_add_tcase(suite, tests);
    return suite;
}

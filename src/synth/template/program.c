/*
 * A synthetic program: it uses processors and network as an application does that was laid out on a machine.
 *
 *     mpicc -std=c17 -O2 program.c -o program -lm
 *     mpirun -n RANKS ./program [--runs N] [--share-cores] [--json]
 *
 * Each rank stands for a processor and does, one after the other, the steps of that processor's modules: it waits for
 * what a module waits for, does as many operations or takes as much time, and sends what the module sends. It prints
 * the elapsed time, and how long each rank was busy and waited. The code is the same for every application; what
 * differs stands in the tables, where runs of equal steps are loops and ranks that do the same share their steps.
 *
 * It cannot deadlock. Only receives wait. The processors run their modules in orders that, with the links between the
 * modules, have no cycle. Of all modules in an order that agrees with these, take the first whose receive is never
 * satisfied. The module that sends stands before it, so nothing keeps that one from starting its send, and no send
 * waits. Messages of one rank to another that are received in another order than they are sent have different tags,
 * and of one tag those before it are received before. So the message arrives, and there is no such module.
 *
 * Compiled with smpicc and started by smpirun it runs in SimGrid's time: work takes its seconds without being done.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef SMPI_H
#include <simgrid/host.h>
#include <xbt/config.h>
enum { SIMULATED = true };
#else
enum { SIMULATED = false };
#endif

/* ---- What the tables are made of ---- */

/* One piece of work: its operations where COUNTED, else a loop of so many seconds. */
enum { TIMED, COUNTED };
struct work {
    int made_of;
    int64_t arithmetic; /* additions and multiplications, each on the result before */
    int64_t functions;  /* evaluations of sin() */
    int64_t memory;     /* bytes that it goes through, with a write in each 64 */
    double seconds;     /* of the loop; where COUNTED what it takes by the mapping */
};

enum { WORK, SEND, RECEIVE, ACCEPT };
struct step {
    int kind;
    int distance; /* rank at the other end, less the own one */
    int lane;     /* the tag */
    int64_t size; /* bytes of the message; of WORK its row in works[] */
};

/* The `length` entries behind it are done `times` times. */
struct loop {
    int64_t times, length;
};

#include "tables.h"

/* ---- This rank ---- */

/* Messages go in pieces of at most that many bytes. */
#define PIECE ((int64_t)16 << 20)

enum {
    DEPTH = 16,       /* loops in each other, at most */
    LINE = 64,        /* bytes from one write to memory to the next */
    WINDOW = 256,     /* open messages that are looked at, at a time */
    WRITES = 1 << 17, /* writes in a slice of work */
    SHARE = 16,       /* of a slice's iterations, as many function evaluations */
    TRIALS = 15,      /* of the calibration */

    BAD_USAGE = 2, /* exit status */
    CANNOT = 3     /* exit status: this system cannot run it */
};

#define MOST_ROWS 100   /* ranks in the table that is printed */
#define SLICE     1e-3  /* seconds of work between two looks at the messages */
#define TRIAL     2e-3  /* seconds of processor time that a trial of the calibration takes at least */
#define NAP       50000 /* nanoseconds between two looks at a message, where ranks share cores */

/* Messages that have begun and are not known to be through. */
struct pending {
    MPI_Request *request;
    void **room; /* where an accepted message arrives; NULL of a sent one */
    int count, capacity;
    int next; /* to look at */
};

struct rank {
    int rank, ranks;
    bool shares; /* there are fewer cores than ranks */
    const char *program;
    struct pending pending;
    char *zeros, *scratch, *memory;
    int64_t largest_sent, largest_received, most_memory; /* bytes */
    double iteration, line; /* seconds of an iteration of the loop, and of a write to memory */
    double busy, wait;      /* seconds of this run */
    double state;           /* what all arithmetic and functions worked out so far */
};

/* What a rank tells of a run, in seconds. */
struct figures {
    double elapsed, busy, wait;
};
enum { FIGURES = sizeof(struct figures) / sizeof(double) };

/* What the compiler cannot know, so that it can neither do the work beforehand nor leave it out. */
static volatile double first = 1.25, term = 1.0, factor = 0.5, stretch = 3.0;
static volatile double result;

static bool takes_part(const struct rank *self)
{
    return self->rank < RANKS;
}

/* The program ends where it can neither go on nor tell the others. */
static void out_of_memory(const struct rank *self)
{
    (void)fprintf(stderr, "%s: rank %d has no memory left\n", self->program, self->rank);
    (void)MPI_Abort(MPI_COMM_WORLD, CANNOT);
}

/* ---- SimGrid, or not ---- */

#ifdef SMPI_H

static void simulate(double seconds)
{
    if (seconds > 0) {
        smpi_execute_flops(seconds * sg_host_get_speed(sg_host_self()));
    }
}

/*
 * SimGrid adds 16 bytes to every message. Where all links were made faster by a multiple of that, messages are made
 * larger by as much and less by the 16 bytes, so that they take what they should. Nobody reads or writes their bytes.
 */
enum { ENVELOPE = 16 };

static int64_t enlarged(void)
{
    return (int64_t)sg_cfg_get_double("network/bandwidth-factor") / ENVELOPE;
}

static int64_t largest_piece(void)
{
    return enlarged() > 0 ? INT_MAX / enlarged() : INT_MAX;
}

static MPI_Datatype unit(void)
{
    return enlarged() > 0 ? MPI_C_DOUBLE_COMPLEX : MPI_BYTE;
}

static int units(int64_t bytes)
{
    if (enlarged() > 0) {
        return bytes > 0 ? (int)(bytes * enlarged() - 1) : 0;
    }
    return bytes > ENVELOPE ? (int)(bytes - ENVELOPE) : 0;
}

#else

static void simulate(double seconds)
{
    (void)seconds; /* nobody comes here */
}

static int64_t largest_piece(void)
{
    return PIECE;
}

static MPI_Datatype unit(void)
{
    return MPI_BYTE;
}

static int units(int64_t bytes)
{
    return (int)bytes;
}

#endif

/* ---- Messages ---- */

/* The bytes of the piece that begins at `from`. */
static int64_t piece(int64_t bytes, int64_t from)
{
    return bytes - from < largest_piece() ? bytes - from : largest_piece();
}

/* Look at some open messages, and forget those that are through. */
static void look(struct pending *open)
{
    int done = 0, which[WINDOW];
    open->next = open->next < open->count ? open->next : 0;
    int looked = open->count - open->next < WINDOW ? open->count - open->next : WINDOW;
    if (looked == 0) {
        return;
    }
    MPI_Testsome(looked, &open->request[open->next], &done, which, MPI_STATUSES_IGNORE);
    bool through[WINDOW] = {false};
    for (int i = 0; i < done; i++) { /* MPI_UNDEFINED is negative */
        through[which[i]] = true;
    }
    for (int i = looked - 1; i >= 0; i--) { /* from behind: the last one has a place by then */
        if (through[i]) {
            int at = open->next + i, last = --open->count;
            free(open->room[at]);
            open->request[at] = open->request[last];
            open->room[at] = open->room[last];
        }
    }
    open->next += looked;
}

/* Room for one more: before the arrays grow, those that are through are forgotten. */
static void make_room(struct rank *self)
{
    struct pending *open = &self->pending;
    if (open->count < open->capacity) {
        return;
    }
    for (int looked = 0; !SIMULATED && looked < open->capacity; looked += WINDOW) {
        look(open);
    }
    if (open->count <= open->capacity / 2 && open->capacity > 0) {
        return;
    }
    int capacity = 2 * open->capacity + WINDOW;
    MPI_Request *request = realloc(open->request, (size_t)capacity * sizeof *request);
    open->request = request != NULL ? request : open->request;
    void **room = realloc(open->room, (size_t)capacity * sizeof *room);
    open->room = room != NULL ? room : open->room;
    if (request == NULL || room == NULL) {
        out_of_memory(self);
    }
    open->capacity = capacity;
}

static MPI_Request *opened(struct rank *self, void *room)
{
    make_room(self);
    self->pending.room[self->pending.count] = room;
    return &self->pending.request[self->pending.count++];
}

static void send_message(struct rank *self, const struct step *step)
{
    int64_t from = 0;
    do {
        int64_t bytes = piece(step->size, from);
        MPI_Isend(SIMULATED ? MPI_BOTTOM : self->zeros, units(bytes), unit(), self->rank + step->distance, step->lane,
                  MPI_COMM_WORLD, opened(self, NULL));
        from += bytes;
    } while (from < step->size);
}

/*
 * Waits for some messages. MPI looks for them all the time, which takes the processor from others where ranks share
 * cores: there this rank sleeps between two looks.
 */
static void await_all(const struct rank *self, int count, MPI_Request *request)
{
    static const struct timespec nap = {0, NAP};
    int over = 0;
    if (!self->shares) {
        MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
        return;
    }
    for (;;) {
        MPI_Testall(count, request, &over, MPI_STATUSES_IGNORE);
        if (over) {
            return;
        }
        (void)nanosleep(&nap, NULL);
    }
}

static void receive_message(struct rank *self, const struct step *step)
{
    double begun = MPI_Wtime();
    int64_t from = 0;
    do {
        int64_t bytes = piece(step->size, from);
        MPI_Request request;
        MPI_Irecv(SIMULATED ? MPI_BOTTOM : self->scratch, units(bytes), unit(), self->rank + step->distance, step->lane,
                  MPI_COMM_WORLD, &request);
        await_all(self, 1, &request);
        from += bytes;
    } while (from < step->size);
    self->wait += MPI_Wtime() - begun;
}

static void accept_message(struct rank *self, const struct step *step)
{
    int64_t from = 0;
    do {
        int64_t bytes = piece(step->size, from);
        void *room = SIMULATED ? NULL : malloc((size_t)bytes + 1);
        if (room == NULL && !SIMULATED) {
            out_of_memory(self);
        }
        MPI_Irecv(SIMULATED ? MPI_BOTTOM : room, units(bytes), unit(), self->rank + step->distance, step->lane,
                  MPI_COMM_WORLD, opened(self, room));
        from += bytes;
    } while (from < step->size);
}

/* Wait until all that has begun is through. */
static void drain(struct rank *self)
{
    double begun = MPI_Wtime();
    await_all(self, self->pending.count, self->pending.request);
    for (int i = 0; i < self->pending.count; i++) {
        free(self->pending.room[i]);
    }
    self->pending.count = 0;
    self->wait += MPI_Wtime() - begun;
}

/* ---- Work ---- */

/* Processor time of this rank in seconds: others on the same processor are not in it. */
static double processor_time(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The loop that time is measured in. An iteration is two operations, each on the result before. */
static double iterate(double x, int64_t iterations)
{
    const double b = term, a = factor;
    for (int64_t i = 0; i < iterations; i++) {
        x = (x + b) * a;
    }
    return x;
}

/* The argument changes from one evaluation to the next, without end: 3 sin x has no stable point. */
static double evaluate(double x, int64_t evaluations)
{
    const double a = stretch;
    for (int64_t i = 0; i < evaluations; i++) {
        x = a * sin(x);
    }
    return x;
}

static void touch(char *memory, int64_t from, int64_t to, double x)
{
    volatile char *at = memory;
    for (int64_t i = from; i < to; i++) {
        at[i * LINE] = (char)(x > 0.5);
    }
}

static int64_t lines(int64_t bytes)
{
    return (bytes + LINE - 1) / LINE;
}

/* Iterations in so many seconds, at least one. */
static int64_t iterations_in(const struct rank *self, double seconds)
{
    double count = seconds / self->iteration;
    return count > 1 ? (int64_t)(count + 0.5) : 1;
}

/* Work goes in slices: behind each the messages are looked at, which keeps them going. */
static void calculate(struct rank *self, int64_t operations)
{
    int64_t iterations = operations / 2, slice = iterations_in(self, SLICE);
    while (iterations > 0) {
        int64_t now = iterations < slice ? iterations : slice;
        self->state = iterate(self->state, now);
        iterations -= now;
        look(&self->pending);
    }
    self->state += operations % 2 != 0 ? term : 0;
}

/* The loop for so many seconds. In a long one the clock corrects what the calibration told of the slices before. */
static void loop_for(struct rank *self, double seconds)
{
    double begun = seconds > SLICE ? processor_time() : 0, left = seconds;
    while (left > SLICE) {
        self->state = iterate(self->state, iterations_in(self, SLICE));
        look(&self->pending);
        left = seconds - (processor_time() - begun);
    }
    if (left > 0) {
        self->state = iterate(self->state, iterations_in(self, left));
        look(&self->pending);
    }
}

static void evaluate_all(struct rank *self, int64_t evaluations)
{
    int64_t slice = 1 + iterations_in(self, SLICE) / SHARE;
    while (evaluations > 0) {
        int64_t now = evaluations < slice ? evaluations : slice;
        self->state = evaluate(self->state, now);
        evaluations -= now;
        look(&self->pending);
    }
}

static void touch_all(struct rank *self, int64_t bytes)
{
    for (int64_t from = 0; from < lines(bytes); from += WRITES) {
        int64_t to = lines(bytes) - from < WRITES ? lines(bytes) : from + WRITES;
        touch(self->memory, from, to, self->state);
        look(&self->pending);
    }
}

static void do_work(struct rank *self, const struct work *work)
{
    double seconds = work->seconds;
    if (work->memory > 0) {
        double begun = processor_time();
        touch_all(self, work->memory);
        seconds -= processor_time() - begun;
    }
    if (work->made_of == COUNTED) {
        calculate(self, work->arithmetic);
        evaluate_all(self, work->functions);
    } else {
        loop_for(self, seconds);
    }
    result = self->state;
}

static void work_on(struct rank *self, const struct work *work)
{
    double begun = MPI_Wtime();
    if (SIMULATED) {
        simulate(work->seconds);
    } else {
        do_work(self, work);
    }
    self->busy += MPI_Wtime() - begun;
}

/* ---- The steps of a rank ---- */

static void do_step(struct rank *self, const struct step *step)
{
    switch (step->kind) {
    case WORK: work_on(self, &works[step->size]); break;
    case SEND: send_message(self, step); break;
    case RECEIVE: receive_message(self, step); break;
    default: accept_message(self, step); break;
    }
}

static void do_sequence(struct rank *self, int64_t at, int64_t end)
{
    struct {
        int64_t begin, end, left;
    } loop[DEPTH];
    int depth = 0;
    while (depth > 0 || at < end) {
        if (depth > 0 && at == loop[depth - 1].end) { /* once more, or out of it */
            if (--loop[depth - 1].left > 0) {
                at = loop[depth - 1].begin;
            } else {
                depth--;
            }
        } else if (entries[at] < 0) {
            const struct loop *of = &loops[~entries[at++]];
            loop[depth].begin = at;
            loop[depth].end = at + of->length;
            loop[depth].left = of->times;
            depth++;
        } else {
            do_step(self, &steps[entries[at++]]);
        }
    }
}

/* All ranks come here before any goes on. */
static void meet(const struct rank *self)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    await_all(self, 1, &request);
}

/* One run, from when all have come to it until this rank's last message is through. */
static struct figures do_run(struct rank *self)
{
    self->busy = self->wait = 0;
    if (!SIMULATED) {
        meet(self);
    }
    double begun = MPI_Wtime();
    if (takes_part(self)) {
        int32_t sequence = rank_sequence[self->rank];
        do_sequence(self, sequence_begin[sequence], sequence_begin[sequence + 1]);
        drain(self);
    }
    struct figures own = {MPI_Wtime() - begun, self->busy, self->wait};
    if (self->shares) { /* who has ended leaves the core to others */
        meet(self);
    }
    return own;
}

/* ---- Before the first run ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void find_needs(struct rank *self)
{
    int32_t sequence = rank_sequence[self->rank];
    for (int64_t i = sequence_begin[sequence]; i < sequence_begin[sequence + 1]; i++) {
        if (entries[i] < 0) {
            continue;
        }
        const struct step *step = &steps[entries[i]];
        switch (step->kind) {
        case WORK: self->most_memory = larger(self->most_memory, works[step->size].memory); break;
        case SEND: self->largest_sent = larger(self->largest_sent, piece(step->size, 0)); break;
        default: self->largest_received = larger(self->largest_received, piece(step->size, 0)); break;
        }
    }
}

/* Says a line, on one rank; the status is that of all. */
static int refuse(const struct rank *self, int status, const char *line)
{
    if (self->rank == 0) {
        (void)fprintf(stderr, "%s: %s\n", self->program, line);
    }
    return status;
}

static int check_tags(const struct rank *self)
{
    int *most = NULL, known = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &known);
    return known && *most < LANES - 1 ? refuse(self, CANNOT, "this MPI has too few tags for the messages") : 0;
}

/* Bytes of memory of this computer; 0 where it does not tell. */
static double physical_memory(void)
{
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
#else
    return 0;
#endif
}

/* Whether the ranks of each computer find the memory there that they go through. */
static int check_memory(const struct rank *self)
{
    struct {
        double missing;
        int rank;
    } own = {0, self->rank}, worst;
    double need = (double)self->largest_sent + (double)self->largest_received + (double)self->most_memory;
    double here[2] = {0, physical_memory()};
    MPI_Comm computer;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, self->rank, MPI_INFO_NULL, &computer);
    MPI_Allreduce(&need, &here[0], 1, MPI_DOUBLE, MPI_SUM, computer);
    MPI_Comm_free(&computer);
    own.missing = here[1] > 0 ? here[0] - here[1] : 0;
    MPI_Allreduce(&own, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.missing <= 0) {
        return 0;
    }
    char line[2 * BUFSIZ];
    MPI_Bcast(here, 2, MPI_DOUBLE, worst.rank, MPI_COMM_WORLD);
    (void)snprintf(line, sizeof line, "the ranks on one computer need %.4g GB of memory, which has %.4g GB",
                   1e-9 * here[0], 1e-9 * here[1]);
    return refuse(self, CANNOT, line);
}

static int allocate(struct rank *self)
{
    self->zeros = calloc((size_t)self->largest_sent + 1, 1);
    self->scratch = malloc((size_t)self->largest_received + 1);
    self->memory = malloc((size_t)(lines(self->most_memory) * LINE) + 1);
    int here = self->zeros != NULL && self->scratch != NULL && self->memory != NULL, everywhere = 0;
    MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return everywhere ? 0 : refuse(self, CANNOT, "out of memory");
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of an iteration: the median of some trials, each long enough for the clock. */
static void calibrate_loop(struct rank *self)
{
    double trial[TRIALS], begun, took = 0;
    int64_t iterations = 1 << 10;
    while (took < TRIAL) {
        iterations *= 2;
        begun = processor_time();
        self->state = iterate(self->state, iterations);
        result = self->state;
        took = processor_time() - begun;
    }
    for (int i = 0; i < TRIALS; i++) {
        begun = processor_time();
        self->state = iterate(self->state, iterations);
        result = self->state;
        trial[i] = (processor_time() - begun) / (double)iterations;
    }
    qsort(trial, TRIALS, sizeof *trial, by_value);
    self->iteration = trial[TRIALS / 2];
}

/* Seconds of a write to memory, the second time: the first time the system has to find the pages. */
static void calibrate_memory(struct rank *self)
{
    int64_t count = lines(self->most_memory);
    touch(self->memory, 0, count, self->state);
    double begun = processor_time();
    touch(self->memory, 0, count, self->state);
    self->line = count > 0 ? (processor_time() - begun) / (double)count : 0;
}

static int too_few(const struct rank *self)
{
    char line[BUFSIZ];
    (void)snprintf(line, sizeof line, "it needs %d ranks and has %d: mpirun -n %d %s", RANKS, self->ranks, RANKS,
                   self->program);
    return refuse(self, BAD_USAGE, line);
}

/* Status 0, or that with which all ranks end. */
static int prepare(struct rank *self)
{
    if (self->ranks < RANKS) {
        return too_few(self);
    }
    if (takes_part(self)) {
        find_needs(self);
    }
    self->state = first;
    if (SIMULATED) { /* what follows would take simulated time */
        return 0;
    }
    int status = check_tags(self);
    status = status != 0 ? status : check_memory(self);
    status = status != 0 ? status : allocate(self);
    if (status == 0 && takes_part(self)) {
        calibrate_loop(self);
        calibrate_memory(self);
    }
    return status;
}

/* ---- What it prints ---- */

/* All runs, as rank 0 knows them. */
struct report {
    int runs;
    struct figures *figures; /* of each run those of all ranks, one rank after the other */
    double *elapsed;         /* of each run */
    int middle;              /* the run whose elapsed time is the median */
    char *hosts;             /* names of the computers, MPI_MAX_PROCESSOR_NAME for each rank */
    double iteration, line;  /* seconds, of the slowest rank */
};

static const struct figures *figures_of(const struct rank *self, const struct report *report, int rank)
{
    return &report->figures[(size_t)report->middle * (size_t)self->ranks + (size_t)rank];
}

static double other(const struct figures *of)
{
    double rest = of->elapsed - of->busy - of->wait;
    return rest > 1e-12 ? rest : 0; /* differences of sums leave less */
}

/* A name that the system gave, with nothing that could mislead a terminal or a reader of JSON. */
static const char *host_of(const struct report *report, int rank)
{
    char *name = report->hosts + (size_t)rank * MPI_MAX_PROCESSOR_NAME;
    for (char *c = name; *c != '\0'; c++) {
        bool plain = *c > ' ' && *c < 127 && *c != '"' && *c != '\\';
        *c = plain ? *c : '?';
    }
    return name;
}

static void print_table(const struct rank *self, const struct report *report)
{
    double elapsed = report->elapsed[report->middle], least = elapsed, most = elapsed;
    (void)printf("%s on %d rank%s; times in seconds\n\n", application, RANKS, RANKS == 1 ? "" : "s");
    (void)printf("%6s %9s %-16s %12s %12s %12s %12s %10s\n", "rank", "processor", "host", "busy", "wait", "other",
                 "idle", "busy share");
    for (int i = 0; i < RANKS && i < MOST_ROWS; i++) {
        const struct figures *of = figures_of(self, report, i);
        (void)printf("%6d %9d %-16.16s %12.6g %12.6g %12.6g %12.6g %8.1f %%\n", i, (int)rank_processor[i],
                     host_of(report, i), of->busy, of->wait, other(of), elapsed - of->elapsed,
                     elapsed > 0 ? 100 * of->busy / elapsed : 0);
    }
    if (RANKS > MOST_ROWS) {
        (void)printf("... (%d more ranks; --json has all)\n", RANKS - MOST_ROWS);
    }
    for (int i = 0; i < report->runs; i++) {
        least = report->elapsed[i] < least ? report->elapsed[i] : least;
        most = report->elapsed[i] > most ? report->elapsed[i] : most;
    }
    (void)printf("\nelapsed time    %.6g s", elapsed);
    if (report->runs > 1) {
        (void)printf(", the median of %d runs from %.6g to %.6g s", report->runs, least, most);
    }
    (void)printf("%s\n", SIMULATED ? ", simulated by SimGrid" : "");
}

static void print_seconds(const char *name, double seconds, const char *behind)
{
    if (seconds > 0) {
        (void)printf("\"%s\": %.6g%s", name, seconds, behind);
    } else {
        (void)printf("\"%s\": null%s", name, behind);
    }
}

static void print_json(const struct rank *self, const struct report *report)
{
    double elapsed = report->elapsed[report->middle];
    (void)printf("{\n  \"application\": %s,\n  \"inlay\": \"%s\",\n  \"engine\": \"%s\",\n", application, inlay,
                 SIMULATED ? "smpi" : "mpi");
    (void)printf("  \"elapsed\": %.12g,\n  \"runs\": [", elapsed);
    for (int i = 0; i < report->runs; i++) {
        (void)printf("%s%.12g", i > 0 ? ", " : "", report->elapsed[i]);
    }
    (void)printf("],\n  \"calibration\": {");
    print_seconds("iteration", report->iteration, ", ");
    print_seconds("line", report->line, "},\n  \"ranks\": [");
    for (int i = 0; i < RANKS; i++) {
        const struct figures *of = figures_of(self, report, i);
        (void)printf("%s\n    {\"rank\": %d, \"processor\": %d, \"host\": \"%s\", ", i > 0 ? "," : "", i,
                     (int)rank_processor[i], host_of(report, i));
        (void)printf("\"busy\": %.12g, \"wait\": %.12g, \"other\": %.12g, \"idle\": %.12g}", of->busy, of->wait,
                     other(of), elapsed - of->elapsed);
    }
    (void)printf("\n  ]\n}\n");
}

/* ---- All runs ---- */

/* A run has taken as long as the rank that took longest. */
static double elapsed_of(const struct rank *self, const struct figures *run)
{
    double longest = 0;
    for (int i = 0; i < self->ranks && i < RANKS; i++) {
        longest = run[i].elapsed > longest ? run[i].elapsed : longest;
    }
    return longest;
}

/* The median; of an even number the lower of the two in the middle. */
static int middle_of(const double *elapsed, int runs)
{
    for (int i = 0; i < runs; i++) {
        int shorter = 0, as_long = 0;
        for (int j = 0; j < runs; j++) {
            shorter += elapsed[j] < elapsed[i];
            as_long += elapsed[j] <= elapsed[i];
        }
        if (shorter <= (runs - 1) / 2 && as_long > (runs - 1) / 2) {
            return i;
        }
    }
    return 0;
}

static bool make_report(const struct rank *self, int runs, struct report *report)
{
    size_t ranks = (size_t)self->ranks, all = self->rank == 0 ? (size_t)runs : 0;
    report->runs = runs;
    report->figures = calloc(all * ranks + 1, sizeof *report->figures);
    report->elapsed = calloc(all + 1, sizeof *report->elapsed);
    report->hosts = calloc(self->rank == 0 ? ranks : 1, MPI_MAX_PROCESSOR_NAME);
    return report->figures != NULL && report->elapsed != NULL && report->hosts != NULL;
}

static void free_report(struct report *report)
{
    free(report->figures);
    free(report->elapsed);
    free(report->hosts);
}

static void gather_calibration(const struct rank *self, struct report *report)
{
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    MPI_Get_processor_name(host, &length);
    MPI_Gather(host, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, report->hosts, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0,
               MPI_COMM_WORLD);
    MPI_Reduce(&self->iteration, &report->iteration, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&self->line, &report->line, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

static void do_runs(struct rank *self, int runs, bool json)
{
    struct report report = {0};
    if (!make_report(self, runs, &report)) {
        out_of_memory(self);
    }
    for (int i = 0; i < runs; i++) {
        struct figures own = do_run(self), *all = &report.figures[self->rank == 0 ? i * self->ranks : 0];
        MPI_Gather(&own, FIGURES, MPI_DOUBLE, all, FIGURES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (self->rank == 0) {
            report.elapsed[i] = elapsed_of(self, all);
        }
    }
    gather_calibration(self, &report);
    if (self->rank == 0) {
        report.middle = middle_of(report.elapsed, runs);
        if (json) {
            print_json(self, &report);
        } else {
            print_table(self, &report);
        }
    }
    free_report(&report);
}

struct request {
    int runs;
    bool json, help, shares;
};

static bool read_arguments(int count, char **arguments, struct request *request)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--json") == 0) {
            request->json = true;
        } else if (strcmp(arguments[i], "--share-cores") == 0) {
            request->shares = true;
        } else if (strcmp(arguments[i], "--help") == 0) {
            request->help = true;
        } else if (strcmp(arguments[i], "--runs") == 0 && i + 1 < count) {
            char *end;
            long runs = strtol(arguments[++i], &end, 10);
            if (*end != '\0' || runs < 1 || runs > 1000000) {
                return false;
            }
            request->runs = (int)runs;
        } else {
            return false;
        }
    }
    return true;
}

static int start(struct rank *self, int count, char **arguments)
{
    static const char usage[] =
        "usage: mpirun -n RANKS PROGRAM [--runs N] [--share-cores] [--json], with N from 1 to 1000000";
    struct request request = {.runs = 1};
    if (!read_arguments(count, arguments, &request)) {
        return refuse(self, BAD_USAGE, usage);
    }
    if (request.help) {
        if (self->rank == 0) {
            (void)printf("%s\nRANKS is %d here; further ones have nothing to do. --share-cores is for fewer cores than "
                         "ranks.\n",
                         usage, RANKS);
        }
        return 0;
    }
    self->shares = request.shares;
    int status = prepare(self);
    if (status == 0) {
        do_runs(self, SIMULATED ? 1 : request.runs, request.json); /* simulated runs are all the same */
    }
    return status;
}

int main(int count, char **arguments)
{
    struct rank self = {.program = count > 0 ? arguments[0] : "program"};
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.ranks);
    int status = start(&self, count, arguments);
    free(self.pending.request);
    free(self.pending.room);
    free(self.zeros);
    free(self.scratch);
    free(self.memory);
    MPI_Finalize();
    return status;
}

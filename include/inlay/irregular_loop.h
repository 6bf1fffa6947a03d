/*
 * Loops of a serial program shared out over ranks, while memory is whole on each of them (see irregular.h for the rules).
 * This is what `inlay maploop` generates calls of; it can be called by hand as well.
 *
 * Every rank runs the whole program: scalars, pointers and arrays are there on each, with the same values. A marked loop alone
 * is shared out: a rank runs the body, as it stands, for some of its iterations. For that the loop is inspected first. The same
 * loop is run with a body that does nothing but tell which memory the true one would touch, and how; all ranks inspect all
 * iterations, and so know the same. Elements (the bytes that are touched) get owners then, iterations get ranks.
 * In front of the loop a rank fetches what its iterations read of others, behind it what they wrote or added to elements of
 * others goes to the owners. From then on the owner alone has the truth, other ranks' memory is stale, until a loop fetches what
 * it needs, or until inlay_whole_settle() makes all memory whole: the program calls it before code outside of marked
 * loops looks at memory.
 *
 * The loop `for (int e = 0; e < edges; e++) { y[a[e]] += x[b[e]]; }` at line 7 of f.c, as it is generated:
 *
 *     static inlay_loop *loop_1;
 *     static const inlay_site sites_1[] = {{"f.c:7", "y[a[e]]", INLAY_ACCESS_ADD, 0}, {"f.c:7", "x[b[e]]", INLAY_ACCESS_READ, 1}};
 *     static const inlay_loop_about about_1 = {.where = "f.c:7", .site = sites_1, .sites = 2, .keys = 2, .step = 1};
 *     const inlay_input inputs_1[] = {INLAY_INPUT(edges), INLAY_INPUT(x), INLAY_INPUT(y), INLAY_INPUT(a), INLAY_INPUT(b)};
 *     if (inlay_begin(whole, &loop_1, &about_1, inputs_1, 5)) {
 *         for (int e = 0; e < edges; e++) {
 *             inlay_loop_iteration(loop_1, e);
 *             INLAY_SOURCE(loop_1, a[e]);
 *             INLAY_TOUCH(loop_1, 0, y[a[e]]);
 *             INLAY_SOURCE(loop_1, b[e]);
 *             INLAY_TOUCH(loop_1, 1, x[b[e]]);
 *         }
 *         inlay_inspected(loop_1);
 *     }
 *     inlay_fetch(loop_1);
 *     for (int64_t q = 0; q < loop_1->ranges; q++) {
 *         const inlay_range r = inlay_range_at(loop_1, q); // before the first that needs values of others it waits for them
 *         for (int e = (int)r.first; e < (int)r.last + 1; e++) { y[a[e]] += x[b[e]]; }
 *     }
 *     inlay_end(loop_1);                       // fetches what was not waited for, where no iteration was left to do so
 *
 * What is right, and is checked element by element in each inspection: an element that an iteration writes is touched by no other
 * iteration; one that several iterations accumulate to (add, multiply, min, ...) is touched in that one way alone. Within one
 * iteration anything goes. Else inlay_loop_inspected() says INLAY_BAD_INPUT, with the place of the access, and so on all ranks.
 *
 * A touch too many is no fault (as long as it breaks no rule): both branches of a condition may be told. What is read too much
 * is fetched, what is not added to gets 0, and memory that may be written is fetched first, so that it can stay as it is.
 *
 * Failures. Functions that can fail return a status, which is the same on all ranks; the message is in the diagnostic that
 * inlay_whole_open() was given. The second half of this header has the same calls for programs that end on failure, with the
 * message on standard error, once. The library itself neither prints nor ends anything.
 */
#ifndef INLAY_IRREGULAR_LOOP_H
#define INLAY_IRREGULAR_LOOP_H

#include <inlay/status.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- What an access does, and to which number ---- */

/** What an iteration does to memory. */
typedef enum inlay_access {
    INLAY_ACCESS_READ,
    INLAY_ACCESS_WRITE,    /**< whatever is none of the others: =, memory passed to a function that may store to it */
    INLAY_ACCESS_ADD,      /**< +=, -=, ++, --: starts from 0 */
    INLAY_ACCESS_MULTIPLY, /**< *=, and /= of numbers with a point: starts from 1 */
    INLAY_ACCESS_MIN,      /**< if (v < m) m = v; m = fmin(m, v), ...: starts from the largest number */
    INLAY_ACCESS_MAX,      /**< starts from the smallest */
    INLAY_ACCESS_AND,      /**< &=: starts from all bits */
    INLAY_ACCESS_OR,       /**< |=: starts from 0 */
    INLAY_ACCESS_XOR,      /**< ^=: starts from 0 */
    INLAY_ACCESS_LOGICAL_AND, /**< m = m && v: starts from what is true */
    INLAY_ACCESS_LOGICAL_OR   /**< m = m || v: starts from 0 */
} inlay_access;

/** The type of a number: what an accumulation needs to know. Reads and writes may have any, BYTES too. */
typedef enum inlay_number {
    INLAY_NUMBER_BYTES, /**< a structure, a pointer, whatever is no number */
    INLAY_NUMBER_DOUBLE,
    INLAY_NUMBER_FLOAT,
    INLAY_NUMBER_LONG_DOUBLE,
    INLAY_NUMBER_COMPLEX_DOUBLE,
    INLAY_NUMBER_COMPLEX_FLOAT,
    INLAY_NUMBER_BOOL,
    INLAY_NUMBER_INT8,
    INLAY_NUMBER_INT16,
    INLAY_NUMBER_INT32,
    INLAY_NUMBER_INT64,
    INLAY_NUMBER_UINT8,
    INLAY_NUMBER_UINT16,
    INLAY_NUMBER_UINT32,
    INLAY_NUMBER_UINT64
} inlay_number;

/** Of an expression of any type. It is not evaluated. Enumerations are the integers that they are compatible with. */
#define INLAY_NUMBER_OF(expression)                                                                                    \
    _Generic((expression), double                                                                                      \
             : INLAY_NUMBER_DOUBLE, float                                                                              \
             : INLAY_NUMBER_FLOAT, long double                                                                         \
             : INLAY_NUMBER_LONG_DOUBLE, double _Complex                                                               \
             : INLAY_NUMBER_COMPLEX_DOUBLE, float _Complex                                                             \
             : INLAY_NUMBER_COMPLEX_FLOAT, _Bool                                                                       \
             : INLAY_NUMBER_BOOL, char                                                                                 \
             : (char)-1 < 0 ? INLAY_NUMBER_INT8 : INLAY_NUMBER_UINT8, signed char                                      \
             : INLAY_NUMBER_INT8, short                                                                                \
             : INLAY_NUMBER_INT16, int                                                                                 \
             : INLAY_NUMBER_INT32, long                                                                                \
             : sizeof(long) == 8 ? INLAY_NUMBER_INT64 : INLAY_NUMBER_INT32, long long                                  \
             : INLAY_NUMBER_INT64, unsigned char                                                                       \
             : INLAY_NUMBER_UINT8, unsigned short                                                                      \
             : INLAY_NUMBER_UINT16, unsigned                                                                           \
             : INLAY_NUMBER_UINT32, unsigned long                                                                      \
             : sizeof(long) == 8 ? INLAY_NUMBER_UINT64 : INLAY_NUMBER_UINT32, unsigned long long                       \
             : INLAY_NUMBER_UINT64, default                                                                            \
             : INLAY_NUMBER_BYTES)

/* ---- The program ---- */

/** Equal on all ranks. */
typedef struct inlay_whole_options {
    const char
        *method; /**< of inlay_partition(), one without coordinates; NULL: blocks of what is touched, in that order, or
                           ptscotch where that makes far fewer ghosts */
    bool no_guard;   /**< do not look whether index values changed when the program stored to memory (`--guard no`) */
    bool no_overlap; /**< all iterations in their order, behind the fetch */
} inlay_whole_options;

/** A program: who owns what, and what is stale. One a program, and nothing is shared between two of them. */
typedef struct inlay_whole {
    MPI_Comm comm; /**< its own */
    int rank, ranks;
    bool stale;       /**< some memory here is not what the serial program would have: inlay_whole_settle() */
    int64_t epoch;    /**< counted up where code outside of marked loops may have stored to memory */
    inlay_diag *diag; /**< borrowed */
} inlay_whole;

/** `diag` must be there (not NULL), and outlive what is made: it takes the messages of all later calls. Collective. */
INLAY_API int inlay_whole_open(MPI_Comm comm, const inlay_whole_options *options, inlay_whole **whole,
                               inlay_diag *diag);

/** With all its loops, whose pointers are dangling then. It settles nothing. Collective; NULL is allowed. */
INLAY_API void inlay_whole_close(inlay_whole *whole);

/** Memory is whole on all ranks after it: the owners give what is stale to all. Collective. */
INLAY_API int inlay_whole_settle(inlay_whole *whole);

/**
 * The addresses from `block` on may come to mean something else: before free(), and before a function returns, or a block of
 * statements ends, with local arrays that marked loops touched (else the next settling would write to what lies there then).
 * Elements there are forgotten, with their values; plans that touch them, or have sources there, are made anew. All ranks call it,
 * and none waits.
 */
INLAY_API int inlay_whole_forget(inlay_whole *whole, const void *block, size_t size);

/** `size` bytes of rank 0 for all: what a clock said. Collective. */
INLAY_API int inlay_whole_same(inlay_whole *whole, void *value, size_t size);

/** What the loops did and cost, a line each, on rank 0; "" elsewhere. To be freed by free(). Collective. */
INLAY_API int inlay_whole_report(inlay_whole *whole, char **text);

/* ---- A marked loop ---- */

/** An access that stands in the body of a loop. */
typedef struct inlay_site {
    const char *where; /**< "file.c:14" */
    const char *text;  /**< "y[n1]": for messages */
    inlay_access access;
    int key; /**< >= 0; the same for sites of a loop whose index is the same expression (x[n1], y[n1]; p->a, p->b): in an
                  iteration they then mean elements that belong together, and get the same owner. No matter for what is right */
} inlay_site;

/** What is known of a loop when it is compiled. */
typedef struct inlay_loop_about {
    const char *where; /**< "file.c:12" */
    const inlay_site *site;
    int sites; /**< fewer than 2^20 */
    int keys;  /**< more than any key: 0 .. keys - 1 */
    int64_t
        step; /**< by which the loop's variable changes, in ranges of several iterations; 0: ranges are of one each */
    bool ordered; /**< each rank runs its iterations in the order of the serial program: for inlay_loop_select() */
} inlay_loop_about;

/** A value that the loop's header and its addresses hang on, as it is now: a scalar, a pointer. Compared byte for byte. Of a
 *  local array give a pointer to it, which may have another value in the next call. */
typedef struct inlay_input {
    const void *at;
    size_t size;
} inlay_input;
#define INLAY_INPUT(lvalue)                                                                                            \
    {                                                                                                                  \
        &(lvalue), sizeof(lvalue)                                                                                      \
    }

/** Iterations that follow each other in the serial program, too: the value of the loop's variable in the first and the last. */
typedef struct inlay_range {
    int64_t first, last;
} inlay_range;

/** One marked loop. What follows is of the plan in use, from inlay_loop_begin() (where it says that there is one) or
 *  inlay_loop_inspected() on. */
typedef struct inlay_loop {
    inlay_whole *whole;
    int64_t count; /**< iterations of this rank */
    int64_t ranges;
    int64_t
        inner; /**< so many, the first ones, need nothing of other ranks; inlay_loop_fetched() before the next. Equal to
                      `ranges` where there is none */
    const inlay_range
        *range; /**< [ranges] of `count` iterations together. The last iteration of all comes last on its rank */
    int64_t iterations; /**< of all ranks */
} inlay_loop;

/**
 * Begins to run a loop. `*loop` is NULL the first time, and made then. `*inspect` says that the caller must tell all its
 * iterations now, in the order of the serial program, and then call inlay_loop_inspected(): there is no plan for these inputs yet,
 * its memory was freed, its sources have other values, or owners changed. Memory is whole then. A loop keeps one plan for each set of
 * input values (x and y swap in every step: two plans), up to 16, the least recently used going first. Sources are looked at
 * where the epoch was counted up, or a marked loop wrote to them, since they were last looked at. Collective.
 */
INLAY_API int inlay_loop_begin(inlay_whole *whole, inlay_loop **loop, const inlay_loop_about *about,
                               const inlay_input *input, int inputs, bool *inspect);

/* While it is inspected. None of these fails at once: inlay_loop_inspected() tells. Local. */

/** The next iteration, and the value of the loop's variable in it. */
INLAY_API void inlay_loop_iteration(inlay_loop *loop, int64_t value);

/** It touches `size` bytes at `at`. An accumulation is to one number, or to an array of such: `size` is a multiple of its size. */
INLAY_API void inlay_loop_touch(inlay_loop *loop, int site, inlay_number number, const void *at, size_t size);

/** What was touched hangs on memory: an index that was read there. It may be anywhere but where the loop writes, else
 *  inlay_loop_inspected() refuses. Also before the first iteration. */
INLAY_API void inlay_loop_source(inlay_loop *loop, const void *at, size_t size);

/**
 * The same where the loop writes, too: by this iteration alone, else inlay_loop_inspected() refuses. False: it cannot be
 * shared out, and inlay_loop_inspected() is to be called at once. `tried`: what the iteration stores is tried out, so that what
 * it stored before is there; else it must not have stored to it before. It is told as a touch, too, before.
 */
INLAY_API bool inlay_loop_own(inlay_loop *loop, const void *at, size_t size, bool tried);

/** The caller is about to store there, as the iteration will: memory gets its value back when the next iteration is told. */
INLAY_API void inlay_loop_try(inlay_loop *loop, const void *at, size_t size);

/** Memory of this iteration alone (a local array of the body, to which pointers lead): touches there do not count, until the next
 *  iteration. Before the first iteration: in all of them. */
INLAY_API void inlay_loop_private(inlay_loop *loop, const void *at, size_t size);

/** The same, but that it is not known whether the iteration sets all that it reads there: inlay_loop_source() and touches that
 *  read are checked, after inlay_loop_fills() and touches that write. */
INLAY_API void inlay_loop_scratch(inlay_loop *loop, const void *at, size_t size);
INLAY_API void inlay_loop_fills(inlay_loop *loop, const void *at, size_t size);

/* volatile goes, const goes: it is never written through. */
#define INLAY_TOUCH(loop, site, lvalue)                                                                                \
    inlay_loop_touch((loop), (site), INLAY_NUMBER_OF(lvalue), (const void *)&(lvalue), sizeof(lvalue))
#define INLAY_SOURCE(loop, lvalue)  inlay_loop_source((loop), (const void *)&(lvalue), sizeof(lvalue))
#define INLAY_PRIVATE(loop, lvalue) inlay_loop_private((loop), (const void *)&(lvalue), sizeof(lvalue))
#define INLAY_TRY(loop, lvalue)     inlay_loop_try((loop), (const void *)&(lvalue), sizeof(lvalue))
#define INLAY_SCRATCH(loop, lvalue) inlay_loop_scratch((loop), (const void *)&(lvalue), sizeof(lvalue))
#define INLAY_FILLS(loop, lvalue)   inlay_loop_fills((loop), (const void *)&(lvalue), sizeof(lvalue))

/**
 * All iterations were told: checks them, gives elements owners and iterations ranks, makes the plan. INLAY_BAD_INPUT
 * `file.c:14: ...` for a loop that cannot be shared out, INLAY_NO_MEMORY, INLAY_SYSTEM where ranks were told different things
 * (the program drew random numbers of its own, or read other files). Collective.
 */
INLAY_API int inlay_loop_inspected(inlay_loop *loop);

/** Before the first iteration runs: values of other ranks are asked for, and accumulated elements of other ranks start from nothing.
 *  Collective. */
INLAY_API int inlay_loop_fetch(inlay_loop *loop);

/** The values are there. Local, but for waiting. Once a run, also where no iteration waits: else inlay_loop_end() does it. */
INLAY_API int inlay_loop_fetched(inlay_loop *loop);

/** Behind the last iteration: what was accumulated and written goes to its owners, and is stale elsewhere. Collective. */
INLAY_API int inlay_loop_end(inlay_loop *loop);

/* Scalars of the loop (those declared in front of it), in the order in which all ranks call. */

/** Before the loop: `*scalar` is kept in `*before` and set to what its accumulation starts from. Any access but READ and WRITE.
 *  Local. */
INLAY_API void inlay_loop_neutral(inlay_access access, inlay_number number, void *scalar, void *before);

/** After inlay_loop_end(): `*scalar` is what was before with the ranks' parts accumulated to it in rank order: the same bits on
 *  all ranks. Collective. */
INLAY_API int inlay_loop_reduce(inlay_loop *loop, inlay_access access, inlay_number number, void *scalar,
                                const void *before);

/** `size` bytes at `scalar` become those of the rank that ran the last iteration; they stay where there was no iteration. For what
 *  every iteration sets. Collective. */
INLAY_API int inlay_loop_last(inlay_loop *loop, void *scalar, size_t size);

/** Bytes that go with a choice. */
typedef struct inlay_carried {
    void *at;
    size_t size;
} inlay_carried;

/**
 * The scalars of one iteration of all, in loops that are `ordered`: `if (v < best) { best = v; where = e; }`, and
 * `if (condition) { found = e; }`. The scalars stay as they are before the loop (no inlay_loop_neutral()). Each rank gives the
 * position of its own choice: the value of the loop's variable in the iteration that last set them, or says that none has
 * (`chosen` false).
 *
 * MIN, MAX: the rank with the least (largest) `*best` wins; of equal ones that of the first position, with `later` of the last
 * (`<=` in the place of `<`). WRITE: `best` is NULL; the last position wins.
 * The carried scalars (`best` is one of them) of the winner come to all ranks; where no rank chose they stay. Positions are compared in
 * the order of iterations, whichever way the loop counts. Collective.
 *
 *     double seen = best;  int64_t place = 0;  bool chosen = false;              // before the loop
 *     ... body ...; if (best != seen) { seen = best; place = e; chosen = true; } // in each iteration
 */
INLAY_API int inlay_loop_select(inlay_loop *loop, inlay_access access, inlay_number number, const void *best,
                                bool chosen, int64_t position, bool later, const inlay_carried *carried, int count);

/* ---- Files, streams and clocks of a program that runs on all ranks. Each of these is collective. ---- */

/**
 * As fopen(), with the same result on all ranks. Rank 0 writes; what the others write goes nowhere (where a mode reads and writes, to
 * a copy of their own). All read the file, as it is when rank 0 comes here. NULL with errno of rank 0 where it fails.
 */
INLAY_API FILE *inlay_whole_fopen(inlay_whole *whole, const char *path, const char *mode);

/** Standard input on all ranks: rank 0 reads it to its end, once, at the first call. NULL where it cannot be given. */
INLAY_API FILE *inlay_whole_stdin(inlay_whole *whole);

/** As remove() and rename(), by rank 0. */
INLAY_API int inlay_whole_remove(inlay_whole *whole, const char *path);
INLAY_API int inlay_whole_rename(inlay_whole *whole, const char *from, const char *to);

/** As getenv(), of rank 0's environment. The text stays until inlay_whole_close(). */
INLAY_API char *inlay_whole_getenv(inlay_whole *whole, const char *name);

/** Standard output and error of other ranks than 0 go nowhere from here on. */
INLAY_API int inlay_whole_quiet(inlay_whole *whole);

/** As free() and realloc(), with inlay_whole_forget() of the block (its size is asked of malloc_usable_size()), and before
 *  realloc() with inlay_whole_settle(). */
INLAY_API int inlay_whole_free(inlay_whole *whole, void *block);
INLAY_API int inlay_whole_realloc(inlay_whole *whole, void **block, size_t size); /**< *block NULL: as realloc() does */

/* ---- For programs that end where a call fails ---- */

/** All ranks come here with the same status; rank 0 tells the message. */
static inline void inlay_must(const inlay_whole *whole, int status)
{
    if (status != INLAY_OK) {
        if (whole->rank == 0) {
            fflush(stdout);
            fprintf(stderr, "%s\n", inlay_diag_message(whole->diag));
            fflush(stderr);
        }
        MPI_Barrier(whole->comm);
        MPI_Abort(whole->comm, inlay_exit_status(status));
    }
}

/** At the beginning of main(): MPI, and quiet ranks. */
static inline inlay_whole *inlay_start(int *count, char ***arguments, const inlay_whole_options *options)
{
    inlay_whole *whole = NULL;
    MPI_Init(count, arguments);
    inlay_diag *diag = inlay_diag_new();
    int status = diag == NULL ? INLAY_NO_MEMORY : inlay_whole_open(MPI_COMM_WORLD, options, &whole, diag);
    if (status != INLAY_OK || whole == NULL) {
        fprintf(stderr, "%s\n", diag == NULL ? inlay_status_text(status) : inlay_diag_message(diag));
        MPI_Abort(MPI_COMM_WORLD, inlay_exit_status(status));
        exit(inlay_exit_status(status));
    }
    inlay_must(whole, inlay_whole_quiet(whole));
    return whole;
}

/** At the end of main(), before `return status`. With INLAY_LOOPS=report in the environment rank 0 tells what the loops cost. */
static inline int inlay_finish(inlay_whole *whole, int status)
{
    const char *wanted = inlay_whole_getenv(whole, "INLAY_LOOPS");
    if (wanted != NULL && wanted[0] == 'r') {
        char *text = NULL;
        inlay_must(whole, inlay_whole_report(whole, &text));
        fflush(stdout);
        fputs(text, stderr);
        free(text);
    }
    fflush(NULL);
    inlay_diag *diag = whole->diag;
    inlay_whole_close(whole);
    inlay_diag_free(diag);
    MPI_Finalize();
    return status;
}

/** As exit(), which all ranks call. */
static inline __attribute__((noreturn)) void inlay_exit(inlay_whole *whole, int status)
{
    exit(inlay_finish(whole, status));
}

/** Before code that looks at memory, outside of marked loops. */
static inline void inlay_settle(inlay_whole *whole)
{
    if (whole->stale) {
        inlay_must(whole, inlay_whole_settle(whole));
    }
}

/** Before code that stores to memory. */
static inline void inlay_changed(inlay_whole *whole)
{
    inlay_settle(whole);
    whole->epoch++;
}

/** True: inspect now. */
static inline bool inlay_begin(inlay_whole *whole, inlay_loop **loop, const inlay_loop_about *about,
                               const inlay_input *input, int inputs)
{
    bool inspect = false;
    inlay_must(whole, inlay_loop_begin(whole, loop, about, input, inputs, &inspect));
    return inspect;
}

static inline void inlay_inspected(inlay_loop *loop)
{
    inlay_must(loop->whole, inlay_loop_inspected(loop));
}

/** INLAY_SOURCE of what the loop writes itself. */
static inline void inlay_own(inlay_loop *loop, const void *at, size_t size, bool tried)
{
    if (!inlay_loop_own(loop, at, size, tried)) {
        inlay_inspected(loop);
    }
}
#define INLAY_OWN(loop, lvalue)       inlay_own((loop), (const void *)&(lvalue), sizeof(lvalue), false)
#define INLAY_OWN_TRIED(loop, lvalue) inlay_own((loop), (const void *)&(lvalue), sizeof(lvalue), true)

static inline void inlay_fetch(inlay_loop *loop)
{
    inlay_must(loop->whole, inlay_loop_fetch(loop));
}

static inline void inlay_fetched(inlay_loop *loop)
{
    inlay_must(loop->whole, inlay_loop_fetched(loop));
}

/** Range q, for 0, 1, ... in order. */
static inline inlay_range inlay_range_at(inlay_loop *loop, int64_t q)
{
    if (q == loop->inner) {
        inlay_fetched(loop);
    }
    return loop->range[q];
}

static inline void inlay_end(inlay_loop *loop)
{
    inlay_must(loop->whole, inlay_loop_end(loop));
}

/** `flag = flag && ...` makes 1 of 2 in the serial program, where it is run at all: a flag is 0 or 1 before the loop. */
static inline void inlay_flag(inlay_whole *whole, const char *where, const char *name, bool good)
{
    if (!good) {
        if (whole->rank == 0) {
            fflush(stdout);
            fprintf(
                stderr,
                "%s: '%s' is accumulated to by && or ||, and neither 0 nor 1 before the loop; expected one of them\n",
                where, name);
        }
        MPI_Barrier(whole->comm);
        MPI_Abort(whole->comm, 2);
    }
}

/* These take the scalar itself: INLAY_NEUTRAL(INLAY_ACCESS_ADD, sum, before_sum). The first two hand on a copy: a scalar whose address
 * nobody has can stay in a register while the loop runs. (The last may have no value yet.) */
#define INLAY_NEUTRAL(access, scalar, before)                                                                          \
    do {                                                                                                               \
        __typeof__(before) inlay_copy = (scalar);                                                                      \
        inlay_loop_neutral((access), INLAY_NUMBER_OF(scalar), &inlay_copy, &(before));                                 \
        (scalar) = inlay_copy;                                                                                         \
    } while (0)
#define INLAY_REDUCE(loop, access, scalar, before)                                                                     \
    do {                                                                                                               \
        __typeof__(before) inlay_copy = (scalar);                                                                      \
        inlay_must((loop)->whole,                                                                                      \
                   inlay_loop_reduce((loop), (access), INLAY_NUMBER_OF(scalar), &inlay_copy, &(before)));              \
        (scalar) = inlay_copy;                                                                                         \
    } while (0)
#define INLAY_LAST(loop, scalar) inlay_must((loop)->whole, inlay_loop_last((loop), (void *)&(scalar), sizeof(scalar)))

static inline void inlay_free(inlay_whole *whole, void *block)
{
    inlay_must(whole, inlay_whole_free(whole, block));
}

/** INLAY_FORGET(whole, array): of a local array that ends. */
#define INLAY_FORGET(whole, lvalue)                                                                                    \
    inlay_must((whole), inlay_whole_forget((whole), (const void *)&(lvalue), sizeof(lvalue)))

static inline void *inlay_realloc(inlay_whole *whole, void *block, size_t size)
{
    inlay_must(whole, inlay_whole_realloc(whole, &block, size));
    return block;
}

static inline clock_t inlay_clock(inlay_whole *whole)
{
    clock_t now = clock();
    inlay_must(whole, inlay_whole_same(whole, &now, sizeof now));
    return now;
}

static inline time_t inlay_time(inlay_whole *whole, time_t *too)
{
    time_t now = time(NULL);
    inlay_must(whole, inlay_whole_same(whole, &now, sizeof now));
    if (too != NULL) {
        *too = now;
    }
    return now;
}

/** Of any other function that fills in a value: `inlay_same(whole, &tv, sizeof tv)` behind gettimeofday(&tv, NULL). */
static inline void inlay_same(inlay_whole *whole, void *value, size_t size)
{
    inlay_must(whole, inlay_whole_same(whole, value, size));
}

#endif

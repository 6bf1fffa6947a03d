/*
 * Programs of C, which are read and never started here: the operations of their functions counted (`inlay compress`), and
 * their marked loops moved to MPI (`inlay maploop`).
 *
 *     inlay_compression *counts = NULL;
 *     int status = inlay_compress("figure.c", NULL, &counts, diag);
 *
 * inlay_compress(), inlay_compression_write_program() and inlay_maploop() are in libinlay-csource, which needs libclang;
 * the rest is in libinlay.
 *
 * Ownership: what is passed in is only read during the call; free a compression with inlay_compression_free().
 *
 * Errors: INLAY_BAD_INPUT where the file is no C that compiles, or says what cannot be done; INLAY_BAD_ARGUMENT where an
 * option cannot be read, with a message that begins with its name ("trip x=3: ..."); INLAY_NO_MEMORY. What is returned
 * by a pointer is then unchanged.
 */
#ifndef INLAY_CSOURCE_H
#define INLAY_CSOURCE_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Texts of the caller's. */
typedef struct inlay_texts {
    const char *const *text;
    size_t count;
} inlay_texts;

/* ---- Counting ---- */

/** Each text is a list that is separated by commas. Zero-initialised: nothing is told. */
typedef struct inlay_compress_options {
    inlay_texts functions;   /**< names; none: those that no other function of the file calls */
    inlay_texts definitions; /**< NAME=N: values of variables and parameters, or else macros */
    inlay_texts trips;       /**< LINE=N: of the loop on a line */
    inlay_texts calls;       /**< NAME=ARITHMETIC:FUNCTIONS of a call */
    inlay_texts include;     /**< folders of header files */
} inlay_compress_options;

/** Something to say about a line of the file. */
typedef struct inlay_source_remark {
    int64_t line;
    const char *text;
    const char *file; /**< NULL: the compression's */
} inlay_source_remark;

/** What was counted in a loop outside of its inner loops, or in a function outside of its loops. */
typedef struct inlay_counted_body {
    const char *function;
    int64_t line;
    int32_t nest;                  /**< loops in each other, 1 for the outermost; 0: no loop */
    bool unbounded;                /**< `times` and the sums are of one trip of a loop that has no bound */
    int64_t times;                 /**< that it is gone through */
    int64_t arithmetic, functions; /**< operations and evaluations, all times together */
    int64_t bytes;    /**< of elements of arrays, and of what pointers point to, that are loaded or stored, each time */
    const char *file; /**< of a run: where the line is; else NULL */
} inlay_counted_body;

/** How counts came about. */
typedef enum inlay_count_kind {
    INLAY_COUNT_READ, /**< without a run: of one call, and upper bounds where limits are told */
    INLAY_COUNT_EXACT, /**< read, no bound among them; and a run, where the function was called in it, counted the same */
    INLAY_COUNT_MEASURED /**< by a run */
} inlay_count_kind;

/** A function with all that it calls. */
typedef struct inlay_counted_function {
    const char *name;
    int64_t line;
    bool bounded; /**< the sums are all of it */
    int64_t arithmetic, functions, bytes;
    const inlay_counted_body *body; /**< that are reached */
    size_t bodies;
    inlay_count_kind kind;
    int64_t calls; /**< in the run, over which all counts are then; those from within itself left out. 0: of one call */
} inlay_counted_function;

typedef struct inlay_compression {
    const char *file;
    const inlay_counted_function *function;
    size_t functions;
    const inlay_source_remark *limit; /**< where more may be counted than is done; warnings of the diag, too */
    size_t limits;
    const inlay_source_remark *problem; /**< what has no bound */
    size_t problems;
    bool bounded; /**< all functions are */
    bool run;     /**< a run was counted */
} inlay_compression;

/** Counts arithmetic operations and mathematical functions of a file; "-" is standard input. `options` may be NULL. */
INLAY_API int inlay_compress(const char *path, const inlay_compress_options *options, inlay_compression **compression,
                             inlay_diag *diag);

INLAY_API void inlay_compression_free(inlay_compression *compression);

/** A C program of short loops that does as many operations; of a compression that is bounded. */
INLAY_API int inlay_compression_write_program(const inlay_compression *compression, const char *path, inlay_diag *diag);

/* ---- Counting while a program runs ---- */

/**
 * A program that is made to count itself: its files are preprocessed by the user's compiler with the words that
 * inlay_counting_words() tells, changed by inlay_counting_write(), compiled and run, and inlay_counting_read() tells what
 * was counted. What is started, and where, is the caller's business.
 */
typedef struct inlay_counting inlay_counting;

/** Paths and options must outlive it. */
INLAY_API int inlay_counting_new(const char *const *path, size_t files, const inlay_compress_options *options,
                                 inlay_counting **counting, inlay_diag *diag);

/** Folders of headers, and macros, as compilers take them: -I and -D. They live as long as the counting. */
INLAY_API inlay_texts inlay_counting_words(const inlay_counting *counting, size_t file);

/** Where files are that a counting reads and writes. */
typedef struct inlay_counting_files {
    const char *const *preprocessed; /**< of each file: what the preprocessor made of it, with its marks of lines */
    const char *const *written;      /**< of each file: the program that counts, preprocessed */
    const char *counters;            /**< a further C file of that program */
    const char *counts;              /**< what the program writes when it ends */
} inlay_counting_files;

INLAY_API int inlay_counting_write(inlay_counting *counting, const inlay_counting_files *files, inlay_diag *diag);

/** Whether one of the files defines main(); known when they are written. */
INLAY_API bool inlay_counting_has_main(const inlay_counting *counting);

/**
 * What the run counted, with functions as inlay_compress() chooses them. A function that was not called, or called
 * what cannot be counted, has no bound unless its count is known without a run. INLAY_NO_ANSWER where there are no counts.
 */
INLAY_API int inlay_counting_read(inlay_counting *counting, const char *counts, inlay_compression **compression,
                                  inlay_diag *diag);

INLAY_API void inlay_counting_free(inlay_counting *counting);

/* ---- Marked loops ---- */

/** The two ways: arrays are distributed, or memory is whole on every rank and loops alone are shared out. */
typedef enum inlay_arrays {
    INLAY_ARRAYS_AUTO, /**< the first where it accepts the program, else the second, of which a warning says why */
    INLAY_ARRAYS_DISTRIBUTED,
    INLAY_ARRAYS_WHOLE
} inlay_arrays;

typedef struct inlay_maploop_options {
    inlay_texts include;     /**< folders of header files */
    inlay_texts definitions; /**< macros: NAME or NAME=TEXT, as compilers take them */
    inlay_arrays arrays;
    bool no_guard; /**< the second way: do not look whether indices have changed */
    bool explain;  /**< write what is seen of the program in its place */
} inlay_maploop_options;

/** Writes the program for MPI of a serial program whose loops `#pragma inlay maploop` marks. `options` may be NULL. */
INLAY_API int inlay_maploop(const char *path, const inlay_maploop_options *options, const char *output,
                            inlay_diag *diag);

/**
 * The same of a program of several files, each of which becomes a file: what a marked loop calls may be in another one, and loops
 * in all of them may be marked. Memory is whole on every rank. With `explain` all is written to the first output.
 */
INLAY_API int inlay_maploop_files(const char *const *path, size_t count, const inlay_maploop_options *options,
                                  const char *const *output, inlay_diag *diag);

#endif

/*
 * Programs of C, which are read and never started: the operations of their functions counted (`inlay compress`), and
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
} inlay_source_remark;

/** What was counted in a loop outside of its inner loops, or in a function outside of its loops. */
typedef struct inlay_counted_body {
    const char *function;
    int64_t line;
    int32_t nest;                  /**< loops in each other, 1 for the outermost; 0: no loop */
    bool unbounded;                /**< `times` and the sums are of one trip of a loop that has no bound */
    int64_t times;                 /**< that it is gone through */
    int64_t arithmetic, functions; /**< operations and evaluations, all times together */
    int64_t bytes; /**< of elements of arrays, and of what pointers point to, that are loaded or stored, each time */
} inlay_counted_body;

/** A function with all that it calls. */
typedef struct inlay_counted_function {
    const char *name;
    int64_t line;
    bool bounded; /**< the sums are all of it */
    int64_t arithmetic, functions, bytes;
    const inlay_counted_body *body; /**< that are reached */
    size_t bodies;
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
} inlay_compression;

/** Counts arithmetic operations and mathematical functions of a file; "-" is standard input. `options` may be NULL. */
INLAY_API int inlay_compress(const char *path, const inlay_compress_options *options, inlay_compression **compression,
                             inlay_diag *diag);

INLAY_API void inlay_compression_free(inlay_compression *compression);

/** A C program of short loops that does as many operations; of a compression that is bounded. */
INLAY_API int inlay_compression_write_program(const inlay_compression *compression, const char *path, inlay_diag *diag);

/* ---- Marked loops ---- */

/** The two ways: arrays are distributed, or memory is whole on every rank and loops alone are shared out. */
typedef enum inlay_arrays {
    INLAY_ARRAYS_AUTO, /**< the first where it accepts the program, else the second, of which a warning says why */
    INLAY_ARRAYS_DISTRIBUTED,
    INLAY_ARRAYS_WHOLE
} inlay_arrays;

typedef struct inlay_maploop_options {
    inlay_texts include; /**< folders of header files */
    inlay_arrays arrays;
    bool no_guard; /**< the second way: do not look whether indices have changed */
    bool explain;  /**< write what is seen of the program in its place */
} inlay_maploop_options;

/** Writes the program for MPI of a serial program whose loops `#pragma inlay maploop` marks. `options` may be NULL. */
INLAY_API int inlay_maploop(const char *path, const inlay_maploop_options *options, const char *output,
                            inlay_diag *diag);

#endif

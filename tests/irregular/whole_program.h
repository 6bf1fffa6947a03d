/*
 * Random serial programs: blocks of memory with fields of many types, and loops over tables of indices. The body of a loop does the same
 * wherever its memory lies: serially, iteration by iteration, or shared out by inlay/irregular_loop.h.
 */
#ifndef INLAY_TESTS_WHOLE_PROGRAM_H
#define INLAY_TESTS_WHOLE_PROGRAM_H

#include <inlay/irregular_loop.h>

enum { BLOCKS = 6, TABLES = 3, FIELDS = 5, LOOPS = 5, OPS = 7, THINGS = 60, TRIPS = 90, SCALE = 1009 };

/* A field of a structure, of which a block is an array. */
typedef struct field {
    inlay_number number;
    size_t offset, size;
} field;

/* Blocks 0 .. TABLES - 1 are tables of int32_t; the others arrays of THINGS structures. */
typedef struct block {
    char *here, *serial; /* the memory of the program that is shared out, and of the serial one */
    size_t stride, size;
    int fields;
    field field[FIELDS];
} block;

/* An access: to a field of the element that a table names, or of the iteration's own (table -1). */
typedef struct op {
    int block, field; /* field -1: the whole structure */
    inlay_access access;
    int table, shift; /* element (index + shift) % THINGS */
} op;

typedef struct loop {
    int trips, ops;
    op op[OPS];
    bool rows; /* the last op in a loop of the body, over three entries of its table */
    inlay_site site[OPS];
    inlay_loop_about about;
    inlay_loop *handle;
} loop;

/* Scalars of a loop. */
typedef struct scalars {
    int64_t sum;
    int32_t most, last;
    double total;
    int32_t best, where; /* the first iteration with the least */
} scalars;

typedef struct program {
    block block[BLOCKS];
    loop loop[LOOPS];
    uint64_t state; /* of random numbers */
} program;

void program_make(program *p, uint64_t seed);
void program_clear(program *p);

/* Other loops, with other rules broken or kept. */
void program_make_loop(program *p, int l);

/* Random contents of a block, the same here and in the serial program. */
void program_fill(program *p, int b);

/* The body of loop l, on the blocks here or of the serial program. */
void program_body(const program *p, int l, int64_t i, bool here, scalars *s);

/* Which element an access of iteration i means, and whether a further one of the loop within the body comes behind it. */
char *program_place(const program *p, const loop *l, int o, int64_t i, int row, bool here, size_t *size);
int program_rows(const loop *l, int o);

/* May the loop be shared out? Byte for byte, all iterations with all others. */
bool program_is_legal(const program *p, int l);

/* Whether a block has the same contents here and in the serial program. */
bool program_same(const program *p, int b);

#endif

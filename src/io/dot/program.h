/*
 * Reading an SPMD program from DOT: nodes are its phases, whose attributes are expressions over named parameters.
 * docs/select.md has the attributes.
 */
#ifndef IO_DOT_PROGRAM_H
#define IO_DOT_PROGRAM_H

#include "graph/names.h"
#include "io/dot/expression.h"
#include "io/dot/values.h"
#include <inlay/domain.h>

enum { PROGRAM_PARAMETERS = 64 /* most parameters */ };

/** An attribute that is a number. */
typedef struct program_amount {
    expression *is;        /**< NULL: not given */
    const char *attribute; /**< its name, for messages */
    long line;
} program_amount;

/** The time of an instruction on processors of one type. */
typedef struct program_cost {
    const char *type; /**< NULL: on all others */
    program_amount time;
} program_cost;

typedef struct program_computation {
    const char *name;
    program_amount units, per_unit, fixed;
    program_cost *cost;
    size_t costs;
} program_computation;

typedef struct program_communication {
    const char *name;
    inlay_pattern pattern;
    const char *algorithm; /**< NULL: the cheapest */
    int32_t overlap;       /**< computation, -1 none */
    program_amount fixed, per_unit, messages, sizes;
} program_communication;

struct inlay_domain_file {
    inlay_domain domain;
    char *source; /**< what messages call the file */
    name_store *names;

    const char *name[PROGRAM_PARAMETERS + 1]; /**< of the parameters in the file's order, and P behind the last */
    double value[PROGRAM_PARAMETERS];
    size_t parameters;
    inlay_domain_parameter by_name[PROGRAM_PARAMETERS]; /**< sorted */

    program_amount cycles, startup;
    program_computation computation[INLAY_DOMAIN_PHASES];
    program_communication communication[INLAY_DOMAIN_PHASES];
    int32_t dominant_computation, dominant_communication; /**< -1: the largest */
};

/** inlay_domain_read() from memory; `source` stands for the file in messages. */
int dot_program_from(const char *data, size_t size, const char *source, const inlay_domain_parameter *parameter,
                     size_t parameters, inlay_domain_file **file, inlay_diag *diag);

/* ---- For the files dot_program*.c ---- */

typedef struct program_reader {
    dot_graph graph;
    inlay_diag *diag;
    inlay_unit unit;
    inlay_domain_file *made;
} program_reader;

/** The phases, in the order in which they first appear. */
int program_read_phases(program_reader *r);

/**
 * An amount that is given as `text`.
 * @param names  how many of made->name it may use: the parameters, or these and P
 * @param what   of which it is an attribute, "computation 'sweep'"; "" of the graph
 */
int program_parse(const program_reader *r, const char *text, size_t names, inlay_unit unit, const char *what,
                  program_amount *amount);

/** Sets the callbacks of a file whose phases are read. */
void program_set_callbacks(inlay_domain_file *file);

#endif

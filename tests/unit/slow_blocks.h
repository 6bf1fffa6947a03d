/*
 * Graphs with data blocks in plain tables, questions about them, and what holds of every answer: work, uses, memories.
 * From the public headers alone.
 */
#ifndef UNIT_SLOW_BLOCKS_H
#define UNIT_SLOW_BLOCKS_H

#include <inlay/mapping.h>

enum { BLOCK_MODULES = 10, BLOCK_BLOCKS = 8 };

/** Times in ticks. The modules are m0, m1, ..., the blocks d0, d1, ... */
typedef struct block_graph {
    int modules, blocks;
    int64_t time[BLOCK_MODULES], memory[BLOCK_MODULES];
    int64_t size[BLOCK_BLOCKS], block_time[BLOCK_BLOCKS];
    int use[BLOCK_BLOCKS][BLOCK_MODULES];   /**< messages between block and module; 0: no use */
    int link[BLOCK_MODULES][BLOCK_MODULES]; /**< messages */
    int pin[BLOCK_MODULES];                 /**< -1: none */
} block_graph;

block_graph random_block_graph(uint64_t *state);

/** Uses of all its blocks, by one module of each at least. */
void random_uses(uint64_t *state, block_graph *g);

inlay_app *block_app(const block_graph *g);

/** The module that uses a block most: most messages, then the smaller number. */
int heaviest_user(const block_graph *g, int block);

/** Whether the blocks fit into so many memories of `limit` bytes: each way is tried. */
bool packing_exists(const block_graph *g, int memories, int64_t limit);

typedef struct block_question {
    char what[260]; /**< for messages */
    block_graph g;
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping; /**< NULL where there is no answer */
    inlay_diag *diag;
} block_question;

/** Map q->g on the machine of that string; aborts the test where that fails otherwise than by having no answer. */
void block_ask(block_question *q, const char *string, uint64_t seed);
void block_clear(block_question *q);

/**
 * Aborts the test where a mapping breaks a rule: works, homes, traffic of uses, memory of processors and of common
 * memories, and that blocks stand in the memories that they prefer where they fit.
 */
void block_check_mapping(const block_question *q);

#endif

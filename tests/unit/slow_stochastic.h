/*
 * Stochastic graphs once more, from their rules alone and slowly: one execution after the other with tokens, and the
 * equations by Gauss's elimination with a full matrix.
 */
#ifndef UNIT_SLOW_STOCHASTIC_H
#define UNIT_SLOW_STOCHASTIC_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOW_SG_MODULES = 1300, SLOW_SG_LINKS = 8000 };

typedef struct slow_sg_link {
    int from, to;
    double probability; /* 1 for AND modules */
    double time;
    bool traffic;
    int messages, bytes;
} slow_sg_link;

typedef struct slow_sg {
    int modules, links;
    bool eor[SLOW_SG_MODULES];
    double entries[SLOW_SG_MODULES], time[SLOW_SG_MODULES];
    slow_sg_link link[SLOW_SG_LINKS];
} slow_sg;

typedef struct slow_sg_solution {
    double visits[SLOW_SG_MODULES];
    double work, variance; /* of all m and a */
} slow_sg_solution;

/**
 * A random graph of so many modules in which each can be reached, with loops, half of whose modules draw.
 * @param exit  of 16: how likely an EOR module goes to the last module, which ends
 */
void slow_sg_random(uint64_t *state, int modules, int exit, slow_sg *g);

/** False where the expected visits are infinite. */
bool slow_sg_solve(const slow_sg *g, slow_sg_solution *solution);

/** One execution: adds the visits of each module to `visits`; the total work. */
double slow_sg_execute(const slow_sg *g, uint64_t *state, double *visits);

#endif

/*
 * A permutation of 0 .. count - 1 that needs no memory, so that each rank can number the vertices of a mesh at random by
 * itself: four rounds of a Feistel network on pairs (left, right), left below a, right below b, a b at least `count` and hardly
 * more; what falls behind `count` goes around again.
 */
#ifndef IRREGULAR_MESH_PERMUTATION_H
#define IRREGULAR_MESH_PERMUTATION_H

#include <stdbool.h>
#include <stdint.h>

#define PERMUTATION_MOST ((int64_t)1 << 48)

enum { PERMUTATION_ROUNDS = 4 };

typedef struct permutation {
    int64_t count;
    uint64_t a, b;
    bool stays; /**< seed 0: every number stays as it is */
    uint64_t key[PERMUTATION_ROUNDS];
} permutation;

permutation permutation_make(int64_t count, uint64_t seed);
int64_t permutation_of(const permutation *p, int64_t i);
int64_t permutation_inverse(const permutation *p, int64_t i);

/** Bits that look drawn at random (the finish of SplitMix64: G. Steele, D. Lea, C. Flood, 2014). */
uint64_t permutation_mix(uint64_t bits);

#endif

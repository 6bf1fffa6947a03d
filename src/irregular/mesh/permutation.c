/* A permutation at random without memory. */
#include "irregular/mesh/permutation.h"

uint64_t permutation_mix(uint64_t bits)
{
    bits += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
}

permutation permutation_make(int64_t count, uint64_t seed)
{
    uint64_t a = 1, n = (uint64_t)count;
    while (a * a < n) {
        a++;
    }
    permutation made = {.count = count, .a = a, .b = (n + a - 1) / a, .stays = seed == 0};
    for (int round = 0; round < PERMUTATION_ROUNDS; round++) {
        made.key[round] = permutation_mix(seed + (uint64_t)round);
    }
    return made;
}

/* A number below `bound` < 2^32. */
static uint64_t draw(const permutation *p, int round, uint64_t from, uint64_t bound)
{
    return (permutation_mix(p->key[round] ^ from) >> 32) * bound >> 32;
}

/* A number below 2 `bound`, modulo `bound`; a division would take most of the time. */
static uint64_t wrapped(uint64_t sum, uint64_t bound)
{
    return sum >= bound ? sum - bound : sum;
}

static uint64_t forward(const permutation *p, uint64_t i)
{
    uint64_t left = i % p->a, right = i / p->a;
    for (int round = 0; round < PERMUTATION_ROUNDS; round += 2) {
        left = wrapped(left + draw(p, round, right, p->a), p->a);
        right = wrapped(right + draw(p, round + 1, left, p->b), p->b);
    }
    return right * p->a + left;
}

static uint64_t backward(const permutation *p, uint64_t i)
{
    uint64_t left = i % p->a, right = i / p->a;
    for (int round = PERMUTATION_ROUNDS - 2; round >= 0; round -= 2) {
        right = wrapped(right + p->b - draw(p, round + 1, left, p->b), p->b);
        left = wrapped(left + p->a - draw(p, round, right, p->a), p->a);
    }
    return right * p->a + left;
}

int64_t permutation_of(const permutation *p, int64_t i)
{
    uint64_t to = (uint64_t)i;
    do {
        to = p->stays ? to : forward(p, to);
    } while (to >= (uint64_t)p->count);
    return (int64_t)to;
}

int64_t permutation_inverse(const permutation *p, int64_t i)
{
    uint64_t to = (uint64_t)i;
    do {
        to = p->stays ? to : backward(p, to);
    } while (to >= (uint64_t)p->count);
    return (int64_t)to;
}

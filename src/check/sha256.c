/* SHA-256 after FIPS 180-4, section 6.2, for the checker: a second one, so that the two watch each other. */
#include "check/check.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, WORDS = 64 };

/* FIPS 180-4, section 4.2.2: the fractions of the cube roots of the first 64 primes. */
static const uint32_t root[WORDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int right)
{
    return x >> right | x << (32 - right);
}

static void schedule(const unsigned char block[BLOCK], uint32_t w[WORDS])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               (uint32_t)block[4 * t + 3];
    for (size_t t = 16; t < WORDS; t++) {
        uint32_t s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

/*
 * Step s of eight, after which every working variable is back in its place: instead of moving a to b, b to c and so on,
 * each step takes them from one place further.
 */
static inline void step(uint32_t v[8], size_t s, uint32_t word)
{
    uint32_t a = v[(8 - s) % 8], b = v[(9 - s) % 8], c = v[(10 - s) % 8], *d = &v[(11 - s) % 8];
    uint32_t e = v[(12 - s) % 8], f = v[(13 - s) % 8], g = v[(14 - s) % 8], *h = &v[(15 - s) % 8];
    uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    uint32_t first = *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + word;
    uint32_t second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
    *d += first;
    *h = first + second;
}

static void compress(uint32_t state[8], const unsigned char block[BLOCK])
{
    uint32_t w[WORDS], v[8];
    schedule(block, w);
    memcpy(v, state, sizeof v);
    for (size_t t = 0; t < WORDS; t += 8) {
        step(v, 0, root[t] + w[t]);
        step(v, 1, root[t + 1] + w[t + 1]);
        step(v, 2, root[t + 2] + w[t + 2]);
        step(v, 3, root[t + 3] + w[t + 3]);
        step(v, 4, root[t + 4] + w[t + 4]);
        step(v, 5, root[t + 5] + w[t + 5]);
        step(v, 6, root[t + 6] + w[t + 6]);
        step(v, 7, root[t + 7] + w[t + 7]);
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

/* The last bytes, a one bit, zeros, and the length in bits: one block, or two where they do not fit into one. */
static void finish(uint32_t state[8], const unsigned char *rest, size_t left, uint64_t bytes)
{
    unsigned char block[2 * BLOCK] = {0};
    size_t size = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    memcpy(block, rest, left);
    block[left] = 0x80;
    for (size_t i = 0; i < 8; i++)
        block[size - 1 - i] = (unsigned char)(bytes * 8 >> 8 * i);
    for (size_t at = 0; at < size; at += BLOCK)
        compress(state, block + at);
}

bool check_sha256(const char *path, char hex[65])
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char block[BLOCK];
    uint64_t bytes = 0;
    size_t got;
    FILE *file = fopen(path, "rb");

    if (!file) return false;
    while ((got = fread(block, 1, BLOCK, file)) == BLOCK) {
        compress(state, block);
        bytes += BLOCK;
    }
    bool read = !ferror(file);
    fclose(file);
    if (!read) return false;
    finish(state, block, got, bytes + got);
    for (size_t i = 0; i < 8; i++)
        snprintf(hex + 8 * i, 9, "%08x", (unsigned)state[i]);
    return true;
}

/*
 * SHA-256 with the instructions that x86 processors have for it (Intel, "Intel SHA Extensions", 2013). They are looked for
 * when the program runs: the file is compiled for all processors of the family.
 */
#include "base/sha256.h"

#if defined __x86_64__ && defined __GNUC__

#include <cpuid.h>
#include <immintrin.h>

bool sha256_has_fast(void)
{
    unsigned a, b, c, d;
    bool sse = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSSE3) != 0 && (c & bit_SSE4_1) != 0;
    return sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

#define USING_SHA __attribute__((target("sha,sse4.1,ssse3")))

/* Four of the 64 steps; `w` holds their words of the message. */
USING_SHA static inline void four_steps(__m128i *abef, __m128i *cdgh, __m128i w, const uint32_t *constants)
{
    __m128i sum = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)constants));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sum);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sum, 0x0E));
}

/* The four words behind the sixteen in w0 .. w3. */
USING_SHA static inline __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    return _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3);
}

USING_SHA void sha256_fast_blocks(uint32_t state[8], const unsigned char *data, size_t blocks,
                                  const uint32_t constants[64])
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    /* The instructions want the state as a, b, e, f and c, d, g, h, from the highest word down. */
    __m128i abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    __m128i cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    for (; blocks > 0; blocks--, data += 64) {
        __m128i abef_before = abef, cdgh_before = cdgh, w[4];
        for (int i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)data + i), swap);
        }
        for (int round = 0; round < 64; round += 16) {
            four_steps(&abef, &cdgh, w[0], constants + round);
            w[0] = next_words(w[0], w[1], w[2], w[3]);
            four_steps(&abef, &cdgh, w[1], constants + round + 4);
            w[1] = next_words(w[1], w[2], w[3], w[0]);
            four_steps(&abef, &cdgh, w[2], constants + round + 8);
            w[2] = next_words(w[2], w[3], w[0], w[1]);
            four_steps(&abef, &cdgh, w[3], constants + round + 12);
            w[3] = next_words(w[3], w[0], w[1], w[2]);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    uint32_t high[4], low[4];
    _mm_storeu_si128((__m128i *)high, abef);
    _mm_storeu_si128((__m128i *)low, cdgh);
    const uint32_t end[8] = {high[3], high[2], low[3], low[2], high[1], high[0], low[1], low[0]};
    for (int i = 0; i < 8; i++) {
        state[i] = end[i];
    }
}

#else

bool sha256_has_fast(void)
{
    return false;
}

void sha256_fast_blocks(uint32_t state[8], const unsigned char *data, size_t blocks, const uint32_t constants[64])
{
    (void)state, (void)data, (void)blocks, (void)constants; /* never called */
}

#endif

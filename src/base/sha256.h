/* SHA-256 (FIPS 180-4) of bytes that come in pieces. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    bool fast; /**< by the processor's own instructions; the result is the same */
    uint32_t state[8];
    uint64_t size;           /**< bytes so far */
    unsigned char block[64]; /**< the last size % 64 of them */
} sha256;

sha256 sha256_begin(void);
void sha256_add(sha256 *hash, const void *data, size_t size);

/** Lower-case hexadecimal with a NUL. */
void sha256_end(sha256 *hash, char hex[65]);

/** Whether this processor has instructions for it, and 64-byte blocks by them: sha256_x86.c. */
bool sha256_has_fast(void);
void sha256_fast_blocks(uint32_t state[8], const unsigned char *data, size_t blocks, const uint32_t constants[64]);

#endif

/* The escapes of JSON strings. */
#include "io/json/escape.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool read_hex(const char **at, const char *end, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++, (*at)++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = *at < end && **at != '\0' ? strchr(digits, **at) : NULL;
        const char *upper = *at < end && **at != '\0' ? strrchr(digits, **at) : NULL;
        if (digit == NULL || upper == NULL) {
            return false;
        }
        *value = *value * 16 + (uint32_t)((digit - digits) % 16);
    }
    return true;
}

static size_t encode_utf8(uint32_t code, char bytes[4])
{
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
    for (size_t i = more; i > 0; i--, code >>= 6) {
        bytes[i] = (char)(0x80 | (code & 0x3F));
    }
    bytes[0] = (char)(lead[more] | code);
    return more + 1;
}

size_t json_unescape(const char **at, const char *end, char bytes[4])
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (**at != '\\') {
        bytes[0] = *(*at)++;
        return 1;
    }
    (*at)++;
    if (*at >= end || **at == '\0') {
        return 0;
    }
    const char *letter = strchr(letters, **at);
    if (letter != NULL) {
        bytes[0] = meanings[letter - letters];
        (*at)++;
        return 1;
    }
    uint32_t code, low;
    if (*(*at)++ != 'u' || !read_hex(at, end, &code)) {
        return 0;
    }
    if (code >= 0xD800 && code < 0xDC00) { /* the first half of a surrogate pair */
        if (end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u') {
            return 0;
        }
        *at += 2;
        if (!read_hex(at, end, &low) || low < 0xDC00 || low > 0xDFFF) {
            return 0;
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return encode_utf8(code, bytes);
}

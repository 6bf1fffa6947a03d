/* Names as text of a C program. */
#include "synth/escape.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    COMMENT_LENGTH = 200,
    FIRST_MULTIBYTE = 0x80,
    CONTROLS_END = 0xA0,
    SURROGATES = 0xD800,
    SURROGATES_END = 0xE000
};

void escape_for_comment(text_buffer *to, const char *name)
{
    static const char harmless[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;=+-_/()[]#@&|~<>!";
    size_t size = strlen(name), shown = size < COMMENT_LENGTH ? size : COMMENT_LENGTH;
    for (size_t i = 0; i < shown; i++) {
        text_append(to, strchr(harmless, name[i]) != NULL ? &name[i] : "_", 1);
    }
    if (shown < size) {
        text_add(to, "...");
    }
}

/* ---- UTF-8 ---- */

/* The bytes that a first byte announces; 0 where it cannot be a first byte. */
static size_t announced(unsigned char first)
{
    if (first < FIRST_MULTIBYTE) {
        return 1;
    }
    return first >= 0xC2 && first <= 0xDF   ? 2
           : first >= 0xE0 && first <= 0xEF ? 3
           : first >= 0xF0 && first <= 0xF4 ? 4
                                            : 0;
}

/* The character at the start of a text, and its bytes; one byte and -1 where it is none (RFC 3629, section 4). */
static int32_t decode(const char *text, size_t *bytes)
{
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*text;
    size_t size = announced(first);
    int32_t character = size <= 1 ? first : first & (0x7F >> size);
    *bytes = 1;
    for (size_t i = 1; i < size; i++) {
        unsigned char next = (unsigned char)text[i]; /* the NUL at the end is no such byte */
        if ((next & 0xC0) != 0x80) {
            return -1;
        }
        character = character << 6 | (next & 0x3F);
    }
    bool surrogate = character >= SURROGATES && character < SURROGATES_END;
    if (size == 0 || character < least[size] || character > 0x10FFFF || surrogate) {
        return -1;
    }
    *bytes = size;
    return character;
}

/* ---- Literals ---- */

/*
 * A byte inside a literal. Octal escapes have three digits, which no digit behind them can join; a question mark is
 * escaped since three of these characters can be one to the compiler.
 */
static void add_byte(text_buffer *to, char byte)
{
    char escape[8] = {byte, '\0'};
    if (byte == '"' || byte == '\\' || byte == '?') {
        snprintf(escape, sizeof escape, "\\%c", byte);
    } else if (byte < ' ' || byte > '~') {
        snprintf(escape, sizeof escape, "\\%03o", (unsigned)(unsigned char)byte);
    }
    text_add(to, escape);
}

static void add_bytes(text_buffer *to, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        add_byte(to, bytes[i]);
    }
}

/* A character of a JSON string. Bytes that are none become the character that stands for such. */
static void add_character(text_buffer *to, int32_t character, const char *bytes, size_t size)
{
    char escape[16] = "\\ufffd";
    if (character == '"' || character == '\\') {
        snprintf(escape, sizeof escape, "\\%c", (char)character);
    } else if (character >= 0 && (character < ' ' || (character > '~' && character < CONTROLS_END))) {
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)character);
    } else if (character >= 0) {
        add_bytes(to, bytes, size);
        return;
    }
    add_bytes(to, escape, strlen(escape));
}

void escape_as_json_literal(text_buffer *to, const char *name)
{
    size_t size;
    text_add(to, "\"\\\"");
    for (const char *at = name; *at != '\0'; at += size) {
        int32_t character = decode(at, &size);
        add_character(to, character, at, size);
    }
    text_add(to, "\\\"\"");
}

/* Text lines of numbers and words on their way to a file, in blocks. */
#ifndef IO_LINE_WRITER_H
#define IO_LINE_WRITER_H

#include <inlay/outputs.h>
#include <stdint.h>

enum { LINE_BLOCK = 1 << 14 };

/** Begin with {.to = ...}. */
typedef struct line_writer {
    inlay_file *to;
    size_t used;
    char block[LINE_BLOCK];
} line_writer;

void line_bytes(line_writer *w, const char *bytes, size_t size);
void line_text(line_writer *w, const char *text);

/** A number of 0 or more, and the character behind it. */
void line_number(line_writer *w, int64_t number, char behind);

/** A field of CSV as RFC 4180 has it, in quotes where it needs them, and the character behind it. */
void line_csv(line_writer *w, const char *text, char behind);

/** Hand over what is left in the block. */
void line_flush(line_writer *w);

#endif

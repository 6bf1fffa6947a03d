/* Text lines of numbers and words. */
#include "io/line_writer.h"
#include <string.h>

enum { DIGITS = 20 };

void line_flush(line_writer *w)
{
    inlay_file_put(w->to, w->block, w->used);
    w->used = 0;
}

void line_bytes(line_writer *w, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t room = LINE_BLOCK - w->used, piece = size < room ? size : room;
        memcpy(w->block + w->used, bytes, piece);
        w->used += piece;
        bytes += piece;
        size -= piece;
        if (w->used == LINE_BLOCK) {
            line_flush(w);
        }
    }
}

void line_text(line_writer *w, const char *text)
{
    line_bytes(w, text, strlen(text));
}

void line_number(line_writer *w, int64_t number, char behind)
{
    char digits[DIGITS + 1];
    char *first = digits + DIGITS;
    *first = behind;
    uint64_t left = (uint64_t)number;
    do {
        *--first = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    line_bytes(w, first, (size_t)(digits + DIGITS + 1 - first));
}

void line_csv(line_writer *w, const char *text, char behind)
{
    size_t size = strlen(text);
    bool padded = size > 0 && (text[0] == ' ' || text[size - 1] == ' '); /* which some readers would take away */
    bool quoted = padded || strpbrk(text, ",\"\r\n\t") != NULL;
    line_text(w, quoted ? "\"" : "");
    for (const char *c = text; *c != '\0'; c++) {
        line_bytes(w, "\"\"", quoted && *c == '"' ? 1 : 0);
        line_bytes(w, c, 1);
    }
    line_text(w, quoted ? "\"" : "");
    line_bytes(w, &behind, 1);
}

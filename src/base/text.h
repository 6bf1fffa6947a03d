/* A growing text: appends never fail one by one; the failure is asked for once, at the end. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct text_buffer {
    char *data; /**< NUL-terminated once something was appended; NULL before */
    size_t size;
    size_t capacity;
    bool failed; /**< out of memory: the content is not to be used */
} text_buffer;

void text_append(text_buffer *to, const char *data, size_t size);
void text_add(text_buffer *to, const char *string);
void text_addf(text_buffer *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vaddf(text_buffer *to, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
void text_clear(text_buffer *to);

/** What it holds; "" where nothing was appended. */
static inline const char *text_content(const text_buffer *of)
{
    return of->data != NULL ? of->data : "";
}

/** The end of a text that served another: where it failed, that one has failed too. It is emptied. */
void text_settle(text_buffer *part, text_buffer *whole);

/** Whether a word is among words that each stand between blanks, as in " one two ". */
bool text_lists(const char *words, const char *word);

#endif

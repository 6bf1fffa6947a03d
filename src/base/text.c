/* A growing text. */
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

static bool make_room(text_buffer *to, size_t more)
{
    if (to->failed || !memory_grow((void **)&to->data, &to->capacity, to->size + more + 1, 1)) {
        to->failed = true;
    }
    return !to->failed;
}

void text_append(text_buffer *to, const char *data, size_t size)
{
    if (make_room(to, size)) {
        memcpy(to->data + to->size, data, size);
        to->size += size;
        to->data[to->size] = '\0';
    }
}

void text_add(text_buffer *to, const char *string)
{
    text_append(to, string, strlen(string));
}

void text_vaddf(text_buffer *to, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int size = plain_vprint(NULL, 0, format, again);
    va_end(again);
    if (size < 0) {
        to->failed = true;
    } else if (make_room(to, (size_t)size)) {
        plain_vprint(to->data + to->size, (size_t)size + 1, format, arguments);
        to->size += (size_t)size;
    }
}

void text_addf(text_buffer *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vaddf(to, format, arguments);
    va_end(arguments);
}

void text_clear(text_buffer *to)
{
    free(to->data);
    *to = (text_buffer){0};
}

void text_settle(text_buffer *part, text_buffer *whole)
{
    whole->failed |= part->failed;
    text_clear(part);
}

bool text_lists(const char *words, const char *word)
{
    size_t length = strlen(word);
    if (length == 0 || strchr(word, ' ') != NULL) {
        return false;
    }
    const char *at = words;
    while ((at = strstr(at, word)) != NULL && (at[-1] != ' ' || at[length] != ' ')) {
        at++;
    }
    return at != NULL;
}

/* Pieces of a text, and its lines. */
#include "io/spans.h"
#include "base/plain.h"
#include <string.h>

int span_shown(span s)
{
    return (int)(s.end - s.at < SHOWN ? s.end - s.at : SHOWN);
}

span span_trimmed(span s)
{
    while (s.at < s.end && plain_space(*s.at)) {
        s.at++;
    }
    while (s.end > s.at && plain_space(s.end[-1])) {
        s.end--;
    }
    return s;
}

bool next_line(lines *l, span *found)
{
    while (l->at < l->end) {
        const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
        span line = span_trimmed((span){l->at, newline == NULL ? l->end : newline});
        l->at = newline == NULL ? l->end : newline + 1;
        l->line++;
        if (line.at < line.end && memchr(l->comments, *line.at, strlen(l->comments)) == NULL) {
            *found = line;
            return true;
        }
    }
    return false;
}

span span_word(span *s, char sign)
{
    while (s->at < s->end && plain_space(*s->at)) {
        s->at++;
    }
    span word = {s->at, s->at};
    while (s->at < s->end && *s->at != sign && !plain_space(*s->at)) {
        s->at++;
    }
    word.end = s->at;
    return word;
}

bool span_id(span s, inlay_id *id)
{
    int64_t value = 0;
    for (const char *c = s.at; c < s.end; c++) {
        if (!plain_digit(*c) || value > INT32_MAX) {
            return false;
        }
        value = value * 10 + (*c - '0');
    }
    if (s.at == s.end || value > INT32_MAX) {
        return false;
    }
    *id = (inlay_id)value;
    return true;
}

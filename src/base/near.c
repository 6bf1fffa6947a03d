/* A word that is not known, and the known ones that may have been meant. */
#include <inlay/status.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance of two words, both at most LONGEST long. */
static size_t edit_distance(const char *from, const char *to)
{
    size_t row[LONGEST + 1];
    size_t columns = strlen(to);
    for (size_t j = 0; j <= columns; j++) {
        row[j] = j;
    }
    for (; *from != '\0'; from++) {
        size_t diagonal = row[0]++;
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = diagonal + (*from != to[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[columns];
}

/* How far a known word is from one that begins it, or that few edits make it; FAR: too far. */
enum { FAR = 3 };

static size_t distance(const char *word, const char *known)
{
    size_t length = strlen(word);
    if (length > LONGEST || strlen(known) > LONGEST) {
        return FAR;
    }
    if (length > 1 && strncmp(known, word, length) == 0) {
        return 1;
    }
    size_t edits = edit_distance(word, known);
    bool likely = edits < length && (edits < 2 || (edits == 2 && word[0] == known[0]));
    return likely ? edits : FAR;
}

void inlay_nearest(const char *word, const char *const known[], size_t count, const char *before, char *text,
                   size_t room)
{
    size_t nearest = FAR, length = 0;
    for (size_t i = 0; i < count; i++) {
        nearest = least(nearest, distance(word, known[i]));
    }
    text[0] = '\0';
    for (size_t i = 0; i < count && nearest < FAR && length < room; i++) {
        if (distance(word, known[i]) == nearest) {
            length += (size_t)snprintf(text + length, room - length, "%s%s%s'", length == 0 ? ", perhaps '" : " or '",
                                       before, known[i]);
        }
    }
}

/* Names and values as DOT has them. */
#include "io/dot/dot.h"
#include "base/plain.h"
#include <string.h>

/* Letters, digits and _ that are no keyword, or a plain number: these need no quotes. */
static bool is_plain(const char *id)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char digits[] = "0123456789";
    static const char *const keywords[] = {"graph", "digraph", "subgraph", "strict", "node", "edge"};
    size_t whole = strspn(id, digits);
    if (whole > 0) {
        size_t fraction = id[whole] == '.' ? strspn(id + whole + 1, digits) : 0;
        return id[whole] == '\0' || (fraction > 0 && id[whole + 1 + fraction] == '\0');
    }
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (plain_same(id, keywords[i])) {
            return false;
        }
    }
    size_t first = strspn(id, letters);
    for (const char *c = id + first; first > 0 && *c != '\0'; c++) {
        if (strchr(letters, *c) == NULL && strchr(digits, *c) == NULL) {
            return false;
        }
    }
    return first > 0;
}

/*
 * Between quotes a backslash in front of a quote or a line's end is dropped, and two of them count as one character;
 * so an odd number of them cannot stand there, nor at the end.
 */
static bool can_be_quoted(const char *id)
{
    size_t backslashes = 0;
    for (;; id++) {
        if ((*id == '"' || *id == '\n' || *id == '\0') && backslashes % 2 == 1) {
            return false;
        }
        if (*id == '\0') {
            return true;
        }
        backslashes = *id == '\\' ? backslashes + 1 : 0;
    }
}

/* <...> keeps every character, but the angle brackets inside must match. */
static bool can_be_html(const char *id)
{
    int open = 0;
    for (; *id != '\0' && open >= 0; id++) {
        open += (*id == '<') - (*id == '>');
    }
    return open == 0;
}

bool dot_add_id(text_buffer *to, const char *id)
{
    if (is_plain(id)) {
        text_add(to, id);
        return true;
    }
    if (!can_be_quoted(id)) {
        text_addf(to, "<%s>", id);
        return can_be_html(id);
    }
    text_add(to, "\"");
    for (size_t part; *id != '\0'; id += part) {
        part = strcspn(id, "\"");
        text_append(to, id, part);
        if (id[part] == '"') {
            text_add(to, "\\\"");
            part++;
        }
    }
    text_add(to, "\"");
    return true;
}

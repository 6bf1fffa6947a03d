/* The lines that begin with `#pragma inlay`, which other compilers pass over. */
#include "base/plain.h"
#include "csource/maploop/maploop.h"
#include <string.h>

typedef struct line_reader {
    maploop *m;
    unsigned at, end, line;
} line_reader;

static void skip_blanks(line_reader *r)
{
    while (r->at < r->end && plain_space((unsigned char)r->m->text[r->at])) {
        r->at++;
    }
}

static bool take(line_reader *r, const char *text)
{
    size_t length = strlen(text);
    skip_blanks(r);
    bool same = r->end - r->at >= length && strncmp(r->m->text + r->at, text, length) == 0;
    bool cut = same && plain_alnum((unsigned char)text[length - 1]) && r->at + length < r->end &&
               (plain_alnum((unsigned char)r->m->text[r->at + length]) || r->m->text[r->at + length] == '_');
    r->at += same && !cut ? (unsigned)length : 0;
    return same && !cut;
}

static word take_name(line_reader *r)
{
    skip_blanks(r);
    word w = {r->at, r->at};
    while (w.to < r->end && (plain_alnum((unsigned char)r->m->text[w.to]) || strchr("_-", r->m->text[w.to]) != NULL)) {
        w.to++;
    }
    r->at = w.to;
    return w;
}

/* Up to a comma or a bracket that closes, outside of brackets. */
static word take_expression(line_reader *r)
{
    skip_blanks(r);
    word w = {r->at, r->at};
    for (int depth = 0; r->at < r->end; r->at++) {
        char c = r->m->text[r->at];
        if (depth == 0 && (c == ',' || c == ')')) {
            break;
        }
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    for (w.to = r->at; w.to > w.from && plain_space((unsigned char)r->m->text[w.to - 1]);) {
        w.to--;
    }
    return w;
}

static bool take_list(line_reader *r, word *list, int *count, word (*one)(line_reader *r), const char *expected)
{
    bool good = take(r, "(");
    *count = 0;
    while (good) {
        good = *count < MOST_NAMES;
        if (good) {
            list[*count] = one(r);
            good = list[*count].to > list[*count].from;
            *count += good;
        }
        if (good && !take(r, ",")) {
            good = take(r, ")");
            break;
        }
    }
    return good || refuse(r->m, r->line, "the list of this pragma cannot be read; expected %s", expected);
}

static bool read_maploop(line_reader *r)
{
    static const char *const known[] = {"ptscotch", "rsb", "greedy", "block"};
    marks *k = &r->m->marks;
    if (k->line != 0) {
        return refuse(r->m, r->line,
                      "a second loop is marked, besides that of line %u; expected one, which decides "
                      "the distribution",
                      k->line);
    }
    k->line = r->line;
    if (!take_list(r, k->array, &k->arrays, take_name, "maploop(ARRAY, ...)")) {
        return false;
    }
    if (!take(r, "using")) {
        return true;
    }
    k->method = take_name(r);
    size_t length = k->method.to - k->method.from;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i]) == length && strncmp(known[i], r->m->text + k->method.from, length) == 0) {
            return true;
        }
    }
    return refuse(r->m, r->line,
                  "'%.*s' is no partitioner of graphs without coordinates; expected ptscotch, rsb, greedy "
                  "or block",
                  (int)length, r->m->text + k->method.from);
}

static bool read_compute(line_reader *r)
{
    marks *k = &r->m->marks;
    if (k->rule != RULE_NONE) {
        return refuse(r->m, r->line, "'compute' stands on line %u already; expected it once", k->rule_line);
    }
    k->rule = take(r, "owner") ? RULE_OWNER : take(r, "maxowner") ? RULE_MAX_OWNER : RULE_NONE;
    if (k->rule == RULE_NONE) {
        return refuse(r->m, r->line, "nobody is told to compute; expected on owner(...) or on maxowner(...)");
    }
    k->rule_line = r->line;
    if (!take_list(r, k->touched, &k->touched_count, take_expression, "references such as y[i], x[n1]")) {
        return false;
    }
    if (k->rule == RULE_OWNER && k->touched_count != 1) {
        return refuse(r->m, r->line, "on owner(...) has %d references; expected one, whose owner computes",
                      k->touched_count);
    }
    if (take(r, "balanced")) {
        if (k->rule == RULE_OWNER) {
            return refuse(r->m, r->line, "the owner computes, balanced or not; expected balanced behind maxowner(...)");
        }
        k->rule = RULE_BALANCED;
    }
    return true;
}

static bool read_remap(line_reader *r)
{
    word condition[MOST_NAMES];
    int count;
    if (!take_list(r, condition, &count, take_expression, "remap when(CONDITION)") || count != 1) {
        return refuse(r->m, r->line, "the condition cannot be read; expected remap when(CONDITION)");
    }
    r->m->marks.remap_line = r->line;
    r->m->marks.remap = condition[0];
    return true;
}

static bool read_pragma(line_reader *r)
{
    bool good;
    if (take(r, "maploop")) {
        good = read_maploop(r);
    } else if (take(r, "compute") && take(r, "on")) {
        good = read_compute(r);
    } else if (take(r, "remap") && take(r, "when")) {
        good = read_remap(r);
    } else {
        return refuse(r->m, r->line,
                      "an unknown pragma of inlay; expected maploop(...), compute on ... or remap when(...)");
    }
    skip_blanks(r);
    return good && (r->at == r->end || refuse(r->m, r->line, "the pragma goes on with '%.*s'; expected its end",
                                              (int)(r->end - r->at), r->m->text + r->at));
}

/* Pragmas of one loop stand behind each other. */
static bool stand_together(maploop *m, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        if (!plain_space((unsigned char)m->text[i])) return false;
    }
    return true;
}

static bool read_line(maploop *m, unsigned from, unsigned to, unsigned line)
{
    line_reader r = {m, from, to, line};
    if (!take(&r, "#") || !take(&r, "pragma") || !take(&r, "inlay")) {
        return true;
    }
    if (m->marks.end > 0 && !stand_together(m, m->marks.end, from)) {
        return refuse(m, line, "this pragma stands apart from that before it; expected all before one loop");
    }
    if (m->marks.end == 0) {
        m->marks.first = from;
    }
    m->marks.end = to;
    return read_pragma(&r);
}

bool pragmas_read(maploop *m)
{
    unsigned line = 1;
    for (unsigned from = 0; from < m->size; line++) {
        const char *end = memchr(m->text + from, '\n', m->size - from);
        unsigned to = end == NULL ? (unsigned)m->size : (unsigned)(end - m->text);
        if (!read_line(m, from, to, line)) {
            return false;
        }
        from = to + 1;
    }
    if (m->marks.line == 0) {
        return refuse(m, 0, "no loop is marked; expected #pragma inlay maploop(ARRAY, ...) before one");
    }
    return true;
}

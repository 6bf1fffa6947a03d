/* The lines that begin with `#pragma inlay`, which other compilers pass over. */
#include "base/plain.h"
#include "csource/maploop/maploop.h"
#include <string.h>

static void skip_blanks(line_reader *r)
{
    while (r->at < r->end && plain_space((unsigned char)r->m->text[r->at])) {
        r->at++;
    }
}

bool pragma_take(line_reader *r, const char *text)
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

word pragma_until(line_reader *r, const char *ends)
{
    skip_blanks(r);
    word w = {r->at, r->at};
    for (int depth = 0; r->at < r->end; r->at++) {
        char c = r->m->text[r->at];
        if (depth == 0 && strchr(ends, c) != NULL) {
            break;
        }
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    for (w.to = r->at; w.to > w.from && plain_space((unsigned char)r->m->text[w.to - 1]);) {
        w.to--;
    }
    return w;
}

static word take_expression(line_reader *r)
{
    return pragma_until(r, ",)");
}

static bool take_list(line_reader *r, word *list, int *count, word (*one)(line_reader *r), const char *expected)
{
    bool good = pragma_take(r, "(");
    *count = 0;
    while (good) {
        good = *count < MOST_NAMES;
        if (good) {
            list[*count] = one(r);
            good = list[*count].to > list[*count].from;
            *count += good;
        }
        if (good && !pragma_take(r, ",")) {
            good = pragma_take(r, ")");
            break;
        }
    }
    return good || refuse(r->m, r->line, "the list of this pragma cannot be read; expected %s", expected);
}

bool pragma_method(line_reader *r, word *method)
{
    static const char *const known[] = {"ptscotch", "rsb", "greedy", "block"};
    if (!pragma_take(r, "using")) {
        return true;
    }
    *method = take_name(r);
    size_t length = method->to - method->from;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i]) == length && strncmp(known[i], r->m->text + method->from, length) == 0) {
            return true;
        }
    }
    return refuse(r->m, r->line,
                  "'%.*s' is no partitioner of graphs without coordinates; expected ptscotch, rsb, greedy "
                  "or block",
                  (int)length, r->m->text + method->from);
}

static bool read_maploop(line_reader *r)
{
    marks *k = &r->m->marks;
    if (k->line != 0) {
        return refuse(r->m, r->line,
                      "a second loop is marked, besides that of line %u; expected one, which decides "
                      "the distribution",
                      k->line);
    }
    k->line = r->line;
    skip_blanks(r);
    if (r->at == r->end) {
        return refuse(r->m, r->line, "no array is named to be distributed; expected maploop(ARRAY, ...)");
    }
    return take_list(r, k->array, &k->arrays, take_name, "maploop(ARRAY, ...)") && pragma_method(r, &k->method);
}

static bool read_compute(line_reader *r)
{
    marks *k = &r->m->marks;
    if (k->rule != RULE_NONE) {
        return refuse(r->m, r->line, "'compute' stands on line %u already; expected it once", k->rule_line);
    }
    k->rule = pragma_take(r, "owner") ? RULE_OWNER : pragma_take(r, "maxowner") ? RULE_MAX_OWNER : RULE_NONE;
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
    if (pragma_take(r, "balanced")) {
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
    if (pragma_take(r, "maploop")) {
        good = read_maploop(r);
    } else if (pragma_take(r, "compute") && pragma_take(r, "on")) {
        good = read_compute(r);
    } else if (pragma_take(r, "remap") && pragma_take(r, "when")) {
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

static bool read_line(line_reader *r, unsigned from, void *with)
{
    maploop *m = r->m;
    (void)with;
    if (m->marks.end > 0 && !stand_together(m, m->marks.end, from)) {
        return refuse(m, r->line, "this pragma stands apart from that before it; expected all before one loop");
    }
    if (m->marks.end == 0) {
        m->marks.first = from;
    }
    m->marks.end = r->end;
    return read_pragma(r);
}

/* Whether a comment is open behind a piece of text, which began in one or not. */
static bool in_comment(const char *text, unsigned from, unsigned to, bool open)
{
    char quote = '\0';
    for (unsigned i = from; i < to; i++) {
        if (open) {
            open = !(text[i] == '*' && text[i + 1] == '/');
            i += !open;
        } else if (quote != '\0') {
            i += text[i] == '\\';
            quote = text[i] == quote ? '\0' : quote;
        } else if (text[i] == '/' && text[i + 1] == '/') {
            break;
        } else if (text[i] == '/' && text[i + 1] == '*') {
            open = true;
            i++;
        } else if (text[i] == '"' || text[i] == '\'') {
            quote = text[i];
        }
    }
    return open;
}

/* Left out by #if and its like. */
static bool is_skipped(const program *p, unsigned at)
{
    for (int i = 0; i < p->skips; i++) {
        if (at >= p->skipped[i][0] && at < p->skipped[i][1]) return true;
    }
    return false;
}

bool pragma_lines(maploop *m, bool (*read)(line_reader *r, unsigned from, void *with), void *with)
{
    unsigned line = 1;
    bool comment = false;
    for (unsigned from = 0; from < m->size; line++) {
        const char *end = memchr(m->text + from, '\n', m->size - from);
        unsigned to = end == NULL ? (unsigned)m->size : (unsigned)(end - m->text);
        line_reader r = {m, from, to, line};
        if (!comment && !is_skipped(&m->program, from) && pragma_take(&r, "#") && pragma_take(&r, "pragma") &&
            pragma_take(&r, "inlay") && !read(&r, from, with)) {
            return false;
        }
        comment = in_comment(m->text, from, to, comment);
        from = to + 1;
    }
    return true;
}

bool pragmas_read(maploop *m)
{
    if (!pragma_lines(m, read_line, NULL)) {
        return false;
    }
    if (m->marks.line == 0) {
        return refuse(m, 0, "no loop is marked; expected #pragma inlay maploop(ARRAY, ...) before one");
    }
    return true;
}

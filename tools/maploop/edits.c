/* Edits of the program's text. */
#include "maploop.h"
#include "report.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool out_of_memory(maploop *m)
{
    m->no_memory = true;
    return false;
}

bool refuse(maploop *m, unsigned line, const char *format, ...)
{
    if (m->refused[0] == '\0') {
        int length =
            snprintf(m->refused, sizeof m->refused, "%s:%u: ", m->refusing != NULL ? m->refusing : m->path, line);
        if (length > 0 && (size_t)length < sizeof m->refused) {
            va_list arguments;
            va_start(arguments, format);
            (void)vsnprintf(m->refused + length, sizeof m->refused - (size_t)length, format, arguments);
            va_end(arguments);
        }
    }
    return false;
}

static void add(maploop *m, unsigned from, unsigned to, const char *format, va_list arguments)
{
    char *text = NULL;
    size_t size = 0;
    FILE *made = open_memstream(&text, &size);
    if (made != NULL) {
        (void)vfprintf(made, format, arguments);
        (void)fclose(made);
    }
    if (made == NULL || text == NULL || !grow(&m->edit, m->edits, &m->edit_room, sizeof *m->edit)) {
        free(text);
        out_of_memory(m);
        return;
    }
    m->edit[m->edits] = (edit){from, to, m->edits, text};
    m->edits++;
}

void edit_insert(maploop *m, unsigned at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(m, at, at, format, arguments);
    va_end(arguments);
}

void edit_replace(maploop *m, unsigned from, unsigned to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(m, from, to, format, arguments);
    va_end(arguments);
}

bool edit_name(maploop *m, const node *n, const char *format, ...)
{
    const char *name = m->program.variable[n->variable].name;
    if (n->to - n->from != strlen(name) || strncmp(m->text + n->from, name, n->to - n->from) != 0) {
        return refuse(m, n->line, "'%s' stands in a macro; expected it in the text of the program", name);
    }
    va_list arguments;
    va_start(arguments, format);
    add(m, n->from, n->to, format, arguments);
    va_end(arguments);
    return true;
}

/* Behind blanks and comments. */
static unsigned skip_blanks(const maploop *m, unsigned at)
{
    const char *text = m->text;
    for (;;) {
        if (text[at] == '/' && (text[at + 1] == '*' || text[at + 1] == '/')) {
            const char *end = strstr(text + at + 2, text[at + 1] == '*' ? "*/" : "\n");
            at = end == NULL ? (unsigned)m->size : (unsigned)(end - text) + (text[at + 1] == '*' ? 2 : 1);
        } else if (isspace((unsigned char)text[at]) || (text[at] == '\\' && text[at + 1] == '\n')) {
            at++;
        } else {
            return at;
        }
    }
}

unsigned statement_end(const maploop *m, const node *n)
{
    for (;;) {
        bool label = n->kind == NODE_BLOCK && m->text[n->from] != '{' && n->children == 1;
        const node *last = n->kind == NODE_FOR                                  ? n->child[3]
                           : n->kind == NODE_WHILE                              ? n->child[0]
                           : n->kind == NODE_IF || n->kind == NODE_SWITCH       ? n->child[n->children - 1]
                           : (n->kind == NODE_CASE || label) && n->children > 0 ? n->child[0]
                                                                                : NULL;
        if (last == NULL || last->kind == NODE_DECLARATION) {
            break;
        }
        n = last;
    }
    bool ended = n->to > n->from && (m->text[n->to - 1] == ';' || (n->kind == NODE_BLOCK && m->text[n->from] == '{'));
    unsigned at = ended ? n->to : skip_blanks(m, n->to);
    return ended ? at : m->text[at] == ';' ? at + 1 : 0;
}

/* By place; an insertion comes before what is replaced there. */
static int compare(const void *one, const void *other)
{
    const edit *a = one, *b = other;
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    bool inserts = a->from == a->to, other_inserts = b->from == b->to;
    return inserts != other_inserts ? (inserts ? -1 : 1) : (a->order < b->order ? -1 : a->order > b->order);
}

bool edits_apply(maploop *m, char **text, size_t *size)
{
    if (m->no_memory) {
        return false;
    }
    qsort(m->edit, (size_t)m->edits, sizeof *m->edit, compare);
    FILE *to = open_memstream(text, size);
    if (to == NULL) {
        return out_of_memory(m);
    }
    unsigned at = 0;
    for (int i = 0; i < m->edits; i++) {
        if (m->edit[i].from >= at) {
            say(to, "%.*s%s", (int)(m->edit[i].from - at), m->text + at, m->edit[i].text);
            at = m->edit[i].to;
        }
    }
    say(to, "%s", m->text + at);
    bool failed = ferror(to) != 0;
    return (fclose(to) == 0 && !failed) || out_of_memory(m);
}

/* Edits of the program's text. */
#include "base/diag.h"
#include "base/plain.h"
#include "csource/maploop/maploop.h"
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
    text_buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vaddf(&text, format, arguments);
    va_end(arguments);
    (void)diag_fail_at(m->diag, INLAY_BAD_INPUT, m->refusing != NULL ? m->refusing : m->path, (long)line, "%s",
                       text_content(&text));
    text_clear(&text);
    m->refused = true;
    return false;
}

static void add(maploop *m, unsigned from, unsigned to, const char *format, va_list arguments)
{
    text_buffer text = {0};
    text_vaddf(&text, format, arguments);
    if (text.failed || !GROW(m->edit, m->edits, m->edit_room)) {
        text_clear(&text);
        out_of_memory(m);
        return;
    }
    m->edit[m->edits] = (edit){from, to, m->edits, text.data};
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
        } else if (plain_space((unsigned char)text[at]) || (text[at] == '\\' && text[at + 1] == '\n')) {
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

bool edits_apply(maploop *m, text_buffer *to)
{
    if (m->no_memory) {
        return false;
    }
    qsort(m->edit, (size_t)m->edits, sizeof *m->edit, compare);
    unsigned at = 0;
    for (int i = 0; i < m->edits; i++) {
        if (m->edit[i].from >= at) {
            text_addf(to, "%.*s%s", (int)(m->edit[i].from - at), m->text + at, m->edit[i].text);
            at = m->edit[i].to;
        }
    }
    text_addf(to, "%s", m->text + at);
    return !to->failed || out_of_memory(m);
}

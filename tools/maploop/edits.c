/* Edits of the program's text. */
#include "maploop.h"
#include "report.h"
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
        int length = snprintf(m->refused, sizeof m->refused, "%s:%u: ", m->path, line);
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

/* The byte behind the line of the last #include. */
static unsigned behind_includes(const maploop *m)
{
    unsigned behind = 0;
    for (const char *at = m->text; (at = strstr(at, "#include")) != NULL; at++) {
        if (at == m->text || at[-1] == '\n') {
            const char *end = strchr(at, '\n');
            behind = (unsigned)(end == NULL ? m->size : (size_t)(end + 1 - m->text));
        }
    }
    return behind;
}

bool edits_apply(maploop *m, const char *added, char **text, size_t *size)
{
    edit_insert(m, behind_includes(m), "%s", added);
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

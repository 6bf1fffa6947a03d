/* Fields of CSV. */
#include "base/csv.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include <stdlib.h>
#include <string.h>

char csv_separator(const char *data, const char *end)
{
    static const char separators[] = ",;\t";
    size_t first = 2; /* which of them */
    bool quoted = false;
    for (const char *at = data; at < end && (quoted || *at != '\n'); at++) {
        quoted = quoted != (*at == '"');
        for (size_t i = 0; i < first && !quoted; i++) {
            first = *at == separators[i] ? i : first;
        }
    }
    return separators[first];
}

void csv_begin(csv_lines *t, const char *data, size_t size, const char *source)
{
    t->at = data;
    t->end = data + size;
    t->source = source;
    t->line = t->next_line = 1;
}

void csv_end(csv_lines *t)
{
    text_clear(&t->text);
    free(t->field);
}

/* Blanks around a field are none of it, but inside quotes. */
static int take_field(csv_lines *t, inlay_diag *diag)
{
    size_t begin = t->text.size;
    if (!memory_grow((void **)&t->field, &t->room, t->fields + 1, sizeof *t->field)) {
        return diag_no_memory(diag);
    }
    t->field[t->fields++] = begin;
    while (t->at < t->end && *t->at == ' ') {
        t->at++;
    }
    bool quoted = t->at < t->end && *t->at == '"';
    for (t->at += quoted; quoted && t->at < t->end && (*t->at != '"' || (t->at + 1 < t->end && t->at[1] == '"'));
         t->at++) {
        t->at += *t->at == '"';
        t->next_line += *t->at == '\n';
        text_append(&t->text, t->at, 1);
    }
    if (quoted && t->at == t->end) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, t->source, t->line, "a quote without its end; expected \"...\"");
    }
    t->at += quoted;
    const char *rest = t->at;
    while (t->at < t->end && *t->at != t->separator && *t->at != '\n') {
        t->at++;
    }
    const char *last = t->at;
    while (last > rest && plain_space(last[-1])) {
        last--;
    }
    if (quoted && last > rest) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, t->source, t->line,
                            "text behind a closing quote; expected the end of the field");
    }
    text_append(&t->text, rest, (size_t)(last - rest));
    text_append(&t->text, "", 1);
    return t->text.failed ? diag_no_memory(diag) : INLAY_OK;
}

int csv_take_line(csv_lines *t, inlay_diag *diag)
{
    t->fields = 0;
    t->text.size = 0;
    t->line = t->next_line;
    int status = INLAY_OK;
    bool more = t->at < t->end;
    while (status == INLAY_OK && more) {
        status = take_field(t, diag);
        more = t->at < t->end && *t->at == t->separator;
        t->at += more;
    }
    if (t->at < t->end) {
        t->at++;
        t->next_line++;
    }
    bool blank = t->fields == 1 && t->text.size == 1;
    t->fields = blank ? 0 : t->fields;
    return status;
}

bool csv_skip_blank_lines(csv_lines *t)
{
    const char *at = t->at;
    while (at < t->end && plain_space(*at)) {
        t->next_line += *at == '\n';
        t->at = *at == '\n' ? at + 1 : t->at;
        at++;
    }
    return at < t->end;
}

int csv_check_bytes(const char *data, size_t size, const char *source, inlay_diag *diag)
{
    return memchr(data, '\0', size) == NULL
               ? INLAY_OK
               : diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "a NUL byte; expected the text of a table");
}

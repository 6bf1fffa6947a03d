/* Slurm's files line by line: comments, lines that go on, files that are included, and Key=Value in them. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/slurm/slurm.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 8, MOST_FILES = 100 };

int slurm_fail(const slurm *s, slurm_place place, const char *format, ...)
{
    enum { ROOM = 1024 };
    char text[ROOM];
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return diag_fail_at(s->diag, INLAY_BAD_INPUT, place.file, place.line, "%s", text);
}

const char *slurm_keep(slurm *s, const char *text)
{
    const char *kept = name_store_keep(&s->names, text);
    if (kept == NULL) {
        diag_no_memory(s->diag);
    }
    return kept;
}

char *slurm_beside(const char *path, const char *name)
{
    text_buffer text = {0};
    const char *slash = strrchr(path, '/');
    text_append(&text, path, *name == '/' || slash == NULL ? 0 : (size_t)(slash - path) + 1);
    text_add(&text, name);
    if (text.failed) {
        text_clear(&text);
    }
    return text.data;
}

const char *slurm_value(const slurm_record *record, const char *key)
{
    for (size_t i = 0; i < record->count; i++) {
        if (plain_same(record->pair[i].key, key)) {
            return record->pair[i].value;
        }
    }
    return NULL;
}

/* ---- One record ---- */

typedef struct reading {
    slurm *s;
    int (*take)(slurm *s, const slurm_record *record);
    slurm_pair *pair;
    size_t capacity;
    int depth, files;
} reading;

static char *skip_blanks(char *at)
{
    while (plain_space(*at)) {
        at++;
    }
    return at;
}

static bool is_key(char c)
{
    return plain_alnum(c) || c == '_' || c == '.';
}

/* Cuts off `KEY=VALUE` at *at, blanks around the sign or not; the value may stand in quotes. NULL: it is none. */
static const char *take_pair(char **at, slurm_pair *pair)
{
    char *key = *at, *end = key;
    while (is_key(*end)) {
        end++;
    }
    char *sign = skip_blanks(end);
    sign += *sign != '\0' && strchr("-*+/", *sign) != NULL; /* Slurm knows such signs, which change nothing here */
    if (end == key || *sign != '=') {
        return "expected Key=Value";
    }
    char *value = skip_blanks(sign + 1);
    bool quoted = *value == '"';
    char *stop = value + quoted;
    while (*stop != '\0' && (quoted ? *stop != '"' : !plain_space(*stop))) {
        stop++;
    }
    if (quoted && *stop == '\0') {
        return "expected a quote at the end of its value too";
    }
    *at = stop + (*stop != '\0');
    *end = *stop = '\0';
    *pair = (slurm_pair){key, value + quoted};
    return NULL;
}

static int take_record(reading *r, char *text, slurm_place place)
{
    slurm_record record = {.place = place};
    for (char *at = skip_blanks(text); *at != '\0'; at = skip_blanks(at)) {
        if (!memory_grow((void **)&r->pair, &r->capacity, record.count + 1, sizeof *r->pair)) {
            return diag_no_memory(r->s->diag);
        }
        const char *wrong = take_pair(&at, &r->pair[record.count]);
        if (wrong != NULL) {
            int size = (int)strcspn(at, PLAIN_SPACES);
            return slurm_fail(r->s, place, "'%.*s' in a configuration of Slurm; %s", size < 60 ? size : 60, at, wrong);
        }
        record.count++;
    }
    record.pair = r->pair;
    return record.count == 0 ? INLAY_OK : r->take(r->s, &record);
}

/* ---- Files ---- */

/* NOLINTBEGIN(misc-no-recursion): files include each other at most MOST_DEPTH deep */

static int take_file(reading *r, const char *data, size_t size, const char *path);

static int take_include(reading *r, const char *name, slurm_place place)
{
    if (r->depth == MOST_DEPTH || r->files == MOST_FILES) {
        return slurm_fail(r->s, place,
                          "Include %.200s is one too many; expected files at most %d deep in each other, and %d in all",
                          name, MOST_DEPTH, MOST_FILES);
    }
    file_content content = {0};
    char *path = slurm_beside(place.file, name);
    const char *kept = path == NULL ? NULL : slurm_keep(r->s, path);
    free(path);
    if (kept == NULL) {
        return diag_no_memory(r->s->diag);
    }
    if (!file_exists(kept)) {
        return slurm_fail(r->s, place, "Include %.200s, and there is no file %.200s; expected one", name, kept);
    }
    int status = file_read(kept, &content, r->s->diag);
    r->depth++;
    r->files++;
    status = status == INLAY_OK ? take_file(r, content.data, content.size, kept) : status;
    r->depth--;
    file_content_clear(&content);
    return status;
}

static int take_line(reading *r, char *text, slurm_place place)
{
    static const char word[] = "include";
    char *at = plain_trim(text, PLAIN_SPACES);
    bool include = strlen(at) > strlen(word) && plain_begins(at, word, strlen(word)) && plain_space(at[strlen(word)]);
    char *name = include ? skip_blanks(at + strlen(word)) : at;
    return include && *name != '=' ? take_include(r, name, place) : take_record(r, at, place);
}

/* How much of a line stands before its comment: `#`, unless there is an odd number of backslashes before it. */
static size_t before_comment(const char *line, size_t size)
{
    size_t slashes = 0;
    for (size_t i = 0; i < size; i++) {
        if (line[i] == '#' && slashes % 2 == 0) {
            return i;
        }
        slashes = line[i] == '\\' ? slashes + 1 : 0;
    }
    return size;
}

/* Without the blanks behind it; one backslash more, in an odd number of them, goes on in the next line. */
static bool goes_on(const char *line, size_t *size)
{
    size_t slashes = 0;
    while (*size > 0 && plain_space(line[*size - 1])) {
        (*size)--;
    }
    while (slashes < *size && line[*size - 1 - slashes] == '\\') {
        slashes++;
    }
    *size -= slashes % 2;
    return slashes % 2 == 1;
}

static int take_file(reading *r, const char *data, size_t size, const char *path)
{
    const char *end = data + size;
    text_buffer text = {0};
    slurm_place place = {path, 0};
    int status = INLAY_OK;
    data += plain_mark(data, size);
    for (long line = 1; data < end && status == INLAY_OK; line++) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        const char *stop = newline == NULL ? end : newline;
        if (memchr(data, '\0', (size_t)(stop - data)) != NULL) {
            status = slurm_fail(r->s, (slurm_place){path, line}, "a byte 0; expected text");
            break;
        }
        size_t length = before_comment(data, (size_t)(stop - data));
        bool more = goes_on(data, &length);
        place.line = text.size == 0 ? line : place.line;
        text_append(&text, data, length);
        data = newline == NULL ? end : newline + 1;
        if (text.failed) {
            status = diag_no_memory(r->s->diag);
        } else if (!more || data == end) {
            status = text.size > 0 ? take_line(r, text.data, place) : INLAY_OK;
            text.size = 0;
        }
    }
    text_clear(&text);
    return status;
}

/* NOLINTEND(misc-no-recursion) */

int slurm_records(slurm *s, const char *data, size_t size, const char *path,
                  int (*take)(slurm *s, const slurm_record *record))
{
    reading r = {.s = s, .take = take};
    int status = take_file(&r, data, size, path);
    free(r.pair);
    return status;
}

/* The format table, and the public calls that read and write applications through it. */
#include "base/diag.h"
#include "base/file.h"
#include "graph/app.h"
#include "io/dot.h"
#include "io/formats.h"
#include "io/json_read.h"
#include <ctype.h>
#include <inlay/io.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool dot_looks_like(const char *data, size_t size);

static const format_row rows[] = {
    {"dot", "dot gv", "Graphviz DOT, Inlay's own attributes", dot_looks_like, dot_app_from, dot_app_to},
    {"wfformat", "wfformat.json", "WfFormat 1.0 to 1.6 (WfCommons); written as 1.5", wfformat_looks_like, wfformat_from,
     wfformat_to},
    {"stg", "stg", "Standard Task Graph Set: task times and precedence", stg_looks_like, stg_from, stg_to},
    {"json", "json", "Inlay's own JSON, without loss", app_json_looks_like, app_json_from, app_json_to},
};

enum { ROWS = sizeof rows / sizeof *rows, LIST_ROOM = 256 };

size_t inlay_formats(void)
{
    return ROWS;
}

inlay_format inlay_format_at(size_t i)
{
    const format_row *row = &rows[i];
    return (inlay_format){row->name, row->extensions, row->summary, row->from != NULL, row->to != NULL};
}

/* ---- Telling formats apart ---- */

/* Behind blanks and comments: C's, C++'s and lines that begin with '#', as DOT has them. */
static const char *skip_comments(const char *at, const char *end)
{
    bool line_start = true;
    while (at < end) {
        bool line_comment = (*at == '#' && line_start) || (end - at > 1 && at[0] == '/' && at[1] == '/');
        if (line_comment) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline == NULL ? end : newline;
        } else if (end - at > 1 && at[0] == '/' && at[1] == '*') {
            for (at += 2; at < end && !(at[0] == '*' && end - at > 1 && at[1] == '/'); at++) {
            }
            at = end - at > 1 ? at + 2 : end;
        } else if (isspace((unsigned char)*at)) {
            line_start = *at++ == '\n';
        } else {
            break;
        }
    }
    return at;
}

static bool dot_looks_like(const char *data, size_t size)
{
    static const char *const words[] = {"digraph", "graph", "strict"};
    const char *end = data + size;
    const char *at = skip_comments(data, end);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - at) > length && strncasecmp(at, words[i], length) == 0 &&
            !isalnum((unsigned char)at[length]) && at[length] != '_') {
            return true;
        }
    }
    return false;
}

/* "dot, wfformat, ...": for messages. */
static const char *known_formats(char list[LIST_ROOM])
{
    size_t used = 0;
    for (size_t i = 0; i < ROWS && used < LIST_ROOM; i++) {
        used += (size_t)snprintf(list + used, LIST_ROOM - used, "%s%s", i == 0 ? "" : ", ", rows[i].name);
    }
    return list;
}

static const format_row *row_by_name(const char *name, inlay_diag *diag)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    char list[LIST_ROOM];
    diag_fail(diag, INLAY_BAD_ARGUMENT, "unknown format '%s'; expected one of %s", name, known_formats(list));
    return NULL;
}

/* Whether `path` (its first `size` characters) ends in a dot and the extension of `length` characters. */
static bool has_extension(const char *path, size_t size, const char *extension, size_t length)
{
    return size > length && path[size - length - 1] == '.' && strncasecmp(path + size - length, extension, length) == 0;
}

static const format_row *row_by_extension(const char *path)
{
    size_t size = strlen(path);
    size -= has_extension(path, size, "gz", 2) ? 3 : 0;
    for (size_t i = 0; i < ROWS; i++) {
        const char *word = rows[i].extensions;
        while (*word != '\0') {
            size_t length = strcspn(word, " ");
            if (has_extension(path, size, word, length)) {
                return &rows[i];
            }
            word += length + (word[length] == ' ');
        }
    }
    return NULL;
}

/* JSON that no row knows: it may be damaged, which is the more helpful thing to say. */
static int refuse_content(const char *data, size_t size, const char *source, inlay_diag *diag)
{
    const char *first = data;
    while (first < data + size && isspace((unsigned char)*first)) {
        first++;
    }
    if (first < data + size && (*first == '{' || *first == '[')) {
        json_file file;
        int status = json_file_open(&file, data, size, source, diag);
        if (status != INLAY_OK) {
            return status;
        }
        json_file_close(&file);
    }
    char list[LIST_ROOM];
    return diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "not a known application format; expected one of %s",
                        known_formats(list));
}

static const format_row *row_by_content(const char *data, size_t size)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].looks_like(data, size)) {
            return &rows[i];
        }
    }
    return NULL;
}

/* An extension tells nothing about JSON: each format that is JSON is known by its members. */
static const format_row *row_by_path(const char *path)
{
    const format_row *row = row_by_extension(path);
    bool is_json = row != NULL && (row->from == app_json_from || row->from == wfformat_from);
    return is_json ? NULL : row;
}

/* ---- Reading ---- */

int inlay_app_read_memory(const char *data, size_t size, const char *source, const char *format, inlay_app **app,
                          inlay_diag *diag)
{
    if (size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0) { /* the byte order mark of UTF-8 */
        data += 3;
        size -= 3;
    }
    const format_row *row;
    if (format != NULL) {
        row = row_by_name(format, diag);
        return row == NULL ? INLAY_BAD_ARGUMENT : row->from(data, size, source, app, diag);
    }
    row = row_by_content(data, size);
    if (row == NULL) {
        row = row_by_path(source);
    }
    return row == NULL ? refuse_content(data, size, source, diag) : row->from(data, size, source, app, diag);
}

int inlay_app_read(const char *path, const char *format, inlay_app **app, inlay_diag *diag)
{
    file_content content;
    char hash[65];
    int status = file_read_hashed(path, &content, hash, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
    status = inlay_app_read_memory(content.data, content.size, source, format, app, diag);
    file_content_clear(&content);
    if (status == INLAY_OK) {
        memcpy((*app)->sha256, hash, sizeof hash);
    }
    return status;
}

/* ---- Writing ---- */

int inlay_app_write(const inlay_app *app, const char *path, const char *format, inlay_diag *diag)
{
    const format_row *row = format != NULL ? row_by_name(format, diag) : row_by_extension(path);
    if (format != NULL && row == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    row = row == NULL ? &rows[0] : row;
    text_buffer out = {0};
    int status = row->to(app, &out, diag);
    if (status == INLAY_OK) {
        status = out.failed ? diag_no_memory(diag) : file_write(path, out.data, out.size, diag);
    }
    text_clear(&out);
    return status;
}

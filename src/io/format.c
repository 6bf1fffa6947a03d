/* The format table, and the public calls that read and write applications through it. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "graph/app.h"
#include "io/dot/dot.h"
#include "io/formats.h"
#include "io/json/read.h"
#include <inlay/io.h>
#include <stdio.h>
#include <string.h>

static bool dot_looks_like(const char *data, size_t size);

static const format_row rows[] = {
    {"dot", "dot gv", "Graphviz DOT, Inlay's own attributes", dot_looks_like, dot_app_from, dot_app_to, NULL, NULL},
    {"wfformat", "wfformat.json", "WfFormat 1.0 to 1.6 (WfCommons); written as 1.5", wfformat_looks_like, wfformat_from,
     wfformat_to, NULL, NULL},
    {"stg", "stg", "Standard Task Graph Set: task times and precedence", stg_looks_like, stg_from, stg_to, NULL, NULL},
    {"json", "json", "Inlay's own JSON, without loss", app_json_looks_like, app_json_from, app_json_to, NULL, NULL},
    {"tg", "tg", "plain text for large graphs, without loss", tg_looks_like, tg_from, NULL, tg_from_input,
     tg_to_output},
    {"metis", "graph metis", "METIS graph, edges weighted by messages", NULL, NULL, NULL, NULL,
     metis_messages_to_output},
    {"metis-bytes", "", "METIS graph, edges weighted by bytes", NULL, NULL, NULL, NULL, metis_bytes_to_output},
    {"scotch", "grf", "Scotch graph, edges weighted by messages", NULL, NULL, NULL, NULL, scotch_messages_to_output},
    {"scotch-bytes", "", "Scotch graph, edges weighted by bytes", NULL, NULL, NULL, NULL, scotch_bytes_to_output},
};

enum { ROWS = sizeof rows / sizeof *rows, LIST_ROOM = 256 };

static bool reads(const format_row *row)
{
    return row->from != NULL;
}

static bool writes(const format_row *row)
{
    return row->to != NULL || row->to_output != NULL;
}

size_t inlay_formats(void)
{
    return ROWS;
}

inlay_format inlay_format_at(size_t i)
{
    const format_row *row = &rows[i];
    return (inlay_format){row->name, row->extensions, row->summary, reads(row), writes(row)};
}

char *format_graph_name(const char *source)
{
    const char *slash = strrchr(source, '/');
    char *name = memory_string(slash == NULL ? source : slash + 1);
    if (name != NULL) {
        name[strcspn(name, ".")] = '\0';
    }
    return name;
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
        } else if (plain_space(*at)) {
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
        if ((size_t)(end - at) > length && plain_begins(at, words[i], length) && !plain_alnum(at[length]) &&
            at[length] != '_') {
            return true;
        }
    }
    return false;
}

/* "dot, wfformat, ...": for messages. */
static const char *known_formats(bool (*can)(const format_row *row), char list[LIST_ROOM])
{
    size_t used = 0;
    for (size_t i = 0; i < ROWS && used < LIST_ROOM; i++) {
        if (can(&rows[i])) {
            used += (size_t)snprintf(list + used, LIST_ROOM - used, "%s%s", used == 0 ? "" : ", ", rows[i].name);
        }
    }
    return list;
}

static const format_row *row_by_name(const char *name, bool (*can)(const format_row *row), inlay_diag *diag)
{
    size_t i = 0;
    while (i < ROWS && strcmp(rows[i].name, name) != 0) {
        i++;
    }
    if (i < ROWS && can(&rows[i])) {
        return &rows[i];
    }
    char list[LIST_ROOM];
    const char *what = i == ROWS ? "unknown format" : can == reads ? "cannot read format" : "cannot write format";
    diag_fail(diag, INLAY_BAD_ARGUMENT, "%s '%s'; expected one of %s", what, name, known_formats(can, list));
    return NULL;
}

/* Whether `path` (its first `size` characters) ends in a dot and the extension of `length` characters. */
static bool has_extension(const char *path, size_t size, const char *extension, size_t length)
{
    return size > length && path[size - length - 1] == '.' && plain_begins(path + size - length, extension, length);
}

size_t format_unpacked(const char *path)
{
    size_t size = strlen(path);
    return has_extension(path, size, "gz", 2) ? size - 3 : size;
}

bool format_fits(const char *extensions, const char *path, size_t size)
{
    size_t length;
    for (const char *word = extensions; *word != '\0'; word += length + (word[length] == ' ')) {
        length = strcspn(word, " ");
        if (has_extension(path, size, word, length)) {
            return true;
        }
    }
    return false;
}

static const format_row *row_by_extension(const char *path, bool (*can)(const format_row *row))
{
    for (size_t i = 0; i < ROWS; i++) {
        if (can(&rows[i]) && format_fits(rows[i].extensions, path, format_unpacked(path))) {
            return &rows[i];
        }
    }
    return NULL;
}

/* JSON that no row knows: it may be damaged, which is the more helpful thing to say. */
static int refuse_content(const char *data, size_t size, const char *source, inlay_diag *diag)
{
    const char *first = data;
    while (first < data + size && plain_space(*first)) {
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
                        known_formats(reads, list));
}

static const format_row *row_by_content(const char *data, size_t size)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].looks_like != NULL && rows[i].looks_like(data, size)) {
            return &rows[i];
        }
    }
    return NULL;
}

/* An extension tells nothing about JSON: each format that is JSON is known by its members. */
static const format_row *row_by_path(const char *path)
{
    const format_row *row = row_by_extension(path, reads);
    bool is_json = row != NULL && (row->from == app_json_from || row->from == wfformat_from);
    return is_json ? NULL : row;
}

/* ---- Reading ---- */

static const char byte_order_mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */

enum { MARK = sizeof byte_order_mark - 1 };

static bool has_mark(const char *data, size_t size)
{
    return size >= MARK && memcmp(data, byte_order_mark, MARK) == 0;
}

int inlay_app_read_memory(const char *data, size_t size, const char *source, const char *format, inlay_app **app,
                          inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (has_mark(data, size)) {
        data += MARK;
        size -= MARK;
    }
    const format_row *row;
    if (format != NULL) {
        row = row_by_name(format, reads, diag);
        return row == NULL ? INLAY_BAD_ARGUMENT : row->from(data, size, source, app, diag);
    }
    row = row_by_content(data, size);
    if (row == NULL) {
        row = row_by_path(source);
    }
    return row == NULL ? refuse_content(data, size, source, diag) : row->from(data, size, source, app, diag);
}

/* The format that is named or, without looking at more than its first bytes, meant, where it is read piece by piece. */
static int find_streamed(input *in, const char *format, const format_row **row, inlay_diag *diag)
{
    const char *head;
    size_t size;
    int status = input_peek(in, MARK + FORMAT_HEAD, &head, &size, diag);
    if (status != INLAY_OK) {
        return status;
    }
    size_t mark = has_mark(head, size) ? MARK : 0;
    for (size_t i = 0; i < ROWS && *row == NULL; i++) {
        if (rows[i].from_input != NULL &&
            (format == NULL ? rows[i].looks_like(head + mark, size - mark) : strcmp(rows[i].name, format) == 0)) {
            *row = &rows[i];
            input_skip(in, mark);
        }
    }
    return INLAY_OK;
}

static int read_input(input *in, const char *source, const char *format, inlay_app **app, inlay_diag *diag)
{
    const format_row *streamed = NULL;
    int status = find_streamed(in, format, &streamed, diag);
    if (status != INLAY_OK || streamed != NULL) {
        return status != INLAY_OK ? status : streamed->from_input(in, source, app, diag);
    }
    file_content content;
    status = input_rest(in, &content, diag);
    if (status == INLAY_OK) {
        status = inlay_app_read_memory(content.data, content.size, source, format, app, diag);
        file_content_clear(&content);
    }
    return status;
}

int app_from_input(input *in, const char *path, const char *format, inlay_app **app, inlay_diag *diag)
{
    const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
    int status = read_input(in, source, format, app, diag);
    if (status == INLAY_OK) {
        input_hash(in, (*app)->sha256);
    }
    return status;
}

int inlay_app_read(const char *path, const char *format, inlay_app **app, inlay_diag *diag)
{
    DIAG_CALL(diag);
    input *in = NULL;
    int status = input_open(path, &in, diag);
    if (status == INLAY_OK) {
        status = app_from_input(in, path, format, app, diag);
    }
    input_close(in);
    return status;
}

/* ---- Writing ---- */

static int write_text(const format_row *row, const inlay_app *app, const char *path, inlay_diag *diag)
{
    text_buffer out = {0};
    int status = row->to(app, &out, diag);
    if (status == INLAY_OK) {
        status = out.failed ? diag_no_memory(diag) : file_write(path, out.data, out.size, diag);
    }
    text_clear(&out);
    return status;
}

static int write_output(const format_row *row, const inlay_app *app, const char *path, inlay_diag *diag)
{
    inlay_file *out = NULL;
    int status = inlay_file_open(path, &out, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = row->to_output(app, out, diag);
    if (status != INLAY_OK) {
        inlay_file_abandon(out);
        return status;
    }
    return inlay_file_close(out, diag);
}

int inlay_app_write(const inlay_app *app, const char *path, const char *format, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const format_row *row = format != NULL ? row_by_name(format, writes, diag) : row_by_extension(path, writes);
    if (format != NULL && row == NULL) {
        return INLAY_BAD_ARGUMENT;
    }
    row = row == NULL ? &rows[0] : row;
    return row->to_output != NULL ? write_output(row, app, path, diag) : write_text(row, app, path, diag);
}

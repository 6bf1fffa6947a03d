/* Lines and numbers of files that describe grids, machines and owners. */
#include "io/grid/text.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/plain.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Numbers ---- */

bool grid_text_number(const char *text, double *number)
{
    inlay_decimal decimal;
    if (inlay_decimal_parse(text, &decimal) != INLAY_OK || decimal.digits < 0) {
        return false;
    }
    *number = inlay_decimal_double(decimal);
    return true;
}

bool grid_text_bytes(const char *text, int64_t *bytes)
{
    int64_t value;
    if (inlay_bytes_parse(text, &value) != INLAY_OK || value < 1) {
        return false;
    }
    *bytes = value;
    return true;
}

const char *grid_text_whole(const char *text, bool is_signed, int64_t *number)
{
    const char *digits = text + (is_signed && (*text == '-' || *text == '+'));
    char *end;
    if (*digits < '0' || *digits > '9') {
        return NULL;
    }
    errno = 0;
    long long value = strtoll(text, &end, 10);
    *number = value;
    return errno == 0 ? end : NULL;
}

/* ---- Files ---- */

const char *grid_source(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

int grid_lines_open(const char *path, const char *expected, grid_lines *lines, inlay_diag *diag)
{
    lines->source = grid_source(path);
    lines->line = 0;
    lines->diag = diag;
    if (strcmp(path, "-") != 0 && access(path, F_OK) != 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "%s; expected %s", plain_error(errno), expected);
    }
    return input_open(path, &lines->in, diag);
}

int grid_lines_refuse(const grid_lines *lines, const char *format, ...)
{
    enum { ROOM = 512 };
    char text[ROOM];
    va_list arguments;
    va_start(arguments, format);
    (void)plain_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return diag_fail_at(lines->diag, INLAY_BAD_INPUT, lines->source, lines->line, "%s", text);
}

/* ---- Lines ---- */

/* Takes the comment off, and the blanks and the line's end off both ends. */
static char *content_of(char *text)
{
    text[strcspn(text, "#")] = '\0';
    return plain_trim(text, " \t\r\n");
}

/* A line of `size` bytes, whose last one is the NUL in place of its newline. */
static int take_line(grid_lines *lines, char *text, size_t size, int (*take)(void *context, char *text), void *context)
{
    lines->line++;
    if (strlen(text) + 1 != size) {
        return grid_lines_refuse(lines, "a byte 0; expected %s", lines->kind);
    }
    text = content_of(text);
    return *text != '\0' ? take(context, text) : INLAY_OK;
}

int grid_lines_take(grid_lines *lines, int (*take)(void *context, char *text), void *context)
{
    char *data;
    size_t size;
    int status = input_lines(lines->in, &data, &size, lines->diag);
    while (status == INLAY_OK && size > 0) {
        for (char *at = data, *end = data + size; at < end && status == INLAY_OK;) {
            char *newline = memchr(at, '\n', (size_t)(end - at));
            *newline = '\0';
            status = take_line(lines, at, (size_t)(newline - at) + 1, take, context);
            at = newline + 1;
        }
        status = status == INLAY_OK ? input_lines(lines->in, &data, &size, lines->diag) : status;
    }
    return status;
}

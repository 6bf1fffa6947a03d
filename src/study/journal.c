/* The journal of a study. */
#include "study/journal.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "study/row.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 200, PIECE = 1 << 18, STEP = 8192 };

static int refuse(const journal *j, const char *what, int why, inlay_diag *diag)
{
    return diag_fail(diag, INLAY_SYSTEM, "%s: cannot be %s (%s)", j->path, what, plain_error(why));
}

/* ---- Its first line ---- */

static size_t header_text(const journal_subject *of, int64_t complete, char text[HEADER])
{
    int size = plain_print(text, HEADER, "{\"inlay_study\": \"%s\", \"points\": %" PRId64, of->digest, of->points);
    size += complete < 0 ? plain_print(text + size, HEADER - (size_t)size, "}\n")
                         : plain_print(text + size, HEADER - (size_t)size, ", \"complete\": %" PRId64 "}\n", complete);
    return (size_t)size;
}

static int refuse_other(const journal *j, inlay_diag *diag)
{
    return diag_fail(diag, INLAY_BAD_INPUT,
                     "%s: has rows of another study, or of applications or machines that have changed since; expected "
                     "those of this one, another output, or --restart to forget them",
                     j->path);
}

/* Whether the text begins a header as one that was written when its run ended does. */
static bool is_torn(const char *text, size_t size)
{
    static const char begin[] = "{\"inlay_study\": \"";
    size_t least = size < sizeof begin - 1 ? size : sizeof begin - 1;
    return memcmp(text, begin, least) == 0;
}

/* What the first line says; `*size` is 0 where there is none yet. */
static int read_header(journal *j, const journal_subject *of, size_t *size, inlay_diag *diag)
{
    char text[HEADER + 1], wanted[HEADER];
    ssize_t got = pread(j->file, text, HEADER, 0);
    if (got < 0) {
        return refuse(j, "read", errno, diag);
    }
    text[got] = '\0';
    const char *end = memchr(text, '\n', (size_t)got);
    *size = end != NULL ? (size_t)(end - text) + 1 : 0;
    if (end == NULL) {
        bool torn = got < HEADER && is_torn(text, (size_t)got);
        return torn ? INLAY_OK
                    : diag_fail_at(diag, INLAY_BAD_INPUT, j->path, 1,
                                   "this is no journal of a study; expected its first "
                                   "line, or another output");
    }
    if (!is_torn(text, *size)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, j->path, 1,
                            "this is no journal of a study; expected its first line, or another output");
    }
    size_t length = header_text(of, -1, wanted);
    if (length == *size && memcmp(text, wanted, length) == 0) {
        return INLAY_OK;
    }
    static const char complete[] = ", \"complete\": ";
    const char *rest = text + length - 2; /* behind what both have */
    if (*size <= length || memcmp(text, wanted, length - 2) != 0 || strncmp(rest, complete, sizeof complete - 1) != 0) {
        return refuse_other(j, diag);
    }
    j->complete = strtoll(rest + sizeof complete - 1, NULL, 10);
    return INLAY_OK;
}

/* ---- Opening ---- */

static int cut(journal *j, off_t size, inlay_diag *diag)
{
    int end;
    do {
        end = ftruncate(j->file, size);
    } while (end != 0 && errno == EINTR);
    j->size = size;
    return end == 0 ? INLAY_OK : refuse(j, "cut", errno, diag);
}

/* The end of the last whole line, from the end backwards. */
static int find_end(journal *j, inlay_diag *diag)
{
    struct stat of;
    char piece[STEP];
    if (fstat(j->file, &of) != 0) {
        return refuse(j, "read", errno, diag);
    }
    for (off_t end = of.st_size; end > 0;) {
        off_t from = end > STEP ? end - STEP : 0;
        ssize_t got = pread(j->file, piece, (size_t)(end - from), from);
        if (got != end - from) {
            return refuse(j, "read", got < 0 ? errno : EIO, diag);
        }
        while (end > from && piece[end - from - 1] != '\n') {
            end--;
        }
        if (end > from) {
            j->size = end;
            return end < of.st_size ? cut(j, end, diag) : INLAY_OK;
        }
    }
    return cut(j, 0, diag);
}

static int write_all(const journal *j, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(j->file, data, size);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        data += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return 0;
}

static int begin(journal *j, const journal_subject *of, inlay_diag *diag)
{
    char text[HEADER];
    size_t size = header_text(of, -1, text);
    int status = cut(j, 0, diag);
    j->complete = -1;
    return status == INLAY_OK ? journal_add(j, text, size, diag) : status;
}

static int take_up(journal *j, const journal_subject *of, int how, inlay_diag *diag)
{
    size_t header = 0;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(j->file, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
        return diag_fail(diag, INLAY_SYSTEM, "%s: another run is writing it; expected that to end first", j->path);
    }
    int status = (how & JOURNAL_RESTART) != 0 ? INLAY_OK : read_header(j, of, &header, diag);
    if (status != INLAY_OK) {
        return status;
    }
    return header == 0 ? begin(j, of, diag) : find_end(j, diag);
}

int journal_open(journal *j, const char *path, const journal_subject *of, int how, inlay_diag *diag)
{
    *j = (journal){.file = -1, .path = memory_string(path), .complete = -1};
    if (j->path == NULL) {
        return diag_no_memory(diag);
    }
    j->file = open(path, O_RDWR | O_APPEND | O_CLOEXEC | (how != 0 ? O_CREAT : 0), 0666);
    int status = j->file < 0 ? refuse(j, "written", errno, diag) : take_up(j, of, how, diag);
    if (status != INLAY_OK) {
        journal_close(j);
    }
    return status;
}

void journal_close(journal *j)
{
    if (j->file >= 0 && j->path != NULL) {
        (void)close(j->file);
    }
    free(j->path);
    *j = (journal){.file = -1};
}

/* ---- Reading ---- */

int journal_read(const journal *j, off_t at, size_t size, char *to, inlay_diag *diag)
{
    while (size > 0) {
        ssize_t got = pread(j->file, to, size, at);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            return refuse(j, "read", got < 0 ? errno : EIO, diag);
        }
        at += got > 0 ? got : 0;
        to += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return INLAY_OK;
}

/* A walk: a piece of the file with whole lines at its beginning. */
typedef struct walk {
    const journal *j;
    const journal_subject *of;
    journal_visitor *visit;
    void *context;
    char *piece;
    size_t room, held;
    off_t at; /* of the piece in the file */
    long line;
} walk;

static int take_line(walk *w, const char *row, size_t size, inlay_diag *diag)
{
    w->line++;
    if (w->line == 1) {
        return INLAY_OK;
    }
    int64_t point = row_point(row, size);
    if (point < 0 || point >= w->of->points) {
        return diag_fail_at(
            diag, INLAY_BAD_INPUT, w->j->path, w->line,
            "this is no row of the study; expected a line {\"point\": ...}, or --restart to forget all of "
            "them");
    }
    return w->visit(w->context, point, w->at + (row - w->piece), size, row);
}

/* The lines in the piece; what is left of it goes to its beginning. */
static int take_lines(walk *w, inlay_diag *diag)
{
    char *row = w->piece, *end = w->piece + w->held, *newline;
    int status = INLAY_OK;
    while (status == INLAY_OK && (newline = memchr(row, '\n', (size_t)(end - row))) != NULL) {
        status = take_line(w, row, (size_t)(newline - row), diag);
        row = newline + 1;
    }
    w->held = (size_t)(end - row);
    w->at += row - w->piece;
    memmove(w->piece, row, w->held);
    return status;
}

int journal_walk(const journal *j, const journal_subject *of, journal_visitor *visit, void *context, inlay_diag *diag)
{
    walk w = {.j = j, .of = of, .visit = visit, .context = context};
    int status = INLAY_OK;
    while (status == INLAY_OK && w.at + (off_t)w.held < j->size) {
        if (!memory_grow((void **)&w.piece, &w.room, w.held + PIECE, 1)) {
            status = diag_no_memory(diag);
            break;
        }
        off_t left = j->size - w.at - (off_t)w.held;
        size_t next = left < PIECE ? (size_t)left : PIECE;
        status = journal_read(j, w.at + (off_t)w.held, next, w.piece + w.held, diag);
        w.held += next;
        status = status == INLAY_OK ? take_lines(&w, diag) : status;
    }
    free(w.piece);
    return status;
}

/* ---- Writing ---- */

int journal_add(journal *j, const char *rows, size_t size, inlay_diag *diag)
{
    int why = write_all(j, rows, size);
    if (why != 0) {
        (void)cut(j, j->size, NULL);
        return refuse(j, "written", why, diag);
    }
    j->size += (off_t)size;
    return INLAY_OK;
}

int journal_complete(journal *j, const journal_subject *of, int64_t bytes, inlay_diag *diag)
{
    char text[HEADER];
    size_t size = header_text(of, bytes, text);
    return file_write(j->path, text, size, diag);
}

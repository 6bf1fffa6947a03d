/* The pieces of a file: each rank reads its own bytes of a plain file; of a packed one rank 0 passes them on. */
#include "irregular/mesh/text.h"
#include "base/diag.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/plain.h"
#include "irregular/exchange/collective.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the piece of rank r begins, but for the end of its line. */
static int64_t share(int64_t size, int ranks, int rank)
{
    return size / ranks * rank + size % ranks * rank / ranks;
}

/* ---- Plain files ---- */

static int refuse(const mesh_text *text, inlay_diag *diag)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0, "cannot be read (%s); expected a file",
                        plain_error(errno));
}

/* Reads exactly `size` bytes at `from`. */
static int read_at(const mesh_text *text, int file, int64_t from, size_t size, char *data, inlay_diag *diag)
{
    enum { MOST = 1 << 30 };
    while (size > 0) {
        ssize_t got = pread(file, data, size < MOST ? size : MOST, (off_t)from);
        if (got < 0 && errno != EINTR) {
            return refuse(text, diag);
        }
        if (got == 0) {
            return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0,
                                "became shorter while it was read; expected a file that stays as it is");
        }
        if (got > 0) {
            from += got;
            data += got;
            size -= (size_t)got;
        }
    }
    return INLAY_OK;
}

/* The first beginning of a line at or behind `from`, of a file of `size` bytes. */
static int line_begin(const mesh_text *text, int file, int64_t from, int64_t size, int64_t *begin, inlay_diag *diag)
{
    enum { PIECE = 1 << 14 };
    char piece[PIECE];
    if (from == 0) {
        *begin = 0;
        return INLAY_OK;
    }
    for (int64_t at = from - 1; at < size; at += PIECE) {
        size_t length = size - at < PIECE ? (size_t)(size - at) : PIECE;
        int status = read_at(text, file, at, length, piece, diag);
        const char *newline = status == INLAY_OK ? memchr(piece, '\n', length) : NULL;
        if (status != INLAY_OK || newline != NULL) {
            *begin = newline != NULL ? at + (newline - piece) + 1 : size;
            return status;
        }
    }
    *begin = size;
    return INLAY_OK;
}

static int read_piece(mesh_text *text, int file, int64_t size, inlay_diag *diag)
{
    int ranks = collective_ranks(text->comm), rank = collective_rank(text->comm);
    int64_t begin = 0, end = 0;
    int status = line_begin(text, file, share(size, ranks, rank), size, &begin, diag);
    status = status == INLAY_OK ? line_begin(text, file, share(size, ranks, rank + 1), size, &end, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    text->size = (size_t)(end - begin);
    text->data = memory_array(text->size + 2, 1); /* a newline that the last line lacks, and a NUL */
    if (text->data == NULL) {
        return diag_no_memory(diag);
    }
    return read_at(text, file, begin, text->size, text->data, diag);
}

static int read_plain(mesh_text *text, int64_t size, inlay_diag *diag)
{
    int file = open(text->from, O_RDONLY | O_CLOEXEC);
    int status = file < 0 ? refuse(text, diag) : read_piece(text, file, size, diag);
    if (file >= 0) {
        (void)close(file);
    }
    if (status == INLAY_OK && text->size > 0 && text->data[text->size - 1] != '\n') {
        text->data[text->size++] = '\n';
    }
    return status;
}

/* ---- Packed files ---- */

/* Rank 0 unpacks twice: to learn the size, and to send each rank its lines, in messages that end with an empty one. */
typedef struct packed {
    mesh_text *text;
    MPI_Comm comm; /* a copy of the caller's, for messages between two ranks */
    size_t room;   /* of text->data */
    int64_t size;  /* of the file unpacked */
    int64_t sent;
    int to; /* the rank whose lines are read */
} packed;

enum { LARGEST = 1 << 16 /* bytes of a message */ };

static int append(packed *p, const char *data, size_t size, inlay_diag *diag)
{
    mesh_text *text = p->text;
    if (!memory_grow((void **)&text->data, &p->room, text->size + size + 1, 1)) {
        return diag_no_memory(diag);
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
    return INLAY_OK;
}

static int pass_on(packed *p, const char *data, size_t size, inlay_diag *diag)
{
    p->sent += (int64_t)size;
    if (p->to == 0) {
        return append(p, data, size, diag);
    }
    while (size > 0) {
        int piece = size < LARGEST ? (int)size : LARGEST;
        MPI_Send(data, piece, MPI_BYTE, p->to, 0, p->comm);
        data += piece;
        size -= (size_t)piece;
    }
    return INLAY_OK;
}

static void finish_rank(packed *p)
{
    if (p->to > 0) {
        MPI_Send(NULL, 0, MPI_BYTE, p->to, 0, p->comm);
    }
    p->to++;
}

/* Whole lines: those that begin behind the share of a rank are the next one's. */
static int divide(packed *p, const char *lines, size_t size, inlay_diag *diag)
{
    int ranks = collective_ranks(p->comm), status = INLAY_OK;
    while (size > 0 && status == INLAY_OK) {
        int64_t left = share(p->size, ranks, p->to + 1) - p->sent;
        size_t mine = size;
        if (p->to + 1 < ranks && left <= (int64_t)size) {
            const char *newline = left > 0 ? memchr(lines + left - 1, '\n', size - (size_t)left + 1) : NULL;
            mine = newline != NULL ? (size_t)(newline - lines) + 1 : left > 0 ? size : 0;
        }
        status = pass_on(p, lines, mine, diag);
        lines += mine;
        size -= mine;
        if (p->to + 1 < ranks && p->sent >= share(p->size, ranks, p->to + 1)) {
            finish_rank(p);
        }
    }
    return status;
}

/* Unpacks the file: counts its bytes, or divides its lines. */
static int unpack(packed *p, bool sends, inlay_diag *diag)
{
    input *in = NULL;
    char *lines = NULL;
    size_t size = 1;
    int status = input_open_named(p->text->from, p->text->path, &in, diag);
    while (status == INLAY_OK && size > 0) {
        status = input_lines(in, &lines, &size, diag);
        if (status == INLAY_OK && sends) {
            status = divide(p, lines, size, diag);
        } else if (status == INLAY_OK) {
            p->size += (int64_t)size;
        }
    }
    input_close(in);
    return status;
}

/* Takes what rank 0 sends, to the end, also where there is no room for it. */
static int receive(packed *p, inlay_diag *diag)
{
    char piece[LARGEST];
    int status = INLAY_OK, size = 1;
    while (size > 0) {
        MPI_Status envelope;
        MPI_Recv(piece, LARGEST, MPI_BYTE, 0, 0, p->comm, &envelope);
        MPI_Get_count(&envelope, MPI_BYTE, &size);
        status = status == INLAY_OK ? append(p, piece, (size_t)size, diag) : status;
    }
    return status;
}

static int read_packed(mesh_text *text, inlay_diag *diag)
{
    packed p = {.text = text};
    int rank = collective_rank(text->comm), ranks = collective_ranks(text->comm);
    int status = rank == 0 ? unpack(&p, false, diag) : INLAY_OK;
    status = collective_agree(text->comm, status, diag);
    if (status != INLAY_OK) {
        return status;
    }
    MPI_Comm_dup(text->comm, &p.comm);
    status = append(&p, "", 0, diag);
    if (rank != 0) {
        int received = receive(&p, diag);
        status = status == INLAY_OK ? received : status;
    } else {
        status = status == INLAY_OK ? unpack(&p, true, diag) : status;
        while (p.to < ranks) {
            finish_rank(&p);
        }
    }
    MPI_Comm_free(&p.comm);
    return status;
}

/* ---- Both ---- */

/* On rank 0: size of a plain file, -1 of a packed one. */
static int inspect(const mesh_text *text, int64_t *size, inlay_diag *diag)
{
    struct stat of;
    input *in = NULL;
    if (strcmp(text->from, "-") == 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0,
                            "standard input cannot be read in pieces; expected a file");
    }
    if (stat(text->from, &of) == 0 && !S_ISREG(of.st_mode) && !S_ISDIR(of.st_mode)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, 0,
                            "is a pipe or a device, which cannot be read in pieces; expected a file");
    }
    int status = input_open_named(text->from, text->path, &in, diag);
    if (status == INLAY_OK) {
        *size = input_is_packed(in) ? -1 : (int64_t)input_size_on_disk(in);
        input_close(in);
    }
    return status;
}

int mesh_load(mesh_text *text, inlay_diag *diag)
{
    int64_t size = 0;
    int status = collective_rank(text->comm) == 0 ? inspect(text, &size, diag) : INLAY_OK;
    status = collective_agree(text->comm, status, diag);
    if (status != INLAY_OK) {
        return status;
    }
    MPI_Bcast(&size, 1, MPI_INT64_T, 0, text->comm);
    status = size < 0 ? read_packed(text, diag) : read_plain(text, size, diag);
    return collective_agree(text->comm, status, diag);
}

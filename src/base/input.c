/* A file read piece by piece, through a window that moves over it. */
#include "base/input.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/sha256.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { WINDOW = 1 << 18, RAW = 1 << 16 };

struct input {
    char *path;         /* as messages have it */
    int descriptor;     /* -1: the bytes come from memory */
    const char *memory; /* the caller's, still to be read */
    size_t memory_left;
    size_t on_disk; /* bytes of a regular file */
    sha256 hash;    /* of the raw bytes so far */
    char *window;   /* its bytes from `begin` to `end` are still to be taken; one behind them is free */
    size_t capacity, begin, end;
    bool ended; /* nothing comes behind the window */

    unsigned char *raw; /* packed bytes; NULL where the file is plain */
    z_stream stream;
    int64_t unpacked;
    bool whole; /* the last gzip member came to its end */
};

static int refuse(const input *in, inlay_diag *diag)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, in->path, 0, "cannot be read (%s); expected a file", plain_error(errno));
}

static int refuse_packed(const input *in, inlay_diag *diag)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, in->path, 0,
                        "the gzip data is damaged or cut off; expected a whole gzip file");
}

/* ---- Raw bytes ---- */

static int open_descriptor(input *in, const char *path, inlay_diag *diag)
{
    bool standard = strcmp(path, "-") == 0;
    in->descriptor = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (in->descriptor < 0) {
        return refuse(in, diag);
    }
    struct stat status;
    if (fstat(in->descriptor, &status) != 0) {
        return INLAY_OK;
    }
    if (S_ISDIR(status.st_mode)) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, in->path, 0, "is a directory; expected a file");
    }
    in->on_disk = S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size : 0;
    return INLAY_OK;
}

/* As many bytes as come at once; 0 at the end of the file. */
static int read_raw(input *in, void *to, size_t room, size_t *got, inlay_diag *diag)
{
    if (in->descriptor < 0) {
        *got = in->memory_left < room ? in->memory_left : room;
        memcpy(to, in->memory, *got);
        in->memory += *got;
        in->memory_left -= *got;
        return INLAY_OK;
    }
    ssize_t count;
    do {
        count = read(in->descriptor, to, room);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        return refuse(in, diag);
    }
    sha256_add(&in->hash, to, (size_t)count);
    *got = (size_t)count;
    return INLAY_OK;
}

/* ---- The window ---- */

/* At least one byte of room, and one more behind it: first what was taken makes room. */
static int make_room(input *in, inlay_diag *diag)
{
    if (in->begin > 0) {
        memmove(in->window, in->window + in->begin, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
    }
    return memory_grow((void **)&in->window, &in->capacity, in->end + 2, 1) ? INLAY_OK : diag_no_memory(diag);
}

/* Unpack into the window until something comes out. Several gzip members one behind the other are one text. */
static int unpack(input *in, inlay_diag *diag)
{
    size_t before = in->end;
    while (in->end == before && !in->ended) {
        if (in->stream.avail_in == 0) {
            size_t got = 0;
            int status = read_raw(in, in->raw, RAW, &got, diag);
            if (status != INLAY_OK) {
                return status;
            }
            in->stream.next_in = in->raw;
            in->stream.avail_in = (unsigned)got;
            in->ended = got == 0;
            if (in->ended) {
                return in->whole ? INLAY_OK : refuse_packed(in, diag);
            }
        }
        if (in->whole && inflateReset(&in->stream) != Z_OK) {
            return refuse_packed(in, diag);
        }
        size_t room = in->capacity - in->end - 1;
        in->stream.next_out = (unsigned char *)in->window + in->end;
        in->stream.avail_out = room > WINDOW ? WINDOW : (unsigned)room;
        unsigned offered = in->stream.avail_out;
        int state = inflate(&in->stream, Z_NO_FLUSH);
        in->end += offered - in->stream.avail_out;
        in->unpacked += offered - in->stream.avail_out;
        in->whole = state == Z_STREAM_END;
        if (in->unpacked > diag_most_unpacked(diag)) {
            return diag_too_large(diag, in->path);
        }
        if (state == Z_MEM_ERROR) {
            return diag_no_memory(diag);
        }
        if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) {
            return refuse_packed(in, diag);
        }
    }
    return INLAY_OK;
}

/* More bytes into the window, unless the file has ended. */
static int fill(input *in, inlay_diag *diag)
{
    if (in->ended) {
        return INLAY_OK;
    }
    int status = make_room(in, diag);
    if (status != INLAY_OK || in->raw != NULL) {
        return status != INLAY_OK ? status : unpack(in, diag);
    }
    size_t got = 0;
    status = read_raw(in, in->window + in->end, in->capacity - in->end - 1, &got, diag);
    in->end += got;
    in->ended = status == INLAY_OK && got == 0;
    return status;
}

/* ---- Opening and closing ---- */

/* The bytes in the window were packed: they are what is unpacked first. */
static int begin_unpacking(input *in, inlay_diag *diag)
{
    in->raw = memory_array(RAW, 1);
    if (in->raw == NULL || inflateInit2(&in->stream, 15 + 16) != Z_OK) {
        free(in->raw);
        in->raw = NULL;
        return diag_no_memory(diag);
    }
    memcpy(in->raw, in->window, in->end);
    in->stream.next_in = in->raw;
    in->stream.avail_in = (unsigned)in->end;
    in->end = 0;
    in->ended = false;
    return INLAY_OK;
}

/* The first bytes, which tell whether the file is packed. A pipe may give them one by one. */
static int look_at_magic(input *in, inlay_diag *diag)
{
    int status = INLAY_OK;
    while (status == INLAY_OK && in->end < 2 && !in->ended) {
        size_t got = 0;
        status = read_raw(in, in->window + in->end, RAW - in->end, &got, diag);
        in->end += got;
        in->ended = got == 0;
    }
    bool packed = in->end >= 2 && (unsigned char)in->window[0] == 0x1F && (unsigned char)in->window[1] == 0x8B;
    return status == INLAY_OK && packed ? begin_unpacking(in, diag) : status;
}

static input *new_input(const char *path)
{
    input *in = memory_zeroed(1, sizeof *in);
    if (in == NULL) {
        return NULL;
    }
    in->descriptor = -1;
    in->hash = sha256_begin();
    in->path = memory_string(path);
    in->window = memory_array(WINDOW, 1);
    in->capacity = WINDOW;
    if (in->path == NULL || in->window == NULL) {
        input_close(in);
        return NULL;
    }
    return in;
}

static int open_input(const char *path, const char *name, bool as_is, input **opened, inlay_diag *diag)
{
    input *in = new_input(name);
    if (in == NULL) {
        return diag_no_memory(diag);
    }
    int status = open_descriptor(in, path, diag);
    if (status == INLAY_OK && !as_is) {
        status = look_at_magic(in, diag);
    }
    if (status != INLAY_OK) {
        input_close(in);
        return status;
    }
    *opened = in;
    return INLAY_OK;
}

int input_open(const char *path, input **opened, inlay_diag *diag)
{
    return open_input(path, path, false, opened, diag);
}

int input_open_named(const char *path, const char *name, input **opened, inlay_diag *diag)
{
    return open_input(path, name, false, opened, diag);
}

int input_open_as_is(const char *path, input **opened, inlay_diag *diag)
{
    return open_input(path, path, true, opened, diag);
}

int input_open_memory(const char *data, size_t size, input **opened, inlay_diag *diag)
{
    input *in = new_input("");
    if (in == NULL) {
        return diag_no_memory(diag);
    }
    in->memory = data;
    in->memory_left = in->on_disk = size;
    *opened = in;
    return INLAY_OK;
}

void input_close(input *in)
{
    if (in == NULL) {
        return;
    }
    if (in->descriptor >= 0) {
        close(in->descriptor);
    }
    if (in->raw != NULL) {
        inflateEnd(&in->stream);
    }
    free(in->raw);
    free(in->window);
    free(in->path);
    free(in);
}

/* ---- Taking ---- */

int input_peek(input *in, size_t wanted, const char **data, size_t *size, inlay_diag *diag)
{
    int status = INLAY_OK;
    while (status == INLAY_OK && in->end - in->begin < wanted && !in->ended) {
        status = fill(in, diag);
    }
    *data = in->window + in->begin;
    *size = in->end - in->begin;
    return status;
}

void input_skip(input *in, size_t size)
{
    in->begin += size;
}

/* How many bytes of the window are whole lines; `known` of them were seen to hold no newline. */
static size_t whole_lines(const input *in, size_t known)
{
    size_t size = in->end - in->begin;
    while (size > known && in->window[in->begin + size - 1] != '\n') {
        size--;
    }
    return size > known ? size : 0;
}

int input_lines(input *in, char **data, size_t *size, inlay_diag *diag)
{
    size_t whole = whole_lines(in, 0);
    while (whole == 0 && !in->ended) {
        size_t known = in->end - in->begin;
        int status = fill(in, diag);
        if (status != INLAY_OK) {
            return status;
        }
        whole = whole_lines(in, known);
    }
    if (whole == 0 && in->end > in->begin) {
        in->window[in->end++] = '\n';
        whole = in->end - in->begin;
    }
    *data = in->window + in->begin;
    *size = whole;
    in->begin += whole;
    return INLAY_OK;
}

int input_rest(input *in, file_content *content, inlay_diag *diag)
{
    text_buffer rest = {0};
    int status = INLAY_OK;
    bool more = true;
    while (status == INLAY_OK && more) {
        text_append(&rest, in->window + in->begin, in->end - in->begin);
        in->begin = in->end;
        more = !in->ended && !rest.failed;
        status = more ? fill(in, diag) : INLAY_OK;
    }
    if (status == INLAY_OK && rest.failed) {
        status = diag_no_memory(diag);
    }
    if (status != INLAY_OK) {
        text_clear(&rest);
        return status;
    }
    *content = (file_content){rest.data, rest.size};
    return INLAY_OK;
}

size_t input_size_on_disk(const input *in)
{
    return in->on_disk;
}

bool input_is_packed(const input *in)
{
    return in->raw != NULL;
}

void input_hash(const input *in, char hex[65])
{
    sha256 hash = in->hash;
    sha256_end(&hash, hex);
}

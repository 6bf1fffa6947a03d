/* A file written piece by piece. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/plain.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <inlay/outputs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PACKED = 1 << 16 };

struct inlay_file {
    char *named;           /* for messages */
    part *file;            /* NULL where the target is written to straight away */
    text_buffer *captured; /* the caller's, in place of any file; NULL: none */
    int descriptor;
    bool no_memory;
    int cause; /* errno of the first failure, 0 none */

    unsigned char *packed; /* NULL where nothing is compressed */
    z_stream stream;
};

/* ---- Paths ---- */

static bool ends_with(const char *path, const char *ending)
{
    size_t size = strlen(path), tail = strlen(ending);
    return size >= tail && strcmp(path + size - tail, ending) == 0;
}

/* "-", or standard output by another name: /dev/stdout, or a link that leads there. */
static bool is_standard_output(const char *path)
{
    struct stat named, standard;
    return strcmp(path, "-") == 0 || (stat(path, &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
                                      named.st_dev == standard.st_dev && named.st_ino == standard.st_ino);
}

/* A device or a pipe cannot be replaced by a rename, nor can a link of the system's own: it is written to. */
static bool is_special(const char *path)
{
    struct stat status;
    bool of_system = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return (of_system && strncmp(path, "/dev/shm/", 9) != 0) ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

/* ---- Opening ---- */

static void free_output(inlay_file *out)
{
    if (out->packed != NULL) {
        deflateEnd(&out->stream);
    }
    free(out->packed);
    free(out->named);
    free(out);
}

/* gzip with no time and no name in its header: same input, same bytes. */
static bool begin_packing(inlay_file *out)
{
    out->packed = memory_array(PACKED, 1);
    if (out->packed != NULL &&
        deflateInit2(&out->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(out->packed);
        out->packed = NULL;
    }
    return out->packed != NULL;
}

/* Returns 0, or what is wrong as an errno. */
static int open_straight(inlay_file *out, bool standard, const char *path)
{
    if (standard) {
        fflush(stdout); /* what the caller printed comes first */
    }
    out->descriptor = standard ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
    return out->descriptor < 0 ? errno : 0;
}

int inlay_file_open(const char *path, inlay_file **opened, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_file *out = memory_zeroed(1, sizeof *out);
    if (out == NULL) {
        return diag_no_memory(diag);
    }
    out->captured = diag_captures(diag);
    if (out->captured != NULL) {
        *opened = out;
        return INLAY_OK;
    }
    bool standard = is_standard_output(path);
    out->named = memory_string(standard ? "standard output" : path);
    if (out->named == NULL || (ends_with(path, ".gz") && !begin_packing(out))) {
        free_output(out);
        return diag_no_memory(diag);
    }
    out->cause = standard || is_special(path) ? open_straight(out, standard, path)
                                              : part_open(path, diag_outputs(diag), &out->file, &out->descriptor);
    if (out->cause != 0) {
        int status = part_refuse(out->named, out->cause, diag);
        free_output(out);
        return status;
    }
    *opened = out;
    return INLAY_OK;
}

/* ---- Writing ---- */

static void write_fully(inlay_file *out, const unsigned char *data, size_t size)
{
    while (size > 0 && out->cause == 0) {
        ssize_t put = write(out->descriptor, data, size);
        if (put >= 0) {
            data += put;
            size -= (size_t)put;
        } else if (errno != EINTR) {
            out->cause = errno;
        }
    }
}

/* Compress what the stream was given, or with Z_FINISH all that is left. */
static void pack(inlay_file *out, int flush)
{
    int state = Z_OK;
    do {
        out->stream.next_out = out->packed;
        out->stream.avail_out = PACKED;
        state = deflate(&out->stream, flush);
        write_fully(out, out->packed, PACKED - out->stream.avail_out);
    } while (out->stream.avail_out == 0);
    out->no_memory = out->no_memory || (flush == Z_FINISH && state != Z_STREAM_END);
}

void inlay_file_put(inlay_file *out, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    if (out->captured != NULL) {
        text_append(out->captured, data, size);
        return;
    }
    if (out->packed == NULL) {
        write_fully(out, bytes, size);
        return;
    }
    while (size > 0) {
        size_t piece = size < PACKED ? size : PACKED;
        out->stream.next_in = (unsigned char *)bytes;
        out->stream.avail_in = (unsigned)piece;
        pack(out, Z_NO_FLUSH);
        bytes += piece;
        size -= piece;
    }
}

/* ---- Closing ---- */

static void give_up(inlay_file *out)
{
    if (out->file != NULL) {
        part_abandon(out->file, out->descriptor);
    } else if (out->captured == NULL) {
        (void)close(out->descriptor);
    }
}

/* Returns 0, or what is wrong as an errno. */
static int put_down(inlay_file *out)
{
    if (out->file != NULL) {
        return part_finish(out->file, out->descriptor);
    }
    return close(out->descriptor) == 0 ? 0 : errno;
}

int inlay_file_close(inlay_file *out, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (out->captured != NULL) {
        int failed = out->captured->failed ? diag_no_memory(diag) : INLAY_OK;
        free_output(out);
        return failed;
    }
    if (out->packed != NULL) {
        pack(out, Z_FINISH);
    }
    if (out->no_memory) {
        inlay_file_abandon(out);
        return diag_no_memory(diag);
    }
    if (out->cause == 0) {
        out->cause = put_down(out);
    } else {
        give_up(out);
    }
    int status = out->cause == 0 ? INLAY_OK : part_refuse(out->named, out->cause, diag);
    free_output(out);
    return status;
}

void inlay_file_abandon(inlay_file *out)
{
    if (out != NULL) {
        give_up(out);
        free_output(out);
    }
}

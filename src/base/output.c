/* A file written piece by piece. */
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): asks for realpath()
#include "base/output.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PACKED = 1 << 16 };

struct output {
    char *named;     /* for messages */
    char *target;    /* the file to replace; NULL where it is written to straight away */
    char *temporary; /* beside the target */
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
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

/* A new file keeps the permissions of the one that it replaces. */
static bool keep_mode(int descriptor, const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || fchmod(descriptor, status.st_mode & 07777) == 0;
}

/* ---- Opening ---- */

static void free_output(output *out)
{
    if (out->packed != NULL) {
        deflateEnd(&out->stream);
    }
    free(out->packed);
    free(out->named);
    free(out->target);
    free(out->temporary);
    free(out);
}

/* gzip with no time and no name in its header: same input, same bytes. */
static bool begin_packing(output *out)
{
    out->packed = memory_array(PACKED, 1);
    if (out->packed != NULL &&
        deflateInit2(&out->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(out->packed);
        out->packed = NULL;
    }
    return out->packed != NULL;
}

/* A link stays a link: the file that it leads to is replaced. false when out of memory. */
static bool open_beside(output *out, const char *path)
{
    char *target = realpath(path, NULL);
    out->target = target == NULL ? memory_string(path) : target;
    text_buffer temporary = {0};
    text_addf(&temporary, "%s.%ld.part", out->target == NULL ? "" : out->target, (long)getpid());
    out->temporary = temporary.data;
    if (out->target == NULL || temporary.failed) {
        return false;
    }
    out->descriptor = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return true;
}

static void open_straight(output *out, bool standard, const char *path)
{
    if (standard) {
        fflush(stdout); /* what the caller printed comes first */
    }
    out->descriptor = standard ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
}

static int refuse(const output *out, inlay_diag *diag)
{
    return diag_fail_at(diag, INLAY_SYSTEM, out->named, 0, "cannot be written (%s)", strerror(out->cause));
}

int output_open(const char *path, output **opened, inlay_diag *diag)
{
    output *out = memory_zeroed(1, sizeof *out);
    if (out == NULL) {
        return diag_no_memory(diag);
    }
    bool standard = is_standard_output(path);
    bool straight = standard || is_special(path);
    out->descriptor = -1;
    out->named = memory_string(standard ? "standard output" : path);
    if (out->named == NULL || (ends_with(path, ".gz") && !begin_packing(out)) ||
        (!straight && !open_beside(out, path))) {
        free_output(out);
        return diag_no_memory(diag);
    }
    if (straight) {
        open_straight(out, standard, path);
    }
    if (out->descriptor < 0) {
        out->cause = errno;
        int status = refuse(out, diag);
        free_output(out);
        return status;
    }
    *opened = out;
    return INLAY_OK;
}

/* ---- Writing ---- */

static void write_fully(output *out, const unsigned char *data, size_t size)
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
static void pack(output *out, int flush)
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

void output_put(output *out, const void *data, size_t size)
{
    const unsigned char *bytes = data;
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

static void fail(output *out)
{
    out->cause = out->cause == 0 ? errno : out->cause;
}

int output_close(output *out, inlay_diag *diag)
{
    if (out->packed != NULL) {
        pack(out, Z_FINISH);
    }
    bool good = out->cause == 0 && !out->no_memory;
    if (good && out->target != NULL && !keep_mode(out->descriptor, out->target)) {
        fail(out);
    }
    if (close(out->descriptor) != 0) {
        fail(out);
    }
    good = good && out->cause == 0;
    if (good && out->target != NULL && rename(out->temporary, out->target) != 0) {
        fail(out);
        good = false;
    }
    if (!good && out->target != NULL) {
        unlink(out->temporary);
    }
    int status = good ? INLAY_OK : out->no_memory ? diag_no_memory(diag) : refuse(out, diag);
    free_output(out);
    return status;
}

void output_abandon(output *out)
{
    if (out == NULL) {
        return;
    }
    close(out->descriptor);
    if (out->target != NULL) {
        unlink(out->temporary);
    }
    free_output(out);
}

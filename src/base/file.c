/* Whole files. */
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): asks for realpath()
#include "base/file.h"
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

enum { CHUNK = 1 << 16 };

void file_content_clear(file_content *content)
{
    free(content->data);
    *content = (file_content){0};
}

bool file_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

static int open_to_read(const char *path, int *descriptor, inlay_diag *diag)
{
    if (strcmp(path, "-") == 0) {
        *descriptor = dup(STDIN_FILENO);
    } else {
        *descriptor = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (*descriptor < 0) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "cannot be read (%s); expected a file", strerror(errno));
    }
    struct stat status;
    if (fstat(*descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        close(*descriptor);
        return diag_fail_at(diag, INLAY_BAD_INPUT, path, 0, "is a directory; expected a file");
    }
    return INLAY_OK;
}

static int read_all(int descriptor, text_buffer *into)
{
    char buffer[CHUNK];
    for (;;) {
        ssize_t got = read(descriptor, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return INLAY_BAD_INPUT;
        }
        if (got == 0) {
            text_append(into, "", 0);
            return into->failed ? INLAY_NO_MEMORY : INLAY_OK;
        }
        text_append(into, buffer, (size_t)got);
    }
}

int file_read_raw(const char *path, file_content *content, inlay_diag *diag)
{
    int descriptor;
    int status = open_to_read(path, &descriptor, diag);
    if (status != INLAY_OK) {
        return status;
    }
    text_buffer all = {0};
    status = read_all(descriptor, &all);
    if (status == INLAY_BAD_INPUT) {
        diag_fail_at(diag, status, path, 0, "cannot be read (%s); expected a file", strerror(errno));
    } else if (status == INLAY_NO_MEMORY) {
        diag_no_memory(diag);
    }
    close(descriptor);
    if (status != INLAY_OK) {
        text_clear(&all);
        return status;
    }
    *content = (file_content){all.data, all.size};
    return INLAY_OK;
}

/* Unpack every gzip member of `packed` into `to`; false where the stream is broken. */
static bool unpack(const file_content *packed, text_buffer *to)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) {
        to->failed = true;
        return true;
    }
    unsigned char buffer[CHUNK];
    size_t taken = 0;
    int state = Z_OK;
    bool whole = false;
    while (!to->failed && (state == Z_OK || state == Z_BUF_ERROR)) {
        if (stream.avail_in == 0) {
            size_t left = packed->size - taken;
            stream.next_in = (unsigned char *)packed->data + taken;
            stream.avail_in = left > CHUNK ? CHUNK : (unsigned)left;
            taken += stream.avail_in;
            if (stream.avail_in == 0) {
                break;
            }
        }
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        state = inflate(&stream, Z_NO_FLUSH);
        text_append(to, (const char *)buffer, sizeof buffer - stream.avail_out);
        if (state == Z_STREAM_END) {
            whole = stream.avail_in == 0 && taken == packed->size;
            if (!whole) {
                state = inflateReset(&stream);
            }
        }
    }
    inflateEnd(&stream);
    return whole;
}

int file_read(const char *path, file_content *content, inlay_diag *diag)
{
    char hash[65];
    return file_read_hashed(path, content, hash, diag);
}

int file_read_hashed(const char *path, file_content *content, char hash[65], inlay_diag *diag)
{
    file_content raw;
    int status = file_read_raw(path, &raw, diag);
    if (status != INLAY_OK) {
        return status;
    }
    sha256_hex(raw.data, raw.size, hash);
    bool packed = raw.size >= 2 && (unsigned char)raw.data[0] == 0x1F && (unsigned char)raw.data[1] == 0x8B;
    if (!packed) {
        *content = raw;
        return INLAY_OK;
    }
    text_buffer plain = {0};
    text_append(&plain, "", 0);
    bool whole = unpack(&raw, &plain);
    file_content_clear(&raw);
    if (plain.failed || !whole) {
        bool failed = plain.failed;
        text_clear(&plain);
        return failed ? diag_no_memory(diag)
                      : diag_fail_at(diag, INLAY_BAD_INPUT, path, 0,
                                     "the gzip data is damaged or cut off; expected a "
                                     "whole gzip file");
    }
    *content = (file_content){plain.data, plain.size};
    return INLAY_OK;
}

/* ---- Writing ---- */

static bool write_fully(int descriptor, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t put = write(descriptor, data, size);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return false;
        }
        data += put;
        size -= (size_t)put;
    }
    return true;
}

/* gzip with no time and no name in its header: same input, same bytes. */
static bool pack(const char *data, size_t size, text_buffer *to)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        return false;
    }
    unsigned char buffer[CHUNK];
    size_t taken = 0;
    int state = Z_OK;
    while (state == Z_OK) {
        if (stream.avail_in == 0) {
            size_t left = size - taken;
            stream.next_in = (unsigned char *)data + taken;
            stream.avail_in = left > CHUNK ? CHUNK : (unsigned)left;
            taken += stream.avail_in;
        }
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        state = deflate(&stream, taken == size ? Z_FINISH : Z_NO_FLUSH);
        text_append(to, (const char *)buffer, sizeof buffer - stream.avail_out);
    }
    deflateEnd(&stream);
    return state == Z_STREAM_END && !to->failed;
}

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

static int replace(const char *path, const char *named, const char *data, size_t size, inlay_diag *diag)
{
    text_buffer temporary = {0};
    text_addf(&temporary, "%s.%ld.part", path, (long)getpid());
    if (temporary.failed) {
        text_clear(&temporary);
        return diag_no_memory(diag);
    }
    int descriptor = open(temporary.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool made = descriptor >= 0;
    bool written = made && write_fully(descriptor, data, size) && keep_mode(descriptor, path);
    int cause = errno;
    if (made && close(descriptor) != 0 && written) {
        written = false;
        cause = errno;
    }
    if (written && rename(temporary.data, path) != 0) {
        written = false;
        cause = errno;
    }
    if (made && !written) {
        unlink(temporary.data);
    }
    text_clear(&temporary);
    return written ? INLAY_OK : diag_fail_at(diag, INLAY_SYSTEM, named, 0, "cannot be written (%s)", strerror(cause));
}

/* A link stays a link: the file that it leads to is replaced. */
static int write_beside(const char *path, const char *data, size_t size, inlay_diag *diag)
{
    char *target = realpath(path, NULL);
    int status = replace(target == NULL ? path : target, path, data, size, diag);
    free(target);
    return status;
}

static int write_straight(const char *path, const char *data, size_t size, inlay_diag *diag)
{
    bool standard = is_standard_output(path);
    if (standard) {
        fflush(stdout); /* what the caller printed comes first */
    }
    int descriptor = standard ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CLOEXEC);
    bool written = descriptor >= 0 && write_fully(descriptor, data, size);
    int cause = errno;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return written ? INLAY_OK
                   : diag_fail_at(diag, INLAY_SYSTEM, standard ? "standard output" : path, 0, "cannot be written (%s)",
                                  strerror(cause));
}

int file_write(const char *path, const char *data, size_t size, inlay_diag *diag)
{
    text_buffer packed = {0};
    if (ends_with(path, ".gz")) {
        if (!pack(data, size, &packed)) {
            text_clear(&packed);
            return diag_no_memory(diag);
        }
        data = packed.data;
        size = packed.size;
    }
    int status = is_standard_output(path) || is_special(path) ? write_straight(path, data, size, diag)
                                                              : write_beside(path, data, size, diag);
    text_clear(&packed);
    return status;
}

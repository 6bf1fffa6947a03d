/* Whole files: reading (gzip or plain, "-" for standard input) and writing that appears whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <inlay/status.h>
#include <stdbool.h>

/** What a file held, unpacked; `data` has a NUL behind its last byte. */
typedef struct file_content {
    char *data;
    size_t size;
} file_content;

/** Read a file whole. A missing file, a directory and a broken gzip stream are INLAY_BAD_INPUT `FILE: ...`. */
int file_read(const char *path, file_content *content, inlay_diag *diag);

void file_content_clear(file_content *content);

/** The bytes as they stand on disk (not unpacked). */
int file_read_raw(const char *path, file_content *content, inlay_diag *diag);

/**
 * Write a file whole (inlay/outputs.h): nobody sees half of it, and an old one is kept when writing fails. Compressed where
 * `path` ends in .gz; "-" is standard output.
 */
int file_write(const char *path, const char *data, size_t size, inlay_diag *diag);

/** Whether a path names something that exists and is no directory. */
bool file_exists(const char *path);

/** Whether a path is read but once: "-" for standard input, a pipe or a device. */
bool file_comes_once(const char *path);

/** Lower-case hexadecimal SHA-256 (FIPS 180-4) with a NUL. */
void sha256_hex(const void *data, size_t size, char hex[65]);

#endif

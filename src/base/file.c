/* Whole files. */
#include "base/file.h"
#include "base/input.h"
#include <inlay/outputs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

bool file_comes_once(const char *path)
{
    struct stat status;
    return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

/* The rest of an input that has been opened, which is closed. */
static int read_whole(int status, input *in, file_content *content, inlay_diag *diag)
{
    status = status == INLAY_OK ? input_rest(in, content, diag) : status;
    input_close(in);
    return status;
}

int file_read_raw(const char *path, file_content *content, inlay_diag *diag)
{
    input *in = NULL;
    int status = input_open_as_is(path, &in, diag);
    return read_whole(status, in, content, diag);
}

int file_read(const char *path, file_content *content, inlay_diag *diag)
{
    input *in = NULL;
    int status = input_open(path, &in, diag);
    return read_whole(status, in, content, diag);
}

int file_write(const char *path, const char *data, size_t size, inlay_diag *diag)
{
    inlay_file *out = NULL;
    int status = inlay_file_open(path, &out, diag);
    if (status == INLAY_OK) {
        inlay_file_put(out, data, size);
        status = inlay_file_close(out, diag);
    }
    return status;
}

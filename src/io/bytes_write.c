/* Files of a program that uses the library. */
#include "base/diag.h"
#include "base/file.h"
#include <inlay/io.h>

int inlay_bytes_write(const char *path, const void *bytes, size_t size, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (path == NULL || (bytes == NULL && size > 0)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a file has a name and bytes");
    }
    return file_write(path, bytes, size, diag);
}

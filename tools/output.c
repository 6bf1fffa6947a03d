/* Files that a command writes. */
#include "output.h"
#include "report.h"
#include <inlay/io.h>
#include <string.h>
#include <sys/stat.h>

bool output_is_standard(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* Whether two paths are one file that would be overwritten; by their names where neither is there yet. */
static bool same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    bool there_a = stat(a, &of_a) == 0, there_b = stat(b, &of_b) == 0;
    if (there_a && there_b) {
        return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    }
    a += strncmp(a, "./", 2) == 0 ? 2 : 0;
    b += strncmp(b, "./", 2) == 0 ? 2 : 0;
    return !there_a && !there_b && strcmp(a, b) == 0;
}

/* Whether a path is one of the call's operands or one of the first `count` outputs. */
static bool is_taken(const invocation *call, const char *const *paths, size_t count, const char *path)
{
    for (int i = 0; i < call->operand_count; i++) {
        if (same_file(path, call->operands[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (paths[i] != NULL && same_file(path, paths[i])) {
            return true;
        }
    }
    return false;
}

const char *output_collision(const invocation *call, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (paths[i] != NULL && !output_is_standard(paths[i]) && is_taken(call, paths, i, paths[i])) {
            return paths[i];
        }
    }
    return NULL;
}

int output_write(const char *path, const char *text, size_t size)
{
    inlay_diag *diag = inlay_diag_new();
    int status = diag == NULL ? INLAY_NO_MEMORY : inlay_bytes_write(path, text, size, diag);
    if (diag == NULL) {
        return report_no_memory();
    }
    if (status != INLAY_OK) {
        say(stderr, "%s%s\n", output_is_standard(path) ? "inlay: " : "", inlay_diag_message(diag));
    }
    inlay_diag_free(diag);
    return inlay_exit_status(status);
}

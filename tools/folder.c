/* A folder for files that a command makes on its way. */
#include "folder.h"
#include <errno.h>
#include <inlay/status.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_make(folder *f)
{
    folder made = {.kept = false};
    const char *parent = getenv("TMPDIR");
    int length =
        snprintf(made.path, sizeof made.path, "%s/inlay-XXXXXX", parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (length < 0 || (size_t)length + FOLDER_NAME > sizeof made.path) {
        errno = ENAMETOOLONG;
        return INLAY_SYSTEM;
    }
    if (guard_begin(&made.guard) != 0) {
        return INLAY_SYSTEM;
    }
    /* the guard has the name before there is such a folder */
    if (mkdtemp(strcpy(made.guard.shared->folder, made.path)) == NULL) {
        int why = errno;
        guard_end(&made.guard);
        errno = why;
        return INLAY_SYSTEM;
    }
    strcpy(made.path, made.guard.shared->folder);
    *f = made;
    return INLAY_OK;
}

/* The path from the root: programs take one that begins with a dash for an option. */
static bool make_absolute(const char *path, char absolute[PATH_MAX])
{
    size_t length = 0;
    if (path[0] != '/') {
        if (getcwd(absolute, PATH_MAX) == NULL) {
            return false;
        }
        length = strlen(absolute);
        absolute[length++] = '/';
    }
    if (length + strlen(path) + FOLDER_NAME >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(absolute + length, path);
    return true;
}

int folder_keep(const char *path, folder *f)
{
    folder made = {.kept = true};
    struct stat of;
    if ((mkdir(path, 0777) != 0 && errno != EEXIST) || !make_absolute(path, made.path) || stat(path, &of) != 0) {
        return INLAY_SYSTEM;
    }
    if (!S_ISDIR(of.st_mode)) {
        errno = ENOTDIR;
        return INLAY_SYSTEM;
    }
    if (guard_begin(&made.guard) != 0) {
        return INLAY_SYSTEM;
    }
    *f = made;
    return INLAY_OK;
}

char *folder_file(const folder *f, const char *name, char path[PATH_MAX])
{
    size_t length = strlen(f->path);
    memcpy(path, f->path, length);
    (void)snprintf(path + length, FOLDER_NAME, "/%s", name); /* who made the folder has left room */
    return path;
}

FILE *folder_scratch(const folder *f)
{
    char path[PATH_MAX];
    int file = mkstemp(folder_file(f, "said-XXXXXX", path));
    if (file < 0) {
        return NULL;
    }
    (void)unlink(path);
    FILE *stream = fdopen(file, "w+");
    if (stream == NULL) {
        (void)close(file);
    }
    return stream;
}

bool comes_once(const char *path)
{
    struct stat of;
    return strcmp(path, "-") == 0 || (stat(path, &of) == 0 && !S_ISREG(of.st_mode) && !S_ISDIR(of.st_mode));
}

FILE *open_once(const char *path)
{
    return strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
}

int copy_rest(FILE *from, const char *begin, size_t length, const char *path)
{
    char piece[BUFSIZ];
    FILE *to = fopen(path, "wb");
    bool good = to != NULL && fwrite(begin, 1, length, to) == length;
    for (size_t read; good && (read = fread(piece, 1, sizeof piece, from)) > 0;) {
        good = fwrite(piece, 1, read, to) == read;
    }
    good = good && ferror(from) == 0;
    int why = errno;
    if (to != NULL && fclose(to) != 0 && good) {
        good = false;
        why = errno;
    }
    if (from != stdin) {
        (void)fclose(from);
    }
    errno = why;
    return good ? INLAY_OK : INLAY_SYSTEM;
}

void folder_remove(folder *f)
{
    if (f->path[0] != '\0' && !f->kept) {
        guard_remove_folder(f->path);
    }
    guard_end(&f->guard);
    *f = (folder){.kept = false};
}

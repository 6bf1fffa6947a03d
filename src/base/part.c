/* Files on their way, and sets of them. */
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): asks for getentropy()
#include "base/part.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A signal handler may look at one at any time: it is told by `state` alone whether there is a file to remove. */
enum { MADE, WHOLE, GONE };

struct part {
    part *next;   /* in its set: the one made before it */
    part *behind; /* the one made after it, once they are committed */
    inlay_outputs *together;
    char *named;     /* for messages */
    char *target;    /* the file to replace */
    char *temporary; /* beside it */
    off_t size;      /* once it is whole */
    atomic_int state;
};

struct inlay_outputs {
    _Atomic(part *) last;
};

/* ---- Names ---- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* What a link leads to, seen from where its own path is seen; NULL where that cannot be told, which errno says. */
static char *follow(const char *path, size_t length)
{
    size_t folder = folder_length(path);
    char *to = memory_array(folder + length + 1, 1);
    ssize_t got = to == NULL ? -1 : readlink(path, to + folder, length + 1);
    if (got < 0 || (size_t)got > length) { /* longer than it was a moment ago */
        int why = to == NULL ? ENOMEM : got < 0 ? errno : EAGAIN;
        free(to);
        errno = why;
        return NULL;
    }
    if (got > 0 && to[folder] == '/') {
        memmove(to, to + folder, (size_t)got);
        folder = 0;
    } else {
        memcpy(to, path, folder);
    }
    to[folder + (size_t)got] = '\0';
    return to;
}

/* The path behind all links, whether there is a file or not. */
static char *behind_links(const char *path)
{
    enum { MOST = 40, LONGEST = 1 << 16 };
    errno = ENOMEM;
    char *at = memory_string(path);
    struct stat of;
    for (int links = 0; at != NULL && lstat(at, &of) == 0 && S_ISLNK(of.st_mode); links++) {
        char *next = links < MOST ? follow(at, of.st_size > 0 ? (size_t)of.st_size : LONGEST) : NULL;
        int why = links < MOST ? errno : ELOOP;
        free(at);
        errno = why;
        at = next;
    }
    return at;
}

static const char beginning[] = ".inlay-";
enum { RANDOM = 8 /* bytes */, TEMPORARY = sizeof beginning + (size_t)2 * RANDOM };

static char *name_beside(const char *target)
{
    size_t folder = folder_length(target);
    char *name = memory_array(folder + TEMPORARY, 1);
    if (name != NULL) {
        memcpy(name, target, folder);
        memcpy(name + folder, beginning, sizeof beginning);
    }
    return name;
}

/*
 * Opens a file that is not there yet. Its name stands whole in the part before the file does. It is not mkstemp() that
 * makes it, for only open() gives a new file the mode that the umask leaves; to ask for the umask is to change it, for
 * all threads.
 */
static int open_new(part *of, mode_t mode)
{
    enum { TRIES = 100 };
    char *digits = of->temporary + folder_length(of->temporary) + sizeof beginning - 1;
    int descriptor = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && descriptor < 0 && errno == EEXIST; i++) {
        unsigned char random[RANDOM];
        if (getentropy(random, RANDOM) != 0) {
            return -1;
        }
        for (size_t k = 0; k < RANDOM; k++) {
            (void)snprintf(digits + 2 * k, 3, "%02x", random[k]);
        }
        descriptor = open(of->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    return descriptor;
}

/* ---- One file ---- */

static void part_free(part *of)
{
    if (of != NULL) {
        free(of->named);
        free(of->target);
        free(of->temporary);
        free(of);
    }
}

static part *part_new(const char *path, inlay_outputs *together)
{
    int why = ENOMEM;
    part *of = memory_zeroed(1, sizeof *of);
    if (of != NULL) {
        atomic_init(&of->state, MADE);
        of->together = together;
        of->named = memory_string(path);
        of->target = behind_links(path);
        why = of->target == NULL ? errno : ENOMEM;
        of->temporary = of->target == NULL ? NULL : name_beside(of->target);
    }
    if (of != NULL && (of->named == NULL || of->temporary == NULL)) {
        part_free(of);
        of = NULL;
        errno = why;
    }
    return of;
}

/* Where a part waits for others, its set is what frees it. */
static void let_go(part *of)
{
    atomic_store(&of->state, GONE);
    if (of->together == NULL) {
        part_free(of);
    }
}

static void join(part *of)
{
    if (of->together != NULL) {
        of->next = atomic_load(&of->together->last);
        while (!atomic_compare_exchange_weak(&of->together->last, &of->next, of)) {
        }
    }
}

/* What stands where the file is to be: nothing, or a file whose mode it takes. */
static int open_part(part *of)
{
    struct stat old;
    bool there = stat(of->target, &old) == 0;
    if ((there && S_ISDIR(old.st_mode)) || (!there && errno != ENOENT)) {
        errno = there ? EISDIR : errno;
        return -1;
    }
    int descriptor = open_new(of, there ? S_IRUSR | S_IWUSR : 0666);
    if (descriptor >= 0 && there && fchmod(descriptor, old.st_mode & 07777) != 0) {
        int why = errno;
        (void)close(descriptor);
        (void)unlink(of->temporary);
        errno = why;
        descriptor = -1;
    }
    return descriptor;
}

int part_open(const char *path, inlay_outputs *together, part **made, int *descriptor)
{
    errno = path[0] == '\0' ? ENOENT : ENOMEM;
    part *of = path[0] == '\0' ? NULL : part_new(path, together);
    if (of == NULL) {
        return errno;
    }
    join(of);
    int opened = open_part(of);
    if (opened < 0) {
        int why = errno;
        let_go(of);
        return why;
    }
    *made = of;
    *descriptor = opened;
    return 0;
}

/* Some file systems know no fsync(). */
static bool flush(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* That the folder has a new entry outlasts a power cut as well; one that cannot be read is left to the system. */
static bool flush_folder(part *of)
{
    size_t length = folder_length(of->temporary);
    of->temporary[length] = '\0'; /* nothing has this name any more */
    int folder = open(length == 0 ? "." : of->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = folder < 0 || flush(folder);
    if (folder >= 0) {
        (void)close(folder);
    }
    return good;
}

static int put_in_place(part *of)
{
    if (rename(of->temporary, of->target) != 0) {
        return errno;
    }
    atomic_store(&of->state, GONE);
    return flush_folder(of) ? 0 : errno;
}

static void take_away(part *of)
{
    if (atomic_load(&of->state) != GONE) {
        (void)unlink(of->temporary);
        atomic_store(&of->state, GONE); /* not before: a signal handler would leave it */
    }
}

int part_finish(part *of, int descriptor)
{
    struct stat status;
    int why = flush(descriptor) ? 0 : errno;
    of->size = fstat(descriptor, &status) == 0 ? status.st_size : -1;
    if (close(descriptor) != 0 && why == 0) {
        why = errno;
    }
    if (why == 0 && of->together != NULL) {
        atomic_store(&of->state, WHOLE);
        return 0;
    }
    why = why == 0 ? put_in_place(of) : why;
    take_away(of);
    let_go(of);
    return why;
}

void part_abandon(part *of, int descriptor)
{
    (void)close(descriptor);
    take_away(of);
    let_go(of);
}

/* ---- Several files ---- */

inlay_outputs *inlay_outputs_new(void)
{
    inlay_outputs *outputs = memory_zeroed(1, sizeof *outputs);
    if (outputs != NULL) {
        atomic_init(&outputs->last, NULL);
    }
    return outputs;
}

int64_t inlay_outputs_bytes(const inlay_outputs *outputs, const char *path)
{
    const part *of = atomic_load(&outputs->last);
    while (of != NULL && (atomic_load(&of->state) != WHOLE || strcmp(of->named, path) != 0)) {
        of = of->next;
    }
    return of == NULL ? -1 : of->size;
}

int part_refuse(const char *named, int why, inlay_diag *diag)
{
    return why == ENOMEM ? diag_no_memory(diag)
                         : diag_fail_at(diag, INLAY_SYSTEM, named, 0, "cannot be written (%s)", plain_error(why));
}

/* In the order in which they were opened. */
static part *first_of(inlay_outputs *outputs)
{
    part *first = NULL;
    for (part *of = atomic_load(&outputs->last); of != NULL; of = of->next) {
        of->behind = first;
        first = of;
    }
    return first;
}

int inlay_outputs_commit(inlay_outputs *outputs, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = INLAY_OK;
    for (part *of = first_of(outputs); of != NULL && status == INLAY_OK; of = of->behind) {
        int why = atomic_load(&of->state) == WHOLE ? put_in_place(of) : 0;
        status = why == 0 ? INLAY_OK : part_refuse(of->named, why, diag);
    }
    inlay_outputs_discard(outputs);
    return status;
}

void inlay_outputs_discard(inlay_outputs *outputs)
{
    for (part *of = atomic_load(&outputs->last); of != NULL; of = of->next) {
        take_away(of);
    }
}

void inlay_outputs_free(inlay_outputs *outputs)
{
    if (outputs == NULL) {
        return;
    }
    inlay_outputs_discard(outputs);
    for (part *of = atomic_load(&outputs->last), *next; of != NULL; of = next) {
        next = of->next;
        part_free(of);
    }
    free(outputs);
}

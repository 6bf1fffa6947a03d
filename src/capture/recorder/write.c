/* Logs as files mapped into memory: a chunk at a time. */
#include "capture/recorder/write.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 4 << 20, NAME_ROOM = 4096 };

const char *log_folder(void)
{
    const char *folder = getenv(LOG_FOLDER);
    return folder != NULL && folder[0] != '\0' ? folder : NULL;
}

uint64_t log_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Map the next chunk; false, and the log is closed, where there is none to be had. */
static bool advance(log_writer *w)
{
    if (w->chunk != NULL) {
        (void)munmap(w->chunk, CHUNK);
        w->chunk = NULL;
    }
    if (ftruncate(w->file, w->length + CHUNK) == 0) {
        void *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, w->file, w->length);
        if (chunk != MAP_FAILED) {
            w->chunk = chunk;
            w->next = chunk;
            w->end = w->next + CHUNK / sizeof *w->next;
            w->length += CHUNK;
            return true;
        }
    }
    (void)close(w->file);
    w->open = false;
    return false;
}

void log_open(log_writer *w, const char *recorder, long thread)
{
    char path[NAME_ROOM];
    const char *folder = log_folder();
    if (folder == NULL ||
        snprintf(path, sizeof path, "%s/" LOG_NAME, folder, recorder, (long)getpid(), thread) >= (int)sizeof path) {
        return;
    }
    w->file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    w->open = w->file >= 0;
    if (w->open && advance(w)) {
        _Static_assert(sizeof(log_header) == sizeof(log_record), "the header has the place of a record");
        *(log_header *)(void *)w->next = (log_header){.magic = LOG_MAGIC, .process = getpid(), .thread = thread};
        w->next++;
    }
}

void log_put_at(log_writer *w, uint64_t time, uint32_t kind, uint32_t c, uint64_t a, uint64_t b)
{
    if (w->open && (w->next < w->end || advance(w))) {
        log_record *r = w->next++;
        r->time = time;
        r->a = a;
        r->b = b;
        r->c = c;
        r->kind = kind; /* last: a record without a kind is the end */
    }
}

void log_close(log_writer *w)
{
    if (w->open) {
        int64_t left = (char *)w->end - (char *)w->next;
        (void)munmap(w->chunk, CHUNK);
        (void)ftruncate(w->file, w->length - left);
        (void)close(w->file);
        w->open = false;
    }
}

void log_maps(const char *recorder)
{
    char path[NAME_ROOM], piece[BUFSIZ];
    const char *folder = log_folder();
    if (folder == NULL ||
        snprintf(path, sizeof path, "%s/" LOG_MAPS, folder, recorder, (long)getpid()) >= (int)sizeof path) {
        return;
    }
    int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    for (ssize_t size; from >= 0 && to >= 0 && (size = read(from, piece, sizeof piece)) > 0;) {
        if (write(to, piece, (size_t)size) != size) {
            break;
        }
    }
    if (from >= 0) {
        (void)close(from);
    }
    if (to >= 0) {
        (void)close(to);
    }
}

/* Logs as files mapped into memory: a chunk at a time. */
#include "capture/recorder/write.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static uint64_t clock_of(clockid_t which)
{
    struct timespec now;
    (void)clock_gettime(which, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t log_now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

/* Of this process by the kernel: ns of CLOCK_MONOTONIC, rounded down to a tick; 0: not known. */
static uint64_t process_begin(uint64_t tick)
{
    enum { FIELD = 20 }; /* starttime, from 0 behind the name, in ticks since the computer's start */
    char text[BUFSIZ];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) {
        (void)close(file);
    }
    text[length > 0 ? length : 0] = '\0';
    char *at = strrchr(text, ')');
    for (int i = 0; at != NULL && i < FIELD; i++) {
        at = strchr(at + 1, ' ');
    }
    uint64_t asleep = clock_of(CLOCK_BOOTTIME) - log_now(), begin = at != NULL ? strtoull(at, NULL, 10) * tick : 0;
    return begin > asleep ? begin - asleep : 0;
}

uint64_t log_begin(void)
{
    const char *text = getenv(LOG_BEGIN);
    uint64_t tick = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK), now = log_now();
    uint64_t command = text != NULL ? strtoull(text, NULL, 10) : 0, process = process_begin(tick);
    uint64_t begin = process > command + 2 * tick ? process : command;
    return begin > 0 && begin <= now ? begin : now;
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

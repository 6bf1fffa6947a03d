/* How a recorder that follows a plan reads it, and tells what became of it. */
#ifndef CAPTURE_RECORDER_PLAN_FILE_H
#define CAPTURE_RECORDER_PLAN_FILE_H

#include "capture/plan_log.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The plan that the environment names, `*planned` tasks; NULL where it names none. */
static inline const planned_task *plan_read(int64_t *planned)
{
    const char *path = getenv(PLAN_FILE);
    struct stat about;
    const planned_task *tasks = NULL;
    int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size > 0) {
        void *map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (map != MAP_FAILED) {
            tasks = map;
            *planned = (int64_t)((size_t)about.st_size / sizeof *tasks);
        }
    }
    if (file >= 0) {
        (void)close(file);
    }
    return tasks;
}

/* Of a process that created tasks. */
static inline void plan_tell(const plan_report *report, int64_t created)
{
    const char *path = getenv(PLAN_REPORT);
    int file =
        path != NULL && created > 0 ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR) : -1;
    if (file >= 0) {
        if (write(file, report, sizeof *report) != (ssize_t)sizeof *report) {
            (void)unlink(path);
        }
        (void)close(file);
    }
}

#endif

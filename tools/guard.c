/* A process that tidies up behind one that is killed. */
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): for MAP_ANONYMOUS
#include "guard.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void guard_remove_folder(const char *path)
{
    DIR *list = opendir(path);
    if (list != NULL) {
        const struct dirent *entry;
        while ((entry = readdir(list)) != NULL) {
            (void)unlinkat(dirfd(list), entry->d_name, 0); /* refuses . and .. */
        }
        (void)closedir(list);
        (void)rmdir(path);
    }
}

/* Launchers end what they started when they are asked to; who does not heed it is killed. */
static void end_group(pid_t group)
{
    enum { PATIENCE = 100 /* turns */ };
    const struct timespec turn = {.tv_nsec = 50000000};
    (void)kill(-group, SIGTERM);
    for (int i = 0; i < PATIENCE && kill(-group, 0) == 0; i++) {
        (void)nanosleep(&turn, NULL);
    }
    (void)kill(-group, SIGKILL);
}

/* In a session of its own, deaf to signals, and without the streams whose end somebody may wait for. */
static void watch(guarded *shared, int alive)
{
    char byte;
    sigset_t all;
    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    (void)setsid();
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        (void)close(stream);
    }
    while (read(alive, &byte, 1) < 0 && errno == EINTR) {
    }
    if (shared->group > 0) {
        end_group(shared->group);
    }
    if (shared->folder[0] != '\0') {
        guard_remove_folder(shared->folder);
    }
    _exit(0);
}

int guard_begin(guard *g)
{
    int ends[2] = {-1, -1};
    guarded *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t process = -1;
    if (shared != MAP_FAILED && pipe(ends) == 0) {
        (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC); /* programs that are started must not hold it */
        process = fork();
    }
    if (process == 0) {
        (void)close(ends[1]);
        watch(shared, ends[0]);
    }
    int why = errno;
    (void)close(ends[0]);
    if (process < 0) {
        (void)close(ends[1]);
        (void)munmap(shared, sizeof *shared);
        errno = why;
        return -1;
    }
    *g = (guard){.shared = shared, .process = process, .alive = ends[1]};
    return 0;
}

void guard_end(guard *g)
{
    if (g->shared != NULL) {
        g->shared->folder[0] = '\0';
        (void)close(g->alive);
        while (waitpid(g->process, NULL, 0) < 0 && errno == EINTR) {
        }
        (void)munmap(g->shared, sizeof *g->shared);
    }
    *g = (guard){.alive = -1};
}

/* wait4, which tells the memory of one process, is older than POSIX and no part of it. */
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the C library's own name

#include "program.h"
#include "bench.h"
#include <inlay/status.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool bench_program_found(const char *name)
{
    const char *at = getenv("PATH");
    while (at != NULL && *at != '\0') {
        size_t length = strcspn(at, ":");
        char path[BENCH_PATH];
        (void)snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name);
        if (access(path, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

void bench_mpi_allow(void)
{
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    (void)setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
}

int bench_mpi_program(const char *program, char path[BENCH_PATH])
{
    const char *inlay = getenv("INLAY");
    inlay = inlay != NULL ? inlay : "build/inlay";
    const char *name = strrchr(inlay, '/');
    int folder = name == NULL ? 0 : (int)(name + 1 - inlay);
    int length = snprintf(path, BENCH_PATH, "%.*sbench/%s", folder, inlay, program);
    return length > 0 && length < BENCH_PATH && access(path, X_OK) == 0 ? 0 : -1;
}

/* ---- Running one ---- */

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double in_seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Never returns. execvp changes no argument, although its type does not say so. */
static void become(const char *const *argument, int output)
{
    (void)dup2(output, STDOUT_FILENO);
    (void)execvp(argument[0], (char *const *)argument);
    _exit(127);
}

/* Everything is read, so that the program never waits for us; what has no room is dropped. */
static void read_output(int from, char *output, size_t room)
{
    size_t used = 0;
    char block[4096];
    ssize_t got;
    while ((got = read(from, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
        size_t fits = got < 0 ? 0 : (size_t)got;
        fits = fits < room - 1 - used ? fits : room - 1 - used;
        memcpy(output + used, block, fits);
        used += fits;
    }
    output[used] = '\0';
}

int bench_program_run(const char *const *argument, bench_run *run)
{
    static const double unit = 1024; /* of ru_maxrss, on Linux and the BSDs */
    int ends[2];
    if (fflush(stdout) != 0 || pipe(ends) != 0) {
        return -1;
    }
    double begin = now();
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        become(argument, ends[1]);
    }
    (void)close(ends[1]);
    if (child > 0) {
        read_output(ends[0], run->output, sizeof run->output);
    }
    (void)close(ends[0]);
    int status = -1;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        return -1;
    }
    run->seconds = now() - begin;
    run->worked = in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
    run->bytes = unit * (double)usage.ru_maxrss;
    return 0;
}

double bench_number_after(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    if (at == NULL) {
        return NAN;
    }
    at += strlen(label);
    char *end;
    double number = strtod(at, &end);
    return end == at ? NAN : number;
}

/* ---- A folder ---- */

int bench_folder_make(char folder[BENCH_PATH])
{
    const char *under = getenv("TMPDIR");
    int length =
        snprintf(folder, BENCH_PATH, "%s/inlay-bench-XXXXXX", under == NULL || *under == '\0' ? "/tmp" : under);
    return length < BENCH_PATH && mkdtemp(folder) != NULL ? 0 : -1;
}

void bench_folder_path(const char *folder, const char *file, char path[BENCH_PATH])
{
    (void)snprintf(path, BENCH_PATH, "%s/%s", folder, file);
}

void bench_folder_remove(const char *folder)
{
    DIR *files = opendir(folder);
    if (files == NULL) {
        return;
    }
    for (const struct dirent *file; (file = readdir(files)) != NULL;) {
        (void)unlinkat(dirfd(files), file->d_name, 0); /* refuses "." and ".." */
    }
    (void)closedir(files);
    (void)rmdir(folder);
}

int bench_with_folder(int count, char **argument, int (*run)(const char *folder, bool full))
{
    bool full;
    char folder[BENCH_PATH];
    if (!bench_arguments(count, argument, &full)) {
        return 2;
    }
    if (bench_folder_make(folder) != 0) {
        (void)fprintf(stderr, "%s: no folder for files can be made under TMPDIR or /tmp\n", argument[0]);
        return 3;
    }
    int status = run(folder, full);
    bench_folder_remove(folder);
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s: %s\n", argument[0], inlay_status_text(status));
    }
    return inlay_exit_status(status);
}

/* Files that a command writes. */
#include "output.h"
#include "allowed.h"
#include "endings.h"
#include "report.h"
#include <inlay/inlay.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool output_is_standard(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* The folder that a file is to be made in; returns its name there, NULL where there is no such folder. */
static const char *find_folder(const char *path, struct stat *folder)
{
    char name[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    if (slash != NULL && snprintf(name, PATH_MAX, "%.*s", (int)(slash - path) + 1, path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    return stat(name, folder) == 0 ? slash == NULL ? path : slash + 1 : NULL;
}

/* By folder and name where neither is there yet. */
bool output_is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    bool there_a = stat(a, &of_a) == 0, there_b = stat(b, &of_b) == 0;
    if (there_a != there_b || (there_a && !S_ISREG(of_a.st_mode))) {
        return false;
    }
    const char *name_a = there_a ? "" : find_folder(a, &of_a), *name_b = there_a ? "" : find_folder(b, &of_b);
    if (name_a == NULL || name_b == NULL) {
        return strcmp(a, b) == 0;
    }
    return strcmp(name_a, name_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Whether a path is one of the call's operands or one of the first `count` outputs. */
static bool is_taken(const invocation *call, const char *const *paths, size_t count, const char *path)
{
    for (int i = 0; i < call->operand_count; i++) {
        if (output_is_same(path, call->operands[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (paths[i] != NULL && output_is_same(path, paths[i])) {
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

int output_check_folders(const char *const *paths, size_t count)
{
    struct stat folder;
    for (size_t i = 0; i < count; i++) {
        if (paths[i] != NULL && !output_is_standard(paths[i]) && find_folder(paths[i], &folder) == NULL) {
            say(stderr, "%-s: cannot be written (%s); expected a folder that is there\n", paths[i], strerror(errno));
            return EXIT_SYSTEM;
        }
    }
    return EXIT_DONE;
}

/* ---- Writing ---- */

static inlay_outputs *_Atomic outputs; /* of this program; NULL before the first */
static int failed;                     /* the exit status of the worst that was told; EXIT_DONE: all went well */

/* Only what a signal handler may do: the files on their way are removed, and the signal ends the program as ever. */
static void end_by(int signal)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    inlay_outputs *all = outputs;
    if (all != NULL) {
        inlay_outputs_discard(all);
    }
    (void)sigaction(signal, &usual, NULL);
    (void)raise(signal);
}

/* Those that are ignored stay so. */
static void watch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ};
    struct sigaction ours = {.sa_handler = end_by}, old;
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            (void)sigaction(signals[i], &ours, NULL);
        }
    }
}

inlay_diag *output_diag(void)
{
    if (outputs == NULL) {
        outputs = inlay_outputs_new();
        if (outputs != NULL) {
            watch_signals();
        }
    }
    inlay_diag *diag = outputs != NULL ? new_diag() : NULL;
    if (diag != NULL) {
        inlay_diag_gather(diag, outputs);
    }
    return diag;
}

int output_told(int status, const inlay_diag *diag)
{
    bool refused = status == INLAY_BAD_ARGUMENT;
    if (status == INLAY_OK || (status != INLAY_SYSTEM && status != INLAY_NO_MEMORY && !refused)) {
        return status;
    }
    const char *message = inlay_diag_message(diag);
    bool own =
        message[0] == '\0' || strncmp(message, "standard output", 15) == 0 || status == INLAY_NO_MEMORY || refused;
    say(stderr, "%s%s\n", own ? "inlay: " : "", message[0] != '\0' ? message : inlay_status_text(status));
    failed = refused && failed == EXIT_DONE ? EXIT_USAGE : refused ? failed : EXIT_SYSTEM;
    return INLAY_OK;
}

void output_fail(void)
{
    failed = EXIT_SYSTEM;
}

int64_t output_bytes(const char *path)
{
    return outputs == NULL ? -1 : inlay_outputs_bytes(outputs, path);
}

void output_write(const char *path, const char *text, size_t size)
{
    inlay_diag *diag = output_diag();
    (void)output_told(diag == NULL ? INLAY_NO_MEMORY : inlay_bytes_write(path, text, size, diag), diag);
    inlay_diag_free(diag);
}

void output_print(const char *path, void (*put)(FILE *to, const void *of), const void *of)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = path != NULL ? open_memstream(&text, &size) : NULL;
    if (path == NULL) {
        return;
    }
    bool whole = to != NULL;
    if (whole) {
        put(to, of);
        whole = ferror(to) == 0;
        whole = fclose(to) == 0 && whole;
    }
    if (whole) {
        output_write(path, text, size);
    } else {
        (void)output_told(INLAY_NO_MEMORY, NULL);
    }
    free(text);
}

int output_commit(int status)
{
    status = failed == EXIT_SYSTEM ? failed : status;
    bool whole = status == EXIT_DONE || status == EXIT_NO;
    if (outputs != NULL && whole) {
        inlay_diag *diag = new_diag();
        sigset_t before;
        endings_hold(&before); /* all of them or none */
        (void)output_told(inlay_outputs_commit(outputs, diag), diag);
        endings_release(&before);
        inlay_diag_free(diag);
    }
    inlay_outputs *all = outputs;
    if (all != NULL) {
        inlay_outputs_discard(all);
    }
    outputs = NULL; /* not of a signal handler any more */
    inlay_outputs_free(all);
    return whole && failed != EXIT_DONE ? failed : status;
}

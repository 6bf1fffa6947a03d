/* Programs of the user's that a command starts. */
#include "process.h"
#include "endings.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- Words ---- */

static void add_copy(words *list, const char *text, size_t length)
{
    char **room = realloc(list->word, (list->count + 2) * sizeof *room);
    if (room == NULL) {
        list->failed = true;
        return;
    }
    list->word = room;
    list->word[list->count] = strndup(text, length);
    if (list->word[list->count] == NULL) {
        list->failed = true;
        return;
    }
    list->word[++list->count] = NULL;
}

void words_add(words *list, const char *word)
{
    add_copy(list, word, strlen(word));
}

void words_split(words *list, const char *text)
{
    static const char blanks[] = " \t\n";
    for (text += strspn(text, blanks); *text != '\0'; text += strspn(text, blanks)) {
        size_t length = strcspn(text, blanks);
        add_copy(list, text, length);
        text += length;
    }
}

void words_clear(words *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->word[i]);
    }
    free(list->word);
    *list = (words){0};
}

/* ---- Environment ---- */

extern char **environ;

static bool is_set(const char *setting)
{
    size_t length = strcspn(setting, "=") + 1;
    for (char **own = environ; own != NULL && *own != NULL; own++) {
        if (strncmp(*own, setting, length) == 0) {
            return true;
        }
    }
    return false;
}

static void surroundings(const words *settings, words *all)
{
    for (char **own = environ; own != NULL && *own != NULL; own++) {
        words_add(all, *own);
    }
    for (size_t i = 0; i < settings->count; i++) {
        if (!is_set(settings->word[i])) {
            words_add(all, settings->word[i]);
        }
    }
}

/* ---- Starting ---- */

typedef struct plan {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
} plan;

/* A group of its own, which signals reach as a whole; what the caller holds back is not held back there. */
static int make_plan(plan *p, FILE *output, FILE *errors, const sigset_t *before)
{
    int error = posix_spawn_file_actions_init(&p->files);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&p->attributes);
    if (error != 0) {
        (void)posix_spawn_file_actions_destroy(&p->files);
        return error;
    }
    (void)posix_spawn_file_actions_addopen(&p->files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&p->files, fileno(output), STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&p->files, fileno(errors), STDERR_FILENO);
    (void)posix_spawnattr_setflags(&p->attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setpgroup(&p->attributes, 0);
    (void)posix_spawnattr_setsigmask(&p->attributes, before);
    return 0;
}

static int start(const words *command, const words *settings, FILE *output, FILE *errors, const sigset_t *mask,
                 pid_t *child)
{
    words all = {0};
    plan p;
    surroundings(settings, &all);
    int error = all.failed || command->failed ? ENOMEM : make_plan(&p, output, errors, mask);
    if (error == 0) {
        error = posix_spawnp(child, command->word[0], &p.files, &p.attributes, command->word, all.word);
        (void)posix_spawn_file_actions_destroy(&p.files);
        (void)posix_spawnattr_destroy(&p.attributes);
    }
    words_clear(&all);
    return error;
}

/* ---- Waiting ---- */

/*
 * Until the child has ended. A signal that would end this program goes to the child's group, and once more to this
 * program, where it stays held back; a child that does not heed it is killed.
 */
static int wait_for(pid_t child, const sigset_t *awaited, bool *stopped)
{
    const struct timespec turn = {.tv_sec = 1};
    enum { PATIENCE = 5 /* turns */ };
    int status = 0, asked = 0, turns = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        int signal = sigtimedwait(awaited, NULL, &turn);
        if (signal > 0 && signal != SIGCHLD && asked == 0) {
            asked = signal;
            (void)kill(-child, signal);
        }
        turns += asked != 0 && signal < 0;
        if (turns > PATIENCE) {
            (void)kill(-child, SIGKILL);
        }
    }
    if (asked != 0) {
        (void)kill(-child, SIGTERM); /* who is left of the group */
        (void)raise(asked);
    }
    *stopped = asked != 0;
    return ended < 0 ? -1 : status;
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

process_end process_run(const words *command, const words *settings, FILE *output, FILE *errors)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    struct sigaction inherited;
    sigset_t before, child_too, endings;
    process_end end = {0};
    pid_t child = -1;
    /* the child is waited for as usual, also where this program was started without minding its children */
    (void)sigaction(SIGCHLD, &usual, &inherited);
    sigemptyset(&child_too);
    sigaddset(&child_too, SIGCHLD);
    endings_set(&endings);
    (void)pthread_sigmask(SIG_BLOCK, &child_too, &before);
    sigset_t free_again = before;
    for (int signal = SIGHUP; signal <= SIGTERM; signal++) {
        if (sigismember(&endings, signal) == 1) {
            sigdelset(&free_again, signal);
        }
    }
    double begin = now();
    end.error = start(command, settings, output, errors, &free_again, &child);
    sigaddset(&endings, SIGCHLD);
    int status = end.error == 0 ? wait_for(child, &endings, &end.stopped) : 0;
    end.seconds = now() - begin;
    end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    (void)sigaction(SIGCHLD, &inherited, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return end;
}

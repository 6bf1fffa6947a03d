/* Programs of the user's that a command starts. */
#include "process.h"
#include "endings.h"
#include <errno.h>
#include <fcntl.h>
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

/* What the child needs to become the program. */
typedef struct plan {
    const words *command;
    words environment;
    int input, output, errors;        /* input -1: nothing */
    const sigset_t *endings, *before; /* the signals that end this program; what was held back before */
    guarded *shared;
    const process_follower *by;
    pid_t parent;
} plan;

/* As they were found: this program's own handlers are none of the other's business. */
static void let_endings_through(const plan *p)
{
    sigset_t mask = *p->before;
    for (int ending = SIGHUP; ending <= SIGTERM; ending++) {
        if (sigismember(p->endings, ending) == 1) {
            (void)signal(ending, SIG_DFL);
            sigdelset(&mask, ending);
        }
    }
    (void)sigprocmask(SIG_SETMASK, &mask, NULL);
}

/*
 * In a group of its own, which signals reach as a whole; what the caller holds back is not held back there. The guard
 * knows the group before the program begins; who was killed before that has a child that does not begin.
 */
_Noreturn static void become(const plan *p)
{
    (void)setpgid(0, 0);
    p->shared->group = getpid();
    int input = p->input >= 0 ? p->input : open("/dev/null", O_RDONLY);
    if (getppid() == p->parent && input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(p->output, STDOUT_FILENO) >= 0 &&
        dup2(p->errors, STDERR_FILENO) >= 0) {
        if (p->input < 0) {
            (void)close(input);
        }
        if (p->by != NULL) {
            p->by->begin(p->by->of);
        }
        environ = p->environment.word;
        let_endings_through(p);
        (void)execvp(p->command->word[0], p->command->word);
    }
    p->shared->error = errno;
    _exit(EXIT_FAILURE);
}

static int start(const words *command, const words *settings, plan *p, pid_t *child)
{
    surroundings(settings, &p->environment);
    p->command = command;
    p->parent = getpid();
    p->shared->error = 0;
    bool complete = !p->environment.failed && !command->failed;
    *child = complete ? fork() : -1;
    int error = !complete ? ENOMEM : *child < 0 ? errno : 0;
    if (*child == 0) {
        become(p);
    } else if (*child > 0) {
        (void)setpgid(*child, *child); /* a signal may come before the child has done so */
    }
    words_clear(&p->environment);
    return error;
}

/* ---- Waiting ---- */

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/*
 * Until the child has ended, or is ended when it is too late. A signal that would end this program goes to the child's group, and once more to this
 * program, where it stays held back; a child that does not heed it is killed.
 */
static int wait_for(pid_t child, const sigset_t *awaited, double until, process_end *end)
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
        if (until > 0 && !end->late && asked == 0 && now() > until) {
            end->late = true;
            (void)kill(-child, SIGTERM);
        }
        turns += (asked != 0 || end->late) && signal < 0;
        if (turns > PATIENCE) {
            (void)kill(-child, SIGKILL);
        }
    }
    if (asked != 0 || end->late) {
        (void)kill(-child, SIGTERM); /* who is left of the group */
    }
    if (asked != 0) {
        (void)raise(asked);
    }
    end->stopped = asked != 0;
    return ended < 0 ? -1 : status;
}

process_end process_run(const guard *over, const words *command, const words *settings, FILE *input, FILE *output,
                        FILE *errors, const process_follower *by)
{
    return process_run_within(0, over, command, settings, input, output, errors, by);
}

process_end process_run_within(double seconds, const guard *over, const words *command, const words *settings,
                               FILE *input, FILE *output, FILE *errors, const process_follower *by)
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
    double begin = now();
    plan p = {.input = input != NULL ? fileno(input) : -1,
              .output = fileno(output),
              .errors = fileno(errors),
              .endings = &endings,
              .before = &before,
              .shared = over->shared,
              .by = by};
    end.error = start(command, settings, &p, &child);
    sigaddset(&endings, SIGCHLD);
    int status = end.error == 0 ? wait_for(child, &endings, seconds > 0 ? begin + seconds : 0, &end) : 0;
    over->shared->group = 0;
    end.error = end.error == 0 ? over->shared->error : end.error;
    end.seconds = now() - begin;
    end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    (void)sigaction(SIGCHLD, &inherited, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return end;
}

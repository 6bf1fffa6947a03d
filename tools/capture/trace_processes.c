/*
 * A command's processes, followed by ptrace.
 *
 * Three processes stand between: the child of ours, whose end is the command's; below it the tracer; below that the
 * command. A filter of system calls (seccomp) stops processes at those alone that are of interest; it stays with them for good, and
 * without a tracer these calls would fail. So the tracer follows what outlives the command to its end, and writes no more.
 */
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): for ptrace, pipe2
#include "trace_processes.h"
#include <errno.h>
#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <search.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__
enum { OWN_CALLS = AUDIT_ARCH_X86_64 };
#else
enum { OWN_CALLS = AUDIT_ARCH_AARCH64 };
#endif

/* ---- System calls of interest ---- */

typedef enum meaning { OPENS, WAITS, SUSPENDS, CONNECTS, SHARES } meaning;

static const struct {
    unsigned number;
    meaning is;
    int options; /* which of its words has them; of a call that opens, behind the path; 0: they are not looked at */
} calls[] = {
#ifdef SYS_open
    {SYS_open, OPENS, 1},
    {SYS_creat, OPENS, 0},
    {SYS_pause, SUSPENDS, 0},
#endif
    {SYS_openat, OPENS, 2},
    {SYS_openat2, OPENS, 0},
    {SYS_wait4, WAITS, 2},
    {SYS_waitid, WAITS, 3},
    {SYS_rt_sigsuspend, SUSPENDS, 0},
    {SYS_connect, CONNECTS, 0},
    {SYS_shmat, SHARES, 0},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* In the process that becomes the command: stop at these calls from here on. False where there are no such filters. */
static bool filter_calls(void)
{
    struct sock_filter program[CALLS + 5];
    unsigned short count = 0;
    program[count++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, arch));
    program[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)OWN_CALLS, 0, CALLS + 1);
    program[count++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++) {
        program[count++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, (unsigned char)(CALLS - i), 0);
    }
    program[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    const struct sock_fprog whole = {.len = count, .filter = program};
    const unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW; /* as fast as without a filter */
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &whole) == 0 ||
           (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
            syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &whole) == 0);
}

/* ---- The log ---- */

/* A thread of a process, which has the number of its first. */
typedef struct task {
    pid_t thread, process;
    int call;        /* the row of the system call that it is in; -1: none of these */
    bool idle;       /* what it is told of children it was told without doing anything else */
    bool suspended;  /* it has done nothing but wait for signals since it last started a process */
    uintptr_t about; /* where waitid() puts what it tells; 0: nowhere */
    int64_t cpu;     /* of a first thread: of the process, when it was last asked, in ns */
} task;

typedef struct tracer {
    FILE *log; /* NULL: nothing is written any more */
    task *tasks;
    size_t count, capacity;
    void *written; /* a tree of the files that somebody wrote */
    pid_t command;
    bool filtered;
} tracer;

typedef struct file_id {
    dev_t device;
    ino_t inode;
} file_id;

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (int64_t)time.tv_sec * 1000000000 + time.tv_nsec : -1;
}

static task *find(const tracer *t, pid_t thread)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->tasks[i].thread == thread) {
            return &t->tasks[i];
        }
    }
    return NULL;
}

/* The beginning of a line. */
static void put(const tracer *t, pid_t process, const char *event)
{
    clockid_t clock;
    task *first = find(t, process);
    int64_t cpu = clock_getcpuclockid(process, &clock) == 0 ? nanoseconds(clock) : 0;
    if (first != NULL) {
        cpu = first->cpu = cpu > first->cpu ? cpu : first->cpu;
    }
    (void)fprintf(t->log, "%" PRId64 " %s %ld %" PRId64, nanoseconds(CLOCK_MONOTONIC), event, (long)process, cpu);
}

/* A line that ends there. */
static void put_alone(const tracer *t, pid_t process, const char *event)
{
    put(t, process, event);
    (void)fputc('\n', t->log);
}

static void put_file(const tracer *t, const struct stat *file)
{
    (void)fprintf(t->log, " %ju:%ju", (uintmax_t)file->st_dev, (uintmax_t)file->st_ino);
}

static void put_text(const tracer *t, const char *text)
{
    (void)fputc(' ', t->log);
    for (; *text != '\0'; text++) {
        (void)fprintf(t->log, *text == '\n' || *text == '\\' ? "\\%03o" : "%c", (unsigned char)*text);
    }
    (void)fputc('\n', t->log);
}

static int by_id(const void *a, const void *b)
{
    const file_id *x = a, *y = b;
    int order = (x->device > y->device) - (x->device < y->device);
    return order != 0 ? order : (x->inode > y->inode) - (x->inode < y->inode);
}

/* Whether somebody has written the file; from here on if `now`. */
static bool was_written(tracer *t, const struct stat *file, bool now)
{
    const file_id id = {file->st_dev, file->st_ino};
    if (tfind(&id, &t->written, by_id) != NULL) {
        return true;
    }
    file_id *kept = now ? malloc(sizeof *kept) : NULL;
    if (kept != NULL) {
        *kept = id;
        (void)tsearch(kept, &t->written, by_id);
    }
    return now;
}

enum { LINK = 64 };

/*
 * By the file behind the descriptor: of whatever path, and whoever gave it that. A program may have been given it at its beginning.
 */
static void opened(tracer *t, const task *who, int64_t descriptor, bool given)
{
    char link[LINK], path[PATH_MAX];
    struct stat how, file;
    (void)snprintf(link, sizeof link, "/proc/%ld/fd/%" PRId64, (long)who->thread, descriptor);
    if (lstat(link, &how) != 0 || stat(link, &file) != 0 || !S_ISREG(file.st_mode)) {
        return;
    }
    bool reads = (how.st_mode & S_IRUSR) != 0, writes = (how.st_mode & S_IWUSR) != 0;
    ssize_t length =
        (reads || writes) && was_written(t, &file, writes && !given) ? readlink(link, path, sizeof path - 1) : -1;
    if (length >= 0) {
        path[length] = '\0';
        put(t, who->process, !writes ? "read" : given ? "given" : reads ? "update" : "write");
        put_file(t, &file);
        (void)fprintf(t->log, " %jd", (intmax_t)file.st_size);
        put_text(t, path);
    }
}

/* A file of a process; a NUL stands behind what of it has room. */
static size_t read_of(pid_t process, const char *file, char text[PATH_MAX])
{
    char path[LINK];
    (void)snprintf(path, sizeof path, "/proc/%ld/%s", (long)process, file);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = from >= 0 ? read(from, text, PATH_MAX - 1) : -1;
    if (from >= 0) {
        (void)close(from);
    }
    text[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t)length : 0;
}

/* As it was called, a script too. The kernel keeps 15 bytes of that; what a longer one is stands in the command line. */
static void program_name(pid_t process, char name[PATH_MAX])
{
    enum { KEPT = 15 };
    char line[PATH_MAX];
    size_t length = read_of(process, "comm", name);
    name[length > 0 ? length - 1 : 0] = '\0'; /* there is a newline */
    size_t end = length == KEPT + 1 ? read_of(process, "cmdline", line) : 0;
    for (const char *word = line; word < line + end; word += strlen(word) + 1) {
        const char *slash = strrchr(word, '/'), *base = slash != NULL ? slash + 1 : word;
        if (strncmp(base, name, KEPT) == 0) {
            (void)snprintf(name, PATH_MAX, "%s", base);
            break;
        }
    }
    if (name[0] == '\0') {
        (void)snprintf(name, PATH_MAX, "program");
    }
}

static void executed(tracer *t, const task *who)
{
    static const char *const pipes[] = {"pipe-in", "pipe-out", "pipe-out"};
    pid_t process = who->process;
    char link[LINK], name[PATH_MAX];
    struct stat file = {0};
    (void)snprintf(link, sizeof link, "/proc/%ld/exe", (long)process);
    (void)stat(link, &file);
    program_name(process, name);
    put(t, process, "exec");
    put_file(t, &file);
    (void)fprintf(t->log, " %jd", (intmax_t)file.st_size);
    put_text(t, name);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        (void)snprintf(link, sizeof link, "/proc/%ld/fd/%d", (long)process, i);
        if (stat(link, &file) == 0 && S_ISFIFO(file.st_mode)) {
            put(t, process, pipes[i]);
            put_file(t, &file);
            (void)fputc('\n', t->log);
        } else {
            opened(t, who, i, true);
        }
    }
}

/* ---- Tasks ---- */

static size_t threads_of(const tracer *t, pid_t process)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) {
        count += t->tasks[i].process == process;
    }
    return count;
}

static task *add_task(tracer *t, pid_t thread, pid_t process)
{
    if (t->count == t->capacity) {
        size_t capacity = 2 * t->capacity + 64;
        task *room = realloc(t->tasks, capacity * sizeof *room);
        if (room == NULL) {
            _exit(EXIT_FAILURE); /* and all that is followed with it */
        }
        t->tasks = room;
        t->capacity = capacity;
    }
    t->tasks[t->count] = (task){.thread = thread, .process = process, .call = -1};
    return &t->tasks[t->count++];
}

static void remove_task(tracer *t, pid_t thread)
{
    task *of = find(t, thread);
    if (of != NULL) {
        *of = t->tasks[--t->count];
    }
}

/*
 * A task that was not known: it stops for the first time, or who started it says so, whichever comes first. NULL: it has ended
 * before that was heard.
 */
static task *learn(tracer *t, pid_t thread)
{
    char path[LINK], line[BUFSIZ];
    long process = thread, parent = 0, follower = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/status", (long)thread);
    FILE *status = fopen(path, "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "Tgid:", 5) == 0) {
            process = strtol(line + 5, NULL, 10);
        } else if (strncmp(line, "PPid:", 5) == 0) {
            parent = strtol(line + 5, NULL, 10);
        } else if (strncmp(line, "TracerPid:", 10) == 0) {
            follower = strtol(line + 10, NULL, 10);
        }
    }
    if (status != NULL) {
        (void)fclose(status);
    }
    if (follower != getpid()) {
        return NULL;
    }
    if (process == thread && t->log != NULL) {
        task *by = find(t, (pid_t)parent);
        parent = by != NULL && by->process == by->thread ? by->thread : t->command; /* its own has ended meanwhile */
        put(t, (pid_t)parent, "fork");
        (void)fprintf(t->log, " %ld\n", (long)thread);
        for (size_t i = 0; i < t->count; i++) {
            t->tasks[i].suspended = t->tasks[i].suspended && t->tasks[i].process != parent;
        }
    }
    return add_task(t, thread, (pid_t)process);
}

/* ---- Stops ---- */

/* Most files are only read, and nobody here wrote them, or are not there: such calls are over for us where they begin. */
static bool opens_other(tracer *t, const task *who, const uint64_t *word)
{
    int options = calls[who->call].options;
    char path[PATH_MAX + LINK];
    struct stat file;
    if (options == 0 || (word[options] & (O_ACCMODE | O_CREAT | O_TRUNC)) != O_RDONLY) {
        return false;
    }
    char *name = path + LINK;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): in the memory of the process
    struct iovec to = {name, PATH_MAX - 1}, from = {(void *)(uintptr_t)word[options - 1], PATH_MAX - 1};
    ssize_t length = process_vm_readv(who->thread, &to, 1, &from, 1, 0);
    if (length <= 0 || memchr(name, '\0', (size_t)length) == NULL) {
        return false;
    }
    /* as it stands to the process: behind its root, its folder, or a descriptor */
    char base[LINK];
    int directory = options == 2 ? (int)word[0] : AT_FDCWD;
    int size = name[0] == '/'          ? snprintf(base, sizeof base, "/proc/%ld/root", (long)who->thread)
               : directory == AT_FDCWD ? snprintf(base, sizeof base, "/proc/%ld/cwd/", (long)who->thread)
                                       : snprintf(base, sizeof base, "/proc/%ld/fd/%d/", (long)who->thread, directory);
    memcpy(name - size, base, (size_t)size);
    return stat(name - size, &file) != 0 || !was_written(t, &file, false);
}

static void entered(tracer *t, task *who, const struct __ptrace_syscall_info *info)
{
    uint64_t number = info->op == PTRACE_SYSCALL_INFO_SECCOMP ? info->seccomp.nr : info->entry.nr;
    const uint64_t *word = info->op == PTRACE_SYSCALL_INFO_SECCOMP ? info->seccomp.args : info->entry.args;
    who->call = -1;
    for (int i = 0; i < CALLS && info->arch == OWN_CALLS; i++) {
        who->call = calls[i].number == number ? i : who->call;
    }
    if (who->call < 0) {
        return;
    }
    if (calls[who->call].is == OPENS) {
        who->call = opens_other(t, who, word) ? -1 : who->call;
    } else if (calls[who->call].is == SUSPENDS) {
        who->suspended = true;
    } else if (calls[who->call].is == WAITS) {
        who->idle = (word[calls[who->call].options] & WNOHANG) == 0;
        who->about = number == SYS_waitid ? (uintptr_t)word[2] : 0;
    }
}

/* The child that a call told of; 0: none. */
static pid_t awaited(const task *who, int64_t result)
{
    pid_t child = (pid_t)result;
    if (calls[who->call].number == SYS_waitid) {
        errno = 0;
        long word =
            who->about != 0 ? ptrace(PTRACE_PEEKDATA, who->thread, who->about + offsetof(siginfo_t, si_pid), NULL) : 0;
        child = 0;
        if (errno == 0) {
            memcpy(&child, &word, sizeof child);
        }
    }
    return child;
}

static void left_call(tracer *t, task *who, int64_t result)
{
    pid_t child = calls[who->call].is == WAITS ? awaited(who, result) : 0;
    if (calls[who->call].is == OPENS) {
        opened(t, who, result, false);
    } else if (child > 0) {
        bool idle = (who->idle || who->suspended) && threads_of(t, who->process) == 1;
        put(t, who->process, "wait");
        (void)fprintf(t->log, " %ld %d\n", (long)child, idle);
    } else if (calls[who->call].is == CONNECTS || calls[who->call].is == SHARES) {
        put_alone(t, who->process, calls[who->call].is == CONNECTS ? "socket" : "memory");
    }
}

/* Into a call of interest, or out of it. Returns how the task goes on: up to the end of the call, or as usual. */
static int at_call(tracer *t, task *who)
{
    struct __ptrace_syscall_info info = {0};
    int usual = t->filtered ? PTRACE_CONT : PTRACE_SYSCALL;
    if (t->log == NULL || ptrace(PTRACE_GET_SYSCALL_INFO, who->thread, sizeof info, &info) <= 0) {
        return usual;
    }
    if (info.op != PTRACE_SYSCALL_INFO_EXIT) {
        entered(t, who, &info);
        return who->call >= 0 && calls[who->call].is != SUSPENDS ? PTRACE_SYSCALL : usual;
    }
    if (who->call >= 0 && info.exit.is_error == 0) {
        left_call(t, who, info.exit.rval);
    }
    who->call = -1;
    return usual;
}

static bool stops_group(int signal)
{
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void at_stop(tracer *t, pid_t thread, int status)
{
    int signal = WSTOPSIG(status), event = status >> 16, request = t->filtered ? PTRACE_CONT : PTRACE_SYSCALL;
    unsigned long message = 0;
    task *who = find(t, thread);
    who = who != NULL ? who : learn(t, thread);
    if (who == NULL) {
        return;
    }
    if (signal == (SIGTRAP | 0x80) || event == PTRACE_EVENT_SECCOMP) {
        request = at_call(t, who);
        signal = 0;
    } else if (event == PTRACE_EVENT_STOP) {
        request = stops_group(signal) ? PTRACE_LISTEN : request;
        signal = 0;
    } else if (event != 0) {
        signal = 0;
        (void)ptrace(PTRACE_GETEVENTMSG, thread, NULL, &message);
        if (event != PTRACE_EVENT_EXEC && find(t, (pid_t)message) == NULL) {
            (void)learn(t, (pid_t)message);
        } else if (event == PTRACE_EVENT_EXEC) {
            if ((pid_t)message != thread) {
                remove_task(t, (pid_t)message); /* that thread has become the first */
            }
            who = find(t, thread);
            who->call = -1;
            if (t->log != NULL) {
                executed(t, who);
            }
        }
    }
    (void)ptrace((enum __ptrace_request)request, thread, NULL, signal);
}

/* ---- Following ---- */

/* How the command ended, as shells count, and whether what it started goes on. */
typedef struct result {
    int status;
    bool more;
} result;

/* Nothing is said to anyone from here on. */
static void stay_behind(tracer *t, int told)
{
    DIR *list = opendir("/proc/self/fd");
    (void)close(told);
    (void)setsid();
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        int descriptor = (int)strtol(entry->d_name, NULL, 10);
        if (entry->d_name[0] != '.' && descriptor != dirfd(list)) {
            (void)close(descriptor);
        }
    }
    if (list != NULL) {
        (void)closedir(list);
    }
    t->log = NULL;
}

static void command_ended(tracer *t, const result *end, int told)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->tasks[i].thread == t->tasks[i].process) {
            put_alone(t, t->tasks[i].process, "left");
        }
    }
    put_alone(t, t->command, "end");
    bool good = ferror(t->log) == 0;
    if (fclose(t->log) != 0 || !good) {
        (void)dprintf(STDERR_FILENO, "inlay capture: the log cannot be written: it breaks off\n");
    }
    t->log = NULL;
    if (write(told, end, sizeof *end) == (ssize_t)sizeof *end && end->more) {
        stay_behind(t, told);
    }
}

/* A process has ended, and waits for us to have seen it: its clock still stands. */
static void at_end(tracer *t, pid_t thread, const siginfo_t *how, int told)
{
    task *who = find(t, thread);
    bool process = who != NULL && who->process == thread;
    int status = how->si_code == CLD_EXITED ? how->si_status : 128 + how->si_status;
    if (process && t->log != NULL) {
        put(t, thread, "exit");
        (void)fprintf(t->log, " %d\n", status);
    }
    remove_task(t, thread);
    (void)waitpid(thread, NULL, __WALL | WNOHANG);
    if (thread == t->command && t->log != NULL) {
        const result end = {.status = status, .more = t->count > 0};
        command_ended(t, &end, told);
    }
}

static void follow_all(tracer *t, int told)
{
    siginfo_t how = {0};
    int status;
    while (waitid(P_ALL, 0, &how, WEXITED | WSTOPPED | WNOWAIT | __WALL) == 0 || errno == EINTR) {
        if (how.si_code == CLD_EXITED || how.si_code == CLD_KILLED || how.si_code == CLD_DUMPED) {
            at_end(t, how.si_pid, &how, told);
        } else if (waitpid(how.si_pid, &status, __WALL | WNOHANG) == how.si_pid && WIFSTOPPED(status)) {
            at_stop(t, how.si_pid, status);
        }
    }
}

enum {
    OPTIONS = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
              PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL
};

/* The command waits at the other end until it is followed, and has said whether it stops at calls of interest alone. */
_Noreturn static void trace(const char *folder, pid_t command, int with, int told)
{
    char path[PATH_MAX], filtered = 0;
    tracer t = {.command = command};
    (void)snprintf(path, sizeof path, "%s/processes.%ld.0.log", folder, (long)command);
    t.log = fopen(path, "we");
    if (t.log == NULL || read(with, &filtered, 1) != 1 || ptrace(PTRACE_SEIZE, command, NULL, OPTIONS) != 0) {
        (void)dprintf(STDERR_FILENO, "inlay capture: the command cannot be followed (%s)\n", strerror(errno));
        _exit(EXIT_FAILURE); /* and the command reads no answer */
    }
    t.filtered = filtered != 0;
    (void)fputs("nlaytext\n", t.log);
    (void)add_task(&t, command, command);
    put_alone(&t, command, "start");
    if (!t.filtered) {
        (void)ptrace(PTRACE_INTERRUPT, command, NULL, NULL); /* it goes on to its next call */
    }
    (void)write(with, &filtered, 1);
    (void)close(with);
    follow_all(&t, told);
    _exit(EXIT_SUCCESS);
}

/* What is ours alone: the guard ends when nobody has its pipe any more. */
static void close_ours(void)
{
    DIR *list = opendir("/proc/self/fd");
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        int descriptor = (int)strtol(entry->d_name, NULL, 10);
        int flags = entry->d_name[0] != '.' && descriptor != dirfd(list) ? fcntl(descriptor, F_GETFD) : -1;
        if (flags >= 0 && (flags & FD_CLOEXEC) != 0) {
            (void)close(descriptor);
        }
    }
    if (list != NULL) {
        (void)closedir(list);
    }
}

void trace_processes_begin(void *of)
{
    int told[2], with[2];
    result end = {.status = EXIT_FAILURE};
    close_ours();
    if (pipe2(told, O_CLOEXEC) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, with) != 0) {
        _exit(EXIT_FAILURE);
    }
    pid_t tracing = fork();
    if (tracing != 0) {
        (void)close(told[1]);
        (void)close(with[0]);
        (void)close(with[1]);
        bool known = read(told[0], &end, sizeof end) == (ssize_t)sizeof end;
        if (tracing > 0 && !(known && end.more)) {
            (void)waitpid(tracing, NULL, 0);
        }
        _exit(end.status);
    }
    pid_t command = fork();
    if (command != 0) {
        (void)close(with[1]);
        trace(of, command, with[0], told[1]);
    }
    (void)close(with[0]);
    char filtered = (char)filter_calls();
    if (write(with[1], &filtered, 1) != 1 || read(with[1], &filtered, 1) != 1) {
        _exit(EXIT_FAILURE);
    }
}

bool trace_processes_can(void)
{
    struct __ptrace_syscall_info info;
    int status = 0, why = 0;
    if (access("/proc/self/fd", R_OK) != 0) {
        return false; /* where nothing tells of descriptors, nor of tasks */
    }
    pid_t child = fork();
    if (child == 0) {
        for (;;) {
            (void)pause();
        }
    }
    if (child < 0 || ptrace(PTRACE_SEIZE, child, NULL, OPTIONS) != 0 ||
        ptrace(PTRACE_INTERRUPT, child, NULL, NULL) != 0 || waitpid(child, &status, __WALL) != child ||
        ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info) < 0) {
        why = errno;
    }
    if (child > 0) {
        (void)kill(child, SIGKILL);
        (void)waitpid(child, &status, __WALL);
    }
    errno = why;
    return why == 0;
}

#else

bool trace_processes_can(void)
{
    errno = ENOSYS;
    return false;
}

void trace_processes_begin(void *of)
{
    (void)of;
}

#endif

/* Compilers and launchers of MPI: starting one, and telling what went wrong. */
#include "launcher.h"
#include "allowed.h"
#include "report.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const program_kind mpi_launcher = {"an MPI launcher", "--launcher", "openmpi-bin and libopenmpi-dev"};

void outcome_clear(outcome *o)
{
    if (o->output != NULL) {
        (void)fclose(o->output);
    }
    if (o->errors != NULL) {
        (void)fclose(o->errors);
    }
    *o = (outcome){0};
}

void outcome_copy(FILE *said, FILE *to)
{
    char piece[BUFSIZ];
    size_t size;
    rewind(said);
    while ((size = fread(piece, 1, sizeof piece, said)) > 0) {
        (void)fwrite(piece, 1, size, to);
    }
}

void outcome_show(const invocation *call, const outcome *o)
{
    if (call->common->verbose) {
        outcome_copy(o->output, stderr);
        outcome_copy(o->errors, stderr);
    }
}

/* ---- Telling what went wrong ---- */

int launcher_fail(const invocation *call, const char *format, ...)
{
    char message[2 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    say(stderr, "inlay %s: %-s\n", call->command->name, message);
    return EXIT_SYSTEM;
}

static bool has_letter(const char *line)
{
    bool found = false;
    for (const char *c = line; *c != '\0'; c++) {
        found = found || isalpha((unsigned char)*c) != 0;
    }
    return found;
}

/* The first line with a word, or where `word` is NULL with any; false where there is none. */
bool outcome_line(FILE *said, const char *word, char line[LAUNCHER_LINE])
{
    bool found = false, begins = true;
    rewind(said);
    while (!found && fgets(line, LAUNCHER_LINE, said) != NULL) {
        found = begins && (word != NULL ? strstr(line, word) != NULL : has_letter(line));
        begins = strchr(line, '\n') != NULL;
    }
    line[found ? strcspn(line, "\n") : 0] = '\0';
    return found;
}

/* The line that tells most about a failure. */
static bool telling_line(const outcome *o, char line[LAUNCHER_LINE])
{
    return outcome_line(o->errors, "error", line) || outcome_line(o->errors, NULL, line) ||
           outcome_line(o->output, "error", line) || outcome_line(o->output, NULL, line);
}

static int refuse_start(const invocation *call, const program_kind *kind, const char *program, int error)
{
    if (error == ENOENT) {
        return launcher_fail(call, "there is no program %s; expected %s: install %s (Debian), or name another with %s",
                             program, kind->what, kind->packages, kind->option);
    }
    return launcher_fail(call, "%s cannot be started (%s); expected %s, which %s can name", program, strerror(error),
                         kind->what, kind->option);
}

/* Says how a program ended that did not end well, and the way to its whole text where that is not printed already. */
int launcher_check_end(const invocation *call, const program_kind *kind, const char *command, const outcome *o)
{
    char line[LAUNCHER_LINE];
    const char *more = call->common->verbose ? "" : "; --verbose shows all that it printed";
    if (o->end.stopped) {
        return EXIT_SYSTEM;
    }
    if (o->end.status == 0) {
        return EXIT_DONE;
    }
    return telling_line(o, line)
               ? launcher_fail(call, "%s ended with status %d: %s%s", command, o->end.status, line, more)
               : launcher_fail(call, "%s ended with status %d and printed nothing; expected %s", command, o->end.status,
                               kind->what);
}

/* ---- Files ---- */

int launcher_no_folder(const invocation *call)
{
    return launcher_fail(call, "no private folder can be made (%s); expected TMPDIR or /tmp to be one to write into",
                         strerror(errno));
}

int launcher_in_folder(const invocation *call, folder_work *work, void *of)
{
    folder where = {0};
    sigset_t before;
    endings_hold(&before);
    int end = folder_make(&where) == INLAY_OK ? work(call, &where, &before, of) : launcher_no_folder(call);
    folder_remove(&where);
    endings_release(&before);
    return end;
}

/* The waiting for a pipe is let end by what ends this program; the guard then removes the folder. */
static int copy_once(const char *path, const char *copy)
{
    sigset_t endings, held;
    endings_set(&endings);
    (void)pthread_sigmask(SIG_UNBLOCK, &endings, &held);
    FILE *from = open_once(path);
    int status = from != NULL ? copy_rest(from, "", 0, copy) : INLAY_SYSTEM;
    int why = errno;
    endings_release(&held);
    errno = why;
    return status;
}

int launcher_file(const folder *where, const char *path, const char *name, char plain[PATH_MAX])
{
    if (!comes_once(path)) {
        (void)snprintf(plain, PATH_MAX, "%s", path);
        return EXIT_DONE;
    }
    if (copy_once(path, folder_file(where, name, plain)) == INLAY_OK) {
        return EXIT_DONE;
    }
    int why = errno;
    say(stderr, "%-s: cannot be copied to %s (%s); expected a file, or a pipe and room for what comes\n", path,
        where->path, strerror(why));
    return EXIT_USAGE;
}

/* ---- Starting ---- */

/* Starts a program; `o` is the caller's to clear. */
int launcher_start(const invocation *call, const program_kind *kind, const folder *where, const words *command,
                   const words *settings, outcome *o)
{
    o->output = folder_scratch(where);
    o->errors = folder_scratch(where);
    if (o->output == NULL || o->errors == NULL) {
        return launcher_fail(call, "%s: no file can be made there (%s)", where->path, strerror(errno));
    }
    if (command->failed || settings->failed) {
        return report_no_memory();
    }
    o->end = process_run(&where->guard, command, settings, NULL, o->output, o->errors, NULL);
    return o->end.error != 0 ? refuse_start(call, kind, command->word[0], o->end.error) : EXIT_DONE;
}

/* The first line of what the launcher says it is; MPICH's says no more than that more follows, its version below. */
static void take_version(const outcome *o, char version[LAUNCHER_LINE])
{
    char line[LAUNCHER_LINE];
    if (outcome_line(o->output, NULL, version) && strstr(version, "HYDRA") != NULL &&
        outcome_line(o->output, "Version:", line)) {
        const char *number = strchr(line, ':') + 1;
        (void)snprintf(version, LAUNCHER_LINE, "mpirun (MPICH) %s", number + strspn(number, " \t"));
    }
}

/* One that does not say what it is, or that fails at it, may still launch. */
int launcher_version(const invocation *call, const program_kind *kind, const char *launcher, const folder *where,
                     char version[LAUNCHER_LINE])
{
    words command = {0}, settings = {0};
    outcome o = {0};
    words_split(&command, launcher);
    words_add(&command, "--version");
    int end = launcher_start(call, kind, where, &command, &settings, &o);
    if (end == EXIT_DONE && o.end.status == 0) {
        take_version(&o, version);
    }
    end = o.end.stopped ? EXIT_SYSTEM : end;
    outcome_clear(&o);
    words_clear(&command);
    return end;
}

void launcher_open_mpi(bool hostfile, words *settings)
{
    if (geteuid() == 0) {
        words_add(settings, "OMPI_ALLOW_RUN_AS_ROOT=1");
        words_add(settings, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
    }
    if (!hostfile) {
        words_add(settings, "OMPI_MCA_rmaps_base_oversubscribe=1");
        words_add(settings, "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe"); /* of version 5 */
    }
}

/* This process and what it starts may open so many files; false where they must not. */
static bool allow_files(rlim_t files)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= files) {
        return true;
    }
    limit.rlim_cur = files;
    return files <= limit.rlim_max && setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* With a limit on its memory it ends with a signal, or hangs, where that is too little to begin. Heaps of threads, each of
 * which reserves 64 MiB, would take most of it. */
static int check_memory(const invocation *call, int64_t ranks, words *settings)
{
    enum { OWN = 100, EACH = 1 /* MiB: mpirun 4.1.4 took 83 for 1 to 16 ranks, and 116 for 32 and 60 */ };
    int64_t allowed = memory_allowed(), needed = 1024 * (OWN + EACH * ranks);
    if (allowed == 0) {
        return EXIT_DONE;
    }
    words_add(settings, "MALLOC_ARENA_MAX=1");
    return allowed >= needed ? EXIT_DONE
                             : launcher_fail(call,
                                             "Open MPI needs %" PRId64 " kB of memory for %" PRId64
                                             " rank%s, and this process may have %" PRId64 "; expected ulimit -v, or "
                                             "--max-memory, to be higher",
                                             needed, ranks, ranks == 1 ? "" : "s", allowed);
}

int launcher_prepare(const invocation *call, const char *version, bool hostfile, inlay_id ranks, words *settings)
{
    enum { OWN = 32, EACH = 5 }; /* 30 + 4 a rank are the fewest with which mpirun 4.1.4 has been seen to work */
    if (strstr(version, "Open MPI") == NULL) {
        return EXIT_DONE;
    }
    launcher_open_mpi(hostfile, settings);
    int64_t here = hostfile ? 1 : ranks, files = OWN + EACH * here;
    if (!allow_files((rlim_t)files)) {
        return launcher_fail(call,
                             "Open MPI needs %" PRId64 " open files for %" PRId32
                             " ranks, more than this process may have; expected ulimit -n to be higher",
                             files, ranks);
    }
    return check_memory(call, here, settings);
}

/* Programs of our own that an MPI launcher starts as ranks. */
#include "ranks.h"
#include "allowed.h"
#include "external.h"
#include "report.h"
#include <inttypes.h>
#include <string.h>

int ranks_check(const invocation *call, inlay_id ranks, inlay_id cores)
{
    enum { MOST = 32 /* on a core: more take minutes to start */ };
    if ((ranks - 1) / MOST < cores) {
        return EXIT_DONE;
    }
    return report_usage(call->command,
                        "-n %" PRId32 ": this computer has %" PRId32 " core%s; expected at most %d ranks for each, or "
                        "--hostfile",
                        ranks, cores, cores == 1 ? "" : "s", MOST);
}

static int refuse_missing(const invocation *call, const ranks_program *p)
{
    return launcher_fail(call,
                         "there is no inlay-%s beside this program; expected Inlay to be built where the %s "
                         "installed",
                         p->name, p->packages);
}

int ranks_become(const invocation *call, const ranks_program *p)
{
    call->words[0] = (char *)p->name; /* which nobody writes to */
    external_start(call->argv[0], call->words);
    return refuse_missing(call, p);
}

static int launch_words(const invocation *call, const ranks_program *p, const folder *where, const words *own,
                        words *command)
{
    char text[PATH_MAX];
    int end = EXIT_DONE;
    words_split(command, p->launcher);
    if (p->ranks > 0) {
        (void)snprintf(text, sizeof text, "%" PRId32, p->ranks);
        words_add(command, "-n");
        words_add(command, text);
    }
    if (p->hostfile != NULL) {
        end = launcher_file(where, p->hostfile, "hosts", text);
        words_add(command, "--hostfile");
        words_add(command, text);
    }
    if (end == EXIT_DONE && !external_find(p->name, text)) {
        end = refuse_missing(call, p);
    }
    words_add(command, text);
    for (size_t i = 0; i < own->count; i++) {
        words_add(command, own->word[i]);
    }
    for (int i = 1; call->words[i] != NULL; i++) {
        words_add(command, call->words[i]);
    }
    return end;
}

int ranks_start(const invocation *call, const ranks_program *p, const folder *where, const words *own, words *settings,
                outcome *o)
{
    char version[LAUNCHER_LINE] = "";
    words command = {0};
    int end = launch_words(call, p, where, own, &command);
    end = end == EXIT_DONE ? launcher_version(call, &mpi_launcher, p->launcher, where, version) : end;
    end = end == EXIT_DONE ? launcher_prepare(call, version, p->hostfile != NULL, p->ranks, settings) : end;
    end = end == EXIT_DONE ? launcher_start(call, &mpi_launcher, where, &command, settings, o) : end;
    words_clear(&command);
    return end;
}

bool ranks_copy_own(FILE *said, FILE *to)
{
    char line[BUFSIZ], before[BUFSIZ] = "";
    bool found = false, begins = true, skipped = false, between = false;
    rewind(said);
    while (fgets(line, sizeof line, said) != NULL) {
        if (begins) {
            const char *end = line[0] == '[' ? strchr(line, ']') : NULL;
            bool rule = strncmp(line, "-----", 5) == 0, tagged = end != NULL && memchr(line, ':', (size_t)(end - line));
            tagged = tagged || strncmp(line, "[warn] ", 7) == 0; /* of libevent, in a launcher that ends */
            skipped = rule || between || tagged || strcmp(line, before) == 0;
            between ^= rule;
        }
        if (!skipped) {
            found = true;
            (void)fputs(line, to);
            (void)snprintf(before, sizeof before, "%s", line);
        }
        begins = strchr(line, '\n') != NULL;
    }
    return found;
}

/* What a launcher or a rank does when memory is out, which ends well in no other way. */
static int refuse_memory(const invocation *call, const ranks_program *p, int status, int64_t allowed)
{
    enum { SIGNALLED = 128 };
    const char *signal = status > SIGNALLED ? strsignal(status - SIGNALLED) : "no signal";
    return launcher_fail(call,
                         "%s ended with status %d (%s) where each rank may have %" PRId64 " kB of memory; expected "
                         "ulimit -v, or --max-memory, to be higher",
                         p->launcher, status, signal, allowed);
}

int ranks_pass_on(const invocation *call, const ranks_program *p, const outcome *o)
{
    enum { SIGNALLED = 128, LAST_SIGNAL = 64 /* as shells and launchers count */ };
    if (o->end.stopped) {
        return EXIT_SYSTEM;
    }
    int64_t allowed = memory_allowed();
    if (call->common->verbose) {
        outcome_copy(o->errors, stderr);
    } else if (o->end.status == EXIT_DONE) {
        (void)ranks_copy_own(o->errors, stderr);
    }
    if (o->end.status == EXIT_DONE || call->common->verbose) {
        outcome_copy(o->output, stdout);
    }
    if (o->end.status != EXIT_DONE && allowed > 0) {
        return refuse_memory(call, p, o->end.status, allowed);
    }
    if (o->end.status > SIGNALLED && o->end.status <= SIGNALLED + LAST_SIGNAL) {
        return launcher_fail(call,
                             "%s ended with status %d: a signal ended it or a rank (%s); expected all to run to their "
                             "end",
                             p->launcher, o->end.status, strsignal(o->end.status - SIGNALLED));
    }
    return launcher_check_end(call, &mpi_launcher, p->launcher, o);
}

/*
 * inlay-study: `inlay study` over the ranks of MPI, which a launcher starts with the words of that command. The first rank
 * prints and writes.
 */
#include "affinity.h"
#include "allowed.h"
#include "commands.h"
#include "help.h"
#include "ranks.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void ranks_settle(MPI_Request *request)
{
    enum { LEAST = 20000, MOST = 1000000 /* nanoseconds */ };
    struct timespec pause = {.tv_nsec = LEAST};
    int done = 0;
    for (MPI_Test(request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(request, &done, MPI_STATUS_IGNORE)) {
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec < MOST ? 2 * pause.tv_nsec : MOST;
    }
}

/* Where the launcher does not answer either, this rank ends by itself. */
void ranks_abort(int status)
{
    enum { LONGEST = 10 /* seconds */ };
    (void)fflush(NULL);
    (void)alarm(LONGEST);
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

/* ---- All have the same study ---- */

enum { TOLD = 400 };

/* What each rank tells the first. */
typedef struct account {
    char digest[65]; /* "": it could not read the study */
    char message[TOLD];
    char host[MPI_MAX_PROCESSOR_NAME];
} account;

static int judge(const account *all, int count)
{
    for (int i = 1; i < count; i++) {
        if (all[i].digest[0] == '\0') {
            say(stderr, "inlay study: rank %d on %-s: %-s\n", i, all[i].host, all[i].message);
            return EXIT_USAGE;
        }
        if (strcmp(all[i].digest, all[0].digest) != 0) {
            say(stderr,
                "inlay study: rank %d on %-s has another study; expected the same file, and the same files like its "
                "patterns, on all "
                "hosts\n",
                i, all[i].host);
            return EXIT_USAGE;
        }
    }
    return EXIT_DONE;
}

/* The exit status, the same on all ranks. */
static int compare_accounts(const ranks *r, int read, const inlay_diag *diag)
{
    account own = {0};
    account *all = r->rank == 0 ? calloc((size_t)r->ranks, sizeof *all) : NULL;
    MPI_Request waiting;
    int length, end = EXIT_DONE;
    if (r->study != NULL) {
        strcpy(own.digest, inlay_study_digest(r->study));
    }
    (void)snprintf(own.message, TOLD, "%s", inlay_diag_message(diag));
    MPI_Get_processor_name(own.host, &length);
    if (r->rank == 0 && all == NULL) {
        ranks_abort(report_no_memory());
    }
    MPI_Igather(&own, sizeof own, MPI_CHAR, all, sizeof own, MPI_CHAR, 0, MPI_COMM_WORLD, &waiting);
    ranks_settle(&waiting);
    if (r->rank == 0) {
        end = read != INLAY_OK ? report_end(r->call, read, diag) : judge(all, r->ranks);
    }
    MPI_Ibcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD, &waiting);
    ranks_settle(&waiting);
    free(all);
    return end;
}

static ranks ranks_of(const invocation *call)
{
    const double patience = 60;
    const study_values *values = call->values;
    ranks r = {.call = call,
               .threads = values->rows.common.threads > 0 ? values->rows.common.threads : 1,
               .patience = values->patience > 0 ? values->patience : patience};
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
    return r;
}

/* ---- The whole ---- */

static int answer(const invocation *call, inlay_diag *diag)
{
    inlay_study *study = NULL;
    MPI_Request all;
    ranks r = ranks_of(call);
    int read = study_read(call, &study, diag);
    r.study = study;
    int end = compare_accounts(&r, read, diag);
    if (end == EXIT_DONE) {
        end = r.rank == 0 ? ranks_lead(&r, diag) : ranks_follow(&r);
    }
    end = r.rank == 0 ? finish_output(end) : end;
    MPI_Ibcast(&end, 1, MPI_INT, 0, MPI_COMM_WORLD, &all);
    ranks_settle(&all);
    inlay_study_free(study);
    return end;
}

static int run(const invocation *call)
{
    int level = 0;
    inlay_diag *diag = new_diag();
    if (diag == NULL) {
        return report_no_memory();
    }
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        rank_be_silent();
    }
    int end = answer(call, diag);
    inlay_diag_free(diag);
    MPI_Finalize();
    return end;
}

static int tell(const invocation *call)
{
    inlay_study *study = NULL;
    inlay_diag *diag = new_diag();
    int status = diag == NULL ? INLAY_NO_MEMORY : study_read(call, &study, diag);
    if (status == INLAY_OK) {
        study_tell(call, study);
    }
    int end = report_end(call, status, diag);
    inlay_study_free(study);
    inlay_diag_free(diag);
    return end;
}

#ifdef __SANITIZE_ADDRESS__
/* What Open MPI's plugins keep until the process ends has no name by then that could be told as known. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

/* The words as `inlay study` has them, so that messages name the command that works. */
static char **words_of(int argc, char **argv)
{
    static char program[] = "inlay", command[] = "study";
    char **words = malloc(((size_t)argc + 2) * sizeof *words);
    if (words != NULL) {
        words[0] = program;
        words[1] = command;
        memcpy(words + 2, argv + 1, (size_t)argc * sizeof *words); /* with the NULL behind the last */
    }
    return words;
}

static int check(const invocation *call)
{
    bool sums = ((const study_values *)call->values)->rows.summary;
    return sums ? report_usage(call->command, "--summary is for one process; expected inlay study --summary")
                : study_check(call);
}

int main(int argc, char **argv)
{
    invocation call;
    affinity_restore();
    if (rank_is_other()) {
        rank_be_silent();
    }
    char **words = argc > 0 ? words_of(argc, argv) : NULL;
    if (words == NULL) {
        return report_no_memory();
    }
    int end = invocation_read(&study_command, argc + 1, words, 1, &call);
    bool help = end == EXIT_DONE && call.common->help;
    end = end == EXIT_DONE && !help ? check(&call) : end;
    if (help) {
        help_print(&study_command);
    } else if (end == EXIT_DONE && study_only_tells(&call)) {
        end = tell(&call);
    } else if (end == EXIT_DONE) {
        end = run(&call);
        invocation_clear(&call);
        free(words);
        return end;
    }
    end = finish_output(end);
    invocation_clear(&call);
    free(words);
    return end;
}

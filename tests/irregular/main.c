/* Runs suites on some of the ranks that it was started with: see harness.h. */
#include "harness.h"
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct suite {
    const char *name;
    void (*run)(harness *h);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.inc"
#undef SUITE
};

enum { SUITES = sizeof suites / sizeof *suites };

static bool wanted(const char *name, char *const *names)
{
    bool found = names[0] == NULL;
    for (; *names != NULL && !found; names++) {
        found = strcmp(*names, name) == 0;
    }
    return found;
}

/* On the first `ranks` ranks. Adds what passed, failed and was skipped to total[3]. */
static void run(const struct suite *suite, int ranks, int total[3])
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    harness h = {.rank = rank, .ranks = ranks, .suite = suite->name, .diag = inlay_diag_new()};
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &h.comm);
    if (h.comm != MPI_COMM_NULL) {
        suite->run(&h);
        harness_end(&h);
        MPI_Comm_free(&h.comm);
    }
    inlay_diag_free(h.diag);
    total[0] += h.cases_passed;
    total[1] += h.cases_failed;
    total[2] += h.cases_skipped;
}

/* What Open MPI calls in a rank that waits: to give the processor away for a moment only, over and over, takes all of it
 * from the ranks that work. */
__attribute__((visibility("default"))) int sched_yield(void)
{
    const struct timespec pause = {.tv_nsec = 20000};
    return nanosleep(&pause, NULL);
}

/* All ranks; those that have nothing to do leave the processors to the others meanwhile. */
static void meet(void)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    MPI_Request all;
    int met = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    for (MPI_Test(&all, &met, MPI_STATUS_IGNORE); !met; MPI_Test(&all, &met, MPI_STATUS_IGNORE)) {
        nanosleep(&pause, NULL);
    }
}

int main(int count, char **arguments)
{
    static const int sizes[] = {1, 2, 3, 5, 8};
    int total[3] = {0, 0, 0}, rank, ranks;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < SUITES; i++) {
        for (size_t s = 0; wanted(suites[i].name, arguments + 1) && s < sizeof sizes / sizeof *sizes; s++) {
            if (sizes[s] <= ranks) {
                run(&suites[i], sizes[s], total);
                meet();
            }
        }
    }
    if (rank == 0) {
        printf("%d passed, %d failed, %d skipped\n", total[0], total[1], total[2]);
    }
    MPI_Finalize();
    return 0; /* of failed cases the closing line tells; mpirun would add a page of its own to another status */
}

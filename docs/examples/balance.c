/*
 * balance ROWS STEPS [SLOW]: an MPI program whose ranks share out rows, step by step; half-way the last rank becomes SLOW
 * (2) times as slow, and the shares follow. Rank r does r + 1 parts of work on a row, so that no two ranks are alike.
 *
 *     mpirun -n 4 ./balance 4000 60             work is done, and processor time is what counts
 *     mpirun -n 4 ./balance 4000 60 2 pretend   times are made up: the same on every computer
 */
#include <inlay/inlay.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 64, OPERATIONS = 4000 /* of a part of work */ };

typedef struct program {
    int rank, ranks;
    int64_t rows;
    int steps;
    double slow;
    bool pretend;
} program;

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* How much work a row is for a rank. */
static double parts(const program *p, int rank, int step)
{
    bool slowed = rank == p->ranks - 1 && step >= p->steps / 2;
    return (rank + 1) * (slowed ? p->slow : 1);
}

static double compute(const program *p, int64_t rows, int step)
{
    double work = (double)rows * parts(p, p->rank, step), begin = processor_time();
    volatile double x = 1;
    if (p->pretend) {
        return work * 1e-6;
    }
    for (double done = 0; done < work * OPERATIONS; done++) {
        x = x * 0.999999 + 1e-6;
    }
    return processor_time() - begin;
}

/* The rows would go to their new ranks here; this program has none. */
static void tell_move(const program *p, int step, const int64_t *rows)
{
    if (p->rank == 0) {
        printf("step %d:", step);
        for (int i = 0; i < p->ranks; i++) {
            printf(" %lld", (long long)rows[i]);
        }
        printf("\n");
    }
}

static int run(const program *p, inlay_balance *balance, double phase[2], inlay_diag *diag)
{
    double time[MOST];
    bool moves = true;
    int status = INLAY_OK;
    for (int step = 0; step < p->steps && status == INLAY_OK; step++) {
        const int64_t *rows = inlay_balance_shares(balance);
        if (moves) {
            tell_move(p, step, rows);
        }
        double own = compute(p, rows[p->rank], step), longest = 0;
        MPI_Allgather(&own, 1, MPI_DOUBLE, time, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < p->ranks; i++) {
            longest = fmax(longest, time[i]);
        }
        phase[step >= p->steps / 2] += longest;
        status = inlay_balance_step(balance, time, &moves, diag);
    }
    return status;
}

/* In the unit of the times: what the slowed steps take with the best shares, when a part of work takes so long. */
static double best(const program *p, double of_a_part)
{
    double speed = 0;
    for (int i = 0; i < p->ranks; i++) {
        speed += 1 / parts(p, i, p->steps);
    }
    return (double)p->rows / speed * of_a_part * (p->steps - p->steps / 2);
}

int main(int argc, char **argv)
{
    program p = {.slow = 2};
    double phase[2] = {0, 0};
    inlay_balance *balance = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
    inlay_diag *diag = inlay_diag_new();
    p.rows = argc > 2 ? strtoll(argv[1], NULL, 10) : 0;
    p.steps = argc > 2 ? atoi(argv[2]) : 0;
    p.slow = argc > 3 ? atof(argv[3]) : p.slow;
    p.pretend = argc > 4 && strcmp(argv[4], "pretend") == 0;
    if (diag == NULL || p.steps < 2 || !(p.slow >= 1) || p.ranks > MOST) {
        fprintf(stderr, p.rank == 0 ? "usage: balance ROWS STEPS [SLOW] [pretend]\n" : "");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int status = inlay_balance_make((size_t)p.ranks, p.rows, NULL, &balance, diag);
    status = status == INLAY_OK ? run(&p, balance, phase, diag) : status;
    if (status != INLAY_OK) {
        fprintf(stderr, "%s\n", inlay_diag_message(diag));
        MPI_Abort(MPI_COMM_WORLD, inlay_exit_status(status));
    }
    /* what a part of work took: of the last step, in which every rank had about its share */
    double of_a_part = p.pretend ? 1e-6 : inlay_balance_predicted(balance) * (p.steps - p.steps / 2) / best(&p, 1);
    if (p.rank == 0) {
        printf("before %.4g s, slowed %.4g s, %.1f %% above the best shares that never move\n", phase[0], phase[1],
               100 * (phase[1] / best(&p, of_a_part) - 1));
    }
    inlay_balance_free(balance);
    inlay_diag_free(diag);
    MPI_Finalize();
    return 0;
}

/*
 * Heat in a plate, by Jacobi steps with MPI: every way of cutting the plate that inlay_grid_rank() knows runs on ranks
 * that imitate unlike processors, and how long it takes stands beside what was predicted. The network is measured by a
 * ring of messages first.
 *
 *     mpicc -std=c17 -O2 *.c $(pkg-config --cflags --libs inlay) -lm -o thermal
 *     mpirun -n 8 --oversubscribe ./thermal --size 256
 *
 * Each step exchanges the messages that inlay_decomposition_messages() lists, direction by direction, and computes. A
 * rank computes its cells, and then sleeps until the time is over that the imitated processor needs.
 */
#include "network.h"
#include "pace.h"
#include "ranking.h"

#include <inlay/domain.h>

#include <getopt.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

static const char usage[] = "usage: mpirun -n RANKS thermal [options]\n"
                            "  --size N or MxN  rows and columns (256)\n"
                            "  --bounded        edges are closed; else opposite ones are neighbours\n"
                            "  --steps N        (50)\n"
                            "  --rounds N       run each decomposition so often, in turn (5)\n"
                            "  --flops X        operations of a cell (5)\n"
                            "  --speeds S,...   operations a microsecond of each rank, the last for the others too\n"
                            "                   (60,40,40,30,30,30,20,10)\n"
                            "  --methods M,...  (row,column,point,block,brbd,fbrd,phd,interleaved,best)\n"
                            "  --fewer          of the ranks, use the fastest so many that a step is shortest\n"
                            "  --switch         messages of unlike ranks pass each other; else they share one network\n"
                            "  --csv            print figures alone\n";

static bool number(const char *text, int least, int most, int *value)
{
    char *end;
    long n = strtol(text, &end, 10);
    *value = (int)n;
    return end != text && *end == '\0' && n >= least && n <= most;
}

enum { EDGE = 5000 }; /* longest edge */

static bool read_size(const char *text, thermal_job *job)
{
    char *end;
    long rows = strtol(text, &end, 10);
    job->rows = (int)rows;
    job->columns = job->rows;
    return end != text && rows >= 1 && rows <= EDGE &&
           (*end == '\0' || (*end == 'x' && number(end + 1, 1, EDGE, &job->columns)));
}

static bool read_positive(const char *text, double *value, char **end)
{
    *value = strtod(text, end);
    return *end != text && *value > 0 && isfinite(*value);
}

static bool read_speeds(const char *text, thermal_job *job)
{
    for (int r = 0; r < RANKS; r++) {
        char *end;
        double speed;
        if (!read_positive(text, &speed, &end) || (*end != ',' && *end != '\0')) {
            return false;
        }
        job->speed[r] = 1e6 * speed;
        text = *end == ',' ? end + 1 : text;
    }
    return true;
}

static bool read_methods(const char *text, thermal_job *job)
{
    for (job->methods = 0; *text != '\0';) {
        size_t length = strcspn(text, ",");
        int method = 0;
        const char *name = NULL;
        while (method < INLAY_GRID_MAP && (name = inlay_grid_method_name((inlay_grid_method)method),
                                           strlen(name) != length || strncmp(name, text, length) != 0)) {
            method++;
        }
        if (method == INLAY_GRID_MAP) {
            return false;
        }
        job->methods |= 1U << method;
        text += length + (text[length] == ',');
    }
    return job->methods != 0;
}

/* Whether the command line is right. */
static bool read_options(int argc, char **argv, thermal_job *job)
{
    enum { SIZE, BOUNDED, STEPS, ROUNDS, FLOPS, SPEEDS, METHODS, FEWER, SWITCH, CSV };
    static const struct option options[] = {
        {"size", required_argument, NULL, SIZE},
        {"bounded", no_argument, NULL, BOUNDED},
        {"steps", required_argument, NULL, STEPS},
        {"rounds", required_argument, NULL, ROUNDS},
        {"flops", required_argument, NULL, FLOPS},
        {"speeds", required_argument, NULL, SPEEDS},
        {"methods", required_argument, NULL, METHODS},
        {"fewer", no_argument, NULL, FEWER},
        {"switch", no_argument, NULL, SWITCH},
        {"csv", no_argument, NULL, CSV},
        {0},
    };
    bool right = read_speeds("60,40,40,30,30,30,20,10", job) &&
                 read_methods("row,column,point,block,brbd,fbrd,phd,interleaved,best", job);
    for (int option; right && (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        char *end = "";
        switch (option) {
        case SIZE: right = read_size(optarg, job); break;
        case BOUNDED: job->bounded = true; break;
        case STEPS: right = number(optarg, 1, 1000000, &job->steps); break;
        case ROUNDS: right = number(optarg, 1, ROUNDS_MOST, &job->rounds); break;
        case FLOPS: right = read_positive(optarg, &job->flops, &end) && *end == '\0'; break;
        case SPEEDS: right = read_speeds(optarg, job); break;
        case METHODS: right = read_methods(optarg, job); break;
        case FEWER: job->fewer = true; break;
        case SWITCH: job->switched = true; break;
        case CSV: job->csv = true; break;
        default: right = false;
        }
    }
    return right && optind == argc;
}

/* ---- Rank 0 ---- */

/* What rank 0 does while the others serve: a status of the library. Between hosts, messages travel in frames. */
static int lead(const thermal_job *job, int ranks, bool hosts, inlay_diag *diag)
{
    inlay_grid_network network = {.wiring = job->switched ? INLAY_GRID_SWITCH : INLAY_GRID_SINGLE};
    if (ranks > RANKS) {
        return inlay_domain_refuse(diag, "%d ranks; expected at most %d", ranks, RANKS);
    }
    if (hosts) {
        network.payload = 1460;
        network.frame = 58;
    }
    double misfit = network_measure(ranks, &network);
    return ranking_run(job, ranks, &network, misfit, diag);
}

static int lead_all(int argc, char **argv, int ranks, bool hosts)
{
    thermal_job job = {.rows = 256, .columns = 256, .steps = 50, .rounds = 5, .flops = 5};
    inlay_diag *diag = inlay_diag_new();
    int status = INLAY_BAD_ARGUMENT;
    if (!read_options(argc, argv, &job)) {
        fputs(usage, stderr);
    } else if ((status = lead(&job, ranks, hosts, diag)) != INLAY_OK) {
        fprintf(stderr, "thermal: %s\n", inlay_diag_message(diag));
    }
    inlay_diag_free(diag);
    run(&(plate_order){.task = PLATE_END}, NULL, NULL, NULL); /* the other ranks may go */
    return inlay_exit_status(status);
}

/* Whether the ranks run on more than one host. */
static bool several_hosts(void)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "", first[MPI_MAX_PROCESSOR_NAME];
    int length, other, others;
    MPI_Get_processor_name(name, &length);
    memcpy(first, name, sizeof first);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    other = strcmp(first, name) != 0;
    MPI_Allreduce(&other, &others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return others > 0;
}

int main(int argc, char **argv)
{
    int rank, ranks, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    pace_begin();
    bool hosts = several_hosts();
    if (rank == 0) {
        status = lead_all(argc, argv, ranks, hosts);
    } else {
        serve();
    }
    MPI_Finalize();
    return status;
}

/*
 * A program that chooses its processors when it starts: a five-point Jacobi stencil on an N x N grid in block rows,
 * with MPI. Rank 0 describes the program to inlay_select() by callbacks and the ranks by a metasystem, which it reads
 * from a file or makes up itself; the rows are carved by the partition map, and the ranks that were selected run.
 *
 *     mpicc -std=c17 -O2 *.c $(pkg-config --cflags --libs inlay) -lm -o spmd_stencil
 *     mpirun -n 8 --oversubscribe ./spmd_stencil --size 600 --compare
 *
 * Processors are as fast as their `rate` says: a rank that is faster works, and then sleeps until the time is over.
 */
#include "compare.h"
#include "grid.h"
#include "site.h"

#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The program, in inlay_select()'s words ---- */

/* What the callbacks are told. */
typedef struct stencil_program {
    const stencil_job *job;
    const stencil_site *site;
} stencil_program;

static int rows(void *context, int32_t computation, int64_t *units, inlay_diag *diag)
{
    const stencil_program *program = context;
    (void)computation, (void)diag;
    *units = program->job->size;
    return INLAY_OK;
}

static int sweep(void *context, int32_t processors, int32_t computation, inlay_complexity *work, inlay_diag *diag)
{
    const stencil_program *program = context;
    (void)computation, (void)diag;
    work->per_unit = 5.0 * program->job->size; /* four additions and a multiplication a point */
    if (program->job->overlap) {
        work->fixed = site_handling(program->job, program->site, processors);
    }
    return INLAY_OK;
}

static int line(void *context, int32_t communication, inlay_pattern *pattern, inlay_diag *diag)
{
    (void)context, (void)communication, (void)diag;
    *pattern = INLAY_PATTERN_LINE;
    return INLAY_OK;
}

static int border(void *context, int32_t processors, int32_t communication, inlay_complexity *bytes, inlay_diag *diag)
{
    const stencil_program *program = context;
    (void)processors, (void)communication, (void)diag;
    bytes->fixed = (double)sizeof(double) * program->job->size;
    return INLAY_OK;
}

static int32_t beside_sweep(void *context, int32_t communication)
{
    (void)communication;
    return ((const stencil_program *)context)->job->overlap ? 0 : -1;
}

static int cycles(void *context, int32_t processors, double *count, double *startup, inlay_diag *diag)
{
    const stencil_program *program = context;
    (void)processors, (void)diag;
    *count = program->job->cycles;
    *startup = 0;
    return INLAY_OK;
}

static inlay_domain stencil_domain(stencil_program *program)
{
    return (inlay_domain){.name = program->job->overlap ? "STEN-2" : "STEN-1",
                          .context = program,
                          .by_processors = program->job->overlap,
                          .computations = 1,
                          .communications = 1,
                          .units = rows,
                          .work = sweep,
                          .pattern = line,
                          .bytes = border,
                          .overlap = beside_sweep,
                          .cycles = cycles};
}

/* ---- Options ---- */

static const char usage[] =
    "usage: mpirun -n RANKS spmd_stencil [options] [METASYSTEM]\n"
    "  --size N        rows and columns (600)\n"
    "  --cycles N      (100)\n"
    "  --overlap       messages go on while inner rows are computed: STEN-2\n"
    "  --rates R,...   without METASYSTEM: operations a microsecond of a processor of each cluster (100,50,25,...).\n"
    "                  Clusters are the hosts, or where there is only one, two halves of the ranks\n"
    "  --measure       measure communication though METASYSTEM has functions for it\n"
    "  --real          ranks imitate nothing: the rates are their own\n"
    "  --use P,...     use that many processors of each cluster\n"
    "  --compare       run other configurations too\n"
    "  --every         run all other configurations too\n"
    "  --rounds N      run each so often, in turn (1; with others 5)\n"
    "  --csv           print figures alone\n";

static bool number(const char *text, int least, int *value)
{
    char *end;
    long n = strtol(text, &end, 10);
    *value = (int)n;
    return end != text && *end == '\0' && n >= least && n <= 1000000;
}

/* Whether the command line is right; all else in `job` is zero. */
static bool read_options(int argc, char **argv, stencil_job *job)
{
    enum { SIZE, CYCLES, OVERLAP, RATES, MEASURE, REAL, USE, COMPARE, EVERY, ROUNDS, CSV };
    static const struct option options[] = {
        {"size", required_argument, NULL, SIZE}, {"cycles", required_argument, NULL, CYCLES},
        {"overlap", no_argument, NULL, OVERLAP}, {"rates", required_argument, NULL, RATES},
        {"measure", no_argument, NULL, MEASURE}, {"real", no_argument, NULL, REAL},
        {"use", required_argument, NULL, USE},   {"compare", no_argument, NULL, COMPARE},
        {"every", no_argument, NULL, EVERY},     {"rounds", required_argument, NULL, ROUNDS},
        {"csv", no_argument, NULL, CSV},         {0},
    };
    bool right = true;
    job->size = 600;
    job->cycles = 100;
    for (int option; right && (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case SIZE: right = number(optarg, 1, &job->size) && job->size <= 20000; break;
        case CYCLES: right = number(optarg, 1, &job->cycles); break;
        case OVERLAP: job->overlap = true; break;
        case RATES: job->rates = optarg; break;
        case MEASURE: job->measure = true; break;
        case REAL: job->real = true; break;
        case USE: job->use = optarg; break;
        case COMPARE: job->compare = true; break;
        case EVERY: job->compare = job->every = true; break;
        case ROUNDS: right = number(optarg, 1, &job->rounds) && job->rounds <= ROUNDS_MOST; break;
        case CSV: job->csv = true; break;
        default: right = false;
        }
    }
    job->rounds = job->rounds > 0 ? job->rounds : job->compare ? 5 : 1;
    job->path = argv[optind];
    return right && argc - optind <= 1;
}

/* ---- Rank 0 ---- */

/* What rank 0 does while the others serve: a status of the library. */
static int lead(stencil_job *job, const char *hosts, int ranks, inlay_diag *diag)
{
    stencil_site *site = NULL;
    int status = site_make(job, hosts, ranks, &site, diag);
    if (status == INLAY_OK) {
        status = site_measure(job, site, diag);
    }
    if (status == INLAY_OK) {
        stencil_program program = {.job = job, .site = site};
        inlay_domain domain = stencil_domain(&program);
        status = compare(job, &domain, site, diag);
    }
    site_free(site);
    return status;
}

static int lead_all(int argc, char **argv, const char *hosts, int ranks)
{
    stencil_job job = {0};
    inlay_diag *diag = inlay_diag_new();
    int status = INLAY_BAD_ARGUMENT;
    if (!read_options(argc, argv, &job)) {
        fputs(usage, stderr);
    } else if ((status = lead(&job, hosts, ranks, diag)) != INLAY_OK) {
        fprintf(stderr, "spmd_stencil: %s\n", inlay_diag_message(diag));
    }
    inlay_diag_free(diag);
    run(&(stencil_order){.tasks = 0}, NULL); /* the other ranks may go */
    return inlay_exit_status(status);
}

int main(int argc, char **argv)
{
    int rank, ranks, length, status = 0;
    char name[HOST_NAME] = "", *hosts;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    prepare();
    MPI_Get_processor_name(name, &length);
    hosts = calloc((size_t)ranks, HOST_NAME);
    if (hosts == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Gather(name, HOST_NAME, MPI_CHAR, hosts, HOST_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        status = lead_all(argc, argv, hosts, ranks);
    } else {
        serve();
    }
    free(hosts);
    MPI_Finalize();
    return status;
}

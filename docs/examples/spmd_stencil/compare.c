/* Configurations beside each other. See compare.h. */
#include "compare.h"

#include <inlay/select.h>
#include <inlay/task_placement.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 1024, NAME = 64 };

/* A configuration to run. */
typedef struct stencil_candidate {
    char name[NAME];
    int32_t processors[CLUSTERS];
    bool equal;       /* rows are shared out evenly, whatever the processors' rates */
    double predicted; /* T_c, seconds */
    stencil_order order;
    double seconds[ROUNDS_MOST]; /* elapsed in each round; in the end sorted */
    double mean_late, most_late; /* the mean of the rounds, and the longest */
} stencil_candidate;

typedef struct stencil_contest {
    const stencil_job *job;
    const inlay_domain *domain;
    const stencil_site *site;
    int candidates, room;
    stencil_candidate *candidate;
    double difference; /* largest from the sequential grid */
} stencil_contest;

/* ---- The partition map ---- */

/* Carves the rows: tasks in the order of the line, each with what the map gives a processor of its cluster. */
static void carve(const stencil_contest *contest, const inlay_configuration *configuration,
                  const inlay_task_placement *placement, stencil_candidate *candidate)
{
    int given[CLUSTERS] = {0}, size = contest->job->size, tasks = inlay_task_placement_tasks(placement);
    stencil_order *order = &candidate->order;
    *order = (stencil_order){.points = size, .cycles = contest->job->cycles, .overlap = contest->job->overlap};
    for (int t = 0; t < tasks; t++) {
        const inlay_task *task = inlay_task_placement_at(placement, t);
        const inlay_select_share *share = &configuration->share[task->cluster];
        int rows = candidate->equal ? size / tasks + (t < size % tasks)
                                    : (int)share->share + (given[task->cluster]++ < share->extra);
        double row_time = contest->job->real ? 0 : site_row_time(contest->job, contest->site, task->cluster);
        if (rows > 0) { /* else nobody would have anything to say to it */
            order->task[order->tasks++] = (stencil_task){
                .rank = contest->site->rank[contest->site->first[task->cluster] + task->processor],
                .rows = rows,
                .row_time = row_time,
            };
        }
    }
}

/* T_c where all have as many rows: the slowest cluster computes longest. */
static double equal_shares_cycle(const stencil_contest *contest, const inlay_configuration *configuration)
{
    const stencil_site *site = contest->site;
    double t_comm = configuration->t_comm * site->unit, t_comp = 0;
    double handling = contest->job->overlap ? site_handling(contest->job, site, configuration->total) * site->unit : 0;
    int rows = (contest->job->size + configuration->total - 1) / configuration->total;
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        if (configuration->processors[i] > 0) {
            double row_time = site_row_time(contest->job, site, (int)i);
            t_comp = fmax(t_comp, rows * row_time + handling / site->cluster[i].rate);
        }
    }
    return contest->job->overlap ? fmax(t_comp, t_comm) : t_comp + t_comm;
}

/* Adds a configuration, unless it is there, or leaves a processor without rows: then it is another one. */
static int add(stencil_contest *contest, const char *name, const inlay_configuration *configuration, bool equal,
               inlay_diag *diag)
{
    const inlay_metasystem *metasystem = &contest->site->metasystem;
    size_t size = metasystem->clusters * sizeof(int32_t);
    for (int i = 0; i < contest->candidates; i++) {
        if (contest->candidate[i].equal == equal &&
            memcmp(contest->candidate[i].processors, configuration->processors, size) == 0) {
            return INLAY_OK;
        }
    }
    if (contest->candidates == CANDIDATES) {
        return inlay_domain_refuse(diag, "more than %d configurations; --compare takes some of them", CANDIDATES);
    }
    stencil_candidate *candidate = &contest->candidate[contest->candidates];
    inlay_task_placement *placement = NULL;
    int status = inlay_task_placement_make(metasystem, INLAY_PATTERN_LINE, configuration->processors,
                                           (double)sizeof(double) * contest->job->size, NULL, &placement, diag);
    if (status == INLAY_OK) {
        snprintf(candidate->name, NAME, "%s", name);
        memcpy(candidate->processors, configuration->processors, size);
        candidate->equal = equal;
        candidate->predicted =
            equal ? equal_shares_cycle(contest, configuration) : configuration->t_cycle * contest->site->unit;
        carve(contest, configuration, placement, candidate);
        contest->candidates += contest->candidates == 0 || candidate->order.tasks == configuration->total;
    }
    inlay_task_placement_free(placement);
    return status;
}

/* Adds one of the caller's. */
static int add_processors(stencil_contest *contest, const char *name, const int32_t *processors, bool equal,
                          inlay_diag *diag)
{
    inlay_selection *selection = NULL;
    int status = inlay_select_evaluate(contest->domain, &contest->site->metasystem, NULL, processors, &selection, diag);
    if (status == INLAY_OK) {
        status = add(contest, name, inlay_selection_at(selection, 0), equal, diag);
    }
    inlay_selection_free(selection);
    return status;
}

/* ---- Which configurations ---- */

/* What --use says. */
static int use(stencil_contest *contest, inlay_diag *diag)
{
    int32_t processors[CLUSTERS] = {0};
    const char *text = contest->job->use;
    for (size_t i = 0; i < contest->site->metasystem.clusters; i++) {
        char *end;
        long n = strtol(text, &end, 10);
        bool last = i + 1 == contest->site->metasystem.clusters;
        if (end == text || *end != (last ? '\0' : ',') || n < 0 || n > contest->site->cluster[i].available) {
            return inlay_domain_refuse(diag,
                                       "--use %s is wrong; expected a number for each of the %zu clusters, at most "
                                       "the processors that it has",
                                       contest->job->use, contest->site->metasystem.clusters);
        }
        processors[i] = (int32_t)n;
        text = end + 1;
    }
    return add_processors(contest, "as told", processors, false, diag);
}

/* The chosen one. */
static int choose(stencil_contest *contest, inlay_diag *diag)
{
    inlay_selection *selection = NULL;
    int status = inlay_select(contest->domain, &contest->site->metasystem, NULL, NULL, &selection, diag);
    if (status == INLAY_OK) {
        status = add(contest, "chosen", inlay_selection_at(selection, 0), false, diag);
    }
    inlay_selection_free(selection);
    return status;
}

/* Worse ones, presumably. */
static int add_worse(stencil_contest *contest, inlay_diag *diag)
{
    const inlay_metasystem *metasystem = &contest->site->metasystem;
    int32_t all[CLUSTERS] = {0}, half[CLUSTERS] = {0};
    int used = 0, status = INLAY_OK;
    for (size_t i = 0; i < metasystem->clusters; i++) {
        all[i] = metasystem->cluster[i].available;
        half[i] = (contest->candidate[0].processors[i] + 1) / 2;
        used += half[i] > 0;
    }
    if (used > 1) {
        status = add_processors(contest, "equal shares", contest->candidate[0].processors, true, diag);
    }
    for (size_t i = 0; i < metasystem->clusters && status == INLAY_OK; i++) {
        int32_t alone[CLUSTERS] = {0};
        char name[NAME];
        alone[i] = all[i];
        snprintf(name, NAME, "%.*s alone", NAME - 8, metasystem->cluster[i].name);
        status = all[i] > 0 ? add_processors(contest, name, alone, false, diag) : INLAY_OK;
    }
    if (status == INLAY_OK) {
        status = add_processors(contest, "all", all, false, diag);
    }
    if (status == INLAY_OK && used == 1) {
        status = add_processors(contest, "all in equal shares", all, true, diag);
    }
    return status == INLAY_OK ? add_processors(contest, "half of the chosen", half, false, diag) : status;
}

/* All that there are, the last cluster's processors changing fastest. */
static int add_every(stencil_contest *contest, inlay_diag *diag)
{
    const inlay_metasystem *metasystem = &contest->site->metasystem;
    int32_t processors[CLUSTERS] = {0};
    int status = INLAY_OK;
    while (status == INLAY_OK) {
        size_t i = metasystem->clusters;
        while (i > 0 && processors[i - 1] == metasystem->cluster[i - 1].available) {
            processors[--i] = 0;
        }
        if (i == 0) {
            break;
        }
        processors[i - 1]++;
        status = add_processors(contest, "other", processors, false, diag);
    }
    return status;
}

/* ---- Running ---- */

/* The largest difference between the rows of two grids. */
static double differ(const double *a, const double *b, int size)
{
    double most = 0;
    for (long i = size + 2; i < grid_size(size, size) - (size + 2); i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

/* Each in turn, so that what changes meanwhile meets all; the grids of the first round are compared. */
static int run_rounds(stencil_contest *contest, inlay_diag *diag)
{
    int size = contest->job->size;
    double *right = sequential(size, size, contest->job->cycles);
    double *grid = malloc((size_t)grid_size(size, size) * sizeof *grid);
    if (right == NULL || grid == NULL) {
        free(right);
        free(grid);
        inlay_domain_refuse(diag, "there is no memory for %d x %d numbers", size, size);
        return INLAY_NO_MEMORY;
    }
    for (int round = 0; round < contest->job->rounds; round++) {
        for (int i = 0; i < contest->candidates; i++) {
            stencil_candidate *candidate = &contest->candidate[i];
            stencil_outcome outcome = run(&candidate->order, round == 0 ? grid : NULL);
            candidate->seconds[round] = outcome.seconds;
            candidate->mean_late += outcome.mean_late / contest->job->rounds;
            candidate->most_late = fmax(candidate->most_late, outcome.most_late);
            if (round == 0) {
                contest->difference = fmax(contest->difference, differ(grid, right, size));
            }
        }
    }
    free(right);
    free(grid);
    return INLAY_OK;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const stencil_candidate *candidate, int rounds)
{
    return (candidate->seconds[(rounds - 1) / 2] + candidate->seconds[rounds / 2]) / 2;
}

/* ---- Printing ---- */

static const char *processors_text(const stencil_contest *contest, const stencil_candidate *candidate, char text[NAME])
{
    int length = 0;
    for (size_t i = 0; i < contest->site->metasystem.clusters && length < NAME; i++) {
        length += snprintf(text + length, (size_t)(NAME - length), "%s%d", i == 0 ? "" : "+", candidate->processors[i]);
    }
    return text;
}

static void print_cluster(const stencil_site *site, size_t i)
{
    const inlay_metasystem_cluster *cluster = &site->cluster[i];
    const inlay_communication *c = &cluster->communication[INLAY_PATTERN_LINE];
    const char *f = c->growth == INLAY_GROWTH_LINEAR ? "p" : c->growth == INLAY_GROWTH_LOG2 ? "log2 p" : "1";
    printf("%-12s %d processors, %g operations/%s; T(p) = %.3g + %.3g %s + b (%.3g + %.3g %s) %s", cluster->name,
           cluster->available, cluster->rate, inlay_unit_name(site->metasystem.time_unit), c->c1, c->c2, f, c->c3,
           c->c4, f, inlay_unit_name(site->metasystem.time_unit));
    if (site->residual[i] >= 0) {
        printf(", measured, off by %.0f %%", 100 * site->residual[i]);
    }
    printf("\n");
}

static void print_site(const stencil_contest *contest)
{
    const stencil_job *job = contest->job;
    const stencil_site *site = contest->site;
    char text[NAME];
    printf("stencil      %d x %d, %d cycles, %s\n", job->size, job->size, job->cycles, contest->domain->name);
    for (size_t i = 0; i < site->metasystem.clusters; i++) {
        print_cluster(site, i);
    }
    if (site->metasystem.router_latency + site->metasystem.router_per_byte > 0) {
        printf("%-12s R(b) = %.3g + %.3g b %s\n", "router", site->metasystem.router_latency,
               site->metasystem.router_per_byte, inlay_unit_name(site->metasystem.time_unit));
    }
    printf("%-12s %s processors, rows", contest->candidate[0].name,
           processors_text(contest, &contest->candidate[0], text));
    for (int t = 0; t < contest->candidate[0].order.tasks; t++) {
        printf(" %d", contest->candidate[0].order.task[t].rows);
    }
    printf("\n\n");
}

static void print_table(const stencil_contest *contest)
{
    const stencil_job *job = contest->job;
    double chosen = median(&contest->candidate[0], job->rounds), late = 0, most_late = 0;
    char text[NAME];
    printf("%-20s %-10s %13s %12s %9s %11s %14s\n", "configuration", "processors", "T_c predicted", "measured",
           "off by", "elapsed", "to the first");
    for (int i = 0; i < contest->candidates; i++) {
        const stencil_candidate *c = &contest->candidate[i];
        double seconds = median(c, job->rounds), cycle = seconds / job->cycles;
        printf("%-20s %-10s %10.4g ms %9.4g ms %+7.1f %% %9.4g s %+12.1f %%\n", c->name,
               processors_text(contest, c, text), 1e3 * c->predicted, 1e3 * cycle, 100 * (c->predicted / cycle - 1),
               seconds, 100 * (seconds / chosen - 1));
        late += c->mean_late / contest->candidates;
        most_late = fmax(most_late, c->most_late);
    }
    if (!job->real) {
        printf("\nimitated work ended %.0f us late on the average, %.0f us at most\n", 1e6 * late, 1e6 * most_late);
    }
    printf("largest difference from a sequential Jacobi: %g\n", contest->difference);
}

static void print_csv(const stencil_contest *contest)
{
    char text[NAME];
    printf("configuration,processors,predicted_s,measured_s,elapsed_s,mean_late_s,most_late_s,difference\n");
    for (int i = 0; i < contest->candidates; i++) {
        const stencil_candidate *c = &contest->candidate[i];
        double seconds = median(c, contest->job->rounds);
        printf("%s,%s,%.6g,%.6g,%.6g,%.3g,%.3g,%g\n", c->name, processors_text(contest, c, text), c->predicted,
               seconds / contest->job->cycles, seconds, c->mean_late, c->most_late, contest->difference);
    }
}

/* ---- All of it ---- */

static int fill(stencil_contest *contest, inlay_diag *diag)
{
    int status = contest->job->use != NULL ? use(contest, diag) : choose(contest, diag);
    if (status == INLAY_OK && contest->job->compare) {
        status = add_worse(contest, diag);
    }
    return status == INLAY_OK && contest->job->every ? add_every(contest, diag) : status;
}

int compare(const stencil_job *job, const inlay_domain *domain, const stencil_site *site, inlay_diag *diag)
{
    stencil_contest contest = {
        .job = job, .domain = domain, .site = site, .candidate = calloc(CANDIDATES, sizeof(stencil_candidate))};
    if (contest.candidate == NULL) {
        inlay_domain_refuse(diag, "there is no memory");
        return INLAY_NO_MEMORY;
    }
    int status = fill(&contest, diag);
    if (status == INLAY_OK && !job->csv) {
        print_site(&contest);
        fflush(stdout);
    }
    if (status == INLAY_OK) {
        status = run_rounds(&contest, diag);
    }
    for (int i = 0; i < contest.candidates && status == INLAY_OK; i++) {
        qsort(contest.candidate[i].seconds, (size_t)job->rounds, sizeof(double), by_size);
    }
    if (status == INLAY_OK) {
        (job->csv ? print_csv : print_table)(&contest);
        status = contest.difference <= 1e-12 ? INLAY_OK : inlay_domain_refuse(diag, "the grid is wrong");
    }
    free(contest.candidate);
    return status;
}

/* Predicted and measured. See ranking.h. */
#include "ranking.h"
#include "pace.h"

#include <inlay/domain.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A decomposition that runs. */
typedef struct thermal_entry {
    const inlay_grid_row *row;
    plate_order order;
    uint8_t *owner;
    plate_message *message;
    double seconds[ROUNDS_MOST]; /* of all steps, in each round; in the end sorted */
    double most_late;
} thermal_entry;

typedef struct thermal_contest {
    const thermal_job *job;
    const inlay_grid_network *network;
    inlay_grid_ranking *ranking;
    int entries;
    thermal_entry entry[INLAY_GRID_METHODS];
    double difference; /* largest from the sequential plate */
} thermal_contest;

static const inlay_grid_pattern stencil = {.communication = INLAY_GRID_STENCIL5};

/* ---- What there is to run ---- */

static int predict(thermal_contest *contest, int ranks, inlay_diag *diag)
{
    const thermal_job *job = contest->job;
    const inlay_grid_problem problem = {.rows = job->rows,
                                        .columns = job->columns,
                                        .bounded = job->bounded,
                                        .item = sizeof(double),
                                        .processors = ranks,
                                        .speed = job->speed};
    const inlay_grid_phase step = {.pattern = stencil, .work = job->flops};
    const inlay_grid_rank_options options = {.methods = job->methods, .all = !job->fewer};
    return inlay_grid_rank(&problem, contest->network, &step, 1, &options, &contest->ranking, diag);
}

static void add_message(void *context, const inlay_grid_message *message)
{
    thermal_entry *entry = context;
    entry->message[entry->order.messages++] = (plate_message){.from = message->from,
                                                              .to = message->to,
                                                              .direction = message->direction,
                                                              .cells = (int)(message->bytes / (int64_t)sizeof(double))};
}

/* What the ranks need to know of a decomposition. */
static int prepare(const thermal_job *job, int ranks, const inlay_grid_row *row, thermal_entry *entry, inlay_diag *diag)
{
    entry->row = row;
    entry->order = (plate_order){.task = PLATE_STEP, .steps = job->steps, .rows = job->rows, .columns = job->columns};
    entry->order.bounded = job->bounded;
    for (int r = 0; r < ranks; r++) {
        entry->order.cell_time[r] = job->flops / job->speed[r];
    }
    entry->owner = malloc((size_t)job->rows * (size_t)job->columns);
    entry->message = calloc(1 + (size_t)row->cost.messages, sizeof *entry->message);
    if (entry->owner == NULL || entry->message == NULL) {
        inlay_domain_refuse(diag, "there is no memory");
        return INLAY_NO_MEMORY;
    }
    for (int cell = 0; cell < job->rows * job->columns; cell++) {
        entry->owner[cell] =
            (uint8_t)inlay_decomposition_owner(row->decomposition, cell / job->columns, cell % job->columns);
    }
    return inlay_decomposition_messages(row->decomposition, &stencil, add_message, entry, diag);
}

/* ---- Running ---- */

static double differ(const double *a, const double *b, int cells)
{
    double most = 0;
    for (int i = 0; i < cells; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void run_rounds(thermal_contest *contest, const double *right, double *plate)
{
    const thermal_job *job = contest->job;
    for (int round = 0; round < job->rounds; round++) { /* each in turn, so that what changes meets all */
        for (int i = 0; i < contest->entries; i++) {
            thermal_entry *entry = &contest->entry[i];
            plate_outcome outcome = run(&entry->order, entry->owner, entry->message, round == 0 ? plate : NULL);
            entry->seconds[round] = outcome.seconds;
            entry->most_late = fmax(entry->most_late, outcome.most_late);
            if (round == 0) {
                contest->difference = fmax(contest->difference, differ(plate, right, job->rows * job->columns));
            }
        }
    }
    for (int i = 0; i < contest->entries; i++) {
        qsort(contest->entry[i].seconds, (size_t)job->rounds, sizeof(double), by_size);
    }
}

/* ---- Printing ---- */

/* Seconds of a step: the median of the rounds. */
static double measured(const thermal_contest *contest, int i)
{
    const double *seconds = contest->entry[i].seconds;
    int rounds = contest->job->rounds;
    return (seconds[(rounds - 1) / 2] + seconds[rounds / 2]) / 2 / contest->job->steps;
}

static double predicted(const thermal_contest *contest, int i)
{
    return contest->entry[i].row->cost.seconds;
}

/* Pairs of decompositions that were predicted to differ, and those of them that differ in that direction. */
static int pairs(const thermal_contest *contest, int *right)
{
    int all = 0;
    *right = 0;
    for (int i = 0; i < contest->entries; i++) {
        for (int j = i + 1; j < contest->entries; j++) {
            if (predicted(contest, i) < predicted(contest, j)) {
                all++;
                *right += measured(contest, i) < measured(contest, j);
            }
        }
    }
    return all;
}

static void print_head(const thermal_contest *contest, int ranks, double misfit)
{
    const thermal_job *job = contest->job;
    const inlay_grid_network *network = contest->network;
    printf("plate        %d x %d, %s, %g operations a cell, %d steps\n", job->rows, job->columns,
           job->bounded ? "bounded" : "a torus", job->flops, job->steps);
    printf("ranks        ");
    for (int r = 0; r < ranks; r++) {
        printf("%s%g", r == 0 ? "" : ",", job->speed[r] / 1e6);
    }
    printf(" operations/us\nnetwork      %s, latency %.3g us, %.3g us a KB, ring test off by %.0f %%\n\n",
           inlay_grid_wiring_name(network->wiring), 1e6 * network->latency, 1e9 * network->per_byte, 100 * misfit);
}

static void print_table(const thermal_contest *contest)
{
    int right, all = pairs(contest, &right);
    double least = INFINITY;
    for (int i = 0; i < contest->entries; i++) {
        least = fmin(least, measured(contest, i));
    }
    printf("%-15s %5s %8s %9s %13s %6s %13s %6s %9s\n", "decomposition", "ranks", "messages", "bytes", "predicted",
           "ratio", "measured", "ratio", "off by");
    for (int i = 0; i < contest->entries; i++) {
        const inlay_grid_row *row = contest->entry[i].row;
        double seconds = measured(contest, i);
        printf("%-15s %5d %8.0f %9.0f %10.4g ms %6.2f %10.4g ms %6.2f %+7.1f %%\n", inlay_grid_method_name(row->method),
               (int)row->processors, row->cost.messages, row->cost.bytes, 1e3 * row->cost.seconds, row->ratio,
               1e3 * seconds, seconds / least, 100 * (row->cost.seconds / seconds - 1));
    }
    printf("\n%d of %d pairs in the predicted order; the first is %.1f %% behind the fastest\n", right, all,
           100 * (measured(contest, 0) / least - 1));
    printf("largest difference from a sequential plate: %g\n", contest->difference);
}

static void print_csv(const thermal_contest *contest)
{
    printf("method,ranks,messages,bytes,computation_s,latency_s,transmission_s,predicted_s,measured_s,most_late_s,"
           "difference\n");
    for (int i = 0; i < contest->entries; i++) {
        const inlay_grid_row *row = contest->entry[i].row;
        const inlay_grid_cost *cost = &row->cost;
        printf("%s,%d,%.0f,%.0f,%.6g,%.6g,%.6g,%.6g,%.6g,%.3g,%g\n", inlay_grid_method_name(row->method),
               (int)row->processors, cost->messages, cost->bytes, cost->computation, cost->latency, cost->transmission,
               cost->seconds, measured(contest, i), contest->entry[i].most_late, contest->difference);
    }
}

/* ---- All of it ---- */

static int compare(thermal_contest *contest, inlay_diag *diag)
{
    const thermal_job *job = contest->job;
    double *right = sequential(job->rows, job->columns, job->bounded, job->steps);
    double *plate = malloc(sizeof(double) * (size_t)job->rows * (size_t)job->columns);
    int status = INLAY_NO_MEMORY;
    if (right == NULL || plate == NULL) {
        inlay_domain_refuse(diag, "there is no memory");
    } else {
        run_rounds(contest, right, plate);
        (job->csv ? print_csv : print_table)(contest);
        status = contest->difference <= 1e-12 ? INLAY_OK : inlay_domain_refuse(diag, "a plate is wrong");
    }
    free(right);
    free(plate);
    return status;
}

int ranking_run(const thermal_job *job, int ranks, const inlay_grid_network *network, double misfit, inlay_diag *diag)
{
    thermal_contest contest = {.job = job, .network = network};
    int status = predict(&contest, ranks, diag);
    size_t rows = status == INLAY_OK ? inlay_grid_ranking_rows(contest.ranking) : 0;
    while (status == INLAY_OK && (size_t)contest.entries < rows) {
        const inlay_grid_row *row = inlay_grid_ranking_row(contest.ranking, (size_t)contest.entries);
        status = prepare(job, ranks, row, &contest.entry[contest.entries++], diag);
    }
    if (status == INLAY_OK) {
        if (!job->csv) {
            print_head(&contest, ranks, misfit);
            fflush(stdout);
        }
        status = compare(&contest, diag);
    }
    for (int i = 0; i < INLAY_GRID_METHODS; i++) {
        free(contest.entry[i].owner);
        free(contest.entry[i].message);
    }
    inlay_grid_ranking_free(contest.ranking);
    return status;
}

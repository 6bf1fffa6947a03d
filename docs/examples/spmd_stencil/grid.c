/* The rows of a rank, their cycles and messages. See grid.h. */
#define _POSIX_C_SOURCE 200809L /* clock_nanosleep() */

#include "grid.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Imitated processors ---- */

/* Sleeps end late by at most this, in most cases. The rest of a time is waited for awake, giving way to other ranks. */
static double usual_late;

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double time)
{
    struct timespec end = {.tv_sec = (time_t)time};
    end.tv_nsec = (long)(1e9 * (time - (double)end.tv_sec));
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

/* Returns at that time, or at once where it is over. How late it is then, in seconds. */
static double rest_until(double time)
{
    if (time - now() > usual_late) {
        sleep_until(time - usual_late);
    }
    while (now() < time) {
        sched_yield();
    }
    return now() - time;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void prepare(void)
{
    enum { TRIES = 60 };
    double late[TRIES];
    FILE *slack = fopen("/proc/self/timerslack_ns", "w"); /* Linux lets sleeps be 50 us late by itself */
    if (slack != NULL) {
        fputs("1", slack);
        fclose(slack);
    }
    for (int i = 0; i < TRIES; i++) {
        double end = now() + 4e-3; /* long sleeps end later than short ones */
        sleep_until(end);
        late[i] = now() - end;
    }
    qsort(late, TRIES, sizeof *late, by_size);
    usual_late = late[TRIES * 19 / 20];
}

/* ---- Waiting ---- */

/* MPI waits by looking again and again; ranks that are not needed sleep meanwhile. */
static void wait_asleep(MPI_Request *request)
{
    for (int done = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE), !done;) {
        sleep_until(now() + 500e-6);
    }
}

/* ---- Rows ---- */

/* Rows 1 to `rows` with a frame around them: rows 0 and rows + 1 are the neighbours', or the grid's own frame. */
typedef struct stencil_field {
    int rows, points;
    double *now, *next;
} stencil_field;

long grid_size(int rows, int points)
{
    return (long)(rows + 2) * (points + 2);
}

static double *row(double *grid, int points, int i)
{
    return grid + (long)i * (points + 2);
}

/* Row i of the whole grid, i from 0 (frame) to its number of rows + 1 (frame), as it is at the beginning. */
static void first_values(double *values, int points, int i)
{
    for (int j = 0; j < points + 2; j++) {
        values[j] = (double)((7L * i + 13L * j) % 101) / 101;
    }
}

static bool field_begin(stencil_field *field, int rows, int points, int before)
{
    size_t size = (size_t)grid_size(rows, points) * sizeof(double);
    field->rows = rows;
    field->points = points;
    field->now = malloc(size);
    field->next = malloc(size);
    if (field->now == NULL || field->next == NULL) {
        return false;
    }
    for (int i = 0; i < rows + 2; i++) {
        first_values(row(field->now, points, i), points, before + i);
    }
    memcpy(field->next, field->now, size);
    return true;
}

static void field_end(stencil_field *field)
{
    free(field->now);
    free(field->next);
}

/* The new values of rows `from` to `to`: five operations a point. */
static void sweep(stencil_field *field, int from, int to)
{
    for (int i = from; i <= to; i++) {
        const double *up = row(field->now, field->points, i - 1), *here = row(field->now, field->points, i),
                     *down = row(field->now, field->points, i + 1);
        double *next = row(field->next, field->points, i);
        for (int j = 1; j <= field->points; j++) {
            next[j] = 0.2 * (here[j] + up[j] + down[j] + here[j - 1] + here[j + 1]);
        }
    }
}

static void swap(stencil_field *field)
{
    double *old = field->now;
    field->now = field->next;
    field->next = old;
}

enum { POINTS_AT_ONCE = 10000 };

/* ---- A rank of a run ---- */

typedef struct stencil_rank {
    stencil_field field;
    double row_time;
    MPI_Comm line;          /* the ranks of the run by their rows */
    int before, after;      /* neighbours there, or MPI_PROC_NULL */
    double late, most_late; /* sum and maximum, seconds */
    long rests;
} stencil_rank;

/*
 * Rows `from` to `to`, in the time that they take the processor that is imitated. Other ranks share the real one: they
 * get it every few microseconds, for their own time may be running.
 */
static void work(stencil_rank *worker, int from, int to)
{
    double end = now() + worker->row_time * (to - from + 1);
    int some = 1 + POINTS_AT_ONCE / worker->field.points;
    for (int i = from; i <= to; i += some) {
        sweep(&worker->field, i, i + some - 1 < to ? i + some - 1 : to);
        if (worker->row_time > 0) {
            sched_yield();
        }
    }
    if (worker->row_time > 0 && from <= to) {
        double late = rest_until(end);
        worker->late += late;
        worker->most_late = late > worker->most_late ? late : worker->most_late;
        worker->rests++;
    }
}

/* Own border rows to the neighbours, and theirs here. */
static void exchange(stencil_rank *worker, MPI_Request request[4])
{
    stencil_field *f = &worker->field;
    int points = f->points;
    MPI_Irecv(row(f->now, points, 0) + 1, points, MPI_DOUBLE, worker->before, 0, worker->line, &request[0]);
    MPI_Irecv(row(f->now, points, f->rows + 1) + 1, points, MPI_DOUBLE, worker->after, 0, worker->line, &request[1]);
    MPI_Isend(row(f->now, points, 1) + 1, points, MPI_DOUBLE, worker->before, 0, worker->line, &request[2]);
    MPI_Isend(row(f->now, points, f->rows) + 1, points, MPI_DOUBLE, worker->after, 0, worker->line, &request[3]);
}

static void cycle(stencil_rank *worker, bool overlap)
{
    MPI_Request request[4];
    int rows = worker->field.rows;
    exchange(worker, request);
    if (!overlap) {
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        work(worker, 1, rows);
    } else {
        work(worker, 2, rows - 1);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        work(worker, 1, 1);
        if (rows > 1) {
            work(worker, rows, rows);
        }
    }
    swap(&worker->field);
}

/* The run's figures, to the first rank of the line. */
static stencil_outcome summary(const stencil_rank *worker, double seconds)
{
    double mine[2] = {seconds, worker->most_late}, most[2] = {0};
    double counted[2] = {worker->late, (double)worker->rests}, sum[2] = {0};
    MPI_Reduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, 0, worker->line);
    MPI_Reduce(counted, sum, 2, MPI_DOUBLE, MPI_SUM, 0, worker->line);
    return (stencil_outcome){.seconds = most[0], .mean_late = sum[1] > 0 ? sum[0] / sum[1] : 0, .most_late = most[1]};
}

enum { TAG_OUTCOME = 1, TAG_ROWS = 2 };

static void send_results(const stencil_order *order, const stencil_field *field, int me, const stencil_outcome *outcome)
{
    if (order->gather) {
        MPI_Send(row(field->now, field->points, 1), field->rows * (field->points + 2), MPI_DOUBLE, 0, TAG_ROWS,
                 MPI_COMM_WORLD);
    }
    if (me == 0) {
        double figures[3] = {outcome->seconds, outcome->mean_late, outcome->most_late};
        MPI_Send(figures, 3, MPI_DOUBLE, 0, TAG_OUTCOME, MPI_COMM_WORLD);
    }
}

/* What the order has for its rank `me`: all cycles, and what rank 0 wants to know of them. */
static void take_part(const stencil_order *order, int me, MPI_Comm line)
{
    stencil_rank worker = {.row_time = order->task[me].row_time, .line = line};
    int before = 0;
    for (int t = 0; t < me; t++) {
        before += order->task[t].rows;
    }
    worker.before = me > 0 ? me - 1 : MPI_PROC_NULL;
    worker.after = me + 1 < order->tasks ? me + 1 : MPI_PROC_NULL;
    if (!field_begin(&worker.field, order->task[me].rows, order->points, before)) {
        fputs("spmd_stencil: out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Barrier(line);
    double start = now();
    for (int i = 0; i < order->cycles; i++) {
        cycle(&worker, order->overlap);
    }
    stencil_outcome outcome = summary(&worker, now() - start);
    send_results(order, &worker.field, me, &outcome);
    field_end(&worker.field);
}

/* ---- Orders ---- */

/* Among hosts of one data format: an order travels as bytes. */
static void pass_on(stencil_order *order)
{
    MPI_Request request;
    MPI_Ibcast(order, (int)sizeof *order, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_asleep(&request);
}

/* The ranks of the order go to work, each with its rows; the others return at once. */
static void carry_out(const stencil_order *order)
{
    int rank, me, ranks[TASKS];
    MPI_Group world, chosen;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int t = 0; t < order->tasks; t++) {
        ranks[t] = order->task[t].rank;
    }
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, order->tasks, ranks, &chosen);
    MPI_Group_rank(chosen, &me);
    if (me != MPI_UNDEFINED) {
        MPI_Comm line;
        MPI_Comm_create_group(MPI_COMM_WORLD, chosen, 0, &line);
        take_part(order, me, line);
        MPI_Comm_free(&line);
    }
    MPI_Group_free(&chosen);
    MPI_Group_free(&world);
}

void serve(void)
{
    stencil_order order;
    for (pass_on(&order); order.tasks > 0; pass_on(&order)) {
        carry_out(&order);
    }
}

/* Rank 0 asks for the results before it takes part itself, so that nobody waits for it to listen. */
stencil_outcome run(const stencil_order *given, double *grid)
{
    static stencil_order order; /* MPI may not send from what is const */
    MPI_Request results[TASKS + 1];
    double figures[3] = {0};
    int first = 1;
    order = *given;
    order.gather = grid != NULL;
    pass_on(&order);
    for (int t = 0; t < order.tasks && grid != NULL; t++) {
        MPI_Irecv(row(grid, order.points, first), order.task[t].rows * (order.points + 2), MPI_DOUBLE,
                  order.task[t].rank, TAG_ROWS, MPI_COMM_WORLD, &results[t + 1]);
        first += order.task[t].rows;
    }
    if (order.tasks > 0) {
        MPI_Irecv(figures, 3, MPI_DOUBLE, order.task[0].rank, TAG_OUTCOME, MPI_COMM_WORLD, &results[0]);
        carry_out(&order);
        for (int t = 0; t <= (grid != NULL ? order.tasks : 0); t++) {
            wait_asleep(&results[t]);
        }
    }
    return (stencil_outcome){.seconds = figures[0], .mean_late = figures[1], .most_late = figures[2]};
}

/* ---- One processor alone ---- */

double *sequential(int rows, int points, int cycles)
{
    stencil_field field;
    if (!field_begin(&field, rows, points, 0)) {
        field_end(&field);
        return NULL;
    }
    for (int i = 0; i < cycles; i++) {
        sweep(&field, 1, rows);
        swap(&field);
    }
    free(field.next);
    return field.now;
}

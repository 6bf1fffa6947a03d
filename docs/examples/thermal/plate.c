/* The cells of a rank, their steps and messages. See plate.h. */
#include "plate.h"
#include "pace.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the value of a cell goes, by direction: rows down, columns across. */
static const int offset[DIRECTIONS][2] = {{-1, 0}, {1, 0}, {0, 1}, {0, -1}};

/* ---- Cells ---- */

/* Cells of a row that are a rank's: columns `from` to `to` - 1. */
typedef struct plate_run {
    int row, from, to;
} plate_run;

/* A message, as the rank sees it that sends or receives it. */
typedef struct plate_parcel {
    int peer, direction, cells, filled;
    bool out;
    int *cell; /* their places in the plate */
    double *value;
} plate_parcel;

typedef struct plate_rank {
    const plate_order *order;
    int me, runs, cells, parcels;
    double *now, *next;
    plate_run *run;
    plate_parcel *parcel;
    MPI_Request *request;
    double most_late;
} plate_rank;

static void give_up(const char *why)
{
    fprintf(stderr, "thermal: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        give_up("there is no memory");
    }
    return memory;
}

static double first_value(int row, int column)
{
    return (double)((7L * row + 13L * column) % 101) / 101;
}

/* The cell of that direction; -1: there is none. */
static int neighbour(const plate_order *order, int row, int column, int direction)
{
    int r = row + offset[direction][0], c = column + offset[direction][1];
    if (order->bounded && (r < 0 || r >= order->rows || c < 0 || c >= order->columns)) {
        return -1;
    }
    return (r + order->rows) % order->rows * order->columns + (c + order->columns) % order->columns;
}

/* ---- Steps ---- */

/* At an edge; where there is no neighbour, no heat flows. */
static double edge_value(const plate_rank *rank, int row, int column)
{
    double sum = rank->now[row * rank->order->columns + column];
    for (int k = 0; k < DIRECTIONS; k++) {
        int cell = neighbour(rank->order, row, column, k);
        sum += rank->now[cell >= 0 ? cell : row * rank->order->columns + column];
    }
    return 0.2 * sum;
}

/* The new values of a run. */
static void compute(plate_rank *rank, const plate_run *run)
{
    int columns = rank->order->columns, row = run->row;
    const double *here = rank->now + (long)row * columns, *up = here - columns, *down = here + columns;
    double *next = rank->next + (long)row * columns;
    bool edge = row == 0 || row == rank->order->rows - 1;
    for (int c = run->from; c < run->to; c++) {
        if (edge || c == 0 || c == columns - 1) {
            next[c] = edge_value(rank, row, c);
        } else {
            next[c] = 0.2 * (here[c] + up[c] + down[c] + here[c + 1] + here[c - 1]);
        }
    }
}

enum { CELLS_AT_ONCE = 10000 }; /* some 10 us */

/*
 * All cells, in the time that they take the processor that is imitated. Other ranks share the real one: they get it
 * every few microseconds, for their own time may be running.
 */
static void work(plate_rank *rank)
{
    double end = now() + rank->order->cell_time[rank->me] * rank->cells;
    int some = 0;
    for (int i = 0; i < rank->runs; i++) {
        compute(rank, &rank->run[i]);
        some += rank->run[i].to - rank->run[i].from;
        if (some >= CELLS_AT_ONCE) {
            sched_yield();
            some = 0;
        }
    }
    if (rank->cells > 0) {
        double late = rest_until(end);
        rank->most_late = late > rank->most_late ? late : rank->most_late;
    }
    double *old = rank->now;
    rank->now = rank->next;
    rank->next = old;
}

/* The messages of a direction. */
static void exchange(plate_rank *rank, int direction)
{
    int requests = 0;
    for (int i = 0; i < rank->parcels; i++) {
        plate_parcel *parcel = &rank->parcel[i];
        if (parcel->direction == direction && !parcel->out) {
            MPI_Irecv(parcel->value, parcel->cells, MPI_DOUBLE, parcel->peer, direction, MPI_COMM_WORLD,
                      &rank->request[requests++]);
        }
    }
    for (int i = 0; i < rank->parcels; i++) {
        plate_parcel *parcel = &rank->parcel[i];
        if (parcel->direction == direction && parcel->out) {
            for (int c = 0; c < parcel->cells; c++) {
                parcel->value[c] = rank->now[parcel->cell[c]];
            }
            MPI_Isend(parcel->value, parcel->cells, MPI_DOUBLE, parcel->peer, direction, MPI_COMM_WORLD,
                      &rank->request[requests++]);
        }
    }
    MPI_Waitall(requests, rank->request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < rank->parcels; i++) {
        const plate_parcel *parcel = &rank->parcel[i];
        for (int c = 0; c < parcel->cells && parcel->direction == direction && !parcel->out; c++) {
            rank->now[parcel->cell[c]] = parcel->value[c];
        }
    }
}

/* ---- A rank's part of an order ---- */

static void find_runs(plate_rank *rank, const uint8_t *owner)
{
    int columns = rank->order->columns, cells = rank->order->rows * columns;
    for (int pass = 0; pass < 2; pass++) { /* first they are counted */
        rank->runs = 0;
        rank->cells = 0;
        for (int cell = 0; cell < cells; cell++) {
            bool begins = cell % columns == 0 || owner[cell - 1] != owner[cell];
            if (owner[cell] != rank->me) {
                continue;
            }
            rank->cells++;
            rank->runs += begins;
            if (pass == 1) {
                plate_run *run = &rank->run[rank->runs - 1];
                *run = (plate_run){cell / columns, begins ? cell % columns : run->from, cell % columns + 1};
            }
        }
        if (pass == 0) {
            rank->run = room((size_t)rank->runs, sizeof *rank->run);
        }
    }
}

/* The messages that this rank sends or receives, without their cells. */
static void take_messages(plate_rank *rank, const plate_message *message)
{
    rank->parcel = room((size_t)rank->order->messages, sizeof *rank->parcel);
    rank->request = room((size_t)rank->order->messages, sizeof(MPI_Request));
    for (int i = 0; i < rank->order->messages; i++) {
        bool out = message[i].from == rank->me;
        if (out || message[i].to == rank->me) {
            rank->parcel[rank->parcels++] = (plate_parcel){.peer = out ? message[i].to : message[i].from,
                                                           .direction = message[i].direction,
                                                           .cells = message[i].cells,
                                                           .out = out,
                                                           .cell = room((size_t)message[i].cells, sizeof(int)),
                                                           .value = room((size_t)message[i].cells, sizeof(double))};
        }
    }
}

/* Every cell that another rank needs goes into a message, in reading order at both ends. */
static void fill_messages(plate_rank *rank, const uint8_t *owner)
{
    const plate_order *order = rank->order;
    plate_parcel *to[2][DIRECTIONS][RANKS] = {0};
    for (int i = 0; i < rank->parcels; i++) {
        to[rank->parcel[i].out][rank->parcel[i].direction][rank->parcel[i].peer] = &rank->parcel[i];
    }
    for (int cell = 0; cell < order->rows * order->columns; cell++) {
        for (int k = 0; k < DIRECTIONS; k++) {
            int next = neighbour(order, cell / order->columns, cell % order->columns, k);
            if (next < 0 || owner[next] == owner[cell] || (owner[next] != rank->me && owner[cell] != rank->me)) {
                continue;
            }
            bool out = owner[cell] == rank->me;
            plate_parcel *parcel = to[out][k][out ? owner[next] : owner[cell]];
            if (parcel == NULL || parcel->filled == parcel->cells) {
                give_up("a neighbour's cell is in no message");
                return;
            }
            parcel->cell[parcel->filled++] = cell;
        }
    }
    for (int i = 0; i < rank->parcels; i++) {
        if (rank->parcel[i].filled != rank->parcel[i].cells) {
            give_up("a message is longer than what its receiver needs");
        }
    }
}

static void rank_end(plate_rank *rank)
{
    for (int i = 0; i < rank->parcels; i++) {
        free(rank->parcel[i].cell);
        free(rank->parcel[i].value);
    }
    free(rank->parcel);
    free(rank->request);
    free(rank->run);
    free(rank->now);
    free(rank->next);
}

/* MPI waits by looking again and again; ranks that have nothing to do sleep meanwhile. */
static void wait_asleep(MPI_Request *request)
{
    for (int done = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE), !done;) {
        sleep_until(now() + 500e-6);
    }
}

/* The longest of all ranks, at rank 0. */
static plate_outcome summary(double seconds, double most_late)
{
    MPI_Request request;
    double mine[2] = {seconds, most_late}, most[2] = {0};
    MPI_Ireduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD, &request);
    wait_asleep(&request);
    return (plate_outcome){.seconds = most[0], .most_late = most[1]};
}

/* All cells to rank 0, into `plate` there. */
static void gather(const plate_rank *rank, const uint8_t *owner, double *plate)
{
    int count[RANKS] = {0}, first[RANKS] = {0}, cells = rank->order->rows * rank->order->columns, mine = 0;
    double *own = room((size_t)rank->cells, sizeof(double)), *all = room((size_t)cells, sizeof(double));
    for (int cell = 0; cell < cells; cell++) {
        count[owner[cell]]++;
        if (owner[cell] == rank->me) {
            own[mine++] = rank->now[cell];
        }
    }
    for (int r = 1; r < RANKS; r++) {
        first[r] = first[r - 1] + count[r - 1];
    }
    MPI_Gatherv(own, mine, MPI_DOUBLE, all, count, first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int cell = 0; cell < cells && plate != NULL; cell++) {
        plate[cell] = all[first[owner[cell]]++];
    }
    free(own);
    free(all);
}

static plate_outcome take_steps(const plate_order *order, int me, const uint8_t *owner, const plate_message *message,
                                double *plate)
{
    size_t cells = (size_t)order->rows * (size_t)order->columns;
    plate_rank rank = {
        .order = order, .me = me, .now = room(cells, sizeof(double)), .next = room(cells, sizeof(double))};
    find_runs(&rank, owner);
    take_messages(&rank, message);
    fill_messages(&rank, owner);
    for (int cell = 0; cell < order->rows * order->columns; cell++) { /* neighbours' values come with the messages */
        rank.now[cell] = owner[cell] == me ? first_value(cell / order->columns, cell % order->columns) : 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    for (int step = 0; step < order->steps; step++) {
        for (int k = 0; k < DIRECTIONS; k++) {
            exchange(&rank, k);
        }
        work(&rank);
    }
    plate_outcome outcome = summary(now() - start, rank.most_late);
    if (order->gather) {
        gather(&rank, owner, plate);
    }
    rank_end(&rank);
    return outcome;
}

/* ---- Rings ---- */

static plate_outcome ring(const plate_order *order, int me, int ranks)
{
    char *there = room((size_t)order->bytes, 1), *here = room((size_t)order->bytes, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    for (int step = 0; step < order->steps; step++) {
        MPI_Sendrecv(there, order->bytes, MPI_BYTE, (me + 1) % ranks, 0, here, order->bytes, MPI_BYTE,
                     (me + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    plate_outcome outcome = summary(now() - start, 0);
    free(there);
    free(here);
    return outcome;
}

/* ---- Orders ---- */

/* Among hosts of one data format: an order travels as bytes. */
static void pass_on(plate_order *order)
{
    MPI_Request request;
    MPI_Ibcast(order, (int)sizeof *order, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_asleep(&request);
}

static plate_outcome carry_out(const plate_order *order, uint8_t *owner, plate_message *message, double *plate)
{
    int me, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (order->task == PLATE_RING) {
        return ring(order, me, ranks);
    }
    MPI_Bcast(owner, order->rows * order->columns, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(message, order->messages * (int)sizeof *message, MPI_BYTE, 0, MPI_COMM_WORLD);
    return take_steps(order, me, owner, message, plate);
}

void serve(void)
{
    plate_order order;
    for (pass_on(&order); order.task != PLATE_END; pass_on(&order)) {
        uint8_t *owner = room((size_t)order.rows * (size_t)order.columns, 1);
        plate_message *message = room((size_t)order.messages, sizeof *message);
        carry_out(&order, owner, message, NULL);
        free(owner);
        free(message);
    }
}

plate_outcome run(const plate_order *order, uint8_t *owner, plate_message *message, double *plate)
{
    plate_order passed = *order; /* MPI may not send from what is const */
    passed.gather = plate != NULL;
    pass_on(&passed);
    return passed.task == PLATE_END ? (plate_outcome){0} : carry_out(&passed, owner, message, plate);
}

/* ---- One processor alone ---- */

double *sequential(int rows, int columns, bool bounded, int steps)
{
    double *old = malloc(sizeof(double) * (size_t)rows * (size_t)columns),
           *new = malloc(sizeof(double) * (size_t)rows * (size_t)columns);
    for (int i = 0; i < rows * columns && old != NULL && new != NULL; i++) {
        old[i] = first_value(i / columns, i % columns);
    }
    for (int step = 0; step < steps && old != NULL && new != NULL; step++) {
        for (int r = 0; r < rows; r++) {
            int up = r > 0 ? r - 1 : bounded ? r : rows - 1, down = r + 1 < rows ? r + 1 : bounded ? r : 0;
            for (int c = 0; c < columns; c++) {
                int left = c > 0 ? c - 1 : bounded ? c : columns - 1, right = c + 1 < columns ? c + 1 : bounded ? c : 0;
                new[r * columns + c] = 0.2 * (old[r * columns + c] + old[up * columns + c] + old[down * columns + c] +
                                              old[r * columns + right] + old[r * columns + left]);
            }
        }
        double *swapped = old;
        old = new;
        new = swapped;
    }
    if (old == NULL || new == NULL) {
        free(old);
        old = NULL;
    }
    free(new);
    return old;
}

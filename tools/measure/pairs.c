/* Messages between two ranks. */
#include "messages.h"
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

/* ---- What all messages share ---- */

enum { FIGURES_OF_PAIR = 3 /* its seconds, send and receive, one behind the other */ };

int messages_make(const cluster *all, const int64_t *size, int sizes, messages *result)
{
    messages made = {.sizes = sizes};
    for (int s = 0; s < sizes; s++) {
        made.size[s] = size[s];
    }
    size_t largest = (size_t)size[sizes - 1];
    made.sent = malloc(largest);
    made.received = malloc(largest);
    size_t values = (size_t)sizes * (size_t)all->repeats;
    made.seconds = calloc(values * FIGURES_OF_PAIR, sizeof *made.seconds);
    made.send = made.seconds != NULL ? made.seconds + values : NULL;
    made.receive = made.seconds != NULL ? made.send + values : NULL;
    bool good = made.sent != NULL && made.received != NULL && made.seconds != NULL;
    if (good) { /* pages that nobody wrote to are one and the same, and would be sent from the cache */
        memset(made.sent, 1, largest);
        memset(made.received, 2, largest);
    }
    int status = cluster_agree(good ? INLAY_OK : INLAY_NO_MEMORY);
    if (status != INLAY_OK) {
        messages_clear(&made);
        return status;
    }
    *result = made;
    return INLAY_OK;
}

void messages_clear(messages *m)
{
    free(m->sent);
    free(m->received);
    free(m->seconds);
    *m = (messages){0};
}

int times_enough(double seconds)
{
    const double repeat = 10e-3, slow = 50e-3;
    enum { FEWEST = 3 };
    double times = seconds > 0 ? repeat / seconds : 1e4;
    return times > 1e4 ? 10000 : times > FEWEST ? (int)times : seconds < slow ? FEWEST : 1;
}

/* ---- Which pairs ---- */

static inlay_pair_class class_of(const cluster *all, int from, int to)
{
    return all->host_of[from] == all->host_of[to] ? INLAY_PAIR_CORE : INLAY_PAIR_NETWORK;
}

/* How many pairs of each class there are, and how many of them are taken: shares of all, but some of each. */
static void share_out(const cluster *all, int most, int64_t there[INLAY_PAIR_CLASSES],
                      int64_t taken[INLAY_PAIR_CLASSES])
{
    int64_t pairs = (int64_t)all->ranks * (all->ranks - 1) / 2;
    there[INLAY_PAIR_CORE] = 0;
    for (int h = 0; h < all->hosts; h++) {
        there[INLAY_PAIR_CORE] += (int64_t)all->count[h] * (all->count[h] - 1) / 2;
    }
    there[INLAY_PAIR_NETWORK] = pairs - there[INLAY_PAIR_CORE];
    for (int c = 0; c < INLAY_PAIR_CLASSES; c++) {
        int64_t share = pairs > most ? (int64_t)((double)there[c] * most / (double)pairs) : there[c];
        taken[c] = share > 0 || there[c] == 0 ? share : 1;
    }
}

int pairs_choose(const cluster *all, int most, uint64_t seed, rank_pair **list, int *count, bool *sampled)
{
    int64_t there[INLAY_PAIR_CLASSES], taken[INLAY_PAIR_CLASSES];
    share_out(all, most, there, taken);
    *sampled = taken[INLAY_PAIR_CORE] + taken[INLAY_PAIR_NETWORK] < there[INLAY_PAIR_CORE] + there[INLAY_PAIR_NETWORK];
    rank_pair *chosen = calloc((size_t)(taken[INLAY_PAIR_CORE] + taken[INLAY_PAIR_NETWORK]) + 1, sizeof *chosen);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    if (chosen == NULL || random == NULL) {
        free(chosen);
        gsl_rng_free(random);
        return INLAY_NO_MEMORY;
    }
    gsl_rng_set(random, (unsigned long)seed);
    *count = 0;
    for (int from = 0; from < all->ranks;
         from++) { /* of those that are left, each is taken with the same probability */
        for (int to = from + 1; to < all->ranks; to++) {
            inlay_pair_class class = class_of(all, from, to);
            if (gsl_rng_uniform(random) * (double)there[class]-- < (double)taken[class]) {
                chosen[(*count)++] = (rank_pair){from, to};
                taken[class]--;
            }
        }
    }
    gsl_rng_free(random);
    *list = chosen;
    return INLAY_OK;
}

/* ---- Ping-pong ---- */

/* Seconds of one way of `times` round trips. */
static double ping_pong(const messages *m, int64_t size, int times, int other, bool begins)
{
    int bytes = (int)size;
    double begun = MPI_Wtime();
    for (int i = 0; i < times; i++) {
        if (begins) {
            MPI_Send(m->sent, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
        }
        MPI_Recv(m->received, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!begins) {
            MPI_Send(m->sent, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
        }
    }
    return (MPI_Wtime() - begun) / (2.0 * times);
}

/* What the rank that begins has found out. */
static int tell_times(int times, int other, bool begins)
{
    enum { TIMES = 1 /* tag */ };
    if (begins) {
        MPI_Send(&times, 1, MPI_INT, other, TIMES, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&times, 1, MPI_INT, other, TIMES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return times;
}

/* How many round trips a repeat has. Those that find it out warm the way up; one is enough where it takes long. */
static int count_round_trips(const messages *m, int64_t size, int other, bool begins)
{
    enum { WARM_UP = 2 };
    double one = ping_pong(m, size, 1, other, begins);
    int times = tell_times(times_enough(2 * one), other, begins);
    if (times > 1) {
        one = ping_pong(m, size, WARM_UP, other, begins);
        times = tell_times(times_enough(2 * one), other, begins);
    }
    return times;
}

/* ---- What a message takes of its processors ---- */

/* Nothing but time passes: MPI makes no progress here. */
static void compute_until(double then)
{
    while (MPI_Wtime() < then) {
    }
}

static void meet(int other)
{
    enum { MEETING = 3 /* tag */ };
    MPI_Sendrecv(NULL, 0, MPI_BYTE, other, MEETING, NULL, 0, MPI_BYTE, other, MEETING, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/*
 * One message, newly written as a program's are, so that it is in the sender's cache and no other; it was on its way for
 * `late` seconds when its receiver asks for it. Seconds for which this rank was kept: the sender until it could go on, the
 * receiver from its question on. The sender looks after its message from then on, as programs do between their modules.
 */
static double kept_for(const messages *m, int64_t size, char *to, double late, int other, bool sends)
{
    enum { MESSAGE = 4 /* tag */ };
    MPI_Request request;
    int bytes = (int)size, done = 0;
    if (sends) {
        memset(m->sent, ++m->sent[0], (size_t)size);
    } else {
        MPI_Irecv(to, bytes, MPI_BYTE, other, MESSAGE, MPI_COMM_WORLD, &request);
    }
    meet(other);
    double begun = MPI_Wtime(), kept = 0;
    if (sends) {
        MPI_Isend(m->sent, bytes, MPI_BYTE, other, MESSAGE, MPI_COMM_WORLD, &request);
        kept = MPI_Wtime() - begun;
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
    } else {
        compute_until(begun + late);
        begun = MPI_Wtime();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        kept = MPI_Wtime() - begun;
    }
    return kept;
}

/* Programs receive into memory that they have not looked at for long: one place after another of an area beyond most caches. */
typedef struct cold_area {
    char *begin;
    size_t bytes, used;
} cold_area;

static cold_area area_make(const messages *m)
{
    const size_t bytes = 64 << 20, largest = (size_t)m->size[m->sizes - 1];
    cold_area area = {malloc(bytes), bytes, 0};
    if (area.begin == NULL || largest > bytes) {
        free(area.begin);
        return (cold_area){m->received, largest, 0};
    }
    memset(area.begin, 3, bytes);
    return area;
}

static char *area_take(cold_area *area, size_t size)
{
    const size_t line = 64;
    size = (size + line - 1) / line * line;
    area->used = area->used + size > area->bytes ? 0 : area->used;
    char *place = area->begin + area->used;
    area->used += size;
    return place;
}

static void area_clear(const messages *m, cold_area *area)
{
    if (area->begin != m->received) {
        free(area->begin);
    }
}

/* Of one size: the mean of some messages, or one where they take long. */
static void time_kept(const cluster *all, const messages *m, int size, cold_area *area, int other, bool sends)
{
    const double slow = 1e-3, margin = 50e-6;
    enum { TIMES = 20 };
    double alone = m->seconds[(ptrdiff_t)size * all->repeats], late = 2 * alone + margin;
    int times = tell_times(alone < slow ? TIMES : 1, other, sends);
    for (int i = 0; i < all->repeats; i++) {
        double sum = 0;
        for (int k = 0; k < times; k++) {
            char *to = area_take(area, (size_t)m->size[size]);
            sum += kept_for(m, m->size[size], to, late, other, sends) / times;
        }
        (sends ? m->send : m->receive)[(ptrdiff_t)size * all->repeats + i] = sum;
    }
}

static void time_sizes(const cluster *all, const messages *m, int other, bool begins)
{
    for (int s = 0; s < m->sizes; s++) {
        int times = count_round_trips(m, m->size[s], other, begins);
        for (int i = 0; i < all->repeats; i++) {
            m->seconds[s * all->repeats + i] = ping_pong(m, m->size[s], times, other, begins);
        }
    }
}

/* Behind time_sizes(), which tells how late a receiver has to be. */
static void time_overheads(const cluster *all, const messages *m, int other, bool begins)
{
    cold_area area = area_make(m);
    for (int s = 0; s < m->sizes; s++) {
        time_kept(all, m, s, &area, other, begins);
    }
    area_clear(m, &area);
}

/* The rank that begins gets what the other was kept for, and tells rank 0 of all. */
static void gather_figures(const cluster *all, const messages *m, rank_pair pair)
{
    enum { RESULTS = 2 /* tag */ };
    int values = m->sizes * all->repeats;
    if (all->rank == pair.to) {
        MPI_Send(m->receive, values, MPI_DOUBLE, pair.from, RESULTS, MPI_COMM_WORLD);
    } else if (all->rank == pair.from) {
        MPI_Recv(m->receive, values, MPI_DOUBLE, pair.to, RESULTS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (pair.from != 0 && all->rank == pair.from) {
        MPI_Send(m->seconds, FIGURES_OF_PAIR * values, MPI_DOUBLE, 0, RESULTS, MPI_COMM_WORLD);
    } else if (pair.from != 0 && all->rank == 0) {
        MPI_Recv(m->seconds, FIGURES_OF_PAIR * values, MPI_DOUBLE, pair.from, RESULTS, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
}

void pair_measure(const cluster *all, const messages *m, rank_pair pair)
{
    cluster_rest();
    if (all->rank == pair.from || all->rank == pair.to) {
        bool begins = all->rank == pair.from;
        int other = begins ? pair.to : pair.from;
        time_sizes(all, m, other, begins);
        if (m->overheads) {
            time_overheads(all, m, other, begins);
        }
    }
    cluster_rest();
    gather_figures(all, m, pair);
}

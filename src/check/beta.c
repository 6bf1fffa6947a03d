/*
 * How many buses work on the average while l requests are present, for the checker: by both models of where the
 * requests lie, counted in long double, which needs no scaling.
 */
#include "check/check.h"

#include <math.h>
#include <stdlib.h>

/* What is counted for l = 0 .. n. */
typedef struct counts {
    int64_t memories, buses, n;
    long double *row;  /* a row of the recursion */
    long double *all;  /* ways that the requests can lie */
    long double *busy; /* the same, each times the buses that work in it; then beta */
} counts;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- The paper's model ---- */

/* From the partitions into at most i - 1 parts to those into at most i: q_i(r) = q_{i-1}(r) + q_i(r - i). */
static void one_part_more(counts *c, int64_t i)
{
    for (int64_t r = i; r <= c->n; r++)
        c->row[r] += c->row[r - i];
}

/* The partitions of l into exactly j parts are those of l - j into at most j: `working` buses work in each. */
static void count_row(counts *c, int64_t j, int64_t working)
{
    for (int64_t l = j; l <= c->n; l++) {
        c->all[l] += c->row[l - j];
        c->busy[l] += (long double)working * c->row[l - j];
    }
}

/*
 * Fewer than b memories are asked for in the partitions into j < b parts. In the others b of them work; they are the
 * pairs of a partition into b parts and one of the rest into at most m - b parts, whose generating function is the
 * product of both: each further part multiplies it as it does a single one.
 */
static void count_partitions(counts *c)
{
    c->row[0] = 1;
    for (int64_t j = 1; j <= smaller(c->buses, c->n); j++) {
        one_part_more(c, j);
        if (j < c->buses) count_row(c, j, j);
    }
    if (c->buses > c->n) return;
    for (int64_t i = 1; i <= smaller(c->memories - c->buses, c->n); i++)
        one_part_more(c, i);
    count_row(c, c->buses, c->buses);
}

/* ---- The occupancy model ---- */

/*
 * Every way to put l like requests into m memories is as likely as the next. It arises by drawing memories one after
 * the other, each with a chance in proportion to 1 + the requests that it has (G. Polya's urn): with j memories in use,
 * the next request goes to an unused one with probability (m - j)/(m + l). row[j] is the probability that j < b are in
 * use; what is below 1e-30 at either end is left out.
 */
static void draw_memories(counts *c)
{
    const long double negligible = 1e-30L;
    int64_t low = 0, high = 0; /* of the j that are kept */
    c->row[0] = 1;
    for (int64_t l = 0; l < c->n; l++) {
        long double m = (long double)c->memories, after = m + (long double)l, more = 0;
        if (high + 1 < smaller(c->buses, c->n) && c->row[high] > negligible) c->row[++high] = 0;
        for (int64_t j = high; j >= low; j--) {
            long double moves = c->row[j] * ((m - (long double)j) / after);
            more += moves;
            c->row[j] -= moves;
            if (j < high) c->row[j + 1] += moves;
        }
        while (low < high && c->row[low] < negligible)
            low++;
        c->all[l + 1] = 1;
        c->busy[l + 1] = c->busy[l] + more;
    }
}

/* ---- Either ---- */

static void release(counts *c)
{
    free(c->row);
    free(c->all);
    free(c->busy);
    *c = (counts){0};
}

/* beta_0 .. beta_n, in c->busy. */
static int count(counts *c, bool occupancy)
{
    size_t size = (size_t)c->n + 1;
    c->row = calloc(size, sizeof *c->row);
    c->all = calloc(size, sizeof *c->all);
    c->busy = calloc(size, sizeof *c->busy);
    if (!c->row || !c->all || !c->busy) return INLAY_NO_MEMORY;
    if (occupancy)
        draw_memories(c);
    else
        count_partitions(c);
    for (int64_t l = 1; l <= c->n; l++)
        c->busy[l] /= c->all[l];
    return INLAY_OK;
}

/* beta_l does not fall; a rounding may make it seem to. */
static void level_out(counts *c)
{
    for (int64_t l = 1; l <= c->n; l++)
        if (c->busy[l] < c->busy[l - 1]) c->busy[l] = c->busy[l - 1];
}

/* Whether counting to n takes no more than about a minute and a gigabyte. */
static bool feasible(int64_t n, int64_t memories, bool occupancy)
{
    const int64_t longest = 10000000;
    const long double steps = 5e10L;
    long double row = (long double)smaller(n, memories);
    row = occupancy ? 30 * sqrtl(row) /* what draw_memories() keeps */ : 5 * row;
    return n <= longest && (long double)n * row <= steps;
}

/*
 * Count to n = 1024, 4096, ..., until all processors are counted or all buses work but for less than the last digit:
 * then beta_l is b from there on. Not `*enough`: it cannot be counted.
 */
static int count_enough(const check *k, counts *c, bool *enough)
{
    int64_t processors = k->network.processors, memories = inlay_machine_memories(k->machine);
    bool occupancy = inlay_machine_occupancy(k->machine);
    *enough = false;
    for (int64_t n = smaller(1024, processors); !*enough; n = smaller(4 * n, processors)) {
        if (!feasible(n, memories, occupancy)) return INLAY_OK;
        *c = (counts){.memories = memories, .buses = inlay_machine_buses(k->machine), .n = n};
        int status = count(c, occupancy);
        if (status != INLAY_OK || !isfinite(c->busy[n])) return status;
        level_out(c);
        *enough = n == processors || (long double)c->buses - c->busy[n] < 1e-18L * (long double)c->buses;
        if (!*enough) release(c);
    }
    return INLAY_OK;
}

static void take_betas(check_network *network, counts *c)
{
    bool all = c->n == network->processors;
    network->beta = c->busy;
    c->busy = NULL;
    network->betas = c->n;
    network->limit = all ? network->beta[c->n] : (long double)c->buses;
}

bool check_beta(check *k, int *status)
{
    check_network *network = &k->network;
    counts c = {0};
    bool enough = false;

    *status = INLAY_OK;
    if (network->open) return true;
    if (inlay_machine_network(k->machine) != INLAY_NETWORK_MULTIBUS) {
        network->limit = 1;
        return true;
    }
    *status = count_enough(k, &c, &enough);
    if (enough) take_betas(network, &c);
    release(&c);
    if (!enough && *status == INLAY_OK)
        check_find(k, "the machine has too many processors, memories and buses for its limit of u to be recomputed");
    return enough;
}

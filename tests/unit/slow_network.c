/* Slow references for the interconnects' delay. */
#include "slow_network.h"
#include "unit.h"
#include <gsl/gsl_linalg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Golden numbers ---- */

const json_t *delay_rows(const char *table, json_t **root)
{
    *root = unit_golden("delay");
    const json_t *rows = json_object_get(*root, table);
    ck_assert_msg(rows != NULL, "no table '%s'", table);
    return rows;
}

double delay_number(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    ck_assert_msg(json_is_number(value), "no number '%s'", name);
    return json_number_value(value);
}

/* ---- beta ---- */

/* p_j(l), the partitions of l into exactly j parts, by p_j(l) = sum over i <= j of p_i(l - j). */
static slow_integer partitions_into(int j, int l)
{
    static slow_integer known[SLOW_LARGEST + 1][SLOW_LARGEST + 1];
    static bool filled;
    if (!filled) {
        known[0][0] = 1;
        for (int total = 1; total <= SLOW_LARGEST; total++) {
            for (int parts = 1; parts <= total; parts++) {
                for (int i = 0; i <= parts; i++) {
                    known[parts][total] += known[i][total - parts];
                }
            }
        }
        filled = true;
    }
    return j > l ? 0 : known[j][l];
}

slow_ratio slow_paper_beta(int m, int b, int l)
{
    slow_ratio beta = {0, 0};
    for (int j = 1; j < b; j++) {
        beta.over += (slow_integer)j * partitions_into(j, l);
        beta.under += partitions_into(j, l);
    }
    slow_integer all_buses = 0;
    for (int j = 0; j <= l - b; j++) {
        /* p_{m-b}(r + (m - b)) counts the partitions of r into at most m - b parts, without the large argument */
        int rest = l - b - j;
        slow_integer others = 0;
        for (int parts = 0; parts <= m - b; parts++) {
            others += partitions_into(parts, rest);
        }
        all_buses += partitions_into(b, j + b) * others;
    }
    beta.over += (slow_integer)b * all_buses;
    beta.under += all_buses;
    return beta;
}

/* counts[j][l], j <= parts: partitions of l into exactly j parts, one row after another; freed by the caller. */
static long double *partition_rows(int parts, int n)
{
    size_t width = (size_t)n + 1;
    long double *counts = calloc(((size_t)parts + 1) * width, sizeof *counts);
    ck_assert_ptr_nonnull(counts);
    counts[0] = 1;
    for (int j = 1; j <= parts; j++) {
        for (int l = j; l <= n; l++) {
            counts[(size_t)j * width + (size_t)l] =
                counts[(size_t)(j - 1) * width + (size_t)(l - 1)] + counts[(size_t)j * width + (size_t)(l - j)];
        }
    }
    return counts;
}

void slow_paper_betas(int m, int b, int n, long double *beta)
{
    size_t width = (size_t)n + 1;
    int parts = b > m - b ? b : m - b;
    long double *counts = partition_rows(parts, n);
    long double *others = calloc(width, sizeof *others); /* into at most m - b parts */
    ck_assert_ptr_nonnull(others);
    for (int j = 0; j <= m - b; j++) {
        for (int l = 0; l <= n; l++) {
            others[l] += counts[(size_t)j * width + (size_t)l];
        }
    }
    for (int l = 1; l <= n; l++) {
        long double over = 0;
        long double under = 0;
        for (int j = 1; j < b; j++) {
            over += (long double)j * counts[(size_t)j * width + (size_t)l];
            under += counts[(size_t)j * width + (size_t)l];
        }
        long double all_buses = 0;
        for (int i = b; i <= l; i++) {
            all_buses += counts[(size_t)b * width + (size_t)i] * others[l - i];
        }
        beta[l] = (over + (long double)b * all_buses) / (under + all_buses);
    }
    free(others);
    free(counts);
}

static long double choose(int n, int r)
{
    long double value = 1;
    for (int i = 1; i <= r; i++) {
        value = value * (long double)(n - r + i) / (long double)i;
    }
    return r < 0 || r > n ? 0 : value;
}

long double slow_occupancy_beta(int m, int b, int l)
{
    long double sum = 0;
    for (int j = 1; j <= m && j <= l; j++) {
        sum += (long double)(j < b ? j : b) * choose(m, j) * choose(l - 1, j - 1);
    }
    return sum / choose(l + m - 1, l);
}

/* ---- Model 3's chain ---- */

slow_point slow_multibus(int k, const long double *beta, long double rho)
{
    long double weight = 1;
    long double total = 1;
    long double present = 0;
    for (int l = 1; l <= k; l++) {
        weight *= (long double)(k - l + 1) * rho / beta[l];
        total += weight;
        present += (long double)l * weight;
    }
    long double active = (long double)k - present / total;
    long double u = rho * active;
    return (slow_point){u, (k - u / rho) / u, active};
}

/* ---- The Markov chain of the truth ---- */

enum { MEMORIES = 16, STATES = 6000 };

/* Each memory as 2 x requests + 1 where it is being served; in falling order, for memories are alike. */
typedef struct bus_state {
    unsigned char memory[MEMORIES];
} bus_state;

typedef struct bus_chain {
    int k, m, b;
    double rho;
    int states;
    bus_state state[STATES];
    gsl_matrix *rates; /* rates(to, from), NULL while states are being found */
} bus_chain;

static int requests(const bus_chain *c, const bus_state *s)
{
    int sum = 0;
    for (int i = 0; i < c->m; i++) {
        sum += s->memory[i] / 2;
    }
    return sum;
}

static int served(const bus_chain *c, const bus_state *s)
{
    int sum = 0;
    for (int i = 0; i < c->m; i++) {
        sum += s->memory[i] % 2;
    }
    return sum;
}

static int falling(const void *a, const void *b)
{
    return *(const unsigned char *)b - *(const unsigned char *)a;
}

static int state_number(bus_chain *c, bus_state s)
{
    qsort(s.memory, (size_t)c->m, 1, falling);
    for (int i = 0; i < c->states; i++) {
        if (memcmp(&c->state[i], &s, sizeof s) == 0) return i;
    }
    ck_assert_int_lt(c->states, STATES);
    c->state[c->states] = s;
    return c->states++;
}

static void transition(bus_chain *c, int from, bus_state to, double rate)
{
    int target = state_number(c, to);
    if (c->rates != NULL) {
        *gsl_matrix_ptr(c->rates, (size_t)target, (size_t)from) += rate;
        *gsl_matrix_ptr(c->rates, (size_t)from, (size_t)from) -= rate;
    }
}

static void arrivals(bus_chain *c, int from)
{
    bus_state s = c->state[from];
    double rate = (c->k - requests(c, &s)) * c->rho / c->m;
    for (int i = 0; rate > 0 && i < c->m; i++) {
        bus_state to = s;
        bool starts = s.memory[i] == 0 && served(c, &s) < c->b;
        to.memory[i] = (unsigned char)(to.memory[i] + 2 + starts);
        transition(c, from, to, rate);
    }
}

/* The i-th memory's transfer ends; its bus goes on to a memory that waits, if there is one. */
static void departure(bus_chain *c, int from, int i)
{
    bus_state s = c->state[from];
    s.memory[i] = (unsigned char)(s.memory[i] - 3);
    int waiting = 0;
    for (int j = 0; j < c->m; j++) {
        waiting += s.memory[j] > 0 && s.memory[j] % 2 == 0;
    }
    if (waiting == 0) transition(c, from, s, 1);
    for (int j = 0; j < c->m; j++) {
        if (s.memory[j] > 0 && s.memory[j] % 2 == 0) {
            bus_state to = s;
            to.memory[j]++;
            transition(c, from, to, 1. / waiting);
        }
    }
}

static void leave_states(bus_chain *c)
{
    for (int from = 0; from < c->states; from++) { /* more are found on the way */
        arrivals(c, from);
        for (int i = 0; i < c->m; i++) {
            if (c->state[from].memory[i] % 2) departure(c, from, i);
        }
    }
}

/* Rates x probabilities = 0, one equation of which gives way to sum = 1. */
static gsl_vector *equilibrium(bus_chain *c)
{
    size_t n = (size_t)c->states;
    gsl_vector *right = gsl_vector_calloc(n);
    gsl_vector *probability = gsl_vector_alloc(n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    int sign;
    for (size_t i = 0; i < n; i++) {
        gsl_matrix_set(c->rates, 0, i, 1);
    }
    gsl_vector_set(right, 0, 1);
    gsl_linalg_LU_decomp(c->rates, order, &sign);
    gsl_linalg_LU_solve(c->rates, order, right, probability);
    gsl_permutation_free(order);
    gsl_vector_free(right);
    return probability;
}

slow_point slow_multibus_truth(int k, int m, int b, double rho)
{
    ck_assert_int_le(m, MEMORIES);
    bus_chain *c = calloc(1, sizeof *c);
    ck_assert_ptr_nonnull(c);
    *c = (bus_chain){.k = k, .m = m, .b = b, .rho = rho, .states = 1};
    leave_states(c);
    c->rates = gsl_matrix_calloc((size_t)c->states, (size_t)c->states);
    leave_states(c);
    gsl_vector *probability = equilibrium(c);
    double busy = 0;
    double present = 0;
    for (int i = 0; i < c->states; i++) {
        busy += gsl_vector_get(probability, (size_t)i) * served(c, &c->state[i]);
        present += gsl_vector_get(probability, (size_t)i) * requests(c, &c->state[i]);
    }
    gsl_vector_free(probability);
    gsl_matrix_free(c->rates);
    free(c);
    return (slow_point){busy, present / busy, k - present};
}

/* ---- One switch of an omega network ---- */

double slow_switch_waiting(int n, double load)
{
    enum { LONGEST = 2000, FRAMES = 20000 };
    static double now[LONGEST + 1]; /* by the number of messages that are left over from earlier frames */
    static double next[LONGEST + 1];
    memset(now, 0, sizeof now);
    now[0] = 1;
    double left = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        memset(next, 0, sizeof next);
        for (int queue = 0; queue <= LONGEST - n && (queue < n || now[queue] > 0); queue++) {
            for (int come = 0; come <= n; come++) {
                double chance = (double)choose(n, come) * pow(load / n, come) * pow(1 - load / n, n - come);
                int after = queue + come > 0 ? queue + come - 1 : 0;
                next[after] += now[queue] * chance;
            }
        }
        memcpy(now, next, sizeof now);
        double before = left;
        left = 0;
        for (int queue = 0; queue <= LONGEST; queue++) {
            left += queue * now[queue];
        }
        if (frame > 10 && fabs(left - before) <= 1e-16 * left) break;
    }
    return left / load; /* Little's law: `left` messages wait through each frame */
}

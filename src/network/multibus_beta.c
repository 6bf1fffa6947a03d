/* Mean number of working buses while l requests are present, after two models of where the requests lie. */
#include "network/multibus.h"
#include "base/memory.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- The paper's model ---- */

/*
 * With p_j(l) the number of partitions of l into exactly j parts,
 *     beta_l = (sum over j < b of j p_j(l) + b N_l) / (sum over j < b of p_j(l) + N_l),
 *     N_l = sum over i of p_b(i) q(l - i),   q(r) the partitions of r into at most m - b parts
 * (Houstis et al., model 3, with the paper's misprints corrected). Nothing needs the convolution: the generating
 * function of p_j is x^j / ((1-x) ... (1-x^j)), that of N is p_b's times 1 / ((1-x) ... (1-x^(m-b))), and each factor
 * 1/(1-x^i) is one running sum. All terms are positive, so doubles lose nothing.
 *
 * The counts outgrow double near l = 40,000. They are then multiplied by first x e^(-fall l), which no ratio notices.
 */
typedef struct partitions {
    int64_t n;      /* the largest l */
    double fall;    /* 0: not scaled */
    double *row;    /* p_j(l), then N_l */
    double *counts; /* the denominator of beta_l */
    double *busy;   /* the numerator */
} partitions;

/* Numbers below the normal range are rounded up again and again and would never die out. */
static void flush(partitions *p)
{
    for (int64_t l = 0; l <= p->n; l++) {
        if (p->row[l] < DBL_MIN) p->row[l] = 0;
    }
}

/* Multiply the row by 1/(1 - x^i). */
static void running_sum(partitions *p, int64_t i)
{
    double step = exp(-p->fall * (double)i);
    for (int64_t l = i; l <= p->n; l++) {
        p->row[l] += step * p->row[l - i];
    }
    if (p->fall > 0) flush(p);
}

/* From p_{j-1} to p_j: times x/(1 - x^j). */
static void next_row(partitions *p, int64_t j)
{
    double step = exp(-p->fall);
    for (int64_t l = p->n; l >= j; l--) {
        p->row[l] = step * p->row[l - 1];
    }
    p->row[j - 1] = 0;
    running_sum(p, j);
}

static void tally(partitions *p, int64_t from, int64_t working)
{
    for (int64_t l = from; l <= p->n; l++) {
        p->counts[l] += p->row[l];
        p->busy[l] += (double)working * p->row[l];
    }
}

/* Whether every beta_l is a ratio of numbers that were in range. */
static bool count_partitions(partitions *p, int64_t m, int64_t b, double first)
{
    for (int64_t l = 0; l <= p->n; l++) {
        p->row[l] = p->counts[l] = p->busy[l] = 0;
    }
    p->row[0] = first;
    for (int64_t j = 1; j <= least(b, p->n); j++) {
        next_row(p, j);
        if (j < b) tally(p, j, j);
    }
    if (b <= p->n) {
        for (int64_t i = 1; i <= least(m - b, p->n); i++) {
            running_sum(p, i);
        }
        tally(p, b, b);
    }
    for (int64_t l = 1; l <= p->n; l++) {
        if (!isnormal(p->counts[l]) || !isfinite(p->busy[l])) return false;
    }
    return true;
}

/* Of 1 / ((1-x) ... (1-x^parts)) at x = e^-fall: its logarithm, and the mean exponent that its terms have there. */
static void generating_function(int64_t parts, double fall, double *log_value, double *mean)
{
    for (int64_t i = 1; i <= parts; i++) {
        double exponent = fall * (double)i;
        if (exponent > 50) break; /* what follows adds nothing */
        *log_value -= log(-expm1(-exponent));
        *mean += (double)i / expm1(exponent);
    }
}

/*
 * ln of the number of pairs of partitions of n together, into at most `first` and at most `second` parts; a little more
 * than that: it is less than F(x)/x^n for the generating function F and every x in (0, 1), and close to it where the
 * mean exponent at x is n. The mean falls as x = e^-fall does.
 */
static double log_pairs(int64_t first, int64_t second, int64_t n)
{
    double low = 1e-3 / (double)(n + 1);
    double high = 50;
    double log_value = 0;
    for (int i = 0; i < 60; i++) {
        double fall = sqrt(low * high);
        double mean = 0;
        log_value = fall * (double)n;
        generating_function(least(first, n), fall, &log_value, &mean);
        generating_function(least(second, n), fall, &log_value, &mean);
        *(mean > (double)n ? &low : &high) = fall;
    }
    return log_value;
}

/*
 * Logarithms of the counts are concave in l. Scaled so that they end where they began, they rise in between by no more
 * than 0.91 sqrt(n), for the number of pairs of partitions of l grows as e^(pi sqrt(4l/3)). So they begin low, and fit
 * up to n = 2 million.
 */
static double level_fall(int64_t m, int64_t b, int64_t n)
{
    double log_end = log_pairs(b, 0, n);
    if (b <= n) {
        log_end = fmax(log_end, log_pairs(b, m - b, n - b));
    }
    return log_end / (double)n;
}

int multibus_paper_beta(int64_t m, int64_t b, int64_t n, bool scaled, double *beta)
{
    static const double low_start = 1e-250;
    partitions p = {.n = n, .fall = scaled ? level_fall(m, b, n) : 0, .busy = beta};
    p.row = memory_array((size_t)n + 1, sizeof *p.row);
    p.counts = memory_array((size_t)n + 1, sizeof *p.counts);
    int status = p.row == NULL || p.counts == NULL ? INLAY_NO_MEMORY : INLAY_OK;
    if (status == INLAY_OK && !count_partitions(&p, m, b, scaled ? low_start : 1)) {
        status = INLAY_OVERFLOW;
    }
    for (int64_t l = 1; status == INLAY_OK && l <= n; l++) {
        beta[l] /= p.counts[l];
    }
    free(p.row);
    free(p.counts);
    return status;
}

/* ---- The occupancy model ---- */

/*
 * beta_l = E[min(b, J)], J the memories that are not empty: P(J = j) = C(m, j) C(l-1, j-1) / C(l+m-1, l), which is
 * hypergeometric (l drawn from m memories and l - 1 others) with mean m l / (l+m-1). Summed from the most likely j
 * outward, by ratios.
 */
static double sum_occupancy(int64_t m, int64_t b, int64_t l)
{
    static const double negligible = 1e-20; /* beside the largest weight, 1 */
    int64_t most = least(m, l);
    double rows = (double)m + 1;
    double middle = rows * ((double)l + 1) / (rows + (double)l);
    int64_t top = middle >= (double)most ? most : (int64_t)middle;
    double total = 1;
    double working = (double)least(b, top);
    double weight = 1;
    for (int64_t j = top; j < most && weight > negligible; j++) {
        weight *= (double)(m - j) / (double)(j + 1) * ((double)(l - j) / (double)j);
        total += weight;
        working += (double)least(b, j + 1) * weight;
    }
    weight = 1;
    for (int64_t j = top - 1; j >= 1 && weight > negligible; j--) {
        weight *= (double)(j + 1) / (double)(m - j) * ((double)j / (double)(l - j));
        total += weight;
        working += (double)least(b, j) * weight;
    }
    return working / total;
}

/*
 * J strays from its mean by d with probability at most 2 e^(-2 d^2 / min(l, m)) (W. Hoeffding, "Probability
 * inequalities for sums of bounded random variables", J. Amer. Statist. Assoc. 58 (1963), section 6), so where b is
 * farther away than that, J or b is the lesser throughout.
 */
static double occupancy(int64_t m, int64_t b, int64_t l)
{
    double mean = (double)m / ((double)l + (double)m - 1) * (double)l;
    int64_t most = least(m, l);
    double reach = sqrt(20 * (double)most); /* e^-40 */
    if (b >= most || (double)b >= mean + reach) return mean;
    if ((double)b <= mean - reach) return (double)b;
    return sum_occupancy(m, b, l);
}

void multibus_occupancy_beta(int64_t m, int64_t b, int64_t n, double *beta)
{
    beta[0] = 0;
    for (int64_t l = 1; l <= n; l++) {
        beta[l] = occupancy(m, b, l);
    }
}

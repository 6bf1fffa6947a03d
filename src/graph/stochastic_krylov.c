/*
 * The equations are A x = b with A = D - L - U: D the pivots, L and U the shares of earlier and later places. Their
 * incomplete factors are (E - L) 1/E (E - U) with a diagonal E alone. Where no visit multiplies, it is chosen so that
 * the factors' columns (forward) or rows (backward) nearly have the sums of A's, which are the leaks: I. Gustafsson, BIT
 * 18 (1978). That takes no subtraction. Else E = D, which is a sweep forth and back.
 *
 * The product with A comes along with that with the factors' inverses: S. C. Eisenstat, SIAM J. Sci. Stat. Comput. 2
 * (1981).
 */
#include "graph/stochastic_krylov.h"
#include "base/memory.h"

enum { VECTORS = 8, MOST_STEPS = 1000 };

static const double enough = 1e-7;      /* of the residual, relatively */
static const double relaxation = 0.998; /* share of the sums that is kept: with all, an E could be 0 */

/* ---- The factors ---- */

static void swap_shares(sg_equations *e, size_t a, size_t b)
{
    inlay_id place = e->place[a];
    double share = e->share[a];
    e->place[a] = e->place[b];
    e->share[a] = e->share[b];
    e->place[b] = place;
    e->share[b] = share;
}

static void split_shares(sg_krylov *k, sg_equations *e)
{
    for (inlay_id t = 0; t < e->count; t++) {
        size_t split = e->begin[t];
        for (size_t a = split; a < e->begin[t + 1]; a++) {
            if (e->place[a] < t) {
                swap_shares(e, a, split++);
            }
        }
        k->split[t] = split;
    }
}

/*
 * kept_t: sum of column t below the diagonal (forward), of row t behind it (backward).
 * E_t = kept_t + leak_t + sum over earlier places j of (U_jt or L_tj) (1 - relaxation kept_j / E_j)
 */
static void find_diagonal(sg_krylov *k, double *kept, double *rest)
{
    const sg_equations *e = k->equations;
    for (inlay_id t = 0; t < e->count; t++) {
        kept[t] = 0;
        rest[t] = e->leak[t];
    }
    for (inlay_id t = 0; t < e->count; t++) {
        size_t begin = e->backward ? k->split[t] : e->begin[t], end = e->backward ? e->begin[t + 1] : k->split[t];
        for (size_t a = begin; a < end; a++) {
            kept[e->backward ? t : e->place[a]] += e->share[a];
        }
    }
    for (inlay_id t = 0; t < e->count; t++) {
        for (size_t a = e->begin[t]; e->backward && a < k->split[t]; a++) {
            inlay_id j = e->place[a];
            rest[t] += e->share[a] * (1 - relaxation * kept[j] / k->diagonal[j]);
        }
        k->diagonal[t] = kept[t] + rest[t];
        double left = 1 - relaxation * kept[t] / k->diagonal[t];
        for (size_t a = k->split[t]; !e->backward && a < e->begin[t + 1]; a++) {
            rest[e->place[a]] += e->share[a] * left;
        }
    }
}

bool sg_krylov_open(sg_krylov *k, sg_equations *equations)
{
    size_t n = (size_t)equations->count;
    *k = (sg_krylov){.equations = equations};
    k->split = pool_array(&k->arrays, n, sizeof *k->split);
    k->diagonal = pool_array(&k->arrays, n, sizeof *k->diagonal);
    k->inverse = pool_array(&k->arrays, n, sizeof *k->inverse);
    k->vectors = pool_array(&k->arrays, n, VECTORS * sizeof *k->vectors);
    if (k->arrays.failed) {
        return false;
    }
    double **vector[VECTORS] = {&k->residual, &k->shadow,     &k->direction, &k->image,
                                &k->step,     &k->step_image, &k->solution,  &k->scratch};
    for (size_t i = 0; i < VECTORS; i++) {
        *vector[i] = k->vectors + i * n;
    }
    split_shares(k, equations);
    find_diagonal(k, k->residual, k->shadow);
    for (size_t t = 0; t < n; t++) {
        k->diagonal[t] = equations->balanced ? k->diagonal[t] : equations->pivot[t];
        k->inverse[t] = 1 / k->diagonal[t];
    }
    return true;
}

void sg_krylov_clear(sg_krylov *k)
{
    pool_clear(&k->arrays);
    *k = (sg_krylov){0};
}

/* ---- Products ---- */

/* out = 1/(E - U) v */
static void solve_later(const sg_krylov *k, const double *v, double *out)
{
    const sg_equations *e = k->equations;
    for (inlay_id t = e->count; t-- > 0;) {
        double sum = v[t];
        for (size_t a = k->split[t]; a < e->begin[t + 1]; a++) {
            sum += e->share[a] * out[e->place[a]];
        }
        out[t] = sum * k->inverse[t];
    }
}

/* out = 1/(E - L) v; both may be the same. */
static void solve_earlier(const sg_krylov *k, const double *v, double *out)
{
    const sg_equations *e = k->equations;
    for (inlay_id t = 0; t < e->count; t++) {
        double sum = v[t];
        for (size_t a = e->begin[t]; a < k->split[t]; a++) {
            sum += e->share[a] * out[e->place[a]];
        }
        out[t] = sum * k->inverse[t];
    }
}

/* out = E 1/(E - L) A 1/(E - U) v, by A = (E - L) + (E - U) + (D - 2 E). */
static void multiply(const sg_krylov *k, const double *v, double *out)
{
    const sg_equations *e = k->equations;
    solve_later(k, v, k->scratch);
    for (inlay_id t = 0; t < e->count; t++) {
        out[t] = v[t] + (e->pivot[t] - 2 * k->diagonal[t]) * k->scratch[t];
    }
    solve_earlier(k, out, out);
    for (inlay_id t = 0; t < e->count; t++) {
        out[t] = k->diagonal[t] * (k->scratch[t] + out[t]);
    }
}

/* sum + term, with what rounding takes away in `lost`: D. E. Knuth, The Art of Computer Programming 2, 4.2.2. */
static void add_exactly(double *sum, double *lost, double term)
{
    double total = *sum + term, part = total - *sum;
    *lost += (*sum - (total - part)) + (term - part);
    *sum = total;
}

/*
 * b - A x forward where no visit multiplies: what a share takes from one module is what it brings to the other, to the
 * last digit. Else rounding would be a source everywhere, which a loop that is hardly ever left makes great.
 */
static void find_flow_residual(sg_krylov *k, const double *x)
{
    const sg_equations *e = k->equations;
    double *sum = k->residual, *lost = k->scratch;
    for (inlay_id t = 0; t < e->count; t++) {
        sum[t] = e->b[t];
        lost[t] = 0;
    }
    for (inlay_id t = 0; t < e->count; t++) {
        add_exactly(&sum[t], &lost[t], -e->leak[t] * x[t]);
        for (size_t a = e->begin[t]; a < e->begin[t + 1]; a++) {
            inlay_id from = e->place[a];
            double flow = e->share[a] * x[from];
            add_exactly(&sum[t], &lost[t], flow);
            add_exactly(&sum[from], &lost[from], -flow);
        }
    }
    for (inlay_id t = 0; t < e->count; t++) {
        sum[t] += lost[t];
    }
}

/* b - A x. Backward, where no visit multiplies, by differences, which are small and therefore right. */
static void find_row_residual(sg_krylov *k, const double *x)
{
    const sg_equations *e = k->equations;
    for (inlay_id t = 0; t < e->count; t++) {
        double base = e->balanced ? x[t] : 0, sum = e->b[t] - (e->balanced ? e->leak[t] : e->pivot[t]) * x[t];
        for (size_t a = e->begin[t]; a < e->begin[t + 1]; a++) {
            sum += e->share[a] * (x[e->place[a]] - base);
        }
        k->residual[t] = sum;
    }
}

/* E 1/(E - L) (b - A x) */
static void find_residual(sg_krylov *k, const double *x)
{
    if (k->equations->balanced && !k->equations->backward) {
        find_flow_residual(k, x);
    } else {
        find_row_residual(k, x);
    }
    solve_earlier(k, k->residual, k->residual);
    for (inlay_id t = 0; t < k->equations->count; t++) {
        k->residual[t] *= k->diagonal[t];
    }
}

static double product(const sg_krylov *k, const double *a, const double *b)
{
    double sum = 0;
    for (inlay_id t = 0; t < k->equations->count; t++) {
        sum += a[t] * b[t];
    }
    return sum;
}

/* ---- BiCGSTAB ---- */

/* One step with its half steps along the direction and along what is left then; the square of the residual. */
static double step_once(sg_krylov *k, double *rho, double *along, double *across)
{
    inlay_id n = k->equations->count;
    double before = *rho;
    *rho = product(k, k->shadow, k->residual);
    double turn = *rho / before * (*along / *across);
    for (inlay_id t = 0; t < n; t++) {
        k->direction[t] = k->residual[t] + turn * (k->direction[t] - *across * k->image[t]);
    }
    multiply(k, k->direction, k->image);
    *along = *rho / product(k, k->shadow, k->image);
    for (inlay_id t = 0; t < n; t++) {
        k->step[t] = k->residual[t] - *along * k->image[t];
    }
    multiply(k, k->step, k->step_image);
    double square = product(k, k->step_image, k->step_image);
    *across = square > 0 ? product(k, k->step_image, k->step) / square : 0;
    for (inlay_id t = 0; t < n; t++) {
        k->solution[t] += *along * k->direction[t] + *across * k->step[t];
        k->residual[t] = k->step[t] - *across * k->step_image[t];
    }
    return product(k, k->residual, k->residual);
}

sg_outcome sg_krylov_correct(sg_krylov *k, double *x)
{
    inlay_id n = k->equations->count;
    find_residual(k, x);
    for (inlay_id t = 0; t < n; t++) {
        k->shadow[t] = k->residual[t];
        k->direction[t] = k->image[t] = k->solution[t] = 0;
    }
    double square = product(k, k->residual, k->residual), wanted = enough * enough * square;
    double rho = 1, along = 1, across = 1;
    int steps = 0;
    while (square > wanted && steps++ < MOST_STEPS) {
        square = step_once(k, &rho, &along, &across);
    }
    if (!(square <= wanted)) { /* also where it is not a number */
        return SG_UNSETTLED;
    }
    solve_later(k, k->solution, k->scratch);
    for (inlay_id t = 0; t < n; t++) {
        x[t] += k->scratch[t];
    }
    return SG_DONE;
}

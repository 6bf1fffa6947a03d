/* Halos that add to others and are made of others, iterations that touch no ghost, and a solver that computes while ghosts
 * are on their way. */
#include "reading.h"
#include <inlay/irregular_halo.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = DISTRIBUTION_MOST, LOOPS = 3 };

/* ---- Three loops over one distribution ---- */

typedef struct loops {
    harness *h;
    distribution d;
    reading r[LOOPS];
    int32_t local[LOOPS][2 * MOST];
    inlay_halo *halo[LOOPS];
    int64_t value[2 * MOST];
} loops;

static int64_t value_of(int64_t g)
{
    return 1000 + 7 * g;
}

/* Own values alone. */
static void clear_values(loops *l)
{
    for (int32_t i = 0; i < 2 * MOST; i++) {
        l->value[i] = i < l->d.count ? value_of(l->d.own[i]) : -1;
    }
}

static void gather(loops *l, inlay_halo *halo)
{
    inlay_field field = {l->value, MPI_INT64_T, 1};
    check_ok(l->h, inlay_halo_gather_begin(halo, &field, 1, l->h->diag));
    check_ok(l->h, inlay_halo_gather_end(halo, l->h->diag));
}

/* All references of a loop find what they refer to. */
static void check_references(loops *l, int loop, const int32_t *local)
{
    int wrong = 0;
    for (int64_t i = 0; i < l->r[loop].count; i++) {
        wrong += l->value[local[i]] != value_of(l->r[loop].g[i]);
    }
    check(l->h, wrong == 0);
}

/* How many elements of others loops 0 .. last refer to on this rank. */
static int32_t ghosts_until(const loops *l, int last)
{
    int32_t count = 0;
    for (int64_t g = 0; g < l->d.n; g++) {
        bool met = false;
        for (int loop = 0; loop <= last; loop++) {
            met = met || l->r[loop].referenced[l->h->rank][g];
        }
        count += met && l->d.owner[g] != l->h->rank;
    }
    return count;
}

static void run_with_loops(harness *h, void (*run)(loops *l), const char *what)
{
    uint64_t state = 41;
    loops *l = malloc(sizeof *l);
    for (int round = 0; round < 4 * DISTRIBUTION_KINDS; round++) {
        int64_t n = round < DISTRIBUTION_KINDS ? 1 + round : 1 + (int64_t)harness_draw(&state, MOST);
        harness_case(h, "%s over %d elements in a distribution of kind %d", what, (int)n, round % DISTRIBUTION_KINDS);
        *l = (loops){.h = h};
        for (int loop = 0; loop < LOOPS; loop++) {
            reading_draw(h, &state, n, harness_draw(&state, 5) == 0 ? 0 : n / (1 + loop), &l->r[loop]);
        }
        if (distribution_draw(h, &state, n, (distribution_kind)(round % DISTRIBUTION_KINDS), &l->d)) {
            run(l);
        }
        for (int loop = 0; loop < LOOPS; loop++) {
            inlay_halo_free(l->halo[loop]);
        }
        distribution_clear(&l->d);
    }
    free(l);
}

/* ---- Increments ---- */

static bool make_increments(loops *l)
{
    bool made = true;
    for (int loop = 0; loop < LOOPS && made; loop++) {
        made = check_ok(l->h, inlay_halo_increment(loop == 0 ? NULL : l->halo[loop - 1], l->d.table, l->r[loop].g,
                                                   l->r[loop].count, l->local[loop], &l->halo[loop], l->h->diag));
    }
    return made;
}

/* Ghosts send 1 each; owners count those that come. */
static void check_increment_scatter(loops *l, int loop)
{
    inlay_halo_figures f = inlay_halo_figures_of(l->halo[loop]);
    for (int32_t i = 0; i < 2 * MOST; i++) {
        l->value[i] = i < l->d.count ? 0 : 1;
    }
    inlay_field field = {l->value, MPI_INT64_T, 1};
    check_ok(l->h, inlay_halo_scatter_begin(l->halo[loop], &field, 1, MPI_SUM, l->h->diag));
    check_ok(l->h, inlay_halo_scatter_end(l->halo[loop], l->h->diag));
    int64_t came = 0;
    for (int32_t i = 0; i < l->d.count; i++) {
        int64_t expected = 0;
        for (int rank = 0; rank < l->h->ranks; rank++) {
            bool now = rank != l->h->rank && l->r[loop].referenced[rank][l->d.own[i]];
            for (int before = 0; before < loop; before++) {
                now = now && !l->r[before].referenced[rank][l->d.own[i]];
            }
            expected += now;
        }
        check(l->h, l->value[i] == expected);
        came += l->value[i];
    }
    check(l->h, came == f.sends);
}

static void run_increments(loops *l)
{
    if (!make_increments(l)) {
        return;
    }
    clear_values(l);
    for (int loop = 0; loop < LOOPS; loop++) {
        inlay_halo_figures f = inlay_halo_figures_of(l->halo[loop]);
        check(l->h, f.before == (loop == 0 ? 0 : ghosts_until(l, loop - 1)));
        check(l->h, f.before + f.ghosts == ghosts_until(l, loop) && f.own == l->d.count);
        gather(l, l->halo[loop]);
        check_references(l, loop, l->local[loop]);
        int32_t end = f.own + f.before + f.ghosts;
        check(l->h, l->value[end] == -1 && (end == 0 || l->value[end - 1] != -1));
    }
    for (int loop = 0; loop < LOOPS; loop++) {
        check_increment_scatter(l, loop);
    }
}

/* ---- Merging ---- */

/* What a halo for the references of both loops would be: the same. */
static void check_merged(loops *l, inlay_halo *merged)
{
    static int64_t g[4 * MOST];
    static int32_t local[4 * MOST];
    int64_t first = l->r[0].count, second = l->r[1].count;
    inlay_halo *once = NULL;
    memcpy(g, l->r[0].g, (size_t)first * sizeof *g);
    memcpy(g + first, l->r[1].g, (size_t)second * sizeof *g);
    if (!check_ok(l->h, inlay_halo_make(l->d.table, g, first + second, local, &once, l->h->diag))) {
        return;
    }
    inlay_halo_figures a = inlay_halo_figures_of(once), b = inlay_halo_figures_of(merged);
    check(l->h, a.own == b.own && a.ghosts == b.ghosts && a.before == b.before && a.sends == b.sends);
    check(l->h, a.neighbours_in == b.neighbours_in && a.neighbours_out == b.neighbours_out);
    check(l->h, memcmp(local, l->local[0], (size_t)first * sizeof *local) == 0);
    check(l->h, memcmp(local + first, l->local[1], (size_t)second * sizeof *local) == 0);
    inlay_halo_free(once);
}

static void check_merge(loops *l, bool increment)
{
    int32_t ghost[2 * MOST];
    inlay_halo *merged = NULL;
    int32_t first = inlay_halo_figures_of(l->halo[0]).ghosts;
    int32_t *ghost_b = ghost + first;
    if (!check_ok(l->h, inlay_halo_merge(l->halo[0], l->halo[1], ghost, ghost_b, &merged, l->h->diag))) {
        return;
    }
    inlay_halo_renumber(merged, ghost, l->local[0], l->r[0].count);
    inlay_halo_renumber(merged, increment ? ghost : ghost_b, l->local[1], l->r[1].count);
    check_merged(l, merged);
    clear_values(l);
    gather(l, merged);
    check_references(l, 0, l->local[0]);
    check_references(l, 1, l->local[1]);
    /* and more to what was merged */
    inlay_halo *more = NULL;
    if (check_ok(l->h,
                 inlay_halo_increment(merged, l->d.table, l->r[2].g, l->r[2].count, l->local[2], &more, l->h->diag))) {
        inlay_halo_figures f = inlay_halo_figures_of(more);
        check(l->h, f.before + f.ghosts == ghosts_until(l, 2));
        gather(l, more);
        check_references(l, 2, l->local[2]);
        inlay_halo_free(more);
    }
    inlay_halo_free(merged);
}

static void run_merges(loops *l)
{
    bool made = true;
    for (int loop = 0; loop < 2; loop++) {
        made = made && check_ok(l->h, inlay_halo_make(l->d.table, l->r[loop].g, l->r[loop].count, l->local[loop],
                                                      &l->halo[loop], l->h->diag));
    }
    if (made) {
        check_merge(l, false);
    }
}

static void run_merged_increments(loops *l)
{
    if (make_increments(l)) {
        check_merge(l, true);
    }
}

static void test_set_errors(harness *h)
{
    harness_case(h, "halos of other tables neither merge nor add");
    inlay_table *ten = NULL, *eleven = NULL, *alone = NULL;
    inlay_halo *a = NULL, *b = NULL, *c = NULL, *made = NULL;
    int64_t g = 0, far = h->rank == h->ranks - 1 ? 99 : 0;
    int32_t local = -7, ghost[2] = {-7, -7};
    check_ok(h, inlay_table_block(h->comm, 10, &ten, h->diag));
    check_ok(h, inlay_table_block(h->comm, 11, &eleven, h->diag));
    check_ok(h, inlay_table_block(MPI_COMM_SELF, 10, &alone, h->diag));
    check_ok(h, inlay_halo_make(ten, &g, 1, &local, &a, h->diag));
    check_ok(h, inlay_halo_make(eleven, &g, 1, &local, &b, h->diag));
    check_ok(h, inlay_halo_make(alone, &g, 1, &local, &c, h->diag));
    inlay_diag *diag = inlay_diag_new();
    local = -7;
    check_fails(h, inlay_halo_merge(a, b, ghost, ghost + 1, &made, diag), INLAY_BAD_ARGUMENT,
                "expected halos of one table", diag);
    if (h->ranks > 1) {
        check_fails(h, inlay_halo_merge(a, c, ghost, ghost + 1, &made, diag), INLAY_BAD_ARGUMENT, "different ranks",
                    diag);
    }
    check_fails(h, inlay_halo_increment(a, eleven, &g, 1, &local, &made, diag), INLAY_BAD_ARGUMENT,
                "expected a halo of the same table", diag);
    check_fails(h, inlay_halo_increment(a, ten, &far, 1, &local, &made, diag), INLAY_BAD_ARGUMENT, "element 99", diag);
    check(h, made == NULL && local == -7 && ghost[0] == -7 && ghost[1] == -7);
    inlay_diag_free(diag);
    inlay_halo_free(a);
    inlay_halo_free(b);
    inlay_halo_free(c);
    inlay_table_free(ten);
    inlay_table_free(eleven);
    inlay_table_free(alone);
}

/* ---- Iterations ---- */

/* Iteration i touches references start[i] .. start[i + 1] - 1 of the first loop. */
static void check_inner(loops *l, const int64_t *start, int32_t touched, int32_t iterations)
{
    int32_t order[2 * MOST + 1], next = 0;
    int32_t inner = inlay_halo_inner(l->halo[0], l->local[0], start, touched, iterations, order);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < iterations; i++) {
            int64_t begin = start != NULL ? start[i] : (int64_t)i * touched;
            int64_t end = start != NULL ? start[i + 1] : begin + touched;
            int others = 0;
            for (int64_t k = begin; k < end; k++) {
                others += l->d.owner[l->r[0].g[k]] != l->h->rank;
            }
            if ((others > 0) == pass) {
                check(l->h, next < iterations && order[next] == i);
                next++;
            }
        }
        check(l->h, pass == 1 || inner == next);
    }
}

static void run_inner(loops *l)
{
    int64_t start[2 * MOST + 2] = {0};
    int32_t iterations = 0;
    for (int64_t at = 0; at < l->r[0].count; iterations++) {
        at += at % 4 < l->r[0].count - at ? at % 4 + (iterations % 3 == 2) : l->r[0].count - at;
        start[iterations + 1] = at < l->r[0].count ? at : l->r[0].count;
        if (iterations == 2 * MOST) {
            return;
        }
    }
    if (check_ok(l->h, inlay_halo_make(l->d.table, l->r[0].g, l->r[0].count, l->local[0], &l->halo[0], l->h->diag))) {
        check_inner(l, start, 0, iterations);
        check_inner(l, NULL, 3, (int32_t)(l->r[0].count / 3));
        check_inner(l, NULL, 0, 5);
    }
}

/* ---- Conjugate gradients ---- */

/* A symmetric matrix that all ranks know: neighbours weigh -1, the diagonal more than they do together. */
enum { ROWS = 120, STEPS = 40 };

typedef struct matrix {
    bool joined[ROWS][ROWS];
    double diagonal[ROWS];
} matrix;

static void draw_matrix(uint64_t *state, matrix *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < ROWS; i++) {
        int ends[2] = {(i + 1) % ROWS, (int)harness_draw(state, ROWS)};
        for (int k = 0; k < 2; k++) {
            if (ends[k] != i) {
                m->joined[i][ends[k]] = m->joined[ends[k]][i] = true;
            }
        }
    }
    for (int i = 0; i < ROWS; i++) {
        m->diagonal[i] = 0.25 + i % 3;
        for (int k = 0; k < ROWS; k++) {
            m->diagonal[i] += m->joined[i][k];
        }
    }
}

/* The serial program, on the whole of everything. */
static double whole_dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void serial_product(const matrix *m, const double *p, double *kp)
{
    for (int i = 0; i < ROWS; i++) {
        kp[i] = m->diagonal[i] * p[i];
        for (int k = 0; k < ROWS; k++) {
            kp[i] -= m->joined[i][k] ? p[k] : 0;
        }
    }
}

/* The parallel one: rows of this rank, those that need no ghost first. */
typedef struct solver {
    harness *h;
    const matrix *m;
    const distribution *d;
    inlay_halo *halo;
    int64_t start[ROWS + 1];
    int32_t local[ROWS * ROWS], order[ROWS];
    int32_t inner;
} solver;

static void row_products(const solver *s, int32_t from, int32_t to, const double *p, double *kp)
{
    for (int32_t n = from; n < to; n++) {
        int32_t i = s->order[n];
        kp[i] = s->m->diagonal[s->d->own[i]] * p[i];
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            kp[i] -= p[s->local[k]];
        }
    }
}

static void product(const solver *s, double *p, double *kp)
{
    inlay_field field = {p, MPI_DOUBLE, 1};
    check_ok(s->h, inlay_halo_gather_begin(s->halo, &field, 1, s->h->diag));
    row_products(s, 0, s->inner, p, kp);
    check_ok(s->h, inlay_halo_gather_end(s->halo, s->h->diag));
    row_products(s, s->inner, s->d->count, p, kp);
}

/* All of a vector, of which each rank has its own. */
static void whole(const solver *s, const double *own, double *all)
{
    double mine[ROWS] = {0};
    for (int32_t i = 0; i < s->d->count; i++) {
        mine[s->d->own[i]] = own[i];
    }
    MPI_Allreduce(mine, all, ROWS, MPI_DOUBLE, MPI_SUM, s->h->comm);
}

static double dot(const solver *s, const double *a, const double *b)
{
    double all_a[ROWS], all_b[ROWS];
    whole(s, a, all_a);
    whole(s, b, all_b);
    return whole_dot(all_a, all_b);
}

/* Rows `n` of x, from x = 0 and a right side of ones; s is NULL in the serial program. */
static void solve(const solver *s, const matrix *m, int32_t n, double *x)
{
    double r[2 * ROWS] = {0}, p[2 * ROWS] = {0}, kp[2 * ROWS] = {0};
    for (int32_t i = 0; i < n; i++) {
        x[i] = 0;
        r[i] = p[i] = 1;
    }
    double rr = s != NULL ? dot(s, r, r) : whole_dot(r, r);
    for (int step = 0; step < STEPS; step++) {
        if (s != NULL) {
            product(s, p, kp);
        } else {
            serial_product(m, p, kp);
        }
        double alpha = rr / (s != NULL ? dot(s, p, kp) : whole_dot(p, kp));
        for (int32_t i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * kp[i];
        }
        double next = s != NULL ? dot(s, r, r) : whole_dot(r, r);
        for (int32_t i = 0; i < n; i++) {
            p[i] = r[i] + next / rr * p[i];
        }
        rr = next;
    }
}

static void check_solver(harness *h, const matrix *m, const distribution *d, inlay_transport transport)
{
    static solver s;
    static int64_t g[ROWS * ROWS];
    s = (solver){.h = h, .m = m, .d = d};
    int64_t count = 0;
    for (int32_t i = 0; i < d->count; i++) {
        for (int64_t k = 0; k < ROWS; k++) {
            if (m->joined[d->own[i]][k]) {
                g[count++] = k;
            }
        }
        s.start[i + 1] = count;
    }
    double expected[ROWS], own[ROWS], got[ROWS];
    if (check_ok(h, inlay_halo_make(d->table, g, count, s.local, &s.halo, h->diag))) {
        s.inner = inlay_halo_inner(s.halo, s.local, s.start, 0, d->count, s.order);
        check_ok(h, inlay_halo_set_transport(s.halo, transport, h->diag));
        solve(&s, m, d->count, own);
        whole(&s, own, got);
        solve(NULL, m, ROWS, expected);
        check(h, memcmp(got, expected, sizeof got) == 0); /* the sums are the same, in the same order */
        inlay_halo_free(s.halo);
    }
}

static void test_solver(harness *h)
{
    uint64_t state = 43;
    matrix *m = malloc(sizeof *m);
    for (int round = 0; round < 3 * DISTRIBUTION_KINDS; round++) {
        harness_case(h, "conjugate gradients with overlap, kind %d, transport %d", round % DISTRIBUTION_KINDS,
                     round / DISTRIBUTION_KINDS);
        distribution d;
        draw_matrix(&state, m);
        if (distribution_draw(h, &state, ROWS, (distribution_kind)(round % DISTRIBUTION_KINDS), &d)) {
            check_solver(h, m, &d, (inlay_transport)(round / DISTRIBUTION_KINDS));
        }
        distribution_clear(&d);
    }
    free(m);
}

void suite_halos(harness *h);

void suite_halos(harness *h)
{
    run_with_loops(h, run_increments, "increments");
    run_with_loops(h, run_merges, "merged halos");
    run_with_loops(h, run_merged_increments, "a base merged with its increment");
    run_with_loops(h, run_inner, "inner iterations");
    test_set_errors(h);
    test_solver(h);
}

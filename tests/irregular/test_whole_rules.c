/* Loops that are shared out: what is refused and how it is told, when a loop is inspected anew, scalars, files, memory that is out. */
#include "harness.h"
#include "starved.h"
#include <inlay/irregular_loop.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 40 };

/* for i < trips: what `one` does to x[a[i]] and what `two` does to x[b[i]]; READ of both: y[i] = their sum. */
typedef struct pair_loop {
    inlay_site site[3];
    inlay_loop_about about;
    inlay_loop *handle;
    int trips;
    double *x, *y;
    int *a, *b;
    inlay_number one, two;
} pair_loop;

static void pair_make(pair_loop *m, inlay_access one, inlay_access two)
{
    *m = (pair_loop){
        .site = {{"p.c:3", "x[a[i]]", one, 0}, {"p.c:4", "x[b[i]]", two, 1}, {"p.c:5", "y[i]", INLAY_ACCESS_WRITE, 2}},
        .trips = N,
        .one = INLAY_NUMBER_DOUBLE,
        .two = INLAY_NUMBER_DOUBLE};
    m->about = (inlay_loop_about){.where = "p.c:2", .site = m->site, .sites = 3, .keys = 3, .step = 1};
    m->x = calloc(N, sizeof *m->x);
    m->y = calloc(N, sizeof *m->y);
    m->a = calloc(N, sizeof *m->a);
    m->b = calloc(N, sizeof *m->b);
    for (int i = 0; i < N && m->x != NULL && m->a != NULL && m->b != NULL; i++) {
        m->x[i] = i;
        m->a[i] = i;
        m->b[i] = (i + N - 1) % N;
    }
}

static void pair_clear(pair_loop *m)
{
    free(m->x);
    free(m->y);
    free(m->a);
    free(m->b);
}

static int pair_begin(inlay_whole *w, pair_loop *m, bool *inspected)
{
    const inlay_input input[] = {INLAY_INPUT(m->trips), INLAY_INPUT(m->x), INLAY_INPUT(m->y), INLAY_INPUT(m->a),
                                 INLAY_INPUT(m->b)};
    int status = inlay_loop_begin(w, &m->handle, &m->about, input, 5, inspected);
    for (int i = 0; i < m->trips && status == INLAY_OK && *inspected; i++) {
        inlay_loop_iteration(m->handle, i);
        INLAY_SOURCE(m->handle, m->a[i]);
        inlay_loop_touch(m->handle, 0, m->one, &m->x[m->a[i]], sizeof *m->x);
        INLAY_SOURCE(m->handle, m->b[i]);
        inlay_loop_touch(m->handle, 1, m->two, &m->x[m->b[i]], sizeof *m->x);
        INLAY_TOUCH(m->handle, 2, m->y[i]);
    }
    return status == INLAY_OK && *inspected ? inlay_loop_inspected(m->handle) : status;
}

/* Both accesses are reads. */
static int pair_run(inlay_whole *w, pair_loop *m, bool *inspected)
{
    int status = pair_begin(w, m, inspected);
    if (status == INLAY_OK) {
        status = inlay_loop_fetch(m->handle);
    }
    for (int64_t q = 0; status == INLAY_OK && q < m->handle->ranges; q++) {
        if (q == m->handle->inner) {
            status = inlay_loop_fetched(m->handle);
        }
        for (int64_t i = m->handle->range[q].first; i <= m->handle->range[q].last; i++) {
            m->y[i] = m->x[m->a[i]] + m->x[m->b[i]];
        }
    }
    return status == INLAY_OK ? inlay_loop_end(m->handle) : status;
}

/* ---- Refusals ---- */

static void test_refusals(harness *h)
{
    static const struct {
        inlay_access one, two;
        inlay_number type;
        const char *text;
    } rules[] = {
        {INLAY_ACCESS_READ, INLAY_ACCESS_WRITE, INLAY_NUMBER_DOUBLE,
         "p.c:4: iteration 1 writes x[b[i]], which iteration 0 reads (x[a[i]] at p.c:3)"},
        {INLAY_ACCESS_WRITE, INLAY_ACCESS_READ, INLAY_NUMBER_DOUBLE,
         "p.c:4: iteration 1 reads x[b[i]], which iteration 0 writes (x[a[i]] at p.c:3)"},
        {INLAY_ACCESS_ADD, INLAY_ACCESS_READ, INLAY_NUMBER_DOUBLE,
         "p.c:4: iteration 1 reads x[b[i]], which iteration 0 adds to (x[a[i]] at p.c:3)"},
        {INLAY_ACCESS_ADD, INLAY_ACCESS_MIN, INLAY_NUMBER_DOUBLE,
         "p.c:4: iteration 1 takes the minimum of x[b[i]], which iteration 0"},
        {INLAY_ACCESS_ADD, INLAY_ACCESS_ADD, INLAY_NUMBER_INT64, "numbers of different types (x[b[i]], and x["},
        {INLAY_ACCESS_OR, INLAY_ACCESS_XOR, INLAY_NUMBER_DOUBLE, "p.c:4: iteration 1 changes bits (^) of x[b[i]]"},
    };
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        harness_case(h, "refused: %s", rules[r].text);
        pair_loop m;
        inlay_whole *w = NULL;
        bool inspected = false;
        pair_make(&m, rules[r].one, rules[r].two);
        m.two = rules[r].type;
        check_ok(h, inlay_whole_open(h->comm, NULL, &w, h->diag));
        check_fails(h, pair_begin(w, &m, &inspected), INLAY_BAD_INPUT, rules[r].text, h->diag);
        check_fails(h, pair_begin(w, &m, &inspected), INLAY_BAD_INPUT, rules[r].text, h->diag); /* and again */
        inlay_whole_close(w);
        pair_clear(&m);
    }
    harness_case(h, "refused: a loop that writes its own indices");
    pair_loop m;
    inlay_whole *w = NULL;
    bool inspected = false;
    pair_make(&m, INLAY_ACCESS_READ, INLAY_ACCESS_READ);
    double *y = m.y;
    m.y = (double *)(void *)m.a;
    m.trips = N / 2;
    check_ok(h, inlay_whole_open(h->comm, NULL, &w, h->diag));
    check_fails(h, pair_begin(w, &m, &inspected), INLAY_BAD_INPUT, "p.c:5: iteration 0 stores to y[i], and indices",
                h->diag);
    m.y = y;
    inlay_whole_close(w);
    pair_clear(&m);
    harness_case(h, "refused: ranks that do not do the same");
    pair_make(&m, INLAY_ACCESS_READ, INLAY_ACCESS_READ);
    check_ok(h, inlay_whole_open(h->comm, NULL, &w, h->diag));
    m.a[3] = h->rank == h->ranks - 1 ? 7 : 8;
    if (h->ranks == 1) {
        check_ok(h, pair_begin(w, &m, &inspected));
    } else {
        check_fails(h, pair_begin(w, &m, &inspected), INLAY_SYSTEM, "p.c:2: ranks disagree", h->diag);
    }
    inlay_whole_close(w);
    pair_clear(&m);
    harness_case(h, "methods");
    check_fails(h, inlay_whole_open(h->comm, &(inlay_whole_options){.method = "rcb"}, &w, h->diag), INLAY_BAD_ARGUMENT,
                "method rcb cannot share out loops", h->diag);
}

/* ---- Inspected anew ---- */

static void test_plans(harness *h)
{
    for (int guard = 0; guard < 2; guard++) {
        harness_case(h, "plans, %s", guard != 0 ? "with the guard" : "without");
        pair_loop m;
        inlay_whole *w = NULL;
        bool inspected = false;
        pair_make(&m, INLAY_ACCESS_READ, INLAY_ACCESS_READ);
        check_ok(h, inlay_whole_open(h->comm, &(inlay_whole_options){.no_guard = guard == 0}, &w, h->diag));
        for (int step = 0; step < 6; step++) { /* two sets of pointers, and owners anew for the second */
            double *t = m.x;
            check(h, pair_run(w, &m, &inspected) == INLAY_OK && inspected == (step < (h->ranks == 1 ? 2 : 3)));
            m.x = m.y;
            m.y = t;
        }
        inlay_changed(w);
        m.x[4] = 9; /* no index */
        check(h, pair_run(w, &m, &inspected) == INLAY_OK && !inspected);
        inlay_settle(w);
        check(h, m.y[5] == 9 + m.x[5]);
        inlay_changed(w);
        m.a[4] = 11;
        check(h, pair_run(w, &m, &inspected) == INLAY_OK && inspected == (guard != 0));
        m.trips = 3; /* fewer iterations than ranks */
        check(h, pair_run(w, &m, &inspected) == INLAY_OK && inspected);
        m.trips = 0;
        check(h, pair_run(w, &m, &inspected) == INLAY_OK && inspected && m.handle->count == 0 && !w->stale);
        m.trips = N;
        check(h, pair_run(w, &m, &inspected) == INLAY_OK && !inspected);
        int64_t count = m.handle->count, most = 0;
        MPI_Allreduce(&count, &most, 1, MPI_INT64_T, MPI_SUM, h->comm);
        check(h, most == N && m.handle->iterations == N && m.handle->inner <= count);
        for (int64_t q = 0; q < m.handle->ranges; q++) {
            const inlay_range *r = &m.handle->range[q];
            check(h, q == 0 || q == m.handle->inner || r[0].first > r[-1].last + 1);
            count -= r->last - r->first + 1;
        }
        check(h, count == 0);
        check_ok(h, inlay_whole_free(w, m.y)); /* somebody may get the address again */
        m.y = calloc(N, sizeof *m.y);
        check(h, pair_run(w, &m, &inspected) == INLAY_OK && inspected);
        for (int trips = 1; trips < 30; trips++) { /* more sets of inputs than plans are kept */
            m.trips = trips;
            check_ok(h, pair_run(w, &m, &inspected));
        }
        m.trips = 29;
        check(h, pair_run(w, &m, &inspected) == INLAY_OK && !inspected);
        m.trips = N;
        check(h, pair_run(w, &m, &inspected) == INLAY_OK && inspected);
        inlay_settle(w);
        for (int i = 0; i < N && guard != 0; i++) {
            check(h, m.y[i] == m.x[m.a[i]] + m.x[m.b[i]]);
        }
        char *text = NULL;
        check_ok(h, inlay_whole_report(w, &text));
        check(h, h->rank == 0 ? strncmp(text, "p.c:2: 40 iterations, run ", 26) == 0 : text[0] == '\0');
        free(text);
        inlay_whole_close(w);
        pair_clear(&m);
    }
}

/* Local memory of the body does not count. */
static void test_private(harness *h)
{
    harness_case(h, "memory of an iteration alone");
    static const inlay_site site[] = {{"q.c:1", "t[k]", INLAY_ACCESS_WRITE, 0}};
    static const inlay_loop_about about = {.where = "q.c:1", .site = site, .sites = 1, .keys = 1};
    for (int own = 0; own < 2; own++) {
        inlay_whole *w = NULL;
        inlay_loop *loop = NULL;
        bool inspect = false;
        double t[3] = {0};
        check_ok(h, inlay_whole_open(h->comm, NULL, &w, h->diag));
        check_ok(h, inlay_loop_begin(w, &loop, &about, NULL, 0, &inspect));
        for (int i = 0; i < N; i++) {
            inlay_loop_iteration(loop, i);
            if (own != 0) {
                INLAY_PRIVATE(loop, t);
            }
            INLAY_TOUCH(loop, 0, t[i % 3]);
        }
        if (own != 0) {
            check_ok(h, inlay_loop_inspected(loop));
        } else {
            check_fails(h, inlay_loop_inspected(loop), INLAY_BAD_INPUT,
                        "q.c:1: iteration 3 writes t[k], which iteration 0", h->diag);
        }
        inlay_whole_close(w);
    }
}

/* An element that one iteration changes in two ways, on a rank that does not own it. */
static void test_two_ways(harness *h)
{
    harness_case(h, "two ways in one iteration");
    static const inlay_site set[] = {{"t.c:1", "x[i]", INLAY_ACCESS_WRITE, 0},
                                     {"t.c:1", "y[i]", INLAY_ACCESS_WRITE, 1},
                                     {"t.c:1", "z[i]", INLAY_ACCESS_WRITE, 2}};
    static const inlay_site use[] = {{"t.c:5", "x[k]", INLAY_ACCESS_ADD, 0},
                                     {"t.c:6", "x[k]", INLAY_ACCESS_MAX, 0},
                                     {"t.c:5", "y[i]", INLAY_ACCESS_READ, 1},
                                     {"t.c:5", "z[i]", INLAY_ACCESS_READ, 2}};
    static const inlay_loop_about about[] = {{.where = "t.c:1", .site = set, .sites = 3, .keys = 3},
                                             {.where = "t.c:5", .site = use, .sites = 4, .keys = 3}};
    inlay_whole *w = NULL;
    inlay_loop *loop[2] = {NULL, NULL};
    double x[N], y[N], z[N];
    bool inspect = false;
    check_ok(h, inlay_whole_open(h->comm, NULL, &w, h->diag));
    for (int l = 0; l < 2; l++) {
        check_ok(h, inlay_loop_begin(w, &loop[l], &about[l], NULL, 0, &inspect));
        for (int i = 0; i < N; i++) {
            int k = l == 0 ? i : N - 1 - i;
            inlay_loop_iteration(loop[l], i);
            INLAY_TOUCH(loop[l], 0, x[k]);
            for (int s = 1; s < about[l].sites; s++) {
                inlay_loop_touch(loop[l], s, INLAY_NUMBER_DOUBLE,
                                 l == 1 && s == 1            ? &x[k]
                                 : about[l].site[s].key == 1 ? &y[i]
                                                             : &z[i],
                                 sizeof *x);
            }
        }
        check_ok(h, inlay_loop_inspected(loop[l]));
        check_ok(h, inlay_loop_fetch(loop[l]));
        for (int64_t q = 0; q < loop[l]->ranges; q++) {
            if (q == loop[l]->inner) {
                check_ok(h, inlay_loop_fetched(loop[l]));
            }
            int64_t i = loop[l]->range[q].first;
            if (l == 0) {
                x[i] = y[i] = z[i] = (double)i;
            } else {
                x[N - 1 - i] += y[i] - 2 * z[i];
                x[N - 1 - i] = x[N - 1 - i] < 3 ? 3 : x[N - 1 - i];
            }
        }
        check_ok(h, inlay_loop_end(loop[l]));
    }
    check_ok(h, inlay_whole_settle(w));
    for (int k = 0; k < N; k++) {
        int was = k - (N - 1 - k);
        check(h, x[k] == (was < 3 ? 3 : was) && y[k] == k);
    }
    inlay_whole_close(w);
}

/* ---- Scalars ---- */

static void test_neutral(harness *h)
{
    harness_case(h, "what accumulations start from");
    int8_t least, before = 0;
    least = 5;
    INLAY_NEUTRAL(INLAY_ACCESS_MIN, least, before);
    check(h, least == INT8_MAX && before == 5);
    uint16_t bits = 3, bits_before = 0;
    INLAY_NEUTRAL(INLAY_ACCESS_AND, bits, bits_before);
    check(h, bits == 0xffff && bits_before == 3);
    float product = 2, product_before = 0;
    INLAY_NEUTRAL(INLAY_ACCESS_MULTIPLY, product, product_before);
    check(h, product == 1 && product_before == 2);
    bool all = false, all_before = true;
    INLAY_NEUTRAL(INLAY_ACCESS_LOGICAL_AND, all, all_before);
    check(h, all && !all_before);
}

/* ---- Files ---- */

static void test_files(harness *h)
{
    harness_case(h, "files");
    inlay_whole *w = NULL;
    check_ok(h, inlay_whole_open(h->comm, NULL, &w, h->diag));
    char name[64] = "/tmp/inlay-whole-XXXXXX", line[64] = "", other[80];
    int made = h->rank == 0 ? mkstemp(name) : 0;
    if (h->rank == 0 && made >= 0) {
        close(made);
    }
    check_ok(h, inlay_whole_same(w, name, sizeof name));
    FILE *f = inlay_whole_fopen(w, name, "w");
    check(h, f != NULL && fprintf(f, "rank %d\n", h->rank) > 0 && fclose(f) == 0);
    f = inlay_whole_fopen(w, name, "r");
    check(h, f != NULL && fgets(line, sizeof line, f) != NULL && strcmp(line, "rank 0\n") == 0 && fclose(f) == 0);
    f = inlay_whole_fopen(w, name, "r+"); /* all see the same, and go on seeing what they write */
    check(h, f != NULL && fputs("RANK", f) >= 0 && fseek(f, 0, SEEK_SET) == 0 && fgets(line, sizeof line, f) != NULL);
    check(h, strcmp(line, "RANK 0\n") == 0 && f != NULL && fclose(f) == 0);
    f = inlay_whole_fopen(w, name, "a");
    check(h, f != NULL && fprintf(f, "end %d\n", h->rank) > 0 && fclose(f) == 0);
    snprintf(other, sizeof other, "%s.moved", name);
    check(h, inlay_whole_rename(w, name, other) == 0);
    f = inlay_whole_fopen(w, other, "r");
    check(h, f != NULL && fgets(line, sizeof line, f) != NULL && strcmp(line, "RANK 0\n") == 0);
    check(h, f != NULL && fgets(line, sizeof line, f) != NULL && strcmp(line, "end 0\n") == 0 && fclose(f) == 0);
    check(h, inlay_whole_remove(w, other) == 0);
    errno = 0;
    check(h, inlay_whole_fopen(w, other, "r") == NULL && errno == ENOENT);
    check(h, inlay_whole_remove(w, other) != 0 && errno == ENOENT);
    const char *path = inlay_whole_getenv(w, "PATH");
    check(h, path != NULL && path[0] != '\0' && inlay_whole_getenv(w, "INLAY_NO_SUCH_NAME") == NULL);
    inlay_whole_close(w);
}

/* ---- Memory that is out ---- */

/* All that a program does, with one allocation refused on one rank. */
static int little_program(harness *h, pair_loop *m)
{
    inlay_whole *w = NULL;
    bool inspected = false;
    int status = inlay_whole_open(h->comm, NULL, &w, h->diag);
    for (int step = 0; step < 3 && status == INLAY_OK; step++) {
        status = pair_run(w, m, &inspected);
        double *t = m->x;
        m->x = m->y;
        m->y = t;
        if (status == INLAY_OK) {
            status = inlay_whole_settle(w);
        }
    }
    inlay_whole_close(w);
    m->handle = NULL;
    return status;
}

static void test_memory(harness *h)
{
    harness_case(h, "memory refused");
    pair_loop m;
    pair_make(&m, INLAY_ACCESS_READ, INLAY_ACCESS_READ);
    check_ok(h, little_program(h, &m));
    long before = starved_live(), refusals = 0;
    for (long first = 0;; first += h->ranks > 3 ? 7 : 3) {
        starved_begin(h->rank == (int)(first % h->ranks) ? first : -1, false);
        int status = little_program(h, &m);
        long asked = starved_end(), least = 0;
        check(h, status == INLAY_OK || status == INLAY_NO_MEMORY);
        check(h, starved_live() == before);
        refusals += status != INLAY_OK;
        MPI_Allreduce(&asked, &least, 1, MPI_LONG, MPI_MIN, h->comm);
        if (first > least || h->failed > 0) {
            break;
        }
    }
    check(h, refusals > 5);
    pair_clear(&m);
}

void suite_whole_rules(harness *h)
{
    test_refusals(h);
    test_plans(h);
    test_private(h);
    test_two_ways(h);
    test_neutral(h);
    test_files(h);
    test_memory(h);
}

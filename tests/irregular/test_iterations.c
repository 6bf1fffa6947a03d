/* RIPA counts and the ranks of iterations against definitions, on loops that every rank knows whole. */
#include "distribution.h"
#include <inlay/irregular_iterations.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 600, LONGEST = 40, RANKS = 8 };

/* A loop: what each iteration touches, its number, and the rank that holds it at first. */
typedef struct loop {
    int32_t iterations;
    int32_t touched[ITERATIONS];
    int64_t element[ITERATIONS][LONGEST];
    int64_t number[ITERATIONS];
    int32_t holder[ITERATIONS];
} loop;

typedef enum loop_kind {
    LOOP_EDGES,   /* two elements each; blocks of iterations in a row */
    LOOP_TRIPLES, /* three each; iterations anywhere, with numbers that have gaps */
    LOOP_ROWS,    /* 0 to LONGEST elements, some twice; iterations anywhere */
    LOOP_SKEWED,  /* two elements each, mostly among the first ones */
    LOOP_KINDS
} loop_kind;

static int32_t draw_touched(uint64_t *state, loop_kind kind)
{
    if (kind == LOOP_ROWS) {
        return (int32_t)harness_draw(state, harness_draw(state, 4) == 0 ? LONGEST + 1 : 5);
    }
    return kind == LOOP_TRIPLES ? 3 : 2;
}

static void draw_loop(const harness *h, uint64_t *state, int64_t n, int32_t iterations, loop_kind kind, loop *l)
{
    l->iterations = iterations;
    for (int32_t i = 0; i < iterations; i++) {
        bool anywhere = kind == LOOP_TRIPLES || kind == LOOP_ROWS;
        l->number[i] = anywhere ? i * (int64_t)7 + 3 : i;
        l->holder[i] =
            anywhere ? (int32_t)harness_draw(state, (uint64_t)h->ranks) : inlay_block_owner(iterations, h->ranks, i);
        l->touched[i] = draw_touched(state, kind);
        for (int32_t k = 0; k < l->touched[i]; k++) {
            int64_t bound = kind == LOOP_SKEWED && harness_draw(state, 5) > 0 ? 1 + n / 6 : n;
            l->element[i][k] = (int64_t)harness_draw(state, (uint64_t)bound);
        }
    }
}

/* How many different elements iteration i has on `rank`. */
static int32_t count_on(const loop *l, const distribution *d, int32_t i, int32_t rank)
{
    int32_t count = 0;
    for (int32_t k = 0; k < l->touched[i]; k++) {
        bool again = false;
        for (int32_t j = 0; j < k; j++) {
            again = again || l->element[i][j] == l->element[i][k];
        }
        count += !again && d->owner[l->element[i][k]] == rank;
    }
    return count;
}

/* ---- The part of a loop that a rank holds, as the library wants it ---- */

typedef struct held {
    inlay_rig rig;
    int64_t iteration[ITERATIONS], start[ITERATIONS + 1], element[ITERATIONS * LONGEST];
    int32_t index[ITERATIONS]; /* in the loop */
} held;

static void hold(const harness *h, const loop *l, loop_kind kind, held *part)
{
    int32_t count = 0;
    part->start[0] = 0;
    for (int32_t i = 0; i < l->iterations; i++) {
        if (l->holder[i] == h->rank) {
            int64_t at = part->start[count];
            memcpy(part->element + at, l->element[i], (size_t)l->touched[i] * sizeof *part->element);
            part->iteration[count] = l->number[i];
            part->index[count++] = i;
            part->start[count] = at + l->touched[i];
        }
    }
    part->rig = (inlay_rig){.iterations = count, .element = part->element};
    if (kind == LOOP_EDGES || kind == LOOP_SKEWED) {
        part->rig.first = count == 0 ? 0 : part->iteration[0];
    } else {
        part->rig.iteration = part->iteration;
    }
    if (kind == LOOP_ROWS) {
        part->rig.start = part->start;
    } else {
        part->rig.touched = kind == LOOP_TRIPLES ? 3 : 2;
    }
}

/* ---- RIPA ---- */

static void check_ripa(harness *h, const loop *l, const distribution *d, const held *part, const inlay_ripa *ripa)
{
    if (!check(h, ripa->iterations == part->rig.iterations && ripa->start[0] == 0)) {
        return;
    }
    for (int32_t i = 0; i < ripa->iterations; i++) {
        int32_t of = part->index[i];
        int64_t k = ripa->start[i];
        for (int32_t rank = 0; rank < h->ranks; rank++) {
            int32_t count = count_on(l, d, of, rank);
            if (count > 0 && check(h, k < ripa->start[i + 1])) {
                check(h, ripa->rank[k] == rank && ripa->count[k] == count);
                k++;
            }
        }
        check(h, k == ripa->start[i + 1]);
        check(h, ripa->writer[i] == (l->touched[of] == 0 ? -1 : d->owner[l->element[of][0]]));
    }
}

/* ---- The rules ---- */

static int32_t owner_rule(const harness *h, const loop *l, const distribution *d, int32_t i)
{
    return l->touched[i] == 0 ? (int32_t)(l->number[i] % h->ranks) : d->owner[l->element[i][0]];
}

static int32_t max_owner_rule(const harness *h, const loop *l, const distribution *d, int32_t i)
{
    int32_t tied[RANKS], ties = 0, most = 1;
    for (int32_t rank = 0; rank < h->ranks; rank++) {
        int32_t count = count_on(l, d, i, rank);
        ties = count > most ? 0 : ties;
        most = count > most ? count : most;
        if (count == most) {
            tied[ties++] = rank;
        }
    }
    return ties == 0 ? (int32_t)(l->number[i] % h->ranks) : tied[l->number[i] % ties];
}

/* Where all ranks say that they compute the iterations of a loop; each is there once, with its elements. */
static void gather_ranks(harness *h, const loop *l, const inlay_iterations *made, int32_t *rank)
{
    int32_t mine[ITERATIONS] = {0}, times[ITERATIONS], here[ITERATIONS] = {0};
    for (int32_t k = 0; k < made->count; k++) {
        check(h, k == 0 || made->iteration[k - 1] < made->iteration[k]);
        int32_t i = 0;
        while (i < l->iterations && l->number[i] != made->iteration[k]) {
            i++;
        }
        if (check(h, i < l->iterations) &&
            check(h, made->start[k + 1] - made->start[k] == l->touched[i] && made->start[0] == 0)) {
            mine[i]++;
            here[i] = h->rank;
            check(h, memcmp(made->element + made->start[k], l->element[i],
                            (size_t)l->touched[i] * sizeof *made->element) == 0);
        }
    }
    MPI_Allreduce(mine, times, l->iterations, MPI_INT32_T, MPI_SUM, h->comm);
    MPI_Allreduce(here, rank, l->iterations, MPI_INT32_T, MPI_SUM, h->comm);
    for (int32_t i = 0; i < l->iterations; i++) {
        check(h, times[i] == 1);
    }
}

static void check_sums(harness *h, const loop *l, const distribution *d, const int32_t *rank,
                       const inlay_iterations *made)
{
    int64_t local = 0, elements = 0;
    for (int32_t i = 0; i < l->iterations; i++) {
        local += count_on(l, d, i, rank[i]);
        for (int32_t r = 0; r < h->ranks; r++) {
            elements += count_on(l, d, i, r);
        }
    }
    check(h, made->local == local && made->elements == elements);
}

/* Whether iteration i needs nothing of others, and the lowest of its own elements by offset. */
static bool needs_none(const harness *h, const loop *l, const distribution *d, int32_t i, int32_t *lowest)
{
    bool own = true;
    *lowest = INT32_MAX;
    for (int32_t k = 0; k < l->touched[i]; k++) {
        int64_t e = l->element[i][k];
        own = own && d->owner[e] == h->rank;
        *lowest = d->owner[e] == h->rank && d->offset[e] < *lowest ? d->offset[e] : *lowest;
    }
    return own;
}

/* The same iterations with their elements: those that need nothing first, each part by its lowest element, then by number. */
static void check_order(harness *h, const loop *l, const distribution *d, const int32_t *rank, inlay_iterations *made)
{
    bool seen[ITERATIONS] = {false}, needed = false;
    int32_t inner = -1, none = 0, low = -1;
    int64_t last = -1;
    if (!check_ok(h, inlay_iterations_order(d->table, made, &inner, h->diag))) {
        return;
    }
    for (int32_t k = 0; k < made->count; k++) {
        int32_t i = 0, lowest;
        while (i < l->iterations && l->number[i] != made->iteration[k]) {
            i++;
        }
        if (!check(h, i < l->iterations && !seen[i] && rank[i] == h->rank &&
                          made->start[k + 1] - made->start[k] == l->touched[i])) {
            return;
        }
        check(h, memcmp(made->element + made->start[k], l->element[i], (size_t)l->touched[i] * sizeof *made->element) ==
                     0);
        bool needs = !needs_none(h, l, d, i, &lowest);
        bool again = k > 0 && needs == needed;
        check(h, needs || again || k == 0);
        check(h, !again || low < lowest || (low == lowest && last < l->number[i]));
        needed = needs;
        none += !needs;
        last = l->number[i];
        low = lowest;
        seen[i] = true;
    }
    check(h, inner == none);
}

/* False where the call failed. */
static bool divide(harness *h, const loop *l, const distribution *d, const held *part, const inlay_ripa *ripa,
                   inlay_iteration_rule rule, double imbalance, int32_t *rank)
{
    inlay_iterations *made = NULL;
    bool done = check_ok(h, inlay_iterations_make(d->table, &part->rig, ripa, rule, imbalance, &made, h->diag));
    if (done) {
        gather_ranks(h, l, made, rank);
        check_sums(h, l, d, rank, made);
        check_order(h, l, d, rank, made);
    }
    inlay_iterations_free(made);
    return done;
}

static void count_held(const loop *l, const int32_t *rank, int64_t *count)
{
    memset(count, 0, RANKS * sizeof *count);
    for (int32_t i = 0; i < l->iterations; i++) {
        count[rank[i]]++;
    }
}

/* What the header and the method promise: the bound; iterations leave full ranks alone, as many as are too many, for ranks
   that have room; and none stays that would have lost less than one that left for the same rank. */
static void check_balance(harness *h, const loop *l, const distribution *d, const int32_t *before, const int32_t *after,
                          double imbalance)
{
    int64_t full[RANKS], later[RANKS], limit = 0;
    while ((double)limit + 1 <= (1 + imbalance) * l->iterations / h->ranks || limit * h->ranks < l->iterations) {
        limit++;
    }
    count_held(l, before, full);
    count_held(l, after, later);
    for (int r = 0; r < h->ranks; r++) {
        check(h, later[r] <= limit);
        check(h, full[r] <= limit ? later[r] >= full[r] : later[r] == limit);
    }
    for (int32_t i = 0; i < l->iterations; i++) {
        if (before[i] == after[i]) {
            continue;
        }
        check(h, full[before[i]] > limit && full[after[i]] < limit);
        int32_t lost = count_on(l, d, i, before[i]) - count_on(l, d, i, after[i]);
        for (int32_t j = 0; j < l->iterations; j++) {
            if (before[j] == before[i] && after[j] == before[j]) {
                check(h, count_on(l, d, j, before[j]) - count_on(l, d, j, after[i]) >= lost);
            }
        }
    }
}

static void check_rules(harness *h, const loop *l, const distribution *d, const held *part, const inlay_ripa *ripa)
{
    static const double imbalances[] = {0, 0.05, 0.3, 100};
    int32_t rank[ITERATIONS], most[ITERATIONS], again[ITERATIONS];
    if (divide(h, l, d, part, ripa, INLAY_ITERATION_OWNER, 0, rank)) {
        for (int32_t i = 0; i < l->iterations; i++) {
            check(h, rank[i] == owner_rule(h, l, d, i));
        }
    }
    if (!divide(h, l, d, part, ripa, INLAY_ITERATION_MAX_OWNER, 0, most)) {
        return;
    }
    for (int32_t i = 0; i < l->iterations; i++) {
        check(h, most[i] == max_owner_rule(h, l, d, i));
    }
    for (size_t k = 0; k < sizeof imbalances / sizeof *imbalances; k++) {
        if (divide(h, l, d, part, ripa, INLAY_ITERATION_BALANCED, imbalances[k], rank) &&
            divide(h, l, d, part, ripa, INLAY_ITERATION_BALANCED, imbalances[k], again)) {
            check_balance(h, l, d, most, rank, imbalances[k]);
            check(h, memcmp(rank, again, (size_t)l->iterations * sizeof *rank) == 0);
        }
    }
}

static void test_loops(harness *h)
{
    uint64_t state = 21;
    loop *l = calloc(1, sizeof *l);
    held *part = malloc(sizeof *part);
    for (int round = 0; round < 2 * DISTRIBUTION_KINDS * LOOP_KINDS; round++) {
        distribution_kind spread = (distribution_kind)(round % DISTRIBUTION_KINDS);
        loop_kind kind = (loop_kind)(round / DISTRIBUTION_KINDS % LOOP_KINDS);
        int64_t n = 1 + (int64_t)harness_draw(&state, DISTRIBUTION_MOST);
        int32_t iterations = (int32_t)harness_draw(&state, round < LOOP_KINDS * DISTRIBUTION_KINDS ? 12 : ITERATIONS);
        harness_case(h, "a loop of kind %d with %d iterations over %d elements in a distribution of kind %d", (int)kind,
                     (int)iterations, (int)n, (int)spread);
        distribution d;
        draw_loop(h, &state, n, iterations, kind, l);
        hold(h, l, kind, part);
        inlay_ripa *ripa = NULL;
        if (distribution_draw(h, &state, n, spread, &d) &&
            check_ok(h, inlay_ripa_make(d.table, &part->rig, &ripa, h->diag))) {
            check_ripa(h, l, &d, part, ripa);
            check_rules(h, l, &d, part, ripa);
        }
        inlay_ripa_free(ripa);
        distribution_clear(&d);
    }
    free(l);
    free(part);
}

/* ---- Refusals ---- */

static void refuse(harness *h, const inlay_table *table, const inlay_rig *rig, const inlay_ripa *ripa,
                   inlay_iteration_rule rule, double imbalance, const char *text)
{
    inlay_iterations *made = NULL;
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_iterations_make(table, rig, ripa, rule, imbalance, &made, diag), INLAY_BAD_ARGUMENT, text,
                diag);
    check(h, made == NULL);
    inlay_diag_free(diag);
}

static void refuse_rig(harness *h, const inlay_table *table, const inlay_rig *rig, const char *text)
{
    inlay_ripa *made = NULL;
    inlay_diag *diag = inlay_diag_new();
    check_fails(h, inlay_ripa_make(table, rig, &made, diag), INLAY_BAD_ARGUMENT, text, diag);
    check(h, made == NULL);
    inlay_diag_free(diag);
}

static void test_rig_errors(harness *h, const inlay_table *table)
{
    bool last = h->rank == h->ranks - 1;
    int64_t element[4] = {0, 1, 2, last ? 20 : 3}, start[3] = {0, last ? 4 : 2, 3}, low[3] = {last ? 1 : 0, 2, 3};
    int64_t negative[2] = {0, last ? -1 : 1};
    refuse_rig(h, table, &(inlay_rig){.iterations = 2, .touched = 2, .element = element},
               "element 20 is referred to; expected 0 to 19");
    refuse_rig(h, table, &(inlay_rig){.iterations = 2, .start = start, .element = element},
               "the elements of iteration 1 are entries 4 to 3; expected starts that ascend");
    refuse_rig(h, table, &(inlay_rig){.iterations = 2, .start = low, .element = element},
               "the elements of the first iteration start at entry 1; expected 0");
    refuse_rig(h, table, &(inlay_rig){.iterations = 2, .iteration = negative, .touched = 1, .element = element},
               "an iteration is number -1; expected 0 or more");
    refuse_rig(h, table, &(inlay_rig){.iterations = 2, .first = last ? -5 : 0, .touched = 1, .element = element},
               "the first iteration is number -5; expected 0 or more");
    refuse_rig(h, table, &(inlay_rig){.iterations = last ? -1 : 0, .touched = 1, .element = element},
               "-1 iterations; expected 0 or more");
    refuse_rig(h, table, &(inlay_rig){.iterations = 1, .touched = last ? -2 : 1, .element = element},
               "iterations that touch -2 elements each; expected 0 or more");
}

static void test_call_errors(harness *h, const inlay_table *table)
{
    bool last = h->rank == h->ranks - 1;
    int64_t element[4] = {0, 1, 2, 3};
    inlay_rig rig = {.iterations = 2, .first = 2 * (int64_t)h->rank, .touched = 2, .element = element};
    inlay_rig twice = rig, fewer = rig;
    inlay_ripa *ripa = NULL;
    if (!check_ok(h, inlay_ripa_make(table, &rig, &ripa, h->diag))) {
        return;
    }
    twice.first = 0;
    fewer.iterations = last ? 1 : 2;
    refuse(h, table, &fewer, ripa, INLAY_ITERATION_OWNER, 0, "ranks of 2 iterations, elements of 1; expected the same");
    refuse(h, table, &rig, ripa, INLAY_ITERATION_BALANCED, last ? -0.5 : 0, "an imbalance of -0.5; expected 0 or more");
    refuse(h, table, &rig, ripa, INLAY_ITERATION_BALANCED, (double)NAN, "expected 0 or more");
    refuse(h, table, &rig, ripa, (inlay_iteration_rule)(last ? 9 : 0), 0, "unknown rule 9 for iterations");
    if (h->ranks > 1) {
        const char *differ = "the ranks differ in the rule for iterations or in the imbalance";
        refuse(h, table, &rig, ripa, last ? INLAY_ITERATION_OWNER : INLAY_ITERATION_BALANCED, 0, differ);
        refuse(h, table, &rig, ripa, INLAY_ITERATION_BALANCED, last ? 0.25 : 0, differ);
        refuse(h, table, &twice, ripa, INLAY_ITERATION_OWNER, 0, "is there twice; expected different numbers");
    }
    if (last) {
        ripa->rank[0] = h->ranks;
    }
    refuse(h, table, &rig, ripa, INLAY_ITERATION_OWNER, 0, "an iteration touches elements of rank");
    inlay_ripa_free(ripa);
}

static void test_errors(harness *h)
{
    harness_case(h, "loops and calls that cannot be");
    inlay_table *table = NULL;
    if (check_ok(h, inlay_table_block(h->comm, 20, &table, h->diag))) {
        test_rig_errors(h, table);
        test_call_errors(h, table);
    }
    inlay_table_free(table);
}

void suite_iterations(harness *h);

void suite_iterations(harness *h)
{
    test_loops(h);
    test_errors(h);
}

/* Translation tables against lists that every rank has whole. */
#include "harness.h"
#include <inlay/irregular_table.h>
#include <stdio.h>

enum { MOST = 300 };

/* A distribution that all ranks know. */
typedef struct reference {
    int64_t n;
    int32_t owner[MOST], offset[MOST];
    int64_t own[MOST]; /* of this rank, by offset */
    int32_t count;
} reference;

/* Elements to ranks below `busy` at random, each rank's in an order of their own. */
static void draw(const harness *h, uint64_t *state, int64_t n, int busy, reference *r)
{
    int64_t order[MOST];
    int32_t next[8] = {0};
    r->n = n;
    r->count = 0;
    for (int64_t i = 0; i < n; i++) {
        order[i] = i;
    }
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = (int64_t)harness_draw(state, (uint64_t)i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int64_t i = 0; i < n; i++) {
        int32_t rank = (int32_t)harness_draw(state, (uint64_t)busy);
        r->owner[order[i]] = rank;
        r->offset[order[i]] = next[rank]++;
        if (rank == h->rank) {
            r->own[r->count++] = order[i];
        }
    }
}

/* The table says what the lists say, of elements asked for in any order, again and again. */
static void check_table(harness *h, uint64_t *state, const inlay_table *table, const reference *r)
{
    check(h, inlay_table_elements(table) == r->n);
    check(h, inlay_table_comm(table) == h->comm);
    if (!check(h, inlay_table_local(table) == r->count)) {
        return;
    }
    int64_t globals[MOST], g[2 * MOST];
    inlay_table_globals(table, globals);
    for (int32_t i = 0; i < r->count; i++) {
        check(h, globals[i] == r->own[i]);
    }
    int32_t owner[2 * MOST], offset[2 * MOST], again[2 * MOST];
    int64_t asked = 0;
    for (int rank = 0; rank < h->ranks; rank++) { /* other numbers on each rank; the state stays the same on all */
        int64_t count = r->n == 0 ? 0 : (int64_t)harness_draw(state, (uint64_t)2 * (uint64_t)r->n);
        for (int64_t i = 0; i < count; i++) {
            int64_t drawn = (int64_t)harness_draw(state, (uint64_t)r->n);
            if (rank == h->rank) {
                g[i] = drawn;
            }
        }
        asked = rank == h->rank ? count : asked;
    }
    check_ok(h, inlay_table_dereference(table, g, asked, owner, offset, h->diag));
    check_ok(h, inlay_table_dereference(table, g, asked, again, NULL, h->diag));
    for (int64_t i = 0; i < asked; i++) {
        check(h, owner[i] == r->owner[g[i]] && offset[i] == r->offset[g[i]] && again[i] == owner[i]);
    }
}

static void test_blocks(harness *h)
{
    harness_case(h, "block arithmetic is that of the definition");
    for (int64_t n = 0; n < 40; n++) {
        for (int ranks = 1; ranks < 10; ranks++) {
            for (int r = 0; r <= ranks; r++) {
                check(h, inlay_block_first(n, ranks, r) == r * n / ranks);
            }
            for (int64_t g = 0; g < n; g++) {
                check(h, inlay_block_owner(n, ranks, g) == ((g + 1) * ranks - 1) / n);
            }
        }
    }
    harness_case(h, "block arithmetic near the largest number");
    const int64_t n = INT64_MAX;
    for (int r = 0; r < 7; r++) {
        int64_t first = inlay_block_first(n, 7, r);
        check(h, (r == 0 && first == 0) || inlay_block_owner(n, 7, first - 1) == r - 1);
        check(h, inlay_block_owner(n, 7, first) == r);
    }
    check(h, inlay_block_first(n, 7, 7) == n);
}

static void test_block_tables(harness *h)
{
    uint64_t state = 1;
    static const int64_t sizes[] = {0, 1, 2, 5, 7, 64, 299};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        harness_case(h, "block distribution of %d elements", (int)sizes[s]);
        reference r = {.n = sizes[s]};
        for (int64_t g = 0; g < r.n; g++) {
            r.owner[g] = (int32_t)(((g + 1) * h->ranks - 1) / r.n);
            r.offset[g] = (int32_t)(g - r.owner[g] * r.n / h->ranks);
            if (r.owner[g] == h->rank) {
                r.own[r.count++] = g;
            }
        }
        inlay_table *table = NULL;
        if (check_ok(h, inlay_table_block(h->comm, r.n, &table, h->diag))) {
            check_table(h, &state, table, &r);
        }
        inlay_table_free(table);
    }
}

/* Parts for the elements of `r`; `after` becomes the distribution that they mean. */
static void draw_parts(const harness *h, uint64_t *state, const reference *r, int32_t *part, reference *after)
{
    int32_t next[8] = {0};
    after->n = r->n;
    after->count = 0;
    for (int64_t g = 0; g < r->n; g++) {
        int32_t rank = (int32_t)harness_draw(state, (uint64_t)h->ranks);
        after->owner[g] = rank;
        after->offset[g] = next[rank]++;
        if (rank == h->rank) {
            after->own[after->count++] = g;
        }
        if (r->owner[g] == h->rank) {
            part[r->offset[g]] = rank;
        }
    }
}

static void test_any_tables(harness *h)
{
    uint64_t state = 2;
    for (int trial = 0; trial < 40; trial++) {
        int64_t n = (int64_t)harness_draw(&state, trial < 10 ? 6 : MOST);
        int busy = 1 + (int)harness_draw(&state, (uint64_t)h->ranks);
        harness_case(h, "any distribution, %d: %d elements on %d ranks", trial, (int)n, busy);
        reference r, after;
        int32_t part[MOST];
        draw(h, &state, n, busy, &r);
        draw_parts(h, &state, &r, part, &after);
        inlay_table *table = NULL, *parted = NULL;
        if (check_ok(h, inlay_table_owned(h->comm, n, r.own, r.count, &table, h->diag))) {
            check_table(h, &state, table, &r);
            if (check_ok(h, inlay_table_of_parts(table, part, &parted, h->diag))) {
                check_table(h, &state, parted, &after);
            }
        }
        inlay_table_free(table);
        inlay_table_free(parted);
    }
}

static void test_parts_of_blocks(harness *h)
{
    uint64_t state = 3;
    for (int trial = 0; trial < 10; trial++) {
        reference r = {.n = (int64_t)harness_draw(&state, MOST)}, after;
        harness_case(h, "parts of a block distribution of %d elements", (int)r.n);
        for (int64_t g = 0; g < r.n; g++) {
            r.owner[g] = (int32_t)(((g + 1) * h->ranks - 1) / r.n);
            r.offset[g] = (int32_t)(g - r.owner[g] * r.n / h->ranks);
        }
        int32_t part[MOST];
        draw_parts(h, &state, &r, part, &after);
        inlay_table *table = NULL, *parted = NULL;
        check_ok(h, inlay_table_block(h->comm, r.n, &table, h->diag));
        if (check_ok(h, inlay_table_of_parts(table, part, &parted, h->diag))) {
            check_table(h, &state, parted, &after);
        }
        inlay_table_free(table);
        inlay_table_free(parted);
    }
}

/* Numbers for which a list of entries is too long to write down. */
static void test_large(harness *h)
{
    harness_case(h, "the last element of a large block distribution");
    const int64_t n = (int64_t)h->ranks * (INT32_MAX - 1);
    inlay_table *table = NULL;
    if (check_ok(h, inlay_table_block(h->comm, n, &table, h->diag))) {
        int64_t g[3] = {n - 1, 0, (int64_t)h->rank * (INT32_MAX - 1)};
        int32_t owner[3], offset[3];
        check_ok(h, inlay_table_dereference(table, g, 3, owner, offset, h->diag));
        check(h, owner[0] == h->ranks - 1 && offset[0] == INT32_MAX - 2);
        check(h, owner[1] == 0 && offset[1] == 0);
        check(h, owner[2] == h->rank && offset[2] == 0);
    }
    inlay_table_free(table);
    harness_case(h, "too many elements for the ranks");
    inlay_diag *diag = inlay_diag_new();
    table = NULL;
    check_fails(h, inlay_table_block(h->comm, (int64_t)h->ranks << 31, &table, diag), INLAY_OVERFLOW, "more ranks",
                diag);
    check(h, table == NULL);
    inlay_diag_free(diag);
}

/* One call that fails on all ranks alike, with a fresh diagnostic. */
#define fails(h, call, status, text)                                                                                   \
    do {                                                                                                               \
        inlay_diag *diag = inlay_diag_new();                                                                           \
        check_fails(h, call, status, text, diag);                                                                      \
        inlay_diag_free(diag);                                                                                         \
    } while (0)

static void test_refusals(harness *h)
{
    inlay_table *none = NULL;
    int64_t n = 2 * (int64_t)h->ranks, own[3] = {2 * h->rank, 2 * h->rank + 1, 0};
    int last = h->ranks - 1;
    harness_case(h, "an element owned twice");
    fails(h, inlay_table_owned(h->comm, n, own, h->rank == last ? 3 : 2, &none, diag), INLAY_BAD_ARGUMENT,
          "element 0 is owned by rank 0 and again by rank ");
    harness_case(h, "an element owned by nobody");
    fails(h, inlay_table_owned(h->comm, n, own, h->rank == last ? 1 : 2, &none, diag), INLAY_BAD_ARGUMENT,
          "is owned by no rank; expected one owner each");
    harness_case(h, "elements out of range");
    int64_t beyond[2] = {2 * h->rank, h->rank == last ? n : 2 * h->rank + 1};
    fails(h, inlay_table_owned(h->comm, n, beyond, 2, &none, diag), INLAY_BAD_ARGUMENT, "; expected 0 to ");
    int64_t below[2] = {2 * h->rank, h->rank == last ? -1 : 2 * h->rank + 1};
    fails(h, inlay_table_owned(h->comm, n, below, 2, &none, diag), INLAY_BAD_ARGUMENT, "element -1 is owned");
    fails(h, inlay_table_owned(h->comm, n, own, h->rank == last ? -1 : 2, &none, diag), INLAY_BAD_ARGUMENT,
          "-1 elements");
    fails(h, inlay_table_block(h->comm, -1, &none, diag), INLAY_BAD_ARGUMENT, "-1 elements; expected 0 or more");
    if (h->ranks > 1) {
        harness_case(h, "ranks that disagree on the number of elements");
        fails(h, inlay_table_block(h->comm, 5 + h->rank, &none, diag), INLAY_BAD_ARGUMENT, "ranks speak of 5 to ");
    }
    check(h, none == NULL);

    harness_case(h, "references out of range leave the answers alone");
    inlay_table *block = NULL, *list = NULL;
    check_ok(h, inlay_table_block(h->comm, n, &block, h->diag));
    check_ok(h, inlay_table_owned(h->comm, n, own, 2, &list, h->diag));
    int64_t g[2] = {0, h->rank == last ? n : 1};
    int32_t owner[2] = {-5, -5}, offset[2] = {-6, -6};
    fails(h, inlay_table_dereference(block, g, 2, owner, offset, diag), INLAY_BAD_ARGUMENT,
          "is referred to; expected 0 to ");
    fails(h, inlay_table_dereference(list, g, 2, owner, offset, diag), INLAY_BAD_ARGUMENT,
          "is referred to; expected 0 to ");
    check(h, owner[0] == -5 && owner[1] == -5 && offset[0] == -6 && offset[1] == -6);
    harness_case(h, "a part that is no rank");
    int32_t part[2] = {0, h->rank == last ? h->ranks : 0};
    fails(h, inlay_table_of_parts(block, part, &none, diag), INLAY_BAD_ARGUMENT, "; expected a rank, 0 to ");
    fails(h, inlay_table_of_parts(list, part, &none, diag), INLAY_BAD_ARGUMENT, "; expected a rank, 0 to ");
    check(h, none == NULL);
    inlay_table_free(block);
    inlay_table_free(list);
}

/* Of several ranks that fail, the lowest one's message comes to all, whatever each of them has to say. */
static void test_agreement(harness *h)
{
    harness_case(h, "the message of the lowest rank that failed");
    inlay_table *none = NULL;
    int64_t own[1] = {h->rank < h->ranks / 2 ? h->rank : -1 - h->rank};
    char text[80];
    snprintf(text, sizeof text, "element %d is owned; expected 0 to %d", -1 - h->ranks / 2, h->ranks - 1);
    fails(h, inlay_table_owned(h->comm, h->ranks, own, 1, &none, diag), INLAY_BAD_ARGUMENT, text);
    harness_case(h, "ranks without a diagnostic");
    check(h, inlay_table_owned(h->comm, h->ranks, own, 1, &none, NULL) == INLAY_BAD_ARGUMENT && none == NULL);
}

void suite_table(harness *h)
{
    test_blocks(h);
    test_block_tables(h);
    test_any_tables(h);
    test_parts_of_blocks(h);
    test_large(h);
    test_refusals(h);
    test_agreement(h);
}

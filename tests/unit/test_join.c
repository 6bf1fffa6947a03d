/* Chains against all permutations, trees against all labelled trees. */
#include "select/join.h"
#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static uint32_t drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Whole costs, so that all sums are exact; few of them, so that many chains are equal. */
static void draw(uint64_t *state, int count, uint32_t values, double *cost)
{
    for (int i = 0; i < count; i++) {
        cost[i * count + i] = NAN;
        for (int j = 0; j < i; j++)
            cost[i * count + j] = cost[j * count + i] = drawn(state) % values;
    }
}

static double along(int count, const double *cost, const int32_t *order)
{
    double sum = 0;
    for (int n = 1; n < count; n++)
        sum += cost[order[n - 1] * count + order[n]];
    return sum;
}

static void expect_permutation(int count, const int32_t *order)
{
    bool seen[MOST] = {false};
    bool once = true;
    for (int n = 0; n < count; n++) {
        once = once && order[n] >= 0 && order[n] < count && !seen[order[n]];
        seen[once ? order[n] : 0] = true;
    }
    ck_assert(once);
}

static double chain(int count, const double *cost, int32_t *order)
{
    void *room = malloc(spmd_join_room(count));
    ck_assert_ptr_nonnull(room);
    double sum = spmd_join_chain(count, cost, room, order);
    free(room);
    expect_permutation(count, order);
    ck_assert_double_eq_tol(along(count, cost, order), sum, 1e-9 * sum + 1e-12);
    return sum;
}

/* ---- Chains ---- */

/* The next permutation in the order of a dictionary. */
static bool next_permutation(int count, int32_t *order)
{
    int i = count - 2;
    while (i >= 0 && order[i] > order[i + 1])
        i--;
    if (i < 0) return false;
    int j = count - 1;
    while (order[j] < order[i])
        j--;
    int32_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
    for (int a = i + 1, b = count - 1; a < b; a++, b--) {
        kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return true;
}

/* The first of the cheapest, as the dictionary has them. */
START_TEST(chains_are_the_cheapest)
{
    uint64_t state = 7;
    for (int trial = 0; trial < 60; trial++) {
        int count = 1 + trial % 8;
        double cost[64];
        draw(&state, count, trial % 3 == 0 ? 3 : 1000, cost);
        int32_t order[8], tried[8], best[8];
        for (int n = 0; n < count; n++)
            tried[n] = best[n] = n;
        do {
            if (along(count, cost, tried) < along(count, cost, best)) memcpy(best, tried, sizeof best);
        } while (next_permutation(count, tried));
        ck_assert_double_eq(chain(count, cost, order), along(count, cost, best));
        ck_assert_mem_eq(order, best, (size_t)count * sizeof *order);
    }
}
END_TEST

/* Points on a line in a random order: the chain goes from one end to the other. */
START_TEST(chains_along_a_line)
{
    uint64_t state = 11;
    for (int count = 2; count <= MOST; count++) {
        double at[MOST], cost[MOST * MOST];
        for (int i = 0; i < count; i++)
            at[i] = i * i;
        for (int i = count - 1; i > 0; i--) {
            int j = (int)(drawn(&state) % (uint32_t)(i + 1));
            double kept = at[i];
            at[i] = at[j];
            at[j] = kept;
        }
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                cost[i * count + j] = fabs(at[i] - at[j]);
        int32_t order[MOST];
        ck_assert_double_eq(chain(count, cost, order), (count - 1) * (count - 1));
    }
}
END_TEST

/* No turned and no moved piece shortens what the search has found; the whole sum is taken anew for each. */
static void expect_settled(int count, const double *cost, const int32_t *order, double sum)
{
    int32_t other[MOST];
    double least = sum;
    for (int from = 0; from < count; from++) {
        for (int to = from; to < count; to++) {
            for (int n = 0; n < count; n++)
                other[n] = order[n >= from && n <= to ? from + to - n : n];
            least = fmin(least, along(count, cost, other));
        }
    }
    for (int width = 1; width <= 3; width++) {
        for (int from = 0; from + width <= count; from++) {
            for (int to = 0; to + width <= count; to++) {
                for (int turned = 0; turned < 2; turned++) {
                    for (int n = 0, rest = 0; n < count; n++) {
                        rest += rest == from ? width : 0;
                        if (n >= to && n < to + width)
                            other[n] = order[turned ? from + width - 1 - (n - to) : from + n - to];
                        else
                            other[n] = order[rest++];
                    }
                    least = fmin(least, along(count, cost, other));
                }
            }
        }
    }
    ck_assert_double_eq(least, sum);
}

START_TEST(long_chains_are_settled)
{
    uint64_t state = 13;
    double found = 0, numbered = 0;
    for (int trial = 0; trial < 30; trial++) {
        int count = SPMD_JOIN_EXACT + 1 + trial % 25;
        double cost[MOST * MOST];
        int32_t order[MOST], again[MOST], given[MOST];
        draw(&state, count, 1000, cost);
        double sum = chain(count, cost, order);
        expect_settled(count, cost, order, sum);
        ck_assert_double_eq(chain(count, cost, again), sum);
        ck_assert_mem_eq(order, again, (size_t)count * sizeof *order);
        for (int n = 0; n < count; n++)
            given[n] = n;
        found += sum;
        numbered += along(count, cost, given);
    }
    ck_assert_double_lt(found, numbered / 4);
}
END_TEST

START_TEST(equal_costs_keep_the_order)
{
    for (int count = 1; count <= MOST; count++) {
        double cost[MOST * MOST];
        for (int i = 0; i < count * count; i++)
            cost[i] = 0.1;
        int32_t order[MOST];
        ck_assert_double_eq(chain(count, cost, order), (count - 1) * 0.1);
        for (int n = 0; n < count; n++)
            ck_assert_int_eq(order[n], n);
    }
}
END_TEST

/* ---- Trees ---- */

/* The labelled tree of a Pruefer sequence, that is of count - 2 numbers; its cost. */
static double tree_of(int count, const double *cost, const int *sequence)
{
    int degree[8];
    double sum = 0;
    for (int i = 0; i < count; i++)
        degree[i] = 1;
    for (int n = 0; n < count - 2; n++)
        degree[sequence[n]]++;
    for (int n = 0; n < count - 2; n++) {
        int leaf = 0;
        while (degree[leaf] != 1)
            leaf++;
        sum += cost[leaf * count + sequence[n]];
        degree[leaf]--;
        degree[sequence[n]]--;
    }
    int ends[2], found = 0;
    for (int i = 0; i < count; i++)
        if (degree[i] == 1) ends[found++] = i;
    return sum + cost[ends[0] * count + ends[1]];
}

static double cheapest_tree(int count, const double *cost)
{
    int sequence[8] = {0};
    double least = INFINITY;
    for (;;) {
        least = fmin(least, tree_of(count, cost, sequence));
        int n = 0;
        while (n < count - 2 && ++sequence[n] == count)
            sequence[n++] = 0;
        if (n >= count - 2) return least;
    }
}

static double tree(int count, const double *cost, int32_t root, int32_t *parent)
{
    void *room = malloc(spmd_join_room(count));
    ck_assert_ptr_nonnull(room);
    double sum = spmd_join_tree(count, cost, root, room, parent);
    free(room);
    return sum;
}

/* All points reach the root, and the edges cost what is told. */
static void expect_tree(int count, const double *cost, int32_t root, const int32_t *parent, double sum)
{
    double edges = 0;
    for (int i = 0; i < count; i++) {
        int steps = 0;
        for (int32_t at = i; at != root; at = parent[at]) {
            ck_assert(at >= 0 && at < count);
            ck_assert_int_lt(steps++, count);
        }
        edges += i == root ? 0 : cost[i * count + parent[i]];
    }
    ck_assert_int_eq(parent[root], -1);
    ck_assert_double_eq_tol(edges, sum, 1e-9 * sum + 1e-12);
}

START_TEST(trees_are_the_cheapest)
{
    uint64_t state = 17;
    for (int trial = 0; trial < 120; trial++) {
        int count = 2 + trial % 6;
        double cost[64];
        draw(&state, count, trial % 2 == 0 ? 4 : 1000, cost);
        double least = cheapest_tree(count, cost);
        for (int32_t root = 0; root < count; root++) {
            int32_t parent[8];
            double sum = tree(count, cost, root, parent);
            ck_assert_double_eq(sum, least);
            expect_tree(count, cost, root, parent, sum);
        }
    }
}
END_TEST

START_TEST(equal_costs_make_a_star_of_the_smallest)
{
    double cost[MOST * MOST];
    int32_t parent[MOST];
    for (int i = 0; i < MOST * MOST; i++)
        cost[i] = 3;
    ck_assert_double_eq(tree(MOST, cost, 0, parent), 3 * (MOST - 1));
    for (int i = 1; i < MOST; i++)
        ck_assert_int_eq(parent[i], 0);
    /* of root 5, point 0 comes in first and is the smaller one then */
    ck_assert_double_eq(tree(MOST, cost, 5, parent), 3 * (MOST - 1));
    for (int i = 0; i < MOST; i++)
        ck_assert_int_eq(parent[i], i == 5 ? -1 : i == 0 ? 5 : 0);
    ck_assert_double_eq(tree(1, cost, 0, parent), 0);
    ck_assert_int_eq(parent[0], -1);
}
END_TEST

Suite *suite_join(void)
{
    Suite *suite = suite_create("join");
    TCase *test = tcase_create("join");
    tcase_add_test(test, chains_are_the_cheapest);
    tcase_add_test(test, chains_along_a_line);
    tcase_add_test(test, long_chains_are_settled);
    tcase_add_test(test, equal_costs_keep_the_order);
    tcase_add_test(test, trees_are_the_cheapest);
    tcase_add_test(test, equal_costs_make_a_star_of_the_smallest);
    suite_add_tcase(suite, test);
    return suite;
}

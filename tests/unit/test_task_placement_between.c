/*
 * Placement between clusters: as few messages cross as in the best of all orders of the tasks, and of all trees of
 * clusters; what is refused; and that it survives without memory.
 */
#include "starve.h"
#include "unit.h"

#include <inlay/task_placement.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTERS = 6, NETWORKS = 4, TASKS = 7, BYTES = 10 };

/* A random metasystem and a configuration on it. */
typedef struct subject {
    inlay_metasystem metasystem;
    inlay_metasystem_cluster cluster[CLUSTERS];
    inlay_metasystem_network network[NETWORKS];
    inlay_metasystem_route route[2];
    int32_t processors[CLUSTERS];
    double time[CLUSTERS];
    int32_t used[CLUSTERS]; /* clusters with processors in the configuration */
    int count, tasks;
} subject;

static uint32_t drawn(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

static void draw_networks(uint64_t *state, subject *s)
{
    static const char *const names[NETWORKS] = {"n0", "n1", "n2", "n3"};
    s->metasystem.networks = drawn(state, 3) == 0 ? 0 : NETWORKS;
    for (int i = 0; i < NETWORKS; i++) {
        s->network[i] =
            (inlay_metasystem_network){.name = names[i], .parent = (int32_t)drawn(state, (uint32_t)i + 1) - 1};
        s->network[i].router_latency = drawn(state, 5);
        s->network[i].router_per_byte = drawn(state, 3);
    }
    s->metasystem.network = s->network;
    s->metasystem.router_latency = 1 + drawn(state, 9);
    s->metasystem.coercion = drawn(state, 3);
}

/* The first ones that are drawn have processors, at most TASKS together. */
static void draw(uint64_t *state, subject *s)
{
    static const char *const names[CLUSTERS] = {"a", "b", "c", "d", "e", "f"};
    static const char *const formats[] = {NULL, "big", "little"};
    memset(s, 0, sizeof *s);
    s->metasystem.clusters = CLUSTERS;
    s->metasystem.cluster = s->cluster;
    draw_networks(state, s);
    for (int i = 0; i < CLUSTERS; i++) {
        s->cluster[i] = (inlay_metasystem_cluster){.name = names[i], .total = 5, .available = 4};
        s->cluster[i].network = (int32_t)drawn(state, NETWORKS);
        s->cluster[i].format = formats[drawn(state, 3)];
        s->time[i] = drawn(state, 4);
        int32_t wanted = (int32_t)drawn(state, 4);
        if (wanted > 0 && s->tasks + wanted <= TASKS && s->count < 4) {
            s->processors[i] = wanted;
            s->tasks += wanted;
            s->used[s->count++] = i;
        }
    }
    s->route[0] = (inlay_metasystem_route){0, 1 + (int32_t)drawn(state, 5), drawn(state, 4), 0, 1};
    s->route[1] = (inlay_metasystem_route){5, 2 + (int32_t)drawn(state, 3), 3, drawn(state, 2), 0};
    s->metasystem.routes = drawn(state, 3);
    if (s->route[0].to == 5) s->metasystem.routes = drawn(state, 2);
    s->metasystem.route = s->route;
    if (s->tasks == 0) {
        s->processors[0] = s->tasks = s->count = 1;
        s->used[0] = 0;
    }
}

/* ---- Figures of an order of tasks ---- */

typedef struct figures {
    int crossings, routers;
    double cost;
} figures;

static void cross(const subject *s, int32_t a, int32_t b, figures *f)
{
    if (a != b) {
        inlay_metasystem_route way = inlay_metasystem_way(&s->metasystem, a, b);
        f->crossings++;
        f->routers += s->metasystem.networks == 0 || s->cluster[a].network != s->cluster[b].network;
        f->cost += way.latency + BYTES * (way.per_byte + way.coercion);
    }
}

static bool is_less(const figures *a, const figures *b)
{
    if (a->crossings != b->crossings) return a->crossings < b->crossings;
    return a->routers != b->routers ? a->routers < b->routers : a->cost < b->cost;
}

/* The least over all orders of tasks, each known by its cluster; `ring`: the last one is next to the first. */
static void try_orders(const subject *s, bool ring, int32_t *left, int32_t *order, int placed, figures *least)
{
    if (placed < s->tasks) {
        for (int n = 0; n < s->count; n++) {
            int32_t i = s->used[n];
            if (left[i] > 0) {
                left[i]--;
                order[placed] = i;
                try_orders(s, ring, left, order, placed + 1, least);
                left[i]++;
            }
        }
        return;
    }
    figures f = {0};
    for (int n = 1; n < s->tasks; n++)
        cross(s, order[n - 1], order[n], &f);
    if (ring && s->tasks > 1) cross(s, order[s->tasks - 1], order[0], &f);
    if (is_less(&f, least)) *least = f;
}

static figures least_of_orders(const subject *s, bool ring)
{
    int32_t left[CLUSTERS], order[TASKS];
    figures least = {.crossings = 1000};
    memcpy(left, s->processors, sizeof left);
    try_orders(s, ring, left, order, 0, &least);
    return least;
}

/* Of all trees on the used clusters: every way to give each but the first a parent that ends at the first. */
static figures least_of_trees(const subject *s)
{
    figures least = {.crossings = 1000};
    int parent[CLUSTERS] = {0};
    for (bool more = true; more;) {
        figures f = {0};
        bool sound = true;
        for (int n = 1; n < s->count; n++) {
            int at = n, steps = 0;
            while (at != 0 && steps++ < s->count)
                at = parent[at];
            sound = sound && at == 0 && parent[n] != n;
            cross(s, s->used[n], s->used[parent[n]], &f);
        }
        if (sound && is_less(&f, &least)) least = f;
        more = false;
        for (int n = 1; n < s->count && !more; n++) {
            parent[n] = (parent[n] + 1) % s->count;
            more = parent[n] != 0;
        }
    }
    return least;
}

/* ---- Placements ---- */

static inlay_task_placement *place(const subject *s, inlay_pattern pattern)
{
    inlay_task_placement *placement = NULL;
    int status = inlay_task_placement_make(&s->metasystem, pattern, s->processors, BYTES, s->time, &placement, NULL);
    ck_assert_int_eq(status, INLAY_OK);
    ck_assert_int_eq(inlay_task_placement_tasks(placement), s->tasks);
    ck_assert_int_eq(inlay_task_placement_pieces(placement), s->count);
    return placement;
}

/* One piece a used cluster, one behind the other, and the right tasks in each. */
static void expect_pieces(const subject *s, const inlay_task_placement *placement)
{
    int32_t first = 0;
    bool seen[CLUSTERS] = {false};
    for (int32_t n = 0; n < s->count; n++) {
        const inlay_task_piece *piece = inlay_task_placement_piece(placement, n);
        ck_assert(!seen[piece->cluster]);
        seen[piece->cluster] = true;
        ck_assert_int_eq(piece->first, first);
        ck_assert_int_eq(piece->tasks, s->processors[piece->cluster]);
        bool taken[5] = {false};
        for (int32_t t = first; t < first + piece->tasks; t++) {
            const inlay_task *task = inlay_task_placement_at(placement, t);
            ck_assert_int_eq(task->cluster, piece->cluster);
            ck_assert(task->processor >= 0 && task->processor < 4 && !taken[task->processor]);
            taken[task->processor] = true;
        }
        first += piece->tasks;
    }
}

/* What the placement says of itself is what its tasks say. */
static figures figures_of(const subject *s, const inlay_task_placement *placement)
{
    figures f = {0};
    for (int32_t t = 0; t < s->tasks; t++) {
        const inlay_task *task = inlay_task_placement_at(placement, t);
        if (task->parent >= 0) cross(s, task->cluster, inlay_task_placement_at(placement, task->parent)->cluster, &f);
    }
    ck_assert_int_eq(inlay_task_placement_crossings(placement), f.crossings);
    ck_assert_int_eq(inlay_task_placement_router_crossings(placement), f.routers);
    ck_assert_double_eq_tol(inlay_task_placement_cost(placement), f.cost, 1e-9);
    return f;
}

static void expect_line(const subject *s)
{
    inlay_task_placement *placement = place(s, INLAY_PATTERN_LINE);
    expect_pieces(s, placement);
    figures f = figures_of(s, placement), least = least_of_orders(s, false);
    for (int32_t t = 0; t < s->tasks; t++)
        ck_assert_int_eq(inlay_task_placement_at(placement, t)->parent, t - 1);
    ck_assert_int_eq(f.crossings, s->count - 1);
    ck_assert_int_eq(f.crossings, least.crossings);
    ck_assert_int_eq(f.routers, least.routers);
    ck_assert_double_eq_tol(f.cost, least.cost, 1e-9);
    inlay_task_placement_free(placement);
}

/* The ring is the line, closed. */
static void expect_ring(const subject *s)
{
    inlay_task_placement *placement = place(s, INLAY_PATTERN_RING);
    expect_pieces(s, placement);
    figures f = figures_of(s, placement), least = least_of_orders(s, true), open = {0};
    ck_assert_int_eq(f.crossings, s->count == 1 ? 0 : s->count);
    ck_assert_int_eq(f.crossings, least.crossings);
    ck_assert_int_eq(f.routers, least.routers);
    for (int32_t t = 0; t < s->tasks; t++) {
        const inlay_task *task = inlay_task_placement_at(placement, t);
        ck_assert_int_eq(task->parent, t > 0 ? t - 1 : s->tasks > 1 ? s->tasks - 1 : -1);
        if (t > 0) cross(s, task->cluster, inlay_task_placement_at(placement, t - 1)->cluster, &open);
    }
    ck_assert_double_eq_tol(open.cost, least_of_orders(s, false).cost, 1e-9);
    inlay_task_placement_free(placement);
}

/* Tasks answer within their piece; its first one to the first of another piece. The root is in the slowest cluster. */
static void expect_tree(const subject *s)
{
    inlay_task_placement *placement = place(s, INLAY_PATTERN_TREE);
    expect_pieces(s, placement);
    figures f = figures_of(s, placement), least = least_of_trees(s);
    ck_assert_int_eq(f.crossings, s->count - 1);
    ck_assert_int_eq(f.routers, least.routers);
    ck_assert_double_eq_tol(f.cost, least.cost, 1e-9);
    int32_t slowest = s->used[0];
    for (int n = 1; n < s->count; n++)
        slowest = s->time[s->used[n]] > s->time[slowest] ? s->used[n] : slowest;
    ck_assert_int_eq(inlay_task_placement_at(placement, 0)->cluster, slowest);
    ck_assert_int_eq(inlay_task_placement_at(placement, 0)->parent, -1);
    for (int32_t n = 0; n < s->count; n++) {
        const inlay_task_piece *piece = inlay_task_placement_piece(placement, n);
        for (int32_t t = piece->first; t < piece->first + piece->tasks; t++) {
            int32_t parent = inlay_task_placement_at(placement, t)->parent;
            ck_assert_int_lt(parent, t);
            ck_assert(t > piece->first ? parent >= piece->first : parent < piece->first);
        }
        int32_t above = inlay_task_placement_at(placement, piece->first)->parent;
        bool is_first = above < 0;
        for (int32_t k = 0; k < n; k++)
            is_first = is_first || inlay_task_placement_piece(placement, k)->first == above;
        ck_assert(is_first);
    }
    inlay_task_placement_free(placement);
}

START_TEST(random_metasystems)
{
    subject s;
    uint64_t state = 23;
    for (int trial = 0; trial < 400; trial++) {
        draw(&state, &s);
        expect_line(&s);
        expect_ring(&s);
        expect_tree(&s);
    }
}
END_TEST

/* Without times the root is in the first used cluster; of equal ones too. */
START_TEST(roots)
{
    subject s;
    uint64_t state = 29;
    draw(&state, &s);
    for (int i = 0; i < CLUSTERS; i++)
        s.processors[i] = i > 1;
    double equal[CLUSTERS] = {9, 9, 1, 4, 4, 2};
    const double *times[] = {NULL, equal};
    const int32_t expected[] = {2, 3};
    for (int n = 0; n < 2; n++) {
        inlay_task_placement *placement = NULL;
        ck_assert_int_eq(
            inlay_task_placement_make(&s.metasystem, INLAY_PATTERN_TREE, s.processors, 0, times[n], &placement, NULL),
            INLAY_OK);
        ck_assert_int_eq(inlay_task_placement_at(placement, 0)->cluster, expected[n]);
        inlay_task_placement_free(placement);
    }
}
END_TEST

/* A chain and a star of 40 clusters, whose ways say which is which. */
START_TEST(many_clusters)
{
    enum { MANY = 40 };
    static inlay_metasystem_cluster cluster[MANY];
    static inlay_metasystem_route route[MANY - 1];
    static char name[MANY][4];
    int32_t processors[MANY];
    inlay_metasystem metasystem = {.clusters = MANY, .cluster = cluster, .routes = MANY - 1, .route = route};
    metasystem.router_latency = 5;
    for (int i = 0; i < MANY; i++) {
        name[i][0] = (char)('a' + i / 10);
        name[i][1] = (char)('0' + i % 10);
        cluster[i] = (inlay_metasystem_cluster){.name = name[i], .total = 2, .available = 2};
        processors[i] = 2;
    }
    /* 0 - 7 - 14 - ... : i stands next to i + 7, modulo 40 */
    for (int i = 0; i + 1 < MANY; i++)
        route[i] = (inlay_metasystem_route){7 * i % MANY, 7 * (i + 1) % MANY, 1, 0, 0};
    for (int pattern = 0; pattern < INLAY_PATTERNS; pattern++) {
        inlay_task_placement *placement = NULL;
        ck_assert_int_eq(
            inlay_task_placement_make(&metasystem, (inlay_pattern)pattern, processors, 0, NULL, &placement, NULL),
            INLAY_OK);
        ck_assert_int_eq(inlay_task_placement_tasks(placement), 2 * MANY);
        ck_assert_double_eq(inlay_task_placement_cost(placement), MANY - 1 + (pattern == INLAY_PATTERN_RING ? 5 : 0));
        inlay_task_placement_free(placement);
    }
}
END_TEST

/* ---- Refusals ---- */

typedef struct asking {
    subject s;
    inlay_pattern pattern;
    double bytes;
} asking;

static void refuse(const asking *a, const char *says)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_task_placement *untouched = (inlay_task_placement *)(uintptr_t)1;
    int status =
        inlay_task_placement_make(&a->s.metasystem, a->pattern, a->s.processors, a->bytes, a->s.time, &untouched, diag);
    ck_assert_int_eq(status, INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), says);
    ck_assert_ptr_eq(untouched, (inlay_task_placement *)(uintptr_t)1);
    inlay_diag_free(diag);
}

static void make_asking(asking *a)
{
    uint64_t state = 31;
    draw(&state, &a->s);
    a->pattern = INLAY_PATTERN_LINE;
    a->bytes = 1;
}

START_TEST(refusals)
{
    asking a;
    make_asking(&a);
    a.pattern = (inlay_pattern)8;
    refuse(&a, "pattern 8 is unknown; expected 0 to 7");
    make_asking(&a);
    a.bytes = -1;
    refuse(&a, "a message has -1 bytes; expected a number that is not below 0");
    a.bytes = (double)INFINITY;
    refuse(&a, "a message has inf bytes; expected a number that is not below 0");
    make_asking(&a);
    a.s.time[2] = (double)NAN;
    refuse(&a, "the time of cluster c is no number");
    make_asking(&a);
    a.s.processors[1] = -1;
    refuse(&a, "-1 processors are asked of cluster b; expected 0 to 4");
    a.s.processors[1] = 5;
    refuse(&a, "5 processors are asked of cluster b; expected 0 to 4");
    make_asking(&a);
    memset(a.s.processors, 0, sizeof a.s.processors);
    refuse(&a, "0 processors are to be used; expected 1 to 2147483647");
    make_asking(&a);
    a.s.metasystem.clusters = 0;
    refuse(&a, "the metasystem has no clusters; expected 1 or more");
}
END_TEST

/* ---- Without memory ---- */

static int try_place(const void *asked)
{
    const asking *a = asked;
    inlay_task_placement *placement = NULL;
    int status =
        inlay_task_placement_make(&a->s.metasystem, a->pattern, a->s.processors, a->bytes, NULL, &placement, NULL);
    bool sound = (status == INLAY_OK) == (placement != NULL);
    inlay_task_placement_free(placement);
    return sound ? status : INLAY_SYSTEM;
}

START_TEST(placing_survives)
{
    asking a;
    make_asking(&a);
    for (int pattern = 0; pattern < INLAY_PATTERNS; pattern++) {
        a.pattern = (inlay_pattern)pattern;
        for (int interconnect = 0; interconnect <= INLAY_INTERCONNECT_HYPERCUBE; interconnect++) {
            memset(a.s.processors, 0, sizeof a.s.processors);
            a.s.processors[2] = 4;
            a.s.cluster[2].total = interconnect == INLAY_INTERCONNECT_HYPERCUBE ? 4 : 6;
            a.s.cluster[2].interconnect = (inlay_interconnect)interconnect;
            a.s.cluster[2].rows = 2;
            a.s.cluster[2].columns = 3;
            starve(try_place, &a, 8);
        }
        a.s.processors[3] = a.s.processors[5] = 2;
        starve(try_place, &a, 8);
    }
}
END_TEST

Suite *suite_task_placement_between(void)
{
    Suite *suite = suite_create("task_placement_between");
    TCase *test = tcase_create("task_placement_between");
    tcase_add_test(test, random_metasystems);
    tcase_add_test(test, roots);
    tcase_add_test(test, many_clusters);
    tcase_add_test(test, refusals);
    tcase_add_test(test, placing_survives);
    suite_add_tcase(suite, test);
    return suite;
}

/*
 * Placement within a cluster: every task on a usable processor of its own, and the dilation as a breadth-first search on
 * the explicit graph of the interconnect finds it.
 */
#include "unit.h"

#include <inlay/task_placement.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 128, FAR = 1000 };

/* A metasystem of one cluster with its graph. */
typedef struct machine {
    inlay_metasystem metasystem;
    inlay_metasystem_cluster cluster;
    bool usable[MOST];
    bool linked[MOST][MOST];
    int hops[MOST][MOST];
} machine;

/* ---- The graph ---- */

static void link_two(machine *m, int a, int b)
{
    m->linked[a][b] = m->linked[b][a] = a != b;
}

static void link_mesh(machine *m)
{
    int columns = m->cluster.columns;
    for (int row = 0; row < m->cluster.rows; row++) {
        for (int column = 0; column < columns; column++) {
            if (column + 1 < columns) link_two(m, row * columns + column, row * columns + column + 1);
            if (row + 1 < m->cluster.rows) link_two(m, row * columns + column, (row + 1) * columns + column);
        }
    }
}

static void link_all(machine *m)
{
    int n = m->cluster.total;
    if (m->cluster.interconnect == INLAY_INTERCONNECT_MESH) link_mesh(m);
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++) {
            switch (m->cluster.interconnect) {
            case INLAY_INTERCONNECT_BUS:
            case INLAY_INTERCONNECT_SWITCH: link_two(m, a, b); break;
            case INLAY_INTERCONNECT_RING:
                if (b == a + 1 || (a == 0 && b == n - 1)) link_two(m, a, b);
                break;
            case INLAY_INTERCONNECT_HYPERCUBE:
                for (int bit = 1; bit < n; bit *= 2)
                    if (a + bit == b && a % (2 * bit) < bit) link_two(m, a, b);
                break;
            default: break;
            }
        }
    }
}

static void find_hops(machine *m, int from)
{
    int queue[MOST], head = 0, tail = 0;
    for (int i = 0; i < m->cluster.total; i++)
        m->hops[from][i] = FAR;
    m->hops[from][from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        int at = queue[head++];
        for (int to = 0; to < m->cluster.total; to++) {
            if (m->linked[at][to] && m->hops[from][to] == FAR) {
                m->hops[from][to] = m->hops[from][at] + 1;
                queue[tail++] = to;
            }
        }
    }
}

static void make_machine(machine *m, inlay_interconnect interconnect, int rows, int columns)
{
    memset(m, 0, sizeof *m);
    m->cluster = (inlay_metasystem_cluster){.name = "it", .total = rows * columns, .available = rows * columns};
    m->cluster.interconnect = interconnect;
    if (interconnect == INLAY_INTERCONNECT_MESH) {
        m->cluster.rows = rows;
        m->cluster.columns = columns;
    }
    m->metasystem = (inlay_metasystem){.clusters = 1, .cluster = &m->cluster};
    for (int i = 0; i < rows * columns; i++)
        m->usable[i] = true;
    link_all(m);
    for (int i = 0; i < rows * columns; i++)
        find_hops(m, i);
}

/* ---- What every placement must be ---- */

static inlay_task_placement *place(const machine *m, inlay_pattern pattern, int32_t tasks)
{
    inlay_task_placement *placement = NULL;
    ck_assert_int_eq(inlay_task_placement_make(&m->metasystem, pattern, &tasks, 100, NULL, &placement, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_task_placement_tasks(placement), tasks);
    ck_assert_int_eq(inlay_task_placement_pieces(placement), 1);
    ck_assert_int_eq(inlay_task_placement_crossings(placement), 0);
    ck_assert_ptr_null(inlay_task_placement_at(placement, tasks));
    ck_assert_ptr_null(inlay_task_placement_at(placement, -1));
    ck_assert_ptr_null(inlay_task_placement_piece(placement, 1));
    return placement;
}

/* Which neighbour a task must name; of a tree any before it. */
static bool is_parent(inlay_pattern pattern, int32_t tasks, int32_t task, int32_t parent)
{
    switch (pattern) {
    case INLAY_PATTERN_LINE: return parent == task - 1;
    case INLAY_PATTERN_RING: return parent == (task > 0 ? task - 1 : tasks > 1 ? tasks - 1 : -1);
    default: return task == 0 ? parent == -1 : parent >= 0 && parent < task;
    }
}

/* Places, checks all but how good it is, and gives the piece with its dilation. */
static inlay_task_piece placed(const machine *m, inlay_pattern pattern, int32_t tasks)
{
    inlay_task_placement *placement = place(m, pattern, tasks);
    bool taken[MOST] = {false};
    int depth[MOST] = {0};
    int longest = 0, deepest = 0, sum = 0, ways = 0;
    bool sound = true;
    for (int32_t n = 0; n < tasks; n++) {
        const inlay_task *task = inlay_task_placement_at(placement, n);
        sound = sound && task->cluster == 0 && task->processor >= 0 && task->processor < m->cluster.total;
        sound = sound && m->usable[task->processor] && !taken[task->processor];
        taken[task->processor] = true;
        sound = sound && is_parent(pattern, tasks, n, task->parent);
        if (task->parent >= 0) {
            int hops = m->hops[task->processor][inlay_task_placement_at(placement, task->parent)->processor];
            longest = hops > longest ? hops : longest;
            sum += hops;
            ways++;
        }
        depth[n] = n > 0 && pattern == INLAY_PATTERN_TREE ? depth[task->parent] + 1 : 0;
        deepest = depth[n] > deepest ? depth[n] : deepest;
    }
    inlay_task_piece piece = *inlay_task_placement_piece(placement, 0);
    inlay_task_placement_free(placement);
    ck_assert_msg(sound, "pattern %d of %d tasks on %d processors", pattern, tasks, m->cluster.total);
    ck_assert(piece.cluster == 0 && piece.first == 0 && piece.tasks == tasks);
    ck_assert_int_eq(piece.dilation, longest);
    ck_assert_double_eq_tol(piece.mean_dilation, ways > 0 ? (double)sum / ways : 0, 1e-12);
    ck_assert_int_eq(piece.depth, deepest);
    return piece;
}

/* ---- All processors usable ---- */

/* The least that there is: cycles of meshes and hypercubes are even, and those of a ring take all of it. */
static int least_dilation(const machine *m, inlay_pattern pattern, int tasks)
{
    const inlay_metasystem_cluster *c = &m->cluster;
    if (tasks == 1) return 0;
    if (pattern != INLAY_PATTERN_RING || tasks == 2) return 1;
    switch (c->interconnect) {
    case INLAY_INTERCONNECT_RING: return tasks == c->total ? 1 : 2;
    case INLAY_INTERCONNECT_MESH: return tasks % 2 == 0 && c->rows > 1 && c->columns > 1 ? 1 : 2;
    case INLAY_INTERCONNECT_HYPERCUBE: return tasks % 2 == 0 ? 1 : 2;
    default: return 1;
    }
}

static int by_size(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The least depth of a breadth-first tree: how far the farthest of the nearest `tasks` is, from the best start. */
static int least_depth(const machine *m, int tasks)
{
    int least = FAR;
    for (int from = 0; from < m->cluster.total; from++) {
        int hops[MOST];
        memcpy(hops, m->hops[from], sizeof hops);
        qsort(hops, (size_t)m->cluster.total, sizeof *hops, by_size);
        least = hops[tasks - 1] < least ? hops[tasks - 1] : least;
    }
    return least;
}

/* Levels of a binomial tree: the most bits set in a number below `tasks`. */
static int binomial_depth(int tasks)
{
    int most = 0;
    for (int n = 0; n < tasks; n++) {
        int bits = 0;
        for (int rest = n; rest > 0; rest /= 2)
            bits += rest % 2;
        most = bits > most ? bits : most;
    }
    return most;
}

static void expect_least(machine *m)
{
    bool searched =
        m->cluster.interconnect == INLAY_INTERCONNECT_MESH || m->cluster.interconnect == INLAY_INTERCONNECT_RING;
    for (int tasks = 1; tasks <= m->cluster.total; tasks++) {
        for (int pattern = 0; pattern < INLAY_PATTERNS; pattern++) {
            inlay_task_piece piece = placed(m, (inlay_pattern)pattern, tasks);
            int least = least_dilation(m, (inlay_pattern)pattern, tasks);
            ck_assert_msg(
                piece.dilation == least, "interconnect %d, %d x %d, pattern %d, %d tasks: dilation %d, not %d",
                m->cluster.interconnect, m->cluster.rows, m->cluster.columns, pattern, tasks, piece.dilation, least);
            if (pattern == INLAY_PATTERN_TREE)
                ck_assert_int_eq(piece.depth, searched ? least_depth(m, tasks) : binomial_depth(tasks));
            if (pattern == INLAY_PATTERN_RING && least == 2 && m->cluster.interconnect == INLAY_INTERCONNECT_HYPERCUBE)
                ck_assert_double_eq_tol(piece.mean_dilation, (tasks + 1.0) / tasks, 1e-12);
        }
    }
}

START_TEST(meshes)
{
    machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    for (int rows = 1; rows <= 9; rows++) {
        for (int columns = 1; rows * columns <= 66; columns++) {
            make_machine(m, INLAY_INTERCONNECT_MESH, rows, columns);
            expect_least(m);
        }
    }
    free(m);
}
END_TEST

START_TEST(other_interconnects)
{
    machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    for (int total = 1; total <= 64; total++) {
        make_machine(m, INLAY_INTERCONNECT_RING, 1, total);
        expect_least(m);
        make_machine(m, INLAY_INTERCONNECT_BUS, 1, total);
        expect_least(m);
        make_machine(m, INLAY_INTERCONNECT_SWITCH, 1, total);
        expect_least(m);
    }
    for (int total = 1; total <= 128; total *= 2) {
        make_machine(m, INLAY_INTERCONNECT_HYPERCUBE, 1, total);
        expect_least(m);
    }
    free(m);
}
END_TEST

/* ---- Some of them in use by others ---- */

static uint32_t drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

static void draw_usable(uint64_t *state, machine *m)
{
    uint32_t of_eight = 1 + drawn(state) % 7;
    m->cluster.available = 0;
    for (int i = 0; i < m->cluster.total; i++) {
        m->usable[i] = drawn(state) % 8 < of_eight;
        m->cluster.available += m->usable[i];
    }
    m->cluster.usable = m->usable;
}

static int flood(const machine *m, int at, bool *seen)
{
    int size = 1;
    seen[at] = true;
    for (int to = 0; to < m->cluster.total; to++)
        if (m->linked[at][to] && m->usable[to] && !seen[to]) size += flood(m, to, seen);
    return size;
}

/* Of the largest connected piece of usable processors. */
static int largest_piece(const machine *m)
{
    bool seen[MOST] = {false};
    int largest = 0;
    for (int i = 0; i < m->cluster.total; i++) {
        int size = m->usable[i] && !seen[i] ? flood(m, i, seen) : 0;
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* Whether some subcube of at least `tasks` processors is usable throughout. */
static bool has_free_cube(const machine *m, int tasks)
{
    for (int axes = 0; axes < m->cluster.total; axes++) {
        for (int base = 0; base < m->cluster.total; base++) {
            int size = 0;
            bool all = (base & axes) == 0;
            for (int i = 0; i < m->cluster.total && all; i++) {
                bool within = (i & ~axes) == base;
                size += within;
                all = !within || m->usable[i];
            }
            if (all && size >= tasks) return true;
        }
    }
    return false;
}

/* The longest way of the first usable ones in the order of the plain walk: what the placement must not exceed. */
static int plain_dilation(const machine *m, bool ring, int tasks)
{
    int width = m->cluster.interconnect == INLAY_INTERCONNECT_MESH ? m->cluster.columns : m->cluster.total;
    int first = -1, last = -1, longest = 0;
    for (int n = 0, taken = 0; taken < tasks; n++) {
        int at = n / width % 2 == 1 ? (n / width + 1) * width - 1 - n % width : n;
        if (m->cluster.interconnect == INLAY_INTERCONNECT_HYPERCUBE) at = n ^ (n >> 1);
        if (m->usable[at]) {
            longest = last >= 0 && m->hops[last][at] > longest ? m->hops[last][at] : longest;
            first = first < 0 ? at : first;
            last = at;
            taken++;
        }
    }
    return ring && m->hops[first][last] > longest ? m->hops[first][last] : longest;
}

static void expect_near_least(const machine *m)
{
    int largest = largest_piece(m);
    bool cube = m->cluster.interconnect == INLAY_INTERCONNECT_HYPERCUBE;
    for (int tasks = 1; tasks <= m->cluster.available; tasks++) {
        inlay_task_piece line = placed(m, INLAY_PATTERN_LINE, tasks);
        inlay_task_piece ring = placed(m, INLAY_PATTERN_RING, tasks);
        inlay_task_piece tree = placed(m, INLAY_PATTERN_TREE, tasks);
        ck_assert_int_le(line.dilation, plain_dilation(m, false, tasks));
        ck_assert_int_le(ring.dilation, plain_dilation(m, true, tasks));
        if (tasks > 1 && tasks <= largest) ck_assert_int_eq(tree.dilation, 1);
        if (tasks > 1 && cube && has_free_cube(m, tasks)) {
            ck_assert_int_eq(line.dilation, 1);
            ck_assert_int_eq(tree.dilation, 1);
            ck_assert_int_eq(ring.dilation, tasks % 2 == 0 ? 1 : 2);
        }
    }
}

START_TEST(some_processors_are_not_to_be_used)
{
    static const int shapes[][2] = {{1, 9}, {2, 7}, {3, 3}, {4, 4}, {5, 6}, {8, 3}};
    machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    uint64_t state = 19;
    for (int trial = 0; trial < 240; trial++) {
        const int *shape = shapes[trial / 3 % 6];
        switch (trial % 3) {
        case 0: make_machine(m, INLAY_INTERCONNECT_MESH, shape[0], shape[1]); break;
        case 1: make_machine(m, INLAY_INTERCONNECT_RING, 1, shape[0] * shape[1]); break;
        default: make_machine(m, INLAY_INTERCONNECT_HYPERCUBE, 1, 1 << trial / 3 % 6); break;
        }
        draw_usable(&state, m);
        expect_near_least(m);
    }
    free(m);
}
END_TEST

/* `usable` NULL: the first ones. */
START_TEST(only_the_first_ones_are_available)
{
    machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    make_machine(m, INLAY_INTERCONNECT_MESH, 5, 5);
    m->cluster.available = 13;
    for (int i = 13; i < 25; i++)
        m->usable[i] = false;
    expect_near_least(m);
    free(m);
}
END_TEST

/*
 * A ring around a hole, where a strip of two rows cannot lie everywhere:
 *     x x x .
 *     x x . .    usable ones; all seven: the ring of six is the two rows of squares, an odd one has a way of two
 *     x x . .
 */
START_TEST(rings_grow_around_corners)
{
    machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    make_machine(m, INLAY_INTERCONNECT_MESH, 3, 4);
    const int usable[] = {0, 1, 2, 4, 5, 8, 9};
    memset(m->usable, 0, sizeof m->usable);
    for (int i = 0; i < 7; i++)
        m->usable[usable[i]] = true;
    m->cluster.usable = m->usable;
    m->cluster.available = 7;
    ck_assert_int_eq(placed(m, INLAY_PATTERN_RING, 4).dilation, 1);
    ck_assert_int_eq(placed(m, INLAY_PATTERN_RING, 5).dilation, 2);
    ck_assert_int_eq(placed(m, INLAY_PATTERN_RING, 6).dilation, 1);
    ck_assert_int_eq(placed(m, INLAY_PATTERN_RING, 7).dilation, 2);
    free(m);
}
END_TEST

/*
 *     . . x x
 *     x x x x    a ring of all ten grows up from two rows, or to the left from two columns
 *     x x x x
 */
START_TEST(rings_grow_up_and_left)
{
    machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    make_machine(m, INLAY_INTERCONNECT_MESH, 3, 4);
    m->usable[0] = m->usable[1] = false;
    m->cluster.usable = m->usable;
    m->cluster.available = 10;
    for (int tasks = 4; tasks <= 10; tasks++) {
        ck_assert_int_eq(placed(m, INLAY_PATTERN_RING, tasks).dilation, tasks % 2 == 0 ? 1 : 2);
        ck_assert_int_eq(placed(m, INLAY_PATTERN_LINE, tasks).dilation, 1);
    }
    free(m);
}
END_TEST

/* Two usable halves that do not touch: the tree jumps once, over the column between them. */
START_TEST(trees_jump_where_they_must)
{
    machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    make_machine(m, INLAY_INTERCONNECT_MESH, 3, 5);
    for (int i = 0; i < 15; i++)
        m->usable[i] = i % 5 != 2;
    m->cluster.usable = m->usable;
    m->cluster.available = 12;
    ck_assert_int_eq(placed(m, INLAY_PATTERN_TREE, 6).dilation, 1);
    for (int tasks = 7; tasks <= 12; tasks++)
        ck_assert_int_eq(placed(m, INLAY_PATTERN_TREE, tasks).dilation, 2);
    free(m);
}
END_TEST

Suite *suite_task_placement(void)
{
    Suite *suite = suite_create("task_placement");
    TCase *test = tcase_create("task_placement");
    tcase_add_test(test, meshes);
    tcase_add_test(test, other_interconnects);
    tcase_add_test(test, some_processors_are_not_to_be_used);
    tcase_add_test(test, only_the_first_ones_are_available);
    tcase_add_test(test, rings_grow_around_corners);
    tcase_add_test(test, rings_grow_up_and_left);
    tcase_add_test(test, trees_jump_where_they_must);
    suite_add_tcase(suite, test);
    return suite;
}

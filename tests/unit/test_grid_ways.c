/*
 * Grids on machines where each pair of hosts has a way of its own: costs message by message, the ways of a machine file, and
 * which processors are taken, against all choices of them.
 */
#include "grid_subject.h"
#include "slow_grid.h"
#include "tg_subject.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 6, LINKS = 9, LONGEST = 4, CASES = 1500, CHOICES = 150 };

typedef struct subject_ways {
    inlay_grid_ways ways;
    int32_t host[SUBJECT_PROCESSORS], link[HOSTS * HOSTS * LONGEST];
    double latency[HOSTS * HOSTS], per_byte[HOSTS * HOSTS], link_per_byte[LINKS];
    int64_t first[HOSTS * HOSTS + 1];
    bool parallel[LINKS];
} subject_ways;

static void draw_ways(uint64_t *state, int32_t processors, subject_ways *s)
{
    int32_t hosts = (int32_t)grid_subject_between(state, 1, HOSTS);
    memset(s, 0, sizeof *s);
    for (int i = 0; i < processors; i++)
        s->host[i] = (int32_t)grid_subject_between(state, 0, hosts - 1);
    for (int l = 0; l < LINKS; l++) {
        s->link_per_byte[l] = (double)grid_subject_between(state, 0, 40) * 1e-7;
        s->parallel[l] = grid_subject_between(state, 0, 4) == 0;
    }
    for (int q = 0; q < hosts * hosts; q++) {
        int64_t length = q / hosts == q % hosts ? 0 : grid_subject_between(state, 0, LONGEST);
        s->latency[q] = (double)grid_subject_between(state, 0, 30) * 1e-5;
        s->per_byte[q] = (double)grid_subject_between(state, 0, 100) * 1e-7;
        for (int64_t i = 0; i < length; i++)
            s->link[s->first[q] + i] = (int32_t)grid_subject_between(state, 0, LINKS - 1);
        s->first[q + 1] = s->first[q] + length;
    }
    s->ways = (inlay_grid_ways){hosts,    LINKS,   s->host,          s->latency, s->per_byte,
                                s->first, s->link, s->link_per_byte, s->parallel};
}

/* Latency and transmission of the directions, message by message and link by link. */
static void slow_times(const subject_ways *s, const inlay_grid_network *n, const inlay_grid_problem *p,
                       const slow_grid_messages *m, size_t directions, double *latency, double *transmission)
{
    *latency = *transmission = 0;
    for (size_t k = 0; k < directions; k++) {
        double longest_wait = 0, carried = 0;
        for (int l = -1; l < LINKS; l++) { /* -1: each message by itself */
            double load = 0;
            for (int i = 0; i < p->processors; i++)
                for (int j = 0; j < p->processors; j++) {
                    int64_t bytes = m->cells[k][i][j] * p->item;
                    int q = s->host[i] * s->ways.hosts + s->host[j];
                    if (bytes == 0 || s->host[i] == s->host[j]) continue;
                    int64_t frames = n->payload > 0 ? (bytes + n->payload - 1) / n->payload : 0;
                    double framed = (double)(bytes + frames * n->frame);
                    if (l < 0) load = fmax(load, framed * s->per_byte[q]);
                    for (int64_t at = s->first[q]; l >= 0 && at < s->first[q + 1]; at++)
                        if (s->link[at] == l)
                            load = s->parallel[l] ? fmax(load, framed * s->link_per_byte[l])
                                                  : load + framed * s->link_per_byte[l];
                }
            carried = fmax(carried, load);
        }
        for (int i = 0; i < p->processors; i++) {
            double wait = 0;
            for (int j = 0; j < p->processors; j++)
                if (m->cells[k][i][j] > 0 && s->host[i] != s->host[j])
                    wait += s->latency[s->host[i] * s->ways.hosts + s->host[j]];
            longest_wait = fmax(longest_wait, wait);
        }
        *latency += longest_wait;
        *transmission += carried;
    }
}

START_TEST(costs_are_those_of_the_messages)
{
    static const inlay_grid_method methods[] = {INLAY_GRID_ROW,    INLAY_GRID_POINT,       INLAY_GRID_FBRD,
                                                INLAY_GRID_JAGGED, INLAY_GRID_INTERLEAVED, INLAY_GRID_SCATTER};
    static int32_t owner[SLOW_CELLS];
    static slow_grid_messages messages;
    static subject_ways s;
    uint64_t state = 87;
    for (int n = 0; n < CASES; n++) {
        grid_subject g;
        grid_subject_random(&state, 14, n % 3 == 0 ? SUBJECT_PROCESSORS : 7, &g);
        draw_ways(&state, g.problem.processors, &s);
        inlay_grid_network network = {
            .wiring = INLAY_GRID_ROUTES, .ways = &s.ways, .payload = n % 2 ? 100 : 0, .frame = n % 2 ? 30 : 0};
        inlay_grid_options options = grid_subject_options(&state, &g.problem);
        inlay_decomposition *d = grid_decomposed(&g.problem, methods[n % 6], &options);
        inlay_grid_pattern pattern = {.communication = n % 4 == 0 ? INLAY_GRID_STENCIL5 : INLAY_GRID_STENCIL9};
        inlay_grid_offset offset[SLOW_DIRECTIONS];
        size_t directions = slow_grid_directions(pattern.communication, offset);
        inlay_grid_cost cost;
        double latency, transmission;
        slow_grid_owners(d, owner);
        slow_grid_count(&g.problem, owner, offset, directions, &messages);
        slow_times(&s, &network, &g.problem, &messages, directions, &latency, &transmission);
        ck_assert_int_eq(inlay_decomposition_cost(d, &network, &(inlay_grid_phase){.pattern = pattern}, 1, &cost, NULL),
                         INLAY_OK);
        ck_assert_double_eq_tol(cost.latency, latency, 1e-12);
        ck_assert_double_eq_tol(cost.transmission, transmission, 1e-12 * (1 + transmission));
        inlay_decomposition_free(d);
    }
}
END_TEST

/* From the root one message to each, and one from each to it. */
START_TEST(rooted_patterns_go_their_ways)
{
    static subject_ways s;
    uint64_t state = 5;
    for (int n = 0; n < 200; n++) {
        grid_subject g;
        grid_subject_alike(12, 12, (int32_t)grid_subject_between(&state, 1, 9), &g);
        draw_ways(&state, g.problem.processors, &s);
        inlay_grid_network network = {.wiring = INLAY_GRID_ROUTES, .ways = &s.ways};
        int32_t root = (int32_t)grid_subject_between(&state, 0, g.problem.processors - 1);
        bool in = n % 2 == 0;
        inlay_grid_pattern pattern = {.communication = in ? INLAY_GRID_REDUCTION : INLAY_GRID_BROADCAST, .root = root};
        inlay_decomposition *d = grid_decomposed(&g.problem, INLAY_GRID_ROW, NULL);
        inlay_grid_cost cost;
        slow_grid_messages m = {0};
        double latency, transmission;
        for (int i = 0; i < g.problem.processors; i++)
            if (i != root) m.cells[0][in ? i : root][in ? root : i] = 1;
        slow_times(&s, &network, &g.problem, &m, 1, &latency, &transmission);
        ck_assert_int_eq(inlay_decomposition_cost(d, &network, &(inlay_grid_phase){.pattern = pattern}, 1, &cost, NULL),
                         INLAY_OK);
        ck_assert_double_eq_tol(cost.latency, latency, 1e-12);
        ck_assert_double_eq_tol(cost.transmission, transmission, 1e-12);
        inlay_decomposition_free(d);
    }
}
END_TEST

/* ---- A machine's ways ---- */

START_TEST(ways_are_those_of_the_machine)
{
    static const char text[] =
        "graph g { graph [network=links, switching=\"cut-through\", latency=\"1us\"]; a [cores=2]; b; c; s "
        "[kind=switch];\n"
        "a -- s [capacity=\"1GB/s\", latency=\"2us\"]; b -- s [capacity=\"2GB/s\", latency=\"3us\"];\n"
        "c -- s [capacity=\"4GB/s\", latency=\"5us\", duplex=half, parallel=true]; }\n";
    const char *path = tg_scratch("ways.dot");
    inlay_grid_machines *m = NULL;
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(inlay_grid_machines_read(path, 1000, &m, NULL), INLAY_OK);
    const inlay_grid_ways *w = m->network.ways;
    ck_assert_ptr_nonnull(w);
    ck_assert_int_eq(m->network.wiring, INLAY_GRID_ROUTES);
    ck_assert_int_eq(m->mean, INLAY_GRID_SWITCH);
    ck_assert_int_eq(w->hosts, 3);
    for (int p = 0; p < 4; p++)
        ck_assert_int_eq(w->host[p], p < 2 ? 0 : p - 1);
    const double latency[3] = {2e-6, 3e-6, 5e-6}, rate[3] = {1e9, 2e9, 4e9};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            int q = a * 3 + b;
            ck_assert_double_eq_tol(w->latency[q], a == b ? 0 : latency[a] + latency[b] + 1e-6, 1e-18);
            ck_assert_double_eq_tol(w->per_byte[q], a == b ? 0 : 1 / fmin(rate[a], rate[b]), 1e-24);
            ck_assert_int_eq(w->first[q + 1] - w->first[q], a == b ? 0 : 2);
            if (a == b) continue;
            ck_assert_double_eq_tol(w->link_per_byte[w->link[w->first[q]]], 1 / rate[a], 1e-24);
            ck_assert_double_eq_tol(w->link_per_byte[w->link[w->first[q] + 1]], 1 / rate[b], 1e-24);
            ck_assert_int_eq(w->parallel[w->link[w->first[q]]], a == 2);
        }
    inlay_grid_machines_free(m);
}
END_TEST

/* ---- Which processors ---- */

/* Two to three rooms; within a room steps are short, between them long. */
static void draw_rooms(uint64_t *state, int32_t processors, subject_ways *s)
{
    int room[HOSTS];
    double long_way = (double)grid_subject_between(state, 1, 400) * 1e-5;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < processors; i++) {
        s->host[i] = i;
        room[i] = (int)grid_subject_between(state, 0, 2);
        s->link_per_byte[i] = 1e-9;
    }
    for (int q = 0; q < processors * processors; q++) {
        int a = q / processors, b = q % processors;
        s->latency[q] = a == b ? 0 : room[a] == room[b] ? 1e-6 : long_way;
        s->per_byte[q] = a == b ? 0 : 1e-9;
        s->first[q + 1] = s->first[q];
        if (a != b) s->link[s->first[q + 1]++] = a, s->link[s->first[q + 1]++] = b;
    }
    s->ways = (inlay_grid_ways){processors, processors, s->host,          s->latency, s->per_byte,
                                s->first,   s->link,    s->link_per_byte, s->parallel};
}

/* Strips of rows in the order of `list`, by speed; the last one has the rest. */
static double strips(const inlay_grid_problem *p, const inlay_grid_network *n, const inlay_grid_phase *phase,
                     const int *list, int count)
{
    static int32_t owner[SLOW_CELLS];
    inlay_decomposition *d = NULL;
    inlay_grid_cost cost;
    double all = 0, sum = 0;
    for (int i = 0; i < count; i++)
        all += p->speed[list[i]];
    int64_t row = 0;
    for (int i = 0; i < count; i++) {
        sum += p->speed[list[i]];
        int64_t end = i == count - 1 ? p->rows : llround((double)p->rows * sum / all);
        for (; row < end; row++)
            for (int64_t c = 0; c < p->columns; c++)
                owner[row * p->columns + c] = list[i];
    }
    ck_assert_int_eq(inlay_decompose_map(p, owner, &d, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_decomposition_cost(d, n, phase, 1, &cost, NULL), INLAY_OK);
    inlay_decomposition_free(d);
    return cost.seconds;
}

/* The least over all orders of all subsets. */
static double least_strips(const inlay_grid_problem *p, const inlay_grid_network *n, const inlay_grid_phase *phase,
                           int *list, int count)
{
    double least = count > 0 ? strips(p, n, phase, list, count) : (double)INFINITY;
    for (int i = 0; i < p->processors; i++) {
        bool in = false;
        for (int k = 0; k < count; k++)
            in = in || list[k] == i;
        list[count] = i;
        if (!in) least = fmin(least, least_strips(p, n, phase, list, count + 1));
    }
    return least;
}

/* No worse than the best strips of any processors in any order, and than all that is ranked. */
START_TEST(near_processors_are_taken)
{
    static subject_ways s;
    uint64_t state = 31;
    for (int n = 0; n < CHOICES; n++) {
        grid_subject g;
        int list[HOSTS];
        grid_subject_alike(48, 48, (int32_t)grid_subject_between(&state, 2, 5), &g);
        for (int i = 0; i < g.problem.processors && n % 2 == 1; i++)
            g.speed[i] = (double)grid_subject_between(&state, 1, 4);
        draw_rooms(&state, g.problem.processors, &s);
        inlay_grid_network network = {.wiring = INLAY_GRID_ROUTES, .ways = &s.ways};
        inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5, .work = 1e-6};
        inlay_grid_rank_options options = {.methods = (1U << (INLAY_GRID_BEST + 1)) - 1, .tries = 1000};
        inlay_grid_ranking *ranking = NULL;
        ck_assert_int_eq(inlay_grid_rank(&g.problem, &network, &phase, 1, &options, &ranking, NULL), INLAY_OK);
        double found = inlay_grid_ranking_row(ranking, 0)->cost.seconds,
               least = least_strips(&g.problem, &network, &phase, list, 0);
        bool searched = false;
        for (size_t i = 0; i < inlay_grid_ranking_rows(ranking); i++) {
            const inlay_grid_row *row = inlay_grid_ranking_row(ranking, i);
            if (row->method == INLAY_GRID_BEST) searched = row->cost.seconds <= found * (1 + 1e-12);
        }
        ck_assert_msg(searched, "case %d: best is behind a named method", n);
        ck_assert_msg(found <= least * (1 + 1e-9), "case %d: %g, strips take %g", n, found, least);
        inlay_grid_ranking_free(ranking);
    }
}
END_TEST

START_TEST(ways_that_cannot_be_are_refused)
{
    static subject_ways s;
    uint64_t state = 3;
    grid_subject g;
    inlay_grid_cost cost;
    grid_subject_alike(8, 8, 4, &g);
    draw_ways(&state, 4, &s);
    inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_STENCIL5};
    inlay_decomposition *d = grid_decomposed(&g.problem, INLAY_GRID_ROW, NULL);
    inlay_grid_network network = {.wiring = INLAY_GRID_ROUTES};
    inlay_grid_ranking *ranking = NULL;
    ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_BAD_ARGUMENT);
    network = (inlay_grid_network){.ways = &s.ways};
    ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_BAD_ARGUMENT);
    network.wiring = INLAY_GRID_ROUTES;
    ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_OK);
    s.host[1] = s.ways.hosts;
    ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_grid_rank(&g.problem, &network, &phase, 1, NULL, &ranking, NULL), INLAY_BAD_ARGUMENT);
    s.host[1] = 0;
    s.latency[0] = NAN;
    ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_BAD_ARGUMENT);
    s.latency[0] = 0;
    s.link_per_byte[0] = -1;
    ck_assert_int_eq(inlay_decomposition_cost(d, &network, &phase, 1, &cost, NULL), INLAY_BAD_ARGUMENT);
    inlay_decomposition_free(d);
}
END_TEST

Suite *suite_grid_ways(void)
{
    Suite *suite = suite_create("grids on machines with ways");
    TCase *tests = tcase_create("ways");
    tcase_add_test(tests, costs_are_those_of_the_messages);
    tcase_add_test(tests, rooted_patterns_go_their_ways);
    tcase_add_test(tests, ways_are_those_of_the_machine);
    tcase_add_test(tests, near_processors_are_taken);
    tcase_add_test(tests, ways_that_cannot_be_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}

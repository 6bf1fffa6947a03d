/* Process grids: shapes, what is sent in them, and placements beside all there are. */
#include "processes_subject.h"
#include "random_app.h"
#include "slow_processes.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/** An answer made by hand: the processes of each of `processors`. */
typedef struct subject {
    inlay_processors row[SLOW_PROCESSORS];
    inlay_process_share share[SLOW_PROCESSORS];
    inlay_process_problem problem;
    inlay_process_answer answer;
} subject;

static void make(const int64_t *processes, size_t processors, subject *s)
{
    *s = (subject){.problem = {.rows = processors, .row = s->row}, .answer = {.share = s->share}};
    for (size_t i = 0; i < processors; i++) {
        s->row[i].count = 1;
        s->share[i].each = processes[i];
        s->answer.total += processes[i];
        s->answer.used += processes[i] > 0;
    }
}

static inlay_process_grids *grids_of(const subject *s, const inlay_process_grid_options *options)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_process_grids *grids = NULL;
    int status = inlay_process_grids_make(&s->problem, &s->answer, options, &grids, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return grids;
}

/* ---- The paper's ---- */

/* Table 3: 12 processes on 60 x 60 x 60 data; the paper's times are in the order of these volumes. */
START_TEST(table_3)
{
    static const int64_t processes[] = {4, 2, 2, 2, 1, 1};
    static const int64_t shape[][3] = {{3, 2, 2}, {4, 3, 1}, {6, 2, 1}, {12, 1, 1}};
    static const double volume[] = {4 * 7200, 5 * 7200, 6 * 7200, 11 * 7200};
    subject s;
    make(processes, 6, &s);
    inlay_process_grids *grids = grids_of(&s, &(inlay_process_grid_options){.data = {60, 60, 60}});
    ck_assert_uint_eq(inlay_process_grids_count(grids), 4);
    for (size_t n = 0; n < 4; n++) {
        const inlay_process_grid *g = inlay_process_grids_at(grids, n);
        for (int d = 0; d < 3; d++)
            ck_assert_int_eq(g->shape[d], shape[n][d]);
        ck_assert_double_eq(g->volume, volume[n]);
        ck_assert_int_eq(g->dimensions, n == 0 ? 3 : n < 3 ? 2 : 1);
    }
    const inlay_process_grid *line = inlay_process_grids_at(grids, 3);
    ck_assert_int_eq(line->links, 11);
    ck_assert_int_eq(line->internal, 6); /* 12 processes in 6 runs */
    ck_assert_double_eq(line->external, 5 * 7200);
    ck_assert_double_eq(line->busiest, 2 * 3600);
    inlay_process_grids_free(grids);
}
END_TEST

/* ---- What is sent ---- */

static void expect_exchange(const inlay_process_grid *g, const inlay_process_grid_options *o, const int64_t *processes,
                            size_t processors)
{
    int64_t data[3];
    int64_t seen[SLOW_PROCESSORS] = {0};
    for (int d = 0; d < 3; d++) {
        data[d] = o->data[d] == 0 ? 1 : o->data[d];
        ck_assert_int_le(g->shape[d], data[d]);
    }
    slow_exchange e = slow_exchange_of(g->shape, data, o->halo == 0 ? 1 : o->halo, g->processor);
    ck_assert_int_eq(g->links, e.links);
    ck_assert_int_eq(g->internal, e.internal);
    ck_assert_double_eq(g->volume, e.volume);
    ck_assert_double_eq(g->external, e.external);
    ck_assert_double_eq(g->busiest, e.busiest);
    for (int64_t rank = 0; rank < g->shape[0] * g->shape[1] * g->shape[2]; rank++)
        seen[g->processor[rank]]++;
    for (size_t i = 0; i < processors; i++)
        ck_assert_int_eq(seen[i], processes[i]);
}

/* Shapes that fit, each once. */
static size_t shapes_that_fit(int64_t l, const inlay_process_grid_options *o)
{
    int32_t most = o->dimensions == 0 ? 3 : o->dimensions;
    size_t count = 0;
    for (int64_t a = 1; a <= l; a++)
        for (int64_t b = 1; a * b <= l; b++) {
            int64_t c = l / (a * b);
            bool fits = a * b * c == l && a <= o->data[0] && b <= o->data[1] && c <= o->data[2];
            bool again = (o->data[0] == o->data[1] && a < b) || (o->data[1] == o->data[2] && b < c) ||
                         (o->data[0] == o->data[2] && a < c);
            count += fits && !again && (a > 1) + (b > 1) + (c > 1) <= most;
        }
    return count;
}

START_TEST(everything_is_counted)
{
    uint64_t state = 11;
    for (int n = 0; n < 300; n++) {
        subject s;
        int64_t processes[SLOW_PROCESSORS];
        size_t processors = 1 + (size_t)random_below(&state, 9);
        inlay_process_grid_options o = {.halo = random_below(&state, 3),
                                        .dimensions = (int32_t)random_below(&state, 4)};
        for (size_t i = 0; i < processors; i++)
            processes[i] = random_below(&state, 8);
        processes[random_below(&state, (int64_t)processors)]++;
        for (int d = 0; d < 3; d++)
            o.data[d] = 1 + random_below(&state, random_once_in(&state, 3) ? 4 : 100);
        make(processes, processors, &s);
        inlay_process_grids *grids = NULL;
        int status = inlay_process_grids_make(&s.problem, &s.answer, &o, &grids, NULL);
        size_t count = status == INLAY_OK ? inlay_process_grids_count(grids) : 0;
        ck_assert_uint_eq(count, shapes_that_fit(s.answer.total, &o));
        ck_assert_int_eq(status, count > 0 ? INLAY_OK : INLAY_NO_ANSWER);
        for (size_t i = 0; i < count; i++) {
            const inlay_process_grid *g = inlay_process_grids_at(grids, i);
            expect_exchange(g, &o, processes, processors);
            if (i > 0) ck_assert_double_ge(g->external, inlay_process_grids_at(grids, i - 1)->external);
        }
        inlay_process_grids_free(grids);
    }
}
END_TEST

/* ---- Placements ---- */

/* The least external volume of all placements, by trying them all: ranks from `rank` on. */
static void try_all(const inlay_process_grid *g, const int64_t *data, int64_t rank, int64_t *left, int32_t *processor,
                    double *least)
{
    if (rank == g->shape[0] * g->shape[1] * g->shape[2]) {
        *least = fmin(*least, slow_exchange_of(g->shape, data, 1, processor).external);
        return;
    }
    for (int32_t i = 0; i < 4; i++)
        if (left[i] > 0) {
            left[i]--;
            processor[rank] = i;
            try_all(g, data, rank + 1, left, processor, least);
            left[i]++;
        }
}

START_TEST(near_to_the_best_placement)
{
    static const int64_t data[] = {36, 24, 12};
    uint64_t state = 12;
    int grids_seen = 0;
    int best = 0;
    for (int n = 0; n < 25; n++) {
        subject s;
        int64_t processes[4];
        for (int i = 0; i < 4; i++)
            processes[i] = random_below(&state, 4);
        processes[0]++;
        make(processes, 4, &s);
        if (s.answer.total > 9) continue;
        inlay_process_grids *grids = grids_of(&s, &(inlay_process_grid_options){.data = {36, 24, 12}});
        for (size_t i = 0; i < inlay_process_grids_count(grids); i++) {
            const inlay_process_grid *g = inlay_process_grids_at(grids, i);
            int32_t processor[16];
            double least = INFINITY;
            try_all(g, data, 0, processes, processor, &least);
            ck_assert_double_le(g->external, 1.25 * least);
            grids_seen++;
            best += g->external <= least;
        }
        inlay_process_grids_free(grids);
    }
    ck_assert_int_gt(grids_seen, 60);
    ck_assert_int_ge(best * 20, grids_seen * 19);
}
END_TEST

/* 8 processors with 8 processes each on a 8 x 8 grid: blocks of 2 x 4, or of 4 x 2, send least. */
START_TEST(blocks_are_found)
{
    int64_t processes[8] = {8, 8, 8, 8, 8, 8, 8, 8};
    subject s;
    make(processes, 8, &s);
    inlay_process_grids *grids = grids_of(&s, &(inlay_process_grid_options){.data = {64, 64}});
    for (size_t i = 0; i < inlay_process_grids_count(grids); i++) {
        const inlay_process_grid *g = inlay_process_grids_at(grids, i);
        if (g->shape[0] == 8) ck_assert_double_eq(g->external, 2 * (3 * 64 + 64));
    }
    inlay_process_grids_free(grids);
}
END_TEST

/* ---- Names ---- */

START_TEST(names_of_processors)
{
    static const char *const hosts[] = {"sun", "moon"};
    const inlay_processors rows[] = {{.name = "new", .count = 1},
                                     {.name = "old", .count = 3},
                                     {.count = 1},
                                     {.name = "x", .count = 2, .host = hosts}};
    const inlay_process_problem problem = {.rows = 4, .row = rows};
    static const char *const wanted[] = {"new", "old0", "old1", "old2", "processor4", "sun", "moon"};
    for (int i = 0; i < 7; i++) {
        char room[INLAY_PROCESSOR_NAME];
        ck_assert_str_eq(inlay_processor_name(&problem, i, room), wanted[i]);
    }
}
END_TEST

Suite *suite_processes_grids(void)
{
    Suite *suite = suite_create("processes_grids");
    TCase *test = tcase_create("processes_grids");
    tcase_add_test(test, table_3);
    tcase_add_test(test, everything_is_counted);
    tcase_add_test(test, near_to_the_best_placement);
    tcase_add_test(test, blocks_are_found);
    tcase_add_test(test, names_of_processors);
    suite_add_tcase(suite, test);
    return suite;
}

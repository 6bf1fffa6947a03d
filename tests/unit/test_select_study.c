/*
 * The generator of the study: its ranges, and that H2 fares on it as the specification's table says; the study that runs
 * it.
 */
#include "drawn.h"
#include "starve.h"
#include "study.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* ---- Ranges ---- */

typedef struct ranges {
    int clusters[STUDY_CLUSTERS + 1], processors[STUDY_PROCESSORS + 1], rates[STUDY_RATE + 1];
    int meshes, buses;
    double least_step, most_step;
} ranges;

static void see_cluster(const inlay_select_cluster *c, inlay_pattern topology, ranges *seen)
{
    bool flat = c->c1 > 0;
    bool mesh = flat || c->growth == INLAY_GROWTH_LOG2;
    double u = c->c3 / 6.4;
    ck_assert_int_ge(c->processors, 1);
    ck_assert_int_le(c->processors, STUDY_PROCESSORS);
    ck_assert_double_eq(c->rate, floor(c->rate));
    ck_assert(c->rate >= 1 && c->rate <= STUDY_RATE && u >= 0.01 - 1e-12 && u <= 1);
    ck_assert(!flat || topology == INLAY_PATTERN_LINE);
    ck_assert(c->growth == INLAY_GROWTH_LINEAR || topology == INLAY_PATTERN_TREE);
    ck_assert_double_eq_tol(c->c1, flat ? 1000 * u : 0, 1e-9);
    ck_assert_double_eq_tol(c->c2, flat ? 10 * u : 1000 * u, 1e-9);
    ck_assert_double_eq_tol(c->c4, (flat ? 0.119 : 11.9) * u, 1e-9);
    seen->processors[c->processors]++;
    seen->rates[(int)c->rate]++;
    seen->meshes += mesh;
    seen->buses += !mesh;
    seen->least_step = fmin(seen->least_step, u);
    seen->most_step = fmax(seen->most_step, u);
}

/* As often as `share` says, within 5 standard deviations. */
static void expect_often(int count, int of, double share)
{
    ck_assert_double_eq_tol(count, of * share, 5 * sqrt(of * share * (1 - share)) + 1e-9);
}

static void expect_ranges(const study_cell *cell)
{
    enum { METASYSTEMS = 4000 };
    uint64_t state = 41;
    ranges seen = {.least_step = 1};
    int clusters = 0;
    for (int n = 0; n < METASYSTEMS; n++) {
        study_metasystem made;
        study_draw_metasystem(&state, cell, &made);
        ck_assert(made.clusters >= 1 && made.clusters <= STUDY_CLUSTERS);
        seen.clusters[made.clusters]++;
        clusters += made.clusters;
        for (int i = 0; i < made.clusters; i++)
            see_cluster(&made.cluster[i], cell->topology, &seen);
        ck_assert(cell->routers ? made.router_latency > 0 && made.router_latency < 1000 : made.router_latency == 0);
        ck_assert_double_eq_tol(made.router_per_byte, 0.0064 * made.router_latency, 1e-12);
    }
    for (int n = 1; n <= STUDY_CLUSTERS; n++)
        expect_often(seen.clusters[n], METASYSTEMS, 0.2);
    for (int n = 1; n <= STUDY_PROCESSORS; n++)
        expect_often(seen.processors[n], clusters, 0.1);
    for (int n = 1; n <= STUDY_RATE; n++)
        expect_often(seen.rates[n], clusters, 0.01);
    expect_often(seen.meshes, clusters, cell->mixed && cell->topology != INLAY_PATTERN_RING ? 0.5 : 0);
    ck_assert_double_lt(seen.least_step, 0.011);
    ck_assert_double_gt(seen.most_step, 0.999);
}

START_TEST(metasystems)
{
    for (int n = 0; n < 12; n++) {
        study_cell cell = {(inlay_pattern)(n / 4), n % 2 == 1, n / 2 % 2 == 1};
        expect_ranges(&cell);
    }
}
END_TEST

START_TEST(programs)
{
    static const int64_t units[] = {1, 100, 500, 1000, 5000, 10000};
    study_cell cell = {INLAY_PATTERN_TREE, true, true};
    study_metasystem made;
    uint64_t state = 42;
    study_draw_metasystem(&state, &cell, &made);
    double work = 0;
    double bytes = 0;
    for (int64_t n = 0; n < 6000; n++) {
        inlay_select_problem p = study_draw_program(&state, &cell, &made, n);
        ck_assert_int_eq(p.units, units[n % 6]);
        ck_assert(p.bytes >= 1 && p.bytes <= (double)p.units && p.bytes == floor(p.bytes));
        ck_assert(p.unit_work >= 1 && p.unit_work <= STUDY_INSTRUCTIONS && p.unit_work == floor(p.unit_work));
        ck_assert_int_eq(p.topology, INLAY_PATTERN_TREE);
        ck_assert_ptr_eq(p.cluster, made.cluster);
        ck_assert_double_eq(p.router_latency, made.router_latency);
        work += p.unit_work / 6000;
        bytes += p.bytes / (double)(p.units + 1) / 6000;
    }
    ck_assert_double_eq_tol(work, 5000.5, 5 * 10000 / sqrt(12 * 6000));
    ck_assert_double_eq_tol(bytes, 0.5, 5 / sqrt(12 * 6000));
}
END_TEST

/* ---- How H2 fares ---- */

/*
 * Per cent of H2's answers within 5 and 10 % of the real map's optimum, in order and as given: means of 4000 metasystems
 * of another program, with random numbers of its own and the optimum by exhaustive search. A lone processor's T_comm is 0.
 */
typedef struct table_row {
    study_cell cell;
    double integer[4], real[4], descended[2]; /* the last: H3, in order */
    double deviation[4];                      /* of 50 metasystems with the integer map */
} table_row;

static const table_row table[] = {
    {{INLAY_PATTERN_RING, false, false},
     {97.9, 99.4, 67.5, 73.4},
     {98.5, 99.7, 67.7, 73.5},
     {99.8, 100.0},
     {0.8, 0.4, 4.6, 4.3}},
    {{INLAY_PATTERN_LINE, false, false},
     {94.4, 98.6, 82.0, 90.0},
     {96.4, 99.2, 84.1, 90.7},
     {98.4, 99.6},
     {1.1, 0.5, 3.0, 2.4}},
    {{INLAY_PATTERN_TREE, false, false},
     {93.4, 97.0, 70.9, 78.2},
     {94.3, 97.5, 71.6, 78.6},
     {96.1, 98.3},
     {2.0, 1.3, 4.2, 3.8}},
    {{INLAY_PATTERN_RING, false, true},
     {98.4, 99.4, 65.4, 69.8},
     {98.9, 99.7, 65.4, 69.7},
     {99.7, 99.9},
     {0.7, 0.4, 4.8, 4.6}},
    {{INLAY_PATTERN_LINE, false, true},
     {96.5, 99.4, 74.8, 83.8},
     {97.5, 99.7, 75.6, 84.1},
     {99.3, 99.9},
     {1.0, 0.3, 3.9, 3.2}},
    {{INLAY_PATTERN_TREE, false, true},
     {97.7, 99.2, 66.9, 72.2},
     {98.2, 99.4, 67.0, 72.2},
     {99.0, 99.6},
     {1.0, 0.6, 4.6, 4.3}},
    {{INLAY_PATTERN_RING, true, false},
     {97.8, 99.3, 67.5, 73.2},
     {98.5, 99.7, 67.7, 73.3},
     {99.8, 100.0},
     {0.8, 0.4, 4.7, 4.4}},
    {{INLAY_PATTERN_LINE, true, false},
     {94.0, 98.0, 77.1, 84.1},
     {97.8, 99.4, 80.0, 85.4},
     {99.4, 99.8},
     {1.2, 0.7, 3.6, 3.1}},
    {{INLAY_PATTERN_TREE, true, false},
     {89.0, 92.7, 65.3, 72.6},
     {94.3, 97.1, 70.1, 76.8},
     {96.3, 97.9},
     {2.0, 1.5, 4.5, 4.1}},
    {{INLAY_PATTERN_RING, true, true},
     {98.3, 99.4, 65.4, 69.9},
     {98.9, 99.7, 65.4, 69.9},
     {99.6, 99.9},
     {0.7, 0.4, 4.7, 4.5}},
    {{INLAY_PATTERN_LINE, true, true},
     {96.2, 98.7, 70.0, 76.1},
     {98.3, 99.6, 71.0, 76.6},
     {99.7, 99.9},
     {1.0, 0.5, 4.4, 4.0}},
    {{INLAY_PATTERN_TREE, true, true},
     {97.3, 98.8, 66.3, 71.2},
     {98.4, 99.4, 66.6, 71.3},
     {99.1, 99.6},
     {1.0, 0.6, 4.6, 4.3}},
};

enum { METASYSTEMS = DRAWN_SELECT_STUDY, INSTANCES = 36 };

static double cycle_of(const inlay_select_problem *problem, const inlay_select_options *options)
{
    inlay_selection *selection = NULL;
    ck_assert_int_eq(inlay_select_plain(problem, options, &selection, NULL), INLAY_OK);
    double cycle = inlay_selection_at(selection, 0)->t_cycle;
    inlay_selection_free(selection);
    return cycle;
}

static void count(double cycle, double best, double per_cent[2])
{
    per_cent[0] += cycle <= 1.05 * best ? 100.0 / (METASYSTEMS * INSTANCES) : 0;
    per_cent[1] += cycle <= 1.1 * best ? 100.0 / (METASYSTEMS * INSTANCES) : 0;
}

static void count_program(inlay_select_problem problem, table_row *got)
{
    const inlay_select_options h2 = {.method = INLAY_SELECT_H2};
    const inlay_select_options given = {.method = INLAY_SELECT_H2, .as_given = true};
    const inlay_select_options h3 = {.method = INLAY_SELECT_H3};
    double integer = cycle_of(&problem, &h2);
    double integer_given = cycle_of(&problem, &given);
    problem.map = INLAY_SELECT_REAL;
    double best = cycle_of(&problem, NULL);
    count(integer, best, got->integer);
    count(integer_given, best, got->integer + 2);
    count(cycle_of(&problem, &h2), best, got->real);
    count(cycle_of(&problem, &given), best, got->real + 2);
    count(cycle_of(&problem, &h3), best, got->descended);
}

/* A cell's mean scatters less with more metasystems than 50; the table's own ones are of 4000. */
static void expect_like(const char *what, int row, const double *got, const double *wanted, int numbers)
{
    for (int n = 0; n < numbers; n++) {
        double tolerance = 4.5 * table[row].deviation[n] * sqrt(50.0 / METASYSTEMS + 50.0 / 4000) + 0.1;
        ck_assert_msg(fabs(got[n] - wanted[n]) <= tolerance, "row %d, %s, number %d: %.2f; expected %.1f within %.2f",
                      row, what, n, got[n], wanted[n], tolerance);
    }
}

START_TEST(shares_within_five_and_ten_per_cent)
{
    const table_row *row = &table[_i];
    table_row got = {0};
    uint64_t state = 43;
    for (int m = 0; m < METASYSTEMS; m++) {
        study_metasystem made;
        study_draw_metasystem(&state, &row->cell, &made);
        for (int n = 0; n < INSTANCES; n++)
            count_program(study_draw_program(&state, &row->cell, &made, n), &got);
    }
    expect_like("integer", _i, got.integer, row->integer, 4);
    expect_like("real", _i, got.real, row->real, 4);
    expect_like("descended", _i, got.descended, row->descended, 2);
}
END_TEST

/* ---- The study ---- */

/* Tables 2 and 3: as printed. */
static const struct {
    const char *table;
    inlay_pattern pattern;
    double ordered[2], unordered[2];
} printed[STUDY_CELLS] = {
    {"2a", INLAY_PATTERN_RING, {98.6, 99.5}, {63.9, 70.7}}, {"2a", INLAY_PATTERN_LINE, {89.3, 94.4}, {72.7, 81.2}},
    {"2a", INLAY_PATTERN_TREE, {91.6, 95.3}, {61.5, 68.8}}, {"2b", INLAY_PATTERN_RING, {98.7, 99.6}, {61.4, 67.7}},
    {"2b", INLAY_PATTERN_LINE, {88.9, 94.6}, {63.9, 70.7}}, {"2b", INLAY_PATTERN_TREE, {92.6, 95.9}, {52.5, 59.7}},
    {"3a", INLAY_PATTERN_RING, {97.7, 99.3}, {67.5, 76.4}}, {"3a", INLAY_PATTERN_LINE, {91.4, 95.0}, {69.9, 76.5}},
    {"3a", INLAY_PATTERN_TREE, {89.2, 91.7}, {63.3, 70.2}}, {"3b", INLAY_PATTERN_RING, {98.8, 99.7}, {64.3, 71.1}},
    {"3b", INLAY_PATTERN_LINE, {92.3, 96.4}, {65.9, 73.0}}, {"3b", INLAY_PATTERN_TREE, {88.1, 91.6}, {63.5, 71.1}}};

static void study_with(const study_options *options, study_row cell[STUDY_CELLS])
{
    memset(cell, 0, STUDY_CELLS * sizeof *cell);
    ck_assert_int_eq(study_run(options, cell), INLAY_OK);
}

START_TEST(cells_are_those_of_the_paper)
{
    study_row cell[STUDY_CELLS];
    const study_options options = {.metasystems = 1, .instances = 1, .threads = 1};
    double sum = 0;
    study_with(&options, cell);
    for (int n = 0; n < STUDY_CELLS; n++) {
        ck_assert_int_eq(cell[n].pattern, printed[n].pattern);
        ck_assert(cell[n].mixed == (printed[n].table[0] == '3') && cell[n].routers == (printed[n].table[1] == 'b'));
        for (int i = 0; i < 2; i++) {
            ck_assert_double_eq(cell[n].paper[0][i], printed[n].ordered[i]);
            ck_assert_double_eq(cell[n].paper[1][i], printed[n].unordered[i]);
            cell[n].h2[0][i] = printed[n].ordered[i] + (n == 3 ? 8 : 0);
            cell[n].h2[1][i] = printed[n].unordered[i] - (i == 1 ? 1 : 0);
            sum += (n == 3 ? 64 : 0) + (i == 1 ? 1 : 0);
        }
    }
    ck_assert_double_eq_tol(study_distance(cell), sqrt(sum / 48), 1e-9);
}
END_TEST

START_TEST(threads_change_nothing)
{
    study_row one[STUDY_CELLS], three[STUDY_CELLS], other[STUDY_CELLS];
    study_options options = {.metasystems = 9, .instances = 7, .exhaustive = 20, .seed = 5, .threads = 1};
    study_with(&options, one);
    options.threads = 3;
    study_with(&options, three);
    options.seed = 6;
    study_with(&options, other);
    int changed = 0;
    for (int n = 0; n < STUDY_CELLS; n++) {
        ck_assert_mem_eq(one[n].h2, three[n].h2, sizeof one[n].h2);
        ck_assert_mem_eq(one[n].h3, three[n].h3, sizeof one[n].h3);
        ck_assert_mem_eq(one[n].exact, three[n].exact, sizeof one[n].exact);
        ck_assert(one[n].runs == 63 && three[n].runs == 63 && one[n].checked == 20 && three[n].checked == 20);
        changed += memcmp(one[n].h2, other[n].h2, sizeof one[n].h2) != 0;
    }
    ck_assert_int_gt(changed, 6);
}
END_TEST

/* The same runs once more, the optimum by exhaustive search in each. */
static void expect_cell(const study_options *o, int number, const study_row *cell)
{
    const inlay_select_options h2 = {.method = INLAY_SELECT_H2};
    const inlay_select_options given = {.method = INLAY_SELECT_H2, .as_given = true};
    const inlay_select_options h3 = {.method = INLAY_SELECT_H3};
    const inlay_select_options all = {.method = INLAY_SELECT_EXHAUSTIVE};
    const study_cell kind = {cell->pattern, cell->mixed, cell->routers};
    int runs = o->metasystems * o->instances, within[3][2] = {{0}};
    for (int m = 0; m < o->metasystems; m++) {
        uint64_t state = study_stream(o->seed, (uint64_t)(m * STUDY_CELLS + number));
        study_metasystem made;
        study_draw_metasystem(&state, &kind, &made);
        for (int n = 0; n < o->instances; n++) {
            inlay_select_problem problem = study_draw_program(&state, &kind, &made, n);
            problem.map = INLAY_SELECT_REAL;
            double best = cycle_of(&problem, &all);
            problem.map = o->map == INLAY_SELECT_INTEGER ? INLAY_SELECT_REMAINDER : o->map;
            const double cycle[] = {cycle_of(&problem, &h2), cycle_of(&problem, &given), cycle_of(&problem, &h3)};
            for (int i = 0; i < 3; i++) {
                within[i][0] += cycle[i] <= 1.05 * best;
                within[i][1] += cycle[i] <= 1.1 * best;
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(cell->h2[0][i], 100.0 * within[0][i] / runs, 1e-9);
        ck_assert_double_eq_tol(cell->h2[1][i], 100.0 * within[1][i] / runs, 1e-9);
        ck_assert_double_eq_tol(cell->h3[i], 100.0 * within[2][i] / runs, 1e-9);
        ck_assert_double_eq(cell->exact[i], 100);
    }
    ck_assert(cell->runs == runs && cell->checked == o->exhaustive && cell->unequal == 0);
}

START_TEST(percentages_are_of_the_runs)
{
    for (int map = INLAY_SELECT_INTEGER; map <= INLAY_SELECT_REAL; map++) {
        study_row cell[STUDY_CELLS];
        const study_options options = {
            .metasystems = 8, .instances = 6, .exhaustive = 11, .map = (inlay_select_map)map, .seed = 8};
        study_with(&options, cell);
        for (int n = 0; n < STUDY_CELLS; n++)
            expect_cell(&options, n, &cell[n]);
    }
}
END_TEST

/* The whole one, but for fewer metasystems: they are 5.8 to 6.1 points apart with 2000, lone processors being free. */
START_TEST(study_is_near_to_the_paper)
{
    study_row cell[STUDY_CELLS];
    const study_options options = {.metasystems = 300};
    study_with(&options, cell);
    ck_assert_double_le(study_distance(cell), 6.5);
    for (int n = 0; n < STUDY_CELLS; n++) {
        ck_assert(cell[n].runs == 300 * 36 && cell[n].checked == 2000 && cell[n].unequal == 0);
        ck_assert(cell[n].exact[0] == 100 && cell[n].exact[1] == 100);
    }
}
END_TEST

static int try_study(const void *subject)
{
    study_row cell[STUDY_CELLS];
    return study_run(subject, cell);
}

START_TEST(study_survives_without_memory)
{
    const study_options options = {.metasystems = 1, .instances = 1, .threads = 1};
    starve(try_study, &options, 12 * 5 * 10);
}
END_TEST

Suite *suite_select_study(void)
{
    Suite *suite = suite_create("select_study");
    TCase *test = tcase_create("select_study");
    tcase_add_test(test, metasystems);
    tcase_add_test(test, programs);
    tcase_add_loop_test(test, shares_within_five_and_ten_per_cent, 0, sizeof table / sizeof *table);
    tcase_add_test(test, cells_are_those_of_the_paper);
    tcase_add_test(test, threads_change_nothing);
    tcase_add_test(test, percentages_are_of_the_runs);
    tcase_add_test(test, study_is_near_to_the_paper);
    tcase_add_test(test, study_survives_without_memory);
    suite_add_tcase(suite, test);
    return suite;
}

/* Whole shares by curves of time over size: against every way to share out, one by one; and files of curves. */
#include "general_subject.h"
#include "random_app.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DEVICES = 6, MOST_POINTS = 8, MOST_UNITS = 80 };

typedef struct subject {
    size_t devices;
    int64_t units;
    inlay_curve_point point[MOST_DEVICES][MOST_POINTS];
    inlay_curve curve[MOST_DEVICES];
} subject;

/* Straight lines from one point to the next, by a walk; nothing of the library. */
static double slow_time(const inlay_curve *c, int64_t size)
{
    double x = 0, y = 0;
    if (size == 0) return 0;
    if (c->most > 0 && size > c->most) return INFINITY;
    for (size_t i = 0; i < c->points; i++) {
        double x2 = (double)c->point[i].size, y2 = c->point[i].time;
        if ((double)size <= x2) return y + (y2 - y) * ((double)size - x) / (x2 - x);
        x = x2;
        y = y2;
    }
    return y / x * (double)size;
}

/* The shortest longest time of all whole shares, device after device. */
static double slow_best(const subject *s)
{
    double best[MOST_UNITS + 1], next[MOST_UNITS + 1];
    for (int64_t n = 0; n <= s->units; n++)
        best[n] = n == 0 ? 0 : INFINITY;
    for (size_t i = 0; i < s->devices; i++) {
        for (int64_t n = 0; n <= s->units; n++) {
            next[n] = INFINITY;
            for (int64_t own = 0; own <= n; own++)
                next[n] = fmin(next[n], fmax(best[n - own], slow_time(&s->curve[i], own)));
        }
        memcpy(best, next, sizeof best);
    }
    return best[s->units];
}

/* Sizes and times that rise, or jump up and down; some devices are alike, some have limits. */
static void draw(uint64_t *seed, bool rises, subject *s)
{
    s->devices = 1 + (size_t)random_below(seed, MOST_DEVICES);
    s->units = 1 + random_below(seed, MOST_UNITS);
    for (size_t i = 0; i < s->devices; i++) {
        inlay_curve *c = &s->curve[i];
        int64_t size = 0;
        double time = 0;
        if (i > 0 && random_once_in(seed, 4)) {
            *c = s->curve[i - 1];
            continue;
        }
        *c = (inlay_curve){.points = 1 + (size_t)random_below(seed, MOST_POINTS), .point = s->point[i]};
        for (size_t k = 0; k < c->points; k++) {
            size += 1 + random_below(seed, random_once_in(seed, 3) ? 2 : 20);
            time = (rises ? time : 0) + (double)(random_below(seed, 40) + (rises && k > 0 ? 0 : 1)) / 8;
            s->point[i][k] = (inlay_curve_point){size, time};
        }
        c->most = random_once_in(seed, 3) ? size + random_below(seed, 10) : 0;
    }
}

static void expect_best(const subject *s, const char *what, int number)
{
    int64_t share[MOST_DEVICES], sum = 0;
    inlay_curve_result result;
    double best = slow_best(s), longest = 0, least = INFINITY;
    int64_t used = 0, outside = 0;
    int status = inlay_curves_partition(s->curve, s->devices, s->units, share, &result, NULL);
    if (!isfinite(best)) {
        ck_assert_int_eq(status, INLAY_NO_ANSWER);
        return;
    }
    ck_assert_msg(status == INLAY_OK, "%s %d", what, number);
    for (size_t i = 0; i < s->devices; i++) {
        double time = slow_time(&s->curve[i], share[i]);
        ck_assert_int_ge(share[i], 0);
        sum += share[i];
        longest = fmax(longest, time);
        least = share[i] > 0 ? fmin(least, time) : least;
        used += share[i] > 0;
        outside += share[i] > s->curve[i].point[s->curve[i].points - 1].size;
    }
    ck_assert_int_eq(sum, s->units);
    ck_assert_msg(longest <= best * (1 + 1e-12), "%s %d", what, number);
    ck_assert_double_eq_tol(result.time, longest, 1e-12 * longest);
    ck_assert_double_eq_tol(result.least, least, 1e-12 * least);
    ck_assert(result.exact);
    ck_assert_int_eq(result.used, used);
    ck_assert_int_eq(result.outside, outside);
}

START_TEST(against_all_shares)
{
    for (int i = 0; i < 1500; i++) {
        uint64_t seed = (uint64_t)i;
        subject s;
        draw(&seed, true, &s);
        expect_best(&s, "rising", i);
        for (size_t k = 0; k < s.devices; k++)
            ck_assert(inlay_curve_rises(&s.curve[k]));
        draw(&seed, false, &s);
        expect_best(&s, "up and down", i);
    }
}
END_TEST

/* With as many units as there can be: less than all is done in any shorter time. */
START_TEST(many_units)
{
    for (int i = 0; i < 100; i++) {
        uint64_t seed = (uint64_t)i;
        subject s;
        int64_t share[MOST_DEVICES];
        inlay_curve_result result;
        draw(&seed, true, &s);
        s.units = (INT64_C(1) << (10 + random_below(&seed, 43))) + 1;
        for (size_t k = 0; k < s.devices; k++)
            s.curve[k].most = 0;
        ck_assert_int_eq(inlay_curves_partition(s.curve, s.devices, s.units, share, &result, NULL), INLAY_OK);
        int64_t done = 0, sum = 0;
        for (size_t k = 0; k < s.devices; k++) {
            int64_t low = 0, high = s.units + 1;
            while (high - low > 1) {
                int64_t middle = low + (high - low) / 2;
                if (slow_time(&s.curve[k], middle) < result.time * (1 - 1e-12))
                    low = middle;
                else
                    high = middle;
            }
            done = done > s.units - low ? s.units : done + low;
            sum += share[k];
        }
        ck_assert_int_eq(sum, s.units);
        ck_assert_msg(done < s.units, "%d", i);
    }
}
END_TEST

/* Like devices are dealt evenly, also very many of them. */
START_TEST(like_devices)
{
    enum { DEVICES = 20000 };
    static const inlay_curve_point point[] = {{10, 1}, {20, 3}};
    static inlay_curve curve[DEVICES];
    static int64_t share[DEVICES];
    inlay_curve_result result;
    for (int i = 0; i < DEVICES; i++)
        curve[i] = (inlay_curve){.points = 2, .point = point};
    ck_assert_int_eq(inlay_curves_partition(curve, DEVICES, 5 * DEVICES + 7, share, &result, NULL), INLAY_OK);
    int64_t more = 0;
    for (int i = 0; i < DEVICES; i++) {
        ck_assert(share[i] == 5 || share[i] == 6);
        more += share[i] - 5;
    }
    ck_assert_int_eq(more, 7);
    ck_assert_double_eq_tol(result.time, 0.6, 1e-12);
}
END_TEST

/* Times that fall at every other size make more sums than are kept: the shares are good all the same, and it is told. */
START_TEST(too_many_sums)
{
    enum { POINTS = 12000 };
    static inlay_curve_point point[2][POINTS];
    inlay_curve curve[2] = {{.points = POINTS, .point = point[0]}, {.points = POINTS, .point = point[1]}};
    int64_t share[2];
    inlay_curve_result result;
    uint64_t seed = 4;
    for (int64_t i = 0; i < POINTS; i++) {
        point[0][i] = (inlay_curve_point){i + 1, i % 8 == 3 ? 1 : 5 + (double)random_below(&seed, 8)};
        point[1][i] = (inlay_curve_point){i + 1, i % 8 == 5 ? 1 : 5 + (double)random_below(&seed, 8)};
    }
    ck_assert_int_eq(inlay_curves_partition(curve, 2, 9002, share, &result, NULL), INLAY_OK);
    ck_assert(!result.exact);
    ck_assert_int_eq(share[0] + share[1], 9002);
    ck_assert_double_eq_tol(result.time,
                            fmax(inlay_curve_time(&curve[0], share[0]), inlay_curve_time(&curve[1], share[1])), 1e-12);
}
END_TEST

/* ---- Selection ---- */

/* Each unit to the processor that is done with it first: for times that rise. */
static double slow_computation(const inlay_curve *curve, size_t clusters, const int32_t *processors, int64_t units)
{
    int64_t share[SUBJECT_CLUSTERS][8] = {{0}};
    double longest = 0;
    for (int64_t n = 0; n < units; n++) {
        double first = INFINITY;
        int64_t *own = NULL;
        for (size_t i = 0; i < clusters; i++)
            for (int32_t k = 0; k < processors[i]; k++)
                if (slow_time(&curve[i], share[i][k] + 1) < first) {
                    first = slow_time(&curve[i], share[i][k] + 1);
                    own = &share[i][k];
                }
        if (own == NULL) return INFINITY;
        ++*own;
        longest = fmax(longest, first);
    }
    return longest;
}

/* The shortest cycle of all configurations; T_comm is that without curves. */
static double slow_cycle(const general_subject *s, const inlay_curve *curve, bool overlap)
{
    int32_t p[SUBJECT_CLUSTERS] = {0};
    general_subject plain = *s;
    double best = INFINITY;
    plain.terms.curve = NULL;
    plain.domain.context = &plain;
    plain.metasystem.cluster = plain.cluster;
    for (size_t i = 0; i < s->metasystem.clusters;) {
        if (p[i] == s->cluster[i].available) {
            p[i++] = 0;
            continue;
        }
        p[i]++;
        i = 0;
        inlay_selection *one = NULL;
        ck_assert_int_eq(inlay_select_evaluate(&plain.domain, &plain.metasystem, &plain.terms, p, &one, NULL),
                         INLAY_OK);
        double comm = inlay_selection_at(one, 0)->t_comm,
               comp = slow_computation(curve, s->metasystem.clusters, p, s->units[0]);
        best = fmin(best, overlap ? fmax(comp, comm) : comp + comm);
        inlay_selection_free(one);
    }
    return best;
}

static void expect_selected(uint64_t seed)
{
    subject c;
    select_subject plain;
    general_subject s;
    inlay_curve curve[SUBJECT_CLUSTERS];
    subject_random(&seed, 3, 4, SUBJECT_ANYTHING, &plain);
    plain.problem.map = INLAY_SELECT_INTEGER;
    plain.problem.units = 1 + random_below(&seed, 60);
    general_of_plain(&plain, &s);
    do {
        draw(&seed, true, &c);
    } while (c.devices < s.metasystem.clusters);
    memcpy(curve, c.curve, s.metasystem.clusters * sizeof *curve);
    s.terms.curve = curve;
    double best = slow_cycle(&s, curve, plain.problem.overlap);
    for (int method = INLAY_SELECT_EXACT; method <= INLAY_SELECT_EXHAUSTIVE; method++) {
        inlay_select_options options = {.method = (inlay_select_method)method};
        inlay_selection *found = NULL;
        ck_assert_int_eq(inlay_select(&s.domain, &s.metasystem, &s.terms, &options, &found, NULL), INLAY_OK);
        const inlay_configuration *first = inlay_selection_at(found, 0);
        bool proven = method == INLAY_SELECT_EXACT || method == INLAY_SELECT_EXHAUSTIVE;
        int64_t units = 0;
        double longest = 0;
        ck_assert(isfinite(best) || first->t_comp >= INLAY_SELECT_UNFIT);
        for (size_t i = 0; isfinite(best) && first->t_comp < INLAY_SELECT_UNFIT && i < s.metasystem.clusters; i++) {
            const inlay_select_share *share = &first->share[i];
            units += (int64_t)share->share * first->processors[i] + share->extra;
            if (first->processors[i] > 0)
                longest = fmax(longest, slow_time(&curve[i], (int64_t)share->share + (share->extra > 0)));
        }
        if (isfinite(best) && first->t_comp < INLAY_SELECT_UNFIT) {
            ck_assert_int_eq(units, s.units[0]);
            ck_assert_double_eq_tol(first->t_comp, longest, 1e-12 * longest);
            ck_assert(first->t_cycle >= best * (1 - 1e-12));
        }
        if (isfinite(best) && proven) ck_assert_double_eq_tol(first->t_cycle, best, 1e-12 * best);
        inlay_selection_free(found);
    }
}

START_TEST(selected)
{
    for (uint64_t i = 0; i < 300; i++)
        expect_selected(i);
}
END_TEST

/* ---- Decomposition ---- */

/* Pieces of every method take what the curves say of their cells; runs of cells end at once. */
START_TEST(decomposed)
{
    static const inlay_grid_network network = {.latency = 0};
    static const inlay_grid_phase phases[] = {{.pattern.communication = INLAY_GRID_NONE, .work = 2, .weight = 3},
                                              {.pattern.communication = INLAY_GRID_NONE, .work = 5}};
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t seed = i;
        subject s;
        double speed[MOST_DEVICES] = {1, 1, 1, 1, 1, 1};
        draw(&seed, true, &s);
        inlay_grid_problem problem = {.rows = 6 + random_below(&seed, 10),
                                      .columns = 6 + random_below(&seed, 10),
                                      .item = 1,
                                      .processors = (int32_t)s.devices,
                                      .speed = speed,
                                      .curve = s.curve};
        inlay_grid_rank_options options = {.methods = (1U << INLAY_GRID_MAP) - 1, .tries = 100};
        inlay_grid_ranking *ranking = NULL;
        inlay_curve_result least;
        int64_t share[MOST_DEVICES];
        int fits = inlay_curves_partition(s.curve, s.devices, problem.rows * problem.columns, share, &least, NULL);
        int status = inlay_grid_rank(&problem, &network, phases, 2, &options, &ranking, NULL);
        if (fits != INLAY_OK) {
            ck_assert_int_eq(status, INLAY_NO_ANSWER);
            continue;
        }
        for (size_t r = 0; status == INLAY_OK && r < inlay_grid_ranking_rows(ranking); r++) {
            const inlay_grid_row *row = inlay_grid_ranking_row(ranking, r);
            double longest = 0;
            int64_t cells = 0;
            for (int32_t k = 0; k < problem.processors; k++) {
                int64_t own = inlay_decomposition_cells(row->decomposition, k);
                cells += own;
                longest = fmax(longest, slow_time(&s.curve[k], own));
            }
            ck_assert_int_eq(cells, problem.rows * problem.columns);
            ck_assert_double_eq_tol(row->cost.computation, longest, 1e-9 * longest);
            ck_assert(longest >= least.time * (1 - 1e-9));
        }
        inlay_grid_ranking_free(ranking);
    }
}
END_TEST

/* With many cells and room for all of them, runs are within a cell of the best. */
START_TEST(runs_end_at_once)
{
    static const inlay_curve_point a[] = {{1000, 1}, {2000, 5}}, b[] = {{100, 1}, {5000, 2}};
    const inlay_curve curve[] = {{.points = 2, .point = a}, {.points = 2, .point = b, .most = 30000}};
    const double speed[] = {1, 1};
    const inlay_grid_problem problem = {
        .rows = 200, .columns = 170, .item = 1, .processors = 2, .speed = speed, .curve = curve};
    const inlay_grid_phase phase = {.pattern.communication = INLAY_GRID_NONE, .work = 1};
    inlay_decomposition *d = NULL;
    inlay_grid_cost cost;
    inlay_curve_result least;
    int64_t share[2];
    ck_assert_int_eq(inlay_curves_partition(curve, 2, 34000, share, &least, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_decompose(&problem, INLAY_GRID_POINT, NULL, &d, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_decomposition_cells(d, 0), share[0]);
    ck_assert_int_eq(inlay_decomposition_cost(d, &(inlay_grid_network){0}, &phase, 1, &cost, NULL), INLAY_OK);
    ck_assert_double_eq_tol(cost.computation, least.time, 1e-9);
    ck_assert_double_eq_tol(cost.imbalance, 1, 1e-9);
    inlay_decomposition_free(d);
}
END_TEST

/* ---- What is refused ---- */

static void expect_refused(const inlay_curve *curve, int64_t units, int expected, const char *said)
{
    inlay_diag *diag = inlay_diag_new();
    int64_t share = -1;
    inlay_curve_result result;
    ck_assert_int_eq(inlay_curves_partition(curve, 1, units, &share, &result, diag), expected);
    ck_assert_msg(strstr(inlay_diag_message(diag), said) != NULL, "%s", inlay_diag_message(diag));
    ck_assert_int_eq(share, -1);
    inlay_diag_free(diag);
}

START_TEST(refused)
{
    static const inlay_curve_point good[] = {{1, 1}, {5, 2}}, twice[] = {{5, 1}, {5, 2}}, none[] = {{1, 0}},
                                   nan_time[] = {{1, NAN}}, huge[] = {{1, 1e300}}, zero[] = {{0, 1}};
    expect_refused(&(inlay_curve){.points = 0, .point = good}, 1, INLAY_BAD_ARGUMENT, "0 points");
    expect_refused(&(inlay_curve){.points = 2, .point = twice}, 1, INLAY_BAD_ARGUMENT, "the size 5 behind 5");
    expect_refused(&(inlay_curve){.points = 1, .point = none}, 1, INLAY_BAD_ARGUMENT, "takes 0 for the size 1");
    expect_refused(&(inlay_curve){.points = 1, .point = nan_time}, 1, INLAY_BAD_ARGUMENT, "takes nan for");
    expect_refused(&(inlay_curve){.points = 1, .point = huge}, 1, INLAY_BAD_ARGUMENT, "leaves room");
    expect_refused(&(inlay_curve){.points = 1, .point = zero}, 1, INLAY_BAD_ARGUMENT, "rising sizes");
    expect_refused(&(inlay_curve){.points = 2, .point = good, .most = 4}, 1, INLAY_BAD_ARGUMENT, "not below");
    expect_refused(&(inlay_curve){.points = 2, .point = good}, 0, INLAY_BAD_ARGUMENT, "0 units");
    expect_refused(&(inlay_curve){.points = 2, .point = good, .most = 9}, 10, INLAY_NO_ANSWER,
                   "hold 9 units together; expected room for 10");
}
END_TEST

/* ---- Files ---- */

static int read_text(const char *text, inlay_curves **curves, inlay_diag *diag)
{
    char path[] = "/tmp/inlay-curves-XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq((int)write(file, text, strlen(text)), (int)strlen(text));
    close(file);
    int status = inlay_curves_read(path, curves, diag);
    unlink(path);
    return status;
}

START_TEST(files)
{
    inlay_curves *c = NULL;
    ck_assert_int_eq(read_text("# two\r\ndevice,size,seconds,repetitions,stddev\r\ngpu,1000,0.5,5,0.01\r\n"
                               "cpu,100,2,3,\r\ngpu,500,0.25,5,0.01\r\ngpu,500,0.75,,\r\ngpu,2001,,,\r\n",
                               &c, NULL),
                     INLAY_OK);
    ck_assert_uint_eq(c->devices, 2);
    ck_assert_str_eq(c->curve[0].name, "gpu");
    ck_assert_uint_eq(c->curve[0].points, 2);
    ck_assert_int_eq(c->curve[0].point[0].size, 500);
    ck_assert_double_eq_tol(c->curve[0].point[0].time, 0.5, 1e-15);
    ck_assert_int_eq(c->curve[0].most, 2000);
    ck_assert_str_eq(c->curve[1].name, "cpu");
    ck_assert_int_eq(c->curve[1].most, 0);
    inlay_curves_free(c);
    /* the words of processor speeds, constant ones among them */
    ck_assert_int_eq(read_text("type,count,processes,data,time\na,3,1,10,5\na,3,2,10,9\n", &c, NULL), INLAY_OK);
    ck_assert_uint_eq(c->devices, 3);
    ck_assert_double_eq_tol(inlay_curve_time(&c->curve[2], 20), 10, 1e-12);
    inlay_curves_free(c);
    ck_assert_int_eq(read_text("{\"types\": [{\"name\": \"a\", \"speed\": 4}]}", &c, NULL), INLAY_OK);
    ck_assert_double_eq_tol(inlay_curve_time(&c->curve[0], 20), 5, 1e-12);
    inlay_curves_free(c);
}
END_TEST

static const struct hostile {
    const char *text, *said;
} hostile[] = {
    {"", "the file is empty"},
    {"device,size,seconds\n", "no devices; expected at least one"},
    {"device,size,seconds\na,1.5,1\n", ":2: 'a' has a size that is no whole number"},
    {"device,size,seconds\na,1e17,1\n", "no whole number up to 2^53"},
    {"device,size,seconds\na,1,nan\n", ":2: seconds 'nan'; expected a number above 0"},
    {"device,size,seconds\na,0,1\n", ":2: "},
    {"device,size,seconds\na,-3,1\n", ":2: size '-3'; expected a number above 0"},
    {"device,size,seconds\na,5,\n", ":2: 'a' has no size with a time"},
    {"device,size,seconds\na,5,\na,5,1\n", ":2: 'a' has a time for a size that does not fit"},
    {"device,size,seconds,repetitions\na,5,1,x\n", ":2: repetitions 'x'"},
    {"device,device,seconds\n", "the column 'device' comes twice"},
    {"device,type,seconds\n", "the column 'type' comes twice"},
    {"device,size,length\n", "unknown column 'length'"},
    {"device,size\na,5\n", "expected a column 'speed' or a column 'time'"},
    {"{\"types\": [{\"name\": \"a\", \"form\": \"offset\", \"c\": 1}]}", "'a' is a formula"},
};

START_TEST(hostile_files)
{
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        inlay_curves *c = NULL;
        inlay_diag *diag = inlay_diag_new();
        ck_assert_msg(read_text(hostile[i].text, &c, diag) == INLAY_BAD_INPUT, "'%s'", hostile[i].text);
        ck_assert_msg(strstr(inlay_diag_message(diag), hostile[i].said) != NULL, "'%s': %s", hostile[i].text,
                      inlay_diag_message(diag));
        ck_assert_ptr_null(c);
        inlay_diag_free(diag);
    }
}
END_TEST

Suite *suite_curves(void)
{
    Suite *suite = suite_create("curves");
    TCase *tests = tcase_create("curves");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, against_all_shares);
    tcase_add_test(tests, many_units);
    tcase_add_test(tests, like_devices);
    tcase_add_test(tests, too_many_sums);
    tcase_add_test(tests, selected);
    tcase_add_test(tests, decomposed);
    tcase_add_test(tests, runs_end_at_once);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, files);
    tcase_add_test(tests, hostile_files);
    suite_add_tcase(suite, tests);
    return suite;
}

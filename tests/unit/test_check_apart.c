/* The checker's search for parallel modules in one cluster, against a table of all pairs. */
#include "check_subject.h"
#include "random_app.h"
#include "slow.h"

#include <inlay/io.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS = 300, CLUSTERS = 4, NAME = 32 };

/** Clusters as the file lists them: the modules in order. */
typedef struct listing {
    int clusters;
    int size[CLUSTERS];
    inlay_id module[CLUSTERS][RANDOM_MODULES];
} listing;

/** A random placement, written as if the method had made it: the checker then looks for parallel modules. */
static bool write_as_method(uint64_t *state, const inlay_app *app, const char *machine, const inlay_options *options)
{
    static const alteration method = {"method", "\"houstis\""};
    inlay_id placement[RANDOM_MODULES];
    for (inlay_id i = 0; i < inlay_app_modules(app); i++)
        placement[i] = (inlay_id)random_below(state, CLUSTERS);
    if (!subject_map(app, subject_app(), machine, options, placement)) return false;
    json_t *root = subject_load();
    subject_alter(root, &method);
    subject_save(root);
    return true;
}

static void read_listing(const inlay_app *app, listing *list)
{
    json_t *root = subject_load(), *clusters = json_object_get(root, "clusters");
    list->clusters = (int)json_array_size(clusters);
    for (int c = 0; c < list->clusters; c++) {
        const json_t *names = json_object_get(json_array_get(clusters, (size_t)c), "modules");
        list->size[c] = (int)json_array_size(names);
        for (int i = 0; i < list->size[c]; i++)
            list->module[c][i] = inlay_app_find_module(app, json_string_value(json_array_get(names, (size_t)i)));
    }
    json_decref(root);
}

static bool are_parallel(const slow_problem *problem, inlay_id i, inlay_id j)
{
    return problem->parallel[i][j] && !(problem->pin[i] >= 0 && problem->pin[i] == problem->pin[j]);
}

/** The first module of the list that is parallel to a later one, and the first of those; false where there is none. */
static bool first_pair(const slow_problem *problem, const listing *list, int c, inlay_id pair[2])
{
    for (int a = 0; a < list->size[c]; a++)
        for (int b = a + 1; b < list->size[c]; b++)
            if (are_parallel(problem, list->module[c][a], list->module[c][b])) {
                pair[0] = list->module[c][a];
                pair[1] = list->module[c][b];
                return true;
            }
    return false;
}

/** The pair that the checker names in every cluster, -1 where it names none. */
static void named_pairs(const inlay_app *app, inlay_id pairs[CLUSTERS][2])
{
    inlay_findings *findings = NULL;
    memset(pairs, 0xFF, CLUSTERS * sizeof *pairs);
    ck_assert_int_eq(inlay_check_file(subject_mapping(), NULL, &findings, NULL), INLAY_OK);
    ck_assert_uint_lt(inlay_findings_count(findings), 100); /* beyond which the checker stops */
    for (size_t f = 0; f < inlay_findings_count(findings); f++) {
        char first[NAME], second[NAME];
        int c, read = 0;
        sscanf(inlay_findings_text(findings, f), "cluster %d: modules '%31[^']' and '%31[^']' are parallel%n", &c,
               first, second, &read);
        if (read == 0) continue;
        ck_assert_int_lt(pairs[c][0], 0);
        pairs[c][0] = inlay_app_find_module(app, first);
        pairs[c][1] = inlay_app_find_module(app, second);
    }
    inlay_findings_free(findings);
}

/** By level the pair is the first one in the list; by overlap it is one of them. */
static void compare(const slow_problem *problem, const listing *list, bool by_level, inlay_id named[CLUSTERS][2],
                    int counts[2])
{
    for (int c = 0; c < list->clusters; c++) {
        inlay_id expected[2] = {-1, -1};
        bool any = first_pair(problem, list, c, expected);
        ck_assert_int_eq(any, named[c][0] >= 0);
        counts[any]++;
        if (!any) continue;
        ck_assert(are_parallel(problem, named[c][0], named[c][1]));
        if (!by_level) continue;
        ck_assert_int_eq(named[c][0], expected[0]);
        ck_assert_int_eq(named[c][1], expected[1]);
    }
}

/** @param counts  clusters without and with a pair, added to */
static void compare_draw(uint64_t *state, inlay_parallel parallel, int counts[2])
{
    static const char text[] = "bus:16,memory=distributed,capacity=40msg/us";
    static const unsigned features[] = {0, RANDOM_BLOCKING, RANDOM_PINS, RANDOM_BLOCKING | RANDOM_TRAFFIC_ONLY};
    inlay_options options = {.tick_seconds = 1e-6, .parallel = parallel};
    random_times times;
    slow_problem problem;
    listing list;
    inlay_id named[CLUSTERS][2];
    inlay_id modules = (inlay_id)(1 + random_below(state, RANDOM_MODULES));
    inlay_app *app = random_app(state, modules, features[random_below(state, 4)], &times);
    inlay_machine *machine = NULL;

    ck_assert_int_eq(inlay_machine_parse(text, &machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_app_write(app, subject_app(), "dot", NULL), INLAY_OK);
    if (write_as_method(state, app, text, &options)) {
        slow_read(app, machine, &options, &problem);
        read_listing(app, &list);
        named_pairs(app, named);
        compare(&problem, &list, parallel == INLAY_PARALLEL_LEVEL, named, counts);
    }
    inlay_machine_free(machine);
    inlay_app_free(app);
}

START_TEST(finds_parallel_modules)
{
    uint64_t state = (uint64_t)_i;
    int counts[2] = {0, 0};
    for (int draw = 0; draw < DRAWS; draw++)
        compare_draw(&state, _i == 0 ? INLAY_PARALLEL_LEVEL : INLAY_PARALLEL_OVERLAP, counts);
    ck_assert_int_gt(counts[false], DRAWS / 10);
    ck_assert_int_gt(counts[true], DRAWS / 10);
}
END_TEST

Suite *suite_check_apart(void)
{
    Suite *suite = suite_create("check_apart");
    TCase *tests = tcase_create("check_apart");
    tcase_add_checked_fixture(tests, subject_set_up, subject_tear_down);
    tcase_add_loop_test(tests, finds_parallel_modules, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

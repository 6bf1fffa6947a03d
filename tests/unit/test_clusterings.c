/*
 * Clusterings that become schedules by a list, and block-cyclic, by hand: each step as the rule of its file asks for, messages of one tick each
 * on a bus, which nobody else uses. Every cluster has a processor of its own.
 */
#include "check_subject.h"
#include "random_app.h"
#include "unit.h"
#include <inlay/generate.h>
#include <inlay/mapping.h>
#include <inlay/simulate.h>

#include <stdio.h>
#include <string.h>

typedef struct by_hand {
    const char *method, *machine, *modules;
    int processor[8];
    double start[8];
} by_hand;

static const by_hand examples[] = {
    /*
     * Ranks A 9, B 8, C 1. A begins a cluster, and C waits for B alone now: its data from A would be there at 8. B has a way of 8,
     * C one of 9; B begins a cluster. C behind A would wait for the data of B, until 7. B has no other successor, and comes
     * behind A too, until 4: C starts then.
     */
    {"dsc",
     "bus:4",
     "A [time=2]; B [time=2]; C [time=1]; A -> C [messages=6]; B -> C [messages=5];",
     {0, 0, 0},
     {0, 2, 4}},
    /*
     * Ranks S 14, W 7, F 6, Z 5. S begins a cluster; F would start at 3, Z at 9. F has the longest way of those that are ready, 9,
     * and would start at 1 behind S. But Z, which waits for W, has a way of 14, and would start sooner behind S, too: F
     * begins a cluster. So does W. Z goes behind S at 2, when the data of W are there.
     */
    {"dsc",
     "bus:4",
     "S [time=1]; W [time=1]; F [time=6]; Z [time=5]; S -> F [messages=2]; S -> Z [messages=8]; W -> Z [messages=1];",
     {0, 1, 2, 0},
     {0, 0, 3, 2}},
    /* As many arrive at once as are moved: A ends at 2, and one of B and C behind it at 4, when the other's data are there. */
    {"dsc",
     "bus:4",
     "A [time=2]; B [time=2]; C [time=2]; D [time=1]; A -> D [messages=6]; B -> D [messages=5]; C -> D [messages=2];",
     {0, 0, 1, 0},
     {0, 2, 0, 4}},
    /*
     * Ranks A 14, C 9, B 7, D 1; apart the whole takes 14. C -> D as one: 13. A -> B, too: 9. A -> C would make it 10, B -> D
     * as well.
     */
    {"sarkar",
     "bus:4",
     "A [time=2]; B [time=4]; C [time=3]; D [time=1]; A -> B [messages=4]; A -> C [messages=3]; B -> D [messages=2];"
     " C -> D [messages=5];",
     {0, 0, 1, 1},
     {0, 2, 5, 8}},
    /*
     * A part is at most 60 / 4 / 3 = 5 long. Ranks Z 54, A 12, B 6, D 3, C 1. Z is a part. A makes B and C ready, and sends B more;
     * B makes D ready, which A and B together send 3, more than C. C has no room: it is a part.
     */
    {"acyclic",
     "bus:3",
     "A [time=1]; B [time=1]; C [time=1]; D [time=3]; Z [time=54]; A -> B [messages=5]; A -> C [messages=2];"
     " A -> D [messages=1]; B -> D [messages=2];",
     {1, 1, 2, 1, 0},
     {0, 1, 3, 2, 0}},
    /* Rows 4, 2, 2 and 0, columns 1, 3, 2 and 0, on two rows of three processors; the last is on the diagonal. */
    {"block-cyclic",
     "bus:6",
     "G_4_1_7 [time=1]; \"u(2,3)\" [time=1]; U2x2 [time=1]; P0 [time=1];",
     {1, 0, 2, 0},
     {0, 0, 0, 1}},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

START_TEST(as_by_hand)
{
    const by_hand *e = &examples[_i];
    const inlay_options options = {.method = inlay_method_named(e->method)};
    const inlay_simulation_options alone = {.contention = INLAY_CONTENTION_NONE, .record = true};
    char text[1000];
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_simulation *run = NULL;
    snprintf(text, sizeof text, "digraph a { graph [time_unit=tick]; %s }", e->modules);
    inlay_app *app = subject_read(text);
    snprintf(text, sizeof text, "%s,capacity=1msg/tick", e->machine);
    ck_assert_int_eq(inlay_machine_parse(text, &machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_simulate(mapping, &alone, &run, NULL), INLAY_OK);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        int at = inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, i)).processor;
        ck_assert_msg(at == e->processor[i], "%s: %s is on %d, expected %d", e->method, inlay_app_module_name(app, i),
                      at, e->processor[i]);
        ck_assert_double_eq(inlay_simulation_start(run, i), e->start[i]);
    }
    inlay_simulation_free(run);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
}
END_TEST

/* ---- Partitions ---- */

#ifdef INLAY_METIS
enum { METIS_IS_IN = 1 };
#else
enum { METIS_IS_IN = 0 };
#endif
#ifdef INLAY_SCOTCH
enum { SCOTCH_IS_IN = 1 };
#else
enum { SCOTCH_IS_IN = 0 };
#endif

static const struct library {
    const char *method, *package;
    bool is_in;
} libraries[] = {{"metis", "METIS; expected its library (Debian: libmetis-dev)", METIS_IS_IN},
                 {"scotch", "Scotch; expected its library (Debian: libscotch-dev)", SCOTCH_IS_IN},
                 {"multilevel", "", true}};

enum { SIDE = 6, LIBRARIES = sizeof libraries / sizeof *libraries };

/** Four groups of modules with much traffic inside, and a message from each to the next. */
static inlay_app *read_groups(bool pinned)
{
    char text[8000];
    size_t used = (size_t)snprintf(text, sizeof text, "digraph a { graph [time_unit=tick];\n");
    for (int group = 0; group < 4; group++)
        for (int i = 0; i < SIDE; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "g%d_%d [time=5%s];\n", group, i,
                                     pinned && group == 0 && i == 0 ? ", pin=1" : "");
            for (int j = i + 1; j < SIDE; j++)
                used += (size_t)snprintf(text + used, sizeof text - used, "g%d_%d -> g%d_%d [messages=9];\n", group, i,
                                         group, j);
            if (i == 0 && group > 0)
                used += (size_t)snprintf(text + used, sizeof text - used, "g%d_%d -> g%d_0 [messages=1];\n", group - 1,
                                         SIDE - 1, group);
        }
    snprintf(text + used, sizeof text - used, "}\n");
    return subject_read(text);
}

static int processor_of(const inlay_mapping *mapping, inlay_id module)
{
    return inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, module)).processor;
}

/** Each group is together and, on as many processors, apart from the others; pinned ones where they are pinned. */
START_TEST(groups_stay_together)
{
    const struct library *library = &libraries[_i % LIBRARIES];
    const inlay_options options = {.method = inlay_method_named(library->method)};
    inlay_id processors = _i / LIBRARIES % 2 ? 4 : 2;
    bool pinned = _i / LIBRARIES / 2;
    char text[100];
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = read_groups(pinned);
    snprintf(text, sizeof text, "bus:%d,capacity=1msg/tick", processors);
    ck_assert_int_eq(inlay_machine_parse(text, &machine, NULL), INLAY_OK);
    int status = inlay_map(app, machine, &options, &mapping, diag);
    ck_assert_int_eq(status, library->is_in ? INLAY_OK : INLAY_BAD_ARGUMENT);
    snprintf(text, sizeof text, "Inlay was built without %s when Inlay is built", library->package);
    if (!library->is_in) ck_assert_str_eq(inlay_diag_message(diag), text);
    for (inlay_id i = 0; mapping && i < 4 * SIDE; i++) {
        inlay_id first = i / SIDE * SIDE;
        ck_assert_int_eq(processor_of(mapping, i), processor_of(mapping, first));
        for (inlay_id other = 0; other < first && processors == 4; other += SIDE)
            ck_assert_int_ne(processor_of(mapping, other), processor_of(mapping, first));
    }
    if (mapping) ck_assert_int_eq(inlay_mapping_summary(mapping)->processors, processors);
    if (mapping && pinned) ck_assert_int_eq(processor_of(mapping, 0), 1);
    if (mapping) ck_assert_int_eq(inlay_mapping_summary(mapping)->clusters, processors);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_diag_free(diag);
    inlay_app_free(app);
}
END_TEST

enum { CUTS = 200, MODULES = 12, SIDES = 1 << MODULES };

/** What goes between the modules whose bits are set and the others. */
static int64_t cut_of(const int64_t traffic[MODULES][MODULES], unsigned side)
{
    int64_t cut = 0;
    for (int i = 0; i < MODULES; i++)
        for (int j = 0; j < i; j++)
            cut += (side >> i & 1) != (side >> j & 1) ? traffic[j][i] : 0;
    return cut;
}

/** The least traffic between two sides of modules of equal times, the one of 5 to 7. */
static int64_t least_cut(const int64_t traffic[MODULES][MODULES])
{
    int64_t least = INT64_MAX;
    for (unsigned side = 0; side < SIDES; side++) {
        int size = __builtin_popcount(side);
        int64_t cut = size >= MODULES / 2 - 1 && size <= MODULES / 2 + 1 ? cut_of(traffic, side) : INT64_MAX;
        least = cut < least ? cut : least;
    }
    return least;
}

/** On two processors, beside all ways to divide: never out of balance by more than a module, nearly always the least traffic. */
START_TEST(as_little_traffic_as_any)
{
    const inlay_options options = {.method = inlay_method_named("multilevel")};
    inlay_machine *machine = NULL;
    int found = 0;
    ck_assert_int_eq(inlay_machine_parse("bus:2,capacity=1msg/tick", &machine, NULL), INLAY_OK);
    for (uint64_t seed = 1; seed <= CUTS; seed++) {
        uint64_t state = seed;
        int64_t traffic[MODULES][MODULES] = {0};
        char text[8000];
        size_t used = (size_t)snprintf(text, sizeof text, "digraph a { graph [time_unit=tick];\n");
        for (int i = 0; i < MODULES; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "m%d [time=1];\n", i);
            for (int j = 0; j < i; j++) {
                if (random_below(&state, 3) > 0) continue;
                traffic[j][i] = 1 + random_below(&state, 9);
                used += (size_t)snprintf(text + used, sizeof text - used, "m%d -> m%d [messages=%d];\n", j, i,
                                         (int)traffic[j][i]);
            }
        }
        snprintf(text + used, sizeof text - used, "}\n");
        inlay_app *app = subject_read(text);
        inlay_mapping *mapping = NULL;
        ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, NULL), INLAY_OK);
        unsigned side = 0;
        for (inlay_id i = 0; i < MODULES; i++)
            side |= (unsigned)processor_of(mapping, i) << i;
        int size = __builtin_popcount(side);
        ck_assert_int_ge(size, MODULES / 2 - 1);
        ck_assert_int_le(size, MODULES / 2 + 1);
        found += cut_of(traffic, side) == least_cut(traffic);
        inlay_mapping_free(mapping);
        inlay_app_free(app);
    }
    inlay_machine_free(machine);
    ck_assert_int_ge(found, CUTS * 9 / 10);
}
END_TEST

/** Method best leaves out what depends on what is installed, and what never helps it. */
START_TEST(by_name_alone)
{
    static const char *const names[] = {"dsc", "metis", "scotch"};
    for (size_t i = 0; i < inlay_methods(); i++) {
        const inlay_method *method = inlay_method_at(i);
        bool named = false;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            named = named || strcmp(method->name, names[k]) == 0;
        ck_assert_int_eq(method->by_name, named);
    }
}
END_TEST

/* ---- What has no answer ---- */

static void expect_refusal(const char *method, inlay_app *app, const char *words)
{
    const inlay_options options = {.method = inlay_method_named(method)};
    inlay_diag *diag = inlay_diag_new();
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    ck_assert_int_eq(inlay_machine_parse("bus:4", &machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, diag), INLAY_BAD_ARGUMENT);
    ck_assert_str_eq(inlay_diag_message(diag), words);
    inlay_diag_free(diag);
    inlay_machine_free(machine);
    inlay_app_free(app);
}

START_TEST(names_without_coordinates)
{
    expect_refusal("block-cyclic", subject_read("digraph a { graph [time_unit=tick]; m1 [time=1]; m2 [time=1]; }"),
                   "no module has two numbers in its name; expected names with row and column, such as gemm_4_2, or "
                   "another method");
    expect_refusal("block-cyclic", subject_read("digraph a { graph [time_unit=tick]; m1_2 [time=1]; m [time=1]; }"),
                   "the name of module 'm' has no number; expected names with row and column, such as gemm_4_2, or "
                   "another method");
}
END_TEST

START_TEST(too_many_links_for_trials)
{
    inlay_app *app = NULL;
    const inlay_generator_options options = {.kind = "fork-join",
                                             .sizes = {[INLAY_SIZE_STEPS] = 5, [INLAY_SIZE_WIDTH] = 5001}};
    ck_assert_int_eq(inlay_generate(&options, &app, NULL), INLAY_OK);
    expect_refusal("sarkar", app,
                   "method sarkar looks at all links for each of them, and at most 50000; the application has 50010; "
                   "expected another method, such as dsc");
}
END_TEST

Suite *suite_clusterings(void)
{
    Suite *suite = suite_create("clusterings");
    TCase *hand = tcase_create("hand"), *refused = tcase_create("refused"), *parts = tcase_create("parts");
    tcase_add_checked_fixture(hand, subject_set_up, subject_tear_down);
    tcase_add_loop_test(hand, as_by_hand, 0, EXAMPLES);
    tcase_add_checked_fixture(parts, subject_set_up, subject_tear_down);
    tcase_add_loop_test(parts, groups_stay_together, 0, 4 * LIBRARIES);
    tcase_add_test(parts, as_little_traffic_as_any);
    tcase_add_test(parts, by_name_alone);
    suite_add_tcase(suite, parts);
    tcase_add_checked_fixture(refused, subject_set_up, subject_tear_down);
    tcase_add_test(refused, names_without_coordinates);
    tcase_add_test(refused, too_many_links_for_trials);
    suite_add_tcase(suite, hand);
    suite_add_tcase(suite, refused);
    return suite;
}

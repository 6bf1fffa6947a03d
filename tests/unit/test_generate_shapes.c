/* Generated trees, fork-join graphs, random graphs and workflows: the properties that make them what they are. */
#include "test_generate.h"
#include <math.h>

/* ---- Trees and fork-join ---- */

static inlay_app *tree(const char *kind, int levels, int degree)
{
    inlay_generator_options options = {
        .kind = kind, .sizes = {[INLAY_SIZE_LEVELS] = levels, [INLAY_SIZE_DEGREE] = degree, [INLAY_SIZE_BYTES] = 77}};
    return generated(&options);
}

/* Levels of the graph, and how many modules each has; the caller frees the counts. */
static int32_t *level_sizes(const inlay_app *app, int32_t *level, int32_t *depth)
{
    ck_assert_int_eq(inlay_app_levels(app, level, NULL), INLAY_OK);
    inlay_id n = inlay_app_modules(app);
    int32_t *sizes = calloc((size_t)n, sizeof *sizes);
    ck_assert_ptr_nonnull(sizes);
    *depth = 0;
    for (inlay_id i = 0; i < n; i++) {
        sizes[level[i]]++;
        *depth = level[i] >= *depth ? level[i] + 1 : *depth;
    }
    return sizes;
}

static void expect_tree(int levels, int degree, bool in)
{
    inlay_app *app = tree(in ? "in-tree" : "out-tree", levels, degree);
    inlay_id n = inlay_app_modules(app);
    int32_t *level = calloc((size_t)n, sizeof *level);
    int32_t depth;
    int32_t *sizes = level_sizes(app, level, &depth);
    ck_assert_int_eq(depth, levels);
    ck_assert_int_eq(inlay_app_links(app), n - 1);
    int32_t width = 1;
    for (int l = 0; l < levels; l++, width *= degree) {
        ck_assert_int_eq(sizes[in ? levels - 1 - l : l], width);
    }
    for (inlay_id i = 0; i < n; i++) {
        inlay_links out = inlay_app_out(app, i);
        bool leaf = level[i] == (in ? 0 : levels - 1);
        bool root = level[i] == (in ? levels - 1 : 0);
        ck_assert_int_eq(in ? inputs(app, i) : out.count, leaf ? 0 : degree);
        ck_assert_int_eq(in ? out.count : inputs(app, i), root ? 0 : 1);
        ck_assert_int_eq(inlay_app_time(app, i), 1000);
        for (int64_t l = 0; l < out.count; l++) {
            ck_assert_int_eq(out.bytes[l], 77);
        }
    }
    free(level);
    free(sizes);
    inlay_app_free(app);
}

START_TEST(trees)
{
    for (int degree = 1; degree <= 4; degree++) {
        for (int levels = 1; levels <= 6; levels++) {
            expect_tree(levels, degree, false);
            expect_tree(levels, degree, true);
        }
    }
}
END_TEST

START_TEST(fork_join)
{
    for (int width = 1; width <= 6; width++) {
        for (int steps = 1; steps <= 5; steps++) {
            inlay_generator_options options = {.kind = "fork-join",
                                               .sizes = {[INLAY_SIZE_WIDTH] = width, [INLAY_SIZE_STEPS] = steps}};
            inlay_app *app = generated(&options);
            ck_assert_int_eq(inlay_app_modules(app), steps * (width + 1) + 1);
            ck_assert_int_eq(inlay_app_links(app), 2 * steps * width);
            for (int s = 0; s < steps; s++) {
                inlay_id fork = module_named(app, "hub_%d", s), join = module_named(app, "hub_%d", s + 1);
                ck_assert_str_eq(inlay_app_module_kind(app, fork), "hub");
                for (int i = 0; i < width; i++) {
                    inlay_id branch = module_named(app, "branch_%d_%d", s, i);
                    ck_assert_str_eq(inlay_app_module_kind(app, branch), "branch");
                    ck_assert_int_ge(link_place(app, fork, branch), 0);
                    ck_assert_int_ge(link_place(app, branch, join), 0);
                }
            }
            inlay_app_free(app);
        }
    }
}
END_TEST

/* ---- Random graphs ---- */

/* So many trials of probability p, `hits` of which came: within three standard errors. */
static void expect_hits(double hits, double trials, double p, const char *what)
{
    double error = sqrt(trials * p * (1 - p));
    ck_assert_msg(fabs(hits - trials * p) <= 3 * error, "%s: %g of %g, expected %g within %g", what, hits, trials,
                  trials * p, 3 * error);
}

static inlay_app *erdos_renyi(int modules, double density, uint64_t seed)
{
    inlay_generator_options options = {.kind = "erdos-renyi",
                                       .sizes = {[INLAY_SIZE_MODULES] = modules},
                                       .has_density = true,
                                       .density = density,
                                       .seed = seed};
    return generated(&options);
}

/* Every pair is a trial: all of them, near ones and far ones, and those of each single origin. */
static void expect_erdos_renyi(int n, double p, uint64_t seed)
{
    inlay_app *app = erdos_renyi(n, p, seed);
    double near = 0, worst = 0;
    for (inlay_id i = 0; i < n; i++) {
        inlay_links out = inlay_app_out(app, i);
        double trials = n - 1 - i;
        for (int64_t l = 0; l < out.count; l++) {
            ck_assert_int_gt(out.module[l], i);
            near += out.module[l] - i <= n / 2;
        }
        double error = sqrt(trials * p * (1 - p));
        worst = fmax(worst, error > 2 ? fabs((double)out.count - trials * p) / error : 0);
    }
    double pairs = n * (n - 1) / 2.0;
    double far_pairs = (n - n / 2) * (n - n / 2 - 1) / 2.0;
    expect_hits((double)inlay_app_links(app), pairs, p, "links");
    expect_hits(near, pairs - far_pairs, p, "links to near modules");
    ck_assert_double_le(worst, 5);
    inlay_app_free(app);
}

START_TEST(erdos_renyi_links)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        expect_erdos_renyi(300, 0.05, seed);
        expect_erdos_renyi(300, 0.5, seed);
        expect_erdos_renyi(2000, 0.001, seed);
    }
    inlay_app *none = erdos_renyi(50, 0, 1), *all = erdos_renyi(50, 1, 1);
    ck_assert_int_eq(inlay_app_links(none), 0);
    ck_assert_int_eq(inlay_app_links(all), 50 * 49 / 2);
    inlay_app_free(none);
    inlay_app_free(all);
}
END_TEST

static void expect_layered(int levels, int width, int degree, uint64_t seed)
{
    inlay_generator_options options = {
        .kind = "layered",
        .sizes = {[INLAY_SIZE_LEVELS] = levels, [INLAY_SIZE_WIDTH] = width, [INLAY_SIZE_DEGREE] = degree},
        .seed = seed};
    inlay_app *app = generated(&options);
    inlay_id n = inlay_app_modules(app);
    ck_assert_int_eq(n, levels * width);
    int32_t *level = calloc((size_t)n, sizeof *level);
    ck_assert_int_eq(inlay_app_levels(app, level, NULL), INLAY_OK);
    double lower_half = 0;
    for (inlay_id i = 0; i < n; i++) {
        int64_t count;
        const inlay_id *from = inlay_app_predecessors(app, i, &count);
        ck_assert_int_eq(level[i], i / width);
        ck_assert_int_eq(count > 0, level[i] > 0);
        for (int64_t l = 0; l < count; l++) {
            ck_assert_int_eq(level[from[l]], level[i] - 1);
            ck_assert(l == 0 || from[l] > from[l - 1]);
            lower_half += from[l] % width < width / 2;
        }
    }
    double modules = (levels - 1) * width;
    double links = (double)inlay_app_links(app);
    double p = width > 1 ? (degree - 1.0) / (width - 1) : 0;
    expect_hits(links - modules, modules * (width - 1), p, "further inputs");
    if (width % 2 == 0 && degree < width) {
        expect_hits(lower_half, links, 0.5, "inputs from the first half of a layer");
    }
    free(level);
    inlay_app_free(app);
}

START_TEST(layered_links)
{
    for (uint64_t seed = 4; seed < 8; seed++) {
        expect_layered(40, 20, 3, seed);
        expect_layered(100, 50, 1, seed);
        expect_layered(5, 8, 8, seed);
        expect_layered(9, 1, 1, seed);
    }
}
END_TEST

/*
 * Takes a two-terminal graph back to one link: drops a link beside another, and joins the two links of a module that has
 * no others. Only series-parallel graphs come down to one link (Valdes, Tarjan and Lawler 1982).
 */
static int64_t reduced_links(const inlay_app *app)
{
    inlay_id n = inlay_app_modules(app);
    char *linked = calloc((size_t)n * (size_t)n, 1);
    ck_assert_ptr_nonnull(linked);
    for (inlay_id i = 0; i < n; i++) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            linked[i * n + out.module[l]] = 1;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (inlay_id v = 1; v < n - 1; v++) {
            inlay_id before = -1, behind = -1, degree = 0;
            for (inlay_id i = 0; i < n; i++) {
                before = linked[i * n + v] ? i : before;
                behind = linked[v * n + i] ? i : behind;
                degree += linked[i * n + v] + linked[v * n + i];
            }
            if (degree == 2 && before >= 0 && behind >= 0) {
                linked[before * n + v] = linked[v * n + behind] = 0;
                linked[before * n + behind] = 1;
                changed = true;
            }
        }
    }
    int64_t left = 0;
    for (inlay_id i = 0; i < n * n; i++) {
        left += linked[i];
    }
    free(linked);
    return left;
}

START_TEST(series_parallel_reduces)
{
    static const double densities[] = {0, 0.3, 0.5, 1};
    for (inlay_id n = 2; n <= 150; n += n < 10 ? 1 : 35) {
        for (uint64_t seed = 0; seed < 8; seed++) {
            double p = densities[seed % 4];
            inlay_generator_options options = {.kind = "series-parallel",
                                               .sizes = {[INLAY_SIZE_MODULES] = n},
                                               .has_density = true,
                                               .density = p,
                                               .seed = seed};
            inlay_app *app = generated(&options);
            ck_assert_int_eq(inlay_app_modules(app), n);
            ck_assert_int_eq(reduced_links(app), 1);
            expect_hits((double)inlay_app_links(app) - 1 - (n - 2), n - 2, p, "ways beside a link");
            inlay_app_free(app);
        }
    }
}
END_TEST

/* The recogniser itself finds a graph that is not series-parallel: a bridge between two ways. */
START_TEST(recogniser_objects)
{
    inlay_app_builder *builder = inlay_app_builder_new("bridge", INLAY_UNIT_TICK);
    static const inlay_id links[5][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
    inlay_app *app = NULL;
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", i);
        inlay_module module = {.name = name};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(inlay_app_add_link(builder, links[i][0], links[i][1], 1, 0, 0, NULL), INLAY_OK);
    }
    ck_assert_int_eq(inlay_app_build(builder, &app, NULL), INLAY_OK);
    ck_assert_int_eq(reduced_links(app), 5);
    inlay_app_free(app);
    inlay_app_builder_free(builder);
}
END_TEST

/* ---- Workflows ---- */

/* Predecessors of one kind; NULL: of any. */
static int64_t inputs_of_kind(const inlay_app *app, inlay_id module, const char *kind)
{
    int64_t count, of_kind = 0;
    const inlay_id *from = inlay_app_predecessors(app, module, &count);
    for (int64_t i = 0; i < count; i++) {
        of_kind += kind == NULL || strcmp(inlay_app_module_kind(app, from[i]), kind) == 0;
    }
    return of_kind;
}

typedef struct rule {
    const char *kind;
    int64_t count; /* modules of the kind */
    struct {
        const char *kind;
        int64_t count; /* links into each of them from that kind */
    } from[2];
} rule;

static void expect_rules(const inlay_app *app, const rule *rules, size_t count)
{
    int64_t modules = 0;
    for (size_t r = 0; r < count; r++) {
        int64_t found = 0, all = 0;
        for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
            if (strcmp(inlay_app_module_kind(app, i), rules[r].kind) != 0) {
                continue;
            }
            all = 0;
            for (int f = 0; f < 2 && rules[r].from[f].kind != NULL; f++) {
                ck_assert_int_eq(inputs_of_kind(app, i, rules[r].from[f].kind), rules[r].from[f].count);
                all += rules[r].from[f].count;
            }
            ck_assert_int_eq(inputs_of_kind(app, i, NULL), all);
            found++;
        }
        ck_assert_msg(found == rules[r].count, "%s: %d modules", rules[r].kind, (int)found);
        modules += found;
    }
    ck_assert_int_eq(inlay_app_modules(app), modules);
}

/* Overlaps of images on a grid of n x n, counted pair by pair; every pair must have its module. */
static int64_t find_overlaps(const inlay_app *app, int n)
{
    int64_t overlaps = 0;
    for (int a = 0; a < n * n; a++) {
        for (int b = a + 1; b < n * n; b++) {
            if (abs(a / n - b / n) <= 1 && abs(a % n - b % n) <= 1) {
                inlay_id difference = module_named(app, "mDiffFit_%d_%d", a, b);
                ck_assert_int_ge(link_place(app, a, difference), 0);
                ck_assert_int_ge(link_place(app, b, difference), 0);
                overlaps++;
            }
        }
    }
    return overlaps;
}

START_TEST(montage)
{
    int n = _i, images = n * n;
    inlay_generator_options options = {.kind = "montage", .sizes = {[INLAY_SIZE_SIZE] = n}};
    inlay_app *app = generated(&options);
    int64_t overlaps = find_overlaps(app, n);
    rule rules[] = {{"mProject", images, {{0}}},
                    {"mDiffFit", overlaps, {{"mProject", 2}}},
                    {"mConcatFit", 1, {{"mDiffFit", overlaps}}},
                    {"mBgModel", 1, {{"mConcatFit", 1}}},
                    {"mBackground", images, {{"mProject", 1}, {"mBgModel", 1}}},
                    {"mImgtbl", 1, {{"mBackground", images}}},
                    {"mAdd", 1, {{"mBackground", images}, {"mImgtbl", 1}}},
                    {"mShrink", 1, {{"mAdd", 1}}},
                    {"mJPEG", 1, {{"mShrink", 1}}}};
    expect_rules(app, rules, sizeof rules / sizeof *rules);
    for (int i = 0; i < images; i++) {
        ck_assert_int_ge(link_place(app, module_named(app, "mProject_%d", i), module_named(app, "mBackground_%d", i)),
                         0);
    }
    inlay_app_free(app);
}
END_TEST

static void expect_lanes(int lanes, int chunks)
{
    static const char *const chain[] = {"fastQSplit_%d",   "filterContams_%d_%d", "sol2sanger_%d_%d",
                                        "fastq2bfq_%d_%d", "map_%d_%d",           "mapMerge_%d"};
    inlay_generator_options options = {.kind = "epigenomics",
                                       .sizes = {[INLAY_SIZE_SIZE] = lanes, [INLAY_SIZE_WIDTH] = chunks}};
    inlay_app *app = generated(&options);
    int64_t links = 0;
    for (int lane = 0; lane < lanes; lane++) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            for (int step = 1; step < 6; step++, links++) {
                char from[64], to[64];
                snprintf(from, sizeof from, chain[step - 1], lane, chunk); // NOLINT: formats of the table above
                snprintf(to, sizeof to, chain[step], lane, chunk);         // NOLINT
                ck_assert_int_ge(link_place(app, module_named(app, "%s", from), module_named(app, "%s", to)), 0);
            }
        }
    }
    for (int lane = 0; lanes > 1 && lane < lanes; lane++, links++) {
        inlay_id merge = module_named(app, "mapMerge_%d", lanes);
        ck_assert_int_ge(link_place(app, module_named(app, "mapMerge_%d", lane), merge), 0);
    }
    inlay_id last = module_named(app, "mapMerge_%d", lanes > 1 ? lanes : 0);
    ck_assert_int_ge(link_place(app, last, module_named(app, "maqIndex")), 0);
    ck_assert_int_ge(link_place(app, module_named(app, "maqIndex"), module_named(app, "pileup")), 0);
    ck_assert_int_eq(inlay_app_links(app), links + 2);
    ck_assert_int_eq(inlay_app_modules(app), lanes * (4 * chunks + 2) + (lanes > 1) + 2);
    inlay_app_free(app);
}

START_TEST(epigenomics)
{
    for (int lanes = 1; lanes <= 4; lanes++) {
        for (int chunks = 1; chunks <= 6; chunks++) {
            expect_lanes(lanes, chunks);
        }
    }
}
END_TEST

START_TEST(cybershake)
{
    int sites = _i, ruptures = 3 * sites;
    inlay_generator_options options = {.kind = "cybershake",
                                       .sizes = {[INLAY_SIZE_SIZE] = sites, [INLAY_SIZE_WIDTH] = 3}};
    inlay_app *app = generated(&options);
    rule rules[] = {{"ExtractSGT", sites, {{0}}},
                    {"SeismogramSynthesis", ruptures, {{"ExtractSGT", 1}}},
                    {"PeakValCalc", ruptures, {{"SeismogramSynthesis", 1}}},
                    {"ZipSeis", 1, {{"SeismogramSynthesis", ruptures}}},
                    {"ZipPSA", 1, {{"PeakValCalc", ruptures}}}};
    expect_rules(app, rules, sizeof rules / sizeof *rules);
    for (int i = 0; i < ruptures; i++) {
        inlay_id synthesis = module_named(app, "SeismogramSynthesis_%d_%d", i / 3, i % 3);
        ck_assert_int_ge(link_place(app, module_named(app, "ExtractSGT_%d", i / 3), synthesis), 0);
        ck_assert_int_ge(link_place(app, synthesis, module_named(app, "PeakValCalc_%d_%d", i / 3, i % 3)), 0);
    }
    inlay_app_free(app);
}
END_TEST

/* Workflows have seconds by themselves: the recorded ones. */
START_TEST(workflows_in_seconds)
{
    inlay_generator_options options = {.kind = "montage"};
    inlay_app *app = generated(&options);
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_S);
    ck_assert_double_eq(inlay_app_in_units(app, inlay_app_time(app, module_named(app, "mProject_0"))), 13.575);
    ck_assert_double_eq(inlay_app_in_units(app, inlay_app_time(app, module_named(app, "mAdd"))), 0.6 * 25);
    ck_assert_double_eq(inlay_app_arithmetic(app, 0), 0);
    inlay_app_free(app);
}
END_TEST

Suite *suite_generate_shapes(void)
{
    Suite *suite = suite_create("generate_shapes");
    TCase *tests = tcase_create("generate_shapes");
    tcase_add_test(tests, trees);
    tcase_add_test(tests, fork_join);
    tcase_add_test(tests, erdos_renyi_links);
    tcase_add_test(tests, layered_links);
    tcase_add_test(tests, series_parallel_reduces);
    tcase_add_test(tests, recogniser_objects);
    tcase_add_loop_test(tests, montage, 2, 9);
    tcase_add_test(tests, epigenomics);
    tcase_add_loop_test(tests, cybershake, 1, 6);
    tcase_add_test(tests, workflows_in_seconds);
    suite_add_tcase(suite, tests);
    return suite;
}

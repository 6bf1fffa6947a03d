/*
 * Generated applications: every kind has as many modules and links as docs/generate.md says, the same options give the
 * same bytes, and times and traffic are scaled as asked. What is refused: test_generate_refusals.c.
 */
#include "test_generate.h"
#include <math.h>

/* ---- Counts ---- */

/* The formulas of docs/generate.md. */
typedef struct counted {
    double modules, links;
} counted;

typedef const int64_t sizes[INLAY_SIZES];

#define N(name) ((double)s[INLAY_SIZE_##name])

static counted cholesky(sizes s)
{
    return (counted){N(SIZE) * N(SIZE), 2 * N(SIZE) * (N(SIZE) - 1)};
}

static counted cholesky_tiles(sizes s)
{
    return (counted){N(TILES) * (N(TILES) + 1) * (N(TILES) + 2) / 6, (N(TILES) - 1) * N(TILES) * (N(TILES) + 1) / 2};
}

static counted lu_or_qr(sizes s)
{
    return (counted){N(TILES) * (N(TILES) + 1) * (2 * N(TILES) + 1) / 6,
                     (N(TILES) - 1) * N(TILES) * (2 * N(TILES) - 1) / 2 + N(TILES) * (N(TILES) - 1)};
}

static counted fft(sizes s)
{
    return (counted){2 * N(SIZE) - 1 + N(SIZE) * log2(N(SIZE)), 2 * N(SIZE) - 2 + 2 * N(SIZE) * log2(N(SIZE))};
}

static counted gauss(sizes s)
{
    return (counted){(N(SIZE) * N(SIZE) + N(SIZE) - 2) / 2, N(SIZE) * N(SIZE) - N(SIZE) - 1};
}

static counted stencil(sizes s)
{
    double blocks = pow(N(SIZE), N(DIMENSIONS));
    double faces = 2 * N(DIMENSIONS) * pow(N(SIZE), N(DIMENSIONS) - 1) * (N(SIZE) - 1);
    return (counted){N(STEPS) * blocks, (N(STEPS) - 1) * (blocks + faces)};
}

static counted wavefront(sizes s)
{
    return (counted){pow(N(SIZE), N(DIMENSIONS)), N(DIMENSIONS) * pow(N(SIZE), N(DIMENSIONS) - 1) * (N(SIZE) - 1)};
}

static counted tree(sizes s)
{
    double nodes = 0;
    for (int64_t l = 0; l < s[INLAY_SIZE_LEVELS]; l++) {
        nodes += pow(N(DEGREE), (double)l);
    }
    return (counted){nodes, nodes - 1};
}

static counted fork_join(sizes s)
{
    return (counted){N(STEPS) * (N(WIDTH) + 1) + 1, 2 * N(STEPS) * N(WIDTH)};
}

static counted montage(sizes s)
{
    return (counted){6 * N(SIZE) * N(SIZE) - 6 * N(SIZE) + 8, 16 * N(SIZE) * N(SIZE) - 18 * N(SIZE) + 10};
}

static counted epigenomics(sizes s)
{
    bool several = s[INLAY_SIZE_SIZE] > 1;
    return (counted){N(SIZE) * (4 * N(WIDTH) + 2) + 2 + several, 5 * N(SIZE) * N(WIDTH) + 2 + several * N(SIZE)};
}

static counted cybershake(sizes s)
{
    return (counted){N(SIZE) + 2 * N(SIZE) * N(WIDTH) + 2, 4 * N(SIZE) * N(WIDTH)};
}

/* The links of these are random: counted in test_generate_shapes.c. -1: not looked at. */
static counted given_modules(sizes s)
{
    return (counted){N(MODULES), -1};
}

static counted layered(sizes s)
{
    return (counted){N(LEVELS) * N(WIDTH), -1};
}

/* In the order of the table of kinds. */
static counted (*const formulas[])(sizes s) = {
    cholesky, cholesky_tiles, lu_or_qr,      lu_or_qr, fft,           gauss,   stencil,     wavefront, tree,
    tree,     fork_join,      given_modules, layered,  given_modules, montage, epigenomics, cybershake};

static void expect_counts(size_t kind, const inlay_generator_options *options)
{
    inlay_app *app = generated(options);
    counted expected = formulas[kind](options->sizes);
    ck_assert_msg(inlay_app_modules(app) == expected.modules, "%s: %d modules, not %g", options->kind,
                  inlay_app_modules(app), expected.modules);
    ck_assert_msg(expected.links < 0 || (double)inlay_app_links(app) == expected.links, "%s: %d links, not %g",
                  options->kind, (int)inlay_app_links(app), expected.links);
    inlay_app_free(app);
}

/* Values of a size to try: few where a kind has many sizes, so that all of them can be combined. */
static int64_t tried(const inlay_generator *kind, int size, int step)
{
    static const int64_t values[] = {1, 2, 3, 4, 8, 16};
    const inlay_size_range *range = &kind->sizes[size];
    int64_t value = values[step];
    return value < range->least ? range->least : (value > range->most ? range->most : value);
}

/* Whether the sizes go together: powers of two for fft, for layers a degree up to the width; and trees that are small. */
static bool go_together(const inlay_generator *kind, sizes s)
{
    bool power = (s[INLAY_SIZE_SIZE] & (s[INLAY_SIZE_SIZE] - 1)) == 0;
    bool has_width = kind->sizes[INLAY_SIZE_WIDTH].most > 0;
    return (strcmp(kind->name, "fft") != 0 || power) && (!has_width || s[INLAY_SIZE_DEGREE] <= s[INLAY_SIZE_WIDTH]) &&
           pow(N(DEGREE), N(LEVELS)) <= 1e5;
}

/* Every combination of the sizes from `size` on; work and bytes change no counts. */
static void try_sizes(size_t place, inlay_generator_options *options, int size)
{
    inlay_generator kind = inlay_generator_at(place);
    if (size == INLAY_SIZE_WORK) {
        if (go_together(&kind, options->sizes)) {
            expect_counts(place, options);
        }
        return;
    }
    for (int step = 0; step < 6 && (step == 0 || kind.sizes[size].most > 0); step++) {
        options->sizes[size] = kind.sizes[size].most > 0 ? tried(&kind, size, step) : 0;
        try_sizes(place, options, size + 1);
    }
}

START_TEST(counts)
{
    ck_assert_uint_eq(inlay_generators(), sizeof formulas / sizeof *formulas);
    inlay_generator_options options = {.kind = inlay_generator_at((size_t)_i).name};
    try_sizes((size_t)_i, &options, 0);
}
END_TEST

/* What a kind makes of itself without sizes has those that it tells. */
START_TEST(defaults)
{
    inlay_generator kind = inlay_generator_at((size_t)_i);
    inlay_generator_options given = {.kind = kind.name, .has_density = kind.density >= 0, .density = kind.density};
    for (int i = 0; i < INLAY_SIZES; i++) {
        given.sizes[i] = kind.sizes[i].initial;
        ck_assert_int_le(kind.sizes[i].least, kind.sizes[i].initial);
        ck_assert_int_le(kind.sizes[i].initial, kind.sizes[i].most);
    }
    expect_counts((size_t)_i, &given);
    inlay_app *app = generated(&given);
    ck_assert_int_eq(inlay_app_unit(app), kind.rate > 0 ? INLAY_UNIT_S : INLAY_UNIT_TICK);
    inlay_app_free(app);
}
END_TEST

/* ---- The finished application is what a builder makes of the same modules and links ---- */

static inlay_app *rebuilt(const inlay_app *app)
{
    inlay_app_builder *builder = inlay_app_builder_new(inlay_app_name(app), inlay_app_unit(app));
    inlay_app *made = NULL;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        int places = inlay_app_decimals(app);
        inlay_module module = {.name = inlay_app_module_name(app, i),
                               .time = {{inlay_app_time(app, i), places}, INLAY_UNIT_NONE},
                               .has_blocking = inlay_app_has_blocking(app),
                               .blocking = {{inlay_app_blocking(app, i), places}, INLAY_UNIT_NONE},
                               .arithmetic = inlay_app_arithmetic(app, i),
                               .kind = inlay_app_module_kind(app, i)};
        ck_assert_int_eq(inlay_app_add_module(builder, &module, NULL), INLAY_OK);
    }
    for (inlay_id i = inlay_app_modules(app) - 1; i >= 0; i--) {
        inlay_links out = inlay_app_out(app, i);
        for (int64_t l = 0; l < out.count; l++) {
            ck_assert_int_eq(
                inlay_app_add_link(builder, i, out.module[l], out.messages[l], out.bytes[l], out.flags[l], NULL),
                INLAY_OK);
        }
    }
    ck_assert_int_eq(inlay_app_build(builder, &made, NULL), INLAY_OK);
    inlay_app_builder_free(builder);
    return made;
}

static void expect_same_module(const inlay_app *a, const inlay_app *b, inlay_id i)
{
    ck_assert_str_eq(inlay_app_module_name(a, i), inlay_app_module_name(b, i));
    ck_assert_int_eq(inlay_app_find_module(a, inlay_app_module_name(b, i)), i);
    ck_assert_int_eq(inlay_app_time(a, i), inlay_app_time(b, i));
    ck_assert_int_eq(inlay_app_blocking(a, i), inlay_app_blocking(b, i));
    ck_assert_double_eq(inlay_app_arithmetic(a, i), inlay_app_arithmetic(b, i));
    const char *kind_a = inlay_app_module_kind(a, i), *kind_b = inlay_app_module_kind(b, i);
    ck_assert((kind_a == NULL) == (kind_b == NULL));
    ck_assert(kind_a == NULL || strcmp(kind_a, kind_b) == 0);
    inlay_links of_a = inlay_app_out(a, i), of_b = inlay_app_out(b, i);
    ck_assert_int_eq(of_a.count, of_b.count);
    size_t count = (size_t)of_a.count;
    ck_assert_mem_eq(of_a.module, of_b.module, count * sizeof *of_a.module);
    ck_assert_mem_eq(of_a.messages, of_b.messages, count * sizeof *of_a.messages);
    ck_assert_mem_eq(of_a.bytes, of_b.bytes, count * sizeof *of_a.bytes);
    ck_assert_mem_eq(of_a.flags, of_b.flags, count * sizeof *of_a.flags);
    int64_t in_a, in_b;
    const inlay_id *from_a = inlay_app_predecessors(a, i, &in_a), *from_b = inlay_app_predecessors(b, i, &in_b);
    ck_assert_int_eq(in_a, in_b);
    ck_assert_mem_eq(from_a, from_b, (size_t)in_a * sizeof *from_a);
}

START_TEST(like_a_builder_s)
{
    inlay_generator kind = inlay_generator_at((size_t)_i);
    inlay_generator_options options = {.kind = kind.name, .seed = 5};
    memcpy(options.sizes, (int64_t[INLAY_SIZES]){0}, sizeof options.sizes);
    for (int i = 0; i < INLAY_SIZES; i++) {
        options.sizes[i] = kind.sizes[i].initial;
    }
    for (int seconds = 0; seconds < 2; seconds++) {
        options.rate = seconds ? 3e6 : 0;
        inlay_app *app = generated(&options), *again = rebuilt(app);
        inlay_app_info info, info_again;
        ck_assert_str_eq(inlay_app_name(app), inlay_app_name(again));
        ck_assert_int_eq(inlay_app_unit(app), inlay_app_unit(again));
        ck_assert_int_eq(inlay_app_decimals(app), inlay_app_decimals(again));
        ck_assert_int_eq(inlay_app_modules(app), inlay_app_modules(again));
        ck_assert_int_eq(inlay_app_links(app), inlay_app_links(again));
        ck_assert_int_eq(inlay_app_has_blocking(app), inlay_app_has_blocking(again));
        ck_assert_int_eq(inlay_app_blocks(app), 0);
        ck_assert_int_eq(inlay_app_types(app), 0);
        ck_assert_int_eq(inlay_app_find_module(app, "nobody"), -1);
        for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
            expect_same_module(app, again, i);
        }
        ck_assert_int_eq(inlay_app_describe(app, &info, NULL), INLAY_OK);
        ck_assert_int_eq(inlay_app_describe(again, &info_again, NULL), INLAY_OK);
        ck_assert_int_eq(info.critical_path, info_again.critical_path);
        ck_assert_int_eq(info.exact_width, info_again.exact_width);
        inlay_app_free(app);
        inlay_app_free(again);
    }
}
END_TEST

/* ---- Random numbers ---- */

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * 1099511628211u;
}

/* A number for everything that was drawn. */
static uint64_t fingerprint(const inlay_generator_options *options)
{
    inlay_app *app = generated(options);
    uint64_t hash = 14695981039346656037u;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        mix(&hash, (uint64_t)inlay_app_time(app, i));
        for (int64_t l = 0; l < out.count; l++) {
            mix(&hash, (uint64_t)out.module[l]);
            mix(&hash, (uint64_t)(out.messages[l] + out.bytes[l]));
        }
    }
    inlay_app_free(app);
    return hash;
}

/* Written down once: every computer must draw the same. */
START_TEST(same_everywhere)
{
    static const struct {
        const char *kind;
        uint64_t seed, fingerprint;
    } known[] = {{"erdos-renyi", 0, UINT64_C(8301654379951717595)},
                 {"erdos-renyi", 1, UINT64_C(5320798710148424731)},
                 {"layered", 7, UINT64_C(11791844217765945863)},
                 {"series-parallel", UINT64_C(1) << 40, UINT64_C(12098361883289866369)},
                 {"fft", 3, UINT64_C(12608741958788654814)}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        inlay_generator_options options = {.kind = known[i].kind,
                                           .seed = known[i].seed,
                                           .heterogeneity = 0.7,
                                           .rate = 3e9,
                                           .has_ccr = true,
                                           .ccr = 0.3};
        uint64_t found = fingerprint(&options);
        ck_assert_msg(found == known[i].fingerprint, "%s: %llu", known[i].kind, (unsigned long long)found);
    }
}
END_TEST

START_TEST(seeds_matter)
{
    inlay_generator_options options = {.kind = "layered"};
    uint64_t first = fingerprint(&options);
    ck_assert(fingerprint(&options) == first);
    static const uint64_t seeds[] = {1, 2, UINT64_C(1) << 33};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        options.seed = seeds[i];
        ck_assert(fingerprint(&options) != first);
    }
}
END_TEST

/* ---- Times and traffic ---- */

START_TEST(heterogeneity)
{
    static const double spreads[] = {0.2, 1, 2};
    for (int i = 0; i < 3; i++) {
        double h = spreads[i], sum = 0;
        inlay_generator_options options = {.kind = "stencil",
                                           .sizes = {[INLAY_SIZE_SIZE] = 20, [INLAY_SIZE_STEPS] = 25},
                                           .heterogeneity = h,
                                           .seed = 11};
        inlay_app *app = generated(&options);
        inlay_id n = inlay_app_modules(app);
        double work = 64 * 64 * 9, least = INFINITY, most = 0;
        for (inlay_id m = 0; m < n; m++) {
            double factor = (double)inlay_app_time(app, m) / work;
            ck_assert_double_eq(inlay_app_arithmetic(app, m), work);
            sum += factor;
            least = fmin(least, factor);
            most = fmax(most, factor);
        }
        ck_assert_double_ge(least, 1 - h / 2 - 1 / work);
        ck_assert_double_le(most, 1 + h / 2 + 1 / work);
        ck_assert_double_le(least, 1 - 0.49 * h);
        ck_assert_double_ge(most, 1 + 0.49 * h);
        ck_assert_double_le(fabs(sum / n - 1), 3 * h / sqrt(12.0 * n));
        inlay_app_free(app);
    }
}
END_TEST

/* Heterogeneity is drawn behind the links: those stay. */
START_TEST(heterogeneity_keeps_links)
{
    inlay_generator_options options = {.kind = "erdos-renyi", .seed = 4};
    inlay_app *plain = generated(&options);
    options.heterogeneity = 1;
    inlay_app *varied = generated(&options);
    ck_assert_int_eq(inlay_app_links(plain), inlay_app_links(varied));
    for (inlay_id i = 0; i < inlay_app_modules(plain); i++) {
        inlay_links a = inlay_app_out(plain, i), b = inlay_app_out(varied, i);
        ck_assert_int_eq(a.count, b.count);
        ck_assert_mem_eq(a.module, b.module, (size_t)a.count * sizeof *a.module);
    }
    inlay_app_free(plain);
    inlay_app_free(varied);
}
END_TEST

/* What the links carry must be ccr x work x bandwidth, and each link its share of it. */
static void expect_ccr(inlay_generator_options options, double bandwidth)
{
    bool bytes = options.rate > 0;
    inlay_app *scaled = generated(&options);
    options.has_ccr = false;
    options.bandwidth = 0;
    inlay_app *plain = generated(&options);
    double work = 0, sum = 0, plain_sum = 0;
    inlay_id n = inlay_app_modules(plain);
    for (int pass = 0; pass < 2; pass++) {
        double wanted = options.ccr * work * bandwidth;
        for (inlay_id i = 0; i < n; i++) {
            inlay_links a = inlay_app_out(plain, i), b = inlay_app_out(scaled, i);
            const int64_t *before = bytes ? a.bytes : a.messages, *after = bytes ? b.bytes : b.messages;
            ck_assert_mem_eq(bytes ? a.messages : a.bytes, bytes ? b.messages : b.bytes,
                             (size_t)a.count * sizeof *a.bytes);
            work += pass == 0 ? inlay_app_in_units(plain, inlay_app_time(plain, i)) : 0;
            for (int64_t l = 0; l < a.count; l++) {
                sum += pass == 0 ? (double)after[l] : 0;
                plain_sum += pass == 0 ? (double)before[l] : 0;
                ck_assert(pass == 0 || fabs((double)after[l] - (double)before[l] * wanted / plain_sum) <= 1.001);
            }
        }
    }
    ck_assert_double_le(fabs(sum - options.ccr * work * bandwidth), 0.5 + 1e-9 * sum);
    inlay_app_free(plain);
    inlay_app_free(scaled);
}

START_TEST(ccr)
{
    static const double ratios[] = {0, 0.001, 0.5, 10};
    static const char *const kinds[] = {"fft", "cholesky", "layered", "lu"};
    for (int i = 0; i < 16; i++) {
        inlay_generator_options options = {
            .kind = kinds[i % 4], .has_ccr = true, .ccr = ratios[i / 4], .seed = 3, .rate = 0};
        expect_ccr(options, 1);
        options.bandwidth = 0.25;
        expect_ccr(options, 0.25);
        if (i % 4 == 1) {
            continue; /* the paper's graph counts messages alone */
        }
        options.rate = 1e6;
        expect_ccr(options, 0.25);
        options.bandwidth = 0;
        expect_ccr(options, 1e9);
    }
}
END_TEST

/* A rate gives seconds to the picosecond, or as fine as the sum of all times allows. */
START_TEST(decimals)
{
    inlay_generator_options options = {.kind = "out-tree", .sizes = {[INLAY_SIZE_WORK] = 2}, .rate = 3};
    inlay_app *app = generated(&options);
    ck_assert_int_eq(inlay_app_decimals(app), 12);
    ck_assert_int_eq(inlay_app_time(app, 0), INT64_C(666666666667));
    inlay_app_free(app);
    options.rate = 3e-6; /* 31 modules of 666666.67 s */
    app = generated(&options);
    ck_assert_int_eq(inlay_app_decimals(app), 11);
    ck_assert_int_le(llabs(inlay_app_time(app, 0) - INT64_C(66666666666666667)), 8); /* 53 binary digits */
    inlay_app_free(app);
}
END_TEST

/* A million modules: the graph for which speed is measured. */
START_TEST(million_modules)
{
    inlay_generator_options options = {.kind = "cholesky", .sizes = {[INLAY_SIZE_TILES] = 200}};
    inlay_app *app = generated(&options);
    ck_assert_int_eq(inlay_app_modules(app), 1353400);
    ck_assert_int_eq(inlay_app_links(app), 3999900);
    ck_assert_int_eq(inlay_app_find_module(app, "GEMM_199_198_197"), 1353394);
    inlay_app_free(app);
}
END_TEST

Suite *suite_generate(void)
{
    Suite *suite = suite_create("generate");
    TCase *tests = tcase_create("generate");
    int kinds = (int)inlay_generators();
    tcase_add_loop_test(tests, counts, 0, kinds);
    tcase_add_loop_test(tests, defaults, 0, kinds);
    tcase_add_loop_test(tests, like_a_builder_s, 0, kinds);
    tcase_add_test(tests, same_everywhere);
    tcase_add_test(tests, seeds_matter);
    tcase_add_test(tests, heterogeneity);
    tcase_add_test(tests, heterogeneity_keeps_links);
    tcase_add_test(tests, ccr);
    tcase_add_test(tests, decimals);
    tcase_add_test(tests, million_modules);
    suite_add_tcase(suite, tests);
    return suite;
}

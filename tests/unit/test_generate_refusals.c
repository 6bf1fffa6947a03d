/* What cannot be generated: each request has its one line. */
#include "test_generate.h"
#include <math.h>
#include <unistd.h>

static void expect_refused(int expected, inlay_generator_options options, const char *message)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    int status = inlay_generate(&options, &app, diag);
    ck_assert_msg(status == expected, "%s: %s", message, inlay_status_text(status));
    ck_assert_ptr_null(app);
    ck_assert_str_eq(inlay_diag_message(diag), message);
    ck_assert_int_eq(inlay_generate(&options, &app, NULL), expected);
    inlay_diag_free(diag);
}

START_TEST(sizes_refused)
{
    int bad = INLAY_BAD_ARGUMENT;
    expect_refused(
        bad, (inlay_generator_options){.kind = "tree"},
        "no kind of graph is called 'tree'; expected one of cholesky, lu, qr, fft, gauss, stencil, wavefront, "
        "in-tree, out-tree, fork-join, series-parallel, layered, erdos-renyi, montage, epigenomics, cybershake");
    inlay_generator_options nameless = {0};
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_generate(&nameless, &app, NULL), INLAY_BAD_ARGUMENT);
    expect_refused(bad, (inlay_generator_options){.kind = "fft", .sizes = {[INLAY_SIZE_TILES] = 2}},
                   "fft: cannot be asked for tiles; expected only size");
    expect_refused(
        bad, (inlay_generator_options){.kind = "cholesky", .sizes = {[INLAY_SIZE_SIZE] = 2, [INLAY_SIZE_TILES] = 2}},
        "cholesky: cannot be asked for size, tiles; expected only size, or only tiles, tile, element, inputs");
    expect_refused(bad, (inlay_generator_options){.kind = "layered", .has_density = true},
                   "layered: cannot be asked for density; expected only levels, degree, width, work, bytes");
    expect_refused(bad, (inlay_generator_options){.kind = "gauss", .sizes = {[INLAY_SIZE_SIZE] = 1}},
                   "gauss: size 1 is out of range; expected 2 to 2147483647");
    expect_refused(bad, (inlay_generator_options){.kind = "stencil", .sizes = {[INLAY_SIZE_DIMENSIONS] = 4}},
                   "stencil: dimensions 4 is out of range; expected 1 to 3");
    expect_refused(bad, (inlay_generator_options){.kind = "lu", .sizes = {[INLAY_SIZE_TILES] = -1}},
                   "lu: tiles -1 is out of range; expected 1 to 2147483647");
    expect_refused(bad, (inlay_generator_options){.kind = "fft", .sizes = {[INLAY_SIZE_SIZE] = 12}},
                   "fft: the sizes do not go together; expected a size that is a power of two");
    expect_refused(
        bad, (inlay_generator_options){.kind = "layered", .sizes = {[INLAY_SIZE_WIDTH] = 3, [INLAY_SIZE_DEGREE] = 4}},
        "layered: the sizes do not go together; expected a degree up to the width");
}
END_TEST

START_TEST(numbers_refused)
{
    int bad = INLAY_BAD_ARGUMENT;
    inlay_generator_options fft_options = {.kind = "fft"}, o;
    expect_refused(bad, (inlay_generator_options){.kind = "erdos-renyi", .has_density = true, .density = 1.5},
                   "erdos-renyi: density 1.5 is no probability; expected 0 to 1");
    expect_refused(bad, (inlay_generator_options){.kind = "erdos-renyi", .has_density = true, .density = -0.5},
                   "erdos-renyi: density -0.5 is no probability; expected 0 to 1");
    o = fft_options;
    o.rate = -1;
    expect_refused(bad, o, "fft: rate -1 cannot be; expected a number above 0");
    o.rate = INFINITY;
    expect_refused(bad, o, "fft: rate inf cannot be; expected a number above 0");
    o = fft_options;
    o.heterogeneity = 2.5;
    expect_refused(bad, o, "fft: heterogeneity 2.5 cannot be; expected 0 to 2");
    o.kind = "cholesky";
    o.heterogeneity = 1;
    expect_refused(bad, o,
                   "cholesky: heterogeneity 1 cannot be; expected 0: blocking times go with the times as they are");
    o = fft_options;
    o.has_ccr = true;
    o.ccr = -1;
    expect_refused(bad, o, "fft: ccr -1 cannot be; expected 0 or more");
    o = fft_options;
    o.bandwidth = 5;
    expect_refused(bad, o, "fft: bandwidth 5 cannot be; expected a ccr with it");
    o.has_ccr = true;
    o.bandwidth = -5;
    expect_refused(bad, o, "fft: bandwidth -5 cannot be; expected a number above 0");
    o = (inlay_generator_options){.kind = "wavefront", .sizes = {[INLAY_SIZE_SIZE] = 1}, .has_ccr = true, .ccr = 1};
    expect_refused(bad, o, "wavefront: no link carries messages, so no ccr above 0 can be reached; expected 0");
    o = (inlay_generator_options){.kind = "cholesky", .rate = 1, .has_ccr = true, .ccr = 1};
    expect_refused(bad, o, "cholesky: no link carries bytes, so no ccr above 0 can be reached; expected 0");
}
END_TEST

START_TEST(large_refused)
{
    int overflow = INLAY_OVERFLOW;
    expect_refused(overflow, (inlay_generator_options){.kind = "cholesky", .sizes = {[INLAY_SIZE_TILES] = 100000}},
                   "cholesky: 166671666700000 modules; expected at most 2147483646");
    expect_refused(overflow,
                   (inlay_generator_options){.kind = "wavefront",
                                             .sizes = {[INLAY_SIZE_SIZE] = INT32_MAX, [INLAY_SIZE_DIMENSIONS] = 1}},
                   "wavefront: 2147483647 modules; expected at most 2147483646");
    expect_refused(
        overflow,
        (inlay_generator_options){.kind = "cholesky", .sizes = {[INLAY_SIZE_TILES] = 3, [INLAY_SIZE_TILE] = 1 << 20}},
        "the times add up to more than 2^61 ticks, one for each operation; expected less");
    expect_refused(overflow, (inlay_generator_options){.kind = "fft", .rate = 1e-20},
                   "the times add up to more than 2^61 seconds; expected less");
    expect_refused(overflow,
                   (inlay_generator_options){.kind = "stencil",
                                             .sizes = {[INLAY_SIZE_SIZE] = 1,
                                                       [INLAY_SIZE_DIMENSIONS] = 3,
                                                       [INLAY_SIZE_STEPS] = 2000,
                                                       [INLAY_SIZE_TILE] = 1 << 16},
                                             .rate = 1e9},
                   "stencil: the bytes of all links add up to more than 2^61; expected less");
    expect_refused(overflow, (inlay_generator_options){.kind = "fft", .has_ccr = true, .ccr = 1e30},
                   "fft: a ccr of 1e+30 needs more than 2^61 messages; expected a smaller one");
}
END_TEST

/* Two thousand million modules do not fit into any computer of 300 GB. */
START_TEST(memory_refused)
{
    inlay_generator_options options = {.kind = "out-tree",
                                       .sizes = {[INLAY_SIZE_LEVELS] = 2, [INLAY_SIZE_DEGREE] = 2000000000}};
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory > 300e9) {
        unit_skip("this computer has room for two thousand million modules");
        return;
    }
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    ck_assert_int_eq(inlay_generate(&options, &app, diag), INLAY_NO_MEMORY);
    static const char begin[] =
        "out-tree: 2000000001 modules and 2000000000 links need about 352 GB; this computer has ";
    ck_assert_msg(strncmp(inlay_diag_message(diag), begin, sizeof begin - 1) == 0, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_generate_refusals(void)
{
    Suite *suite = suite_create("generate_refusals");
    TCase *tests = tcase_create("generate_refusals");
    tcase_add_test(tests, sizes_refused);
    tcase_add_test(tests, numbers_refused);
    tcase_add_test(tests, large_refused);
    tcase_add_test(tests, memory_refused);
    suite_add_tcase(suite, tests);
    return suite;
}

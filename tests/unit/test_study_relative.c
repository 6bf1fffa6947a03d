/*
 * What a study finds for each application: networks beside sums over all links, loads beside mappings of the machine that
 * a row names, time frames beside mappings at every T of a sweep; options that are crossed beside nested loops.
 */
#include "golden.h"
#include "starve.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 2048, MOST = 64 };

/* ---- Rows ---- */

static inlay_study *read_study(const char *text, int expected)
{
    char path[] = "/tmp/inlay-study-XXXXXX";
    int number = mkstemp(path);
    ck_assert_int_ge(number, 0);
    ck_assert_int_eq(write(number, text, strlen(text)), (ssize_t)strlen(text));
    close(number);
    inlay_study *study = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_study_read(path, NULL, 0, &study, diag);
    ck_assert_msg(status == expected, "%s: %s", text, inlay_diag_message(diag));
    inlay_diag_free(diag);
    remove(path);
    return study;
}

/* The row of a point, by whoever is asked first or last. */
static json_t *row_of(inlay_study_worker *worker, int64_t point)
{
    size_t size;
    ck_assert_int_eq(inlay_study_work(worker, point), INLAY_OK);
    const char *rows = inlay_study_rows(worker, &size);
    json_t *row = json_loadb(rows, size, 0, NULL);
    ck_assert_ptr_nonnull(row);
    inlay_study_rows_clear(worker);
    return row;
}

static double number(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *words(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));
    return text != NULL ? text : "";
}

/* ---- Networks ---- */

/* Gauss in seconds has bytes, in ticks messages alone. */
static inlay_app *gauss(int size, double rate)
{
    inlay_app *app = NULL;
    inlay_generator_options options = {.kind = "gauss", .rate = rate};
    options.sizes[INLAY_SIZE_SIZE] = size;
    ck_assert_int_eq(inlay_generate(&options, &app, NULL), INLAY_OK);
    return app;
}

static void count_traffic(const inlay_app *app, double *messages, double *bytes, double *work)
{
    *messages = *bytes = *work = 0;
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        inlay_links out = inlay_app_out(app, i);
        *work += inlay_app_in_units(app, inlay_app_time(app, i));
        for (int64_t k = 0; k < out.count; k++) {
            *messages += (double)out.messages[k];
            *bytes += (double)out.bytes[k];
        }
    }
}

/* What stands behind `key=` in a machine's text, up to the comma; "" where it is not there. */
static const char *said_of(const char *machine, const char *key, char value[MOST])
{
    const char *at = strstr(machine, key);
    *value = '\0';
    if (at != NULL) {
        snprintf(value, MOST, "%.*s", (int)strcspn(at + strlen(key), ","), at + strlen(key));
    }
    return value;
}

/* What the network takes for one unit of traffic, a byte or a message. */
static double slowness_of(const char *machine, bool *in_bytes)
{
    char value[MOST];
    inlay_rate rate;
    inlay_duration cycle;
    *in_bytes = false;
    if (inlay_duration_parse(said_of(machine, ",cycle=", value), &cycle) == INLAY_OK && *value != '\0') {
        return inlay_decimal_double(cycle.value);
    }
    ck_assert_int_eq(inlay_rate_parse(said_of(machine, ",capacity=", value), &rate), INLAY_OK);
    *in_bytes = rate.kind == INLAY_RATE_BYTES;
    return 1 / rate.value;
}

static const char *const networks[] = {
    "bus:8",
    "bus:4,memory=common,transfers=2",
    "multibus:8,memories=8,buses=2",
    "omega:8,packets=4",
    "omega-pe:8,packets=4",
    "mesh:2x4",
    "star:8",
};
enum { NETWORKS = sizeof networks / sizeof *networks };

/* Of a row on three processors. */
static void expect_busy(const inlay_app *app, const json_t *row, double busy, int cut)
{
    char value[MOST];
    double messages, bytes, work;
    bool in_bytes;
    const char *machine = words(row, "machine_is");
    double slowness = slowness_of(machine, &in_bytes);
    double each = (double)strtol(said_of(machine, ",message_size=", value), NULL, 10);
    double most = (double)cut * (double)inlay_app_links(app);
    count_traffic(app, &messages, &bytes, &work);
    ck_assert(in_bytes == (bytes > 0 && cut == 0 && strstr(machine, "omega") == NULL));
    expect_near(slowness * (cut > 0 ? ceil(bytes / each) : in_bytes ? bytes : messages) / (busy * work / 3), 1, 1e-7);
    if (cut > 0) { /* the least size of which a link has no more on the average */
        ck_assert_double_le(bytes / each, most);
        ck_assert_double_gt(bytes / (each - 1), most);
    }
}

static void expect_network(const char *network, const char *rate, const inlay_app *app, int cut)
{
    char text[TEXT];
    snprintf(text, sizeof text,
             "{\"applications\": {\"generate\": \"gauss\", \"size\": 7%s}, \"machines\": \"%s%.*s,busy={0.25,3}\", "
             "\"processors\": [3, 100], \"methods\": \"one\"}",
             rate, network, cut > 0 ? 11 : 0, ",messages=5");
    inlay_study *study = read_study(text, INLAY_OK);
    inlay_study_worker *worker = inlay_study_worker_new(study);
    for (int64_t i = inlay_study_points(study); i-- > 0;) {
        json_t *row = row_of(worker, i);
        bool good = i % 2 == 0;
        ck_assert_int_eq(*words(row, "error") == '\0', good); /* 100 are more than there are */
        if (good) {
            expect_busy(app, row, i / 2 == 0 ? 0.25 : 3, cut);
        }
        json_decref(row);
    }
    inlay_study_worker_free(worker);
    inlay_study_free(study);
}

START_TEST(networks_are_as_busy_as_they_should)
{
    inlay_app *ticks = gauss(7, 0), *seconds = gauss(7, 1e9);
    expect_network(networks[_i], "", ticks, 0);
    expect_network(networks[_i], ", \"rate\": 1e9", seconds, 0);
    expect_network(networks[_i], ", \"rate\": 1e9", seconds, 5);
    inlay_app_free(ticks);
    inlay_app_free(seconds);
}
END_TEST

/* ---- Loads ---- */

static inlay_mapping *map_row(const inlay_app *app, const json_t *row, const char *method)
{
    inlay_mapping *mapping = NULL;
    inlay_machine *machine = golden_machine(words(row, "machine_is"));
    double processors = number(row, "processors");
    const inlay_options options = {.method = inlay_method_named(method),
                                   .processors = isnan(processors) ? 0 : (inlay_id)processors};
    ck_assert_int_eq(inlay_map(app, machine, &options, &mapping, NULL), INLAY_OK);
    ck_assert_double_eq(inlay_mapping_summary(mapping)->elapsed, number(row, "elapsed"));
    inlay_machine_free(machine);
    return mapping;
}

/* Houstis has the load that was asked for, and others are on the same machine. */
START_TEST(loads_are_those_asked_for)
{
    static const double asked[] = {0.05, 0.4, 0.8};
    char text[TEXT];
    inlay_app *app = gauss(9, 1e9);
    snprintf(text, sizeof text,
             "{\"applications\": {\"generate\": \"gauss\", \"size\": 9, \"rate\": 1e9}, \"machines\": "
             "\"%s,load={0.05,0.4,0.8}\", \"processors\": [2, 4], \"methods\": \"houstis,heft\"}",
             networks[_i]);
    inlay_study *study = read_study(text, INLAY_OK);
    inlay_study_worker *worker = inlay_study_worker_new(study);
    for (int64_t i = 0; i < inlay_study_points(study); i += 2) {
        json_t *row = row_of(worker, i), *other = row_of(worker, i + 1);
        ck_assert_str_eq(words(row, "error"), "");
        ck_assert_double_eq_tol(number(row, "load"), asked[i / 4], 1e-6);
        ck_assert_str_eq(words(row, "machine_is"), words(other, "machine_is"));
        inlay_mapping *mapping = map_row(app, row, "houstis");
        ck_assert_double_eq_tol(inlay_mapping_summary(mapping)->load, asked[i / 4], 1e-6);
        inlay_mapping_free(mapping);
        inlay_mapping_free(map_row(app, other, "heft"));
        json_decref(row);
        json_decref(other);
    }
    inlay_study_worker_free(worker);
    inlay_study_free(study);
    inlay_app_free(app);
}
END_TEST

/* ---- Time frames ---- */

enum { DEFAULT, TIMES, FIT, PAR, FEWEST, BEST, FRAMES };

/* What mappings at every T of the sweep say: clusters that need no reduction, fewest first and shortest first. */
typedef struct found {
    inlay_id fewest;
    double elapsed_of_fewest, best;
} found;

static found try_all(const inlay_app *app, const inlay_machine *machine, inlay_id processors)
{
    found f = {INT32_MAX, INFINITY, INFINITY};
    inlay_sweep_result *sweep = NULL;
    const inlay_sweep_options all = {.mapping = {.processors = processors}, .all = true, .threads = 1};
    ck_assert_int_eq(inlay_sweep(app, machine, &all, &sweep, NULL), INLAY_OK);
    for (size_t i = 0; i < inlay_sweep_rows(sweep); i++) {
        char text[INLAY_TIME_TEXT];
        inlay_options options =
            options_at(inlay_sweep_time_text(sweep, inlay_sweep_row_at(sweep, i)->time_frame, text));
        inlay_mapping *mapping = NULL;
        options.processors = processors;
        if (inlay_map(app, machine, &options, &mapping, NULL) != INLAY_OK) {
            continue;
        }
        const inlay_summary *sum = inlay_mapping_summary(mapping);
        if (sum->reduced_from < 0) {
            f.best = fmin(f.best, sum->elapsed);
            if (sum->clusters < f.fewest || (sum->clusters == f.fewest && sum->elapsed < f.elapsed_of_fewest)) {
                f.fewest = sum->clusters;
                f.elapsed_of_fewest = sum->elapsed;
            }
        }
        inlay_mapping_free(mapping);
    }
    inlay_sweep_free(sweep);
    return f;
}

static void expect_swept(const json_t *row, const inlay_sweep_point *point)
{
    ck_assert_int_eq(*words(row, "error") == '\0', point->exists);
    if (point->exists) {
        ck_assert_double_eq(number(row, "time_frame"), point->time_frame);
    }
}

static void expect_frames(json_t *const row[FRAMES], const inlay_app *app, inlay_id processors)
{
    inlay_machine *machine = golden_machine("bus:9,capacity=5msg/tick");
    inlay_sweep_result *sweep = NULL;
    const inlay_sweep_options once = {.mapping = {.processors = processors}, .threads = 1};
    ck_assert_int_eq(inlay_sweep(app, machine, &once, &sweep, NULL), INLAY_OK);
    found f = try_all(app, machine, processors);
    expect_near(number(row[TIMES], "time_frame"), 1.75 * number(row[DEFAULT], "time_frame"), 1e-9);
    expect_swept(row[FIT], &inlay_sweep_summary_of(sweep)->t_fit);
    expect_swept(row[PAR], &inlay_sweep_summary_of(sweep)->t_par);
    ck_assert_int_eq(*words(row[FEWEST], "error") == '\0', f.fewest < INT32_MAX);
    ck_assert_int_eq(*words(row[BEST], "error") == '\0', f.fewest < INT32_MAX);
    if (f.fewest < INT32_MAX) {
        ck_assert_double_eq(number(row[FEWEST], "processors_used"), f.fewest);
        ck_assert_double_eq(number(row[FEWEST], "elapsed"), f.elapsed_of_fewest);
        ck_assert_double_eq(number(row[BEST], "elapsed"), f.best);
    }
    inlay_sweep_free(sweep);
    inlay_machine_free(machine);
}

START_TEST(time_frames_are_those_of_sweeps)
{
    inlay_study *study = read_study(
        "{\"applications\": {\"generate\": \"gauss\", \"size\": [5, 8]}, \"machines\": \"bus:9,capacity=5msg/tick\", "
        "\"processors\": [2, 5, 9], \"methods\": \"houstis\", \"options\": {\"time-frame\": [\"default\", \"1.75x\", "
        "\"fit\", \"par\", \"fewest\", \"best\"]}}",
        INLAY_OK);
    static const int size[] = {5, 8}, processors[] = {2, 5, 9};
    inlay_study_worker *worker = inlay_study_worker_new(study);
    for (int i = 0; i < 6; i++) {
        json_t *row[FRAMES];
        inlay_app *app = gauss(size[i / 3], 0);
        for (int k = 0; k < FRAMES; k++) {
            row[k] = row_of(worker, i * FRAMES + k);
        }
        expect_frames(row, app, processors[i % 3]);
        for (int k = 0; k < FRAMES; k++) {
            json_decref(row[k]);
        }
        inlay_app_free(app);
    }
    inlay_study_worker_free(worker);
    inlay_study_free(study);
}
END_TEST

/* ---- Options ---- */

START_TEST(options_are_nested_loops)
{
    static const char *const reduce[] = {"h2", "h1"}, *const when[] = {"after", "before"};
    inlay_study *study = read_study(
        "{\"applications\": [{\"generate\": \"gauss\", \"size\": [3, 4], \"group\": \"small\"}, {\"generate\": "
        "\"fft\"}], "
        "\"machines\": \"bus:2\", \"methods\": \"one,heft\", \"seeds\": [4, 6], \"options\": [{\"reduce-when\": "
        "[\"after\", \"before\"], \"reduce\": [\"h2\", \"h1\"]}, {\"time-frame\": 7}]}",
        INLAY_OK);
    int64_t at = 0;
    for (int a = 0; a < 3; a++) {
        for (int m = 0; m < 2; m++) {
            for (int o = 0; o < 5; o++) {
                for (int s = 4; s <= 6; s += 2, at++) {
                    char name[MOST] = "time-frame=7";
                    inlay_study_point is = inlay_study_point_at(study, at);
                    if (o < 4) snprintf(name, sizeof name, "reduce=%s reduce-when=%s", reduce[o / 2], when[o % 2]);
                    ck_assert_str_eq(is.options, name);
                    ck_assert_str_eq(is.method, m == 0 ? "one" : "heft");
                    ck_assert_int_eq(is.seed, s);
                    ck_assert_int_eq(is.group != NULL, a < 2);
                }
            }
        }
    }
    ck_assert_int_eq(inlay_study_points(study), at);
    ck_assert_int_eq(inlay_study_counts_of(study).options, 5);
    inlay_study_free(study);
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
    static const char *const machine[] = {"busy=0", "busy=-1",      "busy=nan",       "busy=1e999",
                                          "load=1", "busy=",        "busy=1,load=.5", "messages=0",
                                          "load=x", "messages=1.5", "busy=1x",        "busy=1,busy=1"};
    static const char *const options[] = {"[]",
                                          "[{}, 1]",
                                          "{\"reduce\": []}",
                                          "{\"reduce\": [\"h1\", \"h3\"]}",
                                          "{\"time-frame\": \"0x\"}",
                                          "{\"time-frame\": \"fitting\"}",
                                          "{\"time-frame\": \"1.5xx\"}",
                                          "{\"time-frame\": [1, 0]}",
                                          "[{}, {\"format\": \"dot\"}]",
                                          "{\"reference-speed\": [\"1Gf\", \"2Gf\"]}"};
    char text[TEXT];
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        snprintf(text, sizeof text, "{\"applications\": {\"generate\": \"fft\"}, \"machines\": \"bus:2,%s\"}",
                 machine[i]);
        ck_assert_ptr_null(read_study(text, INLAY_BAD_INPUT));
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        snprintf(text, sizeof text,
                 "{\"applications\": {\"generate\": \"fft\"}, \"machines\": \"bus:2\", \"options\": %s}", options[i]);
        ck_assert_ptr_null(read_study(text, INLAY_BAD_INPUT));
    }
}
END_TEST

static int attempt_to_read(const void *subject)
{
    inlay_study *study = NULL;
    int status = inlay_study_read(subject, NULL, 0, &study, NULL);
    inlay_study_free(study);
    return status;
}

START_TEST(memory_runs_out)
{
    static const char text[] =
        "{\"applications\": {\"generate\": \"fft\", \"group\": \"a\"}, \"machines\": \"bus:2,busy=1\", \"options\": "
        "[{\"reduce\": [\"h1\", \"h2\"]}, {\"time-frame\": \"2x\"}]}";
    char path[] = "/tmp/inlay-study-XXXXXX";
    int number = mkstemp(path);
    ck_assert_int_ge(number, 0);
    ck_assert_int_eq(write(number, text, strlen(text)), (ssize_t)strlen(text));
    close(number);
    starve(attempt_to_read, path, 20);
    remove(path);
}
END_TEST

Suite *suite_study_relative(void)
{
    Suite *suite = suite_create("studies by application");
    TCase *tests = tcase_create("studies by application");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, networks_are_as_busy_as_they_should, 0, NETWORKS);
    tcase_add_loop_test(tests, loads_are_those_asked_for, 0, NETWORKS);
    tcase_add_test(tests, time_frames_are_those_of_sweeps);
    tcase_add_test(tests, options_are_nested_loops);
    tcase_add_test(tests, what_cannot_be_is_refused);
    tcase_add_test(tests, memory_runs_out);
    suite_add_tcase(suite, tests);
    return suite;
}

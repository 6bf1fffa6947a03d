// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Studies: points against nested loops; ranges against counting; points handed out each once and the largest first; journals
 * that are cut at every byte; what is no row is refused; a digest that changes with what rows depend on.
 */
#include "unit.h"

#include "json_schema.h"
#include "base/file.h"
#include "base/splitmix.h"
#include "study/handout.h"
#include "study/names.h"
#include "study/running.h"
#include "study/series.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 128, TEXT = 1024, SEEDS = 20, EVERY = 229 };

/* ---- Files ---- */

static char folder[PATH];

static void set_up(void)
{
    strcpy(folder, "/tmp/inlay-study-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static const char *in_folder(const char *name, char path[PATH])
{
    ck_assert_int_lt(snprintf(path, PATH, "%s/%s", folder, name), PATH);
    return path;
}

static void tear_down(void)
{
    char command[2 * PATH];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c): the folder is ours
}

static void put(const char *name, const char *data, size_t size)
{
    char path[PATH];
    FILE *file = fopen(in_folder(name, path), "w"); /* not waiting for the disk */
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static void put_text(const char *name, const char *text)
{
    put(name, text, strlen(text));
}

static file_content get(const char *name)
{
    char path[PATH];
    file_content content;
    ck_assert_int_eq(file_read_raw(in_folder(name, path), &content, NULL), INLAY_OK);
    return content;
}

static bool is_there(const char *name)
{
    char path[PATH];
    return access(in_folder(name, path), F_OK) == 0;
}

static void forget(const char *name)
{
    char path[PATH];
    (void)unlink(in_folder(name, path));
}

static inlay_study *read_study(const char *text)
{
    char path[PATH];
    inlay_study *study = NULL;
    inlay_diag *diag = inlay_diag_new();
    put_text("study.json", text);
    int status = inlay_study_read(in_folder("study.json", path), NULL, 0, &study, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return study;
}

/* ---- Ranges ---- */

/* What a text of pieces stands for, by counting. */
static void numbers_by_counting(void)
{
    static const struct {
        const char *text;
        int64_t count, number[10];
    } known[] = {
        {"7", 1, {7}},
        {"0..3", 4, {0, 1, 2, 3}},
        {"3..3", 1, {3}},
        {"1..10+4", 3, {1, 5, 9}},
        {"4..64*2", 5, {4, 8, 16, 32, 64}},
        {"3..80*3", 3, {3, 9, 27}},
        {"5,1..3,8..20*2", 6, {5, 1, 2, 3, 8, 16}},
        {"9223372036854775806..9223372036854775807", 2, {INT64_MAX - 1, INT64_MAX}},
        {"4611686018427387904..9223372036854775807*2", 1, {INT64_C(1) << 62}},
    };
    static const char *const wrong[] = {"",
                                        "x",
                                        "1..",
                                        "..3",
                                        "4..1",
                                        "1..9*1",
                                        "1..9*0",
                                        "1..9+0",
                                        "0..9*2",
                                        "1,",
                                        ",1",
                                        "1,,2",
                                        " 1",
                                        "1 ",
                                        "-1",
                                        "1..2..3",
                                        "1.5",
                                        "1e3",
                                        "0..9223372036854775807",
                                        "9223372036854775808"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        series s = {0};
        ck_assert_int_eq(series_parse(&s, known[i].text), SERIES_OK);
        ck_assert_int_eq(s.count, known[i].count);
        for (int64_t k = 0; k < s.count; k++) {
            ck_assert_int_eq(series_at(&s, k), known[i].number[k]);
        }
        series_clear(&s);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        series s = {0};
        ck_assert_msg(series_parse(&s, wrong[i]) == SERIES_WRONG, "'%s'", wrong[i]);
        series_clear(&s);
    }
}

START_TEST(ranges_are_what_they_stand_for)
{
    numbers_by_counting();
}
END_TEST

START_TEST(braces_stand_for_several)
{
    static const char *const expected[] = {"a:1,x", "a:1,y", "a:2,x", "a:2,y", "a:4,x", "a:4,y"};
    static const char *const wrong[] = {"{", "}", "a{b", "a}b", "{}", "{a{b}}", "x{1,2}}"};
    names found = {0};
    ck_assert_int_eq(names_expand(&found, "a:{1..2,4},{x,y}"), NAMES_OK);
    ck_assert_uint_eq(found.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < found.count; i++) {
        ck_assert_str_eq(found.name[i], expected[i]);
    }
    names_clear(&found);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(names_expand(&found, wrong[i]) == NAMES_WRONG, "'%s'", wrong[i]);
        names_clear(&found);
    }
}
END_TEST

/* ---- Points ---- */

/* A list of numbers from `first` on, as JSON: so many, each one more. */
static void add_list(char *text, const char *key, int first, int count)
{
    size_t used = strlen(text);
    snprintf(text + used, TEXT - used, ", \"%s\": [%d", key, first);
    for (int i = 1; i < count; i++) {
        used = strlen(text);
        snprintf(text + used, TEXT - used, ", %d", first + i);
    }
    strcat(text, "]");
}

START_TEST(points_are_nested_loops)
{
    static const char *const methods[] = {"heft", "etf", "dls"};
    uint64_t state = (uint64_t)_i;
    int count[5]; /* applications, machines, processors, methods, seeds */
    for (int i = 0; i < 5; i++) {
        count[i] = 1 + splitmix_below(&state, 3);
    }
    char text[TEXT], name[PATH];
    snprintf(text, sizeof text,
             "{\"applications\": {\"generate\": \"gauss\", \"size\": {\"from\": 3, \"to\": %d}}, \"machines\": "
             "\"bus:{2..%d}\", \"methods\": \"%s%s%s\"",
             2 + count[0], 1 + count[1], methods[0], count[3] > 1 ? ",etf" : "", count[3] > 2 ? ",dls" : "");
    add_list(text, "processors", 4, count[2]);
    add_list(text, "seeds", 7, count[4]);
    inlay_study *study = read_study(strcat(text, "}"));
    int64_t at = 0;
    for (int a = 0; a < count[0]; a++) {
        for (int m = 0; m < count[1]; m++) {
            for (int p = 0; p < count[2]; p++) {
                for (int k = 0; k < count[3]; k++) {
                    for (int s = 0; s < count[4]; s++, at++) {
                        inlay_study_point is = inlay_study_point_at(study, at);
                        study_place place = study_place_of(study, at);
                        ck_assert_int_eq(is.point, at);
                        ck_assert_int_eq(study_point_of(study, &place), at);
                        snprintf(name, sizeof name, "gauss size=%d", 3 + a);
                        ck_assert_str_eq(is.application, name);
                        snprintf(name, sizeof name, "bus:%d", 2 + m);
                        ck_assert_str_eq(is.machine, name);
                        ck_assert_int_eq(is.processors, 4 + p);
                        ck_assert_str_eq(is.method, methods[k]);
                        ck_assert_int_eq(is.seed, 7 + s);
                    }
                }
            }
        }
    }
    ck_assert_int_eq(inlay_study_points(study), at);
    inlay_study_free(study);
}
END_TEST

/* ---- Handing out ---- */

START_TEST(points_are_handed_out_once_and_the_largest_first)
{
    uint64_t state = (uint64_t)_i + 100;
    inlay_study *study = read_study(
        "{\"applications\": {\"generate\": \"gauss\", \"size\": [3, 9, 5, 12]}, \"machines\": \"bus:{2..4}\", "
        "\"methods\": \"heft,best,etf\", \"seeds\": \"1..40\"}");
    inlay_study_running *running = NULL;
    char path[PATH];
    const inlay_study_options options = {.output = in_folder("rows", path), .restart = true};
    ck_assert_int_eq(inlay_study_begin(study, &options, &running, NULL), INLAY_OK); /* knows sizes */
    int64_t points = inlay_study_points(study), point[INLAY_STUDY_BATCH];
    uint8_t *done = calloc((size_t)points / 8 + 1, 1);
    int *seen = calloc((size_t)points, sizeof *seen);
    ck_assert(done != NULL && seen != NULL);
    for (int64_t i = 0; i < points; i++) {
        if (splitmix_below(&state, 3) == 0) {
            bit_set(done, i);
            seen[i] = 1;
        }
    }
    handout h;
    ck_assert(handout_make(&h, study, done));
    double before = INFINITY;
    size_t count, last = INLAY_STUDY_BATCH;
    inlay_id workers = 1 + splitmix_below(&state, 5);
    while ((count = handout_next(&h, workers, point)) > 0) {
        for (size_t i = 0; i < count; i++) {
            study_place place = study_place_of(study, point[i]);
            double size = handout_estimate(study, place.application, place.method);
            ck_assert(size <= before);
            before = size;
            ck_assert_int_eq(seen[point[i]]++, 0);
        }
        last = count;
    }
    for (int64_t i = 0; i < points; i++) {
        ck_assert_int_eq(seen[i], 1);
    }
    ck_assert_uint_le(last, 2); /* few at the end, so that nobody waits for one with many */
    handout_clear(&h);
    free(done);
    free(seen);
    inlay_study_end(running);
    inlay_study_free(study);
}
END_TEST

/* ---- Journals ---- */

static const char small[] =
    "{\"applications\": {\"generate\": \"gauss\", \"size\": [3, 4]}, \"machines\": \"bus:3\", \"methods\": "
    "\"heft,etf\", \"seeds\": \"1..2\"}";

static inlay_study_result run(const inlay_study *study, const char *name)
{
    char path[PATH];
    inlay_study_result result;
    inlay_diag *diag = inlay_diag_new();
    const inlay_study_options options = {.output = in_folder(name, path), .threads = 1};
    int status = inlay_study_run(study, &options, &result, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return result;
}

static int64_t lines_in(const char *data, size_t size)
{
    int64_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += data[i] == '\n';
    }
    return count;
}

/* The journal of a run that ended before it sorted, its rows from the last to the first. */
static size_t journal_of(const file_content *rows, const char *header, char *to)
{
    const char *end = strstr(header, ", \"complete\"");
    size_t size = (size_t)sprintf(to, "%.*s}\n", (int)(end - header), header);
    for (size_t at = rows->size; at > 0;) {
        size_t from = at - 1;
        while (from > 0 && rows->data[from - 1] != '\n') {
            from--;
        }
        memcpy(to + size, rows->data + from, at - from);
        size += at - from;
        at = from;
    }
    return size;
}

/* How many rows a run finds. */
static int64_t rows_found(const inlay_study *study, const char *name)
{
    char path[PATH];
    inlay_study_running *running = NULL;
    const inlay_study_options options = {.output = in_folder(name, path), .threads = 1};
    ck_assert_int_eq(inlay_study_begin(study, &options, &running, NULL), INLAY_OK);
    int64_t before = inlay_study_progress_of(running).before;
    inlay_study_end(running);
    return before;
}

START_TEST(a_journal_may_be_cut_anywhere)
{
    inlay_study *study = read_study(small);
    inlay_study_result result = run(study, "rows");
    ck_assert_int_eq(result.progress.before, 0);
    ck_assert_int_eq(result.failed, 0);
    file_content rows = get("rows"), header = get("rows.journal");
    char *text = malloc(rows.size + TEXT);
    ck_assert_ptr_nonnull(text);
    size_t size = journal_of(&rows, header.data, text);
    for (size_t length = 0; length <= size; length++) {
        put("again.journal", text, length);
        int64_t lines = lines_in(text, length);
        ck_assert_int_eq(rows_found(study, "again"), lines > 0 ? lines - 1 : 0);
        if (length % EVERY != 0) { /* writing waits for the disk */
            continue;
        }
        result = run(study, "again");
        ck_assert_int_eq(result.progress.before, lines > 0 ? lines - 1 : 0);
        ck_assert_int_eq(result.progress.done, inlay_study_points(study));
        file_content again = get("again");
        ck_assert_uint_eq(again.size, rows.size);
        ck_assert_mem_eq(again.data, rows.data, rows.size);
        file_content_clear(&again);
        forget("again");
    }
    file_content_clear(&rows);
    file_content_clear(&header);
    free(text);
    inlay_study_free(study);
}
END_TEST

/* Whether a run goes on behind a journal that was made for another study. */
static int status_after(const char *made_for, const char *run_for)
{
    char path[PATH];
    inlay_study_result result;
    inlay_study *study = read_study(made_for);
    const inlay_study_options all = {.output = in_folder("rows", path), .threads = 1, .restart = true};
    ck_assert_int_eq(inlay_study_run(study, &all, &result, NULL), INLAY_OK);
    inlay_study_free(study);
    study = read_study(run_for);
    const inlay_study_options more = {.output = path, .threads = 1};
    int status = inlay_study_run(study, &more, &result, NULL);
    inlay_study_free(study);
    return status;
}

START_TEST(rows_of_another_study_are_not_mixed)
{
    static const char *const changed[] = {
        "{\"applications\": \"a.dot\", \"machines\": \"m.dot\", \"methods\": \"heft\", \"seeds\": \"1..3\"}",
        "{\"applications\": [\"a.dot\", \"b.dot\"], \"machines\": \"m.dot\", \"methods\": \"heft\", \"seeds\": "
        "\"1..2\"}",
        "{\"applications\": \"b.dot\", \"machines\": \"m.dot\", \"methods\": \"heft\", \"seeds\": \"1..2\"}",
        "{\"applications\": \"a.dot\", \"machines\": \"bus:2\", \"methods\": \"heft\", \"seeds\": \"1..2\"}",
        "{\"applications\": \"a.dot\", \"machines\": \"m.dot\", \"methods\": \"etf\", \"seeds\": \"1..2\"}",
        "{\"applications\": \"a.dot\", \"machines\": \"m.dot\", \"methods\": \"heft\", \"seeds\": \"2..3\"}",
        "{\"applications\": \"a.dot\", \"machines\": \"m.dot\", \"methods\": \"heft\", \"seeds\": \"1..2\", "
        "\"processors\": 1}",
        "{\"applications\": \"a.dot\", \"machines\": \"m.dot\", \"methods\": \"heft\", \"seeds\": \"1..2\", \"work\": "
        "\"none\"}",
        "{\"applications\": \"a.dot\", \"machines\": \"m.dot\", \"methods\": \"heft\", \"seeds\": \"1..2\", "
        "\"options\": {\"order\": \"paper\"}}",
    };
    static const char study[] =
        "{\"applications\": \"a.dot\", \"machines\": \"m.dot\", \"methods\": \"heft\", \"seeds\": \"1..2\"}";
    put_text("a.dot", "digraph { a -> b; }");
    put_text("b.dot", "digraph { a -> b; }");
    put_text("m.dot", "graph { graph [model=bus, processors=2]; }");
    ck_assert_int_eq(status_after(study, study), INLAY_OK);
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        ck_assert_msg(status_after(study, changed[i]) == INLAY_BAD_INPUT, "%s", changed[i]);
        ck_assert(is_there("rows"));
    }
    /* the file is another, and says the same, but for series that are spelt otherwise */
    inlay_study *one = read_study(study),
                *two = read_study("{\"methods\": [\"heft\"], \"output\": \"x\", \"seeds\": {\"from\": 1, \"to\": 2}, "
                                  "\"machines\": [\"m.dot\"], \"applications\": [\"a.dot\"]}");
    ck_assert_str_eq(inlay_study_digest(one), inlay_study_digest(two));
    inlay_study_free(one);
    inlay_study_free(two);
}
END_TEST

START_TEST(files_that_change_are_noticed)
{
    static const char study[] = "{\"applications\": \"a.dot\", \"machines\": \"m.dot\", \"methods\": \"heft\"}";
    put_text("a.dot", "digraph { a -> b; }");
    put_text("m.dot", "graph { p0; p1; p2; p0 -- p1; p1 -- p2; }");
    ck_assert_int_eq(status_after(study, study), INLAY_OK);
    char path[PATH];
    inlay_study_result result;
    const inlay_study_options options = {.output = in_folder("rows", path), .threads = 1};
    for (int i = 0; i < 2; i++) {
        inlay_study *changed = read_study(study);
        ck_assert_int_eq(inlay_study_run(changed, &options, &result, NULL), INLAY_OK);
        inlay_study_free(changed);
        put_text(i == 0 ? "a.dot" : "m.dot",
                 i == 0 ? "digraph { a -> b; /* more */ }" : "graph { p0; p1; p2; p0 -- p1; p0 -- p2; }");
        changed = read_study(study);
        ck_assert_int_eq(inlay_study_run(changed, &options, &result, NULL), INLAY_BAD_INPUT);
        const inlay_study_options anew = {.output = path, .threads = 1, .restart = true};
        ck_assert_int_eq(inlay_study_run(changed, &anew, &result, NULL), INLAY_OK);
        inlay_study_free(changed);
    }
}
END_TEST

START_TEST(what_is_no_new_row_is_refused)
{
    static const char *const wrong[] = {"x\n",
                                        "{\"point\": 8, \"x\": 1}\n",
                                        "{\"point\": 99999999999999, \"x\": 1}\n",
                                        "{\"point\": -1, \"x\": 1}\n",
                                        "{\"point\": 1, \"x\": 1}",
                                        "{\"point\": , \"x\": 1}\n",
                                        "\n",
                                        "{\"point\": 1}\n",
                                        "{\"point\": 1, \"x\"\n"};
    char path[PATH];
    inlay_study *study = read_study(small);
    inlay_study_running *running = NULL;
    inlay_study_result result;
    const inlay_study_options options = {.output = in_folder("rows", path)};
    ck_assert_int_eq(inlay_study_begin(study, &options, &running, NULL), INLAY_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(inlay_study_keep(running, wrong[i], strlen(wrong[i]), NULL) == INLAY_BAD_ARGUMENT, "%s",
                      wrong[i]);
    }
    inlay_study_worker *worker = inlay_study_worker_new(study);
    size_t size;
    ck_assert_int_eq(inlay_study_work(worker, 5), INLAY_OK);
    const char *rows = inlay_study_rows(worker, &size);
    ck_assert_int_eq(inlay_study_keep(running, rows, size, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_study_keep(running, rows, size, NULL), INLAY_BAD_ARGUMENT); /* it is there */
    inlay_study_worker_free(worker);
    ck_assert_int_eq(inlay_study_progress_of(running).done, 1);
    ck_assert_int_eq(inlay_study_finish(running, &result, NULL), INLAY_OK); /* points are missing: nothing is written */
    ck_assert_int_eq(result.progress.done, 1);
    ck_assert(!is_there("rows"));
    inlay_study_end(running);
    ck_assert_int_eq(run(study, "rows").progress.before, 1);
    inlay_study_free(study);
}
END_TEST

/* All that the schema of rows speaks of is shown by some row, and no row shows anything else. */
START_TEST(rows_are_as_their_schema_says)
{
    put_text("bad.dot", "digraph { a [time=x]; }");
    inlay_study *study = read_study(
        "{\"applications\": [{\"generate\": \"montage\"}, \"bad.dot\"], \"machines\": "
        "[\"bus:3,price=1,currency=EUR,power=9\", \"bus:3\"], \"processors\": [2, 9], \"methods\": \"best,heft\"}");
    ck_assert_int_eq(run(study, "rows").failed, 12);
    inlay_study_free(study);
    study =
        read_study("{\"applications\": {\"generate\": \"gauss\", \"group\": \"a\"}, \"machines\": \"bus:2,busy=0.1\", "
                   "\"methods\": \"default,houstis\", \"options\": {\"reduce\": [\"h1\", \"h2\"]}}");
    ck_assert_int_eq(run(study, "more").failed, 0);
    inlay_study_free(study);
    json_t *schema = schema_load("study"), *found = json_object();
    static const char *const files[] = {"rows", "more"};
    for (size_t i = 0; i < 2; i++) {
        file_content rows = get(files[i]);
        for (char *line = rows.data, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            char why[SCHEMA_WHY];
            json_t *row = json_loadb(line, (size_t)(end - line), 0, NULL);
            ck_assert_ptr_nonnull(row);
            ck_assert_msg(schema_accepts(schema, row, found, why), "%s: %.*s", why, (int)(end - line), line);
            schema_refuse_damages(schema, row, 30);
            json_decref(row);
        }
        file_content_clear(&rows);
    }
    json_t *all = schema_facts(schema);
    schema_expect_facts(all, found, "inlay study");
    json_decref(all);
    json_decref(found);
    json_decref(schema);
}
END_TEST

START_TEST(wrong_questions)
{
    inlay_study *study = read_study(small);
    inlay_study_result result;
    inlay_study_running *running = NULL;
    static const inlay_study_options wrong[] = {{0},
                                                {.output = "x", .part = 1},
                                                {.output = "x", .part = 3, .parts = 2},
                                                {.output = "x", .parts = 2},
                                                {.output = "x", .part = -1, .parts = -2}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(inlay_study_run(study, &wrong[i], &result, NULL), INLAY_BAD_ARGUMENT);
    }
    ck_assert_int_eq(inlay_study_run(study, NULL, NULL, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_study_begin(NULL, NULL, &running, NULL), INLAY_BAD_ARGUMENT);
    ck_assert_int_eq(inlay_study_read(NULL, NULL, 0, &study, NULL), INLAY_BAD_ARGUMENT);
    inlay_study_end(NULL);
    inlay_study_worker_free(NULL);
    inlay_study_free(NULL);
    inlay_study_free(study);
}
END_TEST

Suite *suite_study(void)
{
    Suite *suite = suite_create("studies");
    TCase *tests = tcase_create("studies");
    tcase_set_timeout(tests, 0);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, ranges_are_what_they_stand_for);
    tcase_add_test(tests, braces_stand_for_several);
    tcase_add_loop_test(tests, points_are_nested_loops, 0, SEEDS);
    tcase_add_loop_test(tests, points_are_handed_out_once_and_the_largest_first, 0, SEEDS);
    tcase_add_test(tests, a_journal_may_be_cut_anywhere);
    tcase_add_test(tests, rows_of_another_study_are_not_mixed);
    tcase_add_test(tests, files_that_change_are_noticed);
    tcase_add_test(tests, what_is_no_new_row_is_refused);
    tcase_add_test(tests, rows_are_as_their_schema_says);
    tcase_add_test(tests, wrong_questions);
    suite_add_tcase(suite, tests);
    return suite;
}

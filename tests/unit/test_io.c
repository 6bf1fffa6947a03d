/* The format table; WfFormat, STG and Inlay's JSON: real files against their manifest, single members, round trips. */
#include "random_app.h"
#include "unit.h"

#include "base/file.h"
#include <inlay/io.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

static inlay_app *app_from(const char *data, const char *format)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read_memory(data, strlen(data), "in", format, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

static inlay_app *app_of_file(const char *path, const char *format)
{
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_read(path, format, &app, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return app;
}

/** A path for a scratch file of this process. */
static const char *scratch(const char *name)
{
    static char path[PATH_ROOM];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/inlay-io-%ld-%s", folder != NULL ? folder : "/tmp", (long)getpid(), name);
    return path;
}

static void expect_time(const inlay_app *app, inlay_id module, const char *decimal)
{
    inlay_decimal expected;
    ck_assert_int_eq(inlay_decimal_parse(decimal, &expected), INLAY_OK);
    ck_assert(inlay_app_in_units(app, inlay_app_time(app, module)) == inlay_decimal_double(expected));
}

static int64_t bytes_between(const inlay_app *app, const char *from, const char *to)
{
    inlay_links out = inlay_app_out(app, inlay_app_find_module(app, from));
    for (int64_t l = 0; l < out.count; l++) {
        if (out.module[l] == inlay_app_find_module(app, to)) {
            return out.bytes[l];
        }
    }
    return -1;
}

static void expect_same_links(const inlay_links *a, const inlay_links *b, bool messages)
{
    ck_assert_int_eq(a->count, b->count);
    for (int64_t l = 0; l < a->count; l++) {
        ck_assert_int_eq(a->module[l], b->module[l]);
        ck_assert_int_eq(a->bytes[l], b->bytes[l]);
        ck_assert_int_eq(a->flags[l], b->flags[l]);
        if (messages) {
            ck_assert_int_eq(a->messages[l], b->messages[l]);
        }
    }
}

/** What every format but STG keeps: names, times, memory, cores, links and their bytes. */
static void expect_same_core(const inlay_app *a, const inlay_app *b)
{
    ck_assert_int_eq(inlay_app_modules(a), inlay_app_modules(b));
    ck_assert_int_eq(inlay_app_links(a), inlay_app_links(b));
    for (inlay_id i = 0; i < inlay_app_modules(a); i++) {
        ck_assert_str_eq(inlay_app_module_name(a, i), inlay_app_module_name(b, i));
        ck_assert_int_eq(inlay_app_memory(a, i), inlay_app_memory(b, i));
        ck_assert_int_eq(inlay_app_cores(a, i), inlay_app_cores(b, i));
        inlay_links out_a = inlay_app_out(a, i), out_b = inlay_app_out(b, i);
        expect_same_links(&out_a, &out_b, false);
    }
}

static void expect_same_times(const inlay_app *a, const inlay_app *b)
{
    ck_assert_int_eq(inlay_app_decimals(a), inlay_app_decimals(b));
    for (inlay_id i = 0; i < inlay_app_modules(a); i++) {
        ck_assert_int_eq(inlay_app_time(a, i), inlay_app_time(b, i));
    }
}

static void expect_same_blocks(const inlay_app *a, const inlay_app *b)
{
    ck_assert_int_eq(inlay_app_blocks(a), inlay_app_blocks(b));
    for (inlay_id i = 0; i < inlay_app_blocks(a); i++) {
        ck_assert_str_eq(inlay_app_block_name(a, i), inlay_app_block_name(b, i));
        ck_assert_int_eq(inlay_app_block_size(a, i), inlay_app_block_size(b, i));
        ck_assert_int_eq(inlay_app_block_time(a, i), inlay_app_block_time(b, i));
        inlay_links uses_a = inlay_app_uses(a, i), uses_b = inlay_app_uses(b, i);
        expect_same_links(&uses_a, &uses_b, true);
    }
}

static const char *kind_or_none(const inlay_app *app, inlay_id module)
{
    return inlay_app_module_kind(app, module) == NULL ? "(none)" : inlay_app_module_kind(app, module);
}

static void expect_same(const inlay_app *a, const inlay_app *b)
{
    ck_assert_str_eq(inlay_app_name(a), inlay_app_name(b));
    ck_assert_int_eq(inlay_app_unit(a), inlay_app_unit(b));
    expect_same_core(a, b);
    expect_same_times(a, b);
    ck_assert_int_eq(inlay_app_has_blocking(a), inlay_app_has_blocking(b));
    ck_assert_int_eq(inlay_app_types(a), inlay_app_types(b));
    for (inlay_id i = 0; i < inlay_app_modules(a); i++) {
        ck_assert_int_eq(inlay_app_blocking(a, i), inlay_app_blocking(b, i));
        ck_assert_int_eq(inlay_app_pin(a, i), inlay_app_pin(b, i));
        ck_assert_str_eq(kind_or_none(a, i), kind_or_none(b, i));
        ck_assert(inlay_app_arithmetic(a, i) == inlay_app_arithmetic(b, i));
        ck_assert(inlay_app_functions(a, i) == inlay_app_functions(b, i));
        ck_assert_int_eq(inlay_app_traffic_memory(a, i), inlay_app_traffic_memory(b, i));
        ck_assert_int_eq(inlay_app_deadline(a, i), inlay_app_deadline(b, i));
        inlay_links out_a = inlay_app_out(a, i), out_b = inlay_app_out(b, i);
        expect_same_links(&out_a, &out_b, true);
        for (int t = 0; t < inlay_app_types(a); t++) {
            ck_assert_str_eq(inlay_app_type_name(a, t), inlay_app_type_name(b, t));
            ck_assert_int_eq(inlay_app_type_time(a, t, i), inlay_app_type_time(b, t, i));
        }
    }
    expect_same_blocks(a, b);
}

/* ---- The table ---- */

START_TEST(test_table)
{
    static const struct {
        const char *name;
        bool reads, writes;
    } formats[] = {
        {"dot", true, true},   {"wfformat", true, true},    {"stg", true, true},       {"json", true, true},
        {"tg", true, true},    {"graphml", true, true},     {"csv", true, true},       {"dax", true, false},
        {"gxl", true, false},  {"dslab", true, false},      {"dagbench", true, false}, {"mtx", true, false},
        {"metis", true, true}, {"metis-bytes", true, true}, {"scotch", true, true},    {"scotch-bytes", true, true},
        {"sdf3", true, false}, {"tgff", true, false},       {"pi", true, false},       {"scenario", true, false}};
    ck_assert_uint_eq(inlay_formats(), sizeof formats / sizeof *formats);
    for (size_t i = 0; i < inlay_formats(); i++) {
        inlay_format format = inlay_format_at(i);
        ck_assert_str_eq(format.name, formats[i].name);
        ck_assert(format.writes == formats[i].writes && format.reads == formats[i].reads);
        ck_assert(*format.summary != '\0' && (*format.extensions != '\0' || strstr(format.name, "-bytes") != NULL));
    }
}
END_TEST

START_TEST(test_told_by_content)
{
    static const struct {
        const char *data;
        inlay_id modules;
    } inputs[] = {
        {"/* a */ // b\n# c\n strict DiGraph { a [time=1]; b [time=1]; a -> b }", 2},
        {"# comment\n 2\n0 0 0\n1 5 1 0\n", 2},
        {"{\"inlay_application\": 1, \"modules\": [{\"name\": \"a\", \"time\": 1}]}", 1},
        {"{\"schemaVersion\": \"1.4\", \"workflow\": {\"tasks\": [{\"name\": \"a\", \"runtimeInSeconds\": 1}]}}", 1},
        {"\xEF\xBB\xBF{\"inlay_application\": 1, \"modules\": [{\"name\": \"a\", \"time\": 1}]}", 1},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        inlay_app *app = app_from(inputs[i].data, NULL);
        ck_assert_int_eq(inlay_app_modules(app), inputs[i].modules);
        inlay_app_free(app);
    }
}
END_TEST

START_TEST(test_written_by_extension)
{
    static const struct {
        const char *name, *format, *begins;
    } outputs[] = {
        {"a.dot.gz", NULL, "digraph"},  {"a.json", NULL, "{\n  \"inlay_application\": 1"},
        {"a.stg", NULL, "     2\n"},    {"a.wfformat.json", NULL, NULL},
        {"a.unknown", NULL, "digraph"}, {"a.dot", "stg", "     2\n"},
    };
    inlay_app *app = app_from("2\n0 0 0\n1 5 1 0\n2 4 1 0\n3 0 2 1 2\n", NULL);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const char *path = scratch(outputs[i].name);
        int status = inlay_app_write(app, path, outputs[i].format, NULL);
        ck_assert_int_eq(status, outputs[i].begins == NULL ? INLAY_BAD_ARGUMENT : INLAY_OK);
        if (status == INLAY_OK) {
            file_content content;
            ck_assert_int_eq(file_read(path, &content, NULL), INLAY_OK);
            ck_assert_int_eq(strncmp(content.data, outputs[i].begins, strlen(outputs[i].begins)), 0);
            file_content_clear(&content);
        }
        unlink(path);
    }
    inlay_app_free(app);
}
END_TEST

/* ---- Real files ---- */

/* The text between the tabs before column `column` and behind it, as a string of its own. */
static char *column_of(const char *line, int column)
{
    for (; column > 0 && line != NULL; column--) {
        line = strchr(line, '\t');
        line = line == NULL ? NULL : line + 1;
    }
    if (line == NULL) {
        return NULL;
    }
    size_t size = strcspn(line, "\t\n");
    char *copy = malloc(size + 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, line, size);
    copy[size] = '\0';
    return copy;
}

/* Reads one file and compares the numbers that its line states. */
static bool check_listed_file(const char *line)
{
    char path[PATH_ROOM];
    char *name = column_of(line, 0), *modules = column_of(line, 6), *links = column_of(line, 7);
    char *notes = column_of(line, 8);
    bool graph = modules != NULL && links != NULL && *modules != '\0' && *links != '\0';
    if (graph) {
        snprintf(path, sizeof path, "%s/%s", unit_data(), name);
        inlay_app *app = app_of_file(path, NULL);
        ck_assert_msg(inlay_app_modules(app) == atoi(modules) && inlay_app_links(app) == atoi(links),
                      "%s: %d modules, %" PRId64 " links", name, inlay_app_modules(app), inlay_app_links(app));
        const char *work = strstr(notes, "work "), *path_length = strstr(notes, "critical path ");
        if (strncmp(name, "stg/", 4) == 0 && work != NULL && path_length != NULL) {
            inlay_app_info info;
            ck_assert_int_eq(inlay_app_describe(app, &info, NULL), INLAY_OK);
            ck_assert_int_eq(info.work, atoi(work + strlen("work ")));
            ck_assert_int_eq(info.critical_path, atoi(path_length + strlen("critical path ")));
            ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_TICK);
        }
        inlay_app_free(app);
    }
    free(name);
    free(modules);
    free(links);
    free(notes);
    return graph;
}

/* Every file of the manifest in one folder; `expected` guards against a manifest that lost its lines. */
static void check_folder(const char *folder, int expected)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    char path[PATH_ROOM];
    file_content manifest;
    snprintf(path, sizeof path, "%s/MANIFEST.tsv", unit_data());
    ck_assert_int_eq(file_read(path, &manifest, NULL), INLAY_OK);
    int checked = 0;
    for (const char *line = manifest.data; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        checked += strncmp(line, folder, strlen(folder)) == 0 && check_listed_file(line);
    }
    file_content_clear(&manifest);
    ck_assert_int_ge(checked, expected);
}

START_TEST(test_manifest_wfformat)
{
    check_folder("wfformat/", 28);
}
END_TEST

START_TEST(test_manifest_stg)
{
    check_folder("stg/", 130);
}
END_TEST

/* Several versions of one run give the same application. */
START_TEST(test_versions_agree)
{
    static const char *const runs[] = {"montage-chameleon-dss-05d-001", "seismology-chameleon-100p-001"};
    static const char *const versions[] = {"1.2", "1.3", "1.4"};
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    char path[PATH_ROOM];
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        snprintf(path, sizeof path, "%s/wfformat/%s.schema1.0.json", unit_data(), runs[r]);
        inlay_app *first = app_of_file(path, NULL);
        for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
            snprintf(path, sizeof path, "%s/wfformat/%s.schema%s.json", unit_data(), runs[r], versions[v]);
            inlay_app *other = app_of_file(path, NULL);
            expect_same_core(first, other);
            expect_same_times(first, other);
            inlay_app_free(other);
        }
        inlay_app_free(first);
    }
}
END_TEST

/* 1.4 and 1.5 list tasks in the same order here, and state the same bytes in other places. */
START_TEST(test_split_file_agrees)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/wfformat/blast-chameleon-small-001.json", unit_data());
    inlay_app *split = app_of_file(path, NULL);
    snprintf(path, sizeof path, "%s/wfformat/blast-chameleon-small-001.schema1.4.json", unit_data());
    inlay_app *whole = app_of_file(path, NULL);
    for (inlay_id i = 0; i < inlay_app_modules(split); i++) {
        inlay_id other = inlay_app_find_module(whole, inlay_app_module_name(split, i));
        ck_assert_int_ge(other, 0);
        ck_assert_int_eq(inlay_app_time(split, i), inlay_app_time(whole, other));
        ck_assert_int_eq(inlay_app_memory(split, i), inlay_app_memory(whole, other));
        inlay_links out = inlay_app_out(split, i);
        for (int64_t l = 0; l < out.count; l++) {
            ck_assert_int_eq(out.bytes[l], bytes_between(whole, inlay_app_module_name(split, i),
                                                         inlay_app_module_name(split, out.module[l])));
        }
    }
    inlay_app_free(split);
    inlay_app_free(whole);
}
END_TEST

START_TEST(test_simgrid_dialect)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/wfformat/simgrid-dag.json", unit_data());
    inlay_app *app = app_of_file(path, NULL);
    expect_time(app, inlay_app_find_module(app, "c1"), "1000000000");
    expect_time(app, inlay_app_find_module(app, "t1"), "0");
    ck_assert_int_eq(bytes_between(app, "c1", "t1"), 0);
    ck_assert_int_eq(bytes_between(app, "t1", "c3"), 500000000);
    ck_assert_int_eq(bytes_between(app, "c2", "c3"), 0);
    inlay_app_free(app);
}
END_TEST

/* ---- What members of WfFormat come to ---- */

static const char old_workflow[] =
    "{\"name\": \"w\", \"schemaVersion\": \"1.3\", \"workflow\": {\"tasks\": [\n"
    "{\"name\": \"a\", \"runtime\": 0.1, \"memory\": 94720, \"cores\": 0, \"children\": [\"c\"], \"files\": [\n"
    "  {\"link\": \"output\", \"name\": \"f\", \"size\": 10}, {\"link\": \"output\", \"name\": \"f\", \"size\": 99},\n"
    "  {\"link\": \"output\", \"name\": \"g\", \"size\": 5e2}, {\"link\": \"input\", \"name\": \"x\", \"size\": 7}]},\n"
    "{\"name\": \"b\", \"runtime\": 2, \"memoryInBytes\": 5, \"memory\": 6, \"cores\": 1.5, \"files\": [\n"
    "  {\"link\": \"output\", \"name\": \"f\", \"size\": 20}]},\n"
    "{\"name\": \"c\", \"runtime\": 3, \"parents\": [\"a\", \"b\", \"d\"], \"files\": [\n"
    "  {\"link\": \"input\", \"name\": \"f\", \"size\": 1000}, {\"link\": \"input\", \"name\": \"g\", \"size\": 1}]},\n"
    "{\"name\": \"d\", \"type\": \"transfer\", \"writtenBytes\": 5.5}]}}";

/* The producer's size counts, a file once; memory in kB; cores from 1 up; edges from either list. */
START_TEST(test_wfformat_members)
{
    inlay_app *app = app_from(old_workflow, "wfformat");
    ck_assert_str_eq(inlay_app_name(app), "w");
    ck_assert_int_eq(inlay_app_unit(app), INLAY_UNIT_S);
    ck_assert_int_eq(inlay_app_links(app), 3);
    ck_assert_int_eq(bytes_between(app, "a", "c"), 510);
    ck_assert_int_eq(bytes_between(app, "b", "c"), 20);
    ck_assert_int_eq(bytes_between(app, "d", "c"), 6);
    ck_assert_int_eq(inlay_app_memory(app, 0), 94720000);
    ck_assert_int_eq(inlay_app_memory(app, 1), 5);
    ck_assert_int_eq(inlay_app_cores(app, 0), 1);
    ck_assert_int_eq(inlay_app_cores(app, 1), 2);
    ck_assert_int_eq(inlay_app_decimals(app), 1);
    expect_time(app, 0, "0.1");
    inlay_app_free(app);
}
END_TEST

/* Names that repeat give way to ids. */
START_TEST(test_wfformat_ids)
{
    inlay_app *app = app_from("{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": ["
                              "{\"name\": \"n\", \"id\": \"n_1\", \"children\": [\"n_2\"], \"outputFiles\": [\"f\"]},"
                              "{\"name\": \"n\", \"id\": \"n_2\", \"parents\": [\"n_1\"], \"inputFiles\": [\"f\"]}],"
                              "\"files\": [{\"id\": \"f\", \"sizeInBytes\": 12}]},"
                              "\"execution\": {\"tasks\": [{\"id\": \"n_2\", \"runtimeInSeconds\": 2.5},"
                              "{\"id\": \"n_1\", \"runtimeInSeconds\": 1, \"coreCount\": 3}]}}}",
                              NULL);
    ck_assert_str_eq(inlay_app_module_name(app, 0), "n_1");
    expect_time(app, 1, "2.5");
    ck_assert_int_eq(inlay_app_cores(app, 0), 3);
    ck_assert_int_eq(bytes_between(app, "n_1", "n_2"), 12);
    inlay_app_free(app);
}
END_TEST

START_TEST(test_wfformat_unsized_files)
{
    const char *data = "{\"schemaVersion\": \"1.4\", \"workflow\": {\"tasks\": ["
                       "{\"name\": \"a\", \"runtime\": 1, \"files\": [{\"link\": \"output\", \"name\": \"f\"}]},"
                       "{\"name\": \"b\", \"runtime\": 1, \"parents\": [\"a\"],"
                       " \"files\": [{\"link\": \"input\", \"name\": \"f\"}]}]}}";
    inlay_app *app = NULL;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_app_read_memory(data, strlen(data), "w", NULL, &app, diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1);
    ck_assert_str_eq(inlay_diag_warning(diag, 0), "w: some files between tasks have no size; they count as 0 bytes");
    inlay_app_free(app);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Round trips ---- */

static inlay_app *through(const inlay_app *app, const char *name, const char *format)
{
    const char *path = scratch(name);
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_app_write(app, path, format, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    inlay_app *back = app_of_file(path, NULL);
    unlink(path);
    return back;
}

START_TEST(test_json_round_trip)
{
    uint64_t state = 7;
    for (int round = 0; round < 60; round++) {
        inlay_id modules = 1 + (inlay_id)random_below(&state, RANDOM_MODULES);
        random_times times;
        inlay_app *app = random_app(&state, modules,
                                    (unsigned)random_below(&state, RANDOM_DATA) |
                                        (unsigned)random_below(&state, 2) * (RANDOM_DEADLINES | RANDOM_TRAFFIC_MEMORY),
                                    &times);
        inlay_app *back = through(app, "round.json.gz", NULL);
        expect_same(app, back);
        inlay_app_free(app);
        inlay_app_free(back);
    }
}
END_TEST

/* Names that need escapes, times beyond doubles, every attribute. */
START_TEST(test_json_extremes)
{
    inlay_app *app = app_from(
        "{\"inlay_application\": 1, \"name\": \"q\\\"\\\\\\n\\u00e9\", \"time_unit\": \"us\", \"modules\": [\n"
        "{\"name\": \"a b,\\\"\", \"time\": \"123456.123456789012\", \"blocking\": \"1ms\", \"memory\": \"4KiB\",\n"
        " \"traffic_memory\": \"1GiB\", \"cores\": 8, \"pin\": 3, \"kind\": \"k\", \"arithmetic\": 1e300, "
        "\"functions\": 0.1,\n"
        " \"times\": {\"gpu\": 3, \"\\u20ac\": \"2.5us\"}},\n"
        "{\"name\": \"\\u0001\", \"time\": 0.1, \"blocking\": 0}],\n"
        "\"links\": [{\"from\": \"\\u0001\", \"to\": \"a b,\\\"\", \"messages\": 4611686018427387903, \"bytes\": 0},\n"
        " {\"from\": \"a b,\\\"\", \"to\": \"\\u0001\", \"kind\": \"traffic\", \"bytes\": \"1MiB\"}],\n"
        "\"blocks\": [{\"name\": \"d\", \"size\": \"1GiB\", \"time\": 3, \"uses\": [{\"module\": \"a b,\\\"\"}]}]}",
        NULL);
    ck_assert_int_eq(inlay_app_time(app, 0), INT64_C(123456123456789012));
    ck_assert_int_eq(inlay_app_decimals(app), 12);
    ck_assert_int_eq(inlay_app_memory(app, 0), 4096);
    ck_assert_int_eq(inlay_app_traffic_memory(app, 0), 1 << 30);
    inlay_app *back = through(app, "extremes.json", NULL);
    expect_same(app, back);
    ck_assert_int_eq(inlay_app_types(back), 2);
    inlay_app_free(app);
    inlay_app_free(back);
}
END_TEST

START_TEST(test_wfformat_round_trip)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    static const char *const files[] = {"rnaseq-dirt02-001.json", "montage-chameleon-dss-05d-001.schema1.0.json",
                                        "simgrid-dag.json", "blast-chameleon-small-001.json"};
    char path[PATH_ROOM];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/wfformat/%s", unit_data(), files[i]);
        inlay_app *app = app_of_file(path, NULL);
        inlay_app *back = through(app, "round.wfformat.json", NULL);
        expect_same(app, back);
        inlay_app_free(app);
        inlay_app_free(back);
    }
}
END_TEST

/* Milliseconds become seconds; what has no place is named. */
START_TEST(test_wfformat_losses)
{
    inlay_app *app = app_from("digraph g { graph [time_unit=ms]; a [time=1.5, blocking=0, pin=1, \"time.gpu\"=1];"
                              "b [time=2, blocking=1]; a -> b [messages=2, bytes=8]; b -> a [kind=traffic];"
                              "d [kind=data, size=1]; d -> a }",
                              NULL);
    inlay_diag *diag = inlay_diag_new();
    const char *path = scratch("losses.json");
    ck_assert_int_eq(inlay_app_write(app, path, "wfformat", diag), INLAY_OK);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 6);
    ck_assert_str_eq(inlay_diag_warning(diag, 1), "WfFormat has no place for numbers of messages: left out");
    inlay_app *back = app_of_file(path, NULL);
    unlink(path);
    expect_time(back, 0, "0.0015");
    ck_assert_int_eq(inlay_app_links(back), 1);
    ck_assert_int_eq(bytes_between(back, "a", "b"), 8);
    inlay_diag_free(diag);
    inlay_app_free(back);
    inlay_app_free(app);
}
END_TEST

START_TEST(test_stg_round_trip)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    static const char *const files[] = {"rnc50/rand0174.stg", "app/sparse.stg", "proto/sample02.stg"};
    char path[PATH_ROOM];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/stg/%s", unit_data(), files[i]);
        inlay_app *app = app_of_file(path, NULL);
        inlay_app *back = through(app, "round.stg", NULL);
        expect_same_core(app, back);
        expect_same_times(app, back);
        inlay_app_free(app);
        inlay_app_free(back);
    }
}
END_TEST

/* Where there are no dummies, an entry and an exit are added. */
START_TEST(test_stg_adds_dummies)
{
    inlay_app *app = app_from("digraph g { graph [time_unit=tick]; a [time=3]; b [time=4]; c [time=5]; a -> c }", NULL);
    inlay_app *back = through(app, "dummies.stg", NULL);
    ck_assert_int_eq(inlay_app_modules(back), 5);
    ck_assert_int_eq(inlay_app_links(back), 5);
    for (inlay_id i = 0; i < 3; i++) {
        ck_assert_int_eq(inlay_app_time(back, i + 1), inlay_app_time(app, i));
    }
    inlay_app_free(app);
    inlay_app_free(back);
}
END_TEST

START_TEST(test_stg_losses)
{
    inlay_app *app = app_from("digraph g { graph [time_unit=tick]; a [time=3, memory=4, pin=0]; b [time=4];"
                              "a -> b [messages=2] }",
                              NULL);
    inlay_diag *diag = inlay_diag_new();
    const char *path = scratch("losses.stg");
    ck_assert_int_eq(inlay_app_write(app, path, NULL, diag), INLAY_OK);
    unlink(path);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 4);
    ck_assert_str_eq(inlay_diag_warning(diag, 1), "STG has no place for memory and cores: left out");
    inlay_diag_free(diag);
    inlay_app_free(app);
}
END_TEST

Suite *suite_io(void)
{
    Suite *suite = suite_create("io");
    TCase *table = tcase_create("formats");
    tcase_add_test(table, test_table);
    tcase_add_test(table, test_told_by_content);
    tcase_add_test(table, test_written_by_extension);
    suite_add_tcase(suite, table);

    TCase *files = tcase_create("real files");
    tcase_add_test(files, test_manifest_wfformat);
    tcase_add_test(files, test_manifest_stg);
    tcase_add_test(files, test_versions_agree);
    tcase_add_test(files, test_split_file_agrees);
    tcase_add_test(files, test_simgrid_dialect);
    suite_add_tcase(suite, files);

    TCase *members = tcase_create("members");
    tcase_add_test(members, test_wfformat_members);
    tcase_add_test(members, test_wfformat_ids);
    tcase_add_test(members, test_wfformat_unsized_files);
    suite_add_tcase(suite, members);

    TCase *trips = tcase_create("round trips");
    tcase_add_test(trips, test_json_round_trip);
    tcase_add_test(trips, test_json_extremes);
    tcase_add_test(trips, test_wfformat_round_trip);
    tcase_add_test(trips, test_wfformat_losses);
    tcase_add_test(trips, test_stg_round_trip);
    tcase_add_test(trips, test_stg_adds_dummies);
    tcase_add_test(trips, test_stg_losses);
    suite_add_tcase(suite, trips);
    return suite;
}

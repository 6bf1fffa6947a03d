/* The ground floor: decimals, units, tables, texts, files. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json_out.h"
#include "base/plain.h"
#include "random_app.h"
#include "unit.h"
#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_decimal(const char *written, int64_t digits, int scale)
{
    inlay_decimal d = {-1, -1};
    ck_assert_msg(inlay_decimal_parse(written, &d) == INLAY_OK, "%s", written);
    ck_assert_msg(d.digits == digits && d.scale == scale, "%s is %lld e-%d", written, (long long)d.digits, d.scale);
}

START_TEST(decimals_are_exact)
{
    check_decimal("464", 464, 0);
    check_decimal("-2.50", -25, 1);
    check_decimal("+0.0025", 25, 4);
    check_decimal("1e-3", 1, 3);
    check_decimal("1e9", 1000000000, 0);
    check_decimal("1.5E2", 150, 0);
    check_decimal(".5", 5, 1);
    check_decimal("5.", 5, 0);
    check_decimal("0.000", 0, 0);
    check_decimal("000123.4500", 12345, 2);
    check_decimal("0.1234567890123456789", 123456789012345679, 18);
    check_decimal("1234567890123456785", 1234567890123456785, 0);
    check_decimal("1e-30", 0, 18); /* more than 0, which has no decimals */
    check_decimal("-0e-30", 0, 0);
    check_decimal("4e-19", 0, 18);
    check_decimal("6e-19", 1, 18);
    check_decimal("9223372036854775e3", 9223372036854775000, 0);
    static const char *const wrong[] = {"", " 1", "1 ", "nan", "inf", "-", ".", "1e", "0x10", "1,5", "1e30", "--1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        inlay_decimal d = {7, 7};
        ck_assert_msg(inlay_decimal_parse(wrong[i], &d) == INLAY_BAD_INPUT && d.digits == 7, "'%s'", wrong[i]);
    }
}
END_TEST

START_TEST(decimals_round_and_print)
{
    char shown[DECIMAL_TEXT];
    int64_t grains;
    ck_assert_str_eq(decimal_text((inlay_decimal){-25, 1}, shown), "-2.5");
    ck_assert_str_eq(decimal_text((inlay_decimal){1, 18}, shown), "0.000000000000000001");
    ck_assert_str_eq(decimal_text((inlay_decimal){INT64_MIN, 0}, shown), "-9223372036854775808");
    ck_assert(decimal_grains((inlay_decimal){25, 1}, 0, &grains) && grains == 2); /* half to even */
    ck_assert(decimal_grains((inlay_decimal){35, 1}, 0, &grains) && grains == 4);
    ck_assert(decimal_grains((inlay_decimal){2501, 3}, 0, &grains) && grains == 3);
    ck_assert(decimal_floor_grains((inlay_decimal){2999, 3}, 0, &grains) && grains == 2);
    ck_assert(decimal_floor_grains((inlay_decimal){-1, 1}, 0, &grains) && grains == -1);
    ck_assert(!decimal_grains((inlay_decimal){INT64_MAX, 0}, 1, &grains));
}
END_TEST

START_TEST(doubles_survive_text)
{
    uint64_t state = 11;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_next(&state);
        double x;
        char shown[DOUBLE_TEXT];
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) {
            ck_assert(plain_number(double_text(x, shown), NULL) == x);
        }
        double seconds = (double)random_below(&state, 1000000000) / 1000;
        inlay_decimal d;
        ck_assert(inlay_decimal_from_double(seconds, &d) == INLAY_OK && d.scale <= 3);
        ck_assert_double_eq(inlay_decimal_double(d), seconds);
    }
}
END_TEST

START_TEST(quantities_have_units)
{
    inlay_duration time;
    int64_t bytes;
    inlay_rate rate;
    ck_assert(inlay_duration_parse("2.5ms", &time) == INLAY_OK && time.unit == INLAY_UNIT_MS &&
              time.value.digits == 25);
    ck_assert(inlay_duration_parse("3 ticks", &time) == INLAY_OK && time.unit == INLAY_UNIT_TICK);
    ck_assert(inlay_duration_parse("7", &time) == INLAY_OK && time.unit == INLAY_UNIT_NONE);
    ck_assert(inlay_duration_parse("5kg", &time) == INLAY_BAD_INPUT);
    ck_assert(inlay_bytes_parse("4KiB", &bytes) == INLAY_OK && bytes == 4096);
    ck_assert(inlay_bytes_parse("1.5 kB", &bytes) == INLAY_OK && bytes == 1500);
    ck_assert(inlay_bytes_parse("0.5", &bytes) == INLAY_BAD_INPUT);
    ck_assert(inlay_bytes_parse("8388608TiB", &bytes) == INLAY_BAD_INPUT);
    ck_assert(inlay_rate_parse("10Mbit/s", &rate) == INLAY_OK && rate.value == 1.25e6 && rate.kind == INLAY_RATE_BYTES);
    ck_assert(inlay_rate_parse("1msg/tick", &rate) == INLAY_OK && rate.per == INLAY_UNIT_TICK && rate.value == 1);
    ck_assert(inlay_rate_parse("64KiB/us", &rate) == INLAY_OK && rate.value == 65536 && rate.per == INLAY_UNIT_US);
    ck_assert(inlay_rate_parse("3", &rate) == INLAY_OK && rate.per == INLAY_UNIT_NONE);
    ck_assert(inlay_rate_parse("0msg/s", &rate) == INLAY_BAD_INPUT);
    ck_assert(inlay_rate_parse("1msg/kg", &rate) == INLAY_BAD_INPUT);
}
END_TEST

/* An array as the slow map. */
START_TEST(id_map_holds_what_an_array_holds)
{
    enum { KEYS = 300 };
    int64_t slow[KEYS];
    uint64_t state = 5;
    id_map map = {0};
    for (int i = 0; i < KEYS; i++) {
        slow[i] = -1;
    }
    for (int step = 0; step < 50000; step++) {
        int32_t key = (int32_t)random_below(&state, KEYS);
        int64_t value = random_below(&state, 1000);
        if (random_once_in(&state, 3)) {
            ck_assert_int_eq(id_map_remove(&map, key, -1), slow[key]);
            slow[key] = -1;
        } else {
            slow[key] = (slow[key] < 0 ? 0 : slow[key]) + value;
            ck_assert_int_eq(id_map_add(&map, key, value), slow[key]);
        }
        key = (int32_t)random_below(&state, KEYS);
        ck_assert_int_eq(id_map_get(&map, key, -1), slow[key]);
    }
    int32_t key;
    int64_t value;
    uint32_t met = 0;
    for (uint32_t slot = 0; id_map_next(&map, &slot, &key, &value); met++) {
        ck_assert_int_eq(slow[key], value);
        slow[key] = -1;
    }
    ck_assert_uint_eq(met, map.used);
    for (int i = 0; i < KEYS; i++) {
        ck_assert_int_eq(slow[i], -1);
    }
    id_map_clear(&map);
}
END_TEST

START_TEST(name_map_finds_names)
{
    enum { NAMES = 2000 };
    static char names[NAMES][12];
    name_map map = {0};
    for (int i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i * 7919);
        ck_assert_int_eq(name_map_get(&map, names[i]), -1);
        ck_assert(name_map_put(&map, names[i], i));
    }
    for (int i = 0; i < NAMES; i++) {
        ck_assert_int_eq(name_map_get(&map, names[i]), i);
    }
    ck_assert_int_eq(name_map_get(&map, "n"), -1);
    name_map_clear(&map);
}
END_TEST

START_TEST(json_is_written_in_order)
{
    text_buffer out = {0};
    inlay_json json = json_out_begin(&out);
    inlay_json_object(&json, NULL);
    inlay_json_string(&json, "a", "q\"b\\s\nt\tx\x01");
    inlay_json_flat_array(&json, "list");
    inlay_json_integer(&json, NULL, -3);
    inlay_json_number(&json, NULL, 0.1);
    inlay_json_number(&json, NULL, NAN);
    inlay_json_array_end(&json);
    inlay_json_object(&json, "empty");
    inlay_json_object_end(&json);
    inlay_json_literal(&json, "exact", "0.10");
    inlay_json_bool(&json, "yes", true);
    inlay_json_object_end(&json);
    json_out_end(&json);
    ck_assert(!out.failed);
    ck_assert_str_eq(out.data, "{\n  \"a\": \"q\\\"b\\\\s\\nt\\tx\\u0001\",\n  \"list\": [-3, 0.1, null],\n"
                               "  \"empty\": {},\n  \"exact\": 0.10,\n  \"yes\": true\n}\n");
    text_clear(&out);
}
END_TEST

START_TEST(json_members_come_in_several_at_once)
{
    text_buffer at_once = {0}, one_by_one = {0};
    inlay_json json = json_out_begin(&at_once);
    inlay_json_put(&json, "{ text %s none %s", "a b", getenv("INLAY_UNIT_NO_SUCH_NAME"));
    inlay_json_put(&json, "of { least %d most %" PRId64 " size %zu } count %i no_count %" PRIi64, -1, (int64_t)1 << 40,
                   (size_t)7, 0, (int64_t)-1);
    inlay_json_put(&json, "list [ %g %g ] exact %-s no_number %-s yes %hhd void null }", 0.5, (double)NAN, "1.250", "",
                   (bool)true);
    json = json_out_begin(&one_by_one);
    inlay_json_object(&json, NULL);
    inlay_json_string(&json, "text", "a b");
    inlay_json_string(&json, "none", NULL);
    inlay_json_object(&json, "of");
    inlay_json_integer(&json, "least", -1);
    inlay_json_integer(&json, "most", (int64_t)1 << 40);
    inlay_json_integer(&json, "size", 7);
    inlay_json_object_end(&json);
    inlay_json_count(&json, "count", 0);
    inlay_json_count(&json, "no_count", -1);
    inlay_json_array(&json, "list");
    inlay_json_number(&json, NULL, 0.5);
    inlay_json_number(&json, NULL, NAN);
    inlay_json_array_end(&json);
    inlay_json_literal(&json, "exact", "1.250");
    inlay_json_null(&json, "no_number");
    inlay_json_bool(&json, "yes", true);
    inlay_json_null(&json, "void");
    inlay_json_object_end(&json);
    ck_assert_str_eq(at_once.data, one_by_one.data);
    text_clear(&at_once);
    text_clear(&one_by_one);
}
END_TEST

START_TEST(sha256_of_known_texts)
{
    char hex[65];
    sha256_hex("", 0, hex);
    ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256_hex("abc", 3, hex);
    ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    sha256_hex(two_blocks, sizeof two_blocks - 1, hex);
    ck_assert_str_eq(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}
END_TEST

/* A folder of its own, removed at the end. */
static void in_folder(void (*body)(const char *folder))
{
    char folder[] = "/tmp/inlay-unit-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    body(folder);
    rmdir(folder);
}

static void write_and_read(const char *folder)
{
    char path[64];
    inlay_diag *diag = inlay_diag_new();
    enum { SIZE = 200000 };
    char *data = malloc(SIZE);
    for (unsigned i = 0; i < SIZE; i++) {
        data[i] = (char)((unsigned)i * (unsigned)i >> 3);
    }
    static const char *const names[] = {"plain", "packed.gz"};
    for (int n = 0; n < 2; n++) {
        file_content content, raw;
        snprintf(path, sizeof path, "%s/%s", folder, names[n]);
        ck_assert_int_eq(file_write(path, data, SIZE, diag), INLAY_OK);
        ck_assert_int_eq(file_read(path, &content, diag), INLAY_OK);
        ck_assert_uint_eq(content.size, SIZE);
        ck_assert_mem_eq(content.data, data, SIZE);
        file_content_clear(&content);
        ck_assert_int_eq(file_read_raw(path, &raw, diag), INLAY_OK);
        ck_assert((raw.size < SIZE) == (n == 1));
        file_content_clear(&raw);
        unlink(path);
    }
    free(data);
    inlay_diag_free(diag);
}

START_TEST(files_come_back)
{
    in_folder(write_and_read);
}
END_TEST

static void cut_gzip(const char *folder)
{
    char path[64], cut_path[64];
    snprintf(path, sizeof path, "%s/whole.gz", folder);
    snprintf(cut_path, sizeof cut_path, "%s/cut", folder);
    file_content raw;
    ck_assert_int_eq(file_write(path, "some text, some more text", 25, NULL), INLAY_OK);
    ck_assert_int_eq(file_read_raw(path, &raw, NULL), INLAY_OK);
    for (size_t cut = 2; cut < raw.size; cut++) {
        inlay_diag *diag = inlay_diag_new();
        file_content content;
        ck_assert_int_eq(file_write(cut_path, raw.data, cut, NULL), INLAY_OK);
        ck_assert_int_eq(file_read(cut_path, &content, diag), INLAY_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "/cut: the gzip data is damaged or cut off"));
        inlay_diag_free(diag);
    }
    file_content_clear(&raw);
    unlink(path);
    unlink(cut_path);
}

START_TEST(cut_gzip_is_refused)
{
    in_folder(cut_gzip);
}
END_TEST

START_TEST(diagnostics_are_one_line)
{
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(diag_fail_at(diag, INLAY_BAD_INPUT, "f", 3, "a\nb\tc"), INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), "f:3: a b c");
    diag_fail(diag, INLAY_SYSTEM, "later");
    ck_assert_str_eq(inlay_diag_message(diag), "f:3: a b c");
    diag_warn(diag, "w %d", 1);
    diag_warn(diag, "w 1");
    diag_warn(diag, "w 2");
    ck_assert_uint_eq(inlay_diag_warnings(diag), 2);
    ck_assert_ptr_null(inlay_diag_remedy_option(diag));
    diag_remedy(diag, "-T", "%d", 133);
    diag_remedy(diag, "-T", "%d", 134); /* the first stays */
    ck_assert_str_eq(inlay_diag_remedy_value(diag), "133");
    ck_assert(diag_remedy_too(diag, "--processors", "3"));
    ck_assert(diag_remedy_too(diag, "--processors", "4"));
    ck_assert(!diag_remedy_too(diag, "--processors", "4"));
    ck_assert_uint_eq(inlay_diag_remedies(diag), 2);
    ck_assert_str_eq(inlay_diag_remedy_option_at(diag, 1), "--processors");
    ck_assert_str_eq(inlay_diag_remedy_value_at(diag, 1), "4");
    ck_assert_ptr_null(inlay_diag_remedy_option_at(diag, 2));
    char *long_text = malloc(5000);
    for (int i = 0; i < 4999; i++) {
        long_text[i] = "\xC3\xA9"[i % 2];
    }
    long_text[4999] = '\0';
    diag_clear_error(diag);
    diag_fail(diag, INLAY_BAD_INPUT, "%s", long_text);
    const char *message = inlay_diag_message(diag);
    ck_assert_uint_eq(strlen(message) % 2, 0); /* no half character at the end */
    free(long_text);
    inlay_diag_free(diag);
    diag_fail(NULL, INLAY_BAD_INPUT, "nobody listens");
    diag_warn(NULL, "nobody listens");
    ck_assert_str_eq(inlay_diag_message(NULL), "");
}
END_TEST

START_TEST(codes_have_texts_and_exit_statuses)
{
    static const int exits[] = {0, 1, 2, 2, 2, 3, 3};
    for (int code = 0; code >= INLAY_SYSTEM; code--) {
        ck_assert_int_eq(inlay_exit_status(code), exits[-code]);
        ck_assert_str_ne(inlay_status_text(code), "unknown status");
    }
    ck_assert_str_eq(inlay_status_text(-99), "unknown status");
    ck_assert_int_eq(inlay_exit_status(-99), 3);
}
END_TEST

Suite *suite_base(void)
{
    Suite *suite = suite_create("base");
    TCase *tests = tcase_create("base");
    tcase_add_test(tests, decimals_are_exact);
    tcase_add_test(tests, decimals_round_and_print);
    tcase_add_test(tests, doubles_survive_text);
    tcase_add_test(tests, quantities_have_units);
    tcase_add_test(tests, id_map_holds_what_an_array_holds);
    tcase_add_test(tests, name_map_finds_names);
    tcase_add_test(tests, json_is_written_in_order);
    tcase_add_test(tests, json_members_come_in_several_at_once);
    tcase_add_test(tests, sha256_of_known_texts);
    tcase_add_test(tests, files_come_back);
    tcase_add_test(tests, cut_gzip_is_refused);
    tcase_add_test(tests, diagnostics_are_one_line);
    tcase_add_test(tests, codes_have_texts_and_exit_statuses);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Files in pieces: what is hashed, taken and written piece by piece is what it is as a whole. */
#include "random_app.h"
#include "tg_subject.h"
#include "unit.h"

#include "base/file.h"
#include "base/input.h"
#include <inlay/outputs.h>
#include "base/sha256.h"
#include "io/line_writer.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 600000 };

/* Lines of any length, empty ones and very long ones too; the last one has no newline. */
static char *sample(void)
{
    uint64_t state = 5;
    char *data = malloc(SIZE);
    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < SIZE; i++) {
        bool quiet = i > 100000 && i < 450000; /* longer than any window */
        data[i] = !quiet && random_once_in(&state, 20) ? '\n' : (char)('a' + random_below(&state, 26));
    }
    data[SIZE - 1] = 'z';
    return data;
}

/* ---- Hashes ---- */

/* Of FIPS 180-4's examples the one of a million letters, by both ways of computing it, in pieces of all sizes. */
START_TEST(hashes_in_pieces)
{
    enum { LETTERS = 1000000 };
    static const char expected[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    char *letters = malloc(LETTERS), hex[65];
    memset(letters, 'a', LETTERS);
    for (int fast = 0; fast < 1 + sha256_has_fast(); fast++) {
        uint64_t state = 1;
        sha256 hash = sha256_begin();
        hash.fast = fast == 1;
        for (size_t at = 0; at < LETTERS;) {
            size_t piece = (size_t)random_below(&state, random_once_in(&state, 50) ? 5000 : 130);
            piece = piece < LETTERS - at ? piece : LETTERS - at;
            sha256_add(&hash, letters + at, piece);
            at += piece;
        }
        sha256_end(&hash, hex);
        ck_assert_str_eq(hex, expected);
    }
    sha256_hex(letters, LETTERS, hex);
    ck_assert_str_eq(hex, expected);
    free(letters);
}
END_TEST

/* Random texts of every short length: the slow way is the judge of the fast one. */
START_TEST(fast_hashes_are_hashes)
{
    uint64_t state = 3;
    char data[300], slow_hex[65], hex[65];
    for (size_t size = 0; size < sizeof data; size++) {
        for (size_t i = 0; i < size; i++) {
            data[i] = (char)random_next(&state);
        }
        sha256 slow = sha256_begin();
        slow.fast = false;
        sha256_add(&slow, data, size);
        sha256_end(&slow, slow_hex);
        sha256_hex(data, size, hex);
        ck_assert_str_eq(hex, slow_hex);
    }
}
END_TEST

/* ---- Input ---- */

/* All lines, put together again: each comes whole, and only the last gets a newline that it did not have. */
static void expect_lines(input *in, const char *data, size_t size)
{
    size_t seen = 0;
    for (;;) {
        char *lines;
        size_t count;
        ck_assert_int_eq(input_lines(in, &lines, &count, NULL), INLAY_OK);
        if (count == 0) {
            break;
        }
        ck_assert_int_eq(lines[count - 1], '\n');
        bool last = seen + count == size + 1;
        ck_assert(last || seen + count < size);
        ck_assert_mem_eq(lines, data + seen, count - last);
        seen += count;
        memset(lines, 0, count); /* the caller may write there */
    }
    ck_assert_uint_eq(seen, size + 1);
}

START_TEST(lines_come_whole)
{
    char *data = sample(), path[64], hex[65], expected[65];
    for (int packed = 0; packed < 2; packed++) {
        snprintf(path, sizeof path, "%s", tg_scratch(packed ? "lines.gz" : "lines"));
        ck_assert_int_eq(file_write(path, data, SIZE, NULL), INLAY_OK);
        file_content raw;
        ck_assert_int_eq(file_read_raw(path, &raw, NULL), INLAY_OK);
        sha256_hex(raw.data, raw.size, expected);
        input *in = NULL;
        ck_assert_int_eq(input_open(path, &in, NULL), INLAY_OK);
        ck_assert_uint_eq(input_size_on_disk(in), raw.size);
        ck_assert(input_is_packed(in) == (packed == 1));
        const char *head;
        size_t size;
        ck_assert_int_eq(input_peek(in, 100, &head, &size, NULL), INLAY_OK);
        ck_assert_uint_ge(size, 100);
        ck_assert_mem_eq(head, data, 100);
        input_skip(in, 3);
        expect_lines(in, data + 3, SIZE - 3);
        input_hash(in, hex);
        ck_assert_str_eq(hex, expected);
        input_close(in);
        file_content_clear(&raw);
        unlink(path);
    }
    input *in = NULL;
    ck_assert_int_eq(input_open_memory(data, SIZE, &in, NULL), INLAY_OK);
    expect_lines(in, data, SIZE);
    input_close(in);
    free(data);
}
END_TEST

START_TEST(the_rest_comes_at_once)
{
    char *data = sample(), path[64];
    for (int packed = 0; packed < 2; packed++) {
        snprintf(path, sizeof path, "%s", tg_scratch(packed ? "rest.gz" : "rest"));
        ck_assert_int_eq(file_write(path, data, SIZE, NULL), INLAY_OK);
        input *in = NULL;
        const char *head;
        size_t size;
        file_content rest;
        ck_assert_int_eq(input_open(path, &in, NULL), INLAY_OK);
        ck_assert_int_eq(input_peek(in, 1, &head, &size, NULL), INLAY_OK);
        input_skip(in, 1);
        ck_assert_int_eq(input_rest(in, &rest, NULL), INLAY_OK);
        ck_assert_uint_eq(rest.size, SIZE - 1);
        ck_assert_mem_eq(rest.data, data + 1, SIZE - 1);
        ck_assert_int_eq(rest.data[rest.size], '\0');
        input_close(in);
        file_content_clear(&rest);
        unlink(path);
    }
    free(data);
}
END_TEST

/* ---- Output ---- */

START_TEST(written_in_pieces)
{
    char *data = sample(), path[64];
    for (int packed = 0; packed < 2; packed++) {
        uint64_t state = 9;
        snprintf(path, sizeof path, "%s", tg_scratch(packed ? "pieces.gz" : "pieces"));
        inlay_file *out = NULL;
        ck_assert_int_eq(inlay_file_open(path, &out, NULL), INLAY_OK);
        for (size_t at = 0; at < SIZE;) {
            size_t piece = (size_t)random_below(&state, random_once_in(&state, 9) ? 100000 : 50);
            piece = piece < SIZE - at ? piece : SIZE - at;
            inlay_file_put(out, data + at, piece);
            at += piece;
            ck_assert_int_ne(access(path, F_OK), 0); /* not before it is whole */
        }
        ck_assert_int_eq(inlay_file_close(out, NULL), INLAY_OK);
        file_content content;
        ck_assert_int_eq(file_read(path, &content, NULL), INLAY_OK);
        ck_assert_uint_eq(content.size, SIZE);
        ck_assert_mem_eq(content.data, data, SIZE);
        file_content_clear(&content);
        unlink(path);
    }
    free(data);
}
END_TEST

/* A device that is full says so at the end, packed or not, however much was put. */
START_TEST(full_devices_are_told)
{
    if (access("/dev/full", W_OK) != 0) {
        unit_skip("no /dev/full");
        return;
    }
    char *data = sample();
    inlay_diag *diag = inlay_diag_new();
    inlay_file *out = NULL;
    ck_assert_int_eq(inlay_file_open("/dev/full", &out, diag), INLAY_OK);
    inlay_file_put(out, data, SIZE);
    inlay_file_put(out, data, SIZE);
    ck_assert_int_eq(inlay_file_close(out, diag), INLAY_SYSTEM);
    ck_assert_str_eq(inlay_diag_message(diag), "/dev/full: cannot be written (No space left on device)");
    inlay_diag_free(diag);
    free(data);
}
END_TEST

START_TEST(numbers_and_words)
{
    static const int64_t numbers[] = {0, 9, 10, 99, 1234567890123, INT64_MAX};
    char path[64];
    snprintf(path, sizeof path, "%s", tg_scratch("numbers"));
    text_buffer expected = {0};
    inlay_file *out = NULL;
    ck_assert_int_eq(inlay_file_open(path, &out, NULL), INLAY_OK);
    line_writer w = {.to = out};
    for (int i = 0; i < 3000; i++) { /* over the ends of several blocks */
        line_number(&w, numbers[i % 6], ' ');
        line_text(&w, "word");
        line_bytes(&w, "\n", 1);
        text_addf(&expected, "%" PRId64 " word\n", numbers[i % 6]);
    }
    line_flush(&w);
    ck_assert_int_eq(inlay_file_close(out, NULL), INLAY_OK);
    file_content content;
    ck_assert_int_eq(file_read(path, &content, NULL), INLAY_OK);
    ck_assert_str_eq(content.data, expected.data);
    file_content_clear(&content);
    text_clear(&expected);
    unlink(path);
}
END_TEST

Suite *suite_tg_files(void)
{
    Suite *suite = suite_create("tg files");
    TCase *tests = tcase_create("tg files");
    tcase_add_test(tests, hashes_in_pieces);
    tcase_add_test(tests, fast_hashes_are_hashes);
    tcase_add_test(tests, lines_come_whole);
    tcase_add_test(tests, the_rest_comes_at_once);
    tcase_add_test(tests, written_in_pieces);
    tcase_add_test(tests, full_devices_are_told);
    tcase_add_test(tests, numbers_and_words);
    suite_add_tcase(suite, tests);
    return suite;
}

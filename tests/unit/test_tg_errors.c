/* .tg that is none: every bad line has its message, with its number, and leaves nothing behind. */
#include "tg_subject.h"
#include "unit.h"

#include "base/file.h"
#include <inlay/io.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEAD(counts)  "tg 1 " counts " tick\n"
#define TWO           "1 - 0 a\n2 - 0 b\n"
#define SECTION(text) HEAD("2 0") TWO text

#define BEGINS  " is not how version 1 or 2 of this format begins; expected 'tg 1 MODULES LINKS TIME_UNIT'"
#define MODULES "; expected a whole number from 1 to 2147483646"
#define WHOLE   "; expected a whole number from 0 to 9223372036854775807"
#define BYTES   "; expected a whole number of bytes, 0 or more, with or without a unit of size"
#define TIME    "; expected a number, with or without a unit of time"
#define NEITHER "; expected a whole number from 0 to 1"
#define ESCAPES "; expected text with the escapes of JSON"
#define QUOTES  "2: the quotes of the name are not closed at the end of the line; expected '\"'"
#define BEHIND                                                                                                         \
    " behind the last link; expected the end of the file, as line 1 says, or one of the sections cores, pins, kinds, " \
    "arithmetic, functions, deadlines, traffic_memory, times, blocks and uses"

static const struct {
    const char *text, *message;
} bad[] = {
    /* The header */
    {"", "1: ''" BEGINS},
    {"\n", "1: ''" BEGINS},
    {"tg", "1: 'tg'" BEGINS},
    {"tg 3 1 0 tick\n", "1: 'tg 3'" BEGINS},
    {"TG 1 1 0 tick\n", "1: 'TG 1'" BEGINS},
    {"digraph d {}", "1: 'digraph d'" BEGINS},
    {HEAD("0 0"), "1: the number of modules '0' cannot be read" MODULES},
    {HEAD("2147483647 0"), "1: the number of modules '2147483647' cannot be read" MODULES},
    {HEAD("-1 0"), "1: the number of modules '-1' cannot be read" MODULES},
    {"tg 1\n", "1: the number of modules is missing" MODULES},
    {"tg 1 1\n", "1: the number of links is missing" WHOLE},
    {HEAD("1 9223372036854775808"), "1: the number of links '9223372036854775808' cannot be read" WHOLE},
    {"tg 1 1 0\n", "1: unknown time unit ''; expected s, ms, us, ns or tick"},
    {"tg 1 1 0 hour\n", "1: unknown time unit 'hour'; expected s, ms, us, ns or tick"},
    {"tg 1 1 0 tick 3\n", "1: more than was expected on this line; expected 'tg 1 MODULES LINKS TIME_UNIT'"},

    /* Counts that lie */
    {HEAD("2 0"), "1: the file ends after 0 of 2 modules; expected as many as line 1 says"},
    {HEAD("3 0") TWO, "3: the file ends after 2 of 3 modules; expected as many as line 1 says"},
    {HEAD("2147483646 9223372036854775807") TWO,
     "3: the file ends after 2 of 2147483646 modules; expected as many as line 1 says"},
    {HEAD("2 2") TWO "0 1 1 0 -", "4: the file ends after 1 of 2 links; expected as many as line 1 says"},
    {HEAD("1 0") TWO, "3: '2'" BEHIND},
    {HEAD("3 1") TWO "0 1 1 0 -\n", "4: the file ends after 0 of 1 links; expected as many as line 1 says"},

    /* Modules */
    {HEAD("2 0") "\n" TWO, "2: the time is missing" TIME},
    {HEAD("1 0") "x - 0 a\n", "2: the time 'x' cannot be read" TIME},
    {HEAD("1 0") "1h - 0 a\n", "2: the time '1h' cannot be read" TIME},
    {HEAD("1 0") "nan - 0 a\n", "2: the time 'nan' cannot be read" TIME},
    {HEAD("1 0") ". - 0 a\n", "2: the time '.' cannot be read" TIME},
    {HEAD("1 0") "1.2.3 - 0 a\n", "2: the time '1.2.3' cannot be read" TIME},
    {HEAD("1 0") "1e999 - 0 a\n", "2: the time '1e999' cannot be read" TIME},
    {HEAD("1 0") "99999999999999999999 - 0 a\n", "2: the time '99999999999999999999' cannot be read" TIME},
    {HEAD("1 0") "9223372036854775807 - 0 a\n", " the times add up to more than 2^62 tick; expected a larger unit"},
    {HEAD("1 0") "-1 - 0 a\n", "2: time of 'a' is negative; expected 0 or more"},
    {HEAD("1 0") "1ms - 0 a\n", "2: time of 'a' is in ms; expected the application's unit, tick"},
    {HEAD("1 0") "1\n", "2: the blocking time is missing" TIME},
    {HEAD("1 0") "1 b 0 a\n", "2: the blocking time 'b' cannot be read" TIME},
    {HEAD("1 0") "1 -1 0 a\n", "2: blocking of 'a' is negative; expected 0 or more"},
    {HEAD("2 0") "1 0 0 a\n2 - 0 b\n",
     "3: module 'b' has no blocking time but 1 of 2 modules have one; expected all or none"},
    {HEAD("1 0") "1 -\n", "2: the memory is missing" BYTES},
    {HEAD("1 0") "1 - a\n", "2: the memory 'a' cannot be read" BYTES},
    {HEAD("1 0") "1 - -4 a\n", "2: the memory '-4' cannot be read" BYTES},
    {HEAD("1 0") "1 - 0.5 a\n", "2: the memory '0.5' cannot be read" BYTES},
    {HEAD("1 0") "1 - 9223372036854775808 a\n", "2: the memory '9223372036854775808' cannot be read" BYTES},
    {HEAD("1 0") "1 - 0\n", "2: the name is missing; expected one"},
    {HEAD("1 0") "1 - 0 \"\"\n", "2: the name is missing; expected one"},
    {HEAD("1 0") "1 - 0 a\\x\n", "2: a broken escape in the name" ESCAPES},
    {HEAD("1 0") "1 - 0 a\\\n", "2: a broken escape in the name" ESCAPES},
    {HEAD("1 0") "1 - 0 \\u12\n", "2: a broken escape in the name" ESCAPES},
    {HEAD("1 0") "1 - 0 \\ud800\n", "2: a broken escape in the name" ESCAPES},
    {HEAD("1 0") "1 - 0 a\\u0000\n", "2: a NUL byte in the name" ESCAPES},
    {HEAD("1 0") "1 - 0 \"a\n", QUOTES},
    {HEAD("1 0") "1 - 0 \"a\" b\n", QUOTES},
    {HEAD("1 0") "1 - 0 \"a\\\"\n", QUOTES},
    {HEAD("1 0") "1 - 0 \"\n", QUOTES},
    {HEAD("3 0") TWO "3 - 0 a\n", "4: duplicate module 'a'; expected every name once"},
    {HEAD("4 0") TWO "3 - 0 \\u0061\nx\n", "4: duplicate module 'a'; expected every name once"},

    /* Links */
    {HEAD("2 1") TWO "\n", "4: from is missing" NEITHER},
    {HEAD("2 1") TWO "a 1 1 0 -\n", "4: from 'a' cannot be read" NEITHER},
    {HEAD("2 1") TWO "2 1 1 0 -\n", "4: from '2' cannot be read" NEITHER},
    {HEAD("2 1") TWO "-1 1 1 0 -\n", "4: from '-1' cannot be read" NEITHER},
    {HEAD("2 1") TWO "0 4294967297 1 0 -\n", "4: to '4294967297' cannot be read" NEITHER},
    {HEAD("2 1") TWO "1 1 1 0 -\n", "4: self link of module 'b'; expected a link between two modules"},
    {HEAD("2 1") TWO "0 1\n", "4: messages is missing" WHOLE},
    {HEAD("2 1") TWO "0 1 -1 0 -\n", "4: messages '-1' cannot be read" WHOLE},
    {HEAD("2 1") TWO "0 1 1.5 0 -\n", "4: messages '1.5' cannot be read" WHOLE},
    {HEAD("2 1") TWO "0 1 9223372036854775808 0 -\n", "4: messages '9223372036854775808' cannot be read" WHOLE},
    {HEAD("2 1") TWO "0 1 18446744073709551617 0 -\n", "4: messages '18446744073709551617' cannot be read" WHOLE},
    {HEAD("2 1") TWO "0 1 1\n", "4: bytes is missing" BYTES},
    {HEAD("2 1") TWO "0 1 1 -1 -\n", "4: bytes '-1' cannot be read" BYTES},
    {HEAD("2 1") TWO "0 1 1 0 x\n", "4: flags 'x' cannot be read; expected - or t (traffic without precedence)"},
    {HEAD("2 1") TWO "0 1 1 0 tt\n", "4: flags 'tt' cannot be read; expected - or t (traffic without precedence)"},
    {HEAD("2 1") TWO "0 1 1 0 t t\n",
     "4: more than was expected on this line; expected 'from to messages bytes flags'"},
    {HEAD("2 2") TWO "0 1 9223372036854775807 0 -\n0 1 1 0 t\n",
     " messages or bytes add up to more than 2^62; expected less"},
    {HEAD("3 4") TWO "3 - 0 c\n0 1 1 0 -\n2 1 1 0 t\n1 2 1 0 -\n2 1 1 0 -\n",
     "7: precedence cycle b -> c -> b; expected an acyclic graph (kind=traffic for traffic without precedence)"},

    /* Sections */
    {SECTION("pin 1\n0 1\n"), "4: 'pin'" BEHIND},
    {SECTION("pins\n"), "4: the number of lines is missing" WHOLE},
    {SECTION("pins 1 2\n"), "4: more than was expected on this line; expected 'WORD COUNT'"},
    {SECTION("pins 2\n0 1\n"), "5: the file ends after 1 of 2 lines of pins; expected all of them"},
    {SECTION("pins 1\n0 1\n1 1\n"), "6: '1'" BEHIND},
    {SECTION("pins 1\n0 -1\n"), "5: the processor '-1' cannot be read; expected a whole number from 0 to 2147483647"},
    {SECTION("pins 1\n0 1 2\n"), "5: more than was expected on this line; expected 'module processor'"},
    {SECTION("pins 2\n1 1\n1 2\n"), "6: module 1 behind module 1; expected every module once, in rising order"},
    {SECTION("pins 1\n2 1\n"), "5: module '2' cannot be read" NEITHER},
    {SECTION("cores 0\ncores 0\n"), "5: 'cores' a second time; expected every section once"},
    {SECTION("cores 1\n0 0\n"), "5: cores '0' cannot be read; expected a whole number from 1 to 2147483647"},
    {SECTION("kinds 1\n0\n"), "5: the kind is missing; expected one"},
    {SECTION("arithmetic 1\n0 inf\n"), "5: operations 'inf' cannot be read; expected a number, 0 or more"},
    {SECTION("arithmetic 1\n0 -1\n"), "5: operations '-1' cannot be read; expected a number, 0 or more"},
    {SECTION("functions 1\n0 0x1\n"), "5: evaluations '0x1' cannot be read; expected a number, 0 or more"},
    {SECTION("times 1\n0 1\n"), "4: the type of processor is missing; expected one"},
    {SECTION("times 1 gpu\n0 -1\n"), "5: time of 'a' is negative; expected 0 or more"},
    {SECTION("times 1 gpu\n0 1\ntimes 1 gpu\n1 1\n"),
     "6: 'times of type gpu' a second time; expected every section once"},
    {SECTION("blocks 1\n1 0 a\n"), "5: duplicate data block 'a'; expected every name once"},
    {SECTION("blocks 1\n-1 0 d\n"), "5: the size '-1' cannot be read" BYTES},
    {SECTION("blocks 1\n1 -1 d\n"), "5: time of 'd' is negative; expected 0 or more"},
    {SECTION("uses 0\n"),
     "4: uses of data blocks that the file does not have; expected a section of blocks before this one"},
    {SECTION("blocks 1\n1 0 d\nuses 1\n1 0 1 1\n"), "7: block '1' cannot be read; expected a whole number from 0 to 0"},
    {SECTION("blocks 1\n1 0 d\nuses 1\n0 0 1\n"), "7: bytes is missing" BYTES},
};

static void expect_error(int status, const inlay_app *app, const inlay_diag *diag, const char *source,
                         const char *message)
{
    char expected[600];
    snprintf(expected, sizeof expected, "%s:%s", source, message);
    ck_assert_str_eq(inlay_diag_message(diag), expected);
    ck_assert(status == INLAY_BAD_INPUT || status == INLAY_OVERFLOW);
    ck_assert_ptr_null(app);
}

/* From memory, and from a file that is packed and one that is not. */
START_TEST(bad_lines)
{
    char path[64], packed[64];
    snprintf(path, sizeof path, "%s", tg_scratch("bad"));
    snprintf(packed, sizeof packed, "%s", tg_scratch("bad.gz"));
    size_t size = strlen(bad[_i].text);
    const char *const paths[] = {NULL, path, packed};
    for (size_t i = 0; i < 3; i++) {
        inlay_app *app = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status;
        if (paths[i] == NULL) {
            status = inlay_app_read_memory(bad[_i].text, size, "memory", "tg", &app, diag);
        } else {
            ck_assert_int_eq(file_write(paths[i], bad[_i].text, size, NULL), INLAY_OK);
            status = inlay_app_read(paths[i], "tg", &app, diag);
            unlink(paths[i]);
        }
        expect_error(status, app, diag, paths[i] == NULL ? "memory" : paths[i], bad[_i].message);
        inlay_diag_free(diag);
    }
}
END_TEST

/* A NUL byte ends nothing: it is a character that does not belong there. */
START_TEST(nul_bytes)
{
    static const struct {
        char text[40];
        size_t size;
        const char *message;
    } cases[] = {
        {"tg 1 1 0 tick\n1 - 0 a\0b\n", 24, "2: a NUL byte in the name" ESCAPES},
        {"tg 1 1 0 tick\n1\0 - 0 a\n", 23, "2: the time '1?' cannot be read" TIME},
        {"tg 1 1 0 tick\n1 - 0 a\n\0\n", 24, "3: '?'" BEHIND},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_app *app = NULL;
        inlay_diag *diag = inlay_diag_new();
        int status = inlay_app_read_memory(cases[i].text, cases[i].size, "memory", "tg", &app, diag);
        expect_error(status, app, diag, "memory", cases[i].message);
        inlay_diag_free(diag);
    }
}
END_TEST

/* Whatever part of a file is missing, the answer is an application or one line that names the place. */
START_TEST(cut_anywhere)
{
    static const char text[] = SECTION("pins 1\n0 1\nkinds 1\n0 \"k\\u00e9\"\ntimes 1 g\n1 2.5\nblocks 1\n1KiB 0 d\n"
                                       "uses 1\n0 1 1 8\n");
    for (size_t begin = 0; begin < sizeof text - 1; begin++) {
        for (size_t end = begin; end < sizeof text; end++) {
            inlay_app *app = NULL;
            inlay_diag *diag = inlay_diag_new();
            int status = inlay_app_read_memory(text + begin, end - begin, "memory", "tg", &app, diag);
            const char *message = inlay_diag_message(diag);
            bool told = strncmp(message, "memory:", 7) == 0 && strchr(message, ';') != NULL;
            ck_assert(status == INLAY_OK ? app != NULL : app == NULL && told);
            ck_assert(status == INLAY_OK || begin > 0 || end < sizeof text - 2);
            inlay_app_free(app);
            inlay_diag_free(diag);
        }
    }
}
END_TEST

Suite *suite_tg_errors(void)
{
    Suite *suite = suite_create("tg errors");
    TCase *tests = tcase_create("tg errors");
    tcase_add_loop_test(tests, bad_lines, 0, (int)(sizeof bad / sizeof *bad));
    tcase_add_test(tests, nul_bytes);
    tcase_add_test(tests, cut_anywhere);
    suite_add_tcase(suite, tests);
    return suite;
}

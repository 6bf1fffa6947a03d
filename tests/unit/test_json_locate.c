/* Lines of values in JSON text: escapes, brackets in strings, values that are missing, text that is cut off. */
#include "unit.h"

#include "io/json_locate.h"
#include <stdlib.h>
#include <string.h>

START_TEST(test_locate)
{
    static const char data[] = "\n{\"a\": [1, {\"x\\\"y\": \"]}\",\n \"b\": null}, [\n[]]],\n"
                               "\"\\u00e9\\uD83D\\uDE00\\/\":\n true, \"c.d\": {}\n}";
    const json_step root = {0};
    const json_step a = {&root, "a", 0}, a1 = {&a, NULL, 1}, b = {&a1, "b", 0}, quoted = {&a1, "x\"y", 0};
    const json_step a2 = {&a, NULL, 2}, a20 = {&a2, NULL, 0}, a3 = {&a, NULL, 3}, none = {&a1, "none", 0};
    const json_step escaped = {&root, "\xC3\xA9\xF0\x9F\x98\x80/", 0}, dotted = {&root, "c.d", 0};
    const json_step inside = {&dotted, "e", 0}, wrong = {&a, "x", 0}, deep = {&none, "deeper", 0};
    const struct {
        const json_step *path;
        bool there;
        long line;
    } cases[] = {{&root, true, 2},    {&a, true, 2},      {&a1, true, 2},      {&quoted, true, 2}, {&b, true, 3},
                 {&a2, true, 3},      {&a20, true, 4},    {&a3, false, 2},     {&none, false, 2},  {&deep, false, 2},
                 {&escaped, true, 6}, {&dotted, true, 6}, {&inside, false, 6}, {&wrong, false, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(json_has(data, sizeof data - 1, cases[i].path) == cases[i].there, "case %zu", i);
        ck_assert_msg(json_line(data, sizeof data - 1, cases[i].path) == cases[i].line, "case %zu: line %ld", i,
                      json_line(data, sizeof data - 1, cases[i].path));
    }
    for (size_t size = 0; size < sizeof data; size++) { /* the bytes that are left are not read */
        char *part = malloc(size + 1);
        memcpy(part, data, size);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            ck_assert_int_ge(json_line(part, size, cases[i].path), 1);
        }
        free(part);
    }
}
END_TEST

Suite *suite_json_locate(void)
{
    Suite *suite = suite_create("json_locate");
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, test_locate);
    suite_add_tcase(suite, lines);
    return suite;
}

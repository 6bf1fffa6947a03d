/* Lines of values in JSON text: escapes, brackets in strings, values that are missing, text that is cut off. */
#include "random_app.h"
#include "unit.h"

#include "base/text.h"
#include "io/json/locate.h"
#include <jansson.h>
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

START_TEST(all_lines_of_an_array_are_those_of_each_element)
{
    static const char data[] =
        "{\"x\": [1],\n\"a\": [{\"b\": 1, \"n\":\n 2},\n\n{\"m\": [{\"n\": \"]\\\"\"}],\n \"o\": {}},\n"
        "[{\"n\": 1}\n], 7, {\"n\": 1}\n]}";
    enum { ELEMENTS = 6 }; /* one more than there are */
    const json_step root = {0}, a = {&root, "a", 0}, none = {&root, "c", 0};
    const json_step *const arrays[] = {&a, &none};
    for (size_t size = 0; size < sizeof data; size++) {
        char *part = malloc(size + 1);
        memcpy(part, data, size);
        for (size_t array = 0; array < 2; array++) {
            long line[ELEMENTS];
            json_lines(part, size, arrays[array], "n", ELEMENTS, line);
            for (size_t i = 0; size == sizeof data - 1 && array == 0 && i < ELEMENTS - 1; i++) {
                const json_step element = {&a, NULL, i}, member = {&element, "n", 0};
                ck_assert_int_eq(line[i], json_line(part, size, &member));
            }
            for (size_t i = 0; i < ELEMENTS; i++) {
                ck_assert_int_ge(line[i], i > 0 ? line[i - 1] : 1);
            }
        }
        free(part);
    }
}
END_TEST

/** A text is called sound only where jansson reads it, and every plain one that it reads. */
START_TEST(sound_texts_are_those_that_can_be_read)
{
    static const char *const words[] = {
        "{",  "}",    "[",    "]",   ",", ":",  "\"a\"",   "\"b\\n\"", "1",           "-0.5",        "1e5", "01",
        "2.", "true", "null", "nul", " ", "\n", "\"\\x\"", "\"\t\"",   "\"\\u00e9\"", "\"\\ud800\"", "-",   "1E+"};
    static const char *const whole[] = {"{}", "[]", " {\"a\": [1, -2.5e-3, {}], \"b\": {\"c\": [[], \"\\\\\"]}}\n"};
    uint64_t state = 15;
    int sound = 0;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        ck_assert(json_is_sound(whole[i], strlen(whole[i])));
    for (int i = 0; i < 200000; i++) {
        text_buffer text = {0};
        json_error_t error;
        text_add(&text, random_once_in(&state, 2) ? "[" : "{\"k\":");
        for (int64_t left = random_below(&state, 7); left > 0; left--)
            text_add(&text, words[random_below(&state, sizeof words / sizeof *words)]);
        text_add(&text, *text.data == '[' ? "]" : "}");
        json_t *root = json_loadb(text.data, text.size, 0, &error);
        bool said = json_is_sound(text.data, text.size);
        bool large = root == NULL && json_error_code(&error) == json_error_numeric_overflow;
        ck_assert_msg(said == (root != NULL) || large, "%s", text.data);
        sound += said;
        json_decref(root);
        text_clear(&text);
    }
    ck_assert_int_ge(sound, 1000);
}
END_TEST

Suite *suite_json_locate(void)
{
    Suite *suite = suite_create("json_locate");
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, test_locate);
    tcase_add_test(lines, all_lines_of_an_array_are_those_of_each_element);
    tcase_add_test(lines, sound_texts_are_those_that_can_be_read);
    suite_add_tcase(suite, lines);
    return suite;
}

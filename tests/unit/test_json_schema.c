/* The schemas in docs/schema tell what each member is; and the validator that judges by them accepts and refuses as draft 2020-12 says. */
#include "json_schema.h"
#include "unit.h"
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* ---- The validator itself ---- */

static const struct {
    const char *schema, *value;
    bool accepted;
} judgements[] = {
    {"{}", "[1]", true},
    {"{\"type\": \"integer\"}", "1", true},
    {"{\"type\": \"integer\"}", "1.5", false},
    {"{\"type\": \"number\"}", "1", true},
    {"{\"type\": \"number\"}", "\"1\"", false},
    {"{\"type\": [\"string\", \"null\"]}", "null", true},
    {"{\"type\": [\"string\", \"null\"]}", "false", false},
    {"{\"type\": \"boolean\"}", "0", false},
    {"{\"type\": \"array\"}", "{}", false},
    {"{\"type\": \"object\"}", "[]", false},
    {"{\"enum\": [\"a\", null]}", "null", true},
    {"{\"enum\": [\"a\", null]}", "\"b\"", false},
    {"{\"const\": 1}", "1", true},
    {"{\"const\": 1}", "2", false},
    {"{\"minimum\": 0}", "0", true},
    {"{\"minimum\": 0}", "-1e-9", false},
    {"{\"minimum\": 0}", "\"-1\"", true},
    {"{\"minItems\": 1}", "[]", false},
    {"{\"minItems\": 1}", "[0]", true},
    {"{\"minLength\": 1}", "\"\"", false},
    {"{\"minLength\": 1}", "\"a\"", true},
    {"{\"pattern\": \"^a+$\"}", "\"aa\"", true},
    {"{\"pattern\": \"^a+$\"}", "\"ab\"", false},
    {"{\"pattern\": \"^a+$\"}", "1", true},
    {"{\"items\": {\"type\": \"string\"}}", "[\"a\", 1]", false},
    {"{\"items\": {\"type\": \"string\"}}", "[\"a\"]", true},
    {"{\"required\": [\"a\"]}", "{\"a\": null}", true},
    {"{\"required\": [\"a\"]}", "{\"b\": 1}", false},
    {"{\"properties\": {\"a\": {\"const\": 1}}, \"additionalProperties\": false}", "{\"a\": 1}", true},
    {"{\"properties\": {\"a\": {\"const\": 1}}, \"additionalProperties\": false}", "{\"a\": 2}", false},
    {"{\"properties\": {\"a\": {\"const\": 1}}, \"additionalProperties\": false}", "{\"b\": 1}", false},
    {"{\"additionalProperties\": {\"type\": \"number\"}}", "{\"a\": 1, \"b\": 2}", true},
    {"{\"additionalProperties\": {\"type\": \"number\"}}", "{\"a\": 1, \"b\": \"2\"}", false},
    {"{\"oneOf\": [{\"const\": 1}, {\"const\": 2}]}", "2", true},
    {"{\"oneOf\": [{\"const\": 1}, {\"const\": 2}]}", "3", false},
    {"{\"oneOf\": [{\"minimum\": 1}, {\"minimum\": 2}]}", "2", false},
    {"{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"const\": 1}}}", "1", true},
    {"{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"const\": 1}}}", "2", false},
};

START_TEST(each_keyword_accepts_and_refuses)
{
    char why[SCHEMA_WHY];
    json_t *schema = json_loads(judgements[_i].schema, 0, NULL);
    json_t *value = json_loads(judgements[_i].value, JSON_DECODE_ANY, NULL);
    ck_assert_msg(schema_is_sound(schema, why), "%s: %s", judgements[_i].schema, why);
    ck_assert_msg(schema_accepts(schema, value, NULL, why) == judgements[_i].accepted, "%s: %s", judgements[_i].schema,
                  judgements[_i].value);
    json_decref(value);
    json_decref(schema);
}
END_TEST

static const char *const unsound[] = {
    "{\"maximum\": 1}",
    "{\"type\": 1}",
    "{\"minimum\": \"0\"}",
    "{\"required\": [1]}",
    "{\"$ref\": \"#/$defs/a\"}",
    "{\"properties\": {\"a\": {}}}",
    "{\"properties\": {\"a\": {\"format\": \"date\"}}, \"additionalProperties\": false}",
    "{\"items\": {\"uniqueItems\": true}}",
    "{\"oneOf\": [{\"not\": {}}]}",
    "{\"$defs\": {\"a\": {\"exclusiveMinimum\": 0}}}",
    "{\"items\": 1}",
    "{\"additionalProperties\": true}",
};

START_TEST(unsound_schemas_are_refused)
{
    char why[SCHEMA_WHY];
    json_t *schema = json_loads(unsound[_i], 0, NULL);
    ck_assert_ptr_nonnull(schema);
    ck_assert_msg(!schema_is_sound(schema, why), "%s", unsound[_i]);
    ck_assert_str_ne(why, "");
    json_decref(schema);
}
END_TEST

/* ---- Documents ---- */

/* Every member that a schema knows has a description; returns how many there are. */
static int check_descriptions(const json_t *value,
                              const char *schema) /* NOLINT(misc-no-recursion): as deep as the schema */
{
    const char *key, *name;
    json_t *member, *property;
    size_t at;
    int count = 0;
    json_object_foreach((json_t *)value, key, member)
    {
        count += check_descriptions(member, schema);
        if (strcmp(key, "properties") != 0) continue;
        json_object_foreach(member, name, property)
        {
            bool told = json_object_get(property, "description") != NULL || json_object_get(property, "$ref") != NULL;
            ck_assert_msg(told, "%s: %s has no description", schema, name);
            count++;
        }
    }
    json_array_foreach(value, at, member) count += check_descriptions(member, schema);
    return count;
}

START_TEST(every_member_is_described)
{
    glob_t found;
    ck_assert_int_eq(glob("docs/schema/*.schema.json", 0, NULL, &found), 0);
    ck_assert_uint_gt(found.gl_pathc, 20);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        json_t *schema = json_load_file(found.gl_pathv[i], 0, NULL);
        ck_assert_int_gt(check_descriptions(schema, found.gl_pathv[i]), 0);
        json_decref(schema);
    }
    globfree(&found);
}
END_TEST

Suite *suite_json_schema(void)
{
    Suite *suite = suite_create("json schema");
    TCase *tests = tcase_create("json schema");
    tcase_add_loop_test(tests, each_keyword_accepts_and_refuses, 0, sizeof judgements / sizeof *judgements);
    tcase_add_loop_test(tests, unsound_schemas_are_refused, 0, sizeof unsound / sizeof *unsound);
    tcase_add_test(tests, every_member_is_described);
    suite_add_tcase(suite, tests);
    return suite;
}

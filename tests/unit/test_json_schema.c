/*
 * The schemas in docs/schema and the documents name the same fields; and the validator that judges by the schemas accepts
 * and refuses as draft 2020-12 says.
 */
#include "json_schema.h"
#include "unit.h"
#include <stdio.h>
#include <string.h>

enum { NAME = 256, LINE = 4096 };

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

/* The words in backticks of a table row's first cell. */
static void add_fields(const char *line, json_t *fields)
{
    const char *end = strchr(line + 1, '|');
    char name[NAME];
    for (const char *c = strchr(line, '`'); c != NULL && c < end; c = strchr(c, '`')) {
        size_t length = strcspn(c + 1, "`");
        snprintf(name, sizeof name, "%.*s", (int)length, c + 1);
        ck_assert_msg(json_object_get(fields, name) == NULL, "documented twice: %s", name);
        json_object_set_new(fields, name, json_true());
        c += length + 2;
    }
}

/* All fields in the tables `| field | ...` below a heading, up to the next heading of its depth. */
static json_t *documented(const char *path, const char *heading)
{
    json_t *fields = json_object();
    FILE *file = fopen(path, "r");
    bool below = false, table = false;
    size_t depth = strcspn(heading, " ");
    char line[LINE];
    ck_assert_msg(file != NULL, "%s", path);
    while (fgets(line, sizeof line, file) != NULL) {
        size_t signs = strspn(line, "#");
        line[strcspn(line, "\n")] = '\0';
        if (signs > 0 && signs <= depth) {
            below = strcmp(line, heading) == 0;
        }
        table = line[0] == '|' && (table || strncmp(line, "| field |", 9) == 0);
        if (below && table) {
            add_fields(line, fields);
        }
    }
    fclose(file);
    return fields;
}

/* The fields alone among a set of facts. */
static json_t *fields_of(const json_t *facts)
{
    json_t *fields = json_object();
    const char *fact;
    json_t *value;
    json_object_foreach((json_t *)facts, fact, value)
    {
        if (strchr(fact, '=') == NULL) {
            json_object_set(fields, fact, value);
        }
    }
    return fields;
}

static void expect_documented(const char *schema_name, const char *path, const char *heading)
{
    json_t *schema = schema_load(schema_name), *facts = schema_facts(schema), *fields = fields_of(facts);
    json_t *found = documented(path, heading);
    schema_expect_facts(fields, found, path);
    schema_expect_facts(found, fields, schema_name);
    ck_assert_uint_gt(json_object_size(fields), 0);
    json_decref(found);
    json_decref(fields);
    json_decref(facts);
    json_decref(schema);
}

START_TEST(every_field_is_documented)
{
    expect_documented("mapping", "docs/mapping-json.md", "# mapping.json");
    expect_documented("info", "docs/results.md", "## inlay info --json");
    expect_documented("check", "docs/results.md", "## inlay check --json");
    expect_documented("delay", "docs/delay.md", "## inlay delay --json");
    expect_documented("application", "docs/formats.md", "## Inlay's JSON");
}
END_TEST

Suite *suite_json_schema(void)
{
    Suite *suite = suite_create("json schema");
    TCase *tests = tcase_create("json schema");
    tcase_add_loop_test(tests, each_keyword_accepts_and_refuses, 0, sizeof judgements / sizeof *judgements);
    tcase_add_loop_test(tests, unsound_schemas_are_refused, 0, sizeof unsound / sizeof *unsound);
    tcase_add_test(tests, every_field_is_documented);
    suite_add_tcase(suite, tests);
    return suite;
}

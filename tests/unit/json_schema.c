/* The validator: one function a keyword, in one table. */
#include "json_schema.h"
#include <check.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 256 };

/* One validation. */
typedef struct run {
    const json_t *root; /* the whole schema, for references */
    json_t *facts;
    char *why;
} run;

/* A schema, and the value that it is asked about. */
typedef struct question {
    const json_t *schema, *value;
    const char *path; /* of the value */
} question;

static bool refuse(const run *r, const char *path, const char *what, const char *keyword)
{
    snprintf(r->why, SCHEMA_WHY, "%s: %s%s", *path == '\0' ? "the whole" : path, what, keyword);
    return false;
}

static void add_fact(json_t *facts, const char *path, const char *sign, const char *word)
{
    char fact[PATH + PATH];
    snprintf(fact, sizeof fact, "%s%s%s", path, sign, word);
    json_object_set_new(facts, fact, json_true());
}

static void member_path(char path[PATH], const char *of, const char *name)
{
    int written = snprintf(path, PATH, "%s%s%s", of, *of == '\0' ? "" : ".", name);
    ck_assert_int_lt(written, PATH);
}

/* "#/$defs/cluster": names of members, one below the other; NULL where they lead nowhere. */
static const json_t *resolve(const json_t *root, const char *reference)
{
    char name[PATH];
    const json_t *at = reference[0] == '#' ? root : NULL;
    for (const char *c = reference + 1; at != NULL && *c == '/';) {
        size_t length = strcspn(c + 1, "/");
        snprintf(name, sizeof name, "%.*s", (int)length, c + 1);
        at = json_object_get(at, name);
        c += 1 + length;
    }
    return at;
}

static bool answer(const run *r, question q);

/* ---- Keywords: whether the value is as one of them wants it ---- */

static bool holds_ref(const run *r, const json_t *keyword, question q)
{
    return answer(r, (question){resolve(r->root, json_string_value(keyword)), q.value, q.path});
}

static bool is_type(const json_t *value, const char *name)
{
    return (strcmp(name, "null") == 0 && json_is_null(value)) ||
           (strcmp(name, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(name, "integer") == 0 && json_is_integer(value)) ||
           (strcmp(name, "number") == 0 && json_is_number(value)) ||
           (strcmp(name, "string") == 0 && json_is_string(value)) ||
           (strcmp(name, "array") == 0 && json_is_array(value)) ||
           (strcmp(name, "object") == 0 && json_is_object(value));
}

static bool holds_type(const run *r, const json_t *keyword, question q)
{
    bool found = json_is_string(keyword) && is_type(q.value, json_string_value(keyword));
    for (size_t i = 0; i < json_array_size(keyword); i++) {
        found = found || is_type(q.value, json_string_value(json_array_get(keyword, i)));
    }
    return found || refuse(r, q.path, "not of its ", "type");
}

static bool holds_enum(const run *r, const json_t *keyword, question q)
{
    for (size_t i = 0; i < json_array_size(keyword); i++) {
        if (json_equal(json_array_get(keyword, i), q.value)) {
            if (r->facts != NULL && json_is_string(q.value)) {
                add_fact(r->facts, q.path, "=", json_string_value(q.value));
            }
            return true;
        }
    }
    return refuse(r, q.path, "not in its ", "enum");
}

static bool holds_const(const run *r, const json_t *keyword, question q)
{
    return json_equal(keyword, q.value) || refuse(r, q.path, "not its ", "const");
}

static bool holds_minimum(const run *r, const json_t *keyword, question q)
{
    return !json_is_number(q.value) || json_number_value(q.value) >= json_number_value(keyword) ||
           refuse(r, q.path, "below its ", "minimum");
}

static bool holds_min_items(const run *r, const json_t *keyword, question q)
{
    return !json_is_array(q.value) || (json_int_t)json_array_size(q.value) >= json_integer_value(keyword) ||
           refuse(r, q.path, "below its ", "minItems");
}

static bool holds_min_length(const run *r, const json_t *keyword, question q)
{
    return !json_is_string(q.value) || (json_int_t)json_string_length(q.value) >= json_integer_value(keyword) ||
           refuse(r, q.path, "below its ", "minLength");
}

static bool holds_pattern(const run *r, const json_t *keyword, question q)
{
    regex_t pattern;
    if (!json_is_string(q.value)) {
        return true;
    }
    if (regcomp(&pattern, json_string_value(keyword), REG_EXTENDED | REG_NOSUB) != 0) {
        return refuse(r, q.path, "has no regular expression in its ", "pattern");
    }
    bool matches = regexec(&pattern, json_string_value(q.value), 0, NULL, 0) == 0;
    regfree(&pattern);
    return matches || refuse(r, q.path, "against its ", "pattern");
}

static bool holds_required(const run *r, const json_t *keyword, question q)
{
    for (size_t i = 0; json_is_object(q.value) && i < json_array_size(keyword); i++) {
        const char *name = json_string_value(json_array_get(keyword, i));
        if (json_object_get(q.value, name) == NULL) {
            return refuse(r, q.path, "without ", name);
        }
    }
    return true;
}

static bool holds_properties(const run *r, const json_t *keyword, question q)
{
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)q.value, name, member)
    {
        const json_t *schema = json_object_get(keyword, name);
        char path[PATH];
        member_path(path, q.path, name);
        if (schema != NULL && r->facts != NULL) {
            add_fact(r->facts, path, "", "");
        }
        if (schema != NULL && !answer(r, (question){schema, member, path})) {
            return false;
        }
    }
    return true;
}

static bool holds_additional(const run *r, const json_t *keyword, question q)
{
    const json_t *properties = json_object_get(q.schema, "properties");
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)q.value, name, member)
    {
        char path[PATH];
        member_path(path, q.path, "*");
        if (json_object_get(properties, name) != NULL) {
            continue;
        }
        if (json_is_false(keyword)) {
            return refuse(r, q.path, "with the unknown member ", name);
        }
        if (r->facts != NULL) {
            add_fact(r->facts, path, "", "");
        }
        if (!answer(r, (question){keyword, member, path})) {
            return false;
        }
    }
    return true;
}

static bool holds_items(const run *r, const json_t *keyword, question q)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s[]", q.path);
    for (size_t i = 0; i < json_array_size(q.value); i++) {
        if (!answer(r, (question){keyword, json_array_get(q.value, i), path})) {
            return false;
        }
    }
    return true;
}

static bool holds_one_of(const run *r, const json_t *keyword, question q)
{
    char ignored[SCHEMA_WHY];
    run silent = {r->root, NULL, ignored};
    size_t found = 0;
    for (size_t i = 0; i < json_array_size(keyword); i++) {
        found += answer(&silent, (question){json_array_get(keyword, i), q.value, q.path});
    }
    return found == 1 || refuse(r, q.path, found == 0 ? "none of its " : "several of its ", "oneOf");
}

/* ---- The table ---- */

/* What stands behind a keyword. */
typedef enum keyword_kind {
    TEXT,
    WORDS,
    NUMBER,
    VALUE,
    VALUES,
    SCHEMA,
    SCHEMAS,
    SCHEMA_LIST,
    MEMBERS_RULE
} keyword_kind;

static const struct keyword {
    const char *name;
    keyword_kind kind;
    bool (*holds)(const run *r, const json_t *keyword, question q); /* NULL: says nothing about values */
} keywords[] = {
    {"$schema", TEXT, NULL},
    {"title", TEXT, NULL},
    {"description", TEXT, NULL},
    {"$defs", SCHEMAS, NULL},
    {"$ref", TEXT, holds_ref},
    {"type", WORDS, holds_type},
    {"enum", VALUES, holds_enum},
    {"const", VALUE, holds_const},
    {"minimum", NUMBER, holds_minimum},
    {"minItems", NUMBER, holds_min_items},
    {"minLength", NUMBER, holds_min_length},
    {"pattern", TEXT, holds_pattern},
    {"required", WORDS, holds_required},
    {"oneOf", SCHEMA_LIST, holds_one_of},
    {"additionalProperties", MEMBERS_RULE, holds_additional},
    {"properties", SCHEMAS, holds_properties},
    {"items", SCHEMA, holds_items},
};

enum { KEYWORDS = sizeof keywords / sizeof *keywords };

static bool answer(const run *r, question q)
{
    if (r->facts != NULL && json_is_null(q.value)) {
        add_fact(r->facts, q.path, "=", "null");
    } else if (r->facts != NULL && json_is_boolean(q.value)) {
        add_fact(r->facts, q.path, "=", json_is_true(q.value) ? "true" : "false");
    }
    for (size_t i = 0; i < KEYWORDS; i++) {
        const json_t *keyword = json_object_get(q.schema, keywords[i].name);
        if (keyword != NULL && keywords[i].holds != NULL && !keywords[i].holds(r, keyword, q)) {
            return false;
        }
    }
    return true;
}

bool schema_accepts(const json_t *schema, const json_t *value, json_t *facts, char why[SCHEMA_WHY])
{
    run r = {schema, facts, why};
    return answer(&r, (question){schema, value, ""});
}

/* ---- Sound schemas ---- */

static bool is_sound(const run *r, const json_t *schema, const char *path);

static bool all_texts(const json_t *array)
{
    bool good = json_is_array(array);
    for (size_t i = 0; i < json_array_size(array); i++) {
        good = good && json_is_string(json_array_get(array, i));
    }
    return good;
}

static bool are_sound(const run *r, const json_t *schemas, const char *path)
{
    const char *name;
    json_t *schema;
    json_object_foreach((json_t *)schemas, name, schema)
    {
        char below[PATH];
        member_path(below, path, name);
        if (!is_sound(r, schema, below)) {
            return false;
        }
    }
    return json_is_object(schemas);
}

static bool is_sound_list(const run *r, const json_t *list, const char *path)
{
    bool good = json_is_array(list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        good = good && is_sound(r, json_array_get(list, i), path);
    }
    return good;
}

static bool is_sound_keyword(const run *r, keyword_kind kind, const json_t *value, const char *path)
{
    switch (kind) {
    case TEXT: return json_is_string(value);
    case WORDS: return json_is_string(value) || all_texts(value);
    case NUMBER: return json_is_number(value);
    case VALUE: return true;
    case VALUES: return json_is_array(value);
    case SCHEMA: return is_sound(r, value, path);
    case SCHEMAS: return are_sound(r, value, path);
    case SCHEMA_LIST: return is_sound_list(r, value, path);
    case MEMBERS_RULE: return json_is_false(value) || is_sound(r, value, path);
    }
    return false;
}

static bool is_sound(const run *r, const json_t *schema, const char *path)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)schema, name, value)
    {
        size_t i = 0;
        while (i < KEYWORDS && strcmp(keywords[i].name, name) != 0) {
            i++;
        }
        char below[PATH];
        member_path(below, path, name);
        if (i == KEYWORDS) {
            return refuse(r, path, "the unknown keyword ", name);
        }
        if (!is_sound_keyword(r, keywords[i].kind, value, below)) {
            return *r->why != '\0' ? false : refuse(r, path, "a wrong value of ", name);
        }
        if (strcmp(name, "$ref") == 0 && !json_is_object(resolve(r->root, json_string_value(value)))) {
            return refuse(r, path, "a reference to nothing: ", json_string_value(value));
        }
    }
    if (json_object_get(schema, "properties") != NULL && json_object_get(schema, "additionalProperties") == NULL) {
        return refuse(r, path, "properties without ", "additionalProperties");
    }
    return json_is_object(schema) || refuse(r, path, "no object for a ", "schema");
}

bool schema_is_sound(const json_t *schema, char why[SCHEMA_WHY])
{
    run r = {schema, NULL, why};
    *why = '\0';
    return is_sound(&r, schema, "");
}

/* ---- Facts ---- */

static void collect(const json_t *root, const json_t *schema, const char *path, json_t *facts);

/* Words, null, true and false that a value may be. */
static void collect_values(const json_t *schema, const char *path, json_t *facts)
{
    const json_t *type = json_object_get(schema, "type"), *words = json_object_get(schema, "enum");
    for (size_t i = 0; i < json_array_size(words); i++) {
        const json_t *word = json_array_get(words, i);
        add_fact(facts, path, "=", json_is_null(word) ? "null" : json_string_value(word));
    }
    for (size_t i = 0; i < json_array_size(type); i++) {
        if (strcmp(json_string_value(json_array_get(type, i)), "null") == 0) {
            add_fact(facts, path, "=", "null");
        }
    }
    if (json_is_string(type) && strcmp(json_string_value(type), "boolean") == 0) {
        add_fact(facts, path, "=", "true");
        add_fact(facts, path, "=", "false");
    }
}

static void collect_members(const json_t *root, const json_t *schema, const char *path, json_t *facts)
{
    const json_t *others = json_object_get(schema, "additionalProperties");
    char below[PATH];
    const char *name;
    json_t *member;
    json_object_foreach(json_object_get(schema, "properties"), name, member)
    {
        member_path(below, path, name);
        add_fact(facts, below, "", "");
        collect(root, member, below, facts);
    }
    if (json_is_object(others)) {
        member_path(below, path, "*");
        add_fact(facts, below, "", "");
        collect(root, others, below, facts);
    }
}

static void collect(const json_t *root, const json_t *schema, const char *path, json_t *facts)
{
    const json_t *reference = json_object_get(schema, "$ref"), *items = json_object_get(schema, "items");
    char below[PATH];
    snprintf(below, sizeof below, "%s[]", path);
    if (reference != NULL) {
        collect(root, resolve(root, json_string_value(reference)), path, facts);
    }
    if (items != NULL) {
        collect(root, items, below, facts);
    }
    collect_values(schema, path, facts);
    collect_members(root, schema, path, facts);
}

json_t *schema_facts(const json_t *schema)
{
    json_t *facts = json_object();
    collect(schema, schema, "", facts);
    return facts;
}

/* ---- The schemas in docs/schema ---- */

json_t *schema_load(const char *name)
{
    char path[PATH], why[SCHEMA_WHY];
    json_error_t error;
    snprintf(path, sizeof path, "docs/schema/%s.schema.json", name);
    json_t *schema = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(schema != NULL, "%s:%d: %s", path, error.line, error.text);
    ck_assert_msg(schema_is_sound(schema, why), "%s: %s", path, why);
    return schema;
}

void schema_expect_facts(const json_t *expected, const json_t *found, const char *who)
{
    const char *fact;
    json_t *value;
    json_object_foreach((json_t *)expected, fact, value)
    {
        ck_assert_msg(json_object_get(found, fact) != NULL, "%s: there is no %s", who, fact);
    }
}

/* ---- Damages ---- */

/* Any other kind of value than the one that stands there. */
static json_t *of_another_kind(const json_t *value)
{
    return json_is_string(value)    ? json_integer(1)
           : json_is_boolean(value) ? json_string("true")
           : json_is_number(value)  ? json_string("one")
           : json_is_array(value)   ? json_object()
                                    : json_array();
}

/* What a damage leaves is refused. */
static void expect_refused(const json_t *schema, const json_t *root, const char *damage, const char *name)
{
    char why[SCHEMA_WHY];
    ck_assert_msg(!schema_accepts(schema, root, NULL, why), "accepted: %s %s", damage, name);
}

/* Each member of each object left out, and of another kind; each object with a member more. How many damages. */
static size_t damage_all(const json_t *schema, const json_t *root, json_t *at)
{
    size_t damages = 0, index;
    json_t *member;
    json_t *whole = json_is_object(at) ? json_copy(at) : NULL; /* the walk must not meet its own changes */
    const char *name;
    json_object_foreach(whole, name, member)
    {
        json_object_del(at, name);
        expect_refused(schema, root, "without", name);
        json_object_set_new(at, name, of_another_kind(member));
        expect_refused(schema, root, "another kind of", name);
        json_object_set(at, name, member);
        damages += 2 + damage_all(schema, root, member);
    }
    if (whole != NULL) {
        json_object_set_new(at, "unheard_of", json_integer(1));
        expect_refused(schema, root, "one more member", "");
        json_object_del(at, "unheard_of");
        damages++;
    }
    json_array_foreach(at, index, member)
    {
        damages += damage_all(schema, root, member);
    }
    json_decref(whole);
    return damages;
}

void schema_refuse_damages(const json_t *schema, json_t *value, size_t least)
{
    char why[SCHEMA_WHY];
    ck_assert_uint_gt(damage_all(schema, value, value), least);
    ck_assert_msg(schema_accepts(schema, value, NULL, why), "%s", why); /* all damages were mended */
}

json_t *printed_json(const char *arguments)
{
    char command[1024];
    json_error_t error;
    const char *program = getenv("INLAY");
    snprintf(command, sizeof command, "'%s' %s", program != NULL ? program : "build/inlay", arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(value != NULL, "%s: line %d: %s", command, error.line, error.text);
    ck_assert_int_eq(pclose(pipe), 0);
    return value;
}

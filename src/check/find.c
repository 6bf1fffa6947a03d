/* Findings, and the comparison of one field of the file with the figure that should stand there. */
#include "base/plain.h"
#include "check/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINDINGS = 100, FINDING_TEXT = 512, NUMBER_TEXT = 40 };

struct inlay_findings {
    char *text[FINDINGS];
    size_t count;
    size_t checked, believed;
    bool failed;
};

inlay_findings *check_findings_new(void)
{
    return calloc(1, sizeof(inlay_findings));
}

bool check_findings_failed(const inlay_findings *findings)
{
    return findings->failed;
}

size_t inlay_findings_count(const inlay_findings *findings)
{
    return findings->count;
}

const char *inlay_findings_text(const inlay_findings *findings, size_t i)
{
    return findings->text[i];
}

size_t inlay_findings_checked(const inlay_findings *findings)
{
    return findings->checked;
}

size_t inlay_findings_believed(const inlay_findings *findings)
{
    return findings->believed;
}

void inlay_findings_free(inlay_findings *findings)
{
    if (!findings) return;
    for (size_t i = 0; i < findings->count; i++)
        free(findings->text[i]);
    free(findings);
}

void check_find(check *k, const char *format, ...)
{
    inlay_findings *findings = k->findings;
    char text[FINDING_TEXT];
    va_list arguments;

    if (findings->count == FINDINGS) return;
    va_start(arguments, format);
    plain_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    char *copy = malloc(strlen(text) + 1);
    if (!copy) {
        findings->failed = true;
        return;
    }
    strcpy(copy, text);
    findings->text[findings->count++] = copy;
}

void check_counted(check *k, size_t figures)
{
    k->findings->checked += figures;
}

void check_believed(check *k, size_t figures)
{
    k->findings->believed += figures;
}

/* ---- Fields ---- */

static const char *const kind_names[] = {"a number", "an integer", "a text", "true or false", "an array", "an object"};

static bool is_kind(const json_t *value, check_kind kind)
{
    switch (kind) {
    case CHECK_NUMBER: return json_is_number(value);
    case CHECK_INTEGER: return json_is_integer(value);
    case CHECK_STRING: return json_is_string(value);
    case CHECK_BOOL: return json_is_boolean(value);
    case CHECK_ARRAY: return json_is_array(value);
    case CHECK_OBJECT: return json_is_object(value);
    }
    return false;
}

/* "cluster 3: " before the name of a field, nothing for the fields of the whole. */
static const char *before(const char *where)
{
    return where ? where : "";
}

static const char *colon(const char *where)
{
    return where ? ": " : "";
}

json_t *check_field_or_null(check *k, const char *where, const json_t *object, const char *name, check_kind kind,
                            bool *null)
{
    json_t *value = json_object_get(object, name);
    *null = json_is_null(value);
    if (*null) return NULL;
    if (!value) {
        check_find(k, "%s%s%s is missing; expected %s", before(where), colon(where), name, kind_names[kind]);
        return NULL;
    }
    if (is_kind(value, kind)) return value;
    check_find(k, "%s%s%s is not %s", before(where), colon(where), name, kind_names[kind]);
    return NULL;
}

json_t *check_field(check *k, const char *where, const json_t *object, const char *name, check_kind kind)
{
    bool null;
    json_t *value = check_field_or_null(k, where, object, name, kind, &null);
    if (null) check_find(k, "%s%s%s is null; expected %s", before(where), colon(where), name, kind_names[kind]);
    return value;
}

/* ---- Comparing ---- */

/* The shortest of 15 and 17 digits that reads back the same. */
static const char *number_text(double x, char text[NUMBER_TEXT])
{
    plain_print(text, NUMBER_TEXT, "%.15g", x);
    if (plain_number(text, NULL) != x) plain_print(text, NUMBER_TEXT, "%.17g", x);
    return text;
}

static void differs(check *k, const char *where, const char *name, double expected, double said)
{
    char expected_text[NUMBER_TEXT], said_text[NUMBER_TEXT];
    check_find(k, "%s%s%s is %s, the file says %s", before(where), colon(where), name,
               number_text(expected, expected_text), number_text(said, said_text));
}

void check_count(check *k, const char *where, const json_t *object, const char *name, int64_t expected)
{
    const json_t *value = check_field(k, where, object, name, CHECK_INTEGER);
    check_counted(k, 1);
    if (value && json_integer_value(value) != expected)
        check_find(k, "%s%s%s is %lld, the file says %lld", before(where), colon(where), name, (long long)expected,
                   (long long)json_integer_value(value));
}

void check_time(check *k, const char *where, const json_t *object, const char *name, inlay_time expected)
{
    const json_t *value = check_field(k, where, object, name, CHECK_NUMBER);
    check_counted(k, 1);
    if (!value) return;
    double said = json_number_value(value);
    bool equal;
    if (json_is_integer(value) && k->grains_per_unit == 1) {
        json_int_t whole = json_integer_value(value); /* beyond 53 bits a number may be the double next to it */
        equal = whole == expected || (said > 0x1p53 && (double)whole == (double)expected);
    } else {
        /* The file's decimal is exact and the double next to it: twice its rounding is forgiven, no more. */
        long double grains = (long double)said * (long double)k->grains_per_unit;
        equal = fabsl(grains - (long double)expected) <= fabsl((long double)expected) * 0x1p-52L;
    }
    if (!equal) differs(k, where, name, (double)expected / (double)k->grains_per_unit, said);
}

void check_flag(check *k, const char *where, const json_t *object, const char *name, bool expected)
{
    const json_t *value = check_field(k, where, object, name, CHECK_BOOL);
    check_counted(k, 1);
    if (value && json_is_true(value) != expected)
        check_find(k, "%s%s%s is %s, the file says %s", before(where), colon(where), name, expected ? "true" : "false",
                   expected ? "false" : "true");
}

void check_text(check *k, const char *where, const json_t *object, const char *name, const char *expected)
{
    const json_t *value = check_field(k, where, object, name, CHECK_STRING);
    check_counted(k, 1);
    if (value && strcmp(json_string_value(value), expected) != 0)
        check_find(k, "%s%s%s is '%.150s', the file says '%.150s'", before(where), colon(where), name, expected,
                   json_string_value(value));
}

void check_number_within(check *k, const char *where, const json_t *object, const char *name, double expected,
                         double slack)
{
    bool null;
    const json_t *value = check_field_or_null(k, where, object, name, CHECK_NUMBER, &null);
    char text[NUMBER_TEXT];
    check_counted(k, 1);
    if (null && isfinite(expected))
        check_find(k, "%s%s%s is %s, the file says null", before(where), colon(where), name,
                   number_text(expected, text));
    if (!value) return;
    double said = json_number_value(value);
    if (!isfinite(expected))
        check_find(k, "%s%s%s is null, the file says %s", before(where), colon(where), name, number_text(said, text));
    else if (!(fabs(said - expected) <= slack))
        differs(k, where, name, expected, said);
}

void check_number(check *k, const char *where, const json_t *object, const char *name, double expected)
{
    double slack = (1e-9 + k->doubt) * fabs(expected);
    check_number_within(k, where, object, name, expected, expected == 0 ? 1e-12 : slack);
}

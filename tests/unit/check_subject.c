#include "check_subject.h"
#include "map_by_houstis.h"

#include <inlay/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 256 };

static char folder[PATH], app_path[PATH + 16], mapping_path[PATH + 16];

void subject_set_up(void)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/inlay-check-XXXXXX", temporary ? temporary : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(app_path, sizeof app_path, "%s/app.dot", folder);
    snprintf(mapping_path, sizeof mapping_path, "%s/mapping.json", folder);
}

void subject_tear_down(void)
{
    unlink(app_path);
    unlink(mapping_path);
    rmdir(folder);
}

const char *subject_app(void)
{
    return app_path;
}

const char *subject_mapping(void)
{
    return mapping_path;
}

inlay_app *subject_read(const char *text)
{
    inlay_app *app = NULL;
    FILE *file = fopen(app_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ck_assert_int_eq(inlay_app_read(app_path, NULL, &app, NULL), INLAY_OK);
    return app;
}

bool subject_map(const inlay_app *app, const char *source, const char *machine_text, const inlay_options *options,
                 const inlay_id *placement)
{
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_origin origin = {.command = placement ? "evaluate" : "map", .app_path = source, .app_format = "dot"};
    inlay_diag *why = inlay_diag_new();
    ck_assert_int_eq(inlay_machine_parse(machine_text, &machine, NULL), INLAY_OK);
    int status = placement ? inlay_evaluate(app, machine, placement, options, &mapping, why)
                           : map_by_houstis(app, machine, options, &mapping, why);
    ck_assert_msg(status == INLAY_OK || status == INLAY_NO_ANSWER, "%s", inlay_diag_message(why));
    if (status == INLAY_OK) ck_assert_int_eq(inlay_mapping_write(mapping, &origin, mapping_path, NULL), INLAY_OK);
    inlay_diag_free(why);
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    return status == INLAY_OK;
}

size_t subject_findings(const char *other_app, bool expect_none, const char *what)
{
    inlay_findings *findings = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status =
        inlay_check_file(mapping_path, &(inlay_check_options){.app = other_app, .strict = true}, &findings, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", what, inlay_diag_message(diag));
    inlay_diag_free(diag);
    size_t count = inlay_findings_count(findings);
    ck_assert_msg(!expect_none || count == 0, "%s: %s", what, count > 0 ? inlay_findings_text(findings, 0) : "");
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_ne(inlay_findings_text(findings, i), "");
        ck_assert_ptr_null(strchr(inlay_findings_text(findings, i), '\n'));
    }
    inlay_findings_free(findings);
    return count;
}

json_t *subject_load(void)
{
    json_t *root = json_load_file(mapping_path, 0, NULL);
    ck_assert_ptr_nonnull(root);
    return root;
}

void subject_save(json_t *root)
{
    ck_assert_int_eq(json_dump_file(root, mapping_path, JSON_INDENT(2)), 0);
    json_decref(root);
}

/* ---- One value altered ---- */

/* What the last part of the path stands in. */
static json_t *parent_of(json_t *root, const char *path, const char **last)
{
    for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1) {
        char part[64];
        snprintf(part, sizeof part, "%.*s", (int)(dot - path), path);
        root =
            json_is_array(root) ? json_array_get(root, (size_t)strtoul(part, NULL, 10)) : json_object_get(root, part);
        ck_assert_ptr_nonnull(root);
    }
    *last = path;
    return root;
}

static json_t *altered_value(const json_t *old, const char *value)
{
    if (strcmp(value, "!") == 0) return json_boolean(!json_is_true(old));
    if (strcmp(value, "*") == 0) return json_real(json_number_value(old) * (1 + 1e-6));
    if (strcmp(value, "+") == 0) return json_integer(json_integer_value(old) + 1);
    return json_loads(value, JSON_DECODE_ANY, NULL);
}

void subject_alter(json_t *root, const alteration *change)
{
    const char *last;
    json_t *parent = parent_of(root, change->path, &last);
    size_t at = (size_t)strtoul(last, NULL, 10);
    if (json_is_array(parent) && !change->value)
        ck_assert_int_eq(json_array_remove(parent, at), 0);
    else if (json_is_array(parent))
        ck_assert_int_eq(json_array_set_new(parent, at, altered_value(json_array_get(parent, at), change->value)), 0);
    else if (!change->value)
        ck_assert_int_eq(json_object_del(parent, last), 0);
    else
        json_object_set_new(parent, last, altered_value(json_object_get(parent, last), change->value));
}

/* ---- Anything anywhere ---- */

static const char *const oddities[SUBJECT_ODDITIES] = {"null", "true", "-1", "1e308", "9223372036854775807",
                                                       "\"\"", "[]",   "{}"};

/** Whatever stands in the file, the answer is findings or a message; a number that fits may well pass. */
static void check_oddity(const json_t *root)
{
    inlay_findings *findings = NULL;
    inlay_diag *why = inlay_diag_new();
    ck_assert_int_eq(json_dump_file(root, subject_mapping(), 0), 0);
    int status = inlay_check_file(subject_mapping(), NULL, &findings, why);
    if (status != INLAY_OK) {
        ck_assert_int_eq(status, INLAY_BAD_INPUT);
        ck_assert_str_ne(inlay_diag_message(why), "");
    }
    inlay_findings_free(findings);
    inlay_diag_free(why);
}

/** Put the oddity in place of every value inside `part`, one after the other, and check each time. */
static void replace_each(json_t *root, json_t *part, const char *oddity) /* NOLINT(misc-no-recursion): a shallow tree */
{
    const char *key;
    json_t *value;
    void *next;
    for (size_t at = 0; at < json_array_size(part); at++) {
        json_t *old = json_incref(json_array_get(part, at));
        replace_each(root, old, oddity);
        json_array_set_new(part, at, json_loads(oddity, JSON_DECODE_ANY, NULL));
        check_oddity(root);
        json_array_set_new(part, at, old);
    }
    json_object_foreach_safe(part, next, key, value)
    {
        json_t *old = json_incref(value);
        replace_each(root, old, oddity);
        json_object_set_new(part, key, json_loads(oddity, JSON_DECODE_ANY, NULL));
        check_oddity(root);
        json_object_set_new(part, key, old);
    }
}

void subject_survives(int oddity)
{
    json_t *root = subject_load();
    replace_each(root, root, oddities[oddity]);
    json_decref(root);
}

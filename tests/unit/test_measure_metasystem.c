/* The metasystem that `inlay measure --topology` writes is read as what it found. */
#include "unit.h"

#include <inlay/metasystem.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 1024 };

static const char *inlay(void)
{
    const char *program = getenv("INLAY");
    return program != NULL ? program : "build/inlay";
}

/* The part may not be built. */
static bool is_missing(void)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s-measure", inlay());
    bool missing = access(path, X_OK) != 0;
    if (missing) {
        printf("skipped: %s is not built\n", path);
    }
    return missing;
}

/* What is found on a machine that raw.awk makes up, and, at `path`, what is written of it. */
static json_t *measure(const char *machine, const char *topology, const char *path)
{
    char command[LINE];
    snprintf(command, sizeof command,
             "LC_ALL=C awk -f tests/measure/raw.awk -v topology='%s' %s | '%s' measure --from - --topology $(echo %s | "
             "tr ' ' ,) "
             "--json --quiet -o '%s' 2>/dev/null",
             topology, machine, inlay(), topology, path);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    json_t *found = json_loadf(pipe, 0, NULL);
    ck_assert_msg(found != NULL, "%s", command);
    ck_assert_int_eq(pclose(pipe), 0);
    return found;
}

static double number(const json_t *object, const char *key)
{
    ck_assert_msg(json_is_number(json_object_get(object, key)), "no number %s", key);
    return json_number_value(json_object_get(object, key));
}

/* Nine digits are written. */
static void same(double found, double written)
{
    ck_assert_double_le(fabs(found - written), 1e-8 * found);
}

static const json_t *chosen_fit(const json_t *pattern)
{
    const char *f = json_string_value(json_object_get(pattern, "f"));
    const json_t *fit = NULL;
    size_t i = 0;
    json_array_foreach(json_object_get(pattern, "fits"), i, fit)
    {
        if (strcmp(json_string_value(json_object_get(fit, "f")), f) == 0) return fit;
    }
    ck_abort_msg("no fit %s", f);
    return NULL;
}

/* Seconds were found, and microseconds written. */
static void same_communication(const json_t *pattern, const inlay_communication *written)
{
    const json_t *fit = chosen_fit(pattern);
    ck_assert(written->given);
    same(1e6 * number(fit, "c1"), written->c1);
    same(1e6 * number(fit, "c2"), written->c2);
    same(1e6 * number(fit, "c3"), written->c3);
    same(1e6 * number(fit, "c4"), written->c4);
    ck_assert_str_eq(json_string_value(json_object_get(pattern, "f")), inlay_growth_name(written->growth));
}

static void same_cluster(const json_t *found, const inlay_metasystem_cluster *written)
{
    const json_t *patterns = json_object_get(found, "patterns");
    ck_assert_str_eq(json_string_value(json_object_get(found, "name")), written->name);
    ck_assert_str_eq(json_string_value(json_object_get(found, "interconnect")),
                     inlay_interconnect_name(written->interconnect));
    ck_assert_int_eq(written->total, (int)number(found, "processors"));
    ck_assert_int_eq(written->available, written->total);
    same(1e-6 * number(found, "rate"), written->rate);
    for (size_t i = 0; i < json_array_size(patterns); i++) {
        const json_t *pattern = json_array_get(patterns, i);
        for (int p = 0; p < INLAY_PATTERNS; p++) {
            if (strcmp(json_string_value(json_object_get(pattern, "pattern")), inlay_pattern_name((inlay_pattern)p)) ==
                0) {
                same_communication(pattern, &written->communication[p]);
            }
        }
    }
}

/* Of a cluster of one processor every pattern is given, and costs nothing. */
static void costs_nothing(const inlay_metasystem_cluster *written, const bool wanted[INLAY_PATTERNS])
{
    for (int p = 0; p < INLAY_PATTERNS; p++) {
        const inlay_communication *t = &written->communication[p];
        ck_assert(t->given == wanted[p]);
        ck_assert_double_eq(t->c1 + t->c2 + t->c3 + t->c4, 0);
    }
}

static inlay_metasystem *judge(const char *machine, const char *topology, const bool wanted[INLAY_PATTERNS])
{
    char path[] = "/tmp/inlay-metasystem-XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    json_t *found = measure(machine, topology, path);
    const json_t *clusters = json_object_get(found, "clusters");
    inlay_metasystem *written = NULL;
    ck_assert_int_eq(inlay_metasystem_read(path, &written, NULL), INLAY_OK);
    ck_assert_uint_eq(written->clusters, json_array_size(clusters));
    ck_assert_int_eq(written->time_unit, INLAY_UNIT_US);
    for (size_t c = 0; c < written->clusters; c++) {
        same_cluster(json_array_get(clusters, c), &written->cluster[c]);
        if (written->cluster[c].total == 1) {
            costs_nothing(&written->cluster[c], wanted);
        }
    }
    if (written->clusters > 1) {
        const json_t *router = json_object_get(found, "router");
        inlay_metasystem_route way = inlay_metasystem_way(written, 0, 1);
        same(1e6 * number(router, "latency"), way.latency);
        same(1e6 * number(router, "per_byte"), way.per_byte);
        ck_assert_double_eq(way.coercion, 0);
    }
    unlink(path);
    json_decref(found);
    return written;
}

START_TEST(what_is_written_is_what_was_found)
{
    static const bool all[INLAY_PATTERNS] = {true, true, true}, tree[INLAY_PATTERNS] = {[INLAY_PATTERN_TREE] = true};
    if (is_missing()) {
        return;
    }
    inlay_metasystem *one = judge("-v hosts=1 -v ranks=6 -v f=linear -v noise=0.02", "1-D ring tree", all);
    ck_assert_uint_eq(one->clusters, 1);
    inlay_metasystem_free(one);
    inlay_metasystem *several = judge("-v hosts=4 -v ranks='3 1 2 5' -v speeds='1 2 3 1' -v clusters='0 3,1,2' "
                                      "-v noise=0.01 -v core_kind=bus",
                                      "tree", tree);
    ck_assert_uint_eq(several->clusters, 3);
    ck_assert_int_eq(several->cluster[0].total, 8);
    ck_assert_int_eq(several->cluster[1].total, 1);
    inlay_metasystem_free(several);
}
END_TEST

Suite *suite_measure_metasystem(void)
{
    Suite *suite = suite_create("metasystem of measure");
    TCase *tests = tcase_create("metasystem of measure");
    tcase_add_test(tests, what_is_written_is_what_was_found);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Every workflow trace and task graph of the data folder maps with defaults, and the independent checker agrees. */
#include "unit.h"
#include "map_by_houstis.h"
#include <glob.h>
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char mapping_path[64];

static void name_mapping(void)
{
    snprintf(mapping_path, sizeof mapping_path, "/tmp/inlay-unit-%ld.mapping.json", (long)getpid());
}

static void remove_mapping(void)
{
    unlink(mapping_path);
}

static void expect_no_findings(const char *path, const char *machine)
{
    inlay_findings *findings = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_check_file(mapping_path, NULL, &findings, diag);
    ck_assert_msg(status == INLAY_OK, "%s on %s: %s", path, machine, inlay_diag_message(diag));
    ck_assert_msg(inlay_findings_count(findings) == 0, "%s on %s: %s", path, machine, inlay_findings_text(findings, 0));
    ck_assert_uint_gt(inlay_findings_checked(findings), 10);
    inlay_findings_free(findings);
    inlay_diag_free(diag);
}

static void map_and_check(const char *path, const char *machine_text)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    inlay_origin origin = {.command = "map", .app_path = path};
    int status = inlay_app_read(path, NULL, &app, diag);
    if (status == INLAY_OK) {
        status = inlay_machine_parse(machine_text, &machine, diag);
    }
    if (status == INLAY_OK) {
        status = map_by_houstis(app, machine, NULL, &mapping, diag);
    }
    if (status == INLAY_OK) {
        status = inlay_mapping_write(mapping, &origin, mapping_path, diag);
    }
    ck_assert_msg(status == INLAY_OK, "%s on %s: %s", path, machine_text, inlay_diag_message(diag));
    ck_assert_int_le(inlay_mapping_summary(mapping)->clusters, inlay_machine_processors(machine));
    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
    expect_no_findings(path, machine_text);
}

/* All files of a pattern below the data folder, at least `least` of them. */
static void map_all(const char *pattern, size_t least, const char *machine)
{
    char wanted[512];
    glob_t found;
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    snprintf(wanted, sizeof wanted, "%s/%s", unit_data(), pattern);
    ck_assert_int_eq(glob(wanted, 0, NULL, &found), 0);
    ck_assert_uint_ge(found.gl_pathc, least);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        map_and_check(found.gl_pathv[i], machine);
    }
    globfree(&found);
}

START_TEST(workflows_on_a_distributed_bus)
{
    map_all("wfformat/*.json*", 28, "bus:17,memory=distributed,capacity=1.25GB/s");
}
END_TEST

START_TEST(workflows_on_a_common_bus)
{
    map_all("wfformat/*.json*", 28, "bus:64,memory=common,capacity=100MB/s");
}
END_TEST

START_TEST(task_graphs_on_a_distributed_bus)
{
    map_all("stg/*/*.stg*", 130, "bus:17,memory=distributed");
}
END_TEST

/* A mapping read back says what it said when it was written. */
START_TEST(mappings_come_back)
{
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    char path[512];
    snprintf(path, sizeof path, "%s/wfformat/montage-chameleon-2mass-01d-001.json", unit_data());
    map_and_check(path, "bus:17,memory=distributed,capacity=1.25GB/s,latency=10us");
    inlay_loaded loaded;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_mapping_read(mapping_path, NULL, &loaded, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    char again[80];
    snprintf(again, sizeof again, "%s.again", mapping_path);
    inlay_origin origin = {.command = "map", .app_path = path};
    ck_assert_int_eq(inlay_mapping_write(loaded.mapping, &origin, again, diag), INLAY_OK);
    char command[256];
    snprintf(command, sizeof command, "cmp '%s' '%s'", mapping_path, again);
    ck_assert_int_eq(system(command), 0); /* the same bytes */
    unlink(again);
    inlay_loaded_clear(&loaded);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_real_inputs(void)
{
    Suite *suite = suite_create("real inputs");
    TCase *tests = tcase_create("real inputs");
    tcase_add_checked_fixture(tests, name_mapping, remove_mapping);
    tcase_add_test(tests, workflows_on_a_distributed_bus);
    tcase_add_test(tests, workflows_on_a_common_bus);
    tcase_add_test(tests, task_graphs_on_a_distributed_bus);
    tcase_add_test(tests, mappings_come_back);
    suite_add_tcase(suite, tests);
    return suite;
}

/*
 * The sweep over real workflow traces: every row that a mapping can have becomes one, of the same clusters and the same
 * figures, and the independent checker accepts it.
 */
#include "drawn.h"
#include "unit.h"
#include "map_by_houstis.h"

#include <glob.h>
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_TRACES = 10 };

static char mapping_path[64];

static void name_mapping(void)
{
    snprintf(mapping_path, sizeof mapping_path, "/tmp/inlay-unit-%ld.sweep.json", (long)getpid());
}

static void remove_mapping(void)
{
    unlink(mapping_path);
}

/* What the rows have to be compared with. */
typedef struct subject {
    const char *path;
    inlay_app *app;
    inlay_machine *machine;
    size_t mapped;
} subject;

static void expect_no_findings(const subject *of)
{
    inlay_findings *findings = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_check_file(mapping_path, NULL, &findings, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", of->path, inlay_diag_message(diag));
    ck_assert_msg(inlay_findings_count(findings) == 0, "%s: %s", of->path, inlay_findings_text(findings, 0));
    ck_assert_uint_gt(inlay_findings_checked(findings), 10);
    inlay_findings_free(findings);
    inlay_diag_free(diag);
}

/* The clustering of a row is that of a mapping under its T, not reduced. */
static int map_step(void *context, const inlay_sweep_step *step)
{
    subject *of = context;
    inlay_mapping *mapping = NULL;
    inlay_diag *diag = inlay_diag_new();
    inlay_options options = {.has_time_frame = true,
                             .time_frame = {{step->time_frame, inlay_app_decimals(of->app)}, inlay_app_unit(of->app)},
                             .reduce = INLAY_REDUCE_NONE};
    inlay_origin origin = {.command = "map", .app_path = of->path};
    int status = map_by_houstis(of->app, of->machine, &options, &mapping, diag);
    ck_assert_msg(status == INLAY_OK, "%s: %s", of->path, inlay_diag_message(diag));
    ck_assert_int_eq(inlay_mapping_summary(mapping)->clusters, step->clusters);
    for (inlay_id i = 0; i < inlay_app_modules(of->app); i++) {
        ck_assert_int_eq(inlay_mapping_cluster_of(mapping, i), step->cluster_of[i]);
    }
    ck_assert_int_eq(inlay_mapping_write(mapping, &origin, mapping_path, diag), INLAY_OK);
    inlay_mapping_free(mapping);
    inlay_diag_free(diag);
    expect_no_findings(of);
    of->mapped++;
    return 0;
}

static void sweep_trace(const char *path, const char *machine)
{
    subject of = {.path = path};
    inlay_sweep_result *sweep = NULL;
    inlay_diag *diag = inlay_diag_new();
    inlay_sweep_options options = {.each = map_step, .context = &of};
    int status = inlay_app_read(path, NULL, &of.app, diag);
    if (status == INLAY_OK) {
        status = inlay_machine_parse(machine, &of.machine, diag);
    }
    if (status == INLAY_OK) {
        status = inlay_sweep(of.app, of.machine, &options, &sweep, diag);
    }
    ck_assert_msg(status == INLAY_OK, "%s on %s: %s", path, machine, inlay_diag_message(diag));
    ck_assert_uint_gt(of.mapped, 0);
    ck_assert_uint_eq(of.mapped, inlay_sweep_rows(sweep));
    inlay_sweep_free(sweep);
    inlay_machine_free(of.machine);
    inlay_app_free(of.app);
    inlay_diag_free(diag);
}

/* Large and fast enough for every trace: no row is left out. */
static const char *const machines[] = {
    "bus:1024,memory=distributed,capacity=1.25GB/s",
    "multibus:1024,memories=16,buses=4,capacity=100MB/s,latency=10us",
    "omega-pe:1024,switch=4,packets=4,cycle=1us,message_size=1KiB",
};

START_TEST(every_row_holds)
{
    char wanted[512];
    glob_t found;
    if (unit_data() == NULL) {
        unit_skip("no test data");
        return;
    }
    snprintf(wanted, sizeof wanted, "%s/wfformat/*.json", unit_data());
    ck_assert_int_eq(glob(wanted, 0, NULL, &found), 0);
    ck_assert_uint_ge(found.gl_pathc, LEAST_TRACES);
    for (size_t i = (size_t)_i % DRAWN_TRACE_STEP; i < found.gl_pathc; i += DRAWN_TRACE_STEP) {
        sweep_trace(found.gl_pathv[i], machines[_i]);
    }
    globfree(&found);
}
END_TEST

Suite *suite_sweep_traces(void)
{
    Suite *suite = suite_create("sweep over real traces");
    TCase *tests = tcase_create("sweep over real traces");
    tcase_add_checked_fixture(tests, name_mapping, remove_mapping);
    tcase_add_loop_test(tests, every_row_holds, 0, (int)(sizeof machines / sizeof *machines));
    suite_add_tcase(suite, tests);
    return suite;
}

/* What `inlay measure` measured, as a C program reads it, and what comes of it: the bytes that the command writes. */
#include "base/file.h"
#include "random_app.h"
#include "starve.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 1024 };

/* Machines that raw.awk makes up, and the patterns that are asked for. */
static const struct {
    const char *made, *topology;
    bool wanted[INLAY_PATTERNS];
} machines[] = {
    {"-v hosts=3 -v ranks=2 -v noise=0.02 -v step=1e-4 -v sampled=2 -v kind=half -v numa=2", "", {false}},
    {"-v hosts=2 -v kind=bus -v ranks='4 1' -v core_kind=bus -v speeds='1 2' -v noise=0.4", "", {false}},
    {"-v hosts=3 -v kind=bus -v g=0 -v speeds='1 2' -v kept='1e-6 1e-10 2e-6 3e-10'", "", {false}},
    {"-v hosts=1 -v memories=null", "", {false}},
    {"-v hosts=3 -v ranks='4 2 1' -v clusters='0 1,2' -v cores=1 -v noise=0.1 -v topology='1-D tree'",
     "--topology tree",
     {[INLAY_PATTERN_TREE] = true}},
    {"-v hosts=4 -v ranks='2 1 1' -v advisor=1 -v kind=bus -v speeds='4 2 1' -v noise=0.3", "", {false}},
    {"-v hosts=1 -v advisor=1 -v cores=1 -v ranks=3", "", {false}},
};
enum { MACHINES = sizeof machines / sizeof *machines };

static char folder[64], path[LINE];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/inlay-unit-raw-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_folder(void)
{
    static const char *const names[] = {"raw.json", "machine.dot", "found.json", "own.dot", "own.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unlink(in_folder(names[i]));
    }
    rmdir(folder);
}

static void make(const char *machine)
{
    char command[LINE];
    snprintf(command, sizeof command, "LC_ALL=C awk -f tests/measure/raw.awk %s >%s/raw.json", machine, folder);
    ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c): words of ours
}

/* What is known to be there. */
static void succeed(int status, const inlay_diag *diag)
{
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
}

static file_content bytes(const char *name)
{
    file_content content = {0};
    ck_assert_int_eq(file_read(in_folder(name), &content, NULL), INLAY_OK);
    return content;
}

static void same_bytes(const char *name, const char *other)
{
    file_content a = bytes(name), b = bytes(other);
    ck_assert_uint_gt(a.size, 100);
    ck_assert_str_eq(a.data, b.data);
    file_content_clear(&a);
    file_content_clear(&b);
}

/* ---- Beside the command ---- */

START_TEST(test_command_writes_the_same)
{
    char command[LINE];
    const char *inlay = getenv("INLAY") != NULL ? getenv("INLAY") : "build/inlay";
    snprintf(command, sizeof command, "%s-measure", inlay);
    if (access(command, X_OK) != 0) {
        unit_skip("inlay-measure is not built");
        return;
    }
    make(machines[_i].made);
    snprintf(command, sizeof command,
             "cd %s && LC_ALL=C '%s%s%s' measure --from raw.json %s --json --quiet -o machine.dot >found.json", folder,
             inlay[0] == '/' ? "" : getenv("PWD"), inlay[0] == '/' ? "" : "/", inlay, machines[_i].topology);
    ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c): words of ours
    inlay_raw *raw = NULL;
    inlay_fitted *fitted = NULL;
    inlay_diag *diag = inlay_diag_new();
    const inlay_result_context context = {.command = "measure", .said = diag};
    succeed(inlay_raw_read(in_folder("raw.json"), &raw, diag), diag);
    succeed(inlay_raw_fit(raw, machines[_i].wanted, &fitted, diag), diag);
    succeed(inlay_fitted_write(fitted, in_folder("own.dot"), diag), diag);
    succeed(inlay_fitted_write_json(fitted, &context, in_folder("own.json"), diag), diag);
    same_bytes("own.dot", "machine.dot");
    same_bytes("own.json", "found.json");
    inlay_fitted_free(fitted);
    inlay_raw_free(raw);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Alone ---- */

START_TEST(test_known_machine_is_found)
{
    const double near = 1e-9;
    inlay_raw *raw = NULL;
    inlay_fitted *fitted = NULL;
    inlay_diag *diag = inlay_diag_new();
    make("-v hosts=2 -v ranks=2 -v a=3e-5 -v g=7e-9 -v core_a=4e-7 -v core_g=2e-10 -v speeds='1 0.5' -v kind=bus");
    succeed(inlay_raw_read(in_folder("raw.json"), &raw, diag), diag);
    succeed(inlay_raw_fit(raw, NULL, &fitted, diag), diag);
    const inlay_machine_fit *m = &fitted->machine;
    ck_assert_int_eq(raw->ranks, 4);
    ck_assert_str_eq(raw->host[1].name, "h2");
    ck_assert_int_eq(m->pair_class, INLAY_PAIR_NETWORK);
    ck_assert_double_eq_tol(m->fit[INLAY_PAIR_NETWORK].latency / 3e-5, 1, near);
    ck_assert_double_eq_tol(m->fit[INLAY_PAIR_NETWORK].per_byte / 7e-9, 1, near);
    ck_assert_double_eq_tol(m->fit[INLAY_PAIR_CORE].latency / 4e-7, 1, near);
    ck_assert_int_eq(m->ring[INLAY_PAIR_NETWORK].kind, INLAY_MEDIUM_BUS);
    ck_assert_double_eq_tol(m->rank[0].speed, 1, near);
    ck_assert_double_eq_tol(m->rank[3].speed, 0.5, near);
    ck_assert_int_eq(fitted->metasystem.clusters, 0);
    ck_assert_ptr_null(fitted->advisor.rank);
    ck_assert_uint_eq(inlay_diag_warnings(diag), 1); /* hosts of several cores cannot share a bus */
    inlay_fitted_free(fitted);
    inlay_raw_free(raw);
    inlay_diag_free(diag);
}
END_TEST

START_TEST(test_figures_of_repeats)
{
    double odd[] = {3, 1, 2}, even[] = {8, 2, 4, 6};
    inlay_figure of_odd = inlay_figure_of(&(inlay_repeats){odd, 3}),
                 of_even = inlay_figure_of(&(inlay_repeats){even, 4});
    ck_assert_double_eq(of_odd.median, 2);
    ck_assert_double_eq(of_odd.spread, 1);
    ck_assert_double_eq(of_even.median, 5);
    ck_assert_double_eq(of_even.spread, 1.2);
}
END_TEST

static void refused(int status, const inlay_diag *diag, const char *message)
{
    ck_assert_int_eq(status, INLAY_BAD_INPUT);
    ck_assert_str_eq(inlay_diag_message(diag), message);
}

START_TEST(test_what_is_none_is_refused)
{
    static const char broken[] = "{\"inlay\": 3}";
    const bool wanted[INLAY_PATTERNS] = {true};
    inlay_raw *raw = NULL;
    inlay_fitted *fitted = NULL;
    inlay_diag *diag = inlay_diag_new();
    refused(inlay_raw_read("/no/such", &raw, diag), diag,
            "/no/such: cannot be read (No such file or directory); expected a file of inlay measure --raw");
    refused(inlay_raw_parse(broken, sizeof broken - 1, "mine", &raw, diag), diag, "mine: inlay is 3; expected a text");
    refused(inlay_raw_parse("{", 1, "mine", &raw, diag), diag,
            "mine:1: not valid JSON (string or '}' expected near end of file); expected a file of inlay measure --raw");
    ck_assert_ptr_null(raw);
    make("-v hosts=2");
    file_content content = bytes("raw.json");
    succeed(inlay_raw_parse(content.data, content.size, "mine", &raw, diag), diag);
    refused(inlay_raw_fit(raw, wanted, &fitted, diag), diag,
            "mine: 1-D was not measured; expected a file of inlay measure --topology 1-D --raw");
    ck_assert_ptr_null(fitted);
    file_content_clear(&content);
    inlay_raw_free(raw);
    inlay_raw_free(NULL);
    inlay_fitted_free(NULL);
    inlay_diag_free(diag);
}
END_TEST

/* ---- Out of memory ---- */

typedef struct attempted {
    file_content text;
    const bool *wanted;
} attempted;

static int try_all(const void *subject)
{
    const attempted *of = subject;
    inlay_raw *raw = NULL;
    inlay_fitted *fitted = NULL;
    const inlay_result_context context = {.command = "measure"};
    int status = inlay_raw_parse(of->text.data, of->text.size, "mine", &raw, NULL);
    status = status == INLAY_OK ? inlay_raw_fit(raw, of->wanted, &fitted, NULL) : status;
    status = status == INLAY_OK ? inlay_fitted_write(fitted, "/dev/null", NULL) : status;
    status = status == INLAY_OK ? inlay_fitted_write_json(fitted, &context, "/dev/null", NULL) : status;
    inlay_fitted_free(fitted);
    inlay_raw_free(raw);
    return status;
}

START_TEST(test_no_memory)
{
    make(machines[_i].made);
    const attempted of = {bytes("raw.json"), machines[_i].wanted};
    starve(try_all, &of, 20);
    free(of.text.data);
}
END_TEST

/* Hosts by falling speed, a new cluster where one is more than 5 % behind the first of the last one; named by first hosts. */
START_TEST(test_like_hosts)
{
    enum { HOSTS = 9 };
    uint64_t state = 17;
    for (int n = 0; n < 500; n++) {
        double seconds[HOSTS];
        int order[HOSTS], name[HOSTS], given[HOSTS], hosts = 1 + (int)random_below(&state, HOSTS), clusters = 0;
        for (int h = 0; h < hosts; h++) {
            seconds[h] = 1 + (double)random_below(&state, 40) / 100;
            int at = h;
            for (; at > 0 && seconds[order[at - 1]] > seconds[h]; at--)
                order[at] = order[at - 1];
            order[at] = h;
        }
        for (int i = 0, first = 0; i < hosts; i++) {
            first = seconds[order[i]] > seconds[order[first]] * 1.05 ? i : first;
            name[order[i]] = first;
        }
        ck_assert_int_ge(inlay_raw_like_hosts(seconds, hosts, given), 1);
        for (int h = 0; h < hosts; h++) {
            int same = 0;
            while (name[same] != name[h])
                same++;
            ck_assert_int_eq(given[h], same == h ? clusters : given[same]);
            clusters += same == h;
        }
        ck_assert_int_eq(inlay_raw_like_hosts(seconds, hosts, given), clusters);
    }
}
END_TEST

Suite *suite_raw(void)
{
    Suite *suite = suite_create("raw");
    TCase *tests = tcase_create("raw");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_loop_test(tests, test_command_writes_the_same, 0, MACHINES);
    tcase_add_test(tests, test_known_machine_is_found);
    tcase_add_test(tests, test_figures_of_repeats);
    tcase_add_test(tests, test_like_hosts);
    tcase_add_test(tests, test_what_is_none_is_refused);
    tcase_add_loop_test(tests, test_no_memory, 0, MACHINES);
    suite_add_tcase(suite, tests);
    return suite;
}

/* Shares of unlike processors: read, taken of machines, and laid out; against all layouts, one by one. */
#include "random_app.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Files ---- */

static int read_text(const char *text, size_t size, double **share, int32_t *count, inlay_diag *diag)
{
    char path[] = "/tmp/inlay-shares-XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq((int)write(file, text, size), (int)size);
    close(file);
    int status = inlay_shares_read(path, "some file", share, count, diag);
    unlink(path);
    return status;
}

static void expect_shares(const char *text, int32_t count, const double *expected)
{
    double *share = NULL;
    int32_t found = 0;
    ck_assert_int_eq(read_text(text, strlen(text), &share, &found, NULL), INLAY_OK);
    ck_assert_int_eq(found, count);
    for (int32_t i = 0; i < count; i++) {
        ck_assert_msg(share[i] == expected[i], "'%s': share %d", text, (int)i);
    }
    free(share);
}

START_TEST(files)
{
    static const double numbers[] = {2, 1, 0.5, 300}, chosen[] = {41, 41, 40, 7}, dealt[] = {9, 8, 8, 3};
    expect_shares("2 1\n.5,3e2", 4, numbers);
    expect_shares("\xEF\xBB\xBF# speeds\r\n2;1\r\n\r\n0.5 # slow 7\n+300\r\n", 4, numbers);
    expect_shares(
        " {\"command\": \"select\", \"configuration\": [3, 0, 1], \"partition\": [40, 0, 7], \"extra\": [2, 0, 0]}", 4,
        chosen);
    expect_shares(
        "{\"command\": \"processes\", \"types\": [{\"count\": 3, \"hohe_data\": {\"each\": 8, \"extra\": 1}}, "
        "{\"count\": 1, \"hohe_data\": {\"each\": 3, \"extra\": 0}}]}",
        4, dealt);
}
END_TEST

static const struct hostile {
    const char *text, *said;
} hostile[] = {
    {"", "some file: has no shares; expected numbers"},
    {"# nothing\n", "some file: has no shares"},
    {"1\n2 0\n", "some file:2: a share is '0'; expected a number above 0"},
    {"1 -2", "some file:1: a share is '-2'"},
    {"1\n\nnan", "some file:3: a share is 'nan'"},
    {"inf", "a share is 'inf'"},
    {"1e999", "a share is '1e999'"},
    {"1 2x", "a share is '2x'"},
    {"{", "some file:1"},
    {"{\"command\": \"map\"}", "some file:1: command is 'map'; expected select or processes"},
    {"{\"command\": \"select\"}", "configuration is missing"},
    {"{\"command\": \"select\", \"configuration\": [2], \"partition\": [0], \"extra\": [1]}",
     "processor 1 gets no data"},
    {"{\"command\": \"select\", \"configuration\": [-1], \"partition\": [0], \"extra\": [1]}", "configuration[0]"},
    {"{\"command\": \"processes\", \"types\": [{\"count\": 3}]}", "types[0].hohe_data"},
};

START_TEST(hostile_files)
{
    double *share = NULL;
    int32_t count = -1;
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        inlay_diag *diag = inlay_diag_new();
        ck_assert_int_eq(read_text(hostile[i].text, strlen(hostile[i].text), &share, &count, diag), INLAY_BAD_INPUT);
        ck_assert_msg(strstr(inlay_diag_message(diag), hostile[i].said) != NULL, "'%s': %s", hostile[i].text,
                      inlay_diag_message(diag));
        ck_assert(share == NULL && count == -1);
        inlay_diag_free(diag);
    }
    ck_assert_int_eq(read_text("1\0 2", 4, &share, &count, NULL), INLAY_BAD_INPUT);
    ck_assert_int_eq(inlay_shares_read("/no/such/file", NULL, &share, &count, NULL), INLAY_BAD_INPUT);
}
END_TEST

/* ---- Machines ---- */

START_TEST(fastest_processors)
{
    inlay_machine *machine = NULL;
    inlay_id processor[6];
    double share[6];
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_machine_read("2,5,2,3,5", &machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_shares(machine, 4, processor, share, NULL), INLAY_OK);
    static const inlay_id expected[] = {0, 1, 3, 4};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(processor[i], expected[i]);
        ck_assert(share[i] == inlay_machine_processor(machine, expected[i]).speed);
    }
    ck_assert(share[1] / share[2] > 1.66 && share[1] / share[2] < 1.67);
    ck_assert_int_eq(inlay_machine_shares(machine, 6, processor, share, diag), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "6 parts; expected 1 to 5, a processor of "));
    ck_assert_int_eq(inlay_machine_shares(machine, 0, processor, share, NULL), INLAY_BAD_ARGUMENT);
    inlay_diag_free(diag);
    inlay_machine_free(machine);
}
END_TEST

/* ---- Layout ---- */

enum { MOST = 7 };

/* Parts that send each other sends[p][q]. */
typedef struct subject {
    inlay_machine *machine;
    int32_t parts;
    int64_t sends[MOST][MOST];
    inlay_id begin[MOST];
} subject;

static int64_t slow_sum(const subject *s, const inlay_id *processor)
{
    int64_t sum = 0;
    for (int32_t p = 0; p < s->parts; p++) {
        for (int32_t q = 0; q < s->parts; q++) {
            sum += p == q ? 0 : s->sends[p][q] * inlay_machine_distance(s->machine, processor[p], processor[q]);
        }
    }
    return sum;
}

static bool may_stand(const subject *s, int32_t part, inlay_id processor)
{
    return inlay_machine_processor(s->machine, s->begin[part]).speed ==
           inlay_machine_processor(s->machine, processor).speed;
}

/* Over all places of parts `part` and beyond, the others being placed. */
static int64_t slow_least(const subject *s, int32_t part, inlay_id *processor) /* NOLINT(misc-no-recursion) */
{
    int64_t least = INT64_MAX;
    if (part == s->parts) {
        return slow_sum(s, processor);
    }
    for (inlay_id k = 0; k < inlay_machine_processors(s->machine); k++) {
        bool is_free = may_stand(s, part, k);
        for (int32_t p = 0; p < part; p++) {
            is_free = is_free && processor[p] != k;
        }
        if (is_free) {
            processor[part] = k;
            int64_t sum = slow_least(s, part + 1, processor);
            least = sum < least ? sum : least;
        }
    }
    return least;
}

static void expect_layout(const subject *s)
{
    int32_t start[MOST + 1] = {0}, part[MOST * MOST];
    int64_t sends[MOST * MOST];
    inlay_id processor[MOST], tried[MOST];
    inlay_part_places places;
    for (int32_t p = 0; p < s->parts; p++) {
        start[p + 1] = start[p];
        for (int32_t q = 0; q < s->parts; q++) {
            if (s->sends[p][q] > 0) {
                part[start[p + 1]] = q;
                sends[start[p + 1]++] = s->sends[p][q];
            }
        }
    }
    /* each neighbour has the other, as in a quotient graph */
    const inlay_part_traffic traffic = {s->parts, start, part, sends};
    memcpy(processor, s->begin, sizeof processor);
    ck_assert_int_eq(inlay_parts_lay_out(s->machine, &traffic, processor, &places, NULL), INLAY_OK);
    ck_assert_int_eq(places.before, slow_sum(s, s->begin));
    ck_assert_int_eq(places.after, slow_sum(s, processor));
    ck_assert_int_eq(places.after, slow_least(s, 0, tried));
    ck_assert(places.optimal);
    for (int32_t p = 0; p < s->parts; p++) {
        ck_assert(may_stand(s, p, processor[p]));
        for (int32_t q = 0; q < p; q++) {
            ck_assert_int_ne(processor[p], processor[q]);
        }
    }
}

START_TEST(least_of_all_layouts)
{
    static const char *const machines[] = {"mesh:3x2", "ring:7", "5,2,5,2,5", "hypercube:8", "bus:4", "mesh:2x1x3"};
    int better = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint64_t state = seed + 1;
        subject s = {0};
        double share[MOST];
        ck_assert_int_eq(inlay_machine_read(machines[seed % 6], &s.machine, NULL), INLAY_OK);
        inlay_id processors = inlay_machine_processors(s.machine);
        s.parts = (int32_t)(processors < MOST ? processors : MOST) - (int32_t)random_below(&state, 2);
        ck_assert_int_eq(inlay_machine_shares(s.machine, s.parts, s.begin, share, NULL), INLAY_OK);
        for (int32_t p = 0; p < s.parts; p++) {
            for (int32_t q = 0; q < p; q++) {
                if (random_once_in(&state, 2)) {
                    s.sends[p][q] = 1 + random_below(&state, 9);
                    s.sends[q][p] = 1 + random_below(&state, 9);
                }
            }
        }
        inlay_id tried[MOST];
        better += slow_least(&s, 0, tried) < slow_sum(&s, s.begin);
        expect_layout(&s);
        inlay_machine_free(s.machine);
    }
    ck_assert_int_gt(better, 20);
}
END_TEST

START_TEST(too_much_traffic)
{
    inlay_machine *machine = NULL;
    static const int32_t start[] = {0, 1, 2}, part[] = {1, 0};
    static const int64_t sends[] = {INT64_MAX, INT64_MAX};
    inlay_id processor[] = {0, 1};
    inlay_part_places places;
    inlay_diag *diag = inlay_diag_new();
    const inlay_part_traffic traffic = {2, start, part, sends};
    ck_assert_int_eq(inlay_machine_read("ring:4", &machine, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_parts_lay_out(machine, &traffic, processor, &places, diag), INLAY_OVERFLOW);
    inlay_diag_free(diag);
    inlay_machine_free(machine);
}
END_TEST

Suite *suite_shares(void)
{
    Suite *suite = suite_create("shares");
    TCase *tests = tcase_create("shares");
    tcase_add_test(tests, files);
    tcase_add_test(tests, hostile_files);
    tcase_add_test(tests, fastest_processors);
    tcase_add_test(tests, least_of_all_layouts);
    tcase_add_test(tests, too_much_traffic);
    suite_add_tcase(suite, tests);
    return suite;
}

/* A machine as metasystem, platform of processes and grid machines, and back: counts, speeds and routes stay. */
#include "general_subject.h"
#include "starve.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIR "architectures/"

static inlay_machine *machine_of(const char *text)
{
    inlay_machine *machine = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_machine_read(text, &machine, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return machine;
}

static inlay_metasystem *metasystem_of(const char *text)
{
    inlay_metasystem *m = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = inlay_metasystem_read(text, &m, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    ck_assert_msg(inlay_metasystem_check(m, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return m;
}

static void expect_near(double a, double b, const char *what)
{
    ck_assert_msg(fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)) + 1e-18, "%s: %.17g for %.17g", what, a, b);
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* ---- A metasystem as a machine ---- */

/* Time of one message of so many bytes that is alone: every link passes all of it before the next. */
static double alone(const inlay_machine *machine, inlay_id from, inlay_id to, double bytes)
{
    inlay_id links[8], length = inlay_machine_route(machine, from, to, links, 8);
    double time = 0;
    ck_assert_int_ge(length, 1);
    ck_assert_int_le(length, 8);
    for (inlay_id i = 0; i < length; i++) {
        inlay_machine_link link = inlay_machine_link_at(machine, links[i]);
        time += link.latency + bytes / link.capacity;
    }
    return time;
}

/* Half of T(2) of the ring, else of the tree, else of the line. */
static double in_cluster(const inlay_metasystem_cluster *c, double bytes)
{
    static const inlay_pattern order[] = {INLAY_PATTERN_RING, INLAY_PATTERN_TREE, INLAY_PATTERN_LINE};
    for (int i = 0; i < 3; i++) {
        const inlay_communication *t = &c->communication[order[i]];
        double f = t->growth == INLAY_GROWTH_LINEAR ? 2 : t->growth == INLAY_GROWTH_LOG2 ? log2(2) : 1;
        if (t->given) {
            return fmax(0, t->c1 + t->c2 * f) / 2 + bytes * fmax(0, t->c3 + t->c4 * f) / 2;
        }
    }
    return 0;
}

static void expect_machine(const inlay_metasystem *m, const inlay_machine *machine)
{
    double second = inlay_unit_seconds(m->time_unit) > 0 ? inlay_unit_seconds(m->time_unit) : 1, most = 0;
    inlay_id p = 0, first[64];
    ck_assert_uint_lt(m->clusters, 64);
    for (size_t c = 0; c < m->clusters; c++) {
        most = fmax(most, m->cluster[c].rate);
    }
    for (size_t c = 0; c < m->clusters; c++) {
        const inlay_metasystem_cluster *of = &m->cluster[c];
        first[c] = p;
        for (int32_t i = 0; i < of->available; i++, p++) {
            inlay_processor is = inlay_machine_processor(machine, p);
            expect_near(is.speed, most > 0 ? of->rate / most : 1, "speed");
            ck_assert(same_text(is.type, of->type != NULL ? of->type : of->name));
            ck_assert_int_eq(inlay_machine_host(machine, p), p);
        }
    }
    ck_assert_int_eq(inlay_machine_processors(machine), p);
    for (size_t a = 0; a < m->clusters; a++) {
        for (size_t b = 0; b < m->clusters && inlay_machine_links_known(machine); b++) {
            if (m->cluster[a].available < 1 + (a == b) || m->cluster[b].available < 1) continue;
            inlay_metasystem_route way = inlay_metasystem_way(m, (int32_t)a, (int32_t)b);
            double bytes = 1000, time = in_cluster(&m->cluster[a], bytes);
            time += way.latency + bytes * (way.per_byte + way.coercion);
            expect_near(alone(machine, first[a], first[b] + (a == b), bytes), time * second, "route");
        }
    }
}

static void expect_same_metasystem(const inlay_metasystem *a, const inlay_metasystem *b)
{
    ck_assert_uint_eq(a->clusters, b->clusters);
    for (size_t c = 0; c < a->clusters; c++) {
        const inlay_metasystem_cluster *x = &a->cluster[c], *y = &b->cluster[c];
        ck_assert_str_eq(x->name, y->name);
        ck_assert(same_text(x->type, y->type) && same_text(x->format, y->format));
        ck_assert_int_eq(x->total, y->total);
        ck_assert_int_eq(x->available, y->available);
        ck_assert(x->rate == y->rate && x->interconnect == y->interconnect && x->rows == y->rows);
        for (int p = 0; p < INLAY_PATTERNS; p++) {
            const inlay_communication *s = &x->communication[p], *t = &y->communication[p];
            ck_assert(s->given == t->given);
            ck_assert(!s->given ||
                      (s->c1 == t->c1 && s->c2 == t->c2 && s->c3 == t->c3 && s->c4 == t->c4 && s->growth == t->growth));
        }
        for (size_t d = 0; d < a->clusters; d++) {
            inlay_metasystem_route v = inlay_metasystem_way(a, (int32_t)c, (int32_t)d);
            inlay_metasystem_route w = inlay_metasystem_way(b, (int32_t)c, (int32_t)d);
            ck_assert(v.latency == w.latency && v.per_byte == w.per_byte && v.coercion == w.coercion);
        }
    }
}

/* There and back: the machine has the metasystem's text, which says the same. */
START_TEST(random_metasystems_are_machines)
{
    enum { CASES = 300 };
    uint64_t state = 11;
    int read = 0;
    for (int i = 0; i < CASES; i++) {
        general_subject s;
        general_random(&state, 6, 30, &s);
        inlay_machine *machine = NULL;
        inlay_metasystem *back = NULL;
        inlay_diag *diag = inlay_diag_new();
        bool rated = true;
        for (size_t c = 0; c < s.metasystem.clusters; c++) {
            rated = rated && (s.metasystem.cluster[c].rate > 0) == (s.metasystem.cluster[0].rate > 0);
        }
        int status = inlay_metasystem_machine(&s.metasystem, "drawn", &machine, diag);
        ck_assert_msg((status == INLAY_OK) == rated, "%s", inlay_diag_message(diag));
        if (status == INLAY_OK) {
            read++;
            expect_machine(&s.metasystem, machine);
            ck_assert_msg(inlay_machine_metasystem(machine, &back, diag) == INLAY_OK, "%s", inlay_diag_message(diag));
            expect_same_metasystem(&s.metasystem, back);
        }
        inlay_metasystem_free(back);
        inlay_machine_free(machine);
        inlay_diag_free(diag);
    }
    ck_assert_int_gt(read, CASES / 4);
}
END_TEST

static const char *const metasystems[] = {DIR "suns-metasystem.dot", DIR "figure13-metasystem.dot",
                                          DIR "gamma-metasystem.dot", DIR "campus-metasystem.dot"};

START_TEST(files_of_metasystems_are_machines)
{
    inlay_metasystem *m = metasystem_of(metasystems[_i]), *back = NULL;
    inlay_machine *machine = machine_of(metasystems[_i]);
    inlay_process_platform *platform = NULL;
    inlay_grid_machines *grid = NULL;
    inlay_duration each;
    double most = 0;
    int64_t processors = 0;
    expect_machine(m, machine);
    ck_assert_int_eq(inlay_machine_metasystem(machine, &back, NULL), INLAY_OK);
    expect_same_metasystem(m, back);
    for (size_t c = 0; c < m->clusters; c++) {
        most = fmax(most, m->cluster[c].rate);
    }
    ck_assert(inlay_machine_arithmetic_time(machine, &each));
    expect_near(inlay_decimal_double(each.value) * inlay_unit_seconds(each.unit),
                inlay_unit_seconds(m->time_unit) / most, "time of an operation");
    /* and the others' views of it */
    ck_assert_int_eq(inlay_machine_process_platform(machine, &platform, NULL), INLAY_OK);
    for (size_t q = 0; q < platform->problem.rows; q++) {
        processors += platform->problem.row[q].count;
    }
    ck_assert_int_eq(processors, inlay_machine_processors(machine));
    ck_assert_int_eq(inlay_machine_grid(machine, 0, &grid, NULL), INLAY_OK);
    ck_assert_int_eq(grid->processors, inlay_machine_processors(machine));
    for (inlay_id p = 0; p < grid->processors; p++) {
        expect_near(grid->speed[p], inlay_machine_processor(machine, p).speed * most / inlay_unit_seconds(m->time_unit),
                    "grid");
    }
    inlay_grid_machines_free(grid);
    inlay_process_platform_free(platform);
    inlay_machine_free(machine);
    inlay_metasystem_free(back);
    inlay_metasystem_free(m);
}
END_TEST

/* ---- A machine as a metasystem ---- */

/* T(p) of messages of `bytes`. */
static double cycle(const inlay_communication *t, double p, double bytes)
{
    double f = t->growth == INLAY_GROWTH_LINEAR ? p : t->growth == INLAY_GROWTH_LOG2 ? log2(p) : 1;
    ck_assert(t->given);
    return t->c1 + t->c2 * f + bytes * (t->c3 + t->c4 * f);
}

/* The patterns message by message, on one medium or where nobody waits for another. */
static double slow_cycle(inlay_pattern pattern, int p, bool medium, double message)
{
    double time = 0;
    switch (pattern) {
    case INLAY_PATTERN_RING:
        for (int i = 0; i < p; i++)
            time += message;
        return time;
    case INLAY_PATTERN_LINE: /* every processor but the ends sends two */
        for (int i = 0; i + 1 < p && medium; i++)
            time += 2 * message;
        return medium ? time : 2 * message;
    default: /* tree: up and down */
        for (int i = 1; i < p && medium; i++)
            time += 2 * message;
        for (int reached = 1; reached < p && !medium; reached *= 2)
            time += 2 * message;
        return time;
    }
}

static void expect_communication(const inlay_metasystem_cluster *c, bool medium, double latency, double per_byte)
{
    for (int pattern = 0; pattern < INLAY_PATTERNS; pattern++) {
        for (int p = 2; p <= 16; p *= 2) {
            expect_near(cycle(&c->communication[pattern], p, 100),
                        slow_cycle((inlay_pattern)pattern, p, medium, latency + 100 * per_byte), "communication");
        }
    }
}

START_TEST(a_bus_is_one_cluster)
{
    inlay_metasystem *m = metasystem_of("bus:8,capacity=10MB/s,latency=20us,arithmetic_time=2ns,speed=4,type=sun");
    ck_assert_uint_eq(m->clusters, 1);
    ck_assert_int_eq(m->cluster[0].total, 8);
    ck_assert_int_eq(m->cluster[0].available, 8);
    ck_assert_str_eq(m->cluster[0].type, "sun");
    expect_near(m->cluster[0].rate, 4 / 2e-9, "rate");
    ck_assert_int_eq(m->cluster[0].interconnect, INLAY_INTERCONNECT_BUS);
    ck_assert_int_eq(m->time_unit, INLAY_UNIT_S);
    expect_communication(m->cluster, true, 20e-6, 1e-7);
    inlay_metasystem_free(m);
}
END_TEST

START_TEST(families_are_one_cluster)
{
    static const struct {
        const char *text;
        int32_t processors, rows, columns;
        inlay_interconnect interconnect;
    } cases[] = {{"mesh:4x2,capacity=1GB/s,link_latency=1us", 8, 4, 2, INLAY_INTERCONNECT_MESH},
                 {"ring:6,capacity=1GB/s,link_latency=1us", 6, 0, 0, INLAY_INTERCONNECT_RING},
                 {"hypercube:8,capacity=1GB/s,link_latency=1us", 8, 0, 0, INLAY_INTERCONNECT_HYPERCUBE},
                 {"star:5,capacity=2GB/s,link_latency=500ns", 5, 0, 0, INLAY_INTERCONNECT_SWITCH},
                 {"star:4,capacity=2GB/s,link_latency=500ns,cores=3", 12, 0, 0, INLAY_INTERCONNECT_SWITCH},
                 {"star:5,capacity=2msg/us,message_size=1000,link_latency=500ns", 5, 0, 0, INLAY_INTERCONNECT_SWITCH}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_metasystem *m = metasystem_of(cases[i].text);
        ck_assert_uint_eq(m->clusters, 1);
        ck_assert_int_eq(m->cluster[0].total, cases[i].processors);
        ck_assert_int_eq(m->cluster[0].interconnect, cases[i].interconnect);
        ck_assert_int_eq(m->cluster[0].rows, cases[i].rows);
        ck_assert_int_eq(m->cluster[0].columns, cases[i].columns);
        ck_assert(m->cluster[0].rate == 0);
        expect_communication(m->cluster, false, 1e-6, 1e-9); /* of a star: two links */
        inlay_metasystem_free(m);
    }
}
END_TEST

static int write_text(const char *path, const char *text)
{
    return inlay_bytes_write(path, text, strlen(text), NULL);
}

/* Two switches with unlike hosts at each; the ways between them are the sums of their links. */
START_TEST(like_hosts_at_a_switch_are_a_cluster)
{
    static const char text[] =
        "graph g { graph [network=links, arithmetic_time=1us];\n"
        "s [kind=switch]; t [kind=switch]; edge [capacity=\"1MB/s\", latency=\"1us\"];\n"
        "a [type=x, speed=2]; b [type=x, speed=2]; c [type=y]; d [type=x, speed=2, cores=2]; e [type=x, speed=2];\n"
        "a -- s; b -- s; c -- s; d -- t; e -- t; s -- t [latency=\"10us\"]; }";
    ck_assert_int_eq(write_text("/tmp/inlay-views.dot", text), INLAY_OK);
    inlay_metasystem *m = metasystem_of("/tmp/inlay-views.dot");
    static const int32_t totals[] = {2, 1, 3};
    static const double rates[] = {2e6, 1e6, 2e6};
    ck_assert_uint_eq(m->clusters, 3);
    for (int c = 0; c < 3; c++) {
        ck_assert_int_eq(m->cluster[c].total, totals[c]);
        ck_assert_str_eq(m->cluster[c].type, c == 1 ? "y" : "x");
        expect_near(m->cluster[c].rate, rates[c], "rate");
    }
    expect_communication(&m->cluster[0], false, 2e-6, 2e-6);
    expect_communication(&m->cluster[2], false, 2e-6, 2e-6);
    inlay_metasystem_route near = inlay_metasystem_way(m, 0, 1), far = inlay_metasystem_way(m, 2, 0);
    ck_assert(near.latency == 0 && near.per_byte == 0); /* at one switch */
    expect_near(far.latency, 12e-6, "far");
    expect_near(far.per_byte, 3e-6, "far");
    inlay_metasystem_free(m);
    (void)remove("/tmp/inlay-views.dot");
}
END_TEST

/* ---- Speeds ---- */

START_TEST(speeds_are_machines)
{
    static const char table[] = "name,speed\nold sun,0.1\nnew,2x6 # fast\ns0,3\n3,2x5\n";
    static const char *const names[] = {"old sun", "new0", "new1", "s0", "p4", "p5", "p6"};
    static const double speeds[] = {0.1, 6, 6, 3, 3, 5, 5};
    inlay_grid_machines *grid = NULL, *back = NULL;
    ck_assert_int_eq(write_text("/tmp/inlay-views.csv", table), INLAY_OK);
    inlay_machine *machine = machine_of("/tmp/inlay-views.csv,capacity=1GB/s,link_latency=1us");
    ck_assert_int_eq(inlay_grid_machines_read("/tmp/inlay-views.csv", 0, &grid, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_grid(machine, 0, &back, NULL), INLAY_OK);
    ck_assert_int_eq(inlay_machine_processors(machine), 7);
    ck_assert_int_eq(back->processors, 7);
    ck_assert(back->networked && !back->speed_assumed);
    for (inlay_id p = 0; p < 7; p++) {
        char name[INLAY_MACHINE_NAME];
        ck_assert_str_eq(inlay_machine_node_name(machine, inlay_machine_host(machine, p), name), names[p]);
        expect_near(inlay_machine_processor(machine, p).speed, speeds[p], "speed");
        expect_near(grid->speed[p], speeds[p] * 1e6, "Mflop/s");
        expect_near(back->speed[p], grid->speed[p], "and back");
    }
    expect_near(alone(machine, 0, 6, 1000), 2 * (1e-6 + 1000 / 1e9), "route");
    inlay_grid_machines_free(grid);
    inlay_grid_machines_free(back);
    inlay_machine_free(machine);
    machine = machine_of("6,2x0.25");
    ck_assert_int_eq(inlay_machine_processors(machine), 3);
    ck_assert(inlay_machine_processor(machine, 0).speed == 6 && inlay_machine_processor(machine, 2).speed == 0.25);
    ck_assert_str_eq(inlay_machine_text(machine), "6,2x0.25");
    inlay_machine_free(machine);
    (void)remove("/tmp/inlay-views.csv");
}
END_TEST

/* ---- Platforms of processes ---- */

START_TEST(performance_functions_are_machines)
{
    static const char *const files[] = {DIR "lab-speeds.csv", DIR "office-speeds.csv", DIR "paper-speeds.json"};
    inlay_process_platform *platform = NULL;
    inlay_machine *machine = machine_of(files[_i]);
    ck_assert_int_eq(inlay_process_platform_read(files[_i], INLAY_PERFORMANCE_AS_GIVEN, &platform, NULL), INLAY_OK);
    const inlay_process_problem *of = &platform->problem;
    int64_t all = 0;
    for (size_t q = 0; q < of->rows; q++) {
        all += of->row[q].count;
    }
    double data = _i == 0 ? 13824 : _i == 1 ? 1 : (double)of->data / (double)all, most = 0;
    for (size_t q = 0; q < of->rows; q++) {
        most = fmax(most, data / inlay_processors_time(&of->row[q], 1, data));
    }
    inlay_id p = 0;
    for (size_t q = 0; q < of->rows; q++) {
        for (int64_t i = 0; i < of->row[q].count; i++, p++) {
            inlay_processor is = inlay_machine_processor(machine, p);
            ck_assert_str_eq(is.type, of->row[q].name);
            expect_near(is.speed, data / inlay_processors_time(&of->row[q], 1, data) / most, "speed");
        }
    }
    ck_assert_int_eq(inlay_machine_processors(machine), p);
    inlay_process_platform_free(platform);
    inlay_machine_free(machine);
}
END_TEST

/* Neighbours of one name are the cores of a host. */
START_TEST(hosts_have_cores)
{
    static const char text[] = "type,hosts,speed\nfast,a a b,4\nslow,c,2\n";
    static const char *const names[] = {"a", "a", "b", "c"};
    ck_assert_int_eq(write_text("/tmp/inlay-cores.csv", text), INLAY_OK);
    inlay_machine *machine = machine_of("/tmp/inlay-cores.csv");
    ck_assert_int_eq(inlay_machine_hosts(machine), 3);
    ck_assert_int_eq(inlay_machine_processors(machine), 4);
    for (inlay_id p = 0; p < 4; p++) {
        char name[INLAY_MACHINE_NAME];
        ck_assert_str_eq(inlay_machine_node_name(machine, inlay_machine_host(machine, p), name), names[p]);
        ck_assert(inlay_machine_processor(machine, p).speed == (p < 3 ? 1 : 0.5));
    }
    inlay_machine_free(machine);
    (void)remove("/tmp/inlay-cores.csv");
}
END_TEST

/* Types and speeds in the order of their first processors; cores are processors on hosts of one name. */
START_TEST(machines_are_platforms)
{
    inlay_machine *machine = machine_of(DIR "unlike-hosts.dot");
    inlay_process_platform *platform = NULL;
    ck_assert_int_eq(inlay_machine_process_platform(machine, &platform, NULL), INLAY_OK);
    const inlay_process_problem *of = &platform->problem;
    int64_t next[8] = {0}, all = 0;
    ck_assert_uint_le(of->rows, 8);
    for (inlay_id p = 0; p < inlay_machine_processors(machine); p++) {
        char name[INLAY_MACHINE_NAME];
        inlay_processor is = inlay_machine_processor(machine, p);
        size_t q = 0;
        while (q < of->rows && !(strncmp(of->row[q].name, is.type, strlen(is.type)) == 0 &&
                                 inlay_performance_speed(of->row[q].performance, 1, 1) == is.speed)) {
            q++;
        }
        ck_assert_uint_lt(q, of->rows);
        ck_assert_str_eq(of->row[q].host[next[q]++],
                         inlay_machine_node_name(machine, inlay_machine_host(machine, p), name));
    }
    for (size_t q = 0; q < of->rows; q++) {
        ck_assert_int_eq(next[q], of->row[q].count);
        all += of->row[q].count;
    }
    ck_assert_int_eq(all, inlay_machine_processors(machine));
    ck_assert_int_eq(platform->time_unit, INLAY_UNIT_TICK);
    inlay_process_platform_free(platform);
    inlay_machine_free(machine);
}
END_TEST

/* ---- Memory ---- */

static int try_machine(const void *subject)
{
    inlay_machine *machine = NULL;
    int status = inlay_machine_read(subject, &machine, NULL);
    inlay_machine_free(machine);
    return status;
}

static int try_metasystem(const void *subject)
{
    inlay_metasystem *m = NULL;
    int status = inlay_machine_metasystem(subject, &m, NULL);
    inlay_metasystem_free(m);
    return status;
}

static int try_platform(const void *subject)
{
    inlay_process_platform *platform = NULL;
    int status = inlay_machine_process_platform(subject, &platform, NULL);
    inlay_process_platform_free(platform);
    return status;
}

static int try_grid(const void *subject)
{
    inlay_grid_machines *grid = NULL;
    int status = inlay_machine_grid(subject, 0, &grid, NULL);
    inlay_grid_machines_free(grid);
    return status;
}

static int try_write(const void *subject)
{
    return inlay_machine_write_as(subject, "/tmp/inlay-views.out", "metasystem", 0, NULL);
}

START_TEST(views_survive_without_memory)
{
    static const char *const texts[] = {DIR "campus-metasystem.dot", DIR "unlike-hosts.dot", DIR "lab-speeds.csv",
                                        "6,2x4", "mesh:4x2,capacity=1GB/s"};
    starve(try_machine, texts[_i], 10);
    inlay_machine *machine = machine_of(texts[_i]);
    starve(try_metasystem, machine, 5);
    starve(try_platform, machine, 5);
    starve(try_grid, machine, 3);
    starve(try_write, machine, 5);
    (void)remove("/tmp/inlay-views.out");
    inlay_machine_free(machine);
}
END_TEST

Suite *suite_views(void)
{
    Suite *suite = suite_create("views of a machine");
    TCase *tests = tcase_create("views");
    tcase_add_test(tests, random_metasystems_are_machines);
    tcase_add_loop_test(tests, files_of_metasystems_are_machines, 0, 4);
    tcase_add_test(tests, a_bus_is_one_cluster);
    tcase_add_test(tests, families_are_one_cluster);
    tcase_add_test(tests, like_hosts_at_a_switch_are_a_cluster);
    tcase_add_test(tests, speeds_are_machines);
    tcase_add_loop_test(tests, performance_functions_are_machines, 0, 3);
    tcase_add_test(tests, hosts_have_cores);
    tcase_add_test(tests, machines_are_platforms);
    tcase_add_loop_test(tests, views_survive_without_memory, 0, 5);
    suite_add_tcase(suite, tests);
    return suite;
}

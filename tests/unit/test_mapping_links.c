// SPDX-License-Identifier: GPL-3.0-or-later
/* Loads of links against a count, link by link, of what every pair of clusters sends and by which route. */
#include "drawn.h"
#include "map_by_houstis.h"
#include "random_app.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = DRAWN_MAPPING_LINKS, MOST_HOPS = 64, MACHINES = 11 };

/* The capacity's unit of time follows. */
static const char *const machines[MACHINES] = {
    "mesh:4x4,capacity=0.5msg/",
    "torus:3x3x2,model=mm1,capacity=8msg/",
    "ring:9,cores=2,duplex=half,capacity=3msg/",
    "hypercube:16,transfers=2,capacity=2msg/",
    "star:12,switching=cut-through,capacity=2msg/",
    "crossbar:16,message_size=64B,capacity=7msg/",
    "tree:4x4,capacity=64B/",
    "fattree:4x4,up=1x2,cables=1x2,capacity=2msg/",
    "dragonfly:3x2x2x2,cables=4x2x1,capacity=1msg/",
    "mesh:2x2x4,capacity=0.001msg/",
    "mesh:5x3,capacity=10B/",
};

/** Everything at hand for one comparison. */
typedef struct subject {
    inlay_app *app;
    inlay_machine *machine;
    inlay_mapping *mapping;
    inlay_diag *diag;
} subject;

/** Seconds of one unit of the application; 1 for ticks, of which the machine counts too. */
static double unit_seconds(const inlay_app *app)
{
    switch (inlay_app_unit(app)) {
    case INLAY_UNIT_MS: return 1e-3;
    case INLAY_UNIT_US: return 1e-6;
    case INLAY_UNIT_NS: return 1e-9;
    default: return 1;
    }
}

/** false where the random application cannot be laid into the machine. */
static bool subject_make(subject *s, uint64_t *state, const char *words)
{
    random_times times;
    char text[128];
    s->app = random_app(state, 1 + (inlay_id)random_below(state, RANDOM_MODULES - 1),
                        RANDOM_TRAFFIC_ONLY | RANDOM_BLOCKS | RANDOM_DECIMALS, &times);
    s->diag = inlay_diag_new();
    bool ticks = inlay_app_unit(s->app) == INLAY_UNIT_TICK;
    snprintf(text, sizeof text, "%s%s", words, ticks ? "tick" : "s");
    s->machine = NULL;
    s->mapping = NULL;
    if (inlay_machine_parse(text, &s->machine, s->diag) != INLAY_OK) {
        return false;
    }
    return map_by_houstis(s->app, s->machine, &(inlay_options){0}, &s->mapping, s->diag) == INLAY_OK;
}

static void subject_clear(subject *s)
{
    inlay_mapping_free(s->mapping);
    inlay_machine_free(s->machine);
    inlay_app_free(s->app);
    inlay_diag_free(s->diag);
}

static bool passes(const subject *s, const inlay_flow *flow, inlay_id link)
{
    inlay_id way[MOST_HOPS];
    inlay_id from = inlay_mapping_cluster(s->mapping, flow->from).processor;
    inlay_id to = inlay_mapping_cluster(s->mapping, flow->to).processor;
    inlay_id length = inlay_machine_route(s->machine, from, to, way, MOST_HOPS);
    ck_assert_int_ge(length, 0);
    ck_assert_int_le(length, MOST_HOPS);
    for (inlay_id i = 0; i < length; i++) {
        if (way[i] == link) {
            return true;
        }
    }
    return false;
}

/** What the link should have, from the flows alone. */
static inlay_link_load expected(const subject *s, const inlay_flow *flows, size_t count, inlay_id link)
{
    const inlay_summary *sum = inlay_mapping_summary(s->mapping);
    inlay_machine_link of = inlay_machine_link_at(s->machine, link);
    inlay_link_load load = {.link = link, .parallel = of.parallel};
    for (size_t f = 0; f < count; f++) {
        if ((flows[f].traffic > 0 || flows[f].messages > 0) && passes(s, &flows[f], link)) {
            load.flows++;
            load.traffic += flows[f].traffic;
        }
    }
    double works = inlay_machine_transfers(s->machine) * (double)load.traffic / of.capacity;
    double u = works / (sum->time_frame * unit_seconds(s->app));
    load.utilisation = u;
    load.delay = inlay_machine_exponential(s->machine) ? 1 / (1 - u) : 1 + u / (2 * (1 - u));
    return load;
}

static void expect_near(double a, double b)
{
    ck_assert_msg(fabs(a - b) <= 1e-12 * fmax(1, fabs(b)), "%.17g is not %.17g", a, b);
}

static void compare(const subject *s)
{
    inlay_link_load *loads = NULL;
    inlay_flow *flows = NULL;
    size_t count = 0, flow_count = 0, used = 0;
    ck_assert_int_eq(inlay_mapping_links(s->mapping, &loads, &count, s->diag), INLAY_OK);
    ck_assert_int_eq(inlay_mapping_flows(s->mapping, &flows, &flow_count, s->diag), INLAY_OK);
    for (inlay_id link = 0; link < inlay_machine_links(s->machine); link++) {
        inlay_link_load want = expected(s, flows, flow_count, link);
        size_t i = 0;
        while (i < count && loads[i].link != link) {
            i++;
        }
        ck_assert_int_eq(i<count, want.flows> 0);
        if (i < count) {
            used++;
            ck_assert_int_eq(loads[i].flows, want.flows);
            ck_assert_int_eq(loads[i].traffic, want.traffic);
            ck_assert_int_eq(loads[i].parallel, want.parallel);
            expect_near(loads[i].utilisation, want.utilisation);
            expect_near(loads[i].delay, want.delay);
        }
    }
    ck_assert_uint_eq(used, count);
    for (size_t i = 1; i < count; i++) {
        ck_assert(loads[i - 1].utilisation >= loads[i].utilisation);
    }
    const inlay_summary *sum = inlay_mapping_summary(s->mapping);
    expect_near(count == 0 ? 0 : loads[0].utilisation, sum->u);
    free(flows);
    free(loads);
}

START_TEST(loads_are_the_flows_on_every_route)
{
    int compared = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = seed;
        subject s;
        if (subject_make(&s, &state, machines[seed % MACHINES])) {
            compare(&s);
            compared++;
        }
        subject_clear(&s);
    }
    ck_assert_msg(compared > SEEDS / 2, "only %d of %d seeds could be compared", compared, SEEDS);
}
END_TEST

static void lay_out(subject *s, const char *text)
{
    s->diag = inlay_diag_new();
    ck_assert_int_eq(inlay_machine_parse(text, &s->machine, s->diag), INLAY_OK);
    ck_assert_int_eq(map_by_houstis(s->app, s->machine, &(inlay_options){0}, &s->mapping, s->diag), INLAY_OK);
}

START_TEST(machines_without_links_have_none)
{
    uint64_t state = 7;
    random_times times;
    subject s = {.app = random_app(&state, 20, 0, &times)};
    lay_out(&s, "bus:8");
    inlay_link_load *loads = (inlay_link_load *)&state;
    size_t count = 99;
    ck_assert_int_eq(inlay_mapping_links(s.mapping, &loads, &count, s.diag), INLAY_OK);
    ck_assert_ptr_null(loads);
    ck_assert_uint_eq(count, 0);
    subject_clear(&s);
}
END_TEST

START_TEST(nothing_to_ask_is_refused)
{
    inlay_link_load *loads = NULL;
    size_t count = 3;
    inlay_diag *diag = inlay_diag_new();
    ck_assert_int_eq(inlay_mapping_links(NULL, &loads, &count, diag), INLAY_BAD_ARGUMENT);
    ck_assert_uint_eq(count, 3);
    ck_assert_str_ne(inlay_diag_message(diag), "");
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_mapping_links(void)
{
    Suite *suite = suite_create("mapping_links");
    TCase *tc = tcase_create("loads");
    tcase_add_test(tc, loads_are_the_flows_on_every_route);
    tcase_add_test(tc, machines_without_links_have_none);
    tcase_add_test(tc, nothing_to_ask_is_refused);
    suite_add_tcase(suite, tc);
    return suite;
}

/*
 * Collective communication: every algorithm of the table against one that sends message by message, the cheapest of them,
 * and processors selected for programs that communicate so against all configurations.
 */
#include "network/collectives.h"
#include "random_app.h"
#include "slow_collectives.h"
#include "unit.h"

#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

#define AGREES(got, want)                                                                                              \
    ck_assert_msg(fabs((got) - (want)) <= 1e-9 * fabs(want), "%s = %.15g, expected %.15g", #got, (double)(got),        \
                  (double)(want))

/* ---- The table ---- */

static double slow_time(const slow_collective *run, const collective_link *link, int inside, int between)
{
    double sum = 0;
    for (int s = 0; s < run->stages; s++) {
        double most[2] = {0, 0};
        for (int i = 0; i < inside + between; i++) {
            double time = link[i].latency + link[i].per_byte * run->most[s];
            most[i >= inside] = fmax(most[i >= inside], time);
        }
        sum += most[0] + most[1];
    }
    return sum;
}

static collective_link random_link(uint64_t *state)
{
    return (collective_link){(double)random_below(state, 40), (double)random_below(state, 200) / 1000};
}

/* Segments from 1 on until more of them have long taken longer. */
static double slow_least(const collective *of, int p, double bytes, const collective_link *link, int inside,
                         int between)
{
    slow_collective run;
    double least = INFINITY;
    for (int segments = 1; segments <= (of->segmented && p > 1 ? 48 : 1); segments++) {
        slow_collective_run(of->pattern, of->name, p, bytes, segments, &run);
        least = fmin(least, slow_time(&run, link, inside, between));
    }
    return least;
}

START_TEST(message_by_message)
{
    uint64_t state = 1;
    const collective *of;
    for (size_t i = 0; (of = collective_at(i)) != NULL; i++) {
        for (int p = 1; p <= SLOW_RANKS; p += of->segmented && p > 9 ? 8 : 1) {
            collective_link link[4];
            int inside = 1 + (int)random_below(&state, 2), between = (int)random_below(&state, 3);
            double bytes = p % 7 == 0 ? 0 : (double)random_below(&state, 3000);
            for (int l = 0; l < inside + between; l++)
                link[l] = random_link(&state);
            link[0].latency += 15; /* segments that cost something */
            const collective_links links = {link, link + inside, (size_t)inside, (size_t)between};
            AGREES(collective_time(of, p, bytes, &links), slow_least(of, p, bytes, link, inside, between));
            slow_collective run;
            double messages, volume, sum = 0;
            collective_critical_path(of, p, bytes, 3, &messages, &volume);
            slow_collective_run(of->pattern, of->name, p, bytes, 3, &run);
            for (int s = 0; s < run.stages; s++)
                sum += run.most[s];
            ck_assert_double_eq(messages, run.stages);
            AGREES(volume, sum);
        }
    }
}
END_TEST

/* As MPI libraries: few messages where latency counts, few bytes where they are long. */
START_TEST(the_cheapest)
{
    const collective_link link = {20, 0.01};
    const collective_links links = {.inside = &link, .insides = 1};
    static const struct {
        inlay_pattern pattern;
        int64_t p;
        double bytes;
        const char *name;
    } row[] = {
        {INLAY_PATTERN_ALL_TO_ALL, 32, 8, "bruck"},
        {INLAY_PATTERN_ALL_TO_ALL, 32, 1e6, "pairwise"},
        {INLAY_PATTERN_ALL_TO_ALL, 2, 8, "pairwise"},
        {INLAY_PATTERN_ALLREDUCE, 32, 8, "recursive-doubling"},
        {INLAY_PATTERN_ALLREDUCE, 32, 1e6, "rabenseifner"},
        {INLAY_PATTERN_ALLREDUCE, 33, 1e8, "reducing-ring"},
        {INLAY_PATTERN_BROADCAST, 32, 8, "binomial"},
        {INLAY_PATTERN_BROADCAST, 32, 3e4, "scatter-allgather"},
        {INLAY_PATTERN_BROADCAST, 1000000, 1e9, "scatter-allgather"},
        {INLAY_PATTERN_BROADCAST, 4, 1e5, "pipeline"},
        {INLAY_PATTERN_2D, 16, 1e6, "grid"},
        {INLAY_PATTERN_2D, 16, 8, "strips"},
        {INLAY_PATTERN_3D, 64, 1e6, "box"},
        {INLAY_PATTERN_3D, 64, 8, "slabs"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double time;
        const collective *best = collective_cheapest(row[i].pattern, row[i].p, row[i].bytes, &links, &time);
        ck_assert_str_eq(best->name, row[i].name);
        ck_assert(time > 0 && isfinite(time));
    }
    ck_assert_ptr_null(collective_find(INLAY_PATTERN_BROADCAST, "bruck"));
    ck_assert_ptr_null(inlay_pattern_algorithm(INLAY_PATTERN_RING, 0));
    ck_assert_str_eq(inlay_pattern_algorithm(INLAY_PATTERN_ALL_TO_ALL, 1), "bruck");
}
END_TEST

/* ---- Selection ---- */

enum { CLUSTERS = 3 };

/* A program of one computation and one or two communications by algorithms. */
typedef struct subject {
    inlay_metasystem metasystem;
    inlay_metasystem_cluster cluster[CLUSTERS];
    inlay_metasystem_route route[1];
    inlay_domain domain;
    inlay_select_terms terms;
    int64_t units, sizes[2];
    double power, fixed[2], per_unit[2];
    inlay_pattern pattern[2];
    const char *algorithm[2];
    bool beside[2];
} subject;

static int tell_units(void *context, int32_t phase, int64_t *units, inlay_diag *diag)
{
    (void)phase, (void)diag;
    *units = ((const subject *)context)->units;
    return INLAY_OK;
}

static int tell_work(void *context, int32_t processors, int32_t phase, inlay_complexity *work, inlay_diag *diag)
{
    (void)context, (void)processors, (void)phase, (void)diag;
    *work = (inlay_complexity){300, 0};
    return INLAY_OK;
}

static int tell_pattern(void *context, int32_t phase, inlay_pattern *pattern, inlay_diag *diag)
{
    (void)diag;
    *pattern = ((const subject *)context)->pattern[phase];
    return INLAY_OK;
}

static int tell_bytes(void *context, int32_t processors, int32_t phase, inlay_complexity *bytes, inlay_diag *diag)
{
    const subject *s = context;
    (void)diag;
    *bytes = (inlay_complexity){.fixed = s->fixed[phase] * pow(processors, s->power), .per_unit = s->per_unit[phase]};
    return INLAY_OK;
}

static const char *tell_algorithm(void *context, int32_t phase)
{
    return ((const subject *)context)->algorithm[phase];
}

static int tell_sizes(void *context, int32_t phase, int64_t *sizes, inlay_diag *diag)
{
    (void)diag;
    *sizes = ((const subject *)context)->sizes[phase];
    return INLAY_OK;
}

static int32_t tell_overlap(void *context, int32_t phase)
{
    return ((const subject *)context)->beside[phase] ? 0 : -1;
}

static void draw_communication(uint64_t *state, subject *s, int n)
{
    size_t count = 0;
    s->pattern[n] = (inlay_pattern)(INLAY_PATTERNS + random_below(state, INLAY_ALL_PATTERNS - INLAY_PATTERNS));
    while (inlay_pattern_algorithm(s->pattern[n], count) != NULL)
        count++;
    size_t which = (size_t)random_below(state, 2 * (int64_t)count);
    s->algorithm[n] = inlay_pattern_algorithm(s->pattern[n], which); /* NULL: the cheapest */
    s->sizes[n] = random_below(state, 3) == 0 ? 1 + random_below(state, 5) : 1;
    s->fixed[n] = (double)random_below(state, 2000);
    s->per_unit[n] = random_below(state, 2) == 0 ? (double)random_below(state, 60) : 0;
    s->beside[n] = random_below(state, 3) == 0;
}

static void draw(uint64_t *state, subject *s)
{
    int clusters = 1 + (int)random_below(state, CLUSTERS);
    *s = (subject){.units = 1 + random_below(state, 40), .power = -(double)random_below(state, 3)};
    for (int i = 0; i < clusters; i++) {
        static const char *const names[CLUSTERS] = {"a", "b", "c"};
        collective_link link = random_link(state);
        inlay_communication ring = {true, 3, link.latency, 0, link.per_byte, INLAY_GROWTH_LINEAR};
        int32_t all = 1 + (int32_t)random_below(state, 6);
        s->cluster[i] = (inlay_metasystem_cluster){
            .name = names[i], .total = all, .available = all, .rate = 1 + (double)random_below(state, 5)};
        s->cluster[i].communication[INLAY_PATTERN_RING] = ring;
    }
    s->metasystem = (inlay_metasystem){.clusters = (size_t)clusters,
                                       .cluster = s->cluster,
                                       .router_latency = (double)random_below(state, 30),
                                       .router_per_byte = (double)random_below(state, 3) / 50,
                                       .routes = clusters > 1 ? (size_t)random_below(state, 2) : 0,
                                       .route = s->route};
    s->route[0] = (inlay_metasystem_route){.from = 0, .to = 1, .latency = 90, .per_byte = 0.01};
    s->terms = (inlay_select_terms){.all_phases = true, .map = INLAY_SELECT_INTEGER};
    s->domain = (inlay_domain){.context = s,
                               .computations = 1,
                               .communications = 1 + (int32_t)random_below(state, 2),
                               .by_processors = s->power != 0,
                               .units = tell_units,
                               .work = tell_work,
                               .pattern = tell_pattern,
                               .bytes = tell_bytes,
                               .algorithm = tell_algorithm,
                               .sizes = tell_sizes,
                               .overlap = tell_overlap};
    for (int n = 0; n < s->domain.communications; n++)
        draw_communication(state, s, n);
}

/* Unit after unit to whoever is done with it first; gives the largest share. */
static int64_t slow_shares(const subject *s, const int32_t *processors, double *time)
{
    int64_t has[CLUSTERS] = {0}, full[CLUSTERS] = {0}, largest = 0; /* full: how many have one more */
    *time = 0;
    for (int64_t u = 0; u < s->units; u++) {
        int next = -1;
        for (size_t i = 0; i < s->metasystem.clusters; i++) {
            bool first =
                next < 0 || (double)(has[i] + 1) * s->cluster[next].rate < (double)(has[next] + 1) * s->cluster[i].rate;
            next = processors[i] > 0 && first ? (int)i : next;
        }
        *time = fmax(*time, (double)(has[next] + 1) * 300 / s->cluster[next].rate);
        largest = has[next] + 1 > largest ? has[next] + 1 : largest;
        if (++full[next] == processors[next]) {
            full[next] = 0;
            has[next]++;
        }
    }
    return largest;
}

static double slow_communication(const subject *s, int n, const int32_t *processors, int p, int64_t largest)
{
    collective_link link[2 * CLUSTERS];
    int inside = 0, between = 0;
    for (size_t i = 0; i < s->metasystem.clusters; i++) {
        const inlay_communication *ring = &s->cluster[i].communication[INLAY_PATTERN_RING];
        if (processors[i] > 0) link[inside++] = (collective_link){ring->c2, ring->c4};
    }
    for (size_t i = 0; i < s->metasystem.clusters; i++) {
        for (size_t j = 0; j < i; j++) {
            bool route = s->metasystem.routes > 0 && j == 0 && i == 1;
            if (processors[i] == 0 || processors[j] == 0) continue;
            link[inside + between++] = (collective_link){route ? 90 : s->metasystem.router_latency,
                                                         route ? 0.01 : s->metasystem.router_per_byte};
        }
    }
    double bytes = s->fixed[n] * pow(p, s->power) + s->per_unit[n] * (double)largest, sum = 0;
    for (int64_t k = 0; p > 1 && k < s->sizes[n]; k++) {
        double least = INFINITY, size = bytes * (1 - (double)k / (double)s->sizes[n]);
        const collective *of;
        for (size_t i = 0; (of = collective_at(i)) != NULL; i++) {
            bool its =
                of->pattern == s->pattern[n] && (s->algorithm[n] == NULL || strcmp(s->algorithm[n], of->name) == 0);
            const collective_links links = {link, link + inside, (size_t)inside, (size_t)between};
            /* held against one message after the other above */
            least = its ? fmin(least, collective_time(of, p, size, &links)) : least;
        }
        sum += least;
    }
    return sum;
}

static double slow_cycle(const subject *s, const int32_t *processors)
{
    double computation, beside = 0, apart = 0;
    int p = 0;
    int64_t largest = slow_shares(s, processors, &computation);
    for (size_t i = 0; i < s->metasystem.clusters; i++)
        p += processors[i];
    for (int n = 0; n < s->domain.communications; n++) {
        *(s->beside[n] ? &beside : &apart) += slow_communication(s, n, processors, p, largest);
    }
    return fmax(computation, beside) + apart;
}

static double slow_best(const subject *s)
{
    int32_t p[CLUSTERS] = {0};
    double least = INFINITY;
    for (;;) {
        size_t i = 0;
        while (i < s->metasystem.clusters && p[i] == s->cluster[i].total)
            p[i++] = 0;
        if (i == s->metasystem.clusters) return least;
        p[i]++;
        least = fmin(least, slow_cycle(s, p));
    }
}

START_TEST(all_configurations)
{
    uint64_t state = 77 + (uint64_t)_i;
    for (int round = 0; round < 12; round++) {
        static const inlay_select_method methods[] = {INLAY_SELECT_EXACT, INLAY_SELECT_H3};
        subject s;
        draw(&state, &s);
        double best = slow_best(&s);
        for (size_t m = 0; m < 2; m++) {
            const inlay_select_options options = {.method = methods[m]};
            inlay_selection *found = NULL;
            ck_assert_int_eq(inlay_select(&s.domain, &s.metasystem, &s.terms, &options, &found, NULL), INLAY_OK);
            const inlay_configuration *c = inlay_selection_at(found, 0);
            AGREES(c->t_cycle, slow_cycle(&s, c->processors));
            ck_assert(c->t_cycle >= best * (1 - 1e-9));
            if (m == 0) {
                ck_assert(inlay_selection_optimal(found));
                AGREES(c->t_cycle, best);
            }
            inlay_selection_free(found);
        }
    }
}
END_TEST

/* A limit leaves a gap that holds. */
START_TEST(bounds_hold)
{
    uint64_t state = 5000 + (uint64_t)_i;
    for (int round = 0; round < 12; round++) {
        const inlay_select_options options = {.limit = 2};
        inlay_selection *found = NULL;
        subject s;
        draw(&state, &s);
        ck_assert_int_eq(inlay_select(&s.domain, &s.metasystem, &s.terms, &options, &found, NULL), INLAY_OK);
        double best = slow_best(&s);
        ck_assert(inlay_selection_lower_bound(found) <= best * (1 + 1e-9));
        if (inlay_selection_optimal(found)) AGREES(inlay_selection_at(found, 0)->t_cycle, best);
        inlay_selection_free(found);
    }
}
END_TEST

START_TEST(what_is_refused)
{
    uint64_t state = 3;
    inlay_selection *found = NULL;
    inlay_diag *diag = inlay_diag_new();
    subject s;
    draw(&state, &s);
    s.algorithm[0] = "quickest";
    ck_assert_int_eq(inlay_select(&s.domain, &s.metasystem, &s.terms, NULL, &found, diag), INLAY_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(inlay_diag_message(diag), "unknown algorithm 'quickest'"));
    s.algorithm[0] = NULL;
    s.sizes[0] = INLAY_DOMAIN_SIZES + 1;
    ck_assert_int_eq(inlay_select(&s.domain, &s.metasystem, &s.terms, NULL, &found, diag), INLAY_BAD_ARGUMENT);
    s.sizes[0] = 1;
    s.fixed[0] = 1e308;
    ck_assert_int_eq(inlay_select(&s.domain, &s.metasystem, &s.terms, NULL, &found, diag), INLAY_OVERFLOW);
    s.fixed[0] = NAN;
    ck_assert_int_eq(inlay_select(&s.domain, &s.metasystem, &s.terms, NULL, &found, diag), INLAY_BAD_ARGUMENT);
    s.fixed[0] = 1;
    for (int i = 0; i < CLUSTERS; i++)
        s.cluster[i].communication[INLAY_PATTERN_RING].growth = INLAY_GROWTH_LOG2;
    ck_assert_int_eq(inlay_select(&s.domain, &s.metasystem, &s.terms, NULL, &found, diag), INLAY_NO_ANSWER);
    inlay_diag_free(diag);
}
END_TEST

Suite *suite_collectives(void)
{
    Suite *suite = suite_create("collectives");
    TCase *test = tcase_create("collectives");
    tcase_add_test(test, message_by_message);
    tcase_add_test(test, the_cheapest);
    tcase_add_loop_test(test, all_configurations, 0, 16);
    tcase_add_loop_test(test, bounds_hold, 0, 8);
    tcase_add_test(test, what_is_refused);
    suite_add_tcase(suite, test);
    return suite;
}

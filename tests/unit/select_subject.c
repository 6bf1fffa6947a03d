/* Random selection problems: half of them with small whole numbers, where ties are common. */
#include "select_subject.h"
#include "random_app.h"

#include <check.h>

void subject_figure_13(select_subject *s)
{
    *s = (select_subject){
        .cluster = {{.processors = 6, .rate = 45, .c2 = 88, .c3 = 0.56, .c4 = 1.04},
                    {.processors = 4, .rate = 16, .c2 = 577, .c3 = 3.7, .c4 = 6.88},
                    {.processors = 2, .rate = 75, .c2 = 411, .c3 = 2.7, .c4 = 4.85},
                    {.processors = 10, .rate = 55, .c2 = 91, .c3 = 0.58, .c4 = 1.07}},
    };
    s->problem = (inlay_select_problem){
        .clusters = 4, .cluster = s->cluster, .units = 100, .unit_work = 9522, .bytes = 100, .router_latency = 395.4};
}

static double between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(random_next(state) >> 11) * 0x1p-53;
}

static void draw_cluster(uint64_t *state, int processors, bool coarse, inlay_pattern topology, inlay_select_cluster *c)
{
    double u = between(state, 0.01, 1);
    *c = (inlay_select_cluster){.processors = (int32_t)random_below(state, processors + 1),
                                .rate = 1 + (double)random_below(state, coarse ? 4 : 100)};
    if (coarse) {
        c->c1 = (double)random_below(state, 3);
        c->c2 = (double)random_below(state, 4);
    } else {
        c->c2 = 1000 * u;
        c->c3 = 6.4 * u;
        c->c4 = 11.9 * u;
        if (random_once_in(state, 4)) {
            c->c1 = c->c2;
            c->c2 *= 0.01;
            c->c4 *= 0.01;
        }
    }
    if (random_once_in(state, topology == INLAY_PATTERN_TREE ? 2 : 5)) {
        c->growth = random_once_in(state, 5) ? INLAY_GROWTH_CONSTANT : INLAY_GROWTH_LOG2;
    }
}

static void draw_anything(uint64_t *state, bool coarse, select_subject *s)
{
    inlay_select_problem *p = &s->problem;
    p->map = (inlay_select_map)random_below(state, 4);
    p->router = (inlay_select_router)random_below(state, 2);
    p->overlap = random_once_in(state, 2);
    if (random_once_in(state, 3)) {
        p->fixed_work = (double)random_below(state, coarse ? 5 : 20000);
        for (size_t i = 0; i < p->clusters; i++) {
            s->cluster[i].fixed_time = (double)random_below(state, coarse ? 4 : 3000);
        }
    }
}

void subject_random(uint64_t *state, int clusters, int processors, subject_kind kind, select_subject *s)
{
    static const int64_t units[] = {1, 10, 100, 500, 1000, 5000};
    *s = (select_subject){0};
    inlay_select_problem *p = &s->problem;
    bool coarse = random_once_in(state, 2);
    *p = (inlay_select_problem){.clusters = 1 + (size_t)random_below(state, clusters), .cluster = s->cluster};
    p->topology = (inlay_pattern)random_below(state, 3);
    p->map = INLAY_SELECT_REAL;
    p->units = coarse ? 1 + random_below(state, 30) : units[random_below(state, 6)];
    p->unit_work = 1 + (double)random_below(state, coarse ? 6 : 10000);
    p->bytes = 1 + (double)random_below(state, p->units);
    if (!random_once_in(state, 3)) {
        p->router_latency = coarse ? (double)random_below(state, 4) : between(state, 0, 1000);
        p->router_per_byte = coarse ? 0 : between(state, 0, 6.4);
    }
    for (size_t i = 0; i < p->clusters; i++) {
        draw_cluster(state, processors, coarse, p->topology, &s->cluster[i]);
    }
    s->cluster[random_below(state, (int64_t)p->clusters)].processors += 1;
    if (kind == SUBJECT_ANYTHING) {
        draw_anything(state, coarse, s);
    }
}

void subject_configuration(uint64_t *state, const select_subject *s, int32_t *processors)
{
    int64_t total = 0;
    while (total == 0) {
        for (size_t i = 0; i < s->problem.clusters; i++) {
            processors[i] = (int32_t)random_below(state, s->cluster[i].processors + 1);
            total += processors[i];
        }
    }
}

inlay_selection *select_of(const select_subject *s, const inlay_select_options *options)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_selection *selection = NULL;
    int status = inlay_select_plain(&s->problem, options, &selection, diag);
    ck_assert_msg(status == INLAY_OK, "%s", inlay_diag_message(diag));
    inlay_diag_free(diag);
    return selection;
}

/* The main job but for the elapsed time: cluster, reduce, lay out, evaluate; and what to say where that cannot be. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "layout/memories.h"
#include "mapping/estimate.h"
#include "mapping/feasible.h"
#include "mapping/mapping.h"
#include "mapping/solve.h"
#include "problem/order.h"
#include "problem/remedy.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *grains_text(const problem *p, inlay_time grains, char text[DECIMAL_TEXT])
{
    return decimal_text((inlay_decimal){grains, inlay_app_decimals(p->app)}, text);
}

/* ---- The time frame ---- */

/* T must admit the largest start; the remedy is the least T at which the whole question has an answer. */
static int check_largest(const problem *p, const frame *f, inlay_time largest, inlay_id module, inlay_diag *diag)
{
    if (largest <= f->limit) {
        return INLAY_OK;
    }
    if (diag == NULL) {
        return INLAY_NO_ANSWER; /* nobody asks for a remedy */
    }
    char needed[DECIMAL_TEXT], given[DECIMAL_TEXT], least_text[DECIMAL_TEXT];
    frame start = frame_of_grains(p, largest), found = start;
    start.given = true;
    bool least;
    (void)least_frame(p, &start, &found, &least, NULL); /* where none is enough, something else has to change, too */
    diag_remedy(diag, "-T", "%s", decimal_text(found.exact, least_text));
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "the time frame, %s %s, is below the work of module '%s', %s %s; the least time frame is %s %s",
                     decimal_text(f->exact, given), inlay_unit_word(inlay_app_unit(p->app)),
                     inlay_app_module_name(p->app, module), grains_text(p, largest, needed),
                     inlay_unit_word(inlay_app_unit(p->app)), decimal_text(found.exact, least_text),
                     inlay_unit_word(inlay_app_unit(p->app)));
}

static int choose_frame(const problem *p, frame *f, inlay_diag *diag)
{
    inlay_time largest;
    inlay_id module = 0;
    int status = largest_start(p, &largest, &module, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (!p->options.has_time_frame) {
        largest = largest > 0 ? largest : 1; /* modules of no time: any T above 0 */
        return frame_default(p, largest, f, diag);
    }
    status = frame_from_options(p, f, diag);
    bool binds = method_of(&p->options)->is.time_frame;
    return status == INLAY_OK && binds ? check_largest(p, f, largest, module, diag) : status;
}

/* ---- Where the attempt at T fails ---- */

/* More clusters than processors although reduction was not asked for. */
static int refuse_unreduced(const problem *p, const frame *f, const attempt *a, inlay_diag *diag)
{
    /* more processors would lower a default T, and with it change the clustering: reduction works in any case */
    char text[DECIMAL_TEXT];
    if (f->given && a->seats <= inlay_machine_processors(p->machine)) {
        diag_remedy(diag, "--processors", "%d", a->seats);
    } else {
        diag_remedy(diag, "--reduce", "h2");
    }
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "the clustering has %d clusters but %d processors are allowed, and reduction is off; the smallest "
                     "sufficient number of processors within %s %s is %d",
                     a->seats, p->processors, decimal_text(f->exact, text), inlay_unit_word(inlay_app_unit(p->app)),
                     a->seats);
}

/* The largest of the data blocks that count in the processors' memory. */
static void name_largest_block(const problem *p, text_buffer *to)
{
    inlay_id largest = 0;
    if (p->memory_limit < 0 || inlay_machine_memories(p->machine) > 0 || inlay_app_blocks(p->app) == 0) {
        return;
    }
    for (inlay_id d = 1; d < inlay_app_blocks(p->app); d++) {
        largest = inlay_app_block_size(p->app, d) > inlay_app_block_size(p->app, largest) ? d : largest;
    }
    text_addf(to, " (data block '%s' takes %" PRId64 " bytes)", inlay_app_block_name(p->app, largest),
              inlay_app_block_size(p->app, largest));
}

/* Reduction ended above P: time, memory or pins forbid more. */
static int refuse_too_many(const problem *p, const frame *f, const attempt *a, inlay_diag *diag)
{
    frame found;
    bool least;
    if (diag == NULL) {
        return INLAY_NO_ANSWER; /* nobody asks for a remedy */
    }
    int status = f->given ? least_frame(p, f, &found, &least, NULL) : INLAY_NO_ANSWER;
    if (status == INLAY_OK) {
        char given[DECIMAL_TEXT], text[DECIMAL_TEXT];
        diag_remedy(diag, "-T", "%s", decimal_text(found.exact, text));
        return diag_fail(diag, INLAY_NO_ANSWER,
                         "%d clusters are left where %d processors are allowed within %s %s; %s time frame for %d "
                         "processors is %s %s, the smallest number of processors for this one is %d",
                         a->seats, p->processors, decimal_text(f->exact, given),
                         inlay_unit_word(inlay_app_unit(p->app)), least ? "the least" : "a sufficient", p->processors,
                         decimal_text(found.exact, text), inlay_unit_word(inlay_app_unit(p->app)), a->seats);
    }
    inlay_id enough = sufficient_processors(p, a->seats);
    if (enough <= inlay_machine_processors(p->machine)) {
        diag_remedy(diag, "--processors", "%d", enough);
    } else {
        remedy_machine(p->machine, diag, "processors", enough);
    }
    text_buffer blocks = {0};
    name_largest_block(p, &blocks);
    int refused = diag_fail(diag, INLAY_NO_ANSWER,
                            "%d clusters are left where %d processors are allowed: memory%s or pins let no two of them "
                            "merge; the smallest number of processors is %d",
                            a->seats, p->processors, blocks.size > 0 ? blocks.data : "", enough);
    text_clear(&blocks);
    return refused;
}

/* T was given, and processors differ: there are not enough that are fast enough. */
static int refuse_slow(const problem *p, const frame *f, const attempt *a, inlay_diag *diag)
{
    frame found;
    bool least;
    char given[DECIMAL_TEXT], text[DECIMAL_TEXT];
    int status = least_frame(p, f, &found, &least, NULL);
    if (status != INLAY_OK) {
        return diag_fail(diag, status, "the clusters do not fit their processors within %s %s: the longest takes %.10g",
                         decimal_text(f->exact, given), inlay_unit_word(inlay_app_unit(p->app)), a->longest);
    }
    diag_remedy(diag, "-T", "%s", decimal_text(found.exact, text));
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "the clusters do not fit their processors within %s %s: the longest takes %.10g; %s time frame is "
                     "%s %s",
                     decimal_text(f->exact, given), inlay_unit_word(inlay_app_unit(p->app)), a->longest,
                     least ? "the least" : "a sufficient", text, inlay_unit_word(inlay_app_unit(p->app)));
}

static int refuse_saturated(const problem *p, const frame *f, const attempt *a, inlay_diag *diag)
{
    frame found;
    bool least;
    char given[DECIMAL_TEXT], text[DECIMAL_TEXT];
    int status = attempt_frame(p, a, f, &found, &least, diag);
    if (status != INLAY_OK) {
        return status == INLAY_NO_ANSWER
                   ? diag_fail(diag, status, "the network is saturated at every time frame that allows %d processors",
                               p->processors)
                   : status;
    }
    diag_remedy(diag, "-T", "%s", decimal_text(found.exact, text));
    char over[SATURATION_TEXT];
    double u = interconnect_utilisation(&p->network, a->demand, f->value);
    return diag_fail(diag, INLAY_NO_ANSWER,
                     "the network is saturated within %s %s: %s; %s time frame below it is %s %s",
                     decimal_text(f->exact, given), inlay_unit_word(inlay_app_unit(p->app)),
                     interconnect_saturation_text(u, p->network.u_limit, over), least ? "the least" : "a sufficient",
                     decimal_text(found.exact, text), inlay_unit_word(inlay_app_unit(p->app)));
}

static bool saturated(const problem *p, const attempt *a, const frame *f)
{
    return !(interconnect_utilisation(&p->network, a->demand, f->value) < p->network.u_limit);
}

/*
 * Without -T the frame is raised until the network is below its limit: to twice the least, but where other clusters are
 * found then that load it more.
 */
static int raise_frame(const problem *p, frame *f, attempt *a, inlay_diag *diag)
{
    const inlay_method *method = &method_of(&p->options)->is;
    frame found;
    bool least;
    char from[DECIMAL_TEXT], to[DECIMAL_TEXT];
    int status = attempt_frame(p, a, f, &found, &least, diag);
    if (status != INLAY_OK) {
        return status == INLAY_NO_ANSWER ? diag_fail(diag, status, "the network is saturated at every time frame")
                                         : status;
    }
    frame tried[] = {frame_eased(p, &found), found};
    int chosen = 0;
    for (int k = 0; !method->places && status == INLAY_OK && k < 2; k++) {
        attempt_clear(a);
        chosen = k;
        status = attempt_at(p, &tried[k], false, a, diag);
        if (status == INLAY_OK && !saturated(p, a, &tried[k])) {
            break;
        }
    }
    bool twice = tried[chosen].value > found.value;
    diag_warn(method->time_frame ? diag : NULL, /* else T is no part of the answer */
              "T is raised from %s to %s %s, %s time frame at which the network is not saturated",
              decimal_text(f->exact, from), decimal_text(tried[chosen].exact, to),
              inlay_unit_word(inlay_app_unit(p->app)),
              twice   ? "twice the least"
              : least ? "the least"
                      : "not surely the least");
    *f = tried[chosen];
    return status;
}

static int find_clusters(const problem *p, frame *f, attempt *a, inlay_diag *diag)
{
    int status = attempt_at(p, f, false, a, diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (a->seats > p->processors) {
        status =
            p->options.reduce == INLAY_REDUCE_NONE ? refuse_unreduced(p, f, a, diag) : refuse_too_many(p, f, a, diag);
    } else if (!attempt_fits(p, a, f)) {
        status = refuse_slow(p, f, a, diag);
    } else if (saturated(p, a, f)) {
        status = f->given ? refuse_saturated(p, f, a, diag) : raise_frame(p, f, a, diag);
    }
    if (status != INLAY_OK) {
        attempt_clear(a);
    }
    return status;
}

/* The estimate of clusters of which each has a processor, that of the network being what it is. */
static int estimate_apart(const problem *p, const placement *place, const network_point *at, double *estimate,
                          inlay_diag *diag)
{
    estimator e;
    inlay_id *order = memory_array((size_t)p->modules, sizeof *order);
    int status = order == NULL ? diag_no_memory(diag) : execution_order(p, NULL, order, diag);
    if (status == INLAY_OK) {
        status = estimator_make(p, order, place, 0, &e, diag);
    }
    if (status == INLAY_OK) {
        *estimate = estimate_at(&e, at);
        estimator_clear(&e);
    }
    free(order);
    return status;
}

/* What the reduction started from, so that its cost can be told. NaN where there is no such estimate. */
static int estimate_unreduced(const problem *p, const frame *f, const attempt *a, double *estimate, inlay_diag *diag)
{
    *estimate = NAN;
    if (a->unreduced_of == NULL || inlay_machine_has_distance(p->machine) || p->kinds.count > 1) {
        return INLAY_OK;
    }
    placement place;
    network_point at;
    double demand = 0;
    int status = placement_make(p, "", a->unreduced_of, a->reduced_from, &place, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = placement_move_blocks(p, &place, f->limit, NULL, diag);
    if (status == INLAY_OK) {
        status = placement_demand(p, &place, &demand, diag);
    }
    if (status == INLAY_OK) {
        status = interconnect_at(&p->network, demand, f->value, &at);
        status = status == INLAY_OK ? estimate_apart(p, &place, &at, estimate, diag) : INLAY_OK;
    }
    placement_clear(&place);
    return status;
}

static int finish(const problem *p, const frame *f, attempt *a, inlay_mapping **mapping, inlay_diag *diag)
{
    placement place;
    int status = attempt_place(p, f, a, &place, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = memories_fill(p, &place, NULL, diag);
    if (status == INLAY_OK) {
        status = estimate_unreduced(p, f, a, &place.estimate_unreduced, diag);
    }
    if (status == INLAY_OK) {
        place.winner = a->winner;
        status = mapping_cost(p, &place, f, mapping, diag);
    }
    placement_clear(&place);
    return status;
}

int mapping_find(const inlay_app *app, const inlay_machine *machine, const inlay_options *options,
                 inlay_mapping **mapping, inlay_diag *diag)
{
    problem p;
    frame f;
    attempt a;
    int status = problem_make(app, machine, options, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = check_feasible(&p, diag);
    if (status == INLAY_OK) {
        status = method_check(&p, diag);
    }
    if (status == INLAY_OK) {
        status = choose_frame(&p, &f, diag);
    }
    if (status == INLAY_OK) {
        status = find_clusters(&p, &f, &a, diag);
    }
    if (status == INLAY_OK) {
        status = finish(&p, &f, &a, mapping, diag);
        attempt_clear(&a);
    }
    problem_clear(&p);
    return status;
}

int mapping_of_places(const problem *p, const inlay_id *processor_of, const inlay_id *order, const inlay_winner *winner,
                      inlay_mapping **mapping, inlay_diag *diag)
{
    frame f;
    attempt a;
    int status = choose_frame(p, &f, diag);
    status = status == INLAY_OK ? attempt_of_places(p, processor_of, order, &a, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    a.winner = *winner;
    status = attempt_measure(p, &f, &a, diag);
    if (status == INLAY_OK && saturated(p, &a, &f)) {
        status = raise_frame(p, &f, &a, NULL);
    }
    status = status == INLAY_OK ? finish(p, &f, &a, mapping, diag) : status;
    attempt_clear(&a);
    return status;
}

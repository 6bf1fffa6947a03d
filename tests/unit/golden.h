/*
 * What the tests of the golden numbers share: Cholesky's 4 x 4 graph in code, the golden file, and one way to ask the
 * slow reference and the library for the same thing.
 */
#ifndef UNIT_GOLDEN_H
#define UNIT_GOLDEN_H

#include "slow.h"

#include <jansson.h>

enum { CHOLESKY_SIDE = 4, CHOLESKY = CHOLESKY_SIDE * CHOLESKY_SIDE };

extern const int64_t cholesky_time[CHOLESKY];
extern const int64_t cholesky_blocking[CHOLESKY];

/** The published clusters for T = 464. */
extern const inlay_id figure5[CHOLESKY];

/** Figure 2 of the paper: links east and south with min(row, column) messages. */
inlay_app *cholesky4(inlay_unit unit);

/** What a test starts from; inlay_app_free() and the like are golden_tear_down()'s. */
typedef struct golden_case {
    inlay_app *app;     /**< cholesky4 in ticks */
    inlay_machine *bus; /**< 17 processors with distributed memory, one message a tick */
    json_t *golden;     /**< golden/clustering.json */
} golden_case;

void golden_set_up(golden_case *test);
void golden_tear_down(golden_case *test);

inlay_machine *golden_machine(const char *text);

/** The same where each % of `format` stands for the application's unit. */
inlay_machine *golden_machine_for(const inlay_app *app, const char *format);

/** Whether it cannot be simulated without overlap. */
static inline bool golden_needs_overlap(const inlay_machine *machine)
{
    return inlay_machine_broadcasts_in_trees(machine) || inlay_machine_rendezvous_above(machine) < INT64_MAX;
}

inlay_options options_at(const char *frame);
inlay_options options_at_ticks(inlay_time frame);

/** Within `relative` of the expected value, absolute below 1. */
void expect_near(double value, double expected, double relative);

/** Golden clusters list module numbers from 1, or names; cluster c of the list must be cluster c of the clustering. */
void expect_clusters(const json_t *expected, const inlay_app *app, inlay_id clusters, const inlay_id *cluster_of);

/** Who is asked. */
typedef enum candidate { REFERENCE, LIBRARY, CANDIDATES } candidate;

/** The greedy clustering under T; `frame` is T in grains, rounded down. Freed with inlay_clustering_clear(). */
inlay_clustering cluster_by(int who, const golden_case *test, const inlay_options *options, inlay_time frame);

/** The reference's clusters numbered by their smallest module, as the library does; how many there are. */
inlay_id renumber(const slow_problem *problem, const slow_clusters *clusters, inlay_id *cluster_of);

/** What the reference says of a placement under T in ticks. */
typedef struct reference_cost {
    slow_cost at_frame;
    double estimate, fixed_point;
} reference_cost;

reference_cost cost_of(const golden_case *test, const inlay_id *of, const inlay_options *options, double frame);

/** The library's mappings; the test fails where there is none. */
inlay_mapping *evaluated(const golden_case *test, const inlay_id *processor_of, const inlay_options *options);
inlay_mapping *mapped(const golden_case *test, const inlay_options *options);

#endif

/* Random metasystems and programs for processor selection: networks in networks, routes, formats, several phases. */
#ifndef UNIT_GENERAL_SUBJECT_H
#define UNIT_GENERAL_SUBJECT_H

#include "select_subject.h"

#include <inlay/select.h>

enum { GENERAL_CLUSTERS = 8, GENERAL_NETWORKS = 4, GENERAL_ROUTES = 4, GENERAL_PHASES = 4 };

/** `domain` and `metasystem` point into it: it must not be copied. */
typedef struct general_subject {
    inlay_metasystem metasystem;
    inlay_metasystem_cluster cluster[GENERAL_CLUSTERS];
    inlay_metasystem_network network[GENERAL_NETWORKS];
    inlay_metasystem_route route[GENERAL_ROUTES];
    inlay_domain domain;
    int64_t units[GENERAL_PHASES];
    inlay_complexity work[GENERAL_PHASES], bytes[GENERAL_PHASES];
    inlay_pattern pattern[GENERAL_PHASES];
    int32_t overlap[GENERAL_PHASES];
    double messages[GENERAL_PHASES];
    double arch_cost[GENERAL_PHASES][GENERAL_CLUSTERS]; /**< 0: by the rate */
    double power[GENERAL_PHASES]; /**< amounts are multiplied by P^power where the domain is by_processors */
    double cycles, startup;
    inlay_select_terms terms;
} general_subject;

/** 1 .. clusters, together at most `processors` that are available, at least 1. T_i do not fall as p rises. */
void general_random(uint64_t *state, int clusters, int processors, general_subject *s);

/** A domain of one computation and one communication over s->units[0] and so on, with all callbacks. */
void general_callbacks(general_subject *s, int computations, int communications);

/** The question of a plain problem without fixed times. */
void general_of_plain(const select_subject *plain, general_subject *s);

/** Says the same in a way that plain numbers do not: for a lone processor, which sends none, more messages. */
void general_make_odd(general_subject *s);

/** A random configuration of clusters that can be used, with at least one processor. */
void general_configuration(uint64_t *state, const general_subject *s, int32_t *processors);

/** inlay_select() that must succeed. */
inlay_selection *general_select(const general_subject *s, const inlay_select_options *options);

#endif

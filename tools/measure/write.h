/* What a measurement comes to, written: the machine file, the table and the JSON. */
#ifndef TOOLS_MEASURE_WRITE_H
#define TOOLS_MEASURE_WRITE_H

#include "advisor.h"
#include "analysis.h"
#include "options.h"
#include "topology.h"
#include "words.h"

/** What the machine file says of the network; further warnings come with it. */
typedef struct machine_plan {
    bool bus;      /**< one bus joins all processors; else links */
    bool numbered; /**< the hosts' names are of no use in the file */
    bool cores;    /**< a switch in each host */
    bool half[INLAY_PAIR_CLASSES];
    double latency[INLAY_PAIR_CLASSES],
        capacity[INLAY_PAIR_CLASSES]; /**< seconds and bytes a second; as the file has them */
} machine_plan;

machine_plan machine_plan_of(inlay_machine_fit *a);

/** What long messages of a class take besides, where the machine file says it: in latency_by_size. Else NULL. */
const inlay_step_fit *machine_step(const inlay_machine_fit *a, const machine_plan *plan, inlay_pair_class class);

/** "switch", "bus" or "half-duplex"; NULL where there is but one rank. */
const char *machine_kind(const inlay_machine_fit *a);

/** The machine file. */
typedef struct machine_of {
    const inlay_machine_fit *a;
    machine_plan plan;
} machine_of;

void machine_put(FILE *to, const void *of); /**< of a machine_of */

/** What the file begins with: what was measured when, by what, and what came of it. */
void machine_comment(FILE *to, const inlay_machine_fit *a);

/** How hosts and their cores are called in the file, whatever joins them. */
machine_plan machine_names(const inlay_raw *r);
void machine_put_rank(FILE *to, const inlay_raw *r, const machine_plan *plan, int rank);

/** What was measured when, by what, and how that was started; the line is left open. */
void machine_comment_origin(FILE *to, const inlay_raw *r);

/** A status of the library. */
int print_table(const inlay_machine_fit *a);

/** `t` is NULL where no patterns are wanted. */
void print_json(const invocation *call, const inlay_machine_fit *a, const inlay_metasystem_fit *t);

/* ---- The same of --topology ---- */

void metasystem_put(FILE *to, const void *of); /**< of a topology */
int print_topology(const inlay_metasystem_fit *t);
void json_topology(inlay_json *out, const inlay_metasystem_fit *t);

/* ---- The same of --hosts ---- */

void advisor_put(FILE *to, const void *of); /**< of an advisor */
int print_advisor(const inlay_advisor_fit *a, const char *path);
void print_advisor_json(const invocation *call, const inlay_advisor_fit *a);

/** The members that all of `inlay measure --json` begins with. */
void json_head(inlay_json *out, const inlay_machine_fit *a);

/** The whole, with the warnings of the analysis, to standard output. A status of the library. */
int print_result(const invocation *call, const inlay_machine_fit *a, inlay_result_members *members, const void *of);

#endif

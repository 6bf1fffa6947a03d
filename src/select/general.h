/*
 * Processor selection for a program that describes itself (<inlay/domain.h>) on a metasystem: what both say, asked and
 * checked once, in flat arrays; and the model of all that equations 1 to 9 do not have. A question that comes to plain
 * numbers is unfolded to an inlay_select_problem; every other one becomes a select_model with a select_general.
 */
#ifndef SELECT_GENERAL_H
#define SELECT_GENERAL_H

#include "base/memory.h"
#include "network/collectives.h"
#include "select/general_ways.h"
#include "select/model.h"

/* ---- What was asked ---- */

/** A computation phase in force. */
typedef struct general_computation {
    int32_t phase;            /**< of the domain */
    double part;              /**< units of the phase for each unit of the dominant one: n' / n */
    double *per_unit, *fixed; /**< instructions, one entry a row; per_unit for a unit of the dominant phase */
    double *time;             /**< of an instruction, an entry a cluster; 0 where the cluster is not used */
    double *speed;            /**< instructions per time: 1 / time, or the rate as the metasystem gives it */
} general_computation;

/** A communication phase in force. */
typedef struct general_communication {
    int32_t phase;
    inlay_pattern pattern;
    const collective *algorithm;         /**< NULL: the cheapest, or a function of the clusters */
    int32_t sizes;                       /**< of messages that shrink; 1: they do not */
    int32_t overlap;                     /**< computation in force that it goes on beside, by its place; -1: none */
    double *per_unit, *fixed, *messages; /**< bytes and k, one entry a row */
} general_communication;

/**
 * Amounts that depend on the number of processors have a row for each of them, row p - 1 for p of all clusters
 * together, or one row in all.
 */
typedef struct general_question {
    const inlay_domain *domain;
    const inlay_metasystem *metasystem;
    inlay_select_terms terms;
    int32_t clusters;
    int32_t available; /**< processors of all clusters together, those included that cannot be used */
    int32_t rows;      /**< of work, bytes and messages: 1 or `available` */
    int32_t *most;     /**< processors of each cluster that can be used */
    int64_t units;     /**< n, of the dominant computation */
    inlay_select_phases dominant;
    int32_t computations, communications; /**< in force */
    int32_t main;                         /**< the dominant computation, by its place */
    general_computation *computation;
    general_communication *communication;
    int32_t cycle_rows;       /**< 1 or `available` */
    double *cycles, *startup; /**< one entry a row of theirs */
    general_ways ways;
} general_question;

/** Asks and checks; cleared with general_clear(), also after a failure. `terms` may be NULL. */
int general_ask(const inlay_domain *domain, const inlay_metasystem *metasystem, const inlay_select_terms *terms,
                general_question *question, inlay_diag *diag);
void general_clear(general_question *question);

/** The row for so many processors. */
static inline int32_t general_row(const general_question *question, int64_t processors)
{
    return question->rows > 1 ? (int32_t)processors - 1 : 0;
}

/** startup + cycles T_c (EQ 8) */
static inline double general_elapsed(const general_question *question, int64_t processors, double cycle)
{
    size_t row = question->cycle_rows > 1 ? (size_t)processors - 1 : 0;
    return question->startup[row] + question->cycles[row] * cycle;
}

/** The pattern in force that a cluster has no communication function for; NULL: it has all. */
const char *general_lacks(const general_question *question, int32_t cluster);

/* ---- Messages ---- */

enum { GENERAL_NAME = 96 };

/** "communication 0". */
const char *general_communication_name(const inlay_domain *domain, int32_t phase, char room[GENERAL_NAME]);

/** What a message is about. */
typedef enum general_topic { GENERAL_PROGRAM, GENERAL_COMPUTATION, GENERAL_COMMUNICATION } general_topic;

/** Fails with "NAME: computation sweep TEXT"; without the program's name where it has none. Returns `status`. */
int general_fail(const general_question *question, general_topic topic, int32_t phase, int status, inlay_diag *diag,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));

/** Where a callback failed: its own message stays. Returns `status`. */
int general_refused(const general_question *question, int status, const char *callback, inlay_diag *diag);

/* ---- Asking, one thing after the other ---- */

/** What every phase says for all available processors, from which the dominant phases follow. */
typedef struct general_phases {
    int64_t units[INLAY_DOMAIN_PHASES];
    inlay_complexity work[INLAY_DOMAIN_PHASES];
    inlay_pattern pattern[INLAY_DOMAIN_PHASES];
    inlay_complexity bytes[INLAY_DOMAIN_PHASES];
    const collective *algorithm[INLAY_DOMAIN_PHASES];
    int32_t sizes[INLAY_DOMAIN_PHASES];
    int32_t overlap[INLAY_DOMAIN_PHASES];
} general_phases;

/** Checks the domain's own numbers and callbacks, and asks all phases. */
int general_ask_phases(const general_question *question, general_phases *phases, inlay_diag *diag);

/** Sets question->dominant. */
int general_ask_dominant(const general_phases *phases, general_question *question, inlay_diag *diag);

int general_ask_work(const general_question *question, int32_t processors, int32_t phase, inlay_complexity *work,
                     inlay_diag *diag);
int general_ask_bytes(const general_question *question, int32_t processors, int32_t phase, inlay_complexity *bytes,
                      inlay_diag *diag);

/* ---- Plain questions ---- */

/** Whether plain numbers say all of it: <inlay/select_plain.h>. */
bool general_is_plain(const general_question *question);

/** Those numbers; `cluster` has room for question->clusters. The problem points to it and to the question's names. */
void general_unfold(const general_question *question, inlay_select_cluster *cluster, inlay_select_problem *problem);

/* ---- The general model ---- */

typedef struct general_bounds general_bounds;

/** Scratch room inside, so that it serves one thread. */
typedef struct select_general {
    memory_pool arrays; /**< owns them */
    const general_question *question;
    int32_t groups;     /**< networks that hold a cluster that can be used */
    int32_t *group;     /**< of each cluster */
    int32_t *available; /**< processors of each group that can be used */
    bool alone;         /**< no group holds two clusters */
    double *logarithm;  /**< log2 p */
    bool one_speed;     /**< all computations are as fast as each other on every cluster */
    bool shares_vary;   /**< the map depends on the number of processors */
    bool bytes_vary;    /**< a message depends on the map */
    int32_t row;        /**< the map's rates hold for this row */
    double *share;      /**< scratch: the most units that a processor of a cluster has */
    double *time;       /**< scratch: T_i, summed over the communications */
    double *group_time; /**< scratch: T of a group */
    int32_t *together;  /**< scratch: processors of a group in use */
    int32_t *used;      /**< scratch: clusters in use */
    general_join chain, tree;
    collective_link *inside, *between; /**< scratch: links in use; `between` one where all routers cost the same */
    general_bounds *bounds;            /**< what the exact method needs; NULL before general_make_exact() */
} select_general;

/** A model of a question that lives as long; cleared with select_model_clear(), also after a failure. */
int general_model_make(const general_question *question, select_model *model, inlay_diag *diag);
void general_model_clear(select_general *general);

/** Time of a cycle and its parts. */
typedef struct general_times {
    double computation, communication, cycle;
} general_times;

general_times general_evaluate(const select_model *model, const int32_t *processors);

/** T_i of each cluster in use, summed over the communications, without routers; lives until the next evaluation. */
const double *general_cluster_times(const select_model *model, const int32_t *processors);

/** 1 / d2_i of the dominant computation, to a scale of its own. */
static inline double general_power(const select_general *general, int32_t cluster)
{
    return general->question->computation[general->question->main].speed[cluster];
}

/** T_i of one communication for a message of `bytes`, with `together` processors in the cluster's network. */
double general_time(const select_general *general, const general_communication *communication, int32_t cluster,
                    int32_t together, double bytes);

/* ---- Patterns that are algorithms ---- */

static inline bool general_is_collective(const general_communication *communication)
{
    return (int)communication->pattern >= INLAY_PATTERNS;
}

/** No algorithm has more messages, nor sends more bytes, than this times processors, and bytes. */
enum { COLLECTIVE_MOST = COLLECTIVE_SEGMENTS + 2 };
double general_collective_most(const select_general *general, const general_communication *communication,
                               int32_t cluster, double bytes);

/** Room for links; false: no memory. */
bool general_collective_room(select_general *general);

/** lambda and tau of a cluster: what a step of its ring takes. */
collective_link general_link(const general_question *question, int32_t cluster);

/** T_comm, with g->used clusters in use; added to g->time of each: none is done before the others. */
double general_collective(const select_general *general, const general_communication *communication, int32_t used,
                          double bytes);

const collective *general_collective_chosen(const select_general *general, const general_communication *communication,
                                            int32_t used, double bytes);

/** The algorithm that the largest message of a communication in force takes; NULL: none, or no pattern of this kind. */
const collective *general_algorithm(const select_model *model, int32_t communication, const int32_t *processors);

/** Weights of the computations in the map: times of a unit and before it, to a scale of their own. */
typedef struct general_weights {
    double per_unit[INLAY_DOMAIN_PHASES], fixed[INLAY_DOMAIN_PHASES];
} general_weights;

void general_weigh(const general_question *question, int32_t row, general_weights *weights);

/** Makes the model's rates those of a row. */
void general_set_row(const select_model *model, int32_t row);

/** Of any message in this communication. */
double general_most_bytes(const general_question *question, const general_communication *communication);

/* ---- For the exact method ---- */

/** Refuses T_i that fall, and makes what bounds need. */
int general_make_exact(select_model *model, inlay_diag *diag);
void general_bounds_clear(general_bounds *bounds);

#endif

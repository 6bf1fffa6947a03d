/*
 * What a data-parallel (SPMD) program tells about itself, so that processors can be chosen for it: the callbacks of
 * J. B. Weissman and A. S. Grimshaw, "A framework for partitioning parallel computations in heterogeneous
 * environments", sections 2.3 and 2.5.1.
 *
 * A cycle of the program is a sequence of computation phases, in which every processor works on its primitive data
 * units (PDUs: rows of a grid, say), and of communication phases, in which all exchange messages in one pattern. A
 * communication phase may overlap a computation phase.
 *
 *     static int rows(void *context, int32_t computation, int64_t *units, inlay_diag *diag)
 *     {
 *         const grid *g = context;
 *         *units = g->rows;
 *         return INLAY_OK;
 *     }
 *     ...
 *     inlay_domain stencil = {.context = &g, .computations = 1, .communications = 1, .units = rows, .work = sweep,
 *                             .pattern = line, .bytes = border};
 *
 * Phases are numbered from 0, computations and communications apart. A callback that fails returns a status and says
 * why in `diag` (inlay_domain_refuse()); so does one whose numbers cannot be, in the words of inlay_select().
 */
#ifndef INLAY_DOMAIN_H
#define INLAY_DOMAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inlay/metasystem.h>
#include <inlay/status.h>

/** A complexity: what comes with each PDU, and what does not depend on them. */
typedef struct inlay_complexity {
    double per_unit;
    double fixed;
} inlay_complexity;

enum { INLAY_DOMAIN_PHASES = 64 /**< most of each kind */, INLAY_DOMAIN_SIZES = 4096 };

/** Zero-initialise, then set what is known. Callbacks that may be NULL say what that means. */
typedef struct inlay_domain {
    const char *name;     /**< for messages; may be NULL */
    void *context;        /**< given to every callback */
    inlay_unit time_unit; /**< of arch_cost() and startup(); INLAY_UNIT_NONE: the metasystem's */

    int32_t computations;   /**< phases, 1 to INLAY_DOMAIN_PHASES */
    int32_t communications; /**< 0 to INLAY_DOMAIN_PHASES */
    bool by_processors; /**< work(), bytes(), messages() or cycles() depend on `processors`: they are asked for every
                             number up to that of the metasystem. Else they are asked once */

    /** Names for messages and tables; NULL: "computation 0" and so on. */
    const char *(*computation_name)(void *context, int32_t computation);
    const char *(*communication_name)(void *context, int32_t communication);

    /** numPDUs: 1 to 2^53. */
    int (*units)(void *context, int32_t computation, int64_t *units, inlay_diag *diag);

    /** comp_complexity: instructions of a cycle, neither below 0, not both 0. */
    int (*work)(void *context, int32_t processors, int32_t computation, inlay_complexity *work, inlay_diag *diag);

    /**
     * arch_cost: the time of an instruction on a processor of the cluster, above 0; 0: 1 / rate. NULL: always.
     */
    int (*arch_cost)(void *context, int32_t computation, const inlay_metasystem_cluster *cluster, double *time,
                     inlay_diag *diag);

    int (*pattern)(void *context, int32_t communication, inlay_pattern *pattern, inlay_diag *diag);

    /** Of a pattern that is an algorithm: which one, by its name in docs/select.md. NULL, or giving NULL: the cheapest. */
    const char *(*algorithm)(void *context, int32_t communication);

    /**
     * Of a pattern that is an algorithm: it is run with `sizes` messages in a cycle that shrink evenly, the s-th (from 0)
     * of bytes (1 - s / sizes). 1 to INLAY_DOMAIN_SIZES; NULL: 1.
     */
    int (*sizes)(void *context, int32_t communication, int64_t *sizes, inlay_diag *diag);

    /** comm_complexity: bytes of one message, neither below 0. */
    int (*bytes)(void *context, int32_t processors, int32_t communication, inlay_complexity *bytes, inlay_diag *diag);

    /** k: messages of a cycle that cross between two neighbouring clusters, above 0. NULL: 1. */
    int (*messages)(void *context, int32_t processors, int32_t communication, double *messages, inlay_diag *diag);

    /** The computation phase that this communication goes on beside; -1: none. NULL: none overlaps. */
    int32_t (*overlap)(void *context, int32_t communication);

    /**
     * The dominant phases, for the most processors there are. NULL: the computation with the most instructions
     * (units x per_unit + fixed) and the communication with the most bytes to a message (fixed + per_unit for a
     * processor's even share of the dominant computation's units); the first of equals. Either is -1 before the call,
     * and where it stays so, the same is taken.
     */
    int (*dominant)(void *context, int32_t processors, int32_t *computation, int32_t *communication, inlay_diag *diag);

    /** Cycles, above 0, and what goes before them: T_elapsed = startup + cycles x T_c (EQ 8). NULL: 1 and 0. */
    int (*cycles)(void *context, int32_t processors, double *cycles, double *startup, inlay_diag *diag);
} inlay_domain;

/** For callbacks: puts a message into `diag` (which may be NULL) and returns INLAY_BAD_INPUT. */
INLAY_API int inlay_domain_refuse(inlay_diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Program files ---- */

/** A program read from a file (DOT; docs/select.md), whose attributes are expressions over named parameters. */
typedef struct inlay_domain_file inlay_domain_file;

/** A value for a parameter, as `-D N=600` gives it. */
typedef struct inlay_domain_parameter {
    const char *name;
    double value;
} inlay_domain_parameter;

/**
 * @param path       "-": standard input
 * @param parameter  `parameters` of them; they take the place of the values in the file. Naming one that the file does
 *                   not have, or one twice, is INLAY_BAD_ARGUMENT; a parameter without any value is INLAY_BAD_INPUT
 */
INLAY_API int inlay_domain_read(const char *path, const inlay_domain_parameter *parameter, size_t parameters,
                                inlay_domain_file **file, inlay_diag *diag);
INLAY_API void inlay_domain_file_free(inlay_domain_file *file);

/** Its callbacks; they belong to the file. A message names the file, the line and the expression. */
INLAY_API const inlay_domain *inlay_domain_of(const inlay_domain_file *file);

/** The parameters with their values, by name. NULL behind the last. */
INLAY_API const inlay_domain_parameter *inlay_domain_file_parameter(const inlay_domain_file *file, size_t i);

/** The name of a phase, or "computation 0" and so on. */
enum { INLAY_PHASE_NAME = 32 };
INLAY_API const char *inlay_domain_computation(const inlay_domain *domain, int32_t phase, char room[INLAY_PHASE_NAME]);
INLAY_API const char *inlay_domain_communication(const inlay_domain *domain, int32_t phase,
                                                 char room[INLAY_PHASE_NAME]);

#endif

/* What the files of inlay-partition share. */
#ifndef TOOLS_PARTITION_H
#define TOOLS_PARTITION_H

#include "partition_values.h"
#include <inlay/irregular.h>
#include <inlay/irregular_result.h>
#include <stdio.h>

extern const char *const partition_phase_words[INLAY_PHASES];

/** All of the answer. Arrays are of this rank alone; `quotient` is on rank 0. */
typedef struct partitioned {
    const invocation *call;
    inlay_partition_result result; /**< whole on rank 0; the arrays are this structure's */
    char format[24];
    const char *refusal; /**< why there is no answer, where the library has not said it */
    char violation[128]; /**< how far the imbalance is above what is allowed; empty: it is not */
    int rank;
    inlay_machine *machine; /**< on rank 0 */
    bool sized;             /**< the vertices have sizes */
    int32_t rows;
    int32_t *part;   /**< [rows] of the vertices of this rank, in block distribution */
    int64_t *number; /**< [rows] new numbers of the same vertices; NULL: nobody asks */
    int dimensions;
    double *coordinate; /**< [rows x dimensions] */
    int64_t *ends;      /**< [2 x edge_count] of the edges of this rank */
    int32_t edge_count;
} partitioned;

void partitioned_clear(partitioned *of);

/** What messages and results call a file; NULL where `path` is. */
const char *partition_name(const char *path);

/** A status that is bad on any rank is bad on all: the worst one, for which inlay_diag may have no words here. Collective. */
int partition_worst(int status);

/** How many parts there are, and what --targets and --machine say of them. A status of the library, as below. Collective. */
int partition_take_targets(partitioned *of, inlay_diag *diag);

/** Gives the parts places on the machine, where there is one, and numbers them in the order of their processors. Collective. */
int partition_lay_out(partitioned *of, inlay_diag *diag);

/** The whole pipeline. A status of the library, the same on all ranks. Collective. */
int partition_run_all(partitioned *of, inlay_diag *diag);

/* ---- What libraries say ---- */

/** Before standard error is silenced: where any rank can complain. */
void complaints_begin(void);

/** `inlay: what` on one line, from any rank; `inlay partition` shows once what several say. Returns EXIT_SYSTEM. */
int complain(const char *what);

/** What METIS and others print on standard error goes nowhere from here on, until complaints_release() of what it returns. */
int complaints_hold(void);
void complaints_release(int kept);

/** Whether each part is a rank, so that the loop's schedules are those of the parts. */
bool partition_is_by_rank(const partitioned *of);

/* ---- What comes out, on rank 0 but for what is collective ---- */

int partition_print(const partitioned *of, FILE *to); /**< a status of the library */

void partition_put_csv(FILE *to, const void *context); /**< of a partitioned */
int partition_write_graph(const partitioned *of, const char *path, inlay_diag *diag);

/** The loads of the graph, where --weights tells them. Collective. */
int partition_take_weights(const partitioned *of, inlay_graph *graph, inlay_diag *diag);

/** Fills `part`: of a graph, or where there is --from of one that is divided already. Collective. */
int partition_divide(partitioned *of, const inlay_graph *graph, inlay_diag *diag);

/** Who owns what: the ranks of the parts, with local numbers as --renumber says; fills `number`. Collective. */
int partition_make_owners(partitioned *of, const inlay_graph *graph, const inlay_table *blocks, inlay_table **owners,
                          inlay_diag *diag);

/** A line a vertex; each rank sends rank 0 its own in turn, which writes and tells how that went. Collective. */
int partition_write_parts(const partitioned *of, const char *path, inlay_diag *diag);

int partition_write_numbers(const partitioned *of, const char *path, inlay_diag *diag);

/** Whether there is a picture: of a mesh with two coordinates that is not too large. */
bool partition_can_draw(const partitioned *of);

/** Whether one is asked for: --svg, --png or --pdf. */
bool partition_draws(const partition_values *values);

/** Those that are asked for. A status of the library, the same on all ranks. Collective. */
int partition_draw(const partitioned *of, inlay_diag *diag);

#endif

/* What the files of inlay-partition share. */
#ifndef TOOLS_PARTITION_H
#define TOOLS_PARTITION_H

#include "partition_values.h"
#include <inlay/irregular.h>
#include <inlay/shares.h>
#include <stdio.h>

/** Seconds of each step, of the slowest rank, in the order in which they come. */
typedef enum partition_phase {
    PHASE_READ,       /**< the mesh: from its file, or made */
    PHASE_GRAPH,      /**< the runtime data graph, from the edges */
    PHASE_PARTITION,  /**< of the vertices */
    PHASE_TABLE,      /**< the translation table of their new owners */
    PHASE_ITERATIONS, /**< the edges to the ranks that compute them */
    PHASE_REMAP,      /**< the data to their new owners: the schedule, and one array moved */
    PHASE_LOCALIZE,   /**< ghosts and schedules of the loop */
    PHASES
} partition_phase;

extern const char *const partition_phase_names[PHASES];
extern const char *const partition_phase_words[PHASES];

/** Of one figure the least, the mean and the most, over ranks or parts. */
typedef struct spread {
    int64_t least, most;
    double mean;
} spread;

/** What a gather moves to each rank or part. */
typedef struct gathering {
    spread ghosts, messages; /**< that it receives; bytes are ghosts times the item */
} gathering;

/** All of the answer. Arrays are of this rank alone; `quotient` is on rank 0. */
typedef struct partitioned {
    const invocation *call;
    const char *source; /**< the mesh's path, or how it was made */
    char format[24];
    const char *method;
    const char *refusal; /**< why there is no answer, where the library has not said it */
    char violation[128]; /**< how far the imbalance is above what is allowed; empty: it is not */
    int ranks, rank;
    int32_t parts;
    double *target;         /**< [parts] shares; NULL: parts are alike */
    inlay_id *processor;    /**< [parts] of a machine, ascending; NULL: there is none */
    inlay_machine *machine; /**< on rank 0 */
    inlay_part_places places;
    int64_t vertices, edges;
    double seconds[PHASES];
    inlay_partition_figures figures;
    spread iterations;       /**< edges that a rank computes */
    int64_t local, elements; /**< of them: ends on the rank itself, and all ends */
    gathering loop;          /**< of the loop over the edges, by rank */
    gathering vertices_of;   /**< of all neighbours of a part's vertices, by part; on rank 0 */
    inlay_quotient *quotient;
    int32_t rows;
    int32_t *part;                        /**< [rows] of the vertices of this rank, in block distribution */
    int64_t *number;                      /**< [rows] new numbers of the same vertices; NULL: nobody asks */
    inlay_numbering_figures numbering[2]; /**< before and after, where there is --renumber */
    inlay_repartition_figures change;     /**< where there is --from */
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

/* ---- Figures ---- */

spread spread_of_ranks(MPI_Comm comm, int64_t value); /**< collective */
gathering gathering_of_parts(const inlay_quotient *quotient);
int64_t ghosts_of_part(const inlay_quotient *quotient, int32_t part); /**< that it has of all its neighbours */

/** Loads of the parts; the imbalance is by the targets, where there are some. */
typedef struct part_loads {
    int64_t smallest, largest;
    double imbalance;
} part_loads;

part_loads partition_loads(const partitioned *of, int32_t weight); /**< of one weight, from 0 on. On rank 0 */
int32_t partition_worst_weight(const partitioned *of);             /**< that with the greatest imbalance. Likewise */

/** Whether each part is a rank, so that the loop's schedules are those of the parts. */
bool partition_is_by_rank(const partitioned *of);

/* ---- What comes out, on rank 0 but for what is collective ---- */

int partition_print(const partitioned *of, FILE *to); /**< a status of the library */
int partition_print_json(const partitioned *of, inlay_diag *diag);

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

/** A status of the library, the same on all ranks. Collective. */
int partition_draw(const partitioned *of, const char *path, inlay_diag *diag);

#endif

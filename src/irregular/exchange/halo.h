/* Halos from inside: who has ghosts of whom, and the messages that go between them. */
#ifndef IRREGULAR_EXCHANGE_HALO_H
#define IRREGULAR_EXCHANGE_HALO_H

#include "irregular/exchange/collective.h"
#include <inlay/irregular_halo.h>

/** One side of the neighbourhood. */
typedef struct halo_side {
    int neighbours;
    int *rank;    /**< [neighbours], ascending */
    int *start;   /**< [neighbours + 1] entries of each: ghosts on the one side, entries of `take` on the other */
    int *entries; /**< [neighbours] how many */
} halo_side;

/** Messages are multiples of so many bytes, which any type may begin at. */
enum { HALO_UNIT = 16 };

/** The messages of one side, one behind the other. */
typedef struct halo_box {
    unsigned char *buffer;
    int *units; /**< [2 x neighbours] lengths and starts in units, as MPI wants them */
} halo_box;

/** A field under way. */
typedef struct halo_field {
    inlay_field given;
    size_t bytes;        /**< of an entry */
    size_t extent;       /**< of one value of its type */
    unsigned char *mask; /**< [extent] 0 between the data of its type; NULL: there is nothing between them */
} halo_field;

/** What carries fields of certain sizes one way, for as long as it is among the last that were used. */
typedef struct halo_plan {
    struct halo_plan *next;
    int fields;
    halo_field *field;    /**< [fields] the sizes are known, the rest is that of the last begin */
    unsigned char *masks; /**< room for the masks of all fields */
    unsigned char *spare; /**< a scatter's: own entries of one field and neighbour */
    halo_box send, receive;
    MPI_Request *request; /**< persistent ones, to receive and to send, and behind them that of a collective */
} halo_plan;

/** One way: from owners to ghosts (gather), or back (scatter). */
typedef struct halo_way {
    MPI_Comm comm; /**< neighbourhood with messages that way; MPI_COMM_NULL: not made yet */
    const halo_side *to, *from;
    halo_plan *plan; /**< the last that were used, the latest first */
    bool under_way;  /**< and then, by what, and with which operation: */
    inlay_transport transport;
    MPI_Op op;
} halo_way;

struct inlay_halo {
    int32_t own, before, ghosts, sends;
    halo_side in, out; /**< owners of ghosts here; ranks with ghosts of elements here */
    int32_t *take;     /**< [sends] offsets of own elements, by the neighbour that has them as ghosts */
    int32_t *offset;   /**< [ghosts] where their owners have them */
    int64_t *global;   /**< [before + ghosts] numbers of all ghosts */
    MPI_Datatype unit; /**< HALO_UNIT bytes */
    halo_way gather, scatter;
    inlay_transport transport;
    int exchanges; /**< begun without a transport */
};

/* ---- Making (halo.c) ---- */

/** Ghosts before they know their owners' ranks as neighbours. */
typedef struct halo_ghosts {
    int32_t count;
    int32_t *owner, *offset; /**< [count] by owner, then by offset */
    int64_t *global;         /**< [before + count] */
} halo_ghosts;

/**
 * Meets the owners of the ghosts, whose arrays `offset` and `global` the halo takes; the caller frees what is left. `before`
 * ghosts lie before these. Agreed upon; collective over `comm`.
 */
int halo_meet(MPI_Comm comm, int32_t own, int32_t before, halo_ghosts *ghosts, inlay_halo **made, inlay_diag *diag);

/* ---- Messages (halo_plan.c) ---- */

/** Whether types and widths can be. Local. */
int halo_check_sizes(const inlay_field *field, int fields, inlay_diag *diag);

/** Whether there is a plan for fields of these sizes, which then comes first in way->plan: on all ranks or none. */
bool halo_find_plan(halo_way *way, const inlay_field *field, int fields);

/** Makes it, the first in way->plan, where `status` is INLAY_OK on all ranks. Agreed upon; collective. */
int halo_make_plan(const inlay_halo *halo, halo_way *way, const inlay_field *field, int fields, int status,
                   inlay_diag *diag);
void halo_plans_free(halo_way *way);

/** Where the entries of field f lie in the message of neighbour i. */
unsigned char *halo_segment(const halo_plan *plan, const halo_box *box, const halo_side *side, int i, int f);

/* What way->plan has in its buffers, to the neighbours; the first measures before, where it is time for it. */
int halo_start(inlay_halo *halo, halo_way *way, inlay_diag *diag);
int halo_finish(halo_way *way, inlay_diag *diag);

#endif

/*
 * Ghosts: elements of other ranks that the loop of this one touches, fetched and given back in each sweep (see irregular.h
 * for the rules).
 *
 *     inlay_halo_make()                    localize     global references become local numbers; ghosts behind the own elements
 *     inlay_halo_increment(), _merge()     the ghosts that earlier halos do not bring; two halos in one
 *     inlay_halo_gather_begin(), _end()    gather       fetches the values of ghosts from their owners
 *     inlay_halo_scatter_begin(), _end()   scatter-op   adds what was accumulated in ghosts to their owners, or takes the
 *                                                       least of it, or what else MPI_Op says
 *     inlay_halo_gather(), _scatter_add()  both ends at once, for doubles
 *     inlay_halo_inner()                   the iterations that touch no ghost, to be done in between
 *
 * Each ghost moves once, and each neighbour gets one message, however many arrays are in it. A sweep that computes while
 * its messages are on their way:
 *
 *     inner = inlay_halo_inner(halo, local, NULL, 2, edges, order);
 *     inlay_halo_gather_begin(halo, (inlay_field[]){{x, MPI_DOUBLE, 1}}, 1, diag);
 *     for (k = 0; k < inner; k++) ...order[k]...
 *     inlay_halo_gather_end(halo, diag);
 *     for (; k < edges; k++) ...order[k]...
 */
#ifndef INLAY_IRREGULAR_HALO_H
#define INLAY_IRREGULAR_HALO_H

#include <inlay/irregular_table.h>

typedef struct inlay_halo inlay_halo;

/* ---- Making ---- */

/**
 * Localises the references of this rank: local[i] is the offset of element g[i] where this rank owns it, else
 * own + k for ghost k, own = inlay_table_local(). Ghosts are numbered by owner, then by offset there. INLAY_BAD_ARGUMENT
 * where an element is out of range. Collective.
 */
INLAY_API int inlay_halo_make(const inlay_table *table, const int64_t *g, int64_t count, int32_t *local,
                              inlay_halo **halo, inlay_diag *diag);

/**
 * The same for more references to elements of the table of `base` (NULL: none), whose ghosts are neither looked for nor
 * moved again: local[i] is own + k for ghost k of `base`, and own + base's ghosts + k for ghost k of the new halo, which
 * lies behind them in the same arrays. `base` may be an increment, with all that lies before it; it is not needed afterwards,
 * unless for its ghosts. INLAY_BAD_ARGUMENT also where the table has another number of own elements than `base`. Collective.
 */
INLAY_API int inlay_halo_increment(const inlay_halo *base, const inlay_table *table, const int64_t *g, int64_t count,
                                   int32_t *local, inlay_halo **halo, inlay_diag *diag);

/**
 * One halo with the ghosts of both, each once, behind the own elements, by owner and offset. Ghost k of `a` is
 * ghost_a[k] of it, ghost k of `b` is ghost_b[k]. Both are of one table (INLAY_BAD_ARGUMENT where that shows), and stay as
 * they are. Collective.
 */
INLAY_API int inlay_halo_merge(const inlay_halo *a, const inlay_halo *b, int32_t *ghost_a, int32_t *ghost_b,
                               inlay_halo **merged, inlay_diag *diag);

/**
 * References to ghost k behind the own elements, own + k, become own + ghost[k]: after a merge, those of the loop of `a` with
 * ghost_a, and those of `b` with ghost_b. Of a base and its increment, ghost_b follows ghost_a in one array. Local.
 */
INLAY_API void inlay_halo_renumber(const inlay_halo *halo, const int32_t *ghost, int32_t *local, int64_t count);

INLAY_API void inlay_halo_free(inlay_halo *halo); /**< collective: ends what is under way, frees communicators */

/** What a halo moves, of this rank. */
typedef struct inlay_halo_figures {
    int32_t own, ghosts; /**< arrays need own + before + ghosts entries */
    int32_t before;      /**< of an increment: ghosts of others that lie before its own; else 0 */
    int32_t sends;       /**< entries sent in a gather, and received in a scatter */
    int neighbours_in;   /**< ranks that own ghosts of this one: a message from each in a gather */
    int neighbours_out;  /**< ranks that have ghosts that this one owns: a message to each */
} inlay_halo_figures;

INLAY_API inlay_halo_figures inlay_halo_figures_of(const inlay_halo *halo);

/**
 * Which iterations touch no ghost. Iteration i touches local[start[i]] .. local[start[i + 1] - 1]; where `start` is NULL,
 * `touched` references each. order[iterations] lists those that touch own elements alone, then the others, both
 * ascending.
 * @return how many the first are
 */
INLAY_API int32_t inlay_halo_inner(const inlay_halo *halo, const int32_t *local, const int64_t *start, int32_t touched,
                                   int32_t iterations, int32_t *order);

/* ---- Moving ---- */

/** An array: each of the own elements, and each ghost behind them, has `width` >= 1 values of a committed type of MPI. */
typedef struct inlay_field {
    void *value;       /**< [(own + before + ghosts) x width] */
    MPI_Datatype type; /**< of any kind, whose lower bound is 0 and whose data lie within its extent, once each */
    int width;
} inlay_field;

/**
 * Begins to fill the ghosts of all fields with the values of their owners, in one message to each neighbour. The own
 * elements may change as soon as it returns; the ghosts are not to be touched before the end. What lies between the
 * data of a type stays as it is.
 *
 * Number, types and widths of the fields are the same on all ranks. Collective, but a rank waits for none, and at the end for
 * its neighbours alone: all ranks wait for each other, and agree on failures, only for fields of sizes that no gather
 * had, among the last eight kinds; and once more in the fourth exchange (see inlay_transport).
 * INLAY_BAD_ARGUMENT where a gather of this halo is under way, or a field cannot be.
 */
INLAY_API int inlay_halo_gather_begin(inlay_halo *halo, const inlay_field *field, int fields, inlay_diag *diag);

/** Ends it: the ghosts are there. INLAY_BAD_ARGUMENT where none is under way. Collective, in the same way. */
INLAY_API int inlay_halo_gather_end(inlay_halo *halo, inlay_diag *diag);

/**
 * Begins to combine the ghosts of all fields into their owners' elements, as `op` says: MPI_SUM, MPI_MIN, MPI_MAX, MPI_LAND, ...,
 * one of the caller's own, or MPI_REPLACE. The ghosts stay as they are, and may change as soon as it returns; so may the own
 * elements until the end, which is when they are combined. One gather and one scatter of a halo may be under way together.
 * INLAY_BAD_ARGUMENT as above, and where `op` is none, or one of MPI's own for a type that is not.
 */
INLAY_API int inlay_halo_scatter_begin(inlay_halo *halo, const inlay_field *field, int fields, MPI_Op op,
                                       inlay_diag *diag);

/**
 * Ends it: an owner's element becomes `ghost op element`, for one ghost after the other in the order of their ranks, so
 * that results are the same each time, and MPI_REPLACE leaves that of the greatest rank. INLAY_BAD_ARGUMENT where none is
 * under way. Collective, in the same way.
 */
INLAY_API int inlay_halo_scatter_end(inlay_halo *halo, inlay_diag *diag);

/** Begin and end of a gather of doubles: value[(own + before + ghosts) x width]. Collective, in the same way. */
INLAY_API int inlay_halo_gather(inlay_halo *halo, double *value, int width, inlay_diag *diag);

/** Begin and end of a scatter with MPI_SUM that leaves the ghosts zero. Collective, in the same way. */
INLAY_API int inlay_halo_scatter_add(inlay_halo *halo, double *value, int width, inlay_diag *diag);

/* ---- How messages travel ---- */

/**
 * Results never depend on it. Where nothing is said, messages go by requests at first; in the fourth exchange of a halo both
 * ways carry a few messages of its sizes, and all ranks take the one whose slowest rank was faster.
 */
typedef enum inlay_transport {
    INLAY_TRANSPORT_MEASURED,     /**< not measured yet */
    INLAY_TRANSPORT_REQUESTS,     /**< persistent requests, from rank to rank */
    INLAY_TRANSPORT_NEIGHBOURHOOD /**< neighbourhood collectives, which some networks know by themselves */
} inlay_transport;

/** From the next exchange on. INLAY_BAD_ARGUMENT where ranks want different ones. Collective. */
INLAY_API int inlay_halo_set_transport(inlay_halo *halo, inlay_transport transport, inlay_diag *diag);
INLAY_API inlay_transport inlay_halo_transport_of(const inlay_halo *halo);

#endif

/*
 * Irregular loops: data and iterations distributed at run time (R. Ponnusamy, J. Saltz, R. Das, C. Koelbel, A. Choudhary,
 * "Embedding data mappers with distributed memory machine compilers", 1992).
 *
 * A loop over the edges of a mesh or the rows of a sparse matrix reads and writes arrays through indices that are known
 * only at run time. This library finds out which elements belong together, gives them to ranks of an MPI program,
 * gives the iterations to the ranks that own most of what they touch, and moves what is needed. The chapters, in the order
 * in which a program uses them:
 *
 *   irregular_table.h       who owns which element: block distributions, translation tables, dereferencing
 *   irregular_graph.h       which elements a loop uses together: the runtime data graph (RDG)
 *   irregular_partition.h   partitioners of that graph, and what a partition costs
 *   irregular_repartition.h  the same again, when weights have changed and data lie somewhere already
 *   irregular_iterations.h  which elements each iteration touches (RIG), and the rank that computes it
 *   irregular_exchange.h    moving arrays and CSR structures to their new owners
 *   irregular_halo.h        ghosts: gather and scatter in each sweep, while the loop computes
 *   irregular_renumber.h    in which order a rank keeps its own elements, so that neighbours are near in memory
 *   irregular_mesh.h        mesh files read in parallel, and meshes made on the spot
 *
 * and beside them, not included here, irregular_loop.h: loops of a serial program, whose memory is whole on every rank.
 *
 * They are the library libinlay-irregular, which needs MPI and PT-Scotch. Everything is distributed (but in irregular_loop.h): a rank holds its
 * own share, and never the whole of anything whose size is that of the graph.
 *
 * Rules that all chapters share:
 *
 * - Elements have global numbers 0 .. n - 1 (int64_t); local numbers and offsets are int32_t, for one rank holds fewer
 *   than 2^31 elements.
 * - "Collective": all ranks of the communicator must call, in the same order. All of them then return the same status,
 *   which is INLAY_OK only where no rank failed; the diagnostic of each has the message of the lowest rank that failed.
 *   "Local": no rank waits for another; so are functions that say neither.
 * - Arrays that are passed in stay the caller's, and are read during the call alone. What a function makes is the caller's, to
 *   be freed by the function of its name that ends in _free; a member of a public structure that is set to NULL before is kept.
 * - Communicators are borrowed, and must outlive what was made of them. Messages go through collective operations, or
 *   communicators of the library's own, and cannot be mistaken for the caller's.
 * - Same input and same number of ranks, same result.
 */
#ifndef INLAY_IRREGULAR_H
#define INLAY_IRREGULAR_H

#include <inlay/irregular_exchange.h>
#include <inlay/irregular_graph.h>
#include <inlay/irregular_halo.h>
#include <inlay/irregular_iterations.h>
#include <inlay/irregular_mesh.h>
#include <inlay/irregular_partition.h>
#include <inlay/irregular_renumber.h>
#include <inlay/irregular_repartition.h>
#include <inlay/irregular_table.h>

#endif

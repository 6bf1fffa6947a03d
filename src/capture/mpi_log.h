/*
 * What the recorder of MPI programs writes, a log a rank. Messages are those that Open MPI's point-to-point layer sends, so that
 * collective operations are there as the algorithm that the library chose for them sends them.
 */
#ifndef CAPTURE_MPI_LOG_H
#define CAPTURE_MPI_LOG_H

#define MPI_LOG "mpi"

enum mpi_event {
    MPI_BEGIN = 1, /**< a rank, b ranks, c the same in all that were started together */
    MPI_IN,       /**< into the library, to send or to wait: a code of the call (0: not looked for), b ns since the last
                        MPI_OUT in which it was asked in vain whether something has come */
    MPI_OUT,      /**< back from it */
    MPI_SENT,     /**< a destination and tag, b bytes, c communicator */
    MPI_POSTED,   /**< a receive: b its number, from 1 */
    MPI_RECEIVED, /**< the same: a source and tag of what came, b its number, c communicator */
    MPI_END,      /**< a calls of other threads, which are not recorded */
    MPI_OTHER_VERSION /**< the only record: the library is not the one whose headers the recorder knows */
};

/* A rank of all and a tag in one word, and back. */
#define MPI_PEER(rank, tag) ((uint64_t)(uint32_t)(rank) << 32 | (uint32_t)(tag))
#define MPI_PEER_RANK(word) ((int32_t)((word) >> 32))
#define MPI_PEER_TAG(word)  ((int32_t)(uint32_t)(word))

#endif

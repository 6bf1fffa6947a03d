/* Messages of MPI programs: which receive got which send. */
#ifndef CAPTURE_MPI_MESSAGES_H
#define CAPTURE_MPI_MESSAGES_H

#include "capture/trace.h"

/* One end. Of a send `stretch` is the one behind which it left, of a receive the one that had to wait for it. */
typedef struct message_end {
    int32_t from, to; /* ranks of all; below 0: of another world */
    uint32_t communicator;
    int32_t tag;
    int64_t order; /* of sends as they were sent, of receives as they were posted */
    int64_t bytes; /* of a send */
    inlay_id stretch;
} message_end;

/* Zero-initialise. */
typedef struct message_ends {
    message_end *end;
    size_t count, capacity;
} message_ends;

int message_add(message_ends *list, message_end end, inlay_diag *diag);

/*
 * Messages of one sender, receiver, communicator and tag arrive in the order in which they were sent, for receives in that in which
 * they were posted (MPI 4.0, section 3.5). Links are made of the pairs, by stretches and order of their sends; how many ends are
 * left over goes to `unmatched`. Sorts both lists.
 */
int messages_match(message_ends *sends, message_ends *receives, trace *to, int64_t *unmatched, inlay_diag *diag);

#endif

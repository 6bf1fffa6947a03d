/* What the files of the recorder of MPI programs share. */
#ifndef CAPTURE_RECORDER_MPI_PARTS_H
#define CAPTURE_RECORDER_MPI_PARTS_H

#include "capture/mpi_log.h"
#include "capture/recorder/write.h"
#include <ompi_config.h>

#include <mpi.h>
#include <ompi/communicator/communicator.h>
#include <ompi/request/request.h>

void mpi_put(uint64_t time, enum mpi_event event, uint32_t c, uint64_t a, uint64_t b);

/* ---- Where the program calls (mpi_calls.c) ---- */

void calls_begin(void);

/* The code behind the program's call that led here; takes about a microsecond. 0: not found. */
uint64_t calls_code(void);

/* ---- Open receives (mpi_receives.c) ---- */

typedef struct receive {
    ompi_request_t *request; /* NULL: none is kept here */
    ompi_communicator_t *comm;
    uint64_t number; /* 0: it is not open, as one that is persistent and not started */
    int source, tag; /* as asked */
} receive;

/* Of all ranks; -1: of another world. */
int world_rank(ompi_communicator_t *comm, int rank);
void world_forget(const ompi_communicator_t *comm);

/* The number of one that is posted now. */
uint64_t receive_post(void);
void receive_came(uint64_t now, uint64_t number, ompi_communicator_t *comm, int source, int tag);

/* Keep one, posted now or not yet. */
void receive_keep(ompi_request_t *request, ompi_communicator_t *comm, int source, int tag, bool started);

/* What is kept of a request; one without a request where nothing is. */
receive receive_of(const ompi_request_t *request);

/* If it is kept, open and has ended, what came is written. */
void receive_look(const ompi_request_t *request, uint64_t now);
bool request_has_ended(const ompi_request_t *request);

/* The same for those of nonblocking collective operations, which nobody waits for by name. */
void receives_look_within(uint64_t now);

/* The same for all. */
void receives_look(uint64_t now);

#endif

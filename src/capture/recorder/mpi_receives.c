/* Receives that are open, and what the ranks of a communicator are among all. */
#include "capture/recorder/mpi_parts.h"
#include <ompi/mca/coll/base/coll_tags.h>
#include <stdlib.h>

#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_remote_group
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Group_size
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Group_free
#pragma weak ompi_mpi_comm_world

/* ---- Ranks ---- */

/* Of the communicators met last: the ranks of all that those of the group which they name are. */
typedef struct known_group {
    const ompi_communicator_t *comm;
    uint32_t context;
    int count;
    int *world;
} known_group;

enum { KNOWN_GROUPS = 64 };
static known_group groups[KNOWN_GROUPS];

static void learn_group(known_group *g, ompi_communicator_t *comm)
{
    MPI_Group all, named;
    int between = 0;
    free(g->world);
    *g = (known_group){comm, comm->c_contextid, 0, NULL};
    (void)PMPI_Comm_test_inter(comm, &between);
    (void)PMPI_Comm_group((MPI_Comm)&ompi_mpi_comm_world, &all);
    (void)(between ? PMPI_Comm_remote_group(comm, &named) : PMPI_Comm_group(comm, &named));
    (void)PMPI_Group_size(named, &g->count);
    g->world = calloc((size_t)g->count + 1, sizeof *g->world);
    int *rank = calloc((size_t)g->count + 1, sizeof *rank);
    for (int i = 0; rank != NULL && i < g->count; i++) {
        rank[i] = i;
    }
    if (rank != NULL && g->world != NULL) {
        (void)PMPI_Group_translate_ranks(named, g->count, rank, all, g->world);
    } else {
        g->count = 0;
    }
    free(rank);
    (void)PMPI_Group_free(&named);
    (void)PMPI_Group_free(&all);
}

int world_rank(ompi_communicator_t *comm, int rank)
{
    known_group *g = &groups[comm->c_contextid % KNOWN_GROUPS];
    if (g->comm != comm || g->context != comm->c_contextid) {
        learn_group(g, comm);
    }
    return rank >= 0 && rank < g->count && g->world[rank] >= 0 ? g->world[rank] : -1;
}

void world_forget(const ompi_communicator_t *comm)
{
    known_group *g = &groups[comm->c_contextid % KNOWN_GROUPS];
    g->comm = g->comm == comm ? NULL : g->comm;
}

/* ---- Open receives ---- */

/* Hash table by request, with open addresses; its size is a power of 2. */
static receive *table;
static size_t table_size, table_used, open_within; /* the latter: of nonblocking collective operations */
static uint64_t given;                             /* numbers of receives */

static receive *slot_of(const ompi_request_t *request)
{
    size_t at = ((uintptr_t)request >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    for (;; at++) {
        receive *r = &table[at & (table_size - 1)];
        if (r->request == request || r->request == NULL) {
            return r;
        }
    }
}

/* Its slot, which is made; NULL: no memory. */
static receive *keep(ompi_request_t *request)
{
    if (2 * (table_used + 1) > table_size) {
        receive *old = table;
        size_t was = table_size, size = was > 0 ? 2 * was : 64;
        receive *grown = calloc(size, sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        table = grown;
        table_size = size;
        for (size_t i = 0; i < was; i++) {
            if (old[i].request != NULL) {
                *slot_of(old[i].request) = old[i];
            }
        }
        free(old);
    }
    receive *r = slot_of(request);
    table_used += r->request == NULL;
    r->request = request;
    return r;
}

/* Of a nonblocking collective operation: the library goes on by itself when it has come. */
static bool is_within(int tag)
{
    return tag <= MCA_COLL_BASE_TAG_NONBLOCKING_BASE;
}

uint64_t receive_post(void)
{
    mpi_put(log_now(), MPI_POSTED, 0, 0, ++given);
    return given;
}

void receive_keep(ompi_request_t *request, ompi_communicator_t *comm, int source, int tag, bool started)
{
    receive *r = keep(request);
    if (r != NULL) {
        open_within -= r->number > 0 && is_within(r->tag);
        *r = (receive){request, comm, started ? receive_post() : 0, source, tag};
        open_within += started && is_within(tag);
    }
}

void receive_came(uint64_t now, uint64_t number, ompi_communicator_t *comm, int source, int tag)
{
    mpi_put(now, MPI_RECEIVED, comm->c_contextid, MPI_PEER(world_rank(comm, source), tag), number);
}

/* It has ended, though not by being cancelled: what came is known from the request, which nothing has used again. */
static void close_receive(receive *r, uint64_t now)
{
    const ompi_status_public_t *status = &r->request->req_status;
    open_within -= is_within(r->tag);
    if (!status->_cancelled) {
        receive_came(now, r->number, r->comm, r->source == MPI_ANY_SOURCE ? status->MPI_SOURCE : r->source,
                     r->tag == MPI_ANY_TAG ? status->MPI_TAG : r->tag);
    }
    r->number = 0;
}

bool request_has_ended(const ompi_request_t *request)
{
    return REQUEST_COMPLETE(request) || request->req_state != OMPI_REQUEST_ACTIVE;
}

receive receive_of(const ompi_request_t *request)
{
    return table != NULL ? *slot_of(request) : (receive){0};
}

void receive_look(const ompi_request_t *request, uint64_t now)
{
    receive *r = table != NULL ? slot_of(request) : NULL;
    if (r != NULL && r->request != NULL && r->number > 0 && request_has_ended(r->request)) {
        close_receive(r, now);
    }
}

void receives_look_within(uint64_t now)
{
    for (size_t i = 0; open_within > 0 && i < table_size; i++) {
        if (table[i].number > 0 && is_within(table[i].tag)) {
            receive_look(table[i].request, now);
        }
    }
}

void receives_look(uint64_t now)
{
    for (size_t i = 0; i < table_size; i++) {
        if (table[i].request != NULL) {
            receive_look(table[i].request, now);
        }
    }
}

/*
 * The recorder of MPI programs, preloaded into every rank. It stands between Open MPI and the module of it that sends and receives
 * (PML), and at what waits for requests: there all messages come by, of whatever language and whatever collective operation.
 * Their headers are those of the version that runs, or nothing is recorded.
 */
#include "capture/recorder/mpi_parts.h"
#include <dlfcn.h>
#include <ompi/datatype/ompi_datatype.h>
#include <ompi/mca/pml/pml.h>
#include <ompi/message/message.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs that use no MPI load this as well: a shell, mpirun. */
#pragma weak mca_pml
#pragma weak ompi_request_functions
#pragma weak ompi_mpi_comm_world
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Get_library_version

/* A rank is its thread that began MPI: what others call is counted alone. */
static pthread_t main_thread;
static atomic_ulong foreign_calls;

static log_writer writer;
static mca_pml_base_module_t pml;         /* as they were */
static ompi_request_fns_t requests;       /* as well */
static int depth;                         /* of calls within calls: what waits makes other things go on */
static uint64_t computing_since, in_vain; /* ns */

void mpi_put(uint64_t time, enum mpi_event event, uint32_t c, uint64_t a, uint64_t b)
{
    log_put_at(&writer, time, event, c, a, b);
}

/* ---- In and out ---- */

enum { WORTH_A_LOOK = 20000 /* ns: looking at who calls takes about one thousand */ };

static void enter(void)
{
    uint64_t now = log_now();
    if (depth++ == 0) {
        bool worth = now - computing_since > in_vain + WORTH_A_LOOK;
        mpi_put(now, MPI_IN, 0, worth ? calls_code() : 0, in_vain);
        in_vain = 0;
    }
    receives_look_within(now);
}

static void leave(void)
{
    if (--depth == 0) {
        computing_since = log_now();
        mpi_put(computing_since, MPI_OUT, 0, 0, 0);
    }
}

static bool foreign(void)
{
    bool is = !pthread_equal(pthread_self(), main_thread);
    if (is) {
        atomic_fetch_add(&foreign_calls, 1);
    }
    return is;
}

static void sends(size_t count, const ompi_datatype_t *type, int to, int tag, ompi_communicator_t *comm)
{
    mpi_put(log_now(), MPI_SENT, comm->c_contextid, MPI_PEER(world_rank(comm, to), tag), count * type->super.size);
}

/* ---- Messages ---- */

static int send_now(const void *buffer, size_t count, ompi_datatype_t *type, int to, int tag,
                    mca_pml_base_send_mode_t mode, ompi_communicator_t *comm)
{
    if (foreign()) {
        return pml.pml_send(buffer, count, type, to, tag, mode, comm);
    }
    enter();
    sends(count, type, to, tag, comm);
    int result = pml.pml_send(buffer, count, type, to, tag, mode, comm);
    leave();
    return result;
}

static int send_soon(const void *buffer, size_t count, ompi_datatype_t *type, int to, int tag,
                     mca_pml_base_send_mode_t mode, ompi_communicator_t *comm, ompi_request_t **request)
{
    if (foreign()) {
        return pml.pml_isend(buffer, count, type, to, tag, mode, comm, request);
    }
    enter();
    sends(count, type, to, tag, comm);
    int result = pml.pml_isend(buffer, count, type, to, tag, mode, comm, request);
    leave();
    return result;
}

static int receive_now(void *buffer, size_t count, ompi_datatype_t *type, int from, int tag, ompi_communicator_t *comm,
                       ompi_status_public_t *status)
{
    if (foreign()) {
        return pml.pml_recv(buffer, count, type, from, tag, comm, status);
    }
    ompi_status_public_t own = {0}, *found = status != MPI_STATUS_IGNORE ? status : &own;
    enter();
    uint64_t number = receive_post();
    int result = pml.pml_recv(buffer, count, type, from, tag, comm, found);
    receive_came(log_now(), number, comm, from == MPI_ANY_SOURCE ? found->MPI_SOURCE : from,
                 tag == MPI_ANY_TAG ? found->MPI_TAG : tag);
    leave();
    return result;
}

static int receive_soon(void *buffer, size_t count, ompi_datatype_t *type, int from, int tag, ompi_communicator_t *comm,
                        ompi_request_t **request)
{
    if (foreign()) {
        return pml.pml_irecv(buffer, count, type, from, tag, comm, request);
    }
    enter();
    int result = pml.pml_irecv(buffer, count, type, from, tag, comm, request);
    receive_keep(*request, comm, from, tag, true);
    leave();
    return result;
}

/* What was found by a matched probe. */
static int receive_found(void *buffer, size_t count, ompi_datatype_t *type, ompi_message_t **message,
                         ompi_status_public_t *status)
{
    if (foreign()) {
        return pml.pml_mrecv(buffer, count, type, message, status);
    }
    ompi_communicator_t *comm = (*message)->comm;
    ompi_status_public_t own = {0}, *found = status != MPI_STATUS_IGNORE ? status : &own;
    enter();
    uint64_t number = receive_post();
    int result = pml.pml_mrecv(buffer, count, type, message, found);
    receive_came(log_now(), number, comm, found->MPI_SOURCE, found->MPI_TAG);
    leave();
    return result;
}

static int receive_found_soon(void *buffer, size_t count, ompi_datatype_t *type, ompi_message_t **message,
                              ompi_request_t **request)
{
    if (foreign()) {
        return pml.pml_imrecv(buffer, count, type, message, request);
    }
    ompi_communicator_t *comm = (*message)->comm;
    enter();
    int result = pml.pml_imrecv(buffer, count, type, message, request);
    receive_keep(*request, comm, MPI_ANY_SOURCE, MPI_ANY_TAG, true);
    leave();
    return result;
}

/* ---- Persistent requests ---- */

/* A send that is to be started often. */
typedef struct standing_send {
    const ompi_request_t *request;
    ompi_communicator_t *comm;
    const ompi_datatype_t *type;
    size_t count;
    int to, tag;
} standing_send;

static standing_send *standing;
static size_t standing_count, standing_room;

static standing_send *standing_of(const ompi_request_t *request)
{
    for (size_t i = standing_count; i-- > 0;) {
        if (standing[i].request == request) {
            return &standing[i];
        }
    }
    return NULL;
}

static void keep_standing(standing_send send)
{
    standing_send *s = standing_of(send.request);
    if (s == NULL && standing_count == standing_room) {
        size_t room = standing_room > 0 ? 2 * standing_room : 16;
        standing_send *grown = realloc(standing, room * sizeof *grown);
        if (grown == NULL) {
            return;
        }
        standing = grown;
        standing_room = room;
    }
    s = s == NULL ? &standing[standing_count++] : s;
    *s = send;
}

/* The library asks the request itself to start; where the last message is still on its way it takes another request. */
static int start(size_t count, ompi_request_t **list)
{
    if (foreign()) {
        return pml.pml_start(count, list);
    }
    int result = OMPI_SUCCESS;
    enter();
    for (size_t i = 0; result == OMPI_SUCCESS && i < count; i++) {
        const standing_send *s = standing_of(list[i]);
        standing_send again = s != NULL ? *s : (standing_send){0};
        receive receives_here = s == NULL ? receive_of(list[i]) : (receive){0};
        if (s != NULL) {
            sends(again.count, again.type, again.to, again.tag, again.comm);
        }
        result = pml.pml_start(1, &list[i]);
        if (s != NULL) {
            again.request = list[i];
            keep_standing(again);
        } else if (receives_here.request != NULL) {
            receive_keep(list[i], receives_here.comm, receives_here.source, receives_here.tag, true);
        }
        list[i]->req_start = start;
    }
    leave();
    return result;
}

static int send_later(const void *buffer, size_t count, ompi_datatype_t *type, int to, int tag,
                      mca_pml_base_send_mode_t mode, ompi_communicator_t *comm, ompi_request_t **request)
{
    int result = pml.pml_isend_init(buffer, count, type, to, tag, mode, comm, request);
    if (!foreign()) {
        keep_standing((standing_send){*request, comm, type, count, to, tag});
        (*request)->req_start = start;
    }
    return result;
}

static int receive_later(void *buffer, size_t count, ompi_datatype_t *type, int from, int tag,
                         ompi_communicator_t *comm, ompi_request_t **request)
{
    int result = pml.pml_irecv_init(buffer, count, type, from, tag, comm, request);
    if (!foreign()) {
        receive_keep(*request, comm, from, tag, false);
        (*request)->req_start = start;
    }
    return result;
}

/* ---- Waiting ---- */

/* The receives that are open among some requests, before a call that may end them. */
typedef struct awaited {
    ompi_request_t **request;
    size_t count;
    ompi_request_t *few[16]; /* where they have room here */
    uint64_t since;
} awaited;

static void await(awaited *w, ompi_request_t *const *list, size_t count)
{
    enum { ROOM = sizeof w->few / sizeof *w->few };
    w->since = log_now();
    w->count = 0;
    w->request = count <= ROOM ? w->few : malloc(count * sizeof(ompi_request_t *));
    for (size_t i = 0; w->request != NULL && i < count; i++) {
        if (receive_of(list[i]).number > 0) {
            w->request[w->count++] = list[i];
        }
    }
}

static bool any_arrived(const awaited *w)
{
    bool any = false;
    for (size_t i = 0; i < w->count && !any; i++) {
        any = request_has_ended(w->request[i]);
    }
    return any;
}

static void arrive(const awaited *w, uint64_t now)
{
    for (size_t i = 0; i < w->count; i++) {
        receive_look(w->request[i], now);
    }
}

static void let_go(awaited *w)
{
    if (w->request != w->few) {
        free(w->request);
    }
}

static void wait_begins(awaited *w, ompi_request_t *const *list, size_t count)
{
    enter();
    await(w, list, count);
}

static int wait_ends(awaited *w, int result)
{
    uint64_t now = log_now();
    arrive(w, now);
    receives_look_within(now);
    let_go(w);
    leave();
    return result;
}

static int wait_one(ompi_request_t **request, ompi_status_public_t *status)
{
    awaited w;
    if (foreign()) {
        return requests.req_wait(request, status);
    }
    wait_begins(&w, request, 1);
    return wait_ends(&w, requests.req_wait(request, status));
}

static int wait_any(size_t count, ompi_request_t **list, int *index, ompi_status_public_t *status)
{
    awaited w;
    if (foreign()) {
        return requests.req_wait_any(count, list, index, status);
    }
    wait_begins(&w, list, count);
    return wait_ends(&w, requests.req_wait_any(count, list, index, status));
}

static int wait_all(size_t count, ompi_request_t **list, ompi_status_public_t *statuses)
{
    awaited w;
    if (foreign()) {
        return requests.req_wait_all(count, list, statuses);
    }
    wait_begins(&w, list, count);
    return wait_ends(&w, requests.req_wait_all(count, list, statuses));
}

static int wait_some(size_t count, ompi_request_t **list, int *found, int *indices, ompi_status_public_t *statuses)
{
    awaited w;
    if (foreign()) {
        return requests.req_wait_some(count, list, found, indices, statuses);
    }
    wait_begins(&w, list, count);
    return wait_ends(&w, requests.req_wait_some(count, list, found, indices, statuses));
}

/* ---- Asking whether something has come: often in vain, which is not written each time ---- */

static void ask_begins(awaited *w, ompi_request_t *const *list, size_t count)
{
    depth++;
    await(w, list, count);
}

static void count_in_vain(uint64_t since)
{
    if (--depth == 0) {
        in_vain += log_now() - since;
    }
}

static int ask_ends(awaited *w, int result)
{
    uint64_t since = w->since;
    bool any = any_arrived(w);
    if (any && depth == 1) {
        mpi_put(since, MPI_IN, 0, 0, in_vain);
        in_vain = 0;
    }
    if (any) {
        arrive(w, log_now());
    }
    receives_look_within(log_now());
    let_go(w);
    if (any) {
        leave();
    } else {
        count_in_vain(since);
    }
    return result;
}

static int test_one(ompi_request_t **request, int *done, ompi_status_public_t *status)
{
    awaited w;
    if (foreign()) {
        return requests.req_test(request, done, status);
    }
    ask_begins(&w, request, 1);
    return ask_ends(&w, requests.req_test(request, done, status));
}

static int test_any(size_t count, ompi_request_t **list, int *index, int *done, ompi_status_public_t *status)
{
    awaited w;
    if (foreign()) {
        return requests.req_test_any(count, list, index, done, status);
    }
    ask_begins(&w, list, count);
    return ask_ends(&w, requests.req_test_any(count, list, index, done, status));
}

static int test_all(size_t count, ompi_request_t **list, int *done, ompi_status_public_t *statuses)
{
    awaited w;
    if (foreign()) {
        return requests.req_test_all(count, list, done, statuses);
    }
    ask_begins(&w, list, count);
    return ask_ends(&w, requests.req_test_all(count, list, done, statuses));
}

static int test_some(size_t count, ompi_request_t **list, int *found, int *indices, ompi_status_public_t *statuses)
{
    awaited w;
    if (foreign()) {
        return requests.req_test_some(count, list, found, indices, statuses);
    }
    ask_begins(&w, list, count);
    return ask_ends(&w, requests.req_test_some(count, list, found, indices, statuses));
}

static int probe_now(int from, int tag, ompi_communicator_t *comm, ompi_status_public_t *status)
{
    if (foreign()) {
        return pml.pml_probe(from, tag, comm, status);
    }
    enter();
    int result = pml.pml_probe(from, tag, comm, status);
    leave();
    return result;
}

static int find_now(int from, int tag, ompi_communicator_t *comm, ompi_message_t **message,
                    ompi_status_public_t *status)
{
    if (foreign()) {
        return pml.pml_mprobe(from, tag, comm, message, status);
    }
    enter();
    int result = pml.pml_mprobe(from, tag, comm, message, status);
    leave();
    return result;
}

static int probe(int from, int tag, ompi_communicator_t *comm, int *matched, ompi_status_public_t *status)
{
    if (foreign()) {
        return pml.pml_iprobe(from, tag, comm, matched, status);
    }
    uint64_t since = log_now();
    depth++;
    int result = pml.pml_iprobe(from, tag, comm, matched, status);
    count_in_vain(since);
    return result;
}

static int find(int from, int tag, ompi_communicator_t *comm, int *matched, ompi_message_t **message,
                ompi_status_public_t *status)
{
    if (foreign()) {
        return pml.pml_improbe(from, tag, comm, matched, message, status);
    }
    uint64_t since = log_now();
    depth++;
    int result = pml.pml_improbe(from, tag, comm, matched, message, status);
    count_in_vain(since);
    return result;
}

static int forget_group(ompi_communicator_t *comm)
{
    if (!foreign()) {
        world_forget(comm);
    }
    return pml.pml_del_comm(comm);
}

/* ---- Begin and end ---- */

static bool headers_fit(void)
{
    char ours[64], version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    int expected = snprintf(ours, sizeof ours, "Open MPI v%d.%d.", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION);
    return PMPI_Get_library_version(version, &length) == MPI_SUCCESS && strncmp(version, ours, (size_t)expected) == 0;
}

static void stand_between(void)
{
    pml = mca_pml;
    mca_pml.pml_send = send_now;
    mca_pml.pml_isend = send_soon;
    mca_pml.pml_isend_init = send_later;
    mca_pml.pml_recv = receive_now;
    mca_pml.pml_irecv = receive_soon;
    mca_pml.pml_irecv_init = receive_later;
    mca_pml.pml_mrecv = receive_found;
    mca_pml.pml_imrecv = receive_found_soon;
    mca_pml.pml_probe = probe_now;
    mca_pml.pml_iprobe = probe;
    mca_pml.pml_mprobe = find_now;
    mca_pml.pml_improbe = find;
    mca_pml.pml_start = start;
    mca_pml.pml_del_comm = forget_group;
    requests = ompi_request_functions;
    ompi_request_functions = (ompi_request_fns_t){
        .req_test = test_one,
        .req_test_any = test_any,
        .req_test_all = test_all,
        .req_test_some = test_some,
        .req_wait = wait_one,
        .req_wait_any = wait_any,
        .req_wait_all = wait_all,
        .req_wait_some = wait_some,
    };
}

/* The same in all ranks that were started together. */
static uint32_t job(void)
{
    const char *name = getenv("PMIX_NAMESPACE");
    uint32_t hash = UINT32_C(2166136261);
    for (; name != NULL && *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT32_C(16777619); /* FNV-1a */
    }
    return hash;
}

static void begin(void)
{
    int of_all = 0, count = 0;
    if (log_folder() == NULL) {
        return;
    }
    main_thread = pthread_self();
    log_open(&writer, MPI_LOG, 0);
    if (!headers_fit()) {
        mpi_put(log_now(), MPI_OTHER_VERSION, 0, 0, 0);
        log_close(&writer);
        return;
    }
    (void)PMPI_Comm_rank((MPI_Comm)&ompi_mpi_comm_world, &of_all);
    (void)PMPI_Comm_size((MPI_Comm)&ompi_mpi_comm_world, &count);
    mpi_put(log_now(), MPI_BEGIN, job(), (uint64_t)of_all, (uint64_t)count);
    calls_begin();
    log_maps(MPI_LOG); /* for a program that does not come to its end */
    stand_between();
    computing_since = log_now();
    mpi_put(computing_since, MPI_OUT, 0, 0, 0);
}

static void end(void)
{
    if (writer.open && pthread_equal(pthread_self(), main_thread)) {
        enter();
        uint64_t now = log_now();
        receives_look(now); /* nobody waited for them: others would be taken for them */
        mpi_put(now, MPI_END, 0, atomic_load(&foreign_calls), 0);
        mca_pml = pml;
        ompi_request_functions = requests;
        log_maps(MPI_LOG);
        log_close(&writer);
    }
}

/* Fortran's functions call those that begin with P, programs of C the others. */

typedef int initialise(int *argc, char ***argv);
typedef int initialise_thread(int *argc, char ***argv, int required, int *provided);
typedef int finish(void);

int PMPI_Init(int *argc, char ***argv)
{
    initialise *next = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Init");
    int status = next(argc, argv);
    begin();
    return status;
}

int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    initialise_thread *next = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Init_thread");
    int status = next(argc, argv, required, provided);
    begin();
    return status;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return PMPI_Init_thread(argc, argv, required, provided);
}

int PMPI_Finalize(void)
{
    finish *next = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Finalize");
    end();
    return next();
}

int MPI_Finalize(void)
{
    return PMPI_Finalize();
}

/*
 * What carries fields one way: buffers with a stretch for each neighbour, in which field follows field, and the requests
 * that move them. The last few that were used are kept, so that a loop finds its own again in each sweep.
 *
 * Messages pass through the buffers and never lie in the caller's arrays: persistent requests then serve any arrays
 * of these sizes, and the caller may go on with what was sent.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/halo.h"
#include <limits.h>
#include <stdlib.h>

enum { PLANS = 8 };

/* ---- Fields ---- */

static size_t entry_bytes(const inlay_field *field)
{
    MPI_Aint low, extent;
    MPI_Type_get_extent(field->type, &low, &extent);
    return (size_t)extent * (size_t)field->width;
}

static int check_type(MPI_Datatype type, int f, inlay_diag *diag)
{
    if (type == MPI_DATATYPE_NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "field %d has no type", f);
    }
    MPI_Aint low, extent, first, reach;
    MPI_Count size;
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_get_true_extent(type, &first, &reach);
    MPI_Type_size_x(type, &size);
    if (low != 0 || first < 0 || first + reach > extent || size > extent || size < 1) {
        return diag_fail(
            diag, INLAY_BAD_ARGUMENT,
            "field %d is of a type with %lld bytes of data at %lld to %lld of 0 to %lld; expected data within the "
            "extent, once each",
            f, (long long)size, (long long)first, (long long)first + (long long)reach, (long long)extent);
    }
    return INLAY_OK;
}

static int check_size(const inlay_field *field, int f, inlay_diag *diag)
{
    if (field->width < 1) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d numbers for each element; expected 1 or more", field->width);
    }
    int status = check_type(field->type, f, diag);
    inlay_field one = {.type = field->type, .width = 1};
    if (status == INLAY_OK && entry_bytes(&one) > (size_t)(INT_MAX / field->width)) {
        status = diag_fail(diag, INLAY_OVERFLOW, "field %d has entries of 2^31 bytes or more; expected fewer", f);
    }
    return status;
}

int halo_check_sizes(const inlay_field *field, int fields, inlay_diag *diag)
{
    if (fields < 0 || (fields > 0 && field == NULL)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d fields; expected a list of 0 or more", fields);
    }
    int status = INLAY_OK;
    for (int f = 0; f < fields && status == INLAY_OK; f++) {
        status = check_size(&field[f], f, diag);
    }
    return status;
}

/* ---- Buffers ---- */

static size_t in_units(size_t bytes)
{
    return (bytes + HALO_UNIT - 1) / HALO_UNIT;
}

unsigned char *halo_segment(const halo_plan *plan, const halo_box *box, const halo_side *side, int i, int f)
{
    size_t unit = (size_t)box->units[side->neighbours + i];
    for (int before = 0; before < f; before++) {
        unit += in_units((size_t)side->entries[i] * plan->field[before].bytes);
    }
    return box->buffer + unit * HALO_UNIT;
}

static int too_long(inlay_diag *diag)
{
    return diag_fail(diag, INLAY_OVERFLOW,
                     "2^35 bytes or more to the neighbours of a rank; expected fewer: use more ranks");
}

static int lay_out(const halo_plan *plan, halo_box *box, const halo_side *side, inlay_diag *diag)
{
    size_t all = 0;
    box->units = memory_array(2 * (size_t)side->neighbours, sizeof *box->units);
    if (box->units == NULL) {
        return diag_no_memory(diag);
    }
    for (int i = 0; i < side->neighbours; i++) {
        size_t begin = all;
        box->units[side->neighbours + i] = (int)begin;
        for (int f = 0; f < plan->fields; f++) {
            all += in_units((size_t)side->entries[i] * plan->field[f].bytes);
            if (all > INT_MAX) {
                return too_long(diag);
            }
        }
        box->units[i] = (int)(all - begin);
    }
    box->buffer = memory_zeroed(all, HALO_UNIT); /* also what lies between fields is sent */
    return box->buffer == NULL ? diag_no_memory(diag) : INLAY_OK;
}

/* Room for the masks, and for the entries that a scatter combines. */
static int make_spare(const halo_way *way, halo_plan *plan, inlay_diag *diag)
{
    size_t masks = 0, widest = 0;
    int most = 0;
    for (int f = 0; f < plan->fields; f++) {
        masks += 2 * plan->field[f].bytes;
        widest = plan->field[f].bytes > widest ? plan->field[f].bytes : widest;
    }
    for (int i = 0; i < way->from->neighbours; i++) {
        most = way->from->entries[i] > most ? way->from->entries[i] : most;
    }
    plan->masks = memory_array(masks, 1);
    plan->spare = memory_array((size_t)most, widest);
    return plan->masks == NULL || plan->spare == NULL ? diag_no_memory(diag) : INLAY_OK;
}

/* ---- Requests ---- */

static int requests(const halo_way *way)
{
    return way->from->neighbours + way->to->neighbours;
}

static int make_requests(const inlay_halo *halo, const halo_way *way, halo_plan *plan, inlay_diag *diag)
{
    int code = MPI_SUCCESS, next = 0;
    plan->request = memory_array((size_t)requests(way) + 1, sizeof *plan->request);
    if (plan->request == NULL) {
        return diag_no_memory(diag);
    }
    for (int i = 0; i <= requests(way); i++) {
        plan->request[i] = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < way->from->neighbours && code == MPI_SUCCESS; i++) {
        code = MPI_Recv_init(halo_segment(plan, &plan->receive, way->from, i, 0), plan->receive.units[i], halo->unit,
                             way->from->rank[i], 0, way->comm, &plan->request[next++]);
    }
    for (int i = 0; i < way->to->neighbours && code == MPI_SUCCESS; i++) {
        code = MPI_Send_init(halo_segment(plan, &plan->send, way->to, i, 0), plan->send.units[i], halo->unit,
                             way->to->rank[i], 0, way->comm, &plan->request[next++]);
    }
    return collective_mpi(code, diag);
}

/* ---- Plans ---- */

static void plan_free(const halo_way *way, halo_plan *plan)
{
    for (int i = 0; plan->request != NULL && i < requests(way); i++) {
        if (plan->request[i] != MPI_REQUEST_NULL) {
            MPI_Request_free(&plan->request[i]);
        }
    }
    free(plan->request);
    free(plan->send.units);
    free(plan->send.buffer);
    free(plan->receive.units);
    free(plan->receive.buffer);
    free(plan->masks);
    free(plan->spare);
    free(plan->field);
    free(plan);
}

void halo_plans_free(halo_way *way)
{
    while (way->plan != NULL) {
        halo_plan *next = way->plan->next;
        plan_free(way, way->plan);
        way->plan = next;
    }
}

/* Local. */
static int plan_fill(const inlay_halo *halo, const halo_way *way, const inlay_field *field, int fields, halo_plan *plan,
                     inlay_diag *diag)
{
    plan->field = memory_zeroed((size_t)fields, sizeof *plan->field);
    if (plan->field == NULL) {
        return diag_no_memory(diag);
    }
    plan->fields = fields;
    for (int f = 0; f < fields; f++) {
        plan->field[f].bytes = entry_bytes(&field[f]);
    }
    int status = lay_out(plan, &plan->send, way->to, diag);
    status = status == INLAY_OK ? lay_out(plan, &plan->receive, way->from, diag) : status;
    status = status == INLAY_OK ? make_spare(way, plan, diag) : status;
    return status == INLAY_OK ? make_requests(halo, way, plan, diag) : status;
}

static bool carries(const halo_plan *plan, const inlay_field *field, int fields)
{
    bool same = plan->fields == fields;
    for (int f = 0; f < fields && same; f++) {
        same = plan->field[f].bytes == entry_bytes(&field[f]);
    }
    return same;
}

bool halo_find_plan(halo_way *way, const inlay_field *field, int fields)
{
    for (halo_plan **at = &way->plan; *at != NULL; at = &(*at)->next) {
        if (carries(*at, field, fields)) {
            halo_plan *found = *at;
            *at = found->next;
            found->next = way->plan;
            way->plan = found;
            return true;
        }
    }
    return false;
}

/* The one that was not used for the longest time goes. */
static void put_first(halo_way *way, halo_plan *plan)
{
    plan->next = way->plan;
    way->plan = plan;
    halo_plan **at = &way->plan;
    for (int i = 0; i < PLANS && *at != NULL; i++) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        plan_free(way, *at);
        *at = NULL;
    }
}

/* Whether all ranks have fields of the same sizes: FNV-1a of them is the same. */
static int compare_fields(MPI_Comm comm, const inlay_field *field, int fields, inlay_diag *diag)
{
    uint64_t hash = 14695981039346656037U;
    for (int f = 0; f < fields; f++) {
        hash = (hash ^ entry_bytes(&field[f])) * 1099511628211U;
    }
    hash = (hash ^ (uint64_t)fields) * 1099511628211U;
    uint64_t both[2] = {hash, ~hash}, least[2];
    MPI_Allreduce(both, least, 2, MPI_UINT64_T, MPI_MIN, comm);
    if (least[0] != ~least[1]) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "ranks exchange different fields; expected equal types and widths");
    }
    return INLAY_OK;
}

int halo_make_plan(const inlay_halo *halo, halo_way *way, const inlay_field *field, int fields, int status,
                   inlay_diag *diag)
{
    status = collective_agree(way->comm, status, diag);
    status = status == INLAY_OK ? compare_fields(way->comm, field, fields, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    halo_plan *plan = memory_zeroed(1, sizeof *plan);
    status = plan == NULL ? diag_no_memory(diag) : plan_fill(halo, way, field, fields, plan, diag);
    status = collective_agree(way->comm, status, diag);
    if (status == INLAY_OK) {
        put_first(way, plan);
    } else if (plan != NULL) {
        plan_free(way, plan);
    }
    return status;
}

/* ---- Moving ---- */

static int launch(const inlay_halo *halo, halo_way *way, inlay_transport transport, inlay_diag *diag)
{
    halo_plan *plan = way->plan;
    const halo_box *out = &plan->send, *in = &plan->receive;
    int persistent = requests(way), code;
    if (transport == INLAY_TRANSPORT_NEIGHBOURHOOD) {
        code = MPI_Ineighbor_alltoallv(out->buffer, out->units, out->units + way->to->neighbours, halo->unit,
                                       in->buffer, in->units, in->units + way->from->neighbours, halo->unit, way->comm,
                                       &plan->request[persistent]);
    } else {
        code = MPI_Startall(persistent, plan->request);
    }
    way->transport = transport;
    way->under_way = code == MPI_SUCCESS;
    return collective_mpi(code, diag);
}

int halo_finish(halo_way *way, inlay_diag *diag)
{
    int persistent = requests(way);
    way->under_way = false;
    if (way->transport == INLAY_TRANSPORT_NEIGHBOURHOOD) {
        return collective_mpi(MPI_Wait(&way->plan->request[persistent], MPI_STATUS_IGNORE), diag);
    }
    return collective_mpi(MPI_Waitall(persistent, way->plan->request, MPI_STATUSES_IGNORE), diag);
}

/* The seconds that a few exchanges of what is in the buffers take, of the slowest rank. */
static double measure(const inlay_halo *halo, halo_way *way, inlay_transport transport)
{
    enum { ROUNDS = 4 };
    double least = 0;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Barrier(way->comm);
        double begin = MPI_Wtime(), most = 0;
        if (launch(halo, way, transport, NULL) == INLAY_OK) {
            halo_finish(way, NULL);
        }
        double passed = MPI_Wtime() - begin;
        MPI_Allreduce(&passed, &most, 1, MPI_DOUBLE, MPI_MAX, way->comm);
        least = round == 0 || most < least ? most : least;
    }
    return least;
}

int halo_start(inlay_halo *halo, halo_way *way, inlay_diag *diag)
{
    enum { UNMEASURED = 3 };
    if (halo->transport == INLAY_TRANSPORT_MEASURED && halo->exchanges++ == UNMEASURED) {
        double requests = measure(halo, way, INLAY_TRANSPORT_REQUESTS);
        double collective = measure(halo, way, INLAY_TRANSPORT_NEIGHBOURHOOD);
        halo->transport = collective < requests ? INLAY_TRANSPORT_NEIGHBOURHOOD : INLAY_TRANSPORT_REQUESTS;
    }
    return launch(halo, way,
                  halo->transport == INLAY_TRANSPORT_NEIGHBOURHOOD ? halo->transport : INLAY_TRANSPORT_REQUESTS, diag);
}

/* ---- The choice ---- */

int inlay_halo_set_transport(inlay_halo *halo, inlay_transport transport, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int wanted[2] = {(int)transport, -(int)transport}, least[2];
    MPI_Allreduce(wanted, least, 2, MPI_INT, MPI_MIN, halo->gather.comm);
    if (least[0] != -least[1]) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "ranks want different transports; expected the same of all");
    }
    if (least[0] < INLAY_TRANSPORT_MEASURED || least[0] > INLAY_TRANSPORT_NEIGHBOURHOOD) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "transport %d; expected 0 to %d", least[0],
                         (int)INLAY_TRANSPORT_NEIGHBOURHOOD);
    }
    halo->transport = transport;
    halo->exchanges = 0;
    return INLAY_OK;
}

inlay_transport inlay_halo_transport_of(const inlay_halo *halo)
{
    return halo->transport;
}

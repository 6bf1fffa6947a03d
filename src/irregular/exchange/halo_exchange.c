/*
 * Ghosts in each sweep: gather fetches them, scatter gives back what was accumulated in them.
 *
 * A begin packs the fields into the messages of a plan (halo_plan.c) and starts them, an end waits and takes them out.
 * Ghosts lie behind the own elements in the order of their owners, so that each message has them in a row; the owners pick
 * and put.
 */
#include "base/diag.h"
#include "irregular/exchange/entries.h"
#include "irregular/exchange/halo.h"
#include <string.h>

/* ---- Types with gaps ---- */

/* Which bytes of a value its type covers: those that change where ones are unpacked into zeros. */
static void find_mask(const halo_field *f, unsigned char *mask, MPI_Comm comm)
{
    unsigned char *ones = mask + f->extent;
    int size = 0, position = 0;
    MPI_Type_size(f->given.type, &size);
    memset(mask, 0, f->extent);
    memset(ones, 0xff, f->extent);
    MPI_Unpack(ones, size, &position, mask, 1, f->given.type, comm);
}

/* What is told of fields in a begin goes to the plan. */
static void describe(const halo_way *way, const inlay_field *given, int fields)
{
    halo_plan *plan = way->plan;
    unsigned char *mask = plan->masks;
    for (int i = 0; i < fields; i++) {
        halo_field *f = &plan->field[i];
        int size = 0;
        MPI_Type_size(given[i].type, &size);
        f->given = given[i];
        f->extent = f->bytes / (size_t)given[i].width;
        f->mask = NULL;
        if ((size_t)size < f->extent) {
            find_mask(f, mask, way->comm);
            f->mask = mask;
        }
        mask += 2 * f->bytes;
    }
}

/* Copies entries in a row, but not what lies between the data. */
static void replace(const halo_field *f, const unsigned char *from, unsigned char *to, int count)
{
    size_t bytes = (size_t)count * f->bytes;
    if (f->mask == NULL) {
        memcpy(to, from, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += f->extent) {
        for (size_t b = 0; b < f->extent; b++) {
            to[at + b] = f->mask[b] != 0 ? from[at + b] : to[at + b];
        }
    }
}

/* ---- Begin and end ---- */

static int check_values(const inlay_halo *halo, const inlay_field *field, int fields, inlay_diag *diag)
{
    for (int f = 0; f < fields; f++) {
        if (field[f].value == NULL && (halo->sends > 0 || halo->ghosts > 0)) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "field %d has no values", f);
        }
    }
    return INLAY_OK;
}

static bool is_of_mpi(MPI_Op op)
{
    const MPI_Op known[] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX,  MPI_LAND,   MPI_BAND,
                            MPI_LOR, MPI_BOR,  MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++) {
        found = op == known[i];
    }
    return found;
}

/* MPI would end the program. */
static int check_operation(MPI_Op op, const inlay_field *field, int fields, inlay_diag *diag)
{
    if (op == MPI_OP_NULL || op == MPI_NO_OP) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a scatter without an operation; expected MPI_SUM, for example");
    }
    for (int f = 0; f < fields && is_of_mpi(op); f++) {
        int integers, addresses, types, combiner;
        MPI_Type_get_envelope(field[f].type, &integers, &addresses, &types, &combiner);
        if (combiner != MPI_COMBINER_NAMED) {
            return diag_fail(
                diag, INLAY_BAD_ARGUMENT,
                "field %d is of a derived type, which MPI's own operations do not know; expected one made by "
                "MPI_Op_create(), or MPI_REPLACE",
                f);
        }
    }
    return INLAY_OK;
}

static int begin(inlay_halo *halo, halo_way *way, const inlay_field *field, int fields, MPI_Op op, inlay_diag *diag)
{
    if (way->under_way) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a %s of this halo is under way; expected its end first",
                         way == &halo->gather ? "gather" : "scatter");
    }
    int status = halo_check_sizes(field, fields, diag);
    bool known = status == INLAY_OK && halo_find_plan(way, field, fields);
    status = status == INLAY_OK ? check_values(halo, field, fields, diag) : status;
    status = status == INLAY_OK ? check_operation(op, field, fields, diag) : status;
    status = known ? status : halo_make_plan(halo, way, field, fields, status, diag);
    if (status == INLAY_OK) {
        describe(way, field, fields);
        way->op = op;
    }
    return status;
}

static int end(const inlay_halo *halo, halo_way *way, inlay_diag *diag)
{
    if (!way->under_way) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "no %s of this halo is under way; expected its begin first",
                         way == &halo->gather ? "gather" : "scatter");
    }
    return halo_finish(way, diag);
}

/* The ghosts that neighbour i owns, in field f. */
static unsigned char *ghosts_of(const inlay_halo *halo, const halo_field *f, int i)
{
    return (unsigned char *)f->given.value + (size_t)(halo->own + halo->before + halo->in.start[i]) * f->bytes;
}

/* ---- Gather ---- */

int inlay_halo_gather_begin(inlay_halo *halo, const inlay_field *field, int fields, inlay_diag *diag)
{
    DIAG_CALL(diag);
    halo_way *way = &halo->gather;
    int status = begin(halo, way, field, fields, MPI_REPLACE, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const halo_plan *plan = way->plan;
    for (int i = 0; i < halo->out.neighbours; i++) {
        for (int f = 0; f < fields; f++) {
            entries_copy(halo_segment(plan, &plan->send, &halo->out, i, f), NULL, plan->field[f].given.value,
                         halo->take + halo->out.start[i], halo->out.entries[i], plan->field[f].bytes);
        }
    }
    return halo_start(halo, way, diag);
}

int inlay_halo_gather_end(inlay_halo *halo, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = end(halo, &halo->gather, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const halo_plan *plan = halo->gather.plan;
    for (int i = 0; i < halo->in.neighbours; i++) {
        for (int f = 0; f < plan->fields; f++) {
            replace(&plan->field[f], halo_segment(plan, &plan->receive, &halo->in, i, f),
                    ghosts_of(halo, &plan->field[f], i), halo->in.entries[i]);
        }
    }
    return INLAY_OK;
}

/* ---- Scatter ---- */

int inlay_halo_scatter_begin(inlay_halo *halo, const inlay_field *field, int fields, MPI_Op op, inlay_diag *diag)
{
    DIAG_CALL(diag);
    halo_way *way = &halo->scatter;
    int status = begin(halo, way, field, fields, op, diag);
    if (status != INLAY_OK) {
        return status;
    }
    const halo_plan *plan = way->plan;
    for (int i = 0; i < halo->in.neighbours; i++) {
        for (int f = 0; f < fields; f++) {
            memcpy(halo_segment(plan, &plan->send, &halo->in, i, f), ghosts_of(halo, &plan->field[f], i),
                   (size_t)halo->in.entries[i] * plan->field[f].bytes);
        }
    }
    return halo_start(halo, way, diag);
}

/* to = from op to, of entries in a row. MPI counts in int. */
static int combine(const halo_field *f, MPI_Op op, const unsigned char *from, unsigned char *to, int count,
                   inlay_diag *diag)
{
    enum { MOST = 1 << 30 };
    int slice = f->given.width < MOST ? MOST / f->given.width : 1, code = MPI_SUCCESS;
    for (int k = 0; k < count && code == MPI_SUCCESS; k += slice) {
        int entries = count - k < slice ? count - k : slice;
        code = MPI_Reduce_local(from + (size_t)k * f->bytes, to + (size_t)k * f->bytes, entries * f->given.width,
                                f->given.type, op);
    }
    return collective_mpi(code, diag);
}

/* The own elements of which neighbour i has ghosts are brought into a row, and put back. */
static int take_in(const inlay_halo *halo, const halo_field *f, int i, const unsigned char *came, inlay_diag *diag)
{
    const int32_t *take = halo->take + halo->out.start[i];
    int count = halo->out.entries[i], status = INLAY_OK;
    unsigned char *spare = halo->scatter.plan->spare;
    entries_copy(spare, NULL, f->given.value, take, count, f->bytes);
    if (halo->scatter.op == MPI_REPLACE) {
        replace(f, came, spare, count);
    } else {
        status = combine(f, halo->scatter.op, came, spare, count, diag);
    }
    entries_copy(f->given.value, take, spare, NULL, count, f->bytes);
    return status;
}

int inlay_halo_scatter_end(inlay_halo *halo, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = end(halo, &halo->scatter, diag);
    const halo_plan *plan = halo->scatter.plan;
    for (int i = 0; i < halo->out.neighbours && status == INLAY_OK; i++) {
        for (int f = 0; f < plan->fields && status == INLAY_OK; f++) {
            status = take_in(halo, &plan->field[f], i, halo_segment(plan, &plan->receive, &halo->out, i, f), diag);
        }
    }
    return status;
}

/* ---- Both at once, for doubles ---- */

int inlay_halo_gather(inlay_halo *halo, double *value, int width, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = inlay_halo_gather_begin(halo, &(inlay_field){value, MPI_DOUBLE, width}, 1, diag);
    return status == INLAY_OK ? inlay_halo_gather_end(halo, diag) : status;
}

int inlay_halo_scatter_add(inlay_halo *halo, double *value, int width, inlay_diag *diag)
{
    DIAG_CALL(diag);
    int status = inlay_halo_scatter_begin(halo, &(inlay_field){value, MPI_DOUBLE, width}, 1, MPI_SUM, diag);
    status = status == INLAY_OK ? inlay_halo_scatter_end(halo, diag) : status;
    if (status == INLAY_OK && halo->ghosts > 0) {
        memset(value + (size_t)(halo->own + halo->before) * (size_t)width, 0,
               (size_t)halo->ghosts * (size_t)width * sizeof *value);
    }
    return status;
}

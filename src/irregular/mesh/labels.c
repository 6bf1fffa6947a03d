/*
 * Vertices that have labels in place of numbers: a directory, in which label l stands on rank l mod P, sorted, with the
 * number of its vertex.
 */
#include "irregular/mesh/rows.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdlib.h>

typedef struct entry {
    int64_t label, number;
} entry;

static int by_label(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->label != y->label) {
        return x->label < y->label ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

/* ---- Questions and answers by label ---- */

/* What is sent to the ranks of labels: entry i of the caller lies at place[i]. */
typedef struct trip {
    exchange *x;
    int32_t *place;
} trip;

static void trip_clear(trip *t)
{
    exchange_free(t->x);
    free(t->place);
}

static int plan_trip(MPI_Comm comm, const int64_t *label, int64_t count, trip *t, inlay_diag *diag)
{
    int ranks = collective_ranks(comm);
    int32_t *owner = memory_array((size_t)count, sizeof *owner);
    t->place = memory_array((size_t)count, sizeof *t->place);
    int status = owner == NULL || t->place == NULL ? diag_no_memory(diag) : INLAY_OK;
    status = collective_agree(comm, status, diag);
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        owner[i] = (int32_t)(label[i] % ranks);
    }
    status = status == INLAY_OK ? exchange_of_owners(comm, owner, count, &t->x, diag) : status;
    if (status == INLAY_OK) {
        status = collective_agree(comm, exchange_places(t->x, owner, count, t->place, diag), diag);
    }
    free(owner);
    return status;
}

/* ---- The directory ---- */

typedef struct directory {
    entry *entries; /* sorted by label */
    int64_t count;
} directory;

static int directory_make(MPI_Comm comm, const int64_t *label, int64_t count, int64_t first, directory *made,
                          inlay_diag *diag)
{
    trip t = {0};
    entry *send = NULL;
    int status = plan_trip(comm, label, count, &t, diag);
    if (status == INLAY_OK) {
        send = memory_array((size_t)count, sizeof *send);
        made->entries = memory_array((size_t)t.x->receives, sizeof *made->entries);
        status = send == NULL || made->entries == NULL ? diag_no_memory(diag) : INLAY_OK;
        status = collective_agree(comm, status, diag);
    }
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        send[t.place[i]] = (entry){label[i], first + i};
    }
    if (status == INLAY_OK) {
        status = exchange_run(t.x, send, made->entries, sizeof *send, diag);
        made->count = t.x->receives;
        qsort(made->entries, (size_t)made->count, sizeof *made->entries, by_label);
    }
    free(send);
    trip_clear(&t);
    return status;
}

static int64_t directory_find(const directory *d, int64_t label)
{
    entry key = {label, 0};
    int64_t from = 0, to = d->count;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (by_label(&d->entries[middle], &key) < 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < d->count && d->entries[from].label == label ? d->entries[from].number : -1;
}

/* The number of the second vertex with the label of another; INT64_MAX where there is none. */
static int64_t second_of_two(const directory *d)
{
    int64_t second = INT64_MAX;
    for (int64_t i = 1; i < d->count; i++) {
        if (d->entries[i].label == d->entries[i - 1].label && d->entries[i].number < second) {
            second = d->entries[i].number;
        }
    }
    return second;
}

static int answer(const exchange *x, const directory *d, const int64_t *asked, int64_t *answers, inlay_diag *diag)
{
    int64_t *found = memory_array((size_t)x->receives, sizeof *found);
    int status = collective_agree(x->comm, found == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    for (int64_t i = 0; i < x->receives && status == INLAY_OK; i++) {
        found[i] = directory_find(d, asked[i]);
    }
    status = status == INLAY_OK ? exchange_back(x, found, answers, sizeof *found, diag) : status;
    free(found);
    return status;
}

/* number[i] becomes that of label[i], -1 where no vertex has it. The arrays may be the same. */
static int look_up(MPI_Comm comm, const directory *d, const int64_t *label, int64_t count, int64_t *number,
                   inlay_diag *diag)
{
    trip t = {0};
    int64_t *asked = NULL, *send = NULL;
    int status = plan_trip(comm, label, count, &t, diag);
    if (status == INLAY_OK) {
        send = memory_array((size_t)count, sizeof *send);
        asked = memory_array((size_t)t.x->receives, sizeof *asked);
        status = send == NULL || asked == NULL ? diag_no_memory(diag) : INLAY_OK;
        status = collective_agree(comm, status, diag);
    }
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        send[t.place[i]] = label[i];
    }
    status = status == INLAY_OK ? exchange_run(t.x, send, asked, sizeof *asked, diag) : status;
    if (status == INLAY_OK) {
        status = answer(t.x, d, asked, send, diag); /* what was asked is no longer needed */
    }
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        number[i] = send[t.place[i]];
    }
    free(asked);
    free(send);
    trip_clear(&t);
    return status;
}

int mesh_labels_find(MPI_Comm comm, const int64_t *label, int64_t count, int64_t first, const int64_t *sought,
                     int64_t questions, int64_t *number, inlay_diag *diag)
{
    directory d = {0};
    int status = directory_make(comm, label, count, first, &d, diag);
    status = status == INLAY_OK ? look_up(comm, &d, sought, questions, number, diag) : status;
    free(d.entries);
    return status;
}

/* ---- Rows of a file ---- */

static int refuse_second(const mesh_text *text, const mesh_rows *rows, int64_t second, inlay_diag *diag)
{
    if (second < rows->first || second >= rows->first + rows->count) {
        return INLAY_OK;
    }
    int64_t row = second - rows->first;
    return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)mesh_text_line_of(text, row),
                        "label %lld stands for two vertices; expected a label of its own for each",
                        (long long)rows->label[row]);
}

/* The first label in column[] that is no vertex's. `number` has the answers. */
static int refuse_unknown(const mesh_text *text, const mesh_rows *rows, const int64_t *number, inlay_diag *diag)
{
    for (int64_t row = 0; row < rows->count; row++) {
        for (int64_t k = rows->start[row]; k < rows->start[row + 1]; k++) {
            if (number[k] < 0) {
                return diag_fail_at(diag, INLAY_BAD_INPUT, text->path, (long)mesh_text_line_of(text, row),
                                    "there is no vertex with the label %lld; expected the label of a neighbour",
                                    (long long)rows->column[k]);
            }
        }
    }
    return INLAY_OK;
}

/* Numbers rise in another order than labels. */
static int renumber(const mesh_text *text, mesh_rows *rows, int64_t *number, inlay_diag *diag)
{
    int status = refuse_unknown(text, rows, number, diag);
    if (status != INLAY_OK) {
        return status;
    }
    free(rows->column);
    rows->column = number;
    for (int64_t row = 0; row < rows->count; row++) {
        mesh_rows_sort(rows, row);
    }
    return INLAY_OK;
}

int mesh_labels_resolve(const mesh_text *text, mesh_rows *rows, inlay_diag *diag)
{
    int64_t arcs = rows->start[rows->count];
    directory d = {0};
    int64_t *number = memory_array((size_t)arcs, sizeof *number);
    int status = collective_agree(text->comm, number == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    status = status == INLAY_OK ? directory_make(text->comm, rows->label, rows->count, rows->first, &d, diag) : status;
    if (status == INLAY_OK) {
        int64_t second = collective_least(text->comm, second_of_two(&d));
        status = collective_agree(text->comm, refuse_second(text, rows, second, diag), diag);
    }
    status = status == INLAY_OK ? look_up(text->comm, &d, rows->column, arcs, number, diag) : status;
    status = status == INLAY_OK ? collective_agree(text->comm, renumber(text, rows, number, diag), diag) : status;
    if (rows->column != number) {
        free(number);
    }
    free(d.entries);
    return status;
}

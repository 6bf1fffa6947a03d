/* Making translation tables: from lists of what each rank owns, and from what a partitioner returned. */
#include "irregular/exchange/table.h"
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/exchange/collective.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- The block distribution ---- */

/* floor(rank n / ranks), without the product, which may not fit. */
int64_t inlay_block_first(int64_t n, int ranks, int rank)
{
    return n / ranks * rank + n % ranks * rank / ranks;
}

int inlay_block_owner(int64_t n, int ranks, int64_t g)
{
    int low = 0, high = ranks - 1; /* the last rank whose block begins at g or before, and is not empty */
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (inlay_block_first(n, ranks, middle) <= g) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* ---- Tables ---- */

void inlay_table_free(inlay_table *table)
{
    if (table == NULL) {
        return;
    }
    free(table->global);
    free(table->owner);
    free(table->offset);
    free(table->first);
    free(table);
}

MPI_Comm inlay_table_comm(const inlay_table *table)
{
    return table->comm;
}

int64_t inlay_table_elements(const inlay_table *table)
{
    return table->n;
}

int32_t inlay_table_local(const inlay_table *table)
{
    return table->local;
}

void inlay_table_globals(const inlay_table *table, int64_t *globals)
{
    for (int32_t i = 0; i < table->local; i++) {
        globals[i] = table->global == NULL ? table->first[table->rank] + i : table->global[i];
    }
}

static int check_size(MPI_Comm comm, int64_t n, inlay_diag *diag)
{
    if (n < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%lld elements; expected 0 or more", (long long)n);
    }
    if (n / collective_ranks(comm) >= INT32_MAX) {
        return diag_fail(diag, INLAY_OVERFLOW,
                         "%lld elements on %d ranks; expected fewer than 2^31 a rank: use more ranks", (long long)n,
                         collective_ranks(comm));
    }
    return INLAY_OK;
}

/* A block distribution; with room for the entries of a page where there will be some. */
static inlay_table *new_table(MPI_Comm comm, int64_t n, bool entries)
{
    inlay_table *table = memory_zeroed(1, sizeof *table);
    if (table == NULL) {
        return NULL;
    }
    table->comm = comm;
    table->ranks = collective_ranks(comm);
    table->rank = collective_rank(comm);
    table->n = n;
    table->pages_a_unit = n == 0 ? 0 : (double)table->ranks / (double)n;
    table->first = memory_array((size_t)table->ranks + 1, sizeof *table->first);
    bool complete = table->first != NULL;
    for (int r = 0; complete && r <= table->ranks; r++) {
        table->first[r] = inlay_block_first(n, table->ranks, r);
    }
    if (complete && entries) {
        table->owner = memory_array((size_t)table_page_size(table), sizeof *table->owner);
        table->offset = memory_array((size_t)table_page_size(table), sizeof *table->offset);
        complete = table->owner != NULL && table->offset != NULL;
    }
    if (!complete) {
        inlay_table_free(table);
        return NULL;
    }
    table->local = table_page_size(table);
    return table;
}

/* Checks n, which all ranks must give alike, and makes a table of it. Agreed upon. */
static int begin(MPI_Comm comm, int64_t n, bool entries, inlay_table **made, inlay_diag *diag)
{
    int64_t span[2] = {n, -n}, most[2];
    MPI_Allreduce(span, most, 2, MPI_INT64_T, MPI_MAX, comm);
    int status = check_size(comm, n, diag);
    if (status == INLAY_OK && most[0] != -most[1]) {
        status = diag_fail(diag, INLAY_BAD_ARGUMENT, "ranks speak of %lld to %lld elements; expected the same of all",
                           (long long)-most[1], (long long)most[0]);
    }
    inlay_table *table = NULL;
    if (status == INLAY_OK && (table = new_table(comm, n, entries)) == NULL) {
        status = diag_no_memory(diag);
    }
    status = collective_agree(comm, status, diag);
    if (status != INLAY_OK) {
        inlay_table_free(table);
        return status;
    }
    *made = table;
    return INLAY_OK;
}

int inlay_table_block(MPI_Comm comm, int64_t n, inlay_table **table, inlay_diag *diag)
{
    DIAG_CALL(diag);
    return begin(comm, n, false, table, diag);
}

/* ---- From lists ---- */

/* An entry on its way to its page: the element's place in the page, and what is to be written there. */
static uint64_t entry_of(int64_t place, int32_t value)
{
    return (uint64_t)place << 32 | (uint32_t)value;
}

static int32_t entry_place(uint64_t entry)
{
    return (int32_t)(entry >> 32);
}

static int32_t entry_value(uint64_t entry)
{
    return (int32_t)(uint32_t)entry;
}

/* What goes to pages: of element g[i] the value[i], or i where `value` is NULL. */
typedef struct page_mail {
    int64_t *count; /* [ranks] entries to each page; then where the next one goes */
    uint64_t *out, *in;
    exchange *x;
} page_mail;

static void mail_free(page_mail *mail)
{
    free(mail->count);
    free(mail->out);
    free(mail->in);
    exchange_free(mail->x);
}

static int mail_count(const inlay_table *table, const int64_t *g, int32_t count, page_mail *mail, inlay_diag *diag)
{
    mail->count = memory_zeroed((size_t)table->ranks, sizeof *mail->count);
    mail->out = memory_array((size_t)(count < 0 ? 0 : count), sizeof *mail->out);
    if (mail->count == NULL || mail->out == NULL) {
        return diag_no_memory(diag);
    }
    if (count < 0) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "%d elements are owned; expected 0 or more", (int)count);
    }
    for (int32_t i = 0; i < count; i++) {
        if (g[i] < 0 || g[i] >= table->n) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "element %lld is owned; expected 0 to %lld", (long long)g[i],
                             (long long)table->n - 1);
        }
        mail->count[table_page(table, g[i])]++;
    }
    return INLAY_OK;
}

/* Brings entries to their pages: mail->in, in the order of the ranks that they come from. Agreed upon. */
static int mail_send(const inlay_table *table, const int64_t *g, const int32_t *value, int32_t count, page_mail *mail,
                     inlay_diag *diag)
{
    int status = collective_agree(table->comm, mail_count(table, g, count, mail, diag), diag);
    status = status == INLAY_OK ? exchange_make(table->comm, mail->count, &mail->x, diag) : status;
    if (status != INLAY_OK) {
        return status;
    }
    memcpy(mail->count, mail->x->to, (size_t)table->ranks * sizeof *mail->count);
    for (int32_t i = 0; i < count; i++) {
        int page = table_page(table, g[i]);
        mail->out[mail->count[page]++] = entry_of(g[i] - table->first[page], value == NULL ? i : value[i]);
    }
    mail->in = memory_array((size_t)mail->x->receives, sizeof *mail->in);
    status = collective_agree(table->comm, mail->in == NULL ? diag_no_memory(diag) : INLAY_OK, diag);
    return status != INLAY_OK ? status : exchange_run(mail->x, mail->out, mail->in, sizeof *mail->out, diag);
}

/* Writes the page from what came, and sees that each element is owned once. */
static int write_page(inlay_table *table, const page_mail *mail, inlay_diag *diag)
{
    int64_t first = table->first[table->rank];
    int32_t page = table_page_size(table);
    memset(table->owner, -1, (size_t)page * sizeof *table->owner);
    for (int r = 0; r < table->ranks; r++) {
        for (int64_t i = mail->x->from[r]; i < mail->x->from[r + 1]; i++) {
            int32_t place = entry_place(mail->in[i]);
            if (table->owner[place] >= 0) {
                return diag_fail(diag, INLAY_BAD_ARGUMENT,
                                 "element %lld is owned by rank %d and again by rank %d; expected one owner each",
                                 (long long)first + place, (int)table->owner[place], r);
            }
            table->owner[place] = r;
            table->offset[place] = entry_value(mail->in[i]);
        }
    }
    for (int32_t i = 0; i < page; i++) {
        if (table->owner[i] < 0) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "element %lld is owned by no rank; expected one owner each",
                             (long long)first + i);
        }
    }
    return INLAY_OK;
}

static int fill_owned(inlay_table *table, const int64_t *owned, int32_t count, inlay_diag *diag)
{
    page_mail mail = {0};
    int status = mail_send(table, owned, NULL, count, &mail, diag);
    if (status == INLAY_OK) {
        status = write_page(table, &mail, diag);
        table->local = count;
        table->global = memory_array((size_t)count, sizeof *owned);
        if (status == INLAY_OK && table->global == NULL) {
            status = diag_no_memory(diag);
        }
        for (int32_t i = 0; status == INLAY_OK && i < count; i++) {
            table->global[i] = owned[i];
        }
        status = collective_agree(table->comm, status, diag);
    }
    mail_free(&mail);
    return status;
}

int inlay_table_owned(MPI_Comm comm, int64_t n, const int64_t *owned, int32_t count, inlay_table **table,
                      inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_table *made;
    int status = begin(comm, n, true, &made, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = fill_owned(made, owned, count, diag);
    if (status != INLAY_OK) {
        inlay_table_free(made);
        return status;
    }
    *table = made;
    return INLAY_OK;
}

/* ---- From parts ---- */

static int check_parts(const inlay_table *from, const int32_t *part, inlay_diag *diag)
{
    for (int32_t i = 0; i < from->local; i++) {
        if (part[i] < 0 || part[i] >= from->ranks) {
            int64_t g = from->global == NULL ? from->first[from->rank] + i : from->global[i];
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "element %lld is in part %d; expected a rank, 0 to %d",
                             (long long)g, (int)part[i], from->ranks - 1);
        }
    }
    return INLAY_OK;
}

/* Writes the owners of the page, each element's as its rank in `from` wants it. Agreed upon. */
static int write_owners(inlay_table *table, const inlay_table *from, const int32_t *part, inlay_diag *diag)
{
    if (from->global == NULL) { /* the page is what this rank has */
        for (int32_t i = 0; i < from->local; i++) {
            table->owner[i] = part[i];
        }
        return INLAY_OK;
    }
    page_mail mail = {0};
    int status = mail_send(table, from->global, part, from->local, &mail, diag);
    for (int64_t i = 0; status == INLAY_OK && i < mail.x->receives; i++) {
        table->owner[entry_place(mail.in[i])] = entry_value(mail.in[i]);
    }
    mail_free(&mail);
    return status;
}

/* Numbers the page's elements at their owners: offset = elements of the same owner in lower pages, and before in this
 * one. count[r] becomes how many of the page rank r owns. */
static int write_offsets(inlay_table *table, int64_t *count, int64_t *before, inlay_diag *diag)
{
    int32_t page = table_page_size(table);
    memset(count, 0, (size_t)table->ranks * sizeof *count);
    memset(before, 0, (size_t)table->ranks * sizeof *before);
    for (int32_t i = 0; i < page; i++) {
        count[table->owner[i]]++;
    }
    MPI_Exscan(count, before, table->ranks, MPI_INT64_T, MPI_SUM, table->comm);
    if (table->rank == 0) {
        memset(before, 0, (size_t)table->ranks * sizeof *before);
    }
    for (int r = 0; r < table->ranks; r++) {
        if (before[r] + count[r] > INT32_MAX) {
            return diag_fail(diag, INLAY_OVERFLOW, "rank %d would own 2^31 elements or more; expected fewer", r);
        }
    }
    for (int32_t i = 0; i < page; i++) {
        table->offset[i] = (int32_t)before[table->owner[i]]++;
    }
    return INLAY_OK;
}

/* The pages tell each rank what it owns. Pages ascend with their ranks, so that the elements come in their order. */
static int write_globals(inlay_table *table, int64_t *count, inlay_diag *diag)
{
    exchange *x = NULL;
    int32_t page = table_page_size(table);
    int64_t *out = NULL;
    int status = exchange_make(table->comm, count, &x, diag);
    if (status == INLAY_OK) {
        out = memory_array((size_t)page, sizeof *out);
        table->global = memory_array((size_t)x->receives, sizeof *table->global);
        status = out == NULL || table->global == NULL ? diag_no_memory(diag) : INLAY_OK;
        status = collective_agree(table->comm, status, diag);
    }
    if (status == INLAY_OK) {
        memcpy(count, x->to, (size_t)table->ranks * sizeof *count);
        for (int32_t i = 0; i < page; i++) {
            out[count[table->owner[i]]++] = table->first[table->rank] + i;
        }
        table->local = (int32_t)x->receives;
        status = exchange_run(x, out, table->global, sizeof *out, diag);
    }
    free(out);
    exchange_free(x);
    return status;
}

static int fill_parts(inlay_table *table, const inlay_table *from, const int32_t *part, inlay_diag *diag)
{
    int64_t *count = memory_array(2 * (size_t)table->ranks, sizeof *count); /* [ranks] twice */
    int status = count == NULL ? diag_no_memory(diag) : check_parts(from, part, diag);
    status = collective_agree(table->comm, status, diag);
    status = status == INLAY_OK ? write_owners(table, from, part, diag) : status;
    if (status == INLAY_OK) {
        status = write_offsets(table, count, count + table->ranks, diag);
        status = collective_agree(table->comm, status, diag);
    }
    status = status == INLAY_OK ? write_globals(table, count, diag) : status;
    free(count);
    return status;
}

int inlay_table_of_parts(const inlay_table *from, const int32_t *part, inlay_table **table, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_table *made;
    int status = begin(from->comm, from->n, true, &made, diag);
    if (status != INLAY_OK) {
        return status;
    }
    status = fill_parts(made, from, part, diag);
    if (status != INLAY_OK) {
        inlay_table_free(made);
        return status;
    }
    *table = made;
    return INLAY_OK;
}

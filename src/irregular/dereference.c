/* Dereferencing: whose is an element, and where there? Each element is asked for once, at the rank with its page. */
#include "irregular/table.h"
#include "irregular/collective.h"
#include "irregular/radix.h"
#include "base/diag.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

static int check_range(const inlay_table *table, const int64_t *g, int64_t count, inlay_diag *diag)
{
    for (int64_t i = 0; i < count; i++) {
        if (g[i] < 0 || g[i] >= table->n) {
            return diag_fail(diag, INLAY_BAD_ARGUMENT, "element %lld is referred to; expected 0 to %lld",
                             (long long)g[i], (long long)table->n - 1);
        }
    }
    return INLAY_OK;
}

static void by_blocks(const inlay_table *table, const int64_t *g, int64_t count, int32_t *owner, int32_t *offset)
{
    for (int64_t i = 0; i < count; i++) {
        int page = table_page(table, g[i]);
        owner[i] = page;
        if (offset != NULL) {
            offset[i] = (int32_t)(g[i] - table->first[page]);
        }
    }
}

/* References in ascending order, and the questions that they become: one for each different element. */
typedef struct questions {
    uint64_t *reference; /* [references] element << shift | its place in g[] */
    int shift;
    int64_t *count;   /* [ranks] questions to each page */
    int32_t *asked;   /* [x->sends] places in the pages of others */
    int32_t *in;      /* [x->receives] places in the page of this rank */
    uint64_t *out;    /* [x->receives] their entries: owner << 32 | offset */
    uint64_t *answer; /* [x->sends] */
    exchange *x;
} questions;

static void questions_free(questions *q)
{
    free(q->reference);
    free(q->count);
    free(q->asked);
    free(q->in);
    free(q->out);
    free(q->answer);
    exchange_free(q->x);
}

static int sort_references(const inlay_table *table, const int64_t *g, int64_t count, questions *q, inlay_diag *diag)
{
    q->shift = radix_bits((uint64_t)count);
    int bits = radix_bits((uint64_t)table->n);
    if (q->shift + bits > 64) {
        diag_fail(diag, INLAY_OVERFLOW, "%lld references to %lld elements; expected a product below 2^64",
                  (long long)count, (long long)table->n);
        return INLAY_OVERFLOW;
    }
    uint64_t *reference = memory_array((size_t)count, sizeof *reference);
    uint64_t *spare = memory_array((size_t)count, sizeof *spare);
    if (reference == NULL || spare == NULL) {
        free(reference);
        free(spare);
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < count; i++) {
        reference[i] = (uint64_t)g[i] << q->shift | (uint64_t)i;
    }
    q->reference = radix_sort(reference, spare, count, 1, 0, q->shift, q->shift + bits);
    free(q->reference == reference ? spare : reference);
    return INLAY_OK;
}

/* Counts the different elements on each page. */
static int count_questions(const inlay_table *table, int64_t count, questions *q, inlay_diag *diag)
{
    q->count = memory_zeroed((size_t)table->ranks, sizeof *q->count);
    if (q->count == NULL) {
        return diag_no_memory(diag);
    }
    uint64_t last = UINT64_MAX;
    for (int64_t i = 0; i < count; i++) {
        uint64_t g = q->reference[i] >> q->shift;
        if (g != last) {
            q->count[table_page(table, (int64_t)g)]++;
        }
        last = g;
    }
    return INLAY_OK;
}

/* Questions ascend, and so do their pages: they lie as they are to be sent. */
static int write_questions(const inlay_table *table, int64_t count, questions *q, inlay_diag *diag)
{
    q->asked = memory_array((size_t)q->x->sends, sizeof *q->asked);
    q->answer = memory_array((size_t)q->x->sends, sizeof *q->answer);
    q->in = memory_array((size_t)q->x->receives, sizeof *q->in);
    q->out = memory_array((size_t)q->x->receives, sizeof *q->out);
    if (q->asked == NULL || q->answer == NULL || q->in == NULL || q->out == NULL) {
        return diag_no_memory(diag);
    }
    uint64_t last = UINT64_MAX;
    int64_t next = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t g = q->reference[i] >> q->shift;
        if (g != last) {
            q->asked[next++] = (int32_t)((int64_t)g - table->first[table_page(table, (int64_t)g)]);
        }
        last = g;
    }
    return INLAY_OK;
}

static int ask(const inlay_table *table, questions *q, inlay_diag *diag)
{
    int status = exchange_run(q->x, q->asked, q->in, sizeof *q->asked, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (int64_t i = 0; i < q->x->receives; i++) {
        q->out[i] = (uint64_t)table->owner[q->in[i]] << 32 | (uint32_t)table->offset[q->in[i]];
    }
    return exchange_back(q->x, q->out, q->answer, sizeof *q->out, diag);
}

/* Gives each reference the answer for its element. */
static void spread(const questions *q, int64_t count, int32_t *owner, int32_t *offset)
{
    uint64_t last = UINT64_MAX, place = ((uint64_t)1 << q->shift) - 1;
    int64_t next = -1;
    for (int64_t i = 0; i < count; i++) {
        uint64_t g = q->reference[i] >> q->shift;
        next += g != last;
        last = g;
        owner[q->reference[i] & place] = (int32_t)(q->answer[next] >> 32);
        if (offset != NULL) {
            offset[q->reference[i] & place] = (int32_t)(uint32_t)q->answer[next];
        }
    }
}

static int by_pages(const inlay_table *table, const int64_t *g, int64_t count, int32_t *owner, int32_t *offset,
                    inlay_diag *diag)
{
    questions q = {0};
    int status = sort_references(table, g, count, &q, diag);
    if (status == INLAY_OK) {
        status = count_questions(table, count, &q, diag);
    }
    status = collective_agree(table->comm, status, diag);
    if (status == INLAY_OK) {
        status = exchange_make(table->comm, q.count, &q.x, diag);
    }
    if (status == INLAY_OK) {
        status = collective_agree(table->comm, write_questions(table, count, &q, diag), diag);
    }
    if (status == INLAY_OK) {
        status = ask(table, &q, diag);
    }
    if (status == INLAY_OK) {
        spread(&q, count, owner, offset);
    }
    questions_free(&q);
    return status;
}

int inlay_table_dereference(const inlay_table *table, const int64_t *g, int64_t count, int32_t *owner, int32_t *offset,
                            inlay_diag *diag)
{
    int status = collective_agree(table->comm, check_range(table, g, count, diag), diag);
    if (status != INLAY_OK) {
        return status;
    }
    if (table->owner == NULL) {
        by_blocks(table, g, count, owner, offset);
        return INLAY_OK;
    }
    return by_pages(table, g, count, owner, offset, diag);
}

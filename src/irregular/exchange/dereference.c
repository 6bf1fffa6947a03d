/* Dereferencing: whose is an element, and where there? Each element is asked for once, at the rank with its page. */
#include "base/diag.h"
#include "base/memory.h"
#include "irregular/distinct.h"
#include "irregular/exchange/collective.h"
#include "irregular/exchange/table.h"
#include <stdlib.h>

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

/* What is asked of each page, and what it answers. */
typedef struct questions {
    distinct element; /* in ascending order, and so page after page */
    int64_t *count;   /* [ranks] elements of each page */
    exchange *x;
    int32_t *asked;   /* [x->sends] places in the pages of others */
    int32_t *in;      /* [x->receives] places in the page of this rank */
    uint64_t *out;    /* [x->receives] their entries: owner << 32 | offset */
    uint64_t *answer; /* [x->sends] */
} questions;

static void questions_free(questions *q)
{
    distinct_clear(&q->element);
    free(q->count);
    exchange_free(q->x);
    free(q->asked);
    free(q->in);
    free(q->out);
    free(q->answer);
}

static int collect(const inlay_table *table, const int64_t *g, int64_t count, questions *q, inlay_diag *diag)
{
    if (count > INT32_MAX) {
        diag_fail(diag, INLAY_OVERFLOW, "%lld references; expected fewer than 2^31: use more ranks", (long long)count);
        return INLAY_OVERFLOW;
    }
    int status = distinct_make(g, count, &q->element, diag);
    if (status != INLAY_OK) {
        return status;
    }
    q->count = memory_zeroed((size_t)table->ranks, sizeof *q->count);
    if (q->count == NULL) {
        return diag_no_memory(diag);
    }
    for (int64_t i = 0; i < q->element.count; i++) {
        q->count[table_page(table, q->element.value[i])]++;
    }
    return INLAY_OK;
}

static int make_room(questions *q, inlay_diag *diag)
{
    q->asked = memory_array((size_t)q->x->sends, sizeof *q->asked);
    q->answer = memory_array((size_t)q->x->sends, sizeof *q->answer);
    q->in = memory_array((size_t)q->x->receives, sizeof *q->in);
    q->out = memory_array((size_t)q->x->receives, sizeof *q->out);
    if (q->asked == NULL || q->answer == NULL || q->in == NULL || q->out == NULL) {
        return diag_no_memory(diag);
    }
    return INLAY_OK;
}

static int ask(const inlay_table *table, questions *q, inlay_diag *diag)
{
    for (int page = 0; page < table->ranks; page++) {
        for (int64_t i = q->x->to[page]; i < q->x->to[page + 1]; i++) {
            q->asked[i] = (int32_t)(q->element.value[i] - table->first[page]);
        }
    }
    int status = exchange_run(q->x, q->asked, q->in, sizeof *q->asked, diag);
    if (status != INLAY_OK) {
        return status;
    }
    for (int64_t i = 0; i < q->x->receives; i++) {
        q->out[i] = (uint64_t)table->owner[q->in[i]] << 32 | (uint32_t)table->offset[q->in[i]];
    }
    return exchange_back(q->x, q->out, q->answer, sizeof *q->out, diag);
}

static void spread(const questions *q, const int64_t *g, int64_t count, int32_t *owner, int32_t *offset)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t answer = q->answer[distinct_place(&q->element, g[i])];
        owner[i] = (int32_t)(answer >> 32);
        if (offset != NULL) {
            offset[i] = (int32_t)(uint32_t)answer;
        }
    }
}

static int by_pages(const inlay_table *table, const int64_t *g, int64_t count, int32_t *owner, int32_t *offset,
                    inlay_diag *diag)
{
    questions q = {0};
    int status = collective_agree(table->comm, collect(table, g, count, &q, diag), diag);
    status = status == INLAY_OK ? exchange_make(table->comm, q.count, &q.x, diag) : status;
    status = status == INLAY_OK ? collective_agree(table->comm, make_room(&q, diag), diag) : status;
    status = status == INLAY_OK ? ask(table, &q, diag) : status;
    if (status == INLAY_OK) {
        spread(&q, g, count, owner, offset);
    }
    questions_free(&q);
    return status;
}

int inlay_table_dereference(const inlay_table *table, const int64_t *g, int64_t count, int32_t *owner, int32_t *offset,
                            inlay_diag *diag)
{
    DIAG_CALL(diag);
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

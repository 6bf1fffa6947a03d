/* Sends and receives, paired. */
#include "capture/mpi_messages.h"
#include "base/diag.h"
#include <stdlib.h>

int message_add(message_ends *list, message_end end, inlay_diag *diag)
{
    if (!memory_grow((void **)&list->end, &list->capacity, list->count + 1, sizeof *list->end)) {
        return diag_no_memory(diag);
    }
    list->end[list->count++] = end;
    return INLAY_OK;
}

/* What has to be the same. */
static int compare(const message_end *x, const message_end *y)
{
    int order = (x->from > y->from) - (x->from < y->from);
    order = order != 0 ? order : (x->to > y->to) - (x->to < y->to);
    order = order != 0 ? order : (x->communicator > y->communicator) - (x->communicator < y->communicator);
    return order != 0 ? order : (x->tag > y->tag) - (x->tag < y->tag);
}

static int by_channel(const void *a, const void *b)
{
    const message_end *x = a, *y = b;
    int order = compare(x, y);
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

/* A message goes from the stretch `from` to that of its receive. */
typedef struct message {
    inlay_id from, to;
    int64_t order, bytes;
} message;

static int by_sender(const void *a, const void *b)
{
    const message *x = a, *y = b;
    int order = (x->from > y->from) - (x->from < y->from);
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

static void sort(void *array, size_t count, size_t size, int (*by)(const void *, const void *))
{
    if (count > 0) {
        qsort(array, count, size, by);
    }
}

int messages_match(message_ends *sends, message_ends *receives, trace *to, int64_t *unmatched, inlay_diag *diag)
{
    message *found = memory_array(sends->count, sizeof *found);
    size_t count = 0;
    if (found == NULL) {
        return diag_no_memory(diag);
    }
    sort(sends->end, sends->count, sizeof *sends->end, by_channel);
    sort(receives->end, receives->count, sizeof *receives->end, by_channel);
    for (size_t i = 0, k = 0; i < sends->count && k < receives->count;) {
        const message_end *send = &sends->end[i], *receive = &receives->end[k];
        int order = compare(send, receive);
        if (order == 0) {
            found[count++] = (message){send->stretch, receive->stretch, send->order, send->bytes};
        }
        i += order <= 0;
        k += order >= 0;
    }
    *unmatched = (int64_t)(sends->count + receives->count - 2 * count);
    sort(found, count, sizeof *found, by_sender);
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < count; i++) {
        if (found[i].from != found[i].to) { /* a rank may send to itself */
            status = trace_link_add(
                to, (trace_link){.from = found[i].from, .to = found[i].to, .bytes = found[i].bytes, .datum = -1}, diag);
        }
    }
    free(found);
    return status;
}

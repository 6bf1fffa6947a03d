/* Scotch's target architectures that are no family: hosts of unlike speed, and distances given one by one. */
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/machine.h"
#include "io/formats.h"
#include "io/machine_formats.h"
#include "io/tgt/tgt.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Processors of which distances are read, all pairs of them. */
enum { MOST_PROCESSORS = 512 };

/* The machine whose nodes and edges `write` appends. */
static int make(const tgt_reader *r, int (*write)(const void *of, text_buffer *to, inlay_diag *diag), const void *of,
                inlay_machine **machine)
{
    char *name = format_graph_name(r->source);
    const explicit_parts parts = {name, r->source, r->attributes, r->count, false};
    int status = name == NULL ? diag_no_memory(r->diag) : explicit_machine(&parts, write, of, machine, r->diag);
    free(name);
    return status;
}

/* ---- cmpltw: one switch ---- */

int tgt_read_weighted(tgt_reader *r, inlay_machine **machine)
{
    int64_t count = 0, speed = 0;
    size_t room = 0;
    star_host *host = NULL;
    int status = tgt_number(r, "the number of processors", 1, INT32_MAX, &count);
    for (int64_t i = 0; i < count && status == INLAY_OK; i++) {
        status = tgt_number(r, "the weight of a processor", 1, INT32_MAX, &speed);
        if (status == INLAY_OK && !memory_grow((void **)&host, &room, (size_t)i + 1, sizeof *host)) {
            status = diag_no_memory(r->diag);
        } else if (status == INLAY_OK) {
            host[i] = (star_host){.speed = (double)speed};
        }
    }
    if (status == INLAY_OK) {
        status = tgt_end(r);
    }
    if (status == INLAY_OK) {
        status = make(r, star_write, &(star){.host = host, .hosts = (size_t)count}, machine);
    }
    free(host);
    return status;
}

/* ---- deco 0: distances of every pair ---- */

typedef struct deco {
    memory_pool arrays; /**< owns them */
    int64_t count;
    int64_t *label;   /* of every processor, in the order of the file */
    int64_t *speed;   /* its weight */
    int64_t *place;   /* of the processor with the i-th lowest label */
    int16_t *apart;   /* count x count distances */
    int64_t most;     /* highest number of a domain */
    inlay_id *queue;  /* of a search */
    int16_t *reached; /* distances that it found, -1 none */
} deco;

static int deco_prepare(tgt_reader *r, deco *d)
{
    int64_t kind = 0;
    int status = tgt_number(r, "the kind of decomposition (0: distances; others are compiled)", 0, 0, &kind);
    if (status == INLAY_OK) {
        status = tgt_number(r, "the number of processors", 1, MOST_PROCESSORS, &d->count);
    }
    if (status == INLAY_OK) {
        status = tgt_number(r, "the highest number of a domain", d->count, INT32_MAX, &d->most);
    }
    if (status != INLAY_OK) {
        return status;
    }
    size_t count = (size_t)d->count;
    d->label = pool_array(&d->arrays, count, sizeof *d->label);
    d->speed = pool_array(&d->arrays, count, sizeof *d->speed);
    d->place = pool_array(&d->arrays, count, sizeof *d->place);
    d->apart = pool_zeroed(&d->arrays, count * count, sizeof *d->apart);
    d->queue = pool_array(&d->arrays, count, sizeof *d->queue);
    d->reached = pool_array(&d->arrays, count, sizeof *d->reached);
    return d->arrays.failed ? diag_no_memory(r->diag) : INLAY_OK;
}

/* Puts the i-th processor into the order of labels. */
static bool insert(deco *d, int64_t i)
{
    int64_t at = i;
    while (at > 0 && d->label[d->place[at - 1]] > d->label[i]) {
        d->place[at] = d->place[at - 1];
        at--;
    }
    d->place[at] = i;
    return at == 0 || d->label[d->place[at - 1]] != d->label[i];
}

static int deco_read(tgt_reader *r, deco *d)
{
    int status = INLAY_OK;
    int64_t domain = 0, apart = 0;
    for (int64_t i = 0; i < d->count && status == INLAY_OK; i++) {
        status = tgt_number(r, "the label of a processor", 0, INT32_MAX, &d->label[i]);
        if (status == INLAY_OK && !insert(d, i)) {
            status = diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source, r->line,
                                  "label %" PRId64 " given twice; expected one for each processor", d->label[i]);
        }
        if (status == INLAY_OK) {
            status = tgt_number(r, "the weight of a processor", 1, INT32_MAX, &d->speed[i]);
        }
        if (status == INLAY_OK) {
            status = tgt_number(r, "the number of a domain", 1, d->most, &domain);
        }
    }
    for (int64_t i = 1; i < d->count && status == INLAY_OK; i++) {
        for (int64_t j = 0; j < i && status == INLAY_OK; j++) {
            status = tgt_number(r, "a distance", 1, INT16_MAX, &apart);
            d->apart[i * d->count + j] = d->apart[j * d->count + i] = (int16_t)apart;
        }
    }
    return status == INLAY_OK ? tgt_end(r) : status;
}

/* Distances from one processor over neighbours, which are those at distance 1. */
static void search_from(deco *d, int64_t from)
{
    int64_t first = 0, behind = 0;
    for (int64_t i = 0; i < d->count; i++) {
        d->reached[i] = -1;
    }
    d->reached[from] = 0;
    d->queue[behind++] = (inlay_id)from;
    while (first < behind) {
        int64_t at = d->queue[first++];
        for (int64_t to = 0; to < d->count; to++) {
            if (d->apart[at * d->count + to] == 1 && d->reached[to] < 0) {
                d->reached[to] = (int16_t)(d->reached[at] + 1);
                d->queue[behind++] = (inlay_id)to;
            }
        }
    }
}

/* The distances have to be those of a graph whose nodes are all processors: only of such a one the links are known. */
static int deco_check(const tgt_reader *r, deco *d)
{
    for (int64_t from = 0; from < d->count; from++) {
        search_from(d, from);
        for (int64_t to = 0; to < d->count; to++) {
            int apart = d->apart[from * d->count + to];
            if (d->reached[to] != apart) {
                return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source, r->keyword_line,
                                    "processors %" PRId64 " and %" PRId64
                                    " are at distance %d, which no way over processors at distance 1 has; expected the "
                                    "distances of a graph of processors",
                                    d->label[from], d->label[to], apart);
            }
        }
    }
    return INLAY_OK;
}

static int deco_write(const void *of, text_buffer *text, inlay_diag *diag)
{
    const deco *d = of;
    (void)diag;
    for (int64_t i = 0; i < d->count; i++) {
        text_addf(text, "  p%" PRId64 " [speed=%" PRId64 "];\n", d->label[d->place[i]], d->speed[d->place[i]]);
    }
    for (int64_t i = 0; i < d->count; i++) {
        for (int64_t j = i + 1; j < d->count; j++) {
            if (d->apart[d->place[i] * d->count + d->place[j]] == 1) {
                text_addf(text, "  p%" PRId64 " -- p%" PRId64 ";\n", d->label[d->place[i]], d->label[d->place[j]]);
            }
        }
    }
    return INLAY_OK;
}

int tgt_read_distances(tgt_reader *r, inlay_machine **machine)
{
    deco d = {0};
    int status = deco_prepare(r, &d);
    if (status == INLAY_OK) {
        status = deco_read(r, &d);
    }
    if (status == INLAY_OK) {
        status = deco_check(r, &d);
    }
    if (status == INLAY_OK) {
        status = make(r, deco_write, &d, machine);
    }
    pool_clear(&d.arrays);
    return status;
}

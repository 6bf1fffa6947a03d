/*
 * .tg in: the sections behind the links, each for something that few graphs have. A line `WORD COUNT`, then COUNT lines:
 *
 *     cores       module cores                   kinds       module kind
 *     pins        module processor               blocks      size time name
 *     arithmetic  module operations              uses        block module messages bytes
 *     functions   module evaluations             times       module time; the first line is `times COUNT TYPE`
 *     deadlines   module time                    traffic_memory  module bytes
 *
 *     reference   flop/s of the processor that times hold on, a number
 *     period      from one run of the application to the next
 *
 * Every section stands there at most once, one of times for each type of processor. Those that begin with a module name
 * it at most once, in rising order.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/builder.h"
#include "io/tg/tg.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum section_kind {
    CORES,
    PINS,
    KINDS,
    ARITHMETIC,
    FUNCTIONS,
    DEADLINES,
    TRAFFIC_MEMORY,
    TIMES,
    BLOCKS,
    USES,
    REFERENCE,
    PERIOD,
    SECTIONS
} section_kind;

static const struct {
    const char *word, *row;
} shapes[SECTIONS] = {
    [CORES] = {"cores", "module cores"},
    [PINS] = {"pins", "module processor"},
    [KINDS] = {"kinds", "module kind"},
    [ARITHMETIC] = {"arithmetic", "module operations"},
    [FUNCTIONS] = {"functions", "module evaluations"},
    [DEADLINES] = {"deadlines", "module time"},
    [TRAFFIC_MEMORY] = {"traffic_memory", "module bytes"},
    [TIMES] = {"times", "module time"},
    [BLOCKS] = {"blocks", "size time name"},
    [USES] = {"uses", "block module messages bytes"},
    [REFERENCE] = {"reference", "flop/s"},
    [PERIOD] = {"period", "time"},
};

typedef struct section {
    section_kind kind;
    int64_t count;
    char *type; /* of TIMES */
} section;

/* ---- Lines ---- */

/* What a module has more than others. */
static int read_detail(tg_reader *r, const section *s, inlay_id module)
{
    inlay_module detail = {0};
    int64_t number = 0;
    int status = INLAY_OK;
    switch (s->kind) {
    case CORES:
        status = tg_take_whole(r, "cores", 1, INT32_MAX, &number);
        detail.cores = (int32_t)number;
        break;
    case PINS:
        status = tg_take_whole(r, "the processor", 0, INT32_MAX, &number);
        detail.pinned = true;
        detail.pin = (inlay_id)number;
        break;
    case KINDS: status = tg_take_text(r, "kind", &detail.kind); break;
    case TRAFFIC_MEMORY: status = tg_take_whole(r, "bytes", 0, INT64_MAX, &detail.traffic_memory); break;
    case DEADLINES: status = tg_take_time(r, "the deadline", &detail.deadline); break;
    case ARITHMETIC: status = tg_take_operations(r, "operations", &detail.arithmetic); break;
    default: status = tg_take_operations(r, "evaluations", &detail.functions); break;
    }
    return status == INLAY_OK ? builder_add_details(r->builder, module, &detail, r->diag) : status;
}

static int read_type_time(tg_reader *r, const section *s, inlay_id module)
{
    inlay_duration time = {0};
    if (tg_take_none(r)) {
        return inlay_app_forbid_type(r->builder, module, s->type, r->diag);
    }
    int status = tg_take_time(r, "the time", &time);
    return status == INLAY_OK ? inlay_app_add_type_time(r->builder, module, s->type, time, r->diag) : status;
}

/* @param last  the module of the line before, -1 none */
static int read_of_module(tg_reader *r, const section *s, inlay_id *last)
{
    inlay_id module = 0;
    int status = tg_take_module(r, "module", &module);
    if (status == INLAY_OK && module <= *last) {
        return tg_fail(r, "module %d behind module %d; expected every module once, in rising order", (int)module,
                       (int)*last);
    }
    *last = module;
    if (status == INLAY_OK) {
        status = s->kind == TIMES ? read_type_time(r, s, module) : read_detail(r, s, module);
    }
    return status;
}

static int read_block(tg_reader *r)
{
    int64_t size = 0;
    inlay_duration time = {0};
    const char *name = NULL;
    int status = tg_take_bytes(r, "the size", &size);
    if (status == INLAY_OK) {
        status = tg_take_time(r, "the time", &time);
    }
    if (status == INLAY_OK) {
        status = tg_take_text(r, "name", &name);
    }
    return status == INLAY_OK ? inlay_app_add_block(r->builder, name, size, time, r->diag) : status;
}

static int read_use(tg_reader *r)
{
    inlay_id module = 0;
    int64_t block = 0, messages = 0, bytes = 0;
    int status = tg_take_whole(r, "block", 0, (int64_t)r->builder->block_count - 1, &block);
    if (status == INLAY_OK) {
        status = tg_take_module(r, "module", &module);
    }
    if (status == INLAY_OK) {
        status = tg_take_whole(r, "messages", 0, INT64_MAX, &messages);
    }
    if (status == INLAY_OK) {
        status = tg_take_bytes(r, "bytes", &bytes);
    }
    return status == INLAY_OK ? inlay_app_add_use(r->builder, (inlay_id)block, module, messages, bytes, r->diag)
                              : status;
}

static int read_reference(tg_reader *r)
{
    double flops = 0;
    int status = tg_take_operations(r, "flop/s", &flops);
    return status == INLAY_OK ? inlay_app_builder_reference(r->builder, flops, r->diag) : status;
}

static int read_period(tg_reader *r)
{
    inlay_duration period = {0};
    int status = tg_take_time(r, "the period", &period);
    return status == INLAY_OK ? inlay_app_builder_period(r->builder, period, r->diag) : status;
}

static int read_line(tg_reader *r, const section *s, inlay_id *last)
{
    switch (s->kind) {
    case BLOCKS: return read_block(r);
    case USES: return read_use(r);
    case REFERENCE: return read_reference(r);
    case PERIOD: return read_period(r);
    default: return read_of_module(r, s, last);
    }
}

static int read_lines(tg_reader *r, const section *s)
{
    inlay_id last = -1;
    int status = INLAY_OK;
    for (int64_t i = 0; status == INLAY_OK && i < s->count; i++) {
        bool more;
        status = tg_next_line(r, &more);
        if (status == INLAY_OK && !more) {
            return tg_fail(r, "the file ends after %" PRId64 " of %" PRId64 " lines of %s; expected all of them", i,
                           s->count, shapes[s->kind].word);
        }
        if (status == INLAY_OK) {
            status = read_line(r, s, &last);
        }
        if (status == INLAY_OK && s->kind != KINDS && s->kind != BLOCKS) { /* a text takes its whole line */
            status = tg_end_line(r, shapes[s->kind].row);
        }
    }
    return status;
}

/* ---- Sections ---- */

static int find_kind(tg_reader *r, const char *word, section_kind *kind)
{
    for (int k = 0; k < SECTIONS; k++) {
        if (strcmp(shapes[k].word, word) == 0) {
            *kind = (section_kind)k;
            return INLAY_OK;
        }
    }
    return tg_fail(r,
                   "'%.40s' behind the last link; expected the end of the file, as line 1 says, or one of the sections "
                   "cores, pins, kinds, arithmetic, functions, deadlines, traffic_memory, times, blocks and uses",
                   word);
}

/* The first line of a section. @param seen  a bit for every kind that was there */
static int read_heading(tg_reader *r, section *s, unsigned *seen)
{
    tg_word word;
    const char *type = NULL;
    tg_take_word(r, word);
    int status = find_kind(r, word, &s->kind);
    if (status == INLAY_OK) {
        status = tg_take_whole(r, "the number of lines", 0, INT64_MAX, &s->count);
    }
    if (status == INLAY_OK && s->kind == TIMES) {
        status = tg_take_text(r, "type of processor", &type);
    } else if (status == INLAY_OK) {
        status = tg_end_line(r, "WORD COUNT");
    }
    if (status != INLAY_OK) {
        return status;
    }
    bool again = type == NULL ? *seen >> s->kind & 1 : name_map_get(&r->builder->types.numbers, type) >= 0;
    if (s->kind == USES && r->builder->block_count == 0) {
        return tg_fail(r,
                       "uses of data blocks that the file does not have; expected a section of blocks before this one");
    }
    if (again) {
        return tg_fail(r, "'%s%s%s' a second time; expected every section once", word, type == NULL ? "" : " of type ",
                       type == NULL ? "" : type);
    }
    *seen |= 1U << s->kind;
    s->type = type == NULL ? NULL : memory_string(type);
    return type != NULL && s->type == NULL ? diag_no_memory(r->diag) : INLAY_OK;
}

int tg_read_sections(tg_reader *r)
{
    r->part = TG_SECTIONS;
    unsigned seen = 0;
    for (;;) {
        bool more;
        int status = tg_next_line(r, &more);
        if (status != INLAY_OK || !more) {
            return status;
        }
        if (tg_at_end(r)) {
            continue; /* blank lines at the end of a file do no harm */
        }
        section s = {0};
        status = read_heading(r, &s, &seen);
        if (status == INLAY_OK) {
            status = read_lines(r, &s);
        }
        free(s.type);
        if (status != INLAY_OK) {
            return status;
        }
    }
}

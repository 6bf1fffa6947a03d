/* .tg in: the header, modules and links, in one pass over the lines. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "graph/builder.h"
#include "graph/data.h"
#include "io/formats.h"
#include "io/tg/tg.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 600, LEAST_LINE = 8 /* bytes of the shortest line: "0 1 1 0\n", "0 - 0 a\n" */ };

static const char header_row[] = "tg 1 MODULES LINKS TIME_UNIT";
static const char link_row[] = "from to messages bytes flags";

/* ---- Lines ---- */

/* The batch of modules, whose names go with the lines at hand. */
static int flush_modules(tg_reader *r)
{
    size_t count = r->batched;
    r->batched = 0;
    return count == 0 ? INLAY_OK : inlay_app_add_modules(r->builder, r->batch, count, r->diag);
}

/* Modules that wait to be added stand before this line, so what is wrong with them is said first. */
int tg_fail(tg_reader *r, const char *format, ...)
{
    int status = flush_modules(r);
    if (status != INLAY_OK) {
        return status;
    }
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    plain_vprint(message, sizeof message, format, arguments);
    va_end(arguments);
    return diag_fail_at(r->diag, INLAY_BAD_INPUT, r->source, r->line, "%s", message);
}

int tg_next_line(tg_reader *r, bool *more)
{
    if (r->line > 0) {
        r->at++; /* over the newline */
    }
    *more = true;
    if (r->at == r->end) {
        size_t size = 0;
        int status = flush_modules(r);
        if (status == INLAY_OK) {
            status = input_lines(r->in, &r->at, &size, r->diag);
        }
        if (status != INLAY_OK) {
            return status;
        }
        *more = size > 0;
        r->end = *more ? r->at + size : r->at; /* NULL at the end */
    }
    r->line += *more;
    return INLAY_OK;
}

/* The next of `count` lines of one kind, of which `done` are read. */
static int next_of(tg_reader *r, const char *what, int64_t done, int64_t count)
{
    bool more;
    int status = tg_next_line(r, &more);
    if (status != INLAY_OK || more) {
        return status;
    }
    return tg_fail(r, "the file ends after %" PRId64 " of %" PRId64 " %s; expected as many as line 1 says", done, count,
                   what);
}

/* For the builder: where a module or a link stands. */
static long line_of(void *context, inlay_id from, inlay_id to)
{
    const tg_reader *r = context;
    const long first = 2; /* module 0 */
    if (r->part == TG_MODULES || (r->part == TG_END && to < 0)) {
        return first + from;
    }
    int64_t before = r->part == TG_END ? builder_find_link(r->builder, from, to) : -1;
    return before < 0 ? r->line : first + r->modules + (long)before;
}

/* ---- Header ---- */

static int read_unit(tg_reader *r, const char *word, inlay_unit *unit)
{
    static const inlay_unit units[] = {INLAY_UNIT_S, INLAY_UNIT_MS, INLAY_UNIT_US, INLAY_UNIT_NS, INLAY_UNIT_TICK};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(inlay_unit_name(units[i]), word) == 0) {
            *unit = units[i];
            return INLAY_OK;
        }
    }
    return tg_fail(r, "unknown time unit '%.40s'; expected s, ms, us, ns or tick", word);
}

static int read_header(tg_reader *r)
{
    bool more;
    int status = tg_next_line(r, &more);
    if (status != INLAY_OK) {
        return status;
    }
    r->line = 1; /* also of a file without lines */
    tg_word mark = "", version = "", unit = "";
    if (more) {
        tg_take_word(r, mark);
        tg_take_word(r, version);
    }
    r->version = strcmp(version, "2") == 0 ? 2 : 1;
    if (strcmp(mark, "tg") != 0 || (r->version == 1 && strcmp(version, "1") != 0)) {
        return tg_fail(r, "'%.20s%s%.20s' is not how version 1 or 2 of this format begins; expected '%s'", mark,
                       *version == '\0' ? "" : " ", version, header_row);
    }
    int64_t modules = 0;
    status = tg_take_whole(r, "the number of modules", 1, INT32_MAX - 1, &modules);
    r->modules = (inlay_id)modules;
    if (status == INLAY_OK) {
        status = tg_take_whole(r, "the number of links", 0, INT64_MAX, &r->links);
    }
    if (status == INLAY_OK) {
        tg_take_word(r, unit);
        status = read_unit(r, unit, &r->unit);
    }
    return status == INLAY_OK ? tg_end_line(r, header_row) : status;
}

/* ---- Modules and links ---- */

static int read_module(tg_reader *r, inlay_module *module)
{
    int status = tg_take_time(r, "the time", &module->time);
    module->has_blocking = status == INLAY_OK && !tg_take_none(r);
    if (module->has_blocking) {
        status = tg_take_time(r, "the blocking time", &module->blocking);
    }
    if (status == INLAY_OK) {
        status = tg_take_bytes(r, "the memory", &module->memory);
    }
    return status == INLAY_OK ? tg_take_text(r, "name", &module->name) : status;
}

static int read_modules(tg_reader *r)
{
    r->part = TG_MODULES;
    int status = INLAY_OK;
    for (inlay_id i = 0; status == INLAY_OK && i < r->modules; i++) {
        status = next_of(r, "modules", i, r->modules);
        if (status == INLAY_OK) {
            status = read_module(r, &r->batch[r->batched]);
        }
        r->batched += status == INLAY_OK;
        if (r->batched == TG_BATCH) {
            status = flush_modules(r);
        }
    }
    return status == INLAY_OK ? flush_modules(r) : status;
}

/* The name behind the flags, which links of version 2 may have. */
static int read_data(tg_reader *r, apart_link *link)
{
    if (r->version == 1 || tg_at_end(r)) {
        return tg_end_line(r, link_row);
    }
    if (link->flags != 0) {
        return tg_fail(r, "a datum of a link without precedence; expected '%s'", link_row);
    }
    return tg_take_text(r, "name of the datum", &link->data);
}

static int read_link(tg_reader *r)
{
    inlay_id from = 0;
    apart_link link = {0};
    int status = tg_take_module(r, "from", &from);
    if (status == INLAY_OK) {
        status = tg_take_module(r, "to", &link.to);
    }
    if (status == INLAY_OK) {
        status = tg_take_whole(r, "messages", 0, INT64_MAX, &link.messages);
    }
    if (status == INLAY_OK) {
        status = tg_take_bytes(r, "bytes", &link.bytes);
    }
    if (status == INLAY_OK) {
        status = tg_take_flags(r, &link.flags);
    }
    if (status == INLAY_OK) {
        status = read_data(r, &link);
    }
    return status == INLAY_OK ? apart_add(r->builder, from, &link, r->diag) : status;
}

static int read_links(tg_reader *r)
{
    r->part = TG_LINKS;
    int status = INLAY_OK;
    for (int64_t i = 0; status == INLAY_OK && i < r->links; i++) {
        status = next_of(r, "links", i, r->links);
        if (status == INLAY_OK) {
            status = read_link(r);
        }
    }
    return status;
}

/* ---- The whole ---- */

/* Room for what line 1 promises, as far as a file of this size can keep it. */
static int reserve(const tg_reader *r)
{
    size_t size = input_size_on_disk(r->in);
    int64_t lines =
        (int64_t)(input_is_packed(r->in) ? size : size / LEAST_LINE); /* gzip: seldom less than a byte each */
    return inlay_app_builder_reserve(r->builder, r->modules < lines ? r->modules : lines,
                                     r->links < lines ? r->links : lines, r->diag);
}

static int begin(tg_reader *r)
{
    char *name = format_graph_name(r->source);
    r->builder = name == NULL ? NULL : inlay_app_builder_new(name, r->unit);
    free(name);
    if (r->builder == NULL || inlay_app_builder_source(r->builder, r->source, line_of, r) != INLAY_OK) {
        return diag_no_memory(r->diag);
    }
    return reserve(r);
}

int tg_from_input(input *in, const char *source, inlay_app **app, inlay_diag *diag)
{
    tg_reader r = {.source = source, .diag = diag, .in = in};
    int (*const steps[])(tg_reader *) = {read_header, begin, read_modules, read_links, tg_read_sections};
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < sizeof steps / sizeof *steps; i++) {
        status = steps[i](&r);
    }
    if (status == INLAY_OK) {
        r.part = TG_END;
        status = inlay_app_build(r.builder, app, diag);
    }
    inlay_app_builder_free(r.builder);
    return status;
}

int tg_from(const char *data, size_t size, const char *source, inlay_app **app, inlay_diag *diag)
{
    input *in = NULL;
    int status = input_open_memory(data, size, &in, diag);
    if (status == INLAY_OK) {
        status = tg_from_input(in, source, app, diag);
    }
    input_close(in);
    return status;
}

bool tg_looks_like(const char *data, size_t size)
{
    return size >= 4 && memcmp(data, "tg", 2) == 0 && (data[2] == ' ' || data[2] == '\t') && data[3] >= '0' &&
           data[3] <= '9';
}

/*
 * Placements as partitioners have them, modules by number: METIS's part file, a processor a line; Scotch's mapping, how many
 * lines follow, then vertex and processor on each.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "io/placement/placement.h"
#include <stdlib.h>
#include <string.h>

/* ---- Part file ---- */

bool placement_part_looks(span first, span second)
{
    (void)second;
    for (const char *c = first.at; c < first.end; c++) {
        if (!plain_digit(*c) && strchr("+-.eE", *c) == NULL) {
            return false;
        }
    }
    return true;
}

int placement_part_read(placement_file *p, const char *data, size_t size)
{
    lines l = {data, data + size, PLACEMENT_COMMENTS, 0};
    inlay_id count = 0, processor;
    for (span line; next_line(&l, &line); count++) {
        if (!span_id(line, &processor)) {
            return placement_refuse_processor(p, l.line, line);
        }
        if (count == inlay_app_modules(p->app)) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, l.line,
                                "more processors than modules; expected %d lines, one a module", count);
        }
        if (placement_assign(p, l.line, count, processor) != INLAY_OK) {
            return INLAY_NO_MEMORY;
        }
    }
    if (count < inlay_app_modules(p->app)) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, l.line,
                            "the file ends after %d processors; expected %d, one a module", count,
                            inlay_app_modules(p->app));
    }
    return INLAY_OK;
}

/* A line of either form has room for one processor. */
static void warn_of_cores(const inlay_mapping *mapping, const char *form, inlay_diag *diag)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        int64_t guests;
        (void)inlay_mapping_guest_of(mapping, i, &guests);
        if (guests > 0) {
            diag_warn(diag, "%s has no place for modules of several cores: the lowest of their processors is written",
                      form);
            return;
        }
    }
}

static inlay_id processor_of(const inlay_mapping *mapping, inlay_id module)
{
    return inlay_mapping_cluster(mapping, inlay_mapping_cluster_of(mapping, module)).processor;
}

int placement_part_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag)
{
    for (inlay_id i = 0; i < inlay_app_modules(inlay_mapping_app(mapping)); i++) {
        line_number(w, processor_of(mapping, i), '\n');
    }
    warn_of_cores(mapping, "a part file", diag);
    return INLAY_OK;
}

/* ---- Scotch's mapping ---- */

static bool take_pair(span line, span *vertex, span *processor)
{
    *vertex = span_word(&line, '\0');
    *processor = span_word(&line, '\0');
    return vertex->at < vertex->end && processor->at < processor->end && line.at == line.end;
}

bool placement_map_looks(span first, span second)
{
    span vertex, processor;
    inlay_id count;
    return span_id(first, &count) && take_pair(second, &vertex, &processor);
}

/* Vertices are numbered from the base of their graph, 0 or 1 as a rule: the least number that the file has. */
typedef struct vertex_line {
    inlay_id vertex, processor;
    long line;
} vertex_line;

static int read_vertices(placement_file *p, lines l, vertex_line *all, inlay_id *least)
{
    span line, vertex, processor;
    inlay_id count = 0, modules = inlay_app_modules(p->app), said = 0;
    if (!next_line(&l, &line) || !span_id(line, &said) || said != modules) {
        return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, l.line,
                            "the mapping is one of %.*s vertices; expected %d, one a module", span_shown(line), line.at,
                            modules);
    }
    for (*least = INT32_MAX; next_line(&l, &line); count++) {
        vertex_line at = {.line = l.line};
        if (!take_pair(line, &vertex, &processor) || !span_id(vertex, &at.vertex)) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, l.line,
                                "'%.*s' is no pair; expected a vertex and its processor", span_shown(line), line.at);
        }
        if (!span_id(processor, &at.processor)) {
            return placement_refuse_processor(p, l.line, processor);
        }
        if (count == modules) {
            return diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, l.line,
                                "more lines than the %d that the first says; expected one a module", modules);
        }
        all[count] = at;
        *least = at.vertex < *least ? at.vertex : *least;
    }
    return count == modules
               ? INLAY_OK
               : diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, l.line,
                              "the file ends after %d vertices; expected %d, one a module", count, modules);
}

int placement_map_read(placement_file *p, const char *data, size_t size)
{
    inlay_id modules = inlay_app_modules(p->app), least = 0;
    vertex_line *all = memory_array((size_t)modules, sizeof *all);
    int status = all == NULL ? diag_no_memory(p->diag)
                             : read_vertices(p, (lines){data, data + size, PLACEMENT_COMMENTS, 0}, all, &least);
    for (inlay_id i = 0; status == INLAY_OK && i < modules; i++) {
        inlay_id module = all[i].vertex - least;
        status = module < modules ? placement_assign(p, all[i].line, module, all[i].processor)
                                  : diag_fail_at(p->diag, INLAY_BAD_INPUT, p->source, all[i].line,
                                                 "vertex %d; expected %d to %d, one a module", all[i].vertex, least,
                                                 least + modules - 1);
    }
    free(all);
    return status == INLAY_OK ? placement_check_complete(p, 0) : status;
}

int placement_map_write(const inlay_mapping *mapping, line_writer *w, inlay_diag *diag)
{
    inlay_id modules = inlay_app_modules(inlay_mapping_app(mapping));
    line_number(w, modules, '\n');
    for (inlay_id i = 0; i < modules; i++) {
        line_number(w, i, '\t');
        line_number(w, processor_of(mapping, i), '\n');
    }
    warn_of_cores(mapping, "a Scotch mapping", diag);
    return INLAY_OK;
}

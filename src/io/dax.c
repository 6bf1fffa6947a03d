/*
 * Pegasus DAX in, version 2.1: jobs with their runtime in seconds and the files that they use, and which jobs are children
 * of which. A job is called by its id, its name is the kind. What goes along a link are the files that the parent writes and
 * the child reads (io/flow.h).
 *
 * The counts of the header are not looked at: many files state others than they have.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "graph/names.h"
#include "io/flow.h"
#include "io/formats.h"
#include "io/look.h"
#include "io/xml.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A parent may stand before its job. */
typedef struct dax_edge {
    const char *parent, *child; /* in the store */
    long line;
} dax_edge;

typedef struct dax {
    const char *source;
    inlay_diag *diag;
    name_store *names;
    inlay_app_builder *builder;
    long *job_line;
    dax_edge *edge;
    size_t jobs, job_capacity, edges, edge_capacity;
    file_flow flow;
    flow_edges made;

    bool in_job;
    const char *child; /* NULL outside a child */
    size_t negative;   /* sizes below 0 */
} dax;

bool dax_looks_like(const char *data, size_t size)
{
    return look_xml(data, size, "adag");
}

static int missing(const dax *d, const xml_tag *tag, const char *name, const char *expected)
{
    return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, tag->line, "%s without %s; expected %s", tag->name, name,
                        expected);
}

static const char *keep(dax *d, const char *name)
{
    return name_store_keep(&d->names, name);
}

static long line_of(void *context, inlay_id from, inlay_id to)
{
    const dax *d = context;
    if (to < 0) {
        return (size_t)from < d->jobs ? d->job_line[from] : 0;
    }
    for (size_t e = 0; e < d->edges; e++) {
        if (inlay_app_builder_find(d->builder, d->edge[e].parent) == from &&
            inlay_app_builder_find(d->builder, d->edge[e].child) == to) {
            return d->edge[e].line;
        }
    }
    return 0;
}

/* ---- Elements ---- */

/* The graph itself. */
static int open_graph(dax *d, const xml_tag *tag)
{
    const char *name = xml_value(tag, "name"), *version = xml_value(tag, "version");
    if (strcmp(tag->name, "adag") != 0) {
        return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, tag->line, "the element is %s; expected adag",
                            tag->name);
    }
    if (version != NULL && *version != '2') {
        return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, tag->line, "version %s; expected 2.1", version);
    }
    char *stem = name == NULL ? format_graph_name(d->source) : NULL;
    d->builder = inlay_app_builder_new(name != NULL ? name : stem, INLAY_UNIT_S);
    free(stem);
    return d->builder == NULL || inlay_app_builder_source(d->builder, d->source, line_of, d) != INLAY_OK
               ? diag_no_memory(d->diag)
               : INLAY_OK;
}

static int read_cores(const dax *d, const xml_tag *tag, inlay_module *module)
{
    inlay_decimal cores;
    const char *given = xml_value(tag, "cores");
    if (given == NULL) {
        return INLAY_OK;
    }
    if (inlay_decimal_parse(given, &cores) != INLAY_OK || cores.scale > 0 || cores.digits < 1 ||
        cores.digits > INT32_MAX) {
        return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, tag->line,
                            "cores '%s' of job '%s' cannot be read; expected a whole number, 1 or more", given,
                            module->name);
    }
    module->cores = (int32_t)cores.digits;
    return INLAY_OK;
}

static int open_job(dax *d, const xml_tag *tag)
{
    const char *runtime = xml_value(tag, "runtime");
    inlay_module module = {.name = xml_value(tag, "id"), .kind = xml_value(tag, "name")};
    module.time.unit = INLAY_UNIT_S;
    if (module.name == NULL) {
        return missing(d, tag, "id", "id=\"...\"");
    }
    if (runtime == NULL) {
        return missing(d, tag, "runtime", "runtime=\"SECONDS\"");
    }
    if (inlay_decimal_parse(runtime, &module.time.value) != INLAY_OK || module.time.value.digits < 0) {
        return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, tag->line,
                            "runtime '%s' of job '%s' cannot be read; expected seconds, 0 or more", runtime,
                            module.name);
    }
    if (!memory_grow((void **)&d->job_line, &d->job_capacity, d->jobs + 1, sizeof *d->job_line)) {
        return diag_no_memory(d->diag);
    }
    d->job_line[d->jobs++] = tag->line;
    d->in_job = true;
    int status = read_cores(d, tag, &module);
    return status == INLAY_OK ? inlay_app_add_module(d->builder, &module, d->diag) : status;
}

/* Bytes; less than none, which some traces state, count as none. */
static int read_size(dax *d, const xml_tag *tag, const char *file, int64_t *size)
{
    inlay_decimal given;
    int64_t bytes = 0;
    const char *text = xml_value(tag, "size");
    *size = FLOW_SIZE_UNKNOWN;
    if (text == NULL) {
        return INLAY_OK;
    }
    bool good = inlay_decimal_parse(text, &given) == INLAY_OK;
    double value = good ? ceil(inlay_decimal_double(given)) : 0;
    good = good && value < 0x1p62;
    bytes = !good || value <= 0 ? 0 : given.scale == 0 ? given.digits : (int64_t)value;
    d->negative += good && value < 0;
    *size = bytes;
    return good ? INLAY_OK
                : diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, tag->line,
                               "size '%s' of file '%s' cannot be read; expected a number of bytes below 2^62", text,
                               file);
}

static int open_uses(dax *d, const xml_tag *tag)
{
    const char *file = xml_value(tag, "file"), *link = xml_value(tag, "link");
    if (file == NULL || *file == '\0') {
        return missing(d, tag, "file", "file=\"...\", as in version 2.1");
    }
    bool output = link != NULL && strcmp(link, "output") == 0, both = link != NULL && strcmp(link, "inout") == 0;
    if (link == NULL || (!output && !both && strcmp(link, "input") != 0)) {
        return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, tag->line,
                            "link '%s' of file '%s' cannot be read; expected input, output or inout",
                            link != NULL ? link : "", file);
    }
    int64_t size;
    int status = read_size(d, tag, file, &size);
    const char *kept = status == INLAY_OK ? keep(d, file) : NULL;
    if (status != INLAY_OK) {
        return status;
    }
    int32_t number = kept == NULL ? -1 : file_flow_file(&d->flow, kept);
    inlay_id job = (inlay_id)d->jobs - 1;
    bool used = (output || file_flow_use(&d->flow, false, job, number, size)) &&
                ((!output && !both) || file_flow_use(&d->flow, true, job, number, size));
    return used ? INLAY_OK : diag_no_memory(d->diag);
}

static int open_relative(dax *d, const xml_tag *tag, bool parent)
{
    const char *ref = xml_value(tag, "ref");
    if (ref == NULL) {
        return missing(d, tag, "ref", "ref=\"ID\"");
    }
    const char *kept = keep(d, ref);
    if (kept == NULL || (parent && !memory_grow((void **)&d->edge, &d->edge_capacity, d->edges + 1, sizeof *d->edge))) {
        return diag_no_memory(d->diag);
    }
    if (parent) {
        d->edge[d->edges++] = (dax_edge){kept, d->child, tag->line};
    } else {
        d->child = kept;
    }
    return INLAY_OK;
}

/* What is not known here has nothing to say of the graph: arguments, standard output, lists of files. */
static int on_open(void *context, const xml_tag *tag)
{
    dax *d = context;
    const char *name = tag->name;
    if (tag->depth == 0) {
        return open_graph(d, tag);
    }
    return tag->depth == 1 && strcmp(name, "job") == 0                          ? open_job(d, tag)
           : tag->depth == 1 && strcmp(name, "child") == 0                      ? open_relative(d, tag, false)
           : d->in_job && strcmp(name, "uses") == 0                             ? open_uses(d, tag)
           : d->child != NULL && strcmp(name, "parent") == 0 && tag->depth == 2 ? open_relative(d, tag, true)
                                                                                : INLAY_OK;
}

static int on_close(void *context, const char *name, const char *text)
{
    (void)text;
    dax *d = context;
    if (strcmp(name, "job") == 0) {
        d->in_job = false;
    } else if (strcmp(name, "child") == 0) {
        d->child = NULL;
    }
    return INLAY_OK;
}

/* ---- The graph ---- */

static int find_edges(dax *d)
{
    for (size_t e = 0; e < d->edges; e++) {
        const dax_edge *edge = &d->edge[e];
        inlay_id from = inlay_app_builder_find(d->builder, edge->parent);
        inlay_id to = inlay_app_builder_find(d->builder, edge->child);
        if (from < 0 || to < 0) {
            return diag_fail_at(d->diag, INLAY_BAD_INPUT, d->source, edge->line,
                                "unknown module '%s'; expected the id of a job", from < 0 ? edge->parent : edge->child);
        }
        if (!flow_edges_add(&d->made, from, to)) {
            return diag_no_memory(d->diag);
        }
    }
    return INLAY_OK;
}

static int build(dax *d, const inlay_reading *how, inlay_app **app)
{
    const flow_question question = {&d->flow, (inlay_id)d->jobs, &d->made, NULL, how, d->source, d->diag};
    int status = find_edges(d);
    if (status == INLAY_OK && d->negative > 0) {
        diag_warn(d->diag, "%s: %zu sizes of files are negative; they count as 0 bytes", d->source, d->negative);
    }
    status = status == INLAY_OK ? flow_add_links(&question, d->builder) : status;
    return status == INLAY_OK ? inlay_app_build(d->builder, app, d->diag) : status;
}

int dax_from(const char *data, size_t size, const char *source, const inlay_reading *how, inlay_app **app,
             inlay_diag *diag)
{
    static const xml_reader reader = {.expected = "a DAX file", .open = on_open, .close = on_close};
    dax d = {.source = source, .diag = diag};
    int status = xml_parse(data, size, source, &reader, &d, diag);
    status = status == INLAY_OK ? build(&d, how, app) : status;
    inlay_app_builder_free(d.builder);
    file_flow_clear(&d.flow);
    name_store_free(d.names);
    free(d.made.edge);
    free(d.edge);
    free(d.job_line);
    return status;
}

/* The table of methods: to add one, write its file and name its row here and in method.h. */
#include "base/diag.h"
#include "base/text.h"
#include "cluster/method.h"
#include <string.h>

static const cluster_method *const rows[] = {&houstis_method,
                                             &linear_method,
                                             &dls_method,
                                             &heft_method,
                                             &heft_contention_method,
                                             &cpop_method,
                                             &peft_method,
                                             &lookahead_method,
                                             &etf_method,
                                             &mcp_method,
                                             &min_min_method,
                                             &max_min_method,
                                             &dsc_method,
                                             &dsc_contention_method,
                                             &sarkar_method,
                                             &acyclic_method,
                                             &one_method,
                                             &round_robin_method,
                                             &blocks_method,
                                             &block_cyclic_method,
                                             &random_method,
                                             &multilevel_method,
                                             &metis_method,
                                             &scotch_method,
                                             &best_method};

enum { ROWS = sizeof rows / sizeof *rows };

size_t inlay_methods(void)
{
    return ROWS;
}

const inlay_method *inlay_method_at(size_t i)
{
    return i < ROWS ? &rows[i]->is : NULL;
}

const inlay_method *inlay_method_named(const char *name)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i]->is.name, name) == 0) {
            return &rows[i]->is;
        }
    }
    return NULL;
}

size_t method_row(const inlay_method *method)
{
    size_t row = 0;
    while (row < ROWS && &rows[row]->is != method) {
        row++;
    }
    return row;
}

const cluster_method *method_of(const inlay_options *options)
{
    return options->method != NULL ? (const cluster_method *)options->method : rows[0];
}

/* What a problem may have, and methods may take no account of. */
static const struct aspect {
    const char *words;
    size_t flag; /* of inlay_method */
} aspects[] = {
    {"memory", offsetof(inlay_method, memory)},
    {"pinned modules", offsetof(inlay_method, pins)},
    {"processors that differ", offsetof(inlay_method, unlike)},
    {"types of processors that modules may not run on", offsetof(inlay_method, types)},
    {"distances between processors", offsetof(inlay_method, distance)},
    {"modules of several cores", offsetof(inlay_method, cores)},
};

enum { ASPECTS = sizeof aspects / sizeof *aspects };

static bool holds(const inlay_method *method, const struct aspect *aspect)
{
    return *(const bool *)((const char *)method + aspect->flag);
}

static bool has_pins(const problem *p)
{
    for (inlay_id i = 0; i < p->modules; i++) {
        if (inlay_app_pin(p->app, i) >= 0) {
            return true;
        }
    }
    return false;
}

static bool has_limits(const problem *p)
{
    bool limited = inlay_machine_memories(p->machine) > 0;
    for (int k = 0; k < p->kinds.count; k++) {
        limited = limited || p->kinds.kind[k].memory >= 0;
    }
    return limited;
}

static int refuse(const inlay_method *method, const char *takes, const text_buffer *others, inlay_diag *diag)
{
    return others->failed ? diag_no_memory(diag)
                          : diag_fail(diag, INLAY_BAD_ARGUMENT, "method %s takes no account of %s; expected %s",
                                      method->name, takes, others->size > 0 ? others->data : "another method");
}

/* Names the methods that have what this one lacks. */
static int refuse_for(const inlay_method *method, const struct aspect *aspect, inlay_diag *diag)
{
    text_buffer others = {0};
    for (size_t i = 0; i < ROWS; i++) {
        if (holds(&rows[i]->is, aspect)) {
            text_addf(&others, "%s%s", others.size > 0 ? " or " : "", rows[i]->is.name);
        }
    }
    int status = refuse(method, aspect->words, &others, diag);
    text_clear(&others);
    return status;
}

static int refuse_wide(const inlay_method *method, inlay_diag *diag)
{
    return diag_fail(
        diag, INLAY_BAD_ARGUMENT,
        "method %s takes no account of modules of several cores where processors differ; expected one that "
        "places modules, such as heft, or --ignore-cores",
        method->name);
}

int method_check(const problem *p, inlay_diag *diag)
{
    const inlay_method *method = &method_of(&p->options)->is;
    const bool has[ASPECTS] = {p->memory != NULL && has_limits(p),
                               !method->pins && has_pins(p),
                               p->kinds.count > 1,
                               p->forbids,
                               inlay_machine_has_distance(p->machine),
                               p->cores != NULL};
    for (size_t i = 0; i < ASPECTS; i++) {
        if (has[i] && !holds(method, &aspects[i])) {
            return refuse_for(method, &aspects[i], diag);
        }
    }
    return p->cores != NULL && p->kinds.count > 1 && !method->places ? refuse_wide(method, diag) : INLAY_OK;
}

int method_needs_frame(const inlay_options *options, inlay_diag *diag)
{
    static const struct aspect following = {"the time frame", offsetof(inlay_method, time_frame)};
    const inlay_method *method = &method_of(options)->is;
    return method->time_frame ? INLAY_OK : refuse_for(method, &following, diag);
}

/* From PREESM's graphs and scenario to one dataflow graph: parameters evaluated, graphs of actors put in their places. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/formats.h"
#include "io/preesm/build.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Actors ---- */

static int set_times(building *b, inlay_id actor, const char *path)
{
    static const inlay_decimal otherwise = {100, 0};
    int32_t first = b->s != NULL ? name_map_get(&b->s->timing_of, path) : -1;
    int status = inlay_sdf_set_times(b->sdf, actor, NULL, &otherwise, b->diag);
    if (first < 0 && b->untimed++ == 0) {
        b->untimed_name = path;
    }
    for (int32_t t = first; status == INLAY_OK && t >= 0; t = b->s->timing[t].next) {
        const timing *of = &b->s->timing[t];
        inlay_decimal time;
        if (inlay_decimal_parse(of->time, &time) != INLAY_OK || time.digits < 0) {
            return diag_fail_at(b->diag, INLAY_BAD_INPUT, b->s->source, of->line,
                                "time '%.60s'; expected a number from 0 on", of->time);
        }
        status = inlay_sdf_set_times(b->sdf, actor, NULL, &time, b->diag); /* the first of the file comes last */
        if (status == INLAY_OK && b->typed) {
            status = inlay_sdf_set_times(b->sdf, actor, of->type, &time, b->diag);
        }
    }
    return status;
}

/* Types of which no operator may run an actor; where some of a type may, and others not, it may run on all of that type. */
static int forbid_types(building *b, inlay_id actor, const char *path, const bool *may)
{
    bool some = false;
    int status = INLAY_OK;
    for (size_t p = 0; status == INLAY_OK && p < b->processors; p++) {
        bool first = true, any = false, all = true;
        for (size_t q = 0; q < b->processors; q++) {
            if (strcmp(b->type_of[q], b->type_of[p]) == 0) {
                first = first && q >= p;
                any = any || may[q];
                all = all && may[q];
            }
        }
        some = some || (any && !all);
        status = first && !any ? inlay_sdf_forbid_type(b->sdf, actor, b->type_of[p], b->diag) : status;
    }
    if (some) {
        b->choosy_name = b->choosy++ == 0 ? path : b->choosy_name;
    }
    return status;
}

/* The only operator that may run an actor is its pin; several keep it off the types of others. */
static int set_pin(building *b, inlay_id actor, const char *path)
{
    int32_t first = b->s != NULL ? name_map_get(&b->s->permission_of, path) : -1;
    if (first < 0) {
        b->unable_name = b->unable++ == 0 ? path : b->unable_name;
        return INLAY_OK;
    }
    bool *may = memory_zeroed(b->processors, sizeof *may);
    if (may == NULL) {
        return diag_no_memory(b->diag);
    }
    size_t allowed = 0;
    int32_t pin = -1;
    for (int32_t p = first; p >= 0; p = b->s->permission[p].next) {
        int32_t processor = b->processor_of[b->s->permission[p].operator_number];
        if (processor >= 0 && (size_t)processor < b->processors && !may[processor]) {
            may[processor] = true;
            allowed++;
            pin = processor;
        }
    }
    int status = INLAY_OK;
    if (allowed == 1 && b->processors > 1) {
        status = inlay_sdf_pin(b->sdf, actor, pin, b->diag);
    } else if (allowed > 1 && allowed < b->processors && b->type_of != NULL) {
        status = forbid_types(b, actor, path, may);
    } else if (allowed > 1 && allowed < b->processors) {
        b->choosy_name = b->choosy++ == 0 ? path : b->choosy_name;
    }
    free(may);
    return status;
}

static const char *path_of(const building *b, const char *folder, const char *id)
{
    text_buffer text = {0};
    text_addf(&text, "%s/%s", folder, id);
    const char *kept = text.failed ? NULL : name_store_keep(b->names, text.data);
    text_clear(&text);
    return kept;
}

static int add_actor(building *b, const instance *in, size_t node)
{
    const pi_node *n = &in->g->node[node];
    const char *path = path_of(b, in->path, n->id);
    inlay_id number = inlay_sdf_actors(b->sdf);
    int status = path == NULL ? diag_no_memory(b->diag) : inlay_sdf_add_actor(b->sdf, path, 1, b->diag);
    in->actor[node] = number;
    if (status == INLAY_OK && n->kind == PI_ACTOR) {
        status = set_times(b, number, path);
        status = status == INLAY_OK && b->s != NULL && b->s->groups > 0 ? set_pin(b, number, path) : status;
    }
    return status;
}

/* ---- Channels ---- */

/* Where a fifo ends: the actor, or the interface in its graph, and how many tokens a firing puts or takes. */
static int find_end(building *b, const instance *instances, const instance *in, const pi_fifo *fifo, bool puts,
                    inlay_id *actor, int64_t *tokens)
{
    int32_t node = puts ? fifo->from : fifo->to;
    const char *name = puts ? fifo->from_port : fifo->to_port;
    const pi_node *n = &in->g->node[node];
    *actor = in->actor[node];
    if (*actor < NO_ACTOR) {
        const instance *inner = &instances[-2 - *actor];
        int32_t interface = name_map_get(&inner->g->node_of, name);
        pi_kind kind = puts ? PI_SINK : PI_SOURCE;
        if (interface < 0 || inner->g->node[interface].kind != kind) {
            return preesm_fail(b, in, fifo->line, "no interface for port", name,
                               puts ? "a snk of this name in the actor's graph"
                                    : "a src of this name in the actor's graph");
        }
        *actor = inner->actor[interface];
    }
    if (n->kind == PI_SOURCE || n->kind == PI_SINK) {
        *tokens = in->total[node];
        return INLAY_OK;
    }
    return preesm_rate_at(b, in, fifo, puts, tokens);
}

static int add_fifo(building *b, const instance *instances, const instance *in, const pi_fifo *fifo)
{
    const pi_node *from = &in->g->node[fifo->from];
    if (from->kind == PI_DELAY || in->g->node[fifo->to].kind == PI_DELAY) {
        b->set_delays++;
        return INLAY_OK;
    }
    int64_t put = 0, taken = 0;
    inlay_sdf_channel made = {.name = fifo->from_port, .line = fifo->line, .produced = &put, .consumed = &taken};
    int status = find_end(b, instances, in, fifo, true, &made.from, &put);
    status = status == INLAY_OK ? find_end(b, instances, in, fifo, false, &made.to, &taken) : status;
    if (status == INLAY_OK && fifo->delay != NULL) {
        int32_t delay = name_map_get(&in->g->node_of, fifo->delay);
        const pi_node *node = delay >= 0 ? &in->g->node[delay] : from;
        const char *text = delay >= 0 ? node->expr : fifo->delay;
        status = preesm_tokens_at(b, in, node, text != NULL ? text : "0", &made.tokens);
    }
    int32_t type = b->s != NULL ? name_map_get(&b->s->type_of, fifo->type) : -1;
    made.token_bits = type >= 0 ? b->s->type_size[type] * (b->s->in_bits ? 1 : 8) : 0;
    made.data = from->copies ? from->id : NULL;
    return status == INLAY_OK ? inlay_sdf_add_channel(b->sdf, &made, b->diag) : status;
}

/* ---- Graphs ---- */

static int load(building *b, const char *data, size_t size, const char *path, const pi_graph **graph)
{
    pi_graph *made = memory_zeroed(1, sizeof *made);
    if (made == NULL || !memory_grow((void **)&b->graph, &b->graph_room, b->graphs + 1, sizeof *b->graph)) {
        free(made);
        return diag_no_memory(b->diag);
    }
    b->graph[b->graphs++] = made;
    int status = pi_read(data, size, path, b->names, made, b->diag);
    if (status == INLAY_OK && !name_map_put(&b->graph_of, made->path, (int32_t)b->graphs - 1)) {
        status = diag_no_memory(b->diag);
    }
    *graph = made;
    return status;
}

/* The graph that an actor consists of. */
static int find_graph(building *b, const instance *in, const pi_node *node, const pi_graph **graph)
{
    char *path = NULL;
    int status = preesm_find(in->g->path, node->description, ".pi", &path, b->diag);
    if (status == INLAY_OK && path == NULL) {
        return preesm_fail(b, in, node->line, "no file", node->description,
                           "the graph of the actor, in this folder or one above");
    }
    if (status != INLAY_OK) {
        return status;
    }
    int32_t known = name_map_get(&b->graph_of, path);
    file_content content = {0};
    if (known >= 0) {
        *graph = b->graph[known];
    } else {
        status = file_read(path, &content, b->diag);
        status = status == INLAY_OK ? load(b, content.data, content.size, path, graph) : status;
        file_content_clear(&content);
    }
    free(path);
    return status;
}

static bool has_graph(const pi_node *node)
{
    size_t size = node->description != NULL ? strlen(node->description) : 0;
    return node->kind == PI_ACTOR && size > 3 && strcmp(node->description + size - 3, ".pi") == 0;
}

/*
 * Puts a graph into its place, and the graphs of its actors into theirs: depth first, so that the interfaces to which
 * fifos lead are there. The instances of one graph's actors stand side by side.
 */
static int place(building *b, instance *in, int depth) /* NOLINT(misc-no-recursion): at most MOST_DEPTH deep */
{
    const pi_graph *g = in->g;
    instance *inner = pool_array(&b->arrays, g->nodes, sizeof *inner);
    int32_t inners = 0;
    int status = inner == NULL ? diag_no_memory(b->diag) : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < in->parameters; i++) {
        status = preesm_know(b, in, i, 0);
    }
    for (size_t i = 0; status == INLAY_OK && i < g->nodes; i++) {
        const pi_node *node = &g->node[i];
        if (has_graph(node)) {
            const pi_graph *graph = NULL;
            const char *path = path_of(b, in->path, node->id);
            status = depth == MOST_DEPTH
                         ? preesm_fail(b, in, node->line, "graphs in graphs in", node->id, "at most 32 deep")
                     : path == NULL ? diag_no_memory(b->diag)
                                    : find_graph(b, in, node, &graph);
            status = status == INLAY_OK ? preesm_make_instance(b, graph, path, &inner[inners]) : status;
            if (status == INLAY_OK) {
                preesm_bind(in, node, &inner[inners]);
                in->actor[i] = -2 - inners;
                status = place(b, &inner[inners++], depth + 1);
            }
        } else if (!preesm_is_parameter(node) && node->kind != PI_DELAY) {
            status = add_actor(b, in, i);
        }
    }
    status = status == INLAY_OK ? preesm_find_totals(b, in) : status;
    for (size_t i = 0; status == INLAY_OK && i < g->fifos; i++) {
        status = add_fifo(b, inner, in, &g->fifo[i]);
    }
    return status;
}

/* ---- The whole ---- */

/* @param words  name and type of every processor */
static int keep_types(building *b, char **words)
{
    b->type_of = pool_array(&b->arrays, b->processors, sizeof *b->type_of);
    for (size_t p = 0; b->type_of != NULL && p < b->processors; p++) {
        b->type_of[p] = name_store_keep(b->names, words[2 * p + 1]);
        if (b->type_of[p] == NULL) {
            return diag_no_memory(b->diag);
        }
    }
    return b->type_of == NULL ? diag_no_memory(b->diag) : INLAY_OK;
}

/* Numbers of the architecture's processors by the names of the scenario's operators. */
static int number_operators(building *b)
{
    const scenario *s = b->s;
    b->processor_of = pool_array(&b->arrays, s->operators, sizeof *b->processor_of);
    char *path = NULL, **words = NULL;
    int status = b->processor_of == NULL ? diag_no_memory(b->diag) : INLAY_OK;
    if (status == INLAY_OK && s->architecture != NULL) {
        status = preesm_find(s->source, s->architecture, ".slam", &path, b->diag);
    }
    if (status == INLAY_OK && path == NULL) {
        diag_warn(b->diag, "%s: no file '%s': operators are numbered as they stand here", s->source,
                  s->architecture != NULL ? s->architecture : "");
        b->processors = s->operators;
    } else if (status == INLAY_OK) {
        status = slam_operators(path, &words, &b->processors, b->diag);
    }
    for (size_t i = 0; status == INLAY_OK && i < s->operators; i++) {
        b->processor_of[i] = words == NULL ? (int32_t)i : -1;
        for (size_t p = 0; words != NULL && p < b->processors; p++) {
            b->processor_of[i] = strcmp(words[2 * p], s->operator_name[i]) == 0 ? (int32_t)p : b->processor_of[i];
        }
    }
    status = status == INLAY_OK && words != NULL ? keep_types(b, words) : status;
    for (size_t p = 0; words != NULL && p < 2 * b->processors; p++) {
        free(words[p]);
    }
    free((void *)words);
    free(path);
    return status;
}

static void tell(const building *b, const char *source)
{
    if (b->untimed > 0) {
        diag_warn(b->diag, "%s: %lld actors without a timing take 100 ticks ('%s')", source, (long long)b->untimed,
                  b->untimed_name);
    }
    if (b->unable > 0) {
        diag_warn(b->diag, "%s: %lld actors in no constraint group may run everywhere ('%s')", source,
                  (long long)b->unable, b->unable_name);
    }
    if (b->choosy > 0) {
        diag_warn(b->diag, "%s: %lld actors that some operators of a type may run may run on all of that type ('%s')",
                  source, (long long)b->choosy, b->choosy_name);
    }
    if (b->set_delays > 0) {
        diag_warn(b->diag, "%s: %lld fifos that set or get the tokens of delays are left out", source,
                  (long long)b->set_delays);
    }
}

static bool several_types(const scenario *s)
{
    size_t i = 1;
    while (i < s->timings && strcmp(s->timing[i].type, s->timing[0].type) == 0) {
        i++;
    }
    return i < s->timings;
}

static int build_top(building *b, const char *data, size_t size, const char *source)
{
    const pi_graph *top = NULL;
    instance in = {0};
    char *file = format_graph_name(source);
    int status = file == NULL ? diag_no_memory(b->diag) : load(b, data, size, source, &top);
    if (status == INLAY_OK) {
        const char *name = top->name != NULL ? top->name : name_store_keep(b->names, file);
        b->sdf = name != NULL ? inlay_sdf_new(name, INLAY_UNIT_TICK) : NULL;
        status = b->sdf == NULL ? diag_no_memory(b->diag) : preesm_make_instance(b, top, name, &in);
    }
    free(file);
    status = status == INLAY_OK && b->s != NULL ? number_operators(b) : status;
    status = status == INLAY_OK ? place(b, &in, 0) : status;
    return status == INLAY_OK ? inlay_sdf_seal(b->sdf, source, b->diag) : status;
}

int preesm_build(const char *data, size_t size, const char *source, name_store **names, const scenario *s,
                 int32_t iterations, inlay_app **app, inlay_diag *diag)
{
    building b = {.s = s, .names = names, .diag = diag, .typed = s != NULL && several_types(s)};
    int status = build_top(&b, data, size, source);
    status = status == INLAY_OK ? inlay_sdf_app(b.sdf, iterations, app, diag) : status;
    if (status == INLAY_OK) {
        tell(&b, s != NULL ? s->source : source);
    }
    for (size_t i = 0; i < b.graphs; i++) {
        pi_clear(b.graph[i]);
        free(b.graph[i]);
    }
    free(b.graph);
    name_map_clear(&b.graph_of);
    pool_clear(&b.arrays);
    inlay_sdf_free(b.sdf);
    return status;
}

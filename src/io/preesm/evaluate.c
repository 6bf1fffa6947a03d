/* Parameters of PREESM's graphs: what expressions over them are. */
#include "base/diag.h"
#include "io/dot/expression.h"
#include "io/preesm/build.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_tokens = 0x1p40;

int preesm_fail(const building *b, const instance *in, long line, const char *what, const char *name,
                const char *expected)
{
    return diag_fail_at(b->diag, INLAY_BAD_INPUT, in->g->path, line, "%s '%.80s'; expected %s", what, name, expected);
}

static int evaluate(const building *b, const instance *in, long line, const char *text, const expression_names *names,
                    const double *value, double *result)
{
    expression *e = NULL;
    expression_error error = {""};
    int status = expression_parse(text, *names, INLAY_UNIT_NONE, &e, &error);
    status = status == INLAY_OK ? expression_evaluate(e, value, result, &error) : status;
    expression_free(e);
    return status == INLAY_BAD_INPUT
               ? diag_fail_at(b->diag, INLAY_BAD_INPUT, in->g->path, line, "expression '%.80s': %s", text, error.text)
               : status;
}

static const char *preset_of(const building *b, const instance *in, const pi_node *node)
{
    for (size_t i = 0; b->s != NULL && i < b->s->presets; i++) {
        const preset *p = &b->s->preset[i];
        if (strcmp(p->name, node->id) == 0 && in->g->name != NULL && strcmp(p->parent, in->g->name) == 0) {
            return p->value;
        }
    }
    return NULL;
}

int preesm_know(building *b, const instance *in, size_t number, int depth) /* NOLINT(misc-no-recursion): MOST_DEPTH */
{
    const pi_node *node = &in->g->node[in->parameter_node[number]];
    const char *text = preset_of(b, in, node);
    text = text != NULL ? text : node->expr;
    const expression_names names = {in->parameter_name, in->parameters};
    if (in->known[number]) {
        return INLAY_OK;
    }
    if (text == NULL || depth == MOST_DEPTH) {
        return preesm_fail(
            b, in, node->line, text == NULL ? "no value for parameter" : "parameters in a circle:", node->id,
            text == NULL ? "a graph that stands by itself, or its scenario" : "ones that depend on others");
    }
    expression *e = NULL;
    expression_error error = {""};
    int status = expression_parse(text, names, INLAY_UNIT_NONE, &e, &error);
    for (size_t i = 0; status == INLAY_OK && i < in->parameters; i++) {
        status = expression_uses(e, i) ? preesm_know(b, in, i, depth + 1) : INLAY_OK;
    }
    expression_free(e);
    if (status == INLAY_OK || error.text[0] != '\0') {
        status = evaluate(b, in, node->line, text, &names, in->parameter_value, &in->parameter_value[number]);
    }
    in->known[number] = status == INLAY_OK;
    return status;
}

/* What a node knows: the parameters that lead to it by the names that it has for them, then all others of the graph. */
static int evaluate_at(building *b, const instance *in, const pi_node *node, const char *text, double *result)
{
    size_t count = node->bindings + in->parameters;
    const char **name = memory_array(count, sizeof *name);
    double *value = memory_array(count, sizeof *value);
    int status = name == NULL || value == NULL ? diag_no_memory(b->diag) : INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < node->bindings; i++) {
        const pi_binding *binding = &in->g->binding[node->binding + i];
        name[i] = binding->name;
        value[i] = in->parameter_value[in->number[binding->parameter]];
    }
    for (size_t i = 0; status == INLAY_OK && i < in->parameters; i++) {
        name[node->bindings + i] = in->parameter_name[i];
        value[node->bindings + i] = in->parameter_value[i];
    }
    if (status == INLAY_OK) {
        status = evaluate(b, in, node->line, text, &(expression_names){name, count}, value, result);
    }
    free((void *)name);
    free(value);
    return status;
}

/* A count of tokens; what a division by 3 leaves behind the point in 3 x (n / 3) does not count. */
int preesm_tokens_at(building *b, const instance *in, const pi_node *node, const char *text, int64_t *tokens)
{
    double value = 0;
    int status = evaluate_at(b, in, node, text, &value);
    if (status != INLAY_OK) {
        return status;
    }
    double whole = round(value);
    if (!(whole >= 0 && whole <= most_tokens && fabs(value - whole) <= 1e-9 * fmax(1, whole))) {
        return diag_fail_at(b->diag, INLAY_BAD_INPUT, in->g->path, node->line,
                            "'%.80s' is %.10g at '%.80s'; expected a whole number from 0 to 2^40", text, value,
                            node->id);
    }
    *tokens = (int64_t)whole;
    return INLAY_OK;
}

int preesm_rate_at(building *b, const instance *in, const pi_fifo *fifo, bool puts, int64_t *tokens)
{
    const pi_node *n = &in->g->node[puts ? fifo->from : fifo->to];
    const char *name = puts ? fifo->from_port : fifo->to_port;
    size_t p = n->port;
    while (p < n->port + n->ports && (in->g->port[p].puts != puts || strcmp(in->g->port[p].name, name) != 0)) {
        p++;
    }
    if (p == n->port + n->ports) {
        return preesm_fail(b, in, fifo->line, "unknown port", name,
                           puts ? "an output of the source" : "an input of the target");
    }
    return preesm_tokens_at(b, in, n, in->g->port[p].expr, tokens);
}

/* ---- Graphs in their places ---- */

bool preesm_is_parameter(const pi_node *node)
{
    return node->kind == PI_PARAMETER || node->kind == PI_INTERFACE;
}

int preesm_make_instance(building *b, const pi_graph *g, const char *path, instance *in)
{
    b->nodes += (int64_t)g->nodes + (int64_t)g->fifos;
    *in = (instance){.g = g, .path = path};
    if (b->nodes > MOST_NODES) {
        return diag_fail_at(
            b->diag, INLAY_BAD_INPUT, g->path, 0,
            "more than %d nodes and fifos, with the graphs of all actors in their places; expected fewer", MOST_NODES);
    }
    in->actor = pool_array(&b->arrays, g->nodes, sizeof *in->actor);
    in->number = pool_array(&b->arrays, g->nodes, sizeof *in->number);
    in->parameter_name = pool_array(&b->arrays, g->nodes, sizeof *in->parameter_name);
    in->parameter_node = pool_array(&b->arrays, g->nodes, sizeof *in->parameter_node);
    in->parameter_value = pool_zeroed(&b->arrays, g->nodes, sizeof *in->parameter_value);
    in->known = pool_zeroed(&b->arrays, g->nodes, sizeof *in->known);
    in->total = pool_zeroed(&b->arrays, g->nodes, sizeof *in->total);
    if (b->arrays.failed) {
        return diag_no_memory(b->diag);
    }
    for (size_t i = 0; i < g->nodes; i++) {
        in->actor[i] = NO_ACTOR;
        in->number[i] = preesm_is_parameter(&g->node[i]) ? (int32_t)in->parameters : -1;
        if (preesm_is_parameter(&g->node[i])) {
            in->parameter_node[in->parameters] = (int32_t)i;
            in->parameter_name[in->parameters++] = g->node[i].id;
        }
    }
    return INLAY_OK;
}

void preesm_bind(const instance *outer, const pi_node *node, const instance *in)
{
    for (size_t i = 0; i < node->bindings; i++) {
        const pi_binding *binding = &outer->g->binding[node->binding + i];
        int32_t at = name_map_get(&in->g->node_of, binding->name);
        if (at >= 0 && in->g->node[at].kind == PI_INTERFACE) {
            in->parameter_value[in->number[at]] = outer->parameter_value[outer->number[binding->parameter]];
            in->known[in->number[at]] = true;
        }
    }
}

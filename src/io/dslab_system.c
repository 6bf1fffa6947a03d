/*
 * DSLab's systems in: resources with their speed in Gflop/s, cores and memory in MB, and a network with its bandwidth in
 * MB/s and its latency in us (crates/dslab-dag). ConstantBandwidth is a switch at which messages do not meet; TopologyAware
 * a star of cables or one between each two resources.
 */
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/dot.h"
#include "io/formats.h"
#include "io/machine_formats.h"
#include "io/yaml.h"
#include <stdlib.h>
#include <string.h>

typedef struct resource {
    char *name;
    double speed, cores, memory;
    long line;
} resource;

typedef struct dslab_system {
    const char *source;
    inlay_diag *diag;
    resource *resource;
    size_t count, capacity;
    char *model, *topology;
    double bandwidth, latency, link_bandwidth, link_latency;
} dslab_system;

bool dslab_system_looks_like(const char *data, size_t size)
{
    static const char key[] = "resources:";
    const char *end = data + size;
    while (data < end && (*data == '#' || *data == '\n')) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        data = newline == NULL ? end : newline + 1;
    }
    return (size_t)(end - data) > strlen(key) && memcmp(data, key, strlen(key)) == 0;
}

static int on_open(void *context, const yaml_place *place)
{
    dslab_system *s = context;
    if (!yaml_at(place, "resources")) {
        return INLAY_OK;
    }
    if (!memory_grow((void **)&s->resource, &s->capacity, s->count + 1, sizeof *s->resource)) {
        return diag_no_memory(s->diag);
    }
    s->resource[s->count++] = (resource){.cores = 1, .line = place->line};
    return INLAY_OK;
}

static int take_text(const dslab_system *s, char **to, const char *text)
{
    free(*to);
    *to = memory_string(text);
    return *to == NULL ? diag_no_memory(s->diag) : INLAY_OK;
}

static int on_value(void *context, const yaml_place *place, const char *text)
{
    dslab_system *s = context;
    resource last = {0};
    resource *of = s->count > 0 ? &s->resource[s->count - 1] : &last;
    const struct {
        const char *keys;
        double *number;
        bool zero;
    } numbers[] = {
        {"resources.speed", &of->speed, false},          {"resources.cores", &of->cores, false},
        {"resources.memory", &of->memory, true},         {"network.bandwidth", &s->bandwidth, false},
        {"network.latency", &s->latency, true},          {"network.link_bandwidth", &s->link_bandwidth, false},
        {"network.link_latency", &s->link_latency, true}};
    if (yaml_at(place, "resources.name") && s->count > 0) {
        return take_text(s, &of->name, text);
    }
    if (yaml_at(place, "network.model")) {
        return take_text(s, &s->model, text);
    }
    if (yaml_at(place, "network.topology")) {
        return take_text(s, &s->topology, text);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        inlay_decimal read;
        if (!yaml_at(place, numbers[i].keys)) {
            continue;
        }
        bool good =
            inlay_decimal_parse(text, &read) == INLAY_OK && (read.digits > 0 || (numbers[i].zero && read.digits == 0));
        *numbers[i].number = good ? inlay_decimal_double(read) : 0;
        return good ? INLAY_OK
                    : diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, place->line,
                                   "%s '%.40s' cannot be read; expected a number%s", place->key[place->keys - 1], text,
                                   numbers[i].zero ? ", 0 or more" : " above 0");
    }
    return INLAY_OK;
}

/* ---- The machine ---- */

static int write_resources(const dslab_system *s, text_buffer *to)
{
    for (size_t i = 0; i < s->count; i++) {
        const resource *r = &s->resource[i];
        if (r->name == NULL || !(r->speed > 0)) {
            return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, r->line, "a resource without %s; expected %s",
                                r->name == NULL ? "name" : "speed", r->name == NULL ? "name" : "speed");
        }
        text_add(to, "  ");
        to->failed |= !dot_add_id(to, r->name);
        text_addf(to, " [speed=\"%.15gGf\", cores=%.15g", r->speed, r->cores);
        if (r->memory > 0) {
            text_addf(to, ", memory=\"%.15gMB\"", r->memory);
        }
        text_add(to, "];\n");
    }
    return INLAY_OK;
}

static void write_cable(text_buffer *to, const char *from, const char *end, double bandwidth, double latency,
                        bool parallel)
{
    text_add(to, "  ");
    (void)dot_add_id(to, from);
    text_add(to, " -- ");
    (void)dot_add_id(to, end);
    text_addf(to, " [capacity=\"%.15gMB/s\", latency=\"%.15gus\"%s];\n", bandwidth, latency,
              parallel ? ", parallel=true" : "");
}

/* From each resource to the switch, which none may be called like, or to each other one. */
static void write_cables(const dslab_system *s, text_buffer *to)
{
    bool constant = strcmp(s->model, "TopologyAware") != 0;
    bool mesh = !constant && strcmp(s->topology, "full_mesh") == 0;
    static const char hub[] = "switch of the network";
    if (!mesh) {
        text_addf(to, "  \"%s\" [kind=switch];\n", hub);
    }
    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = i + 1; mesh && j < s->count; j++) {
            write_cable(to, s->resource[i].name, s->resource[j].name, s->link_bandwidth, s->link_latency, false);
        }
        if (!mesh) {
            write_cable(to, s->resource[i].name, hub, constant ? s->bandwidth : s->link_bandwidth,
                        constant ? s->latency / 2 : s->link_latency, constant);
        }
    }
}

static int check_network(const dslab_system *s)
{
    bool constant = s->model != NULL && strncmp(s->model, "ConstantBandwidth", strlen("ConstantBandwidth")) == 0;
    bool aware = s->model != NULL && strcmp(s->model, "TopologyAware") == 0 && s->topology != NULL &&
                 (strcmp(s->topology, "star") == 0 || strcmp(s->topology, "full_mesh") == 0);
    if (s->count == 0) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0, "no resources; expected at least one");
    }
    if (!constant && !aware) {
        return diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0,
                            "a network of model '%s'%s%s; expected ConstantBandwidth, or TopologyAware of a star or a "
                            "full_mesh",
                            s->model != NULL ? s->model : "", s->topology != NULL ? ", topology " : "",
                            s->topology != NULL ? s->topology : "");
    }
    return (constant ? s->bandwidth : s->link_bandwidth) > 0
               ? INLAY_OK
               : diag_fail_at(s->diag, INLAY_BAD_INPUT, s->source, 0, "a network without a bandwidth; expected %s",
                              constant ? "bandwidth" : "link_bandwidth");
}

static int write_machine(const void *of, text_buffer *to, inlay_diag *diag)
{
    (void)diag;
    const dslab_system *s = of;
    int status = check_network(s);
    text_add(to, "  graph [switching=\"cut-through\"];\n");
    status = status == INLAY_OK ? write_resources(s, to) : status;
    if (status == INLAY_OK) {
        write_cables(s, to);
    }
    return status;
}

int dslab_system_from(const char *data, size_t size, const char *source, const inlay_attribute *attributes,
                      size_t count, inlay_machine **machine, inlay_diag *diag)
{
    static const yaml_reader reader = {"a DSLab system", on_open, on_value};
    dslab_system s = {.source = source, .diag = diag};
    char *name = format_graph_name(source);
    const explicit_parts parts = {name, source, attributes, count, false};
    int status = name == NULL ? diag_no_memory(diag) : yaml_read(data, size, source, &reader, &s, diag);
    status = status == INLAY_OK ? explicit_machine(&parts, write_machine, &s, machine, diag) : status;
    for (size_t i = 0; i < s.count; i++) {
        free(s.resource[i].name);
    }
    free(s.resource);
    free(s.model);
    free(s.topology);
    free(name);
    return status;
}

/* Explicit machines that a reader writes down in DOT: how their text begins, and what all cables have in common. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/dot.h"
#include "io/dot/machine.h"
#include "io/machine_formats.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What all cables have in common; NULL: not given. */
typedef struct cable_defaults {
    const char *capacity, *latency, *duplex;
} cable_defaults;

static int refuse(const char *source, const inlay_attribute *given, const char *expected, inlay_diag *diag)
{
    return diag_fail_at(diag, INLAY_BAD_INPUT, source, given->line, "bad %s '%s'; expected %s", given->name,
                        given->value, expected);
}

/* Whether the attribute is one of cables; *status tells of one that cannot be. */
static bool take(const char *source, const inlay_attribute *given, cable_defaults *defaults, int *status,
                 inlay_diag *diag)
{
    inlay_rate rate;
    inlay_duration time;
    if (strcmp(given->name, "capacity") == 0) {
        defaults->capacity = given->value;
        if (inlay_rate_parse(given->value, &rate) != INLAY_OK) {
            *status = refuse(source, given, "a positive rate such as 1msg/tick, 100Mbit/s or 1.25GB/s", diag);
        }
        return true;
    }
    if (strcmp(given->name, "link_latency") == 0) {
        defaults->latency = given->value;
        if (inlay_duration_parse(given->value, &time) != INLAY_OK || time.value.digits < 0) {
            *status = refuse(source, given, "a time of at least 0 such as 1us or 2 ticks", diag);
        }
        return true;
    }
    if (strcmp(given->name, "duplex") == 0) {
        defaults->duplex = given->value;
        if (strcmp(given->value, "full") != 0 && strcmp(given->value, "half") != 0) {
            *status = refuse(source, given, "full or half", diag);
        }
        return true;
    }
    return false;
}

/* Takes those of cables out of the attributes; *count becomes smaller. */
static int take_defaults(const char *source, inlay_attribute *attributes, size_t *count, cable_defaults *defaults,
                         inlay_diag *diag)
{
    size_t kept = 0;
    int status = INLAY_OK;
    for (size_t i = 0; i < *count && status == INLAY_OK; i++) {
        if (!take(source, &attributes[i], defaults, &status, diag)) {
            attributes[kept++] = attributes[i];
        }
    }
    *count = kept;
    return status;
}

static void begin(const explicit_parts *parts, const cable_defaults *defaults, text_buffer *to)
{
    const char *const names[] = {"capacity", "latency", "duplex"};
    const char *const values[] = {defaults->capacity, defaults->latency, defaults->duplex};
    const char *lead = "  edge [";
    text_add(to, parts->directed ? "digraph " : "graph ");
    to->failed |= !dot_add_id(to, parts->name);
    text_add(to, " {\n  graph [network=links];\n");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i] != NULL) {
            text_addf(to, "%s%s=\"%s\"", lead, names[i], values[i]);
            lead = ", ";
        }
    }
    text_add(to, *lead == ',' ? "];\n" : "");
}

int explicit_machine(const explicit_parts *parts, int (*write)(const void *of, text_buffer *to, inlay_diag *diag),
                     const void *of, inlay_machine **machine, inlay_diag *diag)
{
    text_buffer text = {0};
    cable_defaults defaults = {0};
    size_t count = parts->count;
    inlay_attribute *attributes = memory_array(count, sizeof *attributes);
    if (attributes == NULL) {
        return diag_no_memory(diag);
    }
    for (size_t i = 0; i < count; i++) {
        attributes[i] = parts->attributes[i];
    }
    int status = take_defaults(parts->source, attributes, &count, &defaults, diag);
    if (status == INLAY_OK) {
        begin(parts, &defaults, &text);
        status = write(of, &text, diag);
        text_add(&text, "}\n");
    }
    if (status == INLAY_OK) {
        status = text.failed ? diag_no_memory(diag)
                             : dot_machine_with(text.data, text.size, parts->source, attributes, count, machine, diag);
    }
    text_clear(&text);
    free(attributes);
    return status;
}

/* ---- Hosts around a switch ---- */

char *machine_new_name(name_map *names, const char *wanted)
{
    text_buffer name = {0};
    text_add(&name, wanted);
    for (int number = 2; !name.failed && name_map_get(names, name.data) >= 0; number++) {
        name.size = 0;
        text_addf(&name, "%s.%d", wanted, number);
    }
    if (name.failed || !name_map_put(names, name.data, 0)) {
        text_clear(&name);
        return NULL;
    }
    return name.data;
}

/* The name of a host, or of the switch behind the last one. */
static char *name_node(name_map *names, const star_host *host, size_t i, size_t hosts)
{
    char wanted[DECIMAL_TEXT];
    (void)snprintf(wanted, sizeof wanted, "p%zu", i);
    return machine_new_name(names, i == hosts ? "s0" : host[i].name != NULL ? host[i].name : wanted);
}

static void add_host(text_buffer *to, const char *name, const star_host *host)
{
    char speed[DOUBLE_TEXT];
    text_add(to, "  ");
    to->failed |= !dot_add_id(to, name);
    text_addf(to, " [speed=%s", double_text(host->speed, speed));
    if (host->cores > 1) {
        text_addf(to, ", cores=%" PRId64, host->cores);
    }
    if (host->type != NULL) {
        text_add(to, ", type=");
        to->failed |= !dot_add_id(to, host->type);
    }
    text_add(to, "];\n");
}

static void add_names(const star *s, char **name, text_buffer *to)
{
    name_map names = {0};
    for (size_t i = 0; i <= s->hosts && !to->failed; i++) {
        name[i] = name_node(&names, s->host, i, s->hosts);
        to->failed |= name[i] == NULL;
        if (i < s->hosts && name[i] != NULL) {
            add_host(to, name[i], &s->host[i]);
        }
    }
    name_map_clear(&names);
}

int star_write(const void *of, text_buffer *to, inlay_diag *diag)
{
    const star *s = of;
    char **name = memory_zeroed(s->hosts + 1, sizeof *name);
    if (name == NULL) {
        return diag_no_memory(diag);
    }
    text_add(to, s->attributes != NULL ? s->attributes : "");
    add_names(s, name, to);
    if (!to->failed) {
        text_add(to, "  ");
        to->failed |= !dot_add_id(to, name[s->hosts]);
        text_add(to, " [kind=switch];\n");
    }
    for (size_t i = 0; i < s->hosts && !to->failed; i++) {
        text_add(to, "  ");
        to->failed |= !dot_add_id(to, name[i]);
        text_add(to, " -- ");
        to->failed |= !dot_add_id(to, name[s->hosts]);
        text_add(to, ";\n");
    }
    for (size_t i = 0; i <= s->hosts; i++) {
        free(name[i]);
    }
    free((void *)name);
    return INLAY_OK;
}

/* Explicit machines that a reader writes down in DOT: how their text begins, and what all cables have in common. */
#include "base/diag.h"
#include "io/dot/dot.h"
#include "io/machine_formats.h"
#include <string.h>

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

int cable_defaults_take(const char *source, inlay_attribute *attributes, size_t *count, cable_defaults *defaults,
                        inlay_diag *diag)
{
    cable_defaults found = {0};
    size_t kept = 0;
    int status = INLAY_OK;
    for (size_t i = 0; i < *count && status == INLAY_OK; i++) {
        if (!take(source, &attributes[i], &found, &status, diag)) {
            attributes[kept++] = attributes[i];
        }
    }
    if (status == INLAY_OK) {
        *count = kept;
        *defaults = found;
    }
    return status;
}

void explicit_begin(const char *name, const cable_defaults *defaults, text_buffer *to)
{
    const char *const names[] = {"capacity", "latency", "duplex"};
    const char *const values[] = {defaults->capacity, defaults->latency, defaults->duplex};
    const char *lead = "  edge [";
    text_add(to, "graph ");
    to->failed |= !dot_add_id(to, name);
    text_add(to, " {\n  graph [network=links];\n");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i] != NULL) {
            text_addf(to, "%s%s=\"%s\"", lead, names[i], values[i]);
            lead = ", ";
        }
    }
    text_add(to, *lead == ',' ? "];\n" : "");
}

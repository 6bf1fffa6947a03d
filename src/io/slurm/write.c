/* The chosen nodes as hosts, and the switches above them, in DOT. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/dot/dot.h"
#include "io/machine_formats.h"
#include "io/slurm/slurm.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What all cables have where nothing is said: ten gigabit Ethernet, as two of them with the switch between feel to MPI. */
static const char usual_capacity[] = "10Gbit/s", usual_latency[] = "5us";

/* What was given behind the name for all cables, else the usual; NULL: nothing, for the other is in ticks. */
typedef struct cables {
    const char *capacity, *latency;
    inlay_rate rate; /* of the capacity */
    bool usual_capacity, usual_latency;
    const char *uplink; /* NULL: as much as the hosts below */
} cables;

static const char *rest_value(const slurm *s, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; i < s->own.rests; i++) {
        value = strcmp(s->own.rest[i].name, name) == 0 ? s->own.rest[i].value : value;
    }
    return value;
}

static cables find_cables(const slurm *s)
{
    inlay_duration time;
    cables c = {.capacity = rest_value(s, "capacity"),
                .latency = rest_value(s, "link_latency"),
                .uplink = owned_value(&s->own, "uplink_capacity")};
    bool ticks =
        c.latency != NULL && inlay_duration_parse(c.latency, &time) == INLAY_OK && time.unit == INLAY_UNIT_TICK;
    c.usual_capacity = c.capacity == NULL && !ticks;
    c.capacity = c.usual_capacity ? usual_capacity : c.capacity;
    if (c.capacity != NULL && inlay_rate_parse(c.capacity, &c.rate) == INLAY_OK) {
        ticks = ticks || c.rate.per == INLAY_UNIT_TICK || c.rate.per == INLAY_UNIT_NONE;
    }
    c.usual_latency = c.latency == NULL && !ticks;
    c.latency = c.usual_latency ? usual_latency : c.latency;
    return c;
}

static void write_edges(const cables *c, text_buffer *to)
{
    text_add(to, "  graph [switching=\"cut-through\"];\n");
    if (c->usual_capacity) {
        text_addf(to, "  edge [capacity=\"%s\"];\n", c->capacity);
    }
    if (c->usual_latency) {
        text_addf(to, "  edge [latency=\"%s\"];\n", c->latency);
    }
}

/* ---- Hosts ---- */

static void write_host(const slurm *s, const slurm_node *node, text_buffer *to)
{
    char *type = NULL;
    if (node->features != NULL) {
        type = memory_string(node->features);
        to->failed |= type == NULL;
        if (type != NULL) {
            type[strcspn(type, ",")] = '\0';
        }
    }
    bool typed = type != NULL && *type != '\0';
    text_add(to, "  ");
    to->failed |= !dot_add_id(to, node->name);
    text_addf(to, " [cores=%" PRId64, node->cores);
    if (node->memory > 0) {
        text_addf(to, ", memory=%" PRId64, node->memory << 20);
    }
    if (typed) {
        text_add(to, ", type=");
        to->failed |= !dot_add_id(to, type);
    }
    owned_add_speed(&s->own, typed ? type : NULL, 1, to);
    text_add(to, "];\n");
    free(type);
}

/* ---- Switches ---- */

typedef struct tree {
    const slurm *s;
    cables cables;
    int64_t *below;  /* by switch: chosen nodes under it */
    char **name;     /* by switch; the last is that of one above all */
    int32_t top;     /* no cables lead up from it; the last: a switch of its own */
    int64_t orphans; /* chosen nodes without a switch */
} tree;

static void count_below(tree *t)
{
    const slurm *s = t->s;
    for (size_t i = 0; i < s->nodes; i++) {
        if (s->node[i].chosen) {
            t->orphans += s->node[i].above < 0;
            for (int32_t at = s->node[i].above; at >= 0; at = s->switches[at].above) {
                t->below[at]++;
            }
        }
    }
}

/* The lowest switch that all chosen nodes are under; else one of its own. */
static void find_top(tree *t)
{
    const slurm *s = t->s;
    int64_t all = t->orphans, least = 0;
    t->top = (int32_t)s->switch_count;
    for (size_t i = 0; i < s->switch_count; i++) {
        all += s->switches[i].above < 0 ? t->below[i] : 0;
    }
    for (size_t i = 0; i < s->switch_count; i++) {
        int64_t depth = 0;
        for (int32_t at = s->switches[i].above; at >= 0; at = s->switches[at].above) {
            depth++;
        }
        if (t->below[i] == all && depth >= least) {
            t->top = (int32_t)i;
            least = depth;
        }
    }
}

/* Above it are no switches that lead to a chosen node only over it. */
static bool is_used(const tree *t, int32_t number)
{
    int32_t at = number;
    while (at >= 0 && at != t->top) {
        at = t->s->switches[at].above;
    }
    return t->below[number] > 0 && (at == t->top || t->top == (int32_t)t->s->switch_count);
}

static int32_t parent_of(const tree *t, int32_t above)
{
    return above < 0 ? t->top : above;
}

static void name_switches(tree *t, text_buffer *to)
{
    name_map names = {0};
    const slurm *s = t->s;
    for (size_t i = 0; i < s->nodes; i++) {
        to->failed |= s->node[i].chosen && !name_map_put(&names, s->node[i].name, 0);
    }
    for (size_t i = 0; i <= s->switch_count && !to->failed; i++) {
        bool own = i == s->switch_count;
        if (own ? t->top == (int32_t)i : is_used(t, (int32_t)i)) {
            t->name[i] = machine_new_name(&names, own ? "switch" : s->switches[i].name);
            to->failed |= t->name[i] == NULL;
        }
        if (t->name[i] != NULL) {
            text_add(to, "  ");
            to->failed |= !dot_add_id(to, t->name[i]);
            text_add(to, " [kind=switch];\n");
        }
    }
    name_map_clear(&names);
}

static void begin_cable(text_buffer *to, const char *from, const char *end)
{
    text_add(to, "  ");
    to->failed |= !dot_add_id(to, from);
    text_add(to, " -- ");
    to->failed |= !dot_add_id(to, end);
}

static void write_uplink(const tree *t, int32_t number, text_buffer *to)
{
    char rate[DOUBLE_TEXT];
    const cables *c = &t->cables;
    begin_cable(to, t->name[number], t->name[parent_of(t, t->s->switches[number].above)]);
    if (c->uplink != NULL) {
        text_addf(to, " [capacity=\"%s\"]", c->uplink);
    } else if (c->capacity != NULL) {
        text_addf(to, " [capacity=\"%s%s%s%s\"]", double_text(c->rate.value * (double)t->below[number], rate),
                  c->rate.kind == INLAY_RATE_BYTES ? "B" : "msg", c->rate.per != INLAY_UNIT_NONE ? "/" : "",
                  c->rate.per != INLAY_UNIT_NONE ? inlay_unit_name(c->rate.per) : "");
    }
    text_add(to, ";\n");
}

/* How many cables lead from a switch to another. */
static int64_t write_cables(const tree *t, text_buffer *to)
{
    const slurm *s = t->s;
    int64_t uplinks = 0;
    for (size_t i = 0; i < s->nodes && !to->failed; i++) {
        if (s->node[i].chosen) {
            begin_cable(to, s->node[i].name, t->name[parent_of(t, s->node[i].above)]);
            text_add(to, ";\n");
        }
    }
    for (size_t i = 0; i < s->switch_count && !to->failed; i++) {
        if (is_used(t, (int32_t)i) && t->top != (int32_t)i) {
            write_uplink(t, (int32_t)i, to);
            uplinks++;
        }
    }
    return uplinks;
}

/* ---- What is said of it ---- */

static void say_guesses(const tree *t, int64_t uplinks, inlay_diag *diag)
{
    const slurm *s = t->s;
    const cables *c = &t->cables;
    text_buffer text = {0};
    if (!owned_has_speed(&s->own)) {
        text_add(&text, " all cores have speed 1 (speed=, speed.FEATURE=);");
    }
    if (c->usual_capacity || c->usual_latency) {
        text_addf(&text, " cables have%s%s%s;", c->usual_capacity ? " 10 Gbit/s (capacity=)" : "",
                  c->usual_capacity && c->usual_latency ? " and" : "", c->usual_latency ? " 5 us (link_latency=)" : "");
    }
    if (uplinks > 0 && c->uplink == NULL) {
        text_add(&text, " one between switches has what the hosts below it have together (uplink_capacity=);");
    }
    if (text.size > 0 && !text.failed) {
        text.data[text.size - 1] = '\0';
        diag_warn(diag, "%s: Slurm says nothing of speeds and links:%s", s->source, text.data);
    }
    text_clear(&text);
}

static void say_topology(const tree *t, inlay_diag *diag)
{
    const slurm *s = t->s;
    int64_t roots = 0;
    for (size_t i = 0; i < s->switch_count; i++) {
        roots += s->switches[i].above < 0 && t->below[i] > 0;
    }
    if (s->switch_count > 0 && t->top == (int32_t)s->switch_count) {
        diag_warn(diag,
                  "%s: %" PRId64 " parts of the topology and %" PRId64
                  " nodes without a switch are joined by one more switch",
                  s->source, roots, t->orphans);
    }
    if (s->ignored.strangers > 0) {
        diag_warn(diag,
                  "%s: nodes of the topology that the cluster does not have are left out: %" PRId64 ", such as '%s'",
                  s->source, s->ignored.strangers, s->ignored.stranger != NULL ? s->ignored.stranger : "");
    }
    if (s->ignored.speeds > 0) {
        diag_warn(diag, "%s: LinkSpeed of %" PRId64 " switch%s left out, for it has no unit", s->source,
                  s->ignored.speeds, s->ignored.speeds == 1 ? " is" : "es is");
    }
}

int slurm_write(const void *of, text_buffer *to, inlay_diag *diag)
{
    const slurm *s = of;
    inlay_rate rate;
    tree t = {.s = s, .cables = find_cables(s)};
    if (t.cables.uplink != NULL && inlay_rate_parse(t.cables.uplink, &rate) != INLAY_OK) {
        return diag_fail_at(diag, INLAY_BAD_INPUT, s->source, 0,
                            "bad uplink_capacity '%s'; expected a positive rate such as 100Mbit/s or 1.25GB/s",
                            t.cables.uplink);
    }
    t.below = memory_zeroed(s->switch_count + 1, sizeof *t.below);
    t.name = memory_zeroed(s->switch_count + 1, sizeof *t.name);
    int status = t.below == NULL || t.name == NULL ? diag_no_memory(diag) : INLAY_OK;
    if (status == INLAY_OK) {
        count_below(&t);
        find_top(&t);
        write_edges(&t.cables, to);
        for (size_t i = 0; i < s->nodes; i++) {
            if (s->node[i].chosen) {
                write_host(s, &s->node[i], to);
            }
        }
        name_switches(&t, to);
        say_guesses(&t, write_cables(&t, to), diag);
        say_topology(&t, diag);
        status = owned_check_types(&s->own, diag);
    }
    for (size_t i = 0; t.name != NULL && i <= s->switch_count; i++) {
        free(t.name[i]);
    }
    free((void *)t.name);
    free(t.below);
    return status;
}

/* Making a machine from its attributes: which of them there are, that they fit together, and its canonical string. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/text.h"
#include "machine/making.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A copy without blanks at the ends and with single ones between. */
static char *normalised(const char *value)
{
    char *copy = memory_string(value);
    if (copy == NULL) {
        return NULL;
    }
    char *to = copy;
    for (const char *from = copy; *from != '\0'; from++) {
        if (!plain_space(*from)) {
            *to++ = *from;
        } else if (to > copy && to[-1] != ' ') {
            *to++ = ' ';
        }
    }
    if (to > copy && to[-1] == ' ') {
        to--;
    }
    *to = '\0';
    return copy;
}

static int fail_unknown(const machine_making *make, const inlay_attribute *given)
{
    const char *name[ATTRIBUTES];
    char nearest[128];
    text_buffer known = {0};
    size_t count = 0;
    for (int id = 0; id < ATTRIBUTES; id++) {
        if (attribute_holds((attribute_id)id, make->machine->family)) {
            name[count] = attribute_rule_of((attribute_id)id)->name;
            text_addf(&known, "%s%s", count > 0 ? ", " : "", name[count]);
            count++;
        }
    }
    inlay_nearest(given->name, name, count, "", nearest, sizeof nearest);
    int status = known.failed
                     ? diag_no_memory(make->diag)
                     : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line,
                                    "unknown attribute '%s'%s; expected one of %s", given->name, nearest, known.data);
    text_clear(&known);
    return status;
}

/* An attribute that other families have. */
static int fail_elsewhere(const machine_making *make, const inlay_attribute *given, attribute_id id)
{
    return diag_fail_at(
        make->diag, INLAY_BAD_INPUT, make->source, given->line, "%s is no attribute of %s; expected none: %s",
        given->name, inlay_family_name(make->machine->family),
        make->machine->family == INLAY_GRAPH ? "nodes and edges have their own" : attribute_rule_of(id)->instead);
}

static int fail_value(const machine_making *make, const inlay_attribute *given, attribute_id id)
{
    text_buffer expected = {0};
    const attribute_rule *rule = attribute_rule_of(id);
    bool words = rule->kind == VALUE_WORD || rule->kind == VALUE_FLAG;
    if (id == ATTRIBUTE_NETWORK) {
        family_nearest(make->machine->value[id], &expected);
    }
    text_add(&expected, "; expected ");
    attribute_expected(id, make->machine->family, &expected);
    int status = expected.failed
                     ? diag_no_memory(make->diag)
                     : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line, "%s %s '%s'%s",
                                    words ? "unknown" : "bad", rule->name, make->machine->value[id], expected.data);
    text_clear(&expected);
    return status;
}

static int take_attribute(machine_making *make, attribute_id id, const inlay_attribute *given)
{
    const attribute_rule *rule = attribute_rule_of(id);
    if (make->machine->value[id] != NULL) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line,
                            "attribute '%s' given twice; expected once", rule->name);
    }
    char *value = make->machine->value[id] = normalised(given->value);
    if (value == NULL) {
        return diag_no_memory(make->diag);
    }
    make->line[id] = given->line;
    return attribute_read(id, make->machine, value) ? INLAY_OK : fail_value(make, given, id);
}

/* The family comes first, wherever it stands: it decides which attributes there are. */
static int take_network(machine_making *make)
{
    const char *name = attribute_rule_of(ATTRIBUTE_NETWORK)->name;
    for (size_t i = 0; i < make->count; i++) {
        if (strcmp(make->attributes[i].name, name) == 0) {
            return take_attribute(make, ATTRIBUTE_NETWORK, &make->attributes[i]);
        }
    }
    long line = make->count > 0 ? make->attributes[0].line : 0;
    text_buffer names = {0};
    family_names(&names);
    int status = names.failed ? diag_no_memory(make->diag)
                              : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, line,
                                             "no network; expected network=%s", names.data);
    text_clear(&names);
    return status;
}

static int take_others(machine_making *make)
{
    bool network_seen = false;
    for (size_t i = 0; i < make->count; i++) {
        const inlay_attribute *given = &make->attributes[i];
        int id = attribute_find(given->name);
        if (id < 0) {
            bool reference = make->machine->unlike.host != NULL && making_is_reference(given->name);
            int status = reference ? making_take_reference(make, given) : fail_unknown(make, given);
            if (status != INLAY_OK) {
                return status;
            }
            continue;
        }
        if (!attribute_holds((attribute_id)id, make->machine->family)) {
            return fail_elsewhere(make, given, (attribute_id)id);
        }
        if (id == ATTRIBUTE_NETWORK && !network_seen) {
            network_seen = true;
            continue;
        }
        int status = take_attribute(make, (attribute_id)id, given);
        if (status != INLAY_OK) {
            return status;
        }
    }
    return INLAY_OK;
}

/* ---- What no attribute alone can tell, and the values that are shown although nobody gave them ---- */

int making_need(const machine_making *make, attribute_id id)
{
    const char *name = attribute_rule_of(id)->name;
    return make->machine->value[id] != NULL
               ? INLAY_OK
               : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_NETWORK],
                              "no %s; expected %s=NUMBER", name, name);
}

int making_default(const machine_making *make, attribute_id id, const char *value)
{
    char **at = &make->machine->value[id];
    if (*at != NULL) {
        return INLAY_OK;
    }
    *at = memory_string(value);
    if (*at == NULL) {
        return diag_no_memory(make->diag);
    }
    attribute_read(id, make->machine, *at);
    return INLAY_OK;
}

/* ---- Families with links ---- */

static int fail_size(const machine_making *make, const char *what, int most)
{
    return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_PROCESSORS],
                        "%s has too many %s; expected at most %d", make->machine->value[ATTRIBUTE_PROCESSORS], what,
                        most);
}

/* Ones where nothing is given; as many numbers as there are levels where something is. */
static int complete_levels(const machine_making *make, attribute_id id, int levels, inlay_id *numbers)
{
    int given = 0;
    while (given < FAMILY_DIMENSIONS && numbers[given] > 0) {
        given++;
    }
    for (int level = given; level < FAMILY_DIMENSIONS; level++) {
        numbers[level] = 1;
    }
    return given == 0 || given == levels ? INLAY_OK
                                         : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[id],
                                                        "%s has %d numbers; expected %d, one a level",
                                                        attribute_rule_of(id)->name, given, levels);
}

/* The machine's numbers of processors and links. */
static int complete_shape(const machine_making *make, const machine_family *family)
{
    inlay_machine *machine = make->machine;
    family_shape *shape = &machine->shape;
    int status = family->check == NULL ? INLAY_OK : family->check(make);
    status = status == INLAY_OK ? complete_levels(make, ATTRIBUTE_UP, shape->dimensions, shape->up) : status;
    if (status == INLAY_OK) {
        status = complete_levels(make, ATTRIBUTE_CABLES, shape->dimensions - family->uncabled, shape->cables);
    }
    if (status != INLAY_OK) {
        return status;
    }
    family_size size = family->measure(shape);
    if (size.hosts > INT32_MAX / machine->cores) {
        return fail_size(make, "processors", INT32_MAX);
    }
    machine->processors = (inlay_id)size.hosts * machine->cores;
    return size.hosts + size.switches > MACHINE_LIMIT || 2 * size.cables > MACHINE_LIMIT
               ? fail_size(make, "links", MACHINE_LIMIT)
               : INLAY_OK;
}

/* Times of links are kept in seconds, or in ticks where the attributes are in ticks. */
static int link_unit(const machine_making *make, inlay_unit *unit)
{
    const inlay_machine *machine = make->machine;
    bool rated = machine->has_capacity; /* without a unit of time: per tick */
    bool timed = machine->link_latency.value.digits > 0 && machine->link_latency.unit != INLAY_UNIT_NONE;
    bool rate_ticks = machine->capacity.per == INLAY_UNIT_TICK || machine->capacity.per == INLAY_UNIT_NONE;
    bool time_ticks = timed && machine->link_latency.unit == INLAY_UNIT_TICK;
    if (rated && timed && rate_ticks != time_ticks) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_LINK_LATENCY],
                            "capacity is given per %s, link_latency in %s; expected both in ticks or none",
                            inlay_unit_name(rate_ticks ? INLAY_UNIT_TICK : machine->capacity.per),
                            inlay_unit_word(machine->link_latency.unit));
    }
    *unit = (rated && !rate_ticks) || (timed && !time_ticks) ? INLAY_UNIT_S : INLAY_UNIT_TICK;
    return INLAY_OK;
}

static int complete_links(const machine_making *make, const machine_family *family)
{
    inlay_machine *machine = make->machine;
    inlay_unit unit = INLAY_UNIT_TICK;
    bool shares = machine->sharing != NULL;
    machine->memory = INLAY_MEMORY_DISTRIBUTED;
    int status = complete_shape(make, family);
    status = status == INLAY_OK ? link_unit(make, &unit) : status;
    status = status == INLAY_OK
                 ? making_default(make, ATTRIBUTE_SWITCHING, shares ? "cut-through" : "store-and-forward")
                 : status;
    status = status == INLAY_OK ? making_default(make, ATTRIBUTE_MODEL, "md1") : status;
    if (status != INLAY_OK) {
        return status;
    }
    double per = unit == INLAY_UNIT_TICK ? 1 : inlay_unit_seconds(machine->capacity.per);
    const cable_kind cable = {{.capacity = machine->has_capacity ? machine->capacity.value / per : 1,
                               .latency = duration_in(machine->link_latency, unit)},
                              machine->half_duplex};
    machine->topology = family_make(family, &machine->shape, &cable);
    if (machine->topology == NULL) {
        return diag_no_memory(make->diag);
    }
    machine->topology->unit = unit;
    machine->topology->in_bytes = machine->has_capacity && machine->capacity.kind == INLAY_RATE_BYTES;
    machine->topology->has_capacity = machine->has_capacity;
    machine->topology->cut_through = machine->cut_through;
    return INLAY_OK;
}

/* A currency alone says nothing. */
static int check_currency(const machine_making *make)
{
    char *const *value = make->machine->value;
    return value[ATTRIBUTE_CURRENCY] == NULL || value[ATTRIBUTE_PRICE] != NULL
               ? INLAY_OK
               : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_CURRENCY],
                              "currency is given without price; expected price=NUMBER with it");
}

/* Counts of both become one time. */
static int check_operations(const machine_making *make)
{
    const inlay_machine *machine = make->machine;
    inlay_unit one = machine->arithmetic_time.unit, other = machine->function_time.unit;
    bool both = one != INLAY_UNIT_NONE && other != INLAY_UNIT_NONE;
    if (!both || (one == INLAY_UNIT_TICK) == (other == INLAY_UNIT_TICK)) {
        return INLAY_OK;
    }
    return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_FUNCTION_TIME],
                        "arithmetic_time is given in %s, function_time in %s; expected both in ticks or none",
                        inlay_unit_word(one), inlay_unit_word(other));
}

/* What is shared are links, by messages that are on all of their way at once. */
static int check_sharing(const machine_making *make)
{
    const inlay_machine *machine = make->machine;
    const char *word = inlay_machine_contention_word(machine);
    if (machine->sharing == NULL) {
        return INLAY_OK;
    }
    if (family_row(machine->family)->network != INLAY_NETWORK_LINKS) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_CONTENTION],
                            "contention=%s is of links, and %s has none; expected queues, none or free", word,
                            machine->value[ATTRIBUTE_NETWORK]);
    }
    if (machine->value[ATTRIBUTE_SWITCHING] != NULL && !machine->cut_through) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_SWITCHING],
                            "switching is store-and-forward; expected cut-through with contention=%s", word);
    }
    return INLAY_OK;
}

/* What goes with what, in families and in graphs. */
static int check_together(const machine_making *make)
{
    int status = check_currency(make);
    status = status == INLAY_OK ? check_sharing(make) : status;
    return status == INLAY_OK ? check_operations(make) : status;
}

static int complete(const machine_making *make)
{
    int status = making_need(make, ATTRIBUTE_PROCESSORS);
    status = status == INLAY_OK ? check_together(make) : status;
    if (status != INLAY_OK) {
        return status;
    }
    const machine_family *family = family_row(make->machine->family);
    return family->complete == NULL ? complete_links(make, family) : family->complete(make);
}

int making_text(inlay_machine *machine)
{
    text_buffer line = {0};
    text_addf(&line, "%s:%s", machine->value[ATTRIBUTE_NETWORK], machine->value[ATTRIBUTE_PROCESSORS]);
    for (int id = ATTRIBUTE_PROCESSORS + 1; id < ATTRIBUTES; id++) {
        if (machine->value[id] != NULL) {
            text_addf(&line, ",%s=%s", attribute_rule_of((attribute_id)id)->name, machine->value[id]);
        }
    }
    if (line.failed) {
        text_clear(&line);
        return INLAY_NO_MEMORY;
    }
    free(machine->text);
    machine->text = line.data;
    return INLAY_OK;
}

/* FAMILY:PROCESSORS and the other attributes in canonical order; it names the machine where nobody did. */
static int describe(machine_making *make, const char *name)
{
    inlay_machine *machine = make->machine;
    int status = machine_relate_speeds(make, 0);
    if (status != INLAY_OK) {
        return status;
    }
    if (making_text(machine) != INLAY_OK) {
        return diag_no_memory(make->diag);
    }
    machine->name = memory_string(name != NULL && *name != '\0' ? name : machine->text);
    return machine->name == NULL ? diag_no_memory(make->diag) : INLAY_OK;
}

static void machine_defaults(inlay_machine *machine)
{
    machine->transfers = 1;
    machine->packets = 1;
    machine->cores = 1;
    machine->alike.speed = 1;
    machine->processor_memory = -1;
    machine->common_memory = -1;
}

int inlay_machine_make(const char *name, const char *source, const inlay_attribute *attributes, size_t count,
                       inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    machine_making make = {memory_zeroed(1, sizeof *make.machine), source, attributes, count, {0}, diag};
    if (make.machine == NULL) {
        return diag_no_memory(diag);
    }
    machine_defaults(make.machine);
    int status = take_network(&make);
    if (status == INLAY_OK && make.machine->family == INLAY_GRAPH) {
        status = diag_fail_at(diag, INLAY_BAD_INPUT, source, make.line[ATTRIBUTE_NETWORK],
                              "links without nodes; expected a file that has them, or a family of machines");
    }
    status = status == INLAY_OK ? take_others(&make) : status;
    status = status == INLAY_OK ? complete(&make) : status;
    status = status == INLAY_OK ? describe(&make, name) : status;
    if (status != INLAY_OK) {
        inlay_machine_free(make.machine);
        return status;
    }
    *machine = make.machine;
    return INLAY_OK;
}

/* ---- Machines that a file gives node by node ---- */

static bool same_kind(const machine_host *a, const machine_host *b)
{
    bool types = a->type == NULL || b->type == NULL ? a->type == b->type : strcmp(a->type, b->type) == 0;
    return types && !(a->speed < b->speed) && !(a->speed > b->speed) && !(a->flops < b->flops) &&
           !(a->flops > b->flops) && a->memory == b->memory;
}

/* Copies the hosts, and numbers their cores. */
static int take_hosts(const machine_making *make, const machine_host *host, inlay_id hosts)
{
    machine_processors *unlike = &make->machine->unlike;
    int64_t processors = 0;
    for (inlay_id h = 0; h < hosts; h++) {
        processors += host[h].cores;
    }
    if (processors > MACHINE_LIMIT) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, 0,
                            "%" PRId64 " processors on hosts given one by one; expected at most %d", processors,
                            MACHINE_LIMIT);
    }
    unlike->host = memory_zeroed((size_t)hosts, sizeof *unlike->host);
    unlike->host_of = memory_array((size_t)processors, sizeof *unlike->host_of);
    if (unlike->host == NULL || unlike->host_of == NULL) {
        return diag_no_memory(make->diag);
    }
    for (inlay_id h = 0; h < hosts; h++) {
        unlike->host[h] = host[h];
        unlike->host[h].type = host[h].type == NULL ? NULL : memory_string(host[h].type);
        if (host[h].type != NULL && unlike->host[h].type == NULL) {
            return diag_no_memory(make->diag);
        }
        unlike->differ = unlike->differ || !same_kind(&host[h], &host[0]);
        for (inlay_id core = 0; core < host[h].cores; core++) {
            unlike->host_of[make->machine->processors++] = h;
        }
    }
    return INLAY_OK;
}

static int take_text(const machine_making *make, const machine_parts *parts)
{
    inlay_machine *machine = make->machine;
    machine->text = memory_string(parts->source);
    machine->name = memory_string(parts->name != NULL && *parts->name != '\0' ? parts->name : parts->source);
    machine->document = memory_string(parts->document);
    machine->format = memory_string(parts->format);
    machine->value[ATTRIBUTE_NETWORK] = memory_string(inlay_family_name(INLAY_GRAPH));
    return machine->text == NULL || machine->name == NULL || machine->document == NULL || machine->format == NULL ||
                   machine->value[ATTRIBUTE_NETWORK] == NULL
               ? diag_no_memory(make->diag)
               : INLAY_OK;
}

static int complete_graph(const machine_making *make)
{
    inlay_machine *machine = make->machine;
    topology *t = machine->topology;
    machine->memory = INLAY_MEMORY_DISTRIBUTED;
    if (machine->value[ATTRIBUTE_SWITCHING] != NULL) {
        t->cut_through = machine->cut_through;
    } else if (machine->sharing != NULL) {
        t->cut_through = true;
    }
    int status = making_default(make, ATTRIBUTE_SWITCHING, t->cut_through ? "cut-through" : "store-and-forward");
    status = status == INLAY_OK ? making_default(make, ATTRIBUTE_MODEL, "md1") : status;
    return status == INLAY_OK ? check_together(make) : status;
}

int machine_assemble(const machine_parts *parts, inlay_machine **machine, inlay_diag *diag)
{
    machine_making make = {
        memory_zeroed(1, sizeof *make.machine), parts->source, parts->attributes, parts->count, {0}, diag};
    if (make.machine == NULL) {
        topology_free(parts->topology);
        return diag_no_memory(diag);
    }
    machine_defaults(make.machine);
    make.machine->family = INLAY_GRAPH;
    make.machine->topology = parts->topology;
    int status = take_hosts(&make, parts->host, parts->topology->hosts);
    status = status == INLAY_OK ? take_others(&make) : status;
    status = status == INLAY_OK ? machine_relate_speeds(&make, parts->reference) : status;
    status = status == INLAY_OK ? take_text(&make, parts) : status;
    status = status == INLAY_OK ? complete_graph(&make) : status;
    if (status != INLAY_OK) {
        inlay_machine_free(make.machine);
        return status;
    }
    *machine = make.machine;
    return INLAY_OK;
}

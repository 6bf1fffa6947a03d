/* Making a machine from its attributes: which of them there are, that they fit together, and its canonical string. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "machine/machine.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* What is being made and where messages say it stands. */
typedef struct making {
    inlay_machine *machine;
    const char *source;
    const inlay_attribute *attributes;
    size_t count;
    long line[ATTRIBUTES]; /* where each attribute that was given stands */
    inlay_diag *diag;
} making;

/* A copy without blanks at the ends and with single ones between. */
static char *normalised(const char *value)
{
    char *copy = memory_string(value);
    if (copy == NULL) {
        return NULL;
    }
    char *to = copy;
    for (const char *from = copy; *from != '\0'; from++) {
        if (!isspace((unsigned char)*from)) {
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

static int fail_unknown(const making *make, const inlay_attribute *given)
{
    text_buffer known = {0};
    const char *separator = "";
    for (int id = 0; id < ATTRIBUTES; id++) {
        const attribute_rule *rule = attribute_rule_of((attribute_id)id);
        if (attribute_holds((attribute_id)id, make->machine->family)) {
            text_addf(&known, "%s%s", separator, rule->name);
            separator = ", ";
        }
    }
    int status = known.failed ? diag_no_memory(make->diag)
                              : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line,
                                             "unknown attribute '%s'; expected one of %s", given->name, known.data);
    text_clear(&known);
    return status;
}

/* An attribute that other families have. */
static int fail_elsewhere(const making *make, const inlay_attribute *given, attribute_id id)
{
    return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line,
                        "%s is no attribute of %s; expected none: %s", given->name,
                        inlay_family_name(make->machine->family), attribute_rule_of(id)->instead);
}

static int take_attribute(making *make, attribute_id id, const inlay_attribute *given)
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
    if (!rule->read(make->machine, value)) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line, "%s '%s'; expected %s", rule->wrong,
                            value, rule->expected);
    }
    return INLAY_OK;
}

/* The family comes first, wherever it stands: it decides which attributes there are. */
static int take_network(making *make)
{
    const char *name = attribute_rule_of(ATTRIBUTE_NETWORK)->name;
    for (size_t i = 0; i < make->count; i++) {
        if (strcmp(make->attributes[i].name, name) == 0) {
            return take_attribute(make, ATTRIBUTE_NETWORK, &make->attributes[i]);
        }
    }
    long line = make->count > 0 ? make->attributes[0].line : 0;
    return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, line, "no network; expected network=%s",
                        attribute_rule_of(ATTRIBUTE_NETWORK)->expected);
}

static int take_others(making *make)
{
    bool network_seen = false;
    for (size_t i = 0; i < make->count; i++) {
        const inlay_attribute *given = &make->attributes[i];
        int id = attribute_find(given->name);
        if (id < 0) {
            return fail_unknown(make, given);
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

static int need(const making *make, attribute_id id)
{
    const char *name = attribute_rule_of(id)->name;
    return make->machine->value[id] != NULL
               ? INLAY_OK
               : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_NETWORK],
                              "no %s; expected %s=NUMBER", name, name);
}

static int set_default(const making *make, attribute_id id, const char *value)
{
    char **at = &make->machine->value[id];
    if (*at != NULL) {
        return INLAY_OK;
    }
    *at = memory_string(value);
    if (*at == NULL) {
        return diag_no_memory(make->diag);
    }
    attribute_rule_of(id)->read(make->machine, *at);
    return INLAY_OK;
}

static int complete_bus(const making *make)
{
    inlay_machine *machine = make->machine;
    if (machine->value[ATTRIBUTE_COMMON_MEMORY] != NULL && machine->memory != INLAY_MEMORY_COMMON) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_COMMON_MEMORY],
                            "common_memory on a machine without common memory; expected memory=common with it");
    }
    machine->buses = 1;
    machine->memories = machine->memory == INLAY_MEMORY_COMMON ? 1 : 0;
    return set_default(make, ATTRIBUTE_MEMORY, "distributed");
}

static int complete_multibus(const making *make)
{
    inlay_machine *machine = make->machine;
    int status = need(make, ATTRIBUTE_MEMORIES);
    if (status == INLAY_OK) {
        status = need(make, ATTRIBUTE_BUSES);
    }
    if (status == INLAY_OK && machine->buses > machine->memories) {
        status =
            diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_BUSES],
                         "buses=%d is more than memories=%d, and a memory serves one bus at a time; expected 1 to %d",
                         machine->buses, machine->memories, machine->memories);
    }
    machine->memory = INLAY_MEMORY_COMMON;
    return status == INLAY_OK ? set_default(make, ATTRIBUTE_MODEL, "paper") : status;
}

static int complete_omega(const making *make)
{
    inlay_machine *machine = make->machine;
    bool common = machine->family == INLAY_OMEGA;
    int status = set_default(make, ATTRIBUTE_SWITCH, "2");
    if (status == INLAY_OK) {
        status = set_default(make, ATTRIBUTE_PACKETS, "1");
    }
    if (status != INLAY_OK) {
        return status;
    }
    int64_t n = machine->switch_size, power = omega_size_from(machine->processors, n);
    if (power != machine->processors) {
        int64_t below = power / n >= n ? power / n : power, above = below * n <= INT32_MAX ? below * n : below;
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_PROCESSORS],
                            "%d processors are no power of switch=%d; expected for example %" PRId64 " or %" PRId64,
                            machine->processors, machine->switch_size, below, above);
    }
    if (machine->value[ATTRIBUTE_TRANSIT] != NULL && machine->value[ATTRIBUTE_CYCLE] == NULL) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_TRANSIT],
                            "transit is given without cycle; expected cycle=TIME with it");
    }
    machine->memory = common ? INLAY_MEMORY_COMMON : INLAY_MEMORY_DISTRIBUTED;
    machine->memories = common ? machine->processors : 0;
    return INLAY_OK;
}

/* A currency alone says nothing. */
static int check_currency(const making *make)
{
    char *const *value = make->machine->value;
    return value[ATTRIBUTE_CURRENCY] == NULL || value[ATTRIBUTE_PRICE] != NULL
               ? INLAY_OK
               : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_CURRENCY],
                              "currency is given without price; expected price=NUMBER with it");
}

static int complete(const making *make)
{
    int status = need(make, ATTRIBUTE_PROCESSORS);
    if (status == INLAY_OK) {
        status = check_currency(make);
    }
    if (status != INLAY_OK) {
        return status;
    }
    switch (make->machine->family) {
    case INLAY_BUS: return complete_bus(make);
    case INLAY_MULTIBUS: return complete_multibus(make);
    case INLAY_OMEGA:
    case INLAY_OMEGA_PE: return complete_omega(make);
    }
    return INLAY_OK;
}

/* FAMILY:PROCESSORS and the other attributes in canonical order; it names the machine where nobody did. */
static int describe(making *make, const char *name)
{
    inlay_machine *machine = make->machine;
    text_buffer line = {0};
    text_addf(&line, "%s:%s", machine->value[ATTRIBUTE_NETWORK], machine->value[ATTRIBUTE_PROCESSORS]);
    for (int id = ATTRIBUTE_PROCESSORS + 1; id < ATTRIBUTES; id++) {
        if (machine->value[id] != NULL) {
            text_addf(&line, ",%s=%s", attribute_rule_of((attribute_id)id)->name, machine->value[id]);
        }
    }
    if (line.failed) {
        text_clear(&line);
        return diag_no_memory(make->diag);
    }
    machine->text = line.data;
    machine->name = memory_string(name != NULL && *name != '\0' ? name : machine->text);
    return machine->name == NULL ? diag_no_memory(make->diag) : INLAY_OK;
}

int inlay_machine_make(const char *name, const char *source, const inlay_attribute *attributes, size_t count,
                       inlay_machine **machine, inlay_diag *diag)
{
    making make = {memory_zeroed(1, sizeof *make.machine), source, attributes, count, {0}, diag};
    if (make.machine == NULL) {
        return diag_no_memory(diag);
    }
    make.machine->transfers = 1;
    make.machine->packets = 1;
    make.machine->processor_memory = -1;
    make.machine->common_memory = -1;
    int status = take_network(&make);
    if (status == INLAY_OK) {
        status = take_others(&make);
    }
    if (status == INLAY_OK) {
        status = complete(&make);
    }
    if (status == INLAY_OK) {
        status = describe(&make, name);
    }
    if (status != INLAY_OK) {
        inlay_machine_free(make.machine);
        return status;
    }
    *machine = make.machine;
    return INLAY_OK;
}

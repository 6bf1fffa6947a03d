/* Speeds: numbers, or operations a second that are related to a processor on which the times of applications hold. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/memory.h"
#include "machine/making.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool speed_read(const char *text, double *speed, double *flops)
{
    inlay_decimal number;
    if (inlay_decimal_parse(text, &number) != INLAY_OK) {
        return inlay_flops_parse(text, flops) == INLAY_OK;
    }
    *speed = inlay_decimal_double(number);
    return number.digits > 0;
}

/* Hosts of the machine, or the one that stands for all processors of a family. */
static machine_host *hosts_of(inlay_machine *machine, inlay_id *count)
{
    *count = machine->unlike.host == NULL ? 1 : machine->topology->hosts;
    return machine->unlike.host == NULL ? &machine->alike : machine->unlike.host;
}

static void relate(inlay_machine *machine, double one)
{
    inlay_id count;
    machine_host *host = hosts_of(machine, &count);
    machine->flops = one;
    for (inlay_id h = 0; h < count; h++) {
        host[h].speed = host[h].flops / (host[h].reference > 0 ? host[h].reference : one);
    }
}

double machine_flops_of(const inlay_machine *machine, inlay_id processor)
{
    const machine_processors *unlike = &machine->unlike;
    const machine_host *host = unlike->host == NULL ? &machine->alike : &unlike->host[unlike->host_of[processor]];
    return host->reference > 0 ? host->flops : host->speed * machine->flops;
}

bool machine_has_references(const inlay_machine *machine)
{
    bool some = false;
    for (inlay_id h = 0; machine->unlike.host != NULL && h < machine->topology->hosts; h++) {
        some = some || machine->unlike.host[h].reference > 0;
    }
    return some;
}

/* ---- References of types ---- */

static const char of_type[] = "reference_speed.";

bool making_is_reference(const char *name)
{
    return strncmp(name, of_type, strlen(of_type)) == 0;
}

int making_take_reference(const machine_making *make, const inlay_attribute *given)
{
    const char *type = given->name + strlen(of_type);
    inlay_machine *machine = make->machine;
    double flops;
    bool found = false, unit = true;
    if (inlay_flops_parse(given->value, &flops) != INLAY_OK) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line,
                            "bad %s '%s'; expected operations a second such as 1Gf", given->name, given->value);
    }
    for (inlay_id h = 0; h < machine->topology->hosts; h++) {
        machine_host *host = &machine->unlike.host[h];
        if (host->type != NULL && strcmp(host->type, type) == 0) {
            host->reference = flops;
            found = true;
            unit = unit && host->flops > 0;
        }
    }
    if (!found) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line,
                            "%s is given and no processor is of type '%s'; expected the type of one", given->name,
                            type);
    }
    return unit ? INLAY_OK
                : diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, given->line,
                               "%s is given but the speeds have no unit; expected speeds such as 2Gf with it",
                               given->name);
}

/* ---- The machine's ---- */

/* The attribute as it holds; false when out of memory. */
static bool say_reference(inlay_machine *machine)
{
    static const struct {
        double flops;
        const char *unit;
    } units[] = {{1e12, "Tf"}, {1e9, "Gf"}, {1e6, "Mf"}, {1, "f"}};
    char digits[DOUBLE_TEXT], text[DOUBLE_TEXT + 2];
    char **value = &machine->value[ATTRIBUTE_REFERENCE_SPEED];
    size_t unit = 0;
    while (units[unit].flops > 1 &&
           (machine->flops < units[unit].flops || fmod(machine->flops, units[unit].flops) > 0)) {
        unit++;
    }
    (void)snprintf(text, sizeof text, "%s%s", double_text(machine->flops / units[unit].flops, digits),
                   units[unit].unit);
    free(*value);
    *value = memory_string(text);
    return *value != NULL;
}

int machine_relate_speeds(const machine_making *make, double reference)
{
    inlay_machine *machine = make->machine;
    inlay_id count, absolute = 0, fastest = -1; /* of those on which times hold for want of anything else */
    const machine_host *host = hosts_of(machine, &count);
    bool differ = false, given = machine->reference > 0 || reference > 0;
    for (inlay_id h = 0; h < count; h++) {
        absolute += host[h].flops > 0;
        if (!(host[h].reference > 0)) {
            differ = differ ||
                     (fastest >= 0 && (host[h].flops < host[fastest].flops || host[h].flops > host[fastest].flops));
            fastest = fastest < 0 || host[h].flops > host[fastest].flops ? h : fastest;
        }
    }
    fastest = fastest < 0 ? 0 : fastest; /* it matters to none then */
    if (absolute == 0 && machine->reference > 0) {
        return diag_fail_at(
            make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_REFERENCE_SPEED],
            "reference_speed is given but the speeds have no unit; expected speeds such as 2Gf with it");
    }
    if (absolute > 0 && absolute < count) {
        return diag_fail_at(make->diag, INLAY_BAD_INPUT, make->source, make->line[ATTRIBUTE_SPEED],
                            "some speeds are in operations a second, %d of %d, others have no unit; expected one kind",
                            (int)absolute, (int)count);
    }
    if (absolute > 0) {
        relate(machine, machine->reference > 0 ? machine->reference : reference > 0 ? reference : host[fastest].flops);
    }
    machine->fastest = differ && !given;
    if (reference > 0 && machine->value[ATTRIBUTE_REFERENCE_SPEED] == NULL) { /* the file says it in its own way */
        return say_reference(machine) ? INLAY_OK : diag_no_memory(make->diag);
    }
    return INLAY_OK;
}

void machine_warn_of_speeds(const inlay_machine *machine, inlay_diag *diag)
{
    inlay_id fastest = 0;
    char name[INLAY_MACHINE_NAME];
    if (!machine->fastest) {
        return;
    }
    while (machine->unlike.host[fastest].reference > 0 || machine->unlike.host[fastest].speed < 1) {
        fastest++;
    }
    diag_warn(diag, "%s: hosts differ in speed: the times of modules hold on the fastest, '%s' (%g Gflop/s)",
              machine->text, inlay_machine_node_name(machine, fastest, name), machine->flops / 1e9);
}

/* False when out of memory. */
static bool set_reference(inlay_machine *machine, double flops)
{
    bool named_by_text = strcmp(machine->name, machine->text) == 0;
    relate(machine, flops);
    machine->reference = flops;
    machine->fastest = false;
    if (!say_reference(machine)) {
        return false;
    }
    if (machine->document != NULL) {
        return true;
    }
    if (making_text(machine) != INLAY_OK) {
        return false;
    }
    if (named_by_text) {
        free(machine->name);
        machine->name = memory_string(machine->text);
    }
    return machine->name != NULL;
}

int inlay_machine_refer(inlay_machine *machine, double flops, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (!(flops > 0) || isinf(flops)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a reference speed of %g flop/s; expected a number above 0", flops);
    }
    if (!(machine->flops > 0)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT,
                         "the speeds of machine '%s' have no unit; expected speeds such as 2Gf", machine->name);
    }
    return set_reference(machine, flops) ? INLAY_OK : diag_no_memory(diag);
}

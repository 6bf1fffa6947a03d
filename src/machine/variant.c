/* A machine like another, one attribute changed. */
#include "machine/variant.h"
#include "base/memory.h"
#include "machine/machine.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of `processors` for at least so many: one dimension grows; with several cores, hosts are counted. */
static void enough_processors(const inlay_machine *machine, int64_t wanted, char *text, size_t size)
{
    const machine_family *family = family_row(machine->family);
    const family_shape *shape = &machine->shape;
    int64_t cores = machine->cores, hosts = wanted / cores + (wanted % cores != 0);
    hosts = family->enough == NULL ? hosts : family->enough(machine, hosts);
    int grows = family->grows_first ? 0 : shape->dimensions - 1;
    int64_t others = 1;
    for (int d = 0; d < shape->dimensions; d++) {
        others *= d == grows ? 1 : shape->size[d];
    }
    size_t used = 0;
    for (int d = 0; d < shape->dimensions && used < size; d++) {
        int64_t length = d == grows ? (hosts + others - 1) / others : shape->size[d];
        used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, d == 0 ? "" : "x", length);
    }
}

char *machine_text_with(const inlay_machine *machine, const char *attribute, int64_t value)
{
    size_t count = inlay_machine_attributes(machine);
    if (machine->family == INLAY_GRAPH) {
        return NULL;
    }
    inlay_attribute *attributes = memory_array(count + 1, sizeof *attributes);
    if (attributes == NULL) {
        return NULL;
    }
    char digits[12 * FAMILY_DIMENSIONS];
    if (strcmp(attribute, attribute_rule_of(ATTRIBUTE_PROCESSORS)->name) == 0) {
        enough_processors(machine, value, digits, sizeof digits);
    } else {
        snprintf(digits, sizeof digits, "%" PRId64, value);
    }
    bool replaced = false;
    for (size_t i = 0; i < count; i++) {
        attributes[i] = inlay_machine_attribute(machine, i);
        if (strcmp(attributes[i].name, attribute) == 0) {
            attributes[i].value = digits;
            replaced = true;
        }
    }
    if (!replaced) {
        attributes[count++] = (inlay_attribute){attribute, digits, 0};
    }
    inlay_machine *changed = NULL;
    char *string = NULL;
    if (inlay_machine_make("", "", attributes, count, &changed, NULL) == INLAY_OK) {
        string = memory_string(inlay_machine_text(changed));
    }
    inlay_machine_free(changed);
    free(attributes);
    return string;
}

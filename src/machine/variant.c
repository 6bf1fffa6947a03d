/* A machine like another, one attribute changed. */
#include "machine/variant.h"
#include "base/memory.h"
#include "machine/machine.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *machine_text_with(const inlay_machine *machine, const char *attribute, int64_t value)
{
    size_t count = inlay_machine_attributes(machine);
    inlay_attribute *attributes = memory_array(count + 1, sizeof *attributes);
    if (attributes == NULL) {
        return NULL;
    }
    if (machine->switch_size > 0 && strcmp(attribute, attribute_rule_of(ATTRIBUTE_PROCESSORS)->name) == 0) {
        value = omega_size_from(value, machine->switch_size);
    }
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, value);
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

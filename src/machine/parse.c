/* Making a machine from its string, FAMILY:PROCESSORS[,attribute=value...]. */
#include "base/diag.h"
#include "base/memory.h"
#include "base/plain.h"
#include "machine/machine.h"
#include <stdlib.h>
#include <string.h>

/* Cut a string in place at the first mark; what stands behind the mark, or NULL where there is none. */
static char *cut(char *string, char mark)
{
    char *at = strchr(string, mark);
    if (at == NULL) {
        return NULL;
    }
    *at = '\0';
    return at + 1;
}

/* Split `rest` (cut apart on the way) into name=value pairs. */
static int split_attributes(char *rest, const char *source, inlay_attribute *attributes, size_t *count,
                            inlay_diag *diag)
{
    while (rest != NULL) {
        char *item = rest;
        rest = cut(item, ',');
        char *value = cut(item, '=');
        char *name = plain_trim(item, PLAIN_SPACES);
        if (value == NULL || *name == '\0') {
            return diag_fail_at(diag, INLAY_BAD_INPUT, source, 0, "'%s%s' is no attribute; expected attribute=value",
                                name, value == NULL ? "" : "=");
        }
        attributes[(*count)++] = (inlay_attribute){name, value, 0};
    }
    return INLAY_OK;
}

static size_t count_items(const char *string)
{
    size_t count = 1;
    for (const char *c = strchr(string, ','); c != NULL; c = strchr(c + 1, ',')) {
        count++;
    }
    return count;
}

int inlay_machine_parse(const char *text, inlay_machine **machine, inlay_diag *diag)
{
    DIAG_CALL(diag);
    const char *source = *text == '\0' ? "''" : text;
    char *copy = memory_string(text);
    inlay_attribute *attributes = memory_array(count_items(text) + 1, sizeof *attributes);
    int status = INLAY_OK;
    if (copy == NULL || attributes == NULL) {
        status = diag_no_memory(diag);
        goto done;
    }
    char *rest = cut(copy, ',');
    char *processors = cut(copy, ':');
    if (processors == NULL) {
        status =
            diag_fail_at(diag, INLAY_BAD_INPUT, source, 0,
                         "no number of processors; expected FAMILY:PROCESSORS[,attribute=value...] such as bus:16");
        goto done;
    }
    size_t count = 2;
    attributes[0] = (inlay_attribute){"network", copy, 0};
    attributes[1] = (inlay_attribute){"processors", processors, 0};
    status = split_attributes(rest, source, attributes, &count, diag);
    status = status == INLAY_OK ? inlay_machine_make(NULL, source, attributes, count, machine, diag) : status;
done:
    free(attributes);
    free(copy);
    return status;
}

/* Options of reading. */
#include "reading.h"
#include "report.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(reading_values, name)

static const cli_option options[] = {
    {"graph", 0, OPTION_STRING, "NAME|N", "of several graphs in a file the one of this name, or the N-th", NULL,
     FIELD(graph)},
    {"iterations", 0, OPTION_COUNT, "N", "of a dataflow graph the firings of N iterations", "1", FIELD(iterations)},
    {"attribute", 0, OPTION_TEXTS, "OURS=THEIRS",
     "a file of DOT, GraphML or CSV calls an attribute of ours something else: time=wcet; as often as needed", NULL,
     FIELD(attributes)},
    {"links-from-files", 0, OPTION_FLAG, NULL,
     "a file that one task writes and another reads makes a link, also where the file lists none", NULL,
     FIELD(file_links)},
    {"blocks-from-files", 0, OPTION_FLAG, NULL, "files that no task writes, or none reads, become data blocks", NULL,
     FIELD(file_blocks)},
    {"storage", 0, OPTION_STRING, "N",
     "files that no task writes, or none reads, come from processor N and go there: the machine's storage, from 0",
     NULL, FIELD(storage)},
};
const cli_group reading_options = {"Reading applications", options, sizeof options / sizeof *options};

/* Cuts NAME=VALUE apart where it stands. */
static bool take_attribute(char *text, inlay_attribute *attribute)
{
    char *value = strchr(text, '=');
    if (value == NULL || value == text || value[1] == '\0') {
        return false;
    }
    *value++ = '\0';
    *attribute = (inlay_attribute){text, value, 0};
    return true;
}

static int read_storage(const invocation *call, const reading_values *values, inlay_reading *how)
{
    enum { DIGITS = 9 };
    if (values->storage == NULL) {
        return EXIT_DONE;
    }
    size_t digits = strspn(values->storage, "0123456789");
    if (digits > DIGITS || values->storage[digits] != '\0') {
        return report_usage(call->command, "--storage '%s'; expected the number of a processor, 0 or more",
                            values->storage);
    }
    if (values->file_blocks) {
        return report_usage(call->command, "only one of --storage and --blocks-from-files can be given");
    }
    how->file_storage = true;
    how->storage = (inlay_id)strtol(values->storage, NULL, 10);
    return EXIT_DONE;
}

int reading_of(const invocation *call, const reading_values *values, const char *format, reading *of)
{
    size_t room = 1;
    for (size_t i = 0; i < values->attributes.count; i++) {
        room += strlen(values->attributes.text[i]) + 1;
    }
    *of = (reading){.names = malloc(room)};
    of->how = (inlay_reading){.format = format,
                              .graph = values->graph,
                              .iterations = values->iterations,
                              .attribute_count = values->attributes.count,
                              .file_links = values->file_links,
                              .file_blocks = values->file_blocks};
    if (of->names == NULL) {
        return INLAY_NO_MEMORY;
    }
    char *to = of->names;
    for (size_t i = 0; i < values->attributes.count; i++) {
        size_t size = strlen(values->attributes.text[i]) + 1;
        memcpy(to, values->attributes.text[i], size);
        if (!take_attribute(to, &of->attribute[i])) {
            return report_usage(call->command, "--attribute '%s'; expected OURS=THEIRS, as time=wcet",
                                values->attributes.text[i]);
        }
        to += size;
    }
    of->how.attributes = of->attribute;
    return read_storage(call, values, &of->how);
}

bool reading_asks(const reading *of)
{
    return of->how.format != NULL || of->how.graph != NULL || of->how.iterations > 0 || of->how.attribute_count > 0 ||
           of->how.file_links || of->how.file_blocks || of->how.file_storage;
}

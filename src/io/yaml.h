/* YAML through libyaml: values one by one, with the keys that lead to them and their lines. Aliases are refused. */
#ifndef IO_YAML_H
#define IO_YAML_H

#include <inlay/status.h>
#include <stdbool.h>
#include <stddef.h>

enum { YAML_KEYS = 8 };

/** Where a value stands: in tasks[3].outputs[0].name the keys are tasks, outputs, name. */
typedef struct yaml_place {
    int keys;
    const char *key[YAML_KEYS];
    long line;
} yaml_place;

/** Whether these are the keys, of which "tasks.outputs.name" has three. */
bool yaml_at(const yaml_place *place, const char *keys);

/** What a reader does. Handlers return a status; the first that is not INLAY_OK ends the reading. */
typedef struct yaml_reader {
    const char *expected;                                /**< what the text should be, for messages: "a DSLab DAG" */
    int (*open)(void *context, const yaml_place *place); /**< a mapping begins; NULL: not wanted */
    int (*value)(void *context, const yaml_place *place, const char *text);
} yaml_reader;

/** INLAY_BAD_INPUT also where Inlay was built without libyaml. */
int yaml_read(const char *data, size_t size, const char *source, const yaml_reader *reader, void *context,
              inlay_diag *diag);

#endif

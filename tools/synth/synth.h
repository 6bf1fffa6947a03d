/* What `synth` and `run` share: how the synthetic program is made. */
#ifndef TOOLS_SYNTH_H
#define TOOLS_SYNTH_H

#include "options.h"
#include <inlay/synth.h>

/** Choices are places in the words of their option. */
typedef struct synth_values {
    common_values common;
    const char *app;
    double tick;
    int work, memory, ranks;
    const char *message_size;
} synth_values;

/** These options, for commands whose values begin with a synth_values. */
extern const cli_group synth_program;

/** Everything about them that needs no file. Returns an exit status, and has said what is wrong. */
int synth_check_usage(const invocation *call);

/** The library's options from the command's. Returns an exit status, and has said what is wrong. */
int synth_options(const invocation *call, const inlay_mapping *mapping, inlay_synth_options *options);

#endif

/* All commands; adding one is a file of its own, a line here and a line in commands.c. */
#ifndef TOOLS_COMMANDS_H
#define TOOLS_COMMANDS_H

#include "options.h"

extern const cli_command map_command;
extern const cli_command sweep_command;
extern const cli_command pareto_command;
extern const cli_command speedup_command;
extern const cli_command compare_command;
extern const cli_command report_command;
extern const cli_command study_command;
extern const cli_command advise_command;
extern const cli_command evaluate_command;
extern const cli_command check_command;
extern const cli_command simulate_command;
extern const cli_command explain_command;
extern const cli_command info_command;
extern const cli_command delay_command;
extern const cli_command convert_command;
extern const cli_command generate_command;
extern const cli_command reduce_command;
extern const cli_command profile_command;
extern const cli_command capture_command;
extern const cli_command apply_command;
extern const cli_command synth_command;
extern const cli_command run_command;
extern const cli_command compress_command;
extern const cli_command select_command;
extern const cli_command processes_command;
extern const cli_command decompose_command;
extern const cli_command balance_command;
extern const cli_command partition_command;
extern const cli_command maploop_command;
extern const cli_command measure_command;
extern const cli_command help_command;

/** The i-th command in the order of help, NULL behind the last. */
const cli_command *command_at(size_t i);

/** NULL where there is none of that name. */
const cli_command *command_find(const char *name);

#endif

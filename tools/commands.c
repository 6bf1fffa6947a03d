/* The list of commands. */
#include "commands.h"
#include <string.h>

static const cli_command *const commands[] = {
    &map_command,       &sweep_command,     &pareto_command,   &speedup_command,   &compare_command,  &advise_command,
    &report_command,    &study_command,     &evaluate_command, &check_command,     &simulate_command, &explain_command,
    &info_command,      &delay_command,     &convert_command,  &generate_command,  &reduce_command,   &profile_command,
    &capture_command,   &apply_command,     &synth_command,    &run_command,       &compress_command, &select_command,
    &processes_command, &decompose_command, &balance_command,  &partition_command, &maploop_command,  &measure_command,
    &help_command,
};

const cli_command *command_at(size_t i)
{
    return i < sizeof commands / sizeof *commands ? commands[i] : NULL;
}

const cli_command *command_find(const char *name)
{
    const cli_command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (strcmp(command->name, name) == 0) {
            break;
        }
    }
    return command;
}

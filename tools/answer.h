/* How commands are answered: all that is the same around a command's one call of the library. */
#ifndef TOOLS_ANSWER_H
#define TOOLS_ANSWER_H

#include "options.h"
#include <inlay/io.h>
#include <inlay/machine.h>

/** Read the words of a command, from argv[at] on, and do it with `run` (NULL: as its table says). An exit status. */
int command_start(const cli_command *command, int (*run)(const invocation *call), int argc, char *const *argv, int at);

/**
 * Read the operands APP and MACHINE (NULL where an optional one is not given), relate speeds in operations a second to `reference`, else to what APP says, and answer.
 * A status of the library.
 */
typedef int app_answer(const invocation *call, const inlay_app *app, const inlay_machine *machine, inlay_diag *diag);
int answer_app_and_machine(const invocation *call, const char *format, double reference, app_answer *answer,
                           inlay_diag *diag);

/** Read the operand MAPPING, with the application of the file `app` (NULL: its own), and answer. A status. */
typedef int loaded_answer(const invocation *call, const inlay_loaded *loaded, inlay_diag *diag);
int answer_mapping(const invocation *call, const char *app, loaded_answer *answer, inlay_diag *diag);

/**
 * Whether no output would be overwritten, and at most one goes to standard output. Returns an exit status, and has said
 * what is wrong.
 */
int check_outputs(const invocation *call);

/** Write the files that were asked for, then print JSON, or the table where nothing takes its place. A status. */
int give_out(const invocation *call, const void *of, inlay_diag *diag);

/** What a result of the command tells beside its own members: the warnings are those of `said`. */
inlay_result_context result_context(const invocation *call, const inlay_diag *said);

/** Write a result of the command as JSON, with the warnings of the diag. A status of the library. */
int result_write(const invocation *call, inlay_result_members *members, const void *of, const char *path,
                 inlay_diag *diag);

/** Whether a file that is written, or what is printed, takes the place of the table. */
bool hides_table(const invocation *call);

/** Whether something other than the table goes to standard output. */
bool takes_standard_output(const invocation *call);

#endif

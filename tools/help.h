/* Help in its forms, all from the table of commands. */
#ifndef TOOLS_HELP_H
#define TOOLS_HELP_H

#include "options.h"

/** `inlay COMMAND --help`. */
void help_print(const cli_command *command);

/** What `inlay` alone prints: what do you have, and what to ask then. */
void help_print_questions(void);

/** Says that there is no such command, and which may have been meant; `teller`: the command that says so, or NULL. */
int help_refuse(const cli_command *teller, const char *name);

/** `inlay --version`: what is in. */
void help_print_version(void);

/** A manual page for the man macros of roff. */
void help_print_man(const cli_command *command);

/** That of all commands, `man inlay`. */
void help_print_man_of_all(void);

/** Completion for a shell: bash, fish or zsh; false for others. */
bool help_print_completion(const char *shell);

/** "[OPTION]... APP MACHINE": what follows a command's name. Printed to standard output. */
void help_print_synopsis(const cli_command *command);

/**
 * Command lines, the first behind `first` and the others as far to the right. Files of graphs/, architectures/ and docs/ are
 * named where this program's installation has them; one that is not installed runs where they are.
 */
void help_print_example(const char *lines, const char *first);

/** What the exit statuses mean: the i-th, NULL behind the last. */
const char *help_exit_status(size_t i);

#endif

/* Completion for bash: `inlay help --completion bash`. */
#include "commands.h"
#include "help.h"
#include "report.h"

static void print_command_names(void)
{
    const cli_command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        say(stdout, "%s ", command->name);
    }
}

/* What may follow an option that takes an argument: its words, or files. */
static void print_arguments(const cli_command *command)
{
    const cli_option *option;
    for (size_t i = 0; (option = command_option(command, i)) != NULL; i++) {
        if (option->kind == OPTION_FLAG) {
            continue;
        }
        say(stdout, "    %s:--%s", command->name, option->name);
        if (option->letter != 0) {
            say(stdout, " | %s:-%c", command->name, option->letter);
        }
        say(stdout, ") words='");
        char words[OPTION_WORDS];
        for (const char *c = option_argument(option, words); option_has_words(option) && *c != '\0'; c++) {
            say(stdout, "%c", *c == '|' ? ' ' : *c);
        }
        say(stdout, "' ;;\n");
    }
}

static void print_options(const cli_command *command)
{
    say(stdout, "    %s:*) words='", command->name);
    const cli_option *option;
    for (size_t i = 0; (option = command_option(command, i)) != NULL; i++) {
        say(stdout, "--%s ", option->name);
    }
    say(stdout, "' ;;\n");
}

void help_print_completion(void)
{
    say(stdout, "# Completion of inlay for bash: source <(inlay help --completion bash)\n"
                "_inlay() {\n"
                "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                "    case ${COMP_WORDS[1]}:$before in\n"
                "    *:inlay | *:*/inlay) words='");
    print_command_names();
    say(stdout, "--help --version' ;;\n    help:*) words='--man --commands --completion ");
    print_command_names();
    say(stdout, "' ;;\n");
    const cli_command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (command != &help_command) {
            print_arguments(command);
            print_options(command);
        }
    }
    say(stdout, "    esac\n"
                "    [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} = help || $current = -* || $words != --* ]] || words=\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                "}\n"
                "complete -o default -F _inlay inlay\n");
}

/* Completion for shells, from the tables of commands, formats, kinds and families: `inlay help --completion SHELL`. */
#include "commands.h"
#include "help.h"
#include "report.h"
#include <inlay/inlay.h>
#include <string.h>

/* ---- What may stand where ---- */

/* Names of tables, each behind a blank. */
static void print_formats(size_t count, inlay_format (*at)(size_t i))
{
    for (size_t i = 0; i < count; i++) {
        say(stdout, " %s", at(i).name);
    }
}

static void print_kinds(void)
{
    for (size_t i = 0; i < inlay_generators(); i++) {
        bool again = i > 0 && strcmp(inlay_generator_at(i).name, inlay_generator_at(i - 1).name) == 0;
        say(stdout, "%s%s", again ? "" : " ", again ? "" : inlay_generator_at(i).name);
    }
}

/* What a machine's string begins with. */
static void print_machines(void)
{
    for (size_t i = 0; i < inlay_families(); i++) {
        say(stdout, " %s:", inlay_family_name((inlay_family)i));
    }
    say(stdout, " node: host");
}

/* What may follow a comma in it. */
static void print_attributes(void)
{
    const char *name;
    for (size_t i = 0; (name = inlay_machine_attribute_name(i)) != NULL; i++) {
        if (strcmp(name, "network") != 0 && strcmp(name, "processors") != 0) { /* stand before it */
            say(stdout, " %s=", name);
        }
    }
}

/* Formats of meshes are partition's own. */
static bool is_format(const cli_command *command, const cli_option *option)
{
    return strcmp(option->name, "format") == 0 && strcmp(command->name, "partition") != 0;
}

static bool is_placement_format(const cli_option *option)
{
    return strcmp(option->name, "placement-format") == 0;
}

/* Whether words are known that an option takes; else it takes files. */
static bool takes_words(const cli_command *command, const cli_option *option)
{
    return option_has_words(option) || is_format(command, option) || is_placement_format(option);
}

static void print_words(const cli_command *command, const cli_option *option)
{
    char words[OPTION_WORDS];
    if (is_format(command, option)) {
        print_formats(inlay_formats(), inlay_format_at);
        print_formats(strcmp(command->name, "convert") == 0 ? inlay_machine_formats() : 0, inlay_machine_format_at);
    } else if (is_placement_format(option)) {
        print_formats(inlay_placement_formats(), inlay_placement_format_at);
    } else if (option_has_words(option)) {
        say(stdout, " ");
        for (const char *c = option_argument(option, words); *c != '\0'; c++) {
            say(stdout, "%c", *c == '|' ? ' ' : *c);
        }
    }
}

static bool takes_operand(const cli_command *command, const char *name)
{
    for (size_t i = 0; i < MAX_OPERANDS && command->operands[i].name != NULL; i++) {
        if (strcmp(command->operands[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Words for operands, beside files. */
static void print_operands(const cli_command *command)
{
    if (takes_operand(command, "KIND")) {
        print_kinds();
    }
    if (takes_operand(command, "MACHINE")) {
        print_machines();
    }
}

static void print_commands(void)
{
    const cli_command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        say(stdout, " %s", command->name);
    }
}

/* Text within single quotes; before each of `marks` a backslash. A quote in the text becomes `quote`. */
static void print_quoted(const char *text, const char *marks, const char *quote)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            say(stdout, "%s", quote);
        } else {
            say(stdout, strchr(marks, *c) != NULL ? "\\%c" : "%c", *c);
        }
    }
}

/* ---- bash ---- */

static void print_bash_command(const cli_command *command)
{
    const cli_option *option;
    for (size_t i = 0; (option = command_option(command, i)) != NULL; i++) {
        if (option->kind != OPTION_FLAG) {
            say(stdout, "    %s:--%s", command->name, option->name);
            if (option->letter != 0) {
                say(stdout, " | %s:-%c", command->name, option->letter);
            }
            say(stdout, ") words='");
            print_words(command, option);
            say(stdout, "' ;;\n");
        }
    }
    say(stdout, "    %s:*) words='", command->name);
    for (size_t i = 0; (option = command_option(command, i)) != NULL; i++) {
        say(stdout, " --%s", option->name);
    }
    say(stdout, "' operands='");
    print_operands(command);
    say(stdout, "' ;;\n");
}

static void print_bash(void)
{
    say(stdout, "# Completion of inlay for bash: source <(inlay help --completion bash)\n"
                "_inlay() {\n"
                "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= operands=\n"
                "    case ${COMP_WORDS[1]}:$before in\n"
                "    *:inlay | *:*/inlay) words='");
    print_commands();
    say(stdout, " --help --version' ;;\n    help:--completion) words='bash fish zsh' ;;\n"
                "    help:*) words='--man --commands --completion");
    print_commands();
    say(stdout, "' ;;\n");
    const cli_command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (command != &help_command) {
            print_bash_command(command);
        }
    }
    say(stdout, "    esac\n"
                "    if [[ $operands = *:* && $current = *,* ]]; then\n"
                "        mapfile -t COMPREPLY < <(compgen -P \"${current%%,*},\" -W '");
    print_attributes();
    say(stdout, "' -- \"${current##*,}\")\n"
                "        compopt -o nospace 2>/dev/null\n        return\n    fi\n"
                "    [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} = help || $current = -* || $words != ' --'* ]] || "
                "words=${current:+$operands}\n"
                "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                "    [[ ${COMPREPLY[0]-} != *: ]] || compopt -o nospace 2>/dev/null\n"
                "}\n"
                "complete -o default -F _inlay inlay\n");
}

/* ---- zsh ---- */

/* One form of an option: '-p[help]:P:(words)' */
static void print_zsh_form(const cli_command *command, const cli_option *option, const char *dashes, const char *name)
{
    say(stdout, " \\\n        '*%s%s[", dashes, name);
    print_quoted(option->help, "[]:\\", "'\\''");
    say(stdout, "]");
    if (option->kind != OPTION_FLAG) {
        say(stdout, ":%s:", option_has_words(option) ? option->name : option->argument);
        say(stdout, takes_words(command, option) ? "(" : "_files");
        print_words(command, option);
        say(stdout, takes_words(command, option) ? ")" : "");
    }
    say(stdout, "'");
}

static void print_zsh_command(const cli_command *command)
{
    const cli_option *option;
    say(stdout, "    %s) _arguments -S", command->name);
    for (size_t i = 0; (option = command_option(command, i)) != NULL; i++) {
        const char letter[] = {option->letter, '\0'};
        print_zsh_form(command, option, "--", option->name);
        if (option->letter != 0) {
            print_zsh_form(command, option, "-", letter);
        }
    }
    say(stdout, " \\\n        '*:operand:{ ");
    if (takes_operand(command, "MACHINE")) {
        say(stdout, "compset -P \"*:*,\" && compadd -S \"\" -- $attributes && return; ");
    }
    say(stdout, "compadd -S \"\" --");
    print_operands(command);
    say(stdout, "; _files }' ;;\n");
}

static void print_zsh(void)
{
    const cli_command *command;
    say(stdout, "#compdef inlay\n# Completion of inlay for zsh: a file _inlay in a folder of fpath\n_inlay() {\n"
                "    local -a commands=(");
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        say(stdout, "\n        '%s:", command->name);
        print_quoted(command->summary, "\\", "'\\''");
        say(stdout, "'");
    }
    say(stdout, ")\n    local -a attributes=(");
    print_attributes();
    say(stdout, ")\n    if (( CURRENT == 2 )) || [[ $words[2] = help && $words[CURRENT] != -* ]]; then\n"
                "        _describe command commands\n        return\n    fi\n"
                "    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n");
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        print_zsh_command(command);
    }
    say(stdout, "    esac\n}\n[[ $funcstack[1] != _inlay ]] || _inlay \"$@\"\n");
}

/* ---- fish ---- */

static void print_fish_option(const cli_command *command, const cli_option *option)
{
    say(stdout, "complete -c inlay -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (option->letter != 0) {
        say(stdout, " -s %c", option->letter);
    }
    if (takes_words(command, option)) {
        say(stdout, " -x -a '");
        print_words(command, option);
        say(stdout, "'");
    } else if (option->kind != OPTION_FLAG) {
        say(stdout, " -r");
    }
    say(stdout, " -d '");
    print_quoted(option->help, "\\", "\\'");
    say(stdout, "'\n");
}

static void print_fish(void)
{
    const cli_command *command;
    const cli_option *option;
    say(stdout, "# Completion of inlay for fish: inlay help --completion fish | source\n"
                "function __inlay_attributes\n"
                "    set -l typed (string match -r '^[a-z-]+:.*,' -- (commandline -ct)); or return\n"
                "    printf '%%s\\n' $typed\"\"{");
    const char *name;
    for (size_t i = 0; (name = inlay_machine_attribute_name(i)) != NULL; i++) {
        say(stdout, "%s%s=", i > 0 ? "," : "", name);
    }
    say(stdout, "}\nend\n");
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        say(stdout, "complete -c inlay -n __fish_use_subcommand -f -a %s -d '", command->name);
        print_quoted(command->summary, "\\", "\\'");
        say(stdout, "'\n");
        for (size_t o = 0; (option = command_option(command, o)) != NULL; o++) {
            print_fish_option(command, option);
        }
        if (takes_operand(command, "KIND") || takes_operand(command, "MACHINE")) {
            say(stdout, "complete -c inlay -n '__fish_seen_subcommand_from %s' -a '", command->name);
            print_operands(command);
            say(stdout, "%s'\n", takes_operand(command, "MACHINE") ? " (__inlay_attributes)" : "");
        }
    }
    say(stdout, "complete -c inlay -n '__fish_seen_subcommand_from help' -f -a '");
    print_commands();
    say(stdout, "'\n");
}

/* ---- All of them ---- */

bool help_print_completion(const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"fish", print_fish}, {"zsh", print_zsh}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print();
            return true;
        }
    }
    return false;
}

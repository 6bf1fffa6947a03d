/* `inlay help`, and the help of every command. */
#include "help.h"
#include "commands.h"
#include "external.h"
#include "report.h"
#include <string.h>
#include <unistd.h>

enum { WIDTH = 80, INDENT = 30 }; /* of help; what options do stands behind INDENT */

const char *help_exit_status(size_t i)
{
    static const char *const texts[] = {
        "done",
        "no answer under the constraints, or a mapping that does not hold",
        "wrong usage, or a file or machine string that says something that cannot be",
        "the system failed: out of memory, an unwritable file, a program that fails",
    };
    return i < sizeof texts / sizeof *texts ? texts[i] : NULL;
}

void help_print_synopsis(const cli_command *command)
{
    say(stdout, "[OPTION]...");
    for (size_t i = 0; i < MAX_OPERANDS && command->operands[i].name != NULL; i++) {
        const cli_operand *operand = &command->operands[i];
        say(stdout, operand->optional ? " [%s]%s" : " %s%s", operand->name, operand->repeats ? "..." : "");
    }
}

/* "  -o, --output FILE" and behind it, or from the next line on, what it does. */
static void print_option(const cli_option *option)
{
    char letter[] = {'-', option->letter, ',', '\0'};
    bool flag = option->kind == OPTION_FLAG;
    char text[512], words[OPTION_WORDS];
    int taken = snprintf(text, sizeof text, "  %3s --%s%s%s", option->letter != 0 ? letter : "", option->name,
                         flag ? "" : " ", flag ? "" : option_argument(option, words));
    say(stdout, "%s%s", text, taken < INDENT ? "" : "\n");
    const char *initial = option_has_words(option) ? option_argument(option, words) : option->initial;
    if (initial != NULL) {
        (void)snprintf(text, sizeof text, "%s (default: %.*s)", option->help, (int)strcspn(initial, "|"), initial);
    }
    say_wrapped(stdout, initial != NULL ? text : option->help, taken < INDENT ? (size_t)taken : 0, INDENT, WIDTH);
}

/* Where `make install` puts the examples, as seen from PREFIX/bin; false where there are none. */
static bool find_examples(char folder[PATH_MAX])
{
    static const char below[] = "/share/doc/inlay";
    bool known = external_folder("", folder);
    char *bin = known ? strrchr(folder, '/') : NULL;
    if (bin == NULL || (size_t)(bin - folder) + sizeof below > PATH_MAX) {
        return false;
    }
    memcpy(bin, below, sizeof below);
    return access(folder, R_OK) == 0;
}

/* Whether one of the folders of examples is named here, at the beginning of a word. */
static bool is_example(const char *lines, const char *at)
{
    static const char *const folders[] = {"graphs/", "architectures/", "docs/"};
    bool begins = at == lines || at[-1] == ' ' || at[-1] == '\n';
    for (size_t i = 0; begins && i < sizeof folders / sizeof *folders; i++) {
        if (strncmp(at, folders[i], strlen(folders[i])) == 0) {
            return true;
        }
    }
    return false;
}

void help_print_example(const char *lines, const char *first)
{
    char folder[PATH_MAX];
    bool installed = find_examples(folder);
    say(stdout, "%s", first);
    for (const char *at = lines; *at != '\0'; at++) {
        if (installed && is_example(lines, at)) {
            say(stdout, "%-s/", folder);
        }
        say(stdout, "%c%*s", *at, *at == '\n' ? (int)strlen(first) : 0, "");
    }
    say(stdout, "\n");
}

void help_print(const cli_command *command)
{
    say(stdout, "Usage: inlay %s ", command->name);
    help_print_synopsis(command);
    say(stdout, "\n\n");
    say_wrapped(stdout, command->description, 0, 0, WIDTH);
    if (command->operands[0].name != NULL) {
        say(stdout, "\n");
    }
    for (size_t i = 0; i < MAX_OPERANDS && command->operands[i].name != NULL; i++) {
        say(stdout, "  %-10s %s\n", command->operands[i].name, command->operands[i].help);
    }
    for (size_t g = 0; g < MAX_GROUPS && command->groups[g] != NULL; g++) {
        say(stdout, "\n%s:\n", command->groups[g]->title);
        for (size_t i = 0; i < command->groups[g]->count; i++) {
            print_option(&command->groups[g]->options[i]);
        }
    }
    say(stdout, "\nExit status:\n");
    for (size_t i = 0; help_exit_status(i) != NULL; i++) {
        say(stdout, "  %zu  %s\n", i, help_exit_status(i));
    }
    say(stdout, "\nExample:\n");
    help_print_example(command->example, "  ");
}

/* ---- The command ---- */

typedef struct help_values {
    common_values common;
    bool man, commands;
    const char *completion;
} help_values;

#define FIELD(name) offsetof(help_values, name)

static const cli_option options[] = {
    {"man", 0, OPTION_FLAG, NULL, "print the manual page of COMMAND, or of all, for man -l -", NULL, FIELD(man)},
    {"commands", 0, OPTION_FLAG, NULL, "print the names of all commands, one a line", NULL, FIELD(commands)},
    {"completion", 0, OPTION_STRING, "SHELL", "print completion for a shell: bash, fish or zsh", NULL,
     FIELD(completion)},
};
static const cli_group forms = {"Forms", options, sizeof options / sizeof *options};

static void print_overview(void)
{
    say(stdout, "Usage: inlay COMMAND [OPTION]... INPUT...\n\nCommands:\n");
    const cli_command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        say(stdout, "  %-10s %s\n", command->name, command->summary);
    }
    say(stdout, "\n'inlay' alone asks what you have; 'inlay COMMAND --help' tells all of a command.\n");
}

enum { MOST_COMMANDS = 64 };

int help_refuse(const cli_command *teller, const char *name)
{
    const char *known[MOST_COMMANDS];
    char nearest[128];
    size_t count = 0;
    const cli_command *command;
    while (count < MOST_COMMANDS && (command = command_at(count)) != NULL) {
        known[count++] = command->name;
    }
    inlay_nearest(name, known, count, "", nearest, sizeof nearest);
    return report_usage(teller, "no command '%s'%s", name, nearest);
}

static int run(const invocation *call)
{
    const help_values *values = call->values;
    const char *name = call->operand_count > 0 ? call->operands[0] : NULL;
    const cli_command *command = name != NULL ? command_find(name) : NULL;
    const cli_command *known;
    if (values->man + values->commands + (values->completion != NULL) > 1) {
        return report_usage(call->command, "only one of --man, --commands and --completion at a time");
    }
    if (name != NULL && command == NULL) {
        return help_refuse(call->command, name);
    }
    if (values->man && command == NULL) {
        help_print_man_of_all();
    } else if (values->man) {
        help_print_man(command);
    } else if (values->completion != NULL) {
        return help_print_completion(values->completion)
                   ? EXIT_DONE
                   : report_usage(call->command, "--completion %s: expected bash, fish or zsh", values->completion);
    } else if (values->commands) {
        for (size_t i = 0; (known = command_at(i)) != NULL; i++) {
            say(stdout, "%s\n", known->name);
        }
    } else if (command != NULL) {
        help_print(command);
    } else {
        print_overview();
    }
    return EXIT_DONE;
}

const cli_command help_command = {
    .name = "help",
    .summary = "help, manual pages and shell completion",
    .description = "Prints the help of a command, or what commands there are.",
    .example = "inlay help map\n"
               "inlay help --man map",
    .operands = {{.name = "COMMAND", .help = "the command to explain", .optional = true}},
    .groups = {&forms, &common_options},
    .values_size = sizeof(help_values),
    .run = run,
};

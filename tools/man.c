/* Manual pages: `inlay help --man COMMAND`. */
#include "commands.h"
#include "help.h"
#include "report.h"
#include <ctype.h>
#include <inlay/inlay.h>
#include <string.h>

/* Text that roff takes literally: hyphens stay hyphens-minus, no line becomes a request. Lists of words may be broken. */
static void print_escaped(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool line_begins = i == 0 || text[i - 1] == '\n';
        if (line_begins && (text[i] == '.' || text[i] == '\'')) {
            say(stdout, "\\&");
        }
        if (text[i] == '\\') {
            say(stdout, "\\e");
        } else if (text[i] == '-') {
            say(stdout, "\\-");
        } else if (text[i] == '|') {
            say(stdout, "|\\:"); /* a line may end there */
        } else {
            say(stdout, "%c", text[i]);
        }
    }
}

static void print_text(const char *text)
{
    print_escaped(text, strlen(text));
}

static void print_upper(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        say(stdout, "%c", toupper((unsigned char)*c));
    }
}

static void print_paragraphs(const char *paragraphs)
{
    for (const char *text = paragraphs; *text != '\0';) {
        size_t length = strcspn(text, "\n");
        say(stdout, ".PP\n");
        print_escaped(text, length);
        say(stdout, "\n");
        text += length;
        text += *text == '\n';
    }
}

static void print_option(const cli_option *option)
{
    char words[OPTION_WORDS];
    say(stdout, ".TP\n\\fB");
    if (option->letter != 0) {
        say(stdout, "\\-%c\\fR, \\fB", option->letter);
    }
    say(stdout, "\\-\\-");
    print_text(option->name);
    say(stdout, "\\fR");
    if (option->kind != OPTION_FLAG) {
        say(stdout, option_has_words(option) ? " \\fB" : " \\fI");
        print_text(option_argument(option, words));
        say(stdout, "\\fR");
    }
    say(stdout, "\n");
    print_text(option->help);
    if (option_has_words(option)) {
        say(stdout, " (default: ");
        print_escaped(option_argument(option, words), strcspn(option_argument(option, words), "|"));
        say(stdout, ")");
    } else if (option->initial != NULL) {
        say(stdout, " (default: ");
        print_text(option->initial);
        say(stdout, ")");
    }
    say(stdout, ".\n");
}

static void print_options(const cli_command *command)
{
    say(stdout, ".SH OPTIONS\n.ad l\n"); /* lists of words have no space that could be stretched */
    for (size_t i = 0; i < MAX_OPERANDS && command->operands[i].name != NULL; i++) {
        say(stdout, ".TP\n\\fI%s\\fR\n", command->operands[i].name);
        print_text(command->operands[i].help);
        say(stdout, ".\n");
    }
    for (size_t g = 0; g < MAX_GROUPS && command->groups[g] != NULL; g++) {
        say(stdout, ".SS %s\n", command->groups[g]->title);
        for (size_t i = 0; i < command->groups[g]->count; i++) {
            print_option(&command->groups[g]->options[i]);
        }
    }
}

static void print_statuses(void)
{
    say(stdout, ".SH \"EXIT STATUS\"\n");
    for (size_t i = 0; help_exit_status(i) != NULL; i++) {
        say(stdout, ".TP\n%zu\n", i);
        print_text(help_exit_status(i));
        say(stdout, ".\n");
    }
}

void help_print_man_of_all(void)
{
    const cli_command *command;
    say(stdout,
        ".TH INLAY 1 \"\" \"Inlay %s\" \"Inlay\"\n.SH NAME\ninlay \\- processors, machine and placement of a parallel "
        "program, and how long it will take\n.SH SYNOPSIS\n\\fBinlay\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... "
        "\\fIINPUT\\fR...\n.SH COMMANDS\n",
        INLAY_VERSION);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        say(stdout, ".TP\n\\fBinlay\\-%s\\fR(1)\n", command->name);
        print_text(command->summary);
        say(stdout, ".\n");
    }
    print_statuses();
}

void help_print_man(const cli_command *command)
{
    say(stdout, ".TH INLAY\\-");
    print_upper(command->name);
    say(stdout, " 1 \"\" \"Inlay %s\" \"Inlay\"\n.SH NAME\ninlay\\-%s \\- ", INLAY_VERSION, command->name);
    print_text(command->summary);
    say(stdout, "\n.SH SYNOPSIS\n\\fBinlay %s\\fR ", command->name);
    help_print_synopsis(command);
    say(stdout, "\n.SH DESCRIPTION\n");
    print_paragraphs(command->description);
    print_options(command);
    print_statuses();
    say(stdout, ".SH EXAMPLE\nWhere the example graphs and architectures are:\n.PP\n.nf\n");
    print_text(command->example);
    say(stdout, "\n.fi\n");
}

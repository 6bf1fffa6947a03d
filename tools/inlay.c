/* The program: which command is meant, and what happens where none is. */
#include "affinity.h"
#include "answer.h"
#include "commands.h"
#include "external.h"
#include "help.h"
#include "report.h"
#include <fcntl.h>
#include <string.h>

/* ---- Unknown commands ---- */

enum { LONGEST_NAME = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits (insert, delete, replace one character) from one word to another; both at most LONGEST_NAME long. */
static size_t edit_distance(const char *from, const char *to)
{
    size_t row[LONGEST_NAME + 1];
    size_t columns = strlen(to);
    for (size_t j = 0; j <= columns; j++) {
        row[j] = j;
    }
    for (size_t i = 1; from[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = diagonal + (from[i - 1] != to[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[columns];
}

/* The commands that may have been meant, into `nearest`; empty where none is near. */
static void find_nearest(const char *name, char *nearest, size_t room)
{
    nearest[0] = '\0';
    if (strlen(name) > LONGEST_NAME) {
        return;
    }
    size_t length = 0;
    const cli_command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL && length < room; i++) {
        bool begins = strlen(name) > 1 && strncmp(command->name, name, strlen(name)) == 0;
        size_t edits = edit_distance(name, command->name);
        if (begins || edits < 2 || (edits == 2 && name[0] == command->name[0])) {
            const char *before = length == 0 ? "; did you mean '" : " or '";
            length += (size_t)snprintf(nearest + length, room - length, "%s%s'", before, command->name);
        }
    }
    if (length > 0 && length < room) {
        (void)snprintf(nearest + length, room - length, "?");
    }
}

static int refuse(const char *name)
{
    if (name[0] == '-') {
        return report_usage(NULL, "unknown option '%s'", name);
    }
    if (help_is_planned(name)) {
        return report_usage(NULL, "'%s' is not in this version", name);
    }
    char nearest[128];
    find_nearest(name, nearest, sizeof nearest);
    return report_usage(NULL, "no command '%s'%s", name, nearest);
}

/* ---- The way to a command ---- */

static int dispatch(int argc, char *const *argv)
{
    if (argc < 2) {
        help_print_questions();
        return EXIT_DONE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        help_print_version();
        return EXIT_DONE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        name = help_command.name;
        argc = 2;
    }
    const cli_command *command = command_find(name);
    if (command == NULL) {
        external_start(argv[0], argv + 1);
        return refuse(name);
    }
    return command_start(command, NULL, argc, argv, 1);
}

/*
 * Where the caller closed a standard stream, the next file opened would take its place, and messages would be written
 * into it: fill the place with something that cannot be read or written.
 */
static bool fill_standard_streams(void)
{
    for (int file = 0; file <= 2; file++) {
        if (fcntl(file, F_GETFD) == -1 && open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY) != file) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    affinity_restore();
    return !fill_standard_streams() ? EXIT_SYSTEM : finish_output(dispatch(argc, argv));
}

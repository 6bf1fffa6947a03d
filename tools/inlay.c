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

static int refuse(const char *name)
{
    if (name[0] == '-') {
        return report_usage(NULL, "unknown option '%s'", name);
    }
    return help_refuse(NULL, name);
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

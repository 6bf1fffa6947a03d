/* `inlay compress`: its options, with which a program of its own, inlay-compress, is started. */
#include "commands.h"
#include "compress_values.h"
#include "external.h"
#include <stddef.h>

#define FIELD(name) offsetof(compress_values, name)

static const cli_option options[] = {
    {"function", 'f', OPTION_TEXTS, "NAMES", "count these functions", "those that no other one calls", FIELD(function)},
    {"define", 'D', OPTION_TEXTS, "NAME=N", "values of variables and parameters, or macros", NULL, FIELD(definitions)},
    {"trip", 't', OPTION_TEXTS, "LINE=N", "trips of the loop on a line", NULL, FIELD(trips)},
    {"call", 'c', OPTION_TEXTS, "NAME=A:F", "arithmetic operations and functions of a call", NULL, FIELD(calls)},
    {"include", 'I', OPTION_TEXTS, "DIRS", "folders of header files", NULL, FIELD(include)},
    {"traffic", 0, OPTION_FLAG, NULL, "bytes that loads and stores of elements touch, too", NULL, FIELD(traffic)},
    {"output", 'o', OPTION_STRING, "FILE", "write a C program of short loops that does as much", NULL, FIELD(output)},
};
static const cli_option run_options[] = {
    {"run", 0, OPTION_ARGUMENTS, "ARGS", "run the program with these words, and count what it does", NULL, FIELD(run)},
    {"build", 0, OPTION_STRING, "WORDS", "words for the compiler: options, other files, libraries", NULL, FIELD(build)},
    {"input", 0, OPTION_STRING, "FILE", "the program's standard input", "none", FIELD(input)},
    {"time-limit", 0, OPTION_SECONDS, "TIME", "end a run that takes longer", "60s", FIELD(time_limit)},
    {"compiler", 0, OPTION_STRING, "COMMAND", "the C compiler, with words of its own behind it", "cc", FIELD(compiler)},
};
static const cli_group measured_options = {"Counting a run", run_options, sizeof run_options / sizeof *run_options};
static const cli_group compress_options = {"Counting", options, sizeof options / sizeof *options};

static int run(const invocation *call)
{
    return external_become(call, "compress", "", "libclang-dev");
}

const cli_command compress_command = {
    .name = "compress",
    .summary = "count operations of C loops, write short loops that do as many",
    .description =
        "Finds the loops of C functions, counts arithmetic operations and mathematical functions in their bodies, and "
        "multiplies by the trips. Computing indices and the control of loops do not count. The result is a module of "
        "an application graph. With --traffic it has the bytes of all elements of arrays that are loaded or stored, "
        "which is what it "
        "moves where nothing stays in a cache.\n"
        "Trips are known from constants, macros, -D and --trip; bounds may depend on outer loops. What has no bound is "
        "named, with the option that tells it, and the exit status is 1. Lists are separated by commas, and options "
        "may be "
        "given again.\n"
        "With --run the files become a program that counts itself; it is compiled in a private folder and run where "
        "you "
        "are. Each count is then exact (known without the run, which did the same), measured, or named as not known.",
    .example = "inlay compress docs/examples/figure.c\n"
               "inlay compress docs/examples/figure.c -D b=2 --trip 6=1000 -o loops.c",
    .operands = {{.name = "FILE", .help = "a file of C; with --run as many as count", .repeats = true}},
    .groups = {&compress_options, &measured_options, &result_options, &common_options},
    .values_size = sizeof(compress_values),
    .run = run,
};

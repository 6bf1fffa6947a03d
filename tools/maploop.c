/* `inlay maploop`: its options, with which a program of its own, inlay-maploop, is started. */
#include "commands.h"
#include "external.h"
#include "maploop_values.h"
#include <stddef.h>

#define FIELD(name) offsetof(maploop_values, name)

static const cli_option options[] = {
    {"output", 'o', OPTION_STRING, "FILE",
     "write the program for MPI there; of several files: into that folder, under their names", NULL, FIELD(output)},
    {"define", 'D', OPTION_TEXTS, "NAME=TEXT", "a macro, as compilers take it", NULL, FIELD(definitions)},
    {"include", 'I', OPTION_TEXTS, "DIR", "a folder of header files, as often as needed", NULL, FIELD(include)},
    {"arrays", 0, OPTION_CHOICE, "auto|distributed|whole",
     "distribute the arrays of one marked loop of main(), or give every rank all memory and share out all marked loops",
     "distributed where the program allows that, else whole", FIELD(arrays)},
    {"guard", 0, OPTION_CHOICE, "yes|no",
     "with whole arrays: look whether indices have changed where the program stored to memory", "yes", FIELD(guard)},
    {"explain", 0, OPTION_FLAG, NULL, "print what is seen of the program: loops, accesses, scalars, what is refused",
     NULL, FIELD(explain)},
};
static const cli_group maploop_options = {"Program", options, sizeof options / sizeof *options};

static int run(const invocation *call)
{
    return external_become(call, "maploop", "", "libclang-dev");
}

const cli_command maploop_command = {
    .name = "maploop",
    .summary = "turn a serial program of irregular loops into one for MPI",
    .description = "The loop behind `#pragma inlay maploop(x, y)`, over the edges of a mesh or the rows of a sparse "
                   "matrix, decides who "
                   "owns which element of x and y: the program that is written finds out at run time which elements "
                   "are used together, "
                   "partitions them, gives iterations to the owners of most of what they touch, moves the arrays, and "
                   "exchanges ghosts "
                   "around the loops. Compilers pass over the pragmas: the same file is the serial program.\n"
                   "What cannot be computed in any order on any rank is refused, with its line and the reason.",
    .example = "inlay maploop docs/examples/maploop/sweep.c -o sweep-mpi.c",
    .operands = {{.name = "FILE",
                  .help = "a serial program in C; all its files, where it has several",
                  .repeats = true}},
    .groups = {&maploop_options, &common_options},
    .values_size = sizeof(maploop_values),
    .run = run,
};

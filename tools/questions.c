/* What `inlay` prints without a command, and `inlay --version`: from what the user has to what there is. */
#include "commands.h"
#include "external.h"
#include "help.h"
#include "report.h"
#include <inlay/inlay.h>
#include <string.h>

typedef struct question {
    const char *have; /**< what the user has */
    const char *asks; /**< what Inlay answers then */
    const char *commands;
    const char *example;
} question;

static const question questions[] = {
    {"A task graph, or a program that it can be captured from",
     "clusters, processor count, layout, elapsed time, synthetic code",
     "commands: map, evaluate, check, info, convert, sweep, compare, advise, report, explain, delay, pareto, speedup, "
     "generate, reduce, profile, capture, apply, simulate, synth, run, compress, measure, study",
     "inlay map graphs/cholesky4.dot bus:17"},
    {"An SPMD code with phases, and a network of unlike clusters", "which processors, and how much data each",
     "commands: select, balance", "inlay select graphs/sten2.dot architectures/suns-metasystem.dot -D N=300"},
    {"An unchanged homogeneous SPMD program, and unlike processors", "how many processes on each",
     "commands: processes", "inlay processes architectures/paper-speeds.json"},
    {"A grid program (stencil, wavefront, ...), and unlike workstations", "which decomposition, and what it costs",
     "commands: decompose, balance", "inlay decompose 4096x4096 6,4,4,3,3,3,2,1"},
    {"An irregular (mesh, sparse) loop", "who owns which datum and iteration, and the messages",
     "commands: partition, maploop", "inlay partition --generate triangles:40,30 --parts 4 -n 2"},
};
enum { QUESTIONS = sizeof questions / sizeof *questions, WIDTH = 80 };

void help_print_questions(void)
{
    say(stdout, "Inlay tells how many processors, which machine and which placement a parallel\n"
                "program needs, how long it will take, and how sure that is. What do you have?\n");
    for (size_t i = 0; i < QUESTIONS; i++) {
        say(stdout, "\n%s\n", questions[i].have);
        say_wrapped(stdout, questions[i].asks, 0, 4, WIDTH);
        say_wrapped(stdout, questions[i].commands, 0, 4, WIDTH);
        help_print_example(questions[i].example, "    example: ");
    }
    say(stdout, "\n'inlay help' lists the commands; 'inlay COMMAND --help' explains one.\n");
}

static void print_part(const char *name, bool is_in, const char *purpose, const char *package)
{
    say(stdout, "  %-10s %-12s %s%s%s\n", name, is_in ? "in" : "not in", purpose, is_in ? "" : "; needs ",
        is_in ? "" : package);
}

static void print_format(inlay_format format)
{
    say(stdout, "  %-14s %-12s %s\n", format.name,
        format.reads && format.writes ? "read, write" : (format.reads ? "read" : "write"), format.summary);
}

void help_print_version(void)
{
    say(stdout, "inlay %s\n\ncommands:", inlay_version());
    const cli_command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        say(stdout, " %s", command->name);
    }
    say(stdout, "\nmachines:\n");
    for (size_t i = 0; i < inlay_families(); i++) {
        inlay_family family = (inlay_family)i;
        say(stdout, "  %-11s %-11s %s\n", inlay_family_name(family), inlay_family_operand(family),
            inlay_family_summary(family));
    }
    say(stdout, "  %-11s %-11s %s\n", "node", "K,gpus=N",
        "a node of K cores with N accelerators that have memories of their own");
    say(stdout, "formats of machines:");
    for (size_t i = 0; i < inlay_machine_formats(); i++) {
        say(stdout, " %s", inlay_machine_format_at(i).name);
    }
    say(stdout, "\nformats of applications:\n");
    for (size_t i = 0; i < inlay_formats(); i++) {
        print_format(inlay_format_at(i));
    }
    say(stdout, "formats of placements:\n");
    for (size_t i = 0; i < inlay_placement_formats(); i++) {
        print_format(inlay_placement_format_at(i));
    }
    say(stdout, "optional parts:\n");
    for (size_t i = 0; i < inlay_extras(); i++) {
        inlay_extra extra = inlay_extra_at(i);
        print_part(extra.name, extra.is_in, extra.purpose, extra.package);
    }
    print_part("openmp", external_exists("capture-openmp.so"), "capture: programs of OpenMP tasks", "libomp-dev");
    print_part("mpi", external_exists("capture-mpi.so"), "capture --mpi: programs of Open MPI", "libopenmpi-dev");
    print_part("starpu", external_exists("capture-starpu.so"), "apply: programs of StarPU's", "libstarpu-dev");
    print_part("simgrid", external_exists("simgrid"), "simulate --engine simgrid", "libsimgrid-dev");
    print_part("measure", external_exists("measure"), "measure: this computer or a cluster", "libopenmpi-dev");
    print_part("partition", external_exists("partition"), "partition: meshes among ranks", "libptscotch-dev");
    print_part("study", external_exists("study"), "inlay-study: a study among ranks", "libopenmpi-dev");
    print_part("maploop", external_exists("maploop"), "maploop: irregular loops for MPI", "libclang-dev");
    print_part("compress", external_exists("compress"), "compress: the loops of a C function", "libclang-dev");
    say(stdout, "\nFree software under the GNU General Public License, version 3 or later.\n"
                "There is no warranty, to the extent permitted by law.\n");
}

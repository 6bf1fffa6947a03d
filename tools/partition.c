/* `inlay partition`: its options, with which a program of its own, inlay-partition, is started by MPI's launcher. */
#include "partition_values.h"
#include "commands.h"
#include "external.h"
#include "output.h"
#include "ranks.h"
#include "raster.h"
#include "report.h"
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) offsetof(partition_values, name)

static const cli_option meshes[] = {
    {"format", 0, OPTION_STRING, "FORMAT", "format of MESH: metis, metis-mesh, scotch, matrix-market or edge-list",
     "told by content and ending", FIELD(format)},
    {"coordinates", 0, OPTION_STRING, "FILE", "coordinates of the vertices, for rcb, inertial and pictures",
     "MESH with the ending .xyz", FIELD(coordinates)},
    {"generate", 0, OPTION_STRING, "KIND",
     "make a mesh in place of MESH: triangles:NX,NY or tetrahedra:NX,NY,NZ points", NULL, FIELD(generate)},
};
static const cli_group mesh_group = {"Mesh", meshes, sizeof meshes / sizeof *meshes};

static const cli_option dividing[] = {
    {"parts", 'k', OPTION_COUNT, "K", "divide the vertices into so many parts", "as many as there are ranks",
     FIELD(parts)},
    {"targets", 0, OPTION_STRING, "SHARES",
     "shares of the load that the parts shall have: 2,1,1, or a file of numbers, of select --json or of processes "
     "--json",
     "equal shares", FIELD(targets)},
    {"machine", 0, OPTION_STRING, "MACHINE",
     "a part for each processor of a machine: as large as it is fast, and near those that it exchanges most with", NULL,
     FIELD(machine)},
    {"weights", 0, OPTION_STRING, "FILE",
     "the loads of each vertex, a line with one number or several, in place of those of MESH", NULL, FIELD(weights)},
    {"from", 0, OPTION_STRING, "OLD", "divide again: the part that each vertex is in already, as -o wrote it", NULL,
     FIELD(from)},
    {"migration-cost", 0, OPTION_STRING, "COST", "of moving a vertex to another part, in units of edge cut", "1",
     FIELD(migration_cost)},
    {"method", 'm', OPTION_STRING, "NAME", "the partitioner", "best", FIELD(method)},
    {"effort", 0, OPTION_EFFORT, "N|TIME", "method best: make N partitions of others, or go on for a time such as 2s",
     "by the size of the graph", FIELD(effort)},
    {"list-methods", 0, OPTION_FLAG, NULL, "list the partitioners", NULL, FIELD(list_methods)},
    {"imbalance", 0, OPTION_STRING, "SHARE", "a part may be heavier than the average by this share of it", "0.05",
     FIELD(imbalance)},
    {"strict", 0, OPTION_FLAG, NULL, "an imbalance above --imbalance, which whole vertices may need, is no answer",
     NULL, FIELD(strict)},
    {"empty", 0, OPTION_FLAG, NULL, "parts may be empty: more parts than vertices are no error", NULL, FIELD(empty)},
    {"rule", 0, OPTION_CHOICE, "max-owner|owner|balanced",
     "who computes an edge: the rank with most of its vertices, the rank of the first, or as the first one but no rank "
     "above --imbalance",
     NULL, FIELD(rule)},
    {"renumber", 0, OPTION_CHOICE, "no|rcm|hilbert",
     "the vertices of a part by reverse Cuthill-McKee, or along Hilbert's curve: neighbours come near in memory", NULL,
     FIELD(renumber)},
};
static const cli_group dividing_group = {"Partition", dividing, sizeof dividing / sizeof *dividing};

static const cli_option launching[] = {
    {"processes", 'n', OPTION_COUNT, "N", "start so many ranks",
     "this computer's cores; with --hostfile what the launcher starts", FIELD(processes)},
    {"hostfile", 0, OPTION_STRING, "FILE", "the launcher's file of hosts; Inlay and the mesh must be there on all",
     "this computer alone", FIELD(hostfile)},
    {"launcher", 0, OPTION_STRING, "COMMAND", "the launcher, such as 'mpirun --bind-to core'", "mpirun",
     FIELD(launcher)},
};
static const cli_group launching_group = {"Launching", launching, sizeof launching / sizeof *launching};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the part of each vertex, a number a line (.gz packs it)", NULL,
     FIELD(output)},
    {"numbers", 0, OPTION_STRING, "FILE",
     "write the new number of each vertex, a number a line: part by part, within it as --renumber says", NULL,
     FIELD(numbers)},
    {"graph", 0, OPTION_STRING, "FILE",
     "write the parts as an application for inlay map: a module each, and what a gather sends between them", NULL,
     FIELD(graph)},
    {"item", 0, OPTION_STRING, "BYTES", "what is gathered of a vertex", "8B", FIELD(item)},
    {"time-unit", 0, OPTION_CHOICE, "tick|s|ms|us|ns", "what one unit of load takes in --graph", NULL,
     FIELD(time_unit)},
    {"csv", 0, OPTION_STRING, "FILE", "write load, ghosts and neighbours of each part as CSV", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw a mesh of two dimensions, coloured by part", NULL, FIELD(svg)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
};
static const cli_group output_group = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Usage ---- */

/* Whole numbers from 1 on, separated by commas; how many there are, or 0. */
static int read_sizes(const char *text, int32_t size[3])
{
    int count = 0;
    while (count < 3) {
        char *end = NULL;
        errno = 0;
        long value = text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : 0;
        if (value < 1 || value > INT32_MAX || errno != 0 || (*end != ',' && *end != '\0')) {
            return 0;
        }
        size[count++] = (int32_t)value;
        if (*end == '\0') {
            return count;
        }
        text = end + 1;
    }
    return 0;
}

bool partition_sizes_read(const partition_values *values, partition_sizes *sizes)
{
    static const char *const kinds[] = {"triangles:", "tetrahedra:"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(kinds[i]);
        if (strncmp(values->generate, kinds[i], length) == 0) {
            *sizes = (partition_sizes){.dimensions = i + 2, .size = {1, 1, 1}};
            return read_sizes(values->generate + length, sizes->size) == sizes->dimensions;
        }
    }
    return false;
}

double partition_imbalance(const partition_values *values)
{
    inlay_decimal share;
    if (values->imbalance == NULL) {
        return 0.05;
    }
    return inlay_decimal_parse(values->imbalance, &share) == INLAY_OK ? inlay_decimal_double(share) : 0;
}

int64_t partition_item(const partition_values *values)
{
    int64_t bytes = 0;
    if (values->item == NULL) {
        return 8;
    }
    return inlay_bytes_parse(values->item, &bytes) == INLAY_OK ? bytes : 0;
}

double partition_migration_cost(const partition_values *values)
{
    inlay_decimal cost;
    if (values->migration_cost == NULL) {
        return 1;
    }
    return inlay_decimal_parse(values->migration_cost, &cost) == INLAY_OK ? inlay_decimal_double(cost) : -1;
}

static int check_outputs(const invocation *call)
{
    const partition_values *values = call->values;
    const char *const paths[] = {values->output, values->numbers,    values->graph,     values->csv,
                                 values->svg,    values->common.png, values->common.pdf};
    const char *twice = output_collision(call, paths, sizeof paths / sizeof *paths);
    int standard = values->common.json;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        standard += output_is_standard(paths[i]);
    }
    if (twice != NULL) {
        return report_usage(call->command, "%s: is named twice; expected a file of its own for each", twice);
    }
    return standard > 1
               ? report_usage(call->command,
                              "only one of --json, -o, --numbers, --graph, --csv, --svg, --png and --pdf can go "
                              "to standard output")
               : output_check_folders(paths, sizeof paths / sizeof *paths);
}

/* ---- What is read ---- */

const char *const partition_copy_names[COPIES] = {"mesh", "coordinates", "targets", "machine", "from", "weights"};

static const char *const input_names[COPIES] = {"MESH",      "--coordinates", "--targets",
                                                "--machine", "--from",        "--weights"};

const char *partition_input(const invocation *call, partition_copy which)
{
    const partition_values *values = call->values;
    const char *const inputs[COPIES] = {call->operand_count > 0 ? call->operands[0] : NULL,
                                        values->coordinates,
                                        values->targets,
                                        values->machine,
                                        values->from,
                                        values->weights};
    return inputs[which];
}

/* Standard input can be read but once. */
static int check_inputs(const invocation *call)
{
    const char *first = NULL;
    for (int i = 0; i < COPIES; i++) {
        const char *path = partition_input(call, (partition_copy)i);
        if (path == NULL || strcmp(path, "-") != 0) {
            continue;
        }
        if (first != NULL) {
            return report_usage(call->command, "only one of %s and %s can be standard input", first, input_names[i]);
        }
        first = input_names[i];
    }
    return EXIT_DONE;
}

static int check_mesh(const invocation *call)
{
    const partition_values *values = call->values;
    partition_sizes sizes;
    if (values->generate == NULL && call->operand_count == 0) {
        return report_usage(call->command, "MESH is missing; expected a mesh file, or --generate");
    }
    if (values->generate == NULL) {
        return check_inputs(call);
    }
    if (call->operand_count > 0) {
        return report_usage(call->command, "'%s' is one mesh too many beside --generate", call->operands[0]);
    }
    if (values->coordinates != NULL) {
        return report_usage(call->command, "--coordinates is not for --generate, which knows them");
    }
    if (values->format != NULL) {
        return report_usage(call->command, "--format is not for --generate, which reads no file");
    }
    return partition_sizes_read(values, &sizes)
               ? check_inputs(call)
               : report_usage(call->command,
                              "--generate '%s': expected triangles:NX,NY or tetrahedra:NX,NY,NZ, numbers of points",
                              values->generate);
}

int partition_check_usage(const invocation *call)
{
    const partition_values *values = call->values;
    int end = values->list_methods ? EXIT_DONE : check_mesh(call);
    if (end != EXIT_DONE) {
        return end;
    }
    if (!(partition_imbalance(values) > 0)) {
        return report_usage(call->command, "--imbalance '%s': expected a number above 0, such as 0.05",
                            values->imbalance);
    }
    if (values->targets != NULL && values->machine != NULL) {
        return report_usage(call->command, "--targets is not for --machine, which tells them");
    }
    if (values->migration_cost != NULL && values->from == NULL) {
        return report_usage(call->command, "--migration-cost goes with --from");
    }
    if (!(partition_migration_cost(values) >= 0)) {
        return report_usage(call->command, "--migration-cost '%s': expected a number from 0 on, such as 0.5",
                            values->migration_cost);
    }
    if (partition_item(values) < 1) {
        return report_usage(call->command, "--item '%s': expected a size from 1 byte on, such as 8 or 1KiB",
                            values->item);
    }
    if (values->time_unit > 0 && values->graph == NULL) {
        return report_usage(call->command, "--time-unit goes with --graph");
    }
    return check_outputs(call);
}

/* ---- Launching ---- */

static const char *launcher_of(const partition_values *values)
{
    return values->launcher != NULL ? values->launcher : "mpirun";
}

static inlay_id own_cores(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (inlay_id)online : 1;
}

/* How many ranks are asked for; 0 where the file of hosts tells. */
static inlay_id ranks_wanted(const partition_values *values)
{
    return values->processes > 0 ? values->processes : values->hostfile == NULL ? own_cores() : 0;
}

static int check_launching(const invocation *call)
{
    const partition_values *values = call->values;
    if (launcher_of(values)[strspn(launcher_of(values), " \t\n")] == '\0') {
        return report_usage(call->command, "--launcher: there is nothing but blanks; expected a command");
    }
    bool here = values->hostfile == NULL && values->launcher == NULL;
    return here ? ranks_check(call, values->processes, own_cores()) : EXIT_DONE;
}

/* The statuses of inlay-partition are this program's own; others tell that a rank or the launcher failed. */
static int pass_on(const invocation *call, const ranks_program *p, const outcome *o)
{
    bool own = o->end.status > EXIT_DONE && o->end.status <= EXIT_SYSTEM;
    if (own && !o->end.stopped && !call->common->verbose && ranks_copy_own(o->errors, stderr)) {
        outcome_copy(o->output, stdout);
        return o->end.status;
    }
    return ranks_pass_on(call, p, o);
}

static int start(const invocation *call, const ranks_program *p, const words *copies, const folder *where)
{
    words settings = {0};
    outcome o = {0};
    words_add(&settings, "OMPI_MCA_odls_base_sigkill_timeout=0"); /* all ranks fail together: none needs time */
    if (p->hostfile == NULL && p->ranks > own_cores()) {          /* who waits makes room */
        words_add(&settings, "OMPI_MCA_mpi_yield_when_idle=1");
    }
    int end = ranks_start(call, p, where, copies, &settings, &o);
    end = end == EXIT_DONE ? pass_on(call, p, &o) : end;
    outcome_clear(&o);
    words_clear(&settings);
    return end;
}

/* Ranks read pieces, which a pipe does not have: it becomes a file. */
static int copy_if_piped(const char *path, const char *name, const folder *where, words *copies)
{
    char copy[PATH_MAX], told[PATH_MAX + FOLDER_NAME];
    if (path == NULL || !comes_once(path)) {
        return EXIT_DONE;
    }
    int end = launcher_file(where, path, name, copy);
    (void)snprintf(told, sizeof told, PARTITION_COPY "%s=%s", name, copy);
    words_add(copies, told);
    return end;
}

static int copy_pipes(const invocation *call, const folder *where, words *copies)
{
    int end = EXIT_DONE;
    for (int i = 0; i < COPIES && end == EXIT_DONE; i++) {
        end = copy_if_piped(partition_input(call, (partition_copy)i), partition_copy_names[i], where, copies);
    }
    return end;
}

static int partition_in(const invocation *call, const folder *where, const sigset_t *before, void *of)
{
    words copies = {0};
    (void)before; /* launcher_file() knows how to wait */
    int end = copy_pipes(call, where, &copies);
    end = end == EXIT_DONE ? start(call, of, &copies, where) : end;
    words_clear(&copies);
    return end;
}

static int run(const invocation *call)
{
    const partition_values *values = call->values;
    char path[PATH_MAX];
    ranks_program p = {"partition", "packages libopenmpi-dev and libptscotch-dev are", launcher_of(values),
                       values->hostfile, ranks_wanted(values)};
    int end = partition_check_usage(call);
    end = end == EXIT_DONE ? check_launching(call) : end;
    if (end != EXIT_DONE) {
        return end;
    }
    bool whole = values->list_methods || !external_find("partition", path);
    return whole ? ranks_become(call, &p) : launcher_in_folder(call, partition_in, &p);
}

const cli_command partition_command = {
    .name = "partition",
    .summary = "divide a mesh among processors, and count what a loop over it sends",
    .description =
        "Reads a mesh or a sparse matrix in pieces, one for each rank of an MPI program, and divides its vertices into "
        "parts of about equal load, with few edges between them. Then it does what a program with an irregular loop "
        "over "
        "the edges would do: it gives each edge to a rank, moves the data to their owners, and makes the schedules by "
        "which "
        "ranks gather what they need of others. It prints what the partition costs and how long every step took.\n"
        "No rank holds the whole mesh. Formats: METIS .graph, .mgraph and .mesh, Scotch .grf, Matrix Market .mtx, "
        "lists of "
        "edges; .gz of all of them.",
    .example = "inlay partition --generate triangles:40,30 --parts 4 -n 2 -o parts.ptn\n"
               "inlay partition --generate tetrahedra:12,12,12 --parts 4 -n 4 --graph parts.dot --time-unit us\n"
               "inlay map parts.dot bus:4,capacity=1GB/s",
    .operands = {{.name = "MESH", .help = "a file of the mesh, or - for standard input", .optional = true}},
    .groups = {&mesh_group, &dividing_group, &launching_group, &output_group, &picture_options, &common_options},
    .values_size = sizeof(partition_values),
    .run = run,
};

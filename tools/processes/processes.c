/* `inlay processes`: how many processes of an unchanged SPMD program each of some unlike processors should run. */
#include "processes.h"
#include "answer.h"
#include "commands.h"
#include "raster.h"
#include "report.h"
#include "select/select.h"
#include <inlay/inlay.h>
#include <inttypes.h>

enum { MOST_NEXT = 1000, MOST_POINTS = 100000, MOST_DIMENSIONS = 3 };

#define FIELD(name) offsetof(processes_values, name)

static const cli_option question[] = {
    {"data", 'W', OPTION_NUMBER, "DATA", "all data of the program, in the units of the file",
     "what the file says, or the points of --grid", FIELD(data)},
    {"fit", 0, OPTION_CHOICE, "file|table|constant|paper|offset",
     "what measurements become: what the file says, a table with interpolation, or a fitted formula", NULL, FIELD(fit)},
    {"beyond-hoho", 0, OPTION_FLAG, NULL, "also placements that take longer than one process on each processor", NULL,
     FIELD(beyond_hoho)},
    {"whole-units", 0, OPTION_FLAG, NULL, "count with data in whole units: each process has as many as any", NULL,
     FIELD(whole_units)},
    {"min", 0, OPTION_COUNT, "L", "fewest processes that are looked at", "1", FIELD(min)},
    {"max", 0, OPTION_COUNT, "L", "most processes that are looked at",
     "1000, or 10 for each processor where that is more", FIELD(max)},
    {"best", 0, OPTION_NUMBER, "N", "list the N next-best numbers of processes, 0 to 1000", "5", FIELD(best)},
    {"within", 0, OPTION_STRING, "SHARE", "find the fewest processes that take no more than this longer than the best",
     "1%", FIELD(within)},
};
static const cli_group question_group = {"Question", question, sizeof question / sizeof *question};

static const cli_option grids[] = {
    {"grid", 0, OPTION_STRING, "NxNxN", "points of the data: rank the shapes of process grids by what they exchange",
     NULL, FIELD(grid)},
    {"halo", 0, OPTION_COUNT, "N", "layers of points that a process needs of each neighbour", "1", FIELD(halo)},
    {"dimensions", 0, OPTION_COUNT, "N", "of the process grid at most, 1 to 3", "as many as --grid has",
     FIELD(dimensions)},
};
static const cli_group grids_group = {"Process grids", grids, sizeof grids / sizeof *grids};

static const cli_option dense[] = {
    {"kernel", 0, OPTION_STRING, "KERNEL:N", "find the grid and blocks of lu, cholesky or matmul of N x N matrices",
     NULL, FIELD(kernel)},
    {"block", 0, OPTION_NUMBERS, "LIST", "sizes of blocks to look at", "16,32,64,128,256", FIELD(block)},
    {"shape", 0, OPTION_STRING, "PxQ", "this grid of processes alone", NULL, FIELD(shape)},
    {"rates", 0, OPTION_STRING, "FILE", "seconds of 'update' and 'panel' over the size of blocks, as CSV", NULL,
     FIELD(rates)},
    {"mflops", 0, OPTION_NUMBERS, "N", "million operations a second of a processor of speed 1",
     "what MACHINE says, or 1", FIELD(mflops)},
    {"latency", 0, OPTION_SECONDS, "TIME", "of a message", "what MACHINE says", FIELD(latency)},
    {"per-byte", 0, OPTION_SECONDS, "TIME", "of a byte of a message", "what MACHINE says", FIELD(per_byte)},
};
static const cli_group dense_group = {"Dense linear algebra", dense, sizeof dense / sizeof *dense};

static const cli_option outputs[] = {
    {"hostfile", 0, OPTION_STRING, "FILE", "write the slots of each host for mpirun --hostfile", NULL, FIELD(hostfile)},
    {"rankfile", 0, OPTION_STRING, "FILE", "write the host of each rank for mpirun --rankfile, as --grid places them",
     NULL, FIELD(rankfile)},
    {"output", 'o', OPTION_STRING, "FILE", "write the result as JSON to FILE (.gz packs it)", NULL, FIELD(output)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the time of each number of processes as CSV to FILE", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw it, with HoHo, HoHe and the chosen number", NULL, FIELD(svg)},
    {"points", 0, OPTION_COUNT, "N", "of no more than N numbers of processes, 2 to 100000", "1000", FIELD(points)},
};
static const cli_group output_group = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Usage ---- */

static int check_numbers(const invocation *call)
{
    const processes_values *values = call->values;
    if (values->best > MOST_NEXT) {
        return report_usage(call->command, "--best %" PRIu64 ": expected a whole number from 0 to %d", values->best,
                            MOST_NEXT);
    }
    if (values->points == 1 || values->points > MOST_POINTS) {
        return report_usage(call->command, "--points %" PRId32 ": expected a whole number from 2 to %d", values->points,
                            MOST_POINTS);
    }
    if (values->dimensions > MOST_DIMENSIONS) {
        return report_usage(call->command, "--dimensions %" PRId32 ": expected a whole number from 1 to %d",
                            values->dimensions, MOST_DIMENSIONS);
    }
    return values->max > 0 && values->max < values->min
               ? report_usage(call->command, "--max %" PRId32 " is below --min %" PRId32, values->max, values->min)
               : EXIT_DONE;
}

static int check_usage(const invocation *call)
{
    const processes_values *values = call->values;
    int end = dense_check(call);
    if (end != EXIT_DONE) {
        return end;
    }
    if (values->points > 0 && values->csv == NULL && values->svg == NULL) {
        return report_usage(call->command, "--points goes with --csv or --svg");
    }
    if (values->grid == NULL && (values->halo > 0 || values->dimensions > 0)) {
        return report_usage(call->command, "--%s goes with --grid", values->halo > 0 ? "halo" : "dimensions");
    }
    return check_numbers(call);
}

/* ---- Giving out ---- */

/* "best: 12 processes, 0.3367657 ticks" */
static int draw(const cli_answer *a, const char *path)
{
    const inlay_process_result *of = a->of;
    enum { ROOM = 240 };
    char title[ROOM], label[ROOM], number[FIGURE];
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(of->plan);
    const char *unit = inlay_unit_word(of->asked.time_unit);
    (void)snprintf(title, sizeof title, "%s: time by number of processes", processes_name(a->call));
    (void)snprintf(label, sizeof label, "best: %" PRId64 " process%s, %s %s", of->best->total,
                   of->best->total == 1 ? "" : "es", figure_text(of->best->time, 7, number), unit);
    const inlay_process_picture picture = {.title = title,
                                           .unit = unit,
                                           .points = of->point,
                                           .count = of->points,
                                           .chosen = {of->best->total, of->best->time},
                                           .label = label,
                                           .hoho = rivals->hoho,
                                           .hohe = rivals->hohe};
    return inlay_processes_draw_svg(&picture, path, a->diag);
}

static bool is_dense(const cli_answer *a)
{
    return ((const processes_values *)a->call->values)->kernel != NULL;
}

static int write_json(const cli_answer *a, const char *path)
{
    if (is_dense(a)) {
        return dense_write_json(a, path);
    }
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_process_result_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    if (is_dense(a)) {
        return dense_write_csv(a, path);
    }
    const inlay_process_result *of = a->of;
    return inlay_process_points_write_csv(of->point, of->points, of->asked.time_unit, path, a->diag);
}

static int print(const cli_answer *a)
{
    return is_dense(a) ? dense_print(a) : processes_print(a);
}

static const cli_output processes_files[] = {
    {"--json", .write = write_json},
    {"-o", FIELD(output), .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = draw},
    {"--hostfile", FIELD(hostfile), .write = processes_write_hostfile},
    {"--rankfile", FIELD(rankfile), .write = processes_write_rankfile},
    {0},
};

/* ---- The command ---- */

static int answer_processes(const invocation *call, inlay_diag *diag)
{
    if (((const processes_values *)call->values)->kernel != NULL) {
        return dense_answer(call, diag);
    }
    inlay_process_platform *platform = NULL;
    inlay_process_question asked = {0};
    inlay_process_result *found = NULL;
    int status = processes_read_question(call, &platform, &asked, diag);
    status = status == INLAY_OK ? inlay_processes_ask(&asked, &found, diag) : status;
    status = status == INLAY_OK ? give_out(call, found, diag) : status;
    inlay_process_result_free(found);
    inlay_process_platform_free(platform);
    return status;
}

const cli_command processes_command = {
    .name = "processes",
    .summary = "processes of an unchanged SPMD program on each of unlike processors",
    .description =
        "A program that deals its data evenly among its processes waits for the slowest processor. Where faster "
        "processors run several processes, they get more of the data and the program stays as it is. Reads how fast "
        "processors are with a number of processes and an amount of data (any other machine has one speed for each "
        "type), and "
        "tells how many processes each of them "
        "should run, how many there should be in all, and how long the program takes then: beside HoHo, one process on "
        "each processor with equal data, and HoHe, one process on each with data dealt by speed.\n"
        "With --grid, tells which shape the grid of processes should have and which process goes where, so that little "
        "is sent from one processor to another; --rankfile and --hostfile start the program that way with Open MPI.\n"
        "With --kernel, tells which grid of processes and which size of blocks a dense factorisation or product of "
        "ScaLAPACK should have, step by step: how long it takes, and what the next-best ones take.",
    .example = "inlay processes architectures/paper-speeds.json\n"
               "inlay processes architectures/lab-speeds.csv -W 1000000 --fit offset\n"
               "inlay processes architectures/paper-speeds.json --grid 60x60x60\n"
               "inlay processes bus:16,capacity=1GB/s,latency=20us,arithmetic_time=0.5ns --kernel lu:8000",
    .operands = {{.name = "MACHINE", .help = "measured speeds as CSV or JSON, or any machine; - is standard input"}},
    .groups = {&question_group, &grids_group, &dense_group, &output_group, &picture_options, &common_options},
    .values_size = sizeof(processes_values),
    .outputs = processes_files,
    .print = print,
    .check = check_usage,
    .answer = answer_processes,
};

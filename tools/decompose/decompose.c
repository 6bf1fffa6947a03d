/* `inlay decompose`: how to cut a grid for unlike processors, what each way costs, and which is the best. */
#include "decompose.h"
#include "answer.h"
#include "commands.h"
#include "output.h"
#include "raster.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <string.h>

enum { MOST_POINTS = 400 };

#define FIELD(name) offsetof(decompose_values, name)

static const cli_option program[] = {
    {"pattern", 0, OPTION_STRING, "PATTERN",
     "what cells exchange: stencil3, stencil3-across, stencil5, stencil9, systolic, wavefront, broadcast[:ROOT], "
     "multicast:RECEIVERS, reduction[:ROOT], random, none, or offsets:1,0;0,-1 down and across; in three dimensions "
     "also "
     "stencil7, stencil19, stencil27 across faces, edges, corners, or offsets:-1,0,0 through, down and across",
     "stencil5, or stencil7 in three dimensions", FIELD(pattern)},
    {"flops", 0, OPTION_STRING, "N", "operations on a cell in a step, of phases that do not say theirs", "10",
     FIELD(flops)},
    {"item", 0, OPTION_STRING, "BYTES", "what a cell sends", "8B", FIELD(item)},
    {"weights", 0, OPTION_STRING, "FILE",
     "cells differ by these factors of the operations: one for each cell, or lines such as rows 0-99 2.5", NULL,
     FIELD(weights)},
    {"bounded", 0, OPTION_FLAG, NULL, "the grid has edges; else it is a torus", NULL, FIELD(bounded)},
    {"phase", 0, OPTION_TEXTS, "PATTERN[,flops=N][,weight=N][,item=BYTES][,name=NAME]",
     "a phase of the program, done `weight` times in a cycle; once for each phase, in place of --pattern", NULL,
     FIELD(phases)},
};
static const cli_group program_group = {"Program", program, sizeof program / sizeof *program};

static const cli_option machines[] = {
    {"mflops", 0, OPTION_STRING, "N", "million operations a second of a processor of speed 1", "1, or the file's",
     FIELD(mflops)},
    {"cell-memory", 0, OPTION_STRING, "BYTES", "memory of a cell: hosts get no more cells than fit", NULL,
     FIELD(cell_memory)},
    {"memory", 0, OPTION_STRING, "BYTES", "of a host, where the machine's file does not say, with --cell-memory", NULL,
     FIELD(memory)},
    {"curves", 0, OPTION_STRING, "FILE",
     "seconds of a cycle's computation by cells, for each processor: pieces end at once by these, not by speeds", NULL,
     FIELD(curves)},
    {"latency", 0, OPTION_SECONDS_OR_NONE, "TIME", "time of a message, whatever its length", "the file's, or 2.5ms",
     FIELD(latency)},
    {"per-byte", 0, OPTION_SECONDS_OR_NONE, "TIME", "and of each byte", "the file's, or 1.5us", FIELD(per_byte)},
    {"mtu", 0, OPTION_STRING, "DATA+HEADERS", "bytes of data and of headers in a frame; 0: no frames",
     "1460+58, or 0 with the file's network", FIELD(mtu)},
    {"wiring", 0, OPTION_CHOICE, "single|several|switch|cube|mesh|complete", "what carries messages at the same time",
     NULL, FIELD(wiring)},
    {"networks", 0, OPTION_COUNT, "N", "of --wiring several", NULL, FIELD(networks)},
};
static const cli_group machines_group = {"Machines and network", machines, sizeof machines / sizeof *machines};

static const cli_option search[] = {
    {"method", 0, OPTION_STRING, "METHOD",
     "all: rank all methods; best: search for better rectangles besides; or one of row, column, point, block, brbd, "
     "fbrd, fbrd-alternate, phd, jagged, column-based, interleaved, scatter, and map: the owners alone",
     "all", FIELD(method)},
    {"owners", 0, OPTION_STRING, "FILE",
     "rank a decomposition of your own beside the methods: processors of the cells, row by row, or rectangles", NULL,
     FIELD(owners)},
    {"fewer", 0, OPTION_CHOICE, "yes|no", "leave out the slowest processors where that is faster", NULL, FIELD(fewer)},
    {"shares", 0, OPTION_CHOICE, "makespan|hamilton|cumulative",
     "rounding of whole rows and points: for the shortest computation, by largest remainders, or by rounded sums", NULL,
     FIELD(shares)},
    {"unit", 0, OPTION_STRING, "UNIT", "what interleaved and scatter deal out: point, row, column, or a block, 4x8",
     "rows to interleave, points to scatter", FIELD(unit)},
    {"alike", 0, OPTION_FLAG, NULL, "interleaved gives every processor one turn, whatever the speeds", NULL,
     FIELD(alike)},
    {"down", 0, OPTION_FLAG, NULL, "the runs of point go down the columns, not along the rows", NULL, FIELD(down)},
    {"tries", 0, OPTION_COUNT, "N", "decompositions that --method best looks at", "20000, fewer from 16 processors on",
     FIELD(tries)},
};
static const cli_group search_group = {"Search", search, sizeof search / sizeof *search};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the result as JSON to FILE (.gz packs it)", NULL, FIELD(output)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the ranking as CSV to FILE", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw the best decomposition, with what is sent between processors", NULL,
     FIELD(svg)},
    {"write-owners", 0, OPTION_STRING, "FILE",
     "write who has which cells in the best decomposition, as --owners reads it", NULL, FIELD(write_owners)},
    {"crossover", 0, OPTION_STRING, "FILE", "draw the costs over the size of the grid; its shape stays", NULL,
     FIELD(crossover)},
    {"sizes", 0, OPTION_STRING, "FROM-TO", "from so many rows to so many",
     "8 (or what the processors need) to the grid's", FIELD(sizes)},
    {"points", 0, OPTION_COUNT, "N", "at so many sizes, 2 to 400", "60", FIELD(points)},
};
static const cli_group output_group = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Usage ---- */

static int check_usage(const invocation *call)
{
    const decompose_values *values = call->values;
    if (values->curves != NULL && values->crossover != NULL) {
        return report_usage(call->command, "--crossover is not for --curves, which hold for one grid");
    }
    if (values->curves != NULL && values->weights != NULL) {
        return report_usage(call->command, "--weights is not for --curves, which are times by cells that are alike");
    }
    int standard = output_is_standard(call->operands[0]) + output_is_standard(call->operands[1]);
    if (standard + output_is_standard(values->owners) + output_is_standard(values->weights) > 1) {
        return report_usage(call->command, standard > 1 ? "only one of GRID and MACHINE can be standard input"
                                                        : "only one input can be standard input");
    }
    if ((values->wiring == INLAY_GRID_SEVERAL) != (values->networks > 0)) {
        return report_usage(call->command, "--wiring several goes with --networks");
    }
    if (values->memory != NULL && values->cell_memory == NULL) {
        return report_usage(call->command, "--memory goes with --cell-memory");
    }
    if (values->crossover != NULL && (values->weights != NULL || values->cell_memory != NULL)) {
        return report_usage(call->command, "--crossover goes without --weights and --cell-memory");
    }
    if (values->phases.count > 0 && values->pattern != NULL) {
        return report_usage(call->command, "--pattern goes without --phase");
    }
    if ((values->sizes != NULL || values->points > 0) && values->crossover == NULL) {
        return report_usage(call->command, "--%s goes with --crossover", values->sizes != NULL ? "sizes" : "points");
    }
    if (values->crossover != NULL && values->method != NULL && strcmp(values->method, "map") == 0) {
        return report_usage(call->command, "--crossover goes without --method map: owners are those of one size");
    }
    if (values->points == 1 || values->points > MOST_POINTS) {
        return report_usage(call->command, "--points %" PRId32 ": expected a whole number from 2 to %d", values->points,
                            MOST_POINTS);
    }
    return EXIT_DONE;
}

/* ---- Giving out ---- */

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    return inlay_grid_result_write_json(a->of, &context, path, a->diag);
}

static int write_csv(const cli_answer *a, const char *path)
{
    return inlay_grid_ranking_write_csv(((const inlay_grid_result *)a->of)->ranking, path, a->diag);
}

static int write_owners(const cli_answer *a, const char *path)
{
    const inlay_grid_result *of = a->of;
    return inlay_grid_owners_write(inlay_grid_ranking_row(of->ranking, 0)->decomposition, of->asked.machines, path,
                                   a->diag);
}

static const cli_output decompose_files[] = {
    {"--json", .write = write_json},
    {"-o", FIELD(output), .write = write_json},
    {"--csv", FIELD(csv), .write = write_csv},
    {"--svg", FIELD(svg), .write = decompose_draw},
    {"--write-owners", FIELD(write_owners), .write = write_owners},
    {"--crossover", FIELD(crossover), .write = decompose_draw_crossover},
    {.name = "--owners", .path = FIELD(owners)},
    {.name = "--weights", .path = FIELD(weights)},
    {0},
};

/* ---- The command ---- */

static int answer_decompose(const invocation *call, inlay_diag *diag)
{
    inlay_grid_question question = {0};
    inlay_grid_result *found = NULL;
    int status = decompose_read_question(call, &question, diag);
    status = status == INLAY_OK ? inlay_grid_ask(&question, &found, diag) : status;
    status = status == INLAY_OK ? give_out(call, found, diag) : status;
    inlay_grid_result_free(found);
    decompose_question_clear(&question);
    return status;
}

const cli_command decompose_command = {
    .name = "decompose",
    .summary = "how to cut a grid for unlike processors, and what each way costs",
    .description =
        "A program computes on a grid of cells, step by step: a stencil, a wavefront. Fast processors should get more "
        "cells than slow ones, so that all finish together; the shape of the pieces decides how many messages and "
        "bytes "
        "a step sends. Ranks the ways to cut the grid that P. E. Crandall describes by the time of a step, tells what "
        "computation, messages and bytes take of it, and where fewer processors are faster says so.\n"
        "GRID is a size such as 4096x4096, rows by columns, or a file that also says what phases the program has. "
        "MACHINE is a list of speeds in Mflop/s such as 6,4,4,3 or 8x3.5, a table of them, or any other machine, as "
        "inlay "
        "measure writes it for example.\n"
        "--method best searches for rectangles that are better than those of every named method, and tells how far the "
        "bytes are from the least that rectangles can send.",
    .example = "inlay decompose 4096x4096 6,4,4,3,3,3,2,1\n"
               "inlay decompose 4096x4096 6,4,4,3,3,3,2,1 --method best --svg cut.svg\n"
               "inlay decompose 1000x1000 16x1 --pattern wavefront --crossover sizes.svg",
    .operands = {{.name = "GRID", .help = "[planes x] rows x columns, a grid file, or - for standard input"},
                 {.name = "MACHINE", .help = "speeds such as 6,4,4, or any machine; - is standard input"}},
    .groups = {&program_group, &machines_group, &search_group, &output_group, &picture_options, &common_options},
    .values_size = sizeof(decompose_values),
    .outputs = decompose_files,
    .print = decompose_print,
    .check = check_usage,
    .answer = answer_decompose,
};

/* `inlay decompose`: how to cut a grid for unlike processors, what each way costs, and which is the best. */
#include "decompose.h"
#include "commands.h"
#include "output.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 60, MOST_POINTS = 400, FIRST_SIZE = 8 };

/* What a message costs where nobody says it, and how long the frames are: the Ethernet of the thesis, with TCP/IP. */
static const double usual_latency = 2.5e-3, usual_per_byte = 1.5e-6;
enum { USUAL_PAYLOAD = 1460, USUAL_FRAME = 58, USUAL_ITEM = 8 };
static const char usual_pattern[] = "stencil5", usual_flops[] = "10";

#define FIELD(name) offsetof(decompose_values, name)

static const cli_option program[] = {
    {"pattern", 0, OPTION_STRING, "PATTERN",
     "what cells exchange: stencil3, stencil3-across, stencil5, stencil9, systolic, wavefront, broadcast[:ROOT], "
     "multicast:RECEIVERS, reduction[:ROOT], random, none, or offsets:1,0;0,-1 down and across",
     "stencil5", FIELD(pattern)},
    {"flops", 0, OPTION_STRING, "N", "operations on a cell in a step, of phases that do not say theirs", "10",
     FIELD(flops)},
    {"item", 0, OPTION_STRING, "BYTES", "what a cell sends", "8B", FIELD(item)},
    {"bounded", 0, OPTION_FLAG, NULL, "the grid has edges; else it is a torus", NULL, FIELD(bounded)},
    {"phase", 0, OPTION_TEXTS, "PATTERN[,flops=N][,weight=N][,item=BYTES][,name=NAME]",
     "a phase of the program, done `weight` times in a cycle; once for each phase, in place of --pattern", NULL,
     FIELD(phases)},
};
static const cli_group program_group = {"Program", program, sizeof program / sizeof *program};

static const cli_option machines[] = {
    {"mflops", 0, OPTION_STRING, "N", "million operations a second of a processor of speed 1", "1, or the file's",
     FIELD(mflops)},
    {"latency", 0, OPTION_SECONDS, "TIME", "time of a message, whatever its length", "the file's, or 2.5ms",
     FIELD(latency)},
    {"per-byte", 0, OPTION_SECONDS, "TIME", "and of each byte", "the file's, or 1.5us", FIELD(per_byte)},
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
     "fbrd, fbrd-alternate, phd, interleaved, scatter",
     "all", FIELD(method)},
    {"fewer", 0, OPTION_CHOICE, "yes|no", "leave out the slowest processors where that is faster", NULL, FIELD(fewer)},
    {"shares", 0, OPTION_CHOICE, "makespan|hamilton|cumulative",
     "rounding of whole rows and points: for the shortest computation, by largest remainders, or by rounded sums", NULL,
     FIELD(shares)},
    {"unit", 0, OPTION_STRING, "UNIT", "what interleaved and scatter deal out: point, row, column, or a block, 4x8",
     "rows to interleave, points to scatter", FIELD(unit)},
    {"tries", 0, OPTION_COUNT, "N", "decompositions that --method best looks at", "20000", FIELD(tries)},
};
static const cli_group search_group = {"Search", search, sizeof search / sizeof *search};

static const cli_option outputs[] = {
    {"output", 'o', OPTION_STRING, "FILE", "write the result as JSON to FILE (.gz packs it)", NULL, FIELD(output)},
    {"json", 0, OPTION_FLAG, NULL, "print JSON instead of the table", NULL, FIELD(common.json)},
    {"csv", 0, OPTION_STRING, "FILE", "write the ranking as CSV to FILE", NULL, FIELD(csv)},
    {"svg", 0, OPTION_STRING, "FILE", "draw the best decomposition, with what is sent between processors", NULL,
     FIELD(svg)},
    {"crossover", 0, OPTION_STRING, "FILE", "draw the costs over the size of the grid; its shape stays", NULL,
     FIELD(crossover)},
    {"sizes", 0, OPTION_STRING, "FROM-TO", "from so many rows to so many",
     "8 (or what the processors need) to the grid's", FIELD(sizes)},
    {"points", 0, OPTION_COUNT, "N", "at so many sizes, 2 to 400", "60", FIELD(points)},
};
static const cli_group output_group = {"Output", outputs, sizeof outputs / sizeof *outputs};

/* ---- Usage ---- */

static int check_outputs(const invocation *call)
{
    const decompose_values *values = call->values;
    const char *files[] = {values->output, values->csv, values->svg, values->crossover};
    const char *collision = output_collision(call, files, sizeof files / sizeof *files);
    int standard = call->common->json;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        standard += output_is_standard(files[i]);
    }
    if (collision != NULL) {
        return report_usage(call->command,
                            "'%s' would be overwritten; expected outputs that differ from the inputs and from each "
                            "other",
                            collision);
    }
    return standard > 1 ? report_usage(call->command, "only one of --json, -o, --csv, --svg and --crossover can go to "
                                                      "standard output")
                        : EXIT_DONE;
}

static int check_usage(const invocation *call)
{
    const decompose_values *values = call->values;
    if (output_is_standard(call->operands[0]) && output_is_standard(call->operands[1])) {
        return report_usage(call->command, "only one of GRID and MACHINES can be standard input");
    }
    if ((values->wiring == INLAY_GRID_SEVERAL) != (values->networks > 0)) {
        return report_usage(call->command, "--wiring several goes with --networks");
    }
    if (values->phases.count > 0 && values->pattern != NULL) {
        return report_usage(call->command, "--pattern goes without --phase");
    }
    if ((values->sizes != NULL || values->points > 0) && values->crossover == NULL) {
        return report_usage(call->command, "--%s goes with --crossover", values->sizes != NULL ? "sizes" : "points");
    }
    if (values->points == 1 || values->points > MOST_POINTS) {
        return report_usage(call->command, "--points %" PRId32 ": expected a whole number from 2 to %d", values->points,
                            MOST_POINTS);
    }
    return check_outputs(call);
}

/* ---- The question ---- */

static int read_number_of(const invocation *call, const char *name, const char *text, double *number)
{
    return decompose_read_number(text, number)
               ? EXIT_DONE
               : report_usage(call->command, "--%s '%s': expected a number of 0 or more", name, text);
}

/* What the grid's file says stands in front of the options; options replace it. */
static int read_phases(const invocation *call, decompose_question *to)
{
    const decompose_values *values = call->values;
    char why[DECOMPOSE_WHY];
    double flops = 0;
    int end = read_number_of(call, "flops", values->flops != NULL ? values->flops : usual_flops, &flops);
    if (end == EXIT_DONE) {
        end = decompose_read_grid(call->operands[0], flops, to);
    }
    bool asked = values->pattern != NULL || values->phases.count > 0;
    if (end == EXIT_DONE && asked && to->phases > 0) {
        return report_usage(call->command, "--%s goes without phases in the grid's file",
                            values->pattern != NULL ? "pattern" : "phase");
    }
    for (size_t i = 0; i < values->phases.count && end == EXIT_DONE; i++) {
        end = decompose_add_phase(to, values->phases.text[i], flops, why);
        if (end == EXIT_USAGE) {
            return report_usage(call->command, "--phase '%s': %s", values->phases.text[i], why);
        }
    }
    if (end == EXIT_DONE && to->phases == 0) {
        const char *pattern = values->pattern != NULL ? values->pattern : usual_pattern;
        end = decompose_add_phase(to, pattern, flops, why);
        if (end == EXIT_USAGE) {
            return report_usage(call->command, "--pattern '%s': %s", pattern, why);
        }
    }
    return end;
}

static int read_item(const invocation *call, decompose_question *to)
{
    const decompose_values *values = call->values;
    if (values->item != NULL && !decompose_read_bytes(values->item, &to->problem.item)) {
        return report_usage(call->command, "--item '%s': expected bytes from 1 on, such as 8B", values->item);
    }
    to->problem.item = to->problem.item > 0 ? to->problem.item : USUAL_ITEM;
    to->problem.bounded = to->problem.bounded || values->bounded;
    return EXIT_DONE;
}

/* "1460+58", or 0 */
static int read_frames(const invocation *call, inlay_grid_network *network)
{
    const char *text = ((const decompose_values *)call->values)->mtu;
    char *copy = text != NULL ? strdup(text) : NULL;
    if (text == NULL) {
        return EXIT_DONE;
    }
    if (copy == NULL) {
        return report_no_memory();
    }
    int64_t payload = 0, frame = 0;
    char *plus = strchr(copy, '+');
    if (plus != NULL) {
        *plus = '\0';
    }
    bool fits = plus != NULL ? decompose_read_bytes(copy, &payload) && inlay_bytes_parse(plus + 1, &frame) == INLAY_OK
                             : strcmp(copy, "0") == 0;
    free(copy);
    if (!fits) {
        return report_usage(call->command, "--mtu '%s': expected bytes of data and of headers, such as 1460+58, or 0",
                            text);
    }
    network->payload = payload;
    network->frame = frame;
    return EXIT_DONE;
}

static int read_network(const invocation *call, decompose_question *to)
{
    const decompose_values *values = call->values;
    inlay_grid_network *network = &to->network;
    if (values->latency > 0) {
        network->latency = values->latency;
        to->latency_assumed = false;
    }
    if (values->per_byte > 0) {
        network->per_byte = values->per_byte;
        to->per_byte_assumed = false;
    }
    if (call->given[command_find_option(call->command, "--wiring")] != NULL) {
        network->wiring = (inlay_grid_wiring)values->wiring;
        network->networks = values->networks;
    }
    return read_frames(call, network);
}

static int read_unit(const invocation *call, inlay_grid_options *to)
{
    static const char *const words[] = {"point", "row", "column"};
    const char *text = ((const decompose_values *)call->values)->unit;
    if (text == NULL) {
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i]) == 0) {
            to->unit = (inlay_grid_unit)(INLAY_GRID_UNIT_POINT + (int)i);
            return EXIT_DONE;
        }
    }
    to->unit = INLAY_GRID_UNIT_BLOCK;
    return decompose_read_extent(text, &to->unit_rows, &to->unit_columns)
               ? EXIT_DONE
               : report_usage(call->command, "--unit '%s': expected point, row, column or a block such as 4x8", text);
}

/* Bits of the methods; EXIT_USAGE where the word is none. */
static int read_methods(const invocation *call, uint32_t *methods)
{
    const char *text = ((const decompose_values *)call->values)->method;
    uint32_t named = (UINT32_C(1) << INLAY_GRID_BEST) - 1, searched = UINT32_C(1) << INLAY_GRID_BEST;
    *methods = text == NULL || strcmp(text, "all") == 0 ? named : strcmp(text, "best") == 0 ? named | searched : 0;
    for (int i = 0; *methods == 0 && i < INLAY_GRID_BEST; i++) {
        *methods = strcmp(text, inlay_grid_method_name((inlay_grid_method)i)) == 0 ? UINT32_C(1) << i : 0;
    }
    return *methods != 0 ? EXIT_DONE
                         : report_usage(call->command,
                                        "--method '%s': expected all, best, row, column, point, block, brbd, fbrd, "
                                        "fbrd-alternate, phd, interleaved or scatter",
                                        text);
}

static int read_options(const invocation *call, decompose_question *to)
{
    const decompose_values *values = call->values;
    to->options = (inlay_grid_rank_options){
        .decomposition = {.shares = (inlay_grid_shares)values->shares, .seed = values->common.seed},
        .all = values->fewer != 0,
        .tries = values->tries,
        .redistribute = to->phases > 1};
    int end = read_methods(call, &to->options.methods);
    return end == EXIT_DONE ? read_unit(call, &to->options.decomposition) : end;
}

static int read_question(const invocation *call, decompose_question *to)
{
    const decompose_values *values = call->values;
    double mflops = 1;
    int end = values->mflops != NULL ? read_number_of(call, "mflops", values->mflops, &mflops) : EXIT_DONE;
    if (end == EXIT_DONE && !(mflops > 0)) {
        return report_usage(call->command, "--mflops '%s': expected a number above 0", values->mflops);
    }
    to->network = (inlay_grid_network){
        .latency = usual_latency, .per_byte = usual_per_byte, .payload = USUAL_PAYLOAD, .frame = USUAL_FRAME};
    to->latency_assumed = to->per_byte_assumed = true;
    if (end == EXIT_DONE) {
        end = read_phases(call, to);
    }
    if (end == EXIT_DONE) {
        end = read_item(call, to);
    }
    if (end == EXIT_DONE) {
        end = decompose_read_machines(call, call->operands[1], mflops, to);
    }
    if (end == EXIT_DONE) {
        end = read_network(call, to);
    }
    return end == EXIT_DONE ? read_options(call, to) : end;
}

/* ---- The answer ---- */

/* The smallest grid of the shape whose cells are enough for the processors, from 8 rows on. */
static int64_t first_size(const decompose_question *asked)
{
    int64_t rows = FIRST_SIZE < asked->problem.rows ? FIRST_SIZE : 1;
    while (rows < asked->problem.rows && rows * decompose_columns(asked, rows) < asked->problem.processors) {
        rows++;
    }
    return rows;
}

static int find_crossover(decomposed *of, inlay_diag *diag)
{
    const decompose_values *values = of->call->values;
    decompose_question *asked = &of->question;
    int64_t from = first_size(asked), to = asked->problem.rows;
    if (values->sizes != NULL) {
        char *copy = strdup(values->sizes);
        if (copy == NULL) {
            return report_no_memory();
        }
        char *dash = strchr(copy, '-');
        if (dash != NULL) {
            *dash = 'x'; /* two whole numbers, as in an extent */
        }
        bool fits = dash != NULL && decompose_read_extent(copy, &from, &to) && from < to &&
                    (double)to * (double)decompose_columns(asked, to) <= 0x1p53;
        free(copy);
        if (!fits) {
            return report_usage(of->call->command, "--sizes '%s': expected numbers of rows such as 64-4096",
                                values->sizes);
        }
    }
    if (from >= to) {
        return report_usage(of->call->command,
                            "a grid of %" PRId64 " rows leaves no sizes to cross over; expected "
                            "--sizes FROM-TO",
                            to);
    }
    uint32_t methods = asked->options.methods, scatter = UINT32_C(1) << INLAY_GRID_SCATTER;
    asked->options.methods = methods == scatter ? methods : methods & ~scatter; /* a table for each size */
    int status = decompose_find_crossover(of, from, to, values->points > 0 ? (size_t)values->points : POINTS, diag);
    asked->options.methods = methods;
    return status == INLAY_OK ? EXIT_DONE : report_end(of->call, status, diag);
}

static int find(decomposed *of, inlay_diag *diag)
{
    const decompose_values *values = of->call->values;
    const decompose_question *asked = &of->question;
    int status = inlay_grid_rank(&asked->problem, &asked->network, asked->phase, asked->phases, &asked->options,
                                 &of->ranking, diag);
    if (status != INLAY_OK) {
        return report_end(of->call, status, diag);
    }
    if (values->crossover == NULL) {
        return EXIT_DONE;
    }
    inlay_diag *apart = inlay_diag_new(); /* each size warns of the same things again */
    int end = apart != NULL ? find_crossover(of, apart) : report_no_memory();
    inlay_diag_free(apart);
    return end;
}

/* ---- Giving out ---- */

static void print_json(const decomposed *of, const inlay_diag *diag, FILE *to)
{
    decompose_print_json(of, diag, to);
}

static void print_csv(const decomposed *of, const inlay_diag *diag, FILE *to)
{
    (void)diag;
    decompose_print_csv(of, to);
}

static int write_text(const decomposed *of, const char *path, const inlay_diag *diag,
                      void (*print)(const decomposed *of, const inlay_diag *diag, FILE *to))
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) {
        return report_no_memory();
    }
    print(of, diag, to);
    bool whole = ferror(to) == 0;
    whole = fclose(to) == 0 && whole;
    int end = whole ? output_write(path, text, size) : report_no_memory();
    free(text);
    return end;
}

static int write_files(const decomposed *of, inlay_diag *diag)
{
    const decompose_values *values = of->call->values;
    int end = values->output != NULL ? write_text(of, values->output, diag, print_json) : EXIT_DONE;
    if (end == EXIT_DONE && values->csv != NULL) {
        end = write_text(of, values->csv, diag, print_csv);
    }
    if (end == EXIT_DONE && values->svg != NULL) {
        end = decompose_draw(of, values->svg, diag);
    }
    return end == EXIT_DONE && values->crossover != NULL ? decompose_draw_crossover(of, values->crossover, diag) : end;
}

static int deliver(const decomposed *of, inlay_diag *diag)
{
    const decompose_values *values = of->call->values;
    const char *files[] = {values->output, values->csv, values->svg, values->crossover};
    bool writes = false, taken = false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        writes = writes || files[i] != NULL;
        taken = taken || output_is_standard(files[i]);
    }
    int end = write_files(of, diag);
    if (end != EXIT_DONE) {
        return end;
    }
    int status = INLAY_OK;
    if (values->common.json) {
        decompose_print_json(of, diag, stdout);
    } else if (!taken && !(values->common.quiet && writes)) {
        status = decompose_print(of, stdout);
    }
    return report_end(of->call, status, diag);
}

/* ---- The command ---- */

static int run(const invocation *call)
{
    int end = check_usage(call);
    inlay_diag *diag = end == EXIT_DONE ? inlay_diag_new() : NULL;
    if (end != EXIT_DONE || diag == NULL) {
        return end != EXIT_DONE ? end : report_no_memory();
    }
    decomposed *of = calloc(1, sizeof *of);
    if (of == NULL) {
        inlay_diag_free(diag);
        return report_no_memory();
    }
    of->call = call;
    end = read_question(call, &of->question);
    if (end == EXIT_DONE) {
        end = find(of, diag);
    }
    if (end == EXIT_DONE) {
        end = deliver(of, diag);
    }
    inlay_grid_ranking_free(of->ranking);
    decompose_crossover_clear(&of->crossover);
    decompose_question_clear(&of->question);
    free(of);
    inlay_diag_free(diag);
    return end;
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
        "MACHINES are speeds in Mflop/s such as 6,4,4,3 or 8x3.5, a table of them, a machine file as inlay measure "
        "writes it, or a metasystem.\n"
        "--method best searches for rectangles that are better than those of every named method, and tells how far the "
        "bytes are from the least that rectangles can send.",
    .example = "inlay decompose 4096x4096 6,4,4,3,3,3,2,1\n"
               "inlay decompose 4096x4096 6,4,4,3,3,3,2,1 --method best --svg cut.svg\n"
               "inlay decompose 1000x1000 16x1 --pattern wavefront --crossover sizes.svg",
    .operands = {{"GRID", "rows x columns, a grid file, or - for standard input", false, false},
                 {"MACHINES", "speeds, or a file of them, a machine, a metasystem, or -", false, false}},
    .groups = {&program_group, &machines_group, &search_group, &output_group, &common_options},
    .values_size = sizeof(decompose_values),
    .run = run,
};

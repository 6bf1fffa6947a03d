/* What `inlay decompose` is asked: grid, program, machines, network and what to look for, from operands and options. */
#include "decompose.h"
#include "curves.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a message costs where nobody says it, and how long the frames are: the Ethernet of the thesis, with TCP/IP. */
static const double usual_latency = 2.5e-3, usual_per_byte = 1.5e-6;
enum { USUAL_PAYLOAD = 1460, USUAL_FRAME = 58, USUAL_ITEM = 8, POINTS = 60, FIRST_SIZE = 8 };
static const char usual_pattern[] = "stencil5", usual_in_space[] = "stencil7", usual_flops[] = "10";

void decompose_question_clear(inlay_grid_question *question)
{
    inlay_grid_program_free(question->program);
    inlay_grid_machines_free(question->machines);
    free((int32_t *)question->options.owner); /* ours */
    inlay_grid_weights_free(question->weights);
    free(question->room);
    free((inlay_curve *)question->problem.curve);
    *question = (inlay_grid_question){0};
}

/* A finite number from 0 on. */
static int read_number_of(const invocation *call, const char *name, const char *text, double *number)
{
    inlay_decimal decimal;
    if (inlay_decimal_parse(text, &decimal) != INLAY_OK || decimal.digits < 0) {
        return report_usage(call->command, "--%s '%s': expected a number of 0 or more", name, text);
    }
    *number = inlay_decimal_double(decimal);
    return EXIT_DONE;
}

/* ---- The grid and its program ---- */

/* What is wrong with a phase is told behind its option. */
static int add_phase(const invocation *call, const char *option, const char *text, double flops, inlay_grid_program *to,
                     inlay_diag *diag)
{
    int status = inlay_grid_program_add(to, text, flops, diag);
    return status == INLAY_BAD_ARGUMENT
               ? report_usage(call->command, "--%s '%s': %s", option, text, inlay_diag_message(diag))
           : status == INLAY_OK ? EXIT_DONE
                                : report_end(call, status, diag);
}

/* Options add phases to a file that has none. */
static int add_phases(const invocation *call, double flops, inlay_grid_program *to, inlay_diag *diag)
{
    const decompose_values *values = call->values;
    bool asked = values->pattern != NULL || values->phases.count > 0;
    int end = EXIT_DONE;
    if (asked && to->phases > 0) {
        return report_usage(call->command, "--%s goes without phases in the grid's file",
                            values->pattern != NULL ? "pattern" : "phase");
    }
    for (size_t i = 0; i < values->phases.count && end == EXIT_DONE; i++) {
        end = add_phase(call, "phase", values->phases.text[i], flops, to, diag);
    }
    const char *pattern = values->pattern != NULL ? values->pattern : to->planes > 1 ? usual_in_space : usual_pattern;
    return end == EXIT_DONE && to->phases == 0 ? add_phase(call, "pattern", pattern, flops, to, diag) : end;
}

static int read_program(const invocation *call, inlay_grid_question *to, inlay_diag *diag)
{
    const decompose_values *values = call->values;
    double flops = 0;
    int end = read_number_of(call, "flops", values->flops != NULL ? values->flops : usual_flops, &flops);
    if (end != EXIT_DONE) {
        return end;
    }
    int status = inlay_grid_program_read(call->operands[0], flops, &to->program, diag);
    return status == INLAY_OK ? add_phases(call, flops, to->program, diag) : report_end(call, status, diag);
}

static int read_item(const invocation *call, inlay_grid_question *to)
{
    const decompose_values *values = call->values;
    const inlay_grid_program *program = to->program;
    int64_t item = program->item > 0 ? program->item : USUAL_ITEM;
    if (values->item != NULL && (inlay_bytes_parse(values->item, &item) != INLAY_OK || item < 1)) {
        return report_usage(call->command, "--item '%s': expected bytes from 1 on, such as 8B", values->item);
    }
    to->problem.rows = program->rows;
    to->problem.columns = program->columns;
    to->problem.planes = program->planes;
    to->problem.item = item;
    to->problem.bounded = program->bounded || values->bounded;
    return EXIT_DONE;
}

/* ---- Machines and network ---- */

static int read_machines(const invocation *call, inlay_grid_question *to, inlay_diag *diag)
{
    const char *text = ((const decompose_values *)call->values)->mflops;
    double mflops = 0;
    int end = text != NULL ? read_number_of(call, "mflops", text, &mflops) : EXIT_DONE;
    if (end == EXIT_DONE && text != NULL && !(mflops > 0)) {
        return report_usage(call->command, "--mflops '%s': expected a number above 0", text);
    }
    if (end != EXIT_DONE) {
        return end;
    }
    int status = inlay_grid_machines_read(call->operands[1], mflops, &to->machines, diag);
    if (status != INLAY_OK) {
        return report_end(call, status, diag);
    }
    to->problem.processors = to->machines->processors;
    to->problem.speed = to->machines->speed;
    return EXIT_DONE;
}

static const char *processor_name(const void *of, size_t i)
{
    const inlay_grid_machines *machines = of;
    return machines->name != NULL ? machines->name[i] : NULL;
}

static int read_curves(const invocation *call, inlay_grid_question *to, inlay_diag *diag)
{
    const char *path = ((const decompose_values *)call->values)->curves;
    inlay_curve *curve = NULL;
    int end = path != NULL ? curves_for(call, path, (size_t)to->problem.processors, processor_name, to->machines, 1,
                                        &curve, diag)
                           : EXIT_DONE;
    to->problem.curve = curve;
    return end;
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
    bool fits = plus != NULL ? inlay_bytes_parse(copy, &payload) == INLAY_OK && payload > 0 &&
                                   inlay_bytes_parse(plus + 1, &frame) == INLAY_OK
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

static bool is_given(const invocation *call, const char *option)
{
    return call->given[command_find_option(call->command, option)] != NULL;
}

static int read_network(const invocation *call, inlay_grid_question *to)
{
    const decompose_values *values = call->values;
    inlay_grid_network *network = &to->network;
    *network =
        to->machines->networked
            ? to->machines->network
            : (inlay_grid_network){
                  .latency = usual_latency, .per_byte = usual_per_byte, .payload = USUAL_PAYLOAD, .frame = USUAL_FRAME};
    to->latency_assumed = to->per_byte_assumed = !to->machines->networked;
    bool latency = is_given(call, "--latency"), per_byte = is_given(call, "--per-byte");
    if (!latency || !per_byte) {
        to->routes = to->machines->routes;
    }
    if ((latency || per_byte || is_given(call, "--wiring")) && network->ways != NULL) {
        network->wiring = to->machines->mean;
        network->ways = NULL;
    } else if (network->ways != NULL) {
        to->routes.other = 0;
    }
    if (latency) {
        network->latency = values->latency;
        to->latency_assumed = false;
    }
    if (per_byte) {
        network->per_byte = values->per_byte;
        to->per_byte_assumed = false;
    }
    if (is_given(call, "--wiring")) {
        network->wiring = (inlay_grid_wiring)values->wiring;
        network->networks = values->networks;
    }
    return read_frames(call, network);
}

/* ---- What is looked for ---- */

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
    return inlay_grid_extent_parse(text, &to->unit_rows, &to->unit_columns) == INLAY_OK
               ? EXIT_DONE
               : report_usage(call->command, "--unit '%s': expected point, row, column or a block such as 4x8", text);
}

/* Bits of the methods; owners of one's own are ranked beside those that are asked for. */
static int read_methods(const invocation *call, uint32_t *methods)
{
    const decompose_values *values = call->values;
    const char *text = values->method;
    const uint32_t searched = UINT32_C(1) << INLAY_GRID_BEST, named = searched - 1;
    const uint32_t own = values->owners != NULL ? UINT32_C(1) << INLAY_GRID_MAP : 0;
    uint32_t asked = text == NULL || strcmp(text, "all") == 0 ? named
                     : strcmp(text, "best") == 0              ? named | searched
                                                              : 0;
    for (int i = 0; asked == 0 && i < INLAY_GRID_BEST; i++) {
        asked = strcmp(text, inlay_grid_method_name((inlay_grid_method)i)) == 0 ? UINT32_C(1) << i : 0;
    }
    if (asked == 0 && strcmp(text, "map") == 0) {
        *methods = own;
        return own != 0 ? EXIT_DONE : report_usage(call->command, "--method map goes with --owners");
    }
    *methods = asked | own;
    return asked != 0 ? EXIT_DONE
                      : report_usage(call->command,
                                     "--method '%s': expected all, best, row, column, point, block, brbd, fbrd, "
                                     "fbrd-alternate, phd, jagged, column-based, interleaved, scatter or map",
                                     text);
}

static int read_options(const invocation *call, inlay_grid_question *to)
{
    const decompose_values *values = call->values;
    to->options = (inlay_grid_rank_options){.decomposition = {.shares = (inlay_grid_shares)values->shares,
                                                              .alike = values->alike,
                                                              .down = values->down,
                                                              .seed = values->common.seed},
                                            .all = values->fewer != 0,
                                            .tries = values->tries,
                                            .owner = to->options.owner,
                                            .redistribute = to->program->phases > 1};
    int end = read_methods(call, &to->options.methods);
    return end == EXIT_DONE ? read_unit(call, &to->options.decomposition) : end;
}

static int read_owners(const invocation *call, inlay_grid_question *to, inlay_diag *diag)
{
    const char *path = ((const decompose_values *)call->values)->owners;
    int32_t *owner = NULL;
    int status = path != NULL ? inlay_grid_owners_read(path, &to->problem, to->machines->name, &owner, diag) : INLAY_OK;
    to->options.owner = owner;
    return status == INLAY_OK ? EXIT_DONE : report_end(call, status, diag);
}

static int read_weights(const invocation *call, inlay_grid_question *to, inlay_diag *diag)
{
    const char *path = ((const decompose_values *)call->values)->weights;
    int status = path != NULL ? inlay_grid_weights_read(path, &to->problem, &to->weights, diag) : INLAY_OK;
    to->problem.weights = to->weights;
    return status == INLAY_OK ? EXIT_DONE : report_end(call, status, diag);
}

/* ---- Memory ---- */

static int read_memory_of(const invocation *call, const char *option, const char *text, int64_t *bytes)
{
    return inlay_bytes_parse(text, bytes) == INLAY_OK && *bytes >= 1
               ? EXIT_DONE
               : report_usage(call->command, "--%s '%s': expected bytes from 1 on, such as 64B", option, text);
}

/* Cells that each host can hold. */
static int read_room(const invocation *call, inlay_grid_question *to)
{
    const decompose_values *values = call->values;
    const inlay_grid_machines *machines = to->machines;
    int64_t each = 0, memory = -1;
    if (values->cell_memory == NULL) {
        return EXIT_DONE;
    }
    int end = read_memory_of(call, "cell-memory", values->cell_memory, &each);
    end = end == EXIT_DONE && values->memory != NULL ? read_memory_of(call, "memory", values->memory, &memory) : end;
    if (end != EXIT_DONE) {
        return end;
    }
    to->room = calloc((size_t)machines->processors, sizeof *to->room);
    if (to->room == NULL) {
        return report_no_memory();
    }
    bool any = false;
    for (int32_t i = 0; i < machines->processors; i++) {
        int64_t own = machines->memory != NULL && machines->memory[i] >= 0 ? machines->memory[i] : memory;
        any = any || own >= 0;
        to->room[i] = own >= 0 ? own / each : INT64_MAX;
    }
    to->problem.room = to->room;
    to->problem.host = machines->host;
    return any ? EXIT_DONE
               : report_usage(call->command,
                              "--cell-memory: nobody says how much memory a host has; expected --memory");
}

/* ---- Sizes to cross over ---- */

/* The smallest grid of the shape whose cells are enough for the processors, from 8 rows on. */
static int64_t first_size(const inlay_grid_problem *problem)
{
    int64_t rows = FIRST_SIZE < problem->rows ? FIRST_SIZE : 1;
    while (rows < problem->rows && rows * inlay_grid_columns(problem, rows) < problem->processors) {
        rows++;
    }
    return rows;
}

/* "64-4096" */
static int read_range(const invocation *call, const char *text, inlay_grid_question *to)
{
    char *copy = strdup(text);
    if (copy == NULL) {
        return report_no_memory();
    }
    char *dash = strchr(copy, '-');
    if (dash != NULL) {
        *dash = 'x'; /* two whole numbers, as in an extent */
    }
    inlay_grid_sizes *sizes = &to->sizes;
    bool fits = dash != NULL && inlay_grid_extent_parse(copy, &sizes->from, &sizes->to) == INLAY_OK &&
                sizes->from < sizes->to &&
                (double)sizes->to * (double)inlay_grid_columns(&to->problem, sizes->to) <= 0x1p53;
    free(copy);
    return fits ? EXIT_DONE
                : report_usage(call->command, "--sizes '%s': expected numbers of rows such as 64-4096", text);
}

static int read_sizes(const invocation *call, inlay_grid_question *to)
{
    const decompose_values *values = call->values;
    if (values->crossover == NULL) {
        return EXIT_DONE;
    }
    to->sizes = (inlay_grid_sizes){first_size(&to->problem), to->problem.rows,
                                   values->points > 0 ? (size_t)values->points : POINTS};
    int end = values->sizes != NULL ? read_range(call, values->sizes, to) : EXIT_DONE;
    return end != EXIT_DONE || to->sizes.from < to->sizes.to
               ? end
               : report_usage(call->command,
                              "a grid of %" PRId64 " rows leaves no sizes to cross over; expected --sizes FROM-TO",
                              to->sizes.to);
}

int decompose_read_question(const invocation *call, inlay_grid_question *to, inlay_diag *diag)
{
    int end = read_program(call, to, diag);
    end = end == EXIT_DONE ? read_item(call, to) : end;
    end = end == EXIT_DONE ? read_machines(call, to, diag) : end;
    end = end == EXIT_DONE ? read_curves(call, to, diag) : end;
    end = end == EXIT_DONE ? read_network(call, to) : end;
    end = end == EXIT_DONE ? read_weights(call, to, diag) : end;
    end = end == EXIT_DONE ? read_room(call, to) : end;
    end = end == EXIT_DONE ? read_owners(call, to, diag) : end;
    end = end == EXIT_DONE ? read_options(call, to) : end;
    return end == EXIT_DONE ? read_sizes(call, to) : end;
}

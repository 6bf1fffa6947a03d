/* What `inlay decompose` prints for people: the answer in words, the ranking, the pieces, phases, sizes. */
#include "decompose.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LABEL = 12, MOST_PIECES = 20, WIDTH = 100 };

static const double mega = 1e6;

/* ---- Words ---- */

/* A method in a few words. */
static const char *decompose_method_words(inlay_grid_method method)
{
    static const char *const words[INLAY_GRID_METHODS] = {
        [INLAY_GRID_ROW] = "strips of rows",
        [INLAY_GRID_COLUMN] = "strips of columns",
        [INLAY_GRID_POINT] = "runs of cells in reading order",
        [INLAY_GRID_BLOCK] = "blocks of one size, whatever the speeds",
        [INLAY_GRID_BRBD] = "binary recursive blocks, fastest half beside slowest half",
        [INLAY_GRID_FBRD] = "fair binary recursive blocks, cut across the longer edge",
        [INLAY_GRID_FBRD_ALTERNATE] = "fair binary recursive blocks, cuts in turn",
        [INLAY_GRID_PHD] = "blocks within regions of like processors",
        [INLAY_GRID_JAGGED] = "columns of as many processors each, cut into blocks",
        [INLAY_GRID_COLUMN_BASED] = "columns of like processors with the least edges",
        [INLAY_GRID_INTERLEAVED] = "units dealt out in turn",
        [INLAY_GRID_SCATTER] = "units dealt out at random",
        [INLAY_GRID_BEST] = "rectangles found by local search",
        [INLAY_GRID_MAP] = "owners of your own"};
    return words[method];
}

static const inlay_grid_row *best_of(const inlay_grid_result *of)
{
    return inlay_grid_ranking_row(of->ranking, 0);
}

static const char *step_word(const inlay_grid_result *of)
{
    const inlay_grid_question *asked = &of->asked;
    return asked->program->phases > 1 || asked->program->phase[0].weight != 1 ? "cycle" : "step";
}

static void figure_cell(table *rows, double number)
{
    table_cells(rows, "%#.6g", isfinite(number) ? number : NAN);
}

/* ---- The question ---- */

static void print_speeds(const inlay_grid_question *asked, FILE *to)
{
    double least = INFINITY, most = 0;
    for (int32_t i = 0; i < asked->problem.processors; i++) {
        least = fmin(least, asked->problem.speed[i]);
        most = fmax(most, asked->problem.speed[i]);
    }
    say(to, "%" PRId32 " processor%s of ", asked->problem.processors, asked->problem.processors == 1 ? "" : "s");
    say(to, "%#.6g", least / mega);
    if (most > least) {
        say(to, " to %#.6g", most / mega);
    }
    say(to, " Mflop/s%s\n", asked->machines->speed_assumed ? " (assumed: --mflops)" : "");
}

static void print_phase(const inlay_grid_question *asked, size_t i, FILE *to)
{
    const inlay_grid_phase *phase = &asked->program->phase[i];
    const char *pattern = inlay_grid_communication_name(phase->pattern.communication);
    char bytes[BYTES_TEXT];
    say_label(to, LABEL, i == 0 ? asked->program->phases == 1 ? "phase" : "phases" : "");
    if (phase->name != NULL) {
        say(to, "%-s: ", phase->name);
    }
    say(to, "%s, %#.6g operations a cell, items of %s", pattern, phase->work,
        bytes_text(phase->item > 0 ? phase->item : asked->problem.item, bytes));
    if (phase->weight != 1) {
        say(to, ", %#.6g times a cycle", phase->weight);
    }
    say(to, "\n");
}

/* "0.001 to 0.002 s a message" */
static void say_range(FILE *to, double least, double most, const char *of)
{
    say(to, "%.4g", least);
    if (most > least) {
        say(to, " to %.4g", most);
    }
    say(to, " s a %s", of);
}

static void print_routes(const inlay_grid_routes *routes, FILE *to)
{
    if (routes->other > 0) {
        say(to, "             assumed for %" PRId64 " of %" PRId64 " pairs of processors, whose routes take\n",
            routes->other, routes->pairs);
        say_label(to, LABEL, "");
        say_range(to, routes->least_latency, routes->most_latency, "message, ");
        say_range(to, routes->least_per_byte, routes->most_per_byte, "byte\n");
    }
}

static void print_network(const inlay_grid_question *asked, FILE *to)
{
    const inlay_grid_network *network = &asked->network;
    say_label(to, LABEL, "network");
    if (network->wiring == INLAY_GRID_SEVERAL) {
        say(to, "%" PRId32 " networks", network->networks);
    } else {
        say(to, "%s", inlay_grid_wiring_name(network->wiring));
    }
    say(to, ": ");
    if (network->ways != NULL) {
        say_range(to, asked->routes.least_latency, asked->routes.most_latency, "message, ");
        say_range(to, asked->routes.least_per_byte, asked->routes.most_per_byte, "byte");
    } else {
        say(to, "%.4g s a message, %.4g s a byte", network->latency, network->per_byte);
    }
    if (network->payload > 0) {
        say(to, ", frames of %" PRId64 " + %" PRId64 " bytes", network->payload, network->frame);
    }
    if (asked->latency_assumed || asked->per_byte_assumed) {
        say(to, " (assumed: %s%s%s)", asked->latency_assumed ? "--latency" : "",
            asked->latency_assumed && asked->per_byte_assumed ? ", " : "", asked->per_byte_assumed ? "--per-byte" : "");
    }
    say(to, "\n");
    print_routes(&asked->routes, to);
}

static void print_question(const inlay_grid_result *of, FILE *to)
{
    const inlay_grid_question *asked = &of->asked;
    const inlay_grid_problem *problem = &asked->problem;
    if (problem->planes > 1) {
        say(to, "%" PRId64 " x ", problem->planes);
    }
    say(to, "%" PRId64 " x %" PRId64 " cells, %s, on ", problem->rows, problem->columns,
        problem->bounded ? "bounded" : "a torus");
    print_speeds(asked, to);
    for (size_t i = 0; i < asked->program->phases; i++) {
        print_phase(asked, i, to);
    }
    print_network(asked, to);
}

/* ---- The answer ---- */

/* "40.1 % computation" */
static void say_part(FILE *to, double part, double whole, const char *words)
{
    say(to, "%.1f %% %s", whole > 0 ? 100 * part / whole : 0.0, words);
}

static void print_best(const inlay_grid_result *of, FILE *to)
{
    const inlay_grid_row *best = best_of(of);
    const inlay_grid_cost *cost = &best->cost;
    say(to, "best         %s, %s: %#.6g s a %s\n", inlay_grid_method_name(best->method),
        decompose_method_words(best->method), cost->seconds, step_word(of));
    say_label(to, LABEL, "");
    say_part(to, cost->computation, cost->seconds, "computation, ");
    say_part(to, cost->latency, cost->seconds, "latency, ");
    say_part(to, cost->transmission, cost->seconds, "transmission\n");
}

static void print_fewer(const inlay_grid_result *of, FILE *to)
{
    const inlay_grid_row *best = best_of(of);
    int32_t all = of->asked.problem.processors;
    say_label(to, LABEL, "processors");
    if (best->processors == all) {
        say(to, "%s\n", all == 1 ? "the one there is" : "all of them");
        return;
    }
    if (of->asked.network.ways != NULL) {
        say(to, "%" PRId32 " of %" PRId32, best->processors, all);
    } else if (best->processors == 1) {
        say(to, "only the fastest of %" PRId32, all);
    } else {
        say(to, "the %" PRId32 " fastest of %" PRId32, best->processors, all);
    }
    if (best->seconds_all <= best->cost.seconds) {
        say(to, ": the others would not make it shorter");
    } else if (isfinite(best->seconds_all) && best->cost.seconds > 0) {
        say(to, ": all of them take %#.6g s, %.1f %% longer", best->seconds_all,
            100 * (best->seconds_all / best->cost.seconds - 1));
    }
    say(to, "\n");
}

static void print_bound(const inlay_grid_result *of, FILE *to)
{
    const inlay_grid_cost *cost = &best_of(of)->cost;
    if (!isfinite(cost->least_bytes) || cost->least_bytes <= 0) {
        return;
    }
    const char *pieces = of->asked.problem.planes > 1 ? "boxes" : "rectangles";
    say(to, "bytes        %#.6g", cost->bytes);
    if (cost->bytes >= cost->least_bytes) {
        say(to, ", %.1f %% above ", 100 * (cost->bytes / cost->least_bytes - 1));
    } else {
        say(to, "; no %s, whose least is ", pieces);
    }
    say(to, "%#.6g", cost->least_bytes);
    if (cost->bytes >= cost->least_bytes) {
        say(to, ": no %s with as many cells each send less", pieces);
    }
    say(to, "\n");
}

static void print_redistribution(const inlay_grid_result *of, FILE *to)
{
    const inlay_grid_redistribution *ways = inlay_grid_ranking_redistribution(of->ranking);
    if (ways == NULL) {
        return;
    }
    say_label(to, LABEL, "redistribute");
    if (!ways->pays) {
        say(to, "no: moving cells between the phases does not pay\n");
        return;
    }
    say(to, "yes, moving cells between the phases pays: %#.6g s a cycle, of it %#.6g s on the way, against %#.6g s\n",
        ways->seconds, ways->ways, ways->seconds_without);
    for (size_t i = 0; i < of->asked.program->phases; i++) {
        say(to, "             %-s: %s\n", inlay_grid_phase_name(&of->asked.program->phase[i]),
            inlay_grid_method_name(inlay_grid_ranking_row(of->ranking, ways->row[i])->method));
    }
}

/* ---- Tables ---- */

static int print_ranking(const inlay_grid_result *of, FILE *to)
{
    table rows = {.left = {true}};
    table_headings(
        &rows,
        "method|ratio|seconds|computation^1|latency^2|transmission^2|messages^3|bytes^3|imbalance^4|processors^5");
    for (size_t i = 0; i < inlay_grid_ranking_rows(of->ranking); i++) {
        const inlay_grid_row *row = inlay_grid_ranking_row(of->ranking, i);
        const inlay_grid_cost *cost = &row->cost;
        const double figures[] = {cost->seconds,      cost->computation, cost->latency,
                                  cost->transmission, cost->messages,    cost->bytes};
        table_cells(&rows, "%s|%.2f", inlay_grid_method_name(row->method), row->ratio);
        for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
            figure_cell(&rows, figures[f]);
        }
        table_cells(&rows, "%.3f|%" PRId32, cost->imbalance, row->processors);
    }
    return table_print(&rows, to);
}

static void add_piece(const inlay_grid_result *of, table *rows, int32_t processor)
{
    const inlay_decomposition *best = best_of(of)->decomposition;
    const inlay_grid_problem *problem = &of->asked.problem;
    int64_t cells = inlay_decomposition_cells(best, processor);
    char room[INLAY_GRID_NAME];
    inlay_grid_block block;
    table_cell(rows, "%s", inlay_grid_processor_name(of->asked.machines, processor, room));
    figure_cell(rows, of->asked.problem.speed[processor] / mega);
    bool in_space = problem->planes > 1;
    double all = (double)problem->rows * (double)problem->columns * (in_space ? (double)problem->planes : 1);
    table_cells(rows, "%" PRId64 "|%.1f %%", cells, 100 * (double)cells / all);
    if (cells > 0 && inlay_decomposition_block(best, processor, &block)) {
        if (in_space) {
            table_cells(rows, "%" PRId64 "-%" PRId64, block.front, block.back - 1);
        }
        table_cells(rows, "%" PRId64 "-%" PRId64 "|%" PRId64 "-%" PRId64, block.top, block.bottom - 1, block.left,
                    block.right - 1);
    } else {
        table_cells(rows, in_space ? "-|-|-" : "-|-");
    }
}

/* Processors by falling speed. */
static int print_pieces(const inlay_grid_result *of, bool verbose, FILE *to)
{
    const inlay_grid_row *best = best_of(of);
    const int32_t *order = inlay_decomposition_order(best->decomposition);
    int32_t shown = verbose || best->processors <= MOST_PIECES ? best->processors : MOST_PIECES;
    table rows = {.left = {true}};
    table_headings(&rows, of->asked.problem.planes > 1 ? "processor|Mflop/s|cells|share|planes|rows|columns"
                                                       : "processor|Mflop/s|cells|share|rows|columns");
    for (int32_t i = 0; i < shown; i++) {
        add_piece(of, &rows, order[i]);
    }
    int status = table_print(&rows, to);
    if (status == INLAY_OK && shown < best->processors) {
        say(to, "... (%" PRId32 " more processors; --verbose lists all)\n", best->processors - shown);
    }
    return status;
}

/* ---- Sizes ---- */

static void print_crossover(const inlay_grid_result *of, FILE *to)
{
    const inlay_grid_crossover *crossover = &of->crossover;
    for (size_t i = 0; i < crossover->ranges; i++) {
        const inlay_grid_range *range = &crossover->range[i];
        say_label(to, LABEL, i == 0 ? "sizes" : "");
        if (range->to > range->from) {
            say(to, "%" PRId64 " to %" PRId64 " rows: %s\n", range->from, range->to,
                inlay_grid_method_name(range->method));
        } else {
            say(to, "%" PRId64 " rows: %s\n", range->from, inlay_grid_method_name(range->method));
        }
    }
}

/* ---- All of it ---- */

int decompose_print(const cli_answer *a)
{
    const inlay_grid_result *of = a->of;
    FILE *to = stdout;
    print_question(of, to);
    say(to, "\n");
    print_best(of, to);
    print_fewer(of, to);
    print_bound(of, to);
    print_redistribution(of, to);
    print_crossover(of, to);
    say(to, "\n");
    int status = print_ranking(of, to);
    say(to, "\n");
    return status == INLAY_OK ? print_pieces(of, a->call->common->verbose, to) : status;
}

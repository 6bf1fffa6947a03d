/* What `inlay processes` prints for people: the answer, times, other numbers of processes, speeds, process grids. */
#include "processes.h"
#include "report.h"
#include "select/select.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The call decides how much is printed. */
typedef struct processes_found {
    const invocation *call;
    const inlay_process_result *found;
} processes_found;

enum { LABEL = 10, WIDTH = 100, MOST_SAID = 8, MOST_TYPES = 20, MOST_SHAPES = 8, SHAPE_TEXT = 80 };

static bool is_verbose(const processes_found *of)
{
    return of->call->common->verbose;
}

/* By how much an answer takes longer than the best one, as a fraction. */
static double longer_by(const processes_found *of, const inlay_process_answer *answer)
{
    return answer->time / of->found->best->time - 1;
}

static const char *unit_of(const processes_found *of)
{
    return inlay_unit_word(of->found->asked.time_unit);
}

/* "process", "processes" */
static const char *ending(int64_t count)
{
    return count == 1 ? "" : "es";
}

/* A text that is made piece by piece, and broken into lines when it is whole. */
typedef struct paragraph {
    char *text;
    size_t size;
    FILE *to;
} paragraph;

static bool paragraph_open(paragraph *p)
{
    *p = (paragraph){0};
    p->to = open_memstream(&p->text, &p->size);
    return p->to != NULL;
}

static int paragraph_print(paragraph *p, size_t at, size_t indent, FILE *to)
{
    bool whole = ferror(p->to) == 0;
    whole = fclose(p->to) == 0 && whole;
    if (whole) {
        say_wrapped(to, p->text, at, indent, WIDTH);
    }
    free(p->text);
    return whole ? INLAY_OK : INLAY_NO_MEMORY;
}

/* ---- The answer ---- */

/* "4 on athlon", "2 on each of 3 p3", "3 on each of 2 p3, 2 on each of the other 4" */
static void say_share(const processes_found *of, size_t q, FILE *to)
{
    const inlay_process_share *share = &of->found->best->share[q];
    int64_t count = of->found->asked.problem.row[q].count;
    char room[INLAY_PROCESSOR_NAME];
    const char *name = inlay_processors_name(&of->found->asked.problem, q, room);
    if (count == 1) {
        say(to, "%" PRId64 " on %-s", share->each, name);
        return;
    }
    if (share->extra == 0) {
        say(to, "%" PRId64 " on each of %" PRId64 " %-s", share->each, count, name);
        return;
    }
    say(to, "%" PRId64 " on %s%" PRId64 " ", share->each + 1, share->extra > 1 ? "each of " : "", share->extra);
    say_safely(to, name);
    if (share->each > 0) {
        say(to, " and %" PRId64 " on %s %" PRId64, share->each,
            count - share->extra > 1 ? "each of the other" : "the other", count - share->extra);
    }
}

static int print_answer(const processes_found *of, FILE *to)
{
    const char *unit = of->found->asked.data_unit;
    paragraph line;
    say(to, "%-s: %" PRId64 " %-s on %" PRId64 " processor%s, times in %s\n", processes_name(of->call),
        of->found->asked.problem.data, unit[0] != '\0' ? unit : "data", of->found->processors,
        of->found->processors == 1 ? "" : "s", unit_of(of));
    if (!paragraph_open(&line)) {
        return INLAY_NO_MEMORY;
    }
    say(line.to, "%" PRId64 " process%s on %" PRId64 " processor%s: ", of->found->best->total,
        ending(of->found->best->total), of->found->best->used, of->found->best->used == 1 ? "" : "s");
    size_t said = 0;
    for (size_t q = 0; q < of->found->asked.problem.rows; q++) {
        bool used = of->found->best->share[q].each > 0 || of->found->best->share[q].extra > 0;
        if (used && said == MOST_SAID) {
            say(line.to, ", and more below");
            break;
        }
        if (used) {
            say(line.to, said++ > 0 ? ", " : "");
            say_share(of, q, line.to);
        }
    }
    say(to, "run");
    int status = paragraph_print(&line, strlen("run"), 4, to);
    say(to, "\n");
    return status;
}

/* ---- Types of processors ---- */

/* "2 x 3, 4 x 2": what some processors get, and the others. */
static void add_shares(table *rows, const inlay_process_share *share, int64_t count, double unit)
{
    char less[FIGURE];
    figure_text((double)share->each * unit, 7, less);
    if (share->extra > 0) {
        char more[FIGURE];
        table_cell(rows, "%" PRId64 " x %s, %" PRId64 " x %s", share->extra,
                   figure_text((double)(share->each + 1) * unit, 7, more), count - share->extra, less);
    } else {
        table_cell(rows, "%s", less);
    }
}

static void add_type(const processes_found *of, table *rows, size_t q)
{
    const inlay_processors *row = &of->found->asked.problem.row[q];
    const inlay_process_share *share = &of->found->best->share[q];
    double unit = of->found->best->unit;
    double most = (double)(share->each + (share->extra > 0));
    double all = (double)share->each * (double)row->count + (double)share->extra;
    double time = most > 0 ? inlay_processors_time(row, most, most * unit) : 0;
    char room[INLAY_PROCESSOR_NAME];
    table_cell(rows, "%s", inlay_processors_name(&of->found->asked.problem, q, room));
    table_cell(rows, "%" PRId64, row->count);
    add_shares(rows, share, row->count, 1);
    add_shares(rows, share, row->count, unit);
    table_cells(rows, "%.1f %%|%#.7g", 100 * all / (double)of->found->best->total, time);
}

/* Of very many types only the first. */
static int print_types(const processes_found *of, FILE *to)
{
    table rows = {.left = {true, [2] = true, [3] = true}};
    size_t all = of->found->asked.problem.rows, most = is_verbose(of) || all <= MOST_TYPES ? all : MOST_TYPES;
    table_headings(&rows, "type|processors^2|processes on each|data on each|share of data^1|t_i");
    for (size_t q = 0; q < most; q++) {
        add_type(of, &rows, q);
    }
    int status = table_print(&rows, to);
    if (status == INLAY_OK && most < all) {
        say(to, "... (%zu more types; --verbose lists them)\n", all - most);
    }
    return status;
}

/* ---- Times ---- */

static void say_time(const processes_found *of, double time, FILE *to)
{
    char number[FIGURE];
    say(to, "%s %s", figure_text(time, 7, number), unit_of(of));
}

/* "; the 12 processes take 37.0 % less" */
static void say_beside(const processes_found *of, double time, FILE *to)
{
    double change = of->found->best->time / time - 1;
    say(to, "; the %" PRId64 " process%s take%s ", of->found->best->total, ending(of->found->best->total),
        of->found->best->total == 1 ? "s" : "");
    if (fabs(change) < 5e-6) {
        say(to, "the same\n");
    } else {
        char text[FIGURE];
        say(to, "%s %s\n", percent_figure(fabs(change), false, text), change < 0 ? "less" : "more");
    }
}

static void print_fewest(const processes_found *of, FILE *to)
{
    char within[FIGURE], longer[FIGURE];
    double share = of->found->asked.options.within > 0 ? of->found->asked.options.within : 0.01;
    say_label(to, LABEL, "fewest");
    (void)snprintf(within, sizeof within, "%.4g %%", 100 * share);
    if (of->found->fewest->total == of->found->best->total) {
        say(to, "%" PRId64 ": no smaller number of processes comes within %s of that time\n", of->found->fewest->total,
            within);
        return;
    }
    say(to, "%" PRId64 " process%s come%s within %s: ", of->found->fewest->total, ending(of->found->fewest->total),
        of->found->fewest->total == 1 ? "s" : "", within);
    say_time(of, of->found->fewest->time, to);
    say(to, ", %s; --max %" PRId64 " takes them\n", percent_figure(longer_by(of, of->found->fewest), true, longer),
        of->found->fewest->total);
}

/* Times count with data that are divided evenly; programs deal whole units. */
static void print_uneven(const processes_found *of, FILE *to)
{
    const double worth_a_line = 0.01;
    int64_t total = of->found->best->total, least = of->found->asked.problem.data / total;
    if (inlay_process_uneven(&of->found->asked.problem, &of->found->asked.options, of->found->best) >= worth_a_line) {
        char text[FIGURE];
        say(to,
            "uneven     %" PRId64 " is no multiple of %" PRId64 ": processes with %" PRId64
            " have %s more than is counted here; --whole-units counts them\n",
            of->found->asked.problem.data, total, least + 1,
            percent_figure(inlay_process_uneven(&of->found->asked.problem, &of->found->asked.options, of->found->best),
                           false, text));
    }
}

static void print_times(const processes_found *of, FILE *to)
{
    const inlay_process_rivals *rivals = inlay_process_plan_rivals(of->found->plan);
    char room[INLAY_PROCESSOR_NAME];
    say_label(to, LABEL, "time");
    say_time(of, of->found->best->time, to);
    say(to, ", for which %-s works last\n",
        inlay_processors_name(&of->found->asked.problem, of->found->best->last, room));
    say_label(to, LABEL, "HoHo");
    say_time(of, rivals->hoho, to);
    say(to, " with one process on each processor, equal data");
    say_beside(of, rivals->hoho, to);
    say_label(to, LABEL, "HoHe");
    say_time(of, rivals->hohe, to);
    say(to, " with one process on each, data dealt by speed");
    say_beside(of, rivals->hohe, to);
    print_fewest(of, to);
    print_uneven(of, to);
    say(to, "looked at  %" PRId64 " to %" PRId64 " processes%s%s\n", rivals->from, rivals->to,
        of->found->asked.options.whole_units ? ", data in whole units" : "",
        of->found->asked.options.beyond_hoho ? "" : ", without placements that take longer than HoHo");
}

/* ---- Other numbers of processes ---- */

/* Processes on each processor by type: "4, 2, 3-2, 1". */
static void add_by_type(const processes_found *of, table *rows, const inlay_process_answer *answer)
{
    enum { ROOM = 32 * (MOST_SAID + 1) };
    char text[ROOM] = "";
    size_t length = 0, shown = of->found->asked.problem.rows <= MOST_SAID ? of->found->asked.problem.rows : MOST_SAID;
    for (size_t q = 0; q < shown; q++) {
        const inlay_process_share *share = &answer->share[q];
        const char *between = q > 0 ? ", " : "";
        int more = share->extra > 0 ? snprintf(text + length, ROOM - length, "%s%" PRId64 "-%" PRId64, between,
                                               share->each, share->each + 1)
                                    : snprintf(text + length, ROOM - length, "%s%" PRId64, between, share->each);
        length += more > 0 ? (size_t)more : 0;
        length = length < ROOM ? length : ROOM - 1;
    }
    table_cell(rows, "%s%s", text, shown < of->found->asked.problem.rows ? ", ..." : "");
}

static const char *shape_text(const processes_found *of, const inlay_process_grid *shape, char text[SHAPE_TEXT])
{
    int length = snprintf(text, SHAPE_TEXT, "%" PRId64, shape->shape[0]);
    for (int i = 1; i < 3 && length > 0; i++) {
        if (of->found->asked.grid.data[i] > 0) {
            length += snprintf(text + length, SHAPE_TEXT - (size_t)length, " x %" PRId64, shape->shape[i]);
        }
    }
    return text;
}

static void add_placement(const processes_found *of, table *rows, const char *name, const inlay_process_answer *answer,
                          const inlay_process_grids *grids)
{
    const inlay_process_grid *shape = grids != NULL ? inlay_process_grids_at(grids, 0) : NULL;
    double longer = longer_by(of, answer);
    table_cell(rows, "%s", name);
    table_cells(rows, "%" PRId64 "|%#.7g", answer->total, answer->time);
    if (answer == of->found->best) {
        table_cell(rows, "%s", "");
    } else {
        char text[FIGURE];
        table_cell(rows, "%s", longer < 5e-6 ? "same" : percent_figure(longer, true, text));
    }
    table_cell(rows, "%" PRId64, answer->used);
    add_by_type(of, rows, answer);
    if ((of->found->asked.grid.data[0] > 0) && shape != NULL) {
        char room[SHAPE_TEXT];
        table_cell(rows, "%s", shape_text(of, shape, room));
        table_cells(rows, "%#.7g", shape->external);
    } else if ((of->found->asked.grid.data[0] > 0)) {
        table_cells(rows, "none|-");
    }
}

static int print_placements(const processes_found *of, FILE *to)
{
    table rows = {.left = {true, [5] = true, [6] = true}};
    table_headings(&rows, (of->found->asked.grid.data[0] > 0)
                              ? "placement|processes|time|longer|used^1|by type|best shape^2|between processors^3"
                              : "placement|processes|time|longer|used|by type");
    add_placement(of, &rows, "best", of->found->best, of->found->grids);
    if (of->found->fewest->total != of->found->best->total) {
        add_placement(of, &rows, "fewest", of->found->fewest, of->found->fewest_grids);
    }
    for (size_t i = 1; i < inlay_process_plan_count(of->found->plan); i++) {
        const inlay_process_answer *next = inlay_process_plan_at(of->found->plan, i);
        add_placement(of, &rows, "next", next, of->found->next_grids != NULL ? of->found->next_grids[i] : NULL);
    }
    return table_print(&rows, to);
}

/* ---- Speeds ---- */

static bool only_constants(const processes_found *of)
{
    for (size_t q = 0; q < of->found->asked.problem.rows; q++) {
        const inlay_performance *performance = of->found->asked.problem.row[q].performance;
        if (inlay_performance_form_of(performance) != INLAY_PERFORMANCE_CONSTANT ||
            inlay_performance_errors_of(performance) != NULL) {
            return false;
        }
    }
    return true;
}

static void number_cell(table *rows, double number)
{
    if (number > 0) {
        table_cells(rows, "%#.7g", number);
    } else {
        table_cell(rows, "-");
    }
}

/* What the function rests on: where it was measured, and how far the fit is from that. */
static void add_source(table *rows, const inlay_performance *performance)
{
    const inlay_performance_errors *errors = inlay_performance_errors_of(performance);
    inlay_performance_range range = inlay_performance_range_of(performance);
    char from[FIGURE], to[FIGURE];
    if (errors != NULL) {
        char rms[FIGURE], worst[FIGURE];
        table_cell(rows, "fitted to %zu: rms %s, worst %s at x = %" PRId64 ", y = %s", errors->measurements,
                   percent_figure(errors->rms, false, rms), percent_figure(errors->worst, true, worst),
                   errors->missed.processes, figure_text(errors->missed.data, 7, from));
    } else if (range.known) {
        table_cell(rows, "measured: x %" PRId64 " to %" PRId64 ", y %s to %s", range.processes[0], range.processes[1],
                   figure_text(range.data[0], 7, from), figure_text(range.data[1], 7, to));
    } else {
        table_cell(rows, "given");
    }
}

/* Of a function that no row before has: those share what was measured. */
static void add_errors(const processes_found *of, table *rows, size_t q)
{
    const inlay_performance *performance = of->found->asked.problem.row[q].performance;
    const inlay_performance_errors *errors = inlay_performance_errors_of(performance);
    char room[INLAY_PROCESSOR_NAME], text[FIGURE];
    for (size_t before = 0; before < q; before++) {
        if (of->found->asked.problem.row[before].performance == performance) {
            return;
        }
    }
    for (size_t i = 0; errors != NULL && i < errors->measurements; i++) {
        const inlay_measurement *m = &errors->measurement[i];
        table_cell(rows, "%s", inlay_processors_name(&of->found->asked.problem, q, room));
        table_cells(rows, "%" PRId64 "|%#.7g|%#.7g|%#.7g", m->processes, m->data, m->speed,
                    m->speed * (1 + errors->error[i]));
        table_cell(rows, "%s", percent_figure(errors->error[i], true, text));
    }
}

/* How far each fit is from each of its measurements. */
static int print_errors(const processes_found *of, FILE *to)
{
    table rows = {.left = {true}};
    table_headings(&rows, "fitted to|x|y|measured f|fitted f|error");
    for (size_t q = 0; q < of->found->asked.problem.rows; q++) {
        add_errors(of, &rows, q);
    }
    if (table_rows(&rows) > 1) {
        say(to, "\n");
        return table_print(&rows, to);
    }
    table_clear(&rows);
    return INLAY_OK;
}

/* The speeds as they are counted, where they are not just one number for each type. */
static int print_speeds(const processes_found *of, FILE *to)
{
    table rows = {.left = {true, true, [6] = true}};
    size_t all = of->found->asked.problem.rows, most = is_verbose(of) || all <= MOST_TYPES ? all : MOST_TYPES;
    if (only_constants(of) && !is_verbose(of)) {
        return INLAY_OK;
    }
    table_headings(&rows, "speed f(x, y)|form^1|c^3|a^3|b^3|times^2|from~");
    for (size_t q = 0; q < most; q++) {
        const inlay_processors *row = &of->found->asked.problem.row[q];
        inlay_performance_numbers numbers = inlay_performance_numbers_of(row->performance);
        char room[INLAY_PROCESSOR_NAME];
        table_cell(&rows, "%s", inlay_processors_name(&of->found->asked.problem, q, room));
        table_cell(&rows, "%s", inlay_performance_form_name(inlay_performance_form_of(row->performance)));
        number_cell(&rows, numbers.c);
        number_cell(&rows, numbers.a);
        number_cell(&rows, numbers.b);
        table_cells(&rows, "%#.7g", row->speed > 0 ? row->speed : 1);
        add_source(&rows, row->performance);
    }
    say(to, "\n");
    return table_print(&rows, to);
}

/* ---- Process grids ---- */

/* "grid 3 x 2 x 2 of 60 x 60 x 60 points, halo 1: ... of ... points go to another processor" */
static void print_best_shape(const processes_found *of, FILE *to)
{
    const inlay_process_grid *best = inlay_process_grids_at(of->found->grids, 0),
                             *second = inlay_process_grids_at(of->found->grids, 1);
    inlay_process_grid data = {
        .shape = {of->found->asked.grid.data[0], of->found->asked.grid.data[1], of->found->asked.grid.data[2]}};
    char text[SHAPE_TEXT], number[FIGURE];
    say_label(to, LABEL, "grid");
    say(to, "%s processes", shape_text(of, best, text));
    say(to, " for %s points: in one exchange %s points", shape_text(of, &data, text),
        figure_text(best->external, 7, number));
    say(to, " of %s go to another processor\n", figure_text(best->volume, 7, number));
    if (second == NULL) {
        return;
    }
    say_label(to, LABEL, "");
    double more = second->external / best->external - 1;
    if (best->external == 0) {
        say(to, "the next shape, %s, sends %s\n", shape_text(of, second, text),
            second->external > 0 ? figure_text(second->external, 7, number) : "none either");
    } else if (more == 0) {
        say(to, "the next shape, %s, sends as many\n", shape_text(of, second, text));
    } else {
        say(to, "the next shape, %s, sends %s more\n", shape_text(of, second, text),
            percent_figure(more, false, number));
    }
}

static int print_grids(const processes_found *of, FILE *to)
{
    table rows = {.left = {true}};
    if (of->found->grids == NULL) {
        return INLAY_OK;
    }
    size_t all = inlay_process_grids_count(of->found->grids),
           most = is_verbose(of) || all <= MOST_SHAPES ? all : MOST_SHAPES;
    double least = inlay_process_grids_at(of->found->grids, 0)->external;
    say(to, "\n");
    print_best_shape(of, to);
    say(to, "\n");
    table_headings(&rows, "shape|between processors|more^1|busiest^2|sent^3|links^4|on one processor^5");
    for (size_t i = 0; i < most; i++) {
        const inlay_process_grid *shape = inlay_process_grids_at(of->found->grids, i);
        char text[SHAPE_TEXT];
        table_cell(&rows, "%s", shape_text(of, shape, text));
        table_cells(&rows, "%#.7g", shape->external);
        if (i == 0 || least == 0) {
            table_cell(&rows, "%s", "");
        } else {
            table_cell(&rows, "%s",
                       shape->external == least ? "same" : percent_figure(shape->external / least - 1, true, text));
        }
        table_cells(&rows, "%#.7g|%#.7g|%" PRId64 "|%" PRId64, shape->busiest, shape->volume, shape->links,
                    shape->internal);
    }
    int status = table_print(&rows, to);
    if (status == INLAY_OK && most < all) {
        say(to, "... (%zu more shapes; --verbose lists them)\n", all - most);
    }
    return status;
}

/* ---- All of it ---- */

/* Whether a used processor has no host's name of its own. */
static bool names_are_made(const processes_found *of)
{
    for (size_t q = 0; q < of->found->asked.problem.rows; q++) {
        const inlay_process_share *share = &of->found->best->share[q];
        if (of->found->asked.problem.row[q].host == NULL && (share->each > 0 || share->extra > 0)) {
            return true;
        }
    }
    return false;
}

/* Whether some processor runs several processes. */
static bool processors_are_shared(const processes_found *of)
{
    for (size_t q = 0; q < of->found->asked.problem.rows; q++) {
        if (of->found->best->share[q].each + (of->found->best->share[q].extra > 0) > 1) {
            return true;
        }
    }
    return false;
}

/* Open MPI's processes spin while they wait, and keep others from their core: with as many slots it never yields. */
static void print_start(const processes_found *of, FILE *to)
{
    const processes_values *values = of->call->values;
    const char *file = values->rankfile != NULL ? values->rankfile : values->hostfile;
    if (file == NULL) {
        return;
    }
    say(to, "\nstart with: mpirun %s--%s %s -np %" PRId64 " PROGRAM\n",
        processors_are_shared(of) ? "--mca mpi_yield_when_idle 1 " : "",
        values->rankfile != NULL ? "rankfile" : "hostfile", file, of->found->best->total);
    if (names_are_made(of)) {
        say(to, "            its hosts are named after their types; 'hosts' in %-s gives their names\n",
            processes_name(of->call));
    }
}

int processes_print(const cli_answer *a)
{
    const processes_found all = {a->call, a->of}, *of = &all;
    FILE *to = stdout;
    int status = print_answer(of, to);
    status = status == INLAY_OK ? print_types(of, to) : status;
    if (status == INLAY_OK) {
        say(to, "\n");
        print_times(of, to);
        say(to, "\n");
        status = print_placements(of, to);
    }
    status = status == INLAY_OK ? print_speeds(of, to) : status;
    if (status == INLAY_OK && is_verbose(of)) {
        status = print_errors(of, to);
    }
    status = status == INLAY_OK ? print_grids(of, to) : status;
    print_start(of, to);
    return status;
}

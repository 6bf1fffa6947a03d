/* The tables of `inlay profile`. */
#include "profile.h"
#include "report.h"
#include "simulated.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>

enum { LABEL = 15, DIGITS = 10 };

/* ---- Operations ---- */

static void add_operation(table *rows, const inlay_profiled *p, int operation, double work)
{
    double times = inlay_profile_total(p->profile, operation), each = inlay_profile_cost(p->profile, operation);
    if (times <= 0) {
        return;
    }
    table_cell(rows, "%s", inlay_program_operation_name(p->program, operation));
    table_cells(rows, "%.*g|%.*g|%.*g", DIGITS, times, DIGITS, each, DIGITS, times * each);
    table_cell(rows, work > 0 ? "%.1f %%" : "-", 100 * times * each / work);
}

static int print_operations(const inlay_profiled *p, const char *unit)
{
    bool measured = inlay_profile_measured(p->profile);
    double work = inlay_profile_work(p->profile);
    table rows = {.columns = measured ? 2 : 5, .left = {true}};
    table_cells(&rows, "operation|times done");
    if (!measured) {
        table_cell(&rows, "%s each", unit);
        table_cell(&rows, "%s in all", unit);
        table_cell(&rows, "share");
    }
    for (int o = 0; o < inlay_program_operations(p->program); o++) {
        if (measured && inlay_profile_total(p->profile, o) > 0) {
            table_cell(&rows, "%s", inlay_program_operation_name(p->program, o));
            table_cell(&rows, "%.*g", DIGITS, inlay_profile_total(p->profile, o));
        } else if (!measured) {
            add_operation(&rows, p, o, work);
        }
    }
    return table_print(&rows, stdout);
}

/* ---- The graph ---- */

static void print_parameters(const inlay_program *program)
{
    for (size_t i = 0; i < inlay_program_parameters(program); i++) {
        inlay_program_parameter parameter = inlay_program_parameter_at(program, i);
        if (i == 0) {
            say_label(stdout, LABEL, "parameters");
        }
        say(stdout, "%s%s=%.*g", i > 0 ? ", " : "", parameter.name, DIGITS, parameter.value);
    }
    say(stdout, inlay_program_parameters(program) > 0 ? "\n" : "");
}

static void print_number(int64_t number, const char *noun, const char *end)
{
    say(stdout, "%" PRId64 " %s%s%s", number, noun, number == 1 ? "" : "s", end);
}

static void print_graph(const inlay_profiled *p, const char *unit)
{
    const inlay_app *app = inlay_profile_app(p->profile);
    int64_t feedback = inlay_profile_feedback(p->profile), left = inlay_profile_left(p->profile);
    print_parameters(p->program);
    say_label(stdout, LABEL, "graph");
    print_number(inlay_app_modules(app), "module", ", ");
    print_number(inlay_app_links(app), "link", ", ");
    print_number(inlay_profile_values(p->profile), "message", "\n");
    if (inlay_app_data(app) > 0) {
        say_label(stdout, LABEL, "data");
        say(stdout, "%" PRId32 ", each for several modules\n", inlay_app_data(app));
    }
    if (feedback > 0) {
        say_label(stdout, LABEL, "circles");
        print_number(feedback, "link", " without precedence: traffic alone\n");
    }
    if (left > 0) {
        say_label(stdout, LABEL, "left over");
        print_number(left, "message", " that nobody got\n");
    }
    say(stdout, "work            %.*g %s of all modules\n", DIGITS, inlay_profile_work(p->profile), unit);
    say(stdout, "elapsed time    %.*g %s on unlimited processors with free messages\n", DIGITS,
        inlay_profile_elapsed(p->profile), unit);
}

/* `said` is the program's own text. */
static void print_check(const char *said)
{
    if (said[0] != '\0') {
        say(stdout, "check           %-s\n", said);
    }
}

/* ---- Mapped ---- */

static void add_processor(table *rows, const inlay_profiled *p, inlay_id cluster)
{
    inlay_program_processor mine = inlay_program_run_processor(p->run, cluster);
    inlay_simulated_processor theirs = inlay_simulation_processor(p->simulation, cluster);
    table_cells(rows, "%" PRId32 "|%" PRId32 "|%.*g|%.*g|%.*g|%.*g|%.*g|%.*g|%" PRId64, mine.processor,
                inlay_mapping_cluster(p->mapping, cluster).modules, DIGITS, mine.busy, DIGITS, mine.waiting, DIGITS,
                mine.idle, DIGITS, theirs.busy, DIGITS, theirs.communicating + theirs.blocked, DIGITS, theirs.idle,
                mine.sent);
}

static int print_processors(const inlay_profiled *p, bool all)
{
    enum { MOST_ROWS = 100 };
    inlay_id clusters = inlay_mapping_summary(p->mapping)->clusters;
    inlay_id shown = all || clusters <= MOST_ROWS ? clusters : MOST_ROWS;
    table rows = {0};
    table_headings(
        &rows,
        "processor|modules^3|busy|waits^1|idle^2|busy simulated|waits simulated^1|idle simulated^2|messages out^4");
    for (inlay_id c = 0; c < shown; c++) {
        add_processor(&rows, p, c);
    }
    int status = table_print(&rows, stdout);
    if (status == INLAY_OK && shown < clusters) {
        say(stdout, "... (%" PRId32 " more processors; --verbose lists all)\n", clusters - shown);
    }
    return status;
}

/* A prediction beside what the program took. */
static void print_predicted(const char *name, double predicted, double elapsed, const char *unit, const char *what)
{
    char error[ERROR_TEXT];
    say_label(stdout, LABEL, name);
    say(stdout, "%.*g %s, %s: %s\n", DIGITS, predicted, unit, what, simulated_error_text(predicted, elapsed, error));
}

static int print_mapped(const invocation *call, const inlay_profiled *p, const char *unit)
{
    inlay_program_summary sum = inlay_program_run_summary(p->run);
    char band[INLAY_BAND_TEXT], what[INLAY_BAND_TEXT + 20];
    say(stdout, ", %-s, times in %s\n\n", inlay_machine_text(inlay_mapping_machine(p->mapping)), unit);
    int status = print_processors(p, call->common->verbose);
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    print_parameters(p->program);
    say_label(stdout, LABEL, "messages");
    say(stdout, "%" PRId64 " between processors, of %" PRId64 " values\n", sum.messages, sum.values);
    say(stdout, "elapsed time    %.*g %s, the program as mapped\n", DIGITS, sum.elapsed, unit);
    print_predicted("simulated", inlay_simulation_result(p->simulation)->makespan, sum.elapsed, unit,
                    "its graph as mapped");
    const inlay_summary *mapped = inlay_mapping_summary(p->mapping);
    (void)snprintf(what, sizeof what, "of the mapping (%s)",
                   inlay_estimate_band_text(inlay_mapping_machine(p->mapping), mapped->load, band));
    print_predicted("estimate", mapped->estimate, sum.elapsed, unit, what);
    print_check(sum.check);
    return INLAY_OK;
}

int profile_print_table(const cli_answer *a)
{
    const invocation *call = a->call;
    const inlay_profiled *p = a->of;
    const inlay_app *app = inlay_profile_app(p->profile);
    const char *unit = inlay_unit_word(inlay_app_unit(app));
    say_safely(stdout, inlay_app_name(app));
    if (p->mapping != NULL) {
        return print_mapped(call, p, unit);
    }
    say(stdout, ", times in %s\n\n", unit);
    int status = print_operations(p, unit);
    if (status == INLAY_OK) {
        say(stdout, "\n");
        print_graph(p, unit);
        print_check(inlay_profile_check(p->profile));
    }
    return status;
}

/* The tables of `inlay delay`: one block a machine, and where there are several, tau side by side. */
#include "delay.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- One machine ---- */

static void print_heading(const delay_function *of, size_t number)
{
    const char *name = inlay_machine_name(of->machine), *text = inlay_machine_text(of->machine);
    if (number > 0) {
        say(stdout, "%zu: ", number);
    }
    if (strcmp(name, text) != 0) {
        say(stdout, "%-s, ", name);
    }
    say(stdout, "%-s\nmodel %d: %s, %" PRId32 " processors\n", text, inlay_machine_model(of->machine),
        inlay_machine_model_words(of->machine), inlay_machine_processors(of->machine));
    const char *unit = unit_word(inlay_delay_unit(of->delay));
    bool delay_is_time = inlay_machine_network(of->machine) == INLAY_NETWORK_OMEGA;
    say(stdout, "u: %s, below %.6g; D in %s; tau in %s a %s", delay_meaning_of_u(of), inlay_delay_u_limit(of->delay),
        delay_is_time ? unit : delay_unit_of_delay(of), unit, delay_one_of_traffic(of));
    if (inlay_delay_latency(of->delay) > 0) {
        say(stdout, "; and %.6g %s latency a message", inlay_delay_latency(of->delay), unit);
    }
    say(stdout, "\n\n");
}

/* Whether the rows come from more than one option: they are told apart then. */
static bool are_mixed(const delay_function *of)
{
    for (size_t i = 1; i < of->count; i++) {
        if (of->rows[i].source != of->rows[0].source) {
            return true;
        }
    }
    return false;
}

static void add_row(table *rows, const delay_row *row, bool mixed)
{
    const inlay_delay_point *point = &row->point;
    char error[ERROR_TEXT];
    table_cells(rows, "%.6g|%.6g|%.6g", point->u, point->load, point->rho);
    table_cell(rows, isnan(point->rho_processor) ? "none" : "%.6g", point->rho_processor);
    table_cells(rows, "%.6g|%.6g", point->delay, point->tau);
    table_cell(rows, "%s", delay_error_text(row, error));
    if (mixed) {
        table_cell(rows, "%s", row->source == FROM_POINTS ? "-" : delay_source_name(row->source));
    }
}

static int print_points(const delay_function *of)
{
    bool mixed = are_mixed(of);
    table rows = {.left = {[7] = true}};
    table_headings(&rows, mixed ? "u|load|rho|rho_p|D|tau|error of D|given" : "u|load|rho|rho_p|D|tau|error of D");
    for (size_t i = 0; i < of->count; i++) {
        add_row(&rows, &of->rows[i], mixed);
    }
    return table_print(&rows, stdout);
}

static void print_remarks(const delay_function *of)
{
    bool any = false;
    for (int i = 0; i < DELAY_REMARKS; i++) {
        delay_remark remark = (delay_remark)i;
        char text[REMARK_TEXT], line[REMARK_TEXT + 64];
        delay_remarked rows = delay_find_remark(of, remark, 0, of->count);
        if (rows.count == 0) {
            continue;
        }
        delay_remark_text(of, remark, &rows.errors, text);
        if (rows.first == rows.last) {
            (void)snprintf(line, sizeof line, "u = %.6g of %.6g: %s", rows.u, inlay_delay_u_limit(of->delay), text);
        } else {
            (void)snprintf(line, sizeof line, "load %.6g to %.6g: %s", rows.first, rows.last, text);
        }
        say(stdout, any ? "" : "\n");
        say_wrapped(stdout, line, 0, 0, output_width(stdout));
        any = true;
    }
}

/* ---- Several machines ---- */

/* Units of the first function's time in one unit of another's; 0 where they do not convert. */
static double unit_ratio(const delay_function *first, const delay_function *of)
{
    inlay_unit from = inlay_delay_unit(of->delay), to = inlay_delay_unit(first->delay);
    double seconds = inlay_unit_seconds(to);
    return from == to ? 1 : (seconds > 0 ? inlay_unit_seconds(from) / seconds : 0);
}

/* Whether all taus are times of the same thing. */
static bool are_comparable(const delay_study *study)
{
    const delay_function *first = study->functions;
    for (size_t i = 1; i < study->function_count; i++) {
        const delay_function *of = &study->functions[i];
        if (inlay_delay_in_bytes(of->delay) != inlay_delay_in_bytes(first->delay) || unit_ratio(first, of) <= 0) {
            return false;
        }
    }
    return true;
}

/* At one u or one rate different models carry different traffic. */
static bool is_common(delay_source source)
{
    return source == FROM_POINTS || source == FROM_LOAD || source == FROM_TRAFFIC;
}

/* Machines from `from` up to `to` side by side. */
static int print_columns(const delay_study *study, size_t from, size_t to, bool comparable)
{
    table rows = {.columns = to - from + 1, .left = {true}};
    table_cell(&rows, "at");
    for (size_t f = from; f < to; f++) {
        table_cell(&rows, "%zu", f + 1);
    }
    for (size_t i = 0; i < study->ask_count; i++) {
        const delay_row *row = &study->functions[0].rows[i];
        if (!is_common(row->source)) {
            continue;
        }
        if (row->source == FROM_TRAFFIC) {
            table_cell(&rows, "the traffic");
        } else {
            table_cell(&rows, "load %.6g", row->point.load);
        }
        for (size_t f = from; f < to; f++) {
            const delay_function *of = &study->functions[f];
            double scale = comparable ? unit_ratio(study->functions, of) : 1 / of->idle_tau;
            table_cell(&rows, "%.6g", of->rows[i].point.tau * scale);
        }
    }
    return table_print(&rows, stdout);
}

/* Models 1 and 2 with as many processors, if there are such: where they differ, and where not. */
static void print_bus_note(const delay_study *study)
{
    const delay_function *of[2] = {NULL};
    for (size_t i = 0; i < study->function_count * study->function_count && of[0] == NULL; i++) {
        const delay_function *common = &study->functions[i / study->function_count];
        const delay_function *own = &study->functions[i % study->function_count];
        if (inlay_machine_model(common->machine) == 1 && inlay_machine_model(own->machine) == 2 &&
            inlay_machine_processors(common->machine) == inlay_machine_processors(own->machine)) {
            of[0] = common;
            of[1] = own;
        }
    }
    if (of[0] == NULL) {
        return;
    }
    bool same = of[0]->idle_tau == of[1]->idle_tau * unit_ratio(of[0], of[1]) &&
                inlay_delay_in_bytes(of[0]->delay) == inlay_delay_in_bytes(of[1]->delay);
    char line[256];
    (void)snprintf(line, sizeof line, "models 1 and 2 (here %zu and %zu) have the same D at the same u; %s",
                   (size_t)(of[0] - study->functions) + 1, (size_t)(of[1] - study->functions) + 1,
                   same ? "with the same transfers and capacity, as here, the same tau too, and differ in rho_p alone"
                        : "their tau differs by transfers and capacity alone");
    say(stdout, "\n");
    say_wrapped(stdout, line, 0, 0, output_width(stdout));
}

/* tau of all machines at the points that they have in common. */
static int print_side_by_side(const delay_study *study, bool traffic)
{
    enum { SIDE_BY_SIDE = 8 };
    const delay_function *first = study->functions;
    bool comparable = are_comparable(study);
    if (comparable) {
        say(stdout, "\ntau in %s a %s", unit_word(inlay_delay_unit(first->delay)), delay_one_of_traffic(first));
    } else {
        say(stdout, "\ntau over that of the idle network, since the machines differ in their units");
    }
    say(stdout, "%s\n", traffic ? "" : " (for equal traffic: --traffic AMOUNT -T TIME)");
    int status = INLAY_OK;
    for (size_t f = 0; status == INLAY_OK && f < study->function_count; f += SIDE_BY_SIDE) {
        size_t end = f + SIDE_BY_SIDE < study->function_count ? f + SIDE_BY_SIDE : study->function_count;
        say(stdout, "\n");
        status = print_columns(study, f, end, comparable);
    }
    return status;
}

static int print_comparison(const delay_study *study)
{
    bool traffic = false, any = false;
    for (size_t i = 0; i < study->ask_count; i++) {
        traffic = traffic || study->asks[i].source == FROM_TRAFFIC;
        any = any || is_common(study->asks[i].source);
    }
    int status = any ? print_side_by_side(study, traffic) : INLAY_OK;
    print_bus_note(study);
    return status;
}

int delay_print_table(const cli_answer *a)
{
    const delay_study *study = a->of;
    bool several = study->function_count > 1;
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < study->function_count; i++) {
        say(stdout, i > 0 ? "\n" : "");
        print_heading(&study->functions[i], several ? i + 1 : 0);
        status = print_points(&study->functions[i]);
        print_remarks(&study->functions[i]);
    }
    return status == INLAY_OK && several ? print_comparison(study) : status;
}

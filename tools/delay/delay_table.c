/* The tables of `inlay delay`: one block a machine, and where there are several, tau side by side. */
#include "delay.h"
#include "report.h"
#include "table.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- One machine ---- */

static const char *meaning_of_u(const inlay_machine *machine)
{
    static const char *const meanings[] = {
        "share of time in which the bus works", "share of time in which the bus works",
        "mean number of working buses",         "messages a cycle into the network",
        "share of time in which a link works",  "share of time in which a link works",
        "share of time in which a link works"};
    return meanings[inlay_machine_model(machine) - 1];
}

static const char *one_of_traffic(const inlay_delay *delay)
{
    return inlay_delay_in_bytes(delay) ? "byte" : "message";
}

static void print_heading(const inlay_delay *delay, size_t number)
{
    const inlay_machine *machine = inlay_delay_machine(delay);
    const char *name = inlay_machine_name(machine), *text = inlay_machine_text(machine);
    if (number > 0) {
        say(stdout, "%zu: ", number);
    }
    if (strcmp(name, text) != 0) {
        say(stdout, "%-s, ", name);
    }
    say(stdout, "%-s\nmodel %d: %s, %" PRId32 " processors\n", text, inlay_machine_model(machine),
        inlay_machine_model_words(machine), inlay_machine_processors(machine));
    const char *unit = inlay_unit_word(inlay_delay_unit(delay));
    bool delay_is_time = inlay_machine_network(machine) == INLAY_NETWORK_OMEGA;
    say(stdout, "u: %s, below %.6g; D in %s; tau in %s a %s", meaning_of_u(machine), inlay_delay_u_limit(delay),
        delay_is_time ? unit : inlay_delay_unit_of_delay(delay), unit, one_of_traffic(delay));
    if (inlay_delay_latency(delay) > 0) {
        say(stdout, "; and %.6g %s latency a message", inlay_delay_latency(delay), unit);
    }
    say(stdout, "\n\n");
}

/* Whether the rows come from more than one option: they are told apart then. */
static bool are_mixed(const inlay_delay_study *study)
{
    for (size_t i = 1; i < study->points; i++) {
        if (study->row[i].source != study->row[0].source) {
            return true;
        }
    }
    return false;
}

static void add_row(table *rows, const inlay_delay_row *row, bool mixed)
{
    const inlay_delay_point *point = &row->point;
    char error[INLAY_DELAY_ERROR_TEXT];
    table_cells(rows, "%.6g|%.6g|%.6g", point->u, point->load, point->rho);
    table_cell(rows, isnan(point->rho_processor) ? "none" : "%.6g", point->rho_processor);
    table_cells(rows, "%.6g|%.6g", point->delay, point->tau);
    table_cell(rows, "%s", inlay_delay_error_text(row, error));
    if (mixed) {
        table_cell(rows, "%s", row->source == INLAY_DELAY_POINTS ? "-" : inlay_delay_source_name(row->source));
    }
}

static int print_points(const inlay_delay_study *study, size_t machine)
{
    bool mixed = are_mixed(study);
    table rows = {.left = {[7] = true}};
    table_headings(&rows, mixed ? "u|load|rho^1|rho_p^2|D|tau|error of D^3|given^4"
                                : "u|load|rho^1|rho_p^2|D|tau|error of D^3");
    for (size_t i = 0; i < study->points; i++) {
        add_row(&rows, &study->row[machine * study->points + i], mixed);
    }
    return table_print(&rows, stdout);
}

static void print_remarks(const inlay_delay_study *study, size_t machine)
{
    const inlay_delay *delay = study->delay[machine];
    bool any = false;
    for (int i = 0; i < INLAY_DELAY_REMARKS; i++) {
        char line[INLAY_DELAY_REMARK_TEXT + 64];
        inlay_delay_remarked rows =
            inlay_delay_find_remark(delay, (inlay_delay_remark)i, &study->row[machine * study->points], study->points);
        if (rows.count == 0) {
            continue;
        }
        if (rows.first == rows.last) {
            (void)snprintf(line, sizeof line, "u = %.6g of %.6g: %s", rows.u, inlay_delay_u_limit(delay), rows.text);
        } else {
            (void)snprintf(line, sizeof line, "load %.6g to %.6g: %s", rows.first, rows.last, rows.text);
        }
        say(stdout, any ? "" : "\n");
        say_wrapped(stdout, line, 0, 0, output_width(stdout));
        any = true;
    }
}

/* ---- Several machines ---- */

/* Units of the first one's time in one unit of another's; 0 where they do not convert. */
static double unit_ratio(const inlay_delay *first, const inlay_delay *of)
{
    inlay_unit from = inlay_delay_unit(of), to = inlay_delay_unit(first);
    double seconds = inlay_unit_seconds(to);
    return from == to ? 1 : (seconds > 0 ? inlay_unit_seconds(from) / seconds : 0);
}

static double idle_tau(const inlay_delay *delay)
{
    inlay_delay_point idle = {.tau = NAN};
    (void)inlay_delay_at_utilisation(delay, 0, &idle, NULL);
    return idle.tau;
}

/* Whether all taus are times of the same thing. */
static bool are_comparable(const inlay_delay_study *study)
{
    const inlay_delay *first = study->delay[0];
    for (size_t i = 1; i < study->delays; i++) {
        const inlay_delay *of = study->delay[i];
        if (inlay_delay_in_bytes(of) != inlay_delay_in_bytes(first) || unit_ratio(first, of) <= 0) {
            return false;
        }
    }
    return true;
}

/* At one u or one rate different models carry different traffic. */
static bool is_common(inlay_delay_source source)
{
    return source != INLAY_DELAY_UTILISATION && source != INLAY_DELAY_RATE;
}

/* Machines from `from` up to `to` side by side. */
static int print_columns(const inlay_delay_study *study, size_t from, size_t to, bool comparable)
{
    table rows = {.columns = to - from + 1, .left = {true}};
    table_cell(&rows, "at");
    for (size_t f = from; f < to; f++) {
        table_cell(&rows, "%zu", f + 1);
    }
    for (const inlay_delay_row *row = study->row; row < study->row + study->points; row++) {
        if (!is_common(row->source)) {
            continue;
        }
        if (row->source == INLAY_DELAY_TRAFFIC) {
            table_cell(&rows, "the traffic");
        } else {
            table_cell(&rows, "load %.6g", row->point.load);
        }
        for (size_t f = from; f < to; f++) {
            const inlay_delay *of = study->delay[f];
            double scale = comparable ? unit_ratio(study->delay[0], of) : 1 / idle_tau(of);
            table_cell(&rows, "%.6g", row[f * study->points].point.tau * scale);
        }
    }
    return table_print(&rows, stdout);
}

/* Models 1 and 2 with as many processors, if there are such: where they differ, and where not. */
static void print_bus_note(const inlay_delay_study *study)
{
    const inlay_delay *const *of[2] = {NULL};
    for (size_t i = 0; i < study->delays * study->delays && of[0] == NULL; i++) {
        const inlay_delay *const *common = &study->delay[i / study->delays], *const *own =
                                                                                 &study->delay[i % study->delays];
        const inlay_machine *one = inlay_delay_machine(*common), *other = inlay_delay_machine(*own);
        if (inlay_machine_model(one) == 1 && inlay_machine_model(other) == 2 &&
            inlay_machine_processors(one) == inlay_machine_processors(other)) {
            of[0] = common;
            of[1] = own;
        }
    }
    if (of[0] == NULL) {
        return;
    }
    bool same = idle_tau(*of[0]) == idle_tau(*of[1]) * unit_ratio(*of[0], *of[1]) &&
                inlay_delay_in_bytes(*of[0]) == inlay_delay_in_bytes(*of[1]);
    char line[256];
    (void)snprintf(line, sizeof line, "models 1 and 2 (here %zu and %zu) have the same D at the same u; %s",
                   (size_t)(of[0] - study->delay) + 1, (size_t)(of[1] - study->delay) + 1,
                   same ? "with the same transfers and capacity, as here, the same tau too, and differ in rho_p alone"
                        : "their tau differs by transfers and capacity alone");
    say(stdout, "\n");
    say_wrapped(stdout, line, 0, 0, output_width(stdout));
}

/* tau of all machines at the points that they have in common. */
static int print_side_by_side(const inlay_delay_study *study, bool traffic)
{
    enum { SIDE_BY_SIDE = 8 };
    bool comparable = are_comparable(study);
    if (comparable) {
        say(stdout, "\ntau in %s a %s", inlay_unit_word(inlay_delay_unit(study->delay[0])),
            one_of_traffic(study->delay[0]));
    } else {
        say(stdout, "\ntau over that of the idle network, since the machines differ in their units");
    }
    say(stdout, "%s\n", traffic ? "" : " (for equal traffic: --traffic AMOUNT -T TIME)");
    int status = INLAY_OK;
    for (size_t f = 0; status == INLAY_OK && f < study->delays; f += SIDE_BY_SIDE) {
        size_t end = f + SIDE_BY_SIDE < study->delays ? f + SIDE_BY_SIDE : study->delays;
        say(stdout, "\n");
        status = print_columns(study, f, end, comparable);
    }
    return status;
}

static int print_comparison(const inlay_delay_study *study)
{
    bool traffic = false, any = false;
    for (size_t i = 0; i < study->points; i++) {
        traffic = traffic || study->row[i].source == INLAY_DELAY_TRAFFIC;
        any = any || is_common(study->row[i].source);
    }
    int status = any ? print_side_by_side(study, traffic) : INLAY_OK;
    print_bus_note(study);
    return status;
}

int delay_print_table(const cli_answer *a)
{
    const inlay_delay_study *study = a->of;
    bool several = study->delays > 1;
    int status = INLAY_OK;
    for (size_t i = 0; status == INLAY_OK && i < study->delays; i++) {
        say(stdout, i > 0 ? "\n" : "");
        print_heading(study->delay[i], several ? i + 1 : 0);
        status = print_points(study, i);
        print_remarks(study, i);
    }
    return status == INLAY_OK && several ? print_comparison(study) : status;
}

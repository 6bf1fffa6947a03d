/* What other programs read of `inlay delay`: JSON and CSV. */
#include "delay.h"
#include "report.h"
#include "result.h"
#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

/* ---- JSON ---- */

static const char *given_by(const delay_row *row)
{
    return row->source == FROM_POINTS ? NULL : delay_source_name(row->source);
}

static void put_errors(result *out, const delay_row *row)
{
    if (row->error.known) {
        result_open(out, "known_error", '{');
        result_number(out, "utilisation", row->error.utilisation);
        result_number(out, "delay", row->error.delay);
        result_number(out, "within", row->error.within);
        result_close(out, '}');
    } else {
        result_exact(out, "known_error", "null");
    }
    if (row->has_one_length) {
        result_open(out, "one_length_error", '{');
        result_number(out, "least", row->one_length_least);
        result_number(out, "most", row->one_length_most);
        result_close(out, '}');
    } else {
        result_exact(out, "one_length_error", "null");
    }
}

/* All remarks on one point, or null. */
static void put_remark(result *out, const delay_function *of, size_t at)
{
    char all[DELAY_REMARKS * (REMARK_TEXT + 2)] = "";
    for (int i = 0; i < DELAY_REMARKS; i++) {
        delay_remark remark = (delay_remark)i;
        delay_remarked rows = delay_find_remark(of, remark, at, at + 1);
        if (rows.count > 0) {
            char text[REMARK_TEXT];
            strcat(all, all[0] != '\0' ? "; " : "");
            strcat(all, delay_remark_text(of, remark, &rows.errors, text));
        }
    }
    if (all[0] != '\0') {
        result_string(out, "remark", all);
    } else {
        result_exact(out, "remark", "null");
    }
}

static void put_point(result *out, const delay_function *of, size_t at)
{
    const delay_row *row = &of->rows[at];
    result_open(out, NULL, '{');
    if (given_by(row) != NULL) {
        result_string(out, "given", given_by(row));
    } else {
        result_exact(out, "given", "null");
    }
    result_number(out, "u", row->point.u);
    result_number(out, "load", row->point.load);
    result_number(out, "rho", row->point.rho);
    result_number(out, "rho_processor", row->point.rho_processor);
    result_number(out, "delay", row->point.delay);
    result_number(out, "tau", row->point.tau);
    put_errors(out, row);
    put_remark(out, of, at);
    result_close(out, '}');
}

static void put_members(result *out, const delay_function *of)
{
    result_string(out, "machine", inlay_machine_text(of->machine));
    result_string(out, "name", inlay_machine_name(of->machine));
    result_string(out, "model", inlay_family_name(inlay_machine_family(of->machine)));
    result_integer(out, "model_number", inlay_machine_model(of->machine));
    result_string(out, "description", inlay_machine_model_words(of->machine));
    result_integer(out, "processors", inlay_machine_processors(of->machine));
    result_string(out, "time_unit", inlay_unit_name(inlay_delay_unit(of->delay)));
    result_string(out, "traffic_unit", delay_unit_of_traffic(of));
    result_string(out, "delay_unit", delay_unit_of_delay(of));
    result_number(out, "latency", inlay_delay_latency(of->delay));
    result_number(out, "u_limit", inlay_delay_u_limit(of->delay));
    result_number(out, "u_reachable", inlay_delay_u_reachable(of->delay));
    result_open(out, "points", '[');
    for (size_t i = 0; i < of->count; i++) {
        put_point(out, of, i);
    }
    result_close(out, ']');
}

int delay_put_members(result *out, const cli_answer *a)
{
    const delay_study *study = a->of;
    if (study->function_count == 1) {
        put_members(out, study->functions);
    } else {
        result_open(out, "machines", '[');
        for (size_t i = 0; i < study->function_count; i++) {
            result_open(out, NULL, '{');
            put_members(out, &study->functions[i]);
            result_close(out, '}');
        }
        result_close(out, ']');
    }
    return INLAY_OK;
}

/* ---- CSV ---- */

/* RFC 4180: a field with a comma, a quote or a line break stands in quotes, its quotes doubled. */
static void put_text(FILE *to, const char *text, const char *end)
{
    const char *quote = text[strcspn(text, ",\"\r\n")] != '\0' ? "\"" : "";
    say(to, "%s", quote);
    for (const char *c = text; *c != '\0'; c++) {
        say(to, *c == '"' ? "\"\"" : "%c", *c);
    }
    say(to, "%s%s", quote, end);
}

/* A number as JSON has it; what is not there stays empty. */
static void put_number(FILE *to, bool there, double number, const char *end)
{
    if (there) {
        result_number(&(result){.to = to}, NULL, number);
    }
    say(to, "%s", end);
}

static void put_line(FILE *to, const delay_function *of, const delay_row *row)
{
    const inlay_delay_point *point = &row->point;
    const inlay_known_error *error = &row->error;
    put_text(to, inlay_machine_text(of->machine), ",");
    say(to, "%d,", inlay_machine_model(of->machine));
    put_text(to, inlay_unit_name(inlay_delay_unit(of->delay)), ",");
    put_text(to, delay_unit_of_traffic(of), ",");
    put_text(to, delay_unit_of_delay(of), ",");
    put_text(to, given_by(row) != NULL ? given_by(row) : "", ",");
    put_number(to, true, point->u, ",");
    put_number(to, true, inlay_delay_u_limit(of->delay), ",");
    put_number(to, true, point->load, ",");
    put_number(to, true, point->rho, ",");
    put_number(to, isfinite(point->rho_processor), point->rho_processor, ",");
    put_number(to, true, point->delay, ",");
    put_number(to, true, point->tau, ",");
    put_number(to, error->known, error->utilisation, ",");
    put_number(to, error->known, error->delay, ",");
    put_number(to, error->known, error->within, ",");
    put_number(to, row->has_one_length, row->one_length_least, ",");
    put_number(to, row->has_one_length, row->one_length_most, "\n");
}

void delay_put_csv(FILE *to, const cli_answer *a)
{
    const delay_study *study = a->of;
    say(to, "machine,model_number,time_unit,traffic_unit,delay_unit,given,u,u_limit,load,rho,rho_processor,delay,tau,"
            "known_error_utilisation,known_error_delay,known_error_within,one_length_error_least,"
            "one_length_error_most\n");
    for (size_t f = 0; f < study->function_count; f++) {
        for (size_t i = 0; i < study->functions[f].count; i++) {
            put_line(to, &study->functions[f], &study->functions[f].rows[i]);
        }
    }
}

/* What other programs read of `inlay delay`: JSON and CSV. */
#include "delay.h"
#include "report.h"
#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

/* ---- JSON ---- */

static const char *given_by(const delay_row *row)
{
    return row->source == FROM_POINTS ? NULL : delay_source_name(row->source);
}

static void put_errors(inlay_json *out, const delay_row *row)
{
    if (row->error.known) {
        inlay_json_put(out, "known_error { utilisation %g delay %g within %g }", row->error.utilisation,
                       row->error.delay, row->error.within);
    } else {
        inlay_json_null(out, "known_error");
    }
    if (row->has_one_length) {
        inlay_json_put(out, "one_length_error { least %g most %g }", row->one_length_least, row->one_length_most);
    } else {
        inlay_json_null(out, "one_length_error");
    }
}

/* All remarks on one point, or null. */
static void put_remark(inlay_json *out, const delay_function *of, size_t at)
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
    inlay_json_string(out, "remark", all[0] != '\0' ? all : NULL);
}

static void put_point(inlay_json *out, const delay_function *of, size_t at)
{
    const delay_row *row = &of->rows[at];
    inlay_json_put(out, "{ given %s", given_by(row));
    inlay_json_put(out, "u %g load %g rho %g rho_processor %g delay %g tau %g", row->point.u, row->point.load,
                   row->point.rho, row->point.rho_processor, row->point.delay, row->point.tau);
    put_errors(out, row);
    put_remark(out, of, at);
    inlay_json_object_end(out);
}

static void put_members(inlay_json *out, const delay_function *of)
{
    inlay_json_put(out,
                   "machine %s name %s model %s model_number %d description %s processors %d time_unit %s traffic_unit "
                   "%s delay_unit %s latency %g u_limit %g u_reachable %g points [",
                   inlay_machine_text(of->machine), inlay_machine_name(of->machine),
                   inlay_family_name(inlay_machine_family(of->machine)), inlay_machine_model(of->machine),
                   inlay_machine_model_words(of->machine), inlay_machine_processors(of->machine),
                   inlay_unit_name(inlay_delay_unit(of->delay)), delay_unit_of_traffic(of), delay_unit_of_delay(of),
                   inlay_delay_latency(of->delay), inlay_delay_u_limit(of->delay), inlay_delay_u_reachable(of->delay));
    for (size_t i = 0; i < of->count; i++) {
        put_point(out, of, i);
    }
    inlay_json_array_end(out);
}

int delay_put_members(inlay_json *out, const cli_answer *a)
{
    const delay_study *study = a->of;
    if (study->function_count == 1) {
        put_members(out, study->functions);
    } else {
        inlay_json_array(out, "machines");
        for (size_t i = 0; i < study->function_count; i++) {
            inlay_json_object(out, NULL);
            put_members(out, &study->functions[i]);
            inlay_json_object_end(out);
        }
        inlay_json_array_end(out);
    }
    return INLAY_OK;
}

/* ---- CSV ---- */

static void put_line(FILE *to, const delay_function *of, const delay_row *row)
{
    const inlay_delay_point *point = &row->point;
    const inlay_known_error *error = &row->error;
    const char *texts[] = {inlay_unit_name(inlay_delay_unit(of->delay)), delay_unit_of_traffic(of),
                           delay_unit_of_delay(of), given_by(row) != NULL ? given_by(row) : ""};
    const double numbers[] = {point->u,
                              inlay_delay_u_limit(of->delay),
                              point->load,
                              point->rho,
                              point->rho_processor,
                              point->delay,
                              point->tau,
                              error->known ? error->utilisation : NAN,
                              error->known ? error->delay : NAN,
                              error->known ? error->within : NAN,
                              row->has_one_length ? row->one_length_least : NAN,
                              row->has_one_length ? row->one_length_most : NAN};
    say_csv_text(to, inlay_machine_text(of->machine), true);
    say(to, ",%d", inlay_machine_model(of->machine));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        say_csv_text(to, texts[i], false);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        say_csv_number(to, numbers[i]);
    }
    say(to, "\n");
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

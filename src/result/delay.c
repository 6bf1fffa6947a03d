/* What `inlay delay` gives out: JSON and CSV. */
#include "base/diag.h"
#include "result/fields.h"
#include <inlay/inlay.h>
#include <math.h>
#include <string.h>

/* A point, with what else its line tells. */
typedef struct row_view {
    inlay_delay_row row;
    const char *machine, *time_unit, *traffic_unit, *delay_unit, *given;
    int32_t model_number;
    double u_limit;
} row_view;

/* clang-format off */
#define ROW(member) FIELD(row_view, #member, member)
#define OF_POINT(member) FIELD(row_view, #member, row.point.member)
#define OF_LOAD OF_POINT(load), OF_POINT(rho), OF_POINT(rho_processor), OF_POINT(delay), OF_POINT(tau)

static const field json[] = {ROW(given), OF_POINT(u), OF_LOAD, FIELD_LAST};
static const field known[] = {
    FIELD(inlay_known_error, "utilisation", utilisation), FIELD(inlay_known_error, "delay", delay),
    FIELD(inlay_known_error, "within", within), FIELD_LAST};
static const field one_length[] = {
    FIELD(inlay_delay_row, "least", one_length_least), FIELD(inlay_delay_row, "most", one_length_most), FIELD_LAST};
static const field csv[] = {
    ROW(machine), ROW(model_number), ROW(time_unit), ROW(traffic_unit), ROW(delay_unit), ROW(given), OF_POINT(u),
    ROW(u_limit), OF_LOAD, FIELD(row_view, "known_error_utilisation", row.error.utilisation),
    FIELD(row_view, "known_error_delay", row.error.delay), FIELD(row_view, "known_error_within", row.error.within),
    FIELD(row_view, "one_length_error_least", row.one_length_least),
    FIELD(row_view, "one_length_error_most", row.one_length_most), FIELD_LAST};
/* clang-format on */

static row_view view_row(const inlay_delay *delay, const inlay_delay_row *row)
{
    const inlay_machine *machine = inlay_delay_machine(delay);
    return (row_view){.row = *row,
                      .machine = inlay_machine_text(machine),
                      .time_unit = inlay_unit_name(inlay_delay_unit(delay)),
                      .traffic_unit = inlay_delay_unit_of_traffic(delay),
                      .delay_unit = inlay_delay_unit_of_delay(delay),
                      .given = row->source == INLAY_DELAY_POINTS ? NULL : inlay_delay_source_name(row->source),
                      .model_number = inlay_machine_model(machine),
                      .u_limit = inlay_delay_u_limit(delay)};
}

/* All remarks on one point, or null. */
static void put_remark(inlay_json *out, const inlay_delay *delay, const inlay_delay_row *row)
{
    char all[INLAY_DELAY_REMARKS * (INLAY_DELAY_REMARK_TEXT + 2)] = "";
    for (int i = 0; i < INLAY_DELAY_REMARKS; i++) {
        inlay_delay_remarked remarked = inlay_delay_find_remark(delay, (inlay_delay_remark)i, row, 1);
        strcat(all, all[0] != '\0' && remarked.count > 0 ? "; " : "");
        strcat(all, remarked.text);
    }
    inlay_json_string(out, "remark", all[0] != '\0' ? all : NULL);
}

static void put_point(inlay_json *out, const inlay_delay *delay, const inlay_delay_row *row)
{
    const row_view view = view_row(delay, row);
    inlay_json_object(out, NULL);
    fields_put(out, json, &view);
    fields_put_object(out, "known_error", known, row->error.known ? &row->error : NULL);
    fields_put_object(out, "one_length_error", one_length, isfinite(row->one_length_least) ? row : NULL);
    put_remark(out, delay, row);
    inlay_json_object_end(out);
}

static void put_machine(inlay_json *out, const inlay_delay_study *study, size_t at)
{
    const inlay_delay *delay = study->delay[at];
    const inlay_machine *machine = inlay_delay_machine(delay);
    inlay_json_put(
        out,
        "machine %s name %s model %s model_number %d description %s processors %d time_unit %s traffic_unit "
        "%s delay_unit %s latency %g u_limit %g u_reachable %g points [",
        inlay_machine_text(machine), inlay_machine_name(machine), inlay_family_name(inlay_machine_family(machine)),
        inlay_machine_model(machine), inlay_machine_model_words(machine), inlay_machine_processors(machine),
        inlay_unit_name(inlay_delay_unit(delay)), inlay_delay_unit_of_traffic(delay), inlay_delay_unit_of_delay(delay),
        inlay_delay_latency(delay), inlay_delay_u_limit(delay), inlay_delay_u_reachable(delay));
    for (size_t i = 0; i < study->points; i++) {
        put_point(out, delay, &study->row[at * study->points + i]);
    }
    inlay_json_array_end(out);
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_delay_study *study = of;
    if (study->delays == 1) {
        put_machine(out, study, 0);
        return INLAY_OK;
    }
    inlay_json_array(out, "machines");
    for (size_t i = 0; i < study->delays; i++) {
        inlay_json_object(out, NULL);
        put_machine(out, study, i);
        inlay_json_object_end(out);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_delay_study_write_json(const inlay_delay_study *study, const inlay_result_context *context, const char *path,
                                 inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, study, path, diag);
}

int inlay_delay_study_write_csv(const inlay_delay_study *study, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    csv_heading(&text, csv);
    for (size_t i = 0; i < study->delays * study->points; i++) {
        const row_view view = view_row(study->delay[i / study->points], &study->row[i]);
        csv_line(&text, csv, &view);
    }
    return csv_write(&text, path, diag);
}

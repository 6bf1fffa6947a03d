/* Delay functions at points that are asked for in different ways. */
#include "base/diag.h"
#include "base/memory.h"
#include <inlay/delay.h>
#include <math.h>
#include <stdlib.h>

const char *inlay_delay_source_name(inlay_delay_source source)
{
    static const char *const names[] = {"points", "utilisation", "load", "rate", "traffic"};
    return names[source];
}

/* ---- One point ---- */

double inlay_delay_ask_traffic(const inlay_delay *delay, const inlay_delay_ask *ask)
{
    bool in_bytes = inlay_delay_in_bytes(delay);
    double size = (double)inlay_machine_message_size(inlay_delay_machine(delay));
    if (ask->bare || in_bytes == (ask->traffic.kind == INLAY_RATE_BYTES)) {
        return ask->traffic.value;
    }
    return !in_bytes && size > 0 ? ceil(ask->traffic.value / size) : 0;
}

double inlay_delay_ask_time(const inlay_delay *delay, const inlay_delay_ask *ask)
{
    inlay_unit own = inlay_delay_unit(delay);
    double value = inlay_decimal_double(ask->time.value), seconds = inlay_unit_seconds(own);
    if (ask->time.unit == own || ask->time.unit == INLAY_UNIT_NONE) {
        return value;
    }
    return seconds > 0 ? value * (inlay_unit_seconds(ask->time.unit) / seconds) : 0;
}

int inlay_delay_at(const inlay_delay *delay, const inlay_delay_ask *ask, inlay_delay_point *point, inlay_diag *diag)
{
    DIAG_CALL(diag);
    switch (ask->source) {
    case INLAY_DELAY_POINTS:
    case INLAY_DELAY_LOAD: {
        int status = inlay_delay_at_utilisation(delay, ask->value * inlay_delay_u_limit(delay), point, diag);
        if (status == INLAY_OK) {
            point->load = ask->value; /* u / u_limit may differ from it in the last digit */
        }
        return status;
    }
    case INLAY_DELAY_UTILISATION: return inlay_delay_at_utilisation(delay, ask->value, point, diag);
    case INLAY_DELAY_RATE: return inlay_delay_at_rate(delay, ask->value, point, diag);
    case INLAY_DELAY_TRAFFIC: break;
    }
    return inlay_delay_at_traffic(delay, inlay_delay_ask_traffic(delay, ask), inlay_delay_ask_time(delay, ask), point,
                                  diag);
}

/* ---- Rows ---- */

static int fill_row(const inlay_delay *delay, const inlay_delay_ask *ask, inlay_delay_row *row, inlay_diag *diag)
{
    *row = (inlay_delay_row){.source = ask->source, .one_length_least = NAN, .one_length_most = NAN};
    int status = inlay_delay_at(delay, ask, &row->point, diag);
    if (status != INLAY_OK) {
        return status;
    }
    (void)inlay_delay_fixed_length_error(delay, &row->point, &row->one_length_least, &row->one_length_most);
    if (row->point.u <= 0) {
        row->error = (inlay_known_error){.known = true}; /* nobody waits: every model is exact */
        return INLAY_OK;
    }
    status = inlay_delay_known_error(delay, row->point.rho, &row->error);
    if (status != INLAY_OK) {
        return diag_fail_at(diag, status, inlay_machine_text(inlay_delay_machine(delay)), 0,
                            "the known error of the delay: %s", inlay_status_text(status));
    }
    if (!row->error.known) {
        row->error = (inlay_known_error){false, NAN, NAN, NAN};
    }
    return INLAY_OK;
}

int inlay_delay_study_make(const inlay_delay *const *delay, size_t delays, const inlay_delay_ask *ask, size_t points,
                           inlay_delay_study *study, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    inlay_delay_row *row = memory_zeroed(delays * points + 1, sizeof *row);
    int status = row != NULL ? INLAY_OK : diag_no_memory(diag);
    for (size_t i = 0; status == INLAY_OK && i < delays * points; i++) {
        status = fill_row(delay[i / points], &ask[i % points], &row[i], diag);
    }
    if (status != INLAY_OK) {
        free(row);
        return status;
    }
    *study = (inlay_delay_study){delay, delays, points, row};
    return INLAY_OK;
}

void inlay_delay_study_clear(inlay_delay_study *study)
{
    free(study->row);
    *study = (inlay_delay_study){0};
}

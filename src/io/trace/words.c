/* Numbers, names and files of recorded simulations. */
#include "base/decimal.h"
#include "base/diag.h"
#include "base/json_out.h"
#include "io/trace/trace.h"
#include <math.h>

/* ---- Numbers ---- */

/* Times have few decimals as a rule; so many are tried before the way that is always right, but slow. */
enum { PLACES = 6 };

/* Whether digits / 10^places is x; both are exact below 2^53, so the quotient is the double nearest to the decimal. */
static bool has_places(double x, double power, int64_t *digits)
{
    static const double exact = 9007199254740992;
    double scaled = nearbyint(x * power);
    if (!(scaled >= 0 && scaled < exact) || scaled / power != x) {
        return false;
    }
    *digits = (int64_t)scaled;
    return true;
}

void trace_fixed(line_writer *w, int64_t digits, int places, char behind)
{
    while (places > 0 && digits % 10 == 0) {
        digits /= 10;
        places--;
    }
    int64_t power = 1;
    for (int i = 0; i < places; i++) {
        power *= 10;
    }
    if (places == 0) {
        line_number(w, digits, behind);
        return;
    }
    line_number(w, digits / power, '.');
    for (int64_t below = power / 10; below > 1 && digits % power < below; below /= 10) {
        line_bytes(w, "0", 1);
    }
    line_number(w, digits % power, behind);
}

void trace_number(line_writer *w, double x, char behind)
{
    int64_t digits = 0, power = 1;
    char text[DOUBLE_TEXT];
    for (int places = 0; places <= PLACES; places++, power *= 10) {
        if (has_places(x, (double)power, &digits)) {
            trace_fixed(w, digits, places, behind);
            return;
        }
    }
    line_text(w, double_text(x, text));
    line_bytes(w, &behind, 1);
}

/* ---- Names ---- */

void trace_quoted(line_writer *w, text_buffer *scratch, const char *text)
{
    scratch->size = 0;
    json_out_quote(scratch, text);
    line_bytes(w, text_content(scratch), scratch->size);
}

void trace_message_name(text_buffer *to, const inlay_app *app, const inlay_simulated_message *message)
{
    to->size = 0;
    text_add(to, message->from >= 0 ? inlay_app_module_name(app, message->from)
                                    : inlay_app_block_name(app, message->block));
    text_add(to, " -> ");
    text_add(to, inlay_app_module_name(app, message->to));
}

inlay_id trace_processor(const inlay_simulation *simulation, inlay_id cluster)
{
    return inlay_mapping_cluster(inlay_simulation_mapping(simulation), cluster).processor;
}

/* ---- Files ---- */

int trace_write(const inlay_simulation *simulation, trace_body *body, const char *path, inlay_diag *diag)
{
    inlay_file *file = NULL;
    if (!inlay_simulation_recorded(simulation)) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "the simulation was not recorded; expected the option `record`");
    }
    int status = inlay_file_open(path, &file, diag);
    if (status != INLAY_OK) {
        return status;
    }
    line_writer w = {.to = file};
    if (!body(simulation, &w)) {
        inlay_file_abandon(file);
        return diag_no_memory(diag);
    }
    line_flush(&w);
    return inlay_file_close(file, diag);
}

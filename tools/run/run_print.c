/* The table of `inlay run`. */
#include "report.h"
#include "run.h"
#include "table.h"
#include <inttypes.h>
#include <math.h>

/* Of more ranks the first are shown. */
enum { MOST_RANKS = 100, LABEL = 15, DIGITS = 6 };

static void print_title(const invocation *call, const inlay_measured_run *r)
{
    const run_values *values = call->values;
    say(stdout, "%-s on %-s, %" PRId32 " ranks run by %-s%s; times in %s\n\n",
        inlay_app_name(inlay_mapping_app(r->mapping)), inlay_machine_text(inlay_mapping_machine(r->mapping)),
        inlay_synth_result(r->synth)->ranks, r->launcher_version[0] != '\0' ? r->launcher_version : r->launcher,
        values->engine == RUN_SMPI ? " (SMPI, CM02)" : "", inlay_unit_word(r->unit));
}

/* ---- Ranks ---- */

static void add_rank(table *rows, const inlay_measured_run *r, inlay_id rank)
{
    inlay_id cluster = inlay_synth_cluster(r->synth, rank);
    inlay_measured_shares simulated = inlay_measured_simulated_shares(r, rank);
    const inlay_measured_rank *measured = &r->measured.rank[rank];
    table_cells(rows, "%" PRId32 "|%" PRId32, rank, inlay_synth_processor(r->synth, rank));
    table_cell(rows, "%s", measured->host);
    table_cells(rows, "%" PRId32 "|%.*g|%.*g|%.*g|%.*g|%.*g|%.*g",
                cluster < 0 ? 0 : inlay_mapping_cluster(r->mapping, cluster).modules, DIGITS, simulated.busy, DIGITS,
                measured->busy * r->from_seconds, DIGITS, simulated.wait, DIGITS, measured->wait * r->from_seconds,
                DIGITS, measured->other * r->from_seconds, DIGITS, measured->idle * r->from_seconds);
}

static int print_ranks(const inlay_measured_run *r, bool all)
{
    inlay_id ranks = r->measured.ranks, shown = all || ranks <= MOST_RANKS ? ranks : MOST_RANKS;
    table rows = {.left = {[2] = true}};
    table_headings(&rows, "rank|processor^4|host^2|modules^5|busy simulated|busy measured|wait simulated^1|wait "
                          "measured^1|other^3|idle^3");
    for (inlay_id k = 0; k < shown; k++) {
        add_rank(&rows, r, k);
    }
    int status = table_print(&rows, stdout);
    if (status == INLAY_OK && shown < ranks) {
        say(stdout, "... (%" PRId32 " more ranks; --verbose lists all)\n", ranks - shown);
    }
    return status;
}

/* ---- The whole ---- */

/* `how` stands behind in parentheses, unless it is NULL. */
static void print_predicted(const char *name, double predicted, double measured, const char *unit, const char *how)
{
    double error = inlay_measured_error(predicted, measured);
    say(stdout, "%-*s %.*g %s", LABEL, name, DIGITS, predicted, unit);
    if (isfinite(error) && round(1e4 * error) == 0) {
        say(stdout, ", 0.00 %% off");
    } else if (isfinite(error)) {
        say(stdout, ", %.2f %% too %s", 100 * fabs(error), error < 0 ? "short" : "long");
    }
    say(stdout, how != NULL ? " (%s)\n" : "\n", how);
}

static void print_measured(const inlay_measured_run *r, const char *unit)
{
    const inlay_measured_program *m = &r->measured;
    say(stdout, "measured        %.*g %s", DIGITS, m->elapsed * r->from_seconds, unit);
    if (m->runs > 1) {
        say(stdout, ", the median of %" PRId64 " runs: %.*g to %.*g", m->runs, DIGITS, m->least * r->from_seconds,
            DIGITS, m->most * r->from_seconds);
    }
    say(stdout, "\n");
}

/* What the prediction is for, and what the program ran on. */
static void print_place(const invocation *call, const inlay_measured_run *r)
{
    const run_values *values = call->values;
    say(stdout, "predicted for   %-s", inlay_machine_name(inlay_mapping_machine(r->mapping)));
    if (values->engine == RUN_SMPI) {
        say(stdout, "; ran on a platform that is the same\n");
        return;
    }
    if (values->hostfile != NULL) {
        say(stdout, "; ran on the hosts of %-s", values->hostfile);
    } else {
        say(stdout, "; ran on this computer");
    }
    if (r->cores > 0) {
        say(stdout, ", with %" PRId32 " core%s%s", r->cores, r->cores == 1 ? "" : "s",
            inlay_measured_shares_cores(r) ? " that ranks share, as in the simulation" : "");
    }
    say(stdout, "\n");
}

static void print_program(const inlay_measured_run *r)
{
    /* who only waits for its time tells nothing of how long it would calculate */
    static const char *const how[INLAY_RUN_WORKS] = {[INLAY_RUN_TIMES] = "modules do nothing but take their time",
                                                     [INLAY_RUN_COUNTS] = "modules calculate what they count",
                                                     [INLAY_RUN_MIXED] =
                                                         "modules calculate what they count, or take their time"};
    const inlay_synth_summary *s = inlay_synth_result(r->synth);
    inlay_run_work work = inlay_measured_work(r);
    char size[BYTES_TEXT];
    say(stdout, "work            %s: %s\n", inlay_run_work_name(work), how[work]);
    say(stdout, "program         synthetic: %" PRId64 " steps in %" PRId64 " entries, %s, compiled in %.3g s by %-s\n",
        s->steps, s->entries, bytes_text(r->program_bytes, size), r->compile_seconds, r->compiler);
}

int run_print_table(const cli_answer *a)
{
    const inlay_measured_run *r = a->of;
    const invocation *call = a->call;
    const char *unit = inlay_unit_word(r->unit);
    double measured = r->measured.elapsed * r->from_seconds;
    char band[INLAY_BAND_TEXT];
    print_title(call, r);
    int status = print_ranks(r, call->common->verbose);
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    if (inlay_measured_shares_cores(r)) { /* of which the study has none */
        inlay_error_band_text(NULL, band);
    } else {
        inlay_estimate_band_text(inlay_mapping_machine(r->mapping), inlay_mapping_summary(r->mapping)->load, band);
    }
    print_predicted("estimate", inlay_measured_estimate(r), measured, unit, band);
    print_predicted("simulated", inlay_measured_simulated(r), measured, unit, NULL);
    print_measured(r, unit);
    print_place(call, r);
    print_program(r);
    return INLAY_OK;
}

/* The table of `inlay run`. */
#include "report.h"
#include "run.h"
#include "table.h"
#include <inttypes.h>
#include <math.h>

/* Of more ranks the first are shown. */
enum { MOST_RANKS = 100, LABEL = 15, DIGITS = 6 };

static void print_title(const invocation *call, const run_prediction *p, const run_made *made)
{
    const run_values *values = call->values;
    say(stdout, "%-s on %-s, %" PRId32 " ranks run by %-s%s; times in %s\n\n",
        inlay_app_name(inlay_mapping_app(p->mapping)), inlay_machine_text(inlay_mapping_machine(p->mapping)),
        inlay_synth_result(made->synth)->ranks,
        made->launcher_version[0] != '\0' ? made->launcher_version : made->launcher,
        values->engine == RUN_SMPI ? " (SMPI, CM02)" : "", unit_word(p->unit));
}

/* ---- Ranks ---- */

static void add_rank(table *rows, const run_prediction *p, const run_made *made, inlay_id rank)
{
    inlay_id cluster = inlay_synth_cluster(made->synth, rank);
    run_shares simulated = run_simulated_shares(p, cluster);
    const measured_rank *measured = &made->measured.rank[rank];
    table_cells(rows, "%" PRId32 "|%" PRId32, rank, inlay_synth_processor(made->synth, rank));
    table_cell(rows, "%s", measured->host);
    table_cells(rows, "%" PRId32 "|%.*g|%.*g|%.*g|%.*g|%.*g|%.*g",
                cluster < 0 ? 0 : inlay_mapping_cluster(p->mapping, cluster).modules, DIGITS, simulated.busy, DIGITS,
                measured->busy * p->from_seconds, DIGITS, simulated.wait, DIGITS, measured->wait * p->from_seconds,
                DIGITS, measured->other * p->from_seconds, DIGITS, measured->idle * p->from_seconds);
}

static int print_ranks(const run_prediction *p, const run_made *made, bool all)
{
    inlay_id ranks = made->measured.ranks, shown = all || ranks <= MOST_RANKS ? ranks : MOST_RANKS;
    table rows = {.left = {[2] = true}};
    table_headings(&rows,
                   "rank|processor|host|modules|busy simulated|busy measured|wait simulated|wait measured|other|idle");
    for (inlay_id r = 0; r < shown; r++) {
        add_rank(&rows, p, made, r);
    }
    int status = table_print(&rows, stdout);
    if (status == INLAY_OK && shown < ranks) {
        say(stdout, "... (%" PRId32 " more ranks; --verbose lists all)\n", ranks - shown);
    }
    return status;
}

/* ---- The whole ---- */

static void print_predicted(const char *name, double predicted, double measured, const char *unit)
{
    double error = run_error(predicted, measured);
    say(stdout, "%-*s %.*g %s", LABEL, name, DIGITS, predicted, unit);
    if (isfinite(error) && round(1e4 * error) == 0) {
        say(stdout, ", 0.00 %% off");
    } else if (isfinite(error)) {
        say(stdout, ", %.2f %% too %s", 100 * fabs(error), error < 0 ? "short" : "long");
    }
    say(stdout, "\n");
}

static void print_measured(const run_prediction *p, const measurement *m, const char *unit)
{
    say(stdout, "measured        %.*g %s", DIGITS, m->elapsed * p->from_seconds, unit);
    if (m->runs > 1) {
        say(stdout, ", the median of %" PRId64 " runs: %.*g to %.*g", m->runs, DIGITS, m->least * p->from_seconds,
            DIGITS, m->most * p->from_seconds);
    }
    say(stdout, "\n");
}

/* What the prediction is for, and what the program ran on. */
static void print_place(const invocation *call, const run_prediction *p, const run_made *made)
{
    const run_values *values = call->values;
    say(stdout, "predicted for   %-s", inlay_machine_name(inlay_mapping_machine(p->mapping)));
    if (values->engine == RUN_SMPI) {
        say(stdout, "; ran on a platform that is the same\n");
        return;
    }
    if (values->hostfile != NULL) {
        say(stdout, "; ran on the hosts of %-s", values->hostfile);
    } else {
        say(stdout, "; ran on this computer");
    }
    if (p->cores > 0) {
        say(stdout, ", with %" PRId32 " core%s%s", p->cores, p->cores == 1 ? "" : "s",
            run_shares_cores(p, made) ? " that ranks share, as in the simulation" : "");
    }
    say(stdout, "\n");
}

static void print_program(const run_made *made)
{
    const inlay_synth_summary *s = inlay_synth_result(made->synth);
    char size[BYTES_TEXT];
    say(stdout, "program         %" PRId64 " steps in %" PRId64 " entries, %s, compiled in %.3g s by %-s\n", s->steps,
        s->entries, bytes_text(made->program_bytes, size), made->compile_seconds, made->compiler);
}

int run_print_table(const cli_answer *a)
{
    const run_prediction *p = ((const run_answer *)a->of)->p;
    const run_made *made = ((const run_answer *)a->of)->made;
    const invocation *call = a->call;
    const char *unit = unit_word(p->unit);
    double measured = made->measured.elapsed * p->from_seconds;
    print_title(call, p, made);
    int status = print_ranks(p, made, call->common->verbose);
    if (status != INLAY_OK) {
        return status;
    }
    say(stdout, "\n");
    print_predicted("estimate", run_estimate(p), measured, unit);
    print_predicted("simulated", run_simulated(p), measured, unit);
    print_measured(p, &made->measured, unit);
    print_place(call, p, made);
    print_program(made);
    return INLAY_OK;
}

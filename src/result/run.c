/* What `inlay run` gives out, as JSON. */
#include "base/diag.h"
#include <inlay/inlay.h>
#include <inttypes.h>

static void put_measured(inlay_json *out, const inlay_measured_run *run)
{
    const inlay_measured_program *m = &run->measured;
    double unit = run->from_seconds, elapsed = m->elapsed * unit;
    inlay_json_put(out, "measured { median %g least %g most %g runs [", elapsed, m->least * unit, m->most * unit);
    for (int64_t i = 0; i < m->runs; i++) {
        inlay_json_number(out, NULL, m->run[i] * unit);
    }
    inlay_json_put(out, "] } error { estimate %g simulated %g }",
                   inlay_measured_error(inlay_measured_estimate(run), elapsed),
                   inlay_measured_error(inlay_measured_simulated(run), elapsed));
}

static void put_rank(inlay_json *out, const inlay_measured_run *run, inlay_id rank)
{
    inlay_id cluster = inlay_synth_cluster(run->synth, rank);
    inlay_measured_shares simulated = inlay_measured_simulated_shares(run, rank);
    const inlay_measured_rank *measured = &run->measured.rank[rank];
    double unit = run->from_seconds;
    inlay_json_put(out,
                   "{ rank %d processor %d host %s modules %d simulated { busy %g wait %g idle %g } measured { busy %g "
                   "wait %g other %g idle %g } }",
                   rank, inlay_synth_processor(run->synth, rank), measured->host,
                   cluster < 0 ? 0 : inlay_mapping_cluster(run->mapping, cluster).modules, simulated.busy,
                   simulated.wait, simulated.idle, measured->busy * unit, measured->wait * unit, measured->other * unit,
                   measured->idle * unit);
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_measured_run *run = of;
    const inlay_machine *machine = inlay_mapping_machine(run->mapping);
    inlay_json_put(out,
                   "mapping %s application %s machine %s machine_name %s time_unit %s engine %s work %s time_frame %g "
                   "estimate %g simulated %g",
                   run->file, inlay_app_name(inlay_mapping_app(run->mapping)), inlay_machine_text(machine),
                   inlay_machine_name(machine), inlay_unit_name(run->unit), run->engine,
                   inlay_run_work_name(inlay_measured_work(run)),
                   inlay_mapping_summary(run->mapping)->time_frame * run->from_app, inlay_measured_estimate(run),
                   inlay_measured_simulated(run));
    put_measured(out, run);
    inlay_json_put(out,
                   "compiler %s launcher %s launcher_version %s processes %d cores %i hostfile %s cores_shared %hhd "
                   "compile_seconds %g program_bytes %" PRId64 " ranks [",
                   run->compiler, run->launcher, run->launcher_version, run->processes,
                   run->cores > 0 ? run->cores : -1, run->hostfile, inlay_measured_shares_cores(run),
                   run->compile_seconds, run->program_bytes);
    for (inlay_id r = 0; r < run->measured.ranks; r++) {
        put_rank(out, run, r);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

int inlay_measured_run_write_json(const inlay_measured_run *run, const inlay_result_context *context, const char *path,
                                  inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, run, path, diag);
}

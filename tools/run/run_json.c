/* The JSON of `inlay run`. */
#include "report.h"
#include "run.h"
#include <inttypes.h>

static void put_measured(inlay_json *out, const run_prediction *p, const measurement *m)
{
    inlay_json_put(out, "measured { median %g least %g most %g runs [", m->elapsed * p->from_seconds,
                   m->least * p->from_seconds, m->most * p->from_seconds);
    for (int64_t i = 0; i < m->runs; i++) {
        inlay_json_number(out, NULL, m->run[i] * p->from_seconds);
    }
    inlay_json_put(out, "] }");
}

static void put_errors(inlay_json *out, const run_prediction *p, double measured)
{
    inlay_json_put(out, "error { estimate %g simulated %g }", run_error(run_estimate(p), measured),
                   run_error(run_simulated(p), measured));
}

static void put_launch(inlay_json *out, const invocation *call, const run_prediction *p, const run_made *made)
{
    const run_values *values = call->values;
    inlay_json_put(out, "compiler %s launcher %s launcher_version %s processes %d", made->compiler, made->launcher,
                   made->launcher_version, made->processes);
    inlay_json_put(out, "cores %i hostfile %s", p->cores > 0 ? p->cores : -1, values->hostfile);
    inlay_json_put(out, "cores_shared %hhd compile_seconds %g program_bytes %" PRId64, run_shares_cores(p, made),
                   made->compile_seconds, made->program_bytes);
}

static void put_rank(inlay_json *out, const run_prediction *p, const run_made *made, inlay_id rank)
{
    inlay_id cluster = inlay_synth_cluster(made->synth, rank);
    run_shares simulated = run_simulated_shares(p, cluster);
    const measured_rank *measured = &made->measured.rank[rank];
    inlay_json_put(out,
                   "{ rank %d processor %d host %s modules %d simulated { busy %g wait %g idle %g } measured { busy %g "
                   "wait %g other %g idle %g } }",
                   rank, inlay_synth_processor(made->synth, rank), measured->host,
                   cluster < 0 ? 0 : inlay_mapping_cluster(p->mapping, cluster).modules, simulated.busy, simulated.wait,
                   simulated.idle, measured->busy * p->from_seconds, measured->wait * p->from_seconds,
                   measured->other * p->from_seconds, measured->idle * p->from_seconds);
}

int run_put_members(inlay_json *out, const cli_answer *a)
{
    const run_prediction *p = ((const run_answer *)a->of)->p;
    const run_made *made = ((const run_answer *)a->of)->made;
    const invocation *call = a->call;
    static const char *const engines[] = {"mpi", "smpi"};
    const run_values *values = call->values;
    inlay_json_put(out,
                   "mapping %s application %s machine %s machine_name %s time_unit %s engine %s time_frame %g estimate "
                   "%g simulated %g",
                   call->operands[0], inlay_app_name(inlay_mapping_app(p->mapping)),
                   inlay_machine_text(inlay_mapping_machine(p->mapping)),
                   inlay_machine_name(inlay_mapping_machine(p->mapping)), inlay_unit_name(p->unit),
                   engines[values->engine], inlay_mapping_summary(p->mapping)->time_frame * p->from_app,
                   run_estimate(p), run_simulated(p));
    put_measured(out, p, &made->measured);
    put_errors(out, p, made->measured.elapsed * p->from_seconds);
    put_launch(out, call, p, made);
    inlay_json_array(out, "ranks");
    for (inlay_id r = 0; r < made->measured.ranks; r++) {
        put_rank(out, p, made, r);
    }
    inlay_json_array_end(out);
    return INLAY_OK;
}

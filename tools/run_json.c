/* The JSON of `inlay run`. */
#include "report.h"
#include "result.h"
#include "run.h"

static void put_measured(result *out, const run_prediction *p, const measurement *m)
{
    result_open(out, "measured", '{');
    result_number(out, "median", m->elapsed * p->from_seconds);
    result_number(out, "least", m->least * p->from_seconds);
    result_number(out, "most", m->most * p->from_seconds);
    result_open(out, "runs", '[');
    for (int64_t i = 0; i < m->runs; i++) {
        result_number(out, NULL, m->run[i] * p->from_seconds);
    }
    result_close(out, ']');
    result_close(out, '}');
}

static void put_errors(result *out, const run_prediction *p, double measured)
{
    result_open(out, "error", '{');
    result_number(out, "estimate", run_error(run_estimate(p), measured));
    result_number(out, "simulated", run_error(run_simulated(p), measured));
    result_close(out, '}');
}

static void put_launch(result *out, const invocation *call, const run_prediction *p, const run_made *made)
{
    const run_values *values = call->values;
    result_string(out, "compiler", made->compiler);
    result_string(out, "launcher", made->launcher);
    result_string(out, "launcher_version", made->launcher_version);
    result_integer(out, "processes", made->processes);
    if (p->cores > 0) {
        result_integer(out, "cores", p->cores);
    } else {
        result_exact(out, "cores", "null");
    }
    if (values->hostfile != NULL) {
        result_string(out, "hostfile", values->hostfile);
    } else {
        result_exact(out, "hostfile", "null");
    }
    result_bool(out, "cores_shared", run_shares_cores(p, made));
    result_number(out, "compile_seconds", made->compile_seconds);
    result_integer(out, "program_bytes", made->program_bytes);
}

static void put_rank(result *out, const run_prediction *p, const run_made *made, inlay_id rank)
{
    inlay_id cluster = inlay_synth_cluster(made->synth, rank);
    run_shares simulated = run_simulated_shares(p, cluster);
    const measured_rank *measured = &made->measured.rank[rank];
    result_open(out, NULL, '{');
    result_integer(out, "rank", rank);
    result_integer(out, "processor", inlay_synth_processor(made->synth, rank));
    result_string(out, "host", measured->host);
    result_integer(out, "modules", cluster < 0 ? 0 : inlay_mapping_cluster(p->mapping, cluster).modules);
    result_open(out, "simulated", '{');
    result_number(out, "busy", simulated.busy);
    result_number(out, "wait", simulated.wait);
    result_number(out, "idle", simulated.idle);
    result_close(out, '}');
    result_open(out, "measured", '{');
    result_number(out, "busy", measured->busy * p->from_seconds);
    result_number(out, "wait", measured->wait * p->from_seconds);
    result_number(out, "other", measured->other * p->from_seconds);
    result_number(out, "idle", measured->idle * p->from_seconds);
    result_close(out, '}');
    result_close(out, '}');
}

int run_put_members(result *out, const cli_answer *a)
{
    const run_prediction *p = ((const run_answer *)a->of)->p;
    const run_made *made = ((const run_answer *)a->of)->made;
    const invocation *call = a->call;
    static const char *const engines[] = {"mpi", "smpi"};
    const run_values *values = call->values;
    result_string(out, "mapping", call->operands[0]);
    result_string(out, "application", inlay_app_name(inlay_mapping_app(p->mapping)));
    result_string(out, "machine", inlay_machine_text(inlay_mapping_machine(p->mapping)));
    result_string(out, "machine_name", inlay_machine_name(inlay_mapping_machine(p->mapping)));
    result_string(out, "time_unit", inlay_unit_name(p->unit));
    result_string(out, "engine", engines[values->engine]);
    result_number(out, "time_frame", inlay_mapping_summary(p->mapping)->time_frame * p->from_app);
    result_number(out, "estimate", run_estimate(p));
    result_number(out, "simulated", run_simulated(p));
    put_measured(out, p, &made->measured);
    put_errors(out, p, made->measured.elapsed * p->from_seconds);
    put_launch(out, call, p, made);
    result_open(out, "ranks", '[');
    for (inlay_id r = 0; r < made->measured.ranks; r++) {
        put_rank(out, p, made, r);
    }
    result_close(out, ']');
    return INLAY_OK;
}

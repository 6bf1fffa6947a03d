/* The JSON of `inlay run`. */
#include "report.h"
#include "run.h"

static void put_measured(inlay_json *out, const run_prediction *p, const measurement *m)
{
    inlay_json_object(out, "measured");
    inlay_json_number(out, "median", m->elapsed * p->from_seconds);
    inlay_json_number(out, "least", m->least * p->from_seconds);
    inlay_json_number(out, "most", m->most * p->from_seconds);
    inlay_json_array(out, "runs");
    for (int64_t i = 0; i < m->runs; i++) {
        inlay_json_number(out, NULL, m->run[i] * p->from_seconds);
    }
    inlay_json_array_end(out);
    inlay_json_object_end(out);
}

static void put_errors(inlay_json *out, const run_prediction *p, double measured)
{
    inlay_json_object(out, "error");
    inlay_json_number(out, "estimate", run_error(run_estimate(p), measured));
    inlay_json_number(out, "simulated", run_error(run_simulated(p), measured));
    inlay_json_object_end(out);
}

static void put_launch(inlay_json *out, const invocation *call, const run_prediction *p, const run_made *made)
{
    const run_values *values = call->values;
    inlay_json_string(out, "compiler", made->compiler);
    inlay_json_string(out, "launcher", made->launcher);
    inlay_json_string(out, "launcher_version", made->launcher_version);
    inlay_json_integer(out, "processes", made->processes);
    if (p->cores > 0) {
        inlay_json_integer(out, "cores", p->cores);
    } else {
        inlay_json_null(out, "cores");
    }
    if (values->hostfile != NULL) {
        inlay_json_string(out, "hostfile", values->hostfile);
    } else {
        inlay_json_null(out, "hostfile");
    }
    inlay_json_bool(out, "cores_shared", run_shares_cores(p, made));
    inlay_json_number(out, "compile_seconds", made->compile_seconds);
    inlay_json_integer(out, "program_bytes", made->program_bytes);
}

static void put_rank(inlay_json *out, const run_prediction *p, const run_made *made, inlay_id rank)
{
    inlay_id cluster = inlay_synth_cluster(made->synth, rank);
    run_shares simulated = run_simulated_shares(p, cluster);
    const measured_rank *measured = &made->measured.rank[rank];
    inlay_json_object(out, NULL);
    inlay_json_integer(out, "rank", rank);
    inlay_json_integer(out, "processor", inlay_synth_processor(made->synth, rank));
    inlay_json_string(out, "host", measured->host);
    inlay_json_integer(out, "modules", cluster < 0 ? 0 : inlay_mapping_cluster(p->mapping, cluster).modules);
    inlay_json_object(out, "simulated");
    inlay_json_number(out, "busy", simulated.busy);
    inlay_json_number(out, "wait", simulated.wait);
    inlay_json_number(out, "idle", simulated.idle);
    inlay_json_object_end(out);
    inlay_json_object(out, "measured");
    inlay_json_number(out, "busy", measured->busy * p->from_seconds);
    inlay_json_number(out, "wait", measured->wait * p->from_seconds);
    inlay_json_number(out, "other", measured->other * p->from_seconds);
    inlay_json_number(out, "idle", measured->idle * p->from_seconds);
    inlay_json_object_end(out);
    inlay_json_object_end(out);
}

int run_put_members(inlay_json *out, const cli_answer *a)
{
    const run_prediction *p = ((const run_answer *)a->of)->p;
    const run_made *made = ((const run_answer *)a->of)->made;
    const invocation *call = a->call;
    static const char *const engines[] = {"mpi", "smpi"};
    const run_values *values = call->values;
    inlay_json_string(out, "mapping", call->operands[0]);
    inlay_json_string(out, "application", inlay_app_name(inlay_mapping_app(p->mapping)));
    inlay_json_string(out, "machine", inlay_machine_text(inlay_mapping_machine(p->mapping)));
    inlay_json_string(out, "machine_name", inlay_machine_name(inlay_mapping_machine(p->mapping)));
    inlay_json_string(out, "time_unit", inlay_unit_name(p->unit));
    inlay_json_string(out, "engine", engines[values->engine]);
    inlay_json_number(out, "time_frame", inlay_mapping_summary(p->mapping)->time_frame * p->from_app);
    inlay_json_number(out, "estimate", run_estimate(p));
    inlay_json_number(out, "simulated", run_simulated(p));
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

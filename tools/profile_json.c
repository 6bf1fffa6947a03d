/* JSON and CSV of `inlay profile`. */
#include "compare.h"
#include "profile.h"
#include "report.h"
#include "result.h"
#include <inlay/inlay.h>
#include <math.h>

/* ---- JSON ---- */

static void put_parameters(result *out, const inlay_program *program)
{
    result_open(out, "parameters", '[');
    for (size_t i = 0; i < inlay_program_parameters(program); i++) {
        inlay_program_parameter parameter = inlay_program_parameter_at(program, i);
        result_open(out, NULL, '{');
        result_string(out, "name", parameter.name);
        result_number(out, "value", parameter.value);
        result_bool(out, "given", parameter.given);
        result_close(out, '}');
    }
    result_close(out, ']');
}

static void put_operations(result *out, const profiled *p, bool measured)
{
    result_open(out, "operations", '[');
    for (int o = 0; o < inlay_program_operations(p->program); o++) {
        const char *name = inlay_program_operation_name(p->program, o);
        double times = profile_total(p, o);
        if (times > 0) {
            result_open(out, NULL, '{');
            result_string(out, "name", name);
            result_number(out, "times", times);
            result_number(out, "cost", measured ? NAN : cost_of(p->costs, name));
            result_close(out, '}');
        }
    }
    result_close(out, ']');
}

static void put_check(result *out, const char *said)
{
    if (said[0] != '\0') {
        result_string(out, "check", said);
    } else {
        result_exact(out, "check", "null");
    }
}

static void put_processor(result *out, const profiled *p, inlay_id cluster)
{
    inlay_program_processor mine = inlay_program_run_processor(p->run, cluster);
    inlay_simulated_processor theirs = inlay_simulation_processor(p->simulation, cluster);
    result_open(out, NULL, '{');
    result_integer(out, "processor", mine.processor);
    result_integer(out, "modules", inlay_mapping_cluster(p->mapping, cluster).modules);
    result_number(out, "busy", mine.busy);
    result_number(out, "waiting", mine.waiting);
    result_number(out, "idle", mine.idle);
    result_integer(out, "sent", mine.sent);
    result_integer(out, "received", mine.received);
    result_open(out, "simulated", '{');
    result_number(out, "busy", theirs.busy);
    result_number(out, "waiting", theirs.communicating + theirs.blocked);
    result_number(out, "idle", theirs.idle);
    result_close(out, '}');
    result_close(out, '}');
}

static void put_mapped(result *out, const invocation *call, const profiled *p)
{
    const profile_values *values = call->values;
    if (p->mapping == NULL) {
        result_exact(out, "mapped", "null");
        return;
    }
    inlay_program_summary sum = inlay_program_run_summary(p->run);
    double simulated = inlay_simulation_result(p->simulation)->makespan;
    double estimate = inlay_mapping_summary(p->mapping)->estimate;
    result_open(out, "mapped", '{');
    result_string(out, "mapping", values->mapping);
    result_string(out, "machine", inlay_machine_text(inlay_mapping_machine(p->mapping)));
    result_number(out, "elapsed", sum.elapsed);
    result_number(out, "simulated", simulated);
    result_number(out, "estimate", estimate);
    result_open(out, "error", '{');
    result_number(out, "simulated", sum.elapsed > 0 ? (simulated - sum.elapsed) / sum.elapsed : NAN);
    result_number(out, "estimate", sum.elapsed > 0 ? (estimate - sum.elapsed) / sum.elapsed : NAN);
    result_close(out, '}');
    result_integer(out, "messages", sum.messages);
    result_integer(out, "modules_changed", profile_changed(p));
    put_check(out, sum.check);
    result_open(out, "processors", '[');
    for (inlay_id c = 0; c < inlay_mapping_summary(p->mapping)->clusters; c++) {
        put_processor(out, p, c);
    }
    result_close(out, ']');
    result_close(out, '}');
}

int profile_put_members(result *out, const cli_answer *a)
{
    const profiled *p = a->of;
    const profile_values *values = a->call->values;
    const inlay_app *app = inlay_profile_app(p->profile);
    result_string(out, "program", a->call->operands[0]);
    result_string(out, "application", inlay_app_name(app));
    put_parameters(out, p->program);
    result_string(out, "time_unit", inlay_unit_name(inlay_app_unit(app)));
    result_bool(out, "measured", values->measured);
    result_integer(out, "modules", inlay_app_modules(app));
    result_integer(out, "links", inlay_app_links(app));
    result_integer(out, "feedback_links", inlay_profile_feedback(p->profile));
    result_integer(out, "messages", inlay_profile_values(p->profile));
    result_integer(out, "messages_left", inlay_profile_left(p->profile));
    result_number(out, "work", profile_work(p));
    result_number(out, "elapsed", inlay_profile_elapsed(p->profile));
    put_check(out, inlay_profile_check(p->profile));
    put_operations(out, p, values->measured);
    put_mapped(out, a->call, p);
    return INLAY_OK;
}

/* ---- CSV ---- */

void profile_put_csv(FILE *to, const cli_answer *a)
{
    const profiled *p = a->of;
    const inlay_app *app = inlay_profile_app(p->profile);
    int operations = inlay_program_operations(p->program);
    say(to, "module,time,blocking");
    for (int o = 0; o < operations; o++) {
        csv_text(to, inlay_program_operation_name(p->program, o), false);
    }
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        char text[TIME_TEXT];
        say(to, "\n");
        csv_text(to, inlay_app_module_name(app, i), true);
        say(to, ",%s", time_text(app, inlay_app_time(app, i), text));
        say(to, ",%s", time_text(app, inlay_app_blocking(app, i), text));
        for (int o = 0; o < operations; o++) {
            csv_number(to, inlay_profile_count(p->profile, i, o));
        }
    }
    say(to, "\n");
}

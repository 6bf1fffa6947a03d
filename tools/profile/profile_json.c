/* JSON and CSV of `inlay profile`. */
#include "profile.h"
#include "report.h"
#include <inlay/inlay.h>
#include <inttypes.h>
#include <math.h>

/* ---- JSON ---- */

static void put_parameters(inlay_json *out, const inlay_program *program)
{
    inlay_json_array(out, "parameters");
    for (size_t i = 0; i < inlay_program_parameters(program); i++) {
        inlay_program_parameter parameter = inlay_program_parameter_at(program, i);
        inlay_json_put(out, "{ name %s value %g given %hhd }", parameter.name, parameter.value, parameter.given);
    }
    inlay_json_array_end(out);
}

static void put_operations(inlay_json *out, const profiled *p, bool measured)
{
    inlay_json_array(out, "operations");
    for (int o = 0; o < inlay_program_operations(p->program); o++) {
        const char *name = inlay_program_operation_name(p->program, o);
        double times = profile_total(p, o);
        if (times > 0) {
            inlay_json_put(out, "{ name %s times %g cost %g }", name, times, measured ? NAN : cost_of(p->costs, name));
        }
    }
    inlay_json_array_end(out);
}

static void put_check(inlay_json *out, const char *said)
{
    inlay_json_string(out, "check", said[0] != '\0' ? said : NULL);
}

static void put_processor(inlay_json *out, const profiled *p, inlay_id cluster)
{
    inlay_program_processor mine = inlay_program_run_processor(p->run, cluster);
    inlay_simulated_processor theirs = inlay_simulation_processor(p->simulation, cluster);
    inlay_json_put(out,
                   "{ processor %d modules %d busy %g waiting %g idle %g sent %" PRId64 " received %" PRId64
                   " simulated { busy %g waiting %g idle %g } }",
                   mine.processor, inlay_mapping_cluster(p->mapping, cluster).modules, mine.busy, mine.waiting,
                   mine.idle, mine.sent, mine.received, theirs.busy, theirs.communicating + theirs.blocked,
                   theirs.idle);
}

static void put_mapped(inlay_json *out, const invocation *call, const profiled *p)
{
    const profile_values *values = call->values;
    if (p->mapping == NULL) {
        inlay_json_null(out, "mapped");
        return;
    }
    inlay_program_summary sum = inlay_program_run_summary(p->run);
    double simulated = inlay_simulation_result(p->simulation)->makespan;
    double estimate = inlay_mapping_summary(p->mapping)->estimate;
    inlay_json_put(out,
                   "mapped { mapping %s machine %s elapsed %g simulated %g estimate %g error { simulated %g estimate "
                   "%g } messages %" PRId64 " modules_changed %d",
                   values->mapping, inlay_machine_text(inlay_mapping_machine(p->mapping)), sum.elapsed, simulated,
                   estimate, sum.elapsed > 0 ? (simulated - sum.elapsed) / sum.elapsed : NAN,
                   sum.elapsed > 0 ? (estimate - sum.elapsed) / sum.elapsed : NAN, sum.messages, profile_changed(p));
    put_check(out, sum.check);
    inlay_json_array(out, "processors");
    for (inlay_id c = 0; c < inlay_mapping_summary(p->mapping)->clusters; c++) {
        put_processor(out, p, c);
    }
    inlay_json_put(out, "] }");
}

int profile_put_members(inlay_json *out, const cli_answer *a)
{
    const profiled *p = a->of;
    const profile_values *values = a->call->values;
    const inlay_app *app = inlay_profile_app(p->profile);
    inlay_json_put(out, "program %s application %s", a->call->operands[0], inlay_app_name(app));
    put_parameters(out, p->program);
    inlay_json_put(out,
                   "time_unit %s measured %hhd modules %d links %" PRId64 " feedback_links %" PRId64
                   " messages %" PRId64 " messages_left %" PRId64 " work %g elapsed %g",
                   inlay_unit_name(inlay_app_unit(app)), values->measured, inlay_app_modules(app), inlay_app_links(app),
                   inlay_profile_feedback(p->profile), inlay_profile_values(p->profile), inlay_profile_left(p->profile),
                   profile_work(p), inlay_profile_elapsed(p->profile));
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
        say_csv_text(to, inlay_program_operation_name(p->program, o), false);
    }
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        char text[TIME_TEXT];
        say(to, "\n");
        say_csv_text(to, inlay_app_module_name(app, i), true);
        say(to, ",%s", time_text(app, inlay_app_time(app, i), text));
        say(to, ",%s", time_text(app, inlay_app_blocking(app, i), text));
        for (int o = 0; o < operations; o++) {
            say_csv_number(to, inlay_profile_count(p->profile, i, o));
        }
    }
    say(to, "\n");
}

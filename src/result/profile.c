/* What `inlay profile` gives out: JSON and CSV. */
#include "base/decimal.h"
#include "base/diag.h"
#include "result/fields.h"
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

static void put_operations(inlay_json *out, const inlay_profiled *p)
{
    inlay_json_array(out, "operations");
    for (int o = 0; o < inlay_program_operations(p->program); o++) {
        double times = inlay_profile_total(p->profile, o);
        if (times > 0) {
            inlay_json_put(out, "{ name %s times %g cost %g }", inlay_program_operation_name(p->program, o), times,
                           inlay_profile_cost(p->profile, o));
        }
    }
    inlay_json_array_end(out);
}

static void put_check(inlay_json *out, const char *said)
{
    inlay_json_string(out, "check", said[0] != '\0' ? said : NULL);
}

static void put_processor(inlay_json *out, const inlay_profiled *p, inlay_id cluster)
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

static void put_mapped(inlay_json *out, const inlay_profiled *p)
{
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
                   p->mapping_file, inlay_machine_text(inlay_mapping_machine(p->mapping)), sum.elapsed, simulated,
                   estimate, sum.elapsed > 0 ? (simulated - sum.elapsed) / sum.elapsed : NAN,
                   sum.elapsed > 0 ? (estimate - sum.elapsed) / sum.elapsed : NAN, sum.messages,
                   inlay_profile_changed(p->profile, p->mapping));
    put_check(out, sum.check);
    inlay_json_array(out, "processors");
    for (inlay_id c = 0; c < inlay_mapping_summary(p->mapping)->clusters; c++) {
        put_processor(out, p, c);
    }
    inlay_json_put(out, "] }");
}

static int put_members(inlay_json *out, const void *of)
{
    const inlay_profiled *p = of;
    const inlay_app *app = inlay_profile_app(p->profile);
    inlay_json_put(out, "program %s application %s", p->file, inlay_app_name(app));
    put_parameters(out, p->program);
    inlay_json_put(out,
                   "time_unit %s measured %hhd modules %d links %" PRId64 " data %i feedback_links %" PRId64
                   " messages %" PRId64 " messages_left %" PRId64 " work %g elapsed %g",
                   inlay_unit_name(inlay_app_unit(app)), inlay_profile_measured(p->profile), inlay_app_modules(app),
                   inlay_app_links(app), inlay_app_data(app), inlay_profile_feedback(p->profile),
                   inlay_profile_values(p->profile), inlay_profile_left(p->profile), inlay_profile_work(p->profile),
                   inlay_profile_elapsed(p->profile));
    put_check(out, inlay_profile_check(p->profile));
    put_operations(out, p);
    put_mapped(out, p);
    return INLAY_OK;
}

int inlay_profiled_write_json(const inlay_profiled *profiled, const inlay_result_context *context, const char *path,
                              inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    return inlay_result_write(context, put_members, profiled, path, diag);
}

/* ---- CSV ---- */

static void add_time(text_buffer *to, const inlay_app *app, inlay_time time)
{
    char digits[DECIMAL_TEXT];
    csv_text(to, decimal_text((inlay_decimal){time, inlay_app_decimals(app)}, digits));
}

int inlay_profiled_write_csv(const inlay_profiled *profiled, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    const inlay_app *app = inlay_profile_app(profiled->profile);
    int operations = inlay_program_operations(profiled->program);
    text_add(&text, "module,time,blocking");
    for (int o = 0; o < operations; o++) {
        csv_text(&text, inlay_program_operation_name(profiled->program, o));
    }
    csv_end_line(&text);
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        csv_text(&text, inlay_app_module_name(app, i));
        add_time(&text, app, inlay_app_time(app, i));
        add_time(&text, app, inlay_app_blocking(app, i));
        for (int o = 0; o < operations; o++) {
            csv_number(&text, inlay_profile_count(profiled->profile, i, o));
        }
        csv_end_line(&text);
    }
    return csv_write(&text, path, diag);
}

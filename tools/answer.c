/* How commands are answered. */
#include "answer.h"
#include "help.h"
#include "meter.h"
#include "output.h"
#include "raster.h"
#include "report.h"
#include <inlay/inlay.h>
#include <stddef.h>
#include <string.h>

/* ---- Which outputs there are ---- */

/* What the picture of a command is made by; NULL: it has none. */
static const cli_output *picture_of(const invocation *call)
{
    const cli_output *out = call->command->outputs;
    while (out != NULL && out->name != NULL && strcmp(out->name, "--svg") != 0 && strcmp(out->name, "--gantt") != 0) {
        out++;
    }
    return out != NULL && out->name != NULL && command_find_option(call->command, "--png") >= 0 ? out : NULL;
}

static int write_png(const cli_answer *a, const char *path)
{
    return raster_write(picture_of(a->call), a, "png", path);
}

static int write_pdf(const cli_answer *a, const char *path)
{
    return raster_write(picture_of(a->call), a, "pdf", path);
}

/* The i-th of a command, and behind its own those that its picture makes; NULL behind the last. */
static const cli_output *output_at(const invocation *call, size_t i)
{
    static const cli_output rasters[] = {{"--png", offsetof(common_values, png), .write = write_png},
                                         {"--pdf", offsetof(common_values, pdf), .write = write_pdf}};
    enum { RASTERS = sizeof rasters / sizeof *rasters };
    const cli_output *outputs = call->command->outputs;
    size_t own = 0;
    while (outputs != NULL && outputs[own].name != NULL) {
        own++;
    }
    return i < own ? &outputs[i] : i < own + RASTERS && picture_of(call) != NULL ? &rasters[i - own] : NULL;
}

static bool is_input(const cli_output *out)
{
    return out->write == NULL;
}

/* The path that its option names, NULL where it has none or is not given. */
static const char *named_path(const invocation *call, const cli_output *out)
{
    return out->path > 0 ? *(const char *const *)((const char *)call->values + out->path) : NULL;
}

/* Where it goes; NULL where it is not wanted. */
static const char *path_of(const invocation *call, const cli_output *out)
{
    const char *path = named_path(call, out);
    bool prints = out->always || (call->common->json && (out->is_json || out->path == 0));
    return path == NULL && prints ? "-" : path;
}

static int on_standard_output(const invocation *call)
{
    int count = 0;
    const cli_output *out;
    for (size_t i = 0; (out = output_at(call, i)) != NULL; i++) {
        count += !is_input(out) && output_is_standard(path_of(call, out));
    }
    return count;
}

bool takes_standard_output(const invocation *call)
{
    return on_standard_output(call) > 0;
}

bool hides_table(const invocation *call)
{
    bool writes = false;
    const cli_output *out;
    for (size_t i = 0; (out = output_at(call, i)) != NULL; i++) {
        writes = writes || (!is_input(out) && named_path(call, out) != NULL);
    }
    return takes_standard_output(call) || call->common->json || (call->common->quiet && writes);
}

/* ---- Usage ---- */

/* Whether a path is an operand, an input that an option names, or an output before the i-th. */
static bool is_taken(const invocation *call, const char *path, size_t i)
{
    const cli_output *out;
    for (int operand = 0; operand < call->operand_count; operand++) {
        if (!call->command->operands[0].word && output_is_same(path, call->operands[operand])) {
            return true;
        }
    }
    for (size_t other = 0; (out = output_at(call, other)) != NULL; other++) {
        const char *of_other = named_path(call, out);
        if (of_other != NULL && (is_input(out) || other < i) && output_is_same(path, of_other)) {
            return true;
        }
    }
    return false;
}

static int refuse_collision(const invocation *call, const char *path)
{
    const cli_command *command = call->command;
    const cli_output *out;
    bool several = command->operands[1].name != NULL || command->operands[0].repeats;
    int outputs = 0;
    for (size_t i = 0; (out = output_at(call, i)) != NULL; i++) {
        several = several || is_input(out);
        outputs += !is_input(out) && out->path > 0;
    }
    const char *inputs = command->inputs != NULL ? command->inputs : several ? "the inputs" : "the input";
    return report_usage(command, "'%s' would be overwritten; expected %s %s%s", path,
                        outputs > 1 ? "outputs that differ from" : "an output that differs from", inputs,
                        outputs > 1 ? " and from each other" : "");
}

/* "only one of JSON, --csv and --svg" */
static int refuse_outputs(const invocation *call)
{
    enum { ROOM = 160 };
    char names[ROOM] = "";
    const cli_output *out;
    for (size_t i = 0; (out = output_at(call, i)) != NULL; i++) {
        bool more = false;
        for (size_t k = i + 1; output_at(call, k) != NULL; k++) {
            more = more || !is_input(output_at(call, k));
        }
        size_t length = strlen(names);
        if (!is_input(out)) {
            (void)snprintf(names + length, ROOM - length, "%s%s", length == 0 ? "" : more ? ", " : " and ", out->name);
        }
    }
    return report_usage(call->command, "only one of %s can go to standard output", names);
}

int check_outputs(const invocation *call)
{
    const cli_output *out;
    if (on_standard_output(call) > 1) {
        return refuse_outputs(call);
    }
    for (size_t i = 0; (out = output_at(call, i)) != NULL; i++) {
        const char *path = is_input(out) ? NULL : named_path(call, out);
        if (path != NULL && !output_is_standard(path) && is_taken(call, path, i)) {
            return refuse_collision(call, path);
        }
        if (output_check_folders(&path, 1) != EXIT_DONE) {
            return EXIT_SYSTEM;
        }
    }
    return EXIT_DONE;
}

/* ---- Giving out ---- */

static int write_output(const cli_output *out, const cli_answer *a, const char *path)
{
    int status = out->write(a, path);
    bool picture = strncmp(out->name, "--svg", 5) == 0;
    if (out->always || (status == INLAY_BAD_ARGUMENT && !picture)) {
        return status;
    }
    return output_told(status, a->diag); /* the others can do without a file that fails, or a picture that cannot be */
}

/* Those with a path, or those that are printed, which have the warnings of the others. */
static int write_outputs(const cli_answer *a, bool with_path)
{
    int status = INLAY_OK;
    const cli_output *out;
    for (size_t i = 0; status == INLAY_OK && (out = output_at(a->call, i)) != NULL; i++) {
        const char *path = is_input(out) ? NULL : path_of(a->call, out);
        if (path != NULL && (named_path(a->call, out) != NULL) == with_path) {
            status = write_output(out, a, path);
        }
    }
    return status;
}

int give_out(const invocation *call, const void *of, inlay_diag *diag)
{
    const cli_answer a = {call, of, diag};
    meter_end();
    int status = write_outputs(&a, true);
    status = status == INLAY_OK ? write_outputs(&a, false) : status;
    return status == INLAY_OK && call->command->print != NULL && !hides_table(call) ? call->command->print(&a) : status;
}

inlay_result_context result_context(const invocation *call, const inlay_diag *said)
{
    const char *file = call->operand_count > 0 ? call->operands[0] : NULL;
    return (inlay_result_context){call->command->name, call->common->seed, said, file};
}

int result_write(const invocation *call, inlay_result_members *members, const void *of, const char *path,
                 inlay_diag *diag)
{
    const inlay_result_context context = result_context(call, diag);
    return inlay_result_write(&context, members, of, path, diag);
}

/* ---- The whole ---- */

/* What the application says is of no use to speeds without a unit. */
static int refer(inlay_machine *machine, double reference, const inlay_app *app, inlay_diag *diag)
{
    bool asked = reference > 0 || inlay_machine_flops(machine, NULL);
    reference = reference > 0 ? reference : inlay_app_reference_speed(app);
    return asked && reference > 0 ? inlay_machine_refer(machine, reference, diag) : INLAY_OK;
}

int answer_app_and_machine(const invocation *call, const char *format, double reference, app_answer *answer,
                           inlay_diag *diag)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    int status = inlay_app_read(call->operands[0], format, &app, diag);
    if (status == INLAY_OK && call->operand_count > 1) {
        status = inlay_machine_read(call->operands[1], &machine, diag);
        status = status == INLAY_OK ? refer(machine, reference, app, diag) : status;
    }
    status = status == INLAY_OK ? answer(call, app, machine, diag) : status;
    inlay_machine_free(machine);
    inlay_app_free(app);
    return status;
}

int answer_mapping(const invocation *call, const char *app, loaded_answer *answer, inlay_diag *diag)
{
    inlay_loaded loaded = {0};
    int status = inlay_mapping_read(call->operands[0], app, &loaded, diag);
    status = status == INLAY_OK ? answer(call, &loaded, diag) : status;
    inlay_loaded_clear(&loaded);
    return status;
}

static int answer_call(const invocation *call)
{
    const cli_command *command = call->command;
    int end = command->check != NULL ? command->check(call) : EXIT_DONE;
    end = end == EXIT_DONE ? check_outputs(call) : end;
    if (end != EXIT_DONE) {
        return end;
    }
    inlay_diag *diag = output_diag();
    meter_begin(call);
    int status = diag != NULL ? command->answer(call, diag) : INLAY_NO_MEMORY;
    meter_end();
    end = status > 0 ? status : report_end(call, status, diag);
    inlay_diag_free(diag);
    return end;
}

int command_start(const cli_command *command, int (*run)(const invocation *call), int argc, char *const *argv, int at)
{
    invocation call;
    int end = invocation_read(command, argc, argv, at, &call);
    if (end == EXIT_DONE && call.common->help) {
        help_print(command);
    } else if (end == EXIT_DONE) {
        run = run != NULL ? run : command->run != NULL ? command->run : answer_call;
        end = run(&call);
    }
    invocation_clear(&call);
    return end;
}

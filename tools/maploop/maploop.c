/*
 * inlay-maploop: `inlay maploop` starts it with its own words. It writes the program for MPI that does what a serial one
 * of marked loops does.
 */
#include "maploop_values.h"
#include "affinity.h"
#include "answer.h"
#include "commands.h"
#include "output.h"
#include "report.h"
#include <inlay/inlay.h>

static int maploop_run(const invocation *call)
{
    const maploop_values *values = call->values;
    if (values->output == NULL && !values->explain) {
        return report_usage(&maploop_command, "-o is missing; expected -o FILE, or -o - for standard output");
    }
    if (values->output != NULL && output_collision(call, &values->output, 1) != NULL) {
        return report_usage(&maploop_command, "-o %s: is the input", values->output);
    }
    inlay_diag *diag = output_diag();
    if (diag == NULL) {
        return report_no_memory();
    }
    const inlay_maploop_options options = {.include = {values->include.text, values->include.count},
                                           .arrays = (inlay_arrays)values->arrays,
                                           .no_guard = values->guard == 1,
                                           .explain = values->explain};
    const char *output = values->output != NULL ? values->output : "-";
    int status = output_told(inlay_maploop(call->operands[0], &options, output, diag), diag);
    int end = report_end(call, status, diag);
    inlay_diag_free(diag);
    return end;
}

int main(int argc, char **argv)
{
    affinity_restore();
    return finish_output(command_start(&maploop_command, maploop_run, argc, argv, 0));
}

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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The files of a program, into a folder under their own names. Those of `at` are to be freed. */
static int name_outputs(const invocation *call, const char *folder, char **at)
{
    size_t count = (size_t)call->operand_count;
    for (size_t i = 0; i < count; i++) {
        const char *name = name_of(call->operands[i]);
        size_t size = strlen(folder) + strlen(name) + 2;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(name_of(call->operands[k]), name) == 0) {
                return report_usage(&maploop_command, "%s: two files have that name; expected different ones", name);
            }
        }
        at[i] = malloc(size);
        if (at[i] == NULL) {
            return report_no_memory();
        }
        (void)snprintf(at[i], size, "%s/%s", folder, name);
    }
    const char *same = output_collision(call, (const char *const *)at, count);
    return same == NULL ? 0 : report_usage(&maploop_command, "-o %s: %s is an input", folder, same);
}

static int maploop_files(const invocation *call, const inlay_maploop_options *options, inlay_diag *diag)
{
    const maploop_values *values = call->values;
    if (values->arrays == INLAY_ARRAYS_DISTRIBUTED) {
        return report_usage(&maploop_command, "--arrays distributed: expected one file");
    }
    if (values->explain) {
        const char *output = values->output != NULL ? values->output : "-";
        return report_end(call,
                          output_told(inlay_maploop_files((const char *const *)call->operands,
                                                          (size_t)call->operand_count, options, &output, diag),
                                      diag),
                          diag);
    }
    char **at = calloc((size_t)call->operand_count + 1, sizeof *at);
    int end = at == NULL ? report_no_memory() : name_outputs(call, values->output, at);
    if (end == 0) {
        (void)mkdir(values->output, 0777); /* writing tells where there is none */
        end =
            report_end(call,
                       output_told(inlay_maploop_files((const char *const *)call->operands, (size_t)call->operand_count,
                                                       options, (const char *const *)at, diag),
                                   diag),
                       diag);
    }
    for (int i = 0; at != NULL && i < call->operand_count; i++) {
        free(at[i]);
    }
    free(at);
    return end;
}

static int maploop_run(const invocation *call)
{
    const maploop_values *values = call->values;
    if (values->output == NULL && !values->explain) {
        return report_usage(&maploop_command, "-o is missing; expected -o FILE, or -o - for standard output");
    }
    if (call->operand_count == 1 && values->output != NULL && output_collision(call, &values->output, 1) != NULL) {
        return report_usage(&maploop_command, "-o %s: is the input", values->output);
    }
    inlay_diag *diag = output_diag();
    if (diag == NULL) {
        return report_no_memory();
    }
    const inlay_maploop_options options = {.include = {values->include.text, values->include.count},
                                           .definitions = {values->definitions.text, values->definitions.count},
                                           .arrays = (inlay_arrays)values->arrays,
                                           .no_guard = values->guard == 1,
                                           .explain = values->explain};
    int end;
    if (call->operand_count > 1) {
        end = maploop_files(call, &options, diag);
    } else {
        const char *output = values->output != NULL ? values->output : "-";
        end = report_end(call, output_told(inlay_maploop(call->operands[0], &options, output, diag), diag), diag);
    }
    inlay_diag_free(diag);
    return end;
}

int main(int argc, char **argv)
{
    affinity_restore();
    return finish_output(command_start(&maploop_command, maploop_run, argc, argv, 0));
}

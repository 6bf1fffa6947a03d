/* The files of a run: the program and, for SimGrid, the platform and who runs on which host. */
#include "platform.h"
#include "report.h"
#include "run.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int make_folder(const invocation *call, folder *where)
{
    const run_values *values = call->values;
    if (values->keep != NULL && folder_keep(values->keep, where) != INLAY_OK) {
        return launcher_fail(call, "%s: cannot be a folder (%s); expected one to write into", values->keep,
                             strerror(errno));
    }
    if (values->keep == NULL && folder_make(where) != INLAY_OK) {
        return launcher_no_folder(call);
    }
    return EXIT_DONE;
}

/* smpirun takes "name:2" for two ranks, and its words apart at blanks. */
static int make_hosts(const invocation *call, const run_made *made, inlay_diag *diag)
{
    char path[PATH_MAX], line[INLAY_MACHINE_NAME + 1];
    const inlay_machine *machine = inlay_mapping_machine(inlay_synth_mapping(made->told.synth));
    inlay_file *file = NULL;
    int status = inlay_file_open(folder_file(&made->where, RUN_HOSTS, path), &file, diag);
    for (inlay_id r = 0; status == INLAY_OK && r < inlay_synth_result(made->told.synth)->ranks; r++) {
        platform_host(machine, inlay_machine_host(machine, inlay_synth_processor(made->told.synth, r)), line);
        if (strpbrk(line, ": \t\n\r") != NULL) {
            inlay_file_abandon(file);
            return launcher_fail(call,
                                 "smpirun reads no names of hosts with a colon or a blank; expected other names, or "
                                 "inlay simulate --engine simgrid");
        }
        size_t length = strlen(line);
        line[length] = '\n';
        inlay_file_put(file, line, length + 1);
    }
    status = status == INLAY_OK ? inlay_file_close(file, diag) : status;
    return status == INLAY_OK ? EXIT_DONE : report_end(call, status, diag);
}

static int make_platform(const invocation *call, const run_made *made, inlay_diag *diag)
{
    const inlay_mapping *mapping = made->told.mapping;
    if (strpbrk(made->where.path, " \t\n") != NULL) {
        return launcher_fail(call, "%s: smpirun reads no path with a blank; expected another TMPDIR, or another --keep",
                             made->where.path);
    }
    int status = platform_write(inlay_mapping_machine(mapping), inlay_mapping_summary(mapping)->free_network,
                                made->tick_seconds, &made->where, diag);
    return status == INLAY_OK ? make_hosts(call, made, diag) : report_end(call, status, diag);
}

int run_write_files(const invocation *call, run_made *made, inlay_diag *diag)
{
    const run_values *values = call->values;
    char path[PATH_MAX];
    struct stat of;
    int end = make_folder(call, &made->where);
    if (end == EXIT_DONE && values->engine == RUN_SMPI) {
        end = make_platform(call, made, diag);
    }
    if (end != EXIT_DONE) {
        return end;
    }
    int status = inlay_synth_write(made->told.synth, folder_file(&made->where, RUN_SOURCE, path), diag);
    made->told.program_bytes = status == INLAY_OK && stat(path, &of) == 0 ? (int64_t)of.st_size : 0;
    return status == INLAY_OK ? EXIT_DONE : report_end(call, status, diag);
}

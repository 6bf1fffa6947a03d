/* The files that `inlay simulate` writes. */
#include "output.h"
#include "simulate.h"
#include <inlay/inlay.h>
#include <signal.h>

typedef int file_writer(const inlay_simulation *simulation, const char *path, inlay_diag *diag);

typedef struct file_kind {
    file_writer *write;
    size_t offset; /* of its path in the values */
} file_kind;

static const file_kind kinds[] = {
    {inlay_simulation_draw_svg, offsetof(simulate_values, gantt)},
    {inlay_simulation_write_trace, offsetof(simulate_values, trace)},
    {inlay_simulation_write_paje, offsetof(simulate_values, paje)},
    {inlay_simulation_write_modules, offsetof(simulate_values, csv)},
    {inlay_simulation_write_messages, offsetof(simulate_values, csv_messages)},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *path_of(const simulate_values *values, size_t kind)
{
    return *(const char *const *)((const char *)values + kinds[kind].offset);
}

bool simulate_takes_output(const simulate_values *values)
{
    bool takes = values->common.json;
    for (size_t i = 0; i < KINDS; i++) {
        takes = takes || output_is_standard(path_of(values, i));
    }
    return takes;
}

bool simulate_writes_file(const simulate_values *values)
{
    bool writes = false;
    for (size_t i = 0; i < KINDS; i++) {
        writes = writes || path_of(values, i) != NULL;
    }
    return writes;
}

/*
 * A file is there whole or not at all, with nothing left beside it: a signal that would end the program waits until it
 * is closed. What goes to standard output can be interrupted at any time.
 */
static int write_undisturbed(file_writer *write, const inlay_simulation *simulation, const char *path, inlay_diag *diag)
{
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    pthread_sigmask(SIG_BLOCK, output_is_standard(path) ? NULL : &ending, &before);
    int status = write(simulation, path, diag);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

int simulate_write_files(const invocation *call, const inlay_simulation *simulation, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < KINDS && status == INLAY_OK; i++) {
        const char *path = path_of(call->values, i);
        if (path != NULL) {
            status = write_undisturbed(kinds[i].write, simulation, path, diag);
        }
    }
    return status;
}

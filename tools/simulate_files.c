/* The files that `inlay simulate` writes. */
#include "output.h"
#include "simulate.h"
#include <inlay/inlay.h>

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

int simulate_write_files(const invocation *call, const inlay_simulation *simulation, inlay_diag *diag)
{
    int status = INLAY_OK;
    for (size_t i = 0; i < KINDS && status == INLAY_OK; i++) {
        const char *path = path_of(call->values, i);
        if (path != NULL) {
            status = output_told(kinds[i].write(simulation, path, diag), diag);
        }
    }
    return status;
}

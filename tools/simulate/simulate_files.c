/* The files that `inlay simulate` writes. */
#include "simulate.h"
#include "answer.h"
#include <inlay/inlay.h>

static const simulate_values *values_of(const cli_answer *a)
{
    return a->call->values;
}

static int write_json(const cli_answer *a, const char *path)
{
    const inlay_result_context context = result_context(a->call, a->diag);
    if (values_of(a)->scheduler > 0) {
        return inlay_scheduled_write_json(a->of, &context, path, a->diag);
    }
    return inlay_simulation_write_json(a->of, values_of(a)->scale, &context, path, a->diag);
}

static int draw(const cli_answer *a, const char *path)
{
    return values_of(a)->scheduler > 0 ? inlay_scheduled_draw_svg(a->of, path, a->diag)
                                       : inlay_simulation_draw_svg(a->of, path, a->diag);
}

static int write_trace(const cli_answer *a, const char *path)
{
    return inlay_simulation_write_trace(a->of, path, a->diag);
}

static int write_paje(const cli_answer *a, const char *path)
{
    return inlay_simulation_write_paje(a->of, path, a->diag);
}

static int write_modules(const cli_answer *a, const char *path)
{
    return values_of(a)->scheduler > 0 ? inlay_scheduled_write_modules(a->of, path, a->diag)
                                       : inlay_simulation_write_modules(a->of, path, a->diag);
}

static int write_messages(const cli_answer *a, const char *path)
{
    return inlay_simulation_write_messages(a->of, path, a->diag);
}

#define FIELD(name) offsetof(simulate_values, name)

const cli_output simulate_files[] = {
    {"JSON", .write = write_json},
    {"--gantt", FIELD(gantt), .write = draw},
    {"--trace", FIELD(trace), .write = write_trace},
    {"--paje", FIELD(paje), .write = write_paje},
    {"--csv", FIELD(csv), .write = write_modules},
    {"--csv-messages", FIELD(csv_messages), .write = write_messages},
    {.name = "--app", .path = FIELD(app)},
    {0},
};

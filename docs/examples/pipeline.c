/* A pipeline of three modules, built without a file, on two processors. */
#include <inlay/inlay.h>
#include <stdio.h>

/** Times as decimals: 2.5 ms is 25 x 10^-1. */
static const inlay_module stage[] = {
    {.name = "read", .time = {{25, 1}, INLAY_UNIT_MS}},
    {.name = "solve", .time = {{40, 0}, INLAY_UNIT_MS}},
    {.name = "write", .time = {{3, 0}, INLAY_UNIT_MS}},
};

static int build(inlay_app **app, inlay_diag *diag)
{
    inlay_app_builder *builder = inlay_app_builder_new("pipeline", INLAY_UNIT_MS);
    int status = builder ? INLAY_OK : INLAY_NO_MEMORY;
    for (inlay_id i = 0; i < 3 && status == INLAY_OK; i++) {
        status = inlay_app_add_module(builder, &stage[i], diag);
    }
    for (inlay_id i = 0; i < 2 && status == INLAY_OK; i++) {
        status = inlay_app_add_link(builder, i, i + 1, 1, 1000000, 0, diag);
    }
    if (status == INLAY_OK) {
        status = inlay_app_build(builder, app, diag);
    }
    inlay_app_builder_free(builder);
    return status;
}

int main(void)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    const inlay_id processor_of[] = {0, 1, 0};
    inlay_options options = {0};

    int status = build(&app, diag);
    if (status == INLAY_OK) {
        status = inlay_machine_parse("bus:2,capacity=1GB/s,latency=50us", &machine, diag);
    }
    if (status == INLAY_OK) {
        status = inlay_evaluate(app, machine, processor_of, &options, &mapping, diag);
    }
    if (status == INLAY_OK) {
        printf("elapsed time %.6f ms\n", inlay_mapping_summary(mapping)->elapsed);
    } else {
        fprintf(stderr, "%s\n", inlay_diag_message(diag));
    }

    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
    return inlay_exit_status(status);
}

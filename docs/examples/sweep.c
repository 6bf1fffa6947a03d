/* The processors that each module shares, for every time frame: `sweep APP MACHINE`. */
#include <inlay/inlay.h>
#include <stdio.h>

/* Called once a clustering, by rising T. */
static int show(void *context, const inlay_sweep_step *step)
{
    const inlay_app *app = context;
    printf("%g:", inlay_app_in_units(app, step->time_frame));
    for (inlay_id i = 0; i < inlay_app_modules(app); i++) {
        printf(" %d", (int)step->cluster_of[i]);
    }
    printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_sweep_result *sweep = NULL;
    inlay_diag *diag = inlay_diag_new();
    int status = argc == 3 ? inlay_app_read(argv[1], NULL, &app, diag) : INLAY_BAD_ARGUMENT;
    if (status == INLAY_OK) {
        status = inlay_machine_read(argv[2], &machine, diag);
    }
    if (status == INLAY_OK) {
        inlay_sweep_options options = {.each = show, .context = app};
        status = inlay_sweep(app, machine, &options, &sweep, diag);
    }
    if (status == INLAY_OK) {
        const inlay_sweep_point *t_fit = &inlay_sweep_summary_of(sweep)->t_fit;
        printf("T_FIT %s\n", t_fit->exists ? t_fit->text : "none");
    } else {
        fprintf(stderr, "%s\n", inlay_diag_message(diag));
    }
    inlay_sweep_free(sweep);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
    return inlay_exit_status(status);
}

/* layout APPLICATION MACHINE TIME_FRAME PICTURE: map, print who runs what, draw. */
#include <inlay/inlay.h>
#include <stdio.h>

static void print(const inlay_mapping *mapping)
{
    const inlay_app *app = inlay_mapping_app(mapping);
    const inlay_summary *sum = inlay_mapping_summary(mapping);
    const char *unit = inlay_unit_name(inlay_app_unit(app));
    for (inlay_id c = 0; c < sum->clusters; c++) {
        inlay_cluster_info cluster = inlay_mapping_cluster(mapping, c);
        printf("processor %d (%.1f %%):", (int)cluster.processor, 100 * cluster.utilisation);
        for (inlay_id i = 0; i < cluster.modules; i++) {
            printf(" %s", inlay_app_module_name(app, cluster.module[i]));
        }
        printf("\n");
    }
    printf("%d of %d processors, elapsed time %.3f %s\n", (int)sum->clusters, (int)sum->processors, sum->elapsed,
           unit);
}

int main(int argc, char **argv)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_app *app = NULL;
    inlay_machine *machine = NULL;
    inlay_mapping *mapping = NULL;
    inlay_options options = {.has_time_frame = true};
    if (diag == NULL || argc != 5 || inlay_duration_parse(argv[3], &options.time_frame) != INLAY_OK) {
        fprintf(stderr, "usage: layout APPLICATION MACHINE TIME_FRAME PICTURE\n");
        inlay_diag_free(diag);
        return 2;
    }

    int status = inlay_app_read(argv[1], NULL, &app, diag);
    if (status == INLAY_OK) {
        status = inlay_machine_read(argv[2], &machine, diag);
    }
    if (status == INLAY_OK) {
        status = inlay_map(app, machine, &options, &mapping, diag);
    }
    if (status == INLAY_OK) {
        print(mapping);
        status = inlay_mapping_draw_svg(mapping, NULL, argv[4], diag);
    }
    if (status != INLAY_OK) {
        fprintf(stderr, "%s\n", inlay_diag_message(diag));
    }

    inlay_mapping_free(mapping);
    inlay_machine_free(machine);
    inlay_app_free(app);
    inlay_diag_free(diag);
    return inlay_exit_status(status);
}

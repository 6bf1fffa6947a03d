/* The ranks of an MPI program, placed. */
#include "base/diag.h"
#include "base/memory.h"
#include <inlay/capture.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As capture/coalesce.c names them. */
bool inlay_app_is_ranks(const inlay_app *app)
{
    inlay_id ranks = inlay_app_modules(app);
    for (inlay_id r = 0; r < ranks; r++) {
        char name[24];
        (void)snprintf(name, sizeof name, "rank.%d", (int)r);
        if (strcmp(inlay_app_module_name(app, r), name) != 0) {
            return false;
        }
    }
    return ranks > 0;
}

int inlay_ranks_time(const inlay_app *segments, const inlay_machine *machine, const inlay_id *processor_of,
                     inlay_id ranks, double *seconds, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_id modules = inlay_app_modules(segments);
    inlay_id *places = memory_array((size_t)modules, sizeof *places);
    int status = places != NULL ? INLAY_OK : diag_no_memory(diag);
    for (inlay_id i = 0; status == INLAY_OK && i < modules; i++) {
        inlay_id rank = inlay_app_pin(segments, i);
        if (rank < 0 || rank >= ranks) {
            status = diag_fail(diag, INLAY_BAD_INPUT,
                               "module '%s' of %s is of no rank below %d; expected the program as inlay capture --mpi "
                               "--keep writes it, with as many ranks",
                               inlay_app_module_name(segments, i), inlay_app_name(segments), (int)ranks);
        } else {
            places[i] = processor_of[rank];
        }
    }
    inlay_mapping *mapping = NULL;
    if (status == INLAY_OK) { /* that modules are not where they are pinned is what is asked for */
        inlay_diag *quiet = inlay_diag_new();
        status =
            quiet == NULL ? diag_no_memory(diag) : inlay_evaluate(segments, machine, places, NULL, &mapping, quiet);
        if (status != INLAY_OK && quiet != NULL) {
            status = diag_fail(diag, status, "%s", inlay_diag_message(quiet));
        }
        inlay_diag_free(quiet);
    }
    if (status == INLAY_OK) {
        *seconds = inlay_mapping_summary(mapping)->elapsed * inlay_unit_seconds(inlay_app_unit(segments));
    }
    inlay_mapping_free(mapping);
    free(places);
    return status;
}

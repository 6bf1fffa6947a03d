/* The screen: a run in which all messages of a link are one. */
#include "base/diag.h"
#include "simulate/run.h"

int inlay_mapping_screen(const inlay_mapping *mapping, inlay_contention contention, double *screen, inlay_diag *diag)
{
    DIAG_CALL(diag);
    if (mapping == NULL || screen == NULL) {
        return diag_fail(diag, INLAY_BAD_ARGUMENT, "a screen is that of a mapping");
    }
    plan p;
    run r;
    int status = plan_make(mapping, &(inlay_simulation_options){.contention = contention}, &p, diag);
    if (status != INLAY_OK) {
        return status;
    }
    p.screen = true;
    status = run_make(&p, &r, diag);
    if (status == INLAY_OK) {
        status = run_replication(&r, 0, NULL);
        *screen = r.last / p.grain;
        if (status != INLAY_OK) {
            run_refuse(&r, diag);
        }
        run_clear(&r);
    }
    plan_clear(&p);
    return status;
}

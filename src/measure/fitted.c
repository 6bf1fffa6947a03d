/* What a measurement comes to, and its file. */
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "measure/machine_file.h"
#include <stdlib.h>

static int fit(const inlay_raw *raw, const bool *wanted, inlay_fitted *all, inlay_diag *diag)
{
    bool any = false;
    for (int p = 0; p < INLAY_PATTERNS && wanted != NULL; p++) {
        if (wanted[p] && !raw->topology.wanted[p]) {
            const char *name = inlay_pattern_name((inlay_pattern)p);
            return diag_fail_at(diag, INLAY_BAD_INPUT, raw->source, 0,
                                "%s was not measured; expected a file of inlay measure --topology %s --raw", name,
                                name);
        }
        any = any || wanted[p];
    }
    all->of = raw;
    if (raw->advisor.given) {
        return advisor_make(raw, &all->advisor, diag);
    }
    int status = analysis_make(raw, &all->machine, diag);
    if (status == INLAY_OK && any) {
        status = topology_make(&all->machine, wanted, &all->metasystem, diag);
    } else if (status == INLAY_OK) {
        machine_warn(&all->machine, diag);
    }
    return status;
}

int inlay_raw_fit(const inlay_raw *raw, const bool wanted[INLAY_PATTERNS], inlay_fitted **fitted, inlay_diag *diag)
{
    DIAG_CALL(diag);
    inlay_fitted *all = memory_zeroed(1, sizeof *all);
    int status = all == NULL ? INLAY_NO_MEMORY : fit(raw, wanted, all, diag);
    if (status != INLAY_OK) {
        inlay_fitted_free(all);
        return status == INLAY_NO_MEMORY ? diag_no_memory(diag) : status;
    }
    *fitted = all;
    return INLAY_OK;
}

void inlay_fitted_free(inlay_fitted *fitted)
{
    if (fitted == NULL) {
        return;
    }
    for (int c = 0; c < fitted->metasystem.clusters; c++) {
        for (int p = 0; p < INLAY_PATTERNS; p++) {
            free(fitted->metasystem.cluster[c].pattern[p].point);
        }
    }
    free(fitted->metasystem.cluster);
    free(fitted->machine.rank);
    free(fitted->machine.host);
    free(fitted->machine.overheads.send);
    free(fitted->machine.overheads.receive);
    free(fitted->advisor.rank);
    free(fitted->advisor.step);
    free(fitted);
}

int inlay_fitted_write(const inlay_fitted *fitted, const char *path, inlay_diag *diag)
{
    DIAG_CALL_WITH_WARNINGS(diag);
    text_buffer text = {0};
    if (fitted->of->advisor.given) {
        advisor_put(&text, &fitted->advisor, diag);
    } else if (fitted->metasystem.clusters > 0) {
        metasystem_put(&text, &fitted->metasystem, diag);
    } else {
        machine_put(&text, &fitted->machine, diag);
    }
    int status = text.failed ? diag_no_memory(diag) : file_write(path, text.data, text.size, diag);
    text_clear(&text);
    return status;
}
